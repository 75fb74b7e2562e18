// What a GLB holds. Nothing in the file is believed: lengths, indices and types are checked before
// they are used, and the first fault is reported with its place, such as "accessors[3].count".

#include <pliant/author.h>

#include "core/error.h"
#include "io/json.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct glb_reader {
    const json_document *json;
    const unsigned char *binary; // NULL when there is no binary chunk
    size_t binary_size;
    pliant_error *error;
    int view_count, accessor_count;
    json_value *views, *accessors; // handles by index
} glb_reader;

// ---------------------------------------------------------------------------------------------
// The container

static size_t get_uint32(const unsigned char *at)
{
    return (size_t)at[0] | (size_t)at[1] << 8 | (size_t)at[2] << 16 | (size_t)at[3] << 24;
}

static pliant_result fail_container(pliant_error *error, const char *message)
{
    return pliant_error_set(error, PLIANT_ERROR_FORMAT, "GLB", "%s", message);
}

typedef struct chunk {
    const unsigned char *bytes;
    size_t size;
} chunk;

// Finds the JSON chunk, which comes first, and the binary one, which may follow it.
static pliant_result find_chunks(const unsigned char *data, size_t size, chunk *json, chunk *binary,
                                 pliant_error *error)
{
    if (size < 12)
        return fail_container(error, "the header is cut off");
    if (memcmp(data, "glTF", 4) != 0)
        return fail_container(error, "the file does not begin with 'glTF'");
    if (get_uint32(data + 4) != 2)
        return fail_container(error, "only version 2 is understood");
    if (get_uint32(data + 8) != size)
        return fail_container(error, "the length in the header is not the file's");
    int index = 0;
    for (size_t at = 12; at < size; ++index) {
        if (size - at < 8)
            return fail_container(error, "a chunk's header is cut off");
        size_t length = get_uint32(data + at);
        const unsigned char *kind = data + at + 4;
        at += 8;
        if (length > size - at)
            return fail_container(error, "a chunk is longer than the file");
        if (length % 4 != 0)
            return fail_container(error, "a chunk's length is not a multiple of 4");
        if ((index == 0) != (memcmp(kind, "JSON", 4) == 0))
            return fail_container(error, "the first chunk, and no other, must be JSON");
        if (index == 0)
            *json = (chunk){data + at, length};
        else if (index == 1 && memcmp(kind, "BIN", 4) == 0)
            *binary = (chunk){data + at, length};
        at += length;
    }
    if (!json->bytes)
        return fail_container(error, "there is no JSON chunk");
    return PLIANT_OK;
}

// ---------------------------------------------------------------------------------------------
// Checked access to the JSON. Functions return false after filling the error.

ERROR_FORMAT(3, 4)
static bool wrong(const glb_reader *r, const char *message, const char *format, ...)
{
    char place[sizeof((pliant_error *)0)->place];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(place, sizeof place, format, arguments);
    va_end(arguments);
    pliant_error_set(r->error, PLIANT_ERROR_FORMAT, place, "%s", message);
    return false;
}

// A whole number in [0, limit), or `fallback` where the member is not there.
static bool read_int(const glb_reader *r, json_value object, const char *key, int64_t limit,
                     int64_t fallback, int64_t *result)
{
    json_value value = pliant_json_get(r->json, object, key);
    *result = fallback;
    if (value == JSON_NONE)
        return true;
    double number = pliant_json_number(r->json, value, -1.0);
    if (!(number >= 0.0 && number < (double)limit) || number != (double)(int64_t)number)
        return false;
    *result = (int64_t)number;
    return true;
}

// A top-level array of objects, which may be missing.
static bool read_array(const glb_reader *r, const char *key, json_value *array)
{
    *array = pliant_json_get(r->json, pliant_json_root(r->json), key);
    if (*array == JSON_NONE)
        return true;
    if (pliant_json_type_of(r->json, *array) != JSON_TYPE_ARRAY)
        return wrong(r, "expected an array", "%s", key);
    int index = 0;
    for (json_value v = pliant_json_first(r->json, *array); v != JSON_NONE;
         v = pliant_json_next(r->json, v)) {
        if (pliant_json_type_of(r->json, v) != JSON_TYPE_OBJECT)
            return wrong(r, "expected an object", "%s[%d]", key, index);
        ++index;
    }
    return true;
}

static bool count_array(const glb_reader *r, const char *key, int *count)
{
    json_value array;
    if (!read_array(r, key, &array))
        return false;
    *count = pliant_json_size(r->json, array);
    return true;
}

