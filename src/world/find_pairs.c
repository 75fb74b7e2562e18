// Which particles may touch each other in a substep.

#include "pairs.h"

// Particles closer than this part of their radius are watched: the solver may bring them together.
static const float WATCH_MARGIN = 0.1f;
// What a position may be off after the three roundings of a sum, relative, with √3 for the axes.
static const float ROUNDING = 0x1p-22f;

// Of pair_end. Two particles without HAS_LAYERS meet, as far as layers go.
enum {
    TOUCHES_ITSELF = 1 << 0,
    IS_STILL = 1 << 1,
    IS_PINNED = 1 << 2,
    IS_ATTACHED = 1 << 3,
    HAS_LAYERS = 1 << 4,
};

enum { MOST_PARTICLES = INT32_MAX / PAIRS_PER_PARTICLE, PARTICLES_PER_TASK = 1024 };

bool pliant_reserve_pairs(pliant_world *world, int particles)
{
    const pliant_allocator *allocator = &world->allocator;
    if (world->pairs && particles <= world->pair_room)
        return true;
    if (particles > MOST_PARTICLES)
        return false;
    int room = world->pair_room < 8 ? 8 : world->pair_room;
    while (room < particles)
        room = room > MOST_PARTICLES / 2 ? MOST_PARTICLES : room * 2;
    size_t count = (size_t)room;
    broad_sphere *spheres = pliant_memory_new(allocator, count, sizeof *spheres);
    pair_end *ends = pliant_memory_new(allocator, count, sizeof *ends);
    particle_pair *found = pliant_memory_new(allocator, count * PAIRS_PER_PARTICLE, sizeof *found);
    pair_contact *pairs = pliant_memory_new(allocator, count * PAIRS_PER_PARTICLE, sizeof *pairs);
    if (!spheres || !ends || !found || !pairs ||
        !pliant_broad_reserve(&world->broad, room, room * PAIRS_PER_PARTICLE, allocator)) {
        pliant_memory_free(allocator, spheres);
        pliant_memory_free(allocator, ends);
        pliant_memory_free(allocator, found);
        pliant_memory_free(allocator, pairs);
        return false;
    }
    pliant_memory_free(allocator, world->way_spheres);
    pliant_memory_free(allocator, world->pair_ends);
    pliant_memory_free(allocator, world->found_pairs);
    pliant_memory_free(allocator, world->pairs);
    world->way_spheres = spheres;
    world->pair_ends = ends;
    world->found_pairs = found;
    world->pairs = pairs;
    world->pair_room = room;
    world->pair_count = 0;
    return true;
}

void pliant_free_pairs(pliant_world *world)
{
    pliant_memory_free(&world->allocator, world->way_spheres);
    pliant_memory_free(&world->allocator, world->pair_ends);
    pliant_memory_free(&world->allocator, world->found_pairs);
    pliant_memory_free(&world->allocator, world->pairs);
    pliant_broad_free(&world->broad, &world->allocator);
}

// ---------------------------------------------------------------------------------------------

// Whether a dent has brought two particles of a body to rest in each other: then shape matching would pull
// them together again.
static bool is_dented_together(const pliant_world *world, const body *b, int i, int j)
{
    if (!b->model->has_dents)
        return false;
    party first = party_of(world, i, world->rest_turn[i]);
    party second = party_of(world, j, world->rest_turn[j]);
    return pliant_overlap_at_rest(&first, &second, vec3_sub(world->rest_x[j], world->rest_x[i]));
}

static bool layers_meet(const pliant_world *world, int32_t i, int32_t j)
{
    const body *a = owner_of(world, i), *b = owner_of(world, j);
    const pliant_particle_def *p = &a->model->source.particles[i - a->particle_first];
    const pliant_particle_def *q = &b->model->source.particles[j - b->particle_first];
    return (a == b || ((a->layers & b->mask) && (b->layers & a->mask))) && (p->layers & q->mask) &&
           (q->layers & p->mask);
}

// Held within each other's reach: contact would fight the attachment.
static bool are_held_together(const pliant_world *world, int32_t i, int32_t j)
{
    float held = pliant_attached_length(world, i, j);
    return held >= 0.0f && held < largest_radius(world, i) + largest_radius(world, j);
}

// Whether two particles of one body that touches itself do.
static bool may_touch_itself(const pliant_world *world, const pair_end *one, int32_t i, int32_t j)
{
    const body *b = &world->bodies[one->body];
    bool is_excluded =
        j - i <= 64 ? one->excluded >> (j - i - 1) & 1
                    : pliant_model_excludes(b->model, i - b->particle_first, j - b->particle_first);
    return !is_excluded && !is_dented_together(world, b, i, j);
}

// What both particles together decide by their flags, but for those of one body.
static bool may_touch(const pliant_world *world, int32_t i, int32_t j, uint32_t either,
                      uint32_t both)
{
    if (both & (IS_STILL | IS_PINNED))
        return false;
    if (either & HAS_LAYERS && !layers_meet(world, i, j))
        return false;
    return !(both & IS_ATTACHED) || !are_held_together(world, i, j);
}

