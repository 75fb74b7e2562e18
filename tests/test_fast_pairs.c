// Contact of soft particles: the kernels against the scalar reference, and worlds with either.

#include "bodies.h"
#include "reference_pairs.h"

enum { BODIES = 5, PARTICLES = 528, PAIRS = PARTICLES / 2, BATCHES = PAIRS / PAIR_LANES };
enum { SLOW_BATCHES = 20, SLOW_PAIRS = SLOW_BATCHES * PAIR_LANES };

// Random particles; number 2 k and number 2 k + 1 are a pair. The last ones are fast.
typedef struct crowd {
    particle_move move[PARTICLES];
    particle_form form[PARTICLES];
    pair_end ends[PARTICLES];
    vec3 start[PARTICLES + 1], v[PARTICLES + 1]; // read as quadruples
    quat turn[PARTICLES], turn_start[PARTICLES];
    int32_t owner[PARTICLES];
    body_frame frame[BODIES];
    pair_scene scene;
    meeting_scene meeting;
    pair_batch batches[BATCHES];
    reference_pair pairs[PAIRS];
} crowd;

static void add_particle(crowd *c, int i, uint32_t *random)
{
    float r = random_between(random, 0.03f, 0.06f);
    bool is_round = i % 7 == 0 || i / 2 % 11 == 0;
    vec3 radii = {r, is_round ? r : random_between(random, 0.02f, 0.1f),
                  is_round ? r : random_between(random, 0.02f, 0.1f)};
    float smallest = minimum(radii.x, minimum(radii.y, radii.z));
    mat3 none = quat_to_mat3(quat_identity());
    sym3 shape = sym3_rotate_diagonal(
        &none, (vec3){radii.x * radii.x, radii.y * radii.y, radii.z * radii.z});
    c->turn[i] = random_quat(random);
    c->turn_start[i] = quat_turn(c->turn[i], random_vec3(random, 0.1f));
    c->form[i] = (particle_form){.shape = sym3_rotate(shape, c->turn_start[i]),
                                 .largest = maximum(radii.x, maximum(radii.y, radii.z)),
                                 .thinnest = i % 50 == 49 ? -smallest : smallest};
    c->owner[i] = (int32_t)(random_bits(random) % BODIES);
    c->move[i] = (particle_move){random_vec3(random, 0.01f), random_between(random, 0.5f, 20.0f)};
    c->v[i] = random_vec3(random, 1.0f);
}

// Shoots b, which is so far from a, at it or beside it; some stop short of it and few go away.
static void aim(crowd *c, int k, vec3 apart, uint32_t *random)
{
    vec3 beside = random_vec3(random, k % 2 ? 0.2f : 0.05f);
    float far = random_between(random, -0.2f, 4.0f);
    c->move[2 * k + 1].way = vec3_scale(vec3_sub(beside, apart), far);
}

// Beside, in, behind and far from the other one; one at its very centre, one fast, one pinned.
static void add_partner(crowd *c, int k, uint32_t *random)
{
    int a = 2 * k, b = a + 1;
    const body_frame *f = &c->frame[c->owner[a]], *g = &c->frame[c->owner[b]];
    vec3 apart = random_vec3(random, k % 3 == 0 ? 0.03f : k < SLOW_PAIRS ? 0.12f : 0.3f);
    if (k % 41 == 0)
        apart = (vec3){0, 0, 0};
    if (k % 17 == 0)
        c->move[b].way = random_vec3(random, 0.2f);
    if (k % 13 == 0)
        c->move[a].inverse_mass = 0.0f;
    c->start[a] = random_vec3(random, 0.5f);
    c->start[b] = vec3_add(vec3_add(c->start[a], apart), vec3_sub(f->origin, g->origin));
    if (k >= SLOW_PAIRS)
        aim(c, k, apart, random);
    c->pairs[k] = (reference_pair){.a = a, .b = b, .is_fast = k >= SLOW_PAIRS};
    pair_batch *eight = &c->batches[k / PAIR_LANES];
    int lane = k % PAIR_LANES;
    eight->count = PAIR_LANES;
    eight->a[lane] = a;
    eight->b[lane] = b;
}

// The first body bounces.
static void add_end(crowd *c, int i)
{
    const body_frame *f = &c->frame[c->owner[i]];
    vec3 way = vec3_add(c->move[i].way, f->drift);
    c->ends[i] = (pair_end){.place = vec3_add(c->start[i], way),
                            .reach = 1.1f * c->form[i].largest,
                            .way = way,
                            .thin = 0.5f * absolute(c->form[i].thinnest),
                            .origin = f->origin,
                            .flags = c->owner[i] == 0 ? END_BOUNCES : 0};
}

