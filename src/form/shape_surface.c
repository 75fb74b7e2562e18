// Neighbourhood and normals of the triangles of a mesh or hull.

#include "core/hash.h"
#include "shape_data.h"

// A power of two with at least half of it free.
static size_t table_size(size_t count)
{
    size_t size = 16;
    while (size < 2 * count)
        size *= 2;
    return size;
}

static bool same_place(vec3 a, vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

bool pli_points_weld(const vec3 *points, int count, int32_t *place,
                     const pliant_allocator *allocator)
{
    size_t size = table_size((size_t)count);
    int32_t *table = pli_memory_new(allocator, size, sizeof *table); // index + 1
    if (!table)
        return false;
    for (int i = 0; i < count; ++i) {
        // Adding zero makes one of the two zeros.
        vec3 p = vec3_add(points[i], (vec3){0, 0, 0});
        size_t slot = (size_t)hash_vec3(HASH_START, p) & (size - 1);
        while (table[slot] && !same_place(points[table[slot] - 1], p))
            slot = (slot + 1) & (size - 1);
        if (!table[slot])
            table[slot] = i + 1;
        place[i] = table[slot] - 1;
    }
    pli_memory_free(allocator, table);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Edges

static edge_entry *edge_slot(const edge_table *t, int32_t a, int32_t b)
{
    int32_t low = a < b ? a : b, high = a < b ? b : a;
    uint64_t key = (uint64_t)(uint32_t)low << 32 | (uint32_t)high;
    uint32_t slot = (uint32_t)hash_word(HASH_START, key) & t->mask;
    while (t->entries[slot].uses && !(t->entries[slot].low == low && t->entries[slot].high == high))
        slot = (slot + 1) & t->mask;
    edge_entry *e = &t->entries[slot];
    if (!e->uses) {
        e->low = low;
        e->high = high;
    }
    return e;
}

const edge_entry *pli_edges_get(const edge_table *t, int32_t a, int32_t b)
{
    return edge_slot(t, a, b);
}

bool pli_edges_find(edge_table *t, const int32_t *triangles, int triangle_count,
                    const int32_t *place, const pliant_allocator *allocator)
{
    size_t size = table_size(3 * (size_t)triangle_count);
    t->mask = (uint32_t)(size - 1);
    t->entries = pli_memory_new(allocator, size, sizeof *t->entries);
    if (!t->entries)
        return false;
    for (int32_t i = 0; i < triangle_count; ++i)
        for (int32_t k = 0; k < 3; ++k) {
            edge_entry *e =
                edge_slot(t, place[triangles[3 * i + k]], place[triangles[3 * i + (k + 1) % 3]]);
            if (e->uses == 0)
                e->first = 3 * i + k;
            else if (e->uses == 1)
                e->second = 3 * i + k;
            e->uses += 1;
        }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Who lies beyond an edge and around a point

static int32_t next_corner(int32_t at)
{
    return at % 3 == 2 ? at - 2 : at + 1;
}

static void find_beyond(shape_surface *s, const edge_table *edges)
{
    const int32_t *t = s->triangles, *place = s->place;
    for (int32_t at = 0; at < 3 * s->triangle_count; ++at) {
        const edge_entry *e = pli_edges_get(edges, place[t[at]], place[t[next_corner(at)]]);
        int32_t other = e->first == at ? e->second : e->first;
        s->beyond[at] = e->uses == 2 ? t[next_corner(next_corner(other))] : NO_POINT;
    }
}

// Every edge once at each of its ends: where the edge is first used.
static bool find_rings(shape_surface *s, const edge_table *edges, const pliant_allocator *allocator)
{
    int32_t *begin = s->ring_begin, total = 0;
    for (uint32_t i = 0; i <= edges->mask; ++i)
        if (edges->entries[i].uses) {
            begin[edges->entries[i].low] += 1;
            begin[edges->entries[i].high] += 1;
        }
    for (int i = 0; i <= s->point_count; ++i) {
        int32_t count = begin[i];
        begin[i] = total;
        total += count;
    }
    s->ring = pli_memory_new(allocator, (size_t)total, sizeof *s->ring);
    if (!s->ring)
        return false;
    // Filling moves each begin to the next one's place; moving all back by one restores them.
    for (uint32_t i = 0; i <= edges->mask; ++i) {
        const edge_entry *e = &edges->entries[i];
        if (!e->uses)
            continue;
        s->ring[begin[e->low]++] = e->high;
        s->ring[begin[e->high]++] = e->low;
    }
    for (int i = s->point_count; i > 0; --i)
        begin[i] = begin[i - 1];
    begin[0] = 0;
    return true;
}

static void find_normals(shape_surface *s)
{
    for (int i = 0; i < s->triangle_count; ++i) {
        triangle t = surface_triangle(s, i);
        dvec3 n = dvec3_cross(dvec3_sub(t.corners[1], t.corners[0]),
                              dvec3_sub(t.corners[2], t.corners[0]));
        s->normals[i] = dvec3_to_vec3(dvec3_normalize_or(n, (dvec3){0, 1, 0}));
    }
}

bool pli_surface_connect(shape_surface *s, const pliant_allocator *allocator)
{
    size_t points = (size_t)s->point_count, triangles = (size_t)s->triangle_count;
    s->normals = pli_memory_new(allocator, triangles, sizeof *s->normals);
    s->place = pli_memory_new(allocator, points, sizeof *s->place);
    s->beyond = pli_memory_new(allocator, 3 * triangles, sizeof *s->beyond);
    s->ring_begin = pli_memory_new(allocator, points + 1, sizeof *s->ring_begin);
    if (!s->normals || !s->place || !s->beyond || !s->ring_begin)
        return false;
    find_normals(s);
    if (!pli_points_weld(s->points, s->point_count, s->place, allocator))
        return false;
    edge_table edges = {0};
    bool is_done = pli_edges_find(&edges, s->triangles, s->triangle_count, s->place, allocator);
    if (is_done) {
        find_beyond(s, &edges);
        is_done = find_rings(s, &edges, allocator);
    }
    pli_memory_free(allocator, edges.entries);
    return is_done;
}

// ---------------------------------------------------------------------------------------------

void pli_surface_free(shape_surface *s, const pliant_allocator *allocator)
{
    pli_memory_free(allocator, s->points);
    pli_memory_free(allocator, s->triangles);
    pli_memory_free(allocator, s->normals);
    pli_memory_free(allocator, s->beyond);
    pli_memory_free(allocator, s->place);
    pli_memory_free(allocator, s->ring_begin);
    pli_memory_free(allocator, s->ring);
    pli_bvh_free(&s->tree, allocator);
    *s = (shape_surface){0};
}

// Regions of the triangle as in Ericson, Real-Time Collision Detection, 5.1.5, which needs scalar
// products only: here those of M.
dvec3 pli_triangle_nearest(const triangle *t, dsym3 M, dvec3 c, int *feature)
{
    const dvec3 *v = t->corners;
    dvec3 ab = dvec3_sub(v[1], v[0]), ac = dvec3_sub(v[2], v[0]);
    dvec3 Mab = dsym3_mul_vec(M, ab), Mac = dsym3_mul_vec(M, ac);
    dvec3 ap = dvec3_sub(c, v[0]), bp = dvec3_sub(c, v[1]), cp = dvec3_sub(c, v[2]);
    double d1 = dvec3_dot(Mab, ap), d2 = dvec3_dot(Mac, ap);
    *feature = FEATURE_CORNER;
    if (d1 <= 0.0 && d2 <= 0.0)
        return v[0];
    double d3 = dvec3_dot(Mab, bp), d4 = dvec3_dot(Mac, bp);
    *feature = FEATURE_CORNER + 1;
    if (d3 >= 0.0 && d4 <= d3)
        return v[1];
    double d5 = dvec3_dot(Mab, cp), d6 = dvec3_dot(Mac, cp);
    *feature = FEATURE_CORNER + 2;
    if (d6 >= 0.0 && d5 <= d6)
        return v[2];
    double vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
    *feature = FEATURE_EDGE;
    if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0)
        return dvec3_add_scaled(v[0], ab, d1 / (d1 - d3));
    *feature = FEATURE_EDGE + 2;
    if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0)
        return dvec3_add_scaled(v[0], ac, d2 / (d2 - d6));
    *feature = FEATURE_EDGE + 1;
    if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0)
        return dvec3_add_scaled(v[1], dvec3_sub(v[2], v[1]), (d4 - d3) / (d4 - d3 + (d5 - d6)));
    *feature = FEATURE_FACE;
    double sum = 1.0 / (va + vb + vc);
    return dvec3_add_scaled(dvec3_add_scaled(v[0], ab, vb * sum), ac, vc * sum);
}

triangle pli_height_triangle(const pliant_shape *s, int column, int row, int half)
{
    dvec3 right = height_point(s, column + 1, row), far = height_point(s, column, row + 1);
    dvec3 own = half ? height_point(s, column + 1, row + 1) : height_point(s, column, row);
    triangle t = {.corners = {own, half ? right : far, half ? far : right}};
    dvec3 n = dvec3_cross(dvec3_sub(t.corners[1], own), dvec3_sub(t.corners[2], own));
    t.normal = dvec3_normalize_or(n, (dvec3){0, 1, 0});
    return t;
}
