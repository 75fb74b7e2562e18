// The block: a box filled with round particles, each connected to its 26 neighbours, with a skin that
// is rounded like the particles at its edges.

#include <pliant/author.h>

#include "math/quat.h"
#include "range.h"

pliant_block_def pliant_default_block_def(void)
{
    return (pliant_block_def){.size = {0.5f, 0.5f, 0.5f},
                              .counts = {5, 5, 5},
                              .density = 1000.0f,
                              .stiffness = 0.1f,
                              .skin_refinement = 3};
}

static bool is_valid(const pliant_block_def *def)
{
    bool counts = true;
    for (int k = 0; k < 3; ++k)
        counts = counts && is_between(def->counts[k], 2, 256);
    return counts && is_positive(def->size.x) && is_positive(def->size.y) &&
           is_positive(def->size.z) && vec3_is_finite(def->centre) && is_positive(def->density) &&
           is_fraction(def->stiffness) && is_modulus(def->young_modulus) &&
           is_between(def->skin_refinement, 1, 16);
}

static vec3 spacing(const pliant_block_def *def)
{
    return (vec3){def->size.x / (float)def->counts[0], def->size.y / (float)def->counts[1],
                  def->size.z / (float)def->counts[2]};
}

// The point at grid coordinates, where whole numbers are particles.
static vec3 grid_point(const pliant_block_def *def, float i, float j, float k)
{
    vec3 d = spacing(def);
    return vec3_add(def->centre, (vec3){(i + 0.5f) * d.x - 0.5f * def->size.x,
                                        (j + 0.5f) * d.y - 0.5f * def->size.y,
                                        (k + 0.5f) * d.z - 0.5f * def->size.z});
}

static int particle_index(const pliant_block_def *def, int first, int i, int j, int k)
{
    return first + (k * def->counts[1] + j) * def->counts[0] + i;
}

static bool add_particles(pliant_builder *builder, const pliant_block_def *def)
{
    vec3 d = spacing(def);
    for (int k = 0; k < def->counts[2]; ++k) {
        for (int j = 0; j < def->counts[1]; ++j) {
            for (int i = 0; i < def->counts[0]; ++i) {
                pliant_particle_def particle = pliant_default_particle_def();
                particle.position = grid_point(def, (float)i, (float)j, (float)k);
                particle.radii = vec3_scale(d, 0.5f);
                particle.mass = def->density * d.x * d.y * d.z;
                particle.stiffness = def->stiffness;
                particle.young_modulus = def->young_modulus;
                if (def->young_modulus > 0.0f)
                    particle.density = def->density;
                if (pliant_builder_add_particle(builder, &particle) < 0)
                    return false;
            }
        }
    }
    return true;
}

// Half of the 26 directions, so that each pair is met once.
static void add_edges(pliant_builder *builder, const pliant_block_def *def, int first)
{
    const int *n = def->counts;
    for (int k = 0; k < n[2]; ++k)
        for (int j = 0; j < n[1]; ++j)
            for (int i = 0; i < n[0]; ++i)
                for (int step = 14; step < 27; ++step) {
                    int a = i + step % 3 - 1, b = j + step / 3 % 3 - 1, c = k + step / 9 - 1;
                    if (a < 0 || a >= n[0] || b < 0 || b >= n[1] || c < 0 || c >= n[2])
                        continue;
                    pliant_edge_def edge = {particle_index(def, first, i, j, k),
                                            particle_index(def, first, a, b, c),
                                            0.0f,
                                            0.0f,
                                            false,
                                            0.0f};
                    pliant_builder_add_edge(builder, &edge);
                }
}

static float clamp(float value, float low, float high)
{
    return maximum(low, minimum(high, value));
}

// A vertex at grid coordinates g on the box's surface. It lies outside the outer layer of particles
// in at least one direction, where clamping leaves one particle: at most four links remain.
static void add_vertex(pliant_builder *builder, const pliant_block_def *def, int first,
                       const float g[3], float u, float v)
{
    float inner[3], fraction[3];
    int cell[3];
    for (int c = 0; c < 3; ++c) {
        inner[c] = clamp(g[c], 0.0f, (float)(def->counts[c] - 1));
        cell[c] = (int)inner[c] < def->counts[c] - 2 ? (int)inner[c] : def->counts[c] - 2;
        fraction[c] = inner[c] - (float)cell[c];
    }
    vec3 d = spacing(def);
    vec3 core = grid_point(def, inner[0], inner[1], inner[2]);
    vec3 outward = vec3_sub(grid_point(def, g[0], g[1], g[2]), core);
    // The corner is rounded as an ellipsoid with the particles' radii: normalise in their units.
    vec3 unit = {outward.x / d.x, outward.y / d.y, outward.z / d.z};
    unit = vec3_normalize_or(unit, (vec3){0, 1, 0});
    vec3 surface = {0.5f * unit.x * d.x, 0.5f * unit.y * d.y, 0.5f * unit.z * d.z};
    vec3 normal = {unit.x / d.x, unit.y / d.y, unit.z / d.z};
    pliant_vertex_def vertex = {.position = vec3_add(core, surface),
                                .normal = vec3_normalize_or(normal, unit),
                                .u = u,
                                .v = v};
    int links = 0;
    for (int corner = 0; corner < 8 && links < PLIANT_MAX_LINKS; ++corner) {
        int step[3] = {corner & 1, corner >> 1 & 1, corner >> 2};
        float weight = 1.0f;
        for (int c = 0; c < 3; ++c)
            weight *= step[c] ? fraction[c] : 1.0f - fraction[c];
        if (weight <= 0.0f)
            continue;
        vertex.particles[links] =
            particle_index(def, first, cell[0] + step[0], cell[1] + step[1], cell[2] + step[2]);
        vertex.weights[links++] = weight;
    }
    pliant_builder_add_vertex(builder, &vertex);
}

// One face: `axis` is its normal's direction, `side` its sign.
static void add_face(pliant_builder *builder, const pliant_block_def *def, int first, int axis,
                     int side)
{
    int p = (axis + 1) % 3, q = (axis + 2) % 3;
    int np = def->counts[p] * def->skin_refinement, nq = def->counts[q] * def->skin_refinement;
    int base = pliant_builder_vertex_count(builder);
    for (int j = 0; j <= nq; ++j) {
        for (int i = 0; i <= np; ++i) {
            float g[3];
            g[axis] = side > 0 ? (float)def->counts[axis] - 0.5f : -0.5f;
            g[p] = (float)i / (float)def->skin_refinement - 0.5f;
            g[q] = (float)j / (float)def->skin_refinement - 0.5f;
            add_vertex(builder, def, first, g, (float)i / (float)np, (float)j / (float)nq);
        }
    }
    for (int j = 0; j < nq; ++j) {
        for (int i = 0; i < np; ++i) {
            int a = base + j * (np + 1) + i, b = a + np + 1;
            int left = side > 0 ? a + 1 : b, right = side > 0 ? b : a + 1;
            pliant_builder_add_triangle(builder, a, left, right);
            pliant_builder_add_triangle(builder, b + 1, right, left);
        }
    }
}

int pliant_builder_add_block(pliant_builder *builder, const pliant_block_def *def)
{
    if (!is_valid(def))
        return -1;
    int first = pliant_builder_particle_count(builder);
    if (!add_particles(builder, def))
        return -1;
    add_edges(builder, def, first);
    for (int axis = 0; axis < 3; ++axis) {
        add_face(builder, def, first, axis, -1);
        add_face(builder, def, first, axis, 1);
    }
    return first;
}
