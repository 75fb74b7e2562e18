// Workers sleep until there is a job, then take indices one by one from a shared counter together
// with the calling thread. Which thread runs an index is left to chance: results do not depend on it.

#include "pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct pool {
    pthread_t workers[POOL_MOST_THREADS - 1];
    int worker_count;
    pthread_mutex_t mutex; // guards all below but `next`
    pthread_cond_t job_began, workers_done;
    uint64_t job; // counts jobs, so that a worker sees a new one
    int busy;     // workers that have not finished the present job
    bool closing;
    pliant_task *task;
    void *context;
    int count;
    atomic_int next; // the first index nobody has taken
};

static void take_indices(pool *p, pliant_task *task, void *context, int count)
{
    for (;;) {
        int index = atomic_fetch_add_explicit(&p->next, 1, memory_order_relaxed);
        if (index >= count)
            return;
        task(index, context);
    }
}

static void *work(void *argument)
{
    pool *p = argument;
    uint64_t seen = 0;
    pthread_mutex_lock(&p->mutex);
    for (;;) {
        while (p->job == seen && !p->closing)
            pthread_cond_wait(&p->job_began, &p->mutex);
        if (p->closing)
            break;
        seen = p->job;
        pliant_task *task = p->task;
        void *context = p->context;
        int count = p->count;
        pthread_mutex_unlock(&p->mutex);
        take_indices(p, task, context, count);
        pthread_mutex_lock(&p->mutex);
        if (--p->busy == 0)
            pthread_cond_signal(&p->workers_done);
    }
    pthread_mutex_unlock(&p->mutex);
    return NULL;
}

pool *pool_create(int threads)
{
    pool *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    pthread_mutex_init(&p->mutex, NULL);
    pthread_cond_init(&p->job_began, NULL);
    pthread_cond_init(&p->workers_done, NULL);
    while (p->worker_count < threads - 1) {
        if (pthread_create(&p->workers[p->worker_count], NULL, work, p) != 0) {
            pool_destroy(p);
            return NULL;
        }
        ++p->worker_count;
    }
    return p;
}

void pool_destroy(pool *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->mutex);
    p->closing = true;
    pthread_cond_broadcast(&p->job_began);
    pthread_mutex_unlock(&p->mutex);
    for (int i = 0; i < p->worker_count; ++i)
        pthread_join(p->workers[i], NULL);
    pthread_cond_destroy(&p->workers_done);
    pthread_cond_destroy(&p->job_began);
    pthread_mutex_destroy(&p->mutex);
    free(p);
}

void pool_run(int count, pliant_task *task, void *context, void *user_data)
{
    pool *p = user_data;
    pthread_mutex_lock(&p->mutex);
    p->task = task;
    p->context = context;
    p->count = count;
    p->busy = p->worker_count;
    atomic_store_explicit(&p->next, 0, memory_order_relaxed);
    ++p->job;
    pthread_cond_broadcast(&p->job_began);
    pthread_mutex_unlock(&p->mutex);

    take_indices(p, task, context, count);

    pthread_mutex_lock(&p->mutex);
    while (p->busy > 0)
        pthread_cond_wait(&p->workers_done, &p->mutex);
    pthread_mutex_unlock(&p->mutex);
}
