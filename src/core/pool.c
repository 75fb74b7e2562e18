// A pool of threads.
//
// A loop is open while there are indices left. Workers that come while it is open enter, take indices beside the
// calling thread, and leave. The caller closes the loop when no index is left and waits for those who entered: one
// that sleeps through a short loop holds up nobody.
//
// Each worker begins with a stretch of the indices that is its own, if there are enough for all, and helps others with
// theirs when that is done. So in loops over the same things, one after another, most of these stay with one worker and
// in its processor's cache. Which thread runs an index is still left to chance: results do not depend on it.
//
// A thread whose processor another program takes in the middle of an index holds up all of a loop for as long as that
// program's turn lasts, which is longer than most loops. So the caller keeps an account of what workers save it and what
// it loses by them. When it loses more, it goes without them for many times as long as it has lost: beside a busy program
// a pool is as fast as one thread but for a few percent.

#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE // sched_getaffinity
#elif defined(__unix__) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

#include <pliant/pool.h>

#include "error.h"
#include "math/scalar.h"
#include "memory.h"

static void run_inline(int count, pliant_task *task, void *context)
{
    for (int i = 0; i < count; ++i)
        task(i, context);
}

static bool check_workers(int workers, pliant_error *error)
{
    if (workers >= 0 && workers <= PLIANT_POOL_MOST_WORKERS)
        return true;
    pli_error_set(error, PLIANT_ERROR_ARGUMENT, "workers", "%d is not in [0, %d]", workers,
                  PLIANT_POOL_MOST_WORKERS);
    return false;
}

#if defined(__wasi__)

struct pliant_pool {
    pliant_allocator allocator;
};

pliant_pool *pliant_pool_create(int workers, const pliant_allocator *allocator, pliant_error *error)
{
    if (!check_workers(workers, error))
        return NULL;
    pliant_allocator own = pli_allocator_or_default(allocator);
    pliant_pool *pool = pli_memory_new(&own, 1, sizeof *pool);
    if (pool)
        pool->allocator = own;
    else
        pli_error_memory(error);
    return pool;
}

void pliant_pool_destroy(pliant_pool *pool)
{
    if (!pool)
        return;
    pliant_allocator allocator = pool->allocator;
    pli_memory_free(&allocator, pool);
}

int pliant_pool_worker_count(const pliant_pool *pool)
{
    (void)pool;
    return 1;
}

void pliant_pool_run(int count, pliant_task *task, void *context, void *pool)
{
    (void)pool;
    run_inline(count, task, context);
}

#else

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// The gate: how many workers have entered the loop, whether it is open, whether the pool ends, and the loop's
// number, by which a worker knows that it has not been there yet. A number may come again after millions of
// loops: a worker that slept through all of them misses one, and the others do its part.
enum { GATE_ENTERED = 0x7f, GATE_OPEN = 0x80, GATE_END = 0x100, GATE_NEXT_NUMBER = 0x200 };
static const unsigned GATE_NUMBER = ~0x1ffu;

// Waking a thread takes longer than many a loop: who waits looks on for this long before it sleeps.
static const int64_t SPIN_NANOSECONDS = 60000;

// The caller looks no longer than this for workers that are still in a loop: its processor may be what they need.
static const int64_t PATIENCE_NANOSECONDS = 20000;

// Loops that follow each other within the first of these times are looked at together, for the second.
static const int64_t LONGEST_GAP_NANOSECONDS = 200000;
static const double SETTLED_NANOSECONDS = 1e6;

static const double ABSENCE_WEIGHT = 0.1; // of a newer part of the time among older ones

// What workers have saved is remembered up to the first of these, some turns of other programs. When as much as the second
// is lost, the caller goes without them for so many times that. Less would not let the system move threads apart that it
// has woken on one processor.
static const double MOST_SAVED_NANOSECONDS = 1e7, MOST_LOST_NANOSECONDS = 2e6, REST_PER_LOSS = 30.0;

enum {
    CACHE_LINE = 64,
    LOOKS_PER_CLOCK = 32,  // the clock is read after so many looks
    SHARES_PER_WORKER = 32 // indices are taken in shares when there are many: few enough to be even
};

