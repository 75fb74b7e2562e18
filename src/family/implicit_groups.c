// Implicit groups: each particle with its neighbours (paper 2011, §3). How they are fitted stands in groups.c.

#include "groups.h"

#include "core/hash.h"
#include "model/derivation.h"
#include "model/elastic.h"
#include "world/elastic_groups.h"
#include "world/substep.h"

// ---------------------------------------------------------------------------------------------
// Of a model

// Whether the implicit group around `p` takes in its neighbour. One that stands in leaves out those that a
// group which does not let go holds: a joint would otherwise stiffen when its group is loose.
static bool takes_in(const derivation *d, int32_t p, int32_t neighbour)
{
    return !d->is_dentable[p] || !d->model->group_of[neighbour] || d->is_dentable[neighbour];
}

static bool has_implicit_group(const derivation *d, int32_t p)
{
    if (d->model->group_of[p] && !d->is_dentable[p])
        return false;
    for (int k = d->links.start[p]; k < d->links.start[p + 1]; ++k)
        if (takes_in(d, p, d->links.neighbours[k]))
            return true;
    return false;
}

// How many members the largest of some lanes has.
static int largest_in_lanes(const derivation *d, const group *found, const batch *t, int first,
                            int end)
{
    int most = 0;
    for (int lane = first; lane < end && lane < t->count; ++lane) {
        int size = found[d->order[t->first + lane]].slot_count;
        most = size > most ? size : most;
    }
    return most;
}

// The rows of a batch: member k of each of its groups in row k.
static void place_batch(derivation *d, const group *found, const batch *t, group_rows *rows)
{
    pliant_model *model = d->model;
    const int32_t *order = d->order + t->first;
    *rows = (group_rows){model->row_count,
                         largest_in_lanes(d, found, t, 0, LANES),
                         {largest_in_lanes(d, found, t, 0, LANES / 2),
                          largest_in_lanes(d, found, t, LANES / 2, LANES)}};
    for (int lane = 0; lane < LANES; ++lane) {
        bool is_used = lane < t->count;
        group g = found[order[is_used ? lane : t->count - 1]];
        int from = g.first_slot;
        g.first_slot = rows->first * LANES + lane;
        g.slot_room = rows->count;
        g.stride = LANES;
        g.first_spread = model->spread_row_count * LANES + lane;
        for (int k = 0; k < rows->count; ++k)
            model->slot_offsets[group_slot(&g, k)] =
                SLOT_STRIDE * d->particles[k < g.slot_count ? from + k : from];
        if (is_used)
            model->groups[model->group_count++] = g;
    }
    model->row_count += rows->count;
    model->spread_row_count += 1;
}

static bool append_implicit_groups(derivation *d, const group *found, int count)
{
    pliant_model *model = d->model;
    constraint_list list = {d->start, d->particles, d->block_of, d->is_thin, count};
    for (int i = 0; i < count; ++i) {
        d->block_of[i] = d->model->block_of[found[i].source];
        d->is_thin[i] = pli_rest_is_thin(model, d->particles + d->start[i], found[i].slot_count,
                                         found[i].oriented_count, d->pinned);
    }
    if (!pli_batch_constraints(&model->group_batches, d->order, &list, model->blocks.count,
                               model->source.particle_count, d->allocator))
        return false;
    const batching *batches = &model->group_batches;
    size_t rows = 0, explicit_rows = 0;
    for (int t = 0; t < batches->batch_count; ++t)
        rows += (size_t)largest_in_lanes(d, found, &batches->batches[t], 0, LANES);
    for (int g = 0; g < model->source.group_count; ++g)
        explicit_rows += ((size_t)model->source.groups[g].member_count + LANES - 1) / LANES;
    if (rows + explicit_rows > INT32_MAX / LANES ||
        model->source.particle_count > INT32_MAX / SLOT_STRIDE)
        return false;
    model->slot_offsets = derivation_take(d, (rows + explicit_rows) * LANES, sizeof(int32_t));
    model->group_rows = derivation_take(d, (size_t)batches->batch_count, sizeof *model->group_rows);
    if (!model->slot_offsets || !model->group_rows)
        return false;
    for (int t = 0; t < batches->batch_count; ++t)
        place_batch(d, found, &batches->batches[t], &model->group_rows[t]);
    return true;
}

// One group per particle: the particle itself, then its neighbours.
static bool build_implicit_groups(derivation *d, group *found)
{
    const elements *e = &d->model->source;
    int count = 0, slots = 0;
    for (int32_t p = 0; p < e->particle_count; ++p) {
        if (!has_implicit_group(d, p))
            continue;
        group *out = &found[count];
        *out = (group){.source = p,
                       .first_slot = slots,
                       .oriented_count = is_oriented(d, p) ? 1 : 0,
                       .turned_count = 1,
                       .rate = pli_stiffness_rate(e->particles[p].stiffness),
                       .stands_in = d->is_dentable[p],
                       .yield_strain = e->particles[p].yield_strain,
                       .creep_rate = d->is_dentable[p] ? 0.0f : e->particles[p].creep_rate};
        d->start[count++] = slots;
        d->particles[slots++] = p;
        for (int k = d->links.start[p]; k < d->links.start[p + 1]; ++k)
            if (takes_in(d, p, d->links.neighbours[k]))
                d->particles[slots++] = d->links.neighbours[k];
        out->slot_count = slots - out->first_slot;
    }
    d->start[count] = slots;
    d->model->implicit_count = count;
    return append_implicit_groups(d, found, count);
}

