// Writing JSON: a growing text with the commas, quotes and escapes in the right places. Equal calls
// give equal bytes on every machine.

#ifndef PLIANT_AUTHOR_JSON_JSON_WRITE_H
#define PLIANT_AUTHOR_JSON_JSON_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Zero-initialise to begin. When memory runs out `failed` stays true and nothing more is written, so
// that it is enough to look once at the end.
typedef struct json_writer {
    char *data; // terminated; free with json_writer_release
    size_t size, capacity;
    bool failed;
    bool comma; // the next element needs one in front
} json_writer;

void pli_json_writer_release(json_writer *writer);

// `key` is NULL for items of arrays and for the root.
void pli_json_begin_object(json_writer *writer, const char *key);
void pli_json_end_object(json_writer *writer);
void pli_json_begin_array(json_writer *writer, const char *key);
void pli_json_end_array(json_writer *writer);
void pli_json_write_string(json_writer *writer, const char *key, const char *value);
void pli_json_write_bool(json_writer *writer, const char *key, bool value);
void pli_json_write_int(json_writer *writer, const char *key, int64_t value);
// Numbers that are not finite, which JSON cannot say, become 0.
void pli_json_write_float(json_writer *writer, const char *key, float value);
void pli_json_write_floats(json_writer *writer, const char *key, const float *values, int count);
// Text that is JSON already: the elements of an array, say. Empty text writes nothing.
void pli_json_write_raw(json_writer *writer, const char *text, size_t size);
// A member that is an array of elements written elsewhere; nothing where there are none.
void pli_json_write_list(json_writer *writer, const char *key, const json_writer *elements);
// A member's key that is JSON already, with its quotes; its value is written next, without a key.
void pli_json_write_raw_key(json_writer *writer, const char *text, size_t size);

#endif
