// Lists of elements, and the words of their fields, by the tables of kinds.c.

#include "elements.h"

#include <string.h>

#include "core/error.h"
#include "core/hash.h"
#include "rig/rig.h"

// ---------------------------------------------------------------------------------------------
// Fields

int pli_element_words(const element_field *field)
{
    return field->type == VALUE_SPAN ? 1 : field->count;
}

// Where word k lies, unless the field is a flag.
static size_t word_offset(const element_field *field, int k)
{
    return field->offset + (field->type == VALUE_SPAN ? sizeof(int32_t *) : 4 * (size_t)k);
}

uint32_t pli_element_word(const element_field *field, const void *element, int k)
{
    if (field->type == VALUE_FLAG)
        return *((const bool *)element + field->offset);
    uint32_t word;
    memcpy(&word, (const char *)element + word_offset(field, k), sizeof word);
    return word;
}

void pli_element_set_word(const element_field *field, void *element, int k, uint32_t word)
{
    if (field->type == VALUE_FLAG)
        *((bool *)element + field->offset) = word != 0;
    else
        memcpy((char *)element + word_offset(field, k), &word, sizeof word);
}

static uint32_t initial_word(const element_field *field, int k)
{
    switch (field->type) {
    case VALUE_NUMBER:
        return float_bits((float)field->initial);
    case VALUE_ROTATION:
        return k == 3 ? float_bits((float)field->initial) : 0;
    case VALUE_BITS:
    case VALUE_FLAG:
        return (uint32_t)field->initial;
    case VALUE_PLACE:
    case VALUE_DIRECTION:
    case VALUE_INDEX:
    case VALUE_SPAN:
        break;
    }
    return 0;
}

void pli_element_reset(const element_kind *kind, void *element)
{
    memset(element, 0, kind->element_size);
    for (int f = 0; f < kind->field_count; ++f)
        for (int k = 0; k < pli_element_words(&kind->fields[f]); ++k)
            pli_element_set_word(&kind->fields[f], element, k, initial_word(&kind->fields[f], k));
}

// ---------------------------------------------------------------------------------------------
// Bytes

uint32_t pli_element_version(const element_kind *kind)
{
    int newest = 0;
    for (int f = 0; f < kind->field_count; ++f)
        newest = kind->fields[f].since > newest ? kind->fields[f].since : newest;
    return (uint32_t)newest;
}

size_t pli_element_bytes(const element_kind *kind, uint32_t version)
{
    size_t bytes = 0;
    for (int f = 0; f < kind->field_count; ++f)
        if (kind->fields[f].since <= (int)version)
            bytes += 4 * (size_t)pli_element_words(&kind->fields[f]);
    return bytes;
}

uint8_t *pli_element_write(const element_kind *kind, const void *element, uint8_t *at)
{
    for (int f = 0; f < kind->field_count; ++f)
        for (int k = 0; k < pli_element_words(&kind->fields[f]); ++k, at += 4) {
            uint32_t word = pli_element_word(&kind->fields[f], element, k);
            for (int i = 0; i < 4; ++i)
                at[i] = (uint8_t)(word >> (8 * i));
        }
    return at;
}

bool pli_element_read(const element_kind *kind, void *element, uint32_t version, const uint8_t **at)
{
    bool is_sound = true;
    pli_element_reset(kind, element);
    for (int f = 0; f < kind->field_count; ++f) {
        const element_field *field = &kind->fields[f];
        int words = field->since <= (int)version ? pli_element_words(field) : 0;
        for (int k = 0; k < words; ++k, *at += 4) {
            uint32_t word = 0;
            for (int i = 0; i < 4; ++i)
                word |= (uint32_t)(*at)[i] << (8 * i);
            is_sound = is_sound && (field->type != VALUE_FLAG || word <= 1);
            pli_element_set_word(field, element, k, word);
        }
    }
    return is_sound;
}

// ---------------------------------------------------------------------------------------------
// Lists

// Pointers of any type are read and written as bytes: they are members of their own types.
static void *array_of(const elements *e, const element_kind *kind)
{
    void *array;
    memcpy(&array, (const char *)e + kind->array, sizeof array);
    return array;
}

static void set_array(elements *e, const element_kind *kind, void *array)
{
    memcpy((char *)e + kind->array, &array, sizeof array);
}

static int *number_at(elements *e, size_t offset)
{
    return (int *)((char *)e + offset);
}

int pli_elements_count(const elements *e, const element_kind *kind)
{
    return kind->is_single ? 1 : *(const int *)((const char *)e + kind->count);
}

