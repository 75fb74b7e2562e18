// Polygons cut into triangles.

#ifndef PLIANT_AUTHOR_MESH_POLYGON_H
#define PLIANT_AUTHOR_MESH_POLYGON_H

#include <pliant/base.h>

// Larger ones that are not convex are cut as if they were: their time grows with the square of the size.
#define POLYGON_MOST_CORNERS 1024

// Fills `triangles` with count - 2 times three corners, each an index into `corners`, that turn as the
// polygon does. A convex polygon becomes a fan around its first corner. Any other is cut inside of itself, as
// seen against its plane, also when it is not quite flat or touches itself, as a ring with a bridge does.
// Count is at least 3. Returns false when the polygon is not convex and too large to be cut well.
bool pli_polygon_cut(const pliant_vec3 *corners, int32_t count, int32_t (*triangles)[3]);

#endif
