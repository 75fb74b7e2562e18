// A body of rows around an axis, with eight patches left out from whose rims tubes grow; laid out roughly,
// then relaxed on the surface of the field.

#include "octopus_mesh.h"

#include "geometry.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    // Columns of a sector: four of a patch, the tentacle's root, and two of the web beside it.
    PATCH = 4,
    SECTOR = 6,
    COLUMNS = SECTOR * OCTOPUS_TENTACLES,
    // Rows from the top to the mouth. Three are those of the patches, the middle one with vertices on
    // their rims and in the web only.
    HEAD_ROWS = 18,
    ROWS = HEAD_ROWS + 3 + 4,
    BODY = HEAD_ROWS * COLUMNS + COLUMNS / 2 + 2 * (1 + COLUMNS / 4 + COLUMNS / 2),
    SIDES = 12, // of a tube: as many as there are vertices on the rim of a patch
    TUBE = SIDES * OCTOPUS_RINGS + 1,
    SKIN = BODY + OCTOPUS_TENTACLES * TUBE,
    EYE_SIDES = 16,
    EYE_ROWS = 7,
    EYE = EYE_SIDES * EYE_ROWS + 2,
    PUPIL_ROWS = 3,
    PUPIL = EYE_SIDES * PUPIL_ROWS + 2,
};

// Fewer towards both ends.
static int row_size(int row)
{
    int from_end = row < HEAD_ROWS ? row : ROWS - 1 - row;
    if (from_end == 0)
        return 1;
    if (from_end == 2 || row == HEAD_ROWS + 1)
        return COLUMNS / 2;
    return from_end == 1 ? COLUMNS / 4 : COLUMNS;
}

static int row_begin(int row)
{
    int begin = 0;
    for (int i = 0; i < row; ++i)
        begin += row_size(i);
    return begin;
}

// ---------------------------------------------------------------------------------------------
// Triangles

typedef struct pen {
    pliant_mesh *mesh;
    int32_t triangle_count;
} pen;

static void draw_triangle(pen *p, int32_t a, int32_t b, int32_t c)
{
    int32_t *corners = p->mesh->triangles + 3 * p->triangle_count++;
    corners[0] = a;
    corners[1] = b;
    corners[2] = c;
}

// Between two closed rows of vertices that may have different sizes; seen from outside columns run to the right.
static void draw_strip(pen *p, int upper, int upper_size, int lower, int lower_size)
{
    int i = 0, k = 0;
    while (i < upper_size || k < lower_size) {
        int a = upper + i % upper_size, b = lower + k % lower_size;
        if ((2 * k + 1) * upper_size <= (2 * i + 1) * lower_size) {
            ++k;
            if (lower_size > 1)
                draw_triangle(p, a, b, lower + k % lower_size);
        } else {
            ++i;
            if (upper_size > 1)
                draw_triangle(p, a, b, upper + i % upper_size);
        }
    }
}

static void draw_quad(pen *p, const int32_t upper[2], const int32_t lower[2])
{
    draw_triangle(p, upper[0], lower[0], lower[1]);
    draw_triangle(p, upper[0], lower[1], upper[1]);
}

// A vertex of one of the three rows of patches, in the rim of a patch or in the web.
static int32_t patch_vertex(int row, int column)
{
    column %= COLUMNS;
    if (row != 1)
        return row_begin(HEAD_ROWS + row) + column;
    int sector = column / SECTOR, inside = column % SECTOR;
    return row_begin(HEAD_ROWS + 1) + 3 * sector + (inside == 0 ? 0 : inside - PATCH + 1);
}

static void draw_web(pen *p, int sector)
{
    for (int row = 0; row < 2; ++row) {
        for (int column = PATCH; column < SECTOR; ++column) {
            int at = sector * SECTOR + column;
            int32_t upper[2] = {patch_vertex(row, at), patch_vertex(row, at + 1)};
            int32_t lower[2] = {patch_vertex(row + 1, at), patch_vertex(row + 1, at + 1)};
            draw_quad(p, upper, lower);
        }
    }
}

// The rim of a patch from the middle of its upper side on, as seen from outside clockwise.
static int32_t rim_vertex(int tentacle, int index)
{
    static const int places[SIDES][2] = {{0, 2}, {0, 3}, {0, 4}, {1, 4}, {2, 4}, {2, 3},
                                         {2, 2}, {2, 1}, {2, 0}, {1, 0}, {0, 0}, {0, 1}};
    const int *place = places[index % SIDES];
    return patch_vertex(place[0], tentacle * SECTOR + place[1]);
}

static int32_t tube_vertex(int tentacle, int ring, int index)
{
    return BODY + tentacle * TUBE + ring * SIDES + index % SIDES;
}

