// Sleep: when bodies fall asleep, what wakes them, and that it changes nothing else.

#include "solids.h"

static const pliant_vec3 ZERO = {0, 0, 0};

// A block that lies on a plane or a box, awake.
typedef struct bed {
    setup s;
    ground g;
    pliant_collider_id collider;
} bed;

static bed bed_of(pliant_shape_kind kind)
{
    bed b = {.s = block_setup(true, 0.0f), .g = ground_of(kind)};
    return b;
}

static void bed_open(bed *b)
{
    setup_open(&b->s);
    b->collider = add_ground(b->s.world, &b->g);
}

static void bed_close(bed *b)
{
    setup_close(&b->s);
    pliant_shape_destroy(b->g.shape);
}

static bool is_asleep(const bed *b)
{
    return pliant_body_is_asleep(b->s.world, b->s.body);
}

static bed sleeping_bed(pliant_shape_kind kind)
{
    bed b = bed_of(kind);
    bed_open(&b);
    run(&b.s, 2.0, DT);
    assert_true(is_asleep(&b));
    return b;
}

// ---------------------------------------------------------------------------------------------
// Falling asleep

static void test_falls_asleep_after_its_time_and_not_before(void **state)
{
    (void)state;
    static const float times[] = {0.1f, 0.5f, 2.0f};
    for (int k = 0; k < 3; ++k) {
        bed b = bed_of(PLIANT_SHAPE_BOX);
        b.s.world_def.sleep_time = times[k];
        bed_open(&b);
        double calm = 0;
        while (!is_asleep(&b)) {
            pliant_world_step(b.s.world, DT);
            float fastest = fastest_of(b.s.world, b.s.body);
            if (!is_asleep(&b))
                calm = fastest < 0.02f ? calm + (double)DT : 0.0;
            assert_below(calm, times[k] + 2.0f * DT);
            assert_below(pliant_world_time(b.s.world), 10.0);
        }
        // It stood still from the start, but for settling.
        assert_near(calm, times[k], 2.5 * (double)DT);
        assert_true(pliant_world_time(b.s.world) > (double)times[k] - 1e-6);
        assert_int_equal(pliant_world_report(b.s.world).sleeping_bodies, 1);
        bed_close(&b);
    }
}

static void test_moving_bodies_stay_awake(void **state)
{
    (void)state;
    ground g = ground_of(PLIANT_SHAPE_PLANE);
    setup s = particle_setup((vec3){0.2f, 0.2f, 0.2f});
    s.body_def.position.y = 0.2f;
    s.body_def.linear_velocity.x = 0.1f;
    s.body_def.angular_velocity.z = -0.5f;
    setup_open(&s);
    add_ground(s.world, &g);
    run(&s, 5.0, DT);
    assert_false(pliant_body_is_asleep(s.world, s.body));
    assert_near(velocity_of(&s, 0).x, 0.1, 1e-3);
    setup_close(&s);
    // One that only spins.
    s = particle_setup((vec3){0.2f, 0.2f, 0.2f});
    s.world_def.gravity = ZERO;
    s.body_def.angular_velocity.y = 0.5f;
    setup_open(&s);
    run(&s, 3.0, DT);
    assert_false(pliant_body_is_asleep(s.world, s.body));
    setup_close(&s);
    // One at the top of its flight is slow for a moment only.
    s = particle_setup((vec3){0.2f, 0.2f, 0.2f});
    s.body_def.linear_velocity.y = 5.0f;
    setup_open(&s);
    run(&s, 1.5, DT);
    assert_false(pliant_body_is_asleep(s.world, s.body));
    setup_close(&s);
    pliant_shape_destroy(g.shape);
}

// On a belt slower than sleep_speed it looks calm, but it is carried.
static void test_what_is_carried_stays_awake(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind) {
        if (!is_flat(kind))
            continue;
        bed b = bed_of(kind);
        bed_open(&b);
        pliant_collider_set_velocity(b.s.world, b.collider, (vec3){0.01f, 0, 0}, ZERO);
        for (int i = 0; i < 180; ++i) {
            pliant_world_step(b.s.world, DT);
            assert_false(is_asleep(&b));
        }
        assert_near(position_of(&b.s, 0).x, -0.2 + 0.03, 2e-3);
        pliant_collider_set_velocity(b.s.world, b.collider, ZERO, ZERO);
        run(&b.s, 2.0, DT);
        assert_true(is_asleep(&b));
        bed_close(&b);
    }
}

