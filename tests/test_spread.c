// Centroid, principal axes and variances of clouds of points.

#include "mesh/spread.h"
#include "test.h"

static void check_axes(const vec3 axes[3])
{
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k <= i; ++k)
            assert_near(vec3_dot(axes[i], axes[k]), i == k ? 1.0 : 0.0, 1e-6);
    vec3 across = vec3_cross(axes[0], axes[1]);
    assert_near(vec3_dot(across, axes[2]), 1.0, 1e-6);
    for (int i = 0; i < 2; ++i) {
        vec3 a = axes[i];
        float x = absolute(a.x), y = absolute(a.y), z = absolute(a.z);
        float largest = x >= y && x >= z ? a.x : y >= z ? a.y : a.z;
        assert_true(largest > 0.0f);
    }
}

// Of ± each axis once the variances are a third of the squares.
static void finds_turned_and_moved_axes(void **unused)
{
    (void)unused;
    uint32_t random = 7;
    const float lengths[3] = {0.5f, 1.0f, 3.0f};
    for (int round = 0; round < 200; ++round) {
        quat turn = random_quat(&random);
        vec3 centre = random_vec3(&random, 100.0f);
        vec3 exact[3] = {quat_rotate(turn, (vec3){1, 0, 0}), quat_rotate(turn, (vec3){0, 1, 0}),
                         quat_rotate(turn, (vec3){0, 0, 1})};
        spread s;
        pli_spread_begin(&s, vec3_add(centre, random_vec3(&random, 1.0f)));
        for (int i = 0; i < 6; ++i)
            pli_spread_add(
                &s, vec3_add_scaled(centre, exact[i / 2], i % 2 ? lengths[i / 2] : -lengths[i / 2]),
                2.5f);
        assert_near(vec3_length(vec3_sub(pli_spread_centre(&s), centre)), 0.0, 3e-5);
        vec3 axes[3];
        double variances[3];
        pli_spread_axes(&s, axes, variances);
        check_axes(axes);
        for (int i = 0; i < 3; ++i) {
            assert_near(variances[i], lengths[i] * lengths[i] / 3.0f, 1e-4);
            assert_near(fabsf(vec3_dot(axes[i], exact[i])), 1.0, 1e-6);
        }
    }
}

// Weights 1 and 3 at distance 4: centroid a quarter from the heavy one, variance 1·3²/4 + 3·1²/4.
static void weights_count(void **unused)
{
    (void)unused;
    spread s;
    pli_spread_begin(&s, (vec3){10, 0, 0});
    pli_spread_add(&s, (vec3){10, 0, 0}, 1.0f);
    pli_spread_add(&s, (vec3){10, 4, 0}, 3.0f);
    assert_near(s.weight, 4.0, 0.0);
    assert_near(pli_spread_centre(&s).y, 3.0, 1e-6);
    vec3 axes[3];
    double variances[3];
    pli_spread_axes(&s, axes, variances);
    assert_near(variances[0], 0.0, 1e-12);
    assert_near(variances[1], 0.0, 1e-12);
    assert_near(variances[2], 3.0, 1e-12);
    assert_near(fabsf(axes[2].y), 1.0, 1e-6);
    check_axes(axes);
}

// A disc of radius 1 has the variances 0, 1/4, 1/4, a ball 1/5 each (MATH: √ of them is no extent).
static void disc_and_ball(void **unused)
{
    (void)unused;
    spread disc, ball;
    pli_spread_begin(&disc, (vec3){0, 0, 0});
    pli_spread_begin(&ball, (vec3){0, 0, 0});
    uint32_t random = 3;
    for (int i = 0; i < 200000; ++i) {
        vec3 x = random_vec3(&random, 1.0f);
        if (vec3_dot(x, x) < 1.0f)
            pli_spread_add(&ball, x, 1.0f);
        if (x.x * x.x + x.y * x.y < 1.0f)
            pli_spread_add(&disc, (vec3){x.x, 0.5f, x.y}, 1.0f);
    }
    vec3 axes[3];
    double variances[3];
    pli_spread_axes(&disc, axes, variances);
    check_axes(axes);
    assert_near(axes[0].y, 1.0, 1e-6);
    assert_near(variances[0], 0.0, 1e-9);
    assert_near(variances[1], 0.25, 0.003);
    assert_near(variances[2], 0.25, 0.003);
    pli_spread_axes(&ball, axes, variances);
    check_axes(axes);
    for (int i = 0; i < 3; ++i)
        assert_near(variances[i], 0.2, 0.003);
}

// One point, or one with all the weight, has some axes all the same.
static void one_point_has_axes(void **unused)
{
    (void)unused;
    spread s;
    pli_spread_begin(&s, (vec3){1, 2, 3});
    pli_spread_add(&s, (vec3){4, 5, 6}, 1e-20f);
    vec3 axes[3];
    double variances[3];
    pli_spread_axes(&s, axes, variances);
    check_axes(axes);
    assert_near(variances[2], 0.0, 1e-12);
}

// Sums about a near origin stay exact where sums about 0 would lose everything in float.
static void far_away_is_as_exact(void **unused)
{
    (void)unused;
    spread s;
    vec3 far = {65536.0f, -65536.0f, 32768.0f};
    pli_spread_begin(&s, far);
    for (int i = 0; i < 4; ++i)
        pli_spread_add(&s, vec3_add(far, (vec3){i & 1 ? 0.25f : 0.0f, i & 2 ? 0.5f : 0.0f, 0}),
                       1.0f);
    vec3 axes[3];
    double variances[3];
    pli_spread_axes(&s, axes, variances);
    assert_near(variances[1], 0.25 * 0.25 / 4.0, 1e-12);
    assert_near(variances[2], 0.5 * 0.5 / 4.0, 1e-12);
    assert_near(axes[0].z, 1.0, 0.0);
    assert_near(axes[1].x, 1.0, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_turned_and_moved_axes),
        cmocka_unit_test(weights_count),
        cmocka_unit_test(disc_and_ball),
        cmocka_unit_test(one_point_has_axes),
        cmocka_unit_test(far_away_is_as_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
