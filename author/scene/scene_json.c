// Scenes as JSON (docs/scene.schema.json): the top level, bodies, planes, forces and drivers. Models
// are in scene_models.c, the checks of single values in fields.c.

#include "scene/scene_models.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

enum { SCENE_VERSION = 1, LONGEST_SECONDS = 86400 };

typedef struct scene_spec {
    int version;
    json_value schema; // only for editors
    json_value world, camera, models, bodies, planes, forces, drivers;
} scene_spec;

// What is being read: the document and where its parts go.
typedef struct scene_reader {
    field_reader fields;
    pliant_scene *scene;
    scene_spec spec;
} scene_reader;

// Calls `read` for each item of one of the scene's arrays, which may be missing.
static bool read_all(scene_reader *r, const char *key, json_value array,
                     bool (*read)(scene_reader *, json_value, int))
{
    if (array == JSON_NONE)
        return true;
    size_t before = pliant_field_enter_key(&r->fields, key);
    if (pliant_json_type_of(r->fields.json, array) != JSON_TYPE_ARRAY)
        return pliant_field_expect(&r->fields, array, "an array");
    int index = 0;
    for (json_value v = pliant_json_first(r->fields.json, array); v != JSON_NONE;
         v = pliant_json_next(r->fields.json, v)) {
        size_t outer = pliant_field_enter_item(&r->fields, index);
        if (!read(r, v, index++))
            return false;
        pliant_field_leave(&r->fields, outer);
    }
    pliant_field_leave(&r->fields, before);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Settings

#define WORLD(name, kind, ...)                                                                     \
    {                                                                                              \
#name, kind, offsetof(pliant_world_def, name), __VA_ARGS__, false                          \
    }

static const field world_fields[] = {
    WORLD(gravity, FIELD_VEC3, FIELD_COORDINATE),
    WORLD(substeps, FIELD_INT, 1, 1000, false, false),
    WORLD(iterations, FIELD_INT, 1, 1000, false, false),
    WORLD(restitution_threshold, FIELD_FLOAT, 0, 1e6, false, false),
};

static bool read_world(scene_reader *r)
{
    if (r->spec.world == JSON_NONE)
        return true;
    size_t before = pliant_field_enter_key(&r->fields, "world");
    if (!pliant_field_read_object(&r->fields, r->spec.world, world_fields, COUNT(world_fields),
                                  &r->scene->world))
        return false;
    pliant_field_leave(&r->fields, before);
    return true;
}

static const field camera_fields[] = {
    {"eye", FIELD_VEC3, offsetof(pliant_scene_camera, eye), FIELD_COORDINATE, true},
    {"target", FIELD_VEC3, offsetof(pliant_scene_camera, target), FIELD_COORDINATE, true},
    {"vertical_fov_degrees", FIELD_FLOAT, offsetof(pliant_scene_camera, vertical_fov), 1, 170,
     false, false, false},
};

static bool read_camera(scene_reader *r)
{
    if (r->spec.camera == JSON_NONE)
        return true;
    size_t before = pliant_field_enter_key(&r->fields, "camera");
    const float radians = 0.0174532925f;
    pliant_scene_camera camera = {.vertical_fov = 45.0f};
    if (!pliant_field_read_object(&r->fields, r->spec.camera, camera_fields, COUNT(camera_fields),
                                  &camera))
        return false;
    camera.vertical_fov *= radians;
    r->scene->camera = camera;
    pliant_field_leave(&r->fields, before);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Bodies and planes

typedef struct body_spec {
    pliant_scene_body body;
    json_value model;
} body_spec;

#define BODY(name, member, kind, ...)                                                              \
    {                                                                                              \
        name, kind, offsetof(body_spec, body.member), __VA_ARGS__, false                           \
    }

static const field body_fields[] = {
    BODY("name", name, FIELD_STRING, 0, sizeof((pliant_scene_body *)0)->name, false, false),
    {"model", FIELD_VALUE, offsetof(body_spec, model), FIELD_ANY, true},
    BODY("position", def.position, FIELD_VEC3, FIELD_COORDINATE),
    BODY("orientation", def.orientation, FIELD_QUAT, FIELD_ANY),
    BODY("linear_velocity", def.linear_velocity, FIELD_VEC3, FIELD_COORDINATE),
    BODY("angular_velocity", def.angular_velocity, FIELD_VEC3, FIELD_COORDINATE),
    BODY("linear_damping", def.linear_damping, FIELD_FLOAT, 0, 1, false, true),
    BODY("angular_damping", def.angular_damping, FIELD_FLOAT, 0, 1, false, true),
    BODY("shape_damping", def.shape_damping, FIELD_FLOAT, 0, 1, false, true),
    BODY("gravity_scale", def.gravity_scale, FIELD_FLOAT, -1e3, 1e3, false, false),
    BODY("friction", def.friction, FIELD_FLOAT, FIELD_FRICTION),
    BODY("restitution", def.restitution, FIELD_FLOAT, FIELD_UNIT),
    BODY("gyroscopic", def.gyroscopic, FIELD_BOOL, FIELD_ANY),
    BODY("self_collision", def.self_collision, FIELD_BOOL, FIELD_ANY),
    BODY("layers", def.layers, FIELD_INT, 0, INT32_MAX, false, false),
    BODY("mask", def.mask, FIELD_INT, 0, INT32_MAX, false, false),
    BODY("colour", colour, FIELD_VEC3, FIELD_UNIT),
};

static int find_body(const pliant_scene *scene, const char *name)
{
    for (int i = 0; i < scene->body_count; ++i) {
        if (strcmp(scene->bodies[i].name, name) == 0)
            return i;
    }
    return -1;
}

// Models are kept in the order of the text, so that a name's place in it is its index.
static bool read_model_name(scene_reader *r, json_value value, int *model)
{
    size_t before = pliant_field_enter_key(&r->fields, "model");
    char name[48];
    if (pliant_json_type_of(r->fields.json, value) != JSON_TYPE_STRING)
        return pliant_field_expect(&r->fields, value, "a model's name");
    size_t length = pliant_json_string(r->fields.json, value, name, sizeof name);
    *model = 0;
    for (json_value key = pliant_json_first(r->fields.json, r->spec.models); key != JSON_NONE;
         key = pliant_json_next(r->fields.json, key), ++*model) {
        if (length < sizeof name && pliant_json_string_is(r->fields.json, key, name)) {
            pliant_field_leave(&r->fields, before);
            return true;
        }
    }
    return pliant_field_fail(&r->fields, "there is no model \"%s\"", name);
}

static bool read_body(scene_reader *r, json_value value, int index)
{
    body_spec spec = {.body = pliant_default_scene_body(), .model = JSON_NONE};
    if (!pliant_field_read_object(&r->fields, value, body_fields, COUNT(body_fields), &spec) ||
        !read_model_name(r, spec.model, &spec.body.model))
        return false;
    if (!spec.body.name[0])
        snprintf(spec.body.name, sizeof spec.body.name, "body %d", index);
    if (find_body(r->scene, spec.body.name) >= 0) {
        pliant_field_enter_key(&r->fields, "name");
        return pliant_field_fail(&r->fields, "there is a body \"%s\" already", spec.body.name);
    }
    spec.body.def.model = r->scene->models[spec.body.model];
    return pliant_scene_add_body(r->scene, &spec.body) >= 0 || pliant_field_fail_memory(&r->fields);
}

static const field plane_fields[] = {
    {"normal", FIELD_DIRECTION, offsetof(pliant_plane_def, normal), FIELD_ANY, true},
    {"offset", FIELD_FLOAT, offsetof(pliant_plane_def, offset), FIELD_COORDINATE, false},
    {"friction", FIELD_FLOAT, offsetof(pliant_plane_def, friction), FIELD_FRICTION, false},
    {"restitution", FIELD_FLOAT, offsetof(pliant_plane_def, restitution), FIELD_UNIT, false},
};

static bool read_plane(scene_reader *r, json_value value, int index)
{
    (void)index;
    pliant_plane_def def = pliant_default_plane_def();
    return pliant_field_read_object(&r->fields, value, plane_fields, COUNT(plane_fields), &def) &&
           (pliant_scene_add_plane(r->scene, &def) >= 0 || pliant_field_fail_memory(&r->fields));
}

// ---------------------------------------------------------------------------------------------
// Forces and drivers

// A body by its name or its index.
static bool read_body_name(scene_reader *r, json_value value, int *body)
{
    size_t before = pliant_field_enter_key(&r->fields, "body");
    if (pliant_json_type_of(r->fields.json, value) == JSON_TYPE_STRING) {
        char name[48];
        size_t length = pliant_json_string(r->fields.json, value, name, sizeof name);
        *body = length < sizeof name ? find_body(r->scene, name) : -1;
        if (*body < 0)
            return pliant_field_fail(&r->fields, "there is no body \"%s\"", name);
    } else if (pliant_json_type_of(r->fields.json, value) == JSON_TYPE_NUMBER) {
        const field index = {.kind = FIELD_INT, .maximum = r->scene->body_count - 1};
        if (!pliant_field_read(&r->fields, value, &index, body))
            return false;
    } else {
        return pliant_field_expect(&r->fields, value, "a body's name or index");
    }
    pliant_field_leave(&r->fields, before);
    return true;
}

static const pliant_model *body_model(const scene_reader *r, int body)
{
    return r->scene->models[r->scene->bodies[body].model];
}

typedef struct force_spec {
    pliant_scene_force force;
    json_value body, particle;
} force_spec;

static const field force_fields[] = {
    {"body", FIELD_VALUE, offsetof(force_spec, body), FIELD_ANY, true},
    {"particle", FIELD_VALUE, offsetof(force_spec, particle), FIELD_ANY, false},
    {"force", FIELD_VEC3, offsetof(force_spec, force.force), FIELD_ANY, true},
    {"begin", FIELD_FLOAT, offsetof(force_spec, force.begin), FIELD_NOT_NEGATIVE, false},
    {"end", FIELD_FLOAT, offsetof(force_spec, force.end), FIELD_NOT_NEGATIVE, false},
};

static bool read_force(scene_reader *r, json_value value, int index)
{
    (void)index;
    force_spec spec = {
        .force = {.particle = -1, .end = FLT_MAX}, .body = JSON_NONE, .particle = JSON_NONE};
    if (!pliant_field_read_object(&r->fields, value, force_fields, COUNT(force_fields), &spec) ||
        !read_body_name(r, spec.body, &spec.force.body))
        return false;
    if (spec.force.end < spec.force.begin) {
        pliant_field_enter_key(&r->fields, "end");
        return pliant_field_fail(&r->fields, "expected a time of at least \"begin\", %g, found %g",
                                 (double)spec.force.begin, (double)spec.force.end);
    }
    if (spec.particle != JSON_NONE) {
        size_t before = pliant_field_enter_key(&r->fields, "particle");
        int count = pliant_model_particle_count(body_model(r, spec.force.body));
        const field particle = {.kind = FIELD_INT, .maximum = count - 1};
        if (!pliant_field_read(&r->fields, spec.particle, &particle, &spec.force.particle))
            return false;
        pliant_field_leave(&r->fields, before);
    }
    return pliant_scene_add_force(r->scene, &spec.force) >= 0 ||
           pliant_field_fail_memory(&r->fields);
}

typedef struct driver_spec {
    pliant_scene_driver driver;
    json_value body, particles, keys;
} driver_spec;

static const field driver_fields[] = {
    {"body", FIELD_VALUE, offsetof(driver_spec, body), FIELD_ANY, true},
    {"particles", FIELD_VALUE, offsetof(driver_spec, particles), FIELD_ANY, true},
    {"pivot", FIELD_VEC3, offsetof(driver_spec, driver.pivot), FIELD_COORDINATE, false},
    {"keys", FIELD_VALUE, offsetof(driver_spec, keys), FIELD_ANY, true},
};

static const field key_fields[] = {
    {"time", FIELD_FLOAT, offsetof(pliant_scene_key, time), FIELD_NOT_NEGATIVE, true},
    {"translation", FIELD_VEC3, offsetof(pliant_scene_key, translation), FIELD_COORDINATE, false},
    {"rotation", FIELD_VEC3, offsetof(pliant_scene_key, rotation), FIELD_COORDINATE, false},
};

static bool read_driven(scene_reader *r, json_value value, pliant_scene_driver *driver)
{
    size_t before = pliant_field_enter_key(&r->fields, "particles");
    const pliant_model *model = body_model(r, driver->body);
    if (!pliant_field_read_indices(&r->fields, value, pliant_model_particle_count(model),
                                   &driver->particles, &driver->particle_count))
        return false;
    if (driver->particle_count == 0)
        return pliant_field_fail(&r->fields, "expected at least one particle");
    for (int i = 0; i < driver->particle_count; ++i) {
        int particle = driver->particles[i];
        if (!(pliant_model_particles(model)[particle].flags & PLIANT_PARTICLE_PINNED)) {
            pliant_field_enter_item(&r->fields, i);
            return pliant_field_fail(&r->fields, "expected a pinned particle, %d is free",
                                     particle);
        }
    }
    pliant_field_leave(&r->fields, before);
    return true;
}

static bool read_keys(scene_reader *r, json_value array, pliant_scene_driver *driver)
{
    size_t before = pliant_field_enter_key(&r->fields, "keys");
    if (pliant_json_type_of(r->fields.json, array) != JSON_TYPE_ARRAY ||
        pliant_json_size(r->fields.json, array) == 0)
        return pliant_field_fail(&r->fields, "expected an array of at least one key");
    driver->keys = calloc((size_t)pliant_json_size(r->fields.json, array), sizeof driver->keys[0]);
    if (!driver->keys)
        return pliant_field_fail_memory(&r->fields);
    for (json_value v = pliant_json_first(r->fields.json, array); v != JSON_NONE;
         v = pliant_json_next(r->fields.json, v)) {
        size_t outer = pliant_field_enter_item(&r->fields, driver->key_count);
        pliant_scene_key *key = &driver->keys[driver->key_count];
        if (!pliant_field_read_object(&r->fields, v, key_fields, COUNT(key_fields), key))
            return false;
        if (driver->key_count > 0 && key->time <= key[-1].time) {
            pliant_field_enter_key(&r->fields, "time");
            return pliant_field_fail(&r->fields,
                                     "expected a time above the key before, %g, found %g",
                                     (double)key[-1].time, (double)key->time);
        }
        ++driver->key_count;
        pliant_field_leave(&r->fields, outer);
    }
    pliant_field_leave(&r->fields, before);
    return true;
}

static bool read_driver(scene_reader *r, json_value value, int index)
{
    (void)index;
    driver_spec spec = {.body = JSON_NONE, .particles = JSON_NONE, .keys = JSON_NONE};
    bool ok =
        pliant_field_read_object(&r->fields, value, driver_fields, COUNT(driver_fields), &spec) &&
        read_body_name(r, spec.body, &spec.driver.body) &&
        read_driven(r, spec.particles, &spec.driver) && read_keys(r, spec.keys, &spec.driver);
    if (ok && pliant_scene_add_driver(r->scene, &spec.driver) < 0)
        ok = pliant_field_fail_memory(&r->fields);
    free(spec.driver.particles);
    free(spec.driver.keys);
    return ok;
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
    TOP(forces),
    TOP(drivers),
};

// Editors find the rules of the format by it; here any text will do.
static bool check_schema(scene_reader *r, json_value schema)
{
    if (schema == JSON_NONE || pliant_json_type_of(r->fields.json, schema) == JSON_TYPE_STRING)
        return true;
    pliant_field_enter_key(&r->fields, "$schema");
    return pliant_field_expect(&r->fields, schema, "a string");
}

static bool read_top_level(scene_reader *r)
{
    top_level top = {.spec = {0, JSON_NONE, JSON_NONE, JSON_NONE, JSON_NONE, JSON_NONE, JSON_NONE,
                              JSON_NONE, JSON_NONE}};
    top.scene.seconds = r->scene->seconds;
    if (!pliant_field_read_object(&r->fields, pliant_json_root(r->fields.json), top_fields,
                                  COUNT(top_fields), &top) ||
        !check_schema(r, top.spec.schema))
        return false;
    if (top.spec.version > SCENE_VERSION) {
        pliant_error_set(r->fields.error, PLIANT_ERROR_VERSION, "pliant",
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

static bool read_scene(scene_reader *r, const char *directory)
{
    if (!read_top_level(r) || !read_world(r) || !read_camera(r))
        return false;
    size_t before = pliant_field_enter_key(&r->fields, "models");
    if (!pliant_scene_read_models(&r->fields, r->spec.models, directory, r->scene))
        return false;
    pliant_field_leave(&r->fields, before);
    return read_all(r, "bodies", r->spec.bodies, read_body) &&
           read_all(r, "planes", r->spec.planes, read_plane) &&
           read_all(r, "forces", r->spec.forces, read_force) &&
           read_all(r, "drivers", r->spec.drivers, read_driver);
}

pliant_scene *pliant_scene_read(const char *text, size_t size, const char *directory,
                                pliant_error *error)
{
    pliant_error local;
    error = error ? error : &local;
    json_document *document = pliant_json_parse(text, size, error);
    if (!document)
        return NULL;
    scene_reader reader = {.fields = {.json = document, .error = error},
                           .scene = pliant_scene_create()};
    if (!reader.scene) {
        pliant_error_memory(error);
    } else if (!read_scene(&reader, directory)) {
        pliant_scene_destroy(reader.scene);
        reader.scene = NULL;
    }
    pliant_json_destroy(document);
    return reader.scene;
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
        pliant_error_memory(error);
    free(directory);
    free(text);
    return scene;
}
