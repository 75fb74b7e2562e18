// Rotation extraction by Newton's method on SO(3), warm started, with a certain fallback.
//
// Müller et al. 2016 divide the gradient by the trace instead of the Hessian: along a chain of
// particles each pass then removes only a tenth of the error. Newton's method needs three passes for
// chains, sheets and blocks alike. Where the Hessian is not positive definite (far cold starts) the
// best quaternion is the largest eigenvector of Davenport's 4×4 matrix; a positive definite Hessian at
// the end certifies the global maximum, because qᵀKq has one local maximum on the sphere.

#include "rotation.h"

enum { JACOBI_SWEEPS = 10, POLISH_STEPS = 2 };

bool pli_rotation_newton_step(const mat3 *a, const mat3 *R, vec3 *w)
{
    mat3 S = mat3_transpose_mul(*R, *a);
    vec3 b = mat3_axial(&S);
    // The shift |b|² keeps H definite for thin chains; it vanishes at the solution.
    float shift = mat3_trace(&S) + vec3_dot(b, b);
    float h00 = shift - S.m[0][0], h11 = shift - S.m[1][1], h22 = shift - S.m[2][2];
    float h01 = -0.5f * (S.m[0][1] + S.m[1][0]);
    float h02 = -0.5f * (S.m[0][2] + S.m[2][0]);
    float h12 = -0.5f * (S.m[1][2] + S.m[2][1]);
    float c00 = h11 * h22 - h12 * h12;
    float c01 = h02 * h12 - h01 * h22;
    float c02 = h01 * h12 - h02 * h11;
    float c22 = h00 * h11 - h01 * h01;
    float determinant = h00 * c00 + h01 * c01 + h02 * c02;
    if (!(h00 > 0.0f && c22 > 0.0f && determinant > 1e-6f &&
          vec3_dot(b, b) < ROTATION_LARGEST_SLOPE2))
        return false;
    float c11 = h00 * h22 - h02 * h02;
    float c12 = h01 * h02 - h00 * h12;
    float inverse = 1.0f / determinant;
    w->x = (c00 * b.x + c01 * b.y + c02 * b.z) * inverse;
    w->y = (c01 * b.x + c11 * b.y + c12 * b.z) * inverse;
    w->z = (c02 * b.x + c12 * b.y + c22 * b.z) * inverse;
    return true;
}

static bool newton_step(const mat3 *a, quat q, vec3 *w)
{
    mat3 R = quat_to_mat3(q);
    return pli_rotation_newton_step(a, &R, w);
}

// q · [w/2, 1], normalised: the first-order exponential is enough inside an iteration.
static quat apply_step(quat q, vec3 w)
{
    return quat_normalize(quat_mul(q, (quat){0.5f * w.x, 0.5f * w.y, 0.5f * w.z, 1.0f}));
}

