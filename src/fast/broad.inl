// Pairs of overlapping spheres in the sorted grid of the broad phase, eight candidates at a time.
//
// How many candidates a cell has and which of them overlap is close to a coin toss, and a branch that
// the processor cannot predict costs as much as several tests. So all tests of a sphere leave one bit
// each in a word, whether there was a candidate or not, and only the ones that count are walked through, a few at a time.

#include "math/wide3.h"
#include "solve/broad_grid.h"

// Candidates that have a byte of a word, and hits that are noted together.
enum { EIGHT = 8, HITS_WRITTEN = 4 };
_Static_assert(MOST_HITS_AT_ONCE % HITS_WRITTEN == 0, "there is room for what is written");

WIDE_INLINE float wide_lowest_lane(wide a)
{
    float low = a[0];
    for (int i = 1; i < WIDE; ++i)
        low = minimum(low, a[i]);
    return low;
}

// Centres and radii of up to WIDE spheres. The result tells which there are: left out are those with a
// negative radius, or whose numbers are not finite.
WIDE_INLINE wide_mask broad_load(const broad_sphere *spheres, int count, wide part[4])
{
    int32_t index[WIDE];
    wide_indices(count, index);
    wide_gather_quads(spheres, index, sizeof *spheres, part);
    wide_mask is_in = (part[3] >= wide_all(0.0f)) & wide_is_finite(part[3]);
    WIDE_UNROLL
    for (int axis = 0; axis < 3; ++axis)
        is_in &= wide_is_finite(part[axis]);
    return is_in & wide_lanes(count);
}

static int broad_measure(const broad_sphere *spheres, int count, float border, broad_range *out,
                         int32_t *others)
{
    const wide most = wide_all(FLT_MAX), zero = wide_all(0.0f);
    // Lowest x, y and z and radius, and the same of their negatives.
    wide lowest[8] = {most, most, most, most, most, most, most, most};
    wide_mask taken = {0};
    int other_count = 0;
    for (int i = 0; i < count; i += WIDE) {
        wide part[4];
        wide_mask is_there = broad_load(spheres + i, count - i, part);
        wide_mask is_in = is_there & (part[3] <= wide_all(border));
        taken -= is_in;
        for (unsigned bits = wide_bits(is_there & ~is_in); bits; bits &= bits - 1)
            others[other_count++] = i + __builtin_ctz(bits);
        for (int k = 0; k < 4; ++k) {
            lowest[k] = wide_minimum(lowest[k], wide_select(is_in, part[k], most));
            lowest[4 + k] = wide_minimum(lowest[4 + k], wide_select(is_in, zero - part[k], most));
        }
    }
    *out = broad_no_range();
    for (int lane = 0; lane < WIDE; ++lane)
        out->count += taken[lane];
    if (!out->count)
        return other_count;
    for (int axis = 0; axis < 3; ++axis) {
        out->low[axis] = wide_lowest_lane(lowest[axis]);
        out->high[axis] = -wide_lowest_lane(lowest[4 + axis]);
    }
    out->least_radius = wide_lowest_lane(lowest[3]);
    out->radius = -wide_lowest_lane(lowest[7]);
    return other_count;
}

WIDE_INLINE wide_mask broad_places(const broad_level *l, int axis, wide coordinate, wide_mask is_in)
{
    wide place = (coordinate - wide_all(l->all.low[axis])) * wide_all((float)l->per_metre[axis]);
    wide last = wide_all((float)(l->extent[axis] - 1));
    return __builtin_convertvector(wide_select(is_in, wide_minimum(place, last), last), wide_mask);
}

// A place is rounded by less than 2^-12 cells where there are at most 1024 of them: see is_entered_at_once.
static int broad_enter(const broad_sphere *spheres, int begin, int end, const broad_level *l,
                       particle_pair *entries)
{
    wide_mask row_step = wide_all_bits((int32_t)l->row_step);
    wide_mask row = wide_all_bits((int32_t)l->columns + 1), base = wide_all_bits((int32_t)l->base);
    int entered = 0;
    for (int i = begin; i < end; i += WIDE) {
        wide part[4];
        wide_mask is_in =
            broad_load(spheres + i, end - i, part) & (part[3] <= wide_all(l->all.radius));
        wide_mask x = broad_places(l, 0, part[0], is_in), y = broad_places(l, 1, part[1], is_in);
        wide_mask z = broad_places(l, 2, part[2], is_in);
        wide_mask cell = base + (y + z * row_step) * row + x;
        unsigned bits = wide_bits(is_in);
        for (int lane = 0; lane < WIDE && i + lane < end; ++lane) {
            entries[entered] = (particle_pair){cell[lane], i + lane};
            entered += (int)(bits >> lane & 1);
        }
    }
    return entered;
}

