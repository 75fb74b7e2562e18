// Finding pairs: the kernels against readable ones.

#include "test.h"

#include "solve/ways.h"
#include "world/pairs.h"

enum { MOST = 37 };

static const kernels *kernels_of(int number)
{
    return number ? pli_choose_kernels(PLIANT_INSTRUCTIONS_BEST) : pli_kernels_plain;
}

// ---------------------------------------------------------------------------------------------
// Kernels

typedef struct crowd {
    vec3 start[MOST];
    particle_move move[MOST];
    pair_traits traits[MOST];
    int32_t attached[MOST];
    pair_end ends[MOST];
    broad_sphere spheres[MOST], greater[MOST];
    way_span span;
} crowd;

static void fill_crowd(crowd *c, uint32_t *seed)
{
    memset(c, 0, sizeof *c);
    for (int i = 0; i < MOST; ++i) {
        c->start[i] = random_vec3(seed, 1.0f);
        c->move[i] = (particle_move){random_vec3(seed, 0.1f), i % 3 ? 1.0f : 0.0f};
        c->traits[i] = (pair_traits){random_between(seed, 0.02f, 0.1f), 0.01f * (float)i,
                                     (uint64_t)random_bits(seed) << 32 | random_bits(seed)};
        c->attached[i] = i % 5 == 2;
    }
    c->span = (way_span){.start = c->start,
                         .move = c->move,
                         .traits = c->traits,
                         .origin = random_vec3(seed, 30.0f),
                         .drift = random_vec3(seed, 0.1f),
                         .together = random_vec3(seed, 0.1f),
                         .body = 7,
                         .flags = END_TOUCHES_ITSELF,
                         .ends = c->ends,
                         .spheres = c->spheres};
}

static float farthest_of(vec3 a)
{
    return maximum(maximum(absolute(a.x), absolute(a.y)), absolute(a.z));
}

static broad_sphere sphere_slowly(const way_span *s, int i, float margin, float ahead)
{
    vec3 way = vec3_scale(vec3_add(s->move[i].way, s->drift), ahead);
    vec3 c = vec3_add_scaled(vec3_add(s->origin, s->start[i]), way, 0.5f);
    float farthest = farthest_of(c) + farthest_of(s->start[i]);
    float length = vec3_length(ahead > 1.0f ? way : vec3_sub(way, s->together));
    float radius = (s->traits[i].reach * margin + 0.5f * length) * (1.0f + COVER_ROUNDING) +
                   farthest * WAY_ROUNDING;
    return (broad_sphere){c, s->is_left_out ? -1.0f : radius};
}

static pair_end end_slowly(const way_span *s, int i)
{
    vec3 way = vec3_add(s->move[i].way, s->drift);
    bool is_attached = s->first_attachment && s->first_attachment[i];
    pair_end end;
    memset(&end, 0, sizeof end);
    end.place = vec3_add(s->start[i], way);
    end.reach = s->traits[i].reach * (1.0f + WATCH_MARGIN);
    end.way = way;
    end.thin = s->traits[i].thin;
    end.origin = s->origin;
    end.body = s->body;
    end.excluded = s->traits[i].excluded;
    end.flags = s->flags | (s->move[i].inverse_mass == 0.0f ? END_IS_PINNED : 0) |
                (is_attached ? END_IS_ATTACHED : 0);
    return end;
}

static bool is_covered_slowly(broad_sphere one, broad_sphere greater)
{
    vec3 off = vec3_sub(one.centre, greater.centre);
    float room = greater.radius * (1.0f - COVER_ROUNDING) - one.radius;
    return one.radius < 0.0f || (room >= 0.0f && vec3_dot(off, off) <= room * room);
}

