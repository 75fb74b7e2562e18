// Wavefront OBJ: polygons with positions, texture coordinates and normals, in objects and groups, with the
// materials of the MTL files they name. Curves, surfaces, lines and points are passed over.

#ifndef PLIANT_AUTHOR_IMPORT_OBJ_H
#define PLIANT_AUTHOR_IMPORT_OBJ_H

#include <pliant/mesh.h>

// Whether this is text in which a line says "v" and a number.
bool pli_obj_detect(const char *text, size_t size);

// The file as a GLB, one node for each object or group; release *data with free(). Vertices come in the order
// of their v lines in each part, those that no face uses are left out. `directory` and `remarks` as in
// pliant_mesh_read, but remarks are added to those that are there. Errors name the line.
pliant_result pli_obj_to_glb(const char *text, size_t size, const char *directory,
                             pliant_remarks *remarks, void **data, size_t *glb_size,
                             pliant_error *error);

#endif