static void draw_tube(pen *p, int tentacle)
{
    int32_t tip = tube_vertex(tentacle, OCTOPUS_RINGS, 0);
    for (int i = 0; i < SIDES; ++i) {
        int32_t upper[2] = {rim_vertex(tentacle, i), rim_vertex(tentacle, i + 1)};
        for (int ring = 0; ring < OCTOPUS_RINGS; ++ring) {
            int32_t lower[2] = {tube_vertex(tentacle, ring, i), tube_vertex(tentacle, ring, i + 1)};
            draw_quad(p, upper, lower);
            upper[0] = lower[0];
            upper[1] = lower[1];
        }
        draw_triangle(p, upper[0], tip, upper[1]);
    }
}

static void draw_skin(pen *p)
{
    for (int row = 0; row + 1 < ROWS; ++row)
        if (row != HEAD_ROWS && row != HEAD_ROWS + 1)
            draw_strip(p, row_begin(row), row_size(row), row_begin(row + 1), row_size(row + 1));
    for (int i = 0; i < OCTOPUS_TENTACLES; ++i) {
        draw_web(p, i);
        draw_tube(p, i);
    }
}

static void draw_ball(pen *p, int first, int rows)
{
    draw_strip(p, first, 1, first + 1, EYE_SIDES);
    for (int row = 0; row + 1 < rows; ++row)
        draw_strip(p, first + 1 + row * EYE_SIDES, EYE_SIDES, first + 1 + (row + 1) * EYE_SIDES,
                   EYE_SIDES);
    draw_strip(p, first + 1 + (rows - 1) * EYE_SIDES, EYE_SIDES, first + 1 + rows * EYE_SIDES, 1);
}

// ---------------------------------------------------------------------------------------------
// The rough layout

// How far a column is from the middle of its tentacle: 0 above it, 0.5 in the middle of the web.
static float column_u(float column)
{
    float inside = column - SECTOR * (float)(int)(column / SECTOR);
    float away = absolute(inside - 0.5f * PATCH);
    return minimum(away, SECTOR - away) / SECTOR;
}

// Column, which may lie between two, of a vertex in a row.
static float row_column(int row, int index)
{
    if (row == HEAD_ROWS + 1)
        return (float)(index / 3 * SECTOR + (index % 3 ? index % 3 + PATCH - 1 : 0));
    return (float)(index * (COLUMNS / row_size(row)));
}

// Distance from the axis and height of a row.
static void row_place(int row, float *reach, float *height)
{
    static const float low[][2] = {{0.18f, 0.38f}, {0.20f, 0.34f}, {0.23f, 0.31f}, {0.27f, 0.28f},
                                   {0.31f, 0.24f}, {0.35f, 0.15f}, {0.31f, 0.08f}, {0.24f, 0.07f},
                                   {0.16f, 0.07f}, {0.08f, 0.07f}, {0.0f, 0.07f}};
    int dome = ROWS - (int)(sizeof low / sizeof low[0]);
    if (row >= dome) {
        *reach = low[row - dome][0];
        *height = low[row - dome][1];
        return;
    }
    float s, c;
    trig_sin_cos(2.4f * (float)row / (float)dome, &s, &c);
    *reach = 0.27f * s;
    *height = 0.67f + 0.33f * c;
}

static void set_body_coordinates(float coordinates[2], int row, float column)
{
    float u = column_u(column);
    int below = row - HEAD_ROWS;
    coordinates[0] = below == 1 ? 0.5f : below > 1 ? 1.0f - u : u;
    coordinates[1] =
        OCTOPUS_ROOT_V * (below > 0 ? 1.0f - 0.1f * (float)below : (float)row / HEAD_ROWS);
}

static void place_body(pliant_mesh *mesh)
{
    int vertex = 0;
    for (int row = 0; row < ROWS; ++row) {
        float reach, height, s, c;
        row_place(row, &reach, &height);
        for (int i = 0; i < row_size(row); ++i, ++vertex) {
            float column = row_column(row, i);
            trig_sin_cos((column - 0.5f * PATCH) * 2.0f * PLIANT_PI / COLUMNS + octopus_heading(0),
                         &s, &c);
            mesh->positions[vertex] = (vec3){reach * s, height, reach * c};
            set_body_coordinates(mesh->coordinates[vertex], row, column);
        }
    }
}

// Underneath a tentacle is flat, with two rows of suckers.
static float side_scale(int ring, int index)
{
    int from_bottom = abs(index - SIDES / 2);
    if (from_bottom > 1 || ring < OCTOPUS_ROOT_RINGS)
        return 1.0f;
    return from_bottom == 0 ? 0.88f : ring % 2 ? 1.14f : 0.94f;
}

