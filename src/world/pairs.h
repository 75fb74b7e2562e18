// What finding and solving pairs of particles share.

#ifndef PLIANT_WORLD_PAIRS_H
#define PLIANT_WORLD_PAIRS_H

#include "places.h"
#include "substep.h"

#include "model/surface.h"

void pli_find_pairs(const substep *s);
void pli_begin_pairs(const substep *s);
void pli_solve_pairs(const substep *s);
void pli_order_pairs(const substep *s);
void pli_settle_pairs(const substep *s);
// What finding and solving pairs needs for particles and slots of bodies, however many pairs there are. False when memory
// runs out.
bool pli_reserve_pairs(pliant_world *world, int particles);
bool pli_reserve_pair_work(pliant_world *world, int particles, int bodies);
void pli_free_pair_work(pliant_world *world);
// The part of a body's forms that never changes.
void pli_describe_forms(pliant_world *world, const body *b);
void pli_free_pairs(pliant_world *world);

// What two particles are to each other.
static inline void find_parties(const pliant_world *world, int a, int b, quat turn_a, quat turn_b,
                                party *first, party *second)
{
    const body *one = owner_of(world, a), *two = owner_of(world, b);
    int32_t i = a - one->particle_first, j = b - two->particle_first;
    if (one == two) {
        pli_model_parties(one->model, i, j, turn_a, turn_b, first, second);
    } else {
        *first = pli_model_party(one->model, i, turn_a);
        *second = pli_model_party(two->model, j, turn_b);
    }
}

static inline float largest_radius(const pliant_world *world, int i)
{
    const body *b = owner_of(world, i);
    return pli_largest_radius(b, i - b->particle_first);
}

static inline float smallest_radius(const pliant_world *world, int i)
{
    const body *b = owner_of(world, i);
    return pli_smallest_radius(b, i - b->particle_first);
}

// The predicted way of a particle in this substep.
static inline vec3 way_of(const pliant_world *world, int i)
{
    return vec3_add(world->move[i].way, owner_of(world, i)->drift);
}

// Whether two particles move so far against each other that one could be on the other side of the
// other at the end of the substep.
static inline bool is_fast(const pliant_world *world, int a, int b)
{
    vec3 way = vec3_sub(way_of(world, b), way_of(world, a));
    float thin = 0.5f * (smallest_radius(world, a) + smallest_radius(world, b));
    return vec3_dot(way, way) > thin * thin;
}

// Moves pairs that may touch while they are foreseen to the front, in their order; returns how many.
int pli_keep_possible(const pliant_world *world, particle_pair *pairs, int count);
// Adds the pairs of particles whose greater spheres are new. False when there would be more than `room` in all: then there
// has to be another search.
bool pli_mend_foresight(pliant_world *world, const int32_t *strays, int count, int room);

// Of the pairs of a substep those that there is no room for are dropped, and counted.
static inline void drop_pairs_beyond(pliant_world *world, int room)
{
    int dropped = world->pair_count > room ? world->pair_count - room : 0;
    world->pair_count -= dropped;
    world->dropped_pairs =
        world->dropped_pairs > INT32_MAX - dropped ? INT32_MAX : world->dropped_pairs + dropped;
}

// Pairs that are solved alone: how one stands before it is solved, …
pair_contact pli_begin_pair(const substep *s, int a, int b);
// … once in each iteration, …
void pli_solve_pair(pliant_world *world, pair_contact *c);
// … putting it back in the order in which it was; false when that is right, …
bool pli_order_pair(pliant_world *world, pair_contact *c);
// … pushing out of each other what is deep, …
void pli_push_out_pair(pliant_world *world, pair_contact *c);
// … how it parts, …
void pli_settle_pair(const substep *s, const pair_contact *c);
// … and where it stands when only a part of the substep has passed.
void pli_stop_pair(const substep *s, const pair_contact *c);

// m, of overlap before the substep.
static inline float start_depth_of(const pair_contact *c)
{
    return maximum(0.0f, -c->gap);
}

// ---------------------------------------------------------------------------------------------
// What all pairs of the last substep have in common, for those who look at them afterwards. They are
// numbered from 0; some numbers stand for none.

typedef struct pair_push {
    int32_t a, b;         // particles
    vec3 normal;          // unit, from a to b
    float normal_impulse; // kg m, > 0
    float approach;       // m/s
} pair_push;

static inline int pair_numbers(const pliant_world *world)
{
    return world->pair_work.batch_count * PAIR_LANES + world->pair_work.single_count;
}

static inline vec3 lane_of(const lanes3 *v, int lane)
{
    return (vec3){v->x[lane], v->y[lane], v->z[lane]};
}

// False when a number stands for no pair or for one that did not push.
static inline bool find_push(const pliant_world *world, int number, pair_push *out)
{
    int lanes = world->pair_work.batch_count * PAIR_LANES;
    if (number >= lanes) {
        const pair_contact *c = &world->pair_work.singles[number - lanes];
        if (!(c->normal_impulse > 0.0f))
            return false;
        *out = (pair_push){c->a, c->b, c->normal, c->normal_impulse, c->approach};
        return true;
    }
    const pair_batch *eight = &world->pair_work.batches[number / PAIR_LANES];
    int i = number % PAIR_LANES;
    if (!(eight->normal_impulse[i] > 0.0f) || i >= eight->count)
        return false;
    *out = (pair_push){eight->a[i], eight->b[i], lane_of(&eight->plane, i),
                       eight->normal_impulse[i], eight->approach[i]};
    return true;
}

// From a's centre to where the two touch, of a pair that pushes.
static inline vec3 push_arm(const pliant_world *world, int number)
{
    int lanes = world->pair_work.batch_count * PAIR_LANES;
    if (number >= lanes)
        return world->pair_work.singles[number - lanes].arm;
    const pair_batch *eight = &world->pair_work.batches[number / PAIR_LANES];
    int i = number % PAIR_LANES;
    vec3 n = lane_of(&eight->plane, i), support = sym3_mul_vec(world->form[eight->a[i]].shape, n);
    return vec3_scale(support, 1.0f / square_root(vec3_dot(n, support)));
}

#endif
