// Shapes and colliders in a scene file. A collider names a shape or describes one of its own.

#include "scene/scene_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

// ---------------------------------------------------------------------------------------------
// Arrays

// Reads every item of an array as `f` describes it, in new memory: free() it.
static bool read_array(field_reader *reader, const char *key, json_value array, const field *f,
                       size_t size, void **items, int *count)
{
    size_t before = pliant_field_enter_key(reader, key);
    if (pliant_json_type_of(reader->json, array) != JSON_TYPE_ARRAY)
        return pliant_field_expect(reader, array, "an array");
    *items = malloc((size_t)pliant_json_size(reader->json, array) * size + 1);
    if (!*items)
        return pliant_field_fail_memory(reader);
    for (json_value v = pliant_json_first(reader->json, array); v != JSON_NONE;
         v = pliant_json_next(reader->json, v)) {
        size_t outer = pliant_field_enter_item(reader, *count);
        if (!pliant_field_read(reader, v, f, (char *)*items + (size_t)*count * size))
            return false;
        ++*count;
        pliant_field_leave(reader, outer);
    }
    pliant_field_leave(reader, before);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Shapes

// A shape as it is written, and its arrays once they are read.
typedef struct shape_spec {
    pliant_shape_def def;
    json_value points, triangles, heights;
    void *point_array, *triangle_array, *height_array;
} shape_spec;

static const field sphere_fields[] = {
    {"radius", FIELD_FLOAT, offsetof(shape_spec, def.radius), FIELD_SIZE, false},
};

static const field capsule_fields[] = {
    {"radius", FIELD_FLOAT, offsetof(shape_spec, def.radius), FIELD_SIZE, false},
    {"half_length", FIELD_FLOAT, offsetof(shape_spec, def.half_length), 0, 1e5, false, false,
     false},
};

static const field box_fields[] = {
    {"half_size", FIELD_VEC3, offsetof(shape_spec, def.half_size), FIELD_SIZE, false},
};

static const field hull_fields[] = {
    {"points", FIELD_VALUE, offsetof(shape_spec, points), FIELD_ANY, true},
    {"triangles", FIELD_VALUE, offsetof(shape_spec, triangles), FIELD_ANY, false},
};

static const field mesh_fields[] = {
    {"points", FIELD_VALUE, offsetof(shape_spec, points), FIELD_ANY, true},
    {"triangles", FIELD_VALUE, offsetof(shape_spec, triangles), FIELD_ANY, true},
};

static const field heightfield_fields[] = {
    {"columns", FIELD_INT, offsetof(shape_spec, def.columns), 2, 1e6, false, false, true},
    {"rows", FIELD_INT, offsetof(shape_spec, def.rows), 2, 1e6, false, false, true},
    {"spacing", FIELD_FLOAT, offsetof(shape_spec, def.spacing), FIELD_SIZE, false},
    {"heights", FIELD_VALUE, offsetof(shape_spec, heights), FIELD_ANY, true},
};

enum { KIND_COUNT = 7 };

static const struct {
    const char *key;
    pliant_shape_kind kind;
    const field *fields;
    int field_count;
} kinds[KIND_COUNT] = {
    {"plane", PLIANT_SHAPE_PLANE, NULL, 0},
    {"sphere", PLIANT_SHAPE_SPHERE, sphere_fields, COUNT(sphere_fields)},
    {"capsule", PLIANT_SHAPE_CAPSULE, capsule_fields, COUNT(capsule_fields)},
    {"box", PLIANT_SHAPE_BOX, box_fields, COUNT(box_fields)},
    {"hull", PLIANT_SHAPE_HULL, hull_fields, COUNT(hull_fields)},
    {"mesh", PLIANT_SHAPE_MESH, mesh_fields, COUNT(mesh_fields)},
    {"heightfield", PLIANT_SHAPE_HEIGHTFIELD, heightfield_fields, COUNT(heightfield_fields)},
};

// The value at each kind's key, and a table's entries for them.
typedef struct kind_values {
    json_value at[KIND_COUNT];
} kind_values;

#define KIND(index, key, type, array)                                                              \
    {                                                                                              \
        key, FIELD_VALUE, offsetof(type, array[index]), FIELD_ANY, false                           \
    }
#define KINDS(type, array)                                                                         \
    KIND(0, "plane", type, array), KIND(1, "sphere", type, array),                                 \
        KIND(2, "capsule", type, array), KIND(3, "box", type, array),                              \
        KIND(4, "hull", type, array), KIND(5, "mesh", type, array),                                \
        KIND(6, "heightfield", type, array)
#define KIND_NAMES                                                                                 \
    "\"plane\", \"sphere\", \"capsule\", \"box\", \"hull\", \"mesh\", \"heightfield\""

static const field kind_fields[] = {KINDS(kind_values, at)};

static kind_values no_kinds(void)
{
    kind_values values;
    for (int i = 0; i < KIND_COUNT; ++i)
        values.at[i] = JSON_NONE;
    return values;
}

static int count_kinds(const kind_values *values)
{
    int count = 0;
    for (int i = 0; i < KIND_COUNT; ++i)
        count += values->at[i] != JSON_NONE;
    return count;
}

static bool read_heights(field_reader *reader, shape_spec *spec)
{
    const field height = {.kind = FIELD_FLOAT, .minimum = -1e6, .maximum = 1e6};
    int count = 0;
    if (!read_array(reader, "heights", spec->heights, &height, sizeof(float), &spec->height_array,
                    &count))
        return false;
    int64_t expected = (int64_t)spec->def.columns * spec->def.rows;
    if (count != expected) {
        pliant_field_enter_key(reader, "heights");
        return pliant_field_fail(reader, "expected columns times rows, %lld heights, found %d",
                                 (long long)expected, count);
    }
    spec->def.heights = spec->height_array;
    return true;
}

static bool read_arrays(field_reader *reader, shape_spec *spec)
{
    pliant_shape_def *def = &spec->def;
    if (spec->points != JSON_NONE) {
        const field point = {.kind = FIELD_VEC3, .minimum = -1e6, .maximum = 1e6};
        if (!read_array(reader, "points", spec->points, &point, sizeof(pliant_vec3),
                        &spec->point_array, &def->point_count))
            return false;
        def->points = spec->point_array;
    }
    if (spec->triangles != JSON_NONE) {
        const field corners = {.kind = FIELD_INT3, .maximum = def->point_count - 1};
        if (!read_array(reader, "triangles", spec->triangles, &corners, 3 * sizeof(int32_t),
                        &spec->triangle_array, &def->triangle_count))
            return false;
        def->triangles = spec->triangle_array;
    }
    return spec->heights == JSON_NONE || read_heights(reader, spec);
}

// What pliant_shape_create finds is told at the place where the shape stands.
static bool create_shape(scene_reader *r, const pliant_shape_def *def, int *index)
{
    pliant_error inner = {0};
    pliant_shape *shape = pliant_shape_create(def, NULL, &inner);
    if (!shape)
        return pliant_field_fail_inside(&r->fields, &inner);
    *index = pliant_scene_add_shape(r->scene, shape);
    return *index >= 0 || pliant_field_fail_memory(&r->fields);
}

// Adds the shape that one of `values` describes.
static bool add_shape(scene_reader *r, const kind_values *values, int *index)
{
    int kind = 0;
    while (values->at[kind] == JSON_NONE)
        ++kind;
    shape_spec spec = {.def = pliant_default_shape_def(kinds[kind].kind),
                       .points = JSON_NONE,
                       .triangles = JSON_NONE,
                       .heights = JSON_NONE};
    size_t before = pliant_field_enter_key(&r->fields, kinds[kind].key);
    bool ok = pliant_field_read_object(&r->fields, values->at[kind], kinds[kind].fields,
                                       kinds[kind].field_count, &spec) &&
              read_arrays(&r->fields, &spec);
    if (ok) {
        pliant_field_leave(&r->fields, before);
        ok = create_shape(r, &spec.def, index);
    }
    free(spec.point_array);
    free(spec.triangle_array);
    free(spec.height_array);
    return ok;
}

static bool read_shape(field_reader *reader, json_value value, void *context)
{
    scene_reader *r = context;
    kind_values values = no_kinds();
    if (!pliant_field_read_object(reader, value, kind_fields, COUNT(kind_fields), &values))
        return false;
    if (count_kinds(&values) != 1)
        return pliant_field_fail(reader, "expected one of " KIND_NAMES ", found %d",
                                 count_kinds(&values));
    int index;
    return add_shape(r, &values, &index);
}

bool pliant_scene_read_shapes(scene_reader *r)
{
    if (r->spec.shapes == JSON_NONE)
        return true;
    size_t before = pliant_field_enter_key(&r->fields, "shapes");
    if (!pliant_field_read_named(&r->fields, r->spec.shapes, "an object of shapes by name",
                                 read_shape, r))
        return false;
    pliant_field_leave(&r->fields, before);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Colliders

typedef struct collider_spec {
    pliant_scene_collider collider;
    json_value shape;
    kind_values kinds; // instead of a shape's name
} collider_spec;

#define COLLIDER(name, member, kind, ...)                                                          \
    {                                                                                              \
        name, kind, offsetof(collider_spec, collider.member), __VA_ARGS__, false                   \
    }

static const field collider_fields[] = {
    COLLIDER("name", name, FIELD_STRING, 0, sizeof((pliant_scene_collider *)0)->name, false, false),
    {"shape", FIELD_VALUE, offsetof(collider_spec, shape), FIELD_ANY, false},
    KINDS(collider_spec, kinds.at),
    COLLIDER("position", def.position, FIELD_VEC3, FIELD_COORDINATE),
    COLLIDER("orientation", def.orientation, FIELD_QUAT, FIELD_ANY),
    COLLIDER("linear_velocity", def.linear_velocity, FIELD_VEC3, FIELD_COORDINATE),
    COLLIDER("angular_velocity", def.angular_velocity, FIELD_VEC3, FIELD_COORDINATE),
    COLLIDER("friction", def.friction, FIELD_FLOAT, FIELD_FRICTION),
    COLLIDER("restitution", def.restitution, FIELD_FLOAT, FIELD_UNIT),
    COLLIDER("layers", def.layers, FIELD_INT, FIELD_LAYERS),
    COLLIDER("mask", def.mask, FIELD_INT, FIELD_LAYERS),
    COLLIDER("colour", colour, FIELD_VEC3, FIELD_UNIT),
};

static bool check_name(scene_reader *r, pliant_scene_collider *collider, int index)
{
    if (!collider->name[0])
        snprintf(collider->name, sizeof collider->name, "collider %d", index);
    for (int i = 0; i < r->scene->collider_count; ++i) {
        if (strcmp(r->scene->colliders[i].name, collider->name) == 0) {
            pliant_field_enter_key(&r->fields, "name");
            return pliant_field_fail(&r->fields, "there is a collider \"%s\" already",
                                     collider->name);
        }
    }
    return true;
}

bool pliant_scene_read_collider(scene_reader *r, json_value value, int index)
{
    collider_spec spec = {
        .collider = pliant_default_scene_collider(), .shape = JSON_NONE, .kinds = no_kinds()};
    if (!pliant_field_read_object(&r->fields, value, collider_fields, COUNT(collider_fields),
                                  &spec) ||
        !check_name(r, &spec.collider, index))
        return false;
    bool is_named = spec.shape != JSON_NONE;
    int found = is_named + count_kinds(&spec.kinds);
    if (found != 1)
        return pliant_field_fail(&r->fields, "expected one of \"shape\", " KIND_NAMES ", found %d",
                                 found);
    bool ok = is_named ? pliant_scene_read_name(r, "shape", r->spec.shapes, spec.shape,
                                                &spec.collider.shape)
                       : add_shape(r, &spec.kinds, &spec.collider.shape);
    if (!ok)
        return false;
    spec.collider.def.shape = r->scene->shapes[spec.collider.shape];
    return pliant_scene_add_collider(r->scene, &spec.collider) >= 0 ||
           pliant_field_fail_memory(&r->fields);
}
