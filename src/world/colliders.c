// Colliders: making, placing, moving. Contacts with them are in contacts.c.

#include "calls.h"
#include "checks.h"
#include "contacts.h"
#include "sleep.h"
#include "substep.h"

#include "form/form.h"

pliant_collider_def pliant_default_collider_def(void)
{
    return (pliant_collider_def){
        .orientation = {0, 0, 0, 1}, .friction = 0.5f, .layers = 1, .mask = UINT32_MAX};
}

pliant_plane_def pliant_default_plane_def(void)
{
    return (pliant_plane_def){.normal = {0, 1, 0}, .friction = 0.5f};
}

// ---------------------------------------------------------------------------------------------
// Adding and removing

static pliant_result check_collider_def(const pliant_collider_def *def, pliant_error *error)
{
    if (!def->shape)
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "shape", "is NULL");
    pliant_result result = pli_check_motion(error, (pliant_pose){def->position, def->orientation},
                                            def->linear_velocity, def->angular_velocity);
    return result ? result : pli_check_surface(error, def->friction, def->restitution);
}

static pliant_result check_plane_def(const pliant_plane_def *def, pliant_error *error)
{
    pliant_result result = pli_check_vector(error, "normal", def->normal);
    if (!result && !(vec3_length(def->normal) > 1e-6f))
        result = pli_error_set(error, PLIANT_ERROR_ARGUMENT, "normal", "has no direction");
    if (!result)
        result = pli_check_range(error, "offset", def->offset, -1e6f, 1e6f);
    return result ? result : pli_check_surface(error, def->friction, def->restitution);
}

static bool spins(const collider *c)
{
    vec3 w = c->angular_velocity;
    return w.x != 0.0f || w.y != 0.0f || w.z != 0.0f;
}

bool pli_collider_moves(const collider *c)
{
    vec3 v = c->linear_velocity;
    return c->has_target || v.x != 0.0f || v.y != 0.0f || v.z != 0.0f || spins(c);
}

static box bounds_at(const collider *c, pliant_pose pose)
{
    form turned = form_turned(form_of_shape(c->shape), pose.orientation);
    return pli_form_bounds(&turned, pose.position);
}

static box bounds_of(const collider *c)
{
    return box_union(bounds_at(c, c->pose), bounds_at(c, c->end));
}

// What is everywhere is in no tree, but in a list beside it.
static bool is_in_tree(const collider *c)
{
    return !box_is_everywhere(&c->bounds);
}

static void update_bounds(pliant_world *world, collider *c)
{
    c->bounds = bounds_of(c);
    if (is_in_tree(c))
        pli_tree_move(&world->collider_tree, c->leaf, &c->bounds);
}

void pli_place_collider(pliant_world *world, int slot)
{
    world->colliders[slot].is_settled = false;
    update_bounds(world, &world->colliders[slot]);
}

static bool reserve_list(pliant_world *world, slot_list *list, int slots)
{
    return pli_memory_grow(&world->allocator, (void **)&list->slots, sizeof *list->slots,
                           list->count, &list->capacity, slots);
}

bool pli_reserve_colliders(pliant_world *world, int slots)
{
    const pliant_allocator *allocator = &world->allocator;
    return pli_memory_grow(allocator, (void **)&world->colliders, sizeof *world->colliders,
                           world->collider_slot_count, &world->collider_slot_capacity, slots) &&
           reserve_list(world, &world->endless, slots) &&
           reserve_list(world, &world->fields, slots) &&
           pli_memory_grow(allocator, (void **)&world->movers, sizeof *world->movers, 0,
                           &world->mover_capacity, slots) &&
           pli_tree_reserve(&world->collider_tree, allocator, slots);
}

static void list_slot(slot_list *list, int slot)
{
    int at = list->count++;
    for (; at > 0 && list->slots[at - 1] > slot; --at)
        list->slots[at] = list->slots[at - 1];
    list->slots[at] = slot;
}

