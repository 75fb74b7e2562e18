// What a model holds: the elements as given, and what the solver derives from them.

#ifndef PLIANT_MODEL_MODEL_H
#define PLIANT_MODEL_MODEL_H

#include <pliant/model.h>

#include "core/error.h"
#include "core/memory.h"
#include "math/quat.h"
#include "skin_data.h"

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
    pliant_material material;
    int particle_count, particle_capacity;
    int edge_count, edge_capacity;
    int group_count, group_capacity;
    int member_count, member_capacity;
    int hinge_count, hinge_capacity;
    int vertex_count, vertex_capacity;
    int triangle_count, triangle_capacity;
} elements;

void pliant_elements_free(elements *e, const pliant_allocator *allocator);

// How many constraints stand side by side.
enum { LANES = 8 };
enum { MOST_FAMILIES = 16 };
// From one particle's move or turn to the next one's, in bytes: slots name particles by it, so that reaching them
// takes no multiplication.
enum { SLOT_STRIDE = 16 };

// A shape matching group. Its slots list the members in this order: those whose orientation counts in
// the fit, those that only receive the fitted rotation, the rest. An implicit group's first slot is
// its centre, the only one that is turned.
//
// Slots stand in rows of eight. The members of an explicit group fill rows one after another. Of implicit
// groups eight stand side by side, member k of each in row k: so the slots of one are LANES apart.
//
// The implicit group of a particle in an explicit group that can be dented stands in for that group while it
// is loose, and rests otherwise.
typedef struct group {
    int32_t source; // the explicit group as it was given, or the particle at the centre
    int32_t first_slot, slot_count;
    int32_t slot_room;      // slots that its batch's rows give it: see group_rows
    int32_t stride;         // from one slot to the next
    int32_t first_spread;   // of the oriented ones, which lie side by side
    int32_t oriented_count; // leading slots whose own moment A_i enters the fit
    int32_t turned_count;   // leading slots that get the rotation
    float rate;             // 1/s², the material constant k of the stiffness law; < 0 means rigid
    bool stands_in;
    float dent_speed;               // m/s, 0: never
    float yield_strain, creep_rate; // creep_rate 0: never
} group;

// Constraints that share no particle, one to a lane.
typedef struct batch {
    int32_t first, count; // constraints side by side
    int32_t together;     // batches, from this one on, that share no particle either
} batch;

// A family of constraints in the order in which they are solved: by blocks of the model.
typedef struct batching {
    batch *batches;
    int batch_count;
    int32_t *block_start; // first batch of each block, and the end
    int colour_count;     // the most that a block needed
} batching;

// Where the slots of a batch of implicit groups stand. Lanes without a group repeat the members of the last, slots
// beyond a group's own its centre, with the centre's offset; both have no weight. What they write is the same, or
// written before what is right: so a copy of a lane has to be in one register with its original, be it eight or four
// lanes wide.
typedef struct group_rows {
    int32_t first, count;
    int32_t in_half[2]; // so many of them are enough for lanes 0 to 3, and 4 to 7
} group_rows;

// The order in which the blocks run. Those of one colour share no particle.
typedef struct block_plan {
    int count;
    int32_t *order;
    int32_t *colour;       // of each block
    int32_t *colour_start; // into order, colour_count + 1
    int colour_count;
    int reach; // blocks that share a particle are not further apart than this
} block_plan;

typedef struct edge {
    int32_t a, b;
    float stretch_rate;             // 1/s², < 0 means rigid, 0 means none
    float torsion_rate;             // likewise
    bool twist_only;                // both ends are chain particles
    float yield_strain, creep_rate; // of the length; creep_rate 0: never
} edge;

// Groups of chains are thin: they have at least so much rotation noise (rest.c). It is 7e-7 for a cube, 8e-7 for a
// flat square.
#define THIN_GROUP_NOISE 1.3e-6f

// What holds at rest: fit weights, rest offsets, lengths. A body shares its model's until one of its
// particles is pinned or freed; then it gets its own. One of a plastic model has its own from the start.
typedef struct slot_row {
    float x[LANES], y[LANES], z[LANES]; // o_i = x̄_i - c̄, model axes
    float weight[LANES];                // μ_i / Σ μ
} slot_row;

typedef struct spread_row {
    float xx[LANES], xy[LANES], xz[LANES], yy[LANES], yz[LANES], zz[LANES];
} spread_row;

typedef struct rest_edge {
    float length;             // m
    vec3 direction;           // unit, from a to b
    float inverse_inertia[2]; // of a and b, about the edge (twist) or their mean (full), 1/(kg m²)
} rest_edge;

