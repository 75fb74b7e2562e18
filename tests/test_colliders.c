// Solids: resting, sliding, rolling, being carried, pushed and hit by them, and never passing through.

#include "counting.h"
#include "solids.h"
#include "world/world.h"

static const vec3 NOWHERE = {0, 0, 0};

// ---------------------------------------------------------------------------------------------
// Rest

// The body lies on the ground: it does not move, nothing is below it, something touches it.
static void check_rests(const setup *s, pliant_shape_kind kind, float radius, double tolerance)
{
    double lowest = 1e9;
    for (int i = 0; i < pliant_model_particle_count(s->model); ++i)
        lowest = fmin(lowest, height_over(kind, position_of(s, i)) - radius);
    assert_near(lowest, 0.0, tolerance);
    assert_below(fastest_of(s->world, s->body), 0.02);
    pliant_motion motion = pliant_body_motion(s->world, s->body);
    assert_below(fabs(motion.centre[0]) + fabs(motion.centre[2]), 0.1);
    assert_int_equal(pliant_world_report(s->world).dropped_contacts, 0);
    assert_int_equal(pliant_world_report(s->world).frozen_bodies, 0);
}

static void test_ball_rests_on_every_kind(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind) {
        ground g = ground_of(kind);
        setup s = particle_setup((vec3){0.2f, 0.2f, 0.2f});
        s.world_def.sleep_speed = 0.0f;
        s.body_def.position = (vec3){0, 0.6f, 0};
        setup_open(&s);
        add_ground(s.world, &g);
        run(&s, 2.0, DT);
        check_rests(&s, kind, 0.2f, 1e-4);
        assert_int_equal(pliant_world_report(s.world).contacts, 1);
        setup_close(&s);
        pliant_shape_destroy(g.shape);
    }
}

static void test_ellipsoid_rests_on_every_kind(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind) {
        ground g = ground_of(kind);
        setup s = particle_setup((vec3){0.3f, 0.1f, 0.2f});
        s.world_def.sleep_speed = 0.0f;
        s.body_def.position = (vec3){0, 0.4f, 0};
        s.body_def.orientation = quat_exp((vec3){0, 0.4f, 0});
        s.body_def.linear_damping = s.body_def.angular_damping = 0.3f;
        setup_open(&s);
        add_ground(s.world, &g);
        run(&s, 3.0, DT);
        check_rests(&s, kind, 0.1f, 2e-4);
        setup_close(&s);
        pliant_shape_destroy(g.shape);
    }
}

static void test_blocks_rest_on_every_kind(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind) {
        for (int rigid = 0; rigid < 2; ++rigid) {
            ground g = ground_of(kind);
            setup s = block_setup(rigid, 0.2f);
            setup_open(&s);
            add_ground(s.world, &g);
            for (int i = 0; i < 240; ++i) {
                pliant_world_step(s.world, DT);
                for (int p = 0; p < 18; ++p)
                    assert_true(height_over(kind, position_of(&s, p)) > 0.1 - 2e-3);
            }
            check_rests(&s, kind, 0.1f, 1e-3);
            if (is_flat(kind)) {
                for (int p = 0; p < 18; ++p)
                    assert_near(position_of(&s, p).y, p / 3 % 2 ? 0.3 : 0.1, rigid ? 1e-3 : 2e-2);
            }
            setup_close(&s);
            pliant_shape_destroy(g.shape);
        }
    }
}

// A ball on three balls: the centres are a pyramid with edges R + r over a triangle of side a, whose
// corners are a/√3 from its middle.
static void test_ball_lies_in_the_dip_of_three(void **state)
{
    (void)state;
    pliant_shape *ball = ball_shape(0.5f);
    setup s = particle_setup((vec3){0.2f, 0.2f, 0.2f});
    s.world_def.sleep_speed = 0.0f;
    s.body_def.position = (vec3){0.05f, 1.0f, -0.03f};
    s.body_def.linear_damping = s.body_def.angular_damping = 0.5f;
    setup_open(&s);
    double away = 1.0 / sqrt(3.0);
    for (int i = 0; i < 3; ++i) {
        double angle = 2.0 * 3.14159265358979 / 3.0 * i;
        pliant_collider_def def =
            solid_def(ball, (vec3){(float)(away * cos(angle)), 0, (float)(away * sin(angle))});
        add_solid(s.world, &def);
    }
    run(&s, 6.0, DT);
    vec3 x = position_of(&s, 0);
    assert_near(x.x, 0.0, 2e-3);
    assert_near(x.z, 0.0, 2e-3);
    assert_near(x.y, sqrt(0.7 * 0.7 - away * away), 1e-3);
    assert_below(vec3_length(velocity_of(&s, 0)), 1e-2);
    assert_int_equal(pliant_world_report(s.world).contacts, 3);
    setup_close(&s);
    pliant_shape_destroy(ball);
}

// Into the corner of a mesh folded up on three sides, and under a roof that is a hull.
static void test_ball_lies_in_a_corner(void **state)
{
    (void)state;
    static const vec3 points[] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}};
    static const int32_t triangles[] = {0, 3, 1, 0, 1, 2, 0, 2, 3};
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_MESH);
    def.points = points;
    def.point_count = 4;
    def.triangles = triangles;
    def.triangle_count = 3;
    pliant_shape *corner = shape_from(&def);
    setup s = particle_setup((vec3){0.2f, 0.2f, 0.2f});
    s.world_def.sleep_speed = 0.0f;
    s.world_def.gravity = (vec3){-5, -6, -7};
    s.body_def.position = (vec3){0.6f, 0.4f, 0.3f};
    setup_open(&s);
    pliant_collider_def solid = solid_def(corner, NOWHERE);
    add_solid(s.world, &solid);
    run(&s, 3.0, DT);
    vec3 x = position_of(&s, 0);
    assert_near(x.x, 0.2, 1e-3);
    assert_near(x.y, 0.2, 1e-3);
    assert_near(x.z, 0.2, 1e-3);
    assert_below(vec3_length(velocity_of(&s, 0)), 1e-2);
    setup_close(&s);
    pliant_shape_destroy(corner);
}

// ---------------------------------------------------------------------------------------------
// Friction

// How far a rigid block slides in two seconds on ground that is tilted.
static double slide_on(pliant_shape_kind kind, double angle, float friction)
{
    ground g = ground_of(kind);
    lattice l = lattice_of(4, 1, 4);
    l.is_rigid = true;
    setup s = setup_of(&l);
    quat turn = quat_exp((vec3){0, 0, -(float)angle});
    s.world_def.gravity = (vec3){0, -9.81f, 0};
    s.body_def.orientation = turn;
    s.body_def.position = quat_rotate(turn, (vec3){-2.3f, 0.1f, -0.3f});
    s.body_def.friction = friction;
    setup_open(&s);
    pliant_collider_def def = ground_def(&g, turn, NOWHERE);
    def.friction = friction;
    add_solid(s.world, &def);
    run(&s, 1.0, DT);
    vec3 before = position_of(&s, 5);
    run(&s, 2.0, DT);
    double moved = vec3_length(vec3_sub(position_of(&s, 5), before));
    assert_near(quat_rotate(quat_conjugate(turn), position_of(&s, 5)).y, 0.1, 1e-3);
    setup_close(&s);
    pliant_shape_destroy(g.shape);
    return moved;
}

static void test_slope_holds_up_to_the_friction_angle(void **state)
{
    (void)state;
    double angle = atan(0.4), degree = 3.14159265 / 180.0;
    for (int kind = 0; kind < KINDS; ++kind) {
        if (!is_flat(kind))
            continue;
        assert_below(slide_on(kind, angle - degree, 0.4f), 1e-3);
        // a = g (sin - mu cos), from rest or from the creep of the first second
        double a = 9.81 * (sin(angle + degree) - 0.4 * cos(angle + degree));
        assert_near(slide_on(kind, angle + degree, 0.4f), 0.5 * a * (9.0 - 1.0), 0.12);
    }
}

