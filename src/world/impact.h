// How a rigid body hits colliders. See impact.c.

#ifndef PLIANT_WORLD_IMPACT_H
#define PLIANT_WORLD_IMPACT_H

#include <stdbool.h>

typedef struct body body;
typedef struct substep substep;

// When velocities are known and part of a partial substep is taken: true where the body has hit colliders as the rigid body
// that it is. Other bodies land (landing.h).
bool pli_hit_as_one(const substep *s, body *b);

#endif
