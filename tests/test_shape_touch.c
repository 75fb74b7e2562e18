// Touches of ellipsoids with shapes against a slow double-precision truth.
//
// Truth: of two convex bodies the greatest separation g(n) = n·c - h_K(n) - sqrt(nᵀ S n) over all unit n
// is the distance, or minus the least depth. Directions are sampled and the best ones refined.

#include "collide/shape.h"
#include "test.h"

enum { DIRECTIONS = 1500, SEEDS = 12, MOST = 16 };

typedef struct solid {
    const double (*points)[3];
    int count;
    double radius; // about the points
} solid;

typedef struct ellipsoid_case {
    sym3 S;
    float size, thin; // longest and shortest radius
} ellipsoid_case;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double width(sym3 S, const double n[3])
{
    double x = S.xx * n[0] + S.xy * n[1] + S.xz * n[2];
    double y = S.xy * n[0] + S.yy * n[1] + S.yz * n[2];
    double z = S.xz * n[0] + S.yz * n[1] + S.zz * n[2];
    return sqrt(n[0] * x + n[1] * y + n[2] * z);
}

static double separation(const solid *k, sym3 S, const double c[3], const double n[3])
{
    double highest = -1e300;
    for (int i = 0; i < k->count; ++i)
        highest = fmax(highest, dot(k->points[i], n));
    return dot(c, n) - highest - k->radius - width(S, n);
}

static void normalize(double n[3])
{
    double length = sqrt(dot(n, n));
    for (int i = 0; i < 3; ++i)
        n[i] /= length;
}

// Steps in six directions, halved when none helps.
static double climb(const solid *k, sym3 S, const double c[3], double n[3])
{
    double best = separation(k, S, c, n);
    for (double step = 0.1; step > 1e-8;) {
        bool is_better = false;
        for (int i = 0; i < 6; ++i) {
            double m[3] = {n[0], n[1], n[2]};
            m[i / 2] += i & 1 ? step : -step;
            normalize(m);
            double value = separation(k, S, c, m);
            if (value > best) {
                best = value;
                memcpy(n, m, sizeof m);
                is_better = true;
            }
        }
        step *= is_better ? 1.0 : 0.5;
    }
    return best;
}

static double true_gap(const solid *k, sym3 S, const double c[3], double normal[3])
{
    double values[SEEDS], seeds[SEEDS][3];
    for (int i = 0; i < SEEDS; ++i)
        values[i] = -1e300;
    for (int i = 0; i < DIRECTIONS; ++i) {
        double z = 1.0 - (2.0 * i + 1.0) / DIRECTIONS, angle = 2.399963229728653 * i;
        double r = sqrt(1.0 - z * z), n[3] = {r * cos(angle), r * sin(angle), z};
        double value = separation(k, S, c, n);
        int at = SEEDS;
        for (; at > 0 && value > values[at - 1]; --at)
            if (at < SEEDS) {
                values[at] = values[at - 1];
                memcpy(seeds[at], seeds[at - 1], sizeof n);
            }
        if (at < SEEDS) {
            values[at] = value;
            memcpy(seeds[at], n, sizeof n);
        }
    }
    double best = -1e300;
    for (int i = 0; i < SEEDS; ++i) {
        double value = climb(k, S, c, seeds[i]);
        if (value > best) {
            best = value;
            memcpy(normal, seeds[i], sizeof seeds[i]);
        }
    }
    return best;
}

static ellipsoid_case random_ellipsoid(uint32_t *seed, float size, float aspect)
{
    float r[3];
    for (int i = 0; i < 3; ++i)
        r[i] = random_between(seed, size / aspect, size);
    mat3 R = quat_to_mat3(random_quat(seed));
    float least = minimum(r[0], minimum(r[1], r[2])), most = maximum(r[0], maximum(r[1], r[2]));
    vec3 squares = {r[0] * r[0], r[1] * r[1], r[2] * r[2]};
    return (ellipsoid_case){sym3_rotate_diagonal(&R, squares), most, least};
}

