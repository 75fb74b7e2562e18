// The members of a particle.

#include "particle_fields.h"

#include "element_fields.h"

// A particle as it is written: the radius and the flags are not what the definition holds.
typedef struct particle_spec {
    pliant_particle_def def;
    float radius;
    bool pinned, oriented, surface;
    json_value particles;
} particle_spec;

#define OTHER(name, kind, ...)                                                                     \
    {                                                                                              \
#name, kind, offsetof(particle_spec, name), __VA_ARGS__, false                             \
    }

// What the table of particles does not have, or not so.
static const field other_fields[] = {
    OTHER(radius, FIELD_FLOAT, FIELD_RADIUS), OTHER(pinned, FIELD_BOOL, FIELD_ANY),
    OTHER(oriented, FIELD_BOOL, FIELD_ANY),   OTHER(surface, FIELD_BOOL, FIELD_ANY),
    OTHER(particles, FIELD_VALUE, FIELD_ANY),
};

enum { OTHER_COUNT = sizeof other_fields / sizeof other_fields[0] };

static void set_flag(pliant_particle_def *def, uint32_t flag, bool on)
{
    def->flags = on ? def->flags | flag : def->flags & ~flag;
}

// The position is the first member of the table, what only selections have is the last of the others.
static bool read_members(field_reader *reader, json_value value, bool placed, bool selected,
                         pliant_particle_def *def, json_value *particles)
{
    field fields[MOST_ELEMENT_FIELDS + OTHER_COUNT];
    int count =
        pli_field_list_element(fields, ELEMENT_PARTICLES, offsetof(particle_spec, def), INT32_MAX);
    for (int i = 0; i < OTHER_COUNT - !selected; ++i)
        fields[count++] = other_fields[i];
    int first = placed ? 0 : 1;
    particle_spec spec = {
        .def = *def,
        .pinned = (def->flags & PLIANT_PARTICLE_PINNED) != 0,
        .oriented = (def->flags & PLIANT_PARTICLE_UNORIENTED) == 0,
        .surface = (def->flags & PLIANT_PARTICLE_SURFACE) != 0,
        .particles = JSON_NONE,
    };
    if (!pli_field_read_object(reader, value, fields + first, count - first, &spec))
        return false;
    if (spec.radius > 0.0f) {
        if (pli_json_get(reader->json, value, "radii") != JSON_NONE)
            return pli_field_fail(reader, "expected either \"radius\" or \"radii\", found both");
        spec.def.radii = (pliant_vec3){spec.radius, spec.radius, spec.radius};
    }
    set_flag(&spec.def, PLIANT_PARTICLE_PINNED, spec.pinned);
    set_flag(&spec.def, PLIANT_PARTICLE_UNORIENTED, !spec.oriented);
    set_flag(&spec.def, PLIANT_PARTICLE_SURFACE, spec.surface);
    *def = spec.def;
    *particles = spec.particles;
    return true;
}

bool pli_field_read_particle(field_reader *reader, json_value value, bool placed,
                             pliant_particle_def *def)
{
    json_value none;
    return read_members(reader, value, placed, false, def, &none);
}

bool pli_field_read_selected_particle(field_reader *reader, json_value value,
                                      pliant_particle_def *def, json_value *particles)
{
    return read_members(reader, value, false, true, def, particles);
}
