#include "limited_memory.h"

#include <stdbool.h>
#include <stdint.h>

// The linker (--wrap) sends all calls here. libFuzzer's own come too, outside of begin … end.
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

static bool limited;
static size_t budget;

static bool spend(size_t size)
{
    if (!limited)
        return true;
    if (size > budget)
        return false;
    budget -= size;
    return true;
}

void limited_memory_begin(size_t bytes)
{
    limited = true;
    budget = bytes;
}

void limited_memory_end(void)
{
    limited = false;
}

void *__wrap_malloc(size_t size)
{
    return spend(size) ? __real_malloc(size) : NULL;
}

void *__wrap_calloc(size_t count, size_t size)
{
    size_t total = size != 0 && count > SIZE_MAX / size ? SIZE_MAX : count * size;
    return spend(total) ? __real_calloc(count, size) : NULL;
}

void *__wrap_realloc(void *memory, size_t size)
{
    return spend(size) ? __real_realloc(memory, size) : NULL;
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return spend(size) ? __real_aligned_alloc(alignment, size) : NULL;
}
