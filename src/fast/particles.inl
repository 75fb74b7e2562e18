// Prediction and velocities of particles, WIDE at once: see world/predict.c.

WIDE_INLINE wide_vec3 load_moves(const particle_move *from, int count, wide *inverse_mass)
{
    wide_quat parts = wide_quat_load((const quat *)from, count);
    *inverse_mass = parts.w;
    return (wide_vec3){parts.x, parts.y, parts.z};
}

WIDE_INLINE void store_quads(void *to, wide_quat q, int count)
{
    const wide parts[4] = {q.x, q.y, q.z, q.w};
    if (count == WIDE) {
        wide_scatter_quads(to, WIDE_FIRST, sizeof(quat), parts);
        return;
    }
    quat each[WIDE];
    wide_scatter_quads(each, WIDE_FIRST, sizeof(quat), parts);
    memcpy(to, each, (size_t)count * sizeof *each);
}

// quat_turn. Beyond the series of quat_exp and quat_log are few: mostly no lane needs more.
WIDE_INLINE wide_quat turn_by(wide_quat q, wide_vec3 v)
{
    const wide one = wide_all(1.0f);
    wide angle2 = wide_vec3_dot(v, v);
    wide s = wide_all(0.5f) - angle2 * wide_all(1.0f / 48.0f);
    wide c = one - angle2 * wide_all(0.125f) + angle2 * angle2 * wide_all(1.0f / 384.0f);
    wide_mask large = ~(angle2 < wide_all(0.01f));
    if (wide_any(large)) {
        wide angle = wide_square_root(angle2), sine, cosine;
        wide_sin_cos(wide_all(0.5f) * angle, &sine, &cosine);
        s = wide_select(large, sine / angle, s);
        c = wide_select(large, cosine, c);
    }
    return wide_quat_normalize(wide_quat_mul((wide_quat){v.x * s, v.y * s, v.z * s, c}, q));
}

// quat_log
WIDE_INLINE wide_vec3 log_of(wide_quat q)
{
    const wide one = wide_all(1.0f), two = wide_all(2.0f);
    wide_mask backwards = q.w < wide_all(0.0f);
    wide_quat p = wide_quat_select(backwards, wide_quat_scale(q, wide_all(-1.0f)), q);
    wide_vec3 u = {p.x, p.y, p.z};
    wide length = wide_vec3_length(u), t = length / p.w;
    wide k = (two / p.w) * (one - t * t * wide_all(1.0f / 3.0f));
    wide_mask large = ~(length < wide_all(0.02f));
    if (wide_any(large))
        k = wide_select(large, two * wide_atan2(length, p.w) / length, k);
    return wide_vec3_scale(u, k);
}

WIDE_INLINE wide_mask is_zero(wide_vec3 v)
{
    const wide zero = wide_all(0.0f);
    return (v.x == zero) & (v.y == zero) & (v.z == zero);
}

WIDE_INLINE wide_sym3 gather_matrices(const sym3 *from, const int32_t *index)
{
    wide low[4], high[4];
    wide_gather_quads(from, index, sizeof *from, low);
    wide_gather_quads((const char *)from + offsetof(sym3, xz), index, sizeof *from, high);
    return (wide_sym3){low[0], low[1], low[2], low[3], high[2], high[3]};
}

// exp(0) = 1, without the rounding of a normalisation
WIDE_INLINE wide_quat predicted_turns(wide_quat turn, wide_vec3 spin, float h)
{
    wide_quat turned = turn_by(turn, wide_vec3_scale(spin, wide_all(h)));
    return wide_quat_select(is_zero(spin), turn, turned);
}

// ---------------------------------------------------------------------------------------------

// limited_speed, of lanes that are beyond the limit.
WIDE_INLINE wide_vec3 limit_speeds(wide_vec3 v, wide_mask beyond)
{
    wide most =
        wide_maximum(wide_absolute(v.x), wide_maximum(wide_absolute(v.y), wide_absolute(v.z)));
    wide_vec3 part = wide_vec3_scale(v, wide_all(1.0f) / most);
    wide_vec3 slower = wide_vec3_scale(part, wide_all(LARGEST_SPEED) / wide_vec3_length(part));
    return wide_vec3_select(beyond, slower, v);
}

