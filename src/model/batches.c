// Greedy colouring within each block, special constraints first, then the largest: each takes, among the colours that
// are free at all of its particles, the one whose last batch of eight lacks the fewest. So few lanes stay empty, and
// constraints of nearly one size are side by side: a batch has as many rows as the largest of them. Special ones, which
// are small, come last in their colour, so that one batch at most has both kinds. One that finds no free colour among
// 64 is a batch of its own.

#include "batches.h"

enum { COLOUR_LIMIT = 64, SIZE_LIMIT = 255 };

typedef struct colour_work {
    const constraint_list *list;
    uint64_t *used;     // per particle: colours of the present block
    uint8_t *colour_of; // per constraint, COLOUR_LIMIT: none
    int32_t *sorted;    // constraints, scratch
    int32_t members[COLOUR_LIMIT];
    int colours;
} colour_work;

static int size_of(const constraint_list *list, int32_t i)
{
    return list->start[i + 1] - list->start[i];
}

static uint64_t colours_around(const colour_work *w, int32_t i)
{
    uint64_t taken = 0;
    for (int k = w->list->start[i]; k < w->list->start[i + 1]; ++k)
        taken |= w->used[w->list->particles[k]];
    return taken;
}

static void mark_colours(colour_work *w, int32_t i, uint64_t colours)
{
    for (int k = w->list->start[i]; k < w->list->start[i + 1]; ++k)
        w->used[w->list->particles[k]] = colours ? w->used[w->list->particles[k]] | colours : 0;
}

// What a colour's last batch lacks; of those that lack nothing, the one with the fewest members comes first.
static int lack_of(int members)
{
    int lanes = members % LANES;
    return lanes > 0 ? LANES - lanes : LANES + members;
}

static int choose_colour(const colour_work *w, uint64_t taken)
{
    int best = -1;
    for (int c = 0; c < w->colours; ++c)
        if (!(taken >> c & 1) && (best < 0 || lack_of(w->members[c]) < lack_of(w->members[best])))
            best = c;
    return best >= 0 ? best : w->colours;
}

static void colour_block(colour_work *w, const int32_t *constraints, int count)
{
    w->colours = 0;
    for (int i = 0; i < count; ++i) {
        int colour = choose_colour(w, colours_around(w, constraints[i]));
        w->colour_of[constraints[i]] = (uint8_t)colour;
        if (colour == COLOUR_LIMIT)
            continue;
        if (colour == w->colours)
            w->members[w->colours++] = 0;
        w->members[colour] += 1;
        mark_colours(w, constraints[i], 1ull << colour);
    }
    for (int i = 0; i < count; ++i)
        mark_colours(w, constraints[i], 0);
}

static int colour_key(const colour_work *w, int32_t i)
{
    return w->colour_of[i];
}

static int size_key(const colour_work *w, int32_t i)
{
    int size = size_of(w->list, i);
    return SIZE_LIMIT - (size < SIZE_LIMIT ? size : SIZE_LIMIT); // the largest first
}

static int special_first_key(const colour_work *w, int32_t i)
{
    return !w->list->is_special[i];
}

static int special_last_key(const colour_work *w, int32_t i)
{
    return w->list->is_special[i];
}

// A stable counting sort of a block's constraints.
static void sort_by(colour_work *w, int32_t *constraints, int count,
                    int (*key)(const colour_work *w, int32_t i))
{
    int32_t begin[SIZE_LIMIT + 2] = {0};
    for (int i = 0; i < count; ++i)
        begin[key(w, constraints[i]) + 1] += 1;
    for (int k = 0; k <= SIZE_LIMIT; ++k)
        begin[k + 1] += begin[k];
    for (int i = 0; i < count; ++i)
        w->sorted[begin[key(w, constraints[i])]++] = constraints[i];
    memcpy(constraints, w->sorted, (size_t)count * sizeof *constraints);
}

static void cut_batches(batching *out, const colour_work *w, const int32_t *order, int first,
                        int end)
{
    int begin = out->batch_count;
    while (first < end) {
        int colour = w->colour_of[order[first]], count = 1;
        while (count < LANES && first + count < end && colour < COLOUR_LIMIT &&
               w->colour_of[order[first + count]] == colour)
            ++count;
        out->batches[out->batch_count++] = (batch){first, count, 1};
        first += count;
    }
    for (int i = out->batch_count - 2; i >= begin; --i) {
        int colour = w->colour_of[order[out->batches[i].first]];
        if (colour < COLOUR_LIMIT && colour == w->colour_of[order[out->batches[i + 1].first]])
            out->batches[i].together += out->batches[i + 1].together;
    }
}

// Fills `order` with the constraints of each block in turn, and out->block_start with where each begins.
static void sort_by_block(batching *out, int32_t *order, const constraint_list *list,
                          int block_count)
{
    for (int i = 0; i < list->count; ++i)
        out->block_start[list->block_of[i] + 1] += 1;
    for (int b = 0; b < block_count; ++b)
        out->block_start[b + 1] += out->block_start[b];
    for (int i = 0; i < list->count; ++i)
        order[out->block_start[list->block_of[i]]++] = i;
    for (int b = block_count; b > 0; --b)
        out->block_start[b] = out->block_start[b - 1];
    out->block_start[0] = 0;
}

bool pli_batch_constraints(batching *out, int32_t *order, const constraint_list *list,
                           int block_count, int particle_count, const pliant_allocator *allocator)
{
    size_t count = (size_t)list->count;
    colour_work w = {.list = list};
    w.used = pli_memory_new(allocator, (size_t)particle_count, sizeof *w.used);
    w.colour_of = pli_memory_new(allocator, count, sizeof *w.colour_of);
    w.sorted = pli_memory_new(allocator, count, sizeof *w.sorted);
    out->batches = pli_memory_new(allocator, count, sizeof *out->batches);
    out->block_start = pli_memory_new(allocator, (size_t)block_count + 1, sizeof(int32_t));
    bool enough = w.used && w.colour_of && w.sorted && out->batches && out->block_start;
    if (enough) {
        sort_by_block(out, order, list, block_count);
        for (int b = 0; b < block_count; ++b) {
            int first = out->block_start[b], end = out->block_start[b + 1];
            sort_by(&w, order + first, end - first, size_key);
            if (list->is_special)
                sort_by(&w, order + first, end - first, special_first_key);
            colour_block(&w, order + first, end - first);
            if (list->is_special)
                sort_by(&w, order + first, end - first, special_last_key);
            sort_by(&w, order + first, end - first, colour_key);
            out->block_start[b] = out->batch_count;
            cut_batches(out, &w, order, first, end);
            if (w.colours > out->colour_count)
                out->colour_count = w.colours;
        }
        out->block_start[block_count] = out->batch_count;
    }
    pli_memory_free(allocator, w.used);
    pli_memory_free(allocator, w.colour_of);
    pli_memory_free(allocator, w.sorted);
    return enough;
}

void pli_batching_free(batching *b, const pliant_allocator *allocator)
{
    pli_memory_free(allocator, b->batches);
    pli_memory_free(allocator, b->block_start);
}
