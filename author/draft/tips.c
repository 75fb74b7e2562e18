// Tips: local maxima of the distance from the middle.

#include "tips.h"

#include <stdlib.h>
#include <string.h>

typedef struct middle {
    double sum[3], weight;
    float best2;
} middle;

// A number for each connected part, of every node; how many there are, or -1 when it was stopped.
static int32_t number_parts(matter_search *search, int32_t *parts)
{
    const matter *m = search->matter;
    int32_t count = 0;
    memset(parts, 0xff, (size_t)m->node_count * sizeof *parts);
    for (int32_t n = 0; n < m->node_count; ++n) {
        if (parts[n] >= 0)
            continue;
        if (!pli_matter_search_run(search, &n, 1, INFINITY))
            return -1;
        for (int32_t k = 0; k < search->reached_count; ++k)
            parts[search->reached[k]] = count;
        ++count;
    }
    return count;
}

// The node of each part that is nearest to the part's centroid.
static void find_middles(const matter *m, const int32_t *parts, int32_t part_count, middle *middles,
                         int32_t *nodes)
{
    for (int32_t n = 0; n < m->node_count; ++n) {
        middle *at = &middles[parts[n]];
        vec3 x = m->nodes[n].centre;
        at->sum[0] += x.x;
        at->sum[1] += x.y;
        at->sum[2] += x.z;
        at->weight += 1.0;
    }
    for (int32_t p = 0; p < part_count; ++p)
        middles[p].best2 = INFINITY;
    for (int32_t n = 0; n < m->node_count; ++n) {
        middle *at = &middles[parts[n]];
        vec3 centroid = {(float)(at->sum[0] / at->weight), (float)(at->sum[1] / at->weight),
                         (float)(at->sum[2] / at->weight)};
        vec3 d = vec3_sub(m->nodes[n].centre, centroid);
        if (vec3_dot(d, d) < at->best2) {
            at->best2 = vec3_dot(d, d);
            nodes[parts[n]] = n;
        }
    }
}

typedef struct candidate {
    float distance;
    int32_t node;
} candidate;

static int compare_candidates(const void *left, const void *right)
{
    const candidate *a = left, *b = right;
    if (a->distance != b->distance)
        return a->distance > b->distance ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

static int32_t list_candidates(const matter_search *search, candidate *candidates)
{
    const matter *m = search->matter;
    int32_t count = 0;
    for (int32_t n = 0; n < m->surface_count; ++n) {
        bool is_highest = true;
        for (int32_t k = m->first_link[n]; k < m->first_link[n + 1] && is_highest; ++k)
            is_highest = search->distances[m->link_nodes[k]] <= search->distances[n];
        if (is_highest)
            candidates[count++] = (candidate){search->distances[n], n};
    }
    return count;
}

// Of a node's points the one furthest from everything around.
static int32_t outermost_point(const matter_search *around, int32_t node)
{
    const matter *m = around->matter;
    vec3 sum = {0, 0, 0};
    for (int32_t k = 0; k < around->reached_count; ++k)
        sum = vec3_add(sum, m->nodes[around->reached[k]].centre);
    vec3 centre = vec3_scale(sum, 1.0f / (float)around->reached_count);
    int32_t best = m->points_of_node[m->first_point_of_node[node]];
    float best2 = -1.0f;
    for (int32_t i = m->first_point_of_node[node]; i < m->first_point_of_node[node + 1]; ++i) {
        vec3 d = vec3_sub(m->mesh->points[m->points_of_node[i]], centre);
        if (vec3_dot(d, d) > best2) {
            best2 = vec3_dot(d, d);
            best = m->points_of_node[i];
        }
    }
    return best;
}

// Candidates, by falling distance from the middle of their part; -1 when it was stopped or memory ran out.
static int32_t find_candidates(matter_search *search, candidate *candidates)
{
    const matter *m = search->matter;
    size_t nodes = (size_t)m->node_count + 1;
    int32_t *parts = malloc(nodes * sizeof *parts), *sources = malloc(nodes * sizeof *sources);
    middle *middles = calloc(nodes, sizeof *middles);
    int32_t part_count = parts && sources && middles ? number_parts(search, parts) : -1;
    int32_t count = -1;
    if (part_count >= 0) {
        find_middles(m, parts, part_count, middles, sources);
        if (pli_matter_search_run(search, sources, part_count, INFINITY))
            count = list_candidates(search, candidates);
    }
    if (count > 0)
        qsort(candidates, (size_t)count, sizeof *candidates, compare_candidates);
    free(parts);
    free(sources);
    free(middles);
    return count;
}

bool pli_matter_tips(const matter *m, float reach, draft_progress *progress, int32_t **points,
                     int32_t *count)
{
    size_t nodes = (size_t)m->node_count + 1;
    matter_search search = {0};
    candidate *candidates = malloc(nodes * sizeof *candidates);
    unsigned char *covered = calloc(nodes, 1);
    *points = malloc(nodes * sizeof **points);
    *count = 0;
    bool ok = candidates && covered && *points && pli_matter_search_begin(&search, m);
    search.progress = progress;
    int32_t candidate_count = ok ? find_candidates(&search, candidates) : -1;
    ok = candidate_count >= 0;
    for (int32_t i = 0; i < candidate_count && ok; ++i) {
        int32_t node = candidates[i].node;
        if (covered[node])
            continue;
        ok = pli_matter_search_run(&search, &node, 1, reach);
        for (int32_t k = 0; k < search.reached_count; ++k)
            covered[search.reached[k]] = 1;
        if (ok)
            (*points)[(*count)++] = outermost_point(&search, node);
    }
    pli_matter_search_end(&search);
    free(candidates);
    free(covered);
    if (!ok) {
        free(*points);
        *points = NULL;
    }
    return ok;
}
