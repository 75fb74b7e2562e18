// Hinges: the angle, motors, limits.

#include "bodies.h"
#include "counting.h"

enum { AXIS_A, AXIS_B, WHEEL, FRAME, FRAME_END = FRAME + 4 };

static const float DT = 1.0f / 60.0f;
// Of the wheel, kg and m.
static const float WHEEL_MASS = 2.0f, WHEEL_RADIUS = 0.3f;

typedef struct wheel_options {
    bool pinned_frame, pinned_axis;
    bool swapped; // the frame is group b
    bool has_limits;
    float lower, upper;
    vec3 offset;   // of the wheel from its axis
    bool is_ball;  // the wheel is round
    bool balanced; // the axis is a principal axis of the frame
} wheel_options;

// A frame of four balls (beside, not on the axis) carries a wheel, one flat ellipsoid, on an axis along z.
static pliant_model *wheel_model(const wheel_options *o)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_particle_def p = pliant_default_particle_def();
    p.radii = (vec3){0.02f, 0.02f, 0.02f};
    p.mass = 0.5f;
    p.flags = o->pinned_axis ? PLIANT_PARTICLE_PINNED : 0;
    for (int i = 0; i < 2; ++i) {
        p.position = (vec3){0, 0, i ? 0.2f : -0.2f};
        pliant_builder_add_particle(builder, &p);
    }
    p.flags = 0;
    p.position = o->offset;
    p.radii = (vec3){WHEEL_RADIUS, WHEEL_RADIUS, o->is_ball ? WHEEL_RADIUS : 0.05f};
    p.mass = WHEEL_MASS;
    pliant_builder_add_particle(builder, &p);
    p.radii = (vec3){0.1f, 0.1f, 0.1f};
    p.mass = 1.5f;
    p.flags = o->pinned_frame ? PLIANT_PARTICLE_PINNED : 0;
    for (int i = 0; i < 4; ++i) {
        p.position = (vec3){i & 1 ? 0.5f : -0.4f, i & 2 ? -0.1f : -0.5f, i == 3 ? 0.3f : -0.3f};
        if (o->balanced)
            p.position = (vec3){i & 1 ? 0.5f : -0.5f, 0, i & 2 ? 0.3f : -0.3f};
        pliant_builder_add_particle(builder, &p);
    }
    const int32_t frame[] = {AXIS_A, AXIS_B, FRAME, FRAME + 1, FRAME + 2, FRAME + 3};
    const int32_t wheel[] = {WHEEL, AXIS_A, AXIS_B};
    pliant_group_def groups[2] = {{.members = frame, .member_count = 6, .stiffness = 1.0f},
                                  {.members = wheel, .member_count = 3, .stiffness = 1.0f}};
    for (int i = 0; i < 2; ++i)
        pliant_builder_add_group(builder, &groups[i]);
    pliant_hinge_def hinge = {.group_a = o->swapped,
                              .group_b = !o->swapped,
                              .particle_a = AXIS_A,
                              .particle_b = AXIS_B,
                              .has_limits = o->has_limits,
                              .lower = o->lower,
                              .upper = o->upper};
    pliant_builder_add_hinge(builder, &hinge);
    pliant_error error = {0};
    pliant_model *model = pliant_builder_build(builder, &error);
    if (!model)
        fail_msg("%s: %s", error.place, error.message);
    pliant_builder_destroy(builder);
    return model;
}

// Without gravity and damping.
static setup open_model(pliant_model *model, vec3 gravity)
{
    setup s = {.model = model,
               .world_def = pliant_default_world_def(),
               .body_def = pliant_default_body_def()};
    s.world_def.gravity = gravity;
    s.body_def.model = model;
    s.body_def.linear_damping = s.body_def.angular_damping = 0.0f;
    setup_open(&s);
    return s;
}

static setup open_wheel(const wheel_options *o, vec3 gravity)
{
    return open_model(wheel_model(o), gravity);
}

static double angle_now(const setup *s)
{
    return (double)pliant_body_hinge_angle(s->world, s->body, 0);
}

static double speed_now(const setup *s)
{
    return (double)pliant_body_hinge_speed(s->world, s->body, 0);
}

static const vec3 no_gravity = {0, 0, 0};

