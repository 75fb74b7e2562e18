// Damping of the deformation alone: particles are drawn towards the motion of the body as a whole,
// its linear and angular velocity, which stays as it is (position based dynamics, Müller et al. 2006,
// §3.5, here with the particles' own spin). Own spins of soft particles follow their groups and carry nothing: places that
// were drawn towards them would be given what nobody has.

#include "substep.h"

#include "solve/motion.h"

void pli_damp_deformation(const substep *s, const body *b)
{
    pliant_world *world = s->world;
    int first = b->particle_first;
    motion_span span = {.start = world->start + first,
                        .v = world->v + first,
                        .spin = world->spin + first,
                        .turn = world->turn + first,
                        .moments = b->model->moments,
                        .particles = b->model->source.particles,
                        .is_rigid = b->model->is_rigid,
                        .pinned = world->pinned + first,
                        .inverse_mass = (float)(1.0 / b->model->mass),
                        .count = b->model->source.particle_count};
    rigid_motion motion;
    world->kernels->find_motion(&span, &motion);
    world->kernels->damp_deformation(&span, &motion, trig_one_minus_exp(b->shape_rate * s->h));
}
