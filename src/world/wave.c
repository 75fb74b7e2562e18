// A long body that no pair or attachment holds, on one thread.
//
// Sweep after sweep through all of it would bring everything from memory each time. Instead a wave goes
// through its blocks: when a block has been solved once, those just behind it can go on to their second sweep, those
// behind these to their third. A block waits only for others that it shares particles with, so that every one
// of them sees what it would have seen in one sweep after another, and the result is the same to the bit.
//
// Blocks are numbered along the body where it is long. In one that is not, too many would have to wait.

#include "edge_span.h"
#include "groups.h"

// Blocks that wait for each other are not further apart than this part of all of them.
enum { MOST_STAGES = 4, MOST_REACH = 4 };
// So many vacant places are looked at for one that is large enough.
enum { PLACES_TRIED = 8 };

typedef struct wave {
    const substep *s;
    const body *b;
    const kernels *kernels;
    group_span groups;
    edge_span edges;
    // What one sweep is made of, in order.
    void (*stages[MOST_STAGES])(struct wave *w, int block);
    int stage_count;
    // For each block:
    int32_t *done;   // stages
    int32_t *place;  // the block in whose place it has its arms and starts
    int32_t *vacant; // a stack of places of blocks that have been through
    int vacant_count;
    int rescues;
} wave;

// What the batches of a block need.
typedef struct block_extent {
    int32_t first_batch, batch_count;
    int32_t first_row, row_count;
} block_extent;

static block_extent extent_of(const pliant_model *model, int block)
{
    const int32_t *start = model->group_batches.block_start + block;
    block_extent e = {.first_batch = start[0], .batch_count = start[1] - start[0]};
    if (e.batch_count > 0) {
        const group_rows *first = &model->group_rows[start[0]],
                         *last = &model->group_rows[start[1] - 1];
        e.first_row = first->first;
        e.row_count = last->first + last->count - first->first;
    }
    return e;
}

// The place that was left last, if it is large enough, is still in a cache, and what is written there again has not yet
// gone to memory.
static int choose_place(wave *w, int block)
{
    const pliant_model *model = w->groups.model;
    block_extent own = extent_of(model, block);
    int last = w->vacant_count - PLACES_TRIED;
    for (int k = w->vacant_count - 1; k >= 0 && k >= last; --k) {
        int place = w->vacant[k];
        block_extent other = extent_of(model, place);
        if (own.batch_count > other.batch_count || own.row_count > other.row_count)
            continue;
        w->vacant_count -= 1;
        w->vacant[k] = w->vacant[w->vacant_count];
        return place;
    }
    return block;
}

static group_span groups_in_place(const wave *w, int block)
{
    group_span span = w->groups;
    block_extent own = extent_of(span.model, block);
    block_extent taken = extent_of(span.model, w->place[block]);
    span.batch_shift = taken.first_batch - own.first_batch;
    span.row_shift = taken.first_row - own.first_row;
    return span;
}

// Groups are prepared just before they are solved for the first time: what that writes is then still in a cache.
static void solve_block_groups(wave *w, int block)
{
    const int32_t *start = w->groups.model->group_batches.block_start;
    bool is_new = w->done[block] == 0;
    if (is_new)
        w->place[block] = choose_place(w, block);
    group_span span = groups_in_place(w, block);
    if (is_new)
        w->kernels->prepare_groups(&span, start[block], start[block + 1]);
    w->rescues += w->kernels->solve_groups(&span, start[block], start[block + 1], false);
}

static void solve_block_distances(wave *w, int block)
{
    const int32_t *start = w->edges.model->edge_batches.block_start;
    w->kernels->solve_distances(&w->edges, start[block], start[block + 1], false);
}

static void solve_block_torsion(wave *w, int block)
{
    const int32_t *start = w->edges.model->edge_batches.block_start;
    w->kernels->solve_torsion(&w->edges, start[block], start[block + 1]);
}

static void solve_block_contacts(wave *w, int block)
{
    pliant_solve_block_contacts(w->s, w->b, block);
}

// Whether all that comes before the next phase of a block, in the order of phases and of blocks within one, has
// been done as far as it can concern it.
static bool may_go_on(const block_plan *plan, const int32_t *done, int block, int phases)
{
    int first = block > plan->reach ? block - plan->reach : 0;
    int last = block < plan->count - 1 - plan->reach ? block + plan->reach : plan->count - 1;
    if (done[block] == phases)
        return false;
    for (int n = first; n <= last; ++n)
        if (n != block && done[n] < done[block] + (plan->rank[n] < plan->rank[block]))
            return false;
    return true;
}

static void run(wave *w, const block_plan *plan, int phases)
{
    int begin = 0; // all before have been through
    int32_t *done = w->done;
    memset(done, 0, (size_t)plan->count * sizeof *done);
    for (int front = 0; front < plan->count; ++front) {
        bool goes_on = true;
        while (goes_on) {
            goes_on = false;
            for (int block = front; block >= begin; --block) {
                if (!may_go_on(plan, done, block, phases))
                    continue;
                w->stages[done[block] % w->stage_count](w, block);
                done[block] += 1;
                goes_on = true;
            }
        }
        for (; begin <= front && done[begin] == phases; ++begin)
            w->vacant[w->vacant_count++] = w->place[begin];
    }
}

static bool has_pairs(const pliant_world *world, const body *b)
{
    const pair_work *work = &world->pair_work;
    if (work->batch_count + work->single_count == 0)
        return false;
    if (work->lists[PAIR_SINGLE][PAIR_COLOURS].count > 0) // whose particles need not have a colour
        return true;
    uint64_t colours = 0;
    for (int k = 0; k < b->model->source.particle_count; ++k)
        colours |= work->used[b->particle_first + k];
    return colours != 0;
}

// Where blocks wait for others far along the body, few of them are ever under way.
static bool is_long(const pliant_model *model)
{
    return model->blocks.count / MOST_REACH >= model->blocks.reach;
}

static bool suits(const pliant_world *world, const body *b)
{
    const pliant_model *model = b->model;
    return is_large(b) && is_long(model) && !world->def.parallel_for && !b->bounces &&
           (b->contact_count == 0 || b->lone_contact_count == 0) &&
           world->attachment_slot_count == 0 && model->group_count == model->implicit_count &&
           model->source.hinge_count == 0 && !has_pairs(world, b);
}

bool pliant_solve_in_wave(const substep *s, body *b)
{
    pliant_world *world = s->world;
    if (!suits(world, b))
        return false;
    wave w = {.s = s,
              .b = b,
              .kernels = world->kernels,
              .groups = pliant_group_span(world, b),
              .edges = pliant_edge_span(world, b),
              .done = world->block_work};
    w.place = w.done + b->model->blocks.count;
    w.vacant = w.place + b->model->blocks.count;
    w.stages[w.stage_count++] = solve_block_groups;
    if (b->model->has_stretch)
        w.stages[w.stage_count++] = solve_block_distances;
    if (b->model->has_torsion)
        w.stages[w.stage_count++] = solve_block_torsion;
    if (b->contact_count > 0)
        w.stages[w.stage_count++] = solve_block_contacts;
    run(&w, &b->model->blocks, s->iterations * w.stage_count);
    b->rescue_count += w.rescues;
    return true;
}
