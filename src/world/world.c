// Worlds and their bodies: making, adding, removing.

#include "body_tree.h"
#include "calls.h"
#include "checks.h"
#include "contacts.h"
#include "pairs.h"
#include "sleep.h"

#include "form/shape.h"

#include <string.h>

enum { LARGEST_QUALITY = 1000 };
static const float SHORTEST_SUBSTEP_LENGTH = 1e-5f, LONGEST_SUBSTEP_LENGTH = 0.1f; // s

// ---------------------------------------------------------------------------------------------
// Definitions

pliant_world_def pliant_default_world_def(void)
{
    return (pliant_world_def){.gravity = {0.0f, -9.81f, 0.0f},
                              .substep_length = 1.0f / 300.0f,
                              .iterations = 2,
                              .longest_step = 0.5f,
                              .fixed_step = 1.0f / 60.0f,
                              .depenetration_speed = 1.0f,
                              .restitution_threshold = 0.5f,
                              .impact_speed = 1.0f,
                              .sleep_speed = 0.02f,
                              .sleep_time = 0.5f};
}

pliant_body_def pliant_default_body_def(void)
{
    pliant_material material = pliant_default_material();
    return (pliant_body_def){.orientation = {0, 0, 0, 1},
                             .linear_damping = material.linear_damping,
                             .angular_damping = material.angular_damping,
                             .shape_damping = material.shape_damping,
                             .gravity_scale = 1.0f,
                             .friction = material.friction,
                             .restitution = material.restitution,
                             .layers = 1,
                             .mask = UINT32_MAX,
                             .self_collision = material.self_collision};
}

pliant_body_def pliant_model_body_def(const pliant_model *model)
{
    pliant_body_def def = pliant_default_body_def();
    pliant_material material = pliant_model_material(model);
    def.model = model;
    def.friction = material.friction;
    def.restitution = material.restitution;
    def.linear_damping = material.linear_damping;
    def.angular_damping = material.angular_damping;
    def.shape_damping = material.shape_damping;
    def.self_collision = material.self_collision;
    return def;
}

pliant_result pli_check_range(pliant_error *error, const char *what, float value, float low,
                              float high)
{
    if (value >= low && value <= high)
        return PLIANT_OK;
    return pli_error_set(error, PLIANT_ERROR_ARGUMENT, what, "%g is not in [%g, %g]", (double)value,
                         (double)low, (double)high);
}

pliant_result pli_check_vector(pliant_error *error, const char *what, vec3 v)
{
    if (absolute(v.x) <= 1e6f && absolute(v.y) <= 1e6f && absolute(v.z) <= 1e6f)
        return PLIANT_OK;
    return pli_error_set(error, PLIANT_ERROR_ARGUMENT, what, "(%g, %g, %g) is not within ±1e6",
                         (double)v.x, (double)v.y, (double)v.z);
}

pliant_result pli_check_motion(pliant_error *error, pliant_pose pose, vec3 linear, vec3 angular)
{
    float length2 = quat_dot(pose.orientation, pose.orientation);
    if (!(length2 > 1e-12f && length2 < 1e12f))
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "orientation", "is not a rotation");
    pliant_result result = pli_check_vector(error, "position", pose.position);
    if (!result)
        result = pli_check_vector(error, "linear_velocity", linear);
    return result ? result : pli_check_vector(error, "angular_velocity", angular);
}

pliant_result pli_check_surface(pliant_error *error, float friction, float restitution)
{
    pliant_result result = pli_check_range(error, "friction", friction, 0, 1e3f);
    return result ? result : pli_check_range(error, "restitution", restitution, 0, 1);
}

pliant_result pli_check_world_def(const pliant_world_def *def, pliant_error *error)
{
    pliant_result result = pli_check_vector(error, "gravity", def->gravity);
    if (!result)
        result = pli_check_range(error, "substep_length", def->substep_length,
                                 SHORTEST_SUBSTEP_LENGTH, LONGEST_SUBSTEP_LENGTH);
    if (!result)
        result = pli_check_range(error, "iterations", (float)def->iterations, 1, LARGEST_QUALITY);
    if (!result)
        result = pli_check_range(error, "longest_step", def->longest_step, 1e-3f, 1e3f);
    if (!result)
        result = pli_check_range(error, "fixed_step", def->fixed_step, 1e-4f, 0.1f);
    if (!result)
        result = pli_check_range(error, "depenetration_speed", def->depenetration_speed, 0, 1e3f);
    if (!result)
        result =
            pli_check_range(error, "restitution_threshold", def->restitution_threshold, 0, 1e6f);
    if (!result)
        result = pli_check_range(error, "impact_speed", def->impact_speed, 0, 1e6f);
    if (!result)
        result = pli_check_range(error, "sleep_speed", def->sleep_speed, 0, 1e6f);
    if (!result)
        result = pli_check_range(error, "sleep_time", def->sleep_time, 0, 1e6f);
    return result;
}

