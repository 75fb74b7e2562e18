// Meshes and heightfields: seams, creases, sides, and ellipsoids that must not pass.

#include <time.h>

#include "form/shape.h"
#include "test.h"

enum { MOST = 16 };

static const vec3 STILL = {0, 0, 0};

static pliant_shape *make(const pliant_shape_def *def)
{
    pliant_error error = {0};
    pliant_shape *shape = pliant_shape_create(def, NULL, &error);
    if (!shape)
        fail_msg("%s: %s", error.place, error.message);
    return shape;
}

static pliant_shape *make_mesh(const vec3 *points, int point_count, const int32_t *triangles,
                               int triangle_count)
{
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_MESH);
    def.points = points;
    def.point_count = point_count;
    def.triangles = triangles;
    def.triangle_count = triangle_count;
    return make(&def);
}

// n × n squares of side 1 about the origin, heights by `height`; as a mesh or a heightfield's heights.
typedef float height_function(float x, float z);

static float flat(float x, float z)
{
    (void)x;
    (void)z;
    return 0.0f;
}

static float ridge(float x, float z)
{
    (void)z;
    return -absolute(x);
}

static float valley(float x, float z)
{
    (void)z;
    return absolute(x);
}

static float hills(float x, float z)
{
    return 0.7f * sinf(0.9f * x) * cosf(0.7f * z) + 0.2f * sinf(3.0f * x + z);
}

static pliant_shape *make_ground(int n, height_function *height, bool is_field)
{
    int side = n + 1;
    vec3 *points = malloc((size_t)(side * side) * sizeof *points);
    float *heights = malloc((size_t)(side * side) * sizeof *heights);
    int32_t *triangles = malloc((size_t)(6 * n * n) * sizeof *triangles);
    for (int row = 0; row < side; ++row)
        for (int column = 0; column < side; ++column) {
            float x = (float)(column - n / 2), z = (float)(row - n / 2);
            // A field begins at the origin, so its heights are those of points n / 2 farther.
            heights[row * side + column] = height(x, z);
            points[row * side + column] = (vec3){x, height(x, z), z};
        }
    for (int32_t row = 0; row < n; ++row)
        for (int32_t column = 0; column < n; ++column) {
            int32_t a = row * side + column, *t = triangles + 6 * (row * n + column);
            const int32_t both[6] = {a, a + side, a + 1, a + side + 1, a + 1, a + side};
            memcpy(t, both, sizeof both);
        }
    pliant_shape_def def =
        pliant_default_shape_def(is_field ? PLIANT_SHAPE_HEIGHTFIELD : PLIANT_SHAPE_MESH);
    def.points = points;
    def.point_count = side * side;
    def.triangles = triangles;
    def.triangle_count = 2 * n * n;
    def.heights = heights;
    def.columns = def.rows = side;
    pliant_shape *shape = make(&def);
    free(points);
    free(heights);
    free(triangles);
    return shape;
}

static sym3 ball(float radius)
{
    float r = radius * radius;
    return (sym3){r, 0, 0, r, 0, r};
}

static sym3 random_shape(uint32_t *seed, float size, float aspect)
{
    mat3 R = quat_to_mat3(random_quat(seed));
    float a = random_between(seed, size / aspect, size);
    float b = random_between(seed, size / aspect, size);
    float c = random_between(seed, size / aspect, size);
    return sym3_rotate_diagonal(&R, (vec3){a * a, b * b, c * c});
}

static float width(sym3 S, vec3 n)
{
    return square_root(vec3_dot(n, sym3_mul_vec(S, n)));
}

// ---------------------------------------------------------------------------------------------
// Seams and creases

// On a flat ground there is one touch, straight up, over faces, seams and corners alike.
static void test_flat_ground_has_no_seams(void **state)
{
    (void)state;
    for (int is_field = 0; is_field < 2; ++is_field) {
        pliant_shape *ground = make_ground(20, flat, is_field);
        vec3 middle = is_field ? (vec3){10, 0, 10} : (vec3){0, 0, 0};
        uint32_t seed = 3;
        for (int i = 0; i < 20000; ++i) {
            sym3 S = random_shape(&seed, 2.0f, 4.0f);
            vec3 p = random_vec3(&seed, 5.0f);
            if (i % 3 == 0)
                p.x = (float)(int)p.x;
            if (i % 2 == 0)
                p.z = (float)(int)p.z;
            float h = width(S, (vec3){0, 1, 0});
            p.y = h + random_between(&seed, -0.5f, 0.05f) * h;
            vec3 way = random_vec3(&seed, 0.1f);
            vec3 from = vec3_sub(vec3_add(p, middle), way);
            touch t[MOST];
            bool is_swept = i % 5 == 0;
            int found = pli_shape_touches(ground, S, from, way, is_swept, 0.1f * h, t, MOST);
            if (!is_swept)
                assert_int_equal(found, 1);
            for (int k = 0; k < found; ++k) {
                assert_true(t[k].normal.x == 0.0f && t[k].normal.y == 1.0f &&
                            t[k].normal.z == 0.0f);
                assert_near(t[k].point.y, 0.0f, 1e-6f);
            }
            if (!is_swept)
                assert_near(t[0].gap, vec3_add(from, way).y - h, 1e-5f);
        }
        pliant_shape_destroy(ground);
    }
}

