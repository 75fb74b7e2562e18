// The step.

#include "body_tree.h"
#include "calls.h"
#include "contacts.h"
#include "impact.h"
#include "pairs.h"
#include "plastic.h"
#include "sleep.h"
#include "substep.h"
#include "tasks.h"

#include "model/family.h"
#include "solve/particles.h"

#include <stdatomic.h>

// Of a step, in seconds: below this 1/h times a rounding error is no velocity any more.
static const float SHORTEST_STEP = 1e-6f;
// Substeps may be longer by this part than what is asked for: a clock that jitters needs no further one.
static const float LENGTH_TOLERANCE = 1.0f / 256.0f;
// A part that differs less from 1 differs by rounding.
static const float PART_ROUNDING = 1e-6f;
// s in which substeps become shorter by a factor of e, when shorter ones are asked for.
static const float QUALITY_TIME = 0.5f;

// What is soft and was strained while it was softer holds more now.
static void follow_stiffness(body *b)
{
    if (b->model->is_soft && b->stiffness_scale > b->solved_scale)
        pli_doubt_ledger(b);
    b->solved_scale = b->stiffness_scale;
}

// The alphas depend on h, the iterations and the bodies' scales alone, so they are kept while these stay.
static void update_alphas(pliant_world *world, float h, int iterations)
{
    bool is_known = world->alpha_h == h && world->alpha_iterations == iterations;
    for (int k = 0; k < world->active_count; ++k) {
        body *b = &world->bodies[world->active[k]];
        if (is_known && b->has_alphas)
            continue;
        b->has_alphas = true;
        if (b->solved_scale != b->stiffness_scale)
            follow_stiffness(b);
        for (int f = 0; f < b->model->family_count; ++f)
            if (b->model->families[f]->scale)
                b->model->families[f]->scale(world, b, h, iterations);
    }
    world->alpha_h = h;
    world->alpha_iterations = iterations;
}

// What longer substeps left unsolved must not become speed when shorter ones, which are stiffer, are asked for: they
// become shorter little by little. Longer ones are so at once, and so is what is set before the first step.
static void follow_quality(pliant_world *world, float dt)
{
    float fallen = world->substep_length * trig_exp(-dt / QUALITY_TIME);
    world->substep_length =
        world->steps == 0 ? world->def.substep_length : maximum(world->def.substep_length, fallen);
}

// As few substeps as are needed for none to be longer than those that are solved, but for rounding.
static int count_substeps(float dt, float length)
{
    float longest = length * (1.0f + LENGTH_TOLERANCE);
    int count = (int)(dt / longest);
    return (float)count * longest < dt ? count + 1 : count;
}

static substep cut_step(pliant_world *world, float dt)
{
    follow_quality(world, dt);
    int count = count_substeps(dt, world->substep_length);
    float time = dt / (float)count, part = time / world->substep_length;
    bool is_whole = absolute(part - 1.0f) < PART_ROUNDING;
    return (substep){.world = world,
                     .h = is_whole ? time : world->substep_length,
                     .time = time,
                     .part = is_whole ? 1.0f : part,
                     .iterations = world->def.iterations,
                     .has_bounces = pli_has_bounces(world),
                     .count = count,
                     .remaining = count};
}

static void forget_forces(pliant_world *world, body *b)
{
    b->force = (vec3){0, 0, 0};
    if (b->has_forces)
        memset(world->force + b->particle_first, 0,
               (size_t)b->model->source.particle_count * sizeof *world->force);
    b->has_forces = false;
}

// ---------------------------------------------------------------------------------------------
// Stages of one body, each a task that may run beside those of other bodies.

static body *task_body(int index, const substep *s)
{
    return &s->world->bodies[s->world->active[index]];
}

static void begin_body(int index, void *context)
{
    const substep *s = context;
    body *b = task_body(index, s);
    b->contact_count = b->touching_count = b->rescue_count = b->dropped_contacts = 0;
    b->went_bad = b->just_woke = b->has_before = b->is_limited = false;
    if (!is_still(b))
        pli_remember_good_state(s->world, b);
}

static void find_contacts(const substep *s, body *b)
{
    pli_find_contacts(s, b);
    if (s->has_bounces || pli_hits_hard(s->world, b))
        pli_note_coming(s->world, b);
}

static void predict_body(int index, void *context)
{
    const substep *s = context;
    body *b = task_body(index, s);
    if (is_still(b))
        return;
    pli_start(s, b);
    pli_predict(s, b);
    pli_bound_body(s->world, b);
    find_contacts(s, b);
}

// A sleeper that another body has just come to catches up with the substep.
static void predict_woken_body(int index, void *context)
{
    const substep *s = context;
    body *b = task_body(index, s);
    if (!b->just_woke)
        return;
    b->just_woke = false;
    pli_remember_good_state(s->world, b);
    predict_body(index, context);
}

static void solve_in_waves(const substep *s)
{
    for (int i = 0; i < s->world->active_count; ++i) {
        body *b = task_body(i, s);
        b->is_solved = !is_still(b) && pli_solve_in_wave(s, b);
    }
}

