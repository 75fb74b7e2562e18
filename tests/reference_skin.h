// Skinning as it reads: one vertex after another, in the order of operations that the kernels keep.

#ifndef PLIANT_TESTS_REFERENCE_SKIN_H
#define PLIANT_TESTS_REFERENCE_SKIN_H

#include "model/model.h"

typedef struct reference_skin {
    const pliant_model *model;
    const vec3 *x; // of the body's particles
    const quat *turn;
} reference_skin;

// T(p) = R p + t, from p relative to the reference particle at the bind pose to where that particle is now
typedef struct reference_transform {
    mat3 R;
    vec3 t;
} reference_transform;

static inline vec3 reference_origin(const reference_skin *s)
{
    return s->x[s->model->skin.reference];
}

static inline vec3 reference_arm(const reference_skin *s, vec3 p)
{
    return vec3_sub(p, s->model->source.particles[s->model->skin.reference].position);
}

static inline reference_transform reference_particle(const reference_skin *s, int32_t i)
{
    mat3 R = quat_to_mat3(s->turn[i]);
    vec3 arm = reference_arm(s, s->model->source.particles[i].position);
    vec3 moved = vec3_sub(s->x[i], reference_origin(s));
    return (reference_transform){R, vec3_sub(moved, mat3_mul_vec(&R, arm))};
}

// Unused links weigh nothing and stand for the first.
static inline int32_t reference_link(const pliant_vertex_def *v, int k)
{
    return v->particles[v->weights[k] > 0.0f ? k : 0];
}

static inline vec3 reference_place(const reference_skin *s, const pliant_vertex_def *v,
                                   const reference_transform *T)
{
    vec3 p = mat3_mul_vec(&T->R, reference_arm(s, v->position));
    return vec3_add(reference_origin(s), vec3_add(p, T->t));
}

static inline void reference_linear(const reference_skin *s, const pliant_vertex_def *v,
                                    vec3 *position, vec3 *normal)
{
    reference_transform sum = reference_particle(s, v->particles[0]);
    sum.R = mat3_scale(sum.R, v->weights[0]);
    sum.t = vec3_scale(sum.t, v->weights[0]);
    for (int k = 1; k < PLIANT_MAX_LINKS; ++k) {
        reference_transform T = reference_particle(s, reference_link(v, k));
        sum.R = mat3_add(sum.R, mat3_scale(T.R, v->weights[k]));
        sum.t = vec3_add_scaled(sum.t, T.t, v->weights[k]);
    }
    vec3 n = mat3_mul_vec(&sum.R, v->normal);
    *position = reference_place(s, v, &sum);
    *normal = vec3_normalize_or(n, n);
}

// quat_to_mat3 of a quaternion of any length, with scale = 2 / |q|²
static inline mat3 reference_scaled_mat3(quat q, float scale)
{
    float x2 = q.x * scale, y2 = q.y * scale, z2 = q.z * scale;
    float xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
    float xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
    float wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    return (mat3){{{1.0f - (yy + zz), xy - wz, xz + wy},
                   {xy + wz, 1.0f - (xx + zz), yz - wx},
                   {xz - wy, yz + wx, 1.0f - (xx + yy)}}};
}

static inline quat reference_add_scaled(quat a, quat b, float s)
{
    return (quat){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z, a.w + s * b.w};
}

static inline void reference_dual_quaternion(const reference_skin *s, const pliant_vertex_def *v,
                                             vec3 *position, vec3 *normal)
{
    quat lead = s->turn[v->particles[0]], real = {0, 0, 0, 0}, dual = {0, 0, 0, 0};
    for (int k = 0; k < PLIANT_MAX_LINKS; ++k) {
        int32_t i = reference_link(v, k);
        quat q = s->turn[i];
        vec3 half = vec3_scale(reference_particle(s, i).t, 0.5f);
        quat d = quat_mul((quat){half.x, half.y, half.z, 0.0f}, q);
        float w = quat_dot(q, lead) < 0.0f ? -v->weights[k] : v->weights[k];
        real = k ? reference_add_scaled(real, q, w) : quat_scale(q, w);
        dual = k ? reference_add_scaled(dual, d, w) : quat_scale(d, w);
    }
    float scale = 2.0f / quat_dot(real, real);
    quat t = quat_mul(dual, quat_conjugate(real));
    reference_transform T = {reference_scaled_mat3(real, scale),
                             vec3_scale((vec3){t.x, t.y, t.z}, scale)};
    *position = reference_place(s, v, &T);
    *normal = mat3_mul_vec(&T.R, v->normal);
}

#endif
