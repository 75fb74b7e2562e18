// The octopus as a model, made of its visual mesh by the tools for drafts.

#ifndef PLIANT_SCENES_OCTOPUS_MODEL_H
#define PLIANT_SCENES_OCTOPUS_MODEL_H

#include <pliant/author.h>

// About 300 particles: chains in the tentacles, a layer on the body. NULL with `error` filled, or not when there is
// no memory.
pliant_model *octopus_model(pliant_error *error);

#endif
