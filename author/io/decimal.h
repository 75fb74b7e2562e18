// Numbers as text, the same on every machine: the C library's strtod and printf follow the locale an
// engine may have set, and so may write or expect a comma.

#ifndef PLIANT_AUTHOR_IO_DECIMAL_H
#define PLIANT_AUTHOR_IO_DECIMAL_H

#include <stddef.h>

// Reads a number of JSON's grammar (RFC 8259) that is exactly `size` characters long. Correctly
// rounded for up to 19 significant digits; digits beyond those count only as "a little more", which
// can choose the wrong neighbour when the value is within 1e-19 (relative) of halfway between two.
// Too large numbers give ±infinity, too small ones ±0.
double pli_decimal_read(const char *text, size_t size);

// Room enough for any number written below.
#define DECIMAL_SIZE 32

// Writes the shortest text that reads back as the same float, zero-terminated, and returns its
// length. Text that is not a finite number cannot be written in JSON: those give "0".
size_t pli_decimal_write_float(char *text, float value);
// A whole number.
size_t pli_decimal_write_int(char *text, long long value);

#endif
