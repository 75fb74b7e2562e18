// A beam of 32,500 particles that falls flat on the ground.

#include "craft.h"

enum { LENGTH = 1300, WIDTH = 5, COUNT = LENGTH * WIDTH * WIDTH };

static void add_beam(pliant_builder *builder)
{
    const int strides[3] = {WIDTH * WIDTH, WIDTH, 1};
    pliant_particle_def particle = pliant_default_particle_def();
    particle.radii = (pliant_vec3){0.05f, 0.05f, 0.03f};
    pliant_edge_def edge = pliant_default_edge_def();
    for (int i = 0; i < COUNT; ++i) {
        const int at[3] = {i / strides[0], i / strides[1] % WIDTH, i % WIDTH};
        particle.position =
            (pliant_vec3){0.1f * (float)at[0], 0.1f * (float)at[1], 0.1f * (float)at[2]};
        pliant_builder_add_particle(builder, &particle);
        for (int axis = 0; axis < 3; ++axis) {
            edge.a = i - strides[axis];
            edge.b = i;
            if (at[axis] > 0)
                pliant_builder_add_edge(builder, &edge);
        }
    }
}

pliant_scene *scene_beam(pliant_error *error)
{
    pliant_scene *scene = craft_scene(1.0f);
    craft_ground(scene, 0.6f);
    pliant_builder *builder = pliant_builder_create(NULL);
    if (builder)
        add_beam(builder);
    pliant_scene_body *body = craft_body(scene, builder, "beam", 0x808080, error);
    if (body) {
        body->def.position.y = 0.08f;
        body->def.linear_velocity = (pliant_vec3){0.5f, -2.0f, 0.0f};
    }
    if (scene) {
        scene->world.substep_length = pliant_substep_length(1);
        scene->world.iterations = 3;
    }
    return craft_finish(scene, error);
}
