// The shapes of automatic models: particles in thin parts move to their middle, ellipsoids are fitted to the surface around
// them and sink until they do not stand out of it, bare surface gets more of them, and both sides of what is symmetric
// become alike.

#include "auto.h"

#include "core/error.h"
#include "cover.h"
#include "draft/reach.h"
#include "draft/tools.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DRIFT_ROUNDS = 3 };

// How flat the particles may be in thin and in thick parts.
#define THIN_ASPECT  4.0f
#define THICK_ASPECT 2.0f
// Of the surface, spacings that it may be away from the nearest ellipsoid.
#define BARE 0.45f
// Spacings from another particle at which one that was put on bare surface is no use.
#define BESIDE 0.3f
// Spacings from a plane of symmetry, half of them on either side, in which particles come to lie on it.
#define ON_PLANE        0.6f

#define BODY_STIFFNESS  0.7f
#define LIMB_STIFFNESS  0.95f
#define LOOSE_STIFFNESS 0.5f
#define CLOTH_STIFFNESS 0.4f

// ---------------------------------------------------------------------------------------------
// Thin and thick parts

// Whether most of the surface around each particle has its other side near behind it, and how near on the mean.
// From the particle `first` on.
static pliant_result find_thin(pliant_draft *draft, int first, unsigned char **thin,
                               float **thickness, pliant_error *error)
{
    const matter *m = pli_draft_matter(draft, error);
    if (!m)
        return error->code;
    matter_search search = {0};
    size_t count = (size_t)draft->particle_count + 1;
    int32_t *nodes = pli_draft_nodes(draft, first, NULL);
    *thin = calloc(count, sizeof **thin);
    *thickness = calloc(count, sizeof **thickness);
    bool ok = nodes && *thin && *thickness && pli_matter_search_begin(&search, m);
    for (int i = first; i < draft->particle_count && ok; ++i) {
        ok = progress_beats(draft->progress, i);
        float near = 0.0f, all = 0.0f, sum = 0.0f;
        pli_matter_search_run(&search, &nodes[i], 1, 0.75f * draft->spacing);
        for (int32_t k = 0; k < search.reached_count; ++k) {
            const matter_node *node = &m->nodes[search.reached[k]];
            bool is_near = node->thickness < THIN_SPACINGS * draft->spacing;
            near += is_near ? node->area : 0.0f;
            sum += is_near ? node->area * node->thickness : 0.0f;
            all += node->area;
        }
        (*thin)[i] = near > 0.5f * all;
        (*thickness)[i] = near > 0.0f ? sum / near : 0.0f;
    }
    pli_matter_search_end(&search);
    free(nodes);
    return ok ? PLIANT_OK : pli_progress_fail(draft->progress, error);
}

// From the particle `first` on, those whose byte is `value`; release it.
static pliant_result select_by(const unsigned char *bytes, int first, int count,
                               unsigned char value, pliant_selection *selection,
                               pliant_error *error)
{
    *selection = (pliant_selection){0};
    selection->indices = malloc(((size_t)count + 1) * sizeof *selection->indices);
    if (!selection->indices)
        return pli_error_memory(error);
    for (int i = first; i < count; ++i)
        if (bytes[i] == value)
            selection->indices[selection->count++] = i;
    return PLIANT_OK;
}

