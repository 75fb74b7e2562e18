// Touches of ellipsoids with shapes against a slow double-precision truth.
//
// Truth of the gap: the least signed distance from the ellipsoid over the points of the solid, which is
// convex along every line, by nested golden sections over triangles.

#include "form/shape.h"
#include "test.h"

enum { SECTIONS = 28, MOST = 16 };

typedef struct random_ellipsoid {
    sym3 S;
    mat3 R;
    double radii[3];
    float size, thin; // longest and shortest radius
} random_ellipsoid;

static random_ellipsoid make_ellipsoid(uint32_t *seed, float size, float aspect)
{
    float r[3];
    for (int i = 0; i < 3; ++i)
        r[i] = random_between(seed, size / aspect, size);
    random_ellipsoid e = {.R = quat_to_mat3(random_quat(seed)), .radii = {r[0], r[1], r[2]}};
    e.S = sym3_rotate_diagonal(&e.R, (vec3){r[0] * r[0], r[1] * r[1], r[2] * r[2]});
    e.size = maximum(r[0], maximum(r[1], r[2]));
    e.thin = minimum(r[0], minimum(r[1], r[2]));
    return e;
}

static vec3 random_unit(uint32_t *seed)
{
    vec3 n;
    do
        n = random_vec3(seed, 1.0f);
    while (vec3_length(n) < 0.1f || vec3_length(n) > 1.0f);
    return vec3_scale(n, 1.0f / vec3_length(n));
}

static float width(sym3 S, vec3 n)
{
    return square_root(vec3_dot(n, sym3_mul_vec(S, n)));
}

static pliant_shape *make(const pliant_shape_def *def)
{
    pliant_error error = {0};
    pliant_shape *shape = pliant_shape_create(def, NULL, &error);
    if (!shape)
        fail_msg("%s: %s", error.place, error.message);
    return shape;
}

// ---------------------------------------------------------------------------------------------
// Truth

// Signed distance of a point x, seen from the centre. The nearest point is x_i r_i² / (r_i² + t).
static double ellipsoid_distance(const random_ellipsoid *e, const double x[3])
{
    double y[3], shortest = 1e300, length = 0.0, value = -1.0;
    for (int i = 0; i < 3; ++i) {
        y[i] = e->R.m[0][i] * x[0] + e->R.m[1][i] * x[1] + e->R.m[2][i] * x[2];
        shortest = fmin(shortest, e->radii[i]);
        length += y[i] * y[i];
        value += y[i] * y[i] / (e->radii[i] * e->radii[i]);
    }
    double low = -shortest * shortest, high = sqrt(length) * e->size + 1e-9;
    for (int round = 0; round < 60; ++round) {
        double t = 0.5 * (low + high), sum = -1.0;
        for (int i = 0; i < 3; ++i) {
            double q = e->radii[i] * y[i] / (e->radii[i] * e->radii[i] + t);
            sum += q * q;
        }
        *(sum > 0.0 ? &low : &high) = t;
    }
    double square = 0.0;
    for (int i = 0; i < 3; ++i) {
        double d = y[i] * high / (e->radii[i] * e->radii[i] + high);
        square += d * d;
    }
    return value < 0.0 ? -sqrt(square) : sqrt(square);
}

typedef struct patch {
    const random_ellipsoid *e;
    double a[3], u[3], v[3]; // a corner seen from the centre, two sides
    double along_u;
} patch;

static double distance_at(const patch *p, double u, double v)
{
    double x[3];
    for (int i = 0; i < 3; ++i)
        x[i] = p->a[i] + u * p->u[i] + v * p->v[i];
    return ellipsoid_distance(p->e, x);
}

static double distance_along(const patch *p, double u)
{
    return distance_at(p, p->along_u, u);
}

