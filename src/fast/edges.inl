// Distances and torsion along edges, eight to a batch, WIDE of which are taken at a time: see family/distances.c, torsion.c.

// The ends of edges that are solved together; lanes beyond the last one repeat the first.
typedef struct edge_ends {
    int32_t a[WIDE], b[WIDE];
    int32_t number[WIDE]; // from the first one
} edge_ends;

WIDE_INLINE edge_ends ends_of(const edge_span *b, int first, int count)
{
    edge_ends out;
    const edge *edges = b->edges + first;
    for (int i = 0; i < WIDE; ++i) {
        int k = i < count ? i : 0;
        out.a[i] = edges[k].a;
        out.b[i] = edges[k].b;
        out.number[i] = k;
    }
    return out;
}

// One number of the rest data of edges.
WIDE_INLINE wide rest_numbers(const float *of_first, const int32_t *number)
{
    return wide_gather(of_first, number, sizeof(rest_edge) / sizeof(float));
}

WIDE_INLINE wide_vec3 rest_directions(const rest_edge *first, const int32_t *number)
{
    return (wide_vec3){rest_numbers(&first->direction.x, number),
                       rest_numbers(&first->direction.y, number),
                       rest_numbers(&first->direction.z, number)};
}

// vec3_normalize_or
WIDE_INLINE wide_vec3 normalize_or(wide_vec3 a, wide_vec3 otherwise)
{
    wide length = wide_vec3_length(a);
    wide_vec3 unit = wide_vec3_scale(a, wide_all(1.0f) / length);
    return wide_vec3_select(length > wide_all(1e-12f), unit, otherwise);
}

// pli_length_correction
WIDE_INLINE wide length_correction(wide_vec3 start, wide_vec3 d, wide distance, wide goal,
                                   wide_vec3 *n)
{
    wide_vec3 now = wide_vec3_scale(d, wide_all(1.0f) / distance), then = normalize_or(start, now);
    wide_vec3 line = normalize_or(
        wide_vec3_add_scaled(then, wide_vec3_sub(now, then), wide_all(PRESENT_PART)), now);
    wide along = wide_vec3_dot(d, line);
    wide excess = (distance - goal) * (distance + goal), root = along * along - excess;
    wide_mask meets = (along > wide_all(START_COSINE) * distance) & (root >= wide_all(0.0f));
    *n = wide_vec3_select(meets, line, now);
    return wide_select(meets, excess / (along + wide_square_root(root)), distance - goal);
}

// Lanes whose ends are at one point: the rest direction, turned as the first end is, parts them again.
static void part_collapsed(const edge_span *b, const edge_ends *ends, const rest_edge *at_rest,
                           wide_mask lanes, wide_vec3 *n)
{
    for (int i = 0; i < WIDE; ++i) {
        if (!lanes[i])
            continue;
        vec3 one = quat_rotate(turn_from_rest(b->turn[ends->a[i]], b->rest_turn, ends->a[i]),
                               at_rest[ends->number[i]].direction);
        n->x[i] = one.x;
        n->y[i] = one.y;
        n->z[i] = one.z;
    }
}

WIDE_INLINE void move_end(const edge_span *b, const int32_t *index, wide_vec3 way, wide w,
                          wide_vec3 n, wide scale, wide_mask lanes)
{
    wide_vec3 moved = wide_vec3_add_scaled(way, n, scale * w);
    moved = wide_vec3_select(lanes, moved, way);
    const wide parts[4] = {moved.x, moved.y, moved.z, w};
    wide_scatter_quads(b->move, index, sizeof(particle_move), parts);
}

