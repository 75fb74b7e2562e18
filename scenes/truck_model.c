// The truck's particles, edges, groups and hinges.

#include "truck_model.h"

#include "geometry.h"
#include "truck_shape.h"

#include <assert.h>

enum { MOST_CHASSIS = 320 };

// Half the thickness of the shell's ellipsoids: more than half of what two trucks that crash at 20 m/s
// approach in a substep, so that the exact contact sees every hit.
static const float SHELL_HALF_THICKNESS = 0.075f;
static const float SHELL_REACH = 0.72f;  // shell particles nearer than this are connected
static const float FRAME_REACH = 0.95f;  // the same within the frame
static const float MOUNT_REACH = 0.62f;  // and between frame and shell
static const float WELD_DISTANCE = 0.2f; // where two hulls meet they share particles
static const float DENT_SPEED = 4.0f;    // m/s

static const float SHELL_MASS = 4.5f, FRAME_MASS = 32.0f, BEARING_MASS = 60.0f;
static const float RIM_MASS = 6.0f, TYRE_MASS = 4.0f;
static const float SHELL_STIFFNESS = 0.2f, FRAME_STIFFNESS = 0.9f, TYRE_STIFFNESS = 0.05f;

static vec3 position_of(pliant_builder *builder, int particle)
{
    return pliant_builder_particle(builder, particle)->position;
}

static float distance_between(pliant_builder *builder, int a, int b)
{
    return vec3_length(vec3_sub(position_of(builder, a), position_of(builder, b)));
}

static void connect(pliant_builder *builder, int a, int b)
{
    pliant_edge_def edge = pliant_default_edge_def();
    edge.a = a;
    edge.b = b;
    pliant_builder_add_edge(builder, &edge);
}

// Connects particles of [first, end) with those of [other, other_end) behind them that are near.
static void connect_near(pliant_builder *builder, int first, int end, int other, int other_end,
                         float reach)
{
    for (int a = first; a < end; ++a)
        for (int b = a < other ? other : a + 1; b < other_end; ++b)
            if (distance_between(builder, a, b) < reach)
                connect(builder, a, b);
}

static int add_ball(pliant_builder *builder, vec3 position, float radius, float mass,
                    float stiffness)
{
    pliant_particle_def particle = pliant_default_particle_def();
    particle.position = position;
    particle.radii = (vec3){radius, radius, radius};
    particle.mass = mass;
    particle.stiffness = stiffness;
    return pliant_builder_add_particle(builder, &particle);
}

// ---------------------------------------------------------------------------------------------
// The shell

// The shortest rotation from +x to a unit vector.
static quat turn_x_to(vec3 n)
{
    if (n.x < -0.999f)
        return (quat){0.0f, 1.0f, 0.0f, 0.0f};
    return quat_normalize((quat){0.0f, -n.z, n.y, 1.0f + n.x});
}

// Each side of a hull that is really there, and how finely it is sampled.
typedef struct hull_sampling {
    int counts[3];
    bool has_bottom, has_top, has_ends; // the inner part of these sides
} hull_sampling;

static const hull_sampling samplings[TRUCK_HULLS] = {
    [TRUCK_NOSE] = {{5, 3, 5}, false, true, true},
    [TRUCK_DOORS] = {{4, 3, 4}, true, false, false},
    [TRUCK_CAB] = {{4, 3, 4}, false, true, true},
    [TRUCK_BED] = {{5, 2, 4}, true, false, false},
};

// -1, 0 or 1: at the low side, inside, at the high side.
static float side_of(int index, int count)
{
    return index == 0 ? -1.0f : index == count - 1 ? 1.0f : 0.0f;
}

// Whether the sample with this outward direction lies on a side that is there. A point on an edge
// of the hull belongs to the body's outline.
static bool is_sampled(const hull_sampling *s, vec3 direction)
{
    int sides = (direction.x != 0.0f) + (direction.y != 0.0f) + (direction.z != 0.0f);
    if (sides != 1)
        return sides > 1;
    if (direction.y != 0.0f)
        return direction.y > 0.0f ? s->has_top : s->has_bottom;
    return direction.z != 0.0f || s->has_ends;
}

static void add_shell_particle(pliant_builder *builder, int first, vec3 surface, vec3 normal)
{
    pliant_particle_def particle = pliant_default_particle_def();
    particle.position = vec3_add_scaled(surface, normal, -SHELL_HALF_THICKNESS);
    int end = pliant_builder_particle_count(builder);
    for (int i = first; i < end; ++i)
        if (vec3_length(vec3_sub(position_of(builder, i), particle.position)) < WELD_DISTANCE)
            return;
    particle.orientation = turn_x_to(normal);
    particle.radii = (vec3){SHELL_HALF_THICKNESS, 0.25f, 0.25f};
    particle.mass = SHELL_MASS;
    particle.stiffness = SHELL_STIFFNESS;
    particle.flags = PLIANT_PARTICLE_SURFACE;
    pliant_builder_add_particle(builder, &particle);
}

