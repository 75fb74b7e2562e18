// Rigs: their elements, copied and kept.

#include "rig.h"

#include "core/bytes.h"
#include "core/error.h"
#include "core/memory.h"

#include <string.h>

#define ARRAY(one, several)                                                                        \
    .name = #several, .array = offsetof(pliant_rig_def, several),                                  \
    .count = offsetof(pliant_rig_def, one##_count),                                                \
    .element_size = sizeof *((pliant_rig_def *)0)->several

// In the order in which they are saved.
const rig_array pli_rig_arrays[RIG_ARRAY_COUNT] = {
    {ARRAY(node, nodes), .has_names = true},
    {ARRAY(weight, weights), .has_names = true},
    {ARRAY(skin, skins), .has_names = true},
    {ARRAY(joint, joints)},
    {ARRAY(clip, clips), .has_names = true},
    {ARRAY(channel, channels)},
    {ARRAY(time, times)},
    {ARRAY(value, values)},
    {ARRAY(surface, surfaces)},
    {ARRAY(vertex, vertices)},
    {ARRAY(influence, influences)},
    {ARRAY(target, targets)},
    {ARRAY(displacement, displacements)},
};
_Static_assert(sizeof(pliant_rig_path) == 4 && sizeof(pliant_rig_sampling) == 4,
               "elements are words of 32 bits");

// Pointers of any type are read and written as bytes: they are members of their own types.
void *pli_rig_array_items(const pliant_rig_def *def, const rig_array *array)
{
    void *items;
    memcpy(&items, (const char *)def + array->array, sizeof items);
    return items;
}

int32_t pli_rig_array_count(const pliant_rig_def *def, const rig_array *array)
{
    int32_t count;
    memcpy(&count, (const char *)def + array->count, sizeof count);
    return count;
}

static bool allocate_array(pliant_rig *rig, const rig_array *array, int32_t count)
{
    void *items = pli_memory_new(&rig->allocator, (size_t)count, array->element_size);
    memcpy((char *)&rig->def + array->array, &items, sizeof items);
    memcpy((char *)&rig->def + array->count, &count, sizeof count);
    return items != NULL;
}

static pliant_rig *begin_rig(const pliant_allocator *allocator)
{
    pliant_allocator chosen = pli_allocator_or_default(allocator);
    pliant_rig *rig = pli_memory_new(&chosen, 1, sizeof *rig);
    if (rig) {
        rig->allocator = chosen;
        atomic_init(&rig->references, 1);
    }
    return rig;
}

static void find_clip_seconds(pliant_rig *rig)
{
    const pliant_rig_def *def = &rig->def;
    for (int i = 0; i < def->clip_count; ++i) {
        const pliant_rig_channel *channels = def->channels + def->clips[i].first_channel;
        for (int k = 0; k < def->clips[i].channel_count; ++k) {
            float last = def->times[channels[k].first_time + channels[k].key_count - 1];
            rig->clip_seconds[i] = maximum(rig->clip_seconds[i], last);
        }
    }
}

static uint64_t find_fingerprint(const pliant_rig_def *def)
{
    uint64_t state = HASH_START;
    for (int i = 0; i < RIG_ARRAY_COUNT; ++i) {
        const rig_array *array = &pli_rig_arrays[i];
        int32_t count = pli_rig_array_count(def, array);
        size_t size = (size_t)count * array->element_size;
        state = hash_word(state, (uint64_t)count);
        state = hash_word(state, bytes_checksum(pli_rig_array_items(def, array), size));
    }
    return state;
}

// Checks the arrays that are there and derives the rest. Takes the rig over: on failure it is destroyed.
static pliant_rig *finish_rig(pliant_rig *rig, pliant_error *error)
{
    const pliant_allocator *allocator = &rig->allocator;
    rig->order = pli_memory_new(allocator, (size_t)rig->def.node_count, sizeof *rig->order);
    rig->clip_seconds =
        pli_memory_new(allocator, (size_t)rig->def.clip_count, sizeof *rig->clip_seconds);
    int32_t nodes = rig->def.node_count, times = rig->def.time_count;
    int32_t *scratch =
        pli_memory_new(allocator, (size_t)(nodes > times ? nodes : times), sizeof *scratch);
    pliant_result result = rig->order && rig->clip_seconds && scratch
                               ? pli_rig_check(&rig->def, rig->order, scratch, error)
                               : pli_error_memory(error);
    pli_memory_free(allocator, scratch);
    if (result) {
        pliant_rig_destroy(rig);
        return NULL;
    }
    find_clip_seconds(rig);
    rig->fingerprint = find_fingerprint(&rig->def);
    return rig;
}

static pliant_rig *fail_memory(pliant_rig *rig, pliant_error *error)
{
    pliant_rig_destroy(rig);
    pli_error_memory(error);
    return NULL;
}

pliant_rig *pliant_rig_create(const pliant_rig_def *def, const pliant_allocator *allocator,
                              pliant_error *error)
{
    for (int i = 0; i < RIG_ARRAY_COUNT; ++i) {
        const rig_array *array = &pli_rig_arrays[i];
        int32_t count = pli_rig_array_count(def, array);
        if (count < 0 || (count > 0 && !pli_rig_array_items(def, array))) {
            pli_error_set(error, PLIANT_ERROR_MODEL, array->name, "%d, but there is no array",
                          (int)count);
            return NULL;
        }
    }
    pliant_rig *rig = begin_rig(allocator);
    for (int i = 0; i < RIG_ARRAY_COUNT; ++i) {
        const rig_array *array = &pli_rig_arrays[i];
        int32_t count = pli_rig_array_count(def, array);
        if (!rig || !allocate_array(rig, array, count))
            return fail_memory(rig, error);
        if (count > 0)
            memcpy(pli_rig_array_items(&rig->def, array), pli_rig_array_items(def, array),
                   (size_t)count * array->element_size);
    }
    return finish_rig(rig, error);
}

// The last one to let go sees all that others did with it before.
void pliant_rig_destroy(pliant_rig *rig)
{
    if (!rig || atomic_fetch_sub_explicit(&rig->references, 1, memory_order_acq_rel) > 1)
        return;
    pliant_allocator allocator = rig->allocator;
    for (int i = 0; i < RIG_ARRAY_COUNT; ++i)
        pli_memory_free(&allocator, pli_rig_array_items(&rig->def, &pli_rig_arrays[i]));
    pli_memory_free(&allocator, rig->order);
    pli_memory_free(&allocator, rig->clip_seconds);
    pli_memory_free(&allocator, rig);
}

pliant_rig_def pliant_rig_definition(const pliant_rig *rig)
{
    return rig->def;
}

int pliant_rig_find_node(const pliant_rig *rig, const char *name)
{
    for (int i = 0; i < rig->def.node_count; ++i)
        if (strcmp(rig->def.nodes[i].name, name) == 0)
            return i;
    return -1;
}

int pliant_rig_find_clip(const pliant_rig *rig, const char *name)
{
    for (int i = 0; i < rig->def.clip_count; ++i)
        if (strcmp(rig->def.clips[i].name, name) == 0)
            return i;
    return -1;
}

// ---------------------------------------------------------------------------------------------
// The saved form

static void put_rig(const pliant_rig *rig, byte_writer *out)
{
    for (int i = 0; i < RIG_ARRAY_COUNT; ++i) {
        const rig_array *array = &pli_rig_arrays[i];
        const char *items = pli_rig_array_items(&rig->def, array);
        int32_t count = pli_rig_array_count(&rig->def, array);
        size_t name = array->has_names ? RIG_NAME_SIZE : 0;
        put_integer(out, count);
        for (int32_t k = 0; k < count; ++k, items += array->element_size) {
            put_bytes(out, items, name);
            put_words(out, items + name, (array->element_size - name) / 4);
        }
    }
}

size_t pli_rig_saved_size(const pliant_rig *rig)
{
    byte_writer counter = {.at = NULL};
    put_rig(rig, &counter);
    return counter.size;
}

uint8_t *pli_rig_write(const pliant_rig *rig, uint8_t *at)
{
    byte_writer out = {.at = at};
    put_rig(rig, &out);
    return out.at;
}

static bool take_array(byte_reader *in, pliant_rig *rig, const rig_array *array)
{
    size_t name = array->has_names ? RIG_NAME_SIZE : 0;
    int32_t count = take_count(in, array->element_size);
    if (!allocate_array(rig, array, count))
        return false;
    char *items = pli_rig_array_items(&rig->def, array);
    for (int32_t k = 0; k < count; ++k, items += array->element_size) {
        take_bytes(in, items, name);
        take_words(in, items + name, (array->element_size - name) / 4);
    }
    return true;
}

pliant_rig *pli_rig_read(const uint8_t *bytes, size_t size, const pliant_allocator *allocator,
                         pliant_error *error)
{
    byte_reader in = {.at = bytes, .left = size};
    pliant_rig *rig = begin_rig(allocator);
    for (int i = 0; i < RIG_ARRAY_COUNT; ++i)
        if (!rig || !take_array(&in, rig, &pli_rig_arrays[i]))
            return fail_memory(rig, error);
    if (in.is_spoilt || in.left > 0) {
        pliant_rig_destroy(rig);
        pli_error_set(error, PLIANT_ERROR_FORMAT, "rig", "its arrays do not fit its size");
        return NULL;
    }
    return finish_rig(rig, error);
}
