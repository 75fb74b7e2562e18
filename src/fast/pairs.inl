// Contact of soft particles, eight pairs to a batch, WIDE of which are taken at a time. What is computed is told at
// pair_batch.h.

// Of the sum of the half widths: pairs that end further apart than this have not passed each other.
static const float DEEP_PART = 0.5f;
// A line of the centres that is further from the normal than this cosine says is not pushed along.
static const float LEAST_COSINE = 0.96f;
// Part of the touching distance that rounding may take from two that touch.
static const float TOUCH_TOLERANCE = 2e-5f;
// A first touch is found when the gap is below this part of the thinner one's radius, or after so many steps.
static const float FIRST_TOUCH_GAP = 0.01f;
enum { FIRST_TOUCH_STEPS = 32 };

WIDE_INLINE wide_vec3 load3(const lanes3 *from, int lane)
{
    return (wide_vec3){wide_load(from->x + lane), wide_load(from->y + lane),
                       wide_load(from->z + lane)};
}

WIDE_INLINE void store3(lanes3 *to, int lane, wide_vec3 v)
{
    wide_store(to->x + lane, v.x);
    wide_store(to->y + lane, v.y);
    wide_store(to->z + lane, v.z);
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
    wide parts[2][4];
    wide_gather_lines(first, index, sizeof(particle_form), 2, parts);
    *next = parts[1][2];
    *last = parts[1][3];
    return (wide_sym3){parts[0][0], parts[0][1], parts[0][2],
                       parts[0][3], parts[1][0], parts[1][1]};
}

// Two particles each, as they stand in the solver.
typedef struct wide_pairs {
    wide_vec3 start;   // from a to b at the start of the substep
    wide_vec3 drift;   // of b less that of a
    wide_vec3 between; // start + drift
    wide_vec3 end;     // from a to b as they are now
    wide_vec3 way;     // of b less that of a
    wide_sym3 shape_a, shape_b;
    wide largest; // sum of both
    wide_mask is_fast;
    wide thinner; // radius
    wide friction_a, friction_b;
    wide mobility; // 1/kg
} wide_pairs;

// Whether two move further against each other than both are thin together: is_fast in world/pairs.h, but for rounding.
WIDE_INLINE wide_mask goes_beyond(wide_vec3 way, wide thin)
{
    return wide_vec3_dot(way, way) > thin * thin;
}

WIDE_INLINE wide_pairs gather_pairs(const pair_scene *s, const int32_t *a, const int32_t *b)
{
    wide_pairs p;
    int32_t owner_a[WIDE], owner_b[WIDE];
    for (int i = 0; i < WIDE; ++i) {
        owner_a[i] = s->owner[a[i]];
        owner_b[i] = s->owner[b[i]];
    }
    const body_frame *frame = s->frame;
    wide_vec3 origin_a = wide_vec3_gather(&frame->origin, owner_a, sizeof *frame, &p.friction_a);
    wide_vec3 origin_b = wide_vec3_gather(&frame->origin, owner_b, sizeof *frame, &p.friction_b);
    wide_vec3 drift_a = wide_vec3_gather(&frame->drift, owner_a, sizeof *frame, NULL);
    wide_vec3 drift_b = wide_vec3_gather(&frame->drift, owner_b, sizeof *frame, NULL);
    wide_vec3 start_a = wide_vec3_gather(s->start, a, sizeof *s->start, NULL);
    wide_vec3 start_b = wide_vec3_gather(s->start, b, sizeof *s->start, NULL);
    p.start = wide_vec3_add(wide_vec3_sub(origin_b, origin_a), wide_vec3_sub(start_b, start_a));
    p.drift = wide_vec3_sub(drift_b, drift_a);
    p.between = wide_vec3_add(p.start, p.drift);
    wide_moves move_a = gather_moves(s, a), move_b = gather_moves(s, b);
    wide_vec3 moved = wide_vec3_sub(move_b.way, move_a.way);
    p.end = wide_vec3_add(p.between, moved);
    p.way = wide_vec3_add(moved, p.drift);
    p.mobility = move_a.inverse_mass + move_b.inverse_mass;
    wide largest_a, largest_b, thin_a, thin_b;
    p.shape_a = gather_shape(&s->form->shape, a, &largest_a, &thin_a);
    p.shape_b = gather_shape(&s->form->shape, b, &largest_b, &thin_b);
    p.largest = largest_a + largest_b;
    p.thinner = wide_minimum(wide_absolute(thin_a), wide_absolute(thin_b));
    p.is_fast =
        goes_beyond(p.way, wide_all(0.5f) * (wide_absolute(thin_a) + wide_absolute(thin_b)));
    return p;
}

