// Extremities without a particle: drifting to the middle, merging and sinking draw particles away from the ends of horns,
// fingers and boots, and skin that is far from its particles goes through the ground.

#include "cover.h"

#include "draft/tools.h"
#include "math/quat.h"

#include <math.h>
#include <stdlib.h>

// The distance from the surface of an ellipsoid along the gradient of its equation; exact for spheres. 0 inside.
static float gap_to(const pliant_particle_def *particle, vec3 x)
{
    vec3 own = quat_rotate(quat_conjugate(particle->orientation), vec3_sub(x, particle->position));
    vec3 r = particle->radii;
    vec3 scaled = {own.x / r.x, own.y / r.y, own.z / r.z};
    vec3 gradient = {scaled.x / r.x, scaled.y / r.y, scaled.z / r.z};
    float level = vec3_length(scaled);
    return level <= 1.0f ? 0.0f : level * (level - 1.0f) / vec3_length(gradient);
}

// Surface that is farther than this many spacings from a particle does not belong to it.
#define FARTHEST 1.2f

bool pli_coverage_begin(coverage *c, const pliant_draft *draft)
{
    int32_t count = draft->matter->mesh->point_count;
    *c = (coverage){.points = malloc(((size_t)count + 1) * sizeof *c->points)};
    if (!c->points)
        return false;
    for (int32_t p = 0; p < count; ++p)
        c->points[p] = (covered_point){INFINITY, -1};
    return true;
}

void pli_coverage_end(coverage *c)
{
    free(c->points);
    *c = (coverage){0};
}

static void cover_node(coverage *c, const pliant_draft *draft, int particle, int32_t node)
{
    const matter *m = draft->matter;
    for (int32_t e = m->first_point_of_node[node]; e < m->first_point_of_node[node + 1]; ++e) {
        int32_t p = m->points_of_node[e];
        float gap = gap_to(&draft->particles[particle], m->mesh->points[p]);
        if (gap < c->points[p].gap)
            c->points[p] = (covered_point){gap, particle};
    }
}

bool pli_coverage_add(coverage *c, const pliant_draft *draft)
{
    float farthest = FARTHEST * draft->spacing;
    matter_search around = {0};
    int32_t *nodes = pli_draft_nodes(draft, c->count, NULL);
    bool ok = nodes && pli_matter_search_begin(&around, draft->matter);
    for (; ok && c->count < draft->particle_count; ++c->count) {
        ok = pli_progress_tell(draft->progress, (float)c->count / (float)draft->particle_count);
        pli_matter_search_in_ball(&around, nodes[c->count], draft->particles[c->count].position,
                                  farthest, 1.5f * farthest);
        for (int32_t k = 0; k < around.reached_count; ++k)
            if (around.reached[k] < draft->matter->surface_count)
                cover_node(c, draft, c->count, around.reached[k]);
    }
    pli_matter_search_end(&around);
    free(nodes);
    return ok;
}

// ---------------------------------------------------------------------------------------------
// Reaching out

typedef struct reach {
    float low[3], high[3]; // along the axes of the ellipsoid
} reach;

// Only surface straight ahead counts: beside an axis it is a corner's, and an ellipsoid that reached as far would stand
// out of the sides.
static void widen_reach(const pliant_particle_def *particle, vec3 x, reach *r)
{
    vec3 own = quat_rotate(quat_conjugate(particle->orientation), vec3_sub(x, particle->position));
    const float *at = &own.x, *radii = &particle->radii.x;
    for (int k = 0; k < 3; ++k) {
        float u = at[(k + 1) % 3] / radii[(k + 1) % 3], v = at[(k + 2) % 3] / radii[(k + 2) % 3];
        if (u * u + v * v > 1.0f)
            continue;
        r->high[k] = maximum(r->high[k], at[k]);
        r->low[k] = maximum(r->low[k], -at[k]);
    }
}

static void stretch(pliant_particle_def *particle, const reach *r, float most)
{
    static const vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < 3; ++k) {
        float *radius = &particle->radii.x + k;
        float high = minimum(maximum(r->high[k], *radius), *radius + most);
        float low = minimum(maximum(r->low[k], *radius), *radius + most);
        vec3 axis = quat_rotate(particle->orientation, axes[k]);
        particle->position = vec3_add_scaled(particle->position, axis, 0.5f * (high - low));
        *radius = 0.5f * (high + low);
    }
}

bool pli_coverage_reach_out(const coverage *c, pliant_draft *draft, float most)
{
    const refined_mesh *mesh = draft->matter->mesh;
    reach *reaches = calloc((size_t)draft->particle_count + 1, sizeof *reaches);
    for (int32_t p = 0; p < mesh->point_count && reaches; ++p) {
        covered_point at = c->points[p];
        if (at.particle >= 0 && at.gap > 0.0f)
            widen_reach(&draft->particles[at.particle], mesh->points[p], &reaches[at.particle]);
    }
    for (int i = 0; i < draft->particle_count && reaches; ++i)
        stretch(&draft->particles[i], &reaches[i], most);
    free(reaches);
    return reaches != NULL;
}

// ---------------------------------------------------------------------------------------------
// Bare places

typedef struct bare_point {
    float gap;
    int32_t point;
} bare_point;

static int compare_bare(const void *left, const void *right)
{
    const bare_point *a = left, *b = right;
    if (a->gap != b->gap)
        return a->gap > b->gap ? -1 : 1;
    return (a->point > b->point) - (a->point < b->point);
}

static int32_t list_bare(const matter *m, const coverage *c, float limit, bare_point *points)
{
    int32_t count = 0;
    for (int32_t p = 0; p < m->mesh->point_count; ++p)
        if (c->points[p].gap > limit && m->node_of_point[p] >= 0)
            points[count++] = (bare_point){c->points[p].gap, p};
    qsort(points, (size_t)count, sizeof *points, compare_bare);
    return count;
}

static draft_anchor anchor_at(const refined_mesh *mesh, int32_t point)
{
    return (draft_anchor){mesh->points[point], mesh->sources[mesh->first_source[point]]};
}

// Takes the points in their order, each with a spacing of the object around it.
static void thin_out(const pliant_draft *draft, matter_search *around, const bare_point *points,
                     int32_t count, unsigned char *taken, bare_places *bare)
{
    const matter *m = draft->matter;
    for (int32_t i = 0; i < count; ++i) {
        int32_t node = m->node_of_point[points[i].point];
        if (taken[node])
            continue;
        bare->places[bare->count++] = anchor_at(m->mesh, points[i].point);
        pli_matter_search_run(around, &node, 1, draft->spacing);
        for (int32_t k = 0; k < around->reached_count; ++k)
            taken[around->reached[k]] = 1;
    }
}

bool pli_coverage_find_bare(const coverage *c, const pliant_draft *draft, float limit,
                            bare_places *bare)
{
    const matter *m = draft->matter;
    matter_search around = {0};
    bare_point *listed = malloc(((size_t)m->mesh->point_count + 1) * sizeof *listed);
    unsigned char *taken = calloc((size_t)m->node_count + 1, 1);
    bool ok = listed && taken && pli_matter_search_begin(&around, m);
    int32_t count = ok ? list_bare(m, c, limit, listed) : 0;
    *bare = (bare_places){.places = malloc(((size_t)count + 1) * sizeof *bare->places)};
    ok = ok && bare->places;
    if (ok)
        thin_out(draft, &around, listed, count, taken, bare);
    pli_matter_search_end(&around);
    free(listed);
    free(taken);
    return ok;
}

void pli_bare_places_release(bare_places *bare)
{
    free(bare->places);
    *bare = (bare_places){0};
}
