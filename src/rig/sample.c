// Sampling clips: keys and what lies between them, as glTF 2.0 says it (appendix C of its specification).

#include "affine.h"
#include "rig.h"

#include <string.h>

int pli_rig_channel_width(const pliant_rig_def *def, const pliant_rig_channel *channel)
{
    switch (channel->path) {
    case PLIANT_RIG_TRANSLATION:
    case PLIANT_RIG_SCALE:
        return 3;
    case PLIANT_RIG_ROTATION:
        return 4;
    case PLIANT_RIG_WEIGHTS:
        break;
    }
    return def->nodes[channel->node].weight_count;
}

static bool has_clip(const pliant_rig *rig, int clip)
{
    return clip >= 0 && clip < rig->def.clip_count;
}

// ---------------------------------------------------------------------------------------------
// Time

float pliant_rig_clip_seconds(const pliant_rig *rig, int clip)
{
    return has_clip(rig, clip) ? rig->clip_seconds[clip] : 0.0f;
}

double pli_rig_loop(double length, double seconds, int64_t *loops)
{
    const double most = 1e15; // loops; beyond that a double does not know the time within one
    *loops = 0;
    if (!(length > 0.0) || !(seconds / length > -most && seconds / length < most))
        return 0.0;
    *loops = (int64_t)(seconds / length) - (seconds < 0.0);
    double time = seconds - (double)*loops * length;
    if (time >= length) { // a negative number of loops that is whole, or rounding
        *loops += 1;
        time -= length;
    }
    return time > 0.0 ? time : 0.0;
}

double pliant_rig_clip_time(const pliant_rig *rig, int clip, double seconds, pliant_rig_wrap wrap)
{
    double length = (double)pliant_rig_clip_seconds(rig, clip);
    if (wrap == PLIANT_RIG_CLAMP)
        return seconds > 0.0 ? (seconds < length ? seconds : length) : 0.0;
    int64_t loops;
    return pli_rig_loop(length, seconds, &loops);
}

// ---------------------------------------------------------------------------------------------
// Keys

// Where a time lies: between a key and the next, `s` of the way, or at the key.
typedef struct key_place {
    int32_t key;
    float s;       // in [0, 1]
    float seconds; // between the two keys
} key_place;

