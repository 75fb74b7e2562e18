// Torsion: the ends of an edge keep their rotation against each other (paper 2011, §5.5, corrected). Its edges are those of
// distances.c.

#include "families.h"

#include "core/hash.h"
#include "solve/edges.h"
#include "world/places.h"
#include "world/substep.h"

static bool is_in(const pliant_model *model)
{
    return model->has_torsion;
}

static bool is_soft(const pliant_model *model)
{
    for (int i = 0; i < model->source.edge_count; ++i)
        if (model->edges[i].torsion_rate > 0.0f)
            return true;
    return false;
}

static void scale(pliant_world *world, body *b, float h, int iterations)
{
    for (int i = 0; i < b->model->source.edge_count; ++i)
        world->torsion_alpha[b->edge_first + i] =
            scaled_alpha(b->model->edges[i].torsion_rate, b, h, iterations);
}

static int solve_block(const substep *s, const body *b, int block, int place)
{
    (void)place;
    edge_span span = pli_edge_span(s->world, b);
    const int32_t *start = b->model->edge_batches.block_start;
    s->world->kernels->solve_torsion(&span, start[block], start[block + 1]);
    return 0;
}

// Twists that creep has left.
static uint64_t hash(uint64_t state, const pliant_world *world, const body *b)
{
    (void)world;
    if (b->model->has_twist_creep)
        for (int i = 0; i < b->model->source.edge_count; ++i)
            state = hash_quat(state, b->own_rest.twists[i]);
    return state;
}

const family pli_family_torsion = {.name = "torsion",
                                   .is_in = is_in,
                                   .is_soft = is_soft,
                                   .scale = scale,
                                   .solve_block = solve_block,
                                   .hash = hash};
