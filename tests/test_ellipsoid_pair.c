// The touching distance of ellipsoids against reference vectors and a slow double-precision truth.

#include "form/ellipsoid_pair.h"
#include "test.h"

static const float FAR = 1e30f; // a margin that lets every pair through

typedef struct random_pair {
    sym3 S1, S2;
    vec3 between;
    double size; // the longest radius
} random_pair;

static sym3 shape_of(vec3 r, quat q)
{
    mat3 R = quat_to_mat3(q);
    return sym3_rotate_diagonal(&R, (vec3){r.x * r.x, r.y * r.y, r.z * r.z});
}

// ---------------------------------------------------------------------------------------------
// Truth: the maximum of Perram and Wertheim's contact function by golden section. With
// X = (1 - t) S1 + t S2 the function t (1 - t) nᵀX⁻¹n is concave on [0, 1] and its maximum is 1/d².
// Takes the shapes as the tested function gets them, so that their own rounding is not counted.

typedef struct truth {
    double line[3], centres, distance, normal[3], arm1[3];
} truth;

static void blend(sym3 a, sym3 b, double t, double X[6])
{
    const double A[6] = {a.xx, a.xy, a.xz, a.yy, a.yz, a.zz};
    const double B[6] = {b.xx, b.xy, b.xz, b.yy, b.yz, b.zz};
    for (int i = 0; i < 6; ++i)
        X[i] = (1.0 - t) * A[i] + t * B[i];
}

