// Blocks: particles that lie close together, with the constraints around them.
//
// What a block touches fits a cache, and blocks of one colour share no particle, so that they can run side by side
// on threads. Small models are one block.

#include "batches.h"
#include "family.h"

// A model with more than LARGEST_SINGLE particles is cut into blocks of at most BLOCK_PARTICLES: in smaller ones more
// lanes of batches would stay empty, of larger ones fewer would fit a cache.
enum { LARGEST_SINGLE = 1024, BLOCK_PARTICLES = 512, COLOUR_LIMIT = 64 };

typedef struct cutting {
    const elements *e;
    int32_t *order;    // particles
    int32_t *block_of; // per particle
    int block_count;
} cutting;

static float coordinate(const cutting *c, int32_t particle, int axis)
{
    vec3 x = c->e->particles[particle].position;
    return axis == 0 ? x.x : axis == 1 ? x.y : x.z;
}

static int longest_axis(const cutting *c, int first, int end)
{
    int best = 0;
    float length = -1.0f;
    for (int axis = 0; axis < 3; ++axis) {
        float low = coordinate(c, c->order[first], axis), high = low;
        for (int i = first + 1; i < end; ++i) {
            low = minimum(low, coordinate(c, c->order[i], axis));
            high = maximum(high, coordinate(c, c->order[i], axis));
        }
        if (high - low > length) {
            length = high - low;
            best = axis;
        }
    }
    return best;
}

// Particles at equal places are told apart by their index: the order is always the same.
static bool lies_before(const cutting *c, int axis, int32_t a, int32_t b)
{
    float x = coordinate(c, a, axis), y = coordinate(c, b, axis);
    return x < y || (x == y && a < b);
}

static void exchange(int32_t *a, int32_t *b)
{
    int32_t kept = *a;
    *a = *b;
    *b = kept;
}

// Hoare's selection: afterwards those before `middle` lie before all others along the axis.
static void select_half(cutting *c, int axis, int first, int end, int middle)
{
    while (end - first > 1) {
        int32_t pivot = c->order[first + (end - first) / 2];
        int low = first, high = end - 1;
        while (low <= high) {
            while (lies_before(c, axis, c->order[low], pivot))
                ++low;
            while (lies_before(c, axis, pivot, c->order[high]))
                --high;
            if (low <= high)
                exchange(&c->order[low++], &c->order[high--]);
        }
        if (middle <= high)
            end = high + 1;
        else if (middle >= low)
            first = low;
        else
            return;
    }
}

// `count` blocks of particles [first, end); each cut halves the number of blocks, so that it goes no deeper than
// its logarithm.
static void cut(cutting *c, int first, int end, int count)
{
    if (count <= 1) {
        for (int i = first; i < end; ++i)
            c->block_of[c->order[i]] = c->block_count;
        c->block_count += 1;
        return;
    }
    int half = count / 2;
    int middle = first + (int)((int64_t)(end - first) * half / count);
    select_half(c, longest_axis(c, first, end), first, end, middle);
    cut(c, first, middle, half);
    cut(c, middle, end, count - half);
}

int pli_cut_blocks(int32_t *block_of, const elements *e, const pliant_allocator *allocator)
{
    int n = e->particle_count;
    cutting c = {.e = e, .block_of = block_of};
    c.order = pli_memory_new(allocator, (size_t)n, sizeof *c.order);
    if (!c.order)
        return 0;
    for (int i = 0; i < n; ++i)
        c.order[i] = i;
    cut(&c, 0, n, n <= LARGEST_SINGLE ? 1 : (n + BLOCK_PARTICLES - 1) / BLOCK_PARTICLES);
    pli_memory_free(allocator, c.order);
    return c.block_count;
}

// ---------------------------------------------------------------------------------------------

// Calls `visit` for every particle that a constraint of the block touches.
static void visit_block(const pliant_model *model, int block, particle_visitor *visit,
                        void *context)
{
    for (int f = 0; f < FAMILIES; ++f)
        if (pli_families[f]->visit_block)
            pli_families[f]->visit_block(model, block, visit, context);
}

// Colours of blocks as bits: those that the particles of one have, and then its own.
typedef struct block_colours {
    uint64_t *used; // per particle
    uint64_t value;
} block_colours;

static void collect(int32_t particle, void *context)
{
    block_colours *colours = context;
    colours->value |= colours->used[particle];
}

static void mark(int32_t particle, void *context)
{
    block_colours *colours = context;
    colours->used[particle] |= colours->value;
}

// Blocks that find no colour among 64 get one each beyond them: they run alone.
static int32_t choose_colours(const pliant_model *model, int32_t *colour_of, uint64_t *used)
{
    int32_t alone = COLOUR_LIMIT;
    for (int b = 0; b < model->blocks.count; ++b) {
        block_colours around = {used, 0};
        visit_block(model, b, collect, &around);
        uint64_t taken = around.value;
        int c = 0;
        while (c < COLOUR_LIMIT && taken >> c & 1)
            ++c;
        colour_of[b] = c < COLOUR_LIMIT ? c : alone++;
        block_colours own = {used, c < COLOUR_LIMIT ? 1ull << c : 0};
        visit_block(model, b, mark, &own);
    }
    return alone;
}

// How far apart two blocks of a particle are.
typedef struct block_reach {
    uint64_t *first_block; // per particle: 1 + the first one, or 0
    uint64_t block;
    uint64_t most;
} block_reach;

static void measure(int32_t particle, void *context)
{
    block_reach *reach = context;
    uint64_t *first = &reach->first_block[particle];
    if (*first == 0)
        *first = reach->block + 1;
    uint64_t apart = reach->block + 1 - *first;
    reach->most = apart > reach->most ? apart : reach->most;
}

static int find_reach(const pliant_model *model, uint64_t *first_block)
{
    block_reach reach = {.first_block = first_block};
    memset(first_block, 0, (size_t)model->source.particle_count * sizeof *first_block);
    for (int b = 0; b < model->blocks.count; ++b) {
        reach.block = (uint64_t)b;
        visit_block(model, b, measure, &reach);
    }
    return (int)reach.most;
}

bool pli_colour_blocks(pliant_model *model)
{
    const pliant_allocator *allocator = &model->allocator;
    block_plan *plan = &model->blocks;
    size_t count = (size_t)plan->count;
    uint64_t *used = pli_memory_new(allocator, (size_t)model->source.particle_count, sizeof *used);
    int32_t *colour_of = pli_memory_new(allocator, count, sizeof *colour_of);
    plan->order = pli_memory_new(allocator, count, sizeof *plan->order);
    plan->colour = pli_memory_new(allocator, count, sizeof *plan->colour);
    plan->colour_start = pli_memory_new(allocator, count + 1, sizeof *plan->colour_start);
    bool enough = used && colour_of && plan->order && plan->colour && plan->colour_start;
    if (enough) {
        int32_t limit = choose_colours(model, colour_of, used);
        int listed = 0;
        for (int32_t c = 0; c < limit; ++c) {
            int before = listed;
            for (int b = 0; b < plan->count; ++b)
                if (colour_of[b] == c) {
                    plan->colour[b] = plan->colour_count;
                    plan->order[listed++] = b;
                }
            if (listed > before)
                plan->colour_start[++plan->colour_count] = listed;
        }
        plan->reach = find_reach(model, used);
    }
    pli_memory_free(allocator, used);
    pli_memory_free(allocator, colour_of);
    return enough;
}