// Which of eight candidates overlap. The difference comes first: it is precise also far from the origin.
WIDE_INLINE uint64_t broad_overlaps(const broad_grid *g, int one, int begin)
{
    unsigned bits = 0;
    WIDE_UNROLL
    for (int part = 0; part < EIGHT; part += WIDE) {
        int at = begin + part;
        wide x = wide_all(g->x[one]) - wide_load(g->x + at);
        wide y = wide_all(g->y[one]) - wide_load(g->y + at);
        wide z = wide_all(g->z[one]) - wide_load(g->z + at);
        wide reach = wide_all(g->radius[one]) + wide_load(g->radius + at);
        bits |= wide_bits(x * x + y * y + z * z <= reach * reach) << part;
    }
    return bits;
}

WIDE_INLINE void broad_note(broad_scan *scan, int one, const int *begin, uint64_t bits)
{
    const int32_t *index = scan->grid->index;
    int32_t i = index[one];
    int count = scan->hit_count;
    while (bits) {
        // Mostly there are up to four: so many are written, whatever there are, and no branch depends on that.
        WIDE_UNROLL
        for (int k = 0; k < HITS_WRITTEN; ++k) {
            int bit = __builtin_ctzll(bits + !bits);
            int32_t j = index[begin[bit / EIGHT] + bit % EIGHT];
            scan->hits[count] = (particle_pair){i < j ? i : j, i < j ? j : i};
            count += bits != 0;
            bits &= bits - 1;
        }
    }
    scan->hit_count = count;
    if (count > HIT_ROOM)
        pli_broad_hand_over(scan);
}

// Up to eight times eight candidates.
typedef struct broad_batch {
    int begin[EIGHT];
    int count;
    uint64_t valid; // which bits are candidates
} broad_batch;

// Batches of the same candidates for all spheres of a cell.
typedef struct broad_list {
    broad_batch batches[MOST_BATCHES];
    int count;
} broad_list;

// False when there is no room.
static bool broad_add_run(broad_list *list, broad_run run)
{
    for (int begin = run.begin; begin < run.end; begin += EIGHT) {
        broad_batch *last = &list->batches[list->count - 1];
        if (last->count == EIGHT) {
            if (list->count == MOST_BATCHES)
                return false;
            last = &list->batches[list->count++];
            last->count = 0;
            last->valid = 0;
        }
        int length = run.end - begin < EIGHT ? run.end - begin : EIGHT;
        last->begin[last->count] = begin;
        last->valid |= (((uint64_t)1 << length) - 1) << EIGHT * last->count;
        last->count += 1;
    }
    return true;
}

static inline void broad_clear(broad_list *list)
{
    list->count = 1;
    list->batches[0].count = 0;
    list->batches[0].valid = 0;
}

WIDE_INLINE void broad_test(broad_scan *scan, int one, const broad_batch *tested)
{
    uint64_t bits = 0;
    for (int i = 0; i < tested->count; ++i)
        bits |= broad_overlaps(scan->grid, one, tested->begin[i]) << EIGHT * i;
    broad_note(scan, one, tested->begin, bits & tested->valid);
}

static void broad_test_list(broad_scan *scan, int one, const broad_list *list)
{
    for (int i = 0; i < list->count; ++i)
        broad_test(scan, one, &list->batches[i]);
}

// For crowded cells.
static void broad_test_runs(broad_scan *scan, int one, const broad_run *runs, int run_count)
{
    broad_list list;
    for (int r = 0; r < run_count; ++r)
        for (broad_run part = runs[r]; part.begin < runs[r].end; part.begin = part.end) {
            int most = part.begin + MOST_HITS_AT_ONCE;
            part.end = runs[r].end < most ? runs[r].end : most;
            broad_clear(&list);
            broad_add_run(&list, part);
            broad_test_list(scan, one, &list);
        }
}

enum { SWEEP_RUNS = 1 + LATER_ROWS };

