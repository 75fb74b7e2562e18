// Reading attributes of parts.

#include "gltf_part.h"

#include "gltf_accessor.h"
#include "io/utf8.h"
#include "math/scalar.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

json_value pli_gltf_part_attributes(const pliant_gltf *gltf, const gltf_part *part)
{
    return pli_json_get(gltf->json, part->primitive_value, "attributes");
}

bool pli_gltf_part_fail(gltf_check *check, const gltf_part *part, const char *message,
                        const char *where)
{
    return pli_gltf_fail(check, message, "meshes[%d].primitives[%d]%s", part->mesh, part->primitive,
                         where);
}

// Whether an accessor, where it refers to bytes, has them.
static bool has_bytes(const pliant_gltf *gltf, int accessor)
{
    json_value value = gltf->accessors.items[accessor];
    return pli_gltf_reference(gltf, value, "bufferView") < 0 || pli_gltf_data(gltf, value);
}

bool pli_gltf_part_read(gltf_check *check, const gltf_part *part, int accessor, double *values)
{
    gltf_accessor a = pli_gltf_accessor(check->gltf, accessor);
    if (!has_bytes(check->gltf, accessor))
        return pli_gltf_part_fail(check, part, "its buffer has no data", "");
    if (!pli_gltf_spend(check, (int64_t)a.count * a.components))
        return false;
    pli_gltf_read_doubles(check->gltf, accessor, values);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Influences

static int find_set(const pliant_gltf *gltf, json_value attributes, const char *name, int set)
{
    char key[32];
    snprintf(key, sizeof key, "%s_%d", name, set);
    return pli_gltf_reference(gltf, attributes, key);
}

static bool count_sets(gltf_check *check, json_value attributes, int *count)
{
    *count = 0;
    while (find_set(check->gltf, attributes, "JOINTS", *count) >= 0 &&
           find_set(check->gltf, attributes, "WEIGHTS", *count) >= 0) {
        if (!pli_gltf_spend(check, pli_json_size(check->json, attributes)))
            return false;
        ++*count;
    }
    return true;
}

bool pli_gltf_part_read_influences(gltf_check *check, const gltf_part *part, int vertex_count,
                                   gltf_influences *read)
{
    json_value attributes = pli_gltf_part_attributes(check->gltf, part);
    if (!count_sets(check, attributes, &read->set_count) ||
        !pli_gltf_spend(check, (int64_t)read->set_count * vertex_count))
        return false;
    size_t count = (size_t)read->set_count * (size_t)vertex_count * 4;
    read->joints = malloc((count + 1) * sizeof *read->joints);
    read->weights = malloc((count + 1) * sizeof *read->weights);
    if (!read->joints || !read->weights)
        return pli_gltf_fail_memory(check);
    for (int i = 0; i < read->set_count; ++i) {
        size_t first = (size_t)i * (size_t)vertex_count * 4;
        int joints = find_set(check->gltf, attributes, "JOINTS", i);
        int weights = find_set(check->gltf, attributes, "WEIGHTS", i);
        if (!pli_gltf_part_read(check, part, joints, read->joints + first) ||
            !pli_gltf_part_read(check, part, weights, read->weights + first))
            return false;
    }
    return true;
}

void pli_gltf_influences_release(gltf_influences *influences)
{
    free(influences->joints);
    free(influences->weights);
}

size_t pli_gltf_influence_at(int vertex_count, int vertex, int index)
{
    return ((size_t)(index / 4) * (size_t)vertex_count + (size_t)vertex) * 4 + (size_t)(index % 4);
}

// ---------------------------------------------------------------------------------------------
// Names and numbers

void pli_gltf_copy_string(const json_document *json, json_value string, char name[64])
{
    size_t length = pli_json_string(json, string, name, 64);
    const char *at = name, *const end = name + (length < 63 ? length : 63);
    for (int size = 1; at < end && size > 0; at += size)
        size = pli_utf8_length(at, end);
    name[at - name] = 0;
}

void pli_gltf_copy_name(const pliant_gltf *gltf, json_value object, char name[64])
{
    pli_gltf_copy_string(gltf->json, pli_json_get(gltf->json, object, "name"), name);
}

bool pli_gltf_is_float(double value)
{
    return value >= -(double)FLT_MAX && value <= (double)FLT_MAX;
}

float pli_gltf_to_float(double value)
{
    return pli_gltf_is_float(value) ? (float)value : INFINITY;
}
