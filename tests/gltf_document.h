// Small glTF documents for tests: accessors are added one by one, the rest is JSON text.

#ifndef PLIANT_TESTS_GLTF_DOCUMENT_H
#define PLIANT_TESTS_GLTF_DOCUMENT_H

#include "test.h"

#include "gltf/gltf.h"

typedef struct document {
    char views[8192], accessors[8192];
    unsigned char bytes[8192];
    size_t size;
    int view_count, accessor_count;
} document;

static inline void append_text(char *text, size_t capacity, const char *format, ...)
{
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(text + length, capacity - length, format, arguments);
    va_end(arguments);
    assert_true((size_t)written < capacity - length);
}

// Returns the view's index. `more` is further members, such as ",\"byteStride\":8".
static inline int add_view(document *d, const void *data, size_t size, const char *more)
{
    d->size = (d->size + 3) & ~(size_t)3;
    assert_true(d->size + size <= sizeof d->bytes);
    append_text(d->views, sizeof d->views,
                "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu%s}",
                d->view_count ? "," : "", d->size, size, more);
    memcpy(d->bytes + d->size, data, size);
    d->size += size;
    return d->view_count++;
}

// Returns the accessor's index. Without a view (-1) it is all zero.
static inline int add_accessor(document *d, int view, int component_type, const char *type,
                               int count, const char *more)
{
    char place[48] = "";
    if (view >= 0)
        snprintf(place, sizeof place, "\"bufferView\":%d,", view);
    append_text(d->accessors, sizeof d->accessors,
                "%s{%s\"componentType\":%d,\"type\":\"%s\",\"count\":%d%s}",
                d->accessor_count ? "," : "", place, component_type, type, count, more);
    return d->accessor_count++;
}

static inline int add_floats(document *d, const char *type, int components, int count,
                             const float *values)
{
    size_t size = (size_t)(components * count) * sizeof *values;
    return add_accessor(d, add_view(d, values, size, ""), 5126, type, count, "");
}

// With the bounds that positions and times of keys need.
static inline int add_bounded(document *d, const char *type, int components, int count,
                              const float *values)
{
    char more[512] = "", ends[2][256] = {"", ""};
    for (int k = 0; k < components; ++k) {
        float low = values[k], high = values[k];
        for (int i = 1; i < count; ++i) {
            float value = values[i * components + k];
            low = value < low ? value : low;
            high = value > high ? value : high;
        }
        append_text(ends[0], sizeof ends[0], "%s%.9g", k ? "," : "", (double)low);
        append_text(ends[1], sizeof ends[1], "%s%.9g", k ? "," : "", (double)high);
    }
    append_text(more, sizeof more, ",\"min\":[%s],\"max\":[%s]", ends[0], ends[1]);
    size_t size = (size_t)(components * count) * sizeof *values;
    return add_accessor(d, add_view(d, values, size, ""), 5126, type, count, more);
}

static inline int add_positions(document *d, int count, const float (*values)[3])
{
    return add_bounded(d, "VEC3", 3, count, values[0]);
}

static inline int add_indices(document *d, int count, const uint16_t *values)
{
    int view = add_view(d, values, (size_t)count * sizeof *values, "");
    return add_accessor(d, view, 5123, "SCALAR", count, "");
}

static inline unsigned char *put_uint32(unsigned char *at, size_t value)
{
    for (int i = 0; i < 4; ++i)
        *at++ = (unsigned char)(value >> (8 * i));
    return at;
}

// The document as a GLB, with `rest` (meshes, nodes, …) in its JSON; free() it.
static inline unsigned char *write_document(const document *d, const char *rest, size_t *size)
{
    size_t capacity = strlen(rest) + sizeof d->views + sizeof d->accessors + 256;
    char *json = calloc(1, capacity);
    append_text(json, capacity, "{\"asset\":{\"version\":\"2.0\"}");
    if (rest[0])
        append_text(json, capacity, ",%s", rest);
    if (d->accessor_count)
        append_text(json, capacity, ",\"accessors\":[%s]", d->accessors);
    if (d->view_count)
        append_text(json, capacity, ",\"bufferViews\":[%s],\"buffers\":[{\"byteLength\":%zu}]",
                    d->views, d->size);
    append_text(json, capacity, "}");
    size_t length = strlen(json), padded = (length + 3) & ~(size_t)3;
    size_t binary = (d->size + 3) & ~(size_t)3;
    *size = 12 + 8 + padded + 8 + binary;
    unsigned char *glb = calloc(1, *size);
    memcpy(glb, "glTF", 4);
    unsigned char *at = put_uint32(put_uint32(put_uint32(glb + 4, 2), *size), padded);
    memcpy(at, "JSON", 4);
    memset(at + 4, ' ', padded);
    memcpy(at + 4, json, length);
    at = put_uint32(at + 4 + padded, binary);
    memcpy(at, "BIN", 4);
    memcpy(at + 4, d->bytes, d->size);
    free(json);
    return glb;
}

// Reads it; NULL where it is refused.
static inline pliant_mesh *read_document(const document *d, const char *rest,
                                         pliant_remarks *remarks, pliant_error *error)
{
    size_t size;
    unsigned char *glb = write_document(d, rest, &size);
    pliant_mesh *mesh = pliant_mesh_read(glb, size, "/nonexistent", remarks, error);
    free(glb);
    return mesh;
}

// Reads what has to be right: without a remark.
static inline pliant_mesh *read_right(const document *d, const char *rest)
{
    pliant_remarks remarks;
    pliant_error error = {0};
    pliant_mesh *mesh = read_document(d, rest, &remarks, &error);
    if (!mesh)
        fail_msg("%s: %s", error.place, error.message);
    if (remarks.count > 0)
        fail_msg("%s: %s", remarks.first[0].place, remarks.first[0].message);
    return mesh;
}

static inline void expect_error(const document *d, const char *rest, const char *place)
{
    pliant_error error = {0};
    pliant_mesh *mesh = read_document(d, rest, NULL, &error);
    if (mesh || strcmp(error.place, place) != 0)
        fail_msg("%s instead of an error at %s", mesh ? "taken" : error.place, place);
    assert_true(error.message[0]);
}

#endif
