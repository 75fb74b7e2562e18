// Plasticity: dents of explicit groups, and creep.

#include "bodies.h"
#include "counting.h"
#include "world/plastic.h"

static const float DT = 1.0f / 60.0f;

// ---------------------------------------------------------------------------------------------
// A block that can be dented

static lattice dentable_block(void)
{
    lattice l = lattice_of(4, 3, 3);
    l.stiffness = 0.02f;
    l.is_rigid = true;
    l.dent_speed = 2.0f;
    return l;
}

static setup plastic_setup(const lattice *l)
{
    setup s = setup_of(l);
    s.world_def.sleep_speed = 0.0f;
    return s;
}

static void add_ground(setup *s)
{
    pliant_plane_def ground = pliant_default_plane_def();
    pliant_world_add_plane(s->world, &ground, NULL);
}

// Falls on the ground on an edge, with this speed.
static setup falling_block(const lattice *l, float speed)
{
    setup s = plastic_setup(l);
    s.body_def.position = (vec3){0, 0.3f, 0};
    s.body_def.orientation = quat_exp((vec3){0, 0, 0.3f});
    s.body_def.linear_velocity = (vec3){0, -speed, 0};
    setup_open(&s);
    add_ground(&s);
    return s;
}

static body *body_of(const setup *s)
{
    return pli_world_body(s->world, s->body);
}

static bool is_loose(const setup *s)
{
    return pliant_body_group_is_loose(s->world, s->body, 0);
}

// Steps until the group has let go.
static void run_until_loose(setup *s)
{
    for (int i = 0; i < 60 && !is_loose(s); ++i)
        pliant_world_step(s->world, DT);
    assert_true(is_loose(s));
}

static void run_until_dented(setup *s)
{
    run_until_loose(s);
    for (int i = 0; i < 60 && is_loose(s); ++i)
        pliant_world_step(s->world, DT);
    assert_false(is_loose(s));
}

typedef struct shape {
    vec3 places[64];
    int count;
} shape;

static shape shape_of(const setup *s)
{
    shape now = {.count = pliant_model_particle_count(s->model)};
    assert_true(now.count <= 64);
    for (int i = 0; i < now.count; ++i)
        now.places[i] = position_of(s, i);
    return now;
}

// The largest change of a distance between two particles.
static double shape_change(const shape *a, const shape *b)
{
    double worst = 0;
    for (int i = 0; i < a->count; ++i)
        for (int k = i + 1; k < a->count; ++k) {
            double one = vec3_length(vec3_sub(a->places[i], a->places[k]));
            double two = vec3_length(vec3_sub(b->places[i], b->places[k]));
            worst = fmax(worst, fabs(one - two));
        }
    return worst;
}

static double kinetic_energy(const setup *s)
{
    return pliant_body_motion(s->world, s->body).kinetic_energy;
}

// ---------------------------------------------------------------------------------------------
// Hits

static void test_a_hard_hit_dents_for_good(void **state)
{
    (void)state;
    lattice l = dentable_block();
    setup s = falling_block(&l, 6.0f);
    run_until_dented(&s);
    shape dented = shape_of(&s);
    assert_true(shape_error(&s) > 0.02);
    run(&s, 10.0, DT);
    shape later = shape_of(&s);
    assert_below(shape_change(&dented, &later), 5e-6);
    assert_true(all_finite(&s));
    setup_close(&s);
}

static void test_a_soft_hit_leaves_no_dent(void **state)
{
    (void)state;
    lattice l = dentable_block();
    setup s = falling_block(&l, 1.9f);
    for (int i = 0; i < 120; ++i) {
        pliant_world_step(s.world, DT);
        assert_false(is_loose(&s));
    }
    assert_below(shape_error(&s), 1e-3);
    for (int i = 0; i < pliant_model_particle_count(s.model); ++i)
        assert_memory_equal(&s.world->rest_x[i], &pliant_model_particles(s.model)[i].position,
                            sizeof(vec3));
    setup_close(&s);
}

// Five frames at 60 Hz, whatever the step; hits meanwhile do not prolong it.
static void test_a_group_is_loose_for_its_time(void **state)
{
    (void)state;
    const float steps[3] = {1.0f / 30.0f, 1.0f / 60.0f, 1.0f / 240.0f};
    for (int k = 0; k < 3; ++k) {
        lattice l = dentable_block();
        setup s = falling_block(&l, 8.0f);
        while (!is_loose(&s))
            pliant_world_step(s.world, steps[k]);
        double began = pliant_world_time(s.world);
        while (is_loose(&s))
            pliant_world_step(s.world, steps[k]);
        assert_near(pliant_world_time(s.world) - began, 5.0 / 60.0, (double)steps[k] * 1.01);
        setup_close(&s);
    }
}

static void test_a_dent_is_told(void **state)
{
    (void)state;
    lattice l = dentable_block();
    setup s = falling_block(&l, 6.0f);
    pliant_world_set_quality(s.world, 1, 10);
    run_until_loose(&s);
    const pliant_event *events = pliant_world_events(s.world);
    int dents = 0;
    for (int i = 0; i < pliant_world_event_count(s.world); ++i) {
        if (events[i].kind != PLIANT_EVENT_DENT)
            continue;
        ++dents;
        assert_memory_equal(&events[i].body, &s.body, sizeof s.body);
        assert_true(events[i].particle >= 0 && events[i].particle < 36);
        assert_near(events[i].speed, 6.0, 0.1);
    }
    assert_int_equal(dents, 1);
    pliant_world_step(s.world, DT);
    events = pliant_world_events(s.world);
    for (int i = 0; i < pliant_world_event_count(s.world); ++i)
        assert_int_not_equal(events[i].kind, PLIANT_EVENT_DENT);
    setup_close(&s);
}

// A dent costs energy: the block must not come out faster than it came.
static void test_a_dent_creates_no_energy(void **state)
{
    (void)state;
    for (float speed = 3.0f; speed < 30.0f; speed *= 1.5f) {
        lattice l = dentable_block();
        setup s = falling_block(&l, speed);
        double start = kinetic_energy(&s);
        for (int i = 0; i < 120; ++i) {
            bool was_loose = is_loose(&s);
            double before = kinetic_energy(&s);
            pliant_world_step(s.world, DT);
            assert_below(kinetic_energy(&s), start * 1.001);
            if (was_loose && !is_loose(&s)) {
                before = kinetic_energy(&s);
                pliant_world_step(s.world, DT);
                assert_below(kinetic_energy(&s), before * (1.0 + 1e-4) + 1e-9);
            }
        }
        assert_true(all_finite(&s));
        setup_close(&s);
    }
}

