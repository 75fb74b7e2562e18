// A hierarchical grid, sorted instead of hashed.
//
// Spheres are split into levels by size, each within a factor of about two, and every level has a grid
// whose cells are just wider than its largest sphere. Two spheres of one level can overlap only in
// neighbouring cells; spheres of a finer level look into the coarser grids. (Mirtich 1996 and Eitz &
// Gu 2007 describe such grids with hashing.)
//
// All spheres are radix sorted by cell, level after level, row by row. Neighbours of a cell are then
// five runs in the sorted array: the rest of its own cell with the next one in the row, and three
// cells in each of four later rows. A directory tells where runs begin: directly while there are not
// many more cells than spheres, otherwise with a binary search among those of a few cells.
//
// Far cells are numbered by maps under which neighbours stay neighbours: coordinates are clamped
// where double precision ends, and folded like a zigzag where the keys would get too long. Spheres
// that are far apart may so share a cell; the exact test separates them, and no pair is met twice,
// since every sphere is in one cell.

#include "broad.h"

#include <assert.h>
#include <limits.h>
#include <math.h>

// Quarters of octaves: the exponent of a float and two bits of its mantissa.
enum { BIN_SHIFT = 21, BIN_COUNT = 0x7f800000 >> BIN_SHIFT, BINS_PER_LEVEL = 4 };
// Radii below 2^-20 m share one level.
enum { FIRST_BIN = (127 - 20) << (23 - BIN_SHIFT) };
enum { MOST_LEVELS = (BIN_COUNT - FIRST_BIN) / BINS_PER_LEVEL + 1 };

enum { DIGIT_BITS = 11, KEY_BITS = 44, MOST_PASSES = KEY_BITS / DIGIT_BITS };

// Slots of the directory per sphere, and besides for each level.
enum { SLOTS_PER_SPHERE = 4, SLOTS_PER_LEVEL = 64 };
enum { DIRECTORY_REST = MOST_LEVELS * SLOTS_PER_LEVEL + 1 };

enum { LATER_ROWS = 4, ALL_ROWS = 9 };
enum { LIST_ROOM = 128, HIT_ROOM = 512 };

// Cells are wider than the largest diameter by this factor. It covers the rounding of the overlap test
// (1e-6) and of coordinates up to FARTHEST (2 * 2^40 / 2^53 = 2.4e-4).
#define CELL_MARGIN 1.001
#define FARTHEST    1099511627776.0

typedef struct bin {
    float low[3], high[3]; // box of the centres
    float radius;          // the largest
    int count;
} bin;

typedef struct level {
    bin all;
    double per_metre;    // cells per metre
    int64_t origin[3];   // the least occupied cell
    int64_t extent[3];   // how many cells from there to the last
    int64_t folded[3];   // how many of them are kept, at most the extent
    uint64_t row, plane; // key steps in y and z; x steps by 1
    uint64_t base;       // key of cell (0, 0, 0)
    int begin, end;      // in the sorted arrays
    int64_t first_slot;  // of the directory
    int slot_shift;      // 2^slot_shift cells share a slot
} level;

typedef struct run {
    int begin, end;
} run;

typedef struct broad_tables {
    bin bins[BIN_COUNT];
    uint8_t level_of_bin[BIN_COUNT];
    level levels[MOST_LEVELS]; // from coarse to fine
    uint32_t digits[MOST_PASSES][1 << DIGIT_BITS];
} broad_tables;

// One call of find.
typedef struct search {
    const broad_phase *b;
    int index_bits; // an entry is key << index_bits | index
    int level_count;
    uint64_t key_end; // all keys are below
    int64_t slot_count;
    pair_filter *filter;
    void *context;
    particle_pair *pairs;
    int capacity;
    int64_t found;
    int hit_count;
    run hits[HIT_ROOM]; // positions of two overlapping spheres in the sorted arrays
} search;

// ---------------------------------------------------------------------------------------------
// Levels and keys