static double least_over(const patch *p, double high, double (*of)(const patch *, double))
{
    const double golden = 0.6180339887498949;
    double low = 0.0, u = high - golden * high, v = golden * high, fu = of(p, u), fv = of(p, v);
    double best = fmin(fmin(fu, fv), fmin(of(p, 0.0), of(p, high)));
    for (int i = 0; i < SECTIONS; ++i) {
        if (fu < fv) {
            high = v, v = u, fv = fu, u = high - golden * (high - low);
            fu = of(p, u);
        } else {
            low = u, u = v, fu = fv, v = low + golden * (high - low);
            fv = of(p, v);
        }
        best = fmin(best, fmin(fu, fv));
    }
    return best;
}

static double least_across(const patch *p, double u)
{
    patch q = *p;
    q.along_u = u;
    return least_over(&q, 1.0 - u, distance_along);
}

static double triangle_gap(const random_ellipsoid *e, vec3 c, vec3 p0, vec3 p1, vec3 p2)
{
    patch p = {e,
               {(double)p0.x - c.x, (double)p0.y - c.y, (double)p0.z - c.z},
               {(double)p1.x - p0.x, (double)p1.y - p0.y, (double)p1.z - p0.z},
               {(double)p2.x - p0.x, (double)p2.y - p0.y, (double)p2.z - p0.z},
               0.0};
    return least_over(&p, 1.0, least_across);
}

static double surface_gap(const pliant_shape_def *def, const random_ellipsoid *e, vec3 c)
{
    double best = 1e300;
    for (int i = 0; i < def->triangle_count; ++i) {
        const int32_t *t = def->triangles + 3 * i;
        vec3 p0 = def->points[t[0]], p1 = def->points[t[1]], p2 = def->points[t[2]];
        vec3 n = vec3_cross(vec3_sub(p1, p0), vec3_sub(p2, p0));
        if (def->kind == PLIANT_SHAPE_HULL && vec3_dot(n, vec3_sub(c, p0)) < 0.0f)
            continue;
        best = fmin(best, triangle_gap(e, c, p0, p1, p2));
    }
    return best;
}

// ---------------------------------------------------------------------------------------------
// Accuracy

// The eight corners of a cube as a hull has the same triangles as a box.
static const vec3 CUBE[8] = {{-.5f, -.5f, -.5f}, {.5f, -.5f, -.5f}, {-.5f, .5f, -.5f},
                             {.5f, .5f, -.5f},   {-.5f, -.5f, .5f}, {.5f, -.5f, .5f},
                             {-.5f, .5f, .5f},   {.5f, .5f, .5f}};

static pliant_shape *make_hull(const vec3 *points, int count)
{
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_HULL);
    def.points = points;
    def.point_count = count;
    return make(&def);
}

static double true_gap(const pliant_shape *shape, const random_ellipsoid *e, vec3 c)
{
    pliant_shape_def def = pliant_shape_definition(shape);
    if (def.kind == PLIANT_SHAPE_SPHERE || def.kind == PLIANT_SHAPE_CAPSULE) {
        vec3 top = {0, def.half_length, 0}, bottom = {0, -def.half_length, 0};
        return triangle_gap(e, c, top, bottom, bottom) - def.radius;
    }
    return surface_gap(&def, e, c);
}

typedef struct worst {
    double gap, consistency;
} worst;

