// Bridges: links between pieces that lie closer than a given length.
//
// Where many pieces lie in layers, as in a car, every two of them are that near. Their nodes in one cell are tied into a
// bundle, by one link less than there are nodes; two bundles get a link only where no shorter way joins them yet. So
// layers cost what their triangles do, and ways through them are hardly longer than through all links there could be.

#include "matter_build.h"

#include <math.h>
#include <stdlib.h>

typedef struct box {
    vec3 low, high;
} box;

typedef struct neighbour {
    int32_t bundle, next; // an index of another, or -1
} neighbour;

typedef struct bridges {
    matter_build *build;
    float length;
    cell_lists in_cells; // surface nodes
    int32_t *first_triangle,
        *triangles;   // of each node: those of the refined mesh whose first corner is its own
    box *boxes;       // of each node: its points and triangles
    int32_t *bundles; // of each node: the first of its bundle
    box *bundle_boxes;
    int32_t *first_neighbour; // of each bundle (by its first node), or -1
    neighbour *neighbours;
    int32_t neighbour_count, neighbour_capacity;
} bridges;

// ---------------------------------------------------------------------------------------------
// Near or not

// The squared distance of x from a triangle: from its plane within the triangle, else from its sides.
static float distance2_to_triangle(vec3 x, vec3 p, vec3 q, vec3 r)
{
    vec3 corners[3] = {p, q, r};
    vec3 normal = vec3_cross(vec3_sub(q, p), vec3_sub(r, p));
    float length2 = vec3_dot(normal, normal);
    bool within = length2 > 0.0f;
    float best = INFINITY;
    for (int k = 0; k < 3; ++k) {
        vec3 a = corners[k], side = vec3_sub(corners[(k + 1) % 3], a), from = vec3_sub(x, a);
        within &= vec3_dot(vec3_cross(normal, side), from) >= 0.0f;
        float side2 = vec3_dot(side, side);
        float t = side2 > 0.0f ? vec3_dot(from, side) / side2 : 0.0f;
        t = t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
        vec3 d = vec3_add_scaled(from, side, -t);
        float d2 = vec3_dot(d, d);
        best = d2 < best ? d2 : best;
    }
    if (within) {
        float height = vec3_dot(normal, vec3_sub(x, p));
        return height * height / length2;
    }
    return best;
}

static bool is_beyond(float x, float p, float q, float r, float distance)
{
    return x < minimum(p, minimum(q, r)) - distance || x > maximum(p, maximum(q, r)) + distance;
}

static bool is_near(vec3 x, vec3 p, vec3 q, vec3 r, float distance)
{
    return !is_beyond(x.x, p.x, q.x, r.x, distance) && !is_beyond(x.y, p.y, q.y, r.y, distance) &&
           !is_beyond(x.z, p.z, q.z, r.z, distance) &&
           distance2_to_triangle(x, p, q, r) < distance * distance;
}

static void widen(box *b, vec3 x)
{
    b->low = (vec3){minimum(b->low.x, x.x), minimum(b->low.y, x.y), minimum(b->low.z, x.z)};
    b->high = (vec3){maximum(b->high.x, x.x), maximum(b->high.y, x.y), maximum(b->high.z, x.z)};
}

static bool boxes_are_near(const box *a, const box *b, float distance)
{
    return a->low.x <= b->high.x + distance && b->low.x <= a->high.x + distance &&
           a->low.y <= b->high.y + distance && b->low.y <= a->high.y + distance &&
           a->low.z <= b->high.z + distance && b->low.z <= a->high.z + distance;
}