static void test_ridge_and_valley(void **state)
{
    (void)state;
    for (int is_field = 0; is_field < 2; ++is_field) {
        vec3 middle = is_field ? (vec3){5, 0, 5} : (vec3){0, 0, 0};
        pliant_shape *up = make_ground(10, ridge, is_field);
        pliant_shape *down = make_ground(10, valley, is_field);
        touch t[MOST];
        vec3 c = vec3_add(middle, (vec3){0.1f, 0.5f, 0.3f});
        int found = pli_shape_touches(up, ball(0.5f), c, STILL, false, 0.1f, t, MOST);
        assert_int_equal(found, 1); // the crease itself, not a side
        float length = square_root(0.26f);
        assert_near(t[0].normal.x, 0.1f / length, 1e-5f);
        assert_near(t[0].gap, length - 0.5f, 1e-5f);
        c = vec3_add(middle, (vec3){0, 0.7f, 0.3f});
        found = pli_shape_touches(down, ball(0.5f), c, STILL, false, 0.1f, t, MOST);
        assert_int_equal(found, 2); // both sides, not the crease
        for (int i = 0; i < 2; ++i) {
            assert_near(absolute(t[i].normal.x), square_root(0.5f), 1e-5f);
            assert_near(t[i].normal.y, square_root(0.5f), 1e-5f);
            assert_near(t[i].gap, 0.7f * square_root(0.5f) - 0.5f, 1e-5f);
        }
        // A centre below the bottom of the valley goes up all the same.
        c = vec3_add(middle, (vec3){0, -0.05f, 0.3f});
        vec3 way = {0, -0.2f, 0};
        found = pli_shape_touches(down, ball(0.5f), vec3_sub(c, way), way, false, 0.1f, t, MOST);
        assert_true(found >= 1);
        for (int i = 0; i < found; ++i)
            assert_true(t[i].normal.y > 0.5f && t[i].gap < -0.5f);
        pliant_shape_destroy(up);
        pliant_shape_destroy(down);
    }
}

static void test_mesh_holds_on_both_sides(void **state)
{
    (void)state;
    pliant_shape *ground = make_ground(10, flat, false);
    for (int side = -1; side <= 1; side += 2)
        for (int is_swept = 0; is_swept < 2; ++is_swept) {
            touch t[MOST];
            float s = (float)side;
            vec3 from = {0.3f, 0.3f * s, 0.1f}, way = {0, -0.35f * s, 0};
            int found = pli_shape_touches(ground, ball(0.25f), from, way, is_swept, 0.1f, t, MOST);
            assert_int_equal(found, 1);
            assert_near(t[0].normal.y, s, 1e-6f);
            assert_near(t[0].gap, is_swept ? 0.0f : -0.3f, 1e-3f);
        }
    pliant_shape_destroy(ground);
}

static void test_corner_of_three_walls(void **state)
{
    (void)state;
    const vec3 points[7] = {{0, 0, 0}, {9, 0, 0}, {0, 9, 0}, {0, 0, 9},
                            {9, 9, 0}, {0, 9, 9}, {9, 0, 9}};
    const int32_t triangles[18] = {0, 1, 4, 0, 4, 2, 0, 2, 5, 0, 5, 3, 0, 3, 6, 0, 6, 1};
    pliant_shape *corner = make_mesh(points, 7, triangles, 6);
    touch t[MOST];
    for (int is_swept = 0; is_swept < 2; ++is_swept) {
        vec3 from = {1, 1, 1}, way = {-0.55f, -0.55f, -0.55f};
        int found = pli_shape_touches(corner, ball(0.5f), from, way, is_swept, 0.1f, t, MOST);
        assert_int_equal(found, 3);
        vec3 sum = vec3_add(t[0].normal, vec3_add(t[1].normal, t[2].normal));
        assert_near(vec3_length(vec3_sub(sum, (vec3){1, 1, 1})), 0.0f, 1e-5f);
        for (int i = 0; i < 3; ++i)
            assert_near(t[i].gap, is_swept ? 0.0f : -0.05f, 1e-3f);
    }
    // Only as many as there is room for; all are counted.
    assert_int_equal(
        pli_shape_touches(corner, ball(0.5f), (vec3){.45f, .4f, .48f}, STILL, false, 0.1f, t, 1),
        3);
    assert_near(t[0].normal.y, 1.0f, 1e-6f);
    pliant_shape_destroy(corner);
}