static void multiply(const double X[6], const double v[3], double out[3])
{
    out[0] = X[0] * v[0] + X[1] * v[1] + X[2] * v[2];
    out[1] = X[1] * v[0] + X[3] * v[1] + X[4] * v[2];
    out[2] = X[2] * v[0] + X[4] * v[1] + X[5] * v[2];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// X y = n by the factors of X = L D Lᵀ.
static void solve(const double X[6], const double n[3], double y[3])
{
    double d0 = X[0], l10 = X[1] / d0, l20 = X[2] / d0;
    double d1 = X[3] - l10 * l10 * d0, l21 = (X[4] - l20 * l10 * d0) / d1;
    double d2 = X[5] - l20 * l20 * d0 - l21 * l21 * d1;
    double z0 = n[0], z1 = n[1] - l10 * z0, z2 = n[2] - l20 * z0 - l21 * z1;
    y[2] = z2 / d2;
    y[1] = z1 / d1 - l21 * y[2];
    y[0] = z0 / d0 - l10 * y[1] - l20 * y[2];
}

static double contact_function(sym3 S1, sym3 S2, const double n[3], double t)
{
    double X[6], y[3];
    blend(S1, S2, t, X);
    solve(X, n, y);
    return t * (1.0 - t) * dot(n, y);
}

static truth find_truth(sym3 S1, sym3 S2, vec3 between)
{
    truth e = {.line = {between.x, between.y, between.z}};
    e.centres = sqrt(dot(e.line, e.line));
    for (int i = 0; i < 3; ++i)
        e.line[i] /= e.centres;
    const double golden = 0.6180339887498949;
    double low = 0.0, high = 1.0, u = high - golden, v = golden;
    double fu = contact_function(S1, S2, e.line, u), fv = contact_function(S1, S2, e.line, v);
    for (int i = 0; i < 60; ++i) {
        if (fu > fv) {
            high = v, v = u, fv = fu, u = high - golden * (high - low);
            fu = contact_function(S1, S2, e.line, u);
        } else {
            low = u, u = v, fu = fv, v = low + golden * (high - low);
            fv = contact_function(S1, S2, e.line, v);
        }
    }
    double t = 0.5 * (low + high), X[6];
    e.distance = 1.0 / sqrt(contact_function(S1, S2, e.line, t));
    blend(S1, S2, t, X);
    solve(X, e.line, e.normal);
    double length = sqrt(dot(e.normal, e.normal));
    for (int i = 0; i < 3; ++i)
        e.normal[i] /= length;
    blend(S1, S2, 0.0, X);
    multiply(X, e.normal, e.arm1);
    double height = sqrt(dot(e.normal, e.arm1));
    for (int i = 0; i < 3; ++i)
        e.arm1[i] /= height;
    return e;
}

// ---------------------------------------------------------------------------------------------

static double direction_error(vec3 a, const double b[3])
{
    double x = a.y * b[2] - a.z * b[1], y = a.z * b[0] - a.x * b[2], z = a.x * b[1] - a.y * b[0];
    return atan2(sqrt(x * x + y * y + z * z), a.x * b[0] + a.y * b[1] + a.z * b[2]);
}

static double distance_of(const form_pair *pair, vec3 between)
{
    double x = between.x, y = between.y, z = between.z;
    return sqrt(x * x + y * y + z * z) - pair->gap;
}

// Radii between size / aspect and size: evenly spread, or only the two extremes.
static vec3 random_radii(uint32_t *seed, float size, float aspect)
{
    float r[3];
    bool extreme = random_bits(seed) >> 31;
    for (int i = 0; i < 3; ++i) {
        r[i] = random_between(seed, size / aspect, size);
        if (extreme)
            r[i] = r[i] > 0.5f * (size + size / aspect) ? size : size / aspect;
    }
    return (vec3){r[0], r[1], r[2]};
}

// Centres from deep inside to well apart.
static random_pair make_pair(uint32_t *seed, float size1, float size2, float aspect)
{
    vec3 n, r1 = random_radii(seed, size1, aspect), r2 = random_radii(seed, size2, aspect);
    do
        n = random_vec3(seed, 1.0f);
    while (vec3_length(n) < 0.1f || vec3_length(n) > 1.0f);
    random_pair p = {.size = fmax(size1, size2)};
    quat q1 = random_quat(seed), q2 = random_quat(seed);
    p.S1 = shape_of(r1, q1);
    p.S2 = shape_of(r2, q2);
    float apart = random_between(seed, 0.2f, 1.5f) * (size1 + size2);
    p.between = vec3_scale(n, apart / vec3_length(n));
    return p;
}

static bool is_finite_pair(const form_pair *p)
{
    return vec3_is_finite(p->line) && is_finite(p->gap) && vec3_is_finite(p->normal) &&
           vec3_is_finite(p->arm1) && vec3_is_finite(p->arm2);
}

static void test_vectors(void **state)
{
    (void)state;
    vectors v = vectors_open("ellipsoid_ellipsoid");
    for (json_value c = pli_json_first(v.json, v.cases); c != JSON_NONE;
         c = pli_json_next(v.json, c)) {
        json_value out = pli_json_get(v.json, c, "out");
        vec3 r1 = read_vec3(&v, c, "radii1"), r2 = read_vec3(&v, c, "radii2");
        sym3 S1 = shape_of(r1, read_quat(&v, c, "q1")), S2 = shape_of(r2, read_quat(&v, c, "q2"));
        vec3 n = vec3_normalize_or(read_vec3(&v, c, "n"), (vec3){0, 1, 0});
        vec3 between = vec3_scale(n, (float)read_number(&v, c, "dist"));
        double size = fmax(fmax(r1.x, fmax(r1.y, r1.z)), fmax(r2.x, fmax(r2.y, r2.z)));
        form_pair pair;
        assert_true(pli_ellipsoid_pair(S1, S2, between, FAR, &pair));
        double d = read_number(&v, out, "d"), normal[3], contact[3];
        read_doubles(&v, out, "normal", normal, 3);
        read_doubles(&v, out, "contact", contact, 3);
        assert_near(distance_of(&pair, between), d, 1e-6 * d);
        assert_below(direction_error(pair.normal, normal), 1e-5);
        assert_below(distance_to(pair.arm1, contact), 2e-6 * size);
        for (int i = 0; i < 3; ++i)
            contact[i] -= d * (i == 0 ? n.x : i == 1 ? n.y : n.z);
        assert_below(distance_to(pair.arm2, contact), 2e-6 * size);
        assert_below(vec3_length(vec3_sub(pair.line, n)), 1e-6);
    }
    vectors_close(&v);
}

static void check_random(int count, float aspect, float ratio, float last_step,
                         double distance_limit, double normal_limit)
{
    uint32_t seed = 12345;
    double distance_worst = 0.0, normal_worst = 0.0, arm_worst = 0.0;
    for (int i = 0; i < count; ++i) {
        random_pair p = make_pair(&seed, 1.0f, random_between(&seed, 1.0f / ratio, 1.0f), aspect);
        form_pair pair;
        assert_true(pli_ellipsoid_pair_roughly(p.S1, p.S2, p.between, FAR, last_step, &pair));
        truth e = find_truth(p.S1, p.S2, p.between);
        double d = distance_of(&pair, p.between);
        distance_worst = fmax(distance_worst, fabs(d / e.distance - 1.0));
        normal_worst = fmax(normal_worst, direction_error(pair.normal, e.normal));
        double arm2[3];
        for (int k = 0; k < 3; ++k)
            arm2[k] = e.arm1[k] - e.distance * e.line[k];
        arm_worst = fmax(arm_worst, distance_to(pair.arm1, e.arm1));
        arm_worst = fmax(arm_worst, distance_to(pair.arm2, arm2));
    }
    print_message(
        "aspect %g, size ratio %g: distance %.2g, normal %.2g rad, contact %.2g of size\n",
        (double)aspect, (double)ratio, distance_worst, normal_worst, arm_worst);
    assert_below(distance_worst, distance_limit);
    assert_below(normal_worst, normal_limit);
    assert_below(arm_worst, 2.0 * normal_limit);
}

static void test_accuracy_to_aspect_two(void **state)
{
    (void)state;
    check_random(100000, 2.0f, 2.0f, ELLIPSOID_LAST_STEP, 1e-6, 1e-5);
    check_random(20000, 2.0f, 100.0f, ELLIPSOID_LAST_STEP, 1e-6, 1e-5);
}

static void test_accuracy_to_aspect_ten(void **state)
{
    (void)state;
    check_random(100000, 10.0f, 2.0f, ELLIPSOID_LAST_STEP, 1e-4, 1e-4);
    check_random(20000, 10.0f, 100.0f, ELLIPSOID_LAST_STEP, 1e-4, 1e-4);
}

// For planes that keep particles apart: errors of the normal enter the distance squared.
static void test_accuracy_of_planes(void **state)
{
    (void)state;
    check_random(20000, 2.0f, 2.0f, ELLIPSOID_LAST_STEP_OF_PLANES, 1e-6, 1e-3);
    check_random(20000, 2.0f, 100.0f, ELLIPSOID_LAST_STEP_OF_PLANES, 1e-6, 1e-3);
    check_random(20000, 10.0f, 2.0f, ELLIPSOID_LAST_STEP_OF_PLANES, 1e-5, 1e-2);
    check_random(20000, 10.0f, 100.0f, ELLIPSOID_LAST_STEP_OF_PLANES, 1e-5, 1e-2);
}

static void test_exchange(void **state)
{
    (void)state;
    uint32_t seed = 99;
    for (int i = 0; i < 20000; ++i) {
        random_pair p = make_pair(&seed, 1.0f, random_between(&seed, 0.1f, 1.0f), 2.0f);
        form_pair a, b;
        assert_true(pli_ellipsoid_pair(p.S1, p.S2, p.between, FAR, &a));
        assert_true(pli_ellipsoid_pair(p.S2, p.S1, vec3_negate(p.between), FAR, &b));
        assert_near(a.gap, b.gap, 1e-6);
        assert_below(vec3_length(vec3_add(a.line, b.line)), 1e-6);
        assert_below(vec3_length(vec3_add(a.normal, b.normal)), 5e-6);
        assert_below(vec3_length(vec3_sub(a.arm1, b.arm2)), 5e-6);
        assert_below(vec3_length(vec3_sub(a.arm2, b.arm1)), 5e-6);
    }
}

// Lengths are scaled by powers of two inside, so the result scales with the pair, and by a power of two
// exactly.
static void test_scale(void **state)
{
    (void)state;
    uint32_t seed = 7;
    for (int i = 0; i < 5000; ++i) {
        random_pair p = make_pair(&seed, 1.0f, random_between(&seed, 0.3f, 1.0f), 2.0f);
        form_pair unit, pair;
        assert_true(pli_ellipsoid_pair(p.S1, p.S2, p.between, FAR, &unit));
        for (float scale = 1e-4f; scale < 2e3f; scale *= 10.0f) {
            assert_true(pli_ellipsoid_pair(sym3_scale(p.S1, scale * scale),
                                           sym3_scale(p.S2, scale * scale),
                                           vec3_scale(p.between, scale), FAR, &pair));
            assert_near(pair.gap / scale, unit.gap, 3e-6);
            assert_below(vec3_length(vec3_sub(pair.normal, unit.normal)), 1e-5);
            assert_below(vec3_length(vec3_sub(pair.arm1, vec3_scale(unit.arm1, scale))),
                         1e-5 * scale);
        }
        const float exact = 1.0f / 1024.0f;
        assert_true(pli_ellipsoid_pair(sym3_scale(p.S1, exact * exact),
                                       sym3_scale(p.S2, exact * exact),
                                       vec3_scale(p.between, exact), FAR, &pair));
        assert_true(pair.gap == unit.gap * exact);
        assert_memory_equal(&pair.normal, &unit.normal, sizeof pair.normal);
    }
}

// A grain against a boulder, in either order: 1e-4 m and 1e3 m.
static void test_size_ratio(void **state)
{
    (void)state;
    uint32_t seed = 31;
    for (int i = 0; i < 2000; ++i) {
        float small = (i & 1) ? 1e-4f : 1.0f, large = (i & 2) ? 1e3f : 10.0f;
        random_pair p =
            (i & 4) ? make_pair(&seed, small, large, 2.0f) : make_pair(&seed, large, small, 2.0f);
        form_pair pair;
        assert_true(pli_ellipsoid_pair(p.S1, p.S2, p.between, FAR, &pair));
        truth e = find_truth(p.S1, p.S2, p.between);
        assert_near(distance_of(&pair, p.between), e.distance, 1e-6 * e.distance);
        assert_below(direction_error(pair.normal, e.normal), 1e-5);
        assert_below(distance_to(pair.arm1, e.arm1), 1e-5 * p.size);
    }
}

static void test_early_out(void **state)
{
    (void)state;
    uint32_t seed = 4242;
    int refused = 0, needless = 0, count = 40000;
    for (int i = 0; i < count; ++i) {
        float aspect = (i & 1) ? 2.0f : 10.0f;
        random_pair p = make_pair(&seed, 1.0f, random_between(&seed, 0.3f, 1.0f), aspect);
        truth e = find_truth(p.S1, p.S2, p.between);
        double gap = e.centres - e.distance;
        // Margins at random, and within rounding of the gap itself.
        float margin =
            (i & 2) ? random_between(&seed, -0.3f, 0.3f)
                    : (float)(gap + e.distance * (double)random_between(&seed, -3e-5f, 3e-5f));
        form_pair pair, untouched;
        memset(&pair, 0x5a, sizeof pair);
        untouched = pair;
        if (pli_ellipsoid_pair(p.S1, p.S2, p.between, margin, &pair)) {
            needless += gap > margin;
            assert_below(pair.gap, margin + 3e-5 * e.distance);
        } else {
            ++refused;
            assert_true(gap > margin);
            assert_memory_equal(&pair, &untouched, sizeof pair);
        }
    }
    assert_true(refused > count / 4);
    assert_true(needless > 0);
}

static void test_coincident_centres(void **state)
{
    (void)state;
    uint32_t seed = 5;
    for (int i = 0; i < 20000; ++i) {
        random_pair p = make_pair(&seed, 1.0f, random_between(&seed, 0.3f, 1.0f), (i & 1) ? 2 : 10);
        vec3 between = vec3_scale(p.between, (i & 2) ? 0.0f : (i & 4) ? 1e-8f : 1e-30f);
        form_pair pair, again;
        assert_true(pli_ellipsoid_pair(p.S1, p.S2, between, 0.0f, &pair));
        assert_true(pli_ellipsoid_pair(p.S1, p.S2, between, 0.0f, &again));
        assert_memory_equal(&pair, &again, sizeof pair);
        assert_true(is_finite_pair(&pair));
        assert_near(vec3_length(pair.line), 1.0, 1e-6);
        vec3 n = pair.line;
        float largest = fabsf(n.x) >= fabsf(n.y) ? n.x : n.y;
        largest = fabsf(largest) >= fabsf(n.z) ? largest : n.z;
        assert_true(largest > 0.0f);
        // An eigenvector, and no other direction is thinner.
        sym3 sum = {p.S1.xx + p.S2.xx, p.S1.xy + p.S2.xy, p.S1.xz + p.S2.xz,
                    p.S1.yy + p.S2.yy, p.S1.yz + p.S2.yz, p.S1.zz + p.S2.zz};
        vec3 image = sym3_mul_vec(sum, n), other = random_vec3(&seed, 1.0f);
        float least = vec3_dot(n, image);
        assert_below(vec3_length(vec3_sub(image, vec3_scale(n, least))), 1e-5);
        assert_true(least <=
                    vec3_dot(other, sym3_mul_vec(sum, other)) / vec3_dot(other, other) + 1e-6f);
        truth e = find_truth(p.S1, p.S2, n);
        assert_near(pair.gap, -e.distance, 2e-5 * e.distance);
    }
    // Two spheres have no thinnest direction either.
    sym3 ball = shape_of((vec3){0.5f, 0.5f, 0.5f}, quat_identity());
    form_pair pair;
    assert_true(pli_ellipsoid_pair(ball, ball, (vec3){0, 0, 0}, 0.0f, &pair));
    assert_true(pair.line.x == 1.0f && pair.gap == -1.0f && pair.arm1.x == 0.5f);
}

static void test_spheres(void **state)
{
    (void)state;
    uint32_t seed = 17;
    for (int i = 0; i < 20000; ++i) {
        float r1 = random_between(&seed, 0.1f, 1.0f), r2 = random_between(&seed, 0.1f, 1.0f);
        bool turned = i & 1; // then the shape matrices carry the rounding of the rotation
        quat q1 = turned ? random_quat(&seed) : quat_identity();
        quat q2 = turned ? random_quat(&seed) : quat_identity();
        vec3 between = random_vec3(&seed, 1.0f);
        if (vec3_length(between) < 0.01f)
            continue;
        form_pair pair;
        assert_true(pli_ellipsoid_pair(shape_of((vec3){r1, r1, r1}, q1),
                                       shape_of((vec3){r2, r2, r2}, q2), between, FAR, &pair));
        double x = between.x, y = between.y, z = between.z, apart = sqrt(x * x + y * y + z * z);
        double sum = (double)r1 + (double)r2;
        assert_near(pair.gap, apart - sum, 2.5e-7 * (apart + sum));
        assert_below(vec3_length(vec3_sub(pair.line, pair.normal)), turned ? 3e-6 : 1e-30);
        assert_near(vec3_length(pair.arm1), r1, turned ? 5e-7 : 2e-7);
        assert_near(vec3_length(pair.arm2), r2, turned ? 5e-7 : 2e-7);
        assert_near(vec3_dot(pair.arm2, pair.line), -r2, 5e-7);
    }
    // Exact where the numbers are.
    sym3 one = shape_of((vec3){0.75f, 0.75f, 0.75f}, quat_identity());
    sym3 two = shape_of((vec3){0.5f, 0.5f, 0.5f}, quat_identity());
    form_pair pair;
    assert_true(pli_ellipsoid_pair(one, two, (vec3){0, -2, 0}, 1.0f, &pair));
    assert_true(pair.gap == 0.75f && pair.line.y == -1.0f && pair.arm1.y == -0.75f &&
                pair.arm2.y == 0.5f);
    assert_false(pli_ellipsoid_pair(one, two, (vec3){0, -2, 0}, 0.5f, &pair));
}

// Thinner than float32 can resolve: the answer degrades, but it stays an answer.
static void test_extreme_shapes(void **state)
{
    (void)state;
    uint32_t seed = 23;
    for (int i = 0; i < 50000; ++i) {
        float aspect = (i & 1) ? 1e3f : 1e5f;
        random_pair p = make_pair(&seed, 1.0f, random_between(&seed, 0.01f, 1.0f), aspect);
        vec3 between = vec3_scale(p.between, (i & 2) ? 1.0f : (i & 4) ? 0.0f : 1e15f);
        form_pair pair;
        if (!pli_ellipsoid_pair(p.S1, p.S2, between, FAR, &pair))
            continue;
        assert_true(is_finite_pair(&pair));
        assert_near(vec3_length(pair.normal), 1.0, 1e-5);
        assert_true(vec3_dot(pair.normal, pair.line) > 0.0f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_accuracy_to_aspect_two),
        cmocka_unit_test(test_accuracy_to_aspect_ten),
        cmocka_unit_test(test_accuracy_of_planes),
        cmocka_unit_test(test_exchange),
        cmocka_unit_test(test_scale),
        cmocka_unit_test(test_size_ratio),
        cmocka_unit_test(test_early_out),
        cmocka_unit_test(test_coincident_centres),
        cmocka_unit_test(test_spheres),
        cmocka_unit_test(test_extreme_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
