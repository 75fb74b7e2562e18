// Steps of any length, in any order: what is at rest stays so, what swings gains nothing, and what happens does not
// depend on how time is cut.

#include "bodies.h"

#include <pliant/author.h>

// ---------------------------------------------------------------------------------------------
// Sequences of steps

typedef enum sequence {
    EVEN_60,
    EVEN_300, // a substep each
    EVEN_500, // less than a substep each
    ALTERNATING_30_144,
    ALTERNATING_30_500,
    ALTERNATING_60_3000,
    HITCHES_144, // with one of 0.1 s in sixty
    JITTER_60,   // ± 10 %
    JITTER_120,  // ± 0.1 %
    JITTER_200,  // ± 1 %
    RANDOM,      // 1/500 … 1/10 s
    SLOW_MOTION, // from 1 s on a tenth as fast
    WILD,        // 10 µs … 1 s
    SEQUENCES
} sequence;

// Sanitizers are slow: every third one is enough for them.
enum { NEXT_SEQUENCE = FULL_LENGTH ? 1 : 3 };

static const char *const sequence_names[SEQUENCES] = {
    "1/60",         "1/300",          "1/500",       "1/30, 1/144",   "1/30, 1/500",
    "1/60, 1/3000", "1/144, hitches", "1/60 ± 10 %", "1/120 ± 0.1 %", "1/200 ± 1 %",
    "random",       "slow motion",    "10 µs … 1 s"};

static float jitter(uint32_t *random, float rate, float part)
{
    return (1.0f + random_between(random, -part, part)) / rate;
}

// Evenly distributed in its logarithm.
static float random_step(uint32_t *random, float shortest, float longest)
{
    return shortest * powf(longest / shortest, random_between(random, 0.0f, 1.0f));
}

static float step_of(sequence which, int index, double time, uint32_t *random)
{
    switch (which) {
    case EVEN_300:
        return 1.0f / 300.0f;
    case EVEN_500:
        return 1.0f / 500.0f;
    case ALTERNATING_30_144:
        return index & 1 ? 1.0f / 144.0f : 1.0f / 30.0f;
    case ALTERNATING_30_500:
        return index & 1 ? 1.0f / 500.0f : 1.0f / 30.0f;
    case ALTERNATING_60_3000:
        return index & 1 ? 1.0f / 3000.0f : 1.0f / 60.0f;
    case HITCHES_144:
        return index % 60 == 59 ? 0.1f : 1.0f / 144.0f;
    case JITTER_60:
        return jitter(random, 60.0f, 0.1f);
    case JITTER_120:
        return jitter(random, 120.0f, 0.001f);
    case JITTER_200:
        return jitter(random, 200.0f, 0.01f);
    case RANDOM:
        return random_step(random, 1.0f / 500.0f, 1.0f / 10.0f);
    case SLOW_MOTION:
        return time < 1.0 ? 1.0f / 60.0f : 1.0f / 600.0f;
    case WILD:
        return random_step(random, 1e-5f, 1.0f);
    default:
        return 1.0f / 60.0f;
    }
}

// ---------------------------------------------------------------------------------------------
// Bodies

typedef enum thing {
    HANGING_ROPE,
    LYING_ROPE,
    STIFF_BLOCK,
    SOFT_BLOCK,
    RIGID_GROUP,
    HANGING_SHEET,
    CLAMPED_BEAM,
    THINGS
} thing;

static const char *const thing_names[THINGS] = {"hanging rope", "lying rope",  "stiff block",
                                                "soft block",   "rigid group", "hanging sheet",
                                                "clamped beam"};

