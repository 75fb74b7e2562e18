// The benchmark's WebAssembly module: built-in scenes and workloads by name, step by step, and what the
// workloads are made of, so that a peer in the same host gets the very same numbers.

#include <stdio.h>

#include <scenes.h>

#include "run.h"

#define EXPORT(name) __attribute__((export_name(name)))

static char wanted_name[64];
static bench_run run;
static pliant_error error;
static bench_workload *geometry;

// Where the host writes the name of a scene or a workload, terminated, before it opens one.
EXPORT("name_buffer") char *web_name_buffer(void)
{
    return wanted_name;
}

EXPORT("error_message") const char *web_error_message(void)
{
    return error.message;
}

EXPORT("open") int web_open(int touches, int substeps, int iterations, float stretch_limit)
{
    bench_case wanted = {.name = wanted_name,
                         .touches = touches != 0,
                         .substeps = substeps,
                         .iterations = iterations,
                         .stretch_limit = stretch_limit};
    return bench_open(&run, &wanted, &error);
}

EXPORT("step") void web_step(int count)
{
    for (int i = 0; i < count; ++i)
        bench_step(&run);
}

// The number that a key stands for, in the order of bench/wasm.mjs.
EXPORT("number") double web_number(int key)
{
    pliant_report report = pliant_world_report(run.world);
    const double numbers[] = {report.bodies,        report.particles,
                              report.edges,         report.groups,
                              run.substeps,         run.iterations,
                              run.warm_steps,       bench_mean_height(&run),
                              report.contacts,      report.pairs,
                              report.frozen_bodies, report.dropped_contacts + report.dropped_pairs};
    return numbers[key];
}

// Three floats for each particle of the first body, until the next call.
EXPORT("positions") const float *web_positions(void)
{
    static float positions[BENCH_CLOTH_SIDE * BENCH_CLOTH_SIDE][3];
    pliant_body_id body = pliant_world_body_at(run.world, 0);
    for (int i = 0; i < BENCH_CLOTH_SIDE * BENCH_CLOTH_SIDE; ++i) {
        pliant_vec3 x = pliant_body_particle_pose(run.world, body, i).position;
        positions[i][0] = x.x, positions[i][1] = x.y, positions[i][2] = x.z;
    }
    return positions[0];
}

EXPORT("instruction_set") const char *web_instruction_set(void)
{
    return pliant_world_instruction_set(run.world);
}

// ---------------------------------------------------------------------------------------------
// What a workload is made of

// Returns the number of bodies, 0 when there is no such workload.
EXPORT("geometry_open") int web_geometry_open(void)
{
    geometry = bench_workload_create(wanted_name);
    return geometry ? geometry->body_count : 0;
}

EXPORT("geometry_has_floor") int web_geometry_has_floor(void)
{
    return geometry->has_floor;
}

EXPORT("geometry_has_walls") int web_geometry_has_walls(void)
{
    return geometry->has_walls;
}

EXPORT("geometry_warm_steps") int web_geometry_warm_steps(void)
{
    return geometry->warm_steps;
}

// Bodies are structs of counts and pointers as in workloads.h, one after the other.
EXPORT("geometry_body") const bench_body *web_geometry_body(int index)
{
    return &geometry->bodies[index];
}

// Three floats, until the next call.
EXPORT("geometry_gravity") const float *web_geometry_gravity(int step)
{
    static float gravity[3];
    bench_workload_gravity(geometry, step, gravity);
    return gravity;
}
