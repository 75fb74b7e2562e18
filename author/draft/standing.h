// The group that lets a rooted thing stand (auto/live.c), and how it is told from others.

#ifndef PLIANT_AUTHOR_DRAFT_STANDING_H
#define PLIANT_AUTHOR_DRAFT_STANDING_H

#include "draft/draft.h"

// A group of all particles that is stiffer was made for something else.
#define MOST_STANDING 0.5f

static inline bool has_standing_group(const pliant_draft *draft)
{
    if (draft->group_count != 1)
        return false;
    const pliant_group_def *group = &draft->groups[0].def;
    return group->member_count == draft->particle_count && group->stiffness <= MOST_STANDING &&
           group->dent_speed == 0.0f && group->creep_rate == 0.0f;
}

#endif
