// The broad phase against testing every pair.

#include "collide/broad.h"
#include "counting.h"

enum { MOST = 1500 };

typedef struct sphere_set {
    int count;
    vec3 centres[MOST];
    float radii[MOST];
} sphere_set;

static broad_sphere spheres[MOST];

static broad_query ask(const sphere_set *set, int count)
{
    for (int i = 0; i < count; ++i)
        spheres[i] = (broad_sphere){set->centres[i], set->radii[i]};
    return (broad_query){.spheres = spheres, .count = count, .kernels = pli_kernels_plain};
}

static bool overlap(const sphere_set *set, int a, int b)
{
    vec3 d = vec3_sub(set->centres[a], set->centres[b]);
    float reach = set->radii[a] + set->radii[b];
    return vec3_dot(d, d) <= reach * reach;
}

static bool takes_part(const sphere_set *set, int i)
{
    return set->radii[i] >= 0.0f && is_finite(set->radii[i]) && vec3_is_finite(set->centres[i]);
}

// Sorted by (a, b).
static int find_slowly(const sphere_set *set, particle_pair *pairs)
{
    int found = 0;
    for (int a = 0; a < set->count; ++a)
        for (int b = a + 1; b < set->count; ++b)
            if (takes_part(set, a) && takes_part(set, b) && overlap(set, a, b))
                pairs[found++] = (particle_pair){a, b};
    return found;
}

// Last index first: what a part does must not depend on the others.
static void run_backwards(int count, pliant_task *task, void *context, void *user_data)
{
    (void)user_data;
    for (int i = count - 1; i >= 0; --i)
        task(i, context);
}

static particle_pair *create_room(void)
{
    particle_pair *pairs = malloc(sizeof(particle_pair) * MOST * (MOST - 1) / 2);
    assert_non_null(pairs);
    return pairs;
}

static int find(const sphere_set *set, particle_pair *pairs)
{
    broad_phase broad = {0};
    assert_true(pli_broad_reserve(&broad, set->count, MOST * (MOST - 1) / 2, NULL));
    broad_query query = ask(set, set->count);
    int found = pli_broad_find(&broad, &query, pairs, MOST * (MOST - 1) / 2);
    particle_pair *again = create_room();
    query.kernels = pli_choose_kernels(PLIANT_INSTRUCTIONS_BEST);
    assert_int_equal(pli_broad_find(&broad, &query, again, MOST * (MOST - 1) / 2), found);
    assert_memory_equal(again, pairs, (size_t)found * sizeof *pairs);
    free(again);
    pli_broad_free(&broad, NULL);
    return found;
}

// Returns how many pairs there are.
static int assert_same_as_slow(const sphere_set *set)
{
    particle_pair *expected = create_room(), *pairs = create_room();
    int count = find_slowly(set, expected), found = find(set, pairs);
    for (int i = 0; i < count && i < found; ++i)
        if (memcmp(&pairs[i], &expected[i], sizeof pairs[i]) != 0)
            fail_msg("pair %d is (%d, %d), expected (%d, %d)", i, pairs[i].a, pairs[i].b,
                     expected[i].a, expected[i].b);
    assert_int_equal(found, count);
    free(expected);
    free(pairs);
    return count;
}

// Radii between 1 and `ratio` times the smallest, with equally many in every octave.
static float random_radius(uint32_t *state, float smallest, float ratio)
{
    return smallest * powf(ratio, random_between(state, 0.0f, 1.0f));
}

static sphere_set random_set(uint32_t seed, int count, vec3 middle, float size, float smallest,
                             float ratio)
{
    sphere_set set = {.count = count};
    for (int i = 0; i < count; ++i) {
        set.centres[i] = vec3_add(middle, random_vec3(&seed, size));
        set.radii[i] = random_radius(&seed, smallest, ratio);
    }
    return set;
}

