// Contact of soft particles, eight pairs at a time. What is computed is told at pair_batch.h.

// The line of the start serves while it leads away from the plane at least this well, as compared with the
// predicted one.
static const float LINE_SERVES = 0.75f;
// Of the sum of the half widths: pairs that end further apart than this have not passed each other.
static const float DEEP_PART = 0.5f;
// A line that leads away from the plane or from the last line less than this is not followed.
static const float LEAST_COSINE = 0.3f;
// Turning in a substep may widen two particles by this part; more than that they meet a substep later.
static const float WIDTH_CHANGE = 0.1f;
// Part of the touching distance that rounding may take from two that touch.
static const float TOUCH_TOLERANCE = 2e-5f;

WIDE_INLINE wide_vec3 load3(const lanes3 *from)
{
    return (wide_vec3){wide_load(from->x), wide_load(from->y), wide_load(from->z)};
}

WIDE_INLINE void store3(lanes3 *to, wide_vec3 v)
{
    wide_store(to->x, v.x);
    wide_store(to->y, v.y);
    wide_store(to->z, v.z);
}

// ---------------------------------------------------------------------------------------------
// What a pair is made of

typedef struct wide_moves {
    wide_vec3 way;
    wide inverse_mass;
} wide_moves;

WIDE_INLINE wide_moves gather_moves(const pair_scene *s, const int32_t *index)
{
    wide_moves m;
    m.way = wide_vec3_gather(s->move, index, sizeof(particle_move), &m.inverse_mass);
    return m;
}

WIDE_INLINE void scatter_moves(const pair_scene *s, const int32_t *index, const wide_moves *m)
{
    const wide parts[4] = {m->way.x, m->way.y, m->way.z, m->inverse_mass};
    wide_scatter_quads(s->move, index, sizeof(particle_move), parts);
}

// The shape of a form and the two numbers after it.
WIDE_INLINE wide_sym3 gather_shape(const sym3 *first, const int32_t *index, wide *next, wide *last)
{
    wide low[4], high[4];
    wide_gather_quads(first, index, sizeof(particle_form), low);
    wide_gather_quads(&first->yz, index, sizeof(particle_form), high);
    *next = high[2];
    *last = high[3];
    return (wide_sym3){low[0], low[1], low[2], low[3], high[0], high[1]};
}

// Two particles each, as they stand in the solver.
typedef struct wide_pairs {
    wide_vec3 start;   // from a to b at the start of the substep
    wide_vec3 drift;   // of b less that of a
    wide_vec3 between; // start + drift
    wide_vec3 way;     // of b less that of a, but for the drifts
    wide_sym3 shape_a, shape_b;
    wide largest, thinnest; // sums of both
    wide_mask is_single;
    wide friction_a, friction_b, restitution;
    wide mobility; // 1/kg
} wide_pairs;

WIDE_INLINE wide_pairs gather_pairs(const pair_scene *s, const int32_t *a, const int32_t *b)
{
    wide_pairs p;
    int32_t owner_a[WIDE], owner_b[WIDE];
    for (int i = 0; i < WIDE; ++i) {
        owner_a[i] = s->owner[a[i]];
        owner_b[i] = s->owner[b[i]];
    }
    wide restitution_a, restitution_b;
    const body_frame *frame = s->frame;
    wide_vec3 origin_a = wide_vec3_gather(&frame->origin, owner_a, sizeof *frame, &p.friction_a);
    wide_vec3 origin_b = wide_vec3_gather(&frame->origin, owner_b, sizeof *frame, &p.friction_b);
    wide_vec3 drift_a = wide_vec3_gather(&frame->drift, owner_a, sizeof *frame, &restitution_a);
    wide_vec3 drift_b = wide_vec3_gather(&frame->drift, owner_b, sizeof *frame, &restitution_b);
    p.restitution = wide_maximum(restitution_a, restitution_b);
    wide_vec3 start_a = wide_vec3_gather(s->start, a, sizeof *s->start, NULL);
    wide_vec3 start_b = wide_vec3_gather(s->start, b, sizeof *s->start, NULL);
    p.start = wide_vec3_add(wide_vec3_sub(origin_b, origin_a), wide_vec3_sub(start_b, start_a));
    p.drift = wide_vec3_sub(drift_b, drift_a);
    p.between = wide_vec3_add(p.start, p.drift);
    wide_moves move_a = gather_moves(s, a), move_b = gather_moves(s, b);
    p.way = wide_vec3_sub(move_b.way, move_a.way);
    p.mobility = move_a.inverse_mass + move_b.inverse_mass;
    wide largest_a, largest_b, thin_a, thin_b;
    p.shape_a = gather_shape(&s->form->shape, a, &largest_a, &thin_a);
    p.shape_b = gather_shape(&s->form->shape, b, &largest_b, &thin_b);
    p.largest = largest_a + largest_b;
    p.thinnest = wide_absolute(thin_a) + wide_absolute(thin_b);
    p.is_single = (thin_a < wide_all(0.0f)) | (thin_b < wide_all(0.0f));
    return p;
}

