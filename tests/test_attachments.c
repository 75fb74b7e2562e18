// Attachments: distances between bodies and to points, strings, breaking, dragging.

#include "bodies.h"
#include "counting.h"

#include "world/world.h"

static const float DT = 1.0f / 60.0f;

// A world of balls: bodies of one particle each, or rigid blocks, without damping.
typedef struct yard {
    pliant_model *ball, *block; // 1 kg, radius 0.1; 8 × 0.125 kg, spacing 0.2
    pliant_world *world;
} yard;

static yard open_yard(vec3 gravity, const pliant_allocator *allocator)
{
    lattice ball = lattice_of(1, 1, 1), block = lattice_of(2, 2, 2);
    ball.mass = 1.0f;
    block.mass = 0.125f;
    block.is_rigid = true;
    pliant_world_def def = pliant_default_world_def();
    def.gravity = gravity;
    if (allocator)
        def.allocator = *allocator;
    pliant_error error = {0};
    return (yard){lattice_model(&ball), lattice_model(&block), pliant_world_create(&def, &error)};
}

static void close_yard(yard *y)
{
    pliant_world_destroy(y->world);
    pliant_model_destroy(y->ball);
    pliant_model_destroy(y->block);
}

static pliant_body_id add(yard *y, const pliant_model *model, vec3 position, vec3 velocity)
{
    pliant_body_def def = pliant_default_body_def();
    def.model = model;
    def.position = position;
    def.linear_velocity = velocity;
    def.linear_damping = def.angular_damping = 0.0f;
    pliant_error error = {0};
    pliant_body_id id = pliant_world_add_body(y->world, &def, &error);
    assert_true(pliant_body_is_valid(y->world, id));
    return id;
}

static pliant_attachment_id attach(yard *y, const pliant_attachment_def *def)
{
    pliant_error error = {0};
    pliant_attachment_id id = pliant_world_add_attachment(y->world, def, &error);
    if (!pliant_attachment_is_valid(y->world, id))
        fail_msg("%s: %s", error.place, error.message);
    return id;
}

static pliant_attachment_id hang(yard *y, pliant_body_id id, vec3 anchor, float length)
{
    pliant_attachment_def def = pliant_default_attachment_def();
    def.body = id;
    def.anchor = anchor;
    def.length = length;
    return attach(y, &def);
}

static pliant_attachment_id join(yard *y, pliant_body_id a, int i, pliant_body_id b, int j)
{
    pliant_attachment_def def = pliant_default_attachment_def();
    def.body = a;
    def.particle = i;
    def.other_body = b;
    def.other_particle = j;
    return attach(y, &def);
}

static void run_yard(yard *y, double seconds)
{
    for (int i = 0; i < (int)(seconds * 60.0 + 0.5); ++i)
        pliant_world_step(y->world, DT);
}

static vec3 place(const yard *y, pliant_body_id id)
{
    return pliant_body_particle_pose(y->world, id, 0).position;
}

static vec3 velocity(const yard *y, pliant_body_id id)
{
    return pliant_body_particle_velocity(y->world, id, 0);
}

static double distance_of(vec3 a, vec3 b)
{
    return (double)vec3_length(vec3_sub(a, b));
}

static const vec3 zero = {0, 0, 0}, down = {0, -9.81f, 0};

// A pendulum: length, energy and period.
static void test_pendulum(void **state)
{
    (void)state;
    const int qualities[][2] = {{1, 1}, {5, 2}, {20, 1}};
    for (int q = 0; q < 3; ++q) {
        yard y = open_yard(down, NULL);
        pliant_world_set_quality(y.world, qualities[q][0], qualities[q][1]);
        const vec3 anchor = {1000.0f, 3.0f, 0};
        pliant_body_id ball = add(&y, y.ball, (vec3){1002.0f, 3.0f, 0}, zero);
        hang(&y, ball, anchor, -1.0f);
        double lowest = 0, highest = 0;
        for (int i = 0; i < 1200; ++i) {
            pliant_world_step(y.world, DT);
            assert_near(distance_of(place(&y, ball), anchor), 2.0, 2e-4);
            vec3 v = velocity(&y, ball);
            double energy = 9.81 * ((double)place(&y, ball).y - 3.0) + 0.5 * (double)vec3_dot(v, v);
            lowest = fmin(lowest, energy);
            highest = fmax(highest, energy);
        }
        // Of the 19.6 J between top and bottom.
        double part = q == 0 ? 0.1 : 0.03;
        assert_true(lowest > -19.6 * part && highest < 19.6 * part);
        close_yard(&y);
    }
}