static void test_equal(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 20; ++seed) {
        int count = 30 + (int)seed * 60;
        float size = random_between(&(uint32_t){seed * 77}, 0.02f, 0.3f);
        sphere_set set = random_set(seed, count, (vec3){0, 0, 0}, size, 0.01f, 1.0f);
        assert_true(assert_same_as_slow(&set) > 0);
    }
}

static void test_unequal(void **state)
{
    (void)state;
    static const float ratios[] = {1.1f, 2.0f, 2.6f, 5.0f, 30.0f, 1000.0f, 1e6f};
    for (uint32_t i = 0; i < sizeof ratios / sizeof ratios[0]; ++i)
        for (uint32_t seed = 1; seed <= 3; ++seed) {
            float size = 0.01f * ratios[i];
            sphere_set set = random_set(seed + 10 * i, 1200, (vec3){0.1f, -0.2f, 0.3f}, 3.0f * size,
                                        0.01f, ratios[i]);
            assert_true(assert_same_as_slow(&set) > 0);
        }
}

// One giant among many dwarfs, which all lie near its surface.
static void test_giant(void **state)
{
    (void)state;
    uint32_t seed = 5;
    sphere_set set = {.count = 1000};
    set.radii[500] = 10.0f;
    for (int i = 0; i < set.count; ++i) {
        if (i == 500)
            continue;
        vec3 direction = vec3_normalize_or(random_vec3(&seed, 1.0f), (vec3){1, 0, 0});
        set.centres[i] = vec3_scale(direction, random_between(&seed, 9.98f, 10.04f));
        set.radii[i] = 0.01f;
    }
    assert_true(assert_same_as_slow(&set) > 200);
}

static void test_clusters(void **state)
{
    (void)state;
    uint32_t seed = 9;
    sphere_set set = {.count = 1200};
    vec3 middle = {0};
    for (int i = 0; i < set.count; ++i) {
        if (i % 60 == 0)
            middle = random_vec3(&seed, 1000.0f);
        set.centres[i] = vec3_add(middle, random_vec3(&seed, 0.05f));
        set.radii[i] = random_radius(&seed, 0.005f, 3.0f);
    }
    assert_true(assert_same_as_slow(&set) > 400);
    // Strays of every distance must not disturb the others.
    float far = 1.0f;
    for (int i = 0; i < set.count; i += 40, far *= 20.0f)
        set.centres[i] = vec3_scale(random_vec3(&seed, 1.0f), far);
    assert_true(assert_same_as_slow(&set) > 400);
}

