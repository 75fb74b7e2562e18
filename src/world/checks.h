// Shared checks of definitions.

#ifndef PLIANT_WORLD_CHECKS_H
#define PLIANT_WORLD_CHECKS_H

#include "world.h"

// Shared checks of definitions.
pliant_result pli_check_world_def(const pliant_world_def *def, pliant_error *error);
pliant_result pli_check_range(pliant_error *error, const char *what, float value, float low,
                              float high);
pliant_result pli_check_vector(pliant_error *error, const char *what, vec3 v);
pliant_result pli_check_motion(pliant_error *error, pliant_pose pose, vec3 linear, vec3 angular);
pliant_result pli_check_surface(pliant_error *error, float friction, float restitution);
pliant_result pli_check_attachment(const pliant_world *world, const pliant_attachment_def *def,
                                   pliant_error *error);
// That there is such a body with such a particle; the fields are their names for an error.
pliant_result pli_check_particle(const pliant_world *world, pliant_body_id id, int particle,
                                 const char *body_field, const char *particle_field,
                                 pliant_error *error);

#endif