static void check_ways(crowd *c, const kernels *fast, int first, int end)
{
    int count = 0;
    broad_sphere expected[MOST];
    int32_t expected_strays[MOST], strays[MOST];
    for (int i = first; i < end; ++i) {
        expected[i] = sphere_slowly(&c->span, i, 1.0f + WATCH_MARGIN, 1.0f);
        if (c->span.greater && !is_covered_slowly(expected[i], c->greater[i]))
            expected_strays[count++] = i;
    }
    assert_int_equal(fast->bound_ways(&c->span, first, end, strays, MOST), count);
    assert_memory_equal(strays, expected_strays, (size_t)count * sizeof *strays);
    for (int i = first; i < end; ++i) {
        pair_end there = end_slowly(&c->span, i);
        assert_memory_equal(&c->ends[i], &there, sizeof there);
        assert_memory_equal(&c->spheres[i], &expected[i], sizeof *expected);
    }
}

static void check_foreseen(crowd *c, const kernels *fast, int first, int end)
{
    c->span.together = (vec3){0, 0, 0}; // as where something is to be foreseen
    check_ways(c, fast, first, end);
    c->span.greater = c->greater;
    assert_true(fast->foresee_ways(&c->span, 4.0f, first, end));
    for (int i = first; i < end; ++i) {
        broad_sphere there =
            sphere_slowly(&c->span, i, 1.0f + WATCH_MARGIN + FORESIGHT_MARGIN, 4.0f);
        assert_memory_equal(&c->greater[i], &there, sizeof there);
    }
    check_ways(c, fast, first, end);
    int32_t stray = -1;
    for (int i = first; i < end; i += 3)
        c->greater[i].radius = 0.5f * c->spheres[i].radius;
    check_ways(c, fast, first, end);
    int count = c->span.is_left_out ? 0 : (end - first + 2) / 3;
    assert_int_equal(fast->bound_ways(&c->span, first, end, &stray, 1), count);
    assert_int_equal(stray, count > 0 ? first : -1);

    // Without ends it says the same and writes nothing.
    int32_t strays[MOST], same[MOST];
    assert_int_equal(fast->bound_ways(&c->span, first, end, strays, MOST), count);
    memset(c->ends, 7, sizeof c->ends);
    memset(c->spheres, 7, sizeof c->spheres);
    crowd before = *c;
    c->span.ends = NULL;
    assert_int_equal(fast->bound_ways(&c->span, first, end, same, MOST), count);
    assert_memory_equal(same, strays, (size_t)count * sizeof *strays);
    assert_memory_equal(c->ends, before.ends, sizeof c->ends);
    assert_memory_equal(c->spheres, before.spheres, sizeof c->spheres);

    // What is not finite is nowhere.
    c->span.ends = c->ends;
    c->start[first].x = NAN;
    c->move[end - 1].way.y = INFINITY;
    memset(strays, 0, sizeof strays);
    count = fast->bound_ways(&c->span, first, end, strays, MOST);
    assert_true(c->span.is_left_out || strays[0] == first);
    assert_true(c->span.is_left_out || strays[count - 1] == end - 1);
    c->span.greater = NULL;
}

static void test_ways(void **state)
{
    (void)state;
    uint32_t seed = 5;
    static crowd c;
    for (int k = 0; k < 2; ++k)
        for (int end = 1; end <= MOST; ++end) {
            fill_crowd(&c, &seed);
            c.span.first_attachment = end % 2 ? c.attached : NULL;
            c.span.is_left_out = end % 7 == 3;
            check_ways(&c, kernels_of(k), end / 3, end);
            check_foreseen(&c, kernels_of(k), end / 3, end);
        }
}

static void test_boxes(void **state)
{
    (void)state;
    uint32_t seed = 6;
    static crowd c;
    for (int k = 0; k < 2; ++k)
        for (int count = 1; count <= MOST; ++count) {
            fill_crowd(&c, &seed);
            box expected = box_empty();
            for (int i = 0; i < count; ++i) {
                vec3 start = vec3_add(c.span.origin, c.start[i]);
                vec3 place = vec3_add(c.span.drift, vec3_add(c.start[i], c.move[i].way));
                expected =
                    box_union(expected, box_around(start, vec3_add(c.span.origin, place), 0.07f));
            }
            box found = kernels_of(k)->bound_particles(&c.span, 0.07f, count);
            assert_memory_equal(&found, &expected, sizeof found);
        }
}