// The mean of the two coefficients is geometric.
static void test_friction_of_two_is_their_geometric_mean(void **state)
{
    (void)state;
    pliant_shape *cube = box_shape(20, 0.5f, 5);
    lattice l = lattice_of(4, 1, 4);
    l.is_rigid = true;
    setup s = setup_of(&l);
    s.world_def.gravity = (vec3){0, -9.81f, 0};
    s.body_def.position = (vec3){0, 0.1f, 0};
    s.body_def.linear_velocity = (vec3){2, 0, 0};
    s.body_def.friction = 0.9f;
    setup_open(&s);
    pliant_collider_def def = solid_def(cube, (vec3){0, -0.5f, 0});
    def.friction = 0.1f;
    add_solid(s.world, &def);
    run(&s, 3.0, DT);
    assert_near(position_of(&s, 0).x, 4.0 / (2.0 * 0.3 * 9.81), 0.05);
    setup_close(&s);
    pliant_shape_destroy(cube);
}

// ---------------------------------------------------------------------------------------------
// Rolling

static void roll_on(pliant_shape_kind kind)
{
    ground g = ground_of(kind);
    setup s = particle_setup((vec3){0.2f, 0.2f, 0.2f});
    const float speed = 3.0f;
    vec3 way = vec3_normalize_or((vec3){1, 0, 0.37f}, NOWHERE);
    s.body_def.position = (vec3){-4.3f, 0.2f, -1.6f};
    s.body_def.linear_velocity = vec3_scale(way, speed);
    s.body_def.angular_velocity = vec3_scale((vec3){way.z, 0, -way.x}, speed / 0.2f);
    setup_open(&s);
    add_ground(s.world, &g);
    double energy = pliant_body_motion(s.world, s.body).kinetic_energy;
    for (int i = 0; i < 170; ++i) {
        pliant_world_step(s.world, DT);
        vec3 v = velocity_of(&s, 0), spin = pliant_body_particle_spin(s.world, s.body, 0);
        assert_below(absolute(v.y), 1e-3);
        assert_near(position_of(&s, 0).y, 0.2, 1e-4);
        vec3 slip = vec3_add(v, vec3_cross(spin, (vec3){0, -0.2f, 0}));
        assert_below(vec3_length(slip), 2e-3);
        assert_near(pliant_body_motion(s.world, s.body).kinetic_energy / energy, 1.0, 2e-3);
    }
    vec3 v = velocity_of(&s, 0);
    assert_near(v.x, speed * way.x, 5e-3);
    assert_near(v.z, speed * way.z, 5e-3);
    setup_close(&s);
    pliant_shape_destroy(g.shape);
}

// Seams between triangles are not felt.
static void test_ball_rolls_without_slip_and_bumps(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind)
        if (is_flat(kind))
            roll_on(kind);
}

// The same for a block that slides: without friction it keeps its speed and its height.
static void test_block_slides_over_seams(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind) {
        if (!is_flat(kind))
            continue;
        ground g = ground_of(kind);
        setup s = block_setup(true, 0.0f);
        s.body_def.position.x = -4.3f;
        s.body_def.linear_velocity = (vec3){3, 0, 0.7f};
        s.body_def.friction = 0.0f;
        setup_open(&s);
        add_ground(s.world, &g);
        for (int i = 0; i < 140; ++i) {
            pliant_world_step(s.world, DT);
            assert_near(position_of(&s, 0).y, 0.1, 1e-3);
            assert_near(velocity_of(&s, 7).y, 0.0, 5e-3);
        }
        pliant_motion motion = pliant_body_motion(s.world, s.body);
        assert_near(motion.linear_momentum[0] / motion.mass, 3.0, 5e-3);
        assert_near(motion.linear_momentum[2] / motion.mass, 0.7, 5e-3);
        setup_close(&s);
        pliant_shape_destroy(g.shape);
    }
}

// ---------------------------------------------------------------------------------------------
// Solids that move

static void test_belt_carries_a_block_at_its_speed(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind) {
        if (!is_flat(kind))
            continue;
        ground g = ground_of(kind);
        setup s = block_setup(true, 0.0f);
        setup_open(&s);
        pliant_collider_def def = ground_def(&g, quat_identity(), NOWHERE);
        def.linear_velocity = (vec3){0.8f, 0, -0.6f};
        add_solid(s.world, &def);
        // It slides for v / (mu g) = 0.2 s, and lags behind by half of the belt's way in that time.
        run(&s, 3.0, DT);
        pliant_motion motion = pliant_body_motion(s.world, s.body);
        assert_near(motion.linear_momentum[0] / motion.mass, 0.8, 2e-3);
        assert_near(motion.linear_momentum[2] / motion.mass, -0.6, 2e-3);
        double lag = 0.5 * 1.0 / (0.5 * 9.81);
        assert_near(motion.centre[0], 0.8 * (3.0 - lag), 0.02);
        assert_near(motion.centre[2], -0.6 * (3.0 - lag), 0.02);
        assert_near(position_of(&s, 0).y, 0.1, 1e-3);
        assert_false(pliant_body_is_asleep(s.world, s.body));
        setup_close(&s);
        pliant_shape_destroy(g.shape);
    }
}

// On two rollers that spin alike the ball's surface runs with theirs.
static void test_rollers_drive_a_ball(void **state)
{
    (void)state;
    pliant_shape *roller = capsule_shape(0.3f, 1.0f);
    setup s = particle_setup((vec3){0.2f, 0.2f, 0.2f});
    s.body_def.position = (vec3){0, 0.4f, 0};
    setup_open(&s);
    for (int side = -1; side <= 1; side += 2) {
        pliant_collider_def def = solid_def(roller, (vec3){0, 0, 0.35f * (float)side});
        def.orientation = quat_exp((vec3){0, 0, 1.5707963f});
        def.angular_velocity = (vec3){4, 0, 0};
        add_solid(s.world, &def);
    }
    run(&s, 4.0, DT);
    vec3 spin = pliant_body_particle_spin(s.world, s.body, 0);
    assert_near(spin.x, -4.0 * 0.3 / 0.2, 0.05);
    assert_near(position_of(&s, 0).y, sqrt(0.5 * 0.5 - 0.35 * 0.35), 1e-3);
    assert_below(vec3_length(velocity_of(&s, 0)), 0.02);
    setup_close(&s);
    pliant_shape_destroy(roller);
}

// A turntable carries what lies on it around.
static void test_turntable_carries_a_block(void **state)
{
    (void)state;
    static const pliant_shape_kind kinds[] = {PLIANT_SHAPE_PLANE, PLIANT_SHAPE_BOX,
                                              PLIANT_SHAPE_MESH};
    for (int k = 0; k < 3; ++k) {
        ground g = ground_of(kinds[k]);
        setup s = block_setup(true, 0.0f);
        s.body_def.position.x = 0.8f;
        setup_open(&s);
        pliant_collider_def def = ground_def(&g, quat_identity(), NOWHERE);
        def.angular_velocity = (vec3){0, 1, 0};
        def.friction = 2.0f;
        add_solid(s.world, &def);
        run(&s, 1.0, DT);
        pliant_motion before = pliant_body_motion(s.world, s.body);
        run(&s, 1.5, DT);
        pliant_motion after = pliant_body_motion(s.world, s.body);
        double turned =
            atan2(-after.centre[2], after.centre[0]) - atan2(-before.centre[2], before.centre[0]);
        assert_near(turned, 1.5, 0.03);
        assert_near(hypot(after.centre[0], after.centre[2]),
                    hypot(before.centre[0], before.centre[2]), 0.02);
        setup_close(&s);
        pliant_shape_destroy(g.shape);
    }
}

