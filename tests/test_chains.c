// Chains: whatever hangs at them, however many links they have, they are as long as they are.

#include "bodies.h"
#include "reference_kernels.h"
#include "solve/chains.h"
#include <pliant/pool.h>

#include <stdlib.h>

static const float ROPE_LENGTH = 2.0f, ROPE_MASS = 1.4f; // m, kg

// A rope of `count` particles from a pinned one at the origin along a unit vector, with a load as its last.
typedef struct rope {
    int count;
    float load; // kg
    vec3 along;
    bool is_free; // not pinned
    float stiffness, torsion;
} rope;

static float link_mass(int count)
{
    return ROPE_MASS / (float)count;
}

static float spacing_of(int count)
{
    return ROPE_LENGTH / (float)(count - 1);
}

static void add_rope(pliant_builder *builder, const rope *r)
{
    float spacing = spacing_of(r->count);
    int first = pliant_builder_particle_count(builder);
    for (int i = 0; i < r->count; ++i) {
        pliant_particle_def def = pliant_default_particle_def();
        def.position = vec3_scale(r->along, spacing * (float)i);
        def.radii = (vec3){0.02f, 0.02f, 0.02f};
        def.mass = i == r->count - 1 ? r->load : link_mass(r->count);
        def.stiffness = r->stiffness;
        def.flags = i == 0 && !r->is_free ? PLIANT_PARTICLE_PINNED : 0;
        pliant_builder_add_particle(builder, &def);
        pliant_edge_def link = {.a = first + i - 1, .b = first + i, .stretch_stiffness = 1.0f};
        link.torsion_stiffness = r->torsion;
        if (i > 0)
            pliant_builder_add_edge(builder, &link);
    }
}

static pliant_model *build(pliant_builder *builder)
{
    pliant_error error = {0};
    pliant_model *model = pliant_builder_build(builder, &error);
    if (!model)
        fail_msg("%s: %s", error.place, error.message);
    pliant_builder_destroy(builder);
    return model;
}

static setup rope_setup(const rope *r)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    add_rope(builder, r);
    return setup_with(build(builder));
}

static rope rope_of(int count, float load, vec3 along)
{
    return (rope){
        .count = count, .load = load, .along = along, .stiffness = 0.05f, .torsion = 0.2f};
}

// Of all edges together.
static double stretch_of(const setup *s)
{
    const pliant_particle_def *at_rest = pliant_model_particles(s->model);
    double now = 0, then = 0;
    for (int i = 0; i < pliant_model_edge_count(s->model); ++i) {
        pliant_edge_def e = pliant_model_edges(s->model)[i];
        now += (double)vec3_length(vec3_sub(position_of(s, e.a), position_of(s, e.b)));
        then += (double)vec3_length(vec3_sub(at_rest[e.a].position, at_rest[e.b].position));
    }
    return now / then - 1.0;
}

// ---------------------------------------------------------------------------------------------

static const int COUNTS[] = {30, 60, 120, 500};
static const float RATIOS[] = {1.0f, 100.0f, 10000.0f};

static void test_what_hangs_is_not_stretched(void **state)
{
    (void)state;
    for (int n = 0; n < 4; ++n)
        for (int k = 0; k < 3; ++k) {
            rope r = rope_of(COUNTS[n], RATIOS[k] * link_mass(COUNTS[n]), (vec3){0, -1, 0});
            setup s = rope_setup(&r);
            setup_open(&s);
            for (int i = 0; i < 60; ++i) {
                pliant_world_step(s.world, 1.0f / 60.0f);
                assert_below(fabs(stretch_of(&s)), 0.001);
            }
            assert_true(pliant_body_is_asleep(s.world, s.body));
            setup_close(&s);
        }
}

// J, without what particles have by their own spin.
static double energy_of(const setup *s)
{
    double sum = 0.0;
    for (int i = 0; i < pliant_model_particle_count(s->model); ++i) {
        vec3 v = pliant_body_particle_velocity(s->world, s->body, i);
        double mass = pliant_model_particles(s->model)[i].mass;
        sum += mass * (0.5 * (double)vec3_dot(v, v) + 9.81 * (double)position_of(s, i).y);
    }
    return sum;
}

static float random_step(uint32_t *random)
{
    *random = *random * 1664525u + 1013904223u;
    return 0.001f + 0.04f * (float)(*random >> 8) / 16777216.0f;
}

