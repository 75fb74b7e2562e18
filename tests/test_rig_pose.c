// Poses of rigs: cross-fades, additive layers, root motion.

#include "rigs.h"

#include "core/hash.h"

// A figure below an armature that lies on its back and is a hundredth as large, as exporters make them: hips that walk
// forward, bob and turn, and a head.
enum { ARMATURE, HIPS, HEAD, NODE_COUNT };
enum { WALK, NOD, CLIP_COUNT };

#define KEYS 9

typedef struct figure_rig {
    pliant_rig_node nodes[NODE_COUNT];
    pliant_rig_weight weights[1];
    pliant_rig_clip clips[CLIP_COUNT];
    pliant_rig_channel channels[3];
    float times[KEYS], values[KEYS * 3 + KEYS * 4 + KEYS * 4];
} figure_rig;

static const quat ON_ITS_BACK = {-0.70710678f, 0, 0, 0.70710678f};

// In the axes of the armature, in which z is up: forward by 1 m and to the left by 90° in a second, along an arc.
static void fill_walk(figure_rig *f, float armature_scale)
{
    float *translation = f->values, *rotation = translation + 3 * KEYS, *nod = rotation + 4 * KEYS;
    for (int i = 0; i < KEYS; ++i) {
        float s = (float)i / (KEYS - 1), sine, cosine;
        f->times[i] = s;
        trig_sin_cos(PLIANT_HALF_PI * s, &sine, &cosine);
        translation[3 * i] = (0.2f + sine) / armature_scale;
        translation[3 * i + 1] = (0.1f + 1.0f - cosine) / armature_scale;
        translation[3 * i + 2] = (1.0f + 0.1f * sine * cosine) / armature_scale;
        quat lean = quat_about((vec3){1, 0, 0}, 0.2f + 0.2f * sine * cosine);
        quat q = quat_mul(quat_about((vec3){0, 0, 1}, PLIANT_HALF_PI * s), lean);
        quat r = quat_about((vec3){0, 1, 0}, 0.5f * s);
        const float qs[4] = {q.x, q.y, q.z, q.w}, rs[4] = {r.x, r.y, r.z, r.w};
        memcpy(rotation + 4 * i, qs, sizeof qs);
        memcpy(nod + 4 * i, rs, sizeof rs);
    }
}

static pliant_rig *create_figure(float scale)
{
    figure_rig f = {
        .nodes = {{"armature", -1, {{3, 0, 0}, ON_ITS_BACK, {scale, scale, scale}}, 0, 0},
                  {"hips", ARMATURE, RIG_REST, 0, 1},
                  {"head", HIPS, {{0, 0, 0.7f}, {0, 0, 0, 1}, {1, 1, 1}}, 1, 0}},
        .clips = {{"walk", 0, 2}, {"nod", 2, 1}},
        .channels = {{HIPS, PLIANT_RIG_TRANSLATION, PLIANT_RIG_LINEAR, KEYS, 0, 0},
                     {HIPS, PLIANT_RIG_ROTATION, PLIANT_RIG_LINEAR, KEYS, 0, 3 * KEYS},
                     {HEAD, PLIANT_RIG_ROTATION, PLIANT_RIG_LINEAR, KEYS, 0, 7 * KEYS}},
    };
    fill_walk(&f, scale);
    return create_rig(&(pliant_rig_def){.nodes = f.nodes,
                                        .node_count = NODE_COUNT,
                                        .weights = f.weights,
                                        .weight_count = 1,
                                        .clips = f.clips,
                                        .clip_count = CLIP_COUNT,
                                        .channels = f.channels,
                                        .channel_count = COUNT_OF(f.channels),
                                        .times = f.times,
                                        .time_count = COUNT_OF(f.times),
                                        .values = f.values,
                                        .value_count = COUNT_OF(f.values)});
}

