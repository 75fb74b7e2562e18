// Fixed steps for frames of any length, and what is drawn between them.

#include "bodies.h"

#include "world/world.h"

static setup open_falling(void)
{
    lattice l = lattice_of(2, 2, 2);
    l.has_skin = true;
    setup s = setup_of(&l);
    s.world_def.gravity = (vec3){0, -10, 0};
    setup_open(&s);
    pliant_body_set_velocity(s.world, s.body, (vec3){1, 2, 0}, (vec3){0, 3, 1});
    return s;
}

// However the frames are, the same steps are made.
static void test_frames_do_not_matter(void **state)
{
    (void)state;
    uint64_t expected = 0;
    for (int round = 0; round < 5; ++round) {
        setup s = open_falling();
        uint32_t random = 3;
        int steps = 0;
        while (steps < 120) {
            static const float frames[] = {1.0f / 60.0f, 1.0f / 144.0f, 1.0f / 240.0f, 0.05f, 0.0f};
            float dt = round < 4 ? frames[round] : random_between(&random, 1e-4f, 0.04f);
            int left = 120 - steps;
            dt = minimum(dt, (float)left / 60.0f);
            steps += pliant_world_advance(s.world, dt);
        }
        assert_int_equal(steps, 120);
        assert_int_equal(pliant_world_report(s.world).steps, 120);
        assert_near(pliant_world_time(s.world), 2.0, 1e-5);
        // What is left over differs; that aside the worlds are equal.
        s.world->left_over = 0.0;
        uint64_t hash = pliant_world_hash(s.world);
        expected = round == 0 ? hash : expected;
        assert_true(hash == expected);
        setup_close(&s);
    }
}

static void test_frames_that_add_up_to_a_step(void **state)
{
    (void)state;
    for (int parts = 1; parts <= 12; ++parts) {
        setup s = open_falling();
        for (int i = 0; i < 60 * parts; ++i)
            pliant_world_advance(s.world, 1.0f / (60.0f * (float)parts));
        assert_int_equal(pliant_world_report(s.world).steps, 60);
        assert_below(pliant_world_blend(s.world), 0.01);
        setup_close(&s);
    }
}

static void test_a_stall_is_shortened(void **state)
{
    (void)state;
    setup s = open_falling();
    assert_int_equal(pliant_world_advance(s.world, 100.0f), 30);
    assert_near(pliant_world_report(s.world).shortened_by, 99.5, 1e-3);
    assert_int_equal(pliant_world_advance(s.world, NAN), 0);
    assert_int_equal(pliant_world_advance(s.world, -1.0f), 0);
    assert_int_equal(pliant_world_report(s.world).refused_steps, 2);
    assert_int_equal(pliant_world_report(s.world).steps, 30);
    setup_close(&s);
}

// What is drawn moves evenly, frame by frame, though steps come and go.
static void test_what_is_drawn_moves_evenly(void **state)
{
    (void)state;
    setup s = open_falling();
    pliant_world_set_gravity(s.world, (vec3){0, 0, 0});
    pliant_body_set_velocity(s.world, s.body, (vec3){3, 0, 0}, (vec3){0, 0, 0});
    pliant_world_advance(s.world, 1.5f / 60.0f);
    pliant_pose poses[8];
    vec3 positions[8], normals[8];
    pliant_body_poses_between(s.world, s.body, pliant_world_blend(s.world), poses);
    float last = poses[0].position.x;
    for (int i = 0; i < 200; ++i) {
        pliant_world_advance(s.world, 1.0f / 144.0f);
        float blend = pliant_world_blend(s.world);
        assert_true(blend >= 0.0f && blend < 1.0f);
        pliant_body_poses_between(s.world, s.body, blend, poses);
        assert_near(poses[0].position.x - last, 3.0f / 144.0f, 1e-4);
        last = poses[0].position.x;
        for (int mode = 0; mode < 2; ++mode) {
            pliant_body_skin_between(s.world, s.body, (pliant_skin_mode)mode, blend, positions,
                                     normals);
            for (int k = 0; k < 8; ++k) {
                assert_near(positions[k].x, poses[k].position.x, 1e-5);
                assert_near(normals[k].y, 1.0, 1e-5);
            }
        }
    }
    setup_close(&s);
}

// At both ends it is what it was and what it is; turned things stay whole between.
static void test_between_lies_between(void **state)
{
    (void)state;
    setup s = open_falling();
    run(&s, 0.5, 1.0f / 60.0f);
    pliant_pose before[8], after[8], between[8];
    vec3 skin_before[8], skin_after[8], skin_between[8];
    pliant_body_poses(s.world, s.body, before);
    pliant_body_skin(s.world, s.body, PLIANT_SKIN_LINEAR, skin_before, NULL);
    pliant_world_step(s.world, 1.0f / 60.0f);
    pliant_body_poses(s.world, s.body, after);
    pliant_body_skin(s.world, s.body, PLIANT_SKIN_LINEAR, skin_after, NULL);
    for (int e = 0; e <= 2; ++e) {
        float blend = 0.5f * (float)e;
        pliant_body_poses_between(s.world, s.body, blend, between);
        pliant_body_skin_between(s.world, s.body, PLIANT_SKIN_LINEAR, blend, skin_between, NULL);
        for (int k = 0; k < 8; ++k) {
            vec3 way = vec3_sub(after[k].position, before[k].position);
            vec3 there = vec3_add_scaled(before[k].position, way, blend);
            assert_below(vec3_length(vec3_sub(between[k].position, there)), 1e-6);
            assert_near(quat_dot(between[k].orientation, between[k].orientation), 1.0, 1e-5);
            vec3 from = quat_difference(between[k].orientation, before[k].orientation);
            vec3 whole = quat_difference(after[k].orientation, before[k].orientation);
            assert_near(vec3_length(from), blend * vec3_length(whole), 1e-4);
            vec3 skin_way = vec3_sub(skin_after[k], skin_before[k]);
            vec3 skin_there = vec3_add_scaled(skin_before[k], skin_way, blend);
            assert_below(vec3_length(vec3_sub(skin_between[k], skin_there)), 1e-4);
        }
    }
    setup_close(&s);
}

// Who has been placed elsewhere is drawn there, not on the way.
static void test_what_is_placed_is_not_drawn_on_its_way(void **state)
{
    (void)state;
    setup s = open_falling();
    run(&s, 0.1, 1.0f / 60.0f);
    pliant_body_reset(s.world, s.body, (pliant_pose){{100, 0, 0}, {0, 0, 0, 1}});
    pliant_pose poses[8];
    pliant_body_poses_between(s.world, s.body, 0.3f, poses);
    assert_near(poses[0].position.x, 100.0, 1e-6);
    vec3 positions[8];
    pliant_body_skin_between(s.world, s.body, PLIANT_SKIN_LINEAR, 0.3f, positions, NULL);
    assert_near(positions[0].x, 100.0, 1e-4);
    pliant_body_sleep(s.world, s.body);
    pliant_world_step(s.world, 1.0f / 60.0f);
    pliant_body_poses_between(s.world, s.body, 0.3f, poses);
    assert_near(poses[0].position.x, 100.0, 1e-6);
    setup_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames_do_not_matter),
        cmocka_unit_test(test_frames_that_add_up_to_a_step),
        cmocka_unit_test(test_a_stall_is_shortened),
        cmocka_unit_test(test_what_is_drawn_moves_evenly),
        cmocka_unit_test(test_between_lies_between),
        cmocka_unit_test(test_what_is_placed_is_not_drawn_on_its_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
