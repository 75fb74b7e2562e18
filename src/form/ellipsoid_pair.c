// Where two ellipsoids touch when they are moved along the line of their centres.
//
// With n the unit line, m the contact normal and h(m) = √(mᵀSm) the half width along m, ellipsoids
// that touch at distance d satisfy (paper 2011, Eqs. 29–37)
//     d n = S1 m / h1(m) + S2 m / h2(m),
// so that m ∝ (S1 + μ S2)⁻¹ n with μ = h1(m) / h2(m). The paper solves for λ = -1/μ in closed form,
// which needs a matrix cancelled that cannot be (Eq. 38). Here μ is found by Newton's method on
// ln μ for the fixed point μ = h1 / h2; its slope 1 - κ lies in (0, 1], so there is one root. This is
// the maximum of the contact function of Perram and Wertheim, Statistical mechanics of hard
// ellipsoids I, J. Comput. Phys. 58 (1985).
//
// The distance comes from the supporting plane with normal m,
//     d <= (h1(m) + h2(m)) / (n·m)   for every m with n·m > 0, equal at the contact normal.
// It is an upper bound for whatever μ and rounding made of m, errors of m enter squared, and it is at
// least as tight as Perram and Wertheim's 1/√F(μ) for the same μ, because
// (√g1 + √g2)² <= (1 + 1/μ)(g1 + μ g2). Hence the same expression is the early out: a plane between.

#include "ellipsoid_pair.h"

enum { JACOBI_SWEEPS = 6 };

// Two bodies, the larger first, each in its own unit of length, and the unit line between them.
typedef struct touch_problem {
    sym3 S1, S2;        // traces in [1, 4)
    float unit1, unit2; // m, powers of two
    float k;            // unit2 / unit1 <= 1
    vec3 n;
} touch_problem;

// What belongs to one normal m.
typedef struct touch_plane {
    vec3 m;       // unit
    vec3 f1, f2;  // S m
    float h1, h2; // √(mᵀSm)
    float cosine; // n·m > 0
} touch_plane;

// The power of two 2^e with 2^2e <= x < 2^(2e + 2), as 2^e: scaling by it rounds nothing. x > 0.
static float square_root_power_of_two(float x)
{
    int32_t exponent = (int32_t)(float_bits(x) >> 23) - 127;
    if (exponent < -126)
        exponent = -126;
    int32_t half = (exponent + 128) / 2 - 64; // rounds down
    return bits_float((uint32_t)(half + 127) << 23);
}

static sym3 adjugate(sym3 a)
{
    return (sym3){a.yy * a.zz - a.yz * a.yz, a.xz * a.yz - a.xy * a.zz, a.xy * a.yz - a.xz * a.yy,
                  a.xx * a.zz - a.xz * a.xz, a.xy * a.xz - a.xx * a.yz, a.xx * a.yy - a.xy * a.xy};
}

// a + s b
static sym3 add_scaled(sym3 a, sym3 b, float s)
{
    return (sym3){a.xx + s * b.xx, a.xy + s * b.xy, a.xz + s * b.xz,
                  a.yy + s * b.yy, a.yz + s * b.yz, a.zz + s * b.zz};
}

// A sphere that was turned has off-diagonals of rounding size only.
static bool is_sphere(sym3 S)
{
    float limit = 1e-6f * S.xx;
    return absolute(S.xy) <= limit && absolute(S.xz) <= limit && absolute(S.yz) <= limit &&
           absolute(S.yy - S.xx) <= limit && absolute(S.zz - S.xx) <= limit;
}

// The root of the mean radius², exact where the three are equal.
static float sphere_radius(sym3 S)
{
    return square_root(S.xx + ((S.yy - S.xx) + (S.zz - S.xx)) * (1.0f / 3.0f));
}

