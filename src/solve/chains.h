// Chains as the solver stores them, and as they stand in a substep: see family/chains.c.

#ifndef PLIANT_SOLVE_CHAINS_H
#define PLIANT_SOLVE_CHAINS_H

#include "constraints.h"
#include "math/twin.h"
#include "particles.h"

// Two particles of a chain that are equally far from its middle, with the edges that lead to them from there. A row of one
// repeats it.
typedef struct chain_row {
    int32_t particle[TWIN];
    int32_t parent[TWIN]; // row · TWIN + lane, of the model's rows
    int32_t edge[TWIN];   // of the model
    int32_t count;
    bool is_straight; // both are full, and their parents are lane by lane those of one row
} chain_row;

// A chain or a tree: parents are in earlier rows than their children. The first row is the particle in the middle, which has
// no parent.
typedef struct chain_tree {
    int32_t first, count; // rows
    float stiffness;      // N, EA: force per strain
} chain_tree;

// What a row's edges pulled with in the last substep: N, never below 0.
typedef struct chain_pull {
    float of[TWIN];
} chain_pull;

// A row in a substep.
typedef struct chain_work {
    double place[3][TWIN];   // as the substep began, from the body's origin
    double start[3][TWIN];   // from its parent to it, then
    double way[3][TWIN];     // as its move, before the chain changes that
    double goal[TWIN];       // m, length at rest
    double per_length[TWIN]; // N per m of excess
    double answer[TWIN];     // 1/kg, inverse mass
    double mass[6][TWIN];    // kg, with which it and all behind it resist
    double push[3][TWIN];    // kg m, that those behind it give
    double line[3][TWIN];    // n: of the edge, from its parent to it
    double across[TWIN];     // kg, τ: what the tension resists across the line
    double inverse[6][TWIN]; // (mass + τ)⁻¹
    double turned[3][TWIN];  // that times n
    double stiff[TWIN];      // kg, with which it all resists along n
    double reply[3][TWIN];   // what the parent's way takes from the edge's pull
    double excess[TWIN];     // m, of length
    double left[TWIN];       // m, of that, which belongs to the tension
    double base
        [3]
        [TWIN]; // m, the way it goes without its edge's pull and its parent's way; then the way it has gone
    double pull[TWIN]; // kg m, of the edge while its parent stays
} chain_work;

// One body's chains as their kernel sees them, so that particle indices are the model's.
typedef struct chain_span {
    const chain_tree *chains;
    const chain_row *rows;
    const edge *edges;
    const rest_edge *rest;
    const quat *rest_turn, *turn; // p is NULL when it is 1 for all
    const vec3 *x, *x_low;
    particle_move *move;
    vec3 origin; // in the body: places relative to it are what rounding is measured by
    chain_work *work;
    chain_pull *pulls;
    float h;
} chain_span;

#define SHORTEST_LINK 1e-6f // m

#endif
