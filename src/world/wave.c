// A long body that no pair or attachment holds.
//
// Sweep after sweep through all of it would bring everything from memory each time. Instead a wave goes
// through its blocks: when a block has been solved once, those just behind it can go on to their second sweep, those
// behind these to their third. A block waits only for others that it shares particles with, so that every one
// of them sees what it would have seen in one sweep after another, and the result is the same to the bit.
//
// Blocks are numbered along the body where it is long. In one that is not, too many would have to wait.
//
// For several threads a long body is cut into parts, each with a wave of its own. What is beyond its part a wave takes
// as not begun: of two blocks that share particles across a cut only the one of the first colour then goes on, by one
// stage, and what is left of a part are more stages the nearer a block is to a cut. In a second round the waves are those
// of the cuts, each from where one part has been through to where the next one has. Since each block waits for the same
// as before, the result is the same to the bit, for any number of parts.

#include "contacts.h"
#include "substep.h"
#include "tasks.h"

#include "model/family.h"

// Blocks that wait for each other are not further apart than this part of all of them.
enum { MOST_REACH = 4 };
// So many vacant places are looked at for one that is large enough.
enum { PLACES_TRIED = 8 };
enum { MOST_WAVE_PARTS = 32 };

// Blocks that one task takes as far as it can.
typedef struct part {
    int first, end;
    int seen_first, seen_end; // those beyond have not begun, as far as it knows
    int32_t *vacant;          // a stack of places of blocks that have been through, or NULL
    int vacant_count;
    int rescues;
} part;

typedef struct wave {
    const substep *s;
    const body *b;
    const block_plan *plan;
    // What one sweep is made of, in order (NULL: contacts), and how much all sweeps are.
    const family *stages[MOST_FAMILIES + 1];
    int stage_count, phases;
    int held_up; // how many blocks wait for each other, one after another, in all phases
    // For each block:
    int32_t *done;  // phases
    int32_t *place; // the block in whose place it has its arms and starts
    part parts[MOST_WAVE_PARTS];
    int part_count;
} wave;

// The place that was left last, if it is large enough, is still in a cache, and what is written there again has not yet
// gone to memory.
static int choose_place(const pliant_model *model, part *p, int block)
{
    block_extent own = pli_block_extent(model, block);
    int last = p->vacant_count - PLACES_TRIED;
    for (int k = p->vacant_count - 1; k >= 0 && k >= last; --k) {
        int place = p->vacant[k];
        block_extent other = pli_block_extent(model, place);
        if (own.batch_count > other.batch_count || own.row_count > other.row_count)
            continue;
        p->vacant_count -= 1;
        p->vacant[k] = p->vacant[p->vacant_count];
        return place;
    }
    return block;
}

// A family is prepared just before it is solved for the first time: what that writes is then still in a cache.
static void run_stage(wave *w, part *p, int block)
{
    const family *f = w->stages[w->done[block] % w->stage_count];
    if (w->done[block] == 0)
        w->place[block] = choose_place(w->b->model, p, block);
    if (!f) {
        pli_solve_block_contacts(w->s, w->b, block);
        return;
    }
    if (w->done[block] < w->stage_count && f->prepare_block)
        f->prepare_block(w->s, w->b, block, w->place[block]);
    p->rescues += f->solve_block(w->s, w->b, block, w->place[block]);
}

static int done_as_seen(const wave *w, const part *p, int block)
{
    return block >= p->seen_first && block < p->seen_end ? w->done[block] : 0;
}

// Whether all that comes before the next phase of a block, in the order of phases and of colours within one, has
// been done as far as it can concern it. Blocks of its own colour do not: they share no particle with it.
static bool may_go_on(const wave *w, const part *p, int block)
{
    const block_plan *plan = w->plan;
    int first = block > plan->reach ? block - plan->reach : 0;
    int last = block < plan->count - 1 - plan->reach ? block + plan->reach : plan->count - 1;
    int32_t done = w->done[block];
    if (done == w->phases)
        return false;
    for (int n = first; n <= last; ++n)
        if (plan->colour[n] != plan->colour[block] &&
            done_as_seen(w, p, n) < done + (plan->colour[n] < plan->colour[block]))
            return false;
    return true;
}

