// First touch of moving spheres against the reference vectors and a scan in double precision.
//
// The vectors also hold the paper's flip (Eqs. 6–8 of the paper on animated characters: hit, p1_end,
// p2_end), which is not built: it pushes along the wrong normal. Only the *_toi results are checked.

#include "form/time_of_impact.h"
#include "test.h"

static void test_vectors(void **state)
{
    (void)state;
    vectors v = vectors_open("ccd");
    int hits = 0;
    for (json_value c = pli_json_first(v.json, v.cases); c != JSON_NONE;
         c = pli_json_next(v.json, c)) {
        json_value out = pli_json_get(v.json, c, "out");
        vec3 p1 = read_vec3(&v, c, "p1"), p2 = read_vec3(&v, c, "p2");
        vec3 end1 = read_vec3(&v, c, "p1_end"), end2 = read_vec3(&v, c, "p2_end");
        vec3 a = vec3_sub(p2, p1), b = vec3_sub(vec3_sub(end2, end1), a);
        double toi = read_number(&v, out, "toi"), expected[3];
        impact hit;
        bool is_hit = time_of_impact(a, b, (float)read_number(&v, c, "contact_dist"), &hit);
        assert_int_equal(is_hit, !isnan(toi));
        if (is_hit) {
            float w1 = (float)read_number(&v, c, "w1"), w2 = (float)read_number(&v, c, "w2");
            assert_near(hit.time, toi, 2e-6);
            if (w1 + w2 > 0.0f) { // else the vectors give no normal
                read_doubles(&v, out, "toi_normal", expected, 3);
                assert_below(distance_to(hit.normal, expected), 1e-5);
            }
            impact_correct(&hit, w1, w2, &end1, &end2);
            ++hits;
        }
        read_doubles(&v, out, "p1_end_toi", expected, 3);
        assert_below(distance_to(end1, expected), 5e-6);
        read_doubles(&v, out, "p2_end_toi", expected, 3);
        assert_below(distance_to(end2, expected), 5e-6);
    }
    assert_true(hits >= 10);
    vectors_close(&v);
}

// Closest approach on s in [0, 1] in double precision.
static double closest(vec3 a, vec3 b)
{
    double ax = a.x, ay = a.y, az = a.z, bx = b.x, by = b.y, bz = b.z;
    double bb = bx * bx + by * by + bz * bz, s = 0.0;
    if (bb > 0.0)
        s = fmax(0.0, fmin(1.0, -(ax * bx + ay * by + az * bz) / bb));
    return sqrt((ax + s * bx) * (ax + s * bx) + (ay + s * by) * (ay + s * by) +
                (az + s * bz) * (az + s * bz));
}

// Slow and fast pairs over six decades of size: hit exactly when the closest approach says so, but for
// the rounding of where things are; on the sphere at that time; apart afterwards; momentum kept.
static void test_random(void **state)
{
    (void)state;
    uint32_t seed = 2024;
    int hits = 0;
    for (int i = 0; i < 200000; ++i) {
        static const float scales[] = {1e-3f, 1.0f, 1e3f}, speeds[] = {0.3f, 3.0f, 300.0f};
        float scale = scales[i % 3], speed = speeds[(i / 3) % 3], rho = 0.5f * scale;
        vec3 p1 = random_vec3(&seed, scale),
             p2 = random_vec3(&seed, scale * maximum(1.0f, speed / 2));
        vec3 aim = vec3_scale(vec3_sub(p1, p2), random_between(&seed, 0.0f, 2.0f));
        vec3 end2 = vec3_add(vec3_add(p2, aim), random_vec3(&seed, scale));
        vec3 end1 = vec3_add(p1, random_vec3(&seed, 0.2f * scale));
        vec3 a = vec3_sub(p2, p1), end = vec3_sub(end2, end1), b = vec3_sub(end, a);
        double rounding = 1e-6 * (vec3_length(a) + vec3_length(b)) + 1e-6 * rho;
        impact hit;
        bool is_hit = time_of_impact(a, b, rho, &hit);
        if (vec3_length(a) <= rho) {
            assert_false(is_hit);
            continue;
        }
        double least = closest(a, b);
        if (fabs(least - rho) > rounding)
            assert_int_equal(is_hit, least < rho);
        if (!is_hit)
            continue;
        ++hits;
        assert_true(hit.time >= 0.0f && hit.time <= 1.0f && hit.correction >= 0.0f);
        assert_near(vec3_length(hit.normal), 1.0, 1e-6);
        float w1 = random_between(&seed, 0.0f, 2.0f), w2 = random_between(&seed, 0.1f, 2.0f);
        vec3 new1 = end1, new2 = end2;
        impact_correct(&hit, w1, w2, &new1, &new2);
        assert_true(vec3_length(vec3_sub(new2, new1)) > rho - rounding);
        vec3 drift =
            vec3_add(vec3_scale(vec3_sub(new1, end1), w2), vec3_scale(vec3_sub(new2, end2), w1));
        assert_below(vec3_length(drift), 4.0 * rounding);
        // On the sphere at the time of impact. Where the path only grazes, the root of a small
        // difference magnifies the rounding.
        double depth = fmax(1e-3, sqrt(fmax(0.0, 1.0 - least * least / ((double)rho * rho))));
        vec3 at = vec3_add_scaled(a, b, hit.time);
        assert_near(vec3_length(at), rho, 2.0 * rounding / depth);
    }
    assert_true(hits > 30000);
}

