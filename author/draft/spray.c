// Blue noise on the surface by dart throwing: the points of the refined mesh are tried, the tips of limbs
// first and the others in random order, and one becomes a particle when none is nearer than the spacing. Only
// particles near along the object count, so that each of two touching fingers gets its own. Under a brush that is too
// small for such a point the point of the surface that is nearest to its centre is tried.

#include "core/error.h"
#include "draft/check.h"
#include "draft/neighbourhood.h"
#include "mesh/surface_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTICLES = 1000000 };

// Of the time that is left when there is matter.
#define TIPS_PART 0.4f

typedef struct spray {
    pliant_draft *draft;
    const matter *matter;
    unsigned char *sprayable; // points
    int32_t *order;
    int32_t order_count;
    float spacing;
    vec3 centre; // of the brush
    float radius;
    surface_point under; // the point of the surface that is nearest to the centre
    float finest;        // spacing that a count may lead to: points under a brush are not closer
} spray;

pliant_spray_def pliant_default_spray_def(void)
{
    pliant_spray_def def = {.particle = pliant_default_particle_def(), .count = 300};
    def.particle.radii = (vec3){0, 0, 0};
    def.particle.mass = 0.0f;
    return def;
}

static uint32_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    uint32_t mixed = (uint32_t)(((*state >> 18) ^ *state) >> 27);
    uint32_t turn = (uint32_t)(*state >> 59);
    return mixed >> turn | mixed << (-turn & 31);
}

static bool is_in_brush(const spray *s, vec3 x)
{
    return vec3_length(vec3_sub(x, s->centre)) <= s->radius;
}

static bool is_selected(const pliant_mesh *mesh, const unsigned char *selected, int32_t triangle)
{
    const int32_t *corners = mesh->triangles + 3 * (size_t)triangle;
    return selected[corners[0]] && selected[corners[1]] && selected[corners[2]];
}

// Points of the selected triangles within the brush, shuffled.
static bool choose_points(spray *s, const unsigned char *selected, uint32_t seed)
{
    const refined_mesh *mesh = s->matter->mesh;
    s->sprayable = calloc((size_t)mesh->point_count + 1, 1);
    s->order = malloc(((size_t)mesh->point_count + 1) * sizeof *s->order);
    if (!s->sprayable || !s->order)
        return false;
    for (int32_t i = 0; i < mesh->triangle_count; ++i)
        if (is_selected(s->draft->mesh, selected, mesh->origins[i]))
            for (int k = 0; k < 3; ++k)
                s->sprayable[mesh->triangles[3 * (size_t)i + (size_t)k]] = 1;
    uint64_t state = seed * 0x9e3779b97f4a7c15u + 0x853c49e6748fea9bu;
    for (int32_t p = 0; p < mesh->point_count; ++p) {
        s->sprayable[p] = s->sprayable[p] && is_in_brush(s, mesh->points[p]);
        if (!s->sprayable[p])
            continue;
        int32_t at =
            (int32_t)((uint64_t)next_random(&state) * (uint64_t)(s->order_count + 1) >> 32);
        s->order[s->order_count++] = s->order[at];
        s->order[at] = p;
    }
    return true;
}

// Puts the tips in front of the others. They are tried again among them, when their place is taken.
static bool tips_first(spray *s, float spacing)
{
    const draft_tips *tips = pli_draft_tips(s->draft, 1.5f * spacing);
    if (!tips)
        return false;
    int32_t kept = 0;
    for (int32_t i = 0; i < tips->count; ++i)
        kept += s->sprayable[tips->points[i]];
    int32_t *order = realloc(s->order, ((size_t)s->order_count + (size_t)kept + 1) * sizeof *order);
    if (!order)
        return false;
    memmove(order + kept, order, (size_t)s->order_count * sizeof *order);
    s->order = order;
    s->order_count += kept;
    for (int32_t i = 0, at = 0; i < tips->count; ++i)
        if (s->sprayable[tips->points[i]])
            order[at++] = tips->points[i];
    return true;
}

