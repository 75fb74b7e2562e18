// Contact of soft particles one pair at a time: what the kernels of fast/pairs.inl must give, bit for bit.

#ifndef PLIANT_TESTS_REFERENCE_PAIRS_H
#define PLIANT_TESTS_REFERENCE_PAIRS_H

#include "fast/kernels.h"
#include "form/ellipsoid_pair.h"
#include "form/time_of_impact.h"
#include "solve/ways.h"

// One lane of a pair_batch.
typedef struct reference_pair {
    int32_t a, b;
    vec3 between, plane;
    float slack, width, reach;
    float mass, normal_impulse, friction;
    vec3 drift, friction_impulse;
    float start_depth, approach;
    bool is_fast; // begins as one
    bool hits;    // on its way
} reference_pair;

// How two particles stand.
typedef struct reference_stand {
    vec3 start, drift, way;
    float largest, thinnest, thinner;
} reference_stand;

static inline reference_stand reference_stand_of(const pair_scene *s, int a, int b)
{
    const body_frame *f = &s->frame[s->owner[a]], *g = &s->frame[s->owner[b]];
    const particle_form *p = &s->form[a], *q = &s->form[b];
    return (reference_stand){
        .start = vec3_add(vec3_sub(g->origin, f->origin), vec3_sub(s->start[b], s->start[a])),
        .drift = vec3_sub(g->drift, f->drift),
        .way = vec3_sub(s->move[b].way, s->move[a].way),
        .largest = p->largest + q->largest,
        .thinnest = absolute(p->thinnest) + absolute(q->thinnest),
        .thinner = minimum(absolute(p->thinnest), absolute(q->thinnest))};
}

static inline bool reference_is_fast(const reference_stand *p)
{
    vec3 way = vec3_add(p->way, p->drift);
    float thin = 0.5f * p->thinnest;
    return vec3_dot(way, way) > thin * thin;
}

// Whether spheres whose centres are `start` apart, and that touch at the distance `largest`, do so on their way.
static inline bool reference_may_have_met(vec3 start, vec3 way, float largest)
{
    float nearest = -vec3_dot(start, way) / vec3_dot(way, way);
    float time = minimum(1.0f, maximum(0.0f, nearest));
    vec3 apart = vec3_add_scaled(start, way, time);
    return !(vec3_dot(apart, apart) > 1.001f * largest * largest);
}

// √(uᵀSu) of both.
static inline float reference_widths(const particle_form *p, const particle_form *q, vec3 u)
{
    return square_root(vec3_dot(u, sym3_mul_vec(p->shape, u))) +
           square_root(vec3_dot(u, sym3_mul_vec(q->shape, u)));
}

// What a plane across the line d of the centres leaves between them, times |d|.
static inline float reference_gap(const particle_form *p, const particle_form *q, vec3 d)
{
    return vec3_dot(d, d) - reference_widths(p, q, d);
}

static inline bool reference_ends_far(const particle_form *p, const particle_form *q, vec3 d)
{
    return reference_gap(p, q, d) > PAIR_MARGIN * (p->largest + q->largest) * vec3_length(d);
}

// PAIR_KINDS for pairs that do not meet.
static inline pair_kind reference_kind(const meeting_scene *s, int a, int b)
{
    const pair_end *one = &s->ends[a], *two = &s->ends[b];
    const particle_form *p = &s->form[a], *q = &s->form[b];
    vec3 way = vec3_sub(two->way, one->way);
    vec3 d = vec3_add(vec3_sub(two->origin, one->origin), vec3_sub(two->place, one->place));
    float reach = one->reach + two->reach, thin = one->thin + two->thin;
    bool is_fast = vec3_dot(way, way) > thin * thin;
    bool bounces = s->has_bounces && ((one->flags | two->flags) & END_BOUNCES);
    vec3 start = vec3_sub(d, way);
    vec3 middle = vec3_add_scaled(start, way, 0.5f);
    float around = reach + 0.5f * vec3_length(way);
    if (!(is_fast && vec3_dot(middle, middle) <= around * around) &&
        !(vec3_dot(d, d) <= reach * reach))
        return PAIR_KINDS;
    if (p->thinnest < 0.0f || q->thinnest < 0.0f ||
        (bounces && vec3_dot(way, way) > s->bounce_square))
        return PAIR_SINGLE;
    if (is_fast && reference_may_have_met(start, way, p->largest + q->largest) &&
        !(vec3_dot(start, d) > 0.5f * reference_widths(p, q, start)))
        return PAIR_FAST;
    if (reference_ends_far(p, q, d))
        return PAIR_KINDS;
    return reference_gap(p, q, d) > 0.0f ? PAIR_NEAR : PAIR_SOFT;
}

