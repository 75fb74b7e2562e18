// Models and shapes that a world knows, by which snapshots bring things back. See known.c.

#ifndef PLIANT_WORLD_KNOWN_H
#define PLIANT_WORLD_KNOWN_H

#include <pliant/world.h>

#include "core/memory.h"

// Models or shapes that a world knows, in the order of their identities: one of each, with a reference (known.c).
typedef struct known_asset {
    uint64_t identity;
    const void *asset;
    bool is_used; // scratch of pliant_world_forget_unused
} known_asset;

typedef struct known_list {
    known_asset *at;
    int count, capacity;
} known_list;

// What snapshots name: the world keeps one of each identity until it is told to forget what is not used. False when memory
// runs out.
bool pli_know_model(pliant_world *world, const pliant_model *model);
bool pli_know_shape(pliant_world *world, const pliant_shape *shape);
// The model with this identity or, without one, a model that moves in the same way; the shape with this fingerprint. NULL
// when the world does not know any.
const pliant_model *pli_known_model(const pliant_world *world, uint64_t identity,
                                    uint64_t fingerprint);
const pliant_shape *pli_known_shape(const pliant_world *world, uint64_t fingerprint);
void pli_free_known(pliant_world *world);

#endif