// The same as handles by index, so that following a reference takes no walk; free() them.
static bool list_array(const glb_reader *r, const char *key, json_value **items, int *count)
{
    json_value array;
    if (!read_array(r, key, &array))
        return false;
    *count = pliant_json_size(r->json, array);
    *items = malloc(((size_t)*count + 1) * sizeof **items);
    if (!*items) {
        pliant_error_memory(r->error);
        return false;
    }
    int index = 0;
    for (json_value v = pliant_json_first(r->json, array); v != JSON_NONE;
         v = pliant_json_next(r->json, v))
        (*items)[index++] = v;
    return true;
}

#define LARGEST ((int64_t)1 << 53)

// ---------------------------------------------------------------------------------------------
// Buffers, views and accessors

static bool check_buffers(const glb_reader *r)
{
    json_value buffers;
    if (!read_array(r, "buffers", &buffers))
        return false;
    int index = 0;
    for (json_value b = pliant_json_first(r->json, buffers); b != JSON_NONE;
         b = pliant_json_next(r->json, b)) {
        int64_t length;
        if (!read_int(r, b, "byteLength", LARGEST, -1, &length) || length < 1)
            return wrong(r, "expected a length of at least 1", "buffers[%d].byteLength", index);
        bool own = index == 0 && pliant_json_get(r->json, b, "uri") == JSON_NONE;
        if (own && !r->binary)
            return wrong(r, "the binary chunk is missing", "buffers[%d]", index);
        // The chunk may be up to three bytes longer, which pad it.
        if (own && ((int64_t)r->binary_size < length || (int64_t)r->binary_size > length + 3))
            return wrong(r, "not the length of the binary chunk", "buffers[%d].byteLength", index);
        ++index;
    }
    return true;
}

static bool check_views(const glb_reader *r)
{
    json_value buffers;
    if (!read_array(r, "buffers", &buffers))
        return false;
    for (int i = 0; i < r->view_count; ++i) {
        int64_t buffer, offset, length, capacity;
        json_value view = r->views[i];
        if (!read_int(r, view, "buffer", pliant_json_size(r->json, buffers), -1, &buffer) ||
            buffer < 0)
            return wrong(r, "no such buffer", "bufferViews[%d].buffer", i);
        if (!read_int(r, view, "byteOffset", LARGEST, 0, &offset) ||
            !read_int(r, view, "byteLength", LARGEST, -1, &length) || length < 1)
            return wrong(r, "expected an offset and a length", "bufferViews[%d]", i);
        read_int(r, pliant_json_item(r->json, buffers, (int)buffer), "byteLength", LARGEST, 0,
                 &capacity);
        if (offset > capacity || length > capacity - offset)
            return wrong(r, "it ends behind its buffer", "bufferViews[%d]", i);
    }
    return true;
}

static int component_size(int64_t component)
{
    switch (component) {
    case 5120:
    case 5121:
        return 1;
    case 5122:
    case 5123:
        return 2;
    case 5125:
    case 5126:
        return 4;
    default:
        return 0;
    }
}

static int component_count(const glb_reader *r, json_value type)
{
    static const struct {
        const char *name;
        int count;
    } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4},
                 {"MAT2", 4},   {"MAT3", 9}, {"MAT4", 16}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i) {
        if (pliant_json_string_is(r->json, type, types[i].name))
            return types[i].count;
    }
    return 0;
}

static bool check_accessor(const glb_reader *r, int index)
{
    json_value accessor = r->accessors[index];
    int64_t count, component, view, offset, length, stride;
    if (!read_int(r, accessor, "count", INT32_MAX, -1, &count) || count < 1)
        return wrong(r, "expected a count of at least 1", "accessors[%d].count", index);
    if (!read_int(r, accessor, "componentType", INT32_MAX, -1, &component) ||
        component_size(component) == 0)
        return wrong(r, "unknown component type", "accessors[%d].componentType", index);
    int components = component_count(r, pliant_json_get(r->json, accessor, "type"));
    if (components == 0)
        return wrong(r, "unknown type", "accessors[%d].type", index);
    if (!read_int(r, accessor, "bufferView", r->view_count, -1, &view))
        return wrong(r, "no such buffer view", "accessors[%d].bufferView", index);
    if (view < 0)
        return true; // all zero, sparse or compressed
    json_value v = r->views[view];
    int64_t element = (int64_t)component_size(component) * components;
    read_int(r, v, "byteLength", LARGEST, 0, &length);
    if (!read_int(r, v, "byteStride", 253, 0, &stride))
        return wrong(r, "expected a stride of at most 252", "bufferViews[%d].byteStride",
                     (int)view);
    if (!read_int(r, accessor, "byteOffset", LARGEST, 0, &offset) ||
        offset + (count - 1) * (stride ? stride : element) + element > length)
        return wrong(r, "it ends behind its buffer view", "accessors[%d]", index);
    return true;
}