// Batches are large and their particles all over the place: they are asked for ahead of time. In WASM nobody hears that.
// A batch is used once in a loop over all of them: it need not take the place of particles in the nearest cache.
WIDE_INLINE void fetch_batch_of_pairs(const pair_batch *c)
{
    for (size_t i = 0; i < sizeof *c; i += 64)
        __builtin_prefetch((const char *)c + i, 0, 2);
}

WIDE_INLINE void fetch_parties(const void *particles, size_t size, const pair_batch *c)
{
    for (int i = 0; i < PAIR_LANES; ++i) {
        __builtin_prefetch((const char *)particles + (size_t)c->a[i] * size);
        __builtin_prefetch((const char *)particles + (size_t)c->b[i] * size);
    }
}

// ---------------------------------------------------------------------------------------------
// Which pairs need to be watched

// The plane across the line of the centres d is one that may separate them: with g = √(dᵀSd) = |d| h they
// are apart by |d| - (g1 + g2)/|d| at least. That times |d|:
WIDE_INLINE wide least_gap(const wide_pairs *p)
{
    wide_vec3 d = p->end;
    wide g1 = wide_square_root(wide_vec3_dot(d, wide_sym3_mul_vec(p->shape_a, d)));
    wide g2 = wide_square_root(wide_vec3_dot(d, wide_sym3_mul_vec(p->shape_b, d)));
    return wide_vec3_dot(d, d) - (g1 + g2);
}

// Whether the spheres around them touch on their straight way.
WIDE_INLINE wide_mask may_have_met(const wide_pairs *p)
{
    const wide zero = wide_all(0.0f), one = wide_all(1.0f);
    wide nearest = -wide_vec3_dot(p->start, p->way) / wide_vec3_dot(p->way, p->way);
    wide time = wide_minimum(one, wide_maximum(zero, nearest));
    wide_vec3 apart = wide_vec3_add_scaled(p->start, p->way, time);
    return ~(wide_vec3_dot(apart, apart) > wide_all(1.001f) * p->largest * p->largest);
}

// Whether one is in the sphere around the other's whole way, as seen from it: others may turn both off their way.
WIDE_INLINE wide_mask goes_near(const wide_pairs *p, wide reach)
{
    const wide half = wide_all(0.5f);
    wide_vec3 middle = wide_vec3_add_scaled(p->start, p->way, half);
    wide most = reach + half * wide_vec3_length(p->way);
    return wide_vec3_dot(middle, middle) <= most * most;
}

// Whether they end with their centres deep in each other, or on the other side: only such pairs have to be stopped
// where they first touch. From less a push along the line of the centres brings them back.
WIDE_INLINE wide_mask end_deep(const wide_pairs *p)
{
    wide_vec3 u = p->start; // any length: both sides of the comparison grow with it
    wide g1 = wide_square_root(wide_vec3_dot(u, wide_sym3_mul_vec(p->shape_a, u)));
    wide g2 = wide_square_root(wide_vec3_dot(u, wide_sym3_mul_vec(p->shape_b, u)));
    return ~(wide_vec3_dot(u, p->end) > wide_all(DEEP_PART) * (g1 + g2));
}

// Whether they end so far apart that nothing brings them together in this substep.
WIDE_INLINE wide_mask end_far(const wide_pairs *p, wide gap)
{
    return gap > wide_all(PAIR_MARGIN) * p->largest * wide_vec3_length(p->end);
}

WIDE_INLINE wide_mask may_bounce(const meeting_scene *s, const int32_t *a, const int32_t *b,
                                 wide_vec3 way)
{
    wide_mask bounces = {0};
    for (int i = 0; s->has_bounces && i < WIDE; ++i)
        bounces[i] = -(int32_t)((s->ends[a[i]].flags | s->ends[b[i]].flags) / END_BOUNCES & 1);
    return bounces & (wide_vec3_dot(way, way) > wide_all(s->bounce_square));
}

WIDE_INLINE wide_vec3 first_three(const wide parts[4])
{
    return (wide_vec3){parts[0], parts[1], parts[2]};
}