// Returns which of them had to be slowed down.
WIDE_INLINE wide_mask accelerate_lanes(const particle_span *p, int first, int count)
{
    wide inverse_mass;
    load_moves(p->move + first, count, &inverse_mass);
    wide_mask is_free = inverse_mass > wide_all(0.0f);
    wide_vec3 v = wide_vec3_load(p->v + first, count), force = wide_vec3_all((vec3){0, 0, 0});
    if (p->force)
        force = wide_vec3_load(p->force + first, count);
    wide_vec3 a = wide_vec3_add_scaled(wide_vec3_all(p->acceleration), force, inverse_mass);
    wide_vec3 faster =
        wide_vec3_add_scaled(wide_vec3_scale(v, wide_all(p->keep_linear)), a, wide_all(p->h));
    wide_mask beyond = wide_vec3_dot(faster, faster) > wide_all(LARGEST_SPEED * LARGEST_SPEED);
    beyond &= is_free;
    if (wide_any(beyond))
        faster = limit_speeds(faster, beyond);
    wide_vec3_store(p->v + first, wide_vec3_select(is_free, faster, v), count);

    wide_vec3 spin = wide_vec3_load(p->spin + first, count);
    wide_vec3 slower = wide_vec3_scale(spin, wide_all(p->keep_angular));
    wide angle = wide_vec3_length(slower) * wide_all(p->h);
    wide_vec3 limited = wide_vec3_scale(slower, wide_all(LARGEST_TURN) / angle);
    slower = wide_vec3_select(angle > wide_all(LARGEST_TURN), limited, slower);
    wide_vec3_store(p->spin + first, wide_vec3_select(is_free, slower, spin), count);
    return beyond;
}

static bool accelerate_particles(const particle_span *p, int first, int end)
{
    wide_mask beyond = wide_all_bits(0);
    for (; first + WIDE <= end; first += WIDE)
        beyond |= accelerate_lanes(p, first, WIDE);
    if (first < end)
        beyond |= accelerate_lanes(p, first, end - first) & wide_lanes(end - first);
    return wide_any(beyond);
}

// Sums over particles are LANES sums, which are then added in order.
enum { SUM_PARTS = LANES / WIDE };

WIDE_INLINE vec3 sum_parts(const wide_vec3 sums[SUM_PARTS])
{
    vec3 total = {0, 0, 0};
    for (int lane = 0; lane < LANES; ++lane)
        total = vec3_add(total, wide_vec3_lane(&sums[lane / WIDE], lane % WIDE));
    return total;
}

// Σ v
static vec3 sum_velocities(const particle_span *p, int first, int end)
{
    const wide zero = wide_all(0.0f);
    const wide_vec3 none = {zero, zero, zero};
    wide_vec3 sums[SUM_PARTS];
    for (int part = 0; part < SUM_PARTS; ++part)
        sums[part] = none;
    for (int part = 0; first < end; first += WIDE, part = (part + 1) % SUM_PARTS) {
        int count = end - first < WIDE ? end - first : WIDE;
        wide_vec3 v = wide_vec3_load(p->v + first, count);
        sums[part] = wide_vec3_add(sums[part], wide_vec3_select(wide_lanes(count), v, none));
    }
    return sum_parts(sums);
}

WIDE_INLINE wide_vec3 free_moves(const particle_span *p, wide_vec3 v)
{
    return wide_vec3_sub(wide_vec3_scale(v, wide_all(p->h)), wide_vec3_all(p->drift));
}

// What is added to the rotation by v of ellipsoids, in their own axes, so that it carries the angular momentum of the last
// one (world/predict.c). Zero where that is not safely found.
WIDE_INLINE wide_vec3 precession_of(wide_sym3 S, wide_vec3 v)
{
    const wide one = wide_all(1.0f);
    wide angle2 = wide_vec3_dot(v, v);
    wide sine = one - angle2 * (wide_all(1.0f / 6.0f) - angle2 * wide_all(1.0f / 120.0f));
    wide cosine =
        wide_all(0.5f) - angle2 * (wide_all(1.0f / 24.0f) - angle2 * wide_all(1.0f / 720.0f));
    wide_vec3 u = wide_vec3_scale(v, cosine), w = wide_vec3_scale(v, sine);
    wide along = one - cosine * angle2;
    wide_mat3 E = {{{along + u.x * v.x, u.x * v.y - w.z, u.x * v.z + w.y},
                    {u.y * v.x + w.z, along + u.y * v.y, u.y * v.z - w.x},
                    {u.z * v.x - w.y, u.z * v.y + w.x, along + u.z * v.z}}};
    wide_mat3 M = wide_mat3_mul_sym3(&E, S), per_momentum = step_per_momentum(&M);
    wide_vec3 torque = wide_vec3_scale(wide_vec3_cross(u, wide_sym3_mul_vec(S, v)), wide_all(2.0f));
    wide_vec3 step = wide_mat3_mul_vec(&per_momentum, torque);
    wide_vec3 beyond = wide_vec3_cross(wide_mat3_transpose_mul_vec(&M, step), step);
    beyond = wide_vec3_add_scaled(beyond, wide_mat3_axial(&M), -wide_vec3_dot(step, step));
    beyond = wide_mat3_mul_vec(&per_momentum, beyond);
    step = wide_vec3_add_scaled(step, beyond, wide_all(-0.5f));
    wide most = wide_all(LARGEST_PRECESSING_TURN * LARGEST_PRECESSING_TURN);
    const wide zero = wide_all(0.0f);
    return wide_vec3_select(angle2 < most, step, (wide_vec3){zero, zero, zero});
}

