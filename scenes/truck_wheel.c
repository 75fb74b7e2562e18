// The skin of the truck's wheels: a soft tyre with lugs around a rigid rim.

#include "brush.h"
#include "truck_model.h"
#include "truck_skin.h"

#include "geometry.h"

enum { SIDES = 36, LUGS = 18, SPOKES = 6 };

// A point in a wheel's own coordinates.
typedef struct wheel_point {
    float radius, angle, z;
} wheel_point;

static vec3 place_of(const truck_wheel *wheel, wheel_point p)
{
    float s, c;
    trig_sin_cos(p.angle, &s, &c);
    return vec3_add(wheel->centre, (vec3){p.radius * c, p.radius * s, p.z});
}

// Links of a ring of particles: the two between which the angle lies share `weight`.
static void link_ring(pliant_vertex_def *vertex, int *links, int first, int segments, float offset,
                      float angle, float weight)
{
    float at = angle * (float)segments / (2.0f * PLIANT_PI) - offset;
    at += at < 0.0f ? (float)segments : 0.0f;
    int k = (int)at;
    float part = at - (float)k;
    const int neighbours[2] = {k % segments, (k + 1) % segments};
    for (int i = 0; i < 2; ++i) {
        float share = weight * (i ? part : 1.0f - part);
        if (!(share > 1e-4f))
            continue;
        vertex->particles[*links] = first + neighbours[i];
        vertex->weights[(*links)++] = share;
    }
}

// Rings are counted across the wheel: the rim's first one, three of the tyre, the rim's last one.
static void link_across(pliant_vertex_def *vertex, int *links, const truck_wheel *wheel, int ring,
                        float angle, float weight)
{
    if (ring == 0 || ring == TRUCK_TYRE_RINGS + 1) {
        int first = wheel->rim_first + (ring ? TRUCK_RIM_SEGMENTS : 0);
        link_ring(vertex, links, first, TRUCK_RIM_SEGMENTS, 0.0f, angle, weight);
        return;
    }
    int first = wheel->tyre_first + (ring - 1) * TRUCK_TYRE_SEGMENTS;
    link_ring(vertex, links, first, TRUCK_TYRE_SEGMENTS, (ring - 1) % 2 ? 0.5f : 0.0f, angle,
              weight);
}

// Where a point of the tyre is between the rings, 0 … 4: over the tread by its z, in the side walls by
// its distance from the rim.
static float ring_coordinate(wheel_point p)
{
    const float spacing = 0.29f, shoulder = 0.68f;
    float across = maximum(-1.0f, minimum(1.0f, p.z / spacing));
    float down =
        maximum(0.0f, minimum(1.0f, (shoulder - p.radius) / (shoulder - TRUCK_RIM_RADIUS)));
    return 2.0f + across + (p.z < 0.0f ? -down : down);
}

static int add_tyre_point(pliant_builder *builder, const truck_wheel *wheel, wheel_point p)
{
    float turn = 2.0f * PLIANT_PI;
    p.angle += p.angle < 0.0f ? turn : p.angle >= turn ? -turn : 0.0f;
    pliant_vertex_def vertex = {
        .position = place_of(wheel, p), .u = truck_material_u(TRUCK_RUBBER), .v = 0.5f};
    float at = ring_coordinate(p);
    int ring = at < (float)TRUCK_TYRE_RINGS ? (int)at : TRUCK_TYRE_RINGS, links = 0;
    float part = at - (float)ring;
    link_across(&vertex, &links, wheel, ring, p.angle, 1.0f - part);
    if (part > 0.0f)
        link_across(&vertex, &links, wheel, ring + 1, p.angle, part);
    return pliant_builder_add_vertex(builder, &vertex);
}

// Triangles between two closed rings of SIDES vertices each.
static void add_band(pliant_builder *builder, int low, int high)
{
    for (int k = 0; k < SIDES; ++k) {
        int next = (k + 1) % SIDES;
        pliant_builder_add_triangle(builder, low + k, low + next, high + k);
        pliant_builder_add_triangle(builder, high + next, high + k, low + next);
    }
}

