// Masses from what belongs to each particle.

#include "core/error.h"
#include "draft/check.h"
#include "draft/tools.h"
#include "mesh/spread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

pliant_mass_def pliant_default_mass_def(void)
{
    return (pliant_mass_def){.density = 1000.0f};
}

// The surface of a node or of what belongs to a particle.
typedef struct shell {
    double area, thin; // of all, and of what has its other side near
    double half;       // Σ area · thickness / 2 of that
    double moments[6]; // the same times n nᵀ: xx, yy, zz, yz, zx, xy
} shell;

typedef struct weighing {
    const matter *matter;
    shell *shells; // of surface nodes
    shell *own;    // of particles
    double *inside;
    int32_t *nodes; // where particles are
    matter_search search;
} weighing;

static void add_shell(shell *to, const shell *s)
{
    to->area += s->area;
    to->thin += s->thin;
    to->half += s->half;
    for (int i = 0; i < 6; ++i)
        to->moments[i] += s->moments[i];
}

static shell shell_of(vec3 normal, double area, float thickness)
{
    shell s = {.area = area};
    if (!(thickness < INFINITY))
        return s;
    s.thin = area;
    s.half = 0.5 * thickness * area;
    double n[3] = {normal.x, normal.y, normal.z};
    for (int i = 0; i < 3; ++i) {
        s.moments[i] = s.half * n[i] * n[i];
        s.moments[3 + i] = s.half * n[(i + 1) % 3] * n[(i + 2) % 3];
    }
    return s;
}

// Of each triangle a third for each corner's node.
static void measure_shells(weighing *w)
{
    const matter *m = w->matter;
    const refined_mesh *mesh = m->mesh;
    for (int32_t i = 0; i < mesh->triangle_count; ++i) {
        const int32_t *c = mesh->triangles + 3 * (size_t)i;
        vec3 a = mesh->points[c[0]];
        vec3 normal = vec3_cross(vec3_sub(mesh->points[c[1]], a), vec3_sub(mesh->points[c[2]], a));
        float length = vec3_length(normal);
        for (int k = 0; k < 3 && length > 0.0f; ++k) {
            int32_t node = m->node_of_point[c[k]];
            shell part = shell_of(vec3_scale(normal, 1.0f / length), (double)length / 6.0,
                                  m->nodes[node].thickness);
            add_shell(&w->shells[node], &part);
        }
    }
}

// What belongs to each particle: the nodes it is the nearest to.
static bool divide(weighing *w, const int32_t *nodes, int count)
{
    const matter *m = w->matter;
    if (!pli_matter_search_run(&w->search, nodes, count, INFINITY))
        return false;
    for (int32_t k = 0; k < w->search.reached_count; ++k) {
        int32_t node = w->search.reached[k], owner = w->search.sources[node];
        w->inside[owner] += m->nodes[node].volume;
        if (node < m->surface_count)
            add_shell(&w->own[owner], &w->shells[node]);
    }
    return true;
}

// In a thin part Σ area · thickness / 2 · n nᵀ has the volume as its eigenvalue in every direction in which the
// surface closes: across a sheet, both ways across a limb. Here its part of their sum, of all that lies as far
// around a particle as its part of the object is thick.
static double closed_part(weighing *w, int32_t node, double thickness)
{
    shell around = {0};
    pli_matter_search_run(&w->search, &node, 1,
                          1.25f * (float)thickness + 2.0f * w->matter->grid.size);
    for (int32_t k = 0; k < w->search.reached_count; ++k)
        if (w->search.reached[k] < w->matter->surface_count)
            add_shell(&around, &w->shells[w->search.reached[k]]);
    spread s = {.weight = around.half};
    memcpy(s.moments, around.moments, sizeof s.moments);
    vec3 axes[3];
    double parts[3];
    pli_spread_axes(&s, axes, parts);
    return parts[2];
}

