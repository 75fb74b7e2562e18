// Rotations: maps, composition, and the reference vectors for integration.

#include "test.h"

static void test_exp_log_round_trip(void **state)
{
    (void)state;
    uint32_t random = 11;
    for (int i = 0; i < 20000; ++i) {
        float size = i % 4 == 0 ? 1e-4f : i % 4 == 1 ? 0.06f : 1.8f;
        vec3 v = random_vec3(&random, size);
        if (vec3_length(v) > 3.1f)
            continue;
        vec3 back = quat_log(quat_exp(v));
        const double exact[3] = {v.x, v.y, v.z};
        assert_below(distance_to(back, exact), 1e-6);
        assert_near(quat_dot(quat_exp(v), quat_exp(v)), 1.0, 1e-6);
    }
}

static void test_rotate_agrees_with_matrix(void **state)
{
    (void)state;
    uint32_t random = 5;
    for (int i = 0; i < 1000; ++i) {
        quat a = random_quat(&random), b = random_quat(&random);
        vec3 v = random_vec3(&random, 2.0f);
        mat3 A = quat_to_mat3(a), B = quat_to_mat3(b), AB = mat3_mul(A, B);
        vec3 by_quat = quat_rotate(quat_mul(a, b), v), by_matrix = mat3_mul_vec(&AB, v);
        assert_below(vec3_length(vec3_sub(by_quat, by_matrix)), 2e-6);
    }
}

// q/-q and the shorter arc: the difference of nearby rotations is small whatever the signs.
static void test_difference_takes_shorter_arc(void **state)
{
    (void)state;
    uint32_t random = 9;
    for (int i = 0; i < 1000; ++i) {
        quat q = random_quat(&random);
        vec3 v = random_vec3(&random, 0.1f);
        quat turned = quat_scale(quat_turn(q, v), -1.0f);
        assert_below(vec3_length(vec3_sub(quat_difference(turned, q), v)), 1e-6);
    }
}

static void test_integration_vectors(void **state)
{
    (void)state;
    vectors v = vectors_open("integrate");
    for (json_value c = pli_json_first(v.json, v.cases); c != JSON_NONE;
         c = pli_json_next(v.json, c)) {
        json_value out = pli_json_get(v.json, c, "out");
        quat q = read_quat(&v, c, "q"), q_new = read_quat(&v, c, "q_new");
        vec3 omega = read_vec3(&v, c, "omega");
        float dt = (float)read_number(&v, c, "dt");
        double q_pred[4], omega_new[3];
        read_doubles(&v, out, "q_pred", q_pred, 4);
        read_doubles(&v, out, "omega_from_q_new", omega_new, 3);
        assert_below(angle_between(quat_turn(q, vec3_scale(omega, dt)), q_pred), 1e-6);
        vec3 difference = vec3_scale(quat_difference(q_new, q), 1.0f / dt);
        assert_below(distance_to(difference, omega_new) * dt, 1e-6); // rad in a step
    }
    vectors_close(&v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exp_log_round_trip),
        cmocka_unit_test(test_rotate_agrees_with_matrix),
        cmocka_unit_test(test_difference_takes_shorter_arc),
        cmocka_unit_test(test_integration_vectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