static pliant_result check_body_def(const pliant_body_def *def, pliant_error *error)
{
    if (!def->model)
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "model", "is NULL");
    pliant_result result = pli_check_motion(error, (pliant_pose){def->position, def->orientation},
                                            def->linear_velocity, def->angular_velocity);
    if (!result)
        result = pli_check_range(error, "linear_damping", def->linear_damping, 0, 0.999999f);
    if (!result)
        result = pli_check_range(error, "angular_damping", def->angular_damping, 0, 0.999999f);
    if (!result)
        result = pli_check_range(error, "shape_damping", def->shape_damping, 0, 0.999999f);
    if (!result)
        result = pli_check_range(error, "gravity_scale", def->gravity_scale, -1e3f, 1e3f);
    return result ? result : pli_check_surface(error, def->friction, def->restitution);
}

// ---------------------------------------------------------------------------------------------
// Memory

// The most for which the kernel of planes watches an ellipsoid.
static float plane_reach_of(const pliant_model *model)
{
    float largest = 0.0f;
    for (int i = 0; i < model->source.particle_count; ++i)
        largest = maximum(largest, sym3_trace(model->ellipsoids[i]));
    return PLANE_REACH * square_root(largest);
}

static float box_reach_of(const pliant_model *model)
{
    float largest = 0.0f;
    for (int i = 0; i < model->source.particle_count; ++i)
        largest = maximum(largest, model->sizes[i].largest);
    return (1.0f + CONTACT_MARGIN) * largest;
}

static float pair_margin_of(const pliant_model *model)
{
    float most = 0.0f;
    for (int i = 0; i < model->source.particle_count; ++i)
        most = maximum(most, model->traits[i].reach);
    return maximum((1.0f + WATCH_MARGIN) * most - box_reach_of(model), 0.0f);
}

pliant_world *pliant_world_create(const pliant_world_def *def, pliant_error *error)
{
    if (!def) {
        pli_error_set(error, PLIANT_ERROR_ARGUMENT, "def", "is NULL");
        return NULL;
    }
    if (pli_check_world_def(def, error))
        return NULL;
    pliant_allocator allocator = pli_allocator_or_default(&def->allocator);
    pliant_world *world = pli_memory_new(&allocator, 1, sizeof *world);
    if (!world) {
        pli_error_memory(error);
        return NULL;
    }
    world->def = *def;
    world->substep_length = def->substep_length;
    world->allocator = allocator;
    world->kernels = pli_choose_kernels(def->instructions);
    return world;
}

void pliant_world_destroy(pliant_world *world)
{
    if (!world)
        return;
    pliant_allocator allocator = world->allocator;
    for (int k = 0; k < world->active_count; ++k) {
        body *b = &world->bodies[world->active[k]];
        pli_rest_free(&b->own_rest, &allocator);
        pli_model_release(b->model);
    }
    for (int i = 0; i < world->collider_slot_count; ++i)
        if (world->colliders[i].is_alive)
            pli_shape_release(world->colliders[i].shape);
    pli_free_known(world);
    pli_storage_free(world);
    pli_memory_free(&allocator, world->bodies);
    pli_memory_free(&allocator, world->active);
    pli_memory_free(&allocator, world->block_work);
    pli_memory_free(&allocator, world->gifts);
    pli_memory_free(&allocator, world->colliders);
    pli_memory_free(&allocator, world->endless.slots);
    pli_memory_free(&allocator, world->fields.slots);
    pli_memory_free(&allocator, world->movers);
    pli_tree_free(&world->collider_tree, &allocator);
    pli_tree_free(&world->body_tree, &allocator);
    pli_memory_free(&allocator, world->searched.runs);
    pli_free_attachments(world);
    pli_free_contacts(world);
    pli_free_pairs(world);
    pli_free_pair_work(world);
    pli_free_touches(&world->touches, &allocator);
    pli_memory_free(&allocator, world);
}

// ---------------------------------------------------------------------------------------------
// Bodies

body *pli_world_body(const pliant_world *world, pliant_body_id id)
{
    if (!world || id.generation == 0 || id.index >= (uint32_t)world->body_slot_count)
        return NULL;
    body *b = &world->bodies[id.index];
    return b->is_alive && b->generation == id.generation ? b : NULL;
}

