// Cloth: edges have a limit, and what hangs is held by tethers that nobody placed.

#include "bodies.h"
#include "model/model.h"
#include <pliant/author.h>
#include <pliant/pool.h>

enum { SIDE = 40 };
static const float WIDTH = 1.0f; // m

typedef struct cloth {
    int side;
    float stretch, limit;
    bool is_level; // it begins in a horizontal plane
    int pins[2];   // particles, -1: none
} cloth;

// Hung by its two upper corners.
static cloth cloth_of(int side, float limit)
{
    return (cloth){.side = side, .stretch = 0.9f, .limit = limit, .pins = {0, side - 1}};
}

static setup cloth_setup(const cloth *c)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_sheet_def sheet = pliant_default_sheet_def();
    sheet.columns = sheet.rows = c->side;
    sheet.width = sheet.height = WIDTH;
    sheet.stretch_stiffness = c->stretch;
    sheet.stretch_limit = c->limit;
    sheet.skin_refinement = 1;
    assert_int_equal(pliant_builder_add_sheet(builder, &sheet), 0);
    for (int k = 0; k < 2; ++k)
        if (c->pins[k] >= 0)
            pliant_builder_particle(builder, c->pins[k])->flags =
                PLIANT_PARTICLE_PINNED | PLIANT_PARTICLE_UNORIENTED;
    setup s = {.model = pliant_builder_build(builder, NULL),
               .world_def = pliant_default_world_def(),
               .body_def = pliant_default_body_def()};
    assert_non_null(s.model);
    pliant_builder_destroy(builder);
    s.body_def.model = s.model;
    if (c->is_level)
        s.body_def.orientation = quat_exp((vec3){-0.5f * PLIANT_PI, 0, 0});
    return s;
}

// Root of the mean square of the strain of the edges that resist it, and the most that one is stretched.
static double strain_of(const setup *s, double *most)
{
    const pliant_particle_def *at_rest = pliant_model_particles(s->model);
    double sum = 0;
    int count = 0;
    *most = 0;
    for (int i = 0; i < pliant_model_edge_count(s->model); ++i) {
        pliant_edge_def e = pliant_model_edges(s->model)[i];
        if (e.stretch_stiffness == 0.0f)
            continue;
        double now = (double)vec3_length(vec3_sub(position_of(s, e.a), position_of(s, e.b)));
        double then = (double)vec3_length(vec3_sub(at_rest[e.a].position, at_rest[e.b].position));
        sum += (now / then - 1.0) * (now / then - 1.0);
        *most = fmax(*most, now / then - 1.0);
        count += 1;
    }
    return sqrt(sum / count);
}

static void test_what_hangs_by_two_corners_keeps_its_size(void **state)
{
    (void)state;
    double most, bare_most;
    cloth fine = cloth_of(SIDE, pliant_default_sheet_def().stretch_limit), bare = cloth_of(SIDE, 0);
    setup s = cloth_setup(&fine), soft = cloth_setup(&bare);
    setup_open(&s);
    setup_open(&soft);
    run(&s, 2.0, 1.0f / 60.0f);
    run(&soft, 2.0, 1.0f / 60.0f);
    double strain = strain_of(&s, &most), bare_strain = strain_of(&soft, &bare_most);
    print_message("cloth: %.2f %% rms, %.1f %% at most, without limits %.0f and %.0f %%\n",
                  100.0 * strain, 100.0 * most, 100.0 * bare_strain, 100.0 * bare_most);
    assert_below(strain, 0.02);
    assert_below(most, 0.05);
    assert_true(bare_strain > 0.1);
    run(&s, 3.0, 1.0f / 60.0f);
    assert_true(pliant_body_is_asleep(s.world, s.body));
    setup_close(&s);
    setup_close(&soft);
}

static void test_swinging_gains_no_energy_under_any_steps(void **state)
{
    (void)state;
    for (int turn = 0; turn < 3; ++turn) {
        cloth c = cloth_of(16, 0.01f);
        c.is_level = true;
        c.stretch = turn == 2 ? 0.2f : 0.9f;
        setup s = cloth_setup(&c);
        s.body_def.linear_damping = s.body_def.angular_damping = 0.0f;
        s.world_def.iterations = 1 + turn;
        setup_open(&s);
        double start = energy_in_gravity(&s), mass = pliant_body_motion(s.world, s.body).mass;
        uint32_t random = 5;
        for (int i = 0; i < 400; ++i) {
            random = random * 1664525u + 1013904223u;
            pliant_world_step(s.world, turn == 0
                                           ? 1.0f / 60.0f
                                           : 0.001f + 0.04f * (float)(random >> 8) / 16777216.0f);
            assert_below(energy_in_gravity(&s), start + 0.01 * mass * 9.81 * (double)WIDTH);
        }
        setup_close(&s);
    }
}

