// How long skinning takes per vertex, beside a plain loop and beside the memory.
//
//     pliant-skin-bench
//
// 63,000 vertices with four links each to 300 particles, positions and normals, on one thread. The plain
// loop is compiled with -O3 for a processor with AVX2 and FMA, and its matrices are ready; ours makes its
// transforms from the particles' poses, and its normals have unit length. All read 48 bytes and write 24
// for each vertex. The limits, with AVX2: linear at most 0.36 of the plain loop and 5 times the memory, dual
// quaternions at most 1.6 of linear.

#include <pliant/world.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "model/skin_data.h"
#include "skin_plain.h"

enum { VERTICES = 63000, JOINTS = 300, ROUNDS = 400 };

_Static_assert(sizeof(skin_batch) == 48 * SKIN_BATCH, "all read the same number of bytes");

typedef struct contest {
    plain_skin plain;
    pliant_model *model;
    pliant_world *worlds[2]; // AVX2 where there is any, and portable
    pliant_body_id bodies[2];
    pliant_vec3 *positions, *normals;
} contest;

static double now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void *allocate(size_t count, size_t size)
{
    void *memory = aligned_alloc(64, (count * size + 63) / 64 * 64);
    if (!memory) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    return memory;
}

static void create_plain(plain_skin *s)
{
    *s = (plain_skin){.vertex_count = VERTICES,
                      .joint_count = JOINTS,
                      .joints = allocate(JOINTS, sizeof *s->joints),
                      .positions = allocate(VERTICES, sizeof *s->positions),
                      .normals = allocate(VERTICES, sizeof *s->normals),
                      .weights = allocate(VERTICES, sizeof *s->weights),
                      .indices = allocate(VERTICES, sizeof *s->indices),
                      .out_positions = allocate(VERTICES, sizeof *s->out_positions),
                      .out_normals = allocate(VERTICES, sizeof *s->out_normals)};
    static const int neighbours[4] = {0, 1, 2, 5};
    for (int v = 0; v < VERTICES; ++v) {
        int joint = (int)((long)v * JOINTS / VERTICES);
        for (int k = 0; k < 4; ++k)
            s->indices[v][k] = (uint16_t)((joint + neighbours[k] + v * 7 % 3) % JOINTS);
        const float third = 0.15f + 0.02f * (float)(v % 2),
                    weights[4] = {0.4f, 0.3f, third, 0.3f - third};
        float angle = 0.02f * (float)v, y = 0.5f * sinf(0.3f * angle);
        const float normal[3] = {cosf(angle) * sqrtf(1 - y * y), y, sinf(angle) * sqrtf(1 - y * y)};
        for (int k = 0; k < 4; ++k)
            s->weights[v][k] = weights[k];
        for (int k = 0; k < 3; ++k) {
            s->positions[v][k] = sinf(0.01f * (float)v + (float)k);
            s->normals[v][k] = normal[k];
        }
    }
}

static pliant_vec3 vec3_of(const float v[3])
{
    return (pliant_vec3){v[0], v[1], v[2]};
}

static pliant_model *create_model(const plain_skin *s)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    for (int j = 0; j < s->joint_count; ++j) {
        pliant_particle_def def = pliant_default_particle_def();
        def.position = (pliant_vec3){0.01f * (float)j, 0, 0};
        pliant_builder_add_particle(builder, &def);
    }
    for (int v = 0; v < s->vertex_count; ++v) {
        const float *w = s->weights[v];
        const uint16_t *i = s->indices[v];
        pliant_vertex_def def = {.position = vec3_of(s->positions[v]),
                                 .normal = vec3_of(s->normals[v]),
                                 .particles = {i[0], i[1], i[2], i[3]},
                                 .weights = {w[0], w[1], w[2], w[3]}};
        pliant_builder_add_vertex(builder, &def);
    }
    pliant_model *model = pliant_builder_build(builder, NULL);
    pliant_builder_destroy(builder);
    return model;
}

// Puts all joints in place: turned about z, in the world and in the plain loop's matrices.
static void pose(contest *c, int world)
{
    for (int j = 0; j < JOINTS; ++j) {
        float angle = 0.02f * (float)j, bind = 0.01f * (float)j;
        float cosine = cosf(angle), sine = sinf(angle);
        pliant_pose at = {{0.1f * (float)j, 0, 0.05f * (float)j},
                          {0, 0, sinf(0.5f * angle), cosf(0.5f * angle)}};
        pliant_body_set_particle_pose(c->worlds[world], c->bodies[world], j, at);
        const float matrix[16] = {cosine,
                                  sine,
                                  0,
                                  0,
                                  -sine,
                                  cosine,
                                  0,
                                  0,
                                  0,
                                  0,
                                  1,
                                  0,
                                  at.position.x - cosine * bind,
                                  -sine * bind,
                                  at.position.z,
                                  1};
        for (int k = 0; k < 16; ++k)
            c->plain.joints[j][k] = matrix[k];
    }
}

