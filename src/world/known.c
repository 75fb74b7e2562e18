// Models and shapes that a world knows: those that it has ever been given, until it is told to forget the unused ones.
//
// A snapshot lies in a caller's buffer and holds no references; it names what its bodies and colliders are made of by what
// that consists of. So a body that was removed comes back with its model even if nobody else has that any more, and a saved
// game finds its models in another process. Each body and collider has a reference of its own beside these.

#include "calls.h"

#include "form/shape.h"

#include <string.h>

// Where an identity is in a list, or would be.
static int find_place(const known_list *list, uint64_t identity)
{
    int low = 0, high = list->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (list->at[middle].identity < identity)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static known_asset *find_asset(const known_list *list, uint64_t identity)
{
    int place = find_place(list, identity);
    return place < list->count && list->at[place].identity == identity ? &list->at[place] : NULL;
}

static bool insert(pliant_world *world, known_list *list, uint64_t identity, const void *asset)
{
    if (!pli_memory_grow(&world->allocator, (void **)&list->at, sizeof *list->at, list->count,
                         &list->capacity, list->count + 1))
        return false;
    int place = find_place(list, identity);
    memmove(list->at + place + 1, list->at + place,
            (size_t)(list->count - place) * sizeof *list->at);
    list->at[place] = (known_asset){.identity = identity, .asset = asset};
    list->count += 1;
    return true;
}

bool pli_know_model(pliant_world *world, const pliant_model *model)
{
    if (find_asset(&world->known_models, model->identity))
        return true;
    if (!insert(world, &world->known_models, model->identity, model))
        return false;
    pli_model_retain(model);
    return true;
}

bool pli_know_shape(pliant_world *world, const pliant_shape *shape)
{
    uint64_t identity = pli_shape_fingerprint(shape);
    if (shape == &pli_plane_shape || find_asset(&world->known_shapes, identity))
        return true;
    if (!insert(world, &world->known_shapes, identity, shape))
        return false;
    pli_shape_retain(shape);
    return true;
}

const pliant_model *pli_known_model(const pliant_world *world, uint64_t identity,
                                    uint64_t fingerprint)
{
    const known_list *list = &world->known_models;
    const known_asset *same = find_asset(list, identity);
    for (int k = 0; !same && k < list->count; ++k)
        if (((const pliant_model *)list->at[k].asset)->fingerprint == fingerprint)
            same = &list->at[k];
    return same ? same->asset : NULL;
}

const pliant_shape *pli_known_shape(const pliant_world *world, uint64_t fingerprint)
{
    const known_asset *same = find_asset(&world->known_shapes, fingerprint);
    if (same)
        return same->asset;
    // Planes need no shape of a caller's.
    return fingerprint == pli_shape_fingerprint(&pli_plane_shape) ? &pli_plane_shape : NULL;
}

static void release_model(const void *model)
{
    pli_model_release(model);
}

static void release_shape(const void *shape)
{
    pli_shape_release(shape);
}

// Releases what is not marked as used, and takes the marks away.
static void keep_used(known_list *list, void (*release)(const void *asset))
{
    int kept = 0;
    for (int k = 0; k < list->count; ++k) {
        known_asset *known = &list->at[k];
        if (!known->is_used)
            release(known->asset);
        else
            list->at[kept++] = (known_asset){.identity = known->identity, .asset = known->asset};
    }
    list->count = kept;
}

void pli_free_known(pliant_world *world)
{
    keep_used(&world->known_models, release_model);
    keep_used(&world->known_shapes, release_shape);
    pli_memory_free(&world->allocator, world->known_models.at);
    pli_memory_free(&world->allocator, world->known_shapes.at);
}

// ---------------------------------------------------------------------------------------------
// For callers

pliant_result pliant_world_know_model(pliant_world *world, const pliant_model *model,
                                      pliant_error *error)
{
    pliant_result result = pli_check_given(world, model, "model", error, __func__);
    if (result)
        return result;
    return pli_know_model(world, model) ? PLIANT_OK : pli_error_memory(error);
}

pliant_result pliant_world_know_shape(pliant_world *world, const pliant_shape *shape,
                                      pliant_error *error)
{
    pliant_result result = pli_check_given(world, shape, "shape", error, __func__);
    if (result)
        return result;
    return pli_know_shape(world, shape) ? PLIANT_OK : pli_error_memory(error);
}

static void mark_used(const known_list *list, uint64_t identity)
{
    known_asset *known = find_asset(list, identity);
    if (known)
        known->is_used = true;
}

void pliant_world_forget_unused(pliant_world *world)
{
    if (!checked_world(world, __func__))
        return;
    for (int k = 0; k < world->active_count; ++k)
        mark_used(&world->known_models, world->bodies[world->active[k]].model->identity);
    for (int i = 0; i < world->collider_slot_count; ++i)
        if (world->colliders[i].is_alive)
            mark_used(&world->known_shapes, pli_shape_fingerprint(world->colliders[i].shape));
    keep_used(&world->known_models, release_model);
    keep_used(&world->known_shapes, release_shape);
}
