// What a world holds.

#ifndef PLIANT_WORLD_WORLD_H
#define PLIANT_WORLD_WORLD_H

#include <pliant/world.h>

#include "attachment.h"
#include "body.h"
#include "collider.h"
#include "entangled.h"
#include "foresight.h"
#include "known.h"
#include "pair_work.h"
#include "touches.h"

#include "collide/broad.h"
#include "collide/tree.h"
#include "fast/kernels.h"
#include "solve/contacts.h"

#include <stdatomic.h>

// Slots, rising.
typedef struct slot_list {
    int32_t *slots;
    int count, capacity;
} slot_list;

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
    box_tree collider_tree; // of all whose bounds have an end, …
    slot_list endless;      // … and those that are everywhere
    slot_list fields; // heightfields: in the tree, too, but below them is inside, however deep
    int32_t *movers;  // slots of colliders that are not settled, of this step
    int mover_count, mover_capacity;

    known_list known_models, known_shapes; // from which snapshots bring things back

    attachment *attachments; // slots
    int attachment_slot_count, attachment_slot_capacity;
    int lowest_free_attachment;
    turn_plan attachment_turns; // of this step, by slot

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

#endif
