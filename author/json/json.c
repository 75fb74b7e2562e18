// Reading JSON. A checker of our own (json_check.c) goes over the text first, because it can say what is wrong and
// at which line and column; jsmn, which is lenient about the structure between tokens, then only has
// to split text that is known to be right.

#include "json.h"

#include "core/error.h"
#include "io/decimal.h"
#include "json_check.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define JSMN_STATIC
#define JSMN_STRICT
#define JSMN_PARENT_LINKS
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wtype-limits"
#endif
#include <jsmn.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

struct json_document {
    const char *text;
    int count;
    jsmntok_t *tokens;
    int *ends;        // per token: the index after the last token inside it
    bool has_escapes; // anywhere: without any, strings are as they are written
};

static void fail_at(pliant_error *error, const char *text, const char *at, const char *message)
{
    int line = 1, column = 1;
    for (; text < at; ++text) {
        if (*text == '\n') {
            ++line;
            column = 1;
        } else if (((unsigned char)*text & 0xc0) != 0x80) {
            ++column; // characters, not bytes
        }
    }
    char place[2 * DECIMAL_SIZE];
    size_t size = pli_decimal_write_int(place, line);
    place[size++] = ':';
    pli_decimal_write_int(place + size, column);
    pli_error_set(error, PLIANT_ERROR_FORMAT, place, "%s", message);
}

// A token's descendants follow it directly, so that the last one's index tells where it ends.
static void find_ends(json_document *document)
{
    for (int i = 0; i < document->count; ++i)
        document->ends[i] = i + 1;
    for (int i = document->count - 1; i > 0; --i) {
        int parent = document->tokens[i].parent;
        if (parent >= 0 && document->ends[parent] < document->ends[i])
            document->ends[parent] = document->ends[i];
    }
}

json_document *pli_json_parse(const char *text, size_t size, pliant_error *error)
{
    if (size > INT_MAX / 2) {
        pli_error_set(error, PLIANT_ERROR_FORMAT, "", "the text is longer than a gigabyte");
        return NULL;
    }
    json_checker c = {.at = text, .end = text + size};
    if (!pli_json_check(&c)) {
        fail_at(error, text, c.at, c.problem);
        return NULL;
    }
    json_document *document = calloc(1, sizeof *document);
    jsmntok_t *tokens = malloc((size_t)c.tokens * sizeof *tokens);
    int *ends = malloc((size_t)c.tokens * sizeof *ends);
    if (!document || !tokens || !ends) {
        free(document);
        free(tokens);
        free(ends);
        pli_error_memory(error);
        return NULL;
    }
    *document = (json_document){text, c.tokens, tokens, ends, memchr(text, '\\', size) != NULL};
    jsmn_parser parser;
    jsmn_init(&parser);
    if (jsmn_parse(&parser, text, size, tokens, (unsigned)c.tokens) != c.tokens) {
        pli_json_destroy(document);
        pli_error_set(error, PLIANT_ERROR_FORMAT, "", "the text cannot be split into values");
        return NULL;
    }
    find_ends(document);
    return document;
}

void pli_json_destroy(json_document *document)
{
    if (!document)
        return;
    free(document->tokens);
    free(document->ends);
    free(document);
}

json_value pli_json_root(const json_document *document)
{
    (void)document;
    return 0;
}

json_type pli_json_type_of(const json_document *document, json_value value)
{
    if (value < 0)
        return JSON_TYPE_NONE;
    const jsmntok_t *token = &document->tokens[value];
    switch (token->type) {
    case JSMN_OBJECT:
        return JSON_TYPE_OBJECT;
    case JSMN_ARRAY:
        return JSON_TYPE_ARRAY;
    case JSMN_STRING:
        return JSON_TYPE_STRING;
    default:
        break;
    }
    char first = document->text[token->start];
    return first == 'n'                   ? JSON_TYPE_NULL
           : first == 't' || first == 'f' ? JSON_TYPE_BOOL
                                          : JSON_TYPE_NUMBER;
}

const char *pli_json_type_name(json_type type)
{
    static const char *const names[] = {"nothing",  "null",     "a bool",   "a number",
                                        "a string", "an array", "an object"};
    return names[type];
}

static bool is_container(const json_document *document, json_value value)
{
    json_type type = pli_json_type_of(document, value);
    return type == JSON_TYPE_ARRAY || type == JSON_TYPE_OBJECT;
}

int pli_json_size(const json_document *document, json_value value)
{
    return is_container(document, value) ? document->tokens[value].size : 0;
}

json_value pli_json_first(const json_document *document, json_value container)
{
    return pli_json_size(document, container) > 0 ? container + 1 : JSON_NONE;
}

