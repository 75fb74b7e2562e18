// Our own sine, cosine, arc tangent, exponential and logarithm: those of pliant/math.h, and what only the library needs.

#ifndef PLIANT_MATH_TRIG_H
#define PLIANT_MATH_TRIG_H

#include "scalar.h"

// 1 - e^-x for x >= 0. Relative error below 1e-5, also where x is small and the difference would
// cancel.
static inline float trig_one_minus_exp(float x)
{
    return x < 0.01f ? x * (1.0f - x * (0.5f - x * (1.0f / 6.0f))) : 1.0f - trig_exp(-x);
}

#endif