_Static_assert(offsetof(pair_end, way) == 16 && offsetof(pair_end, origin) == 32,
               "ends are read as quadruples");

// Which pairs meet, and their kinds. The broad phase sees whole ways: particles that go the same way need to be near at
// its end, those that move fast against each other may have passed.
WIDE_INLINE wide_mask meeting_lanes(const meeting_scene *s, const int32_t *a, const int32_t *b,
                                    wide_mask *kind)
{
    const pair_end *ends = s->ends;
    wide_pairs p;
    wide one[3][4], two[3][4], thin_a, thin_b, largest_a, largest_b;
    wide_gather_lines(ends, a, sizeof *ends, 3, one);
    wide_gather_lines(ends, b, sizeof *ends, 3, two);
    wide_vec3 places = wide_vec3_sub(first_three(two[0]), first_three(one[0]));
    wide_vec3 origins = wide_vec3_sub(first_three(two[2]), first_three(one[2]));
    p.end = wide_vec3_add(origins, places);
    p.way = wide_vec3_sub(first_three(two[1]), first_three(one[1]));
    wide reach = one[0][3] + two[0][3];
    wide_mask fast = goes_beyond(p.way, one[1][3] + two[1][3]);
    wide_mask ends_near = wide_vec3_dot(p.end, p.end) <= reach * reach, meets = ends_near | fast;
    if (!wide_any(meets))
        return meets;
    p.start = wide_vec3_sub(p.end, p.way);
    p.shape_a = gather_shape(&s->form->shape, a, &largest_a, &thin_a);
    p.shape_b = gather_shape(&s->form->shape, b, &largest_b, &thin_b);
    p.largest = largest_a + largest_b;
    wide gap = least_gap(&p);
    if (wide_any(fast)) {
        meets = ends_near | (fast & goes_near(&p, reach));
        fast &= may_have_met(&p) & end_deep(&p);
    }
    wide_mask single = (thin_a < wide_all(0.0f)) | (thin_b < wide_all(0.0f));
    single |= may_bounce(s, a, b, p.way);
    wide_mask near = (gap > wide_all(0.0f)) & wide_all_bits(PAIR_NEAR);
    *kind = (fast & wide_all_bits(PAIR_FAST)) | (~fast & near);
    *kind = (single & wide_all_bits(PAIR_SINGLE)) | (~single & *kind);
    return meets & (single | fast | ~end_far(&p, gap));
}

// Ends are asked for from memory so many pairs before they are needed: they are all over the place.
enum { AHEAD = 24 };

WIDE_INLINE void fetch_ends(const meeting_scene *s, const particle_pair *pairs)
{
    for (int i = 0; i < WIDE; ++i) {
        __builtin_prefetch(&s->ends[pairs[i].a]);
        __builtin_prefetch(&s->ends[pairs[i].b]);
        __builtin_prefetch(&s->form[pairs[i].a]);
        __builtin_prefetch(&s->form[pairs[i].b]);
    }
}

static int keep_meeting(const meeting_scene *s, particle_pair *pairs, int count)
{
    int kept = 0;
    for (int first = 0; first < count; first += WIDE) {
        const particle_pair *from = pairs + first;
        particle_pair last[WIDE];
        int32_t a[WIDE], b[WIDE], kinds[WIDE];
        int lanes = count - first < WIDE ? count - first : WIDE;
        if (lanes < WIDE) {
            for (int i = 0; i < WIDE; ++i)
                last[i] = from[i < lanes ? i : 0];
            from = last;
        }
        for (int i = 0; i < WIDE; ++i) {
            a[i] = from[i].a;
            b[i] = from[i].b;
        }
        if (first + AHEAD + WIDE <= count)
            fetch_ends(s, from + AHEAD);
        wide_mask kind = {0};
        unsigned bits = wide_bits(meeting_lanes(s, a, b, &kind));
        memcpy(kinds, &kind, sizeof kinds);
        for (int i = 0; i < lanes; ++i) {
            pairs[kept] = found_pair(a[i], b[i], kinds[i]);
            kept += (int)(bits >> i & 1);
        }
    }
    return kept;
}

// ---------------------------------------------------------------------------------------------
// How a pair stands before it is solved

WIDE_INLINE wide half_width(wide_sym3 shape, wide_vec3 m)
{
    wide square = wide_vec3_dot(m, wide_sym3_mul_vec(shape, m));
    return wide_square_root(wide_maximum(square, wide_all(1e-24f)));
}

