// The rope: a chain of elongated particles, and a skin that looks laid from three strands.

#include <pliant/author.h>

#include "math/quat.h"
#include "range.h"

static const float STRAND_DEPTH = 0.3f; // of the grooves, relative to the radius
enum { RINGS_PER_SEGMENT = 3 };

pliant_rope_def pliant_default_rope_def(void)
{
    return (pliant_rope_def){.begin = {0, 0, 0},
                             .end = {0, -1, 0},
                             .particles = 30,
                             .radius = 0.02f,
                             .density = 600.0f,
                             .stiffness = 0.05f,
                             .stretch_stiffness = 1.0f,
                             .torsion_stiffness = 0.2f,
                             .sides = 18};
}

// The rotation that takes the x axis to the unit vector d.
static quat rotation_to(vec3 d)
{
    if (d.x < -0.999f)
        return (quat){0, 1, 0, 0};
    return quat_normalize((quat){0, -d.z, d.y, 1.0f + d.x}); // half way between 1 and d
}

static bool is_valid(const pliant_rope_def *def)
{
    float length = vec3_length(vec3_sub(def->end, def->begin));
    return is_between(def->particles, 2, 100000) && is_positive(def->radius) &&
           is_positive(def->density) && is_fraction(def->stiffness) &&
           is_modulus(def->young_modulus) && is_fraction(def->stretch_stiffness) &&
           is_fraction(def->torsion_stiffness) && is_between(def->sides, 3, 256) &&
           length > 1e-4f && is_finite(length);
}

// One vertex of the tube: t counts particles along the rope, `angle` goes around it.
static void add_vertex(pliant_builder *builder, const pliant_rope_def *def, int first, quat frame,
                       float t, float angle, vec3 cap_normal)
{
    int below = (int)t < def->particles - 2 ? (int)t : def->particles - 2;
    float blend = t - (float)below;
    blend = maximum(0.0f, minimum(1.0f, blend));
    float smooth = blend * blend * (3.0f - 2.0f * blend);
    float s, c, s3, c3;
    trig_sin_cos(angle, &s, &c);
    trig_sin_cos(3.0f * angle, &s3, &c3);
    // r(a) = R (1 - depth/2 + depth/2 cos 3a); the normal leans against its slope
    float radius = def->radius * (1.0f - STRAND_DEPTH * (0.5f - 0.5f * c3));
    float slope = def->radius * -1.5f * STRAND_DEPTH * s3;
    vec3 outward = {0, c, s}, around = {0, -s, c};
    vec3 normal = vec3_sub(vec3_scale(outward, radius), vec3_scale(around, slope));
    vec3 along = vec3_scale(vec3_sub(def->end, def->begin), t / (float)(def->particles - 1));
    bool is_cap = vec3_dot(cap_normal, cap_normal) > 0.0f;
    pliant_vertex_def vertex = {
        .position =
            vec3_add(vec3_add(def->begin, along), quat_rotate(frame, vec3_scale(outward, radius))),
        .normal = quat_rotate(frame, is_cap ? cap_normal : vec3_normalize_or(normal, outward)),
        .u = angle / (2.0f * PLIANT_PI),
        .v = t,
        .particles = {first + below, first + below + 1},
        .weights = {1.0f - smooth, smooth}};
    pliant_builder_add_vertex(builder, &vertex);
}

// Closes one end with a fan around its first vertex; the ring is convex enough for that.
static void add_cap(pliant_builder *builder, const pliant_rope_def *def, int first, quat frame,
                    float t, float side)
{
    int base = pliant_builder_vertex_count(builder);
    for (int k = 0; k < def->sides; ++k)
        add_vertex(builder, def, first, frame, t, 2.0f * PLIANT_PI * (float)k / (float)def->sides,
                   (vec3){side, 0, 0});
    for (int k = 1; k + 1 < def->sides; ++k) {
        if (side > 0.0f)
            pliant_builder_add_triangle(builder, base, base + k, base + k + 1);
        else
            pliant_builder_add_triangle(builder, base, base + k + 1, base + k);
    }
}

static void add_skin(pliant_builder *builder, const pliant_rope_def *def, int first, quat frame)
{
    int rings = (def->particles - 1) * RINGS_PER_SEGMENT + 1;
    int base = pliant_builder_vertex_count(builder);
    for (int ring = 0; ring < rings; ++ring)
        for (int k = 0; k <= def->sides; ++k)
            add_vertex(builder, def, first, frame, (float)ring / RINGS_PER_SEGMENT,
                       2.0f * PLIANT_PI * (float)k / (float)def->sides, (vec3){0, 0, 0});
    for (int ring = 0; ring + 1 < rings; ++ring) {
        for (int k = 0; k < def->sides; ++k) {
            int a = base + ring * (def->sides + 1) + k, b = a + def->sides + 1;
            pliant_builder_add_triangle(builder, a, b + 1, b);
            pliant_builder_add_triangle(builder, a, a + 1, b + 1);
        }
    }
    add_cap(builder, def, first, frame, 0.0f, -1.0f);
    add_cap(builder, def, first, frame, (float)(def->particles - 1), 1.0f);
}

int pliant_builder_add_rope(pliant_builder *builder, const pliant_rope_def *def)
{
    if (!is_valid(def))
        return -1;
    vec3 way = vec3_sub(def->end, def->begin);
    float length = vec3_length(way), spacing = length / (float)(def->particles - 1);
    quat frame = rotation_to(vec3_scale(way, 1.0f / length));
    int first = pliant_builder_particle_count(builder);
    for (int i = 0; i < def->particles; ++i) {
        pliant_particle_def particle = pliant_default_particle_def();
        float t = (float)i / (float)(def->particles - 1);
        particle.position = vec3_add_scaled(def->begin, way, t);
        particle.orientation = frame;
        particle.radii = (vec3){maximum(def->radius, 0.6f * spacing), def->radius, def->radius};
        bool is_end = i == 0 || i == def->particles - 1; // carries half a segment
        particle.mass =
            def->density * PLIANT_PI * def->radius * def->radius * spacing * (is_end ? 0.5f : 1.0f);
        particle.stiffness = def->stiffness;
        particle.young_modulus = def->young_modulus;
        if (def->young_modulus > 0.0f)
            particle.density = def->density;
        if (pliant_builder_add_particle(builder, &particle) < 0)
            return -1;
    }
    for (int i = 0; i + 1 < def->particles; ++i) {
        pliant_edge_def edge = {
            first + i, first + i + 1, def->stretch_stiffness, def->torsion_stiffness, false, 0.0f};
        pliant_builder_add_edge(builder, &edge);
    }
    add_skin(builder, def, first, frame);
    return first;
}
