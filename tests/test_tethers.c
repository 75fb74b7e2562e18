// Tethers: what hangs by many edges is not stretched, gains no energy, and what is slack is left alone.

#include "bodies.h"
#include <pliant/pool.h>

enum { LINKS = 50 };
static const float SPACING = 0.04f, LINK_MASS = 0.02f, LOAD = 5.0f; // m, kg, kg

// A rope along x from a pinned end, with a load at the other.
static pliant_model *rope_model(bool is_tethered, float load)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    for (int i = 0; i < LINKS; ++i) {
        pliant_particle_def def = pliant_default_particle_def();
        def.position = (vec3){(float)i * SPACING, 0, 0};
        def.radii = (vec3){0.02f, 0.01f, 0.01f};
        def.mass = i == LINKS - 1 ? load : LINK_MASS;
        def.stiffness = 0.1f;
        def.flags = i == 0 ? PLIANT_PARTICLE_PINNED : 0;
        pliant_builder_add_particle(builder, &def);
        pliant_edge_def edge = pliant_default_edge_def();
        edge.a = i - 1;
        edge.b = i;
        edge.stretch_stiffness = 1.0f;
        if (i > 0)
            pliant_builder_add_edge(builder, &edge);
        // Braced by edges that do nothing it is no chain, which would need no tethers.
        edge = (pliant_edge_def){.a = i - 2, .b = i, .unlinked = true};
        if (i > 1)
            pliant_builder_add_edge(builder, &edge);
    }
    if (is_tethered)
        assert_int_equal(pliant_builder_add_tethers(builder, 1.0f), LINKS - 1);
    pliant_error error = {0};
    pliant_model *model = pliant_builder_build(builder, &error);
    if (!model)
        fail_msg("%s: %s", error.place, error.message);
    pliant_builder_destroy(builder);
    return model;
}

static setup rope_setup(bool is_tethered, float load)
{
    setup s = {.model = rope_model(is_tethered, load),
               .world_def = pliant_default_world_def(),
               .body_def = pliant_default_body_def()};
    s.body_def.model = s.model;
    return s;
}

static vec3 place(const setup *s, int particle)
{
    return pliant_body_particle_pose(s->world, s->body, particle).position;
}

// The farthest that the end has been from the anchor while it swung for some seconds, over its length at rest.
static float swing(bool is_tethered)
{
    setup s = rope_setup(is_tethered, LOAD);
    setup_open(&s);
    float farthest = 0.0f;
    for (int i = 0; i < 300; ++i) {
        pliant_world_step(s.world, 1.0f / 60.0f);
        farthest = maximum(farthest, vec3_length(place(&s, LINKS - 1)));
    }
    setup_close(&s);
    return farthest / (SPACING * (LINKS - 1)) - 1.0f;
}

static void test_a_loaded_rope_is_not_stretched(void **state)
{
    (void)state;
    float bare = swing(false), tethered = swing(true);
    assert_true(bare > 0.05f);
    assert_true(tethered < 0.002f);
}

// J, of motion and height.
static double energy_of(const setup *s)
{
    double sum = 0.0;
    for (int i = 1; i < LINKS; ++i) {
        pliant_vec3 v = pliant_body_particle_velocity(s->world, s->body, i);
        double mass = i == LINKS - 1 ? (double)LOAD : (double)LINK_MASS;
        sum += mass * (0.5 * (double)vec3_dot(v, v) + 9.81 * (double)place(s, i).y);
    }
    return sum;
}

static void test_swinging_gains_no_energy_under_any_steps(void **state)
{
    (void)state;
    setup s = rope_setup(true, LOAD);
    s.body_def.linear_damping = s.body_def.angular_damping = 0.0f;
    setup_open(&s);
    double start = energy_of(&s), scale = (double)LOAD * 9.81 * 2.0;
    uint32_t random = 7;
    for (int i = 0; i < 600; ++i) {
        random = random * 1664525u + 1013904223u;
        pliant_world_step(s.world, 0.001f + 0.04f * (float)(random >> 8) / 16777216.0f);
        assert_true(energy_of(&s) < start + 0.01 * scale);
    }
    setup_close(&s);
}

