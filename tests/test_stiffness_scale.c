// The scale of a body's stiffness: it means what the header says, leaves what is rigid and all other bodies alone, and
// gives equal bits on every machine.

#include "bodies.h"
#include "counting.h"

static const float DT = 1.0f / 60.0f;

// A clamped beam with every kind of constraint but rigid ones.
static lattice beam(float stiffness)
{
    lattice l = lattice_of(8, 2, 2);
    l.spacing = 0.1f;
    l.radius = 0.05f;
    l.reach = 1.1f;
    l.pinned_columns = 1;
    l.stiffness = l.stretch = l.torsion = stiffness;
    return l;
}

static setup open_beam(float stiffness, int substeps)
{
    lattice l = beam(stiffness);
    setup s = setup_of(&l);
    s.world_def.gravity = (vec3){0, -3.0f, 0};
    s.world_def.substep_length = pliant_substep_length(substeps);
    s.world_def.sleep_speed = 0.0f;
    s.body_def.linear_damping = s.body_def.angular_damping = 0.99f;
    setup_open(&s);
    return s;
}

// How far the free end hangs below the held one, m.
static double sag(float stiffness, float scale, int substeps)
{
    setup s = open_beam(stiffness, substeps);
    pliant_body_set_stiffness_scale(s.world, s.body, scale);
    run(&s, 6.0, DT);
    assert_true(all_finite(&s));
    double depth = position_of(&s, 0).y - position_of(&s, 7 * 4).y;
    setup_close(&s);
    return depth;
}

static void test_softer_sags_more_and_stiffer_less(void **state)
{
    (void)state;
    static const float scales[] = {0.25f, 0.5f, 1.0f, 2.0f, 8.0f};
    double before = INFINITY;
    for (int i = 0; i < 5; ++i) {
        double depth = sag(0.1f, scales[i], 5);
        assert_below(depth, 0.8 * before);
        assert_true(depth > 0.0);
        before = depth;
    }
}

// 1 - (1 - 1/4)² = 7/16, and so on: numbers that floats hold.
static void test_it_is_a_power_of_what_is_left(void **state)
{
    (void)state;
    static const struct {
        float stiffness, scale, same;
    } cases[] = {{0.25f, 2.0f, 0.4375f}, {0.75f, 0.5f, 0.5f}, {0.4375f, 0.5f, 0.25f}};
    for (int i = 0; i < 3; ++i) {
        setup a = open_beam(cases[i].stiffness, 5), b = open_beam(cases[i].same, 5);
        pliant_body_set_stiffness_scale(a.world, a.body, cases[i].scale);
        for (int step = 0; step < 60; ++step) {
            run(&a, DT, DT);
            run(&b, DT, DT);
            for (int k = 0; k < 8 * 4; ++k)
                assert_below(vec3_length(vec3_sub(position_of(&a, k), position_of(&b, k))), 1e-5);
        }
        setup_close(&a);
        setup_close(&b);
    }
}

static void test_it_means_the_same_for_every_number_of_substeps(void **state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        float scale = k ? 3.0f : 0.3f;
        double few = sag(0.02f, scale, 4), many = sag(0.02f, scale, 16);
        assert_below(fabs(few / many - 1.0), 0.05);
        assert_true(fabs(few / sag(0.02f, 1.0f, 4) - 1.0) > 0.2);
    }
}

// An explicit group, too, of a stiffness below 1.
static void test_explicit_groups_follow(void **state)
{
    (void)state;
    double error[2];
    for (int k = 0; k < 2; ++k) {
        pliant_builder *builder = pliant_builder_create(NULL);
        static const int32_t members[4] = {0, 1, 2, 3};
        for (int i = 0; i < 4; ++i) {
            pliant_particle_def particle = pliant_default_particle_def();
            particle.position = (vec3){(float)(i & 1), (float)(i >> 1), 0.3f * (float)(i == 3)};
            pliant_builder_add_particle(builder, &particle);
        }
        pliant_group_def group = {.members = members, .member_count = 4, .stiffness = 0.1f};
        pliant_builder_add_group(builder, &group);
        lattice any = lattice_of(1, 1, 1);
        setup s = setup_of(&any);
        pliant_model_destroy(s.model);
        s.body_def.model = s.model = pliant_builder_build(builder, NULL);
        pliant_builder_destroy(builder);
        setup_open(&s);
        pliant_body_set_stiffness_scale(s.world, s.body, k ? 4.0f : 0.25f);
        pliant_body_apply_particle_impulse(s.world, s.body, 0, (vec3){1000, 0, 0});
        run(&s, 0.1, DT);
        error[k] = shape_error(&s);
        setup_close(&s);
    }
    assert_below(error[1], 0.5 * error[0]);
}

