// Moving solids carry soft things: a funnel drops them on rollers, a belt takes them on, a paddle sweeps
// them off a table and down a chute into a bin. Every kind of shape is there.

#include "craft.h"

#include "geometry.h"

#include <stdio.h>

static const float DECK = 1.2f;       // m, the height at which things travel
static const float SPEED = 0.8f;      // m/s, of rollers and belt
static const float HALF_WIDTH = 0.5f; // m, of rollers, belt and table

static const uint32_t STEEL = 0x8a9098, FRAME = 0x4c5560, RUBBER = 0x3c4046, PAINT = 0xd89020;

// ---------------------------------------------------------------------------------------------
// The way in: a funnel, a wedge under it and rollers

enum { FUNNEL_SIDES = 32 };

// Three rings, on two posts.
static void add_funnel(pliant_scene *scene, vec3 centre, pliant_error *error)
{
    static const float rings[3][2] = {
        {0.36f, 0.0f}, {0.4f, 0.18f}, {0.85f, 0.65f}}; // radius, height
    vec3 points[3 * FUNNEL_SIDES];
    int32_t triangles[2 * FUNNEL_SIDES][6];
    for (int ring = 0; ring < 3; ++ring) {
        for (int k = 0; k < FUNNEL_SIDES; ++k) {
            float s, c;
            trig_sin_cos(2.0f * PLIANT_PI * (float)k / FUNNEL_SIDES, &s, &c);
            points[ring * FUNNEL_SIDES + k] =
                (vec3){rings[ring][0] * c, rings[ring][1], rings[ring][0] * s};
            if (ring == 2)
                continue;
            int a = ring * FUNNEL_SIDES + k, b = ring * FUNNEL_SIDES + (k + 1) % FUNNEL_SIDES;
            int32_t *quad = triangles[a];
            quad[0] = a, quad[1] = a + FUNNEL_SIDES, quad[2] = b;
            quad[3] = b, quad[4] = a + FUNNEL_SIDES, quad[5] = b + FUNNEL_SIDES;
        }
    }
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_MESH);
    def.points = points;
    def.point_count = 3 * FUNNEL_SIDES;
    def.triangles = triangles[0];
    def.triangle_count = 4 * FUNNEL_SIDES;
    int shape = craft_shape(scene, &def, error);
    pliant_scene_collider *funnel = craft_collider(scene, shape, "funnel", PAINT, centre);
    if (funnel)
        funnel->def.friction = 0.1f;
    float height = centre.y + rings[2][1];
    for (int side = -1; side <= 1; side += 2)
        craft_box(scene, side < 0 ? "post 0" : "post 1", FRAME,
                  (vec3){centre.x + 0.62f * (float)side, 0.5f * height, -0.62f},
                  (vec3){0.03f, 0.5f * height, 0.03f}, error);
}

// A bar as wide as the way, whose side is a convex outline of four points: x, and y above the deck.
static void add_bar(pliant_scene *scene, const char *name, float friction,
                    const float outline[4][2], pliant_error *error)
{
    vec3 points[8];
    for (int i = 0; i < 8; ++i)
        points[i] =
            (vec3){outline[i / 2][0], DECK + outline[i / 2][1], i % 2 ? HALF_WIDTH : -HALF_WIDTH};
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_HULL);
    def.points = points;
    def.point_count = 8;
    int shape = craft_shape(scene, &def, error);
    pliant_scene_collider *bar = craft_collider(scene, shape, name, FRAME, (vec3){0, 0, 0});
    if (bar)
        bar->def.friction = friction;
}

