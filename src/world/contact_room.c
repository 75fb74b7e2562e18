// Room for contacts with colliders: what bodies need of it, not what they might.
//
// Contacts of a body are a range of the world's. Bodies look for them side by side, where no memory can be taken: one whose
// range is too short says how many it wants. When all have looked, those get longer ranges behind all others or, where
// that is too short itself, in new arrays; and look again. So the same contacts are found as with room for all.

#include "contacts.h"
#include "substep.h"

#include <string.h>

int pli_most_contacts(const pliant_model *model)
{
    return model->source.particle_count * CONTACTS_PER_PARTICLE + CONTACTS_PER_BODY;
}

// The last batch of each colour in each block may not be full. Only points are solved in batches.
static int batches_for(const pliant_model *model, int contacts)
{
    if (model->rigid_answer_count == model->source.particle_count)
        return 0;
    int lists = contacts / CONTACT_COLOURS < model->blocks.count
                    ? contacts
                    : model->blocks.count * CONTACT_COLOURS;
    return contacts / LANES + lists;
}

// With some more, so that the next ones need none.
static int longer_room(const body *b)
{
    int most = pli_most_contacts(b->model), extra = b->contacts_wanted / 4 + 2;
    return b->contacts_wanted < most - extra ? b->contacts_wanted + extra : most;
}

static void take_range(pliant_world *world, body *b, int room)
{
    int batches = batches_for(b->model, room);
    b->contact_first = world->contact_end;
    b->contact_batch_first = world->contact_batch_end;
    b->contact_room = room;
    world->contact_end += room;
    world->contact_batch_end += batches;
}

static bool fits_behind_others(const pliant_world *world, const body *b, int room)
{
    return world->contacts && room <= world->contact_capacity - world->contact_end &&
           batches_for(b->model, room) <= world->contact_batch_capacity - world->contact_batch_end;
}

// ---------------------------------------------------------------------------------------------
// New arrays

typedef struct contact_arrays {
    contact *contacts;
    int32_t *list;
    contact_batch *batches;
} contact_arrays;

static contact_arrays arrays_of(const pliant_world *world)
{
    return (contact_arrays){world->contacts, world->contact_list, world->contact_batches};
}

static void free_arrays(const pliant_world *world, const contact_arrays *arrays)
{
    pli_memory_free(&world->allocator, arrays->contacts);
    pli_memory_free(&world->allocator, arrays->list);
    pli_memory_free(&world->allocator, arrays->batches);
}

void pli_free_contacts(pliant_world *world)
{
    contact_arrays arrays = arrays_of(world);
    free_arrays(world, &arrays);
}

static int room_of(const body *b)
{
    return b->looks_again && b->contacts_wanted > b->contact_room ? longer_room(b)
                                                                  : b->contact_room;
}

// What the ranges of all bodies hold, and a quarter more. False when that is too much.
static bool plan_arrays(const pliant_world *world, int *contacts, int *batches)
{
    int64_t contact_sum = 0, batch_sum = 0;
    for (int k = 0; k < world->active_count; ++k) {
        const body *b = &world->bodies[world->active[k]];
        contact_sum += room_of(b);
        batch_sum += batches_for(b->model, room_of(b));
    }
    contact_sum += contact_sum / 4;
    batch_sum += batch_sum / 4;
    *contacts = (int)contact_sum;
    *batches = (int)batch_sum;
    return contact_sum <= INT32_MAX && batch_sum <= INT32_MAX;
}

// What a body has found and put into batches stays; it is none of those that look again.
static void move_contacts(const pliant_world *world, const body *b, const contact_arrays *from,
                          int first, int batch_first)
{
    if (b->contact_count == 0)
        return;
    memcpy(world->contacts + b->contact_first, from->contacts + first,
           (size_t)b->contact_count * sizeof *from->contacts);
    memcpy(world->contact_list + b->contact_first, from->list + first,
           (size_t)b->contact_count * sizeof *from->list);
    memcpy(world->contact_batches + b->contact_batch_first, from->batches + batch_first,
           (size_t)b->contact_batch_count * sizeof *from->batches);
}

static bool lay_out_anew(pliant_world *world)
{
    const pliant_allocator *allocator = &world->allocator;
    int count, batch_count;
    if (!plan_arrays(world, &count, &batch_count))
        return false;
    contact_arrays before = arrays_of(world), now;
    now.contacts = pli_memory_new(allocator, (size_t)count, sizeof *now.contacts);
    now.list = pli_memory_new(allocator, (size_t)count, sizeof *now.list);
    now.batches = pli_memory_new(allocator, (size_t)batch_count, sizeof *now.batches);
    if (!now.contacts || !now.list || !now.batches) {
        free_arrays(world, &now);
        return false;
    }
    world->contacts = now.contacts;
    world->contact_list = now.list;
    world->contact_batches = now.batches;
    world->contact_capacity = count;
    world->contact_batch_capacity = batch_count;
    world->contact_end = world->contact_batch_end = 0;
    for (int k = 0; k < world->active_count; ++k) {
        body *b = &world->bodies[world->active[k]];
        int first = b->contact_first, batch_first = b->contact_batch_first;
        take_range(world, b, room_of(b));
        if (!b->looks_again)
            move_contacts(world, b, &before, first, batch_first);
    }
    free_arrays(world, &before);
    return true;
}

// ---------------------------------------------------------------------------------------------

// A longer range for a body, and for all others that lack one where there have to be new arrays.
static bool make_room(pliant_world *world, body *b)
{
    int room = longer_room(b);
    if (!fits_behind_others(world, b, room))
        return lay_out_anew(world);
    take_range(world, b, room);
    return true;
}

// Without memory a body keeps as many contacts as its range holds.
static void drop_contacts(const substep *s, body *b)
{
    b->dropped_contacts += b->contacts_found - b->contact_count;
    if (b->contact_count > 0)
        pli_begin_contacts(s, b);
}

void pli_make_contact_room(const substep *s, void (*look_again)(const substep *s, body *b))
{
    pliant_world *world = s->world;
    for (int k = 0; k < world->active_count; ++k) {
        body *b = &world->bodies[world->active[k]];
        if (!b->looks_again)
            continue;
        bool has_room = b->contacts_wanted <= b->contact_room || make_room(world, b);
        b->looks_again = false;
        if (has_room)
            look_again(s, b);
        else
            drop_contacts(s, b);
    }
}
