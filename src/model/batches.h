// Constraints in the order in which they are solved: block by block, eight side by side where they share no
// particle.

#ifndef PLIANT_MODEL_BATCHES_H
#define PLIANT_MODEL_BATCHES_H

#include "model.h"

// Constraint i touches particles[start[i]] … particles[start[i + 1] - 1] and belongs to block block_of[i]. Those
// that are special are batched among themselves but for one batch of each colour.
typedef struct constraint_list {
    const int32_t *start;
    const int32_t *particles;
    const int32_t *block_of;
    const bool *is_special; // may be NULL: none is
    int count;
} constraint_list;

// Fills order[] with the constraints in the order of their batches. Returns false when memory runs out; what
// there is in `out` is the caller's to free.
bool pli_batch_constraints(batching *out, int32_t *order, const constraint_list *list,
                           int block_count, int particle_count, const pliant_allocator *allocator);
void pli_batching_free(batching *b, const pliant_allocator *allocator);

// Cuts the particles into blocks that lie close together: fills block_of and returns how many there are; 0 when
// memory runs out.
int pli_cut_blocks(int32_t *block_of, const elements *e, const pliant_allocator *allocator);

// Puts the blocks of a model that has its batches into an order by colour. Returns false when memory runs out.
bool pli_colour_blocks(pliant_model *model);

#endif
