// Another model for a living body: another level of detail of the same thing.
//
// Each particle of the new model stands somewhere in the old one (model/ancestors.h), and goes on as what is there does. With p its
// place in model space, and x̄, x, R, v, ω the rest positions and the state of its ancestors, weighted by w,
//
//     x_new = Σ w (x + R (p - x̄)),     R_new = Σ w R, normalised,     v_new = Σ w (v + ω × R (p - x̄))
//
// which is exact where the old body moved rigidly. What is left of linear and angular momentum (the two models' masses are not at
// the same places) is made up for by a rigid motion. The body keeps its id, its settings, the pins and targets that a caller gave
// it, its attachments and its dents.

#include "body_tree.h"
#include "calls.h"
#include "contacts.h"
#include "inertia.h"
#include "landing.h"
#include "places.h"
#include "sleep.h"

#include "model/ancestors.h"

typedef struct change {
    pliant_world *world;
    body old;           // with its ranges, until it goes
    body *b;            // as it is to be
    ancestors *of;      // the old model
    int32_t *successor; // of each old particle: the nearest new one
} change;

static const pliant_particle_def *old_particle(const change *c, int32_t k)
{
    return &c->old.model->source.particles[k];
}

// ---------------------------------------------------------------------------------------------
// What it takes

static void end_change(change *c)
{
    pli_ancestors_destroy(c->of);
    pli_memory_free(&c->world->allocator, c->successor);
}

// Everything that may fail. A body that dents or creep change has rest data of its own, and one with other pins than its model's.
static bool begin_change(change *c, int slot, const pliant_model *model, rest *own)
{
    pliant_world *world = c->world;
    int count = c->old.model->source.particle_count;
    body next = c->old;
    next.model = model;
    ancestors *successors = pli_ancestors_create(model, &world->allocator);
    c->of = pli_ancestors_create(c->old.model, &world->allocator);
    c->successor = pli_memory_new(&world->allocator, (size_t)count, sizeof *c->successor);
    bool has_own_rest = pli_body_is_plastic(&next) || c->old.own_rest.rows;
    bool enough = successors && c->of && c->successor && pli_know_model(world, model) &&
                  pli_reserve_body(world, world, &next, slot) &&
                  (!has_own_rest || pli_rest_allocate(own, model, &world->allocator));
    for (int k = 0; enough && k < count; ++k)
        c->successor[k] = pli_nearest_ancestor(successors, old_particle(c, k)->position);
    pli_ancestors_destroy(successors);
    if (!enough) {
        pli_rest_free(own, &world->allocator);
        end_change(c);
    }
    return enough;
}

// ---------------------------------------------------------------------------------------------
// State

typedef struct inherited {
    double x[3]; // m, from the nearest ancestor's place
    vec3 v, spin;
    float turn[4]; // a sum, on the side of the nearest one's
} inherited;

static void add_share(const change *c, int32_t ancestor, float weight, vec3 place, quat first,
                      inherited *sum)
{
    const pliant_world *world = c->world;
    int i = c->old.particle_first + ancestor;
    quat turn = world->turn[i];
    float side = quat_dot(turn, first) < 0.0f ? -weight : weight;
    vec3 arm = quat_rotate(turn, vec3_sub(place, old_particle(c, ancestor)->position));
    sum->x[0] +=
        (double)weight * ((double)world->x[i].x + (double)world->x_low[i].x + (double)arm.x);
    sum->x[1] +=
        (double)weight * ((double)world->x[i].y + (double)world->x_low[i].y + (double)arm.y);
    sum->x[2] +=
        (double)weight * ((double)world->x[i].z + (double)world->x_low[i].z + (double)arm.z);
    vec3 v = vec3_add(world->v[i], vec3_cross(world->spin[i], arm));
    sum->v = vec3_add_scaled(sum->v, v, weight);
    sum->spin = vec3_add_scaled(sum->spin, world->spin[i], weight);
    sum->turn[0] += side * turn.x;
    sum->turn[1] += side * turn.y;
    sum->turn[2] += side * turn.z;
    sum->turn[3] += side * turn.w;
}

static void set_precise(float *x, float *low, double place)
{
    *x = (float)place;
    *low = (float)(place - (double)*x);
}

