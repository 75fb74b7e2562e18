// One body's arrays as the group solvers see them, so that member indices are the model's.

#ifndef PLIANT_SOLVE_GROUPS_H
#define PLIANT_SOLVE_GROUPS_H

#include "constraints.h"
#include "math/quat.h"
#include "particles.h"

// Batches of implicit groups at the start of the substep (prepare_groups), one lane for each group.
typedef struct batch_start {
    float places[3][3][LANES];       // B_t = Σ w s oᵀ
    float per_momentum[3][3][LANES]; // H⁻¹ (family/groups.c); 0 where H is not safely definite
    float centre[3][LANES];          // of mass, from the first member
    float limit2[LANES];             // m², square of what rounding makes of a place
} batch_start;

// Where the members in a row of slots are then: of implicit groups from their first members, whose own row is not used,
// of explicit ones from their centres of mass.
typedef struct arm_row {
    float x[LANES], y[LANES], z[LANES];
} arm_row;

// How elastic groups of a batch are held (world/elastic_groups.c), in the frame of the principal axes of S = Σ w o oᵀ. Of groups
// that are not elastic, and across thin ones, all but the axes is 0.
typedef struct elastic_row {
    float axes[3][3][LANES]; // V, a column for each
    float inverse[3][LANES]; // 1/m²: 1/λ of the squares S = V diag(λ) Vᵀ
    float relax[3][3]
               [LANES]; // parts of the strain's entries that an iteration removes, against alpha
    float normal[3][LANES]; // of a sheet, at rest, …
    float pliable[LANES];   // … and the part of a correction along it that is left out
} elastic_row;

typedef struct group_span {
    const group *groups;
    const batch *batches; // of implicit ones, and where their slots stand
    const group_rows *group_rows;
    const int32_t *slot_offsets; // SLOT_STRIDE · the particle in each slot
    bool has_dents;              // some groups may be loose
    const rest *rest;
    const quat *rest_turn; // p, NULL when it is 1 for all
    const vec3 *start;
    particle_move *move;
    const quat *turn_start;
    quat *turn;
    const float *alpha;
    const float *loose;
    const elastic_row *elastic; // of batches; NULL when no group is elastic, …
    const share_row *shares;    // … of rows
    batch_start *batch_starts;
    arm_row *arms;
    // Where implicit groups have these two: so many batches and rows from their own place on (wave.c).
    int32_t batch_shift, row_shift;
    mat3 *start_moment; // of explicit groups
    float *start_limit2;
    bool has_pins;
    bool is_far; // not in a cache near the processor: has to be asked for ahead of time
} group_span;

// The particle in slot k of a group.
static inline int32_t span_member(const group_span *b, const group *g, int k)
{
    return slot_particle(b->slot_offsets, group_slot(g, k));
}

#endif