static void test_two_bodies_of_one_model_are_dented_apart(void **state)
{
    (void)state;
    lattice l = dentable_block();
    setup s = falling_block(&l, 6.0f);
    pliant_body_def def = s.body_def;
    def.position = (vec3){5, 5, 5};
    def.linear_velocity = (vec3){0, 0, 0};
    setup other = s;
    other.body = pliant_world_add_body(s.world, &def, NULL);
    run_until_dented(&s);
    run(&s, 1.0, DT);
    assert_true(shape_error(&s) > 0.02);
    assert_below(shape_error(&other), 1e-5);
    assert_false(is_loose(&other));
    setup_close(&s);
}

// Two blocks that crash into each other, far from the ground: nothing else takes or gives.
static void test_a_crash_keeps_momentum(void **state)
{
    (void)state;
    const float places[2] = {10.0f, 1000.0f};
    for (int k = 0; k < 2; ++k) {
        lattice l = dentable_block();
        setup s = plastic_setup(&l);
        s.body_def.position = (vec3){places[k], 0, 0};
        s.body_def.linear_velocity = (vec3){6, 0, 0};
        setup_open(&s);
        pliant_body_def def = s.body_def;
        def.position.x += 1.0f;
        def.position.y += 0.25f;
        def.linear_velocity = (vec3){-3, 0, 0};
        setup other = s;
        other.body = pliant_world_add_body(s.world, &def, NULL);
        run(&s, 1.0, DT);
        assert_true(shape_error(&s) > 0.01 && shape_error(&other) > 0.01);
        pliant_motion a = pliant_body_motion(s.world, s.body);
        pliant_motion b = pliant_body_motion(s.world, other.body);
        double mass = a.mass;
        assert_near(a.linear_momentum[0] + b.linear_momentum[0], 3.0 * mass, 2e-5 * mass);
        assert_near(a.linear_momentum[1] + b.linear_momentum[1], 0.0, 2e-5 * mass);
        assert_near(a.linear_momentum[2] + b.linear_momentum[2], 0.0, 2e-5 * mass);
        setup_close(&s);
    }
}

// ---------------------------------------------------------------------------------------------
// Absorbing, one stage at a time

// Lets the group go, gives its particles other places and rotations, and lets it hold again.
static void dent_by_hand(setup *s, uint32_t *random, float size, float angle)
{
    pliant_world *world = s->world;
    body *b = body_of(s);
    substep sub = {.world = world,
                   .h = 1.0f / 300.0f,
                   .time = 1.0f / 300.0f,
                   .part = 1.0f,
                   .iterations = 2,
                   .remaining = 1};
    world->hit_speed[b->particle_first] = 1e3f;
    pli_absorb_dents(&sub);
    assert_true(is_loose(s));
    for (int i = 0; i < b->model->source.particle_count; ++i) {
        pliant_pose pose = pliant_body_particle_pose(world, s->body, i);
        quat turn = quat_exp(random_vec3(random, angle));
        pose.orientation = quat_mul(turn, pose.orientation);
        pose.position = vec3_add(pose.position, random_vec3(random, size));
        pliant_body_set_particle_pose(world, s->body, i, pose);
    }
    pli_start(&sub, b);
    for (int i = 0; i < b->model->source.particle_count; ++i)
        world->move[b->particle_first + i].way = (vec3){0, 0, 0};
    for (int i = 0; i < b->model->group_count; ++i)
        if (world->loose[b->group_first + i] > 0.0f)
            world->loose[b->group_first + i] = sub.h;
    pli_absorb_dents(&sub);
    assert_false(is_loose(s));
}

typedef struct motion_copy {
    vec3 x[64], x_low[64], v[64], spin[64];
    quat turn[64];
} motion_copy;

static motion_copy copy_motion(const setup *s)
{
    motion_copy out;
    memset(&out, 0, sizeof out);
    size_t n = (size_t)pliant_model_particle_count(s->model);
    memcpy(out.x, s->world->x, n * sizeof(vec3));
    memcpy(out.x_low, s->world->x_low, n * sizeof(vec3));
    memcpy(out.v, s->world->v, n * sizeof(vec3));
    memcpy(out.spin, s->world->spin, n * sizeof(vec3));
    memcpy(out.turn, s->world->turn, n * sizeof(quat));
    return out;
}

// In the middle of a crash: the last substep in which the group is loose.
static void test_absorbing_moves_nothing(void **state)
{
    (void)state;
    lattice l = dentable_block();
    setup s = falling_block(&l, 6.0f);
    run_until_loose(&s);
    run(&s, 2.0 / 60.0, DT);
    assert_true(is_loose(&s));
    body *b = body_of(&s);
    substep sub = {.world = s.world,
                   .h = 1.0f / 300.0f,
                   .time = 1.0f / 300.0f,
                   .part = 1.0f,
                   .iterations = 2,
                   .remaining = 1};
    motion_copy before = copy_motion(&s);
    pliant_motion motion = pliant_body_motion(s.world, s.body);
    for (int i = 0; i < b->model->group_count; ++i)
        s.world->loose[i] = minimum(s.world->loose[i], sub.h);
    pli_absorb_dents(&sub);
    assert_false(is_loose(&s));
    motion_copy after = copy_motion(&s);
    assert_memory_equal(&before, &after, sizeof before);
    // When the group holds again it takes from the deformation's energy, but no momentum.
    pliant_world_set_gravity(s.world, (vec3){0, 0, 0});
    for (int i = 0; i < 36; ++i)
        s.world->x[i].y += 10.0f;
    pliant_world_step(s.world, DT);
    pliant_motion then = pliant_body_motion(s.world, s.body);
    assert_below(then.kinetic_energy, motion.kinetic_energy * (1.0 + 1e-6));
    for (int c = 0; c < 3; ++c) {
        assert_near(then.linear_momentum[c], motion.linear_momentum[c], 1e-5 * motion.mass);
        assert_near(then.angular_momentum[c], motion.angular_momentum[c], 1e-4 * motion.mass);
    }
    setup_close(&s);
}

static void rest_centre_of(const setup *s, double centre[3])
{
    const pliant_particle_def *particles = pliant_model_particles(s->model);
    double mass = 0;
    memset(centre, 0, 3 * sizeof *centre);
    for (int i = 0; i < pliant_model_particle_count(s->model); ++i) {
        mass += (double)particles[i].mass;
        centre[0] += (double)particles[i].mass * (double)s->world->rest_x[i].x;
        centre[1] += (double)particles[i].mass * (double)s->world->rest_x[i].y;
        centre[2] += (double)particles[i].mass * (double)s->world->rest_x[i].z;
    }
    for (int c = 0; c < 3; ++c)
        centre[c] /= mass;
}

