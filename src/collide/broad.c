// A hierarchical grid, sorted instead of hashed.
//
// Spheres are split into levels by size, each within a factor of two or so, of up to sixteen where there are few;
// every level has a grid whose cells are just wider than its largest sphere. Two spheres of one level can
// overlap only in neighbouring cells; spheres of a finer level look into the coarser grids, or a few coarse ones
// into the finer. (Mirtich 1996 and Eitz & Gu 2007 describe such grids with hashing.)
//
// There are never more than about two cells to a sphere, so that a directory of all of them is cheap and
// spheres are sorted by counting. Where space is emptier than that, cells are first made longer along x,
// which costs nothing while a row's candidates fit into one wide test; then columns are folded like a
// zigzag and rows share numbers (see broad_grid.h). Spheres that are far apart may so share a cell; the
// exact test separates them.
//
// Neighbours of a cell are five runs in the sorted arrays: the rest of its own cell with the next one in
// the row, and three cells in each of four later rows.

#include "broad.h"

#include <assert.h>
#include <float.h>
#include <limits.h>

enum { CELLS_PER_SPHERE = 2, CELLS_PER_LEVEL = 64, MOST_WIDENING = 64 };
// Extents up to which float32 tells the cell, and length of a row, in widths, up to which it does so to others.
enum { SMALL_EXTENT = 1024, SMALL_LENGTH = 4096 };
enum { CELLS_PER_BUCKET = 4096, PARTICLES_PER_BUCKET = 256 };
// ns that a sphere takes alone, that it takes to look into coarser levels or into a finer one, and that a test
// takes, with the tests of each sphere in its neighbourhood.
#define SWEEP     12.0
#define LOOK_UP   40.0
#define LOOK_DOWN 80
#define TESTS     6.0
// Spheres that have as much to do as one that looks into a finer level.
enum { WEIGHT_OF_LOOK = 8 };
// Readable beyond the sorted spheres, and a cell before and behind all others.
enum { WIDE_REST = 8, DIRECTORY_REST = MOST_LEVELS * CELLS_PER_LEVEL + 4 };

// One call of find.
typedef struct search {
    broad_phase *b;
    broad_grid *grid;
    const broad_query *query;
    particle_pair *pairs;
    int64_t room[MOST_PARTS + 1]; // where in the pairs each part's begin, and the end of all
} search;

// The same before and after its parts have got other rooms.
typedef struct regrouping {
    const search *before, *now;
} regrouping;

static void for_each(const search *s, int count, pliant_task *task)
{
    const broad_query *q = s->query;
    if (q->parallel_for && count > 1) {
        q->parallel_for(count, task, (void *)s, q->parallel_user_data);
        return;
    }
    for (int i = 0; i < count; ++i)
        task(i, (void *)s);
}

// Where a part of `count` things begins.
static int part_begin(const broad_grid *g, int part, int count)
{
    return (int)((int64_t)count * part / g->part_count);
}

// Of the spheres [at, end) of a query, counted along its runs, those side by side that come first.
typedef struct stretch {
    int first, count;
} stretch;

static stretch stretch_at(const broad_query *q, int at, int end)
{
    if (!q->runs)
        return (stretch){at, end - at};
    const sphere_run *run = sphere_run_at(q->runs, q->run_count, at);
    int into = at - run->before, left = run->count - into;
    return (stretch){run->first + into, end - at < left ? end - at : left};
}

// No sphere has an index beyond this one.
static int index_end(const broad_query *q)
{
    const sphere_run *last = q->runs ? &q->runs[q->run_count - 1] : NULL;
    return last ? last->first + last->count : q->count;
}

// ---------------------------------------------------------------------------------------------
// Levels

static int bin_of(float radius)
{
    int of = radius > 0.0f ? (int)(float_bits(radius) >> BIN_SHIFT) : 0;
    return of < FIRST_BIN ? FIRST_BIN : of;
}

static void merge_range(broad_range *all, const broad_range *more)
{
    for (int axis = 0; axis < 3; ++axis) {
        all->low[axis] = minimum(all->low[axis], more->low[axis]);
        all->high[axis] = maximum(all->high[axis], more->high[axis]);
    }
    all->radius = maximum(all->radius, more->radius);
    all->least_radius = minimum(all->least_radius, more->least_radius);
    all->count += more->count;
}

// What the spheres of a part up to this radius have in common; the others' indices go to `others`. Returns how many these
// are.
static int measure(const search *s, int part, float border, broad_range *out, int32_t *others)
{
    int at = part_begin(s->grid, part, s->query->count), other_count = 0;
    int end = part_begin(s->grid, part + 1, s->query->count);
    *out = broad_no_range();
    for (stretch here; at < end; at += here.count) {
        broad_range range;
        here = stretch_at(s->query, at, end);
        int count = s->query->kernels->broad_measure(s->query->spheres + here.first, here.count,
                                                     border, &range, others + other_count);
        for (int k = other_count; k < other_count + count; ++k)
            others[k] += here.first;
        other_count += count;
        merge_range(out, &range);
    }
    return other_count;
}

