// Eight floats at once: the only place where SIMD is written.
//
// The logical width is 8 on every target; SSE, NEON and WASM split an operation in two, AVX does it in
// one. Every operation rounds exactly as its scalar counterpart in scalar.h, lane by lane, so that a
// loop may be widened without changing a bit. There is no reciprocal estimate and no FMA.

#ifndef PLIANT_MATH_WIDE_H
#define PLIANT_MATH_WIDE_H

#include <stddef.h>

#include "scalar.h"

enum { WIDE = 8 };

// Inlined also where the compiler would rather not: a wide in memory is no longer fast.
#define WIDE_INLINE static inline __attribute__((always_inline))

// Before a loop over the few components of a vector or matrix: GCC keeps in memory what a loop indexes.
#if defined(__clang__)
#define WIDE_UNROLL _Pragma("unroll")
#else
#define WIDE_UNROLL _Pragma("GCC unroll 4")
#endif

typedef float wide __attribute__((vector_size(32)));
typedef int32_t wide_mask __attribute__((vector_size(32))); // each lane 0 or -1
typedef float wide_unaligned __attribute__((vector_size(32), aligned(4)));
typedef float quad __attribute__((vector_size(16)));
typedef float quad_unaligned __attribute__((vector_size(16), aligned(4)));

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

// Halves, and what can be done to them in one instruction: WIDE_SHUFFLE takes four numbers for each half of
// the result from the same half of a (0 to 3) or b (4 to 7), WIDE_HALVES half i of a and half j of b.
// Where a wide is two registers GCC would move single numbers through memory, if it were left to it.
#if defined(__AVX__) || defined(__clang__)

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
    return __builtin_shufflevector(a, a, 4, 5, 6, 7);
}

WIDE_INLINE wide wide_join(quad low, quad high)
{
#if defined(__clang__)
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
#else // one instruction, with `high` from memory
    return __builtin_ia32_vinsertf128_ps256(__builtin_ia32_ps256_ps(low), high, 1);
#endif
}

#define WIDE_LANE(i, half) ((i) + 4 * (half) + ((i) < 4 ? 0 : 4))
#define WIDE_SHUFFLE(a, b, i, j, k, l)                                                             \
    __builtin_shufflevector(a, b, WIDE_LANE(i, 0), WIDE_LANE(j, 0), WIDE_LANE(k, 0),               \
                            WIDE_LANE(l, 0), WIDE_LANE(i, 1), WIDE_LANE(j, 1), WIDE_LANE(k, 1),    \
                            WIDE_LANE(l, 1))
#define WIDE_HALVES(a, b, i, j)                                                                    \
    __builtin_shufflevector(a, b, 4 * (i), 4 * (i) + 1, 4 * (i) + 2, 4 * (i) + 3, 4 * (j) + 8,     \
                            4 * (j) + 9, 4 * (j) + 10, 4 * (j) + 11)

#else

typedef union wide_halves {
    wide both;
    quad half[2];
} wide_halves;

WIDE_INLINE wide wide_all(float value)
{
    const quad half = {value, value, value, value};
    return (wide_halves){.half = {half, half}}.both;
}

WIDE_INLINE quad wide_low(wide a)
{
    return (wide_halves){a}.half[0];
}

WIDE_INLINE quad wide_high(wide a)
{
    return (wide_halves){a}.half[1];
}

WIDE_INLINE wide wide_join(quad low, quad high)
{
    return (wide_halves){.half = {low, high}}.both;
}

#define WIDE_SHUFFLE(a, b, i, j, k, l)                                                             \
    wide_join(__builtin_shufflevector(wide_low(a), wide_low(b), i, j, k, l),                       \
              __builtin_shufflevector(wide_high(a), wide_high(b), i, j, k, l))
#define WIDE_HALVES(a, b, i, j) wide_join((wide_halves){a}.half[i], (wide_halves){b}.half[j])

#endif

// Lane i of the result is from[index[i] * stride].
WIDE_INLINE wide wide_gather(const float *from, const int32_t *index, int stride)
{
    return wide_join((quad){from[index[0] * stride], from[index[1] * stride],
                            from[index[2] * stride], from[index[3] * stride]},
                     (quad){from[index[4] * stride], from[index[5] * stride],
                            from[index[6] * stride], from[index[7] * stride]});
}

// Turns eight quadruples, of which register i holds number i and number i + 4, into four wides of one
// component each, and back: the same exchange both ways.
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
    const char *base = from;
    wide rows[4];
    WIDE_UNROLL
    for (int i = 0; i < 4; ++i)
        rows[i] = wide_join(quad_load(base + (size_t)index[i] * stride),
                            quad_load(base + (size_t)index[i + 4] * stride));
    wide_transpose(rows, out);
}

