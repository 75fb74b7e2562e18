// A contestant of the benchmark: one scene or workload that steps when it is told to.
//
//     pliant-bench list                 scenes and workloads, as JSON
//     pliant-bench memory               bytes per particle, edge, group and link, as CSV
//     pliant-bench run NAME [OPTION…]   for bench.mjs, which lets several contestants take turns
//
//     --touch          of a workload: with floor, walls, other bodies and itself
//     --quality SxI    substeps and iterations per substep; else the scene's own, or the default
//     --threads N      1 unless told
//     --portable       without the processor's newest instructions
//     --reference      with the plain scalar loops that the fast ones are checked against
//
// A run says what it is in one line of JSON. Then it answers each line "SAMPLES BATCH" on its standard input
// with the milliseconds per step of so many samples of so many steps each, and where the time of one more
// step went. At the end of the input it says how the run ended.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <pliant/pool.h>
#include <scenes.h>

#include "memory.h"
#include "reference.h"
#include "run.h"

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

typedef struct options {
    bench_case wanted;
    int threads;
    bool uses_reference;
} options;

static void stop(const char *place, const char *message)
{
    fprintf(stderr, "pliant-bench: %s: %s\n", place, message);
    exit(1);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

// Asking for the time takes time: the world does so only while the switch is on.
static double now_if(void *is_on)
{
    return *(const bool *)is_on ? now() : 0.0;
}

// ---------------------------------------------------------------------------------------------
// A run

static void say_what(const bench_run *run, const options *o)
{
    pliant_report report = pliant_world_report(run->world);
    printf("{\"bodies\":%d,\"particles\":%d,\"edges\":%d,\"groups\":%d,\"substeps\":%d,"
           "\"iterations\":%d,\"threads\":%d,\"instructions\":\"%s\",\"warm\":%d}\n",
           report.bodies, report.particles, report.edges, report.groups, run->substeps,
           run->iterations, o->threads, pliant_world_instruction_set(run->world), run->warm_steps);
}

static void say_where(const bench_run *run)
{
    pliant_profile p = pliant_world_profile(run->world);
    printf("\"stages\":[%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f]", p.predict * 1e3, p.find * 1e3,
           p.begin * 1e3, p.solve * 1e3, p.pairs * 1e3, p.contacts * 1e3, p.finish * 1e3);
}

static void answer(bench_run *run, bool *clock_is_on, int samples, int batch)
{
    printf("{\"ms\":[");
    for (int i = 0; i < samples; ++i) {
        double begin = now();
        for (int k = 0; k < batch; ++k)
            bench_step(run);
        printf("%s%.6f", i ? "," : "", (now() - begin) * 1e3 / batch);
    }
    *clock_is_on = true;
    bench_step(run);
    *clock_is_on = false;
    printf("],");
    say_where(run);
    printf("}\n");
}

static void say_end(const bench_run *run)
{
    pliant_report report = pliant_world_report(run->world);
    printf("{\"height\":%.6g,\"contacts\":%d,\"pairs\":%d,\"bad\":%d,\"dropped\":%d}\n",
           bench_mean_height(run), report.contacts, report.pairs, report.frozen_bodies,
           report.dropped_contacts + report.dropped_pairs);
}

static void serve(options *o)
{
    bool clock_is_on = false;
    o->wanted.clock = now_if;
    o->wanted.clock_user_data = &clock_is_on;
    bench_run run;
    pliant_error error = {0};
    if (!bench_open(&run, &o->wanted, &error))
        stop(error.place, error.message);
    if (o->uses_reference)
        bench_use_reference(run.world);
    setvbuf(stdout, NULL, _IOLBF, 1 << 16);
    say_what(&run, o);
    char line[64];
    int samples, batch;
    while (fgets(line, sizeof(line), stdin) && sscanf(line, "%d %d", &samples, &batch) == 2)
        answer(&run, &clock_is_on, samples, batch);
    say_end(&run);
    bench_close(&run);
}

// ---------------------------------------------------------------------------------------------
// The command line

static void read_options(options *o, int count, char **arguments)
{
    o->wanted.name = arguments[0];
    for (int i = 1; i < count; ++i) {
        const char *name = arguments[i], *value = i + 1 < count ? arguments[i + 1] : "";
        if (strcmp(name, "--touch") == 0)
            o->wanted.touches = true;
        else if (strcmp(name, "--portable") == 0)
            o->wanted.instructions = PLIANT_INSTRUCTIONS_PORTABLE;
        else if (strcmp(name, "--reference") == 0)
            o->uses_reference = true;
        else if (strcmp(name, "--quality") == 0 &&
                 sscanf(value, "%dx%d", &o->wanted.substeps, &o->wanted.iterations) == 2)
            ++i;
        else if (strcmp(name, "--threads") == 0 && sscanf(value, "%d", &o->threads) == 1)
            ++i;
        else
            stop(name, "no such option, or no such value");
    }
}

static void run(int count, char **arguments)
{
    options o = {.threads = 1};
    read_options(&o, count, arguments);
    pliant_pool *pool = NULL;
    pliant_error error = {0};
    if (o.threads != 1) {
        pool = pliant_pool_create(o.threads, NULL, &error);
        if (!pool)
            stop("--threads", error.message);
        o.wanted.parallel_for = pliant_pool_run;
        o.wanted.parallel_user_data = pool;
    }
    serve(&o);
    pliant_pool_destroy(pool);
}

static void list(void)
{
    printf("{\"scenes\":[");
    for (int i = 0; i < scene_entry_count(); ++i)
        printf("%s\"%s\"", i ? "," : "", scene_entry_at(i)->name);
    printf("],\"workloads\":[");
    for (int i = 0; i < bench_workload_count(); ++i)
        printf("%s\"%s\"", i ? "," : "", bench_workload_name(i));
    printf("],\"compiler\":\"%s\"}\n", COMPILER);
}

int main(int count, char **arguments)
{
    if (count == 2 && strcmp(arguments[1], "list") == 0)
        list();
    else if (count == 2 && strcmp(arguments[1], "memory") == 0)
        bench_print_memory();
    else if (count > 2 && strcmp(arguments[1], "run") == 0)
        run(count - 2, arguments + 2);
    else {
        fputs("usage: pliant-bench list | memory | run NAME [--touch] [--quality SxI]\n"
              "           [--threads N] [--portable] [--reference]\n",
              stderr);
        return 2;
    }
    return 0;
}
