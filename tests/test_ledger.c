// What constraints give: never more than they took, and all of that.

#include "bodies.h"
#include "world/world.h"

static const float DT = 1.0f / 60.0f;

// A ball on a short rod turns so far in a substep that the chord of its way is no good velocity.
static void test_rods_give_no_energy(void **state)
{
    (void)state;
    for (int i = 0; i < 12; ++i) {
        lattice l = lattice_of(1, 1, 1);
        setup s = setup_of(&l);
        s.world_def.substep_length = pliant_substep_length(i % 3 ? 2.0f : 1.0f);
        s.body_def.linear_velocity = (vec3){0, 2.0f + 2.0f * (float)i, 1.0f};
        setup_open(&s);
        pliant_attachment_def rod = pliant_default_attachment_def();
        rod.body = s.body;
        rod.anchor = (vec3){0.05f + 0.02f * (float)i, 0, 0};
        assert_int_not_equal(pliant_world_add_attachment(s.world, &rod, NULL).generation, 0);
        double before = pliant_body_motion(s.world, s.body).kinetic_energy, most = 0;
        for (int k = 0; k < 120; ++k) {
            pliant_world_step(s.world, DT);
            most = fmax(most, pliant_body_motion(s.world, s.body).kinetic_energy);
        }
        assert_below(most, 1.01 * before);
        setup_close(&s);
    }
}

// Limp lattices, thrown against each other with every particle at another speed: no sequence of steps adds energy, and none
// changes momentum.
static void test_wild_bodies_gain_nothing(void **state)
{
    (void)state;
    uint32_t random = 3;
    for (int round = 0; round < 20; ++round) {
        lattice l = lattice_of(2 + round % 2, 2, 3);
        l.stiffness = 0.05f * (float)round;
        l.radii = (vec3){0.02f, 0.05f, 0.09f};
        setup s = setup_of(&l);
        s.world_def.iterations = 1 + round % 3;
        s.world_def.sleep_speed = 0.0f;
        setup_open(&s);
        s.body_def.position.y = 0.6f;
        pliant_body_id other = pliant_world_add_body(s.world, &s.body_def, NULL);
        int count = pliant_model_particle_count(s.model);
        for (int i = 0; i < 2 * count; ++i) {
            vec3 v = random_vec3(&random, 4.0f);
            v.y += i < count ? 3.0f : -3.0f;
            pliant_body_set_particle_velocity(s.world, i < count ? s.body : other, i % count, v,
                                              random_vec3(&random, 5.0f));
        }
        double energy = 0, most = 0, momentum = 0;
        for (int k = 0; k < 200; ++k) {
            pliant_motion a = pliant_body_motion(s.world, s.body);
            pliant_motion b = pliant_body_motion(s.world, other);
            double now = a.kinetic_energy + b.kinetic_energy;
            double up = a.linear_momentum[1] + b.linear_momentum[1];
            energy = k == 0 ? now : energy;
            momentum = k == 0 ? up : momentum;
            most = fmax(most, now);
            assert_near(up, momentum, 1e-4 * 4.0 * a.mass);
            pliant_world_step(s.world, random_between(&random, 0.002f, 0.05f));
        }
        assert_below(most, 1.02 * energy);
        setup_close(&s);
    }
}

// A circle of light links between two heavy particles, which few iterations do not hold: distances that turn far in a substep
// give it spin as well as energy.
static void test_a_circle_spins_up_by_nothing(void **state)
{
    (void)state;
    enum { LINKS = 20 };
    pliant_builder *builder = pliant_builder_create(NULL);
    for (int i = 0; i < LINKS; ++i) {
        pliant_particle_def particle = pliant_default_particle_def();
        float angle = 2.0f * PLIANT_PI * (float)i / LINKS;
        particle.position = (vec3){0.3f * cosf(angle), 0.3f * sinf(angle), 0};
        particle.mass = i % (LINKS / 2) ? 0.025f : 5.0f;
        particle.stiffness = 0.5f;
        pliant_builder_add_particle(builder, &particle);
        if (i > 0)
            pliant_builder_add_edge(
                builder, &(pliant_edge_def){.a = i - 1, .b = i, .stretch_stiffness = 1.0f});
    }
    pliant_builder_add_edge(builder,
                            &(pliant_edge_def){.a = LINKS - 1, .b = 0, .stretch_stiffness = 1.0f});
    pliant_model *model = pliant_builder_build(builder, NULL);
    pliant_builder_destroy(builder);
    for (int speed = 2; speed <= 32; speed *= 2) {
        setup s = setup_with(model);
        s.world_def.gravity = (vec3){0, 0, 0};
        s.world_def.iterations = 1;
        s.body_def.linear_damping = s.body_def.angular_damping = 0.0f;
        s.body_def.angular_velocity = (vec3){0.5f, 1, (float)speed};
        setup_open(&s);
        double before = pliant_body_motion(s.world, s.body).kinetic_energy, most = 0;
        for (int k = 0; k < 180; ++k) {
            pliant_world_step(s.world, k % 2 ? 0.004f : 0.02f);
            most = fmax(most, pliant_body_motion(s.world, s.body).kinetic_energy);
        }
        assert_below(most, 1.02 * before);
        pliant_world_destroy(s.world);
    }
    pliant_model_destroy(model);
}