static void test_speed_zero_never_sleeps(void **state)
{
    (void)state;
    bed b = bed_of(PLIANT_SHAPE_BOX);
    b.s.world_def.sleep_speed = 0.0f;
    bed_open(&b);
    run(&b.s, 10.0, DT);
    assert_false(is_asleep(&b));
    assert_int_equal(pliant_world_report(b.s.world).sleeping_bodies, 0);
    assert_int_equal(pliant_world_report(b.s.world).contacts, 9);
    bed_close(&b);
}

static void test_sleepers_do_not_change_a_bit(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind) {
        bed b = bed_of(kind);
        b.s.body_def.linear_damping = b.s.body_def.angular_damping = 0.5f;
        b.s.body_def.shape_damping = 0.9f;
        bed_open(&b);
        run(&b.s, 5.0, DT);
        assert_true(is_asleep(&b));
        pliant_pose before[18], after[18];
        pliant_body_poses(b.s.world, b.s.body, before);
        run(&b.s, 60.0, DT);
        pliant_body_poses(b.s.world, b.s.body, after);
        assert_memory_equal(before, after, sizeof before);
        assert_true(is_asleep(&b));
        assert_true(fastest_of(b.s.world, b.s.body) == 0.0f);
        assert_int_equal(pliant_world_report(b.s.world).contacts, 0);
        assert_int_equal(pliant_world_contacts(b.s.world, NULL, 0), 0);
        bed_close(&b);
    }
}

// ---------------------------------------------------------------------------------------------
// Waking

typedef enum waker {
    BY_HAND,
    BY_IMPULSE,
    BY_PARTICLE_IMPULSE,
    BY_FORCE,
    BY_PARTICLE_FORCE,
    BY_VELOCITY,
    BY_POSE,
    BY_RESET,
    BY_PIN,
    BY_GRAVITY,
    BY_GRAVITY_SCALE,
    BY_FRICTION,
    BY_STIFFNESS,
    BY_REMOVAL,
    BY_COLLIDER_POSE,
    BY_COLLIDER_VELOCITY,
    BY_COLLIDER_TARGET,
    BY_COLLIDER_NEAR,
    WAKERS
} waker;

static void wake(bed *b, waker how)
{
    pliant_world *world = b->s.world;
    pliant_body_id id = b->s.body;
    pliant_pose pose = pliant_collider_pose(world, b->collider);
    switch (how) {
    case BY_HAND:
        pliant_body_wake(world, id);
        break;
    case BY_IMPULSE:
        pliant_body_apply_impulse(world, id, (vec3){0, 1, 0});
        break;
    case BY_PARTICLE_IMPULSE:
        pliant_body_apply_particle_impulse(world, id, 3, (vec3){0, 0.1f, 0});
        break;
    case BY_FORCE:
        pliant_body_apply_force(world, id, (vec3){0, 100, 0});
        break;
    case BY_PARTICLE_FORCE:
        pliant_body_apply_particle_force(world, id, 3, (vec3){0, 100, 0});
        break;
    case BY_VELOCITY:
        pliant_body_set_velocity(world, id, (vec3){0, 1, 0}, ZERO);
        break;
    case BY_POSE: {
        pliant_pose particle = pliant_body_particle_pose(world, id, 3);
        particle.position.y += 0.05f;
        pliant_body_set_particle_pose(world, id, 3, particle);
        break;
    }
    case BY_RESET:
        pliant_body_reset(world, id, (pliant_pose){{0, 1, 0}, {0, 0, 0, 1}});
        break;
    case BY_PIN:
        assert_int_equal(pliant_body_set_pinned(world, id, 4, true, NULL), PLIANT_OK);
        break;
    case BY_GRAVITY:
        pliant_world_set_gravity(world, (vec3){0, 1, 0});
        break;
    case BY_GRAVITY_SCALE:
        pliant_body_set_gravity_scale(world, id, -1.0f);
        break;
    case BY_FRICTION:
        pliant_body_set_friction(world, id, 0.0f);
        break;
    case BY_STIFFNESS:
        pliant_body_set_stiffness_scale(world, id, 0.01f);
        break;
    case BY_REMOVAL:
        pliant_world_remove_collider(world, b->collider);
        break;
    case BY_COLLIDER_POSE:
        pose.position.y -= 1.0f;
        pliant_collider_set_pose(world, b->collider, pose);
        break;
    case BY_COLLIDER_VELOCITY:
        pliant_collider_set_velocity(world, b->collider, (vec3){1, 0, 0}, ZERO);
        pliant_world_step(world, DT);
        break;
    case BY_COLLIDER_TARGET:
        pose.position.y += 0.01f;
        pliant_collider_move_to(world, b->collider, pose);
        pliant_world_step(world, DT);
        break;
    case BY_COLLIDER_NEAR: {
        pliant_collider_def def = solid_def(b->g.shape, (vec3){0, 1.2f, 0});
        def.linear_velocity.y = -3.0f;
        pliant_collider_id id2 = add_solid(world, &def); // this wakes all, so sleep again
        pliant_collider_set_velocity(world, id2, ZERO, ZERO);
        run(&b->s, 2.0, DT);
        assert_true(is_asleep(b));
        pliant_collider_set_velocity(world, id2, (vec3){0, -3, 0}, ZERO);
        run(&b->s, 0.1, DT);
        break;
    }
    default:
        break;
    }
}

