// A monster truck drops onto a slope, rolls down and over logs that lie on the flat.

#include "craft.h"

#include "math/quat.h"
#include "truck_model.h"
#include "truck_shape.h"

static void add_slope(pliant_scene *scene, float angle)
{
    float s, c;
    trig_sin_cos(angle, &s, &c);
    pliant_plane_def slope = pliant_default_plane_def();
    slope.normal = (vec3){s, c, 0.0f};
    slope.friction = 1.0f;
    pliant_scene_add_plane(scene, &slope);
}

// A log is a row of pinned particles half in the ground.
static void add_log(pliant_scene *scene, float x, vec3 from_to_z_height, pliant_error *error)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_rope_def rope = pliant_default_rope_def();
    rope.radius = 0.3f;
    float y = from_to_z_height.z - rope.radius;
    rope.begin = (vec3){x, y, from_to_z_height.x};
    rope.end = (vec3){x, y, from_to_z_height.y};
    rope.particles = (int)((from_to_z_height.y - from_to_z_height.x) / 0.2f) + 1;
    if (builder) {
        pliant_builder_add_rope(builder, &rope);
        for (int i = 0; i < rope.particles; ++i)
            pliant_builder_particle(builder, i)->flags |= PLIANT_PARTICLE_PINNED;
    }
    pliant_scene_body *body = craft_body(scene, builder, "log", 0x8a6a48, error);
    if (body)
        body->def.friction = 1.0f;
}

pliant_scene *scene_truck(pliant_error *error)
{
    const float angle = 0.26f, start = 6.5f, drop = 0.5f; // rad, m up the slope, m above it
    pliant_scene *scene = craft_scene(6.0f);
    craft_camera(scene, (vec3){8.0f, 4.2f, 12.0f}, (vec3){-0.5f, 1.2f, 0.0f});
    craft_ground(scene, 1.0f);
    pliant_scene_body *body = craft_body(scene, truck_builder(), "truck", 0xc8402c, error);
    if (body) {
        float s, c, height = TRUCK_WHEEL_RADIUS + drop;
        trig_sin_cos(angle, &s, &c);
        add_slope(scene, angle);
        body->def.position = (vec3){-start * c + height * s, start * s + height * c, 0.0f};
        body->def.orientation = quat_exp((vec3){0.0f, 0.0f, -angle});
        body->def.friction = 1.0f;
        body->def.linear_damping = body->def.angular_damping = 0.0f;
        add_log(scene, 4.0f, (vec3){0.4f, 2.4f, 0.25f}, error);
        add_log(scene, 6.5f, (vec3){-2.4f, -0.4f, 0.25f}, error);
    }
    return craft_finish(scene, error);
}
