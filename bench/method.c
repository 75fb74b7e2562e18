// What each correction of the papers is worth: the printed formula beside the one Pliant uses, on the
// same input. docs/method.md quotes this table; `make method` prints it.

#include "collide/friction.h"
#include "form/ellipsoid.h"
#include "math/rotation.h"
#include "reference_torsion.h"

#include <pliant/pliant.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t random_state = 12345;

static float random_between(float low, float high)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return low + (high - low) * (float)(random_state >> 8) / 16777216.0f;
}

static vec3 random_vec3(float size)
{
    float x = random_between(-size, size), y = random_between(-size, size);
    return (vec3){x, y, random_between(-size, size)};
}

static quat random_quat(void)
{
    vec3 v = random_vec3(1.0f);
    return quat_normalize((quat){v.x, v.y, v.z, random_between(0.01f, 1.0f)});
}

static double degrees(double radians)
{
    return radians * 57.29577951308232;
}

static double angle_between(quat a, quat b)
{
    return vec3_length(quat_difference(a, b));
}

static void row(const char *what, double printed, double ours, const char *unit)
{
    printf("%-66s %12.4g %12.4g  %s\n", what, printed, ours, unit);
}

// ---------------------------------------------------------------------------------------------
// Eq. 9: A_i = D R as printed against R D R̄ᵀ, for a rigidly turned group with random rest orientations

static mat3 printed_moment(vec3 d, quat q)
{
    mat3 R = quat_to_mat3(q);
    const float scale[3] = {d.x, d.y, d.z};
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            R.m[i][k] *= scale[i];
    return R;
}

static void compare_moments(void)
{
    double printed = 0, ours = 0;
    const int rounds = 2000, members = 3;
    for (int r = 0; r < rounds; ++r) {
        quat turn = random_quat();
        mat3 A_printed = {0}, A_ours = {0}, R = quat_to_mat3(turn);
        for (int i = 0; i < members; ++i) {
            vec3 o = random_vec3(0.05f);
            vec3 d = {random_between(0.002f, 0.01f), random_between(0.002f, 0.01f),
                      random_between(0.002f, 0.01f)};
            quat rest = random_quat();
            mat3 axes = quat_to_mat3(rest);
            vec3 x = quat_rotate(turn, o);
            mat3_add_outer(&A_printed, x, o);
            mat3_add_outer(&A_ours, x, o);
            A_printed = mat3_add(A_printed, printed_moment(d, quat_mul(turn, rest)));
            A_ours = mat3_add(A_ours, mat3_mul_sym3(&R, sym3_rotate_diagonal(&axes, d)));
        }
        int rescues = 0;
        printed += degrees(angle_between(pli_rotation_extract(&A_printed, turn, &rescues), turn));
        ours += degrees(angle_between(pli_rotation_extract(&A_ours, turn, &rescues), turn));
    }
    row("moment matrix (9): mean error of the fitted rotation", printed / rounds, ours / rounds,
        "degrees");
}

// ---------------------------------------------------------------------------------------------
// §5.1: neighbours' moments in implicit groups make a chain resist twist

static double twist_after_fit(bool all_moments)
{
    quat twist = quat_exp((vec3){0.5235988f, 0, 0});
    mat3 A = {0};
    for (int i = -1; i <= 1; ++i) {
        vec3 o = {0.1f * (float)i, 0, 0};
        mat3_add_outer(&A, o, o);
        mat3 R = quat_to_mat3(i == 0 ? twist : quat_identity());
        if (i == 0 || all_moments)
            A = mat3_add(A, mat3_scale(R, 0.0005f));
    }
    int rescues = 0;
    return degrees(quat_log(pli_rotation_extract(&A, twist, &rescues)).x);
}

// ---------------------------------------------------------------------------------------------
// Spin: the polar fit alone against the fit that keeps angular momentum