// Two bodies that fly and spin about each other.
static void test_pair_keeps_momentum(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; ++kind) {
        yard y = open_yard(zero, NULL);
        const pliant_model *model = kind ? y.block : y.ball;
        pliant_body_id a = add(&y, model, (vec3){0, 0, 0}, (vec3){1, 2, 0});
        pliant_body_id b = add(&y, y.ball, (vec3){1.5f, 0, 0}, (vec3){1, -2, 0.5f});
        pliant_attachment_def def = pliant_default_attachment_def();
        def.body = a;
        def.other_body = b;
        def.stiffness = kind == 2 ? 0.3f : 1.0f;
        attach(&y, &def);
        double L[2][3] = {{0}}, p[2][3] = {{0}}, energy[2];
        for (int after = 0; after < 2; ++after) {
            if (after)
                run_yard(&y, 3.0);
            pliant_motion m = pliant_body_motion(y.world, a), n = pliant_body_motion(y.world, b);
            energy[after] = m.kinetic_energy + n.kinetic_energy;
            double d[3], v[3], reduced = m.mass * n.mass / (m.mass + n.mass);
            for (int c = 0; c < 3; ++c) {
                d[c] = n.centre[c] - m.centre[c];
                v[c] = n.linear_momentum[c] / n.mass - m.linear_momentum[c] / m.mass;
                p[after][c] = m.linear_momentum[c] + n.linear_momentum[c];
            }
            for (int c = 0; c < 3; ++c)
                L[after][c] =
                    m.angular_momentum[c] + n.angular_momentum[c] +
                    reduced * (d[(c + 1) % 3] * v[(c + 2) % 3] - d[(c + 2) % 3] * v[(c + 1) % 3]);
        }
        double worst = 0;
        for (int c = 0; c < 3; ++c) {
            assert_near(p[1][c], p[0][c], 2e-6 * length_of(p[0])); // rounding of 1,800 moves
            worst = fmax(worst, fabs(L[1][c] - L[0][c]) / length_of(L[0]));
        }
        assert_below(worst, kind ? 1e-4 : 2e-5);
        if (kind == 0)
            assert_near(energy[1], energy[0], 0.02 * energy[0]);
        close_yard(&y);
    }
}

// Twenty balls in a row, from a point: it hangs straight, and each link bears what is below it.
static void test_chain_of_bodies(void **state)
{
    (void)state;
    enum { LINKS = 20 };
    yard y = open_yard(down, NULL);
    pliant_world_set_quality(y.world, 10, 4);
    pliant_body_id balls[LINKS];
    pliant_attachment_id links[LINKS];
    for (int i = 0; i < LINKS; ++i) {
        // 0.15 apart: nearer than they are thick.
        balls[i] = add(&y, y.ball, (vec3){0.15f * (float)(i + 1), 0, 0}, zero);
        links[i] = i ? join(&y, balls[i - 1], 0, balls[i], 0) : hang(&y, balls[0], zero, -1.0f);
    }
    for (int i = 0; i < 1500; ++i) {
        pliant_world_step(y.world, DT);
        for (int k = 0; k < LINKS; ++k) // air, so that it comes to rest
            pliant_body_set_damping(y.world, balls[k], 0.5f, 0.5f, 0.0f);
    }
    vec3 end = place(&y, balls[LINKS - 1]);
    assert_near(end.y, -0.15 * LINKS, 0.05 * 0.15 * LINKS);
    assert_near(end.x, 0.0, 0.05);
    for (int i = 0; i < LINKS; ++i)
        assert_near(pliant_attachment_force(y.world, links[i]), 9.81 * (LINKS - i),
                    0.05 * 9.81 * (LINKS - i));
    close_yard(&y);
}

