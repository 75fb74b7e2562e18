// Transforms of glTF: 4×4 matrices, column major, in double precision.

#ifndef PLIANT_AUTHOR_GLTF_GLTF_MATRIX_H
#define PLIANT_AUTHOR_GLTF_GLTF_MATRIX_H

#include "math/scalar.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static inline void matrix_identity(double m[16])
{
    for (int i = 0; i < 16; ++i)
        m[i] = i % 5 == 0;
}

// result = a b; it may be neither of them.
static inline void matrix_multiply(const double a[16], const double b[16], double result[16])
{
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 4; ++row) {
            double sum = 0.0;
            for (int i = 0; i < 4; ++i)
                sum += a[i * 4 + row] * b[column * 4 + i];
            result[column * 4 + row] = sum;
        }
    }
}

// The quaternion (x, y, z, w) need not have unit length; of zero length it is no rotation.
static inline void matrix_compose(const double t[3], const double q[4], const double s[3],
                                  double m[16])
{
    double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    double k = square > 0.0 ? 2.0 / square : 0.0;
    double x = q[0], y = q[1], z = q[2], w = q[3];
    const double rotation[9] = {
        1.0 - k * (y * y + z * z), k * (x * y + w * z),       k * (x * z - w * y),
        k * (x * y - w * z),       1.0 - k * (x * x + z * z), k * (y * z + w * x),
        k * (x * z + w * y),       k * (y * z - w * x),       1.0 - k * (x * x + y * y),
    };
    matrix_identity(m);
    for (int column = 0; column < 3; ++column) {
        for (int row = 0; row < 3; ++row)
            m[column * 4 + row] = rotation[column * 3 + row] * s[column];
        m[12 + column] = t[column];
    }
}

static inline void matrix_point(const double m[16], const double p[3], double result[3])
{
    for (int i = 0; i < 3; ++i)
        result[i] = m[i] * p[0] + m[4 + i] * p[1] + m[8 + i] * p[2] + m[12 + i];
}

// The cofactors of the upper three rows and columns, column major: the inverse transpose times the determinant,
// which is returned.
static inline double matrix_cofactors(const double m[16], double c[9])
{
    for (int i = 0; i < 3; ++i) {
        const double *a = m + (i + 1) % 3 * 4, *b = m + (i + 2) % 3 * 4;
        c[i * 3 + 0] = a[1] * b[2] - a[2] * b[1];
        c[i * 3 + 1] = a[2] * b[0] - a[0] * b[2];
        c[i * 3 + 2] = a[0] * b[1] - a[1] * b[0];
    }
    return m[0] * c[0] + m[1] * c[1] + m[2] * c[2];
}

// A normal, turned as the surface is and of unit length; zero where it has no direction.
static inline void matrix_normal(const double m[16], const double n[3], double result[3])
{
    double c[9];
    double sign = matrix_cofactors(m, c) < 0.0 ? -1.0 : 1.0;
    double square = 0.0;
    for (int i = 0; i < 3; ++i) {
        result[i] = sign * (c[i] * n[0] + c[3 + i] * n[1] + c[6 + i] * n[2]);
        square += result[i] * result[i];
    }
    double length = sqrt(square);
    bool has_direction = length > 0.0 && isfinite(length);
    for (int i = 0; i < 3; ++i)
        result[i] = has_direction ? result[i] / length : 0.0;
}

#endif