// Of those whose rotation groups know as a momentum, to what it is predicted as.
WIDE_INLINE wide_quat precess(const particle_span *p, int first, int count, wide_quat turn,
                              wide_quat next)
{
    int32_t index[WIDE];
    wide_indices(count, index);
    wide_vec3 v = wide_vec3_scale(wide_vec3_load(p->spin + first, count), wide_all(p->h));
    wide_mask lanes = ~is_zero(v);
    if (p->turns_freely)
        for (int lane = 0; lane < count; ++lane)
            if (p->turns_freely[first + lane])
                lanes[lane] = 0;
    if (!wide_any(lanes))
        return next;
    wide_vec3 own = wide_quat_rotate(wide_quat_conjugate(turn), v);
    wide_vec3 step = precession_of(gather_matrices(p->moments + first, index), own);
    lanes &= wide_vec3_dot(step, step) > wide_all(LEAST_PRECESSION * LEAST_PRECESSION);
    wide_quat turned = wide_quat_mul(half_step(wide_quat_rotate(turn, step)), next);
    return wide_quat_select(lanes, wide_quat_normalize(turned), next);
}

WIDE_INLINE void predict_lanes(const particle_span *p, int first, int count)
{
    wide inverse_mass;
    wide_vec3 way = load_moves(p->move + first, count, &inverse_mass);
    wide_mask is_free = inverse_mass > wide_all(0.0f);
    way = wide_vec3_select(is_free, free_moves(p, wide_vec3_load(p->v + first, count)), way);
    store_quads(p->move + first, (wide_quat){way.x, way.y, way.z, inverse_mass}, count);
    wide_quat turn = wide_quat_load(p->turn + first, count);
    wide_quat next = predicted_turns(turn, wide_vec3_load(p->spin + first, count), p->h);
    if (p->moments)
        next = precess(p, first, count, turn, next);
    store_quads(p->turn + first, wide_quat_select(is_free, next, turn), count);
}

static void predict_particles(const particle_span *p, int first, int end)
{
    for (; first + WIDE <= end; first += WIDE)
        predict_lanes(p, first, WIDE);
    if (first < end)
        predict_lanes(p, first, end - first);
}

// exact_sum
WIDE_INLINE wide exact_sums(wide a, wide b, wide *low)
{
    wide sum = a + b, b_part = sum - a;
    *low = (a - (sum - b_part)) + (b - b_part);
    return sum;
}

WIDE_INLINE void advance_lanes(const particle_span *p, int first, int count, wide_vec3 way)
{
    wide_vec3 x = wide_vec3_load(p->x + first, count),
              low = wide_vec3_load(p->x_low + first, count);
    way = wide_vec3_add(way, wide_vec3_all(p->drift));
    x.x = exact_sums(x.x, low.x + way.x, &low.x);
    x.y = exact_sums(x.y, low.y + way.y, &low.y);
    x.z = exact_sums(x.z, low.z + way.z, &low.z);
    wide_vec3_store(p->x + first, x, count);
    wide_vec3_store(p->x_low + first, low, count);
}

WIDE_INLINE void update_spin_lanes(const particle_span *p, int first, int count, wide_mask lanes)
{
    wide_vec3 spin = wide_vec3_load(p->spin + first, count);
    wide_quat end = wide_quat_load(p->turn + first, count);
    wide_quat start = wide_quat_load(p->turn_start + first, count);
    wide_quat untouched = predicted_turns(start, spin, p->h);
    wide_mask touched = (end.x != untouched.x) | (end.y != untouched.y) | (end.z != untouched.z) |
                        (end.w != untouched.w);
    if (p->turns_freely)
        for (int lane = 0; lane < count; ++lane)
            if (p->turns_freely[first + lane])
                lanes[lane] = 0;
    wide_vec3 way = log_of(wide_quat_mul(end, wide_quat_conjugate(start)));
    wide_vec3 next = wide_vec3_scale(way, wide_all(p->inverse_h));
    wide_vec3_store(p->spin + first, wide_vec3_select(touched & lanes, next, spin), count);
}

