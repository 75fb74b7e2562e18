// Links of matter that do not follow the surface: into the object, through it, and from piece to piece.

#include "draft/matter_build.h"

#include <stdlib.h>

// ---------------------------------------------------------------------------------------------
// Looking through the object

// Where along a + t (b - a), 0 <= t <= 1, the triangle is met (Möller and Trumbore), or INFINITY.
static float meet_triangle(vec3 a, vec3 span, vec3 p, vec3 q, vec3 r)
{
    vec3 pq = vec3_sub(q, p), pr = vec3_sub(r, p), across = vec3_cross(span, pr);
    float determinant = vec3_dot(pq, across);
    if (determinant == 0.0f)
        return INFINITY;
    vec3 from = vec3_sub(a, p);
    float u = vec3_dot(from, across) / determinant;
    vec3 turned = vec3_cross(from, pq);
    float v = vec3_dot(span, turned) / determinant;
    float t = vec3_dot(pr, turned) / determinant;
    return u >= 0.0f && v >= 0.0f && u + v <= 1.0f && t >= 0.0f && t <= 1.0f ? t : INFINITY;
}

static bool box_is_met(const bvh_node *node, vec3 from, vec3 span, float until)
{
    const float *low = &node->low.x, *high = &node->high.x, *x = &from.x, *d = &span.x;
    float begin = 0.0f, end = until;
    for (int k = 0; k < 3; ++k) {
        if (d[k] == 0.0f) {
            if (x[k] < low[k] || x[k] > high[k])
                return false;
            continue;
        }
        float near = (low[k] - x[k]) / d[k], far = (high[k] - x[k]) / d[k];
        begin = maximum(begin, minimum(near, far));
        end = minimum(end, maximum(near, far));
    }
    return begin <= end;
}

// The first triangle of the mesh that a line from `from` to `to` meets, or -1; *t tells where. Those of one piece
// may be ignored.
static int32_t first_hit(const topology *mesh, vec3 from, vec3 to, int32_t ignored, float *t)
{
    vec3 span = vec3_sub(to, from);
    int32_t hit = -1, stack[BVH_DEPTH + 1];
    int waiting = mesh->triangle_count > 0;
    stack[0] = 0;
    *t = INFINITY;
    while (waiting > 0) {
        const bvh_node *node = &mesh->tree.nodes[stack[--waiting]];
        if (!box_is_met(node, from, span, minimum(*t, 1.0f)))
            continue;
        if (node->count == 0) {
            stack[waiting++] = node->first + 1;
            stack[waiting++] = node->first;
        }
        for (int32_t i = node->first; i < node->first + node->count; ++i) {
            int32_t triangle = mesh->tree.order[i];
            const int32_t *corners = mesh->triangles + 3 * (size_t)triangle;
            if (mesh->piece_of_point[corners[0]] == ignored)
                continue;
            float at = meet_triangle(from, span, mesh->points[corners[0]], mesh->points[corners[1]],
                                     mesh->points[corners[2]]);
            if (at < *t || (at == *t && at < INFINITY && triangle < hit)) {
                *t = at;
                hit = triangle;
            }
        }
    }
    return hit;
}

// The point of a node that is nearest to its centre: one that really lies on the surface.
static int32_t middle_point(const matter *m, int32_t node)
{
    int32_t best = -1;
    float best2 = INFINITY;
    for (int32_t i = m->first_point_of_node[node]; i < m->first_point_of_node[node + 1]; ++i) {
        vec3 d = vec3_sub(m->mesh->points[m->points_of_node[i]], m->nodes[node].centre);
        if (vec3_dot(d, d) < best2) {
            best2 = vec3_dot(d, d);
            best = m->points_of_node[i];
        }
    }
    return best;
}

