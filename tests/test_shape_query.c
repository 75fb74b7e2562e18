// Rays and nearest points of shapes against slow searches.

#include "form/shape.h"
#include "test.h"

enum { SIDE = 13, COUNT = 3000 };

typedef struct grounds {
    pliant_shape *mesh, *field, *hull, *box, *sphere, *capsule;
} grounds;

static pliant_shape *make(const pliant_shape_def *def)
{
    pliant_error error = {0};
    pliant_shape *shape = pliant_shape_create(def, NULL, &error);
    if (!shape)
        fail_msg("%s: %s", error.place, error.message);
    return shape;
}

static float height_at(int column, int row)
{
    return 0.8f * sinf(0.7f * (float)column) * cosf(0.6f * (float)row) + 0.2f * (float)(row % 2);
}

static int set_up(void **state)
{
    static grounds g;
    vec3 points[SIDE * SIDE], cloud[40];
    float heights[SIDE * SIDE];
    int32_t triangles[6 * (SIDE - 1) * (SIDE - 1)];
    for (int i = 0; i < SIDE * SIDE; ++i) {
        heights[i] = height_at(i % SIDE, i / SIDE);
        points[i] = (vec3){(float)(i % SIDE), heights[i], (float)(i / SIDE)};
    }
    int32_t *t = triangles;
    for (int32_t row = 0; row < SIDE - 1; ++row)
        for (int32_t column = 0; column < SIDE - 1; ++column, t += 6) {
            int32_t a = row * SIDE + column;
            const int32_t both[6] = {a, a + SIDE, a + 1, a + SIDE + 1, a + 1, a + SIDE};
            memcpy(t, both, sizeof both);
        }
    uint32_t seed = 5;
    for (int i = 0; i < 40; ++i)
        cloud[i] = vec3_normalize_or(random_vec3(&seed, 1.0f), (vec3){1, 0, 0});
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_MESH);
    def.points = points;
    def.point_count = SIDE * SIDE;
    def.triangles = triangles;
    def.triangle_count = 2 * (SIDE - 1) * (SIDE - 1);
    def.heights = heights;
    def.columns = def.rows = SIDE;
    g.mesh = make(&def);
    def.kind = PLIANT_SHAPE_HEIGHTFIELD;
    g.field = make(&def);
    def.kind = PLIANT_SHAPE_SPHERE;
    g.sphere = make(&def);
    def.kind = PLIANT_SHAPE_CAPSULE;
    g.capsule = make(&def);
    def.kind = PLIANT_SHAPE_BOX;
    def.half_size = (vec3){0.5f, 0.2f, 0.9f};
    g.box = make(&def);
    def.kind = PLIANT_SHAPE_HULL;
    def.points = cloud;
    def.point_count = 40;
    def.triangle_count = 0;
    g.hull = make(&def);
    *state = &g;
    return 0;
}

static int tear_down(void **state)
{
    grounds *g = *state;
    pliant_shape_destroy(g->mesh);
    pliant_shape_destroy(g->field);
    pliant_shape_destroy(g->hull);
    pliant_shape_destroy(g->box);
    pliant_shape_destroy(g->sphere);
    pliant_shape_destroy(g->capsule);
    return 0;
}

// The distance of a point from a triangle by a search over barycentric coordinates that zooms in.
static double triangle_distance(vec3 p, vec3 a, vec3 b, vec3 c)
{
    double best = 1e300, u0 = 0.5, v0 = 0.5, range = 0.5;
    for (int zoom = 0; zoom < 12; ++zoom, range *= 0.35) {
        double cu = u0, cv = v0;
        for (int i = -5; i <= 5; ++i)
            for (int k = -5; k <= 5; ++k) {
                double u = fmin(fmax(cu + range * i / 5.0, 0.0), 1.0);
                double v = fmin(fmax(cv + range * k / 5.0, 0.0), 1.0 - u);
                double x = a.x + u * ((double)b.x - a.x) + v * ((double)c.x - a.x) - p.x;
                double y = a.y + u * ((double)b.y - a.y) + v * ((double)c.y - a.y) - p.y;
                double z = a.z + u * ((double)b.z - a.z) + v * ((double)c.z - a.z) - p.z;
                double d = sqrt(x * x + y * y + z * z);
                if (d < best) {
                    best = d;
                    u0 = u;
                    v0 = v;
                }
            }
    }
    return best;
}

