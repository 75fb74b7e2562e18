// The visual mesh of a body as it goes into a file: the model's own skin with every normal filled in,
// or stand-in ellipsoids for a model that has none.

#ifndef PLIANT_AUTHOR_MESH_SKIN_MESH_H
#define PLIANT_AUTHOR_MESH_SKIN_MESH_H

#include <pliant/model.h>

// Zeroed is empty. Vertices are at the bind pose; at least one weight of each is above 0, but for the mesh
// of a solid, which has no links.
typedef struct skin_mesh {
    int vertex_count, triangle_count;
    pliant_vertex_def *vertices;
    int32_t *triangles; // three indices each
} skin_mesh;

// Each returns false when memory runs out; then the mesh is empty.
bool pli_skin_mesh_allocate(skin_mesh *mesh, int vertex_count, int triangle_count);
bool pli_skin_mesh_from_model(skin_mesh *mesh, const pliant_model *model);
// The model's skin alone, which may be empty.
bool pli_skin_mesh_from_skin(skin_mesh *mesh, const pliant_model *model);
void pli_skin_mesh_release(skin_mesh *mesh);

// Gives vertices with a zero normal the mean of their triangles' normals, weighted by area, or +y
// where there is no area.
void pli_skin_mesh_fill_normals(skin_mesh *mesh);

#endif