static void solve_distance_lanes(const edge_span *b, int first, int count)
{
    edge_ends ends = ends_of(b, first, count);
    const rest_edge *at_rest = b->rest + first;
    wide alpha = wide_all(0.0f), longest = wide_all(0.0f);
    if (!b->limits_only)
        alpha = wide_gather(b->stretch_alpha + first, ends.number, 1);
    if (b->has_limits)
        longest = wide_gather(&b->edges[first].longest, ends.number, sizeof(edge) / sizeof(float));
    wide_mask is_limited = longest > wide_all(0.0f);
    wide_mask lanes = (alpha > wide_all(0.0f)) | is_limited;
    if (!wide_any(lanes))
        return;
    wide wi, wj, length = rest_numbers(&at_rest->length, ends.number);
    wide_vec3 from = wide_vec3_gather(b->start, ends.a, sizeof(vec3), NULL);
    wide_vec3 start = wide_vec3_sub(wide_vec3_gather(b->start, ends.b, sizeof(vec3), NULL), from);
    wide_vec3 way_i = wide_vec3_gather(b->move, ends.a, sizeof(particle_move), &wi);
    wide_vec3 way_j = wide_vec3_gather(b->move, ends.b, sizeof(particle_move), &wj);
    wide_vec3 d = wide_vec3_add(start, wide_vec3_sub(way_j, way_i));
    wide distance = wide_vec3_length(d), stretch = distance - length;
    wide size = wide_absolute(from.x) + wide_absolute(from.y) + wide_absolute(from.z);
    lanes &= wide_absolute(stretch) > wide_all(PLACE_ROUNDING) * (size + length);
    lanes &= wi + wj != wide_all(0.0f);
    wide goal = distance - alpha * stretch;
    goal = wide_select(is_limited, wide_minimum(goal, longest * length), goal);
    if (b->limits_only)
        lanes &= goal < distance;
    if (!wide_any(lanes))
        return;
    wide_mask collapsed = ~(distance > wide_all(COLLAPSED_LENGTH) * length);
    wide_vec3 n;
    wide mu = length_correction(start, d, distance, goal, &n);
    if (wide_any(collapsed & lanes)) {
        mu = wide_select(collapsed, alpha * stretch, mu);
        part_collapsed(b, &ends, at_rest, collapsed, &n);
    }
    wide scale = mu / (wi + wj);
    move_end(b, ends.a, way_i, wi, n, scale, lanes);
    move_end(b, ends.b, way_j, wj, n, -scale, lanes);
}

static void solve_distances(const edge_span *b, int first, int end)
{
    for (int i = first; i < end; ++i) {
        const batch *t = &b->batches[i];
        for (int lane = 0; lane < t->count; lane += WIDE)
            solve_distance_lanes(b, t->first + lane, t->count - lane);
    }
}

// ---------------------------------------------------------------------------------------------
// Torsion

// trig_atan2
WIDE_INLINE wide atan2_of(wide y, wide x)
{
    const wide zero = wide_all(0.0f);
    wide ax = wide_absolute(x), ay = wide_absolute(y);
    wide large = wide_maximum(ax, ay), small = wide_minimum(ax, ay);
    wide t = small / large;
    wide_mask fold = t > wide_all(0.414213562f);
    t = wide_select(fold, (small - large) / (small + large), t);
    wide base = wide_select(fold, wide_all(0.785398163f), zero), t2 = t * t;
    wide angle =
        base + (t + t * t2 *
                        (wide_all(-0.333329528f) +
                         t2 * (wide_all(0.199778224f) +
                               t2 * (wide_all(-0.138786274f) + t2 * wide_all(0.0805605221f)))));
    angle = wide_select(ay > ax, wide_all(PLIANT_HALF_PI) - angle, angle);
    angle = wide_select(x < zero, wide_all(PLIANT_PI) - angle, angle);
    angle = wide_select(y < zero, -angle, angle);
    return wide_select(large == zero, zero, angle);
}

// A pair of rotations from rest with what each gives way.
typedef struct torsion_ends {
    wide_quat d1, d2;
    wide w1, w2;
} torsion_ends;

// pli_torsion_twist_only
WIDE_INLINE torsion_ends untwist(torsion_ends e, wide_vec3 axis, wide alpha)
{
    wide_quat r = wide_quat_mul(wide_quat_conjugate(e.d1), e.d2);
    r = wide_quat_select(r.w < wide_all(0.0f), wide_quat_scale(r, wide_all(-1.0f)), r);
    wide along = r.x * axis.x + r.y * axis.y + r.z * axis.z;
    wide twist = alpha * (wide_all(2.0f) * atan2_of(along, r.w)) / (e.w1 + e.w2);
    wide_vec3 axis1 = wide_quat_rotate(e.d1, axis), axis2 = wide_quat_rotate(e.d2, axis);
    e.d1 = turn_by(e.d1, wide_vec3_scale(axis1, twist * e.w1));
    e.d2 = turn_by(e.d2, wide_vec3_scale(axis2, -twist * e.w2));
    return e;
}

