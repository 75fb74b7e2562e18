// One body's particles as their kernels see them, and what is the same for all of them in a substep.

#ifndef PLIANT_SOLVE_PARTICLES_H
#define PLIANT_SOLVE_PARTICLES_H

#include <stdbool.h>

#include "math/mat3.h"
#include "math/quat.h"

// What the solver changes of a particle's place, and how easily: 16 bytes, one load.
typedef struct particle_move {
    vec3 way;           // m in this substep, less the body's drift
    float inverse_mass; // 1/kg, 0 when pinned
} particle_move;

// m, the radii of the spheres about a particle's centre that hold its form, and that its form holds.
typedef struct form_size {
    float largest, thinnest;
} form_size;

typedef struct particle_span {
    vec3 *x, *x_low, *v, *spin;
    const vec3 *force; // NULL when there is none
    quat *turn;
    const quat *turn_start;
    particle_move *move;
    const bool *turns_freely; // NULL when none does: those spin as world/predict.c says
    const sym3 *moments;      // from the bind orientation; NULL where all are round
    vec3 *v_predicted;
    const vec3 *v_start; // NULL but in a partial substep
    float h, inverse_h;
    float time, part;                // that passes of it, of the substep's length h
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

// A particle that turns by more in a substep is predicted to keep its spin, not the angular momentum of that.
#define LARGEST_PRECESSING_TURN 0.5f
// A rotation by less, rad, is rounding.
#define LEAST_PRECESSION 1e-9f

// Of a place, relative to the numbers that it was made of. Corrections below it carry no information.
#define PLACE_ROUNDING 2.5e-7f

// From a particle's rotation from the bind orientation to that from rest, and back. `rest_turn` is NULL for a
// body that dents do not turn.
static inline quat turn_from_rest(quat turn, const quat *rest_turn, int32_t particle)
{
    return rest_turn ? quat_mul(turn, quat_conjugate(rest_turn[particle])) : turn;
}

static inline quat turn_from_bind(quat turn, const quat *rest_turn, int32_t particle)
{
    return rest_turn ? quat_normalize(quat_mul(turn, rest_turn[particle])) : turn;
}

#endif
