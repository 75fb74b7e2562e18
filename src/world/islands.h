// Bodies that push each other or are attached: each island is a tree whose root stands for it.

#ifndef PLIANT_WORLD_ISLANDS_H
#define PLIANT_WORLD_ISLANDS_H

#include "world.h"

// Each body is one of its own; two become one.
void pli_begin_islands(pliant_world *world);
void pli_join_islands(pliant_world *world, int32_t a, int32_t b);
// By all that has touched in this step so far.
void pli_find_islands(pliant_world *world);

// The slot of its root, the lowest of an island.
int32_t pli_island_of(const pliant_world *world, int32_t slot);

#endif
