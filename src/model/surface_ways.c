// Ways along a surface from what is pinned.
//
// Dijkstra's search along links, from all pinned particles at once. Along the links of a grid ways would be up to 8 % longer
// than on the surface that it stands for. So a particle behind two that are linked with each other, and whose ways begin at one
// anchor, is reached on the straight line across the triangle of the three, unfolded into the plane in which the
// anchor is as far from the two as their ways are long (as in Kimmel and Sethian 1998). On what is flat that is exact.

#include "surface_ways.h"

typedef struct way_end {
    float length;
    int32_t particle, anchor, links;
} way_end;

typedef struct way_search {
    const derivation *d;
    const bool *is_in;
    surface_way *ways;
    int32_t
        *cluster;   // per particle: of pinned ones that are linked with each other, -1: not pinned
    int32_t *stack; // particles
    way_end *heap;
    int heap_count;
} way_search;

static bool is_pinned(const way_search *s, int32_t p)
{
    return s->d->pinned[p];
}

// Equal lengths are taken in the order of particles, and then of anchors.
static bool is_nearer(way_end a, way_end b)
{
    if (a.length != b.length)
        return a.length < b.length;
    return a.particle != b.particle ? a.particle < b.particle : a.anchor < b.anchor;
}

static void push(way_search *s, way_end end)
{
    int at = s->heap_count++;
    for (; at > 0 && is_nearer(end, s->heap[(at - 1) / 2]); at = (at - 1) / 2)
        s->heap[at] = s->heap[(at - 1) / 2];
    s->heap[at] = end;
}

static way_end pop(way_search *s)
{
    way_end first = s->heap[0], last = s->heap[--s->heap_count];
    int at = 0;
    for (int child = 1; child < s->heap_count; child = 2 * at + 1) {
        if (child + 1 < s->heap_count && is_nearer(s->heap[child + 1], s->heap[child]))
            child += 1;
        if (!is_nearer(s->heap[child], last))
            break;
        s->heap[at] = s->heap[child];
        at = child;
    }
    s->heap[at] = last;
    return first;
}

static float rest_distance(const way_search *s, int32_t a, int32_t b)
{
    const pliant_particle_def *particles = s->d->model->source.particles;
    return vec3_length(vec3_sub(particles[b].position, particles[a].position));
}

static bool are_linked(const way_search *s, int32_t a, int32_t b)
{
    const adjacency *links = &s->d->links;
    for (int k = links->start[a]; k < links->start[a + 1]; ++k)
        if (links->neighbours[k] == b)
            return true;
    return false;
}

// The way of a particle that begins at an anchor, or NULL.
static const surface_way *way_from(const way_search *s, int32_t particle, int32_t anchor)
{
    for (int k = 0; k < WAYS_PER_PARTICLE; ++k) {
        const surface_way *way = &s->ways[particle * WAYS_PER_PARTICLE + k];
        if (way->anchor == anchor)
            return way;
    }
    return NULL;
}

// Where another way may be noted, or NULL: one from each cluster.
static surface_way *free_place(const way_search *s, int32_t particle, int32_t anchor)
{
    for (int k = 0; k < WAYS_PER_PARTICLE; ++k) {
        surface_way *way = &s->ways[particle * WAYS_PER_PARTICLE + k];
        if (way->anchor < 0)
            return way;
        if (s->cluster[way->anchor] == s->cluster[anchor])
            return NULL;
    }
    return NULL;
}

// Where a point stands beside a side of a triangle: how far along it, and how high above it.
static void place_above(float side, float from_begin, float from_end, float *along, float *height)
{
    *along = (from_begin * from_begin - from_end * from_end + side * side) / (2.0f * side);
    *height = square_root(maximum(0.0f, from_begin * from_begin - *along * *along));
}

