#include "workloads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/quat.h"

#define TURNS_PER_SECOND 0.6f // of gravity

enum { MOST_BODIES = 100 };

// ---------------------------------------------------------------------------------------------
// Elements

static void *grow(void *array, int count, int *room, size_t size)
{
    if (count < *room)
        return array;
    *room = *room ? 2 * *room : 512;
    void *grown = realloc(array, (size_t)*room * size);
    if (!grown) {
        fputs("out of memory\n", stderr);
        abort();
    }
    return grown;
}

static int add_particle(bench_body *body, vec3 x, bool is_pinned)
{
    int room = body->particle_room;
    body->positions =
        grow(body->positions, body->particle_count, &body->particle_room, sizeof(float[3]));
    body->pinned = grow(body->pinned, body->particle_count, &room, 1);
    float *position = body->positions[body->particle_count];
    position[0] = x.x, position[1] = x.y, position[2] = x.z;
    body->pinned[body->particle_count] = is_pinned;
    return body->particle_count++;
}

static void add_edge(bench_body *body, int a, int b)
{
    body->edges = grow(body->edges, body->edge_count, &body->edge_room, sizeof(int32_t[2]));
    int32_t *edge = body->edges[body->edge_count++];
    edge[0] = a, edge[1] = b;
}

static void add_face(bench_body *body, int a, int b, int c)
{
    body->faces = grow(body->faces, body->face_count, &body->face_room, sizeof(int32_t[3]));
    int32_t *face = body->faces[body->face_count++];
    face[0] = a, face[1] = b, face[2] = c;
}

static void add_quad(bench_body *body, int a, int b, int c, int d)
{
    add_face(body, a, b, c);
    add_face(body, a, c, d);
}

// ---------------------------------------------------------------------------------------------
// Octopuses: a head of 6 rings of 10 particles and 8 arms of 30

enum {
    HEAD_RINGS = 6,
    HEAD_SIDES = 10,
    HEAD_DIAGONALS = 24,
    ARMS = 8,
    ARM_RINGS = 8,
    ARM_SIDES = 3,
    TIP_PARTICLES = 6
};

typedef struct octopus_place {
    vec3 position;
    float yaw;       // rad
    float out, down; // of the arms' direction, unit length
} octopus_place;

static void add_head(bench_body *body, const octopus_place *place)
{
    vec3 centre = vec3_add(place->position, (vec3){0.0f, 1.0f, 0.0f});
    for (int i = 0; i < HEAD_RINGS * HEAD_SIDES; ++i) {
        float height, width, sine, cosine;
        trig_sin_cos((155.0f - 26.0f * (float)(i / HEAD_SIDES)) * (PLIANT_PI / 180.0f), &width,
                     &height);
        trig_sin_cos(2.0f * PLIANT_PI * (float)(i % HEAD_SIDES) / HEAD_SIDES + place->yaw, &sine,
                     &cosine);
        add_particle(body,
                     vec3_add_scaled(centre, (vec3){width * cosine, height, width * sine}, 0.3f),
                     false);
    }
    int diagonals = 0;
    for (int i = 0; i < HEAD_RINGS * HEAD_SIDES; ++i) {
        int next = i / HEAD_SIDES * HEAD_SIDES + (i + 1) % HEAD_SIDES;
        add_edge(body, i, next);
        if (i / HEAD_SIDES == HEAD_RINGS - 1)
            continue;
        add_edge(body, i, i + HEAD_SIDES);
        if (diagonals++ < HEAD_DIAGONALS)
            add_edge(body, i, next + HEAD_SIDES);
        add_quad(body, i, next, next + HEAD_SIDES, i + HEAD_SIDES);
    }
}

// Along the arm, up and to its side.
typedef struct arm_frame {
    vec3 root, ahead, up, side;
} arm_frame;

static arm_frame frame_of_arm(const octopus_place *place, int arm)
{
    float s, c;
    trig_sin_cos(2.0f * PLIANT_PI * (float)arm / ARMS + place->yaw, &s, &c);
    return (arm_frame){
        .root = vec3_add(place->position, (vec3){0.26f * c, 0.85f, 0.26f * s}),
        .ahead = {c * place->out, -place->down, s * place->out},
        .up = {c * place->down, place->out, s * place->down},
        .side = {-s, 0.0f, c},
    };
}

