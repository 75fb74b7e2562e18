// Pliant: real-time solids made of oriented particles. Everything of the runtime library; what is
// computed inline is in math.h, which has settings of its own.

#ifndef PLIANT_PLIANT_H
#define PLIANT_PLIANT_H

#include "base.h"
#include "model.h"
#include "pool.h"
#include "rig.h"
#include "shape.h"
#include "world.h"

#endif
