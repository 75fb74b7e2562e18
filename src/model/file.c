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

pliant_result pliant_model_save_file(const pliant_model *model, const char *path,
                                     pliant_error *error)
{
    size_t size = pliant_model_blob_size(model), length = strlen(path);
    void *blob = malloc(size);
    char *temporary = malloc(length + 5);
    if (!blob || !temporary) {
        free(blob);
        free(temporary);
        return pliant_error_set(error, PLIANT_ERROR_MEMORY, path, "out of memory");
    }
    pliant_model_save(model, blob);
    memcpy(temporary, path, length);
    memcpy(temporary + length, ".tmp", 5);

    pliant_result result = PLIANT_OK;
    FILE *file = fopen(temporary, "wb");
    if (!file) {
        result = file_error(error, path);
    } else {
        bool written = fwrite(blob, 1, size, file) == size;
        written = fclose(file) == 0 && written;
        if (!written || rename(temporary, path) != 0) {
            result = file_error(error, path);
            remove(temporary);
        }
    }
    free(blob);
    free(temporary);
    return result;
}