// See is_fast.
WIDE_INLINE wide_mask pairs_are_fast(const wide_pairs *p)
{
    wide_vec3 way = wide_vec3_add(p->way, p->drift);
    wide thin = wide_all(0.5f) * p->thinnest;
    return wide_vec3_dot(way, way) > thin * thin;
}

// ---------------------------------------------------------------------------------------------
// Which pairs need to be watched

// The plane across the line of the centres d is one that may separate them: with g = √(dᵀSd) = |d| h they
// are apart by |d| - (g1 + g2)/|d| at least. That times |d|:
WIDE_INLINE wide least_gap(const wide_pairs *p, wide_vec3 d)
{
    wide g1 = wide_square_root(wide_vec3_dot(d, wide_sym3_mul_vec(p->shape_a, d)));
    wide g2 = wide_square_root(wide_vec3_dot(d, wide_sym3_mul_vec(p->shape_b, d)));
    return wide_vec3_dot(d, d) - (g1 + g2);
}

// Whether the spheres around them touch on their straight way.
WIDE_INLINE wide_mask may_have_met(const wide_pairs *p)
{
    const wide zero = wide_all(0.0f), one = wide_all(1.0f);
    wide_vec3 way = wide_vec3_add(p->way, p->drift);
    wide nearest = -wide_vec3_dot(p->start, way) / wide_vec3_dot(way, way);
    wide time = wide_minimum(one, wide_maximum(zero, nearest));
    wide_vec3 apart = wide_vec3_add_scaled(p->start, way, time);
    return ~(wide_vec3_dot(apart, apart) > wide_all(1.001f) * p->largest * p->largest);
}

// Whether they end with their centres deep in each other, or on the other side: only such pairs have to be stopped
// where they first touch. From less a push along the line of the centres brings them back.
WIDE_INLINE wide_mask end_deep(const wide_pairs *p, wide_vec3 d)
{
    wide_vec3 u = p->start; // any length: both sides of the comparison grow with it
    wide g1 = wide_square_root(wide_vec3_dot(u, wide_sym3_mul_vec(p->shape_a, u)));
    wide g2 = wide_square_root(wide_vec3_dot(u, wide_sym3_mul_vec(p->shape_b, u)));
    return ~(wide_vec3_dot(u, d) > wide_all(DEEP_PART) * (g1 + g2));
}

WIDE_INLINE wide_mask may_bounce(const pair_scene *s, const wide_pairs *p)
{
    wide_vec3 way = wide_vec3_add(p->way, p->drift);
    return (p->restitution > wide_all(0.0f)) &
           (wide_vec3_dot(way, way) > wide_all(s->bounce_square));
}

