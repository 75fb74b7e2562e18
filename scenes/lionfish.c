#include "lionfish.h"

#include "net.h"

#include "geometry.h"

static const uint32_t RED = 0xb03826, CREAM = 0xfff4e6, DARK = 0x5a1a14, WEB = 0xd8785a;

// ---------------------------------------------------------------------------------------------
// The body: an ellipse for each place along it

typedef struct section {
    float z, y;       // of its middle
    float high, wide; // half axes
} section;

static const section sections[] = {
    {0.465f, -0.020f, 0.012f, 0.012f}, {0.440f, -0.015f, 0.042f, 0.030f},
    {0.390f, -0.005f, 0.078f, 0.054f}, {0.320f, 0.000f, 0.112f, 0.074f},
    {0.230f, 0.005f, 0.138f, 0.086f},  {0.120f, 0.005f, 0.146f, 0.086f},
    {0.000f, 0.000f, 0.132f, 0.074f},  {-0.110f, 0.000f, 0.104f, 0.055f},
    {-0.210f, 0.000f, 0.072f, 0.036f}, {-0.290f, 0.000f, 0.052f, 0.022f},
    {-0.350f, 0.000f, 0.056f, 0.012f},
};

enum {
    SECTIONS = sizeof sections / sizeof sections[0],
    STATIONS = 10, // of particles
    AROUND = 4,    // particles at each: above, left, below, right
    RINGS = 96,
    SIDES = 32,
};

static const float FRONT = 0.41f, BACK = -0.34f; // z of the first and the last station

// Catmull-Rom: a smooth curve through the values.
static float curve(const float p[4], float t)
{
    float a = 2.0f * p[1], b = p[2] - p[0];
    float c = 2.0f * p[0] - 5.0f * p[1] + 4.0f * p[2] - p[3];
    float d = 3.0f * (p[1] - p[2]) + p[3] - p[0];
    return 0.5f * (a + t * (b + t * (c + t * d)));
}

static section section_at(float z)
{
    int k = 0;
    while (k < SECTIONS - 2 && z < sections[k + 1].z)
        ++k;
    float t = (sections[k].z - z) / (sections[k].z - sections[k + 1].z);
    float y[4], high[4], wide[4];
    for (int i = 0; i < 4; ++i) {
        int at = k + i - 1;
        const section *s = &sections[at < 0 ? 0 : at < SECTIONS ? at : SECTIONS - 1];
        y[i] = s->y;
        high[i] = s->high;
        wide[i] = s->wide;
    }
    return (section){z, curve(y, t), curve(high, t), curve(wide, t)};
}

static float station_z(float station)
{
    return FRONT + (BACK - FRONT) * station / (STATIONS - 1);
}

static void add_station(sketch *s, int station)
{
    static const float places[AROUND][2] = {{0, 1}, {-1, 0}, {0, -1}, {1, 0}};
    section at = section_at(station_z((float)station));
    for (int i = 0; i < AROUND; ++i) {
        pliant_particle_def particle = pliant_default_particle_def();
        particle.position =
            (vec3){0.55f * at.wide * places[i][0], at.y + 0.55f * at.high * places[i][1], at.z};
        float step = (FRONT - BACK) / (STATIONS - 1);
        particle.radii = (vec3){maximum(0.45f * at.wide, 0.012f), 0.45f * at.high, 0.6f * step};
        particle.mass = 0.05f;
        particle.stiffness = 0.35f;
        if (station * AROUND < LIONFISH_HEAD_PARTICLES)
            particle.flags = PLIANT_PARTICLE_PINNED;
        pliant_builder_add_particle(s->builder, &particle);
    }
}

static void add_body(sketch *s)
{
    for (int i = 0; i < STATIONS; ++i)
        add_station(s, i);
    if (pliant_builder_particle_count(s->builder) < STATIONS * AROUND)
        s->failed = true;
    for (int i = 0; i < STATIONS * AROUND; ++i) {
        int end = (i / AROUND + 2) * AROUND;
        for (int k = i + 1; k < end && k < STATIONS * AROUND; ++k) {
            pliant_edge_def edge = {i, k, 0.5f, 0.0f, false, 0.0f};
            pliant_builder_add_edge(s->builder, &edge);
        }
    }
}

// The particles before and behind, each one's two on that side of the body.
static sketch_links body_links(float z, float sine, float cosine)
{
    float at = (z - FRONT) / (BACK - FRONT) * (STATIONS - 1);
    at = maximum(0.0f, minimum(at, STATIONS - 1));
    int station = (int)at < STATIONS - 2 ? (int)at : STATIONS - 2;
    float t = at - (float)station, behind = t * t * (3.0f - 2.0f * t);
    int above = cosine < 0.0f ? 2 : 0, beside = sine > 0.0f ? 3 : 1, first = station * AROUND;
    float up = cosine * cosine, side = 1.0f - up;
    return (sketch_links){
        .particles = {first + above, first + beside, first + AROUND + above,
                      first + AROUND + beside},
        .weights = {up * (1.0f - behind), side * (1.0f - behind), up * behind, side * behind}};
}