static bool check_accessors(const glb_reader *r)
{
    for (int i = 0; i < r->accessor_count; ++i) {
        if (!check_accessor(r, i))
            return false;
    }
    return true;
}

// The accessor a member refers to, or JSON_NONE when the member is not there.
static bool find_accessor(const glb_reader *r, json_value object, const char *key,
                          json_value *accessor)
{
    int64_t index;
    if (!read_int(r, object, key, r->accessor_count, -1, &index))
        return false;
    *accessor = index < 0 ? JSON_NONE : r->accessors[index];
    return true;
}

static int64_t accessor_count(const glb_reader *r, json_value accessor)
{
    return (int64_t)pliant_json_number(r->json, pliant_json_get(r->json, accessor, "count"), 0.0);
}

// ---------------------------------------------------------------------------------------------
// Meshes, skins and animations

static bool widen_bounds(const glb_reader *r, json_value position, pliant_glb_info *info)
{
    json_value low = pliant_json_get(r->json, position, "min"),
               high = pliant_json_get(r->json, position, "max");
    if (pliant_json_size(r->json, low) != 3 || pliant_json_size(r->json, high) != 3)
        return false;
    for (int i = 0; i < 3; ++i) {
        float a = (float)pliant_json_number(r->json, pliant_json_item(r->json, low, i), 0.0);
        float b = (float)pliant_json_number(r->json, pliant_json_item(r->json, high, i), 0.0);
        bool first = info->primitives == 0;
        info->minimum[i] = first || a < info->minimum[i] ? a : info->minimum[i];
        info->maximum[i] = first || b > info->maximum[i] ? b : info->maximum[i];
    }
    return true;
}

static int64_t triangle_count(int64_t mode, int64_t corners)
{
    if (mode == 4)
        return corners / 3;
    return mode > 4 && corners > 2 ? corners - 2 : 0;
}

static bool read_primitive(const glb_reader *r, json_value primitive, const char *place,
                           pliant_glb_info *info)
{
    json_value attributes = pliant_json_get(r->json, primitive, "attributes");
    json_value position, indices;
    int64_t mode;
    if (pliant_json_type_of(r->json, attributes) != JSON_TYPE_OBJECT)
        return wrong(r, "expected an object", "%s.attributes", place);
    if (!find_accessor(r, attributes, "POSITION", &position))
        return wrong(r, "no such accessor", "%s.attributes.POSITION", place);
    if (!find_accessor(r, primitive, "indices", &indices))
        return wrong(r, "no such accessor", "%s.indices", place);
    if (!read_int(r, primitive, "mode", 7, 4, &mode))
        return wrong(r, "expected a number from 0 to 6", "%s.mode", place);
    if (position != JSON_NONE) {
        if (!widen_bounds(r, position, info))
            return wrong(r, "expected min and max of three numbers", "%s.attributes.POSITION",
                         place);
        int64_t vertices = accessor_count(r, position);
        int64_t corners = indices == JSON_NONE ? vertices : accessor_count(r, indices);
        info->vertices += vertices;
        info->triangles += triangle_count(mode, corners);
    }
    ++info->primitives;
    return true;
}

static bool read_meshes(const glb_reader *r, pliant_glb_info *info)
{
    json_value meshes;
    if (!read_array(r, "meshes", &meshes))
        return false;
    for (json_value m = pliant_json_first(r->json, meshes); m != JSON_NONE;
         m = pliant_json_next(r->json, m)) {
        json_value primitives = pliant_json_get(r->json, m, "primitives");
        if (pliant_json_type_of(r->json, primitives) != JSON_TYPE_ARRAY)
            return wrong(r, "expected an array", "meshes[%d].primitives", info->meshes);
        int index = 0;
        for (json_value p = pliant_json_first(r->json, primitives); p != JSON_NONE;
             p = pliant_json_next(r->json, p)) {
            char place[64];
            snprintf(place, sizeof place, "meshes[%d].primitives[%d]", info->meshes, index++);
            if (!read_primitive(r, p, place, info))
                return false;
        }
        ++info->meshes;
    }
    return true;
}

