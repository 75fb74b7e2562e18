// Drawing of visual meshes.

#include "brush.h"

#include "geometry.h"

enum { TUBE_SIDES = 8, ARCH_PIECES = 14, MOST_LINES = 64 };

// ---------------------------------------------------------------------------------------------
// Vertices

typedef struct nearest {
    int particles[PLIANT_MAX_LINKS + 1];
    float distances[PLIANT_MAX_LINKS + 1];
    int count;
} nearest;

static void note_near(nearest *found, int particle, float distance)
{
    int k = found->count;
    if (k == PLIANT_MAX_LINKS + 1) {
        if (!(distance < found->distances[k - 1]))
            return;
        --k;
    } else {
        ++found->count;
    }
    for (; k > 0 && found->distances[k - 1] > distance; --k) {
        found->distances[k] = found->distances[k - 1];
        found->particles[k] = found->particles[k - 1];
    }
    found->distances[k] = distance;
    found->particles[k] = particle;
}

static void bind(const brush *b, pliant_vertex_def *vertex)
{
    nearest found = {.count = 0};
    for (int i = b->first; i < b->first + b->count; ++i) {
        vec3 place = pliant_builder_particle(b->builder, i)->position;
        note_near(&found, i, vec3_length(vec3_sub(place, vertex->position)));
    }
    // The fifth nearest would get weight zero: where it becomes the fourth nothing jumps.
    float reach = 1.001f * found.distances[found.count - 1], sum = 0.0f;
    int links = found.count < PLIANT_MAX_LINKS ? found.count : PLIANT_MAX_LINKS;
    for (int k = 0; k < links; ++k) {
        float part = 1.0f - found.distances[k] / reach;
        vertex->particles[k] = found.particles[k];
        vertex->weights[k] = part * part + 1e-6f;
        sum += vertex->weights[k];
    }
    for (int k = 0; k < links; ++k)
        vertex->weights[k] /= sum;
}

int brush_vertex(const brush *b, vec3 position, vec3 normal)
{
    pliant_vertex_def vertex = {.position = position, .normal = normal, .u = b->u, .v = 0.5f};
    bind(b, &vertex);
    return pliant_builder_add_vertex(b->builder, &vertex);
}

int brush_point(const brush *b, vec3 position)
{
    return brush_vertex(b, position, (vec3){0, 0, 0});
}