static double surface_distance(const pliant_shape *shape, vec3 p)
{
    pliant_shape_def def = pliant_shape_definition(shape);
    double best = 1e300;
    for (int i = 0; i < def.triangle_count; ++i) {
        const int32_t *t = def.triangles + 3 * i;
        best =
            fmin(best, triangle_distance(p, def.points[t[0]], def.points[t[1]], def.points[t[2]]));
    }
    return best;
}

static void check_hit(const form_hit *hit, vec3 from)
{
    assert_near(vec3_length(hit->normal), 1.0f, 1e-5f);
    assert_near(vec3_length(vec3_sub(from, hit->point)), absolute(hit->distance), 2e-5f);
    float along = vec3_dot(hit->normal, vec3_sub(from, hit->point));
    assert_near(along, hit->distance, 2e-5f);
}

static void test_nearest_on_surfaces(void **state)
{
    grounds *g = *state;
    uint32_t seed = 2;
    for (int i = 0; i < 300; ++i) {
        vec3 p = {random_between(&seed, -3, 15), random_between(&seed, -3, 3),
                  random_between(&seed, -3, 15)};
        double truth = surface_distance(g->mesh, p);
        form_hit hit;
        assert_true(pli_shape_closest(g->mesh, p, 100.0f, &hit));
        assert_near(hit.distance, truth, 2e-4);
        check_hit(&hit, p);
        assert_true(pli_shape_closest(g->field, p, 100.0f, &hit));
        assert_near(absolute(hit.distance), truth, 2e-4);
        check_hit(&hit, p);
        assert_true(pli_shape_closest(g->mesh, p, (float)truth + 1e-3f, &hit));
        assert_false(pli_shape_closest(g->mesh, p, (float)truth - 1e-3f, &hit));
        p = random_vec3(&seed, 1.5f);
        assert_true(pli_shape_closest(g->hull, p, 100.0f, &hit));
        if (hit.distance > 0.0f)
            assert_near(hit.distance, surface_distance(g->hull, p), 2e-4);
        check_hit(&hit, p);
    }
}

// Nothing of a solid is within the distance: points at 0.99 of it, in all directions, are outside still.
static void test_nearest_on_round_solids(void **state)
{
    grounds *g = *state;
    uint32_t seed = 4;
    pliant_shape *solids[3] = {g->box, g->sphere, g->capsule};
    for (int i = 0; i < COUNT; ++i) {
        form_hit hit, other;
        vec3 p = random_vec3(&seed, 1.5f),
             d = vec3_normalize_or(random_vec3(&seed, 1), (vec3){1, 0, 0});
        for (int k = 0; k < 3; ++k) {
            assert_true(pli_shape_closest(solids[k], p, 100.0f, &hit));
            check_hit(&hit, p);
            vec3 q = vec3_add_scaled(p, d, 0.99f * absolute(hit.distance));
            assert_true(pli_shape_closest(solids[k], q, 100.0f, &other));
            assert_true((other.distance > 0.0f) == (hit.distance > 0.0f));
        }
    }
    form_hit hit;
    assert_true(pli_shape_closest(&pli_plane_shape, (vec3){3, -2, 1}, 1.0f, &hit));
    assert_near(hit.distance, -2.0f, 1e-6f);
    assert_false(pli_shape_closest(&pli_plane_shape, (vec3){3, 2, 1}, 1.0f, &hit));
}

