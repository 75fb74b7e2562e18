// Growing a selection of vertices over the triangles around it. Vertices at one place are one point here: a seam of the
// texture is no border.

#include "core/error.h"
#include "mesh/select.h"
#include "mesh/topology.h"

#include <stdlib.h>

// A round of growth of the vertices whose byte is `value`; false when nothing was left to add.
static bool grow_once(const topology *t, const pliant_mesh *mesh, unsigned char *mask,
                      unsigned char value, unsigned char *points)
{
    for (int32_t p = 0; p < t->point_count; ++p)
        points[p] = 0;
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        if (mask[v] == value)
            points[t->point_of_vertex[v]] = 1;
    for (int32_t i = 0; i < t->triangle_count; ++i) {
        const int32_t *corners = t->triangles + 3 * (size_t)i;
        bool touches =
            points[corners[0]] == 1 || points[corners[1]] == 1 || points[corners[2]] == 1;
        for (int k = 0; touches && k < 3; ++k)
            points[corners[k]] =
                points[corners[k]] == 1 ? 1 : 2; // reached: grows in the next round
    }
    bool changed = false;
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        if (mask[v] == value || !points[t->point_of_vertex[v]])
            continue;
        mask[v] = value;
        changed = true;
    }
    return changed;
}

static void take_pieces(const topology *t, const pliant_mesh *mesh, unsigned char *mask,
                        unsigned char *pieces)
{
    for (int32_t i = 0; i < t->piece_count; ++i)
        pieces[i] = 0;
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        if (mask[v])
            pieces[t->piece_of_point[t->point_of_vertex[v]]] = 1;
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        mask[v] = pieces[t->piece_of_point[t->point_of_vertex[v]]];
}

pliant_result pliant_mesh_grow(const pliant_mesh *mesh, pliant_selection *vertices, int rounds,
                               bool whole, pliant_error *error)
{
    pliant_error local;
    error = error ? error : &local;
    if (pli_mesh_check_triangles(mesh, error) != PLIANT_OK)
        return error->code;
    unsigned char *mask = pli_selection_mask(vertices, mesh->vertex_count, "vertices", error);
    if (!mask)
        return error->code;
    topology *t = pli_topology_create(mesh);
    unsigned char *scratch =
        malloc((size_t)mesh->vertex_count + 1); // no fewer than points and pieces
    pliant_result result = PLIANT_OK;
    if (t && scratch) {
        // Taking away is growth of what is not selected.
        bool goes_on = !whole;
        if (whole)
            take_pieces(t, mesh, mask, scratch);
        for (int left = rounds; goes_on && left != 0; left += left < 0 ? 1 : -1)
            goes_on = grow_once(t, mesh, mask, rounds > 0, scratch);
        result = pli_selection_replace(vertices, mask, mesh->vertex_count, error);
    } else {
        result = pli_error_memory(error);
    }
    pli_topology_destroy(t);
    free(scratch);
    free(mask);
    return result;
}
