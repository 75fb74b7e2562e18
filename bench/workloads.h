// The workloads of the comparison: bodies as plain particles, edges and faces, for any engine.
//
//     W1   an octopus on a floor: 300 particles, 750 edges
//     W2   three octopuses that fall on each other
//     W3   under water, no floor: a long beam and six plants, each held at one end
//     W4   a hundred octopuses dropped into a box
//     W5a … W5d   a block of 10 × 10 × N particles: 1,000, 10,000, 100,000, 1,000,000
//     cloth, cloth-draught, cloth-sway   a sheet of 40 × 40 particles that hangs by two corners: at rest, in a
//          draught, swaying
//
// Metres, kilograms, seconds. Gravity has a horizontal part that turns, so that nothing but `cloth` comes to rest.

#ifndef PLIANT_BENCH_WORKLOADS_H
#define PLIANT_BENCH_WORKLOADS_H

#include <stdbool.h>
#include <stdint.h>

#include <pliant/base.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BENCH_DT         (1.0f / 60.0f)
#define BENCH_ITERATIONS 5     // per step, of every engine in the comparison
#define BENCH_RADIUS     0.04f // of a particle
#define BENCH_MASS       0.01f
#define BENCH_FRICTION   0.5f
#define BENCH_CLOTH_SIDE 40   // particles
#define BENCH_WALL       2.8f // the inner side of each wall, from the axis

typedef struct bench_body {
    int particle_count, edge_count, face_count;
    float (*positions)[3]; // already in their place in the world
    uint8_t *pinned;       // 0 or 1
    int32_t (*edges)[2];
    int32_t (*faces)[3];
    int particle_room, edge_room, face_room;
    // The first body in this pose, for an engine whose bodies can share what they are made of. Alike only if
    // `is_copy`.
    bool is_copy;
    pliant_pose copied_to;
} bench_body;

typedef struct bench_workload {
    int body_count;
    bench_body *bodies;
    bool has_floor; // y = 0
    bool has_walls; // four, at ±BENCH_WALL in x and z
    bool is_cloth;  // one body: a sheet of 1 m × 1 m
    float gravity;  // m/s², upwards
    float swing;    // m/s², of the part that turns
    int warm_steps; // before it has become what is to be measured
} bench_workload;

int bench_workload_count(void);
const char *bench_workload_name(int index);
// NULL when there is no workload of that name.
bench_workload *bench_workload_create(const char *name);
void bench_workload_destroy(bench_workload *workload);

int bench_workload_particle_count(const bench_workload *workload);
int bench_workload_edge_count(const bench_workload *workload);
void bench_workload_gravity(const bench_workload *workload, int step, float gravity[3]);

#ifdef __cplusplus
}
#endif

#endif