static crowd *crowd_of(uint32_t seed)
{
    crowd *c = aligned_alloc(64, (sizeof *c + 63) / 64 * 64);
    assert_non_null(c);
    memset(c, 0, sizeof *c);
    uint32_t random = seed;
    for (int i = 0; i < BODIES; ++i)
        c->frame[i] = (body_frame){.origin = random_vec3(&random, 3.0f),
                                   .drift = random_vec3(&random, 0.01f),
                                   .friction = random_between(&random, 0.1f, 1.0f)};
    for (int i = 0; i < PARTICLES; ++i)
        add_particle(c, i, &random);
    for (int k = 0; k < PAIRS; ++k)
        add_partner(c, k, &random);
    float h = 1.0f / 240.0f;
    c->scene = (pair_scene){.move = c->move,
                            .form = c->form,
                            .start = c->start,
                            .v = c->v,
                            .owner = c->owner,
                            .frame = c->frame,
                            .h = h,
                            .push_out = h,
                            .push_part = 1.0f};
    for (int i = 0; i < PARTICLES; ++i)
        add_end(c, i);
    c->meeting = (meeting_scene){c->ends, c->form, seed % 3 > 0, 1e-4f};
    return c;
}

// Zeros of either sign are the same: a lane that does nothing may turn one.
static void assert_same(float actual, float expected)
{
    if (!(actual == 0.0f && expected == 0.0f))
        assert_int_equal(float_bits(actual), float_bits(expected));
}

static void assert_same3(vec3 actual, vec3 expected)
{
    assert_same(actual.x, expected.x);
    assert_same(actual.y, expected.y);
    assert_same(actual.z, expected.z);
}

static vec3 lane3(const lanes3 *v, int lane)
{
    return (vec3){v->x[lane], v->y[lane], v->z[lane]};
}

static void compare(const crowd *actual, const crowd *expected)
{
    for (int k = 0; k < PAIRS; ++k) {
        const pair_batch *eight = &actual->batches[k / PAIR_LANES];
        const reference_pair *c = &expected->pairs[k];
        int i = k % PAIR_LANES;
        assert_same3(lane3(&eight->between, i), c->between);
        assert_same3(lane3(&eight->plane, i), c->plane);
        assert_same(eight->slack[i], c->slack);
        assert_same(eight->width[i], c->width);
        assert_same(eight->reach[i], c->reach);
        assert_same(eight->mass[i], c->mass);
        assert_same(eight->friction[i], c->friction);
        assert_same(eight->normal_impulse[i], c->normal_impulse);
        assert_same3(lane3(&eight->drift, i), c->drift);
        assert_same3(lane3(&eight->friction_impulse, i), c->friction_impulse);
        assert_same(eight->start_depth[i], c->start_depth);
        assert_same(eight->approach[i], c->approach);
    }
    for (int i = 0; i < PARTICLES; ++i) {
        assert_same3(actual->move[i].way, expected->move[i].way);
        assert_same3(actual->v[i], expected->v[i]);
    }
}

// What the solver of bodies does between iterations.
static void stir(crowd *c, uint32_t seed, float size)
{
    for (int i = 0; i < PARTICLES; ++i) {
        c->move[i].way = vec3_add(c->move[i].way, random_vec3(&seed, size));
        c->turn[i] = quat_turn(c->turn[i], random_vec3(&seed, 0.02f));
    }
}

static void check_meeting(const kernels *k, const crowd *c, int *seen)
{
    for (int count = 0; count <= PAIRS; count += count < 20 ? 1 : 61) {
        particle_pair pairs[PAIRS], expected[PAIRS];
        int kept = 0;
        for (int i = 0; i < count; ++i) {
            pair_kind kind = reference_kind(&c->meeting, 2 * i, 2 * i + 1);
            pairs[i] = (particle_pair){2 * i, 2 * i + 1};
            seen[kind] += 1;
            if (kind != PAIR_KINDS)
                expected[kept++] = found_pair(2 * i, 2 * i + 1, kind);
        }
        assert_int_equal(k->keep_meeting(&c->meeting, pairs, count), kept);
        assert_memory_equal(pairs, expected, (size_t)kept * sizeof *pairs);
    }
}

