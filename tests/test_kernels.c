// What the kernels of every instruction set do is what the readable ones do, bit for bit.

#include "test.h"

#include <scenes.h>
#include <stdlib.h>

#include "bodies.h"
#include "reference_kernels.h"

static bool is_dented(const pliant_world *world)
{
    for (int i = 0; i < world->particle_count; ++i)
        if (world->rest_turn[i].w < 0.9999f)
            return true;
    return false;
}

// The state hash after a number of steps with the given kernels.
static uint64_t run_scene(const char *name, const kernels *with, int steps, bool dents)
{
    pliant_error error;
    pliant_scene *scene = scene_entry_find(name)->create(&error);
    pliant_stage stage;
    assert_non_null(scene);
    assert_int_equal(pliant_stage_open(&stage, scene, NULL, &error), PLIANT_OK);
    stage.world->kernels = with;
    for (int i = 0; i < steps; ++i)
        pliant_stage_step(&stage, 1.0f / 60.0f);
    uint64_t hash = pliant_world_hash(stage.world);
    assert_true(is_dented(stage.world) == dents);
    pliant_stage_close(&stage);
    pliant_scene_destroy(scene);
    return hash;
}

static void check_scene(const char *name, int steps, bool dents)
{
    const kernels reference = reference_kernels();
    uint64_t expected = run_scene(name, &reference, steps, dents);
    assert_true(expected != run_scene(name, &reference, steps - 1, dents)); // something moves
    assert_true(expected == run_scene(name, pli_kernels_plain, steps, dents));
    const kernels *best = pli_choose_kernels(PLIANT_INSTRUCTIONS_BEST);
    if (best == pli_kernels_plain)
        print_message("this processor has no other kernels\n");
    else
        assert_true(expected == run_scene(name, best, steps, dents));
}

enum { CRASH_STEPS = 90 };

// Groups, torsion, dents and hinges, distances, free and pinned particles.
static void test_scenes_do_not_depend_on_the_kernels(void **state)
{
    (void)state;
    check_scene("octopus", 6, false);
    check_scene("chain", 40, false);
    check_scene("crash", CRASH_STEPS, true);
    check_scene("curtain", 8, false);
    check_scene("spinner", 40, false);
    check_scene("marbles", 20, false);
}

// A body thrown about: particles at random places and turns, some at one point, spinning fast.
static setup wild_body(const pliant_model *model, const kernels *with)
{
    setup s = {.world_def = pliant_default_world_def(), .body_def = pliant_default_body_def()};
    s.body_def.model = model;
    setup_open(&s);
    s.world->kernels = with;
    uint32_t random = 5;
    int n = pliant_model_particle_count(model);
    for (int i = 0; i < n; ++i) {
        pliant_pose pose = pliant_body_particle_pose(s.world, s.body, i);
        pose.position = vec3_add(pose.position, random_vec3(&random, 0.4f));
        pose.orientation = quat_mul(quat_exp(random_vec3(&random, 3.0f)), pose.orientation);
        if (i % 7 == 1)
            pose.position = pliant_body_particle_pose(s.world, s.body, i - 1).position;
        pliant_body_set_particle_pose(s.world, s.body, i, pose);
        pliant_body_set_particle_velocity(s.world, s.body, i, random_vec3(&random, 5.0f),
                                          random_vec3(&random, 400.0f));
    }
    return s;
}

// Returns how many rotations needed the certain way. Takes the model.
static int check_wild(pliant_model *model)
{
    const kernels reference = reference_kernels();
    const kernels *all[] = {&reference, pli_kernels_plain,
                            pli_choose_kernels(PLIANT_INSTRUCTIONS_BEST)};
    uint64_t hashes[3];
    int rescues[3] = {0};
    for (int k = 0; k < 3; ++k) {
        setup s = wild_body(model, all[k]);
        for (int i = 0; i < 5; ++i) {
            pliant_world_step(s.world, 1.0f / 60.0f);
            rescues[k] += pliant_world_report(s.world).rotation_rescues;
        }
        assert_int_equal(pliant_world_report(s.world).frozen_bodies, 0);
        hashes[k] = pliant_world_hash(s.world);
        pliant_world_destroy(s.world);
    }
    pliant_model_destroy(model);
    for (int k = 1; k < 3; ++k) {
        assert_int_equal(rescues[k], rescues[0]);
        assert_true(hashes[k] == hashes[0]);
    }
    return rescues[0];
}

// Two particles with many neighbours and none in common: the group of one stands beside a shorter one, which has slots
// beyond its own in rows that a batch does not keep.
static pliant_model *two_hubs(void)
{
    const int leaves[2] = {40, 34};
    pliant_builder *builder = pliant_builder_create(NULL);
    uint32_t random = 9;
    for (int hub = 0, count = 0; hub < 2; ++hub) {
        pliant_particle_def def = pliant_default_particle_def();
        def.mass = 0.1f;
        vec3 middle = {2.0f * (float)hub, 0, 0};
        int centre = count;
        for (int i = 0; i <= leaves[hub]; ++i) {
            def.position = i ? vec3_add(middle, random_vec3(&random, 0.5f)) : middle;
            pliant_builder_add_particle(builder, &def);
            pliant_edge_def spoke = {centre, count++, 0.0f, 0.0f, false, 0.0f};
            if (i > 0)
                pliant_builder_add_edge(builder, &spoke);
        }
    }
    pliant_error error = {0};
    pliant_model *model = pliant_builder_build(builder, &error);
    pliant_builder_destroy(builder);
    assert_non_null(model);
    int shared = 0; // batches that are longer than what is kept and have lanes of different length
    for (int t = 0; t < model->group_batches.batch_count; ++t)
        shared += model->group_rows[t].count > 32 && model->group_batches.batches[t].count > 1;
    assert_true(shared > 0);
    return model;
}

