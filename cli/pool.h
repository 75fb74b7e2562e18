// A small pool of threads behind the library's pliant_parallel_for.

#ifndef PLIANT_CLI_POOL_H
#define PLIANT_CLI_POOL_H

#include <pliant/base.h>

enum { POOL_MOST_THREADS = 64 };

typedef struct pool pool;

// `threads` counts the calling one; 1 … POOL_MOST_THREADS. Returns NULL when threads cannot be had.
pool *pool_create(int threads);
void pool_destroy(pool *pool);

// A pliant_parallel_for whose user data is the pool.
void pool_run(int count, pliant_task *task, void *context, void *user_data);

#endif
