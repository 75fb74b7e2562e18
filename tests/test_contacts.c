// Planes: resting, sliding, rolling, bouncing, being stuck inside.

#include "bodies.h"

static void add_plane(setup *s, vec3 normal, float friction, float restitution)
{
    pliant_plane_def plane = pliant_default_plane_def();
    plane.normal = normal;
    plane.friction = friction;
    plane.restitution = restitution;
    pliant_collider_id id = pliant_world_add_plane(s->world, &plane, NULL);
    assert_true(pliant_collider_is_valid(s->world, id));
}

// One particle with the given radii, gravity on.
static setup particle_setup(vec3 radii)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_particle_def def = pliant_default_particle_def();
    def.radii = radii;
    pliant_builder_add_particle(builder, &def);
    setup s = {.model = pliant_builder_build(builder, NULL),
               .world_def = pliant_default_world_def(),
               .body_def = pliant_default_body_def()};
    pliant_builder_destroy(builder);
    s.body_def.model = s.model;
    s.body_def.linear_damping = s.body_def.angular_damping = 0.0f;
    return s;
}

// ---------------------------------------------------------------------------------------------

static void test_ellipsoid_rests_on_its_support_point(void **state)
{
    (void)state;
    setup s = particle_setup((vec3){0.3f, 0.1f, 0.2f});
    s.body_def.position = (vec3){0, 0.5f, 0};
    s.world_def.sleep_speed = 0.0f;
    setup_open(&s);
    add_plane(&s, (vec3){0, 1, 0}, 0.5f, 0.0f);
    run(&s, 3.0, 1.0f / 60.0f);
    assert_near(position_of(&s, 0).y, 0.1, 1e-4); // flat on its shortest axis
    assert_below(vec3_length(pliant_body_particle_velocity(s.world, s.body, 0)), 1e-3);
    assert_int_equal(pliant_world_report(s.world).contacts, 1);
    setup_close(&s);
}

// Dropped standing on end, a touch off balance, it falls over: contacts have a lever arm.
static void test_standing_ellipsoid_falls_over(void **state)
{
    (void)state;
    setup s = particle_setup((vec3){0.1f, 0.3f, 0.1f});
    s.body_def.position = (vec3){0, 0.3f, 0};
    s.body_def.orientation = quat_exp((vec3){0.05f, 0, 0});
    s.body_def.linear_damping = s.body_def.angular_damping = 0.5f;
    setup_open(&s);
    add_plane(&s, (vec3){0, 1, 0}, 0.8f, 0.0f);
    run(&s, 8.0, 1.0f / 60.0f);
    assert_below(position_of(&s, 0).y, 0.15);
    setup_close(&s);
}

// Nothing sinks in, at rest or on impact: soft, rigid, single.
static void test_nothing_stays_below_the_plane(void **state)
{
    (void)state;
    for (int rigid = 0; rigid < 2; ++rigid) {
        lattice l = lattice_of(4, 2, 3);
        l.is_rigid = rigid;
        l.stiffness = 0.3f;
        setup s = setup_of(&l);
        s.world_def.gravity = (vec3){0, -9.81f, 0};
        s.body_def.position = (vec3){0, 0.8f, 0};
        s.body_def.orientation = quat_exp((vec3){0.4f, 0.2f, 0.5f});
        s.body_def.linear_velocity = (vec3){1, -5, 0};
        setup_open(&s);
        add_plane(&s, (vec3){0, 1, 0}, 0.5f, 0.0f);
        for (int i = 0; i < 600; ++i) {
            pliant_world_step(s.world, 1.0f / 60.0f);
            for (int p = 0; p < pliant_model_particle_count(s.model); ++p)
                assert_true(position_of(&s, p).y > 0.1f - 1e-4f);
        }
        assert_below(pliant_body_motion(s.world, s.body).kinetic_energy, 1e-4);
        setup_close(&s);
    }
}

// A rigid block on a slope: slides above the angle of friction, sticks below it, without creep.
static double slide_on_slope(double angle, float friction)
{
    lattice l = lattice_of(4, 1, 4);
    l.is_rigid = true;
    setup s = setup_of(&l);
    vec3 normal = {(float)sin(angle), (float)cos(angle), 0};
    s.world_def.gravity = (vec3){0, -9.81f, 0};
    s.body_def.orientation = quat_exp((vec3){0, 0, -(float)angle});
    s.body_def.position = vec3_scale(normal, 0.1f);
    s.body_def.friction = friction;
    setup_open(&s);
    add_plane(&s, normal, friction, 0.0f);
    run(&s, 1.0, 1.0f / 60.0f); // settle
    vec3 before = position_of(&s, 5);
    run(&s, 2.0, 1.0f / 60.0f);
    double moved = vec3_length(vec3_sub(position_of(&s, 5), before));
    setup_close(&s);
    return moved;
}

