// Refinement by halving long edges. Whether an edge is halved depends on the edge alone, so that the
// triangles on both sides agree and the result has no cracks. Needles become rows of small triangles: halving
// them like others gives more and more ever thinner ones.

#include "mesh/refined.h"

#include <stdlib.h>
#include <string.h>

typedef struct corner_triple {
    int32_t p[3];
    int32_t origin;
} corner_triple;

typedef struct triangle_list {
    corner_triple *items;
    size_t count, capacity;
} triangle_list;

typedef struct point_chain {
    int32_t *points;
    size_t count, capacity;
} point_chain;

typedef struct edge_entry {
    int32_t a, b; // a < b; a < 0: free
    int32_t middle;
} edge_entry;

typedef struct refinement {
    float longest, longest2;
    vec3 *points;
    int32_t *pieces;
    size_t point_count, point_capacity;
    edge_entry *edges; // halved ones, by hash
    size_t edge_count, edge_capacity;
    triangle_list done, now, next;
    point_chain straight, bent; // sides of a needle
    bool failed;
} refinement;

static void push_triangle(refinement *r, triangle_list *list, int32_t a, int32_t b, int32_t c,
                          int32_t origin)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity * 2 + 1024;
        corner_triple *items = realloc(list->items, capacity * sizeof *items);
        if (!items) {
            r->failed = true;
            return;
        }
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = (corner_triple){{a, b, c}, origin};
}

static size_t edge_slot(const refinement *r, int32_t a, int32_t b)
{
    uint64_t key = (uint64_t)(uint32_t)a << 32 | (uint32_t)b;
    key *= 0x9e3779b97f4a7c15u;
    size_t slot = (size_t)(key >> 20) & (r->edge_capacity - 1);
    while (r->edges[slot].a >= 0 && (r->edges[slot].a != a || r->edges[slot].b != b))
        slot = (slot + 1) & (r->edge_capacity - 1);
    return slot;
}

static bool grow_edges(refinement *r)
{
    edge_entry *old = r->edges;
    size_t old_capacity = r->edge_capacity;
    r->edge_capacity = old_capacity ? 2 * old_capacity : 1024;
    r->edges = malloc(r->edge_capacity * sizeof *r->edges);
    if (!r->edges) {
        r->edges = old;
        r->edge_capacity = old_capacity;
        return false;
    }
    memset(r->edges, 0xff, r->edge_capacity * sizeof *r->edges);
    for (size_t i = 0; i < old_capacity; ++i)
        if (old[i].a >= 0)
            r->edges[edge_slot(r, old[i].a, old[i].b)] = old[i];
    free(old);
    return true;
}

static int32_t push_point(refinement *r, vec3 x, int32_t piece)
{
    if (r->point_count == r->point_capacity) {
        size_t capacity = r->point_capacity * 2 + 1024;
        vec3 *points = realloc(r->points, capacity * sizeof *points);
        if (points)
            r->points = points;
        int32_t *pieces = realloc(r->pieces, capacity * sizeof *pieces);
        if (pieces)
            r->pieces = pieces;
        if (!points || !pieces || capacity > INT32_MAX) {
            r->failed = true;
            return 0;
        }
        r->point_capacity = capacity;
    }
    r->points[r->point_count] = x;
    r->pieces[r->point_count] = piece;
    return (int32_t)r->point_count++;
}

// The point halfway, or -1 for an edge that is short enough.
static int32_t middle_of(refinement *r, int32_t a, int32_t b)
{
    if (a > b) {
        int32_t swap = a;
        a = b;
        b = swap;
    }
    vec3 span = vec3_sub(r->points[b], r->points[a]);
    vec3 middle = vec3_scale(vec3_add(r->points[a], r->points[b]), 0.5f);
    if (!(vec3_dot(span, span) > r->longest2))
        return -1;
    // Far from the origin an edge may be too short for a float in between.
    if (memcmp(&middle, &r->points[a], sizeof middle) == 0 ||
        memcmp(&middle, &r->points[b], sizeof middle) == 0)
        return -1;
    if (2 * (r->edge_count + 1) > r->edge_capacity && !grow_edges(r)) {
        r->failed = true;
        return -1;
    }
    size_t slot = edge_slot(r, a, b);
    if (r->edges[slot].a < 0) {
        int32_t point = push_point(r, middle, r->pieces[a]);
        if (r->failed)
            return -1;
        r->edges[slot] = (edge_entry){a, b, point};
        ++r->edge_count;
    }
    return r->edges[slot].middle;
}