void *pli_elements_at(const elements *e, const element_kind *kind, int index)
{
    if (kind->is_single)
        return (char *)e + kind->array;
    return (char *)array_of(e, kind) + (size_t)index * kind->element_size;
}

bool pli_elements_allocate(elements *e, const element_kind *kind, int count,
                           const pliant_allocator *allocator)
{
    void *array = pli_memory_new(allocator, (size_t)count, kind->element_size);
    if (!array)
        return false;
    set_array(e, kind, array);
    *number_at(e, kind->count) = *number_at(e, kind->capacity) = count;
    return true;
}

int pli_elements_append(elements *e, element_id id, const void *added, int count,
                        const pliant_allocator *allocator)
{
    const element_kind *kind = &pli_element_kinds[id];
    int first = pli_elements_count(e, kind);
    void *array = array_of(e, kind);
    if (count > INT32_MAX - first || !pli_memory_grow(allocator, &array, kind->element_size, first,
                                                      number_at(e, kind->capacity), first + count))
        return -1;
    set_array(e, kind, array);
    *number_at(e, kind->count) += count;
    if (count > 0)
        memcpy(pli_elements_at(e, kind, first), added, (size_t)count * kind->element_size);
    return first;
}

bool pli_elements_copy(elements *to, const elements *from, const pliant_allocator *allocator)
{
    for (int i = 0; i < ELEMENT_KIND_COUNT; ++i) {
        const element_kind *kind = &pli_element_kinds[i];
        int count = pli_elements_count(from, kind);
        if (!kind->is_single && !pli_elements_allocate(to, kind, count, allocator))
            return false;
        if (count > 0)
            memcpy(pli_elements_at(to, kind, 0), pli_elements_at(from, kind, 0),
                   (size_t)count * kind->element_size);
    }
    to->rig = pli_rig_retain(from->rig);
    return true;
}

void pli_elements_free(elements *e, const pliant_allocator *allocator)
{
    for (int i = 0; i < ELEMENT_KIND_COUNT; ++i)
        if (!pli_element_kinds[i].is_single)
            pli_memory_free(allocator, array_of(e, &pli_element_kinds[i]));
    pliant_rig_destroy(e->rig);
    pli_memory_free(allocator, e->unknown_chunks);
    *e = (elements){0};
}

// ---------------------------------------------------------------------------------------------
// Walks over all elements

static pliant_result place_span(elements *e, const element_kind *kind, const element_field *field,
                                pliant_error *error)
{
    const element_kind *list = &pli_element_kinds[field->of];
    int total = pli_elements_count(e, list), first = 0;
    for (int i = 0; i < pli_elements_count(e, kind); ++i) {
        char *element = pli_elements_at(e, kind, i);
        uint32_t count = pli_element_word(field, element, 0);
        if (count > (uint32_t)(total - first))
            return pli_error_set_at(error, PLIANT_ERROR_FORMAT, kind->singular, i,
                                    "more %s than the model holds", list->name);
        const void *items = pli_elements_at(e, list, first);
        memcpy(element + field->offset, &items, sizeof items);
        first += (int)count;
    }
    if (first != total)
        return pli_error_set(error, PLIANT_ERROR_FORMAT, kind->name, "%d %s belong to no %s",
                             total - first, list->name, kind->singular);
    return PLIANT_OK;
}

pliant_result pli_elements_place_spans(elements *e, pliant_error *error)
{
    for (int i = 0; i < ELEMENT_KIND_COUNT; ++i) {
        const element_kind *kind = &pli_element_kinds[i];
        for (int f = 0; f < kind->field_count; ++f) {
            pliant_result result = kind->fields[f].type == VALUE_SPAN
                                       ? place_span(e, kind, &kind->fields[f], error)
                                       : PLIANT_OK;
            if (result)
                return result;
        }
    }
    return PLIANT_OK;
}

static uint64_t hash_element(uint64_t state, const element_kind *kind, const void *element)
{
    for (int f = 0; f < kind->field_count; ++f)
        for (int k = 0; k < pli_element_words(&kind->fields[f]); ++k)
            state = hash_word(state, pli_element_word(&kind->fields[f], element, k));
    return state;
}

uint64_t pli_elements_fingerprint(const elements *e)
{
    uint64_t state = HASH_START;
    for (int i = 0; i < ELEMENT_KIND_COUNT; ++i) {
        const element_kind *kind = &pli_element_kinds[i];
        int count = kind->is_solved ? pli_elements_count(e, kind) : 0;
        if (count > 0)
            state = hash_word(state, (uint64_t)i << 32 | (uint64_t)count);
        for (int k = 0; k < count; ++k)
            state = hash_element(state, kind, pli_elements_at(e, kind, k));
    }
    return state;
}
