// URIs in glTF: base64 data, or the name of a file that must not lead out of its folder.

#include "gltf_memory.h"

#include "core/error.h"
#include "io/beside.h"

#include <stdlib.h>
#include <string.h>

static pliant_result refuse(pliant_error *error, const char *message)
{
    return pli_error_set(error, PLIANT_ERROR_FORMAT, "", "%s", message);
}

// ---------------------------------------------------------------------------------------------
// Percent encoding

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 32;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// In place. False for what is not two digits behind a '%'.
static bool decode_percent(char *text, size_t *length)
{
    char *const begin = text, *to = text;
    for (; *text; ++text) {
        *to = *text;
        if (*text == '%') {
            int high = hex_digit(text[1]), low = high < 0 ? -1 : hex_digit(text[2]);
            if (low < 0)
                return false;
            *to = (char)(high * 16 + low);
            text += 2;
        }
        ++to;
    }
    *to = 0;
    *length = (size_t)(to - begin);
    return true;
}

// ---------------------------------------------------------------------------------------------
// data:media/type;parameter=value;base64,…

static int base64_value(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

// In place, as what it stands for is shorter. False for anything but base64, with or without padding.
static bool decode_base64(char *text, size_t *size)
{
    size_t length = *size, written = 0;
    int padding = 0;
    while (padding < 2 && length > 0 && text[length - 1] == '=') {
        --length;
        ++padding;
    }
    if (length % 4 == 1 || (padding > 0 && (length + (size_t)padding) % 4 != 0))
        return false;
    unsigned bits = 0;
    for (size_t i = 0; i < length; ++i) {
        int value = base64_value(text[i]);
        if (value < 0)
            return false;
        bits = bits << 6 | (unsigned)value;
        if (i % 4 != 0)
            text[written++] = (char)(bits >> (6 - 2 * (i % 4)));
    }
    *size = written;
    return true;
}

// Behind the media type there may be parameters, each with a name and a value. Returns what stands behind the comma,
// or NULL.
static char *skip_parameters(char *at, bool *is_base64)
{
    *is_base64 = false;
    while (*at == ';' && !*is_base64) {
        size_t length = strcspn(++at, ";,");
        const char *equals = memchr(at, '=', length);
        *is_base64 = length == 6 && memcmp(at, "base64", 6) == 0;
        if (!*is_base64 && (!equals || equals == at))
            return NULL;
        at += length;
    }
    return *at == ',' ? at + 1 : NULL;
}

static pliant_result load_data(pliant_gltf *gltf, char *uri, size_t length, gltf_bytes *bytes,
                               char media_type[64], pliant_error *error)
{
    char *type = uri + strlen("data:");
    size_t type_length = strcspn(type, ";,");
    bool is_base64;
    char *content = skip_parameters(type + type_length, &is_base64);
    if (!content || type_length >= 64)
        return refuse(error, "this is not a data URI");
    memcpy(media_type, type, type_length);
    media_type[type_length] = 0;
    bytes->size = length - (size_t)(content - uri);
    if (is_base64 && !decode_base64(content, &bytes->size))
        return refuse(error, "this is not base64");
    // An own copy, so that it is aligned as well as memory can be.
    unsigned char *copy = pli_gltf_allocate(gltf, bytes->size, 1);
    if (!copy)
        return pli_error_memory(error);
    memcpy(copy, content, bytes->size);
    bytes->bytes = copy;
    return PLIANT_OK;
}

// ---------------------------------------------------------------------------------------------
// Files

static bool has_scheme(const char *path)
{
    return path[strcspn(path, ":/")] == ':';
}

static pliant_result load_file(pliant_gltf *gltf, const char *name, const char *folder,
                               gltf_bytes *bytes, pliant_error *error)
{
    if (has_scheme(name))
        return refuse(error, "only data URIs and relative paths are understood");
    void *data;
    slice text = slice_of(name);
    pliant_result result = pli_beside_read(folder, text, &data, &bytes->size, error);
    if (result != PLIANT_OK)
        return result;
    if (!pli_gltf_adopt(gltf, data))
        return pli_error_memory(error);
    bytes->bytes = data;
    return PLIANT_OK;
}

pliant_result pli_gltf_load(pliant_gltf *gltf, json_value uri, const gltf_folder *folder,
                            gltf_bytes *bytes, char media_type[64], pliant_error *error)
{
    *bytes = (gltf_bytes){0};
    media_type[0] = 0;
    size_t length = pli_json_string(gltf->json, uri, NULL, 0);
    char *text = malloc(length + 1);
    if (!text)
        return pli_error_memory(error);
    pli_json_string(gltf->json, uri, text, length + 1);
    pliant_result result = PLIANT_OK;
    if (!decode_percent(text, &length))
        result = refuse(error, "a '%' must stand before two hexadecimal digits");
    else if (strncmp(text, "data:", 5) == 0)
        result = load_data(gltf, text, length, bytes, media_type, error);
    else if (strlen(text) != length)
        result = refuse(error, "a zero byte cannot be in a name");
    else if (!folder->is_closed)
        result = load_file(gltf, text, folder->path, bytes, error);
    free(text);
    if (result != PLIANT_OK)
        *bytes = (gltf_bytes){0};
    return result;
}
