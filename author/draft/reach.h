// How far particles reach.

#ifndef PLIANT_AUTHOR_DRAFT_REACH_H
#define PLIANT_AUTHOR_DRAFT_REACH_H

#include "math/quat.h"

#include <pliant/model.h>

// How far an ellipsoid reaches in a direction of unit length.
static inline float reach_of(const pliant_particle_def *particle, vec3 direction)
{
    vec3 own = quat_rotate(quat_conjugate(particle->orientation), direction);
    vec3 r = particle->radii;
    vec3 scaled = {own.x * r.x, own.y * r.y, own.z * r.z};
    return vec3_length(scaled);
}

#endif
