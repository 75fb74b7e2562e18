// How bodies leave what they have hit: restitution of bodies. See landing.c.

#ifndef PLIANT_WORLD_LANDING_H
#define PLIANT_WORLD_LANDING_H

#include <pliant/world.h>

#include "math/vec3.h"

typedef struct body body;
typedef struct substep substep;

// How a body is to leave a collider that it has hit.
typedef struct landing {
    vec3 normal;      // unit, out of the collider
    float approach;   // m/s at which it came; 0: it has hit none
    float speed;      // m/s at which it shall leave, at least
    float energy;     // J of its motion as it came: it leaves with no more
    float last;       // m/s, along the normal, at the end of the last substep
    float left;       // s until it is no landing any more
    int32_t is_rigid; // 1 where it hit with what is rigid: then it leaves no faster either
} landing;

// The same of two bodies, seen from the first; the normal leads from it to the second.
typedef struct pair_landing {
    int32_t first, second; // slots
    landing landing;
} pair_landing;

typedef struct landing_list {
    pair_landing *at;
    int room, count;
} landing_list;

// When velocities are known and part of a partial substep is taken, and what is deep in a collider was pushed out: the
// restitution of bodies, …
void pli_land(const substep *s, body *b);
// … of two that have hit each other, all together.
void pli_land_pairs(const substep *s);
bool pli_reserve_landings(pliant_world *world, int bodies);
bool pli_has_bounces(const pliant_world *world);
bool pli_hits_hard(const pliant_world *world, const body *b);
void pli_note_coming(const pliant_world *world, body *b);
void pli_forget_landings(pliant_world *world, int slot);
// A caller has changed the energy of a body that may be landing: it leaves with as much more, or less.
void pli_change_landings(pliant_world *world, int slot, float energy);

#endif
