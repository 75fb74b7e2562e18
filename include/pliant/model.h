// The model: an immutable asset that any number of bodies in any number of worlds share.
//
// A model is a set of oriented particles, the edges between them, optional explicit groups, and an
// optional skin (the visual mesh with its links to particles). Each particle that is in no explicit
// group is the centre of an implicit group made of itself and its edge neighbours; shape matching of
// these overlapping groups is what makes the object hold together.

#ifndef PLIANT_MODEL_H
#define PLIANT_MODEL_H

#include "base.h"
#include "rig.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pliant_model pliant_model;
typedef struct pliant_builder pliant_builder;

enum {
    // Does not react to forces: it stays where it is or follows its target (kinematic).
    PLIANT_PARTICLE_PINNED = 1 << 0,
    // Takes part in fits as a point only: a pinned point becomes a ball joint instead of a clamp.
    PLIANT_PARTICLE_UNORIENTED = 1 << 1,
    // Lies on the surface of the object, its own x axis pointing outwards: what has come to its inner
    // side is pushed out through its outer one (between particles only).
    PLIANT_PARTICLE_SURFACE = 1 << 2,
    PLIANT_PARTICLE_ALL_FLAGS = (1 << 3) - 1,
};

typedef struct pliant_particle_def {
    pliant_vec3 position;    // bind position in model space
    pliant_quat orientation; // bind orientation
    // Half axes of the ellipsoid along its own axes, > 0. One below a thousandth of the longest counts
    // as that.
    pliant_vec3 radii;
    float mass; // > 0, also for pinned particles (their density counts in fits)
    // Of the implicit group around this particle, in [0, 1]: the part of the deformation that one of
    // ten iterations at 60 Hz removes. It means the same for every time step and iteration count.
    float stiffness;
    uint32_t flags; // PLIANT_PARTICLE_…
    // Two particles touch when their bodies do and each one's layers are in the other's mask, here too.
    uint32_t layers, mask;
    // The implicit group around this particle yields: deformed by more than yield_strain (relative, >= 0)
    // its rest shape follows, losing the part 1 - exp(-creep_rate t) of what is beyond it in t seconds.
    // creep_rate 0 (1/s) never yields. An edge yields as the mean of its two ends, in its length and its twist.
    float yield_strain, creep_rate;
    // Above 0 (Pa) the implicit group around this particle is elastic, instead of having the stiffness above: of a material with
    // this Young's modulus, and Poisson's ratio 0. Then it bends and stretches as the material does, however many particles there
    // are and however they lie, as far as substeps are short enough for that (pliant_report).
    float young_modulus;
    float density; // kg/m³ of that material: the particle stands for a volume of mass / density
} pliant_particle_def;

typedef struct pliant_edge_def {
    int32_t a, b;            // two different particles; a pair has at most one edge
    float stretch_stiffness; // of the distance, in [0, 1]; 0 leaves the length to shape matching
    float torsion_stiffness; // of the relative rotation, in [0, 1]; on chains of twist only
    bool unlinked; // it is no more than these two: its ends are not in each other's implicit groups
    // However soft, it gets no longer than by this part of its length, in [0, 1000]; 0: there is no such limit. Particles of
    // such edges also get tethers to what is pinned, with the way along the surface as their length and half of the limit more,
    // but where something creeps or can be dented. They are not among those of the model.
    float stretch_limit;
} pliant_edge_def;

// Particles matched as one shape, instead of by implicit groups of their own. A particle in two groups is a
// joint between them: it counts as a point in both, so two shared particles make a hinge.
typedef struct pliant_group_def {
    const int32_t *members; // at least 1 particle, no particle twice
    int32_t member_count;
    float stiffness; // in [0, 1]; 1 is rigid
    // Plastic: hit faster than this (m/s) the group lets go for a moment, in which its members are held by
    // implicit groups around each of them (edges and stiffness as painted), then takes the dented shape
    // as its new rest shape. 0 never.
    float dent_speed;
    float yield_strain, creep_rate; // as of a particle
} pliant_group_def;

