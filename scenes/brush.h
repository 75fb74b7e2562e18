// Draws visual meshes: blocks with rounded edges, tubes and arches, bound to the particles nearby.

#ifndef PLIANT_SCENES_BRUSH_H
#define PLIANT_SCENES_BRUSH_H

#include <pliant/author.h>

#include "truck_shape.h"

typedef struct brush {
    pliant_builder *builder;
    int first, count; // particles that vertices are bound to
    float u;          // texture coordinate of everything drawn
} brush;

// Binds a vertex to the four nearest particles, with weights that fall to zero where another one becomes
// nearer: so they change smoothly along the surface. Returns the vertex.
int brush_vertex(const brush *b, vec3 position, vec3 normal);
// The same without a normal of its own: it gets that of its triangles.
int brush_point(const brush *b, vec3 position);
// Triangles of a grid whose rows of `columns` vertices start at `base`; the front is where columns run
// right and rows run up.
void brush_grid(const brush *b, int base, int columns, int rows);

// A hull with edges rounded by `bevel` m and `cells` quads along x, y and z.
void brush_block(const brush *b, const hull *shape, float bevel, const int cells[3]);
// The block and its mirror image on the other side of the truck.
void brush_block_pair(const brush *b, const hull *shape, float bevel, const int cells[3]);
// A round bar with flat ends, in `pieces` along its length.
void brush_tube(const brush *b, vec3 begin, vec3 end, float radius, int pieces);
void brush_tube_pair(const brush *b, vec3 begin, vec3 end, float radius, int pieces);
// A strip bent around the z axis through `centre`, between two angles, two radii and two z (`sides`, relative
// to the centre), each pair rising.
void brush_arch(const brush *b, vec3 centre, const float angles[2], const float radii[2],
                const float sides[2]);

#endif
