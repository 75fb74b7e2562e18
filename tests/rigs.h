// Small rigs for tests, made of compound literals, and poses of theirs.

#ifndef PLIANT_TESTS_RIGS_H
#define PLIANT_TESTS_RIGS_H

#include "test.h"

#define COUNT_OF(array) (int32_t)(sizeof(array) / sizeof *(array))

static const pliant_transform RIG_REST = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};

// A pose with its matrices and vertices.
typedef struct rig_state {
    pliant_rig_pose pose;
    pliant_affine *globals, *joints;
    vec3 *positions, *normals;
} rig_state;

static inline rig_state create_rig_state(const pliant_rig *rig)
{
    pliant_rig_def def = pliant_rig_definition(rig);
    rig_state state = {
        .pose = {calloc((size_t)def.node_count + 1, sizeof(pliant_transform)),
                 calloc((size_t)def.weight_count + 1, sizeof(float))},
        .globals = calloc((size_t)def.node_count + 1, sizeof(pliant_affine)),
        .joints = calloc((size_t)def.joint_count + 1, sizeof(pliant_affine)),
        .positions = calloc((size_t)def.vertex_count + 1, sizeof(vec3)),
        .normals = calloc((size_t)def.vertex_count + 1, sizeof(vec3)),
    };
    pliant_rig_rest(rig, &state.pose);
    return state;
}

static inline void destroy_rig_state(rig_state *state)
{
    free(state->pose.locals);
    free(state->pose.weights);
    free(state->globals);
    free(state->joints);
    free(state->positions);
    free(state->normals);
}

// Matrices and vertices of the pose.
static inline void show_pose(const pliant_rig *rig, rig_state *state)
{
    pliant_rig_globals(rig, &state->pose, state->globals);
    pliant_rig_joints(rig, state->globals, state->joints);
    pliant_rig_skin_vertices(rig, &state->pose, state->globals, state->joints, state->positions,
                             state->normals);
}

static inline void show_clip(const pliant_rig *rig, int clip, double time, rig_state *state)
{
    pliant_rig_sample(rig, clip, time, &state->pose);
    show_pose(rig, state);
}

static inline vec3 global_place(const rig_state *state, int node)
{
    const pliant_affine *a = &state->globals[node];
    return (vec3){a->m[0][3], a->m[1][3], a->m[2][3]};
}

static inline pliant_rig *create_rig(const pliant_rig_def *def)
{
    pliant_error error = {0};
    pliant_rig *rig = pliant_rig_create(def, NULL, &error);
    if (!rig)
        fail_msg("%s: %s", error.place, error.message);
    return rig;
}

static inline void assert_vec3(vec3 actual, vec3 expected, float tolerance)
{
    assert_near(actual.x, expected.x, tolerance);
    assert_near(actual.y, expected.y, tolerance);
    assert_near(actual.z, expected.z, tolerance);
}

// The same rotation, whichever of its two signs it has.
static inline void assert_rotation(quat actual, quat expected, float tolerance)
{
    assert_near(vec3_length(quat_difference(actual, expected)), 0.0f, tolerance);
    assert_near(quat_dot(actual, actual), 1.0f, 1e-6f);
}

// ---------------------------------------------------------------------------------------------
// One node with one channel

typedef struct channel_spec {
    pliant_rig_path path;
    pliant_rig_sampling sampling;
    int32_t key_count;
    const float *times, *values;
    int32_t value_count;
    int32_t weight_count;
} channel_spec;

static inline pliant_rig *create_channel_rig(const channel_spec *spec, pliant_error *error)
{
    static const pliant_rig_weight weights[4] = {{.rest = 0.25f}};
    const pliant_rig_node node = {
        .name = "node", .parent = -1, .rest = RIG_REST, .weight_count = spec->weight_count};
    const pliant_rig_clip clip = {.name = "clip", .channel_count = 1};
    const pliant_rig_channel channel = {
        .path = spec->path, .sampling = spec->sampling, .key_count = spec->key_count};
    return pliant_rig_create(&(pliant_rig_def){.nodes = &node,
                                               .node_count = 1,
                                               .weights = weights,
                                               .weight_count = spec->weight_count,
                                               .clips = &clip,
                                               .clip_count = 1,
                                               .channels = &channel,
                                               .channel_count = 1,
                                               .times = spec->times,
                                               .time_count = spec->key_count,
                                               .values = spec->values,
                                               .value_count = spec->value_count},
                             NULL, error);
}

#endif
