// libpliant-author: scenes, files in and out. It needs libpliant; the runtime never needs it.

#ifndef PLIANT_AUTHOR_H
#define PLIANT_AUTHOR_H

#include "draft.h"
#include "pliant.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------
// Scenes: models and bodies made of them, shapes and colliders made of them, planes, attachments,
// forces, motors and drivers, with the settings to run them. Built in C through the functions below or
// read from JSON (docs/scene.schema.json).

// A body and how it looks in a bake.
typedef struct pliant_scene_body {
    char name[48];
    int model;           // index into the scene's models
    pliant_body_def def; // def.model is set by the scene
    float colour[3];     // linear RGB in [0, 1]
} pliant_scene_body;

// A collider and how it looks in a bake.
typedef struct pliant_scene_collider {
    char name[48];
    int shape;               // index into the scene's shapes
    pliant_collider_def def; // def.shape is set by the scene
    float colour[3];         // linear RGB in [0, 1]
} pliant_scene_collider;

// As pliant_attachment_def, with bodies and colliders by their index in the scene.
typedef struct pliant_scene_attachment {
    int body, particle;
    int other_body; // or -1
    int other_particle;
    int collider; // or -1
    pliant_vec3
        anchor;   // without another body: in the collider's axes or, without one, in the world's
    float length; // m; negative: the distance it has at the start
    bool is_slack;
    float stiffness;
    float strength; // N, 0 never breaks
} pliant_scene_attachment;

// A force that acts between two times on one particle (or, with particle -1, on a whole body).
typedef struct pliant_scene_force {
    int body;
    int particle;
    pliant_vec3 force; // N
    float begin, end;  // s
} pliant_scene_force;

// Drives a hinge of a body between two times. Before and after them the hinge turns freely, unless
// another motor drives it.
typedef struct pliant_scene_motor {
    int body;
    int hinge;        // of the body's model
    float speed;      // rad/s
    float torque;     // N m, >= 0
    float begin, end; // s
} pliant_scene_motor;

// One moment of a driver's motion, relative to where the driven things started.
typedef struct pliant_scene_key {
    float time;              // s, rising
    pliant_vec3 translation; // m
    pliant_vec3 rotation;    // rotation vector, rad, about the driver's pivot; may exceed a turn
} pliant_scene_key;

// Moves pinned particles of one body as one rigid thing, or a collider, linearly between keys, resting
// before the first and after the last.
typedef struct pliant_scene_driver {
    int body;
    int particle_count;
    int32_t *particles;
    int collider;      // moved when there are no particles
    pliant_vec3 pivot; // world space, about which the keys rotate
    int key_count;
    pliant_scene_key *keys;
} pliant_scene_driver;

typedef struct pliant_scene_camera {
    pliant_vec3 eye, target;
    float vertical_fov; // rad
} pliant_scene_camera;

typedef struct pliant_scene {
    char name[48];
    char title[120]; // one line that says what there is to see
    float seconds;   // how long to run when nobody says
    pliant_world_def world;
    pliant_scene_camera camera;

    int model_count;
    pliant_model **models; // owned
    pliant_mesh **meshes;  // owned: how each model looks, or NULL
    int body_count;
    pliant_scene_body *bodies;
    int plane_count;
    pliant_plane_def *planes;
    int shape_count;
    pliant_shape **shapes; // owned
    int collider_count;
    pliant_scene_collider *colliders;
    int attachment_count;
    pliant_scene_attachment *attachments;
    int force_count;
    pliant_scene_force *forces;
    int motor_count;
    pliant_scene_motor *motors;
    int driver_count;
    pliant_scene_driver *drivers; // with their arrays owned
} pliant_scene;

// An empty scene with default settings; NULL when there is no memory.
PLIANT_API pliant_scene *pliant_scene_create(void);
PLIANT_API void pliant_scene_destroy(pliant_scene *scene);

// Each copies what it is given (models and shapes are taken over, also on failure) and returns the new
// index, or -1 when there is no memory. A model or shape that is NULL passes through as -1.
PLIANT_API int pliant_scene_add_model(pliant_scene *scene, pliant_model *model);
PLIANT_API int pliant_scene_add_body(pliant_scene *scene, const pliant_scene_body *body);
PLIANT_API int pliant_scene_add_plane(pliant_scene *scene, const pliant_plane_def *plane);
PLIANT_API int pliant_scene_add_shape(pliant_scene *scene, pliant_shape *shape);
PLIANT_API int pliant_scene_add_collider(pliant_scene *scene,
                                         const pliant_scene_collider *collider);
PLIANT_API int pliant_scene_add_attachment(pliant_scene *scene,
                                           const pliant_scene_attachment *attachment);
PLIANT_API int pliant_scene_add_force(pliant_scene *scene, const pliant_scene_force *force);
PLIANT_API int pliant_scene_add_motor(pliant_scene *scene, const pliant_scene_motor *motor);
PLIANT_API int pliant_scene_add_driver(pliant_scene *scene, const pliant_scene_driver *driver);

