// Blue noise on the surface by dart throwing: the points of the refined mesh are tried, the tips of limbs
// first and the others in random order, and one becomes a particle when none is nearer than the spacing. Only
// particles near along the object count, so that each of two touching fingers gets its own.

#include "core/error.h"
#include "draft/check.h"
#include "draft/neighbourhood.h"
#include "draft/tips.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTICLES = 1000000 };

typedef struct spray {
    pliant_draft *draft;
    const matter *matter;
    unsigned char *sprayable; // points
    int32_t *order;
    int32_t order_count;
    float spacing;
} spray;

pliant_spray_def pliant_default_spray_def(void)
{
    pliant_spray_def def = {.particle = pliant_default_particle_def(), .count = 300};
    def.particle.radii = (vec3){0, 0, 0};
    return def;
}

static uint32_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    uint32_t mixed = (uint32_t)(((*state >> 18) ^ *state) >> 27);
    uint32_t turn = (uint32_t)(*state >> 59);
    return mixed >> turn | mixed << (-turn & 31);
}

// Points of the selected triangles, shuffled.
static bool choose_points(spray *s, const unsigned char *selected, uint32_t seed)
{
    const refined_mesh *mesh = s->matter->mesh;
    const int32_t *triangles = s->draft->mesh->triangles;
    s->sprayable = calloc((size_t)mesh->point_count + 1, 1);
    s->order = malloc(((size_t)mesh->point_count + 1) * sizeof *s->order);
    if (!s->sprayable || !s->order)
        return false;
    for (int32_t i = 0; i < mesh->triangle_count; ++i) {
        const int32_t *corners = triangles + 3 * (size_t)mesh->origins[i];
        if (selected[corners[0]] && selected[corners[1]] && selected[corners[2]])
            for (int k = 0; k < 3; ++k)
                s->sprayable[mesh->triangles[3 * (size_t)i + (size_t)k]] = 1;
    }
    uint64_t state = seed * 0x9e3779b97f4a7c15u + 0x853c49e6748fea9bu;
    for (int32_t p = 0; p < mesh->point_count; ++p) {
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
    int32_t *tips, count, kept = 0;
    if (!pliant_matter_tips(s->matter, 1.5f * spacing, &tips, &count))
        return false;
    for (int32_t i = 0; i < count; ++i)
        if (s->sprayable[tips[i]])
            tips[kept++] = tips[i];
    int32_t *order = realloc(s->order, ((size_t)s->order_count + (size_t)kept + 1) * sizeof *order);
    if (order) {
        s->order = order;
        memmove(order + kept, order, (size_t)s->order_count * sizeof *order);
        memcpy(order, tips, (size_t)kept * sizeof *order);
        s->order_count += kept;
    }
    free(tips);
    return order != NULL;
}

static pliant_result throw_darts(spray *s, const pliant_spray_def *def, pliant_error *error)
{
    const matter *m = s->matter;
    pliant_draft *draft = s->draft;
    neighbourhood near;
    bool ok = pliant_neighbourhood_begin(&near, draft, s->spacing);
    pliant_particle_def particle = def->particle;
    particle.radii = pliant_draft_radii(&def->particle, 0.6f * s->spacing);
    for (int32_t i = 0; ok && i < s->order_count; ++i) {
        int32_t point = s->order[i], node = m->node_of_point[point];
        particle.position = m->mesh->points[point];
        if (!pliant_neighbourhood_is_free(&near, node, particle.position))
            continue;
        if (draft->particle_count >= MOST_PARTICLES) {
            pliant_neighbourhood_end(&near);
            return pliant_error_set(error, PLIANT_ERROR_ARGUMENT, "spacing",
                                    "%g m would give more than %d particles", (double)s->spacing,
                                    MOST_PARTICLES);
        }
        ok = pliant_draft_reserve_particles(draft, 1);
        if (ok) {
            draft_anchor anchor = {particle.position,
                                   m->mesh->sources[m->mesh->first_source[point]]};
            pliant_draft_append_particle(draft, &particle, anchor);
            ok = pliant_neighbourhood_add(&near, node, draft->particle_count - 1);
        }
    }
    pliant_neighbourhood_end(&near);
    return ok ? PLIANT_OK : pliant_error_memory(error);
}

// Darts until no more fit cover the plane with about 0.7 / spacing² (measured) particles.
static float spacing_for(const spray *s, int count)
{
    double area = 0.0;
    for (int32_t i = 0; i < s->order_count; ++i)
        area += s->matter->mesh->areas[s->order[i]];
    return (float)sqrt(0.7 * area / count);
}

// Aims at a count by correcting the spacing a few times, as curved and thin things take more or fewer.
static pliant_result throw_count(spray *s, const pliant_spray_def *def, pliant_error *error)
{
    int before = s->draft->particle_count;
    s->spacing = spacing_for(s, def->count);
    for (int round = 0;; ++round) {
        s->draft->particle_count = before;
        pliant_result result = throw_darts(s, def, error);
        if (result != PLIANT_OK)
            return result;
        double ratio = (double)(s->draft->particle_count - before) / def->count;
        if (round == 3 || (ratio > 0.95 && ratio < 1.05) || !(ratio > 0.0))
            return PLIANT_OK;
        s->spacing *= (float)sqrt(ratio);
    }
}

static double selected_area(const pliant_mesh *mesh, const unsigned char *selected)
{
    double area = 0.0;
    for (int32_t i = 0; i < mesh->triangle_count; ++i) {
        const int32_t *c = mesh->triangles + 3 * (size_t)i;
        if (!selected[c[0]] || !selected[c[1]] || !selected[c[2]])
            continue;
        vec3 a = mesh->positions[c[0]];
        area += 0.5 * (double)vec3_length(vec3_cross(vec3_sub(mesh->positions[c[1]], a),
                                                     vec3_sub(mesh->positions[c[2]], a)));
    }
    return area;
}

static pliant_result run_spray(spray *s, const pliant_spray_def *def, const unsigned char *selected,
                               pliant_error *error)
{
    double area = selected_area(s->draft->mesh, selected);
    if (!(area > 0.0))
        return pliant_error_set(error, PLIANT_ERROR_ARGUMENT, "vertices",
                                "no triangle with an area is selected");
    float spacing = def->spacing > 0.0f ? def->spacing : (float)sqrt(0.7 * area / def->count);
    pliant_result result = pliant_draft_want_scale(s->draft, spacing, error);
    if (result != PLIANT_OK)
        return result;
    s->matter = pliant_draft_matter(s->draft, error);
    if (!s->matter)
        return error->code;
    if (!choose_points(s, selected, def->seed) || !tips_first(s, spacing))
        return pliant_error_memory(error);
    s->spacing = def->spacing;
    return def->spacing > 0.0f ? throw_darts(s, def, error) : throw_count(s, def, error);
}

pliant_result pliant_draft_spray(pliant_draft *draft, const pliant_spray_def *def,
                                 pliant_error *error)
{
    pliant_error local;
    error = error ? error : &local;
    if (!pliant_tool_check_not_negative(def->spacing, "spacing", error))
        return error->code;
    if (def->spacing == 0.0f && (def->count < 1 || def->count > MOST_PARTICLES))
        return pliant_error_set(error, PLIANT_ERROR_ARGUMENT, "count",
                                "expected a number from 1 to %d", MOST_PARTICLES);
    unsigned char *selected =
        pliant_selection_mask(def->vertices, draft->mesh->vertex_count, "vertices", error);
    if (!selected)
        return error->code;
    spray s = {.draft = draft};
    int before = draft->particle_count;
    draft_scale scale = pliant_draft_scale(draft);
    pliant_result result = run_spray(&s, def, selected, error);
    if (result != PLIANT_OK)
        draft->particle_count = before;
    free(s.sprayable);
    free(s.order);
    free(selected);
    return pliant_draft_end_tool(draft, scale, result);
}
