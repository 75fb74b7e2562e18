// A long body that touches no other is solved in a wave, on several threads in one for each part of it if it is long
// enough, to the bits of sweep after sweep.

#include <pliant/pool.h>

#include "bodies.h"
#include "test.h"
#include "world/substep.h"

enum { STEPS = 4 };

static lattice long_body(void)
{
    lattice l = lattice_of(230, 6, 6);
    l.reach = 1.1f;
    return l;
}

// For tasks this is long enough to be cut into parts.
static lattice longer_body(void)
{
    lattice l = long_body();
    l.nx = 900;
    return l;
}

static void run_in_order(int count, pliant_task *task, void *context, void *user_data)
{
    (void)user_data;
    for (int i = 0; i < count; ++i)
        task(i, context);
}

static void run_backwards(int count, pliant_task *task, void *context, void *user_data)
{
    (void)user_data;
    for (int i = count - 1; i >= 0; --i)
        task(i, context);
}

typedef void run_tasks(int count, pliant_task *task, void *context, void *user_data);

// Whether the last of a body's groups never had its notes in its own place.
static bool is_untouched_at_the_end(const setup *s)
{
    const body *b = &s->world->bodies[s->body.index];
    const pliant_model *model = b->model;
    int last = model->group_batches.batch_count - 1;
    const arm_row *arms = &s->world->arms[b->row_first + model->group_rows[last].first];
    const batch_start *start = &s->world->batch_starts[b->batch_first + last];
    static const arm_row no_arms;
    static const batch_start no_start;
    return !memcmp(arms + 1, &no_arms, sizeof no_arms) && !memcmp(start, &no_start, sizeof *start);
}

// What becomes of a body that falls, turned and hit. *waves gets in how many of the steps the last substep was solved in
// a wave.
static uint64_t fall(const lattice *l, run_tasks *tasks, pliant_pool *pool, int iterations,
                     float floor, bool with_neighbour, float restitution, int *waves)
{
    setup s = setup_of(l);
    pliant_error error;
    s.world_def.gravity = (vec3){0, -9.81f, 0};
    s.world_def.parallel_for = tasks;
    s.world_def.parallel_user_data = pool;
    s.world_def.iterations = iterations;
    if (restitution > 0.0f) { // the last step is on the way up
        s.world_def.substep_length = pliant_substep_length(1);
        s.body_def.restitution = restitution;
        s.body_def.linear_velocity.y = -2.0f;
    }
    setup_open(&s);
    pliant_plane_def plane = pliant_default_plane_def();
    plane.normal = (vec3){0, 1, 0};
    plane.offset = floor;
    assert_int_not_equal(pliant_world_add_plane(s.world, &plane, &error).generation, 0);
    if (with_neighbour) {
        pliant_body_def def = s.body_def;
        def.position.y += (float)l->ny * l->spacing - 0.09f; // not to be pushed out in a few steps
        assert_int_not_equal(pliant_world_add_body(s.world, &def, &error).generation, 0);
    }
    pliant_body_apply_particle_impulse(s.world, s.body, 7, (vec3){3, 2, 1});
    *waves = 0;
    for (int i = 0; i < STEPS; ++i) {
        pliant_world_step(s.world, 1.0f / 60.0f);
        *waves += s.world->bodies[s.body.index].is_solved;
    }
    if (restitution > 0.0f)
        assert_true(pliant_body_motion(s.world, s.body).linear_momentum[1] > 0.0);
    else if (floor > -1.0f)
        assert_true(pliant_world_report(s.world).contacts > 100);
    if (!tasks || *waves == 0)
        assert_int_equal(is_untouched_at_the_end(&s), *waves == STEPS);
    uint64_t hash = pliant_world_hash(s.world);
    setup_close(&s);
    return hash;
}

static void check_with(const lattice *l, float floor, bool with_neighbour, float restitution,
                       int expected)
{
    int waves, none;
    uint64_t hash = fall(l, NULL, NULL, 2, floor, with_neighbour, restitution, &waves);
    assert_int_equal(waves, expected);
    assert_true(hash == fall(l, run_in_order, NULL, 2, floor, with_neighbour, restitution, &none));
    assert_int_equal(none, 0);
}

static void check(const lattice *l, float floor, bool with_neighbour, int expected)
{
    check_with(l, floor, with_neighbour, 0.0f, expected);
}

