// What callers read from and do to a body.

#include "body_tree.h"
#include "calls.h"
#include "checks.h"
#include "elastic_groups.h"
#include "places.h"
#include "sleep.h"

static quat bind_orientation(const body *b, int particle)
{
    return b->model->source.particles[particle].orientation;
}

// Zero-length rotations from a caller count as none.
static quat safe_rotation(quat q)
{
    float length2 = quat_dot(q, q);
    return length2 > 1e-12f && is_finite(length2) ? quat_normalize(q) : quat_identity();
}

// ---------------------------------------------------------------------------------------------
// Reading

const pliant_model *pliant_body_model(const pliant_world *world, pliant_body_id id)
{
    const body *b = checked_body(world, id, __func__);
    return b ? b->model : NULL;
}

void *pliant_body_user_data(const pliant_world *world, pliant_body_id id)
{
    const body *b = checked_body(world, id, __func__);
    return b ? b->user_data : NULL;
}

void pliant_body_set_user_data(pliant_world *world, pliant_body_id id, void *user_data)
{
    body *b = checked_body(world, id, __func__);
    if (b)
        b->user_data = user_data;
}

// Never inlined: in a loop over particles GCC 12 vectorises the product at -O3, and fuses its alternating additions and
// subtractions in spite of -ffp-contract=off (vfmsubadd).
__attribute__((noinline)) static pliant_pose pose_of(const pliant_world *world, const body *b,
                                                     int particle)
{
    int i = b->particle_first + particle;
    quat turn = quat_mul(world->turn[i], bind_orientation(b, particle));
    return (pliant_pose){world->x[i], quat_normalize(turn)};
}

pliant_pose pliant_body_particle_pose(const pliant_world *world, pliant_body_id id, int particle)
{
    const body *b = checked_particle(world, id, particle, __func__);
    return b ? pose_of(world, b, particle) : no_pose();
}

void pliant_body_poses(const pliant_world *world, pliant_body_id id, pliant_pose *poses)
{
    const body *b = checked_body(world, id, __func__);
    if (!b || !checked_pointer(world, poses, "poses", __func__))
        return;
    for (int k = 0; k < b->model->source.particle_count; ++k)
        poses[k] = pose_of(world, b, k);
}

void pliant_body_poses_between(const pliant_world *world, pliant_body_id id, float blend,
                               pliant_pose *poses)
{
    const body *b = checked_body(world, id, __func__);
    if (!b || !checked_pointer(world, poses, "poses", __func__))
        return;
    for (int k = 0; k < b->model->source.particle_count; ++k) {
        int i = b->particle_first + k;
        poses[k] = pose_of(world, b, k);
        if (!b->has_before || blend == 1.0f)
            continue;
        vec3 way = vec3_sub(world->x[i], world->x_good[i]);
        quat turn = quat_blend(world->turn_good[i], world->turn[i], blend);
        poses[k].position = vec3_add_scaled(world->x_good[i], way, blend);
        poses[k].orientation = quat_normalize(quat_mul(turn, bind_orientation(b, k)));
    }
}

pliant_vec3 pliant_body_particle_velocity(const pliant_world *world, pliant_body_id id,
                                          int particle)
{
    const body *b = checked_particle(world, id, particle, __func__);
    if (!b)
        return (vec3){0, 0, 0};
    return world->v[b->particle_first + particle];
}

pliant_vec3 pliant_body_particle_spin(const pliant_world *world, pliant_body_id id, int particle)
{
    const body *b = checked_particle(world, id, particle, __func__);
    if (!b)
        return (vec3){0, 0, 0};
    return world->spin[b->particle_first + particle];
}

void pliant_body_bounds(const pliant_world *world, pliant_body_id id, pliant_vec3 *low,
                        pliant_vec3 *high)
{
    if (low)
        *low = (vec3){0, 0, 0};
    if (high)
        *high = (vec3){0, 0, 0};
    const body *b = checked_body(world, id, __func__);
    if (!b || !checked_pointer(world, low, "minimum", __func__) ||
        !checked_pointer(world, high, "maximum", __func__))
        return;
    for (int k = 0; k < b->model->source.particle_count; ++k) {
        int i = b->particle_first + k;
        form turned = form_turned(pli_model_form(b->model, k), world->turn[i]);
        box around = pli_form_bounds(&turned, world->x[i]);
        *low = k == 0 ? around.low : vec3_lowest(*low, around.low);
        *high = k == 0 ? around.high : vec3_highest(*high, around.high);
    }
}

