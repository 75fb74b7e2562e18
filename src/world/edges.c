// Distances and torsion along edges (paper 2011, §5.2 and §5.5, the latter corrected).

#include "edges.h"

#include "edge_span.h"

float pliant_length_correction(vec3 start, vec3 d, float distance, float goal, float present,
                               vec3 *n)
{
    vec3 now = vec3_scale(d, 1.0f / distance), then = vec3_normalize_or(start, now);
    vec3 line = vec3_normalize_or(vec3_add_scaled(then, vec3_sub(now, then), present), now);
    float along = vec3_dot(d, line);
    float excess = (distance - goal) * (distance + goal), root = along * along - excess;
    if (along > START_COSINE * distance && root >= 0.0f) {
        *n = line;
        return excess / (along + square_root(root));
    }
    *n = now;
    return distance - goal;
}

edge_span pliant_edge_span(const pliant_world *world, const body *b)
{
    int p = b->particle_first;
    return (edge_span){.model = b->model,
                       .rest = pliant_body_rest(b)->edges,
                       .rest_turn = pliant_body_rest_turns(world, b),
                       .start = world->start + p,
                       .move = world->move + p,
                       .turn = world->turn + p,
                       .stretch_alpha = world->stretch_alpha + b->edge_first,
                       .torsion_alpha = world->torsion_alpha + b->edge_first};
}

// What the tasks of a body's blocks need.
typedef struct edge_job {
    const kernels *kernels;
    edge_span span;
} edge_job;

static void solve_block_distances(int block, void *context)
{
    const edge_job *job = context;
    const int32_t *start = job->span.model->edge_batches.block_start;
    job->kernels->solve_distances(&job->span, start[block], start[block + 1]);
}

void pliant_solve_distances(const substep *s, const body *b)
{
    edge_job job = {s->world->kernels, pliant_edge_span(s->world, b)};
    if (b->model->has_stretch)
        pliant_run_blocks(s->world, b, solve_block_distances, &job);
}

static void solve_block_torsion(int block, void *context)
{
    const edge_job *job = context;
    const int32_t *start = job->span.model->edge_batches.block_start;
    job->kernels->solve_torsion(&job->span, start[block], start[block + 1]);
}

void pliant_solve_torsion(const substep *s, const body *b)
{
    edge_job job = {s->world->kernels, pliant_edge_span(s->world, b)};
    if (b->model->has_torsion)
        pliant_run_blocks(s->world, b, solve_block_torsion, &job);
}
