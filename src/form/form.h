// Forms: what of a particle or of a collider can be touched.
//
// One interface serves both. Outside this folder nothing asks which kind a form is, but where a fast kernel is chosen
// that is made for one. Another kind is another case in each function here.

#ifndef PLIANT_FORM_FORM_H
#define PLIANT_FORM_FORM_H

#include "ellipsoid.h"
#include "ellipsoid_pair.h"
#include "math/box.h"
#include "math/quat.h"
#include "shape.h"

typedef enum form_kind {
    FORM_ELLIPSOID, // of particles
    FORM_SHAPE,     // what a caller has made, of a kind of its own: of colliders
} form_kind;

typedef struct form {
    form_kind kind;
    sym3 ellipsoid;            // m², R diag(a², b², c²) Rᵀ
    const pliant_shape *shape; // in its own axes
    quat turn;                 // from those; an ellipsoid's is in its matrix
} form;

static inline form form_of_ellipsoid(sym3 S)
{
    return (form){.kind = FORM_ELLIPSOID, .ellipsoid = S, .turn = {0, 0, 0, 1}};
}

static inline form form_of_shape(const pliant_shape *shape)
{
    return (form){.kind = FORM_SHAPE, .shape = shape, .turn = {0, 0, 0, 1}};
}

// The same form, turned about its origin.
static inline form form_turned(form f, quat turn)
{
    if (f.kind == FORM_ELLIPSOID)
        f.ellipsoid = sym3_rotate(f.ellipsoid, turn);
    else
        f.turn = quat_mul(turn, f.turn);
    return f;
}

// m, up to which the form turned by R extends from its origin against the unit vector n. *arm gets the point there,
// relative to the origin: where a plane with that outward normal touches first. FLT_MAX, and the origin, where the form
// has no end.
static inline float form_support(const form *f, const mat3 *R, vec3 n, vec3 *arm)
{
    if (f->kind == FORM_ELLIPSOID)
        return ellipsoid_support(f->ellipsoid, R, n, arm);
    vec3 local = quat_rotate(quat_conjugate(f->turn), mat3_transpose_mul_vec(R, n));
    float height = pli_shape_support(f->shape, local, arm);
    *arm = mat3_mul_vec(R, quat_rotate(f->turn, *arm));
    return height;
}

// m², the second moment per unit of mass about its origin, ∫ x xᵀ dm / m, of a particle's form that is filled evenly.
sym3 pli_form_moment(const form *f);
// m, the mean of half its widths.
float pli_form_mean_size(const form *f);
// The box around a form with its origin at `position`. Of a form without an end it is box_everywhere.
box pli_form_bounds(const form *f, vec3 position);

// As pli_shape_ray and pli_shape_closest, of a form with its origin at `position`.
bool pli_form_ray(const form *f, vec3 position, vec3 origin, vec3 direction, float length,
                  form_hit *out);
bool pli_form_closest(const form *f, vec3 position, vec3 from, float most, form_hit *out);

// As pli_shape_touches: where a particle's form comes near a shape, in the shape's axes, or on its way first touches it.
int pli_form_touches(const form *moving, const pliant_shape *still, vec3 from, vec3 way,
                     bool is_swept, float margin, touch *out, int most);
// As pli_ellipsoid_pair, of two particles' forms.
bool pli_forms_meet(const form *first, const form *second, vec3 between, float margin,
                    form_pair *out);
// When a particle's form that moves from `from` straight by `way` first touches a form that stands still with its origin at
// 0: *time, a part of the way, before which nothing can happen, gets when, and *normal points towards the moving one. Nearer
// than `near`, m, two particles touch. False when they do not meet, or part.
bool pli_form_sweep(const form *moving, const form *still, vec3 from, vec3 way, float near,
                    float *time, vec3 *normal);

#endif