// A lift that starts, runs and stops by move_to: what is on it stays on it.
static void test_lift_keeps_its_load(void **state)
{
    (void)state;
    for (int rigid = 0; rigid < 2; ++rigid) {
        ground g = ground_of(PLIANT_SHAPE_BOX);
        setup s = block_setup(rigid, 0.0f);
        setup_open(&s);
        pliant_collider_id lift = add_ground(s.world, &g);
        run(&s, 0.5, DT);
        const double a = 4.0; // m/s²: up for a second, braking for another
        double top = 0;
        for (int i = 1; i <= 180; ++i) {
            double t = (double)i * (double)DT;
            double y = t < 1.0 ? 0.5 * a * t * t : t < 2.0 ? a - 0.5 * a * (2 - t) * (2 - t) : a;
            pliant_pose pose = g.pose;
            pose.position.y += (float)y;
            pliant_collider_move_to(s.world, lift, pose);
            pliant_world_step(s.world, DT);
            assert_near(pliant_collider_pose(s.world, lift).position.y, pose.position.y, 1e-6);
            double low = 1e9;
            for (int p = 0; p < 18; ++p)
                low = fmin(low, position_of(&s, p).y - 0.1);
            assert_near(low, y, 2e-3);
            top = y;
        }
        assert_near(top, a, 1e-6);
        run(&s, 1.0, DT); // without a target it stands
        assert_near(pliant_collider_pose(s.world, lift).position.y, g.pose.position.y + a, 1e-6);
        assert_below(vec3_length(pliant_collider_velocity(s.world, lift)), 1e-9);
        assert_below(fastest_of(s.world, s.body), 1e-2);
        setup_close(&s);
        pliant_shape_destroy(g.shape);
    }
}

// Along a floor that brakes: soft block, rigid block, ball.
static void test_wall_pushes_at_its_own_speed(void **state)
{
    (void)state;
    ground floor = ground_of(PLIANT_SHAPE_PLANE);
    for (int kind = 0; kind < 3; ++kind) {
        for (int what = 0; what < 3; ++what) {
            pliant_shape *wall = kind == 0   ? box_shape(1, 0.1f, 1)
                                 : kind == 1 ? hull_shape(1, 0.1f, 1)
                                             : mesh_shape(1, 4, 0.2f);
            setup s = what < 2 ? block_setup(what, 0.0f) : particle_setup((vec3){0.2f, 0.2f, 0.2f});
            if (what == 2)
                s.body_def.position = (vec3){0, 0.2f, 0};
            setup_open(&s);
            add_ground(s.world, &floor);
            pliant_collider_def def = solid_def(wall, (vec3){-0.7f, 1.0f, 0});
            def.orientation = quat_exp((vec3){0, 0, -1.5707963f});
            def.linear_velocity = (vec3){1.5f, 0, 0};
            pliant_collider_id id = add_solid(s.world, &def);
            run(&s, 1.0, DT);
            double before = pliant_body_motion(s.world, s.body).centre[0];
            run(&s, 2.0, DT);
            pliant_motion motion = pliant_body_motion(s.world, s.body);
            assert_near((motion.centre[0] - before) / 2.0, 1.5, what == 2 ? 1e-2 : 5e-2);
            double apart = motion.centre[0] - pliant_collider_pose(s.world, id).position.x;
            assert_near(apart, (what == 2 ? 0.2 : 0.3) + (kind < 2 ? 0.1 : 0.0), 0.05);
            setup_close(&s);
            pliant_shape_destroy(wall);
        }
    }
    pliant_shape_destroy(floor.shape);
}

// v' = u + e (u - v) along the normal, whatever moves.
static void test_bounce_off_a_moving_wall(void **state)
{
    (void)state;
    static const float walls[] = {0.0f, 2.0f, -2.0f, 10.0f};
    static const float balls[] = {-3.0f, 0.0f, -30.0f};
    static const float restitutions[] = {1.0f, 0.5f};
    for (int kind = 0; kind < 3; ++kind) {
        pliant_shape *shape = kind == 0   ? box_shape(20, 0.1f, 20)
                              : kind == 1 ? mesh_shape(20, 3, 0.2f)
                                          : hull_shape(20, 0.1f, 20);
        for (int i = 0; i < 4 * 3 * 2; ++i) {
            double u = walls[i % 4], v = balls[i / 4 % 3], e = restitutions[i / 12];
            if (u - v < 1.0)
                continue;
            setup s = particle_setup((vec3){0.1f, 0.1f, 0.1f});
            s.world_def.gravity = NOWHERE;
            s.body_def.position = (vec3){0.3f, 1.0f, 0.2f};
            s.body_def.linear_velocity = (vec3){0, (float)v, 0};
            setup_open(&s);
            pliant_collider_def def = solid_def(shape, NOWHERE);
            def.linear_velocity = (vec3){0, (float)u, 0};
            def.restitution = (float)e;
            add_solid(s.world, &def);
            run(&s, 1.2, DT);
            assert_near(velocity_of(&s, 0).y, u + e * (u - v), 0.02 * (u - v));
            setup_close(&s);
        }
        pliant_shape_destroy(shape);
    }
}

// ---------------------------------------------------------------------------------------------
// Nothing passes

enum { WALL_BOX, WALL_HULL, WALL_MESH, WALLS };

// In the plane y = 0, 2 mm thick or none at all.
static pliant_shape *thin_wall(int kind)
{
    if (kind == WALL_BOX)
        return box_shape(1, 0.001f, 1);
    return kind == WALL_HULL ? hull_shape(1, 0.001f, 1) : mesh_shape(1, 7, 0.3f);
}

// A shot through the point `target`, from a random direction above it.
static pliant_body_def shot_at(const pliant_model *model, vec3 target, uint32_t *random)
{
    pliant_body_def def = pliant_default_body_def();
    vec3 from = {random_between(random, -1, 1), random_between(random, 0.3f, 1),
                 random_between(random, -1, 1)};
    def.model = model;
    def.position = vec3_add_scaled(target, from, random_between(random, 1, 3));
    float speed = random_between(random, 10, 200);
    def.linear_velocity = vec3_scale(vec3_normalize_or(from, NOWHERE), -speed);
    def.angular_velocity = random_vec3(random, 20);
    def.orientation = random_quat(random);
    def.restitution = random_between(random, 0, 1);
    return def;
}

// Whether a shot has lost its course by more than gravity can in this time.
static bool has_turned(const pliant_world *world, pliant_body_id shot, vec3 course, double seconds)
{
    vec3 change = vec3_sub(pliant_body_particle_velocity(world, shot, 0), course);
    double fall = (double)vec3_length(pliant_world_gravity(world)) * seconds;
    return (double)vec3_length(change) > 0.05 * (double)vec3_length(course) + fall;
}

