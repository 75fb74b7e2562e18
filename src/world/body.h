// A body in a world: its state, its rest data, its masses.

#ifndef PLIANT_WORLD_BODY_H
#define PLIANT_WORLD_BODY_H

#include <pliant/world.h>

#include "landing.h"
#include "ledger.h"
#include "storage.h"
#include "turning.h"

#include "math/box.h"
#include "model/model.h"

// m; a body with a particle further than this from the origin, along an axis, is frozen.
#define LARGEST_COORDINATE 1e6f

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
    turn_account turning;        // in this substep
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
    bool is_carried;      // touches a collider that moves, in this substep
    bool is_attached;     // in this step; first_attachment of its particles holds only then
    int saturated_groups; // elastic ones that substeps of this length and iterations hold too softly
    float unsaturated_length; // s, the longest substep in which none would be; 0: any
    bool has_alphas;          // those of its groups and edges are of the world's alpha_h, or were
} body;

// Large bodies run one after another, each on all threads; the others run side by side.
static inline bool is_large(const body *b)
{
    return b->model->blocks.count > 1;
}

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

// Of the form of a body's particle, by the model's index.
static inline float pli_largest_radius(const body *b, int particle)
{
    return b->model->sizes[particle].largest;
}

static inline float pli_smallest_radius(const body *b, int particle)
{
    return b->model->sizes[particle].thinnest;
}

// NULL when there is no such thing, or no world. Calls that refuse those use calls.h.
body *pli_world_body(const pliant_world *world, pliant_body_id id);
// All memory that one more body takes in `world`, by a call or with a snapshot, beside those of `others`: the same world, or one of which only the
// tables are there. False when memory runs out.
bool pli_reserve_body(pliant_world *world, const pliant_world *others, const body *b, int slot);
// Gives a body its ranges, behind all others'; and its particles what they have of it and of its model.
void pli_assign_ranges(pliant_world *world, body *b);
void pli_own_particles(pliant_world *world, int slot);
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
// What a body goes back to when its numbers turn bad, and whether they have; speeds beyond the limit are cut there, too.
void pli_remember_good_state(pliant_world *world, body *b);
bool pli_has_bad_numbers(pliant_world *world, body *b);
void pli_freeze(pliant_world *world, body *b);

#endif
