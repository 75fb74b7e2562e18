// Which kernels the processor can run.

#include "kernels.h"

static bool has_avx2(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

const kernels *pli_choose_kernels(pliant_instructions wanted)
{
    if (wanted == PLIANT_INSTRUCTIONS_BEST && pli_kernels_avx2 && has_avx2())
        return pli_kernels_avx2;
    return pli_kernels_plain;
}
