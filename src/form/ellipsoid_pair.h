// The touching distance of two ellipsoids (paper 2011, appendix A.2, corrected).
//
// Eq. (40) of the paper is exact only for homothetic pairs and up to 11 % wrong at aspect ratio 2;
// this is the exact value of Perram and Wertheim (1985), by a Newton iteration on the logarithm.

#ifndef PLIANT_FORM_ELLIPSOID_PAIR_H
#define PLIANT_FORM_ELLIPSOID_PAIR_H

#include <stdbool.h>

#include "math/mat3.h"
#include "solve/pairs.h"

typedef struct form_pair {
    vec3 line;       // unit, from centre 1 to centre 2
    float gap;       // m along `line`: distance of the centres less the touching one; < 0 overlaps
    vec3 normal;     // unit contact normal at touching distance, from 1 to 2
    vec3 arm1, arm2; // m, the contact relative to centre 1 and to centre 2, for ellipsoids moved
                     // along `line` until they touch
} form_pair;

// S1 and S2 are world shape matrices R diag(a², b², c²) Rᵀ, `between` is centre 2 - centre 1. All are
// finite, shapes positive definite. Radii from 1e-4 to 1e3 m and any ratio of sizes among them.
// Returns false, leaving *out alone, when the gap is certainly larger than `margin`; a result may
// still have a gap above the margin by up to 3e-5 of the touching distance, more beyond aspect ratio 10.
//
// Against exact values for S1, S2 as given (aspect ratio: longest to shortest radius):
//     aspect <=  2: touching distance to 1e-6 relative, normal to 1e-5 rad (measured 3.8e-7, 3.5e-7)
//     aspect <= 10: 1e-4 and 1e-4 (measured 2.4e-6, 2e-5)
// Beyond that results stay finite but lose accuracy with the square of the aspect ratio, as S itself.
// Exchanging the two gives the same contact, seen from the other side, to rounding.
// Centres nearer than 1e-6 of the size have no line; the direction in which both together are thinnest
// takes its place, its largest component positive. This sign does not change with the order of the two.
bool pli_ellipsoid_pair(sym3 S1, sym3 S2, vec3 between, float margin, form_pair *out);
// The same with another last step.
bool pli_ellipsoid_pair_roughly(sym3 S1, sym3 S2, vec3 between, float margin, float last_step,
                                form_pair *out);

#endif
