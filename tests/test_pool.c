// The pool: every index once, whatever the number of workers; short loops, loops within loops, errors.

#ifdef __linux__
#define _GNU_SOURCE // pthread_setattr_default_np
#endif

#include "counting.h"

#include <pthread.h>
#include <stdatomic.h>

static const int WORKERS[] = {1, 2, 3, 8};
enum { WORKERS_COUNT = sizeof WORKERS / sizeof WORKERS[0], MOST_WORKERS = 8 };

static pliant_pool *open_pool(int workers)
{
    pliant_error error = {0};
    pliant_pool *pool = pliant_pool_create(workers, NULL, &error);
    if (!pool)
        fail_msg("%s: %s", error.place, error.message);
    return pool;
}

// Plain numbers, so that a sanitizer sees it when two threads have the same index.
static void count_visit(int index, void *context)
{
    ((int *)context)[index] += 1;
}

static void check_each_index_once(pliant_pool *pool, int count, int *visits)
{
    memset(visits, 0, (size_t)count * sizeof *visits);
    pliant_pool_run(count, count_visit, visits, pool);
    for (int i = 0; i < count; ++i) {
        if (visits[i] != 1)
            fail_msg("index %d of %d was run %d times", i, count, visits[i]);
    }
}

static void runs_each_index_once(void **state)
{
    (void)state;
    static const int counts[] = {0, 1, 2, 7, 1000, 100000};
    int *visits = calloc(100000, sizeof *visits);
    for (int w = 0; w < WORKERS_COUNT; ++w) {
        pliant_pool *pool = open_pool(WORKERS[w]);
        assert_int_equal(pliant_pool_worker_count(pool), WORKERS[w]);
        for (int i = 0; i < (int)(sizeof counts / sizeof counts[0]); ++i)
            check_each_index_once(pool, counts[i], visits);
        pliant_pool_destroy(pool);
    }
    free(visits);
}

// What one loop wrote, the next one reads on other threads.
typedef struct relay {
    int from[16], to[16];
} relay;

static void pass_on(int index, void *context)
{
    relay *r = context;
    r->to[index] = r->from[(index + 5) % 16] + 1;
}

static void many_short_loops_follow_each_other(void **state)
{
    (void)state;
    enum { LOOPS = 5000 };
    for (int w = 0; w < WORKERS_COUNT; ++w) {
        pliant_pool *pool = open_pool(WORKERS[w]);
        relay r = {{0}, {0}};
        for (int k = 0; k < LOOPS; ++k) {
            pliant_pool_run(16, pass_on, &r, pool);
            memcpy(r.from, r.to, sizeof r.from);
        }
        for (int i = 0; i < 16; ++i)
            assert_int_equal(r.to[i], LOOPS);
        pliant_pool_destroy(pool);
    }
}

static double now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static void wait_a_little(void)
{
    struct timespec time = {0, 300000};
    nanosleep(&time, NULL);
}

// Long enough that workers and the caller go to sleep over it.
static void work_slowly(int index, void *context)
{
    if (index % 3 == 0)
        wait_a_little();
    count_visit(index, context);
}

static void sleepers_wake(void **state)
{
    (void)state;
    for (int w = 0; w < WORKERS_COUNT; ++w) {
        pliant_pool *pool = open_pool(WORKERS[w]);
        int visits[9] = {0};
        for (int k = 0; k < 30; ++k) {
            pliant_pool_run(2 + k % 8, work_slowly, visits, pool);
            wait_a_little();
            for (int i = 0; i < 9; ++i)
                assert_int_equal(visits[i], i < 2 + k % 8);
            memset(visits, 0, sizeof visits);
        }
        pliant_pool_destroy(pool);
    }
}

// ---------------------------------------------------------------------------------------------
// The work is shared

typedef struct meeting {
    atomic_int come;
    int expected;
    atomic_bool failed;
} meeting;

// Ends when all have come, which they can only do on a thread each, or when it takes too long.
static void meet(int index, void *context)
{
    (void)index;
    meeting *m = context;
    atomic_fetch_add(&m->come, 1);
    for (int k = 0; atomic_load(&m->come) < m->expected && k < 100; ++k)
        wait_a_little();
    if (atomic_load(&m->come) < m->expected)
        atomic_store(&m->failed, true);
}

// All workers take part in a loop, if not in this one: on a busy machine the pool goes without them for a while.
static void run_until_all_meet(pliant_pool *pool, int count, pliant_task *task, meeting *m)
{
    for (int k = 0; k < 1000; ++k) {
        m->expected = count;
        atomic_store(&m->come, 0);
        atomic_store(&m->failed, false);
        pliant_pool_run(count, task, m, pool);
        if (!atomic_load(&m->failed))
            return;
    }
    fail_msg("%d workers have never met", count);
}

