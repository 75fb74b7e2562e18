// The longest axis of some triangles: principal component analysis, weighted by area.

#include "mesh/spread.h"
#include "slice.h"

// The second moments of a triangle are those of a twelfth of its area in each corner and the rest in its
// centroid.
static void add_triangle(spread *s, vec3 a, vec3 b, vec3 c)
{
    float area = 0.5f * vec3_length(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)));
    pli_spread_add(s, a, area / 12.0f);
    pli_spread_add(s, b, area / 12.0f);
    pli_spread_add(s, c, area / 12.0f);
    vec3 middle = vec3_scale(vec3_add(a, vec3_add(b, c)), 1.0f / 3.0f);
    pli_spread_add(s, middle, 0.75f * area);
}

// Among extents that are nearly equal none is the longest: then the one nearest to a coordinate axis is
// taken, upwards if possible, because clothes hang.
static point3 choose(const vec3 axes[3], const double variances[3])
{
    static const vec3 preferred[3] = {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; ++i) {
        vec3 sum = {0, 0, 0};
        for (int k = 0; k < 3; ++k)
            if (variances[k] >= 0.99 * variances[2])
                sum = vec3_add_scaled(sum, axes[k], vec3_dot(axes[k], preferred[i]));
        point3 axis = {sum.x, sum.y, sum.z};
        double length = length3(axis);
        if (length > 0.5)
            return (point3){axis.x / length, axis.y / length, axis.z / length};
    }
    return (point3){0, 1, 0};
}

point3 pli_slice_axis(const vec3 *points, const int32_t *corners, int32_t count)
{
    spread s;
    pli_spread_begin(&s, count > 0 ? points[corners[0]] : (vec3){0, 0, 0});
    for (int32_t i = 0; i < count; ++i)
        add_triangle(&s, points[corners[3 * i]], points[corners[3 * i + 1]],
                     points[corners[3 * i + 2]]);
    if (!(s.weight > 0.0))
        return (point3){0, 1, 0};
    vec3 axes[3];
    double variances[3];
    pli_spread_axes(&s, axes, variances);
    return choose(axes, variances);
}
