// Whole files in and out, for both libraries. Nothing in a step comes here.

#ifndef PLIANT_CORE_FILE_H
#define PLIANT_CORE_FILE_H

#include <pliant/base.h>

#include <stdio.h>

// All that is left in `stream`, with one zero byte behind it that *size does not count; free() it.
// `place` is what an error names.
pliant_result pli_core_read_stream(FILE *stream, const char *place, void **data, size_t *size,
                                   pliant_error *error);
// The same for a file.
pliant_result pli_core_read_file(const char *path, void **data, size_t *size, pliant_error *error);

// Writes to a new file in the same folder, which then takes the name: whatever happens on the way, an
// existing file keeps its old content or has all of the new one. A symbolic link stays one and its
// target is written; a device or a pipe is written into; a write-protected file is an error.
pliant_result pli_core_write_file(const char *path, const void *data, size_t size,
                                  pliant_error *error);

#endif
