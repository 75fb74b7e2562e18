// Whether a rig can be evaluated: everything refers to what is there, runs are where they have to be, numbers are finite and
// times rise. Linear in the size of the rig, also where channels share their keys.

#include "core/error.h"
#include "math/quat.h"
#include "rig.h"

#include <stdio.h>
#include <string.h>

typedef struct rig_check {
    const pliant_rig_def *def;
    pliant_error *error;
} rig_check;

// The place of an element with a name: "node 17 (Hips)".
static pliant_result refuse(const rig_check *c, const char *kind, int index, const char *name,
                            const char *message)
{
    char place[128];
    if (name && name[0])
        snprintf(place, sizeof place, "%s %d (%s)", kind, index, name);
    else
        snprintf(place, sizeof place, "%s %d", kind, index);
    return pli_error_set(c->error, PLIANT_ERROR_MODEL, place, "%s", message);
}

static bool has_end(const char name[RIG_NAME_SIZE])
{
    return name[RIG_NAME_SIZE - 1] == 0;
}

static bool is_index(int32_t index, int32_t count)
{
    return index >= 0 && index < count;
}

// Whether a run begins where the one before ended, at *next, and lies within `total`.
static bool continues(int32_t first, int64_t count, int32_t *next, int32_t total)
{
    if (first != *next || count < 0 || count > total - first)
        return false;
    *next = first + (int32_t)count;
    return true;
}

static bool lies_within(int32_t first, int64_t count, int32_t total)
{
    return first >= 0 && count >= 0 && count <= (int64_t)total - first;
}