static void every_worker_works(void **state)
{
    (void)state;
    for (int w = 0; w < WORKERS_COUNT; ++w) {
        pliant_pool *pool = open_pool(WORKERS[w]);
        for (int count = 1; count <= WORKERS[w]; ++count) {
            meeting m = {0};
            run_until_all_meet(pool, count, meet, &m);
        }
        pliant_pool_destroy(pool);
    }
}

typedef struct roll_call {
    meeting m; // the first member: a task for meetings may be given a roll call
    pthread_t threads[MOST_WORKERS]; // by index
} roll_call;

static void answer_roll_call(int index, void *context)
{
    roll_call *call = context;
    call->threads[index] = pthread_self();
    meet(index, &call->m);
}

// With an index for each worker, all of which take part, it is always the same one's; the first is the caller's.
static void a_worker_begins_with_its_own_stretch(void **state)
{
    (void)state;
    for (int w = 0; w < WORKERS_COUNT; ++w) {
        pliant_pool *pool = open_pool(WORKERS[w]);
        roll_call first = {0};
        run_until_all_meet(pool, WORKERS[w], answer_roll_call, &first.m);
        assert_true(pthread_equal(first.threads[0], pthread_self()));
        for (int k = 0; k < 20; ++k) {
            roll_call next = {0};
            run_until_all_meet(pool, WORKERS[w], answer_roll_call, &next.m);
            for (int i = 0; i < WORKERS[w]; ++i)
                assert_true(pthread_equal(next.threads[i], first.threads[i]));
        }
        pliant_pool_destroy(pool);
    }
}

typedef struct hindrance {
    pthread_t caller;
    atomic_int naps; // of workers
    int caller_work; // so that the caller's part is not nothing
} hindrance;

// Workers have no processor for a while, in the middle of what they do; the caller works on.
static void nap_unless_caller(int index, void *context)
{
    (void)index;
    hindrance *h = context;
    if (pthread_equal(pthread_self(), h->caller)) {
        for (volatile int k = 0; k < 50000; ++k)
            ;
        h->caller_work += 1;
        return;
    }
    for (int k = 0; k < 10; ++k)
        wait_a_little();
    atomic_fetch_add(&h->naps, 1); // of 3 ms at least
}

// They are waited for some times; then they are tried now and then, and helped with again when they are quick.
static void workers_that_cannot_run_are_left_out(void **state)
{
    (void)state;
    enum { LOOPS = 400, INDICES = 16 };
    pliant_pool *pool = open_pool(2);
    hindrance h = {.caller = pthread_self()};
    double began = now_ms();
    for (int k = 0; k < LOOPS; ++k)
        pliant_pool_run(INDICES, nap_unless_caller, &h, pool);
    assert_int_equal(h.caller_work + atomic_load(&h.naps), INDICES * LOOPS);
    double lasted = now_ms() - began, napped = 3.0 * atomic_load(&h.naps);
    if (napped > 15.0 + 0.1 * lasted)
        fail_msg("%g ms of %g were lost by waiting", napped, lasted);
    meeting m = {0};
    run_until_all_meet(pool, 2, meet, &m);
    pliant_pool_destroy(pool);
}

static void note_thread(int index, void *context)
{
    (void)index;
    *(pthread_t *)context = pthread_self();
}

static void a_single_index_runs_on_the_calling_thread(void **state)
{
    (void)state;
    pliant_pool *pool = open_pool(2);
    for (int k = 0; k < 100; ++k) {
        pthread_t thread;
        pliant_pool_run(1, note_thread, &thread, pool);
        assert_true(pthread_equal(thread, pthread_self()));
    }
    pliant_pool_destroy(pool);
}

// ---------------------------------------------------------------------------------------------
// Loops at the same time

typedef struct nest {
    pliant_pool *pool;
    int visits[8][50];
} nest;

static void run_loop_within(int index, void *context)
{
    nest *n = context;
    pliant_pool_run(50, count_visit, n->visits[index], n->pool);
}

static void loops_within_loops_run(void **state)
{
    (void)state;
    for (int w = 0; w < WORKERS_COUNT; ++w) {
        nest n = {.pool = open_pool(WORKERS[w])};
        pliant_pool_run(8, run_loop_within, &n, n.pool);
        for (int i = 0; i < 8 * 50; ++i)
            assert_int_equal(n.visits[i / 50][i % 50], 1);
        pliant_pool_destroy(n.pool);
    }
}

static void *run_beside(void *context)
{
    nest *n = context;
    for (int k = 0; k < 500; ++k)
        pliant_pool_run(50, count_visit, n->visits[0], n->pool);
    return NULL;
}

