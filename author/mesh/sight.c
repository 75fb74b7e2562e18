// Lines of sight, by the mesh's tree of boxes.

#include "mesh/sight.h"

#include "math/scalar.h"

#include <math.h>

// Where along a + t (b - a), 0 <= t <= 1, the triangle is met (Möller and Trumbore), or INFINITY.
static float meet_triangle(vec3 a, vec3 span, vec3 p, vec3 q, vec3 r)
{
    vec3 pq = vec3_sub(q, p), pr = vec3_sub(r, p), across = vec3_cross(span, pr);
    float determinant = vec3_dot(pq, across);
    if (determinant == 0.0f)
        return INFINITY;
    vec3 from = vec3_sub(a, p);
    float u = vec3_dot(from, across) / determinant;
    vec3 turned = vec3_cross(from, pq);
    float v = vec3_dot(span, turned) / determinant;
    float t = vec3_dot(pr, turned) / determinant;
    return u >= 0.0f && v >= 0.0f && u + v <= 1.0f && t >= 0.0f && t <= 1.0f ? t : INFINITY;
}

static bool box_is_met(const bvh_node *node, vec3 from, vec3 span, float until)
{
    const float *low = &node->low.x, *high = &node->high.x, *x = &from.x, *d = &span.x;
    float begin = 0.0f, end = until;
    for (int k = 0; k < 3; ++k) {
        if (d[k] == 0.0f) {
            if (x[k] < low[k] || x[k] > high[k])
                return false;
            continue;
        }
        float near = (low[k] - x[k]) / d[k], far = (high[k] - x[k]) / d[k];
        begin = maximum(begin, minimum(near, far));
        end = minimum(end, maximum(near, far));
    }
    return begin <= end;
}

int32_t pli_sight_hit(const topology *mesh, vec3 from, vec3 to, int32_t ignored, float *t)
{
    vec3 span = vec3_sub(to, from);
    float nearest = INFINITY;
    int32_t hit = -1, stack[BVH_DEPTH + 1];
    int waiting = mesh->triangle_count > 0;
    stack[0] = 0;
    while (waiting > 0 && (t || hit < 0)) {
        const bvh_node *node = &mesh->tree.nodes[stack[--waiting]];
        if (!box_is_met(node, from, span, minimum(nearest, 1.0f)))
            continue;
        if (node->count == 0) {
            stack[waiting++] = node->first + 1;
            stack[waiting++] = node->first;
        }
        for (int32_t i = node->first; i < node->first + node->count; ++i) {
            int32_t triangle = mesh->tree.order[i];
            const int32_t *corners = mesh->triangles + 3 * (size_t)triangle;
            if (mesh->piece_of_point[corners[0]] == ignored)
                continue;
            float at = meet_triangle(from, span, mesh->points[corners[0]], mesh->points[corners[1]],
                                     mesh->points[corners[2]]);
            if (at < nearest || (at == nearest && at < INFINITY && triangle < hit)) {
                nearest = at;
                hit = triangle;
            }
        }
    }
    if (t)
        *t = nearest;
    return hit;
}
