// Allocation.

#include "memory.h"

#include <stdlib.h>
#include <string.h>

// Eight vec3 are read as eight quadruples; the last one's fourth number lies beyond the array.
enum { READABLE_BEYOND = 4 };

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

pliant_allocator pli_allocator_or_default(const pliant_allocator *allocator)
{
    if (allocator && allocator->allocate && allocator->release)
        return *allocator;
    return (pliant_allocator){allocate_with_libc, release_with_libc, NULL};
}

void *pli_memory_new(const pliant_allocator *allocator, size_t count, size_t element_size)
{
    if (element_size && count > (SIZE_MAX / 2) / element_size)
        return NULL;
    size_t size = count * element_size + READABLE_BEYOND;
    void *memory = allocator->allocate(size, 64, allocator->user_data);
    if (memory)
        memset(memory, 0, size);
    return memory;
}

void pli_memory_free(const pliant_allocator *allocator, void *memory)
{
    if (memory)
        allocator->release(memory, allocator->user_data);
}

int pli_memory_room(int capacity, int needed)
{
    int more = capacity > INT32_MAX / 5 * 4 ? INT32_MAX : capacity + capacity / 4;
    int least = more < 8 ? 8 : more;
    return needed > least ? needed : least;
}

bool pli_memory_grow(const pliant_allocator *allocator, void **array, size_t element_size,
                     int count, int *capacity, int needed)
{
    if (*array && needed <= *capacity)
        return true;
    int grown = pli_memory_room(*capacity, needed);
    void *bigger = pli_memory_new(allocator, (size_t)grown, element_size);
    if (!bigger)
        return false;
    if (count > 0)
        memcpy(bigger, *array, (size_t)count * element_size);
    pli_memory_free(allocator, *array);
    *array = bigger;
    *capacity = grown;
    return true;
}