static void cross_fades(void **unused)
{
    (void)unused;
    pliant_rig *rig = create_figure(0.01f);
    rig_state a = create_rig_state(rig), b = create_rig_state(rig), mixed = create_rig_state(rig);
    pliant_rig_sample(rig, WALK, 0.25, &a.pose);
    pliant_rig_sample(rig, WALK, 0.75, &b.pose);
    a.pose.weights[0] = 0.2f;
    b.pose.weights[0] = 0.6f;
    b.pose.locals[HEAD].scale = (vec3){-1, 3, 1};
    quat q = b.pose.locals[HIPS].rotation;
    b.pose.locals[HIPS].rotation = quat_scale(q, -1.0f); // the same rotation
    for (int i = 0; i <= 4; ++i) {
        float s = 0.25f * (float)i;
        pliant_rig_blend(rig, &a.pose, &b.pose, s, &mixed.pose);
        const pliant_transform *m = &mixed.pose.locals[HIPS], *from = &a.pose.locals[HIPS],
                               *to = &b.pose.locals[HIPS];
        assert_vec3(
            m->translation,
            vec3_add(vec3_scale(from->translation, 1.0f - s), vec3_scale(to->translation, s)),
            1e-4f);
        assert_rotation(m->rotation, quat_slerp(from->rotation, q, s), 1e-6f);
        assert_near(mixed.pose.weights[0], 0.2f + 0.4f * s, 1e-6f);
        assert_near(mixed.pose.locals[HEAD].scale.x, 1.0f - 2.0f * s, 1e-6f);
    }
    pliant_rig_blend(rig, &a.pose, &b.pose, 0.25f, &mixed.pose);
    pliant_rig_blend(rig, &a.pose, &b.pose, 0.25f, &a.pose); // in place
    assert_memory_equal(a.pose.locals, mixed.pose.locals, NODE_COUNT * sizeof *a.pose.locals);
    destroy_rig_state(&a);
    destroy_rig_state(&b);
    destroy_rig_state(&mixed);
    pliant_rig_destroy(rig);
}

// A nod on top of the walk turns the head in the hips' axes, wherever these are, and nothing else.
static void adds_layers(void **unused)
{
    (void)unused;
    pliant_rig *rig = create_figure(0.01f);
    rig_state base = create_rig_state(rig), layer = create_rig_state(rig),
              reference = create_rig_state(rig), result = create_rig_state(rig);
    pliant_rig_sample(rig, WALK, 0.6, &base.pose);
    pliant_rig_sample(rig, NOD, 1.0, &layer.pose);
    layer.pose.weights[0] = 0.5f;
    for (int i = 0; i <= 4; ++i) {
        float s = 0.5f * (float)i;
        pliant_rig_add(rig, &base.pose, &layer.pose, &reference.pose, s, &result.pose);
        for (int k = ARMATURE; k <= HIPS; ++k) {
            assert_vec3(result.pose.locals[k].translation, base.pose.locals[k].translation, 1e-6f);
            assert_rotation(result.pose.locals[k].rotation, base.pose.locals[k].rotation, 1e-6f);
        }
        assert_rotation(result.pose.locals[HEAD].rotation, quat_about((vec3){0, 1, 0}, 0.5f * s),
                        1e-6f);
        assert_near(result.pose.weights[0], 0.5f * s, 1e-6f);
    }
    // A layer that is its own reference adds nothing, and one relative to the base leads from it to the layer.
    pliant_rig_add(rig, &base.pose, &layer.pose, &layer.pose, 1.0f, &result.pose);
    for (int k = 0; k < NODE_COUNT; ++k)
        assert_rotation(result.pose.locals[k].rotation, base.pose.locals[k].rotation, 1e-6f);
    pliant_rig_add(rig, &base.pose, &layer.pose, &base.pose, 1.0f, &base.pose);
    for (int k = 0; k < NODE_COUNT; ++k) {
        assert_rotation(base.pose.locals[k].rotation, layer.pose.locals[k].rotation, 1e-6f);
        assert_vec3(base.pose.locals[k].translation, layer.pose.locals[k].translation, 1e-4f);
    }
    destroy_rig_state(&base);
    destroy_rig_state(&layer);
    destroy_rig_state(&reference);
    destroy_rig_state(&result);
    pliant_rig_destroy(rig);
}

