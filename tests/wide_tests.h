// Every wide operation gives, lane by lane, the bits of its scalar counterpart: for test_wide.c and
// test_wide_avx2.c, which say how wide that is.

#ifndef PLIANT_TESTS_WIDE_TESTS_H
#define PLIANT_TESTS_WIDE_TESTS_H

#include "math/wide_trig.h"
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

static void check_trig(const float a[WIDE], const float b[WIDE])
{
    wide sine, cosine, angle = wide_atan2(wide_load(a), wide_load(b));
    wide_sin_cos(wide_load(a), &sine, &cosine);
    for (int i = 0; i < WIDE; ++i) {
        float s, c;
        trig_sin_cos(a[i], &s, &c);
        assert_same_bits(sine[i], s);
        assert_same_bits(cosine[i], c);
        if (is_finite(a[i]) && is_finite(b[i]))
            assert_same_bits(angle[i], trig_atan2(a[i], b[i]));
    }
}

static void test_trig(void **state)
{
    (void)state;
    const float scales[] = {1e-6f, 0.01f, 1.0f, 3.0f, 1000.0f, 2e6f, 1e30f};
    uint32_t random = 11;
    for (int round = 0; round < 20000; ++round) {
        float a[WIDE], b[WIDE];
        for (int i = 0; i < WIDE; ++i) {
            float scale = scales[round % 7];
            a[i] = round < 100 ? value(&random, (round + i) % 24)
                               : scale * random_between(&random, -1.0f, 1.0f);
            b[i] = round < 100 ? value(&random, (round * 5 + i) % 24)
                               : scale * random_between(&random, -1.0f, 1.0f);
        }
        check_trig(a, b);
    }
}

static void test_gather_and_any(void **state)
{
    (void)state;
    float table[64], out[WIDE];
    for (int i = 0; i < 64; ++i)
        table[i] = (float)i;
    const int32_t index[8] = {3, 0, 20, 7, 7, 1, 19, 12};
    wide_store(out, wide_gather(table + 1, index, 3));
    for (int i = 0; i < WIDE; ++i)
        assert_near(out[i], 1 + index[i] * 3, 0.0);
    assert_false(wide_any(wide_load(out) < wide_all(0.0f)));
    assert_true(wide_any(wide_load(out) > wide_all(60.0f)));
    assert_int_equal(wide_bits(wide_load(out) > wide_all(20.0f)), WIDE == 8 ? 0xdc : 0xc);
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
    wide back[3], gathered[3];
    wide_load_triples(out, &back[0], &back[1], &back[2]);
    // Memory that ends with the last triple: what is read beyond it the sanitizers tell.
    float *exact = malloc(3 * WIDE * sizeof *exact);
    int32_t index[WIDE];
    memcpy(exact, out, 3 * WIDE * sizeof *exact);
    for (int i = 0; i < WIDE; ++i)
        index[i] = WIDE - 1 - i;
    wide_gather_triples(exact, index, 3 * sizeof *exact, gathered);
    free(exact);
    for (int k = 0; k < 3; ++k) {
        float loaded[WIDE], turned[WIDE];
        wide_store(loaded, back[k]);
        wide_store(turned, gathered[k]);
        for (int i = 0; i < WIDE; ++i) {
            assert_near(loaded[i], out[3 * i + k], 0.0);
            assert_near(turned[i], out[3 * (WIDE - 1 - i) + k], 0.0);
        }
    }
}

// Quadruples all over the place, and back; of two lanes that name one place the lower one stays.
static void test_quads(void **state)
{
    (void)state;
    float table[17][4], copy[16][4] = {{0}};
    for (int i = 0; i < 17; ++i)
        for (int k = 0; k < 4; ++k)
            table[i][k] = (float)(10 * i + k);
    const int32_t index[8] = {3, 0, 11, 7, 2, 15, 1, 9};
    wide parts[4];
    wide_gather_quads(table, index, sizeof table[0], parts);
    for (int i = 0; i < WIDE; ++i)
        for (int k = 0; k < 4; ++k)
            assert_near(parts[k][i], table[index[i]][k], 0.0);
    wide pairs[2][4];
    wide_gather_lines(table, index, sizeof table[0], 2, pairs);
    for (int i = 0; i < WIDE; ++i)
        for (int k = 0; k < 8; ++k)
            assert_near(pairs[k / 4][k % 4][i], table[index[i] + k / 4][k % 4], 0.0);
    wide_scatter_quads(copy, index, sizeof copy[0], parts);
    for (int i = 0; i < WIDE; ++i)
        assert_memory_equal(copy[index[i]], table[index[i]], sizeof table[0]);
    const int32_t same[8] = {5, 6, 5, 5, 6, 5, 8, 8};
    wide_scatter_quads(copy, same, sizeof copy[0], parts);
    assert_memory_equal(copy[5], table[index[0]], sizeof table[0]);
    assert_memory_equal(copy[6], table[index[1]], sizeof table[0]);
}

static const struct CMUnitTest wide_tests[] = {
    cmocka_unit_test(test_operations), cmocka_unit_test(test_gather_and_any),
    cmocka_unit_test(test_triples), cmocka_unit_test(test_quads), cmocka_unit_test(test_trig)};

#endif
