// A welded mesh with its long edges halved until none is longer than asked for, both sides of an edge alike.

#ifndef PLIANT_AUTHOR_MESH_REFINED_H
#define PLIANT_AUTHOR_MESH_REFINED_H

#include "mesh/topology.h"

typedef struct refined_mesh {
    int32_t point_count; // the topology's points come first
    vec3 *points;
    vec3 *normals;   // unit length, mean by area; zero where there is no area
    float *areas;    // a third of each triangle around
    int32_t *pieces; // of the topology
    // The original triangles a point lies on, rising: sources[first_source[p]] … of the point p, and one entry more
    int32_t *first_source, *sources;
    int32_t triangle_count;
    int32_t *triangles; // three points each, grouped by original triangle
    int32_t *origins;   // the original of each
    int32_t *first_of;  // per original triangle, and one entry more: where its own begin
} refined_mesh;

// NULL when memory runs out.
refined_mesh *pli_refine(const topology *topology, float longest);
void pli_refined_destroy(refined_mesh *mesh);

static inline bool refined_lies_on(const refined_mesh *mesh, int32_t point, int32_t original)
{
    for (int32_t i = mesh->first_source[point]; i < mesh->first_source[point + 1]; ++i)
        if (mesh->sources[i] == original)
            return true;
    return false;
}

#endif
