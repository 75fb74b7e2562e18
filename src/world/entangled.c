// Bodies that are deep in each other: added at one place, put there by a caller, or pressed together by more than
// contact can bear.
//
// Contact parts two particles along a normal of their own. Where a body's surface meets another's that is right; of two
// lattices that are stuck in each other every particle has neighbours of the other body on all sides, which push it
// to and fro, and its groups pull it back: all that work becomes speed. Such bodies are told by their normals, which
// cancel out. They are let go: none of their pairs is solved, and they move apart as a whole, each as it is, along one
// direction, in position only. No energy can come of that, whatever the stiffness and the substeps.
//
// A body that is so in itself has no direction to go to: its deep pairs are let go until its groups have drawn them
// apart.

#include "pairs.h"

// Normals that add up to less than this part of what they would if all were one cancel out.
static const float LEAST_AGREEMENT = 0.5f;
// Of the widths: overlap of more than this leaves no normal to speak of.
static const float NORMAL_LIMIT = 0.75f;
// Of the widths: bodies that were entangled are so until all overlaps are less.
static const float PARTED_OVERLAP = 0.01f;
// Fewer cannot hold anything from all sides.
enum { FEWEST_OVERLAPS = 3 };
// m/s: bodies that meet faster than this hit each other, whatever their normals are.
static const float HIT_SPEED = 2.0f;
// So many pairs of bodies for each body, at the most, are looked at.
enum { ENTANGLED_PER_BODY = 8 };
// The golden angle, 2π (1 - 1/φ), and how many heights there are: directions of bodies whose centres coincide.
static const float GOLDEN_ANGLE = 2.3999632f;
enum { HEIGHTS = 61 };

bool pliant_reserve_entangled(pliant_world *world, int bodies)
{
    entanglement *e = &world->entangled;
    int room = e->room ? e->room : 64;
    while (room < 2 * ENTANGLED_PER_BODY * bodies)
        room *= 2;
    if (room == e->room)
        return true;
    entanglement grown = {
        .table = pliant_memory_new(&world->allocator, (size_t)room, sizeof *grown.table),
        .keys = pliant_memory_new(&world->allocator, (size_t)room, sizeof *grown.keys),
        .room = room,
        .count = e->count};
    if (!grown.table || !grown.keys) {
        pliant_memory_free(&world->allocator, grown.table);
        pliant_memory_free(&world->allocator, grown.keys);
        return false;
    }
    if (e->count > 0)
        memcpy(grown.keys, e->keys, (size_t)e->count * sizeof *e->keys);
    pliant_memory_free(&world->allocator, e->table);
    pliant_memory_free(&world->allocator, e->keys);
    *e = grown;
    return true;
}

static int32_t first_of(uint64_t key)
{
    return (int32_t)(key >> 32) - 1;
}

static int32_t second_of(uint64_t key)
{
    return (int32_t)(uint32_t)key;
}

void pliant_forget_entangled(pliant_world *world, int slot)
{
    entanglement *e = &world->entangled;
    int kept = 0;
    for (int k = 0; k < e->count; ++k) {
        e->keys[kept] = e->keys[k];
        kept += first_of(e->keys[k]) != slot && second_of(e->keys[k]) != slot;
    }
    e->count = kept;
}

static bool is_on_surface(const pliant_world *world, int i)
{
    const body *b = owner_of(world, i);
    return b->model->source.particles[i - b->particle_first].flags & PLIANT_PARTICLE_SURFACE;
}

// Particles of a surface know their outside: they are never entangled.
static float single_width(const pliant_world *world, const pair_contact *c)
{
    if (is_on_surface(world, c->a) || is_on_surface(world, c->b))
        return 1e30f;
    return smallest_radius(world, c->a) + smallest_radius(world, c->b);
}

// The entry of two bodies, made when there is none; NULL when the table is full.
static overlapping_bodies *entry_of(const pliant_world *world, int32_t first, int32_t second)
{
    const entanglement *e = &world->entangled;
    uint64_t key = (uint64_t)(first + 1) << 32 | (uint32_t)second;
    uint32_t mask = (uint32_t)e->room - 1;
    uint32_t at = ((uint32_t)first * 2654435761u ^ (uint32_t)second * 2246822519u) >> 7 & mask;
    for (int tries = 0; tries < e->room; ++tries, at = (at + 1) & mask) {
        overlapping_bodies *entry = &e->table[at];
        if (entry->key == 0)
            entry->key = key;
        if (entry->key == key)
            return entry;
    }
    return NULL;
}