// From level, where the first links are slack, under equal and under any steps, and with any number of iterations.
static void test_swinging_gains_no_energy(void **state)
{
    (void)state;
    for (int n = 0; n < 4; ++n)
        for (int k = 0; k < 3; ++k)
            for (int turn = 0; turn < 2; ++turn) {
                rope r = rope_of(COUNTS[n], RATIOS[k] * link_mass(COUNTS[n]), (vec3){1, 0, 0});
                setup s = rope_setup(&r);
                s.body_def.linear_damping = s.body_def.angular_damping = 0.0f;
                s.world_def.iterations = 1 + (n + k + turn) % 3;
                setup_open(&s);
                double start = energy_of(&s), scale = (r.load + ROPE_MASS) * 9.81 * ROPE_LENGTH;
                uint32_t random = 7;
                for (int i = 0; i < (FULL_LENGTH ? 300 : 60); ++i) {
                    pliant_world_step(s.world, turn ? random_step(&random) : 1.0f / 60.0f);
                    assert_below(energy_of(&s), start + 1e-3 * scale);
                    assert_below(fabs(stretch_of(&s)), 0.01);
                }
                assert_int_equal(pliant_world_report(s.world).frozen_bodies, 0);
                setup_close(&s);
            }
}

// s, in which it has passed the lowest point so often.
static double time_of_passes(int substeps, int passes)
{
    rope r = rope_of(40, 10.0f, (vec3){0.6f, -0.8f, 0});
    setup s = rope_setup(&r);
    s.body_def.linear_damping = s.body_def.angular_damping = 0.0f;
    s.world_def.substep_length = pliant_substep_length((float)substeps);
    setup_open(&s);
    int step = 0;
    float before = position_of(&s, r.count - 1).x;
    for (; passes > 0 && step < 6000; ++step) {
        pliant_world_step(s.world, 1.0f / 60.0f);
        float now = position_of(&s, r.count - 1).x;
        passes -= (now < 0.0f) != (before < 0.0f);
        before = now;
    }
    setup_close(&s);
    return step / 60.0;
}

// It would swing more slowly if it were stretched, and lose its swing if its links only followed their lines.
static void test_a_loaded_rope_swings_as_a_pendulum(void **state)
{
    (void)state;
    double coarse = time_of_passes(5, 5), fine = time_of_passes(40, 5);
    print_message("five passes in %.3f s, with shorter substeps in %.3f s\n", coarse, fine);
    assert_near(coarse, fine, 0.05);
}

static void test_a_thrown_rope_keeps_its_momenta(void **state)
{
    (void)state;
    rope r = rope_of(60, link_mass(60), (vec3){0.6f, 0, 0.8f});
    r.is_free = true;
    setup s = rope_setup(&r);
    s.world_def.gravity = (vec3){0, 0, 0};
    s.body_def.linear_damping = s.body_def.angular_damping = 0.0f;
    s.body_def.linear_velocity = (vec3){1, 2, -3};
    s.body_def.angular_velocity = (vec3){0, 3.6f, 0};
    setup_open(&s);
    pliant_motion before = pliant_body_motion(s.world, s.body);
    run(&s, 10.0, 1.0f / 60.0f);
    pliant_motion after = pliant_body_motion(s.world, s.body);
    for (int k = 0; k < 3; ++k)
        assert_near(after.linear_momentum[k], before.linear_momentum[k],
                    1e-5 * length_of(before.linear_momentum));
    assert_near(after.angular_momentum[1] / before.angular_momentum[1], 0.98, 0.02);
    assert_below(fabs(stretch_of(&s)), 1e-3);
    setup_close(&s);
}

// Light links between two heavy ends turn so fast that their pulls are solved along the line that they come to. Where they are
// within a substep shows in the last digits; it does not add up.
static void test_a_whirling_rope_keeps_its_spin(void **state)
{
    (void)state;
    rope r = rope_of(12, 5.0f, (vec3){0.6f, 0, 0.8f});
    r.is_free = true;
    setup s = rope_setup(&r);
    s.world_def.gravity = (vec3){0, 0, 0};
    s.world_def.iterations = 1;
    s.body_def.linear_damping = s.body_def.angular_damping = 0.0f;
    s.body_def.angular_velocity = (vec3){1, 3.6f, 0};
    setup_open(&s);
    pliant_body_apply_particle_impulse(s.world, s.body, r.count - 1, (vec3){-20, 30, -15});
    pliant_motion before = pliant_body_motion(s.world, s.body);
    for (int i = 0; i < 300; ++i) {
        pliant_world_step(s.world, 1.0f / 60.0f);
        pliant_motion now = pliant_body_motion(s.world, s.body);
        for (int k = 0; k < 3; ++k)
            assert_near(now.angular_momentum[k], before.angular_momentum[k],
                        4e-3 * length_of(before.angular_momentum));
    }
    setup_close(&s);
}