static bool is_body(const pliant_world *world, int64_t slot)
{
    return slot >= 0 && slot < world->body_slot_count && world->bodies[slot].is_alive;
}

bool pli_are_bodies(const pliant_world *world, int64_t first, int64_t second)
{
    return is_body(world, first) && is_body(world, second);
}

bool pliant_body_is_valid(const pliant_world *world, pliant_body_id id)
{
    return pli_world_body(world, id) != NULL;
}

int pliant_world_body_count(const pliant_world *world)
{
    return checked_world(world, __func__) ? world->active_count : 0;
}

pliant_body_id pliant_world_body_at(const pliant_world *world, int index)
{
    if (!checked_world(world, __func__) ||
        !checked_index(world, "body", index, world->active_count, __func__))
        return (pliant_body_id){0, 0};
    int slot = world->active[index];
    return (pliant_body_id){(uint32_t)slot, world->bodies[slot].generation};
}

// The lowest one that is not used.
static int free_body_slot(const pliant_world *world)
{
    int slot = world->lowest_free_body;
    while (slot < world->body_slot_count && world->bodies[slot].is_alive)
        ++slot;
    return slot;
}

// Where a slot is in the list of living bodies, or would be.
static int find_active(const pliant_world *world, int slot)
{
    int low = 0, high = world->active_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (world->active[middle] < slot)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void list_body(pliant_world *world, int slot)
{
    int at = find_active(world, slot);
    memmove(world->active + at + 1, world->active + at,
            (size_t)(world->active_count - at) * sizeof *world->active);
    world->active[at] = slot;
    world->active_count += 1;
    world->lowest_free_body = slot + 1;
}

static void unlist_body(pliant_world *world, int slot)
{
    int at = find_active(world, slot);
    world->active_count -= 1;
    memmove(world->active + at, world->active + at + 1,
            (size_t)(world->active_count - at) * sizeof *world->active);
    if (slot < world->lowest_free_body)
        world->lowest_free_body = slot;
}

bool pli_reserve_body(pliant_world *world, const pliant_world *others, const body *b, int slot)
{
    const pliant_model *model = b->model;
    // A body alone in its world that does not collide with itself has no pairs.
    bool has_pairs = others->active_count > 0 || b->self_collision;
    if (model->source.particle_count > INT32_MAX / CONTACTS_PER_PARTICLE - CONTACTS_PER_BODY ||
        !pli_storage_reserve(world, others->counts, model))
        return false;
    int particles = others->particle_count + model->source.particle_count;
    return pli_memory_grow(&world->allocator, (void **)&world->bodies, sizeof *world->bodies,
                           world->body_slot_count, &world->body_slot_capacity, slot + 1) &&
           pli_memory_grow(&world->allocator, (void **)&world->active, sizeof *world->active,
                           world->active_count, &world->active_capacity, slot + 1) &&
           pli_memory_grow(&world->allocator, (void **)&world->searched.runs,
                           sizeof *world->searched.runs, world->searched.run_count,
                           &world->searched.run_capacity, slot + 1) &&
           pli_tree_reserve(&world->body_tree, &world->allocator, slot + 1) &&
           pli_reserve_touches(world, slot + 1) &&
           pli_memory_grow(&world->allocator, (void **)&world->block_work,
                           BLOCK_WORK * sizeof *world->block_work, 0, &world->block_room,
                           model->blocks.count) &&
           pli_reserve_gifts(world, model) &&
           (!has_pairs || (pli_reserve_pair_work(world, particles, slot + 1) &&
                           pli_reserve_pairs(world, particles)));
}

void pli_assign_ranges(pliant_world *world, body *b)
{
    pli_storage_assign(world, b);
    b->plane_reach = plane_reach_of(b->model);
    b->box_reach = box_reach_of(b->model);
    b->pair_margin = pair_margin_of(b->model);
}

void pli_own_particles(pliant_world *world, int slot)
{
    const body *b = &world->bodies[slot];
    for (int k = 0; k < b->model->source.particle_count; ++k)
        world->owner[b->particle_first + k] = slot;
    pli_describe_forms(world, b);
}

static body body_of(const pliant_body_def *def)
{
    return (body){.model = def->model,
                  .is_alive = true,
                  .gyroscopic = def->gyroscopic,
                  .self_collision = def->self_collision,
                  .layers = def->layers,
                  .mask = def->mask,
                  .linear_rate = pli_damping_rate(def->linear_damping),
                  .angular_rate = pli_damping_rate(def->angular_damping),
                  .shape_rate = pli_damping_rate(def->shape_damping),
                  .gravity_scale = def->gravity_scale,
                  .friction = def->friction,
                  .restitution = def->restitution,
                  .stiffness_scale = 1.0f,
                  .solved_scale = 1.0f,
                  .user_data = def->user_data};
}

pliant_body_id pliant_world_add_body(pliant_world *world, const pliant_body_def *def,
                                     pliant_error *error)
{
    if (pli_check_given(world, def, "def", error, __func__) || check_body_def(def, error))
        return (pliant_body_id){0, 0};
    int slot = free_body_slot(world);
    body added = body_of(def);
    if (!pli_know_model(world, def->model) || !pli_reserve_body(world, world, &added, slot) ||
        (pli_body_is_plastic(&added) &&
         !pli_rest_allocate(&added.own_rest, def->model, &world->allocator))) {
        pli_rest_free(&added.own_rest, &world->allocator);
        pli_error_memory(error);
        return (pliant_body_id){0, 0};
    }
    if (slot == world->body_slot_count)
        world->body_slot_count += 1;
    body *b = &world->bodies[slot];
    uint32_t generation = b->generation + 1;
    *b = added;
    b->generation = generation ? generation : 1;
    pli_model_retain(b->model);
    pli_assign_ranges(world, b);
    pli_storage_clear(world, b);
    list_body(world, slot);
    pli_forget_foresight(world);

    for (int k = 0; k < b->model->source.particle_count; ++k)
        world->pinned[b->particle_first + k] = pli_is_pinned_in(b->model, k);
    pli_body_update_masses(world, b);
    pli_own_particles(world, slot);
    pliant_body_id id = {(uint32_t)slot, b->generation};
    pliant_body_reset(world, id, (pliant_pose){def->position, def->orientation});
    pliant_body_set_velocity(world, id, def->linear_velocity, def->angular_velocity);
    return id;
}

void pliant_world_remove_body(pliant_world *world, pliant_body_id id)
{
    body *b = checked_body(world, id, __func__);
    if (!b)
        return;
    pli_drop_body_attachments(world, id);
    box left = pli_body_box(world, b);
    pli_unplace_body(world, b);
    pli_storage_remove(world, b);
    pli_forget_foresight(world);
    pli_rest_free(&b->own_rest, &world->allocator);
    pli_model_release(b->model);
    b->is_alive = false;
    pli_forget_body_touches(world, (int)id.index);
    pli_forget_entangled(world, (int)id.index);
    pli_forget_landings(world, (int)id.index);
    pli_forget_contacts(world);
    unlist_body(world, (int)id.index);
    pli_wake_near(world, &left);
}

// ---------------------------------------------------------------------------------------------
// Settings

double pliant_world_time(const pliant_world *world)
{
    return checked_world(world, __func__) ? world->time : 0.0;
}

void pliant_world_set_gravity(pliant_world *world, pliant_vec3 gravity)
{
    if (!checked_world(world, __func__))
        return;
    vec3 now = world->def.gravity;
    if (pli_check_vector(NULL, "gravity", gravity) ||
        (gravity.x == now.x && gravity.y == now.y && gravity.z == now.z))
        return;
    world->def.gravity = gravity;
    pli_wake_all(world);
}

pliant_vec3 pliant_world_gravity(const pliant_world *world)
{
    return checked_world(world, __func__) ? world->def.gravity : (vec3){0, 0, 0};
}

static int clamp_quality(int value)
{
    return value < 1 ? 1 : value > LARGEST_QUALITY ? LARGEST_QUALITY : value;
}

void pliant_world_set_quality(pliant_world *world, int substeps, int iterations)
{
    if (!checked_world(world, __func__))
        return;
    pliant_world_set_substep_length(world, pliant_substep_length((float)clamp_quality(substeps)));
    pliant_world_set_iterations(world, iterations);
}

void pliant_world_set_substep_length(pliant_world *world, float length)
{
    if (checked_world(world, __func__) && length == length)
        world->def.substep_length =
            minimum(LONGEST_SUBSTEP_LENGTH, maximum(SHORTEST_SUBSTEP_LENGTH, length));
}

void pliant_world_set_iterations(pliant_world *world, int iterations)
{
    if (!checked_world(world, __func__))
        return;
    world->def.iterations = clamp_quality(iterations);
}

float pliant_substep_length(float substeps)
{
    return (float)(1.0 / (60.0 * (double)substeps));
}
