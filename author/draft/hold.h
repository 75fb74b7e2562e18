// Vertices that follow nothing. In a model each vertex follows a particle: those that no tool was asked to carry follow
// the holder, one more particle behind all others, which is pinned at the model's origin and touches nothing. Drafts do
// not have it: it comes with the model and goes when a draft is made of that.

#ifndef PLIANT_AUTHOR_DRAFT_HOLD_H
#define PLIANT_AUTHOR_DRAFT_HOLD_H

#include "draft/draft.h"

// For a draft with particles, of which it is the smallest and lightest.
pliant_particle_def pli_draft_holder(const pliant_draft *draft);
// The holder's index, that of the last particle, or -1.
int pli_model_holder(const pliant_model *model);

#endif
