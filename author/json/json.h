// Reading JSON: text that obeys RFC 8259 to the letter becomes a tree that is walked with small
// integer handles. For scenes, glTF and reference data; writing is in json_write.h.

#ifndef PLIANT_AUTHOR_JSON_JSON_H
#define PLIANT_AUTHOR_JSON_JSON_H

#include <pliant/base.h>

typedef struct json_document json_document;

// One value of a document. JSON_NONE stands for "not there"; every function below accepts it.
typedef int json_value;
#define JSON_NONE (-1)

// Arrays and objects may be nested this deep.
#define JSON_MAX_DEPTH 64

typedef enum json_type {
    JSON_TYPE_NONE,
    JSON_TYPE_NULL,
    JSON_TYPE_BOOL,
    JSON_TYPE_NUMBER,
    JSON_TYPE_STRING,
    JSON_TYPE_ARRAY,
    JSON_TYPE_OBJECT,
} json_type;

// The whole text must be one object or array. A syntax error's place is "line:column". Besides what
// the RFC says these are errors: numbers a double cannot hold, text that is not UTF-8, and \u0000.
// The document refers to `text`, which must outlive it.
json_document *pli_json_parse(const char *text, size_t size, pliant_error *error);
void pli_json_destroy(json_document *document);

json_value pli_json_root(const json_document *document);
json_type pli_json_type_of(const json_document *document, json_value value);
// "an array", "a number", …; for messages.
const char *pli_json_type_name(json_type type);
// Items of an array or members of an object; 0 for everything else.
int pli_json_size(const json_document *document, json_value value);

// The value of an object's member (the first, if a key is there twice), or JSON_NONE.
json_value pli_json_get(const json_document *document, json_value object, const char *key);
// An array's item, or JSON_NONE. Takes time in proportion to the index: walk with json_first.
json_value pli_json_item(const json_document *document, json_value array, int index);

// Walking: the first item of an array or key of an object, the one after it, and a key's value.
json_value pli_json_first(const json_document *document, json_value container);
json_value pli_json_next(const json_document *document, json_value item_or_key);
json_value pli_json_member(const json_document *document, json_value key);

// `fallback` for what is not a number (or bool).
double pli_json_number(const json_document *document, json_value value, double fallback);
bool pli_json_bool(const json_document *document, json_value value, bool fallback);
// Decodes a string or key into `buffer`, cut to `capacity` - 1 bytes and terminated. Returns the
// whole decoded length, 0 for what is not a string. `buffer` may be NULL when `capacity` is 0.
size_t pli_json_string(const json_document *document, json_value value, char *buffer,
                       size_t capacity);
bool pli_json_string_is(const json_document *document, json_value value, const char *text);

// A value or key as it stands in the text, strings with their quotes; NULL and size 0 for JSON_NONE.
const char *pli_json_raw(const json_document *document, json_value value, size_t *size);

#endif
