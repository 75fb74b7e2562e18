// A hundred octopuses fall into an arena and come to a heap. All are bodies of one model.

#include "craft.h"

#include "geometry.h"
#include "octopus_model.h"

enum { ACROSS = 5, LAYERS = 4, COUNT = ACROSS * ACROSS * LAYERS };

// Arms of neighbours reach between each other; heads stay clear of the arms above.
static const float STEP = 2.4f, RISE = 1.0f; // m
static const float HALF_WIDTH = 6.3f;        // of the arena

static void add_walls(pliant_scene *scene)
{
    static const vec3 normals[4] = {{1, 0, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}};
    for (int k = 0; k < 4; ++k) {
        pliant_plane_def wall = pliant_default_plane_def();
        wall.normal = normals[k];
        wall.offset = -HALF_WIDTH;
        pliant_scene_add_plane(scene, &wall);
    }
}

static void place(pliant_scene_body *body, int index)
{
    int column = index % ACROSS, row = index / ACROSS % ACROSS, layer = index / (ACROSS * ACROSS);
    float shift = layer % 2 ? 0.2f : -0.2f; // so that no head lands on a head
    body->def.position =
        (vec3){STEP * ((float)column - 0.5f * (ACROSS - 1)) + shift, 0.05f + RISE * (float)layer,
               STEP * ((float)row - 0.5f * (ACROSS - 1)) - shift};
    // Half the angle between two arms: neighbours' arms lie in each other's gaps.
    float turn = PLIANT_PI / 8.0f * (float)((column + row + layer) % 2);
    body->def.orientation =
        quat_exp((vec3){0.0f, turn + 0.5f * PLIANT_PI * (float)(index % 4), 0.0f});
    // Inwards, the more the higher: they come to a heap in the middle.
    float inwards = -0.15f * (float)layer;
    body->def.linear_velocity =
        (vec3){inwards * body->def.position.x, 0.0f, inwards * body->def.position.z};
    body->def.friction = 0.6f;
    body->def.shape_damping = 0.95f;
    body->def.linear_damping = body->def.angular_damping = 0.4f;
}

pliant_scene *scene_army(pliant_error *error)
{
    static const uint32_t colours[] = {0xd8583c, 0x8a5ab8, 0x3c9c98, 0xd8a03c, 0x5078c0, 0xc04878};
    enum { COLOURS = sizeof colours / sizeof colours[0] };
    pliant_scene *scene = craft_scene(4.0f);
    craft_camera(scene, (vec3){4.2f, 10.5f, 15.5f}, (vec3){0.2f, 0.6f, 0.9f});
    craft_ground(scene, 0.6f);
    pliant_scene_body *first =
        craft_model_body(scene, octopus_model(error), "octopus 0", colours[0]);
    if (!first)
        return craft_finish(scene, error);
    add_walls(scene);
    place(first, 0);
    for (int i = 1; i < COUNT; ++i) {
        pliant_scene_body *body = craft_copy(scene, 0, i, colours[i * 5 / 3 % COLOURS]);
        if (body)
            place(body, i);
    }
    return craft_finish(scene, error);
}
