// The truck's body as one sees it: sheet metal bound to the shell, tubes bound to the frame.

#include "truck_skin.h"
#include "brush.h"
#include "truck_model.h"

#include "geometry.h"

static brush brush_for(pliant_builder *builder, int first, int count, truck_material material)
{
    return (brush){builder, first, count, truck_material_u(material)};
}

static brush shell_brush(pliant_builder *builder, const truck_layout *l, truck_material material)
{
    return brush_for(builder, l->shell_first, l->shell_count, material);
}

static brush frame_brush(pliant_builder *builder, const truck_layout *l, truck_material material)
{
    return brush_for(builder, l->frame_first, l->frame_count, material);
}

static void draw_box(const brush *b, vec3 low, vec3 high, float bevel, const int cells[3])
{
    hull box = hull_box(low, high);
    brush_block(b, &box, bevel, cells);
}

static void draw_box_pair(const brush *b, vec3 low, vec3 high, float bevel, const int cells[3])
{
    hull box = hull_box(low, high);
    brush_block_pair(b, &box, bevel, cells);
}

// A part of a hull between two corners in its coordinates, which may lie outside [0, 1].
static hull hull_part(const hull *h, const float low[3], const float high[3])
{
    hull out;
    for (int i = 0; i < 8; ++i) {
        float g[3];
        for (int k = 0; k < 3; ++k)
            g[k] = i >> k & 1 ? high[k] : low[k];
        out.corners[i] = hull_point(h, g);
    }
    return out;
}

// ---------------------------------------------------------------------------------------------
// Sheet metal

static void draw_nose(const brush *paint)
{
    hull nose = truck_hull(TRUCK_NOSE);
    brush_block(paint, &nose, 0.09f, (const int[3]){8, 3, 8});
    // A raised middle of the hood, and the scoop of the blower on it.
    hull rise = hull_part(&nose, (const float[3]){0.05f, 0.9f, 0.27f},
                          (const float[3]){0.97f, 1.08f, 0.73f});
    brush_block(paint, &rise, 0.04f, (const int[3]){8, 1, 5});
    hull scoop = {{{1.0f, 1.62f, -0.24f},
                   {1.75f, 1.58f, -0.24f},
                   {1.1f, 1.84f, -0.2f},
                   {1.75f, 1.92f, -0.24f},
                   {1.0f, 1.62f, 0.24f},
                   {1.75f, 1.58f, 0.24f},
                   {1.1f, 1.84f, 0.2f},
                   {1.75f, 1.92f, 0.24f}}};
    brush_block(paint, &scoop, 0.05f, (const int[3]){4, 2, 3});
}

static void draw_doors(const brush *paint, const brush *trim)
{
    hull doors = truck_hull(TRUCK_DOORS);
    brush_block(paint, &doors, 0.05f, (const int[3]){6, 4, 4});
    draw_box_pair(paint, (vec3){-0.62f, 0.72f, 0.9f}, (vec3){0.56f, 1.58f, 0.985f}, 0.03f,
                  (const int[3]){6, 5, 1});
    draw_box_pair(trim, (vec3){-0.54f, 1.36f, 0.97f}, (vec3){-0.34f, 1.42f, 1.03f}, 0.02f,
                  (const int[3]){1, 1, 1});
    // Mirrors
    draw_box_pair(trim, (vec3){0.5f, 1.72f, 0.98f}, (vec3){0.6f, 1.92f, 1.18f}, 0.03f,
                  (const int[3]){1, 1, 1});
    brush_tube_pair(trim, (vec3){0.56f, 1.66f, 0.9f}, (vec3){0.56f, 1.76f, 1.04f}, 0.02f, 1);
}

// Pillars and a roof around open windows: with one colour for all, what one sees through reads best.
static void draw_cab(const brush *paint)
{
    hull cab = truck_hull(TRUCK_CAB);
    hull roof = hull_part(&cab, (const float[3]){-0.02f, 0.86f, -0.01f},
                          (const float[3]){1.03f, 1.02f, 1.01f});
    brush_block(paint, &roof, 0.06f, (const int[3]){5, 1, 5});
    static const float posts[3][2] = {{0.0f, 0.16f}, {0.5f, 0.57f}, {0.92f, 1.0f}}; // along x
    for (int i = 0; i < 3; ++i) {
        hull post = hull_part(&cab, (const float[3]){posts[i][0], -0.02f, 0.93f},
                              (const float[3]){posts[i][1], 0.9f, 1.0f});
        brush_block_pair(paint, &post, 0.025f, (const int[3]){1, 4, 1});
    }
    hull sill = hull_part(&cab, (const float[3]){0.0f, -0.02f, 0.93f},
                          (const float[3]){0.97f, 0.08f, 1.0f});
    brush_block_pair(paint, &sill, 0.025f, (const int[3]){5, 1, 1});
    for (int i = 0; i < 2; ++i) { // below the rear window and the windscreen
        hull ledge = hull_part(&cab, (const float[3]){i ? 0.92f : 0.0f, -0.02f, 0.02f},
                               (const float[3]){i ? 1.0f : 0.06f, i ? 0.06f : 0.18f, 0.98f});
        brush_block(paint, &ledge, 0.025f, (const int[3]){1, 1, 5});
    }
}

