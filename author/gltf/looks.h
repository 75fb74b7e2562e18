// What surfaces look like, gathered from any number of documents for one that is written: materials, the
// textures, samplers and images they use, and the extensions these need.

#ifndef PLIANT_AUTHOR_GLTF_LOOKS_H
#define PLIANT_AUTHOR_GLTF_LOOKS_H

#include "glb_write.h"
#include "gltf.h"

typedef struct name_list {
    int count;
    char **names;
} name_list;

// Zero-initialise to begin. Each writer holds the elements of one of glTF's lists.
typedef struct gltf_looks {
    json_writer materials, textures, samplers, images;
    int material_count, texture_count, sampler_count, image_count;
    name_list used, required; // extensions
    bool failed;
} gltf_looks;

void pli_looks_release(gltf_looks *looks);
bool pli_looks_failed(const gltf_looks *looks);

// Adds all of a document's, with their bytes. Returns the index that its first material has now.
int pli_looks_add(gltf_looks *looks, glb_writer *glb, const pliant_gltf *gltf);
// Lists an extension that the document uses, as required where the document requires it.
void pli_looks_use(gltf_looks *looks, const pliant_gltf *gltf, const char *extension);

// All lists that are not empty, as members of the object that is open.
void pli_looks_write(const gltf_looks *looks, json_writer *json);

#endif
