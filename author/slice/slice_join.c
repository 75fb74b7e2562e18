// Links of the net, and which particles of two levels belong together.
//
// Two levels are joined along the surface between them only: a sleeve that hangs beside the body is in the
// same levels but in a strip of its own.

#include "slice.h"

#include <stdlib.h>

static const double LONGEST_JOIN = 1.8; // spacings

bool pli_slice_is_linked(const slice_net *net, int32_t a, int32_t b)
{
    for (int32_t i = net->particles[a].last_link; i >= 0;) {
        const slice_link *link = &net->links[i];
        int end = link->ends[1] == a;
        if (link->ends[!end] == b)
            return true;
        i = link->previous[end];
    }
    return false;
}

bool pli_slice_are_near(const slice_net *net, int32_t a, int32_t b)
{
    for (int32_t i = net->particles[a].last_link; i >= 0;) {
        const slice_link *link = &net->links[i];
        int end = link->ends[1] == a;
        if (link->ends[!end] == b || pli_slice_is_linked(net, link->ends[!end], b))
            return true;
        i = link->previous[end];
    }
    return false;
}

bool pli_slice_link(slice_net *net, int32_t a, int32_t b)
{
    if (!net->has_links || a == b || pli_slice_is_linked(net, a, b))
        return true;
    int32_t n = net->link_count;
    if (!pli_slice_grow((void **)&net->links, &net->link_capacity, n + 1, sizeof *net->links))
        return false;
    slice_particle *first = &net->particles[a], *second = &net->particles[b];
    net->links[n] = (slice_link){{a, b}, {first->last_link, second->last_link}};
    first->last_link = second->last_link = n;
    ++net->link_count;
    return true;
}

// ---------------------------------------------------------------------------------------------
// Strips

bool pli_slice_strip_begin(slice_strip *strip, const slice_mesh *mesh)
{
    size_t count = (size_t)mesh->edge_count + 1;
    *strip = (slice_strip){.roots = malloc(count * sizeof *strip->roots),
                           .seeds = malloc(count * sizeof *strip->seeds)};
    return strip->roots && strip->seeds;
}

void pli_slice_strip_end(slice_strip *strip)
{
    free(strip->roots);
    free(strip->seeds);
}

static int32_t find_root(int32_t *roots, int32_t edge)
{
    while (roots[edge] != edge) {
        roots[edge] = roots[roots[edge]];
        edge = roots[edge];
    }
    return edge;
}

static void unite(int32_t *roots, int32_t a, int32_t b)
{
    a = find_root(roots, a);
    b = find_root(roots, b);
    roots[a > b ? a : b] = a > b ? b : a;
}

static bool reaches_into(const slice_strip *strip, const slice_mesh *mesh, int32_t edge)
{
    double a = mesh->points[mesh->edges[edge].ends[0]].z;
    double b = mesh->points[mesh->edges[edge].ends[1]].z;
    return (a >= strip->low || b >= strip->low) && (a <= strip->high || b <= strip->high);
}

static void unite_sides(slice_strip *strip, const slice_mesh *mesh, int32_t face)
{
    int32_t first = -1;
    for (int k = 0; k < 3; ++k) {
        int32_t side = mesh->sides[3 * face + k];
        if (!reaches_into(strip, mesh, side))
            continue;
        if (first >= 0)
            unite(strip->roots, first, side);
        first = side;
    }
}

bool pli_slice_strip_find(slice_strip *strip, const slice_mesh *mesh, const slice_net *net,
                          const int32_t *faces, int32_t face_count, double low, double high)
{
    strip->low = low;
    strip->high = high;
    for (int32_t i = 0; i < 3 * face_count; ++i) {
        int32_t side = mesh->sides[3 * faces[i / 3] + i % 3];
        strip->roots[side] = side;
        strip->seeds[side] = -1;
    }
    for (int32_t i = 0; i < face_count; ++i)
        unite_sides(strip, mesh, faces[i]);
    if (!mesh->has_pieces || !(net->bridge > 0.0))
        return true;
    return pli_slice_bridge(strip, mesh, net, faces, face_count);
}

void pli_slice_strip_unite(slice_strip *strip, int32_t a, int32_t b)
{
    unite(strip->roots, a, b);
}

bool pli_slice_strip_holds(const slice_strip *strip, const slice_mesh *mesh, int32_t edge)
{
    return reaches_into(strip, mesh, edge);
}

void pli_slice_strip_mark(slice_strip *strip, slice_level *level)
{
    for (int32_t i = 0; i < level->line_count; ++i)
        level->lines[i].strip = find_root(strip->roots, level->lines[i].edge);
}

void pli_slice_strip_seed(slice_strip *strip, const slice_level *level)
{
    for (int32_t i = level->particle_count - 1; i >= 0; --i)
        for (int32_t m = level->member_heads[i]; m >= 0; m = level->members[m].next)
            strip->seeds[level->lines[level->members[m].line].strip] = level->first_particle + i;
}

int32_t pli_slice_strip_root(slice_strip *strip, const slice_mesh *mesh, int32_t face)
{
    int k = 0;
    while (k < 2 && !reaches_into(strip, mesh, mesh->sides[3 * face + k]))
        ++k;
    return find_root(strip->roots, mesh->sides[3 * face + k]);
}

// ---------------------------------------------------------------------------------------------
// Two levels

static bool share_strip(const slice_level *a, int32_t i, const slice_level *b, int32_t j)
{
    for (int32_t m = a->member_heads[i]; m >= 0; m = a->members[m].next)
        for (int32_t n = b->member_heads[j]; n >= 0; n = b->members[n].next)
            if (a->lines[a->members[m].line].strip == b->lines[b->members[n].line].strip)
                return true;
    return false;
}

// Joins each particle of one level with the nearest of the other.
static bool join_nearest(slice_net *net, const slice_level *from, slice_level *to)
{
    for (int32_t i = 0; i < from->particle_count; ++i) {
        point3 x = net->particles[from->first_particle + i].position;
        double reach = LONGEST_JOIN * net->spacing;
        int32_t best = -1;
        int32_t count = pli_plane_grid_search(&to->grid, (point2){x.x, x.y}, reach);
        for (int32_t k = 0; k < count; ++k) {
            int32_t j = to->grid.found[k];
            double d = length3(sub3(net->particles[to->first_particle + j].position, x));
            if (d > reach || (d == reach && best >= 0 && j > best) || !share_strip(from, i, to, j))
                continue;
            reach = d;
            best = j;
        }
        if (count < 0 || (best >= 0 && !pli_slice_link(net, from->first_particle + i,
                                                       to->first_particle + best)))
            return false;
    }
    return true;
}

bool pli_slice_join(slice_net *net, slice_level *lower, slice_level *level)
{
    return join_nearest(net, level, lower) && join_nearest(net, lower, level);
}
