// Triangles with materials and textures, in the form that every other format is brought to before it becomes
// a glTF document. A soup only points to what its maker holds.

#ifndef PLIANT_AUTHOR_IMPORT_SOUP_H
#define PLIANT_AUTHOR_IMPORT_SOUP_H

#include "io/slice.h"

#include <pliant/mesh.h>

// The content of a PNG or JPEG file.
typedef struct soup_image {
    slice name; // may be empty
    const void *bytes;
    size_t size;
} soup_image;

// Numbers that are out of range are brought into it.
typedef struct soup_material {
    slice name;                                     // may be empty
    float colour[4];                                // linear RGBA, [0, 1]
    float emission[3];                              // linear RGB, [0, 1]
    float roughness, metallic;                      // [0, 1]
    bool is_blended;                                // alpha counts, also that of the colour's image
    int colour_image, emission_image, normal_image; // or -1
} soup_material;

// Triangles of one object with one material. One without triangles is left out.
typedef struct soup_part {
    int object;
    int material;         // or -1
    int32_t first_vertex; // what the triangles count from
    int32_t vertex_count, triangle_count;
    const pliant_vec3 *positions;  // of the first vertex and those behind it
    const pliant_vec3 *normals;    // of any length, or NULL
    const float (*coordinates)[2]; // with (0, 0) at the upper left as in glTF, or NULL
    const int32_t *triangles;      // three vertices each
} soup_part;

typedef struct triangle_soup {
    int object_count, part_count, material_count, image_count;
    const slice *objects;   // their names, which may be empty
    const soup_part *parts; // with their objects in rising order
    const soup_material *materials;
    const soup_image *images;
} triangle_soup;

// Grey, not metallic, opaque, without a name or images.
soup_material pli_soup_default_material(void);
// "image/png" or "image/jpeg" by the content; NULL for anything else.
const char *pli_soup_image_type(const void *bytes, size_t size);

// One node for each object, with one mesh that has a primitive for each of its parts. Release *data with
// free(). Numbers that are not finite and vertices that are not there are errors; a normal without a
// direction becomes that of the triangles around its vertex.
pliant_result pli_soup_write_glb(const triangle_soup *soup, void **data, size_t *size,
                                 pliant_error *error);

#endif
