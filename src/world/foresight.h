// Pairs that may come to touch, found once for many substeps; and who is looked at when they are searched. See
// find_pairs.c, foresight.c, searched.c.

#ifndef PLIANT_WORLD_FORESIGHT_H
#define PLIANT_WORLD_FORESIGHT_H

#include <pliant/world.h>

#include "collide/broad.h"

typedef struct body body;

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

// Particles that a search for pairs looks at: see searched.c.
typedef struct searched_particles {
    sphere_run *runs; // rising
    int run_count, run_capacity;
    int count; // of particles
} searched_particles;

// Pairs of particles, all bodies together. What is foreseen is to be forgotten when particles come or go, or when some
// that could not touch now can.
void pli_forget_foresight(pliant_world *world);
// Who is looked at when pairs are searched: all who are awake and can touch something, and sleepers near them; true when
// somebody is new among them; …
bool pli_choose_searched(pliant_world *world);
// … more sleepers, that foreseen ways come near to; true when there are any; …
bool pli_extend_searched(pliant_world *world);
// … whether a sleeper that was left out is near a sphere; …
bool pli_misses_sleeper(pliant_world *world, const broad_sphere *sphere);
// … and whether nothing ever touches a body as it is.
bool pli_is_left_out(const body *b);

#endif
