// Attachments: rods, strings and springs between bodies, to colliders and to points. See attachments.c.

#ifndef PLIANT_WORLD_ATTACHMENT_H
#define PLIANT_WORLD_ATTACHMENT_H

#include <pliant/world.h>

#include "math/quat.h"
#include "model/turns.h"

typedef struct substep substep;

typedef struct attachment {
    pliant_attachment_def def; // its length is never negative
    uint32_t generation;
    uint32_t removed; // generation of the last one of this slot that a call has removed; 0: none
    bool is_alive;    // its id is valid
    float rate;       // 1/s², of the stiffness law; < 0 means rigid
    vec3 anchor,
        target;      // where it is held and where that goes, in its collider's axes or the world's
    bool has_target; // it is on its way there
    float force;     // N of the last substep, > 0 pulls
    // In this step
    int32_t ends[2]; // particles of the world; -1: a point that does not give way
    int32_t next[2]; // of each end's particle, as first_attachment
    vec3 point;      // world space, what stands for an end of -1
    float alpha;
    // In this substep
    vec3 point_way;     // of the point
    vec3 start;         // from end 0 to end 1 as the substep began
    vec3 between;       // the same before either has moved on from the predicted drift
    float start_excess; // m beyond the length at that time
    float impulse;      // kg m, > 0 pulls
} attachment;

// Room for so many slots, in all. False when memory runs out.
bool pli_reserve_attachments(pliant_world *world, int slots);
void pli_free_attachments(pliant_world *world);
// All together; the first once a step.
void pli_begin_attachments(const substep *s);
void pli_start_attachments(const substep *s);
void pli_solve_attachments(const substep *s);
void pli_settle_attachments(const substep *s);
bool pli_is_attached(const pliant_world *world, pliant_body_id id);
// m at which an attachment holds two particles from each other, or -1.
float pli_attached_length(const pliant_world *world, int i, int j);
void pli_drop_body_attachments(pliant_world *world, pliant_body_id id);
// Before a body gets other particles, and when it has them: each end goes to the one that takes the place of its own, and the
// length with it.
void pli_note_excess(pliant_world *world, pliant_body_id id);
void pli_move_attachments(pliant_world *world, pliant_body_id id, const int32_t *successor);
void pli_drop_collider_attachments(pliant_world *world, pliant_collider_id id);

#endif
