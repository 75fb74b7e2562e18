// The outward axis of surface particles.

#ifndef PLIANT_AUTHOR_DRAFT_OUTWARD_H
#define PLIANT_AUTHOR_DRAFT_OUTWARD_H

#include "draft.h"
#include "mesh/surface_search.h"

// Names a particle's axes anew so that x is the outward one: the axis best aligned with the mean normal of the
// surface within its largest radius (paper 001, section 5.2). The ellipsoid stays where it is. Without a
// surface, nothing changes.
void pli_draft_turn_outward(pliant_particle_def *particle, draft_anchor anchor,
                            const surface_search *search);

#endif
