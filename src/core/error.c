// Filling a pliant_error. Texts may quote what a file holds, so they are cleaned here, once: errors
// are promised to be one line each.

#include "error.h"

#include <stdarg.h>
#include <stdio.h>

static void keep_one_line(char *text)
{
    for (; *text; ++text) {
        unsigned char c = (unsigned char)*text;
        if (c < 32 || c == 127)
            *text = '?';
    }
}

// `place` or an argument may point into *error, so that all is formatted before it is written.
static void fill(pliant_error *error, pliant_result code, const char *place, const char *format,
                 va_list arguments)
{
    if (!error)
        return;
    pliant_error filled = {.code = code};
    snprintf(filled.place, sizeof filled.place, "%s", place);
    vsnprintf(filled.message, sizeof filled.message, format, arguments);
    keep_one_line(filled.place);
    keep_one_line(filled.message);
    *error = filled;
}

pliant_result pli_error_set(pliant_error *error, pliant_result code, const char *place,
                            const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill(error, code, place, format, arguments);
    va_end(arguments);
    return code;
}

pliant_result pli_error_set_at(pliant_error *error, pliant_result code, const char *kind, int index,
                               const char *format, ...)
{
    char place[64];
    snprintf(place, sizeof place, "%s %d", kind, index);
    va_list arguments;
    va_start(arguments, format);
    fill(error, code, place, format, arguments);
    va_end(arguments);
    return code;
}

pliant_result pli_error_memory(pliant_error *error)
{
    return pli_error_set(error, PLIANT_ERROR_MEMORY, "", "out of memory");
}

const char *pliant_version(void)
{
    return PLIANT_VERSION_STRING;
}

const char *pliant_result_name(pliant_result result)
{
    switch (result) {
#define RESULT_CASE(name, text)                                                                    \
    case name:                                                                                     \
        return #name;
        PLIANT_RESULTS(RESULT_CASE)
#undef RESULT_CASE
    }
    return "unknown result";
}

const char *pliant_result_text(pliant_result result)
{
    switch (result) {
#define RESULT_CASE(name, text)                                                                    \
    case name:                                                                                     \
        return text;
        PLIANT_RESULTS(RESULT_CASE)
#undef RESULT_CASE
    }
    return "unknown result";
}
