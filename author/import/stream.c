// Streams in. Apart from files, in whose place the Studio's page has a table.

#include <pliant/author.h>

#include "core/file.h"

pliant_result pliant_stream_read(FILE *stream, const char *place, void **data, size_t *size,
                                 pliant_error *error)
{
    return pli_core_read_stream(stream, place, data, size, error);
}
