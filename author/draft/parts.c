#include "draft/parts.h"

#include <stdlib.h>

static int32_t find_root(int32_t *parents, int32_t particle)
{
    while (parents[particle] != particle) {
        parents[particle] = parents[parents[particle]];
        particle = parents[particle];
    }
    return particle;
}

int32_t *pli_draft_parts(const pliant_draft *draft, const unsigned char *selected)
{
    int count = draft->particle_count;
    int32_t *parents = malloc(((size_t)count + 1) * sizeof *parents);
    if (!parents)
        return NULL;
    for (int32_t i = 0; i < count; ++i)
        parents[i] = i;
    for (int i = 0; i < draft->edge_count; ++i) {
        pliant_edge_def edge = draft->edges[i];
        if (selected && !(selected[edge.a] && selected[edge.b]))
            continue;
        int32_t a = find_root(parents, edge.a), b = find_root(parents, edge.b);
        parents[a > b ? a : b] = a > b ? b : a;
    }
    for (int32_t i = 0; i < count; ++i)
        parents[i] = find_root(parents, i);
    for (int32_t i = 0; selected && i < count; ++i)
        parents[i] = selected[i] ? parents[i] : -1;
    return parents;
}
