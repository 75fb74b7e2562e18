// What a world holds, and the stages of a step.

#ifndef PLIANT_WORLD_WORLD_H
#define PLIANT_WORLD_WORLD_H

#include <pliant/world.h>

#include "collide/broad.h"
#include "collide/friction.h"
#include "collide/tree.h"
#include "fast/kernels.h"
#include "math/box.h"
#include "math/quat.h"
#include "model/model.h"
#include "solve/contacts.h"
#include "solve/edges.h"
#include "solve/groups.h"
#include "solve/pairs.h"
#include "storage.h"

#include <stdatomic.h>

// m; a body with a particle further than this from the origin, along an axis, is frozen.
#define LARGEST_COORDINATE 1e6f

// Two particles near each other, of two bodies or of one, that are not solved in a batch (see pair_kind). For the time of
// a substep a plane is between them (single_pairs.c). As for colliders, impulses add up.
typedef struct pair_contact {
    int32_t a, b;          // particles of the world, a < b
    vec3 between;          // from a to b before either has moved on from the predicted drift
    vec3 normal;           // unit, of the plane, from a to b
    vec3 arm, arm_b;       // from a's and b's centre to where they touch
    float gap;             // m, along the normal before the substep; < 0 overlaps
    float slack;           // m, overlap that is not pushed out in this substep
    float rebound;         // m/s, with which they must part
    float approach;        // m/s, towards each other before the substep
    float normal_impulse;  // kg m, >= 0
    float pushed_out;      // kg m, of that, which leaves no speed behind
    vec3 friction_impulse; // on a
    bool has_begun;        // all of this is known
    bool is_apart;         // they do not meet in this substep
    bool hits;             // touches as predicted
    bool is_deep;          // before the substep
    bool is_held;   // by so much that it is pushed out only where nothing presses it together
    bool is_let_go; // its bodies are entangled
    bool lands;     // hits so hard that the restitution of its bodies counts (landing.c)
} pair_contact;

enum { PAIR_COLOURS = 64 };

// Where a found pair is solved: of which colour, and how many of its kind and colour come before.
typedef struct pair_place {
    int32_t colour, rank;
} pair_place;

// Pairs of one kind and colour: the first one's batch or number among singles, and how many there are.
typedef struct pair_list {
    int first, count;
} pair_list;

// Two bodies whose particles overlap, or one that does so with itself: see entangled.c.
typedef struct overlapping_bodies {
    uint64_t key;    // 1 + slot of the first, then that of the second; 0: none
    float depth;     // m, sum of the overlaps, those that have a normal
    float all_depth; // m, of all of them
    vec3 push;       // m, sum of the overlaps along their normals, from the first to the second
    float
        speed; // m²/s, sum of the overlaps times the speeds of the two particles against each other
    int deep_count; // of those that are deep
    bool was_entangled, is_entangled;
    bool is_let_go; // entangled, and their normals cancel out
} overlapping_bodies;

typedef struct entanglement {
    overlapping_bodies *table; // by key, of this substep
    int32_t *used;             // places of the table
    uint64_t *keys;            // of those that are entangled
    int room, most;            // in all of them: powers of two, up to the second
    int used_count, count;     // … of keys
} entanglement;

// Pairs in the order in which they are solved. Those of one colour share no particle, so that they can run
// side by side; singles that found no free colour come last, one after another.
typedef struct pair_work {
    int room, frame_room;  // particles and slots of bodies that there is memory for
    int pair_room;         // pairs, likewise
    body_frame *frames;    // by slot
    uint64_t *used;        // per particle: the colours of its pairs
    pair_place *places;    // per found pair
    pair_batch *batches;   // fast ones by colour, then the others by colour
    pair_contact *singles; // in the same memory, after the batches of this substep
    pair_list lists[PAIR_KINDS][PAIR_COLOURS + 1];
    int fast_count, batch_count; // batches
    int single_count, colour_count;
} pair_work;

// The most pairs per particle that are looked at: spheres of one size have at most 12 neighbours, half of a
// pair belongs to each, and the rest is for sizes that differ. Room is made for those that there are.
enum { PAIRS_PER_PARTICLE = 12 };

// The most contacts with colliders: so many per particle and so many more per body. A particle in a
// corner touches three faces.
enum { CONTACTS_PER_PARTICLE = 4, CONTACTS_PER_BODY = 12 };

// How a body is to leave a collider that it has hit: see landing.c.
typedef struct landing {
    vec3 normal;      // unit, out of the collider
    float approach;   // m/s at which it came; 0: it has hit none
    float speed;      // m/s at which it shall leave, at least
    float energy;     // J of its motion as it came: it leaves with no more
    float last;       // m/s, along the normal, at the end of the last substep
    float left;       // s until it is no landing any more
    int32_t is_rigid; // 1 where it hit with what is rigid: then it leaves no faster either
} landing;

