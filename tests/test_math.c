// The public vectors, rotations and poses, by the names that programs know them by.

#include "test.h"

static const pliant_vec3 POINT = {0.3f, -1.2f, 2.5f};

static void assert_vec3_near(pliant_vec3 a, pliant_vec3 b, double tolerance)
{
    assert_near(a.x, (double)b.x, tolerance);
    assert_near(a.y, (double)b.y, tolerance);
    assert_near(a.z, (double)b.z, tolerance);
}

static pliant_pose some_pose(float angle)
{
    pliant_vec3 axis = pliant_vec3_normalize_or((pliant_vec3){1, 2, -2}, (pliant_vec3){0, 1, 0});
    return (pliant_pose){{4, 5, -6}, pliant_quat_about(axis, angle)};
}

static void test_a_quarter_turn_about_z_takes_x_to_y(void **state)
{
    (void)state;
    pliant_quat q = pliant_quat_about((pliant_vec3){0, 0, 1}, PLIANT_HALF_PI);
    assert_vec3_near(pliant_quat_rotate(q, (pliant_vec3){1, 0, 0}), (pliant_vec3){0, 1, 0}, 2e-7);
}

static void test_poses_follow_each_other(void **state)
{
    (void)state;
    pliant_pose a = some_pose(0.7f), b = some_pose(-2.1f);
    pliant_vec3 one_by_one = pliant_pose_point(a, pliant_pose_point(b, POINT));
    assert_vec3_near(pliant_pose_point(pliant_pose_mul(a, b), POINT), one_by_one, 5e-6);
}

static void test_a_pose_and_its_inverse_change_nothing(void **state)
{
    (void)state;
    pliant_pose a = some_pose(1.9f);
    pliant_pose nothing = pliant_pose_mul(pliant_pose_inverse(a), a);
    assert_vec3_near(nothing.position, pliant_pose_identity().position, 2e-6);
    assert_vec3_near(pliant_quat_rotate(nothing.orientation, POINT), POINT, 2e-6);
}

static void test_a_matrix_turns_as_its_quaternion(void **state)
{
    (void)state;
    pliant_quat q = some_pose(2.6f).orientation;
    pliant_mat3 R = pliant_quat_to_mat3(q);
    assert_vec3_near(pliant_mat3_mul_vec(&R, POINT), pliant_quat_rotate(q, POINT), 2e-6);
    assert_near(pliant_mat3_determinant(&R), 1.0, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_quarter_turn_about_z_takes_x_to_y),
        cmocka_unit_test(test_poses_follow_each_other),
        cmocka_unit_test(test_a_pose_and_its_inverse_change_nothing),
        cmocka_unit_test(test_a_matrix_turns_as_its_quaternion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