static void test_no_shot_passes_a_thin_solid(void **state)
{
    (void)state;
    pliant_model *models[2] = {particle_model((vec3){0.03f, 0.03f, 0.03f}, 0.1f),
                               particle_model((vec3){0.06f, 0.03f, 0.03f}, 0.1f)};
    for (int kind = 0; kind < WALLS; ++kind) {
        pliant_shape *wall = thin_wall(kind);
        pliant_world_def world_def = pliant_default_world_def();
        world_def.gravity = NOWHERE;
        pliant_world *world = pliant_world_create(&world_def, NULL);
        pliant_collider_def solid = solid_def(wall, NOWHERE);
        add_solid(world, &solid);
        uint32_t random = 99 + (uint32_t)kind;
        int passed = 0, stopped = 0;
        for (int shot = 0; shot < 1000; ++shot) {
            vec3 target = {random_between(&random, -0.8f, 0.8f), 0,
                           random_between(&random, -0.8f, 0.8f)};
            pliant_body_def def = shot_at(models[shot % 2], target, &random);
            pliant_body_id thing = pliant_world_add_body(world, &def, NULL);
            bool has_hit = false;
            for (int i = 0; i < 60; ++i) {
                pliant_world_step(world, DT);
                vec3 x = pliant_body_particle_pose(world, thing, 0).position;
                has_hit = has_hit || has_turned(world, thing, def.linear_velocity, (i + 1) / 60.0);
                if (absolute(x.x) > 0.99f || absolute(x.z) > 0.99f) {
                    if (has_hit)
                        break; // over the edge
                    continue;  // not there yet
                }
                if (x.y < 0.0f) {
                    passed += 1;
                    break;
                }
            }
            stopped += has_hit;
            pliant_world_remove_body(world, thing);
        }
        assert_int_equal(passed, 0);
        assert_true(stopped > 990); // the others met its edge
        pliant_world_destroy(world);
        pliant_shape_destroy(wall);
    }
    pliant_model_destroy(models[0]);
    pliant_model_destroy(models[1]);
}

// Of a field: the two triangles of a cell meet in its diagonal from (0, 1) to (1, 0).
static double field_height(const pliant_shape *field, double x, double z)
{
    pliant_shape_def def = pliant_shape_definition(field);
    double spacing = def.spacing;
    int column = (int)(x / spacing), row = (int)(z / spacing);
    if (x < 0 || z < 0 || column >= def.columns - 1 || row >= def.rows - 1)
        return -1e9;
    double u = x / spacing - column, v = z / spacing - row;
    const float *h = def.heights + row * def.columns + column;
    double h00 = h[0], h10 = h[1], h01 = h[def.columns], h11 = h[def.columns + 1];
    if (u + v <= 1.0)
        return h00 + u * (h10 - h00) + v * (h01 - h00);
    return h11 + (1 - u) * (h01 - h11) + (1 - v) * (h10 - h11);
}

static void test_no_shot_passes_a_heightfield(void **state)
{
    (void)state;
    pliant_model *models[2] = {particle_model((vec3){0.03f, 0.03f, 0.03f}, 0.1f),
                               particle_model((vec3){0.06f, 0.03f, 0.03f}, 0.1f)};
    pliant_shape *field = field_shape(10, 0.2f, 0.08f);
    pliant_world_def world_def = pliant_default_world_def();
    pliant_world *world = pliant_world_create(&world_def, NULL);
    pliant_collider_def solid = solid_def(field, NOWHERE);
    add_solid(world, &solid);
    uint32_t random = 7;
    int passed = 0, hits = 0;
    for (int shot = 0; shot < 1000; ++shot) {
        vec3 target = {random_between(&random, 0.3f, 1.7f), 0, random_between(&random, 0.3f, 1.7f)};
        pliant_body_def def = shot_at(models[shot % 2], target, &random);
        if (field_height(field, def.position.x, def.position.z) > def.position.y - 0.1)
            continue;
        pliant_body_id thing = pliant_world_add_body(world, &def, NULL);
        bool has_hit = false;
        for (int i = 0; i < 40; ++i) {
            pliant_world_step(world, DT);
            vec3 x = pliant_body_particle_pose(world, thing, 0).position;
            has_hit = has_hit || has_turned(world, thing, def.linear_velocity, (i + 1) / 60.0);
            if (field_height(field, x.x, x.z) < -1e8 || x.y < -0.2f) {
                if (has_hit)
                    break; // off its border
                continue;
            }
            // Wedged into a valley by the blow its centre may dip for a moment.
            if (x.y < field_height(field, x.x, x.z) - 0.03) {
                passed += 1;
                break;
            }
        }
        hits += has_hit;
        pliant_world_remove_body(world, thing);
    }
    assert_int_equal(passed, 0);
    assert_true(hits > 800);
    pliant_world_destroy(world);
    pliant_shape_destroy(field);
    pliant_model_destroy(models[0]);
    pliant_model_destroy(models[1]);
}

// A wall that flies at 20 m/s through a thousand particles that stand; some balls come towards it.
static void test_thin_solid_sweeps_all_before_it(void **state)
{
    (void)state;
    pliant_model *models[2] = {particle_model((vec3){0.03f, 0.03f, 0.03f}, 0.1f),
                               particle_model((vec3){0.06f, 0.03f, 0.03f}, 0.1f)};
    for (int kind = 0; kind < WALLS; ++kind) {
        pliant_shape *wall = thin_wall(kind);
        pliant_world_def world_def = pliant_default_world_def();
        world_def.gravity = NOWHERE;
        pliant_world *world = pliant_world_create(&world_def, NULL);
        pliant_collider_def solid = solid_def(wall, (vec3){0, -1, 0});
        solid.linear_velocity = (vec3){0, 20, 0};
        solid.layers = 2;
        pliant_collider_id id = add_solid(world, &solid);
        uint32_t random = 3 + (uint32_t)kind;
        enum { BALLS = 1000 };
        pliant_body_id balls[BALLS];
        for (int i = 0; i < BALLS; ++i) {
            pliant_body_def def = pliant_default_body_def();
            def.model = models[i % 2];
            def.layers = 1;
            def.mask = 2; // each for itself
            def.position =
                (vec3){random_between(&random, -0.4f, 0.4f), random_between(&random, -0.5f, 1.0f),
                       random_between(&random, -0.4f, 0.4f)};
            def.orientation = random_quat(&random);
            if (i % 4 == 2)
                def.linear_velocity.y = random_between(&random, -20, 0);
            balls[i] = pliant_world_add_body(world, &def, NULL);
        }
        for (int i = 0; i < 12; ++i) // 4 m
            pliant_world_step(world, DT);
        float at = pliant_collider_pose(world, id).position.y;
        assert_near(at, 3.0, 1e-3);
        int passed = 0;
        for (int i = 0; i < BALLS; ++i) {
            vec3 x = pliant_body_particle_pose(world, balls[i], 0).position;
            passed += x.y < at;
        }
        assert_int_equal(passed, 0);
        pliant_world_destroy(world);
        pliant_shape_destroy(wall);
    }
    pliant_model_destroy(models[0]);
    pliant_model_destroy(models[1]);
}

// A racket swung at 20 rad/s: what it meets stays before it, or leaves over its edge.
static void test_nothing_passes_a_swung_racket(void **state)
{
    (void)state;
    pliant_model *model = particle_model((vec3){0.04f, 0.04f, 0.04f}, 0.1f);
    for (int kind = 0; kind < WALLS; ++kind) {
        pliant_shape *wall = thin_wall(kind);
        uint32_t random = 17 + (uint32_t)kind;
        int passed = 0;
        for (int shot = 0; shot < 100; ++shot) {
            pliant_world_def world_def = pliant_default_world_def();
            world_def.gravity = NOWHERE;
            pliant_world *world = pliant_world_create(&world_def, NULL);
            pliant_collider_def solid = solid_def(wall, NOWHERE);
            solid.angular_velocity = (vec3){0, 0, 20};
            pliant_collider_id id = add_solid(world, &solid);
            float r = random_between(&random, 0.2f, 0.9f),
                  angle = random_between(&random, 0.4f, 1.5f);
            pliant_body_def def = pliant_default_body_def();
            def.model = model;
            def.position = (vec3){r * (float)cos(angle), r * (float)sin(angle),
                                  random_between(&random, -0.8f, 0.8f)};
            pliant_body_id thing = pliant_world_add_body(world, &def, NULL);
            for (int i = 0; i < 6; ++i) {
                pliant_world_step(world, DT);
                pliant_pose pose = pliant_collider_pose(world, id);
                vec3 x = quat_rotate(quat_conjugate(pose.orientation),
                                     pliant_body_particle_pose(world, thing, 0).position);
                if (absolute(x.x) > 0.99f || absolute(x.z) > 0.99f)
                    break;
                passed += x.y < 0.0f;
            }
            pliant_world_destroy(world);
        }
        assert_int_equal(passed, 0);
        pliant_shape_destroy(wall);
    }
    pliant_model_destroy(model);
}

