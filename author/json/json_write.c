// Writing JSON text into memory.

#include "json_write.h"

#include "io/decimal.h"

#include <stdlib.h>
#include <string.h>

static void append(json_writer *writer, const char *text, size_t size)
{
    if (writer->failed)
        return;
    if (writer->capacity - writer->size <= size) {
        size_t capacity = writer->capacity * 2 + size + 256;
        char *data = realloc(writer->data, capacity);
        if (!data) {
            writer->failed = true;
            return;
        }
        writer->data = data;
        writer->capacity = capacity;
    }
    memcpy(writer->data + writer->size, text, size);
    writer->size += size;
    writer->data[writer->size] = 0;
}

static void append_quoted(json_writer *writer, const char *text)
{
    append(writer, "\"", 1);
    for (; *text; ++text) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') {
            append(writer, "\\", 1);
            append(writer, text, 1);
        } else if (c < 32) {
            static const char hex[] = "0123456789abcdef";
            char escape[6] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
            append(writer, escape, sizeof escape);
        } else {
            append(writer, text, 1);
        }
    }
    append(writer, "\"", 1);
}

static void begin_element(json_writer *writer, const char *key)
{
    if (writer->comma)
        append(writer, ",", 1);
    writer->comma = true;
    if (key) {
        append_quoted(writer, key);
        append(writer, ":", 1);
    }
}

void pli_json_writer_release(json_writer *writer)
{
    free(writer->data);
    *writer = (json_writer){0};
}

void pli_json_begin_object(json_writer *writer, const char *key)
{
    begin_element(writer, key);
    append(writer, "{", 1);
    writer->comma = false;
}

void pli_json_end_object(json_writer *writer)
{
    append(writer, "}", 1);
    writer->comma = true;
}

void pli_json_begin_array(json_writer *writer, const char *key)
{
    begin_element(writer, key);
    append(writer, "[", 1);
    writer->comma = false;
}

void pli_json_end_array(json_writer *writer)
{
    append(writer, "]", 1);
    writer->comma = true;
}

void pli_json_write_string(json_writer *writer, const char *key, const char *value)
{
    begin_element(writer, key);
    append_quoted(writer, value);
}

void pli_json_write_bool(json_writer *writer, const char *key, bool value)
{
    begin_element(writer, key);
    append(writer, value ? "true" : "false", value ? 4 : 5);
}

void pli_json_write_int(json_writer *writer, const char *key, int64_t value)
{
    char text[DECIMAL_SIZE];
    begin_element(writer, key);
    append(writer, text, pli_decimal_write_int(text, value));
}

void pli_json_write_float(json_writer *writer, const char *key, float value)
{
    char text[DECIMAL_SIZE];
    begin_element(writer, key);
    append(writer, text, pli_decimal_write_float(text, value));
}

void pli_json_write_floats(json_writer *writer, const char *key, const float *values, int count)
{
    pli_json_begin_array(writer, key);
    for (int i = 0; i < count; ++i)
        pli_json_write_float(writer, NULL, values[i]);
    pli_json_end_array(writer);
}

void pli_json_write_raw(json_writer *writer, const char *text, size_t size)
{
    if (size == 0)
        return;
    begin_element(writer, NULL);
    append(writer, text, size);
}

void pli_json_write_list(json_writer *writer, const char *key, const json_writer *elements)
{
    if (elements->size == 0)
        return;
    pli_json_begin_array(writer, key);
    pli_json_write_raw(writer, elements->data, elements->size);
    pli_json_end_array(writer);
}

void pli_json_write_raw_key(json_writer *writer, const char *text, size_t size)
{
    begin_element(writer, NULL);
    append(writer, text, size);
    append(writer, ":", 1);
    writer->comma = false;
}
