// Models in GLBs: the mesh's file with the model's blob in the extension PLIANT_model.

#include "model_glb.h"

#include "core/error.h"
#include "gltf/gltf_bytes.h"
#include "gltf/gltf_write.h"

#include <pliant/author.h>

#include <stdlib.h>

static pliant_result differ(pliant_error *error, pliant_result code, const char *what, int model,
                            int mesh)
{
    return pli_error_set(error, code, what, "the model was made for %d of them, the mesh has %d",
                         model, mesh);
}

static bool is_same_place(pliant_vec3 a, pliant_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Positions by value, for which -0 and 0 are the same: a file's transforms may make one of the other.
pliant_result pli_model_check_mesh(const pliant_model *model, const pliant_mesh *mesh,
                                   pliant_result code, pliant_error *error)
{
    int vertices = pliant_model_vertex_count(model), triangles = pliant_model_triangle_count(model);
    if (vertices != mesh->vertex_count)
        return differ(error, code, "vertices", vertices, mesh->vertex_count);
    if (triangles != mesh->triangle_count)
        return differ(error, code, "triangles", triangles, mesh->triangle_count);
    for (int i = 0; i < vertices; ++i) {
        if (!is_same_place(pliant_model_vertices(model)[i].position, mesh->positions[i]))
            return pli_error_set_at(error, code, "vertex", i,
                                    "it is not where it was when the model was made");
    }
    for (int i = 0; i < 3 * triangles; ++i) {
        if (pliant_model_triangles(model)[i] != mesh->triangles[i])
            return pli_error_set_at(error, code, "triangle", i / 3,
                                    "it has other corners than when the model was made");
    }
    return PLIANT_OK;
}

// A mesh made by a program gets a document the way every other one does: it is read.
static pliant_result write_arrays_with(const gltf_bytes *blob, const pliant_mesh *mesh, void **data,
                                       size_t *size, pliant_error *error)
{
    void *plain;
    size_t plain_size;
    pliant_result result = pliant_mesh_write(mesh, &plain, &plain_size, error);
    if (result != PLIANT_OK)
        return result;
    pliant_error inner = {0};
    pliant_gltf *gltf = pli_gltf_open(plain, plain_size, NULL, NULL, &inner);
    free(plain);
    if (!gltf)
        return pli_error_set(error, inner.code, inner.place, "%s", inner.message);
    result = pli_gltf_write(gltf, blob, data, size, error);
    pli_gltf_close(gltf);
    return result;
}

pliant_result pliant_model_write_glb(const pliant_model *model, const pliant_mesh *mesh,
                                     void **data, size_t *size, pliant_error *error)
{
    pliant_result result = pli_model_check_mesh(model, mesh, PLIANT_ERROR_ARGUMENT, error);
    if (result != PLIANT_OK)
        return result;
    size_t blob_size = pliant_model_blob_size(model);
    unsigned char *bytes = malloc(blob_size);
    if (!bytes)
        return pli_error_memory(error);
    pliant_model_save(model, bytes);
    gltf_bytes blob = {bytes, blob_size};
    result = mesh->document ? pli_gltf_write(mesh->document, &blob, data, size, error)
                            : write_arrays_with(&blob, mesh, data, size, error);
    free(bytes);
    return result;
}

bool pliant_mesh_has_model(const pliant_mesh *mesh)
{
    return mesh->document && pli_gltf_model_extension(mesh->document) != JSON_NONE;
}

static const char blob_place[] = "extensions." GLTF_MODEL_EXTENSION ".bufferView";

pliant_model *pliant_mesh_load_model(const pliant_mesh *mesh, pliant_error *error)
{
    if (!pliant_mesh_has_model(mesh)) {
        pli_error_set(error, PLIANT_ERROR_FORMAT, "",
                      "there is no model in it; pliant author makes one");
        return NULL;
    }
    int view = pli_gltf_model_view(mesh->document);
    gltf_bytes blob = {NULL, 0};
    if (view >= 0)
        blob = pli_gltf_view_bytes(mesh->document, view);
    if (!blob.bytes) {
        pli_error_set(error, PLIANT_ERROR_FORMAT, blob_place,
                      view < 0 ? "no such buffer view" : "its buffer has no bytes");
        return NULL;
    }
    pliant_model *model = pliant_model_load(blob.bytes, blob.size, NULL, error);
    if (model && pli_model_check_mesh(model, mesh, PLIANT_ERROR_FORMAT, error) != PLIANT_OK) {
        pliant_model_destroy(model);
        return NULL;
    }
    return model;
}

pliant_model *pliant_model_read(const void *data, size_t size, const char *directory,
                                pliant_mesh **mesh, pliant_error *error)
{
    *mesh = NULL;
    pliant_file_kind kind = pliant_file_detect(data, size);
    if (kind != PLIANT_FILE_GLB && kind != PLIANT_FILE_GLTF)
        return pliant_model_load(data, size, NULL, error);
    *mesh = pliant_mesh_read(data, size, directory, NULL, error);
    pliant_model *model = *mesh ? pliant_mesh_load_model(*mesh, error) : NULL;
    if (!model) {
        pliant_mesh_destroy(*mesh);
        *mesh = NULL;
    }
    return model;
}