// The spheres [at, end) of a cell, when none of the runs has more than eight candidates. The first of them are
// the spheres themselves.
WIDE_INLINE void broad_sweep_cell(broad_scan *scan, int at, int end, const broad_run *runs)
{
    const broad_grid *g = scan->grid;
    int begin[SWEEP_RUNS];
    uint64_t valid = 0;
    for (int r = 0; r < SWEEP_RUNS; ++r) {
        begin[r] = runs[r].begin;
        valid |= (((uint64_t)1 << (runs[r].end - runs[r].begin)) - 1) << EIGHT * r;
    }
    for (; at < end; ++at) {
        valid &= valid - 1;
        uint64_t bits = broad_overlaps(g, at, begin[0]);
        bits |= broad_overlaps(g, at, begin[1]) << EIGHT;
        bits |= broad_overlaps(g, at, begin[2]) << 2 * EIGHT;
        bits |= broad_overlaps(g, at, begin[3]) << 3 * EIGHT;
        bits |= broad_overlaps(g, at, begin[4]) << 4 * EIGHT;
        broad_note(scan, at, begin, bits & valid);
    }
}

static void broad_sweep_crowd(broad_scan *scan, int at, int end, broad_run *runs)
{
    broad_list list;
    broad_clear(&list);
    bool fits = end - at <= MOST_HITS_AT_ONCE;
    for (int r = 0; r < SWEEP_RUNS && fits; ++r)
        fits = broad_add_run(&list, runs[r]);
    for (; at < end; ++at) {
        if (fits) {
            list.batches[0].valid &= list.batches[0].valid - 1;
            broad_test_list(scan, at, &list);
        } else {
            runs[0].begin = at + 1;
            broad_test_runs(scan, at, runs, SWEEP_RUNS);
        }
    }
}

// Pairs within a level, each met from its earlier cell.
static void broad_sweep(broad_scan *scan, const broad_level *level, int begin, int end)
{
    const broad_grid *g = scan->grid;
    const int32_t *directory = g->directory;
    uint32_t span = level->end - level->base;
    for (int at = begin, next; at < end; at = next) {
        uint32_t cell = g->cells[at];
        next = directory[cell + 1] < end ? directory[cell + 1] : end;
        broad_run runs[SWEEP_RUNS] = {{at, directory[cell + 2]}};
        int longest = runs[0].end - at;
        for (int r = 0; r < LATER_ROWS; ++r) {
            uint32_t other = cell + level->later[r];
            other -= other >= level->end ? span : 0;
            broad_run run = {directory[other - 1], directory[other + 2]};
            longest = run.end - run.begin > longest ? run.end - run.begin : longest;
            runs[r + 1] = run;
        }
        if (longest <= EIGHT)
            broad_sweep_cell(scan, at, next, runs);
        else
            broad_sweep_crowd(scan, at, next, runs);
    }
}

// Pairs of spheres of a finer level with those of a coarse one, at most `reach` apart. Where the fine level is
// dense, successive spheres of it mostly reach the same cells, so what was found there is kept.
static void broad_cross(broad_scan *scan, const broad_level *coarse, double reach, int begin,
                        int end)
{
    const broad_grid *g = scan->grid;
    broad_block known = {.first = {-1}};
    broad_run runs[ALL_ROWS];
    broad_list list;
    int count = 0;
    bool fits = false;
    for (int at = begin; at < end; ++at) {
        vec3 centre = {g->x[at], g->y[at], g->z[at]};
        broad_block block = broad_block_around(coarse, centre, reach);
        if (!broad_blocks_equal(&block, &known)) {
            known = block;
            count = block.first[0] <= block.last[0] ? pli_broad_look_around(g, coarse, &block, runs)
                                                    : 0;
            fits = true;
            broad_clear(&list);
            for (int r = 0; r < count && fits; ++r)
                fits = broad_add_run(&list, runs[r]);
        }
        if (fits)
            broad_test_list(scan, at, &list);
        else
            broad_test_runs(scan, at, runs, count);
    }
}

// Rows that do not fit any more are tested with those that are there.
WIDE_INLINE void broad_test_row(broad_scan *scan, int one, broad_list *list, broad_run run)
{
    int most = MOST_BATCHES * EIGHT, eights = (run.end - run.begin + EIGHT - 1) / EIGHT;
    int taken = (list->count - 1) * EIGHT + list->batches[list->count - 1].count;
    if (taken + eights > most) {
        broad_test_list(scan, one, list);
        broad_clear(list);
    }
    if (eights > most)
        broad_test_runs(scan, one, &run, 1);
    else
        broad_add_run(list, run);
}