static void add_rollers(pliant_scene *scene, float begin, float end, int count, pliant_error *error)
{
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_CAPSULE);
    def.radius = 0.06f;
    def.half_length = HALF_WIDTH;
    int shape = craft_shape(scene, &def, error);
    for (int i = 0; i < count; ++i) {
        float x = begin + (end - begin) * (float)i / (float)(count - 1);
        char name[16];
        snprintf(name, sizeof name, "roller %d", i);
        pliant_scene_collider *roller =
            craft_collider(scene, shape, name, STEEL, (vec3){x, DECK - def.radius, 0.0f});
        if (!roller)
            continue;
        roller->def.orientation = quat_exp((vec3){0.5f * PLIANT_PI, 0.0f, 0.0f}); // along z
        roller->def.angular_velocity = (vec3){0.0f, 0.0f, -SPEED / def.radius};
        roller->def.friction = 1.0f;
    }
}

// ---------------------------------------------------------------------------------------------
// The belt: plates that go round two drums

enum { PLATES = 30, BELT_KEYS = 240 };

typedef struct belt {
    float begin, end; // x of the drums
    float radius;     // of the way of the plates' middles
    float y;          // of the drums
    float half_thickness;
} belt;

// Where a plate is that has gone `way` from above the first drum, and how far it has turned.
static void belt_at(const belt *b, float way, vec3 *position, float *angle)
{
    float straight = b->end - b->begin, bend = PLIANT_PI * b->radius;
    float loop = 2.0f * (straight + bend);
    int rounds = (int)(way / loop);
    float along = way - (float)rounds * loop, s, c;
    *angle = -2.0f * PLIANT_PI * (float)rounds;
    if (along < straight) {
        *position = (vec3){b->begin + along, b->y + b->radius, 0.0f};
    } else if (along < straight + bend) {
        float turn = (along - straight) / b->radius;
        trig_sin_cos(turn, &s, &c);
        *position = (vec3){b->end + b->radius * s, b->y + b->radius * c, 0.0f};
        *angle -= turn;
    } else if (along < 2.0f * straight + bend) {
        *position = (vec3){b->end - (along - straight - bend), b->y - b->radius, 0.0f};
        *angle -= PLIANT_PI;
    } else {
        float turn = (along - 2.0f * straight - bend) / b->radius;
        trig_sin_cos(turn, &s, &c);
        *position = (vec3){b->begin - b->radius * s, b->y - b->radius * c, 0.0f};
        *angle -= PLIANT_PI + turn;
    }
}

static void drive_plate(pliant_scene *scene, int collider, const belt *b, float way)
{
    pliant_scene_key keys[BELT_KEYS];
    vec3 start, position;
    float first, angle;
    belt_at(b, way, &start, &first);
    for (int i = 0; i < BELT_KEYS; ++i) {
        float time = scene->seconds * (float)i / (BELT_KEYS - 1);
        belt_at(b, way + SPEED * time, &position, &angle);
        keys[i] = (pliant_scene_key){.time = time,
                                     .translation = vec3_sub(position, start),
                                     .rotation = {0.0f, 0.0f, angle - first}};
    }
    pliant_scene_driver driver = {
        .collider = collider, .pivot = start, .key_count = BELT_KEYS, .keys = keys};
    pliant_scene_add_driver(scene, &driver);
}

static void add_belt(pliant_scene *scene, const belt *b, pliant_error *error)
{
    float loop = 2.0f * (b->end - b->begin + PLIANT_PI * b->radius), step = loop / PLATES;
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_BOX);
    def.half_size = (vec3){0.47f * step, b->half_thickness, HALF_WIDTH};
    int shape = craft_shape(scene, &def, error);
    for (int i = 0; i < PLATES; ++i) {
        char name[16];
        vec3 position;
        float angle;
        snprintf(name, sizeof name, "plate %d", i);
        belt_at(b, (float)i * step, &position, &angle);
        pliant_scene_collider *plate = craft_collider(scene, shape, name, RUBBER, position);
        if (!plate)
            return;
        plate->def.orientation = quat_exp((vec3){0.0f, 0.0f, angle});
        plate->def.friction = 1.0f;
        drive_plate(scene, scene->collider_count - 1, b, (float)i * step);
    }
    def = pliant_default_shape_def(PLIANT_SHAPE_CAPSULE);
    def.radius = b->radius - b->half_thickness;
    def.half_length = HALF_WIDTH - def.radius;
    shape = craft_shape(scene, &def, error);
    for (int i = 0; i < 2; ++i) {
        pliant_scene_collider *drum = craft_collider(scene, shape, i ? "drum 1" : "drum 0", STEEL,
                                                     (vec3){i ? b->end : b->begin, b->y, 0.0f});
        if (!drum)
            return;
        drum->def.orientation = quat_exp((vec3){0.5f * PLIANT_PI, 0.0f, 0.0f});
        drum->def.angular_velocity = (vec3){0.0f, 0.0f, -SPEED / b->radius};
    }
}