static void measure_part(int part, void *context)
{
    const search *s = context;
    int32_t none[1];
    measure(s, part, FLT_MAX, &s->grid->ranges[part][0], none);
}

static broad_range range_of_level(const broad_grid *g, int level)
{
    broad_range all = g->ranges[0][level];
    for (int part = 1; part < g->part_count; ++part)
        merge_range(&all, &g->ranges[part][level]);
    return all;
}

static void find_used_bins(int part, void *context)
{
    const search *s = context;
    uint64_t *used = s->grid->bins_used[part];
    int32_t *counts = s->grid->bin_counts[part];
    int top = s->grid->top_bin;
    memset(used, 0, sizeof s->grid->bins_used[part]);
    memset(counts, 0, sizeof s->grid->bin_counts[part]);
    int at = part_begin(s->grid, part, s->query->count);
    int end = part_begin(s->grid, part + 1, s->query->count);
    for (stretch here; at < end; at += here.count) {
        here = stretch_at(s->query, at, end);
        for (int i = here.first; i < here.first + here.count; ++i) {
            const broad_sphere *sphere = &s->query->spheres[i];
            if (!broad_takes_part(sphere))
                continue;
            int bin = bin_of(sphere->radius);
            used[bin / 64] |= (uint64_t)1 << bin % 64;
            if (top - bin < COUNTED_BINS)
                counts[top - bin] += 1;
        }
    }
}

// The diameter of the largest sphere of a bin.
static double bin_width(int bin)
{
    uint32_t bits = (uint32_t)(bin + 1) << BIN_SHIFT;
    return 2.0 * (double)bits_float(bits);
}

// Where levels begin, among the counted bins: [i] tells that one begins with the i-th from above. A level of n
// spheres in cells of width w takes n tests for each n w³ / volume; another level takes a look from each of its
// spheres into the coarser ones, or from theirs into it. The volume is what the spheres fill when they lie
// side by side. Times are in ns.
static void choose_levels(const broad_grid *g, bool begins[COUNTED_BINS])
{
    double count[COUNTED_BINS] = {0}, volume = 0.0, width3[COUNTED_BINS];
    for (int i = 0; i < COUNTED_BINS; ++i) {
        for (int part = 0; part < g->part_count; ++part)
            count[i] += (double)g->bin_counts[part][i];
        double width = bin_width(g->top_bin - i > 0 ? g->top_bin - i : 0);
        width3[i] = width * width * width;
        volume += count[i] * width3[i];
    }
    double best[COUNTED_BINS + 1] = {0.0}, coarser = 0.0;
    int from[COUNTED_BINS + 1] = {0};
    for (int end = 1; end <= COUNTED_BINS; ++end)
        best[end] = DBL_MAX;
    for (int i = 0; i < COUNTED_BINS; coarser += count[i++]) {
        double n = 0.0;
        for (int end = i + 1; end <= COUNTED_BINS; ++end) {
            n += count[end - 1];
            double looks = n * LOOK_UP < coarser * LOOK_DOWN ? n * LOOK_UP : coarser * LOOK_DOWN;
            double cost = best[i] + n * SWEEP + n * n * width3[i] / volume * TESTS + looks;
            if (cost < best[end]) {
                best[end] = cost;
                from[end] = i;
            }
        }
    }
    for (int i = 0; i < COUNTED_BINS; ++i)
        begins[i] = false;
    for (int end = COUNTED_BINS; end > 0; end = from[end])
        begins[from[end]] = true;
}

// The bins of a word that are used, in any part.
static uint64_t used_bins(const broad_grid *g, int word)
{
    uint64_t used = 0;
    for (int part = 0; part < g->part_count; ++part)
        used |= g->bins_used[part][word];
    return used;
}

// Below the counted bins levels are a factor of two wide. They are counted from
// the largest sphere present, not from fixed powers of two: otherwise spheres that differ by a percent could
// fall on both sides of a border.
static void join_levels(broad_grid *g)
{
    bool begins[COUNTED_BINS], is_new = true;
    int top = g->top_bin;
    choose_levels(g, begins);
    g->level_count = 0;
    for (int word = g->top_bin / 64; word >= 0; --word) {
        uint64_t used = used_bins(g, word);
        bool is_below = g->top_bin - (64 * word + 63) >= COUNTED_BINS;
        for (int bit = 63; bit >= 0 && (used || !is_below); --bit) {
            int bin = 64 * word + bit, below = g->top_bin - bin;
            if (below < 0)
                continue;
            bool is_counted = below < COUNTED_BINS;
            is_new = is_new || (is_counted ? begins[below] : top - bin >= BINS_PER_LEVEL);
            if (!(used >> bit & 1))
                continue;
            if (is_new) {
                g->level_count += 1;
                g->border = bits_float(((uint32_t)(bin + 1) << BIN_SHIFT) - 1);
                top = bin;
            }
            is_new = false;
            g->level_of_bin[bin] = (uint8_t)(g->level_count - 1);
        }
    }
}

