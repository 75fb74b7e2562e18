// Samplers of clips against the formulas of glTF 2.0 (appendix C), and the time within a clip.

#include "rigs.h"

static const float TIMES[3] = {0.5f, 1.0f, 2.0f};

static pliant_rig *create_sampler(const channel_spec *spec)
{
    pliant_error error = {0};
    pliant_rig *rig = create_channel_rig(spec, &error);
    if (!rig)
        fail_msg("%s: %s", error.place, error.message);
    return rig;
}

// What a clip of one channel makes of the node's transform at a time.
static pliant_transform sample_at(const pliant_rig *rig, double time)
{
    pliant_transform local;
    float weights[4];
    pliant_rig_pose pose = {&local, weights};
    pliant_rig_sample(rig, 0, time, &pose);
    return local;
}

static void steps_keep_the_value_of_the_key_before(void **unused)
{
    (void)unused;
    static const float values[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    pliant_rig *rig = create_sampler(&(channel_spec){PLIANT_RIG_TRANSLATION, PLIANT_RIG_STEP, 3,
                                                     TIMES, values, .value_count = 9});
    static const struct {
        double time;
        float x;
    } cases[] = {{-1, 1}, {0, 1}, {0.5, 1}, {0.9999, 1}, {1, 4}, {1.9999, 4}, {2, 7}, {9, 7}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        float x = cases[i].x;
        assert_vec3(sample_at(rig, cases[i].time).translation, (vec3){x, x + 1, x + 2}, 0.0f);
    }
    pliant_rig_destroy(rig);
}

static void lines_join_keys(void **unused)
{
    (void)unused;
    static const float values[9] = {1, 1, 1, -1, 0, 4, 2, -2, 0};
    pliant_rig *rig = create_sampler(
        &(channel_spec){PLIANT_RIG_SCALE, PLIANT_RIG_LINEAR, 3, TIMES, values, .value_count = 9});
    assert_vec3(sample_at(rig, 0.0).scale, (vec3){1, 1, 1}, 0.0f);
    assert_vec3(sample_at(rig, 0.75).scale, (vec3){0, 0.5f, 2.5f}, 1e-6f);
    assert_vec3(sample_at(rig, 1.0).scale, (vec3){-1, 0, 4}, 0.0f);
    assert_vec3(sample_at(rig, 1.25).scale, (vec3){-0.25f, -0.5f, 3}, 1e-6f);
    assert_vec3(sample_at(rig, 2.5).scale, (vec3){2, -2, 0}, 0.0f);
    pliant_rig_destroy(rig);
}

// Spherical, along the shorter arc, also where keys have the other sign, another length or none.
static void rotations_take_the_shorter_arc(void **unused)
{
    (void)unused;
    uint32_t random = 7;
    for (int i = 0; i < 200; ++i) {
        quat from = random_quat(&random);
        vec3 way = vec3_scale(random_vec3(&random, 1.0f), i < 100 ? 1.5f : 1e-4f);
        quat to = quat_mul(quat_exp(way), from);
        float sign = i % 2 ? -1.0f : 1.0f, length = i % 3 ? 1.0f : 0.97f;
        float values[8] = {from.x, from.y, from.z, from.w, 0, 0, 0, 0};
        const float scaled[4] = {to.x, to.y, to.z, to.w};
        for (int k = 0; k < 4; ++k)
            values[4 + k] = sign * length * scaled[k];
        pliant_rig *rig = create_sampler(&(channel_spec){PLIANT_RIG_ROTATION, PLIANT_RIG_LINEAR, 2,
                                                         TIMES, values, .value_count = 8});
        for (float s = 0.0f; s <= 1.0f; s += 0.125f) {
            quat expected = quat_mul(quat_exp(vec3_scale(way, s)), from);
            assert_rotation(sample_at(rig, 0.5 + 0.5 * (double)s).rotation, expected, 2e-6f);
        }
        pliant_rig_destroy(rig);
    }
    static const float none[8] = {0, 0, 0, 0, 0, 0.6f, 0, 0.8f};
    pliant_rig *rig = create_sampler(
        &(channel_spec){PLIANT_RIG_ROTATION, PLIANT_RIG_LINEAR, 2, TIMES, none, .value_count = 8});
    assert_rotation(sample_at(rig, 0.0).rotation, quat_identity(), 1e-6f);
    pliant_rig_destroy(rig);
}

// A cubic polynomial is its own Hermite spline: with its derivatives as tangents it comes back.
static void splines_reproduce_cubics(void **unused)
{
    (void)unused;
    float values[3][3][3]; // of each key: in-tangent, value, out-tangent
    for (int i = 0; i < 3; ++i) {
        float t = TIMES[i];
        for (int k = 0; k < 3; ++k) {
            values[i][1][k] = (float)k + t * t * t - 2.0f * t * t + t;
            values[i][0][k] = values[i][2][k] = 3.0f * t * t - 4.0f * t + 1.0f;
        }
    }
    // Before the first key and after the last one nothing asks for these.
    values[0][0][0] = values[2][2][0] = 1000.0f;
    pliant_rig *rig = create_sampler(&(channel_spec){PLIANT_RIG_TRANSLATION, PLIANT_RIG_CUBIC, 3,
                                                     TIMES, values[0][0], .value_count = 27});
    for (float t = 0.5f; t <= 2.0f; t += 0.0625f) {
        float x = t * t * t - 2.0f * t * t + t;
        assert_vec3(sample_at(rig, (double)t).translation, (vec3){x, x + 1.0f, x + 2.0f}, 2e-6f);
    }
    assert_vec3(sample_at(rig, 0.0).translation, (vec3){0.125f, 1.125f, 2.125f}, 1e-6f);
    assert_vec3(sample_at(rig, 5.0).translation, (vec3){2, 3, 4}, 1e-6f);
    pliant_rig_destroy(rig);
}

static void splines_of_rotations_have_unit_length(void **unused)
{
    (void)unused;
    static const float values[2][3][4] = {
        {{0, 0, 0, 0}, {0, 0, 0, 1}, {1, 2, 3, 4}},
        {{4, 3, 2, 1}, {0, 0.6f, 0, 0.8f}, {0, 0, 0, 0}},
    };
    pliant_rig *rig = create_sampler(&(channel_spec){PLIANT_RIG_ROTATION, PLIANT_RIG_CUBIC, 2,
                                                     TIMES, values[0][0], .value_count = 24});
    for (double s = 0.0; s <= 1.0; s += 0.125) {
        double s2 = s * s, s3 = s2 * s, q[4], square = 0.0;
        for (int k = 0; k < 4; ++k) {
            q[k] = (2 * s3 - 3 * s2 + 1) * (double)values[0][1][k] +
                   0.5 * (s3 - 2 * s2 + s) * (double)values[0][2][k] +
                   (3 * s2 - 2 * s3) * (double)values[1][1][k] +
                   0.5 * (s3 - s2) * (double)values[1][0][k];
            square += q[k] * q[k];
        }
        double length = sqrt(square);
        quat expected = {(float)(q[0] / length), (float)(q[1] / length), (float)(q[2] / length),
                         (float)(q[3] / length)};
        assert_rotation(sample_at(rig, 0.5 + 0.5 * s).rotation, expected, 2e-6f);
    }
    pliant_rig_destroy(rig);
}

static void weights_are_sampled_side_by_side(void **unused)
{
    (void)unused;
    static const float values[6] = {0, 1, 1, 0.5f, -1, 0};
    pliant_rig *rig =
        create_sampler(&(channel_spec){PLIANT_RIG_WEIGHTS, PLIANT_RIG_LINEAR, 3, TIMES, values,
                                       .value_count = 6, .weight_count = 2});
    pliant_transform local;
    float weights[2];
    pliant_rig_pose pose = {&local, weights};
    pliant_rig_sample(rig, 0, 0.75, &pose);
    assert_near(weights[0], 0.5, 1e-6);
    assert_near(weights[1], 0.75, 1e-6);
    pliant_rig_sample(rig, 0, 1.5, &pose);
    assert_near(weights[0], 0.0, 1e-6);
    assert_near(weights[1], 0.25, 1e-6);
    pliant_rig_sample(rig, 1, 1.5, &pose); // there is no such clip
    assert_true(weights[0] == 0.25f && weights[1] == 0.0f);
    pliant_rig_destroy(rig);
}

// A clip of one key has no length: it is that key at any time.
static void a_clip_may_have_no_length(void **unused)
{
    (void)unused;
    static const float zero[1] = {0}, values[9] = {5, 6, 7, 1, 2, 3, 8, 9, 10};
    for (int sampling = PLIANT_RIG_STEP; sampling <= PLIANT_RIG_CUBIC; ++sampling) {
        bool is_cubic = sampling == PLIANT_RIG_CUBIC;
        pliant_rig *rig = create_sampler(
            &(channel_spec){PLIANT_RIG_TRANSLATION, (pliant_rig_sampling)sampling, 1, zero,
                            is_cubic ? values : values + 3, .value_count = is_cubic ? 9 : 3});
        assert_true(pliant_rig_clip_seconds(rig, 0) == 0.0f);
        for (int wrap = PLIANT_RIG_CLAMP; wrap <= PLIANT_RIG_LOOP; ++wrap)
            for (double t = -1.0; t <= 1.0; t += 0.5) {
                double time = pliant_rig_clip_time(rig, 0, t, (pliant_rig_wrap)wrap);
                assert_true(time == 0.0);
                assert_vec3(sample_at(rig, time).translation, (vec3){1, 2, 3}, 0.0f);
            }
        pliant_rig_destroy(rig);
    }
}

static void time_is_wrapped_or_held(void **unused)
{
    (void)unused;
    static const float values[9] = {0};
    pliant_rig *rig = create_sampler(&(channel_spec){PLIANT_RIG_TRANSLATION, PLIANT_RIG_LINEAR, 3,
                                                     TIMES, values, .value_count = 9});
    static const struct {
        double seconds, looped, clamped;
    } cases[] = {{0, 0, 0},           {1.5, 1.5, 1.5},      {2, 0, 2},
                 {2.25, 0.25, 2},     {-0.25, 1.75, 0},     {-2, 0, 0},
                 {-4, 0, 0},          {-4.5, 1.5, 0},       {1e9, 0, 2},
                 {1e9 + 0.5, 0.5, 2}, {-1e9 - 0.5, 1.5, 0}, {1e300, 0, 2},
                 {-1e300, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        double looped = pliant_rig_clip_time(rig, 0, cases[i].seconds, PLIANT_RIG_LOOP);
        double clamped = pliant_rig_clip_time(rig, 0, cases[i].seconds, PLIANT_RIG_CLAMP);
        assert_near(looped, cases[i].looped, 1e-9);
        assert_near(clamped, cases[i].clamped, 1e-9);
    }
    assert_true(pliant_rig_clip_time(rig, 0, (double)NAN, PLIANT_RIG_LOOP) == 0.0);
    assert_true(pliant_rig_clip_time(rig, 0, (double)NAN, PLIANT_RIG_CLAMP) == 0.0);
    assert_true(pliant_rig_clip_time(rig, -1, 1.0, PLIANT_RIG_LOOP) == 0.0);
    // However close to a whole number of loops, it stays within the clip.
    for (int i = -1000; i <= 1000; ++i)
        for (int k = -2; k <= 2; ++k) {
            double time = pliant_rig_clip_time(rig, 0, 2.0 * i + 1e-15 * k, PLIANT_RIG_LOOP);
            assert_true(time >= 0.0 && time < 2.0);
        }
    pliant_rig_destroy(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_keep_the_value_of_the_key_before),
        cmocka_unit_test(lines_join_keys),
        cmocka_unit_test(rotations_take_the_shorter_arc),
        cmocka_unit_test(splines_reproduce_cubics),
        cmocka_unit_test(splines_of_rotations_have_unit_length),
        cmocka_unit_test(weights_are_sampled_side_by_side),
        cmocka_unit_test(a_clip_may_have_no_length),
        cmocka_unit_test(time_is_wrapped_or_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
