// What the library itself does with containers of visual meshes.

#ifndef PLIANT_AUTHOR_MESH_MESH_H
#define PLIANT_AUTHOR_MESH_MESH_H

#include <pliant/mesh.h>

// Its arrays, without the document. NULL with `error` filled when memory runs out.
pliant_mesh *pli_mesh_copy(const pliant_mesh *mesh, pliant_error *error);

#endif
