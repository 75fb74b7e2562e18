// Hashed cells.

#include "cells.h"

#include <stdlib.h>
#include <string.h>

static size_t slot_of(const cell_map *map, cell c)
{
    uint64_t key = (uint64_t)(uint32_t)c.x * 0x9e3779b97f4a7c15u;
    key = (key ^ (uint32_t)c.y) * 0xbf58476d1ce4e5b9u;
    key = (key ^ (uint32_t)c.z) * 0x94d049bb133111ebu;
    size_t slot = (size_t)(key >> 24) & (map->table_size - 1);
    while (map->table[slot] >= 0 && !cell_equal(map->cells[map->table[slot]], c))
        slot = (slot + 1) & (map->table_size - 1);
    return slot;
}

int32_t pli_cell_map_find(const cell_map *map, cell c)
{
    return map->count ? map->table[slot_of(map, c)] : -1;
}

static bool grow(cell_map *map)
{
    int32_t capacity = map->capacity ? 2 * map->capacity : 512;
    cell *cells = realloc(map->cells, (size_t)capacity * sizeof *cells);
    if (!cells)
        return false;
    map->cells = cells;
    size_t table_size = 2 * (size_t)capacity;
    int32_t *table = malloc(table_size * sizeof *table);
    if (!table)
        return false;
    memset(table, 0xff, table_size * sizeof *table);
    free(map->table);
    map->table = table;
    map->table_size = table_size;
    map->capacity = capacity;
    for (int32_t i = 0; i < map->count; ++i)
        map->table[slot_of(map, map->cells[i])] = i;
    return true;
}

int32_t pli_cell_map_add(cell_map *map, cell c)
{
    if (map->count == map->capacity && !grow(map))
        return -1;
    size_t slot = slot_of(map, c);
    if (map->table[slot] < 0) {
        map->table[slot] = map->count;
        map->cells[map->count++] = c;
    }
    return map->table[slot];
}

void pli_cell_map_release(cell_map *map)
{
    free(map->cells);
    free(map->table);
    *map = (cell_map){0};
}

bool pli_cell_lists_create(cell_lists *lists, cell_map *map, const int32_t *entries,
                           size_t entry_count)
{
    *lists = (cell_lists){.map = *map};
    *map = (cell_map){0};
    lists->first = calloc((size_t)lists->map.count + 1, sizeof *lists->first);
    lists->things = malloc((entry_count + 1) * sizeof *lists->things);
    if (!lists->first || !lists->things) {
        pli_cell_lists_release(lists);
        return false;
    }
    for (size_t i = 0; i < entry_count; ++i)
        ++lists->first[entries[2 * i]];
    for (int32_t c = 1; c <= lists->map.count; ++c)
        lists->first[c] += lists->first[c - 1];
    for (size_t i = entry_count; i-- > 0;)
        lists->things[--lists->first[entries[2 * i]]] = entries[2 * i + 1];
    return true;
}

void pli_cell_lists_release(cell_lists *lists)
{
    pli_cell_map_release(&lists->map);
    free(lists->first);
    free(lists->things);
    *lists = (cell_lists){0};
}