static void test_angle_and_speed(void **state)
{
    (void)state;
    uint32_t seed = 1;
    for (int i = 0; i < 40; ++i) {
        wheel_options o = {.swapped = i & 1};
        setup s = open_wheel(&o, no_gravity);
        pliant_pose pose = {{3.0f, -2.0f, 1.0f}, random_quat(&seed)};
        pliant_body_reset(s.world, s.body, pose);
        assert_near(angle_now(&s), 0.0, 1e-6);
        // Turn the wheel by hand.
        float angle = random_between(&seed, -3.1f, 3.1f), speed = random_between(&seed, -9, 9);
        pliant_pose wheel = pliant_body_particle_pose(s.world, s.body, WHEEL);
        vec3 axis = quat_rotate(pose.orientation, (vec3){0, 0, 1});
        wheel.orientation = quat_turn(wheel.orientation, vec3_scale(axis, angle));
        pliant_body_set_particle_pose(s.world, s.body, WHEEL, wheel);
        pliant_body_set_particle_velocity(s.world, s.body, WHEEL, (vec3){0, 0, 0},
                                          vec3_scale(axis, speed));
        double sign = o.swapped ? -1.0 : 1.0;
        assert_near(angle_now(&s), sign * (double)angle, 2e-6);
        // Axis particles that do not turn take a little when they count to the wheel: here they do not.
        assert_near(speed_now(&s), sign * (double)speed, 1e-5);
        setup_close(&s);
    }
}