static void test_wild_bodies_do_not_depend_on_the_kernels(void **state)
{
    (void)state;
    lattice solid = lattice_of(5, 4, 3), sheet = lattice_of(9, 7, 1), chain = lattice_of(21, 1, 1);
    lattice dense = lattice_of(4, 4, 4), rigid = lattice_of(3, 3, 3), soft = rigid;
    rigid.is_rigid = soft.is_rigid = true;
    rigid.stiffness = 1.0f;
    solid.stretch = 0.5f;
    solid.torsion = 0.3f;
    sheet.stretch = 1.0f;
    sheet.stiffness = 1.0f;
    sheet.pinned_columns = 1;
    chain.torsion = 1.0f;
    chain.stretch = 1.0f;
    dense.reach = 4.0f; // more neighbours than a batch keeps rows of
    assert_true(check_wild(lattice_model(&solid)) > 0);
    check_wild(lattice_model(&sheet));
    check_wild(lattice_model(&chain));
    check_wild(lattice_model(&dense));
    check_wild(lattice_model(&rigid));
    check_wild(lattice_model(&soft));
    check_wild(two_hubs());
    lattice *const shapes[] = {&solid, &sheet, &chain, &dense};
    for (int i = 0; i < 4; ++i) {
        shapes[i]->young_modulus = 1e5f;
        check_wild(lattice_model(shapes[i]));
    }
}

// What is not finite goes from particle to particle: the others go the same way until their body is frozen.
static void test_lost_particles_do_not_depend_on_the_kernels(void **state)
{
    (void)state;
    enum { MOST_PARTICLES = 80 };
    const kernels reference = reference_kernels();
    const kernels *all[] = {&reference, pli_kernels_plain,
                            pli_choose_kernels(PLIANT_INSTRUCTIONS_BEST)};
    lattice solid = lattice_of(5, 4, 3);
    solid.pinned_columns = 1; // so that it does not drift: that would be lost as a whole
    pliant_model *model = lattice_model(&solid);
    int n = pliant_model_particle_count(model), lost = 0, found = 0;
    assert_true(n <= MOST_PARTICLES);
    for (int bad = 0; bad < n; ++bad) {
        vec3 ways[3][MOST_PARTICLES];
        for (int k = 0; k < 3; ++k) {
            setup s = {.world_def = pliant_default_world_def(),
                       .body_def = pliant_default_body_def()};
            s.world_def.substep_length = pliant_substep_length(1);
            s.world_def.iterations = 1 + bad % 4;
            s.body_def.model = model;
            setup_open(&s);
            s.world->kernels = all[k];
            pliant_body_set_particle_velocity(s.world, s.body, bad, (vec3){INFINITY, 1.0f, 0.0f},
                                              (vec3){0, 0, 0});
            pliant_world_step(s.world, 1.0f / 60.0f);
            for (int i = 0; i < n; ++i)
                ways[k][i] = s.world->move[i].way;
            pliant_world_destroy(s.world);
        }
        for (int k = 1; k < 3; ++k)
            for (int i = 0; i < n; ++i) {
                assert_int_equal(vec3_is_finite(ways[k][i]), vec3_is_finite(ways[0][i]));
                if (vec3_is_finite(ways[k][i]))
                    assert_memory_equal(&ways[k][i], &ways[0][i], sizeof ways[k][i]);
                lost += !vec3_is_finite(ways[k][i]);
                found += vec3_is_finite(ways[k][i]);
            }
    }
    assert_true(lost > n && found > n);
    pliant_model_destroy(model);
}

// The worst order of tasks there is: the last first.
static void run_backwards(int count, pliant_task *task, void *context, void *user_data)
{
    int *calls = user_data;
    *calls += 1;
    for (int i = count - 1; i >= 0; --i)
        task(i, context);
}

// A body of several blocks, whose tasks run in another order.
static void test_blocks_run_in_any_order(void **state)
{
    (void)state;
    lattice l = lattice_of(70, 8, 6);
    l.reach = 1.1f;
    l.stretch = 0.3f;
    l.torsion = 0.2f;
    uint64_t hashes[2];
    int calls = 0;
    for (int k = 0; k < 2; ++k) {
        setup s = setup_of(&l);
        s.world_def.gravity = (vec3){0, -9.81f, 0};
        s.world_def.parallel_for = k ? run_backwards : NULL;
        s.world_def.parallel_user_data = &calls;
        setup_open(&s);
        assert_true(s.model->blocks.count > 3);
        pliant_body_apply_particle_impulse(s.world, s.body, 7, (vec3){3, 2, 1});
        for (int i = 0; i < 4; ++i)
            pliant_world_step(s.world, 1.0f / 60.0f);
        hashes[k] = pliant_world_hash(s.world);
        setup_close(&s);
    }
    assert_true(calls > 0);
    assert_true(hashes[0] == hashes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scenes_do_not_depend_on_the_kernels),
        cmocka_unit_test(test_wild_bodies_do_not_depend_on_the_kernels),
        cmocka_unit_test(test_lost_particles_do_not_depend_on_the_kernels),
        cmocka_unit_test(test_blocks_run_in_any_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
