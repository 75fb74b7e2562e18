// A scene as JSON (docs/scene.schema.json), by the tables that read it. What equals its default is left out; what the
// format cannot say is told as reading it would: the text is read once before it is given away.

#include "core/error.h"
#include "io/decimal.h"
#include "io/utf8.h"
#include "scene/scene_reader.h"
#include "json/fields_write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef char scene_name[sizeof((pliant_scene_body *)0)->name];

typedef struct scene_writer {
    const pliant_scene *scene;
    json_writer json;
    scene_name *models, *bodies, *colliders; // names, none twice
} scene_writer;

// ---------------------------------------------------------------------------------------------
// Names

// As much of a text as there is room for in front of `end`, and that.
static void join_name(scene_name name, const char *text, const char *end)
{
    size_t size = pli_utf8_cut(name, sizeof(scene_name) - strlen(end), text);
    strcpy(name + size, end);
}

static bool is_taken(const scene_name *names, int count, const scene_name name)
{
    for (int i = 0; i < count; ++i) {
        if (strcmp(names[i], name) == 0)
            return true;
    }
    return false;
}

// Gives names[index] the text, or the noun and the index where there is none. A name that is taken gets a number,
// its place in the list unless that is taken, too, because a file needs names to tell things apart.
static bool name_thing(scene_name *names, int index, const char *text, const char *noun)
{
    char end[DECIMAL_SIZE + 2] = " ";
    char *copy = pli_utf8_copy(slice_of(text));
    if (!copy)
        return false;
    pli_decimal_write_int(end + 1, index);
    join_name(names[index], copy[0] ? copy : noun, copy[0] ? "" : end);
    for (long long number = index + 1; is_taken(names, index, names[index]); ++number) {
        strcpy(end, " #");
        pli_decimal_write_int(end + 2, number);
        join_name(names[index], copy[0] ? copy : noun, end);
    }
    free(copy);
    return true;
}

// A model is called as its file is, without folders and ending.
static bool name_model(scene_name *names, int index, const char *file)
{
    const char *slash = strrchr(file, '/'), *stem = slash ? slash + 1 : file;
    const char *dot = strchr(stem, '.');
    size_t size = dot && dot != stem ? (size_t)(dot - stem) : strlen(stem);
    char *text = malloc(size + 1);
    if (!text)
        return false;
    memcpy(text, stem, size);
    text[size] = 0;
    bool ok = name_thing(names, index, text, "model");
    free(text);
    return ok;
}

static bool name_all(scene_writer *w, const char *const *model_files)
{
    const pliant_scene *scene = w->scene;
    w->models = calloc((size_t)scene->model_count + 1, sizeof(scene_name));
    w->bodies = calloc((size_t)scene->body_count + 1, sizeof(scene_name));
    w->colliders = calloc((size_t)scene->collider_count + 1, sizeof(scene_name));
    bool ok = w->models && w->bodies && w->colliders;
    for (int i = 0; ok && i < scene->model_count; ++i)
        ok = name_model(w->models, i, model_files[i]);
    for (int i = 0; ok && i < scene->body_count; ++i)
        ok = name_thing(w->bodies, i, scene->bodies[i].name, "body");
    for (int i = 0; ok && i < scene->collider_count; ++i)
        ok = name_thing(w->colliders, i, scene->colliders[i].name, "collider");
    return ok;
}

// A thing by its name; one that is not there by a name that no thing has.
static void write_reference(json_writer *json, const char *key, const scene_name *names, int count,
                            int index)
{
    char none[DECIMAL_SIZE + 8] = "number ";
    pli_decimal_write_int(none + strlen(none), index);
    pli_json_write_string(json, key, index >= 0 && index < count ? names[index] : none);
}

static void write_body_reference(scene_writer *w, const char *key, int body)
{
    write_reference(&w->json, key, w->bodies, w->scene->body_count, body);
}

static void write_collider_reference(scene_writer *w, const char *key, int collider)
{
    write_reference(&w->json, key, w->colliders, w->scene->collider_count, collider);
}

static void shape_name(scene_name name, int index)
{
    strcpy(name, "shape ");
    pli_decimal_write_int(name + strlen(name), index);
}

// ---------------------------------------------------------------------------------------------
// Settings, models and bodies

// A text that is not empty, as far as its place in a scene has room for it.
static bool write_text(json_writer *json, const char *key, const char *text, size_t room)
{
    char *copy = pli_utf8_copy(slice_of(text));
    char *fitting = malloc(room);
    bool ok = copy && fitting;
    if (ok && pli_utf8_cut(fitting, room, copy) > 0)
        pli_json_write_string(json, key, fitting);
    free(copy);
    free(fitting);
    return ok;
}

