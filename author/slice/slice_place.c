// Particles on the lines of one level.

#include "slice.h"

// All in spacings.
static const double CLOSEST = 0.65; // particles of one level
static const double THICKEST = 0.5; // between the outermost layers of a sheet
static const double SHORTEST_LOOP =
    2.5; // with particles around it; of shorter ones one is in the middle
static const double SHORTEST_LINE = 0.75; // with a particle at both ends
static const double LONGEST_LINK = 1.4;   // to a particle of another line
static const double HABIT = 0.75; // difference up to which a line has as many as the one below it

typedef struct site {
    double along;
    point2 on_line; // before it is moved to the middle of the layers
    point2 at;
    point2 tangent;
    int32_t particle;
    bool is_new;
} site;

// What the work on a level needs.
typedef struct placing {
    slice_net *net;
    const slice_mesh *mesh;
    slice_level *level;
    const slice_level *lower;
    const slice_strip *strip;
} placing;

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

static double wrap(const slice_line *line, double along)
{
    if (!line->is_closed)
        return clamp(along, 0.0, line->length);
    if (along < 0.0)
        along += line->length;
    return along >= line->length ? along - line->length : along;
}

static point2 tangent_at(const placing *p, const slice_line *line, double along)
{
    double pitch = p->level->pitch;
    point2 before = pli_slice_at(p->level, line, wrap(line, along - pitch));
    point2 behind = pli_slice_at(p->level, line, wrap(line, along + pitch));
    double length = distance2(before, behind);
    if (!(length > 0.0))
        return (point2){1, 0};
    return (point2){(behind.x - before.x) / length, (behind.y - before.y) / length};
}

// ---------------------------------------------------------------------------------------------
// Layers

static bool is_member(const slice_level *level, int32_t particle, int32_t line)
{
    int32_t i = level->member_heads[particle - level->first_particle];
    while (i >= 0 && level->members[i].line != line)
        i = level->members[i].next;
    return i >= 0;
}

static bool add_member(slice_level *level, int32_t particle, int32_t line)
{
    if (is_member(level, particle, line))
        return true;
    int32_t *head = &level->member_heads[particle - level->first_particle];
    int32_t n = level->member_count;
    if (!pli_slice_grow((void **)&level->members, &level->member_capacity, n + 1,
                        sizeof *level->members))
        return false;
    level->members[n] = (slice_member){line, *head};
    *head = n;
    ++level->member_count;
    return true;
}

// Whether sample i of a line is part of the piece of it around `along`.
static bool is_local(const placing *p, const slice_line *line, int32_t sample, double along)
{
    double pitch = line->length / (double)(line->sample_count - 1);
    double d = ((double)(sample - line->first_sample) + 0.5) * pitch - along;
    d = d < 0.0 ? -d : d;
    if (line->is_closed && d > 0.5 * line->length)
        d = line->length - d;
    return d < 2.0 * p->level->pitch;
}

typedef struct layers {
    double low, high; // where lines cross the normal of the site, 0 is the site itself
} layers;

// Where the line from one sample to the next crosses the normal of a site, if it runs beside the site's line.
static bool crosses(const placing *p, const site *s, int32_t sample, double *offset)
{
    point2 a = p->level->samples[sample], b = p->level->samples[sample + 1], t = s->tangent;
    double a_along = (a.x - s->on_line.x) * t.x + (a.y - s->on_line.y) * t.y;
    double b_along = (b.x - s->on_line.x) * t.x + (b.y - s->on_line.y) * t.y;
    if ((a_along < 0.0) == (b_along < 0.0))
        return false;
    double a_off = (a.y - s->on_line.y) * t.x - (a.x - s->on_line.x) * t.y;
    double b_off = (b.y - s->on_line.y) * t.x - (b.x - s->on_line.x) * t.y;
    *offset = a_off + (b_off - a_off) * (a_along / (a_along - b_along));
    double run = b_along - a_along, drift = b_off - a_off;
    return run * run > drift * drift;
}

