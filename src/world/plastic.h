// Dents and creep. See plastic.c.

#ifndef PLIANT_WORLD_PLASTIC_H
#define PLIANT_WORLD_PLASTIC_H

#include "substep.h"

// A group's shape as the solver left it: c relative to where its first member started, and R.
typedef struct group_fit {
    vec3 reference, centre;
    quat rotation;
} group_fit;

group_fit pli_fit_group(const pliant_world *world, const body *b, int index);
// Where a member is in that shape: Rᵀ(x - c).
vec3 pli_place_in_fit(const pliant_world *world, const body *b, const group_fit *fit,
                      int32_t member);
// Groups that were hit let go, before the hit is solved; those that have been loose for long enough take
// their new shape. All bodies.
void pli_loosen_groups(const substep *s);
void pli_absorb_dents(const substep *s);
// At the end of a step: rest shapes follow what is deformed beyond its yield strain.
void pli_creep(const substep *s, const body *b);

#endif
