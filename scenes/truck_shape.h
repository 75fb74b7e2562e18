// The shape of the truck: its measures and the hulls of its body, from which both the particles of the
// shell and the skin are made. Model space: +x forward, +y up, the origin between the axles.

#ifndef PLIANT_SCENES_TRUCK_SHAPE_H
#define PLIANT_SCENES_TRUCK_SHAPE_H

#include "geometry.h"

#define TRUCK_WHEEL_RADIUS     0.84f
#define TRUCK_WHEEL_HALF_WIDTH 0.46f
#define TRUCK_HALF_TRACK       1.30f // to the middle of a wheel
#define TRUCK_HALF_BASE        1.78f
#define TRUCK_RIM_RADIUS       0.42f

// A box with eight free corners. Bits 0, 1, 2 of a corner's index: high x, high y, high z.
typedef struct hull {
    vec3 corners[8];
} hull;

typedef enum truck_hull_part {
    TRUCK_NOSE,
    TRUCK_DOORS,
    TRUCK_CAB,
    TRUCK_BED,
    TRUCK_HULLS
} truck_hull_part;

hull truck_hull(truck_hull_part part);
// The same on the other side of the truck.
hull hull_mirror(const hull *h);
// A box with straight sides.
hull hull_box(vec3 low, vec3 high);

// The point at coordinates in [0, 1]³.
vec3 hull_point(const hull *h, const float g[3]);
// Lengths of the three edges, each the mean of four.
vec3 hull_size(const hull *h);
// Unit normal at g of a surface whose normal would be `direction` if the hull were a straight box.
vec3 hull_normal(const hull *h, const float g[3], vec3 direction);

#endif