// Stripes across the body, bent and broader on the back.
static uint32_t body_colour(vec3 x)
{
    float bend, wave, unused;
    trig_sin_cos(14.0f * x.y + 9.0f * x.z, &bend, &unused);
    trig_sin_cos(92.0f * x.z + 0.9f * bend - 5.0f * absolute(x.y), &wave, &unused);
    return wave > 0.55f ? DARK : wave > -0.25f ? RED : CREAM;
}

static void draw_body(sketch *s)
{
    float nose = sections[0].z, tail = sections[SECTIONS - 1].z;
    int base = pliant_builder_vertex_count(s->builder);
    for (int ring = 0; ring <= RINGS; ++ring) {
        float z = nose + (tail - nose) * (float)ring / RINGS;
        section at = section_at(z), ahead = section_at(z + 0.004f), behind = section_at(z - 0.004f);
        bool is_end = ring == 0 || ring == RINGS;
        float size = is_end ? 0.0f : 1.0f;
        float slope = (behind.high - ahead.high) / 0.008f;
        for (int i = 0; i <= SIDES; ++i) {
            float sine, cosine;
            trig_sin_cos(2.0f * PLIANT_PI * (float)(i % SIDES) / SIDES, &sine, &cosine);
            vec3 position = {size * at.wide * sine, at.y + size * at.high * cosine, z};
            vec3 normal = {sine / at.wide, cosine / at.high, slope / at.high};
            if (is_end)
                normal = (vec3){0, 0, ring ? -1.0f : 1.0f};
            sketch_links links = body_links(z, sine, cosine);
            sketch_vertex(s, position, normal, &links, body_colour(position));
        }
    }
    sketch_grid(s, base, SIDES + 1, RINGS + 1);
}

// ---------------------------------------------------------------------------------------------
// Eyes

enum { EYE_SIDES = 16, EYE_ROWS = 10 };

// Dark in the middle of the gaze, along x.
static void draw_eye(sketch *s, float side)
{
    vec3 centre = {0.050f * side, 0.042f, 0.352f};
    sketch_links links = {.particles = {side > 0.0f ? 7 : 5}, .weights = {1.0f}};
    int base = pliant_builder_vertex_count(s->builder);
    for (int row = 0; row <= EYE_ROWS; ++row) {
        float out, reach;
        trig_sin_cos(PLIANT_PI * (float)row / EYE_ROWS, &reach, &out);
        for (int i = 0; i <= EYE_SIDES; ++i) {
            float sine, cosine;
            trig_sin_cos(2.0f * PLIANT_PI * (float)(i % EYE_SIDES) / EYE_SIDES, &sine, &cosine);
            vec3 normal = {side * out, reach * sine * side, reach * cosine};
            sketch_vertex(s, vec3_add_scaled(centre, normal, 0.026f), normal, &links,
                          row <= 2   ? 0x101014
                          : row == 3 ? 0xe8c860
                                     : DARK);
        }
    }
    sketch_grid(s, base, EYE_SIDES + 1, EYE_ROWS + 1);
}

// ---------------------------------------------------------------------------------------------
// Fins: rays whose roots, directions and lengths change from the first to the last

enum { MOST_RAYS = 12, MOST_NODES = 8, RAY_SIDES = 5, RINGS_PER_NODE = 3, WEB_COLUMNS = 4 };

typedef struct fin {
    int rays, nodes, web;
    vec3 roots[2];      // of the first and the last ray
    vec3 directions[3]; // of the first, the middle and the last ray, any length
    float lengths[3];
    vec3 bow; // how far a tip is bent, relative to its length
    float thickness, stiffness;
} fin;

