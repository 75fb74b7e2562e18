// What a builder holds.

#ifndef PLIANT_MODEL_BUILDER_H
#define PLIANT_MODEL_BUILDER_H

#include "elements.h"

struct pliant_builder {
    pliant_allocator allocator;
    elements elements;
    bool out_of_memory; // some time; the build reports it
};

// Copies elements to the end of their kind. Returns the first one's index, or -1 when memory runs out.
int pli_builder_append(pliant_builder *builder, element_id id, const void *added, int count);

#endif