// Spheres of coarser levels in a part, as they are listed while levels are measured: mostly there are few.
static int32_t *coarse_spheres(const search *s, int part)
{
    return (int32_t *)(s->b->spare + part_begin(s->grid, part, s->query->count));
}

static void measure_levels(int part, void *context)
{
    const search *s = context;
    broad_grid *g = s->grid;
    int finest = g->level_count - 1;
    int32_t *coarse = coarse_spheres(s, part);
    g->part_coarse[part] = measure(s, part, g->border, &g->ranges[part][finest], coarse);
    for (int level = 0; level < finest; ++level)
        g->ranges[part][level] = broad_no_range();
    for (int k = 0; k < g->part_coarse[part]; ++k) {
        const broad_sphere *sphere = &s->query->spheres[coarse[k]];
        vec3 c = sphere->centre;
        broad_range one = {{c.x, c.y, c.z}, {c.x, c.y, c.z}, sphere->radius, sphere->radius, 1};
        merge_range(&g->ranges[part][g->level_of_bin[bin_of(sphere->radius)]], &one);
    }
}

// Often all spheres are of one size, or few and of nearly one, and that is seen at once.
static void find_levels(search *s)
{
    broad_grid *g = s->grid;
    for_each(s, g->part_count, measure_part);
    broad_range all = range_of_level(g, 0);
    g->level_count = all.count > 0;
    memset(g->part_coarse, 0, sizeof g->part_coarse);
    g->top_bin = bin_of(all.radius);
    int least_bin = bin_of(all.least_radius);
    bool is_one =
        g->top_bin == least_bin || (g->part_count == 1 && g->top_bin - least_bin < BINS_PER_LEVEL);
    if (!all.count || is_one) {
        for (int bin = g->top_bin; all.count && bin >= least_bin; --bin)
            g->level_of_bin[bin] = 0;
        return;
    }
    for_each(s, g->part_count, find_used_bins);
    join_levels(g);
    for_each(s, g->part_count, measure_levels);
}

// ---------------------------------------------------------------------------------------------
// Cells

static inline int64_t place_of(const broad_level *l, int axis, float coordinate)
{
    return (int64_t)broad_place(l, axis, (double)coordinate);
}

// 0 1 … n-1 n-1 … 1 0 0 1 …
static int64_t fold(int64_t cell, int64_t n)
{
    if (cell < n)
        return cell;
    int64_t there_and_back = cell % (2 * n);
    return there_and_back < n ? there_and_back : 2 * n - 1 - there_and_back;
}

static uint32_t row_of(const broad_level *l, int64_t y, int64_t z)
{
    if (l->has_whole_rows)
        return (uint32_t)y + (uint32_t)z * l->row_step;
    uint64_t count = l->row_count, turn = (uint64_t)z % count * l->row_step;
    return (uint32_t)(((uint64_t)y + turn) % count);
}

static inline uint32_t cell_of(const broad_level *l, vec3 c)
{
    int64_t x = place_of(l, 0, c.x), y = place_of(l, 1, c.y), z = place_of(l, 2, c.z);
    x = fold(x, l->columns);
    return l->base + row_of(l, y, z) * (l->columns + 1) + (uint32_t)x;
}

static int64_t greatest_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static void set_cell_length(broad_level *l, double width, int widening)
{
    for (int axis = 0; axis < 3; ++axis) {
        l->per_metre[axis] = 1.0 / (axis ? width : width * widening);
        double low = (double)l->all.low[axis], lowest = -BROAD_FARTHEST * width;
        l->corner[axis] = low > lowest ? low : lowest;
        l->extent[axis] = place_of(l, axis, l->all.high[axis]) + 1;
    }
}

// Every row for itself, with an empty one beyond the last in y and z; false when these are too many.
static bool lay_out_whole_rows(broad_level *l, double width, int64_t budget)
{
    int64_t step = l->extent[1] < 2 ? 3 : l->extent[1] + 1, turns = l->extent[2] + 1;
    turns = turns < 3 ? 3 : turns;
    if ((double)step * (double)turns * 2.0 > (double)budget)
        return false;
    l->row_step = (uint32_t)step;
    l->row_count = (uint32_t)(step * turns);
    int64_t columns = budget / l->row_count - 1, widening = (l->extent[0] - 1) / columns + 1;
    if (widening > 1 && widening < MOST_WIDENING)
        set_cell_length(l, width, (int)widening);
    l->has_whole_rows = true;
    l->columns = (uint32_t)(l->extent[0] < columns ? l->extent[0] : columns);
    return true;
}