// The same of two bodies, seen from the first; the normal leads from it to the second.
typedef struct pair_landing {
    int32_t first, second; // slots
    landing landing;
} pair_landing;

typedef struct landing_list {
    pair_landing *at;
    int room, count;
} landing_list;

// What a body's constraints may give: see ledger.c. State, without padding.
typedef struct account {
    double store; // J, that they have taken and may give back
    double gifts; // J, that the body got of late from nowhere
    double net;   // J, that constraints gave of late, and what they took
    // Since the account was last looked through, and between that and the time before
    double least, least_before; // J, in store
    float peak, peak_before;    // J, of motion
    float since;                // s
    float unknown_left;         // s in which they may give anything: nobody knows what they hold
    int32_t is_moved;           // 1 where a caller has moved pinned particles
    int32_t unused;
} account;

// What a body's constraints gave in this substep.
typedef struct ledger {
    double given, lifted; // J
    double driven;        // J, of what was given, by what a caller moves
    double motion;        // J, of its particles' velocities
    bool is_anchored;     // by an attachment to something that does not give way
    float drive;          // m/s, of what a caller moves and what pushes or pulls it
    float bounce;         // restitution of that
} ledger;

// All of an island's, with its root.
typedef struct island_ledger {
    double stores, given, lifted, gifts;
    double savings; // J, of those who have some left when they have paid for themselves
    double mass, motion;
    double energy; // J, of the motion that it can pay with
    // How all of it moves, where nothing holds it: about the root's origin, see ledger.c
    vec3 centre, velocity, spin;
    vec3 momentum;
    sym3 inertia;
    bool is_held;        // by something that does not give way
    bool is_believed;    // a motor drives it, or nobody knows what its constraints hold
    float drive, bounce; // the most
} island_ledger;

typedef struct body {
    const pliant_model *model;
    rest own_rest;       // empty while the model's serves, see pli_body_rest
    uint32_t generation; // of the slot; an id with another one is stale
    bool is_alive, is_frozen, is_asleep;
    bool has_before;     // x_good and turn_good are where it was before the last step
    bool is_placed;      // asleep, and what others see of it (start, move, drift) is in place
    float calm_time;     // s since its particles were last faster than the world's sleep_speed
    float nowhere_time;  // s since it last got anywhere (follow_whereabouts)
    float idle_time;     // s in which only gifts have moved its island (follow_gifts)
    float was_high;      // m, against gravity, when it last sank or rose
    quat was_turn;       // of its first particle then
    int32_t island;      // of those that fell asleep together, the first one's slot
    bool just_woke;      // in this substep: it has not been predicted yet
    int32_t parent;      // towards the root of its island (fall_asleep)
    bool island_is_calm; // of a root (fall_asleep)
    double island_motion, island_gifts, island_net; // J, of a root (fall_asleep)
    bool gyroscopic, self_collision;
    int pinned_count; // particles
    uint32_t layers, mask;
    union { // of its ranges in the world's arrays (storage.h)
        int firsts[STORAGE_KINDS];
        struct {
            WORLD_KINDS(STORAGE_FIRST)
        };
    };
    // Range in the world's contacts and the list beside them, and where its batches begin: see contact_room.c
    int contact_first, contact_room, contact_batch_first;
    float plane_reach; // m from a plane to the centre of a particle that is watched, at most
    float box_reach;   // m from its centre to what is watched around any of them
    // Of the particles' ways in this substep, with that around them (predict); then of where they are (end_body).
    box bounds;
    int32_t leaf_plus_one; // of the tree of bodies; 0: it is not there yet
    float pair_margin;     // m around its bounds, of what is watched around particles for pairs
    // It is among those that a search for pairs looks at, and was so before the last choice (searched.c).
    bool is_searched, was_searched;
    vec3 origin;       // of `start`, world space (start)
    vec3 drift;        // mean way in this substep, m (predict)
    vec3 parting;      // m, that it moves out of others in this substep (entangled.c)
    bool is_entangled; // with any, itself among them
    float linear_rate, angular_rate, shape_rate; // damping, 1/s
    float gravity_scale, friction, restitution;
    float stiffness_scale; // of the rates of stiffness
    float solved_scale;    // … as of the last step
    landing landing;
    account account;
    ledger ledger;
    island_ledger island_ledger; // of a root
    vec3 coming; // m/s of its centre of mass as predicted, in worlds where something bounces
    float coming_energy; // J, of all its particles then
    vec3 force;          // N, for the next step, shared by mass
    bool has_forces;     // some of its particles may have one, too
    void *user_data;
    // What the last step found.
    int contact_count, touching_count, rescue_count;
    int contact_batch_count;             // of those that answer as points
    int lone_contact_count;              // of the others, which the list names
    int contacts_found, contacts_wanted; // and those that there should be room for
    bool looks_again; // for contacts in this substep, when there is room for those wanted
    bool went_bad;
    bool is_limited; // some of its particles were as fast as may be
    bool is_solved;  // in this substep, in a wave
    int dropped_contacts;
    bool is_carried;  // touches a collider that moves, in this substep
    bool is_attached; // in this step; first_attachment of its particles holds only then
    bool has_alphas;  // those of its groups and edges are of the world's alpha_h, or were
} body;