static bool write_settings(scene_writer *w)
{
    const pliant_scene *scene = w->scene;
    json_writer *json = &w->json;
    pliant_world_def defaults = pliant_default_world_def();
    pli_json_write_int(json, "pliant", 1);
    if (!write_text(json, "name", scene->name, sizeof scene->name) ||
        !write_text(json, "title", scene->title, sizeof scene->title))
        return false;
    pli_field_write_float(json, "seconds", scene->seconds);
    pli_json_begin_object(json, "world");
    pli_field_write_table(json, &pli_scene_world_table, &scene->world, &defaults);
    pli_json_end_object(json);
    pliant_scene_camera no_camera = {.vertical_fov = NAN};
    pli_json_begin_object(json, "camera");
    pli_field_write_table(json, &pli_scene_camera_table, &scene->camera, &no_camera);
    pli_json_end_object(json);
    return true;
}

static void write_models(scene_writer *w, const char *const *model_files)
{
    pli_json_begin_object(&w->json, "models");
    for (int i = 0; i < w->scene->model_count; ++i) {
        pli_json_begin_object(&w->json, w->models[i]);
        pli_json_write_string(&w->json, "file", model_files[i]);
        pli_json_end_object(&w->json);
    }
    pli_json_end_object(&w->json);
}

static void write_body(scene_writer *w, int index)
{
    body_spec spec = {.body = w->scene->bodies[index]}, defaults = {pliant_default_scene_body(), 0};
    if (spec.body.model >= 0 && spec.body.model < w->scene->model_count)
        defaults.body.def = pliant_model_body_def(w->scene->models[spec.body.model]);
    memcpy(spec.body.name, w->bodies[index], sizeof spec.body.name);
    write_reference(&w->json, "model", w->models, w->scene->model_count, spec.body.model);
    pli_field_write_table(&w->json, &pli_scene_body_table, &spec, &defaults);
}

static void write_plane(scene_writer *w, int index)
{
    pliant_plane_def defaults = pliant_default_plane_def();
    pli_field_write_table(&w->json, &pli_scene_plane_table, &w->scene->planes[index], &defaults);
}

// ---------------------------------------------------------------------------------------------
// Shapes and colliders

static void write_shape_arrays(json_writer *json, const pliant_shape_def *def)
{
    if (def->kind == PLIANT_SHAPE_HEIGHTFIELD)
        pli_field_write_floats(json, "heights", def->heights, def->columns * def->rows);
    if (def->kind != PLIANT_SHAPE_HULL && def->kind != PLIANT_SHAPE_MESH)
        return;
    pli_json_begin_array(json, "points");
    for (int i = 0; i < def->point_count; ++i)
        pli_field_write_floats(json, NULL, &def->points[i].x, 3);
    pli_json_end_array(json);
    pli_json_begin_array(json, "triangles");
    for (int i = 0; i < def->triangle_count; ++i) {
        pli_json_begin_array(json, NULL);
        for (int k = 0; k < 3; ++k)
            pli_json_write_int(json, NULL, def->triangles[3 * (size_t)i + (size_t)k]);
        pli_json_end_array(json);
    }
    pli_json_end_array(json);
}

static void write_shape(json_writer *json, const pliant_shape *shape)
{
    shape_spec spec = {.def = pliant_shape_definition(shape)};
    shape_spec defaults = {.def = pliant_default_shape_def(spec.def.kind)};
    const scene_shape_kind *kind = pli_scene_shape_kinds;
    while (kind->kind != spec.def.kind)
        ++kind;
    pli_json_begin_object(json, kind->key);
    pli_field_write_table(json, &kind->table, &spec, &defaults);
    write_shape_arrays(json, &spec.def);
    pli_json_end_object(json);
}

static void write_shapes(scene_writer *w)
{
    if (w->scene->shape_count == 0)
        return;
    pli_json_begin_object(&w->json, "shapes");
    for (int i = 0; i < w->scene->shape_count; ++i) {
        scene_name name;
        shape_name(name, i);
        pli_json_begin_object(&w->json, name);
        write_shape(&w->json, w->scene->shapes[i]);
        pli_json_end_object(&w->json);
    }
    pli_json_end_object(&w->json);
}