// Four groups in a ring, each of two axes: the last one's particles are all turned by others.
static void test_angle_of_a_ring_of_bars(void **state)
{
    (void)state;
    pliant_builder *builder = pliant_builder_create(NULL);
    static const float corners[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    pliant_particle_def p = pliant_default_particle_def();
    for (int i = 0; i < 8; ++i) {
        p.position = (vec3){corners[i / 2][0], corners[i / 2][1], i & 1 ? 0.2f : -0.2f};
        pliant_builder_add_particle(builder, &p);
    }
    for (int k = 0; k < 4; ++k) {
        int next = (k + 1) % 4;
        const int32_t members[4] = {2 * k, 2 * k + 1, 2 * next, 2 * next + 1};
        pliant_group_def group = {.members = members, .member_count = 4, .stiffness = 1.0f};
        pliant_builder_add_group(builder, &group);
    }
    for (int k = 0; k < 4; ++k) {
        int next = (k + 1) % 4;
        pliant_hinge_def hinge = {
            .group_a = k, .group_b = next, .particle_a = 2 * next, .particle_b = 2 * next + 1};
        pliant_builder_add_hinge(builder, &hinge);
    }
    pliant_error error = {0};
    setup s = open_model(pliant_builder_build(builder, &error), no_gravity);
    pliant_builder_destroy(builder);
    for (int k = 0; k < 4; ++k)
        assert_near(pliant_body_hinge_angle(s.world, s.body, k), 0.0, 1e-6);
    pliant_body_set_motor(s.world, s.body, 2, 1.0f, 5.0f); // between the bars 2 and 3
    for (int i = 0; i < 20; ++i)
        pliant_world_step(s.world, DT);
    double sum = 0;
    for (int k = 0; k < 4; ++k) {
        double angle = (double)pliant_body_hinge_angle(s.world, s.body, k);
        sum += angle;
        assert_near(k & 1 ? -angle : angle, 0.3, 0.1); // a parallelogram
    }
    assert_near(sum, 0.0, 0.02);
    // The motor knows of two bars; the other two make it lag.
    assert_near(pliant_body_hinge_speed(s.world, s.body, 2), 0.7, 0.3);
    setup_close(&s);
}

// torque / I, and then the speed that was asked for.
static void test_motor_accelerates(void **state)
{
    (void)state;
    for (int swapped = 0; swapped < 2; ++swapped) {
        wheel_options o = {.pinned_frame = true, .swapped = swapped};
        setup s = open_wheel(&o, no_gravity);
        double inertia = 0.4 * (double)(WHEEL_MASS * WHEEL_RADIUS * WHEEL_RADIUS);
        const float torque = 0.1f;
        pliant_body_set_motor(s.world, s.body, 0, 5.0f, torque);
        run(&s, 0.5, DT);
        assert_near(speed_now(&s), 0.5 * (double)torque / inertia,
                    0.02 * 0.5 * (double)torque / inertia);
        run(&s, 4.5, DT);
        assert_near(speed_now(&s), 5.0, 1e-3);
        pliant_body_set_motor(s.world, s.body, 0, -1.0f, 1000.0f);
        pliant_world_step(s.world, DT);
        assert_near(speed_now(&s), -1.0, 1e-3);
        pliant_body_set_motor(s.world, s.body, 0, 9.0f, 0.0f); // turns freely
        run(&s, 1.0, DT);
        assert_near(speed_now(&s), -1.0, 1e-3);
        pliant_body_set_motor(s.world, s.body, 0, NAN, 1.0f);
        pliant_body_set_motor(s.world, s.body, 0, 1.0f, INFINITY);
        run(&s, 0.1, DT);
        assert_near(speed_now(&s), -1.0, 1e-3);
        setup_close(&s);
    }
}

// The same at every quality; a wheel whose centre is beside its axis, too: J acts against I + m d².
static void test_motor_turns_an_arm(void **state)
{
    (void)state;
    const int qualities[][2] = {{1, 1}, {1, 10}, {5, 2}, {20, 1}};
    for (int i = 0; i < 4; ++i) {
        wheel_options o = {.pinned_frame = true, .offset = {0.4f, 0, 0}};
        setup s = open_wheel(&o, no_gravity);
        pliant_world_set_quality(s.world, qualities[i][0], qualities[i][1]);
        // The axis' particles have no moment of inertia about it.
        double inertia = (double)WHEEL_MASS * (0.4 * 0.09 + 0.16);
        pliant_body_set_motor(s.world, s.body, 0, 50.0f, 0.4f);
        run(&s, 0.5, DT);
        assert_near(speed_now(&s), 0.2 / inertia, 0.02 * 0.2 / inertia);
        setup_close(&s);
    }
}

// Both sides turn freely about a pinned axis, each against its own inertia.
static void test_motor_on_a_pinned_axis(void **state)
{
    (void)state;
    for (int swapped = 0; swapped < 2; ++swapped) {
        wheel_options o = {.pinned_axis = true, .swapped = swapped, .offset = {0.4f, 0, 0}};
        setup s = open_wheel(&o, no_gravity);
        pliant_body_set_motor(s.world, s.body, 0, 50.0f, 0.4f);
        double wheel = (double)WHEEL_MASS * (0.4 * 0.09 + 0.16), frame = 0;
        for (int i = FRAME; i < FRAME_END; ++i) {
            vec3 x = pliant_model_particles(s.model)[i].position;
            frame += 1.5 * ((double)(x.x * x.x + x.y * x.y) + 0.4 * 0.01);
        }
        run(&s, 0.5, DT);
        double expected = 0.2 * (1.0 / wheel + 1.0 / frame);
        assert_near(speed_now(&s), expected, 0.02 * expected);
        vec3 spin = pliant_body_particle_spin(s.world, s.body, WHEEL);
        assert_near(fabsf(spin.z), 0.2 / wheel, 0.03 * 0.2 / wheel);
        setup_close(&s);
    }
}

// An arm of 2 kg at 0.4 m, level, pulls with 7.8 N m: 7 do not hold it, 9 do.
static void test_motor_stalls(void **state)
{
    (void)state;
    for (int strong = 0; strong < 2; ++strong) {
        wheel_options o = {.pinned_frame = true, .offset = {0.4f, 0, 0}};
        setup s = open_wheel(&o, (vec3){0, -9.81f, 0});
        pliant_body_set_motor(s.world, s.body, 0, 0.0f, strong ? 9.0f : 7.0f);
        run(&s, 1.0, DT);
        if (strong)
            assert_near(angle_now(&s), 0.0, 0.02);
        else
            assert_true(angle_now(&s) < -0.3);
        // And lifting it with the rest of the torque.
        pliant_body_set_motor(s.world, s.body, 0, 0.5f, strong ? 9.0f : 7.0f);
        double before = angle_now(&s);
        run(&s, 0.5, DT);
        assert_true(strong == (angle_now(&s) > before + 0.2));
        setup_close(&s);
    }
}

// A free body drives its own wheel: it turns the other way, and linear and angular momentum stay zero.
static void test_motor_keeps_momentum(void **state)
{
    (void)state;
    // What the groups keep, with the motor or without, is a matter of rounding: of many torques.
    enum { TORQUES = 32 };
    double most = 0, all = 0;
    for (int k = 0; k < TORQUES; ++k) {
        wheel_options o = {.swapped = k & 1, .balanced = true};
        setup s = open_wheel(&o, no_gravity);
        pliant_body_set_motor(s.world, s.body, 0, 10.0f, 0.4f + 0.01f * (float)k);
        double spin = 0, drift = 0;
        for (int i = 0; i < 60; ++i) {
            pliant_world_step(s.world, DT);
            pliant_motion m = pliant_body_motion(s.world, s.body);
            spin = fmax(spin, length_of(m.angular_momentum));
            drift = fmax(drift, length_of(m.linear_momentum));
        }
        double turned =
            0.4 * (double)(WHEEL_MASS * WHEEL_RADIUS * WHEEL_RADIUS) * fabs(speed_now(&s));
        assert_true(turned > 0.35);
        most = fmax(most, spin / turned);
        all += spin / turned;
        assert_below(drift, 1e-6);
        setup_close(&s);
    }
    assert_below(all / TORQUES, 1e-4);
    assert_below(most, 3e-4);
    // Nothing is symmetric: one motor impulse in one substep.
    uint32_t seed = 3;
    double worst = 0, sum = 0;
    for (int i = 0; i < 40; ++i) {
        wheel_options o = {.swapped = i & 1, .is_ball = true, .offset = random_vec3(&seed, 0.3f)};
        setup s = open_wheel(&o, no_gravity);
        pliant_world_set_substep_length(s.world, 1e-3f);
        pliant_world_set_iterations(s.world, 1);
        pliant_body_set_motor(s.world, s.body, 0, 0.5f, 1e6f);
        pliant_world_step(s.world, 1e-3f);
        assert_near(speed_now(&s), 0.5, 1e-3);
        double turned = 0.5 * 0.4 * (double)(WHEEL_MASS * WHEEL_RADIUS * WHEEL_RADIUS);
        pliant_motion m = pliant_body_motion(s.world, s.body);
        double off = length_of(m.angular_momentum) / turned;
        worst = fmax(worst, off);
        sum += off;
        assert_below(length_of(m.linear_momentum), 1e-6);
        setup_close(&s);
    }
    assert_below(worst, 1.5e-6);
    assert_below(sum / 40, 6e-7);
}

static void test_limits_hold(void **state)
{
    (void)state;
    // A door falls on its stop and stays; the other one a turn beyond is not mixed up.
    const float limits[][2] = {
        {-0.5f, 0.3f}, {-3.0f, 3.0f}, {-PLIANT_PI, PLIANT_PI - 0.02f}, {0.0f, 0.0f}};
    for (int i = 0; i < 4; ++i) {
        for (int pinned = 0; pinned < 2; ++pinned) {
            wheel_options o = {.pinned_frame = true,
                               .pinned_axis = pinned,
                               .has_limits = true,
                               .lower = limits[i][0],
                               .upper = limits[i][1],
                               .offset = {0.4f, 0, 0}};
            setup s = open_wheel(&o, no_gravity);
            pliant_body_set_motor(s.world, s.body, 0, 4.0f, 30.0f);
            double highest = -4, fastest = 0;
            for (int k = 0; k < 180; ++k) {
                pliant_world_step(s.world, DT);
                double angle = angle_now(&s);
                if (i >= 1 && angle < -1.0)
                    angle += 2.0 * 3.14159265; // beyond pi
                highest = fmax(highest, angle);
                fastest = fmax(fastest, fabs(speed_now(&s)));
            }
            assert_below(highest, (double)limits[i][1] + 0.01);
            assert_true(highest > (double)limits[i][1] - 0.01);
            assert_below(fastest, 4.05);
            // Let go: it stays, without a bounce.
            pliant_body_set_motor(s.world, s.body, 0, 0.0f, 0.0f);
            run(&s, 0.1, DT);
            assert_below(fabs(speed_now(&s)), 0.01);
            setup_close(&s);
        }
    }
}

// A door with a lever of 10: its hinge is 0.2 m wide, its weight 2 m away.
static void test_limit_bears_a_lever(void **state)
{
    (void)state;
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_particle_def p = pliant_default_particle_def();
    int32_t frame[4] = {0, 1, 2, 3}, door[12] = {0, 1};
    for (int i = 0; i < 4; ++i) {
        p.position = (vec3){i < 2 ? 0 : -0.3f, 0, i & 1 ? 0.1f : -0.1f};
        p.flags = i < 2 ? 0 : PLIANT_PARTICLE_PINNED;
        pliant_builder_add_particle(builder, &p);
    }
    p.flags = 0;
    for (int i = 0; i < 10; ++i) {
        p.position = (vec3){0.2f + 0.2f * (float)i, 0, 0};
        p.mass = i == 9 ? 5.0f : 0.5f;
        door[2 + i] = pliant_builder_add_particle(builder, &p);
    }
    pliant_group_def groups[2] = {{.members = frame, .member_count = 4, .stiffness = 1.0f},
                                  {.members = door, .member_count = 12, .stiffness = 1.0f}};
    pliant_builder_add_group(builder, &groups[0]);
    pliant_builder_add_group(builder, &groups[1]);
    pliant_hinge_def hinge = {
        .group_b = 1, .particle_b = 1, .has_limits = true, .lower = -0.2f, .upper = 0.1f};
    pliant_builder_add_hinge(builder, &hinge);
    pliant_error error = {0};
    pliant_model *model = pliant_builder_build(builder, &error);
    assert_non_null(model);
    pliant_builder_destroy(builder);
    setup s = open_model(model, (vec3){0, -9.81f, 0});
    run(&s, 3.0, DT);
    assert_near(angle_now(&s), -0.2, 0.017);
    assert_below(fabs(speed_now(&s)), 0.01);
    setup_close(&s);
}

// Two thin bars on a hinge that tumble slowly: what rounding leaves open about the axis of a bar is not left out about
// others, where it is momentum.
static void test_slow_tumbling_keeps_momentum(void **state)
{
    (void)state;
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_particle_def p = pliant_default_particle_def();
    int32_t members[2][5];
    p.radii = (vec3){0.01f, 0.01f, 0.01f};
    p.mass = 0.2f;
    for (int i = 0; i < 8; ++i) {
        float out = 0.3f * (float)(i / 2);
        p.position = i < 2 ? (vec3){0, 0, i ? 0.005f : -0.005f}
                           : (vec3){i % 2 ? out : -out, i % 2 ? 0.03f * out : 0.0f, 0};
        int32_t added = pliant_builder_add_particle(builder, &p);
        for (int g = 0; g < 2; ++g)
            if (i < 2 || i % 2 == g)
                members[g][i < 2 ? i : i / 2 + 1] = added;
    }
    for (int g = 0; g < 2; ++g) {
        pliant_group_def group = {.members = members[g], .member_count = 5, .stiffness = 1.0f};
        pliant_builder_add_group(builder, &group);
    }
    pliant_model *model = pliant_builder_build(builder, NULL);
    assert_non_null(model);
    pliant_builder_destroy(builder);
    setup s = open_model(model, no_gravity);
    pliant_body_set_velocity(s.world, s.body, (vec3){0, 0, 0}, (vec3){0.21f, 0.15f, 0.15f});
    pliant_motion before = pliant_body_motion(s.world, s.body);
    run(&s, 1.0, DT);
    pliant_motion after = pliant_body_motion(s.world, s.body);
    double change[3];
    for (int c = 0; c < 3; ++c)
        change[c] = after.angular_momentum[c] - before.angular_momentum[c];
    assert_below(length_of(change) / length_of(before.angular_momentum), 1e-3);
    setup_close(&s);
}

// Two free halves that run into their limit while the whole tumbles: no momentum comes or goes, and no
// energy comes.
static void test_limits_keep_momentum(void **state)
{
    (void)state;
    // What rounding takes of the angular momentum of 600 substeps differs from case to case.
    enum { CASES = 16 };
    double most = 0, all = 0;
    for (int i = 0; i < CASES; ++i) {
        wheel_options o = {.swapped = i & 1,
                           .has_limits = true,
                           .lower = -0.4f,
                           .upper = 0.4f,
                           .offset = {0.2f + 0.02f * (float)i, 0, 0},
                           .balanced = true};
        setup s = open_wheel(&o, no_gravity);
        pliant_body_set_velocity(s.world, s.body, (vec3){1, 0.5f, 0}, (vec3){0, 0, -0.8f});
        pliant_body_set_particle_velocity(s.world, s.body, WHEEL, (vec3){0, 4.0f, 0},
                                          (vec3){0, 0, 8.0f});
        pliant_world_step(s.world, DT);
        pliant_motion before = pliant_body_motion(s.world, s.body);
        double energy = before.kinetic_energy;
        for (int k = 0; k < 120; ++k) {
            pliant_world_step(s.world, DT);
            pliant_motion m = pliant_body_motion(s.world, s.body);
            assert_below(m.kinetic_energy, energy * 1.001);
            energy = fmin(energy, m.kinetic_energy);
            assert_true(fabs(angle_now(&s)) < 0.42);
        }
        pliant_motion after = pliant_body_motion(s.world, s.body);
        double change[3];
        for (int c = 0; c < 3; ++c) {
            assert_near(after.linear_momentum[c], before.linear_momentum[c],
                        1e-5 * length_of(before.linear_momentum));
            change[c] = after.angular_momentum[c] - before.angular_momentum[c];
        }
        double lost = length_of(change) / length_of(before.angular_momentum);
        most = fmax(most, lost);
        all += lost;
        assert_below(after.kinetic_energy, 0.95 * before.kinetic_energy);
        setup_close(&s);
    }
    assert_below(all / CASES, 1e-3);
    assert_below(most, 4e-3);
    // Nothing is symmetric: one substep into a hinge that is locked.
    uint32_t seed = 5;
    double worst = 0;
    for (int i = 0; i < 40; ++i) {
        wheel_options o = {.swapped = i & 1,
                           .is_ball = true,
                           .offset = random_vec3(&seed, 0.3f),
                           .has_limits = true};
        setup s = open_wheel(&o, no_gravity);
        pliant_world_set_substep_length(s.world, 1e-3f);
        const vec3 spin = {0, 0, 1.0f};
        pliant_body_set_particle_velocity(s.world, s.body, WHEEL, vec3_cross(spin, o.offset), spin);
        pliant_motion before = pliant_body_motion(s.world, s.body);
        pliant_world_step(s.world, 1e-3f);
        pliant_motion after = pliant_body_motion(s.world, s.body);
        assert_near(speed_now(&s), 0.0, 0.01);
        for (int c = 0; c < 3; ++c) {
            assert_near(after.linear_momentum[c], before.linear_momentum[c], 1e-6);
            worst = fmax(worst, fabs(after.angular_momentum[c] - before.angular_momentum[c]) /
                                    length_of(before.angular_momentum));
        }
        setup_close(&s);
    }
    assert_below(worst, 1e-4);
}

// Put far beyond its limit it comes back slowly, and stops there.
static void test_limit_unwinds_gently(void **state)
{
    (void)state;
    wheel_options o = {.pinned_frame = true, .has_limits = true, .lower = -0.5f, .upper = 0.5f};
    setup s = open_wheel(&o, no_gravity);
    pliant_pose wheel = pliant_body_particle_pose(s.world, s.body, WHEEL);
    wheel.orientation = quat_exp((vec3){0, 0, 1.5f});
    pliant_body_set_particle_pose(s.world, s.body, WHEEL, wheel);
    run(&s, 0.5, DT);
    assert_near(angle_now(&s), 1.0, 0.02);
    assert_below(fabs(speed_now(&s)), 0.01);
    run(&s, 1.0, DT);
    assert_near(angle_now(&s), 0.5, 0.01);
    assert_below(fabs(speed_now(&s)), 0.01);
    setup_close(&s);
    // At 3.1 it is 0.18 beyond -3 on the other side, not 2.8 beyond 0.3; and the same mirrored.
    for (int mirrored = 0; mirrored < 2; ++mirrored) {
        float sign = mirrored ? -1.0f : 1.0f;
        o.lower = mirrored ? -0.3f : -3.0f;
        o.upper = mirrored ? 3.0f : 0.3f;
        s = open_wheel(&o, no_gravity);
        wheel.orientation = quat_exp((vec3){0, 0, sign * 3.1f});
        pliant_body_set_particle_pose(s.world, s.body, WHEEL, wheel);
        run(&s, 0.5, DT);
        assert_near(sign * angle_now(&s), -3.0, 0.01);
        setup_close(&s);
    }
}

static void test_snapshot(void **state)
{
    (void)state;
    wheel_options o = {.has_limits = true, .lower = -1.0f, .upper = 1.0f, .offset = {0.1f, 0, 0}};
    setup s = open_wheel(&o, (vec3){0, -1, 0});
    pliant_body_set_motor(s.world, s.body, 0, 2.0f, 0.3f);
    run(&s, 0.3, DT);
    size_t size = pliant_world_snapshot_size(s.world);
    void *kept = malloc(size);
    pliant_world_snapshot(s.world, kept);
    uint64_t then = pliant_world_hash(s.world);
    pliant_body_set_motor(s.world, s.body, 0, 2.0f, 0.31f);
    assert_true(pliant_world_hash(s.world) != then);
    pliant_body_set_motor(s.world, s.body, 0, 2.0f, 0.3f);
    run(&s, 1.0, DT);
    uint64_t expected = pliant_world_hash(s.world);
    pliant_body_set_motor(s.world, s.body, 0, -7.0f, 3.0f);
    run(&s, 0.2, DT);
    pliant_error error = {0};
    assert_int_equal(pliant_world_restore(s.world, kept, size, &error), PLIANT_OK);
    assert_true(pliant_world_hash(s.world) == then);
    run(&s, 1.0, DT);
    assert_true(pliant_world_hash(s.world) == expected);
    free(kept);
    setup_close(&s);
}

// Motors belong to their body, also when an earlier one is removed and its place is used again.
static void test_motors_of_many_bodies(void **state)
{
    (void)state;
    wheel_options o = {.pinned_frame = true};
    setup s = open_wheel(&o, no_gravity);
    pliant_error error = {0};
    pliant_body_id bodies[3] = {s.body};
    for (int i = 1; i < 3; ++i) {
        s.body_def.position.x = 5.0f * (float)i;
        bodies[i] = pliant_world_add_body(s.world, &s.body_def, &error);
    }
    for (int i = 0; i < 3; ++i)
        pliant_body_set_motor(s.world, bodies[i], 0, (float)i + 1.0f, 100.0f);
    pliant_world_remove_body(s.world, bodies[0]);
    s.body_def.position.x = -5.0f;
    bodies[0] = pliant_world_add_body(s.world, &s.body_def, &error);
    run(&s, 0.1, DT);
    for (int i = 0; i < 3; ++i)
        assert_near(pliant_body_hinge_speed(s.world, bodies[i], 0), i ? i + 1.0 : 0.0, 1e-3);
    setup_close(&s);
}

// A cart of a chassis and two driven axles on the ground.
static setup open_cart(float friction)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_particle_def p = pliant_default_particle_def();
    int32_t chassis[8], axle[4];
    int count = 0;
    p.mass = 10.0f;
    for (int i = 0; i < 4; ++i) {
        p.position = (vec3){i & 1 ? 0.4f : -0.4f, 0.15f, i & 2 ? 0.2f : -0.2f};
        chassis[count++] = pliant_builder_add_particle(builder, &p);
    }
    pliant_hinge_def hinge = {.group_a = 2};
    for (int a = 0; a < 2; ++a) {
        for (int side = 0; side < 2; ++side) {
            float x = a ? 0.5f : -0.5f, z = side ? 0.4f : -0.4f;
            p.position = (vec3){x, 0, z};
            p.radii = (vec3){0.25f, 0.25f, 0.06f};
            p.mass = 3.0f;
            axle[side] = pliant_builder_add_particle(builder, &p);
            p.position.z = 0.6f * z;
            p.radii = (vec3){0.03f, 0.03f, 0.03f};
            p.mass = 0.5f;
            axle[2 + side] = chassis[count++] = pliant_builder_add_particle(builder, &p);
        }
        pliant_group_def group = {.members = axle, .member_count = 4, .stiffness = 1.0f};
        hinge.group_b = pliant_builder_add_group(builder, &group);
        hinge.particle_a = axle[2];
        hinge.particle_b = axle[3];
        pliant_builder_add_hinge(builder, &hinge);
    }
    pliant_group_def group = {.members = chassis, .member_count = count, .stiffness = 1.0f};
    pliant_builder_add_group(builder, &group);
    pliant_error error = {0};
    pliant_model *model = pliant_builder_build(builder, &error);
    if (!model)
        fail_msg("%s: %s", error.place, error.message);
    pliant_builder_destroy(builder);
    setup s = open_model(model, (vec3){0, -9.81f, 0});
    pliant_body_reset(s.world, s.body, (pliant_pose){{0, 0.25f, 0}, {0, 0, 0, 1}});
    pliant_body_set_friction(s.world, s.body, friction);
    pliant_plane_def ground = pliant_default_plane_def();
    ground.friction = friction;
    pliant_world_add_plane(s.world, &ground, &error);
    return s;
}