// Whether a point of one node is near a triangle of the other.
static bool points_are_near(const bridges *s, int32_t node, int32_t other)
{
    const matter *m = s->build->matter;
    for (int32_t i = m->first_point_of_node[node]; i < m->first_point_of_node[node + 1]; ++i) {
        vec3 x = m->mesh->points[m->points_of_node[i]];
        box at = {x, x};
        if (!boxes_are_near(&at, &s->boxes[other], s->length))
            continue;
        for (int32_t k = s->first_triangle[other]; k < s->first_triangle[other + 1]; ++k) {
            const int32_t *corners = m->mesh->triangles + 3 * (size_t)s->triangles[k];
            if (is_near(x, m->mesh->points[corners[0]], m->mesh->points[corners[1]],
                        m->mesh->points[corners[2]], s->length))
                return true;
        }
    }
    return false;
}

static bool nodes_are_near(const bridges *s, int32_t a, int32_t b)
{
    const matter_node *nodes = s->build->matter->nodes;
    return nodes[a].piece != nodes[b].piece &&
           boxes_are_near(&s->boxes[a], &s->boxes[b], s->length) &&
           (points_are_near(s, a, b) || points_are_near(s, b, a));
}

// ---------------------------------------------------------------------------------------------
// What there is

static bool list_triangles(bridges *s)
{
    const matter *m = s->build->matter;
    const refined_mesh *mesh = m->mesh;
    s->first_triangle = calloc((size_t)m->surface_count + 1, sizeof *s->first_triangle);
    s->triangles = malloc(((size_t)mesh->triangle_count + 1) * sizeof *s->triangles);
    if (!s->first_triangle || !s->triangles)
        return false;
    for (int32_t i = 0; i < mesh->triangle_count; ++i)
        ++s->first_triangle[m->node_of_point[mesh->triangles[3 * (size_t)i]]];
    for (int32_t n = 1; n <= m->surface_count; ++n)
        s->first_triangle[n] += s->first_triangle[n - 1];
    for (int32_t i = mesh->triangle_count; i-- > 0;)
        s->triangles[--s->first_triangle[m->node_of_point[mesh->triangles[3 * (size_t)i]]]] = i;
    return true;
}

static bool find_boxes(bridges *s)
{
    const matter *m = s->build->matter;
    s->boxes = malloc(((size_t)m->surface_count + 1) * sizeof *s->boxes);
    if (!s->boxes)
        return false;
    for (int32_t n = 0; n < m->surface_count; ++n) {
        box *own = &s->boxes[n];
        own->low = own->high = m->mesh->points[m->points_of_node[m->first_point_of_node[n]]];
        for (int32_t i = m->first_point_of_node[n]; i < m->first_point_of_node[n + 1]; ++i)
            widen(own, m->mesh->points[m->points_of_node[i]]);
        for (int32_t i = s->first_triangle[n]; i < s->first_triangle[n + 1]; ++i)
            for (int k = 0; k < 3; ++k)
                widen(own,
                      m->mesh->points[m->mesh->triangles[3 * (size_t)s->triangles[i] + (size_t)k]]);
    }
    return true;
}

static bool list_nodes(bridges *s)
{
    const matter *m = s->build->matter;
    cell_map map = {0};
    int32_t *entries = malloc(((size_t)m->surface_count + 1) * 2 * sizeof *entries);
    bool ok = entries != NULL;
    for (int32_t n = 0; n < m->surface_count && ok; ++n) {
        int32_t point = m->points_of_node[m->first_point_of_node[n]];
        entries[2 * n] = pli_cell_map_add(&map, s->build->cells[point]);
        entries[2 * n + 1] = n;
        ok = entries[2 * n] >= 0;
    }
    ok = ok && pli_cell_lists_create(&s->in_cells, &map, entries, (size_t)m->surface_count);
    pli_cell_map_release(&map);
    free(entries);
    return ok;
}

// ---------------------------------------------------------------------------------------------
// Bundles

static int32_t find_bundle(const bridges *s, int32_t node)
{
    while (s->bundles[node] != node) {
        s->bundles[node] = s->bundles[s->bundles[node]];
        node = s->bundles[node];
    }
    return node;
}

