// Which bounding spheres overlap: the broad phase of collision, for spheres of very unequal size.

#ifndef PLIANT_COLLIDE_BROAD_H
#define PLIANT_COLLIDE_BROAD_H

#include "core/memory.h"
#include "fast/kernels.h"
#include "solve/broad_grid.h"

// Spheres side by side: [first, first + count). So many come before them in other runs.
typedef struct sphere_run {
    int32_t first, count, before;
} sphere_run;

// The run that has the `at`-th sphere of all.
static inline const sphere_run *sphere_run_at(const sphere_run *runs, int run_count, int at)
{
    int low = 0, high = run_count - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (runs[middle].before <= at)
            low = middle;
        else
            high = middle - 1;
    }
    return &runs[low];
}

// Scratch memory; all zero is empty. Nothing in it outlives one call of find.
typedef struct broad_phase {
    int capacity;            // how many spheres there is room for
    int pair_capacity;       // how many pairs can be sorted
    struct broad_grid *grid; // of a fixed size; NULL when empty
    particle_pair *entries;  // capacity: cell and index of each sphere
    particle_pair *spare;    // capacity: the other side of a sorting pass
    particle_pair *unsorted; // pair_capacity
    float *sorted;           // five numbers for each sphere, see broad_grid
    uint32_t *cells;         // capacity: the cell of each sphere, as sorted
    int32_t *directory;      // 2 * capacity and some: the first sphere of each cell
} broad_phase;

// Makes room for `count` spheres (48 bytes each, and a fixed 480 kB) and `pairs` pairs (8 bytes each).
// False, leaving everything as it was or with more room, when memory runs out. Nothing is allocated by find.
bool pli_broad_reserve(broad_phase *b, int count, int pairs, const pliant_allocator *allocator);
void pli_broad_free(broad_phase *b, const pliant_allocator *allocator);

// Which of these may be tested against each other? Moves them to the front, keeping their order, and
// returns how many there are. Every overlapping pair comes once, with a < b; the calls may be on several
// threads at once, and a pair may be asked about again. What is told with b has to leave pairs in their order.
typedef int pair_filter(particle_pair *pairs, int count, void *context);

typedef struct broad_query {
    const broad_sphere *spheres;
    int count;              // of those that are looked at; indices are below what was reserved
    const sphere_run *runs; // which these are, rising; NULL: the first ones
    int run_count;
    pair_filter *filter; // NULL: all pass
    void *context;
    const kernels *kernels;
    pliant_parallel_for *parallel_for; // NULL: on the calling thread
    void *parallel_user_data;
} broad_query;

// Finds all pairs with |centre_a - centre_b| <= radius_a + radius_b that pass the filter. Writes them sorted
// by (a, b), at most `capacity`, and returns how many there are, at most INT_MAX. If these are more than
// `capacity`, which is at most what was reserved, those written are the same choice on every machine.
//
// Metres, or any unit in which radii are below 1e18. Left out are spheres with a negative or
// non-finite radius or a non-finite centre.
//
// Time grows in proportion to spheres plus pairs as long as spheres of one size do not pile up in one
// place, and with the number of sizes (factors of two, or less where many differ) present. Distances up to
// 10^12 diameters from the origin keep that; beyond, results are still right.
int pli_broad_find(broad_phase *b, const broad_query *query, particle_pair *pairs, int capacity);

#endif