typedef struct collider {
    const pliant_shape *shape;
    pliant_pose pose; // at the start of the substep
    pliant_pose next; // where it is when its time has passed
    pliant_pose end;  // where it would be at the end of the length for which it is solved
    vec3 linear_velocity, angular_velocity;
    pliant_pose target; // where it goes in the next step
    bool has_target;
    bool is_plane;
    float friction, restitution;
    uint32_t layers, mask;
    void *user_data;
    uint32_t generation;
    bool is_alive;
    bool is_settled; // nothing of it has changed since the last step, and nothing will by itself
    int32_t leaf;    // of the tree of colliders; none of a plane
    box bounds;      // in this substep, but for planes
} collider;

// Two bodies, or a body and a collider, that push each other in a step. Many are looked up: where they touch is kept
// elsewhere.
typedef struct touching {
    uint64_t
        key;     // slot of the first body, then that of the other or of the collider, see touches.c
    float speed; // m/s, the fastest approach
    int32_t push; // number of the pair that had it in this substep, -1: none
} touching;

// Of a key: the second is a collider.
#define COLLIDER_BIT ((uint64_t)1 << 31)

static inline bool touches_collider(const touching *t)
{
    return t->key & COLLIDER_BIT;
}

// By which the entries are sorted.
typedef struct touch_order {
    uint64_t key;
    int32_t entry;
} touch_order;

typedef struct touch_list {
    touching *now;
    pliant_contact *contacts; // of those: where they approach each other fastest
    uint64_t *before;         // keys of the step before, rising
    uint64_t *merged;         // the same while it is made
    touch_order *order;
    int32_t *table; // 2 · room: finds entries of `now` by key
    pliant_event *events;
    // Room follows what touches: entries of `now` up to the most, keys of the step before, events
    int room, most, key_room, event_room;
    int now_count, before_count, event_count, dropped;
    int next_batch, next_single; // pairs that are still to be noted in this substep
    bool is_full;                // there is no more room to be had in this step
} touch_list;

typedef struct attachment {
    pliant_attachment_def def; // its length is never negative
    uint32_t generation;
    uint32_t removed; // generation of the last one of this slot that a call has removed; 0: none
    bool is_alive;    // its id is valid
    float rate;       // 1/s², of the stiffness law; < 0 means rigid
    vec3 anchor,
        target;      // where it is held and where that goes, in its collider's axes or the world's
    bool has_target; // it is on its way there
    float force;     // N of the last substep, > 0 pulls
    // In this step
    int32_t ends[2]; // particles of the world; -1: a point that does not give way
    int32_t next[2]; // of each end's particle, as first_attachment
    vec3 point;      // world space, what stands for an end of -1
    float alpha;
    // In this substep
    vec3 point_way;     // of the point
    vec3 start;         // from end 0 to end 1 as the substep began
    vec3 between;       // the same before either has moved on from the predicted drift
    float start_excess; // m beyond the length at that time
    float impulse;      // kg m, > 0 pulls
} attachment;

// Pairs that may come to touch, found once for many substeps: see find_pairs.c. No state: what a step does is the same
// with it and without.
typedef struct foresight {
    bool
        is_known; // there are pairs and spheres; nothing has changed that they depend on, but for places
    int length;     // substeps that it is made for; 0: nothing is known of what would pay
    int64_t cost;   // checks in a substep of the one before, if that was shorter; 0: it was not
    int content;    // so many are made before a greater length is tried
    int pause;      // substeps to go without: the last one was of no use
    int age;        // substeps it has been used in
    int mended;     // particles that have got new spheres
    int64_t checks; // of pairs, in all these substeps
    int pair_count;
    particle_pair *pairs;  // as many as there is room for in found_pairs
    broad_sphere *spheres; // per particle
    int32_t *kept;         // per task
} foresight;

// Slots, rising.
typedef struct slot_list {
    int32_t *slots;
    int count, capacity;
} slot_list;

// Models or shapes that a world knows, in the order of their identities: one of each, with a reference (known.c).
typedef struct known_asset {
    uint64_t identity;
    const void *asset;
    bool is_used; // scratch of pliant_world_forget_unused
} known_asset;

