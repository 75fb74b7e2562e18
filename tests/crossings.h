// Whether a surface goes through itself: edges that pierce triangles which share no point with them.

#ifndef PLIANT_TESTS_CROSSINGS_H
#define PLIANT_TESTS_CROSSINGS_H

#include "form/bvh.h"
#include "math/scalar.h"
#include "mesh/topology.h"

#include <stdlib.h>

static double crossings_volume(vec3 a, vec3 b, vec3 c, vec3 d)
{
    double u[3] = {(double)b.x - a.x, (double)b.y - a.y, (double)b.z - a.z};
    double v[3] = {(double)c.x - a.x, (double)c.y - a.y, (double)c.z - a.z};
    double w[3] = {(double)d.x - a.x, (double)d.y - a.y, (double)d.z - a.z};
    return u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) +
           u[2] * (v[0] * w[1] - v[1] * w[0]);
}

// The segment's ends are on different sides of the triangle's plane, and its line goes through the triangle.
static bool crossings_pierces(vec3 p, vec3 q, vec3 a, vec3 b, vec3 c)
{
    if ((crossings_volume(a, b, c, p) > 0) == (crossings_volume(a, b, c, q) > 0))
        return false;
    bool side = crossings_volume(p, q, a, b) > 0;
    return (crossings_volume(p, q, b, c) > 0) == side && (crossings_volume(p, q, c, a) > 0) == side;
}

static bool crossings_apart(const bvh_node *node, vec3 p, vec3 q)
{
    return (p.x < node->low.x && q.x < node->low.x) || (p.x > node->high.x && q.x > node->high.x) ||
           (p.y < node->low.y && q.y < node->low.y) || (p.y > node->high.y && q.y > node->high.y) ||
           (p.z < node->low.z && q.z < node->low.z) || (p.z > node->high.z && q.z > node->high.z);
}

static int crossings_of_edge(const topology *mesh, const vec3 *points, const bvh *tree,
                             int32_t from, int32_t to)
{
    int32_t waiting[BVH_DEPTH + 1] = {0};
    int count = 1, found = 0;
    while (count > 0) {
        const bvh_node *node = &tree->nodes[waiting[--count]];
        if (crossings_apart(node, points[from], points[to]))
            continue;
        if (node->count == 0) {
            waiting[count++] = node->first;
            waiting[count++] = node->first + 1;
        }
        for (int32_t i = 0; i < node->count; ++i) {
            const int32_t *corners = mesh->triangles + 3 * tree->order[node->first + i];
            bool shares = false;
            for (int k = 0; k < 3; ++k)
                shares = shares || corners[k] == from || corners[k] == to;
            found += !shares && crossings_pierces(points[from], points[to], points[corners[0]],
                                                  points[corners[1]], points[corners[2]]);
        }
    }
    return found;
}

// How often edges of the mesh pierce its triangles; `vertices` are the skin's.
static int crossings_of(const topology *mesh, const vec3 *vertices, int32_t vertex_count)
{
    vec3 *points = calloc((size_t)mesh->point_count, sizeof *points);
    for (int32_t i = 0; i < vertex_count; ++i)
        points[mesh->point_of_vertex[i]] = vertices[i];
    pliant_allocator allocator = pli_allocator_or_default(NULL);
    bvh tree = {0};
    int found =
        pli_bvh_build(&tree, points, mesh->triangles, mesh->triangle_count, &allocator) ? 0 : -1;
    for (int32_t i = 0; found >= 0 && i < 3 * mesh->triangle_count; ++i) {
        int32_t from = mesh->triangles[i], to = mesh->triangles[i % 3 < 2 ? i + 1 : i - 2];
        if (from < to) // the other triangle at this edge has it the other way round
            found += crossings_of_edge(mesh, points, &tree, from, to);
    }
    pli_bvh_free(&tree, &allocator);
    free(points);
    return found;
}

#endif
