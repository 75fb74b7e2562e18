// How far shapes extend in a direction.

#include "shape_data.h"

// The sine of the angle by which a direction may be off a plane's normal for being it.
static const float SAME_DIRECTION = 1e-6f;

static float no_end(vec3 *arm)
{
    *arm = (vec3){0, 0, 0};
    return FLT_MAX;
}

static float side_towards(float half, float direction)
{
    return direction < 0.0f ? -half : half;
}

static vec3 furthest_point(const vec3 *points, int count, vec3 direction)
{
    vec3 best = points[0];
    for (int i = 1; i < count; ++i)
        if (vec3_dot(direction, points[i]) > vec3_dot(direction, best))
            best = points[i];
    return best;
}

static vec3 furthest_height(const pliant_shape *s, vec3 direction)
{
    vec3 best = dvec3_to_vec3(height_point(s, 0, 0));
    for (int row = 0; row < s->def.rows; ++row)
        for (int column = 0; column < s->def.columns; ++column) {
            vec3 p = dvec3_to_vec3(height_point(s, column, row));
            best = vec3_dot(direction, p) > vec3_dot(direction, best) ? p : best;
        }
    return best;
}

float pli_shape_support(const pliant_shape *shape, vec3 n, vec3 *arm)
{
    const pliant_shape_def *def = &shape->def;
    vec3 d = vec3_negate(n), half = def->half_size;
    *arm = (vec3){0, 0, 0};
    switch (def->kind) {
    case PLIANT_SHAPE_PLANE: // all that is below
        if (!(d.y > 0.0f && d.x * d.x + d.z * d.z <= SAME_DIRECTION * SAME_DIRECTION))
            return no_end(arm);
        break;
    case PLIANT_SHAPE_SPHERE:
    case PLIANT_SHAPE_CAPSULE:
        *arm = vec3_scale(d, def->radius);
        arm->y += side_towards(def->half_length, d.y);
        break;
    case PLIANT_SHAPE_BOX:
        *arm =
            (vec3){side_towards(half.x, d.x), side_towards(half.y, d.y), side_towards(half.z, d.z)};
        break;
    case PLIANT_SHAPE_HULL:
    case PLIANT_SHAPE_MESH:
        *arm = furthest_point(def->points, def->point_count, d);
        break;
    case PLIANT_SHAPE_HEIGHTFIELD: // below it is inside
        if (d.y < 0.0f)
            return no_end(arm);
        *arm = furthest_height(shape, d);
        break;
    }
    return vec3_dot(d, *arm);
}