static void test_everything_wakes_it(void **state)
{
    (void)state;
    for (int how = 0; how < WAKERS; ++how) {
        bed b = sleeping_bed(PLIANT_SHAPE_BOX);
        wake(&b, (waker)how);
        if (is_asleep(&b))
            fail_msg("waker %d did not wake", how);
        pliant_pose before[18], after[18];
        pliant_body_poses(b.s.world, b.s.body, before);
        run(&b.s, 0.1, DT);
        pliant_body_poses(b.s.world, b.s.body, after);
        assert_false(is_asleep(&b));
        bool has_moved = memcmp(before, after, sizeof before) != 0;
        assert_true(has_moved || how == BY_HAND || how == BY_PIN || how == BY_FRICTION);
        bed_close(&b);
    }
}

// What does nothing lets it sleep.
static void test_nothing_does_not_wake_it(void **state)
{
    (void)state;
    bed b = sleeping_bed(PLIANT_SHAPE_BOX);
    pliant_world *world = b.s.world;
    pliant_body_apply_force(world, b.s.body, ZERO);
    pliant_body_apply_impulse(world, b.s.body, ZERO);
    pliant_world_set_gravity(world, (vec3){NAN, 0, 0});
    pliant_body_set_pinned(world, b.s.body, 0, false, NULL);
    pliant_body_set_target(world, b.s.body, 0, (pliant_pose){{0, 9, 0}, {0, 0, 0, 1}});
    pliant_body_set_restitution(world, b.s.body, 0.5f);
    pliant_world_ray_cast(world, (vec3){0, 5, 0}, (vec3){0, -1, 0}, 10.0f, 1, &(pliant_hit){0});
    run(&b.s, 0.5, DT);
    assert_true(is_asleep(&b));
    // Nor does a body that passes at a distance, nor a collider that moves far away.
    pliant_shape *far = ball_shape(0.5f);
    pliant_collider_def def = solid_def(far, (vec3){0, 20, 0});
    def.linear_velocity.x = 1.0f;
    add_solid(world, &def);
    run(&b.s, 2.0, DT);
    assert_true(is_asleep(&b));
    pliant_body_def other = b.s.body_def;
    other.position = (vec3){-3, 1.5f, 0};
    other.linear_velocity = (vec3){8, 0, 0};
    add_thing(world, &other);
    run(&b.s, 0.5, DT);
    assert_true(is_asleep(&b));
    bed_close(&b);
    pliant_shape_destroy(far);
}

