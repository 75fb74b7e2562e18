// Every wide operation gives, lane by lane, the bits of its scalar counterpart.

#include "math/wide.h"
#include "test.h"

static const float special[] = {0.0f,  -0.0f,    1.0f,      -1.0f,     1e-40f, -1e-40f,
                                3e38f, INFINITY, -INFINITY, 0.333333f, 7.0f,   -2.5f};
enum { SPECIALS = sizeof special / sizeof special[0] };

static float value(uint32_t *state, int i)
{
    return i < SPECIALS ? special[i] : random_between(state, -100.0f, 100.0f);
}

static void assert_same_bits(float a, float b)
{
    if (a == a || b == b) // NaN payloads may differ
        assert_int_equal(float_bits(a), float_bits(b));
}

static void test_operations(void **state)
{
    (void)state;
    uint32_t random = 7;
    for (int round = 0; round < 4000; ++round) {
        float a[WIDE], b[WIDE], out[WIDE];
        for (int i = 0; i < WIDE; ++i) {
            a[i] = value(&random, (round + i * 5) % 64);
            b[i] = value(&random, (round * 3 + i) % 64);
        }
        wide x = wide_load(a), y = wide_load(b);
#define CHECK(expression, scalar)                                                                  \
    wide_store(out, expression);                                                                   \
    for (int i = 0; i < WIDE; ++i)                                                                 \
        assert_same_bits(out[i], scalar);
        CHECK(x + y, a[i] + b[i])
        CHECK(x * y - x, a[i] * b[i] - a[i])
        CHECK(x / y, a[i] / b[i])
        CHECK(-x, -a[i])
        CHECK(wide_minimum(x, y), minimum(a[i], b[i]))
        CHECK(wide_maximum(x, y), maximum(a[i], b[i]))
        CHECK(wide_absolute(x), absolute(a[i]))
        CHECK(wide_square_root(wide_absolute(x)), square_root(absolute(a[i])))
        CHECK(wide_select(x < y, x, wide_all(3.0f)), a[i] < b[i] ? a[i] : 3.0f)
#undef CHECK
    }
}

static void test_gather_and_any(void **state)
{
    (void)state;
    float table[64], out[WIDE];
    for (int i = 0; i < 64; ++i)
        table[i] = (float)i;
    const int32_t index[WIDE] = {3, 0, 20, 7, 7, 1, 19, 12};
    wide_store(out, wide_gather(table + 1, index, 3));
    for (int i = 0; i < WIDE; ++i)
        assert_near(out[i], 1 + index[i] * 3, 0.0);
    assert_false(wide_any(wide_load(out) < wide_all(0.0f)));
    assert_true(wide_any(wide_load(out) > wide_all(60.0f)));
}

static void test_triples(void **state)
{
    (void)state;
    float x[WIDE], y[WIDE], z[WIDE], out[3 * WIDE + 1] = {0};
    for (int i = 0; i < WIDE; ++i) {
        x[i] = (float)(100 + i);
        y[i] = (float)(200 + i);
        z[i] = (float)(300 + i);
    }
    wide_store_triples(out, wide_load(x), wide_load(y), wide_load(z));
    for (int i = 0; i < WIDE; ++i) {
        assert_near(out[3 * i], x[i], 0.0);
        assert_near(out[3 * i + 1], y[i], 0.0);
        assert_near(out[3 * i + 2], z[i], 0.0);
    }
    assert_near(out[3 * WIDE], 0.0, 0.0);
}

static void test_halves(void **state)
{
    (void)state;
    const float a[WIDE] = {0, 1, 2, 3, 4, 5, 6, 7}, b[WIDE] = {8, 9, 10, 11, 12, 13, 14, 15};
    float joined[WIDE], mixed[WIDE], shuffled[WIDE];
    wide x = wide_load(a), y = wide_load(b);
    wide_store(joined, wide_join(wide_high(x), wide_low(y)));
    wide_store(mixed, WIDE_HALVES(x, y, 0, 1));
    wide_store(shuffled, WIDE_SHUFFLE(x, y, 3, 4, 0, 7));
    const float expected_mixed[WIDE] = {0, 1, 2, 3, 12, 13, 14, 15};
    const float expected_shuffled[WIDE] = {3, 8, 0, 11, 7, 12, 4, 15};
    for (int i = 0; i < WIDE; ++i) {
        assert_near(joined[i], 4 + i, 0.0);
        assert_near(mixed[i], expected_mixed[i], 0.0);
        assert_near(shuffled[i], expected_shuffled[i], 0.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operations), cmocka_unit_test(test_gather_and_any),
        cmocka_unit_test(test_triples), cmocka_unit_test(test_halves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