bool pliant_body_is_frozen(const pliant_world *world, pliant_body_id id)
{
    const body *b = checked_body(world, id, __func__);
    return b && b->is_frozen;
}

bool pliant_body_group_is_loose(const pliant_world *world, pliant_body_id id, int index)
{
    const body *b = checked_group(world, id, index, __func__);
    if (!b)
        return false;
    int i = b->model->implicit_count;
    while (b->model->groups[i].source != index)
        ++i;
    return world->loose[b->group_first + i] > 0.0f;
}

bool pliant_body_is_pinned(const pliant_world *world, pliant_body_id id, int particle)
{
    const body *b = checked_particle(world, id, particle, __func__);
    return b && world->pinned[b->particle_first + particle];
}

// ---------------------------------------------------------------------------------------------
// Placing and moving

void pliant_body_set_particle_pose(pliant_world *world, pliant_body_id id, int particle,
                                   pliant_pose pose)
{
    body *b = checked_particle(world, id, particle, __func__);
    if (!b || pli_check_vector(NULL, "position", pose.position))
        return;
    pli_wake_body(world, b);
    b->has_before = false;
    pli_doubt_ledger(b);
    int i = b->particle_first + particle;
    quat bind = bind_orientation(b, particle);
    world->x[i] = pose.position;
    world->x_low[i] = (vec3){0, 0, 0};
    world->turn[i] =
        quat_normalize(quat_mul(safe_rotation(pose.orientation), quat_conjugate(bind)));
    world->has_target[i] = 0;
    pli_reach_particle(world, b, particle);
}

// Returns the energy that this adds, J.
static double change_velocity(pliant_world *world, const body *b, int i, vec3 v)
{
    vec3 before = world->v[i];
    double mass = b->model->source.particles[i - b->particle_first].mass;
    world->v[i] = v;
    return 0.5 * mass * ((double)vec3_dot(v, v) - (double)vec3_dot(before, before));
}

static double set_particle_velocity(pliant_world *world, const body *b, int particle, vec3 linear,
                                    vec3 angular)
{
    int i = b->particle_first + particle;
    if (world->pinned[i] || b->is_frozen)
        return 0.0;
    world->spin[i] = angular;
    return change_velocity(world, b, i, linear);
}

// A caller has changed velocities of a body, and with them its energy.
static void follow_hand(pliant_world *world, body *b, double energy)
{
    pli_wake_body(world, b);
    pli_change_landings(world, (int)(b - world->bodies), (float)energy);
}

void pliant_body_set_particle_velocity(pliant_world *world, pliant_body_id id, int particle,
                                       pliant_vec3 linear, pliant_vec3 angular)
{
    body *b = checked_particle(world, id, particle, __func__);
    if (b && !b->is_frozen && !world->pinned[b->particle_first + particle])
        follow_hand(world, b, set_particle_velocity(world, b, particle, linear, angular));
}

void pliant_body_reset(pliant_world *world, pliant_body_id id, pliant_pose pose)
{
    body *b = checked_body(world, id, __func__);
    if (!b || pli_check_vector(NULL, "position", pose.position))
        return;
    pli_wake_body(world, b);
    quat turn = safe_rotation(pose.orientation);
    for (int k = 0; k < b->model->source.particle_count; ++k) {
        int i = b->particle_first + k;
        vec3 arm = quat_rotate(turn, b->model->source.particles[k].position);
        world->x[i] = pose.position;
        world->x_low[i] = (vec3){0, 0, 0};
        advance_position(&world->x[i], &world->x_low[i], arm);
        world->turn[i] = turn;
        world->v[i] = world->spin[i] = world->force[i] = (vec3){0, 0, 0};
        world->has_target[i] = 0;
        world->target_x[i] = world->x[i];
        world->target_turn[i] = turn;
    }
    pli_body_forget_dents(world, b);
    b->has_before = false;
    b->landing = (landing){0};
    b->account = (account){0};
    b->ledger = (ledger){0};
    if (pli_is_attached(world, id))
        pli_doubt_ledger(b);
    b->force = (vec3){0, 0, 0};
    if (b->is_frozen)
        pli_forget_foresight(world); // that may be without its pairs with sleepers
    b->is_frozen = b->went_bad = false;
    pli_place_body(world, b);
}