// The other side of a thin part lies straight behind the surface, seen from its back.
static void link_across(matter_build *b, const topology *mesh, int32_t node, vec3 start,
                        vec3 inwards)
{
    const matter *m = b->matter;
    float reach = 4.0f * b->grid.size, t; // where it is thicker, inner nodes lie between
    int32_t triangle = first_hit(mesh, start, vec3_add_scaled(start, inwards, reach), -1, &t);
    if (triangle < 0)
        return;
    const int32_t *c = mesh->triangles + 3 * (size_t)triangle;
    vec3 x = mesh->points[c[0]];
    vec3 normal = vec3_cross(vec3_sub(mesh->points[c[1]], x), vec3_sub(mesh->points[c[2]], x));
    int32_t piece = mesh->piece_of_point[c[0]];
    if (piece != m->nodes[node].piece ||
        !(vec3_dot(normal, inwards) * b->piece_signs[piece] > 0.0f))
        return;
    vec3 hit = vec3_add_scaled(start, inwards, t * reach);
    m->nodes[node].thickness = t * reach;
    pliant_matter_link_nodes(b, node, pliant_matter_find(m, hit, triangle));
}

static bool lies_in_piece(const int32_t *first, const int32_t *pieces, int32_t inner, int32_t piece)
{
    for (int32_t i = first[inner]; i < first[inner + 1]; ++i)
        if (pieces[i] == piece)
            return true;
    return false;
}

// Inner cells around that the surface can be seen from.
static void link_inwards(matter_build *b, const topology *mesh, int32_t node, vec3 start,
                         const int32_t *first, const int32_t *pieces)
{
    const matter *m = b->matter;
    cell own = cell_at(&b->grid, start);
    for (int32_t z = -1; z <= 1; ++z)
        for (int32_t y = -1; y <= 1; ++y)
            for (int32_t x = -1; x <= 1; ++x) {
                int32_t inner =
                    pliant_cell_map_find(&b->inner, (cell){own.x + x, own.y + y, own.z + z});
                if (inner < 0)
                    continue;
                int32_t other = m->surface_count + inner, piece = m->nodes[node].piece;
                vec3 centre = m->nodes[other].centre, way = vec3_sub(centre, start);
                bool same = lies_in_piece(first, pieces, inner, piece);
                // One piece within another is held where it is.
                bool embedded = !same && x == 0 && y == 0 && z == 0;
                bool inwards = vec3_dot(way, m->nodes[node].normal) <= 0.0f &&
                               vec3_dot(way, way) < 2.25f * b->grid.size * b->grid.size;
                float t;
                if ((embedded || (same && inwards)) &&
                    first_hit(mesh, start, centre, embedded ? piece : -1, &t) < 0)
                    pliant_matter_link_nodes(b, node, other);
            }
}

// Pieces of each inner cell as lists.
static bool list_inner_pieces(const matter_build *b, int32_t **first, int32_t **pieces)
{
    *first = calloc((size_t)b->inner.count + 1, sizeof **first);
    *pieces = malloc((b->inner_piece_count + 1) * sizeof **pieces);
    if (!*first || !*pieces)
        return false;
    for (size_t i = 0; i < b->inner_piece_count; ++i)
        ++(*first)[b->inner_pieces[2 * i]];
    for (int32_t c = 1; c <= b->inner.count; ++c)
        (*first)[c] += (*first)[c - 1];
    for (size_t i = b->inner_piece_count; i-- > 0;)
        (*pieces)[--(*first)[b->inner_pieces[2 * i]]] = b->inner_pieces[2 * i + 1];
    return true;
}

void pliant_matter_link_through(matter_build *b, const topology *mesh)
{
    const matter *m = b->matter;
    int32_t *first = NULL, *pieces = NULL;
    if (!list_inner_pieces(b, &first, &pieces))
        b->failed = true;
    for (int32_t n = 0; n < m->surface_count && !b->failed; ++n) {
        int32_t middle = middle_point(m, n);
        vec3 normal = m->nodes[n].normal, x = m->mesh->points[middle];
        // Around a thin rod the node's own is the mean of all directions.
        if (vec3_dot(normal, m->mesh->normals[middle]) < 0.5f)
            normal = m->mesh->normals[middle];
        vec3 start = vec3_add_scaled(x, normal, -1e-3f * b->grid.size);
        link_inwards(b, mesh, n, start, first, pieces);
        if (vec3_dot(normal, normal) > 0.5f)
            link_across(b, mesh, n, start, vec3_negate(normal));
    }
    free(first);
    free(pieces);
}

// ---------------------------------------------------------------------------------------------
// Bridges between pieces

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