// What comes and goes far away, bodies and colliders, wakes nobody; beside a sleeper, or attached to it, it does.
static void test_change_wakes_neighbours_only(void **state)
{
    (void)state;
    bed b = sleeping_bed(PLIANT_SHAPE_BOX);
    pliant_world *world = b.s.world;
    pliant_shape *ball = ball_shape(0.3f);
    pliant_body_def far = b.s.body_def;
    far.position = (vec3){50, 50, 0};
    for (int round = 0; round < 3; ++round) {
        pliant_collider_def def = solid_def(ball, (vec3){30, 0, (float)round});
        pliant_collider_id solid = add_solid(world, &def);
        pliant_body_id other = add_thing(world, &far);
        pliant_world_step(world, DT);
        pliant_collider_set_pose(world, solid, (pliant_pose){{40, 0, 0}, {0, 0, 0, 1}});
        pliant_world_remove_body(world, other);
        pliant_world_remove_collider(world, solid);
        pliant_world_step(world, DT);
        assert_true(is_asleep(&b));
    }

    // A body on top of it.
    pliant_body_def beside = b.s.body_def;
    beside.position.y += 0.41f;
    pliant_body_id other = add_thing(world, &beside);
    run(&b.s, 4.0, DT);
    assert_true(is_asleep(&b));
    pliant_world_remove_body(world, other);
    assert_false(is_asleep(&b));
    run(&b.s, 2.0, DT);

    // A collider that is put beside it, and one that it is taken from.
    pliant_collider_def def = solid_def(ball, (vec3){0, 0.3f, 0});
    pliant_collider_id solid = add_solid(world, &def);
    assert_false(is_asleep(&b));
    pliant_world_remove_collider(world, solid);
    run(&b.s, 2.0, DT);
    assert_true(is_asleep(&b));

    // What it hangs on, wherever that is.
    other = add_thing(world, &far);
    pliant_attachment_def attachment = pliant_default_attachment_def();
    attachment.body = b.s.body;
    attachment.other_body = other;
    attachment.length = 1000.0f;
    assert_true(pliant_world_add_attachment(world, &attachment, NULL).generation > 0);
    pliant_body_sleep(world, b.s.body);
    pliant_body_sleep(world, other);
    pliant_world_remove_body(world, other);
    assert_false(is_asleep(&b));
    bed_close(&b);
    pliant_shape_destroy(ball);
}

static void test_target_wakes_and_keeps_awake(void **state)
{
    (void)state;
    lattice l = lattice_of(6, 1, 1);
    l.pinned_columns = 2;
    setup s = setup_of(&l);
    setup_open(&s);
    run(&s, 1.0, DT);
    assert_true(pliant_body_is_asleep(s.world, s.body));
    for (int i = 1; i <= 120; ++i) { // slower than sleep_speed
        for (int k = 0; k < 2; ++k) {
            pliant_pose target = {{0.2f * (float)k, 1e-4f * (float)i, 0}, {0, 0, 0, 1}};
            pliant_body_set_target(s.world, s.body, k, target);
        }
        assert_false(pliant_body_is_asleep(s.world, s.body));
        pliant_world_step(s.world, DT);
        assert_near(position_of(&s, 0).y, 1e-4 * i, 1e-6);
    }
    setup_close(&s);
}

// A rigid plate on two rods that contradict each other trembles faster than sleep_speed, but gets nowhere. It sleeps, where
// without sleep it trembles on; what swings or spins does not (test_moving_bodies_stay_awake).
static void test_what_trembles_falls_asleep(void **state)
{
    (void)state;
    for (int sleeps = 0; sleeps < 2; ++sleeps) {
        lattice l = lattice_of(3, 1, 2);
        l.is_rigid = true;
        setup s = setup_of(&l);
        s.world_def.gravity.y = -9.81f;
        s.world_def.sleep_speed = sleeps ? 0.02f : 0.0f;
        s.world_def.substep_length = pliant_substep_length(1);
        s.body_def.linear_damping = s.body_def.angular_damping = 0.9f;
        setup_open(&s);
        for (int k = 0; k < 2; ++k) {
            pliant_attachment_def rod = pliant_default_attachment_def();
            rod.body = s.body;
            rod.particle = k ? 5 : 0;
            rod.length = 0.01f;
            rod.anchor = (vec3){k ? 0.45f : 0.0f, 0.01f, k ? 0.2f : 0.0f};
            assert_int_not_equal(pliant_world_add_attachment(s.world, &rod, NULL).generation, 0);
        }
        run(&s, 15.0, DT);
        float fastest = 0.0f;
        for (int i = 0; i < 6; ++i)
            fastest = maximum(fastest, vec3_length(velocity_of(&s, i)));
        print_message("%s: %g m/s\n", sleeps ? "asleep" : "awake", (double)fastest);
        assert_int_equal(pliant_body_is_asleep(s.world, s.body), sleeps);
        assert_true(sleeps ? fastest == 0.0f : fastest > 0.02f);
        setup_close(&s);
    }
}

// A target is for the next step. Of a body that is put to sleep before, nothing goes there when it wakes, however short the
// step is then.
static void test_sleep_takes_targets(void **state)
{
    (void)state;
    lattice l = lattice_of(3, 1, 1);
    l.pinned_columns = 1;
    setup s = setup_of(&l);
    setup_open(&s);
    pliant_body_set_target(s.world, s.body, 0, (pliant_pose){{0, 1, 0}, {0, 0, 0, 1}});
    pliant_body_sleep(s.world, s.body);
    run(&s, 0.1, DT);
    pliant_body_wake(s.world, s.body);
    pliant_world_step(s.world, 1e-4f);
    assert_near(position_of(&s, 0).y, 0.0, 0);
    assert_below(vec3_length(velocity_of(&s, 0)), 1e-6);
    setup_close(&s);
}

