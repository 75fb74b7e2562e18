// Turns, sorted by counting.

#include "turns.h"

bool pli_turns_reserve(turn_plan *plan, int constraints, const pliant_allocator *allocator)
{
    if (constraints <= plan->room)
        return true;
    pli_turns_free(plan, allocator);
    plan->turn = pli_memory_new(allocator, (size_t)constraints, sizeof *plan->turn);
    plan->order = pli_memory_new(allocator, (size_t)constraints, sizeof *plan->order);
    plan->first = pli_memory_new(allocator, (size_t)constraints + 1, sizeof *plan->first);
    if (!plan->turn || !plan->order || !plan->first) {
        pli_turns_free(plan, allocator);
        return false;
    }
    plan->room = constraints;
    return true;
}

void pli_turns_free(turn_plan *plan, const pliant_allocator *allocator)
{
    pli_memory_free(allocator, plan->turn);
    pli_memory_free(allocator, plan->order);
    pli_memory_free(allocator, plan->first);
    *plan = (turn_plan){0};
}

void pli_turns_sort(turn_plan *plan, int constraints)
{
    plan->turn_count = 0;
    for (int i = 0; i < constraints; ++i) {
        while (plan->turn_count <= plan->turn[i])
            plan->first[plan->turn_count++] = 0;
        if (plan->turn[i] != NO_TURN)
            ++plan->first[plan->turn[i]];
    }
    int32_t sum = 0;
    for (int t = 0; t < plan->turn_count; ++t) {
        sum += plan->first[t];
        plan->first[t] = sum;
    }
    for (int i = constraints - 1; i >= 0; --i)
        if (plan->turn[i] != NO_TURN)
            plan->order[--plan->first[plan->turn[i]]] = i;
    if (plan->turn_count > 0)
        plan->first[plan->turn_count] = sum;
}
