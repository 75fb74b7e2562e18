// Cracks: pieces of the mesh whose borders come close count as joined.

#include "slice.h"

#include <stdlib.h>

typedef struct border {
    point3 at;
    int32_t edge;
    int32_t next; // in the same cell
} border;

typedef struct borders {
    double size; // of cells
    double step; // between samples
    cell_map map;
    int32_t *heads;
    border *list;
    int32_t head_capacity, count, capacity;
} borders;

static point3 between3(point3 a, point3 b, double t)
{
    return (point3){a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t};
}

static int32_t round_down(double x)
{
    int32_t whole = (int32_t)x;
    return (double)whole > x ? whole - 1 : whole;
}

static cell cell_of(const borders *b, point3 x)
{
    return (cell){round_down(x.x / b->size), round_down(x.y / b->size), round_down(x.z / b->size)};
}

static bool add_border(borders *b, point3 at, int32_t edge)
{
    int32_t known = b->map.count, number = pli_cell_map_add(&b->map, cell_of(b, at));
    if (number < 0 ||
        !pli_slice_grow((void **)&b->heads, &b->head_capacity, number + 1, sizeof *b->heads) ||
        !pli_slice_grow((void **)&b->list, &b->capacity, b->count + 1, sizeof *b->list))
        return false;
    b->list[b->count] = (border){at, edge, number < known ? b->heads[number] : -1};
    b->heads[number] = b->count++;
    return true;
}

// The part of an edge between the levels, at even steps.
static bool add_edge(borders *b, const slice_strip *strip, const slice_mesh *mesh, int32_t edge)
{
    const int32_t *ends = mesh->edges[edge].ends;
    bool rises = mesh->points[ends[0]].z <= mesh->points[ends[1]].z;
    point3 low = mesh->points[ends[!rises]], high = mesh->points[ends[rises]];
    double climb = high.z - low.z, from = 0.0, to = 1.0;
    if (low.z < strip->low)
        from = (strip->low - low.z) / climb;
    if (high.z > strip->high)
        to = (strip->high - low.z) / climb;
    int32_t steps = (int32_t)(length3(sub3(high, low)) * (to - from) / b->step) + 1;
    for (int32_t i = 0; i <= steps; ++i) {
        double t = from + (to - from) * (double)i / (double)steps;
        if (!add_border(b, between3(low, high, t), edge))
            return false;
    }
    return true;
}

static double distance_to_edge(const slice_mesh *mesh, int32_t edge, point3 x)
{
    point3 a = mesh->points[mesh->edges[edge].ends[0]];
    point3 b = mesh->points[mesh->edges[edge].ends[1]];
    point3 d = sub3(b, a);
    double t = dot3(sub3(x, a), d) / dot3(d, d);
    return length3(sub3(x, between3(a, b, t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t)));
}

static int32_t piece_of(const slice_mesh *mesh, int32_t edge)
{
    return mesh->pieces[mesh->edges[edge].ends[0]];
}

static void join_near(const borders *b, slice_strip *strip, const slice_mesh *mesh, double bridge,
                      const border *one)
{
    cell middle = cell_of(b, one->at);
    for (int k = 0; k < 27; ++k) {
        cell c = {middle.x + k % 3 - 1, middle.y + k / 3 % 3 - 1, middle.z + k / 9 - 1};
        int32_t number = pli_cell_map_find(&b->map, c);
        for (int32_t i = number < 0 ? -1 : b->heads[number]; i >= 0; i = b->list[i].next) {
            int32_t edge = b->list[i].edge;
            if (piece_of(mesh, edge) != piece_of(mesh, one->edge) &&
                distance_to_edge(mesh, edge, one->at) <= bridge)
                pli_slice_strip_unite(strip, edge, one->edge);
        }
    }
}

bool pli_slice_bridge(slice_strip *strip, const slice_mesh *mesh, const slice_net *net,
                      const int32_t *faces, int32_t face_count)
{
    borders b = {.step = 0.125 * net->spacing};
    b.size = net->bridge + b.step;
    bool ok = true;
    for (int32_t i = 0; ok && i < 3 * face_count; ++i) {
        int32_t side = mesh->sides[3 * faces[i / 3] + i % 3];
        if (mesh->edges[side].face_count == 1 && pli_slice_strip_holds(strip, mesh, side))
            ok = add_edge(&b, strip, mesh, side);
    }
    for (int32_t i = 0; ok && i < b.count; ++i)
        join_near(&b, strip, mesh, net->bridge, &b.list[i]);
    pli_cell_map_release(&b.map);
    free(b.heads);
    free(b.list);
    return ok;
}
