// Eigenvalues and eigenvectors of a symmetric 3×3 matrix, by cyclic Jacobi rotations.

#ifndef PLIANT_MATH_EIGEN_H
#define PLIANT_MATH_EIGEN_H

#include "mat3.h"

typedef struct sym3_eigen {
    vec3 axes[3];
    float values[3]; // falling
} sym3_eigen;

// Turns rows and columns p and q of A so that A[p][q] becomes 0.
static inline void sym3_annihilate(float A[3][3], float V[3][3], int p, int q)
{
    if (A[p][q] == 0.0f)
        return;
    float theta = (A[q][q] - A[p][p]) / (2.0f * A[p][q]);
    float t = 1.0f / (absolute(theta) + square_root(theta * theta + 1.0f));
    t = theta < 0.0f ? -t : t;
    float c = 1.0f / square_root(t * t + 1.0f), s = t * c;
    for (int k = 0; k < 3; ++k) {
        float kp = A[k][p], kq = A[k][q];
        A[k][p] = c * kp - s * kq;
        A[k][q] = s * kp + c * kq;
    }
    for (int k = 0; k < 3; ++k) {
        float pk = A[p][k], qk = A[q][k];
        A[p][k] = c * pk - s * qk;
        A[q][k] = s * pk + c * qk;
        float vp = V[p][k], vq = V[q][k];
        V[p][k] = c * vp - s * vq;
        V[q][k] = s * vp + c * vq;
    }
    A[p][q] = A[q][p] = 0.0f;
}

static inline sym3_eigen sym3_eigen_of(sym3 a)
{
    enum { SWEEPS = 8 };
    float A[3][3] = {{a.xx, a.xy, a.xz}, {a.xy, a.yy, a.yz}, {a.xz, a.yz, a.zz}};
    float V[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int sweep = 0; sweep < SWEEPS; ++sweep) {
        sym3_annihilate(A, V, 0, 1);
        sym3_annihilate(A, V, 0, 2);
        sym3_annihilate(A, V, 1, 2);
    }
    int order[3] = {0, 1, 2};
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 2 - i; ++k)
            if (A[order[k]][order[k]] < A[order[k + 1]][order[k + 1]]) {
                int lesser = order[k];
                order[k] = order[k + 1];
                order[k + 1] = lesser;
            }
    sym3_eigen out;
    for (int k = 0; k < 3; ++k) {
        const float *v = V[order[k]];
        out.axes[k] = (vec3){v[0], v[1], v[2]};
        out.values[k] = A[order[k]][order[k]];
    }
    return out;
}

#endif
