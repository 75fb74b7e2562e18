// The table of scenes.

#include "scenes.h"

#include <stdio.h>
#include <string.h>

// name, what there is to see
#define SCENES(X)                                                                                  \
    X(rope, "a rope swings while its upper end is twisted there and back")                         \
    X(curtain, "a curtain is drawn together into folds, then a gust blows through it")             \
    X(jelly, "a soft block falls on its edge, wobbles and comes back to its shape")                \
    X(cart, "a cart on two free axles rolls down a slope and out onto the flat")                   \
    X(spinner, "one flat particle thrown about its middle axis keeps turning over")                \
    X(chain, "a heavy ball swings on a rope")                                                      \
    X(pile, "a hundred bricks of thirty particles each fall into a box and pile up")               \
    X(marbles, "round and oblong marbles roll together in a bowl")                                 \
    X(conveyor, "rollers and a belt bring soft things to a paddle that sweeps them down a chute")  \
    X(truck, "a monster truck rolls down a slope and over logs on its soft tyres")                 \
    X(crash, "two monster trucks run into each other, are dented and roll on")                     \
    X(bullet, "balls at 60 m/s hit a thin panel, which gives way and throws them back")            \
    X(octopus, "an octopus falls and drapes itself over steps and rocks")                          \
    X(octopuses, "three octopuses fall onto each other and tumble over one another")               \
    X(robe, "a hooded robe of thick cloth swings and folds around a figure that turns")            \
    X(reef, "a lion fish swims among water plants that sway")                                      \
    X(ropes, "a rope of oriented particles beside one of six times as many without orientation")   \
    X(army, "a hundred octopuses fall into an arena and come to a heap")

// Those for checks alone
#define CHECKED_SCENES(X)                                                                          \
    X(beam, "a beam so long that it is solved in blocks falls on the ground")                      \
    X(dice, "rigid dice bounce between walls, and a rope stays twisted")                           \
    X(matter, "elastic blocks, a sheet and a rod fall on each other beside a bar that creeps")

#define DECLARE(name, title) pliant_scene *scene_##name(pliant_error *error);
SCENES(DECLARE)
CHECKED_SCENES(DECLARE)
#undef DECLARE

// Scenes tell failure by the error, which a caller may leave as it came.
static pliant_error *cleared(pliant_error *error)
{
    if (error)
        *error = (pliant_error){0};
    return error;
}

static pliant_scene *titled(pliant_scene *scene, const char *name, const char *title)
{
    if (scene) {
        snprintf(scene->name, sizeof scene->name, "%s", name);
        snprintf(scene->title, sizeof scene->title, "%s", title);
    }
    return scene;
}

#define DEFINE(name, title)                                                                        \
    static pliant_scene *create_##name(pliant_error *error)                                        \
    {                                                                                              \
        return titled(scene_##name(cleared(error)), #name, title);                                 \
    }
SCENES(DEFINE)
CHECKED_SCENES(DEFINE)
#undef DEFINE

static const scene_entry entries[] = {
#define ENTRY(name, title) {#name, title, create_##name},
    SCENES(ENTRY) CHECKED_SCENES(ENTRY)
#undef ENTRY
};

#define ONE(name, title) +1
int scene_entry_count(void)
{
    return 0 SCENES(ONE);
}
#undef ONE

int scene_entry_checked_count(void)
{
    return (int)(sizeof entries / sizeof entries[0]);
}

const scene_entry *scene_entry_at(int index)
{
    return &entries[index];
}

const scene_entry *scene_entry_find(const char *name)
{
    for (int i = 0; i < scene_entry_count(); ++i)
        if (strcmp(entries[i].name, name) == 0)
            return &entries[i];
    return NULL;
}