// What goes on behind the front does so because the front has: from block to block, each within reach of the one before
// and of a later colour, or in a later phase. That ends `held_up` blocks behind it at the latest.
static void run_part(int index, void *context)
{
    wave *w = context;
    part *p = &w->parts[index];
    int begin = p->first; // nothing happens before any more
    for (int front = p->first; front < p->end; ++front) {
        begin = front - begin > w->held_up ? front - w->held_up : begin;
        while (begin < front && w->done[begin] == w->phases)
            ++begin;
        bool goes_on = true;
        while (goes_on) {
            goes_on = false;
            for (int block = front; block >= begin; --block) {
                if (!may_go_on(w, p, block))
                    continue;
                run_stage(w, p, block);
                w->done[block] += 1;
                goes_on = true;
                if (w->done[block] == w->phases && p->vacant)
                    p->vacant[p->vacant_count++] = w->place[block];
            }
        }
    }
}

// Returns how many fits went the certain way.
static int run_parts(wave *w)
{
    int rescues = 0;
    pli_run_tasks(w->s->world, w->part_count, run_part, w);
    for (int k = 0; k < w->part_count; ++k)
        rescues += w->parts[k].rescues;
    return rescues;
}

static void cut_in_parts(wave *w, int count, int32_t *vacant)
{
    int blocks = w->plan->count;
    w->part_count = count;
    for (int k = 0; k < count; ++k) {
        int first = (int)((int64_t)blocks * k / count);
        int end = (int)((int64_t)blocks * (k + 1) / count);
        w->parts[k] = (part){.first = first,
                             .end = end,
                             .seen_first = first,
                             .seen_end = end,
                             .vacant = vacant + first};
    }
}

// The first of as many blocks of a part as reach from one to another, all of which have been through, or -1.
static int find_gap(const wave *w, const part *p)
{
    int length = 0;
    for (int block = p->first; block < p->end; ++block) {
        length = w->done[block] == w->phases ? length + 1 : 0;
        if (length == w->plan->reach)
            return block + 1 - length;
    }
    return -1;
}

// From what is left of the parts to waves that see all there is; between them are blocks that have been through. A block
// that has not begun still has its own place.
static void cut_in_gaps(wave *w)
{
    int blocks = w->plan->count, first = 0, count = 0;
    for (int k = 1; k <= w->part_count; ++k) {
        int end = k < w->part_count ? find_gap(w, &w->parts[k]) : blocks;
        if (end < 0)
            continue;
        w->parts[count++] = (part){.first = first, .end = end, .seen_first = 0, .seen_end = blocks};
        first = end;
    }
    w->part_count = count;
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

static bool suits(const body *b)
{
    const pliant_model *model = b->model;
    if (!is_large(b) || !is_long(model) || b->is_attached ||
        (b->contact_count > 0 && b->lone_contact_count > 0))
        return false;
    for (int f = 0; f < model->family_count; ++f)
        if (!model->families[f]->solve_block)
            return false;
    return true;
}

// Into how many parts a wave is best cut for several threads, 0 when it is too short for that. At each of its ends a part
// leaves half of what is held up there to the second round: parts are twice as long as both ends, or just as long where
// there would be only one. They are a power of two, because threads mostly are.
static int parts_for_tasks(const wave *w)
{
    int ends = 2 * w->held_up, blocks = w->plan->count;
    if (blocks / 2 < ends + w->plan->reach)
        return 0;
    int parts = 2;
    while (parts < MOST_WAVE_PARTS && blocks / (2 * parts) >= 2 * ends)
        parts *= 2;
    return parts;
}

static void choose_stages(wave *w)
{
    const pliant_model *model = w->b->model;
    for (int f = 0; f < model->family_count; ++f)
        w->stages[w->stage_count++] = model->families[f];
    if (w->b->contact_count > 0)
        w->stages[w->stage_count++] = NULL;
    w->phases = w->s->iterations * w->stage_count;
    int64_t held_up = (int64_t)w->phases * w->plan->colour_count * w->plan->reach;
    w->held_up = held_up < w->plan->count ? (int)held_up : w->plan->count;
}

bool pli_solve_in_wave(const substep *s, body *b)
{
    pliant_world *world = s->world;
    if (!suits(b))
        return false;
    wave w = {.s = s, .b = b, .plan = &b->model->blocks};
    choose_stages(&w);
    int blocks = w.plan->count;
    int parts = world->def.parallel_for ? parts_for_tasks(&w) : 1;
    if (parts == 0 || has_pairs(world, b))
        return false;
    for (int f = 0; f < b->model->family_count; ++f)
        if (b->model->families[f]->prepare)
            b->model->families[f]->prepare(s, b);
    w.done = world->block_work;
    w.place = w.done + blocks;
    memset(w.done, 0, (size_t)blocks * sizeof *w.done);
    cut_in_parts(&w, parts, w.place + blocks);
    b->rescue_count += run_parts(&w);
    if (parts > 1) {
        cut_in_gaps(&w);
        b->rescue_count += run_parts(&w);
    }
    return true;
}