typedef struct known_list {
    known_asset *at;
    int count, capacity;
} known_list;

// Particles that a search for pairs looks at: see searched.c.
typedef struct searched_particles {
    sphere_run *runs; // rising
    int run_count, run_capacity;
    int count; // of particles
} searched_particles;

struct pliant_world {
    pliant_world_def def;
    pliant_allocator allocator;
    const kernels *kernels;
    pliant_profile profile;

    body *bodies; // slots; removed ones are used again
    int body_slot_count, body_slot_capacity;
    int *active; // slots of living bodies in rising order
    int active_count, active_capacity;
    int lowest_free_body; // no slot below it is free
    box_tree body_tree;   // see body_tree.c

    collider *colliders;
    int collider_slot_count, collider_slot_capacity;
    int lowest_free_collider;
    box_tree collider_tree; // of all but planes
    slot_list planes;
    slot_list fields; // heightfields: in the tree, too, but below them is inside, however deep
    int32_t *movers;  // slots of colliders that are not settled, of this step
    int mover_count, mover_capacity;

    known_list known_models, known_shapes; // from which snapshots bring things back

    attachment *attachments; // slots
    int attachment_slot_count, attachment_slot_capacity;

    // Arrays in which bodies have ranges (storage.h).
#define WORLD_ARRAY(type, name, lifetime) type *name;
#define WORLD_ARRAYS(kind, arrays, count) arrays(WORLD_ARRAY)
    WORLD_KINDS(WORLD_ARRAYS)
#undef WORLD_ARRAYS
#undef WORLD_ARRAY
    union { // elements of all bodies
        int counts[STORAGE_KINDS];
        struct {
            WORLD_KINDS(STORAGE_COUNT)
        };
    };
    int capacities[STORAGE_KINDS];

    contact *contacts; // a range for each body
    int32_t *
        contact_list; // one for each contact: scratch while they are found, then those solved one by one
    contact_batch *contact_batches; // a range for each body
    int contact_capacity, contact_batch_capacity;
    int contact_end, contact_batch_end; // of what is in ranges of bodies

    broad_phase broad;
    // Around the particles' ways in a substep, and what decides which of those meet. Where few pairs are foreseen
    // they are kept up for the particles in these alone (find_pairs).
    broad_sphere *way_spheres;
    pair_end *pair_ends;
    particle_pair *found_pairs; // see found_pair
    foresight foresight;
    searched_particles searched; // of this substep, or while something is foreseen
    vec3 together;               // m, mean way in this substep (find_pairs)
    int pair_room;               // particles that these have room for, …
    int found_room;              // … and pairs: it follows what is found (find_pairs.c)
    int32_t *block_work;         // BLOCK_WORK for each block of a large body (wave.c)
    int block_room;
    struct particle_gifts *gifts; // of each range of a large body's particles (ledger.c)
    int gift_room;
    pair_work pair_work;
    entanglement entangled;
    landing_list landings;
    int pair_count, touching_pairs, dropped_pairs;

    touch_list touches;
    float force_of_impulse; // 1/s², from position-level impulses to forces, of the last substep

    // s, for which substeps are solved: def.substep_length, or on the way there (follow_quality)
    float substep_length;
    float alpha_h; // substep and iterations for which the alphas hold; 0: none
    int alpha_iterations;

    double time;
    uint64_t steps, refused_steps;
    float shortened_by;      // s, of the last step
    double left_over;        // s, by pliant_world_advance
    atomic_size_t bad_calls; // no state: see calls.c
};

// What the stages need to know about the current substep.
typedef struct substep {
    pliant_world *world;
    float h;          // s, for which it is solved
    float time;       // s, that pass in it: h, but in a partial substep (partial.c)
    float part;       // time / h
    int iterations;   // solver passes
    int iteration;    // … of which this is the number
    bool has_bounces; // something has restitution
    int count;        // substeps of this step
    int remaining;    // … of which so many are left, this one included
    double began;     // s by the world's clock, when the step began
    double clocked;   // … and when the time was last taken
} substep;

static inline bool is_partial(const substep *s)
{
    return s->part != 1.0f;
}

// Runs a task for each index through the world's parallel_for, or one after another without one.
void pli_run_tasks(const pliant_world *world, int count, pliant_task *task, void *context);
// Large bodies run one after another, each on all threads; the others run side by side.
static inline bool is_large(const body *b)
{
    return b->model->blocks.count > 1;
}
// Runs a task for each index, side by side if the body is large: another one is itself a task among many.
void pli_run_body_tasks(const pliant_world *world, const body *b, int count, pliant_task *task,
                        void *context);
