// Memory through the caller's allocator.

#ifndef PLIANT_CORE_MEMORY_H
#define PLIANT_CORE_MEMORY_H

#include <pliant/base.h>

// `allocator` may be NULL or zeroed: then the C library's is used.
pliant_allocator pli_allocator_or_default(const pliant_allocator *allocator);

// Zeroed, 64-byte aligned memory for count elements; NULL when the product overflows or memory runs
// out. A count of 0 gives a valid pointer to nothing. Four bytes beyond the last element may be read.
void *pli_memory_new(const pliant_allocator *allocator, size_t count, size_t element_size);
// NULL is allowed.
void pli_memory_free(const pliant_allocator *allocator, void *memory);

// How many elements to make room for when more than the capacity are needed: just these if they are many, and a quarter as
// many again as there were if they come one by one, so that adding takes linear time.
int pli_memory_room(int capacity, int needed);
// Grows *array from `count` used elements to room for at least `needed`, and *capacity with it; an array
// that is NULL gets memory also when nothing is needed yet. Returns
// false, leaving everything as it was, when memory runs out.
bool pli_memory_grow(const pliant_allocator *allocator, void **array, size_t element_size,
                     int count, int *capacity, int needed);

#endif