// Rolls as fast as its wheels turn; with little friction they spin and it takes no more than μ g.
static void test_cart_drives(void **state)
{
    (void)state;
    setup s = open_cart(1.0f);
    for (int k = 0; k < 2; ++k)
        pliant_body_set_motor(s.world, s.body, k, -8.0f, 20.0f); // about +z: to +x is negative
    run(&s, 0.5, DT);
    pliant_motion m = pliant_body_motion(s.world, s.body);
    double inertia = m.mass + 4.0 * 3.0 * 0.4; // of the wheels, at their rims
    double expected = 0.5 * 40.0 / 0.25 / inertia;
    assert_near(m.linear_momentum[0] / m.mass, expected, 0.05 * expected);
    run(&s, 2.5, DT);
    m = pliant_body_motion(s.world, s.body);
    assert_near(m.linear_momentum[0] / m.mass, 8.0 * 0.25, 0.03);
    setup_close(&s);

    s = open_cart(0.1f);
    for (int k = 0; k < 2; ++k)
        pliant_body_set_motor(s.world, s.body, k, -60.0f, 20.0f);
    run(&s, 0.5, DT);
    m = pliant_body_motion(s.world, s.body);
    assert_near(m.linear_momentum[0] / m.mass, 0.5 * 0.1 * 9.81, 0.1 * 0.5 * 0.1 * 9.81);
    assert_true(fabs(speed_now(&s)) * 0.25 > 2.0 * m.linear_momentum[0] / m.mass); // slips
    setup_close(&s);
}