// A hinge between two explicit groups that share the two particles of its axis. The angle is that of group
// b against group a, 0 at rest, right-handed about the axis from particle a to particle b. Shared particles alone
// make the hinge turn; this gives it limits and a place for a motor (pliant_body_set_motor).
typedef struct pliant_hinge_def {
    int32_t group_a, group_b;
    int32_t particle_a, particle_b;
    bool has_limits;
    float lower, upper; // rad, -π <= lower <= 0 <= upper <= π; at most ±(π - 0.02) counts
} pliant_hinge_def;

// A tether keeps a particle within a distance of its anchor, however few iterations there are: it acts while the anchor is
// pinned and the particle is not. What hangs by many edges is not stretched by its weight then.
typedef struct pliant_tether_def {
    int32_t particle, anchor; // two different particles
    float length;             // m, the most that they may be apart, in [0, 1e6]
} pliant_tether_def;

// How bodies of the model touch things and lose speed: what pliant_model_body_def begins with.
typedef struct pliant_material {
    float friction; // as in pliant_body_def, all of them
    float restitution;
    float linear_damping;
    float angular_damping;
    float shape_damping;
    bool self_collision;
} pliant_material;

#define PLIANT_MAX_LINKS 4

// One vertex of the visual mesh. Links with weight 0 are unused; the others' weights sum to 1
// (within 1e-3; they are normalised when the model is built), sorted by falling weight.
typedef struct pliant_vertex_def {
    pliant_vec3 position; // in model space, at the bind pose
    pliant_vec3 normal;   // unit length (normalised when the model is built), or all zero
    float u, v;           // texture coordinates
    int32_t particles[PLIANT_MAX_LINKS];
    float weights[PLIANT_MAX_LINKS];
} pliant_vertex_def;

// All zero but: identity orientation, radii 0.05, mass 1, stiffness 0.5, all layers and masks.
PLIANT_API pliant_particle_def pliant_default_particle_def(void);
// Particles 0 and 0, no stretch and no torsion stiffness, no limit.
PLIANT_API pliant_edge_def pliant_default_edge_def(void);
// No members; rigid, never dented, never yielding.
PLIANT_API pliant_group_def pliant_default_group_def(void);
// Groups and particles 0; no limits, which would be -π and π.
PLIANT_API pliant_hinge_def pliant_default_hinge_def(void);

// Friction 0.5, linear and angular damping 0.02, all else 0: what a body has of itself.
PLIANT_API pliant_material pliant_default_material(void);

// A builder collects elements in any order; nothing is checked before pliant_builder_build.
// `allocator` may be NULL. Returns NULL when there is no memory.
PLIANT_API pliant_builder *pliant_builder_create(const pliant_allocator *allocator);
PLIANT_API void pliant_builder_destroy(pliant_builder *builder);

// Each copies its argument and returns the new element's index, or -1 when memory runs out (then
// pliant_builder_build reports it: there is no need to check each call).
PLIANT_API int pliant_builder_add_particle(pliant_builder *builder, const pliant_particle_def *def);
PLIANT_API int pliant_builder_add_edge(pliant_builder *builder, const pliant_edge_def *def);
PLIANT_API int pliant_builder_add_group(pliant_builder *builder, const pliant_group_def *def);
PLIANT_API int pliant_builder_add_hinge(pliant_builder *builder, const pliant_hinge_def *def);
PLIANT_API int pliant_builder_add_tether(pliant_builder *builder, const pliant_tether_def *def);
PLIANT_API int pliant_builder_add_vertex(pliant_builder *builder, const pliant_vertex_def *def);
PLIANT_API int pliant_builder_add_triangle(pliant_builder *builder, int32_t a, int32_t b,
                                           int32_t c);
PLIANT_API void pliant_builder_set_material(pliant_builder *builder,
                                            const pliant_material *material);
// How the visual mesh moves by itself, or NULL: the vertices of the rig's surfaces, where it has any, are those of the model.
// The builder holds a reference, and so does the model.
PLIANT_API void pliant_builder_set_rig(pliant_builder *builder, const pliant_rig *rig);

// Ties each particle to the pinned one that is nearest along edges, with the length of that way times `slack`, which is at
// least 1. Returns how many tethers were added, or -1 when memory runs out.
PLIANT_API int pliant_builder_add_tethers(pliant_builder *builder, float slack);

