// The world: bodies made of models, colliders, forces and time. The only thing that changes.
//
// A world never touches a file, a clock, a thread or a global of its own accord, and calls for
// different worlds may run at the same time. Equal calls give equal bits on every compiler, CPU and
// thread count, in the default floating-point environment: an engine that flushes denormals to zero
// must not do so while a world steps.

#ifndef PLIANT_WORLD_H
#define PLIANT_WORLD_H

#include "base.h"
#include "model.h"
#include "shape.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pliant_world pliant_world;

// Names of things inside a world. All zero is no thing. An id of something removed stays invalid.
typedef struct pliant_body_id {
    uint32_t index, generation;
} pliant_body_id;

typedef struct pliant_collider_id {
    uint32_t index, generation;
} pliant_collider_id;

typedef struct pliant_attachment_id {
    uint32_t index, generation;
} pliant_attachment_id;

// Which instructions the hot loops use. It changes the speed, never a bit of the result.
typedef enum pliant_instructions {
    PLIANT_INSTRUCTIONS_BEST,     // what this processor can do: AVX2 on x86-64 that has it
    PLIANT_INSTRUCTIONS_PORTABLE, // what the library was built for: SSE2 on x86-64, simd128 in WASM
} pliant_instructions;

// Tells the time in seconds from any fixed moment.
typedef double pliant_clock(void *user_data);

// Hears of each bad call (see pliant_report.bad_calls) before it returns, on the thread that made it: `call` is the
// function's name, `what` what was wrong, for example "particle 301 of 300". Both last as long as the callback. It
// must not change the world.
typedef void pliant_bad_call(const char *call, const char *what, void *user_data);

// Components of positions, velocities and gravity in definitions are within ±1e6 of their units; other ranges stand with
// their members. A definition that is out of range is refused, with an error that names the member.

typedef struct pliant_world_def {
    pliant_vec3 gravity; // m/s², default (0, -9.81, 0)
    // A step is cut into equal substeps, as few as are needed for none to be longer than this: s, 1e-5 … 0.1,
    // default 1/300. Shorter ones are stiffer, livelier and cost more. What happens does not depend on how time is
    // cut: a step that is no multiple of this is solved with the same stiffness and damping.
    float substep_length;
    int iterations;     // 1 … 1000 solver passes per substep, default 2
    float longest_step; // s, 1e-3 … 1e3, default 0.5: longer steps are shortened to this
    float fixed_step;   // s, 1e-4 … 0.1, default 1/60: of pliant_world_advance
    // m/s, 0 … 1e3, default 1: particles that overlap, because bodies were added in each other, were placed there or
    // could not be held apart, are moved apart no faster than this, and get no speed by it.
    float depenetration_speed;
    float restitution_threshold; // m/s, 0 … 1e6, slower impacts do not bounce, default 0.5
    float impact_speed;          // m/s, 0 … 1e6, slower impacts make no event, default 1
    // A body whose particles have all been slower than sleep_speed (m/s, default 0.02; 0: none ever
    // sleeps) for sleep_time (s, default 0.5; both 0 … 1e6) falls asleep, with all that it touches: it stands still and
    // costs nothing until something touches it or a call changes it. So does one that nothing
    // drives, that something bears or holds, and of which no particle has got further than sleep_speed · sleep_time for four
    // sleep_times, though it may tremble.
    float sleep_speed, sleep_time;
    pliant_allocator allocator;
    pliant_parallel_for *parallel_for; // see base.h; NULL runs everything on the calling thread
    void *parallel_user_data;
    pliant_instructions instructions; // default PLIANT_INSTRUCTIONS_BEST
    pliant_clock *clock;              // for pliant_world_profile; NULL takes no times
    void *clock_user_data;
    // Without one, builds without NDEBUG print a line to stderr, and others say nothing.
    pliant_bad_call *bad_call;
    void *bad_call_user_data;
} pliant_world_def;