// What the tasks of a body's blocks need.
typedef struct family_job {
    const substep *s;
    const body *b;
    const family *family;
    atomic_int rescues;
} family_job;

static void prepare_block(int block, void *context)
{
    const family_job *job = context;
    job->family->prepare_block(job->s, job->b, block, block);
}

static void solve_block(int block, void *context)
{
    family_job *job = context;
    int rescues = job->family->solve_block(job->s, job->b, block, block);
    if (rescues > 0)
        atomic_fetch_add_explicit(&job->rescues, rescues, memory_order_relaxed);
}

static void prepare_family(const substep *s, const body *b, const family *f)
{
    family_job job = {.s = s, .b = b, .family = f};
    if (f->prepare_block)
        pli_run_blocks(s->world, b, prepare_block, &job);
    if (f->prepare)
        f->prepare(s, b);
}

static int solve_family(const substep *s, const body *b, const family *f)
{
    if (f->solve)
        return f->solve(s, b);
    family_job job = {.s = s, .b = b, .family = f};
    pli_run_blocks(s->world, b, solve_block, &job);
    return atomic_load_explicit(&job.rescues, memory_order_relaxed);
}

// Families are prepared with the first iteration, while what they are made of is in a cache.
static void solve_body(int index, void *context)
{
    const substep *s = context;
    body *b = task_body(index, s);
    const pliant_model *model = b->model;
    if (is_still(b) || b->is_solved)
        return;
    for (int f = 0; s->iteration == 0 && f < model->family_count; ++f)
        prepare_family(s, b, model->families[f]);
    for (int f = 0; f < model->family_count; ++f)
        b->rescue_count += solve_family(s, b, model->families[f]);
}

static void solve_body_contacts(int index, void *context)
{
    const substep *s = context;
    const body *b = task_body(index, s);
    if (!is_still(b) && !b->is_solved)
        pli_solve_contacts(s, b);
}

static void finish_body(int index, void *context)
{
    const substep *s = context;
    body *b = task_body(index, s);
    if (is_still(b))
        return;
    pli_finish_contacts(s, b);
    pli_keep_spins(s, b);
    pli_update_velocities(s, b);
    for (int f = 0; f < b->model->family_count; ++f)
        if (b->model->families[f]->settle)
            b->model->families[f]->settle(s, b);
    pli_settle_contacts(s, b);
}

// When all velocities are known, and part of a partial substep has been taken.
static void land_body(int index, void *context)
{
    const substep *s = context;
    body *b = task_body(index, s);
    if (is_still(b))
        return;
    bool has_hit = pli_hit_as_one(s, b);
    if (!has_hit)
        pli_hold_at_surfaces(s, b);
    pli_weigh(s, b);
    pli_begin_turning(b);
    if (!has_hit)
        pli_land(s, b);
}

static void end_body(int index, void *context)
{
    const substep *s = context;
    body *b = task_body(index, s);
    if (!is_still(b) && pli_has_bad_numbers(s->world, b))
        pli_freeze(s->world, b);
    if (!is_still(b)) {
        pli_creep(s, b);
        b->bounds = pli_body_box(s->world, b);
    }
    forget_forces(s->world, b);
}

// What the tasks of the bodies need, and one more that runs beside them, or NULL.
typedef struct body_job {
    substep *s;
    pliant_task *task;
    void (*beside)(const substep *s);
} body_job;

static void run_small_body(int index, void *context)
{
    const body_job *job = context;
    int number = job->beside ? index - 1 : index;
    if (number < 0)
        job->beside(job->s);
    else if (!is_large(task_body(number, job->s)))
        job->task(number, job->s);
}

static void for_each_body_beside(substep *s, void (*beside)(const substep *s), pliant_task *task)
{
    const pliant_world *world = s->world;
    body_job job = {s, task, beside};
    pli_run_tasks(world, world->active_count + (beside != NULL), run_small_body, &job);
    for (int i = 0; i < world->active_count; ++i)
        if (is_large(task_body(i, s)))
            task(i, s);
}

static void for_each_body(substep *s, pliant_task *task)
{
    for_each_body_beside(s, NULL, task);
}

// ---------------------------------------------------------------------------------------------

// A sleeper that was not touched at first, but that the solver pushed another body into, goes the way it
// was pushed.
static void join_pushed_body(int index, void *context)
{
    const substep *s = context;
    body *b = task_body(index, s);
    if (b->just_woke)
        pli_remember_good_state(s->world, b);
    b->just_woke = false;
}

// Sleepers that are touched wake first: then there are more pairs.
static void find_pairs(substep *s)
{
    pli_find_pairs(s);
    while (pli_wake_touched(s)) {
        for_each_body(s, predict_woken_body);
        pli_make_contact_room(s, find_contacts);
        pli_find_pairs(s);
    }
}

static double now(const pliant_world *world)
{
    return world->def.clock ? world->def.clock(world->def.clock_user_data) : 0.0;
}

// Adds the time since the last call to one of the sums of the profile.
static void lap(substep *s, double *sum)
{
    double time = now(s->world);
    *sum += time - s->clocked;
    s->clocked = time;
}

