// Which particles of one model are at the place of a particle of another one, in model space. For bodies that go on as another
// model (world/change_model.c).

#ifndef PLIANT_MODEL_ANCESTORS_H
#define PLIANT_MODEL_ANCESTORS_H

#include "model.h"

// The nearest particle and some of those that are linked with it.
enum { MOST_ANCESTORS = 33 };

typedef struct ancestry {
    int32_t particles[MOST_ANCESTORS]; // the nearest one first
    float weights[MOST_ANCESTORS];     // their sum is 1
    int count;
} ancestry;

typedef struct ancestors ancestors;

// `allocator` must outlive it, as the model. NULL when memory runs out.
ancestors *pli_ancestors_create(const pliant_model *model, const pliant_allocator *allocator);
void pli_ancestors_destroy(ancestors *of);
// Of equally near ones the first.
int32_t pli_nearest_ancestor(const ancestors *of, vec3 place);
ancestry pli_ancestry_of(const ancestors *of, vec3 place);

#endif
