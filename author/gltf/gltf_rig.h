// The rig of a document: its nodes, skins and animations by their own numbers, and the parts of its mesh as surfaces.

#ifndef PLIANT_AUTHOR_GLTF_GLTF_RIG_H
#define PLIANT_AUTHOR_GLTF_GLTF_RIG_H

#include "gltf_check.h"
#include "io/table.h"

#include <pliant/rig.h>

// NULL for a document in which nothing can move, and for one whose rig cannot be evaluated, which becomes a remark. `mesh` is
// what has been made of it. False when memory ran out.
bool pli_gltf_read_rig(pliant_gltf *gltf, const pliant_mesh *mesh, pliant_remarks *remarks,
                       pliant_rig **rig, pliant_error *error);

// ---------------------------------------------------------------------------------------------
// While it is read: the arrays of a definition. Each step returns false after filling the error.

typedef LIST_OF(float) rig_numbers;

typedef struct rig_reader {
    gltf_check check;
    const pliant_gltf *gltf;
    const json_document *json;
    LIST_OF(pliant_rig_node) nodes;
    LIST_OF(pliant_rig_weight) weights;
    LIST_OF(pliant_rig_skin) skins;
    LIST_OF(pliant_rig_joint) joints;
    LIST_OF(pliant_rig_clip) clips;
    LIST_OF(pliant_rig_channel) channels;
    rig_numbers times, values;
    LIST_OF(pliant_rig_surface) surfaces;
    LIST_OF(pliant_rig_vertex) vertices;
    LIST_OF(pliant_rig_influence) influences;
    LIST_OF(pliant_rig_target) targets;
    LIST_OF(pliant_vec3) displacements;
} rig_reader;

// One clip for each animation. Channels against the rules are left out, which remarks tell.
bool pli_gltf_read_rig_clips(rig_reader *r);
// One surface for each part of the mesh.
bool pli_gltf_read_rig_surfaces(rig_reader *r, const pliant_mesh *mesh);

#endif
