// Materials by name.
//
// Moduli and densities are round numbers from the middle of what handbooks of materials give; damping is what looks right.

#include <string.h>

#include "core/error.h"
#include "draft/change.h"
#include "draft/standing.h"
#include "draft/tools.h"

#define HOW(friction_, restitution_, damping_, shape_)                                             \
    {                                                                                              \
        .friction = friction_, .restitution = restitution_, .linear_damping = damping_,            \
        .angular_damping = damping_, .shape_damping = shape_                                       \
    }

static const pliant_material_preset presets[] = {
    {"jelly", 1e4f, 1050.0f, 0.0f, 0.0f, HOW(0.3f, 0.0f, 0.05f, 0.3f)},
    {"flesh", 5e4f, 1050.0f, 0.0f, 0.0f, HOW(0.6f, 0.0f, 0.1f, 0.9f)},
    {"foam", 1e5f, 60.0f, 0.0f, 0.0f, HOW(0.6f, 0.1f, 0.1f, 0.8f)},
    {"rubber", 2e6f, 1100.0f, 0.0f, 0.0f, HOW(0.9f, 0.6f, 0.02f, 0.1f)},
    {"felt", 1e6f, 200.0f, 0.0f, 0.0f, HOW(0.7f, 0.0f, 0.1f, 0.9f)},
    {"leather", 5e7f, 900.0f, 0.0f, 0.0f, HOW(0.6f, 0.0f, 0.1f, 0.8f)},
    {"wood", 1e10f, 600.0f, 0.0f, 0.0f, HOW(0.5f, 0.4f, 0.02f, 0.3f)},
    {"steel", 2e11f, 7850.0f, 0.0015f, 50.0f, HOW(0.4f, 0.4f, 0.02f, 0.3f)},
};

enum { PRESET_COUNT = sizeof presets / sizeof presets[0] };

int pliant_material_preset_count(void)
{
    return PRESET_COUNT;
}

const pliant_material_preset *pliant_material_preset_at(int index)
{
    return index >= 0 && index < PRESET_COUNT ? &presets[index] : NULL;
}

const pliant_material_preset *pliant_material_preset_find(const char *name)
{
    for (int i = 0; name && i < PRESET_COUNT; ++i)
        if (strcmp(presets[i].name, name) == 0)
            return &presets[i];
    return NULL;
}

static uint32_t bits_of(const char *const *names, int count)
{
    uint32_t bits = 0;
    for (int i = 0; i < count; ++i)
        bits |= pli_particle_field_bit(names[i]);
    return bits;
}

pliant_result pliant_draft_use_preset(pliant_draft *draft, const pliant_selection *particles,
                                      const pliant_material_preset *preset, pliant_error *error)
{
    static const char *const names[] = {"young_modulus", "density", "yield_strain", "creep_rate"};
    if (!preset)
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "preset", "is NULL");
    pliant_particle_def values = pliant_default_particle_def();
    values.young_modulus = preset->young_modulus;
    values.density = preset->density;
    values.yield_strain = preset->yield_strain;
    values.creep_rate = preset->creep_rate;
    particle_change change = {.fields = bits_of(names, 4)};
    pliant_mass_def mass = pliant_default_mass_def();
    mass.particles = particles;
    mass.density = preset->density;
    pliant_result result = pliant_draft_mass(draft, &mass, error);
    if (result == PLIANT_OK)
        result = pli_draft_change(draft, particles, &values, &change, error);
    if (result == PLIANT_OK && !particles &&
        has_standing_group(draft)) // a material stands as well as it does
        result = pliant_draft_ungroup(draft, NULL, error);
    if (result != PLIANT_OK || particles)
        return result;
    pliant_material material = preset->material;
    material.self_collision = pliant_draft_material(draft).self_collision;
    return pliant_draft_set_material(draft, &material, error);
}
