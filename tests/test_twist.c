// Twist that creeps: edges with torsion whose ends yield.

#include "bodies.h"
#include "world/plastic.h"

// A rope of balls that touch, of which both ends are held. An edge's strain is k |φ| / length.
typedef struct rope {
    int count;
    float torsion, yield_strain, creep_rate;
} rope;

static const float SPACING = 0.2f;
static const double STRAIN_OF_TURN = 0.1 * 0.632455532 / 0.2; // k of a ball is √(2/5) of its radius

static setup rope_setup(const rope *r)
{
    lattice l = lattice_of(r->count, 1, 1);
    l.spacing = SPACING;
    l.stiffness = 0.5f;
    l.stretch = 1.0f;
    l.torsion = r->torsion;
    l.yield_strain = r->yield_strain;
    l.creep_rate = r->creep_rate;
    setup s = setup_of(&l);
    s.world_def.sleep_speed = 0.0f;
    return s;
}

static const rest *rest_of(const setup *s)
{
    return pli_body_rest(pli_world_body(s->world, s->body));
}

static int edge_count(const setup *s)
{
    return s->model->source.edge_count;
}

// rad about x, of the twist at rest.
static double twist_at_rest(const setup *s, int index)
{
    return (double)quat_log(rest_of(s)->twists[index]).x;
}

static void pin(const setup *s, int particle, float angle)
{
    pliant_pose target = {{SPACING * (float)particle, 0, 0}, quat_exp((vec3){angle, 0, 0})};
    pliant_body_set_pinned(s->world, s->body, particle, true, NULL);
    pliant_body_set_target(s->world, s->body, particle, target);
}

// Turns the pinned particles evenly, each by `turn` per second further than the one before.
static void twist_evenly(setup *s, int count, int stride, float turn, double seconds, float dt)
{
    int steps = (int)(seconds / (double)dt + 0.5);
    for (int k = 1; k <= steps; ++k) {
        for (int i = 0; i < count; i += stride)
            pin(s, i, turn * (float)i * (float)k / (float)steps);
        pliant_world_step(s->world, dt);
    }
}

static const int substeps[] = {1, 5, 10};
static const float steps[] = {1.0f / 30.0f, 1.0f / 60.0f, 1.0f / 120.0f};

// Twisted evenly to φ = 1 rad within a second the twist at rest τ of an edge follows dτ/dt = rate (φ t - τ - yield), once that
// is above 0, with the yield as an angle.
static void test_twist_follows_its_law(void **state)
{
    (void)state;
    const double rate = 2.0, yield = 0.1, dt = 1e-5;
    double expected = 0.0;
    for (int i = 0; i < 100000; ++i)
        expected += dt * rate * fmax(0.0, i * dt - expected - yield / STRAIN_OF_TURN);
    assert_true(expected > 0.15);
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            rope r = {6, 0.3f, (float)yield, (float)rate};
            setup s = rope_setup(&r);
            s.world_def.substep_length = pliant_substep_length(substeps[i]);
            setup_open(&s);
            twist_evenly(&s, r.count, 1, 1.0f, 1.0, steps[k]);
            for (int e = 0; e < edge_count(&s); ++e)
                assert_near(twist_at_rest(&s, e), expected, 0.04 * expected);
            setup_close(&s);
        }
}

// What is left of the strain is the yield.
static void test_a_held_twist_relaxes_to_the_yield(void **state)
{
    (void)state;
    rope r = {6, 0.5f, 0.05f, 5.0f};
    setup s = rope_setup(&r);
    setup_open(&s);
    twist_evenly(&s, r.count, 1, 0.8f, 0.5, 1.0f / 60.0f);
    run(&s, 8.0, 1.0f / 60.0f);
    for (int e = 0; e < edge_count(&s); ++e)
        assert_near((0.8 - twist_at_rest(&s, e)) * STRAIN_OF_TURN, 0.05, 1e-4);
    setup_close(&s);
}

// rad, that the end of a rope stays turned by when it was held turned for a second, and let go.
static double set_of(const rope *r, float turn, int substeps_at_60, float dt)
{
    setup s = rope_setup(r);
    s.world_def.substep_length = pliant_substep_length(substeps_at_60);
    s.world_def.iterations = substeps_at_60 == 1 ? 10 : 2;
    s.body_def.angular_damping = 0.95f;
    setup_open(&s);
    int last = r->count - 1;
    twist_evenly(&s, r->count, last, turn, 0.5, dt);
    run(&s, 1.0, dt);
    pliant_body_set_pinned(s.world, s.body, last, false, NULL);
    run(&s, 8.0, dt);
    assert_true(all_finite(&s));
    double twisted = 0.0;
    for (int i = 0; i < last; ++i) {
        quat a = pliant_body_particle_pose(s.world, s.body, i).orientation;
        quat b = pliant_body_particle_pose(s.world, s.body, i + 1).orientation;
        twisted += (double)quat_log(quat_mul(quat_conjugate(a), b)).x;
    }
    setup_close(&s);
    return twisted;
}

static void test_a_rope_stays_twisted(void **state)
{
    (void)state;
    rope r = {8, 0.5f, 0.05f, 2.0f};
    double low = 1e9, high = 0.0;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            double twisted = set_of(&r, 0.6f, substeps[i], steps[k]);
            print_message("%d substeps in 1/60 s, steps of %.4f s: %.4f rad\n", substeps[i],
                          (double)steps[k], twisted);
            low = fmin(low, twisted);
            high = fmax(high, twisted);
        }
    assert_true(low > 1.5);
    assert_below((high - low) / low, 0.05);
    double weak = set_of(&r, 0.1f, 5, 1.0f / 60.0f); // a strain of 0.03
    r.creep_rate = 0.0f;
    double elastic = set_of(&r, 0.6f, 5, 1.0f / 60.0f);
    assert_below(fabs(weak), 1e-3);
    assert_below(fabs(elastic), 1e-3);
}