static void check_in_parts(const lattice *l, int iterations, float floor)
{
    run_tasks *const orders[] = {NULL, run_in_order, run_backwards, pliant_pool_run};
    pliant_pool *pool = pliant_pool_create(3, NULL, NULL);
    uint64_t hashes[4];
    for (int k = 0; k < 4; ++k) {
        int waves;
        hashes[k] = fall(l, orders[k], pool, iterations, floor, false, 0.0f, &waves);
        assert_int_equal(waves, STEPS);
        assert_true(hashes[k] == hashes[0]);
    }
    pliant_pool_destroy(pool);
}

static void test_a_longer_body_in_parts(void **state)
{
    (void)state;
    lattice l = longer_body();
    check_in_parts(&l, 2, -100.0f);
    l.pinned_columns = 2;
    check_in_parts(&l, 2, -0.095f);
    l.stretch = 0.3f;
    l.torsion = 0.2f;
    check_in_parts(&l, 2, -100.0f);
}

// Two or more blocks across, so that they wait for others that are not next to them.
static void test_a_thick_body_in_parts(void **state)
{
    (void)state;
    lattice l = lattice_of(230, 11, 11);
    l.reach = 1.1f;
    pliant_model *model = lattice_model(&l);
    assert_true(model->blocks.reach > 1 && model->blocks.colour_count > 2);
    pliant_model_destroy(model);
    check_in_parts(&l, 1, -100.0f);
}

static void test_a_long_body_in_the_air(void **state)
{
    (void)state;
    lattice l = long_body();
    check(&l, -100.0f, false, STEPS);
    l.stretch = 0.3f;
    l.torsion = 0.2f;
    check(&l, -100.0f, false, STEPS);
    l.pinned_columns = 2;
    check(&l, -100.0f, false, STEPS);
}

static void test_a_long_body_on_the_ground(void **state)
{
    (void)state;
    lattice l = long_body();
    check(&l, -0.095f, false, STEPS);
    l.stretch = 0.3f;
    check(&l, -0.095f, false, STEPS);
}

// A body that bounces is solved in waves as any other.
static void test_a_long_body_that_bounces(void **state)
{
    (void)state;
    lattice l = long_body();
    l.stiffness = l.stretch = 1.0f;
    check_with(&l, 0.02f, false, 0.5f, STEPS);
}

static void test_others_go_sweep_after_sweep(void **state)
{
    (void)state;
    lattice l = long_body(), compact = lattice_of(14, 14, 14), short_one = lattice_of(9, 4, 4);
    compact.reach = 1.1f;
    check(&l, -100.0f, true, 0); // under another one
    check(&compact, -100.0f, false, 0);
    check(&short_one, -100.0f, false, 0);
}

// Blocks are as far apart as the model says, and in the order of their colours.
static void test_plans(void **state)
{
    (void)state;
    lattice l = long_body();
    pliant_model *model = lattice_model(&l);
    const block_plan *plan = &model->blocks;
    assert_true(plan->count >= 8);
    for (int c = 0; c < plan->colour_count; ++c)
        for (int i = plan->colour_start[c]; i < plan->colour_start[c + 1]; ++i)
            assert_int_equal(plan->colour[plan->order[i]], c);
    int count = model->source.particle_count, reach = 0;
    int *lowest = malloc((size_t)count * sizeof *lowest);
    for (int p = 0; p < count; ++p)
        lowest[p] = -1;
    for (int b = 0; b < plan->count; ++b)
        for (int t = model->group_batches.block_start[b];
             t < model->group_batches.block_start[b + 1]; ++t)
            for (int k = 0; k < model->group_rows[t].count * LANES; ++k) {
                int p = slot_particle(model->slot_offsets, model->group_rows[t].first * LANES + k);
                lowest[p] = lowest[p] < 0 ? b : lowest[p];
                reach = b - lowest[p] > reach ? b - lowest[p] : reach;
            }
    assert_int_equal(plan->reach, reach);
    assert_int_equal(reach, 1);
    free(lowest);
    pliant_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_longer_body_in_parts),
        cmocka_unit_test(test_a_thick_body_in_parts),
        cmocka_unit_test(test_a_long_body_in_the_air),
        cmocka_unit_test(test_a_long_body_on_the_ground),
        cmocka_unit_test(test_a_long_body_that_bounces),
        cmocka_unit_test(test_others_go_sweep_after_sweep),
        cmocka_unit_test(test_plans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
