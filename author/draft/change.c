// Particles that are moved, and that get other values.

#include "draft/change.h"

#include "core/error.h"
#include "draft/check.h"
#include "mesh/surface_search.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Values

uint32_t pli_particle_field_bit(const char *name)
{
    const element_kind *kind = &pli_element_kinds[ELEMENT_PARTICLES];
    for (int f = 0; f < kind->field_count; ++f)
        if (strcmp(kind->fields[f].name, name) == 0)
            return strcmp(name, "flags") == 0 ? 0 : (uint32_t)1 << f;
    return 0;
}

static pliant_particle_def changed(pliant_particle_def particle, const pliant_particle_def *values,
                                   const particle_change *change)
{
    const element_kind *kind = &pli_element_kinds[ELEMENT_PARTICLES];
    for (int f = 0; f < kind->field_count; ++f)
        for (int k = 0; change->fields >> f & 1 && k < pli_element_words(&kind->fields[f]); ++k)
            pli_element_set_word(&kind->fields[f], &particle, k,
                                 pli_element_word(&kind->fields[f], values, k));
    particle.flags = (particle.flags & ~change->flags) | (values->flags & change->flags);
    return particle;
}

pliant_result pli_draft_change(pliant_draft *draft, const pliant_selection *particles,
                               const pliant_particle_def *values, const particle_change *change,
                               pliant_error *error)
{
    pliant_particle_def probe = changed(pliant_default_particle_def(), values, change);
    if (!pli_tool_check_element(ELEMENT_PARTICLES, &probe, error))
        return PLIANT_ERROR_ARGUMENT;
    unsigned char *mask;
    pliant_result result = pli_draft_mask(draft, particles, &mask, error);
    if (result != PLIANT_OK)
        return result;
    for (int i = 0; i < draft->particle_count; ++i)
        if (mask[i])
            draft->particles[i] = changed(draft->particles[i], values, change);
    free(mask);
    return PLIANT_OK;
}

pliant_result pliant_draft_set(pliant_draft *draft, const pliant_selection *particles,
                               const pliant_particle_def *values, uint32_t fields,
                               pliant_error *error)
{
    const uint32_t all = 2 * PLIANT_SET_YIELD - 1;
    if (fields & ~all)
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "fields", "there are no fields 0x%x",
                             (unsigned)(fields & ~all));
    static const struct {
        uint32_t set;
        const char *names[2];
    } parts[] = {
        {
            PLIANT_SET_ORIENTATION,
            {"orientation", ""},
        },
        {
            PLIANT_SET_RADII,
            {"radii", ""},
        },
        {
            PLIANT_SET_MASS,
            {"mass", ""},
        },
        {
            PLIANT_SET_STIFFNESS,
            {"stiffness", ""},
        },
        {
            PLIANT_SET_LAYERS,
            {"layers", "mask"},
        },
        {
            PLIANT_SET_YIELD,
            {"yield_strain", "creep_rate"},
        },
    };
    particle_change change = {.flags = fields & PLIANT_SET_FLAGS ? UINT32_MAX : 0};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; ++i)
        for (int k = 0; fields & parts[i].set && k < 2; ++k)
            change.fields |= pli_particle_field_bit(parts[i].names[k]);
    return pli_draft_change(draft, particles, values, &change, error);
}

// ---------------------------------------------------------------------------------------------
// Places

// The place of one that lies on the surface stays on it.
static draft_anchor moved_anchor(draft_anchor anchor, vec3 translation,
                                 const surface_search *search)
{
    anchor.position = vec3_add(anchor.position, translation);
    if (anchor.triangle < 0)
        return anchor;
    surface_point near = pli_surface_nearest(search, anchor.position);
    return (draft_anchor){near.position, near.triangle};
}

static bool can_move(const pliant_draft *draft, const unsigned char *mask, vec3 translation,
                     pliant_error *error)
{
    if (!pli_tool_check_position(translation, "translation", error))
        return false;
    for (int i = 0; i < draft->particle_count; ++i) {
        if (!mask[i] ||
            (pli_tool_check_position(vec3_add(draft->particles[i].position, translation), "",
                                     NULL) &&
             pli_tool_check_position(vec3_add(draft->anchors[i].position, translation), "", NULL)))
            continue;
        pli_error_set(error, PLIANT_ERROR_ARGUMENT, "translation",
                      "particle %d would not be within ±1e+06 m", i);
        return false;
    }
    return true;
}

pliant_result pliant_draft_move(pliant_draft *draft, const pliant_selection *particles,
                                pliant_vec3 translation, pliant_error *error)
{
    unsigned char *mask;
    pliant_result result = pli_draft_mask(draft, particles, &mask, error);
    if (result != PLIANT_OK)
        return result;
    const surface_search *search = pli_draft_surface(draft);
    if (!search)
        result = pli_error_memory(error);
    else if (!can_move(draft, mask, translation, error))
        result = PLIANT_ERROR_ARGUMENT;
    for (int i = 0; result == PLIANT_OK && i < draft->particle_count; ++i) {
        if (!mask[i])
            continue;
        draft->particles[i].position = vec3_add(draft->particles[i].position, translation);
        draft->anchors[i] = moved_anchor(draft->anchors[i], translation, search);
        draft->is_weighed = false;
    }
    free(mask);
    return result;
}