static vec3 random_unit(uint32_t *seed)
{
    vec3 n;
    do
        n = random_vec3(seed, 1.0f);
    while (vec3_length(n) < 0.1f || vec3_length(n) > 1.0f);
    return vec3_scale(n, 1.0f / vec3_length(n));
}

static pliant_shape *make(const pliant_shape_def *def)
{
    pliant_error error = {0};
    pliant_shape *shape = pliant_shape_create(def, NULL, &error);
    if (!shape)
        fail_msg("%s: %s", error.place, error.message);
    return shape;
}

typedef struct worst {
    double gap, normal;
} worst;

static void probe(const pliant_shape *shape, const solid *k, float reach, double from_gap,
                  double to_gap, int count, uint32_t seed, worst *w)
{
    for (int i = 0; i < count; ++i) {
        ellipsoid_case e = random_ellipsoid(&seed, random_between(&seed, 0.05f, 1.0f), 5.0f);
        vec3 towards = random_unit(&seed);
        // Along the line from the middle outwards until the gap is as wanted.
        double wanted = random_between(&seed, (float)from_gap, (float)to_gap) * e.size, n[3];
        double low = 0.0, high = reach + 2.0 * e.size;
        for (int round = 0; round < 12; ++round) {
            double middle = 0.5 * (low + high);
            double c[3] = {middle * towards.x, middle * towards.y, middle * towards.z};
            *(true_gap(k, e.S, c, n) < wanted ? &low : &high) = middle;
        }
        vec3 centre = vec3_scale(towards, (float)(0.5 * (low + high)));
        double c[3] = {centre.x, centre.y, centre.z}, gap = true_gap(k, e.S, c, n);
        touch t;
        int found = pliant_shape_touches(shape, e.S, centre, (vec3){0, 0, 0}, false, 100.0f, &t, 1);
        assert_int_equal(found, 1);
        w->gap = fmax(w->gap, fabs(t.gap - gap) / e.size);
        double m[3] = {t.normal.x, t.normal.y, t.normal.z};
        double nn[3] = {m[0] - n[0], m[1] - n[1], m[2] - n[2]};
        w->normal = fmax(w->normal, sqrt(dot(nn, nn)));
    }
}

static void test_experiment(void **state)
{
    (void)state;
    double point[1][3] = {{0}}, segment[2][3] = {{0, .5, 0}, {0, -.5, 0}}, cube[8][3];
    for (int i = 0; i < 8; ++i)
        for (int k = 0; k < 3; ++k)
            cube[i][k] = (i >> k & 1) ? 0.5 : -0.5;
    vec3 cloud[30];
    double cloudd[30][3];
    uint32_t seed = 7;
    for (int i = 0; i < 30; ++i) {
        cloud[i] = random_unit(&seed);
        cloudd[i][0] = cloud[i].x, cloudd[i][1] = cloud[i].y, cloudd[i][2] = cloud[i].z;
    }
    solid solids[4] = {{point, 1, .5}, {segment, 2, .5}, {cube, 8, 0}, {cloudd, 30, 0}};
    pliant_shape_kind kinds[4] = {PLIANT_SHAPE_SPHERE, PLIANT_SHAPE_CAPSULE, PLIANT_SHAPE_BOX,
                                  PLIANT_SHAPE_HULL};
    double ranges[][2] = {{-1e-3, 1e-3}, {-.01, .01}, {-.1, -.01}, {.01, .1}, {.1, .5}, {-.3, -.1}, {-.6,-.3}};
    for (int i = 0; i < 4; ++i) {
        pliant_shape_def def = pliant_default_shape_def(kinds[i]);
        def.points = cloud;
        def.point_count = 30;
        pliant_shape *shape = make(&def);
        for (int k = 0; k < 7; ++k) {
            worst w = {0, 0};
            probe(shape, &solids[i], 1.0f, ranges[k][0], ranges[k][1], 100, 99, &w);
            printf("kind %d gap %g..%g: gap %.2e normal %.2e\n", kinds[i], ranges[k][0], ranges[k][1], w.gap, w.normal);
        }
        pliant_shape_destroy(shape);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_experiment)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
