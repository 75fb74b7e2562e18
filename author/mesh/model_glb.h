// Whether a mesh is the one a model was made from.

#ifndef PLIANT_AUTHOR_MESH_MODEL_GLB_H
#define PLIANT_AUTHOR_MESH_MODEL_GLB_H

#include <pliant/mesh.h>

// An error of this code when its vertices, their positions or its triangles are others.
pliant_result pli_model_check_mesh(const pliant_model *model, const pliant_mesh *mesh,
                                   pliant_result code, pliant_error *error);

#endif
