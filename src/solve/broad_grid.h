// What the broad phase and its kernels share: spheres sorted into the cells of a grid, and the search for
// pairs among them.
//
// Every level of sizes has a grid whose rows lie along x. A row is known by a number that is linear in its
// y and z, modulo how many rows there are: so the steps to the neighbours of a row are the same for all
// rows, also where rows that are far apart have to share a number. Such rows only make more candidates; no
// pair is met twice, since the numbers of a row and its neighbours, two apart even, all differ.

#ifndef PLIANT_SOLVE_BROAD_GRID_H
#define PLIANT_SOLVE_BROAD_GRID_H

#include <float.h>
#include <stdbool.h>
#include <stdint.h>

#include "math/vec3.h"

typedef struct particle_pair {
    int32_t a, b; // a < b
} particle_pair;

typedef struct broad_sphere {
    vec3 centre;
    float radius; // < 0 leaves it out
} broad_sphere;

// Quarters of octaves: the exponent of a float and two bits of its mantissa.
enum { BIN_SHIFT = 21, BIN_COUNT = 0x7f800000 >> BIN_SHIFT, BINS_PER_LEVEL = 4 };
// Radii below 2^-20 m share one level.
enum { FIRST_BIN = (127 - 20) << (23 - BIN_SHIFT) };
// Of the largest bins it is counted how many spheres they have, to choose levels by that.
enum { COUNTED_BINS = 16 };
enum { MOST_LEVELS = (BIN_COUNT - FIRST_BIN) / BINS_PER_LEVEL + 1 + COUNTED_BINS };

// Work is cut into parts that depend on the numbers of spheres and pairs only, never on the workers.
enum { MOST_PARTS = 64, MOST_BUCKETS = 64, SPHERES_PER_PART = 1024 };

enum { LATER_ROWS = 4, ALL_ROWS = 9, HIT_ROOM = 512, MOST_HITS_AT_ONCE = 64, MOST_BATCHES = 4 };

// Pairs of one particle up to which counting is the fastest way to sort them.
enum { FEW_SECONDS = 24 };

// What spheres have in common.
typedef struct broad_range {
    float low[3], high[3]; // box of the centres
    float radius, least_radius;
    int count;
} broad_range;

static inline broad_range broad_no_range(void)
{
    return (broad_range){
        {FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}, 0.0f, FLT_MAX, 0};
}

static inline bool broad_takes_part(const broad_sphere *s)
{
    return s->radius >= 0.0f && is_finite(s->radius) && vec3_is_finite(s->centre);
}

typedef struct broad_level {
    broad_range all;
    double corner[3];    // where the first cell begins
    double per_metre[3]; // cells per metre
    int64_t extent[3];   // how many cells from there to the last
    bool has_whole_rows; // every row of the extent has a number of its own
    uint32_t columns;    // cells in a row; one more that is empty separates it from the next
    uint32_t row_step;   // from one z to the next; y steps by 1
    uint32_t row_count;
    uint32_t base, end; // the level's cells
    uint32_t later[LATER_ROWS];
    int first_sphere, end_sphere; // as sorted
    int weight;                   // of each of them in the search
} broad_level;

typedef struct broad_grid {
    int level_count;
    int sphere_count;
    uint32_t cell_end;
    const float *x, *y, *z, *radius; // as sorted
    const int32_t *index;
    const uint32_t *cells;
    const int32_t *directory;
    broad_level levels[MOST_LEVELS]; // from coarse to fine
    uint8_t level_of_bin[BIN_COUNT];

    int part_count, bucket_count, bucket_shift;
    int top_bin;
    float border; // the largest radius that is of the finest level
    int bucket_start[MOST_BUCKETS + 1];
    uint64_t bins_used[MOST_PARTS][(BIN_COUNT + 63) / 64];
    int32_t bin_counts[MOST_PARTS][COUNTED_BINS]; // from the top one down
    broad_range ranges[MOST_PARTS][MOST_LEVELS];
    int part_entries[MOST_PARTS];
    int part_coarse[MOST_PARTS]; // spheres of coarser levels
    int64_t part_found[MOST_PARTS];
    int32_t bucket_next[MOST_PARTS][MOST_BUCKETS];
} broad_grid;

// The search of one part.
typedef struct broad_scan {
    const broad_grid *grid;
    const struct broad_query *query;
    particle_pair *out;
    int64_t room, found;
    int hit_count;
    particle_pair hits[HIT_ROOM + MOST_HITS_AT_ONCE];
} broad_scan;

// The broad phase (collide/broad.c) passes on the hits.
void pli_broad_hand_over(broad_scan *scan);

// From where to where in the sorted spheres.
typedef struct broad_run {
    int begin, end;
} broad_run;

// Farther from the origin, in cells, spheres share the last one.
#define BROAD_FARTHEST 1099511627776.0

// Cells are wider than the largest diameter by this factor. It covers the rounding of the overlap test
// (1e-6) and of coordinates up to BROAD_FARTHEST cells away (2 * 2^40 / 2^53 = 2.4e-4).
#define CELL_MARGIN 1.001

// Takes any number, and never swaps the order of two.
static inline double broad_place(const broad_level *l, int axis, double coordinate)
{
    double place = (coordinate - l->corner[axis]) * l->per_metre[axis];
    return place < 0.0 ? 0.0 : place > 2.0 * BROAD_FARTHEST ? 2.0 * BROAD_FARTHEST : place;
}

// Cells that a sphere of a finer level can touch: two or three along each axis, less what is outside.
typedef struct broad_block {
    int64_t first[3], last[3];
} broad_block;

// All that is `reach` (m) around; where nothing is, the last cells come before the first.
static inline broad_block broad_block_around(const broad_level *l, vec3 centre, double reach)
{
    const double c[3] = {(double)centre.x, (double)centre.y, (double)centre.z};
    broad_block block;
    for (int axis = 0; axis < 3; ++axis) {
        int64_t last = (int64_t)broad_place(l, axis, c[axis] + reach), end = l->extent[axis] - 1;
        block.first[axis] = (int64_t)broad_place(l, axis, c[axis] - reach);
        block.last[axis] = last < end ? last : end;
    }
    return block;
}

static inline bool broad_blocks_equal(const broad_block *a, const broad_block *b)
{
    int64_t differ = 0;
    for (int axis = 0; axis < 3; ++axis)
        differ |= (a->first[axis] ^ b->first[axis]) | (a->last[axis] ^ b->last[axis]);
    return differ == 0;
}

// The runs of a block's spheres; returns how many.
int pli_broad_look_around(const broad_grid *grid, const broad_level *coarse,
                          const broad_block *block, broad_run runs[ALL_ROWS]);

#endif
