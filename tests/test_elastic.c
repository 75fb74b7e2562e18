// Elastic particles: as stiff as their material, whatever their number and layout and however time is cut.

#include "bodies.h"
#include "elastic_trials.h"

enum { RESOLUTIONS = 4 };

static const struct trial_plan {
    const char *name;
    trial_kind kind;
    int cells[RESOLUTIONS];
    double young_modulus, gravity, substep_length;
} PLANS[] = {{"beam", TRIAL_BEAM, {2, 3, 4, 5}, 1e5, 0.1, 1.0 / 400},
             {"rod", TRIAL_ROD, {6, 10, 15, 20}, 1.2e6, 0.012, 1.0 / 1200},
             {"strip", TRIAL_STRIP, {10, 15, 20, 25}, 2e5, 0.002, 1.0 / 600},
             {"plate", TRIAL_PLATE, {16, 20, 24, 28}, 2e5, 0.04, 1.0 / 700}};

static trial trial_of(const struct trial_plan *plan, int cells)
{
    return (trial){.kind = plan->kind,
                   .cells = cells,
                   .young_modulus = plan->young_modulus,
                   .gravity = plan->gravity,
                   .substep_length = plan->substep_length,
                   .iterations = 2,
                   .dt = 1.0 / 60,
                   .turn = quat_identity()};
}

// What is true of a resolution, against theory; and of all of them, against each other.
static void check_plan(const struct trial_plan *plan)
{
    double low[2] = {1e9, 1e9}, high[2] = {0, 0};
    for (int i = 0; i < RESOLUTIONS; ++i) {
        trial t = trial_of(plan, plan->cells[i]);
        trial_result r = trial_sag(&t);
        assert_int_equal(r.saturated_groups, 0);
        double frequency = trial_frequency(&t, r.sag);
        double parts[2] = {r.sag / trial_exact_sag(&t), frequency / trial_exact_frequency(&t)};
        print_message("%s, %d cells: %.3f of the sag, %.3f of the frequency\n", plan->name, t.cells,
                      parts[0], parts[1]);
        for (int k = 0; k < 2; ++k) {
            assert_near(parts[k], 1.0, 0.15);
            low[k] = fmin(low[k], parts[k]);
            high[k] = fmax(high[k], parts[k]);
        }
    }
    for (int k = 0; k < 2; ++k)
        assert_below(high[k] / low[k], 1.15);
}

static void test_beams_sag_and_swing_as_theirs_do(void **state)
{
    (void)state;
    check_plan(&PLANS[0]);
}

static void test_rods_sag_and_swing_as_theirs_do(void **state)
{
    (void)state;
    check_plan(&PLANS[1]);
}

static void test_strips_sag_and_swing_as_theirs_do(void **state)
{
    (void)state;
    check_plan(&PLANS[2]);
}

static void test_plates_sag_and_swing_as_theirs_do(void **state)
{
    (void)state;
    check_plan(&PLANS[3]);
}

// Whatever a group's shape is, uniform strain is right: also in the corners.
static void test_bars_stretch_as_theirs_do(void **state)
{
    (void)state;
    for (int cells = 2; cells <= 4; ++cells) {
        trial t = trial_of(&PLANS[0], cells);
        t.is_pulled = true;
        t.gravity = 2.0;
        double part = trial_sag(&t).sag / trial_exact_sag(&t);
        print_message("bar, %d cells: %.3f of the stretch\n", cells, part);
        assert_near(part, 1.0, 0.03);
    }
}

// Where the report says that nothing saturates, no setting changes what comes out. Where much does, it says so.
static void test_settings_do_not_matter_unless_told(void **state)
{
    (void)state;
    static const struct {
        double dt, length;
        int iterations;
    } settings[16] = {
        {1.0 / 60, 1.0 / 100, 1},  {1.0 / 60, 1.0 / 100, 10}, {1.0 / 60, 1.0 / 200, 2},
        {1.0 / 60, 1.0 / 200, 4},  {1.0 / 60, 1.0 / 200, 10}, {1.0 / 60, 1.0 / 300, 1},
        {1.0 / 60, 1.0 / 300, 2},  {1.0 / 60, 1.0 / 300, 4},  {1.0 / 30, 1.0 / 300, 4},
        {1.0 / 144, 1.0 / 300, 4}, {1.0 / 60, 1.0 / 600, 1},  {1.0 / 60, 1.0 / 600, 2},
        {1.0 / 30, 1.0 / 600, 2},  {1.0 / 25, 1.0 / 600, 4},  {1.0 / 60, 1.0 / 1200, 1},
        {1.0 / 144, 1.0 / 1200, 2}};
    double low = 1e9, high = 0, softest = 0;
    int unsaturated = 0;
    for (int i = 0; i < 16; ++i) {
        trial t = trial_of(&PLANS[0], 3);
        t.dt = settings[i].dt;
        t.substep_length = settings[i].length;
        t.iterations = settings[i].iterations;
        trial_result r = trial_sag(&t);
        double part = r.sag / trial_exact_sag(&t);
        assert_true((r.saturated_groups == 0) == (t.substep_length <= r.unsaturated_length));
        softest = fmax(softest, part);
        if (r.saturated_groups > 0)
            continue;
        ++unsaturated;
        low = fmin(low, part);
        high = fmax(high, part);
    }
    print_message("%d settings: %.3f to %.3f of the sag; saturated up to %.3f\n", unsaturated, low,
                  high, softest);
    assert_true(unsaturated >= 8 && unsaturated < 16);
    assert_below(high / low, 1.05);
    assert_true(softest > 1.25);
}