static bool read_skins(const glb_reader *r, pliant_glb_info *info)
{
    json_value skins;
    if (!read_array(r, "skins", &skins))
        return false;
    for (json_value s = pliant_json_first(r->json, skins); s != JSON_NONE;
         s = pliant_json_next(r->json, s)) {
        json_value joints = pliant_json_get(r->json, s, "joints");
        if (pliant_json_type_of(r->json, joints) != JSON_TYPE_ARRAY)
            return wrong(r, "expected an array", "skins[%d].joints", info->skins);
        int index = 0;
        for (json_value j = pliant_json_first(r->json, joints); j != JSON_NONE;
             j = pliant_json_next(r->json, j), ++index) {
            double node = pliant_json_number(r->json, j, -1.0);
            if (!(node >= 0.0 && node < info->nodes))
                return wrong(r, "no such node", "skins[%d].joints[%d]", info->skins, index);
        }
        info->joints += index;
        ++info->skins;
    }
    return true;
}

static bool read_animations(const glb_reader *r, pliant_glb_info *info)
{
    json_value animations;
    if (!read_array(r, "animations", &animations))
        return false;
    for (json_value a = pliant_json_first(r->json, animations); a != JSON_NONE;
         a = pliant_json_next(r->json, a)) {
        json_value samplers = pliant_json_get(r->json, a, "samplers");
        if (pliant_json_type_of(r->json, samplers) != JSON_TYPE_ARRAY)
            return wrong(r, "expected an array", "animations[%d].samplers", info->animations);
        int index = 0;
        for (json_value s = pliant_json_first(r->json, samplers); s != JSON_NONE;
             s = pliant_json_next(r->json, s), ++index) {
            json_value input;
            if (!find_accessor(r, s, "input", &input) || input == JSON_NONE)
                return wrong(r, "no such accessor", "animations[%d].samplers[%d].input",
                             info->animations, index);
            json_value last = pliant_json_item(r->json, pliant_json_get(r->json, input, "max"), 0);
            double seconds = pliant_json_number(r->json, last, 0.0);
            info->seconds = seconds > info->seconds ? seconds : info->seconds;
        }
        ++info->animations;
    }
    return true;
}

static bool read_asset(const glb_reader *r, pliant_glb_info *info)
{
    if (pliant_json_type_of(r->json, pliant_json_root(r->json)) != JSON_TYPE_OBJECT)
        return wrong(r, "expected an object", "JSON");
    json_value asset = pliant_json_get(r->json, pliant_json_root(r->json), "asset");
    char version[16];
    pliant_json_string(r->json, pliant_json_get(r->json, asset, "version"), version,
                       sizeof version);
    if (strncmp(version, "2.", 2) != 0)
        return wrong(r, "expected \"2.0\"", "asset.version");
    pliant_json_string(r->json, pliant_json_get(r->json, asset, "generator"), info->generator,
                       sizeof info->generator);
    return true;
}

static bool read_document(glb_reader *r, pliant_glb_info *info)
{
    return read_asset(r, info) && list_array(r, "bufferViews", &r->views, &r->view_count) &&
           list_array(r, "accessors", &r->accessors, &r->accessor_count) && check_buffers(r) &&
           check_views(r) && check_accessors(r) && count_array(r, "nodes", &info->nodes) &&
           count_array(r, "materials", &info->materials) &&
           count_array(r, "images", &info->images) && count_array(r, "cameras", &info->cameras) &&
           read_meshes(r, info) && read_skins(r, info) && read_animations(r, info);
}

pliant_result pliant_glb_inspect(const void *data, size_t size, pliant_glb_info *info,
                                 pliant_error *error)
{
    chunk json = {0}, binary = {0};
    pliant_error local = {0};
    error = error ? error : &local;
    pliant_result result = find_chunks(data, size, &json, &binary, error);
    if (result != PLIANT_OK)
        return result;
    json_document *document = pliant_json_parse((const char *)json.bytes, json.size, error);
    if (!document)
        return error->code;
    pliant_glb_info found = {0};
    glb_reader reader = {
        .json = document, .binary = binary.bytes, .binary_size = binary.size, .error = error};
    bool ok = read_document(&reader, &found);
    free(reader.views);
    free(reader.accessors);
    pliant_json_destroy(document);
    if (!ok)
        return error->code;
    *info = found;
    return PLIANT_OK;
}