static const pliant_root ALL_OF_HIPS = {HIPS, PLIANT_ROOT_HORIZONTAL | PLIANT_ROOT_VERTICAL |
                                                  PLIANT_ROOT_HEADING};

static void assert_pose(pliant_pose actual, pliant_pose expected, float tolerance)
{
    assert_vec3(actual.position, expected.position, tolerance);
    assert_rotation(actual.orientation, expected.orientation, tolerance);
}

// A second of the walk: 1 m along x, 1 m to the left, which is -z, and a quarter turn about y.
static void extracts_root_motion(void **unused)
{
    (void)unused;
    pliant_rig *rig = create_figure(0.01f);
    pliant_root root = {HIPS, PLIANT_ROOT_HORIZONTAL};
    pliant_pose motion = pliant_rig_root_motion(rig, WALK, root, 0.0, 1.0, PLIANT_RIG_CLAMP);
    assert_pose(motion, (pliant_pose){{1, 0, -1}, {0, 0, 0, 1}}, 2e-5f);
    root.parts = PLIANT_ROOT_HEADING;
    motion = pliant_rig_root_motion(rig, WALK, root, 0.0, 1.0, PLIANT_RIG_CLAMP);
    assert_pose(motion, (pliant_pose){{0, 0, 0}, quat_about((vec3){0, 1, 0}, PLIANT_HALF_PI)},
                2e-5f);
    root.parts = PLIANT_ROOT_VERTICAL;
    motion = pliant_rig_root_motion(rig, WALK, root, 0.0, 0.5, PLIANT_RIG_CLAMP);
    assert_pose(motion, (pliant_pose){{0, 0.05f, 0}, {0, 0, 0, 1}}, 2e-5f);
    root = (pliant_root){HEAD, 7};
    motion = pliant_rig_root_motion(rig, NOD, root, 0.0, 1.0, PLIANT_RIG_CLAMP);
    assert_near(vec3_length(motion.position), 0.0f, 1e-6f);
    root.node = NODE_COUNT; // there is no such node
    assert_pose(pliant_rig_root_motion(rig, WALK, root, 0.0, 1.0, PLIANT_RIG_LOOP), pose_identity(),
                0.0f);
    pliant_rig_destroy(rig);
}

// Parts of a way make the whole of it, in either direction and across the ends of loops.
static void root_motion_adds_up(void **unused)
{
    (void)unused;
    pliant_rig *rig = create_figure(0.01f);
    static const double times[] = {-1.25, -0.5, 0.0, 0.3, 0.9, 1.1, 2.0, 4.75, 0.4};
    for (int wrap = PLIANT_RIG_CLAMP; wrap <= PLIANT_RIG_LOOP; ++wrap) {
        pliant_pose sum = pose_identity();
        for (int i = 1; i < COUNT_OF(times); ++i) {
            pliant_pose part = pliant_rig_root_motion(rig, WALK, ALL_OF_HIPS, times[i - 1],
                                                      times[i], (pliant_rig_wrap)wrap);
            sum = pose_mul(sum, part);
            assert_pose(sum,
                        pliant_rig_root_motion(rig, WALK, ALL_OF_HIPS, times[0], times[i],
                                               (pliant_rig_wrap)wrap),
                        1e-4f);
        }
    }
    // Four quarter turns lead back to where it began; a million of them do, too.
    pliant_pose round = pliant_rig_root_motion(rig, WALK, ALL_OF_HIPS, 0.25, 4.25, PLIANT_RIG_LOOP);
    assert_pose(round, pose_identity(), 1e-4f);
    pliant_rig_destroy(rig);
}

