// Files become documents or scenes; bodies of scenes become documents.

#include "core.h"

#include "draft/draft.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Of the time in which a mesh is opened.
#define READ_PART 0.4f

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), end = strlen(ending);
    return length >= end && strcmp(text + length - end, ending) == 0;
}

// The document takes the place of the present one, as an entry of the history.
static bool show_document(studio *s, studio_document *document, const char *what,
                          pliant_error *error)
{
    if (!document)
        return false;
    char label[80];
    snprintf(label, sizeof label, "%s %s", what, document->name);
    return studio_replace_document(s, document, (studio_deed){.label = label}, error);
}

// ---------------------------------------------------------------------------------------------
// Files

typedef struct opened {
    const studio_file *file;
    const char *folder; // or NULL
    char title[48];
} opened;

static bool open_scene(studio *s, const opened *o, pliant_error *error)
{
    pliant_scene *scene = pliant_scene_read(o->file->data, o->file->size, o->folder, error);
    if (scene && !scene->name[0])
        memcpy(scene->name, o->title, sizeof o->title);
    studio_play *play = studio_play_create(scene, STUDIO_SOURCE_FILE, error);
    if (play)
        studio_stage_set(s, play);
    return play != NULL;
}

static bool open_blob(studio *s, const opened *o, pliant_error *error)
{
    pliant_model *model = pliant_model_load(o->file->data, o->file->size, NULL, error);
    if (!model)
        return false;
    studio_document *document = studio_model_document(s, o->title, model, NULL, NULL, error);
    pliant_model_destroy(model);
    return show_document(s, document, "Open", error);
}

static void note_remarks(studio *s, const pliant_remarks *remarks)
{
    int shown = remarks->count < STUDIO_MOST_NOTES - 2 ? remarks->count : STUDIO_MOST_NOTES - 2;
    for (int i = 0; i < shown; ++i)
        studio_note(s, "%s%s%s", remarks->first[i].place, remarks->first[i].place[0] ? ": " : "",
                    remarks->first[i].message);
    if (remarks->count > shown)
        studio_note(s, "and %d more remarks", remarks->count - shown);
}

// The mesh is of use even where the model in it is not.
static pliant_model *model_in(studio *s, const pliant_mesh *mesh)
{
    if (!pliant_mesh_has_model(mesh))
        return NULL;
    pliant_error error = {0};
    pliant_model *model = pliant_mesh_load_model(mesh, &error);
    if (!model)
        studio_note(s, "the model in it cannot be used: %s%s%s", error.place,
                    error.place[0] ? ": " : "", error.message);
    return model;
}

// A model that was exported goes by the name of its mesh again.
static void drop_model_ending(char *title)
{
    if (ends_with(title, STUDIO_MODEL_ENDING) && strlen(title) > strlen(STUDIO_MODEL_ENDING))
        title[strlen(title) - strlen(STUDIO_MODEL_ENDING)] = 0;
}

static bool open_mesh(studio *s, opened *o, pliant_error *error)
{
    pliant_remarks *remarks = calloc(1, sizeof *remarks);
    if (!remarks) {
        pli_error_memory(error);
        return false;
    }
    progress_range all = pli_progress_range(&s->progress);
    pliant_mesh *mesh = pliant_mesh_read(o->file->data, o->file->size, o->folder, remarks, error);
    pli_progress_narrow(&s->progress, all, READ_PART, 1.0f);
    pli_progress_tell(&s->progress, 0.0f);
    pliant_model *model = mesh ? model_in(s, mesh) : NULL;
    if (model)
        drop_model_ending(o->title);
    studio_document *document =
        mesh ? studio_document_create(s, o->title, mesh, model, error) : NULL;
    pliant_model_destroy(model);
    pliant_mesh_destroy(mesh);
    bool ok = show_document(s, document, "Open", error);
    if (ok)
        note_remarks(s, remarks);
    free(remarks);
    return ok;
}

// A damaged beginning must not hide what the file was meant to be.
static bool open_file(studio *s, opened *o, pliant_error *error)
{
    const studio_file *file = o->file;
    pliant_file_kind kind = pliant_file_detect(file->data, file->size);
    if (file->size == 0) {
        pli_error_set(error, PLIANT_ERROR_FORMAT, file->name, "the file is empty");
        return false;
    }
    if (kind == PLIANT_FILE_SCENE)
        return open_scene(s, o, error);
    if (kind == PLIANT_FILE_MODEL || ends_with(file->name, ".pliant"))
        return open_blob(s, o, error);
    return open_mesh(s, o, error);
}

// What files refer to is looked for beside them.
static const char *folder_of(const char *name, char *folder, size_t capacity)
{
    const char *slash = strrchr(name, '/');
    if (!slash || (size_t)(slash - name) >= capacity)
        return NULL;
    memcpy(folder, name, (size_t)(slash - name));
    folder[slash - name] = 0;
    return folder;
}

static bool open_named(studio *s, field_reader *reader, const char *name)
{
    opened o = {.file = studio_files_find(&s->files, name)};
    if (!o.file)
        return pli_field_fail(reader, "there is no file '%.100s'", name);
    char folder[512];
    o.folder = folder_of(o.file->name, folder, sizeof folder);
    studio_files_title(name, o.title, sizeof o.title);
    pliant_error error = {0};
    studio_files_lend(&s->files);
    bool ok = open_file(s, &o, &error);
    studio_files_lend(NULL);
    return ok || studio_fail_with(reader, &error);
}

bool studio_open(studio *s, field_reader *reader, json_value arguments)
{
    char name[1024];
    static const field fields[] = {{"file", FIELD_STRING, 0, 0, sizeof name, false, false, true}};
    bool ok = pli_field_read_object(reader, arguments, fields, COUNT_OF(fields), name) &&
              open_named(s, reader, name);
    studio_files_clear(&s->files);
    return ok;
}

// ---------------------------------------------------------------------------------------------
// Bodies

// The scene may give its body another one than the model has.
static pliant_material material_of(const pliant_body_def *def)
{
    return (pliant_material){.friction = def->friction,
                             .restitution = def->restitution,
                             .linear_damping = def->linear_damping,
                             .angular_damping = def->angular_damping,
                             .shape_damping = def->shape_damping,
                             .self_collision = def->self_collision};
}

bool studio_edit(studio *s, field_reader *reader, json_value arguments)
{
    if (!s->play)
        return studio_refuse(reader, "no scene is playing");
    const pliant_scene *scene = s->play->scene;
    if (scene->body_count == 0)
        return studio_refuse(reader, "the scene has no bodies");
    int index;
    const field fields[] = {{"body", FIELD_INT, 0, 0, scene->body_count - 1, false, false, true}};
    if (!pli_field_read_object(reader, arguments, fields, COUNT_OF(fields), &index))
        return false;
    const pliant_scene_body *body = &scene->bodies[index];
    const char *name = body->name[0] ? body->name : scene->name;
    pliant_error error = {0};
    studio_document *document = studio_model_document(
        s, name, scene->models[body->model], scene->meshes[body->model], body->colour, &error);
    if (document)
        document->draft->material = material_of(&body->def);
    return show_document(s, document, "Edit", &error) || studio_fail_with(reader, &error);
}
