// The kinds of elements and their fields: one line each.
//
// A new field gets the next number for `since` after its kind's highest, at least 4, and may stand anywhere among the
// others. Limits are those within which no product of the solver over- or underflows float32.

#include "elements.h"

#include <float.h>

#define COORDINATE .high = 1e6, .unit = "m"
#define RADIUS     .low = 1e-5, .high = 1e5, .unit = "m"
#define MASS       .low = 1e-9, .high = 1e9, .unit = "kg"
#define MODULUS    .low = 0, .high = 1e12, .unit = "Pa"
#define DENSITY    .low = 1e-3, .high = 1e6, .unit = "kg/m3"
#define FRACTION   .low = 0, .high = 1
#define STRAIN     .low = 0, .high = 1e3
#define RATE       .low = 0, .high = 1e6, .unit = "1/s"
#define SPEED      .low = 0, .high = 1e6, .unit = "m/s"
#define FRICTION   .low = 0, .high = 1e3
#define DAMPING    .low = 0, .high = 0.999999
#define FINITE     .low = -FLT_MAX, .high = FLT_MAX
#define PI         3.1415927410125732 // rounded to float32

// Owner, member, type, since, and the rest by name. A bool counts as one word.
#define FIELD(owner, member, kind, version, ...)                                                   \
    {                                                                                              \
        .name = #member, .type = VALUE_##kind, .offset = offsetof(owner, member),                  \
        .count = (sizeof((owner *)0)->member + 3) / 4, .since = version, __VA_ARGS__               \
    }

static const element_field material_fields[] = {
    FIELD(pliant_material, friction, NUMBER, 3, .initial = 0.5, FRICTION),
    FIELD(pliant_material, restitution, NUMBER, 3, .initial = 0, FRACTION),
    FIELD(pliant_material, linear_damping, NUMBER, 3, .initial = 0.02, DAMPING),
    FIELD(pliant_material, angular_damping, NUMBER, 3, .initial = 0.02, DAMPING),
    FIELD(pliant_material, shape_damping, NUMBER, 3, .initial = 0, DAMPING),
    FIELD(pliant_material, self_collision, FLAG, 3, .initial = false),
};

static const element_field particle_fields[] = {
    FIELD(pliant_particle_def, position, PLACE, 1, COORDINATE),
    FIELD(pliant_particle_def, orientation, ROTATION, 1, .initial = 1),
    FIELD(pliant_particle_def, radii, NUMBER, 1, .initial = 0.05, RADIUS, .shown_name = "radius"),
    FIELD(pliant_particle_def, mass, NUMBER, 1, .initial = 1, MASS),
    FIELD(pliant_particle_def, stiffness, NUMBER, 1, .initial = 0.5, FRACTION),
    FIELD(pliant_particle_def, flags, BITS, 1, .initial = 0, .high = PLIANT_PARTICLE_ALL_FLAGS),
    FIELD(pliant_particle_def, layers, BITS, 2, .initial = UINT32_MAX, .high = UINT32_MAX),
    FIELD(pliant_particle_def, mask, BITS, 2, .initial = UINT32_MAX, .high = UINT32_MAX),
    FIELD(pliant_particle_def, yield_strain, NUMBER, 2, .initial = 0, STRAIN),
    FIELD(pliant_particle_def, creep_rate, NUMBER, 2, .initial = 0, RATE),
    FIELD(pliant_particle_def, young_modulus, NUMBER, 4, .initial = 0, MODULUS),
    FIELD(pliant_particle_def, density, NUMBER, 4, .initial = 1000, DENSITY),
};

static const element_field edge_fields[] = {
    FIELD(pliant_edge_def, a, INDEX, 1, .of = ELEMENT_PARTICLES),
    FIELD(pliant_edge_def, b, INDEX, 1, .of = ELEMENT_PARTICLES),
    FIELD(pliant_edge_def, stretch_stiffness, NUMBER, 1, .initial = 0, FRACTION),
    FIELD(pliant_edge_def, torsion_stiffness, NUMBER, 1, .initial = 0, FRACTION),
    FIELD(pliant_edge_def, unlinked, FLAG, 4, .initial = false),
    FIELD(pliant_edge_def, stretch_limit, NUMBER, 5, .initial = 0, STRAIN),
};

