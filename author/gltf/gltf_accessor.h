// How an accessor's elements lie in memory, and what primitives make of them.

#ifndef PLIANT_AUTHOR_GLTF_GLTF_ACCESSOR_H
#define PLIANT_AUTHOR_GLTF_GLTF_ACCESSOR_H

#include "gltf.h"

// glTF's numbers for component types.
enum {
    GLTF_BYTE = 5120,
    GLTF_UBYTE = 5121,
    GLTF_SHORT = 5122,
    GLTF_USHORT = 5123,
    GLTF_UINT = 5125,
    GLTF_FLOAT = 5126,
};

// And for what a buffer view is used for.
enum {
    GLTF_TARGET_VERTICES = 34962,
    GLTF_TARGET_INDICES = 34963,
};

// The layout of "SCALAR", "VEC3", "MAT2", …: columns of rows.
typedef struct gltf_shape {
    int columns, rows;
} gltf_shape;

gltf_shape pli_gltf_shape(const json_document *json, json_value type);
// Bytes, 0 for an unknown type.
int pli_gltf_component_size(int component_type);
// From one column of a matrix to the next: they begin at multiples of four.
int pli_gltf_column_stride(gltf_shape shape, int component_size);
// Bytes from the first to the last of one element.
int pli_gltf_element_size(gltf_shape shape, int component_size);

// Before anybody asks for one; false when memory ran out.
bool pli_gltf_read_formats(pliant_gltf *gltf);

// The whole number a member holds, `fallback` where it is not there.
int64_t pli_gltf_integer(const json_document *json, json_value object, const char *key,
                         int64_t fallback);

// Where the elements of an accessor or of a part of a sparse one begin; NULL where it has no view, or no bytes.
const unsigned char *pli_gltf_data(const pliant_gltf *gltf, json_value owner);
// From one element of an accessor to the next.
int pli_gltf_stride(const pliant_gltf *gltf, json_value accessor);
// Whether it has no values of its own: neither bytes nor sparse ones.
bool pli_gltf_is_blank(const pliant_gltf *gltf, int accessor);
// As pli_gltf_read_doubles, without normalising: what "min" and "max" are about.
void pli_gltf_read_stored(const pliant_gltf *gltf, int accessor, double *values);
// How many triangles a primitive of this mode has.
int pli_gltf_triangle_count(int mode, int corners);
double pli_gltf_component(const unsigned char *at, int component_type);

#endif
