// Whole files, and what they are by their content.

#include <pliant/author.h>

#include "core/file.h"
#include "model/blob.h"

#include <string.h>

pliant_result pliant_file_read(const char *path, void **data, size_t *size, pliant_error *error)
{
    return pliant_core_read_file(path, data, size, error);
}

pliant_result pliant_file_write(const char *path, const void *data, size_t size,
                                pliant_error *error)
{
    return pliant_core_write_file(path, data, size, error);
}

pliant_file_kind pliant_file_detect(const void *data, size_t size)
{
    const char *bytes = data;
    if (size >= 4 && memcmp(bytes, "glTF", 4) == 0)
        return PLIANT_FILE_GLB;
    // The part of the magic a person can read, so that damage behind it is reported as damage.
    if (size >= 6 && memcmp(bytes, BLOB_MAGIC, 6) == 0)
        return PLIANT_FILE_MODEL;
    for (size_t i = 0; i < size; ++i) {
        if (!strchr(" \t\r\n", bytes[i]) || bytes[i] == 0)
            return bytes[i] == '{' ? PLIANT_FILE_SCENE : PLIANT_FILE_UNKNOWN;
    }
    return PLIANT_FILE_UNKNOWN;
}