static pliant_model *build_thing(thing which)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_rope_def rope = pliant_default_rope_def();
    pliant_sheet_def sheet = pliant_default_sheet_def();
    pliant_block_def block = pliant_default_block_def();
    for (int c = 0; c < 3; ++c)
        block.counts[c] = 4;
    block.size = (vec3){0.5f, 0.5f, 0.5f};
    block.stiffness = which == STIFF_BLOCK ? 1.0f : 0.3f;
    if (which == CLAMPED_BEAM) {
        block.counts[0] = 10;
        block.size.x = 1.5f;
        block.stiffness = 0.9f;
    }
    if (which == LYING_ROPE)
        rope.end = (vec3){1, 0, 0};
    if (which == HANGING_ROPE || which == LYING_ROPE)
        pliant_builder_add_rope(builder, &rope);
    else if (which == HANGING_SHEET)
        pliant_builder_add_sheet(builder, &sheet);
    else
        pliant_builder_add_block(builder, &block);
    if (which == RIGID_GROUP) {
        int32_t members[64];
        for (int i = 0; i < 64; ++i)
            members[i] = i;
        pliant_group_def group = {.members = members, .member_count = 64, .stiffness = 1.0f};
        pliant_builder_add_group(builder, &group);
    }
    pliant_error error = {0};
    pliant_model *model = pliant_builder_build(builder, &error);
    if (!model)
        fail_msg("%s: %s", error.place, error.message);
    pliant_builder_destroy(builder);
    return model;
}

static bool is_held(thing which)
{
    return which == HANGING_ROPE || which == HANGING_SHEET || which == CLAMPED_BEAM;
}

// The end of a rope, the upper edge of a sheet, the left face of a beam.
static bool is_clamped(thing which, const pliant_particle_def *particles, int count, int index)
{
    vec3 first = particles[0].position, at = particles[index].position;
    for (int i = 1; i < count; ++i) {
        vec3 other = particles[i].position;
        first = (vec3){minimum(first.x, other.x), maximum(first.y, other.y), first.z};
    }
    return which == CLAMPED_BEAM ? at.x < first.x + 0.01f : at.y > first.y - 0.01f;
}

static setup open_thing(thing which, pliant_model *model)
{
    setup s = {.model = model,
               .world_def = pliant_default_world_def(),
               .body_def = pliant_default_body_def()};
    s.body_def.model = model;
    s.body_def.shape_damping = which == HANGING_SHEET ? 0.9f : 0.0f; // it flutters for long
    setup_open(&s);
    int count = pliant_model_particle_count(model);
    const pliant_particle_def *particles = pliant_model_particles(model);
    for (int i = 0; i < count; ++i)
        if (is_held(which) && is_clamped(which, particles, count, i))
            pliant_body_set_pinned(s.world, s.body, i, true, NULL);
    if (!is_held(which)) {
        vec3 low, high;
        pliant_body_bounds(s.world, s.body, &low, &high);
        pliant_plane_def ground = pliant_default_plane_def();
        ground.offset = low.y;
        pliant_world_add_plane(s.world, &ground, NULL);
    }
    return s;
}

// ---------------------------------------------------------------------------------------------

// Set down as they are made, they sag, and are calm within two seconds: whatever the steps.
static void test_what_rests_stays_at_rest(void **state)
{
    (void)state;
    for (int t = 0; t < THINGS; ++t) {
        pliant_model *model = build_thing((thing)t);
        for (int q = 0; q < SEQUENCES; q += NEXT_SEQUENCE) {
            setup s = open_thing((thing)t, model);
            uint32_t random = 7;
            double time = 0, late = 0, most = 0;
            for (int i = 0; time < 8.0; ++i) {
                float dt = step_of((sequence)q, i, time, &random);
                pliant_world_step(s.world, dt);
                time += (double)minimum(dt, 0.5f);
                double speed = fastest(&s);
                most = fmax(most, speed);
                if (time > 6.0)
                    late = fmax(late, speed);
            }
            if (!(late < 0.01 && most < 1.0))
                fail_msg("%s at %s: %g m/s at most, %g m/s at the end", thing_names[t],
                         sequence_names[q], most, late);
            assert_int_equal(pliant_world_report(s.world).sleeping_bodies, 1);
            pliant_world_destroy(s.world);
        }
        pliant_model_destroy(model);
    }
}

