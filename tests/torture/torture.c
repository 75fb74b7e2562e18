// Random worlds, random events, and what must be so after every step whatever happens.
//
// Each seed is a world of its own. One that fails is printed with the command that repeats it.

#include "arena.h"

#include <pliant/pool.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Sanitizers slow everything down ten times.
#if defined(__SANITIZE_ADDRESS__)
#define TEST_WORLDS 300
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TEST_WORLDS 300
#endif
#endif
#ifndef TEST_WORLDS
#define TEST_WORLDS 1000
#endif

// s, in which what nothing drives comes to rest. Gravity drives what sinks: limp cloth that folds up, a body that creeps down a
// slope. Where a body has sunk in that time it begins again; but none may sink for longer than a minute.
static const double CALM_TIME = 10.0, SINKING_TIME = 60.0;

// How a world is run: none of it may change a bit of what happens.
typedef enum variant {
    AS_IT_IS,
    WITH_A_DETOUR, // half way: a snapshot, some steps in which bodies come and go, and back
    ON_TWO_THREADS,
    PORTABLE, // instructions
    VARIANTS
} variant;

static const char *const variant_names[VARIANTS] = {"as it is", "with a detour by a snapshot",
                                                    "on two threads", "with portable instructions"};

typedef struct totals {
    long worlds, steps, failures;
    long broken; // of the failures
    double fastest_ratio, highest_excess, largest_drift;
    long kinds[ARENA_KINDS];
} totals;

static void step_arena(arena *a)
{
    begin_check(a);
    pliant_world_step(a->world, a->dt);
    a->steps += 1;
    check_arena(a);
}

// A body goes, and another one like it comes elsewhere.
static void replace_body(pliant_world *world)
{
    if (pliant_world_body_count(world) == 0)
        return;
    pliant_body_id first = pliant_world_body_at(world, 0);
    pliant_body_def def = pliant_model_body_def(pliant_body_model(world, first));
    def.position = (pliant_vec3){0.3f, 5.0f, 0.2f};
    pliant_world_add_body(world, &def, NULL);
    pliant_world_remove_body(world, first);
}

// Steps that are taken back, and what came and went in them, leave nothing behind.
static void take_detour(arena *a)
{
    size_t size = pliant_world_snapshot_size(a->world);
    void *snapshot = malloc(size);
    pliant_world_snapshot(a->world, snapshot);
    for (int i = 0; i < 5; ++i) {
        pliant_world_step(a->world, 0.01f * (float)(i + 1));
        replace_body(a->world);
    }
    pliant_error error = {0};
    if (pliant_world_restore(a->world, snapshot, size, &error) != PLIANT_OK)
        break_arena(a, "the snapshot does not fit: %s: %s", error.place, error.message);
    free(snapshot);
}

static bool all_asleep(const arena *a)
{
    pliant_report report = pliant_world_report(a->world);
    return report.sleeping_bodies == report.bodies;
}

static void run_calm(arena *a)
{
    calm_arena(a);
    double begin = pliant_world_time(a->world), end = begin;
    do {
        end += CALM_TIME;
        note_heights(a);
        while (!a->has_failed && pliant_world_time(a->world) < end && !all_asleep(a)) {
            a->step += 1;
            a->dt = next_dt(a);
            step_arena(a);
        }
    } while (!a->has_failed && !all_asleep(a) && has_sunk(a) && end < begin + SINKING_TIME);
    if (!a->has_failed)
        check_calm(a, CALM_TIME);
}

static void run_arena(arena *a, variant how)
{
    for (a->step = 1; a->step <= a->step_count && !a->has_failed; ++a->step) {
        a->dt = next_dt(a);
        disturb_arena(a);
        if (a->step == a->step_count / 2) {
            a->hashes[0] = pliant_world_hash(a->world);
            if (how == WITH_A_DETOUR)
                take_detour(a);
        }
        step_arena(a);
    }
    if (!a->has_failed && a->kind == ARENA_SETTLING)
        run_calm(a);
    a->hashes[1] = pliant_world_hash(a->world);
}

static pliant_world_def def_of(variant how, pliant_pool *pool)
{
    pliant_world_def def = pliant_default_world_def();
    if (how == ON_TWO_THREADS) {
        def.parallel_for = pliant_pool_run;
        def.parallel_user_data = pool;
    }
    if (how == PORTABLE)
        def.instructions = PLIANT_INSTRUCTIONS_PORTABLE;
    return def;
}

