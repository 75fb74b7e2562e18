// Shapes and colliders in a scene file. A collider names a shape or describes one of its own.

#include "scene/scene_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Arrays

// Reads every item of an array as `f` describes it, in new memory: free() it.
static bool read_array(field_reader *reader, const char *key, json_value array, const field *f,
                       size_t size, void **items, int *count)
{
    size_t before = pli_field_enter_key(reader, key);
    if (pli_json_type_of(reader->json, array) != JSON_TYPE_ARRAY)
        return pli_field_expect(reader, array, "an array");
    *items = malloc((size_t)pli_json_size(reader->json, array) * size + 1);
    if (!*items)
        return pli_field_fail_memory(reader);
    for (json_value v = pli_json_first(reader->json, array); v != JSON_NONE;
         v = pli_json_next(reader->json, v)) {
        size_t outer = pli_field_enter_item(reader, *count);
        if (!pli_field_read(reader, v, f, (char *)*items + (size_t)*count * size))
            return false;
        ++*count;
        pli_field_leave(reader, outer);
    }
    pli_field_leave(reader, before);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Shapes

#define KIND_NAMES                                                                                 \
    "\"plane\", \"sphere\", \"capsule\", \"box\", \"hull\", \"mesh\", \"heightfield\""

static kind_values no_kinds(void)
{
    kind_values values;
    for (int i = 0; i < SCENE_SHAPE_KINDS; ++i)
        values.at[i] = JSON_NONE;
    return values;
}

static int count_kinds(const kind_values *values)
{
    int count = 0;
    for (int i = 0; i < SCENE_SHAPE_KINDS; ++i)
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
        pli_field_enter_key(reader, "heights");
        return pli_field_fail(reader, "expected columns times rows, %lld heights, found %d",
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
        return pli_field_fail_inside(&r->fields, &inner);
    *index = pliant_scene_add_shape(r->scene, shape);
    return *index >= 0 || pli_field_fail_memory(&r->fields);
}

// Adds the shape that one of `values` describes.
static bool add_shape(scene_reader *r, const kind_values *values, int *index)
{
    int kind = 0;
    while (values->at[kind] == JSON_NONE)
        ++kind;
    const scene_shape_kind *shape = &pli_scene_shape_kinds[kind];
    shape_spec spec = {.def = pliant_default_shape_def(shape->kind),
                       .points = JSON_NONE,
                       .triangles = JSON_NONE,
                       .heights = JSON_NONE};
    size_t before = pli_field_enter_key(&r->fields, shape->key);
    bool ok = pli_field_read_table(&r->fields, values->at[kind], &shape->table, &spec) &&
              read_arrays(&r->fields, &spec);
    if (ok) {
        pli_field_leave(&r->fields, before);
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
    if (!pli_field_read_table(reader, value, &pli_scene_kind_table, &values))
        return false;
    if (count_kinds(&values) != 1)
        return pli_field_fail(reader, "expected one of " KIND_NAMES ", found %d",
                              count_kinds(&values));
    int index;
    return add_shape(r, &values, &index);
}

bool pli_scene_read_shapes(scene_reader *r)
{
    if (r->spec.shapes == JSON_NONE)
        return true;
    size_t before = pli_field_enter_key(&r->fields, "shapes");
    if (!pli_field_read_named(&r->fields, r->spec.shapes, "an object of shapes by name", read_shape,
                              r))
        return false;
    pli_field_leave(&r->fields, before);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Colliders

static bool check_name(scene_reader *r, pliant_scene_collider *collider, int index)
{
    if (!collider->name[0])
        snprintf(collider->name, sizeof collider->name, "collider %d", index);
    for (int i = 0; i < r->scene->collider_count; ++i) {
        if (strcmp(r->scene->colliders[i].name, collider->name) == 0) {
            pli_field_enter_key(&r->fields, "name");
            return pli_field_fail(&r->fields, "there is a collider \"%s\" already", collider->name);
        }
    }
    return true;
}

bool pli_scene_read_collider(scene_reader *r, json_value value, int index)
{
    collider_spec spec = {
        .collider = pliant_default_scene_collider(), .shape = JSON_NONE, .kinds = no_kinds()};
    if (!pli_field_read_table(&r->fields, value, &pli_scene_collider_table, &spec) ||
        !check_name(r, &spec.collider, index))
        return false;
    bool is_named = spec.shape != JSON_NONE;
    int found = is_named + count_kinds(&spec.kinds);
    if (found != 1)
        return pli_field_fail(&r->fields, "expected one of \"shape\", " KIND_NAMES ", found %d",
                              found);
    bool ok =
        is_named ? pli_scene_read_name(r, "shape", r->spec.shapes, spec.shape, &spec.collider.shape)
                 : add_shape(r, &spec.kinds, &spec.collider.shape);
    if (!ok)
        return false;
    spec.collider.def.shape = r->scene->shapes[spec.collider.shape];
    return pliant_scene_add_collider(r->scene, &spec.collider) >= 0 ||
           pli_field_fail_memory(&r->fields);
}
