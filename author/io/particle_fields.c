// The table of a particle's members.

#include "io/particle_fields.h"

// A particle as it is written: the radius and the flags are not what the definition holds.
typedef struct particle_spec {
    pliant_particle_def def;
    float radius;
    bool pinned, oriented, surface;
    json_value particles;
} particle_spec;

#define PARTICLE(name, member, kind, ...)                                                          \
    {                                                                                              \
        name, kind, offsetof(particle_spec, member), __VA_ARGS__                                   \
    }

static const field particle_fields[] = {
    PARTICLE("position", def.position, FIELD_VEC3, FIELD_COORDINATE, true),
    PARTICLE("orientation", def.orientation, FIELD_QUAT, FIELD_ANY, false),
    PARTICLE("radius", radius, FIELD_FLOAT, FIELD_RADIUS, false),
    PARTICLE("radii", def.radii, FIELD_VEC3, FIELD_RADIUS, false),
    PARTICLE("mass", def.mass, FIELD_FLOAT, 1e-9, 1e9, false, false, false),
    PARTICLE("stiffness", def.stiffness, FIELD_FLOAT, FIELD_UNIT, false),
    PARTICLE("pinned", pinned, FIELD_BOOL, FIELD_ANY, false),
    PARTICLE("oriented", oriented, FIELD_BOOL, FIELD_ANY, false),
    PARTICLE("surface", surface, FIELD_BOOL, FIELD_ANY, false),
    PARTICLE("layers", def.layers, FIELD_BITS, FIELD_LAYERS, false),
    PARTICLE("mask", def.mask, FIELD_BITS, FIELD_LAYERS, false),
    PARTICLE("yield_strain", def.yield_strain, FIELD_FLOAT, FIELD_STRAIN, false),
    PARTICLE("creep_rate", def.creep_rate, FIELD_FLOAT, FIELD_RATE, false),
    PARTICLE("particles", particles, FIELD_VALUE, FIELD_ANY, false),
};

enum { FIELD_COUNT = sizeof particle_fields / sizeof particle_fields[0] };

static void set_flag(pliant_particle_def *def, uint32_t flag, bool on)
{
    def->flags = on ? def->flags | flag : def->flags & ~flag;
}

// Members of the table from `first` on, `count` of them.
static bool read_members(field_reader *reader, json_value value, int first, int count,
                         pliant_particle_def *def, json_value *particles)
{
    particle_spec spec = {
        .def = *def,
        .pinned = (def->flags & PLIANT_PARTICLE_PINNED) != 0,
        .oriented = (def->flags & PLIANT_PARTICLE_UNORIENTED) == 0,
        .surface = (def->flags & PLIANT_PARTICLE_SURFACE) != 0,
        .particles = JSON_NONE,
    };
    if (!pliant_field_read_object(reader, value, particle_fields + first, count, &spec))
        return false;
    if (spec.radius > 0.0f) {
        if (pliant_json_get(reader->json, value, "radii") != JSON_NONE)
            return pliant_field_fail(reader, "expected either \"radius\" or \"radii\", found both");
        spec.def.radii = (pliant_vec3){spec.radius, spec.radius, spec.radius};
    }
    set_flag(&spec.def, PLIANT_PARTICLE_PINNED, spec.pinned);
    set_flag(&spec.def, PLIANT_PARTICLE_UNORIENTED, !spec.oriented);
    set_flag(&spec.def, PLIANT_PARTICLE_SURFACE, spec.surface);
    *def = spec.def;
    *particles = spec.particles;
    return true;
}

// The position comes first in the table, what only selections have last.
bool pliant_field_read_particle(field_reader *reader, json_value value, bool placed,
                                pliant_particle_def *def)
{
    int first = placed ? 0 : 1;
    json_value none;
    return read_members(reader, value, first, FIELD_COUNT - 1 - first, def, &none);
}

bool pliant_field_read_selected_particle(field_reader *reader, json_value value,
                                         pliant_particle_def *def, json_value *particles)
{
    return read_members(reader, value, 1, FIELD_COUNT - 1, def, particles);
}