WIDE_INLINE wide_vec3 normalize_or_up(wide_vec3 v)
{
    wide length = wide_vec3_length(v);
    wide_vec3 unit = wide_vec3_scale(v, wide_all(1.0f) / length);
    return wide_vec3_select(length > wide_all(1e-12f), unit, wide_vec3_all((vec3){0, 1, 0}));
}

// The plane between them. Constraints may have pulled a slow pair through each other before: it is put back to where it
// belongs.
WIDE_INLINE wide_vec3 choose_plane(const wide_pairs *p, wide_vec3 ahead)
{
    wide_vec3 line, plane;
    wide_ellipsoid_pair(p->shape_a, p->shape_b, p->end, &line, &plane);
    wide_mask is_behind = (wide_vec3_dot(ahead, line) < wide_all(0.0f)) & ~p->is_fast;
    return wide_vec3_select(is_behind, ahead, plane);
}

// When the spheres around both first touch on the way, 0 where they do at the start (form/time_of_impact.h).
// Returns which of them do. Centres that coincide have no side on which to stay.
WIDE_INLINE wide_mask spheres_touch(const wide_pairs *p, wide *time)
{
    const wide zero = wide_all(0.0f);
    wide_vec3 way = p->way;
    wide rho = p->largest, square = wide_vec3_dot(p->start, p->start);
    wide approach = -wide_vec3_dot(p->start, way), distance = wide_square_root(square);
    wide_vec3 swept = wide_vec3_cross(p->start, way);
    wide discriminant = rho * rho * wide_vec3_dot(way, way) - wide_vec3_dot(swept, swept);
    wide root = wide_square_root(wide_maximum(discriminant, zero));
    wide s = (distance - rho) * (distance + rho) / (approach + root);
    wide_mask comes =
        (distance > rho) & (approach > zero) & (discriminant > zero) & (s <= wide_all(1.0f));
    *time = wide_select(comes, s, zero);
    return (comes | ~(square > rho * rho * wide_all(1.0001f))) & (square > zero);
}

// When two ellipsoids first touch on their straight way, by conservative advancement from where the spheres
// around them do: nothing can happen before they have come nearer, along the contact normal, by what a plane
// across it leaves between them. That plane is between them from the start, if they do not overlap there.
// Returns which of them touch and their planes then.
WIDE_INLINE wide_mask first_touch(const wide_pairs *p, wide_vec3 *plane)
{
    const wide zero = wide_all(0.0f), near = wide_all(FIRST_TOUCH_GAP) * p->thinner;
    wide_vec3 way = p->way, line, m;
    wide time;
    wide_mask going = spheres_touch(p, &time), met = wide_all_bits(0);
    *plane = wide_vec3_all((vec3){0, 1, 0});
    for (int i = 0; i < FIRST_TOUCH_STEPS && wide_any(going); ++i) {
        wide_vec3 between = wide_vec3_add_scaled(p->start, way, time);
        wide_ellipsoid_pair(p->shape_a, p->shape_b, between, &line, &m);
        wide apart =
            wide_vec3_dot(m, between) - (half_width(p->shape_a, m) + half_width(p->shape_b, m));
        wide speed = -wide_vec3_dot(m, way);
        going &= speed > zero;
        *plane = wide_vec3_select(going, m, *plane);
        met |= going & (apart <= near);
        going &= ~met;
        time = wide_select(going, time + apart / speed, time);
        going &= time <= wide_all(1.0f);
    }
    return met | going;
}

// How pairs stand with these planes.
// Returns which of them are deep in each other before the substep.
WIDE_INLINE wide_mask begin_lanes(const pair_scene *s, pair_batch *c, int lane, const wide_pairs *p,
                                  wide_vec3 ahead, wide_vec3 m)
{
    const wide zero = wide_all(0.0f), one = wide_all(1.0f);
    wide width = half_width(p->shape_a, m) + half_width(p->shape_b, m);
    wide start_depth = wide_maximum(zero, width - wide_vec3_dot(m, p->start));
    wide slack = wide_maximum(zero, start_depth - wide_all(s->push_out));
    store3(&c->between, lane, p->between);
    store3(&c->plane, lane, m);
    wide_store(c->slack + lane, slack);
    wide_store(c->width + lane, width);
    wide_store(c->reach + lane, p->largest * p->largest);
    wide_store(c->mass + lane, one / p->mobility);
    wide_store(c->normal_impulse + lane, zero);
    wide_store(c->start_depth + lane, start_depth);
    wide_store(c->approach + lane, -wide_vec3_dot(ahead, p->way) / wide_all(s->h));
    wide_store(c->friction + lane, wide_square_root(p->friction_a * p->friction_b));
    store3(&c->drift, lane, p->drift);
    store3(&c->friction_impulse, lane, (wide_vec3){zero, zero, zero});
    return start_depth > wide_all(DEEP_OVERLAP) * width;
}

