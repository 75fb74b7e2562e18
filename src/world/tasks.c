// Tasks: how the work of a stage is dealt out to threads.

#include "tasks.h"
#include "world.h"

void pli_run_tasks(const pliant_world *world, int count, pliant_task *task, void *context)
{
    if (world->def.parallel_for && count > 1) {
        world->def.parallel_for(count, task, context, world->def.parallel_user_data);
        return;
    }
    for (int i = 0; i < count; ++i)
        task(i, context);
}

void pli_run_body_tasks(const pliant_world *world, const body *b, int count, pliant_task *task,
                        void *context)
{
    if (is_large(b)) {
        pli_run_tasks(world, count, task, context);
        return;
    }
    for (int i = 0; i < count; ++i)
        task(i, context);
}

typedef struct block_job {
    const int32_t *blocks;
    pliant_task *task;
    void *context;
} block_job;

static void run_block(int index, void *context)
{
    const block_job *job = context;
    job->task(job->blocks[index], job->context);
}

void pli_run_blocks(const pliant_world *world, const body *b, pliant_task *task, void *context)
{
    const block_plan *plan = &b->model->blocks;
    for (int c = 0; c < plan->colour_count; ++c) {
        int first = plan->colour_start[c], count = plan->colour_start[c + 1] - first;
        block_job job = {plan->order + first, task, context};
        pli_run_body_tasks(world, b, count, run_block, &job);
    }
}

typedef struct range_job {
    particle_task *task;
    void *context;
    int count;
} range_job;

static void run_range(int index, void *context)
{
    const range_job *job = context;
    int first = index * RANGE_PARTICLES;
    int end = job->count - first < RANGE_PARTICLES ? job->count : first + RANGE_PARTICLES;
    job->task(job->context, first, end);
}

void pli_run_particles(const pliant_world *world, const body *b, particle_task *task, void *context)
{
    range_job job = {task, context, b->model->source.particle_count};
    if (is_large(b))
        pli_run_tasks(world, particle_ranges(b->model), run_range, &job);
    else
        task(context, 0, job.count);
}
