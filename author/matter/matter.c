// Building the matter of a mesh.

#include "matter_build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void pli_matter_add_link(matter_build *b, int32_t a, int32_t c, float length)
{
    if (b->link_count == b->link_capacity) {
        size_t capacity = b->link_capacity * 2 + 4096;
        matter_link *links = realloc(b->links, capacity * sizeof *links);
        if (!links) {
            b->failed = true;
            return;
        }
        b->links = links;
        b->link_capacity = capacity;
    }
    b->links[b->link_count++] = (matter_link){a, c, length};
}

void pli_matter_link_nodes(matter_build *b, int32_t a, int32_t c)
{
    const matter_node *nodes = b->matter->nodes;
    if (a != c)
        pli_matter_add_link(b, a, c, vec3_length(vec3_sub(nodes[a].centre, nodes[c].centre)));
}

// ---------------------------------------------------------------------------------------------
// Surface nodes

static int32_t find_root(int32_t *parents, int32_t p)
{
    while (parents[p] != p) {
        parents[p] = parents[parents[p]];
        p = parents[p];
    }
    return p;
}

// Points of one cell that edges within the cell join get the same number, in the order of the first.
static bool number_nodes(matter_build *b)
{
    matter *m = b->matter;
    const refined_mesh *mesh = m->mesh;
    int32_t *parents = malloc(((size_t)mesh->point_count + 1) * sizeof *parents);
    if (!parents)
        return false;
    for (int32_t p = 0; p < mesh->point_count; ++p)
        parents[p] = p;
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; ++i) {
        int32_t p = mesh->triangles[i], q = mesh->triangles[i % 3 == 2 ? i - 2 : i + 1];
        if (!cell_equal(b->cells[p], b->cells[q]))
            continue;
        p = find_root(parents, p);
        q = find_root(parents, q);
        parents[p > q ? p : q] = p > q ? q : p;
    }
    for (int32_t p = 0; p < mesh->point_count; ++p) {
        int32_t root = find_root(parents, p);
        m->node_of_point[p] = root == p ? m->surface_count++ : m->node_of_point[root];
    }
    free(parents);
    return true;
}

static void list_points_of_nodes(matter *m)
{
    int32_t *first = m->first_point_of_node;
    for (int32_t p = 0; p < m->mesh->point_count; ++p)
        ++first[m->node_of_point[p]];
    for (int32_t n = 1; n <= m->surface_count; ++n)
        first[n] += first[n - 1];
    for (int32_t p = m->mesh->point_count; p-- > 0;)
        m->points_of_node[--first[m->node_of_point[p]]] = p;
}

static void measure_surface_nodes(matter_build *b)
{
    matter *m = b->matter;
    const refined_mesh *mesh = m->mesh;
    for (int32_t n = 0; n < m->surface_count; ++n) {
        matter_node *node = &m->nodes[n];
        int32_t begin = m->first_point_of_node[n], end = m->first_point_of_node[n + 1];
        for (int32_t i = begin; i < end; ++i) {
            int32_t p = m->points_of_node[i];
            node->piece = mesh->pieces[p];
            node->centre = vec3_add(node->centre, mesh->points[p]);
            node->area += mesh->areas[p];
            node->normal = vec3_add_scaled(node->normal, mesh->normals[p], mesh->areas[p]);
        }
        node->centre = vec3_scale(node->centre, 1.0f / (float)(end - begin));
        node->normal = vec3_normalize_or(vec3_scale(node->normal, 1.0f / (node->area + 1e-30f)),
                                         (vec3){0, 0, 0});
        node->thickness = INFINITY;
    }
}

