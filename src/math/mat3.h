// 3×3 matrices: those of pliant/math.h, and symmetric ones with six entries.

#ifndef PLIANT_MATH_MAT3_H
#define PLIANT_MATH_MAT3_H

#include "vec3.h"

typedef struct sym3 {
    float xx, xy, xz, yy, yz, zz;
} sym3;

// (a32 - a23, a13 - a31, a21 - a12): of u vᵀ it is v × u.
static inline vec3 mat3_axial(const mat3 *a)
{
    return (vec3){a->m[2][1] - a->m[1][2], a->m[0][2] - a->m[2][0], a->m[1][0] - a->m[0][1]};
}

// Solves a x = b by cofactors. The caller has made sure that |determinant| is not tiny.
static inline vec3 mat3_solve(const mat3 *a, vec3 b, float determinant)
{
    vec3 r0 = mat3_row(a, 0), r1 = mat3_row(a, 1), r2 = mat3_row(a, 2);
    vec3 c0 = vec3_cross(r1, r2), c1 = vec3_cross(r2, r0), c2 = vec3_cross(r0, r1);
    vec3 sum = vec3_scale(c0, b.x);
    sum = vec3_add_scaled(sum, c1, b.y);
    sum = vec3_add_scaled(sum, c2, b.z);
    return vec3_scale(sum, 1.0f / determinant);
}

static inline sym3 sym3_add(sym3 a, sym3 b)
{
    return (sym3){a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
}

// s v vᵀ
static inline sym3 sym3_outer(vec3 v, float s)
{
    return (sym3){s * v.x * v.x, s * v.x * v.y, s * v.x * v.z,
                  s * v.y * v.y, s * v.y * v.z, s * v.z * v.z};
}

static inline sym3 sym3_scale(sym3 a, float s)
{
    return (sym3){a.xx * s, a.xy * s, a.xz * s, a.yy * s, a.yz * s, a.zz * s};
}

static inline float sym3_trace(sym3 a)
{
    return a.xx + a.yy + a.zz;
}

// tr(a) 1 - a: the inertia that belongs to a second moment.
static inline sym3 sym3_inertia(sym3 a)
{
    float trace = sym3_trace(a);
    return (sym3){trace - a.xx, -a.xy, -a.xz, trace - a.yy, -a.yz, trace - a.zz};
}

static inline vec3 sym3_mul_vec(sym3 a, vec3 v)
{
    return (vec3){a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
                  a.xz * v.x + a.yz * v.y + a.zz * v.z};
}

// Inertia about a unit axis that belongs to a second moment.
static inline float sym3_inertia_about(sym3 a, vec3 axis)
{
    return vec3_dot(axis, sym3_mul_vec(sym3_inertia(a), axis));
}

static inline mat3 sym3_to_mat3(sym3 a)
{
    return (mat3){{{a.xx, a.xy, a.xz}, {a.xy, a.yy, a.yz}, {a.xz, a.yz, a.zz}}};
}

// r a
static inline mat3 mat3_mul_sym3(const mat3 *r, sym3 a)
{
    mat3 p;
    for (int i = 0; i < 3; ++i) {
        float u = r->m[i][0], v = r->m[i][1], w = r->m[i][2];
        p.m[i][0] = u * a.xx + v * a.xy + w * a.xz;
        p.m[i][1] = u * a.xy + v * a.yy + w * a.yz;
        p.m[i][2] = u * a.xz + v * a.yz + w * a.zz;
    }
    return p;
}

// r diag(d) rᵀ
static inline sym3 sym3_rotate_diagonal(const mat3 *r, vec3 d)
{
    float e[3][3];
    for (int i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j)
            e[i][j] = r->m[i][0] * d.x * r->m[j][0] + r->m[i][1] * d.y * r->m[j][1] +
                      r->m[i][2] * d.z * r->m[j][2];
    return (sym3){e[0][0], e[0][1], e[0][2], e[1][1], e[1][2], e[2][2]};
}

// The inverse of a positive definite matrix, by cofactors.
static inline sym3 sym3_inverse(sym3 a)
{
    float c00 = a.yy * a.zz - a.yz * a.yz;
    float c01 = a.xz * a.yz - a.xy * a.zz;
    float c02 = a.xy * a.yz - a.xz * a.yy;
    float scale = 1.0f / (a.xx * c00 + a.xy * c01 + a.xz * c02);
    return (sym3){c00 * scale,
                  c01 * scale,
                  c02 * scale,
                  (a.xx * a.zz - a.xz * a.xz) * scale,
                  (a.xy * a.xz - a.xx * a.yz) * scale,
                  (a.xx * a.yy - a.xy * a.xy) * scale};
}

#endif
