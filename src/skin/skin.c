// Skinning: the visual mesh follows the particles (paper 2011, §7; Kavan et al. 2008 for dual
// quaternions). `turn` is the rotation from bind to now, so that the transform of a link is
//     T_i(p) = x_i + turn_i (p - x̄_i)
// in which only small differences are rotated: right at any distance from the origin.

#include "world/world.h"

// One body's poses and its model's bind positions.
typedef struct skin_source {
    const pliant_particle_def *bind;
    const vec3 *x;
    const quat *turn;
} skin_source;

static void skin_linear(const skin_source *from, const pliant_vertex_def *vertex, vec3 *position,
                        vec3 *normal)
{
    // Relative to the heaviest link, so that weights are not multiplied with large coordinates.
    vec3 origin = from->x[vertex->particles[0]], p = {0, 0, 0}, n = {0, 0, 0};
    for (int k = 0; k < PLIANT_MAX_LINKS && vertex->weights[k] > 0.0f; ++k) {
        int32_t i = vertex->particles[k];
        float w = vertex->weights[k];
        vec3 arm = vec3_sub(vertex->position, from->bind[i].position);
        vec3 moved = vec3_add(vec3_sub(from->x[i], origin), quat_rotate(from->turn[i], arm));
        p = vec3_add_scaled(p, moved, w);
        n = vec3_add_scaled(n, quat_rotate(from->turn[i], vertex->normal), w);
    }
    *position = vec3_add(origin, p);
    *normal = vec3_normalize_or(n, n);
}

// Blends the rotations in the hemisphere of the heaviest link, and the translations about the vertex
// itself as dual parts: d = ½ t q with t = T_i(p) - turn_i p, taken relative to the heaviest link's
// place so that the numbers stay small.
static void skin_dual_quaternion(const skin_source *from, const pliant_vertex_def *vertex,
                                 vec3 *position, vec3 *normal)
{
    int32_t first = vertex->particles[0];
    quat lead = from->turn[first];
    vec3 bind_origin = from->bind[first].position, origin = from->x[first];
    quat real = {0, 0, 0, 0}, dual = {0, 0, 0, 0};
    for (int k = 0; k < PLIANT_MAX_LINKS && vertex->weights[k] > 0.0f; ++k) {
        int32_t i = vertex->particles[k];
        quat q = from->turn[i];
        float w = quat_dot(q, lead) < 0.0f ? -vertex->weights[k] : vertex->weights[k];
        vec3 arm = vec3_sub(bind_origin, from->bind[i].position);
        vec3 t = vec3_add(vec3_sub(from->x[i], origin), quat_rotate(q, arm));
        quat d = quat_mul((quat){0.5f * t.x, 0.5f * t.y, 0.5f * t.z, 0.0f}, q);
        real = (quat){real.x + w * q.x, real.y + w * q.y, real.z + w * q.z, real.w + w * q.w};
        dual = (quat){dual.x + w * d.x, dual.y + w * d.y, dual.z + w * d.z, dual.w + w * d.w};
    }
    float inverse = 1.0f / square_root(quat_dot(real, real));
    real = quat_scale(real, inverse);
    dual = quat_scale(dual, inverse);
    quat t = quat_mul(dual, quat_conjugate(real)); // translation / 2
    vec3 local = quat_rotate(real, vec3_sub(vertex->position, bind_origin));
    *position = vec3_add(origin, vec3_add_scaled(local, (vec3){t.x, t.y, t.z}, 2.0f));
    *normal = quat_rotate(real, vertex->normal);
}

void pliant_body_skin(const pliant_world *world, pliant_body_id id, pliant_skin_mode mode,
                      pliant_vec3 *positions, pliant_vec3 *normals)
{
    const body *b = pliant_world_body(world, id);
    if (!b)
        return;
    const elements *source = &b->model->source;
    skin_source from = {source->particles, world->x + b->particle_first,
                        world->turn + b->particle_first};
    for (int i = 0; i < source->vertex_count; ++i) {
        vec3 normal;
        if (mode == PLIANT_SKIN_DUAL_QUATERNION)
            skin_dual_quaternion(&from, &source->vertices[i], &positions[i], &normal);
        else
            skin_linear(&from, &source->vertices[i], &positions[i], &normal);
        if (normals)
            normals[i] = normal;
    }
}
