// Bodies that are deep in each other.

#include "blocks.h"

enum { MOST_BODIES = 20 };

typedef struct crowd {
    pliant_world *world;
    pliant_model *model;
    pliant_body_id bodies[MOST_BODIES];
    int count;
} crowd;

static crowd open_crowd(pliant_model *model, int substeps, float gravity)
{
    pliant_world_def def = pliant_default_world_def();
    def.gravity = (vec3){0, -gravity, 0};
    def.substep_length = pliant_substep_length((float)substeps);
    crowd c = {.world = pliant_world_create(&def, NULL), .model = model};
    assert_non_null(c.world);
    return c;
}

static void add(crowd *c, vec3 position, quat orientation)
{
    pliant_body_def def = pliant_default_body_def();
    def.model = c->model;
    def.position = position;
    def.orientation = orientation;
    def.linear_damping = def.angular_damping = 0.0f;
    c->bodies[c->count++] = pliant_world_add_body(c->world, &def, NULL);
}

static double energy_of(const crowd *c)
{
    double energy = 0;
    for (int k = 0; k < c->count; ++k)
        energy += pliant_body_motion(c->world, c->bodies[k]).kinetic_energy;
    return energy;
}

static double fastest_of(const crowd *c)
{
    double most = 0;
    for (int k = 0; k < c->count; ++k)
        for (int i = 0; i < pliant_model_particle_count(c->model); ++i) {
            vec3 v = pliant_body_particle_velocity(c->world, c->bodies[k], i);
            most = fmax(most, (double)vec3_length(v));
        }
    return most;
}

// m, of the deepest overlap of two particles of different bodies.
static double deepest(const crowd *c)
{
    double most = 0;
    int n = pliant_model_particle_count(c->model);
    const pliant_particle_def *particles = pliant_model_particles(c->model);
    for (int k = 0; k < c->count; ++k)
        for (int l = 0; l < k; ++l)
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j) {
                    vec3 a = pliant_body_particle_pose(c->world, c->bodies[k], i).position;
                    vec3 b = pliant_body_particle_pose(c->world, c->bodies[l], j).position;
                    double width = (double)(particles[i].radii.x + particles[j].radii.x);
                    most = fmax(most, width - (double)vec3_length(vec3_sub(a, b)));
                }
    return most;
}

// Two blocks at rest, in each other in all sorts of ways: they part, slowly.
static void test_two_blocks_part(void **state)
{
    (void)state;
    uint32_t random = 3;
    double worst = 0;
    for (int round = 0; round < (FULL_LENGTH ? 48 : 6); ++round) {
        static const int substeps[] = {5, 1, 20};
        pliant_model *model = block_model(round % 4 == 1 ? 0.2f : 1.0f, round % 4 == 2);
        crowd c = open_crowd(model, substeps[round % 3], 0.0f);
        add(&c, (vec3){0, 0, 0}, (quat){0, 0, 0, 1});
        if (round < 3)
            add(&c, (vec3){0.2f, 0, 0}, (quat){0, 0, 0, 1});
        else
            add(&c, random_vec3(&random, 0.3f), random_quat(&random));
        double start = deepest(&c), most = 0;
        for (int i = 0; i < 240; ++i) {
            pliant_world_step(c.world, 1.0f / 60.0f);
            most = fmax(most, fastest_of(&c));
        }
        worst = fmax(worst, most);
        if (!(most < 1.5) || !(deepest(&c) < 0.01))
            fail_msg("round %d: %g m/s, %g m deep at first, %g m in the end", round, most, start,
                     deepest(&c));
        pliant_world_destroy(c.world);
        pliant_model_destroy(model);
    }
    print_message("%g m/s at most\n", worst);
}

// A whole heap of them at one place.
static void test_twenty_blocks_at_one_place_part(void **state)
{
    (void)state;
    pliant_model *model = block_model(1.0f, false);
    crowd c = open_crowd(model, 5, 0.0f);
    for (int k = 0; k < MOST_BODIES; ++k)
        add(&c, (vec3){0, 0, 0}, (quat){0, 0, 0, 1});
    double most = 0;
    for (int i = 0; i < (FULL_LENGTH ? 300 : 30); ++i) {
        pliant_world_step(c.world, 1.0f / 60.0f);
        most = fmax(most, fastest_of(&c));
    }
    print_message("%g m/s at most, %g J in the end\n", most, energy_of(&c));
    assert_below(most, 1.5);
    if (FULL_LENGTH)
        assert_below(deepest(&c), 0.01);
    assert_int_equal(pliant_world_report(c.world).dropped_pairs, 0);
    pliant_world_destroy(c.world);
    pliant_model_destroy(model);
}