static bool are_finite(const void *numbers, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        float number;
        memcpy(&number, (const char *)numbers + i * sizeof number, sizeof number);
        if (!is_finite(number))
            return false;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// The hierarchy

static pliant_result check_nodes(const rig_check *c)
{
    const pliant_rig_def *def = c->def;
    int32_t next = 0;
    for (int i = 0; i < def->node_count; ++i) {
        const pliant_rig_node *node = &def->nodes[i];
        if (!has_end(node->name))
            return refuse(c, "node", i, NULL, "its name is too long");
        if (node->parent != -1 && !is_index(node->parent, def->node_count))
            return refuse(c, "node", i, node->name, "there is no such parent");
        if (!are_finite(&node->rest, sizeof node->rest / 4))
            return refuse(c, "node", i, node->name, "a number of its transform is not finite");
        if (!(quat_dot(node->rest.rotation, node->rest.rotation) >= 1e-12f))
            return refuse(c, "node", i, node->name, "its rotation has no length");
        if (!continues(node->first_weight, node->weight_count, &next, def->weight_count))
            return refuse(c, "node", i, node->name, "its weights are not the next ones");
    }
    if (next != def->weight_count)
        return refuse(c, "weight", next, def->weights[next].name, "it belongs to no node");
    return PLIANT_OK;
}

// Parents before their children: the way from each node up to what has its place already is put behind that, turned around.
// `stamps` tells by which walk a node got its place; one that meets itself goes in a circle.
static pliant_result find_order(const rig_check *c, int32_t *order, int32_t *stamps)
{
    const pliant_rig_node *nodes = c->def->nodes;
    int count = 0;
    memset(stamps, 0, (size_t)c->def->node_count * sizeof *stamps);
    for (int i = 0; i < c->def->node_count; ++i) {
        int first = count, node = i;
        for (; node >= 0 && stamps[node] == 0; node = nodes[node].parent) {
            stamps[node] = i + 1;
            order[count++] = node;
        }
        if (node >= 0 && stamps[node] == i + 1 && count > first)
            return refuse(c, "node", node, nodes[node].name, "it is its own ancestor");
        for (int low = first, high = count - 1; low < high; ++low, --high) {
            int32_t other = order[low];
            order[low] = order[high];
            order[high] = other;
        }
    }
    return PLIANT_OK;
}

static pliant_result check_weights(const rig_check *c)
{
    for (int i = 0; i < c->def->weight_count; ++i) {
        const pliant_rig_weight *weight = &c->def->weights[i];
        if (!has_end(weight->name))
            return refuse(c, "weight", i, NULL, "its name is too long");
        if (!is_finite(weight->rest))
            return refuse(c, "weight", i, weight->name, "it is not finite");
    }
    return PLIANT_OK;
}

// ---------------------------------------------------------------------------------------------
// Skins

static pliant_result check_skins(const rig_check *c)
{
    const pliant_rig_def *def = c->def;
    int32_t next = 0;
    for (int i = 0; i < def->skin_count; ++i) {
        const pliant_rig_skin *skin = &def->skins[i];
        if (!has_end(skin->name))
            return refuse(c, "skin", i, NULL, "its name is too long");
        if (skin->joint_count < 1 ||
            !continues(skin->first_joint, skin->joint_count, &next, def->joint_count))
            return refuse(c, "skin", i, skin->name, "its joints are not the next ones");
    }
    if (next != def->joint_count)
        return refuse(c, "joint", next, NULL, "it belongs to no skin");
    for (int i = 0; i < def->joint_count; ++i) {
        const pliant_rig_joint *joint = &def->joints[i];
        if (!is_index(joint->node, def->node_count))
            return refuse(c, "joint", i, NULL, "there is no such node");
        if (!are_finite(&joint->inverse_bind, sizeof joint->inverse_bind / 4))
            return refuse(c, "joint", i, def->nodes[joint->node].name,
                          "its inverse bind matrix is not finite");
    }
    return PLIANT_OK;
}

// ---------------------------------------------------------------------------------------------
// Clips

// Where the rising run begins that each time belongs to.
static void find_rises(const rig_check *c, int32_t *rises)
{
    const float *times = c->def->times;
    for (int i = 0; i < c->def->time_count; ++i)
        rises[i] = i > 0 && times[i] > times[i - 1] ? rises[i - 1] : i;
}

static const char *find_channel_fault(const rig_check *c, const pliant_rig_channel *channel,
                                      const int32_t *rises)
{
    const pliant_rig_def *def = c->def;
    if (!is_index(channel->node, def->node_count))
        return "there is no such node";
    if ((unsigned)channel->path > PLIANT_RIG_WEIGHTS)
        return "there is no such path";
    if ((unsigned)channel->sampling > PLIANT_RIG_CUBIC)
        return "there is no such sampling";
    if (channel->key_count < 1 ||
        !lies_within(channel->first_time, channel->key_count, def->time_count))
        return "its keys have no times";
    int64_t each = pli_rig_channel_width(def, channel) *
                   (channel->sampling == PLIANT_RIG_CUBIC ? (int64_t)3 : (int64_t)1);
    if (each == 0)
        return "its node has no weights";
    if (each > INT32_MAX ||
        !lies_within(channel->first_value, channel->key_count * each, def->value_count))
        return "its keys have no values";
    int32_t last = channel->first_time + channel->key_count - 1;
    if (rises[last] > channel->first_time || !(def->times[channel->first_time] >= 0.0f))
        return "its times do not rise from 0 on";
    return NULL;
}

static pliant_result check_channel(const rig_check *c, int clip, int index, const int32_t *rises)
{
    const pliant_rig_def *def = c->def;
    const pliant_rig_channel *channel = &def->channels[index];
    const char *fault = find_channel_fault(c, channel, rises);
    if (!fault)
        return PLIANT_OK;
    char kind[32];
    snprintf(kind, sizeof kind, "clip %d, channel", clip);
    const char *name =
        is_index(channel->node, def->node_count) ? def->nodes[channel->node].name : NULL;
    return refuse(c, kind, index - def->clips[clip].first_channel, name, fault);
}

static pliant_result check_clips(const rig_check *c, int32_t *rises)
{
    const pliant_rig_def *def = c->def;
    pliant_result result = PLIANT_OK;
    int32_t next = 0;
    find_rises(c, rises);
    if (!are_finite(def->times, (size_t)def->time_count))
        return pli_error_set(c->error, PLIANT_ERROR_MODEL, "times", "not all are finite");
    if (!are_finite(def->values, (size_t)def->value_count))
        return pli_error_set(c->error, PLIANT_ERROR_MODEL, "values", "not all are finite");
    for (int i = 0; i < def->clip_count; ++i) {
        const pliant_rig_clip *clip = &def->clips[i];
        if (!has_end(clip->name))
            return refuse(c, "clip", i, NULL, "its name is too long");
        if (!continues(clip->first_channel, clip->channel_count, &next, def->channel_count))
            return refuse(c, "clip", i, clip->name, "its channels are not the next ones");
        for (int k = clip->first_channel; k < next && !result; ++k)
            result = check_channel(c, i, k, rises);
        if (result)
            return result;
    }
    if (next != def->channel_count)
        return refuse(c, "channel", next, NULL, "it belongs to no clip");
    return PLIANT_OK;
}

// ---------------------------------------------------------------------------------------------
// Surfaces

// Where the next surface's runs have to begin.
typedef struct surface_runs {
    int32_t vertex, influence, target;
} surface_runs;

static const char *find_influence_fault(const rig_check *c, const pliant_rig_surface *surface)
{
    const pliant_rig_influence *all = c->def->influences + surface->first_influence;
    int64_t count = (int64_t)surface->vertex_count * surface->influence_count;
    for (int64_t i = 0; i < count; ++i) {
        if (!is_index(all[i].joint, c->def->skins[surface->skin].joint_count))
            return "a vertex has a joint that its skin does not have";
        if (!is_finite(all[i].weight) || all[i].weight < 0.0f)
            return "a vertex has a weight that is negative or not finite";
    }
    return NULL;
}

static const char *find_target_fault(const rig_check *c, const pliant_rig_surface *surface)
{
    const pliant_rig_target *targets = c->def->targets + surface->first_target;
    for (int i = 0; i < surface->target_count; ++i) {
        const int32_t runs[] = {targets[i].first_position, targets[i].first_normal};
        for (int k = 0; k < 2; ++k)
            if (runs[k] != -1 &&
                !lies_within(runs[k], surface->vertex_count, c->def->displacement_count))
                return "a morph target has not a displacement for each vertex";
    }
    return NULL;
}

static const char *find_surface_fault(const rig_check *c, const pliant_rig_surface *surface,
                                      surface_runs *next)
{
    const pliant_rig_def *def = c->def;
    if (!is_index(surface->node, def->node_count))
        return "there is no such node";
    bool has_skin = surface->skin != -1;
    if (has_skin && !is_index(surface->skin, def->skin_count))
        return "there is no such skin";
    if (!continues(surface->first_vertex, surface->vertex_count, &next->vertex, def->vertex_count))
        return "its vertices are not the next ones";
    if (has_skin ? surface->influence_count < 1 : surface->influence_count != 0)
        return "only with a skin its vertices have influences";
    if (!continues(surface->first_influence,
                   (int64_t)surface->vertex_count * surface->influence_count, &next->influence,
                   def->influence_count))
        return "its influences are not the next ones";
    if (!continues(surface->first_target, surface->target_count, &next->target, def->target_count))
        return "its targets are not the next ones";
    if (surface->target_count > def->nodes[surface->node].weight_count)
        return "it has more targets than its node has weights";
    const char *fault = has_skin ? find_influence_fault(c, surface) : NULL;
    return fault ? fault : find_target_fault(c, surface);
}

static pliant_result check_surfaces(const rig_check *c)
{
    const pliant_rig_def *def = c->def;
    surface_runs next = {0};
    for (int i = 0; i < def->surface_count; ++i) {
        const pliant_rig_surface *surface = &def->surfaces[i];
        const char *fault = find_surface_fault(c, surface, &next);
        if (fault)
            return refuse(c, "surface", i,
                          is_index(surface->node, def->node_count) ? def->nodes[surface->node].name
                                                                   : NULL,
                          fault);
    }
    if (next.vertex != def->vertex_count || next.influence != def->influence_count ||
        next.target != def->target_count)
        return pli_error_set(c->error, PLIANT_ERROR_MODEL, "surfaces",
                             "vertices, influences or targets belong to none");
    if (!are_finite(def->vertices, (size_t)def->vertex_count * sizeof *def->vertices / 4))
        return pli_error_set(c->error, PLIANT_ERROR_MODEL, "vertices", "not all are finite");
    if (!are_finite(def->displacements,
                    (size_t)def->displacement_count * sizeof *def->displacements / 4))
        return pli_error_set(c->error, PLIANT_ERROR_MODEL, "displacements", "not all are finite");
    return PLIANT_OK;
}

pliant_result pli_rig_check(const pliant_rig_def *def, int32_t *order, int32_t *scratch,
                            pliant_error *error)
{
    rig_check c = {.def = def, .error = error};
    pliant_result result = check_nodes(&c);
    if (!result)
        result = find_order(&c, order, scratch);
    if (!result)
        result = check_weights(&c);
    if (!result)
        result = check_skins(&c);
    if (!result)
        result = check_clips(&c, scratch);
    return result ? result : check_surfaces(&c);
}