// What has come to rest with steps of one length is not moved by steps of any other.
static void test_rest_does_not_depend_on_the_steps(void **state)
{
    (void)state;
    for (int t = 0; t < THINGS; ++t) {
        pliant_model *model = build_thing((thing)t);
        setup s = open_thing((thing)t, model);
        run(&s, 20.0, 1.0f / 60.0f);
        assert_true(pliant_body_is_asleep(s.world, s.body));
        size_t size = pliant_world_snapshot_size(s.world);
        void *snapshot = malloc(size);
        pliant_world_snapshot(s.world, snapshot);
        for (int q = 0; q < SEQUENCES; q += NEXT_SEQUENCE) {
            pliant_world_restore(s.world, snapshot, size, NULL);
            pliant_body_wake(s.world, s.body);
            uint32_t random = 3;
            double most = 0, time = 0;
            for (int i = 0; time < 0.45; ++i) { // before it sleeps again
                float dt = step_of((sequence)q, i, time, &random);
                pliant_world_step(s.world, dt);
                time += (double)minimum(dt, 0.5f);
                most = fmax(most, fastest(&s));
            }
            if (!(most < 0.02)) // with which it fell asleep
                fail_msg("%s at %s: %g m/s", thing_names[t], sequence_names[q], most);
        }
        free(snapshot);
        pliant_world_destroy(s.world);
        pliant_model_destroy(model);
    }
}

// Let go from level, held at one end. The energy is never above what it is then, and after ten seconds what is left of
// it does not depend on the steps.
static void test_what_swings_gains_nothing(void **state)
{
    (void)state;
    for (int t = 0; t < 3; ++t) {
        pliant_model *model = build_thing(t == 0 ? LYING_ROPE : t == 1 ? CLAMPED_BEAM : SOFT_BLOCK);
        double left[SEQUENCES];
        for (int q = 0; q < SEQUENCES; q += NEXT_SEQUENCE) {
            setup s = {.model = model,
                       .world_def = pliant_default_world_def(),
                       .body_def = pliant_default_body_def()};
            s.body_def.model = model;
            s.body_def.linear_damping = s.body_def.angular_damping = 0.0f;
            setup_open(&s);
            pliant_body_set_pinned(s.world, s.body, 0, true, NULL);
            double start = energy_in_gravity(&s), most = -1e9, time = 0;
            double scale = pliant_body_motion(s.world, s.body).mass * 9.81 * 0.5;
            uint32_t random = 5;
            for (int i = 0; time < 10.0; ++i) {
                float dt = step_of((sequence)q, i, time, &random);
                pliant_world_step(s.world, dt);
                time += (double)minimum(dt, 0.5f);
                left[q] = (energy_in_gravity(&s) - start) / scale;
                most = fmax(most, left[q]);
            }
            print_message("%s: %.4f at most, %.3f in the end\n", sequence_names[q], most, left[q]);
            assert_below(most, 1e-3);
            pliant_world_destroy(s.world);
        }
        for (int q = NEXT_SEQUENCE; q < SEQUENCES; q += NEXT_SEQUENCE)
            assert_near(left[q], left[0], 0.15);
        pliant_model_destroy(model);
    }
}

// A body falls as far in a second, however it is cut.
static void test_falling_does_not_depend_on_the_steps(void **state)
{
    (void)state;
    lattice l = lattice_of(2, 2, 2);
    for (int q = 0; q < SEQUENCES; q += NEXT_SEQUENCE) {
        setup s = setup_of(&l);
        s.world_def.gravity = (vec3){0, -10, 0};
        setup_open(&s);
        double time = 0, start = pliant_body_motion(s.world, s.body).centre[1];
        uint32_t random = 9;
        for (int i = 0; time < 1.0; ++i) {
            float dt = step_of((sequence)q, i, time, &random);
            dt = minimum(dt, (float)(1.0 - time + 1e-6));
            dt = minimum(dt, 0.5f);
            pliant_world_step(s.world, dt);
            time += (double)dt;
        }
        pliant_motion motion = pliant_body_motion(s.world, s.body);
        assert_near(start - motion.centre[1], 5.0, 0.02);
        assert_near(motion.linear_momentum[1] / motion.mass, -10.0, 1e-3);
        setup_close(&s);
    }
}