static void test_rest_is_a_fixed_point(void **state)
{
    (void)state;
    rope r = rope_of(50, 3.0f, (vec3){0.6f, 0, 0.8f});
    setup s = rope_setup(&r);
    s.world_def.gravity = (vec3){0, 0, 0};
    s.body_def.position = (vec3){300.0f, -20.0f, 100.0f};
    s.body_def.orientation = quat_exp((vec3){0.3f, -1.0f, 0.5f});
    setup_open(&s);
    vec3 before[50];
    for (int i = 0; i < 50; ++i)
        before[i] = position_of(&s, i);
    run(&s, 1.0, 1.0f / 60.0f);
    for (int i = 0; i < 50; ++i)
        assert_true(vec3_length(vec3_sub(position_of(&s, i), before[i])) == 0.0f);
    setup_close(&s);
}

// ---------------------------------------------------------------------------------------------
// Trees, and what is no chain

// From the middle, `arms` of so many links each, and twigs half way along them; a load at every end.
static pliant_model *tree_model(int arms, int links, float load, bool is_closed)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_particle_def def = pliant_default_particle_def();
    def.radii = (vec3){0.02f, 0.02f, 0.02f};
    def.mass = 0.02f;
    def.flags = PLIANT_PARTICLE_PINNED;
    int32_t root = pliant_builder_add_particle(builder, &def), last = root;
    def.flags = 0;
    for (int arm = 0; arm < 2 * arms; ++arm) {
        // Every other one is a twig of the arm before.
        int32_t from = arm % 2 ? root + (arm / 2) * 2 * links + links / 2 : root;
        vec3 start = pliant_builder_particle(builder, from)->position;
        float angle = 2.4f * (float)arm;
        vec3 step = {0.05f * cosf(angle), -0.02f, 0.05f * sinf(angle)};
        for (int i = 1; i <= links; ++i) {
            def.position = vec3_add_scaled(start, step, (float)i);
            def.mass = i == links ? load : 0.02f;
            last = pliant_builder_add_particle(builder, &def);
            pliant_builder_add_edge(builder, &(pliant_edge_def){.a = i == 1 ? from : last - 1,
                                                                .b = last,
                                                                .stretch_stiffness = 1.0f});
        }
    }
    if (is_closed)
        pliant_builder_add_edge(
            builder, &(pliant_edge_def){.a = links, .b = last, .stretch_stiffness = 1.0f});
    return build(builder);
}

static void test_trees_are_chains(void **state)
{
    (void)state;
    setup s = setup_with(tree_model(3, 12, 4.0f, false));
    assert_int_equal(s.model->chain_count, 1);
    assert_false(s.model->has_stretch);
    setup_open(&s);
    double start = energy_of(&s);
    for (int i = 0; i < 300; ++i) {
        pliant_world_step(s.world, 1.0f / 60.0f);
        assert_below(fabs(stretch_of(&s)), 0.01);
        assert_below(energy_of(&s), start + 0.1);
    }
    setup_close(&s);
}

// Rows name each particle once, parents first, and every edge of a chain is one link.
static void test_rows_make_up_the_tree(void **state)
{
    (void)state;
    pliant_model *model = tree_model(4, 9, 1.0f, false);
    int n = pliant_model_particle_count(model), found = 0, links = 0;
    int *seen = calloc((size_t)n, sizeof *seen);
    for (int k = 0; k < model->chain_row_count; ++k)
        for (int lane = 0; lane < model->chain_rows[k].count; ++lane) {
            const chain_row *row = &model->chain_rows[k];
            found += seen[row->particle[lane]]++ == 0;
            if (k == model->chains[0].first)
                continue;
            const edge *e = &model->edges[row->edge[lane]];
            int32_t parent =
                model->chain_rows[row->parent[lane] / TWIN].particle[row->parent[lane] % TWIN];
            assert_true(row->parent[lane] / TWIN < k);
            assert_true((e->a == parent && e->b == row->particle[lane]) ||
                        (e->b == parent && e->a == row->particle[lane]));
            assert_true(e->is_chained);
            links += 1;
        }
    assert_int_equal(found, n);
    assert_int_equal(links, n - 1);
    free(seen);
    pliant_model_destroy(model);
}

