// Several floats at once: the only place where SIMD is written.
//
// WIDE is what a register holds: 8 with AVX, 4 with SSE, NEON and in WASM. Data is laid out for eight lanes
// everywhere, and loops take them WIDE at a time. Every operation rounds exactly as its scalar counterpart
// in scalar.h, lane by lane, so that neither a wider loop nor a narrower one changes a bit. There is no
// reciprocal estimate and no FMA.

#ifndef PLIANT_MATH_WIDE_H
#define PLIANT_MATH_WIDE_H

#include <stddef.h>

#include "scalar.h"

// A file that asks for other instructions than the library is built for says how wide they are.
#if !defined(WIDE_LANES) && defined(__AVX__)
#define WIDE_LANES 8
#elif !defined(WIDE_LANES)
#define WIDE_LANES 4
#endif

enum { WIDE = WIDE_LANES };

// Inlined also where the compiler would rather not: a wide in memory is no longer fast.
#define WIDE_INLINE static inline __attribute__((always_inline))

// Before a loop over the few components of a vector or matrix: GCC keeps in memory what a loop indexes.
#if defined(__clang__)
#define WIDE_UNROLL _Pragma("unroll")
#else
#define WIDE_UNROLL _Pragma("GCC unroll 4")
#endif

typedef float wide __attribute__((vector_size(4 * WIDE_LANES)));
typedef int32_t wide_mask __attribute__((vector_size(4 * WIDE_LANES))); // each lane 0 or -1
typedef float wide_unaligned __attribute__((vector_size(4 * WIDE_LANES), aligned(4), may_alias));
typedef float quad __attribute__((vector_size(16)));
typedef float quad_unaligned __attribute__((vector_size(16), aligned(4), may_alias));

WIDE_INLINE wide wide_load(const float *from)
{
    return *(const wide_unaligned *)from;
}

WIDE_INLINE void wide_store(float *to, wide value)
{
    *(wide_unaligned *)to = value;
}

WIDE_INLINE quad quad_load(const void *from)
{
    return *(const quad_unaligned *)from;
}

WIDE_INLINE void quad_store(void *to, quad value)
{
    *(quad_unaligned *)to = value;
}

#if WIDE_LANES == 8

WIDE_INLINE wide wide_all(float value)
{
    return (wide){value, value, value, value, value, value, value, value};
}

WIDE_INLINE quad wide_low(wide a)
{
    return __builtin_shufflevector(a, a, 0, 1, 2, 3);
}

WIDE_INLINE quad wide_high(wide a)
{
#if defined(__clang__)
    return __builtin_shufflevector(a, a, 4, 5, 6, 7);
#else // one instruction, to memory too
    return __builtin_ia32_vextractf128_ps256(a, 1);
#endif
}

WIDE_INLINE wide wide_join(quad low, quad high)
{
#if defined(__clang__)
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
#else // one instruction, with `high` from memory
    return __builtin_ia32_vinsertf128_ps256(__builtin_ia32_ps256_ps(low), high, 1);
#endif
}

// Four numbers for each half of the result from the same half of a (0 to 3) or b (4 to 7): one instruction.
#define WIDE_LANE(i, half) ((i) + 4 * (half) + ((i) < 4 ? 0 : 4))
#define WIDE_SHUFFLE(a, b, i, j, k, l)                                                             \
    __builtin_shufflevector(a, b, WIDE_LANE(i, 0), WIDE_LANE(j, 0), WIDE_LANE(k, 0),               \
                            WIDE_LANE(l, 0), WIDE_LANE(i, 1), WIDE_LANE(j, 1), WIDE_LANE(k, 1),    \
                            WIDE_LANE(l, 1))

// The quadruple that register i of a transposition holds: number i, and number i + 4 in its high half.
WIDE_INLINE wide wide_quad_rows(const char *base, const int32_t *index, size_t stride, int i)
{
    return wide_join(quad_load(base + (size_t)index[i] * stride),
                     quad_load(base + (size_t)index[i + 4] * stride));
}

