// Where nodes and joints of a document are at rest.

#ifndef PLIANT_AUTHOR_GLTF_GLTF_POSE_H
#define PLIANT_AUTHOR_GLTF_GLTF_POSE_H

#include "gltf.h"

typedef struct gltf_pose {
    const pliant_gltf *gltf;
    double (*worlds)[16]; // of each node: from its space to the scene's
    // The nodes of the default scene in depth-first order.
    int shown_count;
    int *shown;
    double (**joints)[16]; // one array per skin, NULL before somebody asked for it
} gltf_pose;

// False when memory ran out. Release it in every case.
bool pli_gltf_pose_find(gltf_pose *pose, const pliant_gltf *gltf);
void pli_gltf_pose_release(gltf_pose *pose);
// What each joint of a skin does to a vertex; NULL when memory ran out.
double (*pli_gltf_pose_joints(gltf_pose *pose, int skin))[16];

// The numbers of a member that is an array; none of them where it is not there.
void pli_gltf_read_vector(const json_document *json, json_value object, const char *key,
                          double *vector);

#endif
