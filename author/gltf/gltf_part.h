// What is read of a part of a mesh: the values of its attributes, which joints act on its vertices, and names.

#ifndef PLIANT_AUTHOR_GLTF_GLTF_PART_H
#define PLIANT_AUTHOR_GLTF_GLTF_PART_H

#include "gltf_check.h"

json_value pli_gltf_part_attributes(const pliant_gltf *gltf, const gltf_part *part);

// An error at the part, or at what `where` names in it; returns false.
bool pli_gltf_part_fail(gltf_check *check, const gltf_part *part, const char *message,
                        const char *where);
// All values of an accessor, as pli_gltf_read_doubles gives them. False after filling the error.
bool pli_gltf_part_read(gltf_check *check, const gltf_part *part, int accessor, double *values);

typedef struct gltf_influences {
    int set_count;
    double *joints, *weights; // set by set, four per vertex
} gltf_influences;

// Of a part that has a skin. False after filling the error; release it in every case.
bool pli_gltf_part_read_influences(gltf_check *check, const gltf_part *part, int vertex_count,
                                   gltf_influences *read);
void pli_gltf_influences_release(gltf_influences *influences);
// Where influence `index` of a vertex stands in the two arrays.
size_t pli_gltf_influence_at(int vertex_count, int vertex, int index);

// A string, empty where there is none, and that of an object's name; cut, where it is too long, between two characters.
void pli_gltf_copy_string(const json_document *json, json_value string, char name[64]);
void pli_gltf_copy_name(const pliant_gltf *gltf, json_value object, char name[64]);

bool pli_gltf_is_float(double value);
// The nearest float, infinite where there is none.
float pli_gltf_to_float(double value);

#endif