// The layers beside a site. Its particle, when it has one, becomes a member of their lines.
static bool find_layers(const placing *p, const slice_line *line, const site *s, layers *found)
{
    slice_level *level = p->level;
    double reach = THICKEST * p->net->spacing;
    int32_t count = pli_plane_grid_search(&level->sample_grid, s->on_line, reach + level->pitch);
    for (int32_t i = 0; i < count; ++i) {
        int32_t sample = level->sample_grid.found[i], index = level->sample_lines[sample];
        const slice_line *other = &level->lines[index];
        if (sample + 1 >= other->first_sample + other->sample_count)
            continue;
        if (other == line && is_local(p, line, sample, s->along))
            continue;
        double offset;
        if (!crosses(p, s, sample, &offset) || offset < -reach || offset > reach)
            continue;
        found->low = offset < found->low ? offset : found->low;
        found->high = offset > found->high ? offset : found->high;
        if (s->particle >= 0 && !add_member(level, s->particle, index))
            return false;
    }
    return count >= 0;
}

// To the middle of all layers. What is beside the ends of a line is taken from a little inside.
static bool centre_site(const placing *p, const slice_line *line, site *s)
{
    s->at = s->on_line;
    if (line->is_folded)
        return true;
    double inside = clamp(0.25 * p->net->spacing, 0.0, 0.5 * line->length);
    site look = *s;
    if (!line->is_closed)
        look.along = clamp(s->along, inside, line->length - inside);
    look.on_line = pli_slice_at(p->level, line, look.along);
    look.tangent = tangent_at(p, line, look.along);
    layers found = {0, 0};
    if (!find_layers(p, line, &look, &found))
        return false;
    double middle = 0.5 * (found.low + found.high);
    s->at =
        (point2){s->on_line.x - middle * look.tangent.y, s->on_line.y + middle * look.tangent.x};
    return true;
}

// ---------------------------------------------------------------------------------------------
// Particles

static point2 place_of(const slice_net *net, int32_t particle)
{
    point3 x = net->particles[particle].position;
    return (point2){x.x, x.y};
}

// The particle of the level nearest to a place within reach, of one line or (-1) of all. -1: none; -2:
// memory ran out.
static int32_t nearest_particle(const placing *p, point2 at, double reach, int32_t line)
{
    int32_t count = pli_plane_grid_search(&p->level->grid, at, reach), best = -1;
    for (int32_t i = 0; i < count; ++i) {
        int32_t particle = p->level->first_particle + p->level->grid.found[i];
        double d = distance2(place_of(p->net, particle), at);
        if (d > reach || (d == reach && best >= 0 && particle > best) ||
            (line >= 0 && !is_member(p->level, particle, line)))
            continue;
        reach = d;
        best = particle;
    }
    return count < 0 ? -2 : best;
}

static void add_normal(const slice_mesh *mesh, point3 *sum, int32_t face, double weight)
{
    point3 n = mesh->normals[face];
    double length = length3(n);
    if (!(length > 0.0))
        return;
    sum->x += n.x / length * weight;
    sum->y += n.y / length * weight;
    sum->z += n.z / length * weight;
}

// Sum of the faces' normals along a piece of the line, which lies within it.
static void add_normals(const placing *p, const slice_line *line, double from, double to,
                        point3 *sum)
{
    const slice_level *level = p->level;
    int32_t last = line->first + line->count - 2;
    for (int32_t i = pli_slice_find(level, line, from); i <= last; ++i) {
        double begin = level->along[i] > from ? level->along[i] : from;
        double end = level->along[i + 1] < to ? level->along[i + 1] : to;
        if (end > begin)
            add_normal(p->mesh, sum, level->faces[i], end - begin);
        if (level->along[i + 1] >= to)
            break;
    }
}

// Zero where the surface faces all ways.
static point3 normal_around(const placing *p, const slice_line *line, double along, double reach)
{
    point3 sum = {0, 0, 0};
    double from = along - reach, to = along + reach, whole = line->length;
    if (2.0 * reach >= whole) {
        from = 0.0;
        to = whole;
    }
    add_normals(p, line, clamp(from, 0.0, whole), clamp(to, 0.0, whole), &sum);
    if (line->is_closed && from < 0.0)
        add_normals(p, line, whole + from, whole, &sum);
    if (line->is_closed && to > whole)
        add_normals(p, line, 0.0, to - whole, &sum);
    double length = length3(sum), passed = clamp(to - from, 0.0, whole);
    if (!(length > 0.3 * passed))
        return (point3){0, 0, 0};
    return (point3){sum.x / length, sum.y / length, sum.z / length};
}

