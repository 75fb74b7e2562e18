// The libraries' files are those that the page has put: there are no others. Linked in place of src/core/file.c.

#include "core.h"

#include "core/file.h"

#include <stdlib.h>
#include <string.h>

pliant_result pli_core_read_file(const char *path, void **data, size_t *size, pliant_error *error)
{
    const studio_files *files = studio_files_lent();
    const studio_file *file = files ? studio_files_find(files, path) : NULL;
    if (!file)
        return pli_error_set(error, PLIANT_ERROR_FILE, path,
                             "the file %.100s was not opened with it", path);
    void *copy = malloc(file->size + 1);
    if (!copy)
        return pli_error_memory(error);
    memcpy(copy, file->data, file->size + 1);
    *data = copy;
    *size = file->size;
    return PLIANT_OK;
}

pliant_result pli_core_write_file(const char *path, const void *data, size_t size,
                                  pliant_error *error)
{
    (void)data, (void)size;
    return pli_error_set(error, PLIANT_ERROR_FILE, path, "files are not written here");
}
