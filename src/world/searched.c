// Who is looked at when pairs are searched.
//
// Two sleepers cannot begin to touch. So a search is among the bodies that are awake and the sleepers near them; those far
// away cost nothing, however many they are. What is found does not depend on who was left out: the boxes that decide hold
// all that a pair's tests look at.

#include "body_tree.h"
#include "places.h"
#include "world.h"

static bool meets_others(const body *b)
{
    return b->layers && b->mask;
}

bool pli_is_left_out(const body *b)
{
    return b->is_frozen || !(b->self_collision || meets_others(b));
}

// In the order of particles, which is not that of slots.
static void list_runs(pliant_world *world)
{
    searched_particles *searched = &world->searched;
    sphere_run *last = NULL;
    searched->run_count = searched->count = 0;
    for (int at = 0, count; at < world->particle_count; at += count) {
        const body *b = owner_of(world, at);
        count = b->model->source.particle_count;
        if (!b->is_searched)
            continue;
        if (last && last->first + last->count == at) {
            last->count += count;
        } else {
            last = &searched->runs[searched->run_count++];
            *last = (sphere_run){at, count, searched->count};
        }
        searched->count += count;
    }
}

// What comes near to sleepers.
typedef struct approach {
    box reach;
    bool is_noticed; // somebody was asleep there who was not looked at
    bool only_tells;
} approach;

static void notice_sleeper(pliant_world *world, body *b, void *context)
{
    (void)world;
    approach *a = context;
    if (!b->is_asleep || b->is_searched || pli_is_left_out(b))
        return;
    box around = pli_pair_box(b);
    if (!boxes_overlap(&a->reach, &around))
        return;
    a->is_noticed = true;
    b->is_searched = !a->only_tells;
}

bool pli_choose_searched(pliant_world *world)
{
    bool has_sleepers = false, has_new = false;
    for (int k = 0; k < world->active_count; ++k) {
        body *b = &world->bodies[world->active[k]];
        b->was_searched = b->is_searched;
        b->is_searched = !is_still(b) && !pli_is_left_out(b);
        has_sleepers = has_sleepers || b->is_asleep;
    }
    for (int k = 0; has_sleepers && k < world->active_count; ++k) {
        const body *b = &world->bodies[world->active[k]];
        approach a = {.reach = pli_pair_box(b)};
        if (b->is_searched && !b->is_asleep)
            pli_for_near_bodies(world, &a.reach, notice_sleeper, &a);
    }
    for (int k = 0; k < world->active_count; ++k) {
        const body *b = &world->bodies[world->active[k]];
        has_new = has_new || (b->is_searched && !b->was_searched);
    }
    list_runs(world);
    return has_new;
}

static box sphere_box(const broad_sphere *s)
{
    return box_around(s->centre, s->centre, s->radius);
}

static box foreseen_box(const pliant_world *world, const body *b)
{
    const broad_sphere *spheres = world->foresight.spheres + b->particle_first;
    box all = box_empty();
    for (int k = 0; k < b->model->source.particle_count; ++k)
        all = box_union(all, sphere_box(&spheres[k]));
    return all;
}

bool pli_extend_searched(pliant_world *world)
{
    bool has_sleepers = false, has_more = false;
    for (int k = 0; k < world->active_count; ++k)
        has_sleepers = has_sleepers || world->bodies[world->active[k]].is_asleep;
    for (int k = 0; has_sleepers && k < world->active_count; ++k) {
        const body *b = &world->bodies[world->active[k]];
        if (!b->is_searched || b->is_asleep)
            continue;
        approach a = {.reach = foreseen_box(world, b)};
        pli_for_near_bodies(world, &a.reach, notice_sleeper, &a);
        has_more = has_more || a.is_noticed;
    }
    if (has_more)
        list_runs(world);
    return has_more;
}

bool pli_misses_sleeper(pliant_world *world, const broad_sphere *sphere)
{
    approach a = {.reach = sphere_box(sphere), .only_tells = true};
    pli_for_near_bodies(world, &a.reach, notice_sleeper, &a);
    return a.is_noticed;
}