// pli_torsion_full
WIDE_INLINE torsion_ends unturn(torsion_ends e, wide alpha)
{
    wide_quat between = wide_quat_mul(e.d2, wide_quat_conjugate(e.d1));
    wide_vec3 phi = wide_vec3_scale(log_of(between), alpha / (e.w1 + e.w2));
    e.d1 = turn_by(e.d1, wide_vec3_scale(phi, e.w1));
    e.d2 = turn_by(e.d2, wide_vec3_scale(phi, -e.w2));
    return e;
}

// Takes over rotations from rest. Where rest is turned the way there and back rounds: less than that is no
// torsion, and would become a spin.
WIDE_INLINE void put_turns(const edge_span *b, const int32_t *index, wide_quat from_rest,
                           wide_mask lanes)
{
    wide_quat turn = wide_quat_gather(b->turn, index);
    if (b->rest_turn)
        from_rest =
            wide_quat_normalize(wide_quat_mul(from_rest, wide_quat_gather(b->rest_turn, index)));
    if (b->rest_turn || b->twists)
        lanes &= wide_all(4.0f) * turned_by(from_rest, turn) > wide_all(1e-12f);
    wide_quat_scatter(b->turn, index, wide_quat_select(lanes, from_rest, turn));
}

WIDE_INLINE wide_quat end_turns(const edge_span *b, const int32_t *index)
{
    wide_quat turn = wide_quat_gather(b->turn, index);
    if (!b->rest_turn)
        return turn;
    return wide_quat_mul(turn, wide_quat_conjugate(wide_quat_gather(b->rest_turn, index)));
}

// 0 where an end is pinned.
WIDE_INLINE wide end_answers(const edge_span *b, const int32_t *index, wide inverse_inertia)
{
    wide inverse_mass;
    wide_vec3_gather(b->move, index, sizeof(particle_move), &inverse_mass);
    return wide_select(inverse_mass > wide_all(0.0f), inverse_inertia, wide_all(0.0f));
}

static void solve_torsion_lanes(const edge_span *b, int first, int count)
{
    edge_ends ends = ends_of(b, first, count);
    const rest_edge *at_rest = b->rest + first;
    wide alpha = wide_gather(b->torsion_alpha + first, ends.number, 1);
    wide_mask lanes = alpha > wide_all(0.0f), twist_only;
    if (!wide_any(lanes))
        return;
    for (int i = 0; i < WIDE; ++i)
        twist_only[i] = b->edges[first + ends.number[i]].twist_only ? -1 : 0;
    torsion_ends e = {
        end_turns(b, ends.a), end_turns(b, ends.b),
        end_answers(b, ends.a, rest_numbers(&at_rest->inverse_inertia[0], ends.number)),
        end_answers(b, ends.b, rest_numbers(&at_rest->inverse_inertia[1], ends.number))};
    wide_quat twist = {0};
    if (b->twists) { // a's end as b sees it
        twist = wide_quat_gather(b->twists + first, ends.number);
        e.d1 = wide_quat_mul(e.d1, twist);
    }
    lanes &= e.w1 + e.w2 != wide_all(0.0f);
    torsion_ends turned = e;
    if (wide_any(twist_only))
        turned = untwist(e, rest_directions(at_rest, ends.number), alpha);
    if (wide_any(~twist_only)) {
        torsion_ends full = unturn(e, alpha);
        turned.d1 = wide_quat_select(twist_only, turned.d1, full.d1);
        turned.d2 = wide_quat_select(twist_only, turned.d2, full.d2);
    }
    if (b->twists)
        turned.d1 = wide_quat_normalize(wide_quat_mul(turned.d1, wide_quat_conjugate(twist)));
    put_turns(b, ends.a, turned.d1, lanes);
    put_turns(b, ends.b, turned.d2, lanes);
}

static void solve_torsion(const edge_span *b, int first, int end)
{
    for (int i = first; i < end; ++i) {
        const batch *t = &b->batches[i];
        for (int lane = 0; lane < t->count; lane += WIDE)
            solve_torsion_lanes(b, t->first + lane, t->count - lane);
    }
}
