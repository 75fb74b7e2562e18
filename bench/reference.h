// The readable scalar loops that the fast ones are checked against, as a contestant.

#ifndef PLIANT_BENCH_REFERENCE_H
#define PLIANT_BENCH_REFERENCE_H

#include <pliant/world.h>

// Makes the world step with them.
void bench_use_reference(pliant_world *world);

#endif
