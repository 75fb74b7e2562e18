// A rope let go from a slant, hung at one end, while that end is twisted there and back.

#include "craft.h"

pliant_scene *scene_rope(pliant_error *error)
{
    pliant_scene *scene = craft_scene(8.0f);
    craft_camera(scene, (pliant_vec3){0.0f, 1.5f, 3.4f}, (pliant_vec3){0.0f, 1.35f, 0.0f});
    if (scene) {
        scene->world.substep_length =
            pliant_substep_length(16); // shorter substeps lose less of the swing
        scene->world.iterations = 1;
    }
    pliant_builder *builder = pliant_builder_create(NULL);
    if (builder) {
        pliant_rope_def rope = pliant_default_rope_def();
        rope.particles = 60;
        rope.begin = (pliant_vec3){0.0f, 2.4f, 0.0f};
        rope.end = (pliant_vec3){1.3f, 0.75f, 0.0f};
        rope.radius = 0.04f;
        rope.torsion_stiffness = 0.9f;
        int first = pliant_builder_add_rope(builder, &rope);
        if (first >= 0)
            pliant_builder_particle(builder, first)->flags = PLIANT_PARTICLE_PINNED;
    }
    craft_body(scene, builder, "rope", 0xc8a060, error);
    // About the rope's own axis, which is the pinned particle's x axis at the start.
    const float turns = 40.0f, along[3] = {0.6189f, -0.7855f, 0.0f};
    pliant_scene_key keys[4] = {{.time = 1.0f}, {.time = 3.0f}, {.time = 4.0f}, {.time = 6.0f}};
    keys[1].rotation = (pliant_vec3){turns * along[0], turns * along[1], turns * along[2]};
    keys[2].rotation = keys[1].rotation;
    int32_t top = 0;
    pliant_scene_driver driver = {.particle_count = 1,
                                  .particles = &top,
                                  .pivot = {0.0f, 2.4f, 0.0f},
                                  .key_count = 4,
                                  .keys = keys};
    if (scene)
        pliant_scene_add_driver(scene, &driver);
    return craft_finish(scene, error);
}
