// Filling a pliant_error. Texts may quote what a file holds, so they are cleaned here, once: errors
// are promised to be one line each.

#include "io/fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void keep_one_line(char *text)
{
    for (; *text; ++text) {
        unsigned char c = (unsigned char)*text;
        if (c < 32 || c == 127)
            *text = '?';
    }
}

pliant_result error_fail(pliant_error *error, pliant_result code, const char *place,
                         const char *format, ...)
{
    if (!error)
        return code;
    // `place` or an argument may point into *error, so that all is formatted before it is written.
    pliant_error filled = {.code = code};
    snprintf(filled.place, sizeof filled.place, "%s", place);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(filled.message, sizeof filled.message, format, arguments);
    va_end(arguments);
    keep_one_line(filled.place);
    keep_one_line(filled.message);
    *error = filled;
    return code;
}

pliant_result error_memory(pliant_error *error)
{
    return error_fail(error, PLIANT_ERROR_MEMORY, "", "out of memory");
}
