// Rigs: how a character moves by itself. Nodes in a hierarchy, skins that bind vertices to them, clips that animate them, and
// the surfaces that follow: all that glTF 2.0 says of these, with its meaning.
//
// A rig is an immutable asset, as a model is. What changes is a pose, in arrays of the caller's: a clip is sampled into one,
// poses are blended and layered, and from the last of them follow the nodes' matrices, those of the joints and the vertices:
//
//     pliant_rig_sample(rig, walk, pliant_rig_clip_time(rig, walk, seconds, PLIANT_RIG_LOOP), &pose);
//     pliant_rig_globals(rig, &pose, globals);
//     pliant_rig_joints(rig, globals, joints);
//     pliant_rig_skin_vertices(rig, &pose, globals, joints, positions, normals);
//
// None of these allocates or keeps anything, so threads may do so side by side; equal input gives equal bits.

#ifndef PLIANT_RIG_H
#define PLIANT_RIG_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pliant_rig pliant_rig;

// x_parent = translation + rotation * (scale x): first the scale, then the rotation. A scale may be zero or negative and
// differ along the axes.
typedef struct pliant_transform {
    pliant_vec3 translation;
    pliant_quat rotation;
    pliant_vec3 scale;
} pliant_transform;

// Three rows of a matrix that maps (x, y, z, 1).
typedef struct pliant_affine {
    float m[3][4];
} pliant_affine;

// ---------------------------------------------------------------------------------------------
// What a rig is made of. Each kind of element is one array; runs of it belong to elements of another kind and stand in
// their order, so that they cover the array, where nothing else is said. Names are at most 63 bytes long.

typedef struct pliant_rig_node {
    char name[64];
    int32_t parent; // or -1; it may stand behind its children, and there may be several roots
    pliant_transform rest;
    int32_t first_weight, weight_count; // the weights of the morph targets of what hangs on it
} pliant_rig_node;

// How much of a morph target there is.
typedef struct pliant_rig_weight {
    char name[64]; // of the target
    float rest;
} pliant_rig_weight;

typedef struct pliant_rig_skin {
    char name[64];
    int32_t first_joint, joint_count; // at least one
} pliant_rig_skin;

typedef struct pliant_rig_joint {
    int32_t node;
    pliant_affine inverse_bind; // from the space of the vertices at rest to the node's
} pliant_rig_joint;

typedef struct pliant_rig_clip {
    char name[64];
    int32_t first_channel, channel_count;
} pliant_rig_clip;

typedef enum pliant_rig_path {
    PLIANT_RIG_TRANSLATION, // 3 numbers
    PLIANT_RIG_ROTATION,    // 4
    PLIANT_RIG_SCALE,       // 3
    PLIANT_RIG_WEIGHTS,     // as many as the node has weights
} pliant_rig_path;

typedef enum pliant_rig_sampling {
    PLIANT_RIG_STEP,   // the value of the key before
    PLIANT_RIG_LINEAR, // straight, rotations along the shorter arc
    PLIANT_RIG_CUBIC, // Hermite splines: each key has an in-tangent, a value and an out-tangent, per second
} pliant_rig_sampling;

// What a clip does to one property of a node. Of several that do the same the last one counts. Before its first key and
// after its last one it has their values. Runs of times and values may be shared.
typedef struct pliant_rig_channel {
    int32_t node;
    pliant_rig_path path;
    pliant_rig_sampling sampling;
    int32_t key_count;   // at least 1
    int32_t first_time;  // s, rising, not below 0
    int32_t first_value; // a rotation of zero length is none
} pliant_rig_channel;

// Vertices that follow the joints of a skin or, without one, the node alone.
typedef struct pliant_rig_surface {
    int32_t node;
    int32_t skin; // or -1
    int32_t first_vertex, vertex_count;
    // Of each vertex, at least 1 where there is a skin, else none. What is not needed has the weight 0.
    int32_t influence_count;
    int32_t first_influence;            // vertex_count · influence_count of them
    int32_t first_target, target_count; // target k follows weight k of the node
} pliant_rig_surface;

typedef struct pliant_rig_vertex {
    pliant_vec3 position; // in the space that the skin, or the node, is bound in
    pliant_vec3 normal;   // any length; zero where there is none
} pliant_rig_vertex;

// Weights of a vertex may have any sum: their mean counts. A vertex without any follows its first joint.
typedef struct pliant_rig_influence {
    int32_t joint; // of the skin
    float weight;  // >= 0
} pliant_rig_influence;

// What is added to vertices of a surface, times the weight: runs of displacements, -1 for none, that may be shared.
typedef struct pliant_rig_target {
    int32_t first_position, first_normal;
} pliant_rig_target;

typedef struct pliant_rig_def {
    const pliant_rig_node *nodes;
    const pliant_rig_weight *weights;
    const pliant_rig_skin *skins;
    const pliant_rig_joint *joints;
    const pliant_rig_clip *clips;
    const pliant_rig_channel *channels;
    const float *times, *values;
    const pliant_rig_surface *surfaces;
    const pliant_rig_vertex *vertices;
    const pliant_rig_influence *influences;
    const pliant_rig_target *targets;
    const pliant_vec3 *displacements;
    int32_t node_count, weight_count, skin_count, joint_count, clip_count, channel_count,
        time_count, value_count, surface_count, vertex_count, influence_count, target_count,
        displacement_count;
} pliant_rig_def;

