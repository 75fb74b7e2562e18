// Ways along a surface from what is pinned, for tethers that nobody has to place.

#ifndef PLIANT_MODEL_SURFACE_WAYS_H
#define PLIANT_MODEL_SURFACE_WAYS_H

#include "derivation.h"

// From each particle to the nearest of the pinned ones, and to the nearest of another cluster of them.
enum { WAYS_PER_PARTICLE = 2 };

typedef struct surface_way {
    float length;   // m, at rest
    int32_t anchor; // particle, -1: there is no such way
    int32_t links;  // that it leads along
} surface_way;

// Fills WAYS_PER_PARTICLE ways for each particle: along links between particles of `is_in`. False when memory runs out.
bool pli_find_surface_ways(const derivation *d, const bool *is_in, surface_way *ways);

#endif
