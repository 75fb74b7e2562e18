// Writes a built-in scene as files, for checks of them: scene_tool NAME FOLDER makes FOLDER/NAME.json and, for each of
// its models, FOLDER/NAME-INDEX.pliant, or .glb where the model has a mesh.

#include <scenes.h>

#include <stdio.h>
#include <stdlib.h>

enum { MOST_MODELS = 16, NAME_SIZE = 64, PATH_SIZE = 4096 };

static int fail(const char *what, const pliant_error *error)
{
    fprintf(stderr, "%s: %s: %s\n", what, error->place, error->message);
    return 1;
}

static void join(char path[PATH_SIZE], const char *folder, const char *name)
{
    if (snprintf(path, PATH_SIZE, "%s/%s", folder, name) >= PATH_SIZE) {
        fprintf(stderr, "%s: the path is too long\n", folder);
        exit(1);
    }
}

static pliant_result write_model(const char *path, const pliant_model *model,
                                 const pliant_mesh *mesh, pliant_error *error)
{
    if (!mesh)
        return pliant_model_save_file(model, path, error);
    void *data;
    size_t size;
    pliant_result result = pliant_model_write_glb(model, mesh, &data, &size, error);
    if (result != PLIANT_OK)
        return result;
    result = pliant_file_write(path, data, size, error);
    free(data);
    return result;
}

int main(int count, char **arguments)
{
    const scene_entry *entry = count == 3 ? scene_entry_find(arguments[1]) : NULL;
    if (!entry) {
        fprintf(stderr, "Usage: scene_tool NAME FOLDER\n");
        return 2;
    }
    pliant_error error = {0};
    pliant_scene *scene = entry->create(&error);
    if (!scene)
        return fail(entry->name, &error);
    char files[MOST_MODELS][NAME_SIZE], path[PATH_SIZE];
    const char *names[MOST_MODELS];
    if (scene->model_count > MOST_MODELS)
        return fail("more models than there is room for", &error);
    for (int i = 0; i < scene->model_count; ++i) {
        snprintf(files[i], sizeof files[i], "%s-%d.%s", entry->name, i,
                 scene->meshes[i] ? "glb" : "pliant");
        names[i] = files[i];
        join(path, arguments[2], files[i]);
        if (write_model(path, scene->models[i], scene->meshes[i], &error) != PLIANT_OK)
            return fail(path, &error);
    }
    char *text;
    size_t size;
    if (pliant_scene_write(scene, names, &text, &size, &error) != PLIANT_OK)
        return fail(entry->name, &error);
    snprintf(files[0], sizeof files[0], "%s.json", entry->name);
    join(path, arguments[2], files[0]);
    pliant_result result = pliant_file_write(path, text, size, &error);
    free(text);
    pliant_scene_destroy(scene);
    return result == PLIANT_OK ? 0 : fail(path, &error);
}
