// Several vectors, quaternions and matrices at once: vec3.h, quat.h and mat3.h lane by lane.
//
// Each function does what its namesake there does in the same order, so that every lane gets the same bits.

#ifndef PLIANT_MATH_WIDE3_H
#define PLIANT_MATH_WIDE3_H

#include "quat.h"
#include "wide.h"

typedef struct wide_vec3 {
    wide x, y, z;
} wide_vec3;

typedef struct wide_quat {
    wide x, y, z, w;
} wide_quat;

typedef struct wide_mat3 {
    wide m[3][3];
} wide_mat3;

typedef struct wide_sym3 {
    wide xx, xy, xz, yy, yz, zz;
} wide_sym3;

WIDE_INLINE wide_vec3 wide_vec3_all(vec3 v)
{
    return (wide_vec3){wide_all(v.x), wide_all(v.y), wide_all(v.z)};
}

WIDE_INLINE vec3 wide_vec3_lane(const wide_vec3 *v, int lane)
{
    return (vec3){v->x[lane], v->y[lane], v->z[lane]};
}

WIDE_INLINE wide_vec3 wide_vec3_add(wide_vec3 a, wide_vec3 b)
{
    return (wide_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

WIDE_INLINE wide_vec3 wide_vec3_sub(wide_vec3 a, wide_vec3 b)
{
    return (wide_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

WIDE_INLINE wide_vec3 wide_vec3_scale(wide_vec3 a, wide s)
{
    return (wide_vec3){a.x * s, a.y * s, a.z * s};
}

// a + s b
WIDE_INLINE wide_vec3 wide_vec3_add_scaled(wide_vec3 a, wide_vec3 b, wide s)
{
    return (wide_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

WIDE_INLINE wide wide_vec3_dot(wide_vec3 a, wide_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

WIDE_INLINE wide_vec3 wide_vec3_cross(wide_vec3 a, wide_vec3 b)
{
    return (wide_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

WIDE_INLINE wide wide_vec3_length(wide_vec3 a)
{
    return wide_square_root(wide_vec3_dot(a, a));
}

WIDE_INLINE wide_vec3 wide_vec3_select(wide_mask mask, wide_vec3 yes, wide_vec3 no)
{
    return (wide_vec3){wide_select(mask, yes.x, no.x), wide_select(mask, yes.y, no.y),
                       wide_select(mask, yes.z, no.z)};
}

// Vectors of 16 or 12 bytes each, by index; *fourth gets what follows each and may be NULL. What follows 12 bytes is the
// next one's, is read and not used: of arrays into which nobody writes meanwhile.
WIDE_INLINE wide_vec3 wide_vec3_gather(const void *from, const int32_t *index, size_t stride,
                                       wide *fourth)
{
    wide parts[4];
    wide_gather_quads(from, index, stride, parts);
    if (fourth)
        *fourth = parts[3];
    return (wide_vec3){parts[0], parts[1], parts[2]};
}

// Of an array into which others may be writing, elsewhere.
WIDE_INLINE wide_vec3 wide_vec3_gather_shared(const vec3 *from, const int32_t *index)
{
    wide parts[3];
    wide_gather_triples(from, index, sizeof *from, parts);
    return (wide_vec3){parts[0], parts[1], parts[2]};
}

// Lane i stands for element i of an array; lanes from `count` on repeat the last one.
WIDE_INLINE void wide_indices(int count, int32_t index[WIDE])
{
    for (int i = 0; i < WIDE; ++i)
        index[i] = i < count ? i : count - 1;
}

static const int32_t WIDE_FIRST[8] = {0, 1, 2, 3, 4, 5, 6, 7};

// The first `count` (1 … WIDE) vectors of an array.
WIDE_INLINE wide_vec3 wide_vec3_load(const vec3 *from, int count)
{
    if (count == WIDE) {
        wide_vec3 v;
        wide_load_triples(&from->x, &v.x, &v.y, &v.z);
        return v;
    }
    int32_t index[WIDE];
    wide_indices(count, index);
    return wide_vec3_gather_shared(from, index);
}

WIDE_INLINE void wide_vec3_store(vec3 *to, wide_vec3 v, int count)
{
    if (count == WIDE) {
        wide_store_triples(&to->x, v.x, v.y, v.z);
        return;
    }
    vec3 each[WIDE];
    wide_store_triples(&each->x, v.x, v.y, v.z);
    memcpy(to, each, (size_t)count * sizeof *to);
}

// ---------------------------------------------------------------------------------------------

WIDE_INLINE wide_quat wide_quat_gather(const quat *from, const int32_t *index)
{
    wide parts[4];
    wide_gather_quads(from, index, sizeof *from, parts);
    return (wide_quat){parts[0], parts[1], parts[2], parts[3]};
}

WIDE_INLINE wide_quat wide_quat_load(const quat *from, int count)
{
    if (count == WIDE)
        return wide_quat_gather(from, WIDE_FIRST);
    int32_t index[WIDE];
    wide_indices(count, index);
    return wide_quat_gather(from, index);
}

WIDE_INLINE void wide_quat_scatter(quat *to, const int32_t *index, wide_quat q)
{
    const wide parts[4] = {q.x, q.y, q.z, q.w};
    wide_scatter_quads(to, index, sizeof *to, parts);
}

WIDE_INLINE wide_quat wide_quat_select(wide_mask mask, wide_quat yes, wide_quat no)
{
    return (wide_quat){wide_select(mask, yes.x, no.x), wide_select(mask, yes.y, no.y),
                       wide_select(mask, yes.z, no.z), wide_select(mask, yes.w, no.w)};
}

WIDE_INLINE wide_quat wide_quat_conjugate(wide_quat q)
{
    return (wide_quat){-q.x, -q.y, -q.z, q.w};
}

WIDE_INLINE wide_quat wide_quat_mul(wide_quat a, wide_quat b)
{
    return (wide_quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                       a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                       a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                       a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

WIDE_INLINE wide wide_quat_dot(wide_quat a, wide_quat b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

WIDE_INLINE wide_quat wide_quat_scale(wide_quat q, wide s)
{
    return (wide_quat){q.x * s, q.y * s, q.z * s, q.w * s};
}

WIDE_INLINE wide_quat wide_quat_normalize(wide_quat q)
{
    return wide_quat_scale(q, wide_all(1.0f) / wide_square_root(wide_quat_dot(q, q)));
}

WIDE_INLINE wide_vec3 wide_quat_rotate(wide_quat q, wide_vec3 v)
{
    wide_vec3 u = {q.x, q.y, q.z};
    wide_vec3 t = wide_vec3_scale(wide_vec3_cross(u, v), wide_all(2.0f));
    return wide_vec3_add(wide_vec3_add_scaled(v, t, q.w), wide_vec3_cross(u, t));
}

// Of a quaternion of any length, with scale = 2 / |q|².
WIDE_INLINE wide_mat3 wide_quat_to_scaled_mat3(wide_quat q, wide scale)
{
    const wide one = wide_all(1.0f);
    wide x2 = q.x * scale, y2 = q.y * scale, z2 = q.z * scale;
    wide xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
    wide xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
    wide wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    return (wide_mat3){{{one - (yy + zz), xy - wz, xz + wy},
                        {xy + wz, one - (xx + zz), yz - wx},
                        {xz - wy, yz + wx, one - (xx + yy)}}};
}

// Twice a number is exact, so that this is quat_to_mat3 to the bit.
WIDE_INLINE wide_mat3 wide_quat_to_mat3(wide_quat q)
{
    return wide_quat_to_scaled_mat3(q, wide_all(2.0f));
}

// ---------------------------------------------------------------------------------------------

WIDE_INLINE wide_vec3 wide_mat3_row(const wide_mat3 *a, int row)
{
    return (wide_vec3){a->m[row][0], a->m[row][1], a->m[row][2]};
}

WIDE_INLINE void wide_mat3_add_outer(wide_mat3 *a, wide_vec3 u, wide_vec3 v)
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

WIDE_INLINE wide_mat3 wide_mat3_scale(wide_mat3 a, wide s)
{
    WIDE_UNROLL
    for (int i = 0; i < 3; ++i)
        WIDE_UNROLL
    for (int j = 0; j < 3; ++j)
        a.m[i][j] *= s;
    return a;
}

WIDE_INLINE wide_mat3 wide_mat3_select(wide_mask mask, wide_mat3 yes, wide_mat3 no)
{
    WIDE_UNROLL
    for (int i = 0; i < 3; ++i)
        WIDE_UNROLL
    for (int j = 0; j < 3; ++j)
        no.m[i][j] = wide_select(mask, yes.m[i][j], no.m[i][j]);
    return no;
}

WIDE_INLINE wide_mat3 wide_mat3_add(const wide_mat3 *a, const wide_mat3 *b)
{
    wide_mat3 r;
    WIDE_UNROLL
    for (int i = 0; i < 3; ++i)
        WIDE_UNROLL
    for (int j = 0; j < 3; ++j)
        r.m[i][j] = a->m[i][j] + b->m[i][j];
    return r;
}

WIDE_INLINE wide_mat3 wide_mat3_sub(const wide_mat3 *a, const wide_mat3 *b)
{
    wide_mat3 r;
    WIDE_UNROLL
    for (int i = 0; i < 3; ++i)
        WIDE_UNROLL
    for (int j = 0; j < 3; ++j)
        r.m[i][j] = a->m[i][j] - b->m[i][j];
    return r;
}

// a b
WIDE_INLINE wide_mat3 wide_mat3_mul(const wide_mat3 *a, const wide_mat3 *b)
{
    wide_mat3 r;
    WIDE_UNROLL
    for (int i = 0; i < 3; ++i)
        WIDE_UNROLL
    for (int j = 0; j < 3; ++j)
        r.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
    return r;
}

// aᵀ b
WIDE_INLINE wide_mat3 wide_mat3_transpose_mul(const wide_mat3 *a, const wide_mat3 *b)
{
    wide_mat3 r;
    WIDE_UNROLL
    for (int i = 0; i < 3; ++i)
        WIDE_UNROLL
    for (int j = 0; j < 3; ++j)
        r.m[i][j] = a->m[0][i] * b->m[0][j] + a->m[1][i] * b->m[1][j] + a->m[2][i] * b->m[2][j];
    return r;
}

// a bᵀ
WIDE_INLINE wide_mat3 wide_mat3_mul_transpose(const wide_mat3 *a, const wide_mat3 *b)
{
    wide_mat3 r;
    WIDE_UNROLL
    for (int i = 0; i < 3; ++i)
        WIDE_UNROLL
    for (int j = 0; j < 3; ++j)
        r.m[i][j] = a->m[i][0] * b->m[j][0] + a->m[i][1] * b->m[j][1] + a->m[i][2] * b->m[j][2];
    return r;
}

WIDE_INLINE wide_vec3 wide_mat3_mul_vec(const wide_mat3 *a, wide_vec3 v)
{
    return (wide_vec3){a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
                       a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
                       a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z};
}

// aᵀ v
WIDE_INLINE wide_vec3 wide_mat3_transpose_mul_vec(const wide_mat3 *a, wide_vec3 v)
{
    return (wide_vec3){a->m[0][0] * v.x + a->m[1][0] * v.y + a->m[2][0] * v.z,
                       a->m[0][1] * v.x + a->m[1][1] * v.y + a->m[2][1] * v.z,
                       a->m[0][2] * v.x + a->m[1][2] * v.y + a->m[2][2] * v.z};
}

WIDE_INLINE wide wide_mat3_trace(const wide_mat3 *a)
{
    return a->m[0][0] + a->m[1][1] + a->m[2][2];
}

WIDE_INLINE wide_vec3 wide_mat3_axial(const wide_mat3 *a)
{
    return (wide_vec3){a->m[2][1] - a->m[1][2], a->m[0][2] - a->m[2][0], a->m[1][0] - a->m[0][1]};
}

WIDE_INLINE wide_vec3 wide_sym3_mul_vec(wide_sym3 a, wide_vec3 v)
{
    return (wide_vec3){a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
                       a.xz * v.x + a.yz * v.y + a.zz * v.z};
}

// r a
WIDE_INLINE wide_mat3 wide_mat3_mul_sym3(const wide_mat3 *r, wide_sym3 a)
{
    wide_mat3 p;
    WIDE_UNROLL
    for (int i = 0; i < 3; ++i) {
        wide u = r->m[i][0], v = r->m[i][1], w = r->m[i][2];
        p.m[i][0] = u * a.xx + v * a.xy + w * a.xz;
        p.m[i][1] = u * a.xy + v * a.yy + w * a.yz;
        p.m[i][2] = u * a.xz + v * a.yz + w * a.zz;
    }
    return p;
}

WIDE_INLINE wide_sym3 wide_sym3_rotate(wide_sym3 a, wide_quat q)
{
    wide_mat3 R = wide_quat_to_mat3(q), Ra = wide_mat3_mul_sym3(&R, a);
    wide_vec3 r0 = wide_mat3_row(&R, 0), r1 = wide_mat3_row(&R, 1), r2 = wide_mat3_row(&R, 2);
    wide_vec3 a0 = wide_mat3_row(&Ra, 0), a1 = wide_mat3_row(&Ra, 1), a2 = wide_mat3_row(&Ra, 2);
    return (wide_sym3){wide_vec3_dot(a0, r0), wide_vec3_dot(a0, r1), wide_vec3_dot(a0, r2),
                       wide_vec3_dot(a1, r1), wide_vec3_dot(a1, r2), wide_vec3_dot(a2, r2)};
}

#endif
