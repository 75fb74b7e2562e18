// The cloth is a grid: columns from the front edge at the left around the back to the other one, rows from
// the hem up to the neck and then over the head to the rim of the hood.

#include "robe_mesh.h"

#include "geometry.h"

enum {
    COLUMNS = 46,
    BODY_ROWS = 26,
    HOOD_ROWS = 11,
    ROWS = BODY_ROWS + HOOD_ROWS,
    ACROSS = COLUMNS + 1,
    POINTS = ACROSS * (ROWS + 1)
};

// Cross sections of the body, from the hem to the neck.
typedef struct section {
    float y;
    float wide, deep; // half axes of the ellipse
    float back;       // how far its centre is behind the figure's
    float opening;    // rad, half the gap in front
    float folds;      // depth of the folds relative to the size
} section;

static const section sections[] = {
    {0.10f, 0.46f, 0.42f, 0.06f, 0.34f, 0.075f}, {0.42f, 0.41f, 0.36f, 0.05f, 0.30f, 0.060f},
    {0.75f, 0.36f, 0.30f, 0.03f, 0.27f, 0.045f}, {1.05f, 0.31f, 0.24f, 0.02f, 0.27f, 0.025f},
    {1.26f, 0.27f, 0.185f, 0.01f, 0.30f, 0.01f}, {1.38f, 0.215f, 0.135f, 0.01f, 0.38f, 0.0f},
    {1.44f, 0.13f, 0.105f, 0.01f, 0.47f, 0.0f},  {1.49f, 0.120f, 0.095f, 0.01f, 0.50f, 0.0f},
};

enum { SECTIONS = sizeof sections / sizeof sections[0], FOLDS = 11 };

// Catmull-Rom: a smooth curve through the values.
static float curve(const float p[4], float t)
{
    float a = 2.0f * p[1], b = p[2] - p[0];
    float c = 2.0f * p[0] - 5.0f * p[1] + 4.0f * p[2] - p[3];
    float d = 3.0f * (p[1] - p[2]) + p[3] - p[0];
    return 0.5f * (a + t * (b + t * (c + t * d)));
}

static section section_at(float v)
{
    float at = v * (float)(SECTIONS - 1);
    int k = (int)at < SECTIONS - 2 ? (int)at : SECTIONS - 2;
    const section *near[4] = {&sections[k > 0 ? k - 1 : 0], &sections[k], &sections[k + 1],
                              &sections[k + 2 < SECTIONS ? k + 2 : SECTIONS - 1]};
    float values[6][4];
    for (int i = 0; i < 4; ++i) {
        values[0][i] = near[i]->y;
        values[1][i] = near[i]->wide;
        values[2][i] = near[i]->deep;
        values[3][i] = near[i]->back;
        values[4][i] = near[i]->opening;
        values[5][i] = near[i]->folds;
    }
    float t = at - (float)k;
    return (section){curve(values[0], t), curve(values[1], t), curve(values[2], t),
                     curve(values[3], t), curve(values[4], t), curve(values[5], t)};
}

static vec3 body_point(float u, float v)
{
    section s = section_at(v);
    float angle = s.opening + u * 2.0f * (PLIANT_PI - s.opening);
    float sine, cosine, fold, unused;
    trig_sin_cos(angle, &sine, &cosine);
    trig_sin_cos((float)FOLDS * 2.0f * PLIANT_PI * u, &unused, &fold);
    float size = 1.0f + s.folds * fold;
    return (vec3){s.wide * size * sine, s.y, s.deep * size * cosine - s.back};
}

// From the neck to the rim around the face, bulging over the back of the head between them.
static vec3 hood_point(float u, float t)
{
    vec3 neck = body_point(u, 1.0f);
    float sine, cosine;
    trig_sin_cos(1.1f + u * 2.0f * (PLIANT_PI - 1.1f), &sine, &cosine);
    vec3 rim = {0.125f * sine, 1.62f - 0.175f * cosine, 0.105f + 0.02f * cosine};
    trig_sin_cos(u * PLIANT_PI, &sine, &cosine);
    vec3 out = {cosine, 0.75f * sine, -0.75f * sine};
    vec3 middle = vec3_scale(vec3_add(neck, rim), 0.5f);
    middle = vec3_add_scaled(middle, out, 0.02f + 0.27f * sine);
    float s = 1.0f - t;
    vec3 sum = vec3_scale(neck, s * s);
    sum = vec3_add_scaled(sum, middle, 2.0f * s * t);
    return vec3_add_scaled(sum, rim, t * t);
}

