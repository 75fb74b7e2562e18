// What the scenes share: making bodies, solids and cameras in one call each. Functions that take a
// scene accept NULL and then do nothing, so that a scene checks for failure once, at its end.

#ifndef PLIANT_SCENES_CRAFT_H
#define PLIANT_SCENES_CRAFT_H

#include <pliant/author.h>

pliant_scene *craft_scene(float seconds);
void craft_camera(pliant_scene *scene, pliant_vec3 eye, pliant_vec3 target);
void craft_ground(pliant_scene *scene, float friction);
// A colour as in a style sheet (0xff8800) in linear light.
void craft_colour(float channels[3], uint32_t colour);
// Builds the model and adds a body of it, with the default looks and motion but for name and colour;
// destroys the builder. Returns the body, to be changed in place, or NULL.
pliant_scene_body *craft_body(pliant_scene *scene, pliant_builder *builder, const char *name,
                              uint32_t colour, pliant_error *error);
// The same with a model that is there already, which the scene takes over. NULL passes through.
pliant_scene_body *craft_model_body(pliant_scene *scene, pliant_model *model, const char *name,
                                    uint32_t colour);
// Adds one more body of the same model as body `like`, named after it with another number.
pliant_scene_body *craft_copy(pliant_scene *scene, int like, int number, uint32_t colour);
// Adds a shape for any number of colliders. Returns its index, or -1 with `error` filled.
int craft_shape(pliant_scene *scene, const pliant_shape_def *def, pliant_error *error);
// Adds a collider of a shape, standing and not turned. Returns it, to be changed in place, or NULL.
pliant_scene_collider *craft_collider(pliant_scene *scene, int shape, const char *name,
                                      uint32_t colour, pliant_vec3 position);
// The same with a box of its own.
pliant_scene_collider *craft_box(pliant_scene *scene, const char *name, uint32_t colour,
                                 pliant_vec3 position, pliant_vec3 half_size, pliant_error *error);
// What is missing and nobody has told why is missing for want of memory.
void craft_fail(pliant_error *error);
// The scene when it holds at least one body and `error` is not filled, else NULL with `error` filled.
pliant_scene *craft_finish(pliant_scene *scene, pliant_error *error);

#endif
