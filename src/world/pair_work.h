// Pairs of particles in the order in which they are solved.

#ifndef PLIANT_WORLD_PAIR_WORK_H
#define PLIANT_WORLD_PAIR_WORK_H

#include <pliant/world.h>

#include "collide/broad.h"
#include "solve/pairs.h"

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

#endif