typedef struct dart {
    int32_t node;
    draft_anchor place;
} dart;

static dart dart_at_point(const spray *s, int32_t point)
{
    const refined_mesh *mesh = s->matter->mesh;
    return (dart){s->matter->node_of_point[point],
                  {mesh->points[point], mesh->sources[mesh->first_source[point]]}};
}

static dart dart_under(const spray *s)
{
    draft_anchor place = {s->under.position, s->under.triangle};
    return (dart){pli_matter_find(s->matter, place.position, place.triangle), place};
}

static pliant_result throw_dart(spray *s, neighbourhood *near, pliant_particle_def *particle,
                                dart d, pliant_error *error)
{
    pliant_draft *draft = s->draft;
    if (!pli_neighbourhood_is_free(near, d.node, d.place.position))
        return PLIANT_OK;
    if (draft->particle_count >= MOST_PARTICLES)
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "spacing",
                             "%g m would give more than %d particles", (double)s->spacing,
                             MOST_PARTICLES);
    if (!pli_draft_reserve_particles(draft, 1))
        return pli_error_memory(error);
    particle->position = d.place.position;
    pli_draft_append_particle(draft, particle, d.place);
    return pli_neighbourhood_add(near, d.node, draft->particle_count - 1) ? PLIANT_OK
                                                                          : pli_error_memory(error);
}

static pliant_result throw_darts(spray *s, const pliant_spray_def *def, pliant_error *error)
{
    neighbourhood near;
    bool begun = pli_neighbourhood_begin(&near, s->draft, s->spacing, s->centre, s->radius);
    pliant_result result = begun ? PLIANT_OK : pli_progress_fail(s->draft->progress, error);
    pliant_particle_def particle = def->particle;
    particle.radii = pli_draft_radii(&def->particle, 0.6f * s->spacing);
    for (int32_t i = 0; result == PLIANT_OK && i < s->order_count; ++i)
        result = progress_goes_on(s->draft->progress, i, s->order_count)
                     ? throw_dart(s, &near, &particle, dart_at_point(s, s->order[i]), error)
                     : pli_progress_fail(s->draft->progress, error);
    if (result == PLIANT_OK && s->order_count == 0)
        result = throw_dart(s, &near, &particle, dart_under(s), error);
    pli_neighbourhood_end(&near);
    return result;
}

// Darts until no more fit cover the plane with about 0.7 / spacing² (measured) particles.
static float spacing_for(double area, int count)
{
    return (float)sqrt(0.7 * area / count);
}

static double sprayed_area(const spray *s)
{
    double area = 0.0;
    for (int32_t i = 0; i < s->order_count; ++i)
        area += s->matter->mesh->areas[s->order[i]];
    return area;
}

// Aims at a count by correcting the spacing a few times, as curved and thin things take more or fewer.
static pliant_result throw_count(spray *s, const pliant_spray_def *def, pliant_error *error)
{
    int before = s->draft->particle_count;
    progress_range all = pli_progress_range(s->draft->progress);
    for (int round = 0;; ++round) {
        pli_progress_round(s->draft->progress, all, round);
        s->draft->particle_count = before;
        pliant_result result = throw_darts(s, def, error);
        if (result != PLIANT_OK)
            return result;
        double ratio = (double)(s->draft->particle_count - before) / def->count;
        if (round == 3 || (ratio > 0.95 && ratio < 1.05) || !(ratio > 0.0))
            return PLIANT_OK;
        s->spacing = maximum(s->finest, s->spacing * (float)sqrt(ratio));
    }
}

static double selected_area(const pliant_mesh *mesh, const unsigned char *selected)
{
    double area = 0.0;
    for (int32_t i = 0; i < mesh->triangle_count; ++i) {
        const int32_t *c = mesh->triangles + 3 * (size_t)i;
        if (!is_selected(mesh, selected, i))
            continue;
        vec3 a = mesh->positions[c[0]];
        area += 0.5 * (double)vec3_length(vec3_cross(vec3_sub(mesh->positions[c[1]], a),
                                                     vec3_sub(mesh->positions[c[2]], a)));
    }
    return area;
}