WIDE_INLINE void update_lanes(const particle_span *p, int first, int count)
{
    wide inverse_mass;
    wide_vec3 way = load_moves(p->move + first, count, &inverse_mass);
    wide_mask is_free = inverse_mass > wide_all(0.0f);
    advance_lanes(p, first, count, way);
    wide_vec3 v = wide_vec3_load(p->v + first, count);
    wide_vec3 added = wide_vec3_sub(way, free_moves(p, v));
    wide_vec3 next = wide_vec3_add_scaled(v, added, wide_all(p->inverse_h));
    wide_vec3_store(p->v + first, wide_vec3_select(is_free, next, v), count);
    wide_vec3_store(p->v_predicted + first, v, count);
    update_spin_lanes(p, first, count, is_free);
}

static void update_particles(const particle_span *p, int first, int end)
{
    for (; first + WIDE <= end; first += WIDE)
        update_lanes(p, first, WIDE);
    if (first < end)
        update_lanes(p, first, end - first);
}

// ---------------------------------------------------------------------------------------------
// What constraints gave: see world/ledger.c

typedef struct gift_lanes {
    wide given, lifted, motion;
} gift_lanes;

WIDE_INLINE wide_vec3 predicted_velocities(const particle_span *p, int first, int count)
{
    wide_vec3 predicted = wide_vec3_load(p->v_predicted + first, count);
    if (!p->v_start)
        return predicted;
    wide_vec3 before = wide_vec3_load(p->v_start + first, count);
    return wide_vec3_add_scaled(before, wide_vec3_sub(predicted, before), wide_all(p->part));
}

WIDE_INLINE void weigh_lanes(const particle_span *p, int first, int count, gift_lanes *sum)
{
    const wide zero = wide_all(0.0f), half = wide_all(0.5f), time = wide_all(p->time);
    wide inverse_mass;
    wide_vec3 way = load_moves(p->move + first, count, &inverse_mass);
    wide_mask counts = (inverse_mass > zero) & wide_lanes(count);
    wide mass = wide_select(counts, wide_all(1.0f) / inverse_mass, zero);
    wide_vec3 v = wide_vec3_load(p->v + first, count);
    wide_vec3 u = predicted_velocities(p, first, count), a = wide_vec3_all(p->acceleration);
    if (p->force)
        a = wide_vec3_add_scaled(a, wide_vec3_load(p->force + first, count), inverse_mass);
    wide_vec3 twice_mean = wide_vec3_add_scaled(wide_vec3_add(v, u), a, -time);
    wide_vec3 went = wide_vec3_add(way, wide_vec3_all(p->drift));
    wide given = half * wide_vec3_dot(wide_vec3_sub(v, u), twice_mean);
    wide_vec3 short_of = wide_vec3_sub(wide_vec3_scale(v, time), went);
    wide lifted = wide_vec3_dot(wide_vec3_all(p->gravity), short_of);
    sum->given += wide_select(counts, mass * given, zero);
    sum->lifted += wide_select(counts, mass * lifted, zero);
    sum->motion += wide_select(counts, mass * half * wide_vec3_dot(v, v), zero);
}

static particle_gifts weigh_particles(const particle_span *p, int first, int end)
{
    const wide zero = wide_all(0.0f);
    gift_lanes sums[SUM_PARTS];
    particle_gifts total = {0.0, 0.0, 0.0};
    for (int part = 0; part < SUM_PARTS; ++part)
        sums[part] = (gift_lanes){zero, zero, zero};
    int part = 0;
    for (; first + WIDE <= end; first += WIDE, part = (part + 1) % SUM_PARTS)
        weigh_lanes(p, first, WIDE, &sums[part]);
    if (first < end)
        weigh_lanes(p, first, end - first, &sums[part]);
    for (int lane = 0; lane < LANES; ++lane) {
        total.given += (double)sums[lane / WIDE].given[lane % WIDE];
        total.lifted += (double)sums[lane / WIDE].lifted[lane % WIDE];
        total.motion += (double)sums[lane / WIDE].motion[lane % WIDE];
    }
    return total;
}
