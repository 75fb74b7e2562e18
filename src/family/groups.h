// What both families of groups share.

#ifndef PLIANT_FAMILY_GROUPS_H
#define PLIANT_FAMILY_GROUPS_H

#include "families.h"

// Groups [first, end) of a model.
void pli_groups_scale(pliant_world *world, const body *b, int first, int end, float h,
                      int iterations);
bool pli_groups_are_soft(const pliant_model *model, int first, int end);

#endif
