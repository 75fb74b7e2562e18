// Vectors in double precision for shapes.
//
// A mesh may be a ground of two triangles a kilometre long with grains on it: single precision would
// place the nearest point of such a triangle to a millimetre only. Doubles cost the same here, where
// nothing is vectorised, and all they use is exactly rounded.

#ifndef PLIANT_FORM_SHAPE_MATH_H
#define PLIANT_FORM_SHAPE_MATH_H

#include "math/mat3.h"

typedef struct dvec3 {
    double x, y, z;
} dvec3;

typedef struct dsym3 {
    double xx, xy, xz, yy, yz, zz;
} dsym3;

static inline double root(double value)
{
    return __builtin_sqrt(value);
}

static inline double magnitude(double value)
{
    return value < 0.0 ? -value : value;
}

static inline double least(double a, double b)
{
    return a < b ? a : b;
}

static inline double greatest(double a, double b)
{
    return a > b ? a : b;
}

static inline double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

static inline dvec3 dvec3_of(vec3 a)
{
    return (dvec3){(double)a.x, (double)a.y, (double)a.z};
}

static inline vec3 dvec3_to_vec3(dvec3 a)
{
    return (vec3){(float)a.x, (float)a.y, (float)a.z};
}

static inline dvec3 dvec3_add(dvec3 a, dvec3 b)
{
    return (dvec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline dvec3 dvec3_sub(dvec3 a, dvec3 b)
{
    return (dvec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline dvec3 dvec3_scale(dvec3 a, double s)
{
    return (dvec3){a.x * s, a.y * s, a.z * s};
}

// a + s b
static inline dvec3 dvec3_add_scaled(dvec3 a, dvec3 b, double s)
{
    return (dvec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline double dvec3_dot(dvec3 a, dvec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline dvec3 dvec3_cross(dvec3 a, dvec3 b)
{
    return (dvec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double dvec3_length(dvec3 a)
{
    return root(dvec3_dot(a, a));
}

// Unit length, or `otherwise` when a has no direction.
static inline dvec3 dvec3_normalize_or(dvec3 a, dvec3 otherwise)
{
    double length = dvec3_length(a);
    return length > 1e-140 ? dvec3_scale(a, 1.0 / length) : otherwise;
}

static inline dvec3 dsym3_mul_vec(dsym3 a, dvec3 v)
{
    return (dvec3){a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
                   a.xz * v.x + a.yz * v.y + a.zz * v.z};
}

// The inverse times the determinant.
static inline dsym3 dsym3_adjugate(dsym3 a)
{
    return (dsym3){a.yy * a.zz - a.yz * a.yz, a.xz * a.yz - a.xy * a.zz, a.xy * a.yz - a.xz * a.yy,
                   a.xx * a.zz - a.xz * a.xz, a.xy * a.xz - a.xx * a.yz, a.xx * a.yy - a.xy * a.xy};
}

#endif
