// Contact with colliders: what finding and solving share. See contacts.c.

#ifndef PLIANT_WORLD_CONTACTS_H
#define PLIANT_WORLD_CONTACTS_H

#include "solve/contacts.h"
#include "world.h"

// Of batches [first, end).
typedef void contact_kernel(const contact_span *b, int first, int end);

// Whether there are colliders for the body that are no planes: it may pass one of these on a new way, when it was pushed.
bool pli_meets_solids(const pliant_world *world, const body *b);
// The most contacts that a body of the model may have.
int pli_most_contacts(const pliant_model *model);
contact_span pli_contact_span(const substep *s, const body *b);
// Side by side, if the body is large.
void pli_run_contact_batches(const substep *s, const body *b, contact_kernel *kernel);
// Puts contacts that were found into batches, and says how they stand before they are solved.
void pli_begin_contacts(const substep *s, body *b);
// Contacts with surfaces that particles which have been pushed passed on their new way; true when there are any.
bool pli_find_missed_contacts(const substep *s, body *b);

// A free particle leaves a surface at the speed of its restitution: when part of a partial substep is taken.
void pli_rebound(const substep *s, const body *b, const contact *c);

// Whether a particle was so deep in a collider before the substep that no load can have pressed it there. To push it out
// against its groups would only stretch them, until they come free.
static inline bool is_deep(const body *b, const contact *c)
{
    return c->start_depth > DEEP_OVERLAP * pli_smallest_radius(b, c->particle - b->particle_first);
}

static inline float pli_combined_restitution(const body *b, const collider *c)
{
    return maximum(b->restitution, c->restitution);
}

// The speed with which what falls leaves a surface that it starts `gap` above and hits at speed v: it leaves from the
// surface. What the substeps of a fall keep is v² - g h v + 2 g x, v upwards: that value times e² gives v'.
static inline float pli_rebound_speed(float restitution, float v, float pull, float gap, float h)
{
    float fall = maximum(0.0f, v * v + pull * h * v + 2.0f * pull * gap), half = 0.5f * pull * h;
    return maximum(0.0f, half + square_root(half * half + restitution * restitution * fall));
}

static inline contact *contacts_of(const pliant_world *world, const body *b)
{
    return world->contacts ? world->contacts + b->contact_first : NULL;
}

static inline contact_batch *contact_batches_of(const pliant_world *world, const body *b)
{
    return world->contact_batches ? world->contact_batches + b->contact_batch_first : NULL;
}

#endif
