// Two doubles side by side: what needs more digits than float32 has is done for two things at once.
//
// Every register of 128 bits holds them, so they are the same two wherever the code is built for. Each operation rounds as its
// scalar counterpart does, lane by lane; there is no FMA.

#ifndef PLIANT_MATH_TWIN_H
#define PLIANT_MATH_TWIN_H

#include "wide.h"

enum { TWIN = 2 };

typedef double twin __attribute__((vector_size(16)));
typedef int64_t twin_mask __attribute__((vector_size(16))); // each lane 0 or -1
typedef double twin_unaligned __attribute__((vector_size(16), aligned(4), may_alias));

WIDE_INLINE twin twin_load(const double *from)
{
    return *(const twin_unaligned *)from;
}

WIDE_INLINE void twin_store(double *to, twin value)
{
    *(twin_unaligned *)to = value;
}

WIDE_INLINE twin twin_all(double value)
{
    return (twin){value, value};
}

WIDE_INLINE twin twin_of(float a, float b)
{
    return (twin){(double)a, (double)b};
}

WIDE_INLINE twin twin_select(twin_mask mask, twin yes, twin no)
{
    return (twin)(((twin_mask)yes & mask) | ((twin_mask)no & ~mask));
}

WIDE_INLINE twin twin_maximum(twin a, twin b)
{
    return twin_select(a > b, a, b);
}

WIDE_INLINE twin twin_absolute(twin a)
{
    return (twin)((twin_mask)a & INT64_MAX);
}

WIDE_INLINE twin twin_square_root(twin a)
{
    return (twin){__builtin_sqrt(a[0]), __builtin_sqrt(a[1])};
}

WIDE_INLINE int twin_any(twin_mask mask)
{
    return (mask[0] | mask[1]) != 0;
}

// ---------------------------------------------------------------------------------------------
// Vectors and symmetric matrices

typedef struct twin_vec3 {
    twin x, y, z;
} twin_vec3;

typedef struct twin_sym3 {
    twin xx, xy, xz, yy, yz, zz;
} twin_sym3;

WIDE_INLINE twin_vec3 twin_vec3_load(const double (*from)[TWIN])
{
    return (twin_vec3){twin_load(from[0]), twin_load(from[1]), twin_load(from[2])};
}

WIDE_INLINE void twin_vec3_store(double (*to)[TWIN], twin_vec3 a)
{
    twin_store(to[0], a.x);
    twin_store(to[1], a.y);
    twin_store(to[2], a.z);
}

WIDE_INLINE twin_vec3 twin_vec3_add(twin_vec3 a, twin_vec3 b)
{
    return (twin_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

WIDE_INLINE twin_vec3 twin_vec3_sub(twin_vec3 a, twin_vec3 b)
{
    return (twin_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

WIDE_INLINE twin_vec3 twin_vec3_scale(twin_vec3 a, twin s)
{
    return (twin_vec3){a.x * s, a.y * s, a.z * s};
}

WIDE_INLINE twin_vec3 twin_vec3_add_scaled(twin_vec3 a, twin_vec3 b, twin s)
{
    return (twin_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

WIDE_INLINE twin twin_vec3_dot(twin_vec3 a, twin_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

WIDE_INLINE twin_vec3 twin_vec3_cross(twin_vec3 a, twin_vec3 b)
{
    return (twin_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

WIDE_INLINE twin_vec3 twin_vec3_select(twin_mask mask, twin_vec3 yes, twin_vec3 no)
{
    return (twin_vec3){twin_select(mask, yes.x, no.x), twin_select(mask, yes.y, no.y),
                       twin_select(mask, yes.z, no.z)};
}

WIDE_INLINE twin_sym3 twin_sym3_load(const double (*from)[TWIN])
{
    return (twin_sym3){twin_load(from[0]), twin_load(from[1]), twin_load(from[2]),
                       twin_load(from[3]), twin_load(from[4]), twin_load(from[5])};
}

WIDE_INLINE void twin_sym3_store(double (*to)[TWIN], twin_sym3 a)
{
    twin_store(to[0], a.xx);
    twin_store(to[1], a.xy);
    twin_store(to[2], a.xz);
    twin_store(to[3], a.yy);
    twin_store(to[4], a.yz);
    twin_store(to[5], a.zz);
}

WIDE_INLINE twin_sym3 twin_sym3_diagonal(twin s)
{
    return (twin_sym3){.xx = s, .yy = s, .zz = s};
}

WIDE_INLINE twin_sym3 twin_sym3_add(twin_sym3 a, twin_sym3 b)
{
    return (twin_sym3){a.xx + b.xx, a.xy + b.xy, a.xz + b.xz,
                       a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
}

WIDE_INLINE twin_sym3 twin_sym3_scale(twin_sym3 a, twin s)
{
    return (twin_sym3){a.xx * s, a.xy * s, a.xz * s, a.yy * s, a.yz * s, a.zz * s};
}

WIDE_INLINE twin_sym3 twin_sym3_select(twin_mask mask, twin_sym3 yes, twin_sym3 no)
{
    return (twin_sym3){twin_select(mask, yes.xx, no.xx), twin_select(mask, yes.xy, no.xy),
                       twin_select(mask, yes.xz, no.xz), twin_select(mask, yes.yy, no.yy),
                       twin_select(mask, yes.yz, no.yz), twin_select(mask, yes.zz, no.zz)};
}

WIDE_INLINE twin_vec3 twin_sym3_mul(twin_sym3 a, twin_vec3 v)
{
    return (twin_vec3){a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
                       a.xz * v.x + a.yz * v.y + a.zz * v.z};
}

// a + s v vᵀ
WIDE_INLINE twin_sym3 twin_sym3_add_outer(twin_sym3 a, twin_vec3 v, twin s)
{
    twin_vec3 w = twin_vec3_scale(v, s);
    return (twin_sym3){a.xx + w.x * v.x, a.xy + w.x * v.y, a.xz + w.x * v.z,
                       a.yy + w.y * v.y, a.yz + w.y * v.z, a.zz + w.z * v.z};
}

// Of two matrices whose product is symmetric.
WIDE_INLINE twin_sym3 twin_sym3_product(twin_sym3 a, twin_sym3 b)
{
    return (twin_sym3){
        a.xx * b.xx + a.xy * b.xy + a.xz * b.xz, a.xx * b.xy + a.xy * b.yy + a.xz * b.yz,
        a.xx * b.xz + a.xy * b.yz + a.xz * b.zz, a.xy * b.xy + a.yy * b.yy + a.yz * b.yz,
        a.xy * b.xz + a.yy * b.yz + a.yz * b.zz, a.xz * b.xz + a.yz * b.yz + a.zz * b.zz};
}

WIDE_INLINE twin_sym3 twin_sym3_inverse(twin_sym3 a)
{
    twin_sym3 cofactors = {a.yy * a.zz - a.yz * a.yz, a.xz * a.yz - a.xy * a.zz,
                           a.xy * a.yz - a.xz * a.yy, a.xx * a.zz - a.xz * a.xz,
                           a.xy * a.xz - a.xx * a.yz, a.xx * a.yy - a.xy * a.xy};
    twin determinant = a.xx * cofactors.xx + a.xy * cofactors.xy + a.xz * cofactors.xz;
    return twin_sym3_scale(cofactors, twin_all(1.0) / determinant);
}

#endif