// The new shape is at rest wherever it is, and its rest centre stays where it was.
static void test_many_dents_leave_no_force_and_no_drift(void **state)
{
    (void)state;
    const float places[3] = {0.0f, 10.0f, 1000.0f};
    for (int k = 0; k < 3; ++k) {
        lattice l = dentable_block();
        setup s = plastic_setup(&l);
        s.body_def.position = (vec3){places[k], -places[k], 0.5f * places[k]};
        s.body_def.orientation = quat_exp((vec3){0.5f, 1.0f, -0.7f});
        setup_open(&s);
        double first[3], last[3];
        rest_centre_of(&s, first);
        uint32_t random = 7;
        for (int i = 0; i < 200; ++i) {
            dent_by_hand(&s, &random, 0.01f, 0.1f);
            pliant_body_set_velocity(s.world, s.body, (vec3){0, 0, 0}, (vec3){0, 0, 0});
            motion_copy before = copy_motion(&s);
            pliant_world_step(s.world, DT);
            motion_copy after = copy_motion(&s);
            for (int p = 0; p < 36; ++p) {
                vec3 moved = vec3_add(vec3_sub(after.x[p], before.x[p]),
                                      vec3_sub(after.x_low[p], before.x_low[p]));
                assert_below(vec3_length(moved), 3e-6);
                assert_below(vec3_length(quat_difference(after.turn[p], before.turn[p])), 1e-5);
            }
        }
        rest_centre_of(&s, last);
        for (int c = 0; c < 3; ++c)
            assert_near(last[c], first[c], 1e-5);
        setup_close(&s);
    }
}

// The members' rest poses and the particles' poses differ by one rigid motion.
static void test_rest_poses_are_the_dented_ones(void **state)
{
    (void)state;
    lattice l = dentable_block();
    setup s = plastic_setup(&l);
    s.body_def.position = (vec3){1, 2, 3};
    s.body_def.orientation = quat_exp((vec3){0, 2, 0.5f});
    setup_open(&s);
    uint32_t random = 99;
    dent_by_hand(&s, &random, 0.03f, 0.4f);
    const pliant_world *w = s.world;
    for (int i = 1; i < 36; ++i) {
        double now = vec3_length(vec3_sub(w->x[i], w->x[0]));
        double at_rest = vec3_length(vec3_sub(w->rest_x[i], w->rest_x[0]));
        assert_near(at_rest, now, 1e-6);
        quat a = quat_mul(w->turn[0], quat_conjugate(w->rest_turn[0]));
        quat b = quat_mul(w->turn[i], quat_conjugate(w->rest_turn[i]));
        assert_below(angle_between_quats(a, b), 2e-6);
    }
    assert_true(angle_between_quats(w->rest_turn[5], quat_identity()) > 0.01);
    setup_close(&s);
}

// A spinning block keeps its spin through a dent and after: the dented orientations count right.
static void test_a_dented_body_keeps_its_spin(void **state)
{
    (void)state;
    lattice l = dentable_block();
    setup s = plastic_setup(&l);
    setup_open(&s);
    uint32_t random = 3;
    dent_by_hand(&s, &random, 0.03f, 0.5f);
    pliant_body_set_velocity(s.world, s.body, (vec3){1, 0, 0}, (vec3){1, 3, 2});
    pliant_world_step(s.world, DT);
    pliant_motion before = pliant_body_motion(s.world, s.body);
    shape then = shape_of(&s);
    run(&s, 10.0, DT);
    pliant_motion after = pliant_body_motion(s.world, s.body);
    shape now = shape_of(&s);
    assert_below(shape_change(&then, &now), 2e-5);
    for (int c = 0; c < 3; ++c)
        assert_near(after.angular_momentum[c], before.angular_momentum[c],
                    2e-3 * length_of(before.angular_momentum));
    assert_near(after.kinetic_energy, before.kinetic_energy, 2e-2 * before.kinetic_energy);
    setup_close(&s);
}

// ---------------------------------------------------------------------------------------------
// Around the group

static void test_reset_takes_the_dents_out(void **state)
{
    (void)state;
    lattice l = dentable_block();
    setup s = falling_block(&l, 6.0f), fresh = falling_block(&l, 6.0f);
    run_until_loose(&s);
    for (int round = 0; round < 2; ++round) { // while it is loose, and when it is dented
        pliant_pose pose = {s.body_def.position, s.body_def.orientation};
        pliant_body_reset(s.world, s.body, pose);
        pliant_body_reset(fresh.world, fresh.body, pose);
        assert_false(is_loose(&s));
        assert_below(shape_error(&s), 1e-6);
        pliant_body_set_velocity(s.world, s.body, (vec3){0, -6, 0}, (vec3){0, 0, 0});
        pliant_body_set_velocity(fresh.world, fresh.body, (vec3){0, -6, 0}, (vec3){0, 0, 0});
        for (int i = 0; i < 60; ++i) {
            pliant_world_step(s.world, DT);
            pliant_world_step(fresh.world, DT);
            motion_copy a = copy_motion(&s), b = copy_motion(&fresh);
            assert_memory_equal(&a, &b, sizeof a);
        }
    }
    setup_close(&s);
    setup_close(&fresh);
}

static void test_a_dented_body_can_be_pinned(void **state)
{
    (void)state;
    lattice l = dentable_block();
    setup s = falling_block(&l, 6.0f);
    run_until_dented(&s);
    shape dented = shape_of(&s);
    for (int i = 0; i < 36; ++i)
        s.world->x[i].y += 5.0f;
    pliant_world_set_gravity(s.world, (vec3){0, -9.81f, 0});
    vec3 held = position_of(&s, 0);
    assert_int_equal(pliant_body_set_pinned(s.world, s.body, 0, true, NULL), PLIANT_OK);
    run(&s, 2.0, DT);
    shape pinned = shape_of(&s);
    assert_below(vec3_length(vec3_sub(position_of(&s, 0), held)), 1e-6);
    assert_below(shape_change(&dented, &pinned), 2e-3);
    assert_int_equal(pliant_body_set_pinned(s.world, s.body, 0, false, NULL), PLIANT_OK);
    run(&s, 0.5, DT);
    shape freed = shape_of(&s);
    assert_below(shape_change(&dented, &freed), 1e-4);
    setup_close(&s);
}

