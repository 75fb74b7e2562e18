// What the scenes share: making bodies, planes and cameras in one call each. Functions that take a
// scene accept NULL and then do nothing, so that a scene checks for failure once, at its end.

#ifndef PLIANT_SCENES_CRAFT_H
#define PLIANT_SCENES_CRAFT_H

#include <pliant/author.h>

pliant_scene *craft_scene(float seconds);
void craft_camera(pliant_scene *scene, pliant_vec3 eye, pliant_vec3 target);
void craft_ground(pliant_scene *scene, float friction);
// Builds the model and adds a body of it, with the default looks and motion but for name and colour;
// destroys the builder. Returns the body, to be changed in place, or NULL.
pliant_scene_body *craft_body(pliant_scene *scene, pliant_builder *builder, const char *name,
                              uint32_t colour, pliant_error *error);
// Adds one more body of the same model as body `like`, named after it with another number.
pliant_scene_body *craft_copy(pliant_scene *scene, int like, int number, uint32_t colour);
// The scene when it holds at least one body, else NULL with `error` filled.
pliant_scene *craft_finish(pliant_scene *scene, pliant_error *error);

#endif
