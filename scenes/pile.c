// A hundred bricks of thirty particles each fall into a box and pile up.

#include "craft.h"

#include "geometry.h"

enum { COUNT = 100, ACROSS = 5 };

static const float HALF_WIDTH = 1.4f;

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

// Bricks in loose layers, each turned a little differently.
static void place(pliant_scene_body *body, int index)
{
    int column = index % ACROSS, row = index / ACROSS % ACROSS, layer = index / (ACROSS * ACROSS);
    float step = 2.0f * HALF_WIDTH / ACROSS;
    body->def.position =
        (vec3){((float)column + 0.5f) * step - HALF_WIDTH, 0.5f + 0.45f * (float)layer,
               ((float)row + 0.5f) * step - HALF_WIDTH};
    float angle = 0.7f * (float)index;
    body->def.orientation = quat_exp((vec3){0.3f * angle, angle, 0.0f});
    body->def.shape_damping = 0.8f;
}

pliant_scene *scene_pile(pliant_error *error)
{
    static const uint32_t colours[] = {0xb85c38, 0xc8804a, 0x8c4a34, 0xd8a070, 0xa04030};
    pliant_scene *scene = craft_scene(8.0f);
    craft_camera(scene, (vec3){2.6f, 2.6f, 4.6f}, (vec3){0.0f, 0.5f, 0.0f});
    craft_ground(scene, 0.7f);
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_block_def block = pliant_default_block_def();
    block.size = (vec3){0.4f, 0.16f, 0.24f};
    block.counts[0] = 5;
    block.counts[1] = 2;
    block.counts[2] = 3;
    block.stiffness = 0.3f;
    block.skin_refinement = 2;
    if (builder)
        pliant_builder_add_block(builder, &block);
    pliant_scene_body *first = craft_body(scene, builder, "brick 0", colours[0], error);
    if (!first)
        return craft_finish(scene, error);
    add_walls(scene);
    place(first, 0);
    for (int i = 1; i < COUNT; ++i) {
        pliant_scene_body *body = craft_copy(scene, 0, i, colours[i % 5]);
        if (body)
            place(body, i);
    }
    return craft_finish(scene, error);
}