// Of thick parts the cells tell more, and where there are none it is an open sheet.
static double volume_of(weighing *w, int particle, int32_t node, float thickness)
{
    const shell *own = &w->own[particle];
    if (own->thin > 0.5 * own->area && own->half > 0.0)
        return own->half * closed_part(w, node, 2.0 * own->half / own->thin);
    return w->inside[particle] > 0.0 ? w->inside[particle] : own->area * thickness;
}

// Raises masses to a quarter of the mean while their sum stays. The mean of raised ones is itself higher: a few rounds
// find the level, each four times as well as the one before.
static void raise_least(double *masses, int count, double total)
{
    double level = 0.0, raised = total;
    for (int round = 0; round < 30; ++round) {
        level = 0.25 * raised / count;
        raised = 0.0;
        for (int i = 0; i < count; ++i)
            raised += masses[i] > level ? masses[i] : level;
    }
    for (int i = 0; i < count; ++i)
        masses[i] = (masses[i] > level ? masses[i] : level) * (total / raised);
}

// By density unless a total is given.
static bool set_masses(weighing *w, pliant_draft *draft, const unsigned char *selected,
                       const pliant_mass_def *def)
{
    float thickness = def->thickness > 0.0f ? def->thickness : 0.1f * draft->spacing;
    double *masses = malloc(((size_t)draft->particle_count + 1) * sizeof *masses), sum = 0.0;
    int count = 0;
    if (!masses)
        return false;
    bool ok = true;
    for (int i = 0; i < draft->particle_count && ok; ++i) {
        ok = pli_progress_tell(draft->progress, (float)i / (float)draft->particle_count);
        if (!selected[i])
            continue;
        masses[count] = def->density * volume_of(w, i, w->nodes[i], thickness);
        sum += masses[count++];
    }
    if (sum > 0.0)
        raise_least(masses, count, sum);
    double scale = def->total > 0.0f ? def->total / sum : 1.0;
    for (int i = 0, k = 0; i < draft->particle_count && ok && sum > 0.0; ++i)
        if (selected[i]) {
            float mass = (float)(masses[k++] * scale);
            draft->particles[i].mass = mass;
            draft->weights[i] =
                (draft_weight){def->density, def->thickness, def->total > 0.0f ? 0.0f : mass};
        }
    free(masses);
    return ok;
}

// To be ended in any case.
static bool begin_weighing(weighing *w, const pliant_draft *draft)
{
    size_t count = (size_t)draft->particle_count + 1;
    *w = (weighing){.matter = draft->matter};
    w->nodes = pli_draft_nodes(draft, 0, NULL);
    w->shells = calloc((size_t)w->matter->surface_count + 1, sizeof *w->shells);
    w->own = calloc(count, sizeof *w->own);
    w->inside = calloc(count, sizeof *w->inside);
    if (!w->nodes || !w->shells || !w->own || !w->inside ||
        !pli_matter_search_begin(&w->search, w->matter))
        return false;
    w->search.progress = draft->progress;
    measure_shells(w);
    return divide(w, w->nodes, draft->particle_count);
}

static void end_weighing(weighing *w)
{
    pli_matter_search_end(&w->search);
    free(w->shells);
    free(w->own);
    free(w->inside);
    free(w->nodes);
}

static pliant_result run_mass(pliant_draft *draft, const pliant_mass_def *def, pliant_error *error)
{
    if (!pli_tool_check_positive(def->density, "density", error) ||
        !pli_tool_check_not_negative(def->thickness, "thickness", error) ||
        !pli_tool_check_not_negative(def->total, "total", error) ||
        pli_draft_guess_scale(draft, error) != PLIANT_OK || !pli_draft_matter(draft, error))
        return error->code;
    unsigned char *selected =
        pli_selection_mask(def->particles, draft->particle_count, "particles", error);
    if (!selected)
        return error->code;
    weighing w;
    bool ok = begin_weighing(&w, draft) && set_masses(&w, draft, selected, def);
    if (ok && !def->particles && def->total == 0.0f) {
        draft->weight = (draft_weight){.density = def->density, .thickness = def->thickness};
        draft->is_weighed = true;
    }
    end_weighing(&w);
    free(selected);
    return ok ? PLIANT_OK : pli_progress_fail(draft->progress, error);
}