static void test_finite(void **state)
{
    (void)state;
    float numbers[MOST] = {0};
    for (int k = 0; k < 2; ++k)
        for (int count = 0; count <= MOST; ++count) {
            assert_true(kernels_of(k)->are_within(numbers, count, FLT_MAX));
            for (int i = 0; i < count; ++i) {
                numbers[i] = i % 2 ? (float)INFINITY : -(float)NAN;
                assert_false(kernels_of(k)->are_within(numbers, count, FLT_MAX));
                numbers[i] = i % 2 ? 3.0f : -3.0f;
                assert_true(kernels_of(k)->are_within(numbers, count, 3.0f));
                assert_false(kernels_of(k)->are_within(numbers, count, 2.9f));
                numbers[i] = 0.0f;
            }
        }
}

static bool overlap(const broad_sphere *a, const broad_sphere *b)
{
    vec3 apart = vec3_sub(a->centre, b->centre);
    float reach = a->radius + b->radius;
    return a->radius >= 0.0f && b->radius >= 0.0f && vec3_dot(apart, apart) <= reach * reach;
}

static void scatter_spheres(broad_sphere *spheres, uint32_t *seed)
{
    for (int i = 0; i < MOST; ++i)
        spheres[i] = (broad_sphere){random_vec3(seed, 1.0f),
                                    random_between(seed, i % 9 ? 0.0f : -1.0f, 1.0f)};
}

static void test_overlapping(void **state)
{
    (void)state;
    uint32_t seed = 8;
    broad_sphere spheres[MOST];
    particle_pair pairs[MOST], expected[MOST], found[MOST];
    for (int k = 0; k < 2; ++k)
        for (int count = 0; count <= MOST; ++count) {
            int kept = 0;
            scatter_spheres(spheres, &seed);
            for (int i = 0; i < count; ++i) {
                pairs[i].a = (int32_t)(random_bits(&seed) % MOST);
                pairs[i].b = (int32_t)(random_bits(&seed) % MOST);
                if (overlap(&spheres[pairs[i].a], &spheres[pairs[i].b]))
                    expected[kept++] = pairs[i];
            }
            assert_int_equal(kernels_of(k)->keep_overlapping(spheres, pairs, count, found), kept);
            assert_memory_equal(found, expected, (size_t)kept * sizeof *found);
            assert_true(count < MOST || (kept > 2 && kept < count - 2));
        }
}

static void test_around(void **state)
{
    (void)state;
    uint32_t seed = 9;
    broad_sphere spheres[MOST];
    particle_pair found[3 * MOST];
    const int32_t some[3] = {30, 2, 17};
    for (int k = 0; k < 2; ++k)
        for (int first = 0; first <= MOST; ++first) {
            bool is_found[MOST][MOST] = {{false}};
            int expected = 0;
            scatter_spheres(spheres, &seed);
            for (int i = first; i < MOST; ++i)
                for (int n = 0; n < 3; ++n)
                    expected += i != some[n] && overlap(&spheres[i], &spheres[some[n]]);
            int count = kernels_of(k)->find_around(spheres, first, MOST, some, 3, found, 3 * MOST);
            assert_int_equal(count, expected);
            for (int i = 0; i < count; ++i) {
                assert_true(found[i].a < found[i].b);
                assert_true(overlap(&spheres[found[i].a], &spheres[found[i].b]));
                is_found[found[i].a][found[i].b] = true;
            }
            for (int i = first; i < MOST; ++i)
                for (int n = 0; n < 3; ++n)
                    if (i != some[n] && overlap(&spheres[i], &spheres[some[n]]))
                        assert_true(is_found[i][some[n]] || is_found[some[n]][i]);
            if (expected > 0)
                assert_int_equal(
                    kernels_of(k)->find_around(spheres, first, MOST, some, 3, found, expected - 1),
                    -1);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ways),   cmocka_unit_test(test_boxes),
        cmocka_unit_test(test_finite), cmocka_unit_test(test_overlapping),
        cmocka_unit_test(test_around),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
