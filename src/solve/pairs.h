// Pairs of soft particles as the kernels see them: eight to a batch, none of which shares a particle with
// another batch of its colour.
//
// For the time of a substep the place where two ellipsoids meet is a plane between them: with the contact
// normal m at their predicted places they are apart while m·between >= H, the sum of their half widths along
// m. Errors of m enter that squared. Neither m nor H changes within the substep, and only the centres count, not how the
// particles turn: what is pushed are points, and a push of points that a plane asks for cannot add energy. Overlap that
// comes from turning is there when the next substep begins, as old overlap. A push is along m or, where that is nearly the
// same, along the line of the centres, which keeps angular momentum.

#ifndef PLIANT_SOLVE_PAIRS_H
#define PLIANT_SOLVE_PAIRS_H

#include <stdbool.h>

#include "broad_grid.h"
#include "math/quat.h"

enum { PAIR_LANES = 8 };

// How the touching distance of two ellipsoids is found (form/ellipsoid_pair.h).
enum { ELLIPSOID_STEP_LIMIT = 8 };

// A Newton step this small leaves an error of its square and is the last. Counting instead, 2 steps for
// aspect ratios up to 2 and else 4, left 1.1e-5 and 7e-4 rad for pairs of unequal size.
#define ELLIPSOID_LAST_STEP 1e-3f
// For planes that keep two particles apart for the time of a substep, mostly one step is enough: it leaves 3e-4 rad at
// aspect ratio 2 and 3e-3 at 10, which enter the distance squared.
#define ELLIPSOID_LAST_STEP_OF_PLANES 0.1f
// The line of two ellipsoids whose centres coincide: along which both together are thinnest.
vec3 pli_thinnest_line(sym3 S1, sym3 S2);

// Nearer than this part of their radii two particles are watched: the solver may bring them together.
#define PAIR_MARGIN 0.06f

// Two particles that overlap by more than this part of their widths are deep in each other: contact alone never
// leaves them so.
#define DEEP_OVERLAP 0.1f

// A particle's ellipsoid in world axes: 32 bytes, half a line of the cache.
typedef struct particle_form {
    sym3 shape;     // R diag(a², b², c²) Rᵀ as the substep starts
    float largest;  // m, radius
    float thinnest; // m, radius; its sign is set when pairs of this particle are solved one by one
} particle_form;

// Where a particle comes to in a substep, with what it takes to tell whether it meets another there: one line
// of the cache.
typedef struct pair_end {
    vec3 place;  // predicted, from the origin
    float reach; // m, up to which others are watched
    vec3 way;    // m, to there
    float thin;  // m; two that move further against each other than both together are fast
    vec3 origin; // of the body
    int32_t body;
    uint64_t excluded; // bit i: it never touches the particle 1 + i after it
    uint32_t flags;
    uint32_t unused; // written with the flags
} pair_end;

// What pairs need to know of a body.
typedef struct body_frame {
    vec3 origin;
    float friction;
    vec3 drift;
    float unused; // read with the drift
} body_frame;

typedef struct pair_scene {
    struct particle_move *move; // {way, inverse mass} of each particle, see particles.h
    const particle_form *form;
    const vec3 *start;
    vec3 *v; // only when pairs settle
    const int32_t *owner;
    const body_frame *frame; // by slot
    float h;                 // s, of the substep
    float push_out;          // m of an old overlap that a substep may push out
    float push_part;         // of what a pair needs, in this iteration
} pair_scene;

// How two particles that meet in a substep are solved.
typedef enum pair_kind {
    PAIR_SOFT,   // in a batch
    PAIR_NEAR,   // the same, of those that do not touch as predicted
    PAIR_FAST,   // the same, of those that move so far that they are stopped where they first touch
    PAIR_SINGLE, // alone: of rigid answer or on a surface, or it may bounce
    PAIR_KINDS
} pair_kind;

// Pairs that were found carry their kind with their second particle, which leaves them in order.
static inline particle_pair found_pair(int32_t a, int32_t b, int32_t kind)
{
    return (particle_pair){a, b * PAIR_KINDS + kind};
}

static inline int32_t found_second(particle_pair found)
{
    return found.b / PAIR_KINDS;
}

static inline pair_kind found_kind(particle_pair found)
{
    return (pair_kind)(found.b % PAIR_KINDS);
}

// What tells which pairs meet, and how.
typedef struct meeting_scene {
    const pair_end *ends;
    const particle_form *form;
    bool has_bounces;    // some bodies bounce
    float bounce_square; // m², of the way beyond which a pair of them may
} meeting_scene;

typedef struct lanes3 {
    float x[PAIR_LANES], y[PAIR_LANES], z[PAIR_LANES];
} lanes3;

// Twelve lines of a cache. What is read on its own, when pairs are placed, settled and noted, comes first.
typedef struct pair_batch {
    // Particles. Where there are fewer pairs than lanes, copies of the last fill up (see group_rows).
    _Alignas(64) int32_t a[PAIR_LANES];
    int32_t b[PAIR_LANES];
    float normal_impulse[PAIR_LANES]; // kg m, >= 0
    float start_depth[PAIR_LANES];    // m, overlap that was there before the substep
    float approach[PAIR_LANES];       // m/s, towards each other before the substep
    int32_t count;                    // lanes in use
    _Alignas(32) lanes3 between; // from a to b before either has moved on from the predicted drift
    lanes3 plane;                // m
    float width[PAIR_LANES];     // m, H as the substep starts
    float reach[PAIR_LANES];     // m², of both together: who is further apart does not touch
    float slack[PAIR_LANES];     // m: overlap that may stay in this substep
    float mass[PAIR_LANES];      // kg, of both as they answer a push
    float friction[PAIR_LANES];  // coefficient
    lanes3 drift;                // of b's body less that of a's
    lanes3 friction_impulse;     // on a
} pair_batch;

_Static_assert(sizeof(pair_batch) == 12 * 64, "no line is read for nothing");

#endif
