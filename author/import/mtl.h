// Materials of Wavefront OBJ files (MTL), with the numbers for physically based rendering that newer programs
// write. Nothing in such a file is worth an error: faults are remarks.

#ifndef PLIANT_AUTHOR_IMPORT_MTL_H
#define PLIANT_AUTHOR_IMPORT_MTL_H

#include "io/table.h"

#include <pliant/mesh.h>

// Names point into the text.
typedef struct mtl_material {
    float colour[3], emission[3]; // linear RGB
    float opacity;
    float roughness, metallic;
    slice colour_map, opacity_map, emission_map, normal_map; // names of files, may be empty
} mtl_material;

// Zero-initialise to begin.
typedef struct mtl_library {
    name_table names;
    LIST_OF(mtl_material) materials; // for each name
} mtl_library;

void pli_mtl_release(mtl_library *library);
// Adds the materials of a text, which must outlive the library; one that is there already is replaced.
// `name` is the file's, for remarks. False when memory runs out.
bool pli_mtl_read(mtl_library *library, const char *text, size_t size, slice name,
                  pliant_remarks *remarks);

#endif