// The unit eigenvector of the smallest eigenvalue by cyclic Jacobi rotations, its largest component
// positive. Of equal eigenvalues the first column wins, so that spheres get the x axis.
static vec3 thinnest_direction(sym3 S)
{
    mat3 a = sym3_to_mat3(S), v = mat3_identity();
    for (int sweep = 0; sweep < JACOBI_SWEEPS; ++sweep) {
        for (int p = 0; p < 2; ++p) {
            for (int q = p + 1; q < 3; ++q) {
                // What is below rounding is done; dividing by it would overflow.
                float far = a.m[p][q];
                if (absolute(far) <= 1e-9f * (absolute(a.m[p][p]) + absolute(a.m[q][q])))
                    continue;
                float theta = (a.m[q][q] - a.m[p][p]) / (2.0f * far);
                float t = 1.0f / (absolute(theta) + square_root(theta * theta + 1.0f));
                if (theta < 0.0f)
                    t = -t;
                float c = 1.0f / square_root(t * t + 1.0f), s = t * c;
                for (int i = 0; i < 3; ++i) { // a ← a J, v ← v J
                    float ap = a.m[i][p], aq = a.m[i][q], vp = v.m[i][p], vq = v.m[i][q];
                    a.m[i][p] = c * ap - s * aq;
                    a.m[i][q] = s * ap + c * aq;
                    v.m[i][p] = c * vp - s * vq;
                    v.m[i][q] = s * vp + c * vq;
                }
                for (int i = 0; i < 3; ++i) { // a ← Jᵀ a
                    float ap = a.m[p][i], aq = a.m[q][i];
                    a.m[p][i] = c * ap - s * aq;
                    a.m[q][i] = s * ap + c * aq;
                }
            }
        }
    }
    int least = 0;
    for (int i = 1; i < 3; ++i)
        if (a.m[i][i] < a.m[least][least])
            least = i;
    vec3 e = {v.m[0][least], v.m[1][least], v.m[2][least]};
    float largest = e.x;
    if (absolute(e.y) > absolute(largest))
        largest = e.y;
    if (absolute(e.z) > absolute(largest))
        largest = e.z;
    return vec3_scale(e, (largest < 0.0f ? -1.0f : 1.0f) / vec3_length(e));
}

// The unit direction of v and its length, at any magnitude: |v|² alone would underflow or overflow.
// v is not zero.
static vec3 direction(vec3 v, float *length)
{
    float largest = maximum(absolute(v.x), maximum(absolute(v.y), absolute(v.z)));
    vec3 u = {v.x / largest, v.y / largest, v.z / largest};
    float size = vec3_length(u);
    *length = size * largest;
    return vec3_scale(u, 1.0f / size);
}

// The plane with unit normal m. The floor of the half widths only matters to shapes so thin that
// rounding made them indefinite.
static touch_plane plane_at(const touch_problem *p, vec3 m)
{
    touch_plane t = {.m = m, .f1 = sym3_mul_vec(p->S1, m), .f2 = sym3_mul_vec(p->S2, m)};
    t.h1 = square_root(maximum(vec3_dot(m, t.f1), 1e-12f));
    t.h2 = square_root(maximum(vec3_dot(m, t.f2), 1e-12f));
    t.cosine = vec3_dot(p->n, m);
    return t;
}

static float touching_distance(const touch_problem *p, const touch_plane *t)
{
    return (p->unit1 * t->h1 + p->unit2 * t->h2) / t->cosine;
}

// distance is an upper bound of the touching distance but for rounding, which 2e-5 covers to aspect
// ratio 10 and more.
static bool certainly_apart(float centres, float distance, float margin)
{
    return centres - distance * 1.00002f > margin;
}

// r1 / r2 of the radii along n, 1/r² = nᵀS⁻¹n = nᵀ adj(S) n / det S. 1 where a shape is not definite
// in float32.
static float radius_ratio(const touch_problem *p)
{
    sym3 adj1 = adjugate(p->S1), adj2 = adjugate(p->S2);
    float det1 = p->S1.xx * adj1.xx + p->S1.xy * adj1.xy + p->S1.xz * adj1.xz;
    float det2 = p->S2.xx * adj2.xx + p->S2.xy * adj2.xy + p->S2.xz * adj2.xz;
    float one = det1 * vec3_dot(p->n, sym3_mul_vec(adj2, p->n));
    float two = det2 * vec3_dot(p->n, sym3_mul_vec(adj1, p->n));
    if (!(one > 1e-12f * two && two > 1e-12f * one))
        return 1.0f;
    return square_root(one / two);
}

// The plane whose normal is m ∝ (S1 + τ S2)⁻¹ n ∝ adj(S1 + τ S2) n. With the bodies in their own
// units τ = μ k². *adj and *length get the adjugate and |adj n|.
static touch_plane plane_of(const touch_problem *p, float tau, sym3 *adj, float *length)
{
    *adj = adjugate(add_scaled(p->S1, p->S2, tau));
    vec3 m = sym3_mul_vec(*adj, p->n);
    *length = vec3_length(m);
    // False only for shapes that are not definite in float32: then n itself is a normal to go by.
    if (!(*length > 1e-18f && vec3_dot(p->n, m) > 1e-6f * *length)) {
        *length = 0.0f;
        return plane_at(p, p->n);
    }
    return plane_at(p, vec3_scale(m, 1.0f / *length));
}

