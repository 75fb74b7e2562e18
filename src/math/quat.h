// Rotations as unit quaternions, and their exponential and logarithmic maps.

#ifndef PLIANT_MATH_QUAT_H
#define PLIANT_MATH_QUAT_H

#include "mat3.h"
#include "trig.h"

typedef pliant_quat quat;

static inline quat quat_identity(void)
{
    return (quat){0, 0, 0, 1};
}

static inline quat quat_conjugate(quat q)
{
    return (quat){-q.x, -q.y, -q.z, q.w};
}

// First b, then a.
static inline quat quat_mul(quat a, quat b)
{
    return (quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                  a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                  a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                  a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static inline float quat_dot(quat a, quat b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

static inline quat quat_scale(quat q, float s)
{
    return (quat){q.x * s, q.y * s, q.z * s, q.w * s};
}

// q is not zero.
static inline quat quat_normalize(quat q)
{
    return quat_scale(q, 1.0f / square_root(quat_dot(q, q)));
}

static inline int quat_is_finite(quat q)
{
    return is_finite(q.x) && is_finite(q.y) && is_finite(q.z) && is_finite(q.w);
}

// v + 2 w (u × v) + 2 u × (u × v) with u the vector part
static inline vec3 quat_rotate(quat q, vec3 v)
{
    vec3 u = {q.x, q.y, q.z};
    vec3 t = vec3_scale(vec3_cross(u, v), 2.0f);
    return vec3_add(vec3_add_scaled(v, t, q.w), vec3_cross(u, t));
}

// The rotation that takes the coordinate axes to three unit vectors, right-handed and perpendicular.
// The component that is largest is found from its square, the others from it.
static inline quat quat_from_axes(vec3 x, vec3 y, vec3 z)
{
    quat q;
    float trace = x.x + y.y + z.z;
    if (trace > 0.0f)
        q = (quat){y.z - z.y, z.x - x.z, x.y - y.x, 1.0f + trace};
    else if (x.x >= y.y && x.x >= z.z)
        q = (quat){1.0f + x.x - y.y - z.z, x.y + y.x, z.x + x.z, y.z - z.y};
    else if (y.y >= z.z)
        q = (quat){x.y + y.x, 1.0f - x.x + y.y - z.z, y.z + z.y, z.x - x.z};
    else
        q = (quat){z.x + x.z, y.z + z.y, 1.0f - x.x - y.y + z.z, x.y - y.x};
    return quat_normalize(q);
}

static inline mat3 quat_to_mat3(quat q)
{
    float x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    float xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
    float xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
    float wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    return (mat3){{{1.0f - (yy + zz), xy - wz, xz + wy},
                   {xy + wz, 1.0f - (xx + zz), yz - wx},
                   {xz - wy, yz + wx, 1.0f - (xx + yy)}}};
}

// R(q) a R(q)ᵀ
static inline sym3 sym3_rotate(sym3 a, quat q)
{
    mat3 R = quat_to_mat3(q);
    mat3 Ra = mat3_mul_sym3(&R, a);
    vec3 r0 = mat3_row(&R, 0), r1 = mat3_row(&R, 1), r2 = mat3_row(&R, 2);
    vec3 a0 = mat3_row(&Ra, 0), a1 = mat3_row(&Ra, 1), a2 = mat3_row(&Ra, 2);
    return (sym3){vec3_dot(a0, r0), vec3_dot(a0, r1), vec3_dot(a0, r2),
                  vec3_dot(a1, r1), vec3_dot(a1, r2), vec3_dot(a2, r2)};
}

// The rotation by |v| radians about v. The series below 0.1 rad keeps full float32 accuracy.
static inline quat quat_exp(vec3 v)
{
    float angle2 = vec3_dot(v, v);
    float s, c;
    if (angle2 < 0.01f) {
        s = 0.5f - angle2 * (1.0f / 48.0f);
        c = 1.0f - angle2 * 0.125f + angle2 * angle2 * (1.0f / 384.0f);
    } else {
        float angle = square_root(angle2);
        trig_sin_cos(0.5f * angle, &s, &c);
        s = s / angle;
    }
    return (quat){v.x * s, v.y * s, v.z * s, c};
}

// The rotation vector of q along the shorter arc, |result| <= pi. The arc tangent form is accurate
// to 2e-7 rad at every angle, where the arc cosine loses half the digits near zero.
static inline vec3 quat_log(quat q)
{
    if (q.w < 0.0f)
        q = quat_scale(q, -1.0f);
    vec3 u = {q.x, q.y, q.z};
    float length = vec3_length(u);
    float k;
    if (length < 0.02f) {
        float t = length / q.w;
        k = (2.0f / q.w) * (1.0f - t * t * (1.0f / 3.0f));
    } else {
        k = 2.0f * trig_atan2(length, q.w) / length;
    }
    return vec3_scale(u, k);
}

// Rotates q by the rotation vector v in world axes.
static inline quat quat_turn(quat q, vec3 v)
{
    return quat_normalize(quat_mul(quat_exp(v), q));
}

// The rotation vector that takes `from` to `to`, along the shorter arc.
static inline vec3 quat_difference(quat to, quat from)
{
    return quat_log(quat_mul(to, quat_conjugate(from)));
}

// Between two rotations that are near each other: straight, then normalised. Their signs may differ.
static inline quat quat_blend(quat a, quat b, float t)
{
    float toward = quat_dot(a, b) < 0.0f ? -t : t, from = 1.0f - t;
    return quat_normalize((quat){from * a.x + toward * b.x, from * a.y + toward * b.y,
                                 from * a.z + toward * b.z, from * a.w + toward * b.w});
}

static inline quat quat_slerp(quat from, quat to, float s)
{
    return quat_turn(from, vec3_scale(quat_difference(to, from), s));
}

#endif