static void tie_cell(bridges *s, int32_t c)
{
    const cell_lists *lists = &s->in_cells;
    for (int32_t i = lists->first[c]; i < lists->first[c + 1]; ++i)
        for (int32_t k = lists->first[c]; k < i; ++k) {
            int32_t node = lists->things[i], other = lists->things[k];
            int32_t own = find_bundle(s, node), its = find_bundle(s, other);
            if (own == its || !nodes_are_near(s, node, other))
                continue;
            s->bundles[own > its ? own : its] = own > its ? its : own;
            pli_matter_link_nodes(s->build, node, other);
        }
}

static bool tie_bundles(bridges *s)
{
    int32_t count = s->build->matter->surface_count;
    const cell_lists *lists = &s->in_cells;
    for (int32_t c = 0; c < lists->map.count; ++c) {
        if (!progress_beats(s->build->progress, c))
            return false;
        tie_cell(s, c);
    }
    s->bundle_boxes = malloc(((size_t)count + 1) * sizeof *s->bundle_boxes);
    for (int32_t n = 0; n < count && s->bundle_boxes; ++n) {
        s->bundles[n] = find_bundle(s, n);
        s->bundle_boxes[n] = s->boxes[n];
        widen(&s->bundle_boxes[s->bundles[n]], s->boxes[n].low);
        widen(&s->bundle_boxes[s->bundles[n]], s->boxes[n].high);
    }
    return s->bundle_boxes != NULL;
}

static bool has_neighbour(const bridges *s, int32_t bundle, int32_t other)
{
    int32_t k = s->first_neighbour[bundle];
    while (k >= 0 && s->neighbours[k].bundle != other)
        k = s->neighbours[k].next;
    return k >= 0;
}

static void add_neighbour(bridges *s, int32_t bundle, int32_t other)
{
    if (s->neighbour_count == s->neighbour_capacity) {
        int32_t capacity = s->neighbour_capacity * 2 + 1024;
        neighbour *grown = realloc(s->neighbours, (size_t)capacity * sizeof *grown);
        s->build->failed |= !grown;
        if (!grown)
            return;
        s->neighbours = grown;
        s->neighbour_capacity = capacity;
    }
    s->neighbours[s->neighbour_count] = (neighbour){other, s->first_neighbour[bundle]};
    s->first_neighbour[bundle] = s->neighbour_count++;
}

static void make_neighbours(bridges *s, int32_t bundle, int32_t other)
{
    if (bundle == other || has_neighbour(s, bundle, other))
        return;
    add_neighbour(s, bundle, other);
    add_neighbour(s, other, bundle);
}

// Bundles that the surface joins.
static void find_neighbours(bridges *s)
{
    const matter_build *b = s->build;
    for (size_t i = 0; i < b->link_count; ++i) {
        matter_link link = b->links[i];
        if (link.a < b->matter->surface_count && link.b < b->matter->surface_count)
            make_neighbours(s, s->bundles[link.a], s->bundles[link.b]);
    }
}

// Side by side, or both beside a third.
static bool are_joined(const bridges *s, int32_t bundle, int32_t other)
{
    for (int32_t k = s->first_neighbour[bundle]; k >= 0; k = s->neighbours[k].next)
        if (s->neighbours[k].bundle == other || has_neighbour(s, s->neighbours[k].bundle, other))
            return true;
    return false;
}

// ---------------------------------------------------------------------------------------------
// From cell to cell

static bool find_bridge(const bridges *s, int32_t c, int32_t bundle, int32_t d, int32_t other,
                        int32_t ends[2])
{
    const cell_lists *lists = &s->in_cells;
    for (int32_t i = lists->first[c]; i < lists->first[c + 1]; ++i)
        for (int32_t k = lists->first[d]; k < lists->first[d + 1]; ++k) {
            ends[0] = lists->things[i];
            ends[1] = lists->things[k];
            if (s->bundles[ends[0]] == bundle && s->bundles[ends[1]] == other &&
                nodes_are_near(s, ends[0], ends[1]))
                return true;
        }
    return false;
}

