// The lines in which a plane cuts the mesh.
//
// A point at the plane counts as above it, so that every face is cut in two sides or in none.

#include "slice.h"

#include <stdlib.h>

static const double SAMPLES_PER_SPACING = 8.0;

static bool is_above(const slice_mesh *mesh, int32_t point, double height)
{
    return mesh->points[point].z >= height;
}

static bool is_crossed(const slice_mesh *mesh, int32_t edge, double height)
{
    const int32_t *ends = mesh->edges[edge].ends;
    return is_above(mesh, ends[0], height) != is_above(mesh, ends[1], height);
}

// The side on which the border of the face, seen from outside, comes down through the plane.
static int32_t side_down(const slice_mesh *mesh, int32_t face, double height)
{
    const int32_t *corners = mesh->corners + 3 * face;
    for (int k = 0; k < 3; ++k)
        if (is_above(mesh, corners[k], height) && !is_above(mesh, corners[(k + 1) % 3], height))
            return mesh->sides[3 * face + k];
    return -1;
}

static int32_t other_side(const slice_mesh *mesh, int32_t face, int32_t side, double height)
{
    for (int k = 0; k < 3; ++k) {
        int32_t other = mesh->sides[3 * face + k];
        if (other != side && is_crossed(mesh, other, height))
            return other;
    }
    return -1;
}

static int32_t face_across(const slice_mesh *mesh, int32_t face, int32_t edge)
{
    for (int k = 0; k < 3; ++k)
        if (mesh->sides[3 * face + k] == edge)
            return mesh->across[3 * face + k];
    return -1;
}

// From the lower end to the upper one: the same bits whatever their order.
static point2 cut_edge(const slice_mesh *mesh, int32_t edge, double height)
{
    const int32_t *ends = mesh->edges[edge].ends;
    bool is_first_above = is_above(mesh, ends[0], height);
    point3 low = mesh->points[ends[is_first_above]], high = mesh->points[ends[!is_first_above]];
    double t = (height - low.z) / (high.z - low.z);
    return between2((point2){low.x, low.y}, (point2){high.x, high.y}, t);
}

bool pli_slice_add_point(slice_level *level, slice_line *line, point2 at, int32_t face)
{
    int32_t n = level->point_count;
    if (!pli_slice_grow((void **)&level->points, &level->point_capacity, n + 1,
                        sizeof *level->points) ||
        !pli_slice_grow((void **)&level->along, &level->along_capacity, n + 1,
                        sizeof *level->along) ||
        !pli_slice_grow((void **)&level->faces, &level->face_capacity, n + 1, sizeof *level->faces))
        return false;
    if (line->count > 0)
        line->length += distance2(level->points[n - 1], at);
    level->points[n] = at;
    level->along[n] = line->length;
    level->faces[n] = face;
    ++line->count;
    ++level->point_count;
    return true;
}

typedef struct cursor {
    int32_t face, side; // the side through which the line comes into the face
} cursor;

// Where the line through a face begins; on a closed one that is the face itself.
static cursor find_begin(const slice_mesh *mesh, int32_t start, double height, bool *is_closed)
{
    cursor c = {start, side_down(mesh, start, height)};
    for (;;) {
        int32_t next = face_across(mesh, c.face, c.side);
        *is_closed = next == start;
        if (next < 0)
            return c;
        if (next == start)
            return (cursor){start, side_down(mesh, start, height)};
        c = (cursor){next, other_side(mesh, next, c.side, height)};
    }
}

static bool trace(slice_level *level, const slice_mesh *mesh, int32_t start, unsigned char *marks)
{
    slice_line line = {.first = level->point_count};
    cursor c = find_begin(mesh, start, level->height, &line.is_closed);
    int32_t begin = c.face;
    line.edge = c.side;
    if (!pli_slice_add_point(level, &line, cut_edge(mesh, c.side, level->height), c.face))
        return false;
    for (;;) {
        marks[c.face] = 1;
        c.side = other_side(mesh, c.face, c.side, level->height);
        int32_t next = face_across(mesh, c.face, c.side);
        bool is_end = next < 0 || (line.is_closed && next == begin);
        point2 at = cut_edge(mesh, c.side, level->height);
        if (!pli_slice_add_point(level, &line, at, is_end ? c.face : next))
            return false;
        if (is_end)
            break;
        c.face = next;
    }
    if (!pli_slice_grow((void **)&level->lines, &level->line_capacity, level->line_count + 1,
                        sizeof *level->lines))
        return false;
    level->lines[level->line_count++] = line;
    return true;
}