static void unlist_slot(slot_list *list, int slot)
{
    int kept = 0;
    for (int k = 0; k < list->count; ++k)
        if (list->slots[k] != slot)
            list->slots[kept++] = list->slots[k];
    list->count = kept;
}

static bool is_field(const collider *c)
{
    return pli_shape_kind_of(c->shape) == PLIANT_SHAPE_HEIGHTFIELD;
}

static void list_collider(pliant_world *world, int slot)
{
    collider *c = &world->colliders[slot];
    if (is_in_tree(c))
        c->leaf = pli_tree_insert(&world->collider_tree, &c->bounds, slot);
    else
        list_slot(&world->endless, slot);
    if (is_field(c))
        list_slot(&world->fields, slot);
}

static void unlist_collider(pliant_world *world, int slot)
{
    const collider *c = &world->colliders[slot];
    if (is_in_tree(c))
        pli_tree_remove(&world->collider_tree, c->leaf);
    else
        unlist_slot(&world->endless, slot);
    if (is_field(c))
        unlist_slot(&world->fields, slot);
}

pliant_collider_id pliant_world_add_collider(pliant_world *world, const pliant_collider_def *def,
                                             pliant_error *error)
{
    if (pli_check_given(world, def, "def", error, __func__) || check_collider_def(def, error))
        return (pliant_collider_id){0, 0};
    int slot = world->lowest_free_collider;
    while (slot < world->collider_slot_count && world->colliders[slot].is_alive)
        ++slot;
    int slots = slot == world->collider_slot_count ? slot + 1 : world->collider_slot_count;
    if (!pli_know_shape(world, def->shape) || !pli_reserve_colliders(world, slots)) {
        pli_error_memory(error);
        return (pliant_collider_id){0, 0};
    }
    world->collider_slot_count = slots;
    collider *c = &world->colliders[slot];
    uint32_t generation = c->generation + 1;
    *c = (collider){.shape = def->shape,
                    .pose = {def->position, quat_normalize(def->orientation)},
                    .linear_velocity = def->linear_velocity,
                    .angular_velocity = def->angular_velocity,
                    .friction = def->friction,
                    .restitution = def->restitution,
                    .layers = def->layers,
                    .mask = def->mask,
                    .user_data = def->user_data,
                    .generation = generation ? generation : 1,
                    .is_alive = true};
    c->next = c->end = c->pose;
    c->bounds = bounds_of(c);
    pli_shape_retain(c->shape);
    world->lowest_free_collider = slot + 1;
    list_collider(world, slot);
    pli_wake_near(world, &c->bounds);
    return (pliant_collider_id){(uint32_t)slot, c->generation};
}

// What stays in the tree keeps its leaf: most colliders are where they were.
void pli_replace_collider(pliant_world *world, int slot, const collider *with)
{
    collider *c = &world->colliders[slot];
    collider before = *c, after = *with;
    if (after.is_alive)
        after.bounds = bounds_of(&after);
    bool keeps_place = before.is_alive && after.is_alive &&
                       is_in_tree(&before) == is_in_tree(&after) &&
                       is_field(&before) == is_field(&after);
    if (before.is_alive && !keeps_place)
        unlist_collider(world, slot);
    if (after.is_alive)
        pli_shape_retain(after.shape);
    if (before.is_alive)
        pli_shape_release(before.shape);
    *c = after;
    c->leaf = before.leaf;
    if (c->is_alive && !keeps_place)
        list_collider(world, slot);
    if (c->is_alive)
        pli_place_collider(world, slot);
}

// The shortest rotation that takes +y to the unit vector n.
static quat rotation_from_up(vec3 n)
{
    if (n.y < -0.99999f)
        return (quat){1, 0, 0, 0};
    return quat_normalize((quat){n.z, 0.0f, -n.x, 1.0f + n.y});
}