static void draw_seats(const brush *seat, const brush *trim)
{
    draw_box_pair(seat, (vec3){-0.6f, 1.6f, 0.18f}, (vec3){-0.42f, 1.92f, 0.68f}, 0.06f,
                  (const int[3]){1, 2, 2});
    draw_box_pair(seat, (vec3){-0.58f, 1.94f, 0.3f}, (vec3){-0.46f, 2.1f, 0.56f}, 0.05f,
                  (const int[3]){1, 1, 1});
    draw_box(trim, (vec3){0.42f, 1.62f, -0.86f}, (vec3){0.74f, 1.72f, 0.86f}, 0.04f,
             (const int[3]){1, 1, 4});
    brush_tube(trim, (vec3){0.24f, 1.8f, -0.43f}, (vec3){0.21f, 1.78f, -0.43f}, 0.16f, 1);
}

static void draw_bed(const brush *paint, const brush *trim)
{
    hull bed = truck_hull(TRUCK_BED);
    hull floor =
        hull_part(&bed, (const float[3]){0.0f, 0.0f, 0.03f}, (const float[3]){1.0f, 0.25f, 0.97f});
    brush_block(paint, &floor, 0.03f, (const int[3]){8, 1, 6});
    hull wall =
        hull_part(&bed, (const float[3]){0.0f, 0.0f, 0.93f}, (const float[3]){1.0f, 1.0f, 1.0f});
    brush_block_pair(paint, &wall, 0.05f, (const int[3]){8, 3, 1});
    hull tailgate = hull_part(&bed, (const float[3]){0.0f, 0.02f, 0.02f},
                              (const float[3]){0.06f, 0.97f, 0.98f});
    brush_block(paint, &tailgate, 0.04f, (const int[3]){1, 4, 8});
    draw_box(paint, (vec3){-2.79f, 1.12f, -0.7f}, (vec3){-2.72f, 1.5f, 0.7f}, 0.03f,
             (const int[3]){1, 2, 6});
    draw_box_pair(trim, (vec3){-2.79f, 1.14f, 0.76f}, (vec3){-2.7f, 1.5f, 0.9f}, 0.03f,
                  (const int[3]){1, 2, 1});
}

enum { SKIRT_PIECES = 12 };

// The body's side around a wheel: from the arch out to the rectangle that the neighbouring panels leave,
// `ends` its x before and behind the wheel.
static void draw_skirt_side(const brush *b, vec3 centre, const float ends[2], float z,
                            bool faces_up_z)
{
    const float arch = 1.02f, top = 1.05f, first = 0.64f;
    int base = pliant_builder_vertex_count(b->builder);
    for (int row = 0; row < 2; ++row) {
        for (int i = 0; i <= SKIRT_PIECES; ++i) {
            float part = (float)i / SKIRT_PIECES, s, c;
            trig_sin_cos(faces_up_z ? first + (PLIANT_PI - 2.0f * first) * (1.0f - part)
                                    : first + (PLIANT_PI - 2.0f * first) * part,
                         &s, &c);
            float reach =
                row ? minimum(top / s, (c > 0.0f ? ends[1] : ends[0]) / maximum(absolute(c), 1e-3f))
                    : arch;
            reach = maximum(reach, arch);
            brush_vertex(b, vec3_add(centre, (vec3){reach * c, reach * s, z}),
                         (vec3){0, 0, faces_up_z ? 1.0f : -1.0f});
        }
    }
    brush_grid(b, base, SKIRT_PIECES + 1, 2);
}

static void draw_fenders(const brush *paint)
{
    const float angles[2] = {0.6f, PLIANT_PI - 0.6f};
    for (int i = 0; i < 4; ++i) {
        bool is_front = i & 1, is_high = (i & 2) != 0;
        vec3 centre = {is_front ? TRUCK_HALF_BASE : -TRUCK_HALF_BASE, 0.0f, 0.0f};
        float sides[2] = {is_high ? 0.88f : -1.2f, is_high ? 1.2f : -0.88f};
        brush_arch(paint, centre, angles, (const float[2]){0.99f, 1.04f}, sides);
        float lip[2] = {is_high ? 1.17f : -1.22f, is_high ? 1.22f : -1.17f};
        brush_arch(paint, centre, angles, (const float[2]){0.965f, 1.07f}, lip);
        const float ends[2] = {is_front ? 1.06f : 0.93f, is_front ? 0.84f : 0.86f};
        float outside = is_high ? 0.965f : -0.965f;
        draw_skirt_side(paint, centre, ends, outside, is_high);
        draw_skirt_side(paint, centre, ends, 0.93f * outside, !is_high);
    }
}

