// The ends of an object's limbs.

#ifndef PLIANT_AUTHOR_DRAFT_TIPS_H
#define PLIANT_AUTHOR_DRAFT_TIPS_H

#include "matter/matter.h"

// Points of the refined mesh that are further from the middle of their connected part, along the object,
// than all within `reach`, the furthest first. False when memory runs out or it was stopped; free() them.
bool pli_matter_tips(const matter *matter, float reach, draft_progress *progress, int32_t **points,
                     int32_t *count);

#endif
