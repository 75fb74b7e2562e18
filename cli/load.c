// From a name on the command line to a file's content, and to a scene.

#include "cli.h"
#include "scenes.h"

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
        return pliant_stream_read(stdin, cli_input_name(path), data, size, error);
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
    if (!model)
        return NULL;
    char name[256]; // longer than what is kept, which is cut between characters
    name_after(name, sizeof name, path);
    return pliant_scene_create_drop(name, model, mesh, error);
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
