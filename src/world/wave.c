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

typedef struct wave {
    const substep *s;
    const body *b;
    const kernels *kernels;
    group_span groups;
    edge_span edges;
    // What one sweep is made of, in order.
    void (*stages[MOST_STAGES])(struct wave *w, int block);
    int stage_count;
    int32_t *done; // stages, for each block
    int rescues;
} wave;

// Groups are prepared just before they are solved for the first time: what that writes is then still in a cache.
static void solve_block_groups(wave *w, int block)
{
    const int32_t *start = w->groups.model->group_batches.block_start;
    if (w->done[block] == 0)
        w->kernels->prepare_groups(&w->groups, start[block], start[block + 1]);
    w->rescues += w->kernels->solve_groups(&w->groups, start[block], start[block + 1], false);
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
        while (begin <= front && done[begin] == phases)
            ++begin;
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
    return is_large(b) && is_long(model) && !world->def.parallel_for &&
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
              .done = world->block_phases};
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