static void test_lines(void **state)
{
    (void)state;
    static const vec3 directions[] = {
        {1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {1, 1, 1}, {-1, 0.5f, 1e-4f}};
    for (int d = 0; d < 5; ++d)
        for (float step = 0.5f; step < 3.0f; step += 0.7f) {
            sphere_set set = {.count = 800};
            for (int i = 0; i < set.count; ++i) {
                set.centres[i] = vec3_scale(directions[d], step * (float)(i - 400));
                set.radii[i] = i % 7 ? 0.9f : 2.5f;
            }
            assert_same_as_slow(&set);
        }
}

static void test_one_point(void **state)
{
    (void)state;
    sphere_set set = {.count = 700};
    for (int i = 0; i < set.count; ++i) {
        set.centres[i] = (vec3){-3.0f, 1e5f, 0.25f};
        set.radii[i] = i % 3 ? 0.1f : (float)i;
    }
    assert_int_equal(assert_same_as_slow(&set), 700 * 699 / 2);
    memset(set.radii, 0, sizeof set.radii);
    assert_int_equal(assert_same_as_slow(&set), 700 * 699 / 2);
}

static void test_far_from_origin(void **state)
{
    (void)state;
    static const vec3 middles[] = {{1e6f, 1e6f, 1e6f},
                                   {-1e6f, 1e6f, -1e6f},
                                   {-1e7f, 0, 1e7f},
                                   {0, 1e6f, -1e-3f},
                                   {1e30f, -1e38f, 3.0f}};
    for (uint32_t m = 0; m < 5; ++m) {
        sphere_set set = random_set(m + 1, 900, middles[m], 2.0f, 0.02f, 20.0f);
        assert_true(assert_same_as_slow(&set) > 100);
        set = random_set(m + 7, 900, middles[m], 1e-4f, 1e-5f, 1.5f);
        assert_true(assert_same_as_slow(&set) > 100);
    }
    // All over the world at once: keys have to be folded.
    uint32_t seed = 3;
    sphere_set set = {.count = 1400};
    for (int i = 0; i < set.count; i += 2) {
        set.centres[i] = random_vec3(&seed, i % 4 ? 1e6f : 1e3f);
        set.radii[i] = set.radii[i + 1] = random_radius(&seed, 5e-6f, 1000.0f);
        vec3 apart = random_vec3(&seed, 2.0f * set.radii[i]);
        set.centres[i + 1] = vec3_add(set.centres[i], apart);
    }
    assert_true(assert_same_as_slow(&set) > 300);
}

// Spheres that just touch, or just do not, on lattices of their own diameter: every centre is on the
// border of a cell, give or take the last bit.
static void test_borders(void **state)
{
    (void)state;
    uint32_t seed = 21;
    for (int variant = 0; variant < 40; ++variant) {
        float radius = variant < 8 ? ldexpf(1.0f, variant - 6) : random_between(&seed, 0.01f, 4.0f);
        float step = variant % 2 ? 2.0f * radius : 2.0f * radius * 1.001f;
        vec3 corner = variant % 4 < 2 ? (vec3){0, 0, 0} : random_vec3(&seed, 1000.0f);
        sphere_set set = {.count = 9 * 9 * 9};
        for (int i = 0; i < set.count; ++i) {
            vec3 site = {(float)(i % 9 - 4), (float)(i / 9 % 9 - 4), (float)(i / 81 - 4)};
            float *x = &set.centres[i].x;
            set.centres[i] = vec3_add(corner, vec3_scale(site, step));
            if (random_bits(&seed) % 4 == 0)
                *x = nextafterf(*x, random_bits(&seed) % 2 ? INFINITY : -INFINITY);
            set.radii[i] = radius;
        }
        assert_same_as_slow(&set);
    }
    // The difference rounds to exactly the sum of the radii although it is larger.
    sphere_set set = {2, {{-1e-9f, 0, 0}, {1.0f, 0, 0}}, {0.5f, 0.5f}};
    assert_int_equal(assert_same_as_slow(&set), 1);
}

static void test_left_out(void **state)
{
    (void)state;
    sphere_set set = random_set(33, 900, (vec3){0, 0, 0}, 0.3f, 0.02f, 3.0f);
    for (int i = 0; i < set.count; i += 3) {
        if (i % 5 == 0)
            set.radii[i] = -set.radii[i];
        else if (i % 5 == 1)
            set.centres[i].y = i % 2 ? NAN : -INFINITY;
        else if (i % 5 == 2)
            set.radii[i] = i % 2 ? NAN : INFINITY;
    }
    assert_true(assert_same_as_slow(&set) > 100);
    for (int i = 0; i < set.count; ++i)
        set.radii[i] = -1.0f;
    assert_int_equal(assert_same_as_slow(&set), 0);
}

static int compare_pairs(const void *one, const void *two)
{
    const particle_pair *a = one, *b = two;
    return a->a != b->a ? (a->a > b->a) - (a->a < b->a) : (a->b > b->b) - (a->b < b->b);
}

static void test_order_does_not_matter(void **state)
{
    (void)state;
    uint32_t seed = 44;
    sphere_set set = random_set(seed, 1300, (vec3){-5, 2, 9}, 0.5f, 0.01f, 12.0f), shuffled = set;
    int from[MOST];
    for (int i = 0; i < set.count; ++i)
        from[i] = i;
    for (int i = set.count - 1; i > 0; --i) {
        int other = (int)(random_bits(&seed) % (uint32_t)(i + 1)), kept = from[i];
        from[i] = from[other];
        from[other] = kept;
    }
    for (int i = 0; i < set.count; ++i) {
        shuffled.centres[i] = set.centres[from[i]];
        shuffled.radii[i] = set.radii[from[i]];
    }
    particle_pair *expected = create_room(), *pairs = create_room();
    int count = find(&set, expected), found = find(&shuffled, pairs);
    assert_int_equal(found, count);
    for (int i = 0; i < found; ++i) {
        int a = from[pairs[i].a], b = from[pairs[i].b];
        pairs[i] = a < b ? (particle_pair){a, b} : (particle_pair){b, a};
    }
    qsort(pairs, (size_t)found, sizeof pairs[0], compare_pairs);
    assert_memory_equal(pairs, expected, (size_t)found * sizeof pairs[0]);
    free(expected);
    free(pairs);
}

typedef struct filter_log {
    const sphere_set *set;
    int calls;
} filter_log;

static int keep_same_parity(particle_pair *pairs, int count, void *context)
{
    filter_log *log = context;
    int kept = 0;
    log->calls += count;
    for (int i = 0; i < count; ++i) {
        assert_true(pairs[i].a < pairs[i].b && overlap(log->set, pairs[i].a, pairs[i].b));
        if ((pairs[i].a + pairs[i].b) % 2 == 0)
            pairs[kept++] = pairs[i];
    }
    return kept;
}

static void test_filter(void **state)
{
    (void)state;
    sphere_set set = random_set(6, 1000, (vec3){0, 0, 0}, 0.2f, 0.01f, 4.0f);
    filter_log log = {&set, 0};
    particle_pair *expected = create_room(), *pairs = create_room();
    int count = find_slowly(&set, expected), kept = 0;
    for (int i = 0; i < count; ++i)
        if ((expected[i].a + expected[i].b) % 2 == 0)
            expected[kept++] = expected[i];
    broad_phase broad = {0};
    assert_true(pli_broad_reserve(&broad, set.count, MOST * (MOST - 1) / 2, NULL));
    broad_query query = ask(&set, set.count);
    query.filter = keep_same_parity;
    query.context = &log;
    int found = pli_broad_find(&broad, &query, pairs, MOST * (MOST - 1) / 2);
    assert_int_equal(log.calls, count);
    assert_int_equal(found, kept);
    assert_memory_equal(pairs, expected, (size_t)found * sizeof pairs[0]);
    pli_broad_free(&broad, NULL);
    free(expected);
    free(pairs);
}

static void test_capacity(void **state)
{
    (void)state;
    sphere_set set = random_set(8, 1000, (vec3){0, 0, 0}, 0.15f, 0.01f, 3.0f);
    particle_pair *expected = create_room(), *pairs = create_room(), *again = create_room();
    int count = find_slowly(&set, expected);
    broad_phase broad = {0};
    assert_true(pli_broad_reserve(&broad, set.count, count, NULL));
    broad_query query = ask(&set, set.count);
    const int capacities[] = {0, 1, count / 2, count - 1, count};
    for (int c = 0; c < 5; ++c) {
        int capacity = capacities[c];
        pairs[capacity] = again[capacity] = (particle_pair){-7, -7};
        assert_int_equal(pli_broad_find(&broad, &query, pairs, capacity), count);
        pli_broad_find(&broad, &query, again, capacity);
        assert_memory_equal(pairs, again, (size_t)(capacity + 1) * sizeof pairs[0]);
        assert_int_equal(pairs[capacity].a, -7);
        for (int i = 0; i < capacity; ++i) {
            assert_true(overlap(&set, pairs[i].a, pairs[i].b));
            assert_true(i == 0 || compare_pairs(&pairs[i - 1], &pairs[i]) < 0);
        }
    }
    // Without room there need be no array.
    assert_int_equal(pli_broad_find(&broad, &query, NULL, 0), count);
    pli_broad_free(&broad, NULL);
    free(expected);
    free(pairs);
    free(again);
}

// Enough spheres for many parts, in an order that has nothing to do with space, and some that crowd in one
// place: their part has more pairs than its share of the room.
static void test_parts(void **state)
{
    (void)state;
    enum { COUNT = 20000, ROOM = 8 * COUNT };
    uint32_t seed = 12;
    broad_sphere *many = calloc(COUNT, sizeof *many);
    particle_pair *expected = calloc(ROOM + 1, sizeof *expected);
    particle_pair *pairs = calloc(ROOM + 1, sizeof *pairs);
    for (int variant = 0; variant < 3; ++variant) {
        for (int i = 0; i < COUNT; ++i) {
            float size = variant == 1 && i % 50 == 0 ? 0.001f : 0.16f;
            many[i] = (broad_sphere){random_vec3(&seed, size),
                                     random_radius(&seed, 0.005f, variant == 2 ? 4.0f : 1.2f)};
        }
        broad_phase broad = {0};
        assert_true(pli_broad_reserve(&broad, COUNT, ROOM, NULL));
        broad_query query = {.spheres = many, .count = COUNT, .kernels = pli_kernels_plain};
        for (int room = variant == 0 ? ROOM : ROOM / 8; room > 0; room /= 7) {
            int count = pli_broad_find(&broad, &query, expected, room);
            query.parallel_for = run_backwards;
            assert_int_equal(pli_broad_find(&broad, &query, pairs, room), count);
            query.parallel_for = NULL;
            int written = count < room ? count : room;
            assert_true(written > 0);
            assert_memory_equal(pairs, expected, (size_t)written * sizeof *pairs);
            for (int i = 1; i < written; ++i)
                assert_true(compare_pairs(&pairs[i - 1], &pairs[i]) < 0);
        }
        pli_broad_free(&broad, NULL);
    }
    free(many);
    free(expected);
    free(pairs);
}

// All in one part of space, but the other parts are there: none may be lost for lack of room in one.
static void test_uneven_parts(void **state)
{
    (void)state;
    enum { COUNT = 5000, CROWD = 300, PAIRS = CROWD * (CROWD - 1) / 2 };
    broad_sphere *many = calloc(COUNT, sizeof *many);
    particle_pair *pairs = calloc(PAIRS, sizeof *pairs);
    for (int i = 0; i < COUNT; ++i)
        many[i] = (broad_sphere){{i < CROWD ? 0.0f : (float)i, 0, 0}, 0.1f};
    broad_phase broad = {0};
    assert_true(pli_broad_reserve(&broad, COUNT, PAIRS, NULL));
    broad_query query = {.spheres = many, .count = COUNT, .kernels = pli_kernels_plain};
    assert_int_equal(pli_broad_find(&broad, &query, pairs, PAIRS), PAIRS);
    for (int a = 0, k = 0; a < CROWD; ++a)
        for (int b = a + 1; b < CROWD; ++b, ++k)
            assert_true(pairs[k].a == a && pairs[k].b == b);
    pli_broad_free(&broad, NULL);
    free(many);
    free(pairs);
}

static void test_memory(void **state)
{
    (void)state;
    sphere_set set = random_set(8, 1000, (vec3){0, 0, 0}, 0.2f, 0.01f, 100.0f);
    particle_pair *pairs = create_room();
    counting count = {0};
    pliant_allocator allocator = counting_allocator(&count);
    broad_phase broad = {0};
    assert_true(pli_broad_reserve(&broad, 10, 10, &allocator));
    assert_true(pli_broad_reserve(&broad, 1000, MOST * (MOST - 1) / 2, &allocator));
    int calls = count.calls, live = count.live;
    for (int n = 1000; n > 0; n -= 111) {
        broad_query query = ask(&set, n);
        pli_broad_find(&broad, &query, pairs, 100);
    }
    assert_true(pli_broad_reserve(&broad, 1000, 100, &allocator));
    assert_int_equal(count.calls, calls);

    // No memory: what there was still works. There is room enough for pairs.
    for (int fail = 1; fail < live; ++fail) {
        count.fail_at = count.calls + fail;
        assert_false(pli_broad_reserve(&broad, 5000, 100, &allocator));
        assert_int_equal(count.live, live);
        assert_int_equal(broad.capacity, 1000);
        count.fail_at = 0;
    }
    broad_query query = ask(&set, 1000);
    int found = pli_broad_find(&broad, &query, pairs, MOST * (MOST - 1) / 2);
    assert_int_equal(found, find_slowly(&set, pairs));
    pli_broad_free(&broad, &allocator);
    pli_broad_free(&broad, &allocator);
    assert_int_equal(count.live, 0);
    free(pairs);
}

static void test_few(void **state)
{
    (void)state;
    broad_phase broad = {0};
    particle_pair pair = {-1, -1};
    sphere_set set = {2, {{1, 2, 3}, {1, 2, 4}}, {0.5f, 0.5f}};
    broad_query query = {.kernels = pli_kernels_plain};
    assert_int_equal(pli_broad_find(&broad, &query, &pair, 1), 0);
    assert_true(pli_broad_reserve(&broad, 0, 0, NULL));
    assert_int_equal(pli_broad_find(&broad, &query, &pair, 1), 0);
    assert_true(pli_broad_reserve(&broad, 2, 1, NULL));
    query = ask(&set, 1);
    assert_int_equal(pli_broad_find(&broad, &query, &pair, 1), 0);
    assert_int_equal(pair.a, -1);
    query = ask(&set, 2);
    assert_int_equal(pli_broad_find(&broad, &query, &pair, 1), 1);
    assert_true(pair.a == 0 && pair.b == 1);
    pli_broad_free(&broad, NULL);
}

// Few coarse spheres among fine ones, each just touching one along x.
static void scatter_coarse_and_fine(broad_sphere *some, int count, uint32_t *random, float length,
                                    float width, float coarse)
{
    const float fine = 0.0121f;
    for (int i = 0; i < count; ++i) {
        some[i].centre =
            (vec3){random_between(random, -length, length), random_between(random, -width, width),
                   random_between(random, -width, width)};
        some[i].radius = fine;
    }
    for (int i = 3; i + 4 < count; i += 12) {
        const broad_sphere *by = &some[i + 1 + i / 12 % 4];
        float reach = (coarse + by->radius) * random_between(random, 0.9999f, 1.0f);
        some[i] = (broad_sphere){by->centre, coarse};
        some[i].centre.x += i % 2 ? reach : -reach;
    }
}

// In several parts; and on a long line, where cells are many times as long as they are wide.
static void test_few_coarse_ones(void **state)
{
    (void)state;
    enum { COUNT = 5000, ON_A_LINE = 4200, ROOM = 8 * COUNT };
    static broad_sphere some[COUNT];
    particle_pair *expected = malloc(sizeof(particle_pair) * ROOM);
    particle_pair *pairs = malloc(sizeof(particle_pair) * ROOM);
    broad_phase broad = {0};
    assert_true(pli_broad_reserve(&broad, COUNT, ROOM, NULL));
    for (uint32_t seed = 1; seed <= 30; ++seed) {
        uint32_t random = seed * 7919;
        bool is_line = seed > 6;
        int all = is_line ? ON_A_LINE : COUNT, count = 0;
        scatter_coarse_and_fine(some, all, &random, is_line ? 655.0f : 0.3f,
                                is_line ? 0.001f : 0.3f, is_line || seed % 2 ? 0.01815f : 0.0605f);
        for (int a = 0; a < all; ++a)
            for (int b = a + 1; b < all; ++b) {
                vec3 d = vec3_sub(some[a].centre, some[b].centre);
                float reach = some[a].radius + some[b].radius;
                if (d.x <= reach && vec3_dot(d, d) <= reach * reach && count < ROOM)
                    expected[count++] = (particle_pair){a, b};
            }
        for (int k = 0; k < 2; ++k) {
            broad_query query = {.spheres = some, .count = all};
            query.kernels = k ? pli_choose_kernels(PLIANT_INSTRUCTIONS_BEST) : pli_kernels_plain;
            assert_int_equal(pli_broad_find(&broad, &query, pairs, ROOM), count);
            assert_memory_equal(pairs, expected, (size_t)count * sizeof *pairs);
        }
    }
    pli_broad_free(&broad, NULL);
    free(expected);
    free(pairs);
}

// Runs of spheres, against the same with all others left out.
static void test_runs(void **state)
{
    (void)state;
    static broad_sphere all[5000], some[5000];
    enum { COUNT = 5000, ROOM = 100000 };
    broad_phase broad = {0};
    particle_pair *pairs = malloc(sizeof *pairs * ROOM), *expected = malloc(sizeof *pairs * ROOM);
    uint32_t seed = 9;
    assert_true(pli_broad_reserve(&broad, COUNT, ROOM, NULL));
    for (int round = 0; round < 60; ++round) {
        sphere_run runs[COUNT];
        int run_count = 0, searched = 0;
        for (int i = 0; i < COUNT; ++i) {
            float largest = round % 3 ? 0.3f : i % 90 ? 0.2f : 2.0f;
            some[i] = all[i] = (broad_sphere){random_vec3(&seed, 6.0f), largest};
            all[i].radius *= random_between(&seed, round % 2 ? 0.2f : 0.99f, 1.0f);
            some[i].radius = -1.0f;
        }
        int longest = round % 4 ? 1 << round % 12 : COUNT;
        for (int at = round % 5; at < COUNT; at += (int)(random_bits(&seed) % 7)) {
            int count = 1 + (int)(random_bits(&seed) % (uint32_t)longest);
            count = count < COUNT - at ? count : COUNT - at;
            runs[run_count++] = (sphere_run){at, count, searched};
            memcpy(some + at, all + at, (size_t)count * sizeof *some);
            searched += count;
            at += count;
        }
        for (int k = 0; k < 2; ++k) {
            broad_query query = {.spheres = some, .count = COUNT};
            query.kernels = k ? pli_choose_kernels(PLIANT_INSTRUCTIONS_BEST) : pli_kernels_plain;
            int count = pli_broad_find(&broad, &query, expected, ROOM);
            query.spheres = all;
            query.count = searched;
            query.runs = runs;
            query.run_count = run_count;
            query.parallel_for = round % 2 ? run_backwards : NULL;
            assert_in_range(count, 1, ROOM);
            assert_int_equal(pli_broad_find(&broad, &query, pairs, ROOM), count);
            assert_memory_equal(pairs, expected, (size_t)count * sizeof *pairs);
        }
    }
    pli_broad_free(&broad, NULL);
    free(pairs);
    free(expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal),           cmocka_unit_test(test_unequal),
        cmocka_unit_test(test_giant),           cmocka_unit_test(test_clusters),
        cmocka_unit_test(test_lines),           cmocka_unit_test(test_one_point),
        cmocka_unit_test(test_far_from_origin), cmocka_unit_test(test_borders),
        cmocka_unit_test(test_left_out),        cmocka_unit_test(test_order_does_not_matter),
        cmocka_unit_test(test_filter),          cmocka_unit_test(test_capacity),
        cmocka_unit_test(test_parts),           cmocka_unit_test(test_uneven_parts),
        cmocka_unit_test(test_memory),          cmocka_unit_test(test_few),
        cmocka_unit_test(test_few_coarse_ones), cmocka_unit_test(test_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
