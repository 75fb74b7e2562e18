// Bodies that are deep in each other: added at one place, put there by a caller, or pressed together by more than
// contact can bear.
//
// Contact parts two particles along a normal of their own. Where a body's surface meets another's that is right. Deep in
// each other every particle is pushed to and fro by those around it, its groups pull it back, and all that work becomes
// speed. Bodies of whose particles some are deep in the other are entangled, until they have parted. Their pairs come no
// deeper, but are not pushed out one by one: the bodies move apart as a whole, each as it is, along the mean of the
// normals, in position only. Where the normals cancel out, as of two lattices that are stuck in each other, pairs would
// only hold them together: they are let go, and the bodies move from centre to centre. No energy can come of that, whatever
// the stiffness and the substeps.
//
// A body that is so in itself has no direction to go to: its deep pairs are let go until its groups have drawn them
// apart.

#include "pairs.h"
#include "places.h"
#include "substep.h"

// Normals that add up to less than this part of what they would if all were one cancel out.
static const float LEAST_AGREEMENT = 0.5f;
// Of the widths: overlap of more than this leaves no normal to speak of.
static const float NORMAL_LIMIT = 0.75f;
// Of the widths: bodies that were entangled are so until all overlaps are less.
static const float PARTED_OVERLAP = 0.01f;
// Of the smaller body's particles: so many pairs have to be deep. Arms that press into each other are only touching.
static const float DEEP_PART = 0.03f;
static const float FEWEST_DEEP = 2.0f;
// m/s: bodies that meet faster than this hit each other, whatever their normals are.
static const float HIT_SPEED = 2.0f;
// Of the speed at which bodies part: what comes closer faster than this in spite of its pairs is too heavy for them. To lift it would
// only give it energy.
static const float HELD_PART = 0.5f;
// So many pairs of bodies for each body, at the most, are looked at.
enum { ENTANGLED_PER_BODY = 8, LEAST_ROOM = 64 };
// The golden angle, 2π (1 - 1/φ), and how many heights there are: directions of bodies whose centres coincide.
static const float GOLDEN_ANGLE = 2.3999632f;
enum { HEIGHTS = 61 };

static void free_arrays(const entanglement *e, const pliant_allocator *allocator)
{
    pli_memory_free(allocator, e->table);
    pli_memory_free(allocator, e->used);
    pli_memory_free(allocator, e->keys);
}

static uint32_t table_place(const entanglement *e, int32_t first, int32_t second)
{
    uint32_t mixed = (uint32_t)first * 2654435761u ^ (uint32_t)second * 2246822519u;
    return mixed >> 7 & ((uint32_t)e->room - 1);
}

static int32_t first_of(uint64_t key)
{
    return (int32_t)(key >> 32) - 1;
}

static int32_t second_of(uint64_t key)
{
    return (int32_t)(uint32_t)key;
}

bool pli_entangled_are_known(const pliant_world *world, uint64_t key)
{
    return pli_are_bodies(world, (int64_t)(key >> 32) - 1, second_of(key));
}

// Puts the entries of a table into a greater one, in the order in which they came.
static void fill_table(entanglement *grown, const entanglement *from)
{
    uint32_t mask = (uint32_t)grown->room - 1;
    for (int k = 0; k < from->used_count; ++k) {
        const overlapping_bodies *entry = &from->table[from->used[k]];
        uint32_t at = table_place(grown, first_of(entry->key), second_of(entry->key));
        while (grown->table[at].key != 0)
            at = (at + 1) & mask;
        grown->table[at] = *entry;
        grown->used[k] = (int32_t)at;
    }
}

