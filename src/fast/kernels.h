// The hot loops, built once for each instruction set and chosen when a world is made.
//
// Every kernel is written once, in an .inl file, on math/wide.h; plain.c and avx2.c each include all of
// them. The choice changes the speed, never a bit of the result.

#ifndef PLIANT_FAST_KERNELS_H
#define PLIANT_FAST_KERNELS_H

#include <pliant/world.h>

struct broad_level;
struct broad_range;
struct broad_scan;
struct broad_sphere;
struct group_span;
struct edge_span;
struct chain_span;
struct pair_batch;
struct pair_scene;
struct particle_form;
struct meeting_scene;
struct particle_pair;
struct particle_gifts;
struct particle_span;
struct contact_span;
struct plane_span;
struct contact;
struct box;
struct sym3;
struct skin_task;
struct motion_span;
struct rigid_motion;
struct way_span;

// Ranges are of batches of groups, edges or contacts, or of particles.
typedef struct kernels {
    const char *name; // of the instruction set
    void (*prepare_groups)(const struct group_span *b, int first, int end);
    // Returns how many rotations needed the slow, certain way.
    int (*solve_groups)(const struct group_span *b, int first, int end);
    // One explicit group.
    void (*prepare_explicit)(const struct group_span *b, int index);
    int (*solve_explicit)(const struct group_span *b, int index);
    void (*solve_distances)(const struct edge_span *b, int first, int end);
    // One chain.
    void (*solve_chain)(const struct chain_span *c, int index, bool is_first);
    void (*solve_torsion)(const struct edge_span *b, int first, int end);
    // True when a speed was limited.
    bool (*accelerate_particles)(const struct particle_span *p, int first, int end);
    pliant_vec3 (*sum_velocities)(const struct particle_span *p, int first, int end);
    void (*predict_particles)(const struct particle_span *p, int first, int end);
    void (*update_particles)(const struct particle_span *p, int first, int end);
    struct particle_gifts (*weigh_particles)(const struct particle_span *p, int first, int end);
    // How a body moves as a whole, and all its particles drawn towards that by a part of the difference.
    void (*find_motion)(const struct motion_span *m, struct rigid_motion *out);
    void (*damp_deformation)(const struct motion_span *m, const struct rigid_motion *motion,
                             float part);

    // These fill a list of a body's particles and return how many there are.
    int (*find_near_plane)(const struct contact_span *b, const struct plane_span *p, int32_t *near);
    int (*find_near_box)(const struct contact_span *b, const struct box *solid, int32_t *near);
    // Makes up to eight contacts with a plane.
    void (*touch_plane)(const struct contact_span *b, const struct plane_span *p,
                        const int32_t *near, int count, struct contact *out);
    void (*begin_contacts)(const struct contact_span *b, int first, int end);
    void (*solve_contacts)(const struct contact_span *b, int first, int end);
    void (*end_contacts)(const struct contact_span *b, int first, int end);
    // Contact of soft particles. The shapes of a body's particles, from those at rest.
    void (*turn_shapes)(struct particle_form *form, const struct sym3 *shapes,
                        const pliant_quat *turn, int count);
    // Moves pairs that meet in this substep to the front, in their order, each with its kind (found_pair); returns how
    // many there are.
    int (*keep_meeting)(const struct meeting_scene *s, struct particle_pair *pairs, int count);
    bool (*begin_pairs)(const struct pair_scene *s, struct pair_batch *batches, int count);
    // The same for fast pairs, which are stopped where they first touch.
    bool (*stop_pairs)(const struct pair_scene *s, struct pair_batch *batches, int count);
    void (*solve_pairs)(const struct pair_scene *s, struct pair_batch *batches, int count);
    // Puts back pairs that have passed each other; true when there were any.
    bool (*order_pairs)(const struct pair_scene *s, struct pair_batch *batches, int count);
    // Returns how many pairs push.
    int (*settle_pairs)(const struct pair_scene *s, const struct pair_batch *batches, int count);
    // The box around spheres with radii up to a border, and their sizes. Lists the others and returns how many these are.
    int (*broad_measure)(const struct broad_sphere *spheres, int count, float border,
                         struct broad_range *out, int32_t *others);
    // Cells and indices of the spheres [begin, end) that are of the finest level, a small one; returns how many.
    int (*broad_enter)(const struct broad_sphere *spheres, int begin, int end,
                       const struct broad_level *level, struct particle_pair *entries);
    // Pairs of the sorted spheres [begin, end) with others of their level, and with those of a coarser one,
    // which are at most `reach` (m) apart (collide/broad_grid.h).
    void (*broad_sweep)(struct broad_scan *scan, const struct broad_level *level, int begin,
                        int end);
    void (*broad_cross)(struct broad_scan *scan, const struct broad_level *coarse, double reach,
                        int begin, int end);
    // The same from coarse spheres [begin, end) into a finer level, whose rows are whole.
    void (*broad_look_down)(struct broad_scan *scan, const struct broad_level *fine, int begin,
                            int end);
    // Sorts up to FEW_SECONDS pairs of one first particle by the second.
    void (*sort_seconds)(struct particle_pair *pairs, int count);
    // Surrounds the ways of particles with spheres, and says where they end. Returns how many spheres are not within
    // the greater ones that were foreseen, and notes the first `room` of them. Without ends it writes nothing else.
    int (*bound_ways)(const struct way_span *s, int first, int end, int32_t *strays, int room);
    // The greater spheres, for the ways of some substeps; false when they do not hold the others.
    bool (*foresee_ways)(const struct way_span *s, float ahead, int first, int end);
    // The box around ways of particles that reach so far from their centres.
    struct box (*bound_particles)(const struct way_span *s, float reach, int count);
    // Whether all are within ±limit; NaN is not.
    bool (*are_within)(const float *numbers, int count, float limit);
    // Pairs of some spheres with those in [first, end) that they overlap, in any order; -1 when there is no room.
    int (*find_around)(const struct broad_sphere *spheres, int first, int end, const int32_t *some,
                       int some_count, struct particle_pair *out, int room);
    // Copies pairs of overlapping spheres, in their order; returns how many there are.
    int (*keep_overlapping)(const struct broad_sphere *spheres, const struct particle_pair *pairs,
                            int count, struct particle_pair *out);

    void (*skin_linear)(const struct skin_task *task);
    void (*skin_dual_quaternions)(const struct skin_task *task);
} kernels;

extern const kernels *const pli_kernels_plain;
// NULL where the compiler has no such instructions.
extern const kernels *const pli_kernels_avx2;

const kernels *pli_choose_kernels(pliant_instructions wanted);

#endif
