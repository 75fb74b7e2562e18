// JSON: right texts become the right tree, wrong ones an error with the right line and column.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "json/json.h"
#include "json/json_write.h"

#include <stdlib.h>
#include <string.h>

static json_document *parse(const char *text)
{
    pliant_error error = {0};
    json_document *document = pli_json_parse(text, strlen(text), &error);
    if (!document)
        fail_msg("%s: %s: %s", text, error.place, error.message);
    return document;
}

static void walks_a_tree(void **unused)
{
    (void)unused;
    json_document *d = parse(" {\"a\": [1, -2.5e1, [], {}], \"b\": {\"c\": true, \"d\": null},"
                             " \"e\": \"x\", \"a\": 7} ");
    json_value root = pli_json_root(d), a = pli_json_get(d, root, "a");
    assert_int_equal(pli_json_type_of(d, root), JSON_TYPE_OBJECT);
    assert_int_equal(pli_json_size(d, root), 4);
    assert_int_equal(pli_json_type_of(d, a), JSON_TYPE_ARRAY);
    assert_int_equal(pli_json_size(d, a), 4);
    assert_true(pli_json_number(d, pli_json_item(d, a, 0), 0.0) == 1.0);
    assert_true(pli_json_number(d, pli_json_item(d, a, 1), 0.0) == -25.0);
    assert_int_equal(pli_json_type_of(d, pli_json_item(d, a, 2)), JSON_TYPE_ARRAY);
    assert_int_equal(pli_json_size(d, pli_json_item(d, a, 3)), 0);
    assert_int_equal(pli_json_first(d, pli_json_item(d, a, 3)), JSON_NONE);
    assert_int_equal(pli_json_item(d, a, 4), JSON_NONE);
    assert_int_equal(pli_json_item(d, a, -1), JSON_NONE);
    json_value b = pli_json_get(d, root, "b");
    assert_true(pli_json_bool(d, pli_json_get(d, b, "c"), false));
    assert_int_equal(pli_json_type_of(d, pli_json_get(d, b, "d")), JSON_TYPE_NULL);
    assert_int_equal(pli_json_get(d, b, "e"), JSON_NONE);
    assert_true(pli_json_string_is(d, pli_json_get(d, root, "e"), "x"));
    pli_json_destroy(d);
}

static void iterates_keys_in_order(void **unused)
{
    (void)unused;
    json_document *d = parse("{\"x\": [[1], 2], \"y\": {\"z\": 3}, \"w\": 4}");
    const char *const names[] = {"x", "y", "w"};
    int count = 0;
    for (json_value k = pli_json_first(d, pli_json_root(d)); k != JSON_NONE;
         k = pli_json_next(d, k)) {
        assert_true(count < 3);
        assert_true(pli_json_string_is(d, k, names[count]));
        assert_int_equal(pli_json_member(d, k), pli_json_get(d, pli_json_root(d), names[count]));
        ++count;
    }
    assert_int_equal(count, 3);
    pli_json_destroy(d);
}

static void wrong_types_give_the_fallback(void **unused)
{
    (void)unused;
    json_document *d = parse("[\"1\", 1]");
    assert_true(pli_json_number(d, pli_json_item(d, 0, 0), 9.0) == 9.0);
    assert_true(pli_json_number(d, JSON_NONE, 9.0) == 9.0);
    assert_true(pli_json_bool(d, pli_json_item(d, 0, 1), true));
    assert_int_equal(pli_json_get(d, pli_json_root(d), "a"), JSON_NONE);
    assert_int_equal(pli_json_string(d, pli_json_item(d, 0, 1), NULL, 0), 0);
    pli_json_destroy(d);
}