// Runs task(block, context) for the blocks of a body's model, those of one colour side by side if it is large.
void pli_run_blocks(const pliant_world *world, const body *b, pliant_task *task, void *context);
// Runs task(context, first, end) for all of a body's particles or, if it is large, for ranges of them side by side. A range
// has so many, a multiple of eight, the width of the kernels; what is done with it stays in a cache.
enum { RANGE_PARTICLES = 2048 };
// How many ranges a large body has.
static inline int particle_ranges(const pliant_model *model)
{
    return (model->source.particle_count + RANGE_PARTICLES - 1) / RANGE_PARTICLES;
}
typedef void particle_task(void *context, int first, int end);
void pli_run_particles(const pliant_world *world, const body *b, particle_task *task,
                       void *context);

// What comes into a world, by a call or with a snapshot.
//
// All memory that one more body takes in `world`, beside those of `others`: the same world, or one of which only the
// tables are there. False when memory runs out.
bool pli_reserve_body(pliant_world *world, const pliant_world *others, const body *b, int slot);
bool pli_reserve_colliders(pliant_world *world, int slots);
// Puts a collider, or a free slot, in place of what is in a slot.
void pli_replace_collider(pliant_world *world, int slot, const collider *with);
// Gives a body its ranges, behind all others'; and its particles what they have of it and of its model.
void pli_assign_ranges(pliant_world *world, body *b);
void pli_own_particles(pliant_world *world, int slot);

// NULL when there is no such thing, or no world. Calls that refuse those use calls.h.
body *pli_world_body(const pliant_world *world, pliant_body_id id);
collider *pli_world_collider(const pliant_world *world, pliant_collider_id id);
// What snapshots name: the world keeps one of each identity until it is told to forget what is not used. False when memory
// runs out.
bool pli_know_model(pliant_world *world, const pliant_model *model);
bool pli_know_shape(pliant_world *world, const pliant_shape *shape);
// The model with this identity or, without one, a model that moves in the same way; the shape with this fingerprint. NULL
// when the world does not know any.
const pliant_model *pli_known_model(const pliant_world *world, uint64_t identity,
                                    uint64_t fingerprint);
const pliant_shape *pli_known_shape(const pliant_world *world, uint64_t fingerprint);
void pli_free_known(pliant_world *world);
// Shared checks of definitions.
pliant_result pli_check_world_def(const pliant_world_def *def, pliant_error *error);
pliant_result pli_check_range(pliant_error *error, const char *what, float value, float low,
                              float high);
pliant_result pli_check_vector(pliant_error *error, const char *what, vec3 v);
pliant_result pli_check_motion(pliant_error *error, pliant_pose pose, vec3 linear, vec3 angular);
pliant_result pli_check_surface(pliant_error *error, float friction, float restitution);
pliant_result pli_check_attachment(const pliant_world *world, const pliant_attachment_def *def,
                                   pliant_error *error);
// That there is such a body with such a particle; the fields are their names for an error.
pliant_result pli_check_particle(const pliant_world *world, pliant_body_id id, int particle,
                                 const char *body_field, const char *particle_field,
                                 pliant_error *error);
// The rest data that hold for a body: its own or its model's.
const rest *pli_body_rest(const body *b);
// 1/s, from the part of a velocity lost in a second.
float pli_damping_rate(float lost_per_second);
// Whether a model pins a particle from the start.
static inline bool pli_is_pinned_in(const pliant_model *model, int particle)
{
    return (model->source.particles[particle].flags & PLIANT_PARTICLE_PINNED) != 0;
}
// inverse_mass of a body's particles, and how many are pinned, from their pins.
void pli_body_update_masses(pliant_world *world, body *b);
// Whether the body's rest data are state, because a dent or creep changes them.
bool pli_body_is_plastic(const body *b);
rest_pose pli_body_rest_pose(const pliant_world *world, const body *b);
// p of the body's particles, or NULL when its model has no dents.
const quat *pli_body_rest_turns(const pliant_world *world, const body *b);
// Puts back the rest data of the model, for the body's pins.
void pli_body_forget_dents(pliant_world *world, body *b);
// Gives a body rest data of its own, for its pins, unless it has some. False when memory runs out.
bool pli_body_own_rest(pliant_world *world, body *b);
// Fits all its groups to its pins, then.
void pli_body_refit(pliant_world *world, body *b);

// The stages of one body's substep, each in a file of its own.
void pli_start(const substep *s, body *b);
void pli_predict(const substep *s, body *b);
// One body's arrays as the kernels see them, so that particle indices are the model's.
particle_span pli_particle_span(const substep *s, const body *b);
group_span pli_group_span(const pliant_world *world, const body *b);
edge_span pli_edge_span(const pliant_world *world, const body *b);