static void begin_both(const kernels *k, crowd *fast, crowd *slow)
{
    k->stop_pairs(&fast->scene, fast->batches + SLOW_BATCHES, BATCHES - SLOW_BATCHES);
    for (int i = SLOW_PAIRS; i < PAIRS; ++i)
        reference_stop(&slow->scene, &slow->pairs[i]);
    k->begin_pairs(&fast->scene, fast->batches, SLOW_BATCHES);
    for (int i = 0; i < SLOW_PAIRS; ++i)
        reference_begin(&slow->scene, &slow->pairs[i]);
    compare(fast, slow);
}

static void check_kernels(const kernels *k, uint32_t seed, int *seen)
{
    crowd *fast = crowd_of(seed), *slow = crowd_of(seed);
    int pushing = 0;
    check_meeting(k, fast, seen);
    begin_both(k, fast, slow);
    for (uint32_t pass = 1; pass < 4; ++pass) {
        fast->scene.push_part = slow->scene.push_part = pass == 3 ? 0.625f : 1.0f;
        k->solve_pairs(&fast->scene, fast->batches, BATCHES);
        for (int i = 0; i < PAIRS; ++i)
            reference_solve(&slow->scene, &slow->pairs[i]);
        compare(fast, slow);
        float size = pass == 3 ? 0.1f : 0.01f;
        stir(fast, pass, size);
        stir(slow, pass, size);
    }
    assert_true(k->order_pairs(&fast->scene, fast->batches, BATCHES));
    for (int i = 0; i < PAIRS; ++i)
        reference_order(&slow->scene, &slow->pairs[i]);
    compare(fast, slow);
    // Of some batches only the first lanes are in use.
    for (int i = 0; i < 8; ++i)
        fast->batches[i].count = 1 + i;
    for (int i = 0; i < PAIRS; ++i) {
        if (i % PAIR_LANES >= fast->batches[i / PAIR_LANES].count)
            continue;
        reference_settle(&slow->scene, &slow->pairs[i]);
        pushing += slow->pairs[i].normal_impulse > 0.0f;
    }
    assert_int_equal(k->settle_pairs(&fast->scene, fast->batches, BATCHES), pushing);
    assert_true(pushing > PAIRS / 4 && pushing < PAIRS);
    compare(fast, slow);
    free(fast);
    free(slow);
}

static void test_kernels_are_the_reference(void **state)
{
    (void)state;
    int seen[PAIR_KINDS + 1] = {0};
    for (uint32_t seed = 1; seed <= 20; ++seed) {
        check_kernels(pli_choose_kernels(PLIANT_INSTRUCTIONS_PORTABLE), 977 * seed, seen);
        check_kernels(pli_choose_kernels(PLIANT_INSTRUCTIONS_BEST), 977 * seed, seen);
    }
    for (int kind = 0; kind <= PAIR_KINDS; ++kind)
        assert_true(seen[kind] > 500);
}

// How near the surfaces come on the straight way, along the line of the centres, by looking often.
static float nearest_gap(const crowd *c, int k, int *first_inside)
{
    enum { LOOKS = 400 };
    reference_stand p = reference_stand_of(&c->scene, 2 * k, 2 * k + 1);
    vec3 way = vec3_add(p.way, p.drift);
    float least = 1e30f;
    *first_inside = LOOKS + 1;
    for (int i = 0; i <= LOOKS; ++i) {
        form_pair touch;
        vec3 between = vec3_add_scaled(p.start, way, (float)i / LOOKS);
        pli_ellipsoid_pair(c->form[2 * k].shape, c->form[2 * k + 1].shape, between, 1e30f, &touch);
        least = minimum(least, touch.gap);
        if (touch.gap < 0.0f && *first_inside > LOOKS)
            *first_inside = i;
    }
    return least;
}