static void decodes_strings(void **unused)
{
    (void)unused;
    json_document *d =
        parse("[\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\", \"\\u0041\\u00e9\\u20ac\\ud83d\\ude00\","
              " \"\xc3\xa9\"]");
    char text[64];
    assert_int_equal(pli_json_string(d, pli_json_item(d, 0, 0), text, sizeof text), 9);
    assert_string_equal(text, "a\"\\/\b\f\n\r\t");
    assert_int_equal(pli_json_string(d, pli_json_item(d, 0, 1), text, sizeof text), 10);
    assert_string_equal(text, "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    pli_json_string(d, pli_json_item(d, 0, 2), text, sizeof text);
    assert_string_equal(text, "\xc3\xa9");
    // Cut to what fits, with the whole length returned.
    assert_int_equal(pli_json_string(d, pli_json_item(d, 0, 0), text, 3), 9);
    assert_string_equal(text, "a\"");
    pli_json_destroy(d);
}

static void refuses_bad_texts(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *place;
    } cases[] = {
        {"", "1:1"},
        {"1", "1:1"},
        {"\"a\"", "1:1"},
        {"[", "1:2"},
        {"{", "1:2"},
        {"[1 2]", "1:4"},
        {"[1,]", "1:4"},
        {"[,1]", "1:2"},
        {"[1,,2]", "1:4"},
        {"{\"a\" 1}", "1:6"},
        {"{\"a\":1,}", "1:8"},
        {"{\"a\":}", "1:6"},
        {"{\"a\"}", "1:5"},
        {"{1:2}", "1:2"},
        {"{:1}", "1:2"},
        {"[\"a\":1]", "1:5"},
        {"[1}", "1:3"},
        {"{\"a\":1]", "1:7"},
        {"[1-2]", "1:3"},
        {"[01]", "1:3"},
        {"[1.]", "1:4"},
        {"[.5]", "1:2"},
        {"[+1]", "1:2"},
        {"[-]", "1:3"},
        {"[1e]", "1:4"},
        {"[0x1]", "1:3"},
        {"[tru]", "1:2"},
        {"[truee]", "1:6"},
        {"[nul", "1:2"},
        {"[NaN]", "1:2"},
        {"[-Infinity]", "1:3"},
        {"[1e999]", "1:2"},
        {"[1]x", "1:4"},
        {"[1][2]", "1:4"},
        {"[\"a]", "1:2"},
        {"[\"\\x\"]", "1:3"},
        {"[\"\\u12\"]", "1:3"},
        {"[\"\\u0000\"]", "1:3"},
        {"[\"\\ud800\"]", "1:3"},
        {"[\"\\udc00\"]", "1:3"},
        {"[\"\n\"]", "1:3"},
        {"[\"\xff\"]", "1:3"},
        {"[\"\xc0\x80\"]", "1:3"},
        {"[\"\xed\xa0\x80\"]", "1:3"},
        {"[1,\n\n  x]", "3:3"},
        {"[\"\xc3\xa9\", x]", "1:7"},
        {"\xef\xbb\xbf[]", "1:1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        pliant_error error = {0};
        json_document *d = pli_json_parse(cases[i].text, strlen(cases[i].text), &error);
        if (d || strcmp(error.place, cases[i].place) != 0)
            fail_msg("%s: %s instead of %s", cases[i].text, d ? "taken" : error.place,
                     cases[i].place);
        assert_int_equal(error.code, PLIANT_ERROR_FORMAT);
        assert_true(error.message[0] != 0);
    }
}

static void refuses_a_zero_byte(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    assert_null(pli_json_parse("[1\0]", 4, &error));
    assert_null(pli_json_parse("[1]\0", 4, NULL));
}

static void limits_the_depth(void **unused)
{
    (void)unused;
    char text[2 * JSON_MAX_DEPTH + 2];
    for (int extra = 0; extra < 2; ++extra) {
        size_t depth = (size_t)(JSON_MAX_DEPTH + extra);
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        json_document *d = pli_json_parse(text, 2 * depth, NULL);
        assert_int_equal(d == NULL, extra);
        pli_json_destroy(d);
    }
}

// No beginning of a right text is right, but the whole.
static void survives_truncation(void **unused)
{
    (void)unused;
    static const char text[] =
        "{\"a\": [1, true, \"\\ud83d\\ude00\", {\"b\": -1.5e-3}], \"c\": null}";
    for (size_t size = 0; size + 1 < sizeof text; ++size) {
        // An exact copy, so that a sanitizer sees reading beyond the end.
        char *copy = malloc(size + 1);
        memcpy(copy, text, size);
        char *exact = realloc(copy, size ? size : 1);
        json_document *d = pli_json_parse(exact, size, NULL);
        assert_int_equal(d != NULL, size == sizeof text - 1);
        pli_json_destroy(d);
        free(exact);
    }
}

static void writes_what_it_reads(void **unused)
{
    (void)unused;
    json_writer w = {0};
    const float values[] = {0.1f, -2.0f};
    pli_json_begin_object(&w, NULL);
    pli_json_write_string(&w, "a\"", "x\n\\\xc3\xa9");
    pli_json_write_int(&w, "b", -5);
    pli_json_write_bool(&w, "c", true);
    pli_json_write_floats(&w, "d", values, 2);
    pli_json_begin_array(&w, "e");
    pli_json_write_raw(&w, "", 0);
    pli_json_write_raw(&w, "1,2", 3);
    pli_json_begin_object(&w, NULL);
    pli_json_end_object(&w);
    pli_json_end_array(&w);
    pli_json_end_object(&w);
    assert_false(w.failed);
    assert_string_equal(w.data, "{\"a\\\"\":\"x\\u000a\\\\\xc3\xa9\",\"b\":-5,\"c\":true,"
                                "\"d\":[0.1,-2],\"e\":[1,2,{}]}");
    json_document *d = parse(w.data);
    char text[16];
    pli_json_string(d, pli_json_get(d, 0, "a\""), text, sizeof text);
    assert_string_equal(text, "x\n\\\xc3\xa9");
    pli_json_destroy(d);
    pli_json_writer_release(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_a_tree),
        cmocka_unit_test(iterates_keys_in_order),
        cmocka_unit_test(wrong_types_give_the_fallback),
        cmocka_unit_test(decodes_strings),
        cmocka_unit_test(refuses_bad_texts),
        cmocka_unit_test(refuses_a_zero_byte),
        cmocka_unit_test(limits_the_depth),
        cmocka_unit_test(survives_truncation),
        cmocka_unit_test(writes_what_it_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
