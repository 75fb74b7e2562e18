// An octopus falls onto steps and rocks and drapes itself over them.

#include "craft.h"

#include "geometry.h"
#include "octopus_model.h"

static const uint32_t STONE = 0x8c887c, SAND = 0xb8a888;

static void add_rock(pliant_scene *scene, const char *name, vec3 position, vec3 size, float turn,
                     pliant_error *error)
{
    static const vec3 points[] = {{-1.0f, -0.5f, -0.7f}, {0.9f, -0.5f, -0.8f}, {1.0f, -0.5f, 0.6f},
                                  {-0.8f, -0.5f, 0.9f},  {-0.9f, 0.5f, -0.3f}, {0.1f, 0.6f, -0.8f},
                                  {0.9f, 0.4f, -0.1f},   {0.3f, 0.5f, 0.8f},   {-0.5f, 0.8f, 0.5f},
                                  {-0.1f, 1.0f, -0.1f}};
    enum { COUNT = sizeof points / sizeof points[0] };
    vec3 scaled[COUNT];
    for (int i = 0; i < COUNT; ++i)
        scaled[i] = (vec3){points[i].x * size.x, points[i].y * size.y, points[i].z * size.z};
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_HULL);
    def.points = scaled;
    def.point_count = COUNT;
    int shape = craft_shape(scene, &def, error);
    pliant_scene_collider *rock = craft_collider(scene, shape, name, STONE, position);
    if (rock) {
        rock->def.orientation = quat_exp((vec3){0.0f, turn, 0.0f});
        rock->def.friction = 0.6f;
    }
}

static void add_steps(pliant_scene *scene, pliant_error *error)
{
    for (int i = 0; i < 2; ++i) {
        float height = 0.14f * (float)(2 - i);
        craft_box(scene, i ? "lower step" : "upper step", SAND,
                  (vec3){-1.2f + 0.4f * (float)i, 0.5f * height, -0.1f},
                  (vec3){0.2f, 0.5f * height, 1.2f}, error);
    }
}

pliant_scene *scene_octopus(pliant_error *error)
{
    pliant_scene *scene = craft_scene(5.0f);
    craft_camera(scene, (vec3){1.2f, 1.8f, 3.9f}, (vec3){0.0f, 0.6f, 0.0f});
    craft_ground(scene, 0.6f);
    pliant_scene_body *body = craft_model_body(scene, octopus_model(error), "octopus", 0xd8583c);
    if (body) {
        body->def.position = (vec3){0.0f, 0.7f, 0.0f};
        body->def.orientation = quat_exp((vec3){0.15f, 0.2f, -0.1f});
        body->def.friction = 0.6f;
        body->def.self_collision = true;
        body->def.shape_damping = 0.8f;
        add_steps(scene, error);
        add_rock(scene, "rock", (vec3){0.75f, 0.06f, 0.5f}, (vec3){0.3f, 0.18f, 0.28f}, 0.3f,
                 error);
        add_rock(scene, "pebble", (vec3){0.35f, 0.05f, -0.85f}, (vec3){0.2f, 0.18f, 0.22f}, 1.4f,
                 error);
    }
    return craft_finish(scene, error);
}
