// pliant run: simulate a scene, measure it, bake it.

#include "../author/json/json_write.h"
#include "cli.h"
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: pliant run SCENE [options]\n"
    "\n"
    "Simulates SCENE: a built-in scene's name (see pliant scenes), a scene file (JSON), or a\n"
    "model (.pliant or a GLB with one), which is dropped on the ground or, where it is pinned,\n"
    "hangs above it or is rooted in it. The name - is standard input.\n"
    "\n"
    "  -o FILE           bake the run as a skinned, animated GLB; - is standard output, and the\n"
    "                    summary goes to standard error\n"
    "  --seconds S       how long, default the scene's own\n"
    "  --fps F           steps, and frames of the bake, a second; default 60\n"
    "  --substeps N      that fit into 1/60 s, instead of the scene's, 1 to 1000\n"
    "  --iterations N    instead of the scene's, 1 to 1000\n"
    "  --threads N       1 to 64, default 1; 0 is one for each processor\n"
    "  --instructions I  best (of this processor) or portable, default best; neither this nor the\n"
    "                    threads change the result\n"
    "  --no-planes       leave the planes out of the bake\n"
    "  --json            print one JSON object with counts, times, the hash and a profile:\n"
    "                    milliseconds a step in each of its parts, on average\n"
    "  --hash            print only the hash of the final state\n"
    "  --quiet           print nothing but errors\n"
    "  --help            this text\n";

typedef struct run_options {
    const char *scene, *output, *instructions;
    double seconds; // < 0: the scene's
    double fps;
    int threads;              // 0: one for each processor
    int substeps, iterations; // 0: the scene's
    bool json, hash, quiet, no_planes;
} run_options;

// What was measured.
typedef struct run_result {
    int steps, threads;
    const char *instruction_set;
    pliant_profile profile; // s, of all steps together
    double *step_times;     // s
    int bad_bodies;         // over all steps
    int64_t vertices;
    uint64_t hash;
    pliant_report report;
} run_result;

// ---------------------------------------------------------------------------------------------
// Reports

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Milliseconds that `part` of the steps did not exceed; the times are sorted.
static double milliseconds_at(const run_result *result, double part)
{
    if (result->steps == 0)
        return 0.0;
    int index = (int)(part * result->steps);
    return 1e3 * result->step_times[index < result->steps ? index : result->steps - 1];
}

static void write_report(json_writer *json, const pliant_report *report)
{
    pli_json_begin_object(json, "report");
    pli_json_write_int(json, "steps", (int64_t)report->steps);
    pli_json_write_float(json, "time", (float)report->time);
    pli_json_write_int(json, "bodies", report->bodies);
    pli_json_write_int(json, "particles", report->particles);
    pli_json_write_int(json, "edges", report->edges);
    pli_json_write_int(json, "groups", report->groups);
    pli_json_write_int(json, "contacts", report->contacts);
    pli_json_write_int(json, "pairs", report->pairs);
    pli_json_write_int(json, "dropped_contacts", report->dropped_contacts);
    pli_json_write_int(json, "dropped_pairs", report->dropped_pairs);
    pli_json_write_int(json, "dropped_events", report->dropped_events);
    pli_json_write_int(json, "rotation_rescues", report->rotation_rescues);
    pli_json_write_int(json, "saturated_groups", report->saturated_groups);
    pli_json_write_float(json, "unsaturated_length", report->unsaturated_length);
    pli_json_write_int(json, "bad_bodies", report->bad_bodies);
    pli_json_write_int(json, "frozen_bodies", report->frozen_bodies);
    pli_json_write_int(json, "limited_bodies", report->limited_bodies);
    pli_json_write_int(json, "sleeping_bodies", report->sleeping_bodies);
    pli_json_write_int(json, "bad_calls", (int64_t)report->bad_calls);
    pli_json_end_object(json);
}

