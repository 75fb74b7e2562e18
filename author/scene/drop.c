// A model dropped on the ground: the scene for a model that comes without one. Sizes and distances follow from the
// model's own, so that a mouse and a house are seen alike.

#include "scene/drop.h"

#include "core/error.h"
#include "io/utf8.h"
#include "math/scalar.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Heights of its own that the model falls.
#define DROP 0.15f

static void widen(pliant_vec3 *low, pliant_vec3 *high, pliant_vec3 x, float margin)
{
    *low = (pliant_vec3){minimum(low->x, x.x - margin), minimum(low->y, x.y - margin),
                         minimum(low->z, x.z - margin)};
    *high = (pliant_vec3){maximum(high->x, x.x + margin), maximum(high->y, x.y + margin),
                          maximum(high->z, x.z + margin)};
}

void pliant_model_bounds(const pliant_model *model, pliant_vec3 *low, pliant_vec3 *high)
{
    *low = (pliant_vec3){INFINITY, INFINITY, INFINITY};
    *high = (pliant_vec3){-INFINITY, -INFINITY, -INFINITY};
    const pliant_vertex_def *vertices = pliant_model_vertices(model);
    for (int i = 0; i < pliant_model_vertex_count(model); ++i)
        widen(low, high, vertices[i].position, 0.0f);
    if (pliant_model_vertex_count(model) > 0)
        return;
    const pliant_particle_def *particles = pliant_model_particles(model);
    for (int i = 0; i < pliant_model_particle_count(model); ++i) {
        pliant_vec3 r = particles[i].radii;
        widen(low, high, particles[i].position, maximum(r.x, maximum(r.y, r.z)));
    }
}

// Takes model and mesh over, also on failure.
static pliant_result fill(pliant_scene *scene, pliant_model *model, pliant_mesh *mesh,
                          pliant_scene_body *body, pliant_error *error)
{
    pliant_plane_def ground = pliant_default_plane_def();
    ground.normal = (pliant_vec3){0.0f, 1.0f, 0.0f};
    body->model = pliant_scene_add_model(scene, model);
    if (body->model < 0) {
        pliant_mesh_destroy(mesh);
        return pliant_error_memory(error);
    }
    pliant_result result = pliant_scene_set_mesh(scene, body->model, mesh, error);
    if (result == PLIANT_OK &&
        (pliant_scene_add_body(scene, body) < 0 || pliant_scene_add_plane(scene, &ground) < 0))
        result = pliant_error_memory(error);
    return result;
}

pliant_scene *pliant_scene_create_drop(const char *name, pliant_model *model, pliant_mesh *mesh,
                                       pliant_error *error)
{
    pliant_scene *scene = pliant_scene_create();
    if (!scene) {
        pliant_model_destroy(model);
        pliant_mesh_destroy(mesh);
        pliant_error_memory(error);
        return NULL;
    }
    pliant_vec3 low, high;
    pliant_model_bounds(model, &low, &high);
    float height = high.y - low.y;
    float size = maximum(height, maximum(high.x - low.x, high.z - low.z));

    pliant_utf8_cut(scene->name, sizeof scene->name, name);
    snprintf(scene->title, sizeof scene->title, "%s dropped on the ground", scene->name);
    scene->camera.target =
        (pliant_vec3){0.5f * (low.x + high.x), 0.5f * height, 0.5f * (low.z + high.z)};
    scene->camera.eye = (pliant_vec3){scene->camera.target.x + size, height + 0.5f * size,
                                      scene->camera.target.z + 2.5f * size};

    pliant_scene_body body = pliant_default_scene_body();
    memcpy(body.name, scene->name, sizeof body.name);
    body.def.position.y = DROP * height - low.y;
    if (fill(scene, model, mesh, &body, error) != PLIANT_OK) {
        pliant_scene_destroy(scene);
        return NULL;
    }
    return scene;
}
