// The table of families, in the order in which an iteration solves them.

#include "families.h"

const family *const pli_families[FAMILIES] = {
    &pli_family_implicit_groups, &pli_family_explicit_groups, &pli_family_distances,
    &pli_family_chains,          &pli_family_torsion,         &pli_family_hinges,
    &pli_family_tethers,
};