static vec3 cloth_point(int column, int row)
{
    float u = (float)column / COLUMNS;
    if (row <= BODY_ROWS)
        return body_point(u, (float)row / BODY_ROWS);
    return hood_point(u, (float)(row - BODY_ROWS) / HOOD_ROWS);
}

// Outwards: across columns and rows as they run at the point.
static vec3 cloth_normal(int column, int row)
{
    vec3 left = cloth_point(column > 0 ? column - 1 : 0, row);
    vec3 right = cloth_point(column < COLUMNS ? column + 1 : COLUMNS, row);
    vec3 below = cloth_point(column, row > 0 ? row - 1 : 0);
    vec3 above = cloth_point(column, row < ROWS ? row + 1 : ROWS);
    vec3 normal = vec3_cross(vec3_sub(right, left), vec3_sub(above, below));
    return vec3_normalize_or(normal, (vec3){0, 0, 1});
}

// ---------------------------------------------------------------------------------------------

static int add_vertex(pliant_mesh *mesh, vec3 position, vec3 normal, float u, float v)
{
    int index = mesh->vertex_count++;
    mesh->positions[index] = position;
    mesh->normals[index] = normal;
    mesh->coordinates[index][0] = u;
    mesh->coordinates[index][1] = v;
    return index;
}

static void add_quad(pliant_mesh *mesh, int a, int b, int c, int d)
{
    int32_t *corners = mesh->triangles + 3 * (size_t)mesh->triangle_count;
    const int32_t six[6] = {a, b, c, a, c, d};
    for (int k = 0; k < 6; ++k)
        corners[k] = six[k];
    mesh->triangle_count += 2;
}

static vec3 side_point(int column, int row, float offset)
{
    return vec3_add_scaled(cloth_point(column, row), cloth_normal(column, row), offset);
}

static void add_side(pliant_mesh *mesh, float offset)
{
    int base = mesh->vertex_count;
    for (int row = 0; row <= ROWS; ++row)
        for (int column = 0; column <= COLUMNS; ++column)
            add_vertex(mesh, side_point(column, row, offset),
                       vec3_scale(cloth_normal(column, row), offset > 0.0f ? 1.0f : -1.0f),
                       (float)column / COLUMNS, (float)row / ROWS);
    for (int row = 0; row < ROWS; ++row) {
        for (int column = 0; column < COLUMNS; ++column) {
            int a = base + row * ACROSS + column, b = a + 1, c = b + ACROSS, d = a + ACROSS;
            if (offset > 0.0f)
                add_quad(mesh, a, b, c, d);
            else
                add_quad(mesh, a, d, c, b);
        }
    }
}

// A strip between the two sides. `steps` from the first point on; the border lies at the right hand of the
// way, seen from outside.
static void add_rim(pliant_mesh *mesh, int column, int row, int column_step, int row_step,
                    int steps, float offset)
{
    int base = mesh->vertex_count;
    for (int i = 0; i <= steps; ++i) {
        int c = column + i * column_step, r = row + i * row_step;
        // Away from the neighbour further inside.
        vec3 inside = cloth_point(c - row_step, r + column_step);
        vec3 normal = vec3_sub(cloth_point(c, r), inside);
        normal = vec3_normalize_or(normal, (vec3){0, -1, 0});
        add_vertex(mesh, side_point(c, r, offset), normal, (float)c / COLUMNS, (float)r / ROWS);
        add_vertex(mesh, side_point(c, r, -offset), normal, (float)c / COLUMNS, (float)r / ROWS);
    }
    for (int i = 0; i < steps; ++i) {
        int a = base + 2 * i;
        add_quad(mesh, a + 1, a + 3, a + 2, a);
    }
}

pliant_mesh *robe_mesh_create(float thickness)
{
    enum { RIM = 2 * (COLUMNS + ROWS) };
    pliant_mesh *mesh =
        pliant_mesh_create(2 * POINTS + 2 * (RIM + 4), 4 * COLUMNS * ROWS + 2 * RIM, 1);
    if (!mesh)
        return NULL;
    mesh->vertex_count = mesh->triangle_count = 0;
    float offset = 0.5f * thickness;
    add_side(mesh, offset);
    add_side(mesh, -offset);
    add_rim(mesh, 0, 0, 1, 0, COLUMNS, offset);
    add_rim(mesh, COLUMNS, 0, 0, 1, ROWS, offset);
    add_rim(mesh, COLUMNS, ROWS, -1, 0, COLUMNS, offset);
    add_rim(mesh, 0, ROWS, 0, -1, ROWS, offset);
    mesh->parts[0] = (pliant_mesh_part){.name = "robe",
                                        .material = "cloth",
                                        .vertex_count = mesh->vertex_count,
                                        .triangle_count = mesh->triangle_count};
    return mesh;
}