pliant_collider_id pliant_world_add_plane(pliant_world *world, const pliant_plane_def *def,
                                          pliant_error *error)
{
    if (pli_check_given(world, def, "def", error, __func__) || check_plane_def(def, error))
        return (pliant_collider_id){0, 0};
    pliant_collider_def collider_def = pliant_default_collider_def();
    vec3 n = vec3_scale(def->normal, 1.0f / vec3_length(def->normal));
    collider_def.shape = &pli_plane_shape;
    collider_def.position = vec3_scale(n, def->offset);
    collider_def.orientation = rotation_from_up(n);
    collider_def.friction = def->friction;
    collider_def.restitution = def->restitution;
    return pliant_world_add_collider(world, &collider_def, error);
}

collider *pli_world_collider(const pliant_world *world, pliant_collider_id id)
{
    if (!world || id.generation == 0 || id.index >= (uint32_t)world->collider_slot_count)
        return NULL;
    collider *c = &world->colliders[id.index];
    return c->is_alive && c->generation == id.generation ? c : NULL;
}

bool pliant_collider_is_valid(const pliant_world *world, pliant_collider_id id)
{
    return pli_world_collider(world, id) != NULL;
}

void pliant_world_remove_collider(pliant_world *world, pliant_collider_id id)
{
    collider *c = checked_collider(world, id, __func__);
    if (!c)
        return;
    c->is_alive = false;
    unlist_collider(world, (int)id.index);
    if ((int)id.index < world->lowest_free_collider)
        world->lowest_free_collider = (int)id.index;
    pli_drop_collider_attachments(world, id);
    pli_forget_collider_touches(world, (int)id.index);
    pli_forget_contacts(world);
    pli_wake_near(world, &c->bounds);
    pli_shape_release(c->shape);
}

// ---------------------------------------------------------------------------------------------
// Reading and changing

pliant_pose pliant_collider_pose(const pliant_world *world, pliant_collider_id id)
{
    const collider *c = checked_collider(world, id, __func__);
    return c ? c->pose : no_pose();
}

pliant_vec3 pliant_collider_velocity(const pliant_world *world, pliant_collider_id id)
{
    const collider *c = checked_collider(world, id, __func__);
    return c ? c->linear_velocity : (vec3){0, 0, 0};
}

pliant_vec3 pliant_collider_spin(const pliant_world *world, pliant_collider_id id)
{
    const collider *c = checked_collider(world, id, __func__);
    return c ? c->angular_velocity : (vec3){0, 0, 0};
}

void *pliant_collider_user_data(const pliant_world *world, pliant_collider_id id)
{
    const collider *c = checked_collider(world, id, __func__);
    return c ? c->user_data : NULL;
}

void pliant_collider_set_user_data(pliant_world *world, pliant_collider_id id, void *user_data)
{
    collider *c = checked_collider(world, id, __func__);
    if (c)
        c->user_data = user_data;
}

const pliant_shape *pliant_collider_shape(const pliant_world *world, pliant_collider_id id)
{
    const collider *c = checked_collider(world, id, __func__);
    return c ? c->shape : NULL;
}

// Finite, and with a rotation that has a direction.
static bool is_pose(pliant_pose pose)
{
    float length2 = quat_dot(pose.orientation, pose.orientation);
    return vec3_is_finite(pose.position) && length2 > 1e-12f && length2 < 1e12f;
}

void pliant_collider_set_pose(pliant_world *world, pliant_collider_id id, pliant_pose pose)
{
    collider *c = checked_collider(world, id, __func__);
    if (!c || !is_pose(pose))
        return;
    pli_wake_near(world, &c->bounds);
    c->pose = c->next = c->end = (pliant_pose){pose.position, quat_normalize(pose.orientation)};
    c->has_target = false;
    pli_place_collider(world, (int)id.index);
    pli_wake_near(world, &c->bounds);
}

void pliant_collider_set_velocity(pliant_world *world, pliant_collider_id id, pliant_vec3 linear,
                                  pliant_vec3 angular)
{
    collider *c = checked_collider(world, id, __func__);
    if (!c || !vec3_is_finite(linear) || !vec3_is_finite(angular))
        return;
    c->linear_velocity = linear;
    c->angular_velocity = angular;
    c->has_target = c->is_settled = false;
}