// What a body goes back to when its numbers turn bad, and whether they have; speeds beyond the limit are cut there, too.
void pli_remember_good_state(pliant_world *world, body *b);
bool pli_has_bad_numbers(pliant_world *world, body *b);
void pli_freeze(pliant_world *world, body *b);
// Called by pli_start, when it is known where everything is.
void pli_damp_deformation(const substep *s, const body *b);
void pli_find_contacts(const substep *s, body *b);
// The box around the ways of a body's particles.
void pli_bound_body(const pliant_world *world, body *b);
// What the batches of a block need.
typedef struct block_extent {
    int32_t first_batch, batch_count;
    int32_t first_row, row_count;
} block_extent;

block_extent pli_block_extent(const pliant_model *model, int block);
// All iterations at once; false when it is not a body for that.
bool pli_solve_in_wave(const substep *s, body *b);
void pli_solve_contacts(const substep *s, const body *b);
// Those in batches, of one block.
void pli_solve_block_contacts(const substep *s, const body *b, int block);
// After the last iteration: impulses are known, and surfaces that were missed are found.
void pli_finish_contacts(const substep *s, body *b);
// A group's shape as the solver left it: c relative to where its first member started, and R.
typedef struct group_fit {
    vec3 reference, centre;
    quat rotation;
} group_fit;

group_fit pli_fit_group(const pliant_world *world, const body *b, int index);
// Where a member is in that shape: Rᵀ(x - c).
vec3 pli_place_in_fit(const pliant_world *world, const body *b, const group_fit *fit,
                      int32_t member);
// Groups that were hit let go, before the hit is solved; those that have been loose for long enough take
// their new shape. All bodies.
void pli_loosen_groups(const substep *s);
void pli_absorb_dents(const substep *s);
// At the end of a step: rest shapes follow what is deformed beyond its yield strain.
void pli_creep(const substep *s, const body *b);
// Room for contacts of bodies that have found more than they had room for; these look again. When memory runs out, what
// has no room is dropped and counted.
void pli_make_contact_room(const substep *s, void (*look_again)(const substep *s, body *b));
void pli_free_contacts(pliant_world *world);
// Colliders, all together: to where they are at the end of the substep; after the last one.
void pli_advance_colliders(const substep *s);
void pli_settle_colliders(pliant_world *world);
bool pli_collider_moves(const collider *c);
// At the beginning of a step: which of them are not settled.
void pli_list_movers(pliant_world *world);
// After a collider was placed otherwise.
void pli_place_collider(pliant_world *world, int slot);

// Slots of colliders that may be near something, rising: planes, and those whose boxes overlap with its own. When they are
// too many, all there are.
enum { MOST_NEAR_COLLIDERS = 64 };
typedef struct near_colliders {
    int count;
    bool is_all;
    int32_t slots[MOST_NEAR_COLLIDERS];
} near_colliders;

void pli_find_near_colliders(const pliant_world *world, const box *bounds, near_colliders *near);

