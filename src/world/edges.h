// Torsion kernels, apart so that tests reach them.

#ifndef PLIANT_WORLD_EDGES_H
#define PLIANT_WORLD_EDGES_H

#include "math/quat.h"

// Both turn two rotations-from-rest d1, d2 towards each other by the part `alpha`, shared by the
// inverse inertias w1, w2 (their sum > 0), both from the old values so that Σ I φ = 0. The twist form
// removes only the rotation about the unit rest edge `axis` and leaves bending alone.
void pliant_torsion_full(quat *d1, quat *d2, float w1, float w2, float alpha);
void pliant_torsion_twist_only(quat *d1, quat *d2, float w1, float w2, vec3 axis, float alpha);

#endif