static void add_arm_particles(bench_body *body, const arm_frame *frame)
{
    for (int i = 0; i < ARM_RINGS * ARM_SIDES; ++i) {
        float s, c, radius = 0.08f - 0.004f * (float)(i / ARM_SIDES);
        trig_sin_cos(2.0f * PLIANT_PI * (float)(i % ARM_SIDES) / ARM_SIDES, &s, &c);
        vec3 x = vec3_add_scaled(frame->root, frame->ahead, 0.1f * (float)(i / ARM_SIDES + 1));
        add_particle(
            body,
            vec3_add_scaled(vec3_add_scaled(x, frame->up, radius * c), frame->side, radius * s),
            false);
    }
    // The tip zigzags: Bullet turns clusters that are exactly straight into NaN.
    for (int i = 0; i < TIP_PARTICLES; ++i) {
        vec3 x = vec3_add_scaled(frame->root, frame->ahead, 0.1f * (float)(ARM_RINGS + 1 + i));
        add_particle(body, vec3_add_scaled(x, frame->up, i % 2 ? 0.01f : -0.01f), false);
    }
}

static void connect_arm(bench_body *body, int first, int neck, int neck_neighbour)
{
    for (int i = 0; i < ARM_RINGS * ARM_SIDES; ++i) {
        int a = first + i, next = first + i / ARM_SIDES * ARM_SIDES + (i + 1) % ARM_SIDES;
        add_edge(body, a, next);
        if (i / ARM_SIDES == ARM_RINGS - 1)
            continue;
        add_edge(body, a, a + ARM_SIDES);
        add_edge(body, a, next + ARM_SIDES);
        add_quad(body, a, next, next + ARM_SIDES, a + ARM_SIDES);
    }
    int last_ring = first + (ARM_RINGS - 1) * ARM_SIDES, tip = last_ring + ARM_SIDES;
    for (int i = 0; i < ARM_SIDES; ++i) {
        int next = (i + 1) % ARM_SIDES;
        add_edge(body, last_ring + i, tip);
        add_face(body, last_ring + i, last_ring + next, tip);
        add_edge(body, first + i, neck);
        add_face(body, first + i, first + next, neck);
    }
    for (int i = 1; i < TIP_PARTICLES; ++i)
        add_edge(body, tip + i - 1, tip + i);
    // Joins the arm's faces to the head's: Bullet never returns from faces in two pieces.
    add_face(body, neck, neck_neighbour, first);
}

static void add_octopus(bench_workload *workload, octopus_place place)
{
    bench_body *body = &workload->bodies[workload->body_count++];
    add_head(body, &place);
    for (int arm = 0; arm < ARMS; ++arm) {
        arm_frame frame = frame_of_arm(&place, arm);
        int first = body->particle_count;
        add_arm_particles(body, &frame);
        int side = (arm * HEAD_SIDES + ARMS / 2) / ARMS % HEAD_SIDES;
        connect_arm(body, first, HEAD_SIDES + side, HEAD_SIDES + (side + 1) % HEAD_SIDES);
    }
}

// An octopus at `place` is the one at `first` turned about the vertical, on which a rising angle goes from x to z.
static pliant_pose pose_of_copy(const octopus_place *first, const octopus_place *place)
{
    float s, c;
    trig_sin_cos(-0.5f * (place->yaw - first->yaw), &s, &c);
    quat turn = {0.0f, s, 0.0f, c};
    return (pliant_pose){vec3_sub(place->position, quat_rotate(turn, first->position)), turn};
}

static void make_octopuses(bench_workload *workload, int count)
{
    workload->has_floor = true;
    for (int i = 0; i < count; ++i) {
        float n = (float)i;
        add_octopus(workload,
                    (octopus_place){{0.15f * n, 0.6f * n, 0.1f * n}, 0.26f * n, 0.8660254f, 0.5f});
    }
}

