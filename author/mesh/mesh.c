// The container of visual meshes.

#include "mesh/mesh.h"

#include "core/error.h"
#include "gltf/gltf.h"

#include <stdlib.h>
#include <string.h>

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

bool pliant_mesh_add_colours(pliant_mesh *mesh)
{
    free(mesh->colours);
    mesh->colours = malloc(((size_t)mesh->vertex_count + 1) * sizeof *mesh->colours);
    for (int32_t i = 0; mesh->colours && i < mesh->vertex_count; ++i)
        for (int k = 0; k < 3; ++k)
            mesh->colours[i][k] = 1.0f;
    return mesh->colours != NULL;
}

void pliant_mesh_destroy(pliant_mesh *mesh)
{
    if (!mesh)
        return;
    free(mesh->positions);
    free(mesh->normals);
    free(mesh->coordinates);
    free(mesh->colours);
    free(mesh->triangles);
    free(mesh->parts);
    pli_gltf_close(mesh->document);
    pliant_rig_destroy(mesh->rig);
    free(mesh);
}

pliant_mesh *pli_mesh_copy(const pliant_mesh *mesh, pliant_error *error)
{
    pliant_mesh *copy =
        pliant_mesh_create(mesh->vertex_count, mesh->triangle_count, mesh->part_count);
    if (!copy || (mesh->colours && !pliant_mesh_add_colours(copy))) {
        pliant_mesh_destroy(copy);
        pli_error_memory(error);
        return NULL;
    }
    size_t vertices = (size_t)mesh->vertex_count;
    memcpy(copy->positions, mesh->positions, vertices * sizeof *mesh->positions);
    memcpy(copy->normals, mesh->normals, vertices * sizeof *mesh->normals);
    memcpy(copy->coordinates, mesh->coordinates, vertices * sizeof *mesh->coordinates);
    if (mesh->colours)
        memcpy(copy->colours, mesh->colours, vertices * sizeof *mesh->colours);
    memcpy(copy->triangles, mesh->triangles,
           3 * (size_t)mesh->triangle_count * sizeof *mesh->triangles);
    memcpy(copy->parts, mesh->parts, (size_t)mesh->part_count * sizeof *mesh->parts);
    return copy;
}
