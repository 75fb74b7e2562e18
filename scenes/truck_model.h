// A monster truck of oriented particles, for the scenes `truck` and `crash`.
//
// The chassis (a shell of thin ellipsoids and a stiff frame inside it) and each of the two axles with its
// rims is one rigid group. An axle shares its two bearings with the chassis, so that it can only turn.
// Each tyre is three rings of soft particles around its rim. The chassis is plastic.

#ifndef PLIANT_SCENES_TRUCK_MODEL_H
#define PLIANT_SCENES_TRUCK_MODEL_H

#include <pliant/author.h>

enum {
    TRUCK_TYRE_RINGS = 3,
    TRUCK_TYRE_SEGMENTS = 16,
    TRUCK_TYRE_PARTICLES = TRUCK_TYRE_RINGS * TRUCK_TYRE_SEGMENTS,
    TRUCK_RIM_RINGS = 2,
    TRUCK_RIM_SEGMENTS = 8,
    TRUCK_RIM_PARTICLES = TRUCK_RIM_RINGS * TRUCK_RIM_SEGMENTS,
};

// Explicit groups and hinges, by index.
enum { TRUCK_GROUP_CHASSIS, TRUCK_GROUP_REAR_AXLE, TRUCK_GROUP_FRONT_AXLE };
enum { TRUCK_HINGE_REAR, TRUCK_HINGE_FRONT };

// Particle (ring, segment) of a rim or tyre is first + ring · segments + segment, rings in rising z.
// Odd rings of a tyre are turned by half a segment.
typedef struct truck_wheel {
    pliant_vec3 centre;
    int hub, rim_first, tyre_first;
} truck_wheel;

// Where the parts are among the particles.
typedef struct truck_layout {
    int shell_first, shell_count;
    int frame_first, frame_count; // without the bearings
    int bearings[2][2];           // rear and front; at low and high z
    truck_wheel wheels[4];        // two of the rear axle, then two of the front one; low z first
} truck_layout;

// Adds the truck's particles, edges, groups and hinges.
truck_layout truck_add_particles(pliant_builder *builder);
// Adds its visual mesh. The texture coordinate u says what a part is made of (truck_skin.c).
void truck_add_body_skin(pliant_builder *builder, const truck_layout *layout);
void truck_add_wheel_skin(pliant_builder *builder, const truck_wheel *wheel);
// All of the above in a new builder, or NULL when there is no memory.
pliant_builder *truck_builder(void);

#endif