// Four by four columns in seven layers, arms down, so that none touches another at the start.
static void make_box_of_octopuses(bench_workload *workload, int count)
{
    workload->has_floor = workload->has_walls = true;
    workload->warm_steps = 240; // the last ones fall for 1.6 s; then all become a heap
    octopus_place first = {.position = {0, 0, 0}};
    for (int i = 0; i < count; ++i) {
        vec3 at = {1.3f * (float)(i % 4) - 1.95f, 1.9f * (float)(i / 16) + 0.6f,
                   1.3f * (float)(i / 4 % 4) - 1.95f};
        octopus_place place = {at, 0.31f * (float)i, 0.1962f, 0.9806f};
        if (i == 0)
            first = place;
        workload->bodies[workload->body_count].is_copy = i > 0;
        workload->bodies[workload->body_count].copied_to = pose_of_copy(&first, &place);
        add_octopus(workload, place);
    }
}

// ---------------------------------------------------------------------------------------------
// Beams of square rings, the first of which is pinned

static void add_beam(bench_workload *workload, vec3 from, bool is_upright, int rings)
{
    static const float corners[4][2] = {
        {-0.05f, -0.05f}, {0.05f, -0.05f}, {0.05f, 0.05f}, {-0.05f, 0.05f}};
    bench_body *body = &workload->bodies[workload->body_count++];
    for (int i = 0; i < 4 * rings; ++i) {
        const float *corner = corners[i % 4];
        float far = 0.1f * (float)(i / 4);
        vec3 offset =
            is_upright ? (vec3){corner[0], far, corner[1]} : (vec3){far, corner[0], corner[1]};
        add_particle(body, vec3_add(from, offset), i < 4);
    }
    for (int i = 0; i < 4 * rings; ++i) {
        int next = i / 4 * 4 + (i + 1) % 4;
        add_edge(body, i, next);
        if (i % 4 < 2)
            add_edge(body, i, i + 2);
        if (i / 4 == rings - 1)
            continue;
        add_edge(body, i, i + 4);
        add_edge(body, i, next + 4);
        add_quad(body, i, next, next + 4, i + 4);
    }
}

static void make_water_plants(bench_workload *workload)
{
    workload->gravity = 0.5f;
    workload->swing = 2.0f;
    add_beam(workload, (vec3){-5.0f, 1.0f, 0.0f}, false, 100);
    for (int i = 0; i < 6; ++i)
        add_beam(workload, (vec3){1.5f * (float)i - 4.0f, 0.0f, i % 2 ? 0.16f : -0.16f}, true, 25);
}

// ---------------------------------------------------------------------------------------------
// Blocks: edges along the axes and one body diagonal

enum { SIDE = 10, LAYER = SIDE * SIDE };

static void connect_in_block(bench_body *body, int depth, int a)
{
    int i = a % SIDE, j = a / SIDE % SIDE, k = a / LAYER;
    bool right = i < SIDE - 1, above = j < SIDE - 1, behind = k < depth - 1;
    if (right)
        add_edge(body, a, a + 1);
    if (above)
        add_edge(body, a, a + SIDE);
    if (behind)
        add_edge(body, a, a + LAYER);
    if (right && above && behind)
        add_edge(body, a, a + 1 + SIDE + LAYER);
    if (right && above && (k == 0 || k == depth - 1))
        add_quad(body, a, a + 1, a + 1 + SIDE, a + SIDE);
    if (above && behind && (i == 0 || i == SIDE - 1))
        add_quad(body, a, a + SIDE, a + SIDE + LAYER, a + LAYER);
    if (right && behind && (j == 0 || j == SIDE - 1))
        add_quad(body, a, a + 1, a + 1 + LAYER, a + LAYER);
}

static void make_block(bench_workload *workload, int depth)
{
    workload->has_floor = true;
    workload->warm_steps = depth <= 100 ? 120 : depth <= 1000 ? 20 : 4;
    bench_body *body = &workload->bodies[workload->body_count++];
    for (int a = 0; a < LAYER * depth; ++a) {
        vec3 x = {0.1f * (float)(a % SIDE) - 0.45f, 0.1f * (float)(a / SIDE % SIDE) + 0.05f,
                  0.1f * (float)(a / LAYER) - 0.05f * (float)depth};
        add_particle(body, x, false);
    }
    for (int a = 0; a < LAYER * depth; ++a)
        connect_in_block(body, depth, a);
}

// ---------------------------------------------------------------------------------------------
// A cloth, as pliant_builder_add_sheet makes it: only the edges that bear stretch

