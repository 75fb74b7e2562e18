// Which bounding spheres overlap: the broad phase of collision, for spheres of very unequal size.

#ifndef PLIANT_COLLIDE_BROAD_H
#define PLIANT_COLLIDE_BROAD_H

#include "core/memory.h"
#include "math/vec3.h"

typedef struct particle_pair {
    int32_t a, b; // a < b
} particle_pair;

// One sphere in the order of the grid.
typedef struct broad_sphere {
    vec3 centre;
    float radius;
} broad_sphere;

// Scratch memory; all zero is empty. Nothing in it outlives one call of find.
typedef struct broad_phase {
    int capacity;          // how many spheres there is room for
    uint64_t *entries;     // capacity: cell key and index of each sphere, sorted
    uint64_t *spare;       // capacity: the other side of each sorting pass
    broad_sphere *spheres; // capacity: as sorted
    int32_t *directory;    // 4 * capacity and some: the first entry of each cell or group of cells
    struct broad_tables *tables; // of a fixed size: levels, histograms
} broad_phase;

// Makes room for `count` spheres (48 bytes each and about 150 kB). False, leaving
// everything as it was, when memory runs out. Nothing is allocated by find.
bool pliant_broad_reserve(broad_phase *b, int count, const pliant_allocator *allocator);
void pliant_broad_free(broad_phase *b, const pliant_allocator *allocator);

// May these two be tested against each other? Called once per overlapping pair, with a < b, in an
// order that depends on the positions.
typedef bool pair_filter(int32_t a, int32_t b, void *context);

// Finds all pairs with |centre_a - centre_b| <= radius_a + radius_b that pass the filter (NULL: all
// pass). Writes them sorted by (a, b), at most `capacity`, and returns how many there are, at most
// INT_MAX. If these are more than `capacity`, those written are the first that were found, which is
// the same choice on every machine.
//
// Metres, or any unit in which radii are below 1e18. Left out are spheres with a negative or
// non-finite radius or a non-finite centre. `count` is at most what was reserved.
//
// Time grows in proportion to spheres plus pairs as long as spheres of one size do not pile up in one
// place, and with the number of sizes (factors of two) present. Distances up to 10^12 diameters from
// the origin keep that; beyond, results are still right.
int pliant_broad_find(broad_phase *b, const vec3 *centres, const float *radii, int count,
                      pair_filter *filter, void *context, particle_pair *pairs, int capacity);

#endif
