// The glTF document a bake becomes, as far as it is written: one array of JSON elements for each kind
// of thing and how many there are.

#ifndef PLIANT_AUTHOR_IO_BAKE_DOCUMENT_H
#define PLIANT_AUTHOR_IO_BAKE_DOCUMENT_H

#include "io/bake.h"
#include "io/glb_write.h"

// Accessor indices of one model's or shape's mesh, shared by all made of it; -1 is none.
typedef struct bake_geometry {
    bool written;
    int position, normal, texture, joints, weights, indices;
    int inverse_bind_matrices;
} bake_geometry;

typedef struct bake_document {
    const pliant_bake *bake;
    glb_writer glb;
    bake_geometry *geometries;       // one per model of the scene
    bake_geometry *shape_geometries; // one per shape of the scene
    float *scratch;                  // four floats a frame
    json_writer roots;               // node indices at the root of the scene
    json_writer nodes, meshes, skins, materials, cameras, samplers, channels;
    int node_count, mesh_count, skin_count, material_count, sampler_count;
    int time_accessor; // of all samplers, -1 before the first one
} bake_document;

// Opens a node, for the caller to write its members, and returns its index.
int pliant_bake_begin_node(bake_document *document, const char *name);
void pliant_bake_end_node(bake_document *document, bool at_root);

// Moves a node as the recorded pose `index` does, as far as that changes.
void pliant_bake_animate(bake_document *document, int node, int index);

// The mesh of one of the scene's models or shapes, added at the first call (bake_mesh.c).
const bake_geometry *pliant_bake_model_geometry(bake_document *document, int model);
const bake_geometry *pliant_bake_shape_geometry(bake_document *document, int shape);

// A mesh of one primitive with the attributes of `geometry`. Returns the mesh's index.
int pliant_bake_add_mesh(bake_document *document, const bake_geometry *geometry, const char *name,
                         const float colour[3], bool two_sided);

// What stands around the bodies: the colliders, a large quad for every plane, and the scene's camera
// (bake_backdrop.c).
void pliant_bake_add_colliders(bake_document *document);
void pliant_bake_add_planes(bake_document *document);
void pliant_bake_add_camera(bake_document *document);

#endif
