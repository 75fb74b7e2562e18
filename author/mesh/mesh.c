// The container of visual meshes.

#include <pliant/mesh.h>

#include "io/gltf.h"

#include <stdlib.h>

pliant_mesh *pliant_mesh_create(int32_t vertex_count, int32_t triangle_count, int32_t part_count)
{
    pliant_mesh *mesh = calloc(1, sizeof *mesh);
    if (!mesh)
        return NULL;
    mesh->vertex_count = vertex_count;
    mesh->triangle_count = triangle_count;
    mesh->part_count = part_count;
    // One more of each: what is empty has an address all the same.
    mesh->positions = calloc((size_t)vertex_count + 1, sizeof *mesh->positions);
    mesh->normals = calloc((size_t)vertex_count + 1, sizeof *mesh->normals);
    mesh->coordinates = calloc((size_t)vertex_count + 1, sizeof *mesh->coordinates);
    mesh->triangles = calloc((size_t)triangle_count + 1, 3 * sizeof *mesh->triangles);
    mesh->parts = calloc((size_t)part_count + 1, sizeof *mesh->parts);
    if (!mesh->positions || !mesh->normals || !mesh->coordinates || !mesh->triangles ||
        !mesh->parts) {
        pliant_mesh_destroy(mesh);
        return NULL;
    }
    return mesh;
}

void pliant_mesh_destroy(pliant_mesh *mesh)
{
    if (!mesh)
        return;
    free(mesh->positions);
    free(mesh->normals);
    free(mesh->coordinates);
    free(mesh->triangles);
    free(mesh->parts);
    pli_gltf_close(mesh->document);
    free(mesh);
}