// A step that is no simple part of the whole spreads lines and planes over all rows.
static void lay_out_shared_rows(broad_level *l, int64_t budget)
{
    int64_t columns = 1;
    while ((columns + 1) * (columns + 1) * (columns + 1) <= budget && columns < l->extent[0])
        ++columns;
    int64_t rows = budget / (columns + 1), step = (int64_t)((double)rows * 0.381966);
    while (step > 3 && greatest_divisor(rows, step) != 1)
        --step;
    l->has_whole_rows = false;
    l->columns = (uint32_t)columns;
    l->row_count = (uint32_t)rows;
    l->row_step = (uint32_t)step;
}

static void lay_out(broad_level *l, uint32_t base)
{
    // The lower bound keeps the division finite where all radii are zero.
    double width = 2.0 * CELL_MARGIN * (double)l->all.radius;
    width = width > 1e-6 ? width : 1e-6;
    int64_t budget = (int64_t)CELLS_PER_SPHERE * l->all.count + CELLS_PER_LEVEL;
    set_cell_length(l, width, 1);
    if (!lay_out_whole_rows(l, width, budget))
        lay_out_shared_rows(l, budget);
    assert(l->row_step >= 3 && l->row_count >= 2 * l->row_step + 3);
    uint32_t row = l->columns + 1;
    l->later[0] = row;
    for (uint32_t i = 1; i < LATER_ROWS; ++i)
        l->later[i] = (l->row_step + i - 2) * row;
    l->base = base;
    l->end = base + l->row_count * row;
}

static void lay_out_levels(broad_grid *g)
{
    g->cell_end = 1; // the cell before the first is looked at, too
    g->sphere_count = 0;
    for (int i = 0; i < g->level_count; ++i) {
        broad_level *l = &g->levels[i];
        l->all = range_of_level(g, i);
        lay_out(l, g->cell_end);
        g->cell_end = l->end;
        l->first_sphere = g->sphere_count;
        l->end_sphere = g->sphere_count += l->all.count;
    }
}

// ---------------------------------------------------------------------------------------------
// Sorting by counting, in two rounds: first into buckets of many keys, part by part, then each bucket. It is
// for spheres by cell and for pairs by their first particle; equal keys keep their order.

static void plan_buckets(broad_grid *g, uint32_t key_end, int keys_per_bucket)
{
    g->bucket_shift = 0;
    while (1 << g->bucket_shift < keys_per_bucket ||
           (key_end - 1) >> g->bucket_shift >= MOST_BUCKETS)
        ++g->bucket_shift;
    g->bucket_count = (int)((key_end - 1) >> g->bucket_shift) + 1;
}

static void count_buckets(broad_grid *g, int part, const particle_pair *entries, int count)
{
    int32_t *next = g->bucket_next[part];
    memset(next, 0, sizeof *next * (size_t)g->bucket_count);
    for (int i = 0; i < count; ++i)
        next[(uint32_t)entries[i].a >> g->bucket_shift] += 1;
}

// From counts to where each part's entries go.
static void start_buckets(broad_grid *g)
{
    int32_t sum = 0;
    for (int bucket = 0; bucket < g->bucket_count; ++bucket) {
        g->bucket_start[bucket] = sum;
        for (int part = 0; part < g->part_count; ++part) {
            int32_t here = g->bucket_next[part][bucket];
            g->bucket_next[part][bucket] = sum;
            sum += here;
        }
    }
    g->bucket_start[g->bucket_count] = sum;
}

static void fill_buckets(broad_grid *g, int part, const particle_pair *from, int count,
                         particle_pair *to)
{
    int32_t *next = g->bucket_next[part];
    for (int i = 0; i < count; ++i)
        to[next[(uint32_t)from[i].a >> g->bucket_shift]++] = from[i];
}

// Makes directory[key + 1] the place for the first entry of each key of a bucket; to be raised by one for
// each that is placed, so that in the end directory[key] is the first of each key.
static void start_keys(const broad_grid *g, int bucket, const particle_pair *from, uint32_t key_end,
                       int32_t *directory)
{
    uint32_t begin = (uint32_t)bucket << g->bucket_shift, end = begin + (1u << g->bucket_shift);
    end = end < key_end ? end : key_end;
    memset(directory + begin + 1, 0, sizeof *directory * (end - begin));
    for (int i = g->bucket_start[bucket]; i < g->bucket_start[bucket + 1]; ++i)
        directory[from[i].a + 1] += 1;
    int32_t sum = g->bucket_start[bucket];
    for (uint32_t key = begin; key < end; ++key) {
        int32_t here = directory[key + 1];
        directory[key + 1] = sum;
        sum += here;
    }
}

