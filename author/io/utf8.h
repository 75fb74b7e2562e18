// UTF-8, which is what text in JSON has to be.

#ifndef PLIANT_AUTHOR_IO_UTF8_H
#define PLIANT_AUTHOR_IO_UTF8_H

#include "io/slice.h"

// How many bytes the character at `at` has, 1 … 4; 0 when it is not one of UTF-8.
int pli_utf8_length(const char *at, const char *end);

// Copies as many whole characters as there is room for with a zero behind them; bytes that are none count as one each.
// Returns how many bytes these are.
size_t pli_utf8_cut(char *to, size_t room, const char *text);

// A copy that is UTF-8 and terminated; NULL when memory runs out. Text that is not UTF-8 is taken as Latin-1.
char *pli_utf8_copy(slice text);

#endif
