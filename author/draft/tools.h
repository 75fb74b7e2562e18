// What the tools share beyond the draft itself.

#ifndef PLIANT_AUTHOR_DRAFT_TOOLS_H
#define PLIANT_AUTHOR_DRAFT_TOOLS_H

#include "draft/draft.h"
#include "io/progress.h"
#include "matter/matter.h"

// The draft's matter, made when it is not there; the scale must have been set. Making it takes most of the progress at
// hand and leaves the rest to the tool. NULL with `error` filled on failure.
const matter *pli_draft_matter(pliant_draft *draft, pliant_error *error);
// The tips of that matter (see tips.h), kept for the next tool; NULL when memory runs out or it was stopped.
const draft_tips *pli_draft_tips(pliant_draft *draft, float reach);
// Sets the scale from a tool's spacing, when nobody has yet.
pliant_result pli_draft_want_scale(pliant_draft *draft, float spacing, pliant_error *error);
// The same for tools that have no distance of their own: from the size of the mesh and how many particles there are.
pliant_result pli_draft_guess_scale(pliant_draft *draft, pliant_error *error);

// A tool that is under way, perhaps within another.
typedef struct draft_tool {
    progress_range range; // of the one around it
    pliant_draft before;  // the draft's content; of the outermost tool only
} draft_tool;

// To be ended unless it fails.
pliant_result pli_draft_begin_tool(pliant_draft *draft, draft_tool *tool, pliant_error *error);
// Passes the tool's result on, or that it was cancelled. Unless all went well the outermost tool makes the draft what
// it was before, the scale that a tool set of its own accord included.
pliant_result pli_draft_end_tool(pliant_draft *draft, draft_tool *tool, pliant_result result,
                                 pliant_error *error);

// The node each particle lies in now, of the part of the object it belongs to; -1 for those before `first` and those
// that are not selected. free() them; NULL when memory ran out or it was stopped.
int32_t *pli_draft_nodes(const pliant_draft *draft, int first, const unsigned char *selected);

// The particles in the cells of a grid. False when memory runs out.
bool pli_draft_sort_into_cells(const pliant_draft *draft, const cell_grid *grid, cell_lists *lists);

// Of particles sorted so, the one nearest to a place, at most a cell's size away, that is accepted (NULL: any); of equally
// near ones the first. -1 when there is none.
int32_t pli_draft_find_in_cells(const pliant_draft *draft, const cell_grid *grid,
                                const cell_lists *lists, vec3 x,
                                bool (*accepts)(const void *context, int32_t particle),
                                const void *context);

// Removes selected particles that lie within a distance (m) of others along the object: of several the first stays, or
// one that is not selected. The matter must be there.
pliant_result pli_draft_merge(pliant_draft *draft, const unsigned char *selected, float distance,
                              pliant_error *error);

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
// matters to the surface only. False when memory ran out or it was stopped.
bool pli_near_create(near_lists *lists, const matter *matter, const int32_t *nodes, int count,
                     float limit, int most, draft_progress *progress);
void pli_near_release(near_lists *lists);

#endif
