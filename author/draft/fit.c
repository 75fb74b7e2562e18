// Ellipsoids from the surface around each particle: paper 000, section 6.2, with the covariance about the
// centroid and its eigenvectors instead of a polar decomposition (which is the identity here).

#include "core/error.h"
#include "draft/check.h"
#include "draft/tools.h"
#include "math/quat.h"
#include "mesh/spread.h"

#include <math.h>
#include <stdlib.h>

// Of the time, where particles are merged.
#define MERGE_BEGIN 0.8f

pliant_fit_def pliant_default_fit_def(void)
{
    return (pliant_fit_def){.aspect = 2.0f};
}

typedef struct fitting {
    pliant_draft *draft;
    matter_search search; // of the particle at hand
} fitting;

// Whether it does with this particle; each takes long enough to tell of it.
static bool goes_on(const fitting *f, int particle)
{
    return pli_progress_tell(f->draft->progress, (float)particle / (float)f->draft->particle_count);
}

// The surface within r of x, as far as the search has come.
static spread gather(const fitting *f, vec3 x, float r, int *count)
{
    const matter *m = f->draft->matter;
    spread s;
    pli_spread_begin(&s, x);
    *count = 0;
    for (int32_t k = 0; k < f->search.reached_count; ++k) {
        int32_t node = f->search.reached[k];
        for (int32_t i = node < m->surface_count ? m->first_point_of_node[node] : 0;
             node < m->surface_count && i < m->first_point_of_node[node + 1]; ++i) {
            int32_t p = m->points_of_node[i];
            vec3 d = vec3_sub(m->mesh->points[p], x);
            if (vec3_dot(d, d) > r * r)
                continue;
            pli_spread_add(&s, m->mesh->points[p], m->mesh->areas[p]);
            ++*count;
        }
    }
    return s;
}

static void measure_extents(const fitting *f, vec3 x, float r, const vec3 axes[3], float extents[3])
{
    const matter *m = f->draft->matter;
    for (int32_t k = 0; k < f->search.reached_count; ++k) {
        int32_t node = f->search.reached[k];
        for (int32_t i = node < m->surface_count ? m->first_point_of_node[node] : 0;
             node < m->surface_count && i < m->first_point_of_node[node + 1]; ++i) {
            vec3 d = vec3_sub(m->mesh->points[m->points_of_node[i]], x);
            for (int a = 0; vec3_dot(d, d) <= r * r && a < 3; ++a) {
                float extent = vec3_dot(axes[a], d);
                extent = extent < 0.0f ? -extent : extent;
                extents[a] = extent > extents[a] ? extent : extents[a];
            }
        }
    }
}

// Too few points, or all on a line, tell no shape: then twice as far, at most, is looked at.
static bool find_axes(const fitting *f, vec3 x, float r, float *reach, vec3 axes[3])
{
    for (int half = 2; half <= 4; ++half) {
        int count;
        *reach = 0.5f * (float)half * r;
        spread s = gather(f, x, *reach, &count);
        double variances[3];
        if (count < 4 || !(s.weight > 0.0))
            continue;
        pli_spread_axes(&s, axes, variances);
        if (variances[1] >= 1e-6 * variances[2] && variances[2] > 0.0)
            return true;
    }
    return false;
}

// Towards the centroid, but only across: in directions in which the surface around has less variance than a
// disc of radius r. Moving along a limb or a sheet too would draw its ends and borders in.
static vec3 drift(const fitting *f, vec3 x, float r)
{
    int count;
    spread s = gather(f, x, r, &count);
    if (count < 4 || !(s.weight > 0.0))
        return x;
    vec3 axes[3], way = vec3_sub(pli_spread_centre(&s), x);
    double variances[3];
    pli_spread_axes(&s, axes, variances);
    for (int a = 0; a < 3; ++a)
        if (variances[a] < 0.2 * (double)r * r)
            x = vec3_add_scaled(x, axes[a], vec3_dot(axes[a], way));
    return x;
}

static void fit_particle(fitting *f, pliant_particle_def *particle, int32_t node, float r,
                         const pliant_fit_def *def)
{
    // Ways along nodes are longer than straight ones; around a limb by half its girth.
    pli_matter_search_run(&f->search, &node, 1, 2.5f * r);
    for (int round = 0; round < def->drift; ++round)
        particle->position = drift(f, particle->position, r);
    f->draft->is_weighed = f->draft->is_weighed && def->drift == 0;
    vec3 axes[3];
    float reach, extents[3] = {0.0f, 0.0f, 0.0f};
    particle->orientation = quat_identity();
    particle->radii = (vec3){r, r, r};
    if (!find_axes(f, particle->position, r, &reach, axes))
        return;
    measure_extents(f, particle->position, reach, axes, extents);
    for (int a = 0; a < 3; ++a) {
        extents[a] = extents[a] > r ? r : extents[a];
        extents[a] = extents[a] < r / def->aspect ? r / def->aspect : extents[a];
    }
    particle->orientation = quat_from_axes(axes[0], axes[1], axes[2]);
    particle->radii = (vec3){extents[0], extents[1], extents[2]};
}

typedef struct merging {
    const unsigned char *selected;
    float distance;
    int32_t *nodes, *heads, *following; // particles by node
    unsigned char *gone;
} merging;

static void sort_by_node(const pliant_draft *draft, merging *g)
{
    for (int32_t n = 0; n < draft->matter->node_count; ++n)
        g->heads[n] = -1;
    for (int32_t i = draft->particle_count; i-- > 0;) {
        if (g->nodes[i] < 0)
            continue;
        g->following[i] = g->heads[g->nodes[i]];
        g->heads[g->nodes[i]] = i;
    }
}