// Momentum of a free body, spinning and stretched, under any steps.
static void test_momentum_does_not_depend_on_the_steps(void **state)
{
    (void)state;
    for (int rigid = 0; rigid < 2; ++rigid)
        for (int q = 0; q < SEQUENCES; q += NEXT_SEQUENCE) {
            lattice l = lattice_of(4, 2, 2);
            l.is_rigid = rigid;
            setup s = setup_of(&l);
            setup_open(&s);
            pliant_body_set_velocity(s.world, s.body, (vec3){1, 2, 3}, (vec3){0.5f, 4, 1});
            pliant_motion before = pliant_body_motion(s.world, s.body);
            uint32_t random = 11;
            double time = 0;
            for (int i = 0; time < 2.0; ++i) {
                float dt = step_of((sequence)q, i, time, &random);
                pliant_world_step(s.world, dt);
                time += (double)minimum(dt, 0.5f);
            }
            pliant_motion after = pliant_body_motion(s.world, s.body);
            assert_true(after.kinetic_energy < before.kinetic_energy * 1.001);
            for (int c = 0; c < 3; ++c) {
                assert_near(after.linear_momentum[c], before.linear_momentum[c],
                            1e-5 * length_of(before.linear_momentum));
                assert_near(after.angular_momentum[c], before.angular_momentum[c],
                            0.02 * length_of(before.angular_momentum));
            }
            setup_close(&s);
        }
}

// ---------------------------------------------------------------------------------------------
// Quality

// From rest: what two substeps leave unsolved does not become speed when there are twenty.
static void test_a_change_of_quality_moves_nothing_fast(void **state)
{
    (void)state;
    for (int t = 0; t < THINGS; ++t) {
        pliant_model *model = build_thing((thing)t);
        setup s = open_thing((thing)t, model);
        pliant_world_set_quality(s.world, 2, 2);
        run(&s, 15.0, 1.0f / 60.0f);
        double before = fastest(&s), most = 0;
        pliant_world_set_quality(s.world, 20, 2);
        pliant_body_wake(s.world, s.body);
        for (int i = 0; i < 60 * 6; ++i) {
            pliant_world_step(s.world, 1.0f / 60.0f);
            most = fmax(most, fastest(&s));
        }
        print_message("%s: %g m/s before, %g m/s at most\n", thing_names[t], before, most);
        assert_below(before, 0.01);
        assert_below(most, 1.0);
        assert_below(fastest(&s), 0.01);
        pliant_world_destroy(s.world);
        pliant_model_destroy(model);
    }
}

// To and fro, as often as one likes: nothing adds up.
static void test_quality_that_changes_all_the_time(void **state)
{
    (void)state;
    for (int period = 1; period <= 30; period += 29)
        for (int t = 0; t < THINGS; ++t) {
            pliant_model *model = build_thing((thing)t);
            setup s = open_thing((thing)t, model);
            double first = 0, last = 0;
            for (int i = 0; i < 60 * 20; ++i) {
                pliant_world_set_quality(s.world, i / period % 2 ? 20 : 2, 2);
                pliant_world_step(s.world, 1.0f / 60.0f);
                if (i < 60 * 4)
                    first = fmax(first, fastest(&s));
                else
                    last = fmax(last, fastest(&s));
            }
            assert_true(all_finite(&s));
            assert_below(first, 3.0);
            assert_below(last, 1.1 * first + 0.01);
            pliant_world_destroy(s.world);
            pliant_model_destroy(model);
        }
}

// ---------------------------------------------------------------------------------------------
// Steps that are refused or shortened

static void test_steps_that_are_no_steps(void **state)
{
    (void)state;
    lattice l = lattice_of(2, 2, 2);
    setup s = setup_of(&l);
    s.world_def.gravity = (vec3){0, -10, 0};
    setup_open(&s);
    uint64_t hash = pliant_world_hash(s.world);
    const float bad[] = {-1.0f, 1e-7f, -0.1f, NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 6; ++i) {
        assert_int_equal(pliant_world_step(s.world, bad[i]), PLIANT_ERROR_ARGUMENT);
        assert_int_equal(pliant_world_report(s.world).refused_steps, i + 1);
    }
    assert_int_equal(pliant_world_step(s.world, 0.0f), PLIANT_OK);
    assert_int_equal(pliant_world_report(s.world).refused_steps, 6);
    assert_true(pliant_world_hash(s.world) == hash);
    assert_true(pliant_world_time(s.world) == 0.0);
    setup_close(&s);
}

