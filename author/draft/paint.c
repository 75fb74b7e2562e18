// Values of particles and edges under a soft brush.

#include "core/error.h"
#include "draft/check.h"
#include "outward.h"

#include <stdlib.h>

pliant_paint_def pliant_default_paint_def(void)
{
    return (pliant_paint_def){.falloff = 0.5f, .strength = 1.0f};
}

static bool check_target(pliant_paint_target target, pliant_error *error)
{
    switch (target) {
    case PLIANT_PAINT_STIFFNESS:
    case PLIANT_PAINT_TORSION:
    case PLIANT_PAINT_STRETCH:
    case PLIANT_PAINT_MASS:
    case PLIANT_PAINT_SURFACE:
    case PLIANT_PAINT_ANIMATED:
        return true;
    }
    pli_error_set(error, PLIANT_ERROR_ARGUMENT, "target", "there is no target %d", (int)target);
    return false;
}

static bool check_def(const pliant_paint_def *def, pliant_error *error)
{
    if (!check_target(def->target, error))
        return false;
    bool is_mass = def->target == PLIANT_PAINT_MASS;
    return pli_tool_check_range(def->value, is_mass ? 1e-9f : 0.0f, is_mass ? 1e9f : 1.0f, "value",
                                error) &&
           pli_tool_check_not_negative(def->radius, "radius", error) &&
           (def->radius == 0.0f || pli_tool_check_position(def->centre, "centre", error)) &&
           pli_tool_check_range(def->falloff, 0.0f, 1.0f, "falloff", error) &&
           pli_tool_check_range(def->strength, 0.0f, 1.0f, "strength", error);
}

// t² (3 - 2 t), with t falling from 1 to 0 over the outer part of the brush.
static float weight_at(const pliant_paint_def *def, vec3 position)
{
    if (def->radius == 0.0f)
        return 1.0f;
    float distance = vec3_length(vec3_sub(position, def->centre));
    if (distance <= def->radius * (1.0f - def->falloff))
        return 1.0f;
    if (distance >= def->radius)
        return 0.0f;
    float t = minimum((def->radius - distance) / (def->radius * def->falloff), 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

static float blend(float old, float value, float weight)
{
    // The value itself, where the brush is full: what was there leaves no rounding behind.
    return weight == 1.0f ? value : old + (value - old) * weight;
}

static void paint_flag(pliant_particle_def *particle, uint32_t flag, float value, float weight)
{
    float old = particle->flags & flag ? 1.0f : 0.0f;
    bool on = blend(old, value, weight) >= 0.5f;
    particle->flags = on ? particle->flags | flag : particle->flags & ~flag;
}

static void paint_particle(pliant_draft *draft, int i, const pliant_paint_def *def, float weight,
                           const surface_search *search)
{
    pliant_particle_def *particle = &draft->particles[i];
    switch (def->target) {
    case PLIANT_PAINT_STIFFNESS:
        particle->stiffness = blend(particle->stiffness, def->value, weight);
        break;
    case PLIANT_PAINT_MASS:
        particle->mass = blend(particle->mass, def->value, weight);
        break;
    case PLIANT_PAINT_SURFACE:
        paint_flag(particle, PLIANT_PARTICLE_SURFACE, def->value, weight);
        if (particle->flags & PLIANT_PARTICLE_SURFACE)
            pli_draft_turn_outward(particle, draft->anchors[i], search);
        break;
    case PLIANT_PAINT_ANIMATED:
        paint_flag(particle, PLIANT_PARTICLE_PINNED, def->value, weight);
        break;
    case PLIANT_PAINT_TORSION:
    case PLIANT_PAINT_STRETCH:
        break;
    }
}

// An edge gets the weaker of its ends' weights.
static void paint_edge(pliant_edge_def *edge, const pliant_paint_def *def, const float *weights)
{
    float weight = minimum(weights[edge->a], weights[edge->b]);
    if (def->target == PLIANT_PAINT_TORSION)
        edge->torsion_stiffness = blend(edge->torsion_stiffness, def->value, weight);
    else
        edge->stretch_stiffness = blend(edge->stretch_stiffness, def->value, weight);
}

static void paint(pliant_draft *draft, const pliant_paint_def *def, const float *weights,
                  const surface_search *search)
{
    if (def->target == PLIANT_PAINT_TORSION || def->target == PLIANT_PAINT_STRETCH) {
        for (int i = 0; i < draft->edge_count; ++i)
            paint_edge(&draft->edges[i], def, weights);
        return;
    }
    for (int i = 0; i < draft->particle_count; ++i)
        if (weights[i] > 0.0f)
            paint_particle(draft, i, def, weights[i], search);
}

pliant_result pliant_draft_paint(pliant_draft *draft, const pliant_paint_def *def,
                                 pliant_error *error)
{
    if (!check_def(def, error))
        return PLIANT_ERROR_ARGUMENT;
    // The brush goes a part of the way from what is there.
    if (def->target == PLIANT_PAINT_MASS && pliant_draft_weigh(draft, error) != PLIANT_OK)
        return error->code;
    unsigned char *mask;
    pliant_result result = pli_draft_mask(draft, def->particles, &mask, error);
    if (result != PLIANT_OK)
        return result;
    bool searches = def->target == PLIANT_PAINT_SURFACE;
    const surface_search *search = searches ? pli_draft_surface(draft) : NULL;
    float *weights = malloc(((size_t)draft->particle_count + 1) * sizeof *weights);
    bool ok = weights && (search || !searches);
    if (ok) {
        for (int i = 0; i < draft->particle_count; ++i)
            weights[i] =
                mask[i] ? def->strength * weight_at(def, draft->particles[i].position) : 0.0f;
        paint(draft, def, weights, search);
    }
    free(weights);
    free(mask);
    return ok ? PLIANT_OK : pli_error_memory(error);
}
