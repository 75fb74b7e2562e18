// The sheet: a grid of flat particles with a skin of two sides and a rim.

#include <pliant/author.h>

#include "math/quat.h"
#include "range.h"

pliant_sheet_def pliant_default_sheet_def(void)
{
    return (pliant_sheet_def){.width = 1.0f,
                              .height = 1.0f,
                              .thickness = 0.01f,
                              .columns = 21,
                              .rows = 21,
                              .area_density = 0.3f,
                              .stiffness = 0.02f,
                              .stretch_stiffness = 0.9f,
                              .stretch_limit = 0.01f,
                              .skin_refinement = 2};
}

static bool is_valid(const pliant_sheet_def *def)
{
    return is_positive(def->width) && is_positive(def->height) && is_positive(def->thickness) &&
           is_between(def->columns, 2, 4096) && is_between(def->rows, 2, 4096) &&
           is_positive(def->area_density) && is_fraction(def->stiffness) &&
           is_modulus(def->young_modulus) && is_fraction(def->stretch_stiffness) &&
           def->stretch_limit >= 0.0f && def->stretch_limit <= 1e3f &&
           is_between(def->skin_refinement, 1, 16);
}

static bool add_particles(pliant_builder *builder, const pliant_sheet_def *def)
{
    float dx = def->width / (float)(def->columns - 1), dy = def->height / (float)(def->rows - 1);
    for (int row = 0; row < def->rows; ++row) {
        for (int column = 0; column < def->columns; ++column) {
            pliant_particle_def particle = pliant_default_particle_def();
            particle.position = (vec3){(float)column * dx - 0.5f * def->width, -(float)row * dy, 0};
            particle.radii = (vec3){0.6f * dx, 0.6f * dy, 0.5f * def->thickness};
            // Each particle carries the area nearest to it: half of it on the border.
            bool on_side = column == 0 || column == def->columns - 1;
            bool on_end = row == 0 || row == def->rows - 1;
            float share = (on_side ? 0.5f : 1.0f) * (on_end ? 0.5f : 1.0f);
            particle.mass = def->area_density * dx * dy * share;
            particle.stiffness = def->stiffness;
            particle.young_modulus = def->young_modulus;
            if (def->young_modulus > 0.0f)
                particle.density = def->area_density / def->thickness;
            if (pliant_builder_add_particle(builder, &particle) < 0)
                return false;
        }
    }
    return true;
}

// Straight edges carry the stretch; diagonals widen the groups so that they resist shear.
static void add_edges(pliant_builder *builder, const pliant_sheet_def *def, int first)
{
    static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};
    for (int row = 0; row < def->rows; ++row) {
        for (int column = 0; column < def->columns; ++column) {
            for (int k = 0; k < 4; ++k) {
                int to_column = column + steps[k][0], to_row = row + steps[k][1];
                if (to_column < 0 || to_column >= def->columns || to_row >= def->rows)
                    continue;
                bool is_straight = k < 2;
                pliant_edge_def edge = {.a = first + row * def->columns + column,
                                        .b = first + to_row * def->columns + to_column};
                if (is_straight) {
                    edge.stretch_stiffness = def->stretch_stiffness;
                    edge.stretch_limit = def->stretch_limit;
                }
                pliant_builder_add_edge(builder, &edge);
            }
        }
    }
}

// Bilinear links to the four particles around the grid point (u, v), counted in particles.
static void add_vertex(pliant_builder *builder, const pliant_sheet_def *def, int first, float u,
                       float v, float z, vec3 normal)
{
    int column = (int)u < def->columns - 2 ? (int)u : def->columns - 2;
    int row = (int)v < def->rows - 2 ? (int)v : def->rows - 2;
    float a = u - (float)column, b = v - (float)row;
    int corner = first + row * def->columns + column;
    float along = u / (float)(def->columns - 1), down = v / (float)(def->rows - 1);
    pliant_vertex_def vertex = {
        .position = {(along - 0.5f) * def->width, -down * def->height, z},
        .normal = normal,
        .u = along,
        .v = down,
        .particles = {corner, corner + 1, corner + def->columns, corner + def->columns + 1},
        .weights = {(1 - a) * (1 - b), a * (1 - b), (1 - a) * b, a * b}};
    pliant_builder_add_vertex(builder, &vertex);
}

static void add_side(pliant_builder *builder, const pliant_sheet_def *def, int first, float side)
{
    int nu = (def->columns - 1) * def->skin_refinement;
    int nv = (def->rows - 1) * def->skin_refinement;
    int base = pliant_builder_vertex_count(builder);
    float fine = 1.0f / (float)def->skin_refinement;
    for (int v = 0; v <= nv; ++v)
        for (int u = 0; u <= nu; ++u)
            add_vertex(builder, def, first, (float)u * fine, (float)v * fine,
                       0.5f * side * def->thickness, (vec3){0, 0, side});
    for (int v = 0; v < nv; ++v) {
        for (int u = 0; u < nu; ++u) {
            int a = base + v * (nu + 1) + u, b = a + nu + 1;
            int left = side > 0.0f ? b : a + 1, right = side > 0.0f ? a + 1 : b;
            pliant_builder_add_triangle(builder, a, left, right);
            pliant_builder_add_triangle(builder, b + 1, right, left);
        }
    }
}

// The rim: a strip along the border, clockwise as seen from the front, with normals of its own.
static void add_rim(pliant_builder *builder, const pliant_sheet_def *def, int first)
{
    float u_max = (float)(def->columns - 1), v_max = (float)(def->rows - 1);
    const float corners[5][2] = {{0, 0}, {u_max, 0}, {u_max, v_max}, {0, v_max}, {0, 0}};
    static const vec3 normals[4] = {{0, 1, 0}, {1, 0, 0}, {0, -1, 0}, {-1, 0, 0}};
    for (int k = 0; k < 4; ++k) {
        int count = (k % 2 ? def->rows - 1 : def->columns - 1) * def->skin_refinement;
        int base = pliant_builder_vertex_count(builder);
        for (int i = 0; i <= count; ++i) {
            float t = (float)i / (float)count;
            float u = corners[k][0] + t * (corners[k + 1][0] - corners[k][0]);
            float v = corners[k][1] + t * (corners[k + 1][1] - corners[k][1]);
            add_vertex(builder, def, first, u, v, 0.5f * def->thickness, normals[k]);
            add_vertex(builder, def, first, u, v, -0.5f * def->thickness, normals[k]);
        }
        for (int i = 0; i < count; ++i) {
            int a = base + 2 * i;
            pliant_builder_add_triangle(builder, a, a + 2, a + 1);
            pliant_builder_add_triangle(builder, a + 1, a + 2, a + 3);
        }
    }
}

int pliant_builder_add_sheet(pliant_builder *builder, const pliant_sheet_def *def)
{
    if (!is_valid(def))
        return -1;
    int first = pliant_builder_particle_count(builder);
    if (!add_particles(builder, def))
        return -1;
    add_edges(builder, def, first);
    add_side(builder, def, first, 1.0f);
    add_side(builder, def, first, -1.0f);
    add_rim(builder, def, first);
    return first;
}