static void add_carcass(pliant_builder *builder, const truck_wheel *wheel)
{
    // radius and z
    static const float profile[][2] = {
        {0.43f, -0.3f},   {0.47f, -0.38f}, {0.56f, -0.44f}, {0.66f, -0.455f}, {0.73f, -0.43f},
        {0.765f, -0.37f}, {0.78f, -0.2f},  {0.78f, 0.2f},   {0.765f, 0.37f},  {0.73f, 0.43f},
        {0.66f, 0.455f},  {0.56f, 0.44f},  {0.47f, 0.38f},  {0.43f, 0.3f}};
    int rings = (int)(sizeof profile / sizeof profile[0]), base = 0;
    for (int i = 0; i < rings; ++i) {
        for (int k = 0; k < SIDES; ++k) {
            wheel_point p = {profile[i][0], 2.0f * PLIANT_PI * (float)k / SIDES, profile[i][1]};
            int vertex = add_tyre_point(builder, wheel, p);
            base = i == 0 && k == 0 ? vertex : base;
        }
    }
    for (int i = 0; i + 1 < rings; ++i)
        add_band(builder, base + i * SIDES, base + (i + 1) * SIDES);
}

// ---------------------------------------------------------------------------------------------
// Lugs: bars from the middle of the tread over its shoulder, slanted like an arrow

enum { LUG_STATIONS = 5 };

typedef struct lug_station {
    float z, low, high, slant, half; // radii of foot and top, angles
} lug_station;

static const lug_station lug_stations[LUG_STATIONS] = {{0.03f, 0.77f, 0.842f, 0.00f, 0.060f},
                                                       {0.20f, 0.77f, 0.840f, 0.06f, 0.065f},
                                                       {0.36f, 0.75f, 0.826f, 0.11f, 0.075f},
                                                       {0.455f, 0.71f, 0.770f, 0.13f, 0.080f},
                                                       {0.475f, 0.62f, 0.640f, 0.13f, 0.070f}};

// A corner of a lug: which station, at which end along the tread, at the foot or on top.
static wheel_point lug_corner(int station, bool ahead, bool top, float angle, float side)
{
    const lug_station *s = &lug_stations[station];
    float along = angle + s->slant + (ahead ? s->half : -s->half);
    return (wheel_point){top ? s->high : s->low, along, side * (top ? s->z : s->z - 0.01f)};
}

static void add_lug_face(pliant_builder *builder, const truck_wheel *wheel, float angle, float side,
                         const bool from[2], const bool to[2])
{
    int base = pliant_builder_vertex_count(builder);
    for (int row = 0; row < 2; ++row) {
        const bool *corner = row ? to : from;
        for (int i = 0; i < LUG_STATIONS; ++i) {
            int station = side < 0.0f ? i : LUG_STATIONS - 1 - i; // keeps the outside in front
            add_tyre_point(builder, wheel, lug_corner(station, corner[0], corner[1], angle, side));
        }
    }
    brush grid = {.builder = builder};
    brush_grid(&grid, base, LUG_STATIONS, 2);
}

static void add_lug_end(pliant_builder *builder, const truck_wheel *wheel, float angle, float side)
{
    static const bool corners[4][2] = {{true, false}, {false, false}, {false, true}, {true, true}};
    int base = pliant_builder_vertex_count(builder);
    for (int k = 0; k < 4; ++k)
        add_tyre_point(builder, wheel, lug_corner(0, corners[k][0], corners[k][1], angle, side));
    int second = side > 0.0f ? 3 : 1, fourth = side > 0.0f ? 1 : 3;
    pliant_builder_add_triangle(builder, base, base + second, base + 2);
    pliant_builder_add_triangle(builder, base, base + 2, base + fourth);
}