// Restitution gives back what an impact took: what is in store afterwards is no more than what is lost for good.
static void test_rebounds_are_paid_from_the_store(void **state)
{
    (void)state;
    lattice l = lattice_of(3, 3, 3);
    l.stiffness = 0.6f;
    setup s = setup_of(&l);
    s.body_def.restitution = 0.9f;
    s.body_def.position.y = 1.5f;
    s.body_def.linear_damping = s.body_def.angular_damping = 0.0f;
    setup_open(&s);
    pliant_plane_def ground = pliant_default_plane_def();
    pliant_world_add_plane(s.world, &ground, NULL);
    pliant_motion m = pliant_body_motion(s.world, s.body);
    double gravity = 9.81, scale = m.mass * gravity * m.centre[1], start = scale;
    for (int k = 0; k < 180; ++k) {
        pliant_world_step(s.world, DT);
        m = pliant_body_motion(s.world, s.body);
        double now = m.kinetic_energy + m.mass * gravity * m.centre[1];
        // What a substep of free fall differs by from this sum of energies.
        double rounding = 0.5 * gravity / 300.0 * fabs(m.linear_momentum[1]) + 0.01 * scale;
        assert_below(s.world->bodies[s.body.index].account.store, start - now + rounding);
    }
    setup_close(&s);
}

// What a soft body was pressed into it for long it still gives back: it leaps when what pressed it is gone.
static void test_springs_keep_what_they_took(void **state)
{
    (void)state;
    float rises[2];
    for (int i = 0; i < 2; ++i) {
        lattice l = lattice_of(3, 4, 3);
        l.stiffness = 0.1f;
        setup s = setup_of(&l);
        s.world_def.gravity.y = -9.81f;
        s.body_def.position.y = 0.1f;
        setup_open(&s);
        pliant_plane_def ground = pliant_default_plane_def();
        pliant_world_add_plane(s.world, &ground, NULL);
        pliant_shape_def crate = pliant_default_shape_def(PLIANT_SHAPE_BOX);
        crate.half_size = (vec3){2.0f, 0.1f, 2.0f};
        pliant_shape *shape = pliant_shape_create(&crate, NULL, NULL);
        pliant_collider_def lid = pliant_default_collider_def();
        lid.shape = shape;
        lid.position.y = 1.0f;
        pliant_collider_id id = pliant_world_add_collider(s.world, &lid, NULL);
        // Down to half its height in half a second.
        for (int k = 0; k < 30; ++k) {
            pliant_pose pose = pliant_collider_pose(s.world, id);
            pose.position.y -= 0.5f / 30.0f;
            pliant_collider_move_to(s.world, id, pose);
            pliant_world_step(s.world, DT);
        }
        run(&s, i ? 20.0 : 1.0, DT);
        float pressed = (float)pliant_body_motion(s.world, s.body).centre[1];
        pliant_world_remove_collider(s.world, id);
        rises[i] = 0.0f;
        for (int k = 0; k < 120; ++k) {
            pliant_world_step(s.world, DT);
            float height = (float)pliant_body_motion(s.world, s.body).centre[1];
            rises[i] = maximum(rises[i], height - pressed);
        }
        setup_close(&s);
        pliant_shape_destroy(shape);
    }
    print_message("pressed for 1 s it rises by %.3f m, for 20 s by %.3f m\n", (double)rises[0],
                  (double)rises[1]);
    assert_true(rises[0] > 5.0f);
    assert_near(rises[1], rises[0], 0.1 * (double)rises[0]);
}

// A body that lands and is stopped by hand in the middle of that does not leave with what it came with.
static void test_landings_follow_the_hand(void **state)
{
    (void)state;
    for (int how = 0; how < 3; ++how) {
        lattice l = lattice_of(3, 3, 3);
        l.stiffness = 0.05f;
        setup s = setup_of(&l);
        s.world_def.gravity.y = -9.81f;
        s.body_def.restitution = 1.0f;
        s.body_def.position.y = 0.2f;
        s.body_def.linear_velocity.y = -6.0f;
        setup_open(&s);
        pliant_plane_def ground = pliant_default_plane_def();
        pliant_world_add_plane(s.world, &ground, NULL);
        while (pliant_body_motion(s.world, s.body).linear_momentum[1] / 2.7 < -3.0)
            pliant_world_step(s.world, 1.0f / 300.0f);
        if (how == 0)
            pliant_body_set_velocity(s.world, s.body, (vec3){0, 0, 0}, (vec3){0, 0, 0});
        if (how == 1) {
            pliant_body_sleep(s.world, s.body);
            pliant_body_wake(s.world, s.body);
        }
        double start = pliant_body_motion(s.world, s.body).centre[1], top = start;
        for (int k = 0; k < 90; ++k) {
            pliant_world_step(s.world, DT);
            top = fmax(top, pliant_body_motion(s.world, s.body).centre[1]);
        }
        // From 6 m/s it would rise by 1.8 m; what its constraints have taken by then is theirs.
        print_message("%s: rises by %.2f m\n",
                      how == 0   ? "stopped"
                      : how == 1 ? "slept"
                                 : "left",
                      top - start);
        assert_true(how == 2 ? top - start > 1.4 : top - start < 1.3);
        setup_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rods_give_no_energy),
        cmocka_unit_test(test_wild_bodies_gain_nothing),
        cmocka_unit_test(test_a_circle_spins_up_by_nothing),
        cmocka_unit_test(test_rebounds_are_paid_from_the_store),
        cmocka_unit_test(test_springs_keep_what_they_took),
        cmocka_unit_test(test_landings_follow_the_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