static int bin_of(float radius)
{
    int of = radius > 0.0f ? (int)(float_bits(radius) >> BIN_SHIFT) : 0;
    return of < FIRST_BIN ? FIRST_BIN : of;
}

static bool takes_part(vec3 centre, float radius)
{
    return radius >= 0.0f && is_finite(radius) && vec3_is_finite(centre);
}

static void bin_merge(bin *into, const bin *from)
{
    if (!into->count) {
        *into = *from;
        return;
    }
    for (int axis = 0; axis < 3; ++axis) {
        into->low[axis] = minimum(into->low[axis], from->low[axis]);
        into->high[axis] = maximum(into->high[axis], from->high[axis]);
    }
    into->radius = maximum(into->radius, from->radius);
    into->count += from->count;
}

static void fill_bins(broad_tables *t, const vec3 *centres, const float *radii, int count)
{
    for (int i = 0; i < BIN_COUNT; ++i)
        t->bins[i].count = 0;
    for (int i = 0; i < count; ++i) {
        vec3 c = centres[i];
        if (!takes_part(c, radii[i]))
            continue;
        bin one = {{c.x, c.y, c.z}, {c.x, c.y, c.z}, radii[i], 1};
        bin_merge(&t->bins[bin_of(radii[i])], &one);
    }
}

// Levels are counted from the largest sphere present, not from fixed powers of two: otherwise spheres
// that differ by a percent could fall on both sides of a border.
static int join_levels(broad_tables *t)
{
    int count = 0, top = 0;
    for (int i = BIN_COUNT - 1; i >= FIRST_BIN; --i) {
        if (!t->bins[i].count)
            continue;
        if (!count || top - i >= BINS_PER_LEVEL) {
            t->levels[count++].all.count = 0;
            top = i;
        }
        t->level_of_bin[i] = (uint8_t)(count - 1);
        bin_merge(&t->levels[count - 1].all, &t->bins[i]);
    }
    return count;
}

// Rounded down. Takes any number, and never swaps the order of two.
static inline int64_t cell_of(double scaled)
{
    scaled = scaled < -FARTHEST ? -FARTHEST : scaled > FARTHEST ? FARTHEST : scaled;
    int64_t towards_zero = (int64_t)scaled;
    return towards_zero - ((double)towards_zero > scaled);
}

// 0 1 … n-1 n-1 … 1 0 0 1 …
static int64_t fold(int64_t cell, int64_t n)
{
    int64_t there_and_back = cell % (2 * n);
    return there_and_back < n ? there_and_back : 2 * n - 1 - there_and_back;
}

// Where a cell inside the extent is along an axis of the grid. There is an empty cell before and
// behind every row, so that steps of one in x, y and z do not lead into other rows.
static inline int64_t place_of(const level *l, int axis, int64_t cell)
{
    int64_t place = cell - l->origin[axis];
    return 1 + (place < l->folded[axis] ? place : fold(place, l->folded[axis]));
}

static inline uint64_t key_of(const level *l, vec3 c)
{
    int64_t x = place_of(l, 0, cell_of((double)c.x * l->per_metre));
    int64_t y = place_of(l, 1, cell_of((double)c.y * l->per_metre));
    int64_t z = place_of(l, 2, cell_of((double)c.z * l->per_metre));
    return l->base + (uint64_t)z * l->plane + (uint64_t)y * l->row + (uint64_t)x;
}

static inline int64_t slot_of(const level *l, uint64_t key)
{
    return l->first_slot + (int64_t)((key - l->base) >> l->slot_shift);
}

static double cell_count(const int64_t size[3])
{
    return (double)(size[0] + 2) * (double)(size[1] + 2) * (double)(size[2] + 2);
}

