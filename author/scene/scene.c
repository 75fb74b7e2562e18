// A scene's life: made empty, filled element by element, destroyed with all it owns.

#include <pliant/author.h>

#include "core/error.h"
#include "mesh/model_glb.h"

#include <stdlib.h>
#include <string.h>

pliant_scene *pliant_scene_create(void)
{
    pliant_scene *scene = calloc(1, sizeof *scene);
    if (!scene)
        return NULL;
    scene->seconds = 5.0f;
    scene->world = pliant_default_world_def();
    scene->camera = (pliant_scene_camera){
        .eye = {2.0f, 2.0f, 4.0f}, .target = {0.0f, 0.5f, 0.0f}, .vertical_fov = 0.785398163f};
    return scene;
}

void pliant_scene_destroy(pliant_scene *scene)
{
    if (!scene)
        return;
    for (int i = 0; i < scene->model_count; ++i) {
        pliant_model_destroy(scene->models[i]);
        pliant_mesh_destroy(scene->meshes[i]);
    }
    for (int i = 0; i < scene->shape_count; ++i)
        pliant_shape_destroy(scene->shapes[i]);
    for (int i = 0; i < scene->driver_count; ++i) {
        free(scene->drivers[i].particles);
        free(scene->drivers[i].keys);
    }
    free(scene->models);
    free(scene->meshes);
    free(scene->bodies);
    free(scene->planes);
    free(scene->shapes);
    free(scene->colliders);
    free(scene->attachments);
    free(scene->forces);
    free(scene->motors);
    free(scene->drivers);
    free(scene);
}

pliant_scene_body pliant_default_scene_body(void)
{
    return (pliant_scene_body){.def = pliant_default_body_def(), .colour = {0.8f, 0.42f, 0.18f}};
}

pliant_scene_collider pliant_default_scene_collider(void)
{
    return (pliant_scene_collider){.def = pliant_default_collider_def(),
                                   .colour = {0.3f, 0.32f, 0.35f}};
}

pliant_scene_attachment pliant_default_scene_attachment(void)
{
    pliant_attachment_def def = pliant_default_attachment_def();
    return (pliant_scene_attachment){.other_body = -1,
                                     .collider = -1,
                                     .length = def.length,
                                     .stiffness = def.stiffness,
                                     .strength = def.strength};
}

// Appends a copy of *element and returns its index, or -1 when memory runs out. Room doubles whenever
// the count reaches a power of two, which needs no capacity to be stored.
static int append(void *array_pointer, int *count, const void *element, size_t size)
{
    void *array;
    memcpy(&array, array_pointer, sizeof array);
    if ((*count & (*count - 1)) == 0) {
        size_t capacity = *count ? (size_t)*count * 2 : 1;
        array = realloc(array, capacity * size);
        if (!array)
            return -1;
        memcpy(array_pointer, &array, sizeof array);
    }
    memcpy((char *)array + (size_t)*count * size, element, size);
    return (*count)++;
}

int pliant_scene_add_model(pliant_scene *scene, pliant_model *model)
{
    if (!model)
        return -1;
    pliant_mesh *none = NULL;
    int mesh_count = scene->model_count;
    int index = append(&scene->meshes, &mesh_count, &none, sizeof none);
    if (index >= 0)
        index = append(&scene->models, &scene->model_count, &model, sizeof model);
    if (index < 0)
        pliant_model_destroy(model);
    return index;
}

pliant_result pliant_scene_set_mesh(pliant_scene *scene, int model, pliant_mesh *mesh,
                                    pliant_error *error)
{
    pliant_result result = PLIANT_OK;
    if (model < 0 || model >= scene->model_count)
        result = pli_error_set(error, PLIANT_ERROR_ARGUMENT, "model", "%d of %d", model,
                               scene->model_count);
    else if (mesh)
        result = pli_model_check_mesh(scene->models[model], mesh, PLIANT_ERROR_ARGUMENT, error);
    if (result != PLIANT_OK) {
        pliant_mesh_destroy(mesh);
        return result;
    }
    if (scene->meshes[model] != mesh)
        pliant_mesh_destroy(scene->meshes[model]);
    scene->meshes[model] = mesh;
    return PLIANT_OK;
}

int pliant_scene_add_body(pliant_scene *scene, const pliant_scene_body *body)
{
    return append(&scene->bodies, &scene->body_count, body, sizeof *body);
}

int pliant_scene_add_plane(pliant_scene *scene, const pliant_plane_def *plane)
{
    return append(&scene->planes, &scene->plane_count, plane, sizeof *plane);
}

int pliant_scene_add_shape(pliant_scene *scene, pliant_shape *shape)
{
    if (!shape)
        return -1;
    int index = append(&scene->shapes, &scene->shape_count, &shape, sizeof shape);
    if (index < 0)
        pliant_shape_destroy(shape);
    return index;
}

int pliant_scene_add_collider(pliant_scene *scene, const pliant_scene_collider *collider)
{
    return append(&scene->colliders, &scene->collider_count, collider, sizeof *collider);
}

int pliant_scene_add_attachment(pliant_scene *scene, const pliant_scene_attachment *attachment)
{
    return append(&scene->attachments, &scene->attachment_count, attachment, sizeof *attachment);
}

int pliant_scene_add_force(pliant_scene *scene, const pliant_scene_force *force)
{
    return append(&scene->forces, &scene->force_count, force, sizeof *force);
}

int pliant_scene_add_motor(pliant_scene *scene, const pliant_scene_motor *motor)
{
    return append(&scene->motors, &scene->motor_count, motor, sizeof *motor);
}

static void *copy(const void *elements, int count, size_t size)
{
    void *copied = malloc((size_t)count * size + 1);
    if (copied && count > 0)
        memcpy(copied, elements, (size_t)count * size);
    return copied;
}

int pliant_scene_add_driver(pliant_scene *scene, const pliant_scene_driver *driver)
{
    pliant_scene_driver own = *driver;
    own.particles = copy(driver->particles, driver->particle_count, sizeof own.particles[0]);
    own.keys = copy(driver->keys, driver->key_count, sizeof own.keys[0]);
    int index = -1;
    if (own.particles && own.keys)
        index = append(&scene->drivers, &scene->driver_count, &own, sizeof own);
    if (index < 0) {
        free(own.particles);
        free(own.keys);
    }
    return index;
}