static void test_the_skin_is_dented_and_undented(void **state)
{
    (void)state;
    lattice l = dentable_block();
    l.has_skin = true;
    setup s = falling_block(&l, 6.0f);
    vec3 bound[36], dented[36], later[36];
    pliant_body_reset(s.world, s.body, (pliant_pose){{0, 0, 0}, {0, 0, 0, 1}});
    for (int mode = 0; mode < 2; ++mode) {
        pliant_body_skin(s.world, s.body, (pliant_skin_mode)mode, bound, NULL);
        for (int i = 0; i < 36; ++i)
            assert_below(
                vec3_length(vec3_sub(bound[i], pliant_model_vertices(s.model)[i].position)), 1e-6);
    }
    pliant_body_reset(s.world, s.body, (pliant_pose){s.body_def.position, {0, 0, 0.1f, 1}});
    pliant_body_set_velocity(s.world, s.body, (vec3){0, -6, 0}, (vec3){0, 0, 0});
    run_until_dented(&s);
    pliant_body_skin(s.world, s.body, PLIANT_SKIN_LINEAR, dented, NULL);
    run(&s, 3.0, DT);
    pliant_body_skin(s.world, s.body, PLIANT_SKIN_LINEAR, later, NULL);
    double change = 0, dent = 0;
    for (int i = 0; i < 36; ++i)
        for (int k = 0; k < i; ++k) {
            double at_bind = vec3_length(vec3_sub(bound[i], bound[k]));
            double then = vec3_length(vec3_sub(dented[i], dented[k]));
            double now = vec3_length(vec3_sub(later[i], later[k]));
            change = fmax(change, fabs(now - then));
            dent = fmax(dent, fabs(then - at_bind));
        }
    assert_below(change, 1e-5);
    assert_true(dent > 0.02);
    setup_close(&s);
}

// A chassis that can be dented and an axle that cannot, which share two bearings.
typedef enum cart_part { CHASSIS = 12, BEARINGS = 2, WHEELS = 4 } cart_part;

static setup cart_setup(void)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_particle_def def = pliant_default_particle_def();
    def.radii = (vec3){0.1f, 0.1f, 0.1f};
    def.stiffness = 0.02f;
    def.mass = 0.2f;
    int32_t chassis[CHASSIS + BEARINGS], axle[BEARINGS + WHEELS];
    for (int i = 0; i < CHASSIS; ++i) {
        def.position =
            (vec3){0.2f * (float)(i / 4), 0.2f * (float)(i / 2 % 2) + 0.2f, 0.4f * (float)(i % 2)};
        chassis[i] = pliant_builder_add_particle(builder, &def);
    }
    for (int i = 0; i < BEARINGS; ++i) {
        def.position = (vec3){0, 0, 0.4f * (float)i};
        chassis[CHASSIS + i] = axle[i] = pliant_builder_add_particle(builder, &def);
    }
    for (int i = 0; i < WHEELS; ++i) {
        def.position = (vec3){i % 2 ? 0.15f : -0.15f, 0, i / 2 ? 0.6f : -0.2f};
        axle[BEARINGS + i] = pliant_builder_add_particle(builder, &def);
    }
    for (int a = 0; a < CHASSIS + BEARINGS + WHEELS; ++a)
        for (int b = a + 1; b < CHASSIS + BEARINGS + WHEELS; ++b) {
            vec3 d = vec3_sub(pliant_builder_particle(builder, a)->position,
                              pliant_builder_particle(builder, b)->position);
            pliant_edge_def link = {a, b, 0, 0, false, 0.0f};
            if (vec3_length(d) < 0.46f)
                pliant_builder_add_edge(builder, &link);
        }
    pliant_group_def groups[2] = {
        {.members = chassis,
         .member_count = CHASSIS + BEARINGS,
         .stiffness = 1.0f,
         .dent_speed = 2.0f},
        {.members = axle, .member_count = BEARINGS + WHEELS, .stiffness = 1.0f}};
    pliant_builder_add_group(builder, &groups[0]);
    pliant_builder_add_group(builder, &groups[1]);
    pliant_error error = {0};
    setup s = {.model = pliant_builder_build(builder, &error),
               .world_def = pliant_default_world_def(),
               .body_def = pliant_default_body_def()};
    pliant_builder_destroy(builder);
    if (!s.model)
        fail_msg("%s: %s", error.place, error.message);
    s.world_def.gravity = (vec3){0, 0, 0};
    s.world_def.sleep_speed = 0.0f;
    s.body_def.model = s.model;
    s.body_def.linear_damping = s.body_def.angular_damping = 0.0f;
    return s;
}

static double distance_between(const setup *s, int a, int b)
{
    return vec3_length(vec3_sub(position_of(s, a), position_of(s, b)));
}

static double bind_distance(const setup *s, int a, int b)
{
    const pliant_particle_def *particles = pliant_model_particles(s->model);
    return vec3_length(vec3_sub(particles[a].position, particles[b].position));
}

// The dent moves the bearings in the chassis, but not in the axle, which turns as freely as before.
static void test_joints_hold_and_turn_through_a_dent(void **state)
{
    (void)state;
    setup s = cart_setup();
    s.body_def.orientation = quat_exp((vec3){0, 0, 3.5f}); // on its roof
    s.body_def.position = (vec3){0, 0.62f, 0};
    s.body_def.linear_velocity = (vec3){0, -6, 0};
    setup_open(&s);
    add_ground(&s);
    double start = kinetic_energy(&s), bearing = 0;
    run_until_loose(&s);
    for (int i = 0; i < 60; ++i) {
        pliant_world_step(s.world, DT);
        assert_below(kinetic_energy(&s), start);
        for (int a = CHASSIS; a < CHASSIS + BEARINGS + WHEELS; ++a)
            for (int b = CHASSIS; b < a; ++b)
                assert_near(distance_between(&s, a, b), bind_distance(&s, a, b), 0.02);
    }
    assert_false(is_loose(&s));
    for (int i = 0; i < CHASSIS; ++i)
        bearing =
            fmax(bearing, fabs(distance_between(&s, i, CHASSIS) - bind_distance(&s, i, CHASSIS)));
    assert_true(bearing > 0.01);
    for (int a = CHASSIS; a < CHASSIS + BEARINGS + WHEELS; ++a)
        for (int b = CHASSIS; b < a; ++b)
            assert_near(distance_between(&s, a, b), bind_distance(&s, a, b), 2e-4);
    // The axle alone is given a spin about itself and keeps it.
    for (int i = 0; i < CHASSIS + BEARINGS + WHEELS; ++i) {
        s.world->x[i].y += 5.0f;
        s.world->v[i] = s.world->spin[i] = (vec3){0, 0, 0};
    }
    vec3 hub = position_of(&s, CHASSIS);
    vec3 axis = vec3_normalize_or(vec3_sub(position_of(&s, CHASSIS + 1), hub), (vec3){0, 0, 1});
    vec3 spin = vec3_scale(axis, 10.0f);
    for (int i = CHASSIS; i < CHASSIS + BEARINGS + WHEELS; ++i) {
        vec3 v = vec3_cross(spin, vec3_sub(position_of(&s, i), hub));
        pliant_body_set_particle_velocity(s.world, s.body, i, v, spin);
    }
    pliant_world_step(s.world, DT);
    double energy = kinetic_energy(&s);
    run(&s, 1.0, DT);
    assert_near(kinetic_energy(&s), energy, 0.05 * energy);
    setup_close(&s);
}