static key_place find_keys(const float *times, int32_t count, double time)
{
    if (!(time > (double)times[0]))
        return (key_place){.key = 0};
    if (time >= (double)times[count - 1])
        return (key_place){.key = count - 1};
    int32_t low = 0, high = count - 1; // times[low] <= time < times[high]
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if ((double)times[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    double length = (double)times[high] - (double)times[low];
    return (key_place){low, (float)((time - (double)times[low]) / length), (float)length};
}

static quat quat_at(const float *numbers)
{
    return (quat){numbers[0], numbers[1], numbers[2], numbers[3]};
}

static void store_quat(quat q, float *numbers)
{
    numbers[0] = q.x;
    numbers[1] = q.y;
    numbers[2] = q.z;
    numbers[3] = q.w;
}

// v(s) = (2s³ - 3s² + 1) v₀ + t (s³ - 2s² + s) b₀ + (3s² - 2s³) v₁ + t (s³ - s²) a₁ with the out-tangent b₀ of the key before
// and the in-tangent a₁ of the key behind, in values per second, t seconds apart.
static void sample_cubic(const float *keys, int width, key_place at, float *out)
{
    const float *before = keys + (size_t)at.key * 3 * (size_t)width, *behind = before + 3 * width;
    float s = at.s, s2 = s * s, s3 = s2 * s;
    float v0 = 2.0f * s3 - 3.0f * s2 + 1.0f, b0 = at.seconds * (s3 - 2.0f * s2 + s);
    float v1 = 3.0f * s2 - 2.0f * s3, a1 = at.seconds * (s3 - s2);
    for (int k = 0; k < width; ++k)
        out[k] = v0 * before[width + k] + b0 * before[2 * width + k] + v1 * behind[width + k] +
                 a1 * behind[k];
}

static void sample_linear(const float *keys, int width, key_place at, bool is_rotation, float *out)
{
    const float *before = keys + (size_t)at.key * (size_t)width, *behind = before + width;
    if (is_rotation) {
        quat from = unit_or_none(quat_at(before)), to = unit_or_none(quat_at(behind));
        store_quat(quat_slerp(from, to, at.s), out);
        return;
    }
    for (int k = 0; k < width; ++k)
        out[k] = before[k] + at.s * (behind[k] - before[k]);
}

// The channel's value: as many numbers as it is wide.
static void sample_channel(const pliant_rig *rig, const pliant_rig_channel *channel, double time,
                           float *out)
{
    const pliant_rig_def *def = &rig->def;
    const float *keys = def->values + channel->first_value;
    int width = pli_rig_channel_width(def, channel);
    bool is_cubic = channel->sampling == PLIANT_RIG_CUBIC;
    bool is_rotation = channel->path == PLIANT_RIG_ROTATION;
    key_place at = find_keys(def->times + channel->first_time, channel->key_count, time);
    if (at.s == 0.0f || channel->sampling == PLIANT_RIG_STEP) {
        size_t value = is_cubic ? 3 * (size_t)at.key + 1 : (size_t)at.key;
        memcpy(out, keys + value * (size_t)width, (size_t)width * sizeof *out);
    } else if (is_cubic) {
        sample_cubic(keys, width, at, out);
    } else {
        sample_linear(keys, width, at, is_rotation, out);
    }
    if (is_rotation)
        store_quat(unit_or_none(quat_at(out)), out);
}

// ---------------------------------------------------------------------------------------------
// Poses

static void sample_transform(const pliant_rig *rig, const pliant_rig_channel *channel, double time,
                             pliant_transform *local)
{
    float v[4];
    sample_channel(rig, channel, time, v);
    if (channel->path == PLIANT_RIG_ROTATION)
        local->rotation = quat_at(v);
    else if (channel->path == PLIANT_RIG_TRANSLATION)
        local->translation = (vec3){v[0], v[1], v[2]};
    else
        local->scale = (vec3){v[0], v[1], v[2]};
}

static pliant_transform rest_of(const pliant_rig *rig, int32_t node)
{
    pliant_transform rest = rig->def.nodes[node].rest;
    rest.rotation = unit_or_none(rest.rotation);
    return rest;
}

void pliant_rig_rest(const pliant_rig *rig, pliant_rig_pose *pose)
{
    for (int i = 0; i < rig->def.node_count; ++i)
        pose->locals[i] = rest_of(rig, i);
    for (int i = 0; i < rig->def.weight_count; ++i)
        pose->weights[i] = rig->def.weights[i].rest;
}

void pliant_rig_sample(const pliant_rig *rig, int clip, double time, pliant_rig_pose *pose)
{
    const pliant_rig_def *def = &rig->def;
    pliant_rig_rest(rig, pose);
    if (!has_clip(rig, clip))
        return;
    const pliant_rig_channel *channels = def->channels + def->clips[clip].first_channel;
    for (int i = 0; i < def->clips[clip].channel_count; ++i) {
        const pliant_rig_channel *channel = &channels[i];
        if (channel->path == PLIANT_RIG_WEIGHTS)
            sample_channel(rig, channel, time,
                           pose->weights + def->nodes[channel->node].first_weight);
        else
            sample_transform(rig, channel, time, &pose->locals[channel->node]);
    }
}

pliant_transform pli_rig_sample_node(const pliant_rig *rig, int clip, double time, int32_t node)
{
    const pliant_rig_def *def = &rig->def;
    pliant_transform local = rest_of(rig, node);
    if (!has_clip(rig, clip))
        return local;
    const pliant_rig_channel *channels = def->channels + def->clips[clip].first_channel;
    for (int i = 0; i < def->clips[clip].channel_count; ++i)
        if (channels[i].node == node && channels[i].path != PLIANT_RIG_WEIGHTS)
            sample_transform(rig, &channels[i], time, &local);
    return local;
}