static double spin_left(float spin, bool keep)
{
    enum { N = 4 };
    const vec3 rest[N] = {{0.3f, 0, 0.2f}, {-0.3f, 0, 0.2f}, {-0.3f, 0, -0.2f}, {0.3f, 0, -0.2f}};
    vec3 x[N], v[N];
    const float h = 1.0f / 60.0f;
    for (int i = 0; i < N; ++i) {
        x[i] = rest[i];
        v[i] = vec3_cross((vec3){0, spin, 0}, x[i]);
    }
    quat R = quat_identity();
    for (int step = 0; step < 600; ++step) {
        vec3 p[N];
        mat3 A = {0}, A_start = {0};
        for (int i = 0; i < N; ++i) {
            p[i] = vec3_add_scaled(x[i], v[i], h);
            mat3_add_outer(&A, p[i], rest[i]);
            mat3_add_outer(&A_start, x[i], rest[i]);
        }
        int rescues = 0;
        R = pli_rotation_extract(&A, R, &rescues);
        for (int newton = 0; keep && newton < 2; ++newton) {
            vec3 carried = {0, 0, 0}, delta;
            for (int i = 0; i < N; ++i)
                carried =
                    vec3_add(carried, vec3_cross(x[i], vec3_sub(p[i], quat_rotate(R, rest[i]))));
            mat3 rotation = quat_to_mat3(R);
            if (pli_rotation_momentum_step(&rotation, &A_start, carried, &delta))
                R = quat_turn(R, delta);
        }
        for (int i = 0; i < N; ++i) {
            vec3 goal = quat_rotate(R, rest[i]);
            v[i] = vec3_scale(vec3_sub(goal, x[i]), 1.0f / h);
            x[i] = goal;
        }
    }
    double L = 0, L0 = 0;
    for (int i = 0; i < N; ++i) {
        L += vec3_cross(x[i], v[i]).y;
        L0 += vec3_dot(rest[i], rest[i]) * spin;
    }
    return 100.0 * L / L0;
}

// ---------------------------------------------------------------------------------------------
// Stiffness laws: the painted stiffness that makes an iteration remove the part s in a given setting

typedef enum law { CONSTANT, PRINTED, OURS } law;

static pliant_model *beam(float stiffness, float reach)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    for (int p = 0; p < 40; ++p) {
        pliant_particle_def def = pliant_default_particle_def();
        def.position = vec3_scale((vec3){(float)(p / 4), (float)(p / 2 % 2), (float)(p % 2)}, 0.1f);
        def.mass = 0.1f;
        def.stiffness = stiffness;
        def.flags = p < 4 ? PLIANT_PARTICLE_PINNED : 0;
        pliant_builder_add_particle(builder, &def);
    }
    for (int a = 0; a < 40; ++a) {
        for (int b = a + 1; b < 40; ++b) {
            vec3 d = vec3_sub(pliant_builder_particle(builder, a)->position,
                              pliant_builder_particle(builder, b)->position);
            pliant_edge_def edge = {a, b, 0, 0, false, 0.0f};
            if (vec3_length(d) < reach)
                pliant_builder_add_edge(builder, &edge);
        }
    }
    pliant_model *model = pliant_builder_build(builder, NULL);
    pliant_builder_destroy(builder);
    return model;
}

static double sag(law which, float reach, int substeps, int iterations, double dt)
{
    double h = dt / substeps, reference = 0.054; // at 60 Hz and ten iterations
    double s = which == CONSTANT  ? reference
               : which == PRINTED ? reference * h * 60.0
                                  : 1.0 - pow(1.0 - reference, h * h * 36000.0 / iterations);
    double painted = 1.0 - pow(1.0 - s, iterations / (h * h * 36000.0));
    pliant_model *model = beam((float)fmin(painted, 0.9999999), reach);
    pliant_world_def world_def = pliant_default_world_def();
    world_def.gravity.y = -3.0f;
    world_def.substep_length = pliant_substep_length(substeps);
    world_def.iterations = iterations;
    pliant_world *world = pliant_world_create(&world_def, NULL);
    pliant_body_def body_def = pliant_default_body_def();
    body_def.model = model;
    body_def.linear_damping = body_def.angular_damping = 0.99f;
    pliant_body_id body = pliant_world_add_body(world, &body_def, NULL);
    float before = pliant_body_particle_pose(world, body, 39).position.y;
    for (double t = 0; t < 8.0; t += dt)
        pliant_world_step(world, (float)dt);
    double out = before - pliant_body_particle_pose(world, body, 39).position.y;
    pliant_world_destroy(world);
    pliant_model_destroy(model);
    return out;
}

// `reach` is the longest edge: 0.15 m connects 18 neighbours, 0.18 m all 26.
static double sag_spread(law which, float reach)
{
    static const int splits[][2] = {{1, 10}, {2, 5}, {10, 1}};
    static const double steps[] = {1.0 / 30.0, 1.0 / 60.0, 1.0 / 120.0};
    double low = 1e9, high = 0;
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            double value = sag(which, reach, splits[i][0], splits[i][1], steps[k]);
            low = fmin(low, value);
            high = fmax(high, value);
        }
    }
    return 100.0 * (high / low - 1.0);
}

// ---------------------------------------------------------------------------------------------
// Eqs. 22, 23: sequential slerp of absolute orientations against the symmetric form from rest

