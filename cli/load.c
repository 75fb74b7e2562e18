// From a name on the command line to a file's content, and to a scene.

#include "../src/core/file.h"
#include "cli.h"
#include "scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool cli_is_dash(const char *path)
{
    return strcmp(path, "-") == 0;
}

const char *cli_input_name(const char *path)
{
    return cli_is_dash(path) ? "standard input" : path;
}

// Opening /dev/stdin would not do: it fails where standard input is a socket.
pliant_result cli_read_input(const char *path, void **data, size_t *size, pliant_error *error)
{
    if (cli_is_dash(path))
        return pliant_core_read_stream(stdin, cli_input_name(path), data, size, error);
    return pliant_file_read(path, data, size, error);
}

char *cli_folder_of(const char *path)
{
    char *folder = malloc(strlen(path) + 2);
    if (!folder)
        return NULL;
    strcpy(folder, path);
    char *slash = strrchr(folder, '/');
    if (!slash)
        strcpy(folder, ".");
    else
        slash[slash == folder] = 0;
    return folder;
}

pliant_scene *cli_read_scene(const char *path, const void *data, size_t size, pliant_error *error)
{
    char *folder = cli_folder_of(path);
    pliant_scene *scene = NULL;
    if (folder)
        scene = pliant_scene_read(data, size, folder, error);
    else
        *error = (pliant_error){.code = PLIANT_ERROR_MEMORY, .message = "out of memory"};
    free(folder);
    return scene;
}

static float smaller(float a, float b)
{
    return a < b ? a : b;
}

static float larger(float a, float b)
{
    return a > b ? a : b;
}

static void widen(pliant_vec3 *low, pliant_vec3 *high, pliant_vec3 x, float margin)
{
    *low = (pliant_vec3){smaller(low->x, x.x - margin), smaller(low->y, x.y - margin),
                         smaller(low->z, x.z - margin)};
    *high = (pliant_vec3){larger(high->x, x.x + margin), larger(high->y, x.y + margin),
                          larger(high->z, x.z + margin)};
}

void cli_model_bounds(const pliant_model *model, pliant_vec3 *low, pliant_vec3 *high)
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
        widen(low, high, particles[i].position, larger(r.x, larger(r.y, r.z)));
    }
}

// The name of the scene is the file's, without folders and ending.
static void name_after(char *name, size_t size, const char *path)
{
    if (cli_is_dash(path))
        path = "stdin";
    const char *slash = strrchr(path, '/');
    snprintf(name, size, "%s", slash ? slash + 1 : path);
    char *dot = strrchr(name, '.');
    if (dot && dot != name)
        *dot = 0;
}

static bool add_model(pliant_scene *scene, pliant_model *model, pliant_mesh *mesh,
                      pliant_scene_body *body)
{
    pliant_plane_def ground = pliant_default_plane_def();
    ground.normal = (pliant_vec3){0.0f, 1.0f, 0.0f};
    body->model = pliant_scene_add_model(scene, model);
    if (body->model < 0) {
        pliant_mesh_destroy(mesh);
        return false;
    }
    return pliant_scene_set_mesh(scene, body->model, mesh, NULL) == PLIANT_OK &&
           pliant_scene_add_body(scene, body) >= 0 && pliant_scene_add_plane(scene, &ground) >= 0;
}

// Heights of its own that a model without a scene falls.
#define DROP 0.15f

