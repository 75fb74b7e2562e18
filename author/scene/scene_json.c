// Scenes as JSON (docs/scene.schema.json): the top level, settings, bodies and planes. Models are in
// scene_models.c, the other parts in the files that scene_reader.h names, the checks of single values in
// fields.c.

#include "scene/scene_models.h"
#include "scene/scene_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

enum { SCENE_VERSION = 1, LONGEST_SECONDS = 86400 };

// Calls `read` for each item of one of the scene's arrays, which may be missing.
static bool read_all(scene_reader *r, const char *key, json_value array,
                     bool (*read)(scene_reader *, json_value, int))
{
    if (array == JSON_NONE)
        return true;
    size_t before = pli_field_enter_key(&r->fields, key);
    if (pli_json_type_of(r->fields.json, array) != JSON_TYPE_ARRAY)
        return pli_field_expect(&r->fields, array, "an array");
    int index = 0;
    for (json_value v = pli_json_first(r->fields.json, array); v != JSON_NONE;
         v = pli_json_next(r->fields.json, v)) {
        size_t outer = pli_field_enter_item(&r->fields, index);
        if (!read(r, v, index++))
            return false;
        pli_field_leave(&r->fields, outer);
    }
    pli_field_leave(&r->fields, before);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Settings

static bool read_world(scene_reader *r)
{
    if (r->spec.world == JSON_NONE)
        return true;
    size_t before = pli_field_enter_key(&r->fields, "world");
    if (!pli_field_read_table(&r->fields, r->spec.world, &pli_scene_world_table, &r->scene->world))
        return false;
    pli_field_leave(&r->fields, before);
    return true;
}

static bool read_camera(scene_reader *r)
{
    if (r->spec.camera == JSON_NONE)
        return true;
    size_t before = pli_field_enter_key(&r->fields, "camera");
    pliant_scene_camera camera = {.vertical_fov = r->scene->camera.vertical_fov};
    if (!pli_field_read_table(&r->fields, r->spec.camera, &pli_scene_camera_table, &camera))
        return false;
    r->scene->camera = camera;
    pli_field_leave(&r->fields, before);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Bodies and planes

static int find_body(const pliant_scene *scene, const char *name)
{
    for (int i = 0; i < scene->body_count; ++i) {
        if (strcmp(scene->bodies[i].name, name) == 0)
            return i;
    }
    return -1;
}

// Models and shapes are kept in the order of the text, so that a name's place in it is its index.
bool pli_scene_read_name(scene_reader *r, const char *noun, json_value object, json_value value,
                         int *index)
{
    size_t before = pli_field_enter_key(&r->fields, noun);
    char name[48];
    if (pli_json_type_of(r->fields.json, value) != JSON_TYPE_STRING) {
        snprintf(name, sizeof name, "a %s's name", noun);
        return pli_field_expect(&r->fields, value, name);
    }
    size_t length = pli_json_string(r->fields.json, value, name, sizeof name);
    *index = 0;
    for (json_value key = pli_json_first(r->fields.json, object); key != JSON_NONE;
         key = pli_json_next(r->fields.json, key), ++*index) {
        if (length < sizeof name && pli_json_string_is(r->fields.json, key, name)) {
            pli_field_leave(&r->fields, before);
            return true;
        }
    }
    return pli_field_fail(&r->fields, "there is no %s \"%s\"", noun, name);
}

static bool read_body(scene_reader *r, json_value value, int index)
{
    body_spec spec = {.body = pliant_default_scene_body(), .model = JSON_NONE};
    if (!pli_field_read_table(&r->fields, value, &pli_scene_body_table, &spec) ||
        !pli_scene_read_name(r, "model", r->spec.models, spec.model, &spec.body.model))
        return false;
    // What it does not say its model does, which is known only now.
    spec.body.def = pliant_model_body_def(r->scene->models[spec.body.model]);
    if (!pli_field_read_table(&r->fields, value, &pli_scene_body_table, &spec))
        return false;
    if (!spec.body.name[0])
        snprintf(spec.body.name, sizeof spec.body.name, "body %d", index);
    if (find_body(r->scene, spec.body.name) >= 0) {
        pli_field_enter_key(&r->fields, "name");
        return pli_field_fail(&r->fields, "there is a body \"%s\" already", spec.body.name);
    }
    return pliant_scene_add_body(r->scene, &spec.body) >= 0 || pli_field_fail_memory(&r->fields);
}

static bool read_plane(scene_reader *r, json_value value, int index)
{
    (void)index;
    pliant_plane_def def = pliant_default_plane_def();
    return pli_field_read_table(&r->fields, value, &pli_scene_plane_table, &def) &&
           (pliant_scene_add_plane(r->scene, &def) >= 0 || pli_field_fail_memory(&r->fields));
}

// ---------------------------------------------------------------------------------------------
// References

// By name or index among `count` things; `find` returns -1 for a name that none of them has.
static bool read_reference(scene_reader *r, const char *key, const char *noun, json_value value,
                           int (*find)(const pliant_scene *, const char *), int count, int *index)
{
    size_t before = pli_field_enter_key(&r->fields, key);
    if (pli_json_type_of(r->fields.json, value) == JSON_TYPE_STRING) {
        char name[48];
        size_t length = pli_json_string(r->fields.json, value, name, sizeof name);
        *index = length < sizeof name ? find(r->scene, name) : -1;
        if (*index < 0)
            return pli_field_fail(&r->fields, "there is no %s \"%s\"", noun, name);
    } else if (pli_json_type_of(r->fields.json, value) == JSON_TYPE_NUMBER && count > 0) {
        const field f = {.kind = FIELD_INT, .maximum = count - 1};
        if (!pli_field_read(&r->fields, value, &f, index))
            return false;
    } else if (pli_json_type_of(r->fields.json, value) == JSON_TYPE_NUMBER) {
        return pli_field_fail(&r->fields, "there is no %s", noun);
    } else {
        char expected[40];
        snprintf(expected, sizeof expected, "a %s's name or index", noun);
        return pli_field_expect(&r->fields, value, expected);
    }
    pli_field_leave(&r->fields, before);
    return true;
}

bool pli_scene_read_body_reference(scene_reader *r, const char *key, json_value value, int *body)
{
    return read_reference(r, key, "body", value, find_body, r->scene->body_count, body);
}

static int find_collider(const pliant_scene *scene, const char *name)
{
    for (int i = 0; i < scene->collider_count; ++i) {
        if (strcmp(scene->colliders[i].name, name) == 0)
            return i;
    }
    return -1;
}

bool pli_scene_read_collider_reference(scene_reader *r, const char *key, json_value value,
                                       int *collider)
{
    return read_reference(r, key, "collider", value, find_collider, r->scene->collider_count,
                          collider);
}

// ---------------------------------------------------------------------------------------------
// The top level

typedef struct top_level {
    scene_spec spec;
    pliant_scene scene; // name, title and seconds only
} top_level;

#define TOP(name)                                                                                  \
    {                                                                                              \
#name, FIELD_VALUE, offsetof(top_level, spec.name), FIELD_ANY, false                       \
    }

static const field top_fields[] = {
    {"$schema", FIELD_VALUE, offsetof(top_level, spec.schema), FIELD_ANY, false},
    {"pliant", FIELD_INT, offsetof(top_level, spec.version), 1, INT32_MAX, false, false, true},
    {"name", FIELD_STRING, offsetof(top_level, scene.name), 0, sizeof((pliant_scene *)0)->name,
     false, false, false},
    {"title", FIELD_STRING, offsetof(top_level, scene.title), 0, sizeof((pliant_scene *)0)->title,
     false, false, false},
    {"seconds", FIELD_FLOAT, offsetof(top_level, scene.seconds), 0, LONGEST_SECONDS, false, false,
     false},
    TOP(world),
    TOP(camera),
    {"models", FIELD_VALUE, offsetof(top_level, spec.models), FIELD_ANY, true},
    {"bodies", FIELD_VALUE, offsetof(top_level, spec.bodies), FIELD_ANY, true},
    TOP(planes),
    TOP(shapes),
    TOP(colliders),
    TOP(attachments),
    TOP(forces),
    TOP(motors),
    TOP(drivers),
};

// Editors find the rules of the format by it; here any text will do.
static bool check_schema(scene_reader *r, json_value schema)
{
    if (schema == JSON_NONE || pli_json_type_of(r->fields.json, schema) == JSON_TYPE_STRING)
        return true;
    pli_field_enter_key(&r->fields, "$schema");
    return pli_field_expect(&r->fields, schema, "a string");
}

static bool read_top_level(scene_reader *r)
{
    top_level top = {.spec = {0, JSON_NONE, JSON_NONE, JSON_NONE, JSON_NONE, JSON_NONE, JSON_NONE,
                              JSON_NONE, JSON_NONE, JSON_NONE, JSON_NONE, JSON_NONE, JSON_NONE}};
    top.scene.seconds = r->scene->seconds;
    if (!pli_field_read_object(&r->fields, pli_json_root(r->fields.json), top_fields,
                               COUNT(top_fields), &top) ||
        !check_schema(r, top.spec.schema))
        return false;
    if (top.spec.version > SCENE_VERSION) {
        pli_error_set(r->fields.error, PLIANT_ERROR_VERSION, "pliant",
                      "the scene is of version %d, this program understands up to %d",
                      top.spec.version, SCENE_VERSION);
        return false;
    }
    memcpy(r->scene->name, top.scene.name, sizeof top.scene.name);
    memcpy(r->scene->title, top.scene.title, sizeof top.scene.title);
    r->scene->seconds = top.scene.seconds;
    r->spec = top.spec;
    return true;
}

static bool read_models(scene_reader *r, const char *directory)
{
    if (r->has_models)
        return true;
    size_t before = pli_field_enter_key(&r->fields, "models");
    if (!pli_scene_read_models(&r->fields, r->spec.models, directory, r->scene))
        return false;
    pli_field_leave(&r->fields, before);
    return true;
}

static bool read_scene(scene_reader *r, const char *directory)
{
    if (!read_top_level(r) || !read_world(r) || !read_camera(r) || !read_models(r, directory))
        return false;
    return read_all(r, "bodies", r->spec.bodies, read_body) &&
           read_all(r, "planes", r->spec.planes, read_plane) && pli_scene_read_shapes(r) &&
           read_all(r, "colliders", r->spec.colliders, pli_scene_read_collider) &&
           read_all(r, "attachments", r->spec.attachments, pli_scene_read_attachment) &&
           read_all(r, "forces", r->spec.forces, pli_scene_read_force) &&
           read_all(r, "motors", r->spec.motors, pli_scene_read_motor) &&
           read_all(r, "drivers", r->spec.drivers, pli_scene_read_driver);
}

pliant_scene *pliant_scene_read(const char *text, size_t size, const char *directory,
                                pliant_error *error)
{
    pliant_error local;
    error = error ? error : &local;
    json_document *document = pli_json_parse(text, size, error);
    if (!document)
        return NULL;
    scene_reader reader = {.fields = {.json = document, .error = error},
                           .scene = pliant_scene_create()};
    if (!reader.scene) {
        pli_error_memory(error);
    } else if (!read_scene(&reader, directory)) {
        pliant_scene_destroy(reader.scene);
        reader.scene = NULL;
    }
    pli_json_destroy(document);
    return reader.scene;
}

// The models are lent for the time of reading.
pliant_result pli_scene_check_text(const char *text, size_t size, const pliant_scene *scene,
                                   pliant_error *error)
{
    pliant_error local;
    error = error ? error : &local;
    json_document *document = pli_json_parse(text, size, error);
    if (!document)
        return error->code;
    pliant_result result = PLIANT_OK;
    scene_reader reader = {.fields = {.json = document, .error = error},
                           .scene = pliant_scene_create(),
                           .has_models = true};
    if (!reader.scene) {
        result = pli_error_memory(error);
    } else {
        reader.scene->models = scene->models;
        reader.scene->model_count = scene->model_count;
        if (!read_scene(&reader, NULL))
            result = error->code;
        reader.scene->models = NULL;
        reader.scene->model_count = 0;
        pliant_scene_destroy(reader.scene);
    }
    pli_json_destroy(document);
    return result;
}

// "a/b/c.json" gives "a/b", "c.json" gives "", "/c.json" gives "/.".
static char *directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 0;
    char *directory = malloc(length + 3);
    if (!directory)
        return NULL;
    memcpy(directory, path, length);
    strcpy(directory + length, slash == path ? "/." : "");
    return directory;
}

pliant_scene *pliant_scene_read_file(const char *path, pliant_error *error)
{
    void *text;
    size_t size;
    if (pliant_file_read(path, &text, &size, error) != PLIANT_OK)
        return NULL;
    char *directory = directory_of(path);
    pliant_scene *scene = NULL;
    if (directory)
        scene = pliant_scene_read(text, size, directory, error);
    else
        pli_error_memory(error);
    free(directory);
    free(text);
    return scene;
}
