// A budget for what one fuzz input may allocate.
//
// A short input can ask for a large model, which is right but slow. Beyond the budget the allocator
// says no: runs stay quick, and the handling of exhausted memory is fuzzed as well.

#ifndef FUZZ_LIMITED_MEMORY_H
#define FUZZ_LIMITED_MEMORY_H

#include <stddef.h>

// From here on at most `bytes` in total can be allocated, whether released or not.
void limited_memory_begin(size_t bytes);
void limited_memory_end(void);

#endif