static void test_rest_is_a_fixed_point(void **state)
{
    (void)state;
    setup s = rope_setup(true, LINK_MASS);
    s.world_def.gravity = (vec3){0, 0, 0};
    setup_open(&s);
    for (int i = 0; i < 60; ++i)
        pliant_world_step(s.world, 1.0f / 60.0f);
    for (int i = 0; i < LINKS; ++i)
        assert_true(vec3_length(vec3_sub(place(&s, i), (vec3){(float)i * SPACING, 0, 0})) < 1e-6f);
    setup_close(&s);
}

// Without a pinned anchor nothing is tied.
static void test_a_freed_anchor_lets_go(void **state)
{
    (void)state;
    setup s = rope_setup(true, LINK_MASS), bare = rope_setup(false, LINK_MASS);
    setup_open(&s);
    setup_open(&bare);
    assert_int_equal(pliant_body_set_pinned(s.world, s.body, 0, false, NULL), PLIANT_OK);
    assert_int_equal(pliant_body_set_pinned(bare.world, bare.body, 0, false, NULL), PLIANT_OK);
    for (int i = 0; i < 30; ++i) {
        pliant_world_step(s.world, 1.0f / 60.0f);
        pliant_world_step(bare.world, 1.0f / 60.0f);
    }
    for (int i = 0; i < LINKS; ++i)
        assert_true(vec3_length(vec3_sub(place(&s, i), place(&bare, i))) == 0.0f);
    setup_close(&s);
    setup_close(&bare);
}

// What was put too far away comes back and stays there: no edge, only a tether of 1 m between the two.
static void test_an_old_excess_leaves_no_speed(void **state)
{
    (void)state;
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_particle_def def = pliant_default_particle_def();
    def.flags = PLIANT_PARTICLE_PINNED;
    pliant_builder_add_particle(builder, &def);
    def.flags = 0;
    def.position.x = 1.0f;
    pliant_builder_add_particle(builder, &def);
    pliant_builder_add_tether(builder, &(pliant_tether_def){1, 0, 1.0f});
    setup s = {.model = pliant_builder_build(builder, NULL),
               .world_def = pliant_default_world_def(),
               .body_def = pliant_default_body_def()};
    pliant_builder_destroy(builder);
    s.body_def.model = s.model;
    s.world_def.gravity = (vec3){0, 0, 0};
    setup_open(&s);
    pliant_body_set_particle_pose(s.world, s.body, 1, (pliant_pose){{1.5f, 0, 0}, {0, 0, 0, 1}});
    for (int i = 0; i < 60; ++i)
        pliant_world_step(s.world, 1.0f / 60.0f);
    assert_true(absolute(place(&s, 1).x - 1.0f) < 1e-3f);
    pliant_vec3 v = pliant_body_particle_velocity(s.world, s.body, 1);
    assert_true(vec3_length(v) < 0.01f);
    setup_close(&s);
}

// ---------------------------------------------------------------------------------------------

// An L of five particles: the way along it, not the straight line.
static void test_lengths_are_those_of_the_way_along_edges(void **state)
{
    (void)state;
    const vec3 places[5] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 1, 0}, {2, 2, 0}};
    pliant_builder *builder = pliant_builder_create(NULL);
    for (int i = 0; i < 6; ++i) { // the last one is on its own
        pliant_particle_def def = pliant_default_particle_def();
        def.position = i < 5 ? places[i] : (vec3){9, 9, 9};
        def.flags = i == 0 ? PLIANT_PARTICLE_PINNED : 0;
        pliant_builder_add_particle(builder, &def);
        pliant_edge_def edge = pliant_default_edge_def();
        edge.a = i - 1;
        edge.b = i;
        if (i > 0 && i < 5)
            pliant_builder_add_edge(builder, &edge);
    }
    assert_int_equal(pliant_builder_add_tethers(builder, 1.5f), 4);
    pliant_model *model = pliant_builder_build(builder, NULL);
    assert_non_null(model);
    assert_int_equal(pliant_model_tether_count(model), 4);
    for (int i = 0; i < 4; ++i) {
        const pliant_tether_def *tether = &pliant_model_tethers(model)[i];
        assert_int_equal(tether->particle, i + 1);
        assert_int_equal(tether->anchor, 0);
        assert_true(absolute(tether->length - 1.5f * (float)(i + 1)) < 1e-6f);
    }
    pliant_model_destroy(model);
    pliant_builder_destroy(builder);
}

