// Reads any bytes as a scene; what opens is written and stepped twice.

#include <pliant/author.h>

#include "limited_memory.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_PARTICLES 2000
#define MAX_SUBSTEPS  2

static int count_particles(const pliant_scene *scene)
{
    int count = 0;
    for (int i = 0; i < scene->body_count && count <= MAX_PARTICLES; ++i)
        count += pliant_model_particle_count(scene->models[scene->bodies[i].model]);
    return count;
}

static int at_most(int value, int limit)
{
    return value < limit ? value : limit;
}

// What was read can be written.
static void write_again(const pliant_scene *scene)
{
    const char **files = malloc((size_t)scene->model_count * sizeof *files + 1);
    if (!files)
        return;
    for (int i = 0; i < scene->model_count; ++i)
        files[i] = "model.pliant";
    char *text = NULL;
    size_t size;
    pliant_result result = pliant_scene_write(scene, files, &text, &size, NULL);
    if (result != PLIANT_OK && result != PLIANT_ERROR_MEMORY)
        abort();
    free(text);
    free(files);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    limited_memory_begin((size_t)16 << 20);
    // Models in files are looked for where there are none: an input stands for itself.
    pliant_scene *scene = pliant_scene_read((const char *)data, size, "/nonexistent", NULL);
    if (scene) {
        write_again(scene);
        pliant_world_def world_def = scene->world;
        if (world_def.substep_length < pliant_substep_length(MAX_SUBSTEPS))
            world_def.substep_length = pliant_substep_length(MAX_SUBSTEPS);
        world_def.iterations = at_most(world_def.iterations, MAX_SUBSTEPS);
        pliant_stage stage;
        if (count_particles(scene) <= MAX_PARTICLES &&
            pliant_stage_open(&stage, scene, &world_def, NULL) == PLIANT_OK) {
            pliant_stage_step(&stage, 1.0f / 60.0f);
            pliant_stage_step(&stage, 0.5f);
            pliant_stage_close(&stage);
        }
        pliant_scene_destroy(scene);
    }
    limited_memory_end();
    return 0;
}