static void test_string_goes_slack(void **state)
{
    (void)state;
    for (int slack = 0; slack < 2; ++slack) {
        yard y = open_yard(zero, NULL);
        pliant_body_id ball = add(&y, y.ball, (vec3){1, 0, 0}, (vec3){-1, 0, 0});
        pliant_attachment_def def = pliant_default_attachment_def();
        def.body = ball;
        def.is_slack = slack;
        pliant_attachment_id id = attach(&y, &def);
        run_yard(&y, 0.5);
        assert_near(place(&y, ball).x, slack ? 0.5 : 1.0, 1e-4);
        assert_near(pliant_attachment_force(y.world, id), 0.0, 1e-3);
        run_yard(&y, 2.0); // it comes out on the other side and is stopped there
        assert_near(place(&y, ball).x, slack ? -1.0 : 1.0, 1e-3);
        close_yard(&y);
    }
}

static void test_force_and_strength(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; ++kind) {
        for (int strong = 0; strong < 2; ++strong) {
            yard y = open_yard(zero, NULL);
            pliant_body_id ball = add(&y, kind ? y.block : y.ball, zero, zero);
            // By a corner, the opposite one below it.
            const vec3 turn = {2.186276f * 0.70710678f, 0, -2.186276f * 0.70710678f};
            pliant_body_reset(y.world, ball, (pliant_pose){zero, quat_exp(turn)});
            pliant_attachment_def def = pliant_default_attachment_def();
            def.body = ball;
            def.anchor = (vec3){0, 1, 0};
            def.strength = strong ? 20.0f : 0.0f;
            pliant_attachment_id id = attach(&y, &def);
            // Gravity grows until it breaks.
            float g = 0.0f;
            int step = 0;
            for (; step < 3000 && pliant_attachment_is_valid(y.world, id) && g < 30.0f; ++step) {
                g = 0.02f * (float)step;
                pliant_world_set_gravity(y.world, (vec3){0, -g, 0});
                pliant_world_step(y.world, DT);
                if (!strong && step % 100 == 99 && kind == 0)
                    assert_near(pliant_attachment_force(y.world, id), g, 0.01 * (double)g);
            }
            if (strong) {
                assert_near(g, 20.0, 1.0);
                assert_int_equal(pliant_world_event_count(y.world), 1);
                const pliant_event *event = pliant_world_events(y.world);
                assert_int_equal(event->kind, PLIANT_EVENT_BREAK);
                assert_memory_equal(&event->attachment, &id, sizeof id);
                assert_memory_equal(&event->body, &ball, sizeof ball);
                assert_int_equal(event->particle, 0);
                assert_int_equal(event->other_particle, -1);
                assert_near(pliant_attachment_force(y.world, id), 0.0, 0.0);
                vec3 before = place(&y, ball);
                pliant_world_step(y.world, DT);
                assert_int_equal(pliant_world_event_count(y.world), 0);
                run_yard(&y, 1.0);
                assert_true(place(&y, ball).y < before.y - 5.0f); // falls
                // Its slot is free again, its id is not.
                pliant_attachment_id next = attach(&y, &def);
                assert_int_equal(next.index, id.index);
                assert_false(pliant_attachment_is_valid(y.world, id));
            } else {
                assert_true(pliant_attachment_is_valid(y.world, id));
            }
            close_yard(&y);
        }
    }
    // A rod that is pushed.
    yard y = open_yard(zero, NULL);
    pliant_body_id ball = add(&y, y.ball, zero, zero);
    pliant_attachment_id id = hang(&y, ball, (vec3){1, 0, 0}, -1.0f);
    pliant_body_apply_force(y.world, ball, (vec3){5, 0, 0});
    pliant_world_step(y.world, DT);
    assert_near(pliant_attachment_force(y.world, id), -5.0, 0.01);
    close_yard(&y);
}

// A spring of stiffness s sags by g / k, whatever the step.
static void test_spring(void **state)
{
    (void)state;
    const int qualities[][2] = {{2, 4}, {5, 2}, {20, 1}};
    double sag[3];
    for (int q = 0; q < 3; ++q) {
        yard y = open_yard(down, NULL);
        pliant_world_set_quality(y.world, qualities[q][0], qualities[q][1]);
        pliant_body_id ball = add(&y, y.ball, (vec3){0, -1, 0}, zero);
        pliant_attachment_def def = pliant_default_attachment_def();
        def.body = ball;
        def.stiffness = 0.005f;
        attach(&y, &def);
        pliant_body_set_damping(y.world, ball, 0.9f, 0.0f, 0.0f);
        run_yard(&y, 8.0);
        sag[q] = -1.0 - (double)place(&y, ball).y;
        double k = -log(1.0 - 0.005) * 36000.0;
        assert_near(sag[q], 9.81 / k, 0.03 * 9.81 / k);
        close_yard(&y);
    }
}