static void test_no_impact(void **state)
{
    (void)state;
    impact hit = {.time = 7.0f};
    vec3 zero = {0, 0, 0}, x = {1, 0, 0};
    assert_false(time_of_impact((vec3){2, 0, 0}, zero, 1.0f, &hit));             // at rest
    assert_false(time_of_impact((vec3){2, 0, 0}, x, 1.0f, &hit));                // parting
    assert_false(time_of_impact((vec3){2, 0, 0}, (vec3){0, 5, 0}, 1.0f, &hit));  // sideways
    assert_false(time_of_impact((vec3){0.5f, 0, 0}, (vec3){-3, 0, 0}, 1, &hit)); // overlapping
    assert_false(time_of_impact(x, (vec3){-1, 0, 0}, 1.0f, &hit));               // touching
    assert_false(time_of_impact(zero, (vec3){-1, 0, 0}, 1.0f, &hit));            // coincident
    assert_false(time_of_impact(zero, zero, 0.0f, &hit));
    assert_false(time_of_impact((vec3){2, 1, 0}, (vec3){-4, 0, 0}, 1.0f, &hit)); // grazing
    assert_false(time_of_impact((vec3){3, 0, 0}, (vec3){-1, 0, 0}, 1.0f, &hit)); // too slow
    assert_true(hit.time == 7.0f);
}

static void test_exact_cases(void **state)
{
    (void)state;
    impact hit;
    // Ends on touch: time 1, nothing to correct.
    assert_true(time_of_impact((vec3){3, 0, 0}, (vec3){-2, 0, 0}, 1.0f, &hit));
    assert_true(hit.time == 1.0f && hit.normal.x == 1.0f && hit.correction == 0.0f);
    // Flies through: pushed back to where it came from.
    assert_true(time_of_impact((vec3){0, 3, 0}, (vec3){0, -8, 0}, 1.0f, &hit));
    assert_true(hit.time == 0.25f && hit.normal.y == 1.0f && hit.correction == 6.0f);
    vec3 p1 = {0, 0, 0}, p2 = {0, -5, 0};
    impact_correct(&hit, 0.0f, 2.0f, &p1, &p2);
    assert_true(p1.y == 0.0f && p2.y == 1.0f);
    impact_correct(&hit, 0.0f, 0.0f, &p1, &p2); // nothing can move
    assert_true(p1.y == 0.0f && p2.y == 1.0f);
    // Points never come closer than 0.
    assert_false(time_of_impact((vec3){1, 0, 0}, (vec3){-2, 0, 0}, 0.0f, &hit));
    // A bullet: 1000 m in one step against 1 cm, head on and 9 mm off.
    assert_true(time_of_impact((vec3){500, 0, 0}, (vec3){-1000, 0, 0}, 0.01f, &hit));
    assert_near(hit.time, 0.49999, 1e-6);
    assert_near(hit.normal.x, 1.0, 1e-6);
    assert_true(time_of_impact((vec3){500, 0.009f, 0}, (vec3){-1000, 0, 0}, 0.01f, &hit));
    assert_near(hit.normal.y, 0.9, 2e-3);
    assert_false(time_of_impact((vec3){500, 0.011f, 0}, (vec3){-1000, 0, 0}, 0.01f, &hit));
    // Just outside and barely moving: float32 still sees it.
    assert_true(time_of_impact((vec3){1.000001f, 0, 0}, (vec3){-1e-5f, 0, 0}, 1.0f, &hit));
    assert_near(hit.time, 0.1, 0.02);
    assert_near(hit.correction, 9e-6, 2e-7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_no_impact),
        cmocka_unit_test(test_exact_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
