// Writing a glTF document as one GLB that refers to no other file, with a model inside where it is asked
// for: the extension PLIANT_model at the document's root names the buffer view that holds its blob.

#ifndef PLIANT_AUTHOR_GLTF_GLTF_WRITE_H
#define PLIANT_AUTHOR_GLTF_GLTF_WRITE_H

#include "gltf.h"

#define GLTF_MODEL_EXTENSION "PLIANT_model"

// The extension in a document, or JSON_NONE.
json_value pli_gltf_model_extension(const pliant_gltf *gltf);
// The buffer view it names, or -1.
int pli_gltf_model_view(const pliant_gltf *gltf);

// All that is in the document, with its buffers as one and images from data URIs and files among them; free()
// it. What could not be loaded stays a reference. A `model` that is not NULL takes the place of the
// document's own.
pliant_result pli_gltf_write(const pliant_gltf *gltf, const gltf_bytes *model, void **data,
                             size_t *size, pliant_error *error);

// The same larger or smaller, without a model: that was made at its size.
pliant_result pli_gltf_write_scaled(const pliant_gltf *gltf, float scale, void **data, size_t *size,
                                    pliant_error *error);

#endif
