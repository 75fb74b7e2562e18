// Tables with open addressing. Numbers are given in the order of first use, so that nothing depends on
// where the hash puts a slot.

#include "io/table.h"

#include "core/hash.h"

#include <stdlib.h>

bool pli_array_grow(void *array_pointer, size_t element_size, int32_t count, int32_t *capacity)
{
    if (count < *capacity)
        return true;
    if (*capacity > INT32_MAX / 2)
        return false;
    int32_t bigger = *capacity < 8 ? 8 : *capacity * 2;
    void *array;
    memcpy(&array, array_pointer, sizeof array);
    array = (size_t)bigger > SIZE_MAX / element_size
                ? NULL
                : realloc(array, (size_t)bigger * element_size);
    if (!array)
        return false;
    memcpy(array_pointer, &array, sizeof array);
    *capacity = bigger;
    return true;
}

static uint64_t hash_name(slice name)
{
    uint64_t hash = hash_word(HASH_START, name.size);
    for (size_t i = 0; i < name.size; ++i)
        hash = hash_word(hash, (unsigned char)name.at[i]);
    return hash;
}

static uint64_t hash_tuple(const tuple *key)
{
    uint64_t hash = HASH_START;
    for (int i = 0; i < 4; ++i)
        hash = hash_word(hash, (uint32_t)key->values[i]);
    return hash;
}

static uint32_t free_slot(const hash_slots *slots, uint64_t hash)
{
    uint32_t slot = (uint32_t)hash & (slots->count - 1);
    while (slots->numbers[slot] != 0)
        slot = (slot + 1) & (slots->count - 1);
    return slot;
}

// Doubles the slots when less than half of them would be free with one entry more. The caller then puts
// all of its entries in again: *is_new tells.
static bool reserve_slots(hash_slots *slots, int32_t entries, bool *is_new)
{
    *is_new = false;
    if ((uint32_t)entries < slots->count / 2)
        return true;
    uint32_t count = slots->count ? slots->count * 2 : 16;
    int32_t *numbers = count > slots->count ? calloc(count, sizeof *numbers) : NULL;
    if (!numbers)
        return false;
    free(slots->numbers);
    *slots = (hash_slots){numbers, count};
    *is_new = true;
    return true;
}

// ---------------------------------------------------------------------------------------------
// Names

static int32_t find_name(const name_table *table, slice name, uint64_t hash)
{
    if (table->slots.count == 0)
        return -1;
    uint32_t mask = table->slots.count - 1;
    for (uint32_t slot = (uint32_t)hash & mask;; slot = (slot + 1) & mask) {
        int32_t number = table->slots.numbers[slot] - 1;
        if (number < 0 || slice_equal(table->names.items[number], name))
            return number;
    }
}

int32_t pli_name_table_find(const name_table *table, slice name)
{
    return find_name(table, name, hash_name(name));
}

int32_t pli_name_table_add(name_table *table, slice name)
{
    uint64_t hash = hash_name(name);
    int32_t number = find_name(table, name, hash);
    if (number >= 0)
        return number;
    bool is_new;
    if (!LIST_GROW(&table->names) || !reserve_slots(&table->slots, table->names.count, &is_new))
        return -1;
    for (int32_t i = 0; is_new && i < table->names.count; ++i)
        table->slots.numbers[free_slot(&table->slots, hash_name(table->names.items[i]))] = i + 1;
    table->names.items[table->names.count++] = name;
    table->slots.numbers[free_slot(&table->slots, hash)] = table->names.count;
    return table->names.count - 1;
}

void pli_name_table_release(name_table *table)
{
    free(table->names.items);
    free(table->slots.numbers);
    *table = (name_table){0};
}

// ---------------------------------------------------------------------------------------------
// Tuples

static int32_t find_tuple(const tuple_table *table, const tuple *key, uint64_t hash)
{
    if (table->slots.count == 0)
        return -1;
    uint32_t mask = table->slots.count - 1;
    for (uint32_t slot = (uint32_t)hash & mask;; slot = (slot + 1) & mask) {
        int32_t number = table->slots.numbers[slot] - 1;
        if (number < 0 || memcmp(&table->tuples.items[number], key, sizeof *key) == 0)
            return number;
    }
}

int32_t pli_tuple_table_add(tuple_table *table, tuple key)
{
    uint64_t hash = hash_tuple(&key);
    int32_t number = find_tuple(table, &key, hash);
    if (number >= 0)
        return number;
    bool is_new;
    if (!LIST_GROW(&table->tuples) || !reserve_slots(&table->slots, table->tuples.count, &is_new))
        return -1;
    for (int32_t i = 0; is_new && i < table->tuples.count; ++i)
        table->slots.numbers[free_slot(&table->slots, hash_tuple(&table->tuples.items[i]))] = i + 1;
    table->tuples.items[table->tuples.count++] = key;
    table->slots.numbers[free_slot(&table->slots, hash)] = table->tuples.count;
    return table->tuples.count - 1;
}

void pli_tuple_table_release(tuple_table *table)
{
    free(table->tuples.items);
    free(table->slots.numbers);
    *table = (tuple_table){0};
}