void pliant_body_set_velocity(pliant_world *world, pliant_body_id id, pliant_vec3 linear,
                              pliant_vec3 angular)
{
    body *b = checked_body(world, id, __func__);
    if (!b)
        return;
    pliant_motion motion = pliant_body_motion(world, id);
    vec3 centre = {(float)motion.centre[0], (float)motion.centre[1], (float)motion.centre[2]};
    double energy = 0.0;
    for (int k = 0; k < b->model->source.particle_count; ++k) {
        vec3 arm = vec3_sub(world->x[b->particle_first + k], centre);
        vec3 v = vec3_add(linear, vec3_cross(angular, arm));
        energy += set_particle_velocity(world, b, k, v, angular);
    }
    if (!b->is_frozen)
        follow_hand(world, b, energy);
}

float pli_damping_rate(float lost_per_second)
{
    if (!(lost_per_second > 0.0f)) // NaN too
        return 0.0f;
    return -trig_log(1.0f - minimum(0.999999f, lost_per_second));
}

// NaN counts as the low end.
static float clamp(float value, float low, float high)
{
    return value > low ? minimum(value, high) : low;
}

void pliant_body_set_friction(pliant_world *world, pliant_body_id id, float friction)
{
    body *b = checked_body(world, id, __func__);
    if (!b)
        return;
    b->friction = clamp(friction, 0.0f, 1e3f);
    pli_wake_body(world, b);
}

void pliant_body_set_restitution(pliant_world *world, pliant_body_id id, float restitution)
{
    body *b = checked_body(world, id, __func__);
    if (b)
        b->restitution = clamp(restitution, 0.0f, 1.0f);
}

void pliant_body_set_gravity_scale(pliant_world *world, pliant_body_id id, float scale)
{
    body *b = checked_body(world, id, __func__);
    if (!b)
        return;
    b->gravity_scale = clamp(scale, -1e3f, 1e3f);
    pli_wake_body(world, b);
}

void pliant_body_set_stiffness_scale(pliant_world *world, pliant_body_id id, float scale)
{
    body *b = checked_body(world, id, __func__);
    if (!b)
        return;
    b->stiffness_scale = clamp(scale, 0.0f, 1e3f);
    b->has_alphas = false;
    pli_wake_body(world, b);
}

void pliant_body_set_damping(pliant_world *world, pliant_body_id id, float linear, float angular,
                             float shape)
{
    body *b = checked_body(world, id, __func__);
    if (!b)
        return;
    b->linear_rate = pli_damping_rate(linear);
    b->angular_rate = pli_damping_rate(angular);
    b->shape_rate = pli_damping_rate(shape);
}

// ---------------------------------------------------------------------------------------------
// Forces

// Nothing happens then, and a sleeper sleeps on.
static bool is_zero(vec3 v)
{
    return v.x == 0.0f && v.y == 0.0f && v.z == 0.0f;
}

// N or N s along each axis: what is finite stays so when it is divided by a mass.
static const float LARGEST_FORCE = 1e30f;

static float bounded(float force)
{
    return is_finite(force) ? clamp(force, -LARGEST_FORCE, LARGEST_FORCE) : force;
}

static vec3 bounded_force(vec3 force)
{
    return (vec3){bounded(force.x), bounded(force.y), bounded(force.z)};
}

void pliant_body_apply_force(pliant_world *world, pliant_body_id id, pliant_vec3 force)
{
    body *b = checked_body(world, id, __func__);
    if (!b || is_zero(force))
        return;
    b->force = vec3_add(b->force, bounded_force(force));
    pli_wake_body(world, b);
}

void pliant_body_apply_particle_force(pliant_world *world, pliant_body_id id, int particle,
                                      pliant_vec3 force)
{
    body *b = checked_particle(world, id, particle, __func__);
    if (!b || is_zero(force))
        return;
    int i = b->particle_first + particle;
    world->force[i] = vec3_add(world->force[i], bounded_force(force));
    b->has_forces = true;
    pli_wake_body(world, b);
}

void pliant_body_apply_impulse(pliant_world *world, pliant_body_id id, pliant_vec3 impulse)
{
    body *b = checked_body(world, id, __func__);
    if (!b || b->is_frozen || is_zero(impulse))
        return;
    vec3 change = vec3_scale(bounded_force(impulse), (float)(1.0 / b->model->mass));
    double energy = 0.0;
    for (int k = 0; k < b->model->source.particle_count; ++k) {
        int i = b->particle_first + k;
        if (!world->pinned[i])
            energy += change_velocity(world, b, i, vec3_add(world->v[i], change));
    }
    follow_hand(world, b, energy);
}