static void test_sleep_by_hand(void **state)
{
    (void)state;
    setup s = particle_setup((vec3){0.2f, 0.2f, 0.2f});
    s.body_def.position.y = 3.0f;
    s.body_def.linear_velocity = (vec3){1, 2, 3};
    setup_open(&s);
    pliant_body_sleep(s.world, s.body);
    assert_true(pliant_body_is_asleep(s.world, s.body));
    run(&s, 1.0, DT);
    assert_near(position_of(&s, 0).y, 3.0, 0);
    assert_true(vec3_length(velocity_of(&s, 0)) == 0.0f);
    pliant_body_wake(s.world, s.body);
    run(&s, 0.5, DT);
    assert_near(position_of(&s, 0).y, 3.0 - 0.5 * 9.81 * 0.25, 0.03);
    setup_close(&s);
}

// ---------------------------------------------------------------------------------------------
// Islands

enum { STOREYS = 5 };

typedef struct tower {
    ground g;
    pliant_model *model;
    pliant_world *world;
    pliant_collider_id collider;
    pliant_body_id blocks[STOREYS];
} tower;

static tower tower_open(float sleep_speed)
{
    tower t = {.g = ground_of(PLIANT_SHAPE_BOX)};
    lattice l = lattice_of(3, 2, 3);
    l.is_rigid = true;
    t.model = lattice_model(&l);
    pliant_world_def world_def = pliant_default_world_def();
    world_def.sleep_speed = sleep_speed;
    t.world = pliant_world_create(&world_def, NULL);
    t.collider = add_ground(t.world, &t.g);
    for (int i = 0; i < STOREYS; ++i) {
        pliant_body_def def = pliant_default_body_def();
        def.model = t.model;
        def.position = (vec3){-0.2f, 0.1f + 0.4f * (float)i, -0.2f};
        def.friction = 0.8f;
        t.blocks[i] = add_thing(t.world, &def);
    }
    return t;
}

static void tower_close(tower *t)
{
    pliant_world_destroy(t->world);
    pliant_model_destroy(t->model);
    pliant_shape_destroy(t->g.shape);
}

static void tower_run(tower *t, double seconds)
{
    for (int i = 0; i < (int)(seconds / (double)DT + 0.5); ++i)
        pliant_world_step(t->world, DT);
}

static int tower_sleepers(const tower *t)
{
    int count = 0;
    for (int i = 0; i < STOREYS; ++i)
        count += pliant_body_is_valid(t->world, t->blocks[i]) &&
                 pliant_body_is_asleep(t->world, t->blocks[i]);
    return count;
}

static void test_tower_sleeps_and_wakes_as_one(void **state)
{
    (void)state;
    for (int which = 0; which < STOREYS; ++which) {
        tower t = tower_open(0.02f);
        for (int i = 0; i < 600; ++i) {
            pliant_world_step(t.world, DT);
            int sleepers = tower_sleepers(&t);
            assert_true(sleepers == 0 || sleepers == STOREYS);
        }
        assert_int_equal(tower_sleepers(&t), STOREYS);
        pliant_body_wake(t.world, t.blocks[which]);
        assert_int_equal(tower_sleepers(&t), 0);
        tower_run(&t, 5.0);
        assert_int_equal(tower_sleepers(&t), STOREYS);
        tower_close(&t);
    }
}

static void test_tower_of_five_stands_for_a_minute(void **state)
{
    (void)state;
    tower t = tower_open(0.02f);
    tower_run(&t, 10.0);
    assert_int_equal(tower_sleepers(&t), STOREYS);
    for (int i = 0; i < STOREYS; ++i) {
        vec3 x = pliant_body_particle_pose(t.world, t.blocks[i], 0).position;
        assert_near(x.x, -0.2, 0.02);
        assert_near(x.y, 0.1 + 0.4 * i, 0.02);
        assert_near(x.z, -0.2, 0.02);
    }
    pliant_pose before[18], after[18];
    pliant_body_poses(t.world, t.blocks[STOREYS - 1], before);
    tower_run(&t, 60.0);
    pliant_body_poses(t.world, t.blocks[STOREYS - 1], after);
    assert_memory_equal(before, after, sizeof before);
    assert_int_equal(tower_sleepers(&t), STOREYS);
    tower_close(&t);
}

