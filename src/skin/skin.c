// Skinning: the visual mesh follows the particles (paper 2011, §7; Kavan et al. 2008 for dual
// quaternions). `turn` is the rotation from bind to now, so that the transform of a link is
//     T_i(p) = x_i + turn_i (p - x̄_i)
// which the kernels compute relative to a particle in the middle of the body: right at any distance from
// the origin.

#include "solve/skin.h"
#include "world/calls.h"

static void skin(const pliant_world *world, const body *b, pliant_skin_mode mode, float blend,
                 vec3 *positions, vec3 *normals)
{
    const pliant_model *model = b->model;
    skin_task task = {.skin = &model->skin,
                      .bind = model->source.particles,
                      .x = world->x + b->particle_first,
                      .turn = world->turn + b->particle_first,
                      .blend = blend,
                      .vertex_count = model->source.vertex_count,
                      .positions = positions,
                      .normals = normals};
    task.origin = task.x[model->skin.reference];
    if (blend != 1.0f && b->has_before) {
        task.x_before = world->x_good + b->particle_first;
        task.turn_before = world->turn_good + b->particle_first;
        vec3 before = task.x_before[model->skin.reference];
        task.origin = vec3_add_scaled(before, vec3_sub(task.origin, before), blend);
    }
    if (mode == PLIANT_SKIN_DUAL_QUATERNION)
        world->kernels->skin_dual_quaternions(&task);
    else
        world->kernels->skin_linear(&task);
}

void pliant_body_skin(const pliant_world *world, pliant_body_id id, pliant_skin_mode mode,
                      pliant_vec3 *positions, pliant_vec3 *normals)
{
    const body *b = checked_body(world, id, __func__);
    if (b && b->model->source.vertex_count > 0 &&
        checked_pointer(world, positions, "positions", __func__))
        skin(world, b, mode, 1.0f, positions, normals);
}

void pliant_body_skin_between(const pliant_world *world, pliant_body_id id, pliant_skin_mode mode,
                              float blend, pliant_vec3 *positions, pliant_vec3 *normals)
{
    const body *b = checked_body(world, id, __func__);
    if (b && b->model->source.vertex_count > 0 &&
        checked_pointer(world, positions, "positions", __func__))
        skin(world, b, mode, blend, positions, normals);
}