static void push_link(refinement *r, point_chain *chain, int32_t point)
{
    if (chain->count == chain->capacity) {
        size_t capacity = chain->capacity * 2 + 64;
        int32_t *points = realloc(chain->points, capacity * sizeof *points);
        if (!points) {
            r->failed = true;
            return;
        }
        chain->points = points;
        chain->capacity = capacity;
    }
    chain->points[chain->count++] = point;
}

// The edge from a to b, halved until it is short enough: all its points but the first.
static void walk_edge(refinement *r, point_chain *chain, int32_t a, int32_t b)
{
    int32_t middle = middle_of(r, a, b);
    if (r->failed)
        return;
    if (middle < 0) {
        push_link(r, chain, b);
        return;
    }
    walk_edge(r, chain, a, middle);
    walk_edge(r, chain, middle, b);
}

static float span2(const refinement *r, int32_t a, int32_t b)
{
    vec3 d = vec3_sub(r->points[b], r->points[a]);
    return vec3_dot(d, d);
}

// Where a triangle's longest edge begins.
static int longest_edge(const refinement *r, corner_triple t)
{
    int longest = 0;
    for (int k = 1; k < 3; ++k)
        if (span2(r, t.p[k], t.p[(k + 1) % 3]) > span2(r, t.p[longest], t.p[(longest + 1) % 3]))
            longest = k;
    return longest;
}

// Not higher above its longest edge than an edge may be long.
static bool is_needle(const refinement *r, corner_triple t, int longest)
{
    int32_t a = t.p[longest], b = t.p[(longest + 1) % 3], c = t.p[(longest + 2) % 3];
    vec3 along = vec3_sub(r->points[b], r->points[a]);
    float doubled_area = vec3_length(vec3_cross(along, vec3_sub(r->points[c], r->points[a])));
    return doubled_area <= r->longest * vec3_length(along);
}

// A row of triangles between the longest edge and the two others.
static void zip_needle(refinement *r, corner_triple t, int longest)
{
    int32_t a = t.p[longest], b = t.p[(longest + 1) % 3], c = t.p[(longest + 2) % 3];
    r->straight.count = r->bent.count = 0;
    walk_edge(r, &r->straight, a, b);
    walk_edge(r, &r->bent, a, c);
    walk_edge(r, &r->bent, c, b);
    if (r->failed)
        return;
    const int32_t *p = r->straight.points, *q = r->bent.points;
    size_t i = 0, k = 0, last_i = r->straight.count - 2, last_k = r->bent.count - 2;
    push_triangle(r, &r->next, a, p[0], q[0], t.origin);
    while (i < last_i || k < last_k) {
        bool step =
            k == last_k || (i < last_i && span2(r, p[i + 1], q[k]) < span2(r, p[i], q[k + 1]));
        push_triangle(r, &r->next, p[i], step ? p[i + 1] : q[k + 1], q[k], t.origin);
        i += step;
        k += !step;
    }
    push_triangle(r, &r->next, p[i], b, q[k], t.origin);
}

// Triangles of the same winding: four where all edges are halved. Where an edge is short enough, the triangle is no
// higher than that: a needle.
static void split(refinement *r, corner_triple t)
{
    int longest = longest_edge(r, t), halved = 0;
    int32_t middle[3]; // of the edge from corner k to the next
    for (int k = 0; k < 3; ++k) {
        middle[k] = middle_of(r, t.p[k], t.p[(k + 1) % 3]);
        halved += middle[k] >= 0;
    }
    if (r->failed)
        return;
    if (middle[longest] < 0) {
        push_triangle(r, &r->done, t.p[0], t.p[1], t.p[2], t.origin);
    } else if (halved < 3 || is_needle(r, t, longest)) {
        zip_needle(r, t, longest);
    } else {
        for (int k = 0; k < 3; ++k)
            push_triangle(r, &r->next, t.p[k], middle[k], middle[(k + 2) % 3], t.origin);
        push_triangle(r, &r->next, middle[0], middle[1], middle[2], t.origin);
    }
}

static void refine(refinement *r, const topology *t)
{
    for (int32_t p = 0; p < t->point_count; ++p)
        push_point(r, t->points[p], t->piece_of_point[p]);
    for (int32_t i = 0; i < t->triangle_count; ++i)
        push_triangle(r, &r->now, t->triangles[3 * i], t->triangles[3 * i + 1],
                      t->triangles[3 * i + 2], i);
    while (r->now.count > 0 && !r->failed) {
        r->next.count = 0;
        for (size_t i = 0; i < r->now.count && !r->failed; ++i)
            split(r, r->now.items[i]);
        triangle_list swap = r->now;
        r->now = r->next;
        r->next = swap;
    }
}

