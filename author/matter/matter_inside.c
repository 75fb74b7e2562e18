// Which cells of the grid lie inside the object. Each piece is looked at by itself, as pieces may overlap:
// along each line of cell centres in x, y and z the piece's surface is crossed an even number of times
// (where it has a hole the number may be odd and the line has no vote), and what lies between an odd
// and an even crossing is inside. Two of three votes decide.

#include "matter_build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A spacing that fine would give more particles than any model may have.
enum { MOST_CELLS = 1 << 27 };

typedef struct crossing {
    int32_t line;
    float depth;
} crossing;

typedef struct piece_grid {
    cell low;
    int32_t counts[3];
    unsigned char *votes;
    unsigned char
        *walls; // bit k: the surface lies between this cell's centre and the next one's in axis k
    crossing *crossings, *sorted;
    size_t crossing_count, crossing_capacity;
    int32_t *first_of_line;
} piece_grid;

static float component(vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static size_t cell_index(const piece_grid *g, const int32_t at[3])
{
    return ((size_t)at[2] * (size_t)g->counts[1] + (size_t)at[1]) * (size_t)g->counts[0] +
           (size_t)at[0];
}

// Whether the edge from p to q crosses the half line from (u, v) towards greater u. It is computed alike for
// both triangles at an edge, so that a line through a closed surface never slips through between them.
static bool edge_counts(double pu, double pv, double qu, double qv, double u, double v)
{
    if ((pv <= v) == (qv <= v))
        return false;
    return pu + (v - pv) / (qv - pv) * (qu - pu) > u;
}

static bool triangle_covers(const refined_mesh *mesh, const int32_t *corners, int u_axis,
                            int v_axis, double u, double v)
{
    int count = 0;
    for (int k = 0; k < 3; ++k) {
        int32_t a = corners[k], b = corners[(k + 1) % 3];
        vec3 p = mesh->points[a < b ? a : b], q = mesh->points[a < b ? b : a];
        count += edge_counts(component(p, u_axis), component(p, v_axis), component(q, u_axis),
                             component(q, v_axis), u, v);
    }
    return count % 2 == 1;
}

static void add_crossing(matter_build *b, piece_grid *g, int32_t line, float depth)
{
    if (g->crossing_count == g->crossing_capacity) {
        size_t capacity = g->crossing_capacity * 2 + 1024;
        crossing *crossings = realloc(g->crossings, capacity * sizeof *crossings);
        if (crossings)
            g->crossings = crossings;
        crossing *sorted = realloc(g->sorted, capacity * sizeof *sorted);
        if (sorted)
            g->sorted = sorted;
        if (!crossings || !sorted) {
            b->failed = true;
            return;
        }
        g->crossing_capacity = capacity;
    }
    g->crossings[g->crossing_count++] = (crossing){line, depth};
}

// In cells, relative to the centre of the piece's first one.
static double cell_coordinate(const matter_build *b, const piece_grid *g, vec3 x, int axis)
{
    int32_t low = axis == 0 ? g->low.x : axis == 1 ? g->low.y : g->low.z;
    return ((double)component(x, axis) - component(b->grid.origin, axis)) / b->grid.size - low -
           0.5;
}

static void cross_triangle(matter_build *b, piece_grid *g, const int32_t *corners, int axis)
{
    const refined_mesh *mesh = b->matter->mesh;
    int u_axis = (axis + 1) % 3, v_axis = (axis + 2) % 3;
    vec3 p[3] = {mesh->points[corners[0]], mesh->points[corners[1]], mesh->points[corners[2]]};
    double low[2], high[2];
    for (int k = 0; k < 3; ++k) {
        double at[2] = {cell_coordinate(b, g, p[k], u_axis), cell_coordinate(b, g, p[k], v_axis)};
        for (int i = 0; i < 2; ++i) {
            low[i] = k == 0 || at[i] < low[i] ? at[i] : low[i];
            high[i] = k == 0 || at[i] > high[i] ? at[i] : high[i];
        }
    }
    vec3 normal = vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0]));
    float steepness = component(normal, axis);
    int32_t first[2], last[2];
    for (int i = 0; i < 2; ++i) {
        int axis_i = i == 0 ? u_axis : v_axis;
        first[i] = (int32_t)floor(low[i]);
        last[i] = (int32_t)ceil(high[i]);
        first[i] = first[i] < 0 ? 0 : first[i];
        last[i] = last[i] >= g->counts[axis_i] ? g->counts[axis_i] - 1 : last[i];
    }
    vec3 origin = cell_centre(&b->grid, g->low);
    for (int32_t j = first[1]; j <= last[1]; ++j) {
        for (int32_t i = first[0]; i <= last[0]; ++i) {
            double u = (double)component(origin, u_axis) + (double)i * b->grid.size;
            double v = (double)component(origin, v_axis) + (double)j * b->grid.size;
            if (!triangle_covers(mesh, corners, u_axis, v_axis, u, v))
                continue;
            // Seen edge on, the depth of any corner will do.
            double depth = component(p[0], axis);
            if (steepness != 0.0f)
                depth -= (component(normal, u_axis) * (u - component(p[0], u_axis)) +
                          component(normal, v_axis) * (v - component(p[0], v_axis))) /
                         steepness;
            add_crossing(b, g, j * g->counts[u_axis] + i,
                         (float)((depth - component(origin, axis)) / b->grid.size));
        }
    }
}

