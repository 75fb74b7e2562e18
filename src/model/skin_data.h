// The skin of a model, made for the kernels.

#ifndef PLIANT_MODEL_SKIN_DATA_H
#define PLIANT_MODEL_SKIN_DATA_H

#include "solve/skin.h"

struct elements;

// From checked elements; empty when they have no vertices. False when memory runs out.
bool pli_skin_data_build(skin_data *skin, const struct elements *from,
                         const pliant_allocator *allocator);
void pli_skin_data_free(skin_data *skin, const pliant_allocator *allocator);

#endif
