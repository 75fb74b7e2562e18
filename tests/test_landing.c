// Bounces of bodies that give way: on colliders and on each other.

#include "blocks.h"

// m that a block rises from its lowest place, after it fell from 1.75 m above the ground.
static double rebound(pliant_model *model, float restitution, float substep_length, float dt)
{
    setup s = {.model = model,
               .world_def = pliant_default_world_def(),
               .body_def = pliant_default_body_def()};
    s.world_def.substep_length = substep_length;
    s.body_def.model = model;
    s.body_def.position.y = 2.0f;
    s.body_def.restitution = restitution;
    setup_open(&s);
    pliant_plane_def ground = pliant_default_plane_def();
    pliant_world_add_plane(s.world, &ground, NULL);
    double low = 9.0, high = 0.0;
    bool rises = false;
    for (double t = 0; t < 2.5; t += (double)dt) {
        pliant_world_step(s.world, dt);
        double y = pliant_body_motion(s.world, s.body).centre[1];
        if (!rises && y > low + 1e-4) {
            rises = true;
            high = y;
        }
        low = rises ? low : fmin(low, y);
        if (rises && y < high - 1e-4)
            break;
        high = fmax(high, y);
    }
    pliant_world_destroy(s.world);
    return rises ? high - low : 0.0;
}

static const float stiffnesses[] = {0.1f, 0.3f, 0.7f, 1.0f};
static const float length = 1.0f / 300.0f;

// At one length of substeps the rebound is the same for every dt, …
static void test_the_rebound_does_not_depend_on_the_step(void **state)
{
    (void)state;
    static const float rates[] = {300, 3000, 600, 400, 310, 200, 120, 75, 60, 37, 30};
    for (int k = 0; k < 4; ++k) {
        pliant_model *model = block_model(stiffnesses[k], false);
        for (int e = 0; e <= 4; e += FULL_LENGTH ? 1 : 4) {
            float restitution = 0.25f * (float)e;
            double first = rebound(model, restitution, length, 1.0f / rates[0]);
            for (int i = 1; i < (FULL_LENGTH ? 11 : 3); ++i) {
                double now = rebound(model, restitution, length, 1.0f / rates[i]);
                if (fabs(now - first) > 0.1 * first + 0.05)
                    fail_msg("stiffness %g, restitution %g: %g m with steps of 1/300 s, %g m with "
                             "1/%g s",
                             (double)stiffnesses[k], (double)restitution, first, now,
                             (double)rates[i]);
            }
        }
        pliant_model_destroy(model);
    }
}

// … restitution raises it, to e² of the fall or what the body's own elasticity gives, and never above the fall.
static void test_restitution_acts_on_top_of_elasticity(void **state)
{
    (void)state;
    for (int k = 0; k < 4; ++k) {
        pliant_model *model = block_model(stiffnesses[k], false);
        double last = 0.0, own = 0.0;
        for (int e = 0; e <= 10; e += FULL_LENGTH ? 1 : 5) {
            float restitution = 0.1f * (float)e;
            double now = rebound(model, restitution, length, 1.0f / 60.0f);
            double asked = (double)(restitution * restitution) * 1.75;
            own = e == 0 ? now : own;
            print_message("stiffness %g, restitution %.1f: %.3f m\n", (double)stiffnesses[k],
                          (double)restitution, now);
            assert_true(now > last - 0.005);
            assert_true(now >
                        0.9 * fmax(asked, own) - 0.01); // at e = 1 its own swinging has a part
            assert_true(now < fmax(asked, own) * 1.1 + 0.02);
            last = now;
        }
        pliant_model_destroy(model);
    }
}

// Substeps that are shorter damp less: what a soft body gives back by itself approaches a value.
static void test_shorter_substeps_approach_what_is_given_back(void **state)
{
    (void)state;
    pliant_model *model = block_model(0.3f, false);
    double last = 0.0;
    for (int substeps = 5; substeps <= (FULL_LENGTH ? 160 : 20); substeps *= 2) {
        double now = rebound(model, 0.0f, pliant_substep_length((float)substeps), 1.0f / 60.0f);
        print_message("%d substeps: %.3f m\n", substeps, now);
        assert_true(now > last);
        last = now;
    }
    assert_true(last < 1.75);
    pliant_model_destroy(model);
}