typedef struct stretch {
    _Alignas(CACHE_LINE) atomic_uint next; // the first index nobody has taken
    unsigned end;
} stretch;

typedef struct worker {
    _Alignas(CACHE_LINE) pliant_pool *pool;
    pthread_t thread;
    atomic_bool is_inside; // a loop
} worker;

// What workers are worth to the caller, in ns.
typedef struct account {
    // Since the stretch of loops began that is looked at
    int64_t began, began_run; // when, and for how long the caller had had a processor before
    int64_t last_end;         // of a loop
    double saved, waited, lost;

    double balance;       // saved of late, less what was lost
    double usual_absence; // part of the time that the caller has no processor, without workers
    int64_t rest_end;     // when workers may enter loops again
} account;

struct pliant_pool {
    pliant_allocator allocator;
    int thread_count; // without the caller's
    bool spins;
    pthread_mutex_t mutex; // taken by those who go to sleep and those who wake them
    pthread_cond_t loop_began, workers_left;
    atomic_int sleepers; // threads that wait for loop_began, or are about to
    atomic_bool caller_sleeps;
    atomic_flag is_running;
    pliant_task *task; // what is in the loop: written before the gate opens
    void *context;
    unsigned share;
    int stretch_count;
    account account;
    _Alignas(CACHE_LINE) atomic_uint gate;
    _Alignas(CACHE_LINE) atomic_int left; // workers that entered the loop and have left it
    stretch stretches[PLIANT_POOL_MOST_WORKERS];
    worker workers[PLIANT_POOL_MOST_WORKERS]; // the caller is the first of them
};

// ---------------------------------------------------------------------------------------------
// Waiting without sleep

typedef struct spin {
    int64_t length; // ns
    int looks;
    int64_t end; // ns
} spin;

static int64_t nanoseconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void pause_a_little(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__ARM_ARCH_7A__)
    __asm__ volatile("yield");
#endif
}

// Whether it is worth to look once more before going to sleep.
static bool may_look_again(const pliant_pool *pool, spin *s)
{
    if (!pool->spins)
        return false;
    pause_a_little();
    if (s->looks++ % LOOKS_PER_CLOCK)
        return true;
    int64_t now = nanoseconds(CLOCK_MONOTONIC);
    if (s->end == 0)
        s->end = now + s->length;
    return now < s->end;
}

// ---------------------------------------------------------------------------------------------
// The workers

// Who holds the mutex looks before it sleeps: afterwards it either has seen what there is, or can be woken.
static void wait_for_those_who_look(pliant_pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
}

// Returns how many indices it has run.
static unsigned take_stretch(pliant_pool *pool, stretch *s)
{
    pliant_task *task = pool->task;
    void *context = pool->context;
    unsigned last = s->end, share = pool->share, taken = 0;
    // A look first: to try and take from what is empty would keep others from it.
    while (atomic_load_explicit(&s->next, memory_order_relaxed) < last) {
        unsigned first = atomic_fetch_add_explicit(&s->next, share, memory_order_relaxed);
        if (first >= last)
            break;
        unsigned end = last - first < share ? last : first + share;
        for (unsigned i = first; i < end; ++i)
            task((int)i, context);
        taken += end - first;
    }
    return taken;
}

// Of all stretches, from the worker's own on.
static int take_indices(pliant_pool *pool, int number)
{
    int count = pool->stretch_count;
    unsigned taken = 0;
    for (int i = 0; i < count; ++i)
        taken += take_stretch(pool, &pool->stretches[(number + i) % count]);
    return (int)taken;
}

// Whether there is a loop that is not the one `seen`, or the end of the pool.
static bool has_news(unsigned gate, unsigned seen)
{
    return (gate & GATE_END) || ((gate & GATE_OPEN) && (gate & GATE_NUMBER) != seen);
}