// A point is dragged at 3 m/s and stops; the ball is with it at every step and stops with it.
static void test_drag(void **state)
{
    (void)state;
    for (int length = 0; length < 2; ++length) {
        yard y = open_yard(down, NULL);
        pliant_body_id ball = add(&y, y.ball, (vec3){0, (float)-length, 0}, zero);
        pliant_attachment_id id = hang(&y, ball, zero, (float)length);
        float fastest = 0.0f;
        for (int i = 1; i <= 60; ++i) {
            vec3 anchor = {0.05f * (float)i, 0, 0};
            pliant_attachment_set_anchor(y.world, id, anchor);
            pliant_world_step(y.world, DT);
            assert_near(distance_of(place(&y, ball), anchor), length, 0.002);
            fastest = fmaxf(fastest, vec3_length(velocity(&y, ball)));
            if (!length) // evenly: as fast at the end of the step as all the way
                assert_near(velocity(&y, ball).x, 3.0, 0.1);
        }
        assert_true(fastest < (length ? 9.0f : 3.3f));
        run_yard(&y, 0.5);
        if (!length)
            assert_near(vec3_length(velocity(&y, ball)), 0.0, 0.01);
        pliant_attachment_set_anchor(y.world, id, (vec3){NAN, 0, 0});
        run_yard(&y, 0.1);
        assert_near(distance_of(place(&y, ball), (vec3){3, 0, 0}), length, 0.002);
        close_yard(&y);
    }
}

// A jump, an anchor far away from the start, a ball put elsewhere: all come in without a shot.
static void test_jumps_are_calm(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; ++kind) {
        yard y = open_yard(zero, NULL);
        pliant_body_id ball = add(&y, y.block, zero, zero);
        pliant_attachment_id id = hang(&y, ball, kind == 1 ? (vec3){7, 0, 0} : zero, 0.0f);
        run_yard(&y, 0.1);
        if (kind == 0)
            pliant_attachment_set_anchor(y.world, id, (vec3){7, 0, 0});
        if (kind == 2)
            pliant_body_reset(y.world, ball, (pliant_pose){{-7, 0, 0}, {0, 0, 0, 1}});
        float fastest = 0.0f;
        for (int i = 0; i < 300; ++i) {
            pliant_world_step(y.world, DT);
            for (int k = 0; k < 8; ++k)
                fastest =
                    fmaxf(fastest, vec3_length(pliant_body_particle_velocity(y.world, ball, k)));
        }
        assert_true(fastest < (kind == 0 ? 120.0f : 30.0f));
        assert_near(distance_of(place(&y, ball), kind == 2 ? zero : (vec3){7, 0, 0}), 0.0, 0.02);
        close_yard(&y);
    }
}

// A ball that starts 7 m from where it belongs comes in at 10 m/s, but has no speed of its own.
static void test_pulling_in_leaves_no_speed(void **state)
{
    (void)state;
    for (int length = 0; length < 2; ++length) {
        yard y = open_yard(zero, NULL);
        pliant_body_id ball = add(&y, y.ball, zero, zero);
        hang(&y, ball, (vec3){7.0f + (float)length, 0, 0}, (float)length);
        for (int i = 1; i <= 36; ++i) {
            pliant_world_step(y.world, DT);
            assert_near(place(&y, ball).x, 10.0 * i / 60.0, 0.05);
            assert_near(vec3_length(velocity(&y, ball)), 0.0, 0.01);
        }
        run_yard(&y, 0.5);
        assert_near(place(&y, ball).x, 7.0, 1e-3);
        close_yard(&y);
    }
}

// Held within each other's radii they do not collide; at a longer length they do.
static void test_contact_of_attached(void **state)
{
    (void)state;
    for (int held = 0; held < 2; ++held) {
        yard y = open_yard(zero, NULL);
        pliant_body_id a = add(&y, y.ball, zero, zero);
        pliant_body_id b = add(&y, y.ball, (vec3){0.15f, 0, 0}, zero);
        pliant_attachment_def def = pliant_default_attachment_def();
        def.body = a;
        def.other_body = b;
        def.length = held ? 0.15f : 0.5f;
        def.is_slack = true;
        attach(&y, &def);
        run_yard(&y, 1.0);
        assert_near(distance_of(place(&y, a), place(&y, b)), held ? 0.15 : 0.2, 0.01);
        close_yard(&y);
    }
}