// What held the particles together is gone: they fly as the impulse sent each of them, but for the angular momentum of their own
// spins, which go on following their neighbours.
static void test_at_zero_it_falls_apart(void **state)
{
    (void)state;
    lattice l = beam(0.5f);
    l.pinned_columns = 0;
    setup s = setup_of(&l);
    setup_open(&s);
    pliant_body_set_stiffness_scale(s.world, s.body, 0.0f);
    for (int i = 0; i < 8 * 4; ++i)
        pliant_body_apply_particle_impulse(s.world, s.body, i, (vec3){0.01f * (float)i, 0.1f, 0});
    for (int step = 0; step < 300; ++step) {
        run(&s, DT, DT);
        assert_true(all_finite(&s));
    }
    assert_int_equal(pliant_world_report(s.world).frozen_bodies, 0);
    for (int i = 0; i < 8 * 4; ++i) {
        vec3 v = pliant_body_particle_velocity(s.world, s.body, i);
        assert_near(v.x, 0.1f * (float)i, 5e-3f);
        assert_near(v.y, 1.0f, 5e-3f);
    }
    // And together again, for those that are not too far.
    pliant_body_reset(s.world, s.body, (pliant_pose){{0, 0, 0}, {0, 0, 0, 1}});
    pliant_body_set_stiffness_scale(s.world, s.body, 1.0f);
    pliant_body_apply_particle_impulse(s.world, s.body, 0, (vec3){0.1f, 0, 0});
    run(&s, 3.0, DT);
    assert_below(shape_error(&s), 0.1);
    setup_close(&s);
}

// The hash of a body that spins, is hit and falls; `scale` < 0: it is never set.
static uint64_t tumble(const lattice *l, float scale, const pliant_world_def *settings)
{
    setup s = setup_of(l);
    if (settings)
        s.world_def = *settings;
    s.world_def.gravity = (vec3){0, -9.81f, 0};
    s.body_def.angular_velocity = (vec3){1, 2, 3};
    setup_open(&s);
    pliant_plane_def ground = pliant_default_plane_def();
    ground.offset = -0.2f;
    pliant_world_add_plane(s.world, &ground, NULL);
    if (scale >= 0.0f)
        pliant_body_set_stiffness_scale(s.world, s.body, scale);
    pliant_body_apply_particle_impulse(s.world, s.body, 1, (vec3){0.1f, 0.2f, 0.3f});
    int contacts = 0;
    for (int i = 0; i < 30; ++i) {
        pliant_world_step(s.world, DT);
        contacts += pliant_world_report(s.world).contacts;
    }
    assert_true(contacts > 0);
    uint64_t hash = pliant_world_hash(s.world);
    setup_close(&s);
    return hash;
}

static void test_rigid_bodies_do_not_notice(void **state)
{
    (void)state;
    lattice group = lattice_of(3, 2, 2), edges = lattice_of(3, 2, 2);
    group.is_rigid = true;
    group.stiffness = group.stretch = group.torsion = 1.0f;
    edges.stiffness = edges.stretch = edges.torsion = 1.0f;
    for (int k = 0; k < 2; ++k) {
        const lattice *l = k ? &edges : &group;
        uint64_t expected = tumble(l, -1.0f, NULL);
        assert_int_equal(tumble(l, 0.0f, NULL), expected);
        assert_int_equal(tumble(l, 0.3f, NULL), expected);
        assert_int_equal(tumble(l, 1000.0f, NULL), expected);
    }
}

// What is out of range is taken to its end, as of all such settings.
static void test_one_is_what_it_was_and_ranges_hold(void **state)
{
    (void)state;
    lattice l = lattice_of(4, 2, 2);
    uint64_t expected = tumble(&l, -1.0f, NULL), most = tumble(&l, 1000.0f, NULL);
    assert_int_equal(tumble(&l, 1.0f, NULL), expected);
    assert_int_not_equal(tumble(&l, 0.9f, NULL), expected);
    assert_int_not_equal(most, expected);
    assert_int_equal(tumble(&l, 1e30f, NULL), most);
    assert_int_equal(tumble(&l, INFINITY, NULL), most);
    setup s = setup_of(&l);
    setup_open(&s);
    pliant_body_set_stiffness_scale(s.world, s.body, NAN);
    pliant_body_set_stiffness_scale(s.world, s.body, -1.0f);
    run(&s, 0.5, DT);
    assert_true(all_finite(&s));
    setup_close(&s);
}

