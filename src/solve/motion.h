// What the kernels of damping work on: see damping.c.

#ifndef PLIANT_SOLVE_MOTION_H
#define PLIANT_SOLVE_MOTION_H

#include <pliant/model.h>

#include "math/mat3.h"
#include "math/quat.h"

// One body's particles, about its origin of this substep.
typedef struct motion_span {
    const vec3 *start;
    vec3 *v, *spin;
    const quat *turn;
    const sym3 *moments; // m², second moments per mass at rest
    const pliant_particle_def *particles;
    const bool *is_rigid; // else a particle's own spin follows those around it and carries nothing
    const uint8_t *pinned;
    float inverse_mass; // 1/kg, of the whole body
    int count;
} motion_span;

// The body as one rigid thing.
typedef struct rigid_motion {
    vec3 centre, velocity;
    vec3 spin;    // of the particles about the centre, and of what is rigid among them about itself
    vec3 turning; // with all particles' own spins, too
} rigid_motion;

#endif
