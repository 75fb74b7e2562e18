// Support points of ellipsoids (paper 2011, appendix A.1).
//
// An ellipsoid is its shape matrix S̄ = R̄ diag(a², b², c²) R̄ᵀ at rest and the rotation R from rest. Its
// inverse, which the paper uses, is never formed.

#ifndef PLIANT_COLLIDE_ELLIPSOID_H
#define PLIANT_COLLIDE_ELLIPSOID_H

#include "math/mat3.h"

// Half the ellipsoid's width along the unit normal n: sqrt(nᵀ S n). *arm gets the point furthest
// against n, relative to the centre: where a plane with that outward normal touches first.
static inline float ellipsoid_support(sym3 shape, const mat3 *R, vec3 n, vec3 *arm)
{
    vec3 u = mat3_transpose_mul_vec(R, n);
    vec3 s = sym3_mul_vec(shape, u);
    float height = square_root(vec3_dot(u, s));
    *arm = vec3_scale(mat3_mul_vec(R, s), -1.0f / height);
    return height;
}

#endif
