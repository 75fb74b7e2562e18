// A hooded cloak of thick cloth, open in front: outer side, inner side and rims, one closed surface.

#ifndef PLIANT_SCENES_ROBE_MESH_H
#define PLIANT_SCENES_ROBE_MESH_H

#include <pliant/mesh.h>

// For a figure 1.75 m tall that stands at the origin and looks along +z. NULL when there is no memory.
pliant_mesh *robe_mesh_create(float thickness);

#endif