WIDE_INLINE wide_mask sort_eight(const pair_scene *s, const int32_t *a, const int32_t *b)
{
    wide_pairs p = gather_pairs(s, a, b);
    wide_vec3 d = wide_vec3_add(p.between, p.way);
    wide gap = least_gap(&p, d), margin = wide_all(PAIR_MARGIN) * p.largest * wide_vec3_length(d);
    wide_mask far = gap > margin, near = gap > wide_all(0.0f);
    wide_mask fast = pairs_are_fast(&p) & (p.is_single | (may_have_met(&p) & end_deep(&p, d)));
    wide_mask single = p.is_single | may_bounce(s, &p);
    wide_mask kind = (near & wide_all_bits(PAIR_NEAR)) | (~near & wide_all_bits(PAIR_SOFT));
    kind = (far & wide_all_bits(PAIR_APART)) | (~far & kind);
    kind = (single & wide_all_bits(PAIR_SINGLE)) | (~single & kind);
    return (fast & wide_all_bits(PAIR_FAST)) | (~fast & kind);
}

static void sort_pairs(const pair_scene *s, const particle_pair *pairs, int count, uint16_t *kinds)
{
    for (int first = 0; first < count; first += WIDE) {
        int32_t a[WIDE], b[WIDE];
        int lanes = count - first < WIDE ? count - first : WIDE;
        for (int i = 0; i < WIDE; ++i) {
            const particle_pair *pair = &pairs[first + (i < lanes ? i : 0)];
            a[i] = pair->a;
            b[i] = pair->b;
        }
        wide_mask kind = sort_eight(s, a, b);
        for (int i = 0; i < lanes; ++i)
            kinds[first + i] = (uint16_t)kind[i];
    }
}

// ---------------------------------------------------------------------------------------------
// How a pair stands before it is solved

WIDE_INLINE wide half_width(wide_vec3 m, wide_vec3 support)
{
    return wide_square_root(wide_maximum(wide_vec3_dot(m, support), wide_all(1e-24f)));
}

WIDE_INLINE wide_vec3 normalize_or_up(wide_vec3 v)
{
    wide length = wide_vec3_length(v);
    wide_vec3 unit = wide_vec3_scale(v, wide_all(1.0f) / length);
    return wide_vec3_select(length > wide_all(1e-12f), unit, wide_vec3_all((vec3){0, 1, 0}));
}

// The line to push along and the plane. Constraints may have pulled a slow pair through each other before:
// it is put back to where it belongs. One that was stopped stays on its side of the impact.
WIDE_INLINE void choose_line(const pair_batch *c, const wide_pairs *p, wide_vec3 ahead,
                             wide_vec3 *line, wide_vec3 *plane)
{
    wide_ellipsoid_pair(p->shape_a, p->shape_b, wide_vec3_add(p->between, p->way), line, plane);
    wide_mask is_behind = (wide_vec3_dot(ahead, *line) < wide_all(0.0f)) & ~pairs_are_fast(p);
    wide along = wide_all(LINE_SERVES) * wide_vec3_dot(*line, *plane);
    wide_mask serves = (wide_vec3_dot(ahead, *plane) >= along) | is_behind;
    *line = wide_vec3_select(serves, ahead, *line);
    *plane = wide_vec3_select(is_behind, ahead, *plane);
    wide_mask was_stopped = wide_load(c->normal_impulse) > wide_all(0.0f);
    *line = wide_vec3_select(was_stopped, load3(&c->line), *line);
    *plane = wide_vec3_select(was_stopped, load3(&c->line), *plane);
}

// Where both touch, in each particle's own axes, and what of their slip is known now.
WIDE_INLINE void place_contact(const pair_scene *s, pair_batch *c, const wide_pairs *p,
                               wide_vec3 arm_a, wide_vec3 arm_b)
{
    wide_quat start_a = wide_quat_gather(s->turn_start, c->a);
    wide_quat start_b = wide_quat_gather(s->turn_start, c->b);
    store3(&c->arm_a, wide_quat_rotate(wide_quat_conjugate(start_a), arm_a));
    store3(&c->arm_b, wide_quat_rotate(wide_quat_conjugate(start_b), arm_b));
    store3(&c->slip, wide_vec3_sub(wide_vec3_sub(arm_b, arm_a), p->drift));
    wide_store(c->friction, wide_square_root(p->friction_a * p->friction_b));
}

