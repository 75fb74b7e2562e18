// The tree of bodies by their boxes. See body_tree.c.

#ifndef PLIANT_WORLD_BODY_TREE_H
#define PLIANT_WORLD_BODY_TREE_H

#include "world.h"

// Around a body's particles, wherever they are, and what is watched around them.
box pli_body_box(const pliant_world *world, const body *b);
// The tree of bodies: where a body is, after a caller has placed it; that its box reaches to a particle that a caller has
// placed; that it is no more. At the end of a step, when their bounds tell where they are: who has left the box.
void pli_place_body(pliant_world *world, body *b);
void pli_reach_particle(pliant_world *world, body *b, int particle);
// What is watched for pairs around a body on its way through a substep.
box pli_pair_box(const body *b);
void pli_unplace_body(pliant_world *world, body *b);
void pli_follow_bodies(pliant_world *world);
// Calls for each body whose box may overlap with this one.
typedef void near_body_task(pliant_world *world, body *b, void *context);
void pli_for_near_bodies(pliant_world *world, const box *bounds, near_body_task *task,
                         void *context);

#endif
