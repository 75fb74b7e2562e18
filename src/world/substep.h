// The substep that is being made, and the stages of it that concern one body.

#ifndef PLIANT_WORLD_SUBSTEP_H
#define PLIANT_WORLD_SUBSTEP_H

#include "world.h"

#include "solve/edges.h"
#include "solve/groups.h"
#include "solve/particles.h"

// What the stages need to know about the current substep.
typedef struct substep {
    pliant_world *world;
    float h;          // s, for which it is solved
    float time;       // s, that pass in it: h, but in a partial substep (partial.c)
    float part;       // time / h
    int iterations;   // solver passes
    int iteration;    // … of which this is the number
    bool has_bounces; // something has restitution
    int count;        // substeps of this step
    int remaining;    // … of which so many are left, this one included
    double began;     // s by the world's clock, when the step began
    double clocked;   // … and when the time was last taken
} substep;

static inline bool is_partial(const substep *s)
{
    return s->part != 1.0f;
}

// The stages of one body's substep, each in a file of its own.
void pli_start(const substep *s, body *b);
void pli_predict(const substep *s, body *b);
// One body's arrays as the kernels see them, so that particle indices are the model's.
particle_span pli_particle_span(const substep *s, const body *b);
group_span pli_group_span(const pliant_world *world, const body *b);
edge_span pli_edge_span(const pliant_world *world, const body *b);
// Called by pli_start, when it is known where everything is.
void pli_damp_deformation(const substep *s, const body *b);
// The box around the ways of a body's particles.
void pli_bound_body(const pliant_world *world, body *b);
void pli_update_velocities(const substep *s, const body *b);
// Of a partial substep only that part of what was solved happens. All bodies, when everything has settled.
void pli_take_part(substep *s);

// What the batches of a block need.
typedef struct block_extent {
    int32_t first_batch, batch_count;
    int32_t first_row, row_count;
} block_extent;

block_extent pli_block_extent(const pliant_model *model, int block);
// All iterations at once; false when it is not a body for that.
bool pli_solve_in_wave(const substep *s, body *b);

#endif
