// Selections of vertices, and what selections of vertices and particles share.

#include "mesh/select.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

void pliant_selection_release(pliant_selection *selection)
{
    free(selection->indices);
    *selection = (pliant_selection){0};
}

pliant_result pli_selection_from_mask(const unsigned char *mask, int32_t count,
                                      pliant_selection *selection, pliant_error *error)
{
    int32_t *indices = malloc(((size_t)count + 1) * sizeof *indices);
    if (!indices)
        return pli_error_memory(error);
    *selection = (pliant_selection){.indices = indices};
    for (int32_t i = 0; i < count; ++i)
        if (mask[i])
            indices[selection->count++] = i;
    return PLIANT_OK;
}

pliant_result pli_selection_replace(pliant_selection *selection, const unsigned char *mask,
                                    int32_t count, pliant_error *error)
{
    pliant_selection replacement;
    pliant_result result = pli_selection_from_mask(mask, count, &replacement, error);
    if (result != PLIANT_OK)
        return result;
    pliant_selection_release(selection);
    *selection = replacement;
    return PLIANT_OK;
}

unsigned char *pli_selection_mask(const pliant_selection *selection, int32_t count,
                                  const char *what, pliant_error *error)
{
    unsigned char *mask = malloc((size_t)count + 1);
    if (!mask) {
        pli_error_memory(error);
        return NULL;
    }
    memset(mask, !selection, (size_t)count + 1);
    for (int32_t i = 0; selection && i < selection->count; ++i) {
        int32_t index = selection->indices[i];
        if (index < 0 || index >= count) {
            pli_error_set(error, PLIANT_ERROR_ARGUMENT, what, "%d of %d", index, count);
            free(mask);
            return NULL;
        }
        mask[index] = 1;
    }
    return mask;
}

// ---------------------------------------------------------------------------------------------
// Regions

static pliant_result check_name(const pliant_region *region, pliant_error *error)
{
    if (!memchr(region->name, 0, sizeof region->name))
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "name",
                             "expected at most %zu bytes of text", sizeof region->name - 1);
    return PLIANT_OK;
}

static pliant_result check_box(const pliant_region *region, pliant_error *error)
{
    vec3 a = region->minimum, b = region->maximum;
    if (!vec3_is_finite(a))
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "minimum", "expected finite numbers");
    if (!vec3_is_finite(b))
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "maximum", "expected finite numbers");
    if (a.x > b.x || a.y > b.y || a.z > b.z)
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "maximum",
                             "expected no number below the minimum's");
    return PLIANT_OK;
}

static pliant_result check_sphere(const pliant_region *region, pliant_error *error)
{
    if (!vec3_is_finite(region->centre))
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "centre", "expected finite numbers");
    if (!(region->radius > 0.0f) || !is_finite(region->radius))
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "radius", "expected a number above 0");
    return PLIANT_OK;
}

pliant_result pli_region_check(const pliant_region *region, pliant_error *error)
{
    switch (region->kind) {
    case PLIANT_REGION_ALL:
        return PLIANT_OK;
    case PLIANT_REGION_PART:
    case PLIANT_REGION_MATERIAL:
        return check_name(region, error);
    case PLIANT_REGION_BOX:
        return check_box(region, error);
    case PLIANT_REGION_SPHERE:
        return check_sphere(region, error);
    }
    return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "kind", "there is no region %d",
                         (int)region->kind);
}

bool pli_region_is_named(const pliant_region *region)
{
    return region->kind == PLIANT_REGION_PART || region->kind == PLIANT_REGION_MATERIAL;
}

// An asterisk at the end of the pattern stands for any ending.
static bool matches(const char *pattern, const char *name)
{
    size_t length = strlen(pattern);
    if (length > 0 && pattern[length - 1] == '*')
        return strncmp(pattern, name, length - 1) == 0;
    return strcmp(pattern, name) == 0;
}

bool pli_region_has_part(const pliant_region *region, const pliant_mesh_part *part)
{
    return matches(region->name,
                   region->kind == PLIANT_REGION_MATERIAL ? part->material : part->name);
}

bool pli_region_has_point(const pliant_region *region, vec3 x)
{
    vec3 a = region->minimum, b = region->maximum;
    switch (region->kind) {
    case PLIANT_REGION_BOX:
        return x.x >= a.x && x.x <= b.x && x.y >= a.y && x.y <= b.y && x.z >= a.z && x.z <= b.z;
    case PLIANT_REGION_SPHERE:
        return vec3_length(vec3_sub(x, region->centre)) <= region->radius;
    default:
        return true;
    }
}

// ---------------------------------------------------------------------------------------------
// Vertices

static bool is_within(int32_t first, int32_t count, int32_t all)
{
    return first >= 0 && count >= 0 && first <= all && count <= all - first;
}

pliant_result pli_mesh_check_triangles(const pliant_mesh *mesh, pliant_error *error)
{
    for (int32_t i = 0; i < mesh->triangle_count; ++i)
        for (int k = 0; k < 3; ++k)
            if (mesh->triangles[3 * i + k] < 0 || mesh->triangles[3 * i + k] >= mesh->vertex_count)
                return pli_error_set_at(error, PLIANT_ERROR_ARGUMENT, "triangle", i,
                                        "vertex %d of %d", mesh->triangles[3 * i + k],
                                        mesh->vertex_count);
    return PLIANT_OK;
}

pliant_result pli_mesh_check_part(const pliant_mesh *mesh, int32_t index, pliant_error *error)
{
    const pliant_mesh_part *part = &mesh->parts[index];
    if (!is_within(part->first_vertex, part->vertex_count, mesh->vertex_count))
        return pli_error_set_at(error, PLIANT_ERROR_ARGUMENT, "part", index,
                                "its vertices are not in the mesh");
    if (!is_within(part->first_triangle, part->triangle_count, mesh->triangle_count))
        return pli_error_set_at(error, PLIANT_ERROR_ARGUMENT, "part", index,
                                "its triangles are not in the mesh");
    return PLIANT_OK;
}

static pliant_result mark_parts(const pliant_mesh *mesh, const pliant_region *region,
                                unsigned char *mask, pliant_error *error)
{
    for (int32_t i = 0; i < mesh->part_count; ++i) {
        const pliant_mesh_part *part = &mesh->parts[i];
        if (!pli_region_has_part(region, part))
            continue;
        pliant_result result = pli_mesh_check_part(mesh, i, error);
        if (result != PLIANT_OK)
            return result;
        memset(mask + part->first_vertex, 1, (size_t)part->vertex_count);
    }
    return PLIANT_OK;
}

pliant_result pliant_mesh_select(const pliant_mesh *mesh, const pliant_region *region,
                                 pliant_selection *selection, pliant_error *error)
{
    pliant_result result = pli_region_check(region, error);
    if (result != PLIANT_OK)
        return result;
    unsigned char *mask = calloc((size_t)mesh->vertex_count + 1, 1);
    if (!mask)
        return pli_error_memory(error);
    if (pli_region_is_named(region))
        result = mark_parts(mesh, region, mask, error);
    else
        for (int32_t v = 0; v < mesh->vertex_count; ++v)
            mask[v] = pli_region_has_point(region, mesh->positions[v]);
    if (result == PLIANT_OK)
        result = pli_selection_from_mask(mask, mesh->vertex_count, selection, error);
    free(mask);
    return result;
}
