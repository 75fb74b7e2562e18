// math/rotation.c, WIDE at once.

// One Newton step of tr(Rᵀ a) in body axes, from S = Rᵀ a. Returns the lanes where the Hessian is safely definite.
WIDE_INLINE wide_mask newton_step(const wide_mat3 *S, wide_vec3 *w)
{
    const wide zero = wide_all(0.0f), half = wide_all(-0.5f);
    wide_vec3 b = wide_mat3_axial(S);
    wide shift = wide_mat3_trace(S) + wide_vec3_dot(b, b);
    wide h00 = shift - S->m[0][0], h11 = shift - S->m[1][1], h22 = shift - S->m[2][2];
    wide h01 = half * (S->m[0][1] + S->m[1][0]);
    wide h02 = half * (S->m[0][2] + S->m[2][0]);
    wide h12 = half * (S->m[1][2] + S->m[2][1]);
    wide c00 = h11 * h22 - h12 * h12;
    wide c01 = h02 * h12 - h01 * h22;
    wide c02 = h01 * h12 - h02 * h11;
    wide c22 = h00 * h11 - h01 * h01;
    wide determinant = h00 * c00 + h01 * c01 + h02 * c02;
    wide c11 = h00 * h22 - h02 * h02;
    wide c12 = h01 * h02 - h00 * h12;
    wide inverse = wide_all(1.0f) / determinant;
    w->x = (c00 * b.x + c01 * b.y + c02 * b.z) * inverse;
    w->y = (c01 * b.x + c11 * b.y + c12 * b.z) * inverse;
    w->z = (c02 * b.x + c12 * b.y + c22 * b.z) * inverse;
    return (h00 > zero) & (c22 > zero) & (determinant > wide_all(1e-6f)) &
           (wide_vec3_dot(b, b) < wide_all(ROTATION_LARGEST_SLOPE2));
}

WIDE_INLINE wide_quat half_step(wide_vec3 v)
{
    const wide half = wide_all(0.5f);
    return (wide_quat){half * v.x, half * v.y, half * v.z, wide_all(1.0f)};
}

// Lanes in which Newton's method fails go the certain way, one after another. Returns how many there were.
static int rescue_lanes(const wide_mat3 *A, const wide_quat *previous, wide_mask lanes,
                        wide_quat *q)
{
    int count = 0;
    for (int lane = 0; lane < WIDE; ++lane) {
        if (!lanes[lane])
            continue;
        mat3 one;
        WIDE_UNROLL
        for (int i = 0; i < 3; ++i)
            WIDE_UNROLL
        for (int j = 0; j < 3; ++j)
            one.m[i][j] = A->m[i][j][lane];
        quat before = {previous->x[lane], previous->y[lane], previous->z[lane], previous->w[lane]};
        quat found = pli_rotation_rescue(&one, before);
        q->x[lane] = found.x;
        q->y[lane] = found.y;
        q->z[lane] = found.z;
        q->w[lane] = found.w;
        ++count;
    }
    return count;
}

// |half_step(v)|². A unit quaternion times a half step is as long as the step: this is known before the product is.
WIDE_INLINE wide step_length2(wide v2)
{
    return wide_all(1.0f) + wide_all(0.25f) * v2;
}

WIDE_INLINE wide_mask is_last_step(wide w2)
{
    return w2 < wide_all(ROTATION_LAST_SOFT_STEP * ROTATION_LAST_SOFT_STEP);
}

// The rotation closest to A, in these lanes, from q on, as good as an iteration needs it; scale is about 1 / |A|.
// *length2 gets the square of its length. Returns how many lanes went the certain way.
static int rotation_extract(const wide_mat3 *A, wide scale, wide_mask lanes, wide_quat *q,
                            wide *length2)
{
    const wide_quat previous = *q;
    wide_mat3 a = wide_mat3_scale(*A, scale);
    wide_mask active = lanes, failed = {0};
    for (int i = 0; i < ROTATION_NEWTON_STEPS && wide_any(active); ++i) {
        if (i > 0)
            *q = wide_quat_select(active, wide_quat_normalize(*q), *q);
        wide_mat3 R = wide_quat_to_mat3(*q), S = wide_mat3_transpose_mul(&R, &a);
        wide_vec3 w;
        wide_mask good = newton_step(&S, &w);
        failed |= active & ~good;
        active &= good;
        *q = wide_quat_select(active, wide_quat_mul(*q, half_step(w)), *q);
        wide w2 = wide_vec3_dot(w, w);
        *length2 = wide_select(active, step_length2(w2), *length2);
        active &= ~is_last_step(w2);
    }
    failed |= active;
    *length2 = wide_select(failed, wide_all(1.0f), *length2);
    return rescue_lanes(A, &previous, failed, q);
}

// What momentum asks of a step of a rotation: the inverse of H = tr(M) 1 - M, which is what a step costs in it. Zero
// where H is not safely definite.
WIDE_INLINE wide_mat3 step_per_momentum(const wide_mat3 *M)
{
    const wide zero = wide_all(0.0f);
    wide_vec3 r0 = {M->m[1][1] + M->m[2][2], -M->m[0][1], -M->m[0][2]};
    wide_vec3 r1 = {-M->m[1][0], M->m[0][0] + M->m[2][2], -M->m[1][2]};
    wide_vec3 r2 = {-M->m[2][0], -M->m[2][1], M->m[0][0] + M->m[1][1]};
    wide_vec3 c0 = wide_vec3_cross(r1, r2), c1 = wide_vec3_cross(r2, r0);
    wide_vec3 c2 = wide_vec3_cross(r0, r1);
    wide determinant = wide_vec3_dot(r0, c0), trace = r0.x + r1.y + r2.z;
    wide_mask definite = (r0.x > zero) & (c2.z > zero) &
                         (determinant > wide_all(ROTATION_LEAST_SLOPE) * trace * trace * trace);
    wide_mat3 inverse = {{{c0.x, c1.x, c2.x}, {c0.y, c1.y, c2.y}, {c0.z, c1.z, c2.z}}};
    inverse = wide_mat3_scale(inverse, wide_all(1.0f) / determinant);
    return wide_mat3_select(definite, inverse, (wide_mat3){0});
}

// Zero says no; the inverse of what is definite has a positive diagonal.
WIDE_INLINE wide_mask is_definite(const wide_mat3 *per_momentum)
{
    return per_momentum->m[0][0] > wide_all(0.0f);
}

// Takes off a step what it has about the axis of a thin group: H⁻¹ / tr(H⁻¹) is about the projection on the one
// axis about which H is small.
WIDE_INLINE wide_vec3 without_twist(const wide_mat3 *per_momentum, wide_vec3 step)
{
    wide scale = wide_all(1.0f) / wide_mat3_trace(per_momentum);
    return wide_vec3_add_scaled(step, wide_mat3_mul_vec(per_momentum, step), -scale);
}