// The border of a sheet is felt from the side.
static void test_border(void **state)
{
    (void)state;
    pliant_shape *sheet = make_ground(4, flat, false);
    touch t[MOST];
    int found =
        pli_shape_touches(sheet, ball(0.5f), (vec3){2.45f, 0, 0.3f}, STILL, false, 0.1f, t, MOST);
    assert_int_equal(found, 1);
    assert_near(t[0].normal.x, 1.0f, 1e-5f);
    assert_near(t[0].gap, -0.05f, 1e-5f);
    pliant_shape_destroy(sheet);
}

// Vertices of a soup have no indices in common, but places.
static void test_soup_is_one_surface(void **state)
{
    (void)state;
    pliant_shape *ground = make_ground(6, hills, false);
    pliant_shape_def def = pliant_shape_definition(ground);
    int count = 3 * def.triangle_count;
    vec3 *points = malloc((size_t)count * sizeof *points);
    int32_t *triangles = malloc((size_t)count * sizeof *triangles);
    for (int32_t i = 0; i < count; ++i) {
        points[i] = def.points[def.triangles[i]];
        triangles[i] = i;
    }
    // Half of them wound the other way.
    for (int i = 0; i < def.triangle_count; i += 2) {
        triangles[3 * i] = 3 * i + 1;
        triangles[3 * i + 1] = 3 * i;
    }
    pliant_shape *soup = make_mesh(points, count, triangles, def.triangle_count);
    uint32_t seed = 4;
    for (int i = 0; i < 5000; ++i) {
        touch a[MOST], b[MOST];
        sym3 S = random_shape(&seed, 0.8f, 3.0f);
        vec3 c = random_vec3(&seed, 3.0f), way = random_vec3(&seed, i & 1 ? 2.0f : 0.1f);
        int found = pli_shape_touches(ground, S, c, way, i & 1, 0.1f, a, MOST);
        assert_int_equal(pli_shape_touches(soup, S, c, way, i & 1, 0.1f, b, MOST), found);
        for (int k = 0; k < found && k < MOST; ++k)
            assert_near(a[k].gap, b[k].gap, 1e-5f);
    }
    pliant_shape_destroy(soup);
    pliant_shape_destroy(ground);
    free(points);
    free(triangles);
}

// ---------------------------------------------------------------------------------------------
// All triangles

// A mesh and a field of the same ground agree on what is met from above.
static void test_mesh_and_field_agree(void **state)
{
    (void)state;
    pliant_shape *mesh = make_ground(12, hills, false), *field = make_ground(12, hills, true);
    uint32_t seed = 9;
    int touched = 0;
    for (int i = 0; i < 20000; ++i) {
        sym3 S = random_shape(&seed, random_between(&seed, 0.1f, 1.0f), 4.0f);
        vec3 c = {random_between(&seed, -4, 4), random_between(&seed, 1.5f, 2.5f),
                  random_between(&seed, -4, 4)};
        vec3 way = {random_between(&seed, -1, 1), random_between(&seed, -3, 0),
                    random_between(&seed, -1, 1)};
        touch a[MOST], b[MOST];
        int found = pli_shape_touches(mesh, S, c, way, true, 0.01f, a, MOST);
        int other =
            pli_shape_touches(field, S, vec3_add(c, (vec3){6, 0, 6}), way, true, 0.01f, b, MOST);
        assert_int_equal(found > 0, other > 0);
        if (!found)
            continue;
        touched += 1;
        assert_near(a[0].time, b[0].time, 2e-3f);
    }
    assert_true(touched > 1000);
    pliant_shape_destroy(mesh);
    pliant_shape_destroy(field);
}

