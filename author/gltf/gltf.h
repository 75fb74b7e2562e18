// A glTF 2.0 document in memory, from .glb or .gltf, with all it refers to: JSON, buffers, images. It is
// checked as a whole when it is opened: what would make reading unsafe or the geometry meaningless is an error,
// other faults are remarks. Afterwards references can be followed without checks.

#ifndef PLIANT_AUTHOR_GLTF_GLTF_H
#define PLIANT_AUTHOR_GLTF_GLTF_H

#include "json/json.h"

#include <pliant/mesh.h>

// A list of elements at the top level: handles by index.
typedef struct gltf_list {
    int count;
    json_value *items;
} gltf_list;

typedef struct gltf_bytes {
    const unsigned char *bytes; // NULL when they could not be loaded
    size_t size;
} gltf_bytes;

typedef struct pliant_gltf {
    json_document *json;
    gltf_list buffers, views, accessors, meshes, nodes, scenes, materials, textures, images,
        samplers, skins, animations, cameras;
    gltf_bytes *buffer_bytes; // one per buffer
    // One per image: those that lie in another file or a data URI; NULL bytes for the ones in a buffer view
    // and those that could not be found.
    gltf_bytes *image_bytes;
    struct gltf_accessor *formats; // one per accessor: what pli_gltf_accessor tells
    // Where each part of the mesh came from.
    int part_count;
    struct gltf_part *parts;
    size_t size;                // bytes of the file and of the buffers outside of it
    struct gltf_memory *memory; // everything the above points into
} pliant_gltf;

typedef struct gltf_part {
    int node, mesh, primitive;
    json_value primitive_value;
    double matrix[16]; // from the mesh's space to the scene's, column major; not of skinned parts
    bool is_skinned;   // at rest, its vertices were placed by joints
    bool is_mirrored;  // the matrix turns the surface inside out: triangles were turned back
} gltf_part;

// From GLB or JSON. `directory` as in pliant_mesh_read; `remarks` and `error` may be NULL.
pliant_gltf *pli_gltf_open(const void *data, size_t size, const char *directory,
                           pliant_remarks *remarks, pliant_error *error);
// The same without reading any other file: what lies in one has no bytes.
pliant_gltf *pli_gltf_open_alone(const void *data, size_t size, pliant_remarks *remarks,
                                 pliant_error *error);
void pli_gltf_close(pliant_gltf *gltf);

// The triangles of the default scene (the first, where none is named; all root nodes, where there is no
// scene), node by node in depth-first order. Fills gltf->parts. The mesh takes the document over in
// every case.
pliant_mesh *pli_gltf_flatten(pliant_gltf *gltf, pliant_remarks *remarks, pliant_error *error);

// Adds a remark, when there is room and `remarks` is not NULL.
void pli_remark_add(pliant_remarks *remarks, const char *place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

typedef struct gltf_accessor {
    int count;
    int components;     // 1 … 16
    int component_type; // 5120 …
    int component_size; // bytes
    bool is_normalized;
} gltf_accessor;

gltf_accessor pli_gltf_accessor(const pliant_gltf *gltf, int accessor);
// All elements as doubles, sparse ones applied and integers normalised where they say so: `values` has room for
// count * components. Matrix columns are without padding.
void pli_gltf_read_doubles(const pliant_gltf *gltf, int accessor, double *values);
// All elements as they are stored, tightly packed: count * components * component_size bytes.
void pli_gltf_read_raw(const pliant_gltf *gltf, int accessor, void *bytes);

// A member that refers to an element of a list: its index, or -1 where it is not there.
int pli_gltf_reference(const pliant_gltf *gltf, json_value object, const char *key);

#endif
