// Edges that do not link their ends: distances and torsion alone, without shape matching.

#include "bodies.h"

enum { COUNT = 12 };

// A row of particles along x, the first one pinned.
static pliant_model *row_model(bool unlinked, float stretch, float torsion)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    for (int i = 0; i < COUNT; ++i) {
        pliant_particle_def def = pliant_default_particle_def();
        def.position.x = 0.1f * (float)i;
        def.mass = 0.1f;
        def.flags = i == 0 ? PLIANT_PARTICLE_PINNED : 0;
        pliant_builder_add_particle(builder, &def);
        pliant_edge_def edge = {
            .a = i - 1, .b = i, .stretch_stiffness = stretch, .torsion_stiffness = torsion};
        edge.unlinked = unlinked;
        if (i > 0)
            pliant_builder_add_edge(builder, &edge);
    }
    pliant_error error = {0};
    pliant_model *model = pliant_builder_build(builder, &error);
    if (!model)
        fail_msg("%s: %s", error.place, error.message);
    pliant_builder_destroy(builder);
    return model;
}

static void test_unlinked_edges_make_no_groups(void **state)
{
    (void)state;
    pliant_model *linked = row_model(false, 1.0f, 0.0f), *unlinked = row_model(true, 1.0f, 0.0f);
    assert_int_equal(pliant_model_implicit_group_count(linked), COUNT);
    assert_int_equal(pliant_model_implicit_group_count(unlinked), 0);
    pliant_model_destroy(linked);
    pliant_model_destroy(unlinked);
}

// J, of motion and height.
static double energy_of(const setup *s)
{
    double sum = 0.0;
    for (int i = 1; i < COUNT; ++i) {
        pliant_vec3 v = pliant_body_particle_velocity(s->world, s->body, i);
        double y = (double)pliant_body_particle_pose(s->world, s->body, i).position.y;
        sum += 0.1 * (0.5 * (double)vec3_dot(v, v) + 9.81 * y);
    }
    return sum;
}

// A chain of beads swings: lengths hold, nothing resists bending, and no energy comes from nowhere.
static void test_a_chain_of_distances_swings(void **state)
{
    (void)state;
    setup s = {.model = row_model(true, 1.0f, 0.0f),
               .world_def = pliant_default_world_def(),
               .body_def = pliant_default_body_def()};
    s.body_def.model = s.model;
    s.body_def.linear_damping = s.body_def.angular_damping = 0.0f;
    s.world_def.iterations = 20;
    setup_open(&s);
    double start = energy_of(&s), scale = 0.1 * (COUNT - 1) * 9.81 * 0.6;
    for (int i = 0; i < 240; ++i) {
        pliant_world_step(s.world, i % 7 ? 1.0f / 60.0f : 1.0f / 25.0f);
        assert_true(energy_of(&s) < start + 0.01 * scale);
        for (int k = 1; k < COUNT; ++k) {
            vec3 a = pliant_body_particle_pose(s.world, s.body, k - 1).position;
            vec3 b = pliant_body_particle_pose(s.world, s.body, k).position;
            assert_true(absolute(vec3_length(vec3_sub(a, b)) - 0.1f) < 0.02f);
        }
    }
    setup_close(&s);
}

// With torsion the rotation of a particle follows its neighbour's, without it turns freely.
static void test_torsion_alone_turns_particles(void **state)
{
    (void)state;
    float turned[2];
    for (int k = 0; k < 2; ++k) {
        setup s = {.model = row_model(true, 1.0f, k ? 0.9f : 0.0f),
                   .world_def = pliant_default_world_def(),
                   .body_def = pliant_default_body_def()};
        s.body_def.model = s.model;
        s.world_def.gravity = (vec3){0, 0, 0};
        setup_open(&s);
        pliant_pose pose = pliant_body_particle_pose(s.world, s.body, COUNT - 1);
        pose.orientation = quat_exp((vec3){0.5f, 0, 0});
        pliant_body_set_particle_pose(s.world, s.body, COUNT - 1, pose);
        for (int i = 0; i < 60; ++i)
            pliant_world_step(s.world, 1.0f / 60.0f);
        turned[k] = absolute(pliant_body_particle_pose(s.world, s.body, COUNT - 2).orientation.x);
        setup_close(&s);
    }
    assert_true(turned[0] == 0.0f);
    assert_true(turned[1] > 1e-3f);
}

static void test_a_repeated_edge_is_named(void **state)
{
    (void)state;
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_particle_def def = pliant_default_particle_def();
    for (int i = 0; i < 2; ++i) {
        def.position.x = (float)i;
        pliant_builder_add_particle(builder, &def);
    }
    pliant_builder_add_edge(builder, &(pliant_edge_def){.a = 0, .b = 1, .unlinked = true});
    pliant_builder_add_edge(builder, &(pliant_edge_def){.a = 1, .b = 0});
    pliant_error error = {0};
    assert_null(pliant_builder_build(builder, &error));
    assert_string_equal(error.place, "edge 1");
    pliant_builder_destroy(builder);
}

static void test_a_saved_model_keeps_them(void **state)
{
    (void)state;
    pliant_model *model = row_model(true, 0.5f, 0.25f);
    size_t size = pliant_model_blob_size(model);
    void *blob = malloc(size);
    pliant_model_save(model, blob);
    pliant_model *loaded = pliant_model_load(blob, size, NULL, NULL);
    assert_non_null(loaded);
    for (int i = 0; i < COUNT - 1; ++i)
        assert_true(pliant_model_edges(loaded)[i].unlinked);
    assert_int_equal(pliant_model_implicit_group_count(loaded), 0);
    pliant_model_destroy(loaded);
    pliant_model_destroy(model);
    free(blob);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unlinked_edges_make_no_groups),
        cmocka_unit_test(test_a_chain_of_distances_swings),
        cmocka_unit_test(test_torsion_alone_turns_particles),
        cmocka_unit_test(test_a_repeated_edge_is_named),
        cmocka_unit_test(test_a_saved_model_keeps_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