void brush_grid(const brush *b, int base, int columns, int rows)
{
    for (int j = 0; j + 1 < rows; ++j) {
        for (int i = 0; i + 1 < columns; ++i) {
            int corner = base + j * columns + i, above = corner + columns;
            pliant_builder_add_triangle(b->builder, corner, corner + 1, above);
            pliant_builder_add_triangle(b->builder, above + 1, above, corner + 1);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Blocks

// Coordinates of grid lines along an edge of [0, 1]: its ends, the ends of the rounding, and between.
static int find_lines(float lines[MOST_LINES], int cells, float rounding)
{
    int count = 0;
    cells = cells < MOST_LINES - 3 ? cells : MOST_LINES - 3;
    lines[count++] = 0.0f;
    for (int i = 0; i <= cells; ++i)
        lines[count++] = rounding + (1.0f - 2.0f * rounding) * (float)i / (float)cells;
    lines[count++] = 1.0f;
    return count;
}

static void add_block_vertex(const brush *b, const hull *shape, const float rounding[3],
                             const float g[3])
{
    float core[3], away[3], length = 0.0f;
    for (int k = 0; k < 3; ++k) {
        core[k] = maximum(rounding[k], minimum(1.0f - rounding[k], g[k]));
        away[k] = (g[k] - core[k]) / rounding[k];
        length += away[k] * away[k];
    }
    length = square_root(length);
    for (int k = 0; k < 3; ++k)
        core[k] += rounding[k] * away[k] / length;
    vec3 direction = {away[0] / length, away[1] / length, away[2] / length};
    brush_vertex(b, hull_point(shape, core), hull_normal(shape, core, direction));
}

void brush_block(const brush *b, const hull *shape, float bevel, const int cells[3])
{
    vec3 size = hull_size(shape);
    const float lengths[3] = {size.x, size.y, size.z};
    float rounding[3], lines[3][MOST_LINES];
    int counts[3];
    for (int k = 0; k < 3; ++k) {
        rounding[k] = minimum(0.45f, bevel / lengths[k]);
        counts[k] = find_lines(lines[k], cells[k], rounding[k]);
    }
    for (int face = 0; face < 6; ++face) {
        // Swapping the two directions turns the front of the grid to the other side.
        int axis = face / 2, side = face % 2;
        int p = (axis + (side ? 1 : 2)) % 3, q = (axis + (side ? 2 : 1)) % 3;
        int base = pliant_builder_vertex_count(b->builder);
        for (int j = 0; j < counts[q]; ++j) {
            for (int i = 0; i < counts[p]; ++i) {
                float g[3];
                g[axis] = (float)side;
                g[p] = lines[p][i];
                g[q] = lines[q][j];
                add_block_vertex(b, shape, rounding, g);
            }
        }
        brush_grid(b, base, counts[p], counts[q]);
    }
}

void brush_block_pair(const brush *b, const hull *shape, float bevel, const int cells[3])
{
    hull other = hull_mirror(shape);
    brush_block(b, shape, bevel, cells);
    brush_block(b, &other, bevel, cells);
}

// ---------------------------------------------------------------------------------------------
// Tubes and arches

// A unit vector across `axis`.
static vec3 across(vec3 axis)
{
    vec3 other = absolute(axis.y) < 0.7f ? (vec3){0, 1, 0} : (vec3){1, 0, 0};
    return vec3_normalize_or(vec3_cross(other, axis), (vec3){0, 0, 1});
}

static void add_disc(const brush *b, vec3 centre, vec3 axis, vec3 right, float radius)
{
    vec3 up = vec3_cross(axis, right);
    int middle = brush_vertex(b, centre, axis);
    for (int k = 0; k < TUBE_SIDES; ++k) {
        float s, c;
        trig_sin_cos(2.0f * PLIANT_PI * (float)k / TUBE_SIDES, &s, &c);
        vec3 out = vec3_add(vec3_scale(right, c), vec3_scale(up, s));
        brush_vertex(b, vec3_add_scaled(centre, out, radius), axis);
    }
    for (int k = 0; k < TUBE_SIDES; ++k)
        pliant_builder_add_triangle(b->builder, middle, middle + 1 + k,
                                    middle + 1 + (k + 1) % TUBE_SIDES);
}

void brush_tube(const brush *b, vec3 begin, vec3 end, float radius, int pieces)
{
    vec3 way = vec3_sub(end, begin), axis = vec3_normalize_or(way, (vec3){1, 0, 0});
    vec3 right = across(axis), up = vec3_cross(axis, right);
    int base = pliant_builder_vertex_count(b->builder);
    for (int i = 0; i <= pieces; ++i) {
        vec3 centre = vec3_add_scaled(begin, way, (float)i / (float)pieces);
        for (int k = 0; k <= TUBE_SIDES; ++k) {
            float s, c;
            trig_sin_cos(2.0f * PLIANT_PI * (float)(k % TUBE_SIDES) / TUBE_SIDES, &s, &c);
            vec3 out = vec3_add(vec3_scale(right, c), vec3_scale(up, s));
            brush_vertex(b, vec3_add_scaled(centre, out, radius), out);
        }
    }
    brush_grid(b, base, TUBE_SIDES + 1, pieces + 1);
    add_disc(b, end, axis, right, radius);
    add_disc(b, begin, vec3_negate(axis), right, radius);
}

void brush_tube_pair(const brush *b, vec3 begin, vec3 end, float radius, int pieces)
{
    brush_tube(b, begin, end, radius, pieces);
    begin.z = -begin.z;
    end.z = -end.z;
    brush_tube(b, begin, end, radius, pieces);
}

// One of the four long faces between two corners of the strip's cross section.
static void add_arch_face(const brush *b, vec3 centre, const float angles[2], const float from[2],
                          const float to[2])
{
    int base = pliant_builder_vertex_count(b->builder);
    for (int row = 0; row < 2; ++row) {
        const float *corner = row ? to : from;
        for (int i = 0; i <= ARCH_PIECES; ++i) {
            float s, c;
            trig_sin_cos(angles[0] + (angles[1] - angles[0]) * (float)i / ARCH_PIECES, &s, &c);
            brush_point(b, vec3_add(centre, (vec3){corner[0] * c, corner[0] * s, corner[1]}));
        }
    }
    brush_grid(b, base, ARCH_PIECES + 1, 2);
}

static void add_arch_end(const brush *b, vec3 centre, float angle, const float corners[4][2],
                         bool is_last)
{
    float s, c;
    trig_sin_cos(angle, &s, &c);
    int base = pliant_builder_vertex_count(b->builder);
    for (int k = 0; k < 4; ++k)
        brush_point(b,
                    vec3_add(centre, (vec3){corners[k][0] * c, corners[k][0] * s, corners[k][1]}));
    int second = is_last ? 3 : 1, fourth = is_last ? 1 : 3;
    pliant_builder_add_triangle(b->builder, base, base + second, base + 2);
    pliant_builder_add_triangle(b->builder, base, base + 2, base + fourth);
}

void brush_arch(const brush *b, vec3 centre, const float angles[2], const float radii[2],
                const float sides[2])
{
    const float corners[4][2] = {
        {radii[0], sides[0]}, {radii[1], sides[0]}, {radii[1], sides[1]}, {radii[0], sides[1]}};
    for (int k = 0; k < 4; ++k)
        add_arch_face(b, centre, angles, corners[(k + 1) % 4], corners[k]);
    add_arch_end(b, centre, angles[0], corners, false);
    add_arch_end(b, centre, angles[1], corners, true);
}