#else

WIDE_INLINE wide wide_all(float value)
{
    return (wide){value, value, value, value};
}

#if defined(__wasm_simd128__)
// Where a part of a result is not used, clang would make other shuffles of these: V8 knows these as one instruction,
// of the others it makes ten.
typedef signed char wide_bytes __attribute__((vector_size(16)));
#define WIDE_BYTES(i) 4 * (i), 4 * (i) + 1, 4 * (i) + 2, 4 * (i) + 3
#define WIDE_SHUFFLE(a, b, i, j, k, l)                                                             \
    ((wide)__builtin_wasm_shuffle_i8x16((wide_bytes)(a), (wide_bytes)(b), WIDE_BYTES(i),           \
                                        WIDE_BYTES(j), WIDE_BYTES(k), WIDE_BYTES(l)))
#else
#define WIDE_SHUFFLE(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#endif

WIDE_INLINE wide wide_quad_rows(const char *base, const int32_t *index, size_t stride, int i)
{
    return quad_load(base + (size_t)index[i] * stride);
}

#endif

// Lane i of the result is from[index[i] * stride].
WIDE_INLINE wide wide_gather(const float *from, const int32_t *index, int stride)
{
#define WIDE_ELEMENT(i) from[index[i] * stride]
    quad low = {WIDE_ELEMENT(0), WIDE_ELEMENT(1), WIDE_ELEMENT(2), WIDE_ELEMENT(3)};
#if WIDE_LANES == 8
    return wide_join(low,
                     (quad){WIDE_ELEMENT(4), WIDE_ELEMENT(5), WIDE_ELEMENT(6), WIDE_ELEMENT(7)});
#else
    return low;
#endif
#undef WIDE_ELEMENT
}

// Turns quadruples, of which register i holds number i, and number i + 4 when there are eight, into four
// wides of one component each, and back: the same exchange both ways.
WIDE_INLINE void wide_transpose(const wide in[4], wide out[4])
{
    wide t0 = WIDE_SHUFFLE(in[0], in[1], 0, 4, 1, 5), t1 = WIDE_SHUFFLE(in[0], in[1], 2, 6, 3, 7);
    wide t2 = WIDE_SHUFFLE(in[2], in[3], 0, 4, 1, 5), t3 = WIDE_SHUFFLE(in[2], in[3], 2, 6, 3, 7);
    out[0] = WIDE_SHUFFLE(t0, t2, 0, 1, 4, 5);
    out[1] = WIDE_SHUFFLE(t0, t2, 2, 3, 6, 7);
    out[2] = WIDE_SHUFFLE(t1, t3, 0, 1, 4, 5);
    out[3] = WIDE_SHUFFLE(t1, t3, 2, 3, 6, 7);
}

// Reads the four floats at from + index[i] * stride (bytes) for each lane i, one component to a wide.
WIDE_INLINE void wide_gather_quads(const void *from, const int32_t *index, size_t stride,
                                   wide out[4])
{
    wide rows[4];
    WIDE_UNROLL
    for (int i = 0; i < 4; ++i)
        rows[i] = wide_quad_rows(from, index, stride, i);
    wide_transpose(rows, out);
}

// Three floats, and nothing of what follows them in memory: that may be another thread's to write.
// Two of them are loaded as one number of eight bytes, which compilers put into a register at once.
WIDE_INLINE quad triple_load(const char *from)
{
    typedef double pair __attribute__((vector_size(16)));
    double two;
    float third;
    memcpy(&two, from, sizeof two);
    memcpy(&third, from + sizeof two, sizeof third);
    return __builtin_shufflevector((quad)(pair){two, 0.0}, (quad){third, 0.0f, 0.0f, 0.0f}, 0, 1, 4,
                                   5);
}