static bool grow(pliant_world *world, int room)
{
    entanglement *e = &world->entangled, grown = *e;
    const pliant_allocator *allocator = &world->allocator;
    grown.room = room;
    grown.table = pli_memory_new(allocator, (size_t)room, sizeof *grown.table);
    grown.used = pli_memory_new(allocator, (size_t)room, sizeof *grown.used);
    grown.keys = pli_memory_new(allocator, (size_t)room, sizeof *grown.keys);
    if (!grown.table || !grown.used || !grown.keys) {
        free_arrays(&grown, allocator);
        return false;
    }
    fill_table(&grown, e);
    if (e->count > 0)
        memcpy(grown.keys, e->keys, (size_t)e->count * sizeof *e->keys);
    free_arrays(e, allocator);
    *e = grown;
    return true;
}

bool pli_reserve_entangled(pliant_world *world, int bodies)
{
    entanglement *e = &world->entangled;
    int most = e->most ? e->most : LEAST_ROOM;
    while (most < 2 * ENTANGLED_PER_BODY * bodies)
        most *= 2;
    if (e->room == 0 && !grow(world, LEAST_ROOM))
        return false;
    e->most = most;
    return true;
}

bool pli_reserve_entangled_keys(pliant_world *world, int keys)
{
    int room = world->entangled.room;
    if (room == 0 && keys > 0)
        room = LEAST_ROOM;
    while (room < keys)
        room *= 2;
    return room == world->entangled.room || grow(world, room);
}

void pli_free_entangled(pliant_world *world)
{
    free_arrays(&world->entangled, &world->allocator);
}

void pli_forget_entangled(pliant_world *world, int slot)
{
    entanglement *e = &world->entangled;
    int kept = 0;
    for (int k = 0; k < e->count; ++k) {
        e->keys[kept] = e->keys[k];
        kept += first_of(e->keys[k]) != slot && second_of(e->keys[k]) != slot;
    }
    e->count = kept;
}

// Particles of a surface know their outside: their normals hold at any depth.
static bool is_on_surface(const pliant_world *world, int i)
{
    const body *b = owner_of(world, i);
    return b->model->source.particles[i - b->particle_first].flags & PLIANT_PARTICLE_SURFACE;
}

static float single_width(const pliant_world *world, const pair_contact *c)
{
    return smallest_radius(world, c->a) + smallest_radius(world, c->b);
}

// The entry of two bodies, made when there is none; NULL when the table is full.
static overlapping_bodies *entry_of(pliant_world *world, int32_t first, int32_t second)
{
    entanglement *e = &world->entangled;
    uint64_t key = (uint64_t)(first + 1) << 32 | (uint32_t)second;
    // Without memory the table fills up.
    if (2 * e->used_count >= e->room && e->room < e->most)
        grow(world, 2 * e->room);
    uint32_t mask = (uint32_t)e->room - 1, at = table_place(e, first, second);
    for (int tries = 0; tries < e->room; ++tries, at = (at + 1) & mask) {
        overlapping_bodies *entry = &e->table[at];
        if (entry->key == 0) {
            entry->key = key;
            e->used[e->used_count++] = (int32_t)at;
        }
        if (entry->key == key)
            return entry;
    }
    return NULL;
}

// Bodies in rising order of their slots; `sign` is -1 when the particles are the other way round.
static overlapping_bodies *entry_of_pair(pliant_world *world, int32_t a, int32_t b, float *sign)
{
    int32_t first = world->owner[a], second = world->owner[b];
    *sign = first <= second ? 1.0f : -1.0f;
    return first <= second ? entry_of(world, first, second) : entry_of(world, second, first);
}

static void add_overlap(pliant_world *world, int32_t a, int32_t b, vec3 n, float depth, float width)
{
    float sign;
    overlapping_bodies *entry = entry_of_pair(world, a, b, &sign);
    if (!entry)
        return;
    entry->all_depth += depth;
    vec3 speed = vec3_sub(world->v[b], world->v[a]);
    entry->speed += depth * vec3_length(speed);
    entry->approach -= depth * vec3_dot(n, speed);
    entry->deep_count += depth > DEEP_OVERLAP * width;
    if (depth < NORMAL_LIMIT * width || is_on_surface(world, a) || is_on_surface(world, b)) {
        entry->depth += depth;
        entry->push = vec3_add_scaled(entry->push, n, sign * depth);
    }
}

