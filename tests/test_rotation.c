// Rotation extraction and the momentum step against the reference vectors and by their definition.

#include "math/rotation.h"
#include "test.h"

static mat3 mat3_of(const double a[9])
{
    mat3 m;
    for (int i = 0; i < 9; ++i)
        m.m[i / 3][i % 3] = (float)a[i];
    return m;
}

static void test_vectors(void **state)
{
    (void)state;
    vectors v = vectors_open("rotation");
    for (json_value c = pli_json_first(v.json, v.cases); c != JSON_NONE;
         c = pli_json_next(v.json, c)) {
        double A[9], expected[4];
        read_doubles(&v, c, "A", A, 9);
        read_doubles(&v, pli_json_get(v.json, c, "out"), "q", expected, 4);
        mat3 matrix = mat3_of(A);
        int rescues = 0;
        quat q = pli_rotation_extract(&matrix, read_quat(&v, c, "q_prev"), &rescues);
        assert_below(angle_between(q, expected), read_number(&v, c, "tol_angle_f32"));
        if (pli_json_bool(v.json, pli_json_get(v.json, c, "warm"), false) &&
            !pli_json_bool(v.json, pli_json_get(v.json, c, "degenerate"), false))
            assert_int_equal(rescues, 0);
    }
    vectors_close(&v);
}

// R from an arbitrary start equals the rotation that the matrix was made from.
static void test_recovers_rotation_of_any_shape(void **state)
{
    (void)state;
    static const float shapes[][3] = {{1, 1, 1},     {9.8f, 0.6f, 0.6f}, {1, 0.01f, 0.01f},
                                      {1, 1, 0.02f}, {1, 0.7f, 0},       {1, 0.8f, -0.3f}};
    uint32_t random = 3;
    for (int i = 0; i < 6000; ++i) {
        const float *s = shapes[i % 6];
        quat R = random_quat(&random), axes = random_quat(&random);
        mat3 V = quat_to_mat3(axes), rotation = quat_to_mat3(R);
        sym3 S = sym3_rotate_diagonal(&V, (vec3){s[0], s[1], s[2]});
        mat3 A = mat3_mul_sym3(&rotation, S);
        quat start = i % 2 ? random_quat(&random) : quat_turn(R, random_vec3(&random, 0.05f));
        int rescues = 0;
        assert_below(angle_between_quats(pli_rotation_extract(&A, start, &rescues), R), 5e-5);
        if (i % 2 == 0)
            assert_int_equal(rescues, 0);
    }
}

static void test_keeps_what_the_matrix_leaves_open(void **state)
{
    (void)state;
    uint32_t random = 21;
    for (int i = 0; i < 200; ++i) {
        quat previous = random_quat(&random);
        mat3 zero = {0};
        int rescues = 0;
        assert_below(angle_between_quats(pli_rotation_extract(&zero, previous, &rescues), previous),
                     1e-6);
        // Rank one, already aligned: the twist about the axis stays.
        vec3 axis = vec3_normalize_or(random_vec3(&random, 1.0f), (vec3){1, 0, 0});
        mat3 line = {0};
        mat3_add_outer(&line, quat_rotate(previous, axis), axis);
        assert_below(angle_between_quats(pli_rotation_extract(&line, previous, &rescues), previous),
                     0.02);
    }
    const float bad[] = {INFINITY, NAN};
    for (int i = 0; i < 2; ++i) {
        mat3 A = mat3_identity();
        A.m[1][2] = bad[i];
        int rescues = 0;
        assert_true(quat_is_finite(pli_rotation_extract(&A, quat_identity(), &rescues)));
    }
}

// ---------------------------------------------------------------------------------------------
// The momentum-keeping fit

enum { MOST = 16 };

typedef struct fit_case {
    int count;
    double mass[MOST];
    vec3 rest[MOST], start[MOST], now[MOST];
    sym3 spread[MOST]; // of mass · R̄ diag(r²) R̄ᵀ / 5
    quat turn_start[MOST], turn_now[MOST];
} fit_case;

static void read_rows(const vectors *v, json_value c, const char *key, double (*out)[4], int width)
{
    int i = 0;
    json_value array = pli_json_get(v->json, c, key);
    for (json_value row = pli_json_first(v->json, array); row != JSON_NONE && i < MOST;
         row = pli_json_next(v->json, row))
        assert_int_equal(read_numbers(v, row, out[i++], width), width);
}

