// How a cloud of weighted points is spread: its centroid, principal axes and variances.

#ifndef PLIANT_AUTHOR_MESH_SPREAD_H
#define PLIANT_AUTHOR_MESH_SPREAD_H

#include "math/vec3.h"

typedef struct spread {
    double weight;
    double sum[3];
    double moments[6]; // xx, yy, zz, yz, zx, xy
    vec3 origin;       // of the sums, for their accuracy
} spread;

void pli_spread_begin(spread *s, vec3 origin);
void pli_spread_add(spread *s, vec3 x, float weight);
vec3 pli_spread_centre(const spread *s);
// Principal axes, unit length and right-handed, by rising variance; each but the last has its largest component
// above 0. The weight must be above 0.
void pli_spread_axes(const spread *s, vec3 axes[3], double variances[3]);

#endif
