// A pool of threads for worlds, where an engine has none of its own to lend.
//
//     pliant_pool *pool = pliant_pool_create(4, NULL, &error);
//     world_def.parallel_for = pliant_pool_run;
//     world_def.parallel_user_data = pool;
//
// A pool runs one loop at a time, so that worlds which step at the same time need one each: a loop that is
// called for while another runs, from a task or a second thread, runs on the calling thread alone. Which threads
// take part in a loop is the pool's choice: while other programs keep its threads from running, so that waiting for
// them takes longer than they help, the caller works alone and tries again now and then. The pool's
// threads look for work for some 60 microseconds before they sleep, unless there are more of them than
// processors. They take over the floating-point environment of the thread that makes the pool, and block all
// signals. Where there are no threads (WebAssembly) it has one worker, the caller.

#ifndef PLIANT_POOL_H
#define PLIANT_POOL_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pliant_pool pliant_pool;

enum { PLIANT_POOL_MOST_WORKERS = 64 };

// `workers` counts the calling thread, 1 … PLIANT_POOL_MOST_WORKERS; 0 is one for each processor.
// Returns NULL and fills `error` when the number is out of range, or threads or memory cannot be had.
PLIANT_API pliant_pool *pliant_pool_create(int workers, const pliant_allocator *allocator,
                                           pliant_error *error);
// Waits for the threads to end. NULL is allowed.
PLIANT_API void pliant_pool_destroy(pliant_pool *pool);
PLIANT_API int pliant_pool_worker_count(const pliant_pool *pool);

// A pliant_parallel_for whose user data is the pool.
PLIANT_API void pliant_pool_run(int count, pliant_task *task, void *context, void *pool);

#ifdef __cplusplus
}
#endif

#endif