// While the chassis is loose nothing between it and the axle brakes the axle.
static void test_joints_turn_while_a_group_is_loose(void **state)
{
    (void)state;
    double energy[2];
    for (int loose = 0; loose < 2; ++loose) {
        setup s = cart_setup();
        setup_open(&s);
        vec3 spin = {0, 0, 10};
        for (int i = CHASSIS; i < CHASSIS + BEARINGS + WHEELS; ++i) {
            vec3 v = vec3_cross(spin, vec3_sub(position_of(&s, i), position_of(&s, CHASSIS)));
            pliant_body_set_particle_velocity(s.world, s.body, i, v, spin);
        }
        substep sub = {.world = s.world,
                       .h = 1.0f / 300.0f,
                       .time = 1.0f / 300.0f,
                       .part = 1.0f,
                       .iterations = 2,
                       .remaining = 1};
        s.world->hit_speed[0] = loose ? 10.0f : 0.0f;
        pli_absorb_dents(&sub);
        assert_int_equal(is_loose(&s), loose);
        run(&s, 4.0 / 60.0, DT);
        assert_int_equal(is_loose(&s), loose);
        energy[loose] = kinetic_energy(&s);
        setup_close(&s);
    }
    assert_near(energy[1], energy[0], 0.02 * energy[0]);
}

// Soft particles beside a dented group find their rest beside its new shape.
static void test_soft_parts_follow_a_dent(void **state)
{
    (void)state;
    lattice l = lattice_of(6, 2, 2);
    l.stiffness = 0.1f;
    pliant_model *soft = lattice_model(&l);
    pliant_builder *builder = pliant_builder_create(NULL);
    for (int i = 0; i < 24; ++i)
        pliant_builder_add_particle(builder, &pliant_model_particles(soft)[i]);
    for (int i = 0; i < pliant_model_edge_count(soft); ++i) {
        pliant_edge_def link = pliant_model_edges(soft)[i];
        link.stretch_stiffness = link.torsion_stiffness = 0.1f;
        pliant_builder_add_edge(builder, &link);
    }
    int32_t members[12];
    for (int i = 0; i < 12; ++i)
        members[i] = i;
    pliant_group_def whole = {
        .members = members, .member_count = 12, .stiffness = 1.0f, .dent_speed = 2.0f};
    pliant_builder_add_group(builder, &whole);
    setup s = plastic_setup(&l);
    pliant_model_destroy(s.model);
    pliant_model_destroy(soft);
    s.body_def.model = s.model = pliant_builder_build(builder, NULL);
    s.body_def.linear_damping = s.body_def.angular_damping = 0.95f;
    pliant_builder_destroy(builder);
    // Twelve soft particles, twelve that stand in.
    assert_int_equal(pliant_model_implicit_group_count(s.model), 24);
    setup_open(&s);
    uint32_t random = 5;
    dent_by_hand(&s, &random, 0.03f, 0.2f);
    run(&s, 5.0, DT);
    const body *b = body_of(&s);
    shape settled = shape_of(&s);
    for (int i = 0; i < pliant_model_edge_count(s.model); ++i) {
        const edge *e = &s.model->edges[i];
        double at_rest = vec3_length(vec3_sub(s.world->rest_x[e->a], s.world->rest_x[e->b]));
        assert_near(b->own_rest.edges[i].length, at_rest, 1e-6);
        if (e->a < 12 && e->b < 12)
            assert_near(distance_between(&s, e->a, e->b), at_rest, 1e-4);
    }
    // What is left are the soft particles' own displacements by hand: none of them has a force.
    assert_below(kinetic_energy(&s), 1e-6);
    for (int i = 12; i < 24; ++i)
        for (int k = 0; k < i; ++k) {
            double at_rest = vec3_length(vec3_sub(s.world->rest_x[i], s.world->rest_x[k]));
            assert_near(vec3_length(vec3_sub(settled.places[i], settled.places[k])), at_rest, 0.01);
        }
    setup_close(&s);
}

// A particle that is dented into another one rests there: they do not push each other.
static void test_dented_together_is_not_a_collision(void **state)
{
    (void)state;
    for (int overlap_is_rest = 0; overlap_is_rest < 2; ++overlap_is_rest) {
        pliant_builder *builder = pliant_builder_create(NULL);
        pliant_particle_def def = pliant_default_particle_def();
        int32_t members[4];
        for (int i = 0; i < 4; ++i) {
            def.position = (vec3){0.2f * (float)(i % 2), 0.2f * (float)(i / 2), 0};
            def.mass = i == 1 ? 1.0f : 50.0f; // the dent leaves the rest of the group where it is
            members[i] = pliant_builder_add_particle(builder, &def);
        }
        def.position = (vec3){0.5f, 0, 0};
        pliant_builder_add_particle(builder, &def);
        pliant_group_def whole = {
            .members = members, .member_count = 4, .stiffness = 0.01f, .dent_speed = 2.0f};
        pliant_builder_add_group(builder, &whole);
        lattice l = lattice_of(1, 1, 1);
        setup s = plastic_setup(&l);
        pliant_model_destroy(s.model);
        s.body_def.model = s.model = pliant_builder_build(builder, NULL);
        s.body_def.self_collision = true;
        pliant_builder_destroy(builder);
        setup_open(&s);
        uint32_t random = 5;
        pliant_pose pose = {{0.45f, 0, 0}, {0, 0, 0, 1}};
        pliant_body_set_particle_pose(s.world, s.body, 1, pose);
        if (overlap_is_rest)
            dent_by_hand(&s, &random, 1e-4f, 0.0f);
        pliant_world_set_substep_length(s.world, 1e-3f);
        pliant_world_set_iterations(s.world, 1);
        pliant_world_step(s.world, 1e-3f);
        assert_int_equal(pliant_world_report(s.world).pairs > 0, !overlap_is_rest);
        setup_close(&s);
    }
}

