// Eight wide, where there are such instructions.

#include "test.h"

#if defined(__x86_64__)

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif

#define WIDE_LANES 8
#include "wide_tests.h"

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

int main(void)
{
    if (__builtin_cpu_supports("avx2"))
        return cmocka_run_group_tests(wide_tests, NULL, NULL);
    print_message("this processor has no AVX2\n");
    return 0;
}

#else

int main(void)
{
    return 0;
}

#endif
