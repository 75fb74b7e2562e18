// Implicit groups of an elastic material: what Young's modulus and the layout of particles make of them (elastic.c).

#ifndef PLIANT_MODEL_ELASTIC_H
#define PLIANT_MODEL_ELASTIC_H

#include "derivation.h"

typedef struct elastic_group {
    float
        stretch; // N m: Young's modulus times the volume that its strain stands for; 0 of what is not elastic
    float rate;      // 1/s², of what of the deformation is no strain, …
    float bend_rate; // … and of its part across a sheet; of others the same
    float
        clamp_rate; // 1/s², of its members about a pinned centre; 0 where the group fills space, which holds them by itself
} elastic_group;

// Of how far a group extends along its axes: a square below this part of the largest is none.
#define THIN_EXTENT 0.01f

// Finds them, and the shares of members, after the model has its implicit groups. False when memory runs out.
bool pli_derive_elastic(derivation *d);
void pli_elastic_release(pliant_model *model);

static inline bool pli_is_elastic(const pliant_model *model, int index)
{
    return model->elastic && index < model->implicit_count && model->elastic[index].stretch > 0.0f;
}

#endif
