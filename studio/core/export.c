// Files for the page to keep: models, meshes, scenes.

#include "core.h"

#include <stdio.h>
#include <stdlib.h>

void studio_give_file(studio *s, const char *name, const char *ending, void *data, size_t size)
{
    free(s->exported);
    s->exported = data;
    s->exported_size = size;
    char whole[80];
    snprintf(whole, sizeof whole, "%s%s", name[0] ? name : "pliant", ending);
    pli_json_write_string(&s->answer, "name", whole);
    pli_json_write_int(&s->answer, "size", (int64_t)size);
}

typedef enum export_kind { EXPORT_MODEL, EXPORT_BLOB, EXPORT_MESH, EXPORT_SCENE } export_kind;

typedef struct exported {
    void *data;
    size_t size;
} exported;

static bool save_blob(const pliant_model *model, exported *file, pliant_error *error)
{
    file->size = pliant_model_blob_size(model);
    file->data = malloc(file->size);
    if (!file->data) {
        pli_error_memory(error);
        return false;
    }
    pliant_model_save(model, file->data);
    return true;
}

static bool save_model(const pliant_model *model, const pliant_mesh *mesh, exported *file,
                       pliant_error *error)
{
    return mesh ? pliant_model_write_glb(model, mesh, &file->data, &file->size, error) == PLIANT_OK
                : save_blob(model, file, error);
}

// ---------------------------------------------------------------------------------------------
// The document

static bool export_document(studio *s, field_reader *reader, export_kind kind)
{
    if (!studio_need_document(s, reader))
        return false;
    static const char *const endings[] = {(STUDIO_MODEL_ENDING ".glb"), ".pliant", "-mesh.glb"};
    const studio_document *document = s->document;
    exported file = {0};
    pliant_error error = {0};
    bool ok = false;
    if (kind == EXPORT_MESH) {
        ok = pliant_mesh_write(document->mesh, &file.data, &file.size, &error) == PLIANT_OK;
    } else {
        pliant_model *model = studio_build_model(document, &error);
        ok =
            model && save_model(model, kind == EXPORT_MODEL ? document->mesh : NULL, &file, &error);
        pliant_model_destroy(model);
    }
    if (!ok)
        return studio_fail_with(reader, &error);
    studio_give_file(s, document->name, endings[kind], file.data, file.size);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Scenes: of the stage or, while authoring, the one that the document would play in

enum { FILE_NAME_SIZE = 96 };

static void model_ending(const pliant_scene *scene, int index, char *ending, size_t capacity)
{
    const char *kind = scene->meshes[index] ? "glb" : "pliant";
    if (scene->model_count == 1)
        snprintf(ending, capacity, "%s.%s", STUDIO_MODEL_ENDING, kind);
    else
        snprintf(ending, capacity, "%s-%d.%s", STUDIO_MODEL_ENDING, index, kind);
}

static bool write_scene(studio *s, const pliant_scene *scene, pliant_error *error)
{
    size_t count = (size_t)scene->model_count;
    char(*names)[FILE_NAME_SIZE] = calloc(count + 1, sizeof *names);
    const char **list = calloc(count + 1, sizeof *list);
    exported file = {0};
    bool ok = names && list;
    for (int i = 0; ok && i < scene->model_count; ++i) {
        char ending[32];
        model_ending(scene, i, ending, sizeof ending);
        snprintf(names[i], sizeof names[i], "%s%s", scene->name[0] ? scene->name : "pliant",
                 ending);
        list[i] = names[i];
    }
    if (!ok) {
        pli_error_memory(error);
    } else {
        char *text = NULL;
        ok = pliant_scene_write(scene, list, &text, &file.size, error) == PLIANT_OK;
        file.data = text;
    }
    if (ok) {
        studio_give_file(s, scene->name, "-scene.json", file.data, file.size);
        pli_json_begin_array(&s->answer, "models");
        for (int i = 0; i < scene->model_count; ++i)
            pli_json_write_string(&s->answer, NULL, names[i]);
        pli_json_end_array(&s->answer);
    }
    free(names);
    free(list);
    return ok;
}

static bool export_scene(studio *s, field_reader *reader)
{
    if (!s->play && !studio_need_document(s, reader))
        return false;
    pliant_error error = {0};
    pliant_scene *own = s->play ? NULL : studio_document_scene(s->document, &error);
    const pliant_scene *scene = s->play ? s->play->scene : own;
    bool ok = scene && write_scene(s, scene, &error);
    pliant_scene_destroy(own);
    return ok || studio_fail_with(reader, &error);
}

static bool export_scene_model(studio *s, field_reader *reader, int index)
{
    if (!s->play)
        return index == 0 ? export_document(s, reader, EXPORT_MODEL)
                          : pli_field_fail(reader, "model %d of 1", index);
    const pliant_scene *scene = s->play->scene;
    if (index >= scene->model_count)
        return pli_field_fail(reader, "model %d of %d", index, scene->model_count);
    exported file = {0};
    pliant_error error = {0};
    if (!save_model(scene->models[index], scene->meshes[index], &file, &error))
        return studio_fail_with(reader, &error);
    char ending[32];
    model_ending(scene, index, ending, sizeof ending);
    studio_give_file(s, scene->name, ending, file.data, file.size);
    return true;
}

// ---------------------------------------------------------------------------------------------

typedef struct export_ask {
    json_value kind;
    int model;
} export_ask;

static const field export_fields[] = {
    {"kind", FIELD_VALUE, offsetof(export_ask, kind), FIELD_ANY, true},
    {"model", FIELD_INT, offsetof(export_ask, model), FIELD_INDEX, false},
};

bool studio_export(studio *s, field_reader *reader, json_value arguments)
{
    static const char *const kinds[] = {"model", "blob", "mesh", "scene"};
    export_ask ask = {JSON_NONE, -1};
    int kind;
    if (!pli_field_read_object(reader, arguments, export_fields, COUNT_OF(export_fields), &ask))
        return false;
    size_t before = pli_field_enter_key(reader, "kind");
    if (!pli_field_read_word(reader, ask.kind, kinds, COUNT_OF(kinds), &kind))
        return false;
    pli_field_leave(reader, before);
    pli_json_begin_object(&s->answer, NULL);
    // A scene's models go by either kind.
    bool of_scene = ask.model >= 0 && (kind == EXPORT_SCENE || kind == EXPORT_MODEL);
    bool ok = of_scene               ? export_scene_model(s, reader, ask.model)
              : kind == EXPORT_SCENE ? export_scene(s, reader)
                                     : export_document(s, reader, (export_kind)kind);
    pli_json_end_object(&s->answer);
    return ok;
}
