// The WebAssembly module's interface: built-in scenes and those for checks by index, run to their hash.

#include <scenes.h>

#define EXPORT(name) __attribute__((export_name(name)))

static pliant_error last_error;

EXPORT("scene_count") int web_scene_count(void)
{
    return scene_entry_checked_count();
}

// A zero-terminated string in the module's memory.
EXPORT("scene_name") const char *web_scene_name(int index)
{
    return scene_entry_at(index)->name;
}

// What went wrong in the last run, one line; empty when nothing did.
EXPORT("error_message") const char *web_error_message(void)
{
    return last_error.message;
}

// Opens a scene, steps it and returns the world's hash. When the scene does not open the hash is 0
// and error_message says why.
EXPORT("run") uint64_t web_run(int index, int steps, float dt)
{
    last_error = (pliant_error){0};
    pliant_scene *scene = scene_entry_at(index)->create(&last_error);
    if (!scene)
        return 0;
    uint64_t hash = 0;
    // There are no threads here, but what is written for them works.
    pliant_pool *pool = pliant_pool_create(0, NULL, &last_error);
    pliant_world_def world = scene->world;
    world.parallel_for = pliant_pool_run;
    world.parallel_user_data = pool;
    pliant_stage stage;
    if (pool && pliant_stage_open(&stage, scene, &world, &last_error) == PLIANT_OK) {
        for (int i = 0; i < steps; ++i)
            pliant_stage_step(&stage, dt);
        hash = pliant_world_hash(stage.world);
        pliant_stage_close(&stage);
    }
    pliant_pool_destroy(pool);
    pliant_scene_destroy(scene);
    return hash;
}