static bool derive(derivation *d)
{
    pliant_model *model = d->model;
    size_t particles = (size_t)model->source.particle_count;
    size_t most = particles + (size_t)model->source.group_count;
    model->groups = derivation_take(d, most, sizeof *model->groups);
    model->stand_in_of = derivation_take(d, particles, sizeof *model->stand_in_of);
    group *found = derivation_take(d, particles, sizeof *found);
    bool enough = model->groups && model->stand_in_of && found && build_implicit_groups(d, found);
    pli_memory_free(d->allocator, found);
    for (int i = 0; enough && i < model->implicit_count; ++i) {
        const group *g = &model->groups[i];
        if (g->stands_in)
            model->stand_in_of[g->source] = i + 1;
        model->has_creep = model->has_creep || g->creep_rate > 0.0f;
    }
    return enough && pli_derive_elastic(d);
}

// The arrays of groups hold the explicit ones, too.
static void release(pliant_model *model)
{
    pli_memory_free(&model->allocator, model->groups);
    pli_memory_free(&model->allocator, model->stand_in_of);
    pli_memory_free(&model->allocator, model->slot_offsets);
    pli_memory_free(&model->allocator, model->group_rows);
    pli_batching_free(&model->group_batches, &model->allocator);
    pli_elastic_release(model);
}

static bool is_in(const pliant_model *model)
{
    return model->implicit_count > 0;
}

static bool is_soft(const pliant_model *model)
{
    return pli_groups_are_soft(model, 0, model->implicit_count);
}

static void visit_block(const pliant_model *model, int block, particle_visitor *visit,
                        void *context)
{
    const int32_t *start = model->group_batches.block_start;
    for (int t = start[block]; t < start[block + 1]; ++t) {
        const group_rows *rows = &model->group_rows[t];
        for (int k = 0; k < rows->count * LANES; ++k)
            visit(slot_particle(model->slot_offsets, rows->first * LANES + k), context);
    }
}

// ---------------------------------------------------------------------------------------------
// Of a body

static void scale(pliant_world *world, body *b, float h, int iterations)
{
    pli_groups_scale(world, b, 0, b->model->implicit_count, h, iterations);
    if (b->model->elastic)
        pli_elastic_scale(world, b, h, iterations);
}

// What is noted of a block goes where another one would have it.
static group_span span_in_place(const substep *s, const body *b, int block, int place)
{
    group_span span = pli_group_span(s->world, b);
    if (place != block) {
        block_extent own = pli_block_extent(b->model, block);
        block_extent taken = pli_block_extent(b->model, place);
        span.batch_shift = taken.first_batch - own.first_batch;
        span.row_shift = taken.first_row - own.first_row;
    }
    return span;
}

static void prepare_block(const substep *s, const body *b, int block, int place)
{
    group_span span = span_in_place(s, b, block, place);
    const int32_t *start = b->model->group_batches.block_start;
    s->world->kernels->prepare_groups(&span, start[block], start[block + 1]);
}

static int solve_block(const substep *s, const body *b, int block, int place)
{
    group_span span = span_in_place(s, b, block, place);
    const int32_t *start = b->model->group_batches.block_start;
    return s->world->kernels->solve_groups(&span, start[block], start[block + 1]);
}

// What dents and creep have changed, of all groups. Weights and spreads follow from it.
static uint64_t hash(uint64_t state, const pliant_world *world, const body *b)
{
    const pliant_model *model = b->model;
    if (!pli_body_is_plastic(b))
        return state;
    for (int k = 0; k < model->source.particle_count; ++k) {
        state = hash_vec3(state, world->rest_x[b->particle_first + k]);
        state = hash_quat(state, world->rest_turn[b->particle_first + k]);
    }
    for (int i = 0; i < model->group_count; ++i)
        state = hash_float(state, world->loose[b->group_first + i]);
    for (int k = 0; k < model->row_count * LANES; ++k)
        state = hash_vec3(state, rest_offset(&b->own_rest, k));
    return state;
}

const family pli_family_implicit_groups = {.name = "implicit groups",
                                           .derive = derive,
                                           .release = release,
                                           .is_in = is_in,
                                           .is_soft = is_soft,
                                           .visit_block = visit_block,
                                           .scale = scale,
                                           .prepare_block = prepare_block,
                                           .solve_block = solve_block,
                                           .hash = hash};
