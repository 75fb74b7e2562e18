// What every arithmetic file needs: the promise that the compiler keeps IEEE semantics.
//
// Bit-identical results everywhere rest on four rules: no fast-math, no contraction to FMA, no libm
// function but the exact sqrtf, and sums in a fixed order. This header sees to the first two for all that follows it
// in a file, whatever options the file is compiled with.

#ifndef PLIANT_MATH_SCALAR_H
#define PLIANT_MATH_SCALAR_H

#include <float.h>
#include <stdint.h>
#include <string.h>

#if FLT_EVAL_METHOD != 0 && defined(__i386__)
#error "Pliant promises bit-identical results: compile with -msse2 -mfpmath=sse"
#elif FLT_EVAL_METHOD != 0
#error "Pliant promises bit-identical results: float arithmetic must round to float"
#endif
#ifdef __FAST_MATH__
#error "Pliant promises bit-identical results: compile without -ffast-math"
#endif

// GCC does not know the standard's pragma. Its straight-line vectoriser fuses alternating additions and subtractions
// even without contraction (vfmaddsub, seen with GCC 12); Pliant's own vectors are explicit and do not need it.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("-ffp-contract=off", "-fno-tree-slp-vectorize")
#else
#pragma STDC FP_CONTRACT OFF
#endif

static inline uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float bits_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// Correctly rounded on every target. The builtin is one instruction under -fno-math-errno, so that
// the library needs no libm.
static inline float square_root(float value)
{
    return __builtin_sqrtf(value);
}

static inline float absolute(float value)
{
    return bits_float(float_bits(value) & 0x7fffffffu);
}

static inline float minimum(float a, float b)
{
    return a < b ? a : b;
}

static inline float maximum(float a, float b)
{
    return a > b ? a : b;
}

// False for infinities and NaN. Works on bits, so that no optimisation can reason it away.
static inline int is_finite(float value)
{
    return (float_bits(value) & 0x7f800000u) != 0x7f800000u;
}

#endif
