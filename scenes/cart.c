// A cart rolls down a slope and out onto the flat. Its body and its two axles are rigid groups; each
// axle shares two bearing particles with the body, which leaves it one way to move: to turn. A wheel is
// one flat ellipsoid, so it rolls on an exact circle.

#include "craft.h"

#include "geometry.h"

enum { CHASSIS_PARTICLES = 4 * 2 * 3, WHEEL_SIDES = 40, SPOKES = 5 };

static const float WHEEL_RADIUS = 0.24f, WHEEL_HALF_WIDTH = 0.07f, TRACK = 0.42f, BASE = 0.45f;
static const float CHASSIS_HEIGHT = 0.22f; // of its centre above the axles

static int add_point(pliant_builder *builder, vec3 position, vec3 radii, float mass)
{
    pliant_particle_def particle = pliant_default_particle_def();
    particle.position = position;
    particle.radii = radii;
    particle.mass = mass;
    return pliant_builder_add_particle(builder, &particle);
}

// A wheel's surface: profile points (distance from the axle, place along it) turned around the axle.
// Between the hub and the tyre the distance waves, so that one sees it turn.
static void add_wheel_skin(pliant_builder *builder, int particle, vec3 centre)
{
    static const float profile[][3] = {
        // radius, along the axle, depth of the spokes' wave
        {0.02f, 1.25f, 0.0f},  {0.30f, 1.25f, 0.0f},  {0.34f, 1.0f, 0.0f},    {0.55f, 0.75f, 0.28f},
        {0.78f, 0.95f, 0.0f},  {0.94f, 0.8f, 0.0f},   {1.0f, 0.45f, 0.0f},    {1.0f, -0.45f, 0.0f},
        {0.94f, -0.8f, 0.0f},  {0.78f, -0.95f, 0.0f}, {0.55f, -0.75f, 0.28f}, {0.34f, -1.0f, 0.0f},
        {0.30f, -1.25f, 0.0f}, {0.02f, -1.25f, 0.0f}};
    int rings = (int)(sizeof profile / sizeof profile[0]);
    int base = pliant_builder_vertex_count(builder);
    for (int i = 0; i < rings; ++i) {
        for (int k = 0; k < WHEEL_SIDES; ++k) {
            float angle = 2.0f * PLIANT_PI * (float)k / WHEEL_SIDES, s, c, wave_s, wave_c;
            trig_sin_cos(angle, &s, &c);
            trig_sin_cos(SPOKES * angle, &wave_s, &wave_c);
            float r = WHEEL_RADIUS * (profile[i][0] + 0.5f * profile[i][2] * wave_c);
            float along = WHEEL_HALF_WIDTH * profile[i][1] * (1.0f - profile[i][2] * wave_c);
            pliant_vertex_def vertex = {.position = vec3_add(centre, (vec3){r * c, r * s, along}),
                                        .particles = {particle},
                                        .weights = {1.0f}};
            pliant_builder_add_vertex(builder, &vertex);
        }
    }
    for (int i = 0; i + 1 < rings; ++i) {
        for (int k = 0; k < WHEEL_SIDES; ++k) {
            int next = (k + 1) % WHEEL_SIDES;
            int a = base + i * WHEEL_SIDES + k, b = base + i * WHEEL_SIDES + next;
            pliant_builder_add_triangle(builder, a, a + WHEEL_SIDES, b);
            pliant_builder_add_triangle(builder, b, a + WHEEL_SIDES, b + WHEEL_SIDES);
        }
    }
}

// Two wheels and two bearings; appends the bearings to the body's members.
static void add_axle(pliant_builder *builder, float x, int32_t *body_members, int *body_count)
{
    int32_t members[4];
    for (int side = 0; side < 2; ++side) {
        float z = side ? TRACK : -TRACK;
        vec3 wheel = {x, 0.0f, z};
        members[side] =
            add_point(builder, wheel, (vec3){WHEEL_RADIUS, WHEEL_RADIUS, WHEEL_HALF_WIDTH}, 4.0f);
        add_wheel_skin(builder, members[side], wheel);
        members[2 + side] =
            add_point(builder, (vec3){x, 0.0f, 0.6f * z}, (vec3){0.03f, 0.03f, 0.03f}, 1.0f);
        body_members[(*body_count)++] = members[2 + side];
    }
    pliant_group_def group = {.members = members, .member_count = 4, .stiffness = 1.0f};
    pliant_builder_add_group(builder, &group);
}

static void add_chassis(pliant_builder *builder, int32_t *members, int *count)
{
    pliant_block_def block = pliant_default_block_def();
    block.centre = (vec3){0.0f, CHASSIS_HEIGHT, 0.0f};
    block.size = (vec3){1.5f, 0.26f, 0.56f};
    block.counts[0] = 4;
    block.counts[1] = 2;
    block.counts[2] = 3;
    block.density = 60.0f;
    int first = pliant_builder_add_block(builder, &block);
    for (int i = 0; i < CHASSIS_PARTICLES; ++i)
        members[(*count)++] = first + i;
}

static void add_slope(pliant_scene *scene, float angle)
{
    float s, c;
    trig_sin_cos(angle, &s, &c);
    pliant_plane_def slope = pliant_default_plane_def();
    slope.normal = (vec3){s, c, 0.0f};
    slope.friction = 1.0f;
    pliant_scene_add_plane(scene, &slope);
}

pliant_scene *scene_cart(pliant_error *error)
{
    const float angle = 0.2f, start = 2.6f; // rad, m up the slope
    pliant_scene *scene = craft_scene(3.4f);
    craft_camera(scene, (vec3){1.2f, 2.4f, 8.5f}, (vec3){1.2f, 0.5f, 0.0f});
    craft_ground(scene, 1.0f);
    pliant_builder *builder = pliant_builder_create(NULL);
    if (builder) {
        int32_t members[CHASSIS_PARTICLES + 4];
        int count = 0;
        add_chassis(builder, members, &count);
        add_axle(builder, -BASE, members, &count);
        add_axle(builder, BASE, members, &count);
        pliant_group_def body = {.members = members, .member_count = count, .stiffness = 1.0f};
        pliant_builder_add_group(builder, &body);
    }
    pliant_scene_body *body = craft_body(scene, builder, "cart", 0x3878b8, error);
    if (body) {
        float s, c;
        trig_sin_cos(angle, &s, &c);
        add_slope(scene, angle);
        // On the slope: along it from the bottom, and one wheel radius off it.
        body->def.position =
            (vec3){-start * c + WHEEL_RADIUS * s, start * s + WHEEL_RADIUS * c, 0.0f};
        body->def.orientation = quat_exp((vec3){0.0f, 0.0f, -angle});
        body->def.friction = 1.0f;
        body->def.linear_damping = body->def.angular_damping = 0.0f;
    }
    return craft_finish(scene, error);
}
