// The kernels with the instructions that the whole library is built for: SSE2 on x86-64, simd128 in WASM.

#include "kernels.h"

#if defined(__wasm_simd128__)
#define KERNELS_NAME "simd128"
#elif defined(__AVX2__)
#define KERNELS_NAME "avx2 (built in)"
#elif defined(__SSE2__)
#define KERNELS_NAME "sse2"
#elif defined(__ARM_NEON)
#define KERNELS_NAME "neon"
#else
#define KERNELS_NAME "plain"
#endif

#include "kernels.inl"

const kernels *const pli_kernels_plain = &table;
