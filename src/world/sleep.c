// Bodies that have come to rest fall asleep, and wake when something comes to them.
//
// Bodies that touch each other form an island. An island falls asleep as a whole, when all of it has been
// calm for long enough, and wakes as a whole: so nothing that sleeps lies on something that moves. A body
// asleep is where it is, with no velocity; it takes part in a step only by being there to be touched.

#include "sleep.h"
#include "body_tree.h"
#include "calls.h"
#include "islands.h"
#include "substep.h"

#include "form/shape.h"

// Of the way in which what is as fast as the world's sleep_speed gets in its sleep_time: who goes no further goes nowhere.
static const float NOWHERE = 1.0f;
// So many sleep_times have to pass then.
static const float NOWHERE_TIMES = 4.0f;
// The same way, further down or so many times further up: who sinks or rises by more is on the way somewhere, unless pushes have
// lifted it by more than that over this part.
static const float SUNK = 1.0f, RISEN = 5.0f, LIFTED = 0.2f;

// How much of the time after which it falls asleep a body has been at rest.
static float part_of_rest(const pliant_world *world, const body *b)
{
    float longest = maximum(b->nowhere_time, b->idle_time) / NOWHERE_TIMES;
    float rested = maximum(b->calm_time, longest), needed = world->def.sleep_time;
    return rested < needed ? rested / needed : 1.0f;
}

static void rest_no_longer_than(const pliant_world *world, body *b, float part)
{
    float time = part * world->def.sleep_time;
    b->calm_time = minimum(b->calm_time, time);
    b->nowhere_time = minimum(b->nowhere_time, NOWHERE_TIMES * time);
    b->idle_time = minimum(b->idle_time, NOWHERE_TIMES * time);
}

static void wake_island(pliant_world *world, const body *b, float part)
{
    int32_t island = b->island;
    for (int k = 0; k < world->active_count; ++k) {
        body *other = &world->bodies[world->active[k]];
        if (!other->is_asleep || other->island != island)
            continue;
        other->is_asleep = false;
        other->just_woke = true;
        rest_no_longer_than(world, other, part);
        if (part == 0.0f)
            other->account.gifts = other->account.net = 0.0;
    }
}

// One that was put to sleep by hand wakes with what is attached to it, too.
static void wake(pliant_world *world, body *b, float part)
{
    rest_no_longer_than(world, b, part);
    if (!b->is_asleep)
        return;
    pli_forget_foresight(world); // that is without pairs of sleepers
    wake_island(world, b, part);
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (int k = 0; k < world->attachment_slot_count; ++k) {
            const attachment *a = &world->attachments[k];
            if (!a->is_alive || a->def.other_body.generation == 0)
                continue;
            const body *one = &world->bodies[a->def.body.index];
            const body *two = &world->bodies[a->def.other_body.index];
            if (one->is_asleep == two->is_asleep)
                continue;
            wake_island(world, one->is_asleep ? one : two, part);
            has_changed = true;
        }
    }
}

void pli_wake_body(pliant_world *world, body *b)
{
    wake(world, b, 0.0f);
}

// Two that touch now and then, and are about to rest, would else wake each other for ever.
bool pli_wake_by_touch(pliant_world *world, body *first, body *second)
{
    if (first->is_asleep == second->is_asleep)
        return false;
    body *sleeper = first->is_asleep ? first : second;
    const body *other = first->is_asleep ? second : first;
    wake(world, sleeper, part_of_rest(world, other));
    return true;
}

void pli_wake_all(pliant_world *world)
{
    for (int k = 0; k < world->active_count; ++k)
        pli_wake_body(world, &world->bodies[world->active[k]]);
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
    pli_forget_landings(world, (int)(b - world->bodies));
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
    pli_bound_body(world, b);
    b->is_placed = true;
}

static void wake_if_it_reaches(pliant_world *world, body *b, void *context)
{
    const box *reach = context;
    if (!b->is_asleep)
        return;
    if (!b->is_placed)
        place_sleeper(world, b);
    if (boxes_overlap(reach, &b->bounds))
        pli_wake_body(world, b);
}

void pli_wake_near(pliant_world *world, const box *reach)
{
    pli_for_near_bodies(world, reach, wake_if_it_reaches, (void *)reach);
}

// Where a moving collider can get in a step.
static box collider_reach(const collider *c, float dt)
{
    vec3 low, high;
    if (box_is_everywhere(&c->bounds))
        return c->bounds;
    pliant_shape_bounds(c->shape, &low, &high);
    float size = vec3_length(vec3_highest(vec3_negate(low), high));
    float way = vec3_length(c->linear_velocity) * dt;
    if (c->has_target)
        way = vec3_length(vec3_sub(c->target.position, c->end.position));
    return box_around(c->end.position, c->end.position, size + way);
}

// What wakes those in the way of a moving collider.
typedef struct sweep {
    const collider *c;
    box reach;
} sweep;

static void wake_in_the_way(pliant_world *world, body *b, void *context)
{
    const sweep *s = context;
    if (b->is_asleep && pli_collider_meets(s->c, b) && boxes_overlap(&s->reach, &b->bounds))
        pli_wake_body(world, b);
}