static void test_another_body_does_not_notice(void **state)
{
    (void)state;
    lattice l = lattice_of(4, 2, 2);
    vec3 ends[2];
    for (int k = 0; k < 2; ++k) {
        setup s = setup_of(&l);
        s.world_def.gravity = (vec3){0, -9.81f, 0};
        setup_open(&s);
        pliant_body_def def = s.body_def;
        def.position.x = 10.0f;
        pliant_body_id other = pliant_world_add_body(s.world, &def, NULL);
        pliant_body_apply_particle_impulse(s.world, other, 0, (vec3){1, 0, 0});
        run(&s, 0.1, DT);
        pliant_body_set_stiffness_scale(s.world, s.body, k ? 0.1f : 10.0f);
        run(&s, 0.5, DT);
        ends[k] = pliant_body_particle_pose(s.world, other, 5).position;
        setup_close(&s);
    }
    assert_memory_equal(&ends[0], &ends[1], sizeof ends[0]);
}

// Small and large bodies, on one thread (where large ones go in a wave) and on three, with every instruction set.
static void test_it_gives_equal_bits_everywhere(void **state)
{
    (void)state;
    pliant_pool *pool = pliant_pool_create(3, NULL, NULL);
    assert_non_null(pool);
    for (int size = 0; size < 2; ++size) {
        lattice l = size ? lattice_of(60, 5, 5) : lattice_of(4, 2, 2);
        l.reach = 1.1f;
        l.stretch = l.torsion = 0.3f;
        pliant_world_def settings = pliant_default_world_def();
        settings.substep_length = pliant_substep_length(size ? 2 : 5);
        uint64_t expected = tumble(&l, 0.37f, &settings);
        assert_int_not_equal(tumble(&l, 1.0f, &settings), expected);
        for (int k = 1; k < 4; ++k) {
            pliant_world_def other = settings;
            if (k & 1)
                other.instructions = PLIANT_INSTRUCTIONS_PORTABLE;
            if (k & 2) {
                other.parallel_for = pliant_pool_run;
                other.parallel_user_data = pool;
            }
            assert_int_equal(tumble(&l, 0.37f, &other), expected);
        }
    }
    pliant_pool_destroy(pool);
}

static void test_a_snapshot_keeps_it(void **state)
{
    (void)state;
    setup s = open_beam(0.1f, 5);
    pliant_body_set_stiffness_scale(s.world, s.body, 0.2f);
    run(&s, 0.2, DT);
    size_t size = pliant_world_snapshot_size(s.world);
    void *picture = malloc(size);
    pliant_world_snapshot(s.world, picture);
    run(&s, 0.2, DT);
    uint64_t expected = pliant_world_hash(s.world);
    pliant_body_set_stiffness_scale(s.world, s.body, 5.0f);
    run(&s, 0.2, DT);
    assert_int_equal(pliant_world_restore(s.world, picture, size, NULL), PLIANT_OK);
    run(&s, 0.2, DT);
    assert_int_equal(pliant_world_hash(s.world), expected);
    free(picture);
    setup_close(&s);
}

static void test_it_allocates_nothing(void **state)
{
    (void)state;
    counting count = {0};
    lattice l = beam(0.1f);
    setup s = setup_of(&l);
    s.world_def.allocator = counting_allocator(&count);
    setup_open(&s);
    run(&s, 0.1, DT);
    int before = count.calls;
    for (int i = 0; i < 30; ++i) {
        pliant_body_set_stiffness_scale(s.world, s.body, 0.1f * (float)i);
        run(&s, DT, DT);
    }
    assert_int_equal(count.calls, before);
    setup_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_softer_sags_more_and_stiffer_less),
        cmocka_unit_test(test_it_is_a_power_of_what_is_left),
        cmocka_unit_test(test_it_means_the_same_for_every_number_of_substeps),
        cmocka_unit_test(test_explicit_groups_follow),
        cmocka_unit_test(test_at_zero_it_falls_apart),
        cmocka_unit_test(test_rigid_bodies_do_not_notice),
        cmocka_unit_test(test_one_is_what_it_was_and_ranges_hold),
        cmocka_unit_test(test_another_body_does_not_notice),
        cmocka_unit_test(test_it_gives_equal_bits_everywhere),
        cmocka_unit_test(test_a_snapshot_keeps_it),
        cmocka_unit_test(test_it_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