WIDE_INLINE void begin_eight(const pair_scene *s, pair_batch *c)
{
    const wide zero = wide_all(0.0f), one = wide_all(1.0f);
    wide_pairs p = gather_pairs(s, c->a, c->b);
    wide_vec3 ahead = normalize_or_up(p.start), n, m;
    choose_line(c, &p, ahead, &n, &m);
    wide_vec3 support_a = wide_sym3_mul_vec(p.shape_a, m);
    wide_vec3 support_b = wide_sym3_mul_vec(p.shape_b, m);
    wide width_a = half_width(m, support_a), width_b = half_width(m, support_b);
    wide width = width_a + width_b, cosine = wide_vec3_dot(n, m);
    wide start_depth = wide_maximum(zero, (width - wide_vec3_dot(m, p.start)) / cosine);
    wide slack = wide_maximum(zero, start_depth - wide_all(s->push_out));
    wide_vec3 way = wide_vec3_add(p.way, p.drift);
    store3(&c->between, p.between);
    store3(&c->plane, m);
    store3(&c->line, n);
    wide_store(c->slack, slack);
    wide_store(c->width, width);
    wide_store(c->reach, p.largest * p.largest);
    wide_store(c->mass, one / p.mobility);
    wide_store(c->start_depth, start_depth);
    wide_store(c->approach, -wide_vec3_dot(ahead, way) / wide_all(s->h));
    store3(&c->friction_impulse, (wide_vec3){zero, zero, zero});
    place_contact(s, c, &p, wide_vec3_scale(support_a, one / width_a),
                  wide_vec3_scale(support_b, -one / width_b));
}

static void begin_pairs(const pair_scene *s, pair_batch *batches, int count)
{
    for (int k = 0; k < count; ++k)
        begin_eight(s, &batches[k]);
}

// ---------------------------------------------------------------------------------------------
// Solving

// Pairs that may have come to their planes.
WIDE_INLINE wide_mask are_near(const pair_batch *c, wide_vec3 moved)
{
    wide most = wide_all(1.0f + WIDTH_CHANGE) * wide_load(c->width);
    return (wide_vec3_dot(load3(&c->plane), moved) < most) &
           (wide_vec3_dot(moved, moved) < wide_load(c->reach));
}

// From b's arm to a's, as they are turned now.
WIDE_INLINE wide_vec3 arms_between(const pair_scene *s, const pair_batch *c)
{
    wide_quat turn_a = wide_quat_gather(s->turn, c->a), turn_b = wide_quat_gather(s->turn, c->b);
    return wide_vec3_sub(wide_quat_rotate(turn_a, load3(&c->arm_a)),
                         wide_quat_rotate(turn_b, load3(&c->arm_b)));
}

// The line of the centres as it is now, while it leads away from the plane and the way it did: of pairs that are
// about to pass each other it is the last one. *cosine gets n·m.
WIDE_INLINE wide_vec3 follow_line(pair_batch *c, wide_vec3 moved, wide_mask near, wide *cosine)
{
    const wide least = wide_all(LEAST_COSINE);
    wide_vec3 n = wide_vec3_scale(moved, wide_all(1.0f) / wide_vec3_length(moved));
    wide_vec3 last = load3(&c->line), m = load3(&c->plane);
    wide now = wide_vec3_dot(n, m);
    wide_mask follows = near & (now > least) & (wide_vec3_dot(n, last) > least);
    n = wide_vec3_select(follows, n, last);
    *cosine = wide_select(follows, now, wide_vec3_dot(last, m));
    store3(&c->line, n);
    return n;
}

// How far along the line the pairs have passed their planes. *touches gets which of them meet at all, if only just.
WIDE_INLINE wide find_depth(const pair_batch *c, wide_vec3 moved, wide_vec3 arms, wide cosine,
                            wide_mask *touches)
{
    wide_vec3 m = load3(&c->plane);
    wide width = wide_vec3_dot(m, arms);
    wide depth = (width - wide_vec3_dot(m, moved)) / cosine - wide_load(c->slack);
    *touches = are_near(c, moved) & (depth > -(wide_all(TOUCH_TOLERANCE) * width));
    return depth;
}

