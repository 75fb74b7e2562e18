// A piece of a text that lies elsewhere.

#ifndef PLIANT_AUTHOR_IO_SLICE_H
#define PLIANT_AUTHOR_IO_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct slice {
    const char *at; // not terminated; NULL only when the size is 0
    size_t size;
} slice;

static inline slice slice_of(const char *text)
{
    return (slice){text, strlen(text)};
}

static inline bool slice_equal(slice a, slice b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.at, b.at, a.size) == 0);
}

static inline bool slice_is(slice a, const char *text)
{
    return slice_equal(a, slice_of(text));
}

// For printf's "%.*s": no message has room for more.
static inline int slice_width(slice a)
{
    return a.size < 100 ? (int)a.size : 100;
}

#endif