// Whether another one that stays is as near as that. Ways along nodes are longer than straight ones, and begin and
// end up to a cell off.
static bool is_merged(fitting *f, const merging *g, int32_t particle)
{
    const pliant_particle_def *particles = f->draft->particles;
    if (!g->selected[particle] || g->nodes[particle] < 0)
        return false;
    pli_matter_search_run(&f->search, &g->nodes[particle], 1,
                          1.5f * g->distance + 2.0f * f->draft->matter->grid.size);
    for (int32_t k = 0; k < f->search.reached_count; ++k)
        for (int32_t i = g->heads[f->search.reached[k]]; i >= 0; i = g->following[i]) {
            bool stays = g->selected[i] ? i < particle && !g->gone[i] : true;
            vec3 d = vec3_sub(particles[particle].position, particles[i].position);
            if (stays && vec3_length(d) < g->distance)
                return true;
        }
    return false;
}

static pliant_result merge_particles(fitting *f, const unsigned char *selected, float merge,
                                     pliant_error *error)
{
    pliant_draft *draft = f->draft;
    size_t count = (size_t)draft->particle_count + 1;
    merging g = {.selected = selected, .distance = merge};
    pliant_selection merged = {0, malloc(count * sizeof *merged.indices)};
    g.nodes = pli_draft_nodes(draft, 0, NULL);
    g.following = malloc(count * sizeof *g.following);
    g.heads = malloc(((size_t)draft->matter->node_count + 1) * sizeof *g.heads);
    g.gone = calloc(count, 1);
    pliant_result result;
    if (merged.indices && g.nodes && g.following && g.heads && g.gone) {
        sort_by_node(draft, &g);
        for (int32_t i = 0; i < draft->particle_count && goes_on(f, i); ++i) {
            g.gone[i] = is_merged(f, &g, i);
            if (g.gone[i])
                merged.indices[merged.count++] = i;
        }
        result = pliant_draft_remove(draft, &merged, error);
    } else {
        result = pli_progress_fail(draft->progress, error);
    }
    free(merged.indices);
    free(g.nodes);
    free(g.following);
    free(g.heads);
    free(g.gone);
    return result;
}

pliant_result pli_draft_merge(pliant_draft *draft, const unsigned char *selected, float distance,
                              pliant_error *error)
{
    fitting f = {.draft = draft};
    if (!pli_matter_search_begin(&f.search, draft->matter))
        return pli_error_memory(error);
    pliant_result result = merge_particles(&f, selected, distance, error);
    pli_matter_search_end(&f.search);
    return result;
}

static pliant_result check_def(const pliant_fit_def *def, pliant_error *error)
{
    if (!pli_tool_check_not_negative(def->radius, "radius", error) ||
        !pli_tool_check_not_negative(def->merge, "merge", error))
        return error->code;
    if (!(def->aspect >= 1.0f) || !isfinite(def->aspect))
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "aspect",
                             "expected a number of at least 1");
    if (def->drift < 0 || def->drift > 100)
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "drift",
                             "expected a number from 0 to 100");
    return PLIANT_OK;
}

static float largest_radius(vec3 r)
{
    return maximum(r.x, maximum(r.y, r.z));
}

static pliant_result run_fit(pliant_draft *draft, const pliant_fit_def *def, pliant_error *error)
{
    if (check_def(def, error) != PLIANT_OK)
        return error->code;
    unsigned char *selected =
        pli_selection_mask(def->particles, draft->particle_count, "particles", error);
    if (!selected)
        return error->code;
    float r = def->radius;
    for (int i = 0; i < draft->particle_count && r == 0.0f; ++i)
        r = selected[i] ? largest_radius(draft->particles[i].radii) : 0.0f;
    if (r == 0.0f) { // nothing is selected
        free(selected);
        return PLIANT_OK;
    }
    fitting f = {.draft = draft};
    int32_t *nodes = NULL;
    if (pli_draft_want_scale(draft, r / 0.6f, error) != PLIANT_OK ||
        !pli_draft_matter(draft, error)) {
        free(selected);
        return error->code;
    }
    nodes = pli_draft_nodes(draft, 0, selected);
    pliant_result result = PLIANT_OK;
    progress_range all = pli_progress_range(draft->progress);
    pli_progress_narrow(draft->progress, all, 0.0f, def->merge > 0.0f ? MERGE_BEGIN : 1.0f);
    if (!nodes || !pli_matter_search_begin(&f.search, draft->matter))
        result = pli_progress_fail(draft->progress, error);
    for (int i = 0; i < draft->particle_count && result == PLIANT_OK && goes_on(&f, i); ++i) {
        pliant_particle_def *particle = &draft->particles[i];
        float own = def->radius > 0.0f ? def->radius : largest_radius(particle->radii);
        if (selected[i] && nodes[i] >= 0)
            fit_particle(&f, particle, nodes[i], own, def);
    }
    pli_progress_narrow(draft->progress, all, MERGE_BEGIN, 1.0f);
    if (result == PLIANT_OK && def->merge > 0.0f)
        result = merge_particles(&f, selected, def->merge, error);
    pli_matter_search_end(&f.search);
    free(nodes);
    free(selected);
    return result;
}

pliant_result pliant_draft_fit(pliant_draft *draft, const pliant_fit_def *def, pliant_error *error)
{
    pliant_error local;
    draft_tool tool;
    error = error ? error : &local;
    if (pli_draft_begin_tool(draft, &tool, error) != PLIANT_OK)
        return error->code;
    return pli_draft_end_tool(draft, &tool, run_fit(draft, def, error), error);
}
