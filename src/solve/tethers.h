// Tethers as they stand in a substep.

#ifndef PLIANT_SOLVE_TETHERS_H
#define PLIANT_SOLVE_TETHERS_H

#include <stdbool.h>

#include "math/vec3.h"

typedef struct tether_work {
    bool holds;         // its anchor is pinned, and its particle is not
    vec3 anchor;        // place at the end of the substep, from the body's drifting origin
    vec3 start;         // from the anchor to the particle as the substep began
    float start_excess; // m beyond the length then
    float pulled;       // m, sum of what it was pulled back
} tether_work;

#endif
