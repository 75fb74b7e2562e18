// One body's arrays as the group solvers see them, so that member indices are the model's.

#ifndef PLIANT_WORLD_GROUPS_H
#define PLIANT_WORLD_GROUPS_H

#include "world.h"

typedef struct group_span {
    const pliant_model *model;
    const rest *rest;
    const quat *rest_turn; // p, NULL when it is 1 for all
    const vec3 *start;
    particle_move *move;
    const quat *turn_start;
    quat *turn;
    const float *alpha;
    const float *loose;
    batch_start *batch_starts;
    arm_row *arms;
    // Where implicit groups have these two: so many batches and rows from their own place on (wave.c).
    int32_t batch_shift, row_shift;
    mat3 *start_moment; // of explicit groups
    float *start_limit2;
    bool has_pins;
    bool is_far; // not in a cache near the processor: has to be asked for ahead of time
} group_span;

group_span pliant_group_span(const pliant_world *world, const body *b);

// What the batches of a block need.
typedef struct block_extent {
    int32_t first_batch, batch_count;
    int32_t first_row, row_count;
} block_extent;

block_extent pliant_block_extent(const pliant_model *model, int block);

// Groups [first, end) of a model.
void pliant_groups_scale(pliant_world *world, const body *b, int first, int end, float h,
                         int iterations);
bool pliant_groups_are_soft(const pliant_model *model, int first, int end);

#endif