void pliant_collider_move_to(pliant_world *world, pliant_collider_id id, pliant_pose pose)
{
    collider *c = checked_collider(world, id, __func__);
    if (!c || !is_pose(pose))
        return;
    c->target = (pliant_pose){pose.position, quat_normalize(pose.orientation)};
    c->has_target = true;
    c->is_settled = false;
}

// ---------------------------------------------------------------------------------------------
// Moving

// Where it comes to with its velocities.
static pliant_pose pose_after(const collider *c, float time)
{
    pliant_pose pose = {vec3_add_scaled(c->pose.position, c->linear_velocity, time),
                        c->pose.orientation};
    if (spins(c))
        pose.orientation = quat_turn(c->pose.orientation, vec3_scale(c->angular_velocity, time));
    return pose;
}

// Its share of the way to where it is sent, with the velocities that this takes.
static void approach_target(const substep *s, collider *c)
{
    float share = 1.0f / (float)s->remaining;
    vec3 way = vec3_sub(c->target.position, c->pose.position);
    c->next = c->target;
    if (s->remaining > 1) {
        c->next.position = vec3_add_scaled(c->pose.position, way, share);
        c->next.orientation = quat_slerp(c->pose.orientation, c->target.orientation, share);
    }
    c->linear_velocity = vec3_scale(way, share / s->time);
    c->angular_velocity =
        vec3_scale(quat_difference(c->next.orientation, c->pose.orientation), 1.0f / s->time);
}

void pli_list_movers(pliant_world *world)
{
    world->mover_count = 0;
    for (int i = 0; i < world->collider_slot_count; ++i)
        if (world->colliders[i].is_alive && !world->colliders[i].is_settled)
            world->movers[world->mover_count++] = i;
}

void pli_advance_colliders(const substep *s)
{
    pliant_world *world = s->world;
    for (int k = 0; k < world->mover_count; ++k) {
        collider *c = &world->colliders[world->movers[k]];
        c->pose = c->next;
        if (c->has_target)
            approach_target(s, c);
        else
            c->next = pose_after(c, s->time);
        c->end = is_partial(s) ? pose_after(c, s->h) : c->next;
        update_bounds(world, c);
    }
}

// One that has reached its target stands there.
void pli_settle_colliders(pliant_world *world)
{
    for (int k = 0; k < world->mover_count; ++k) {
        collider *c = &world->colliders[world->movers[k]];
        c->pose = c->end = c->next;
        if (c->has_target)
            c->linear_velocity = c->angular_velocity = (vec3){0, 0, 0};
        c->has_target = false;
        c->is_settled = !pli_collider_moves(c);
        update_bounds(world, c);
    }
}

// By insertion: they are few, and those of the tree come in a run.
static void sort_slots(int32_t *slots, int count)
{
    for (int k = 1; k < count; ++k) {
        int32_t slot = slots[k];
        int at = k;
        for (; at > 0 && slots[at - 1] > slot; --at)
            slots[at] = slots[at - 1];
        slots[at] = slot;
    }
}

void pli_find_near_colliders(const pliant_world *world, const box *bounds, near_colliders *near)
{
    int endless = world->endless.count, room = MOST_NEAR_COLLIDERS - endless;
    int found =
        room < 0 ? 0 : pli_tree_find(&world->collider_tree, bounds, near->slots + endless, room);
    near->is_all = room < 0 || found > room;
    near->count = near->is_all ? world->collider_slot_count : endless + found;
    if (near->is_all)
        return;
    for (int k = 0; k < endless; ++k)
        near->slots[k] = world->endless.slots[k];
    sort_slots(near->slots, near->count);
}

bool pli_collider_meets(const collider *solid, const body *b)
{
    return solid->is_alive && (solid->layers & b->mask) && (b->layers & solid->mask);
}
