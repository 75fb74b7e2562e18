// The rotation that fits a moment matrix best, and the one that keeps angular momentum.

#ifndef PLIANT_MATH_ROTATION_H
#define PLIANT_MATH_ROTATION_H

#include "quat.h"

// R = argmax tr(Rᵀ A) over proper rotations, also where det A <= 0. `previous` is the warm start and
// decides what A leaves open (the twist of a rank 1 matrix, everything of a zero one).
// *rescues counts the calls that needed the eigenvector way.
quat pliant_rotation_extract(const mat3 *A, quat previous, int *rescues);

// One Newton step from R towards the fit whose correction carries no angular momentum about the
// configuration at the start of the step: with M = R A_tᵀ
//     delta = (tr(M) 1 - M)⁻¹ carried,   carried = axial(N) - axial(M),
//     N = Σ m (x_p - c)(x_t - c_t)ᵀ + Σ R_p D R_tᵀ
// Returns false when there is nothing to gain: the start is collapsed or inverted, or the step is
// beyond 0.3 rad and the start says nothing about the fit any more.
bool pliant_rotation_momentum_step(quat R, const mat3 *A_start, vec3 carried, vec3 *delta);

#endif
