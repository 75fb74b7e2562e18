// Models in files: the only part of the runtime that touches one, and nothing else calls it.

#include "model.h"

#include "core/file.h"

#include <stdlib.h>

pliant_model *pliant_model_load_file(const char *path, pliant_error *error)
{
    void *data;
    size_t size;
    if (pli_core_read_file(path, &data, &size, error) != PLIANT_OK)
        return NULL;
    pliant_model *model = pliant_model_load(data, size, NULL, error);
    free(data);
    return model;
}

pliant_result pliant_model_save_file(const pliant_model *model, const char *path,
                                     pliant_error *error)
{
    size_t size = pliant_model_blob_size(model);
    void *blob = malloc(size);
    if (!blob)
        return pli_error_set(error, PLIANT_ERROR_MEMORY, path, "out of memory");
    pliant_model_save(model, blob);
    pliant_result result = pli_core_write_file(path, blob, size, error);
    free(blob);
    return result;
}