static void place_tube(pliant_mesh *mesh, const octopus_shape *shape, int tentacle)
{
    const octopus_ring *rings = shape->rings[tentacle];
    for (int ring = 0; ring < OCTOPUS_RINGS; ++ring) {
        const octopus_ring *r = &rings[ring];
        for (int i = 0; i < SIDES; ++i) {
            float s, c, radius = r->radius * side_scale(ring, i);
            trig_sin_cos(2.0f * PLIANT_PI * (float)i / SIDES, &s, &c);
            vec3 position = vec3_add_scaled(r->centre, r->top, radius * c);
            int32_t vertex = tube_vertex(tentacle, ring, i);
            mesh->positions[vertex] = vec3_add_scaled(position, r->side, radius * s);
            mesh->coordinates[vertex][0] = (float)(i < SIDES - i ? i : SIDES - i) / (SIDES / 2);
            mesh->coordinates[vertex][1] = OCTOPUS_ROOT_V + (1.0f - OCTOPUS_ROOT_V) * r->along;
        }
    }
    const octopus_ring *last = &rings[OCTOPUS_RINGS - 1];
    int32_t tip = tube_vertex(tentacle, OCTOPUS_RINGS, 0);
    mesh->positions[tip] =
        vec3_add_scaled(last->centre, vec3_cross(last->side, last->top), last->radius);
    mesh->coordinates[tip][0] = 0.5f;
    mesh->coordinates[tip][1] = 1.0f;
}

// ---------------------------------------------------------------------------------------------
// Relaxing

// How free a vertex is to move: the body altogether, tubes less and less.
static float freedom(int32_t vertex)
{
    int32_t inside = vertex - BODY;
    if (inside < 0)
        return 1.0f;
    int ring = inside % TUBE / SIDES;
    return maximum(0.0f, 1.0f - (float)(ring + 1) / (OCTOPUS_ROOT_RINGS - 1));
}

// The middle of each vertex's neighbours.
static void find_middles(const pliant_mesh *mesh, vec3 *middles, int *counts)
{
    for (int i = 0; i < SKIN; ++i) {
        middles[i] = (vec3){0, 0, 0};
        counts[i] = 0;
    }
    for (int i = 0; i < mesh->parts[0].triangle_count; ++i) {
        const int32_t *corners = mesh->triangles + 3 * i;
        for (int k = 0; k < 3; ++k) {
            int32_t at = corners[k];
            middles[at] = vec3_add(middles[at], mesh->positions[corners[(k + 1) % 3]]);
            counts[at] += 1;
        }
    }
    for (int i = 0; i < SKIN; ++i)
        middles[i] = vec3_scale(middles[i], 1.0f / (float)counts[i]);
}

// Moves vertices onto the surface and along it towards their neighbours' middles.
static void slide(pliant_mesh *mesh, const octopus_shape *shape, const vec3 *middles)
{
    for (int i = 0; i < SKIN; ++i) {
        float weight = freedom(i);
        if (weight == 0.0f)
            continue;
        vec3 gradient, at = mesh->positions[i], move = vec3_sub(middles[i], at);
        float distance = octopus_distance(shape, at, &gradient);
        move = vec3_scale(vec3_add_scaled(move, gradient, -vec3_dot(move, gradient)), 0.5f);
        move = vec3_add_scaled(move, gradient, -distance);
        mesh->positions[i] = vec3_add_scaled(at, move, weight);
    }
}

// Moves vertices below the head by a part of the way to their neighbours' middles.
static void smooth(pliant_mesh *mesh, const vec3 *middles, float part)
{
    for (int i = row_begin(HEAD_ROWS - 4); i < SKIN; ++i) {
        vec3 at = mesh->positions[i];
        mesh->positions[i] = vec3_add_scaled(at, vec3_sub(middles[i], at), part * freedom(i));
    }
}

static bool relax(pliant_mesh *mesh, const octopus_shape *shape)
{
    vec3 *middles = malloc((size_t)SKIN * sizeof *middles);
    int *counts = malloc((size_t)SKIN * sizeof *counts);
    bool is_ready = middles && counts;
    for (int round = 0; is_ready && round < 10; ++round) {
        find_middles(mesh, middles, counts);
        slide(mesh, shape, middles);
    }
    // Forth and back again, which smooths without shrinking (Taubin 1995).
    for (int round = 0; is_ready && round < 24; ++round) {
        find_middles(mesh, middles, counts);
        smooth(mesh, middles, round % 2 ? -0.53f : 0.5f);
    }
    free(middles);
    free(counts);
    return is_ready;
}

// ---------------------------------------------------------------------------------------------
// Eyes