// Without its lowest block, and without the ground, the tower falls.
static void test_tower_falls_without_its_support(void **state)
{
    (void)state;
    for (int ground_too = 0; ground_too < 2; ++ground_too) {
        tower t = tower_open(0.02f);
        tower_run(&t, 5.0);
        assert_int_equal(tower_sleepers(&t), STOREYS);
        float top = pliant_body_particle_pose(t.world, t.blocks[STOREYS - 1], 0).position.y;
        if (ground_too)
            pliant_world_remove_collider(t.world, t.collider);
        else
            pliant_world_remove_body(t.world, t.blocks[0]);
        assert_int_equal(tower_sleepers(&t), 0);
        tower_run(&t, 0.25);
        float fallen =
            top - pliant_body_particle_pose(t.world, t.blocks[STOREYS - 1], 0).position.y;
        assert_near(fallen, 0.5 * 9.81 * 0.25 * 0.25, 0.03); // the tower was a little pressed
        tower_close(&t);
    }
}

// Two that do not touch are no island.
static void test_neighbours_sleep_on(void **state)
{
    (void)state;
    bed b = bed_of(PLIANT_SHAPE_PLANE);
    bed_open(&b);
    pliant_body_def other = b.s.body_def;
    other.position.x += 2.0f;
    pliant_body_id id = add_thing(b.s.world, &other);
    run(&b.s, 2.0, DT);
    assert_int_equal(pliant_world_report(b.s.world).sleeping_bodies, 2);
    pliant_body_apply_impulse(b.s.world, id, (vec3){0, 1, 0});
    assert_true(is_asleep(&b));
    run(&b.s, 0.3, DT);
    assert_true(is_asleep(&b));
    assert_false(pliant_body_is_asleep(b.s.world, id));
    bed_close(&b);
}

// ---------------------------------------------------------------------------------------------
// Being hit

typedef struct meeting {
    double momentum[2][3];
    vec3 places[2];
    bool were_asleep;
} meeting;

// A ball flies at one that stands; both are free, or the standing one lies on the ground.
static meeting meet(float sleep_speed, int round)
{
    uint32_t random = 50 + (uint32_t)round;
    pliant_model *models[2] = {particle_model((vec3){0.2f, 0.2f, 0.2f}, 1.0f),
                               particle_model((vec3){0.25f, 0.18f, 0.2f}, 2.0f)};
    pliant_world_def world_def = pliant_default_world_def();
    world_def.sleep_speed = sleep_speed;
    world_def.gravity = ZERO;
    pliant_world *world = pliant_world_create(&world_def, NULL);
    pliant_body_def def = pliant_default_body_def();
    def.model = models[1];
    pliant_body_id standing = add_thing(world, &def);
    for (int i = 0; i < 60; ++i)
        pliant_world_step(world, DT);
    meeting m = {.were_asleep = pliant_body_is_asleep(world, standing)};
    def.model = models[0];
    def.position =
        (vec3){-1, random_between(&random, -0.2f, 0.2f), random_between(&random, -0.2f, 0.2f)};
    def.linear_velocity.x = round % 2 ? 3.0f : 60.0f;
    pliant_body_id flying = add_thing(world, &def);
    for (int i = 0; i < 60; ++i)
        pliant_world_step(world, DT);
    for (int k = 0; k < 2; ++k) {
        pliant_body_id id = k ? standing : flying;
        memcpy(m.momentum[k], pliant_body_motion(world, id).linear_momentum, sizeof m.momentum[k]);
        m.places[k] = pliant_body_particle_pose(world, id, 0).position;
    }
    pliant_world_destroy(world);
    pliant_model_destroy(models[0]);
    pliant_model_destroy(models[1]);
    return m;
}

static void test_sleeper_is_hit_as_one_awake(void **state)
{
    (void)state;
    for (int round = 0; round < 40; ++round) {
        meeting asleep = meet(0.02f, round), awake = meet(0.0f, round);
        assert_true(asleep.were_asleep && !awake.were_asleep);
        double size = round % 2 ? 3.0 : 60.0;
        assert_true(fabs(awake.momentum[1][0]) > 0.05 * size); // they met
        for (int k = 0; k < 2; ++k) {
            for (int i = 0; i < 3; ++i)
                assert_near(asleep.momentum[k][i], awake.momentum[k][i], 1e-4 * size);
            assert_below(vec3_length(vec3_sub(asleep.places[k], awake.places[k])), 1e-4 * size);
        }
    }
}