// A ray by steps of the nearest distance.
static bool march(const pliant_shape *shape, vec3 origin, vec3 d, float length, float *distance)
{
    float s = 0.0f;
    for (int i = 0; i < 20000 && s <= length; ++i) {
        form_hit hit;
        pli_shape_closest(shape, vec3_add_scaled(origin, d, s), 1e3f, &hit);
        if (hit.distance < 2e-5f) {
            *distance = s;
            return true;
        }
        s += hit.distance;
    }
    return false;
}

static void test_rays(void **state)
{
    grounds *g = *state;
    uint32_t seed = 6;
    pliant_shape *shapes[6] = {g->mesh, g->field, g->hull, g->box, g->sphere, g->capsule};
    for (int k = 0; k < 6; ++k) {
        int hits = 0, unlike = 0;
        for (int i = 0; i < COUNT; ++i) {
            vec3 o = random_vec3(&seed, 2.0f),
                 d = vec3_normalize_or(random_vec3(&seed, 1), (vec3){1, 0, 0});
            if (k < 2)
                o = (vec3){random_between(&seed, 0, 12), random_between(&seed, 0.5f, 2),
                           random_between(&seed, 0, 12)};
            if (k >= 2 && i % 2)
                d = vec3_normalize_or(vec3_sub(random_vec3(&seed, 0.5f), o), d);
            if (i % 10 == 0)
                d = (vec3){0, -1, 0};
            if (i % 10 == 1)
                d = (vec3){1, 0, 0};
            float truth, length = random_between(&seed, 1, 8);
            form_hit hit;
            bool expected = march(shapes[k], o, d, length, &truth);
            bool found = pli_shape_ray(shapes[k], o, d, length, &hit);
            if (expected != found) {
                // Grazing, or at the very end.
                if (found)
                    assert_true(absolute(vec3_dot(hit.normal, d)) < 0.05f ||
                                hit.distance > 0.99f * length);
                unlike += 1;
                continue;
            }
            if (!found)
                continue;
            hits += 1;
            if (absolute(vec3_dot(hit.normal, d)) > 0.05f)
                assert_near(hit.distance, truth, 1e-3f);
            assert_true(vec3_dot(hit.normal, d) <= 1e-6f);
            vec3 p = vec3_add_scaled(o, d, hit.distance);
            assert_near(vec3_length(vec3_sub(p, hit.point)), 0.0f, 1e-5f);
        }
        print_message("%d rays hit, %d graze or end at the surface\n", hits, unlike);
        assert_true(hits > 300);
        assert_true(unlike < COUNT / 200);
    }
}

static void test_ray_from_inside(void **state)
{
    grounds *g = *state;
    pliant_shape *solids[4] = {g->hull, g->box, g->sphere, g->capsule};
    form_hit hit;
    for (int i = 0; i < 4; ++i) {
        assert_true(pli_shape_ray(solids[i], (vec3){0.01f, 0.02f, 0}, (vec3){0, 0, 1}, 5, &hit));
        assert_true(hit.distance == 0.0f && hit.normal.z == -1.0f);
    }
    assert_true(pli_shape_ray(g->field, (vec3){3, -9, 3}, (vec3){0, 1, 0}, 5, &hit));
    assert_true(hit.distance == 0.0f && hit.normal.y == -1.0f);
    assert_true(pli_shape_ray(&pli_plane_shape, (vec3){3, 2, 3}, (vec3){0, -1, 0}, 5, &hit));
    assert_near(hit.distance, 2.0f, 1e-6f);
    assert_false(pli_shape_ray(&pli_plane_shape, (vec3){3, 2, 3}, (vec3){0, -1, 0}, 1, &hit));
    assert_false(pli_shape_ray(&pli_plane_shape, (vec3){3, 2, 3}, (vec3){0, 1, 0}, 9, &hit));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nearest_on_surfaces),
        cmocka_unit_test(test_nearest_on_round_solids),
        cmocka_unit_test(test_rays),
        cmocka_unit_test(test_ray_from_inside),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
