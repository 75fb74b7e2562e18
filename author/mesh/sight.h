// What lies between two points.

#ifndef PLIANT_AUTHOR_MESH_SIGHT_H
#define PLIANT_AUTHOR_MESH_SIGHT_H

#include "mesh/topology.h"

// The first triangle of the mesh that a line from `from` to `to` meets, or -1; *t tells where. Without t any that it
// meets will do. Those of one piece may be ignored.
int32_t pli_sight_hit(const topology *mesh, vec3 from, vec3 to, int32_t ignored, float *t);

#endif