// ---------------------------------------------------------------------------------------------
// Models, memory, snapshots

static void test_only_dentable_groups_get_stand_ins(void **state)
{
    (void)state;
    lattice l = dentable_block();
    pliant_model *model = lattice_model(&l);
    assert_int_equal(pliant_model_implicit_group_count(model), 36);
    size_t size = pliant_model_blob_size(model);
    void *blob = malloc(size);
    pliant_model_save(model, blob);
    pliant_model *loaded = pliant_model_load(blob, size, NULL, NULL);
    assert_int_equal(pliant_model_implicit_group_count(loaded), 36);
    uint64_t hashes[2];
    for (int i = 0; i < 2; ++i) {
        setup s = plastic_setup(&l);
        pliant_model_destroy(s.model);
        s.body_def.model = s.model = i ? loaded : model;
        s.body_def.linear_velocity = (vec3){0, -6, 0};
        s.body_def.position = (vec3){0, 0.3f, 0};
        setup_open(&s);
        add_ground(&s);
        run(&s, 1.0, DT);
        hashes[i] = pliant_world_hash(s.world);
        assert_true(shape_error(&s) > 0.01);
        setup_close(&s);
    }
    assert_int_equal(hashes[0], hashes[1]);
    free(blob);
    l.dent_speed = 0.0f;
    model = lattice_model(&l);
    assert_int_equal(pliant_model_implicit_group_count(model), 0);
    pliant_model_destroy(model);
}

// Dents and creep need no memory: a world that has made the same steps before has room for all that they find.
static void test_a_warm_step_allocates_nothing(void **state)
{
    (void)state;
    counting count = {0};
    lattice l = dentable_block();
    l.yield_strain = 0.01f;
    l.creep_rate = 5.0f;
    setup s = plastic_setup(&l);
    s.world_def.allocator = counting_allocator(&count);
    s.body_def.position = (vec3){0, 0.3f, 0};
    s.body_def.linear_velocity = (vec3){0, -6, 0};
    setup_open(&s);
    add_ground(&s);
    size_t size = pliant_world_snapshot_size(s.world);
    void *snapshot = malloc(size);
    pliant_world_snapshot(s.world, snapshot);
    run_until_dented(&s);
    run(&s, 0.5, DT);
    assert_int_equal(pliant_world_restore(s.world, snapshot, size, NULL), PLIANT_OK);
    free(snapshot);
    int calls = count.calls;
    run_until_dented(&s);
    run(&s, 0.5, DT);
    assert_int_equal(count.calls, calls);
    setup_close(&s);
    assert_int_equal(count.live, 0);
}

static void test_adding_a_body_without_memory_changes_nothing(void **state)
{
    (void)state;
    lattice l = dentable_block();
    bool succeeded = false;
    for (int n = 1; n < 200 && !succeeded; ++n) {
        counting count = {0};
        setup s = plastic_setup(&l);
        s.world_def.allocator = counting_allocator(&count);
        s.world = pliant_world_create(&s.world_def, NULL);
        count.fail_at = count.calls + n;
        s.body = pliant_world_add_body(s.world, &s.body_def, NULL);
        succeeded = pliant_body_is_valid(s.world, s.body);
        assert_int_equal(pliant_world_body_count(s.world), succeeded);
        setup_close(&s);
        assert_int_equal(count.live, 0);
    }
    assert_true(succeeded);
}

typedef struct picture {
    uint8_t *bytes;
    size_t size;
} picture;

static picture take_picture(const pliant_world *world)
{
    picture p = {.size = pliant_world_snapshot_size(world)};
    p.bytes = malloc(p.size);
    pliant_world_snapshot(world, p.bytes);
    return p;
}

// Goes on from here, goes back, and goes on once more; also in `other`, a world made the same way.
static void check_snapshot(setup *s, setup *other)
{
    enum { STEPS = 40 };
    uint64_t hashes[STEPS];
    picture p = take_picture(s->world);
    uint64_t before = pliant_world_hash(s->world);
    for (int i = 0; i < STEPS; ++i) {
        pliant_world_step(s->world, DT);
        hashes[i] = pliant_world_hash(s->world);
    }
    setup *worlds[2] = {s, other};
    for (int k = 0; k < 2; ++k) {
        pliant_world *world = worlds[k]->world;
        assert_int_equal(pliant_world_restore(world, p.bytes, p.size, NULL), PLIANT_OK);
        assert_int_equal(pliant_world_hash(world), before);
        for (int i = 0; i < STEPS; ++i) {
            pliant_world_step(world, DT);
            assert_int_equal(pliant_world_hash(world), hashes[i]);
        }
    }
    assert_int_equal(pliant_world_restore(s->world, p.bytes, p.size, NULL), PLIANT_OK);
    free(p.bytes);
}

static void test_snapshots_keep_dents(void **state)
{
    (void)state;
    lattice l = dentable_block();
    l.torsion = l.stretch = 0.1f;
    setup s = falling_block(&l, 6.0f), other = falling_block(&l, 6.0f);
    run_until_loose(&s);
    pliant_world_step(s.world, DT);
    assert_true(is_loose(&s));
    check_snapshot(&s, &other);
    assert_true(is_loose(&s));
    run_until_dented(&s);
    check_snapshot(&s, &other);
    // Pinned meanwhile: the snapshot's pins and shape come back together.
    picture p = take_picture(s.world);
    pliant_body_set_pinned(s.world, s.body, 3, true, NULL);
    uint64_t hash = pliant_world_hash(s.world);
    check_snapshot(&s, &other);
    assert_int_equal(pliant_world_hash(s.world), hash);
    pliant_world_restore(s.world, p.bytes, p.size, NULL);
    check_snapshot(&s, &other);
    free(p.bytes);
    setup_close(&s);
    setup_close(&other);
}

// ---------------------------------------------------------------------------------------------
// Creep

static lattice creeping_beam(void)
{
    lattice l = lattice_of(8, 2, 2);
    l.stiffness = 0.05f;
    l.reach = 1.5f;
    l.pinned_columns = 1;
    l.yield_strain = 0.004f;
    l.creep_rate = 1.0f;
    return l;
}

