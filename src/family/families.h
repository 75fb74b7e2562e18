// The families of constraints there are, each in a file of its own.

#ifndef PLIANT_FAMILY_FAMILIES_H
#define PLIANT_FAMILY_FAMILIES_H

#include "model/family.h"
#include "world/world.h"

extern const family pli_family_implicit_groups, pli_family_explicit_groups, pli_family_distances,
    pli_family_chains, pli_family_torsion, pli_family_hinges, pli_family_tethers;

#endif
