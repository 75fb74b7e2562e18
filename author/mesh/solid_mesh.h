// A mesh that shows a collider's shape.

#ifndef PLIANT_AUTHOR_MESH_SOLID_MESH_H
#define PLIANT_AUTHOR_MESH_SOLID_MESH_H

#include "mesh/skin_mesh.h"

#include <pliant/shape.h>

// The surface in the shape's own axes, with normals that are round where the surface is and break at its
// edges; a plane is a square of side 1 that faces +y. Returns false when memory runs out; then the mesh is
// empty.
bool pli_solid_mesh_from_shape(skin_mesh *mesh, const pliant_shape *shape);

#endif