typedef struct rest {
    slot_row *rows; // of the slots of all groups
    spread_row
        *spreads; // of oriented slots: weight · Ā_i / m_i; of an implicit group's centre also zero
    float *rotation_noise; // per group: rad, how uncertain a fitted rotation is by rounding alone
    float *reach;     // per group: m, how far members are from the first, and from their centre
    bool *is_movable; // per group: false when all members are pinned
    rest_edge *edges; // one per edge
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

// What a particle is to others of any body.
typedef struct pair_traits {
    float reach; // m, how far from its centre they meet it
    float thin;  // m, half its smallest radius
    uint64_t
        excluded; // bit i: it never touches the particle 1 + i after it, see pliant_model_excludes
} pair_traits;

struct pliant_model {
    pliant_allocator allocator;
    elements source;

    // Groups: implicit ones first, in the order of their batches, then explicit ones as given.
    group *groups;
    int implicit_count, group_count;
    batching group_batches; // of the implicit ones
    group_rows *group_rows; // of each batch
    int32_t *slot_offsets;  // SLOT_STRIDE · the particle in each slot
    int row_count;          // of slots, those of implicit groups first
    int spread_row_count;

    edge *edges; // in the order of their batches
    batching edge_batches;
    block_plan blocks;
    int32_t *block_of; // per particle
    bool has_stretch;  // an edge holds its length
    bool has_torsion;
    bool has_dents; // an explicit group can be dented
    bool has_creep; // a group or an edge creeps

    // Families of constraints that there is something to solve of, in the order of pliant_families.
    const struct family *families[MOST_FAMILIES];
    int family_count;

    hinge *hinges; // as given
    int32_t *hinge_members;
    int hinge_member_count;

    sym3 *shapes;       // per particle: R̄ diag(a², b², c²) R̄ᵀ, m², the ellipsoid at rest
    bool *turns_freely; // per particle: no group or torsion ever sets its rotation
    int free_count;     // of those
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
};

// Slot k of a group, and the particle in it.
static inline int32_t group_slot(const group *g, int k)
{
    return g->first_slot + k * g->stride;
}

static inline int32_t slot_particle(const pliant_model *model, int32_t slot)
{
    return model->slot_offsets[slot] / SLOT_STRIDE;
}

static inline int32_t group_member(const pliant_model *model, const group *g, int k)
{
    return slot_particle(model, group_slot(g, k));
}

static inline vec3 rest_offset(const rest *r, int32_t slot)
{
    const slot_row *row = &r->rows[slot / LANES];
    int lane = slot % LANES;
    return (vec3){row->x[lane], row->y[lane], row->z[lane]};
}

static inline void set_rest_offset(rest *r, int32_t slot, vec3 offset)
{
    slot_row *row = &r->rows[slot / LANES];
    int lane = slot % LANES;
    row->x[lane] = offset.x;
    row->y[lane] = offset.y;
    row->z[lane] = offset.z;
}

static inline float *rest_weight(const rest *r, int32_t slot)
{
    return &r->rows[slot / LANES].weight[slot % LANES];
}

// Of oriented slot k of a group.
static inline sym3 rest_spread(const rest *r, const group *g, int k)
{
    const spread_row *row = &r->spreads[(g->first_spread + k) / LANES];
    int lane = (g->first_spread + k) % LANES;
    return (sym3){row->xx[lane], row->xy[lane], row->xz[lane],
                  row->yy[lane], row->yz[lane], row->zz[lane]};
}

static inline void set_rest_spread(rest *r, const group *g, int k, sym3 spread)
{
    spread_row *row = &r->spreads[(g->first_spread + k) / LANES];
    int lane = (g->first_spread + k) % LANES;
    row->xx[lane] = spread.xx;
    row->xy[lane] = spread.xy;
    row->xz[lane] = spread.xz;
    row->yy[lane] = spread.yy;
    row->yz[lane] = spread.yz;
    row->zz[lane] = spread.zz;
}

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

// Whether a group of these particles is thin, before it has slots.
bool pliant_rest_is_thin(const pliant_model *model, const int32_t *members, int count,
                         int oriented_count, const uint8_t *pinned);

// Whether two particles of a model never collide: an edge or a rigid group connects them, or they
// overlap at rest. a < b.
bool pliant_model_excludes(const pliant_model *model, int32_t a, int32_t b);
// Fills excluded_start, excluded and traits. False when memory runs out.
bool pliant_model_find_excluded(pliant_model *model);

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