// ---------------------------------------------------------------------------------------------
// Face, lights and pipes

static void draw_face(const brush *chrome, const brush *light, const brush *trim)
{
    draw_box(trim, (vec3){2.53f, 1.06f, -0.62f}, (vec3){2.6f, 1.44f, 0.62f}, 0.02f,
             (const int[3]){1, 2, 6});
    for (int i = 0; i < 4; ++i) {
        float y = 1.1f + 0.1f * (float)i;
        draw_box(chrome, (vec3){2.56f, y - 0.026f, -0.6f}, (vec3){2.67f, y + 0.026f, 0.6f}, 0.02f,
                 (const int[3]){1, 1, 6});
    }
    draw_box_pair(chrome, (vec3){2.54f, 1.04f, 0.58f}, (vec3){2.68f, 1.45f, 0.64f}, 0.02f,
                  (const int[3]){1, 3, 1});
    for (int k = 0; k < 2; ++k) {
        float y = k ? 1.36f : 1.14f, r = k ? 0.11f : 0.085f;
        brush_tube_pair(chrome, (vec3){2.5f, y, 0.76f}, (vec3){2.65f, y, 0.76f}, r, 1);
        brush_tube_pair(light, (vec3){2.6f, y, 0.76f}, (vec3){2.67f, y, 0.76f}, 0.75f * r, 1);
    }
}

static void draw_roof_lights(const brush *chrome, const brush *light)
{
    brush_tube(chrome, (vec3){0.0f, 2.4f, -0.62f}, (vec3){0.0f, 2.4f, 0.62f}, 0.025f, 6);
    for (int i = 0; i < 5; ++i) {
        float z = 0.26f * (float)(i - 2);
        brush_tube(chrome, (vec3){-0.08f, 2.45f, z}, (vec3){0.05f, 2.45f, z}, 0.1f, 1);
        brush_tube(light, (vec3){0.03f, 2.45f, z}, (vec3){0.07f, 2.45f, z}, 0.08f, 1);
    }
}

static void draw_bed_bars(const brush *chrome)
{
    brush_tube_pair(chrome, (vec3){-1.12f, 1.2f, 0.8f}, (vec3){-1.12f, 2.24f, 0.66f}, 0.05f, 4);
    brush_tube(chrome, (vec3){-1.12f, 2.24f, -0.68f}, (vec3){-1.12f, 2.24f, 0.68f}, 0.05f, 4);
    brush_tube_pair(chrome, (vec3){-1.12f, 2.2f, 0.66f}, (vec3){-2.3f, 1.3f, 0.78f}, 0.045f, 4);
    brush_tube(chrome, (vec3){-1.12f, 1.5f, -0.76f}, (vec3){-1.12f, 2.22f, 0.62f}, 0.035f, 4);
}

// Exhausts come up through the bed behind the cab.
static void draw_exhausts(const brush *chrome)
{
    brush_tube_pair(chrome, (vec3){-1.34f, 1.2f, 0.62f}, (vec3){-1.34f, 2.46f, 0.62f}, 0.08f, 4);
    brush_tube_pair(chrome, (vec3){-1.34f, 2.44f, 0.62f}, (vec3){-1.44f, 2.62f, 0.62f}, 0.08f, 1);
}

// ---------------------------------------------------------------------------------------------
// What is below

static void draw_bumpers(const brush *chrome)
{
    static const int cells[3] = {1, 1, 8};
    draw_box(chrome, (vec3){2.7f, 0.66f, -0.92f}, (vec3){2.92f, 0.94f, 0.92f}, 0.07f, cells);
    brush_tube_pair(chrome, (vec3){2.86f, 0.9f, 0.42f}, (vec3){2.78f, 1.3f, 0.42f}, 0.04f, 2);
    brush_tube(chrome, (vec3){2.78f, 1.3f, -0.46f}, (vec3){2.78f, 1.3f, 0.46f}, 0.04f, 4);
    draw_box(chrome, (vec3){-2.99f, 0.7f, -0.92f}, (vec3){-2.8f, 0.92f, 0.92f}, 0.06f, cells);
}