static void test_no_allocation(void **state)
{
    (void)state;
    counting c = {0};
    wheel_options o = {.has_limits = true, .lower = -1.0f, .upper = 1.0f};
    setup s = {.model = wheel_model(&o),
               .world_def = pliant_default_world_def(),
               .body_def = pliant_default_body_def()};
    s.world_def.allocator = counting_allocator(&c);
    s.body_def.model = s.model;
    setup_open(&s);
    pliant_body_set_motor(s.world, s.body, 0, 3.0f, 5.0f);
    int calls = c.calls;
    run(&s, 1.0, DT);
    assert_int_equal(c.calls, calls);
    setup_close(&s);
    assert_int_equal(c.live, 0);
}

// Two plates that share the particles 2 and 3 of an axis and turn against each other by a quarter of a radian at most.
static pliant_model *plates_model(void)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    for (int i = 0; i < 6; ++i) {
        pliant_particle_def def = pliant_default_particle_def();
        def.position = (vec3){0.13f * (float)(i / 2), 0, 0.13f * (float)(i % 2)};
        def.radii = i % 2 ? (vec3){0.02f, 0.01f, 0.05f} : (vec3){0.05f, 0.05f, 0.05f};
        pliant_builder_add_particle(builder, &def);
    }
    const int32_t members[] = {0, 1, 2, 3, 4, 5};
    for (int side = 0; side < 2; ++side)
        pliant_builder_add_group(builder, &(pliant_group_def){.members = members + 2 * side,
                                                              .member_count = 4,
                                                              .stiffness = 1.0f});
    pliant_hinge_def hinge = {.group_a = 0,
                              .group_b = 1,
                              .particle_a = 2,
                              .particle_b = 3,
                              .has_limits = true,
                              .lower = -0.25f,
                              .upper = 0.25f};
    pliant_builder_add_hinge(builder, &hinge);
    pliant_model *model = pliant_builder_build(builder, NULL);
    assert_non_null(model);
    pliant_builder_destroy(builder);
    return model;
}

