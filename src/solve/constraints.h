// Groups and edges as the solver stores them: plain data, eight side by side.

#ifndef PLIANT_SOLVE_CONSTRAINTS_H
#define PLIANT_SOLVE_CONSTRAINTS_H

#include <stdbool.h>
#include <stdint.h>

#include "math/mat3.h"

// How many constraints stand side by side.
enum { LANES = 8 };
// From one particle's move or turn to the next one's, in bytes: slots name particles by it, so that reaching them
// takes no multiplication.
enum { SLOT_STRIDE = 16 };

// A shape matching group. Its slots list the members in this order: those whose orientation counts in
// the fit, those that only receive the fitted rotation, the rest. An implicit group's first slot is
// its centre, the only one that is turned.
//
// Slots stand in rows of eight. The members of an explicit group fill rows one after another. Of implicit
// groups eight stand side by side, member k of each in row k: so the slots of one are LANES apart.
//
// The implicit group of a particle in an explicit group that can be dented stands in for that group while it
// is loose, and rests otherwise.
typedef struct group {
    int32_t source; // the explicit group as it was given, or the particle at the centre
    int32_t first_slot, slot_count;
    int32_t slot_room;      // slots that its batch's rows give it: see group_rows
    int32_t stride;         // from one slot to the next
    int32_t first_spread;   // of the oriented ones, which lie side by side
    int32_t oriented_count; // leading slots whose own moment A_i enters the fit
    int32_t turned_count;   // leading slots that get the rotation
    float rate;             // 1/s², the material constant k of the stiffness law; < 0 means rigid
    bool stands_in;
    float dent_speed;               // m/s, 0: never
    float yield_strain, creep_rate; // creep_rate 0: never
} group;

// Constraints that share no particle, one to a lane.
typedef struct batch {
    int32_t first, count; // constraints side by side
    int32_t together;     // batches, from this one on, that share no particle either
} batch;

// Where the slots of a batch of implicit groups stand. Lanes without a group repeat the members of the last, slots
// beyond a group's own its centre, with the centre's offset; both have no weight. What they write is the same, or
// written before what is right: so a copy of a lane has to be in one register with its original, be it eight or four
// lanes wide.
typedef struct group_rows {
    int32_t first, count;
    int32_t in_half[2]; // so many of them are enough for lanes 0 to 3, and 4 to 7
} group_rows;

typedef struct edge {
    int32_t a, b;
    float stretch_rate;             // 1/s², < 0 means rigid, 0 means none
    float torsion_rate;             // likewise
    float longest;                  // in lengths at rest, 0: any
    bool twist_only;                // both ends are chain particles
    bool is_chained;                // its length is held with others' (family/chains.c)
    float yield_strain, creep_rate; // of what it holds; creep_rate 0: never
} edge;

static inline bool can_twist_creep(const edge *e)
{
    return e->torsion_rate != 0.0f && e->creep_rate > 0.0f;
}

// Groups of chains are thin: they have at least so much rotation noise (rest.c). It is 7e-7 for a cube, 8e-7 for a
// flat square.
#define THIN_GROUP_NOISE 1.3e-6f

// What holds at rest: fit weights, rest offsets, lengths. A body shares its model's until one of its
// particles is pinned or freed; then it gets its own. One of a plastic model has its own from the start.
typedef struct slot_row {
    float x[LANES], y[LANES], z[LANES]; // o_i = x̄_i - c̄, model axes
    float weight[LANES];                // μ_i / Σ μ
} slot_row;

typedef struct spread_row {
    float xx[LANES], xy[LANES], xz[LANES], yy[LANES], yz[LANES], zz[LANES];
} spread_row;

// How members of elastic groups count, each in its slot: see model/elastic.c. 1 elsewhere.
typedef struct share_row {
    float share[LANES];
} share_row;

// How an elastic group extends about its centre of mass: Σ w o oᵀ.
typedef struct elastic_layout {
    vec3 axes[3];
    float squares[3]; // m², falling
    float weight;     // kg, of its members' masses times their shares
    bool is_clamped;  // it is thin, and about a pinned particle
} elastic_layout;

typedef struct rest_edge {
    float length;             // m
    vec3 direction;           // unit, from a to b
    float inverse_inertia[2]; // of a and b, about the edge (twist) or their mean (full), 1/(kg m²)
} rest_edge;

typedef struct rest {
    slot_row *rows; // of the slots of all groups
    spread_row
        *spreads; // of oriented slots: weight · Ā_i / m_i; of an implicit group's centre also zero
    float *rotation_noise; // per group: rad, how uncertain a fitted rotation is by rounding alone
    float *reach;     // per group: m, how far members are from the first, and from their centre
    bool *is_movable; // per group: false when all members are pinned
    rest_edge *edges; // one per edge
    elastic_layout *layouts; // per implicit group; NULL when none is elastic
    quat *twists;            // per edge: of b against a, where twist creeps
} rest;

// Slot k of a group, and the particle in it.
static inline int32_t group_slot(const group *g, int k)
{
    return g->first_slot + k * g->stride;
}

static inline int32_t slot_particle(const int32_t *slot_offsets, int32_t slot)
{
    return slot_offsets[slot] / SLOT_STRIDE;
}

static inline float *member_share(share_row *rows, int32_t slot)
{
    return &rows[slot / LANES].share[slot % LANES];
}

static inline vec3 rest_offset(const rest *r, int32_t slot)
{
    const slot_row *row = &r->rows[slot / LANES];
    int lane = slot % LANES;
    return (vec3){row->x[lane], row->y[lane], row->z[lane]};
}

static inline void set_rest_offset(rest *r, int32_t slot, vec3 offset)
{
    slot_row *row = &r->rows[slot / LANES];
    int lane = slot % LANES;
    row->x[lane] = offset.x;
    row->y[lane] = offset.y;
    row->z[lane] = offset.z;
}

static inline float *rest_weight(const rest *r, int32_t slot)
{
    return &r->rows[slot / LANES].weight[slot % LANES];
}

// Of oriented slot k of a group.
static inline sym3 rest_spread(const rest *r, const group *g, int k)
{
    const spread_row *row = &r->spreads[(g->first_spread + k) / LANES];
    int lane = (g->first_spread + k) % LANES;
    return (sym3){row->xx[lane], row->xy[lane], row->xz[lane],
                  row->yy[lane], row->yz[lane], row->zz[lane]};
}

static inline void set_rest_spread(rest *r, const group *g, int k, sym3 spread)
{
    spread_row *row = &r->spreads[(g->first_spread + k) / LANES];
    int lane = (g->first_spread + k) % LANES;
    row->xx[lane] = spread.xx;
    row->xy[lane] = spread.xy;
    row->xz[lane] = spread.xz;
    row->yy[lane] = spread.yy;
    row->yz[lane] = spread.yz;
    row->zz[lane] = spread.zz;
}

#endif
