// Vectors, rotations, matrices and poses: what the library computes with itself, inline.
//
// Two macros, defined before this header is first included, choose what it gives:
//   PLIANT_SAME_BITS    all that follows in the source is compiled without fused multiply-add, so that it gives the same bits
//                       with every compiler and on every machine, as the library does.
//   PLIANT_SHORT_NAMES  the same by short names: vec3, vec3_add, quat_rotate, … for pliant_vec3, pliant_vec3_add, …

#ifndef PLIANT_MATH_H
#define PLIANT_MATH_H

#include "base.h"

#include <float.h>
#include <string.h>

#ifdef PLIANT_SAME_BITS
#if FLT_EVAL_METHOD != 0 && defined(__i386__)
#error "Pliant promises bit-identical results: compile with -msse2 -mfpmath=sse"
#elif FLT_EVAL_METHOD != 0
#error "Pliant promises bit-identical results: float arithmetic must round to float"
#endif
#ifdef __FAST_MATH__
#error "Pliant promises bit-identical results: compile without -ffast-math"
#endif
// GCC does not know the standard's pragma. Its vectorisers, of straight lines and of loops, fuse alternating additions and
// subtractions even without contraction (vfmaddsub, seen with GCC 12).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("-ffp-contract=off", "-fno-tree-slp-vectorize", "-fno-tree-loop-vectorize")
#else
#pragma STDC FP_CONTRACT OFF
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

// (type){…} in C, type{…} in C++.
#ifdef __cplusplus
#define PLIANT_LITERAL(type) type
#else
#define PLIANT_LITERAL(type) (type)
#endif

// ---------------------------------------------------------------------------------------------
// Numbers

static inline uint32_t pliant_float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float pliant_bits_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// Correctly rounded on every target, for value >= 0. One instruction under -fno-math-errno; without that option a program
// may have to be linked to libm.
static inline float pliant_square_root(float value)
{
    return __builtin_sqrtf(value);
}

static inline float pliant_absolute(float value)
{
    return pliant_bits_float(pliant_float_bits(value) & 0x7fffffffu);
}

static inline float pliant_minimum(float a, float b)
{
    return a < b ? a : b;
}

static inline float pliant_maximum(float a, float b)
{
    return a > b ? a : b;
}

// False for infinities and NaN. Works on bits, so that no optimisation can reason it away.
static inline bool pliant_is_finite(float value)
{
    return (pliant_float_bits(value) & 0x7f800000u) != 0x7f800000u;
}

// ---------------------------------------------------------------------------------------------
// Sine, cosine, arc tangent, exponential and logarithm. The C library's differ between platforms in the last bits, these do
// not. Each states its largest error against exact values over its range. The polynomials are minimax fits (Remez exchange)
// of the degree that float32 can use.

#define PLIANT_PI      3.14159265358979f
#define PLIANT_HALF_PI 1.57079632679490f

