// Pliant: real-time solids made of oriented particles. Everything of the runtime library.

#ifndef PLIANT_PLIANT_H
#define PLIANT_PLIANT_H

#include "base.h"
#include "model.h"
#include "pool.h"
#include "shape.h"
#include "world.h"

#endif
