// Copying JSON from a document into a writer: all but the white space stays as it is, numbers and strings
// to the letter and members in their order, save for those a hook takes into its own hands.

#ifndef PLIANT_AUTHOR_JSON_JSON_COPY_H
#define PLIANT_AUTHOR_JSON_JSON_COPY_H

#include "json.h"
#include "json_write.h"

typedef struct json_copy json_copy;

// Called for each member of each object inside what is copied. True when it has dealt with the member: it
// wrote the key and a value, or nothing, which leaves the member out.
typedef bool json_copy_hook(const json_copy *copy, json_value object, json_value key);

struct json_copy {
    const json_document *json;
    json_writer *writer;
    json_copy_hook *replace; // NULL copies all
    void *context;           // the hook's own
};

// A value, as an item of the array that is open, or behind a key.
void pli_json_copy_value(const json_copy *copy, json_value value);
// The members of an object into the one that is open; the items of an array likewise.
void pli_json_copy_inside(const json_copy *copy, json_value container);
// A key, for a hook that writes another value behind it.
void pli_json_copy_key(const json_copy *copy, json_value key);

#endif
