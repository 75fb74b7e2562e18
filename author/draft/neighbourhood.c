// Particles by the nodes around them.

#include "draft/neighbourhood.h"

#include <stdlib.h>

static bool push(neighbourhood *n, int32_t node, int32_t particle)
{
    if (n->count == n->capacity) {
        int32_t capacity = n->capacity * 2 + 4096;
        int32_t *particles = realloc(n->particles, (size_t)capacity * sizeof *particles);
        if (particles)
            n->particles = particles;
        int32_t *following = realloc(n->following, (size_t)capacity * sizeof *following);
        if (following)
            n->following = following;
        if (!particles || !following)
            return false;
        n->capacity = capacity;
    }
    n->particles[n->count] = particle;
    n->following[n->count] = n->heads[node];
    n->heads[node] = n->count++;
    return true;
}

// The way along nodes is longer than the real one, by up to a half.
bool pli_neighbourhood_add(neighbourhood *n, int32_t node, int32_t particle)
{
    pli_matter_search_run(&n->search, &node, 1, 1.5f * n->distance + n->matter->grid.size);
    for (int32_t i = 0; i < n->search.reached_count; ++i)
        if (!push(n, n->search.reached[i], particle))
            return false;
    return true;
}

bool pli_neighbourhood_begin(neighbourhood *n, const pliant_draft *draft, float distance,
                             vec3 centre, float radius)
{
    *n = (neighbourhood){.draft = draft, .matter = draft->matter, .distance = distance};
    n->heads = malloc(((size_t)n->matter->node_count + 1) * sizeof *n->heads);
    bool ok = n->heads && pli_matter_search_begin(&n->search, n->matter);
    for (int32_t i = 0; ok && i < n->matter->node_count; ++i)
        n->heads[i] = -1;
    for (int i = 0; ok && i < draft->particle_count; ++i) {
        draft_anchor anchor = draft->anchors[i];
        // A little more than that, for the rounding.
        if (vec3_length(vec3_sub(anchor.position, centre)) > 1.001f * (radius + distance))
            continue;
        int32_t node = pli_matter_find(n->matter, anchor.position, anchor.triangle);
        ok = progress_beats(draft->progress, i) && (node < 0 || pli_neighbourhood_add(n, node, i));
    }
    return ok;
}

void pli_neighbourhood_end(neighbourhood *n)
{
    pli_matter_search_end(&n->search);
    free(n->heads);
    free(n->particles);
    free(n->following);
    *n = (neighbourhood){0};
}

bool pli_neighbourhood_is_free(const neighbourhood *n, int32_t node, vec3 x)
{
    for (int32_t e = n->heads[node]; e >= 0; e = n->following[e]) {
        vec3 d = vec3_sub(n->draft->anchors[n->particles[e]].position, x);
        if (vec3_dot(d, d) < n->distance * n->distance)
            return false;
    }
    return true;
}
