// Assembling a GLB (glTF 2.0, chapter 4): a 12-byte header, a JSON chunk padded with spaces and a
// binary chunk padded with zeros, all little-endian and on multiples of four bytes.

#include "glb_write.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "arrays are copied into the file as they are, which takes a little-endian machine"
#endif

static size_t padded(size_t size)
{
    return (size + 3) & ~(size_t)3;
}

void pli_glb_writer_release(glb_writer *writer)
{
    free(writer->bytes);
    pli_json_writer_release(&writer->views);
    pli_json_writer_release(&writer->accessors);
    *writer = (glb_writer){0};
}

static bool reserve(glb_writer *writer, size_t size)
{
    if (size > UINT32_MAX || writer->size + size > UINT32_MAX)
        return false;
    size_t needed = writer->size + size;
    if (needed <= writer->capacity)
        return true;
    size_t capacity = writer->capacity * 2 > needed ? writer->capacity * 2 : needed;
    unsigned char *bytes = realloc(writer->bytes, capacity);
    if (!bytes)
        return false;
    writer->bytes = bytes;
    writer->capacity = capacity;
    return true;
}

size_t pli_glb_append(glb_writer *writer, const void *data, size_t size)
{
    if (writer->failed || !reserve(writer, padded(size))) {
        writer->failed = true;
        return 0;
    }
    size_t offset = writer->size;
    if (size > 0) {
        memcpy(writer->bytes + offset, data, size);
        memset(writer->bytes + offset + size, 0, padded(size) - size);
    }
    writer->size += padded(size);
    return offset;
}

int pli_glb_add_view(glb_writer *writer, const void *data, size_t size, int stride, int target)
{
    size_t offset = pli_glb_append(writer, data, size);
    if (writer->failed)
        return 0;
    json_writer *json = &writer->views;
    pli_json_begin_object(json, NULL);
    pli_json_write_int(json, "buffer", 0);
    pli_json_write_int(json, "byteOffset", (int64_t)offset);
    pli_json_write_int(json, "byteLength", (int64_t)size);
    if (stride)
        pli_json_write_int(json, "byteStride", stride);
    if (target)
        pli_json_write_int(json, "target", target);
    pli_json_end_object(json);
    return writer->view_count++;
}

static int component_count(const char *type)
{
    return strcmp(type, "SCALAR") == 0 ? 1 : type[3] - '0';
}

int pli_glb_add_accessor(glb_writer *writer, const glb_accessor *accessor)
{
    json_writer *json = &writer->accessors;
    pli_json_begin_object(json, NULL);
    pli_json_write_int(json, "bufferView", accessor->view);
    if (accessor->offset)
        pli_json_write_int(json, "byteOffset", (int64_t)accessor->offset);
    pli_json_write_int(json, "componentType", accessor->component);
    if (accessor->is_normalized)
        pli_json_write_bool(json, "normalized", true);
    pli_json_write_int(json, "count", accessor->count);
    pli_json_write_string(json, "type", accessor->type);
    if (accessor->minimum)
        pli_json_write_floats(json, "min", accessor->minimum, component_count(accessor->type));
    if (accessor->maximum)
        pli_json_write_floats(json, "max", accessor->maximum, component_count(accessor->type));
    pli_json_end_object(json);
    return writer->accessor_count++;
}

int pli_glb_add_triangles(glb_writer *glb, const int32_t *triangles, int triangle_count, int first,
                          int vertex_count)
{
    size_t count = (size_t)triangle_count * 3;
    bool narrow = vertex_count <= 65535; // the index 65535 itself is reserved
    size_t size = narrow ? sizeof(uint16_t) : sizeof(uint32_t);
    unsigned char *indices = malloc(count * size + 1);
    if (!indices) {
        glb->failed = true;
        return 0;
    }
    for (size_t i = 0; i < count; ++i) {
        uint32_t index = (uint32_t)(triangles[i] - first);
        memcpy(indices + i * size, &index, size); // the low half comes first
    }
    int view = pli_glb_add_view(glb, indices, count * size, 0, GLB_TARGET_INDICES);
    free(indices);
    return pli_glb_add_accessor(glb, &(glb_accessor){.view = view,
                                                     .component = narrow ? GLB_USHORT : GLB_UINT,
                                                     .count = (int)count,
                                                     .type = "SCALAR"});
}

static unsigned char *put_uint32(unsigned char *at, size_t value)
{
    for (int i = 0; i < 4; ++i)
        *at++ = (unsigned char)(value >> (8 * i));
    return at;
}

static unsigned char *put_chunk(unsigned char *at, const char *kind, const void *bytes, size_t size,
                                int padding)
{
    at = put_uint32(at, padded(size));
    memcpy(at, kind, 4);
    memcpy(at + 4, bytes, size);
    memset(at + 4 + size, padding, padded(size) - size);
    return at + 4 + padded(size);
}

static void complete_document(glb_writer *writer, json_writer *document)
{
    if (writer->size > 0) {
        pli_json_begin_array(document, "accessors");
        pli_json_write_raw(document, writer->accessors.data, writer->accessors.size);
        pli_json_end_array(document);
        pli_json_begin_array(document, "bufferViews");
        pli_json_write_raw(document, writer->views.data, writer->views.size);
        pli_json_end_array(document);
        pli_json_begin_array(document, "buffers");
        pli_json_begin_object(document, NULL);
        pli_json_write_int(document, "byteLength", (int64_t)writer->size);
        pli_json_end_object(document);
        pli_json_end_array(document);
    }
    pli_json_end_object(document);
}

bool pli_glb_assemble(const glb_writer *writer, const json_writer *document, void **data,
                      size_t *size)
{
    if (writer->failed || document->failed || document->size > UINT32_MAX - 32)
        return false;
    size_t total = 12 + 8 + padded(document->size);
    if (writer->size > 0)
        total += 8 + writer->size;
    unsigned char *file = total <= UINT32_MAX ? malloc(total) : NULL;
    if (!file)
        return false;
    memcpy(file, "glTF", 4);
    unsigned char *at = put_uint32(file + 4, 2);
    at = put_uint32(at, total);
    at = put_chunk(at, "JSON", document->data, document->size, ' ');
    if (writer->size > 0)
        put_chunk(at, "BIN", writer->bytes, writer->size, 0);
    *data = file;
    *size = total;
    return true;
}

bool pli_glb_finish(glb_writer *writer, json_writer *document, void **data, size_t *size)
{
    complete_document(writer, document);
    return !writer->views.failed && !writer->accessors.failed &&
           pli_glb_assemble(writer, document, data, size);
}

pliant_result pli_glb_fail(pliant_error *error)
{
    return pli_error_set(error, PLIANT_ERROR_MEMORY, "",
                         "out of memory, or more than the 4 GB a GLB can hold");
}
