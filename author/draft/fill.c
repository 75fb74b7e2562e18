// Particles inside, on a cubic lattice.

#include "core/error.h"
#include "draft/check.h"
#include "draft/neighbourhood.h"
#include "mesh/surface_search.h"

#include <stdlib.h>

enum { MOST_PARTICLES = 1000000 };

pliant_fill_def pliant_default_fill_def(void)
{
    pliant_fill_def def = {.particle = pliant_default_particle_def()};
    def.particle.radii = (vec3){0, 0, 0};
    def.particle.mass = 0.0f;
    return def;
}

static bool *mark_pieces(const pliant_draft *draft, const unsigned char *selected)
{
    const topology *t = draft->topology;
    bool *marked = calloc((size_t)t->piece_count + 1, sizeof *marked);
    for (int32_t v = 0; marked && v < draft->mesh->vertex_count; ++v)
        if (selected[v])
            marked[t->piece_of_point[t->point_of_vertex[v]]] = true;
    return marked;
}

// Whether x lies in a piece that is to be filled, deep enough. When the surface is further away than the middle of
// an inner cell, x is inside, too.
static bool is_deep(const pliant_draft *draft, const bool *pieces, vec3 x, int32_t node,
                    float clearance)
{
    const matter_node *at = &draft->matter->nodes[node];
    if (node < draft->matter->surface_count || !pieces[at->piece])
        return false;
    surface_search surface = {draft->mesh, draft->topology->tree};
    vec3 off = vec3_sub(x, at->centre);
    double least2 = maximum(clearance * clearance, vec3_dot(off, off));
    return pli_surface_nearest(&surface, x).distance2 >= least2;
}

static pliant_result place_lattice(pliant_draft *draft, const pliant_fill_def *def,
                                   const bool *pieces, cell_map *sites, neighbourhood *near,
                                   pliant_error *error)
{
    const matter *m = draft->matter;
    cell_grid lattice = {m->grid.origin, def->spacing};
    pliant_particle_def particle = def->particle;
    particle.radii = pli_draft_radii(&def->particle, 0.6f * def->spacing);
    for (int32_t n = m->surface_count; n < m->node_count; ++n) {
        if (!progress_goes_on(draft->progress, n - m->surface_count,
                              m->node_count - m->surface_count))
            return pli_progress_fail(draft->progress, error);
        cell site = cell_at(&lattice, m->nodes[n].centre);
        int32_t known = sites->count;
        int32_t number = pli_cell_map_add(sites, site);
        if (number < 0)
            return pli_error_memory(error);
        if (number < known)
            continue;
        particle.position = cell_centre(&lattice, site);
        int32_t node = pli_matter_find(m, particle.position, -1);
        if (!is_deep(draft, pieces, particle.position, node, near->distance) ||
            !pli_neighbourhood_is_free(near, node, particle.position))
            continue;
        if (draft->particle_count >= MOST_PARTICLES)
            return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "spacing",
                                 "%g m would give more than %d particles", (double)def->spacing,
                                 MOST_PARTICLES);
        if (!pli_draft_reserve_particles(draft, 1))
            return pli_error_memory(error);
        pli_draft_append_particle(draft, &particle, (draft_anchor){particle.position, -1});
        if (!pli_neighbourhood_add(near, node, draft->particle_count - 1))
            return pli_error_memory(error);
    }
    return PLIANT_OK;
}

static pliant_result run_fill(pliant_draft *draft, const pliant_fill_def *def, pliant_error *error)
{
    if (!pli_tool_check_positive(def->spacing, "spacing", error) ||
        !pli_tool_check_not_negative(def->clearance, "clearance", error) ||
        pli_draft_want_scale(draft, def->spacing, error) != PLIANT_OK ||
        !pli_draft_matter(draft, error))
        return error->code;
    unsigned char *selected =
        pli_selection_mask(def->vertices, draft->mesh->vertex_count, "vertices", error);
    if (!selected)
        return error->code;
    float clearance = def->clearance > 0.0f ? def->clearance : 0.7f * def->spacing;
    cell_map sites = {0};
    neighbourhood near = {0};
    bool *pieces = mark_pieces(draft, selected);
    pliant_result result;
    if (pieces && pli_neighbourhood_begin(&near, draft, clearance, (vec3){0, 0, 0}, INFINITY))
        result = place_lattice(draft, def, pieces, &sites, &near, error);
    else
        result = pli_progress_fail(draft->progress, error);
    pli_neighbourhood_end(&near);
    pli_cell_map_release(&sites);
    free(pieces);
    free(selected);
    return result;
}

pliant_result pliant_draft_fill(pliant_draft *draft, const pliant_fill_def *def,
                                pliant_error *error)
{
    pliant_error local;
    draft_tool tool;
    error = error ? error : &local;
    if (pli_draft_begin_tool(draft, &tool, error) != PLIANT_OK)
        return error->code;
    return pli_draft_end_tool(draft, &tool, run_fill(draft, def, error), error);
}
