// Triangles of a mesh near a point, by a tree of boxes.

#ifndef PLIANT_AUTHOR_MESH_SURFACE_SEARCH_H
#define PLIANT_AUTHOR_MESH_SURFACE_SEARCH_H

#include "form/bvh.h"

#include <pliant/mesh.h>

typedef struct surface_search {
    const pliant_mesh *mesh; // NULL: not open
    bvh tree;                // without nodes when the mesh has no triangles
} surface_search;

typedef struct surface_point {
    int32_t triangle; // -1 when the mesh has none
    vec3 position;    // of the triangle's closest point
    double distance2; // squared
} surface_point;

// False when memory runs out.
bool pli_surface_search_open(surface_search *search, const pliant_mesh *mesh);
void pli_surface_search_close(surface_search *search);

// The closest point of the surface; of triangles that are equally close the first one's.
surface_point pli_surface_nearest(const surface_search *search, vec3 position);

// Of unit length, or zero for a triangle without area.
vec3 pli_surface_normal(const pliant_mesh *mesh, int32_t triangle);

// Where the surface within `radius` looks to: its mean normal, weighted by area. Of unit length, or zero when
// there is no surface or its sides cancel.
vec3 pli_surface_mean_normal(const surface_search *search, vec3 position, float radius);

#endif