static void test_a_long_step_is_shortened(void **state)
{
    (void)state;
    lattice l = lattice_of(2, 2, 2);
    for (int i = 0; i < 2; ++i) {
        setup s = setup_of(&l);
        s.world_def.gravity = (vec3){0, -10, 0};
        setup_open(&s);
        double start = pliant_body_motion(s.world, s.body).centre[1];
        float dt = i ? 1e4f : 1.0f;
        assert_int_equal(pliant_world_step(s.world, dt), PLIANT_OK);
        assert_near(pliant_world_report(s.world).shortened_by, dt - 0.5f, 1e-3);
        assert_near(pliant_world_time(s.world), 0.5, 1e-6);
        assert_near(start - pliant_body_motion(s.world, s.body).centre[1], 1.25, 0.02);
        assert_int_equal(pliant_world_step(s.world, 0.1f), PLIANT_OK);
        assert_true(pliant_world_report(s.world).shortened_by == 0.0f);
        setup_close(&s);
    }
}

// At rest on the ground a stall does nothing.
static void test_a_stall_does_not_throw(void **state)
{
    (void)state;
    for (int t = STIFF_BLOCK; t <= RIGID_GROUP; ++t)
        for (int i = 0; i < 2; ++i) {
            pliant_model *model = build_thing((thing)t);
            setup s = open_thing((thing)t, model);
            run(&s, 3.0, 1.0f / 60.0f);
            pliant_body_wake(s.world, s.body);
            double before = pliant_body_motion(s.world, s.body).centre[1], top = before;
            pliant_world_step(s.world, i ? 1e4f : 1.0f);
            for (int k = 0; k < 120; ++k) {
                pliant_world_step(s.world, 1.0f / 60.0f);
                top = fmax(top, pliant_body_motion(s.world, s.body).centre[1]);
            }
            assert_below(top - before, 1e-3);
            pliant_world_destroy(s.world);
            pliant_model_destroy(model);
        }
}

// ---------------------------------------------------------------------------------------------
// What is driven

// A pinned particle is at its target when the step is over, and what hangs on a collider that moves follows it.
static void test_targets_are_reached_in_any_step(void **state)
{
    (void)state;
    lattice l = lattice_of(3, 1, 1);
    l.pinned_columns = 1;
    for (int q = 0; q < SEQUENCES; q += NEXT_SEQUENCE) {
        setup s = setup_of(&l);
        setup_open(&s);
        pliant_shape_def box = pliant_default_shape_def(PLIANT_SHAPE_BOX);
        pliant_shape *shape = pliant_shape_create(&box, NULL, NULL);
        pliant_collider_def def = pliant_default_collider_def();
        def.shape = shape;
        def.position = (vec3){0, -5, 0};
        pliant_collider_id collider = pliant_world_add_collider(s.world, &def, NULL);
        uint32_t random = 13;
        double time = 0;
        for (int i = 0; i < 40; ++i) {
            float dt = step_of((sequence)q, i, time, &random);
            pliant_pose pose = {{random_between(&random, -0.02f, 0.02f), 0, 0},
                                quat_exp(random_vec3(&random, 0.1f))};
            pliant_body_set_target(s.world, s.body, 0, pose);
            pliant_pose place = {{0, -5.0f + 0.1f * pose.position.x, 0}, pose.orientation};
            pliant_collider_move_to(s.world, collider, place);
            pliant_world_step(s.world, dt);
            time += (double)dt;
            pliant_pose now = pliant_body_particle_pose(s.world, s.body, 0);
            assert_near(now.position.x, pose.position.x, 1e-7);
            assert_below(vec3_length(quat_difference(now.orientation, pose.orientation)), 1e-5);
            pliant_pose solid = pliant_collider_pose(s.world, collider);
            assert_true(solid.position.y == place.position.y);
            assert_below(vec3_length(quat_difference(solid.orientation, place.orientation)), 1e-6);
        }
        assert_true(all_finite(&s));
        pliant_world_destroy(s.world);
        pliant_shape_destroy(shape);
        pliant_model_destroy(s.model);
    }
}

