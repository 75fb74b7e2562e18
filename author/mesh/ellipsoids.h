// A mesh that shows a model's particles as what they are: ellipsoids.

#ifndef PLIANT_AUTHOR_MESH_ELLIPSOIDS_H
#define PLIANT_AUTHOR_MESH_ELLIPSOIDS_H

#include "mesh/skin_mesh.h"

// One closed ellipsoid per particle, in its bind pose and moving with it alone. Returns false when
// memory runs out; then the mesh is empty.
bool pli_ellipsoids_from_model(skin_mesh *mesh, const pliant_model *model);

#endif
