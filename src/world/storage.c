// Storage of a world: what is done to all of its arrays alike.

#include "world.h"

#include <stddef.h>
#include <string.h>

typedef struct stored_array {
    size_t offset; // of the pointer to it, in the world
    size_t size;   // of an element, in bytes
    int lifetime;
} stored_array;

typedef struct stored_kind {
    const stored_array *arrays;
    int array_count;
    int (*count_in)(const pliant_model *model);
} stored_kind;

#define ARRAY(type, name, lifetime) {offsetof(pliant_world, name), sizeof(type), lifetime},
#define DEFINE_KIND(kind, list, count)                                                             \
    static const stored_array kind##_arrays[] = {list(ARRAY)};                                     \
    static int count_##kind(const pliant_model *model)                                             \
    {                                                                                              \
        return count;                                                                              \
    }
WORLD_KINDS(DEFINE_KIND)
#undef DEFINE_KIND
#undef ARRAY

#define KIND(kind, list, count)                                                                    \
    {kind##_arrays, (int)(sizeof kind##_arrays / sizeof *kind##_arrays), count_##kind},
static const stored_kind kinds[STORAGE_KINDS] = {WORLD_KINDS(KIND)};
#undef KIND

// Kernels read whole vectors, also of the last elements.
enum { READ_BEYOND = LANES };

static uint8_t *array_of(const pliant_world *world, const stored_array *array)
{
    uint8_t *first;
    memcpy(&first, (const uint8_t *)world + array->offset, sizeof first);
    return first;
}

static bool grow_array(pliant_world *world, const stored_array *array, int count, int *capacity,
                       int needed)
{
    void *first = array_of(world, array);
    if (!pliant_memory_grow(&world->allocator, &first, array->size, count, capacity, needed))
        return false;
    memcpy((uint8_t *)world + array->offset, &first, sizeof first);
    return true;
}

// All arrays of a kind grow, or none: the new capacity holds only when the last of them has grown; those that grew before a
// failure are merely larger than they need to be.
static bool grow_kind(pliant_world *world, int kind, int needed)
{
    const stored_kind *k = &kinds[kind];
    int grown = world->capacities[kind];
    for (int a = 0; a < k->array_count; ++a) {
        grown = world->capacities[kind];
        if (!grow_array(world, &k->arrays[a], world->counts[kind], &grown, needed))
            return false;
    }
    world->capacities[kind] = grown;
    return true;
}

bool pliant_storage_reserve(pliant_world *world, const pliant_model *model)
{
    for (int kind = 0; kind < STORAGE_KINDS; ++kind) {
        int more = kinds[kind].count_in(model), count = world->counts[kind];
        if (more > INT32_MAX - READ_BEYOND - count ||
            !grow_kind(world, kind, count + more + READ_BEYOND))
            return false;
    }
    return true;
}

void pliant_storage_add(pliant_world *world, body *b)
{
    for (int kind = 0; kind < STORAGE_KINDS; ++kind) {
        const stored_kind *k = &kinds[kind];
        size_t first = (size_t)world->counts[kind], count = (size_t)k->count_in(b->model);
        b->firsts[kind] = (int)first;
        world->counts[kind] += (int)count;
        for (int a = 0; a < k->array_count; ++a)
            if (k->arrays[a].lifetime == STATE)
                memset(array_of(world, &k->arrays[a]) + first * k->arrays[a].size, 0,
                       count * k->arrays[a].size);
    }
}

// What only lives in a substep need not move.
static void close_gap(pliant_world *world, int kind, size_t first, size_t count)
{
    const stored_kind *k = &kinds[kind];
    size_t behind = (size_t)world->counts[kind] - first - count;
    for (int a = 0; a < k->array_count; ++a) {
        size_t size = k->arrays[a].size;
        uint8_t *gap = array_of(world, &k->arrays[a]) + first * size;
        if (k->arrays[a].lifetime != SCRATCH)
            memmove(gap, gap + count * size, behind * size);
    }
    world->counts[kind] -= (int)count;
}

void pliant_storage_remove(pliant_world *world, const body *b)
{
    int counts[STORAGE_KINDS];
    for (int kind = 0; kind < STORAGE_KINDS; ++kind) {
        counts[kind] = kinds[kind].count_in(b->model);
        close_gap(world, kind, (size_t)b->firsts[kind], (size_t)counts[kind]);
    }
    for (int k = 0; k < world->active_count; ++k) {
        body *other = &world->bodies[world->active[k]];
        if (other->particle_first > b->particle_first)
            for (int kind = 0; kind < STORAGE_KINDS; ++kind)
                other->firsts[kind] -= counts[kind];
    }
}

void pliant_storage_free(pliant_world *world)
{
    for (int kind = 0; kind < STORAGE_KINDS; ++kind)
        for (int a = 0; a < kinds[kind].array_count; ++a)
            pliant_memory_free(&world->allocator, array_of(world, &kinds[kind].arrays[a]));
}

typedef void state_visitor(uint8_t *state, size_t size, void *context);

static void visit_state(const pliant_world *world, state_visitor *visit, void *context)
{
    for (int kind = 0; kind < STORAGE_KINDS; ++kind)
        for (int a = 0; a < kinds[kind].array_count; ++a) {
            const stored_array *array = &kinds[kind].arrays[a];
            size_t size = (size_t)world->counts[kind] * array->size;
            if (array->lifetime == STATE && size > 0)
                visit(array_of(world, array), size, context);
        }
}

static void add_size(uint8_t *state, size_t size, void *sum)
{
    (void)state;
    *(size_t *)sum += size;
}

size_t pliant_storage_size(const pliant_world *world)
{
    size_t size = 0;
    visit_state(world, add_size, &size);
    return size;
}

static void put(uint8_t *state, size_t size, void *at)
{
    memcpy(*(uint8_t **)at, state, size);
    *(uint8_t **)at += size;
}

uint8_t *pliant_storage_put(const pliant_world *world, uint8_t *to)
{
    visit_state(world, put, &to);
    return to;
}

static void take(uint8_t *state, size_t size, void *at)
{
    memcpy(state, *(const uint8_t **)at, size);
    *(const uint8_t **)at += size;
}

const uint8_t *pliant_storage_take(pliant_world *world, const uint8_t *from)
{
    visit_state(world, take, &from);
    return from;
}