// True when some are deep in each other.
static bool begin_pairs(const pair_scene *s, pair_batch *batches, int count)
{
    wide_mask deep = wide_all_bits(0);
    for (int k = 0; k < count; ++k) {
        pair_batch *c = &batches[k];
        if (k + 2 < count)
            fetch_batch_of_pairs(c + 2);
        if (k + 1 < count) {
            fetch_parties(s->start, sizeof *s->start, c + 1);
            fetch_parties(s->move, sizeof(particle_move), c + 1);
            fetch_parties(s->form, sizeof *s->form, c + 1);
        }
        for (int lane = 0; lane < c->count; lane += WIDE) {
            wide_pairs p = gather_pairs(s, c->a + lane, c->b + lane);
            wide_vec3 ahead = normalize_or_up(p.start);
            deep |= begin_lanes(s, c, lane, &p, ahead, choose_plane(&p, ahead));
        }
    }
    return wide_any(deep);
}

// ---------------------------------------------------------------------------------------------
// Solving

// Pairs that may have come to their planes.
WIDE_INLINE wide_mask are_near(const pair_batch *c, int lane, wide_vec3 moved)
{
    wide most = wide_all(1.0f + TOUCH_TOLERANCE) * wide_load(c->width + lane);
    return (wide_vec3_dot(load3(&c->plane, lane), moved) < most) &
           (wide_vec3_dot(moved, moved) < wide_load(c->reach + lane));
}

// How far the pairs have passed their planes. *touches gets which of them meet at all, if only just.
WIDE_INLINE wide find_depth(const pair_batch *c, int lane, wide_vec3 moved, wide_mask *touches)
{
    wide width = wide_load(c->width + lane);
    wide depth = width - wide_vec3_dot(load3(&c->plane, lane), moved) - wide_load(c->slack + lane);
    *touches = are_near(c, lane, moved) & (depth > -(wide_all(TOUCH_TOLERANCE) * width));
    return depth;
}

// Along the line of the centres, as it is now, a push leaves both momenta as they are. Where it is far from the normal a
// pair that slides would gain energy by it: there it is along the normal. *cosine gets what of it opens the plane.
WIDE_INLINE wide_vec3 push_direction(const pair_batch *c, int lane, wide_vec3 moved, wide *cosine)
{
    wide_vec3 m = load3(&c->plane, lane);
    wide_vec3 n = wide_vec3_scale(moved, wide_all(1.0f) / wide_vec3_length(moved));
    *cosine = wide_vec3_dot(n, m);
    wide_mask is_near = *cosine > wide_all(LEAST_COSINE);
    *cosine = wide_select(is_near, *cosine, wide_all(1.0f));
    return wide_vec3_select(is_near, n, m);
}

// The impulse that keeps the pairs on their side of the plane.
WIDE_INLINE wide push_needed(const pair_batch *c, int lane, wide depth, wide_mask touches)
{
    wide_mask acts = touches & (depth > wide_all(0.0f));
    return wide_select(acts, depth * wide_load(c->mass + lane), wide_all(0.0f));
}

WIDE_INLINE wide_vec3 moved_apart(const pair_batch *c, int lane, const wide_moves *a,
                                  const wide_moves *b)
{
    return wide_vec3_add(load3(&c->between, lane), wide_vec3_sub(b->way, a->way));
}

// Moves a by the impulses and b by the opposite ones, in the given lanes: adding nothing would turn -0 into 0.
WIDE_INLINE void push_apart(wide_moves *a, wide_moves *b, wide_vec3 impulse, wide_mask lanes)
{
    wide_vec3 way_a = wide_vec3_add_scaled(a->way, impulse, a->inverse_mass);
    wide_vec3 way_b = wide_vec3_add_scaled(b->way, impulse, -b->inverse_mass);
    a->way = wide_vec3_select(lanes, way_a, a->way);
    b->way = wide_vec3_select(lanes, way_b, b->way);
}

