// What a model holds: the elements as given, and what the solver derives from them.

#ifndef PLIANT_MODEL_MODEL_H
#define PLIANT_MODEL_MODEL_H

#include "core/error.h"
#include "elements.h"
#include "form/form.h"
#include "math/quat.h"
#include "skin_data.h"
#include "solve/constraints.h"
#include "solve/particles.h"
#include "solve/ways.h"
#include "turns.h"

#include <stdatomic.h>

enum { MOST_FAMILIES = 16 };

// A family of constraints in the order in which they are solved: by blocks of the model.
typedef struct batching {
    batch *batches;
    int batch_count;
    int32_t *block_start; // first batch of each block, and the end
    int colour_count;     // the most that a block needed
} batching;

// The order in which the blocks run. Those of one colour share no particle.
typedef struct block_plan {
    int count;
    int32_t *order;
    int32_t *colour;       // of each block
    int32_t *colour_start; // into order, colour_count + 1
    int colour_count;
    int reach; // blocks that share a particle are not further apart than this
} block_plan;

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
    atomic_size_t references; // its owner's, and those of worlds
    elements source;

    // Groups: implicit ones first, in the order of their batches, then explicit ones as given.
    group *groups;
    int implicit_count, group_count;
    batching group_batches;        // of the implicit ones
    group_rows *group_rows;        // of each batch
    int32_t *slot_offsets;         // SLOT_STRIDE · the particle in each slot
    int row_count;                 // of slots, those of implicit groups first
    struct elastic_group *elastic; // of implicit groups; NULL when none is elastic, …
    share_row *shares;             // … of their rows
    turn_plan explicit_turns;      // of explicit groups, from the first of them on
    int spread_row_count;

    edge *edges; // in the order of their batches
    batching edge_batches;
    block_plan blocks;
    int32_t *block_of; // per particle
    bool has_stretch;  // an edge holds its length
    bool has_torsion;
    bool has_limits;      // an edge has a longest length
    bool has_dents;       // an explicit group can be dented
    bool has_creep;       // a group or an edge creeps
    bool has_twist_creep; // an edge's torsion does

    // Families of constraints that there is something to solve of, in the order of pli_families.
    const struct family *families[MOST_FAMILIES];
    int family_count;
    int whole_group; // a rigid explicit group that turns all particles, or -1
    bool is_soft;    // one of them follows the scale of a body's stiffness

    hinge *hinges; // as given
    int32_t *hinge_members;
    int hinge_member_count;

    struct chain_tree *chains;
    struct chain_row *chain_rows;
    int chain_count, chain_row_count;

    pliant_tether_def
        *tethers; // those given and those that follow from limits, by the blocks of their particles
    int tether_count;
    int32_t *tether_start; // of each block, and the end

    // What a particle's form is, see pli_model_form, and what follows from it (forms.c). Per particle, at rest
    sym3 *ellipsoids; // R̄ diag(a², b², c²) R̄ᵀ, m²
    form_size *sizes;
    sym3 *
        moments; // m², ∫ x xᵀ dm / m about the centre: what fits, inertia and spin need, of any form

    bool is_round;           // all second moments are those of balls
    bool *turns_freely;      // per particle: no group or torsion ever sets its rotation
    int free_count;          // of those
    bool *answers_rigidly;   // per particle: a push at its surface turns it, see find_rigid_answers
    bool *is_rigid;          // per particle: it turns freely, or a rigid group holds it
    int rigid_answer_count;  // of those that are both
    int32_t *group_of;       // per particle: the first explicit group it is in + 1, or 0
    int32_t *stand_in_of;    // per particle: its group that stands in for a loose one + 1, or 0
    int32_t *excluded_start; // per particle + 1: where its list in `excluded` begins
    int32_t *excluded;       // per particle: those after it that it never collides with
    pair_traits *traits;     // per particle
    bool has_layers;         // some particles do not meet all others
    bool has_surface;        // some particles are PLIANT_PARTICLE_SURFACE
    skin_data skin;          // the vertices as the kernels read them
    rest rest;               // with the pins of the particles' flags
    double mass;             // of all particles
    uint64_t fingerprint;    // of all that a step depends on
    uint64_t identity;       // of all that it was made of, the skin among it
};

static inline int32_t group_member(const pliant_model *model, const group *g, int k)
{
    return slot_particle(model->slot_offsets, group_slot(g, k));
}

// The form of a particle at rest.
static inline form pli_model_form(const pliant_model *model, int32_t particle)
{
    return form_of_ellipsoid(model->ellipsoids[particle]);
}

// The support of a particle's form that is turned by R from the bind orientation.
static inline float pli_model_support(const pliant_model *model, int32_t particle, const mat3 *R,
                                      vec3 n, vec3 *arm)
{
    form f = pli_model_form(model, particle);
    return form_support(&f, R, n, arm);
}

// Weight of a pinned member in fits: large enough to act as a clamp, small enough for float32.
#define PINNED_FIT_FACTOR 1000.0f

// Computes `out` for the bind pose and the given pins (one flag per particle). The arrays must have been
// allocated by pli_rest_allocate.
bool pli_rest_allocate(rest *out, const pliant_model *model, const pliant_allocator *allocator);
void pli_rest_compute(rest *out, const pliant_model *model, const uint8_t *pinned);
void pli_rest_free(rest *r, const pliant_allocator *allocator);

// The same for a shape that is no longer the bind pose: one group or edge as `pose` has it, …
void pli_rest_place_group(rest *out, const pliant_model *model, int index, const uint8_t *pinned,
                          const rest_pose *pose);
void pli_rest_place_edge(rest *out, const pliant_model *model, int index, const rest_pose *pose);
// … what follows from a group's offsets and the pins, …
void pli_rest_weigh_group(rest *out, const pliant_model *model, int index, const uint8_t *pinned,
                          const rest_pose *pose);
// … and the same for offsets that are not yet those about its centre of mass.
void pli_rest_centre_group(rest *out, const pliant_model *model, int index, const uint8_t *pinned,
                           const rest_pose *pose);

// Whether a group of these particles is thin, before it has slots.
bool pli_rest_is_thin(const pliant_model *model, const int32_t *members, int count,
                      int oriented_count, const uint8_t *pinned);

// Whether two particles of a model never collide: an edge or a rigid group connects them, or they
// overlap at rest. a < b.
bool pli_model_excludes(const pliant_model *model, int32_t a, int32_t b);
// Fills excluded_start, excluded and traits. False when memory runs out.
bool pli_model_find_excluded(pliant_model *model);

// The signed angle from u to v about the unit axis, of their parts across it, in (-π, π].
static inline float hinge_angle_between(vec3 u, vec3 v, vec3 axis)
{
    float along = vec3_dot(u, axis) * vec3_dot(v, axis);
    return trig_atan2(vec3_dot(axis, vec3_cross(u, v)), vec3_dot(u, v) - along);
}

// k of the stiffness law s = 1 - exp(-k h²/n), 1/s², from a painted stiffness; < 0 means rigid.
float pli_stiffness_rate(float stiffness);

// Takes over `source`, validates it and derives the rest. On failure frees it and returns NULL.
// One reference is the caller's.
pliant_model *pli_model_create(elements *source, const pliant_allocator *allocator,
                               pliant_error *error);
// One more reference, which pli_model_release gives back. Threads may do so side by side.
void pli_model_retain(const pliant_model *model);
void pli_model_release(const pliant_model *model);

#endif
