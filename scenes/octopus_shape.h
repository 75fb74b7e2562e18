// The shape of the octopus: the curves of its tentacles, and its body as a field of distances, into which
// the roots of the tentacles blend. Model space: +z forward, +y up, standing on y = 0.

#ifndef PLIANT_SCENES_OCTOPUS_SHAPE_H
#define PLIANT_SCENES_OCTOPUS_SHAPE_H

#include "geometry.h"

enum {
    OCTOPUS_TENTACLES = 8,
    OCTOPUS_RINGS = 40,
    OCTOPUS_ROOT_RINGS = 10, // that belong to the field
    OCTOPUS_BULGES = 3,
};

typedef struct octopus_ring {
    vec3 centre;
    vec3 top, side; // unit, in the ring's plane; suckers are opposite to the top
    float radius;
    float along; // [0, 1]
} octopus_ring;

typedef struct octopus_bulge {
    vec3 centre, radii;
} octopus_bulge;

typedef struct octopus_shape {
    octopus_ring rings[OCTOPUS_TENTACLES][OCTOPUS_RINGS]; // from root to tip
    octopus_bulge bulges[OCTOPUS_BULGES];                 // mantle, face, crown of the roots
    octopus_bulge lids[2];
} octopus_shape;

typedef struct octopus_eye {
    vec3 centre;
    vec3 gaze; // unit
    float radius;
} octopus_eye;

octopus_shape octopus_shape_create(void);
// The left or the right one, as the octopus sees it.
octopus_eye octopus_eye_of(int is_right);
// The horizontal direction in which a tentacle leaves the body, as an angle from +z towards +x.
float octopus_heading(int tentacle);
// About how far a point is outside of body and roots, and the direction in which that grows fastest.
float octopus_distance(const octopus_shape *shape, vec3 point, vec3 *gradient);

#endif