static const fin fins[] = {
    // The spines of the back.
    {.rays = 12,
     .nodes = 5,
     .web = 2,
     .roots = {{0.0f, 0.105f, 0.250f}, {0.0f, 0.085f, -0.110f}},
     .directions = {{0.0f, 1.0f, 0.30f}, {0.0f, 1.0f, -0.15f}, {0.0f, 1.0f, -0.60f}},
     .lengths = {0.22f, 0.33f, 0.20f},
     .bow = {0.0f, -0.05f, -0.28f},
     .thickness = 0.010f,
     .stiffness = 0.30f},
    // The soft fin behind them, the one below and the tail.
    {.rays = 5,
     .nodes = 4,
     .web = 4,
     .roots = {{0.0f, 0.070f, -0.135f}, {0.0f, 0.040f, -0.270f}},
     .directions = {{0.0f, 1.0f, -0.7f}, {0.0f, 1.0f, -1.0f}, {0.0f, 0.7f, -1.2f}},
     .lengths = {0.17f, 0.19f, 0.13f},
     .bow = {0.0f, 0.0f, -0.1f},
     .thickness = 0.006f,
     .stiffness = 0.12f},
    {.rays = 5,
     .nodes = 4,
     .web = 4,
     .roots = {{0.0f, -0.040f, -0.270f}, {0.0f, -0.085f, -0.110f}},
     .directions = {{0.0f, -0.7f, -1.2f}, {0.0f, -1.0f, -1.0f}, {0.0f, -1.0f, -0.6f}},
     .lengths = {0.13f, 0.19f, 0.16f},
     .bow = {0.0f, 0.0f, -0.1f},
     .thickness = 0.006f,
     .stiffness = 0.12f},
    {.rays = 7,
     .nodes = 5,
     .web = 5,
     .roots = {{0.0f, 0.048f, -0.335f}, {0.0f, -0.048f, -0.335f}},
     .directions = {{0.0f, 0.62f, -1.0f}, {0.0f, 0.0f, -1.0f}, {0.0f, -0.62f, -1.0f}},
     .lengths = {0.29f, 0.27f, 0.29f},
     .bow = {0.0f, 0.0f, -0.05f},
     .thickness = 0.006f,
     .stiffness = 0.12f},
    // On the sides; their mirror images are added below.
    {.rays = 9,
     .nodes = 8,
     .web = 4,
     .roots = {{0.072f, 0.050f, 0.190f}, {0.070f, -0.070f, 0.160f}},
     .directions = {{0.75f, 1.0f, -0.35f}, {1.0f, 0.05f, -0.45f}, {0.75f, -0.95f, -0.55f}},
     .lengths = {0.44f, 0.46f, 0.30f},
     .bow = {0.0f, -0.06f, -0.35f},
     .thickness = 0.010f,
     .stiffness = 0.14f},
    {.rays = 3,
     .nodes = 5,
     .web = 5,
     .roots = {{0.030f, -0.115f, 0.150f}, {0.025f, -0.110f, 0.080f}},
     .directions = {{0.40f, -1.0f, -0.3f}, {0.35f, -1.0f, -0.6f}, {0.25f, -1.0f, -0.9f}},
     .lengths = {0.25f, 0.24f, 0.18f},
     .bow = {0.0f, 0.0f, -0.25f},
     .thickness = 0.0075f,
     .stiffness = 0.12f},
};

enum { FINS = sizeof fins / sizeof fins[0], UNPAIRED = 4 };

// Through three values, at 0, 1/2 and 1.
static float through(const float v[3], float u)
{
    return v[0] * (1.0f - u) * (1.0f - 2.0f * u) + v[1] * 4.0f * u * (1.0f - u) +
           v[2] * u * (2.0f * u - 1.0f);
}

// `u` goes across the rays, t along them.
static vec3 fin_point(const fin *f, float u, float t)
{
    const vec3 *d = f->directions;
    vec3 way = {through((float[3]){d[0].x, d[1].x, d[2].x}, u),
                through((float[3]){d[0].y, d[1].y, d[2].y}, u),
                through((float[3]){d[0].z, d[1].z, d[2].z}, u)};
    way = vec3_normalize_or(way, (vec3){0, 1, 0});
    float length = through(f->lengths, u);
    vec3 root = vec3_add_scaled(f->roots[0], vec3_sub(f->roots[1], f->roots[0]), u);
    return vec3_add_scaled(vec3_add_scaled(root, way, length * t), f->bow, length * t * t);
}

static fin mirrored(fin f)
{
    for (int i = 0; i < 2; ++i)
        f.roots[i].x = -f.roots[i].x;
    for (int i = 0; i < 3; ++i)
        f.directions[i].x = -f.directions[i].x;
    f.bow.x = -f.bow.x;
    return f;
}

static uint32_t banded(float along, uint32_t dark, uint32_t light)
{
    float wave, unused;
    trig_sin_cos(44.0f * along, &wave, &unused);
    return wave > 0.0f ? dark : light;
}

