// Animations: samplers have keys in order, channels fit what they move.

#include "gltf_accessor.h"
#include "gltf_check.h"
#include "gltf_semantic.h"
#include "math/scalar.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef enum channel_path {
    PATH_TRANSLATION,
    PATH_ROTATION,
    PATH_SCALE,
    PATH_WEIGHTS,
    PATH_COUNT,
} channel_path;

typedef struct animation_check {
    gltf_check *c;
    int *last; // of each path of each node: the last animation that moves it, counted from 1
    int index;
    int sampler_count;
    json_value *samplers;
    bool *are_unit; // of each accessor: its quaternions were looked at
} animation_check;

// ---------------------------------------------------------------------------------------------
// Samplers

static bool is_cubic(const animation_check *a, json_value sampler)
{
    return pli_json_string_is(a->c->json, pli_json_get(a->c->json, sampler, "interpolation"),
                              "CUBICSPLINE");
}

static bool check_times(animation_check *a, int accessor, const char *place)
{
    gltf_check *c = a->c;
    if (pli_gltf_is_blank(c->gltf, accessor))
        return true;
    int count = pli_gltf_accessor(c->gltf, accessor).count;
    double *times = pli_gltf_check_read(c, accessor);
    if (!times)
        return false;
    bool is_rising = times[0] >= 0.0;
    for (int i = 1; i < count && is_rising; ++i)
        is_rising = times[i] > times[i - 1];
    free(times);
    return is_rising || pli_gltf_remark(c, "the times do not rise from 0 on", "%s.input", place);
}

static bool check_sampler(animation_check *a, int index)
{
    gltf_check *c = a->c;
    json_value sampler = a->samplers[index];
    int input = pli_gltf_reference(c->gltf, sampler, "input");
    int output = pli_gltf_reference(c->gltf, sampler, "output");
    json_value times = c->gltf->accessors.items[input];
    gltf_accessor format = pli_gltf_accessor(c->gltf, input);
    char place[64];
    snprintf(place, sizeof place, "animations[%d].samplers[%d]", a->index, index);
    if (pli_gltf_has_stride(c, times))
        pli_gltf_remark(c, "times have no stride", "%s.input", place);
    if (pli_gltf_has_stride(c, c->gltf->accessors.items[output]))
        pli_gltf_remark(c, "values of keys have no stride", "%s.output", place);
    if (pli_json_get(c->json, times, "min") == JSON_NONE ||
        pli_json_get(c->json, times, "max") == JSON_NONE)
        pli_gltf_remark(c, "the accessor needs min and max", "%s.input", place);
    if (is_cubic(a, sampler) && format.count < 2)
        pli_gltf_remark(c, "a spline needs two keys", "%s.input", place);
    if (format.components != 1 || format.component_type != GLTF_FLOAT)
        return pli_gltf_remark(c, "expected floats", "%s.input", place);
    return check_times(a, input, place);
}

// ---------------------------------------------------------------------------------------------
// Channels

// PATH_COUNT for one that an extension adds.
static channel_path find_path(const animation_check *a, json_value target)
{
    static const char *const names[] = {"translation", "rotation", "scale", "weights"};
    json_value path = pli_json_get(a->c->json, target, "path");
    int i = 0;
    while (i < PATH_COUNT && !pli_json_string_is(a->c->json, path, names[i]))
        ++i;
    return (channel_path)i;
}

static void check_target(animation_check *a, json_value target, channel_path path,
                         const char *place)
{
    gltf_check *c = a->c;
    int node = pli_gltf_reference(c->gltf, target, "node");
    if (node < 0)
        return;
    json_value value = c->gltf->nodes.items[node];
    int mesh = pli_gltf_reference(c->gltf, value, "mesh");
    int *last = &a->last[node * PATH_COUNT + path];
    if (*last == a->index + 1)
        pli_gltf_remark(c, "another channel has the same", "%s.target", place);
    *last = a->index + 1;
    if (path == PATH_WEIGHTS && (mesh < 0 || c->meshes[mesh].target_count == 0))
        pli_gltf_remark(c, "the node has no morph targets", "%s.target", place);
    if (path != PATH_WEIGHTS && pli_json_get(c->json, value, "matrix") != JSON_NONE)
        pli_gltf_remark(c, "the node has a matrix", "%s.target", place);
}

static bool is_right_format(const gltf_accessor *output, channel_path path)
{
    static const int components[PATH_COUNT] = {3, 4, 3, 1};
    bool is_float = output->component_type == GLTF_FLOAT;
    bool may_be_scaled = path == PATH_ROTATION || path == PATH_WEIGHTS;
    return output->components == components[path] &&
           (is_float ||
            (may_be_scaled && output->is_normalized && output->component_type != GLTF_UINT));
}

