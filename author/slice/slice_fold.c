// Thin closed lines: a sheet with two sides. The line in the middle of the sides replaces them.
//
// Both sides are followed from one end as a zip is closed: at each step that side goes on which keeps the
// two closest together. The end where the zip starts is not known; any place where the line turns back on
// itself may be it, and the one with the closest sides wins.

#include "slice.h"

typedef struct ring {
    const point2 *samples;
    int32_t count;
    int32_t reach; // in which the line turns back at an end
    double widest;
} ring;

static point2 ring_at(const ring *r, int32_t index)
{
    index %= r->count;
    return r->samples[index < 0 ? index + r->count : index];
}

typedef struct zip {
    int32_t start;
    int32_t forward, back; // steps from the start
} zip;

static double width_at(const ring *r, const zip *z, int32_t forward, int32_t back)
{
    return distance2(ring_at(r, z->start + z->forward + forward),
                     ring_at(r, z->start - z->back - back));
}

// One tooth on; false at the other end.
static bool zip_on(const ring *r, zip *z)
{
    int32_t left = r->count - z->forward - z->back;
    if (left <= 0)
        return false;
    double one = width_at(r, z, 1, 0), other = width_at(r, z, 0, 1);
    bool both = left > 1 && width_at(r, z, 1, 1) <= (one < other ? one : other);
    z->forward += both || one <= other;
    z->back += both || one > other;
    return true;
}

// How good a start is, the less the better; negative when the sides part. Beside the width counts that
// it is in the middle of the end, seen from which both sides are equally long at first.
static double cost_of(const ring *r, int32_t start)
{
    zip z = {.start = start};
    double cost = 0.0;
    while (zip_on(r, &z)) {
        double width = width_at(r, &z, 0, 0);
        if (width > r->widest)
            return -1.0;
        cost += width * width;
        if (z.forward + z.back <= 2 * r->reach) {
            double ahead = (double)(z.forward - z.back) * r->widest / (double)r->reach;
            cost += ahead * ahead;
        }
    }
    return cost;
}

static int32_t find_start(const ring *r)
{
    int32_t best = -1;
    double least = 0.0;
    for (int32_t i = 0; i < r->count; ++i) {
        if (distance2(ring_at(r, i + r->reach), ring_at(r, i - r->reach)) > r->widest)
            continue;
        double cost = cost_of(r, i);
        if (cost >= 0.0 && (best < 0 || cost < least)) {
            best = i;
            least = cost;
        }
    }
    return best;
}

// ---------------------------------------------------------------------------------------------
// The middle

static point2 middle_of(const ring *r, const zip *z)
{
    return between2(ring_at(r, z->start + z->forward), ring_at(r, z->start - z->back), 0.5);
}

static double mean_width(const ring *r, int32_t start)
{
    zip z = {.start = start};
    double sum = 0.0;
    int32_t teeth = 0;
    while (zip_on(r, &z)) {
        sum += width_at(r, &z, 0, 0);
        ++teeth;
    }
    return sum / (double)teeth;
}

// How far the samples from one to another lie beyond x, away from `inside`: the end of the sheet.
static point2 extended(const ring *r, point2 inside, point2 x, int32_t from, int32_t to)
{
    double length = distance2(inside, x), farthest = 0.0;
    if (!(length > 0.0))
        return x;
    point2 way = {(x.x - inside.x) / length, (x.y - inside.y) / length};
    for (int32_t i = from; i <= to; ++i) {
        point2 p = ring_at(r, i);
        double beyond = (p.x - x.x) * way.x + (p.y - x.y) * way.y;
        farthest = beyond > farthest ? beyond : farthest;
    }
    return (point2){x.x + way.x * farthest, x.y + way.y * farthest};
}

// The teeth between which the two sides are as far apart as they are mostly. Beyond them is the turn.
typedef struct stretch {
    int32_t first, last;
} stretch;

static stretch find_stretch(const ring *r, int32_t start)
{
    int32_t margin = r->reach / 4;
    double wide = 0.8 * mean_width(r, start);
    stretch s = {-1, 0};
    zip z = {.start = start};
    for (int32_t tooth = 0; zip_on(r, &z); ++tooth) {
        if (width_at(r, &z, 0, 0) < wide)
            continue;
        s.first = s.first < 0 ? tooth : s.first;
        s.last = tooth;
    }
    if (s.last - s.first >= 4 * margin) {
        s.first += margin;
        s.last -= margin;
    }
    return s;
}

static zip zip_to(const ring *r, int32_t start, int32_t tooth)
{
    zip z = {.start = start};
    for (int32_t i = 0; i <= tooth; ++i)
        zip_on(r, &z);
    return z;
}

static bool add_tooth(slice_level *level, slice_line *line, const ring *r, const zip *z, point2 at)
{
    int32_t sample = (z->start + z->forward) % r->count;
    return pli_slice_add_point(level, line, at, level->sample_faces[line->first_sample + sample]);
}

static bool replace(slice_level *level, slice_line *line, const ring *r, int32_t start)
{
    stretch s = find_stretch(r, start);
    int32_t inside = r->reach / 2 + 1, length = s.last - s.first;
    inside = inside < length ? inside : length;
    zip first = zip_to(r, start, s.first), after_first = zip_to(r, start, s.first + inside);
    zip last = zip_to(r, start, s.last), before_last = zip_to(r, start, s.last - inside);
    slice_line middle = *line;
    middle.first = level->point_count;
    middle.count = 0;
    middle.length = 0.0;
    middle.is_closed = false;
    middle.is_folded = true;
    point2 begin = extended(r, middle_of(r, &after_first), middle_of(r, &first), start - first.back,
                            start + first.forward);
    point2 end = extended(r, middle_of(r, &before_last), middle_of(r, &last), start + last.forward,
                          start + r->count - last.back);
    bool ok = add_tooth(level, &middle, r, &first, begin);
    zip z = first;
    for (int32_t tooth = s.first; ok && tooth <= s.last; ++tooth) {
        ok = add_tooth(level, &middle, r, &z, middle_of(r, &z));
        zip_on(r, &z);
    }
    ok = ok && add_tooth(level, &middle, r, &last, end);
    *line = middle;
    return ok;
}

bool pli_slice_fold(slice_level *level, slice_line *line, double spacing)
{
    const point2 *samples = level->samples + line->first_sample;
    ring r = {.samples = samples, .count = line->sample_count, .widest = 0.5 * spacing};
    if (line->is_closed)
        --r.count;
    else if (distance2(samples[0], samples[line->sample_count - 1]) > r.widest)
        return true;
    r.reach = (int32_t)(spacing / level->pitch);
    if (r.reach > r.count / 4)
        r.reach = r.count / 4;
    if (r.reach < 1)
        return true;
    int32_t start = find_start(&r);
    return start < 0 || replace(level, line, &r, start);
}
