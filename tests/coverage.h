// How well particles cover a surface: distances of points from ellipsoids, found anew for the tests.

#ifndef PLIANT_TESTS_COVERAGE_H
#define PLIANT_TESTS_COVERAGE_H

#include <pliant/model.h>

#include <math.h>

// A point in the axes of a particle.
static inline void coverage_own(const pliant_particle_def *particle, pliant_vec3 x, double own[3])
{
    double u[3] = {-(double)particle->orientation.x, -(double)particle->orientation.y,
                   -(double)particle->orientation.z};
    double w = (double)particle->orientation.w;
    double d[3] = {(double)x.x - (double)particle->position.x,
                   (double)x.y - (double)particle->position.y,
                   (double)x.z - (double)particle->position.z};
    double t[3];
    for (int k = 0; k < 3; ++k)
        t[k] = 2.0 * (u[(k + 1) % 3] * d[(k + 2) % 3] - u[(k + 2) % 3] * d[(k + 1) % 3]);
    for (int k = 0; k < 3; ++k)
        own[k] =
            d[k] + w * t[k] + u[(k + 1) % 3] * t[(k + 2) % 3] - u[(k + 2) % 3] * t[(k + 1) % 3];
}

// From an ellipsoid; 0 inside. The closest point is r² x / (r² + s) with the s > 0 that puts it on the ellipsoid.
static inline double coverage_gap(const pliant_particle_def *particle, pliant_vec3 x)
{
    double own[3], gap = 0.0, low = 0.0, high = 0.0;
    const float *radii = &particle->radii.x;
    coverage_own(particle, x, own);
    for (int k = 0; k < 3; ++k) {
        gap += own[k] * own[k] / ((double)radii[k] * (double)radii[k]);
        high += fabs(own[k] * (double)radii[k]);
    }
    if (gap <= 1.0)
        return 0.0;
    high *= 2.0;
    for (int round = 0; round < 80; ++round) {
        double s = 0.5 * (low + high), level = 0.0;
        for (int k = 0; k < 3; ++k) {
            double r = (double)radii[k], y = r * own[k] / (r * r + s);
            level += y * y;
        }
        *(level > 1.0 ? &low : &high) = s;
    }
    gap = 0.0;
    for (int k = 0; k < 3; ++k) {
        double r2 = (double)radii[k] * (double)radii[k], d = own[k] * low / (r2 + low);
        gap += d * d;
    }
    return sqrt(gap);
}

// From the nearest of several.
static inline double coverage_nearest(const pliant_particle_def *particles, int count,
                                      pliant_vec3 x)
{
    double best = INFINITY;
    for (int i = 0; i < count; ++i)
        best = fmin(best, coverage_gap(&particles[i], x));
    return best;
}

#endif
