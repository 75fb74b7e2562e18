// One flat, elongated particle thrown spinning about its middle axis, without gravity: with the
// gyroscopic term it keeps turning over, as a tossed racket does.

#include "craft.h"

pliant_scene *scene_spinner(pliant_error *error)
{
    pliant_scene *scene = craft_scene(10.0f);
    craft_camera(scene, (pliant_vec3){0.5f, 1.5f, 2.0f}, (pliant_vec3){0.0f, 1.0f, 0.0f});
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_ball_def ball = pliant_default_ball_def();
    ball.radii = (pliant_vec3){0.4f, 0.16f, 0.06f};
    ball.rings = 24;
    if (builder)
        pliant_builder_add_ball(builder, &ball);
    pliant_scene_body *body = craft_body(scene, builder, "spinner", 0xe0a020, error);
    if (body) {
        body->def.position = (pliant_vec3){0.0f, 1.0f, 0.0f};
        body->def.angular_velocity = (pliant_vec3){0.02f, 7.0f, 0.02f};
        body->def.gravity_scale = 0.0f;
        body->def.linear_damping = body->def.angular_damping = 0.0f;
        body->def.gyroscopic = true;
    }
    return craft_finish(scene, error);
}