static void draw_ray(sketch *s, const fin *f, const net *n, int ray)
{
    float u = (float)ray / (float)(f->rays - 1), length = through(f->lengths, u);
    int rings = (f->nodes - 1) * RINGS_PER_NODE;
    int base = pliant_builder_vertex_count(s->builder);
    for (int ring = 0; ring <= rings; ++ring) {
        float t = (float)ring / (float)rings;
        vec3 centre = fin_point(f, u, t);
        vec3 along = vec3_sub(fin_point(f, u, t + 0.02f), fin_point(f, u, t - 0.02f));
        along = vec3_normalize_or(along, (vec3){0, 1, 0});
        vec3 right =
            vec3_normalize_or(vec3_cross(along, (vec3){0.3f, 0.1f, 1.0f}), (vec3){1, 0, 0});
        vec3 up = vec3_cross(right, along);
        float radius = ring == rings ? 0.0f : f->thickness * (1.0f - 0.75f * t);
        sketch_links links = net_links(n, (float)ray, t * (float)(f->nodes - 1));
        uint32_t colour = banded(t * length + 0.01f * (float)(ray % 2), RED, CREAM);
        for (int i = 0; i <= RAY_SIDES; ++i) {
            float sine, cosine;
            trig_sin_cos(2.0f * PLIANT_PI * (float)(i % RAY_SIDES) / RAY_SIDES, &sine, &cosine);
            vec3 out = vec3_add_scaled(vec3_scale(right, cosine), up, -sine);
            sketch_vertex(s, vec3_add_scaled(centre, out, radius), out, &links, colour);
        }
    }
    sketch_grid(s, base, RAY_SIDES + 1, rings + 1);
}

// From a ray to the next; its rim hangs through between them.
static void draw_web(sketch *s, const fin *f, const net *n, int ray)
{
    float reach = (float)(f->web - 1) / (float)(f->nodes - 1);
    int rows = (f->web - 1) * RINGS_PER_NODE + 1;
    int base = pliant_builder_vertex_count(s->builder);
    for (int row = 0; row <= rows; ++row) {
        for (int column = 0; column <= WEB_COLUMNS; ++column) {
            float across = (float)column / WEB_COLUMNS, hang = 4.0f * across * (1.0f - across);
            float t = reach * (1.0f - 0.3f * hang) * (float)row / (float)rows;
            float u = ((float)ray + across) / (float)(f->rays - 1);
            vec3 up = vec3_sub(fin_point(f, u, t + 0.02f), fin_point(f, u, t - 0.02f));
            vec3 right = vec3_sub(fin_point(f, u + 0.02f, t), fin_point(f, u - 0.02f, t));
            vec3 normal = vec3_normalize_or(vec3_cross(right, up), (vec3){1, 0, 0});
            sketch_links links = net_links(n, (float)ray + across, t * (float)(f->nodes - 1));
            uint32_t colour = banded(t * through(f->lengths, u), DARK, WEB);
            sketch_vertex(s, fin_point(f, u, t), normal, &links, colour);
        }
    }
    sketch_grid(s, base, WEB_COLUMNS + 1, rows + 1);
}

// The nearest particles of the body hold a root.
static void hold(sketch *s, int root, int count)
{
    bool taken[STATIONS * AROUND] = {false};
    for (int i = 0; i < count; ++i) {
        vec3 at = pliant_builder_particle(s->builder, root)->position;
        int nearest = -1;
        float least = 0.0f;
        for (int k = 0; k < STATIONS * AROUND; ++k) {
            vec3 away = vec3_sub(pliant_builder_particle(s->builder, k)->position, at);
            float distance = vec3_dot(away, away);
            if (!taken[k] && (nearest < 0 || distance < least)) {
                nearest = k;
                least = distance;
            }
        }
        taken[nearest] = true;
        pliant_edge_def edge = {nearest, root, 0.5f, 0.0f, false, 0.0f};
        pliant_builder_add_edge(s->builder, &edge);
    }
}

static void add_fin(sketch *s, const fin *f)
{
    vec3 points[MOST_RAYS * MOST_NODES];
    for (int ray = 0; ray < f->rays; ++ray)
        for (int node = 0; node < f->nodes; ++node)
            points[ray * f->nodes + node] = fin_point(f, (float)ray / (float)(f->rays - 1),
                                                      (float)node / (float)(f->nodes - 1));
    net n = {.rays = f->rays,
             .nodes = f->nodes,
             .web = f->web,
             .points = points,
             .thickness = f->thickness,
             .mass = 0.006f,
             .stiffness = f->stiffness};
    net_add(&n, s);
    for (int ray = 0; ray < f->rays && !s->failed; ++ray) {
        hold(s, net_particle(&n, ray, 0), 4);
        hold(s, net_particle(&n, ray, 1), 2);
        draw_ray(s, f, &n, ray);
        if (ray + 1 < f->rays)
            draw_web(s, f, &n, ray);
    }
}

sketch lionfish_sketch(void)
{
    sketch s = sketch_begin();
    if (s.failed)
        return s;
    add_body(&s);
    draw_body(&s);
    draw_eye(&s, 1.0f);
    draw_eye(&s, -1.0f);
    for (int i = 0; i < FINS; ++i) {
        add_fin(&s, &fins[i]);
        if (i >= UNPAIRED) {
            fin other = mirrored(fins[i]);
            add_fin(&s, &other);
        }
    }
    return s;
}
