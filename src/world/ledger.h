// The account of what constraints may give. See ledger.c.

#ifndef PLIANT_WORLD_LEDGER_H
#define PLIANT_WORLD_LEDGER_H

#include <pliant/world.h>

#include "math/mat3.h"

typedef struct body body;
typedef struct substep substep;

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
    double fall;   // J, that this motion loses besides to gravity and forces when it stops
    // How all of it moves, where nothing holds it: about the root's origin, see ledger.c
    vec3 centre, velocity, spin;
    vec3 momentum, turned; // per mass: of all, and what constraints added to it
    sym3 inertia;
    bool is_held;        // by something that does not give way
    bool is_believed;    // a motor drives it, or nobody knows what its constraints hold
    float drive, bounce; // the most
} island_ledger;

bool pli_reserve_gifts(pliant_world *world, const pliant_model *model);
// Spins as predicted, before they change: velocities are kept by the kernel that changes them.
void pli_keep_spins(const substep *s, const body *b);
// What has been given when all has settled, before restitution.
void pli_weigh(const substep *s, body *b);
// A mass was moved without speed.
void pli_note_lift(const pliant_world *world, body *b, float mass, vec3 way);
// An impulse (kg m) of what a caller moves by `way` in the substep.
void pli_note_drive(const substep *s, body *b, vec3 impulse, vec3 way, float restitution);
// m/s, t a / 2 of a particle.
vec3 pli_half_fall(const substep *s, const body *b, int k);
// Nobody knows what the body's constraints hold.
void pli_doubt_ledger(body *b);
// At the end of the substep, for all bodies together: what was given from nowhere is taken back.
void pli_balance_ledgers(const substep *s);

#endif