// In a room of thin walls, or of triangles, for hundreds of bounces: also into corners, where one wall
// turns it towards the next within a substep.
static void test_fast_particles_stay_in_a_closed_room(void **state)
{
    (void)state;
    static const int32_t faces[] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                    2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    vec3 corners[8];
    for (int i = 0; i < 8; ++i)
        corners[i] = (vec3){i & 1 ? 1.0f : -1.0f, i & 2 ? 1.0f : -1.0f, i & 4 ? 1.0f : -1.0f};
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_MESH);
    def.points = corners;
    def.point_count = 8;
    def.triangles = faces;
    def.triangle_count = 12;
    pliant_shape *mesh = shape_from(&def), *plate = box_shape(1.01f, 0.001f, 1.01f);
    for (int kind = 0; kind < 2; ++kind) {
        for (int shot = 0; shot < 12; ++shot) {
            uint32_t random = 23 + (uint32_t)shot;
            setup s =
                particle_setup(shot % 2 ? (vec3){0.1f, 0.1f, 0.1f} : (vec3){0.1f, 0.05f, 0.05f});
            s.world_def.gravity = NOWHERE;
            s.body_def.linear_velocity = random_vec3(&random, 100.0f);
            s.body_def.restitution = shot % 4 ? 1.0f : 0.0f;
            s.body_def.friction = 0.1f * (float)(shot % 3);
            setup_open(&s);
            pliant_collider_def solid = solid_def(mesh, NOWHERE);
            if (kind == 0) {
                add_solid(s.world, &solid);
            } else {
                for (int side = 0; side < 6; ++side) {
                    float sign = side & 1 ? 1.001f : -1.001f;
                    solid.shape = plate;
                    solid.position = (vec3){side / 2 == 0 ? sign : 0, side / 2 == 1 ? sign : 0,
                                            side / 2 == 2 ? sign : 0};
                    solid.orientation = side / 2 == 0   ? quat_exp((vec3){0, 0, 1.5707963f})
                                        : side / 2 == 2 ? quat_exp((vec3){1.5707963f, 0, 0})
                                                        : quat_identity();
                    add_solid(s.world, &solid);
                }
            }
            double energy = pliant_body_motion(s.world, s.body).kinetic_energy;
            for (int i = 0; i < 200; ++i) {
                pliant_world_step(s.world, DT);
                vec3 x = position_of(&s, 0);
                assert_below(absolute(x.x), 1.0);
                assert_below(absolute(x.y), 1.0);
                assert_below(absolute(x.z), 1.0);
            }
            if (shot % 2 && shot % 3 == 0) // a ball without friction
                assert_near(pliant_body_motion(s.world, s.body).kinetic_energy / energy, 1.0, 1e-2);
            setup_close(&s);
        }
    }
    pliant_shape_destroy(mesh);
    pliant_shape_destroy(plate);
}

// Started half inside, a ball comes out of every solid, and gently.
static void test_overlap_is_pushed_out_gently(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind) {
        ground g = ground_of(kind);
        setup s = particle_setup((vec3){0.2f, 0.2f, 0.2f});
        s.body_def.position = (vec3){0, 0.05f, 0};
        setup_open(&s);
        add_ground(s.world, &g);
        float top = 0.0f;
        for (int i = 0; i < 120; ++i) {
            pliant_world_step(s.world, DT);
            top = maximum(top, position_of(&s, 0).y);
        }
        assert_near(position_of(&s, 0).y, 0.2, 1e-3);
        assert_below(top, 0.27);
        setup_close(&s);
        pliant_shape_destroy(g.shape);
    }
}

// ---------------------------------------------------------------------------------------------
// Where the world is does not matter

typedef struct journey {
    vec3 ball, ellipsoid, block[8];
} journey;

static journey travel(quat turn, vec3 shift)
{
    ground slope = ground_of(PLIANT_SHAPE_MESH), stop = ground_of(PLIANT_SHAPE_BOX);
    pliant_model *ball = particle_model((vec3){0.2f, 0.2f, 0.2f}, 1.0f);
    pliant_model *ellipsoid = particle_model((vec3){0.2f, 0.12f, 0.15f}, 1.0f);
    lattice l = lattice_of(2, 2, 2);
    l.is_rigid = true;
    pliant_model *block = lattice_model(&l);
    pliant_world_def world_def = pliant_default_world_def();
    world_def.gravity = quat_rotate(turn, world_def.gravity);
    pliant_world *world = pliant_world_create(&world_def, NULL);
    // The slope falls along x; a box stands across it at x = 4.
    quat tilt = quat_mul(turn, quat_exp((vec3){0, 0, -0.3f}));
    pliant_collider_def def = ground_def(&slope, tilt, shift);
    add_solid(world, &def);
    def = ground_def(&stop, turn, vec3_add(shift, quat_rotate(turn, (vec3){8.0f, 4.0f, 0})));
    add_solid(world, &def);
    const pliant_model *models[3] = {ball, ellipsoid, block};
    static const vec3 places[3] = {{-1, 0.9f, -2}, {-1, 0.7f, 0.0f}, {-1, 0.6f, 2}};
    pliant_body_id bodies[3];
    for (int i = 0; i < 3; ++i) {
        pliant_body_def thing = pliant_default_body_def();
        thing.model = models[i];
        thing.position = vec3_add(shift, quat_rotate(turn, places[i]));
        thing.orientation = quat_mul(turn, quat_exp((vec3){0, 0, -0.3f}));
        thing.linear_velocity = quat_rotate(turn, (vec3){1, 0, 0.2f});
        bodies[i] = pliant_world_add_body(world, &thing, NULL);
    }
    for (int i = 0; i < 90; ++i)
        pliant_world_step(world, DT);
    journey j;
    quat back = quat_conjugate(turn);
    for (int i = 0; i < 10; ++i) {
        vec3 x =
            pliant_body_particle_pose(world, bodies[i < 2 ? i : 2], i < 2 ? 0 : i - 2).position;
        x = quat_rotate(back, vec3_sub(x, shift));
        *(i == 0 ? &j.ball : i == 1 ? &j.ellipsoid : &j.block[i - 2]) = x;
    }
    pliant_world_destroy(world);
    pliant_model_destroy(ball);
    pliant_model_destroy(ellipsoid);
    pliant_model_destroy(block);
    pliant_shape_destroy(slope.shape);
    pliant_shape_destroy(stop.shape);
    return j;
}

static void check_same_journey(const journey *a, const journey *b, double tolerance)
{
    assert_below(vec3_length(vec3_sub(a->ball, b->ball)), tolerance);
    assert_below(vec3_length(vec3_sub(a->ellipsoid, b->ellipsoid)), tolerance);
    for (int i = 0; i < 8; ++i)
        assert_below(vec3_length(vec3_sub(a->block[i], b->block[i])), tolerance);
}