static void compare_torsion(void)
{
    double printed = 0;
    for (int r = 0; r < 1000; ++r) { // undeformed pairs: nothing should move
        quat q1 = random_quat(), q2 = random_quat();
        printed += degrees(angle_between(quat_slerp(q1, q2, 0.25f), q1));
    }
    quat d1 = quat_identity(), d2 = quat_identity();
    torsion_full(&d1, &d2, 1.0f, 1.0f, 0.5f);
    row("torsion (22, 23): turn of an undeformed pair, s = 0.5", printed / 1000,
        degrees(angle_between(d1, quat_identity())), "degrees");
    quat a = quat_identity(), b = quat_exp((vec3){1.0471976f, 0, 0});
    quat first = quat_slerp(a, b, 0.5f), second = quat_slerp(b, first, 0.5f);
    d1 = a;
    d2 = b;
    torsion_full(&d1, &d2, 1.0f, 1.0f, 1.0f);
    row("torsion (22, 23): left of a twist of 60 degrees, s = 1",
        degrees(angle_between(first, second)), degrees(angle_between(d1, d2)), "degrees");
}

// ---------------------------------------------------------------------------------------------
// Eqs. 18–21 against one impulse, for spheres of unequal mass

static double kinetic_energy(float m, float r, vec3 v, vec3 w)
{
    return 0.5 * m * (vec3_dot(v, v) + 0.4 * r * r * vec3_dot(w, w));
}

static void compare_friction(void)
{
    const float m1 = 1.0f, m2 = 10.0f, r = 0.5f;
    double printed = 0, ours = 0;
    for (int round = 0; round < 2000; ++round) {
        vec3 n = vec3_normalize_or(random_vec3(1.0f), (vec3){0, 1, 0});
        vec3 v1 = random_vec3(1.0f), v2 = random_vec3(1.0f);
        vec3 w1 = random_vec3(1.0f), w2 = random_vec3(1.0f);
        vec3 r1 = vec3_scale(n, r), r2 = vec3_scale(n, -r);
        double before = kinetic_energy(m1, r, v1, w1) + kinetic_energy(m2, r, v2, w2);
        vec3 half = vec3_scale(vec3_sub(v2, v1), 0.5f);
        half = vec3_add_scaled(half, n, -vec3_dot(half, n));
        vec3 a1 = vec3_add(v1, half), a2 = vec3_sub(v2, half);
        vec3 u1 = vec3_add(a1, vec3_cross(w1, r1)), u2 = vec3_add(a2, vec3_cross(w2, r2));
        vec3 mean = vec3_scale(vec3_add(u1, u2), 0.5f);
        float scale = 1.0f / (r * r);
        vec3 b1 = vec3_add(w1, vec3_scale(vec3_cross(r1, vec3_sub(mean, u1)), scale));
        vec3 b2 = vec3_add(w2, vec3_scale(vec3_cross(r2, vec3_sub(mean, u2)), scale));
        double after = kinetic_energy(m1, r, a1, b1) + kinetic_energy(m2, r, a2, b2);
        printed = fmax(printed, after / before);

        contact_side one = {1.0f / m1, mat3_scale(mat3_identity(), 2.5f * scale / m1), r1};
        contact_side two = {1.0f / m2, mat3_scale(mat3_identity(), 2.5f * scale / m2), r2};
        vec3 slip = vec3_sub(vec3_add(v1, vec3_cross(w1, r1)), vec3_add(v2, vec3_cross(w2, r2)));
        vec3 J = friction_impulse(slip, n, &one, &two, 1.0f);
        vec3 t1 = mat3_mul_vec(&one.inverse_inertia, vec3_cross(r1, J));
        vec3 t2 = mat3_mul_vec(&two.inverse_inertia, vec3_cross(r2, J));
        after = kinetic_energy(m1, r, vec3_add_scaled(v1, J, 1.0f / m1), vec3_add(w1, t1)) +
                kinetic_energy(m2, r, vec3_add_scaled(v2, J, -1.0f / m2), vec3_sub(w2, t2));
        ours = fmax(ours, after / before);
    }
    row("friction (18-21), masses 1:10: energy after / before, largest", printed, ours, "");
}

// ---------------------------------------------------------------------------------------------
// Eq. 14 by the arc cosine against the arc tangent, per step

static void compare_integration(void)
{
    double printed = 0, ours = 0;
    for (int i = 0; i < 20000; ++i) {
        vec3 way = vec3_scale(random_vec3(1.0f), powf(10.0f, random_between(-5.0f, -0.5f)));
        quat q = random_quat(), r = quat_mul(quat_turn(q, way), quat_conjugate(q));
        r = r.w < 0.0f ? quat_scale(r, -1.0f) : r;
        double exact = sqrt((double)way.x * way.x + (double)way.y * way.y + (double)way.z * way.z);
        printed = fmax(printed, fabs(2.0 * acosf(fminf(r.w, 1.0f)) - exact));
        ours = fmax(ours, fabs((double)vec3_length(quat_log(r)) - exact));
    }
    row("angular velocity (14): largest error of the angle in one step", printed, ours, "rad");
}

