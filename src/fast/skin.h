// What the skinning kernels read and write.

#ifndef PLIANT_FAST_SKIN_H
#define PLIANT_FAST_SKIN_H

#include "math/quat.h"
#include "model/skin_data.h"

typedef struct skin_task {
    const skin_data *skin;
    const pliant_particle_def *bind;
    const vec3 *x; // of the body's particles
    const quat *turn;
    const vec3 *x_before; // and where they were a step before, or NULL when `blend` is 1
    const quat *turn_before;
    float blend; // from there to where they are
    vec3 origin; // where the reference particle is drawn
    int vertex_count;
    vec3 *positions, *normals; // normals may be NULL
} skin_task;

#endif
