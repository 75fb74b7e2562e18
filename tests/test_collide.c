// Contact kernels against the reference vectors.

#include "collide/friction.h"
#include "form/ellipsoid.h"
#include "test.h"

static sym3 shape_of(vec3 radii)
{
    mat3 one = mat3_identity();
    return sym3_rotate_diagonal(&one,
                                (vec3){radii.x * radii.x, radii.y * radii.y, radii.z * radii.z});
}

static void test_ellipsoid_plane_vectors(void **state)
{
    (void)state;
    vectors v = vectors_open("ellipsoid_plane");
    for (json_value c = pli_json_first(v.json, v.cases); c != JSON_NONE;
         c = pli_json_next(v.json, c)) {
        json_value out = pli_json_get(v.json, c, "out");
        vec3 radii = read_vec3(&v, c, "radii"), arm;
        vec3 n = vec3_normalize_or(read_vec3(&v, c, "n"), (vec3){0, 1, 0});
        mat3 R = quat_to_mat3(read_quat(&v, c, "q"));
        double expected[3], size = fmax(radii.x, fmax(radii.y, radii.z));
        read_doubles(&v, out, "r_contact", expected, 3);
        float height = ellipsoid_support(shape_of(radii), &R, n, &arm);
        assert_near(height, read_number(&v, out, "h"), 1e-6 * size);
        assert_below(distance_to(arm, expected), 2e-6 * size);
        vec3 centre = read_vec3(&v, c, "c");
        double far = fabs(centre.x) + fabs(centre.y) + fabs(centre.z);
        float depth = (float)read_number(&v, c, "d") - vec3_dot(n, centre) + height;
        assert_near(depth, read_number(&v, out, "depth"), 1e-6 * size + 3e-7 * far);
    }
    vectors_close(&v);
}

static contact_side read_side(const vectors *v, json_value c, int which, bool is_kinematic)
{
    char key[16];
    snprintf(key, sizeof key, "m%d", which);
    float w = is_kinematic ? 0.0f : 1.0f / (float)read_number(v, c, key);
    snprintf(key, sizeof key, "radii%d", which);
    vec3 r = read_vec3(v, c, key), r2 = {r.x * r.x, r.y * r.y, r.z * r.z};
    snprintf(key, sizeof key, "q%d", which);
    mat3 R = quat_to_mat3(read_quat(v, c, key));
    vec3 inverse = {5.0f * w / (r2.y + r2.z), 5.0f * w / (r2.x + r2.z), 5.0f * w / (r2.x + r2.y)};
    snprintf(key, sizeof key, "r%d", which);
    return (contact_side){w, sym3_to_mat3(sym3_rotate_diagonal(&R, inverse)), read_vec3(v, c, key)};
}

static void check_vec3(const vectors *v, json_value out, const char *key, vec3 actual)
{
    double expected[3];
    read_doubles(v, out, key, expected, 3);
    assert_below(distance_to(actual, expected), 1e-5 * (1.0 + vec3_length(actual)));
}

// Form (b): one impulse at the contact. The vectors also hold the paper's form for planes, which is
// not built: it brakes a rolling ball.
static void test_friction_vectors(void **state)
{
    (void)state;
    vectors v = vectors_open("friction");
    int checked = 0;
    for (json_value c = pli_json_first(v.json, v.cases); c != JSON_NONE;
         c = pli_json_next(v.json, c)) {
        if (!pli_json_string_is(v.json, pli_json_get(v.json, c, "type"), "pair_impulse"))
            continue;
        json_value out = pli_json_get(v.json, c, "out");
        bool kinematic = pli_json_bool(v.json, pli_json_get(v.json, c, "kinematic2"), false);
        contact_side one = read_side(&v, c, 1, false), two = read_side(&v, c, 2, kinematic);
        vec3 n = vec3_normalize_or(read_vec3(&v, c, "n"), (vec3){0, 1, 0});
        vec3 v1 = read_vec3(&v, c, "v1"), v2 = read_vec3(&v, c, "v2");
        vec3 w1 = read_vec3(&v, c, "omega1"), w2 = read_vec3(&v, c, "omega2");
        vec3 slip =
            vec3_sub(vec3_add(v1, vec3_cross(w1, one.arm)), vec3_add(v2, vec3_cross(w2, two.arm)));
        vec3 J = friction_impulse(slip, n, &one, &two, (float)read_number(&v, c, "s"));
        float most = (float)pli_json_number(v.json, pli_json_get(v.json, c, "max_impulse"), 1e30);
        if (vec3_length(J) > most)
            J = vec3_scale(J, most / vec3_length(J));
        check_vec3(&v, out, "v1", vec3_add_scaled(v1, J, one.inverse_mass));
        check_vec3(&v, out, "v2", vec3_add_scaled(v2, J, -two.inverse_mass));
        vec3 turn1 = mat3_mul_vec(&one.inverse_inertia, vec3_cross(one.arm, J));
        vec3 turn2 = mat3_mul_vec(&two.inverse_inertia, vec3_cross(two.arm, J));
        check_vec3(&v, out, "omega1", vec3_add(w1, turn1));
        check_vec3(&v, out, "omega2", vec3_sub(w2, turn2));
        ++checked;
    }
    assert_true(checked >= 10);
    vectors_close(&v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ellipsoid_plane_vectors),
        cmocka_unit_test(test_friction_vectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
