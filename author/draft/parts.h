// Which particles edges join, over however many others.

#ifndef PLIANT_AUTHOR_DRAFT_PARTS_H
#define PLIANT_AUTHOR_DRAFT_PARTS_H

#include "draft/draft.h"

// For each particle the first one of its part; -1 for those that are not selected, which join nothing (NULL: all are).
// NULL when memory runs out; free() it.
int32_t *pli_draft_parts(const pliant_draft *draft, const unsigned char *selected);

#endif