static void add_lugs(pliant_builder *builder, const truck_wheel *wheel)
{
    static const bool foot_behind[2] = {false, false}, top_behind[2] = {false, true},
                      top_ahead[2] = {true, true}, foot_ahead[2] = {true, false};
    for (int i = 0; i < 2 * LUGS; ++i) {
        float side = i % 2 ? 1.0f : -1.0f, angle = PLIANT_PI * (float)i / LUGS;
        add_lug_face(builder, wheel, angle, side, foot_behind, top_behind);
        add_lug_face(builder, wheel, angle, side, top_behind, top_ahead);
        add_lug_face(builder, wheel, angle, side, top_ahead, foot_ahead);
        add_lug_end(builder, wheel, angle, side);
    }
}

// ---------------------------------------------------------------------------------------------
// The rim is rigid: all of it follows the hub.

// A surface of revolution; `side` is +1 for the outside of a wheel at high z.
static void add_rim_profile(pliant_builder *builder, const truck_wheel *wheel, float side)
{
    static const float profile[][2] = {{0.44f, 0.29f}, {0.47f, 0.34f}, {0.45f, 0.37f},
                                       {0.42f, 0.35f}, {0.40f, 0.26f}, {0.37f, 0.12f},
                                       {0.30f, 0.08f}, {0.02f, 0.08f}};
    int rings = (int)(sizeof profile / sizeof profile[0]);
    int base = pliant_builder_vertex_count(builder);
    for (int i = 0; i < rings; ++i) {
        for (int k = 0; k < SIDES; ++k) {
            wheel_point p = {profile[i][0], 2.0f * PLIANT_PI * (float)k / SIDES,
                             side * profile[i][1]};
            pliant_vertex_def vertex = {.position = place_of(wheel, p),
                                        .u = truck_material_u(TRUCK_RIM),
                                        .v = 0.5f,
                                        .particles = {wheel->hub},
                                        .weights = {1.0f}};
            pliant_builder_add_vertex(builder, &vertex);
        }
    }
    for (int i = 0; i + 1 < rings; ++i) {
        int near = base + i * SIDES, far = near + SIDES;
        add_band(builder, side > 0.0f ? near : far, side > 0.0f ? far : near);
    }
}

// A spoke from the hub to the rim's edge, rising to the middle.
static hull spoke(const truck_wheel *wheel, float angle, float side)
{
    hull out;
    for (int i = 0; i < 8; ++i) {
        float radius = i & 1 ? 0.40f : 0.12f, top = i & 1 ? 0.22f : 0.30f;
        float half = i & 1 ? 0.055f : 0.045f, s, c;
        bool high = (i & 4) != 0;
        trig_sin_cos(angle, &s, &c);
        vec3 tangent = {-s, c, 0.0f};
        float z = side > 0.0f ? (high ? top : 0.06f) : (high ? -0.06f : -top);
        vec3 place = vec3_add(wheel->centre, (vec3){radius * c, radius * s, z});
        out.corners[i] = vec3_add_scaled(place, tangent, i & 2 ? half : -half);
    }
    return out;
}

static void add_rim_details(pliant_builder *builder, const truck_wheel *wheel, float side)
{
    brush rim = {builder, wheel->hub, 1, truck_material_u(TRUCK_RIM)};
    for (int k = 0; k < SPOKES; ++k) {
        float angle = 2.0f * PLIANT_PI * (float)k / SPOKES;
        hull bar = spoke(wheel, angle, side);
        brush_block(&rim, &bar, 0.015f, (const int[3]){1, 1, 1});
    }
    vec3 hub = vec3_add(wheel->centre, (vec3){0, 0, side * 0.06f});
    brush_tube(&rim, hub, vec3_add(hub, (vec3){0, 0, side * 0.3f}), 0.14f, 1);
    brush_tube(&rim, hub, vec3_add(hub, (vec3){0, 0, side * 0.38f}), 0.08f, 1);
}

void truck_add_wheel_skin(pliant_builder *builder, const truck_wheel *wheel)
{
    float outside = wheel->centre.z > 0.0f ? 1.0f : -1.0f;
    add_carcass(builder, wheel);
    add_lugs(builder, wheel);
    add_rim_profile(builder, wheel, outside);
    add_rim_profile(builder, wheel, -outside);
    add_rim_details(builder, wheel, outside);
}
