// Rays at ellipsoids, and their nearest points.

#include "ellipsoid.h"
#include "shape_data.h"

// A point is a ball without a radius.
static const pliant_shape point_shape = {.def = {.kind = PLIANT_SHAPE_SPHERE, .radius = 0.0f}};

// xᵀ S⁻¹ x = 1: (o + t d)ᵀ S⁻¹ (o + t d) = 1
bool pli_ellipsoid_ray(sym3 S, vec3 o, vec3 d, float length, form_hit *out)
{
    sym3 inverse = sym3_inverse(S);
    vec3 on = sym3_mul_vec(inverse, o), dn = sym3_mul_vec(inverse, d);
    float a = vec3_dot(d, dn), b = vec3_dot(d, on), c = vec3_dot(o, on) - 1.0f;
    if (c <= 0.0f) { // inside
        *out = (form_hit){.point = o, .normal = vec3_negate(d), .distance = 0.0f};
        return true;
    }
    // The least value on the line, from its nearest point: b² - a c would cancel far away.
    vec3 nearest = vec3_add_scaled(o, d, -b / a);
    float least = vec3_dot(nearest, sym3_mul_vec(inverse, nearest));
    if (!(b < 0.0f && least < 1.0f))
        return false;
    float t = -b / a - square_root((1.0f - least) / a);
    if (!(t <= length))
        return false;
    out->distance = maximum(t, 0.0f);
    out->point = vec3_add_scaled(o, d, out->distance);
    out->normal = vec3_normalize_or(sym3_mul_vec(inverse, out->point), vec3_negate(d));
    return true;
}

bool pli_ellipsoid_closest(sym3 S, vec3 from, float most, form_hit *out)
{
    touch near;
    if (pli_shape_touches(&point_shape, S, vec3_negate(from), (vec3){0, 0, 0}, false, most, &near,
                          1) == 0)
        return false;
    // Seen from the point the ellipsoid is along the normal: outwards is the other way.
    out->normal = vec3_negate(near.normal);
    out->distance = near.gap;
    out->point = vec3_add_scaled(from, out->normal, -near.gap);
    return near.gap <= most;
}
