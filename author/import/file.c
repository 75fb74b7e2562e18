// Whole files, and what they are by their content.

#include <pliant/author.h>

#include "core/file.h"
#include "model/blob.h"
#include "json/json.h"

#include <string.h>

pliant_result pliant_file_read(const char *path, void **data, size_t *size, pliant_error *error)
{
    return pli_core_read_file(path, data, size, error);
}

pliant_result pliant_file_write(const char *path, const void *data, size_t size,
                                pliant_error *error)
{
    return pli_core_write_file(path, data, size, error);
}

// Both kinds of JSON say what they are in a member of the root.
static bool is_gltf(const char *text, size_t size)
{
    json_document *json = pli_json_parse(text, size, NULL);
    if (!json)
        return false;
    json_value root = pli_json_root(json);
    bool found = pli_json_get(json, root, "asset") != JSON_NONE &&
                 pli_json_get(json, root, "pliant") == JSON_NONE;
    pli_json_destroy(json);
    return found;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// By the first word that is no comment.
static bool is_obj(const char *text, size_t size)
{
    static const char *const words[] = {"v", "vt", "vn", "vp", "f",      "l",
                                        "p", "g",  "o",  "s",  "mtllib", "usemtl"};
    size_t at = 0;
    bool in_comment = false;
    while (at < size && (in_comment || is_space(text[at]) || text[at] == '#')) {
        in_comment = (in_comment || text[at] == '#') && text[at] != '\n';
        ++at;
    }
    size_t end = at;
    while (end < size && !is_space(text[end]))
        ++end;
    for (size_t i = 0; end < size && i < sizeof words / sizeof words[0]; ++i) {
        if (strlen(words[i]) == end - at && memcmp(words[i], text + at, end - at) == 0)
            return true;
    }
    return false;
}

pliant_file_kind pliant_file_detect(const void *data, size_t size)
{
    const char *bytes = data;
    if (size >= 4 && memcmp(bytes, "glTF", 4) == 0)
        return PLIANT_FILE_GLB;
    // The part of the magic a person can read, so that damage behind it is reported as damage.
    if (size >= 6 && memcmp(bytes, BLOB_MAGIC, 6) == 0)
        return PLIANT_FILE_MODEL;
    size_t mark = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; // of UTF-8
    size_t first = mark;
    while (first < size && is_space(bytes[first]))
        ++first;
    if (first < size && bytes[first] == '{')
        return is_gltf(bytes + mark, size - mark) ? PLIANT_FILE_GLTF : PLIANT_FILE_SCENE;
    return is_obj(bytes, size) ? PLIANT_FILE_OBJ : PLIANT_FILE_UNKNOWN;
}
