// Planes that a mesh is symmetric about.

#ifndef PLIANT_AUTHOR_AUTO_SYMMETRY_H
#define PLIANT_AUTHOR_AUTO_SYMMETRY_H

#include "draft/draft.h"

typedef struct symmetry_plane {
    vec3 normal; // of unit length
    float offset;
} symmetry_plane;

enum { MOST_SYMMETRIES = 3 };

// Planes at right angles to each other in which the mesh's image lies within `tolerance` (m) of its surface, but for
// small parts that stray a little. Returns how many; -1 when memory runs out.
int pli_draft_find_symmetries(pliant_draft *draft, float tolerance,
                              symmetry_plane planes[MOST_SYMMETRIES]);

// Gives particles that are images of each other in a plane, within `tolerance` (m), the mean of their masses. False when
// memory runs out.
bool pli_draft_balance(pliant_draft *draft, symmetry_plane plane, float tolerance);

#endif
