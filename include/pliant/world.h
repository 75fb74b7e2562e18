// The world: bodies made of models, planes, forces and time. The only thing that changes.
//
// A world never touches a file, a clock, a thread or a global of its own accord, and calls for
// different worlds may run at the same time. Equal calls give equal bits on every compiler, CPU and
// thread count, in the default floating-point environment: an engine that flushes denormals to zero
// must not do so while a world steps.

#ifndef PLIANT_WORLD_H
#define PLIANT_WORLD_H

#include "base.h"
#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pliant_world pliant_world;

// Names of things inside a world. All zero is no thing. An id of something removed stays invalid.
typedef struct pliant_body_id {
    uint32_t index, generation;
} pliant_body_id;

typedef struct pliant_plane_id {
    uint32_t index, generation;
} pliant_plane_id;

typedef struct pliant_world_def {
    pliant_vec3 gravity;         // m/s², default (0, -9.81, 0)
    int substeps;                // 1 … 1000 per step, default 5: more are stiffer and livelier
    int iterations;              // 1 … 1000 solver passes per substep, default 2
    float restitution_threshold; // m/s, slower impacts do not bounce, default 0.5
    pliant_allocator allocator;
    pliant_parallel_for *parallel_for; // NULL runs everything on the calling thread
    void *parallel_user_data;
} pliant_world_def;

typedef struct pliant_body_def {
    const pliant_model *model; // must outlive the world
    pliant_vec3 position;      // where the model's origin goes
    pliant_quat orientation;
    pliant_vec3 linear_velocity;  // m/s of the centre of mass
    pliant_vec3 angular_velocity; // rad/s about the centre of mass, world axes
    float linear_damping;         // part of the velocity lost in a second, [0, 1), default 0.02
    float angular_damping;        // the same for the particles' own spin, default 0.02
    float shape_damping; // of the deformation only, not of the motion as a whole, default 0
    float gravity_scale; // default 1
    float friction;      // Coulomb's coefficient, >= 0, default 0.5
    float restitution;   // [0, 1], default 0
    // Two bodies touch when each one's layers are in the other's mask. Default: layer 1, all masks.
    uint32_t layers, mask;
    // Particles of this body touch each other, unless an edge or a rigid group connects them or they
    // overlap at rest. Default false.
    bool self_collision;
    // Keeps the precession of particles that no group turns (single elongated particles). Default
    // false: they spin about a fixed axis, as in the paper.
    bool gyroscopic;
    void *user_data;
} pliant_body_def;

// The half space normal·x < offset is solid.
typedef struct pliant_plane_def {
    pliant_vec3 normal; // normalised when added; zero is an error
    float offset;       // m along the unit normal
    float friction;     // multiplied with the body's, square root taken; default 0.5
    float restitution;  // the larger of the two counts; default 0
} pliant_plane_def;

// What the last step did.
typedef struct pliant_report {
    uint64_t steps; // since the world was made
    double time;    // s
    int bodies;
    int particles;
    int edges;
    int groups;           // implicit and explicit
    int contacts;         // contacts of particles with planes in the last substep
    int pairs;            // pairs of particles that touched each other in the last substep
    int dropped_pairs;    // pairs beyond what there is memory for in the last substep, 0 is normal
    int rotation_rescues; // fits that needed the slow, certain way, all substeps together
    int bad_bodies;       // bodies with numbers that were not finite: frozen by this step
    int frozen_bodies;    // bodies that are frozen now
} pliant_report;

pliant_world_def pliant_default_world_def(void);
pliant_body_def pliant_default_body_def(void);
pliant_plane_def pliant_default_plane_def(void);

// Returns NULL and fills `error` when the definition is out of range or memory runs out.
pliant_world *pliant_world_create(const pliant_world_def *def, pliant_error *error);
void pliant_world_destroy(pliant_world *world);

// Nothing is added when this fails; then the id is all zero.
pliant_body_id pliant_world_add_body(pliant_world *world, const pliant_body_def *def,
                                     pliant_error *error);
void pliant_world_remove_body(pliant_world *world, pliant_body_id body);
pliant_plane_id pliant_world_add_plane(pliant_world *world, const pliant_plane_def *def,
                                       pliant_error *error);
void pliant_world_remove_plane(pliant_world *world, pliant_plane_id plane);

bool pliant_body_is_valid(const pliant_world *world, pliant_body_id body);
bool pliant_plane_is_valid(const pliant_world *world, pliant_plane_id plane);

// Advances by `dt` seconds, at least 1e-7 per substep and finite (otherwise nothing happens).
// Allocates nothing.
void pliant_world_step(pliant_world *world, float dt);
pliant_report pliant_world_report(const pliant_world *world);
double pliant_world_time(const pliant_world *world);

// A gravity that is not finite is ignored.
void pliant_world_set_gravity(pliant_world *world, pliant_vec3 gravity);
pliant_vec3 pliant_world_gravity(const pliant_world *world);
// Values outside 1 … 1000 are clamped.
void pliant_world_set_quality(pliant_world *world, int substeps, int iterations);

// A fingerprint of everything that moves: equal worlds have equal hashes, bit for bit.
uint64_t pliant_world_hash(const pliant_world *world);

