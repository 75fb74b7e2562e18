// How a mesh hangs together, whatever its indices say: vertices at bit-identical positions are one point.

#ifndef PLIANT_AUTHOR_MESH_TOPOLOGY_H
#define PLIANT_AUTHOR_MESH_TOPOLOGY_H

#include "form/bvh.h"

#include <pliant/mesh.h>

typedef struct topology {
    int32_t point_count;
    vec3 *points;
    int32_t *point_of_vertex;
    // Three points each, in the mesh's order. Triangles with fewer than three different ones are kept; they have
    // no area.
    int32_t triangle_count;
    int32_t *triangles;
    // The triangles around each point: around[first_around[p]] … around[first_around[p + 1] - 1]
    int32_t *first_around, *around;
    // Pieces that share no point; points without triangles are pieces of their own, behind the others.
    int32_t piece_count;
    int32_t *piece_of_point;
    bvh tree; // of the triangles; empty when there are none
} topology;

// NULL when memory runs out.
topology *pli_topology_create(const pliant_mesh *mesh);
void pli_topology_destroy(topology *topology);

#endif
