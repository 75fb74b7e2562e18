// Cutting polygons: as many triangles as there should be, all turning the polygon's way, covering its area
// once.

#include "test.h"

#include "mesh/polygon.h"

#define MOST 1200

typedef struct cut {
    int32_t triangles[MOST][3];
    bool is_good;
} cut;

static cut cut_polygon(const pliant_vec3 *corners, int count)
{
    cut result;
    assert_true(count <= MOST);
    result.is_good = pli_polygon_cut(corners, count, result.triangles);
    for (int i = 0; i < count - 2; ++i) {
        for (int j = 0; j < 3; ++j)
            assert_in_range(result.triangles[i][j], 0, count - 1);
    }
    return result;
}

// Twice the area of a triangle seen against `normal`.
static double area_along(pliant_vec3 a, pliant_vec3 b, pliant_vec3 c, const double normal[3])
{
    double u[3] = {(double)b.x - a.x, (double)b.y - a.y, (double)b.z - a.z};
    double v[3] = {(double)c.x - a.x, (double)c.y - a.y, (double)c.z - a.z};
    return normal[0] * (u[1] * v[2] - u[2] * v[1]) + normal[1] * (u[2] * v[0] - u[0] * v[2]) +
           normal[2] * (u[0] * v[1] - u[1] * v[0]);
}

// A fan's signed areas add up to the polygon's; a cut that leaves the polygon has more area than that.
static void assert_covers_once(const pliant_vec3 *corners, int count, const double normal[3])
{
    cut result = cut_polygon(corners, count);
    assert_true(result.is_good);
    double whole = 0.0, sum = 0.0;
    for (int i = 1; i + 1 < count; ++i)
        whole += area_along(corners[0], corners[i], corners[i + 1], normal);
    for (int i = 0; i < count - 2; ++i) {
        const int32_t *t = result.triangles[i];
        double area = area_along(corners[t[0]], corners[t[1]], corners[t[2]], normal);
        assert_true(area >= -1e-6 * fabs(whole));
        sum += fabs(area);
    }
    assert_near(sum, whole, 1e-5 * fabs(whole));
}

static const double up[3] = {0.0, 0.0, 1.0};

static void a_convex_polygon_is_a_fan(void **unused)
{
    (void)unused;
    const pliant_vec3 corners[5] = {{0, 0, 0}, {2, 0, 0}, {3, 1, 0}, {2, 2, 0}, {0, 2, 0}};
    cut result = cut_polygon(corners, 5);
    const int32_t expected[3][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}};
    assert_true(result.is_good);
    assert_memory_equal(result.triangles, expected, sizeof expected);
}

static void a_dart_is_cut_at_its_notch(void **unused)
{
    (void)unused;
    // The first corner's fan would leave the polygon.
    const pliant_vec3 dart[4] = {{0, 0, 0}, {2, 2, 0}, {0, 1, 0}, {-2, 2, 0}};
    assert_covers_once(dart, 4, up);
    const pliant_vec3 turned[4] = {{2, 2, 0}, {0, 1, 0}, {-2, 2, 0}, {0, 0, 0}};
    assert_covers_once(turned, 4, up);
}

static void polygons_in_any_plane_are_cut(void **unused)
{
    (void)unused;
    const pliant_vec3 flat[6] = {{0, 0, 0}, {3, 0, 0}, {3, 3, 0}, {2, 3, 0}, {2, 1, 0}, {0, 1, 0}};
    uint32_t state = 7;
    for (int round = 0; round < 200; ++round) {
        quat q = random_quat(&state);
        vec3 offset = random_vec3(&state, 5.0f), turned[6];
        for (int i = 0; i < 6; ++i)
            turned[i] = vec3_add(quat_rotate(q, flat[i]), offset);
        vec3 n = quat_rotate(q, (vec3){0.0f, 0.0f, 1.0f});
        assert_covers_once(turned, 6, (const double[3]){n.x, n.y, n.z});
    }
}

