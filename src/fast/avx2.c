// The kernels with AVX2, in one library with the plain ones. Without FMA, which would change results.

#include "kernels.h"

#if defined(__x86_64__) && defined(__GNUC__)

// For everything from here on, whatever the library is built for.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif

#define KERNELS_NAME "avx2"
#define WIDE_LANES   8
#include "kernels.inl"

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

const kernels *const pli_kernels_avx2 = &table;

#else

const kernels *const pli_kernels_avx2 = NULL;

#endif
