// Chains, one particle after another, in plain numbers.

#ifndef PLIANT_TESTS_REFERENCE_CHAINS_H
#define PLIANT_TESTS_REFERENCE_CHAINS_H

#include <math.h>

#include "solve/chains.h"
#include "solve/edges.h"

typedef struct dvec {
    double x, y, z;
} dvec;

typedef struct dsym {
    double xx, xy, xz, yy, yz, zz;
} dsym;

static inline dvec dvec_at(double (*of)[TWIN], int lane)
{
    return (dvec){of[0][lane], of[1][lane], of[2][lane]};
}

static inline void dvec_put(double (*of)[TWIN], int lane, dvec a)
{
    of[0][lane] = a.x;
    of[1][lane] = a.y;
    of[2][lane] = a.z;
}

static inline void dvec_give(double (*of)[TWIN], int lane, dvec a)
{
    of[0][lane] += a.x;
    of[1][lane] += a.y;
    of[2][lane] += a.z;
}

static inline dvec dvec_of(vec3 a)
{
    return (dvec){a.x, a.y, a.z};
}

static inline dvec dvec_sub(dvec a, dvec b)
{
    return (dvec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline dvec dvec_add_scaled(dvec a, dvec b, double s)
{
    return (dvec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline dvec dvec_scale(dvec a, double s)
{
    return (dvec){a.x * s, a.y * s, a.z * s};
}

static inline double dvec_dot(dvec a, dvec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline dsym dsym_at(double (*of)[TWIN], int lane)
{
    return (dsym){of[0][lane], of[1][lane], of[2][lane], of[3][lane], of[4][lane], of[5][lane]};
}

static inline void dsym_put(double (*of)[TWIN], int lane, dsym a)
{
    of[0][lane] = a.xx;
    of[1][lane] = a.xy;
    of[2][lane] = a.xz;
    of[3][lane] = a.yy;
    of[4][lane] = a.yz;
    of[5][lane] = a.zz;
}

static inline dvec dsym_mul(dsym a, dvec v)
{
    return (dvec){a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
                  a.xz * v.x + a.yz * v.y + a.zz * v.z};
}

static inline dsym dsym_inverse(dsym a)
{
    dsym c = {a.yy * a.zz - a.yz * a.yz, a.xz * a.yz - a.xy * a.zz, a.xy * a.yz - a.xz * a.yy,
              a.xx * a.zz - a.xz * a.xz, a.xy * a.xz - a.xx * a.yz, a.xx * a.yy - a.xy * a.xy};
    double part = 1.0 / (a.xx * c.xx + a.xy * c.xy + a.xz * c.xz);
    return (dsym){c.xx * part, c.xy * part, c.xz * part, c.yy * part, c.yz * part, c.zz * part};
}

static inline chain_work *reference_chain_parent(const chain_span *c, const chain_row *row,
                                                 int lane, int *of)
{
    *of = row->parent[lane] % TWIN;
    return &c->work[row->parent[lane] / TWIN];
}

static inline bool reference_chain_on_line(double along, double square, double root)
{
    return along * along > (double)(START_COSINE * START_COSINE) * square && along > 0.0 &&
           root >= 0.0;
}

static inline int reference_chain_is_off(const chain_work *now, int lane, double goal,
                                         double excess)
{
    double size = fabs(now->place[0][lane]) + fabs(now->place[1][lane]) + fabs(now->place[2][lane]);
    return fabs(excess) > (double)PLACE_ROUNDING * (size + goal);
}

static inline dvec reference_rest_direction(const chain_span *c, const chain_row *row, int lane)
{
    const edge *e = &c->edges[row->edge[lane]];
    vec3 n = quat_rotate(turn_from_rest(c->turn[e->a], c->rest_turn, e->a),
                         c->rest[row->edge[lane]].direction);
    return dvec_of(e->b != row->particle[lane] ? vec3_negate(n) : n);
}

static inline void reference_chain_hand_on(chain_work *then, int to, dsym inverse, dsym mass,
                                           dvec reply, double across, double stiff, bool is_pinned)
{
    dsym a = inverse, b = mass;
    dsym handed = {
        a.xx * b.xx + a.xy * b.xy + a.xz * b.xz, a.xx * b.xy + a.xy * b.yy + a.xz * b.yz,
        a.xx * b.xz + a.xy * b.yz + a.xz * b.zz, a.xy * b.xy + a.yy * b.yy + a.yz * b.yz,
        a.xy * b.xz + a.yy * b.yz + a.yz * b.zz, a.xz * b.xz + a.yz * b.yz + a.zz * b.zz};
    if (is_pinned)
        handed = (dsym){.xx = 1.0, .yy = 1.0, .zz = 1.0};
    dvec w = dvec_scale(reply, stiff);
    then->mass[0][to] += handed.xx * across + w.x * reply.x;
    then->mass[1][to] += handed.xy * across + w.x * reply.y;
    then->mass[2][to] += handed.xz * across + w.x * reply.z;
    then->mass[3][to] += handed.yy * across + w.y * reply.y;
    then->mass[4][to] += handed.yz * across + w.y * reply.z;
    then->mass[5][to] += handed.zz * across + w.z * reply.z;
}

static inline int reference_chain_eliminate(const chain_span *c, const chain_tree *of, int k,
                                            int lane)
{
    const chain_row *row = &c->rows[k];
    chain_work *now = &c->work[k];
    int to;
    chain_work *then = reference_chain_parent(c, row, lane, &to);
    dvec start = dvec_sub(dvec_at(now->place, lane), dvec_at(then->place, to));
    dvec gone = dvec_sub(dvec_at(now->way, lane), dvec_at(then->way, to));
    dvec d = dvec_add_scaled(start, gone, 1.0);
    double goal = (double)maximum(c->rest[row->edge[lane]].length, SHORTEST_LINK);
    double answer = now->answer[lane], both = answer + then->answer[to], inverse_goal = 1.0 / goal;
    double stiffness = (double)(of->stiffness * c->h * c->h);
    double across = (double)c->pulls[k].of[lane] * (double)(c->h * c->h) * inverse_goal;
    double swing = 2.0 * across * both, present = (swing - 1.0) / (swing + 1.0);
    present = present > (double)PRESENT_PART ? present : (double)PRESENT_PART;
    across *= present;
    dvec n = dvec_add_scaled(start, gone, present);
    n = dvec_scale(n, 1.0 / sqrt(dvec_dot(n, n)));
    double along = dvec_dot(d, n), square = dvec_dot(d, d), excess = square - goal * goal;
    double root = along * along - excess, mu = excess / (along + sqrt(root));
    if (!reference_chain_on_line(along, square, root)) {
        double distance = sqrt(square);
        n = distance > (double)COLLAPSED_LENGTH * goal ? dvec_scale(d, 1.0 / distance)
                                                       : reference_rest_direction(c, row, lane);
        mu = excess / (distance + goal);
    }
    mu -= now->left[lane];
    bool is_pinned = answer == 0.0;
    dsym mass = dsym_at(now->mass, lane), inverse = mass;
    inverse.xx += across;
    inverse.yy += across;
    inverse.zz += across;
    inverse = dsym_inverse(inverse);
    dvec turned = dsym_mul(inverse, n), reply = dsym_mul(inverse, dsym_mul(mass, n));
    dsym handed = inverse;
    if (is_pinned) {
        inverse = (dsym){0};
        turned = (dvec){0};
        reply = n;
    }
    dvec base = dsym_mul(inverse, dvec_at(now->push, lane));
    double stiff = 1.0 / (goal / stiffness + dvec_dot(turned, n));
    double own = stiff * (mu + dvec_dot(n, base));
    reference_chain_hand_on(then, to, handed, mass, reply, across, stiff, is_pinned);
    dvec_give(then->push, to, dvec_add_scaled(dvec_scale(base, across), reply, own));
    dvec_put(now->start, lane, start);
    dvec_put(now->line, lane, n);
    dsym_put(now->inverse, lane, inverse);
    dvec_put(now->turned, lane, turned);
    dvec_put(now->reply, lane, dvec_scale(reply, stiff));
    dvec_put(now->base, lane, base);
    now->goal[lane] = goal;
    now->per_length[lane] = (double)of->stiffness * inverse_goal;
    now->across[lane] = across;
    now->stiff[lane] = stiff;
    now->excess[lane] = mu + now->left[lane];
    now->pull[lane] = own;
    return reference_chain_is_off(now, lane, goal, mu);
}

// Whether it is of use: not where the edge has turned too far since its line was found.
static inline bool reference_chain_refine(const chain_span *c, int k, int lane, int *is_off)
{
    const chain_row *row = &c->rows[k];
    chain_work *now = &c->work[k];
    int to;
    chain_work *then = reference_chain_parent(c, row, lane, &to);
    dvec gone = dvec_sub(dvec_at(now->way, lane), dvec_at(then->way, to));
    dvec d = dvec_add_scaled(dvec_at(now->start, lane), gone, 1.0), n = dvec_at(now->line, lane);
    double goal = now->goal[lane], along = dvec_dot(d, n), square = dvec_dot(d, d);
    double excess = square - goal * goal, root = along * along - excess;
    if (!reference_chain_on_line(along, square, root))
        return false;
    double mu = excess / (along + sqrt(root)) - now->left[lane];
    dvec base = dsym_mul(dsym_at(now->inverse, lane), dvec_at(now->push, lane));
    double own = mu + dvec_dot(n, base);
    dvec_give(then->push, to,
              dvec_add_scaled(dvec_scale(base, now->across[lane]), dvec_at(now->reply, lane), own));
    dvec_put(now->base, lane, base);
    now->excess[lane] = mu + now->left[lane];
    now->pull[lane] = now->stiff[lane] * own;
    *is_off |= reference_chain_is_off(now, lane, goal, mu);
    return true;
}

static inline void reference_chain_move(const chain_span *c, int32_t particle, dvec way)
{
    particle_move *move = &c->move[particle];
    if (move->inverse_mass > 0.0f)
        move->way = vec3_add(move->way, (vec3){(float)way.x, (float)way.y, (float)way.z});
}

static inline void reference_chain_go(const chain_span *c, int k, int lane)
{
    const chain_row *row = &c->rows[k];
    chain_work *now = &c->work[k];
    int to;
    chain_work *then = reference_chain_parent(c, row, lane, &to);
    dvec parent = dvec_at(then->base, to);
    double pull = now->pull[lane] - dvec_dot(dvec_at(now->reply, lane), parent);
    dvec carried = dsym_mul(dsym_at(now->inverse, lane), parent);
    dvec way = dvec_add_scaled(dvec_at(now->base, lane), dvec_at(now->turned, lane), -pull);
    way = dvec_add_scaled(way, carried, now->across[lane]);
    double left = now->excess[lane] + dvec_dot(dvec_at(now->line, lane), dvec_sub(way, parent));
    now->left[lane] = left;
    double held = left * now->per_length[lane];
    c->pulls[k].of[lane] = held > 0.0 ? (float)held : 0.0f;
    dvec_put(now->base, lane, way);
    reference_chain_move(c, row->particle[lane], way);
}

static inline void reference_chain_begin(const chain_span *c, const chain_tree *of, bool is_first)
{
    for (int k = of->first; k < of->first + of->count; ++k)
        for (int lane = 0; lane < TWIN; ++lane) {
            chain_work *now = &c->work[k];
            int32_t i = c->rows[k].particle[lane];
            vec3 x = c->x[i], low = c->x_low[i];
            dvec_put(now->way, lane, dvec_of(c->move[i].way));
            dvec_put(now->push, lane, (dvec){0});
            if (!is_first)
                continue;
            dvec place = dvec_sub(dvec_of(x), dvec_of(c->origin));
            dvec_put(now->place, lane, dvec_add_scaled(place, dvec_of(low), 1.0));
            now->answer[lane] = (double)c->move[i].inverse_mass;
            now->left[lane] = 0.0;
        }
}

static inline int reference_chain_eliminate_all(const chain_span *c, const chain_tree *of)
{
    int is_off = 0;
    for (int k = of->first; k < of->first + of->count; ++k)
        for (int lane = 0; lane < TWIN; ++lane) {
            double answer = c->work[k].answer[lane], mass = 1.0 / (answer > 0.0 ? answer : 1.0);
            dsym_put(c->work[k].mass, lane, (dsym){mass, 0, 0, mass, 0, mass});
        }
    for (int k = of->first + of->count - 1; k > of->first; --k)
        for (int lane = 0; lane < c->rows[k].count; ++lane)
            is_off |= reference_chain_eliminate(c, of, k, lane);
    chain_work *middle = &c->work[of->first];
    dsym inverse = {0};
    if (middle->answer[0] > 0.0)
        inverse = dsym_inverse(dsym_at(middle->mass, 0));
    dsym_put(middle->inverse, 0, inverse);
    return is_off;
}

static inline double reference_chain_mass(const chain_span *c, int k, int lane)
{
    return lane < c->rows[k].count ? 1.0 / c->work[k].answer[lane] : 0.0;
}

static inline dvec dvec_cross(dvec a, dvec b)
{
    return (dvec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// Sums of each lane for itself, then of both.
static inline void reference_chain_unturn(const chain_span *c, const chain_tree *of)
{
    const int first = of->first, end = of->first + of->count;
    double mass[TWIN] = {0, 0}, xx[TWIN] = {0, 0}, xy[TWIN] = {0, 0}, xz[TWIN] = {0, 0};
    double yy[TWIN] = {0, 0}, yz[TWIN] = {0, 0}, zz[TWIN] = {0, 0};
    dvec weighed[TWIN] = {{0, 0, 0}, {0, 0, 0}}, moment[TWIN] = {{0, 0, 0}, {0, 0, 0}};
    for (int k = first; k < end; ++k)
        for (int lane = 0; lane < TWIN; ++lane) {
            double m = reference_chain_mass(c, k, lane);
            if (c->work[k].answer[lane] == 0.0)
                return;
            mass[lane] += m;
            weighed[lane] = dvec_add_scaled(weighed[lane], dvec_at(c->work[k].place, lane), m);
        }
    double part = 1.0 / (mass[0] + mass[1]);
    dvec centre = {(weighed[0].x + weighed[1].x) * part, (weighed[0].y + weighed[1].y) * part,
                   (weighed[0].z + weighed[1].z) * part};
    for (int k = first; k < end; ++k)
        for (int lane = 0; lane < TWIN; ++lane) {
            double m = reference_chain_mass(c, k, lane);
            dvec arm = dvec_sub(dvec_at(c->work[k].place, lane), centre);
            dvec turning = dvec_cross(arm, dvec_at(c->work[k].base, lane));
            moment[lane] = dvec_add_scaled(moment[lane], turning, m);
            xx[lane] += m * arm.x * arm.x;
            xy[lane] += m * arm.x * arm.y;
            xz[lane] += m * arm.x * arm.z;
            yy[lane] += m * arm.y * arm.y;
            yz[lane] += m * arm.y * arm.z;
            zz[lane] += m * arm.z * arm.z;
        }
    dsym p = {xx[0] + xx[1], xy[0] + xy[1], xz[0] + xz[1],
              yy[0] + yy[1], yz[0] + yz[1], zz[0] + zz[1]};
    double trace = p.xx + p.yy + p.zz, whole = trace * (1.0 + 1e-9);
    if (!(trace > 0.0))
        return;
    dsym inertia = {-p.xx + whole, -p.xy, -p.xz, -p.yy + whole, -p.yz, -p.zz + whole};
    dvec all = {moment[0].x + moment[1].x, moment[0].y + moment[1].y, moment[0].z + moment[1].z};
    dvec back = dsym_mul(dsym_inverse(inertia), all);
    for (int k = first; k < end; ++k)
        for (int lane = 0; lane < c->rows[k].count; ++lane) {
            dvec arm = dvec_sub(dvec_at(c->work[k].place, lane), centre);
            reference_chain_move(c, c->rows[k].particle[lane], dvec_cross(arm, back));
        }
}

static inline void reference_solve_chain(const chain_span *c, int index, bool is_first)
{
    const chain_tree *of = &c->chains[index];
    int is_off = 0;
    bool holds = !is_first;
    reference_chain_begin(c, of, is_first);
    for (int k = of->first + of->count - 1; k > of->first && holds; --k)
        for (int lane = 0; lane < c->rows[k].count && holds; ++lane)
            holds = reference_chain_refine(c, k, lane, &is_off);
    if (!holds) {
        reference_chain_begin(c, of, false);
        is_off = reference_chain_eliminate_all(c, of);
    }
    if (!is_off) {
        for (int k = of->first; is_first && k < of->first + of->count; ++k)
            c->pulls[k] = (chain_pull){{0.0f, 0.0f}};
        return;
    }
    chain_work *middle = &c->work[of->first];
    dvec way = dsym_mul(dsym_at(middle->inverse, 0), dvec_at(middle->push, 0));
    dvec_put(middle->base, 0, way);
    reference_chain_move(c, c->rows[of->first].particle[0], way);
    for (int k = of->first + 1; k < of->first + of->count; ++k)
        for (int lane = 0; lane < c->rows[k].count; ++lane)
            reference_chain_go(c, k, lane);
    reference_chain_unturn(c, of);
}

#endif
