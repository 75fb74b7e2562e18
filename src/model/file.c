// Models in files: the only part of the runtime that touches one, and nothing else calls it.

#include "model.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pliant_result file_error(pliant_error *error, const char *path)
{
    return pliant_error_set(error, PLIANT_ERROR_FILE, path, "%s", strerror(errno));
}

// Reads in growing pieces: the size of a pipe or a device is not known beforehand.
static pliant_result read_all(FILE *file, const char *path, uint8_t **data, size_t *size,
                              pliant_error *error)
{
    size_t capacity = 0;
    *data = NULL;
    *size = 0;
    for (;;) {
        if (*size == capacity) {
            capacity = capacity ? capacity * 2 : 1 << 16;
            uint8_t *bigger = realloc(*data, capacity);
            if (!bigger)
                return pliant_error_set(error, PLIANT_ERROR_MEMORY, path, "out of memory");
            *data = bigger;
        }
        size_t got = fread(*data + *size, 1, capacity - *size, file);
        *size += got;
        if (got == 0)
            return ferror(file) ? file_error(error, path) : PLIANT_OK;
    }
}

pliant_model *pliant_model_load_file(const char *path, pliant_error *error)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        file_error(error, path);
        return NULL;
    }
    uint8_t *data;
    size_t size;
    pliant_result result = read_all(file, path, &data, &size, error);
    fclose(file);
    pliant_model *model = result ? NULL : pliant_model_load(data, size, NULL, error);
    free(data);
    return model;
}

// Opens a file beside `path` that nobody else has: names that exist are passed over.
static FILE *open_temporary(const char *path, char *name, size_t capacity)
{
    FILE *file = NULL;
    for (int i = 0; i < 100 && !file; ++i) {
        snprintf(name, capacity, "%s.%d.tmp", path, i);
        file = fopen(name, "wbx");
        if (!file && errno != EEXIST)
            break;
    }
    return file;
}

static pliant_result write_and_rename(const char *path, char *name, size_t capacity,
                                      const void *data, size_t size, pliant_error *error)
{
    FILE *file = open_temporary(path, name, capacity);
    if (!file)
        return file_error(error, path);
    bool written = fwrite(data, 1, size, file) == size;
    written = fclose(file) == 0 && written;
    if (written && rename(name, path) == 0)
        return PLIANT_OK;
    pliant_result result = file_error(error, path);
    remove(name);
    return result;
}

pliant_result pliant_model_save_file(const pliant_model *model, const char *path,
                                     pliant_error *error)
{
    size_t size = pliant_model_blob_size(model), capacity = strlen(path) + 16;
    void *blob = malloc(size);
    char *temporary = malloc(capacity);
    pliant_result result;
    if (blob && temporary) {
        pliant_model_save(model, blob);
        result = write_and_rename(path, temporary, capacity, blob, size, error);
    } else {
        result = pliant_error_set(error, PLIANT_ERROR_MEMORY, path, "out of memory");
    }
    free(blob);
    free(temporary);
    return result;
}
