// The module has no files: what a document in memory refers to in other files cannot be found.

#include "core/error.h"
#include "core/file.h"

pliant_result pli_core_read_file(const char *path, void **data, size_t *size, pliant_error *error)
{
    (void)data, (void)size;
    return pli_error_set(error, PLIANT_ERROR_FILE, path, "there are no files here");
}

pliant_result pli_core_write_file(const char *path, const void *data, size_t size,
                                  pliant_error *error)
{
    (void)data, (void)size;
    return pli_error_set(error, PLIANT_ERROR_FILE, path, "there are no files here");
}
