// Vectors of three floats.

#ifndef PLIANT_MATH_VEC3_H
#define PLIANT_MATH_VEC3_H

#include <pliant/base.h>

#include "scalar.h"

typedef pliant_vec3 vec3;

static inline vec3 vec3_add(vec3 a, vec3 b)
{
    return (vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline vec3 vec3_sub(vec3 a, vec3 b)
{
    return (vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline vec3 vec3_scale(vec3 a, float s)
{
    return (vec3){a.x * s, a.y * s, a.z * s};
}

static inline vec3 vec3_negate(vec3 a)
{
    return (vec3){-a.x, -a.y, -a.z};
}

// a + s b
static inline vec3 vec3_add_scaled(vec3 a, vec3 b, float s)
{
    return (vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline float vec3_dot(vec3 a, vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vec3 vec3_cross(vec3 a, vec3 b)
{
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline float vec3_length(vec3 a)
{
    return square_root(vec3_dot(a, a));
}

// Unit length, or `otherwise` when a is too short to have a direction.
static inline vec3 vec3_normalize_or(vec3 a, vec3 otherwise)
{
    float length = vec3_length(a);
    return length > 1e-12f ? vec3_scale(a, 1.0f / length) : otherwise;
}

static inline int vec3_is_finite(vec3 a)
{
    return is_finite(a.x) && is_finite(a.y) && is_finite(a.z);
}

#endif