// Where there are no chains torsion holds all of the rotation between two ends, and all of it creeps.
static void test_a_sheet_stays_turned(void **state)
{
    (void)state;
    for (int creeps = 0; creeps < 2; ++creeps) {
        lattice l = lattice_of(3, 3, 1);
        l.torsion = 0.3f;
        l.yield_strain = 0.05f;
        l.creep_rate = creeps ? 5.0f : 0.0f;
        setup s = setup_of(&l);
        s.world_def.sleep_speed = 0.0f;
        setup_open(&s);
        for (int i = 0; i < 9; ++i) {
            vec3 place = position_of(&s, i);
            pliant_pose target = {place, quat_exp((vec3){0, 0, i % 2 ? 0.5f : 0.0f})};
            pliant_body_set_pinned(s.world, s.body, i, true, NULL);
            pliant_body_set_target(s.world, s.body, i, target);
        }
        run(&s, 4.0, 1.0f / 60.0f);
        assert_int_equal(rest_of(&s)->twists != NULL, creeps);
        for (int e = 0; creeps && e < edge_count(&s); ++e) {
            const edge *at = &s.model->edges[e];
            vec3 phi = quat_log(rest_of(&s)->twists[e]);
            double turned = 0.5 * ((at->b % 2) - (at->a % 2));
            double length = (double)rest_of(&s)->edges[e].length;
            double yield = 0.05 * length / (0.1 * 0.632455532);
            double left = turned == 0.0 ? 0.0 : copysign(fabs(turned) - yield, turned);
            assert_near(phi.z, fabs(turned) > yield ? left : 0.0, 1e-3);
            assert_near(phi.x, 0.0, 1e-4);
            assert_near(phi.y, 0.0, 1e-4);
        }
        setup_close(&s);
    }
}

// Creep turns nothing by itself: a rope that is twisted by its own spins and flies keeps its momenta.
static void test_creep_of_twist_keeps_momentum(void **state)
{
    (void)state;
    rope r = {6, 0.003f, 0.01f, 10.0f};
    setup s = rope_setup(&r);
    s.body_def.linear_velocity = (vec3){1, 0, 0};
    setup_open(&s);
    for (int i = 0; i < r.count; ++i)
        pliant_body_set_particle_velocity(s.world, s.body, i, (vec3){1, 0, 0},
                                          (vec3){i < 3 ? 20.0f : -8.0f, 0, 0});
    pliant_motion before = pliant_body_motion(s.world, s.body);
    run(&s, 3.0, 1.0f / 60.0f);
    pliant_motion after = pliant_body_motion(s.world, s.body);
    assert_true(fabs(twist_at_rest(&s, 2)) > 0.05);
    for (int c = 0; c < 3; ++c) {
        assert_near(after.linear_momentum[c], before.linear_momentum[c], 1e-4 * before.mass);
        assert_near(after.angular_momentum[c], before.angular_momentum[c],
                    0.02 * length_of(before.angular_momentum));
    }
    assert_below(after.kinetic_energy, 1.001 * before.kinetic_energy);
    setup_close(&s);
}

// Goes on from a snapshot, here and in another world, with the same bits; and is straight again when it is reset.
static void test_twist_is_state(void **state)
{
    (void)state;
    enum { STEPS = 40 };
    rope r = {6, 0.5f, 0.02f, 3.0f};
    setup s = rope_setup(&r), other = rope_setup(&r);
    setup_open(&s);
    setup_open(&other);
    twist_evenly(&s, r.count, r.count - 1, 0.8f, 0.5, 1.0f / 60.0f);
    size_t size = pliant_world_snapshot_size(s.world);
    uint8_t *bytes = malloc(size);
    pliant_world_snapshot(s.world, bytes);
    uint64_t hashes[STEPS];
    for (int i = 0; i < STEPS; ++i) {
        pliant_world_step(s.world, 1.0f / 60.0f);
        hashes[i] = pliant_world_hash(s.world);
    }
    pliant_world *worlds[] = {s.world, other.world};
    for (int k = 0; k < 2; ++k) {
        assert_int_equal(pliant_world_restore(worlds[k], bytes, size, NULL), PLIANT_OK);
        for (int i = 0; i < STEPS; ++i) {
            pliant_world_step(worlds[k], 1.0f / 60.0f);
            assert_int_equal(pliant_world_hash(worlds[k]), hashes[i]);
        }
    }
    free(bytes);
    quat *twist = &pli_world_body(s.world, s.body)->own_rest.twists[2], kept = *twist;
    uint64_t hash = pliant_world_hash(s.world);
    *twist = quat_identity();
    assert_int_not_equal(pliant_world_hash(s.world), hash);
    *twist = kept;
    pliant_body_reset(s.world, s.body, pliant_pose_identity());
    for (int e = 0; e < edge_count(&s); ++e)
        assert_true(twist_at_rest(&s, e) == 0.0);
    setup_close(&s);
    setup_close(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_twist_follows_its_law),
        cmocka_unit_test(test_a_held_twist_relaxes_to_the_yield),
        cmocka_unit_test(test_a_rope_stays_twisted),
        cmocka_unit_test(test_a_sheet_stays_turned),
        cmocka_unit_test(test_creep_of_twist_keeps_momentum),
        cmocka_unit_test(test_twist_is_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