// A piece whose triangles enclose a negative volume has them the wrong way round: its normals are turned.
static bool find_piece_signs(matter_build *b, const topology *t)
{
    const refined_mesh *mesh = b->matter->mesh;
    double *volumes = calloc((size_t)t->piece_count + 1, sizeof *volumes);
    vec3 *centres = calloc((size_t)t->piece_count + 1, sizeof *centres);
    b->piece_signs = malloc(((size_t)t->piece_count + 1) * sizeof *b->piece_signs);
    bool ok = volumes && centres && b->piece_signs;
    if (ok) {
        for (int32_t p = t->point_count; p-- > 0;)
            centres[t->piece_of_point[p]] = t->points[p];
        for (int32_t i = 0; i < mesh->triangle_count; ++i) {
            const int32_t *c = mesh->triangles + 3 * (size_t)i;
            int32_t piece = mesh->pieces[c[0]];
            vec3 x = vec3_sub(mesh->points[c[0]], centres[piece]);
            vec3 y = vec3_sub(mesh->points[c[1]], centres[piece]);
            vec3 z = vec3_sub(mesh->points[c[2]], centres[piece]);
            volumes[piece] += vec3_dot(x, vec3_cross(y, z));
        }
        for (int32_t p = 0; p < t->piece_count; ++p)
            b->piece_signs[p] = volumes[p] < 0.0 ? -1.0f : 1.0f;
        for (int32_t p = 0; p < mesh->point_count; ++p)
            mesh->normals[p] = vec3_scale(mesh->normals[p], b->piece_signs[mesh->pieces[p]]);
    }
    free(volumes);
    free(centres);
    return ok;
}

static void link_surface(matter_build *b)
{
    const refined_mesh *mesh = b->matter->mesh;
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; ++i) {
        int32_t p = mesh->triangles[i], q = mesh->triangles[i % 3 == 2 ? i - 2 : i + 1];
        pli_matter_link_nodes(b, b->matter->node_of_point[p], b->matter->node_of_point[q]);
    }
}

// ---------------------------------------------------------------------------------------------
// All of it

static void add_inner_nodes(matter_build *b)
{
    matter *m = b->matter;
    for (size_t i = b->inner_piece_count; i-- > 0;)
        m->nodes[m->surface_count + b->inner_pieces[2 * i]].piece = b->inner_pieces[2 * i + 1];
    for (int32_t c = 0; c < b->inner.count; ++c) {
        matter_node *node = &m->nodes[m->surface_count + c];
        node->centre = cell_centre(&b->grid, b->inner.cells[c]);
        node->volume = b->grid.size * b->grid.size * b->grid.size;
        node->thickness = INFINITY;
    }
}

static void sort_links_of_node(matter *m, int32_t node, int32_t *kept)
{
    int32_t begin = m->first_link[node], end = m->first_link[node + 1];
    for (int32_t i = begin + 1; i < end; ++i) {
        int32_t other = m->link_nodes[i], k = i;
        float length = m->link_lengths[i];
        for (; k > begin && m->link_nodes[k - 1] > other; --k) {
            m->link_nodes[k] = m->link_nodes[k - 1];
            m->link_lengths[k] = m->link_lengths[k - 1];
        }
        m->link_nodes[k] = other;
        m->link_lengths[k] = length;
    }
    int32_t start = *kept;
    for (int32_t i = begin; i < end; ++i) {
        if (*kept > start && m->link_nodes[*kept - 1] == m->link_nodes[i])
            continue;
        m->link_nodes[*kept] = m->link_nodes[i];
        m->link_lengths[(*kept)++] = m->link_lengths[i];
    }
    m->first_link[node] = start;
}

// Both ends get every link, each once.
static bool finish_links(matter_build *b)
{
    matter *m = b->matter;
    m->first_link = calloc((size_t)m->node_count + 1, sizeof *m->first_link);
    m->link_nodes = malloc((2 * b->link_count + 1) * sizeof *m->link_nodes);
    m->link_lengths = malloc((2 * b->link_count + 1) * sizeof *m->link_lengths);
    if (!m->first_link || !m->link_nodes || !m->link_lengths || b->link_count > INT32_MAX / 2)
        return false;
    for (size_t i = 0; i < b->link_count; ++i) {
        ++m->first_link[b->links[i].a];
        ++m->first_link[b->links[i].b];
    }
    for (int32_t n = 1; n <= m->node_count; ++n)
        m->first_link[n] += m->first_link[n - 1];
    for (size_t i = b->link_count; i-- > 0;) {
        matter_link link = b->links[i];
        int32_t at = --m->first_link[link.a];
        m->link_nodes[at] = link.b;
        m->link_lengths[at] = link.length;
        at = --m->first_link[link.b];
        m->link_nodes[at] = link.a;
        m->link_lengths[at] = link.length;
    }
    int32_t kept = 0;
    for (int32_t n = 0; n < m->node_count; ++n)
        sort_links_of_node(m, n, &kept);
    m->first_link[m->node_count] = kept;
    return true;
}

