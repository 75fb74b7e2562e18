// A living body that goes on as another model of the same thing.

#include "bodies.h"
#include "counting.h"

#include <pliant/author.h>
#include <pliant/draft.h>

#include <octopus_mesh.h>
#include <octopus_model.h>

// A box of 0.8 × 0.4 × 0.4 m between its corner particles and 12 kg, in `n` parts along its short sides.
static lattice box_of(int n)
{
    lattice l = lattice_of(2 * n + 1, n + 1, n + 1);
    l.spacing = 0.4f / (float)n;
    l.radius = 0.5f * l.spacing;
    l.mass = 12.0f / (float)((2 * n + 1) * (n + 1) * (n + 1));
    return l;
}

static void assert_same_momenta(const pliant_motion *a, const pliant_motion *b, double tolerance)
{
    double linear[3], angular[3], apart[3];
    for (int k = 0; k < 3; ++k) {
        linear[k] = a->linear_momentum[k] - b->linear_momentum[k];
        apart[k] = a->centre[k] - b->centre[k];
    }
    for (int k = 0; k < 3; ++k) {
        int y = (k + 1) % 3, z = (k + 2) % 3;
        angular[k] = a->angular_momentum[k] - b->angular_momentum[k] +
                     apart[y] * a->linear_momentum[z] - apart[z] * a->linear_momentum[y];
    }
    assert_below(length_of(linear), tolerance * (1e-3 + length_of(a->linear_momentum)));
    assert_below(length_of(angular), tolerance * (1e-3 + length_of(a->angular_momentum)));
}

static void change_to(setup *s, pliant_model *model)
{
    pliant_error error = {0};
    if (pliant_body_set_model(s->world, s->body, model, &error))
        fail_msg("%s: %s", error.place, error.message);
    pliant_model_destroy(s->model);
    s->model = model;
}

// What moves rigidly goes on so: each particle is where the motion carries its rest place, far from the origin, too.
static void test_a_rigid_motion_goes_on(void **state)
{
    (void)state;
    for (int far = 0; far < 2; ++far) {
        lattice l = box_of(2), finer = box_of(4);
        setup s = setup_of(&l);
        quat turn = quat_exp((vec3){0.3f, -0.8f, 0.5f});
        s.body_def.position = (vec3){far ? 1000.0f : 1.0f, 2, 3};
        s.body_def.orientation = turn;
        s.body_def.linear_velocity = (vec3){1, -2, 0.5f};
        s.body_def.angular_velocity = (vec3){2, 1, -3};
        setup_open(&s);
        pliant_motion before = pliant_body_motion(s.world, s.body);
        change_to(&s, lattice_model(&finer));
        pliant_motion after = pliant_body_motion(s.world, s.body);
        assert_same_momenta(&before, &after, 1e-5);
        for (int i = 0; i < pliant_model_particle_count(s.model); ++i) {
            vec3 rest = pliant_model_particles(s.model)[i].position;
            vec3 there = vec3_add(s.body_def.position, quat_rotate(turn, rest));
            assert_below(vec3_length(vec3_sub(position_of(&s, i), there)), far ? 2e-4f : 1e-6f);
            assert_below(angle_between_quats(
                             pliant_body_particle_pose(s.world, s.body, i).orientation, turn),
                         1e-5);
        }
        setup_close(&s);
    }
}

// m, by which the vertices of two moments are apart at the most.
static double largest_jump(const vec3 *a, const vec3 *b, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; ++i)
        most = fmax(most, (double)vec3_length(vec3_sub(a[i], b[i])));
    return most;
}

// The same mesh in about so many particles.
static pliant_model *octopus_of(int count)
{
    pliant_error error = {0};
    pliant_mesh *mesh = octopus_mesh();
    pliant_draft *draft = pliant_draft_create(mesh, &error);
    pliant_auto_def def = pliant_default_auto_def();
    def.count = count;
    def.stiffness = 0.5f;
    if (!draft || pliant_draft_auto(draft, &def, &error))
        fail_msg("%s: %s", error.place, error.message);
    pliant_model *model = pliant_draft_build(draft, &error);
    if (!model)
        fail_msg("%s: %s", error.place, error.message);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
    return model;
}

