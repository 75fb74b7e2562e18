// The triangles of an OBJ file, part by part.

#ifndef PLIANT_AUTHOR_IMPORT_OBJ_MESH_H
#define PLIANT_AUTHOR_IMPORT_OBJ_MESH_H

#include "obj_text.h"

typedef struct obj_part {
    int32_t object;   // its node
    int32_t material; // a name of the text, 0 for none
    int32_t first_vertex, vertex_count;
    int32_t first_triangle, triangle_count;
    bool has_normals, has_coordinates;
} obj_part;

// Zero-initialise to begin.
typedef struct obj_mesh {
    int32_t part_count, object_count;
    obj_part *parts; // with their objects in rising order
    slice *objects;  // their names
    pliant_vec3 *positions, *normals;
    float (*coordinates)[2]; // (0, 0) is at the upper left
    int32_t (*triangles)[3];
} obj_mesh;

// Corners of a part that agree in position, texture coordinates and normal become one vertex. Sorts the faces
// of the text. False when memory runs out; release the mesh in every case.
bool pli_obj_mesh_build(obj_mesh *mesh, obj_text *text, pliant_remarks *remarks);
void pli_obj_mesh_release(obj_mesh *mesh);

#endif