// Moves the ellipsoid along a line from the middle of the solid until it touches, then a little on, and
// compares.
static worst compare(const pliant_shape *shape, const pliant_shape *truth, double most_gap,
                     int count, uint32_t seed)
{
    worst w = {0};
    for (int i = 0; i < count; ++i) {
        random_ellipsoid e = make_ellipsoid(&seed, random_between(&seed, 0.05f, 1.0f), 5.0f);
        vec3 towards = random_unit(&seed), way = random_vec3(&seed, 0.01f);
        float low = 0.0f, high = 4.0f;
        touch t;
        for (int round = 0; round < 30; ++round) {
            float middle = 0.5f * (low + high);
            pli_shape_touches(shape, e.S, vec3_scale(towards, middle), (vec3){0, 0, 0}, false, 1e9f,
                              &t, 1);
            *(t.gap < 0.0f ? &low : &high) = middle;
        }
        float apart = random_between(&seed, 0.0f, (float)most_gap) * e.size;
        vec3 c = vec3_scale(towards, high + apart), from = vec3_sub(c, way);
        vec3 end = vec3_add(from, way);
        int found = pli_shape_touches(shape, e.S, from, way, false, 1e9f, &t, 1);
        assert_int_equal(found, 1);
        assert_near(vec3_length(t.normal), 1.0f, 1e-6f);
        assert_true(t.time == 1.0f);
        w.gap = fmax(w.gap, fabs(t.gap - true_gap(truth, &e, end)) / e.size);
        float again = vec3_dot(t.normal, vec3_sub(end, t.point)) - width(e.S, t.normal);
        w.consistency = fmax(w.consistency, fabs((double)again - t.gap) / e.size);
    }
    return w;
}

static void check_accuracy(const pliant_shape *shape, const pliant_shape *truth, double touching,
                           double near)
{
    worst w = compare(shape, truth, 0.0, 300, 11);
    worst off = compare(shape, truth, 0.02, 100, 12);
    print_message("touching: %.2g of the size, apart by 0.02: %.2g, planes %.2g\n", w.gap, off.gap,
                  w.consistency);
    assert_below(w.gap, touching);
    assert_below(off.gap, near);
    assert_below(w.consistency, 2e-5);
}

static void test_round_solids(void **state)
{
    (void)state;
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_SPHERE);
    pliant_shape *sphere = make(&def);
    check_accuracy(sphere, sphere, 6e-6, 6e-6);
    def.kind = PLIANT_SHAPE_CAPSULE;
    pliant_shape *capsule = make(&def);
    check_accuracy(capsule, capsule, 6e-6, 6e-6);
    pliant_shape_destroy(sphere);
    pliant_shape_destroy(capsule);
}

static void test_flat_solids(void **state)
{
    (void)state;
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_BOX);
    pliant_shape *box = make(&def), *cube = make_hull(CUBE, 8);
    check_accuracy(box, cube, 3e-6, 1e-3);
    check_accuracy(cube, cube, 3e-6, 1e-3);
    vec3 cloud[20];
    uint32_t seed = 3;
    for (int i = 0; i < 20; ++i)
        cloud[i] = random_unit(&seed);
    pliant_shape *hull = make_hull(cloud, 20);
    check_accuracy(hull, hull, 2e-5, 1e-3);
    pliant_shape_destroy(box);
    pliant_shape_destroy(cube);
    pliant_shape_destroy(hull);
}

// A box and a hull of its corners say the same, deep inside as well.
static void test_box_is_a_hull(void **state)
{
    (void)state;
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_BOX);
    pliant_shape *box = make(&def), *cube = make_hull(CUBE, 8);
    uint32_t seed = 5;
    for (int i = 0; i < 20000; ++i) {
        random_ellipsoid e = make_ellipsoid(&seed, random_between(&seed, 0.05f, 1.0f), 5.0f);
        vec3 c = random_vec3(&seed, 1.5f), way = random_vec3(&seed, 2.0f);
        touch a, b;
        bool is_swept = i & 1;
        pli_shape_touches(box, e.S, c, way, is_swept, 1e9f, &a, 1);
        pli_shape_touches(cube, e.S, c, way, is_swept, 1e9f, &b, 1);
        assert_near(a.gap, b.gap, 3e-6f * (1.0f + e.size));
        assert_near(a.time, b.time, 1e-4f);
    }
    pliant_shape_destroy(box);
    pliant_shape_destroy(cube);
}