void pliant_body_apply_particle_impulse(pliant_world *world, pliant_body_id id, int particle,
                                        pliant_vec3 impulse)
{
    body *b = checked_particle(world, id, particle, __func__);
    if (!b || b->is_frozen || is_zero(impulse))
        return;
    int i = b->particle_first + particle;
    vec3 change = vec3_scale(bounded_force(impulse), world->move[i].inverse_mass);
    follow_hand(world, b, change_velocity(world, b, i, vec3_add(world->v[i], change)));
}

// ---------------------------------------------------------------------------------------------
// Pins

void pli_body_update_masses(pliant_world *world, body *b)
{
    b->pinned_count = 0;
    for (int k = 0; k < b->model->source.particle_count; ++k) {
        int i = b->particle_first + k;
        world->move[i].inverse_mass =
            world->pinned[i] ? 0.0f : 1.0f / b->model->source.particles[k].mass;
        b->pinned_count += world->pinned[i];
    }
}

bool pli_body_is_plastic(const body *b)
{
    return b->model->has_dents || b->model->has_creep;
}

rest_pose pli_body_rest_pose(const pliant_world *world, const body *b)
{
    return (rest_pose){world->rest_x + b->particle_first, world->rest_turn + b->particle_first};
}

const quat *pli_body_rest_turns(const pliant_world *world, const body *b)
{
    return b->model->has_dents ? world->rest_turn + b->particle_first : NULL;
}

const rest *pli_body_rest(const body *b)
{
    return b->own_rest.rows ? &b->own_rest : &b->model->rest;
}

void pli_body_forget_dents(pliant_world *world, body *b)
{
    const pliant_model *model = b->model;
    for (int k = 0; k < model->source.particle_count; ++k) {
        world->rest_x[b->particle_first + k] = model->source.particles[k].position;
        world->rest_turn[b->particle_first + k] = quat_identity();
    }
    for (int i = 0; i < model->group_count; ++i)
        world->loose[b->group_first + i] = 0.0f;
    if (pli_body_is_plastic(b)) {
        pli_rest_compute(&b->own_rest, model, world->pinned + b->particle_first);
        b->has_alphas = false; // of elastic groups they follow from where members rest
    }
}

// A plastic body keeps the shape that it has: only the centres move.
static void refit_group(pliant_world *world, body *b, int index)
{
    const uint8_t *pinned = world->pinned + b->particle_first;
    rest_pose pose = pli_body_rest_pose(world, b);
    if (pli_body_is_plastic(b))
        pli_rest_centre_group(&b->own_rest, b->model, index, pinned, &pose);
    else
        pli_rest_place_group(&b->own_rest, b->model, index, pinned, NULL);
    pli_elastic_follow(world, b, index);
}

void pli_body_refit(pliant_world *world, body *b)
{
    for (int i = 0; i < b->model->group_count; ++i)
        refit_group(world, b, i);
    pli_body_update_masses(world, b);
}

bool pli_body_own_rest(pliant_world *world, body *b)
{
    if (b->own_rest.rows)
        return true;
    rest own = {0};
    if (!pli_rest_allocate(&own, b->model, &world->allocator)) {
        pli_rest_free(&own, &world->allocator);
        return false;
    }
    b->own_rest = own;
    pli_rest_compute(&b->own_rest, b->model, world->pinned + b->particle_first);
    return true;
}

static bool has_member(const pliant_model *model, const group *g, int particle)
{
    for (int k = 0; k < g->slot_count; ++k)
        if (group_member(model, g, k) == particle)
            return true;
    return false;
}

// Fits the groups of a particle to its pin.
static void refit_around(pliant_world *world, body *b, int particle)
{
    const pliant_model *model = b->model;
    int i = b->particle_first + particle;
    for (int k = 0; k < model->group_count; ++k)
        if (has_member(model, &model->groups[k], particle))
            refit_group(world, b, k);
    b->pinned_count += world->pinned[i] ? 1 : -1;
    world->move[i].inverse_mass =
        world->pinned[i] ? 0.0f : 1.0f / model->source.particles[particle].mass;
}

pliant_result pliant_body_set_pinned(pliant_world *world, pliant_body_id id, int particle,
                                     bool pinned, pliant_error *error)
{
    body *b = checked_particle(world, id, particle, __func__);
    if (!b)
        return pli_check_particle(world, id, particle, "body", "particle", error);
    int i = b->particle_first + particle;
    if (world->pinned[i] == pinned)
        return PLIANT_OK;
    if (!pli_body_own_rest(world, b))
        return pli_error_memory(error);
    world->pinned[i] = pinned;
    refit_around(world, b, particle);
    pli_wake_body(world, b);
    pli_forget_foresight(world);
    world->has_target[i] = 0;
    if (pinned)
        world->v[i] = world->spin[i] = (vec3){0, 0, 0};
    else if (b->account.is_moved)
        pli_doubt_ledger(b);
    return PLIANT_OK;
}

