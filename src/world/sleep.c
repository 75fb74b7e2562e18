// Bodies that have come to rest fall asleep, and wake when something comes to them.
//
// Bodies that touch each other form an island. An island falls asleep as a whole, when all of it has been
// calm for long enough, and wakes as a whole: so nothing that sleeps lies on something that moves. A body
// asleep is where it is, with no velocity; it takes part in a step only by being there to be touched.

#include "calls.h"
#include "collide/shape.h"
#include "pairs.h"

// Of the way in which what is as fast as the world's sleep_speed gets in its sleep_time: who goes no further goes nowhere.
static const float NOWHERE = 1.0f;
// So many sleep_times have to pass then.
static const float NOWHERE_TIMES = 4.0f;

static void wake_island(pliant_world *world, body *b)
{
    int32_t island = b->island;
    for (int k = 0; k < world->active_count; ++k) {
        body *other = &world->bodies[world->active[k]];
        if (!other->is_asleep || other->island != island)
            continue;
        other->is_asleep = false;
        other->just_woke = true;
        other->calm_time = other->nowhere_time = 0.0f;
    }
}

// One that was put to sleep by hand wakes with what is attached to it, too.
void pliant_wake_body(pliant_world *world, body *b)
{
    b->calm_time = b->nowhere_time = 0.0f;
    if (!b->is_asleep)
        return;
    pliant_forget_foresight(world); // that is without pairs of sleepers
    wake_island(world, b);
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (int k = 0; k < world->attachment_slot_count; ++k) {
            const attachment *a = &world->attachments[k];
            if (!a->is_alive || a->def.other_body.generation == 0)
                continue;
            body *one = &world->bodies[a->def.body.index];
            body *two = &world->bodies[a->def.other_body.index];
            if (one->is_asleep == two->is_asleep)
                continue;
            wake_island(world, one->is_asleep ? one : two);
            has_changed = true;
        }
    }
}

void pliant_wake_all(pliant_world *world)
{
    for (int k = 0; k < world->active_count; ++k)
        pliant_wake_body(world, &world->bodies[world->active[k]]);
}

static void put_to_sleep(pliant_world *world, body *b, int32_t island)
{
    for (int k = 0; k < b->model->source.particle_count; ++k) {
        int i = b->particle_first + k;
        world->v[i] = world->spin[i] = (vec3){0, 0, 0};
        world->has_target[i] = 0;
    }
    b->is_asleep = true;
    b->is_placed = false;
    b->landing = (landing){0};
    b->island = island;
}

// ---------------------------------------------------------------------------------------------
// The beginning of a step

// What others look at when they come near.
static void place_sleeper(pliant_world *world, body *b)
{
    b->origin = world->x[b->particle_first];
    b->drift = b->coming = (vec3){0, 0, 0};
    b->coming_energy = 0.0f;
    for (int k = 0; k < b->model->source.particle_count; ++k) {
        int i = b->particle_first + k;
        world->start[i] = vec3_add(vec3_sub(world->x[i], b->origin), world->x_low[i]);
        world->move[i].way = (vec3){0, 0, 0};
        world->turn_start[i] = world->turn[i];
        world->v_start[i] = world->spin_start[i] = (vec3){0, 0, 0};
        world->hit_speed[i] = 0.0f;
        world->angular_impulse[i] = (vec3){0, 0, 0};
    }
    for (int k = 0; k < b->model->source.hinge_count; ++k)
        world->hinge_now[b->hinge_first + k] = (hinge_work){0};
    pliant_bound_body(world, b);
    b->is_placed = true;
}

// Where a moving collider can get in a step.
static box collider_reach(const collider *c, float dt)
{
    vec3 low, high;
    pliant_shape_bounds(c->shape, &low, &high);
    float size = vec3_length(vec3_highest(vec3_negate(low), high));
    float way = vec3_length(c->linear_velocity) * dt;
    if (c->has_target)
        way = vec3_length(vec3_sub(c->target.position, c->end.position));
    return box_around(c->end.position, c->end.position, size + way);
}

static void wake_in_the_way(pliant_world *world, const collider *c, float dt)
{
    box reach = collider_reach(c, dt);
    for (int k = 0; k < world->active_count; ++k) {
        body *b = &world->bodies[world->active[k]];
        if (b->is_asleep && pliant_collider_meets(c, b) &&
            (c->is_plane || boxes_overlap(&reach, &b->bounds)))
            pliant_wake_body(world, b);
    }
}

void pliant_begin_sleepers(pliant_world *world, float dt)
{
    for (int k = 0; k < world->active_count; ++k) {
        body *b = &world->bodies[world->active[k]];
        if (b->is_asleep && !b->is_placed)
            place_sleeper(world, b);
    }
    for (int i = 0; i < world->collider_slot_count; ++i)
        if (world->colliders[i].is_alive && pliant_collider_moves(&world->colliders[i]))
            wake_in_the_way(world, &world->colliders[i], dt);
}

// ---------------------------------------------------------------------------------------------
// The end of a step

// A motor may turn as slowly as it likes; one that only brakes may sleep.
static bool is_driven(const pliant_world *world, const body *b)
{
    for (int k = 0; k < b->model->source.hinge_count; ++k) {
        int i = b->hinge_first + k;
        if (world->motor_torque[i] > 0.0f && world->motor_speed[i] != 0.0f)
            return true;
    }
    return false;
}