// Lays out the grid of a level with at most `budget` cells, keys from `base` on; returns their end.
static uint64_t lay_out(level *l, uint64_t base, double budget)
{
    // The lower bound keeps the division finite where all radii are zero.
    double width = 2.0 * CELL_MARGIN * (double)l->all.radius;
    l->per_metre = 1.0 / (width > 1e-6 ? width : 1e-6);
    for (int axis = 0; axis < 3; ++axis) {
        l->origin[axis] = cell_of((double)l->all.low[axis] * l->per_metre);
        l->extent[axis] = cell_of((double)l->all.high[axis] * l->per_metre) - l->origin[axis] + 1;
        l->folded[axis] = l->extent[axis];
    }
    while (cell_count(l->folded) > budget) {
        int longest = 0;
        for (int axis = 1; axis < 3; ++axis)
            if (l->folded[axis] > l->folded[longest])
                longest = axis;
        l->folded[longest] = (l->folded[longest] + 1) / 2;
    }
    l->base = base;
    l->row = (uint64_t)l->folded[0] + 2;
    l->plane = l->row * ((uint64_t)l->folded[1] + 2);
    return base + l->plane * ((uint64_t)l->folded[2] + 2);
}

static int bits_below(uint64_t end)
{
    int bits = 1;
    while (bits < 64 && (end - 1) >> bits)
        ++bits;
    return bits;
}

static void lay_out_levels(search *s, int count)
{
    broad_tables *t = s->b->tables;
    s->level_count = join_levels(t);
    s->index_bits = bits_below((uint64_t)count);
    // One bit is kept free, so that a key a little beyond the last one can still be compared with.
    int key_bits = 63 - s->index_bits < KEY_BITS ? 63 - s->index_bits : KEY_BITS;
    double budget = (double)((uint64_t)1 << key_bits) / (double)(s->level_count + 1);
    s->key_end = 0;
    for (int i = 0, begin = 0; i < s->level_count; ++i) {
        level *l = &t->levels[i];
        s->key_end = lay_out(l, s->key_end, budget);
        l->begin = begin;
        begin = l->end = begin + l->all.count;

        uint64_t slots = s->key_end - l->base;
        uint64_t most = (uint64_t)SLOTS_PER_SPHERE * (uint64_t)l->all.count + SLOTS_PER_LEVEL - 1;
        for (l->slot_shift = 0; slots >> l->slot_shift > most;)
            ++l->slot_shift;
        l->first_slot = s->slot_count;
        s->slot_count += (int64_t)(slots >> l->slot_shift) + 1;
    }
}

// ---------------------------------------------------------------------------------------------
// Sorting spheres by cell

typedef struct digit_plan {
    int passes, width;
} digit_plan;

static digit_plan plan_digits(uint64_t key_end)
{
    int bits = bits_below(key_end), passes = (bits + DIGIT_BITS - 1) / DIGIT_BITS;
    return (digit_plan){passes, (bits + passes - 1) / passes};
}

// Writes the entries and counts their digits on the way. Returns how many there are.
static int enter_spheres(const search *s, const vec3 *centres, const float *radii, int count,
                         digit_plan plan)
{
    broad_tables *t = s->b->tables;
    uint64_t *entries = s->b->entries;
    for (int pass = 0; pass < plan.passes; ++pass)
        memset(t->digits[pass], 0, sizeof(uint32_t) << plan.width);
    uint64_t mask = ((uint64_t)1 << plan.width) - 1;
    int entered = 0;
    for (int i = 0; i < count; ++i) {
        vec3 c = centres[i];
        if (!takes_part(c, radii[i]))
            continue;
        const level *l = &t->levels[t->level_of_bin[bin_of(radii[i])]];
        uint64_t key = key_of(l, c);
        entries[entered++] = key << s->index_bits | (uint64_t)i;
        for (int pass = 0; pass < plan.passes; ++pass, key >>= plan.width)
            t->digits[pass][key & mask] += 1;
    }
    return entered;
}