// Reads the three floats at from + index[i] * stride (bytes) for each lane i, one component to a wide.
WIDE_INLINE void wide_gather_triples(const void *from, const int32_t *index, size_t stride,
                                     wide out[3])
{
    const char *base = from;
    wide rows[4], parts[4];
    WIDE_UNROLL
    for (int i = 0; i < 4; ++i) {
        quad low = triple_load(base + (size_t)index[i] * stride);
#if WIDE_LANES == 8
        rows[i] = wide_join(low, triple_load(base + (size_t)index[i + 4] * stride));
#else
        rows[i] = low;
#endif
    }
    wide_transpose(rows, parts);
    for (int k = 0; k < 3; ++k)
        out[k] = parts[k];
}

// The same of `count` quadruples one after another, up to four, whose addresses are found once.
WIDE_INLINE void wide_gather_lines(const void *from, const int32_t *index, size_t stride, int count,
                                   wide out[][4])
{
    wide rows[4][4];
    WIDE_UNROLL
    for (int i = 0; i < 4; ++i) {
        const char *low = (const char *)from + (size_t)index[i] * stride;
#if WIDE_LANES == 8
        const char *high = (const char *)from + (size_t)index[i + 4] * stride;
        WIDE_UNROLL
        for (int k = 0; k < count; ++k)
            rows[k][i] = wide_join(quad_load(low + 16 * k), quad_load(high + 16 * k));
#else
        WIDE_UNROLL
        for (int k = 0; k < count; ++k)
            rows[k][i] = quad_load(low + 16 * k);
#endif
    }
    WIDE_UNROLL
    for (int k = 0; k < count; ++k)
        wide_transpose(rows[k], out[k]);
}

// The opposite. Where lanes name the same place the lowest one's value stays.
WIDE_INLINE void wide_scatter_quads(void *to, const int32_t *index, size_t stride, const wide in[4])
{
    char *base = to;
    wide rows[4];
    wide_transpose(in, rows);
#if WIDE_LANES == 8
    WIDE_UNROLL
    for (int i = 3; i >= 0; --i)
        quad_store(base + (size_t)index[i + 4] * stride, wide_high(rows[i]));
    WIDE_UNROLL
    for (int i = 3; i >= 0; --i)
        quad_store(base + (size_t)index[i] * stride, wide_low(rows[i]));
#else
    WIDE_UNROLL
    for (int i = 3; i >= 0; --i)
        quad_store(base + (size_t)index[i] * stride, rows[i]);
#endif
}

// Writes triples of numbers one after another: x0 y0 z0 x1 y1 …, 3 WIDE in all.
WIDE_INLINE void wide_store_triples(float *to, wide x, wide y, wide z)
{
    wide xy = WIDE_SHUFFLE(x, y, 0, 2, 4, 6), yz = WIDE_SHUFFLE(y, z, 1, 3, 5, 7);
    wide zx = WIDE_SHUFFLE(z, x, 0, 2, 5, 7);
    wide a = WIDE_SHUFFLE(xy, zx, 0, 2, 4, 6); // x0 y0 z0 x1, and x4 y4 z4 x5 when there are eight
    wide b = WIDE_SHUFFLE(yz, xy, 0, 2, 5, 7); // y1 z1 x2 y2 and so on
    wide c = WIDE_SHUFFLE(zx, yz, 1, 3, 5, 7); // z2 x3 y3 z3
#if WIDE_LANES == 8
    wide_store(to, wide_join(wide_low(a), wide_low(b)));
    wide_store(to + 8, wide_join(wide_low(c), wide_high(a)));
    wide_store(to + 16, wide_join(wide_high(b), wide_high(c)));
#else
    wide_store(to, a);
    wide_store(to + 4, b);
    wide_store(to + 8, c);
#endif
}