// One bucket of one part is there already.
static bool is_one_bucket(const broad_grid *g)
{
    return g->part_count == 1 && g->bucket_count == 1;
}

// ---------------------------------------------------------------------------------------------
// Sorting spheres by cell

// Any level, any place.
static particle_pair entry_of(const search *s, int i)
{
    const broad_grid *g = s->grid;
    const broad_sphere *sphere = &s->query->spheres[i];
    const broad_level *l = &g->levels[g->level_of_bin[bin_of(sphere->radius)]];
    return (particle_pair){(int32_t)cell_of(l, sphere->centre), i};
}

static int enter_all(const search *s, int begin, int end, particle_pair *entries)
{
    int entered = 0;
    for (int i = begin; i < end; ++i)
        if (broad_takes_part(&s->query->spheres[i]))
            entries[entered++] = entry_of(s, i);
    return entered;
}

// Of the finest level.
static int enter_finest(const search *s, int begin, int end, particle_pair *entries)
{
    const broad_level *finest = &s->grid->levels[s->grid->level_count - 1];
    return s->query->kernels->broad_enter(s->query->spheres, begin, end, finest, entries);
}

static int enter_coarse(const search *s, int part, particle_pair *entries)
{
    const int32_t *coarse = coarse_spheres(s, part);
    for (int k = 0; k < s->grid->part_coarse[part]; ++k)
        entries[k] = entry_of(s, coarse[k]);
    return s->grid->part_coarse[part];
}

static bool is_small(const broad_level *l)
{
    return l->has_whole_rows && l->extent[0] <= l->columns && l->extent[0] <= SMALL_EXTENT &&
           l->extent[1] <= SMALL_EXTENT && l->extent[2] <= SMALL_EXTENT;
}

// Whether float32 tells the cells of the finest level. Coarse spheres that look down know theirs to float64: a place
// has to be right within CELL_MARGIN's part of a width, which is less of a cell the longer that is.
static bool is_entered_at_once(const broad_grid *g)
{
    const broad_level *l = &g->levels[g->level_count - 1];
    double widening = l->per_metre[1] / l->per_metre[0];
    return is_small(l) && (g->level_count == 1 || (double)l->extent[0] * widening <= SMALL_LENGTH);
}

static void enter_part(int part, void *context)
{
    const search *s = context;
    broad_grid *g = s->grid;
    int at = part_begin(g, part, s->query->count), entered = 0;
    int end = part_begin(g, part + 1, s->query->count);
    particle_pair *entries = s->b->entries + at;
    // Those of the finest level at once, and the few of others.
    bool is_at_once = is_entered_at_once(g);
    for (stretch here; at < end; at += here.count) {
        here = stretch_at(s->query, at, end);
        int last = here.first + here.count;
        entered += is_at_once ? enter_finest(s, here.first, last, entries + entered)
                              : enter_all(s, here.first, last, entries + entered);
    }
    if (is_at_once)
        entered += enter_coarse(s, part, entries + entered);
    g->part_entries[part] = entered;
    if (is_one_bucket(g))
        g->bucket_next[0][0] = entered;
    else
        count_buckets(g, part, entries, entered);
}

static void scatter_part(int part, void *context)
{
    const search *s = context;
    fill_buckets(s->grid, part, s->b->entries + part_begin(s->grid, part, s->query->count),
                 s->grid->part_entries[part], s->b->spare);
}

static void sort_cells(int bucket, void *context)
{
    const search *s = context;
    const broad_grid *g = s->grid;
    const particle_pair *from = is_one_bucket(g) ? s->b->entries : s->b->spare;
    int32_t *directory = s->b->directory;
    size_t room = (size_t)s->b->capacity + WIDE_REST;
    float *x = s->b->sorted, *y = x + room, *z = y + room, *radius = z + room;
    int32_t *index = (int32_t *)(radius + room);
    start_keys(g, bucket, from, g->cell_end, directory);
    for (int i = g->bucket_start[bucket]; i < g->bucket_start[bucket + 1]; ++i) {
        int32_t to = directory[from[i].a + 1]++;
        const broad_sphere *sphere = &s->query->spheres[from[i].b];
        x[to] = sphere->centre.x;
        y[to] = sphere->centre.y;
        z[to] = sphere->centre.z;
        radius[to] = sphere->radius;
        index[to] = from[i].b;
        s->b->cells[to] = (uint32_t)from[i].a;
    }
}

