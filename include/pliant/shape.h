// Shapes of solids that do not deform: what a collider is made of.
//
// A shape is an immutable asset, as a model is: any number of colliders in any number of worlds share
// it, and it lives until the last of them and its owner have let go.

#ifndef PLIANT_SHAPE_H
#define PLIANT_SHAPE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pliant_shape pliant_shape;

typedef enum pliant_shape_kind {
    PLIANT_SHAPE_PLANE,       // the half space y < 0
    PLIANT_SHAPE_SPHERE,      // about the origin
    PLIANT_SHAPE_CAPSULE,     // about a segment of the y axis
    PLIANT_SHAPE_BOX,         // about the origin
    PLIANT_SHAPE_HULL,        // convex
    PLIANT_SHAPE_MESH,        // triangles without thickness: both sides hold
    PLIANT_SHAPE_HEIGHTFIELD, // solid below
} pliant_shape_kind;

// Fields that a kind does not name are ignored. Arrays are copied.
typedef struct pliant_shape_def {
    pliant_shape_kind kind;
    float radius;          // sphere, capsule: m, > 0
    float half_length;     // capsule: m, of its segment, >= 0
    pliant_vec3 half_size; // box: m, > 0
    // Hull and mesh. Of a hull without triangles only the outermost points count.
    const pliant_vec3 *points;
    int point_count;
    // Three indices each, counter-clockwise seen from outside. Those of a hull are closed and convex.
    const int32_t *triangles;
    int triangle_count;
    // Heightfield: columns × rows heights, row by row; (column, row) stands at x = column · spacing,
    // z = row · spacing. At least 2 each.
    const float *heights;
    int columns, rows;
    float spacing; // m, > 0
} pliant_shape_def;

// A ball of radius 0.5, a capsule of that radius and half length 0.5, a cube of side 1, cells of 1 m.
PLIANT_API pliant_shape_def pliant_default_shape_def(pliant_shape_kind kind);

// `allocator` may be NULL. Returns NULL and fills `error` when the definition is not valid: its place is
// the field or element at fault, such as "radius", "triangle 17", "height 3".
PLIANT_API pliant_shape *pliant_shape_create(const pliant_shape_def *def,
                                             const pliant_allocator *allocator,
                                             pliant_error *error);
// Gives back the caller's reference, as pliant_model_destroy does.
PLIANT_API void pliant_shape_destroy(pliant_shape *shape);

// The definition as it is kept: a hull has its triangles, its points are the outermost ones. Arrays live
// as long as the shape.
PLIANT_API pliant_shape_def pliant_shape_definition(const pliant_shape *shape);
// The box around it; of a plane ±1e30 but for its surface.
PLIANT_API void pliant_shape_bounds(const pliant_shape *shape, pliant_vec3 *minimum,
                                    pliant_vec3 *maximum);

#ifdef __cplusplus
}
#endif

#endif
