// Edges between particles that are near along the object.

#include "core/error.h"
#include "draft/check.h"
#include "draft/tools.h"

#include <stdlib.h>

pliant_connect_def pliant_default_connect_def(void)
{
    return (pliant_connect_def){0};
}

typedef struct edge_pair {
    int32_t a, b; // a < b
} edge_pair;

typedef struct pair_list {
    edge_pair *items;
    size_t count, capacity;
    bool failed;
} pair_list;

// More than any memory would hold in a model.
#define MOST_EDGES ((size_t)1 << 28)

static void add_pair(pair_list *pairs, int32_t a, int32_t b)
{
    if (pairs->count == pairs->capacity) {
        size_t capacity = pairs->capacity * 2 + 1024;
        edge_pair *items = realloc(pairs->items, capacity * sizeof *items);
        if (!items) {
            pairs->failed = true;
            return;
        }
        pairs->items = items;
        pairs->capacity = capacity;
    }
    if (pairs->count <= MOST_EDGES)
        pairs->items[pairs->count++] = (edge_pair){a < b ? a : b, a < b ? b : a};
}

static int compare_pairs(const void *left, const void *right)
{
    const edge_pair *p = left, *q = right;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    return (p->b > q->b) - (p->b < q->b);
}

static float straight_distance(const pliant_draft *draft, int32_t a, int32_t b)
{
    return vec3_length(vec3_sub(draft->particles[a].position, draft->particles[b].position));
}

// Every pair within the distance. The way along nodes is longer than the real one, by up to a quarter and the
// two halves of cells at its ends.
static bool find_all_pairs(const pliant_draft *draft, const int32_t *nodes, float distance,
                           pair_list *pairs)
{
    const matter *m = draft->matter;
    matter_search search;
    int32_t *heads = malloc(((size_t)m->node_count + 1) * sizeof *heads);
    int32_t *following = malloc(((size_t)draft->particle_count + 1) * sizeof *following);
    bool ok = heads && following && pli_matter_search_begin(&search, m);
    if (ok) {
        for (int32_t n = 0; n < m->node_count; ++n)
            heads[n] = -1;
        for (int32_t i = draft->particle_count; i-- > 0;) {
            if (nodes[i] < 0)
                continue;
            following[i] = heads[nodes[i]];
            heads[nodes[i]] = i;
        }
        for (int32_t i = 0; i < draft->particle_count && ok; ++i) {
            ok = pli_progress_tell(draft->progress, (float)i / (float)draft->particle_count);
            if (nodes[i] < 0)
                continue;
            pli_matter_search_run(&search, &nodes[i], 1, 1.25f * distance + m->grid.size);
            for (int32_t k = 0; k < search.reached_count; ++k)
                for (int32_t j = heads[search.reached[k]]; j >= 0; j = following[j])
                    if (j > i && straight_distance(draft, i, j) < distance)
                        add_pair(pairs, i, j);
        }
        pli_matter_search_end(&search);
    }
    free(heads);
    free(following);
    return ok;
}

// Pairs whose parts of the object touch: each node belongs to the nearest particle.
static bool find_touching_pairs(const pliant_draft *draft, const int32_t *nodes, float distance,
                                pair_list *pairs)
{
    const matter *m = draft->matter;
    matter_search search;
    if (!pli_matter_search_begin(&search, m))
        return false;
    search.progress = draft->progress;
    if (!pli_matter_search_run(&search, nodes, draft->particle_count, INFINITY)) {
        pli_matter_search_end(&search);
        return false;
    }
    // Particles that share a node with an earlier one have no part of their own.
    for (int32_t i = 0; i < draft->particle_count; ++i) {
        int32_t first = nodes[i] < 0 ? i : search.sources[nodes[i]];
        if (first != i && straight_distance(draft, first, i) < distance)
            add_pair(pairs, first, i);
    }
    for (int32_t k = 0; k < search.reached_count; ++k) {
        int32_t n = search.reached[k];
        for (int32_t l = m->first_link[n]; l < m->first_link[n + 1]; ++l) {
            int32_t a = search.sources[n], b = search.sources[m->link_nodes[l]];
            if (a < b && straight_distance(draft, a, b) < distance)
                add_pair(pairs, a, b);
        }
    }
    pli_matter_search_end(&search);
    return true;
}