static void test_motion_does_not_depend_on_the_frame(void **state)
{
    (void)state;
    journey here = travel(quat_identity(), NOWHERE);
    assert_true(here.ball.x > 2.0f); // it has rolled
    journey there = travel(quat_identity(), (vec3){100, -50, 70});
    check_same_journey(&here, &there, 2e-3);
    journey turned = travel(quat_exp((vec3){0.7f, -1.1f, 0.4f}), NOWHERE);
    check_same_journey(&here, &turned, 2e-3);
    journey both = travel(quat_exp((vec3){-0.2f, 2.0f, 1.0f}), (vec3){-80, 100, 20});
    check_same_journey(&here, &both, 5e-3);
}

// ---------------------------------------------------------------------------------------------
// Layers, removing

static void test_layers_and_masks(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind) {
        for (int way = 0; way < 4; ++way) {
            ground g = ground_of(kind);
            setup s = particle_setup((vec3){0.2f, 0.2f, 0.2f});
            s.body_def.position = (vec3){0, 0.3f, 0};
            s.body_def.layers = 4;
            s.body_def.mask = way & 1 ? ~2u : UINT32_MAX;
            setup_open(&s);
            pliant_collider_def def = ground_def(&g, quat_identity(), NOWHERE);
            def.layers = 2;
            def.mask = way & 2 ? ~4u : 4u;
            add_solid(s.world, &def);
            run(&s, 0.5, DT);
            if (way)
                assert_near(position_of(&s, 0).y, 0.3 - 0.5 * 9.81 * 0.25, 0.03);
            else
                assert_near(position_of(&s, 0).y, 0.2, 1e-3);
            setup_close(&s);
            pliant_shape_destroy(g.shape);
        }
    }
}

static void test_removed_collider_holds_nothing(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind) {
        ground g = ground_of(kind);
        setup s = particle_setup((vec3){0.2f, 0.2f, 0.2f});
        s.body_def.position = (vec3){0, 0.25f, 0};
        setup_open(&s);
        pliant_collider_id id = add_ground(s.world, &g);
        run(&s, 2.0, DT);
        assert_near(position_of(&s, 0).y, 0.2, 1e-3);
        assert_true(pliant_body_is_asleep(s.world, s.body));
        pliant_world_remove_collider(s.world, id);
        assert_false(pliant_collider_is_valid(s.world, id));
        pliant_world_remove_collider(s.world, id); // no effect
        run(&s, 1.0, DT);
        assert_below(position_of(&s, 0).y, -4.0);
        assert_int_equal(pliant_world_report(s.world).contacts, 0);
        // Its slot is used again, under another name.
        pliant_collider_id next = add_ground(s.world, &g);
        assert_int_equal(next.index, id.index);
        assert_true(next.generation != id.generation);
        assert_false(pliant_collider_is_valid(s.world, id));
        setup_close(&s);
        pliant_shape_destroy(g.shape);
    }
}

static void test_collider_tells_what_it_is(void **state)
{
    (void)state;
    pliant_shape *cube = box_shape(1, 1, 1);
    pliant_world_def world_def = pliant_default_world_def();
    pliant_world *world = pliant_world_create(&world_def, NULL);
    int mark;
    pliant_collider_def def = solid_def(cube, (vec3){1, 2, 3});
    def.orientation = (quat){0, 0, 2, 2};
    def.linear_velocity = (vec3){4, 5, 6};
    def.angular_velocity = (vec3){0.1f, 0.2f, 0.3f};
    def.user_data = &mark;
    pliant_collider_id id = add_solid(world, &def);
    assert_ptr_equal(pliant_collider_user_data(world, id), &mark);
    assert_ptr_equal(pliant_collider_shape(world, id), cube);
    pliant_pose pose = pliant_collider_pose(world, id);
    assert_near(pose.position.y, 2, 0);
    assert_near(pose.orientation.w, sqrt(0.5), 1e-6);
    assert_near(pliant_collider_velocity(world, id).z, 6, 0);
    assert_near(pliant_collider_spin(world, id).z, 0.3f, 0);
    // It moves on, and what is not finite changes nothing.
    const pliant_pose bad[] = {{{NAN, 0, 0}, {0, 0, 0, 1}},
                               {{0, INFINITY, 0}, {0, 0, 0, 1}},
                               {{0, 0, 0}, {0, 0, 0, 0}},
                               {{0, 0, 0}, {0, NAN, 0, 1}}};
    for (int i = 0; i < 4; ++i) {
        pliant_collider_set_pose(world, id, bad[i]);
        pliant_collider_move_to(world, id, bad[i]);
    }
    pliant_collider_set_velocity(world, id, (vec3){NAN, 0, 0}, NOWHERE);
    pliant_collider_set_velocity(world, id, NOWHERE, (vec3){0, 0, INFINITY});
    for (int i = 0; i < 60; ++i)
        pliant_world_step(world, DT);
    pose = pliant_collider_pose(world, id);
    assert_near(pose.position.x, 5, 1e-4);
    assert_near(pose.position.z, 9, 1e-4);
    quat turn = quat_mul(quat_exp(def.angular_velocity), quat_normalize(def.orientation));
    assert_below(angle_between_quats(pose.orientation, turn), 1e-4);
    // A pose at once, then a target in one step, then it stands.
    pliant_collider_set_velocity(world, id, NOWHERE, NOWHERE);
    pliant_collider_set_pose(world, id, (pliant_pose){{0, 1, 0}, {0, 0, 0, 3}});
    assert_near(pliant_collider_pose(world, id).position.y, 1, 0);
    pliant_pose target = {{0, 2, 0}, quat_exp((vec3){0, 0.5f, 0})};
    pliant_collider_move_to(world, id, target);
    for (int i = 0; i < 3; ++i) {
        pliant_world_step(world, DT);
        assert_near(pliant_collider_pose(world, id).position.y, 2, 0);
        assert_below(
            angle_between_quats(pliant_collider_pose(world, id).orientation, target.orientation),
            1e-6);
    }
    assert_near(vec3_length(pliant_collider_velocity(world, id)), 0, 0);
    pliant_world_destroy(world);
    pliant_shape_destroy(cube);
}

// ---------------------------------------------------------------------------------------------
// Bad definitions, memory

static void check_refused(pliant_world *world, const pliant_collider_def *def, const char *place)
{
    int slots = world->collider_slot_count;
    size_t size = pliant_world_snapshot_size(world);
    pliant_error error = {0};
    pliant_collider_id id = pliant_world_add_collider(world, def, &error);
    assert_int_equal(id.index, 0);
    assert_int_equal(id.generation, 0);
    assert_false(pliant_collider_is_valid(world, id));
    assert_int_equal(error.code, PLIANT_ERROR_ARGUMENT);
    assert_string_equal(error.place, place);
    assert_true(error.message[0]);
    assert_int_equal(world->collider_slot_count, slots);
    assert_int_equal(pliant_world_snapshot_size(world), size);
    assert_int_equal(pliant_world_add_collider(world, def, NULL).generation, 0);
}

