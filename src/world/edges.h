// Kernels of edges: torsion, apart so that tests reach it, and lengths.

#ifndef PLIANT_WORLD_EDGES_H
#define PLIANT_WORLD_EDGES_H

#include "math/quat.h"

// Both turn two rotations-from-rest d1, d2 towards each other by the part `alpha`, shared by the
// inverse inertias w1, w2 (their sum > 0), both from the old values so that Σ I φ = 0. The twist form
// removes only the rotation about the unit rest edge `axis` and leaves bending alone.
void pliant_torsion_full(quat *d1, quat *d2, float w1, float w2, float alpha);
void pliant_torsion_twist_only(quat *d1, quat *d2, float w1, float w2, vec3 axis, float alpha);

// How far two points `d` apart, |d| = distance > 0, have to be brought together to be `goal` apart, and along
// which unit vector n: |d - μ n| = goal. That is the line on which they stood at the start of the substep, but
// for the part `present` towards the present one: about the start velocities keep their angular momentum (see
// groups.c), along the present line a spinning pair would lose its spin. Where they have turned too far it is
// the present line alone.
float pliant_length_correction(vec3 start, vec3 d, float distance, float goal, float present,
                               vec3 *n);

#endif