// Cells whose corners do not fall on round coordinates, where surfaces of modelled things like to lie.
static cell_grid choose_grid(const topology *t, float size)
{
    vec3 low = t->point_count ? t->points[0] : (vec3){0, 0, 0};
    for (int32_t p = 1; p < t->point_count; ++p) {
        low.x = t->points[p].x < low.x ? t->points[p].x : low.x;
        low.y = t->points[p].y < low.y ? t->points[p].y : low.y;
        low.z = t->points[p].z < low.z ? t->points[p].z : low.z;
    }
    return (cell_grid){vec3_sub(low, (vec3){0.431f * size, 0.377f * size, 0.409f * size}), size};
}

static bool allocate_nodes(matter_build *b)
{
    matter *m = b->matter;
    m->first_point_of_node = calloc((size_t)m->surface_count + 1, sizeof *m->first_point_of_node);
    m->points_of_node = malloc(((size_t)m->mesh->point_count + 1) * sizeof *m->points_of_node);
    m->nodes = calloc((size_t)m->node_count + 1, sizeof *m->nodes);
    return m->first_point_of_node && m->points_of_node && m->nodes;
}

static bool list_nodes(matter *m)
{
    cell_map map = {0};
    int32_t *entries = malloc(((size_t)m->node_count + 1) * 2 * sizeof *entries);
    bool ok = entries != NULL;
    for (int32_t n = 0; n < m->node_count && ok; ++n) {
        entries[2 * n] = pli_cell_map_add(&map, cell_at(&m->grid, m->nodes[n].centre));
        entries[2 * n + 1] = n;
        ok = entries[2 * n] >= 0;
    }
    ok = ok && pli_cell_lists_create(&m->in_cells, &map, entries, (size_t)m->node_count);
    pli_cell_map_release(&map);
    free(entries);
    return ok;
}

// A stage ends where the next one begins, in parts of the time that all take.
static bool begin_stage(matter_build *b, progress_range all, float from, float to)
{
    pli_progress_narrow(b->progress, all, from, to);
    return pli_progress_tell(b->progress, 0.0f);
}

static bool build(matter_build *b, const topology *t, float bridge)
{
    matter *m = b->matter;
    progress_range all = pli_progress_range(b->progress);
    if (!begin_stage(b, all, 0.0f, 0.2f))
        return false;
    m->mesh = pli_refine(t, b->grid.size);
    if (!m->mesh)
        return false;
    size_t points = (size_t)m->mesh->point_count + 1;
    b->cells = malloc(points * sizeof *b->cells);
    m->node_of_point = malloc(points * sizeof *m->node_of_point);
    if (!b->cells || !m->node_of_point)
        return false;
    for (int32_t p = 0; p < m->mesh->point_count; ++p)
        b->cells[p] = cell_at(&b->grid, m->mesh->points[p]);
    if (!begin_stage(b, all, 0.2f, 0.5f) || !number_nodes(b) || !find_piece_signs(b, t))
        return false;
    pli_matter_find_inside(b, t);
    m->node_count = m->surface_count + b->inner.count;
    if (b->failed || !allocate_nodes(b))
        return false;
    list_points_of_nodes(m);
    measure_surface_nodes(b);
    add_inner_nodes(b);
    link_surface(b);
    if (!list_nodes(m) || !begin_stage(b, all, 0.5f, 0.8f))
        return false;
    pli_matter_link_through(b, t);
    if (b->failed || !begin_stage(b, all, 0.8f, 1.0f))
        return false;
    pli_matter_build_bridges(b, t->piece_count, bridge);
    return !b->failed && finish_links(b);
}