// The brush as a disc on a flat surface.
static double area_under_brush(const spray *s)
{
    return 3.14159265 * ((double)s->radius * (double)s->radius - s->under.distance2);
}

// The points and their spacing. None are found where the brush lies on something else.
static pliant_result find_points(spray *s, const pliant_spray_def *def,
                                 const unsigned char *selected, float spacing, pliant_error *error)
{
    s->matter = pli_draft_matter(s->draft, error);
    if (!s->matter)
        return error->code;
    progress_range all = pli_progress_range(s->draft->progress);
    pli_progress_narrow(s->draft->progress, all, 0.0f, TIPS_PART);
    if (!choose_points(s, selected, def->seed) || !tips_first(s, spacing))
        return pli_progress_fail(s->draft->progress, error);
    pli_progress_narrow(s->draft->progress, all, TIPS_PART, 1.0f);
    double area = s->order_count > 0 ? sprayed_area(s) : area_under_brush(s);
    s->finest = def->radius > 0.0f ? s->matter->grid.size : 0.0f;
    s->spacing =
        def->spacing > 0.0f ? def->spacing : maximum(s->finest, spacing_for(area, def->count));
    return PLIANT_OK;
}

static pliant_result run_spray(spray *s, const pliant_spray_def *def, const unsigned char *selected,
                               pliant_error *error)
{
    double area = selected_area(s->draft->mesh, selected);
    if (!(area > 0.0))
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "vertices",
                             "no triangle with an area is selected");
    if (def->radius > 0.0f) {
        const surface_search *search = pli_draft_surface(s->draft);
        if (!search)
            return pli_error_memory(error);
        s->under = pli_surface_nearest(search, s->centre);
        if (!(s->under.distance2 < (double)s->radius * (double)s->radius))
            return PLIANT_OK;
        area = area_under_brush(s) < area ? area_under_brush(s) : area;
    }
    float spacing = def->spacing > 0.0f ? def->spacing : spacing_for(area, def->count);
    float scale = s->draft->spacing, bridge = s->draft->bridge;
    pliant_result result = pli_draft_want_scale(s->draft, spacing, error);
    if (result == PLIANT_OK)
        result = find_points(s, def, selected, spacing, error);
    if (result != PLIANT_OK)
        return result;
    if (s->order_count == 0 && !is_selected(s->draft->mesh, selected, s->under.triangle)) {
        pli_draft_change_scale(s->draft, scale, bridge);
        return PLIANT_OK;
    }
    return def->spacing > 0.0f ? throw_darts(s, def, error) : throw_count(s, def, error);
}

pliant_result pliant_draft_spray(pliant_draft *draft, const pliant_spray_def *def,
                                 pliant_error *error)
{
    pliant_error local;
    error = error ? error : &local;
    if (!pli_tool_check_not_negative(def->spacing, "spacing", error) ||
        !pli_tool_check_not_negative(def->radius, "radius", error) ||
        (def->radius > 0.0f && !pli_tool_check_position(def->centre, "centre", error)))
        return error->code;
    if (def->spacing == 0.0f && (def->count < 1 || def->count > MOST_PARTICLES))
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "count",
                             "expected a number from 1 to %d", MOST_PARTICLES);
    unsigned char *selected =
        pli_selection_mask(def->vertices, draft->mesh->vertex_count, "vertices", error);
    draft_tool tool;
    if (!selected || pli_draft_begin_tool(draft, &tool, error) != PLIANT_OK) {
        free(selected);
        return error->code;
    }
    bool is_everywhere = def->radius == 0.0f;
    spray s = {.draft = draft,
               .centre = is_everywhere ? (vec3){0, 0, 0} : def->centre,
               .radius = is_everywhere ? INFINITY : def->radius};
    pliant_result result = run_spray(&s, def, selected, error);
    free(s.sprayable);
    free(s.order);
    free(selected);
    return pli_draft_end_tool(draft, &tool, result, error);
}
