// One body's edges as their kernels see them, so that particle indices are the model's.

#ifndef PLIANT_SOLVE_EDGES_H
#define PLIANT_SOLVE_EDGES_H

#include "constraints.h"
#include "math/quat.h"
#include "particles.h"

typedef struct edge_span {
    const edge *edges;
    const batch *batches;
    const rest_edge *rest;
    const quat *twists;    // at rest, NULL when there is none
    const quat *rest_turn; // p, NULL when it is 1 for all
    const vec3 *start;
    particle_move *move;
    quat *turn;
    const float *stretch_alpha, *torsion_alpha;
    bool has_limits;  // some have a longest length
    bool limits_only; // nothing else is held
} edge_span;

// Along the line of the start alone the many edges of a chain may gain a little energy; so little of the
// present line lets them lose a little.
#define PRESENT_PART 0.05f

// Velocities are chords: along the line of the start, what turns by an angle of φ within a substep gains φ²/4 of its energy
// when it begins to. Beyond a quarter of a radian, which is this cosine, corrections are along the present line.
#define START_COSINE 0.97f

// Lengths below this part of the rest length have no direction.
#define COLLAPSED_LENGTH 1e-6f

#endif
