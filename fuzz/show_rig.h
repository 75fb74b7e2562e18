// Evaluates all of a rig, however it came about: rest, clips, blends, layers and root motion, matrices and vertices.

#ifndef FUZZ_SHOW_RIG_H
#define FUZZ_SHOW_RIG_H

#include <pliant/rig.h>

// Nothing for NULL, or when memory runs out.
void show_rig(const pliant_rig *rig);

#endif