static inline float reference_width(sym3 shape, vec3 m)
{
    return square_root(maximum(vec3_dot(m, sym3_mul_vec(shape, m)), 1e-24f));
}

// Where the two first touch on their straight way, by conservative advancement.
static inline bool reference_first_touch(const pair_scene *s, int a, int b, vec3 *normal)
{
    reference_stand p = reference_stand_of(s, a, b);
    sym3 S_a = s->form[a].shape, S_b = s->form[b].shape;
    vec3 way = vec3_add(p.way, p.drift);
    float square = vec3_dot(p.start, p.start), time = 0.0f;
    impact spheres;
    if (time_of_impact(p.start, way, p.largest, &spheres))
        time = spheres.time;
    else if (square > p.largest * p.largest * 1.0001f)
        return false;
    if (!(square > 0.0f))
        return false;
    for (int i = 0; i < 32 && time <= 1.0f; ++i) {
        form_pair touch;
        vec3 between = vec3_add_scaled(p.start, way, time);
        pli_ellipsoid_pair_roughly(S_a, S_b, between, 1e30f, ELLIPSOID_LAST_STEP_OF_PLANES, &touch);
        vec3 m = *normal = touch.normal;
        float apart = vec3_dot(m, between) - (reference_width(S_a, m) + reference_width(S_b, m));
        float speed = -vec3_dot(m, way);
        if (!(speed > 0.0f))
            return false;
        if (apart <= 0.01f * p.thinner)
            return true;
        time += apart / speed;
    }
    return time <= 1.0f;
}

static inline void reference_choose_plane(const pair_scene *s, reference_pair *c, vec3 ahead)
{
    reference_stand p = reference_stand_of(s, c->a, c->b);
    form_pair touch;
    pli_ellipsoid_pair_roughly(s->form[c->a].shape, s->form[c->b].shape,
                               vec3_add(c->between, p.way), 1e30f, ELLIPSOID_LAST_STEP_OF_PLANES,
                               &touch);
    bool is_behind = vec3_dot(ahead, touch.line) < 0.0f && !reference_is_fast(&p);
    c->plane = is_behind ? ahead : touch.normal;
}

// `c` names its particles.
static inline void reference_begin(const pair_scene *s, reference_pair *c)
{
    int a = c->a, b = c->b;
    reference_stand p = reference_stand_of(s, a, b);
    sym3 S_a = s->form[a].shape, S_b = s->form[b].shape;
    c->between = vec3_add(p.start, p.drift);
    vec3 ahead = vec3_normalize_or(p.start, (vec3){0, 1, 0}), at;
    reference_choose_plane(s, c, ahead);
    c->hits = c->is_fast && reference_first_touch(s, a, b, &at);
    if (c->hits)
        c->plane = at;

    vec3 m = c->plane;
    float width = reference_width(S_a, m) + reference_width(S_b, m);
    c->start_depth = maximum(0.0f, width - vec3_dot(m, p.start));
    c->slack = maximum(0.0f, c->start_depth - s->push_out);
    c->width = width;
    c->reach = p.largest * p.largest;
    if (c->is_fast && !c->hits &&
        reference_ends_far(&s->form[a], &s->form[b], vec3_add(c->between, p.way)))
        c->reach = 0.0f;
    c->mass = 1.0f / (s->move[a].inverse_mass + s->move[b].inverse_mass);
    c->approach = -vec3_dot(ahead, vec3_add(p.way, p.drift)) / s->h;

    c->drift = p.drift;
    c->friction = square_root(s->frame[s->owner[a]].friction * s->frame[s->owner[b]].friction);
    c->normal_impulse = 0.0f;
    c->friction_impulse = (vec3){0, 0, 0};
}

static inline vec3 reference_moved(const pair_scene *s, const reference_pair *c)
{
    return vec3_add(c->between, vec3_sub(s->move[c->b].way, s->move[c->a].way));
}