// Sorted by original triangle, counting.
static void collect(refined_mesh *mesh, const refinement *r, int32_t original_count)
{
    for (size_t i = 0; i < r->done.count; ++i)
        ++mesh->first_of[r->done.items[i].origin];
    for (int32_t i = 1; i <= original_count; ++i)
        mesh->first_of[i] += mesh->first_of[i - 1];
    for (size_t i = r->done.count; i-- > 0;) {
        corner_triple t = r->done.items[i];
        int32_t at = --mesh->first_of[t.origin];
        memcpy(mesh->triangles + 3 * (size_t)at, t.p, sizeof t.p);
        mesh->origins[at] = t.origin;
    }
}

// Triangles come grouped by original, so that what a point has seen last is what it may see again.
static bool list_sources(refined_mesh *mesh)
{
    size_t corners = 3 * (size_t)mesh->triangle_count, sum = 0;
    int32_t *last = malloc(((size_t)mesh->point_count + 1) * sizeof *last);
    for (int fill = 0; last && fill < 2; ++fill) {
        for (int32_t p = 0; p < mesh->point_count; ++p)
            last[p] = -1;
        for (size_t i = corners; i-- > 0;) {
            int32_t p = mesh->triangles[i], origin = mesh->origins[i / 3];
            if (last[p] == origin)
                continue;
            last[p] = origin;
            if (fill)
                mesh->sources[--mesh->first_source[p]] = origin;
            else
                ++mesh->first_source[p];
        }
        for (int32_t p = 0; !fill && p <= mesh->point_count; ++p)
            mesh->first_source[p] = (int32_t)(sum += (size_t)mesh->first_source[p]);
        if (!fill)
            mesh->sources = malloc((sum + 1) * sizeof *mesh->sources);
        if (!mesh->sources)
            break;
    }
    free(last);
    return last && mesh->sources;
}

static void measure(refined_mesh *mesh)
{
    for (int32_t i = 0; i < mesh->triangle_count; ++i) {
        const int32_t *c = mesh->triangles + 3 * (size_t)i;
        vec3 a = mesh->points[c[0]];
        vec3 normal = vec3_cross(vec3_sub(mesh->points[c[1]], a), vec3_sub(mesh->points[c[2]], a));
        float area = 0.5f * vec3_length(normal);
        for (int k = 0; k < 3; ++k) {
            mesh->normals[c[k]] = vec3_add(mesh->normals[c[k]], normal);
            mesh->areas[c[k]] += area / 3.0f;
        }
    }
    for (int32_t p = 0; p < mesh->point_count; ++p) {
        float length = vec3_length(mesh->normals[p]);
        mesh->normals[p] =
            length > 0.0f ? vec3_scale(mesh->normals[p], 1.0f / length) : (vec3){0, 0, 0};
    }
}

refined_mesh *pli_refine(const topology *t, float longest)
{
    refinement r = {.longest = longest, .longest2 = longest * longest};
    refine(&r, t);
    refined_mesh *mesh = r.failed || r.done.count > INT32_MAX / 3 ? NULL : calloc(1, sizeof *mesh);
    if (mesh) {
        size_t points = r.point_count + 1, triangles = r.done.count + 1;
        mesh->point_count = (int32_t)r.point_count;
        mesh->triangle_count = (int32_t)r.done.count;
        mesh->points = r.points;
        mesh->pieces = r.pieces;
        r.points = NULL;
        r.pieces = NULL;
        mesh->normals = calloc(points, sizeof *mesh->normals);
        mesh->areas = calloc(points, sizeof *mesh->areas);
        mesh->first_source = calloc(points, sizeof *mesh->first_source);
        mesh->triangles = calloc(triangles, 3 * sizeof *mesh->triangles);
        mesh->origins = calloc(triangles, sizeof *mesh->origins);
        mesh->first_of = calloc((size_t)t->triangle_count + 1, sizeof *mesh->first_of);
        bool ok = mesh->normals && mesh->areas && mesh->first_source && mesh->triangles &&
                  mesh->origins && mesh->first_of;
        if (ok) {
            collect(mesh, &r, t->triangle_count);
            measure(mesh);
        }
        if (!ok || !list_sources(mesh)) {
            pli_refined_destroy(mesh);
            mesh = NULL;
        }
    }
    free(r.points);
    free(r.pieces);
    free(r.edges);
    free(r.done.items);
    free(r.now.items);
    free(r.next.items);
    free(r.straight.points);
    free(r.bent.points);
    return mesh;
}

void pli_refined_destroy(refined_mesh *mesh)
{
    if (!mesh)
        return;
    free(mesh->points);
    free(mesh->normals);
    free(mesh->areas);
    free(mesh->pieces);
    free(mesh->first_source);
    free(mesh->sources);
    free(mesh->triangles);
    free(mesh->origins);
    free(mesh->first_of);
    free(mesh);
}
