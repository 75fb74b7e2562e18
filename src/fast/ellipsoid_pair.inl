// Touching planes, WIDE at once: form/ellipsoid_pair.c lane by lane, the same bits as its rough results.
//
// A lane that has converged stays as it is while others go on.

typedef struct wide_problem {
    wide_sym3 S1, S2;
    wide unit1, unit2, k;
    wide_vec3 n;
} wide_problem;

typedef struct wide_plane {
    wide_vec3 m, f1, f2;
    wide h1, h2, cosine;
} wide_plane;

WIDE_INLINE wide_sym3 wide_sym3_select(wide_mask mask, wide_sym3 yes, wide_sym3 no)
{
    return (wide_sym3){wide_select(mask, yes.xx, no.xx), wide_select(mask, yes.xy, no.xy),
                       wide_select(mask, yes.xz, no.xz), wide_select(mask, yes.yy, no.yy),
                       wide_select(mask, yes.yz, no.yz), wide_select(mask, yes.zz, no.zz)};
}

WIDE_INLINE wide_sym3 wide_sym3_scale(wide_sym3 a, wide s)
{
    return (wide_sym3){a.xx * s, a.xy * s, a.xz * s, a.yy * s, a.yz * s, a.zz * s};
}

WIDE_INLINE wide_sym3 wide_sym3_add_scaled(wide_sym3 a, wide_sym3 b, wide s)
{
    return (wide_sym3){a.xx + s * b.xx, a.xy + s * b.xy, a.xz + s * b.xz,
                       a.yy + s * b.yy, a.yz + s * b.yz, a.zz + s * b.zz};
}

WIDE_INLINE sym3 wide_sym3_lane(const wide_sym3 *a, int lane)
{
    return (sym3){a->xx[lane], a->xy[lane], a->xz[lane], a->yy[lane], a->yz[lane], a->zz[lane]};
}

WIDE_INLINE wide wide_square_root_power_of_two(wide x)
{
    wide_mask exponent = ((wide_mask)x >> 23) - wide_all_bits(127);
    wide_mask low = exponent < wide_all_bits(-126);
    exponent = (wide_all_bits(-126) & low) | (exponent & ~low);
    wide_mask half = ((exponent + wide_all_bits(128)) >> 1) - wide_all_bits(64);
    return (wide)((half + wide_all_bits(127)) << 23);
}

WIDE_INLINE wide_sym3 wide_adjugate(wide_sym3 a)
{
    return (wide_sym3){a.yy * a.zz - a.yz * a.yz, a.xz * a.yz - a.xy * a.zz,
                       a.xy * a.yz - a.xz * a.yy, a.xx * a.zz - a.xz * a.xz,
                       a.xy * a.xz - a.xx * a.yz, a.xx * a.yy - a.xy * a.xy};
}

WIDE_INLINE wide_mask wide_is_sphere(wide_sym3 S)
{
    wide limit = wide_all(1e-6f) * S.xx;
    return (wide_absolute(S.xy) <= limit) & (wide_absolute(S.xz) <= limit) &
           (wide_absolute(S.yz) <= limit) & (wide_absolute(S.yy - S.xx) <= limit) &
           (wide_absolute(S.zz - S.xx) <= limit);
}

WIDE_INLINE wide_vec3 wide_direction(wide_vec3 v, wide *length)
{
    wide largest =
        wide_maximum(wide_absolute(v.x), wide_maximum(wide_absolute(v.y), wide_absolute(v.z)));
    wide_vec3 u = {v.x / largest, v.y / largest, v.z / largest};
    wide size = wide_vec3_length(u);
    *length = size * largest;
    return wide_vec3_scale(u, wide_all(1.0f) / size);
}

WIDE_INLINE wide_plane wide_plane_at(const wide_problem *p, wide_vec3 m)
{
    const wide floor = wide_all(1e-12f);
    wide_plane t = {.m = m, .f1 = wide_sym3_mul_vec(p->S1, m), .f2 = wide_sym3_mul_vec(p->S2, m)};
    t.h1 = wide_square_root(wide_maximum(wide_vec3_dot(m, t.f1), floor));
    t.h2 = wide_square_root(wide_maximum(wide_vec3_dot(m, t.f2), floor));
    t.cosine = wide_vec3_dot(p->n, m);
    return t;
}

WIDE_INLINE wide wide_radius_ratio(const wide_problem *p)
{
    const wide tiny = wide_all(1e-12f);
    wide_sym3 adj1 = wide_adjugate(p->S1), adj2 = wide_adjugate(p->S2);
    wide det1 = p->S1.xx * adj1.xx + p->S1.xy * adj1.xy + p->S1.xz * adj1.xz;
    wide det2 = p->S2.xx * adj2.xx + p->S2.xy * adj2.xy + p->S2.xz * adj2.xz;
    wide one = det1 * wide_vec3_dot(p->n, wide_sym3_mul_vec(adj2, p->n));
    wide two = det2 * wide_vec3_dot(p->n, wide_sym3_mul_vec(adj1, p->n));
    wide_mask definite = (one > tiny * two) & (two > tiny * one);
    return wide_select(definite, wide_square_root(one / two), wide_all(1.0f));
}

