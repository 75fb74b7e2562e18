// What a file says of how the parts of its mesh look, for files that are written from it.

#ifndef PLIANT_AUTHOR_GLTF_PART_LOOKS_H
#define PLIANT_AUTHOR_GLTF_PART_LOOKS_H

#include "looks.h"

// While the primitives of a mesh with a document are written.
typedef struct part_looks {
    const pliant_mesh *mesh;
    const pliant_gltf *gltf; // its document
    glb_writer *glb;
    gltf_looks *looks;
    json_writer *json; // where the primitives go
    int first_material;
    int *copies; // per accessor of the document: its copy, or -1
} part_looks;

// Adds the document's materials and textures to `looks`. False when memory ran out. To be ended in every case.
bool pli_part_looks_begin(part_looks *m, const pliant_mesh *mesh, glb_writer *glb,
                          gltf_looks *looks, json_writer *json);
void pli_part_looks_end(part_looks *m);

// How the vertices of a part make points, lines or triangles in the document; and whether they have an attribute there.
int pli_part_mode(const pliant_gltf *gltf, int part);
bool pli_part_has_attribute(const part_looks *m, int part, const char *name);

// Members of a primitive's open "attributes": colours, texture coordinates and what else does not move. Tangents turn
// with the surface as it was placed in the file's scene.
void pli_part_write_attributes(part_looks *m, int part, bool with_tangents);
// Members of the open primitive: indices, mode and material.
void pli_part_write_rest(part_looks *m, int part);

#endif
