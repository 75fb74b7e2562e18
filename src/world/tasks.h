// Work that is done side by side. See tasks.c.

#ifndef PLIANT_WORLD_TASKS_H
#define PLIANT_WORLD_TASKS_H

#include "world.h"

// Runs a task for each index through the world's parallel_for, or one after another without one.
void pli_run_tasks(const pliant_world *world, int count, pliant_task *task, void *context);
// Runs a task for each index, side by side if the body is large: another one is itself a task among many.
void pli_run_body_tasks(const pliant_world *world, const body *b, int count, pliant_task *task,
                        void *context);
// Runs task(block, context) for the blocks of a body's model, those of one colour side by side if it is large.
void pli_run_blocks(const pliant_world *world, const body *b, pliant_task *task, void *context);

// Runs task(context, first, end) for all of a body's particles or, if it is large, for ranges of them side by side. A range
// has so many, a multiple of eight, the width of the kernels; what is done with it stays in a cache.
enum { RANGE_PARTICLES = 2048 };

// How many ranges a large body has.
static inline int particle_ranges(const pliant_model *model)
{
    return (model->source.particle_count + RANGE_PARTICLES - 1) / RANGE_PARTICLES;
}

typedef void particle_task(void *context, int first, int end);
void pli_run_particles(const pliant_world *world, const body *b, particle_task *task,
                       void *context);

#endif