// Bodies in rising order of their slots; `sign` is -1 when the particles are the other way round.
static overlapping_bodies *entry_of_pair(const pliant_world *world, int32_t a, int32_t b,
                                         float *sign)
{
    int32_t first = world->owner[a], second = world->owner[b];
    *sign = first <= second ? 1.0f : -1.0f;
    return first <= second ? entry_of(world, first, second) : entry_of(world, second, first);
}

static void add_overlap(const pliant_world *world, int32_t a, int32_t b, vec3 n, float depth,
                        float width)
{
    float sign;
    if (!(depth > PARTED_OVERLAP * width))
        return;
    overlapping_bodies *entry = entry_of_pair(world, a, b, &sign);
    if (!entry)
        return;
    entry->count += 1;
    entry->all_depth += depth;
    entry->speed += depth * vec3_length(vec3_sub(world->v[b], world->v[a]));
    entry->has_deep = entry->has_deep || depth > DEEP_OVERLAP * width;
    if (depth < NORMAL_LIMIT * width) {
        entry->depth += depth;
        entry->push = vec3_add_scaled(entry->push, n, sign * depth);
    }
}

static void add_overlaps(const pliant_world *world)
{
    const pair_work *work = &world->pair_work;
    for (int k = 0; k < work->batch_count * PAIR_LANES; ++k) {
        const pair_batch *eight = &work->batches[k / PAIR_LANES];
        int i = k % PAIR_LANES;
        if (i < eight->count)
            add_overlap(world, eight->a[i], eight->b[i], lane_of(&eight->line, i),
                        eight->start_depth[i], eight->width[i]);
    }
    for (int k = 0; k < work->single_count; ++k) {
        const pair_contact *c = &work->singles[k];
        add_overlap(world, c->a, c->b, c->ahead, c->start_depth, single_width(world, c));
    }
}

static bool is_let_go(const pliant_world *world, int32_t a, int32_t b, float depth, float width)
{
    float sign;
    const overlapping_bodies *entry = entry_of_pair(world, a, b, &sign);
    bool is_deep = depth > DEEP_OVERLAP * width;
    return entry && entry->is_entangled && (is_deep || world->owner[a] != world->owner[b]);
}

// Nothing reaches pairs that are let go.
static void let_go_pairs(const pliant_world *world)
{
    const pair_work *work = &world->pair_work;
    for (int k = 0; k < work->batch_count * PAIR_LANES; ++k) {
        pair_batch *eight = &work->batches[k / PAIR_LANES];
        int i = k % PAIR_LANES;
        if (is_let_go(world, eight->a[i], eight->b[i], eight->start_depth[i], eight->width[i]))
            eight->reach[i] = eight->normal_impulse[i] = 0.0f;
    }
    for (int k = 0; k < work->single_count; ++k) {
        pair_contact *c = &work->singles[k];
        c->is_let_go = is_let_go(world, c->a, c->b, c->start_depth, single_width(world, c));
        if (c->is_let_go)
            c->normal_impulse = c->rebound = 0.0f;
    }
}

static bool normals_cancel_out(const overlapping_bodies *entry)
{
    return entry->depth < LEAST_AGREEMENT * entry->all_depth ||
           vec3_length(entry->push) < LEAST_AGREEMENT * entry->depth;
}

// What is shot into another body is stopped, as hard as contact can.
static bool becomes_entangled(const overlapping_bodies *entry)
{
    return entry->has_deep && entry->count >= FEWEST_OVERLAPS &&
           entry->speed < HIT_SPEED * entry->all_depth && normals_cancel_out(entry);
}

void pliant_find_entangled(const substep *s)
{
    pliant_world *world = s->world;
    entanglement *e = &world->entangled;
    memset(e->table, 0, (size_t)e->room * sizeof *e->table);
    for (int k = 0; k < e->count; ++k) {
        overlapping_bodies *entry = entry_of(world, first_of(e->keys[k]), second_of(e->keys[k]));
        entry->was_entangled = true;
    }
    add_overlaps(world);
    e->count = 0;
    for (int k = 0; k < e->room; ++k) {
        overlapping_bodies *entry = &e->table[k];
        entry->is_entangled =
            entry->was_entangled ? entry->all_depth > 0.0f : becomes_entangled(entry);
        if (entry->is_entangled)
            e->keys[e->count++] = entry->key;
    }
    if (e->count > 0)
        let_go_pairs(world);
}

