// GLBs put together and taken apart by hand.

#ifndef PLIANT_TESTS_GLB_H
#define PLIANT_TESTS_GLB_H

#include "test.h"

typedef struct glb_file {
    void *data; // free() it
    size_t size;
} glb_file;

static inline unsigned char *glb_put(unsigned char *at, size_t value)
{
    for (int i = 0; i < 4; ++i)
        *at++ = (unsigned char)(value >> (8 * i));
    return at;
}

static inline size_t glb_get(const unsigned char *at)
{
    return (size_t)at[0] | (size_t)at[1] << 8 | (size_t)at[2] << 16 | (size_t)at[3] << 24;
}

// Without a binary chunk where `binary` is NULL.
static inline glb_file glb_make(const char *json, const void *binary, size_t size)
{
    size_t length = strlen(json), text = (length + 3) / 4 * 4, bytes = (size + 3) / 4 * 4;
    glb_file file = {.size = 20 + text + (binary ? 8 + bytes : 0)};
    unsigned char *at = calloc(1, file.size);
    assert_non_null(at);
    file.data = at;
    memcpy(at, "glTF", 4);
    at = glb_put(glb_put(glb_put(at + 4, 2), file.size), text);
    memcpy(at, "JSON", 4);
    memset(at + 4, ' ', text);
    memcpy(at + 4, json, length);
    if (binary) {
        at = glb_put(at + 4 + text, bytes);
        memcpy(at, "BIN", 4);
        memcpy(at + 4, binary, size);
    }
    return file;
}

// The text, without the spaces behind it, in memory of the test's own.
static inline char *glb_json(glb_file file)
{
    const unsigned char *bytes = file.data;
    assert_memory_equal(bytes, "glTF", 4);
    assert_int_equal(glb_get(bytes + 8), file.size);
    size_t length = glb_get(bytes + 12);
    while (length > 0 && bytes[19 + length] == ' ')
        --length;
    char *text = calloc(1, length + 1);
    assert_non_null(text);
    memcpy(text, bytes + 20, length);
    return text;
}

static inline const unsigned char *glb_binary(glb_file file, size_t *size)
{
    const unsigned char *bytes = file.data;
    size_t length = glb_get(bytes + 12);
    *size = glb_get(bytes + 20 + length);
    assert_memory_equal(bytes + 24 + length, "BIN\0", 4);
    return bytes + 28 + length;
}

static inline void assert_same_file(glb_file a, glb_file b)
{
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.data, b.data, a.size);
}

// A data URI of bytes; there is room for some three hundred.
static inline const char *glb_data_uri(const char *type, const void *data, size_t size,
                                       char uri[512])
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *bytes = data;
    char *at = uri + snprintf(uri, 512, "data:%s;base64,", type);
    for (size_t i = 0; i < size; i += 3) {
        unsigned group = (unsigned)bytes[i] << 16;
        group |= i + 1 < size ? (unsigned)bytes[i + 1] << 8 : 0;
        group |= i + 2 < size ? bytes[i + 2] : 0;
        for (size_t k = 0; k < 4; ++k)
            *at++ = i + k <= size ? digits[group >> (18 - 6 * k) & 63] : '=';
    }
    *at = 0;
    return uri;
}

static inline pliant_mesh *read_mesh(const void *data, size_t size, const char *directory)
{
    pliant_error error = {0};
    pliant_mesh *mesh = pliant_mesh_read(data, size, directory, NULL, &error);
    if (!mesh)
        fail_msg("%s: %s", error.place, error.message);
    return mesh;
}

static inline glb_file write_mesh(const pliant_mesh *mesh)
{
    glb_file file;
    pliant_error error = {0};
    if (pliant_mesh_write(mesh, &file.data, &file.size, &error) != PLIANT_OK)
        fail_msg("%s: %s", error.place, error.message);
    return file;
}

#endif