static void test_slope_holds_up_to_the_friction_angle(void **state)
{
    (void)state;
    double angle = atan(0.4), degree = 3.14159265 / 180.0;
    assert_below(slide_on_slope(angle - 1.0 * degree, 0.4f), 1e-3);
    assert_true(slide_on_slope(angle + 1.0 * degree, 0.4f) > 0.1);
    assert_true(slide_on_slope(angle, 0.0f) > 1.0);
}

// v² = 2 μ g d for a sliding body, whatever the time step.
static void test_sliding_distance(void **state)
{
    (void)state;
    for (int k = 0; k < 3; ++k) {
        lattice l = lattice_of(4, 1, 4);
        l.is_rigid = true;
        setup s = setup_of(&l);
        s.world_def.gravity = (vec3){0, -9.81f, 0};
        s.body_def.position = (vec3){0, 0.1f, 0};
        s.body_def.linear_velocity = (vec3){2, 0, 0};
        s.body_def.friction = 0.3f;
        setup_open(&s);
        add_plane(&s, (vec3){0, 1, 0}, 0.3f, 0.0f);
        run(&s, 3.0, 1.0f / (30.0f * (float)(1 << k)));
        assert_near(position_of(&s, 0).x, 4.0 / (2.0 * 0.3 * 9.81), 0.05);
        setup_close(&s);
    }
}

// A ball thrown sliding ends rolling with 5/7 of its speed, and then keeps it.
static void test_ball_rolls_without_slip(void **state)
{
    (void)state;
    setup s = particle_setup((vec3){0.2f, 0.2f, 0.2f});
    s.body_def.position = (vec3){0, 0.2f, 0};
    s.body_def.linear_velocity = (vec3){3.5f, 0, 0};
    setup_open(&s);
    add_plane(&s, (vec3){0, 1, 0}, 0.5f, 0.0f);
    double energy = pliant_body_motion(s.world, s.body).kinetic_energy;
    for (int i = 0; i < 300; ++i) {
        pliant_world_step(s.world, 1.0f / 60.0f);
        double now = pliant_body_motion(s.world, s.body).kinetic_energy;
        assert_true(now <= energy * (1.0 + 1e-4));
        energy = now;
    }
    vec3 v = pliant_body_particle_velocity(s.world, s.body, 0);
    vec3 spin = pliant_body_particle_spin(s.world, s.body, 0);
    assert_near(v.x, 2.5, 0.03);
    assert_near(v.x + 0.2f * spin.z, 0.0, 1e-3); // no slip at the contact
    run(&s, 5.0, 1.0f / 60.0f);
    assert_near(pliant_body_particle_velocity(s.world, s.body, 0).x, v.x, 1e-2);
    setup_close(&s);
}

// The height of a bounce is e² of the fall, whatever the step.
static void test_bounce_height(void **state)
{
    (void)state;
    static const float steps[] = {1.0f / 30.0f, 1.0f / 60.0f, 1.0f / 120.0f};
    static const int substeps[] = {1, 5, 20};
    static const float restitutions[] = {0.0f, 0.5f, 1.0f};
    for (int k = 0; k < 3; ++k) {
        for (int e = 0; e < 3; ++e) {
            setup s = particle_setup((vec3){0.1f, 0.1f, 0.1f});
            s.world_def.substep_length = pliant_substep_length(substeps[(k + e) % 3]);
            s.body_def.position = (vec3){0, 2.1f, 0};
            setup_open(&s);
            add_plane(&s, (vec3){0, 1, 0}, 0.5f, restitutions[e]);
            float top = 0;
            bool has_hit = false;
            for (double t = 0; t < 1.8; t += steps[k]) {
                pliant_world_step(s.world, steps[k]);
                float v = pliant_body_particle_velocity(s.world, s.body, 0).y;
                has_hit = has_hit || v > 0.0f || position_of(&s, 0).y < 0.105f;
                if (has_hit)
                    top = maximum(top, position_of(&s, 0).y - 0.1f);
            }
            double expected = 2.0 * restitutions[e] * restitutions[e];
            assert_near(top, expected, 0.03);
            setup_close(&s);
        }
    }
}

// The same for bodies of many particles, whatever the substeps and iterations.
static void test_bodies_bounce_as_particles_do(void **state)
{
    (void)state;
    static const int qualities[][2] = {{5, 2}, {1, 2}, {1, 10}, {20, 1}, {10, 5}};
    for (int rigid = 0; rigid < 2; ++rigid) {
        for (int q = 0; q < 5; ++q) {
            lattice l = lattice_of(3, 3, 3);
            l.is_rigid = rigid;
            l.stiffness = 1.0f;
            setup s = setup_of(&l);
            s.world_def.gravity = (vec3){0, -9.81f, 0};
            s.world_def.substep_length = pliant_substep_length(qualities[q][0]);
            s.world_def.iterations = qualities[q][1];
            s.body_def.position = (vec3){0, 2.1f, 0};
            s.body_def.restitution = 0.8f;
            s.body_def.friction = 0.0f;
            setup_open(&s);
            add_plane(&s, (vec3){0, 1, 0}, 0.0f, 0.0f);
            double top = 0;
            for (int i = 0; i < 80;
                 ++i) { // the top of the first bounce is after 1.15 s or a little later
                pliant_world_step(s.world, 1.0f / 60.0f);
                double height = pliant_body_motion(s.world, s.body).centre[1] - 0.3;
                if (i > 42)
                    top = fmax(top, height);
            }
            assert_near(top, 0.64 * 2.0, 0.03);
            setup_close(&s);
        }
    }
}