pliant_result pliant_draft_mass(pliant_draft *draft, const pliant_mass_def *def,
                                pliant_error *error)
{
    pliant_error local;
    draft_tool tool;
    error = error ? error : &local;
    if (pli_draft_begin_tool(draft, &tool, error) != PLIANT_OK)
        return error->code;
    return pli_draft_end_tool(draft, &tool, run_mass(draft, def, error), error);
}

// ---------------------------------------------------------------------------------------------
// Masses that nobody gave

static bool is_by_density(const pliant_draft *draft, int particle)
{
    float mass = draft->particles[particle].mass;
    return mass == 0.0f || mass == draft->weights[particle].found;
}

static bool is_to_be_weighed(const pliant_draft *draft)
{
    bool is_any_by_density = false;
    for (int i = 0; i < draft->particle_count; ++i) {
        if (draft->particles[i].mass == 0.0f)
            return true;
        is_any_by_density = is_any_by_density || is_by_density(draft, i);
    }
    return is_any_by_density && !draft->is_weighed;
}

// Where the mesh has neither area nor inside a particle weighs what its ellipsoid would.
static void weigh_ellipsoids(pliant_draft *draft)
{
    for (int i = 0; i < draft->particle_count; ++i) {
        vec3 r = draft->particles[i].radii;
        if (draft->particles[i].mass == 0.0f)
            draft->particles[i].mass = draft->weights[i].found =
                maximum(4.18879f * r.x * r.y * r.z * draft->weights[i].density, 1e-9f);
    }
}

// All that share density and thickness at once, because the least of them depends on the others.
static bool weigh_by_density(weighing *w, pliant_draft *draft)
{
    size_t count = (size_t)draft->particle_count + 1;
    unsigned char *waits = calloc(count, 1), *alike = malloc(count);
    bool ok = waits && alike;
    for (int i = 0; ok && i < draft->particle_count; ++i)
        waits[i] = is_by_density(draft, i);
    for (int i = 0; ok && i < draft->particle_count; ++i) {
        if (!waits[i])
            continue;
        draft_weight first = draft->weights[i];
        for (int k = 0; k < draft->particle_count; ++k) {
            draft_weight weight = draft->weights[k];
            alike[k] =
                waits[k] && weight.density == first.density && weight.thickness == first.thickness;
            waits[k] = waits[k] && !alike[k];
        }
        pliant_mass_def def = {.density = first.density, .thickness = first.thickness};
        ok = set_masses(w, draft, alike, &def);
    }
    free(waits);
    free(alike);
    return ok;
}

static pliant_result run_weigh(pliant_draft *draft, pliant_error *error)
{
    if (pli_draft_guess_scale(draft, error) != PLIANT_OK || !pli_draft_matter(draft, error))
        return error->code;
    weighing w;
    bool ok = begin_weighing(&w, draft) && weigh_by_density(&w, draft);
    end_weighing(&w);
    weigh_ellipsoids(draft);
    return ok ? PLIANT_OK : pli_progress_fail(draft->progress, error);
}

// Without a scale one is guessed for this once, so that it is in no later tool's way.
pliant_result pliant_draft_weigh(pliant_draft *draft, pliant_error *error)
{
    pliant_error local;
    if (!is_to_be_weighed(draft))
        return PLIANT_OK;
    draft_tool tool;
    error = error ? error : &local;
    if (pli_draft_begin_tool(draft, &tool, error) != PLIANT_OK)
        return error->code;
    float spacing = draft->spacing, bridge = draft->bridge;
    pliant_result result = run_weigh(draft, error);
    pli_draft_change_scale(draft, spacing, bridge);
    draft->is_weighed = result == PLIANT_OK;
    return pli_draft_end_tool(draft, &tool, result, error);
}
