// Opening a glTF document: the container, its JSON, the lists at the top level, and the bytes it refers to.

#include "gltf.h"

#include "gltf_check.h"
#include "gltf_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// The container

static size_t get_uint32(const unsigned char *at)
{
    return (size_t)at[0] | (size_t)at[1] << 8 | (size_t)at[2] << 16 | (size_t)at[3] << 24;
}

typedef struct chunks {
    bool is_glb;
    gltf_bytes json, binary;
} chunks;

static bool fail_container(pliant_error *error, const char *message)
{
    pli_error_set(error, PLIANT_ERROR_FORMAT, "GLB", "%s", message);
    return false;
}

// Chunks of other kinds than these two are passed over, as the specification wants it.
static bool find_chunks(const unsigned char *data, size_t size, chunks *found, pliant_error *error)
{
    if (size < 12)
        return fail_container(error, "the header is cut off");
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
        bool is_binary = memcmp(kind, "BIN", 4) == 0;
        if (is_binary && index != 1)
            return fail_container(error, "the binary chunk must be the second one");
        if (index == 0)
            found->json = (gltf_bytes){data + at, length};
        else if (is_binary)
            found->binary = (gltf_bytes){data + at, length};
        at += length;
    }
    if (!found->json.bytes)
        return fail_container(error, "there is no JSON chunk");
    return true;
}

static bool split_file(pliant_gltf *gltf, const void *data, size_t size, chunks *found,
                       pliant_error *error)
{
    unsigned char *copy = pli_gltf_allocate(gltf, size, 1);
    if (!copy) {
        pli_error_memory(error);
        return false;
    }
    if (size > 0)
        memcpy(copy, data, size);
    *found = (chunks){.is_glb = size >= 4 && memcmp(copy, "glTF", 4) == 0};
    if (found->is_glb)
        return find_chunks(copy, size, found, error);
    found->json = (gltf_bytes){copy, size};
    return true;
}

// ---------------------------------------------------------------------------------------------
// The JSON

// "2.0", "2.1", …
static bool is_version_2(gltf_check *c, json_value version)
{
    char text[16];
    pli_json_string(c->json, version, text, sizeof text);
    return strncmp(text, "2.", 2) == 0 && text[2] && !text[2 + strspn(text + 2, "0123456789")];
}

static bool check_asset(gltf_check *c)
{
    json_value root = pli_json_root(c->json), asset = pli_json_get(c->json, root, "asset");
    if (pli_json_type_of(c->json, root) != JSON_TYPE_OBJECT)
        return pli_gltf_fail(c, "expected an object", "JSON");
    if (pli_json_type_of(c->json, asset) != JSON_TYPE_OBJECT)
        return pli_gltf_fail(c, "expected an object", "asset");
    if (!is_version_2(c, pli_json_get(c->json, asset, "version")))
        return pli_gltf_fail(c, "expected \"2.0\"", "asset.version");
    json_value minimum = pli_json_get(c->json, asset, "minVersion");
    if (minimum != JSON_NONE && !is_version_2(c, minimum))
        return pli_gltf_fail(c, "expected \"2.0\"", "asset.minVersion");
    return true;
}

static bool list_elements(gltf_check *c, const char *key, gltf_list *list)
{
    json_value array = pli_json_get(c->json, pli_json_root(c->json), key);
    if (array != JSON_NONE && pli_json_type_of(c->json, array) != JSON_TYPE_ARRAY)
        return pli_gltf_fail(c, "expected an array", "%s", key);
    int count = pli_json_size(c->json, array);
    list->items = pli_gltf_allocate(c->gltf, (size_t)count, sizeof *list->items);
    if (!list->items)
        return pli_gltf_fail_memory(c);
    for (json_value item = pli_json_first(c->json, array); item != JSON_NONE;
         item = pli_json_next(c->json, item)) {
        if (pli_json_type_of(c->json, item) != JSON_TYPE_OBJECT)
            return pli_gltf_fail(c, "expected an object", "%s[%d]", key, list->count);
        list->items[list->count++] = item;
    }
    return true;
}

