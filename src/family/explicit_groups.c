// Explicit groups: particles that someone has put together (paper 2011, §5.3). How they are fitted stands in groups.c.

#include "groups.h"

#include "model/derivation.h"
#include "world/substep.h"
#include "world/tasks.h"

#include <stdatomic.h>

// ---------------------------------------------------------------------------------------------
// Of a model

// Explicit groups stand one after another, each from a row of its own on. Slots beyond the last member repeat
// it, without weight.
static void append_explicit_groups(derivation *d, const group *found, int count)
{
    pliant_model *model = d->model;
    for (int i = 0; i < count; ++i) {
        group g = found[i];
        int from = g.first_slot, rows = (g.slot_count + LANES - 1) / LANES;
        g.first_slot = model->row_count * LANES;
        g.slot_room = g.slot_count;
        g.stride = 1;
        g.first_spread = model->spread_row_count * LANES;
        for (int k = 0; k < rows * LANES; ++k)
            model->slot_offsets[g.first_slot + k] =
                SLOT_STRIDE * d->particles[from + (k < g.slot_count ? k : g.slot_count - 1)];
        model->row_count += rows;
        model->spread_row_count += (g.oriented_count + LANES - 1) / LANES;
        model->groups[model->group_count++] = g;
    }
}

// Slots of an explicit group in three passes: oriented members, then points that take their rotation
// from this group, then joints that take it from an earlier one.
static void build_explicit_groups(derivation *d, group *found)
{
    const elements *e = &d->model->source;
    int slots = 0;
    for (int g = 0; g < e->group_count; ++g) {
        group *out = &found[g];
        *out = (group){.source = g,
                       .first_slot = slots,
                       .slot_count = e->groups[g].member_count,
                       .rate = pli_stiffness_rate(e->groups[g].stiffness),
                       .dent_speed = e->groups[g].dent_speed,
                       .yield_strain = e->groups[g].yield_strain,
                       .creep_rate = e->groups[g].creep_rate};
        for (int pass = 0; pass < 3; ++pass) {
            for (int k = 0; k < e->groups[g].member_count; ++k) {
                int32_t p = e->groups[g].members[k];
                int wanted = is_oriented(d, p) ? 0 : d->model->group_of[p] == g + 1 ? 1 : 2;
                if (wanted == pass)
                    d->particles[slots++] = p;
            }
            if (pass == 0)
                out->oriented_count = slots - out->first_slot;
            if (pass == 1)
                out->turned_count = slots - out->first_slot;
        }
    }
    append_explicit_groups(d, found, e->group_count);
}

// Each after all earlier groups of its particles.
static bool find_turns(derivation *d)
{
    const elements *e = &d->model->source;
    turn_plan *plan = &d->model->explicit_turns;
    int32_t *next = derivation_take(d, (size_t)e->particle_count, sizeof *next);
    if (!next || !pli_turns_reserve(plan, e->group_count, d->allocator)) {
        pli_memory_free(d->allocator, next);
        return false;
    }
    for (int g = 0; g < e->group_count; ++g) {
        const pliant_group_def *def = &e->groups[g];
        int32_t turn = 0;
        for (int k = 0; k < def->member_count; ++k)
            turn = next[def->members[k]] > turn ? next[def->members[k]] : turn;
        for (int k = 0; k < def->member_count; ++k)
            next[def->members[k]] = turn + 1;
        plan->turn[g] = turn;
    }
    pli_turns_sort(plan, e->group_count);
    pli_memory_free(d->allocator, next);
    return true;
}

static bool derive(derivation *d)
{
    pliant_model *model = d->model;
    group *found = derivation_take(d, (size_t)model->source.group_count, sizeof *found);
    if (!found)
        return false;
    build_explicit_groups(d, found);
    pli_memory_free(d->allocator, found);
    for (int i = model->implicit_count; i < model->group_count; ++i) {
        model->has_dents = model->has_dents || model->groups[i].dent_speed > 0.0f;
        model->has_creep = model->has_creep || model->groups[i].creep_rate > 0.0f;
    }
    return model->source.group_count == 0 || find_turns(d);
}

static void release(pliant_model *model)
{
    pli_turns_free(&model->explicit_turns, &model->allocator);
}

static bool is_in(const pliant_model *model)
{
    return model->group_count > model->implicit_count;
}

static bool is_soft(const pliant_model *model)
{
    return pli_groups_are_soft(model, model->implicit_count, model->group_count);
}

// ---------------------------------------------------------------------------------------------
// Of a body

static void scale(pliant_world *world, body *b, float h, int iterations)
{
    pli_groups_scale(world, b, b->model->implicit_count, b->model->group_count, h, iterations);
}

// A group that was dented is loose for a while.
static bool is_acting(const group_span *span, int index)
{
    return !(span->loose[index] > 0.0f);
}

// What the tasks of a large body's groups need: those of one turn share no particle.
typedef struct turn_job {
    const kernels *kernels;
    group_span span;
    const int32_t *groups; // from the first explicit one on
    int first;             // explicit group
    atomic_int rescues;
} turn_job;

static turn_job begin_job(const substep *s, const body *b)
{
    return (turn_job){.kernels = s->world->kernels,
                      .span = pli_group_span(s->world, b),
                      .groups = b->model->explicit_turns.order,
                      .first = b->model->implicit_count};
}

static void prepare_group(int index, void *context)
{
    const turn_job *job = context;
    int g = job->first + job->groups[index];
    if (is_acting(&job->span, g))
        job->kernels->prepare_explicit(&job->span, g);
}

static void solve_group(int index, void *context)
{
    turn_job *job = context;
    int g = job->first + job->groups[index];
    int rescues = is_acting(&job->span, g) ? job->kernels->solve_explicit(&job->span, g) : 0;
    if (rescues > 0)
        atomic_fetch_add_explicit(&job->rescues, rescues, memory_order_relaxed);
}

static void prepare(const substep *s, const body *b)
{
    turn_job job = begin_job(s, b);
    pli_run_body_tasks(s->world, b, b->model->group_count - b->model->implicit_count, prepare_group,
                       &job);
}

static int solve(const substep *s, const body *b)
{
    const turn_plan *plan = &b->model->explicit_turns;
    turn_job job = begin_job(s, b);
    for (int t = 0; t < plan->turn_count; ++t) {
        job.groups = plan->order + plan->first[t];
        pli_run_body_tasks(s->world, b, plan->first[t + 1] - plan->first[t], solve_group, &job);
    }
    return atomic_load_explicit(&job.rescues, memory_order_relaxed);
}

const family pli_family_explicit_groups = {.name = "explicit groups",
                                           .derive = derive,
                                           .is_in = is_in,
                                           .is_soft = is_soft,
                                           .scale = scale,
                                           .prepare = prepare,
                                           .solve = solve,
                                           .release = release};