static void add_overlaps(pliant_world *world)
{
    const pair_work *work = &world->pair_work;
    for (int k = 0; k < work->batch_count * PAIR_LANES; ++k) {
        const pair_batch *eight = &work->batches[k / PAIR_LANES];
        int i = k % PAIR_LANES;
        if (i < eight->count && eight->start_depth[i] > PARTED_OVERLAP * eight->width[i])
            add_overlap(world, eight->a[i], eight->b[i], lane_of(&eight->plane, i),
                        eight->start_depth[i], eight->width[i]);
    }
    for (int k = 0; k < work->single_count; ++k) {
        const pair_contact *c = &work->singles[k];
        float width = single_width(world, c);
        if (!c->is_apart && start_depth_of(c) > PARTED_OVERLAP * width)
            add_overlap(world, c->a, c->b, c->normal, start_depth_of(c), width);
    }
}

// What becomes of a pair of entangled bodies.
typedef enum pair_fate { PAIR_STAYS, PAIR_HOLDS, PAIR_LET_GO } pair_fate;

static pair_fate fate_of(pliant_world *world, int32_t a, int32_t b, float depth, float width)
{
    float sign;
    if (!owner_of(world, a)->is_entangled || !owner_of(world, b)->is_entangled)
        return PAIR_STAYS;
    const overlapping_bodies *entry = entry_of_pair(world, a, b, &sign);
    bool is_deep = depth > DEEP_OVERLAP * width;
    if (!entry || !entry->is_entangled)
        return PAIR_STAYS;
    if (world->owner[a] == world->owner[b])
        return entry->is_let_go && is_deep ? PAIR_LET_GO : PAIR_STAYS;
    return entry->is_let_go ? PAIR_LET_GO : depth > 0.0f ? PAIR_HOLDS : PAIR_STAYS;
}

// Nothing reaches pairs that are let go; those that hold come no deeper, but are not pushed out one by one.
static void loosen_pairs(pliant_world *world)
{
    const pair_work *work = &world->pair_work;
    for (int k = 0; k < work->batch_count * PAIR_LANES; ++k) {
        pair_batch *eight = &work->batches[k / PAIR_LANES];
        int i = k % PAIR_LANES;
        pair_fate fate =
            fate_of(world, eight->a[i], eight->b[i], eight->start_depth[i], eight->width[i]);
        if (fate == PAIR_LET_GO)
            eight->reach[i] = eight->normal_impulse[i] = 0.0f;
        else if (fate == PAIR_HOLDS)
            eight->slack[i] = eight->start_depth[i];
    }
    for (int k = 0; k < work->single_count; ++k) {
        pair_contact *c = &work->singles[k];
        pair_fate fate = fate_of(world, c->a, c->b, start_depth_of(c), single_width(world, c));
        c->is_let_go = fate == PAIR_LET_GO;
        if (fate == PAIR_LET_GO)
            c->normal_impulse = c->rebound = 0.0f;
        else if (fate == PAIR_HOLDS)
            c->slack = start_depth_of(c);
    }
}

static bool normals_cancel_out(const overlapping_bodies *entry)
{
    return entry->depth < LEAST_AGREEMENT * entry->all_depth ||
           vec3_length(entry->push) < LEAST_AGREEMENT * entry->depth;
}

