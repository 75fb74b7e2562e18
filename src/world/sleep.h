// Falling asleep and waking. See sleep.c.

#ifndef PLIANT_WORLD_SLEEP_H
#define PLIANT_WORLD_SLEEP_H

#include "substep.h"

void pli_wake_body(pliant_world *world, body *b);
// When they touch and one of them sleeps: returns whether.
bool pli_wake_by_touch(pliant_world *world, body *first, body *second);
void pli_wake_all(pliant_world *world);
// Wakes what something that comes or goes may bear: sleepers that reach into a box.
void pli_wake_near(pliant_world *world, const box *reach);
// Wakes sleepers that a moving collider comes to; places the others for this step.
void pli_begin_sleepers(pliant_world *world, float dt);
// Wakes sleepers that an awake body's particles have come to; true when there were any.
bool pli_wake_touched(const substep *s);
// Wakes sleepers that the solver has pushed an awake body into; true when there were any.
bool pli_wake_pushed(const substep *s);
void pli_fall_asleep(pliant_world *world, float dt);
// Whether a motor turns any of its hinges.
bool pli_has_motors(const pliant_world *world, const body *b);

#endif
