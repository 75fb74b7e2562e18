// The octopus as a visual mesh: parts "skin", one closed surface, "eyes" and "pupils".
//
// Texture coordinates have no seam: u is 0 on the upper side of tentacles, 0.5 at their sides and in the
// web between them, 1 where the suckers are; v runs from the top of the head (0) and the mouth over the roots
// to the tips (1).

#ifndef PLIANT_SCENES_OCTOPUS_MESH_H
#define PLIANT_SCENES_OCTOPUS_MESH_H

#include <pliant/mesh.h>

#include "octopus_shape.h"

#define OCTOPUS_ROOT_V 0.4f // where a tentacle begins

// NULL when memory runs out.
pliant_mesh *octopus_mesh(void);
// The tentacle (0 … OCTOPUS_TENTACLES - 1) a vertex of the mesh is on, or -1: head, web and eyes.
int octopus_tentacle_of(int32_t vertex);

#endif