static void create_contest(contest *c)
{
    create_plain(&c->plain);
    c->positions = allocate(VERTICES, sizeof *c->positions);
    c->normals = allocate(VERTICES, sizeof *c->normals);
    c->model = create_model(&c->plain);
    for (int i = 0; i < 2; ++i) {
        pliant_world_def def = pliant_default_world_def();
        def.instructions = i ? PLIANT_INSTRUCTIONS_PORTABLE : PLIANT_INSTRUCTIONS_BEST;
        pliant_body_def body = pliant_default_body_def();
        body.model = c->model;
        c->worlds[i] = pliant_world_create(&def, NULL);
        if (c->model && c->worlds[i])
            c->bodies[i] = pliant_world_add_body(c->worlds[i], &body, NULL);
        if (!c->worlds[i] || !pliant_body_is_valid(c->worlds[i], c->bodies[i])) {
            fputs("out of memory\n", stderr);
            exit(1);
        }
        pose(c, i);
    }
}

static void destroy_contest(contest *c)
{
    pliant_world_destroy(c->worlds[0]);
    pliant_world_destroy(c->worlds[1]);
    pliant_model_destroy(c->model);
    void *const arrays[] = {c->plain.joints,  c->plain.positions,   c->plain.normals,
                            c->plain.weights, c->plain.indices,     c->plain.out_positions,
                            c->positions,     c->plain.out_normals, c->normals};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i)
        free(arrays[i]);
}

static void skin(const contest *c, int world, pliant_skin_mode mode)
{
    pliant_body_skin(c->worlds[world], c->bodies[world], mode, c->positions, c->normals);
}

// The contest is fair when both put the vertices to the same places, in metres.
static double largest_difference(contest *c)
{
    plain_skin_move(&c->plain);
    skin(c, 0, PLIANT_SKIN_LINEAR);
    double most = 0;
    for (int i = 0; i < VERTICES; ++i) {
        const float ours[3] = {c->positions[i].x, c->positions[i].y, c->positions[i].z};
        for (int k = 0; k < 3; ++k)
            most = fmax(most, fabs((double)ours[k] - (double)c->plain.out_positions[i][k]));
    }
    return most;
}

enum { STREAM, PLAIN, LINEAR, DUAL, PORTABLE_LINEAR, PORTABLE_DUAL, RUNNERS };

static volatile uint32_t sink;

static void run(const contest *c, int runner)
{
    switch (runner) {
    case STREAM:
        sink = plain_skin_stream(&c->plain);
        break;
    case PLAIN:
        plain_skin_move(&c->plain);
        break;
    case LINEAR:
    case DUAL:
        skin(c, 0, runner == DUAL ? PLIANT_SKIN_DUAL_QUATERNION : PLIANT_SKIN_LINEAR);
        break;
    default:
        skin(c, 1, runner == PORTABLE_DUAL ? PLIANT_SKIN_DUAL_QUATERNION : PLIANT_SKIN_LINEAR);
    }
}

static void say_ratio(const char *what, double ratio, double most)
{
    printf("%-28s %5.2f  (limit with AVX2 %g): %s\n", what, ratio, most,
           ratio <= most ? "met" : "not met");
}

int main(void)
{
    static const char *const names[RUNNERS] = {
        "memory", "plain loop", "linear", "dual quaternions", "linear portable", "dual portable"};
    contest c = {0};
    create_contest(&c);
    double difference = largest_difference(&c), least[RUNNERS];
    // In turn, so that all have the same luck with the machine.
    for (int round = 0; round < ROUNDS; ++round) {
        for (int i = 0; i < RUNNERS; ++i) {
            run(&c, i); // its data come back into the cache
            double begin = now_ns();
            run(&c, i);
            double taken = (now_ns() - begin) / VERTICES;
            least[i] = round && least[i] < taken ? least[i] : taken;
        }
    }
    destroy_contest(&c);
    printf("%-20s %10s\n", "skin", "ns/vertex");
    for (int i = 0; i < RUNNERS; ++i)
        printf("%-20s %10.2f\n", names[i], least[i]);
    putchar('\n');
    say_ratio("linear over plain loop", least[LINEAR] / least[PLAIN], 0.36);
    say_ratio("linear over memory", least[LINEAR] / least[STREAM], 5.0);
    say_ratio("dual quaternions over linear", least[DUAL] / least[LINEAR], 1.6);
    if (difference > 1e-4) {
        fprintf(stderr, "the plain loop and linear differ by %g m\n", difference);
        return 1;
    }
    return 0;
}
