// As wide as the library is built for.

#include "wide_tests.h"

int main(void)
{
    return cmocka_run_group_tests(wide_tests, NULL, NULL);
}
