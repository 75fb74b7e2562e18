// Greedy colouring of constraints, so that those of one colour share no particle.

#ifndef PLIANT_MODEL_COLOUR_H
#define PLIANT_MODEL_COLOUR_H

#include "model.h"

// Constraint i touches particles[start[i]] … particles[start[i + 1] - 1]. Fills order[] with the
// constraints sorted by colour, original order within a colour, those without a colour last.
// Returns false when memory runs out.
bool pliant_colour_constraints(colouring *out, int32_t *order, int constraint_count,
                               const int32_t *start, const int32_t *particles, int particle_count,
                               const pliant_allocator *allocator);

#endif