// The eigenvector of the largest eigenvalue of a symmetric 4×4 matrix, by cyclic Jacobi rotations.
static quat largest_eigenvector(float K[4][4])
{
    float V[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    for (int sweep = 0; sweep < JACOBI_SWEEPS; ++sweep) {
        for (int p = 0; p < 3; ++p) {
            for (int q = p + 1; q < 4; ++q) {
                if (K[p][q] == 0.0f)
                    continue;
                float theta = (K[q][q] - K[p][p]) / (2.0f * K[p][q]);
                float t = 1.0f / (absolute(theta) + square_root(theta * theta + 1.0f));
                if (theta < 0.0f)
                    t = -t;
                float c = 1.0f / square_root(t * t + 1.0f), s = t * c;
                for (int k = 0; k < 4; ++k) {
                    float kp = K[k][p], kq = K[k][q];
                    K[k][p] = c * kp - s * kq;
                    K[k][q] = s * kp + c * kq;
                }
                for (int k = 0; k < 4; ++k) {
                    float pk = K[p][k], qk = K[q][k];
                    K[p][k] = c * pk - s * qk;
                    K[q][k] = s * pk + c * qk;
                }
                for (int k = 0; k < 4; ++k) {
                    float vp = V[k][p], vq = V[k][q];
                    V[k][p] = c * vp - s * vq;
                    V[k][q] = s * vp + c * vq;
                }
            }
        }
    }
    int best = 0;
    for (int i = 1; i < 4; ++i)
        if (K[i][i] > K[best][best])
            best = i;
    return quat_normalize((quat){V[0][best], V[1][best], V[2][best], V[3][best]});
}

// Davenport's matrix of a, with a touch of the previous rotation so that what `a` leaves open stays
// as it was.
static quat rescue(const mat3 *a, quat previous)
{
    mat3 b = mat3_add(*a, mat3_scale(quat_to_mat3(previous), 1e-5f));
    float t = mat3_trace(&b);
    float K[4][4];
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j)
            K[i][j] = b.m[i][j] + b.m[j][i];
        K[i][i] -= t;
    }
    vec3 axial = mat3_axial(&b);
    K[0][3] = K[3][0] = axial.x;
    K[1][3] = K[3][1] = axial.y;
    K[2][3] = K[3][2] = axial.z;
    K[3][3] = t;
    quat q = largest_eigenvector(K);
    for (int i = 0; i < POLISH_STEPS; ++i) {
        vec3 w;
        if (!newton_step(a, q, &w)) // of the matrix itself: the touch has done its work
            break;
        q = apply_step(q, w);
    }
    return q;
}

// A of norm 1, or false when that cannot be.
static bool normalize(const mat3 *A, mat3 *a)
{
    float norm2 = 0.0f;
    for (int i = 0; i < 3; ++i)
        norm2 += vec3_dot(mat3_row(A, i), mat3_row(A, i));
    float norm = square_root(norm2);
    if (!(norm > 1e-18f) || !is_finite(norm))
        return false;
    *a = mat3_scale(*A, 1.0f / norm);
    return true;
}

quat pli_rotation_rescue(const mat3 *A, quat previous)
{
    mat3 a;
    if (!normalize(A, &a))
        return previous;
    quat q = rescue(&a, previous);
    return quat_dot(q, previous) < 0.0f ? quat_scale(q, -1.0f) : q;
}

quat pli_rotation_extract(const mat3 *A, quat previous, int *rescues)
{
    mat3 a;
    if (!normalize(A, &a))
        return previous;
    quat q = previous;
    float last2 = 0.0f;
    const float enough2 = ROTATION_LAST_STEP * ROTATION_LAST_STEP;
    const float halving2 = ROTATION_HALVING_STEP * ROTATION_HALVING_STEP;
    for (int i = 0; i < ROTATION_NEWTON_STEPS; ++i) {
        vec3 w;
        if (!newton_step(&a, q, &w))
            break;
        q = apply_step(q, w);
        float length2 = vec3_dot(w, w);
        bool stalls = i > 0 && length2 < halving2 && length2 > 0.25f * last2;
        if (length2 < enough2 || stalls)
            return q;
        last2 = length2;
    }
    *rescues += 1;
    return rescue(&a, previous);
}

bool pli_rotation_momentum_step(const mat3 *R, const mat3 *A_start, vec3 carried, vec3 *delta)
{
    mat3 M = mat3_mul_transpose(*R, *A_start);
    mat3 H = mat3_scale(M, -1.0f);
    for (int k = 0; k < 3; ++k)
        H.m[k][k] += mat3_trace(&M);
    float trace = mat3_trace(&H), determinant = mat3_determinant(&H);
    float minor = vec3_cross(mat3_row(&H, 0), mat3_row(&H, 1)).z;
    if (!(H.m[0][0] > 0.0f && minor > 0.0f &&
          determinant > ROTATION_LEAST_SLOPE * trace * trace * trace))
        return false;
    *delta = mat3_solve(&H, carried, determinant);
    return vec3_dot(*delta, *delta) < ROTATION_LONGEST_STEP * ROTATION_LONGEST_STEP;
}