// Least digit first; each pass keeps the order of the one before. Entries of one cell stay in the
// order of their indices.
static void sort_entries(broad_phase *b, int index_bits, int count, digit_plan plan)
{
    uint64_t mask = ((uint64_t)1 << plan.width) - 1;
    for (int pass = 0; pass < plan.passes; ++pass) {
        uint32_t *start = b->tables->digits[pass];
        uint32_t sum = 0;
        for (uint64_t digit = 0; digit <= mask; ++digit) {
            uint32_t here = start[digit];
            start[digit] = sum;
            sum += here;
        }
        int shift = index_bits + pass * plan.width;
        const uint64_t *from = b->entries;
        uint64_t *to = b->spare;
        for (int i = 0; i < count; ++i)
            to[start[from[i] >> shift & mask]++] = from[i];
        b->spare = b->entries;
        b->entries = to;
    }
}

// ---------------------------------------------------------------------------------------------
// The directory: where in the sorted entries a key is

// Counts the entries of each slot (see level) and turns counts into starts.
static void fill_directory(const search *s, int entered)
{
    int32_t *directory = s->b->directory;
    const level *levels = s->b->tables->levels;
    memset(directory, 0, (size_t)(s->slot_count + 1) * sizeof(*directory));
    for (int i = 0; i < s->level_count; ++i) {
        const level *l = &levels[i];
        for (int at = l->begin; at < l->end; ++at)
            directory[slot_of(l, s->b->entries[at] >> s->index_bits)] += 1;
    }
    int32_t sum = 0;
    for (int64_t slot = 0; slot <= s->slot_count; ++slot) {
        int32_t here = directory[slot];
        directory[slot] = sum;
        sum += here;
    }
    assert(sum == entered);
    (void)entered;
}

