// What callers are told of the last step.

#include "calls.h"

pliant_profile pliant_world_profile(const pliant_world *world)
{
    return checked_world(world, __func__) ? world->profile : (pliant_profile){0};
}

const char *pliant_world_instruction_set(const pliant_world *world)
{
    return checked_world(world, __func__) ? world->kernels->name : NULL;
}

static void count_saturated(pliant_report *report, const body *b)
{
    report->saturated_groups += b->saturated_groups;
    if (b->unsaturated_length > 0.0f)
        report->unsaturated_length =
            report->unsaturated_length > 0.0f
                ? minimum(report->unsaturated_length, b->unsaturated_length)
                : b->unsaturated_length;
}

pliant_report pliant_world_report(const pliant_world *world)
{
    if (!checked_world(world, __func__))
        return (pliant_report){0};
    pliant_report report = {.steps = world->steps, .time = world->time};
    report.refused_steps = world->refused_steps;
    report.shortened_by = world->shortened_by;
    report.bad_calls = atomic_load_explicit(&world->bad_calls, memory_order_relaxed);
    report.bodies = world->active_count;
    report.particles = world->particle_count;
    report.edges = world->edge_count;
    report.groups = world->group_count;
    report.pairs = world->touching_pairs;
    report.dropped_events = world->touches.dropped;
    report.dropped_pairs = world->dropped_pairs;
    for (int k = 0; k < world->active_count; ++k) {
        const body *b = &world->bodies[world->active[k]];
        report.contacts += b->touching_count;
        count_saturated(&report, b);
        report.rotation_rescues += b->rescue_count;
        report.bad_bodies += b->went_bad;
        report.limited_bodies += b->is_limited;
        report.frozen_bodies += b->is_frozen;
        report.sleeping_bodies += b->is_asleep;
        report.dropped_contacts += b->dropped_contacts;
    }
    return report;
}
