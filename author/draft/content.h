// The content of a draft apart from what follows from its mesh and its scale, in a draft that holds nothing
// else: for what may have to be undone. Topology, matter and the search for triangles stay with the draft they were made
// for.

#ifndef PLIANT_AUTHOR_DRAFT_CONTENT_H
#define PLIANT_AUTHOR_DRAFT_CONTENT_H

#include "draft/draft.h"

// False when memory runs out; then there is nothing to release.
bool pli_draft_copy_content(pliant_draft *copy, const pliant_draft *draft);
void pli_draft_release_content(pliant_draft *content);
// Puts the content in place of the draft's own and leaves nothing behind. The matter stays where the scale does.
void pli_draft_take_content(pliant_draft *draft, pliant_draft *content);

#endif
