// Vectors of three floats: those of pliant/math.h, and what only the library needs.

#ifndef PLIANT_MATH_VEC3_H
#define PLIANT_MATH_VEC3_H

#include "scalar.h"

static inline int vec3_is_finite(vec3 a)
{
    return is_finite(a.x) && is_finite(a.y) && is_finite(a.z);
}

#endif
