// All kernels, and the table of them for the instruction set that the including file has named KERNELS_NAME.

#include "math/rotation.h"
#include "math/wide3.h"
#include "math/wide_trig.h"
#include "solve/chains.h"
#include "solve/contacts.h"
#include "solve/edges.h"
#include "solve/groups.h"
#include "solve/pairs.h"
#include "solve/particles.h"
#include "solve/ways.h"

// The compiler does not know any more where an address comes from: so it assumes nothing of the array and its bounds
// there, and in WASM it does not split the address up, to add its parts again for all that is read at some distance.
#define UNTRACED(pointer) __asm__("" : "+r"(pointer))

static inline void *from_lane(const void *eight, int lane)
{
    float *at = (float *)eight + lane;
    UNTRACED(at);
    return at;
}

// What is laid out for eight lanes, as seen from one of them on: all that it holds has four bytes and needs no more
// alignment than that.
#define FROM_LANE(type, pointer, lane) ((type *)from_lane(pointer, lane))

#include "rotation.inl"

#include "group_lanes.inl"

#include "fit.inl"

#include "groups.inl"

#include "explicit.inl"

#include "particles.inl"

#include "edges.inl"

#include "chains.inl"

#include "contacts.inl"

#include "damping.inl"

#include "ellipsoid_pair.inl"

#include "pairs.inl"

#include "broad.inl"

#include "bounds.inl"

#include "skin.inl"

static const kernels table = {
    .name = KERNELS_NAME,
    .prepare_groups = prepare_groups,
    .solve_groups = solve_groups,
    .prepare_explicit = prepare_explicit,
    .solve_explicit = solve_explicit,
    .solve_distances = solve_distances,
    .solve_chain = solve_chain,
    .solve_torsion = solve_torsion,
    .accelerate_particles = accelerate_particles,
    .sum_velocities = sum_velocities,
    .weigh_particles = weigh_particles,
    .predict_particles = predict_particles,
    .update_particles = update_particles,
    .find_motion = find_motion,
    .damp_deformation = damp_deformation,
    .find_near_plane = find_near_plane,
    .find_near_box = find_near_box,
    .touch_plane = touch_plane,
    .begin_contacts = begin_contacts,
    .solve_contacts = solve_contacts,
    .end_contacts = end_contacts,
    .turn_shapes = turn_shapes,
    .keep_meeting = keep_meeting,
    .begin_pairs = begin_pairs,
    .stop_pairs = stop_pairs,
    .solve_pairs = solve_pairs,
    .order_pairs = order_pairs,
    .settle_pairs = settle_pairs,
    .broad_measure = broad_measure,
    .broad_enter = broad_enter,
    .broad_sweep = broad_sweep,
    .broad_cross = broad_cross,
    .broad_look_down = broad_look_down,
    .sort_seconds = sort_seconds,
    .bound_ways = bound_ways,
    .foresee_ways = foresee_ways,
    .bound_particles = bound_particles,
    .are_within = are_within,
    .find_around = find_around,
    .keep_overlapping = keep_overlapping,
    .skin_linear = skin_linear,
    .skin_dual_quaternions = skin_dual_quaternions,
};
