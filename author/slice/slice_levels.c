// Where to cut: levels that are one spacing apart along the surface.
//
// A step of ds along a surface whose normal has the angle b with the axis climbs dz = sin b ds. With g(z)
// the mean of sin b along the cut at z, the way along the surface is the integral of dz / g; levels divide
// it evenly.

#include "core/error.h"
#include "slice.h"

#include <stdlib.h>

enum { BINS_PER_SPACING = 4 };

static const double FLATTEST = 0.05;   // smaller inclinations count as this
static const double INSET = 1e-3;      // spacings, of the outermost levels
static const double MOST_WORK = 400e6; // bins that all faces reach into

typedef struct bin {
    double length, inclined; // sums over the cut: of its length, and weighted by the inclination
    double low, high;        // of the faces that begin and end here
    int32_t begins, ends;
} bin;

typedef struct profile {
    double bottom, step;
    int32_t count;
    bin *bins;
} profile;

static int32_t bin_of(const profile *p, double z)
{
    int32_t index = (int32_t)((z - p->bottom) / p->step);
    return index < 0 ? 0 : index >= p->count ? p->count - 1 : index;
}

// The cut of a face is longest at its middle corner and shrinks evenly to both ends.
static void add_face(profile *p, const slice_mesh *mesh, int32_t face)
{
    double low = mesh->low[face], high = mesh->high[face];
    int32_t first = bin_of(p, low), last = bin_of(p, high);
    bin *begin = &p->bins[first], *end = &p->bins[last];
    begin->low = begin->begins++ && begin->low < low ? begin->low : low;
    end->high = end->ends++ && end->high > high ? end->high : high;
    point3 n = mesh->normals[face];
    double flat = slice_root(n.x * n.x + n.y * n.y), length = length3(n);
    if (!(high > low) || !(flat > 0.0))
        return;
    double middle = -low - high, longest = flat / (high - low);
    for (int k = 0; k < 3; ++k)
        middle += mesh->points[mesh->corners[3 * face + k]].z;
    for (int32_t i = first; i <= last; ++i) {
        double z = p->bottom + ((double)i + 0.5) * p->step;
        if (!(z > low && z < high))
            continue;
        double cut = z < middle ? longest * ((z - low) / (middle - low))
                                : longest * ((high - z) / (high - middle));
        p->bins[i].length += cut;
        p->bins[i].inclined += cut * (flat / length);
    }
}

static double inclination(const bin *b)
{
    double mean = b->length > 0.0 ? b->inclined / b->length : 1.0;
    return mean > FLATTEST ? mean : FLATTEST;
}

// Faces without a gap of half a spacing between them: bins first … last.
typedef struct run {
    int32_t first, last;
    double low, high;
} run;

static bool next_run(const profile *p, run *r)
{
    int32_t open = 0, i = r->last + 1;
    while (i < p->count && p->bins[i].begins == 0)
        ++i;
    if (i == p->count)
        return false;
    *r = (run){.first = i, .last = i, .low = p->bins[i].low};
    for (; i < p->count && (open > 0 || i - r->last <= BINS_PER_SPACING / 2); ++i) {
        open += p->bins[i].begins - p->bins[i].ends;
        if (p->bins[i].ends > 0) {
            r->last = i;
            r->high = p->bins[i].high;
        }
    }
    return true;
}

static double bin_low(const profile *p, const run *r, int32_t i)
{
    return i == r->first ? r->low : p->bottom + (double)i * p->step;
}

static double bin_high(const profile *p, const run *r, int32_t i)
{
    return i == r->last ? r->high : p->bottom + (double)(i + 1) * p->step;
}

static double way_through(const profile *p, const run *r, int32_t i)
{
    return (bin_high(p, r, i) - bin_low(p, r, i)) / inclination(&p->bins[i]);
}

static double way_along(const profile *p, const run *r)
{
    double sum = 0.0;
    for (int32_t i = r->first; i <= r->last; ++i)
        sum += way_through(p, r, i);
    return sum;
}