matter *pli_matter_create(const topology *t, float size, float bridge, draft_progress *progress)
{
    matter_build b = {
        .matter = calloc(1, sizeof(matter)), .grid = choose_grid(t, size), .progress = progress};
    matter *m = b.matter;
    if (!m)
        return NULL;
    m->grid = b.grid;
    if (!build(&b, t, bridge)) {
        pli_matter_destroy(m);
        m = NULL;
    }
    free(b.cells);
    free(b.piece_signs);
    pli_cell_map_release(&b.inner);
    free(b.inner_pieces);
    free(b.links);
    return m;
}

void pli_matter_destroy(matter *m)
{
    if (!m)
        return;
    pli_refined_destroy(m->mesh);
    pli_cell_lists_release(&m->in_cells);
    free(m->nodes);
    free(m->node_of_point);
    free(m->first_point_of_node);
    free(m->points_of_node);
    free(m->first_link);
    free(m->link_nodes);
    free(m->link_lengths);
    free(m);
}

typedef struct place {
    vec3 position;
    int32_t triangle; // or -1: any node will do
    int32_t best;
    float best2;
} place;

static void consider(place *at, int32_t node, vec3 x)
{
    vec3 d = vec3_sub(x, at->position);
    float d2 = vec3_dot(d, d);
    if (d2 < at->best2 || (d2 == at->best2 && node < at->best)) {
        at->best2 = d2;
        at->best = node;
    }
}

static void consider_cell(const matter *m, int32_t c, place *at)
{
    for (int32_t i = m->in_cells.first[c]; i < m->in_cells.first[c + 1]; ++i) {
        int32_t node = m->in_cells.things[i];
        if (at->triangle < 0)
            consider(at, node, m->nodes[node].centre);
        if (at->triangle < 0 || node >= m->surface_count)
            continue;
        for (int32_t k = m->first_point_of_node[node]; k < m->first_point_of_node[node + 1]; ++k)
            if (refined_lies_on(m->mesh, m->points_of_node[k], at->triangle))
                consider(at, node, m->mesh->points[m->points_of_node[k]]);
    }
}

static void consider_all(const matter *m, place *at)
{
    const refined_mesh *mesh = m->mesh;
    for (int32_t n = 0; at->triangle < 0 && n < m->node_count; ++n)
        consider(at, n, m->nodes[n].centre);
    if (at->triangle < 0)
        return;
    for (size_t i = 3 * (size_t)mesh->first_of[at->triangle];
         i < 3 * (size_t)mesh->first_of[at->triangle + 1]; ++i)
        consider(at, m->node_of_point[mesh->triangles[i]], mesh->points[mesh->triangles[i]]);
}

static void consider_ring(const matter *m, cell own, int32_t ring, place *at)
{
    for (int32_t z = -ring; z <= ring; ++z)
        for (int32_t y = -ring; y <= ring; ++y) {
            bool face = z == -ring || z == ring || y == -ring || y == ring;
            for (int32_t x = -ring; x <= ring; x += face || ring == 0 ? 1 : 2 * ring) {
                int32_t c =
                    pli_cell_map_find(&m->in_cells.map, (cell){own.x + x, own.y + y, own.z + z});
                if (c >= 0)
                    consider_cell(m, c, at);
            }
        }
}

// Looks through cells in growing cubes around the place, until no cell further out can hold a nearer one. Of small
// triangles, and far outside, all are looked at: that is shorter.
int32_t pli_matter_find(const matter *m, vec3 position, int32_t triangle)
{
    enum { FEW = 27, FAR = 8 };
    place at = {position, triangle, -1, INFINITY};
    cell own = cell_at(&m->grid, position);
    bool all = triangle >= 0 && m->mesh->first_of[triangle + 1] - m->mesh->first_of[triangle] < FEW;
    for (int32_t ring = 0; !all && ring <= FAR; ++ring) {
        float nearest_possible = (float)(ring - 1) * m->grid.size;
        if (at.best >= 0 && ring > 0 && at.best2 <= nearest_possible * nearest_possible)
            return at.best;
        consider_ring(m, own, ring, &at);
    }
    consider_all(m, &at);
    return at.best;
}
