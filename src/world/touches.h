// Who touches whom, for events and callers. See touches.c.

#ifndef PLIANT_WORLD_TOUCHES_H
#define PLIANT_WORLD_TOUCHES_H

#include <pliant/world.h>

#include "math/vec3.h"

typedef struct substep substep;

// Two bodies, or a body and a collider, that push each other in a step. Many are looked up: where they touch is kept
// elsewhere.
typedef struct touching {
    uint64_t
        key;     // slot of the first body, then that of the other or of the collider, see touches.c
    float speed; // m/s, the fastest approach
    int32_t push; // number of the pair that had it in this substep, -1: none
} touching;

// Of a key: the second is a collider.
#define COLLIDER_BIT ((uint64_t)1 << 31)

static inline bool touches_collider(const touching *t)
{
    return t->key & COLLIDER_BIT;
}

// By which the entries are sorted.
typedef struct touch_order {
    uint64_t key;
    int32_t entry;
} touch_order;

typedef struct touch_list {
    touching *now;
    pliant_contact *contacts; // of those: where they approach each other fastest
    uint64_t *before;         // keys of the step before, rising
    uint64_t *merged;         // the same while it is made
    touch_order *order;
    int32_t *table; // 2 · room: finds entries of `now` by key
    pliant_event *events;
    // Room follows what touches: entries of `now` up to the most, keys of the step before, events
    int room, most, key_room, event_room;
    int now_count, before_count, event_count, dropped;
    int next_batch, next_single; // pairs that are still to be noted in this substep
    bool is_full;                // there is no more room to be had in this step
} touch_list;

bool pli_reserve_touches(pliant_world *world, int bodies);
// Room for keys of the step before. False when memory runs out.
bool pli_reserve_touch_keys(pliant_world *world, int keys);
void pli_free_touches(touch_list *list, const pliant_allocator *allocator);
void pli_begin_touches(pliant_world *world);
// Which pairs push whom, when all are solved: in a task, as far as there is room, and the rest when there may be more. Then,
// when particles are where they come to, who touches whom.
void pli_note_pairs(const substep *s);
void pli_note_pairs_left(const substep *s);
void pli_note_touches(const substep *s);
void pli_note_event(pliant_world *world, const pliant_event *event);
void pli_end_touches(pliant_world *world);
void pli_forget_body_touches(pliant_world *world, int slot);
// Whether there are bodies in both slots; whether a key of the step before names two that are there.
bool pli_are_bodies(const pliant_world *world, int64_t first, int64_t second);
bool pli_touch_is_known(const pliant_world *world, uint64_t key);
void pli_forget_collider_touches(pliant_world *world, int slot);

#endif