// ---------------------------------------------------------------------------------------------

static vec3 centre_of(const pliant_world *world, const body *b)
{
    double sum[3] = {0, 0, 0}, mass = 0;
    for (int k = 0; k < b->model->source.particle_count; ++k) {
        int i = b->particle_first + k;
        double m = b->model->source.particles[k].mass;
        mass += m;
        sum[0] += m * (double)world->x[i].x;
        sum[1] += m * (double)world->x[i].y;
        sum[2] += m * (double)world->x[i].z;
    }
    return (vec3){(float)(sum[0] / mass), (float)(sum[1] / mass), (float)(sum[2] / mass)};
}

// A direction of each body's own, spread over the sphere.
static vec3 direction_of(int32_t slot)
{
    float height = 1.0f - 2.0f * ((float)(slot % HEIGHTS) + 0.5f) / (float)HEIGHTS;
    float across = square_root(1.0f - height * height), sine, cosine;
    trig_sin_cos(GOLDEN_ANGLE * (float)(slot % 4096), &sine, &cosine);
    return (vec3){across * cosine, height, across * sine};
}

// 1/kg; 0 of one that is held somewhere.
static float answer_of(const body *b)
{
    return b->pinned_count > 0 || b->is_frozen ? 0.0f : (float)(1.0 / b->model->mass);
}

static bool are_attached(const pliant_world *world, int32_t first, int32_t second)
{
    for (int k = 0; k < world->attachment_slot_count; ++k) {
        const attachment *a = &world->attachments[k];
        int32_t one = (int32_t)a->def.body.index, two = (int32_t)a->def.other_body.index;
        if (a->is_alive && a->def.other_body.generation != 0 &&
            ((one == first && two == second) || (one == second && two == first)))
            return true;
    }
    return false;
}

// From the first body's centre to the second's.
static void part_bodies(const substep *s, int32_t first, int32_t second)
{
    pliant_world *world = s->world;
    body *a = &world->bodies[first], *b = &world->bodies[second];
    float wa = answer_of(a), wb = answer_of(b);
    if (first == second || wa + wb == 0.0f || are_attached(world, first, second))
        return;
    vec3 apart = vec3_sub(centre_of(world, b), centre_of(world, a));
    float near = 0.01f * (a->box_reach + b->box_reach);
    if (!(vec3_dot(apart, apart) > near * near))
        apart = vec3_sub(direction_of(second), direction_of(first));
    vec3 n = vec3_normalize_or(apart, (vec3){0, 1, 0});
    float way = world->def.depenetration_speed * s->time;
    a->parting = vec3_add_scaled(a->parting, n, -way * wa / (wa + wb));
    b->parting = vec3_add_scaled(b->parting, n, way * wb / (wa + wb));
}

static void move_body(const substep *s, body *b)
{
    pliant_world *world = s->world;
    float length = vec3_length(b->parting), most = world->def.depenetration_speed * s->time;
    vec3 way = length > most ? vec3_scale(b->parting, most / length) : b->parting;
    for (int i = b->particle_first; i < b->particle_first + b->model->source.particle_count; ++i)
        advance_position(&world->x[i], &world->x_low[i], way);
}

void pliant_part_entangled(const substep *s)
{
    pliant_world *world = s->world;
    const entanglement *e = &world->entangled;
    if (e->count == 0)
        return;
    for (int k = 0; k < world->active_count; ++k)
        world->bodies[world->active[k]].parting = (vec3){0, 0, 0};
    for (int k = 0; k < e->count; ++k)
        part_bodies(s, first_of(e->keys[k]), second_of(e->keys[k]));
    for (int k = 0; k < world->active_count; ++k) {
        body *b = &world->bodies[world->active[k]];
        if (!is_still(b) && (b->parting.x != 0.0f || b->parting.y != 0.0f || b->parting.z != 0.0f))
            move_body(s, b);
    }
}
