// A monster truck drops onto a slope, rolls down and over logs that lie on the flat.

#include "craft.h"

#include "geometry.h"
#include "truck_model.h"
#include "truck_shape.h"

typedef struct log_def {
    float x, begin, end, height; // begin and end: z; height above the ground
} log_def;

// A slope that starts at x = foot and rises towards -x (angle > 0) or +x (angle < 0).
static void add_slope(pliant_scene *scene, float foot, float angle)
{
    float s, c;
    trig_sin_cos(angle, &s, &c);
    pliant_plane_def slope = pliant_default_plane_def();
    slope.normal = (vec3){s, c, 0.0f};
    slope.offset = s * foot;
    slope.friction = 1.0f;
    pliant_scene_add_plane(scene, &slope);
}

// A log is a row of pinned particles, mostly in the ground.
static void add_log(pliant_scene *scene, const log_def *def, pliant_error *error)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_rope_def rope = pliant_default_rope_def();
    rope.radius = 0.3f;
    rope.sides = 20;
    rope.begin = (vec3){def->x, def->height - rope.radius, def->begin};
    rope.end = (vec3){def->x, def->height - rope.radius, def->end};
    rope.particles = (int)((def->end - def->begin) / 0.2f) + 1;
    if (builder) {
        pliant_builder_add_rope(builder, &rope);
        for (int i = 0; i < pliant_builder_particle_count(builder); ++i)
            pliant_builder_particle(builder, i)->flags |= PLIANT_PARTICLE_PINNED;
    }
    pliant_scene_body *body = craft_body(scene, builder, "log", 0x8a6a48, error);
    if (body)
        body->def.friction = 1.0f;
}

pliant_scene *scene_truck(pliant_error *error)
{
    static const log_def logs[] = {{2.8f, 0.5f, 2.3f, 0.2f}, {5.0f, -2.3f, -0.5f, 0.2f}};
    const float angle = 0.3f, start = 4.6f, drop = 0.05f; // rad, m up the slope, m above it
    pliant_scene *scene = craft_scene(6.0f);
    craft_camera(scene, (vec3){9.0f, 4.6f, 18.5f}, (vec3){2.7f, 1.4f, 0.0f});
    craft_ground(scene, 1.0f);
    pliant_scene_body *body = craft_body(scene, truck_builder(), "truck", 0xc8402c, error);
    if (body) {
        float s, c, height = TRUCK_WHEEL_RADIUS + drop;
        trig_sin_cos(angle, &s, &c);
        add_slope(scene, 0.0f, angle);
        add_slope(scene, 7.4f, -0.22f);
        body->def.position = (vec3){-start * c + height * s, start * s + height * c, 0.0f};
        body->def.orientation = quat_exp((vec3){0.0f, 0.0f, -angle});
        body->def.friction = 1.0f;
        body->def.linear_damping = body->def.angular_damping = 0.0f;
        for (int i = 0; i < (int)(sizeof logs / sizeof logs[0]); ++i)
            add_log(scene, &logs[i], error);
    }
    return craft_finish(scene, error);
}
