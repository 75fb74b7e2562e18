// A soft block dropped on its edge.

#include "craft.h"

pliant_scene *scene_jelly(pliant_error *error)
{
    pliant_scene *scene = craft_scene(6.0f);
    craft_camera(scene, (pliant_vec3){1.7f, 1.3f, 2.9f}, (pliant_vec3){0.0f, 0.35f, 0.0f});
    craft_ground(scene, 0.6f);
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_block_def block = pliant_default_block_def();
    block.size = (pliant_vec3){0.8f, 0.6f, 0.8f};
    block.counts[0] = block.counts[2] = 8;
    block.counts[1] = 6;
    block.stiffness = 0.01f;
    if (builder)
        pliant_builder_add_block(builder, &block);
    pliant_scene_body *body = craft_body(scene, builder, "jelly", 0xd8304a, error);
    if (body) {
        body->def.position = (pliant_vec3){0.0f, 0.95f, 0.0f};
        body->def.orientation = (pliant_quat){0.05f, 0.2f, 0.1f, 0.97f};
        body->def.friction = 0.6f;
        body->def.shape_damping = 0.9f;
    }
    return craft_finish(scene, error);
}