static void a_ring_with_a_bridge_is_cut(void **unused)
{
    (void)unused;
    pliant_vec3 ring[66];
    for (int i = 0; i <= 32; ++i) {
        double angle = (double)i * 2.0 * 3.14159265358979 / 32.0;
        float x = (float)cos(i == 32 ? 0.0 : angle), y = (float)sin(i == 32 ? 0.0 : angle);
        ring[i] = (pliant_vec3){x, y, 0.0f};
        ring[65 - i] = (pliant_vec3){0.9f * x, 0.9f * y, 0.0f};
    }
    assert_covers_once(ring, 66, up);
}

// A skyline on a grid has corners in one line, edges of no length and towers of the same height.
static void skylines_are_cut(void **unused)
{
    (void)unused;
    uint32_t state = 3;
    for (int round = 0; round < 2000; ++round) {
        pliant_vec3 corners[64];
        int count = 0, towers = 2 + (int)(random_bits(&state) % 28);
        for (int i = 0; i < towers; ++i) {
            float height = 1.0f + (float)(random_bits(&state) % 4);
            corners[count++] = (pliant_vec3){(float)(towers - i), height, 0.0f};
            corners[count++] = (pliant_vec3){(float)(towers - i - 1), height, 0.0f};
        }
        corners[count++] = (pliant_vec3){0.0f, 0.0f, 0.0f};
        corners[count++] = (pliant_vec3){(float)towers, 0.0f, 0.0f};
        int turn = (int)(random_bits(&state) % (uint32_t)count);
        pliant_vec3 turned[64];
        for (int i = 0; i < count; ++i)
            turned[i] = corners[(i + turn) % count];
        assert_covers_once(turned, count, up);
    }
}

static void stars_are_cut(void **unused)
{
    (void)unused;
    uint32_t state = 5;
    for (int round = 0; round < 200; ++round) {
        pliant_vec3 corners[100];
        int count = 5 + (int)(random_bits(&state) % 95);
        for (int i = 0; i < count; ++i) {
            double angle = (double)i * 2.0 * 3.14159265358979 / count;
            float radius = random_between(&state, 0.1f, 2.0f);
            corners[i] =
                (pliant_vec3){radius * (float)cos(angle), radius * (float)sin(angle), 0.0f};
        }
        assert_covers_once(corners, count, up);
    }
}

static void crossed_and_flattened_polygons_do_no_harm(void **unused)
{
    (void)unused;
    uint32_t state = 11;
    for (int round = 0; round < 500; ++round) {
        pliant_vec3 corners[40];
        int count = 4 + (int)(random_bits(&state) % 36);
        for (int i = 0; i < count; ++i)
            corners[i] = (pliant_vec3){(float)(random_bits(&state) % 4),
                                       (float)(random_bits(&state) % 4), 0.0f};
        cut_polygon(corners, count);
    }
    const pliant_vec3 line[4] = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {0, 0, 0}};
    assert_true(cut_polygon(line, 4).is_good);
}

static void too_large_ones_are_told(void **unused)
{
    (void)unused;
    pliant_vec3 corners[MOST];
    for (int i = 0; i < MOST; ++i) {
        double angle = (double)i * 2.0 * 3.14159265358979 / MOST;
        corners[i] = (pliant_vec3){(float)cos(angle), (float)sin(angle), 0.0f};
    }
    corners[10] = (pliant_vec3){0.0f, 0.0f, 0.0f};
    assert_false(cut_polygon(corners, MOST).is_good);
    assert_covers_once(corners, POLYGON_MOST_CORNERS, up);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_convex_polygon_is_a_fan),
        cmocka_unit_test(a_dart_is_cut_at_its_notch),
        cmocka_unit_test(polygons_in_any_plane_are_cut),
        cmocka_unit_test(a_ring_with_a_bridge_is_cut),
        cmocka_unit_test(skylines_are_cut),
        cmocka_unit_test(stars_are_cut),
        cmocka_unit_test(crossed_and_flattened_polygons_do_no_harm),
        cmocka_unit_test(too_large_ones_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