// Added into each other on the ground, they come to rest beside or on each other.
static void test_blocks_added_into_each_other_come_to_rest(void **state)
{
    (void)state;
    pliant_model *model = block_model(0.7f, false);
    uint32_t random = 5;
    for (int round = 0; round < (FULL_LENGTH ? 6 : 1); ++round) {
        crowd c = open_crowd(model, 5, 9.81f);
        pliant_plane_def ground = pliant_default_plane_def();
        pliant_world_add_plane(c.world, &ground, NULL);
        for (int k = 0; k < 4; ++k)
            add(&c, vec3_add((vec3){0, 0.4f, 0}, random_vec3(&random, 0.15f)),
                random_quat(&random));
        double most = 0;
        for (int i = 0; i < 600; ++i) {
            pliant_world_step(c.world, 1.0f / 60.0f);
            most = fmax(most, fastest_of(&c));
        }
        assert_below(most, 5.0); // what falls off another
        assert_below(fastest_of(&c), 0.01);
        assert_below(deepest(&c), 0.01);
        pliant_world_destroy(c.world);
    }
    pliant_model_destroy(model);
}

// All particles of a body that collides with itself on one point: it comes back to its shape.
static void test_a_body_deep_in_itself_unfolds(void **state)
{
    (void)state;
    pliant_model *model = block_model(0.5f, false);
    setup s = {.model = model,
               .world_def = pliant_default_world_def(),
               .body_def = pliant_default_body_def()};
    s.body_def.model = model;
    s.body_def.self_collision = true;
    setup_open(&s);
    pliant_plane_def ground = pliant_default_plane_def();
    pliant_world_add_plane(s.world, &ground, NULL);
    uint32_t random = 9;
    for (int i = 0; i < 64; ++i) {
        vec3 place = vec3_add((vec3){0, 0.3f, 0}, random_vec3(&random, 0.02f));
        pliant_body_set_particle_pose(s.world, s.body, i, (pliant_pose){place, {0, 0, 0, 1}});
    }
    run(&s, 10.0, 1.0f / 60.0f);
    assert_true(all_finite(&s));
    assert_true(pliant_body_is_asleep(s.world, s.body));
    assert_below(shape_error(&s), 0.02);
    setup_close(&s);
}

// Who is entangled is state: a snapshot in the middle goes on in the same way.
static void test_a_snapshot_of_entangled_bodies(void **state)
{
    (void)state;
    pliant_model *model = block_model(1.0f, false);
    crowd c = open_crowd(model, 5, 9.81f);
    pliant_plane_def ground = pliant_default_plane_def();
    pliant_world_add_plane(c.world, &ground, NULL);
    for (int k = 0; k < 5; ++k)
        add(&c, (vec3){0.1f * (float)k, 0.5f, 0}, (quat){0, 0, 0, 1});
    for (int i = 0; i < 5; ++i)
        pliant_world_step(c.world, 1.0f / 60.0f);
    size_t size = pliant_world_snapshot_size(c.world);
    void *snapshot = malloc(size);
    pliant_world_snapshot(c.world, snapshot);
    uint64_t hashes[2];
    for (int round = 0; round < 2; ++round) {
        assert_int_equal(pliant_world_restore(c.world, snapshot, size, NULL), PLIANT_OK);
        for (int i = 0; i < 60; ++i)
            pliant_world_step(c.world, 1.0f / 60.0f);
        hashes[round] = pliant_world_hash(c.world);
    }
    assert_true(hashes[0] == hashes[1]);
    free(snapshot);
    pliant_world_destroy(c.world);
    pliant_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_blocks_part),
        cmocka_unit_test(test_twenty_blocks_at_one_place_part),
        cmocka_unit_test(test_blocks_added_into_each_other_come_to_rest),
        cmocka_unit_test(test_a_body_deep_in_itself_unfolds),
        cmocka_unit_test(test_a_snapshot_of_entangled_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
