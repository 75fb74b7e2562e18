// How the author library fills a pliant_error: one call that formats, keeps both strings to one line
// and returns the code, so that a failure reads `return error_fail(error, …)`.

#ifndef PLIANT_AUTHOR_IO_FAIL_H
#define PLIANT_AUTHOR_IO_FAIL_H

#include <pliant/base.h>

#if defined(__GNUC__)
#define FAIL_FORMAT(text, first) __attribute__((format(printf, text, first)))
#else
#define FAIL_FORMAT(text, first)
#endif

// `error` may be NULL. Control characters in either string (they can come from a file) become '?'.
pliant_result error_fail(pliant_error *error, pliant_result code, const char *place,
                         const char *format, ...) FAIL_FORMAT(4, 5);

// The same for running out of memory.
pliant_result error_memory(pliant_error *error);

#endif
