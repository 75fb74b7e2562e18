// Where particles would go without constraints, and what velocities follow from where they went
// (paper 2011, §4.1; rotations by exponential and logarithmic maps instead of the arc cosine).
//
// Groups keep angular momentum as axial(R_t S R_tᵀ): so a particle that they turn is predicted to have that of the last substep,
//
//     axial(R_p S R_tᵀ) = axial(R_t S R_beforeᵀ) = axial(R_t S R_tᵀ E),    E = exp(h spin)
//
// S the second moment at rest. R_p = E R_t is that of a ball. With v = h spin in its own axes another one is turned by δ before:
//
//     M = E S,    H = tr(M) 1 - M,    H δ₁ = 2 (1 - cos |v|)/|v|² v × S v      the gyroscopic torque
//     H δ = H δ₁ - ½ axial([δ₁]² M),                                          [δ]² M = δ (Mᵀδ)ᵀ - |δ|² M

#include "substep.h"
#include "tasks.h"

#include "model/family.h"
#include "solve/particles.h"
#include "solve/ways.h"

#include <stdatomic.h>

// The gyroscopic step is second order: beyond this angle it would gain energy.
static const float LARGEST_GYROSCOPIC_TURN = 0.3f;

// v rotated by q (`sign` 1) or back (-1), in double precision and free of q's length, whose rounding
// would otherwise feed energy into a spin step by step.
static void rotate_exactly(quat q, double sign, const double v[3], double out[3])
{
    const double u[3] = {sign * q.x, sign * q.y, sign * q.z}, w = q.w;
    double uu = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
    double uv = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
    const double cross[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                             u[0] * v[1] - u[1] * v[0]};
    for (int k = 0; k < 3; ++k)
        out[k] = ((w * w - uu) * v[k] + 2.0 * (uv * u[k] + w * cross[k])) / (w * w + uu);
}

// R M Rᵀ v
static vec3 rotated_mul(quat turn, sym3 M, vec3 v)
{
    const double world[3] = {v.x, v.y, v.z};
    double local[3], result[3];
    rotate_exactly(turn, -1.0, world, local);
    const double product[3] = {M.xx * local[0] + M.xy * local[1] + M.xz * local[2],
                               M.xy * local[0] + M.yy * local[1] + M.yz * local[2],
                               M.xz * local[0] + M.yz * local[1] + M.zz * local[2]};
    rotate_exactly(turn, 1.0, product, result);
    return (vec3){(float)result[0], (float)result[1], (float)result[2]};
}

// R M⁻¹ Rᵀ v, the inverse in double precision too: spin and momentum are turned into each other in every
// substep, and what rounding takes adds up.
static vec3 rotated_solve(quat turn, sym3 M, vec3 v)
{
    const double a = M.xx, b = M.xy, c = M.xz, d = M.yy, e = M.yz, f = M.zz;
    const double A = d * f - e * e, B = c * e - b * f, C = b * e - c * d;
    const double D = a * f - c * c, E = b * c - a * e, F = a * d - b * b;
    const double inverse = 1.0 / (a * A + b * B + c * C);
    const double world[3] = {v.x, v.y, v.z};
    double local[3], result[3];
    rotate_exactly(turn, -1.0, world, local);
    const double product[3] = {inverse * (A * local[0] + B * local[1] + C * local[2]),
                               inverse * (B * local[0] + D * local[1] + E * local[2]),
                               inverse * (C * local[0] + E * local[1] + F * local[2])};
    rotate_exactly(turn, 1.0, product, result);
    return (vec3){(float)result[0], (float)result[1], (float)result[2]};
}

// The mean angular velocity of a free rigid particle over the substep: its angular momentum is kept,
// the inertia is that of the middle of the step. One pass gains energy, two do not.
static vec3 gyroscopic_spin(quat turn, sym3 moment, vec3 spin, float h)
{
    sym3 inertia = sym3_inertia(moment);
    vec3 L = rotated_mul(turn, inertia, spin);
    vec3 mean = spin;
    for (int i = 0; i < 2; ++i) {
        quat middle = quat_turn(turn, vec3_scale(mean, 0.5f * h));
        mean = rotated_solve(middle, inertia, L);
    }
    return mean;
}

static bool is_gyroscopic(const body *b, int particle, vec3 spin, float h)
{
    return b->gyroscopic && b->model->turns_freely[particle] &&
           vec3_dot(spin, spin) * h * h <= LARGEST_GYROSCOPIC_TURN * LARGEST_GYROSCOPIC_TURN;
}

