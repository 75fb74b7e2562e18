#include "reference.h"

#include "reference_kernels.h"
#include "world/substep.h"

void bench_use_reference(pliant_world *world)
{
    static kernels reference;
    reference = reference_kernels();
    world->kernels = &reference;
}