// What is moved by the motion and shown without it is where the clip alone would have it.
static void root_motion_is_removed(void **unused)
{
    (void)unused;
    static const float scales[] = {0.01f, 1.0f, -0.01f};
    for (int k = 0; k < COUNT_OF(scales); ++k) {
        pliant_rig *rig = create_figure(scales[k]);
        rig_state kept = create_rig_state(rig), removed = create_rig_state(rig);
        for (uint32_t parts = 0; parts < 8; ++parts) {
            pliant_root root = {HIPS, parts};
            for (double t = 0.0; t <= 1.0; t += 0.125) {
                show_clip(rig, WALK, t, &kept);
                pliant_rig_sample(rig, WALK, t, &removed.pose);
                pliant_rig_remove_root(rig, WALK, root, t, &removed.pose);
                show_pose(rig, &removed);
                pliant_pose motion =
                    pliant_rig_root_motion(rig, WALK, root, 0.0, t, PLIANT_RIG_CLAMP);
                for (int node = HIPS; node <= HEAD; ++node)
                    assert_vec3(pose_point(motion, global_place(&removed, node)),
                                global_place(&kept, node), 2e-5f);
                assert_vec3(removed.pose.locals[HIPS].scale, (vec3){1, 1, 1}, 0.0f);
            }
        }
        pliant_rig_sample(rig, WALK, 1.0, &removed.pose);
        pliant_rig_remove_root(rig, WALK, ALL_OF_HIPS, 1.0, &removed.pose);
        pliant_rig_sample(rig, WALK, 0.0, &kept.pose);
        show_pose(rig, &kept);
        show_pose(rig, &removed);
        assert_vec3(global_place(&removed, HIPS), global_place(&kept, HIPS), 2e-5f);
        destroy_rig_state(&kept);
        destroy_rig_state(&removed);
        pliant_rig_destroy(rig);
    }
}

// Samplers, layers, blends, root motion and matrices give the same bits with every compiler and at every level of
// optimisation.
static void poses_have_the_same_bits_everywhere(void **unused)
{
    (void)unused;
    pliant_rig *rig = create_figure(0.01f);
    rig_state walk = create_rig_state(rig), nod = create_rig_state(rig),
              rest = create_rig_state(rig);
    uint64_t hash = HASH_START;
    for (int i = 0; i < 500; ++i) {
        double time = pliant_rig_clip_time(rig, WALK, 0.0137 * (i - 100), PLIANT_RIG_LOOP);
        pliant_rig_sample(rig, WALK, time, &walk.pose);
        pliant_rig_sample(rig, NOD, 1.0 - time, &nod.pose);
        pliant_rig_remove_root(rig, WALK, ALL_OF_HIPS, time, &walk.pose);
        pliant_rig_add(rig, &walk.pose, &nod.pose, &rest.pose, 0.7f, &walk.pose);
        pliant_rig_blend(rig, &walk.pose, &nod.pose, 0.002f * (float)i, &walk.pose);
        show_pose(rig, &walk);
        pliant_pose motion =
            pliant_rig_root_motion(rig, WALK, ALL_OF_HIPS, time, time + 1.7, PLIANT_RIG_LOOP);
        hash = hash_quat(hash_vec3(hash, motion.position), motion.orientation);
        for (int node = 0; node < NODE_COUNT; ++node)
            for (int k = 0; k < 12; ++k)
                hash = hash_float(hash, walk.globals[node].m[k / 4][k % 4]);
    }
    assert_int_equal(hash, 0x21b20436123bd541);
    destroy_rig_state(&walk);
    destroy_rig_state(&nod);
    destroy_rig_state(&rest);
    pliant_rig_destroy(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cross_fades),
        cmocka_unit_test(adds_layers),
        cmocka_unit_test(extracts_root_motion),
        cmocka_unit_test(root_motion_adds_up),
        cmocka_unit_test(root_motion_is_removed),
        cmocka_unit_test(poses_have_the_same_bits_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
