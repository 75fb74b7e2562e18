// Creation of shapes: what is kept, what is refused and how, and hulls.

#include <time.h>

#include "counting.h"
#include "form/shape.h"

static const vec3 CUBE[8] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                             {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
static const int32_t CUBE_TRIANGLES[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                           2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};

static pliant_shape_def hull_def(const vec3 *points, int count)
{
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_HULL);
    def.points = points;
    def.point_count = count;
    return def;
}

static pliant_shape_def cube_def(pliant_shape_kind kind, const int32_t *triangles)
{
    pliant_shape_def def = hull_def(CUBE, 8);
    def.kind = kind;
    def.triangles = triangles;
    def.triangle_count = 12;
    return def;
}

static pliant_shape *make(const pliant_shape_def *def)
{
    pliant_error error = {0};
    pliant_shape *shape = pliant_shape_create(def, NULL, &error);
    if (!shape)
        fail_msg("%s: %s", error.place, error.message);
    return shape;
}

static void refused(pliant_shape_def def, const char *place, const char *message)
{
    counting c = {0};
    pliant_allocator allocator = counting_allocator(&c);
    pliant_error error = {0};
    assert_null(pliant_shape_create(&def, &allocator, &error));
    assert_int_equal(error.code, PLIANT_ERROR_ARGUMENT);
    assert_string_equal(error.place, place);
    if (!strstr(error.message, message))
        fail_msg("\"%s\" does not hold \"%s\"", error.message, message);
    assert_int_equal(c.live, 0);
    assert_null(pliant_shape_create(&def, &allocator, NULL));
}

static void test_sizes_out_of_range(void **state)
{
    (void)state;
    const float wrong[] = {0.0f, -1.0f, NAN, INFINITY, 2e5f};
    for (int i = 0; i < 5; ++i) {
        pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_SPHERE);
        def.radius = wrong[i];
        refused(def, "radius", "is not above 0 and up to 1e5");
        def.kind = PLIANT_SHAPE_CAPSULE;
        refused(def, "radius", "is not above 0");
        def = pliant_default_shape_def(PLIANT_SHAPE_CAPSULE);
        def.half_length = wrong[i];
        if (i)
            refused(def, "half_length", "is not between 0 and 1e5");
        def = pliant_default_shape_def(PLIANT_SHAPE_BOX);
        *(i % 3 == 0   ? &def.half_size.x
          : i % 3 == 1 ? &def.half_size.y
                       : &def.half_size.z) = wrong[i];
        refused(def, "half_size", "is not above 0");
    }
    refused(pliant_default_shape_def((pliant_shape_kind)99), "kind", "99");
}

static void test_points_and_triangles_refused(void **state)
{
    (void)state;
    pliant_shape_def def = hull_def(CUBE, 3);
    refused(def, "point_count", "3, not between 4");
    def = hull_def(NULL, 4);
    refused(def, "point_count", "no array");
    def = cube_def(PLIANT_SHAPE_MESH, CUBE_TRIANGLES);
    def.triangle_count = 0;
    refused(def, "triangle_count", "0, not between 1");
    def.triangle_count = INT32_MAX;
    refused(def, "triangle_count", "not between");
    def.triangle_count = -5;
    refused(def, "triangle_count", "-5");
    vec3 points[8];
    memcpy(points, CUBE, sizeof points);
    points[6].y = NAN;
    refused(hull_def(points, 8), "point 6", "is not within 1e6");
    points[6].y = -2e6f;
    refused(hull_def(points, 8), "point 6", "is not within 1e6");
    int32_t t[36];
    memcpy(t, CUBE_TRIANGLES, sizeof t);
    t[16] = 8;
    refused(cube_def(PLIANT_SHAPE_MESH, t), "triangle 5", "point 8 of 8");
    t[16] = t[15];
    refused(cube_def(PLIANT_SHAPE_MESH, t), "triangle 5", "span no area");
    refused(cube_def(PLIANT_SHAPE_HULL, t), "triangle 5", "span no area");
    const vec3 thin[3] = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}};
    const int32_t one[3] = {0, 1, 2};
    def = cube_def(PLIANT_SHAPE_MESH, one);
    def.points = thin;
    def.point_count = 3;
    def.triangle_count = 1;
    refused(def, "triangle 0", "span no area");
}

