// What the kernels of contact with colliders work on: see contacts.c.

#ifndef PLIANT_WORLD_CONTACTS_H
#define PLIANT_WORLD_CONTACTS_H

#include "world.h"

// One body's arrays, so that particle indices are the model's.
typedef struct contact_span {
    const sym3 *shapes;
    const pliant_particle_def *particles;
    int particle_count;
    const vec3 *start;
    particle_move *move;
    const quat *turn_start;
    const quat *turn;
    const vec3 *v;
    const uint8_t *pinned;
    contact *contacts;
    contact_batch *batches;
    int32_t particle_first;
    vec3 origin, drift;
    float plane_reach;
    float h;
} contact_span;

// A plane as a body sees it in this substep: offsets are from the body's origin, which drifts.
typedef struct plane_span {
    int32_t collider; // slot
    float friction;   // of both together
    vec3 start_normal, normal;
    float start_offset, offset;
    bool moves;
    quat start_turn, turn; // of one that moves
    vec3 from_solid;       // from its place at the end to the body's origin
    vec3 way;              // of its place
} plane_span;

// Gaps of eight contacts, before the substep and as predicted, < 0 where there is overlap.
typedef struct contact_gaps {
    float start[LANES], end[LANES];
} contact_gaps;

// Particles nearer to a plane than this many of their sizes are watched: the trace bounds the support height,
// and a quarter as much again leaves room for what the solver does.
#define PLANE_REACH 1.25f

// Slips shorter than this, in m, are none.
#define SHORTEST_SLIP 1e-9f

#endif