// A hinge that is pinned once, at its axis or off it, swings about that pin: a limit that is met in this gives it no energy.
static void test_limit_about_one_pin_gains_nothing(void **state)
{
    (void)state;
    uint32_t random = 5;
    for (int round = 0; round < 60; ++round) {
        setup s = open_model(plates_model(), (vec3){0, 0, 0});
        pliant_body_set_pinned(s.world, s.body, round % 6, true, NULL);
        for (int i = 0; i < 6; ++i)
            pliant_body_apply_particle_impulse(s.world, s.body, i, random_vec3(&random, 2.0f));
        run(&s, 0.1, 1.0f / 60.0f);
        double before = pliant_body_motion(s.world, s.body).kinetic_energy, most = 0;
        for (int i = 0; i < 120; ++i) {
            pliant_world_step(s.world, 1.0f / 60.0f);
            most = fmax(most, pliant_body_motion(s.world, s.body).kinetic_energy);
        }
        assert_below(most, 1.02 * before);
        setup_close(&s);
    }
}

// Hung by one end of its axis and folded up to its limit, such a hinge comes to rest: pressed against the limit it does not
// creep around its pin.
static void test_hinge_at_its_limit_hangs_still(void **state)
{
    (void)state;
    uint32_t random = 9;
    for (int round = 0; round < 20; ++round) {
        setup s = open_model(plates_model(), (vec3){0, -9.81f, 0});
        vec3 axis = random_vec3(&random, 3.0f);
        pliant_body_reset(s.world, s.body, (pliant_pose){{0, 0, 0}, quat_exp(axis)});
        pliant_body_set_pinned(s.world, s.body, 2 + round % 2, true, NULL);
        pliant_body_set_damping(s.world, s.body, 0.9f, 0.9f, 0.0f);
        run(&s, 10.0, DT);
        for (int i = 0; i < 6; ++i)
            assert_below(vec3_length(pliant_body_particle_velocity(s.world, s.body, i)), 0.002);
        setup_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_angle_and_speed),
        cmocka_unit_test(test_angle_of_a_ring_of_bars),
        cmocka_unit_test(test_motor_accelerates),
        cmocka_unit_test(test_motor_turns_an_arm),
        cmocka_unit_test(test_motor_on_a_pinned_axis),
        cmocka_unit_test(test_motor_stalls),
        cmocka_unit_test(test_motor_keeps_momentum),
        cmocka_unit_test(test_limits_hold),
        cmocka_unit_test(test_limit_bears_a_lever),
        cmocka_unit_test(test_slow_tumbling_keeps_momentum),
        cmocka_unit_test(test_limits_keep_momentum),
        cmocka_unit_test(test_limit_about_one_pin_gains_nothing),
        cmocka_unit_test(test_hinge_at_its_limit_hangs_still),
        cmocka_unit_test(test_limit_unwinds_gently),
        cmocka_unit_test(test_snapshot),
        cmocka_unit_test(test_motors_of_many_bodies),
        cmocka_unit_test(test_cart_drives),
        cmocka_unit_test(test_no_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
