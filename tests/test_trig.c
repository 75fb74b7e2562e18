// Dense sweeps of our own elementary functions against the C library in double precision: the bounds
// are those that math/trig.h states.

#include "test.h"

enum { SAMPLES = 400000 };

static void test_sin_cos(void **state)
{
    (void)state;
    double worst = 0;
    for (int i = -SAMPLES; i <= SAMPLES; ++i) {
        float x = (float)i * (1000.0f / SAMPLES), s, c;
        trig_sin_cos(x, &s, &c);
        worst = fmax(worst, fmax(fabs(s - sin((double)x)), fabs(c - cos((double)x))));
    }
    assert_below(worst, 1.2e-7);
    float s, c;
    const float far_away[] = {5e5f, -1e6f, 1e30f, INFINITY, NAN};
    for (int i = 0; i < 5; ++i) {
        trig_sin_cos(far_away[i], &s, &c);
        assert_true(fabsf(s) <= 1.0f && fabsf(c) <= 1.0f);
    }
}

static void test_atan2(void **state)
{
    (void)state;
    double worst = 0, worst_small = 0;
    for (int i = 0; i < SAMPLES; ++i) {
        double angle = (2.0 * i / SAMPLES - 1.0) * 3.14159;
        float y = (float)(3.0 * sin(angle)), x = (float)(3.0 * cos(angle));
        double exact = atan2((double)y, (double)x), error = fabs(trig_atan2(y, x) - exact);
        worst = fmax(worst, error);
        if (exact > 1e-6 && exact < 0.39)
            worst_small = fmax(worst_small, error / exact);
    }
    assert_below(worst, 4e-7);
    assert_below(worst_small, 3e-7);
    assert_near(trig_atan2(0.0f, 0.0f), 0.0, 0.0);
    assert_near(trig_atan2(0.0f, -1.0f), 3.14159265, 4e-7);
}

static void test_exp(void **state)
{
    (void)state;
    double worst = 0;
    for (int i = -SAMPLES; i <= SAMPLES; ++i) {
        float x = (float)i * (87.0f / SAMPLES);
        worst = fmax(worst, fabs(trig_exp(x) / exp((double)x) - 1.0));
    }
    assert_below(worst, 3e-7);
    assert_near(trig_exp(0.0f), 1.0, 0.0);
    assert_near(trig_exp(-1000.0f), 0.0, 0.0);
    assert_near(trig_exp(NAN), 0.0, 0.0);
}

static void test_one_minus_exp(void **state)
{
    (void)state;
    double worst = 0;
    for (int i = 0; i <= SAMPLES; ++i) {
        float x = (float)exp(-30.0 + 33.0 * i / SAMPLES);
        worst = fmax(worst, fabs(trig_one_minus_exp(x) / -expm1(-(double)x) - 1.0));
    }
    assert_below(worst, 1e-5); // just above 0.01 the difference still cancels two digits
    assert_near(trig_one_minus_exp(0.0f), 0.0, 0.0);
}

static void test_log(void **state)
{
    (void)state;
    double worst = 0;
    for (int i = 0; i <= SAMPLES; ++i) {
        float x = (float)exp(-80.0 + 160.0 * i / SAMPLES);
        double exact = log((double)x);
        worst = fmax(worst, fabs(trig_log(x) - exact) / fmax(1.0, fabs(exact)));
    }
    for (int i = 0; i <= SAMPLES; ++i) {
        float x = 0.5f + 1.5f * (float)i / SAMPLES;
        worst = fmax(worst, fabs(trig_log(x) - log((double)x)));
    }
    assert_below(worst, 3e-7);
    assert_near(trig_log(1.0f), 0.0, 0.0);
    assert_near(trig_log(0.0f), -87.0, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sin_cos),       cmocka_unit_test(test_atan2),
        cmocka_unit_test(test_exp),           cmocka_unit_test(test_log),
        cmocka_unit_test(test_one_minus_exp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