// ---------------------------------------------------------------------------------------------
// The way out: a table with a paddle, a chute and a bin

static const float TABLE_MIDDLE = 1.6f, TABLE_HALF = 0.5f, TABLE_SLOPE = 0.12f; // m, m, rad

// Where a thing lies `along` the slope of the table and `up` from it; the table's own middle is at 0, 0.
static vec3 on_table(float along, float up)
{
    float s, c;
    trig_sin_cos(TABLE_SLOPE, &s, &c);
    return (vec3){TABLE_MIDDLE + along * c + up * s, DECK - 0.045f - along * s + up * c, 0.0f};
}

// Slopes away from the belt and reaches over its end with a thin lip, as a scraper does: nothing is drawn
// into a gap between them.
static void add_table(pliant_scene *scene, pliant_error *error)
{
    static const float lip[4][2] = {
        {0.86f, 0.003f}, {0.97f, 0.035f}, {1.12f, 0.01f}, {1.12f, 0.003f}};
    quat slope = quat_exp((vec3){0.0f, 0.0f, -TABLE_SLOPE});
    add_bar(scene, "lip", 0.0f, lip, error);
    pliant_scene_collider *table = craft_box(scene, "table", FRAME, on_table(0.0f, -0.02f),
                                             (vec3){TABLE_HALF, 0.02f, HALF_WIDTH + 0.06f}, error);
    if (table) {
        table->def.orientation = slope;
        table->def.friction = 0.0f;
    }
    pliant_scene_collider *stop =
        craft_box(scene, "stop", PAINT, on_table(TABLE_HALF - 0.02f, 0.15f),
                  (vec3){0.02f, 0.15f, HALF_WIDTH + 0.06f}, error);
    if (stop) {
        stop->def.orientation = slope;
        stop->def.friction = 0.1f;
    }
}

// Sweeps over the table, and goes back above what has come in the meantime.
static void add_paddle(pliant_scene *scene, pliant_error *error)
{
    const float way = 2.0f * HALF_WIDTH + 0.08f, lift = 0.5f, period = 2.5f;
    const float steps[6][3] = {// time, up, along z
                               {0.9f, 0.0f, 0.0f}, {1.5f, 0.0f, way},  {1.75f, lift, way},
                               {2.1f, lift, 0.0f}, {2.4f, 0.0f, 0.0f}, {period, 0.0f, 0.0f}};
    // Short of the lip: what has only half come over is left for the next time.
    vec3 start = on_table(0.07f, 0.19f);
    start.z = -HALF_WIDTH - 0.04f;
    pliant_scene_collider *paddle = craft_box(scene, "paddle", 0xc03828, start,
                                              (vec3){TABLE_HALF - 0.12f, 0.17f, 0.03f}, error);
    if (!paddle)
        return;
    paddle->def.orientation = quat_exp((vec3){0.0f, 0.0f, -TABLE_SLOPE});
    enum { ROUNDS = 4 };
    pliant_scene_key keys[ROUNDS * 6];
    for (int i = 0; i < ROUNDS * 6; ++i)
        keys[i] = (pliant_scene_key){.time = steps[i % 6][0] + period * (float)(i / 6),
                                     .translation = {0.0f, steps[i % 6][1], steps[i % 6][2]}};
    pliant_scene_driver driver = {
        .collider = scene->collider_count - 1, .key_count = ROUNDS * 6, .keys = keys};
    pliant_scene_add_driver(scene, &driver);
}