static bool add_particle(const placing *p, int32_t line_index, site *s, double reach)
{
    slice_net *net = p->net;
    slice_level *level = p->level;
    const slice_line *line = &level->lines[line_index];
    int32_t n = net->particle_count, in_level = n - level->first_particle;
    if (!pli_slice_grow((void **)&net->particles, &net->particle_capacity, n + 1,
                        sizeof *net->particles) ||
        !pli_slice_grow((void **)&level->member_heads, &level->head_capacity, in_level + 1,
                        sizeof *level->member_heads) ||
        !pli_plane_grid_add(&level->grid, s->at, in_level))
        return false;
    net->particles[n] = (slice_particle){
        .position = {s->at.x, s->at.y, level->height},
        .normal = normal_around(p, line, s->along, reach),
        .tangent = s->tangent,
        .face = level->faces[pli_slice_find(level, line, s->along)],
        .line = line_index,
        .last_link = -1,
    };
    level->member_heads[in_level] = -1;
    s->particle = n;
    s->is_new = true;
    ++net->particle_count;
    ++level->particle_count;
    return true;
}

// The particle that stands for a site: a near one, or a new one.
static bool settle(const placing *p, int32_t line_index, site *s, double reach)
{
    int32_t near = nearest_particle(p, s->at, CLOSEST * p->net->spacing, -1);
    s->particle = near;
    s->is_new = false;
    if (near == -2 || (near < 0 && !add_particle(p, line_index, s, reach)))
        return false;
    layers unused = {0, 0};
    return add_member(p->level, s->particle, line_index) &&
           (!s->is_new || find_layers(p, &p->level->lines[line_index], s, &unused));
}

static bool link_sites(const placing *p, const site *a, const site *b)
{
    point2 from = place_of(p->net, a->particle), to = place_of(p->net, b->particle);
    bool is_near = distance2(from, to) < LONGEST_LINK * p->net->spacing;
    return (!is_near && !(a->is_new && b->is_new)) ||
           pli_slice_link(p->net, a->particle, b->particle);
}

// ---------------------------------------------------------------------------------------------
// Lines

// The line below, if there is one of the same kind.
static const slice_line *line_below(const placing *p, const slice_line *line, int32_t *seed)
{
    *seed = p->lower ? p->strip->seeds[line->strip] : -1;
    if (*seed < 0)
        return NULL;
    const slice_line *like = &p->lower->lines[p->net->particles[*seed].line];
    return like->is_closed == line->is_closed ? like : NULL;
}

// How many pieces to divide a line into. As many as below where that will do: equal numbers make quads.
static int32_t pieces_of(const placing *p, const slice_line *line)
{
    int32_t seed, least = line->is_closed ? 3 : 1;
    double exact = line->length / p->net->spacing;
    const slice_line *like = line_below(p, line, &seed);
    if (like && like->places > 1) {
        int32_t habit = like->places - !like->is_closed;
        if (habit >= least && exact - habit < HABIT && habit - exact < HABIT)
            return habit;
    }
    int32_t nearest = (int32_t)(exact + 0.5);
    return nearest < least ? least : nearest;
}

// Where a closed line begins: beside the first particle of the line below.
static double begin_of(const placing *p, const slice_line *line)
{
    int32_t seed;
    line_below(p, line, &seed);
    if (seed < 0)
        return 0.0;
    const slice_level *level = p->level;
    point2 at = place_of(p->net, seed);
    double best = 0.0, nearest = -1.0;
    for (int32_t i = line->first; i + 1 < line->first + line->count; ++i) {
        point2 a = level->points[i], b = level->points[i + 1];
        double piece = level->along[i + 1] - level->along[i];
        double t = piece > 0.0
                       ? ((at.x - a.x) * (b.x - a.x) + (at.y - a.y) * (b.y - a.y)) / (piece * piece)
                       : 0.0;
        t = clamp(t, 0.0, 1.0);
        double d = distance2(between2(a, b, t), at);
        if (nearest < 0.0 || d < nearest) {
            nearest = d;
            best = level->along[i] + t * piece;
        }
    }
    return best;
}

static bool place_site(const placing *p, int32_t line_index, double along, site *s)
{
    const slice_line *line = &p->level->lines[line_index];
    *s = (site){.along = wrap(line, along), .particle = -1};
    s->on_line = pli_slice_at(p->level, line, s->along);
    s->tangent = tangent_at(p, line, s->along);
    return centre_site(p, line, s) && settle(p, line_index, s, 0.5 * p->net->spacing);
}