static void wake_all_in_the_way(pliant_world *world, const collider *c, float dt)
{
    sweep s = {c, collider_reach(c, dt)};
    pli_for_near_bodies(world, &s.reach, wake_in_the_way, &s);
}

void pli_begin_sleepers(pliant_world *world, float dt)
{
    for (int k = 0; k < world->active_count; ++k) {
        body *b = &world->bodies[world->active[k]];
        if (b->is_asleep && !b->is_placed)
            place_sleeper(world, b);
    }
    for (int k = 0; k < world->mover_count; ++k)
        if (pli_collider_moves(&world->colliders[world->movers[k]]))
            wake_all_in_the_way(world, &world->colliders[world->movers[k]], dt);
}

// ---------------------------------------------------------------------------------------------
// The end of a step

// A motor may turn as slowly as it likes; one that only brakes may sleep.
bool pli_has_motors(const pliant_world *world, const body *b)
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
    if (b->is_carried || pli_has_motors(world, b))
        return false;
    for (int k = 0; k < b->model->source.particle_count; ++k) {
        int i = b->particle_first + k;
        vec3 way = vec3_sub(world->x[i], world->x_good[i]);
        vec3 turn = quat_difference(world->turn[i], world->turn_good[i]);
        float speed = maximum(vec3_length(world->v[i]), vec3_length(way) * rate);
        float spin = maximum(vec3_length(world->spin[i]), vec3_length(turn) * rate);
        if (!(speed + spin * pli_largest_radius(b, k) < most) || world->has_target[i])
            return false;
    }
    return true;
}

// Of a body that is new nothing is known yet, and its turn is no number.
static bool got_somewhere(const pliant_world *world, const body *b)
{
    float most = NOWHERE * world->def.sleep_speed * world->def.sleep_time;
    vec3 turn = quat_difference(world->turn[b->particle_first], b->was_turn);
    if (!(vec3_length(turn) * pli_largest_radius(b, 0) <= most))
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
    return is_borne && !b->is_carried && !pli_has_motors(world, b);
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

// m, of its centre of mass against gravity. *motion gets the energy of its velocities, J.
static float height_of(const pliant_world *world, const body *b, double *motion)
{
    vec3 up = vec3_normalize_or(vec3_scale(world->def.gravity, -b->gravity_scale), (vec3){0, 0, 0});
    double height = 0.0;
    *motion = 0.0;
    for (int k = 0; k < b->model->source.particle_count; ++k) {
        int i = b->particle_first + k;
        double mass = b->model->source.particles[k].mass;
        height += mass * (double)vec3_dot(up, world->x[i]);
        *motion += 0.5 * mass * (double)vec3_dot(world->v[i], world->v[i]);
    }
    return (float)(height / b->model->mass);
}

// Sums what moves an island and what it was given, with its root.
static void add_gifts(pliant_world *world, int32_t slot, float dt)
{
    body *b = &world->bodies[slot], *root = &world->bodies[pli_island_of(world, slot)];
    double motion;
    float height = height_of(world, b, &motion);
    float weight =
        absolute(b->gravity_scale) * vec3_length(world->def.gravity) * (float)b->model->mass;
    float lifts = weight > 0.0f ? (float)b->account.gifts / weight : 0.0f;
    float way = world->def.sleep_speed * world->def.sleep_time, least = LIFTED * lifts;
    root->island_motion += motion;
    root->island_gifts += b->account.gifts;
    root->island_net += b->account.net;
    b->idle_time += dt;
    if (may_rest(world, b) && height > b->was_high - maximum(SUNK * way, least) &&
        height < b->was_high + maximum(RISEN * way, least))
        return;
    b->idle_time = 0.0f;
    b->was_high = height;
}

void pli_fall_asleep(pliant_world *world, float dt)
{
    if (world->def.sleep_speed == 0.0f)
        return;
    pli_find_islands(world);
    for (int k = 0; k < world->active_count; ++k) {
        body *b = &world->bodies[world->active[k]];
        b->island_is_calm = true;
        b->island_motion = b->island_gifts = b->island_net = 0.0;
        if (is_still(b))
            continue;
        b->calm_time = is_calm(world, b, dt) ? b->calm_time + dt : 0.0f;
        follow_whereabouts(world, b, dt);
    }
    for (int k = 0; k < world->active_count; ++k)
        if (!is_still(&world->bodies[world->active[k]]))
            add_gifts(world, world->active[k], dt);
    for (int k = 0; k < world->active_count; ++k) {
        body *b = &world->bodies[world->active[k]];
        const body *root = &world->bodies[pli_island_of(world, world->active[k])];
        if (!(root->island_motion < root->island_gifts) &&
            !(root->island_motion < root->island_net))
            b->idle_time = 0.0f;
        if (!is_still(b) && part_of_rest(world, b) < 1.0f)
            world->bodies[pli_island_of(world, world->active[k])].island_is_calm = false;
    }
    for (int k = 0; k < world->active_count; ++k) {
        body *b = &world->bodies[world->active[k]];
        int32_t island = pli_island_of(world, world->active[k]);
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
        pli_wake_body(world, b);
}

void pliant_body_sleep(pliant_world *world, pliant_body_id id)
{
    body *b = checked_body(world, id, __func__);
    if (b && !is_still(b))
        put_to_sleep(world, b, (int32_t)id.index);
}