void pliant_body_set_target(pliant_world *world, pliant_body_id id, int particle,
                            pliant_pose target)
{
    body *b = checked_particle(world, id, particle, __func__);
    if (!b || !world->pinned[b->particle_first + particle])
        return;
    int i = b->particle_first + particle;
    quat bind = bind_orientation(b, particle);
    world->target_x[i] = target.position;
    world->target_turn[i] =
        quat_normalize(quat_mul(safe_rotation(target.orientation), quat_conjugate(bind)));
    world->has_target[i] = 1;
    b->account.is_moved = 1;
    pli_doubt_ledger(b);
    pli_wake_body(world, b);
}

// ---------------------------------------------------------------------------------------------
// Sums

static void add_cross(double sum[3], double m, const double a[3], const double b[3])
{
    sum[0] += m * (a[1] * b[2] - a[2] * b[1]);
    sum[1] += m * (a[2] * b[0] - a[0] * b[2]);
    sum[2] += m * (a[0] * b[1] - a[1] * b[0]);
}

static void precise_position(const pliant_world *world, int i, double x[3])
{
    x[0] = (double)world->x[i].x + (double)world->x_low[i].x;
    x[1] = (double)world->x[i].y + (double)world->x_low[i].y;
    x[2] = (double)world->x[i].z + (double)world->x_low[i].z;
}

// Mass, centre and linear momentum.
static void sum_linear(const pliant_world *world, const body *b, pliant_motion *out)
{
    for (int k = 0; k < b->model->source.particle_count; ++k) {
        int i = b->particle_first + k;
        double m = b->model->source.particles[k].mass;
        double x[3];
        precise_position(world, i, x);
        const double v[3] = {world->v[i].x, world->v[i].y, world->v[i].z};
        out->mass += m;
        for (int c = 0; c < 3; ++c) {
            out->centre[c] += m * x[c];
            out->linear_momentum[c] += m * v[c];
            out->kinetic_energy += 0.5 * m * v[c] * v[c];
        }
    }
    for (int c = 0; c < 3; ++c)
        out->centre[c] /= out->mass;
}

// The rotation to which a particle's spin belongs. Velocities are chords: they are those of the middle of the substep, where
// an ellipsoid that tumbles has another inertia than at its end.
static quat turn_of_spin(const pliant_world *world, const body *b, int k)
{
    int i = b->particle_first + k;
    if (b->model->is_round || b->model->turns_freely[k])
        return world->turn[i];
    return quat_turn(world->turn[i], vec3_scale(world->spin[i], -0.5f * world->substep_length));
}

// Spin of one particle: L = m R (tr(M̄) 1 - M̄) Rᵀ ω
static void add_spin(const pliant_world *world, const body *b, int k, pliant_motion *out)
{
    int i = b->particle_first + k;
    double m = b->model->source.particles[k].mass;
    quat R = turn_of_spin(world, b, k);
    vec3 local = quat_rotate(quat_conjugate(R), world->spin[i]);
    vec3 L = quat_rotate(R, sym3_mul_vec(sym3_inertia(b->model->moments[k]), local));
    const double momentum[3] = {m * L.x, m * L.y, m * L.z};
    const double spin[3] = {world->spin[i].x, world->spin[i].y, world->spin[i].z};
    for (int c = 0; c < 3; ++c) {
        out->angular_momentum[c] += momentum[c];
        out->kinetic_energy += 0.5 * momentum[c] * spin[c];
    }
}

pliant_motion pliant_body_motion(const pliant_world *world, pliant_body_id id)
{
    const body *b = checked_body(world, id, __func__);
    pliant_motion out = {0};
    if (!b)
        return out;
    sum_linear(world, b, &out);
    for (int k = 0; k < b->model->source.particle_count; ++k) {
        int i = b->particle_first + k;
        double arm[3];
        precise_position(world, i, arm);
        for (int c = 0; c < 3; ++c)
            arm[c] -= out.centre[c];
        const double v[3] = {world->v[i].x, world->v[i].y, world->v[i].z};
        add_cross(out.angular_momentum, b->model->source.particles[k].mass, arm, v);
        add_spin(world, b, k, &out);
    }
    return out;
}
