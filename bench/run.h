// One run of a built-in scene or a workload, step by step: the same code natively and in WebAssembly.

#ifndef PLIANT_BENCH_RUN_H
#define PLIANT_BENCH_RUN_H

#include <pliant/author.h>

#include "workloads.h"

typedef struct bench_case {
    const char *name;         // of the built-in scene or the workload
    bool touches;             // workloads only: floor, walls, other bodies and itself
    int substeps, iterations; // 0: as the scene has it, the default for workloads
    float stretch_limit;      // of a cloth; 0: the default
    pliant_instructions instructions;
    pliant_parallel_for *parallel_for; // and the rest as in a world's definition
    void *parallel_user_data;
    pliant_clock *clock;
    void *clock_user_data;
} bench_case;

typedef struct bench_run {
    pliant_world *world;
    int substeps, iterations;
    int steps; // so far
    int warm_steps;
    bench_workload *workload; // NULL for a scene
    pliant_model **models;
    pliant_scene *scene;
    pliant_stage stage;
} bench_run;

bool bench_open(bench_run *run, const bench_case *wanted, pliant_error *error);
void bench_step(bench_run *run);
void bench_close(bench_run *run);

// Of the bodies' centres: tells whether the run is sane.
double bench_mean_height(const bench_run *run);

// Adds a body of a workload to a builder.
void bench_build(pliant_builder *builder, const bench_body *body);

#endif
