// Bodies that are deep in each other. See entangled.c.

#ifndef PLIANT_WORLD_ENTANGLED_H
#define PLIANT_WORLD_ENTANGLED_H

#include <pliant/world.h>

#include "math/vec3.h"

typedef struct substep substep;

// Two bodies whose particles overlap, or one that does so with itself: see entangled.c.
typedef struct overlapping_bodies {
    uint64_t key;    // 1 + slot of the first, then that of the second; 0: none
    float depth;     // m, sum of the overlaps, those that have a normal
    float all_depth; // m, of all of them
    vec3 push;       // m, sum of the overlaps along their normals, from the first to the second
    float
        speed; // m²/s, sum of the overlaps times the speeds of the two particles against each other
    float approach; // m²/s, likewise of what of these is along their normals, towards each other
    int deep_count; // of those that are deep
    bool was_entangled, is_entangled;
    bool is_let_go; // entangled, and their normals cancel out
} overlapping_bodies;

typedef struct entanglement {
    overlapping_bodies *table; // by key, of this substep
    int32_t *used;             // places of the table
    uint64_t *keys;            // of those that are entangled
    int room, most;            // in all of them: powers of two, up to the second
    int used_count, count;     // … of keys
} entanglement;

// Bodies that are deep in each other. They are told, and let go, before pairs are solved; and moved apart at the end.
bool pli_reserve_entangled(pliant_world *world, int bodies);
bool pli_reserve_entangled_keys(pliant_world *world, int keys);
void pli_free_entangled(pliant_world *world);
void pli_find_entangled(const substep *s);
void pli_part_entangled(const substep *s);
void pli_forget_entangled(pliant_world *world, int slot);
// Whether a key names bodies that are there.
bool pli_entangled_are_known(const pliant_world *world, uint64_t key);

#endif