static bool is_within(vec3 x, vec3 p, vec3 q, vec3 r, float distance)
{
    return !is_beyond(x.x, p.x, q.x, r.x, distance) && !is_beyond(x.y, p.y, q.y, r.y, distance) &&
           !is_beyond(x.z, p.z, q.z, r.z, distance) &&
           distance2_to_triangle(x, p, q, r) < distance * distance;
}

// The triangles of the refined mesh in all cells they may touch.
static bool list_triangles(const matter_build *b, cell_lists *lists)
{
    const refined_mesh *mesh = b->matter->mesh;
    cell_map map = {0};
    int32_t *entries = NULL;
    size_t count = 0, capacity = 0;
    bool ok = true;
    for (int32_t i = 0; i < mesh->triangle_count && ok; ++i) {
        const int32_t *c = mesh->triangles + 3 * (size_t)i;
        cell low = b->cells[c[0]], high = low;
        for (int k = 1; k < 3; ++k) {
            cell at = b->cells[c[k]];
            low = (cell){at.x < low.x ? at.x : low.x, at.y < low.y ? at.y : low.y,
                         at.z < low.z ? at.z : low.z};
            high = (cell){at.x > high.x ? at.x : high.x, at.y > high.y ? at.y : high.y,
                          at.z > high.z ? at.z : high.z};
        }
        for (int32_t z = low.z; z <= high.z; ++z)
            for (int32_t y = low.y; y <= high.y; ++y)
                for (int32_t x = low.x; x <= high.x && ok; ++x) {
                    if (count == capacity) {
                        capacity = capacity * 2 + 4096;
                        int32_t *grown = realloc(entries, capacity * 2 * sizeof *entries);
                        ok = grown != NULL;
                        entries = grown ? grown : entries;
                    }
                    int32_t number = ok ? pliant_cell_map_add(&map, (cell){x, y, z}) : -1;
                    ok = number >= 0;
                    if (ok) {
                        entries[2 * count] = number;
                        entries[2 * count++ + 1] = i;
                    }
                }
    }
    ok = ok && pliant_cell_lists_create(lists, &map, entries, count);
    pliant_cell_map_release(&map);
    free(entries);
    return ok;
}

// `linked` holds for each node the last one that a bridge to it was built from.
static void bridge_point(matter_build *b, const cell_lists *lists, int32_t point, float bridge,
                         int32_t *linked)
{
    const matter *m = b->matter;
    int32_t node = m->node_of_point[point];
    vec3 x = m->mesh->points[point], reach = {bridge, bridge, bridge};
    cell low = cell_at(&b->grid, vec3_sub(x, reach)), high = cell_at(&b->grid, vec3_add(x, reach));
    for (int32_t cz = low.z; cz <= high.z; ++cz)
        for (int32_t cy = low.y; cy <= high.y; ++cy)
            for (int32_t cx = low.x; cx <= high.x; ++cx) {
                int32_t c = pliant_cell_map_find(&lists->map, (cell){cx, cy, cz});
                for (int32_t i = c < 0 ? 0 : lists->first[c]; c >= 0 && i < lists->first[c + 1];
                     ++i) {
                    const int32_t *corners = m->mesh->triangles + 3 * (size_t)lists->things[i];
                    int32_t other = m->node_of_point[corners[0]];
                    if (m->mesh->pieces[corners[0]] == m->mesh->pieces[point] ||
                        linked[other] == node)
                        continue;
                    vec3 p = m->mesh->points[corners[0]], q = m->mesh->points[corners[1]],
                         r = m->mesh->points[corners[2]];
                    if (is_within(x, p, q, r, bridge)) {
                        pliant_matter_link_nodes(b, node, other);
                        linked[other] = node;
                    }
                }
            }
}

void pliant_matter_build_bridges(matter_build *b, int32_t piece_count, float bridge)
{
    const matter *m = b->matter;
    if (piece_count < 2 || bridge <= 0.0f)
        return;
    int32_t *linked = malloc(((size_t)m->surface_count + 1) * sizeof *linked);
    cell_lists lists = {0};
    b->failed |= !linked || !list_triangles(b, &lists);
    for (int32_t n = 0; n < m->surface_count && !b->failed; ++n)
        linked[n] = -1;
    for (int32_t i = 0; i < m->mesh->point_count && !b->failed; ++i)
        bridge_point(b, &lists, m->points_of_node[i], bridge, linked);
    pliant_cell_lists_release(&lists);
    free(linked);
}
