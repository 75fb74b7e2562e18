// The families of constraints there are, each in a file of its own.

#ifndef PLIANT_FAMILY_FAMILIES_H
#define PLIANT_FAMILY_FAMILIES_H

#include "model/family.h"
#include "world/world.h"

extern const family pliant_family_implicit_groups, pliant_family_explicit_groups,
    pliant_family_distances, pliant_family_torsion, pliant_family_hinges, pliant_family_tethers;

#endif
