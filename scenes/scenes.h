// Every built-in scene, by name: used by the command line, tests, benchmarks and the WASM build.

#ifndef PLIANT_SCENES_H
#define PLIANT_SCENES_H

#include <pliant/author.h>

typedef struct scene_entry {
    const char *name;
    const char *title; // one line that says what there is to see
    // Returns NULL and fills `error` on failure.
    pliant_scene *(*create)(pliant_error *error);
} scene_entry;

int scene_entry_count(void);
// With those after them that are for checks alone: they show little, but have what no other scene has.
int scene_entry_checked_count(void);
const scene_entry *scene_entry_at(int index);
// NULL when there is no scene of that name.
const scene_entry *scene_entry_find(const char *name);

#endif