// Sine and cosine of x together. |x| <= 1000: absolute error below 1.2e-7. Beyond that the
// range reduction loses accuracy but stays in [-1, 1] up to 1e6; larger values and NaN return those
// of 0, for a caller whose angle is that large has lost it already.
static inline void pliant_sin_cos(float x, float *sine, float *cosine)
{
    if (!(pliant_absolute(x) <= 1e6f))
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
static inline float pliant_atan2(float y, float x)
{
    float ax = pliant_absolute(x), ay = pliant_absolute(y);
    float large = pliant_maximum(ax, ay), small = pliant_minimum(ax, ay);
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
        angle = PLIANT_HALF_PI - angle;
    if (x < 0.0f)
        angle = PLIANT_PI - angle;
    return y < 0.0f ? -angle : angle;
}

// e^x. Relative error below 3e-7 for x in [-87, 87]; 0 below -87 and e^87 above 87.
static inline float pliant_exp(float x)
{
    if (!(x >= -87.0f))
        return 0.0f;
    x = pliant_minimum(x, 87.0f);
    float scaled = x * 1.44269504f;
    int32_t k = (int32_t)(scaled + (scaled < 0.0f ? -0.5f : 0.5f));
    // ln 2 as two floats; the product of k with the first is exact.
    float r = (x - (float)k * 0.693359375f) - (float)k * -2.12194440e-4f;
    float p =
        1.0f + (r + r * r *
                        (0.499999934f +
                         r * (0.166665203f +
                              r * (0.0416683925f + r * (0.00836876274f + r * 0.00138145036f)))));
    return p * pliant_bits_float((uint32_t)(k + 127) << 23);
}

// Natural logarithm. Error below 3e-7 (pliant_absolute for x in [0.5, 2], else relative), x normal and > 0;
// other arguments return -87.
static inline float pliant_log(float x)
{
    if (!(x >= 1.17549435e-38f) || !pliant_is_finite(x))
        return -87.0f;
    uint32_t bits = pliant_float_bits(x);
    int32_t k = (int32_t)(bits >> 23) - 127;
    float m = pliant_bits_float((bits & 0x007fffffu) | 0x3f800000u); // in [1, 2)
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

// ---------------------------------------------------------------------------------------------
// Vectors

static inline pliant_vec3 pliant_vec3_add(pliant_vec3 a, pliant_vec3 b)
{
    return PLIANT_LITERAL(pliant_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline pliant_vec3 pliant_vec3_sub(pliant_vec3 a, pliant_vec3 b)
{
    return PLIANT_LITERAL(pliant_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline pliant_vec3 pliant_vec3_scale(pliant_vec3 a, float s)
{
    return PLIANT_LITERAL(pliant_vec3){a.x * s, a.y * s, a.z * s};
}

static inline pliant_vec3 pliant_vec3_negate(pliant_vec3 a)
{
    return PLIANT_LITERAL(pliant_vec3){-a.x, -a.y, -a.z};
}

// a + s b
static inline pliant_vec3 pliant_vec3_add_scaled(pliant_vec3 a, pliant_vec3 b, float s)
{
    return PLIANT_LITERAL(pliant_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline float pliant_vec3_dot(pliant_vec3 a, pliant_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline pliant_vec3 pliant_vec3_cross(pliant_vec3 a, pliant_vec3 b)
{
    return PLIANT_LITERAL(pliant_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
                                       a.x * b.y - a.y * b.x};
}

static inline float pliant_vec3_length(pliant_vec3 a)
{
    return pliant_square_root(pliant_vec3_dot(a, a));
}

// Unit length, or `otherwise` when a is too short to have a direction.
static inline pliant_vec3 pliant_vec3_normalize_or(pliant_vec3 a, pliant_vec3 otherwise)
{
    float length = pliant_vec3_length(a);
    return length > 1e-12f ? pliant_vec3_scale(a, 1.0f / length) : otherwise;
}

// ---------------------------------------------------------------------------------------------
// Matrices of three rows and columns, row major

typedef struct pliant_mat3 {
    float m[3][3];
} pliant_mat3;

static inline pliant_mat3 pliant_mat3_identity(void)
{
    return PLIANT_LITERAL(pliant_mat3){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}

static inline pliant_vec3 pliant_mat3_row(const pliant_mat3 *a, int row)
{
    return PLIANT_LITERAL(pliant_vec3){a->m[row][0], a->m[row][1], a->m[row][2]};
}

static inline pliant_mat3 pliant_mat3_add(pliant_mat3 a, pliant_mat3 b)
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            a.m[i][j] += b.m[i][j];
    return a;
}

static inline pliant_mat3 pliant_mat3_scale(pliant_mat3 a, float s)
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            a.m[i][j] *= s;
    return a;
}

// a += u vᵀ
static inline void pliant_mat3_add_outer(pliant_mat3 *a, pliant_vec3 u, pliant_vec3 v)
{
    a->m[0][0] += u.x * v.x;
    a->m[0][1] += u.x * v.y;
    a->m[0][2] += u.x * v.z;
    a->m[1][0] += u.y * v.x;
    a->m[1][1] += u.y * v.y;
    a->m[1][2] += u.y * v.z;
    a->m[2][0] += u.z * v.x;
    a->m[2][1] += u.z * v.y;
    a->m[2][2] += u.z * v.z;
}

static inline pliant_mat3 pliant_mat3_transpose(pliant_mat3 a)
{
    return PLIANT_LITERAL(pliant_mat3){{{a.m[0][0], a.m[1][0], a.m[2][0]},
                                        {a.m[0][1], a.m[1][1], a.m[2][1]},
                                        {a.m[0][2], a.m[1][2], a.m[2][2]}}};
}

static inline pliant_mat3 pliant_mat3_mul(pliant_mat3 a, pliant_mat3 b)
{
    pliant_mat3 r;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            r.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j];
    return r;
}

// aᵀ b
static inline pliant_mat3 pliant_mat3_transpose_mul(pliant_mat3 a, pliant_mat3 b)
{
    pliant_mat3 r;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            r.m[i][j] = a.m[0][i] * b.m[0][j] + a.m[1][i] * b.m[1][j] + a.m[2][i] * b.m[2][j];
    return r;
}

// a bᵀ
static inline pliant_mat3 pliant_mat3_mul_transpose(pliant_mat3 a, pliant_mat3 b)
{
    pliant_mat3 r;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            r.m[i][j] = a.m[i][0] * b.m[j][0] + a.m[i][1] * b.m[j][1] + a.m[i][2] * b.m[j][2];
    return r;
}

static inline pliant_vec3 pliant_mat3_mul_vec(const pliant_mat3 *a, pliant_vec3 v)
{
    return PLIANT_LITERAL(pliant_vec3){a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
                                       a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
                                       a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z};
}

// aᵀ v
static inline pliant_vec3 pliant_mat3_transpose_mul_vec(const pliant_mat3 *a, pliant_vec3 v)
{
    return PLIANT_LITERAL(pliant_vec3){a->m[0][0] * v.x + a->m[1][0] * v.y + a->m[2][0] * v.z,
                                       a->m[0][1] * v.x + a->m[1][1] * v.y + a->m[2][1] * v.z,
                                       a->m[0][2] * v.x + a->m[1][2] * v.y + a->m[2][2] * v.z};
}

static inline float pliant_mat3_trace(const pliant_mat3 *a)
{
    return a->m[0][0] + a->m[1][1] + a->m[2][2];
}

static inline float pliant_mat3_determinant(const pliant_mat3 *a)
{
    return pliant_vec3_dot(pliant_mat3_row(a, 0),
                           pliant_vec3_cross(pliant_mat3_row(a, 1), pliant_mat3_row(a, 2)));
}

// ---------------------------------------------------------------------------------------------
// Rotations as unit quaternions, and their exponential and logarithmic maps

static inline pliant_quat pliant_quat_identity(void)
{
    return PLIANT_LITERAL(pliant_quat){0, 0, 0, 1};
}

static inline pliant_quat pliant_quat_conjugate(pliant_quat q)
{
    return PLIANT_LITERAL(pliant_quat){-q.x, -q.y, -q.z, q.w};
}

// First b, then a.
static inline pliant_quat pliant_quat_mul(pliant_quat a, pliant_quat b)
{
    return PLIANT_LITERAL(pliant_quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                                       a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                                       a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                                       a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static inline float pliant_quat_dot(pliant_quat a, pliant_quat b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

static inline pliant_quat pliant_quat_scale(pliant_quat q, float s)
{
    return PLIANT_LITERAL(pliant_quat){q.x * s, q.y * s, q.z * s, q.w * s};
}

// q is not zero.
static inline pliant_quat pliant_quat_normalize(pliant_quat q)
{
    return pliant_quat_scale(q, 1.0f / pliant_square_root(pliant_quat_dot(q, q)));
}

// v + 2 w (u × v) + 2 u × (u × v) with u the vector part
static inline pliant_vec3 pliant_quat_rotate(pliant_quat q, pliant_vec3 v)
{
    pliant_vec3 u = {q.x, q.y, q.z};
    pliant_vec3 t = pliant_vec3_scale(pliant_vec3_cross(u, v), 2.0f);
    return pliant_vec3_add(pliant_vec3_add_scaled(v, t, q.w), pliant_vec3_cross(u, t));
}

// The rotation that takes the coordinate axes to three unit vectors, right-handed and perpendicular.
// The component that is largest is found from its square, the others from it.
static inline pliant_quat pliant_quat_from_axes(pliant_vec3 x, pliant_vec3 y, pliant_vec3 z)
{
    pliant_quat q;
    float trace = x.x + y.y + z.z;
    if (trace > 0.0f)
        q = PLIANT_LITERAL(pliant_quat){y.z - z.y, z.x - x.z, x.y - y.x, 1.0f + trace};
    else if (x.x >= y.y && x.x >= z.z)
        q = PLIANT_LITERAL(pliant_quat){1.0f + x.x - y.y - z.z, x.y + y.x, z.x + x.z, y.z - z.y};
    else if (y.y >= z.z)
        q = PLIANT_LITERAL(pliant_quat){x.y + y.x, 1.0f - x.x + y.y - z.z, y.z + z.y, z.x - x.z};
    else
        q = PLIANT_LITERAL(pliant_quat){z.x + x.z, y.z + z.y, 1.0f - x.x - y.y + z.z, x.y - y.x};
    return pliant_quat_normalize(q);
}

static inline pliant_mat3 pliant_quat_to_mat3(pliant_quat q)
{
    float x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    float xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
    float xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
    float wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    return PLIANT_LITERAL(pliant_mat3){{{1.0f - (yy + zz), xy - wz, xz + wy},
                                        {xy + wz, 1.0f - (xx + zz), yz - wx},
                                        {xz - wy, yz + wx, 1.0f - (xx + yy)}}};
}

// The rotation by |v| radians about v. The series below 0.1 rad keeps full float32 accuracy.
static inline pliant_quat pliant_quat_exp(pliant_vec3 v)
{
    float angle2 = pliant_vec3_dot(v, v);
    float s, c;
    if (angle2 < 0.01f) {
        s = 0.5f - angle2 * (1.0f / 48.0f);
        c = 1.0f - angle2 * 0.125f + angle2 * angle2 * (1.0f / 384.0f);
    } else {
        float angle = pliant_square_root(angle2);
        pliant_sin_cos(0.5f * angle, &s, &c);
        s = s / angle;
    }
    return PLIANT_LITERAL(pliant_quat){v.x * s, v.y * s, v.z * s, c};
}

// The rotation vector of q along the shorter arc, |result| <= pi. The arc tangent form is accurate
// to 2e-7 rad at every angle, where the arc cosine loses half the digits near zero.
static inline pliant_vec3 pliant_quat_log(pliant_quat q)
{
    if (q.w < 0.0f)
        q = pliant_quat_scale(q, -1.0f);
    pliant_vec3 u = {q.x, q.y, q.z};
    float length = pliant_vec3_length(u);
    float k;
    if (length < 0.02f) {
        float t = length / q.w;
        k = (2.0f / q.w) * (1.0f - t * t * (1.0f / 3.0f));
    } else {
        k = 2.0f * pliant_atan2(length, q.w) / length;
    }
    return pliant_vec3_scale(u, k);
}

// Rotates q by the rotation vector v in world axes.
static inline pliant_quat pliant_quat_turn(pliant_quat q, pliant_vec3 v)
{
    return pliant_quat_normalize(pliant_quat_mul(pliant_quat_exp(v), q));
}

// The rotation vector that takes `from` to `to`, along the shorter arc.
static inline pliant_vec3 pliant_quat_difference(pliant_quat to, pliant_quat from)
{
    return pliant_quat_log(pliant_quat_mul(to, pliant_quat_conjugate(from)));
}

// Between two rotations that are near each other: straight, then normalised. Their signs may differ.
static inline pliant_quat pliant_quat_blend(pliant_quat a, pliant_quat b, float t)
{
    float toward = pliant_quat_dot(a, b) < 0.0f ? -t : t, from = 1.0f - t;
    return pliant_quat_normalize(
        PLIANT_LITERAL(pliant_quat){from * a.x + toward * b.x, from * a.y + toward * b.y,
                                    from * a.z + toward * b.z, from * a.w + toward * b.w});
}

static inline pliant_quat pliant_quat_slerp(pliant_quat from, pliant_quat to, float s)
{
    return pliant_quat_turn(from, pliant_vec3_scale(pliant_quat_difference(to, from), s));
}

// The rotation by `angle` radians about a unit vector.
static inline pliant_quat pliant_quat_about(pliant_vec3 axis, float angle)
{
    return pliant_quat_exp(pliant_vec3_scale(axis, angle));
}

// ---------------------------------------------------------------------------------------------
// Poses: x_world = position + orientation x_body

static inline pliant_pose pliant_pose_identity(void)
{
    return PLIANT_LITERAL(pliant_pose){{0, 0, 0}, {0, 0, 0, 1}};
}

// First b, then a.
static inline pliant_pose pliant_pose_mul(pliant_pose a, pliant_pose b)
{
    pliant_vec3 way = pliant_quat_rotate(a.orientation, b.position);
    return PLIANT_LITERAL(pliant_pose){
        pliant_vec3_add(a.position, way),
        pliant_quat_normalize(pliant_quat_mul(a.orientation, b.orientation))};
}

static inline pliant_pose pliant_pose_inverse(pliant_pose a)
{
    pliant_quat back = pliant_quat_conjugate(a.orientation);
    return PLIANT_LITERAL(pliant_pose){pliant_vec3_negate(pliant_quat_rotate(back, a.position)),
                                       back};
}

// Where a point of the body is in the world.
static inline pliant_vec3 pliant_pose_point(pliant_pose a, pliant_vec3 point)
{
    return pliant_vec3_add(a.position, pliant_quat_rotate(a.orientation, point));
}

#ifdef __cplusplus
}
#endif

#ifdef PLIANT_SHORT_NAMES
typedef pliant_vec3 vec3;
typedef pliant_quat quat;
typedef pliant_mat3 mat3;
#define float_bits(...)        pliant_float_bits(__VA_ARGS__)
#define bits_float(...)        pliant_bits_float(__VA_ARGS__)
#define square_root(...)       pliant_square_root(__VA_ARGS__)
#define absolute(...)          pliant_absolute(__VA_ARGS__)
#define minimum(...)           pliant_minimum(__VA_ARGS__)
#define maximum(...)           pliant_maximum(__VA_ARGS__)
#define is_finite(...)         pliant_is_finite(__VA_ARGS__)
#define vec3_add               pliant_vec3_add
#define vec3_sub               pliant_vec3_sub
#define vec3_scale             pliant_vec3_scale
#define vec3_negate            pliant_vec3_negate
#define vec3_add_scaled        pliant_vec3_add_scaled
#define vec3_dot               pliant_vec3_dot
#define vec3_cross             pliant_vec3_cross
#define vec3_length            pliant_vec3_length
#define vec3_normalize_or      pliant_vec3_normalize_or
#define mat3_identity          pliant_mat3_identity
#define mat3_row               pliant_mat3_row
#define mat3_add               pliant_mat3_add
#define mat3_scale             pliant_mat3_scale
#define mat3_add_outer         pliant_mat3_add_outer
#define mat3_transpose         pliant_mat3_transpose
#define mat3_mul               pliant_mat3_mul
#define mat3_transpose_mul     pliant_mat3_transpose_mul
#define mat3_mul_transpose     pliant_mat3_mul_transpose
#define mat3_mul_vec           pliant_mat3_mul_vec
#define mat3_transpose_mul_vec pliant_mat3_transpose_mul_vec
#define mat3_trace             pliant_mat3_trace
#define mat3_determinant       pliant_mat3_determinant
#define quat_identity          pliant_quat_identity
#define quat_conjugate         pliant_quat_conjugate
#define quat_mul               pliant_quat_mul
#define quat_dot               pliant_quat_dot
#define quat_scale             pliant_quat_scale
#define quat_normalize         pliant_quat_normalize
#define quat_rotate            pliant_quat_rotate
#define quat_from_axes         pliant_quat_from_axes
#define quat_to_mat3           pliant_quat_to_mat3
#define quat_exp               pliant_quat_exp
#define quat_log               pliant_quat_log
#define quat_turn              pliant_quat_turn
#define quat_difference        pliant_quat_difference
#define quat_blend             pliant_quat_blend
#define quat_slerp             pliant_quat_slerp
#define trig_sin_cos           pliant_sin_cos
#define trig_atan2             pliant_atan2
#define trig_exp               pliant_exp
#define trig_log               pliant_log
#define quat_about             pliant_quat_about
#define pose_identity          pliant_pose_identity
#define pose_mul               pliant_pose_mul
#define pose_inverse           pliant_pose_inverse
#define pose_point             pliant_pose_point
#endif

#endif
