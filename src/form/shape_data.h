// What a shape holds, and the searches that touches and queries share.

#ifndef PLIANT_FORM_SHAPE_DATA_H
#define PLIANT_FORM_SHAPE_DATA_H

#include "bvh.h"
#include "shape.h"
#include "shape_math.h"

#include <stdatomic.h>

enum { NO_POINT = -1 };

// The surface of a mesh or hull. Points of one place count as one, so that a soup of triangles has the
// same neighbourhood as an indexed mesh.
typedef struct shape_surface {
    vec3 *points;
    int32_t *triangles; // three each
    int point_count, triangle_count;
    vec3 *normals; // unit, to the side from which the triangle is counter-clockwise
    double slack;  // m, by which corners of a hull may lie above its faces
    // Of the edge from corner k to the next, of triangle i, at 3 i + k: the corner of the triangle beyond
    // that is not on the edge; NO_POINT where there is none or more than one. Mesh only.
    int32_t *beyond;
    // The points joined to point p by an edge: ring[ring_begin[place[p]]] … Mesh only.
    int32_t *place, *ring_begin, *ring;
    bvh tree;
} shape_surface;

struct pliant_shape {
    pliant_allocator allocator;
    atomic_size_t references; // its owner's, and those of worlds; of pli_plane_shape 0
    pliant_shape_def def;     // its arrays are those of the shape
    vec3 low, high;
    shape_surface surface;
    float *heights;
    uint64_t array_hash;
};

typedef struct triangle {
    dvec3 corners[3];
    dvec3 normal;
} triangle;

// Where on a triangle a point lies: FEATURE_EDGE + k between corner k and the next.
enum { FEATURE_FACE = 0, FEATURE_EDGE = 1, FEATURE_CORNER = 4 };

static inline triangle surface_triangle(const shape_surface *s, int index)
{
    const int32_t *t = s->triangles + 3 * (size_t)index;
    return (triangle){
        {dvec3_of(s->points[t[0]]), dvec3_of(s->points[t[1]]), dvec3_of(s->points[t[2]])},
        dvec3_of(s->normals[index])};
}

// The point p of the triangle with the least (p - c)ᵀ M (p - c), and the feature it lies on.
dvec3 pli_triangle_nearest(const triangle *t, dsym3 M, dvec3 c, int *feature);

// --- Heightfields: two triangles for each cell, the diagonal from (column + 1, row) to (column, row + 1).

static inline dvec3 height_point(const pliant_shape *s, int column, int row)
{
    double spacing = (double)s->def.spacing;
    float height = s->heights[(size_t)row * (size_t)s->def.columns + (size_t)column];
    return (dvec3){(double)column * spacing, (double)height, (double)row * spacing};
}

// half 0 is the one at (column, row), half 1 the one at (column + 1, row + 1).
triangle pli_height_triangle(const pliant_shape *s, int column, int row, int half);

// The last of `count` intervals of width `spacing` that begins at or before x, clamped to those there are.
static inline int height_cell(double x, double spacing, int count)
{
    double cell = x / spacing;
    return !(cell > 0.0) ? 0 : cell < (double)(count - 1) ? (int)cell : count - 1;
}

// --- Creation

// Fills the points, triangles and normals of *out with the convex hull of the points, of which it keeps
// the corners. After an error the caller frees what there is.
pliant_result pli_hull_build(const vec3 *points, int point_count, shape_surface *out,
                             const pliant_allocator *allocator, pliant_error *error);
// Whether triangles, whose indices are in range, are closed, wound outwards and convex. `hull` is that of
// their points.
pliant_result pli_hull_check(const pliant_shape_def *def, const shape_surface *hull,
                             const pliant_allocator *allocator, pliant_error *error);

// Fills `normals`, `place`, `beyond` and the rings from points and triangles. False when memory runs out.
bool pli_surface_connect(shape_surface *s, const pliant_allocator *allocator);
void pli_surface_free(shape_surface *s, const pliant_allocator *allocator);

// Numbers points by place: *place of the first is its own index. False when memory runs out.
bool pli_points_weld(const vec3 *points, int count, int32_t *place,
                     const pliant_allocator *allocator);

// Every edge of the triangles, found by its two ends whatever their order.
typedef struct edge_entry {
    int32_t low, high;     // ends
    int32_t uses;          // by triangles
    int32_t first, second; // 3 i + k of the first two uses
} edge_entry;

typedef struct edge_table {
    edge_entry *entries;
    uint32_t mask;
} edge_table;

bool pli_edges_find(edge_table *t, const int32_t *triangles, int triangle_count,
                    const int32_t *place, const pliant_allocator *allocator);
const edge_entry *pli_edges_get(const edge_table *t, int32_t a, int32_t b);

#endif
