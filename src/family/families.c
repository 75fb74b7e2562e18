// The table of families, in the order in which an iteration solves them.

#include "families.h"

const family *const pliant_families[FAMILIES] = {
    &pliant_family_implicit_groups, &pliant_family_explicit_groups, &pliant_family_distances,
    &pliant_family_torsion,         &pliant_family_hinges,          &pliant_family_tethers,
};
