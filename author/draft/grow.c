// Growing a selection of particles along edges.

#include "core/error.h"
#include "draft/parts.h"
#include "mesh/select.h"

#include <stdlib.h>
#include <string.h>

// A round of growth of the particles whose byte is `value`; false when nothing was left to add.
static bool grow_once(const pliant_draft *draft, unsigned char *mask, unsigned char value,
                      unsigned char *before)
{
    bool changed = false;
    memcpy(before, mask, (size_t)draft->particle_count);
    for (int i = 0; i < draft->edge_count; ++i) {
        int32_t a = draft->edges[i].a, b = draft->edges[i].b;
        if (before[a] == before[b])
            continue;
        mask[a] = mask[b] = value;
        changed = true;
    }
    return changed;
}

static bool take_pieces(const pliant_draft *draft, unsigned char *mask, unsigned char *reached)
{
    int count = draft->particle_count;
    int32_t *parts = pli_draft_parts(draft, NULL);
    if (!parts)
        return false;
    memset(reached, 0, (size_t)count + 1);
    for (int32_t i = 0; i < count; ++i)
        if (mask[i])
            reached[parts[i]] = 1;
    for (int32_t i = 0; i < count; ++i)
        mask[i] = reached[parts[i]];
    free(parts);
    return true;
}

pliant_result pliant_draft_grow(const pliant_draft *draft, pliant_selection *particles, int rounds,
                                bool whole, pliant_error *error)
{
    unsigned char *mask, *scratch = malloc((size_t)draft->particle_count + 1);
    pliant_result result =
        scratch ? pli_draft_mask(draft, particles, &mask, error) : pli_error_memory(error);
    if (result != PLIANT_OK) {
        free(scratch);
        return result;
    }
    bool ok = !whole || take_pieces(draft, mask, scratch);
    // Taking away is growth of what is not selected.
    bool goes_on = !whole;
    for (int left = rounds; goes_on && left != 0; left += left < 0 ? 1 : -1)
        goes_on = grow_once(draft, mask, rounds > 0, scratch);
    result = ok ? pli_selection_replace(particles, mask, draft->particle_count, error)
                : pli_error_memory(error);
    free(mask);
    free(scratch);
    return result;
}
