// Reads any bytes as a scene; what opens is stepped twice.

#include <pliant/author.h>

#include "limited_memory.h"

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    limited_memory_begin((size_t)16 << 20);
    // Models in files are looked for where there are none: an input stands for itself.
    pliant_scene *scene = pliant_scene_read((const char *)data, size, "/nonexistent", NULL);
    if (scene) {
        pliant_world_def world_def = scene->world;
        world_def.substeps = at_most(world_def.substeps, MAX_SUBSTEPS);
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
