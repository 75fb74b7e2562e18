// Copies of JSON: the same letters without the white space, and what a hook makes of its members.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "json/json_copy.h"

#include <string.h>

static void assert_copy(const char *text, json_copy_hook *hook, void *context, const char *expected)
{
    pliant_error error = {0};
    json_document *json = pli_json_parse(text, strlen(text), &error);
    if (!json)
        fail_msg("%s: %s", error.place, error.message);
    json_writer writer = {0};
    json_copy copy = {.json = json, .writer = &writer, .replace = hook, .context = context};
    pli_json_copy_value(&copy, pli_json_root(json));
    assert_false(writer.failed);
    assert_string_equal(writer.data, expected);
    pli_json_writer_release(&writer);
    pli_json_destroy(json);
}

static void keeps_every_letter(void **unused)
{
    (void)unused;
    assert_copy(" [ ] ", NULL, NULL, "[]");
    assert_copy("{ }", NULL, NULL, "{}");
    assert_copy("[[], {}, [{}, [1]], \"\"]", NULL, NULL, "[[],{},[{},[1]],\"\"]");
    assert_copy("[1.50, -0, 1E+2, 0.1000000000000000055, true, false, null]", NULL, NULL,
                "[1.50,-0,1E+2,0.1000000000000000055,true,false,null]");
    assert_copy(
        "{\"b\\u0041\\n\": \"\\/ \\ud83d\\ude00 \\\" \xc3\xa9\", \"a\": {\"c\": 1}, \"a\": 2}",
        NULL, NULL,
        "{\"b\\u0041\\n\":\"\\/ \\ud83d\\ude00 \\\" \xc3\xa9\",\"a\":{\"c\":1},\"a\":2}");
}

// Adds to numbers called "index", leaves out what is called "secret" and counts all members.
static bool shift(const json_copy *copy, json_value object, json_value key)
{
    int *count = copy->context;
    ++*count;
    if (pli_json_string_is(copy->json, key, "secret"))
        return true;
    if (!pli_json_string_is(copy->json, key, "index"))
        return false;
    assert_int_equal(pli_json_get(copy->json, object, "index"), pli_json_member(copy->json, key));
    pli_json_copy_key(copy, key);
    double number = pli_json_number(copy->json, pli_json_member(copy->json, key), 0.0);
    pli_json_write_int(copy->writer, NULL, (int64_t)number + 10);
    return true;
}

static void hooks_change_members(void **unused)
{
    (void)unused;
    int count = 0;
    assert_copy(
        "{\"secret\": [1, {\"index\": 5}], \"index\": 1, \"a\": [{\"index\": 2, \"b\": 3}],"
        " \"c\": {\"secret\": 4}, \"d\": {\"ind\\u0065x\": 7}}",
        shift, &count,
        "{\"index\":11,\"a\":[{\"index\":12,\"b\":3}],\"c\":{},\"d\":{\"ind\\u0065x\":17}}");
    assert_int_equal(count, 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_every_letter),
        cmocka_unit_test(hooks_change_members),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
