// Ellipsoids: support points (paper 2011, appendix A.1), rays and nearest points.
//
// An ellipsoid is its shape matrix S̄ = R̄ diag(a², b², c²) R̄ᵀ at rest and the rotation R from rest. Its
// inverse, which the paper uses, is never formed for support points.

#ifndef PLIANT_FORM_ELLIPSOID_H
#define PLIANT_FORM_ELLIPSOID_H

#include "math/mat3.h"
#include "shape.h"

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

// The second moment per unit of mass, about the centre, of an ellipsoid that is filled evenly:
// ∫ x xᵀ dm / m = S / 5, m².
static inline sym3 ellipsoid_moment(sym3 S)
{
    return sym3_scale(S, 0.2f);
}

// As pli_shape_ray and pli_shape_closest, of the ellipsoid S about the origin.
bool pli_ellipsoid_ray(sym3 S, vec3 origin, vec3 direction, float length, form_hit *out);
bool pli_ellipsoid_closest(sym3 S, vec3 from, float most, form_hit *out);

#endif