// An octopus that falls on a step, thrown by one arm, and goes from one level to the next and back.
static void test_an_octopus_changes_level_in_motion(void **state)
{
    (void)state;
    static const int counts[] = {800, 400, 200, 400, 800};
    pliant_model *first = octopus_of(counts[0]);
    setup s = setup_with(first);
    s.body_def.position = (vec3){0, 0.6f, 0};
    s.body_def.angular_velocity = (vec3){1, 2, 0.5f};
    setup_open(&s);
    pliant_plane_def ground = pliant_default_plane_def();
    pliant_world_add_plane(s.world, &ground, NULL);
    int vertices = pliant_model_vertex_count(first);
    vec3 *before = malloc((size_t)vertices * sizeof *before);
    vec3 *after = malloc((size_t)vertices * sizeof *after);
    vec3 low, high;
    pliant_model_bounds(first, &low, &high);
    double size = vec3_length(vec3_sub(high, low));
    pliant_body_apply_particle_impulse(s.world, s.body, 5, (vec3){0.2f, 0.3f, 0});
    for (int k = 1; k < (FULL_LENGTH ? 5 : 2); ++k) {
        run(&s, 0.15, 1.0f / 60.0f);
        pliant_motion was = pliant_body_motion(s.world, s.body);
        pliant_body_skin(s.world, s.body, PLIANT_SKIN_LINEAR, before, NULL);
        change_to(&s, octopus_of(counts[k]));
        pliant_motion is = pliant_body_motion(s.world, s.body);
        pliant_body_skin(s.world, s.body, PLIANT_SKIN_LINEAR, after, NULL);
        double jump = largest_jump(before, after, vertices);
        print_message("to %d particles: vertices move by %.4f of the size, energy %.3f -> %.3f J\n",
                      pliant_model_particle_count(s.model), jump / size, was.kinetic_energy,
                      is.kinetic_energy);
        assert_below(jump, 0.02 * size);
        assert_same_momenta(&was, &is, 1e-3);
        assert_below(fabs(is.kinetic_energy / was.kinetic_energy - 1.0), 0.1);
    }
    run(&s, 0.5, 1.0f / 60.0f);
    assert_true(all_finite(&s));
    free(before);
    free(after);
    setup_close(&s);
}

// Pins, targets, motion along them and attachments are where they were, at the nearest particles.
static void test_what_holds_it_goes_on_holding(void **state)
{
    (void)state;
    lattice l = box_of(2), finer = box_of(4);
    l.pinned_columns = finer.pinned_columns = 1;
    setup s = setup_of(&l);
    s.world_def.gravity = (vec3){0, -9.81f, 0};
    setup_open(&s);
    int last = pliant_model_particle_count(s.model) - 1;
    pliant_attachment_def def = pliant_default_attachment_def();
    def.body = s.body;
    def.particle = last;
    def.anchor = vec3_add(position_of(&s, last), (vec3){0, 0.5f, 0});
    pliant_attachment_id rod = pliant_world_add_attachment(s.world, &def, NULL);
    assert_int_equal(pliant_body_set_pinned(s.world, s.body, 9, true, NULL), PLIANT_OK);
    run(&s, 1.0, 1.0f / 60.0f);
    vec3 hand = position_of(&s, 9), rest = pliant_model_particles(s.model)[9].position;
    pliant_body_set_target(s.world, s.body, 9,
                           (pliant_pose){vec3_add(hand, (vec3){0, 0.01f, 0}), quat_identity()});

    change_to(&s, lattice_model(&finer));
    int held = -1, pinned = 0;
    for (int i = 0; i < pliant_model_particle_count(s.model); ++i) {
        vec3 d = vec3_sub(pliant_model_particles(s.model)[i].position, rest);
        held = vec3_length(d) < 1e-5f ? i : held;
        pinned += pliant_body_is_pinned(s.world, s.body, i);
    }
    assert_int_equal(pinned, 25 + 1);
    assert_true(held >= 0 && pliant_body_is_pinned(s.world, s.body, held));
    pliant_world_step(s.world, 1.0f / 60.0f);
    vec3 moved = vec3_sub(position_of(&s, held), hand);
    assert_below(vec3_length(vec3_sub(moved, (vec3){0, 0.01f, 0})), 1e-6f);
    run(&s, 1.0, 1.0f / 60.0f);
    assert_true(pliant_attachment_is_valid(s.world, rod));
    assert_true(pliant_attachment_force(s.world, rod) != 0.0f);
    last = pliant_model_particle_count(s.model) - 1;
    float length = vec3_length(vec3_sub(def.anchor, position_of(&s, last)));
    assert_near(length, 0.5f, 0.01f);
    setup_close(&s);
}

// A dent stays one: at the next level it is as deep.
static void test_dents_stay(void **state)
{
    (void)state;
    lattice l = box_of(2), finer = box_of(4);
    l.is_rigid = finer.is_rigid = true;
    l.dent_speed = finer.dent_speed = 1.0f;
    l.stiffness = finer.stiffness = 0.1f;
    setup s = setup_of(&l);
    s.world_def.gravity = (vec3){0, -9.81f, 0};
    s.body_def.position = (vec3){0, 2, 0};
    s.body_def.orientation = quat_exp((vec3){0.4f, 0, 0.7f});
    s.body_def.linear_velocity.y = -15.0f;
    setup_open(&s);
    pliant_plane_def ground = pliant_default_plane_def();
    pliant_world_add_plane(s.world, &ground, NULL);
    run(&s, 3.0, 1.0f / 60.0f);
    double dent = shape_error(&s);
    print_message("a dent of %.4f m\n", dent);
    assert_true(dent > 0.01);
    change_to(&s, lattice_model(&finer));
    assert_near((float)shape_error(&s), (float)dent, 0.35f * (float)dent);
    double then = shape_error(&s);
    run(&s, 1.0, 1.0f / 60.0f);
    assert_near((float)shape_error(&s), (float)then, 0.05f * (float)then);
    setup_close(&s);
}