// ---------------------------------------------------------------------------------------------
// Fig. 2(b), the radius along the normal, against the support height

static void compare_support(void)
{
    double printed = 0, ours = 0;
    for (int i = 0; i < 5000; ++i) {
        vec3 radii = {random_between(0.5f, 1.0f), random_between(0.5f, 1.0f),
                      random_between(0.5f, 1)};
        quat q = random_quat();
        mat3 R = quat_to_mat3(q), one = mat3_identity();
        vec3 n = vec3_normalize_or(random_vec3(1.0f), (vec3){0, 1, 0}), arm;
        vec3 u = quat_rotate(quat_conjugate(q), n);
        sym3 shape = sym3_rotate_diagonal(
            &one, (vec3){radii.x * radii.x, radii.y * radii.y, radii.z * radii.z});
        double a = (double)u.x * radii.x, b = (double)u.y * radii.y, c = (double)u.z * radii.z;
        double exact = sqrt(a * a + b * b + c * c);
        double along = 1.0 / sqrt((double)u.x * u.x / (radii.x * radii.x) +
                                  (double)u.y * u.y / (radii.y * radii.y) +
                                  (double)u.z * u.z / (radii.z * radii.z));
        printed = fmax(printed, 100.0 * fabs(along / exact - 1.0));
        ours = fmax(ours, 100.0 * fabs(ellipsoid_support(shape, &R, n, &arm) / exact - 1.0));
    }
    row("ellipsoid on a plane, Fig. 2(b): largest error of its height", printed, ours, "%");
}

// ---------------------------------------------------------------------------------------------
// Müller et al. 2016 against Newton's method, for a chain's moment matrix

static quat extract_by_trace(const mat3 *A, quat q, int iterations)
{
    for (int i = 0; i < iterations; ++i) {
        mat3 R = quat_to_mat3(q), Rt = mat3_transpose(R), At = mat3_transpose(*A);
        vec3 sum = {0, 0, 0};
        float trace = 0;
        for (int k = 0; k < 3; ++k) {
            sum = vec3_add(sum, vec3_cross(mat3_row(&Rt, k), mat3_row(&At, k)));
            trace += vec3_dot(mat3_row(&Rt, k), mat3_row(&At, k));
        }
        q = quat_turn(q, vec3_scale(sum, 1.0f / (fabsf(trace) + 1e-9f)));
    }
    return q;
}

static void compare_extraction(void)
{
    double printed = 0, ours = 0;
    for (int i = 0; i < 2000; ++i) {
        quat R = random_quat(), axes = random_quat();
        mat3 V = quat_to_mat3(axes), rotation = quat_to_mat3(R);
        mat3 A = mat3_mul_sym3(&rotation, sym3_rotate_diagonal(&V, (vec3){9.8f, 0.6f, 0.6f}));
        quat start = quat_turn(R, random_vec3(0.06f));
        int rescues = 0;
        printed = fmax(printed, angle_between(extract_by_trace(&A, start, 20), R));
        ours = fmax(ours, angle_between(pli_rotation_extract(&A, start, &rescues), R));
    }
    row("rotation of a chain's group: 20 steps by the trace / Newton", printed, ours, "rad");
}

int main(void)
{
    printf("%-66s %12s %12s\n", "", "as printed", "Pliant");
    compare_moments();
    row("implicit group, chain: twist of 30 degrees after one fit", twist_after_fit(true),
        twist_after_fit(false), "degrees");
    row("rigid plate at 3.6 rad/s, 60 Hz: spin left after 10 s", spin_left(3.6f, false),
        spin_left(3.6f, true), "%");
    row("rigid plate at 20 rad/s, 60 Hz: spin left after 10 s", spin_left(20.0f, false),
        spin_left(20.0f, true), "%");
    row("beam, s' dt: spread of the sag over nine step settings", sag_spread(PRINTED, 0.15f),
        sag_spread(OURS, 0.15f), "%");
    row("beam, constant s: the same", sag_spread(CONSTANT, 0.15f), sag_spread(OURS, 0.15f), "%");
    row("beam with all 26 neighbours connected, s' dt: the same", sag_spread(PRINTED, 0.18f),
        sag_spread(OURS, 0.18f), "%");
    compare_torsion();
    compare_friction();
    compare_integration();
    compare_support();
    compare_extraction();
    return 0;
}