// A snapshot holds all that a step changes, in this machine's byte order. It fits a world that has the same bodies and planes as
// when it was taken; for another one restoring fails and changes nothing.
size_t pliant_world_snapshot_size(const pliant_world *world);
void pliant_world_snapshot(const pliant_world *world, void *buffer);
pliant_result pliant_world_restore(pliant_world *world, const void *buffer, size_t size,
                                   pliant_error *error);

// All bodies, in a fixed order that changes when one is added or removed.
int pliant_world_body_count(const pliant_world *world);
pliant_body_id pliant_world_body_at(const pliant_world *world, int index);

// In all calls below `body` is valid and particle indices are the model's; debug builds assert it.

const pliant_model *pliant_body_model(const pliant_world *world, pliant_body_id body);
void *pliant_body_user_data(const pliant_world *world, pliant_body_id body);
pliant_pose pliant_body_particle_pose(const pliant_world *world, pliant_body_id body, int particle);
pliant_vec3 pliant_body_particle_velocity(const pliant_world *world, pliant_body_id body,
                                          int particle);
pliant_vec3 pliant_body_particle_spin(const pliant_world *world, pliant_body_id body, int particle);
// The box that holds all of the body's ellipsoids.
void pliant_body_bounds(const pliant_world *world, pliant_body_id body, pliant_vec3 *minimum,
                        pliant_vec3 *maximum);
// Copies all particles' poses into the caller's array.
void pliant_body_poses(const pliant_world *world, pliant_body_id body, pliant_pose *poses);

// Places one particle, without giving it a velocity. A position that is not finite is ignored.
void pliant_body_set_particle_pose(pliant_world *world, pliant_body_id body, int particle,
                                   pliant_pose pose);
// Pinned particles and those of a frozen body have no velocity to set. Spin is limited to 2.8 rad in a
// substep: beyond half a turn its direction would be lost.
void pliant_body_set_particle_velocity(pliant_world *world, pliant_body_id body, int particle,
                                       pliant_vec3 linear, pliant_vec3 angular);
// Sets all particles moving as one rigid body about their common centre of mass.
void pliant_body_set_velocity(pliant_world *world, pliant_body_id body, pliant_vec3 linear,
                              pliant_vec3 angular);
// As in the definition; values out of range are clamped.
void pliant_body_set_friction(pliant_world *world, pliant_body_id body, float friction);
void pliant_body_set_restitution(pliant_world *world, pliant_body_id body, float restitution);
void pliant_body_set_gravity_scale(pliant_world *world, pliant_body_id body, float scale);
void pliant_body_set_damping(pliant_world *world, pliant_body_id body, float linear, float angular,
                             float shape);
// Puts the body back to its model's shape at this pose, at rest; also thaws a frozen body. A position
// that is not finite is ignored.
void pliant_body_reset(pliant_world *world, pliant_body_id body, pliant_pose pose);
// A body with bad numbers stays where it was before they came, and touches nothing.
bool pliant_body_is_frozen(const pliant_world *world, pliant_body_id body);

// Forces (N) act during the whole next step and are then forgotten. A body's force is shared among
// its particles by mass; what falls on pinned ones is borne by whatever holds them. Impulses (N s) act
// at once.
void pliant_body_apply_force(pliant_world *world, pliant_body_id body, pliant_vec3 force);
void pliant_body_apply_impulse(pliant_world *world, pliant_body_id body, pliant_vec3 impulse);
void pliant_body_apply_particle_force(pliant_world *world, pliant_body_id body, int particle,
                                      pliant_vec3 force);
void pliant_body_apply_particle_impulse(pliant_world *world, pliant_body_id body, int particle,
                                        pliant_vec3 impulse);

// Pins or frees a particle. Its groups are fitted anew with its new weight, in memory of the body's
// own: the model stays as it is. Fails, changing nothing, when memory runs out.
pliant_result pliant_body_set_pinned(pliant_world *world, pliant_body_id body, int particle,
                                     bool pinned, pliant_error *error);
bool pliant_body_is_pinned(const pliant_world *world, pliant_body_id body, int particle);
// Where a pinned particle is at the end of the next step; it moves there evenly over the substeps,
// with the velocity that goes with it, and then stays. No effect on particles that are not pinned. A
// target that is not finite freezes the body.
void pliant_body_set_target(pliant_world *world, pliant_body_id body, int particle,
                            pliant_pose target);

// Sums over particles, in double precision.
typedef struct pliant_motion {
    double mass;
    double centre[3];           // of mass
    double linear_momentum[3];  // kg m/s
    double angular_momentum[3]; // kg m²/s about the centre of mass, particles' own spin included
    double kinetic_energy;      // J, spin included
} pliant_motion;

pliant_motion pliant_body_motion(const pliant_world *world, pliant_body_id body);

// How the skin follows the particles.
typedef enum pliant_skin_mode {
    PLIANT_SKIN_LINEAR,          // linear blend of the links' transforms, what glTF viewers do
    PLIANT_SKIN_DUAL_QUATERNION, // keeps volume in twists
} pliant_skin_mode;

// Vertices of the body's visual mesh as they are now, into the caller's arrays of
// pliant_model_vertex_count elements; `normals` may be NULL. Normals are unit length, or zero where the
// model's are.
void pliant_body_skin(const pliant_world *world, pliant_body_id body, pliant_skin_mode mode,
                      pliant_vec3 *positions, pliant_vec3 *normals);

#ifdef __cplusplus
}
#endif

#endif
