// How large a mesh is, and the same mesh in another size.

#include "core/error.h"
#include "gltf/gltf.h"
#include "gltf/gltf_write.h"
#include "math/box.h"
#include "mesh.h"

#include <stdlib.h>
#include <string.h>

// m; what is beyond is likely not in metres.
static const float SMALLEST = 0.05f, LARGEST = 20.0f;

void pliant_mesh_bounds(const pliant_mesh *mesh, pliant_vec3 *low, pliant_vec3 *high)
{
    *low = *high = mesh->vertex_count > 0 ? mesh->positions[0] : (pliant_vec3){0, 0, 0};
    for (int i = 1; i < mesh->vertex_count; ++i) {
        *low = vec3_lowest(*low, mesh->positions[i]);
        *high = vec3_highest(*high, mesh->positions[i]);
    }
}

float pliant_mesh_size(const pliant_mesh *mesh)
{
    pliant_vec3 low, high;
    pliant_mesh_bounds(mesh, &low, &high);
    vec3 size = vec3_sub(high, low);
    return maximum(size.x, maximum(size.y, size.z));
}

float pliant_mesh_guess_scale(const pliant_mesh *mesh)
{
    static const float smaller[] = {0.01f, 0.001f}, larger[] = {100.0f, 1000.0f};
    float size = pliant_mesh_size(mesh);
    if (!(size > 0.0f) || (size >= SMALLEST && size <= LARGEST))
        return 1.0f;
    const float *scales = size > LARGEST ? smaller : larger;
    bool first_is_good = size * scales[0] >= SMALLEST && size * scales[0] <= LARGEST;
    return first_is_good ? scales[0] : scales[1];
}

static pliant_mesh *scaled_file(const pliant_mesh *mesh, float scale, pliant_error *error)
{
    void *data;
    size_t size;
    if (pli_gltf_write_scaled(mesh->document, scale, &data, &size, error) != PLIANT_OK)
        return NULL;
    pliant_gltf *gltf = pli_gltf_open_alone(data, size, NULL, error);
    free(data);
    return gltf ? pli_gltf_flatten(gltf, NULL, error) : NULL;
}

static pliant_mesh *scaled_arrays(const pliant_mesh *mesh, float scale, pliant_error *error)
{
    pliant_mesh *copy = pli_mesh_copy(mesh, error);
    for (int i = 0; copy && i < mesh->vertex_count; ++i)
        copy->positions[i] = vec3_scale(mesh->positions[i], scale);
    return copy;
}

pliant_mesh *pliant_mesh_create_scaled(const pliant_mesh *mesh, float scale, pliant_error *error)
{
    if (!(scale >= 1e-6f && scale <= 1e6f)) {
        pli_error_set(error, PLIANT_ERROR_ARGUMENT, "scale", "it is not between 1e-6 and 1e6");
        return NULL;
    }
    return mesh->document ? scaled_file(mesh, scale, error) : scaled_arrays(mesh, scale, error);
}