static void test_pinned_and_frozen(void **state)
{
    (void)state;
    pliant_error error = {0};
    yard y = open_yard(down, NULL);
    pliant_body_id a = add(&y, y.ball, zero, zero), b = add(&y, y.ball, (vec3){0, -1, 0}, zero);
    pliant_attachment_id id = join(&y, a, 0, b, 0);
    pliant_body_set_pinned(y.world, a, 0, true, &error);
    run_yard(&y, 1.0);
    assert_near(place(&y, b).y, -1.0, 1e-3);
    assert_near(pliant_attachment_force(y.world, id), 9.81, 0.1);
    pliant_body_set_pinned(y.world, b, 0, true, &error);
    run_yard(&y, 0.1);
    assert_near(pliant_attachment_force(y.world, id), 0.0, 0.0);
    pliant_body_set_pinned(y.world, b, 0, false, &error);
    // A frozen body holds as a pinned one does, from either end.
    pliant_body_set_pinned(y.world, a, 0, false, &error);
    pliant_body_set_particle_velocity(y.world, a, 0, (vec3){NAN, 0, 0}, zero);
    pliant_attachment_set_anchor(y.world, id, (vec3){9, 9, 9}); // has another body: no effect
    run_yard(&y, 0.1);
    assert_true(pliant_body_is_frozen(y.world, a));
    if (pliant_body_is_frozen(y.world, b))
        pliant_body_reset(y.world, b, (pliant_pose){{0, -1, 0}, {0, 0, 0, 1}});
    pliant_attachment_id back = join(&y, b, 0, a, 0);
    run_yard(&y, 0.5);
    assert_near(place(&y, b).y, -1.0, 1e-3);
    pliant_world_remove_attachment(y.world, id);
    run_yard(&y, 0.5);
    assert_near(place(&y, b).y, -1.0, 1e-3);
    assert_near(pliant_attachment_force(y.world, back), 9.81, 0.1);
    pliant_world_remove_attachment(y.world, back);
    run_yard(&y, 0.5);
    assert_true(place(&y, b).y < -1.5f);
    close_yard(&y);
}

// What hangs still falls asleep together with what it hangs on, and its force stays; pulling at one end
// wakes both.
static void test_sleep(void **state)
{
    (void)state;
    yard y = open_yard(down, NULL);
    pliant_body_id a = add(&y, y.ball, (vec3){0, -1, 0}, zero);
    pliant_body_id b = add(&y, y.ball, (vec3){0, -2, 0}, zero);
    pliant_attachment_id top = hang(&y, a, zero, -1.0f), link = join(&y, a, 0, b, 0);
    run_yard(&y, 3.0);
    assert_true(pliant_body_is_asleep(y.world, a) && pliant_body_is_asleep(y.world, b));
    assert_near(pliant_attachment_force(y.world, top), 2 * 9.81, 0.4);
    assert_near(pliant_attachment_force(y.world, link), 9.81, 0.2);
    pliant_body_apply_impulse(y.world, b, (vec3){0.5f, 0, 0});
    run_yard(&y, 0.2);
    assert_false(pliant_body_is_asleep(y.world, a));
    assert_true(fabsf(velocity(&y, a).x) > 1e-3f);
    // Put to sleep by hand, one end wakes with the other.
    pliant_body_sleep(y.world, a);
    pliant_world_step(y.world, DT);
    assert_false(pliant_body_is_asleep(y.world, a));
    pliant_body_sleep(y.world, a);
    pliant_body_sleep(y.world, b);
    pliant_attachment_set_anchor(y.world, top, (vec3){0.5f, 0, 0});
    run_yard(&y, 0.1);
    assert_near(distance_of(place(&y, a), (vec3){0.5f, 0, 0}), 1.0, 1e-3);
    assert_near(distance_of(place(&y, a), place(&y, b)), 1.0, 2e-3);
    pliant_body_sleep(y.world, a);
    pliant_body_sleep(y.world, b);
    pliant_world_remove_attachment(y.world, link);
    run_yard(&y, 0.5);
    assert_true(place(&y, b).y < -2.5f);
    close_yard(&y);
}