static void sample_hull(pliant_builder *builder, int first, truck_hull_part part)
{
    const hull_sampling *s = &samplings[part];
    const int *n = s->counts;
    hull h = truck_hull(part);
    for (int i = 0; i < n[0]; ++i) {
        for (int j = 0; j < n[1]; ++j) {
            for (int k = 0; k < n[2]; ++k) {
                vec3 direction = {side_of(i, n[0]), side_of(j, n[1]), side_of(k, n[2])};
                if (!is_sampled(s, direction))
                    continue;
                float g[3] = {(float)i / (float)(n[0] - 1), (float)j / (float)(n[1] - 1),
                              (float)k / (float)(n[2] - 1)};
                vec3 normal = hull_normal(&h, g, vec3_normalize_or(direction, direction));
                add_shell_particle(builder, first, hull_point(&h, g), normal);
            }
        }
    }
}

static void add_shell(pliant_builder *builder, truck_layout *layout)
{
    layout->shell_first = pliant_builder_particle_count(builder);
    for (int part = 0; part < TRUCK_HULLS; ++part)
        sample_hull(builder, layout->shell_first, (truck_hull_part)part);
    int end = pliant_builder_particle_count(builder);
    layout->shell_count = end - layout->shell_first;
    connect_near(builder, layout->shell_first, end, layout->shell_first, end, SHELL_REACH);
}

// ---------------------------------------------------------------------------------------------
// The frame

static void add_rails(pliant_builder *builder)
{
    for (int i = 0; i < 7; ++i)
        for (int corner = 0; corner < 4; ++corner)
            add_ball(builder,
                     (vec3){0.78f * (float)(i - 3), corner & 1 ? 0.78f : 0.36f,
                            corner & 2 ? 0.45f : -0.45f},
                     0.1f, FRAME_MASS, FRAME_STIFFNESS);
}

// The engine carries the hood, so that shell and frame hold together in the middle as well.
static void add_engine(pliant_builder *builder)
{
    for (int i = 0; i < 4; ++i)
        add_ball(builder, (vec3){i & 1 ? 1.9f : 1.2f, 1.18f, i & 2 ? 0.25f : -0.25f}, 0.2f,
                 FRAME_MASS, FRAME_STIFFNESS);
}

static void add_bumper(pliant_builder *builder, float x)
{
    for (int i = 0; i < 4; ++i)
        add_ball(builder, (vec3){x, 0.8f, 0.5f * ((float)i - 1.5f)}, 0.14f, 0.6f * FRAME_MASS,
                 FRAME_STIFFNESS);
}

static void add_frame(pliant_builder *builder, truck_layout *layout)
{
    int first = pliant_builder_particle_count(builder);
    layout->frame_first = first;
    add_rails(builder);
    add_engine(builder);
    add_bumper(builder, -2.85f);
    add_bumper(builder, 2.78f);
    layout->frame_count = pliant_builder_particle_count(builder) - first;
    for (int i = 0; i < 4; ++i) {
        vec3 place = {i & 2 ? TRUCK_HALF_BASE : -TRUCK_HALF_BASE, 0.0f, i & 1 ? 0.6f : -0.6f};
        layout->bearings[i / 2][i % 2] =
            add_ball(builder, place, 0.08f, BEARING_MASS, FRAME_STIFFNESS);
    }
    int end = pliant_builder_particle_count(builder);
    connect_near(builder, first, end, first, end, FRAME_REACH);
    connect_near(builder, layout->shell_first, layout->shell_first + layout->shell_count, first,
                 first + layout->frame_count, MOUNT_REACH);
}

static void add_chassis_group(pliant_builder *builder, const truck_layout *layout)
{
    int32_t members[MOST_CHASSIS];
    int count = pliant_builder_particle_count(builder) - layout->shell_first;
    assert(count <= MOST_CHASSIS);
    for (int i = 0; i < count; ++i)
        members[i] = layout->shell_first + i;
    pliant_group_def group = {
        .members = members, .member_count = count, .stiffness = 1.0f, .dent_speed = DENT_SPEED};
    pliant_builder_add_group(builder, &group);
}

// ---------------------------------------------------------------------------------------------
// Wheels

// A point around a wheel's axle, and the rotation whose x axis points outwards there.
static vec3 around(const truck_wheel *wheel, float angle, float radius, float z, quat *turn)
{
    float s, c;
    trig_sin_cos(angle, &s, &c);
    *turn = quat_exp((vec3){0.0f, 0.0f, angle});
    return vec3_add(wheel->centre, (vec3){radius * c, radius * s, z});
}

static void add_rim(pliant_builder *builder, truck_wheel *wheel)
{
    wheel->hub = add_ball(builder, wheel->centre, 0.1f, RIM_MASS, 1.0f);
    wheel->rim_first = wheel->hub + 1;
    for (int ring = 0; ring < TRUCK_RIM_RINGS; ++ring) {
        for (int k = 0; k < TRUCK_RIM_SEGMENTS; ++k) {
            quat turn;
            float angle = 2.0f * PLIANT_PI * (float)k / TRUCK_RIM_SEGMENTS;
            vec3 place = around(wheel, angle, TRUCK_RIM_RADIUS, ring ? 0.24f : -0.24f, &turn);
            add_ball(builder, place, 0.1f, RIM_MASS, 1.0f);
        }
    }
}