static void test_bad_definitions_name_the_field(void **state)
{
    (void)state;
    pliant_shape *cube = box_shape(1, 1, 1);
    pliant_world_def world_def = pliant_default_world_def();
    pliant_world *world = pliant_world_create(&world_def, NULL);
    const pliant_collider_def good = solid_def(cube, NOWHERE);
    for (int round = 0; round < 2; ++round) {
        const float bad[] = {NAN, INFINITY, -INFINITY};
        for (int i = 0; i < 3; ++i) {
            pliant_collider_def def = good;
            def.position.z = bad[i];
            check_refused(world, &def, "position");
            def = good;
            def.linear_velocity.x = bad[i];
            check_refused(world, &def, "linear_velocity");
            def = good;
            def.angular_velocity.y = bad[i];
            check_refused(world, &def, "angular_velocity");
            def = good;
            def.orientation.w = bad[i];
            check_refused(world, &def, "orientation");
            def = good;
            def.friction = bad[i];
            check_refused(world, &def, "friction");
            def = good;
            def.restitution = bad[i];
            check_refused(world, &def, "restitution");
        }
        pliant_collider_def def = good;
        def.shape = NULL;
        check_refused(world, &def, "shape");
        def = good;
        def.orientation = (quat){0, 0, 0, 0};
        check_refused(world, &def, "orientation");
        def = good;
        def.friction = -0.1f;
        check_refused(world, &def, "friction");
        def = good;
        def.restitution = 1.1f;
        check_refused(world, &def, "restitution");
        add_solid(world, &good); // the same again beside one that is there
    }
    pliant_world_destroy(world);
    pliant_shape_destroy(cube);
}