// Fast particles are stopped by a thin wall, however short the steps are.
static void test_no_shot_passes_a_wall_in_any_step(void **state)
{
    (void)state;
    lattice l = lattice_of(1, 1, 1);
    l.radius = 0.05f;
    uint32_t random = 17;
    for (int shot = 0; shot < 130; ++shot) {
        setup s = setup_of(&l);
        s.body_def.position = (vec3){0, random_between(&random, 0.3f, 3.0f), 0};
        s.body_def.linear_velocity = (vec3){0, -random_between(&random, 5.0f, 200.0f), 0};
        setup_open(&s);
        pliant_plane_def wall = pliant_default_plane_def();
        pliant_world_add_plane(s.world, &wall, NULL);
        double time = 0;
        float lowest = 1.0f;
        for (int i = 0; time < 0.5 && i < 2000; ++i) {
            float dt = step_of((sequence)(shot % SEQUENCES), i, time, &random);
            pliant_world_step(s.world, dt);
            time += (double)dt;
            lowest = minimum(lowest, position_of(&s, 0).y);
        }
        assert_true(lowest > 0.05f - 1e-3f);
        setup_close(&s);
    }
}

// Flat things meet, and turn as they do: no speed comes of depths that are measured along the normals of two moments.
static void test_what_meets_gains_nothing(void **state)
{
    (void)state;
    uint32_t random = 21;
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_particle_def flat = pliant_default_particle_def();
    flat.radii = (vec3){0.03f, 0.1f, 0.2f};
    pliant_builder_add_particle(builder, &flat);
    pliant_model *model = pliant_builder_build(builder, NULL);
    pliant_builder_destroy(builder);
    assert_non_null(model);
    for (int round = 0; round < (FULL_LENGTH ? 40 : 4) * SEQUENCES; ++round) {
        pliant_world_def def = pliant_default_world_def();
        def.gravity = (vec3){0, 0, 0};
        pliant_world *world = pliant_world_create(&def, NULL);
        pliant_body_id bodies[2];
        for (int k = 0; k < 2; ++k) {
            pliant_body_def body = pliant_default_body_def();
            body.model = model;
            body.position = (vec3){0.45f * (float)k, 0, 0};
            body.orientation = random_quat(&random);
            body.linear_velocity = (vec3){k ? -1.0f : 1.0f, 0, 0};
            body.angular_velocity = random_vec3(&random, 5.0f);
            bodies[k] = pliant_world_add_body(world, &body, NULL);
        }
        double first = 0, most = 0, time = 0;
        for (int i = 0; time < 0.5; ++i) {
            double energy = pliant_body_motion(world, bodies[0]).kinetic_energy +
                            pliant_body_motion(world, bodies[1]).kinetic_energy;
            first = i == 0 ? energy : first;
            most = fmax(most, energy);
            float dt = step_of((sequence)(round % SEQUENCES), i, time, &random);
            pliant_world_step(world, dt);
            time += (double)minimum(dt, 0.5f);
        }
        if (!(most < 1.001 * first))
            fail_msg("round %d, %s: %g J of %g J", round, sequence_names[round % SEQUENCES], most,
                     first);
        pliant_world_destroy(world);
    }
    pliant_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_rests_stays_at_rest),
        cmocka_unit_test(test_rest_does_not_depend_on_the_steps),
        cmocka_unit_test(test_what_swings_gains_nothing),
        cmocka_unit_test(test_falling_does_not_depend_on_the_steps),
        cmocka_unit_test(test_momentum_does_not_depend_on_the_steps),
        cmocka_unit_test(test_a_change_of_quality_moves_nothing_fast),
        cmocka_unit_test(test_quality_that_changes_all_the_time),
        cmocka_unit_test(test_steps_that_are_no_steps),
        cmocka_unit_test(test_a_long_step_is_shortened),
        cmocka_unit_test(test_a_stall_does_not_throw),
        cmocka_unit_test(test_targets_are_reached_in_any_step),
        cmocka_unit_test(test_no_shot_passes_a_wall_in_any_step),
        cmocka_unit_test(test_what_meets_gains_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
