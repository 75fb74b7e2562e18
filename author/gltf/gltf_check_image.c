// Images: where they are, and whether they look like what they are said to be. They are never decoded.

#include "gltf_accessor.h"
#include "gltf_check.h"

#include <string.h>

typedef enum image_kind {
    IMAGE_UNKNOWN,
    IMAGE_PNG,
    IMAGE_JPEG,
    IMAGE_OTHER, // by an extension
} image_kind;

static image_kind find_kind(gltf_bytes data)
{
    static const struct {
        const char *magic;
        size_t offset, size;
        image_kind kind;
    } kinds[] = {
        {"\x89PNG\r\n\x1a\n", 0, 8, IMAGE_PNG},
        {"\xff\xd8\xff", 0, 3, IMAGE_JPEG},
        {"WEBP", 8, 4, IMAGE_OTHER},
        {"\xabKTX 20\xbb\r\n\x1a\n", 0, 12, IMAGE_OTHER},
        {"ftypavif", 4, 8, IMAGE_OTHER},
        {"DDS ", 0, 4, IMAGE_OTHER},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        size_t end = kinds[i].offset + kinds[i].size;
        if (data.size >= end &&
            memcmp(data.bytes + kinds[i].offset, kinds[i].magic, kinds[i].size) == 0)
            return kinds[i].kind;
    }
    return IMAGE_UNKNOWN;
}

static size_t get_big_endian(const unsigned char *at, int size)
{
    size_t value = 0;
    for (int i = 0; i < size; ++i)
        value = value << 8 | at[i];
    return value;
}

// Chunks of a length, a name, content and a checksum, from IHDR to IEND.
static const char *png_problem(gltf_bytes data)
{
    for (size_t at = 8; data.size - at >= 12;) {
        size_t length = get_big_endian(data.bytes + at, 4);
        const unsigned char *name = data.bytes + at + 4;
        if (at == 8 && (length != 13 || memcmp(name, "IHDR", 4) != 0))
            return "the PNG does not begin with its header";
        if (length > data.size - at - 12)
            break;
        if (memcmp(name, "IEND", 4) == 0)
            return NULL;
        at += length + 12;
    }
    return "the PNG is cut off";
}

// Segments of a marker and a length, up to the one that tells the size of the picture.
static const char *jpeg_problem(gltf_bytes data)
{
    for (size_t at = 2; data.size - at >= 4;) {
        unsigned marker = data.bytes[at + 1];
        if (data.bytes[at] != 0xff || marker == 0)
            return "a segment of the JPEG has no marker";
        if (marker == 0xff) {
            ++at; // padding
            continue;
        }
        size_t length = get_big_endian(data.bytes + at + 2, 2);
        if (length < 2)
            return "a segment of the JPEG is too short";
        if (length > data.size - at - 2)
            break;
        if (marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc)
            return NULL;
        at += length + 2;
    }
    return "the JPEG is cut off";
}

static const char *image_problem(const gltf_check *c, gltf_bytes data, json_value type)
{
    image_kind kind = find_kind(data);
    if (kind == IMAGE_UNKNOWN)
        return "the image is neither PNG nor JPEG";
    if ((pli_json_string_is(c->json, type, "image/png") && kind != IMAGE_PNG) ||
        (pli_json_string_is(c->json, type, "image/jpeg") && kind != IMAGE_JPEG))
        return "the image is not of its media type";
    return kind == IMAGE_PNG ? png_problem(data) : kind == IMAGE_JPEG ? jpeg_problem(data) : NULL;
}

static gltf_bytes find_data(const gltf_check *c, int image)
{
    int view = pli_gltf_reference(c->gltf, c->gltf->images.items[image], "bufferView");
    if (view < 0)
        return c->gltf->image_bytes[image];
    json_value v = c->gltf->views.items[view];
    const gltf_bytes *buffer = &c->gltf->buffer_bytes[pli_gltf_reference(c->gltf, v, "buffer")];
    if (!buffer->bytes)
        return (gltf_bytes){0};
    return (gltf_bytes){buffer->bytes + pli_gltf_integer(c->json, v, "byteOffset", 0),
                        (size_t)pli_gltf_integer(c->json, v, "byteLength", 0)};
}

bool pli_gltf_check_images(gltf_check *c)
{
    for (int i = 0; i < c->gltf->images.count; ++i) {
        json_value image = c->gltf->images.items[i];
        json_value type = pli_json_get(c->json, image, "mimeType");
        bool has_uri = pli_json_get(c->json, image, "uri") != JSON_NONE;
        bool has_view = pli_json_get(c->json, image, "bufferView") != JSON_NONE;
        if (has_uri == has_view)
            pli_gltf_remark(c, "expected either a URI or a buffer view", "images[%d]", i);
        if (has_view && type == JSON_NONE)
            pli_gltf_remark(c, "an image in a buffer needs one", "images[%d].mimeType", i);
        gltf_bytes data = find_data(c, i);
        const char *problem = data.bytes ? image_problem(c, data, type) : NULL;
        if (problem)
            pli_gltf_remark(c, problem, "images[%d]", i);
    }
    return true;
}