// A little above the ground, seen as a whole.
static pliant_scene *drop_model(const char *path, pliant_model *model, pliant_mesh *mesh)
{
    pliant_scene *scene = pliant_scene_create();
    if (!scene) {
        pliant_model_destroy(model);
        pliant_mesh_destroy(mesh);
        return NULL;
    }
    pliant_vec3 low, high;
    cli_model_bounds(model, &low, &high);
    float height = high.y - low.y;
    float size = larger(height, larger(high.x - low.x, high.z - low.z));

    name_after(scene->name, sizeof scene->name, path);
    snprintf(scene->title, sizeof scene->title, "%s dropped on the ground", scene->name);
    scene->camera.target =
        (pliant_vec3){0.5f * (low.x + high.x), 0.5f * height, 0.5f * (low.z + high.z)};
    scene->camera.eye = (pliant_vec3){scene->camera.target.x + size, height + 0.5f * size,
                                      scene->camera.target.z + 2.5f * size};

    pliant_scene_body body = pliant_default_scene_body();
    memcpy(body.name, scene->name, sizeof body.name);
    body.def.position.y = DROP * height - low.y;
    if (!add_model(scene, model, mesh, &body)) {
        pliant_scene_destroy(scene);
        return NULL;
    }
    return scene;
}

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), end = strlen(ending);
    return length >= end && strcmp(text + length - end, ending) == 0;
}

pliant_mesh *cli_read_mesh(const char *path, const void *data, size_t size, pliant_remarks *remarks,
                           pliant_error *error)
{
    char *folder = cli_folder_of(path);
    pliant_mesh *mesh = NULL;
    if (folder)
        mesh = pliant_mesh_read(data, size, folder, remarks, error);
    else
        *error = (pliant_error){.code = PLIANT_ERROR_MEMORY, .message = "out of memory"};
    free(folder);
    return mesh;
}

static pliant_scene *load_model(const char *path, const void *data, size_t size,
                                pliant_error *error)
{
    char *folder = cli_folder_of(path);
    if (!folder)
        return NULL;
    pliant_mesh *mesh;
    pliant_model *model = pliant_model_read(data, size, folder, &mesh, error);
    free(folder);
    return model ? drop_model(path, model, mesh) : NULL;
}

static pliant_scene *scene_of(const char *path, const void *data, size_t size, pliant_error *error)
{
    pliant_file_kind kind = pliant_file_detect(data, size);
    // A damaged beginning must not hide what the file was meant to be.
    if (kind == PLIANT_FILE_MODEL || kind == PLIANT_FILE_GLB || kind == PLIANT_FILE_GLTF ||
        (kind == PLIANT_FILE_UNKNOWN && ends_with(path, ".pliant")))
        return load_model(path, data, size, error);
    if (kind == PLIANT_FILE_SCENE || ends_with(path, ".json")) {
        pliant_scene *scene = cli_read_scene(path, data, size, error);
        if (scene && !scene->name[0])
            name_after(scene->name, sizeof scene->name, path);
        return scene;
    }
    snprintf(error->message, sizeof error->message, "%s",
             kind == PLIANT_FILE_OBJ ? "there is no model in it; pliant author makes one"
                                     : "neither a scene nor a model");
    error->code = PLIANT_ERROR_FORMAT;
    return NULL;
}

static pliant_scene *load_file(const char *path)
{
    void *data;
    size_t size;
    pliant_error error = {0};
    if (cli_read_input(path, &data, &size, &error) != PLIANT_OK) {
        // A word without folder or ending was rather meant to be a built-in scene.
        if (strpbrk(path, "./") || cli_is_dash(path))
            cli_fail_error(cli_input_name(path), &error);
        else
            cli_fail("there is no scene '%s' (pliant scenes lists them)", path);
        return NULL;
    }
    pliant_scene *scene = scene_of(path, data, size, &error);
    if (!scene) {
        if (error.code == PLIANT_OK)
            snprintf(error.message, sizeof error.message, "out of memory");
        cli_fail_error(cli_input_name(path), &error);
    }
    free(data);
    return scene;
}

pliant_scene *cli_load_scene(const char *name)
{
    const scene_entry *entry = scene_entry_find(name);
    if (!entry)
        return load_file(name);
    pliant_error error = {0};
    pliant_scene *scene = entry->create(&error);
    if (!scene)
        cli_fail_error(name, &error);
    return scene;
}