// A crane: an anchor in the axes of a solid that goes and turns carries a ball along, evenly.
static void test_moving_collider(void **state)
{
    (void)state;
    pliant_error error = {0};
    yard y = open_yard(zero, NULL);
    pliant_shape_def small = pliant_default_shape_def(PLIANT_SHAPE_SPHERE);
    small.radius = 0.1f;
    pliant_shape *shape = pliant_shape_create(&small, NULL, &error);
    pliant_collider_def arm = pliant_default_collider_def();
    arm.shape = shape;
    arm.position = (vec3){0, 3, 0};
    pliant_collider_id crane = pliant_world_add_collider(y.world, &arm, &error);
    pliant_body_id ball = add(&y, y.ball, (vec3){1, 3, 0}, zero);
    pliant_attachment_def def = pliant_default_attachment_def();
    def.body = ball;
    def.collider = crane;
    def.anchor = (vec3){1, 0, 0};
    def.length = 0.0f;
    attach(&y, &def);
    run_yard(&y, 2.0);
    assert_true(pliant_body_is_asleep(y.world, ball));
    pliant_collider_set_velocity(y.world, crane, (vec3){0, 0.5f, 0}, (vec3){0, 0, 1.0f});
    for (int i = 0; i < 60; ++i) {
        pliant_world_step(y.world, DT);
        pliant_pose pose = pliant_collider_pose(y.world, crane);
        vec3 held = vec3_add(pose.position, quat_rotate(pose.orientation, def.anchor));
        assert_near(distance_of(place(&y, ball), held), 0.0, 1e-4);
    }
    // The speed of the point: as fast as the solid and its turn make it.
    vec3 expected = {-sinf(1.0f), 0.5f + cosf(1.0f), 0};
    assert_near(distance_of(velocity(&y, ball), expected), 0.0, 0.02);
    assert_false(pliant_body_is_asleep(y.world, ball));
    // Put elsewhere at once: the ball follows without a shot.
    pliant_collider_set_velocity(y.world, crane, zero, zero);
    pliant_collider_set_pose(y.world, crane, (pliant_pose){{5, 3, 0}, {0, 0, 0, 1}});
    float fastest = 0.0f;
    for (int i = 0; i < 120; ++i) {
        pliant_world_step(y.world, DT);
        fastest = fmaxf(fastest, vec3_length(velocity(&y, ball)));
    }
    assert_true(fastest < 3.0f);
    assert_near(distance_of(place(&y, ball), (vec3){6, 3, 0}), 0.0, 1e-3);
    close_yard(&y);
    pliant_shape_destroy(shape);
}

static void test_goes_with_body_and_collider(void **state)
{
    (void)state;
    pliant_error error = {0};
    yard y = open_yard(down, NULL);
    pliant_body_id bodies[4];
    for (int i = 0; i < 4; ++i)
        bodies[i] = add(&y, y.ball, (vec3){(float)i, 5, 0}, zero);
    pliant_plane_def ground = pliant_default_plane_def();
    pliant_collider_id floor_id = pliant_world_add_plane(y.world, &ground, &error);
    pliant_attachment_def def = pliant_default_attachment_def();
    def.body = bodies[3];
    def.collider = floor_id;
    def.anchor = (vec3){3, 6, 0};
    pliant_attachment_id on_plane = attach(&y, &def);
    pliant_attachment_id ab = join(&y, bodies[0], 0, bodies[1], 0);
    pliant_attachment_id bc = join(&y, bodies[1], 0, bodies[2], 0);
    pliant_attachment_id c = hang(&y, bodies[2], (vec3){2, 6, 0}, -1.0f);
    pliant_world_remove_body(y.world, bodies[1]);
    assert_false(pliant_attachment_is_valid(y.world, ab));
    assert_false(pliant_attachment_is_valid(y.world, bc));
    assert_true(pliant_attachment_is_valid(y.world, c));
    // A new body in the old place is another one.
    bodies[1] = add(&y, y.ball, (vec3){1, 5, 0}, zero);
    run_yard(&y, 0.5);
    assert_near(place(&y, bodies[2]).y, 5.0, 1e-3);
    assert_near(place(&y, bodies[3]).y, 5.0, 1e-3);
    assert_true(place(&y, bodies[0]).y < 4.0f && place(&y, bodies[1]).y < 4.0f);
    pliant_world_remove_collider(y.world, floor_id);
    assert_false(pliant_attachment_is_valid(y.world, on_plane));
    pliant_world_remove_attachment(y.world, c);
    pliant_world_remove_attachment(y.world, c); // again: no mistake
    assert_false(pliant_attachment_is_valid(y.world, c));
    pliant_attachment_set_anchor(y.world, c, zero);
    run_yard(&y, 0.5);
    assert_true(place(&y, bodies[2]).y < 4.0f && place(&y, bodies[3]).y < 4.0f);
    close_yard(&y);
}

