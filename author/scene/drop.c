// The scene for a model that comes without one: it is dropped on the ground, or, where some of its particles are pinned,
// rooted in it or hanging above it. Sizes and distances follow from the model's own, so that a mouse and a house are seen
// alike. What is pinned, or of which some vertices stay where they are, stays in its place: the ground comes to it.

#include "core/error.h"
#include "draft/hold.h"
#include "io/utf8.h"
#include "math/scalar.h"

#include <pliant/author.h>

#include <stdio.h>
#include <string.h>

// Heights of its own that the model falls, and that it hangs above the ground.
#define DROP 0.15f
#define ROOM 0.35f

// Takes model and mesh over, also on failure.
static pliant_result fill(pliant_scene *scene, pliant_model *model, pliant_mesh *mesh,
                          pliant_scene_body *body, float ground_height, pliant_error *error)
{
    pliant_plane_def ground = pliant_default_plane_def();
    ground.normal = (pliant_vec3){0.0f, 1.0f, 0.0f};
    ground.offset = ground_height;
    body->model = pliant_scene_add_model(scene, model);
    if (body->model < 0) {
        pliant_mesh_destroy(mesh);
        return pli_error_memory(error);
    }
    pliant_result result = pliant_scene_set_mesh(scene, body->model, mesh, error);
    if (result == PLIANT_OK &&
        (pliant_scene_add_body(scene, body) < 0 || pliant_scene_add_plane(scene, &ground) < 0))
        result = pli_error_memory(error);
    return result;
}

typedef struct placing {
    const char *title; // behind the name
    float ground;      // m, where it is
    float room;        // m, between it and the model at rest
    float lift;        // m, by how much the model is raised at first
} placing;

static placing place(const pliant_model *model, float low, float height)
{
    float room = ROOM * height;
    // What stays of a model stands: a knight whose cape alone moves.
    if (pli_model_holder(model) >= 0)
        return (placing){"on the ground", low, 0.0f, 0.0f};
    switch (pliant_model_live(model)) {
    case PLIANT_LIVE_HANG:
        return (placing){"hanging", low - room, room, 0.0f};
    case PLIANT_LIVE_ROOTED:
        return (placing){"rooted in the ground", low, 0.0f, 0.0f};
    case PLIANT_LIVE_DROP:
        break;
    }
    return (placing){"dropped on the ground", 0.0f, 0.0f, DROP * height - low};
}

// From the ground to the top of the model at rest.
static void look_at(pliant_scene_camera *camera, pliant_vec3 low, pliant_vec3 high,
                    const placing *p)
{
    float height = high.y - low.y + p->room;
    float size = maximum(height, maximum(high.x - low.x, high.z - low.z));
    camera->target =
        (pliant_vec3){0.5f * (low.x + high.x), p->ground + 0.5f * height, 0.5f * (low.z + high.z)};
    camera->eye = (pliant_vec3){camera->target.x + size, p->ground + height + 0.5f * size,
                                camera->target.z + 2.5f * size};
}

pliant_scene *pliant_scene_create_drop(const char *name, pliant_model *model, pliant_mesh *mesh,
                                       pliant_error *error)
{
    pliant_scene *scene = pliant_scene_create();
    if (!scene) {
        pliant_model_destroy(model);
        pliant_mesh_destroy(mesh);
        pli_error_memory(error);
        return NULL;
    }
    pliant_vec3 low, high;
    pliant_model_bounds(model, &low, &high);
    placing p = place(model, low.y, high.y - low.y);

    pli_utf8_cut(scene->name, sizeof scene->name, name);
    snprintf(scene->title, sizeof scene->title, "%s %s", scene->name, p.title);
    look_at(&scene->camera, low, high, &p);

    pliant_scene_body body = pliant_default_scene_body();
    body.def = pliant_model_body_def(model);
    memcpy(body.name, scene->name, sizeof body.name);
    body.def.position.y = p.lift;
    if (fill(scene, model, mesh, &body, p.ground, error) != PLIANT_OK) {
        pliant_scene_destroy(scene);
        return NULL;
    }
    return scene;
}