// Friction undoes the slip of the contact points in this substep, within Coulomb's cone.
WIDE_INLINE void rub(pair_batch *c, int lane, wide_mask touches, wide_moves *a, wide_moves *b)
{
    wide_vec3 slip = wide_vec3_sub(wide_vec3_sub(a->way, b->way), load3(&c->drift, lane));
    wide_vec3 n = load3(&c->plane, lane), sum = load3(&c->friction_impulse, lane);
    wide_vec3 across = wide_vec3_add_scaled(slip, n, -wide_vec3_dot(n, slip));
    wide mass = wide_load(c->mass + lane);
    wide friction = wide_load(c->friction + lane);
    wide most = friction * wide_load(c->normal_impulse + lane);
    wide_vec3 total = wide_vec3_add_scaled(sum, across, -mass);
    wide length = wide_vec3_length(total);
    wide part = wide_select(length > most, most / length, wide_all(1.0f));
    touches &= friction > wide_all(0.0f);
    total = wide_vec3_select(touches, wide_vec3_scale(total, part), sum);
    store3(&c->friction_impulse, lane, total);
    push_apart(a, b, wide_vec3_sub(total, sum), touches);
}

// A pair that has parted again feels no friction, even if it was pushed before.
WIDE_INLINE void solve_lanes_of_pairs(const pair_scene *s, pair_batch *c, int lane)
{
    const wide zero = wide_all(0.0f);
    wide_mask touches;
    wide_moves a = gather_moves(s, c->a + lane), b = gather_moves(s, c->b + lane);
    wide_vec3 moved = moved_apart(c, lane, &a, &b);
    wide_mask near = are_near(c, lane, moved);
    if (!wide_any(near))
        return;
    wide depth = find_depth(c, lane, moved, &touches), cosine;
    wide_vec3 n = push_direction(c, lane, moved, &cosine);
    wide push = wide_all(s->push_part) * push_needed(c, lane, depth / cosine, touches),
         sum = wide_load(c->normal_impulse + lane) + push;
    touches &= sum > zero;
    if (!wide_any(touches))
        return;
    wide_store(c->normal_impulse + lane, sum);
    push_apart(&a, &b, wide_vec3_scale(n, -push), push > zero);
    if (wide_any(wide_load(c->friction + lane) > zero))
        rub(c, lane, touches, &a, &b);
    scatter_moves(s, c->a + lane, &a);
    scatter_moves(s, c->b + lane, &b);
}

// Pairs that touch on their way stay on their side of the plane where they first do; those that overlap at the
// start come no deeper. Others that have passed each other and are far apart again have no more to do with each other.
WIDE_INLINE wide_mask stop_lanes(const pair_scene *s, pair_batch *c, int lane)
{
    const wide zero = wide_all(0.0f);
    wide_pairs p = gather_pairs(s, c->a + lane, c->b + lane);
    wide_vec3 ahead = normalize_or_up(p.start), m = choose_plane(&p, ahead), at;
    wide_mask hit = first_touch(&p, &at), far = end_far(&p, least_gap(&p)) & ~hit;
    wide_mask deep = begin_lanes(s, c, lane, &p, ahead, wide_vec3_select(hit, at, m));
    wide_store(c->reach + lane, wide_select(far, zero, wide_load(c->reach + lane)));
    wide depth = wide_load(c->width + lane) - wide_vec3_dot(at, p.end);
    wide push = push_needed(c, lane, depth - wide_load(c->start_depth + lane), hit);
    if (!wide_any(push > zero))
        return deep;
    wide_store(c->normal_impulse + lane, push);
    wide_moves a = gather_moves(s, c->a + lane), b = gather_moves(s, c->b + lane);
    push_apart(&a, &b, wide_vec3_scale(at, -push), push > zero);
    scatter_moves(s, c->a + lane, &a);
    scatter_moves(s, c->b + lane, &b);
    return deep;
}

static bool stop_pairs(const pair_scene *s, pair_batch *batches, int count)
{
    wide_mask deep = wide_all_bits(0);
    for (int k = 0; k < count; ++k)
        for (int lane = 0; lane < batches[k].count; lane += WIDE)
            deep |= stop_lanes(s, &batches[k], lane);
    return wide_any(deep);
}