enum { CHUTE_COLUMNS = 25, CHUTE_ROWS = 25 };

// A slide with raised sides that runs out flat.
static void add_chute(pliant_scene *scene, float z, pliant_error *error)
{
    const float spacing = 0.05f, top = DECK - 0.17f, bottom = 0.5f;
    float heights[CHUTE_ROWS * CHUTE_COLUMNS];
    for (int row = 0; row < CHUTE_ROWS; ++row) {
        float along = (float)row / (CHUTE_ROWS - 1);
        float fall = along * (2.0f - along);
        for (int column = 0; column < CHUTE_COLUMNS; ++column) {
            float across = 2.0f * (float)column / (CHUTE_COLUMNS - 1) - 1.0f;
            float side = maximum(absolute(across) - 0.7f, 0.0f) / 0.3f;
            heights[row * CHUTE_COLUMNS + column] =
                top + (bottom - top) * fall + 0.22f * side * side;
        }
    }
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_HEIGHTFIELD);
    def.columns = CHUTE_COLUMNS;
    def.rows = CHUTE_ROWS;
    def.spacing = spacing;
    def.heights = heights;
    int shape = craft_shape(scene, &def, error);
    vec3 corner = {TABLE_MIDDLE - 0.5f * spacing * (CHUTE_COLUMNS - 1), 0.0f, z};
    pliant_scene_collider *chute = craft_collider(scene, shape, "chute", STEEL, corner);
    if (chute)
        chute->def.friction = 0.05f;

    // Bumps half sunk in the slide, to shake what comes down.
    def = pliant_default_shape_def(PLIANT_SHAPE_SPHERE);
    def.radius = 0.16f;
    shape = craft_shape(scene, &def, error);
    craft_collider(scene, shape, "bump 0", PAINT, (vec3){TABLE_MIDDLE - 0.2f, 0.76f, z + 0.32f});
    craft_collider(scene, shape, "bump 1", PAINT, (vec3){TABLE_MIDDLE + 0.22f, 0.56f, z + 0.62f});
}

static void add_bin(pliant_scene *scene, vec3 centre, pliant_error *error)
{
    const float x = 0.75f, z = 0.65f, wall = 0.025f, back = 0.22f, front = 0.24f;
    const uint32_t wood = 0xb08050;
    craft_box(scene, "bin back", wood, vec3_add(centre, (vec3){0.0f, back, -z}),
              (vec3){x, back, wall}, error);
    craft_box(scene, "bin front", wood, vec3_add(centre, (vec3){0.0f, front, z}),
              (vec3){x, front, wall}, error);
    craft_box(scene, "bin left", wood, vec3_add(centre, (vec3){-x, back, 0.0f}),
              (vec3){wall, back, z}, error);
    craft_box(scene, "bin right", wood, vec3_add(centre, (vec3){x, back, 0.0f}),
              (vec3){wall, back, z}, error);
}