static void inherit_motion(const change *c, int i, vec3 place, const ancestry *from)
{
    pliant_world *world = c->world;
    quat first = world->turn[c->old.particle_first + from->particles[0]];
    inherited sum = {0};
    for (int k = 0; k < from->count; ++k)
        add_share(c, from->particles[k], from->weights[k], place, first, &sum);
    set_precise(&world->x[i].x, &world->x_low[i].x, sum.x[0]);
    set_precise(&world->x[i].y, &world->x_low[i].y, sum.x[1]);
    set_precise(&world->x[i].z, &world->x_low[i].z, sum.x[2]);
    world->turn[i] = quat_normalize((quat){sum.turn[0], sum.turn[1], sum.turn[2], sum.turn[3]});
    world->v[i] = sum.v;
    world->spin[i] = sum.spin;
}

// Where dents have moved the rest shape, that of the new particle, too.
static void inherit_rest(const change *c, int i, vec3 place, const ancestry *from)
{
    pliant_world *world = c->world;
    vec3 x = {0, 0, 0};
    for (int k = 0; k < from->count; ++k) {
        int j = c->old.particle_first + from->particles[k];
        vec3 arm = vec3_sub(place, old_particle(c, from->particles[k])->position);
        vec3 rested = vec3_add(world->rest_x[j], quat_rotate(world->rest_turn[j], arm));
        x = vec3_add_scaled(x, rested, from->weights[k]);
    }
    bool is_dented = c->b->model->has_dents && c->old.model->has_dents;
    world->rest_x[i] = is_dented ? x : place;
    world->rest_turn[i] =
        is_dented ? world->rest_turn[c->old.particle_first + from->particles[0]] : quat_identity();
}

// A pinned one goes where the nearest of the old ones was to go.
static void inherit_target(const change *c, int i, vec3 place, int32_t nearest)
{
    pliant_world *world = c->world;
    int j = c->old.particle_first + nearest;
    vec3 arm = vec3_sub(place, old_particle(c, nearest)->position);
    world->target_x[i] = world->x[i];
    world->target_turn[i] = world->turn[i];
    if (!world->pinned[i] || !world->has_target[j])
        return;
    world->target_turn[i] = world->target_turn[j];
    world->target_x[i] = vec3_add(world->target_x[j], quat_rotate(world->target_turn[j], arm));
    world->has_target[i] = 1;
}

// What a caller did to single particles: pins that are not the model's, and forces.
static void inherit_from_calls(const change *c)
{
    pliant_world *world = c->world;
    for (int k = 0; k < c->old.model->source.particle_count; ++k) {
        int j = c->old.particle_first + k, i = c->b->particle_first + c->successor[k];
        if (world->pinned[j] != pli_is_pinned_in(c->old.model, k))
            world->pinned[i] = world->pinned[j];
        world->force[i] = vec3_add(world->force[i], world->force[j]);
    }
}

static void inherit_motors(const change *c)
{
    pliant_world *world = c->world;
    int hinges = c->b->model->source.hinge_count;
    for (int k = 0; hinges == c->old.model->source.hinge_count && k < hinges; ++k) {
        world->motor_speed[c->b->hinge_first + k] = world->motor_speed[c->old.hinge_first + k];
        world->motor_torque[c->b->hinge_first + k] = world->motor_torque[c->old.hinge_first + k];
    }
}

static void inherit(const change *c)
{
    pliant_world *world = c->world;
    const pliant_model *model = c->b->model;
    for (int k = 0; k < model->source.particle_count; ++k)
        world->pinned[c->b->particle_first + k] = pli_is_pinned_in(model, k);
    inherit_from_calls(c);
    for (int k = 0; k < model->source.particle_count; ++k) {
        int i = c->b->particle_first + k;
        vec3 place = model->source.particles[k].position;
        ancestry from = pli_ancestry_of(c->of, place);
        inherit_motion(c, i, place, &from);
        inherit_rest(c, i, place, &from);
        inherit_target(c, i, place, from.particles[0]);
        if (world->pinned[i])
            world->v[i] = world->spin[i] = (vec3){0, 0, 0};
    }
    inherit_motors(c);
}

static void place_rest(const change *c)
{
    const pliant_world *world = c->world;
    body *b = c->b;
    const uint8_t *pinned = world->pinned + b->particle_first;
    rest_pose pose = pli_body_rest_pose(world, b);
    const rest_pose *shape = b->model->has_dents ? &pose : NULL;
    if (!b->own_rest.rows)
        return;
    for (int i = 0; i < b->model->group_count; ++i)
        pli_rest_place_group(&b->own_rest, b->model, i, pinned, shape);
    for (int i = 0; i < b->model->source.edge_count; ++i)
        pli_rest_place_edge(&b->own_rest, b->model, i, shape);
}

// ---------------------------------------------------------------------------------------------
// Momentum

