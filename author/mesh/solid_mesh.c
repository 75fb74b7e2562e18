// Shapes as triangles. Round ones are turned profiles, a heightfield shares its points between cells, and
// what is made of triangles anyway gets three vertices each, so that edges can be sharp.

#include "mesh/solid_mesh.h"

#include "math/trig.h"
#include "math/vec3.h"

#include <stdlib.h>

// A quarter circle from a pole to the equator, and the way around.
enum { QUARTER = 12, AROUND = 48 };

static int32_t *add_triangle(int32_t *out, int a, int b, int c)
{
    out[0] = a;
    out[1] = b;
    out[2] = c;
    return out + 3;
}

// ---------------------------------------------------------------------------------------------
// Round shapes

enum { RINGS = 2 * (QUARTER + 1), WIDTH = AROUND + 1 };

// Between a ring and the next one: at the poles triangles, else quads.
static int32_t *add_band(int32_t *out, int ring)
{
    for (int at = ring * WIDTH; at < ring * WIDTH + AROUND; ++at) {
        if (ring < RINGS - 2)
            out = add_triangle(out, at, at + WIDTH, at + WIDTH + 1);
        if (ring > 0)
            out = add_triangle(out, at, at + WIDTH + 1, at + 1);
    }
    return out;
}

// A ball cut at its equator, whose ring is there twice, with the halves `half_length` up and down.
static bool make_round(skin_mesh *mesh, float radius, float half_length)
{
    bool is_cut = half_length > 0.0f;
    int bands = is_cut ? RINGS - 1 : RINGS - 2;
    if (!pli_skin_mesh_allocate(mesh, RINGS * WIDTH, 2 * (bands - 1) * AROUND))
        return false;
    pliant_vertex_def *vertex = mesh->vertices;
    int32_t *triangle = mesh->triangles;
    for (int ring = 0; ring < RINGS; ++ring) {
        bool is_upper = ring <= QUARTER;
        float sin_polar, cos_polar, up = is_upper ? half_length : -half_length;
        int step = is_upper ? ring : ring - 1;
        trig_sin_cos(PLIANT_PI * (float)step / (2 * QUARTER), &sin_polar, &cos_polar);
        for (int k = 0; k < WIDTH; ++k) {
            float s, c;
            trig_sin_cos(2.0f * PLIANT_PI * (float)(k % AROUND) / AROUND, &s, &c);
            vec3 n = {sin_polar * c, cos_polar, -sin_polar * s};
            *vertex++ = (pliant_vertex_def){
                .position = vec3_add(vec3_scale(n, radius), (vec3){0.0f, up, 0.0f}), .normal = n};
        }
        if (ring + 1 < RINGS && (is_cut || ring != QUARTER))
            triangle = add_band(triangle, ring);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Shapes made of triangles

// Which triangles meet at each point: those of point p are list[first[p]] … list[first[p + 1] - 1].
typedef struct fans {
    int *first;
    int32_t *list;
} fans;

static void release_fans(fans *f)
{
    free(f->first);
    free(f->list);
}

static bool make_fans(fans *f, const pliant_shape_def *def)
{
    size_t corners = 3 * (size_t)def->triangle_count;
    f->first = calloc((size_t)def->point_count + 2, sizeof *f->first);
    f->list = malloc(corners * sizeof *f->list + 1);
    if (!f->first || !f->list) {
        release_fans(f);
        return false;
    }
    // Counted two places further on, so that filling the list leaves every beginning in its place.
    for (size_t i = 0; i < corners; ++i)
        ++f->first[def->triangles[i] + 2];
    for (int p = 2; p < def->point_count + 2; ++p)
        f->first[p] += f->first[p - 1];
    for (size_t i = 0; i < corners; ++i)
        f->list[f->first[def->triangles[i] + 1]++] = (int32_t)(i / 3);
    return true;
}

static vec3 face_normal(const pliant_shape_def *def, int triangle)
{
    const int32_t *t = def->triangles + 3 * (size_t)triangle;
    vec3 a = def->points[t[0]], b = def->points[t[1]], c = def->points[t[2]];
    vec3 n = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
    return vec3_normalize_or(n, (vec3){0.0f, 1.0f, 0.0f});
}

// The mean of the faces around a point that are turned by less than 40° against this one. Where hundreds
// meet, as at the tip of a fine cone, the face's own will do.
static vec3 corner_normal(const fans *f, const vec3 *normals, int point, vec3 own)
{
    const float smooth = 0.766f; // cos 40°
    int begin = f->first[point], end = f->first[point + 1];
    if (end - begin > 256)
        return own;
    vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int i = begin; i < end; ++i) {
        vec3 n = normals[f->list[i]];
        if (vec3_dot(n, own) > smooth)
            sum = vec3_add(sum, n);
    }
    return vec3_normalize_or(sum, own);
}

static bool make_faces(skin_mesh *mesh, const pliant_shape_def *def)
{
    int count = def->triangle_count;
    fans f;
    vec3 *normals = malloc((size_t)count * sizeof *normals + 1);
    if (!normals)
        return false;
    if (!make_fans(&f, def)) {
        free(normals);
        return false;
    }
    bool ok = pli_skin_mesh_allocate(mesh, 3 * count, count);
    for (int i = 0; ok && i < count; ++i)
        normals[i] = face_normal(def, i);
    for (int i = 0; ok && i < 3 * count; ++i) {
        int point = def->triangles[i];
        mesh->vertices[i].position = def->points[point];
        mesh->vertices[i].normal = corner_normal(&f, normals, point, normals[i / 3]);
        mesh->triangles[i] = i;
    }
    release_fans(&f);
    free(normals);
    return ok;
}

static bool make_box(skin_mesh *mesh, vec3 half)
{
    static const int32_t sides[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                         {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                         {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    vec3 corners[8];
    for (int i = 0; i < 8; ++i)
        corners[i] =
            (vec3){i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z};
    return make_faces(mesh, &(pliant_shape_def){.points = corners,
                                                .point_count = 8,
                                                .triangles = sides[0],
                                                .triangle_count = 12});
}

static bool make_plane(skin_mesh *mesh)
{
    static const vec3 points[4] = {
        {-0.5f, 0, -0.5f}, {-0.5f, 0, 0.5f}, {0.5f, 0, 0.5f}, {0.5f, 0, -0.5f}};
    static const int32_t triangles[6] = {0, 1, 2, 0, 2, 3};
    return make_faces(
        mesh, &(pliant_shape_def){
                  .points = points, .point_count = 4, .triangles = triangles, .triangle_count = 2});
}

// Cells are cut along the same diagonal as where bodies touch them, between its right and its far corner.
static bool make_heightfield(skin_mesh *mesh, const pliant_shape_def *def)
{
    int columns = def->columns, rows = def->rows;
    if (!pli_skin_mesh_allocate(mesh, columns * rows, 2 * (columns - 1) * (rows - 1)))
        return false;
    int32_t *triangle = mesh->triangles;
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            int at = row * columns + column;
            mesh->vertices[at].position =
                (vec3){(float)column * def->spacing, def->heights[at], (float)row * def->spacing};
            if (row + 1 < rows && column + 1 < columns) {
                triangle = add_triangle(triangle, at, at + columns, at + 1);
                triangle = add_triangle(triangle, at + columns + 1, at + 1, at + columns);
            }
        }
    }
    pli_skin_mesh_fill_normals(mesh);
    return true;
}

bool pli_solid_mesh_from_shape(skin_mesh *mesh, const pliant_shape *shape)
{
    pliant_shape_def def = pliant_shape_definition(shape);
    *mesh = (skin_mesh){0};
    switch (def.kind) {
    case PLIANT_SHAPE_PLANE:
        return make_plane(mesh);
    case PLIANT_SHAPE_SPHERE:
        return make_round(mesh, def.radius, 0.0f);
    case PLIANT_SHAPE_CAPSULE:
        return make_round(mesh, def.radius, def.half_length);
    case PLIANT_SHAPE_BOX:
        return make_box(mesh, def.half_size);
    case PLIANT_SHAPE_HULL:
    case PLIANT_SHAPE_MESH:
        return make_faces(mesh, &def);
    case PLIANT_SHAPE_HEIGHTFIELD:
        break;
    }
    return make_heightfield(mesh, &def);
}