static void expect_refused(pliant_tether_def def, const char *message)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_particle_def particle = pliant_default_particle_def();
    for (int i = 0; i < 2; ++i) {
        particle.position.x = (float)i;
        pliant_builder_add_particle(builder, &particle);
    }
    pliant_builder_add_tether(builder, &def);
    pliant_error error = {0};
    assert_null(pliant_builder_build(builder, &error));
    assert_string_equal(error.place, "tether 0");
    assert_string_equal(error.message, message);
    pliant_builder_destroy(builder);
}

static void test_bad_tethers_are_named(void **state)
{
    (void)state;
    expect_refused((pliant_tether_def){1, 1, 1.0f}, "ties particle 1 to itself");
    expect_refused((pliant_tether_def){2, 0, 1.0f}, "particle 2 of 2");
    expect_refused((pliant_tether_def){0, 1, -1.0f}, "length -1 is not in [0, 1e+06] m");
}

// A model that is saved and loaded has the same tethers, and moves alike.
static void test_saved_tethers_hold_alike(void **state)
{
    (void)state;
    setup built = rope_setup(true, LOAD);
    size_t size = pliant_model_blob_size(built.model);
    void *blob = malloc(size);
    pliant_model_save(built.model, blob);
    setup loaded = built;
    loaded.model = pliant_model_load(blob, size, NULL, NULL);
    loaded.body_def.model = loaded.model;
    assert_non_null(loaded.model);
    setup_open(&built);
    setup_open(&loaded);
    for (int i = 0; i < 60; ++i) {
        pliant_world_step(built.world, 1.0f / 60.0f);
        pliant_world_step(loaded.world, 1.0f / 60.0f);
        assert_true(pliant_world_hash(built.world) == pliant_world_hash(loaded.world));
    }
    setup_close(&built);
    setup_close(&loaded);
    free(blob);
}

// A long cloth, which is solved in blocks and waves: every number of threads gives the same.
static void test_threads_change_nothing(void **state)
{
    (void)state;
    lattice l = lattice_of(150, 1, 30);
    l.stretch = 1.0f;
    l.pinned_columns = 1;
    setup plain = setup_of(&l);
    pliant_builder *builder = pliant_builder_create(NULL);
    const pliant_model *model = plain.model;
    for (int i = 0; i < pliant_model_particle_count(model); ++i)
        pliant_builder_add_particle(builder, &pliant_model_particles(model)[i]);
    for (int i = 0; i < pliant_model_edge_count(model); ++i)
        pliant_builder_add_edge(builder, &pliant_model_edges(model)[i]);
    assert_true(pliant_builder_add_tethers(builder, 1.0f) > 1024);
    pliant_model_destroy(plain.model);
    plain.model = pliant_builder_build(builder, NULL);
    pliant_builder_destroy(builder);
    plain.body_def.model = plain.model;
    plain.world_def.gravity = (vec3){0, -9.81f, 0};
    setup threaded = plain;
    pliant_pool *pool = pliant_pool_create(8, NULL, NULL);
    threaded.world_def.parallel_for = pliant_pool_run;
    threaded.world_def.parallel_user_data = pool;
    setup_open(&plain);
    setup_open(&threaded);
    for (int i = 0; i < 20; ++i) {
        pliant_world_step(plain.world, 1.0f / 60.0f);
        pliant_world_step(threaded.world, 1.0f / 60.0f);
        assert_true(pliant_world_hash(plain.world) == pliant_world_hash(threaded.world));
    }
    pliant_world_destroy(threaded.world);
    setup_close(&plain);
    pliant_pool_destroy(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_loaded_rope_is_not_stretched),
        cmocka_unit_test(test_swinging_gains_no_energy_under_any_steps),
        cmocka_unit_test(test_rest_is_a_fixed_point),
        cmocka_unit_test(test_a_freed_anchor_lets_go),
        cmocka_unit_test(test_an_old_excess_leaves_no_speed),
        cmocka_unit_test(test_lengths_are_those_of_the_way_along_edges),
        cmocka_unit_test(test_bad_tethers_are_named),
        cmocka_unit_test(test_saved_tethers_hold_alike),
        cmocka_unit_test(test_threads_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
