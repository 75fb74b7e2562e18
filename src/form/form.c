// What can be asked of every form, kind by kind.

#include "form.h"
#include "shape_data.h"

#include <assert.h>

// A sweep of two particles ends after so many steps.
enum { MOST_STEPS = 32 };

sym3 pli_form_moment(const form *f)
{
    assert(f->kind == FORM_ELLIPSOID); // as particles are
    return ellipsoid_moment(f->ellipsoid);
}

float pli_form_mean_size(const form *f)
{
    if (f->kind == FORM_ELLIPSOID)
        return square_root(sym3_trace(f->ellipsoid) * (1.0f / 3.0f));
    vec3 half = vec3_scale(vec3_sub(f->shape->high, f->shape->low), 0.5f);
    return square_root(vec3_dot(half, half) * (1.0f / 3.0f));
}

static box ellipsoid_bounds(sym3 S, vec3 position)
{
    vec3 half = {square_root(S.xx), square_root(S.yy), square_root(S.zz)};
    return (box){vec3_sub(position, half), vec3_add(position, half)};
}

// Around the turned box of a shape: |R| times its half size.
static box shape_bounds(const pliant_shape *shape, vec3 position, quat turn)
{
    if (shape->def.kind == PLIANT_SHAPE_PLANE)
        return box_everywhere();
    vec3 middle = vec3_scale(vec3_add(shape->low, shape->high), 0.5f);
    vec3 half = vec3_scale(vec3_sub(shape->high, shape->low), 0.5f);
    mat3 R = quat_to_mat3(turn);
    vec3 centre = vec3_add(position, mat3_mul_vec(&R, middle));
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            R.m[i][k] = absolute(R.m[i][k]);
    vec3 reach = mat3_mul_vec(&R, half);
    return (box){vec3_sub(centre, reach), vec3_add(centre, reach)};
}

box pli_form_bounds(const form *f, vec3 position)
{
    if (f->kind == FORM_ELLIPSOID)
        return ellipsoid_bounds(f->ellipsoid, position);
    return shape_bounds(f->shape, position, f->turn);
}

// ---------------------------------------------------------------------------------------------
// Queries: a shape is asked in its own axes

static vec3 into_shape(const form *f, vec3 v)
{
    return quat_rotate(quat_conjugate(f->turn), v);
}

// A hit at a form about the origin as it is where the form stands.
static void place_hit(const form *f, vec3 position, form_hit *hit)
{
    if (f->kind == FORM_SHAPE) {
        hit->point = quat_rotate(f->turn, hit->point);
        hit->normal = quat_rotate(f->turn, hit->normal);
    }
    hit->point = vec3_add(position, hit->point);
}

bool pli_form_ray(const form *f, vec3 position, vec3 origin, vec3 direction, float length,
                  form_hit *out)
{
    vec3 from = vec3_sub(origin, position);
    bool is_hit =
        f->kind == FORM_ELLIPSOID
            ? pli_ellipsoid_ray(f->ellipsoid, from, direction, length, out)
            : pli_shape_ray(f->shape, into_shape(f, from), into_shape(f, direction), length, out);
    if (is_hit)
        place_hit(f, position, out);
    return is_hit;
}

bool pli_form_closest(const form *f, vec3 position, vec3 from, float most, form_hit *out)
{
    vec3 to = vec3_sub(from, position);
    bool is_near = f->kind == FORM_ELLIPSOID
                       ? pli_ellipsoid_closest(f->ellipsoid, to, most, out)
                       : pli_shape_closest(f->shape, into_shape(f, to), most, out);
    if (is_near)
        place_hit(f, position, out);
    return is_near;
}

// ---------------------------------------------------------------------------------------------
// Two forms: of particles, and so ellipsoids, or of one and a collider

int pli_form_touches(const form *moving, const pliant_shape *still, vec3 from, vec3 way,
                     bool is_swept, float margin, touch *out, int most)
{
    assert(moving->kind == FORM_ELLIPSOID);
    return pli_shape_touches(still, moving->ellipsoid, from, way, is_swept, margin, out, most);
}

bool pli_forms_meet(const form *first, const form *second, vec3 between, float margin,
                    form_pair *out)
{
    assert(first->kind == FORM_ELLIPSOID && second->kind == FORM_ELLIPSOID);
    return pli_ellipsoid_pair(first->ellipsoid, second->ellipsoid, between, margin, out);
}

// By conservative advancement. Along the contact normal n two are apart by gap (n·line), for the planes that support them
// meet at touching distance; nothing can happen before they have come nearer by that.
static bool sweep_pair(const form *moving, const form *still, vec3 from, vec3 way, float near,
                       float *time, vec3 *normal)
{
    float s = *time;
    for (int i = 0; i < MOST_STEPS; ++i) {
        form_pair now;
        if (!pli_forms_meet(still, moving, vec3_add_scaled(from, way, s), 1e30f, &now))
            return false;
        *normal = now.normal;
        *time = s;
        float apart = now.gap * vec3_dot(now.normal, now.line);
        float speed = -vec3_dot(now.normal, way);
        if (!(speed > 0.0f))
            return false;
        if (apart <= near)
            break;
        s += apart / speed;
        if (s > 1.0f)
            return false;
    }
    return true;
}

static bool sweep_at_shape(const form *moving, const form *still, vec3 from, vec3 way, float *time,
                           vec3 *normal)
{
    touch first;
    form seen = form_turned(*moving, quat_conjugate(still->turn));
    if (pli_form_touches(&seen, still->shape, into_shape(still, from), into_shape(still, way), true,
                         0.0f, &first, 1) == 0)
        return false;
    *time = first.time;
    *normal = quat_rotate(still->turn, first.normal);
    return vec3_dot(*normal, way) < 0.0f;
}

bool pli_form_sweep(const form *moving, const form *still, vec3 from, vec3 way, float near,
                    float *time, vec3 *normal)
{
    return still->kind == FORM_ELLIPSOID ? sweep_pair(moving, still, from, way, near, time, normal)
                                         : sweep_at_shape(moving, still, from, way, time, normal);
}
