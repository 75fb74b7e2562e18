// Eight floats at once: the only place where SIMD is written. The wide solver to come stands on it.
//
// The logical width is 8 on every target; SSE, NEON and WASM split an operation in two, AVX does it in
// one. Every operation rounds exactly as its scalar counterpart in scalar.h, lane by lane, so that a
// loop may be widened without changing a bit. There is no reciprocal estimate and no FMA.

#ifndef PLIANT_MATH_WIDE_H
#define PLIANT_MATH_WIDE_H

#include "scalar.h"

enum { WIDE = 8 };

typedef float wide __attribute__((vector_size(32)));
typedef int32_t wide_mask __attribute__((vector_size(32))); // each lane 0 or -1
typedef float wide_unaligned __attribute__((vector_size(32), aligned(4)));

static inline wide wide_all(float value)
{
    return (wide){value, value, value, value, value, value, value, value};
}

static inline wide wide_load(const float *from)
{
    return *(const wide_unaligned *)from;
}

static inline void wide_store(float *to, wide value)
{
    *(wide_unaligned *)to = value;
}

// Lane i of the result is from[index[i] * stride].
static inline wide wide_gather(const float *from, const int32_t *index, int stride)
{
    return (wide){from[index[0] * stride], from[index[1] * stride], from[index[2] * stride],
                  from[index[3] * stride], from[index[4] * stride], from[index[5] * stride],
                  from[index[6] * stride], from[index[7] * stride]};
}

// Bitwise, so that it selects NaN and signed zeros like any other value.
static inline wide wide_select(wide_mask mask, wide yes, wide no)
{
    return (wide)(((wide_mask)yes & mask) | ((wide_mask)no & ~mask));
}

static inline wide wide_minimum(wide a, wide b)
{
    return wide_select(a < b, a, b);
}

static inline wide wide_maximum(wide a, wide b)
{
    return wide_select(a > b, a, b);
}

static inline wide wide_absolute(wide a)
{
    return (wide)((wide_mask)a & (wide_mask){0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff,
                                             0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff});
}

// A literal of eight roots: compilers turn it into vector instructions, a loop stays scalar in WASM.
static inline wide wide_square_root(wide a)
{
    return (wide){square_root(a[0]), square_root(a[1]), square_root(a[2]), square_root(a[3]),
                  square_root(a[4]), square_root(a[5]), square_root(a[6]), square_root(a[7])};
}

static inline int wide_any(wide_mask mask)
{
    int32_t any = 0;
    for (int i = 0; i < WIDE; ++i)
        any |= mask[i];
    return any != 0;
}

#endif