// A pinned particle goes its share of the way to its target, with the velocity that this takes.
static void predict_pinned(const substep *s, int i)
{
    pliant_world *world = s->world;
    world->move[i].way = world->v[i] = world->spin[i] = (vec3){0, 0, 0};
    if (!world->has_target[i])
        return;
    float per_second = 1.0f / s->time, share = 1.0f / (float)s->remaining;
    vec3 way = vec3_sub(vec3_sub(world->target_x[i], world->x[i]), world->x_low[i]);
    way = vec3_scale(way, share);
    world->turn[i] = s->remaining == 1 ? world->target_turn[i]
                                       : quat_slerp(world->turn[i], world->target_turn[i], share);
    world->has_target[i] = s->remaining > 1;
    world->v[i] = vec3_scale(way, per_second);
    world->spin[i] = vec3_scale(quat_difference(world->turn[i], world->turn_start[i]), per_second);
    world->move[i].way = is_partial(s) ? vec3_scale(world->v[i], s->h) : way;
    if (is_partial(s))
        world->turn[i] = quat_turn(world->turn_start[i], vec3_scale(world->spin[i], s->h));
}

// What the tasks of a body's particles need.
typedef struct particle_job {
    const substep *s;
    const body *b;
    particle_span span;
    atomic_bool is_limited; // some are as fast as may be
} particle_job;

static void locate_range(void *context, int first, int end)
{
    const particle_job *job = context;
    pliant_world *world = job->s->world;
    size_t from = (size_t)(job->b->particle_first + first), count = (size_t)(end - first);
    const vec3 origin = job->b->origin, *x = world->x + from, *low = world->x_low + from;
    vec3 *start = world->start + from;
    for (size_t i = 0; i < count; ++i)
        start[i] = vec3_add(vec3_sub(x[i], origin), low[i]);
    memcpy(world->turn_start + from, world->turn + from, count * sizeof *world->turn);
    if (is_partial(job->s)) {
        memcpy(world->v_start + from, world->v + from, count * sizeof *world->v);
        memcpy(world->spin_start + from, world->spin + from, count * sizeof *world->spin);
    }
    if (job->b->model->has_dents) // nobody else asks for these
        memset(world->hit_speed + from, 0, count * sizeof *world->hit_speed);
    if (job->b->model->free_count > 0)
        memset(world->angular_impulse + from, 0, count * sizeof *world->angular_impulse);
}

// Of a velocity, after damping. Of a partial substep's the part that happens is what its time takes.
static float part_kept(const substep *s, float rate)
{
    if (!is_partial(s))
        return trig_exp(-rate * s->h);
    return maximum(0.0f, 1.0f - trig_one_minus_exp(rate * s->time) / s->part);
}

particle_span pli_particle_span(const substep *s, const body *b)
{
    const pliant_world *world = s->world;
    int p = b->particle_first;
    vec3 gravity = vec3_scale(world->def.gravity, b->gravity_scale);
    return (particle_span){.x = world->x + p,
                           .x_low = world->x_low + p,
                           .v = world->v + p,
                           .spin = world->spin + p,
                           .force = b->has_forces ? world->force + p : NULL,
                           .turn = world->turn + p,
                           .turn_start = world->turn_start + p,
                           .move = world->move + p,
                           .turns_freely = b->model->free_count > 0 ? b->model->turns_freely : NULL,
                           .moments = b->model->is_round ? NULL : b->model->moments,
                           .v_predicted = world->v_predicted + p,
                           .v_start = is_partial(s) ? world->v_start + p : NULL,
                           .h = s->h,
                           .inverse_h = 1.0f / s->h,
                           .time = s->time,
                           .part = s->part,
                           .gravity = gravity,
                           .acceleration =
                               vec3_add_scaled(gravity, b->force, (float)(1.0 / b->model->mass)),
                           .drift = b->drift};
}

// The mean way of a free body. One that is pinned somewhere does not drift.
static vec3 mean_way(const substep *s, const body *b, const particle_span *span)
{
    int n = b->model->source.particle_count;
    if (b->pinned_count > 0)
        return (vec3){0, 0, 0};
    return vec3_scale(s->world->kernels->sum_velocities(span, 0, n), s->h / (float)n);
}

static void accelerate_range(void *context, int first, int end)
{
    particle_job *job = context;
    if (job->s->world->kernels->accelerate_particles(&job->span, first, end))
        atomic_store_explicit(&job->is_limited, true, memory_order_relaxed);
}

