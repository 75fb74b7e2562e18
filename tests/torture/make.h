// Random models and shapes.

#ifndef PLIANT_TORTURE_MAKE_H
#define PLIANT_TORTURE_MAKE_H

#include "dice.h"

#include <pliant/author.h>

typedef enum model_family {
    MODEL_BALL,
    MODEL_ROPE,
    MODEL_SHEET,
    MODEL_BLOCK,
    MODEL_LATTICE, // of ellipsoids, each with its own stiffness
    MODEL_SHELL,   // of surface particles
    MODEL_CHAIN,   // with torsion
    MODEL_GROUP,   // explicit, rigid or soft
    MODEL_HINGE,   // two rigid groups
    MODEL_PLASTIC, // dents, yields, creeps
    MODEL_TREE,    // of rigid edges, with heavy ends
    MODEL_FAMILIES
} model_family;

extern const char *const model_family_names[MODEL_FAMILIES];

// What is built may be something that rolls on level ground for long.
bool model_family_rolls(model_family family);

// `heaviness` multiplies all masses.
pliant_model *make_model(dice *d, model_family family, float heaviness);

// m, from the model's origin to the farthest point of a particle.
float model_reach(const pliant_model *model);

pliant_shape *make_shape(dice *d, pliant_shape_kind kind);

extern const char *const shape_kind_names[PLIANT_SHAPE_HEIGHTFIELD + 1];

#endif
