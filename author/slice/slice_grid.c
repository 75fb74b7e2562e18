// Memory that grows, and things in the plane.

#include "slice.h"

#include <stdlib.h>

bool pli_slice_grow(void **array, int32_t *capacity, int32_t needed, size_t element)
{
    if (needed <= *capacity)
        return true;
    if (needed > INT32_MAX / 2)
        return false;
    int32_t grown = needed + needed / 2 + 64;
    void *bigger = realloc(*array, (size_t)grown * element);
    if (!bigger)
        return false;
    *array = bigger;
    *capacity = grown;
    return true;
}

static int32_t round_down(double x)
{
    int32_t whole = (int32_t)x;
    return (double)whole > x ? whole - 1 : whole;
}

bool pli_plane_grid_add(plane_grid *grid, point2 at, int32_t thing)
{
    int32_t known = grid->map.count;
    cell c = {round_down(at.x / grid->size), round_down(at.y / grid->size), 0};
    int32_t number = pli_cell_map_add(&grid->map, c);
    if (number < 0 ||
        !pli_slice_grow((void **)&grid->heads, &grid->head_capacity, number + 1,
                        sizeof *grid->heads) ||
        !pli_slice_grow((void **)&grid->nexts, &grid->next_capacity, thing + 1,
                        sizeof *grid->nexts))
        return false;
    grid->nexts[thing] = number < known ? grid->heads[number] : -1;
    grid->heads[number] = thing;
    return true;
}

int32_t pli_plane_grid_search(plane_grid *grid, point2 at, double reach)
{
    int32_t count = 0;
    int32_t left = round_down((at.x - reach) / grid->size);
    int32_t right = round_down((at.x + reach) / grid->size);
    int32_t low = round_down((at.y - reach) / grid->size);
    int32_t high = round_down((at.y + reach) / grid->size);
    for (int32_t y = low; y <= high; ++y) {
        for (int32_t x = left; x <= right; ++x) {
            int32_t number = pli_cell_map_find(&grid->map, (cell){x, y, 0});
            for (int32_t i = number < 0 ? -1 : grid->heads[number]; i >= 0; i = grid->nexts[i]) {
                if (!pli_slice_grow((void **)&grid->found, &grid->found_capacity, count + 1,
                                    sizeof *grid->found))
                    return -1;
                grid->found[count++] = i;
            }
        }
    }
    return count;
}

void pli_plane_grid_release(plane_grid *grid)
{
    pli_cell_map_release(&grid->map);
    free(grid->heads);
    free(grid->nexts);
    free(grid->found);
    *grid = (plane_grid){0};
}
