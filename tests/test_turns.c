// Explicit groups and attachments that share no particle are solved side by side, to the bits of one after another.

#include "bodies.h"

#include "model/turns.h"

enum { BALLS = 900, STEPS = 20 };

typedef void run_tasks(int count, pliant_task *task, void *context, void *user_data);

static int most_tasks;

static void run_forwards(int count, pliant_task *task, void *context, void *user_data)
{
    (void)user_data;
    most_tasks = count > most_tasks ? count : most_tasks;
    for (int i = 0; i < count; ++i)
        task(i, context);
}

static void run_backwards(int count, pliant_task *task, void *context, void *user_data)
{
    (void)user_data;
    for (int i = count - 1; i >= 0; --i)
        task(i, context);
}

static pliant_world *open_world(run_tasks *tasks)
{
    pliant_world_def def = pliant_default_world_def();
    def.parallel_for = tasks;
    pliant_world *world = pliant_world_create(&def, NULL);
    assert_non_null(world);
    return world;
}

static pliant_body_id add_body(pliant_world *world, const pliant_model *model, vec3 position)
{
    pliant_body_def def = pliant_default_body_def();
    def.model = model;
    def.position = position;
    pliant_body_id id = pliant_world_add_body(world, &def, NULL);
    assert_true(pliant_body_is_valid(world, id));
    return id;
}

// ---------------------------------------------------------------------------------------------
// The order

static void test_turns_follow_each_other(void **state)
{
    (void)state;
    enum { CONSTRAINTS = 400, PARTICLES = 90 };
    static int particles[CONSTRAINTS][2], place[CONSTRAINTS];
    int32_t next[PARTICLES] = {0};
    pliant_allocator allocator = pli_allocator_or_default(NULL);
    turn_plan plan = {0};
    assert_true(pli_turns_reserve(&plan, CONSTRAINTS, &allocator));
    srand(7);
    int missing = 0;
    for (int i = 0; i < CONSTRAINTS; ++i) {
        int a = particles[i][0] = rand() % PARTICLES, b = particles[i][1] = rand() % PARTICLES;
        plan.turn[i] = i % 7 == 0 ? NO_TURN : next[a] > next[b] ? next[a] : next[b];
        missing += i % 7 == 0;
        if (plan.turn[i] != NO_TURN)
            next[a] = next[b] = plan.turn[i] + 1;
    }
    pli_turns_sort(&plan, CONSTRAINTS);
    assert_int_equal(plan.first[0], 0);
    assert_int_equal(plan.first[plan.turn_count], CONSTRAINTS - missing);
    for (int t = 0; t < plan.turn_count; ++t) {
        bool is_used[PARTICLES] = {0};
        for (int k = plan.first[t]; k < plan.first[t + 1]; ++k) {
            int i = plan.order[k], a = particles[i][0], b = particles[i][1];
            assert_int_equal(plan.turn[i], t);
            assert_true(k == plan.first[t] || plan.order[k - 1] < i);
            assert_false(is_used[a] || is_used[b]);
            is_used[a] = is_used[b] = true;
            place[i] = k;
        }
    }
    for (int i = 0; i < CONSTRAINTS; ++i)
        for (int j = 0; j < i; ++j) {
            bool meet = particles[i][0] == particles[j][0] || particles[i][0] == particles[j][1] ||
                        particles[i][1] == particles[j][0] || particles[i][1] == particles[j][1];
            if (meet && plan.turn[i] != NO_TURN && plan.turn[j] != NO_TURN)
                assert_true(place[j] < place[i]);
        }
    pli_turns_free(&plan, &allocator);
}

static void test_no_constraints_have_no_turns(void **state)
{
    (void)state;
    turn_plan plan = {0};
    pli_turns_sort(&plan, 0);
    assert_int_equal(plan.turn_count, 0);
}

// ---------------------------------------------------------------------------------------------
// Groups: a belt of 1,600 particles, in which each group of three shares its ends with its neighbours, and crosses

static pliant_model *belt_model(void)
{
    enum { PARTICLES = 1601 };
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_particle_def particle = pliant_default_particle_def();
    for (int i = 0; i < PARTICLES; ++i) {
        particle.position = (vec3){0.1f * (float)i, 0.02f * (float)(i % 3), 0.0f};
        particle.flags = i == 0 ? PLIANT_PARTICLE_PINNED : 0;
        pliant_builder_add_particle(builder, &particle);
    }
    for (int i = 0; i + 2 < PARTICLES; i += 2) {
        int32_t members[3] = {i, i + 1, i + 2};
        pliant_builder_add_group(
            builder, &(pliant_group_def){.members = members, .member_count = 3, .stiffness = 0.9f});
    }
    pliant_error error = {0};
    pliant_model *model = pliant_builder_build(builder, &error);
    pliant_builder_destroy(builder);
    if (!model)
        fail_msg("%s: %s", error.place, error.message);
    return model;
}

static uint64_t swing(const pliant_model *model, run_tasks *tasks)
{
    pliant_world *world = open_world(tasks);
    pliant_body_id id = add_body(world, model, (vec3){0, 0, 0});
    for (int i = 0; i < STEPS; ++i)
        pliant_world_step(world, 1.0f / 60.0f);
    assert_true(pliant_body_particle_pose(world, id, 1000).position.y < -0.1f);
    uint64_t hash = pliant_world_hash(world);
    pliant_world_destroy(world);
    return hash;
}

static void test_groups_of_a_large_body(void **state)
{
    (void)state;
    pliant_model *model = belt_model();
    uint64_t alone = swing(model, NULL);
    most_tasks = 0;
    assert_true(swing(model, run_forwards) == alone);
    assert_true(most_tasks >= 800);
    assert_true(swing(model, run_backwards) == alone);
    pliant_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------
// Attachments: balls in a row, each hung on the one before and every third on a point

static uint64_t hang_balls(run_tasks *tasks)
{
    lattice ball = lattice_of(1, 1, 1);
    pliant_model *model = lattice_model(&ball);
    pliant_world *world = open_world(tasks);
    static pliant_body_id ids[BALLS];
    for (int i = 0; i < BALLS; ++i)
        ids[i] = add_body(world, model, (vec3){0.3f * (float)i, 0.1f * (float)(i % 5), 0});
    for (int i = 0; i < BALLS; ++i) {
        pliant_attachment_def def = pliant_default_attachment_def();
        def.body = ids[i];
        def.anchor = (vec3){0.3f * (float)i, 2.0f, 0};
        def.stiffness = 0.7f;
        if (i % 3 == 0)
            pliant_world_add_attachment(world, &def, NULL);
        if (i == 0)
            continue;
        def.other_body = ids[i - 1];
        pliant_attachment_id id = pliant_world_add_attachment(world, &def, NULL);
        assert_true(pliant_attachment_is_valid(world, id));
    }
    for (int i = 0; i < STEPS; ++i)
        pliant_world_step(world, 1.0f / 60.0f);
    uint64_t hash = pliant_world_hash(world);
    pliant_world_destroy(world);
    pliant_model_destroy(model);
    return hash;
}

static void test_attachments(void **state)
{
    (void)state;
    uint64_t alone = hang_balls(NULL);
    assert_true(hang_balls(run_forwards) == alone);
    assert_true(hang_balls(run_backwards) == alone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turns_follow_each_other),
        cmocka_unit_test(test_no_constraints_have_no_turns),
        cmocka_unit_test(test_groups_of_a_large_body),
        cmocka_unit_test(test_attachments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