static sym3 inertia_about(const pliant_world *world, const body *b, const double centre[3])
{
    sym3 inertia = {0};
    for (int k = 0; k < b->model->source.particle_count; ++k) {
        int i = b->particle_first + k;
        vec3 arm = {(float)((double)world->x[i].x - centre[0]),
                    (float)((double)world->x[i].y - centre[1]),
                    (float)((double)world->x[i].z - centre[2])};
        add_inertia(&inertia, b->model->source.particles[k].mass, arm, b->model->moments[k],
                    world->turn[i]);
    }
    return inertia;
}

// Adds what is missing, as a rigid motion. A body that something holds has no momentum of its own.
static void keep_momenta(pliant_world *world, body *b, pliant_body_id id,
                         const pliant_motion *before)
{
    pliant_motion now = pliant_body_motion(world, id);
    const double *P = before->linear_momentum;
    double missing[3], apart[3];
    for (int k = 0; k < 3; ++k) {
        apart[k] = before->centre[k] - now.centre[k];
        missing[k] = before->angular_momentum[k] - now.angular_momentum[k];
    }
    vec3 moment = {(float)(missing[0] + apart[1] * P[2] - apart[2] * P[1]),
                   (float)(missing[1] + apart[2] * P[0] - apart[0] * P[2]),
                   (float)(missing[2] + apart[0] * P[1] - apart[1] * P[0])};
    vec3 push = {(float)((P[0] - now.linear_momentum[0]) / now.mass),
                 (float)((P[1] - now.linear_momentum[1]) / now.mass),
                 (float)((P[2] - now.linear_momentum[2]) / now.mass)};
    vec3 turn = sym3_mul_vec(sym3_inverse(inertia_about(world, b, now.centre)), moment);
    if (b->pinned_count > 0 || !vec3_is_finite(turn) || !vec3_is_finite(push))
        return;
    for (int k = 0; k < b->model->source.particle_count; ++k) {
        int i = b->particle_first + k;
        vec3 arm = {(float)((double)world->x[i].x - now.centre[0]),
                    (float)((double)world->x[i].y - now.centre[1]),
                    (float)((double)world->x[i].z - now.centre[2])};
        world->v[i] = vec3_add(vec3_add(world->v[i], push), vec3_cross(turn, arm));
        world->spin[i] = vec3_add(world->spin[i], turn);
    }
}

// ---------------------------------------------------------------------------------------------

// What others know of the old particles, and what the world found of them, holds no longer.
static void forget_old(const change *c, int slot)
{
    pliant_world *world = c->world;
    world->touches.event_count = 0;
    pli_forget_contacts(world);
    pli_forget_entangled(world, slot);
    pli_forget_landings(world, slot);
    pli_forget_foresight(world);
    body *b = c->b;
    b->landing = (landing){0};
    b->ledger = (ledger){0};
    b->has_before = b->has_alphas = false;
    pli_doubt_ledger(b);
}

static void change_model(change *c, pliant_body_id id, const pliant_model *model, rest *own)
{
    pliant_world *world = c->world;
    body *b = c->b;
    pliant_motion before = pliant_body_motion(world, id);
    pli_note_excess(world, id);
    pli_wake_body(world, b);
    c->old = *b;
    b->model = model;
    b->own_rest = *own;
    pli_model_retain(model);
    pli_assign_ranges(world, b);
    pli_storage_clear(world, b);
    pli_own_particles(world, (int)id.index);
    inherit(c);
    pli_body_update_masses(world, b);
    place_rest(c);
    pli_storage_remove(world, &c->old);
    pli_rest_free(&c->old.own_rest, &world->allocator);
    keep_momenta(world, b, id, &before);
    pli_move_attachments(world, id, c->successor);
    forget_old(c, (int)id.index);
    pli_place_body(world, b);
    pli_model_release(c->old.model);
}

pliant_result pliant_body_set_model(pliant_world *world, pliant_body_id id,
                                    const pliant_model *model, pliant_error *error)
{
    body *b = checked_body(world, id, __func__);
    if (!b)
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "body", "is not a body of this world");
    if (pli_check_given(world, model, "model", error, __func__))
        return PLIANT_ERROR_ARGUMENT;
    change c = {.world = world, .old = *b, .b = b};
    rest own = {0};
    if (model == b->model)
        return PLIANT_OK;
    if (!begin_change(&c, (int)id.index, model, &own))
        return pli_error_memory(error);
    c.b = &world->bodies[id.index];
    change_model(&c, id, model, &own);
    end_change(&c);
    return PLIANT_OK;
}
