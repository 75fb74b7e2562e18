// Implicit groups of an elastic material, in a body.

#ifndef PLIANT_WORLD_ELASTIC_GROUPS_H
#define PLIANT_WORLD_ELASTIC_GROUPS_H

#include "world.h"

void pli_elastic_scale(pliant_world *world, body *b, float h, int iterations);

// After the rest shape of a group has changed.
void pli_elastic_follow(pliant_world *world, const body *b, int index);

#endif
