// Rotations as unit quaternions: those of pliant/math.h, and what only the library needs.

#ifndef PLIANT_MATH_QUAT_H
#define PLIANT_MATH_QUAT_H

#include "mat3.h"
#include "trig.h"

static inline int quat_is_finite(quat q)
{
    return is_finite(q.x) && is_finite(q.y) && is_finite(q.z) && is_finite(q.w);
}

// R(q) a R(q)ᵀ
static inline sym3 sym3_rotate(sym3 a, quat q)
{
    mat3 R = quat_to_mat3(q);
    mat3 Ra = mat3_mul_sym3(&R, a);
    vec3 r0 = mat3_row(&R, 0), r1 = mat3_row(&R, 1), r2 = mat3_row(&R, 2);
    vec3 a0 = mat3_row(&Ra, 0), a1 = mat3_row(&Ra, 1), a2 = mat3_row(&Ra, 2);
    return (sym3){vec3_dot(a0, r0), vec3_dot(a0, r1), vec3_dot(a0, r2),
                  vec3_dot(a1, r1), vec3_dot(a1, r2), vec3_dot(a2, r2)};
}

#endif