static void write_profile(json_writer *json, const run_result *result)
{
    const pliant_profile *p = &result->profile;
    double scale = result->steps > 0 ? 1e3 / result->steps : 0.0;
    pli_json_begin_object(json, "profile");
    pli_json_write_float(json, "step", (float)(scale * p->step));
    pli_json_write_float(json, "predict", (float)(scale * p->predict));
    pli_json_write_float(json, "find", (float)(scale * p->find));
    pli_json_write_float(json, "begin", (float)(scale * p->begin));
    pli_json_write_float(json, "solve", (float)(scale * p->solve));
    pli_json_write_float(json, "pairs", (float)(scale * p->pairs));
    pli_json_write_float(json, "contacts", (float)(scale * p->contacts));
    pli_json_write_float(json, "finish", (float)(scale * p->finish));
    pli_json_end_object(json);
}

static bool print_json(const pliant_scene *scene, const run_result *result)
{
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, result->hash);
    json_writer json = {0};
    pli_json_begin_object(&json, NULL);
    pli_json_write_string(&json, "scene", scene->name);
    pli_json_write_int(&json, "bodies", result->report.bodies);
    pli_json_write_int(&json, "particles", result->report.particles);
    pli_json_write_int(&json, "edges", result->report.edges);
    pli_json_write_int(&json, "groups", result->report.groups);
    pli_json_write_int(&json, "vertices", result->vertices);
    pli_json_write_int(&json, "threads", result->threads);
    pli_json_write_string(&json, "instructions", result->instruction_set);
    pli_json_write_int(&json, "steps", result->steps);
    pli_json_begin_object(&json, "ms_per_step");
    pli_json_write_float(&json, "min", (float)milliseconds_at(result, 0.0));
    pli_json_write_float(&json, "median", (float)milliseconds_at(result, 0.5));
    pli_json_write_float(&json, "p99", (float)milliseconds_at(result, 0.99));
    pli_json_end_object(&json);
    write_profile(&json, result);
    pli_json_write_string(&json, "hash", hash);
    write_report(&json, &result->report);
    pli_json_end_object(&json);
    bool ok = !json.failed;
    if (ok)
        puts(json.data);
    pli_json_writer_release(&json);
    return ok;
}

static void print_summary(const run_options *options, const pliant_scene *scene,
                          const run_result *result)
{
    // Standard output may be taken by the bake.
    FILE *out = options->output && cli_is_dash(options->output) ? stderr : stdout;
    const pliant_report *report = &result->report;
    fprintf(out, "%s%s%s\n", scene->name, scene->title[0] ? ": " : "", scene->title);
    fprintf(out, "bodies %d, particles %d, edges %d, groups %d, vertices %" PRId64 "\n",
            report->bodies, report->particles, report->edges, report->groups, result->vertices);
    fprintf(out, "%d steps, %.4g s; ms per step: min %.3f, median %.3f, p99 %.3f\n", result->steps,
            report->time, milliseconds_at(result, 0.0), milliseconds_at(result, 0.5),
            milliseconds_at(result, 0.99));
    fprintf(out, "at the end: contacts %d, pairs %d, sleeping bodies %d\n", report->contacts,
            report->pairs, report->sleeping_bodies);
    if (report->saturated_groups > 0)
        fprintf(out, "%d groups are softer than their material; --substeps %d would hold them\n",
                report->saturated_groups, (int)(1.0f / (60.0f * report->unsaturated_length)) + 1);
    if (result->bad_bodies > 0)
        fprintf(out, "bodies frozen because of bad numbers: %d\n", result->bad_bodies);
    fprintf(out, "hash %016" PRIx64 "\n", result->hash);
    if (options->output)
        fprintf(out, "written to %s\n", cli_output_name(options->output));
}

// ---------------------------------------------------------------------------------------------
// The run

