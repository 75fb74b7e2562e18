// Dijkstra's shortest ways. Of nodes at equal distance the one with the lower number goes first, so that
// the order does not depend on the heap's layout.

#include "matter.h"

#include <math.h>
#include <stdlib.h>

bool pli_matter_search_begin(matter_search *search, const matter *m)
{
    size_t count = (size_t)m->node_count + 1;
    *search = (matter_search){.matter = m};
    search->distances = malloc(count * sizeof *search->distances);
    search->sources = malloc(count * sizeof *search->sources);
    search->reached = malloc(count * sizeof *search->reached);
    search->heap = malloc(count * sizeof *search->heap);
    search->slots = malloc(count * sizeof *search->slots);
    if (!search->distances || !search->sources || !search->reached || !search->heap ||
        !search->slots) {
        pli_matter_search_end(search);
        return false;
    }
    for (int32_t n = 0; n < m->node_count; ++n)
        search->distances[n] = INFINITY;
    return true;
}

void pli_matter_search_end(matter_search *search)
{
    free(search->distances);
    free(search->sources);
    free(search->reached);
    free(search->heap);
    free(search->slots);
    *search = (matter_search){0};
}

static bool is_before(const matter_search *s, int32_t a, int32_t b)
{
    return s->distances[a] < s->distances[b] || (s->distances[a] == s->distances[b] && a < b);
}

static void put(matter_search *s, int32_t slot, int32_t node)
{
    s->heap[slot] = node;
    s->slots[node] = slot;
}

static void rise(matter_search *s, int32_t slot, int32_t node)
{
    while (slot > 0 && is_before(s, node, s->heap[(slot - 1) / 2])) {
        put(s, slot, s->heap[(slot - 1) / 2]);
        slot = (slot - 1) / 2;
    }
    put(s, slot, node);
}

static int32_t take_first(matter_search *s)
{
    int32_t first = s->heap[0], last = s->heap[--s->heap_count], slot = 0;
    for (int32_t child; (child = 2 * slot + 1) < s->heap_count; slot = child) {
        child += child + 1 < s->heap_count && is_before(s, s->heap[child + 1], s->heap[child]);
        if (!is_before(s, s->heap[child], last))
            break;
        put(s, slot, s->heap[child]);
    }
    if (s->heap_count > 0)
        put(s, slot, last);
    return first;
}

static void offer(matter_search *s, int32_t node, float distance, int32_t source)
{
    if (!(distance < s->distances[node]))
        return;
    bool is_new = s->distances[node] == INFINITY;
    s->distances[node] = distance;
    s->sources[node] = source;
    rise(s, is_new ? s->heap_count++ : s->slots[node], node);
}

bool pli_matter_search_run(matter_search *search, const int32_t *nodes, int32_t count, float limit)
{
    const matter *m = search->matter;
    for (int32_t i = 0; i < search->reached_count; ++i)
        search->distances[search->reached[i]] = INFINITY;
    search->reached_count = 0;
    for (int32_t i = 0; i < count; ++i)
        if (nodes[i] >= 0)
            offer(search, nodes[i], 0.0f, i);
    while (search->heap_count > 0) {
        if (!progress_beats(search->progress, search->reached_count)) {
            search->heap_count = 0;
            return false;
        }
        int32_t node = take_first(search);
        search->reached[search->reached_count++] = node;
        if (search->goes_on && !search->goes_on(search->user_data, node, search->distances[node]))
            continue;
        for (int32_t k = m->first_link[node]; k < m->first_link[node + 1]; ++k) {
            float distance = search->distances[node] + m->link_lengths[k];
            if (distance <= limit)
                offer(search, m->link_nodes[k], distance, search->sources[node]);
        }
    }
    return true;
}

typedef struct ball {
    const matter *matter;
    vec3 centre;
    float radius;
} ball;

static bool is_in_ball(void *user_data, int32_t node, float distance)
{
    const ball *b = user_data;
    vec3 d = vec3_sub(b->matter->nodes[node].centre, b->centre);
    (void)distance;
    return vec3_dot(d, d) <= b->radius * b->radius;
}

void pli_matter_search_in_ball(matter_search *search, int32_t node, vec3 centre, float radius,
                               float limit)
{
    ball b = {search->matter, centre, radius};
    search->goes_on = is_in_ball;
    search->user_data = &b;
    pli_matter_search_run(search, &node, 1, limit);
    search->goes_on = NULL;
    search->user_data = NULL;
}
