// Numbers as text: reading is correctly rounded, writing is short and reads back, and neither
// follows the locale.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/decimal.h"

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 88172645463325252u;

static uint64_t random_bits(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void assert_reads_like_strtod(const char *text)
{
    double ours = pli_decimal_read(text, strlen(text)), reference = strtod(text, NULL);
    if (memcmp(&ours, &reference, sizeof ours) != 0)
        fail_msg("%s: %.17g instead of %.17g", text, ours, reference);
}

static void reads_corner_cases(void **unused)
{
    (void)unused;
    static const char *const cases[] = {"0",
                                        "-0",
                                        "1",
                                        "-1.5",
                                        "0.1",
                                        "1e22",
                                        "1e23",
                                        "8.5e22",
                                        "9007199254740993",
                                        "123456789012345678901234567890",
                                        "5e-324",
                                        "2.4703282292062327e-324",
                                        "2.4703282292062328e-324",
                                        "2.2250738585072011e-308",
                                        "1.7976931348623157e308",
                                        "1.7976931348623159e308",
                                        "1e999",
                                        "-1e999",
                                        "1e-999",
                                        "0e999",
                                        "1E+2",
                                        "1e-2",
                                        "0.000000000000000000000000000000000000000000001e45",
                                        "1e99999999999999999999"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        assert_reads_like_strtod(cases[i]);
}

static void reads_random_doubles(void **unused)
{
    (void)unused;
    for (int i = 0; i < 20000; ++i) {
        uint64_t bits = random_bits();
        double value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        char text[64];
        snprintf(text, sizeof text, i % 2 ? "%.17g" : "%.19g", value);
        assert_reads_like_strtod(text);
    }
}

static void writes_floats_that_read_back(void **unused)
{
    (void)unused;
    for (int i = 0; i < 50000; ++i) {
        uint32_t bits = (uint32_t)random_bits();
        float value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        char text[DECIMAL_SIZE];
        size_t size = pli_decimal_write_float(text, value);
        assert_int_equal(size, strlen(text));
        if (strtof(text, NULL) != value)
            fail_msg("%s instead of %.9g", text, (double)value);
    }
}

static void assert_written(float value, const char *expected)
{
    char text[DECIMAL_SIZE];
    pli_decimal_write_float(text, value);
    assert_string_equal(text, expected);
}

static void writes_short_texts(void **unused)
{
    (void)unused;
    assert_written(0.0f, "0");
    assert_written(-0.0f, "0");
    assert_written(1.0f, "1");
    assert_written(0.1f, "0.1");
    assert_written(-9.81f, "-9.81");
    assert_written(100000000.0f, "100000000");
    assert_written(1e10f, "1e10");
    assert_written(0.001f, "0.001");
    assert_written(1e-7f, "1e-7");
    assert_written(INFINITY, "0");
    assert_written(NAN, "0");
}

static void writes_whole_numbers(void **unused)
{
    (void)unused;
    char text[DECIMAL_SIZE];
    assert_int_equal(pli_decimal_write_int(text, 0), 1);
    assert_string_equal(text, "0");
    pli_decimal_write_int(text, INT64_MIN);
    assert_string_equal(text, "-9223372036854775808");
}

static void ignores_the_locale(void **unused)
{
    (void)unused;
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR"};
    bool set = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !set; ++i)
        set = setlocale(LC_NUMERIC, names[i]) != NULL;
    if (!set)
        skip();
    assert_written(0.5f, "0.5");
    assert_true(pli_decimal_read("2.5", 3) == 2.5);
    setlocale(LC_NUMERIC, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_corner_cases),           cmocka_unit_test(reads_random_doubles),
        cmocka_unit_test(writes_floats_that_read_back), cmocka_unit_test(writes_short_texts),
        cmocka_unit_test(writes_whole_numbers),         cmocka_unit_test(ignores_the_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