// Gives a model its visual mesh, the one it was made from (another is an error): bakes show its bodies with
// the materials and textures of the mesh's file. Taken over, also on failure; NULL takes the old one away.
PLIANT_API pliant_result pliant_scene_set_mesh(pliant_scene *scene, int model, pliant_mesh *mesh,
                                               pliant_error *error);

// Default look and motion for a body of model 0.
PLIANT_API pliant_scene_body pliant_default_scene_body(void);
// Default look for a standing collider of shape 0.
PLIANT_API pliant_scene_collider pliant_default_scene_collider(void);
// Holds particle 0 of body 0 at the origin: rigid, never breaks, of the length it has at the start.
PLIANT_API pliant_scene_attachment pliant_default_scene_attachment(void);

// Reads a scene from JSON text. Unknown keys, wrong types and values out of range are errors whose
// place is a path such as "bodies[2].position". Models in files are looked up beside `directory`
// (NULL: the working directory).
PLIANT_API pliant_scene *pliant_scene_read(const char *text, size_t size, const char *directory,
                                           pliant_error *error);
PLIANT_API pliant_scene *pliant_scene_read_file(const char *path, pliant_error *error);

// What a model without a scene is shown in: one body of it, seen as a whole. It is dropped from a little above the ground;
// one with pinned particles stays in its place, above the ground where some of them are in its upper half, else on it
// (see pliant_live in draft.h). The model and its mesh, which may be NULL, are taken over, also on failure.
PLIANT_API pliant_scene *pliant_scene_create_drop(const char *name, pliant_model *model,
                                                  pliant_mesh *mesh, pliant_error *error);

// The scene as JSON; release with free(). Its models are files, whose names are given in the models' order. Reading it
// beside those files gives an equal scene: its runs have equal hashes. Bodies and colliders whose names are not their
// own get such names.
PLIANT_API pliant_result pliant_scene_write(const pliant_scene *scene,
                                            const char *const *model_files, char **text,
                                            size_t *size, pliant_error *error);

// A scene that runs: its world and the ids of what is in it, in the scene's order.
typedef struct pliant_stage {
    const pliant_scene *scene; // must outlive the stage
    pliant_world *world;
    pliant_body_id *bodies;
    pliant_collider_id *colliders; // without the planes
    pliant_attachment_id *attachments;
    pliant_pose *driven; // where the driven things were at the start, driver by driver
    bool *motors_on;     // whether each motor drives its hinge now
} pliant_stage;

// `world_def` replaces the scene's own settings where it is not NULL.
PLIANT_API pliant_result pliant_stage_open(pliant_stage *stage, const pliant_scene *scene,
                                           const pliant_world_def *world_def, pliant_error *error);
PLIANT_API void pliant_stage_close(pliant_stage *stage);
// Applies forces, motors and drivers for the coming `dt` seconds, then steps the world.
PLIANT_API void pliant_stage_step(pliant_stage *stage, float dt);

// ---------------------------------------------------------------------------------------------
// Shapes: procedural particles, edges and visual mesh, added to a builder. Each returns the index of
// its first particle, or -1 when a parameter is out of range or memory ran out (pliant_builder_build
// reports the latter).

// A chain of particles from `begin` to `end` with a round, striped skin.
typedef struct pliant_rope_def {
    pliant_vec3 begin, end;  // centres of the first and the last particle
    int particles;           // 2 … 100000
    float radius;            // m, > 0
    float density;           // kg/m³, > 0
    float stiffness;         // of the particles, [0, 1]
    float young_modulus;     // Pa, ≥ 0; above 0 they are elastic instead
    float stretch_stiffness; // of the edges, [0, 1]
    float torsion_stiffness; // of the edges, [0, 1]
    int sides;               // of the skin's cross section, 3 … 256
} pliant_rope_def;

// A rectangle of particles in the x-y plane, its top edge at y = 0 and centred in x, with a skin of
// two sides. Particle (column, row) has index first + row * columns + column, row 0 at the top.
typedef struct pliant_sheet_def {
    float width, height; // m, > 0
    float thickness;     // m, > 0, of the particles and the skin
    int columns, rows;   // particles, 2 … 4096
    float area_density;  // kg/m², > 0
    float stiffness;     // [0, 1]: bending
    float
        young_modulus; // Pa, ≥ 0; above 0 its particles are elastic instead, of its density and thickness
    float stretch_stiffness;
    float
        stretch_limit; // ≥ 0: by what part of its length it is stretched at most; 0: there is no limit
    int skin_refinement; // skin quads per particle spacing, 1 … 16
} pliant_sheet_def;