// How far the tip of a beam stays down when a load on it is gone.
static double permanent_set(const lattice *l, float load, int substeps, float dt)
{
    setup s = plastic_setup(l);
    s.world_def.substep_length = pliant_substep_length(substeps);
    s.world_def.iterations = substeps == 1 ? 10 : 2;
    s.body_def.linear_damping = 0.98f;
    setup_open(&s);
    int tip = pliant_model_particle_count(s.model) - 1;
    float start = position_of(&s, tip).y;
    for (int i = 0; i < (int)(1.0f / dt + 0.5f); ++i) {
        for (int p = tip - 3; p <= tip; ++p)
            pliant_body_apply_particle_force(s.world, s.body, p, (vec3){0, -0.25f * load, 0});
        pliant_world_step(s.world, dt);
    }
    double loaded = (double)(start - position_of(&s, tip).y);
    run(&s, 10.0, dt);
    double left = (double)(start - position_of(&s, tip).y);
    assert_true(all_finite(&s));
    assert_true(loaded > left);
    setup_close(&s);
    return left;
}

static void test_a_beam_bent_beyond_its_yield_stays_bent(void **state)
{
    (void)state;
    lattice l = creeping_beam();
    double strong = permanent_set(&l, 2.0f, 5, DT), weak = permanent_set(&l, 0.2f, 5, DT);
    assert_true(strong > 0.04);
    assert_below(fabs(weak), 1e-4);
    l.creep_rate = 0.0f;
    assert_below(fabs(permanent_set(&l, 2.0f, 5, DT)), 1e-4);
}

static void test_creep_does_not_depend_on_the_step(void **state)
{
    (void)state;
    lattice l = creeping_beam();
    const int substeps[3] = {1, 5, 10};
    const float steps[3] = {1.0f / 30.0f, 1.0f / 60.0f, 1.0f / 120.0f};
    double low = 1e9, high = 0;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            double set = permanent_set(&l, 2.0f, substeps[i], steps[k]);
            print_message("%d substeps of %g s: %g m\n", substeps[i], (double)steps[k], set);
            low = fmin(low, set);
            high = fmax(high, set);
        }
    assert_below((high - low) / low, 0.08); // most of it at one substep of 1/30 s
}

static float strain_of(const setup *s, int index)
{
    const body *b = body_of(s);
    const group *g = &s->model->groups[index];
    group_fit fit = pli_fit_group(s->world, b, index);
    float deformed = 0, size = 0;
    for (int k = 0; k < g->slot_count; ++k) {
        vec3 o = rest_offset(pli_body_rest(b), group_slot(g, k));
        vec3 at = pli_place_in_fit(s->world, b, &fit, group_member(s->model, g, k));
        deformed += vec3_dot(vec3_sub(at, o), vec3_sub(at, o));
        size += vec3_dot(o, o);
    }
    return sqrtf(deformed / size);
}

// A chain that is pulled out by a fifth within a second: all of it is pinned, or its ends.
static setup pulled_chain(const lattice *l, bool all_pinned, int substeps, float dt)
{
    setup s = plastic_setup(l);
    s.world_def.substep_length = pliant_substep_length(substeps);
    s.body_def.linear_damping = 0.9f;
    setup_open(&s);
    int steps = (int)(1.0f / dt + 0.5f);
    for (int i = 0; i < l->nx; ++i)
        if (all_pinned || i == 0 || i == l->nx - 1)
            pliant_body_set_pinned(s.world, s.body, i, true, NULL);
    for (int k = 1; k <= steps; ++k) {
        float stretched = 1.0f + 0.2f * (float)k / (float)steps;
        for (int i = 0; i < l->nx; ++i) {
            pliant_pose target = {{l->spacing * stretched * (float)i, 0, 0}, {0, 0, 0, 1}};
            pliant_body_set_target(s.world, s.body, i, target);
        }
        pliant_world_step(s.world, dt);
    }
    return s;
}

static lattice creeping_chain(float yield_strain, float creep_rate)
{
    lattice l = lattice_of(9, 1, 1);
    l.stiffness = 0.3f;
    l.yield_strain = yield_strain;
    l.creep_rate = creep_rate;
    return l;
}

static void test_what_is_left_of_the_strain_is_the_yield(void **state)
{
    (void)state;
    for (int all_pinned = 0; all_pinned < 2; ++all_pinned) {
        lattice l = creeping_chain(0.05f, 5.0f);
        setup s = pulled_chain(&l, all_pinned, 5, DT);
        run(&s, 8.0, DT);
        float most = 0;
        for (int i = 0; i < pliant_model_implicit_group_count(s.model); ++i) {
            most = fmaxf(most, strain_of(&s, i));
            if (all_pinned)
                assert_near(strain_of(&s, i), 0.05, 1e-5);
        }
        assert_near(most, 0.05, 1e-3);
        setup_close(&s);
    }
}

// Pulled evenly by e = 0.2 within a second the rest length λ of a link follows dλ/dt = rate (1 + e t - (1 +
// yield) λ) from when e t is the yield on.
static void test_strain_relaxes_at_the_rate_of_creep(void **state)
{
    (void)state;
    const int substeps[3] = {1, 5, 10};
    const float steps[3] = {1.0f / 30.0f, 1.0f / 60.0f, 1.0f / 120.0f};
    double expected = 1.0;
    for (int i = 0; i < 100000; ++i) {
        double strain = (1.0 + 0.2 * i * 1e-5 - expected) / expected;
        if (strain > 0.05)
            expected += 1e-5 * 2.0 * (strain - 0.05) * expected;
    }
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            lattice l = creeping_chain(0.05f, 2.0f);
            setup s = pulled_chain(&l, true, substeps[i], steps[k]);
            for (int g = 0; g < pliant_model_implicit_group_count(s.model); ++g)
                assert_near(strain_of(&s, g), 1.2 / expected - 1.0, 0.04 * (1.2 / expected - 1.0));
            setup_close(&s);
        }
}

// The lengths of stretched edges creep with their particles' groups.
static void test_a_stretched_rope_stays_longer(void **state)
{
    (void)state;
    for (int creeps = 0; creeps < 2; ++creeps) {
        lattice l = creeping_chain(0.05f, creeps ? 5.0f : 0.0f);
        l.stretch = 0.5f;
        setup s = pulled_chain(&l, false, 5, DT);
        run(&s, 4.0, DT);
        pliant_body_set_pinned(s.world, s.body, 8, false, NULL);
        run(&s, 8.0, DT);
        double length = 0;
        for (int i = 0; i < 8; ++i)
            length += distance_between(&s, i, i + 1);
        assert_near(length, creeps ? 1.6 * 1.2 / 1.05 : 1.6, 0.03);
        setup_close(&s);
    }
}

