// What the text of an OBJ file says, before it becomes triangles.

#ifndef PLIANT_AUTHOR_IMPORT_OBJ_TEXT_H
#define PLIANT_AUTHOR_IMPORT_OBJ_TEXT_H

#include "io/table.h"

#include <pliant/mesh.h>

// Indices from 0; -1 where there is none.
typedef struct obj_corner {
    int32_t position, coordinate, normal;
} obj_corner;

typedef struct obj_face {
    int32_t first_corner, corner_count;
    int32_t part;
    int32_t line;
} obj_face;

// Faces are of one part when these are equal.
enum { OBJ_OBJECT, OBJ_GROUP, OBJ_MATERIAL, OBJ_HAS_NORMALS };

typedef struct obj_library {
    slice names; // of files, as the line says it
    int line;
} obj_library;

typedef struct obj_coordinate {
    float u, v; // (0, 0) is at the lower left
} obj_coordinate;

// Zero-initialise to begin. Names point into the text.
typedef struct obj_text {
    LIST_OF(pliant_vec3) positions;
    LIST_OF(obj_coordinate) coordinates;
    LIST_OF(pliant_vec3) normals;
    LIST_OF(obj_corner) corners;
    LIST_OF(obj_face) faces; // of three corners or more
    LIST_OF(obj_library) libraries;
    name_table names;  // of objects, groups and materials; the first is empty
    tuple_table parts; // in the order of their first faces: OBJ_OBJECT, …
} obj_text;

// All indices of faces are valid afterwards. Release it also after a failure.
pliant_result pli_obj_text_read(obj_text *obj, const char *text, size_t size,
                                pliant_remarks *remarks, pliant_error *error);
void pli_obj_text_release(obj_text *obj);

#endif
