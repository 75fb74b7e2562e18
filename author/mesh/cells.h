// Cells of a grid by their coordinates: a number for each cell that occurs, in the order of first use.

#ifndef PLIANT_AUTHOR_MESH_CELLS_H
#define PLIANT_AUTHOR_MESH_CELLS_H

#include "math/vec3.h"

#include <math.h>

typedef struct cell {
    int32_t x, y, z;
} cell;

typedef struct cell_grid {
    vec3 origin;
    float size;
} cell_grid;

// Places beyond all that numbers reach share the last cell.
static inline int32_t cell_number(float offset, float size)
{
    float number = floorf(offset / size);
    return (int32_t)(number < -1e9f ? -1e9f : number > 1e9f ? 1e9f : number);
}

static inline cell cell_at(const cell_grid *grid, vec3 x)
{
    return (cell){cell_number(x.x - grid->origin.x, grid->size),
                  cell_number(x.y - grid->origin.y, grid->size),
                  cell_number(x.z - grid->origin.z, grid->size)};
}

static inline vec3 cell_centre(const cell_grid *grid, cell c)
{
    return (vec3){grid->origin.x + ((float)c.x + 0.5f) * grid->size,
                  grid->origin.y + ((float)c.y + 0.5f) * grid->size,
                  grid->origin.z + ((float)c.z + 0.5f) * grid->size};
}

static inline bool cell_equal(cell a, cell b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Zero-initialise to begin.
typedef struct cell_map {
    cell *cells; // by number
    int32_t count, capacity;
    int32_t *table;
    size_t table_size;
} cell_map;

// The cell's number, or -1.
int32_t pli_cell_map_find(const cell_map *map, cell c);
// The same, given to it when it has none; -1 when memory runs out.
int32_t pli_cell_map_add(cell_map *map, cell c);
void pli_cell_map_release(cell_map *map);

// Things in cells, each in any number of them: things[first[c]] … of the cell number c.
typedef struct cell_lists {
    cell_map map;
    int32_t *first, *things;
} cell_lists;

// `entries` are pairs of a cell number of `map`, which is taken over, and a thing; lists keep their order.
bool pli_cell_lists_create(cell_lists *lists, cell_map *map, const int32_t *entries,
                           size_t entry_count);
void pli_cell_lists_release(cell_lists *lists);

#endif