// A rope bent to a hairpin is hardly strained anywhere: with a yield above that, or without creep, it
// straightens. The strain of a group is not that of the body.
static void test_bending_a_long_rope_is_no_strain(void **state)
{
    (void)state;
    for (int creeps = 0; creeps < 2; ++creeps) {
        lattice l = lattice_of(60, 1, 1);
        l.stiffness = 0.5f;
        l.pinned_columns = 1;
        l.yield_strain = 0.3f;
        l.creep_rate = creeps ? 10.0f : 0.0f;
        setup s = plastic_setup(&l);
        setup_open(&s);
        for (int i = 1; i < 60; ++i) { // half a circle
            float angle = 3.14159265f * (float)i / 59.0f, radius = 0.2f * 59.0f / 3.14159265f;
            float sine, cosine;
            trig_sin_cos(angle, &sine, &cosine);
            pliant_pose pose = {{radius * sine, radius * (1.0f - cosine), 0},
                                quat_exp((vec3){0, 0, angle})};
            pliant_body_set_particle_pose(s.world, s.body, i, pose);
        }
        run(&s, 0.5, DT);
        const rest *now = pli_body_rest(body_of(&s));
        assert_memory_equal(now->rows, s.model->rest.rows,
                            (size_t)s.model->row_count * sizeof *now->rows);
        setup_close(&s);
    }
}

// A soft explicit group creeps as a whole.
static void test_explicit_groups_creep(void **state)
{
    (void)state;
    for (int creeps = 0; creeps < 2; ++creeps) {
        pliant_builder *builder = pliant_builder_create(NULL);
        int32_t members[4];
        for (int i = 0; i < 4; ++i) {
            pliant_particle_def def = pliant_default_particle_def();
            def.position = (vec3){0.3f * (float)(i % 2), 0.3f * (float)(i / 2), 0};
            members[i] = pliant_builder_add_particle(builder, &def);
        }
        pliant_group_def whole = {.members = members,
                                  .member_count = 4,
                                  .stiffness = 0.1f,
                                  .yield_strain = 0.02f,
                                  .creep_rate = creeps ? 5.0f : 0.0f};
        pliant_builder_add_group(builder, &whole);
        lattice l = lattice_of(1, 1, 1);
        setup s = plastic_setup(&l);
        pliant_model_destroy(s.model);
        s.body_def.model = s.model = pliant_builder_build(builder, NULL);
        s.body_def.shape_damping = 0.99f;
        pliant_builder_destroy(builder);
        setup_open(&s);
        for (int i = 0; i < 60; ++i) {
            pliant_body_apply_particle_force(s.world, s.body, 0, (vec3){-400, 0, 0});
            pliant_body_apply_particle_force(s.world, s.body, 1, (vec3){400, 0, 0});
            pliant_world_step(s.world, DT);
        }
        run(&s, 5.0, DT);
        double left = distance_between(&s, 0, 1) - 0.3;
        if (creeps)
            assert_true(left > 0.02);
        else
            assert_below(fabs(left), 1e-3);
        setup_close(&s);
    }
}

static void test_snapshots_keep_creep(void **state)
{
    (void)state;
    lattice l = creeping_chain(0.02f, 3.0f);
    l.stretch = 0.5f;
    setup s = pulled_chain(&l, false, 5, DT), other = plastic_setup(&l);
    setup_open(&other);
    check_snapshot(&s, &other);
    pliant_body_set_pinned(s.world, s.body, 8, false, NULL);
    run(&s, 0.3, DT);
    check_snapshot(&s, &other);
    setup_close(&s);
    setup_close(&other);
}

// A chain that is pulled for long keeps its momentum and its centre: creep moves no particle.
static void test_creep_keeps_momentum(void **state)
{
    (void)state;
    lattice l = lattice_of(5, 2, 2);
    l.stiffness = 0.1f;
    l.yield_strain = 0.01f;
    l.creep_rate = 10.0f;
    setup s = plastic_setup(&l);
    s.body_def.linear_velocity = (vec3){1, 0, 0};
    s.body_def.angular_velocity = (vec3){0, 12, 3};
    setup_open(&s);
    pliant_motion before = pliant_body_motion(s.world, s.body);
    run(&s, 3.0, DT);
    pliant_motion after = pliant_body_motion(s.world, s.body);
    assert_true(shape_error(&s) > 0.01);
    for (int c = 0; c < 3; ++c) {
        assert_near(after.linear_momentum[c], before.linear_momentum[c], 1e-4 * before.mass);
        assert_near(after.angular_momentum[c], before.angular_momentum[c],
                    0.05 * length_of(before.angular_momentum));
    }
    assert_below(after.kinetic_energy, before.kinetic_energy * 1.01);
    setup_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_hard_hit_dents_for_good),
        cmocka_unit_test(test_a_soft_hit_leaves_no_dent),
        cmocka_unit_test(test_a_group_is_loose_for_its_time),
        cmocka_unit_test(test_a_dent_is_told),
        cmocka_unit_test(test_a_dent_creates_no_energy),
        cmocka_unit_test(test_two_bodies_of_one_model_are_dented_apart),
        cmocka_unit_test(test_a_crash_keeps_momentum),
        cmocka_unit_test(test_absorbing_moves_nothing),
        cmocka_unit_test(test_many_dents_leave_no_force_and_no_drift),
        cmocka_unit_test(test_rest_poses_are_the_dented_ones),
        cmocka_unit_test(test_a_dented_body_keeps_its_spin),
        cmocka_unit_test(test_reset_takes_the_dents_out),
        cmocka_unit_test(test_a_dented_body_can_be_pinned),
        cmocka_unit_test(test_the_skin_is_dented_and_undented),
        cmocka_unit_test(test_joints_hold_and_turn_through_a_dent),
        cmocka_unit_test(test_joints_turn_while_a_group_is_loose),
        cmocka_unit_test(test_soft_parts_follow_a_dent),
        cmocka_unit_test(test_dented_together_is_not_a_collision),
        cmocka_unit_test(test_only_dentable_groups_get_stand_ins),
        cmocka_unit_test(test_a_warm_step_allocates_nothing),
        cmocka_unit_test(test_adding_a_body_without_memory_changes_nothing),
        cmocka_unit_test(test_snapshots_keep_dents),
        cmocka_unit_test(test_a_beam_bent_beyond_its_yield_stays_bent),
        cmocka_unit_test(test_creep_does_not_depend_on_the_step),
        cmocka_unit_test(test_what_is_left_of_the_strain_is_the_yield),
        cmocka_unit_test(test_strain_relaxes_at_the_rate_of_creep),
        cmocka_unit_test(test_a_stretched_rope_stays_longer),
        cmocka_unit_test(test_bending_a_long_rope_is_no_strain),
        cmocka_unit_test(test_explicit_groups_creep),
        cmocka_unit_test(test_snapshots_keep_creep),
        cmocka_unit_test(test_creep_keeps_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
