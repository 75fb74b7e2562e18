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
struct pair_batch;
struct pair_scene;
struct particle_form;
struct pair_end;
struct particle_pair;
struct particle_span;
struct contact_span;
struct plane_span;
struct contact;
struct contact_gaps;
struct box;
struct sym3;
struct skin_task;

// Ranges are of batches of groups, edges or contacts, or of particles.
typedef struct kernels {
    const char *name; // of the instruction set
    void (*prepare_groups)(const struct group_span *b, int first, int end);
    // Returns how many rotations needed the slow, certain way.
    int (*solve_groups)(const struct group_span *b, int first, int end, bool only_rigid);
    // One explicit group.
    void (*prepare_explicit)(const struct group_span *b, int index);
    int (*solve_explicit)(const struct group_span *b, int index);
    void (*solve_distances)(const struct edge_span *b, int first, int end, bool only_rigid);
    void (*solve_torsion)(const struct edge_span *b, int first, int end);
    void (*accelerate_particles)(const struct particle_span *p, int first, int end);
    pliant_vec3 (*sum_velocities)(const struct particle_span *p, int first, int end);
    void (*predict_particles)(const struct particle_span *p, int first, int end);
    void (*update_particles)(const struct particle_span *p, int first, int end);

    // These fill a list of a body's particles and return how many there are.
    int (*find_near_plane)(const struct contact_span *b, const struct plane_span *p, int32_t *near);
    int (*find_near_box)(const struct contact_span *b, const struct box *solid, int32_t *near);
    // Makes up to eight contacts with a plane.
    void (*touch_plane)(const struct contact_span *b, const struct plane_span *p,
                        const int32_t *near, int count, struct contact *out,
                        struct contact_gaps *gaps);
    void (*begin_contacts)(const struct contact_span *b, int first, int end);
    void (*solve_contacts)(const struct contact_span *b, int first, int end);
    void (*end_contacts)(const struct contact_span *b, int first, int end);
    // Contact of soft particles. The shapes of a body's particles, from those at rest.
    void (*turn_shapes)(struct particle_form *form, const struct sym3 *shapes,
                        const pliant_quat *turn, int count);
    // Of each pair its pair_kind.
    void (*sort_pairs)(const struct pair_scene *s, const struct particle_pair *pairs, int count,
                       uint16_t *kinds);
    void (*begin_pairs)(const struct pair_scene *s, struct pair_batch *batches, int count);
    void (*solve_pairs)(const struct pair_scene *s, struct pair_batch *batches, int count);
    // Puts back pairs that have passed each other; true when there were any.
    bool (*order_pairs)(const struct pair_scene *s, struct pair_batch *batches, int count);
    // Returns how many pairs push.
    int (*settle_pairs)(const struct pair_scene *s, const struct pair_batch *batches, int count);
    // The box around spheres, and their sizes.
    void (*broad_measure)(const struct broad_sphere *spheres, int count, struct broad_range *out);
    // Cells and indices of the spheres [begin, end) that take part, all of one small level; returns how many.
    int (*broad_enter)(const struct broad_sphere *spheres, int begin, int end,
                       const struct broad_level *level, struct particle_pair *entries);
    // Pairs of the sorted spheres [begin, end) with others of their level, and with those of a coarser one,
    // which are at most `reach` (m) apart (collide/broad_grid.h).
    void (*broad_sweep)(struct broad_scan *scan, const struct broad_level *level, int begin,
                        int end);
    void (*broad_cross)(struct broad_scan *scan, const struct broad_level *coarse, double reach,
                        int begin, int end);
    // Moves pairs of particles that end near each other, or that are fast, to the front, in their order;
    // returns how many there are.
    int (*keep_near)(const struct pair_end *ends, struct particle_pair *pairs, int count);

    void (*skin_linear)(const struct skin_task *task);
    void (*skin_dual_quaternions)(const struct skin_task *task);
} kernels;

extern const kernels *const pliant_kernels_plain;
// NULL where the compiler has no such instructions.
extern const kernels *const pliant_kernels_avx2;

const kernels *pliant_choose_kernels(pliant_instructions wanted);

#endif
