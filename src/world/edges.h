// Lengths of edges and attachments.

#ifndef PLIANT_WORLD_EDGES_H
#define PLIANT_WORLD_EDGES_H

#include "math/quat.h"

// How far two points `d` apart, |d| = distance > 0, have to be brought together to be `goal` apart, and along
// which unit vector n: |d - μ n| = goal. That is the line on which they stood at the start of the substep, but
// for the part `present` towards the present one: about the start velocities keep their angular momentum (see
// family/groups.c), along the present line a spinning pair would lose its spin. Where they have turned too far it is
// the present line alone.
float pli_length_correction(vec3 start, vec3 d, float distance, float goal, float present, vec3 *n);

#endif
