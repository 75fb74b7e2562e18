// The step.

#include "world.h"

// Below this, in seconds, 1/h times a rounding error is no velocity any more.
static const float SHORTEST_SUBSTEP = 1e-7f;

// s = 1 - exp(-k h²/n): equally stiff whatever the substep and the iterations.
static float alpha_of_rate(float rate, float h, int iterations)
{
    if (rate < 0.0f)
        return 1.0f;
    return 1.0f - trig_exp(-rate * h * h / (float)iterations);
}

// The alphas depend on h and the iterations alone, so they are kept while these stay.
static void update_alphas(pliant_world *world, float h, int iterations)
{
    if (world->alpha_h == h && world->alpha_iterations == iterations)
        return;
    for (int k = 0; k < world->active_count; ++k) {
        const body *b = &world->bodies[world->active[k]];
        const pliant_model *model = b->model;
        for (int i = 0; i < model->group_count; ++i)
            world->group_alpha[b->group_first + i] =
                alpha_of_rate(model->groups[i].rate, h, iterations);
        for (int i = 0; i < model->source.edge_count; ++i) {
            world->stretch_alpha[b->edge_first + i] =
                alpha_of_rate(model->edges[i].stretch_rate, h, iterations);
            world->torsion_alpha[b->edge_first + i] =
                alpha_of_rate(model->edges[i].torsion_rate, h, iterations);
        }
    }
    world->alpha_h = h;
    world->alpha_iterations = iterations;
}

static void remember_good_state(pliant_world *world, const body *b)
{
    for (int k = 0; k < b->model->source.particle_count; ++k) {
        int i = b->particle_first + k;
        world->x_good[i] = world->x[i];
        world->turn_good[i] = world->turn[i];
    }
}

static bool has_bad_numbers(const pliant_world *world, const body *b)
{
    for (int k = 0; k < b->model->source.particle_count; ++k) {
        int i = b->particle_first + k;
        if (!vec3_is_finite(world->x[i]) || !quat_is_finite(world->turn[i]) ||
            !vec3_is_finite(world->v[i]) || !vec3_is_finite(world->spin[i]))
            return true;
    }
    return false;
}

static void freeze(pliant_world *world, body *b)
{
    for (int k = 0; k < b->model->source.particle_count; ++k) {
        int i = b->particle_first + k;
        world->x[i] = world->x_good[i];
        world->x_low[i] = (vec3){0, 0, 0};
        world->turn[i] = world->turn_good[i];
        world->v[i] = world->spin[i] = (vec3){0, 0, 0};
        world->has_target[i] = 0;
    }
    b->is_frozen = b->went_bad = true;
}

static void forget_forces(pliant_world *world, body *b)
{
    b->force = (vec3){0, 0, 0};
    for (int k = 0; k < b->model->source.particle_count; ++k)
        world->force[b->particle_first + k] = (vec3){0, 0, 0};
}

static void solve(const substep *s, body *b)
{
    pliant_prepare_groups(s, b);
    for (int i = 0; i < s->iterations; ++i) {
        pliant_solve_groups(s, b);
        pliant_solve_distances(s, b);
        pliant_solve_torsion(s, b);
        pliant_solve_contacts(s, b);
    }
}

// All substeps of one body. Bodies touch planes only, not each other, so each is a task of its own.
static void step_body(int index, void *context)
{
    substep s = *(const substep *)context;
    body *b = &s.world->bodies[s.world->active[index]];
    b->contact_count = b->touching_count = b->rescue_count = 0;
    b->went_bad = false;
    if (!b->is_frozen) {
        remember_good_state(s.world, b);
        for (; s.remaining > 0; --s.remaining) {
            pliant_locate(&s, b);
            pliant_damp_deformation(&s, b);
            pliant_predict(&s, b);
            pliant_find_contacts(&s, b);
            solve(&s, b);
            pliant_update_velocities(&s, b);
            pliant_settle_contacts(&s, b);
        }
        if (has_bad_numbers(s.world, b))
            freeze(s.world, b);
    }
    forget_forces(s.world, b);
}

static void run_tasks(pliant_world *world, int count, pliant_task *task, void *context)
{
    if (world->def.parallel_for) {
        world->def.parallel_for(count, task, context, world->def.parallel_user_data);
        return;
    }
    for (int i = 0; i < count; ++i)
        task(i, context);
}

void pliant_world_step(pliant_world *world, float dt)
{
    substep s = {.world = world,
                 .h = dt / (float)world->def.substeps,
                 .iterations = world->def.iterations,
                 .remaining = world->def.substeps};
    if (!(s.h >= SHORTEST_SUBSTEP) || !is_finite(s.h))
        return;
    update_alphas(world, s.h, s.iterations);
    run_tasks(world, world->active_count, step_body, &s);
    world->time += (double)dt;
    world->steps += 1;
}

pliant_report pliant_world_report(const pliant_world *world)
{
    pliant_report report = {.steps = world->steps, .time = world->time};
    report.bodies = world->active_count;
    report.particles = world->particle_count;
    report.edges = world->edge_count;
    report.groups = world->group_count;
    for (int k = 0; k < world->active_count; ++k) {
        const body *b = &world->bodies[world->active[k]];
        report.contacts += b->touching_count;
        report.rotation_rescues += b->rescue_count;
        report.bad_bodies += b->went_bad;
        report.frozen_bodies += b->is_frozen;
    }
    return report;
}