// The impulse that keeps the pairs on their side of the plane.
WIDE_INLINE wide push_needed(const pair_batch *c, wide depth, wide_mask touches)
{
    wide_mask acts = touches & (depth > wide_all(0.0f));
    return wide_select(acts, depth * wide_load(c->mass), wide_all(0.0f));
}

WIDE_INLINE wide_vec3 moved_apart(const pair_batch *c, const wide_moves *a, const wide_moves *b)
{
    return wide_vec3_add(load3(&c->between), wide_vec3_sub(b->way, a->way));
}

// Moves a by the impulses and b by the opposite ones.
WIDE_INLINE void push_apart(wide_moves *a, wide_moves *b, wide_vec3 impulse)
{
    a->way = wide_vec3_add_scaled(a->way, impulse, a->inverse_mass);
    b->way = wide_vec3_add_scaled(b->way, impulse, -b->inverse_mass);
}

// Friction undoes the slip of the contact points in this substep, within Coulomb's cone.
WIDE_INLINE void rub(pair_batch *c, wide_vec3 arms, wide_mask touches, wide_moves *a, wide_moves *b)
{
    wide_vec3 slip =
        wide_vec3_add(wide_vec3_sub(a->way, b->way), wide_vec3_add(load3(&c->slip), arms));
    wide_vec3 n = load3(&c->line), sum = load3(&c->friction_impulse);
    wide_vec3 across = wide_vec3_add_scaled(slip, n, -wide_vec3_dot(n, slip));
    wide mass = wide_load(c->mass);
    wide most = wide_load(c->friction) * wide_load(c->normal_impulse);
    wide_vec3 total = wide_vec3_add_scaled(sum, across, -mass);
    wide length = wide_vec3_length(total);
    wide part = wide_select(length > most, most / length, wide_all(1.0f));
    total = wide_vec3_select(touches, wide_vec3_scale(total, part), sum);
    store3(&c->friction_impulse, total);
    push_apart(a, b, wide_vec3_sub(total, sum));
}

// A pair that has parted again feels no friction, even if it was pushed before.
WIDE_INLINE void solve_eight(const pair_scene *s, pair_batch *c)
{
    const wide zero = wide_all(0.0f);
    wide_mask touches;
    wide_moves a = gather_moves(s, c->a), b = gather_moves(s, c->b);
    wide_vec3 moved = moved_apart(c, &a, &b);
    wide_mask near = are_near(c, moved);
    if (!wide_any(near))
        return;
    wide cosine;
    wide_vec3 arms = arms_between(s, c), n = follow_line(c, moved, near, &cosine);
    wide depth = find_depth(c, moved, arms, cosine, &touches);
    wide push = push_needed(c, depth, touches), sum = wide_load(c->normal_impulse) + push;
    touches &= sum > zero;
    if (!wide_any(touches))
        return;
    wide_store(c->normal_impulse, sum);
    push_apart(&a, &b, wide_vec3_scale(n, -push));
    if (wide_any(wide_load(c->friction) > zero))
        rub(c, arms, touches, &a, &b);
    scatter_moves(s, c->a, &a);
    scatter_moves(s, c->b, &b);
}

static void solve_pairs(const pair_scene *s, pair_batch *batches, int count)
{
    for (int k = 0; k < count; ++k)
        solve_eight(s, &batches[k]);
}