// The deeper side never wins: no face of the box gives a smaller depth than the answer.
static void test_overlap_leaves_by_the_least_depth(void **state)
{
    (void)state;
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_BOX);
    pliant_shape *box = make(&def);
    uint32_t seed = 8;
    for (int i = 0; i < 20000; ++i) {
        random_ellipsoid e = make_ellipsoid(&seed, random_between(&seed, 0.05f, 1.0f), 5.0f);
        vec3 c = random_vec3(&seed, 0.7f);
        touch t;
        pli_shape_touches(box, e.S, c, (vec3){0, 0, 0}, false, 1e9f, &t, 1);
        if (t.gap > 0.0f)
            continue;
        float x = absolute(c.x) - square_root(e.S.xx), y = absolute(c.y) - square_root(e.S.yy);
        float z = absolute(c.z) - square_root(e.S.zz);
        float sides = maximum(x, maximum(y, z)) - 0.5f;
        assert_true(t.gap >= sides - 1e-5f);
        assert_true(vec3_dot(t.normal, c) > 0.0f);
    }
    pliant_shape_destroy(box);
}

static void test_plane(void **state)
{
    (void)state;
    sym3 S = {0.04f, 0, 0, 0.01f, 0, 0.09f};
    touch t;
    int n = pli_shape_touches(&pli_plane_shape, S, (vec3){5, 1, 3}, (vec3){0, -0.85f, 0}, false,
                              0.1f, &t, 1);
    assert_int_equal(n, 1);
    assert_near(t.gap, 0.05f, 1e-6f);
    assert_true(t.normal.y == 1.0f && t.point.y == 0.0f);
    n = pli_shape_touches(&pli_plane_shape, S, (vec3){5, 1, 3}, (vec3){0, -2, 0}, true, 0.1f, &t,
                          1);
    assert_int_equal(n, 1);
    assert_near(t.time, 0.45f, 1e-3f);
    assert_near(t.gap, 0.0f, 2e-4f);
    n = pli_shape_touches(&pli_plane_shape, S, (vec3){5, 1, 3}, (vec3){0, 2, 0}, true, 0.1f, &t, 1);
    assert_int_equal(n, 0);
}

// The centre of the solid inside the ellipsoid, and both centres in one place: finite, unit, outwards.
static void test_deep_overlaps_are_finite(void **state)
{
    (void)state;
    uint32_t seed = 21;
    for (int kind = PLIANT_SHAPE_SPHERE; kind <= PLIANT_SHAPE_BOX; ++kind) {
        pliant_shape_def def = pliant_default_shape_def((pliant_shape_kind)kind);
        pliant_shape *shape = make(&def);
        for (int i = 0; i < 20000; ++i) {
            random_ellipsoid e = make_ellipsoid(&seed, random_between(&seed, 0.01f, 3.0f), 10.0f);
            vec3 c = i % 5 ? random_vec3(&seed, 0.28f) : (vec3){0, i % 10 ? 0.1f : 0.0f, 0};
            if (i % 7 == 0)
                e.S = (sym3){1, 0, 0, 1, 0, 1};
            touch t;
            assert_int_equal(pli_shape_touches(shape, e.S, c, (vec3){0, 0, 0}, i & 1, 0.0f, &t, 1),
                             1);
            assert_true(vec3_is_finite(t.normal) && vec3_is_finite(t.point) && is_finite(t.gap));
            assert_near(vec3_length(t.normal), 1.0f, 1e-5f);
            assert_true(t.gap < 0.0f);
            // Seen from the whole ball nothing is deeper than all the way through.
            assert_true(t.gap > -2.0f * (e.size + 1.5f));
        }
        pliant_shape_destroy(shape);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plane),
        cmocka_unit_test(test_round_solids),
        cmocka_unit_test(test_flat_solids),
        cmocka_unit_test(test_box_is_a_hull),
        cmocka_unit_test(test_overlap_leaves_by_the_least_depth),
        cmocka_unit_test(test_deep_overlaps_are_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