static void make_cloth(bench_workload *workload, float swing, int warm_steps)
{
    workload->is_cloth = true;
    workload->swing = swing;
    workload->warm_steps = warm_steps;
    bench_body *body = &workload->bodies[workload->body_count++];
    float spacing = 1.0f / (BENCH_CLOTH_SIDE - 1);
    for (int i = 0; i < BENCH_CLOTH_SIDE * BENCH_CLOTH_SIDE; ++i) {
        int column = i % BENCH_CLOTH_SIDE, row = i / BENCH_CLOTH_SIDE;
        vec3 x = {(float)column * spacing - 0.5f, -(float)row * spacing, 0.0f};
        add_particle(body, x, row == 0 && (column == 0 || column == BENCH_CLOTH_SIDE - 1));
    }
    for (int i = 0; i < BENCH_CLOTH_SIDE * BENCH_CLOTH_SIDE; ++i) {
        bool right = i % BENCH_CLOTH_SIDE < BENCH_CLOTH_SIDE - 1;
        bool below = i / BENCH_CLOTH_SIDE < BENCH_CLOTH_SIDE - 1;
        if (right)
            add_edge(body, i, i + 1);
        if (below)
            add_edge(body, i, i + BENCH_CLOTH_SIDE);
        if (right && below)
            add_quad(body, i, i + BENCH_CLOTH_SIDE, i + BENCH_CLOTH_SIDE + 1, i + 1);
    }
}

// ---------------------------------------------------------------------------------------------

static const char *const names[] = {
    "W1", "W2", "W3", "W4", "W5a", "W5b", "W5c", "W5d", "cloth", "cloth-draught", "cloth-sway"};

int bench_workload_count(void)
{
    return (int)(sizeof(names) / sizeof(names[0]));
}

const char *bench_workload_name(int index)
{
    return names[index];
}

static void make(bench_workload *workload, int index)
{
    switch (index) {
    case 0:
        make_octopuses(workload, 1);
        break;
    case 1:
        make_octopuses(workload, 3);
        break;
    case 2:
        make_water_plants(workload);
        break;
    case 3:
        make_box_of_octopuses(workload, MOST_BODIES);
        break;
    case 4:
        make_block(workload, 10);
        break;
    case 5:
        make_block(workload, 100);
        break;
    case 6:
        make_block(workload, 1000);
        break;
    case 7:
        make_block(workload, 10000);
        break;
    case 8:
        make_cloth(workload, 0.0f, 300);
        break;
    case 9:
        make_cloth(workload, 0.1f, 120);
        break;
    default:
        make_cloth(workload, 1.0f, 120);
        break;
    }
}

bench_workload *bench_workload_create(const char *name)
{
    for (int i = 0; i < bench_workload_count(); ++i) {
        if (strcmp(names[i], name) != 0)
            continue;
        bench_workload *workload = malloc(sizeof(bench_workload));
        bench_body *bodies = calloc(MOST_BODIES, sizeof(bench_body));
        if (!workload || !bodies) {
            fputs("out of memory\n", stderr);
            abort();
        }
        *workload =
            (bench_workload){.bodies = bodies, .gravity = -9.81f, .swing = 4.0f, .warm_steps = 120};
        make(workload, i);
        return workload;
    }
    return NULL;
}

void bench_workload_destroy(bench_workload *workload)
{
    for (int i = 0; i < workload->body_count; ++i) {
        free(workload->bodies[i].positions);
        free(workload->bodies[i].pinned);
        free(workload->bodies[i].edges);
        free(workload->bodies[i].faces);
    }
    free(workload->bodies);
    free(workload);
}

int bench_workload_particle_count(const bench_workload *workload)
{
    int count = 0;
    for (int i = 0; i < workload->body_count; ++i)
        count += workload->bodies[i].particle_count;
    return count;
}

int bench_workload_edge_count(const bench_workload *workload)
{
    int count = 0;
    for (int i = 0; i < workload->body_count; ++i)
        count += workload->bodies[i].edge_count;
    return count;
}

void bench_workload_gravity(const bench_workload *workload, int step, float gravity[3])
{
    float sine, cosine;
    trig_sin_cos(2.0f * PLIANT_PI * TURNS_PER_SECOND * BENCH_DT * (float)step, &sine, &cosine);
    gravity[0] = workload->swing * sine;
    gravity[1] = workload->gravity;
    gravity[2] = workload->swing * cosine;
}