// The opposite. Where lanes name the same place the lowest one's value stays.
WIDE_INLINE void wide_scatter_quads(void *to, const int32_t *index, size_t stride, const wide in[4])
{
    char *base = to;
    wide rows[4];
    wide_transpose(in, rows);
    WIDE_UNROLL
    for (int i = 3; i >= 0; --i)
        quad_store(base + (size_t)index[i + 4] * stride, wide_high(rows[i]));
    WIDE_UNROLL
    for (int i = 3; i >= 0; --i)
        quad_store(base + (size_t)index[i] * stride, wide_low(rows[i]));
}

// Writes eight triples of numbers one after another: x0 y0 z0 x1 y1 …, 24 in all.
WIDE_INLINE void wide_store_triples(float *to, wide x, wide y, wide z)
{
    wide xy = WIDE_SHUFFLE(x, y, 0, 2, 4, 6), yz = WIDE_SHUFFLE(y, z, 1, 3, 5, 7);
    wide zx = WIDE_SHUFFLE(z, x, 0, 2, 5, 7);
    wide a = WIDE_SHUFFLE(xy, zx, 0, 2, 4, 6); // x0 y0 z0 x1 and x4 y4 z4 x5
    wide b = WIDE_SHUFFLE(yz, xy, 0, 2, 5, 7); // y1 z1 x2 y2 and so on
    wide c = WIDE_SHUFFLE(zx, yz, 1, 3, 5, 7); // z2 x3 y3 z3
    wide_store(to, WIDE_HALVES(a, b, 0, 0));
    wide_store(to + 8, WIDE_HALVES(c, a, 0, 1));
    wide_store(to + 16, WIDE_HALVES(b, c, 1, 1));
}

// Bitwise, so that it selects NaN and signed zeros like any other value.
WIDE_INLINE wide wide_select(wide_mask mask, wide yes, wide no)
{
#if defined(__AVX__) && !defined(__clang__)
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
    return (wide_mask){bits, bits, bits, bits, bits, bits, bits, bits};
}

WIDE_INLINE wide wide_absolute(wide a)
{
    return (wide)((wide_mask)a & wide_all_bits(0x7fffffff));
}

// A literal of eight roots: clang turns it into vector instructions, where a loop stays scalar in WASM. GCC
// does not without its straight-line vectoriser and is told.
WIDE_INLINE wide wide_square_root(wide a)
{
#if defined(__AVX__) && !defined(__clang__)
    return __builtin_ia32_sqrtps256(a);
#elif defined(__SSE2__) && !defined(__clang__)
    return wide_join(__builtin_ia32_sqrtps(wide_low(a)), __builtin_ia32_sqrtps(wide_high(a)));
#else
    return (wide){square_root(a[0]), square_root(a[1]), square_root(a[2]), square_root(a[3]),
                  square_root(a[4]), square_root(a[5]), square_root(a[6]), square_root(a[7])};
#endif
}

WIDE_INLINE wide_mask wide_is_finite(wide a)
{
    return ((wide_mask)a & wide_all_bits(0x7f800000)) != wide_all_bits(0x7f800000);
}

// The number of each lane.
WIDE_INLINE wide_mask wide_numbers(void)
{
    return (wide_mask){0, 1, 2, 3, 4, 5, 6, 7};
}

// The lanes below `count`.
WIDE_INLINE wide_mask wide_lanes(int32_t count)
{
    return wide_numbers() < wide_all_bits(count);
}

// Bit i tells of lane i.
WIDE_INLINE unsigned wide_bits(wide_mask mask)
{
#if defined(__AVX__)
    return (unsigned)__builtin_ia32_movmskps256((wide)mask);
#elif defined(__SSE2__)
    return (unsigned)__builtin_ia32_movmskps(wide_low((wide)mask)) |
           (unsigned)__builtin_ia32_movmskps(wide_high((wide)mask)) << WIDE / 2;
#else
    unsigned bits = 0;
    for (int i = 0; i < WIDE; ++i)
        bits |= (unsigned)mask[i] & 1u << i;
    return bits;
#endif
}

WIDE_INLINE int wide_any(wide_mask mask)
{
#if defined(__SSE2__)
    return wide_bits(mask) != 0;
#else
    typedef int64_t pairs __attribute__((vector_size(32)));
    pairs p = (pairs)mask;
    return ((p[0] | p[1]) | (p[2] | p[3])) != 0;
#endif
}

#endif
