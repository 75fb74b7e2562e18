// What a particle is to other particles (paper on animated characters, §5.2, corrected).

#ifndef PLIANT_MODEL_SURFACE_H
#define PLIANT_MODEL_SURFACE_H

#include "model.h"

// Its form or, on a surface, the sphere that is as flat as its ellipsoid's outer face.
typedef struct party {
    form form;    // in world axes
    vec3 offset;  // of the form's origin from the particle's
    vec3 outward; // unit on a surface, otherwise zero
    float radius; // m, the particle's largest
    float
        reach; // m, how far from the particle's centre the form counts; `radius` unless on a surface
} party;

// `turn` is the rotation from the bind orientation.
party pli_model_party(const pliant_model *model, int32_t particle, quat turn);
// Two particles of one model. Those of its surface are to each other the ellipsoids that they are: opposite sides of a
// hollow object are on each other's inner side, and belong there.
void pli_model_parties(const pliant_model *model, int32_t a, int32_t b, quat turn_a, quat turn_b,
                       party *first, party *second);
// The reach alone, in which all of the shape that counts is.
float pli_model_reach(const pliant_model *model, int32_t particle);

// From the one's centre to the other's, `between` being that of the particles. What is on the inner side of
// a surface is seen as if it were on the outer one: so mirrored the way out is outwards, and it changes
// steadily as a thing moves through the surface.
vec3 pli_facing_line(const party *first, const party *second, vec3 between);

// m that two particles would have to move to be beside the face of one that is on a surface, or out of its reach; <= 0 when
// they are, and large when none is on a surface.
float pli_parties_room(const party *first, const party *second, vec3 between);
// As pli_forms_meet, of the forms as they face each other; the arms are from their origins.
bool pli_parties_touch(const party *first, const party *second, vec3 between, float margin,
                       form_pair *out);

// Whether two that rest `between` apart overlap, or almost.
bool pli_overlap_at_rest(const party *first, const party *second, vec3 between);

#endif
