// Two monster trucks run into each other, each a little to the side of the other.

#include "craft.h"

#include "geometry.h"
#include "truck_model.h"
#include "truck_shape.h"

static const float START = 7.4f, OFFSET = 0.75f; // m from the middle, along and across
static const float PUSH = 15.5f, WEAKER_PUSH = 12.0f, PUSH_TIME = 0.8f; // m/s², s
// A body has one friction for rubber and sheet metal: with this ground tyres hold, while trucks slide
// along each other.
static const float BODY_FRICTION = 0.35f, GROUND_FRICTION = 2.3f;

// Puts a truck on the ground, facing the middle, and pushes it there.
static void place(pliant_scene *scene, pliant_scene_body *body, int index, float side)
{
    body->def.position = (vec3){-side * START, 0.93f * TRUCK_WHEEL_RADIUS, side * OFFSET};
    body->def.orientation = quat_exp((vec3){0.0f, side > 0.0f ? 0.0f : PLIANT_PI, 0.0f});
    body->def.friction = BODY_FRICTION;
    body->def.linear_damping = body->def.angular_damping = 0.0f;
    float mass = 0.0f;
    const pliant_model *model = scene->models[body->model];
    for (int i = 0; i < pliant_model_particle_count(model); ++i)
        mass += pliant_model_particles(model)[i].mass;
    pliant_scene_force push = {
        .body = index,
        .particle = -1,
        .force = {side * (side > 0.0f ? PUSH : WEAKER_PUSH) * mass, 0.0f, 0.0f},
        .begin = 0.0f,
        .end = PUSH_TIME};
    pliant_scene_add_force(scene, &push);
}

pliant_scene *scene_crash(pliant_error *error)
{
    pliant_scene *scene = craft_scene(5.0f);
    craft_camera(scene, (vec3){3.4f, 4.2f, 15.5f}, (vec3){1.0f, 1.3f, 0.0f});
    craft_ground(scene, GROUND_FRICTION);
    pliant_scene_body *body = craft_body(scene, truck_builder(), "truck 0", 0xc8402c, error);
    if (body) {
        place(scene, body, 0, 1.0f);
        body = craft_copy(scene, 0, 1, 0x3068b0);
        if (body)
            place(scene, body, 1, -1.0f);
    }
    return craft_finish(scene, error);
}
