// The account of what constraints and contacts may turn. See turning.c.

#ifndef PLIANT_WORLD_TURNING_H
#define PLIANT_WORLD_TURNING_H

#include "math/vec3.h"

#include <stdbool.h>

typedef struct body body;
typedef struct substep substep;

// Of one body in this substep, about its origin.
typedef struct turn_account {
    bool is_free;      // nothing but bodies touches it
    double centre[3];  // m, of mass, at the start
    double pushed[3];  // kg m/s, that all constraints added
    double turned[3];  // kg m²/s, likewise
    double size;       // kg m²/s, of what was summed up
    double impulse[3]; // kg m/s, of its pairs with other bodies, as far as they tell
    double moment[3];  // kg m²/s, of those
    double weight;     // kg m/s, the sum of their sizes, and of their places times that
    double place[3];
} turn_account;

// Whether nothing holds a body but, maybe, a collider.
bool pli_may_fly(const body *b);
// When it is known what touches colliders.
void pli_begin_turning(body *b);
// What another body pushes it by (kg m/s), and where, about its origin at the start of the substep.
void pli_note_impulse(body *b, vec3 place, vec3 impulse);
// When all has settled.
void pli_keep_turning(substep *s);

#endif