// Two blocks that hit each other part at e times the speed at which they came, or at what their own elasticity gives;
// momentum stays, seen from anywhere.
static void test_bodies_bounce_off_each_other(void **state)
{
    (void)state;
    static const float rates[] = {60, 300, 400, 3000};
    for (int k = 0; k < 4; ++k)
        for (int moving = 0; moving < 2; ++moving)
            for (int i = 0; i < (FULL_LENGTH ? 4 : 1); ++i) {
                pliant_model *model = block_model(stiffnesses[k], false);
                double last = 0.0;
                for (int e = 0; e <= 4; ++e) {
                    pliant_world_def world_def = pliant_default_world_def();
                    world_def.gravity = (vec3){0, 0, 0};
                    pliant_world *world = pliant_world_create(&world_def, NULL);
                    pliant_body_def def = pliant_default_body_def();
                    pliant_body_id bodies[2];
                    def.model = model;
                    def.linear_damping = def.angular_damping = 0.0f;
                    def.restitution = 0.25f * (float)e;
                    for (int b = 0; b < 2; ++b) {
                        def.position.x = (float)b;
                        def.linear_velocity = (vec3){b ? -2.0f : 2.0f, 0, 0};
                        def.linear_velocity.y = moving ? 5.0f : 0.0f;
                        bodies[b] = pliant_world_add_body(world, &def, NULL);
                    }
                    for (double t = 0; t < 1.0; t += 1.0 / (double)rates[i])
                        pliant_world_step(world, 1.0f / rates[i]);
                    pliant_motion one = pliant_body_motion(world, bodies[0]);
                    pliant_motion two = pliant_body_motion(world, bodies[1]);
                    double parting =
                        (two.linear_momentum[0] - one.linear_momentum[0]) / one.mass / 4.0;
                    assert_near(one.linear_momentum[0] + two.linear_momentum[0], 0.0,
                                1e-4 * one.mass);
                    assert_true(parting > last - 0.01);
                    if (!(parting > 0.22 * (double)e && parting < 1.01))
                        fail_msg("stiffness %g, restitution %g, dt 1/%g: %g",
                                 (double)stiffnesses[k], 0.25 * e, (double)rates[i], parting);
                    last = parting;
                    pliant_world_destroy(world);
                }
                pliant_model_destroy(model);
            }
}

// A soft body that lies still is lifted without being thrown, long after it has landed.
static void test_what_has_landed_is_not_thrown(void **state)
{
    (void)state;
    pliant_model *model = block_model(0.1f, false);
    setup s = {.model = model,
               .world_def = pliant_default_world_def(),
               .body_def = pliant_default_body_def()};
    s.body_def.model = model;
    s.body_def.position.y = 1.0f;
    s.body_def.restitution = 0.9f;
    s.body_def.shape_damping = 0.9f;
    s.world_def.sleep_speed = 0.0f;
    setup_open(&s);
    pliant_plane_def ground = pliant_default_plane_def();
    pliant_world_add_plane(s.world, &ground, NULL);
    run(&s, 12.0, 1.0f / 60.0f);
    double mass = pliant_body_motion(s.world, s.body).mass;
    for (int i = 0; i < 30; ++i) {
        pliant_body_apply_force(s.world, s.body, (vec3){0, (float)(mass * 10.8), 0}); // 1 m/s² up
        pliant_world_step(s.world, 1.0f / 60.0f);
        assert_below(pliant_body_motion(s.world, s.body).linear_momentum[1] / mass, 0.7);
    }
    setup_close(&s);
}

// A block that bounces about between walls, spinning, hits several at once: it never has more energy than it began with.
static void test_bounces_between_walls_gain_no_energy(void **state)
{
    (void)state;
    uint32_t random = 3;
    for (int k = 0; k < (FULL_LENGTH ? 24 : 6); ++k) {
        setup s = {.model = block_model(stiffnesses[k % 4], false),
                   .world_def = pliant_default_world_def(),
                   .body_def = pliant_default_body_def()};
        s.body_def.model = s.model;
        s.body_def.position.y = 2.0f;
        s.body_def.restitution = 1.0f;
        s.body_def.friction = 0.0f;
        s.body_def.linear_damping = s.body_def.angular_damping = 0.0f;
        s.body_def.angular_velocity = random_vec3(&random, 5.0f);
        s.body_def.linear_velocity = random_vec3(&random, 3.0f);
        setup_open(&s);
        for (int side = 0; side < 4; ++side) {
            pliant_plane_def wall = pliant_default_plane_def();
            float x = side & 1 ? 1.0f : -1.0f;
            wall.normal = side & 2 ? (vec3){x, 1.5f, 0} : (vec3){0, 1.5f, x};
            wall.friction = 0.0f;
            pliant_world_add_plane(s.world, &wall, NULL);
        }
        double start = energy_in_gravity(&s);
        for (int i = 0; i < 300; ++i) {
            pliant_world_step(s.world, 1.0f / 60.0f);
            assert_below(energy_in_gravity(&s), 1.02 * start);
        }
        setup_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_rebound_does_not_depend_on_the_step),
        cmocka_unit_test(test_restitution_acts_on_top_of_elasticity),
        cmocka_unit_test(test_shorter_substeps_approach_what_is_given_back),
        cmocka_unit_test(test_bounces_between_walls_gain_no_energy),
        cmocka_unit_test(test_bodies_bounce_off_each_other),
        cmocka_unit_test(test_what_has_landed_is_not_thrown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
