// The rotation that fits a moment matrix best, and the one that keeps angular momentum.

#ifndef PLIANT_MATH_ROTATION_H
#define PLIANT_MATH_ROTATION_H

#include "quat.h"

// R = argmax tr(Rᵀ A) over proper rotations, also where det A <= 0. `previous` is the warm start and
// decides what A leaves open (the twist of a rank 1 matrix, everything of a zero one).
// *rescues counts the calls that needed the eigenvector way.
quat pli_rotation_extract(const mat3 *A, quat previous, int *rescues);

// The certain way, where Newton's method does not converge. Of q and -q it is the one nearer to `previous`.
quat pli_rotation_rescue(const mat3 *A, quat previous);

// One Newton step of tr(Rᵀ a) in body axes, w = H⁻¹ b, for a matrix of norm 1 or so. Returns false when H is
// not safely definite, or when the slope b shows that the norm is nothing like that: |b|² <= 2 for 1, and where it is
// much more H is too large and the step too short.
#define ROTATION_LARGEST_SLOPE2 4.0f
bool pli_rotation_newton_step(const mat3 *a, const mat3 *R, vec3 *w);

// Newton's method for the fit: so many steps at most; from this length on, rad, a step must halve; and below this
// one it is the last. For a soft group it is so earlier, where it leaves an error of about its square.
enum { ROTATION_NEWTON_STEPS = 8 };
#define ROTATION_HALVING_STEP   1e-3f
#define ROTATION_LAST_STEP      1e-6f
#define ROTATION_LAST_SOFT_STEP 1e-2f

// One Newton step from R towards the fit whose correction carries no angular momentum about the
// configuration at the start of the step: with M = R A_tᵀ
//     delta = (tr(M) 1 - M)⁻¹ carried,   carried = axial(N) - axial(M),
//     N = Σ m (x_p - c)(x_t - c_t)ᵀ + Σ R_p D R_tᵀ
// Returns false when there is nothing to gain: tr(M) 1 - M is not safely definite, as where the start is collapsed or
// R far from it, or the step is so long that the start says nothing about the fit any more.
#define ROTATION_LONGEST_STEP 0.3f
bool pli_rotation_momentum_step(const mat3 *R, const mat3 *A_start, vec3 carried, vec3 *delta);

// Where det(H) of H = tr(M) 1 - M is not above this part of tr(H)³, H is not safely definite: rounding alone leaves a few
// 1e-8 of it where points are in a row and nothing resists a rotation about that.
#define ROTATION_LEAST_SLOPE 1e-7f

// Of tr(H)/2: so much of the momentum H r of a rotation r is rounding.
#define ROTATION_ROUNDING 2.2e-7f

// Of a soft group such a step from its predicted rotation is enough when it is below this, rad. It takes so much of
// it: slightly short, it never adds energy.
#define ROTATION_ENOUGH_STEP 0.1f
#define ROTATION_STEP_PART   0.99f

#endif