// *length is 0 where the plane is that of n.
WIDE_INLINE wide_plane wide_plane_of(const wide_problem *p, wide tau, wide_sym3 *adj, wide *length)
{
    *adj = wide_adjugate(wide_sym3_add_scaled(p->S1, p->S2, tau));
    wide_vec3 m = wide_sym3_mul_vec(*adj, p->n);
    wide size = wide_vec3_length(m);
    wide_mask definite =
        (size > wide_all(1e-18f)) & (wide_vec3_dot(p->n, m) > wide_all(1e-6f) * size);
    *length = wide_select(definite, size, wide_all(0.0f));
    wide_vec3 unit = wide_vec3_scale(m, wide_all(1.0f) / size);
    return wide_plane_at(p, wide_vec3_select(definite, unit, p->n));
}

WIDE_INLINE wide wide_newton_step(const wide_problem *p, wide tau, const wide_plane *t,
                                  wide_sym3 adj, wide length)
{
    const wide one = wide_all(1.0f);
    wide g1 = t->h1 * t->h1, g2 = t->h2 * t->h2, g12 = g1 * g2;
    wide T = wide_vec3_dot(t->f2, wide_sym3_mul_vec(adj, t->f2)) / length;
    wide slope = wide_maximum(g12 - tau * (T * t->cosine - g2 * g2), wide_all(0.001f) * g12);
    wide first = p->k * t->h1, second = tau * t->h2;
    wide delta = wide_all(2.0f) * (first - second) * g12 / ((first + second) * slope);
    return wide_maximum(-one, wide_minimum(one, delta));
}

WIDE_INLINE void wide_plane_replace(wide_plane *t, wide_mask mask, const wide_plane *by)
{
    t->m = wide_vec3_select(mask, by->m, t->m);
    t->f1 = wide_vec3_select(mask, by->f1, t->f1);
    t->f2 = wide_vec3_select(mask, by->f2, t->f2);
    t->h1 = wide_select(mask, by->h1, t->h1);
    t->h2 = wide_select(mask, by->h2, t->h2);
    t->cosine = wide_select(mask, by->cosine, t->cosine);
}

WIDE_INLINE wide_vec3 wide_find_plane(const wide_problem *p)
{
    wide tau = p->k * wide_radius_ratio(p), length, delta = wide_all(1.0f);
    wide_sym3 adj;
    wide_plane t = wide_plane_of(p, tau, &adj, &length);
    for (int i = 0; i < ELLIPSOID_STEP_LIMIT; ++i) {
        wide_mask active = (wide_absolute(delta) > wide_all(ELLIPSOID_LAST_STEP_OF_PLANES)) &
                           (length > wide_all(0.0f));
        if (!wide_any(active))
            break;
        delta = wide_select(active, wide_newton_step(p, tau, &t, adj, length), delta);
        wide grown = tau * ((wide_all(2.0f) + delta) / (wide_all(2.0f) - delta));
        tau = wide_select(active, grown, tau);
        wide_sym3 next_adj;
        wide next_length;
        wide_plane next = wide_plane_of(p, tau, &next_adj, &next_length);
        wide_plane_replace(&t, active, &next);
        adj = wide_sym3_select(active, next_adj, adj);
        length = wide_select(active, next_length, length);
    }
    return t.m;
}

// Where two ellipsoids of shapes S1 and S2 touch when they are moved along the line of their centres:
// that line and the contact normal, as pli_ellipsoid_pair_roughly has them for pairs at any distance.
WIDE_INLINE void wide_ellipsoid_pair(wide_sym3 S1, wide_sym3 S2, wide_vec3 between, wide_vec3 *line,
                                     wide_vec3 *normal)
{
    wide trace1 = S1.xx + S1.yy + S1.zz, trace2 = S2.xx + S2.yy + S2.zz;
    wide unit1 = wide_square_root_power_of_two(trace1);
    wide unit2 = wide_square_root_power_of_two(trace2);
    wide near = wide_all(1e-6f) * (unit1 + unit2), centres;
    wide_mask coincide = (wide_absolute(between.x) < near) & (wide_absolute(between.y) < near) &
                         (wide_absolute(between.z) < near);
    wide_vec3 n = wide_direction(between, &centres);
    if (wide_any(coincide))
        for (int i = 0; i < WIDE; ++i)
            if (coincide[i]) {
                vec3 thin = pli_thinnest_line(wide_sym3_lane(&S1, i), wide_sym3_lane(&S2, i));
                n.x[i] = thin.x;
                n.y[i] = thin.y;
                n.z[i] = thin.z;
            }
    wide_mask swapped = trace2 > trace1, spheres = wide_is_sphere(S1) & wide_is_sphere(S2);
    wide_problem p = {.n = n};
    p.unit1 = wide_select(swapped, unit2, unit1);
    p.unit2 = wide_select(swapped, unit1, unit2);
    const wide one = wide_all(1.0f);
    p.S1 = wide_sym3_scale(wide_sym3_select(swapped, S2, S1), (one / p.unit1) / p.unit1);
    p.S2 = wide_sym3_scale(wide_sym3_select(swapped, S1, S2), (one / p.unit2) / p.unit2);
    p.k = p.unit2 / p.unit1;
    *line = *normal = n;
    if (wide_any(~spheres))
        *normal = wide_vec3_select(spheres, n, wide_find_plane(&p));
}