static void broad_look_down(broad_scan *scan, const broad_level *fine, int begin, int end)
{
    const broad_grid *g = scan->grid;
    for (int at = begin; at < end; ++at) {
        vec3 centre = {g->x[at], g->y[at], g->z[at]};
        double reach = CELL_MARGIN * ((double)g->radius[at] + (double)fine->all.radius);
        broad_block block = broad_block_around(fine, centre, reach);
        broad_list list;
        broad_clear(&list);
        if (block.first[0] > block.last[0])
            continue;
        for (int64_t z = block.first[2]; z <= block.last[2]; ++z)
            for (int64_t y = block.first[1]; y <= block.last[1]; ++y) {
                uint32_t row = (uint32_t)y + (uint32_t)z * fine->row_step;
                const int32_t *cells = g->directory + fine->base + row * (fine->columns + 1);
                broad_run run = {cells[block.first[0]], cells[block.last[0] + 1]};
                broad_test_row(scan, at, &list, run);
            }
        broad_test_list(scan, at, &list);
    }
}

// ---------------------------------------------------------------------------------------------

// Each goes to where it belongs by how many come before it: no branch depends on their order.
static void sort_seconds(particle_pair *pairs, int count)
{
    _Static_assert(FEW_SECONDS % WIDE == 0, "they are read in whole parts");
    int32_t seconds[FEW_SECONDS] = {0}, first = pairs[0].a;
    for (int i = 0; i < count; ++i)
        seconds[i] = pairs[i].b;
    for (int i = 0; i < count; i += WIDE) {
        wide_mask some, ranks = {0};
        memcpy(&some, seconds + i, sizeof some);
        for (int k = 0; k < count; ++k)
            ranks -= wide_all_bits(seconds[k]) < some;
        for (int lane = 0; lane < WIDE && i + lane < count; ++lane)
            pairs[ranks[lane]] = (particle_pair){first, seconds[i + lane]};
    }
}

static int find_around(const broad_sphere *spheres, int first, int end, const int32_t *some,
                       int some_count, particle_pair *out, int room)
{
    int found = 0;
    for (int i = first; i < end; i += WIDE) {
        wide part[4];
        wide_mask is_in = broad_load(spheres + i, end - i, part);
        for (int k = 0; k < some_count; ++k) {
            const broad_sphere *one = &spheres[some[k]];
            wide x = wide_all(one->centre.x) - part[0], y = wide_all(one->centre.y) - part[1];
            wide z = wide_all(one->centre.z) - part[2], reach = wide_all(one->radius) + part[3];
            unsigned bits = wide_bits((x * x + y * y + z * z <= reach * reach) & is_in);
            for (; bits && one->radius >= 0.0f; bits &= bits - 1) {
                int32_t other = i + __builtin_ctz(bits), a = some[k];
                if (other == a)
                    continue;
                if (found == room)
                    return -1;
                out[found++] = (particle_pair){a < other ? a : other, a < other ? other : a};
            }
        }
    }
    return found;
}

// As broad_overlaps, of spheres anywhere.
static int keep_overlapping(const broad_sphere *spheres, const particle_pair *pairs, int count,
                            particle_pair *out)
{
    int kept = 0;
    for (int k = 0; k < count; k += WIDE) {
        int32_t a[WIDE], b[WIDE];
        int lanes = count - k < WIDE ? count - k : WIDE;
        for (int lane = 0; lane < WIDE; ++lane) {
            const particle_pair *pair = &pairs[k + (lane < lanes ? lane : lanes - 1)];
            a[lane] = pair->a;
            b[lane] = pair->b;
        }
        wide reach_a, reach_b;
        wide_vec3 one = wide_vec3_gather(&spheres->centre, a, sizeof *spheres, &reach_a);
        wide_vec3 two = wide_vec3_gather(&spheres->centre, b, sizeof *spheres, &reach_b);
        wide_vec3 apart = wide_vec3_sub(one, two);
        wide reach = reach_a + reach_b;
        wide_mask takes_part = (reach_a >= wide_all(0.0f)) & (reach_b >= wide_all(0.0f));
        unsigned bits = wide_bits((wide_vec3_dot(apart, apart) <= reach * reach) & takes_part);
        for (int lane = 0; lane < lanes; ++lane) {
            out[kept] = (particle_pair){a[lane], b[lane]};
            kept += (int)(bits >> lane & 1);
        }
    }
    return kept;
}