static bool list_everything(gltf_check *c)
{
    pliant_gltf *g = c->gltf;
    const struct {
        const char *key;
        gltf_list *list;
    } lists[] = {
        {"buffers", &g->buffers},     {"bufferViews", &g->views}, {"accessors", &g->accessors},
        {"meshes", &g->meshes},       {"nodes", &g->nodes},       {"scenes", &g->scenes},
        {"materials", &g->materials}, {"textures", &g->textures}, {"images", &g->images},
        {"samplers", &g->samplers},   {"skins", &g->skins},       {"animations", &g->animations},
        {"cameras", &g->cameras},
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; ++i) {
        if (!list_elements(c, lists[i].key, lists[i].list))
            return false;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Buffers and images

// The error of a load, which has no place yet.
static bool fail_load(gltf_check *c, const pliant_error *cause, const char *list, int index)
{
    char place[GLTF_PLACE_SIZE];
    snprintf(place, sizeof place, "%s[%d].uri", list, index);
    pli_error_set(c->error, cause->code, place, "%s%s%s", cause->place, cause->place[0] ? ": " : "",
                  cause->message);
    return false;
}

static bool is_buffer_type(const char *type)
{
    static const char *const types[] = {"application/octet-stream", "application/gltf-buffer"};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i) {
        size_t k = 0;
        while (type[k] &&
               ((type[k] >= 'A' && type[k] <= 'Z' ? type[k] + 32 : type[k]) == types[i][k]))
            ++k;
        if (!type[k] && !types[i][k])
            return true;
    }
    return !type[0];
}

static bool load_buffer(gltf_check *c, int index, const chunks *file, const gltf_folder *folder)
{
    json_value buffer = c->gltf->buffers.items[index];
    json_value uri = pli_json_get(c->json, buffer, "uri");
    double length = pli_json_number(c->json, pli_json_get(c->json, buffer, "byteLength"), 0);
    gltf_bytes *bytes = &c->gltf->buffer_bytes[index];
    char type[64] = "";
    pliant_error cause;
    if (uri == JSON_NONE) {
        bool is_own = file->is_glb && index == 0;
        if (is_own && !file->binary.bytes)
            return pli_gltf_fail(c, "the binary chunk is missing", "buffers[0]");
        // The chunk may be up to three bytes longer, which pad it.
        if (is_own && (double)file->binary.size > length + 3)
            return pli_gltf_fail(c, "not the length of the binary chunk", "buffers[0].byteLength");
        if (is_own)
            *bytes = file->binary;
    } else if (pli_gltf_load(c->gltf, uri, folder, bytes, type, &cause) != PLIANT_OK) {
        return fail_load(c, &cause, "buffers", index);
    }
    if (!is_buffer_type(type))
        pli_gltf_remark(c, "not the media type of a buffer", "buffers[%d].uri", index);
    if (bytes->bytes && (double)bytes->size < length)
        return pli_gltf_fail(c, "its data is shorter than that", "buffers[%d].byteLength", index);
    if (!bytes->bytes)
        return true;
    bytes->size = (size_t)length;
    if (uri != JSON_NONE) {
        c->gltf->size += bytes->size;
        c->work += GLTF_WORK_PER_BYTE * (int64_t)bytes->size;
    }
    return true;
}

static bool load_buffers(gltf_check *c, const chunks *file, const gltf_folder *folder)
{
    pliant_gltf *g = c->gltf;
    g->buffer_bytes = pli_gltf_allocate(g, (size_t)g->buffers.count, sizeof *g->buffer_bytes);
    if (!g->buffer_bytes)
        return pli_gltf_fail_memory(c);
    for (int i = 0; i < g->buffers.count; ++i) {
        if (!load_buffer(c, i, file, folder))
            return false;
    }
    return true;
}

// A short file may name a large image many times.
#define MOST_IMAGE_BYTES ((size_t)1 << 30)

// An image that is not there is no reason to refuse the geometry.
static bool load_images(gltf_check *c, const gltf_folder *folder)
{
    pliant_gltf *g = c->gltf;
    g->image_bytes = pli_gltf_allocate(g, (size_t)g->images.count, sizeof *g->image_bytes);
    if (!g->image_bytes)
        return pli_gltf_fail_memory(c);
    size_t total = 0;
    for (int i = 0; i < g->images.count; ++i) {
        json_value uri = pli_json_get(c->json, g->images.items[i], "uri");
        char type[64], place[GLTF_PLACE_SIZE];
        pliant_error cause;
        total += i > 0 ? g->image_bytes[i - 1].size : 0;
        if (total > MOST_IMAGE_BYTES)
            return pli_gltf_fail(c, "the images take more than 1 GB", "images[%d]", i);
        if (uri == JSON_NONE ||
            pli_gltf_load(g, uri, folder, &g->image_bytes[i], type, &cause) == PLIANT_OK)
            continue;
        if (cause.code == PLIANT_ERROR_MEMORY)
            return fail_load(c, &cause, "images", i);
        snprintf(place, sizeof place, "images[%d].uri", i);
        pli_remark_add(c->remarks, place, "%s", cause.message);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// All of it

static bool open_document(pliant_gltf *gltf, const void *data, size_t size,
                          const gltf_folder *folder, pliant_remarks *remarks, pliant_error *error)
{
    chunks file;
    if (!split_file(gltf, data, size, &file, error))
        return false;
    gltf->json = pli_json_parse((const char *)file.json.bytes, file.json.size, error);
    if (!gltf->json)
        return false;
    gltf->size = size;
    gltf_check c = pli_gltf_check_begin(gltf, remarks, error);
    return check_asset(&c) && list_everything(&c) && pli_gltf_check_required(&c) &&
           pli_gltf_check_schema(&c) && load_buffers(&c, &file, folder) &&
           pli_gltf_check_views(&c) && pli_gltf_check_accessors(&c) && load_images(&c, folder) &&
           pli_gltf_check_images(&c) && pli_gltf_check_meshes(&c) && pli_gltf_check_scenes(&c) &&
           pli_gltf_check_animations(&c) && pli_gltf_check_cameras(&c);
}

static pliant_gltf *open_in(const gltf_folder *folder, const void *data, size_t size,
                            pliant_remarks *remarks, pliant_error *error)
{
    pliant_gltf *gltf = calloc(1, sizeof *gltf);
    if (!gltf) {
        pli_error_memory(error);
        return NULL;
    }
    if (!open_document(gltf, data, size, folder, remarks, error)) {
        pli_gltf_close(gltf);
        return NULL;
    }
    return gltf;
}

pliant_gltf *pli_gltf_open(const void *data, size_t size, const char *directory,
                           pliant_remarks *remarks, pliant_error *error)
{
    return open_in(&(gltf_folder){.path = directory}, data, size, remarks, error);
}

pliant_gltf *pli_gltf_open_alone(const void *data, size_t size, pliant_remarks *remarks,
                                 pliant_error *error)
{
    return open_in(&(gltf_folder){.is_closed = true}, data, size, remarks, error);
}
