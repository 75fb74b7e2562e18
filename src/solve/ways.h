// What the kernels see of particles whose ways through a substep are surrounded: see find_pairs.c.

#ifndef PLIANT_SOLVE_WAYS_H
#define PLIANT_SOLVE_WAYS_H

#include "math/box.h"
#include "pairs.h"
#include "particles.h"

// Particles closer than this part of their reach are watched: the solver may bring them together.
#define WATCH_MARGIN 0.06f
// So much more, of the reach, a particle may stray from the way that was foreseen.
#define FORESIGHT_MARGIN 0.15f
// More than what a place may be off after a few roundings, relative to how far it is from the world's origin and from
// its body's.
#define WAY_ROUNDING 0x1p-21f
// Twice what the test whether spheres overlap may be off, relative.
#define COVER_ROUNDING 4e-6f

// Of pair_end. Two particles without END_HAS_LAYERS meet, as far as layers go.
enum {
    END_TOUCHES_ITSELF = 1 << 0,
    END_IS_STILL = 1 << 1,
    END_IS_PINNED = 1 << 2,
    END_IS_ATTACHED = 1 << 3,
    END_HAS_LAYERS = 1 << 4,
    END_HAS_DENTS = 1 << 5,
    END_BOUNCES = 1 << 6,
};

// What a particle is to others of any body.
typedef struct pair_traits {
    float reach; // m, how far from its centre they meet it
    float thin;  // m, half its smallest radius
    uint64_t
        excluded; // bit i: it never touches the particle 1 + i after it, see pli_model_excludes
} pair_traits;

// One body's arrays.
typedef struct way_span {
    const vec3 *start;
    const particle_move *move;
    const pair_traits *traits;
    const int32_t *first_attachment; // NULL: nothing is attached
    vec3 origin, drift;
    vec3 together; // m, what all go in this substep on average
    int32_t body;
    uint32_t flags;   // of all its ends
    bool is_left_out; // nothing meets it
    pair_end *ends;   // NULL: it is only asked who has left the greater spheres
    broad_sphere *spheres;
    broad_sphere *greater; // NULL: nothing was foreseen
} way_span;

#endif