static const element_field group_fields[] = {
    FIELD(pliant_group_def, members, SPAN, 1, .of = ELEMENT_MEMBERS),
    FIELD(pliant_group_def, stiffness, NUMBER, 1, .initial = 1, FRACTION),
    FIELD(pliant_group_def, dent_speed, NUMBER, 2, .initial = 0, SPEED),
    FIELD(pliant_group_def, yield_strain, NUMBER, 2, .initial = 0, STRAIN),
    FIELD(pliant_group_def, creep_rate, NUMBER, 2, .initial = 0, RATE),
};
_Static_assert(offsetof(pliant_group_def, member_count) ==
                   offsetof(pliant_group_def, members) + sizeof(int32_t *),
               "the count of a span follows its pointer");

// Checked with the group that it belongs to.
static const element_field member_fields[] = {
    {.name = "particle", .type = VALUE_INDEX, .count = 1, .since = 1, .of = ELEMENT_NONE},
};

static const element_field hinge_fields[] = {
    FIELD(pliant_hinge_def, group_a, INDEX, 2, .of = ELEMENT_GROUPS),
    FIELD(pliant_hinge_def, group_b, INDEX, 2, .of = ELEMENT_GROUPS),
    FIELD(pliant_hinge_def, particle_a, INDEX, 2, .of = ELEMENT_PARTICLES),
    FIELD(pliant_hinge_def, particle_b, INDEX, 2, .of = ELEMENT_PARTICLES),
    FIELD(pliant_hinge_def, has_limits, FLAG, 2, .initial = false),
    FIELD(pliant_hinge_def, lower, NUMBER, 2, .initial = -PI, .low = -PI, .high = 0, .unit = "rad"),
    FIELD(pliant_hinge_def, upper, NUMBER, 2, .initial = PI, .low = 0, .high = PI, .unit = "rad"),
};

static const element_field tether_fields[] = {
    FIELD(pliant_tether_def, particle, INDEX, 4, .of = ELEMENT_PARTICLES),
    FIELD(pliant_tether_def, anchor, INDEX, 4, .of = ELEMENT_PARTICLES),
    FIELD(pliant_tether_def, length, NUMBER, 4, .low = 0, .high = 1e6, .unit = "m"),
};

// Links that are not used need no particle, so the vertices' own check looks at them.
static const element_field vertex_fields[] = {
    FIELD(pliant_vertex_def, position, PLACE, 1, COORDINATE),
    FIELD(pliant_vertex_def, normal, DIRECTION, 1, .initial = 0),
    FIELD(pliant_vertex_def, u, NUMBER, 1, FINITE, .shown_name = "texture coordinate"),
    FIELD(pliant_vertex_def, v, NUMBER, 1, FINITE, .shown_name = "texture coordinate"),
    FIELD(pliant_vertex_def, particles, INDEX, 1, .of = ELEMENT_NONE),
    FIELD(pliant_vertex_def, weights, NUMBER, 1, .low = 0, .high = 1.001, .shown_name = "weight"),
};

static const element_field triangle_fields[] = {
    {.name = "corners", .type = VALUE_INDEX, .count = 3, .since = 1, .of = ELEMENT_VERTICES},
};

#define TABLE(table) .fields = table, .field_count = sizeof table / sizeof table[0]
#define ARRAY(one, several)                                                                        \
    .name = #several, .singular = #one, .array = offsetof(elements, several),                      \
    .count = offsetof(elements, one##_count), .capacity = offsetof(elements, one##_capacity),      \
    .element_size = sizeof *((elements *)0)->several, TABLE(one##_fields)

const element_kind pli_element_kinds[ELEMENT_KIND_COUNT] = {
    [ELEMENT_MATERIAL] = {.name = "material",
                          .singular = "material",
                          .is_single = true,
                          .array = offsetof(elements, material),
                          .element_size = sizeof(pliant_material),
                          TABLE(material_fields)},
    [ELEMENT_PARTICLES] = {ARRAY(particle, particles), .is_solved = true},
    [ELEMENT_EDGES] = {ARRAY(edge, edges), .is_solved = true, .check = pli_check_edge},
    [ELEMENT_GROUPS] = {ARRAY(group, groups), .is_solved = true, .check = pli_check_group},
    [ELEMENT_MEMBERS] = {ARRAY(member, members), .is_solved = true},
    [ELEMENT_HINGES] = {ARRAY(hinge, hinges), .is_solved = true, .check = pli_check_hinge},
    [ELEMENT_TETHERS] = {ARRAY(tether, tethers), .is_solved = true, .check = pli_check_tether},
    [ELEMENT_VERTICES] = {ARRAY(vertex, vertices), .check = pli_check_vertex},
    [ELEMENT_TRIANGLES] = {ARRAY(triangle, triangles)},
};