static bool place_row(const placing *p, int32_t line_index)
{
    slice_line *line = &p->level->lines[line_index];
    int32_t pieces = pieces_of(p, line);
    double begin = line->is_closed ? begin_of(p, line) : 0.0;
    double step = line->length / (double)pieces;
    site first = {0}, previous = {0}, s;
    line->places = line->is_closed ? pieces : pieces + 1;
    for (int32_t i = 0; i < line->places && !pli_slice_is_full(p->net); ++i) {
        if (!place_site(p, line_index, begin + step * (double)i, &s))
            return false;
        if (i > 0 && !link_sites(p, &previous, &s))
            return false;
        if (i == 0)
            first = s;
        previous = s;
    }
    return !line->is_closed || link_sites(p, &previous, &first);
}

static point2 centroid_of(const slice_level *level, const slice_line *line)
{
    point2 sum = {0, 0};
    for (int32_t i = line->first; i + 1 < line->first + line->count; ++i) {
        double piece = level->along[i + 1] - level->along[i];
        point2 middle = between2(level->points[i], level->points[i + 1], 0.5);
        sum.x += middle.x * piece;
        sum.y += middle.y * piece;
    }
    if (!(line->length > 0.0))
        return level->points[line->first];
    return (point2){sum.x / line->length, sum.y / line->length};
}

static bool place_one(const placing *p, int32_t line_index)
{
    slice_line *line = &p->level->lines[line_index];
    site s = {.along = 0.5 * line->length, .particle = -1};
    s.on_line = pli_slice_at(p->level, line, s.along);
    s.tangent = tangent_at(p, line, s.along);
    line->places = 1;
    if (line->is_closed) {
        s.at = centroid_of(p->level, line);
        return settle(p, line_index, &s, line->length);
    }
    return centre_site(p, line, &s) && settle(p, line_index, &s, 0.5 * p->net->spacing);
}

// ---------------------------------------------------------------------------------------------
// Ends of lines that touch others: the mesh has a crack there

static int32_t piece_of(const placing *p, const slice_line *line)
{
    return p->mesh->pieces[p->mesh->edges[line->edge].ends[0]];
}

// The line of another piece of the mesh nearest to a place, within the bridge. -1: none; -2: memory ran out.
static int32_t touched_line(const placing *p, const slice_line *line, point2 at)
{
    double reach = p->net->bridge;
    int32_t count = pli_plane_grid_search(&p->level->sample_grid, at, reach), best = -1;
    for (int32_t i = 0; i < count; ++i) {
        int32_t sample = p->level->sample_grid.found[i], other = p->level->sample_lines[sample];
        double d = distance2(p->level->samples[sample], at);
        if (d > reach || (d == reach && best >= 0 && other >= best) ||
            piece_of(p, &p->level->lines[other]) == piece_of(p, line))
            continue;
        reach = d;
        best = other;
    }
    return count < 0 ? -2 : best;
}

static bool link_end(const placing *p, int32_t line_index, point2 end)
{
    int32_t other = touched_line(p, &p->level->lines[line_index], end);
    if (other < 0)
        return other == -1;
    double reach = LONGEST_LINK * p->net->spacing;
    int32_t a = nearest_particle(p, end, reach, line_index);
    int32_t b = nearest_particle(p, end, reach, other);
    if (a == -2 || b == -2)
        return false;
    if (a < 0 || b < 0 || a == b || distance2(place_of(p->net, a), place_of(p->net, b)) > reach)
        return true;
    return pli_slice_link(p->net, a, b);
}

static bool link_ends(const placing *p)
{
    for (int32_t i = 0; i < p->level->line_count; ++i) {
        const slice_line *line = &p->level->lines[i];
        if (line->is_closed)
            continue;
        if (!link_end(p, i, p->level->points[line->first]) ||
            !link_end(p, i, p->level->points[line->first + line->count - 1]))
            return false;
    }
    return true;
}

bool pli_slice_place(slice_net *net, const slice_mesh *mesh, slice_level *level,
                     const slice_level *lower, const slice_strip *strip)
{
    placing p = {net, mesh, level, lower, strip};
    level->first_particle = net->particle_count;
    for (int32_t i = 0; i < level->line_count; ++i) {
        const slice_line *line = &level->lines[i];
        double shortest = line->is_closed ? SHORTEST_LOOP : SHORTEST_LINE;
        bool is_short = line->length < shortest * net->spacing;
        if (!(is_short ? place_one(&p, i) : place_row(&p, i)))
            return false;
        if (pli_slice_is_full(net))
            break;
    }
    return !mesh->has_pieces || link_ends(&p);
}
