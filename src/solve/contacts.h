// Contact with colliders as the kernels see it.

#ifndef PLIANT_SOLVE_CONTACTS_H
#define PLIANT_SOLVE_CONTACTS_H

#include "constraints.h"
#include "math/box.h"
#include "math/quat.h"
#include "particles.h"

// Surfaces nearer than this part of the largest radius are watched: the solver may bring them together.
#define CONTACT_MARGIN 0.2f

// A particle near a collider, whose surface there is a plane for the time of a substep. Position-level
// impulses (kg m) add up over the iterations of a substep. Kernels read and write fours of these numbers, as
// they stand here.
typedef struct contact {
    int32_t particle; // of the world
    int32_t collider; // slot
    float friction;   // of the two together
    int16_t colour;   // how many contacts of the particle come before, see contact_batch
    bool overlaps;    // is predicted to
    bool lands;       // … so hard that the restitution of its body counts (landing.c)

    vec3 normal;  // unit, out of the collider
    float offset; // m, of the plane at the end of the substep from the body's drifting origin

    vec3 surface_way; // m, how far the collider's surface moves there in the substep
    float slack;      // m of the start's depth that may stay in this substep

    float start_depth;  // m, overlap that was there before the substep; below 0 it was a gap
    float approach;     // m/s, towards each other before the substep
    float rebound;      // m/s with which the contact point of a free one must part
    float hit_mobility; // 1/kg, of that point as it hits

    float normal_impulse; // >= 0
    vec3 friction_impulse;
} contact;

// Eight contacts of particles that answer as points, each of another particle: those of one colour. Lanes beyond
// the last one repeat it. A point's mass does not matter for where it is pushed, so the sums are ways.
typedef struct contact_batch {
    int32_t contact[LANES];  // of the body
    int32_t particle[LANES]; // of the model
    float normal[3][LANES];
    float
        reach[LANES]; // m along the normal, from the start to where the ellipsoid touches the plane
    float against[3]
                 [LANES]; // m, what has to be added to a particle's move to see it from the surface
    float friction[LANES];
    float inverse_mass[LANES];
    float pushed[LANES];     // m, sum of the pushes
    float dragged[3][LANES]; // m, sum of what friction has moved
    int32_t count;           // lanes in use
    int32_t
        block; // of the model, in which all of its particles are; batches are in the order of blocks
} contact_batch;

// Contacts of one particle beyond so many are solved one by one, as those of rigid ones are.
enum { CONTACT_COLOURS = 4 };

// One body's arrays, so that particle indices are the model's.
typedef struct contact_span {
    const sym3 *shapes; // of ellipsoids at rest
    const form_size *sizes;
    int particle_count;
    const vec3 *start;
    particle_move *move;
    const quat *turn_start;
    const quat *turn;
    const vec3 *v;
    const uint8_t *pinned;
    contact *contacts;
    contact_batch *batches;
    int32_t particle_first;
    vec3 origin, drift;
    float plane_reach;
    float h;
    float push_out; // m of an old overlap that a substep may push out
} contact_span;

// A plane as a body sees it in this substep: offsets are from the body's origin, which drifts.
typedef struct plane_span {
    int32_t collider; // slot
    float friction;   // of both together
    vec3 start_normal, normal;
    float start_offset, offset;
    bool moves;
    quat start_turn, turn; // of one that moves
    vec3 from_solid;       // from its place at the end to the body's origin
    vec3 way;              // of its place
} plane_span;

// Particles nearer to a plane than this many of their sizes are watched: the trace bounds the support height,
// and a quarter as much again leaves room for what the solver does.
#define PLANE_REACH 1.25f

// Of the way that spin moves a contact point: by so much friction may speed up a particle because of it. An ellipsoid has
// an inertia of at least m r²/5 about an axis across the arm r, and so much momentum.
#define SPIN_DRIVE 0.2f

// Slips shorter than this, in m, are none.
#define SHORTEST_SLIP 1e-9f

#endif
