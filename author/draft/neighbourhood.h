// Which particles are in the way of new ones: each is listed at every node of the matter that lies near
// it along the object, so that a particle in a touching finger does not count.

#ifndef PLIANT_AUTHOR_DRAFT_NEIGHBOURHOOD_H
#define PLIANT_AUTHOR_DRAFT_NEIGHBOURHOOD_H

#include "draft/tools.h"

typedef struct neighbourhood {
    const pliant_draft *draft;
    const matter *matter;
    float distance;
    matter_search search;
    int32_t *heads;                 // first entry of each node, or -1
    int32_t *particles, *following; // of each entry
    int32_t count, capacity;
} neighbourhood;

// For particles to keep `distance` from each other, with all the draft has now, or of these only the ones that matter
// to new particles within `radius` of `centre`. False when memory runs out or it was stopped; end it in any case.
bool pli_neighbourhood_begin(neighbourhood *n, const pliant_draft *draft, float distance,
                             vec3 centre, float radius);
void pli_neighbourhood_end(neighbourhood *n);
// Whether a new particle at x in `node` has room.
bool pli_neighbourhood_is_free(const neighbourhood *n, int32_t node, vec3 x);
// Takes the draft's last particle in; false when memory runs out.
bool pli_neighbourhood_add(neighbourhood *n, int32_t node, int32_t particle);

#endif