// The first entry with a key of at least `key`. Where every cell has a slot the answer is in the
// directory; otherwise it is searched within the slot.
static inline int find_key(const search *s, const level *l, uint64_t key)
{
    int64_t slot = slot_of(l, key);
    int begin = s->b->directory[slot];
    if (!l->slot_shift)
        return begin;
    int end = s->b->directory[slot + 1];
    uint64_t low = key << s->index_bits;
    while (begin < end) {
        int middle = begin + (end - begin) / 2;
        if (s->b->entries[middle] < low)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

// ---------------------------------------------------------------------------------------------
// Finding pairs
//
// How many candidates a cell has and which of them overlap is close to a coin toss, and a branch that
// the processor cannot predict costs as much as several tests. So candidates are first listed, then
// tested in one loop that stores every one and moves on only after a hit, and hits are handed over
// many at a time.

static inline int32_t index_at(const search *s, int at)
{
    return (int32_t)(s->b->entries[at] & (((uint64_t)1 << s->index_bits) - 1));
}

static void hand_over(search *s)
{
    for (int h = 0; h < s->hit_count; ++h) {
        int32_t i = index_at(s, s->hits[h].begin), j = index_at(s, s->hits[h].end);
        particle_pair pair = {i < j ? i : j, i < j ? j : i};
        if (s->filter && !s->filter(pair.a, pair.b, s->context))
            continue;
        if (s->found < s->capacity)
            s->pairs[s->found] = pair;
        s->found += 1;
    }
    s->hit_count = 0;
}

// The difference comes first: it is precise also far from the origin.
static inline bool overlap(const broad_sphere *a, const broad_sphere *b)
{
    vec3 d = vec3_sub(a->centre, b->centre);
    float reach = a->radius + b->radius;
    return vec3_dot(d, d) <= reach * reach;
}

// At most LIST_ROOM candidates.
static inline void test_list(search *s, int one, const int *list, int count)
{
    const broad_sphere *spheres = s->b->spheres;
    broad_sphere self = spheres[one];
    run *hits = s->hits;
    int hit_count = s->hit_count;
    for (int i = 0; i < count; ++i) {
        hits[hit_count] = (run){one, list[i]};
        hit_count += overlap(&self, &spheres[list[i]]);
    }
    s->hit_count = hit_count;
    if (hit_count > HIT_ROOM - LIST_ROOM)
        hand_over(s);
}

// For crowded cells.
static void test_runs(search *s, int one, const run *runs, int run_count)
{
    int list[LIST_ROOM];
    for (int r = 0; r < run_count; ++r) {
        for (int at = runs[r].begin; at < runs[r].end; at += LIST_ROOM) {
            int left = runs[r].end - at, count = left < LIST_ROOM ? left : LIST_ROOM;
            for (int i = 0; i < count; ++i)
                list[i] = at + i;
            test_list(s, one, list, count);
        }
    }
}

// Lists all members of the runs, and returns how many; -1 when there is no room.
static inline int list_runs(const run *runs, int run_count, int list[LIST_ROOM])
{
    int count = 0;
    for (int r = 0; r < run_count; ++r) {
        int begin = runs[r].begin, length = runs[r].end - begin;
        if (count + length > LIST_ROOM - 4)
            return -1;
        // Mostly at most four, so these are written without asking.
        for (int i = 0; i < 4; ++i)
            list[count + i] = begin + i;
        for (int i = 4; i < length; ++i)
            list[count + i] = begin + i;
        count += length;
    }
    return count;
}

// Moves on to the first entry with a key of at least `key`. Keys asked for never fall during a sweep,
// so where the directory is coarse (a stray far away is enough for that), stepping forward from the
// last answer is linear in all, and cheaper than a search each time.
static inline int step_to_key(const search *s, const level *l, int at, uint64_t key)
{
    if (!l->slot_shift)
        return find_key(s, l, key);
    int from = s->b->directory[slot_of(l, key)];
    at = at > from ? at : from;
    while (at < l->end && s->b->entries[at] >> s->index_bits < key)
        ++at;
    return at;
}

// Pairs within a level, each met from its earlier cell.
static void sweep_level(search *s, const level *l)
{
    const uint64_t *entries = s->b->entries;
    const uint64_t offsets[LATER_ROWS] = {l->row, l->plane - l->row, l->plane, l->plane + l->row};
    run runs[1 + LATER_ROWS];
    for (int r = 0; r <= LATER_ROWS; ++r)
        runs[r] = (run){l->begin, l->begin};
    for (int at = l->begin; at < l->end;) {
        uint64_t key = entries[at] >> s->index_bits;
        runs[0] = (run){at, step_to_key(s, l, runs[0].end, key + 2)};
        for (int r = 0; r < LATER_ROWS; ++r) {
            run *row = &runs[1 + r];
            row->begin = step_to_key(s, l, row->begin, key + offsets[r] - 1);
            row->end = step_to_key(s, l, row->end, key + offsets[r] + 2);
        }
        int list[LIST_ROOM], count = list_runs(runs, 1 + LATER_ROWS, list), done = 0;
        do {
            runs[0].begin = at + 1;
            ++done;
            if (count >= 0)
                test_list(s, at, list + done, count - done);
            else
                test_runs(s, at, runs, 1 + LATER_ROWS);
            ++at;
        } while (at < l->end && entries[at] >> s->index_bits == key);
    }
}

// The part of a coarse level that spheres of a fine one can touch from where they are.
typedef struct neighbourhood {
    double reach;             // from the centre of a fine sphere, in coarse cells; 0.5 to 0.82
    double first[3], last[3]; // the cells in reach; infinite at first, where no sphere is
    run runs[ALL_ROWS];
    int run_count;
    int list[LIST_ROOM];
    int count; // of the list; -1: too many for it
} neighbourhood;

// Are the cells in reach of this place those that were looked at last?
static inline bool is_known(const neighbourhood *n, const double scaled[3])
{
    bool is_same = true;
    for (int axis = 0; axis < 3; ++axis) {
        double low = scaled[axis] - n->reach, high = scaled[axis] + n->reach;
        is_same &= (low >= n->first[axis]) & (low < n->first[axis] + 1.0) &
                   (high >= n->last[axis]) & (high < n->last[axis] + 1.0);
    }
    return is_same;
}

static void look_around(const search *s, const level *l, const double scaled[3], neighbourhood *n)
{
    int64_t first[3], last[3]; // two or three cells, less what is outside
    bool is_outside = false;
    for (int axis = 0; axis < 3; ++axis) {
        int64_t from = cell_of(scaled[axis] - n->reach), to = cell_of(scaled[axis] + n->reach);
        n->first[axis] = (double)from;
        n->last[axis] = (double)to;
        int64_t begin = l->origin[axis], end = begin + l->extent[axis] - 1;
        is_outside |= to < begin || from > end;
        // Folding keeps neighbours together but may turn them around.
        int64_t one = place_of(l, axis, from < begin ? begin : from);
        int64_t two = place_of(l, axis, to > end ? end : to);
        first[axis] = one < two ? one : two;
        last[axis] = one < two ? two : one;
    }
    n->run_count = 0;
    n->count = 0;
    if (is_outside)
        return;
    for (int64_t z = first[2]; z <= last[2]; ++z)
        for (int64_t y = first[1]; y <= last[1]; ++y) {
            uint64_t row = l->base + (uint64_t)z * l->plane + (uint64_t)y * l->row;
            n->runs[n->run_count++] = (run){find_key(s, l, row + (uint64_t)first[0]),
                                            find_key(s, l, row + (uint64_t)last[0] + 1)};
        }
    n->count = list_runs(n->runs, n->run_count, n->list);
}

// Can no sphere of one level touch any of the other?
static bool are_apart(const level *a, const level *b)
{
    double reach = CELL_MARGIN * ((double)a->all.radius + (double)b->all.radius);
    for (int axis = 0; axis < 3; ++axis)
        if ((double)a->all.low[axis] - (double)b->all.high[axis] > reach ||
            (double)b->all.low[axis] - (double)a->all.high[axis] > reach)
            return true;
    return false;
}

// Pairs between two levels. Where the fine level is dense, successive spheres of it mostly reach the
// same cells of the coarse one, so what was found there is kept.
static void cross_levels(search *s, const level *coarse, const level *fine)
{
    if (are_apart(coarse, fine))
        return;
    neighbourhood n = {.first = {INFINITY, INFINITY, INFINITY}};
    n.reach =
        CELL_MARGIN * coarse->per_metre * ((double)coarse->all.radius + (double)fine->all.radius);
    for (int at = fine->begin; at < fine->end; ++at) {
        vec3 c = s->b->spheres[at].centre;
        double scaled[3] = {(double)c.x * coarse->per_metre, (double)c.y * coarse->per_metre,
                            (double)c.z * coarse->per_metre};
        if (!is_known(&n, scaled))
            look_around(s, coarse, scaled, &n);
        if (n.count >= 0)
            test_list(s, at, n.list, n.count);
        else
            test_runs(s, at, n.runs, n.run_count);
    }
}

// ---------------------------------------------------------------------------------------------
// Sorting pairs

static inline uint64_t pair_key(particle_pair p)
{
    return (uint64_t)p.a << 32 | (uint64_t)p.b;
}

static void insertion_sort(particle_pair *pairs, int count)
{
    for (int i = 1; i < count; ++i) {
        particle_pair moving = pairs[i];
        int to = i;
        for (; to > 0 && pair_key(pairs[to - 1]) > pair_key(moving); --to)
            pairs[to] = pairs[to - 1];
        pairs[to] = moving;
    }
}

// In place, greatest digit first (McIlroy, Bostic & McIlroy 1993): every pair is swapped right into
// the bucket it belongs to. Only the lowest `a_bits` of a and `b_bits` of b differ.
static void sort_pairs(particle_pair *pairs, int count, int a_bits, int b_bits)
{
    enum { MOST_BITS = 8, FEW = 24 };
    if (count <= FEW || !(a_bits | b_bits)) {
        insertion_sort(pairs, count);
        return;
    }
    int *left = a_bits ? &a_bits : &b_bits;
    int width = *left < MOST_BITS ? *left : MOST_BITS;
    // Buckets smaller than the insertion sort takes would only cost.
    while (width > 1 && count >> width < FEW / 4)
        --width;
    *left -= width;
    int shift = left == &a_bits ? 32 + a_bits : b_bits;
    unsigned mask = (1u << width) - 1;
    int next[1 << MOST_BITS] = {0}, end[1 << MOST_BITS];
    for (int i = 0; i < count; ++i)
        next[pair_key(pairs[i]) >> shift & mask] += 1;
    for (unsigned digit = 0, sum = 0; digit <= mask; ++digit) {
        unsigned here = (unsigned)next[digit];
        next[digit] = (int)sum;
        sum += here;
        end[digit] = (int)sum;
    }
    for (unsigned digit = 0; digit <= mask; ++digit) {
        while (next[digit] < end[digit]) {
            particle_pair moving = pairs[next[digit]];
            unsigned to;
            while ((to = (unsigned)(pair_key(moving) >> shift & mask)) != digit) {
                particle_pair evicted = pairs[next[to]];
                pairs[next[to]++] = moving;
                moving = evicted;
            }
            pairs[next[digit]++] = moving;
        }
    }
    for (unsigned digit = 0; digit <= mask; ++digit) {
        int begin = digit ? end[digit - 1] : 0;
        sort_pairs(pairs + begin, end[digit] - begin, a_bits, b_bits);
    }
}

// ---------------------------------------------------------------------------------------------

bool pliant_broad_reserve(broad_phase *b, int count, const pliant_allocator *allocator)
{
    if (b->tables && count <= b->capacity)
        return true;
    pliant_allocator memory = pliant_allocator_or_default(allocator);
    size_t room = (size_t)count;
    broad_phase bigger = {
        .capacity = count,
        .entries = pliant_memory_new(&memory, room, sizeof(*b->entries)),
        .spare = pliant_memory_new(&memory, room, sizeof(*b->spare)),
        .spheres = pliant_memory_new(&memory, room, sizeof(*b->spheres)),
        .directory = pliant_memory_new(&memory, SLOTS_PER_SPHERE * room + DIRECTORY_REST,
                                       sizeof(*b->directory)),
        .tables = pliant_memory_new(&memory, 1, sizeof(*b->tables)),
    };
    bool is_complete =
        bigger.entries && bigger.spare && bigger.spheres && bigger.directory && bigger.tables;
    pliant_broad_free(is_complete ? b : &bigger, allocator);
    if (is_complete)
        *b = bigger;
    return is_complete;
}

void pliant_broad_free(broad_phase *b, const pliant_allocator *allocator)
{
    pliant_allocator memory = pliant_allocator_or_default(allocator);
    pliant_memory_free(&memory, b->entries);
    pliant_memory_free(&memory, b->spare);
    pliant_memory_free(&memory, b->spheres);
    pliant_memory_free(&memory, b->directory);
    pliant_memory_free(&memory, b->tables);
    *b = (broad_phase){0};
}

int pliant_broad_find(broad_phase *b, const vec3 *centres, const float *radii, int count,
                      pair_filter *filter, void *context, particle_pair *pairs, int capacity)
{
    if (count < 2)
        return 0;
    search s = {.b = b, .filter = filter, .context = context, .pairs = pairs, .capacity = capacity};
    assert(count <= b->capacity && "reserve first");
    fill_bins(b->tables, centres, radii, count);
    lay_out_levels(&s, count);
    if (!s.level_count)
        return 0;
    digit_plan plan = plan_digits(s.key_end);
    int entered = enter_spheres(&s, centres, radii, count, plan);
    sort_entries(b, s.index_bits, entered, plan);
    for (int at = 0; at < entered; ++at) {
        int32_t i = index_at(&s, at);
        b->spheres[at] = (broad_sphere){centres[i], radii[i]};
    }
    fill_directory(&s, entered);
    const level *levels = b->tables->levels;
    for (int fine = 0; fine < s.level_count; ++fine) {
        sweep_level(&s, &levels[fine]);
        for (int coarse = 0; coarse < fine; ++coarse)
            cross_levels(&s, &levels[coarse], &levels[fine]);
    }
    hand_over(&s);
    sort_pairs(pairs, s.found < capacity ? (int)s.found : capacity, s.index_bits, s.index_bits);
    return s.found < INT_MAX ? (int)s.found : INT_MAX;
}
