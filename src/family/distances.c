// Distances: edges hold their length (paper 2011, §5.2). The edges that distances and torsion share are derived here.

#include "families.h"

#include "core/hash.h"
#include "model/derivation.h"
#include "solve/edges.h"
#include "world/edges.h"
#include "world/places.h"
#include "world/substep.h"

// ---------------------------------------------------------------------------------------------
// Of a model

// How the material around a particle yields: as its explicit group does, or as painted on it.
static void find_creep(const pliant_model *model, int32_t p, float *yield_strain, float *creep_rate)
{
    const elements *e = &model->source;
    int g = model->group_of[p] - 1;
    *yield_strain = g < 0 ? e->particles[p].yield_strain : e->groups[g].yield_strain;
    *creep_rate = g < 0 ? e->particles[p].creep_rate : e->groups[g].creep_rate;
}

// An edge creeps as the mean of its ends does, if both do and it has something to hold.
static void derive_creep(const pliant_model *model, edge *e)
{
    float yield_strain[2], creep_rate[2];
    find_creep(model, e->a, &yield_strain[0], &creep_rate[0]);
    find_creep(model, e->b, &yield_strain[1], &creep_rate[1]);
    bool holds = e->stretch_rate != 0.0f || e->torsion_rate != 0.0f;
    if (!holds || creep_rate[0] == 0.0f || creep_rate[1] == 0.0f)
        return;
    e->yield_strain = 0.5f * (yield_strain[0] + yield_strain[1]);
    e->creep_rate = 0.5f * (creep_rate[0] + creep_rate[1]);
}

static edge derive_edge(const derivation *d, const pliant_edge_def *def)
{
    edge out = {.a = def->a, .b = def->b};
    out.stretch_rate = pli_stiffness_rate(def->stretch_stiffness);
    if (def->stretch_limit > 0.0f)
        out.longest = 1.0f + def->stretch_limit;
    out.torsion_rate = pli_stiffness_rate(def->torsion_stiffness);
    // On a chain bending is the work of shape matching, torsion only resists twist.
    out.twist_only = !def->unlinked && degree(d, def->a) <= 2 && degree(d, def->b) <= 2;
    derive_creep(d->model, &out);
    return out;
}

// Diagonals of a sheet only link their ends. Where edges are swept over once more for their limits they are in batches of
// their own, which cost next to nothing.
static bool *find_idle(const derivation *d)
{
    const elements *e = &d->model->source;
    bool *is_idle = derivation_take(d, (size_t)e->edge_count, sizeof *is_idle), has_limits = false;
    for (int i = 0; i < e->edge_count; ++i)
        has_limits = has_limits || e->edges[i].stretch_limit > 0.0f;
    for (int i = 0; is_idle && has_limits && i < e->edge_count; ++i)
        is_idle[i] = e->edges[i].stretch_limit == 0.0f && e->edges[i].stretch_stiffness == 0.0f;
    return is_idle;
}

static bool derive(derivation *d)
{
    pliant_model *model = d->model;
    const elements *e = &model->source;
    for (int i = 0; i < e->edge_count; ++i) {
        d->start[i] = 2 * i;
        d->particles[2 * i] = e->edges[i].a;
        d->particles[2 * i + 1] = e->edges[i].b;
        d->block_of[i] = d->model->block_of[e->edges[i].a];
    }
    d->start[e->edge_count] = 2 * e->edge_count;
    model->edges = derivation_take(d, (size_t)e->edge_count, sizeof *model->edges);
    bool *is_idle = find_idle(d);
    constraint_list list = {d->start, d->particles, d->block_of, is_idle, e->edge_count};
    bool enough = model->edges && is_idle &&
                  pli_batch_constraints(&model->edge_batches, d->order, &list, model->blocks.count,
                                        e->particle_count, d->allocator);
    pli_memory_free(d->allocator, is_idle);
    if (!enough)
        return false;
    for (int i = 0; i < e->edge_count; ++i) {
        model->edges[i] = derive_edge(d, &e->edges[d->order[i]]);
        model->has_limits = model->has_limits || model->edges[i].longest > 0.0f;
        model->has_stretch = model->has_stretch || model->edges[i].stretch_rate != 0.0f;
        model->has_torsion = model->has_torsion || model->edges[i].torsion_rate != 0.0f;
        model->has_creep = model->has_creep || model->edges[i].creep_rate > 0.0f;
        model->has_twist_creep = model->has_twist_creep || can_twist_creep(&model->edges[i]);
    }
    return true;
}

static void release(pliant_model *model)
{
    pli_memory_free(&model->allocator, model->edges);
    pli_batching_free(&model->edge_batches, &model->allocator);
}

static bool is_in(const pliant_model *model)
{
    return model->has_stretch || model->has_limits;
}

static bool is_soft(const pliant_model *model)
{
    for (int i = 0; i < model->source.edge_count; ++i)
        if (model->edges[i].stretch_rate > 0.0f)
            return true;
    return false;
}

static void visit_block(const pliant_model *model, int block, particle_visitor *visit,
                        void *context)
{
    const batching *batches = &model->edge_batches;
    for (int t = batches->block_start[block]; t < batches->block_start[block + 1]; ++t)
        for (int k = 0; k < batches->batches[t].count; ++k) {
            const edge *e = &model->edges[batches->batches[t].first + k];
            visit(e->a, context);
            visit(e->b, context);
        }
}

// ---------------------------------------------------------------------------------------------
// Of a body

float pli_length_correction(vec3 start, vec3 d, float distance, float goal, float present, vec3 *n)
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

edge_span pli_edge_span(const pliant_world *world, const body *b)
{
    int p = b->particle_first;
    return (edge_span){.edges = b->model->edges,
                       .batches = b->model->edge_batches.batches,
                       .rest = pli_body_rest(b)->edges,
                       .twists = pli_body_rest(b)->twists,
                       .rest_turn = pli_body_rest_turns(world, b),
                       .start = world->start + p,
                       .move = world->move + p,
                       .turn = world->turn + p,
                       .stretch_alpha = world->stretch_alpha + b->edge_first,
                       .has_limits = b->model->has_limits,
                       .torsion_alpha = world->torsion_alpha + b->edge_first};
}

static void scale(pliant_world *world, body *b, float h, int iterations)
{
    for (int i = 0; i < b->model->source.edge_count; ++i)
        world->stretch_alpha[b->edge_first + i] =
            b->model->edges[i].is_chained
                ? 0.0f
                : scaled_alpha(b->model->edges[i].stretch_rate, b, h, iterations);
}

static int solve_block(const substep *s, const body *b, int block, int place)
{
    (void)place;
    edge_span span = pli_edge_span(s->world, b);
    const int32_t *start = b->model->edge_batches.block_start;
    s->world->kernels->solve_distances(&span, start[block], start[block + 1]);
    span.limits_only = span.has_limits && s->iterations == 1;
    if (span.limits_only)
        s->world->kernels->solve_distances(&span, start[block], start[block + 1]);
    return 0;
}

// Lengths that creep has changed.
static uint64_t hash(uint64_t state, const pliant_world *world, const body *b)
{
    (void)world;
    if (pli_body_is_plastic(b))
        for (int i = 0; i < b->model->source.edge_count; ++i)
            state = hash_float(state, b->own_rest.edges[i].length);
    return state;
}

const family pli_family_distances = {.name = "distances",
                                     .derive = derive,
                                     .release = release,
                                     .is_in = is_in,
                                     .is_soft = is_soft,
                                     .visit_block = visit_block,
                                     .scale = scale,
                                     .solve_block = solve_block,
                                     .hash = hash};