// A row of balls, a hair apart, hit from one end: what the sleepers behind the first get is not lost.
static void test_row_of_sleepers_takes_a_blow(void **state)
{
    (void)state;
    enum { ROW = 5 };
    pliant_model *model = particle_model((vec3){0.1f, 0.1f, 0.1f}, 1.0f);
    double momenta[2] = {0};
    for (int sleeps = 0; sleeps < 2; ++sleeps) {
        pliant_world_def world_def = pliant_default_world_def();
        world_def.sleep_speed = sleeps ? 0.02f : 0.0f;
        world_def.gravity = ZERO;
        pliant_world *world = pliant_world_create(&world_def, NULL);
        pliant_body_id balls[ROW];
        pliant_body_def def = pliant_default_body_def();
        def.model = model;
        def.linear_damping = def.angular_damping = 0.0f;
        for (int i = 0; i < ROW; ++i) {
            def.position = (vec3){0.2005f * (float)i, 0.01f * (float)(i % 2), 0};
            balls[i] = add_thing(world, &def);
        }
        for (int i = 0; i < 60; ++i)
            pliant_world_step(world, DT);
        assert_int_equal(pliant_world_report(world).sleeping_bodies, sleeps ? ROW : 0);
        pliant_pose before = pliant_body_particle_pose(world, balls[ROW - 1], 0);
        pliant_body_set_velocity(world, balls[0], (vec3){2, 0, 0}, ZERO);
        for (int i = 0; i < 60; ++i) {
            pliant_world_step(world, DT);
            // Who sleeps has not moved or turned.
            if (pliant_body_is_asleep(world, balls[ROW - 1])) {
                pliant_pose now = pliant_body_particle_pose(world, balls[ROW - 1], 0);
                assert_memory_equal(&now, &before, sizeof now);
            }
        }
        double sum[3] = {0};
        for (int i = 0; i < ROW; ++i)
            for (int k = 0; k < 3; ++k)
                sum[k] += pliant_body_motion(world, balls[i]).linear_momentum[k];
        momenta[sleeps] = sum[0];
        assert_near(sum[0], 2.0, 1e-4);
        assert_near(sum[1], 0.0, 1e-4);
        pliant_world_destroy(world);
    }
    assert_near(momenta[0], momenta[1], 1e-4);
    pliant_model_destroy(model);
}

// A soft body is woken by a touch of any of its particles, and a pile of two by a touch of one.
static void test_touch_wakes_the_whole_island(void **state)
{
    (void)state;
    tower t = tower_open(0.02f);
    tower_run(&t, 5.0);
    assert_int_equal(tower_sleepers(&t), STOREYS);
    pliant_model *ball = particle_model((vec3){0.1f, 0.1f, 0.1f}, 0.2f);
    pliant_body_def def = pliant_default_body_def();
    def.model = ball;
    def.position = (vec3){0.05f, 0.4f * STOREYS + 0.6f, 0.03f};
    pliant_body_id id = add_thing(t.world, &def);
    int woke_at = -1;
    for (int i = 0; i < 60; ++i) {
        pliant_world_step(t.world, DT);
        float low = pliant_body_particle_pose(t.world, id, 0).position.y - 0.1f;
        int sleepers = tower_sleepers(&t);
        assert_true(sleepers == 0 || sleepers == STOREYS);
        if (woke_at < 0 && sleepers == 0) {
            woke_at = i;
            assert_near(low, 0.4 * STOREYS, 0.1); // not before it was there
        }
    }
    assert_true(woke_at > 0);
    pliant_world_destroy(t.world);
    pliant_model_destroy(ball);
    pliant_model_destroy(t.model);
    pliant_shape_destroy(t.g.shape);
}

