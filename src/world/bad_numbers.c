// Bad numbers: a body whose state is not finite, or too far away, goes back to where the step began and is frozen.

#include "tasks.h"
#include "world.h"

#include "solve/particles.h"

#include <stdatomic.h>

// What the tasks of a body's particles need.
typedef struct state_job {
    pliant_world *world;
    const body *b;
    atomic_bool is_bad, is_fast;
} state_job;

static void remember_range(void *context, int first, int end)
{
    const state_job *job = context;
    const pliant_world *world = job->world;
    size_t from = (size_t)(job->b->particle_first + first), count = (size_t)(end - first);
    memcpy(world->x_good + from, world->x + from, count * sizeof *world->x);
    memcpy(world->turn_good + from, world->turn + from, count * sizeof *world->turn);
}

void pli_remember_good_state(pliant_world *world, body *b)
{
    state_job job = {.world = world, .b = b};
    pli_run_particles(world, b, remember_range, &job);
    b->has_before = true;
}

static void check_range(void *context, int first, int end)
{
    state_job *job = context;
    const pliant_world *world = job->world;
    int from = job->b->particle_first + first, count = end - first;
    bool (*are_within)(const float *numbers, int count, float limit) = world->kernels->are_within;
    if (!are_within(&world->x[from].x, 3 * count, LARGEST_COORDINATE) ||
        !are_within(&world->turn[from].x, 4 * count, 2.0f) ||
        !are_within(&world->v[from].x, 3 * count, FLT_MAX) ||
        !are_within(&world->spin[from].x, 3 * count, FLT_MAX))
        atomic_store_explicit(&job->is_bad, true, memory_order_relaxed);
    else if (!are_within(&world->v[from].x, 3 * count, 0.5f * LARGEST_SPEED))
        atomic_store_explicit(&job->is_fast, true, memory_order_relaxed);
}

// What constraints made too fast is slowed down.
static void limit_speeds(pliant_world *world, body *b)
{
    for (int i = b->particle_first; i < b->particle_first + b->model->source.particle_count; ++i) {
        vec3 v = limited_speed(world->v[i]);
        b->is_limited =
            b->is_limited || v.x != world->v[i].x || v.y != world->v[i].y || v.z != world->v[i].z;
        world->v[i] = v;
    }
}

bool pli_has_bad_numbers(pliant_world *world, body *b)
{
    state_job job = {.world = world, .b = b};
    pli_run_particles(world, b, check_range, &job);
    if (job.is_fast && !job.is_bad)
        limit_speeds(world, b);
    return job.is_bad;
}

void pli_freeze(pliant_world *world, body *b)
{
    for (int k = 0; k < b->model->source.particle_count; ++k) {
        int i = b->particle_first + k;
        world->x[i] = world->x_good[i];
        world->x_low[i] = (vec3){0, 0, 0};
        world->turn[i] = world->turn_good[i];
        world->v[i] = world->spin[i] = (vec3){0, 0, 0};
        world->has_target[i] = 0;
    }
    b->is_frozen = b->went_bad = true;
    b->has_before = false;
}