// What has been added so far, for code that refines it. Valid until the next add.
PLIANT_API int pliant_builder_particle_count(const pliant_builder *builder);
PLIANT_API pliant_particle_def *pliant_builder_particle(pliant_builder *builder, int index);
PLIANT_API int pliant_builder_vertex_count(const pliant_builder *builder);
PLIANT_API pliant_vertex_def *pliant_builder_vertex(pliant_builder *builder, int index);

// Checks everything, derives what the solver needs and returns a model that does not depend on the
// builder any more. On failure returns NULL and `error` names the first element at fault.
PLIANT_API pliant_model *pliant_builder_build(const pliant_builder *builder, pliant_error *error);

// Gives back the caller's reference. Worlds hold references of their own: a model is freed, by its allocator, when the last
// of those who were given it has let go. So it may be destroyed as soon as its bodies have been added. A world lets go when
// it is destroyed, or by pliant_world_forget_unused when it has no body of the model.
PLIANT_API void pliant_model_destroy(pliant_model *model);

// The blob is the saved form (a .pliant file): versioned chunks, little-endian, checksummed. Loading checks
// all of it that it knows; chunks that it does not know stay with the model. Saving a loaded blob gives the same bytes, but for
// blobs of older versions. A model that was loaded steps as the one that was saved does, bit for bit.
PLIANT_API size_t pliant_model_blob_size(const pliant_model *model);
// `blob` has room for pliant_model_blob_size bytes.
PLIANT_API void pliant_model_save(const pliant_model *model, void *blob);
PLIANT_API pliant_model *pliant_model_load(const void *blob, size_t size,
                                           const pliant_allocator *allocator, pliant_error *error);
PLIANT_API pliant_model *pliant_model_load_file(const char *path, pliant_error *error);
// Writes to a temporary name first, so that a failure leaves an existing file whole. A symbolic link
// stays one, devices and pipes are written into.
PLIANT_API pliant_result pliant_model_save_file(const pliant_model *model, const char *path,
                                                pliant_error *error);

PLIANT_API int pliant_model_particle_count(const pliant_model *model);
PLIANT_API int pliant_model_edge_count(const pliant_model *model);
PLIANT_API int pliant_model_group_count(const pliant_model *model); // explicit groups
PLIANT_API int pliant_model_hinge_count(const pliant_model *model);
PLIANT_API int pliant_model_tether_count(const pliant_model *model);
PLIANT_API int pliant_model_vertex_count(const pliant_model *model); // 0 without a skin
PLIANT_API int pliant_model_triangle_count(const pliant_model *model);
// Implicit groups with at least two members, those in plastic explicit groups included, and how many colours it
// takes so that those of one colour share no particle (the most that a block of neighbours needs).
PLIANT_API int pliant_model_implicit_group_count(const pliant_model *model);
PLIANT_API int pliant_model_colour_count(const pliant_model *model);

// The elements as they were given (normalised), one array each. They live as long as the model.
PLIANT_API const pliant_particle_def *pliant_model_particles(const pliant_model *model);
PLIANT_API const pliant_edge_def *pliant_model_edges(const pliant_model *model);
PLIANT_API pliant_group_def pliant_model_group(const pliant_model *model, int index);
PLIANT_API const pliant_hinge_def *pliant_model_hinges(const pliant_model *model);
PLIANT_API const pliant_tether_def *pliant_model_tethers(const pliant_model *model);
PLIANT_API const pliant_vertex_def *pliant_model_vertices(const pliant_model *model);
// Three indices a triangle.
PLIANT_API const int32_t *pliant_model_triangles(const pliant_model *model);
// Axis-aligned bounds of its vertices, or of its particles when it has none.
PLIANT_API void pliant_model_bounds(const pliant_model *model, pliant_vec3 *low, pliant_vec3 *high);
PLIANT_API pliant_material pliant_model_material(const pliant_model *model);
// NULL where there is none; it lives as long as the model.
PLIANT_API const pliant_rig *pliant_model_rig(const pliant_model *model);

#ifdef __cplusplus
}
#endif

#endif
