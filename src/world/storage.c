// Storage of a world: what is done to all of its arrays alike.

#include "world.h"

#include "core/bytes.h"

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
    if (!pli_memory_grow(&world->allocator, &first, array->size, count, capacity, needed))
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

bool pli_storage_reserve(pliant_world *world, const int counts[STORAGE_KINDS],
                         const pliant_model *model)
{
    for (int kind = 0; kind < STORAGE_KINDS; ++kind) {
        int more = kinds[kind].count_in(model);
        if (more > INT32_MAX - READ_BEYOND - counts[kind] ||
            !grow_kind(world, kind, counts[kind] + more + READ_BEYOND))
            return false;
    }
    return true;
}

void pli_storage_assign(pliant_world *world, body *b)
{
    for (int kind = 0; kind < STORAGE_KINDS; ++kind) {
        b->firsts[kind] = world->counts[kind];
        world->counts[kind] += kinds[kind].count_in(b->model);
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

void pli_storage_remove(pliant_world *world, const body *b)
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

void pli_storage_free(pliant_world *world)
{
    for (int kind = 0; kind < STORAGE_KINDS; ++kind)
        for (int a = 0; a < kinds[kind].array_count; ++a)
            pli_memory_free(&world->allocator, array_of(world, &kinds[kind].arrays[a]));
}

// ---------------------------------------------------------------------------------------------
// State

// A range of a body in an array of the state; `elements` is NULL where only the model is known.
typedef struct state_range {
    const stored_array *array;
    uint8_t *elements;
    size_t count;
} state_range;

typedef void state_visitor(const state_range *range, void *context);

static void visit_state(const pliant_model *model, const pliant_world *world, const body *b,
                        state_visitor *visit, void *context)
{
    for (int kind = 0; kind < STORAGE_KINDS; ++kind)
        for (int a = 0; a < kinds[kind].array_count; ++a) {
            const stored_array *array = &kinds[kind].arrays[a];
            state_range range = {.array = array, .count = (size_t)kinds[kind].count_in(model)};
            if (b)
                range.elements = array_of(world, array) + (size_t)b->firsts[kind] * array->size;
            if (array->lifetime == STATE && range.count > 0)
                visit(&range, context);
        }
}

static void clear_range(const state_range *range, void *context)
{
    (void)context;
    memset(range->elements, 0, range->count * range->array->size);
}

void pli_storage_clear(pliant_world *world, const body *b)
{
    visit_state(b->model, world, b, clear_range, NULL);
}

static void add_size(const state_range *range, void *sum)
{
    *(size_t *)sum += range->count * range->array->size;
}

size_t pli_storage_size(const pliant_model *model)
{
    size_t size = 0;
    visit_state(model, NULL, NULL, add_size, &size);
    return size;
}

static bool is_of_words(const stored_array *array)
{
    return array->size % 4 == 0;
}

static void write_range(const state_range *range, void *out)
{
    if (is_of_words(range->array))
        put_words(out, range->elements, range->count * range->array->size / 4);
    else
        put_bytes(out, range->elements, range->count * range->array->size);
}

void pli_storage_write(const pliant_world *world, const body *b, byte_writer *out)
{
    visit_state(b->model, world, b, write_range, out);
}

static void read_range(const state_range *range, void *in)
{
    if (is_of_words(range->array))
        take_words(in, range->elements, range->count * range->array->size / 4);
    else
        take_bytes(in, range->elements, range->count * range->array->size);
}

void pli_storage_read(pliant_world *world, const body *b, byte_reader *in)
{
    visit_state(b->model, world, b, read_range, in);
}

typedef struct place_search {
    size_t array, place;
    bool is_found;
} place_search;

static void pass_range(const state_range *range, void *context)
{
    place_search *search = context;
    search->is_found = search->is_found || range->array->offset == search->array;
    if (!search->is_found)
        search->place += range->count * range->array->size;
}

size_t pli_storage_place(const pliant_model *model, size_t array)
{
    place_search search = {.array = array};
    visit_state(model, NULL, NULL, pass_range, &search);
    return search.place;
}