// Along the line of the centres where that is nearly the normal. *cosine gets what of it opens the plane.
static inline vec3 reference_direction(const pair_scene *s, const reference_pair *c, float *cosine)
{
    vec3 moved = reference_moved(s, c), n = vec3_scale(moved, 1.0f / vec3_length(moved));
    *cosine = vec3_dot(n, c->plane);
    if (*cosine > 0.96f)
        return n;
    *cosine = 1.0f;
    return c->plane;
}

static inline bool reference_is_near(const pair_scene *s, const reference_pair *c)
{
    vec3 moved = reference_moved(s, c);
    return vec3_dot(c->plane, moved) < (1.0f + 2e-5f) * c->width &&
           vec3_dot(moved, moved) < c->reach;
}

static inline float reference_depth(const pair_scene *s, const reference_pair *c, bool *touches)
{
    float depth = c->width - vec3_dot(c->plane, reference_moved(s, c)) - c->slack;
    *touches = depth > -(2e-5f * c->width) && reference_is_near(s, c);
    return depth;
}

static inline void reference_apply(const pair_scene *s, const reference_pair *c, vec3 impulse)
{
    particle_move *a = &s->move[c->a], *b = &s->move[c->b];
    a->way = vec3_add_scaled(a->way, impulse, a->inverse_mass);
    b->way = vec3_add_scaled(b->way, impulse, -b->inverse_mass);
}

// Begins a fast pair and stops it.
static inline void reference_stop(const pair_scene *s, reference_pair *c)
{
    reference_begin(s, c);
    float depth = c->width - vec3_dot(c->plane, reference_moved(s, c)) - c->start_depth;
    if (!c->hits || !(depth > 0.0f))
        return;
    c->normal_impulse = depth * c->mass;
    reference_apply(s, c, vec3_scale(c->plane, -c->normal_impulse));
}

static inline void reference_rub(const pair_scene *s, reference_pair *c)
{
    const particle_move *a = &s->move[c->a], *b = &s->move[c->b];
    vec3 slip = vec3_sub(vec3_sub(a->way, b->way), c->drift), sum = c->friction_impulse;
    vec3 across = vec3_add_scaled(slip, c->plane, -vec3_dot(c->plane, slip));
    float mass = c->mass;
    float most = c->friction * c->normal_impulse;
    vec3 total = vec3_add_scaled(sum, across, -mass);
    float length = vec3_length(total);
    c->friction_impulse = vec3_scale(total, length > most ? most / length : 1.0f);
    reference_apply(s, c, vec3_sub(c->friction_impulse, sum));
}

static inline void reference_solve(const pair_scene *s, reference_pair *c)
{
    bool touches;
    if (!reference_is_near(s, c))
        return;
    float depth = reference_depth(s, c, &touches), cosine;
    vec3 n = reference_direction(s, c, &cosine);
    float push = touches && depth > 0.0f ? s->push_part * (depth / cosine * c->mass) : 0.0f;
    c->normal_impulse += push;
    if (!touches || !(c->normal_impulse > 0.0f))
        return;
    reference_apply(s, c, vec3_scale(n, -push));
    reference_rub(s, c);
}

static inline void reference_order(const pair_scene *s, reference_pair *c)
{
    bool touches;
    float depth = reference_depth(s, c, &touches);
    if (!touches || !(depth > 0.0f) || !(vec3_dot(c->plane, reference_moved(s, c)) < 0.0f))
        return;
    c->normal_impulse += depth * c->mass;
    reference_apply(s, c, vec3_scale(c->plane, -(depth * c->mass)));
}

static inline void reference_settle(const pair_scene *s, const reference_pair *c)
{
    float w_a = s->move[c->a].inverse_mass, w_b = s->move[c->b].inverse_mass;
    vec3 *v_a = &s->v[c->a], *v_b = &s->v[c->b];
    float mobility = w_a + w_b, pushed = minimum(c->normal_impulse * mobility, c->start_depth);
    float speed = maximum(vec3_dot(c->plane, vec3_sub(*v_b, *v_a)), 0.0f);
    float excess = minimum(pushed / s->h, speed) / mobility;
    *v_a = vec3_add_scaled(*v_a, c->plane, excess * w_a);
    *v_b = vec3_add_scaled(*v_b, c->plane, -excess * w_b);
}

#endif