int32_t pli_slice_find(const slice_level *level, const slice_line *line, double along)
{
    int32_t low = line->first, high = line->first + line->count - 1;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (level->along[middle] <= along)
            low = middle;
        else
            high = middle;
    }
    return low;
}

point2 pli_slice_at(const slice_level *level, const slice_line *line, double along)
{
    int32_t i = pli_slice_find(level, line, along);
    if (i + 1 >= line->first + line->count)
        return level->points[i];
    double piece = level->along[i + 1] - level->along[i];
    double t = piece > 0.0 ? (along - level->along[i]) / piece : 0.0;
    return between2(level->points[i], level->points[i + 1], t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t);
}

static bool add_sample(slice_level *level, int32_t line, double along)
{
    const slice_line *of = &level->lines[line];
    int32_t n = level->sample_count;
    if (!pli_slice_grow((void **)&level->samples, &level->sample_capacity, n + 1,
                        sizeof *level->samples) ||
        !pli_slice_grow((void **)&level->sample_lines, &level->sample_line_capacity, n + 1,
                        sizeof *level->sample_lines) ||
        !pli_slice_grow((void **)&level->sample_faces, &level->sample_face_capacity, n + 1,
                        sizeof *level->sample_faces))
        return false;
    level->samples[n] = pli_slice_at(level, of, along);
    level->sample_lines[n] = line;
    level->sample_faces[n] = level->faces[pli_slice_find(level, of, along)];
    ++level->sample_count;
    return pli_plane_grid_add(&level->sample_grid, level->samples[n], n);
}

static bool sample_line(slice_level *level, int32_t index)
{
    slice_line *line = &level->lines[index];
    int32_t steps = (int32_t)(line->length / level->pitch) + 1;
    line->first_sample = level->sample_count;
    line->sample_count = steps + 1;
    for (int32_t i = 0; i <= steps; ++i)
        if (!add_sample(level, index, line->length * (double)i / (double)steps))
            return false;
    return true;
}

// Longest first; equal ones stay in the order of their first faces.
static int compare_lines(const void *first, const void *second)
{
    const slice_line *a = first, *b = second;
    if (a->length != b->length)
        return a->length > b->length ? -1 : 1;
    return a->first < b->first ? -1 : a->first > b->first;
}

static int compare_faces(const void *first, const void *second)
{
    int32_t a = *(const int32_t *)first, b = *(const int32_t *)second;
    return a < b ? -1 : a > b;
}

static void empty(slice_level *level, double height, double spacing)
{
    level->height = height;
    level->pitch = spacing / SAMPLES_PER_SPACING;
    level->line_count = level->point_count = level->sample_count = 0;
    level->particle_count = level->member_count = 0;
    pli_plane_grid_release(&level->sample_grid);
    pli_plane_grid_release(&level->grid);
    level->sample_grid.size = 0.5 * spacing;
    level->grid.size = spacing;
}

bool pli_slice_cut(slice_level *level, const slice_mesh *mesh, int32_t *faces, int32_t face_count,
                   double height, double spacing, unsigned char *marks)
{
    empty(level, height, spacing);
    // By number, so that lines begin where they do however the mesh is turned.
    qsort(faces, (size_t)face_count, sizeof *faces, compare_faces);
    for (int32_t i = 0; i < face_count; ++i)
        marks[faces[i]] = 0;
    for (int32_t i = 0; i < face_count; ++i)
        if (!marks[faces[i]] && !trace(level, mesh, faces[i], marks))
            return false;
    if (level->line_count > 0)
        qsort(level->lines, (size_t)level->line_count, sizeof *level->lines, compare_lines);
    for (int32_t i = 0; i < level->line_count; ++i)
        if (!sample_line(level, i))
            return false;
    for (int32_t i = 0; i < level->line_count; ++i)
        if (!pli_slice_fold(level, &level->lines[i], spacing))
            return false;
    return true;
}

void pli_slice_level_release(slice_level *level)
{
    free(level->lines);
    free(level->points);
    free(level->along);
    free(level->faces);
    free(level->samples);
    free(level->sample_lines);
    free(level->sample_faces);
    pli_plane_grid_release(&level->sample_grid);
    pli_plane_grid_release(&level->grid);
    free(level->member_heads);
    free(level->members);
}
