// What a model holds: the elements as given, and what the solver derives from them.

#ifndef PLIANT_MODEL_MODEL_H
#define PLIANT_MODEL_MODEL_H

#include <pliant/model.h>

#include "core/error.h"
#include "core/memory.h"
#include "math/quat.h"

// Elements as the user gave them, in growable arrays: what a builder collects and a blob stores.
typedef struct elements {
    pliant_particle_def *particles;
    pliant_edge_def *edges;
    struct {
        int32_t first, count; // into members
        float stiffness, dent_speed, yield_strain, creep_rate;
    } * groups;
    int32_t *members;
    pliant_hinge_def *hinges;
    pliant_vertex_def *vertices;
    int32_t (*triangles)[3];
    int particle_count, particle_capacity;
    int edge_count, edge_capacity;
    int group_count, group_capacity;
    int member_count, member_capacity;
    int hinge_count, hinge_capacity;
    int vertex_count, vertex_capacity;
    int triangle_count, triangle_capacity;
} elements;

void pliant_elements_free(elements *e, const pliant_allocator *allocator);

// A shape matching group. Its slots list the members in this order: those whose orientation counts in
// the fit, those that only receive the fitted rotation, the rest. An implicit group's first slot is
// its centre, the only one that is turned.
//
// The implicit group of a particle in an explicit group that can be dented stands in for that group while it
// is loose, and rests otherwise.
typedef struct group {
    int32_t source; // the explicit group as it was given, or the particle at the centre
    int32_t first_slot, slot_count;
    int32_t oriented_count; // leading slots whose own moment A_i enters the fit
    int32_t turned_count;   // leading slots that get the rotation
    float rate;             // 1/s², the material constant k of the stiffness law; < 0 means rigid
    bool stands_in;
    float dent_speed;               // m/s, 0: never
    float yield_strain, creep_rate; // creep_rate 0: never
} group;

// A family of constraints in the order in which they are solved: sorted by colour. Constraints of one
// colour share no particle, so that their order does not matter and they can run side by side; those
// from `serial_first` on found no free colour and run one after another.
typedef struct colouring {
    int32_t *colour_start; // colour_count + 1 entries
    int colour_count;
    int serial_first;
} colouring;

typedef struct edge {
    int32_t a, b;
    float stretch_rate;             // 1/s², < 0 means rigid, 0 means none
    float torsion_rate;             // likewise
    bool twist_only;                // both ends are chain particles
    float yield_strain, creep_rate; // of the length; creep_rate 0: never
} edge;

// What holds at rest: fit weights, rest offsets, lengths. A body shares its model's until one of its
// particles is pinned or freed; then it gets its own. One of a plastic model has its own from the start.
typedef struct rest_slot {
    vec3 offset;  // o_i = x̄_i - c̄, model axes
    float weight; // μ_i / Σ μ
} rest_slot;

typedef struct rest_group {
    float rotation_noise; // rad, how uncertain a fitted rotation is by rounding alone
    bool is_movable;      // false when all members are pinned
} rest_group;

typedef struct rest_edge {
    float length;             // m
    vec3 direction;           // unit, from a to b
    float inverse_inertia[2]; // of a and b, about the edge (twist) or their mean (full), 1/(kg m²)
} rest_edge;

typedef struct rest {
    rest_slot *slots;   // one per slot of all groups
    sym3 *spreads;      // one per slot: weight · Ā_i / m_i where oriented, else zero
    rest_group *groups; // one per group
    rest_edge *edges;   // one per edge
} rest;

// One side of a hinge: the particles that turn with it, and the one that shows its angle.
typedef struct hinge_side {
    int32_t first, count; // into hinge_members
    int32_t turned_count; // leading ones that get the group's rotation, not only its motion
    int32_t pointer;      // particle that shows the angle
    bool points_by_turn;  // by its rotation, else by its place
    vec3 direction;       // at rest, across the axis
} hinge_side;

typedef struct hinge {
    int32_t axis[2]; // particles
    hinge_side sides[2];
    float rest_angle; // between the two directions
} hinge;

// Where a body's particles rest, in model space: one of each per particle. A dent moves and turns them
// away from the bind pose; `turn` is that rotation.
typedef struct rest_pose {
    const vec3 *x;
    const quat *turn;
} rest_pose;

