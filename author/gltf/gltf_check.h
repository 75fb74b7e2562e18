// Checking a glTF document. Each check returns false after filling the error, which ends the reading; faults one
// can live with become remarks.

#ifndef PLIANT_AUTHOR_GLTF_GLTF_CHECK_H
#define PLIANT_AUTHOR_GLTF_GLTF_CHECK_H

#include "core/error.h"
#include "gltf.h"

#define GLTF_PLACE_SIZE sizeof((pliant_error *)0)->place

// What was found out about a mesh.
typedef struct gltf_mesh_facts {
    int target_count;     // morph targets of its first primitive
    bool has_joints;      // in every primitive
    double highest_joint; // that moves a vertex; -1 where none does
} gltf_mesh_facts;

typedef struct gltf_check {
    pliant_gltf *gltf;
    const json_document *json;
    pliant_remarks *remarks;
    pliant_error *error;
    // How much may still be looked at. A short file can refer to the same bytes over and over; reading it must not
    // take forever.
    int64_t work;
    bool is_quantized;       // KHR_mesh_quantization is in use
    gltf_mesh_facts *meshes; // one per mesh, by pli_gltf_check_meshes
} gltf_check;

#define GLTF_LEAST_WORK    (1 << 22)
#define GLTF_WORK_PER_BYTE 64

// With all the work a file of this size is granted.
gltf_check pli_gltf_check_begin(pliant_gltf *gltf, pliant_remarks *remarks, pliant_error *error);

// An error at a place, such as "accessors[%d].count"; returns false.
bool pli_gltf_fail(gltf_check *check, const char *message, const char *place, ...)
    ERROR_FORMAT(3, 4);
// A remark at a place; returns true.
bool pli_gltf_remark(gltf_check *check, const char *message, const char *place, ...)
    ERROR_FORMAT(3, 4);
// Takes `values` numbers off the work that is left; an error when there is none.
bool pli_gltf_spend(gltf_check *check, int64_t values);

// Out of memory; returns false.
bool pli_gltf_fail_memory(gltf_check *check);
// All numbers of an accessor, normalised; free() them. NULL after filling the error.
double *pli_gltf_check_read(gltf_check *check, int accessor);
// The index that an item of an array of references holds.
int pli_gltf_item_index(const gltf_check *check, json_value item);
// Whether the buffer view that an accessor, or a part of a sparse one, refers to has a stride.
bool pli_gltf_has_stride(const gltf_check *check, json_value accessor);

// Types, ranges and references of everything the specification defines.
bool pli_gltf_check_schema(gltf_check *check);
// First of all: whether the file can be read at all.
bool pli_gltf_check_required(gltf_check *check);
// Whether an extension is in "extensionsUsed". Returns false when there is no work left.
bool pli_gltf_find_declared(gltf_check *check, json_value name, bool *is_declared);
bool pli_gltf_check_views(gltf_check *check);
bool pli_gltf_check_accessors(gltf_check *check);
bool pli_gltf_check_images(gltf_check *check);
// In this order: scenes need to know the meshes, animations both.
bool pli_gltf_check_meshes(gltf_check *check);
bool pli_gltf_check_scenes(gltf_check *check);
bool pli_gltf_check_animations(gltf_check *check);
bool pli_gltf_check_cameras(gltf_check *check);

#endif