// Rails beside the way and legs under it.
static void add_frame(pliant_scene *scene, float begin, float end, pliant_error *error)
{
    for (int side = -1; side <= 1; side += 2) {
        float z = (float)side * (HALF_WIDTH + 0.13f);
        craft_box(scene, side < 0 ? "rail back" : "rail front", FRAME,
                  (vec3){0.5f * (begin + end), DECK - 0.08f, z},
                  (vec3){0.5f * (end - begin), 0.1f, 0.02f}, error);
        for (int i = 0; i < 3; ++i) {
            char name[16];
            snprintf(name, sizeof name, "leg %d", i + (side < 0 ? 0 : 3));
            craft_box(scene, name, FRAME,
                      (vec3){begin + 0.1f + 0.5f * (end - begin - 0.2f) * (float)i,
                             0.5f * DECK - 0.09f, z},
                      (vec3){0.035f, 0.5f * DECK - 0.09f, 0.02f}, error);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// What is carried

static const uint32_t colours[] = {0xd8304a, 0x3fa060, 0x2f78c0, 0x8a50b0, 0xe08030};

static void place_cube(pliant_scene_body *body, int index)
{
    static const vec3 places[] = {{0.6f, 1.4f, 0.05f},
                                  {-0.6f, 1.4f, -0.1f},
                                  {-1.2f, 1.4f, 0.1f},
                                  {-1.9f, 1.4f, -0.05f},
                                  {-2.5f, 2.6f, 0.0f}};
    body->def.position = places[index];
    body->def.orientation = quat_exp((vec3){0.0f, 0.5f * (float)index, 0.0f});
    body->def.shape_damping = 0.85f;
    body->def.friction = 0.7f;
}

enum { CUBES = 5 };

static void add_cubes(pliant_scene *scene, pliant_error *error)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_block_def block = pliant_default_block_def();
    block.size = (vec3){0.34f, 0.34f, 0.34f};
    block.counts[0] = block.counts[1] = block.counts[2] = 4;
    block.stiffness = 0.02f;
    block.skin_refinement = 2;
    if (builder)
        pliant_builder_add_block(builder, &block);
    int first = scene ? scene->body_count : 0;
    pliant_scene_body *cube = craft_body(scene, builder, "cube 0", colours[0], error);
    if (cube)
        place_cube(cube, 0);
    for (int i = 1; cube && i < CUBES; ++i) {
        cube = craft_copy(scene, first, i, colours[i % 5]);
        if (cube)
            place_cube(cube, i);
    }
}

static void add_rope(pliant_scene *scene, pliant_error *error)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_rope_def rope = pliant_default_rope_def();
    rope.begin = (vec3){0.0f, 0.0f, -0.42f};
    rope.end = (vec3){0.0f, 0.0f, 0.42f};
    rope.particles = 18;
    rope.radius = 0.04f;
    if (builder)
        pliant_builder_add_rope(builder, &rope);
    pliant_scene_body *body = craft_body(scene, builder, "rope", 0xd8b878, error);
    if (body) {
        body->def.position = (vec3){0.0f, 1.3f, 0.0f};
        body->def.orientation = quat_exp((vec3){0.0f, 1.1f, 0.0f});
        body->def.friction = 0.8f;
        body->def.angular_damping = 0.99f; // a free rope that is folded sharply winds itself up
    }
}

pliant_scene *scene_conveyor(pliant_error *error)
{
    const belt b = {.begin = -0.85f,
                    .end = 0.95f,
                    .radius = 0.11f,
                    .half_thickness = 0.015f,
                    .y = DECK - 0.11f - 0.015f};
    // Under the funnel, down to the first roller.
    static const float wedge[4][2] = {
        {-3.1f, 0.3f}, {-2.3f, -0.02f}, {-2.3f, -0.1f}, {-3.1f, -0.1f}};
    pliant_scene *scene = craft_scene(10.0f);
    craft_camera(scene, (vec3){0.4f, 3.6f, 7.8f}, (vec3){-0.1f, 0.95f, 0.6f});
    craft_ground(scene, 0.6f);
    add_funnel(scene, (vec3){-2.5f, 1.8f, 0.0f}, error);
    add_bar(scene, "wedge", 0.05f, wedge, error);
    add_rollers(scene, -2.23f, -1.1f, 10, error);
    add_belt(scene, &b, error);
    add_table(scene, error);
    add_paddle(scene, error);
    add_chute(scene, HALF_WIDTH + 0.08f, error);
    add_bin(scene, (vec3){TABLE_MIDDLE, 0.0f, 2.55f}, error);
    add_frame(scene, -3.1f, 1.1f, error);
    add_cubes(scene, error);
    add_rope(scene, error);
    return craft_finish(scene, error);
}
