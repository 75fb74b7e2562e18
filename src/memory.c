// Allocation and error reporting.

#include "memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *allocate_with_libc(size_t size, size_t alignment, void *user_data)
{
    (void)user_data;
    // aligned_alloc wants a size that is a multiple of the alignment.
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void release_with_libc(void *memory, void *user_data)
{
    (void)user_data;
    free(memory);
}

pliant_allocator allocator_or_default(const pliant_allocator *allocator)
{
    if (allocator && allocator->allocate && allocator->release)
        return *allocator;
    return (pliant_allocator){allocate_with_libc, release_with_libc, NULL};
}

void *memory_new(const pliant_allocator *allocator, size_t count, size_t element_size)
{
    if (element_size && count > (SIZE_MAX / 2) / element_size)
        return NULL;
    size_t size = count * element_size;
    void *memory = allocator->allocate(size ? size : 1, 64, allocator->user_data);
    if (memory)
        memset(memory, 0, size ? size : 1);
    return memory;
}

void memory_free(const pliant_allocator *allocator, void *memory)
{
    if (memory)
        allocator->release(memory, allocator->user_data);
}

bool memory_grow(const pliant_allocator *allocator, void **array, size_t element_size, int count,
                 int *capacity, int needed)
{
    if (needed <= *capacity)
        return true;
    int grown = *capacity < 8 ? 8 : *capacity;
    while (grown < needed)
        grown = grown > INT32_MAX / 2 ? INT32_MAX : grown * 2;
    void *bigger = memory_new(allocator, (size_t)grown, element_size);
    if (!bigger)
        return false;
    if (count > 0)
        memcpy(bigger, *array, (size_t)count * element_size);
    memory_free(allocator, *array);
    *array = bigger;
    *capacity = grown;
    return true;
}

static void write_error(pliant_error *error, pliant_result code, const char *place,
                        const char *format, va_list arguments)
{
    if (!error)
        return;
    error->code = code;
    snprintf(error->place, sizeof error->place, "%s", place ? place : "");
    vsnprintf(error->message, sizeof error->message, format, arguments);
}

pliant_result error_set(pliant_error *error, pliant_result code, const char *place,
                        const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_error(error, code, place, format, arguments);
    va_end(arguments);
    return code;
}

pliant_result error_set_at(pliant_error *error, pliant_result code, const char *kind, int index,
                           const char *format, ...)
{
    char place[64];
    snprintf(place, sizeof place, "%s %d", kind, index);
    va_list arguments;
    va_start(arguments, format);
    write_error(error, code, place, format, arguments);
    va_end(arguments);
    return code;
}

const char *pliant_result_name(pliant_result result)
{
    switch (result) {
#define RESULT_CASE(name, text)                                                                    \
    case name:                                                                                     \
        return #name;
        PLIANT_RESULTS(RESULT_CASE)
#undef RESULT_CASE
    }
    return "unknown result";
}
