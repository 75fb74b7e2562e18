// Our own sine, cosine, arc tangent, exponential and logarithm.
//
// The C library's differ between platforms in the last bits, these do not. Each states its largest
// error against exact values over its range, as measured by a dense sweep in tests/test_trig.c.
// The polynomials are minimax fits (Remez exchange) of the degree that float32 can use.

#ifndef PLIANT_MATH_TRIG_H
#define PLIANT_MATH_TRIG_H

#include "scalar.h"

#define TRIG_PI      3.14159265358979f
#define TRIG_HALF_PI 1.57079632679490f

// Sine and cosine of x together. |x| <= 1000: absolute error below 1.2e-7. Beyond that the
// range reduction loses accuracy but stays in [-1, 1] up to 1e6; larger values and NaN return those
// of 0, for a caller whose angle is that large has lost it already.
static inline void trig_sin_cos(float x, float *sine, float *cosine)
{
    if (!(absolute(x) <= 1e6f))
        x = 0.0f;
    // Cody-Waite: pi/2 as three floats, the first two short enough that their products with k are
    // exact for |k| < 2^11.
    const float part1 = 1.5703125f, part2 = 4.8351287841796875e-4f, part3 = 3.1385570764541623e-7f;
    float scaled = x * 0.636619772367581f;
    int32_t k = (int32_t)(scaled + (scaled < 0.0f ? -0.5f : 0.5f));
    float turns = (float)k;
    float r = ((x - turns * part1) - turns * part2) - turns * part3;
    float r2 = r * r;
    float s = r + r * r2 * (-0.166666542f + r2 * (0.00833213209f + r2 * -0.000195109211f));
    float c = 1.0f - 0.5f * r2 +
              r2 * r2 * (0.0416666457f + r2 * (-0.00138873068f + r2 * 2.44312969e-05f));
    int quadrant = k & 3;
    float a = quadrant & 1 ? c : s;
    float b = quadrant & 1 ? s : c;
    *sine = quadrant & 2 ? -a : a;
    *cosine = (quadrant == 1 || quadrant == 2) ? -b : b;
}

// Angle of the point (x, y) in (-pi, pi]; 0 for the origin. Absolute error below 4e-7, relative
// error below 3e-7 for angles in (0, pi/8). Arguments are finite.
static inline float trig_atan2(float y, float x)
{
    float ax = absolute(x), ay = absolute(y);
    float large = maximum(ax, ay), small = minimum(ax, ay);
    if (large == 0.0f)
        return 0.0f;
    float t = small / large; // in [0, 1]
    float base = 0.0f;
    if (t > 0.414213562f) { // tan(pi/8): fold onto [-tan(pi/8), 0]
        t = (small - large) / (small + large);
        base = 0.785398163f;
    }
    float t2 = t * t;
    float angle =
        base +
        (t + t * t2 *
                 (-0.333329528f + t2 * (0.199778224f + t2 * (-0.138786274f + t2 * 0.0805605221f))));
    if (ay > ax)
        angle = TRIG_HALF_PI - angle;
    if (x < 0.0f)
        angle = TRIG_PI - angle;
    return y < 0.0f ? -angle : angle;
}

// e^x. Relative error below 3e-7 for x in [-87, 87]; 0 below -87 and e^87 above 87.
static inline float trig_exp(float x)
{
    if (!(x >= -87.0f))
        return 0.0f;
    x = minimum(x, 87.0f);
    float scaled = x * 1.44269504f;
    int32_t k = (int32_t)(scaled + (scaled < 0.0f ? -0.5f : 0.5f));
    // ln 2 as two floats; the product of k with the first is exact.
    float r = (x - (float)k * 0.693359375f) - (float)k * -2.12194440e-4f;
    float p =
        1.0f + (r + r * r *
                        (0.499999934f +
                         r * (0.166665203f +
                              r * (0.0416683925f + r * (0.00836876274f + r * 0.00138145036f)))));
    return p * bits_float((uint32_t)(k + 127) << 23);
}

// 1 - e^-x for x >= 0. Relative error below 1e-5, also where x is small and the difference would
// cancel.
static inline float trig_one_minus_exp(float x)
{
    return x < 0.01f ? x * (1.0f - x * (0.5f - x * (1.0f / 6.0f))) : 1.0f - trig_exp(-x);
}

// Natural logarithm. Error below 3e-7 (absolute for x in [0.5, 2], else relative), x normal and > 0;
// other arguments return -87.
static inline float trig_log(float x)
{
    if (!(x >= 1.17549435e-38f) || !is_finite(x))
        return -87.0f;
    uint32_t bits = float_bits(x);
    int32_t k = (int32_t)(bits >> 23) - 127;
    float m = bits_float((bits & 0x007fffffu) | 0x3f800000u); // in [1, 2)
    if (m > 1.41421356f) {
        m *= 0.5f;
        k += 1;
    }
    // ln m = 2 atanh(s) with s = (m - 1) / (m + 1), |s| < 0.172
    float s = (m - 1.0f) / (m + 1.0f);
    float s2 = s * s;
    float series = 2.0f * s + s * s2 * (0.666667770f + s2 * (0.399774610f + s2 * 0.298740851f));
    return (float)k * 0.693359375f + ((float)k * -2.12194440e-4f + series);
}

#endif