static void draw_rails(const brush *steel)
{
    for (int level = 0; level < 2; ++level) {
        float y = level ? 0.8f : 0.36f, end = level ? 2.75f : 2.3f;
        brush_tube_pair(steel, (vec3){-end, y, 0.45f}, (vec3){end, y, 0.45f}, 0.06f, 5);
    }
    for (int i = 0; i < 7; ++i) {
        float x = 0.78f * (float)(i - 3);
        brush_tube_pair(steel, (vec3){x, 0.36f, 0.45f}, (vec3){x, 0.8f, 0.45f}, 0.045f, 1);
        brush_tube(steel, (vec3){x, 0.36f, -0.45f}, (vec3){x, 0.36f, 0.45f}, 0.045f, 2);
        float next = x + (i % 2 ? -0.78f : 0.78f);
        if (next < 2.4f && next > -2.4f)
            brush_tube_pair(steel, (vec3){x, 0.36f, 0.45f}, (vec3){next, 0.8f, 0.45f}, 0.035f, 1);
    }
    brush_tube_pair(steel, (vec3){-0.8f, 0.55f, 1.02f}, (vec3){0.6f, 0.55f, 1.02f}, 0.06f, 4);
    brush_tube_pair(steel, (vec3){-0.6f, 0.55f, 1.02f}, (vec3){-0.6f, 0.4f, 0.45f}, 0.04f, 1);
    brush_tube_pair(steel, (vec3){0.4f, 0.55f, 1.02f}, (vec3){0.4f, 0.4f, 0.45f}, 0.04f, 1);
}

// A shock absorber: a rod in a body with the turns of a spring around it.
static void draw_shock(const brush *b, vec3 low, vec3 high)
{
    vec3 way = vec3_sub(high, low);
    brush_tube(b, low, high, 0.035f, 2);
    brush_tube(b, vec3_add_scaled(low, way, 0.5f), high, 0.06f, 1);
    for (int i = 0; i < 4; ++i) {
        float at = 0.2f + 0.17f * (float)i;
        brush_tube(b, vec3_add_scaled(low, way, at), vec3_add_scaled(low, way, at + 0.08f), 0.095f,
                   1);
    }
}

static void draw_axle_housings(const brush *steel, const brush *chrome)
{
    for (int i = 0; i < 2; ++i) {
        float x = i ? TRUCK_HALF_BASE : -TRUCK_HALF_BASE, inwards = i ? -1.0f : 1.0f;
        brush_tube(steel, (vec3){x, 0, -0.95f}, (vec3){x, 0, 0.95f}, 0.11f, 6);
        hull differential =
            hull_box((vec3){x - 0.26f, -0.26f, -0.24f}, (vec3){x + 0.26f, 0.26f, 0.24f});
        brush_block(steel, &differential, 0.16f, (const int[3]){2, 2, 2});
        brush_tube_pair(steel, (vec3){x, -0.02f, 0.74f}, (vec3){x + 1.5f * inwards, 0.3f, 0.5f},
                        0.05f, 3);
        for (int k = 0; k < 4; ++k) {
            float side = k & 1 ? 1.0f : -1.0f, shift = k & 2 ? 0.17f : -0.17f;
            draw_shock(chrome, (vec3){x + shift, 0.05f, 0.68f * side},
                       (vec3){x + 2.2f * shift, 0.92f, 0.58f * side});
        }
    }
    brush_tube(steel, (vec3){-TRUCK_HALF_BASE, 0.02f, 0}, (vec3){0, 0.3f, 0}, 0.05f, 3);
    brush_tube(steel, (vec3){TRUCK_HALF_BASE, 0.02f, 0}, (vec3){0, 0.3f, 0}, 0.05f, 3);
    draw_box(steel, (vec3){-0.4f, 0.2f, -0.25f}, (vec3){0.5f, 0.62f, 0.25f}, 0.08f,
             (const int[3]){3, 2, 2});
}

void truck_add_body_skin(pliant_builder *builder, const truck_layout *l)
{
    brush paint = shell_brush(builder, l, TRUCK_PAINT), trim = shell_brush(builder, l, TRUCK_TRIM);
    brush seat = shell_brush(builder, l, TRUCK_SEAT), light = shell_brush(builder, l, TRUCK_LIGHT);
    brush chrome = shell_brush(builder, l, TRUCK_CHROME);
    brush steel = frame_brush(builder, l, TRUCK_STEEL);
    brush frame_chrome = frame_brush(builder, l, TRUCK_CHROME);
    draw_nose(&paint);
    draw_doors(&paint, &trim);
    draw_cab(&paint);
    draw_seats(&seat, &trim);
    draw_bed(&paint, &trim);
    draw_fenders(&paint);
    draw_face(&chrome, &light, &trim);
    draw_roof_lights(&chrome, &light);
    draw_bed_bars(&chrome);
    draw_exhausts(&chrome);
    draw_bumpers(&frame_chrome);
    draw_rails(&steel);
    draw_axle_housings(&steel, &frame_chrome);
}