static bool is_in_brush(const pliant_connect_def *def, vec3 x)
{
    return def->radius == 0.0f || vec3_length(vec3_sub(x, def->centre)) <= def->radius;
}

static bool add_edges(pliant_draft *draft, const pliant_connect_def *def, pair_list *pairs)
{
    size_t found = pairs->count;
    int old_count = draft->edge_count;
    edge_pair *old = malloc(((size_t)old_count + 1) * sizeof *old);
    if (pairs->failed || !old || found > MOST_EDGES ||
        !pli_draft_reserve_edges(draft, (int)found)) {
        free(old);
        return false;
    }
    for (int i = 0; i < old_count; ++i)
        old[i] = (edge_pair){draft->edges[i].a, draft->edges[i].b};
    qsort(old, (size_t)old_count, sizeof *old, compare_pairs);
    if (found > 0)
        qsort(pairs->items, found, sizeof *pairs->items, compare_pairs);
    pliant_edge_def values = pliant_default_edge_def();
    values.stretch_stiffness = def->stretch_stiffness;
    values.torsion_stiffness = def->torsion_stiffness;
    for (size_t i = 0; i < found; ++i) {
        edge_pair *pair = &pairs->items[i];
        if ((i > 0 && compare_pairs(pair, pair - 1) == 0) ||
            bsearch(pair, old, (size_t)old_count, sizeof *old, compare_pairs))
            continue;
        pli_draft_append_edge(draft, pair->a, pair->b, &values);
    }
    free(old);
    return true;
}

static pliant_result run_connect(pliant_draft *draft, const pliant_connect_def *def,
                                 pliant_error *error)
{
    if (!pli_tool_check_positive(def->distance, "distance", error) ||
        !pli_tool_check_not_negative(def->radius, "radius", error) ||
        !pli_tool_check_position(def->centre, "centre", error) ||
        !pli_tool_check_range(def->stretch_stiffness, 0.0f, 1.0f, "stretch_stiffness", error) ||
        !pli_tool_check_range(def->torsion_stiffness, 0.0f, 1.0f, "torsion_stiffness", error) ||
        pli_draft_want_scale(draft, 0.7f * def->distance, error) != PLIANT_OK ||
        !pli_draft_matter(draft, error))
        return error->code;
    unsigned char *selected =
        pli_selection_mask(def->particles, draft->particle_count, "particles", error);
    if (!selected)
        return error->code;
    for (int i = 0; i < draft->particle_count; ++i)
        selected[i] &= is_in_brush(def, draft->particles[i].position);
    int32_t *nodes = pli_draft_nodes(draft, 0, selected);
    pair_list pairs = {0};
    bool ok = nodes && (def->nearest_only ? find_touching_pairs(draft, nodes, def->distance, &pairs)
                                          : find_all_pairs(draft, nodes, def->distance, &pairs));
    ok = ok && add_edges(draft, def, &pairs);
    free(pairs.items);
    free(nodes);
    free(selected);
    return ok ? PLIANT_OK : pli_progress_fail(draft->progress, error);
}

pliant_result pliant_draft_connect(pliant_draft *draft, const pliant_connect_def *def,
                                   pliant_error *error)
{
    pliant_error local;
    draft_tool tool;
    error = error ? error : &local;
    if (pli_draft_begin_tool(draft, &tool, error) != PLIANT_OK)
        return error->code;
    return pli_draft_end_tool(draft, &tool, run_connect(draft, def, error), error);
}