// Both by its velocity and by the way it has gone: what is pushed out of an overlap moves without one.
static bool is_calm(const pliant_world *world, const body *b, float dt)
{
    float most = world->def.sleep_speed, rate = 1.0f / dt;
    if (b->is_carried || is_driven(world, b))
        return false;
    for (int k = 0; k < b->model->source.particle_count; ++k) {
        int i = b->particle_first + k;
        vec3 way = vec3_sub(world->x[i], world->x_good[i]);
        vec3 turn = quat_difference(world->turn[i], world->turn_good[i]);
        float speed = maximum(vec3_length(world->v[i]), vec3_length(way) * rate);
        float spin = maximum(vec3_length(world->spin[i]), vec3_length(turn) * rate);
        if (!(speed + spin * pliant_largest_radius(b, k) < most) || world->has_target[i])
            return false;
    }
    return true;
}

// Of a body that is new nothing is known yet, and its turn is no number.
static bool got_somewhere(const pliant_world *world, const body *b)
{
    float most = NOWHERE * world->def.sleep_speed * world->def.sleep_time;
    vec3 turn = quat_difference(world->turn[b->particle_first], b->was_turn);
    if (!(vec3_length(turn) * pliant_largest_radius(b, 0) <= most))
        return true;
    for (int k = 0; k < b->model->source.particle_count; ++k) {
        vec3 way = vec3_sub(world->x[b->particle_first + k], world->was_x[b->particle_first + k]);
        if (!(vec3_dot(way, way) <= most * most))
            return true;
    }
    return false;
}

// Whether nothing drives it, and something bears or holds it.
static bool may_rest(const pliant_world *world, const body *b)
{
    vec3 g = vec3_scale(world->def.gravity, b->gravity_scale);
    bool is_borne = b->touching_count > 0 || b->pinned_count > 0 || vec3_dot(g, g) > 0.0f;
    for (int k = 0; is_borne && k < b->model->source.particle_count; ++k)
        is_borne = !world->has_target[b->particle_first + k];
    return is_borne && !b->is_carried && !is_driven(world, b);
}

// What trembles, because contacts and few iterations cannot agree, goes nowhere.
static void follow_whereabouts(const pliant_world *world, body *b, float dt)
{
    b->nowhere_time += dt;
    if (may_rest(world, b) && !got_somewhere(world, b))
        return;
    b->nowhere_time = 0.0f;
    b->was_turn = world->turn[b->particle_first];
    memcpy(world->was_x + b->particle_first, world->x + b->particle_first,
           (size_t)b->model->source.particle_count * sizeof *world->was_x);
}

static bool is_at_rest(const pliant_world *world, const body *b)
{
    return b->calm_time >= world->def.sleep_time ||
           b->nowhere_time >= NOWHERE_TIMES * world->def.sleep_time;
}

static int32_t island_of(pliant_world *world, int32_t slot)
{
    while (world->bodies[slot].parent != slot) {
        world->bodies[slot].parent = world->bodies[world->bodies[slot].parent].parent;
        slot = world->bodies[slot].parent;
    }
    return slot;
}

static void join_islands(pliant_world *world, int32_t a, int32_t b)
{
    a = island_of(world, a);
    b = island_of(world, b);
    // The smaller slot is the root, in whatever order the pairs come.
    if (a < b)
        world->bodies[b].parent = a;
    else
        world->bodies[a].parent = b;
}

static void find_islands(pliant_world *world)
{
    for (int k = 0; k < world->active_count; ++k)
        world->bodies[world->active[k]].parent = world->active[k];
    for (int k = 0; k < pair_numbers(world); ++k) {
        pair_push c;
        if (find_push(world, k, &c))
            join_islands(world, world->owner[c.a], world->owner[c.b]);
    }
    for (int k = 0; k < world->attachment_slot_count; ++k) {
        const attachment *a = &world->attachments[k];
        if (a->is_alive && a->def.other_body.generation != 0)
            join_islands(world, (int32_t)a->def.body.index, (int32_t)a->def.other_body.index);
    }
}

void pliant_fall_asleep(pliant_world *world, float dt)
{
    if (world->def.sleep_speed == 0.0f)
        return;
    find_islands(world);
    for (int k = 0; k < world->active_count; ++k) {
        body *b = &world->bodies[world->active[k]];
        b->island_is_calm = true;
        if (is_still(b))
            continue;
        b->calm_time = is_calm(world, b, dt) ? b->calm_time + dt : 0.0f;
        follow_whereabouts(world, b, dt);
    }
    for (int k = 0; k < world->active_count; ++k) {
        const body *b = &world->bodies[world->active[k]];
        if (!is_still(b) && !is_at_rest(world, b))
            world->bodies[island_of(world, world->active[k])].island_is_calm = false;
    }
    for (int k = 0; k < world->active_count; ++k) {
        body *b = &world->bodies[world->active[k]];
        int32_t island = island_of(world, world->active[k]);
        if (!is_still(b) && world->bodies[island].island_is_calm)
            put_to_sleep(world, b, island);
    }
}

// ---------------------------------------------------------------------------------------------
// For callers

bool pliant_body_is_asleep(const pliant_world *world, pliant_body_id id)
{
    const body *b = checked_body(world, id, __func__);
    return b && b->is_asleep;
}

void pliant_body_wake(pliant_world *world, pliant_body_id id)
{
    body *b = checked_body(world, id, __func__);
    if (b)
        pliant_wake_body(world, b);
}

void pliant_body_sleep(pliant_world *world, pliant_body_id id)
{
    body *b = checked_body(world, id, __func__);
    if (b && !is_still(b))
        put_to_sleep(world, b, (int32_t)id.index);
}