static void sort_spheres(search *s)
{
    broad_grid *g = s->grid;
    plan_buckets(g, g->cell_end, CELLS_PER_BUCKET);
    for_each(s, g->part_count, enter_part);
    start_buckets(g);
    if (!is_one_bucket(g))
        for_each(s, g->part_count, scatter_part);
    s->b->directory[0] = 0;
    for_each(s, g->bucket_count, sort_cells);
    // What is looked at beyond the last cell.
    s->b->directory[g->cell_end + 1] = s->b->directory[g->cell_end + 2] = g->sphere_count;
    size_t room = (size_t)s->b->capacity + WIDE_REST;
    g->x = s->b->sorted;
    g->y = g->x + room;
    g->z = g->y + room;
    g->radius = g->z + room;
    g->index = (const int32_t *)(g->radius + room);
    g->cells = s->b->cells;
    g->directory = s->b->directory;
}

// ---------------------------------------------------------------------------------------------
// Finding pairs

void pli_broad_hand_over(broad_scan *scan)
{
    const broad_query *q = scan->query;
    int count = scan->hit_count;
    if (q->filter)
        count = q->filter(scan->hits, count, q->context);
    int64_t left = scan->room - scan->found;
    int64_t copied = count < left ? count : left;
    if (copied > 0)
        memcpy(scan->out + scan->found, scan->hits, (size_t)copied * sizeof *scan->out);
    scan->found += count;
    scan->hit_count = 0;
}

int pli_broad_look_around(const broad_grid *grid, const broad_level *coarse,
                          const broad_block *block, broad_run runs[ALL_ROWS])
{
    // Folding keeps neighbours together but may turn them around.
    int64_t one = fold(block->first[0], coarse->columns),
            two = fold(block->last[0], coarse->columns);
    uint32_t low = (uint32_t)(one < two ? one : two), high = (uint32_t)(one < two ? two : one);
    int count = 0;
    for (int64_t z = block->first[2]; z <= block->last[2]; ++z)
        for (int64_t y = block->first[1]; y <= block->last[1]; ++y) {
            uint32_t row = coarse->base + row_of(coarse, y, z) * (coarse->columns + 1);
            broad_run run = {grid->directory[row + low], grid->directory[row + high + 1]};
            runs[count] = run;
            count += run.begin < run.end;
        }
    return count;
}

// Can no sphere of one level touch any of the other?
static bool are_apart(const broad_level *a, const broad_level *b)
{
    double reach = CELL_MARGIN * ((double)a->all.radius + (double)b->all.radius);
    for (int axis = 0; axis < 3; ++axis)
        if ((double)a->all.low[axis] - (double)b->all.high[axis] > reach ||
            (double)b->all.low[axis] - (double)a->all.high[axis] > reach)
            return true;
    return false;
}

// Whether few coarse spheres look for many fine ones, instead of the other way round. They reach across several
// cells, so these must not be folded.
static bool looks_down(const broad_level *coarse, const broad_level *fine)
{
    double reach = CELL_MARGIN * ((double)coarse->all.radius + (double)fine->all.radius);
    double across = 2.0 * reach * fine->per_metre[1] + 1.0;
    return fine->has_whole_rows && fine->extent[0] <= fine->columns &&
           (double)coarse->all.count * across * across < (double)fine->all.count * ALL_ROWS;
}

static void scan_level(broad_scan *scan, int level, int begin, int end)
{
    const broad_grid *g = scan->grid;
    const kernels *fast = scan->query->kernels;
    const broad_level *own = &g->levels[level];
    begin = begin < own->first_sphere ? own->first_sphere : begin;
    end = end > own->end_sphere ? own->end_sphere : end;
    if (begin >= end)
        return;
    fast->broad_sweep(scan, own, begin, end);
    for (int k = 0; k < level; ++k) {
        const broad_level *coarse = &g->levels[k];
        double reach = CELL_MARGIN * ((double)coarse->all.radius + (double)own->all.radius);
        if (!are_apart(coarse, own) && !looks_down(coarse, own))
            fast->broad_cross(scan, coarse, reach, begin, end);
    }
    for (int k = level + 1; k < g->level_count; ++k)
        if (!are_apart(own, &g->levels[k]) && looks_down(own, &g->levels[k]))
            fast->broad_look_down(scan, &g->levels[k], begin, end);
}

// Coarse spheres that look down have more to do, and find more.
static void weigh_levels(broad_grid *g)
{
    for (int i = 0; i < g->level_count; ++i) {
        broad_level *l = &g->levels[i];
        l->weight = 1;
        for (int k = i + 1; k < g->level_count; ++k)
            if (looks_down(l, &g->levels[k]) && !are_apart(l, &g->levels[k]))
                l->weight += WEIGHT_OF_LOOK;
    }
}