// An ellipsoid of half axes `size`: to the side, up and along the gaze.
static void place_ball(pliant_mesh *mesh, int first, int rows, const octopus_eye *eye, vec3 centre,
                       vec3 size)
{
    vec3 side = vec3_cross((vec3){0, 1, 0}, eye->gaze);
    side = vec3_normalize_or(side, side);
    vec3 top = vec3_cross(eye->gaze, side);
    for (int row = 0; row <= rows + 1; ++row) {
        float s, c, around_s, around_c;
        trig_sin_cos(PLIANT_PI * (float)row / (float)(rows + 1), &s, &c);
        bool is_pole = row == 0 || row == rows + 1;
        for (int i = 0; i < (is_pole ? 1 : EYE_SIDES); ++i, ++first) {
            trig_sin_cos(2.0f * PLIANT_PI * (float)i / EYE_SIDES, &around_s, &around_c);
            vec3 p = vec3_add_scaled(centre, eye->gaze, size.z * c);
            if (!is_pole) {
                p = vec3_add_scaled(p, side, size.x * s * around_s);
                p = vec3_add_scaled(p, top, -size.y * s * around_c);
            }
            mesh->positions[first] = p;
            mesh->coordinates[first][0] = (float)i / EYE_SIDES;
            mesh->coordinates[first][1] = (float)row / (float)(rows + 1);
        }
    }
}

static void place_eyes(pliant_mesh *mesh)
{
    for (int i = 0; i < 2; ++i) {
        octopus_eye eye = octopus_eye_of(i);
        float r = eye.radius;
        place_ball(mesh, SKIN + i * EYE, EYE_ROWS, &eye, eye.centre, (vec3){r, r, r});
        vec3 front = vec3_add_scaled(eye.centre, eye.gaze, 0.86f * r);
        place_ball(mesh, SKIN + 2 * EYE + i * PUPIL, PUPIL_ROWS, &eye, front,
                   (vec3){0.5f * r, 0.56f * r, 0.2f * r});
    }
}

// ---------------------------------------------------------------------------------------------
// All of it

static void set_part(pliant_mesh *mesh, int index, const char *name, int vertex_count,
                     int triangle_count)
{
    pliant_mesh_part *part = &mesh->parts[index];
    snprintf(part->name, sizeof part->name, "%s", name);
    snprintf(part->material, sizeof part->material, "%s", name);
    if (index > 0) {
        const pliant_mesh_part *before = part - 1;
        part->first_vertex = before->first_vertex + before->vertex_count;
        part->first_triangle = before->first_triangle + before->triangle_count;
    }
    part->vertex_count = vertex_count;
    part->triangle_count = triangle_count;
}

// Means of the triangles around, by their areas.
static void set_normals(pliant_mesh *mesh)
{
    for (int i = 0; i < mesh->triangle_count; ++i) {
        const int32_t *c = mesh->triangles + 3 * i;
        vec3 a = mesh->positions[c[0]];
        vec3 normal =
            vec3_cross(vec3_sub(mesh->positions[c[1]], a), vec3_sub(mesh->positions[c[2]], a));
        for (int k = 0; k < 3; ++k)
            mesh->normals[c[k]] = vec3_add(mesh->normals[c[k]], normal);
    }
    for (int i = 0; i < mesh->vertex_count; ++i)
        mesh->normals[i] = vec3_normalize_or(mesh->normals[i], (vec3){0, 1, 0});
}

// Of a closed surface like a ball: V - E + F = 2 and 3 F = 2 E.
static int closed_triangles(int vertex_count)
{
    return 2 * (vertex_count - 2);
}

pliant_mesh *octopus_mesh(void)
{
    int skin = closed_triangles(SKIN);
    int eyes = 2 * closed_triangles(EYE), pupils = 2 * closed_triangles(PUPIL);
    pliant_mesh *mesh = pliant_mesh_create(SKIN + 2 * (EYE + PUPIL), skin + eyes + pupils, 3);
    if (!mesh)
        return NULL;
    set_part(mesh, 0, "skin", SKIN, skin);
    set_part(mesh, 1, "eyes", 2 * EYE, eyes);
    set_part(mesh, 2, "pupils", 2 * PUPIL, pupils);
    octopus_shape shape = octopus_shape_create();
    pen p = {mesh, 0};
    draw_skin(&p);
    for (int i = 0; i < 2; ++i)
        draw_ball(&p, SKIN + i * EYE, EYE_ROWS);
    for (int i = 0; i < 2; ++i)
        draw_ball(&p, SKIN + 2 * EYE + i * PUPIL, PUPIL_ROWS);
    place_body(mesh);
    for (int i = 0; i < OCTOPUS_TENTACLES; ++i)
        place_tube(mesh, &shape, i);
    place_eyes(mesh);
    if (!relax(mesh, &shape)) {
        pliant_mesh_destroy(mesh);
        return NULL;
    }
    set_normals(mesh);
    return mesh;
}

int octopus_tentacle_of(int32_t vertex)
{
    int32_t inside = vertex - BODY;
    return inside < 0 || vertex >= SKIN ? -1 : inside / TUBE;
}
