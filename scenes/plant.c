// A leaf is a ribbon of two rows of particles, and a blade of two sides around them.

#include "plant.h"

#include "net.h"

#include "geometry.h"

enum { COLUMNS = 4, ROWS = 52 };

typedef struct leaf {
    vec3 out, side; // level, unit: where it leans, and across it
    float length, half_width, lean, turn, waves;
} leaf;

static leaf leaf_of(const plant *p, int index)
{
    float s, c,
        angle = 2.0f * PLIANT_PI * ((float)index + 0.2f * (float)(index % 3)) / PLANT_LEAVES;
    trig_sin_cos(angle, &s, &c);
    bool is_inner = index % 2;
    return (leaf){.out = {s, 0.0f, c},
                  .side = {c, 0.0f, -s},
                  .length = p->length * (is_inner ? 1.0f : 0.82f),
                  .half_width = p->half_width * (is_inner ? 0.9f : 1.0f),
                  .lean = p->spread * (is_inner ? 0.5f : 1.0f),
                  .turn = 0.5f * (float)(index % 3 - 1),
                  .waves = p->waves};
}

// The middle of the leaf, from its root to its tip.
static vec3 leaf_middle(const leaf *l, float t)
{
    float out = 0.05f + l->length * l->lean * t * t,
          up = l->length * t * (1.0f - 0.15f * l->lean * t);
    return (vec3){l->out.x * out, up, l->out.z * out};
}

// Across the leaf, which is twisted along its length.
static vec3 leaf_across(const leaf *l, float t)
{
    float s, c;
    trig_sin_cos(l->turn * t, &s, &c);
    return vec3_add_scaled(vec3_scale(l->side, c), l->out, s);
}

// Narrow at the root, broadest in the middle, pointed.
static float leaf_width(const leaf *l, float t)
{
    float full = t * (2.0f - t), end = 1.0f - t * t * t * t;
    return l->half_width * (0.12f + 0.88f * full) * square_root(maximum(end, 0.0f));
}

static vec3 leaf_along(const leaf *l, float t)
{
    vec3 way = vec3_sub(leaf_middle(l, t + 0.01f), leaf_middle(l, t - 0.01f));
    return vec3_normalize_or(way, (vec3){0, 1, 0});
}

static void place_nodes(const leaf *l, vec3 points[2 * PLANT_NODES])
{
    for (int node = 0; node < PLANT_NODES; ++node) {
        float t = (float)node / (PLANT_NODES - 1);
        // The outermost ones would meet at the tip.
        float half = 0.5f * maximum(leaf_width(l, t), 0.3f * l->half_width);
        vec3 middle = leaf_middle(l, t), across = leaf_across(l, t);
        points[node] = vec3_add_scaled(middle, across, -half);
        points[PLANT_NODES + node] = vec3_add_scaled(middle, across, half);
    }
}

static uint32_t mixed(uint32_t a, uint32_t b, float part)
{
    uint32_t sum = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        float from = (float)(a >> shift & 0xff), to = (float)(b >> shift & 0xff);
        sum |= (uint32_t)(from + (to - from) * part + 0.5f) << shift;
    }
    return sum;
}

// One of the two sides of the blade. Its rim is wavy, its middle thicker.
static void draw_side(sketch *s, const plant *p, const leaf *l, const net *n, float side)
{
    int base = pliant_builder_vertex_count(s->builder);
    for (int row = 0; row < ROWS; ++row) {
        float t = (float)row / (ROWS - 1), wave, unused;
        vec3 along = leaf_along(l, t), across = leaf_across(l, t);
        vec3 normal = vec3_normalize_or(vec3_cross(across, along), l->out);
        trig_sin_cos(2.0f * PLIANT_PI * l->waves * t, &wave, &unused);
        for (int column = 0; column <= COLUMNS; ++column) {
            float u = side * (2.0f * (float)column / COLUMNS - 1.0f), width = leaf_width(l, t);
            float rise = 0.3f * u * absolute(u) * wave * width + 0.25f * u * u * width;
            float thick = 0.006f * (1.0f - u * u);
            vec3 position = vec3_add_scaled(leaf_middle(l, t), across, u * width);
            position = vec3_add_scaled(position, normal, rise + side * thick);
            vec3 lean = vec3_add_scaled(normal, across, -(0.6f * absolute(u) * wave + 0.5f * u));
            sketch_links links = net_links(n, 0.5f + u, t * (PLANT_NODES - 1));
            uint32_t colour = mixed(p->root, p->tip, t);
            if (column == COLUMNS / 2)
                colour = mixed(colour, p->vein, 0.7f);
            sketch_vertex(s, position, vec3_scale(lean, side), &links, colour);
        }
    }
    sketch_grid(s, base, COLUMNS + 1, ROWS);
}

int plant_particle(int index, int node, int side)
{
    return (index * 2 + side) * PLANT_NODES + node;
}

sketch plant_sketch(const plant *p)
{
    sketch s = sketch_begin();
    for (int i = 0; i < PLANT_LEAVES && !s.failed; ++i) {
        leaf l = leaf_of(p, i);
        vec3 points[2 * PLANT_NODES];
        place_nodes(&l, points);
        net n = {.rays = 2,
                 .nodes = PLANT_NODES,
                 .web = PLANT_NODES,
                 .points = points,
                 .thickness = 0.012f,
                 .mass = 0.02f,
                 .stiffness = 0.02f};
        net_add(&n, &s);
        if (s.failed)
            break;
        for (int side = 0; side < 2; ++side)
            pliant_builder_particle(s.builder, plant_particle(i, 0, side))->flags =
                PLIANT_PARTICLE_PINNED;
        draw_side(&s, p, &l, &n, 1.0f);
        draw_side(&s, p, &l, &n, -1.0f);
    }
    return s;
}