// One value for each key, three for a spline, as many as there are targets for weights.
static void check_count(animation_check *a, json_value sampler, const gltf_accessor *output,
                        int64_t targets, const char *place)
{
    int input = pli_gltf_reference(a->c->gltf, sampler, "input");
    int64_t keys = pli_gltf_accessor(a->c->gltf, input).count;
    if (output->count != keys * targets * (is_cubic(a, sampler) ? 3 : 1))
        pli_gltf_remark(a->c, "its keys have not one value each", "%s.sampler", place);
}

static bool check_quaternions(animation_check *a, json_value sampler, int output, const char *place)
{
    gltf_check *c = a->c;
    if (a->are_unit[output] || pli_gltf_is_blank(c->gltf, output))
        return true;
    a->are_unit[output] = true;
    int count = pli_gltf_accessor(c->gltf, output).count;
    double *values = pli_gltf_check_read(c, output);
    if (!values)
        return false;
    bool is_unit = true, has_tangents = is_cubic(a, sampler);
    for (int i = 0; i < count && is_unit; ++i) {
        const double *q = values + 4 * (size_t)i;
        double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        is_unit = (has_tangents && i % 3 != 1) || fabs(length - 1.0) <= 0.00769;
    }
    free(values);
    return is_unit || pli_gltf_remark(c, "a rotation is not of unit length", "%s.sampler", place);
}

static bool check_channel(animation_check *a, json_value channel, int index)
{
    gltf_check *c = a->c;
    char place[64];
    snprintf(place, sizeof place, "animations[%d].channels[%d]", a->index, index);
    int64_t number = pli_gltf_integer(c->json, channel, "sampler", 0);
    if (number >= a->sampler_count)
        return pli_gltf_fail(c, "it refers to nothing", "%s.sampler", place);
    json_value sampler = a->samplers[number];
    json_value target = pli_json_get(c->json, channel, "target");
    int output = pli_gltf_reference(c->gltf, sampler, "output");
    int node = pli_gltf_reference(c->gltf, target, "node");
    channel_path path = find_path(a, target);
    gltf_accessor format = pli_gltf_accessor(c->gltf, output);
    if (path == PATH_COUNT)
        return true;
    check_target(a, target, path, place);
    if (!is_right_format(&format, path))
        return pli_gltf_remark(c, "not the right type of accessor for the path", "%s.sampler",
                               place);
    int mesh = node < 0 ? -1 : pli_gltf_reference(c->gltf, c->gltf->nodes.items[node], "mesh");
    int targets = path != PATH_WEIGHTS ? 1 : mesh < 0 ? 0 : c->meshes[mesh].target_count;
    if (targets > 0)
        check_count(a, sampler, &format, targets, place);
    return path != PATH_ROTATION || check_quaternions(a, sampler, output, place);
}

// ---------------------------------------------------------------------------------------------
// All of it

static bool list_samplers(animation_check *a, json_value animation)
{
    json_value array = pli_json_get(a->c->json, animation, "samplers");
    a->sampler_count = pli_json_size(a->c->json, array);
    a->samplers = malloc(((size_t)a->sampler_count + 1) * sizeof *a->samplers);
    if (!a->samplers)
        return pli_gltf_fail_memory(a->c);
    int index = 0;
    for (json_value v = pli_json_first(a->c->json, array); v != JSON_NONE;
         v = pli_json_next(a->c->json, v))
        a->samplers[index++] = v;
    return true;
}

static bool check_animation(animation_check *a)
{
    gltf_check *c = a->c;
    json_value animation = c->gltf->animations.items[a->index];
    json_value channels = pli_json_get(c->json, animation, "channels");
    bool good = list_samplers(a, animation);
    for (int i = 0; i < a->sampler_count && good; ++i)
        good = check_sampler(a, i);
    int index = 0;
    for (json_value v = pli_json_first(c->json, channels); v != JSON_NONE && good;
         v = pli_json_next(c->json, v))
        good = check_channel(a, v, index++);
    free(a->samplers);
    return good;
}

bool pli_gltf_check_animations(gltf_check *c)
{
    animation_check a = {.c = c};
    a.last = calloc((size_t)c->gltf->nodes.count + 1, PATH_COUNT * sizeof *a.last);
    a.are_unit = calloc((size_t)c->gltf->accessors.count + 1, sizeof *a.are_unit);
    bool good = a.last && a.are_unit ? true : pli_gltf_fail_memory(c);
    for (; a.index < c->gltf->animations.count && good; ++a.index)
        good = check_animation(&a);
    free(a.last);
    free(a.are_unit);
    return good;
}