// What runs in a circle is left to distances, with what hangs at it as chains: the closed arms there, twigs here. Beside so
// much that is no chain short twigs are left to distances, too.
static void test_circles_are_no_chains(void **state)
{
    (void)state;
    pliant_model *model = tree_model(2, 8, 1.0f, true);
    assert_true(model->has_stretch);
    assert_int_equal(model->chain_count, 0);
    pliant_model_destroy(model);
    model = tree_model(2, 24, 1.0f, true);
    assert_true(model->has_stretch);
    assert_true(model->chain_count > 0);
    int chained = 0;
    for (int i = 0; i < pliant_model_edge_count(model); ++i)
        chained += model->edges[i].is_chained;
    assert_true(chained > 0 && chained < pliant_model_edge_count(model));
    pliant_model_destroy(model);
    lattice cloth = lattice_of(6, 6, 1), soft = lattice_of(12, 1, 1), pair = lattice_of(3, 1, 1);
    cloth.reach = soft.reach = pair.reach = 1.1f;
    cloth.stretch = pair.stretch = 1.0f;
    soft.stretch = 0.5f;
    const lattice *none[] = {&cloth, &soft, &pair};
    for (int k = 0; k < 3; ++k) {
        model = lattice_model(none[k]);
        assert_int_equal(model->chain_count, 0);
        assert_true(model->has_stretch);
        pliant_model_destroy(model);
    }
}

// ---------------------------------------------------------------------------------------------
// Chains and all else

// Over a bar, a load at each end: contacts turn its way where it is bent, and it keeps its length.
static void test_a_rope_over_a_bar_keeps_its_length(void **state)
{
    (void)state;
    rope r = rope_of(60, 2.0f, (vec3){1, 0, 0});
    r.is_free = true;
    pliant_builder *builder = pliant_builder_create(NULL);
    add_rope(builder, &r);
    pliant_builder_particle(builder, 0)->mass = 2.0f;
    setup s = setup_with(build(builder));
    s.body_def.position = (vec3){-0.5f * ROPE_LENGTH, 2.0f, 0};
    s.body_def.friction = 1.0f;
    setup_open(&s);
    pliant_shape_def shape = pliant_default_shape_def(PLIANT_SHAPE_CAPSULE);
    shape.radius = 0.2f;
    shape.half_length = 1.0f;
    pliant_collider_def bar = pliant_default_collider_def();
    pliant_shape *capsule = pliant_shape_create(&shape, NULL, NULL);
    bar.shape = capsule;
    bar.position = (vec3){0, 1.75f, 0};
    bar.orientation = quat_exp((vec3){0.5f * PLIANT_PI, 0, 0});
    assert_true(pliant_collider_is_valid(s.world, pliant_world_add_collider(s.world, &bar, NULL)));
    for (int i = 0; i < 180; ++i) {
        pliant_world_step(s.world, 1.0f / 60.0f);
        assert_below(fabs(stretch_of(&s)), 0.03);
    }
    assert_true(pliant_world_report(s.world).contacts > 10);
    assert_below(position_of(&s, 0).y, 1.6);
    assert_below(position_of(&s, r.count - 1).y, 1.6);
    setup_close(&s);
    pliant_shape_destroy(capsule);
}

// A rope that is hung up by its middle at run time, let go and caught again.
static void test_pins_come_and_go(void **state)
{
    (void)state;
    rope r = rope_of(41, 3.0f, (vec3){1, 0, 0});
    setup s = rope_setup(&r);
    setup_open(&s);
    const struct {
        int particle;
        bool is_pinned;
    } changes[] = {{20, true}, {0, false}, {40, true}, {20, false}, {40, false}};
    for (int k = 0; k < 5; ++k) {
        assert_int_equal(pliant_body_set_pinned(s.world, s.body, changes[k].particle,
                                                changes[k].is_pinned, NULL),
                         PLIANT_OK);
        for (int i = 0; i < 60; ++i) {
            pliant_world_step(s.world, 1.0f / 60.0f);
            assert_below(fabs(stretch_of(&s)), 0.01);
        }
    }
    assert_true(all_finite(&s));
    setup_close(&s);
}