// By line, then by depth.
static void sort_crossings(piece_grid *g, int32_t line_count)
{
    memset(g->first_of_line, 0, ((size_t)line_count + 1) * sizeof *g->first_of_line);
    for (size_t i = 0; i < g->crossing_count; ++i)
        ++g->first_of_line[g->crossings[i].line];
    for (int32_t l = 1; l <= line_count; ++l)
        g->first_of_line[l] += g->first_of_line[l - 1];
    for (size_t i = g->crossing_count; i-- > 0;)
        g->sorted[--g->first_of_line[g->crossings[i].line]] = g->crossings[i];
    for (int32_t l = 0; l < line_count; ++l) {
        for (int32_t i = g->first_of_line[l] + 1; i < g->first_of_line[l + 1]; ++i) {
            crossing c = g->sorted[i];
            int32_t k = i;
            for (; k > g->first_of_line[l] && g->sorted[k - 1].depth > c.depth; --k)
                g->sorted[k] = g->sorted[k - 1];
            g->sorted[k] = c;
        }
    }
}

static void vote_line(piece_grid *g, int axis, int32_t line)
{
    int u_axis = (axis + 1) % 3, v_axis = (axis + 2) % 3;
    int32_t at[3];
    at[u_axis] = line % g->counts[u_axis];
    at[v_axis] = line / g->counts[u_axis];
    int32_t begin = g->first_of_line[line], end = g->first_of_line[line + 1];
    for (int32_t i = begin; i < end; ++i) {
        int32_t before = (int32_t)floorf(g->sorted[i].depth);
        if (before >= 0 && before < g->counts[axis]) {
            at[axis] = before;
            g->walls[cell_index(g, at)] |= (unsigned char)(1 << axis);
        }
    }
    for (int32_t i = begin; (end - begin) % 2 == 0 && i < end; i += 2) {
        int32_t first = (int32_t)ceilf(g->sorted[i].depth);
        int32_t last = (int32_t)floorf(g->sorted[i + 1].depth);
        for (int32_t k = first < 0 ? 0 : first; k <= last && k < g->counts[axis]; ++k) {
            at[axis] = k;
            ++g->votes[cell_index(g, at)];
        }
    }
}

static bool is_inside(const piece_grid *g, int32_t x, int32_t y, int32_t z)
{
    int32_t at[3] = {x, y, z};
    for (int k = 0; k < 3; ++k)
        if (at[k] < 0 || at[k] >= g->counts[k])
            return false;
    return g->votes[cell_index(g, at)] >= 2;
}

// Whether the next cell in an axis is inside too and nothing lies between.
static bool is_open(const piece_grid *g, const int32_t at[3], int axis)
{
    int32_t next[3] = {at[0], at[1], at[2]};
    ++next[axis];
    return is_inside(g, at[0], at[1], at[2]) && is_inside(g, next[0], next[1], next[2]) &&
           !(g->walls[cell_index(g, at)] & 1 << axis);
}

static int32_t node_at(const matter_build *b, const piece_grid *g, const int32_t at[3])
{
    cell c = {g->low.x + at[0], g->low.y + at[1], g->low.z + at[2]};
    return b->matter->surface_count + pli_cell_map_find(&b->inner, c);
}

static void link_cell(matter_build *b, const piece_grid *g, const int32_t at[3])
{
    for (int i = 0; i < 3; ++i) {
        int32_t along[3] = {at[0], at[1], at[2]};
        ++along[i];
        if (is_open(g, at, i))
            pli_matter_add_link(b, node_at(b, g, at), node_at(b, g, along), b->grid.size);
        // Across the diagonals of a face whose four sides are open.
        int k = (i + 1) % 3;
        int32_t beside[3] = {at[0], at[1], at[2]};
        ++beside[k];
        if (is_open(g, at, i) && is_open(g, at, k) && is_open(g, along, k) &&
            is_open(g, beside, i)) {
            int32_t opposite[3] = {along[0], along[1], along[2]};
            ++opposite[k];
            float diagonal = 1.41421356f * b->grid.size;
            pli_matter_add_link(b, node_at(b, g, at), node_at(b, g, opposite), diagonal);
            pli_matter_add_link(b, node_at(b, g, along), node_at(b, g, beside), diagonal);
        }
    }
}