// The tree against one mesh for each triangle: the earliest and deepest touch is the same, since the
// nearest of all triangles is nearest around, too.
static void test_tree_finds_what_all_triangles_do(void **state)
{
    (void)state;
    pliant_shape *ground = make_ground(8, hills, false);
    pliant_shape_def def = pliant_shape_definition(ground);
    pliant_shape **single = malloc((size_t)def.triangle_count * sizeof *single);
    for (int i = 0; i < def.triangle_count; ++i)
        single[i] = make_mesh(def.points, def.point_count, def.triangles + 3 * i, 1);
    uint32_t seed = 12;
    for (int i = 0; i < 3000; ++i) {
        sym3 S = random_shape(&seed, random_between(&seed, 0.1f, 1.0f), 3.0f);
        vec3 c = {random_between(&seed, -4, 4), random_between(&seed, 2.0f, 2.5f),
                  random_between(&seed, -4, 4)};
        vec3 way = random_vec3(&seed, 4.0f);
        touch all[MOST], one[MOST], best = {.time = 2.0f};
        int found = pli_shape_touches(ground, S, c, way, true, 0.0f, all, MOST);
        for (int k = 0; k < def.triangle_count; ++k)
            if (pli_shape_touches(single[k], S, c, way, true, 0.0f, one, MOST) &&
                one[0].time < best.time)
                best = one[0];
        // What comes within a thousandth of touching may be found by one and missed by the other.
        if (found && best.time == 2.0f && absolute(all[0].gap) < 1e-3f)
            continue;
        assert_int_equal(found > 0, best.time < 2.0f);
        if (found)
            assert_near(all[0].time, best.time, 2e-3f);
    }
    for (int i = 0; i < def.triangle_count; ++i)
        pliant_shape_destroy(single[i]);
    free(single);
    pliant_shape_destroy(ground);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void test_large_ground(void **state)
{
    (void)state;
    for (int is_field = 0; is_field < 2; ++is_field) {
        double start = seconds();
        pliant_shape *ground = make_ground(224, hills, is_field); // 100,352 triangles
        double built = seconds() - start;
        uint32_t seed = 31;
        start = seconds();
        int touched = 0;
        for (int i = 0; i < 20000; ++i) {
            vec3 c = {random_between(&seed, -100, 100), random_between(&seed, -0.5f, 1.5f),
                      random_between(&seed, -100, 100)};
            if (is_field)
                c = vec3_add(c, (vec3){112, 0, 112});
            touch t[MOST];
            touched += pli_shape_touches(ground, ball(0.3f), c, STILL, false, 0.03f, t, MOST) > 0;
        }
        print_message("100k triangles: built in %.3f s, %.2f us a query\n", built,
                      (seconds() - start) * 50.0);
        assert_true(touched > 1000);
        assert_below(built, 5.0);
        pliant_shape_destroy(ground);
    }
}

// Grains on triangles of a kilometre: exact where floats of barycentric coordinates would not be.
static void test_small_grains_on_a_large_floor(void **state)
{
    (void)state;
    const vec3 points[4] = {{-1000, 0, -1000}, {1000, 0, -1000}, {1000, 0, 1000}, {-1000, 0, 1000}};
    const int32_t triangles[6] = {0, 2, 1, 0, 3, 2};
    pliant_shape *floor = make_mesh(points, 4, triangles, 2);
    uint32_t seed = 2;
    for (int i = 0; i < 5000; ++i) {
        vec3 c = random_vec3(&seed, 900.0f);
        if (i % 4 == 0)
            c.z = c.x; // over the seam
        c.y = 0.0099f;
        touch t[MOST];
        assert_int_equal(pli_shape_touches(floor, ball(0.01f), c, STILL, false, 1e-3f, t, MOST), 1);
        assert_true(t[0].normal.y == 1.0f);
        assert_near(t[0].gap, -1e-4f, 1e-7f);
    }
    pliant_shape_destroy(floor);
}

// ---------------------------------------------------------------------------------------------
// Below a field

static void test_field_pushes_up(void **state)
{
    (void)state;
    pliant_shape *field = make_ground(12, hills, true);
    uint32_t seed = 6;
    for (int i = 0; i < 5000; ++i) {
        vec3 c = {random_between(&seed, 0.1f, 11.9f), random_between(&seed, -20, -1),
                  random_between(&seed, 0.1f, 11.9f)};
        touch t[MOST];
        int found =
            pli_shape_touches(field, ball(0.1f), c, (vec3){0, 0.05f, 0}, i & 1, 0.0f, t, MOST);
        assert_true(found >= 1);
        for (int k = 0; k < found && k < MOST; ++k)
            assert_true(t[k].normal.y > 0.0f && t[k].gap < -0.1f);
    }
    pliant_shape_destroy(field);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flat_ground_has_no_seams),
        cmocka_unit_test(test_ridge_and_valley),
        cmocka_unit_test(test_mesh_holds_on_both_sides),
        cmocka_unit_test(test_corner_of_three_walls),
        cmocka_unit_test(test_border),
        cmocka_unit_test(test_soup_is_one_surface),
        cmocka_unit_test(test_mesh_and_field_agree),
        cmocka_unit_test(test_tree_finds_what_all_triangles_do),
        cmocka_unit_test(test_large_ground),
        cmocka_unit_test(test_small_grains_on_a_large_floor),
        cmocka_unit_test(test_field_pushes_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
