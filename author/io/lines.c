// Statements, words and numbers of line-based text.

#include "io/lines.h"

#include "io/decimal.h"

#include <math.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static bool is_break(char c)
{
    return c == '\n' || c == '\r';
}

static void pass_break(line_reader *reader)
{
    const char *at = reader->at;
    reader->at += at[0] == '\r' && at + 1 < reader->end && at[1] == '\n' ? 2 : 1;
    ++reader->breaks;
}

static bool at_continuation(const line_reader *reader)
{
    return *reader->at == '\\' && reader->at + 1 < reader->end && is_break(reader->at[1]);
}

static void pass_continuation(line_reader *reader)
{
    ++reader->at;
    pass_break(reader);
}

static void pass_blanks(line_reader *reader)
{
    while (reader->at < reader->end) {
        if (is_blank(*reader->at))
            ++reader->at;
        else if (at_continuation(reader))
            pass_continuation(reader);
        else
            return;
    }
}

// To the break at the end of the line; a backslash means nothing in a comment.
static void pass_comment(line_reader *reader)
{
    while (reader->at < reader->end && !is_break(*reader->at))
        ++reader->at;
}

static void pass_statement(line_reader *reader)
{
    while (reader->at < reader->end && !is_break(*reader->at)) {
        if (*reader->at == '#')
            pass_comment(reader);
        else if (at_continuation(reader))
            pass_continuation(reader);
        else
            ++reader->at;
    }
}

line_reader pli_lines_begin(const char *text, size_t size)
{
    bool has_mark = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0;
    return (line_reader){.at = has_mark ? text + 3 : text, .end = text + size};
}

bool pli_lines_next(line_reader *reader)
{
    if (reader->is_inside)
        pass_statement(reader);
    reader->is_inside = false;
    for (;;) {
        pass_blanks(reader);
        if (reader->at == reader->end)
            return false;
        if (is_break(*reader->at)) {
            pass_break(reader);
        } else if (*reader->at == '#') {
            pass_comment(reader);
        } else {
            reader->line = reader->breaks + 1;
            reader->is_inside = true;
            return true;
        }
    }
}

bool pli_lines_word(line_reader *reader, slice *word)
{
    pass_blanks(reader);
    const char *begin = reader->at;
    if (begin == reader->end || is_break(*begin) || *begin == '#')
        return false;
    while (reader->at < reader->end && !is_blank(*reader->at) && !is_break(*reader->at) &&
           !at_continuation(reader))
        ++reader->at;
    *word = (slice){begin, (size_t)(reader->at - begin)};
    return true;
}

slice pli_lines_rest(line_reader *reader)
{
    while (reader->at < reader->end && is_blank(*reader->at))
        ++reader->at;
    const char *begin = reader->at;
    pass_comment(reader);
    const char *end = reader->at;
    while (end > begin && is_blank(end[-1]))
        --end;
    return (slice){begin, (size_t)(end - begin)};
}

// ---------------------------------------------------------------------------------------------
// Numbers

static const char *pass_digits(const char *at, const char *end)
{
    while (at < end && *at >= '0' && *at <= '9')
        ++at;
    return at;
}

static const char *pass_sign(const char *at, const char *end)
{
    return at < end && (*at == '+' || *at == '-') ? at + 1 : at;
}

// [+-] digits [. digits] [e [+-] digits], where digits may be missing on one side of the point.
static bool is_number(slice word)
{
    const char *end = word.at + word.size;
    const char *whole = pass_sign(word.at, end);
    const char *at = pass_digits(whole, end);
    ptrdiff_t digits = at - whole;
    if (at < end && *at == '.') {
        const char *fraction = at + 1;
        at = pass_digits(fraction, end);
        digits += at - fraction;
    }
    if (digits == 0)
        return false;
    if (at < end && (*at == 'e' || *at == 'E')) {
        const char *exponent = pass_sign(at + 1, end);
        at = pass_digits(exponent, end);
        if (at == exponent)
            return false;
    }
    return at == end;
}

bool pli_slice_float(slice word, float *value)
{
    if (!is_number(word))
        return false;
    size_t plus = *word.at == '+';
    float read = (float)pli_decimal_read(word.at + plus, word.size - plus);
    if (!isfinite(read))
        return false;
    *value = read;
    return true;
}

int pli_lines_floats(line_reader *reader, float *values, int most)
{
    int count = 0;
    for (; count < most; ++count) {
        line_reader ahead = *reader;
        slice word;
        if (!pli_lines_word(&ahead, &word) || !pli_slice_float(word, &values[count]))
            break;
        *reader = ahead;
    }
    return count;
}