// The straight way to `to` across the line from a to b, whose own ways are known; or `otherwise` where it does not
// cross it, and if that is shorter.
static float unfolded(const way_search *s, int32_t a, float way_a, int32_t b, float way_b,
                      int32_t to, float otherwise)
{
    float side = rest_distance(s, a, b), along, height, along_to, height_to;
    if (!(side > 0.0f) || absolute(way_a - way_b) > side)
        return otherwise;
    place_above(side, way_a, way_b, &along, &height);
    place_above(side, rest_distance(s, a, to), rest_distance(s, b, to), &along_to, &height_to);
    float high = height + height_to;
    if (!(high > 0.0f))
        return otherwise;
    float crossing = along + (along_to - along) * height / high;
    if (crossing < 0.0f || crossing > side)
        return otherwise;
    float across = along_to - along;
    return minimum(otherwise, square_root(across * across + high * high));
}

// Goes on from a particle whose way is known to those that it is linked with.
static void go_on(way_search *s, way_end end)
{
    const adjacency *links = &s->d->links;
    int first = links->start[end.particle], last = links->start[end.particle + 1];
    for (int k = first; k < last; ++k) {
        int32_t to = links->neighbours[k];
        if (!s->is_in[to] || is_pinned(s, to) || !free_place(s, to, end.anchor))
            continue;
        float length = end.length + rest_distance(s, end.particle, to);
        for (int i = first; i < last; ++i) {
            int32_t beside = links->neighbours[i];
            const surface_way *way =
                s->is_in[beside] && beside != to ? way_from(s, beside, end.anchor) : NULL;
            if (way && are_linked(s, beside, to))
                length = unfolded(s, end.particle, end.length, beside, way->length, to, length);
        }
        push(s, (way_end){length, to, end.anchor, end.links + 1});
    }
}

static void find_clusters(way_search *s)
{
    const adjacency *links = &s->d->links;
    int n = s->d->model->source.particle_count;
    for (int32_t p = 0; p < n; ++p)
        s->cluster[p] = -1;
    for (int32_t p = 0; p < n; ++p) {
        if (!is_pinned(s, p) || s->cluster[p] >= 0)
            continue;
        int depth = 0;
        s->cluster[p] = p;
        s->stack[depth++] = p;
        while (depth > 0) {
            int32_t q = s->stack[--depth];
            for (int k = links->start[q]; k < links->start[q + 1]; ++k) {
                int32_t next = links->neighbours[k];
                if (!is_pinned(s, next) || s->cluster[next] >= 0)
                    continue;
                s->cluster[next] = p;
                s->stack[depth++] = next;
            }
        }
    }
}

static void find_ways(way_search *s)
{
    int n = s->d->model->source.particle_count;
    find_clusters(s);
    for (int k = 0; k < n * WAYS_PER_PARTICLE; ++k)
        s->ways[k] = (surface_way){.anchor = -1};
    for (int32_t p = 0; p < n; ++p)
        if (s->is_in[p] && is_pinned(s, p))
            push(s, (way_end){0.0f, p, p, 0});
    while (s->heap_count > 0) {
        way_end end = pop(s);
        surface_way *way = free_place(s, end.particle, end.anchor);
        if (!way)
            continue;
        *way = (surface_way){end.length, end.anchor, end.links};
        go_on(s, end);
    }
}

bool pli_find_surface_ways(const derivation *d, const bool *is_in, surface_way *ways)
{
    size_t n = (size_t)d->model->source.particle_count;
    size_t links = 2 * (size_t)d->model->source.edge_count;
    way_search s = {.d = d,
                    .is_in = is_in,
                    .ways = ways,
                    .cluster = derivation_take(d, n, sizeof *s.cluster),
                    .stack = derivation_take(d, n, sizeof *s.stack),
                    .heap = derivation_take(d, n + WAYS_PER_PARTICLE * links, sizeof *s.heap)};
    bool enough = s.cluster && s.stack && s.heap;
    if (enough)
        find_ways(&s);
    pli_memory_free(d->allocator, s.cluster);
    pli_memory_free(d->allocator, s.stack);
    pli_memory_free(d->allocator, s.heap);
    return enough;
}