// Of a long body what is written here is still in a cache there.
static void locate_and_accelerate_range(void *context, int first, int end)
{
    locate_range(context, first, end);
    accelerate_range(context, first, end);
}

// Where everything is as the substep begins, relative to an origin in the body, and how fast it would go on. Damping
// comes before gravity: after it, it would scale gravity and make sag depend on h.
void pli_start(const substep *s, body *b)
{
    particle_job job = {.s = s, .b = b, .span = pli_particle_span(s, b)};
    job.span.keep_linear = part_kept(s, b->linear_rate);
    job.span.keep_angular = part_kept(s, b->angular_rate);
    b->origin = s->world->x[b->particle_first];
    if (b->shape_rate > 0.0f) {
        pli_run_particles(s->world, b, locate_range, &job);
        pli_damp_deformation(s, b);
        pli_run_particles(s->world, b, accelerate_range, &job);
    } else {
        pli_run_particles(s->world, b, locate_and_accelerate_range, &job);
    }
    b->is_limited = b->is_limited || job.is_limited;
}

static void predict_range(void *context, int first, int end)
{
    const particle_job *job = context;
    job->s->world->kernels->predict_particles(&job->span, first, end);
}

void pli_predict(const substep *s, body *b)
{
    pliant_world *world = s->world;
    int n = b->model->source.particle_count;
    particle_job job = {.s = s, .b = b, .span = pli_particle_span(s, b)};
    for (int f = 0; f < b->model->family_count; ++f)
        if (b->model->families[f]->drive)
            b->model->families[f]->drive(s, b);
    b->drift = job.span.drift = mean_way(s, b, &job.span);
    pli_run_particles(world, b, predict_range, &job);
    for (int i = b->particle_first; b->pinned_count > 0 && i < b->particle_first + n; ++i)
        if (world->pinned[i])
            predict_pinned(s, i);
    for (int k = 0; b->gyroscopic && k < n; ++k) {
        int i = b->particle_first + k;
        if (!world->pinned[i] && is_gyroscopic(b, k, world->spin[i], s->h)) {
            vec3 mean =
                gyroscopic_spin(world->turn_start[i], b->model->moments[k], world->spin[i], s->h);
            world->turn[i] = quat_turn(world->turn_start[i], vec3_scale(mean, s->h));
        }
    }
}

// The spin of a particle that only contacts turn: its angular momentum changes by their impulses, which
// is exact where the rotations they made in turn are not a sum. Without the gyroscopic term it is the spin
// that is kept, not the momentum.
static void update_free_spin(const substep *s, const body *b, int k)
{
    pliant_world *world = s->world;
    int i = b->particle_first + k;
    vec3 impulse = vec3_scale(world->angular_impulse[i], world->move[i].inverse_mass / s->h);
    sym3 inertia = sym3_inertia(b->model->moments[k]);
    if (is_gyroscopic(b, k, world->spin[i], s->h)) {
        vec3 L = vec3_add(rotated_mul(world->turn_start[i], inertia, world->spin[i]), impulse);
        world->spin[i] = rotated_solve(world->turn[i], inertia, L);
    } else if (impulse.x != 0.0f || impulse.y != 0.0f || impulse.z != 0.0f) {
        world->spin[i] = vec3_add(world->spin[i], rotated_solve(world->turn[i], inertia, impulse));
    }
}

static void update_range(void *context, int first, int end)
{
    const particle_job *job = context;
    job->s->world->kernels->update_particles(&job->span, first, end);
}

// Positions and velocities from the way that was gone. The velocity changes by what the constraints
// added to the predicted way: that difference is small, so its rounding is, where dividing the whole
// way by h would change the velocity of a particle that nothing touched.
void pli_update_velocities(const substep *s, const body *b)
{
    int n = b->model->source.particle_count;
    particle_job job = {.s = s, .b = b, .span = pli_particle_span(s, b)};
    pli_run_particles(s->world, b, update_range, &job);
    for (int k = 0; b->model->free_count > 0 && k < n; ++k)
        if (b->model->turns_freely[k] && !s->world->pinned[b->particle_first + k])
            update_free_spin(s, b, k);
}

void pli_bound_body(const pliant_world *world, body *b)
{
    way_span span = {.start = world->start + b->particle_first,
                     .move = world->move + b->particle_first,
                     .origin = b->origin,
                     .drift = b->drift};
    b->bounds =
        world->kernels->bound_particles(&span, b->box_reach, b->model->source.particle_count);
}