static inline int near_collider(const near_colliders *near, int k)
{
    return near->is_all ? k : near->slots[k];
}
// By their layers and masks.
bool pli_collider_meets(const collider *solid, const body *b);
// Pairs of particles, all bodies together. What is foreseen is to be forgotten when particles come or go, or when some
// that could not touch now can.
void pli_forget_foresight(pliant_world *world);
void pli_find_pairs(const substep *s);
// Who is looked at when pairs are searched: all who are awake and can touch something, and sleepers near them; true when
// somebody is new among them; …
bool pli_choose_searched(pliant_world *world);
// … more sleepers, that foreseen ways come near to; true when there are any; …
bool pli_extend_searched(pliant_world *world);
// … whether a sleeper that was left out is near a sphere; …
bool pli_misses_sleeper(pliant_world *world, const broad_sphere *sphere);
// … and whether nothing ever touches a body as it is.
bool pli_is_left_out(const body *b);
void pli_begin_pairs(const substep *s);
void pli_solve_pairs(const substep *s);
void pli_order_pairs(const substep *s);
void pli_settle_pairs(const substep *s);
// Bodies that are deep in each other. They are told, and let go, before pairs are solved; and moved apart at the end.
bool pli_reserve_entangled(pliant_world *world, int bodies);
bool pli_reserve_entangled_keys(pliant_world *world, int keys);
void pli_free_entangled(pliant_world *world);
void pli_find_entangled(const substep *s);
void pli_part_entangled(const substep *s);
void pli_forget_entangled(pliant_world *world, int slot);
// Attachments, all together; the first once a step.
void pli_begin_attachments(const substep *s);
void pli_start_attachments(const substep *s);
void pli_solve_attachments(const substep *s);
void pli_settle_attachments(const substep *s);
bool pli_is_attached(const pliant_world *world, pliant_body_id id);
// m at which an attachment holds two particles from each other, or -1.
float pli_attached_length(const pliant_world *world, int i, int j);
void pli_drop_body_attachments(pliant_world *world, pliant_body_id id);
void pli_drop_collider_attachments(pliant_world *world, pliant_collider_id id);
// What finding and solving pairs needs for particles and slots of bodies, however many pairs there are. False when memory
// runs out.
bool pli_reserve_pairs(pliant_world *world, int particles);
bool pli_reserve_pair_work(pliant_world *world, int particles, int bodies);
void pli_free_pair_work(pliant_world *world);
// The part of a body's forms that never changes.
void pli_describe_forms(pliant_world *world, const body *b);
void pli_free_pairs(pliant_world *world);
// Touches and events.
bool pli_reserve_touches(pliant_world *world, int bodies);
// Room for keys of the step before. False when memory runs out.
bool pli_reserve_touch_keys(pliant_world *world, int keys);
void pli_free_touches(touch_list *list, const pliant_allocator *allocator);
void pli_begin_touches(pliant_world *world);
// Which pairs push whom, when all are solved: in a task, as far as there is room, and the rest when there may be more. Then,
// when particles are where they come to, who touches whom.
void pli_note_pairs(const substep *s);
void pli_note_pairs_left(const substep *s);
void pli_note_touches(const substep *s);
void pli_note_event(pliant_world *world, const pliant_event *event);
void pli_end_touches(pliant_world *world);
void pli_forget_body_touches(pliant_world *world, int slot);
// Whether there are bodies in both slots; whether a key of the step before, or of entangled bodies, names two that are there.
bool pli_are_bodies(const pliant_world *world, int64_t first, int64_t second);
bool pli_touch_is_known(const pliant_world *world, uint64_t key);
bool pli_entangled_are_known(const pliant_world *world, uint64_t key);
void pli_forget_collider_touches(pliant_world *world, int slot);
// Contacts and pairs of the last substep, when what they name has changed.
void pli_forget_contacts(pliant_world *world);
// Sleeping.
void pli_wake_body(pliant_world *world, body *b);
// When they touch and one of them sleeps: returns whether.
bool pli_wake_by_touch(pliant_world *world, body *first, body *second);
void pli_wake_all(pliant_world *world);
// Wakes what something that comes or goes may bear: sleepers that reach into a box.
void pli_wake_near(pliant_world *world, const box *reach);
// Around a body's particles, wherever they are, and what is watched around them.
box pli_body_box(const pliant_world *world, const body *b);
// The tree of bodies: where a body is, after a caller has placed it; that its box reaches to a particle that a caller has
// placed; that it is no more. At the end of a step, when their bounds tell where they are: who has left the box.
void pli_place_body(pliant_world *world, body *b);
void pli_reach_particle(pliant_world *world, body *b, int particle);
// What is watched for pairs around a body on its way through a substep.
box pli_pair_box(const body *b);
void pli_unplace_body(pliant_world *world, body *b);
void pli_follow_bodies(pliant_world *world);
// Calls for each body whose box may overlap with this one.
typedef void near_body_task(pliant_world *world, body *b, void *context);
void pli_for_near_bodies(pliant_world *world, const box *bounds, near_body_task *task,
                         void *context);
// Wakes sleepers that a moving collider comes to; places the others for this step.
void pli_begin_sleepers(pliant_world *world, float dt);
// Wakes sleepers that an awake body's particles have come to; true when there were any.
bool pli_wake_touched(const substep *s);
// Wakes sleepers that the solver has pushed an awake body into; true when there were any.
bool pli_wake_pushed(const substep *s);
void pli_fall_asleep(pliant_world *world, float dt);
// Whether a motor turns any of its hinges.
bool pli_has_motors(const pliant_world *world, const body *b);
// Whether a body takes part in the step.
static inline bool is_still(const body *b)
{
    return b->is_frozen || b->is_asleep;
}
// 1/kg of a body that is pushed as a whole; 0 of one that stands still or is held somewhere.
static inline double pli_whole_answer(const body *b)
{
    return b->pinned_count > 0 || is_still(b) ? 0.0 : 1.0 / b->model->mass;
}
// One party of a contact at `arm`: see answers_rigidly for when it turns.
contact_side pli_contact_side(const pliant_world *world, const body *b, int i, const mat3 *R,
                              vec3 arm);
