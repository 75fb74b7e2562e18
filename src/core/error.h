// One way to fill a pliant_error, so that a failure reads `return pli_error_set(error, …)`.

#ifndef PLIANT_CORE_ERROR_H
#define PLIANT_CORE_ERROR_H

#include <pliant/base.h>

#define ERROR_FORMAT(text, first) __attribute__((format(printf, text, first)))

// Writes code, place and message into *error (which may be NULL) and returns the code. Control
// characters in either text (they can come from a file) become '?'.
pliant_result pli_error_set(pliant_error *error, pliant_result code, const char *place,
                            const char *format, ...) ERROR_FORMAT(4, 5);

// The same for an element with a number: the place becomes "edge 17".
pliant_result pli_error_set_at(pliant_error *error, pliant_result code, const char *kind, int index,
                               const char *format, ...) ERROR_FORMAT(5, 6);

// The same for memory that ran out; there is no place to tell.
pliant_result pli_error_memory(pliant_error *error);

#endif
