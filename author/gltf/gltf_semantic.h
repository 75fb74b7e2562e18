// What the attributes of a primitive mean, and which accessors they may have.

#ifndef PLIANT_AUTHOR_GLTF_GLTF_SEMANTIC_H
#define PLIANT_AUTHOR_GLTF_GLTF_SEMANTIC_H

#include <stdbool.h>

typedef enum gltf_semantic_id {
    GLTF_POSITION,
    GLTF_NORMAL,
    GLTF_TANGENT,
    GLTF_TEXCOORD,
    GLTF_COLOR,
    GLTF_JOINTS,
    GLTF_WEIGHTS,
    GLTF_SEMANTIC_COUNT,
} gltf_semantic_id;

typedef enum gltf_semantic_use {
    GLTF_IN_BASE,
    GLTF_IN_TARGET, // of a morph
} gltf_semantic_use;

typedef struct gltf_semantic {
    const char *name;
    gltf_semantic_id id;
    bool has_sets;      // its name ends in _0, _1, …
    bool is_geometry;   // it is read here, so that it must be readable
    int least, most;    // components
    unsigned right;     // forms (see below) the specification allows
    unsigned quantized; // those that KHR_mesh_quantization adds
    unsigned readable;  // those that make sense
} gltf_semantic;

// A component type, normalised or not, as one bit.
unsigned pli_gltf_form(int component_type, bool is_normalized);
// The attribute of a name and its set, or NULL.
const gltf_semantic *pli_gltf_find_semantic(const char *name, gltf_semantic_use use, int *set);
// Whether a weight moves a vertex.
bool pli_gltf_acts(double weight);

#endif
