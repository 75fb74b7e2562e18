// Torsion of one edge: what fast/edges.inl does side by side.

#ifndef PLIANT_TESTS_REFERENCE_TORSION_H
#define PLIANT_TESTS_REFERENCE_TORSION_H

#include "math/quat.h"

// Both turn two rotations-from-rest d1, d2 towards each other by the part `alpha`, shared by the
// inverse inertias w1, w2 (their sum > 0), both from the old values so that Σ I φ = 0. The twist form
// removes only the rotation about the unit rest edge `axis` and leaves bending alone.

// The relative twist of two turns about the rest edge: 2 atan2(r·ē, r.w) of r = d1⁻¹ d2.
static inline float relative_twist(quat d1, quat d2, vec3 axis)
{
    quat r = quat_mul(quat_conjugate(d1), d2);
    if (r.w < 0.0f)
        r = quat_scale(r, -1.0f);
    return 2.0f * trig_atan2(r.x * axis.x + r.y * axis.y + r.z * axis.z, r.w);
}

static inline void torsion_twist_only(quat *d1, quat *d2, float w1, float w2, vec3 axis,
                                      float alpha)
{
    float twist = alpha * relative_twist(*d1, *d2, axis) / (w1 + w2);
    vec3 axis1 = quat_rotate(*d1, axis), axis2 = quat_rotate(*d2, axis);
    *d1 = quat_turn(*d1, vec3_scale(axis1, twist * w1));
    *d2 = quat_turn(*d2, vec3_scale(axis2, -twist * w2));
}

static inline void torsion_full(quat *d1, quat *d2, float w1, float w2, float alpha)
{
    vec3 phi = vec3_scale(quat_difference(*d2, *d1), alpha / (w1 + w2));
    *d1 = quat_turn(*d1, vec3_scale(phi, w1));
    *d2 = quat_turn(*d2, vec3_scale(phi, -w2));
}

#endif
