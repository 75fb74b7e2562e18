// What readers could live with.

#include "core/error.h"
#include "gltf/gltf.h"

#include <stdarg.h>
#include <stdio.h>

void pli_remark_add(pliant_remarks *remarks, const char *place, const char *format, ...)
{
    if (!remarks)
        return;
    if (remarks->count < PLIANT_MOST_REMARKS) {
        char message[sizeof remarks->first[0].message];
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(message, sizeof message, format, arguments);
        va_end(arguments);
        // An error is cleaned of control characters, which a remark needs as well.
        pliant_error clean;
        pli_error_set(&clean, PLIANT_OK, place, "%s", message);
        pliant_remark *remark = &remarks->first[remarks->count];
        snprintf(remark->place, sizeof remark->place, "%s", clean.place);
        snprintf(remark->message, sizeof remark->message, "%s", clean.message);
    }
    if (remarks->count < INT32_MAX)
        ++remarks->count;
}
