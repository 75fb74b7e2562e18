// Three octopuses fall onto each other.

#include "craft.h"

#include "geometry.h"
#include "octopus_model.h"

enum { COUNT = 3, SIDES = 12 };

// A ring of slopes around a flat ground, which keeps them together.
static void add_bowl(pliant_scene *scene)
{
    for (int k = 0; k < SIDES; ++k) {
        float s, c;
        trig_sin_cos(2.0f * PLIANT_PI * (float)k / SIDES, &s, &c);
        pliant_plane_def side = pliant_default_plane_def();
        side.normal = (vec3){-0.5f * c, 0.866f, -0.5f * s};
        side.offset = -0.5f;
        pliant_scene_add_plane(scene, &side);
    }
}

static void place(pliant_scene_body *body, int index)
{
    static const vec3 positions[COUNT] = {
        {0.0f, 0.15f, 0.0f}, {-0.2f, 1.2f, -0.1f}, {0.2f, 2.25f, -0.15f}};
    static const vec3 turns[COUNT] = {{0, 0, 0}, {0.1f, 0.4f, 0.1f}, {0.0f, -0.5f, -0.1f}};
    body->def.position = positions[index];
    body->def.orientation = quat_exp(turns[index]);
    body->def.friction = 0.8f;
    body->def.shape_damping = 0.8f;
    body->def.self_collision = true;
}

pliant_scene *scene_octopuses(pliant_error *error)
{
    static const uint32_t colours[COUNT] = {0xd8583c, 0x8a5ab8, 0x3c9c98};
    pliant_scene *scene = craft_scene(6.0f);
    craft_camera(scene, (vec3){1.4f, 3.6f, 5.4f}, (vec3){0.0f, 1.1f, 0.0f});
    craft_ground(scene, 0.5f);
    pliant_scene_body *first =
        craft_model_body(scene, octopus_model(error), "octopus 0", colours[0]);
    if (!first)
        return craft_finish(scene, error);
    add_bowl(scene);
    place(first, 0);
    for (int i = 1; i < COUNT; ++i) {
        pliant_scene_body *body = craft_copy(scene, 0, i, colours[i]);
        if (body)
            place(body, i);
    }
    return craft_finish(scene, error);
}