// Whatever allocation fails, nothing has been added and the world goes on.
static void test_no_memory_for_a_collider(void **state)
{
    (void)state;
    pliant_shape *cube = box_shape(5, 0.5f, 5);
    pliant_model *model = particle_model((vec3){0.2f, 0.2f, 0.2f}, 1.0f);
    int failures = 0;
    for (int present = 0; present < 9; ++present) {
        for (int fail = 1;; ++fail) {
            counting c = {0};
            pliant_world_def world_def = pliant_default_world_def();
            world_def.allocator = counting_allocator(&c);
            pliant_world *world = pliant_world_create(&world_def, NULL);
            pliant_body_def thing = pliant_default_body_def();
            thing.model = model;
            thing.position.y = 0.2f;
            pliant_body_id id = add_thing(world, &thing);
            pliant_collider_def def = solid_def(cube, (vec3){0, -0.5f, 0});
            for (int i = 0; i < present; ++i)
                add_solid(world, &def);
            c.fail_at = c.calls + fail;
            pliant_error error = {0};
            pliant_collider_id added = pliant_world_add_collider(world, &def, &error);
            bool has_failed = added.generation == 0;
            if (has_failed) {
                failures += 1;
                assert_int_equal(error.code, PLIANT_ERROR_MEMORY);
                assert_int_equal(world->collider_slot_count, present);
                for (int i = 0; i < 30; ++i)
                    pliant_world_step(world, DT);
                vec3 x = pliant_body_particle_pose(world, id, 0).position;
                assert_near(x.y, present ? 0.2 : 0.2 - 0.5 * 9.81 * 0.25, 0.03);
                c.fail_at = 0;
                added = pliant_world_add_collider(world, &def, NULL);
            }
            assert_true(pliant_collider_is_valid(world, added));
            pliant_world_destroy(world);
            assert_int_equal(c.live, 0);
            if (!has_failed)
                break;
        }
    }
    assert_true(failures >= 3);
    pliant_shape_destroy(cube);
    pliant_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------
// Everything at once

typedef struct fair {
    ground grounds[KINDS];
    pliant_model *models[3];
    pliant_world *world;
    pliant_collider_id colliders[KINDS];
} fair;

// All kinds beside each other, three of them moving, with three bodies over each.
static fair fair_open(const pliant_allocator *allocator)
{
    fair f = {0};
    f.models[0] = particle_model((vec3){0.2f, 0.2f, 0.2f}, 1.0f);
    f.models[1] = particle_model((vec3){0.25f, 0.1f, 0.15f}, 1.0f);
    lattice l = lattice_of(3, 2, 2);
    f.models[2] = lattice_model(&l);
    pliant_world_def def = pliant_default_world_def();
    if (allocator)
        def.allocator = *allocator;
    f.world = pliant_world_create(&def, NULL);
    for (int kind = 0; kind < KINDS; ++kind) {
        vec3 place = {12.0f * (float)kind, kind ? 0.0f : -20.0f, 0};
        f.grounds[kind] = ground_of(kind);
        pliant_collider_def solid = ground_def(&f.grounds[kind], quat_identity(), place);
        if (kind % 2)
            solid.linear_velocity = (vec3){0.1f, 0, 0.2f};
        if (kind == PLIANT_SHAPE_CAPSULE)
            solid.angular_velocity = (vec3){1, 0, 0};
        f.colliders[kind] = add_solid(f.world, &solid);
        for (int i = 0; i < 3; ++i) {
            pliant_body_def thing = pliant_default_body_def();
            thing.model = f.models[i];
            thing.position = vec3_add(place, (vec3){0.7f * (float)(i - 1), 0.5f, 0});
            add_thing(f.world, &thing);
        }
    }
    return f;
}

static void fair_close(fair *f)
{
    pliant_world_destroy(f->world);
    for (int i = 0; i < 3; ++i)
        pliant_model_destroy(f->models[i]);
    for (int i = 0; i < KINDS; ++i)
        pliant_shape_destroy(f->grounds[i].shape);
}

static void fair_step(fair *f, int number)
{
    pliant_pose pose = pliant_collider_pose(f->world, f->colliders[PLIANT_SHAPE_HULL]);
    pose.position.y += 0.002f * (float)(number % 7 - 3);
    pliant_collider_move_to(f->world, f->colliders[PLIANT_SHAPE_HULL], pose);
    pliant_world_step(f->world, DT);
}

static void test_restored_world_goes_on_bit_by_bit(void **state)
{
    (void)state;
    fair f = fair_open(NULL);
    for (int i = 0; i < 40; ++i)
        fair_step(&f, i);
    // With a target that has not been reached.
    pliant_pose pose = pliant_collider_pose(f.world, f.colliders[PLIANT_SHAPE_MESH]);
    pose.position.y += 0.02f;
    pliant_collider_move_to(f.world, f.colliders[PLIANT_SHAPE_MESH], pose);
    size_t size = pliant_world_snapshot_size(f.world);
    void *picture = malloc(size);
    pliant_world_snapshot(f.world, picture);
    enum { STEPS = 80 };
    uint64_t hashes[STEPS];
    for (int i = 0; i < STEPS; ++i) {
        fair_step(&f, i);
        hashes[i] = pliant_world_hash(f.world);
    }
    assert_int_equal(pliant_world_restore(f.world, picture, size, NULL), PLIANT_OK);
    for (int i = 0; i < STEPS; ++i) {
        fair_step(&f, i);
        assert_int_equal(pliant_world_hash(f.world), hashes[i]);
    }
    // And in a world that was built the same way.
    fair other = fair_open(NULL);
    assert_int_equal(pliant_world_restore(other.world, picture, size, NULL), PLIANT_OK);
    for (int i = 0; i < STEPS; ++i) {
        fair_step(&other, i);
        assert_int_equal(pliant_world_hash(other.world), hashes[i]);
    }
    free(picture);
    fair_close(&other);
    fair_close(&f);
}

// A world that has never had such a shape cannot make one; one that knows an equal shape can.
static void test_snapshot_of_an_unknown_shape_does_not_fit(void **state)
{
    (void)state;
    pliant_shape *one = box_shape(1, 1, 1), *other = box_shape(1, 1, 2);
    pliant_world_def world_def = pliant_default_world_def();
    const pliant_shape *shapes[] = {one, other, NULL};
    void *picture = NULL;
    size_t size = 0;
    for (int i = 0; i < 3; ++i) {
        pliant_world *world = pliant_world_create(&world_def, NULL);
        pliant_collider_def def = solid_def(shapes[i], NOWHERE);
        if (shapes[i])
            add_solid(world, &def);
        if (!picture) {
            size = pliant_world_snapshot_size(world);
            picture = malloc(size);
            pliant_world_snapshot(world, picture);
            assert_int_equal(pliant_world_restore(world, picture, size, NULL), PLIANT_OK);
        } else {
            pliant_shape *equal = box_shape(1, 1, 1);
            pliant_error error = {0};
            assert_int_equal(pliant_world_restore(world, picture, size, &error),
                             PLIANT_ERROR_MISMATCH);
            assert_non_null(strstr(error.message, "collider 0"));
            assert_int_equal(pliant_world_know_shape(world, equal, NULL), PLIANT_OK);
            pliant_shape_destroy(equal);
            assert_int_equal(pliant_world_restore(world, picture, size, NULL), PLIANT_OK);
            assert_true(pliant_collider_is_valid(world, (pliant_collider_id){0, 1}));
        }
        pliant_world_destroy(world);
    }
    free(picture);
    pliant_shape_destroy(one);
    pliant_shape_destroy(other);
}

// Steps that were made before find room for what they find.
static void test_a_warm_step_allocates_nothing(void **state)
{
    (void)state;
    enum { STEPS = 120 };
    counting c = {0};
    pliant_allocator allocator = counting_allocator(&c);
    fair f = fair_open(&allocator);
    size_t size = pliant_world_snapshot_size(f.world);
    void *start = malloc(size);
    pliant_world_snapshot(f.world, start);
    for (int i = 0; i < STEPS; ++i)
        fair_step(&f, i);
    assert_int_equal(pliant_world_restore(f.world, start, size, NULL), PLIANT_OK);
    free(start);
    int calls = c.calls;
    for (int i = 0; i < STEPS; ++i) {
        fair_step(&f, i);
        assert_int_equal(pliant_world_report(f.world).dropped_contacts, 0);
        assert_int_equal(pliant_world_report(f.world).dropped_events, 0);
    }
    assert_true(pliant_world_report(f.world).contacts > 20);
    assert_int_equal(c.calls, calls);
    fair_close(&f);
    assert_int_equal(c.live, 0);
}

// A field of 200 posts, and balls that fall among them.
static void test_many_colliders(void **state)
{
    (void)state;
    pliant_shape *post = box_shape(0.2f, 0.5f, 0.2f), *floor = box_shape(10, 0.5f, 10);
    pliant_model *model = particle_model((vec3){0.2f, 0.2f, 0.2f}, 1.0f);
    pliant_world_def world_def = pliant_default_world_def();
    pliant_world *world = pliant_world_create(&world_def, NULL);
    pliant_collider_def def = solid_def(floor, (vec3){0, -1, 0});
    add_solid(world, &def);
    uint32_t random = 12;
    for (int i = 0; i < 200; ++i) {
        def = solid_def(post, (vec3){(float)(i % 20) - 9.5f, 0, (float)(i / 20) - 4.5f});
        def.orientation = quat_exp((vec3){0, random_between(&random, 0, 3), 0});
        add_solid(world, &def);
    }
    pliant_body_id balls[60];
    for (int i = 0; i < 60; ++i) {
        pliant_body_def thing = pliant_default_body_def();
        thing.model = model;
        thing.position = (vec3){random_between(&random, -8, 8), random_between(&random, 1, 3),
                                random_between(&random, -4, 4)};
        thing.angular_damping = thing.linear_damping = 0.3f;
        balls[i] = add_thing(world, &thing);
    }
    for (int i = 0; i < 300; ++i) {
        pliant_world_step(world, DT);
        assert_int_equal(pliant_world_report(world).dropped_contacts, 0);
    }
    for (int i = 0; i < 60; ++i) {
        vec3 x = pliant_body_particle_pose(world, balls[i], 0).position;
        assert_true(x.y > -0.5f + 0.2f - 2e-3f && x.y < 1.5f);
    }
    assert_int_equal(pliant_world_report(world).frozen_bodies, 0);
    pliant_world_destroy(world);
    pliant_model_destroy(model);
    pliant_shape_destroy(post);
    pliant_shape_destroy(floor);
}

// A box is put into a sheet that floats: the sheet is let out of it, and not thrown. Pushed out particle by particle against
// its groups it would be, at ten metres a second.
static void test_a_collider_put_into_a_sheet_throws_nothing(void **state)
{
    (void)state;
    for (int k = 0; k < 8; ++k) {
        lattice l = lattice_of(6, 1, 6);
        l.stiffness = k & 1 ? 1.0f : 0.3f;
        l.stretch = k & 2 ? 1.0f : 0.0f;
        l.radii = k & 4 ? (vec3){0.1f, 0.02f, 0.1f} : (vec3){0.1f, 0.1f, 0.1f};
        setup s = setup_of(&l);
        setup_open(&s);
        pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_BOX);
        def.half_size = (vec3){0.35f, 0.1f, 0.25f};
        pliant_shape *shape = pliant_shape_create(&def, NULL, NULL);
        pliant_collider_def solid = pliant_default_collider_def();
        solid.shape = shape;
        solid.position = (vec3){0.45f, -0.05f, 0.5f};
        solid.orientation = quat_exp((vec3){0.3f, 0.4f, 0.2f});
        pliant_world_add_collider(s.world, &solid, NULL);
        float fastest = 0.0f;
        for (int i = 0; i < 120; ++i) {
            pliant_world_step(s.world, 1.0f / 60.0f);
            for (int p = 0; p < 36; ++p)
                fastest = maximum(fastest, vec3_length(velocity_of(&s, p)));
        }
        assert_below(fastest, 4.0);
        setup_close(&s);
        pliant_shape_destroy(shape);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_collider_put_into_a_sheet_throws_nothing),
        cmocka_unit_test(test_ball_rests_on_every_kind),
        cmocka_unit_test(test_ellipsoid_rests_on_every_kind),
        cmocka_unit_test(test_blocks_rest_on_every_kind),
        cmocka_unit_test(test_ball_lies_in_the_dip_of_three),
        cmocka_unit_test(test_ball_lies_in_a_corner),
        cmocka_unit_test(test_slope_holds_up_to_the_friction_angle),
        cmocka_unit_test(test_friction_of_two_is_their_geometric_mean),
        cmocka_unit_test(test_ball_rolls_without_slip_and_bumps),
        cmocka_unit_test(test_block_slides_over_seams),
        cmocka_unit_test(test_belt_carries_a_block_at_its_speed),
        cmocka_unit_test(test_rollers_drive_a_ball),
        cmocka_unit_test(test_turntable_carries_a_block),
        cmocka_unit_test(test_lift_keeps_its_load),
        cmocka_unit_test(test_wall_pushes_at_its_own_speed),
        cmocka_unit_test(test_bounce_off_a_moving_wall),
        cmocka_unit_test(test_no_shot_passes_a_thin_solid),
        cmocka_unit_test(test_no_shot_passes_a_heightfield),
        cmocka_unit_test(test_thin_solid_sweeps_all_before_it),
        cmocka_unit_test(test_nothing_passes_a_swung_racket),
        cmocka_unit_test(test_fast_particles_stay_in_a_closed_room),
        cmocka_unit_test(test_overlap_is_pushed_out_gently),
        cmocka_unit_test(test_motion_does_not_depend_on_the_frame),
        cmocka_unit_test(test_layers_and_masks),
        cmocka_unit_test(test_removed_collider_holds_nothing),
        cmocka_unit_test(test_collider_tells_what_it_is),
        cmocka_unit_test(test_bad_definitions_name_the_field),
        cmocka_unit_test(test_no_memory_for_a_collider),
        cmocka_unit_test(test_restored_world_goes_on_bit_by_bit),
        cmocka_unit_test(test_snapshot_of_an_unknown_shape_does_not_fit),
        cmocka_unit_test(test_a_warm_step_allocates_nothing),
        cmocka_unit_test(test_many_colliders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
