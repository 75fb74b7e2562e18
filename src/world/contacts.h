// Contact with colliders: what finding and solving share. See contacts.c.

#ifndef PLIANT_WORLD_CONTACTS_H
#define PLIANT_WORLD_CONTACTS_H

#include "substep.h"

#include "collide/friction.h"
#include "form/shape.h"
#include "solve/contacts.h"

// The most contacts with colliders: so many per particle and so many more per body. A particle in a
// corner touches three faces.
enum { CONTACTS_PER_PARTICLE = 4, CONTACTS_PER_BODY = 12 };

void pli_find_contacts(const substep *s, body *b);
void pli_solve_contacts(const substep *s, const body *b);
// Those in batches, of one block.
void pli_solve_block_contacts(const substep *s, const body *b, int block);
// After the last iteration: impulses are known, and surfaces that were missed are found.
void pli_finish_contacts(const substep *s, body *b);
// Room for contacts of bodies that have found more than they had room for; these look again. When memory runs out, what
// has no room is dropped and counted.
void pli_make_contact_room(const substep *s, void (*look_again)(const substep *s, body *b));
void pli_free_contacts(pliant_world *world);
// One party of a contact at `arm`: see answers_rigidly for when it turns.
contact_side pli_contact_side(const pliant_world *world, const body *b, int i, const mat3 *R,
                              vec3 arm);
// How far the material point at `arm` of a particle has moved in this substep.
vec3 pli_contact_way(const pliant_world *world, const body *b, int i, vec3 arm);
// Adds an impulse to the sum of a contact's friction, within Coulomb's cone of half width `most`, and
// returns how much of it fits.
vec3 pli_limit_friction(vec3 *sum, vec3 impulse, float most);
// Changes a particle's velocity and spin by an impulse (N s) at its contact.
void pli_change_velocity(pliant_world *world, int i, const contact_side *side, vec3 impulse);
// Moves (and turns) a particle by a position-level impulse at its contact.
void pli_apply_impulse(pliant_world *world, int i, const contact_side *side, vec3 impulse);
void pli_settle_contacts(const substep *s, body *b);
// When velocities are known and part of a partial substep is taken: what is deep in a collider is pushed out, and speed that
// moves nothing is taken from what touches one.
void pli_hold_at_surfaces(const substep *s, body *b);
// Contacts and pairs of the last substep, when what they name has changed.
void pli_forget_contacts(pliant_world *world);

// Of batches [first, end).
typedef void contact_kernel(const contact_span *b, int first, int end);

// Whether a collider has the kernel for planes, the one place where its form decides how contacts are found. That finds all of
// a body's from the start, as nothing passes a plane.
static inline bool has_plane_kernel(const collider *c)
{
    return pli_shape_kind_of(c->shape) == PLIANT_SHAPE_PLANE;
}
// Whether there are other colliders for the body: it may pass one of these on a new way, when it was pushed.
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
