// Turns: constraints of one turn share no particle, and each comes after all earlier ones of its particles. So to solve
// them turn by turn, side by side, is to solve them one after another in the order in which they are given.

#ifndef PLIANT_MODEL_TURNS_H
#define PLIANT_MODEL_TURNS_H

#include "core/memory.h"

typedef struct turn_plan {
    int32_t *turn;  // of each constraint; NO_TURN: it is not there
    int32_t *order; // constraints by turn, then rising
    int32_t *first; // of each turn in that order, and behind the last one
    int turn_count;
    int room; // constraints
} turn_plan;

enum { NO_TURN = -1 };

// Forgets what is in it when there was not enough. False when memory runs out.
bool pli_turns_reserve(turn_plan *plan, int constraints, const pliant_allocator *allocator);
void pli_turns_free(turn_plan *plan, const pliant_allocator *allocator);
// Fills the order from the turns of so many constraints.
void pli_turns_sort(turn_plan *plan, int constraints);

#endif