json_value pli_json_next(const json_document *document, json_value item_or_key)
{
    if (item_or_key <= 0)
        return JSON_NONE;
    // A key holds its value, as jsmn sees it, so that one rule serves items and keys.
    int parent = document->tokens[item_or_key].parent;
    int next = document->ends[item_or_key];
    return parent >= 0 && next < document->ends[parent] ? next : JSON_NONE;
}

json_value pli_json_member(const json_document *document, json_value key)
{
    return key > 0 && document->tokens[key].size == 1 ? key + 1 : JSON_NONE;
}

json_value pli_json_item(const json_document *document, json_value array, int index)
{
    if (pli_json_type_of(document, array) != JSON_TYPE_ARRAY || index < 0)
        return JSON_NONE;
    json_value item = pli_json_first(document, array);
    for (int i = 0; i < index && item != JSON_NONE; ++i)
        item = pli_json_next(document, item);
    return item;
}

double pli_json_number(const json_document *document, json_value value, double fallback)
{
    if (pli_json_type_of(document, value) != JSON_TYPE_NUMBER)
        return fallback;
    const jsmntok_t *token = &document->tokens[value];
    return pli_decimal_read(document->text + token->start, (size_t)(token->end - token->start));
}

bool pli_json_bool(const json_document *document, json_value value, bool fallback)
{
    if (pli_json_type_of(document, value) != JSON_TYPE_BOOL)
        return fallback;
    return document->text[document->tokens[value].start] == 't';
}

static int encode_utf8(int code, char bytes[4])
{
    if (code < 0x80) {
        bytes[0] = (char)code;
        return 1;
    }
    int size = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const int marks[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (int i = size - 1; i > 0; --i) {
        bytes[i] = (char)(0x80 | (code & 0x3f));
        code >>= 6;
    }
    bytes[0] = (char)(marks[size] | code);
    return size;
}

// Decodes the escape at *at, which the checker has found right, and moves behind it.
static int decode_escape(const char **at, const char *end, char bytes[4])
{
    static const char kinds[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    char kind = (*at)[1];
    if (kind != 'u') {
        bytes[0] = meanings[strchr(kinds, kind) - kinds];
        *at += 2;
        return 1;
    }
    int code = pli_json_read_hex4(*at + 2, end);
    *at += 6;
    if (code >= 0xd800 && code <= 0xdbff) {
        code = 0x10000 + ((code - 0xd800) << 10) + (pli_json_read_hex4(*at + 2, end) - 0xdc00);
        *at += 6;
    }
    return encode_utf8(code, bytes);
}

size_t pli_json_string(const json_document *document, json_value value, char *buffer,
                       size_t capacity)
{
    size_t length = 0, written = 0;
    if (pli_json_type_of(document, value) == JSON_TYPE_STRING) {
        const char *at = document->text + document->tokens[value].start;
        const char *end = document->text + document->tokens[value].end;
        while (at < end) {
            char bytes[4];
            int count = 1;
            if (*at == '\\')
                count = decode_escape(&at, end, bytes);
            else
                bytes[0] = *at++;
            for (int i = 0; i < count; ++i, ++length) {
                if (length + 1 < capacity)
                    buffer[written++] = bytes[i];
            }
        }
    }
    if (capacity > 0)
        buffer[written] = 0;
    return length;
}

static bool string_is(const json_document *document, json_value value, const char *text,
                      size_t length)
{
    const jsmntok_t *token = &document->tokens[value];
    const char *written = document->text + token->start;
    size_t size = (size_t)(token->end - token->start);
    if (!document->has_escapes)
        return size == length && memcmp(written, text, size) == 0;
    char buffer[128];
    return size >= length && length < sizeof buffer &&
           pli_json_string(document, value, buffer, sizeof buffer) == length &&
           memcmp(buffer, text, length) == 0;
}

bool pli_json_string_is(const json_document *document, json_value value, const char *text)
{
    return pli_json_type_of(document, value) == JSON_TYPE_STRING &&
           string_is(document, value, text, strlen(text));
}

json_value pli_json_get(const json_document *document, json_value object, const char *key)
{
    if (pli_json_type_of(document, object) != JSON_TYPE_OBJECT)
        return JSON_NONE;
    size_t length = strlen(key);
    for (json_value k = pli_json_first(document, object); k != JSON_NONE;
         k = pli_json_next(document, k)) {
        if (string_is(document, k, key, length))
            return pli_json_member(document, k);
    }
    return JSON_NONE;
}

const char *pli_json_raw(const json_document *document, json_value value, size_t *size)
{
    *size = 0;
    if (value < 0)
        return NULL;
    const jsmntok_t *token = &document->tokens[value];
    int quote = token->type == JSMN_STRING;
    *size = (size_t)(token->end - token->start + 2 * quote);
    return document->text + token->start - quote;
}
