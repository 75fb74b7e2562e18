// What every arithmetic file needs: the promise that the compiler keeps IEEE semantics, and the public functions by
// their short names.
//
// Bit-identical results everywhere rest on four rules: no fast-math, no contraction to FMA, no libm
// function but the exact sqrtf, and sums in a fixed order. pliant/math.h sees to the first two for all that follows it
// in a file, whatever options the file is compiled with.

#ifndef PLIANT_MATH_SCALAR_H
#define PLIANT_MATH_SCALAR_H

#ifndef PLIANT_MATH_H
#define PLIANT_SAME_BITS
#define PLIANT_SHORT_NAMES
#include <pliant/math.h>
#elif !defined(PLIANT_SAME_BITS) || !defined(PLIANT_SHORT_NAMES)
#error "math/scalar.h comes before pliant/math.h"
#endif

#endif