// ---------------------------------------------------------------------------------------------
// The stages of a step

static substep begin_step(pliant_world *world, float dt)
{
    substep s = cut_step(world, dt);
    world->profile = (pliant_profile){0};
    s.began = s.clocked = now(world);
    update_alphas(world, s.h, s.iterations);
    world->dropped_pairs = 0;
    pli_begin_touches(world);
    pli_list_movers(world);
    pli_begin_sleepers(world, dt);
    pli_begin_attachments(&s);
    for_each_body(&s, begin_body);
    return s;
}

static void drive(substep *s)
{
    pli_advance_colliders(s);
}

// Contacts with colliders are found there, too, while a body's particles are in a cache.
static void predict(substep *s)
{
    for_each_body(s, predict_body);
    pli_make_contact_room(s, find_contacts);
    lap(s, &s->world->profile.predict);
}

static void find(substep *s)
{
    find_pairs(s);
    lap(s, &s->world->profile.find);
    pli_begin_pairs(s);
    lap(s, &s->world->profile.begin);
    pli_start_attachments(s);
    pli_loosen_groups(s);
}

static void solve(substep *s)
{
    pliant_profile *profile = &s->world->profile;
    solve_in_waves(s);
    for (s->iteration = 0; s->iteration < s->iterations; ++s->iteration) {
        for_each_body(s, solve_body);
        lap(s, &profile->solve);
        pli_solve_attachments(s);
        lap(s, &profile->contacts);
        pli_solve_pairs(s);
        lap(s, &profile->pairs);
        for_each_body(s, solve_body_contacts);
        lap(s, &profile->contacts);
    }
    pli_order_pairs(s);
    if (pli_wake_pushed(s))
        for_each_body(s, join_pushed_body);
}

static void finish(substep *s)
{
    // To note all pairs is long, and one task: it hides behind the bodies'.
    for_each_body_beside(s, s->world->pair_count > 0 ? pli_note_pairs : NULL, finish_body);
    if (s->world->pair_count > 0)
        pli_note_pairs_left(s);
    pli_settle_pairs(s);
    pli_settle_attachments(s);
    pli_take_part(s);
    for_each_body(s, land_body);
    pli_land_pairs(s);
    pli_keep_turning(s);
    pli_part_entangled(s);
}

static void remember(substep *s)
{
    pli_absorb_dents(s);
    pli_note_touches(s);
    pli_balance_ledgers(s);
    lap(s, &s->world->profile.finish);
}

static void end_step(substep *s, float dt)
{
    pliant_world *world = s->world;
    for_each_body(s, end_body);
    pli_follow_bodies(world);
    pli_settle_colliders(world);
    pli_fall_asleep(world, dt);
    pli_end_touches(world);
    world->time += (double)dt;
    world->steps += 1;
    lap(s, &world->profile.finish);
    world->profile.step = s->clocked - s->began;
}

static void step_world(pliant_world *world, float dt)
{
    substep s = begin_step(world, dt); // how many substeps, who is awake
    for (; s.remaining > 0; --s.remaining) {
        drive(&s);    // colliders
        predict(&s);  // forces and motors, where everything would go
        find(&s);     // contacts and pairs
        solve(&s);    // families, attachments, pairs and colliders, iteration by iteration
        finish(&s);   // velocities, friction, restitution
        remember(&s); // dents, touches, accounts of energy
    }
    end_step(&s, dt); // sleep, events, report
}

// ---------------------------------------------------------------------------------------------
// What callers use

// What can be done of a time, and what the report says of it. 0 when there is nothing to do.
static float take_time(pliant_world *world, float dt, pliant_result *result)
{
    world->shortened_by = 0.0f;
    *result = PLIANT_OK;
    if (dt == 0.0f)
        return 0.0f;
    if (!(dt >= SHORTEST_STEP) || !is_finite(dt)) {
        world->refused_steps += 1;
        *result = PLIANT_ERROR_ARGUMENT;
        return 0.0f;
    }
    world->shortened_by = maximum(0.0f, dt - world->def.longest_step);
    return minimum(dt, world->def.longest_step);
}

pliant_result pliant_world_step(pliant_world *world, float dt)
{
    pliant_result result;
    if (!checked_world(world, __func__))
        return PLIANT_ERROR_ARGUMENT;
    float time = take_time(world, dt, &result);
    if (time > 0.0f)
        step_world(world, time);
    return result;
}

int pliant_world_advance(pliant_world *world, float dt)
{
    pliant_result result;
    if (!checked_world(world, __func__))
        return 0;
    float step = world->def.fixed_step;
    world->left_over += (double)take_time(world, dt, &result);
    // Frames that should add up to a step fall short of it by rounding.
    int count = (int)(world->left_over / (double)step + 1e-5);
    for (int i = 0; i < count; ++i)
        step_world(world, step);
    double left = world->left_over - (double)count * (double)step;
    world->left_over = left > 0.0 ? left : 0.0;
    return count;
}

float pliant_world_blend(const pliant_world *world)
{
    return checked_world(world, __func__)
               ? (float)(world->left_over / (double)world->def.fixed_step)
               : 0.0f;
}
