// The ball: one ellipsoidal particle and its surface.

#include <pliant/author.h>

#include "math/quat.h"
#include "range.h"

pliant_ball_def pliant_default_ball_def(void)
{
    return (pliant_ball_def){.orientation = {0, 0, 0, 1},
                             .radii = {0.1f, 0.1f, 0.1f},
                             .density = 1000.0f,
                             .stiffness = 0.5f,
                             .rings = 16};
}

static bool is_valid(const pliant_ball_def *def)
{
    float length2 = quat_dot(def->orientation, def->orientation);
    return is_positive(def->radii.x) && is_positive(def->radii.y) && is_positive(def->radii.z) &&
           is_positive(def->density) && is_fraction(def->stiffness) &&
           is_modulus(def->young_modulus) && is_between(def->rings, 2, 256) &&
           vec3_is_finite(def->centre) && length2 > 1e-12f && is_finite(length2);
}

static void add_vertex(pliant_builder *builder, const pliant_ball_def *def, int particle, float u,
                       float v)
{
    float s, c, ring, height;
    trig_sin_cos(2.0f * PLIANT_PI * u, &s, &c);
    trig_sin_cos(PLIANT_PI * v, &ring, &height);
    vec3 unit = {c * ring, height, -s * ring}, r = def->radii;
    vec3 normal = {unit.x / r.x, unit.y / r.y, unit.z / r.z};
    quat q = quat_normalize(def->orientation);
    pliant_vertex_def vertex = {
        .position =
            vec3_add(def->centre, quat_rotate(q, (vec3){unit.x * r.x, unit.y * r.y, unit.z * r.z})),
        .normal = quat_rotate(q, vec3_normalize_or(normal, unit)),
        .u = u,
        .v = v,
        .particles = {particle},
        .weights = {1.0f}};
    pliant_builder_add_vertex(builder, &vertex);
}

// Rings from pole to pole. A pole has one vertex per column, the other rings one more, where the
// texture meets itself.
static void add_skin(pliant_builder *builder, const pliant_ball_def *def, int particle)
{
    int columns = 2 * def->rings, base = pliant_builder_vertex_count(builder);
    for (int i = 0; i <= def->rings; ++i) {
        bool is_pole = i == 0 || i == def->rings;
        for (int k = 0; k < columns + !is_pole; ++k)
            add_vertex(builder, def, particle, (float)k / (float)columns,
                       (float)i / (float)def->rings);
    }
    for (int i = 0; i < def->rings; ++i) {
        for (int k = 0; k < columns; ++k) {
            int a = i == 0 ? base + k : base + columns + (i - 1) * (columns + 1) + k;
            int b = base + columns + i * (columns + 1) + k;
            if (i > 0)
                pliant_builder_add_triangle(builder, a, b, a + 1);
            if (i + 1 < def->rings)
                pliant_builder_add_triangle(builder, i > 0 ? a + 1 : a, b, b + 1);
        }
    }
}

int pliant_builder_add_ball(pliant_builder *builder, const pliant_ball_def *def)
{
    if (!is_valid(def))
        return -1;
    pliant_particle_def particle = pliant_default_particle_def();
    particle.position = def->centre;
    particle.orientation = def->orientation;
    particle.radii = def->radii;
    particle.mass =
        def->density * (4.0f / 3.0f) * PLIANT_PI * def->radii.x * def->radii.y * def->radii.z;
    particle.stiffness = def->stiffness;
    particle.young_modulus = def->young_modulus;
    if (def->young_modulus > 0.0f)
        particle.density = def->density;
    int index = pliant_builder_add_particle(builder, &particle);
    if (index < 0)
        return -1;
    add_skin(builder, def, index);
    return index;
}