pliant_result pli_auto_centre_thin(pliant_draft *draft, const auto_plan *plan, int first,
                                   bool merges, pliant_error *error)
{
    unsigned char *thin = NULL;
    float *thickness = NULL;
    pliant_selection selection = {0};
    pliant_result result = find_thin(draft, first, &thin, &thickness, error);
    if (result == PLIANT_OK)
        result = select_by(thin, first, draft->particle_count, 1, &selection, error);
    // Far enough to see the other side, but not what the part is attached to.
    for (int k = 0; k < selection.count; ++k) {
        int32_t i = selection.indices[k];
        float r = minimum(maximum(1.2f * thickness[i], 0.5f * draft->spacing), draft->spacing);
        draft->particles[i].radii = (vec3){r, r, r};
    }
    if (result == PLIANT_OK) {
        pliant_fit_def fit = pliant_default_fit_def();
        fit.particles = &selection;
        fit.drift = plan->def->drift < 0 ? DRIFT_ROUNDS : plan->def->drift;
        fit.merge = merges && fit.drift > 0 ? 0.5f * draft->spacing : 0.0f;
        result = pliant_draft_fit(draft, &fit, error);
    }
    pliant_selection_release(&selection);
    free(thin);
    free(thickness);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Shapes

float pli_auto_thin_thickness(const pliant_draft *draft)
{
    double thin = 0.0, all = 0.0, sum = 0.0;
    const matter *m = draft->matter;
    for (int32_t n = 0; n < m->surface_count; ++n) {
        double area = m->nodes[n].area;
        all += area;
        if (m->nodes[n].thickness < THIN_SPACINGS * draft->spacing) {
            thin += area;
            sum += area * m->nodes[n].thickness;
        }
    }
    return thin > 0.66 * all ? (float)(sum / thin) : 0.0f;
}

static vec3 longest_axis(const pliant_particle_def *particle)
{
    vec3 r = particle->radii;
    bool is_x = r.x >= r.y && r.x >= r.z, is_y = !is_x && r.y >= r.z;
    vec3 own = {is_x, is_y, !is_x && !is_y};
    return quat_rotate(particle->orientation, own);
}

static bool is_within(const pliant_particle_def *particle, vec3 x)
{
    vec3 own = quat_rotate(quat_conjugate(particle->orientation), vec3_sub(x, particle->position));
    vec3 r = particle->radii;
    vec3 scaled = {own.x / r.x, own.y / r.y, own.z / r.z};
    return vec3_dot(scaled, scaled) < 1.0f;
}

// By how far the ellipsoid stands out of the surface, where it does so most, with the normal there.
// In thin parts only the ends count: surface that looks along the part, where the particle is longest.
static float find_overhang(const matter *m, const matter_search *around,
                           const pliant_particle_def *particle, bool ends_only, vec3 *normal)
{
    vec3 along = longest_axis(particle);
    float most = 0.0f;
    for (int32_t k = 0; k < around->reached_count; ++k) {
        int32_t node = around->reached[k];
        for (int32_t i = node < m->surface_count ? m->first_point_of_node[node] : 0;
             node < m->surface_count && i < m->first_point_of_node[node + 1]; ++i) {
            int32_t p = m->points_of_node[i];
            vec3 x = m->mesh->points[p], n = m->mesh->normals[p];
            if (!is_within(particle, x) || (ends_only && fabsf(vec3_dot(n, along)) < 0.7f))
                continue;
            float overhang = reach_of(particle, n) - vec3_dot(n, vec3_sub(x, particle->position));
            if (overhang > most) {
                most = overhang;
                *normal = n;
            }
        }
    }
    return most;
}

static void sink_particle(const matter *m, matter_search *around, int32_t node, bool ends_only,
                          pliant_particle_def *particle)
{
    enum { ROUNDS = 24 };
    vec3 start = particle->position, normal = {0, 0, 0};
    float r = maximum(particle->radii.x, maximum(particle->radii.y, particle->radii.z));
    pli_matter_search_run(around, &node, 1, 2.5f * r);
    for (int round = 0; round < ROUNDS; ++round) {
        float overhang = find_overhang(m, around, particle, ends_only, &normal);
        if (overhang < 0.01f * r)
            break;
        particle->position = vec3_add_scaled(particle->position, normal, -overhang);
        if (vec3_length(vec3_sub(particle->position, start)) > 2.0f * r) {
            particle->position = start; // there is no room for it
            break;
        }
    }
}

static float clamp_reach(float x, float reach, float low, float high)
{
    if (high - low < 2.0f * reach)
        return x;
    return minimum(maximum(x, low + reach), high - reach);
}

// No particle stands out of the object's box: it stands on its whole base. From the particle `first` on.
static void keep_in_box(pliant_draft *draft, const auto_plan *plan, int first)
{
    vec3 low = plan->low, high = plan->high;
    for (int i = first; i < draft->particle_count; ++i) {
        pliant_particle_def *particle = &draft->particles[i];
        vec3 *x = &particle->position;
        x->x = clamp_reach(x->x, reach_of(particle, (vec3){1, 0, 0}), low.x, high.x);
        x->y = clamp_reach(x->y, reach_of(particle, (vec3){0, 1, 0}), low.y, high.y);
        x->z = clamp_reach(x->z, reach_of(particle, (vec3){0, 0, 1}), low.z, high.z);
    }
}

// Particles move in until they do not stand out of the surface: it touches others where it seems to. From the particle
// `first` on.
static pliant_result sink(pliant_draft *draft, const auto_plan *plan, const unsigned char *thin,
                          int first, pliant_error *error)
{
    const matter *m = draft->matter;
    matter_search around = {0};
    int32_t *nodes = pli_draft_nodes(draft, first, NULL);
    bool ok = nodes && pli_matter_search_begin(&around, m);
    for (int i = first; i < draft->particle_count && ok; ++i) {
        ok = pli_progress_tell(draft->progress, (float)i / (float)draft->particle_count);
        if (draft->anchors[i].triangle >= 0 && (thin[i] || is_at_thick_part(m, nodes[i])))
            sink_particle(m, &around, nodes[i], thin[i], &draft->particles[i]);
    }
    keep_in_box(draft, plan, first);
    pli_matter_search_end(&around);
    free(nodes);
    return ok ? PLIANT_OK : pli_progress_fail(draft->progress, error);
}

// Limbs carry the rest and are stiffer; a thing that is thin all over hangs loose.
static float choose_stiffness(const pliant_draft *draft, const auto_plan *plan, bool thin)
{
    if (plan->def->stiffness >= 0.0f)
        return plan->def->stiffness;
    if (plan->def->method == PLIANT_AUTO_SLICE)
        return CLOTH_STIFFNESS;
    return !thin                                   ? BODY_STIFFNESS
           : pli_auto_thin_thickness(draft) > 0.0f ? LOOSE_STIFFNESS
                                                   : LIMB_STIFFNESS;
}

pliant_result pli_auto_shape(pliant_draft *draft, const auto_plan *plan, int first,
                             pliant_error *error)
{
    unsigned char *thin = NULL;
    float *thickness = NULL;
    progress_range all = pli_progress_range(draft->progress);
    pliant_result result = find_thin(draft, first, &thin, &thickness, error);
    for (unsigned char value = 0; value < 2 && result == PLIANT_OK; ++value) {
        pli_progress_narrow(draft->progress, all, 0.4f * value, 0.4f * (float)(value + 1));
        pliant_selection selection;
        pliant_fit_def fit = pliant_default_fit_def();
        float stiffness = choose_stiffness(draft, plan, value);
        result = select_by(thin, first, draft->particle_count, value, &selection, error);
        for (int i = 0; i < selection.count; ++i)
            draft->particles[selection.indices[i]].stiffness = stiffness;
        fit.particles = &selection;
        fit.radius = plan->def->radius > 0.0f ? plan->def->radius : 0.6f * draft->spacing;
        fit.aspect = value ? THIN_ASPECT : THICK_ASPECT;
        if (result == PLIANT_OK && plan->def->method != PLIANT_AUTO_SLICE)
            result = pliant_draft_fit(draft, &fit, error);
        pliant_selection_release(&selection);
    }
    pli_progress_narrow(draft->progress, all, 0.8f, 1.0f);
    if (result == PLIANT_OK && plan->def->method == PLIANT_AUTO_MIXED)
        result = sink(draft, plan, thin, first, error);
    free(thin);
    free(thickness);
    return result;
}

// Of the particles from `first` on, those that have come to lie beside others go.
static pliant_result remove_doubles(pliant_draft *draft, int first, pliant_error *error)
{
    unsigned char *added = calloc((size_t)draft->particle_count + 1, 1);
    if (!added)
        return pli_error_memory(error);
    memset(added + first, 1, (size_t)(draft->particle_count - first));
    pliant_result result = pli_draft_merge(draft, added, BESIDE * draft->spacing, error);
    free(added);
    return result;
}

static pliant_result append_at(pliant_draft *draft, const bare_places *bare, pliant_error *error)
{
    pliant_particle_def particle = pliant_default_spray_def().particle;
    particle.radii = pli_draft_radii(&particle, 0.6f * draft->spacing);
    if (!pli_draft_reserve_particles(draft, bare->count))
        return pli_error_memory(error);
    for (int i = 0; i < bare->count; ++i) {
        particle.position = bare->places[i].position;
        pli_draft_append_particle(draft, &particle, bare->places[i]);
    }
    return PLIANT_OK;
}

// Puts particles where the surface is bare, and gives them their shape.
static pliant_result cover_bare(pliant_draft *draft, const auto_plan *plan, coverage *covered,
                                pliant_error *error)
{
    bare_places bare = {0};
    int first = draft->particle_count;
    pliant_result result =
        pli_coverage_add(covered, draft) &&
                pli_coverage_find_bare(covered, draft, BARE * draft->spacing, &bare)
            ? append_at(draft, &bare, error)
            : pli_progress_fail(draft->progress, error);
    pli_bare_places_release(&bare);
    if (result != PLIANT_OK || draft->particle_count == first)
        return result;
    if (pli_auto_centre_thin(draft, plan, first, false, error) != PLIANT_OK ||
        pli_auto_shape(draft, plan, first, error) != PLIANT_OK)
        return error->code;
    return remove_doubles(draft, first, error);
}

// A particle that was put somewhere may sink away from it: some rounds, until none comes. Then ellipsoids reach out to
// what is left.
static pliant_result cover(pliant_draft *draft, const auto_plan *plan, pliant_error *error)
{
    enum { ROUNDS = 4 };
    coverage covered;
    progress_range all = pli_progress_range(draft->progress);
    pliant_result result =
        pli_coverage_begin(&covered, draft) ? PLIANT_OK : pli_error_memory(error);
    for (int round = 0;
         round < ROUNDS && covered.count != draft->particle_count && result == PLIANT_OK; ++round) {
        pli_progress_round(draft->progress, all, round);
        result = cover_bare(draft, plan, &covered, error);
    }
    if (result == PLIANT_OK && !(pli_coverage_add(&covered, draft) &&
                                 pli_coverage_reach_out(&covered, draft, BARE * draft->spacing)))
        result = pli_progress_fail(draft->progress, error);
    pli_coverage_end(&covered);
    keep_in_box(draft, plan, 0);
    return result;
}

pliant_result pli_auto_make_symmetric(pliant_draft *draft, const auto_plan *plan,
                                      pliant_error *error)
{
    pliant_mirror_def mirror = pliant_default_mirror_def();
    mirror.tolerance = ON_PLANE * draft->spacing;
    mirror.replaces = true;
    for (int i = 0; i < plan->plane_count; ++i) {
        mirror.normal = plan->planes[i].normal;
        mirror.offset = plan->planes[i].offset;
        if (pliant_draft_mirror(draft, &mirror, error) != PLIANT_OK)
            return error->code;
    }
    return PLIANT_OK;
}

// What lay across a plane of symmetry may be bare once it has come to lie on it: then another round.
pliant_result pli_auto_shape_all(pliant_draft *draft, const auto_plan *plan, pliant_error *error)
{
    int rounds = plan->plane_count > 0 ? 2 : 1;
    progress_range all = pli_progress_range(draft->progress);
    pli_progress_narrow(draft->progress, all, 0.0f, 0.5f);
    pliant_result result = pli_auto_shape(draft, plan, 0, error);
    for (int round = 0; round < rounds && result == PLIANT_OK; ++round) {
        pli_progress_narrow(draft->progress, all, 0.5f + 0.5f * (float)round / (float)rounds,
                            0.5f + 0.5f * (float)(round + 1) / (float)rounds);
        result = cover(draft, plan, error);
        if (result == PLIANT_OK)
            result = pli_auto_make_symmetric(draft, plan, error);
    }
    return result;
}