// Runs a world in another way and compares.
static void run_variant(arena *first, variant how, pliant_pool *pool, totals *t)
{
    arena a;
    pliant_world_def def = def_of(how, pool);
    open_arena(&a, first->seed, &def, false);
    run_arena(&a, how);
    t->steps += a.steps;
    for (int k = 0; k < 2; ++k)
        if (a.hashes[k] != first->hashes[k])
            break_arena(first, "another hash %s %s", k == 0 ? "half way" : "at the end",
                        variant_names[how]);
    if (a.has_failed)
        fail_arena(first, "%s: %s", variant_names[how], a.failure);
    close_arena(&a);
}

static void run_seed(uint64_t seed, bool is_verbose, const char *program, pliant_pool *pool,
                     totals *t)
{
    arena a;
    pliant_world_def def = def_of(AS_IT_IS, pool);
    open_arena(&a, seed, &def, is_verbose);
    run_arena(&a, AS_IT_IS);
    t->worlds += 1;
    t->steps += a.steps;
    t->kinds[a.kind] += 1;
    if (!a.has_failed && (is_verbose || seed % 8 == 0))
        run_variant(&a, WITH_A_DETOUR, pool, t);
    if (!a.has_failed && (is_verbose || seed % 8 == 3))
        run_variant(&a, PORTABLE, pool, t);
    if (!a.has_failed && (is_verbose || seed % 16 == 5))
        run_variant(&a, ON_TWO_THREADS, pool, t);
    t->fastest_ratio = fmax(t->fastest_ratio, a.fastest_ratio);
    t->highest_excess = fmax(t->highest_excess, a.highest_excess);
    t->largest_drift = fmax(t->largest_drift, a.largest_drift);
    if (a.has_failed) {
        t->failures += 1;
        t->broken += a.is_broken;
        printf("%sseed %llu (%s), step %d: %s\n    repeat: %s --seed %llu --verbose\n",
               a.is_broken ? "BROKEN: " : "", (unsigned long long)seed, arena_kind_names[a.kind],
               a.step, a.failure, program, (unsigned long long)seed);
        fflush(stdout);
    }
    close_arena(&a);
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int usage(void)
{
    fprintf(stderr,
            "usage: torture [--seed N | --first N --count N | --test] [--allow P] [--seconds S] "
            "[--verbose]\n"
            "  --seed N      the world of one seed\n"
            "  --first N     seeds from N on, default 1\n"
            "  --count N     so many, default 100\n"
            "  --test        the part that runs with all other tests\n"
            "  --allow P     succeeds with failures in P percent of the worlds, unless\n"
            "                numbers, hashes or calls are bad\n"
            "  --seconds S   stops then\n"
            "  --verbose     tells what each world is and what happens\n");
    return 2;
}

int main(int argc, char **argv)
{
    uint64_t first = 1, count = 100;
    double seconds = 1e9, allowed = 0.0;
    bool is_verbose = false;
    for (int i = 1; i < argc; ++i) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (!strcmp(argv[i], "--verbose")) {
            is_verbose = true;
        } else if (!strcmp(argv[i], "--test")) {
            count = TEST_WORLDS;
        } else if (!value) {
            return usage();
        } else if (!strcmp(argv[i], "--seed")) {
            first = strtoull(value, NULL, 10);
            count = 1;
            ++i;
        } else if (!strcmp(argv[i], "--first")) {
            first = strtoull(value, NULL, 10);
            ++i;
        } else if (!strcmp(argv[i], "--count")) {
            count = strtoull(value, NULL, 10);
            ++i;
        } else if (!strcmp(argv[i], "--allow")) {
            allowed = strtod(value, NULL);
            ++i;
        } else if (!strcmp(argv[i], "--seconds")) {
            seconds = strtod(value, NULL);
            ++i;
        } else {
            return usage();
        }
    }
    pliant_error error = {0};
    pliant_pool *pool = pliant_pool_create(2, NULL, &error);
    if (!pool) {
        fprintf(stderr, "torture: %s\n", error.message);
        return 2;
    }
    totals t = {0};
    double begin = seconds_now();
    for (uint64_t k = 0; k < count && seconds_now() - begin < seconds; ++k)
        run_seed(first + k, is_verbose, argv[0], pool, &t);
    pliant_pool_destroy(pool);
    printf("%ld free, %ld honest, %ld lively, %ld settling; %.3g of the speed allowed, %.2g of the "
           "energy too much, momentum off by %.2g\n",
           t.kinds[0], t.kinds[1], t.kinds[2], t.kinds[3], t.fastest_ratio, t.highest_excess,
           t.largest_drift);
    printf("%ld worlds, %ld steps, %ld failures, %ld of them broken, %.1f s\n", t.worlds, t.steps,
           t.failures, t.broken, seconds_now() - begin);
    return t.broken > 0 || 100.0 * (double)t.failures > allowed * (double)t.worlds;
}
