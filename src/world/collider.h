// A collider in a world, and which of them are near something.

#ifndef PLIANT_WORLD_COLLIDER_H
#define PLIANT_WORLD_COLLIDER_H

#include <pliant/world.h>

#include "body.h"

#include "math/box.h"
#include "math/quat.h"

typedef struct substep substep;

typedef struct collider {
    const pliant_shape *shape;
    pliant_pose pose; // at the start of the substep
    pliant_pose next; // where it is when its time has passed
    pliant_pose end;  // where it would be at the end of the length for which it is solved
    vec3 linear_velocity, angular_velocity;
    pliant_pose target; // where it goes in the next step
    bool has_target;
    float friction, restitution;
    uint32_t layers, mask;
    void *user_data;
    uint32_t generation;
    bool is_alive;
    bool is_settled; // nothing of it has changed since the last step, and nothing will by itself
    int32_t leaf;    // of the tree of colliders, unless its bounds are everywhere
    box bounds;      // in this substep
} collider;

collider *pli_world_collider(const pliant_world *world, pliant_collider_id id);
bool pli_reserve_colliders(pliant_world *world, int slots);
// Puts a collider, or a free slot, in place of what is in a slot.
void pli_replace_collider(pliant_world *world, int slot, const collider *with);
// Colliders, all together: to where they are at the end of the substep; after the last one.
void pli_advance_colliders(const substep *s);
void pli_settle_colliders(pliant_world *world);
bool pli_collider_moves(const collider *c);
// At the beginning of a step: which of them are not settled.
void pli_list_movers(pliant_world *world);
// After a collider was placed otherwise.
void pli_place_collider(pliant_world *world, int slot);

// Slots of colliders that may be near something, rising: those whose boxes overlap with its own. When they are too many, all
// there are.
enum { MOST_NEAR_COLLIDERS = 64 };

typedef struct near_colliders {
    int count;
    bool is_all;
    int32_t slots[MOST_NEAR_COLLIDERS];
} near_colliders;

void pli_find_near_colliders(const pliant_world *world, const box *bounds, near_colliders *near);

static inline int near_collider(const near_colliders *near, int k)
{
    return near->is_all ? k : near->slots[k];
}

// By their layers and masks.
bool pli_collider_meets(const collider *solid, const body *b);

#endif