// Where a part of the sorted spheres begins: all have the same weight.
static int scan_begin(const broad_grid *g, int part)
{
    int64_t all = 0, before = 0;
    for (int i = 0; i < g->level_count; ++i)
        all += (int64_t)g->levels[i].all.count * g->levels[i].weight;
    int64_t from = all * part / g->part_count;
    for (int i = 0; i < g->level_count; ++i) {
        const broad_level *l = &g->levels[i];
        int64_t here = (int64_t)l->all.count * l->weight;
        if (from < before + here)
            return l->first_sphere + (int)((from - before) / l->weight);
        before += here;
    }
    return g->sphere_count;
}

// Writes what there is room for and counts all.
static void scan_part(int part, void *context)
{
    const search *s = context;
    broad_grid *g = s->grid;
    broad_scan scan = {.grid = g,
                       .query = s->query,
                       .out = s->pairs + s->room[part],
                       .room = s->room[part + 1] - s->room[part]};
    int begin = scan_begin(g, part), end = scan_begin(g, part + 1);
    for (int level = 0; level < g->level_count; ++level)
        scan_level(&scan, level, begin, end);
    pli_broad_hand_over(&scan);
    g->part_found[part] = scan.found;
}

static bool has_room(const search *s, int part)
{
    return s->grid->part_found[part] <= s->room[part + 1] - s->room[part];
}

// Copies the pairs of a part to where it begins now, or searches it again when it had found more than its room.
static void place_part(int part, void *context)
{
    const regrouping *r = context;
    search to = *r->now;
    to.pairs = to.b->unsorted;
    int64_t room = to.room[part + 1] - to.room[part], found = to.grid->part_found[part];
    if (has_room(r->before, part))
        memcpy(to.pairs + to.room[part], r->before->pairs + r->before->room[part],
               (size_t)(found < room ? found : room) * sizeof *to.pairs);
    else
        scan_part(part, &to);
}

// Gives each part as much room as it needs.
static void regroup(search *s, int capacity)
{
    const broad_grid *g = s->grid;
    search before = *s;
    for (int64_t part = 0, sum = 0; part < g->part_count; ++part) {
        sum += g->part_found[part];
        s->room[part + 1] = sum < capacity ? sum : capacity;
    }
    regrouping r = {&before, s};
    if (s->query->parallel_for && g->part_count > 1)
        s->query->parallel_for(g->part_count, place_part, &r, s->query->parallel_user_data);
    else
        for (int part = 0; part < g->part_count; ++part)
            place_part(part, &r);
    memcpy(s->pairs, s->b->unsorted, (size_t)s->room[g->part_count] * sizeof *s->pairs);
}

// Each part gets an equal share of the room at first.
static int64_t find_all(search *s, int capacity)
{
    broad_grid *g = s->grid;
    weigh_levels(g);
    for (int part = 0; part <= g->part_count; ++part)
        s->room[part] = part_begin(g, part, capacity);
    for_each(s, g->part_count, scan_part);
    bool is_enough = true;
    int64_t found = 0;
    for (int part = 0; part < g->part_count; ++part) {
        is_enough = is_enough && has_room(s, part);
        found += g->part_found[part];
    }
    if (!is_enough && capacity > 0)
        regroup(s, capacity);
    return found;
}

// ---------------------------------------------------------------------------------------------
// Sorting pairs

// How many pairs of a part were written.
static int written(const search *s, int part)
{
    int64_t room = s->room[part + 1] - s->room[part], found = s->grid->part_found[part];
    return (int)(found < room ? found : room);
}

static void count_pairs(int part, void *context)
{
    const search *s = context;
    count_buckets(s->grid, part, s->pairs + s->room[part], written(s, part));
}

static void scatter_pairs(int part, void *context)
{
    const search *s = context;
    fill_buckets(s->grid, part, s->pairs + s->room[part], written(s, part), s->b->unsorted);
}

// Lets the root of a heap sink to its place.
static void sink(particle_pair *heap, int root, int count)
{
    particle_pair moving = heap[root];
    for (int child; (child = 2 * root + 1) < count; root = child) {
        child += child + 1 < count && heap[child + 1].b > heap[child].b;
        if (heap[child].b <= moving.b)
            break;
        heap[root] = heap[child];
    }
    heap[root] = moving;
}

static void heap_seconds(particle_pair *pairs, int count)
{
    for (int root = count / 2 - 1; root >= 0; --root)
        sink(pairs, root, count);
    for (int end = count - 1; end > 0; --end) {
        particle_pair largest = pairs[0];
        pairs[0] = pairs[end];
        pairs[end] = largest;
        sink(pairs, 0, end);
    }
}

// Of most particles there are no more.
static inline void sort_two(particle_pair *pairs, int count)
{
    particle_pair one = pairs[0], other = pairs[count - 1];
    pairs[0].b = one.b < other.b ? one.b : other.b;
    pairs[count - 1].b = one.b < other.b ? other.b : one.b;
}

