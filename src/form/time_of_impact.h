// When two moving spheres first touch within a step, and the push that keeps them apart.
//
// The paper on animated characters (Eqs. 6–8) lets particles pass and exchanges those that have: the
// push that follows is on average 62° off the normal of the impact, and some passes are missed. Here
// the first touch itself is found; its normal is the one to push along, and no ε is needed.

#ifndef PLIANT_FORM_TIME_OF_IMPACT_H
#define PLIANT_FORM_TIME_OF_IMPACT_H

#include <stdbool.h>

#include "math/vec3.h"

typedef struct impact {
    float time;       // part of the step, 0 .. 1
    vec3 normal;      // unit, from 1 to 2 at that time
    float correction; // m, >= 0: how far the ends have to be moved apart along the normal
} impact;

// Two points at offset a (2 seen from 1) whose offset changes by b over the step, moving straight.
// True when they come closer than rho >= 0, the smallest s in [0, 1] with |a + s b| = rho being
// the time. False, leaving *out alone, for pairs that start closer than rho (those are contacts, not
// impacts), part, stand still or graze.
//     (b·b) s² + 2 (a·b) s + (a·a - rho²) = 0
static inline bool time_of_impact(vec3 a, vec3 b, float rho, impact *out)
{
    float approach = -vec3_dot(a, b);
    float distance = vec3_length(a);
    if (!(distance > rho && approach > 0.0f))
        return false;
    // (a·b)² - (b·b)(a·a - rho²) = rho² (b·b) - |a × b|²: the first form cancels for fast pairs.
    vec3 swept = vec3_cross(a, b);
    float discriminant = rho * rho * vec3_dot(b, b) - vec3_dot(swept, swept);
    if (!(discriminant > 0.0f))
        return false;
    // The smaller root as c / (-b/2 + √D/4), all terms positive, and a·a - rho² as a product.
    float s = (distance - rho) * (distance + rho) / (approach + square_root(discriminant));
    if (!(s <= 1.0f))
        return false;
    vec3 n = vec3_normalize_or(vec3_add_scaled(a, b, s), vec3_scale(a, 1.0f / distance));
    out->time = s;
    out->normal = n;
    out->correction = maximum(0.0f, rho - vec3_dot(n, vec3_add(a, b)));
    return true;
}

// Moves the ends p1, p2 apart by the correction, shared by the inverse masses: afterwards they are
// at least rho apart, for their distance along the normal is rho. Keeps Σ m p.
static inline void impact_correct(const impact *hit, float w1, float w2, vec3 *p1, vec3 *p2)
{
    float sum = w1 + w2;
    if (!(sum > 0.0f))
        return;
    *p1 = vec3_add_scaled(*p1, hit->normal, -hit->correction * (w1 / sum));
    *p2 = vec3_add_scaled(*p2, hit->normal, hit->correction * (w2 / sum));
}

#endif
