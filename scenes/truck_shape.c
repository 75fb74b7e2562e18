// Hulls: boxes with free corners.

#include "truck_shape.h"

hull truck_hull(truck_hull_part part)
{
    // x, y and half the width: rear bottom, front bottom, rear top, front top
    static const float sections[TRUCK_HULLS][4][3] = {
        [TRUCK_NOSE] = {{0.72f, 1.00f, 0.99f},
                        {2.62f, 1.00f, 0.96f},
                        {0.72f, 1.66f, 0.95f},
                        {2.56f, 1.50f, 0.88f}},
        [TRUCK_DOORS] = {{-0.92f, 0.60f, 0.96f},
                         {0.72f, 0.60f, 0.96f},
                         {-0.92f, 1.66f, 0.95f},
                         {0.72f, 1.66f, 0.95f}},
        [TRUCK_CAB] = {{-0.92f, 1.62f, 0.94f},
                       {0.84f, 1.62f, 0.93f},
                       {-0.74f, 2.34f, 0.76f},
                       {0.14f, 2.32f, 0.75f}},
        [TRUCK_BED] = {{-2.72f, 1.00f, 0.96f},
                       {-0.92f, 1.00f, 0.99f},
                       {-2.76f, 1.62f, 0.93f},
                       {-0.92f, 1.64f, 0.95f}},
    };
    hull out;
    for (int i = 0; i < 8; ++i) {
        const float *s = sections[part][i & 3];
        out.corners[i] = (vec3){s[0], s[1], i & 4 ? s[2] : -s[2]};
    }
    return out;
}

hull hull_mirror(const hull *h)
{
    hull out;
    for (int i = 0; i < 8; ++i) {
        vec3 c = h->corners[i];
        out.corners[i ^ 4] = (vec3){c.x, c.y, -c.z};
    }
    return out;
}

hull hull_box(vec3 low, vec3 high)
{
    hull out;
    for (int i = 0; i < 8; ++i)
        out.corners[i] =
            (vec3){i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z};
    return out;
}

vec3 hull_point(const hull *h, const float g[3])
{
    vec3 sum = {0, 0, 0};
    for (int i = 0; i < 8; ++i) {
        float weight = 1.0f;
        for (int k = 0; k < 3; ++k)
            weight *= i >> k & 1 ? g[k] : 1.0f - g[k];
        sum = vec3_add_scaled(sum, h->corners[i], weight);
    }
    return sum;
}

// Derivative of the point by coordinate `axis`.
static vec3 slope(const hull *h, const float g[3], int axis)
{
    float low[3] = {g[0], g[1], g[2]}, high[3] = {g[0], g[1], g[2]};
    low[axis] = 0.0f;
    high[axis] = 1.0f;
    return vec3_sub(hull_point(h, high), hull_point(h, low));
}

vec3 hull_size(const hull *h)
{
    static const float middle[3] = {0.5f, 0.5f, 0.5f};
    return (vec3){vec3_length(slope(h, middle, 0)), vec3_length(slope(h, middle, 1)),
                  vec3_length(slope(h, middle, 2))};
}

vec3 hull_normal(const hull *h, const float g[3], vec3 direction)
{
    // Normals are mapped by the cofactors of the derivative, in units of length along each edge.
    vec3 size = hull_size(h);
    vec3 x = vec3_scale(slope(h, g, 0), 1.0f / size.x);
    vec3 y = vec3_scale(slope(h, g, 1), 1.0f / size.y);
    vec3 z = vec3_scale(slope(h, g, 2), 1.0f / size.z);
    vec3 n = vec3_scale(vec3_cross(y, z), direction.x);
    n = vec3_add_scaled(n, vec3_cross(z, x), direction.y);
    n = vec3_add_scaled(n, vec3_cross(x, y), direction.z);
    return vec3_normalize_or(n, direction);
}