static fit_case read_fit_case(const vectors *v, json_value c)
{
    fit_case f = {.count = pli_json_size(v->json, pli_json_get(v->json, c, "m"))};
    assert_true(f.count <= MOST);
    read_doubles(v, c, "m", f.mass, f.count);
    double radii[MOST][4], xbar[MOST][4], qbar[MOST][4], x_t[MOST][4], q_t[MOST][4];
    double x_p[MOST][4], q_p[MOST][4];
    read_rows(v, c, "radii", radii, 3);
    read_rows(v, c, "xbar", xbar, 3);
    read_rows(v, c, "qbar", qbar, 4);
    read_rows(v, c, "x_t", x_t, 3);
    read_rows(v, c, "q_t", q_t, 4);
    read_rows(v, c, "x_p", x_p, 3);
    read_rows(v, c, "q_p", q_p, 4);
    double M = 0, rest[3] = {0}, start[3] = {0}, now[3] = {0};
    for (int i = 0; i < f.count; ++i) {
        M += f.mass[i];
        for (int k = 0; k < 3; ++k) {
            rest[k] += f.mass[i] * xbar[i][k];
            start[k] += f.mass[i] * x_t[i][k];
            now[k] += f.mass[i] * x_p[i][k];
        }
    }
    for (int i = 0; i < f.count; ++i) {
        for (int k = 0; k < 3; ++k) {
            xbar[i][k] -= rest[k] / M;
            x_t[i][k] -= start[k] / M;
            x_p[i][k] -= now[k] / M;
        }
        f.rest[i] = vec3_of(xbar[i]);
        f.start[i] = vec3_of(x_t[i]);
        f.now[i] = vec3_of(x_p[i]);
        quat inverse = quat_conjugate(quat_of(qbar[i]));
        f.turn_start[i] = quat_mul(quat_of(q_t[i]), inverse);
        f.turn_now[i] = quat_mul(quat_of(q_p[i]), inverse);
        mat3 R = quat_to_mat3(quat_of(qbar[i]));
        vec3 r = vec3_of(radii[i]);
        f.spread[i] = sym3_scale(sym3_rotate_diagonal(&R, (vec3){r.x * r.x, r.y * r.y, r.z * r.z}),
                                 (float)(0.2 * f.mass[i]));
    }
    return f;
}

static mat3 fit_moment(const fit_case *f, const vec3 *x, const quat *turn)
{
    mat3 A = {0};
    for (int i = 0; i < f->count; ++i) {
        mat3 R = quat_to_mat3(turn[i]);
        mat3_add_outer(&A, vec3_scale(x[i], (float)f->mass[i]), f->rest[i]);
        A = mat3_add(A, mat3_mul_sym3(&R, f->spread[i]));
    }
    return A;
}

// axial(N) - axial(R A_tᵀ)
static vec3 fit_carried(const fit_case *f, quat R, const mat3 *A_start)
{
    mat3 N = {0};
    for (int i = 0; i < f->count; ++i) {
        mat3 now = quat_to_mat3(f->turn_now[i]), start = quat_to_mat3(f->turn_start[i]);
        mat3_add_outer(&N, vec3_scale(f->now[i], (float)f->mass[i]), f->start[i]);
        N = mat3_add(N, mat3_mul_transpose(mat3_mul_sym3(&now, f->spread[i]), start));
    }
    mat3 M = mat3_mul_transpose(quat_to_mat3(R), *A_start);
    return vec3_sub(mat3_axial(&N), mat3_axial(&M));
}

// Largest difference of two rotation matrices' entries.
static double matrix_difference(quat R, const double expected[9])
{
    mat3 m = quat_to_mat3(R);
    double worst = 0;
    for (int i = 0; i < 9; ++i)
        worst = fmax(worst, fabs(m.m[i / 3][i % 3] - expected[i]));
    return worst;
}

static bool momentum_step(quat q, const mat3 *A_start, vec3 carried, vec3 *delta)
{
    mat3 R = quat_to_mat3(q);
    return pli_rotation_momentum_step(&R, A_start, carried, delta);
}

static void test_momentum_vectors(void **state)
{
    (void)state;
    vectors v = vectors_open("lfit");
    for (json_value c = pli_json_first(v.json, v.cases); c != JSON_NONE;
         c = pli_json_next(v.json, c)) {
        fit_case f = read_fit_case(&v, c);
        json_value out = pli_json_get(v.json, c, "out");
        double polar[9], one[9], converged[9];
        read_doubles(&v, out, "R_polar", polar, 9);
        read_doubles(&v, out, "R_one_newton", one, 9);
        read_doubles(&v, out, "R_converged", converged, 9);
        mat3 A = fit_moment(&f, f.now, f.turn_now), A_start = fit_moment(&f, f.start, f.turn_start);
        int rescues = 0;
        quat R = pli_rotation_extract(&A, f.turn_now[0], &rescues);
        assert_below(matrix_difference(R, polar), 1e-5);
        for (int step = 0; step < 4; ++step) {
            vec3 delta;
            assert_true(momentum_step(R, &A_start, fit_carried(&f, R, &A_start), &delta));
            R = quat_turn(R, delta);
            if (step == 0)
                assert_below(matrix_difference(R, one), 2e-5);
        }
        assert_below(matrix_difference(R, converged), 2e-5);
    }
    vectors_close(&v);
}

static void test_momentum_step_refuses_collapse(void **state)
{
    (void)state;
    mat3 zero = {0}, inverted = mat3_scale(mat3_identity(), -1.0f);
    vec3 delta;
    assert_false(momentum_step(quat_identity(), &zero, (vec3){1, 0, 0}, &delta));
    assert_false(momentum_step(quat_identity(), &inverted, (vec3){1, 0, 0}, &delta));
    mat3 sound = mat3_identity(); // a turn of half a radian is beyond its limit
    assert_false(momentum_step(quat_identity(), &sound, (vec3){1, 0, 0}, &delta));
    assert_true(momentum_step(quat_identity(), &sound, (vec3){0.2f, 0, 0}, &delta));
    assert_near(delta.x, 0.1, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_recovers_rotation_of_any_shape),
        cmocka_unit_test(test_keeps_what_the_matrix_leaves_open),
        cmocka_unit_test(test_momentum_vectors),
        cmocka_unit_test(test_momentum_step_refuses_collapse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