// Started half inside the ground, a body comes out but is not shot out.
static void test_overlap_is_pushed_out_gently(void **state)
{
    (void)state;
    for (int rigid = 0; rigid < 2; ++rigid) {
        lattice l = lattice_of(3, 3, 3);
        l.is_rigid = rigid;
        l.stiffness = 0.9f;
        setup s = setup_of(&l);
        s.world_def.gravity = (vec3){0, -9.81f, 0};
        s.body_def.position = (vec3){0, -0.2f, 0};
        setup_open(&s);
        add_plane(&s, (vec3){0, 1, 0}, 0.5f, 0.0f);
        float top = 0;
        for (int i = 0; i < 180; ++i) {
            pliant_world_step(s.world, 1.0f / 60.0f);
            for (int p = 0; p < 27; ++p)
                top = maximum(top, position_of(&s, p).y);
        }
        assert_below(top, 1.0); // its top at rest is 0.5 m
        for (int p = 0; p < 27; ++p)
            assert_true(position_of(&s, p).y > 0.1f - 1e-4f);
        setup_close(&s);
    }
}

// Elongated particles that bounce on a plane: the blow turns them, but adds no energy (e = 1). Measured:
// 0.82 of it is left on average for 2:1 ellipsoids, at most 1.07.
static void test_bouncing_ellipsoids_gain_no_energy(void **state)
{
    (void)state;
    uint32_t random = 5;
    double mean = 0.0, worst = 0.0;
    enum { ROUNDS = 200 };
    for (int round = 0; round < ROUNDS; ++round) {
        setup s = particle_setup((vec3){0.2f, 0.1f, 0.1f});
        s.world_def.gravity = (vec3){0, 0, 0};
        s.body_def.gyroscopic = true;
        s.body_def.position.y = 0.6f;
        s.body_def.orientation = random_quat(&random);
        s.body_def.linear_velocity = (vec3){random_between(&random, -1.0f, 1.0f), -8.0f, 0.0f};
        s.body_def.angular_velocity = random_vec3(&random, 5.0f);
        s.body_def.friction = 0.0f;
        setup_open(&s);
        add_plane(&s, (vec3){0, 1, 0}, 0.0f, 1.0f);
        double before = pliant_body_motion(s.world, s.body).kinetic_energy;
        run(&s, 0.5, 1.0f / 60.0f);
        pliant_motion after = pliant_body_motion(s.world, s.body);
        assert_true(after.linear_momentum[1] > 0.0);
        worst = fmax(worst, after.kinetic_energy / before);
        mean += after.kinetic_energy / before / ROUNDS;
        setup_close(&s);
    }
    print_message("energy left: mean %.3f, most %.3f\n", mean, worst);
    assert_below(worst, 1.1);
    assert_true(mean > 0.8 && mean < 1.0);
}

// A particle thin as paper, or as a needle, is as finite as any other.
static void test_thin_particles_stay_finite(void **state)
{
    (void)state;
    static const vec3 shapes[] = {
        {1e-4f, 1, 1}, {1e-4f, 1e-4f, 1}, {1e-5f, 1, 1}, {1, 1e-5f, 1e-3f}};
    uint32_t random = 77;
    for (int i = 0; i < 60; ++i) {
        setup s = particle_setup(shapes[i % 4]);
        s.body_def.position = (vec3){0, 1.2f, 0};
        s.body_def.orientation = random_quat(&random);
        setup_open(&s);
        add_plane(&s, (vec3){0, 1, 0}, 0.5f, 0.3f);
        run(&s, 1.0, 1.0f / 60.0f);
        assert_int_equal(pliant_world_report(s.world).frozen_bodies, 0);
        assert_true(position_of(&s, 0).y > -1e-2f && position_of(&s, 0).y < 2.0f);
        setup_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ellipsoid_rests_on_its_support_point),
        cmocka_unit_test(test_standing_ellipsoid_falls_over),
        cmocka_unit_test(test_nothing_stays_below_the_plane),
        cmocka_unit_test(test_slope_holds_up_to_the_friction_angle),
        cmocka_unit_test(test_sliding_distance),
        cmocka_unit_test(test_ball_rolls_without_slip),
        cmocka_unit_test(test_bounce_height),
        cmocka_unit_test(test_bodies_bounce_as_particles_do),
        cmocka_unit_test(test_bouncing_ellipsoids_gain_no_energy),
        cmocka_unit_test(test_thin_particles_stay_finite),
        cmocka_unit_test(test_overlap_is_pushed_out_gently),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