// Until somebody wakes it. The loop it was woken for may be over by then, but more are likely to follow.
static void sleep_once(pliant_pool *pool, unsigned seen)
{
    pthread_mutex_lock(&pool->mutex);
    // In one order for all: either the caller sees the sleeper, or the sleeper sees the open gate.
    atomic_fetch_add(&pool->sleepers, 1);
    if (!has_news(atomic_load(&pool->gate), seen))
        pthread_cond_wait(&pool->loop_began, &pool->mutex);
    atomic_fetch_sub(&pool->sleepers, 1);
    pthread_mutex_unlock(&pool->mutex);
}

static unsigned wait_for_news(pliant_pool *pool, unsigned seen)
{
    for (;;) {
        spin s = {.length = SPIN_NANOSECONDS};
        do {
            unsigned gate = atomic_load_explicit(&pool->gate, memory_order_relaxed);
            if (has_news(gate, seen))
                return gate;
        } while (may_look_again(pool, &s));
        sleep_once(pool, seen);
    }
}

// False when the loop was closed before.
static bool enter(pliant_pool *pool, unsigned gate)
{
    unsigned number = gate & GATE_NUMBER;
    while ((gate & GATE_OPEN) && (gate & GATE_NUMBER) == number) {
        if (atomic_compare_exchange_weak_explicit(&pool->gate, &gate, gate + 1,
                                                  memory_order_acquire, memory_order_relaxed))
            return true;
    }
    return false;
}

static void leave(pliant_pool *pool)
{
    atomic_fetch_add(&pool->left, 1);
    if (!atomic_load(&pool->caller_sleeps))
        return;
    wait_for_those_who_look(pool);
    pthread_cond_signal(&pool->workers_left);
}