// Puts back pairs that have passed each other; true when there were any.
static bool order_pairs(const pair_scene *s, pair_batch *batches, int count)
{
    const wide zero = wide_all(0.0f);
    bool has_changed = false;
    for (int k = 0; k < count; ++k) {
        pair_batch *c = &batches[k];
        wide_moves a = gather_moves(s, c->a), b = gather_moves(s, c->b);
        wide_vec3 moved = moved_apart(c, &a, &b), n = load3(&c->line);
        wide_mask passed = wide_vec3_dot(n, moved) < zero, touches;
        if (!wide_any(passed))
            continue;
        wide cosine = wide_vec3_dot(n, load3(&c->plane));
        wide depth = find_depth(c, moved, arms_between(s, c), cosine, &touches);
        wide push = push_needed(c, depth, touches & passed);
        if (!wide_any(push > zero))
            continue;
        has_changed = true;
        wide_store(c->normal_impulse, wide_load(c->normal_impulse) + push);
        push_apart(&a, &b, wide_vec3_scale(n, -push));
        scatter_moves(s, c->a, &a);
        scatter_moves(s, c->b, &b);
    }
    return has_changed;
}

// ---------------------------------------------------------------------------------------------

WIDE_INLINE void change_velocities(const pair_scene *s, const int32_t *index, wide_vec3 v,
                                   int count)
{
    for (int i = 0; i < count; ++i)
        s->v[index[i]] = wide_vec3_lane(&v, i);
}

// Takes away the speed that pushing out an old overlap would leave behind. Returns how many pairs push.
WIDE_INLINE int settle_eight(const pair_scene *s, const pair_batch *c)
{
    const wide zero = wide_all(0.0f);
    wide impulse = wide_load(c->normal_impulse), start_depth = wide_load(c->start_depth);
    wide_mask pushes = impulse > zero;
    if (!wide_any(pushes))
        return 0;
    int pushing = 0;
    for (int i = 0; i < c->count; ++i)
        pushing -= pushes[i];
    if (!wide_any(pushes & (start_depth > zero)))
        return pushing;
    wide w_a, w_b;
    wide_vec3_gather(s->move, c->a, sizeof(particle_move), &w_a);
    wide_vec3_gather(s->move, c->b, sizeof(particle_move), &w_b);
    wide_vec3 v_a = wide_vec3_gather(s->v, c->a, sizeof *s->v, NULL);
    wide_vec3 v_b = wide_vec3_gather(s->v, c->b, sizeof *s->v, NULL), n = load3(&c->line);
    wide mobility = w_a + w_b, pushed = wide_minimum(impulse * mobility, start_depth);
    wide speed = wide_maximum(wide_vec3_dot(n, wide_vec3_sub(v_b, v_a)), zero);
    wide excess = wide_minimum(pushed / wide_all(s->h), speed) / mobility;
    change_velocities(s, c->a, wide_vec3_add_scaled(v_a, n, excess * w_a), c->count);
    change_velocities(s, c->b, wide_vec3_add_scaled(v_b, n, -excess * w_b), c->count);
    return pushing;
}

static int settle_pairs(const pair_scene *s, const pair_batch *batches, int count)
{
    int pushing = 0;
    for (int k = 0; k < count; ++k)
        pushing += settle_eight(s, &batches[k]);
    return pushing;
}

// ---------------------------------------------------------------------------------------------

// The shapes of a body's particles in world axes, from those at rest.
static void turn_shapes(particle_form *form, const sym3 *shapes, const quat *turn, int count)
{
    for (int first = 0; first < count; first += WIDE) {
        int32_t index[WIDE];
        for (int i = 0; i < WIDE; ++i)
            index[i] = first + i < count ? first + i : first;
        wide low[4], high[4], largest, thinnest;
        wide_gather_quads(shapes, index, sizeof *shapes, low);
        wide_gather_quads(&shapes->xz, index, sizeof *shapes, high);
        wide_sym3 S = {low[0], low[1], low[2], low[3], high[2], high[3]};
        gather_shape(&form->shape, index, &largest, &thinnest);
        S = wide_sym3_rotate(S, wide_quat_gather(turn, index));
        const wide first_half[4] = {S.xx, S.xy, S.xz, S.yy};
        const wide second_half[4] = {S.yz, S.zz, largest, thinnest};
        wide_scatter_quads(&form->shape, index, sizeof *form, first_half);
        wide_scatter_quads(&form->shape.yz, index, sizeof *form, second_half);
    }
}