// Most pairs are decided by few bits: what is seldom is looked at only when a flag tells that there is any.
static int keep_touching(particle_pair *pairs, int count, void *context)
{
    const pliant_world *world = context;
    count = world->kernels->keep_near(world->pair_ends, pairs, count);
    int kept = 0;
    for (int k = 0; k < count; ++k) {
        particle_pair pair = pairs[k];
        const pair_end *one = &world->pair_ends[pair.a], *two = &world->pair_ends[pair.b];
        uint32_t either = one->flags | two->flags, both = one->flags & two->flags;
        bool touches =
            !(either & ~TOUCHES_ITSELF) || may_touch(world, pair.a, pair.b, either, both);
        if (one->body == two->body)
            touches =
                touches && either & TOUCHES_ITSELF && may_touch_itself(world, one, pair.a, pair.b);
        pairs[kept] = pair;
        kept += touches;
    }
    return kept;
}

static uint32_t body_flags(const body *b)
{
    bool has_layers = !b->layers || b->mask != UINT32_MAX;
    return (b->self_collision ? TOUCHES_ITSELF : 0) | (is_still(b) ? IS_STILL : 0) |
           (has_layers || b->model->has_layers ? HAS_LAYERS : 0);
}

static uint32_t particle_flags(const pliant_world *world, int i)
{
    bool is_attached = world->attachment_slot_count > 0 && world->first_attachment[i] != 0;
    return (world->move[i].inverse_mass == 0.0f ? IS_PINNED : 0) | (is_attached ? IS_ATTACHED : 0);
}

// The sphere around a particle's whole way, with what the centre may be off where float32 is coarse.
static broad_sphere sphere_around(vec3 start, vec3 way, float reach)
{
    vec3 centre = vec3_add_scaled(start, way, 0.5f);
    float farthest = maximum(maximum(absolute(centre.x), absolute(centre.y)), absolute(centre.z));
    return (broad_sphere){centre, reach + 0.5f * vec3_length(way) + farthest * ROUNDING};
}

static void bound_ways(int task, void *context)
{
    const pliant_world *world = context;
    int begin = task * PARTICLES_PER_TASK, end = begin + PARTICLES_PER_TASK;
    end = end < world->particle_count ? end : world->particle_count;
    for (int i = begin; i < end; ++i) {
        const body *b = owner_of(world, i);
        const pair_traits *traits = &b->model->traits[i - b->particle_first];
        vec3 way = vec3_add(world->move[i].way, b->drift);
        float reach = traits->reach * (1.0f + WATCH_MARGIN);
        world->pair_ends[i] = (pair_end){.place = vec3_add(world->start[i], way),
                                         .reach = reach,
                                         .way = way,
                                         .thin = traits->thin,
                                         .origin = b->origin,
                                         .body = world->owner[i],
                                         .flags = body_flags(b) | particle_flags(world, i),
                                         .excluded = traits->excluded};
        world->way_spheres[i] = sphere_around(vec3_add(b->origin, world->start[i]), way, reach);
        if (b->is_frozen)
            world->way_spheres[i].radius = -1.0f;
    }
}

// Nothing can touch where all stand still, or where one body is alone and does not touch itself.
static bool has_collisions(const pliant_world *world)
{
    bool self = false, awake = false;
    for (int k = 0; k < world->active_count; ++k) {
        const body *b = &world->bodies[world->active[k]];
        self = self || b->self_collision;
        awake = awake || !is_still(b);
    }
    return awake && (self || world->active_count > 1);
}

void pliant_find_pairs(const substep *s)
{
    pliant_world *world = s->world;
    world->pair_count = world->touching_pairs = 0;
    if (!has_collisions(world))
        return;
    // Not what happens to be reserved: that is no state, and decides which pairs are dropped.
    int room = world->particle_count * PAIRS_PER_PARTICLE;
    int tasks = (world->particle_count + PARTICLES_PER_TASK - 1) / PARTICLES_PER_TASK;
    if (world->def.parallel_for && tasks > 1)
        world->def.parallel_for(tasks, bound_ways, world, world->def.parallel_user_data);
    else
        for (int task = 0; task < tasks; ++task)
            bound_ways(task, world);
    broad_query query = {.spheres = world->way_spheres,
                         .count = world->particle_count,
                         .filter = keep_touching,
                         .context = world,
                         .kernels = world->kernels,
                         .parallel_for = world->def.parallel_for,
                         .parallel_user_data = world->def.parallel_user_data};
    int found = pliant_broad_find(&world->broad, &query, world->found_pairs, room);
    world->pair_count = found < room ? found : room;
    int dropped = found - world->pair_count;
    world->dropped_pairs =
        world->dropped_pairs > INT32_MAX - dropped ? INT32_MAX : world->dropped_pairs + dropped;
}

static bool overlaps_now(const pliant_world *world, int a, int b)
{
    vec3 between =
        vec3_add(start_between(world, a, b), vec3_sub(way_of(world, b), way_of(world, a)));
    ellipsoid_pair now;
    return is_fast(world, a, b) ||
           (find_touch(world, a, b, world->turn[a], world->turn[b], between, 0.0f, &now) &&
            now.gap < 0.0f);
}

static bool has_sleepers(const pliant_world *world)
{
    bool has = false;
    for (int k = 0; k < world->active_count; ++k)
        has = has || world->bodies[world->active[k]].is_asleep;
    return has;
}

bool pliant_wake_touched(const substep *s)
{
    pliant_world *world = s->world;
    bool woke = false;
    if (!has_sleepers(world))
        return false;
    for (int k = 0; k < world->pair_count; ++k) {
        int a = world->found_pairs[k].a, b = world->found_pairs[k].b;
        body *first = &world->bodies[world->owner[a]], *second = &world->bodies[world->owner[b]];
        if (first->is_asleep == second->is_asleep || !overlaps_now(world, a, b))
            continue;
        pliant_wake_body(world, first->is_asleep ? first : second);
        woke = true;
    }
    return woke;
}