static void write_collider(scene_writer *w, int index)
{
    collider_spec spec = {.collider = w->scene->colliders[index]};
    collider_spec defaults = {.collider = pliant_default_scene_collider()};
    memcpy(spec.collider.name, w->colliders[index], sizeof spec.collider.name);
    scene_name shape;
    shape_name(shape, spec.collider.shape);
    pli_json_write_string(&w->json, "shape", shape);
    pli_field_write_table(&w->json, &pli_scene_collider_table, &spec, &defaults);
}

// ---------------------------------------------------------------------------------------------
// What acts on them

// Any negative length stands for the distance at the start, which is what a length left out means.
static void write_attachment(scene_writer *w, int index)
{
    attachment_spec spec = {.attachment = w->scene->attachments[index]};
    attachment_spec defaults = {.attachment = pliant_default_scene_attachment()};
    pliant_scene_attachment *a = &spec.attachment;
    if (a->length < 0.0f)
        a->length = defaults.attachment.length;
    write_body_reference(w, "body", a->body);
    pli_json_write_int(&w->json, "particle", a->particle);
    if (a->other_body != -1) {
        write_body_reference(w, "other_body", a->other_body);
        pli_json_write_int(&w->json, "other_particle", a->other_particle);
    } else {
        pli_field_write_floats(&w->json, "anchor", &a->anchor.x, 3);
    }
    if (a->collider != -1)
        write_collider_reference(w, "collider", a->collider);
    pli_field_write_table(&w->json, &pli_scene_attachment_table, &spec, &defaults);
}

// No run sees a time before 0, and none sees the end of what goes on for ever or ends before it begins.
static void tidy_times(float *begin, float *end)
{
    if (*begin < 0.0f)
        *begin = 0.0f;
    if (*end < *begin)
        *end = *begin;
    if (*end > FLT_MAX)
        *end = FLT_MAX;
}

static void write_force(scene_writer *w, int index)
{
    force_spec spec = {.force = w->scene->forces[index]}, defaults = {.force = {.end = FLT_MAX}};
    tidy_times(&spec.force.begin, &spec.force.end);
    write_body_reference(w, "body", spec.force.body);
    if (spec.force.particle != -1)
        pli_json_write_int(&w->json, "particle", spec.force.particle);
    pli_field_write_table(&w->json, &pli_scene_force_table, &spec, &defaults);
}

static void write_motor(scene_writer *w, int index)
{
    motor_spec spec = {.motor = w->scene->motors[index]}, defaults = {.motor = {.end = FLT_MAX}};
    tidy_times(&spec.motor.begin, &spec.motor.end);
    write_body_reference(w, "body", spec.motor.body);
    pli_json_write_int(&w->json, "hinge", spec.motor.hinge);
    pli_field_write_table(&w->json, &pli_scene_motor_table, &spec, &defaults);
}

static void write_driver(scene_writer *w, int index)
{
    driver_spec spec = {.driver = w->scene->drivers[index]}, defaults = {0};
    const pliant_scene_driver *driver = &spec.driver;
    json_writer *json = &w->json;
    if (driver->particle_count > 0) {
        write_body_reference(w, "body", driver->body);
        pli_json_begin_array(json, "particles");
        for (int i = 0; i < driver->particle_count; ++i)
            pli_json_write_int(json, NULL, driver->particles[i]);
        pli_json_end_array(json);
    } else {
        write_collider_reference(w, "collider", driver->collider);
    }
    pli_field_write_table(json, &pli_scene_driver_table, &spec, &defaults);
    pliant_scene_key no_key = {0};
    pli_json_begin_array(json, "keys");
    for (int i = 0; i < driver->key_count; ++i) {
        pli_json_begin_object(json, NULL);
        pli_field_write_table(json, &pli_scene_key_table, &driver->keys[i], &no_key);
        pli_json_end_object(json);
    }
    pli_json_end_array(json);
}

// ---------------------------------------------------------------------------------------------
// The text

static void write_all(scene_writer *w, const char *key, int count,
                      void (*write)(scene_writer *, int))
{
    if (count == 0)
        return;
    pli_json_begin_array(&w->json, key);
    for (int i = 0; i < count; ++i) {
        pli_json_begin_object(&w->json, NULL);
        write(w, i);
        pli_json_end_object(&w->json);
    }
    pli_json_end_array(&w->json);
}

// One without keys moves nothing, and the format has none.
static void write_drivers(scene_writer *w)
{
    json_writer *json = &w->json;
    pli_json_begin_array(json, "drivers");
    for (int i = 0; i < w->scene->driver_count; ++i) {
        if (w->scene->drivers[i].key_count == 0)
            continue;
        pli_json_begin_object(json, NULL);
        write_driver(w, i);
        pli_json_end_object(json);
    }
    pli_json_end_array(json);
}