static void *work(void *argument)
{
    worker *self = argument;
    pliant_pool *pool = self->pool;
    int number = (int)(self - pool->workers);
    unsigned seen = 0;
    for (;;) {
        unsigned gate = wait_for_news(pool, seen);
        if (gate & GATE_END)
            return NULL;
        seen = gate & GATE_NUMBER;
        if (enter(pool, gate)) {
            atomic_store_explicit(&self->is_inside, true, memory_order_relaxed);
            take_indices(pool, number);
            atomic_store_explicit(&self->is_inside, false, memory_order_relaxed);
            leave(pool);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// The caller

static void wake_sleepers(pliant_pool *pool, int wanted)
{
    int sleepers = atomic_load(&pool->sleepers);
    int awake = pool->thread_count - sleepers;
    if (sleepers == 0 || wanted <= awake)
        return;
    wait_for_those_who_look(pool);
    if (wanted >= pool->thread_count) {
        pthread_cond_broadcast(&pool->loop_began);
        return;
    }
    for (int i = awake; i < wanted; ++i)
        pthread_cond_signal(&pool->loop_began);
}

static void lay_out_stretches(pliant_pool *pool, int count)
{
    int workers = pool->thread_count + 1, parts = count < workers ? count : workers;
    pool->stretch_count = parts;
    for (int i = 0; i < parts; ++i) {
        atomic_store_explicit(&pool->stretches[i].next, (unsigned)((int64_t)count * i / parts),
                              memory_order_relaxed);
        pool->stretches[i].end = (unsigned)((int64_t)count * (i + 1) / parts);
    }
}

static void open_loop(pliant_pool *pool, int count, pliant_task *task, void *context)
{
    pool->task = task;
    pool->context = context;
    int share = count / ((pool->thread_count + 1) * SHARES_PER_WORKER);
    pool->share = share > 1 ? (unsigned)share : 1;
    lay_out_stretches(pool, count);
    atomic_store_explicit(&pool->left, 0, memory_order_relaxed);
    unsigned gate = atomic_load_explicit(&pool->gate, memory_order_relaxed);
    unsigned number = (gate & GATE_NUMBER) + GATE_NEXT_NUMBER;
    atomic_store(&pool->gate, number | GATE_OPEN);
    wake_sleepers(pool, count - 1);
}

// A bit for each worker that is in the loop.
static uint64_t workers_inside(const pliant_pool *pool)
{
    uint64_t inside = 0;
    for (int i = 1; i <= pool->thread_count; ++i) {
        if (atomic_load_explicit(&pool->workers[i].is_inside, memory_order_relaxed))
            inside |= (uint64_t)1 << i;
    }
    return inside;
}

// ns that a worker has had a processor so far; 0 where the system does not tell.
static int64_t time_of(const worker *w)
{
#if defined(_POSIX_THREAD_CPUTIME) && _POSIX_THREAD_CPUTIME >= 0
    clockid_t clock;
    return pthread_getcpuclockid(w->thread, &clock) == 0 ? nanoseconds(clock) : 0;
#else
    (void)w;
    return 0;
#endif
}

// Of some workers, all together.
static int64_t time_run(const pliant_pool *pool, uint64_t workers)
{
    int64_t sum = 0;
    for (int i = 1; i <= pool->thread_count; ++i)
        if (workers >> i & 1)
            sum += time_of(&pool->workers[i]);
    return sum;
}

static bool looks_until_left(pliant_pool *pool, int entered)
{
    spin s = {.length = PATIENCE_NANOSECONDS};
    do {
        if (atomic_load_explicit(&pool->left, memory_order_acquire) == entered)
            return true;
    } while (may_look_again(pool, &s));
    return false;
}

static void sleep_until_left(pliant_pool *pool, int entered)
{
    pthread_mutex_lock(&pool->mutex);
    // In one order for all: either the worker sees that the caller sleeps, or the caller that it left.
    atomic_store(&pool->caller_sleeps, true);
    while (atomic_load(&pool->left) < entered)
        pthread_cond_wait(&pool->workers_left, &pool->mutex);
    atomic_store(&pool->caller_sleeps, false);
    pthread_mutex_unlock(&pool->mutex);
}

// Waits for the workers that entered.
static void close_loop(pliant_pool *pool)
{
    unsigned gate =
        atomic_fetch_and_explicit(&pool->gate, ~(unsigned)GATE_OPEN, memory_order_relaxed);
    int entered = (int)(gate & GATE_ENTERED);
    if (looks_until_left(pool, entered))
        return;
    uint64_t inside = workers_inside(pool);
    int64_t began = nanoseconds(CLOCK_MONOTONIC), ran = time_run(pool, inside);
    sleep_until_left(pool, entered);
    ran = time_run(pool, inside) - ran;
    int64_t waited = nanoseconds(CLOCK_MONOTONIC) - began;
    pool->account.waited += (double)waited;
    pool->account.lost += waited > ran ? (double)(waited - ran) : 0.0;
}

// ---------------------------------------------------------------------------------------------
// What workers are worth

static void begin_account(account *a, int64_t now)
{
    a->began = now;
    a->began_run = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
    a->saved = a->waited = a->lost = 0.0;
}

// What the caller does between two loops that are far apart is its own affair.
static void resume_account(account *a, int64_t now)
{
    if (now - a->last_end > LONGEST_GAP_NANOSECONDS)
        begin_account(a, now);
}

// What the workers have done of a loop the caller would have needed as long for, per index, as for its own part. Half of
// that counts: two who work side by side are slower, each, than one alone.
static void note_saved(pliant_pool *pool, int count, int own, int64_t worked)
{
    double most = pool->thread_count, others = own > 0 ? (double)(count - own) / own : most;
    pool->account.saved += 0.5 * (double)worked * (others < most ? others : most);
}

// The caller loses what it waits for workers that have no processor, and the time in which it has none itself, as far as
// that is unusual: then workers have taken it, or keep it beside another program.
static void settle_account(pliant_pool *pool, int64_t now, bool was_alone)
{
    account *a = &pool->account;
    a->last_end = now;
    double length = (double)(now - a->began);
    if (length < SETTLED_NANOSECONDS)
        return;
    double ran = (double)(nanoseconds(CLOCK_THREAD_CPUTIME_ID) - a->began_run);
    double absent = length - ran - a->waited;
    absent = absent < 0.0 ? 0.0 : absent / length;
    if (was_alone) {
        a->usual_absence += ABSENCE_WEIGHT * (absent - a->usual_absence);
    } else {
        double unusual = absent > a->usual_absence ? absent - a->usual_absence : 0.0;
        a->balance += (1.0 - absent) * a->saved - a->lost - unusual * length;
    }
    if (a->balance < -MOST_LOST_NANOSECONDS) {
        a->rest_end = now - (int64_t)(REST_PER_LOSS * a->balance);
        a->balance = 0.0;
    }
    a->balance = a->balance < MOST_SAVED_NANOSECONDS ? a->balance : MOST_SAVED_NANOSECONDS;
    begin_account(a, now);
}

// ---------------------------------------------------------------------------------------------
// A loop

static void run_together(pliant_pool *pool, int count, pliant_task *task, void *context,
                         int64_t began)
{
    open_loop(pool, count, task, context);
    int own = take_indices(pool, 0);
    note_saved(pool, count, own, nanoseconds(CLOCK_MONOTONIC) - began);
    close_loop(pool);
}

void pliant_pool_run(int count, pliant_task *task, void *context, void *user_data)
{
    pliant_pool *pool = user_data;
    if (count <= 1 || pool->thread_count == 0 ||
        atomic_flag_test_and_set_explicit(&pool->is_running, memory_order_acquire)) {
        run_inline(count, task, context);
        return;
    }
    int64_t began = nanoseconds(CLOCK_MONOTONIC);
    bool is_alone = began < pool->account.rest_end;
    resume_account(&pool->account, began);
    if (is_alone)
        run_inline(count, task, context);
    else
        run_together(pool, count, task, context, began);
    settle_account(pool, nanoseconds(CLOCK_MONOTONIC), is_alone);
    atomic_flag_clear_explicit(&pool->is_running, memory_order_release);
}

// ---------------------------------------------------------------------------------------------
// Making and ending

static int processor_count(void)
{
#if defined(__linux__)
    cpu_set_t set; // those this process may use
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
#endif
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : online > INT32_MAX ? INT32_MAX : (int)online;
}

// Signals are the program's own: they go to its threads, not to these.
static int start_threads(pliant_pool *pool, int wanted)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int number = 0;
    while (number == 0 && pool->thread_count < wanted) {
        worker *next = &pool->workers[pool->thread_count + 1];
        next->pool = pool;
        number = pthread_create(&next->thread, NULL, work, next);
        pool->thread_count += number == 0;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return number;
}

pliant_pool *pliant_pool_create(int workers, const pliant_allocator *allocator, pliant_error *error)
{
    if (!check_workers(workers, error))
        return NULL;
    int processors = processor_count();
    if (workers == 0)
        workers = processors < PLIANT_POOL_MOST_WORKERS ? processors : PLIANT_POOL_MOST_WORKERS;
    pliant_allocator own = pli_allocator_or_default(allocator);
    pliant_pool *pool = pli_memory_new(&own, 1, sizeof *pool);
    if (!pool) {
        pli_error_memory(error);
        return NULL;
    }
    pool->allocator = own;
    pool->spins = workers <= processors; // otherwise it would keep others from working
    atomic_flag_clear(&pool->is_running);
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->loop_began, NULL);
    pthread_cond_init(&pool->workers_left, NULL);
    int number = start_threads(pool, workers - 1);
    if (number == 0)
        return pool;
    pli_error_set(error, PLIANT_ERROR_THREADS, "workers", "%d of %d could be started: %s",
                  pool->thread_count + 1, workers, strerror(number));
    pliant_pool_destroy(pool);
    return NULL;
}

void pliant_pool_destroy(pliant_pool *pool)
{
    if (!pool)
        return;
    atomic_fetch_or(&pool->gate, GATE_END);
    wait_for_those_who_look(pool);
    pthread_cond_broadcast(&pool->loop_began);
    for (int i = 1; i <= pool->thread_count; ++i)
        pthread_join(pool->workers[i].thread, NULL);
    pthread_cond_destroy(&pool->workers_left);
    pthread_cond_destroy(&pool->loop_began);
    pthread_mutex_destroy(&pool->mutex);
    pliant_allocator own = pool->allocator;
    pli_memory_free(&own, pool);
}

int pliant_pool_worker_count(const pliant_pool *pool)
{
    return pool->thread_count + 1;
}

#endif