static void test_hulls_refused(void **state)
{
    (void)state;
    vec3 flat[5] = {{0, 0, 0}, {1, 0, 1}, {1, 0, 0}, {0, 0, 1}, {.5f, 0, .5f}};
    refused(hull_def(flat, 5), "points", "one plane");
    for (int i = 0; i < 5; ++i)
        flat[i].y = flat[i].x + 2.0f * flat[i].z;
    refused(hull_def(flat, 5), "points", "one plane");
    for (int i = 0; i < 5; ++i)
        flat[i] = (vec3){(float)i, (float)i, (float)i};
    refused(hull_def(flat, 5), "points", "one plane");
    for (int i = 0; i < 5; ++i)
        flat[i] = (vec3){1, 2, 3};
    refused(hull_def(flat, 5), "points", "one plane");

    int32_t t[36];
    memcpy(t, CUBE_TRIANGLES, sizeof t);
    pliant_shape_def def = cube_def(PLIANT_SHAPE_HULL, t);
    def.triangle_count = 11;
    refused(def, "triangle 2", "has no neighbour");
    t[33] = CUBE_TRIANGLES[34];
    t[34] = CUBE_TRIANGLES[33];
    refused(cube_def(PLIANT_SHAPE_HULL, t), "triangle 2", "wound against its neighbour");
    for (int i = 0; i < 12; ++i) {
        t[3 * i] = CUBE_TRIANGLES[3 * i];
        t[3 * i + 1] = CUBE_TRIANGLES[3 * i + 2];
        t[3 * i + 2] = CUBE_TRIANGLES[3 * i + 1];
    }
    refused(cube_def(PLIANT_SHAPE_HULL, t), "triangles", "clockwise");
    vec3 dented[9];
    memcpy(dented, CUBE, sizeof CUBE);
    dented[8] = (vec3){0, 0.2f, 0};
    // A cube whose upper side is a pit: 2 6 7 and 2 7 3 become four triangles.
    int32_t pit[42] = {0};
    memcpy(pit, CUBE_TRIANGLES, sizeof CUBE_TRIANGLES);
    const int32_t sides[12] = {2, 6, 8, 6, 7, 8, 7, 3, 8, 3, 2, 8};
    memcpy(pit + 18, sides, 6 * sizeof *sides);
    memcpy(pit + 36, sides + 6, 6 * sizeof *sides);
    def = hull_def(dented, 9);
    def.triangles = pit;
    def.triangle_count = 14;
    refused(def, "triangle 6", "not convex");
}

static void test_two_bodies_are_no_hull(void **state)
{
    (void)state;
    vec3 points[16];
    int32_t t[72];
    for (int i = 0; i < 8; ++i) {
        points[i] = CUBE[i];
        points[8 + i] = vec3_add(CUBE[i], (vec3){5, 0, 0});
    }
    for (int i = 0; i < 36; ++i) {
        t[i] = CUBE_TRIANGLES[i];
        t[36 + i] = CUBE_TRIANGLES[i] + 8;
    }
    pliant_shape_def def = hull_def(points, 16);
    def.triangles = t;
    def.triangle_count = 24;
    refused(def, "triangles", "not convex");
    // The same twice in one place: every edge belongs to four.
    memcpy(points + 8, CUBE, sizeof CUBE);
    refused(def, "triangle 0", "is one of 4 triangles");
}

static void test_heightfields_refused(void **state)
{
    (void)state;
    float heights[12] = {0};
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_HEIGHTFIELD);
    def.heights = heights;
    def.columns = 1;
    def.rows = 12;
    refused(def, "columns", "1, not at least 2");
    def.columns = 4;
    def.rows = 0;
    refused(def, "rows", "0, not at least 2");
    def.rows = 3;
    heights[7] = NAN;
    refused(def, "height 7", "nan");
    heights[7] = INFINITY;
    refused(def, "height 7", "inf");
    heights[7] = 0.0f;
    def.spacing = 0.0f;
    refused(def, "spacing", "is not above 0");
    def.spacing = NAN;
    refused(def, "spacing", "is not above 0");
    def.spacing = 1.0f;
    def.heights = NULL;
    refused(def, "heights", "no array");
    def.columns = def.rows = INT32_MAX;
    refused(def, "heights", "too many");
}

static void test_definition_is_kept(void **state)
{
    (void)state;
    pliant_shape_def def = cube_def(PLIANT_SHAPE_MESH, CUBE_TRIANGLES);
    pliant_shape *shape = make(&def);
    pliant_shape_def kept = pliant_shape_definition(shape);
    assert_int_equal(kept.point_count, 8);
    assert_int_equal(kept.triangle_count, 12);
    assert_memory_equal(kept.points, CUBE, sizeof CUBE);
    assert_memory_equal(kept.triangles, CUBE_TRIANGLES, sizeof CUBE_TRIANGLES);
    assert_ptr_not_equal(kept.points, CUBE);
    vec3 low, high;
    pliant_shape_bounds(shape, &low, &high);
    assert_true(low.x == -1.0f && high.z == 1.0f);
    pliant_shape_destroy(shape);
    pliant_shape_bounds(&pli_plane_shape, &low, &high);
    assert_true(low.y == -1e30f && high.y == 0.0f && high.x == 1e30f);
    pliant_shape_destroy(NULL);
}

