// Shape matching through a whole world, against the reference vectors for moment matrices: after one
// pass of a rigid group every particle is at its goal, with its rest orientation turned by R.

#include "test.h"

enum { MOST = 32 };

static int read_rows(const vectors *v, json_value c, const char *key, double (*out)[4], int width)
{
    int i = 0;
    json_value array = pli_json_get(v->json, c, key);
    for (json_value row = pli_json_first(v->json, array); row != JSON_NONE && i < MOST;
         row = pli_json_next(v->json, row))
        assert_int_equal(read_numbers(v, row, out[i++], width), width);
    return i;
}

static void check_case(const vectors *v, json_value c)
{
    double m[MOST], radii[MOST][4], xbar[MOST][4], qbar[MOST][4], x[MOST][4], q[MOST][4];
    double oriented[MOST], goals[MOST][4], R[4];
    json_value out = pli_json_get(v->json, c, "out");
    int n = pli_json_size(v->json, pli_json_get(v->json, c, "m"));
    assert_in_range(n, 1, MOST);
    read_doubles(v, c, "m", m, n);
    read_doubles(v, c, "oriented", oriented, n);
    assert_int_equal(read_rows(v, c, "radii", radii, 3), n);
    read_rows(v, c, "xbar", xbar, 3);
    read_rows(v, c, "qbar", qbar, 4);
    read_rows(v, c, "x", x, 3);
    read_rows(v, c, "q", q, 4);
    read_rows(v, out, "goals", goals, 3);
    read_doubles(v, out, "R_quat", R, 4);

    pliant_builder *builder = pliant_builder_create(NULL);
    int32_t members[MOST];
    double size = 0;
    for (int i = 0; i < n; ++i) {
        pliant_particle_def def = pliant_default_particle_def();
        def.position = vec3_of(xbar[i]);
        def.orientation = quat_of(qbar[i]);
        def.radii = vec3_of(radii[i]);
        def.mass = (float)m[i];
        def.flags = oriented[i] != 0.0 ? 0 : PLIANT_PARTICLE_UNORIENTED;
        members[i] = pliant_builder_add_particle(builder, &def);
        size = fmax(size, fmax(radii[i][0], distance_to(vec3_of(xbar[i]), xbar[0])));
    }
    pliant_group_def group = {.members = members, .member_count = n, .stiffness = 1.0f};
    pliant_builder_add_group(builder, &group);
    pliant_model *model = pliant_builder_build(builder, NULL);
    assert_non_null(model);

    pliant_world_def world_def = pliant_default_world_def();
    world_def.gravity = (vec3){0, 0, 0};
    world_def.substep_length = pliant_substep_length(1);
    world_def.iterations = 1;
    pliant_world *world = pliant_world_create(&world_def, NULL);
    pliant_body_def body_def = pliant_default_body_def();
    body_def.model = model;
    pliant_body_id body = pliant_world_add_body(world, &body_def, NULL);
    for (int i = 0; i < n; ++i)
        pliant_body_set_particle_pose(world, body, i, (pliant_pose){vec3_of(x[i]), quat_of(q[i])});
    pliant_world_step(world, 1.0f / 60.0f);
    // Positions are within rounding at the distance of the goals from the origin.
    for (int i = 0; i < n; ++i) {
        pliant_pose pose = pliant_body_particle_pose(world, body, i);
        double far = fabs(goals[i][0]) + fabs(goals[i][1]) + fabs(goals[i][2]);
        assert_below(distance_to(pose.position, goals[i]), 3e-6 * size + 1.2e-7 * far);
        quat turn = quat_mul(pose.orientation, quat_conjugate(quat_of(qbar[i])));
        assert_below(angle_between(turn, R), 5e-6);
    }
    pliant_world_destroy(world);
    pliant_model_destroy(model);
    pliant_builder_destroy(builder);
}

static void test_moment_vectors(void **state)
{
    (void)state;
    vectors v = vectors_open("moment");
    for (json_value c = pli_json_first(v.json, v.cases); c != JSON_NONE;
         c = pli_json_next(v.json, c))
        check_case(&v, c);
    vectors_close(&v);
}

// A chain of three whose middle is twisted: implicit groups leave the twist as it is.
static void test_twist_is_free_in_implicit_groups(void **state)
{
    (void)state;
    pliant_builder *builder = pliant_builder_create(NULL);
    for (int i = 0; i < 3; ++i) {
        pliant_particle_def def = pliant_default_particle_def();
        def.position = (vec3){0.1f * (float)i, 0, 0};
        pliant_builder_add_particle(builder, &def);
    }
    for (int i = 0; i < 2; ++i) {
        pliant_edge_def edge = {i, i + 1, 1.0f, 0.0f, false, 0.0f};
        pliant_builder_add_edge(builder, &edge);
    }
    pliant_model *model = pliant_builder_build(builder, NULL);
    pliant_world_def world_def = pliant_default_world_def();
    world_def.gravity = (vec3){0, 0, 0};
    pliant_world *world = pliant_world_create(&world_def, NULL);
    pliant_body_def body_def = pliant_default_body_def();
    body_def.model = model;
    pliant_body_id body = pliant_world_add_body(world, &body_def, NULL);
    pliant_pose twisted = pliant_body_particle_pose(world, body, 1);
    twisted.orientation = quat_exp((vec3){0.5235988f, 0, 0});
    pliant_body_set_particle_pose(world, body, 1, twisted);
    for (int i = 0; i < 60; ++i)
        pliant_world_step(world, 1.0f / 60.0f);
    quat after = pliant_body_particle_pose(world, body, 1).orientation;
    assert_near(quat_log(after).x, 0.5235988, 1e-3);
    assert_near(quat_log(pliant_body_particle_pose(world, body, 0).orientation).x, 0.0, 1e-3);
    pliant_world_destroy(world);
    pliant_model_destroy(model);
    pliant_builder_destroy(builder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moment_vectors),
        cmocka_unit_test(test_twist_is_free_in_implicit_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