struct pliant_model {
    pliant_allocator allocator;
    elements source;

    // Groups: implicit ones first, then explicit ones, each family sorted by colour.
    group *groups;
    int implicit_count, group_count;
    colouring implicit_colours, explicit_colours;
    int32_t *slot_particles; // the particle in each slot
    int slot_count;

    edge *edges; // sorted by colour
    colouring edge_colours;
    bool has_torsion;
    bool has_dents; // an explicit group can be dented
    bool has_creep; // a group or an edge creeps

    hinge *hinges; // as given
    int32_t *hinge_members;
    int hinge_member_count;

    sym3 *shapes;       // per particle: R̄ diag(a², b², c²) R̄ᵀ, m², the ellipsoid at rest
    bool *turns_freely; // per particle: no group or torsion ever sets its rotation
    bool *answers_rigidly;   // per particle: a push at its surface turns it, see find_rigid_answers
    int32_t *group_of;       // per particle: the first explicit group it is in + 1, or 0
    int32_t *stand_in_of;    // per particle: its group that stands in for a loose one + 1, or 0
    int32_t *excluded_start; // per particle + 1: where its list in `excluded` begins
    int32_t *excluded;       // per particle, rising: particles it never collides with
    bool has_surface;        // some particles are PLIANT_PARTICLE_SURFACE
    rest rest;               // with the pins of the particles' flags
    double mass;             // of all particles
    uint64_t fingerprint;    // of all that a step depends on
};

// Weight of a pinned member in fits: large enough to act as a clamp, small enough for float32.
#define PINNED_FIT_FACTOR 1000.0f

// Computes `out` for the bind pose and the given pins (one flag per particle). The arrays must have been
// allocated by pliant_rest_allocate.
bool pliant_rest_allocate(rest *out, const pliant_model *model, const pliant_allocator *allocator);
void pliant_rest_compute(rest *out, const pliant_model *model, const uint8_t *pinned);
void pliant_rest_free(rest *r, const pliant_allocator *allocator);

// The same for a shape that is no longer the bind pose: one group or edge as `pose` has it, …
void pliant_rest_place_group(rest *out, const pliant_model *model, int index, const uint8_t *pinned,
                             const rest_pose *pose);
void pliant_rest_place_edge(rest *out, const pliant_model *model, int index, const rest_pose *pose);
// … what follows from a group's offsets and the pins, …
void pliant_rest_weigh_group(rest *out, const pliant_model *model, int index, const uint8_t *pinned,
                             const rest_pose *pose);
// … and the same for offsets that are not yet those about its centre of mass.
void pliant_rest_centre_group(rest *out, const pliant_model *model, int index,
                              const uint8_t *pinned, const rest_pose *pose);

// Whether two particles of a model never collide: an edge or a rigid group connects them, or they
// overlap at rest.
bool pliant_model_excludes(const pliant_model *model, int32_t a, int32_t b);
// Fills excluded_start and excluded. False when memory runs out.
bool pliant_model_find_excluded(pliant_model *model);

// Fills hinges and hinge_members; explicit group i of the solver was given as number order[i]. False when
// memory runs out.
bool pliant_model_build_hinges(pliant_model *model, const int32_t *order);

// The signed angle from u to v about the unit axis, of their parts across it, in (-π, π].
static inline float hinge_angle_between(vec3 u, vec3 v, vec3 axis)
{
    float along = vec3_dot(u, axis) * vec3_dot(v, axis);
    return trig_atan2(vec3_dot(axis, vec3_cross(u, v)), vec3_dot(u, v) - along);
}

// k of the stiffness law s = 1 - exp(-k h²/n), 1/s², from a painted stiffness; < 0 means rigid.
float pliant_stiffness_rate(float stiffness);

// Checks and normalises elements in place. `scratch` holds one zero per particle.
pliant_result pliant_elements_validate(elements *e, int32_t *scratch, pliant_error *error);

// Takes over `source`, validates it and derives the rest. On failure frees it and returns NULL.
pliant_model *pliant_model_create(elements *source, const pliant_allocator *allocator,
                                  pliant_error *error);

#endif