// How far the material point at `arm` of a particle has moved in this substep.
vec3 pli_contact_way(const pliant_world *world, const body *b, int i, vec3 arm);
// Adds an impulse to the sum of a contact's friction, within Coulomb's cone of half width `most`, and
// returns how much of it fits.
vec3 pli_limit_friction(vec3 *sum, vec3 impulse, float most);
// Changes a particle's velocity and spin by an impulse (N s) at its contact.
void pli_change_velocity(pliant_world *world, int i, const contact_side *side, vec3 impulse);
// Moves (and turns) a particle by a position-level impulse at its contact.
void pli_apply_impulse(pliant_world *world, int i, const contact_side *side, vec3 impulse);
void pli_update_velocities(const substep *s, const body *b);
// Of a partial substep only that part of what was solved happens. All bodies, when everything has settled.
void pli_take_part(substep *s);
void pli_settle_contacts(const substep *s, body *b);
// When velocities are known and part of a partial substep is taken: what is deep in a collider is pushed out, and speed that
// moves nothing is taken from what touches one. …
void pli_hold_at_surfaces(const substep *s, body *b);
// … Restitution of bodies, …
void pli_land(const substep *s, body *b);
// … of two that have hit each other, all together.
void pli_land_pairs(const substep *s);
bool pli_reserve_landings(pliant_world *world, int bodies);
// The ledger of what constraints may give: spins as predicted, before they change (velocities are kept by the kernel that changes
// them); what has been given when all has settled, before restitution; that a mass was moved without speed; that nobody knows
// what constraints hold. At the end of the substep, for all bodies together: what was given from nowhere is taken back.
bool pli_reserve_gifts(pliant_world *world, const pliant_model *model);
void pli_keep_spins(const substep *s, const body *b);
void pli_weigh(const substep *s, body *b);
void pli_note_lift(const pliant_world *world, body *b, float mass, vec3 way);
// An impulse (kg m) of what a caller moves by `way` in the substep.
void pli_note_drive(const substep *s, body *b, vec3 impulse, vec3 way, float restitution);
void pli_doubt_ledger(body *b);
void pli_balance_ledgers(const substep *s);
bool pli_has_bounces(const pliant_world *world);
bool pli_hits_hard(const pliant_world *world, const body *b);
void pli_note_coming(const pliant_world *world, body *b);
void pli_forget_landings(pliant_world *world, int slot);
// A caller has changed the energy of a body that may be landing: it leaves with as much more, or less.
void pli_change_landings(pliant_world *world, int slot, float energy);

// a + b without loss: the rounded sum and what was rounded off (Knuth).
static inline float exact_sum(float a, float b, float *low)
{
    float sum = a + b;
    float b_part = sum - a;
    *low = (a - (sum - b_part)) + (b - b_part);
    return sum;
}

// Moves a position kept as the sum of two floats.
static inline void advance_position(vec3 *x, vec3 *low, vec3 move)
{
    x->x = exact_sum(x->x, low->x + move.x, &low->x);
    x->y = exact_sum(x->y, low->y + move.y, &low->y);
    x->z = exact_sum(x->z, low->z + move.z, &low->z);
}

// Changes how far a particle has gone in the substep, when velocities are known.
static inline void go_further(pliant_world *world, int i, vec3 way)
{
    world->move[i].way = vec3_add(world->move[i].way, way);
    advance_position(&world->x[i], &world->x_low[i], way);
}

// Of the ellipsoid of a body's particle, by the model's index.
static inline float pli_largest_radius(const body *b, int particle)
{
    vec3 r = b->model->source.particles[particle].radii;
    return maximum(r.x, maximum(r.y, r.z));
}

static inline float pli_smallest_radius(const body *b, int particle)
{
    vec3 r = b->model->source.particles[particle].radii;
    return minimum(r.x, minimum(r.y, r.z));
}

static inline const body *owner_of(const pliant_world *world, int i)
{
    return &world->bodies[world->owner[i]];
}

// From a's centre to b's. Their bodies' origins and starts are differences of nearby numbers.
static inline vec3 start_between(const pliant_world *world, int a, int b)
{
    vec3 origins = vec3_sub(owner_of(world, b)->origin, owner_of(world, a)->origin);
    return vec3_add(origins, vec3_sub(world->start[b], world->start[a]));
}

// s = 1 - exp(-k h²/n): equally stiff whatever the substep and the iterations.
static inline float alpha_of_rate(float rate, float h, int iterations)
{
    if (rate < 0.0f)
        return 1.0f;
    return trig_one_minus_exp(rate * h * h / (float)iterations);
}

// The same with a body's scale of stiffness. What is rigid stays so, whatever the scale.
static inline float scaled_alpha(float rate, const body *b, float h, int iterations)
{
    return alpha_of_rate(rate < 0.0f ? rate : rate * b->stiffness_scale, h, iterations);
}

// Position relative to the body's drifting origin, as it stands in the solver.
static inline vec3 current_position(const pliant_world *world, int i)
{
    return vec3_add(world->start[i], world->move[i].way);
}

#endif
