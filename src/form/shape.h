// What an ellipsoid, a ray or a point meets at a shape. All in the shape's own axes.
//
// A shape is one convex piece, or (mesh, heightfield) many triangles.

#ifndef PLIANT_FORM_SHAPE_H
#define PLIANT_FORM_SHAPE_H

#include <pliant/shape.h>

#include "core/memory.h"
#include "math/mat3.h"

// Where an ellipsoid comes near to one piece of a shape.
typedef struct touch {
    vec3 normal; // unit, out of the solid, towards the ellipsoid
    vec3 point;  // on the solid's surface
    float gap;   // m, n·(centre - point) - sqrt(nᵀ S n) at `time`; < 0 overlaps
    float time;  // part of the way, 0 … 1, at which normal and point hold
} touch;

typedef struct form_hit {
    vec3 point, normal; // unit, out of the solid (mesh: towards the asker)
    float distance;     // m; closest point: < 0 inside a solid
} form_hit;

// The ellipsoid with world shape matrix S (R diag(a², b², c²) Rᵀ) moves from `from` straight by `way`.
//
// With `is_swept` false each piece is judged at the end of the way; it is for ways shorter than the
// ellipsoid is thick. With `is_swept` each piece that is touched on the way is judged at the time when
// it is first touched, one that overlaps at the start at time 0, one that is not touched at the end.
//
// Writes the touches with gap <= margin (swept: those touched on the way have a gap of about 0), at most
// `most`, the earliest and then deepest when there are more, in a fixed order. Pieces that are one smooth or concave surface do not
// answer with the normals of their seams. A mesh answers on the side where the ellipsoid's centre was at
// `from`. Returns how many there are in all.
int pli_shape_touches(const pliant_shape *shape, sym3 S, vec3 from, vec3 way, bool is_swept,
                      float margin, touch *out, int most);

// The first point of the shape on the ray from `origin` along the unit vector `direction`, within
// `length`. A ray that starts inside a solid hits at distance 0 with normal -direction.
bool pli_shape_ray(const pliant_shape *shape, vec3 origin, vec3 direction, float length,
                   form_hit *out);

// The point of the surface nearest to `from`, when it is within `most` of it; from inside a solid it always
// is.
bool pli_shape_closest(const pliant_shape *shape, vec3 from, float most, form_hit *out);

// m, up to which the shape extends from its origin against the unit vector n, and the point there: FLT_MAX, and the origin,
// where it has no end.
float pli_shape_support(const pliant_shape *shape, vec3 n, vec3 *arm);

pliant_shape_kind pli_shape_kind_of(const pliant_shape *shape);

// Of all that a step depends on.
uint64_t pli_shape_fingerprint(const pliant_shape *shape);

// One more reference, which pli_shape_release gives back: as of a model.
void pli_shape_retain(const pliant_shape *shape);
void pli_shape_release(const pliant_shape *shape);

// The shape of every plane that was not made by a caller. Nobody counts who uses it.
extern const pliant_shape pli_plane_shape;

#endif