static void test_fingerprints_differ(void **state)
{
    (void)state;
    uint64_t seen[7];
    float heights[64] = {0};
    for (int kind = 0; kind < 7; ++kind) {
        pliant_shape_def def = cube_def((pliant_shape_kind)kind, CUBE_TRIANGLES);
        def.heights = heights;
        def.columns = def.rows = 8;
        pliant_shape *shape = make(&def);
        pliant_shape_def kept = pliant_shape_definition(shape);
        pliant_shape *again = make(&kept);
        seen[kind] = pli_shape_fingerprint(shape);
        assert_true(seen[kind] == pli_shape_fingerprint(again));
        for (int i = 0; i < kind; ++i)
            assert_true(seen[i] != seen[kind]);
        pliant_shape_destroy(again);
        pliant_shape_destroy(shape);
    }
    assert_true(seen[0] == pli_shape_fingerprint(&pli_plane_shape));
    heights[63] = 1e-6f;
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_HEIGHTFIELD);
    def.heights = heights;
    def.columns = def.rows = 8;
    pliant_shape *shape = make(&def);
    assert_true(seen[PLIANT_SHAPE_HEIGHTFIELD] != pli_shape_fingerprint(shape));
    pliant_shape_destroy(shape);
}

// ---------------------------------------------------------------------------------------------
// Hulls

// Closed (Euler), with outward normals, all points below all faces, corners all among the points given.
// The same again from its own definition, with and without triangles.
static void check_hull(const vec3 *points, int count, int expected_points, double tolerance)
{
    pliant_shape_def def = hull_def(points, count);
    pliant_shape *shape = make(&def);
    pliant_shape_def kept = pliant_shape_definition(shape);
    if (expected_points)
        assert_int_equal(kept.point_count, expected_points);
    assert_int_equal(kept.triangle_count, 2 * kept.point_count - 4);
    vec3 low, high;
    pliant_shape_bounds(shape, &low, &high);
    double size = vec3_length(vec3_sub(high, low)), worst = 0.0;
    // Thin triangles have no plane worth comparing with; the nearest point knows better.
    for (int i = 0; i < count; i += 1 + count / 2000) {
        form_hit hit;
        assert_true(pli_shape_closest(shape, points[i], 1e9f, &hit));
        worst = fmax(worst, hit.distance / size);
    }
    assert_below(worst, tolerance);
    for (int pass = 0; pass < 2; ++pass) {
        pliant_shape *again = make(&kept);
        assert_true(pli_shape_fingerprint(again) == pli_shape_fingerprint(shape));
        pliant_shape_destroy(again);
        kept.triangle_count = 0;
    }
    pliant_shape_destroy(shape);
}

static void test_hull_of_a_grid_is_a_cube(void **state)
{
    (void)state;
    vec3 points[1000];
    for (int i = 0; i < 1000; ++i)
        points[i] = (vec3){(float)(i % 10), (float)(i / 10 % 10), (float)(i / 100)};
    check_hull(points, 1000, 8, 1e-6);
    // Turned, rounding puts points a little off the sides.
    quat q = quat_normalize((quat){.1f, .5f, -.3f, .8f});
    for (int i = 0; i < 1000; ++i)
        points[i] = vec3_add(quat_rotate(q, points[i]), (vec3){100, 20, -30});
    check_hull(points, 1000, 0, 3e-6);
}