// Heights at begin, begin + step, … along the way.
static void divide(const profile *p, const run *r, double begin, double step, int32_t count,
                   double *heights)
{
    double passed = 0.0;
    int32_t i = r->first;
    for (int32_t k = 0; k < count; ++k) {
        double goal = begin + (double)k * step;
        while (i < r->last && passed + way_through(p, r, i) < goal)
            passed += way_through(p, r, i++);
        heights[k] = bin_low(p, r, i) + (goal - passed) * inclination(&p->bins[i]);
    }
}

static int32_t levels_in(const profile *p, const run *r, double spacing)
{
    return (int32_t)(way_along(p, r) / spacing + 0.5) + 1;
}

static void add_levels(const profile *p, const run *r, int32_t count, double spacing,
                       double *heights)
{
    double way = way_along(p, r);
    if (count == 1) {
        divide(p, r, 0.5 * way, 0.0, 1, heights);
        return;
    }
    divide(p, r, 0.0, way / (double)(count - 1), count, heights);
    double inset = INSET * spacing;
    if (inset > 0.25 * (r->high - r->low))
        inset = 0.25 * (r->high - r->low);
    heights[0] = r->low + inset;
    heights[count - 1] = r->high - inset;
}

pliant_result pli_slice_too_many(double spacing, pliant_error *error)
{
    return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "spacing",
                         "%g m would give more than %d particles", spacing, SLICE_MOST_PARTICLES);
}

// Refuses at once what would take for ever and fail in the end.
static bool is_feasible(const slice_mesh *mesh, double spacing, double *bottom, double *top)
{
    double low[3] = {1e300, 1e300, 1e300}, high[3] = {-1e300, -1e300, -1e300}, work = 0.0;
    for (int32_t i = 0; i < mesh->face_count; ++i) {
        for (int k = 0; k < 3; ++k) {
            point3 x = mesh->points[mesh->corners[3 * i + k]];
            const double values[3] = {x.x, x.y, x.z};
            for (int c = 0; c < 3; ++c) {
                low[c] = values[c] < low[c] ? values[c] : low[c];
                high[c] = values[c] > high[c] ? values[c] : high[c];
            }
        }
        work += (mesh->high[i] - mesh->low[i]) / spacing * BINS_PER_SPACING + 1.0;
    }
    *bottom = low[2];
    *top = high[2];
    for (int c = 0; c < 3; ++c)
        if ((high[c] - low[c]) / spacing > SLICE_MOST_PARTICLES)
            return false;
    return work < MOST_WORK && mesh->area / (spacing * spacing) < 16.0 * SLICE_MOST_PARTICLES;
}

pliant_result pli_slice_heights(const slice_mesh *mesh, double spacing, double **heights,
                                int32_t *count, pliant_error *error)
{
    profile p = {.step = spacing / BINS_PER_SPACING};
    double top;
    *heights = NULL;
    *count = 0;
    if (!is_feasible(mesh, spacing, &p.bottom, &top))
        return pli_slice_too_many(spacing, error);
    p.count = (int32_t)((top - p.bottom) / p.step) + 1;
    p.bins = calloc((size_t)p.count, sizeof *p.bins);
    if (!p.bins)
        return pli_error_memory(error);
    for (int32_t i = 0; i < mesh->face_count; ++i)
        add_face(&p, mesh, i);
    int32_t total = 0;
    for (run r = {.last = -1}; next_run(&p, &r);)
        total += levels_in(&p, &r, spacing);
    *heights = malloc((size_t)total * sizeof **heights);
    for (run r = {.last = -1}; *heights && next_run(&p, &r);) {
        int32_t levels = levels_in(&p, &r, spacing);
        add_levels(&p, &r, levels, spacing, *heights + *count);
        *count += levels;
    }
    free(p.bins);
    return *heights ? PLIANT_OK : pli_error_memory(error);
}
