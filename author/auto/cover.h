// How far the surface is from the ellipsoids of particles.

#ifndef PLIANT_AUTHOR_AUTO_COVER_H
#define PLIANT_AUTHOR_AUTO_COVER_H

#include "draft/draft.h"

typedef struct covered_point {
    float gap;        // m, to the nearest ellipsoid of a particle that is near along the object
    int32_t particle; // whose it is; -1: none is near
} covered_point;

typedef struct coverage {
    covered_point *points; // of the matter's refined mesh
    int count;             // of particles that have been looked at
} coverage;

// For a draft whose matter is there. Both are false when memory runs out.
bool pli_coverage_begin(coverage *coverage, const pliant_draft *draft);
// Looks at the particles that have come since.
bool pli_coverage_add(coverage *coverage, const pliant_draft *draft);
void pli_coverage_end(coverage *coverage);

typedef struct bare_places {
    int count;
    draft_anchor *places;
} bare_places;

// Places on the surface with a gap above `limit` (m), the widest first and none within a spacing of another. False when
// memory runs out; to be released in either case.
bool pli_coverage_find_bare(const coverage *coverage, const pliant_draft *draft, float limit,
                            bare_places *bare);
void pli_bare_places_release(bare_places *bare);

// Stretches ellipsoids along their axes to the surface that lies straight ahead of them and out of all others, by at most
// `most` (m) each way. False when memory runs out.
bool pli_coverage_reach_out(const coverage *coverage, pliant_draft *draft, float most);

#endif
