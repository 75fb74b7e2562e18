// What the kernels of every instruction set do is what the readable ones do, bit for bit.

#include "test.h"

#include <scenes.h>
#include <stdlib.h>

#include "bodies.h"
#include "reference_kernels.h"

// The state hash after a number of steps with the given kernels.
static uint64_t run_scene(const char *name, const kernels *with, int steps)
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
    pliant_stage_close(&stage);
    pliant_scene_destroy(scene);
    return hash;
}

static void check_scene(const char *name, int steps)
{
    const kernels reference = reference_kernels();
    uint64_t expected = run_scene(name, &reference, steps);
    assert_true(expected != run_scene(name, &reference, steps - 1)); // something moves
    assert_true(expected == run_scene(name, pliant_kernels_plain, steps));
    const kernels *best = pliant_choose_kernels(PLIANT_INSTRUCTIONS_BEST);
    if (best == pliant_kernels_plain)
        print_message("this processor has no other kernels\n");
    else
        assert_true(expected == run_scene(name, best, steps));
}

// Groups, torsion, dents and hinges, distances, free and pinned particles.
static void test_scenes_do_not_depend_on_the_kernels(void **state)
{
    (void)state;
    check_scene("octopus", 6);
    check_scene("chain", 40);
    check_scene("crash", 12);
    check_scene("curtain", 8);
    check_scene("spinner", 40);
    check_scene("marbles", 20);
}

// A lattice thrown about: particles at random places and turns, some at one point, spinning fast.
static setup wild_body(const lattice *l, const kernels *with)
{
    setup s = setup_of(l);
    s.world_def.gravity = (vec3){0, -9.81f, 0};
    setup_open(&s);
    s.world->kernels = with;
    uint32_t random = 5;
    int n = pliant_model_particle_count(s.model);
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

// Returns how many rotations needed the certain way.
static int check_wild(const lattice *l)
{
    const kernels reference = reference_kernels();
    const kernels *all[] = {&reference, pliant_kernels_plain,
                            pliant_choose_kernels(PLIANT_INSTRUCTIONS_BEST)};
    uint64_t hashes[3];
    int rescues[3] = {0};
    for (int k = 0; k < 3; ++k) {
        setup s = wild_body(l, all[k]);
        for (int i = 0; i < 5; ++i) {
            pliant_world_step(s.world, 1.0f / 60.0f);
            rescues[k] += pliant_world_report(s.world).rotation_rescues;
        }
        assert_int_equal(pliant_world_report(s.world).frozen_bodies, 0);
        hashes[k] = pliant_world_hash(s.world);
        setup_close(&s);
    }
    for (int k = 1; k < 3; ++k) {
        assert_int_equal(rescues[k], rescues[0]);
        assert_true(hashes[k] == hashes[0]);
    }
    return rescues[0];
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
    assert_true(check_wild(&solid) > 0);
    check_wild(&sheet);
    check_wild(&chain);
    check_wild(&dense);
    check_wild(&rigid);
    check_wild(&soft);
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
        cmocka_unit_test(test_blocks_run_in_any_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