// It is state like any other: a snapshot from before brings the old model back, one from after the new one, and the same calls
// give the same bits.
static void test_snapshots_know_which_model_it_was(void **state)
{
    (void)state;
    lattice l = box_of(2), finer = box_of(3);
    setup s = setup_of(&l);
    s.body_def.angular_velocity = (vec3){1, 2, 3};
    setup_open(&s);
    pliant_model *fine = lattice_model(&finer);
    run(&s, 0.2, 1.0f / 60.0f);
    size_t size = pliant_world_snapshot_size(s.world);
    void *before = malloc(size);
    pliant_world_snapshot(s.world, before);
    uint64_t hashes[2];
    for (int k = 0; k < 2; ++k) {
        assert_int_equal(pliant_body_set_model(s.world, s.body, fine, NULL), PLIANT_OK);
        run(&s, 0.2, 1.0f / 60.0f);
        hashes[k] = pliant_world_hash(s.world);
        assert_ptr_equal(pliant_body_model(s.world, s.body), fine);
        assert_int_equal(pliant_world_restore(s.world, before, size, NULL), PLIANT_OK);
        assert_ptr_equal(pliant_body_model(s.world, s.body), s.model);
    }
    assert_true(hashes[0] == hashes[1]);
    free(before);
    pliant_model_destroy(fine);
    setup_close(&s);
}

// Among others, whose ranges of memory move, and without memory for it.
static void test_others_do_not_notice(void **state)
{
    (void)state;
    counting c = {0};
    pliant_allocator allocator = counting_allocator(&c);
    lattice l = box_of(2), finer = box_of(3);
    pliant_world_def def = pliant_default_world_def();
    def.allocator = allocator;
    def.gravity = (vec3){0, 0, 0};
    pliant_world *world = pliant_world_create(&def, NULL);
    pliant_model *coarse = lattice_model(&l), *fine = lattice_model(&finer);
    pliant_body_def with = pliant_default_body_def();
    pliant_body_id bodies[3];
    with.model = coarse;
    with.angular_velocity = (vec3){0, 1, 0};
    for (int k = 0; k < 3; ++k) {
        with.position.x = 3.0f * (float)k;
        bodies[k] = pliant_world_add_body(world, &with, NULL);
    }
    pliant_world_step(world, 1.0f / 60.0f);
    pliant_pose others[2] = {pliant_body_particle_pose(world, bodies[0], 3),
                             pliant_body_particle_pose(world, bodies[2], 3)};
    uint64_t hash = pliant_world_hash(world);
    int failures = 0;
    for (pliant_result result = PLIANT_ERROR_MEMORY; result; ++failures) {
        c.calls = 0;
        c.fail_at = failures + 1;
        result = pliant_body_set_model(world, bodies[1], fine, NULL);
        if (result) {
            assert_int_equal(result, PLIANT_ERROR_MEMORY);
            assert_true(pliant_world_hash(world) == hash);
        }
    }
    assert_true(failures > 5);
    c.fail_at = 0;
    for (int k = 0; k < 2; ++k) {
        pliant_pose now = pliant_body_particle_pose(world, bodies[2 * k], 3);
        assert_memory_equal(&now, &others[k], sizeof now);
    }
    for (int i = 0; i < 60; ++i)
        pliant_world_step(world, 1.0f / 60.0f);
    assert_int_equal(pliant_world_report(world).bad_bodies, 0);
    pliant_model_destroy(coarse);
    pliant_model_destroy(fine);
    pliant_world_destroy(world);
    assert_int_equal(c.live, 0);
}

static void test_bad_calls_change_nothing(void **state)
{
    (void)state;
    lattice l = box_of(1);
    setup s = setup_of(&l);
    setup_open(&s);
    pliant_error error = {0};
    uint64_t hash = pliant_world_hash(s.world);
    assert_int_equal(pliant_body_set_model(s.world, s.body, NULL, &error), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_body_set_model(s.world, (pliant_body_id){7, 7}, s.model, &error),
                     PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_world_report(s.world).bad_calls, 2);
    assert_int_equal(pliant_body_set_model(s.world, s.body, s.model, &error), PLIANT_OK);
    assert_true(pliant_world_hash(s.world) == hash);
    setup_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_rigid_motion_goes_on),
        cmocka_unit_test(test_an_octopus_changes_level_in_motion),
        cmocka_unit_test(test_what_holds_it_goes_on_holding),
        cmocka_unit_test(test_dents_stay),
        cmocka_unit_test(test_snapshots_know_which_model_it_was),
        cmocka_unit_test(test_others_do_not_notice),
        cmocka_unit_test(test_bad_calls_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
