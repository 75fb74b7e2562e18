// UTF-8, which is what text in JSON has to be.

#ifndef PLIANT_AUTHOR_IO_UTF8_H
#define PLIANT_AUTHOR_IO_UTF8_H

#include "io/slice.h"

// How many bytes the character at `at` has, 1 … 4; 0 when it is not one of UTF-8.
int pliant_utf8_length(const char *at, const char *end);

// A copy that is UTF-8 and terminated; NULL when memory runs out. Text that is not UTF-8 is taken as Latin-1.
char *pliant_utf8_copy(slice text);

#endif