// A beam that is turned, in the world and in its model, does the same.
static void test_turned_beams_sag_alike(void **state)
{
    (void)state;
    trial t = trial_of(&PLANS[0], 3);
    double straight = trial_sag(&t).sag;
    t.turn = quat_normalize((quat){0.3f, -0.5f, 0.4f, 0.7f});
    assert_near(trial_sag(&t).sag / straight, 1.0, 0.02);
}

static lattice elastic_lattice(int nx, int ny, int nz, float young_modulus)
{
    lattice l = lattice_of(nx, ny, nz);
    l.young_modulus = young_modulus;
    return l;
}

static void test_free_bodies_keep_momenta_and_energy(void **state)
{
    (void)state;
    const lattice shapes[] = {elastic_lattice(4, 3, 3, 1e3f), elastic_lattice(4, 3, 3, 1e5f),
                              elastic_lattice(5, 1, 4, 1e4f), elastic_lattice(8, 1, 1, 1e5f)};
    for (int i = 0; i < 4; ++i) {
        setup s = setup_of(&shapes[i]);
        s.body_def.linear_velocity = (vec3){1.0f, 2.0f, -3.0f};
        s.body_def.angular_velocity = (vec3){1.0f, 4.0f, -2.0f};
        setup_open(&s);
        pliant_motion before = pliant_body_motion(s.world, s.body);
        double most = 0, change[2][3];
        for (int k = 0; k < 300; ++k) {
            pliant_world_step(s.world, 1.0f / 60.0f);
            most = fmax(most, pliant_body_motion(s.world, s.body).kinetic_energy);
        }
        pliant_motion after = pliant_body_motion(s.world, s.body);
        for (int k = 0; k < 3; ++k) {
            change[0][k] = after.linear_momentum[k] - before.linear_momentum[k];
            change[1][k] = after.angular_momentum[k] - before.angular_momentum[k];
        }
        double linear = length_of(change[0]) / length_of(before.linear_momentum);
        double angular = length_of(change[1]) / length_of(before.angular_momentum);
        print_message("body %d: momentum %.1e, angular %.1e, energy at most %.5f\n", i, linear,
                      angular, most / before.kinetic_energy);
        assert_below(linear, 1e-5);
        assert_below(angular, 2e-3);
        assert_below(most / before.kinetic_energy, 1.001);
        setup_close(&s);
    }
}

static void test_rest_stays(void **state)
{
    (void)state;
    lattice l = elastic_lattice(4, 3, 3, 1e6f);
    setup s = setup_of(&l);
    s.body_def.position = (vec3){1000.0f, -300.0f, 20.0f};
    setup_open(&s);
    pliant_pose before = pliant_body_particle_pose(s.world, s.body, 7);
    for (int i = 0; i < 60; ++i)
        pliant_world_step(s.world, 1.0f / 60.0f);
    pliant_pose after = pliant_body_particle_pose(s.world, s.body, 7);
    assert_memory_equal(&before, &after, sizeof before);
    setup_close(&s);
}

// What crept, was pinned or went to a snapshot and back is held by where it rests now.
static void test_state_is_all_there_is(void **state)
{
    (void)state;
    lattice l = elastic_lattice(4, 2, 2, 2e4f);
    l.yield_strain = 0.01f;
    l.creep_rate = 2.0f;
    l.pinned_columns = 1;
    setup s = setup_of(&l);
    s.world_def.gravity.y = -9.81f;
    setup_open(&s);
    for (int i = 0; i < 60; ++i)
        pliant_world_step(s.world, 1.0f / 60.0f);
    pliant_body_set_pinned(s.world, s.body, 15, true, NULL);
    for (int i = 0; i < 5; ++i)
        pliant_world_step(s.world, 1.0f / 60.0f);
    size_t size = pliant_world_snapshot_size(s.world);
    void *bytes = malloc(size);
    pliant_world_snapshot(s.world, bytes);
    uint64_t hashes[2];
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; i < 20; ++i)
            pliant_world_step(s.world, 1.0f / 60.0f);
        hashes[k] = pliant_world_hash(s.world);
        assert_int_equal(pliant_world_restore(s.world, bytes, size, NULL), PLIANT_OK);
    }
    assert_true(hashes[0] == hashes[1]);
    free(bytes);
    setup_close(&s);
}

static void test_bad_materials_are_named(void **state)
{
    (void)state;
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_particle_def def = pliant_default_particle_def();
    pliant_builder_add_particle(builder, &def);
    pliant_builder_add_particle(builder, &def);
    for (int i = 0; i < 3; ++i) {
        pliant_particle_def *p = pliant_builder_particle(builder, 1);
        *p = def;
        p->young_modulus = i == 0 ? -1.0f : i == 1 ? 1e13f : 1e5f;
        p->density = i == 2 ? 0.0f : 1000.0f;
        pliant_error error = {0};
        assert_null(pliant_builder_build(builder, &error));
        assert_string_equal(error.place, "particle 1");
        assert_non_null(strstr(error.message, i == 2 ? "density" : "young modulus"));
    }
    pliant_builder_destroy(builder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_beams_sag_and_swing_as_theirs_do),
        cmocka_unit_test(test_rods_sag_and_swing_as_theirs_do),
        cmocka_unit_test(test_strips_sag_and_swing_as_theirs_do),
        cmocka_unit_test(test_plates_sag_and_swing_as_theirs_do),
        cmocka_unit_test(test_bars_stretch_as_theirs_do),
        cmocka_unit_test(test_settings_do_not_matter_unless_told),
        cmocka_unit_test(test_turned_beams_sag_alike),
        cmocka_unit_test(test_free_bodies_keep_momenta_and_energy),
        cmocka_unit_test(test_rest_stays),
        cmocka_unit_test(test_state_is_all_there_is),
        cmocka_unit_test(test_bad_materials_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
