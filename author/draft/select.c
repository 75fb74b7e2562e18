// Selections of particles.

#include "mesh/select.h"
#include "core/error.h"
#include "draft/draft.h"
#include "mesh/surface_search.h"

#include <stdlib.h>
#include <string.h>

// One byte for each triangle: whether its part is in the region.
static unsigned char *mark_triangles(const pliant_mesh *mesh, const pliant_region *region)
{
    unsigned char *mask = calloc((size_t)mesh->triangle_count + 1, 1);
    for (int32_t i = 0; mask && i < mesh->part_count; ++i) {
        const pliant_mesh_part *part = &mesh->parts[i];
        if (pli_region_has_part(region, part))
            memset(mask + part->first_triangle, 1, (size_t)part->triangle_count);
    }
    return mask;
}

static bool has_loose_particles(const pliant_draft *draft)
{
    for (int i = 0; i < draft->particle_count; ++i)
        if (draft->anchors[i].triangle < 0)
            return true;
    return false;
}

// The tree is only made when a particle lies on no triangle.
static bool mark_by_name(const pliant_draft *draft, const pliant_region *region,
                         unsigned char *mask)
{
    bool searches = has_loose_particles(draft);
    const surface_search *search = searches ? pli_draft_surface(draft) : NULL;
    unsigned char *triangles = mark_triangles(draft->mesh, region);
    bool ok = triangles && (search || !searches);
    for (int i = 0; ok && i < draft->particle_count; ++i) {
        int32_t triangle = draft->anchors[i].triangle;
        if (triangle < 0)
            triangle = pli_surface_nearest(search, draft->particles[i].position).triangle;
        mask[i] = triangle >= 0 && triangles[triangle];
    }
    free(triangles);
    return ok;
}

pliant_result pliant_draft_select(const pliant_draft *draft, const pliant_region *region,
                                  pliant_selection *selection, pliant_error *error)
{
    pliant_result result = pli_region_check(region, error);
    if (result != PLIANT_OK)
        return result;
    unsigned char *mask = calloc((size_t)draft->particle_count + 1, 1);
    bool ok = mask != NULL;
    if (ok && pli_region_is_named(region))
        ok = mark_by_name(draft, region, mask);
    for (int i = 0; ok && !pli_region_is_named(region) && i < draft->particle_count; ++i)
        mask[i] = pli_region_has_point(region, draft->particles[i].position);
    result = ok ? pli_selection_from_mask(mask, draft->particle_count, selection, error)
                : pli_error_memory(error);
    free(mask);
    return result;
}

pliant_result pli_draft_mask(const pliant_draft *draft, const pliant_selection *particles,
                             unsigned char **mask, pliant_error *error)
{
    pliant_error local;
    error = error ? error : &local;
    *mask = pli_selection_mask(particles, draft->particle_count, "particles", error);
    return *mask ? PLIANT_OK : error->code;
}
