// Boxes along the axes.

#ifndef PLIANT_MATH_BOX_H
#define PLIANT_MATH_BOX_H

#include <float.h>
#include <stdbool.h>

#include "vec3.h"

typedef struct box {
    vec3 low, high;
} box;

static inline box box_empty(void)
{
    return (box){{1e30f, 1e30f, 1e30f}, {-1e30f, -1e30f, -1e30f}};
}

// Around what has no end.
static inline box box_everywhere(void)
{
    return (box){{-FLT_MAX, -FLT_MAX, -FLT_MAX}, {FLT_MAX, FLT_MAX, FLT_MAX}};
}

static inline bool box_is_everywhere(const box *b)
{
    return b->low.x == -FLT_MAX && b->high.x == FLT_MAX;
}

static inline vec3 vec3_lowest(vec3 a, vec3 b)
{
    return (vec3){minimum(a.x, b.x), minimum(a.y, b.y), minimum(a.z, b.z)};
}

static inline vec3 vec3_highest(vec3 a, vec3 b)
{
    return (vec3){maximum(a.x, b.x), maximum(a.y, b.y), maximum(a.z, b.z)};
}

static inline box box_union(box a, box b)
{
    return (box){vec3_lowest(a.low, b.low), vec3_highest(a.high, b.high)};
}

static inline bool boxes_overlap(const box *a, const box *b)
{
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y &&
           b->low.y <= a->high.y && a->low.z <= b->high.z && b->low.z <= a->high.z;
}

static inline bool box_contains(const box *outer, const box *inner)
{
    return outer->low.x <= inner->low.x && outer->low.y <= inner->low.y &&
           outer->low.z <= inner->low.z && inner->high.x <= outer->high.x &&
           inner->high.y <= outer->high.y && inner->high.z <= outer->high.z;
}

// So much larger on each side.
static inline box box_grown(box b, float by)
{
    vec3 r = {by, by, by};
    return (box){vec3_sub(b.low, r), vec3_add(b.high, r)};
}

// Around the segment from a to b, and `reach` around it.
static inline box box_around(vec3 a, vec3 b, float reach)
{
    vec3 r = {reach, reach, reach};
    return (box){vec3_sub(vec3_lowest(a, b), r), vec3_add(vec3_highest(a, b), r)};
}

#endif
