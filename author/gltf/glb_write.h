// Assembling a GLB: the binary chunk with its buffer views and accessors, and the two chunks put
// together. What the file means (nodes, meshes, …) is the caller's JSON.

#ifndef PLIANT_AUTHOR_GLTF_GLB_WRITE_H
#define PLIANT_AUTHOR_GLTF_GLB_WRITE_H

#include "json/json_write.h"

#include <pliant/base.h>

// glTF's numbers for component types, primitive modes and buffer view targets.
enum {
    GLB_UBYTE = 5121,
    GLB_USHORT = 5123,
    GLB_UINT = 5125,
    GLB_FLOAT = 5126,
    GLB_POINTS = 0,
    GLB_TRIANGLES = 4,
    GLB_TARGET_NONE = 0,
    GLB_TARGET_VERTICES = 34962,
    GLB_TARGET_INDICES = 34963,
};

// Zero-initialise to begin. `failed` stays true once memory has run out or a view was added behind
// the 4 GB that a GLB can hold.
typedef struct glb_writer {
    unsigned char *bytes; // the binary chunk so far
    size_t size, capacity;
    json_writer views, accessors; // elements of the two arrays
    int view_count, accessor_count;
    bool failed;
} glb_writer;

typedef struct glb_accessor {
    int view;
    size_t offset; // into the view
    int component; // GLB_UBYTE, …
    int count;
    const char *type;               // "SCALAR", "VEC3", …
    bool is_normalized;             // integers stand for [0, 1] or [-1, 1]
    const float *minimum, *maximum; // NULL or as many numbers as the type has, at most 4
} glb_accessor;

void pli_glb_writer_release(glb_writer *writer);
// Copies `data`, little-endian, to the next multiple of four. Returns where it lies in the binary chunk.
size_t pli_glb_append(glb_writer *writer, const void *data, size_t size);
// The same as a buffer view. A stride of 0 means tightly packed. Returns the view's index.
int pli_glb_add_view(glb_writer *writer, const void *data, size_t size, int stride, int target);
// Returns the accessor's index.
int pli_glb_add_accessor(glb_writer *writer, const glb_accessor *accessor);
// The corners of triangles as indices counted from `first` on, of so many vertices. Returns their accessor's index.
int pli_glb_add_triangles(glb_writer *glb, const int32_t *triangles, int triangle_count, int first,
                          int vertex_count);
// Completes `document`, an object that is still open, with accessors, views and the buffer, and
// closes it; then puts the file together in *data (free() it). Returns false when something failed.
bool pli_glb_finish(glb_writer *writer, json_writer *document, void **data, size_t *size);
// Puts a file together of the binary chunk alone and a document that is complete.
bool pli_glb_assemble(const glb_writer *writer, const json_writer *document, void **data,
                      size_t *size);
// The error that stands for all a writer can fail of.
pliant_result pli_glb_fail(pliant_error *error);

#endif
