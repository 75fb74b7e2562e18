// Torsion kernels against the reference vectors; distances by their definition.

#include "test.h"

#include "reference_torsion.h"

static void test_torsion_vectors(void **state)
{
    (void)state;
    vectors v = vectors_open("torsion");
    for (json_value c = pli_json_first(v.json, v.cases); c != JSON_NONE;
         c = pli_json_next(v.json, c)) {
        json_value out = pli_json_get(v.json, c, "out");
        quat q1bar = read_quat(&v, c, "qbar1"), q2bar = read_quat(&v, c, "qbar2");
        quat d1 = quat_mul(read_quat(&v, c, "q1"), quat_conjugate(q1bar));
        quat d2 = quat_mul(read_quat(&v, c, "q2"), quat_conjugate(q2bar));
        float w1 = (float)read_number(&v, c, "w1"), w2 = (float)read_number(&v, c, "w2");
        float s = (float)read_number(&v, c, "s");
        vec3 axis = vec3_normalize_or(read_vec3(&v, c, "edge_rest"), (vec3){1, 0, 0});
        double full1[4], full2[4], twist1[4], twist2[4];
        read_doubles(&v, out, "q1", full1, 4);
        read_doubles(&v, out, "q2", full2, 4);
        read_doubles(&v, out, "q1_twist_only", twist1, 4);
        read_doubles(&v, out, "q2_twist_only", twist2, 4);
        if (w1 + w2 > 0.0f) {
            quat a = d1, b = d2;
            torsion_full(&a, &b, w1, w2, s);
            assert_below(angle_between(quat_mul(a, q1bar), full1), 2e-6);
            assert_below(angle_between(quat_mul(b, q2bar), full2), 2e-6);
            a = d1;
            b = d2;
            torsion_twist_only(&a, &b, w1, w2, axis, s);
            assert_below(angle_between(quat_mul(a, q1bar), twist1), 2e-6);
            assert_below(angle_between(quat_mul(b, q2bar), twist2), 2e-6);
        }
    }
    vectors_close(&v);
}

// Two particles pulled apart come back to their distance, about their common centre of mass.
static void test_distance_shares_by_mass(void **state)
{
    (void)state;
    pliant_builder *builder = pliant_builder_create(NULL);
    for (int i = 0; i < 2; ++i) {
        pliant_particle_def def = pliant_default_particle_def();
        def.position = (vec3){(float)i, 0, 0};
        def.mass = i ? 3.0f : 1.0f;
        def.stiffness = 0.0f;
        pliant_builder_add_particle(builder, &def);
    }
    pliant_edge_def edge = {0, 1, 1.0f, 0.0f, false, 0.0f};
    pliant_builder_add_edge(builder, &edge);
    pliant_model *model = pliant_builder_build(builder, NULL);
    pliant_world_def world_def = pliant_default_world_def();
    world_def.gravity = (vec3){0, 0, 0};
    world_def.substep_length = pliant_substep_length(1);
    world_def.iterations = 1;
    pliant_world *world = pliant_world_create(&world_def, NULL);
    pliant_body_def body_def = pliant_default_body_def();
    body_def.model = model;
    pliant_body_id body = pliant_world_add_body(world, &body_def, NULL);
    pliant_body_set_particle_pose(world, body, 1, (pliant_pose){{1.4f, 0, 0}, {0, 0, 0, 1}});
    pliant_world_step(world, 1.0f / 60.0f);
    assert_near(pliant_body_particle_pose(world, body, 0).position.x, 0.3, 1e-6);
    assert_near(pliant_body_particle_pose(world, body, 1).position.x, 1.3, 1e-6);
    // Both ends at one point: they part along the rest direction.
    for (int i = 0; i < 2; ++i) {
        pliant_body_set_particle_pose(world, body, i, (pliant_pose){{0, 0, 0}, {0, 0, 0, 1}});
        pliant_body_set_particle_velocity(world, body, i, (vec3){0, 0, 0}, (vec3){0, 0, 0});
    }
    pliant_world_step(world, 1.0f / 60.0f);
    vec3 a = pliant_body_particle_pose(world, body, 0).position;
    vec3 b = pliant_body_particle_pose(world, body, 1).position;
    assert_near(b.x - a.x, 1.0, 1e-6);
    pliant_world_destroy(world);
    pliant_model_destroy(model);
    pliant_builder_destroy(builder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_torsion_vectors),
        cmocka_unit_test(test_distance_shares_by_mass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
