// The bytes of buffer views and images.

#include "gltf_bytes.h"

#include <string.h>

static size_t read_size(const pliant_gltf *gltf, json_value object, const char *key)
{
    return (size_t)pli_json_number(gltf->json, pli_json_get(gltf->json, object, key), 0.0);
}

gltf_range pli_gltf_view_range(const pliant_gltf *gltf, int view)
{
    json_value object = gltf->views.items[view];
    size_t begin = read_size(gltf, object, "byteOffset");
    return (gltf_range){pli_gltf_reference(gltf, object, "buffer"), begin,
                        begin + read_size(gltf, object, "byteLength")};
}

gltf_bytes pli_gltf_view_bytes(const pliant_gltf *gltf, int view)
{
    gltf_range range = pli_gltf_view_range(gltf, view);
    const unsigned char *buffer = gltf->buffer_bytes[range.buffer].bytes;
    if (!buffer)
        return (gltf_bytes){NULL, 0};
    return (gltf_bytes){buffer + range.begin, range.end - range.begin};
}

gltf_bytes pli_gltf_image_bytes(const pliant_gltf *gltf, int image)
{
    int view = pli_gltf_reference(gltf, gltf->images.items[image], "bufferView");
    return view >= 0 ? pli_gltf_view_bytes(gltf, view) : gltf->image_bytes[image];
}

const char *pli_gltf_image_type(gltf_bytes image)
{
    static const struct {
        size_t offset;
        const char *magic, *type;
    } types[] = {
        {0, "\x89PNG\r\n\x1a\n", "image/png"},
        {0, "\xff\xd8\xff", "image/jpeg"},
        {8, "WEBP", "image/webp"},
        {0, "\xabKTX 20\xbb\r\n\x1a\n", "image/ktx2"},
        {0, "DDS ", "image/vnd-ms.dds"},
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i) {
        size_t length = strlen(types[i].magic), end = types[i].offset + length;
        if (image.size >= end && memcmp(image.bytes + types[i].offset, types[i].magic, length) == 0)
            return types[i].type;
    }
    return "application/octet-stream";
}
