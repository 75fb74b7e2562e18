// Changing values of particles one by one, where the public call has them in pairs.

#ifndef PLIANT_AUTHOR_DRAFT_CHANGE_H
#define PLIANT_AUTHOR_DRAFT_CHANGE_H

#include "draft/draft.h"

// Which of a particle's values get new ones.
typedef struct particle_change {
    uint32_t fields; // bit f: field f of the table of particles (elements.h); flags are told apart
    uint32_t flags;  // those that become what they are in the values
} particle_change;

// The bit of a field by its name, 0 for flags and what is no field.
uint32_t pli_particle_field_bit(const char *name);

pliant_result pli_draft_change(pliant_draft *draft, const pliant_selection *particles,
                               const pliant_particle_def *values, const particle_change *change,
                               pliant_error *error);

#endif