typedef struct pliant_body_def {
    const pliant_model *model; // kept by the world: its owner may let go
    pliant_vec3 position;      // where the model's origin goes
    pliant_quat orientation;
    pliant_vec3 linear_velocity;  // m/s of the centre of mass
    pliant_vec3 angular_velocity; // rad/s about the centre of mass, world axes
    float linear_damping;  // part of the velocity lost in a second, 0 … 0.999999, default 0.02
    float angular_damping; // the same for the particles' own spin, default 0.02
    float shape_damping;   // … of the deformation only, not of the motion as a whole, default 0
    float gravity_scale;   // ±1e3, default 1
    float friction;        // Coulomb's coefficient, 0 … 1e3, default 0.5
    // [0, 1], default 0: of the speed at which the body comes to another or a collider, the part at which it leaves at
    // least. A soft body may leave faster, by its own elasticity.
    float restitution;
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

// A solid that bodies touch but do not move. With a velocity it moves on for ever, whatever it meets
// (kinematic). Colliders do not touch each other.
typedef struct pliant_collider_def {
    const pliant_shape *shape; // kept by the world: its owner may let go
    pliant_vec3 position;      // where the shape's origin is
    pliant_quat orientation;
    pliant_vec3 linear_velocity;  // m/s of the origin
    pliant_vec3 angular_velocity; // rad/s about the origin, world axes
    float friction;        // 0 … 1e3, multiplied with the body's, square root taken; default 0.5
    float restitution;     // [0, 1], the larger of the two counts; default 0
    uint32_t layers, mask; // as of a body
    void *user_data;
} pliant_collider_def;

// The half space normal·x < offset is solid.
typedef struct pliant_plane_def {
    pliant_vec3 normal; // normalised when added; zero is an error
    float offset;       // m along the unit normal
    float friction;     // as of a collider
    float restitution;  // likewise
} pliant_plane_def;

// What the last step did, and what callers did wrong.
//
// A bad call is one with an id that names nothing in its world (all zero, or of something removed), with the index of
// a particle, group, hinge or body out of range, or with a NULL pointer where none may be. In every build it changes
// nothing but bad_calls and returns a neutral value: 0, false, NULL, a zero vector, the identity pose, an all-zero id,
// or, from functions with a pliant_result, PLIANT_ERROR_ARGUMENT. Arrays that it was to fill stay as they are.
// A call for a world that is NULL does the same, but there is nothing to count in. Not counted are questions whether
// an id is valid, and what is wrong inside a definition: its pliant_error tells.
//
// Ids do not hold which world they belong to. An id of another world is bad where this world has nothing of the same
// index and generation; otherwise the call goes to what has.
typedef struct pliant_report {
    uint64_t steps;         // since the world was made
    double time;            // s
    uint64_t refused_steps; // since the world was made: those whose dt was too small or no number
    float shortened_by;     // s, of the last step beyond the world's longest_step
    int bodies;
    int particles;
    int edges;
    int groups;           // implicit and explicit
    int contacts;         // contacts of particles with colliders in the last substep
    int pairs;            // pairs of particles that touched each other in the last substep
    int dropped_contacts; // contacts beyond what there is memory for, all substeps; 0 is normal
    int dropped_pairs;    // likewise pairs
    int dropped_events;   // likewise events
    // Groups of elastic particles that substeps of this length and iterations cannot hold as stiffly as their material asks for;
    // and the longest substep (s) that would hold them all, 0: any. Of sleeping bodies, too.
    int saturated_groups;
    float unsaturated_length;
    int rotation_rescues; // fits that needed the slow, certain way, all substeps together
    int bad_bodies; // bodies with numbers out of bounds (see pliant_body_is_frozen): frozen by this step
    int limited_bodies;  // bodies with particles that were held at 10 km/s in this step
    int frozen_bodies;   // bodies that are frozen now
    int sleeping_bodies; // bodies that sleep now
    uint64_t bad_calls;  // since the world was made; 0 is normal. No snapshot holds it
} pliant_report;

// Where the time of the last step went, in seconds, all substeps together; all zero without a clock.
typedef struct pliant_profile {
    double step;     // all of it
    double predict;  // forces, where everything would go, contacts with colliders, preparation
    double find;     // pairs of particles that may touch
    double begin;    // how those pairs stand before they are solved
    double solve;    // shape matching, distances, torsion, hinges
    double pairs;    // contact between particles
    double contacts; // contact with colliders, attachments
    double finish;   // velocities, bounces, events, sleep
} pliant_profile;

PLIANT_API pliant_world_def pliant_default_world_def(void);
PLIANT_API pliant_body_def pliant_default_body_def(void);
// The default but for the model and its material.
PLIANT_API pliant_body_def pliant_model_body_def(const pliant_model *model);
PLIANT_API pliant_collider_def pliant_default_collider_def(void);
PLIANT_API pliant_plane_def pliant_default_plane_def(void);

// Returns NULL and fills `error` when the definition is out of range or memory runs out.
PLIANT_API pliant_world *pliant_world_create(const pliant_world_def *def, pliant_error *error);
PLIANT_API void pliant_world_destroy(pliant_world *world);

// Nothing is added when this fails; then the id is all zero.
PLIANT_API pliant_body_id pliant_world_add_body(pliant_world *world, const pliant_body_def *def,
                                                pliant_error *error);
PLIANT_API void pliant_world_remove_body(pliant_world *world, pliant_body_id body);
PLIANT_API pliant_collider_id pliant_world_add_collider(pliant_world *world,
                                                        const pliant_collider_def *def,
                                                        pliant_error *error);
// A collider with the shape of a plane.
PLIANT_API pliant_collider_id pliant_world_add_plane(pliant_world *world,
                                                     const pliant_plane_def *def,
                                                     pliant_error *error);
PLIANT_API void pliant_world_remove_collider(pliant_world *world, pliant_collider_id collider);

PLIANT_API bool pliant_body_is_valid(const pliant_world *world, pliant_body_id body);
PLIANT_API bool pliant_collider_is_valid(const pliant_world *world, pliant_collider_id collider);

// Advances by `dt` seconds, at most the world's longest_step: the rest of a longer one is left out, and the
// report says so. Nothing happens when it is 0, nor when it is below 1e-6 or not finite: then the report counts it,
// and the result is PLIANT_ERROR_ARGUMENT. Allocates only when it finds more pairs of particles or contacts of a
// body than there is room for, which is as many as any step before has found and some more; when it cannot, those beyond
// are dropped and counted. It does so on the calling thread.
PLIANT_API pliant_result pliant_world_step(pliant_world *world, float dt);
// Advances in steps of the world's fixed_step: as many as fit into `dt` and what earlier calls left over. Returns how
// many, 0 among them; what is left over waits for the next call. `dt` is shortened, ignored or refused as that of a step
// is. For games whose frames are longer and shorter than a step: what is drawn lies between the last two steps.
PLIANT_API int pliant_world_advance(pliant_world *world, float dt);
// [0, 1): the time that pliant_world_advance has left over, in fixed steps. For pliant_body_poses_between.
PLIANT_API float pliant_world_blend(const pliant_world *world);
PLIANT_API pliant_report pliant_world_report(const pliant_world *world);
PLIANT_API pliant_profile pliant_world_profile(const pliant_world *world);
// The instruction set in use, for example "avx2".
PLIANT_API const char *pliant_world_instruction_set(const pliant_world *world);
PLIANT_API double pliant_world_time(const pliant_world *world);

// A gravity that is not within ±1e6 m/s² is ignored.
PLIANT_API void pliant_world_set_gravity(pliant_world *world, pliant_vec3 gravity);
PLIANT_API pliant_vec3 pliant_world_gravity(const pliant_world *world);
// The length of substeps is pliant_substep_length(substeps), whatever the steps. Values outside 1 … 1000 are clamped.
// More substeps are stiffer not at once, but within two seconds: what longer ones left unsolved would become speed.
PLIANT_API void pliant_world_set_quality(pliant_world *world, int substeps, int iterations);
// The same one by one; a length outside its range is clamped, one that is no number is ignored.
PLIANT_API void pliant_world_set_substep_length(pliant_world *world, float length);
PLIANT_API void pliant_world_set_iterations(pliant_world *world, int iterations);
// s, when so many substeps fit into 1/60 s: 1 / (60 substeps).
PLIANT_API float pliant_substep_length(float substeps);

// A fingerprint of everything that moves: equal worlds have equal hashes, bit for bit.
PLIANT_API uint64_t pliant_world_hash(const pliant_world *world);

// A snapshot holds all bodies, colliders and attachments and all that a step changes: for going back and replaying, and for
// saved games. It is little-endian, versioned and checksummed, holds no pointer and has the same bytes on every machine.
//
// Restoring brings back what has been removed since and takes away what has been added. From there on the same calls give
// the same bits and the same ids:
// - An id that was valid then is valid again, and names what it named.
// - An id that was stale then is stale.
// - An id that was given out later is stale, until a call after the restore gives it out anew: to the same thing if the calls
//   are the same, to another one if they are not. So whoever goes on in another way forgets the ids of what did not happen.
//
// Models and shapes are not in the snapshot: it names them by what they consist of, and the world keeps one of each that it
// has ever been given, be it for a body that has gone since. In another world, as of another process, the same models and
// shapes have to be known before: because there are bodies and colliders of them, or by pliant_world_know_model and
// pliant_world_know_shape. Planes are always known. A model that moves in the same way but has another skin will do, too.
//
// Of the world's definition gravity, substep_length and iterations are restored; all else is the world's own. A body or
// collider that is there now and was there then keeps its user_data; that of one that is brought back is NULL. There are no
// events and contacts until the next step.
//
// The buffer has room for pliant_world_snapshot_size bytes.
PLIANT_API size_t pliant_world_snapshot_size(const pliant_world *world);
PLIANT_API void pliant_world_snapshot(const pliant_world *world, void *buffer);
// Fails, changing nothing, when the bytes are damaged (PLIANT_ERROR_FORMAT) or of a newer version (PLIANT_ERROR_VERSION),
// when the world does not know a model or a shape (PLIANT_ERROR_MISMATCH: the message names the body or collider), or when
// memory runs out. Any bytes may be given.
PLIANT_API pliant_result pliant_world_restore(pliant_world *world, const void *buffer, size_t size,
                                              pliant_error *error);
// Tells the world of a model or a shape that snapshots may name. What has been added is known without this.
PLIANT_API pliant_result pliant_world_know_model(pliant_world *world, const pliant_model *model,
                                                 pliant_error *error);
PLIANT_API pliant_result pliant_world_know_shape(pliant_world *world, const pliant_shape *shape,
                                                 pliant_error *error);
// Lets go of all models and shapes that no body and no collider is made of now. Snapshots that name one of them fail to
// restore until it is known again.
PLIANT_API void pliant_world_forget_unused(pliant_world *world);

// All bodies, in a fixed order that changes when one is added or removed.
PLIANT_API int pliant_world_body_count(const pliant_world *world);
PLIANT_API pliant_body_id pliant_world_body_at(const pliant_world *world, int index);

// Indices of particles, groups and hinges are the model's. A body, or an index, that is not there makes a bad call: see
// pliant_report.

PLIANT_API const pliant_model *pliant_body_model(const pliant_world *world, pliant_body_id body);
// Lets the body go on as another model of the same thing, at the same place in model space: one of more or fewer particles, say.
// It keeps its pose, deformation, velocity, linear and angular momentum, its id and settings, dents, and what is attached to it
// (each end at the particle that is nearest to where it was); pins and targets that a call gave to single particles go to the
// nearest ones, too. What has crept is forgotten, and an attachment whose two ends have become one particle is gone. Takes a
// time that grows with both models, and memory; fails, changing nothing, when that runs out.
PLIANT_API pliant_result pliant_body_set_model(pliant_world *world, pliant_body_id body,
                                               const pliant_model *model, pliant_error *error);
PLIANT_API void *pliant_body_user_data(const pliant_world *world, pliant_body_id body);
PLIANT_API void pliant_body_set_user_data(pliant_world *world, pliant_body_id body,
                                          void *user_data);
PLIANT_API pliant_pose pliant_body_particle_pose(const pliant_world *world, pliant_body_id body,
                                                 int particle);
PLIANT_API pliant_vec3 pliant_body_particle_velocity(const pliant_world *world, pliant_body_id body,
                                                     int particle);
PLIANT_API pliant_vec3 pliant_body_particle_spin(const pliant_world *world, pliant_body_id body,
                                                 int particle);
// The box that holds all of the body's ellipsoids; a bad call sets both corners to zero.
PLIANT_API void pliant_body_bounds(const pliant_world *world, pliant_body_id body,
                                   pliant_vec3 *minimum, pliant_vec3 *maximum);
// Copies all particles' poses into the caller's array.
PLIANT_API void pliant_body_poses(const pliant_world *world, pliant_body_id body,
                                  pliant_pose *poses);

// The same between the beginning (`blend` 0) and the end (1) of the last step; at its end if the body has been placed
// since, or slept. For drawing.
PLIANT_API void pliant_body_poses_between(const pliant_world *world, pliant_body_id body,
                                          float blend, pliant_pose *poses);

// Places one particle, without giving it a velocity. A position that is not within ±1e6 m is ignored.
PLIANT_API void pliant_body_set_particle_pose(pliant_world *world, pliant_body_id body,
                                              int particle, pliant_pose pose);
// Pinned particles and those of a frozen body have no velocity to set. Spin is limited to 2.8 rad in a
// substep: beyond half a turn its direction would be lost.
PLIANT_API void pliant_body_set_particle_velocity(pliant_world *world, pliant_body_id body,
                                                  int particle, pliant_vec3 linear,
                                                  pliant_vec3 angular);
// Sets all particles moving as one rigid body about their common centre of mass.
PLIANT_API void pliant_body_set_velocity(pliant_world *world, pliant_body_id body,
                                         pliant_vec3 linear, pliant_vec3 angular);
// As in the definition; values out of range are clamped.
PLIANT_API void pliant_body_set_friction(pliant_world *world, pliant_body_id body, float friction);
PLIANT_API void pliant_body_set_restitution(pliant_world *world, pliant_body_id body,
                                            float restitution);
PLIANT_API void pliant_body_set_gravity_scale(pliant_world *world, pliant_body_id body,
                                              float scale);
PLIANT_API void pliant_body_set_damping(pliant_world *world, pliant_body_id body, float linear,
                                        float angular, float shape);
// How much faster than in the model deformation is removed: stiffness s of particles, groups and edges counts as
// 1 - (1 - s)^scale. [0, 1000], default 1; what is rigid (s = 1) stays so.
PLIANT_API void pliant_body_set_stiffness_scale(pliant_world *world, pliant_body_id body,
                                                float scale);
// Puts the body back to its model's shape at this pose, without dents and at rest; also thaws a frozen body.
// A position that is not within ±1e6 m is ignored.
PLIANT_API void pliant_body_reset(pliant_world *world, pliant_body_id body, pliant_pose pose);
// A body with a particle beyond 1e6 m along an axis, or whose numbers are not finite, stays where it was before that came,
// and touches nothing. Speeds beyond 10 km/s never come to that: they are held there (pliant_report.limited_bodies).
PLIANT_API bool pliant_body_is_frozen(const pliant_world *world, pliant_body_id body);
// Whether an explicit group of the model has been hit harder than its dent_speed within the last 5/60 s: it
// deforms now, and holds its new shape after that. Hits meanwhile do not prolong it.
PLIANT_API bool pliant_body_group_is_loose(const pliant_world *world, pliant_body_id body,
                                           int group);
// A body that sleeps wakes when it is touched or changed; these do it by hand. Putting a body to sleep
// takes its velocity and the targets of its pinned particles; the next touch wakes it.
PLIANT_API bool pliant_body_is_asleep(const pliant_world *world, pliant_body_id body);
PLIANT_API void pliant_body_wake(pliant_world *world, pliant_body_id body);
PLIANT_API void pliant_body_sleep(pliant_world *world, pliant_body_id body);

// More than 1e30 along an axis counts as 1e30, and no particle gets faster than 10 km/s; what is not finite freezes the
// body.
// Forces (N) act during the whole next step and are then forgotten. A body's force is shared among
// its particles by mass; what falls on pinned ones is borne by whatever holds them. Impulses (N s) act
// at once.
PLIANT_API void pliant_body_apply_force(pliant_world *world, pliant_body_id body,
                                        pliant_vec3 force);
PLIANT_API void pliant_body_apply_impulse(pliant_world *world, pliant_body_id body,
                                          pliant_vec3 impulse);
PLIANT_API void pliant_body_apply_particle_force(pliant_world *world, pliant_body_id body,
                                                 int particle, pliant_vec3 force);
PLIANT_API void pliant_body_apply_particle_impulse(pliant_world *world, pliant_body_id body,
                                                   int particle, pliant_vec3 impulse);

// Pins or frees a particle. Its groups are fitted anew with its new weight, in memory of the body's
// own: the model stays as it is. Fails, changing nothing, when memory runs out.
PLIANT_API pliant_result pliant_body_set_pinned(pliant_world *world, pliant_body_id body,
                                                int particle, bool pinned, pliant_error *error);
PLIANT_API bool pliant_body_is_pinned(const pliant_world *world, pliant_body_id body, int particle);
// Where a pinned particle is at the end of the next step; it moves there evenly over the substeps,
// with the velocity that goes with it, and then stays. No effect on particles that are not pinned. A
// target that is not finite freezes the body.
PLIANT_API void pliant_body_set_target(pliant_world *world, pliant_body_id body, int particle,
                                       pliant_pose target);

// Drives a hinge of the body's model: towards `speed` (rad/s of group b against group a about its axis)
// with at most `torque` (N m, >= 0; 0 turns freely). Values that are not finite are ignored. The speed is
// limited as spin is.
PLIANT_API void pliant_body_set_motor(pliant_world *world, pliant_body_id body, int hinge,
                                      float speed, float torque);
// rad in (-π, π], 0 at rest; and rad/s.
PLIANT_API float pliant_body_hinge_angle(const pliant_world *world, pliant_body_id body, int hinge);
PLIANT_API float pliant_body_hinge_speed(const pliant_world *world, pliant_body_id body, int hinge);

// ---------------------------------------------------------------------------------------------
// Colliders. Poses and velocities that are not finite are ignored.

PLIANT_API pliant_pose pliant_collider_pose(const pliant_world *world, pliant_collider_id collider);
PLIANT_API pliant_vec3 pliant_collider_velocity(const pliant_world *world,
                                                pliant_collider_id collider);
PLIANT_API pliant_vec3 pliant_collider_spin(const pliant_world *world, pliant_collider_id collider);
PLIANT_API void *pliant_collider_user_data(const pliant_world *world, pliant_collider_id collider);
PLIANT_API void pliant_collider_set_user_data(pliant_world *world, pliant_collider_id collider,
                                              void *user_data);
PLIANT_API const pliant_shape *pliant_collider_shape(const pliant_world *world,
                                                     pliant_collider_id collider);
// Puts it there at once: bodies in its way are pushed out, not hit.
PLIANT_API void pliant_collider_set_pose(pliant_world *world, pliant_collider_id collider,
                                         pliant_pose pose);
PLIANT_API void pliant_collider_set_velocity(pliant_world *world, pliant_collider_id collider,
                                             pliant_vec3 linear, pliant_vec3 angular);
// Moves there evenly during the next step, with the velocity that goes with it, and then stands.
PLIANT_API void pliant_collider_move_to(pliant_world *world, pliant_collider_id collider,
                                        pliant_pose pose);

// ---------------------------------------------------------------------------------------------
// Attachments: a particle held at a distance from a particle of another body, from a point of a collider
// or from a point in space. Two or three attachments fix a body. Two particles held nearer to each other
// than their radii reach do not touch. A distance that is wrong to begin with is put right at 10 m/s.

typedef struct pliant_attachment_def {
    pliant_body_id body;
    int particle;
    pliant_body_id other_body; // or all zero
    int other_particle;
    pliant_collider_id collider; // or all zero
    // Without another body: where it is held, in the collider's axes or, without one, in the world's.
    pliant_vec3 anchor;
    float length;    // m, at most 1e6; negative: the distance it has when added
    bool is_slack;   // a string: pulls, but does not push
    float stiffness; // [0, 1], 1 is rigid, as of an edge
    float strength;  // N, breaks above it; 0 never breaks
} pliant_attachment_def;

// Rigid, never breaks, length -1.
PLIANT_API pliant_attachment_def pliant_default_attachment_def(void);
// An attachment goes with the bodies and colliders that it holds. One that went so, or broke, may be named as
// before: its owner may not know yet. Calls then do nothing, and are no bad calls. Of those that a call removed the
// world remembers the last one of each index: older ids pass for such, too.
PLIANT_API pliant_attachment_id pliant_world_add_attachment(pliant_world *world,
                                                            const pliant_attachment_def *def,
                                                            pliant_error *error);
PLIANT_API void pliant_world_remove_attachment(pliant_world *world,
                                               pliant_attachment_id attachment);
PLIANT_API bool pliant_attachment_is_valid(const pliant_world *world,
                                           pliant_attachment_id attachment);
// Moves the point that holds it, for one without another body: a mouse that drags. It goes there evenly
// during the next step, longer when that takes more than 50 m/s. What is not finite is ignored.
PLIANT_API void pliant_attachment_set_anchor(pliant_world *world, pliant_attachment_id attachment,
                                             pliant_vec3 anchor);
// N, how hard it pulled (> 0) or pushed in the last substep.
PLIANT_API float pliant_attachment_force(const pliant_world *world,
                                         pliant_attachment_id attachment);

// ---------------------------------------------------------------------------------------------
// Contacts, events, queries

// A particle that touches a collider or another particle, as of the last substep. Nobody looks at bodies
// that sleep: they have none.
typedef struct pliant_contact {
    pliant_body_id body;
    int particle;
    pliant_body_id other_body; // all zero at a collider
    int other_particle;        // -1 at a collider
    pliant_collider_id collider;
    pliant_vec3 point;
    pliant_vec3 normal; // unit, out of the collider or the other particle, towards the particle
    float force;        // N along the normal
} pliant_contact;

// Writes at most `capacity` contacts and returns how many there are. With a capacity of 0 `contacts` may be NULL.
PLIANT_API int pliant_world_contacts(const pliant_world *world, pliant_contact *contacts,
                                     int capacity);

typedef enum pliant_event_kind {
    PLIANT_EVENT_BEGIN,  // a body and another one, or a collider, begin to touch
    PLIANT_EVENT_END,    // they no longer touch
    PLIANT_EVENT_IMPACT, // they hit each other faster than the world's impact_speed
    PLIANT_EVENT_DENT,   // a plastic group was dented
    PLIANT_EVENT_BREAK,  // an attachment broke
} pliant_event_kind;

// Begin, end and impact: at most one of each for two bodies and step, of the hardest contact. Fields that do not
// apply are zero (particles -1); an end has no particle, point, normal or speed. What is removed tells no end.
typedef struct pliant_event {
    pliant_event_kind kind;
    pliant_body_id body;
    int particle;
    pliant_body_id other_body;
    int other_particle;
    pliant_collider_id collider;
    pliant_attachment_id attachment;
    pliant_vec3 point, normal; // as of a contact
    float speed;               // m/s, of the approach
} pliant_event;

// What happened in the last step, in a fixed order; valid until the next step or change of the world.
PLIANT_API int pliant_world_event_count(const pliant_world *world);
PLIANT_API const pliant_event *pliant_world_events(const pliant_world *world);

typedef struct pliant_hit {
    pliant_body_id body; // all zero at a collider
    int particle;        // -1 at a collider
    pliant_collider_id collider;
    pliant_vec3 point, normal; // normal: unit, outwards
    float distance;            // m; of a closest point: < 0 inside
} pliant_hit;

// The first particle or collider on the ray from `origin` along `direction` (any length but 0) within
// `length` m, among those with a layer in `mask`. False, leaving *hit alone, when there is none.
PLIANT_API bool pliant_world_ray_cast(const pliant_world *world, pliant_vec3 origin,
                                      pliant_vec3 direction, float length, uint32_t mask,
                                      pliant_hit *hit);
// The nearest point of any surface within `distance` m.
PLIANT_API bool pliant_world_closest_point(const pliant_world *world, pliant_vec3 point,
                                           float distance, uint32_t mask, pliant_hit *hit);

// ---------------------------------------------------------------------------------------------

// Sums over particles, in double precision.
typedef struct pliant_motion {
    double mass;
    double centre[3];          // of mass
    double linear_momentum[3]; // kg m/s
    // kg m²/s about the centre of mass, particles' own spin included. Velocities are those of the middle of the last substep:
    // of an ellipsoid in a group that tumbles so is the inertia.
    double angular_momentum[3];
    double kinetic_energy; // J, spin included
} pliant_motion;

PLIANT_API pliant_motion pliant_body_motion(const pliant_world *world, pliant_body_id body);

// How the skin follows the particles.
typedef enum pliant_skin_mode {
    PLIANT_SKIN_LINEAR,          // linear blend of the links' transforms, what glTF viewers do
    PLIANT_SKIN_DUAL_QUATERNION, // keeps volume in twists
} pliant_skin_mode;

// Vertices of the body's visual mesh as they are now, into the caller's arrays of
// pliant_model_vertex_count elements; `normals` may be NULL. Normals are unit length, or zero where the
// model's are.
PLIANT_API void pliant_body_skin(const pliant_world *world, pliant_body_id body,
                                 pliant_skin_mode mode, pliant_vec3 *positions,
                                 pliant_vec3 *normals);
// The same with the poses of pliant_body_poses_between.
PLIANT_API void pliant_body_skin_between(const pliant_world *world, pliant_body_id body,
                                         pliant_skin_mode mode, float blend, pliant_vec3 *positions,
                                         pliant_vec3 *normals);

#ifdef __cplusplus
}
#endif

#endif