static void test_hulls_of_random_points(void **state)
{
    (void)state;
    vec3 points[400];
    uint32_t seed = 17;
    for (int round = 0; round < 300; ++round) {
        int count = 4 + (int)(random_bits(&seed) % 396u), kind = round % 4;
        for (int i = 0; i < count; ++i) {
            vec3 p = random_vec3(&seed, 1.0f);
            if (kind == 1) // few places
                p = (vec3){(float)(int)(p.x * 3.0f), (float)(int)(p.y * 3.0f),
                           (float)(int)(p.z * 3.0f)};
            if (kind == 2) // a ball
                p = vec3_normalize_or(p, (vec3){1, 0, 0});
            if (kind == 3) // a thin plate
                p.y *= 1e-4f;
            points[i] = p;
        }
        points[0] = (vec3){2, 0, 0};
        points[1] = (vec3){0, kind == 3 ? 1e-4f : 2.0f, 0};
        points[2] = (vec3){0, 0, 2};
        points[3] = (vec3){0, 0, 0};
        check_hull(points, count, 0, 3e-6);
    }
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void test_hull_of_many_points(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    vec3 *points = malloc(COUNT * sizeof *points);
    uint32_t seed = 19;
    for (int i = 0; i < COUNT; ++i)
        points[i] = vec3_normalize_or(random_vec3(&seed, 1.0f), (vec3){1, 0, 0});
    double start = seconds();
    pliant_shape_def def = hull_def(points, COUNT);
    pliant_shape *shape = make(&def);
    print_message("hull of 100,000 points on a ball: %.2f s, %d corners\n", seconds() - start,
                  pliant_shape_definition(shape).point_count);
    pliant_shape_destroy(shape);
    free(points);
}

// ---------------------------------------------------------------------------------------------

static void test_no_memory_at_any_call(void **state)
{
    (void)state;
    float heights[64] = {0};
    for (int kind = 0; kind < 8; ++kind) {
        pliant_shape_def def = cube_def((pliant_shape_kind)(kind % 7), CUBE_TRIANGLES);
        def.heights = heights;
        def.columns = def.rows = 8;
        if (kind == 7)
            def = hull_def(CUBE, 8);
        for (int fail_at = 1;; ++fail_at) {
            counting c = {.fail_at = fail_at};
            pliant_allocator allocator = counting_allocator(&c);
            pliant_error error = {0};
            pliant_shape *shape = pliant_shape_create(&def, &allocator, &error);
            if (shape) {
                assert_true(c.calls < fail_at);
                pliant_shape_destroy(shape);
                assert_int_equal(c.live, 0);
                break;
            }
            assert_int_equal(error.code, PLIANT_ERROR_MEMORY);
            assert_int_equal(c.live, 0);
            assert_true(fail_at < 200);
        }
    }
}

// Whatever bits there are: an error or a shape that answers.
static void test_garbage(void **state)
{
    (void)state;
    uint32_t seed = 23;
    int made = 0;
    for (int round = 0; round < 20000; ++round) {
        vec3 points[12];
        int32_t triangles[36];
        float heights[16];
        for (int i = 0; i < 12; ++i) {
            points[i] = random_vec3(&seed, 2.0f);
            if (round % 3 == 0)
                points[i].x = bits_float(random_bits(&seed));
            if (round % 3 == 1)
                points[i] = CUBE[random_bits(&seed) % 8];
        }
        for (int i = 0; i < 36; ++i)
            triangles[i] = (int32_t)(random_bits(&seed) % 13u) - (round % 7 == 0);
        for (int i = 0; i < 16; ++i)
            heights[i] = round % 2 ? bits_float(random_bits(&seed)) : random_between(&seed, -9, 9);
        pliant_shape_def def = {
            .kind = (pliant_shape_kind)(random_bits(&seed) % 8),
            .radius = bits_float(random_bits(&seed)),
            .half_length = bits_float(random_bits(&seed)),
            .half_size = {bits_float(random_bits(&seed)), 1, 1},
            .points = points,
            .point_count = (int)(random_bits(&seed) % 13u),
            .triangles = triangles,
            .triangle_count = (int)(random_bits(&seed) % 13u),
            .heights = heights,
            .columns = (int)(random_bits(&seed) % 5u),
            .rows = (int)(random_bits(&seed) % 5u),
            .spacing = random_bits(&seed) % 2 ? 1.0f : bits_float(random_bits(&seed)),
        };
        pliant_shape *shape = pliant_shape_create(&def, NULL, NULL);
        if (!shape)
            continue;
        ++made;
        touch touches[4];
        form_hit hit;
        vec3 from = random_vec3(&seed, 3.0f), way = random_vec3(&seed, 30.0f);
        sym3 S = {0.04f, 0.01f, 0, 0.09f, 0, 0.02f};
        int found = pli_shape_touches(shape, S, from, way, round & 1, 0.1f, touches, 4);
        for (int i = 0; i < found && i < 4; ++i)
            assert_true(vec3_is_finite(touches[i].normal) && is_finite(touches[i].gap));
        if (pli_shape_ray(shape, from, (vec3){0, 1, 0}, 1e3f, &hit))
            assert_true(vec3_is_finite(hit.point) && vec3_is_finite(hit.normal));
        if (pli_shape_closest(shape, from, 1e3f, &hit))
            assert_true(vec3_is_finite(hit.point) && vec3_is_finite(hit.normal));
        pliant_shape_destroy(shape);
    }
    assert_true(made > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes_out_of_range),
        cmocka_unit_test(test_points_and_triangles_refused),
        cmocka_unit_test(test_hulls_refused),
        cmocka_unit_test(test_two_bodies_are_no_hull),
        cmocka_unit_test(test_heightfields_refused),
        cmocka_unit_test(test_definition_is_kept),
        cmocka_unit_test(test_fingerprints_differ),
        cmocka_unit_test(test_hull_of_a_grid_is_a_cube),
        cmocka_unit_test(test_hulls_of_random_points),
        cmocka_unit_test(test_hull_of_many_points),
        cmocka_unit_test(test_no_memory_at_any_call),
        cmocka_unit_test(test_garbage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
