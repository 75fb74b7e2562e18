// A part of a draft's mesh as a mesh of its own, with a draft of its own: for tools that mind a part as if there was
// nothing else.

#ifndef PLIANT_AUTHOR_DRAFT_EXCERPT_H
#define PLIANT_AUTHOR_DRAFT_EXCERPT_H

#include "draft/draft.h"

typedef struct draft_excerpt {
    pliant_mesh *mesh;
    pliant_draft *draft;
    int32_t *vertices, *triangles; // their numbers in the mesh it is of
} draft_excerpt;

// Of the triangles whose corners are all selected (`mask`, one byte for each vertex), and these corners. On failure there
// is nothing to release.
pliant_result pli_excerpt_open(draft_excerpt *excerpt, const pliant_mesh *mesh,
                               const unsigned char *mask, pliant_error *error);
void pli_excerpt_close(draft_excerpt *excerpt);

// Puts what tools have made in the excerpt into a draft of the whole mesh that holds no particles.
pliant_result pli_excerpt_put_back(const draft_excerpt *excerpt, pliant_draft *draft,
                                   pliant_error *error);

#endif