// One corner is let go, then the other: what is not held any more falls as it would without tethers.
static void test_pins_that_go_take_their_tethers_along(void **state)
{
    (void)state;
    cloth c = cloth_of(12, 0.01f);
    setup s = cloth_setup(&c);
    s.body_def.linear_damping = s.body_def.angular_damping = 0.0f;
    setup_open(&s);
    assert_true(s.model->tether_count > 100);
    assert_int_equal(pliant_model_tether_count(s.model), 0);
    run(&s, 1.0, 1.0f / 60.0f);
    assert_int_equal(pliant_body_set_pinned(s.world, s.body, 0, false, NULL), PLIANT_OK);
    float lowest = 0.0f;
    for (int i = 0; i < 120; ++i) {
        pliant_world_step(s.world, 1.0f / 60.0f);
        lowest = minimum(lowest, position_of(&s, 0).y);
    }
    assert_true(lowest < -0.5f); // it swings about the other one
    assert_int_equal(pliant_body_set_pinned(s.world, s.body, 11, false, NULL), PLIANT_OK);
    pliant_motion before = pliant_body_motion(s.world, s.body);
    run(&s, 0.5, 1.0f / 60.0f);
    pliant_motion after = pliant_body_motion(s.world, s.body);
    double fall = (after.linear_momentum[1] - before.linear_momentum[1]) / after.mass;
    assert_near(fall, -9.81 * 0.5, 1e-3);
    setup_close(&s);
}

static void test_rest_is_a_fixed_point(void **state)
{
    (void)state;
    cloth c = cloth_of(12, 0.01f);
    setup s = cloth_setup(&c);
    s.world_def.gravity = (vec3){0, 0, 0};
    setup_open(&s);
    vec3 before[144];
    for (int i = 0; i < 144; ++i)
        before[i] = position_of(&s, i);
    run(&s, 1.0, 1.0f / 60.0f);
    for (int i = 0; i < 144; ++i)
        assert_true(vec3_length(vec3_sub(position_of(&s, i), before[i])) == 0.0f);
    setup_close(&s);
}

// Straight ways on what is flat, though no edge leads along them; from both corners to nearly every other particle.
static void test_tethers_are_as_long_as_the_surface(void **state)
{
    (void)state;
    cloth c = cloth_of(21, 0.01f);
    setup s = cloth_setup(&c);
    const pliant_particle_def *at_rest = pliant_model_particles(s.model);
    double worst = 0;
    for (int i = 0; i < s.model->tether_count; ++i) {
        pliant_tether_def t = s.model->tethers[i];
        double straight = 1.005 * (double)vec3_length(vec3_sub(at_rest[t.particle].position,
                                                               at_rest[t.anchor].position));
        assert_true((double)t.length > straight * (1.0 - 1e-5));
        worst = fmax(worst, (double)t.length / straight - 1.0);
    }
    assert_below(worst, 1e-3);
    assert_true(s.model->tether_count > 21 * 21 * 2 / 3);
    pliant_model_destroy(s.model);
}

// Two strips that hang together at one end only: from the pinned end of one to the end of the other leads no straight way.
static void test_ways_go_round_slits(void **state)
{
    (void)state;
    enum { LENGTH = 11 };
    pliant_builder *builder = pliant_builder_create(NULL);
    for (int row = 0; row < 4; ++row)
        for (int i = 0; i < LENGTH; ++i) {
            pliant_particle_def p = pliant_default_particle_def();
            p.position = (vec3){0.1f * (float)i, 0.1f * (float)row, 0};
            p.flags = row == 0 && i == 0 ? PLIANT_PARTICLE_PINNED : 0;
            pliant_builder_add_particle(builder, &p);
        }
    for (int row = 0; row < 4; ++row)
        for (int i = 0; i < LENGTH; ++i) {
            pliant_edge_def e = {.a = row * LENGTH + i, .stretch_stiffness = 0.5f};
            e.stretch_limit = 0.1f;
            e.b = e.a + 1;
            if (i + 1 < LENGTH)
                pliant_builder_add_edge(builder, &e);
            e.b = e.a + LENGTH;
            if (row + 1 < 4 && (row != 1 || i == LENGTH - 1))
                pliant_builder_add_edge(builder, &e);
        }
    pliant_model *model = pliant_builder_build(builder, NULL);
    assert_non_null(model);
    pliant_builder_destroy(builder);
    float longest = 0.0f;
    for (int i = 0; i < model->tether_count; ++i)
        longest = maximum(longest, model->tethers[i].length);
    assert_true(longest > 1.9f &&
                longest < 2.4f); // there and back; straight across it would be 0.3 m
    pliant_model_destroy(model);
}

