// Where the bytes of a document's buffer views and images lie.

#ifndef PLIANT_AUTHOR_GLTF_GLTF_BYTES_H
#define PLIANT_AUTHOR_GLTF_GLTF_BYTES_H

#include "gltf.h"

// The part of a buffer that a view shows.
typedef struct gltf_range {
    int buffer;
    size_t begin, end;
} gltf_range;

gltf_range pli_gltf_view_range(const pliant_gltf *gltf, int view);

// Both are NULL when what they lie in could not be loaded.
gltf_bytes pli_gltf_view_bytes(const pliant_gltf *gltf, int view);
gltf_bytes pli_gltf_image_bytes(const pliant_gltf *gltf, int image);

// Where an image in a buffer view has to say what it is: the type of its content, "image/png" say.
const char *pli_gltf_image_type(gltf_bytes image);

#endif