static void strike(yard *y, pliant_body_id id)
{
    pliant_body_apply_particle_impulse(y->world, id, 0, (vec3){500, 0, 0});
    run_yard(y, 1.0);
}

// Also back to before something broke, and in the middle of a drag that lags.
static void test_snapshot(void **state)
{
    (void)state;
    yard y = open_yard(down, NULL);
    pliant_body_id a = add(&y, y.ball, zero, zero), b = add(&y, y.block, (vec3){1, 0, 0}, zero);
    pliant_attachment_id id = hang(&y, a, (vec3){0, 1, 0}, 1.0f);
    pliant_attachment_def weak = pliant_default_attachment_def();
    weak.body = a;
    weak.other_body = b;
    weak.strength = 3e4f;
    pliant_attachment_id link = attach(&y, &weak);
    run_yard(&y, 0.1);
    pliant_attachment_set_anchor(y.world, id, (vec3){-2, 1, 0});
    pliant_world_step(y.world, DT);
    size_t size = pliant_world_snapshot_size(y.world);
    void *kept = malloc(size);
    pliant_world_snapshot(y.world, kept);
    uint64_t then = pliant_world_hash(y.world);
    float force = pliant_attachment_force(y.world, id);
    assert_true(pliant_attachment_is_valid(y.world, link));
    strike(&y, b);
    assert_false(pliant_attachment_is_valid(y.world, link));
    uint64_t expected = pliant_world_hash(y.world);
    pliant_error error = {0};
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(pliant_world_restore(y.world, kept, size, &error), PLIANT_OK);
        assert_true(pliant_world_hash(y.world) == then);
        assert_true(pliant_attachment_is_valid(y.world, link));
        assert_near(pliant_attachment_force(y.world, id), force, 0.0);
        strike(&y, b);
        assert_true(pliant_world_hash(y.world) == expected);
    }
    pliant_attachment_id next = attach(&y, &weak); // takes the broken one's place
    assert_int_equal(next.index, link.index);
    assert_int_equal(pliant_world_restore(y.world, kept, size, &error), PLIANT_OK);
    assert_true(pliant_attachment_is_valid(y.world, link));
    assert_false(pliant_attachment_is_valid(y.world, next));
    assert_true(pliant_world_hash(y.world) == then);
    free(kept);
    close_yard(&y);
}

static void test_memory(void **state)
{
    (void)state;
    counting c = {0};
    pliant_allocator allocator = counting_allocator(&c);
    yard y = open_yard(down, &allocator);
    pliant_body_id a = add(&y, y.ball, zero, zero), b = add(&y, y.ball, (vec3){1, 0, 0}, zero);
    pliant_error error = {0};
    pliant_attachment_def def = pliant_default_attachment_def();
    def.body = a;
    def.other_body = b;
    c.fail_at = c.calls + 1;
    pliant_attachment_id id = pliant_world_add_attachment(y.world, &def, &error);
    assert_int_equal(error.code, PLIANT_ERROR_MEMORY);
    assert_int_equal(id.generation, 0);
    assert_int_equal(y.world->attachment_slot_count, 0);
    c.fail_at = 0;
    for (int i = 0; i < 20; ++i) {
        def.strength = 5.0f + (float)i;
        attach(&y, &def);
    }
    hang(&y, a, (vec3){0, 1, 0}, -1.0f);
    int calls = c.calls;
    run_yard(&y, 2.0);
    assert_int_equal(c.calls, calls);
    close_yard(&y);
    assert_int_equal(c.live, 0);
}

