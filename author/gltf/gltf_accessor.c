// Reading accessors of a document that has been checked.

#include "gltf_accessor.h"

#include "gltf_memory.h"

#include <stdint.h>
#include <string.h>

int pli_gltf_component_size(int component_type)
{
    switch (component_type) {
    case GLTF_BYTE:
    case GLTF_UBYTE:
        return 1;
    case GLTF_SHORT:
    case GLTF_USHORT:
        return 2;
    case GLTF_UINT:
    case GLTF_FLOAT:
        return 4;
    default:
        return 0;
    }
}

gltf_shape pli_gltf_shape(const json_document *json, json_value type)
{
    static const struct {
        const char *name;
        gltf_shape shape;
    } shapes[] = {{"SCALAR", {1, 1}}, {"VEC2", {1, 2}}, {"VEC3", {1, 3}}, {"VEC4", {1, 4}},
                  {"MAT2", {2, 2}},   {"MAT3", {3, 3}}, {"MAT4", {4, 4}}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; ++i) {
        if (pli_json_string_is(json, type, shapes[i].name))
            return shapes[i].shape;
    }
    return (gltf_shape){0, 0};
}

int pli_gltf_column_stride(gltf_shape shape, int component_size)
{
    int size = shape.rows * component_size;
    return shape.columns > 1 ? (size + 3) / 4 * 4 : size;
}

int pli_gltf_element_size(gltf_shape shape, int component_size)
{
    return (shape.columns - 1) * pli_gltf_column_stride(shape, component_size) +
           shape.rows * component_size;
}

int64_t pli_gltf_integer(const json_document *json, json_value object, const char *key,
                         int64_t fallback)
{
    return (int64_t)pli_json_number(json, pli_json_get(json, object, key), (double)fallback);
}

static gltf_accessor read_format(const pliant_gltf *gltf, json_value value)
{
    const json_document *json = gltf->json;
    gltf_shape shape = pli_gltf_shape(json, pli_json_get(json, value, "type"));
    int type = (int)pli_gltf_integer(json, value, "componentType", 0);
    return (gltf_accessor){
        .count = (int)pli_gltf_integer(json, value, "count", 0),
        .components = shape.columns * shape.rows,
        .component_type = type,
        .component_size = pli_gltf_component_size(type),
        .is_normalized = pli_json_bool(json, pli_json_get(json, value, "normalized"), false),
    };
}

bool pli_gltf_read_formats(pliant_gltf *gltf)
{
    gltf->formats = pli_gltf_allocate(gltf, (size_t)gltf->accessors.count, sizeof *gltf->formats);
    for (int i = 0; i < gltf->accessors.count && gltf->formats; ++i)
        gltf->formats[i] = read_format(gltf, gltf->accessors.items[i]);
    return gltf->formats;
}

gltf_accessor pli_gltf_accessor(const pliant_gltf *gltf, int accessor)
{
    return gltf->formats[accessor];
}

const unsigned char *pli_gltf_data(const pliant_gltf *gltf, json_value owner)
{
    int view = pli_gltf_reference(gltf, owner, "bufferView");
    if (view < 0)
        return NULL;
    json_value v = gltf->views.items[view];
    const gltf_bytes *buffer = &gltf->buffer_bytes[pli_gltf_reference(gltf, v, "buffer")];
    return buffer->bytes ? buffer->bytes + pli_gltf_integer(gltf->json, v, "byteOffset", 0) +
                               pli_gltf_integer(gltf->json, owner, "byteOffset", 0)
                         : NULL;
}

// Without a stride of their view, elements follow each other.
static int packed_stride(gltf_shape shape, int component_size)
{
    return pli_gltf_column_stride(shape, component_size) * shape.columns;
}

int pli_gltf_stride(const pliant_gltf *gltf, json_value accessor)
{
    const json_document *json = gltf->json;
    gltf_shape shape = pli_gltf_shape(json, pli_json_get(json, accessor, "type"));
    int type = (int)pli_gltf_integer(json, accessor, "componentType", 0);
    int view = pli_gltf_reference(gltf, accessor, "bufferView");
    int packed = packed_stride(shape, pli_gltf_component_size(type));
    return view < 0 ? packed
                    : (int)pli_gltf_integer(json, gltf->views.items[view], "byteStride", packed);
}

static uint32_t get_bits(const unsigned char *at, int size)
{
    uint32_t bits = 0;
    for (int i = 0; i < size; ++i)
        bits |= (uint32_t)at[i] << (8 * i);
    return bits;
}

double pli_gltf_component(const unsigned char *at, int component_type)
{
    switch (component_type) {
    case GLTF_BYTE:
        return at[0] < 128 ? at[0] : at[0] - 256;
    case GLTF_UBYTE:
        return at[0];
    case GLTF_SHORT: {
        int value = (int)get_bits(at, 2);
        return value < 32768 ? value : value - 65536;
    }
    case GLTF_USHORT:
        return get_bits(at, 2);
    case GLTF_UINT:
        return get_bits(at, 4);
    default: {
        uint32_t bits = get_bits(at, 4);
        float value;
        memcpy(&value, &bits, sizeof value);
        return (double)value;
    }
    }
}

