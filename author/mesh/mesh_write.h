// What writers of a mesh's arrays share.

#ifndef PLIANT_AUTHOR_MESH_MESH_WRITE_H
#define PLIANT_AUTHOR_MESH_MESH_WRITE_H

#include "gltf/glb_write.h"

#include <pliant/mesh.h>

// Whether the arrays are what the header says; of one that a program filled nobody knows.
pliant_result pli_mesh_check(const pliant_mesh *mesh, pliant_error *error);

// Members of a primitive's open "attributes": where the vertices of a part are, and their normals where all have one.
void pli_mesh_write_vertices(const pliant_mesh *mesh, const pliant_mesh_part *part, glb_writer *glb,
                             json_writer *json);

#endif
