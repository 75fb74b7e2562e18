// Bodies that push each other or are attached.

#include "islands.h"

int32_t pli_island_of(const pliant_world *world, int32_t slot)
{
    while (world->bodies[slot].parent != slot) {
        world->bodies[slot].parent = world->bodies[world->bodies[slot].parent].parent;
        slot = world->bodies[slot].parent;
    }
    return slot;
}

void pli_join_islands(pliant_world *world, int32_t a, int32_t b)
{
    a = pli_island_of(world, a);
    b = pli_island_of(world, b);
    // The smaller slot is the root, in whatever order the pairs come.
    if (a < b)
        world->bodies[b].parent = a;
    else
        world->bodies[a].parent = b;
}

void pli_begin_islands(pliant_world *world)
{
    for (int k = 0; k < world->active_count; ++k)
        world->bodies[world->active[k]].parent = world->active[k];
}

void pli_find_islands(pliant_world *world)
{
    pli_begin_islands(world);
    for (int k = 0; k < world->touches.now_count; ++k) {
        const touching *t = &world->touches.now[k];
        if (!touches_collider(t))
            pli_join_islands(world, (int32_t)(t->key >> 32), (int32_t)(uint32_t)t->key);
    }
    for (int k = 0; k < world->attachment_slot_count; ++k) {
        const attachment *a = &world->attachments[k];
        if (a->is_alive && a->def.other_body.generation != 0)
            pli_join_islands(world, (int32_t)a->def.body.index, (int32_t)a->def.other_body.index);
    }
}