bool pli_gltf_is_blank(const pliant_gltf *gltf, int accessor)
{
    json_value value = gltf->accessors.items[accessor];
    return !pli_gltf_data(gltf, value) && pli_json_get(gltf->json, value, "sparse") == JSON_NONE;
}

static double largest(int component_type)
{
    switch (component_type) {
    case GLTF_BYTE:
        return 127.0;
    case GLTF_UBYTE:
        return 255.0;
    case GLTF_SHORT:
        return 32767.0;
    case GLTF_USHORT:
        return 65535.0;
    case GLTF_UINT:
        return 4294967295.0;
    default:
        return 1.0;
    }
}

// ---------------------------------------------------------------------------------------------
// Elements, plain and sparse. A copy of one element goes to its place in the result; what a copy is, the two public
// functions at the end differ in.

typedef struct reader {
    gltf_accessor accessor;
    gltf_shape shape;
    double *doubles;      // or NULL
    unsigned char *bytes; // then
} reader;

static void read_element_bytes(const reader *r, const unsigned char *from, int index)
{
    size_t column_size = (size_t)(r->shape.rows * r->accessor.component_size);
    int stride = pli_gltf_column_stride(r->shape, r->accessor.component_size);
    unsigned char *to = r->bytes + (size_t)index * column_size * (size_t)r->shape.columns;
    for (int i = 0; i < r->shape.columns; ++i)
        memcpy(to + (size_t)i * column_size, from + i * stride, column_size);
}

static void read_element_doubles(const reader *r, const unsigned char *from, int index)
{
    int stride = pli_gltf_column_stride(r->shape, r->accessor.component_size);
    double *to = r->doubles + (size_t)index * (size_t)r->accessor.components;
    for (int i = 0; i < r->shape.columns; ++i, from += stride) {
        for (int k = 0; k < r->shape.rows; ++k)
            *to++ = pli_gltf_component(from + k * r->accessor.component_size,
                                       r->accessor.component_type);
    }
}

static void read_element(const reader *r, const unsigned char *from, int index)
{
    if (r->doubles)
        read_element_doubles(r, from, index);
    else
        read_element_bytes(r, from, index);
}

static void read_sparse(const pliant_gltf *gltf, json_value sparse, const reader *r)
{
    json_value indices = pli_json_get(gltf->json, sparse, "indices");
    json_value values = pli_json_get(gltf->json, sparse, "values");
    int count = (int)pli_gltf_integer(gltf->json, sparse, "count", 0);
    int type = (int)pli_gltf_integer(gltf->json, indices, "componentType", 0);
    int index_size = pli_gltf_component_size(type);
    int value_size = packed_stride(r->shape, r->accessor.component_size);
    const unsigned char *index = pli_gltf_data(gltf, indices);
    const unsigned char *value = pli_gltf_data(gltf, values);
    if (!index || !value)
        return;
    for (int i = 0; i < count; ++i, index += index_size, value += value_size)
        read_element(r, value, (int)pli_gltf_component(index, type));
}

static void read_elements(const pliant_gltf *gltf, int accessor, reader *r)
{
    json_value value = gltf->accessors.items[accessor];
    r->accessor = pli_gltf_accessor(gltf, accessor);
    r->shape = pli_gltf_shape(gltf->json, pli_json_get(gltf->json, value, "type"));
    const unsigned char *source = pli_gltf_data(gltf, value);
    int stride = pli_gltf_stride(gltf, value);
    size_t components = (size_t)r->accessor.count * (size_t)r->accessor.components;
    if (!source && r->doubles)
        memset(r->doubles, 0, components * sizeof *r->doubles);
    else if (!source)
        memset(r->bytes, 0, components * (size_t)r->accessor.component_size);
    for (int i = 0; i < r->accessor.count && source; ++i, source += stride)
        read_element(r, source, i);
    json_value sparse = pli_json_get(gltf->json, value, "sparse");
    if (sparse != JSON_NONE)
        read_sparse(gltf, sparse, r);
}

void pli_gltf_read_stored(const pliant_gltf *gltf, int accessor, double *values)
{
    reader r = {.doubles = values};
    read_elements(gltf, accessor, &r);
}

void pli_gltf_read_doubles(const pliant_gltf *gltf, int accessor, double *values)
{
    gltf_accessor a = pli_gltf_accessor(gltf, accessor);
    pli_gltf_read_stored(gltf, accessor, values);
    if (!a.is_normalized)
        return;
    size_t count = (size_t)a.count * (size_t)a.components;
    double unit = largest(a.component_type);
    for (size_t i = 0; i < count; ++i) {
        values[i] /= unit;
        values[i] = values[i] < -1.0 && unit > 1.0 ? -1.0 : values[i];
    }
}

void pli_gltf_read_raw(const pliant_gltf *gltf, int accessor, void *bytes)
{
    reader r = {.bytes = bytes};
    read_elements(gltf, accessor, &r);
}

int pli_gltf_triangle_count(int mode, int corners)
{
    if (mode == 4)
        return corners / 3;
    return mode > 4 && corners > 2 ? corners - 2 : 0;
}
