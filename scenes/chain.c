// A heavy ball swings on a rope.

#include "craft.h"

enum { LINKS = 30 };

pliant_scene *scene_chain(pliant_error *error)
{
    pliant_scene *scene = craft_scene(8.0f);
    craft_camera(scene, (pliant_vec3){0.0f, 2.0f, 6.0f}, (pliant_vec3){0.0f, 1.9f, 0.0f});
    if (scene) {
        scene->world.substep_length =
            pliant_substep_length(40); // so that the swing is hardly damped
        scene->world.iterations = 1;
    }
    pliant_builder *builder = pliant_builder_create(NULL);
    if (builder) {
        pliant_rope_def rope = pliant_default_rope_def();
        rope.begin = (pliant_vec3){0.0f, 3.0f, 0.0f};
        rope.end = (pliant_vec3){1.5f, 2.0f, 0.0f};
        rope.particles = LINKS;
        rope.radius = 0.025f;
        int first = pliant_builder_add_rope(builder, &rope);
        pliant_ball_def ball = pliant_default_ball_def();
        ball.centre = (pliant_vec3){1.675f, 1.88333f, 0.0f};
        ball.radii = (pliant_vec3){0.2f, 0.2f, 0.2f};
        ball.density = 700.0f;
        int index = pliant_builder_add_ball(builder, &ball);
        pliant_edge_def last = {first + LINKS - 1, index, 1.0f, 0.5f, false, 0.0f};
        pliant_builder_add_edge(builder, &last);
        if (first >= 0) {
            pliant_builder_particle(builder, first)->flags =
                PLIANT_PARTICLE_PINNED | PLIANT_PARTICLE_UNORIENTED;
            // The rope goes on to the ball: its last particle carries a whole segment.
            pliant_builder_particle(builder, first + LINKS - 1)->mass *= 2.0f;
        }
    }
    craft_body(scene, builder, "chain", 0x707880, error);
    return craft_finish(scene, error);
}