static int tethers_of(float limit, bool is_pinned, float creep_rate)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    for (int i = 0; i < 5; ++i) {
        pliant_particle_def p = pliant_default_particle_def();
        p.position.x = 0.1f * (float)i;
        p.creep_rate = creep_rate;
        p.flags = is_pinned && i == 0 ? PLIANT_PARTICLE_PINNED : 0;
        pliant_builder_add_particle(builder, &p);
        pliant_edge_def e = {.a = i - 1, .b = i, .stretch_stiffness = 0.5f, .stretch_limit = limit};
        if (i > 0)
            pliant_builder_add_edge(builder, &e);
    }
    pliant_model *model = pliant_builder_build(builder, NULL);
    assert_non_null(model);
    pliant_builder_destroy(builder);
    int count = model->tether_count;
    pliant_model_destroy(model);
    return count;
}

static void test_tethers_are_where_they_help(void **state)
{
    (void)state;
    assert_int_equal(tethers_of(0.1f, true, 0.0f), 2); // every other particle
    assert_int_equal(tethers_of(0.0f, true, 0.0f), 0);
    assert_int_equal(tethers_of(0.1f, false, 0.0f), 0);
    assert_int_equal(tethers_of(0.1f, true, 1.0f), 0); // whose lengths do not last
}

// m, of a soft edge, in a body that nothing pins, that two heavy ends pull apart by their speed: the most it gets.
static float farthest(float limit)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_particle_def p = pliant_default_particle_def();
    pliant_builder_add_particle(builder, &p);
    p.position.x = 1.0f;
    pliant_builder_add_particle(builder, &p);
    pliant_builder_add_edge(
        builder,
        &(pliant_edge_def){
            .a = 0, .b = 1, .unlinked = true, .stretch_stiffness = 0.001f, .stretch_limit = limit});
    setup s = {.model = pliant_builder_build(builder, NULL),
               .world_def = pliant_default_world_def(),
               .body_def = pliant_default_body_def()};
    pliant_builder_destroy(builder);
    s.body_def.model = s.model;
    s.world_def.gravity = (vec3){0, 0, 0};
    setup_open(&s);
    pliant_body_apply_particle_impulse(s.world, s.body, 1, (vec3){2, 0, 0});
    pliant_body_apply_particle_impulse(s.world, s.body, 0, (vec3){-2, 0, 0});
    double before = pliant_body_motion(s.world, s.body).kinetic_energy;
    float most = 0.0f;
    for (int i = 0; i < 120; ++i) {
        pliant_world_step(s.world, 1.0f / 60.0f);
        most = maximum(most, vec3_length(vec3_sub(position_of(&s, 1), position_of(&s, 0))));
        assert_below(pliant_body_motion(s.world, s.body).kinetic_energy, before * 1.0001);
    }
    setup_close(&s);
    return most;
}

static void test_a_soft_edge_ends_at_its_limit(void **state)
{
    (void)state;
    assert_true(farthest(0.0f) > 1.4f);
    assert_true(farthest(0.2f) < 1.2005f);
}

static void test_threads_change_nothing(void **state)
{
    (void)state;
    uint64_t hashes[2];
    pliant_pool *pool = pliant_pool_create(3, NULL, NULL);
    for (int k = 0; k < 2; ++k) {
        cloth c = cloth_of(48, 0.01f); // of several blocks
        c.is_level = true;
        setup s = cloth_setup(&c);
        if (k == 1) {
            s.world_def.parallel_for = pliant_pool_run;
            s.world_def.parallel_user_data = pool;
        }
        setup_open(&s);
        assert_true(s.model->blocks.count > 1);
        run(&s, 0.5, 1.0f / 60.0f);
        hashes[k] = pliant_world_hash(s.world);
        setup_close(&s);
    }
    pliant_pool_destroy(pool);
    assert_true(hashes[0] == hashes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_hangs_by_two_corners_keeps_its_size),
        cmocka_unit_test(test_swinging_gains_no_energy_under_any_steps),
        cmocka_unit_test(test_pins_that_go_take_their_tethers_along),
        cmocka_unit_test(test_rest_is_a_fixed_point),
        cmocka_unit_test(test_tethers_are_as_long_as_the_surface),
        cmocka_unit_test(test_ways_go_round_slits),
        cmocka_unit_test(test_tethers_are_where_they_help),
        cmocka_unit_test(test_a_soft_edge_ends_at_its_limit),
        cmocka_unit_test(test_threads_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
