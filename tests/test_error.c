// Errors: every result has a name and a text, and what is filled in is one line.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/error.h"

static void results_have_names_and_texts(void **unused)
{
    (void)unused;
    assert_string_equal(pliant_result_name(PLIANT_OK), "PLIANT_OK");
    assert_string_equal(pliant_result_text(PLIANT_OK), "no error");
    assert_string_equal(pliant_result_name(PLIANT_ERROR_MODEL), "PLIANT_ERROR_MODEL");
    assert_string_equal(pliant_result_text(PLIANT_ERROR_MODEL),
                        "an element of a model is not valid");
    assert_string_equal(pliant_result_text(PLIANT_ERROR_MISMATCH),
                        "a snapshot names a model or shape that is not known");
}

static void texts_differ(void **unused)
{
    (void)unused;
    for (int i = PLIANT_OK; i <= PLIANT_ERROR_CANCELLED; ++i) {
        const char *text = pliant_result_text((pliant_result)i);
        assert_true(text[0]);
        for (int k = PLIANT_OK; k < i; ++k)
            assert_string_not_equal(text, pliant_result_text((pliant_result)k));
    }
}

// A newer library may return what an older header does not know.
static void unknown_results_are_told_as_such(void **unused)
{
    (void)unused;
    pliant_result unknown = (pliant_result)(PLIANT_ERROR_CANCELLED + 1);
    assert_string_equal(pliant_result_name(unknown), "unknown result");
    assert_string_equal(pliant_result_text(unknown), "unknown result");
}

static void errors_are_one_line(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    assert_int_equal(pli_error_set(&error, PLIANT_ERROR_FORMAT, "a\nb", "%s", "c\td\x7f"),
                     PLIANT_ERROR_FORMAT);
    assert_int_equal(error.code, PLIANT_ERROR_FORMAT);
    assert_string_equal(error.place, "a?b");
    assert_string_equal(error.message, "c?d?");
    assert_int_equal(pli_error_set(NULL, PLIANT_ERROR_FILE, "a", "b"), PLIANT_ERROR_FILE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_have_names_and_texts),
        cmocka_unit_test(texts_differ),
        cmocka_unit_test(unknown_results_are_told_as_such),
        cmocka_unit_test(errors_are_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