static void join_cells(bridges *s, int32_t c, int32_t d)
{
    const cell_lists *lists = &s->in_cells;
    for (int32_t i = lists->first[c]; i < lists->first[c + 1]; ++i)
        for (int32_t k = lists->first[d]; k < lists->first[d + 1]; ++k) {
            int32_t own = lists->things[i], its = lists->things[k], ends[2];
            if (s->bundles[own] != own || s->bundles[its] != its ||
                !boxes_are_near(&s->bundle_boxes[own], &s->bundle_boxes[its], s->length) ||
                are_joined(s, own, its) || !find_bridge(s, c, own, d, its, ends))
                continue;
            pli_matter_link_nodes(s->build, ends[0], ends[1]);
            make_neighbours(s, own, its);
        }
}

static int compare_ways(const void *left, const void *right)
{
    const cell *a = left, *b = right;
    int64_t x = (int64_t)a->x * a->x + (int64_t)a->y * a->y + (int64_t)a->z * a->z;
    int64_t y = (int64_t)b->x * b->x + (int64_t)b->y * b->y + (int64_t)b->z * b->z;
    if (x != y)
        return x < y ? -1 : 1;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    if (a->y != b->y)
        return a->y < b->y ? -1 : 1;
    return a->z < b->z ? -1 : a->z > b->z;
}

// One of each two opposite ways to cells as far as `reach`, short ones first: so come short bridges.
static cell *list_ways(int32_t reach, size_t *count)
{
    size_t side = 2 * (size_t)reach + 1;
    cell *ways = malloc(side * side * side * sizeof *ways);
    *count = 0;
    for (int32_t z = -reach; z <= reach && ways; ++z)
        for (int32_t y = -reach; y <= reach; ++y)
            for (int32_t x = -reach; x <= reach; ++x)
                if (z > 0 || (z == 0 && (y > 0 || (y == 0 && x > 0))))
                    ways[(*count)++] = (cell){x, y, z};
    if (ways)
        qsort(ways, *count, sizeof *ways, compare_ways);
    return ways;
}

static bool join_bundles(bridges *s)
{
    // A triangle ends up to a cell away from its first corner.
    int32_t reach = (int32_t)(s->length / s->build->grid.size) + 2;
    const cell_lists *lists = &s->in_cells;
    size_t count;
    cell *ways = list_ways(reach, &count);
    for (size_t i = 0; i < count; ++i)
        for (int32_t c = 0; c < lists->map.count && !s->build->failed; ++c) {
            if (c % PROGRESS_STRIDE == 0)
                s->build->failed |= !pli_progress_tell(s->build->progress, (float)i / (float)count);
            cell at = lists->map.cells[c], way = ways[i];
            int32_t d =
                pli_cell_map_find(&lists->map, (cell){at.x + way.x, at.y + way.y, at.z + way.z});
            if (d >= 0)
                join_cells(s, c, d);
        }
    free(ways);
    return ways != NULL;
}

void pli_matter_build_bridges(matter_build *b, int32_t piece_count, float length)
{
    if (piece_count < 2 || length <= 0.0f)
        return;
    bridges s = {.build = b, .length = length};
    size_t count = (size_t)b->matter->surface_count + 1;
    s.bundles = malloc(count * sizeof *s.bundles);
    s.first_neighbour = malloc(count * sizeof *s.first_neighbour);
    b->failed |= !s.bundles || !s.first_neighbour || !list_triangles(&s) || !find_boxes(&s) ||
                 !list_nodes(&s);
    if (!b->failed) {
        for (int32_t n = 0; n < b->matter->surface_count; ++n) {
            s.bundles[n] = n;
            s.first_neighbour[n] = -1;
        }
        b->failed |= !tie_bundles(&s);
        if (!b->failed)
            find_neighbours(&s);
        b->failed = b->failed || !join_bundles(&s);
    }
    pli_cell_lists_release(&s.in_cells);
    free(s.first_triangle);
    free(s.triangles);
    free(s.boxes);
    free(s.bundles);
    free(s.bundle_boxes);
    free(s.first_neighbour);
    free(s.neighbours);
}