// The float before a positive one.
static float float_before(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits -= 1;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// A bake's times are floats: once these lie further apart than frames do, two frames have one time.
static bool times_are_distinct(int steps, double fps)
{
    float last = (float)(steps / fps);
    return steps < 2 || (double)last - (double)float_before(last) <= 1.0 / fps;
}

static int64_t count_vertices(const pliant_scene *scene)
{
    int64_t count = 0;
    for (int i = 0; i < scene->body_count; ++i)
        count += pliant_model_vertex_count(scene->models[scene->bodies[i].model]);
    return count;
}

static bool add_frame(pliant_bake *bake, int step, double fps)
{
    pliant_error error = {0};
    if (!bake || pliant_bake_add_frame(bake, (float)(step / fps), &error) == PLIANT_OK)
        return true;
    cli_fail_error("bake", &error);
    return false;
}

static void add_profile(pliant_profile *sum, pliant_profile p)
{
    sum->step += p.step;
    sum->predict += p.predict;
    sum->find += p.find;
    sum->begin += p.begin;
    sum->solve += p.solve;
    sum->pairs += p.pairs;
    sum->contacts += p.contacts;
    sum->finish += p.finish;
}

static bool simulate(const run_options *options, pliant_stage *stage, pliant_bake *bake,
                     run_result *result)
{
    float dt = (float)(1.0 / options->fps);
    bool shown = !options->quiet && !options->json && !options->hash;
    progress bar = progress_begin(result->steps, shown);
    bool ok = add_frame(bake, 0, options->fps);
    for (int i = 0; i < result->steps && ok; ++i) {
        double begin = progress_clock();
        pliant_stage_step(stage, dt);
        result->step_times[i] = progress_clock() - begin;
        result->bad_bodies += pliant_world_report(stage->world).bad_bodies;
        add_profile(&result->profile, pliant_world_profile(stage->world));
        progress_show(&bar, i + 1);
        ok = add_frame(bake, i + 1, options->fps);
    }
    progress_end(&bar);
    result->report = pliant_world_report(stage->world);
    result->hash = pliant_world_hash(stage->world);
    result->instruction_set = pliant_world_instruction_set(stage->world);
    result->vertices = count_vertices(stage->scene);
    qsort(result->step_times, (size_t)result->steps, sizeof(double), compare_doubles);
    return ok;
}

static bool write_bake(const pliant_bake *bake, const char *path)
{
    void *data = NULL;
    size_t size;
    pliant_error error = {0};
    pliant_result result = pliant_bake_write(bake, &data, &size, &error);
    if (result == PLIANT_OK)
        result = cli_write_output(path, data, size, &error);
    free(data);
    if (result != PLIANT_OK)
        cli_fail_error(cli_output_name(path), &error);
    return result == PLIANT_OK;
}

static int report_run(const run_options *options, const pliant_scene *scene,
                      const run_result *result)
{
    if (options->json && !print_json(scene, result))
        return cli_fail("out of memory");
    if (options->hash)
        printf("%016" PRIx64 "\n", result->hash);
    if (!options->json && !options->hash && !options->quiet)
        print_summary(options, scene, result);
    if (result->bad_bodies > 0) {
        fflush(stdout);
        return cli_fail("%s: %d %s frozen because of numbers that are not finite",
                        cli_input_name(options->scene), result->bad_bodies,
                        result->bad_bodies == 1 ? "body was" : "bodies were");
    }
    return cli_finish(EXIT_OK);
}

static int run_stage(const run_options *options, pliant_stage *stage, run_result *result)
{
    pliant_bake *bake = NULL;
    if (options->output) {
        pliant_error error = {0};
        pliant_bake_options bake_options = pliant_default_bake_options();
        bake_options.planes = !options->no_planes;
        bake = pliant_bake_create(stage, &bake_options, &error);
        if (!bake)
            return cli_fail_error(cli_input_name(options->scene), &error);
    }
    bool ok =
        simulate(options, stage, bake, result) && (!bake || write_bake(bake, options->output));
    pliant_bake_destroy(bake);
    return ok ? report_run(options, stage->scene, result) : EXIT_FAILED;
}

static double tell_time(void *unused)
{
    (void)unused;
    return progress_clock();
}

static pliant_world_def choose_world(const run_options *options, const pliant_scene *scene,
                                     pliant_pool *pool)
{
    pliant_world_def world = scene->world;
    if (options->substeps)
        world.substep_length = pliant_substep_length((float)options->substeps);
    world.iterations = options->iterations ? options->iterations : world.iterations;
    world.instructions = strcmp(options->instructions, "portable") == 0
                             ? PLIANT_INSTRUCTIONS_PORTABLE
                             : PLIANT_INSTRUCTIONS_BEST;
    if (pliant_pool_worker_count(pool) > 1) {
        world.parallel_for = pliant_pool_run;
        world.parallel_user_data = pool;
    }
    if (options->json)
        world.clock = tell_time;
    return world;
}

static int run_scene(const run_options *options, const pliant_scene *scene, pliant_pool *pool)
{
    pliant_world_def world = choose_world(options, scene, pool);
    double seconds = options->seconds < 0.0 ? (double)scene->seconds : options->seconds;
    run_result result = {.steps = (int)(seconds * options->fps + 0.5),
                         .threads = pliant_pool_worker_count(pool)};
    if (options->output && !times_are_distinct(result.steps, options->fps))
        return cli_fail("%s: %g seconds are too long to be baked at %g frames a second: the last "
                        "frames' times would coincide",
                        cli_input_name(options->scene), seconds, options->fps);
    result.step_times = malloc(((size_t)result.steps + 1) * sizeof(double));
    if (!result.step_times)
        return cli_fail("out of memory");

    pliant_stage stage;
    pliant_error error = {0};
    int code;
    if (pliant_stage_open(&stage, scene, &world, &error) == PLIANT_OK) {
        code = run_stage(options, &stage, &result);
        pliant_stage_close(&stage);
    } else {
        code = cli_fail_error(cli_input_name(options->scene), &error);
    }
    free(result.step_times);
    return code;
}

int run_command(int count, char **arguments)
{
    run_options o = {.seconds = -1.0, .fps = 60.0, .threads = 1, .instructions = "best"};
    const cli_option options[] = {
        {"-o", OPTION_TEXT, &o.output, 0, 0},
        {"--output", OPTION_TEXT, &o.output, 0, 0},
        {"--seconds", OPTION_NUMBER, &o.seconds, 0, 86400},
        {"--fps", OPTION_NUMBER, &o.fps, 1, 10000},
        {"--threads", OPTION_INT, &o.threads, 0, PLIANT_POOL_MOST_WORKERS},
        {"--instructions", OPTION_TEXT, &o.instructions, 0, 0},
        {"--substeps", OPTION_INT, &o.substeps, 1, 1000},
        {"--iterations", OPTION_INT, &o.iterations, 1, 1000},
        {"--json", OPTION_FLAG, &o.json, 0, 0},
        {"--hash", OPTION_FLAG, &o.hash, 0, 0},
        {"--quiet", OPTION_FLAG, &o.quiet, 0, 0},
        {"--no-planes", OPTION_FLAG, &o.no_planes, 0, 0},
    };
    int code;
    if (!cli_read_options("run", count, arguments, options, sizeof options / sizeof options[0],
                          help, &o.scene, &code))
        return code;
    if (!o.scene)
        return cli_fail_usage("run", "no scene");
    if (o.json && o.hash)
        return cli_fail_usage("run", "--json and --hash do not go together");
    if (o.output && cli_is_dash(o.output) && (o.json || o.hash))
        return cli_fail_usage("run", "-o - does not go together with %s",
                              o.json ? "--json" : "--hash");
    if (strcmp(o.instructions, "best") != 0 && strcmp(o.instructions, "portable") != 0)
        return cli_fail_usage("run", "--instructions: expected best or portable, found '%s'",
                              o.instructions);
    if (o.output && !cli_output_is_writable(o.output))
        return EXIT_FAILED;
    pliant_scene *scene = cli_load_scene(o.scene);
    if (!scene)
        return EXIT_FAILED;
    pliant_error error = {0};
    pliant_pool *pool = pliant_pool_create(o.threads, NULL, &error);
    code = pool ? run_scene(&o, scene, pool) : cli_fail_error("threads", &error);
    pliant_pool_destroy(pool);
    pliant_scene_destroy(scene);
    return code;
}
