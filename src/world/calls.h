// What callers hand to public functions: worlds, ids, indices, pointers.
//
// A call with a bad one is refused: it is counted (pliant_report.bad_calls), the world's bad_call hears of it,
// and the check gives NULL or false, upon which the function returns its neutral value. `call` is always the
// public function's __func__.

#ifndef PLIANT_WORLD_CALLS_H
#define PLIANT_WORLD_CALLS_H

#include "world.h"

#include "core/error.h"

// Counts and tells. Whatever the text, a `world` that is NULL is what was wrong.
void pli_refuse(const pliant_world *world, const char *call, const char *format, ...)
    ERROR_FORMAT(3, 4) __attribute__((cold));
void pli_refuse_id(const pliant_world *world, const char *kind, uint32_t index, uint32_t generation,
                   const char *call) __attribute__((cold));
// For functions that can fail otherwise, too: fills *error when the world or the pointer is NULL.
pliant_result pli_check_given(const pliant_world *world, const void *pointer, const char *name,
                              pliant_error *error, const char *call);

static inline bool checked_world(const pliant_world *world, const char *call)
{
    if (!world)
        pli_refuse(world, call, "world");
    return world != NULL;
}

static inline bool checked_pointer(const pliant_world *world, const void *pointer, const char *name,
                                   const char *call)
{
    if (!world || !pointer)
        pli_refuse(world, call, "%s is NULL", name);
    return world && pointer;
}

static inline bool checked_index(const pliant_world *world, const char *kind, int index, int count,
                                 const char *call)
{
    bool is_good = index >= 0 && index < count;
    if (!is_good)
        pli_refuse(world, call, "%s %d of %d", kind, index, count);
    return is_good;
}

static inline body *checked_body(const pliant_world *world, pliant_body_id id, const char *call)
{
    body *b = pli_world_body(world, id);
    if (!b)
        pli_refuse_id(world, "body", id.index, id.generation, call);
    return b;
}

// The body, if it has such a particle.
static inline body *checked_particle(const pliant_world *world, pliant_body_id id, int particle,
                                     const char *call)
{
    body *b = checked_body(world, id, call);
    if (b && !checked_index(world, "particle", particle, b->model->source.particle_count, call))
        return NULL;
    return b;
}

// Likewise an explicit group.
static inline body *checked_group(const pliant_world *world, pliant_body_id id, int index,
                                  const char *call)
{
    body *b = checked_body(world, id, call);
    if (b && !checked_index(world, "group", index, b->model->source.group_count, call))
        return NULL;
    return b;
}

static inline body *checked_hinge(const pliant_world *world, pliant_body_id id, int index,
                                  const char *call)
{
    body *b = checked_body(world, id, call);
    if (b && !checked_index(world, "hinge", index, b->model->source.hinge_count, call))
        return NULL;
    return b;
}

static inline collider *checked_collider(const pliant_world *world, pliant_collider_id id,
                                         const char *call)
{
    collider *c = pli_world_collider(world, id);
    if (!c)
        pli_refuse_id(world, "collider", id.index, id.generation, call);
    return c;
}

// What is returned in place of a pose.
static inline pliant_pose no_pose(void)
{
    return (pliant_pose){.orientation = quat_identity()};
}

#endif
