// Links of matter that do not follow the surface: into the object and through it.

#include "matter_build.h"
#include "mesh/sight.h"

#include <stdlib.h>

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
    int32_t triangle = pli_sight_hit(mesh, start, vec3_add_scaled(start, inwards, reach), -1, &t);
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
    pli_matter_link_nodes(b, node, pli_matter_find(m, hit, triangle));
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
                    pli_cell_map_find(&b->inner, (cell){own.x + x, own.y + y, own.z + z});
                if (inner < 0)
                    continue;
                int32_t other = m->surface_count + inner, piece = m->nodes[node].piece;
                vec3 centre = m->nodes[other].centre, way = vec3_sub(centre, start);
                bool same = lies_in_piece(first, pieces, inner, piece);
                // One piece within another is held where it is.
                bool embedded = !same && x == 0 && y == 0 && z == 0;
                bool inwards = vec3_dot(way, m->nodes[node].normal) <= 0.0f &&
                               vec3_dot(way, way) < 2.25f * b->grid.size * b->grid.size;
                if ((embedded || (same && inwards)) &&
                    pli_sight_hit(mesh, start, centre, embedded ? piece : -1, NULL) < 0)
                    pli_matter_link_nodes(b, node, other);
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

void pli_matter_link_through(matter_build *b, const topology *mesh)
{
    const matter *m = b->matter;
    int32_t *first = NULL, *pieces = NULL;
    if (!list_inner_pieces(b, &first, &pieces))
        b->failed = true;
    for (int32_t n = 0; n < m->surface_count && !b->failed; ++n) {
        b->failed |= !progress_goes_on(b->progress, n, m->surface_count);
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