// The Newton step on ln τ for τ = k h1/h2. With g = mᵀSm and T = m̂ᵀS2X⁻¹S2m̂ (X = S1 + τ S2, m̂ = X⁻¹n)
//     κ = d ln(k h1/h2) / d ln τ = τ (T nᵀm̂ - g2²) / (g1 g2)   in [0, 1),
//     δ = ln(k h1 / (τ h2)) / (1 - κ),   ln z ≈ 2 (z - 1)/(z + 1)
// κ does not depend on the length of m̂, so the unit m and the adjugate stand for m̂ and X⁻¹.
static float newton_step(const touch_problem *p, float tau, const touch_plane *t, sym3 adj,
                         float length)
{
    float g1 = t->h1 * t->h1, g2 = t->h2 * t->h2, g12 = g1 * g2;
    float T = vec3_dot(t->f2, sym3_mul_vec(adj, t->f2)) / length;
    float slope = maximum(g12 - tau * (T * t->cosine - g2 * g2), 0.001f * g12); // (1 - κ) g1 g2
    float one = p->k * t->h1, two = tau * t->h2;
    float delta = 2.0f * (one - two) * g12 / ((one + two) * slope);
    return maximum(-1.0f, minimum(1.0f, delta));
}

// Finds the touching plane. Returns false when some plane on the way proves the gap to exceed margin.
static bool find_touch(const touch_problem *p, float centres, float margin, float last_step,
                       touch_plane *t)
{
    *t = plane_at(p, p->n); // the cheapest plane of all
    if (certainly_apart(centres, touching_distance(p, t), margin))
        return false;

    float tau = p->k * radius_ratio(p); // μ = r1 / r2 is exact for homothetic pairs
    sym3 adj;
    float length, delta = 1.0f;
    *t = plane_of(p, tau, &adj, &length);
    if (certainly_apart(centres, touching_distance(p, t), margin))
        return false;
    for (int i = 0; i < ELLIPSOID_STEP_LIMIT && absolute(delta) > last_step && length > 0.0f; ++i) {
        delta = newton_step(p, tau, t, adj, length);
        tau *= (2.0f + delta) / (2.0f - delta); // exp δ, as precise as the convergence needs
        *t = plane_of(p, tau, &adj, &length);
    }
    return !certainly_apart(centres, touching_distance(p, t), margin);
}

vec3 pli_thinnest_line(sym3 S1, sym3 S2)
{
    float unit =
        maximum(square_root_power_of_two(sym3_trace(S1)), square_root_power_of_two(sym3_trace(S2)));
    float scale = (1.0f / unit) / unit;
    return thinnest_direction(add_scaled(sym3_scale(S1, scale), S2, scale));
}

bool pli_ellipsoid_pair(sym3 S1, sym3 S2, vec3 between, float margin, form_pair *out)
{
    return pli_ellipsoid_pair_roughly(S1, S2, between, margin, ELLIPSOID_LAST_STEP, out);
}

bool pli_ellipsoid_pair_roughly(sym3 S1, sym3 S2, vec3 between, float margin, float last_step,
                                form_pair *out)
{
    float trace1 = sym3_trace(S1), trace2 = sym3_trace(S2);
    float unit1 = square_root_power_of_two(trace1), unit2 = square_root_power_of_two(trace2);

    vec3 n;
    float centres, near = 1e-6f * (unit1 + unit2);
    if (absolute(between.x) < near && absolute(between.y) < near && absolute(between.z) < near) {
        n = pli_thinnest_line(S1, S2);
        centres = vec3_dot(between, n);
    } else {
        n = direction(between, &centres);
    }

    if (is_sphere(S1) && is_sphere(S2)) {
        float r1 = sphere_radius(S1), r2 = sphere_radius(S2);
        if (certainly_apart(centres, r1 + r2, margin))
            return false;
        *out = (form_pair){n, centres - (r1 + r2), n, vec3_scale(n, r1), vec3_scale(n, -r2)};
        return true;
    }

    // Ellipsoids are symmetric about their centres: exchanging the shapes alone leaves n, m and d as
    // they are. With the larger first τ is at most about 1 and nothing cancels at any ratio of sizes.
    bool swapped = trace2 > trace1;
    touch_problem p = {.n = n};
    p.unit1 = swapped ? unit2 : unit1;
    p.unit2 = swapped ? unit1 : unit2;
    p.S1 = sym3_scale(swapped ? S2 : S1, (1.0f / p.unit1) / p.unit1);
    p.S2 = sym3_scale(swapped ? S1 : S2, (1.0f / p.unit2) / p.unit2);
    p.k = p.unit2 / p.unit1;
    touch_plane t;
    if (!find_touch(&p, centres, margin, last_step, &t))
        return false;

    vec3 arm1 = vec3_scale(t.f1, p.unit1 / t.h1), arm2 = vec3_scale(t.f2, p.unit2 / t.h2);
    *out = (form_pair){.line = n,
                       .gap = centres - touching_distance(&p, &t),
                       .normal = t.m,
                       .arm1 = swapped ? arm2 : arm1,
                       .arm2 = vec3_negate(swapped ? arm1 : arm2)};
    return true;
}