// Reads them back.
WIDE_INLINE void wide_load_triples(const float *from, wide *x, wide *y, wide *z)
{
#if WIDE_LANES == 8
    wide first = wide_load(from), second = wide_load(from + 8), third = wide_load(from + 16);
    wide a = wide_join(wide_low(first), wide_high(second));
    wide b = wide_join(wide_high(first), wide_low(third));
    wide c = wide_join(wide_low(second), wide_high(third));
#else
    wide a = wide_load(from), b = wide_load(from + 4), c = wide_load(from + 8);
#endif
    wide late = WIDE_SHUFFLE(b, c, 2, 3, 5, 6);  // x2 y2 x3 y3
    wide early = WIDE_SHUFFLE(a, b, 1, 2, 4, 5); // y0 z0 y1 z1
    *x = WIDE_SHUFFLE(a, late, 0, 3, 4, 6);
    *y = WIDE_SHUFFLE(early, late, 0, 2, 5, 7);
    *z = WIDE_SHUFFLE(early, c, 1, 3, 4, 7);
}

// Bitwise, so that it selects NaN and signed zeros like any other value.
WIDE_INLINE wide wide_select(wide_mask mask, wide yes, wide no)
{
#if WIDE_LANES == 8 && !defined(__clang__)
    return __builtin_ia32_blendvps256(no, yes, (wide)mask);
#else
    return (wide)(((wide_mask)yes & mask) | ((wide_mask)no & ~mask));
#endif
}

WIDE_INLINE wide wide_minimum(wide a, wide b)
{
    return wide_select(a < b, a, b);
}

WIDE_INLINE wide wide_maximum(wide a, wide b)
{
    return wide_select(a > b, a, b);
}

WIDE_INLINE wide_mask wide_all_bits(int32_t bits)
{
    return (wide_mask)wide_all(0.0f) + bits;
}

WIDE_INLINE wide wide_absolute(wide a)
{
    return (wide)((wide_mask)a & wide_all_bits(0x7fffffff));
}

// A literal of roots: clang turns it into vector instructions, where a loop stays scalar in WASM. GCC does
// not without its straight-line vectoriser and is told.
WIDE_INLINE wide wide_square_root(wide a)
{
#if WIDE_LANES == 8 && !defined(__clang__)
    return __builtin_ia32_sqrtps256(a);
#elif WIDE_LANES == 8
    return (wide){square_root(a[0]), square_root(a[1]), square_root(a[2]), square_root(a[3]),
                  square_root(a[4]), square_root(a[5]), square_root(a[6]), square_root(a[7])};
#elif defined(__SSE2__) && !defined(__clang__)
    return __builtin_ia32_sqrtps(a);
#else
    return (wide){square_root(a[0]), square_root(a[1]), square_root(a[2]), square_root(a[3])};
#endif
}

WIDE_INLINE wide_mask wide_is_finite(wide a)
{
    return ((wide_mask)a & wide_all_bits(0x7f800000)) != wide_all_bits(0x7f800000);
}

// The number of each lane.
WIDE_INLINE wide_mask wide_numbers(void)
{
#if WIDE_LANES == 8
    return (wide_mask){0, 1, 2, 3, 4, 5, 6, 7};
#else
    return (wide_mask){0, 1, 2, 3};
#endif
}

// The lanes below `count`.
WIDE_INLINE wide_mask wide_lanes(int32_t count)
{
    return wide_numbers() < wide_all_bits(count);
}

// Bit i tells of lane i.
WIDE_INLINE unsigned wide_bits(wide_mask mask)
{
#if WIDE_LANES == 8
    return (unsigned)__builtin_ia32_movmskps256((wide)mask);
#elif defined(__SSE2__)
    return (unsigned)__builtin_ia32_movmskps((wide)mask);
#elif defined(__wasm_simd128__)
    return (unsigned)__builtin_wasm_bitmask_i32x4(mask);
#else
    unsigned bits = 0;
    for (int i = 0; i < WIDE; ++i)
        bits |= (unsigned)mask[i] & 1u << i;
    return bits;
#endif
}

WIDE_INLINE int wide_any(wide_mask mask)
{
#if defined(__wasm_simd128__)
    return __builtin_wasm_any_true_v128((signed char __attribute__((vector_size(16))))mask);
#else
    return wide_bits(mask) != 0;
#endif
}

#endif
