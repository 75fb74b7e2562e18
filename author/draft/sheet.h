// Whether an object is a sheet: cloth, cards, strands.

#ifndef PLIANT_AUTHOR_DRAFT_SHEET_H
#define PLIANT_AUTHOR_DRAFT_SHEET_H

#include "matter/matter.h"

// Whether most of the surface has its other side nearer than `thin`, or nothing that closes it: its back can be seen
// from outside. What the ground or gravity closes is no sheet: a house without a floor, a cup.
bool pli_matter_is_sheet(const matter *matter, const topology *mesh, float thin);

#endif