// Two that touch now and then, each about to rest, would else wake each other for ever: one that has been calm for a while wakes
// another for as long as it stays awake itself.
static void test_calm_ones_wake_for_a_moment(void **state)
{
    (void)state;
    for (int is_calm = 0; is_calm < 2; ++is_calm) {
        pliant_world_def world_def = pliant_default_world_def();
        world_def.gravity = (vec3){0, 0, 0};
        pliant_world *world = pliant_world_create(&world_def, NULL);
        pliant_model *ball = particle_model((vec3){0.1f, 0.1f, 0.1f}, 0.2f);
        pliant_body_def def = pliant_default_body_def();
        def.model = ball;
        def.linear_damping = def.angular_damping = 0.0f;
        pliant_body_id sleeper = add_thing(world, &def);
        for (int i = 0; i < 60; ++i)
            pliant_world_step(world, DT);
        assert_true(pliant_body_is_asleep(world, sleeper));
        float speed = is_calm ? 0.008f : 0.08f; // m/s, over 0.4 s
        def.position.x = -0.2f - 0.4f * speed;
        def.linear_velocity.x = speed;
        pliant_body_id other = add_thing(world, &def);
        int awake = 0;
        for (int i = 0; i < 60; ++i) {
            pliant_world_step(world, DT);
            awake += !pliant_body_is_asleep(world, sleeper);
        }
        assert_true(is_calm ? awake > 2 && awake < 12 : awake > 30);
        assert_true(!is_calm || pliant_body_is_asleep(world, other));
        pliant_world_destroy(world);
        pliant_model_destroy(ball);
    }
}

// ---------------------------------------------------------------------------------------------
// Snapshots

static void test_snapshot_of_sleepers(void **state)
{
    (void)state;
    tower t = tower_open(0.02f);
    tower_run(&t, 5.0);
    assert_int_equal(tower_sleepers(&t), STOREYS);
    size_t size = pliant_world_snapshot_size(t.world);
    void *picture = malloc(size);
    pliant_world_snapshot(t.world, picture);
    enum { STEPS = 90 };
    uint64_t hashes[STEPS];
    for (int round = 0; round < 2; ++round) {
        for (int i = 0; i < STEPS; ++i) {
            if (i == 20)
                pliant_body_apply_particle_impulse(t.world, t.blocks[2], 0, (vec3){0.3f, 0, 0});
            if (i <= 40)
                assert_int_equal(tower_sleepers(&t), i < 20 ? STOREYS : 0);
            pliant_world_step(t.world, DT);
            if (round == 0)
                hashes[i] = pliant_world_hash(t.world);
            else
                assert_int_equal(pliant_world_hash(t.world), hashes[i]);
        }
        assert_int_equal(pliant_world_restore(t.world, picture, size, NULL), PLIANT_OK);
        assert_int_equal(tower_sleepers(&t), STOREYS);
    }
    // Taken while they are calm but not yet asleep.
    pliant_body_wake(t.world, t.blocks[0]);
    tower_run(&t, 0.3);
    assert_int_equal(tower_sleepers(&t), 0);
    size_t size2 = pliant_world_snapshot_size(t.world);
    picture = realloc(picture, size2);
    pliant_world_snapshot(t.world, picture);
    int slept_at[2] = {0};
    for (int round = 0; round < 2; ++round) {
        while (tower_sleepers(&t) == 0) {
            pliant_world_step(t.world, DT);
            assert_below(++slept_at[round], 600);
        }
        assert_int_equal(pliant_world_restore(t.world, picture, size2, NULL), PLIANT_OK);
    }
    assert_int_equal(slept_at[0], slept_at[1]);
    free(picture);
    tower_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_falls_asleep_after_its_time_and_not_before),
        cmocka_unit_test(test_moving_bodies_stay_awake),
        cmocka_unit_test(test_what_is_carried_stays_awake),
        cmocka_unit_test(test_speed_zero_never_sleeps),
        cmocka_unit_test(test_sleepers_do_not_change_a_bit),
        cmocka_unit_test(test_everything_wakes_it),
        cmocka_unit_test(test_nothing_does_not_wake_it),
        cmocka_unit_test(test_change_wakes_neighbours_only),
        cmocka_unit_test(test_target_wakes_and_keeps_awake),
        cmocka_unit_test(test_sleep_by_hand),
        cmocka_unit_test(test_sleep_takes_targets),
        cmocka_unit_test(test_what_trembles_falls_asleep),
        cmocka_unit_test(test_tower_sleeps_and_wakes_as_one),
        cmocka_unit_test(test_tower_of_five_stands_for_a_minute),
        cmocka_unit_test(test_tower_falls_without_its_support),
        cmocka_unit_test(test_neighbours_sleep_on),
        cmocka_unit_test(test_sleeper_is_hit_as_one_awake),
        cmocka_unit_test(test_row_of_sleepers_takes_a_blow),
        cmocka_unit_test(test_touch_wakes_the_whole_island),
        cmocka_unit_test(test_calm_ones_wake_for_a_moment),
        cmocka_unit_test(test_snapshot_of_sleepers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