static void add_inner_cell(matter_build *b, const piece_grid *g, const int32_t at[3], int32_t piece)
{
    if (b->inner_piece_count == b->inner_piece_capacity) {
        size_t capacity = b->inner_piece_capacity * 2 + 1024;
        int32_t *pairs = realloc(b->inner_pieces, capacity * 2 * sizeof *pairs);
        if (!pairs) {
            b->failed = true;
            return;
        }
        b->inner_pieces = pairs;
        b->inner_piece_capacity = capacity;
    }
    int32_t inner =
        pli_cell_map_add(&b->inner, (cell){g->low.x + at[0], g->low.y + at[1], g->low.z + at[2]});
    b->failed |= inner < 0;
    b->inner_pieces[2 * b->inner_piece_count] = inner;
    b->inner_pieces[2 * b->inner_piece_count++ + 1] = piece;
}

static void for_each_inside(matter_build *b, const piece_grid *g, int32_t piece, bool add)
{
    int32_t at[3];
    for (at[2] = 0; at[2] < g->counts[2]; ++at[2])
        for (at[1] = 0; at[1] < g->counts[1]; ++at[1]) {
            b->failed = b->failed || !progress_beats(b->progress, at[1]);
            for (at[0] = 0; at[0] < g->counts[0] && !b->failed; ++at[0]) {
                if (g->votes[cell_index(g, at)] < 2)
                    continue;
                if (add)
                    add_inner_cell(b, g, at, piece);
                else
                    link_cell(b, g, at);
            }
        }
}

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static void find_inside_piece(matter_build *b, piece_grid *g, const int32_t *triangles,
                              int32_t triangle_count, int32_t piece)
{
    const refined_mesh *mesh = b->matter->mesh;
    cell low = {INT32_MAX, INT32_MAX, INT32_MAX}, high = {INT32_MIN, INT32_MIN, INT32_MIN};
    for (int32_t i = 0; i < triangle_count; ++i) {
        for (int k = 0; k < 3; ++k) {
            cell c = b->cells[mesh->triangles[3 * (size_t)triangles[i] + (size_t)k]];
            low = (cell){c.x < low.x ? c.x : low.x, c.y < low.y ? c.y : low.y,
                         c.z < low.z ? c.z : low.z};
            high = (cell){larger(c.x, high.x), larger(c.y, high.y), larger(c.z, high.z)};
        }
    }
    g->low = low;
    int32_t counts[3] = {high.x - low.x + 1, high.y - low.y + 1, high.z - low.z + 1};
    memcpy(g->counts, counts, sizeof counts);
    double cells = (double)counts[0] * counts[1] * counts[2];
    if (cells > MOST_CELLS)
        return;
    int32_t lines =
        larger(counts[0] * counts[1], larger(counts[1] * counts[2], counts[2] * counts[0]));
    g->votes = calloc((size_t)cells, 1);
    g->walls = calloc((size_t)cells, 1);
    g->first_of_line = malloc(((size_t)lines + 1) * sizeof *g->first_of_line);
    b->failed |= !g->votes || !g->walls || !g->first_of_line;
    for (int axis = 0; axis < 3 && !b->failed; ++axis) {
        g->crossing_count = 0;
        b->failed |= !pli_progress_tell(b->progress, 0.25f * (float)axis);
        for (int32_t i = 0; i < triangle_count && !b->failed; ++i) {
            b->failed |= !progress_beats(b->progress, i);
            cross_triangle(b, g, mesh->triangles + 3 * (size_t)triangles[i], axis);
        }
        int32_t line_count = counts[(axis + 1) % 3] * counts[(axis + 2) % 3];
        sort_crossings(g, line_count);
        for (int32_t line = 0; line < line_count; ++line)
            vote_line(g, axis, line);
    }
    if (!b->failed) {
        for_each_inside(b, g, piece, true);
        for_each_inside(b, g, piece, false);
    }
    free(g->votes);
    free(g->walls);
    free(g->first_of_line);
}

void pli_matter_find_inside(matter_build *b, const topology *t)
{
    const refined_mesh *mesh = b->matter->mesh;
    size_t pieces = (size_t)t->piece_count + 1;
    int32_t *first = calloc(pieces, sizeof *first);
    int32_t *triangles = malloc(((size_t)mesh->triangle_count + 1) * sizeof *triangles);
    piece_grid grid = {0};
    b->failed |= !first || !triangles;
    if (!b->failed) {
        for (int32_t i = 0; i < mesh->triangle_count; ++i)
            ++first[mesh->pieces[mesh->triangles[3 * (size_t)i]]];
        for (int32_t p = 1; p <= t->piece_count; ++p)
            first[p] += first[p - 1];
        for (int32_t i = mesh->triangle_count; i-- > 0;)
            triangles[--first[mesh->pieces[mesh->triangles[3 * (size_t)i]]]] = i;
        progress_range all = pli_progress_range(b->progress);
        for (int32_t p = 0; p < t->piece_count && !b->failed; ++p) {
            float begin = (float)first[p] / (float)mesh->triangle_count;
            float end = (float)first[p + 1] / (float)mesh->triangle_count;
            pli_progress_narrow(b->progress, all, begin, end);
            if (first[p + 1] > first[p])
                find_inside_piece(b, &grid, triangles + first[p], first[p + 1] - first[p], p);
        }
    }
    free(first);
    free(triangles);
    free(grid.crossings);
    free(grid.sorted);
}