static int particles_of(const pliant_world *world, int32_t slot)
{
    return world->bodies[slot].model->source.particle_count;
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

// What is shot into another body is stopped, as hard as contact can; and what is attached to it belongs there.
static bool becomes_entangled(const pliant_world *world, const overlapping_bodies *entry)
{
    int first = particles_of(world, first_of(entry->key));
    int second = particles_of(world, second_of(entry->key));
    int smaller = first < second ? first : second;
    float least = maximum(DEEP_PART * (float)smaller, minimum(FEWEST_DEEP, (float)smaller));
    // Of a whole crowd at one place those pairs that there was room for tell as much.
    if (world->dropped_pairs > 0)
        least = 0.0f;
    return entry->deep_count > 0 && (float)entry->deep_count >= least &&
           entry->speed < HIT_SPEED * entry->all_depth &&
           !are_attached(world, first_of(entry->key), second_of(entry->key));
}

static void clear_table(entanglement *e)
{
    for (int k = 0; k < e->used_count; ++k)
        e->table[e->used[k]] = (overlapping_bodies){0};
    e->used_count = 0;
}

void pli_find_entangled(const substep *s)
{
    pliant_world *world = s->world;
    entanglement *e = &world->entangled;
    clear_table(e);
    for (int k = 0; k < world->active_count; ++k)
        world->bodies[world->active[k]].is_entangled = false;
    for (int k = 0; k < e->count; ++k) {
        overlapping_bodies *entry = entry_of(world, first_of(e->keys[k]), second_of(e->keys[k]));
        entry->was_entangled = true;
    }
    add_overlaps(world);
    e->count = 0;
    for (int k = 0; k < e->used_count; ++k) {
        overlapping_bodies *entry = &e->table[e->used[k]];
        entry->is_entangled =
            entry->was_entangled ? entry->all_depth > 0.0f : becomes_entangled(world, entry);
        entry->is_let_go =
            entry->is_entangled && (world->dropped_pairs > 0 || normals_cancel_out(entry));
        if (!entry->is_entangled)
            continue;
        e->keys[e->count++] = entry->key;
        world->bodies[first_of(entry->key)].is_entangled = true;
        world->bodies[second_of(entry->key)].is_entangled = true;
    }
    if (e->count > 0)
        loosen_pairs(world);
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

// Along their normals, if these agree; else from the first body's centre to the second's.
static vec3 parting_direction(const pliant_world *world, const overlapping_bodies *entry)
{
    int32_t first = first_of(entry->key), second = second_of(entry->key);
    const body *a = &world->bodies[first], *b = &world->bodies[second];
    vec3 apart = entry->push;
    if (entry->is_let_go) {
        float near = 0.01f * (a->box_reach + b->box_reach);
        apart = vec3_sub(centre_of(world, b), centre_of(world, a));
        if (!(vec3_dot(apart, apart) > near * near))
            apart = vec3_sub(direction_of(second), direction_of(first));
    }
    return vec3_normalize_or(apart, (vec3){0, 1, 0});
}

static void part_bodies(const substep *s, const overlapping_bodies *entry)
{
    pliant_world *world = s->world;
    int32_t first = first_of(entry->key), second = second_of(entry->key);
    body *a = &world->bodies[first], *b = &world->bodies[second];
    float wa = (float)pli_whole_answer(a), wb = (float)pli_whole_answer(b);
    float held = HELD_PART * world->def.depenetration_speed;
    if (first == second || wa + wb == 0.0f || entry->approach > held * entry->all_depth)
        return;
    vec3 n = parting_direction(world, entry);
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
    pli_note_lift(world, b, (float)b->model->mass, way);
}

void pli_part_entangled(const substep *s)
{
    pliant_world *world = s->world;
    const entanglement *e = &world->entangled;
    if (e->count == 0)
        return;
    for (int k = 0; k < world->active_count; ++k)
        world->bodies[world->active[k]].parting = (vec3){0, 0, 0};
    for (int k = 0; k < e->used_count; ++k)
        if (e->table[e->used[k]].is_entangled)
            part_bodies(s, &e->table[e->used[k]]);
    for (int k = 0; k < world->active_count; ++k) {
        body *b = &world->bodies[world->active[k]];
        if (!is_still(b) && (b->parting.x != 0.0f || b->parting.y != 0.0f || b->parting.z != 0.0f))
            move_body(s, b);
    }
}
