// What a glTF document is made of: blocks of memory that live as long as it does, and files it refers to.

#ifndef PLIANT_AUTHOR_GLTF_GLTF_MEMORY_H
#define PLIANT_AUTHOR_GLTF_GLTF_MEMORY_H

#include "gltf.h"

// Zeroed, released with the document; NULL when memory ran out.
void *pli_gltf_allocate(pliant_gltf *gltf, size_t count, size_t size);
// Takes over what malloc() gave, also on failure.
bool pli_gltf_adopt(pliant_gltf *gltf, void *data);

// Where a URI leads, and whether files may be read at all.
typedef struct gltf_folder {
    const char *path; // NULL: the working directory
    bool is_closed;   // no file is read
} gltf_folder;

// What the member `uri` of an element stands for: base64 or a file in the folder. The error has no place.
// `media_type` receives that of a data URI, else an empty string. Gives NULL bytes and no error where the folder is
// closed and the URI names a file.
pliant_result pli_gltf_load(pliant_gltf *gltf, json_value uri, const gltf_folder *folder,
                            gltf_bytes *bytes, char media_type[64], pliant_error *error);

#endif