static void test_faults_are_named(void **state)
{
    (void)state;
    yard y = open_yard(zero, NULL);
    pliant_error error = {0};
    pliant_body_id a = add(&y, y.ball, zero, zero), b = add(&y, y.block, zero, zero);
    pliant_body_id gone = add(&y, y.ball, zero, zero);
    pliant_world_remove_body(y.world, gone);
    pliant_plane_def ground = pliant_default_plane_def();
    pliant_collider_id floor_id = pliant_world_add_plane(y.world, &ground, &error);
    const pliant_body_id none = {0, 0};
    const pliant_collider_id no_plane = {7, 1}, nothing = {0, 0};
    const struct {
        pliant_body_id body;
        int particle;
        pliant_body_id other;
        int other_particle;
        pliant_collider_id collider;
        vec3 anchor;
        float length, stiffness, strength;
        const char *place;
    } cases[] = {
        {none, 0, b, 0, nothing, {0, 0, 0}, -1, 1, 0, "body"},
        {gone, 0, b, 0, nothing, {0, 0, 0}, -1, 1, 0, "body"},
        {a, 1, b, 0, nothing, {0, 0, 0}, -1, 1, 0, "particle"},
        {a, -1, b, 0, nothing, {0, 0, 0}, -1, 1, 0, "particle"},
        {a, 0, gone, 0, nothing, {0, 0, 0}, -1, 1, 0, "other_body"},
        {a, 0, b, 8, nothing, {0, 0, 0}, -1, 1, 0, "other_particle"},
        {a, 0, b, -1, nothing, {0, 0, 0}, -1, 1, 0, "other_particle"},
        {b, 3, b, 3, nothing, {0, 0, 0}, -1, 1, 0, "other_particle"},
        {a, 0, b, 0, floor_id, {0, 0, 0}, -1, 1, 0, "collider"},
        {a, 0, none, 0, no_plane, {0, 0, 0}, -1, 1, 0, "collider"},
        {a, 0, none, 0, nothing, {0, NAN, 0}, -1, 1, 0, "anchor"},
        {a, 0, none, 0, floor_id, {INFINITY, 0, 0}, -1, 1, 0, "anchor"},
        {a, 0, none, 0, nothing, {0, 0, 2e6f}, -1, 1, 0, "anchor"},
        {a, 0, b, 0, nothing, {0, 0, 0}, NAN, 1, 0, "length"},
        {a, 0, b, 0, nothing, {0, 0, 0}, -INFINITY, 1, 0, "length"},
        {a, 0, b, 0, nothing, {0, 0, 0}, 2e6f, 1, 0, "length"},
        {a, 0, b, 0, nothing, {0, 0, 0}, -1, 1.5f, 0, "stiffness"},
        {a, 0, b, 0, nothing, {0, 0, 0}, -1, -0.1f, 0, "stiffness"},
        {a, 0, b, 0, nothing, {0, 0, 0}, -1, NAN, 0, "stiffness"},
        {a, 0, b, 0, nothing, {0, 0, 0}, -1, 1, -1, "strength"},
        {a, 0, b, 0, nothing, {0, 0, 0}, -1, 1, INFINITY, "strength"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        pliant_attachment_def def = {.body = cases[i].body,
                                     .particle = cases[i].particle,
                                     .other_body = cases[i].other,
                                     .other_particle = cases[i].other_particle,
                                     .collider = cases[i].collider,
                                     .anchor = cases[i].anchor,
                                     .length = cases[i].length,
                                     .stiffness = cases[i].stiffness,
                                     .strength = cases[i].strength};
        pliant_attachment_id id = pliant_world_add_attachment(y.world, &def, &error);
        assert_int_equal(error.code, PLIANT_ERROR_ARGUMENT);
        assert_string_equal(error.place, cases[i].place);
        assert_true(error.message[0] != 0 && !strchr(error.message, '\n'));
        assert_int_equal(id.generation, 0);
        assert_int_equal(y.world->attachment_slot_count, 0);
    }
    // Two particles of one body are fine.
    join(&y, b, 0, b, 7);
    close_yard(&y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pendulum),
        cmocka_unit_test(test_pair_keeps_momentum),
        cmocka_unit_test(test_chain_of_bodies),
        cmocka_unit_test(test_string_goes_slack),
        cmocka_unit_test(test_force_and_strength),
        cmocka_unit_test(test_spring),
        cmocka_unit_test(test_drag),
        cmocka_unit_test(test_jumps_are_calm),
        cmocka_unit_test(test_pulling_in_leaves_no_speed),
        cmocka_unit_test(test_contact_of_attached),
        cmocka_unit_test(test_pinned_and_frozen),
        cmocka_unit_test(test_sleep),
        cmocka_unit_test(test_moving_collider),
        cmocka_unit_test(test_goes_with_body_and_collider),
        cmocka_unit_test(test_snapshot),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_faults_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
