// What the tools share beyond the draft itself.

#ifndef PLIANT_AUTHOR_DRAFT_TOOLS_H
#define PLIANT_AUTHOR_DRAFT_TOOLS_H

#include "draft/draft.h"
#include "draft/matter.h"

// The draft's matter, made when it is not there; the scale must have been set. NULL with `error` filled on failure.
const matter *pliant_draft_matter(pliant_draft *draft, pliant_error *error);
// The tips of that matter (see tips.h), kept for the next tool; NULL when memory runs out.
const draft_tips *pliant_draft_tips(pliant_draft *draft, float reach);
// Sets the scale from a tool's spacing, when nobody has yet.
pliant_result pliant_draft_want_scale(pliant_draft *draft, float spacing, pliant_error *error);
// The same for tools that have no distance of their own: from the size of the mesh and how many particles there are.
pliant_result pliant_draft_guess_scale(pliant_draft *draft, pliant_error *error);

typedef struct draft_scale {
    float spacing, bridge;
} draft_scale;

draft_scale pliant_draft_scale(const pliant_draft *draft);
// Passes a tool's result on. When it failed the scale becomes what it was before: what the tool set of its own
// accord is in nobody's way.
pliant_result pliant_draft_end_tool(pliant_draft *draft, draft_scale before, pliant_result result);

// The node each particle lies in now, of the part of the object it belongs to; -1 for those that are not
// selected. free() them.
int32_t *pliant_draft_nodes(const pliant_draft *draft, const unsigned char *selected);

// Particles near each node of the matter.
typedef struct near_entry {
    int32_t particle;
    float distance; // along the object
} near_entry;

// Up to `most` entries for each node: entries[node * most] …, counts[node] of them, by rising distance.
typedef struct near_lists {
    int most;
    near_entry *entries;
    int32_t *counts;
} near_lists;

// Of the particles whose node is not -1, those nearest to each node within `limit`. Lists of inner nodes hold what
// matters to the surface only.
bool pliant_near_create(near_lists *lists, const matter *matter, const int32_t *nodes, int count,
                        float limit, int most);
void pliant_near_release(near_lists *lists);

#endif
