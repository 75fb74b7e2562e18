// The checker behind json.h: it goes over the text before it is split, because it can say what is
// wrong and where.

#ifndef PLIANT_AUTHOR_JSON_JSON_CHECK_H
#define PLIANT_AUTHOR_JSON_JSON_CHECK_H

#include <stdbool.h>

typedef struct json_checker {
    const char *at, *end; // set to the text by the caller, moved by the check
    int depth;
    int tokens;          // values and keys seen
    const char *problem; // what is wrong at `at`
} json_checker;

// True when the text is one object or array and nothing else.
bool pli_json_check(json_checker *checker);

// The four digits behind "\u", or -1.
int pli_json_read_hex4(const char *at, const char *end);

#endif
