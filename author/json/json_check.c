// Is this text JSON, as RFC 8259 says? One function per rule of the grammar; each moves `at` behind
// what it has checked and returns false at the first fault, with `at` on it.

#include "json_check.h"

#include "io/decimal.h"
#include "io/utf8.h"
#include "json.h"

#include <math.h>
#include <string.h>

static bool problem(json_checker *c, const char *text)
{
    c->problem = text;
    return false;
}

static bool at_char(const json_checker *c, char wanted)
{
    return c->at < c->end && *c->at == wanted;
}

static bool at_digit(const json_checker *c)
{
    return c->at < c->end && *c->at >= '0' && *c->at <= '9';
}

static void skip_space(json_checker *c)
{
    while (at_char(c, ' ') || at_char(c, '\t') || at_char(c, '\n') || at_char(c, '\r'))
        ++c->at;
}

static bool skip_digits(json_checker *c)
{
    if (!at_digit(c))
        return problem(c, "expected a digit");
    while (at_digit(c))
        ++c->at;
    return true;
}

static bool check_number(json_checker *c)
{
    const char *begin = c->at;
    c->at += at_char(c, '-');
    if (at_char(c, '0'))
        ++c->at;
    else if (!skip_digits(c))
        return problem(c, "expected a digit (NaN and Infinity are not JSON)");
    if (at_char(c, '.')) {
        ++c->at;
        if (!skip_digits(c))
            return false;
    }
    if (at_char(c, 'e') || at_char(c, 'E')) {
        ++c->at;
        c->at += at_char(c, '-') || at_char(c, '+');
        if (!skip_digits(c))
            return false;
    }
    if (!isfinite(pli_decimal_read(begin, (size_t)(c->at - begin)))) {
        c->at = begin;
        return problem(c, "number out of range");
    }
    return true;
}

static bool check_literal(json_checker *c, const char *literal)
{
    size_t size = strlen(literal);
    if ((size_t)(c->end - c->at) < size || memcmp(c->at, literal, size) != 0)
        return problem(c, "expected a value (true, false or null in full)");
    c->at += size;
    return true;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

int pli_json_read_hex4(const char *at, const char *end)
{
    if (end - at < 4)
        return -1;
    int code = 0;
    for (int i = 0; i < 4; ++i) {
        int digit = hex_digit(at[i]);
        if (digit < 0)
            return -1;
        code = code * 16 + digit;
    }
    return code;
}

static bool check_escape(json_checker *c)
{
    if (c->end - c->at < 2)
        return problem(c, "the string does not end");
    char kind = c->at[1];
    if (kind != 'u') {
        if (kind == 0 || !strchr("\"\\/bfnrt", kind))
            return problem(c, "unknown escape");
        c->at += 2;
        return true;
    }
    int code = pli_json_read_hex4(c->at + 2, c->end);
    if (code < 0)
        return problem(c, "expected four hexadecimal digits behind \\u");
    if (code == 0)
        return problem(c, "\\u0000 is not allowed");
    if (code >= 0xdc00 && code <= 0xdfff)
        return problem(c, "half of a surrogate pair");
    if (code >= 0xd800 && code <= 0xdbff) {
        bool escape = c->end - c->at >= 12 && c->at[6] == '\\' && c->at[7] == 'u';
        int low = escape ? pli_json_read_hex4(c->at + 8, c->end) : -1;
        if (low < 0xdc00 || low > 0xdfff)
            return problem(c, "half of a surrogate pair");
        c->at += 6;
    }
    c->at += 6;
    return true;
}

// One character beyond ASCII: shortest form, no surrogates, at most U+10FFFF.
static bool check_utf8(json_checker *c)
{
    int size = pli_utf8_length(c->at, c->end);
    if (size == 0)
        return problem(c, "the text is not UTF-8");
    c->at += size;
    return true;
}

static bool check_string(json_checker *c)
{
    const char *begin = c->at++;
    while (c->at < c->end && *c->at != '"') {
        unsigned char byte = (unsigned char)*c->at;
        if (byte < 32)
            return problem(c, "control character in a string");
        if (byte == '\\') {
            if (!check_escape(c))
                return false;
        } else if (byte < 128) {
            ++c->at;
        } else if (!check_utf8(c)) {
            return false;
        }
    }
    if (c->at == c->end) {
        c->at = begin;
        return problem(c, "the string does not end");
    }
    ++c->at;
    return true;
}

static bool check_value(json_checker *c);

static bool check_key(json_checker *c)
{
    if (!at_char(c, '"'))
        return problem(c, "expected a key in double quotes");
    ++c->tokens;
    if (!check_string(c))
        return false;
    skip_space(c);
    if (!at_char(c, ':'))
        return problem(c, "expected ':' behind the key");
    ++c->at;
    return true;
}

static bool check_container(json_checker *c, char close)
{
    if (++c->depth > JSON_MAX_DEPTH)
        return problem(c, "nested too deeply");
    ++c->at;
    skip_space(c);
    for (bool first = true; !at_char(c, close); first = false) {
        if (!first) {
            if (!at_char(c, ','))
                return problem(c, close == '}' ? "expected ',' or '}'" : "expected ',' or ']'");
            ++c->at;
            skip_space(c);
        }
        if (close == '}' && !check_key(c))
            return false;
        if (!check_value(c))
            return false;
        skip_space(c);
    }
    ++c->at;
    --c->depth;
    return true;
}

static bool check_value(json_checker *c)
{
    skip_space(c);
    if (c->at == c->end)
        return problem(c, "the text ends too early");
    ++c->tokens;
    switch (*c->at) {
    case '{':
        return check_container(c, '}');
    case '[':
        return check_container(c, ']');
    case '"':
        return check_string(c);
    case 't':
        return check_literal(c, "true");
    case 'f':
        return check_literal(c, "false");
    case 'n':
        return check_literal(c, "null");
    case 'N':
    case 'I':
        return problem(c, "expected a value (NaN and Infinity are not JSON)");
    default:
        if (*c->at == '-' || at_digit(c))
            return check_number(c);
        return problem(c, "expected a value");
    }
}

bool pli_json_check(json_checker *c)
{
    skip_space(c);
    if (!at_char(c, '{') && !at_char(c, '['))
        return problem(c, "expected '{' or '['");
    if (!check_value(c))
        return false;
    skip_space(c);
    if (c->at != c->end)
        return problem(c, "expected nothing behind the document");
    return true;
}
