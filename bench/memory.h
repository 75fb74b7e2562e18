// What the parts of a model and of a body made of it cost in memory.

#ifndef PLIANT_BENCH_MEMORY_H
#define PLIANT_BENCH_MEMORY_H

// As CSV to standard output: bytes in the model, and in the world for each body.
void bench_print_memory(void);

#endif
