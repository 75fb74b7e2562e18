// Shared by all scenes.

#include "craft.h"

#include <stdio.h>
#include <string.h>

pliant_scene *craft_scene(float seconds)
{
    pliant_scene *scene = pliant_scene_create();
    if (scene)
        scene->seconds = seconds;
    return scene;
}

void craft_camera(pliant_scene *scene, pliant_vec3 eye, pliant_vec3 target)
{
    if (!scene)
        return;
    scene->camera.eye = eye;
    scene->camera.target = target;
    scene->camera.vertical_fov = 0.7f;
}

void craft_ground(pliant_scene *scene, float friction)
{
    if (!scene)
        return;
    pliant_plane_def ground = pliant_default_plane_def();
    ground.friction = friction;
    pliant_scene_add_plane(scene, &ground);
}

// sRGB as in a style sheet (0xff8800) to linear light; squaring is close enough for a demo's colour.
static float linear_channel(uint32_t colour, int shift)
{
    float value = (float)(colour >> shift & 0xff) / 255.0f;
    return value * value;
}

void craft_colour(float channels[3], uint32_t colour)
{
    for (int k = 0; k < 3; ++k)
        channels[k] = linear_channel(colour, 16 - 8 * k);
}

pliant_scene_body *craft_body(pliant_scene *scene, pliant_builder *builder, const char *name,
                              uint32_t colour, pliant_error *error)
{
    pliant_model *model = builder ? pliant_builder_build(builder, error) : NULL;
    pliant_builder_destroy(builder);
    return craft_model_body(scene, model, name, colour);
}

pliant_scene_body *craft_model_body(pliant_scene *scene, pliant_model *model, const char *name,
                                    uint32_t colour)
{
    if (!scene || !model) {
        pliant_model_destroy(model);
        return NULL;
    }
    pliant_scene_body body = pliant_default_scene_body();
    snprintf(body.name, sizeof body.name, "%s", name);
    body.model = pliant_scene_add_model(scene, model);
    craft_colour(body.colour, colour);
    int index = body.model < 0 ? -1 : pliant_scene_add_body(scene, &body);
    return index < 0 ? NULL : &scene->bodies[index];
}

pliant_scene_body *craft_copy(pliant_scene *scene, int like, int number, uint32_t colour)
{
    pliant_scene_body body = scene->bodies[like];
    char *space = strrchr(body.name, ' ');
    size_t length = space ? (size_t)(space - body.name) : strlen(body.name);
    snprintf(body.name + length, sizeof body.name - length, " %d", number);
    craft_colour(body.colour, colour);
    int index = pliant_scene_add_body(scene, &body);
    return index < 0 ? NULL : &scene->bodies[index];
}

int craft_shape(pliant_scene *scene, const pliant_shape_def *def, pliant_error *error)
{
    return scene ? pliant_scene_add_shape(scene, pliant_shape_create(def, NULL, error)) : -1;
}

pliant_scene_collider *craft_collider(pliant_scene *scene, int shape, const char *name,
                                      uint32_t colour, pliant_vec3 position)
{
    if (!scene || shape < 0)
        return NULL;
    pliant_scene_collider collider = pliant_default_scene_collider();
    snprintf(collider.name, sizeof collider.name, "%s", name);
    collider.shape = shape;
    collider.def.position = position;
    craft_colour(collider.colour, colour);
    int index = pliant_scene_add_collider(scene, &collider);
    return index < 0 ? NULL : &scene->colliders[index];
}

pliant_scene_collider *craft_box(pliant_scene *scene, const char *name, uint32_t colour,
                                 pliant_vec3 position, pliant_vec3 half_size, pliant_error *error)
{
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_BOX);
    def.half_size = half_size;
    return craft_collider(scene, craft_shape(scene, &def, error), name, colour, position);
}

void craft_fail(pliant_error *error)
{
    if (error && error->code == PLIANT_OK) {
        error->code = PLIANT_ERROR_MEMORY;
        strcpy(error->place, "scene");
        strcpy(error->message, "out of memory");
    }
}

pliant_scene *craft_finish(pliant_scene *scene, pliant_error *error)
{
    bool failed = error && error->code != PLIANT_OK;
    if (scene && scene->body_count > 0 && !failed)
        return scene;
    craft_fail(error);
    pliant_scene_destroy(scene);
    return NULL;
}