// A box of particles centred at `centre`, with a closed skin. Particle (i, j, k) has index
// first + (k * y_count + j) * x_count + i.
typedef struct pliant_block_def {
    pliant_vec3 centre;
    pliant_vec3 size;    // m, outer, > 0
    int counts[3];       // particles along x, y, z, 2 … 256
    float density;       // kg/m³, > 0
    float stiffness;     // [0, 1]
    float young_modulus; // Pa, ≥ 0; above 0 its particles are elastic instead
    int skin_refinement; // skin quads per particle spacing, 1 … 16
} pliant_block_def;

// One ellipsoidal particle with its surface as skin.
typedef struct pliant_ball_def {
    pliant_vec3 centre;
    pliant_quat orientation;
    pliant_vec3 radii;   // m, > 0
    float density;       // kg/m³, > 0
    float stiffness;     // [0, 1]: of its group, when edges are added to it
    float young_modulus; // Pa, ≥ 0; above 0 that is elastic instead
    int rings;           // of the skin, 2 … 256
} pliant_ball_def;

// Defaults that behave at first try.
PLIANT_API pliant_rope_def pliant_default_rope_def(void);
PLIANT_API pliant_sheet_def pliant_default_sheet_def(void);
PLIANT_API pliant_block_def pliant_default_block_def(void);
PLIANT_API pliant_ball_def pliant_default_ball_def(void);

PLIANT_API int pliant_builder_add_rope(pliant_builder *builder, const pliant_rope_def *def);
PLIANT_API int pliant_builder_add_sheet(pliant_builder *builder, const pliant_sheet_def *def);
PLIANT_API int pliant_builder_add_block(pliant_builder *builder, const pliant_block_def *def);
PLIANT_API int pliant_builder_add_ball(pliant_builder *builder, const pliant_ball_def *def);

// ---------------------------------------------------------------------------------------------
// Baking: a run as a skinned, animated GLB that any glTF viewer plays. Particles are joints.

typedef struct pliant_bake pliant_bake;

typedef struct pliant_bake_options {
    bool planes; // add a quad for each plane and collider of that shape, default true
} pliant_bake_options;

PLIANT_API pliant_bake_options pliant_default_bake_options(void);

// Starts a recording of `stage`, which must outlive it. A body whose model has a mesh in the scene is shown
// with all its looks, one whose model has no skin as its ellipsoids, a collider as its shape.
PLIANT_API pliant_bake *pliant_bake_create(const pliant_stage *stage,
                                           const pliant_bake_options *options, pliant_error *error);
PLIANT_API void pliant_bake_destroy(pliant_bake *bake);
// Records all poses as they are now, as the key at `time` seconds, later than the one before.
PLIANT_API pliant_result pliant_bake_add_frame(pliant_bake *bake, float time, pliant_error *error);
PLIANT_API int pliant_bake_frame_count(const pliant_bake *bake);
// Forgets the frames before `time`, for a recording of the last few seconds.
PLIANT_API void pliant_bake_forget(pliant_bake *bake, float time);
// The GLB in memory, whose times begin at 0 with the first frame there is; release with free(). At least one frame must
// have been added and not forgotten.
PLIANT_API pliant_result pliant_bake_write(const pliant_bake *bake, void **data, size_t *size,
                                           pliant_error *error);

// ---------------------------------------------------------------------------------------------
// Files

// A whole file in memory, with one zero byte behind it that `size` does not count; free() it.
PLIANT_API pliant_result pliant_file_read(const char *path, void **data, size_t *size,
                                          pliant_error *error);
// The same of what is left in a stream, standard input say. `place` is what an error names.
PLIANT_API pliant_result pliant_stream_read(FILE *stream, const char *place, void **data,
                                            size_t *size, pliant_error *error);
// Writes beside `path` under a temporary name and renames: an existing file stays whole on failure. A
// symbolic link stays one, devices and pipes are written into.
PLIANT_API pliant_result pliant_file_write(const char *path, const void *data, size_t size,
                                           pliant_error *error);

// What a file is, by its content.
typedef enum pliant_file_kind {
    PLIANT_FILE_UNKNOWN,
    PLIANT_FILE_MODEL, // .pliant
    PLIANT_FILE_GLB,
    PLIANT_FILE_SCENE, // JSON, also when it is damaged
    PLIANT_FILE_GLTF,  // JSON
    PLIANT_FILE_OBJ,
} pliant_file_kind;

PLIANT_API pliant_file_kind pliant_file_detect(const void *data, size_t size);

// What a GLB holds.
typedef struct pliant_glb_info {
    int nodes, meshes, primitives, skins, joints, animations, materials, images, cameras;
    int64_t vertices, triangles;
    double seconds;   // the longest animation
    float minimum[3]; // of all mesh positions, in mesh space
    float maximum[3];
    char generator[64];
} pliant_glb_info;

PLIANT_API pliant_result pliant_glb_inspect(const void *data, size_t size, pliant_glb_info *info,
                                            pliant_error *error);

#ifdef __cplusplus
}
#endif

#endif
