// One body's particles as their kernels see them, and what is the same for all of them in a substep.

#ifndef PLIANT_WORLD_PARTICLES_H
#define PLIANT_WORLD_PARTICLES_H

#include "world.h"

typedef struct particle_span {
    vec3 *x, *x_low, *v, *spin;
    const vec3 *force; // NULL when there is none
    quat *turn;
    const quat *turn_start;
    particle_move *move;
    const bool *turns_freely; // NULL when none does: those spin as world/predict.c says
    vec3 *v_predicted;
    const vec3 *v_start; // NULL but in a partial substep
    float h, inverse_h;
    float time, part;                // that passes of it, see substep
    float keep_linear, keep_angular; // parts of the velocities that damping leaves (start)
    vec3 gravity;                    // m/s²
    vec3 acceleration;               // by that and the body's force
    vec3 drift;
} particle_span;

// J, that particles are given: see ledger.c.
typedef struct particle_gifts {
    double given, lifted;
    double motion; // of their velocities
} particle_gifts;

particle_span pliant_particle_span(const substep *s, const body *b);

// m/s; what is faster is slowed down to this, and told.
#define LARGEST_SPEED 1e4f

// A velocity that is not faster. Also one whose square is beyond float32.
static inline vec3 limited_speed(vec3 v)
{
    if (!(vec3_dot(v, v) > LARGEST_SPEED * LARGEST_SPEED))
        return v;
    float most = maximum(absolute(v.x), maximum(absolute(v.y), absolute(v.z)));
    vec3 part = vec3_scale(v, 1.0f / most);
    return vec3_scale(part, LARGEST_SPEED / vec3_length(part));
}

// Beyond this angle per substep the shorter arc would read the spin backwards.
#define LARGEST_TURN 2.8f

#endif
