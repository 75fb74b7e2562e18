// The scene in which a model without one is shown.

#ifndef PLIANT_AUTHOR_DROP_H
#define PLIANT_AUTHOR_DROP_H

#include <pliant/author.h>

// Axis-aligned bounds of a model's skin, or of its particles when it has none.
void pli_model_bounds(const pliant_model *model, pliant_vec3 *low, pliant_vec3 *high);

#endif
