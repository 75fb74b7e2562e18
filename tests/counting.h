// An allocator that counts, and that can fail at a chosen call: for tests of leaks and of no memory.

#ifndef PLIANT_TESTS_COUNTING_H
#define PLIANT_TESTS_COUNTING_H

#include "test.h"

typedef struct counting {
    int calls;   // of allocate, so far
    int live;    // blocks that have not been released
    int fail_at; // the number of the call that returns NULL, counted from 1; 0: none
} counting;

static inline void *counting_allocate(size_t size, size_t alignment, void *user_data)
{
    counting *c = user_data;
    assert_true(size > 0 && alignment > 0 && alignment <= 64 && !(alignment & (alignment - 1)));
    if (++c->calls == c->fail_at)
        return NULL;
    void *memory = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    assert_non_null(memory);
    memset(memory, 0xa5, size); // nobody may rely on zeroes
    c->live += 1;
    return memory;
}

static inline void counting_release(void *memory, void *user_data)
{
    counting *c = user_data;
    assert_non_null(memory);
    c->live -= 1;
    free(memory);
}

static inline pliant_allocator counting_allocator(counting *c)
{
    return (pliant_allocator){counting_allocate, counting_release, c};
}

#endif
