// Friction as one impulse at the contact.
//
// Unlike the velocity blends of the paper (Eqs. 16–21), which create energy for unequal masses and
// brake a rolling ball, one impulse J on one side and -J on the other keeps linear and angular
// momentum and never adds energy, for every shape and mass ratio.

#ifndef PLIANT_COLLIDE_FRICTION_H
#define PLIANT_COLLIDE_FRICTION_H

#include "math/mat3.h"

// One party of a contact. All zero is a thing that cannot be moved.
typedef struct contact_side {
    float inverse_mass;
    mat3 inverse_inertia; // world axes
    vec3 arm;             // from the centre of mass to the contact
} contact_side;

// How easily an impulse along the unit vector t moves the contact: w + (r×t)ᵀ I⁻¹ (r×t)
static inline float contact_mobility(const contact_side *side, vec3 t)
{
    vec3 lever = vec3_cross(side->arm, t);
    return side->inverse_mass + vec3_dot(lever, mat3_mul_vec(&side->inverse_inertia, lever));
}

// The impulse on `one` (its negative acts on `two`) that removes the part `strength` of the slip: the
// motion of one's contact point relative to two's. The unit normal's share of it is ignored. Works on
// velocities (N s) and displacements (kg m) alike.
static inline vec3 friction_impulse(vec3 slip, vec3 normal, const contact_side *one,
                                    const contact_side *two, float strength)
{
    vec3 tangential = vec3_add_scaled(slip, normal, -vec3_dot(normal, slip));
    float length = vec3_length(tangential);
    if (length < 1e-9f)
        return (vec3){0, 0, 0};
    vec3 t = vec3_scale(tangential, 1.0f / length);
    float mobility = contact_mobility(one, t) + contact_mobility(two, t);
    if (!(mobility > 0.0f))
        return (vec3){0, 0, 0};
    return vec3_scale(t, -strength * length / mobility);
}

#endif
