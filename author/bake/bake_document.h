// The glTF document a bake becomes, as far as it is written: one array of JSON elements for each kind
// of thing and how many there are.

#ifndef PLIANT_AUTHOR_BAKE_BAKE_DOCUMENT_H
#define PLIANT_AUTHOR_BAKE_BAKE_DOCUMENT_H

#include "bake.h"
#include "gltf/glb_write.h"
#include "gltf/looks.h"
#include "mesh/skin_mesh.h"

// What is written once for a model or shape and shared by all made of it; -1 is none.
typedef struct bake_geometry {
    bool written;
    int mesh; // with all its looks; without them every body and collider has one of its own colour
    int position, normal, texture, joints, weights, indices; // accessors
    int inverse_bind_matrices;
} bake_geometry;

// Buffer views of a mesh's vertices; -1 is none.
typedef struct bake_views {
    int position, normal, texture, joints, weights;
    bool is_narrow; // one byte for each joint
} bake_views;

typedef struct bake_document {
    const pliant_bake *bake;
    glb_writer glb;
    bake_geometry *geometries;       // one per model of the scene
    bake_geometry *shape_geometries; // one per shape of the scene
    pliant_vec3 minimum, maximum;    // of all particles' positions in all frames
    float *times;                    // s since the first frame, one a frame
    float *scratch;                  // four floats a frame
    json_writer roots;               // node indices at the root of the scene
    json_writer nodes, meshes, skins, cameras, samplers, channels;
    int node_count, mesh_count, skin_count, sampler_count;
    gltf_looks looks;
    int time_accessor; // of all samplers, -1 before the first one
} bake_document;

// Opens a node, for the caller to write its members, and returns its index.
int pli_bake_begin_node(bake_document *document, const char *name);
void pli_bake_end_node(bake_document *document, bool at_root);

// Moves a node as the recorded pose `index` does, as far as that changes.
void pli_bake_animate(bake_document *document, int node, int index);

// The mesh of one of the scene's models or shapes, added at the first call (bake_mesh.c). `name` is for a mesh
// with looks.
const bake_geometry *pli_bake_model_geometry(bake_document *document, int model, const char *name);
const bake_geometry *pli_bake_shape_geometry(bake_document *document, int shape);

// The vertices of a mesh, its links where there are joints, and its texture coordinates where asked for; then
// accessors to `count` of them.
bake_views pli_bake_add_views(glb_writer *glb, const skin_mesh *mesh, int joint_count,
                              bool textured);
bake_geometry pli_bake_add_accessors(glb_writer *glb, const skin_mesh *mesh,
                                     const bake_views *views, int first, int count);
void pli_bake_write_attributes(json_writer *json, const bake_geometry *geometry);

// Whether a mesh came from a file with looks of its own. Then the mesh of the model that has it, with all of
// them: returns its index (bake_looks.c).
bool pli_bake_has_looks(const pliant_mesh *mesh);
// Which of its parts are primitives of that mesh, in their order.
bool pli_bake_shows_part(const pliant_mesh *mesh, int part);
int pli_bake_add_looks(bake_document *document, int model, const char *name);

// A mesh of one primitive with the attributes of `geometry`. Returns the mesh's index.
int pli_bake_add_mesh(bake_document *document, const bake_geometry *geometry, const char *name,
                      const float colour[3], bool two_sided);

// What stands around the bodies: the colliders, a large quad for every plane, and the scene's camera
// (bake_backdrop.c).
void pli_bake_add_colliders(bake_document *document);
void pli_bake_add_planes(bake_document *document);
void pli_bake_add_camera(bake_document *document);

#endif
