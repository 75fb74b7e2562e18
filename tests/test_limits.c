// Numbers beyond all measure: held at their bounds or refused, and told.

#include "bodies.h"

static const float DT = 1.0f / 60.0f;

static setup open_free(void)
{
    lattice l = lattice_of(2, 2, 2);
    setup s = setup_of(&l);
    setup_open(&s);
    return s;
}

// Forces and impulses of any size: no faster than 10 km/s, where they point to, and told.
static void test_forces_of_any_size(void **state)
{
    (void)state;
    static const float sizes[] = {1e6f, 1e9f, 1e15f, 1e25f, 1e30f, 1e38f};
    for (int way = 0; way < 4; ++way)
        for (int k = 0; k < 6; ++k) {
            setup s = open_free();
            vec3 force = {sizes[k], 0, 0};
            if (way == 0)
                pliant_body_apply_force(s.world, s.body, force);
            else if (way == 1)
                pliant_body_apply_impulse(s.world, s.body, force);
            else
                for (int i = 0; i < 8; ++i) {
                    if (way == 2)
                        pliant_body_apply_particle_force(s.world, s.body, i, force);
                    else
                        pliant_body_apply_particle_impulse(s.world, s.body, i, force);
                }
            pliant_world_step(s.world, DT);
            pliant_report report = pliant_world_report(s.world);
            assert_int_equal(report.limited_bodies, 1);
            assert_int_equal(report.bad_bodies, 0);
            assert_true(all_finite(&s));
            assert_true(fastest(&s) < 1.0001e4);
            assert_true(pliant_body_motion(s.world, s.body).linear_momentum[0] > 0.0);
            pliant_world_step(s.world, DT);
            assert_int_equal(pliant_world_report(s.world).bad_bodies, 0);
            setup_close(&s);
        }
}

static void test_forces_that_are_no_numbers(void **state)
{
    (void)state;
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    for (int k = 0; k < 3; ++k) {
        setup s = open_free();
        vec3 before = position_of(&s, 3);
        pliant_body_apply_force(s.world, s.body, (vec3){0, bad[k], 0});
        pliant_world_step(s.world, DT);
        assert_int_equal(pliant_world_report(s.world).bad_bodies, 1);
        assert_true(pliant_body_is_frozen(s.world, s.body));
        vec3 after = position_of(&s, 3);
        assert_true(after.x == before.x && after.y == before.y && after.z == before.z);
        setup_close(&s);
    }
}

// Set by hand, a speed beyond the bound is held, too.
static void test_speeds_are_held_at_their_bound(void **state)
{
    (void)state;
    setup s = open_free();
    pliant_body_set_velocity(s.world, s.body, (vec3){1e30f, 1e30f, 0}, (vec3){0, 0, 0});
    pliant_world_step(s.world, DT);
    assert_int_equal(pliant_world_report(s.world).limited_bodies, 1);
    pliant_motion motion = pliant_body_motion(s.world, s.body);
    assert_near(motion.linear_momentum[0] / motion.mass, 7071.0, 10.0);
    assert_near(motion.linear_momentum[1] / motion.mass, 7071.0, 10.0);
    // What is slower is not told.
    pliant_body_set_velocity(s.world, s.body, (vec3){5000.0f, 0, 0}, (vec3){0, 0, 0});
    pliant_world_step(s.world, DT);
    assert_int_equal(pliant_world_report(s.world).limited_bodies, 0);
    setup_close(&s);
}

// Who gets beyond the edge of the world stays within.
static void test_the_edge_of_the_world(void **state)
{
    (void)state;
    setup s = open_free();
    pliant_body_reset(s.world, s.body, (pliant_pose){{999990.0f, 0, 0}, {0, 0, 0, 1}});
    pliant_body_set_velocity(s.world, s.body, (vec3){9000.0f, 0, 0}, (vec3){0, 0, 0});
    pliant_world_step(s.world, DT);
    assert_int_equal(pliant_world_report(s.world).bad_bodies, 1);
    assert_true(pliant_body_is_frozen(s.world, s.body));
    assert_true(position_of(&s, 0).x < 1e6f);
    pliant_body_reset(s.world, s.body, (pliant_pose){{0, 0, 0}, {0, 0, 0, 1}});
    assert_false(pliant_body_is_frozen(s.world, s.body));
    setup_close(&s);
}

static void test_places_beyond_it_are_ignored(void **state)
{
    (void)state;
    setup s = open_free();
    uint64_t hash = pliant_world_hash(s.world);
    static const float far[] = {1.1e6f, -1e30f, NAN, INFINITY};
    for (int k = 0; k < 4; ++k) {
        pliant_pose pose = {{0, far[k], 0}, {0, 0, 0, 1}};
        pliant_body_reset(s.world, s.body, pose);
        pliant_body_set_particle_pose(s.world, s.body, 0, pose);
        pliant_world_set_gravity(s.world, pose.position);
    }
    assert_true(pliant_world_hash(s.world) == hash);
    assert_true(pliant_world_gravity(s.world).y == 0.0f);
    setup_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forces_of_any_size),
        cmocka_unit_test(test_forces_that_are_no_numbers),
        cmocka_unit_test(test_speeds_are_held_at_their_bound),
        cmocka_unit_test(test_the_edge_of_the_world),
        cmocka_unit_test(test_places_beyond_it_are_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