static void two_threads_may_share_a_pool(void **state)
{
    (void)state;
    nest n = {.pool = open_pool(3)}, other = {.pool = n.pool};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, run_beside, &other), 0);
    run_beside(&n);
    pthread_join(thread, NULL);
    for (int i = 0; i < 50; ++i) {
        assert_int_equal(n.visits[0][i], 500);
        assert_int_equal(other.visits[0][i], 500);
    }
    pliant_pool_destroy(n.pool);
}

// ---------------------------------------------------------------------------------------------
// Making and ending

static void pools_come_and_go(void **state)
{
    (void)state;
    counting c = {0};
    pliant_allocator allocator = counting_allocator(&c);
    int visits[20];
    for (int k = 0; k < 200; ++k) {
        pliant_pool *pool = pliant_pool_create(1 + k % 8, &allocator, NULL);
        assert_non_null(pool);
        if (k % 3)
            check_each_index_once(pool, 20, visits);
        int calls = c.calls;
        pliant_pool_run(20, count_visit, visits, pool);
        assert_int_equal(c.calls, calls);
        pliant_pool_destroy(pool);
        assert_int_equal(c.live, 0);
    }
    pliant_pool_destroy(NULL);
}

static void zero_is_one_for_each_processor(void **state)
{
    (void)state;
    pliant_pool *pool = open_pool(0);
    int count = pliant_pool_worker_count(pool);
    assert_true(count >= 1 && count <= PLIANT_POOL_MOST_WORKERS);
    pliant_pool_destroy(pool);
    pool = open_pool(PLIANT_POOL_MOST_WORKERS);
    assert_int_equal(pliant_pool_worker_count(pool), PLIANT_POOL_MOST_WORKERS);
    int visits[200];
    check_each_index_once(pool, 200, visits);
    pliant_pool_destroy(pool);
}

static void impossible_numbers_are_refused(void **state)
{
    (void)state;
    static const int numbers[] = {-1, INT32_MIN, PLIANT_POOL_MOST_WORKERS + 1, INT32_MAX};
    for (int i = 0; i < 4; ++i) {
        pliant_error error = {0};
        assert_null(pliant_pool_create(numbers[i], NULL, &error));
        assert_int_equal(error.code, PLIANT_ERROR_ARGUMENT);
        assert_string_equal(error.place, "workers");
        assert_non_null(strstr(error.message, "[0, 64]"));
        assert_null(pliant_pool_create(numbers[i], NULL, NULL));
    }
}

static void no_memory_is_told(void **state)
{
    (void)state;
    counting c = {.fail_at = 1};
    pliant_allocator allocator = counting_allocator(&c);
    pliant_error error = {0};
    assert_null(pliant_pool_create(3, &allocator, &error));
    assert_int_equal(error.code, PLIANT_ERROR_MEMORY);
    assert_int_equal(c.live, 0);
}

#ifdef __GLIBC__
// Stacks that do not fit into the address space stand in for a system that is out of threads.
static void no_threads_are_told(void **state)
{
    (void)state;
    pthread_attr_t normal, huge;
    assert_int_equal(pthread_getattr_default_np(&normal), 0);
    assert_int_equal(pthread_getattr_default_np(&huge), 0);
    assert_int_equal(pthread_attr_setstacksize(&huge, (size_t)1 << 46), 0);
    assert_int_equal(pthread_setattr_default_np(&huge), 0);
    counting c = {0};
    pliant_allocator allocator = counting_allocator(&c);
    pliant_error error = {0};
    pliant_pool *pool = pliant_pool_create(8, &allocator, &error);
    assert_int_equal(pthread_setattr_default_np(&normal), 0);
    pthread_attr_destroy(&normal);
    pthread_attr_destroy(&huge);
    assert_null(pool);
    assert_int_equal(error.code, PLIANT_ERROR_THREADS);
    assert_non_null(strstr(error.message, "of 8 could be started: "));
    assert_int_equal(c.live, 0);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_each_index_once),
        cmocka_unit_test(many_short_loops_follow_each_other),
        cmocka_unit_test(sleepers_wake),
        cmocka_unit_test(every_worker_works),
        cmocka_unit_test(a_worker_begins_with_its_own_stretch),
        cmocka_unit_test(workers_that_cannot_run_are_left_out),
        cmocka_unit_test(a_single_index_runs_on_the_calling_thread),
        cmocka_unit_test(loops_within_loops_run),
        cmocka_unit_test(two_threads_may_share_a_pool),
        cmocka_unit_test(pools_come_and_go),
        cmocka_unit_test(zero_is_one_for_each_processor),
        cmocka_unit_test(impossible_numbers_are_refused),
        cmocka_unit_test(no_memory_is_told),
#ifdef __GLIBC__
        cmocka_unit_test(no_threads_are_told),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
