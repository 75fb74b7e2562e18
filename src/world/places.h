// Where particles are, as the solver sees it.

#ifndef PLIANT_WORLD_PLACES_H
#define PLIANT_WORLD_PLACES_H

#include "world.h"

// a + b without loss: the rounded sum and what was rounded off (Knuth).
static inline float exact_sum(float a, float b, float *low)
{
    float sum = a + b;
    float b_part = sum - a;
    *low = (a - (sum - b_part)) + (b - b_part);
    return sum;
}

// Moves a position kept as the sum of two floats.
static inline void advance_position(vec3 *x, vec3 *low, vec3 move)
{
    x->x = exact_sum(x->x, low->x + move.x, &low->x);
    x->y = exact_sum(x->y, low->y + move.y, &low->y);
    x->z = exact_sum(x->z, low->z + move.z, &low->z);
}

// Changes how far a particle has gone in the substep, when velocities are known.
static inline void go_further(pliant_world *world, int i, vec3 way)
{
    world->move[i].way = vec3_add(world->move[i].way, way);
    advance_position(&world->x[i], &world->x_low[i], way);
}

static inline const body *owner_of(const pliant_world *world, int i)
{
    return &world->bodies[world->owner[i]];
}

// From a's centre to b's. Their bodies' origins and starts are differences of nearby numbers.
static inline vec3 start_between(const pliant_world *world, int a, int b)
{
    vec3 origins = vec3_sub(owner_of(world, b)->origin, owner_of(world, a)->origin);
    return vec3_add(origins, vec3_sub(world->start[b], world->start[a]));
}

// s = 1 - exp(-k h²/n): equally stiff whatever the substep and the iterations.
static inline float alpha_of_rate(float rate, float h, int iterations)
{
    if (rate < 0.0f)
        return 1.0f;
    return trig_one_minus_exp(rate * h * h / (float)iterations);
}

// The same with a body's scale of stiffness. What is rigid stays so, whatever the scale.
static inline float scaled_alpha(float rate, const body *b, float h, int iterations)
{
    return alpha_of_rate(rate < 0.0f ? rate : rate * b->stiffness_scale, h, iterations);
}

// Position relative to the body's drifting origin, as it stands in the solver.
static inline vec3 current_position(const pliant_world *world, int i)
{
    return vec3_add(world->start[i], world->move[i].way);
}

#endif