// Along the ring an ellipsoid reaches √(R b): then its end is curved like the wheel, and the rings roll as
// if they were round.
static void add_tyre_ring(pliant_builder *builder, const truck_wheel *wheel, int ring)
{
    const float depth = 0.15f, crown = ring == 1 ? 0.0f : 0.015f;
    for (int k = 0; k < TRUCK_TYRE_SEGMENTS; ++k) {
        pliant_particle_def particle = pliant_default_particle_def();
        float angle =
            2.0f * PLIANT_PI * ((float)k + 0.5f * (float)(ring % 2)) / TRUCK_TYRE_SEGMENTS;
        particle.position = around(wheel, angle, TRUCK_WHEEL_RADIUS - depth - crown,
                                   0.29f * (float)(ring - 1), &particle.orientation);
        particle.radii = (vec3){depth, square_root(TRUCK_WHEEL_RADIUS * depth), 0.17f};
        particle.mass = TYRE_MASS;
        particle.stiffness = TYRE_STIFFNESS;
        particle.flags = PLIANT_PARTICLE_SURFACE;
        pliant_builder_add_particle(builder, &particle);
    }
}

static int tyre_particle(const truck_wheel *wheel, int ring, int k)
{
    return wheel->tyre_first + ring * TRUCK_TYRE_SEGMENTS + k % TRUCK_TYRE_SEGMENTS;
}

// Rings along themselves and as a zigzag to the next one, and every particle to the rim below it.
static void connect_tyre(pliant_builder *builder, const truck_wheel *wheel)
{
    for (int ring = 0; ring < TRUCK_TYRE_RINGS; ++ring) {
        for (int k = 0; k < TRUCK_TYRE_SEGMENTS; ++k) {
            int p = tyre_particle(wheel, ring, k);
            connect(builder, p, tyre_particle(wheel, ring, k + 1));
            if (ring + 1 < TRUCK_TYRE_RINGS) {
                // The turned ring's particle k lies between the other's k and k + 1.
                int before = ring % 2 ? 0 : TRUCK_TYRE_SEGMENTS - 1;
                connect(builder, p, tyre_particle(wheel, ring + 1, k + before));
                connect(builder, p, tyre_particle(wheel, ring + 1, k + before + 1));
            }
        }
    }
    int tyre_end = wheel->tyre_first + TRUCK_TYRE_PARTICLES;
    connect_near(builder, wheel->rim_first, wheel->rim_first + TRUCK_RIM_PARTICLES,
                 wheel->tyre_first, tyre_end, 0.52f);
}

// Two rims and two bearings; the tyres are their own.
static void add_axle(pliant_builder *builder, truck_layout *layout, int axle)
{
    int32_t members[2 + 2 * (1 + TRUCK_RIM_PARTICLES)];
    int count = 0;
    for (int side = 0; side < 2; ++side) {
        truck_wheel *wheel = &layout->wheels[2 * axle + side];
        wheel->centre = (vec3){axle ? TRUCK_HALF_BASE : -TRUCK_HALF_BASE, 0.0f,
                               side ? TRUCK_HALF_TRACK : -TRUCK_HALF_TRACK};
        add_rim(builder, wheel);
        wheel->tyre_first = pliant_builder_particle_count(builder);
        for (int ring = 0; ring < TRUCK_TYRE_RINGS; ++ring)
            add_tyre_ring(builder, wheel, ring);
        connect_tyre(builder, wheel);
        members[count++] = layout->bearings[axle][side];
        for (int i = 0; i < 1 + TRUCK_RIM_PARTICLES; ++i)
            members[count++] = wheel->hub + i;
    }
    pliant_group_def group = {.members = members, .member_count = count, .stiffness = 1.0f};
    int index = pliant_builder_add_group(builder, &group);
    pliant_hinge_def hinge = {.group_a = TRUCK_GROUP_CHASSIS,
                              .group_b = index,
                              .particle_a = layout->bearings[axle][0],
                              .particle_b = layout->bearings[axle][1]};
    pliant_builder_add_hinge(builder, &hinge);
}

truck_layout truck_add_particles(pliant_builder *builder)
{
    truck_layout layout = {0};
    add_shell(builder, &layout);
    add_frame(builder, &layout);
    add_chassis_group(builder, &layout);
    add_axle(builder, &layout, 0);
    add_axle(builder, &layout, 1);
    return layout;
}

pliant_builder *truck_builder(void)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    if (!builder)
        return NULL;
    truck_layout layout = truck_add_particles(builder);
    truck_add_body_skin(builder, &layout);
    for (int i = 0; i < 4; ++i)
        truck_add_wheel_skin(builder, &layout.wheels[i]);
    return builder;
}
