// Fast ellipsoids never pass a solid, and those that miss are left alone.

#include "form/shape.h"
#include "test.h"

enum { MOST = 16, SHOTS = 20000 };

static pliant_shape *make(const pliant_shape_def *def)
{
    pliant_error error = {0};
    pliant_shape *shape = pliant_shape_create(def, NULL, &error);
    if (!shape)
        fail_msg("%s: %s", error.place, error.message);
    return shape;
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

// The gap of the nearest piece with the ellipsoid standing at c.
static float gap_at(const pliant_shape *shape, sym3 S, vec3 c)
{
    touch t;
    int found = pli_shape_touches(shape, S, c, (vec3){0, 0, 0}, false, 1e3f, &t, 1);
    return found ? t.gap : 1e3f;
}

typedef struct tally {
    int hits, misses, blocked;
    double late; // worst overlap at the time of a touch
} tally;

// A shot whose straight way overlaps the solid somewhere must get a plane that the end violates; at the
// time of the first touch there is no overlap yet. A shot that stays clear must not be blocked.
static tally shoot(const pliant_shape *shape, sym3 S, vec3 from, vec3 way, float thin, tally sum)
{
    touch t[MOST];
    int found = pli_shape_touches(shape, S, from, way, true, 0.0f, t, MOST);
    float nearest = 1e30f;
    bool starts_clear = gap_at(shape, S, from) > 1e-3f * thin;
    float length = vec3_length(way);
    for (float s = 0.0f; s <= length && starts_clear && nearest > -1e-3f * thin;) {
        float gap = gap_at(shape, S, vec3_add_scaled(from, way, s / length));
        nearest = minimum(nearest, gap);
        s += maximum(0.9f * gap, 0.01f * thin); // nothing is nearer than the gap
    }
    vec3 end = vec3_add(from, way);
    float worst = 1e30f;
    for (int i = 0; i < found && i < MOST; ++i)
        worst = minimum(worst,
                        vec3_dot(t[i].normal, vec3_sub(end, t[i].point)) - width(S, t[i].normal));
    if (!starts_clear)
        return sum;
    if (nearest < -1e-3f * thin) {
        sum.hits += 1;
        assert_true(found > 0);
        assert_true(worst < 1e-3f * thin);
        float then = gap_at(shape, S, vec3_add_scaled(from, way, t[0].time));
        sum.late = fmax(sum.late, -then / thin);
    } else if (nearest > 0.05f * thin) {
        sum.misses += 1;
        sum.blocked += worst < -1e-3f * thin;
    }
    return sum;
}

static tally shoot_at(const pliant_shape *shape, float size, float reach, vec3 middle,
                      uint32_t seed)
{
    tally sum = {0};
    for (int i = 0; i < SHOTS / 10; ++i) {
        sym3 S = random_shape(&seed, size, 4.0f);
        vec3 target = vec3_add(middle, random_vec3(&seed, reach));
        vec3 way = random_vec3(&seed, 3.0f);
        vec3 from = vec3_add_scaled(target, way, -random_between(&seed, 0.1f, 0.9f));
        sum = shoot(shape, S, from, way, size / 4.0f, sum);
    }
    print_message("%d hits, %d misses of which %d blocked, overlap %.2g of the thinnest radius\n",
                  sum.hits, sum.misses, sum.blocked, sum.late);
    assert_true(sum.hits > 100);
    assert_int_equal(sum.blocked, 0);
    assert_below(sum.late, 2e-3);
    return sum;
}

static void test_thin_box(void **state)
{
    (void)state;
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_BOX);
    def.half_size = (vec3){0.5f, 0.001f, 0.5f};
    pliant_shape *shape = make(&def);
    shoot_at(shape, 0.01f, 0.5f, (vec3){0, 0, 0}, 3);
    shoot_at(shape, 0.2f, 0.5f, (vec3){0, 0, 0}, 4);
    pliant_shape_destroy(shape);
}

static void test_sphere_and_capsule(void **state)
{
    (void)state;
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_SPHERE);
    def.radius = 0.02f;
    pliant_shape *shape = make(&def);
    shoot_at(shape, 0.02f, 0.03f, (vec3){0, 0, 0}, 5);
    pliant_shape_destroy(shape);
    def.kind = PLIANT_SHAPE_CAPSULE;
    shape = make(&def);
    shoot_at(shape, 0.05f, 0.3f, (vec3){0, 0, 0}, 6);
    pliant_shape_destroy(shape);
}

static void test_triangles(void **state)
{
    (void)state;
    const vec3 points[4] = {{-.5f, 0, -.5f}, {.5f, 0, -.4f}, {.1f, .3f, .6f}, {-1, .5f, .4f}};
    const int32_t triangles[6] = {0, 2, 1, 0, 3, 2};
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_MESH);
    def.points = points;
    def.point_count = 4;
    def.triangles = triangles;
    def.triangle_count = 1;
    pliant_shape *one = make(&def);
    shoot_at(one, 0.01f, 0.4f, (vec3){0, 0, 0}, 7);
    shoot_at(one, 0.2f, 0.4f, (vec3){0, 0, 0}, 8);
    def.triangle_count = 2;
    pliant_shape *two = make(&def);
    shoot_at(two, 0.02f, 0.4f, (vec3){0, 0, 0}, 9);
    pliant_shape_destroy(one);
    pliant_shape_destroy(two);
}

// Over hills from above: the way of the centre under the ground means a touch before.
static void test_heightfield(void **state)
{
    (void)state;
    enum { N = 21 };
    float heights[N * N];
    for (int i = 0; i < N * N; ++i)
        heights[i] = 0.3f * sinf((float)(i % N)) * cosf(1.3f * (float)(i / N));
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_HEIGHTFIELD);
    def.heights = heights;
    def.columns = def.rows = N;
    def.spacing = 0.25f;
    pliant_shape *field = make(&def);
    uint32_t seed = 15;
    int hits = 0;
    for (int i = 0; i < SHOTS; ++i) {
        sym3 S = random_shape(&seed, 0.02f, 4.0f);
        vec3 from = {random_between(&seed, .5f, 4.5f), random_between(&seed, .4f, 1.0f),
                     random_between(&seed, .5f, 4.5f)};
        vec3 end = {random_between(&seed, .5f, 4.5f), random_between(&seed, -1.0f, 1.0f),
                    random_between(&seed, .5f, 4.5f)};
        vec3 way = vec3_sub(end, from), direction = vec3_scale(way, 1.0f / vec3_length(way));
        touch t[MOST];
        form_hit hit;
        bool is_hit = pli_shape_ray(field, from, direction, vec3_length(way), &hit);
        int found = pli_shape_touches(field, S, from, way, true, 0.0f, t, MOST);
        if (!is_hit)
            continue;
        hits += 1;
        assert_true(found > 0);
        assert_true(t[0].time * vec3_length(way) <= hit.distance);
        assert_true(t[0].normal.y > 0.0f);
        assert_true(t[0].gap > -1e-4f && t[0].gap < 1e-4f);
    }
    assert_true(hits > 1000);
    pliant_shape_destroy(field);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thin_box),
        cmocka_unit_test(test_sphere_and_capsule),
        cmocka_unit_test(test_triangles),
        cmocka_unit_test(test_heightfield),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
