// Ranges that parameters of shapes share. All are false for NaN.

#ifndef PLIANT_AUTHOR_SHAPES_RANGE_H
#define PLIANT_AUTHOR_SHAPES_RANGE_H

#include "math/vec3.h"

// A size or a density: above zero and finite.
static inline bool is_positive(float value)
{
    return value > 0.0f && is_finite(value);
}

static inline bool is_fraction(float value)
{
    return value >= 0.0f && value <= 1.0f;
}

// Pa; 0: not elastic.
static inline bool is_modulus(float value)
{
    return value >= 0.0f && value <= 1e12f;
}

static inline bool is_between(int value, int low, int high)
{
    return value >= low && value <= high;
}

#endif
