// Visual meshes: what a person sees, read from a file or filled by a program. Triangles in any state
// will do: soup, open, doubled, crossing, in any number of parts.

#ifndef PLIANT_MESH_H
#define PLIANT_MESH_H

#include "model.h"
#include "rig.h"

#ifdef __cplusplus
extern "C" {
#endif

// A run of vertices and triangles that share a name and a material: a primitive of a glTF node, a group
// of an OBJ. Triangles of a part use vertices of that part only.
typedef struct pliant_mesh_part {
    char name[64];     // of the node, else of the mesh; may be empty
    char material[64]; // its name; may be empty
    int32_t first_vertex, vertex_count;
    int32_t first_triangle, triangle_count;
    // Linear RGB in [0, 1] of a mesh made by a program; all zero, as in one read from a file, is light grey,
    // or white where vertices have colours.
    float colour[3];
    bool two_sided; // of a mesh made by a program: seen from behind, too
} pliant_mesh_part;

typedef struct pliant_mesh {
    int32_t vertex_count, triangle_count, part_count;
    pliant_vec3
        *positions;       // in the space of the file's scene: node transforms and rest pose applied
    pliant_vec3 *normals; // unit length, or all zero where the file has none
    float (*coordinates)[2]; // first set of texture coordinates, zero where there are none
    float (*colours)
        [3]; // linear RGB in [0, 1] of a mesh made by a program, by which its parts' are multiplied; NULL: white
    int32_t *triangles;      // three vertices each
    pliant_mesh_part *parts; // in rising order, covering all vertices and triangles
    // All of the file it was read from, with materials, textures, rig and animations, for the files
    // written later; NULL for a mesh made by a program.
    struct pliant_gltf *document;
    // Owned: how it moves by itself, with its vertices as those of the rig's surfaces, one for each part; nodes, skins and clips have
    // the numbers of the file's. NULL where nothing can move.
    pliant_rig *rig;
} pliant_mesh;

// All zero, for the caller to fill; NULL when there is no memory. Counts may be 0.
PLIANT_API pliant_mesh *pliant_mesh_create(int32_t vertex_count, int32_t triangle_count,
                                           int32_t part_count);
// Gives its vertices colours, all white, for the caller to change. False when there is no memory.
PLIANT_API bool pliant_mesh_add_colours(pliant_mesh *mesh);
PLIANT_API void pliant_mesh_destroy(pliant_mesh *mesh);
// How many pieces its triangles make that touch in no point, whatever parts they are in; -1 when there is no
// memory.
PLIANT_API int32_t pliant_mesh_piece_count(const pliant_mesh *mesh);

// What a reader found against the rules of a file but could live with.
typedef struct pliant_remark {
    char place[96]; // "meshes[2].primitives[0].indices", "line 17"
    char message[160];
} pliant_remark;

#define PLIANT_MOST_REMARKS 32

typedef struct pliant_remarks {
    int count; // of all, also of those there is no room for
    pliant_remark first[PLIANT_MOST_REMARKS];
} pliant_remarks;

// Reads GLB, glTF or OBJ, told apart by their content. Files they refer to are looked up in `directory`
// (NULL: the working directory) and never outside of it. `remarks` may be NULL and is emptied first. What
// cannot be used is an error; a file that holds no triangles gives a mesh without any.
PLIANT_API pliant_mesh *pliant_mesh_read(const void *data, size_t size, const char *directory,
                                         pliant_remarks *remarks, pliant_error *error);
// The same from a file. Where Pliant was built with assimp also FBX, DAE, STL and PLY, by their ending.
PLIANT_API pliant_mesh *pliant_mesh_read_file(const char *path, pliant_remarks *remarks,
                                              pliant_error *error);

// The same mesh in another shape: positions and normals are replaced, looks stay. It is written as a plain mesh with
// its materials and textures, without the rig and the animations of the file. Normals may have any length; a part of
// which one is zero goes without. NULL with `error` filled on failure.
PLIANT_API pliant_mesh *pliant_mesh_create_reshaped(const pliant_mesh *mesh,
                                                    const pliant_vec3 *positions,
                                                    const pliant_vec3 *normals,
                                                    pliant_error *error);

// Where its vertices are; both zero for one without any.
PLIANT_API void pliant_mesh_bounds(const pliant_mesh *mesh, pliant_vec3 *low, pliant_vec3 *high);
// m, the longest side of these bounds.
PLIANT_API float pliant_mesh_size(const pliant_mesh *mesh);

// 1 for a mesh between 5 cm and 20 m. Others are likely in another unit than metres: by how much to scale them, 0.01 for
// centimetres or 0.001 for millimetres, and 100 or 1000 for one that was made metres of them twice.
PLIANT_API float pliant_mesh_guess_scale(const pliant_mesh *mesh);
// The same mesh larger or smaller by `scale` (1e-6 … 1e6). What its file holds stays, with the rig and the animations, below
// nodes with that scale; a model in it was made at its size and is left out. NULL with `error` filled on failure.
PLIANT_API pliant_mesh *pliant_mesh_create_scaled(const pliant_mesh *mesh, float scale,
                                                  pliant_error *error);

// The mesh as a plain GLB; release with free(). One read from a file comes with all that was in it, in
// one file that refers to no other.
PLIANT_API pliant_result pliant_mesh_write(const pliant_mesh *mesh, void **data, size_t *size,
                                           pliant_error *error);

// A model GLB: the mesh as above with the model in the extension PLIANT_model. The mesh must be the one
// the model was made from. Writing what was read gives the same bytes.
PLIANT_API pliant_result pliant_model_write_glb(const pliant_model *model, const pliant_mesh *mesh,
                                                void **data, size_t *size, pliant_error *error);
// Whether the file the mesh was read from holds a model.
PLIANT_API bool pliant_mesh_has_model(const pliant_mesh *mesh);
// That model. An error when there is none, or when the mesh has changed since it was made.
PLIANT_API pliant_model *pliant_mesh_load_model(const pliant_mesh *mesh, pliant_error *error);
// A model from the content of a file: a blob, or a GLB that holds one. The latter's mesh is *mesh then, for the
// caller to destroy, else NULL. Files are looked up as in pliant_mesh_read.
PLIANT_API pliant_model *pliant_model_read(const void *data, size_t size, const char *directory,
                                           pliant_mesh **mesh, pliant_error *error);

// ---------------------------------------------------------------------------------------------
// Selections: sets of vertices or particles by index, rising, none twice.

typedef struct pliant_selection {
    int32_t count;
    int32_t *indices;
} pliant_selection;

PLIANT_API void pliant_selection_release(pliant_selection *selection);

typedef enum pliant_region_kind {
    PLIANT_REGION_ALL,
    PLIANT_REGION_PART,     // by name; `name` may end in '*', which stands for any ending
    PLIANT_REGION_MATERIAL, // by name, too
    PLIANT_REGION_BOX,      // minimum … maximum
    PLIANT_REGION_SPHERE,   // centre, radius
} pliant_region_kind;

typedef struct pliant_region {
    pliant_region_kind kind;
    char name[64];
    pliant_vec3 minimum, maximum;
    pliant_vec3 centre;
    float radius;
} pliant_region;

// The vertices in a region; an empty selection is no error. Release it.
PLIANT_API pliant_result pliant_mesh_select(const pliant_mesh *mesh, const pliant_region *region,
                                            pliant_selection *selection, pliant_error *error);

// Adds the vertices that share a triangle, or a place, with selected ones, `rounds` times; a negative number takes away
// those that share one with vertices not selected. `whole` takes all that can be reached: the pieces. `vertices` goes in
// and comes out, and is not NULL.
PLIANT_API pliant_result pliant_mesh_grow(const pliant_mesh *mesh, pliant_selection *vertices,
                                          int rounds, bool whole, pliant_error *error);

#ifdef __cplusplus
}
#endif

#endif