// Copies all of it; `allocator` may be NULL. Returns NULL and fills `error` when it is not valid: the place is the element at
// fault, with its name, such as "node 17 (Hips)".
PLIANT_API pliant_rig *pliant_rig_create(const pliant_rig_def *def,
                                         const pliant_allocator *allocator, pliant_error *error);
// Gives back the caller's reference: models and meshes hold references of their own.
PLIANT_API void pliant_rig_destroy(pliant_rig *rig);
// As it was given; the arrays live as long as the rig.
PLIANT_API pliant_rig_def pliant_rig_definition(const pliant_rig *rig);

// The first of that name, or -1.
PLIANT_API int pliant_rig_find_node(const pliant_rig *rig, const char *name);
PLIANT_API int pliant_rig_find_clip(const pliant_rig *rig, const char *name);

// ---------------------------------------------------------------------------------------------
// Poses

// Memory of the caller's: a transform for each node, relative to its parent, and a number for each weight.
typedef struct pliant_rig_pose {
    pliant_transform *locals;
    float *weights;
} pliant_rig_pose;

typedef enum pliant_rig_wrap {
    PLIANT_RIG_CLAMP, // a clip begins and ends once
    PLIANT_RIG_LOOP,  // it repeats, before its beginning, too
} pliant_rig_wrap;

PLIANT_API void pliant_rig_rest(const pliant_rig *rig, pliant_rig_pose *pose);

// s, the time of its last key; 0 for a clip that is not there.
PLIANT_API float pliant_rig_clip_seconds(const pliant_rig *rig, int clip);
// The time within a clip that has been played for so long, at negative speed for a negative time.
PLIANT_API double pliant_rig_clip_time(const pliant_rig *rig, int clip, double seconds,
                                       pliant_rig_wrap wrap);
// The pose at a time within a clip. What it does not move is at rest, all of it without such a clip.
PLIANT_API void pliant_rig_sample(const pliant_rig *rig, int clip, double time,
                                  pliant_rig_pose *pose);

// A cross-fade: `from` at s = 0, `to` at s = 1; rotations along the shorter arc. `result` may be one of them, here and below.
PLIANT_API void pliant_rig_blend(const pliant_rig *rig, const pliant_rig_pose *from,
                                 const pliant_rig_pose *to, float s, pliant_rig_pose *result);
// An additive layer: `base` and, s times, what makes `layer` of `reference`, which is the rest or a clip's first pose as a
// rule. Rotations are added in the axes of the base's node.
PLIANT_API void pliant_rig_add(const pliant_rig *rig, const pliant_rig_pose *base,
                               const pliant_rig_pose *layer, const pliant_rig_pose *reference,
                               float s, pliant_rig_pose *result);

// ---------------------------------------------------------------------------------------------
// Root motion: the part of a clip's motion that moves the character through the world instead of within it.

enum {
    PLIANT_ROOT_HORIZONTAL = 1, // along x and z
    PLIANT_ROOT_VERTICAL = 2,   // along y
    PLIANT_ROOT_HEADING = 4,    // about y
};

typedef struct pliant_root {
    int32_t node;   // whose motion it is: a root, or the hips
    uint32_t parts; // PLIANT_ROOT_…
} pliant_root;

// By how much a clip moves its character between two times for which it has been played, either of them first: where the
// character stood at world pose W it stands at W · result. Parts of a way make the whole of it, and loops add up.
PLIANT_API pliant_pose pliant_rig_root_motion(const pliant_rig *rig, int clip, pliant_root root,
                                              double from, double to, pliant_rig_wrap wrap);
// Takes that motion out of a pose of the clip at a time within it, so that the node stays where the clip begins.
PLIANT_API void pliant_rig_remove_root(const pliant_rig *rig, int clip, pliant_root root,
                                       double time, pliant_rig_pose *pose);

// ---------------------------------------------------------------------------------------------
// Matrices and vertices

// From each node's space to that of the scene.
PLIANT_API void pliant_rig_globals(const pliant_rig *rig, const pliant_rig_pose *pose,
                                   pliant_affine *globals);
// From the space of vertices at rest to that of the scene: for each joint of all skins.
PLIANT_API void pliant_rig_joints(const pliant_rig *rig, const pliant_affine *globals,
                                  pliant_affine *joints);
// All vertices in the space of the scene: morph targets are added, then joints blend linearly. Normals have unit length, or
// are zero where there are none; they may be NULL.
PLIANT_API void pliant_rig_skin_vertices(const pliant_rig *rig, const pliant_rig_pose *pose,
                                         const pliant_affine *globals, const pliant_affine *joints,
                                         pliant_vec3 *positions, pliant_vec3 *normals);

#ifdef __cplusplus
}
#endif

#endif
