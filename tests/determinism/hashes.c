// Prints "NAME STEPS HASH" for every built-in scene, after 120 steps or as many as the argument says. Two builds of
// Pliant that print different lines are not deterministic with respect to each other.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <scenes.h>

int main(int count, char **arguments)
{
    int steps = count > 1 ? atoi(arguments[1]) : 120;
    for (int i = 0; i < scene_entry_count(); ++i) {
        const scene_entry *entry = scene_entry_at(i);
        pliant_error error;
        pliant_scene *scene = entry->create(&error);
        pliant_stage stage;
        if (!scene || pliant_stage_open(&stage, scene, NULL, &error) != PLIANT_OK) {
            fprintf(stderr, "%s: %s: %s\n", entry->name, error.place, error.message);
            return 1;
        }
        for (int step = 0; step < steps; ++step)
            pliant_stage_step(&stage, 1.0f / 60.0f);
        printf("%s %d %016" PRIx64 "\n", entry->name, steps, pliant_world_hash(stage.world));
        pliant_stage_close(&stage);
        pliant_scene_destroy(scene);
    }
    return 0;
}