// Those of one first particle are few, but for a boulder among grains.
static void sort_pairs(int bucket, void *context)
{
    const search *s = context;
    const broad_grid *g = s->grid;
    const particle_pair *from = s->b->unsorted;
    int32_t *directory = s->b->directory;
    int begin = g->bucket_start[bucket], end = g->bucket_start[bucket + 1];
    start_keys(g, bucket, from, (uint32_t)index_end(s->query), directory);
    for (int i = begin; i < end; ++i)
        s->pairs[directory[from[i].a + 1]++] = from[i];
    for (int first = begin, next; first < end; first = next) {
        next = directory[s->pairs[first].a + 1];
        if (next - first <= 2)
            sort_two(s->pairs + first, next - first);
        else if (next - first <= FEW_SECONDS)
            s->query->kernels->sort_seconds(s->pairs + first, next - first);
        else
            heap_seconds(s->pairs + first, next - first);
    }
}

static void sort_found(search *s)
{
    broad_grid *g = s->grid;
    plan_buckets(g, (uint32_t)index_end(s->query), PARTICLES_PER_BUCKET);
    for_each(s, g->part_count, count_pairs);
    start_buckets(g);
    for_each(s, g->part_count, scatter_pairs);
    for_each(s, g->bucket_count, sort_pairs);
}

// ---------------------------------------------------------------------------------------------

static void free_spheres(const broad_phase *b, const pliant_allocator *memory)
{
    pli_memory_free(memory, b->grid);
    pli_memory_free(memory, b->entries);
    pli_memory_free(memory, b->spare);
    pli_memory_free(memory, b->sorted);
    pli_memory_free(memory, b->cells);
    pli_memory_free(memory, b->directory);
}

static bool reserve_pairs(broad_phase *b, int pairs, const pliant_allocator *memory)
{
    if (b->unsorted && pairs <= b->pair_capacity)
        return true;
    pairs = pairs > b->pair_capacity ? pairs : b->pair_capacity;
    particle_pair *unsorted = pli_memory_new(memory, (size_t)pairs, sizeof *unsorted);
    if (!unsorted)
        return false;
    pli_memory_free(memory, b->unsorted);
    b->unsorted = unsorted;
    b->pair_capacity = pairs;
    return true;
}

bool pli_broad_reserve(broad_phase *b, int count, int pairs, const pliant_allocator *allocator)
{
    pliant_allocator memory = pli_allocator_or_default(allocator);
    if (!reserve_pairs(b, pairs, &memory))
        return false;
    if (b->grid && count <= b->capacity)
        return true;
    size_t room = (size_t)count;
    broad_phase bigger = {
        .capacity = count,
        .grid = pli_memory_new(&memory, 1, sizeof(*b->grid)),
        .entries = pli_memory_new(&memory, room, sizeof(*b->entries)),
        .spare = pli_memory_new(&memory, room, sizeof(*b->spare)),
        .sorted = pli_memory_new(&memory, 5 * (room + WIDE_REST), sizeof(*b->sorted)),
        .cells = pli_memory_new(&memory, room, sizeof(*b->cells)),
        .directory = pli_memory_new(&memory, CELLS_PER_SPHERE * room + DIRECTORY_REST,
                                    sizeof(*b->directory)),
    };
    bool is_complete = bigger.grid && bigger.entries && bigger.spare && bigger.sorted &&
                       bigger.cells && bigger.directory;
    free_spheres(is_complete ? b : &bigger, &memory);
    if (!is_complete)
        return false;
    bigger.unsorted = b->unsorted;
    bigger.pair_capacity = b->pair_capacity;
    *b = bigger;
    return true;
}

void pli_broad_free(broad_phase *b, const pliant_allocator *allocator)
{
    pliant_allocator memory = pli_allocator_or_default(allocator);
    free_spheres(b, &memory);
    pli_memory_free(&memory, b->unsorted);
    *b = (broad_phase){0};
}

int pli_broad_find(broad_phase *b, const broad_query *query, particle_pair *pairs, int capacity)
{
    if (query->count < 2)
        return 0;
    assert(index_end(query) <= b->capacity && capacity <= b->pair_capacity && "reserve first");
    search s = {.b = b, .grid = b->grid, .query = query, .pairs = pairs ? pairs : b->unsorted};
    int parts = query->count / SPHERES_PER_PART;
    b->grid->part_count = parts < 1 ? 1 : parts > MOST_PARTS ? MOST_PARTS : parts;
    find_levels(&s);
    if (!b->grid->level_count)
        return 0;
    lay_out_levels(b->grid);
    sort_spheres(&s);
    int64_t found = find_all(&s, capacity);
    if (found > 0 && capacity > 0)
        sort_found(&s);
    return found < INT_MAX ? (int)found : INT_MAX;
}