// A body that is attached to the end of a rope hangs there.
static void test_attachments_hold_on_to_chains(void **state)
{
    (void)state;
    rope r = rope_of(30, link_mass(30), (vec3){0, -1, 0});
    setup s = rope_setup(&r);
    setup_open(&s);
    lattice ball = lattice_of(1, 1, 1);
    ball.mass = 1.0f;
    pliant_body_def def = pliant_default_body_def();
    def.model = lattice_model(&ball);
    def.position = (vec3){0, -ROPE_LENGTH - 0.2f, 0};
    pliant_body_id load = pliant_world_add_body(s.world, &def, NULL);
    pliant_attachment_def rigid = pliant_default_attachment_def();
    rigid.body = s.body;
    rigid.particle = r.count - 1;
    rigid.other_body = load;
    pliant_world_add_attachment(s.world, &rigid, NULL);
    run(&s, 5.0, 1.0f / 60.0f);
    assert_below(fabs(stretch_of(&s)), 0.03);
    vec3 place = pliant_body_particle_pose(s.world, load, 0).position;
    assert_near(place.y, -ROPE_LENGTH - 0.2f, 0.08);
    pliant_world_destroy(s.world);
    pliant_model_destroy((pliant_model *)def.model);
    pliant_model_destroy(s.model);
}

// ---------------------------------------------------------------------------------------------
// The same bits

static uint64_t run_tree(const kernels *with, pliant_pool *pool)
{
    setup s = setup_with(tree_model(5, 11, 2.0f, true));
    if (pool) {
        s.world_def.parallel_for = pliant_pool_run;
        s.world_def.parallel_user_data = pool;
    }
    s.body_def.self_collision = true;
    setup_open(&s);
    if (with)
        s.world->kernels = with;
    pliant_plane_def ground = pliant_default_plane_def();
    ground.offset = -0.5f;
    pliant_world_add_plane(s.world, &ground, NULL);
    // What throws it about turns lines far within a substep.
    for (int i = 0; i < 120; ++i) {
        if (i % 20 == 0)
            pliant_body_apply_particle_impulse(s.world, s.body, 7 + i / 4, (vec3){20, 15, -9});
        pliant_world_step(s.world, 1.0f / 60.0f);
    }
    uint64_t hash = pliant_world_hash(s.world);
    setup_close(&s);
    return hash;
}

static void test_kernels_and_threads_change_nothing(void **state)
{
    (void)state;
    const kernels reference = reference_kernels();
    uint64_t expected = run_tree(&reference, NULL);
    assert_true(run_tree(pli_kernels_plain, NULL) == expected);
    assert_true(run_tree(pli_choose_kernels(PLIANT_INSTRUCTIONS_BEST), NULL) == expected);
    pliant_pool *pool = pliant_pool_create(3, NULL, NULL);
    assert_true(run_tree(NULL, pool) == expected);
    pliant_pool_destroy(pool);
}

// Tensions are state: what is restored goes on as it did.
static void test_a_restored_chain_goes_on_alike(void **state)
{
    (void)state;
    rope r = rope_of(80, 50.0f, (vec3){1, 0, 0});
    setup s = rope_setup(&r);
    setup_open(&s);
    run(&s, 0.7, 1.0f / 60.0f);
    size_t size = pliant_world_snapshot_size(s.world);
    void *saved = malloc(size);
    pliant_world_snapshot(s.world, saved);
    uint64_t hashes[2];
    for (int k = 0; k < 2; ++k) {
        run(&s, 0.5, 1.0f / 60.0f);
        hashes[k] = pliant_world_hash(s.world);
        if (k == 0)
            assert_int_equal(pliant_world_restore(s.world, saved, size, NULL), PLIANT_OK);
    }
    assert_true(hashes[0] == hashes[1]);
    free(saved);
    setup_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_hangs_is_not_stretched),
        cmocka_unit_test(test_swinging_gains_no_energy),
        cmocka_unit_test(test_a_loaded_rope_swings_as_a_pendulum),
        cmocka_unit_test(test_a_thrown_rope_keeps_its_momenta),
        cmocka_unit_test(test_a_whirling_rope_keeps_its_spin),
        cmocka_unit_test(test_rest_is_a_fixed_point),
        cmocka_unit_test(test_trees_are_chains),
        cmocka_unit_test(test_rows_make_up_the_tree),
        cmocka_unit_test(test_circles_are_no_chains),
        cmocka_unit_test(test_a_rope_over_a_bar_keeps_its_length),
        cmocka_unit_test(test_pins_come_and_go),
        cmocka_unit_test(test_attachments_hold_on_to_chains),
        cmocka_unit_test(test_kernels_and_threads_change_nothing),
        cmocka_unit_test(test_a_restored_chain_goes_on_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
