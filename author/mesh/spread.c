// Covariance and its eigenvectors by cyclic Jacobi rotations, in double.

#include "mesh/spread.h"

#include <math.h>

void pli_spread_begin(spread *s, vec3 origin)
{
    *s = (spread){.origin = origin};
}

void pli_spread_add(spread *s, vec3 x, float weight)
{
    double d[3] = {(double)x.x - s->origin.x, (double)x.y - s->origin.y, (double)x.z - s->origin.z};
    double w = weight;
    s->weight += w;
    for (int i = 0; i < 3; ++i) {
        s->sum[i] += w * d[i];
        s->moments[i] += w * d[i] * d[i];
        s->moments[3 + i] += w * d[(i + 1) % 3] * d[(i + 2) % 3];
    }
}

vec3 pli_spread_centre(const spread *s)
{
    return (vec3){(float)(s->origin.x + s->sum[0] / s->weight),
                  (float)(s->origin.y + s->sum[1] / s->weight),
                  (float)(s->origin.z + s->sum[2] / s->weight)};
}

// Turns rows p and q of the matrix a (and of the vectors v) so that a[p][q] vanishes.
static void rotate(double a[3][3], double v[3][3], int p, int q)
{
    if (a[p][q] == 0.0)
        return;
    double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int k = 0; k < 3; ++k) {
        double kp = a[k][p], kq = a[k][q];
        a[k][p] = c * kp - s * kq;
        a[k][q] = s * kp + c * kq;
    }
    for (int k = 0; k < 3; ++k) {
        double pk = a[p][k], qk = a[q][k];
        a[p][k] = c * pk - s * qk;
        a[q][k] = s * pk + c * qk;
        double vp = v[p][k], vq = v[q][k];
        v[p][k] = c * vp - s * vq;
        v[q][k] = s * vp + c * vq;
    }
}

static vec3 with_sign(const double v[3])
{
    int largest = 0;
    for (int k = 1; k < 3; ++k)
        if (fabs(v[k]) > fabs(v[largest]))
            largest = k;
    double sign = v[largest] < 0.0 ? -1.0 : 1.0;
    vec3 axis = {(float)(sign * v[0]), (float)(sign * v[1]), (float)(sign * v[2])};
    return vec3_scale(axis, 1.0f / vec3_length(axis));
}

void pli_spread_axes(const spread *s, vec3 axes[3], double variances[3])
{
    double a[3][3], v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        a[i][i] = s->moments[i] / s->weight - s->sum[i] / s->weight * (s->sum[i] / s->weight);
        a[j][k] = a[k][j] =
            s->moments[3 + i] / s->weight - s->sum[j] / s->weight * (s->sum[k] / s->weight);
    }
    for (int sweep = 0; sweep < 12; ++sweep) {
        rotate(a, v, 0, 1);
        rotate(a, v, 1, 2);
        rotate(a, v, 0, 2);
    }
    int order[3] = {0, 1, 2};
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 2 - i; ++k)
            if (a[order[k + 1]][order[k + 1]] < a[order[k]][order[k]]) {
                int swap = order[k];
                order[k] = order[k + 1];
                order[k + 1] = swap;
            }
    for (int i = 0; i < 3; ++i)
        variances[i] = a[order[i]][order[i]] > 0.0 ? a[order[i]][order[i]] : 0.0;
    axes[0] = with_sign(v[order[0]]);
    axes[1] = with_sign(v[order[1]]);
    axes[2] = vec3_cross(axes[0], axes[1]);
}
