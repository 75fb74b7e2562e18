// What scenes compute with: the public vectors and rotations by their short names, with the same bits on every machine.

#ifndef PLIANT_SCENES_GEOMETRY_H
#define PLIANT_SCENES_GEOMETRY_H

#define PLIANT_SAME_BITS
#define PLIANT_SHORT_NAMES
#include <pliant/math.h>

#endif