// Who comes into the other one on the way is stopped before, by a plane that is between them from the start; who
// does not is left alone. Those that overlap at the start come no deeper.
static void test_fast_pairs_stop_where_they_first_touch(void **state)
{
    (void)state;
    int stopped = 0, missed = 0, overlapping = 0, parting = 0, spheres = 0;
    for (uint32_t seed = 1; seed <= 5; ++seed) {
        crowd *c = crowd_of(977 * seed);
        for (int k = SLOW_PAIRS; k < PAIRS; ++k) {
            reference_pair *pair = &c->pairs[k];
            int first_inside;
            float least = nearest_gap(c, k, &first_inside);
            vec3 start = reference_stand_of(&c->scene, pair->a, pair->b).start;
            reference_stop(&c->scene, pair);
            float after = vec3_dot(pair->plane, reference_moved(&c->scene, pair));
            float before = vec3_dot(pair->plane, start);
            if (first_inside == 0) {
                overlapping += pair->hits;
                parting += !pair->hits;
                if (pair->hits)
                    assert_true(after > minimum(pair->width, before) - 1e-5f);
            } else if (least < -1e-4f) {
                assert_true(pair->hits);
                assert_true(before > pair->width - 1e-5f && after > pair->width - 1e-5f);
                stopped += 1;
                spheres += k % 11 == 0;
            } else if (least > 0.005f) {
                assert_true(!pair->hits);
                missed += 1;
            }
        }
        free(c);
    }
    assert_true(stopped > 50 && missed > 50 && overlapping > 20 && parting > 5 && spheres > 5);
}

static void run_backwards(int count, pliant_task *task, void *context, void *user_data)
{
    *(int *)user_data += 1;
    for (int i = count - 1; i >= 0; --i)
        task(i, context);
}

// Sheets that lie in each other and part: more pairs of one colour than one task takes.
static void test_worlds_do_not_depend_on_kernels_or_order(void **state)
{
    (void)state;
    lattice sheet = lattice_of(30, 1, 30);
    sheet.radius = 0.14f; // no holes
    pliant_model *model = lattice_model(&sheet);
    uint64_t hashes[3];
    for (int k = 0; k < 3; ++k) {
        int loops = 0;
        pliant_world_def def = pliant_default_world_def();
        def.instructions = k == 1 ? PLIANT_INSTRUCTIONS_PORTABLE : PLIANT_INSTRUCTIONS_BEST;
        def.parallel_for = k == 2 ? run_backwards : NULL;
        def.parallel_user_data = &loops;
        pliant_world *world = pliant_world_create(&def, NULL);
        pliant_plane_def ground = pliant_default_plane_def();
        ground.normal = (vec3){0, 1, 0};
        pliant_world_add_plane(world, &ground, NULL);
        for (int i = 0; i < 3; ++i) {
            pliant_body_def sheet_def = pliant_default_body_def();
            sheet_def.model = model;
            sheet_def.position =
                (vec3){0.07f * (float)i, 0.14f + 0.1f * (float)i, 0.05f * (float)i};
            sheet_def.orientation = quat_exp((vec3){0, 0.3f * (float)i, 0});
            pliant_world_add_body(world, &sheet_def, NULL);
        }
        int most_pairs = 0;
        for (int i = 0; i < 4; ++i) {
            pliant_world_step(world, 1.0f / 60.0f);
            int pairs = pliant_world_report(world).pairs;
            most_pairs = pairs > most_pairs ? pairs : most_pairs;
        }
        assert_true(most_pairs > 1000);
        hashes[k] = pliant_world_hash(world);
        pliant_world_destroy(world);
    }
    assert_int_equal(hashes[1], hashes[0]);
    assert_int_equal(hashes[2], hashes[0]);
    pliant_model_destroy(model);
}

// Those of all particles at once are those of one after another, as few pairs have them.
static void test_turned_shapes(void **state)
{
    (void)state;
    enum { COUNT = 13 };
    const kernels *all[] = {pli_kernels_plain, pli_choose_kernels(PLIANT_INSTRUCTIONS_BEST)};
    uint32_t random = 4;
    for (int k = 0; k < 2; ++k)
        for (int count = 1; count <= COUNT; ++count) {
            sym3 shapes[COUNT];
            quat turn[COUNT];
            particle_form form[COUNT] = {0};
            for (int i = 0; i < count; ++i) {
                vec3 a = random_vec3(&random, 1.0f), b = random_vec3(&random, 1.0f);
                shapes[i] = (sym3){a.x, a.y, a.z, b.x, b.y, b.z};
                turn[i] = quat_exp(random_vec3(&random, 3.0f));
                form[i].largest = a.x;
                form[i].thinnest = b.x;
            }
            all[k]->turn_shapes(form, shapes, turn, count);
            for (int i = 0; i < count; ++i) {
                particle_form one = {sym3_rotate(shapes[i], turn[i]), shapes[i].xx, shapes[i].yy};
                assert_memory_equal(&form[i], &one, sizeof one);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels_are_the_reference),
        cmocka_unit_test(test_fast_pairs_stop_where_they_first_touch),
        cmocka_unit_test(test_worlds_do_not_depend_on_kernels_or_order),
        cmocka_unit_test(test_turned_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
