// The skin in the order and form in which the kernels read it, and what they write.

#ifndef PLIANT_SOLVE_SKIN_H
#define PLIANT_SOLVE_SKIN_H

#include <pliant/model.h>

#include "math/quat.h"

enum {
    SKIN_BATCH = 8, // vertices side by side
    SKIN_PALETTE =
        256, // particles that a block hangs on, at most: fit on a small stack and in a cache
    SKIN_STRIDE = 64, // bytes from the transform of one to that of the next
};

// Eight vertices in their order. The last batch is filled up with the last vertex.
typedef struct skin_batch {
    float position[3][SKIN_BATCH]; // from the bind position of the reference particle
    float normal[3][SKIN_BATCH];
    float weights[PLIANT_MAX_LINKS][SKIN_BATCH];
    uint16_t links[PLIANT_MAX_LINKS]
                  [SKIN_BATCH]; // SKIN_STRIDE · place in the palette; unused: as the first
} skin_batch;

// Consecutive batches that share a palette of particles.
typedef struct skin_block {
    int32_t first_batch, batch_count;
    int32_t first_particle,
        particle_count; // into palette; a multiple of SKIN_BATCH, the last one repeated
} skin_block;

typedef struct skin_data {
    // All transforms are relative to this particle, in the middle of the body: the numbers are small
    // wherever the body is, and equal vertices stay equal whichever block they are in.
    int32_t reference;
    skin_batch *batches;
    skin_block *blocks;
    int32_t *palette;
    int block_count, block_capacity;
    int palette_count, palette_capacity;
} skin_data;

typedef struct skin_task {
    const skin_data *skin;
    const pliant_particle_def *bind;
    const vec3 *x; // of the body's particles
    const quat *turn;
    const vec3 *x_before; // and where they were a step before, or NULL when `blend` is 1
    const quat *turn_before;
    float blend; // from there to where they are
    vec3 origin; // where the reference particle is drawn
    int vertex_count;
    vec3 *positions, *normals; // normals may be NULL
} skin_task;

#endif
