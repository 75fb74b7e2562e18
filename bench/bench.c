// How long a step takes: every built-in scene, and blocks of rising size.
//
//     pliant-bench [FILE.csv]      the table goes to standard output, the same numbers to the file
//
// The unit that compares scenes is nanoseconds per particle and solver iteration.

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <scenes.h>

#define DT            (1.0f / 60.0f)
#define WARM_STEPS    10
#define FEWEST_STEPS  20
#define MOST_STEPS    240
#define ENOUGH_MILLIS 2000.0

static double now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(const char *name, const pliant_scene *scene, FILE *csv)
{
    pliant_stage stage;
    pliant_error error;
    pliant_world_def world_def = scene->world;
    world_def.sleep_speed = 0.0f; // sleepers cost nothing
    if (pliant_stage_open(&stage, scene, &world_def, &error) != PLIANT_OK) {
        fprintf(stderr, "%s: %s: %s\n", name, error.place, error.message);
        exit(1);
    }
    for (int i = 0; i < WARM_STEPS; ++i)
        pliant_stage_step(&stage, DT);
    double samples[MOST_STEPS];
    int count = 0;
    double spent = 0.0;
    while (count < FEWEST_STEPS || (count < MOST_STEPS && spent < ENOUGH_MILLIS)) {
        double begin = now_ms();
        pliant_stage_step(&stage, DT);
        samples[count] = now_ms() - begin;
        spent += samples[count++];
    }
    qsort(samples, (size_t)count, sizeof(samples[0]), compare_doubles);

    pliant_report report = pliant_world_report(stage.world);
    double minimum = samples[0], median = samples[count / 2];
    double passes = (double)scene->world.substeps * (double)scene->world.iterations;
    double nanoseconds = median * 1e6 / (passes * (double)report.particles);
    printf("%-16s %9d %9d %10.4f %10.4f %12.1f\n", name, report.particles, report.groups, minimum,
           median, nanoseconds);
    fflush(stdout);
    if (csv)
        fprintf(csv, "%s,%d,%d,%.6f,%.6f,%.3f\n", name, report.particles, report.groups, minimum,
                median, nanoseconds);
    pliant_stage_close(&stage);
}

// A soft cube of n³ particles dropped from just above the ground.
static pliant_scene *create_block(int n, pliant_error *error)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_scene *scene = pliant_scene_create();
    if (!builder || !scene) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    pliant_block_def block = pliant_default_block_def();
    for (int axis = 0; axis < 3; ++axis)
        block.counts[axis] = n;
    block.skin_refinement = 1;
    pliant_builder_add_block(builder, &block);
    pliant_model *model = pliant_builder_build(builder, error);
    pliant_builder_destroy(builder);
    if (!model) {
        pliant_scene_destroy(scene);
        return NULL;
    }
    pliant_scene_body body = pliant_default_scene_body();
    body.model = pliant_scene_add_model(scene, model);
    body.def.position.y = block.size.y * 0.5f + 0.05f;
    pliant_plane_def ground = pliant_default_plane_def();
    ground.normal = (pliant_vec3){0.0f, 1.0f, 0.0f};
    if (body.model < 0 || pliant_scene_add_body(scene, &body) < 0 ||
        pliant_scene_add_plane(scene, &ground) < 0) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    return scene;
}

static void require(const pliant_scene *scene, const char *name, const pliant_error *error)
{
    if (!scene) {
        fprintf(stderr, "%s: %s: %s\n", name, error->place, error->message);
        exit(1);
    }
}

int main(int argument_count, char **arguments)
{
    FILE *csv = NULL;
    if (argument_count > 1 && !(csv = fopen(arguments[1], "w"))) {
        perror(arguments[1]);
        return 1;
    }
    printf("%-16s %9s %9s %10s %10s %12s\n", "scene", "particles", "groups", "min ms", "median ms",
           "ns/part/iter");
    if (csv)
        fputs("scene,particles,groups,min_ms,median_ms,ns_per_particle_iteration\n", csv);

    pliant_error error;
    for (int i = 0; i < scene_entry_count(); ++i) {
        const scene_entry *entry = scene_entry_at(i);
        pliant_scene *scene = entry->create(&error);
        require(scene, entry->name, &error);
        measure(entry->name, scene, csv);
        pliant_scene_destroy(scene);
    }
    static const int sizes[] = {4, 8, 12, 16, 24};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); ++i) {
        char name[32];
        snprintf(name, sizeof(name), "block %d^3", sizes[i]);
        pliant_scene *scene = create_block(sizes[i], &error);
        require(scene, name, &error);
        measure(name, scene, csv);
        pliant_scene_destroy(scene);
    }
    if (csv && fclose(csv) != 0) {
        perror(arguments[1]);
        return 1;
    }
    return 0;
}
