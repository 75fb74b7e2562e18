// Affine maps x → A x + t as three rows of four numbers.

#ifndef PLIANT_RIG_AFFINE_H
#define PLIANT_RIG_AFFINE_H

#include <pliant/rig.h>

#include "math/quat.h"

typedef pliant_affine affine;

static inline affine affine_identity(void)
{
    return (affine){{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
}

static inline vec3 affine_column(const affine *a, int column)
{
    return (vec3){a->m[0][column], a->m[1][column], a->m[2][column]};
}

static inline vec3 affine_point(const affine *a, vec3 p)
{
    float x[3];
    for (int i = 0; i < 3; ++i)
        x[i] = a->m[i][0] * p.x + a->m[i][1] * p.y + a->m[i][2] * p.z + a->m[i][3];
    return (vec3){x[0], x[1], x[2]};
}

// First b, then a.
static inline affine affine_mul(const affine *a, const affine *b)
{
    affine c;
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 4; ++k)
            c.m[i][k] = a->m[i][0] * b->m[0][k] + a->m[i][1] * b->m[1][k] + a->m[i][2] * b->m[2][k];
        c.m[i][3] += a->m[i][3];
    }
    return c;
}

// The rotation need not have unit length; of zero length it is none.
static inline quat unit_or_none(quat q)
{
    return quat_dot(q, q) >= 1e-30f ? quat_normalize(q) : quat_identity();
}

static inline affine affine_compose(const pliant_transform *t)
{
    mat3 R = quat_to_mat3(unit_or_none(t->rotation));
    const float s[3] = {t->scale.x, t->scale.y, t->scale.z};
    affine a;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            a.m[i][k] = R.m[i][k] * s[k];
    a.m[0][3] = t->translation.x;
    a.m[1][3] = t->translation.y;
    a.m[2][3] = t->translation.z;
    return a;
}

static inline affine affine_of_pose(pliant_pose pose)
{
    pliant_transform t = {pose.position, pose.orientation, {1, 1, 1}};
    return affine_compose(&t);
}

// The columns of the cofactors: the inverse transpose of A times its determinant, which is returned.
static inline float affine_cofactors(const affine *a, vec3 cofactors[3])
{
    vec3 x = affine_column(a, 0), y = affine_column(a, 1), z = affine_column(a, 2);
    cofactors[0] = vec3_cross(y, z);
    cofactors[1] = vec3_cross(z, x);
    cofactors[2] = vec3_cross(x, y);
    return vec3_dot(x, cofactors[0]);
}

#endif
