// Animations as clips of a rig.

#include "gltf_accessor.h"
#include "gltf_part.h"
#include "gltf_rig.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct clip_reader {
    rig_reader *rig;
    int sampler_count;
    json_value *samplers;                // of the animation
    int32_t *first_times, *first_values; // of each accessor: where it has been read to, NOT_…
} clip_reader;

// Instead of where the numbers of an accessor begin.
enum { NOT_READ = -1, NOT_FINITE = -2 };

// Appends an accessor's numbers to a list, unless that was done already, or one of them is no float. *first is where they
// begin.
static bool append_numbers(rig_reader *r, int accessor, rig_numbers *list, int32_t *first)
{
    if (*first != NOT_READ)
        return true;
    gltf_accessor a = pli_gltf_accessor(r->gltf, accessor);
    int64_t count = (int64_t)a.count * a.components;
    double *numbers = pli_gltf_check_read(&r->check, accessor);
    if (!numbers)
        return false;
    *first = list->count;
    for (int64_t i = 0; i < count && *first != NOT_FINITE; ++i)
        if (!pli_gltf_is_float(numbers[i]))
            *first = NOT_FINITE;
    bool good = true;
    for (int64_t i = 0; i < count && *first != NOT_FINITE && good; ++i)
        good = LIST_APPEND(list, (float)numbers[i]) || pli_gltf_fail_memory(&r->check);
    free(numbers);
    return good;
}

static bool find_path(const json_document *json, json_value target, pliant_rig_path *path)
{
    static const char *const names[] = {"translation", "rotation", "scale", "weights"};
    json_value value = pli_json_get(json, target, "path");
    for (int i = 0; i < 4; ++i) {
        *path = (pliant_rig_path)i;
        if (pli_json_string_is(json, value, names[i]))
            return true;
    }
    return false;
}

static pliant_rig_sampling sampling_of(const json_document *json, json_value sampler)
{
    json_value name = pli_json_get(json, sampler, "interpolation");
    if (pli_json_string_is(json, name, "STEP"))
        return PLIANT_RIG_STEP;
    return pli_json_string_is(json, name, "CUBICSPLINE") ? PLIANT_RIG_CUBIC : PLIANT_RIG_LINEAR;
}

// Whether the accessors of a sampler hold what a channel needs, before they are read.
static const char *find_shape_fault(const rig_reader *r, const pliant_rig_channel *channel,
                                    gltf_accessor times, gltf_accessor values)
{
    static const int widths[] = {3, 4, 3, 1};
    int64_t each = channel->sampling == PLIANT_RIG_CUBIC ? 3 : 1;
    if (channel->path == PLIANT_RIG_WEIGHTS)
        each *= r->nodes.items[channel->node].weight_count;
    if (times.components != 1 || times.component_type != GLTF_FLOAT)
        return "its times are no floats";
    if (values.components != widths[channel->path] || each == 0 ||
        values.count != times.count * each)
        return "its keys have not one value each";
    return NULL;
}

static const char *find_number_fault(const rig_reader *r, const pliant_rig_channel *channel)
{
    if (channel->first_time == NOT_FINITE || channel->first_value == NOT_FINITE)
        return "a number of its keys is not finite";
    const float *times = r->times.items + channel->first_time;
    bool is_rising = times[0] >= 0.0f;
    for (int i = 1; i < channel->key_count && is_rising; ++i)
        is_rising = times[i] > times[i - 1];
    return is_rising ? NULL : "its times do not rise from 0 on";
}

// One that moves no node, or something that an extension adds, is not the rig's, nor are keys whose times only an extension
// could tell.
static bool append_channel(clip_reader *c, json_value value, int clip, int index)
{
    rig_reader *r = c->rig;
    json_value target = pli_json_get(r->json, value, "target");
    int64_t number = pli_gltf_integer(r->json, value, "sampler", 0);
    json_value sampler = number < c->sampler_count ? c->samplers[number] : JSON_NONE;
    pliant_rig_channel channel = {.node = pli_gltf_reference(r->gltf, target, "node"),
                                  .sampling = sampling_of(r->json, sampler)};
    int input = pli_gltf_reference(r->gltf, sampler, "input");
    int output = pli_gltf_reference(r->gltf, sampler, "output");
    if (channel.node < 0 || !find_path(r->json, target, &channel.path) ||
        pli_gltf_is_blank(r->gltf, input))
        return true;
    gltf_accessor times = pli_gltf_accessor(r->gltf, input);
    gltf_accessor values = pli_gltf_accessor(r->gltf, output);
    const char *fault = find_shape_fault(r, &channel, times, values);
    if (!fault) {
        if (!append_numbers(r, input, &r->times, &c->first_times[input]) ||
            !append_numbers(r, output, &r->values, &c->first_values[output]) ||
            !pli_gltf_spend(&r->check, times.count))
            return false;
        channel.key_count = times.count;
        channel.first_time = c->first_times[input];
        channel.first_value = c->first_values[output];
        fault = find_number_fault(r, &channel);
    }
    if (fault) {
        char place[GLTF_PLACE_SIZE];
        snprintf(place, sizeof place, "animations[%d].channels[%d]", clip, index);
        pli_remark_add(r->check.remarks, place, "%s: it is left out of the rig", fault);
        return true;
    }
    return LIST_APPEND(&r->channels, channel) || pli_gltf_fail_memory(&r->check);
}

static bool list_samplers(clip_reader *c, json_value animation)
{
    const json_document *json = c->rig->json;
    json_value array = pli_json_get(json, animation, "samplers");
    c->sampler_count = 0;
    c->samplers = malloc(((size_t)pli_json_size(json, array) + 1) * sizeof *c->samplers);
    if (!c->samplers)
        return pli_gltf_fail_memory(&c->rig->check);
    for (json_value v = pli_json_first(json, array); v != JSON_NONE; v = pli_json_next(json, v))
        c->samplers[c->sampler_count++] = v;
    return true;
}

static bool append_clip(clip_reader *c, int index)
{
    rig_reader *r = c->rig;
    json_value animation = r->gltf->animations.items[index];
    json_value channels = pli_json_get(r->json, animation, "channels");
    pliant_rig_clip clip = {.first_channel = r->channels.count};
    pli_gltf_copy_name(r->gltf, animation, clip.name);
    bool good = list_samplers(c, animation);
    int number = 0;
    for (json_value v = pli_json_first(r->json, channels); v != JSON_NONE && good;
         v = pli_json_next(r->json, v))
        good = append_channel(c, v, index, number++);
    free(c->samplers);
    clip.channel_count = r->channels.count - clip.first_channel;
    return good && (LIST_APPEND(&r->clips, clip) || pli_gltf_fail_memory(&r->check));
}

bool pli_gltf_read_rig_clips(rig_reader *r)
{
    int count = r->gltf->accessors.count;
    clip_reader c = {.rig = r};
    c.first_times = malloc(((size_t)count + 1) * sizeof *c.first_times);
    c.first_values = malloc(((size_t)count + 1) * sizeof *c.first_values);
    bool good = (c.first_times && c.first_values) || pli_gltf_fail_memory(&r->check);
    for (int i = 0; i < count && good; ++i)
        c.first_times[i] = c.first_values[i] = NOT_READ;
    for (int i = 0; i < r->gltf->animations.count && good; ++i)
        good = append_clip(&c, i);
    free(c.first_times);
    free(c.first_values);
    return good;
}