static void solve_pairs(const pair_scene *s, pair_batch *batches, int count)
{
    for (int k = 0; k < count; ++k) {
        if (k + 2 < count)
            fetch_batch_of_pairs(&batches[k + 2]);
        if (k + 1 < count) {
            fetch_parties(s->move, sizeof(particle_move), &batches[k + 1]);
        }
        for (int lane = 0; lane < batches[k].count; lane += WIDE)
            solve_lanes_of_pairs(s, &batches[k], lane);
    }
}

WIDE_INLINE bool order_lanes(const pair_scene *s, pair_batch *c, int lane)
{
    const wide zero = wide_all(0.0f);
    wide_moves a = gather_moves(s, c->a + lane), b = gather_moves(s, c->b + lane);
    wide_vec3 moved = moved_apart(c, lane, &a, &b), n = load3(&c->plane, lane);
    wide_mask passed = wide_vec3_dot(n, moved) < zero, touches;
    if (!wide_any(passed))
        return false;
    wide depth = find_depth(c, lane, moved, &touches);
    wide push = push_needed(c, lane, depth, touches & passed);
    if (!wide_any(push > zero))
        return false;
    wide_store(c->normal_impulse + lane, wide_load(c->normal_impulse + lane) + push);
    push_apart(&a, &b, wide_vec3_scale(n, -push), push > zero);
    scatter_moves(s, c->a + lane, &a);
    scatter_moves(s, c->b + lane, &b);
    return true;
}

// Puts back pairs that have passed each other; true when there were any.
static bool order_pairs(const pair_scene *s, pair_batch *batches, int count)
{
    bool has_changed = false;
    for (int k = 0; k < count; ++k)
        for (int lane = 0; lane < batches[k].count; lane += WIDE)
            has_changed |= order_lanes(s, &batches[k], lane);
    return has_changed;
}

// ---------------------------------------------------------------------------------------------

WIDE_INLINE void change_velocities(const pair_scene *s, const int32_t *index, wide_vec3 v,
                                   unsigned lanes)
{
    for (int i = 0; i < WIDE; ++i)
        if (lanes >> i & 1)
            s->v[index[i]] = wide_vec3_lane(&v, i);
}

// Takes away the speed that pushing out an old overlap would leave behind. Returns which pairs push, as bits.
WIDE_INLINE unsigned settle_lanes(const pair_scene *s, const pair_batch *c, int lane)
{
    const wide zero = wide_all(0.0f);
    wide impulse = wide_load(c->normal_impulse + lane),
         start_depth = wide_load(c->start_depth + lane);
    wide_mask pushes = (impulse > zero) & wide_lanes(c->count - lane);
    unsigned pushing = wide_bits(pushes);
    unsigned settled = wide_bits(pushes & (start_depth > zero));
    if (!settled)
        return pushing;
    wide w_a, w_b;
    wide_vec3_gather(s->move, c->a + lane, sizeof(particle_move), &w_a);
    wide_vec3_gather(s->move, c->b + lane, sizeof(particle_move), &w_b);
    wide_vec3 v_a = wide_vec3_gather_shared(s->v, c->a + lane);
    wide_vec3 v_b = wide_vec3_gather_shared(s->v, c->b + lane), n = load3(&c->plane, lane);
    wide mobility = w_a + w_b, pushed = wide_minimum(impulse * mobility, start_depth);
    wide speed = wide_maximum(wide_vec3_dot(n, wide_vec3_sub(v_b, v_a)), zero);
    wide excess = wide_minimum(pushed / wide_all(s->h), speed) / mobility;
    change_velocities(s, c->a + lane, wide_vec3_add_scaled(v_a, n, excess * w_a), settled);
    change_velocities(s, c->b + lane, wide_vec3_add_scaled(v_b, n, -excess * w_b), settled);
    return pushing;
}

static int settle_pairs(const pair_scene *s, const pair_batch *batches, int count)
{
    int pushing = 0;
    for (int k = 0; k < count; ++k)
        for (int lane = 0; lane < batches[k].count; lane += WIDE) {
            unsigned bits = settle_lanes(s, &batches[k], lane);
            // A builtin would be a call into the compiler's library.
            for (int i = 0; i < WIDE; ++i)
                pushing += (int)(bits >> i & 1);
        }
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
