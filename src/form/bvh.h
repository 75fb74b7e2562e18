// A tree of boxes over triangles.

#ifndef PLIANT_FORM_BVH_H
#define PLIANT_FORM_BVH_H

#include "core/memory.h"
#include "math/vec3.h"

// The deepest tree and so the room that a walk needs.
enum { BVH_DEPTH = 64 };

typedef struct bvh_node {
    vec3 low, high;
    int32_t first; // leaf: in `order`; otherwise the left child, the right one follows
    int32_t count; // of triangles; 0 for an inner node
} bvh_node;

typedef struct bvh {
    bvh_node *nodes;
    int32_t *order; // triangles, leaf by leaf
    int node_count;
} bvh;

// False when memory runs out. triangle_count is at least 1.
bool pli_bvh_build(bvh *tree, const vec3 *points, const int32_t *triangles, int triangle_count,
                   const pliant_allocator *allocator);
void pli_bvh_free(bvh *tree, const pliant_allocator *allocator);

#endif