static bool write_scene(scene_writer *w, const char *const *model_files)
{
    const pliant_scene *scene = w->scene;
    pli_json_begin_object(&w->json, NULL);
    if (!write_settings(w))
        return false;
    write_models(w, model_files);
    if (scene->body_count == 0) {
        pli_json_begin_array(&w->json, "bodies");
        pli_json_end_array(&w->json);
    }
    write_all(w, "bodies", scene->body_count, write_body);
    write_all(w, "planes", scene->plane_count, write_plane);
    write_shapes(w);
    write_all(w, "colliders", scene->collider_count, write_collider);
    write_all(w, "attachments", scene->attachment_count, write_attachment);
    write_all(w, "forces", scene->force_count, write_force);
    write_all(w, "motors", scene->motor_count, write_motor);
    if (scene->driver_count > 0)
        write_drivers(w);
    pli_json_end_object(&w->json);
    return !w->json.failed;
}

// A text that is only measured where there is no room for it.
typedef struct layout {
    char *text; // or NULL
    size_t size;
    int depth;
} layout;

static void put(layout *to, char c)
{
    if (to->text)
        to->text[to->size] = c;
    ++to->size;
}

static void break_line(layout *to)
{
    put(to, '\n');
    for (int k = 0; k < 2 * to->depth; ++k)
        put(to, ' ');
}

// The levels whose things have a line each.
enum { LEVELS = 2 };

// What stands between texts: brackets, commas, colons and numbers.
static void put_mark(layout *to, char before, char c, char after)
{
    if (c == '}' || c == ']') {
        bool is_empty = before == '{' || before == '[';
        if (to->depth-- <= LEVELS && !is_empty)
            break_line(to);
        put(to, c);
        return;
    }
    put(to, c);
    bool opens = c == '{' || c == '[', is_empty = after == '}' || after == ']';
    to->depth += opens;
    if ((c == ',' || (opens && !is_empty)) && to->depth <= LEVELS)
        break_line(to);
    else if (c == ',' || c == ':')
        put(to, ' ');
}

// Lines for people, of a text that has none. Returns its size.
static size_t lay_out(const json_writer *json, char *text)
{
    layout to = {.text = text};
    bool in_string = false;
    char before = 0;
    for (size_t i = 0; i < json->size; ++i) {
        char c = json->data[i];
        if (c == '"')
            in_string = !in_string;
        if (in_string || c == '"')
            put(&to, c);
        else
            put_mark(&to, before, c, json->data[i + 1]);
        if (in_string && c == '\\')
            put(&to, json->data[++i]);
        before = c;
    }
    put(&to, '\n');
    return to.size;
}

static pliant_result check_files(const pliant_scene *scene, const char *const *model_files,
                                 pliant_error *error)
{
    for (int i = 0; i < scene->model_count; ++i) {
        const char *at = model_files[i], *end = at ? at + strlen(at) : NULL;
        if (!at || !at[0])
            return pli_error_set_at(error, PLIANT_ERROR_ARGUMENT, "model file", i, "has no name");
        while (at < end) {
            int length = pli_utf8_length(at, end);
            if (length == 0)
                return pli_error_set_at(error, PLIANT_ERROR_ARGUMENT, "model file", i,
                                        "its name is not UTF-8, which JSON has to be");
            at += length;
        }
    }
    return PLIANT_OK;
}

pliant_result pliant_scene_write(const pliant_scene *scene, const char *const *model_files,
                                 char **text, size_t *size, pliant_error *error)
{
    pliant_result result = check_files(scene, model_files, error);
    if (result != PLIANT_OK)
        return result;
    scene_writer w = {.scene = scene};
    char *out = NULL;
    if (name_all(&w, model_files) && write_scene(&w, model_files)) {
        result = pli_scene_check_text(w.json.data, w.json.size, scene, error);
        if (result == PLIANT_OK) {
            *size = lay_out(&w.json, NULL);
            out = malloc(*size + 1);
        }
    }
    if (out) {
        lay_out(&w.json, out);
        out[*size] = 0;
        *text = out;
    } else if (result == PLIANT_OK || result == PLIANT_ERROR_MEMORY) {
        result = pli_error_memory(error);
    } else {
        // The file would be at fault; so far it is what the caller gave.
        result = PLIANT_ERROR_ARGUMENT;
        if (error)
            error->code = result;
    }
    free(w.models);
    free(w.bodies);
    free(w.colliders);
    pli_json_writer_release(&w.json);
    return result;
}
