// The kernels as one would write them to be read: one group, edge or particle after another. What src/fast
// does side by side must give the same bits.

#ifndef PLIANT_TESTS_REFERENCE_KERNELS_H
#define PLIANT_TESTS_REFERENCE_KERNELS_H

#include "math/rotation.h"
#include "reference_chains.h"
#include "reference_contacts.h"
#include "reference_torsion.h"
#include "solve/edges.h"
#include "solve/groups.h"
#include "solve/motion.h"
#include "solve/particles.h"
#include "world/edges.h"
#include "world/inertia.h"
#include "world/places.h"

// ---------------------------------------------------------------------------------------------
// Implicit groups: family/groups.c says what is solved

// A group of a batch.
typedef struct reference_group {
    const group_span *b;
    const group *g;
    int batch, index, lane;
    batch_start *from;
} reference_group;

static inline reference_group reference_group_of(const group_span *b, int batch_index, int lane)
{
    int index = b->batches[batch_index].first + lane;
    return (reference_group){b,           &b->groups[index],
                             batch_index, index,
                             lane,        &b->batch_starts[batch_index + b->batch_shift]};
}

static inline int32_t reference_member(const reference_group *r, int k)
{
    return span_member(r->b, r->g, k);
}

static inline vec3 reference_offset(const reference_group *r, int k)
{
    return rest_offset(r->b->rest, group_slot(r->g, k));
}

static inline float reference_weight(const reference_group *r, int k)
{
    return *rest_weight(r->b->rest, group_slot(r->g, k));
}

static inline arm_row *reference_arms(const reference_group *r, int k)
{
    return &r->b->arms[group_slot(r->g, k) / LANES + r->b->row_shift];
}

static inline vec3 reference_arm(const reference_group *r, int k)
{
    const arm_row *row = reference_arms(r, k);
    return k > 0 ? (vec3){row->x[r->lane], row->y[r->lane], row->z[r->lane]} : (vec3){0, 0, 0};
}

static inline quat reference_turn(const reference_group *r, const quat *turn)
{
    int32_t centre = reference_member(r, 0);
    return turn_from_rest(turn[centre], r->b->rest_turn, centre);
}

static inline float reference_size(vec3 v)
{
    return absolute(v.x) + absolute(v.y) + absolute(v.z);
}

static inline void reference_put(float to[3][3][LANES], int lane, const mat3 *A)
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            to[i][j][lane] = A->m[i][j];
}

static inline mat3 reference_take(const float from[3][3][LANES], int lane)
{
    mat3 A;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            A.m[i][j] = from[i][j][lane];
    return A;
}

// The inverse of tr(M) 1 - M; zero when that is not safely definite.
static inline mat3 reference_step_per_momentum(const mat3 *M)
{
    vec3 r0 = {M->m[1][1] + M->m[2][2], -M->m[0][1], -M->m[0][2]};
    vec3 r1 = {-M->m[1][0], M->m[0][0] + M->m[2][2], -M->m[1][2]};
    vec3 r2 = {-M->m[2][0], -M->m[2][1], M->m[0][0] + M->m[1][1]};
    vec3 c0 = vec3_cross(r1, r2), c1 = vec3_cross(r2, r0), c2 = vec3_cross(r0, r1);
    float determinant = vec3_dot(r0, c0), trace = r0.x + r1.y + r2.z;
    if (!(r0.x > 0.0f && c2.z > 0.0f && determinant > ROTATION_LEAST_SLOPE * trace * trace * trace))
        return (mat3){0};
    mat3 adjugate = {{{c0.x, c1.x, c2.x}, {c0.y, c1.y, c2.y}, {c0.z, c1.z, c2.z}}};
    return mat3_scale(adjugate, 1.0f / determinant);
}

static inline void reference_prepare_group(const reference_group *r)
{
    const group_span *b = r->b;
    vec3 reference = b->start[reference_member(r, 0)], centre = {0, 0, 0};
    mat3 A = {0};
    for (int k = 1; k < r->g->slot_count; ++k) { // the first member has no arm
        vec3 arm = vec3_sub(b->start[reference_member(r, k)], reference);
        vec3 d = vec3_scale(arm, reference_weight(r, k));
        centre = vec3_add(centre, d);
        mat3_add_outer(&A, d, reference_offset(r, k));
        arm_row *row = reference_arms(r, k);
        row->x[r->lane] = arm.x;
        row->y[r->lane] = arm.y;
        row->z[r->lane] = arm.z;
    }
    r->from->centre[0][r->lane] = centre.x;
    r->from->centre[1][r->lane] = centre.y;
    r->from->centre[2][r->lane] = centre.z;
    reference_put(r->from->places, r->lane, &A);
    mat3 then = quat_to_mat3(reference_turn(r, b->turn_start));
    mat3 now = quat_to_mat3(reference_turn(r, b->turn));
    mat3 A_start = mat3_add(A, mat3_mul_sym3(&then, rest_spread(b->rest, r->g, 0)));
    mat3 M = mat3_mul_transpose(now, A_start);
    mat3 per_momentum = reference_step_per_momentum(&M);
    reference_put(r->from->per_momentum, r->lane, &per_momentum);
    float limit = PLACE_ROUNDING * (reference_size(reference) + b->rest->reach[r->index]);
    r->from->limit2[r->lane] = limit * limit;
}

static void reference_prepare_groups(const group_span *b, int first, int end)
{
    for (int t = first; t < end; ++t)
        for (int lane = 0; lane < b->batches[t].count; ++lane) {
            reference_group r = reference_group_of(b, t, lane);
            reference_prepare_group(&r);
        }
}

// What the moves of the substep have changed.
typedef struct reference_change {
    vec3 centre; // of mass, from where the first member was
    vec3 angular;
    mat3 moment, start_places, per_momentum;
    quat start, predicted;
    bool is_thin;
} reference_change;

static inline reference_change reference_find_change(const reference_group *r)
{
    reference_change c = {.predicted = reference_turn(r, r->b->turn)};
    vec3 shift = {0, 0, 0};
    for (int k = 0; k < r->g->slot_count; ++k) {
        vec3 m = vec3_scale(r->b->move[reference_member(r, k)].way, reference_weight(r, k));
        shift = vec3_add(shift, m);
        mat3_add_outer(&c.moment, m, reference_offset(r, k));
        c.angular = vec3_add(c.angular, vec3_cross(reference_arm(r, k), m));
    }
    vec3 centre = {r->from->centre[0][r->lane], r->from->centre[1][r->lane],
                   r->from->centre[2][r->lane]};
    c.angular = vec3_sub(c.angular, vec3_cross(centre, shift));
    c.centre = vec3_add(centre, shift);
    c.per_momentum = reference_take(r->from->per_momentum, r->lane);
    c.start_places = reference_take(r->from->places, r->lane);
    c.start = reference_turn(r, r->b->turn_start);
    c.is_thin = r->b->rest->rotation_noise[r->index] >= THIN_GROUP_NOISE;
    return c;
}

// A rotation as a quaternion of the length √length2.
typedef struct reference_rotation {
    quat q;
    float length2;
} reference_rotation;

static inline float reference_step_length2(vec3 v)
{
    return 1.0f + 0.25f * vec3_dot(v, v);
}

// The rotation by v to second order, of a length near 1: enough for a step of an iteration.
static inline reference_rotation reference_step(vec3 v)
{
    return (reference_rotation){{0.5f * v.x, 0.5f * v.y, 0.5f * v.z, 1.0f},
                                reference_step_length2(v)};
}

static inline mat3 reference_matrix(reference_rotation r)
{
    quat q = r.q;
    float scale = 2.0f / r.length2;
    float x2 = q.x * scale, y2 = q.y * scale, z2 = q.z * scale;
    return (mat3){{{1.0f - (q.y * y2 + q.z * z2), q.x * y2 - q.w * z2, q.x * z2 + q.w * y2},
                   {q.x * y2 + q.w * z2, 1.0f - (q.x * x2 + q.z * z2), q.y * z2 - q.w * x2},
                   {q.x * z2 - q.w * y2, q.y * z2 + q.w * x2, 1.0f - (q.x * x2 + q.y * y2)}}};
}

// sin² of half the angle
static inline float reference_turned(quat to, quat from)
{
    quat r = quat_mul(to, quat_conjugate(from));
    return r.x * r.x + r.y * r.y + r.z * r.z;
}

// Faster than both the prediction and what it would be otherwise.
static inline bool reference_gains_spin(reference_rotation R, reference_rotation otherwise,
                                        const reference_change *c)
{
    float most = maximum(reference_turned(c->predicted, c->start),
                         reference_turned(otherwise.q, c->start) / otherwise.length2);
    return reference_turned(R.q, c->start) / R.length2 > 1.002f * most + 1e-12f;
}

static inline bool reference_is_shorter(vec3 v, float length)
{
    return vec3_dot(v, v) < length * length;
}

static inline vec3 reference_without_twist(const mat3 *per_momentum, vec3 step)
{
    float scale = 1.0f / mat3_trace(per_momentum);
    return vec3_add_scaled(step, mat3_mul_vec(per_momentum, step), -scale);
}

// One step from the predicted rotation. Returns false when that is not enough.
static inline bool reference_fit_by_momentum(const reference_change *c, reference_rotation *R)
{
    mat3 predicted = quat_to_mat3(c->predicted);
    mat3 places = mat3_mul_transpose(predicted, c->start_places);
    if (!(c->per_momentum.m[0][0] > 0.0f))
        return false;
    vec3 step = mat3_mul_vec(&c->per_momentum, vec3_sub(c->angular, mat3_axial(&places)));
    vec3 calm_step = c->is_thin ? reference_without_twist(&c->per_momentum, step) : step;
    if (!reference_is_shorter(calm_step, ROTATION_ENOUGH_STEP))
        return false;
    if (!reference_is_shorter(step, ROTATION_LONGEST_STEP))
        step = calm_step;
    reference_rotation calm = reference_step(vec3_scale(calm_step, ROTATION_STEP_PART));
    *R = reference_step(vec3_scale(step, ROTATION_STEP_PART));
    R->q = quat_mul(R->q, c->predicted);
    calm.q = quat_mul(calm.q, c->predicted);
    *R = c->is_thin && reference_gains_spin(*R, calm, c) ? calm : *R;
    return true;
}

// The rotation that fits A best, as good as an iteration needs it.
static inline reference_rotation reference_extract(const mat3 *A, float scale, quat previous,
                                                   int *rescues)
{
    mat3 a = mat3_scale(*A, scale);
    quat q = previous;
    for (int i = 0; i < ROTATION_NEWTON_STEPS; ++i) {
        vec3 w;
        q = i > 0 ? quat_normalize(q) : q;
        mat3 R = quat_to_mat3(q);
        if (!pli_rotation_newton_step(&a, &R, &w))
            break;
        q = quat_mul(q, reference_step(w).q);
        if (vec3_dot(w, w) < ROTATION_LAST_SOFT_STEP * ROTATION_LAST_SOFT_STEP)
            return (reference_rotation){q, reference_step_length2(w)};
    }
    *rescues += 1;
    return (reference_rotation){pli_rotation_rescue(A, previous), 1.0f};
}

// The rotation that fits best, and from there a step towards keeping momentum.
static inline reference_rotation reference_fit_by_shape(const reference_group *r,
                                                        const reference_change *c, int *rescues)
{
    mat3 then = quat_to_mat3(c->start);
    mat3 turned = mat3_add(quat_to_mat3(c->predicted), mat3_scale(then, -1.0f));
    sym3 spread = rest_spread(r->b->rest, r->g, 0);
    mat3 own = mat3_mul_sym3(&turned, spread);
    mat3 A_start = mat3_add(c->start_places, mat3_mul_sym3(&then, spread));
    mat3 A = mat3_add(A_start, mat3_add(c->moment, own));
    float norm2 = 0.0f;
    for (int i = 0; i < 3; ++i)
        norm2 += vec3_dot(mat3_row(&A_start, i), mat3_row(&A_start, i));
    reference_rotation polar =
        reference_extract(&A, 1.0f / square_root(norm2), c->predicted, rescues);
    mat3 P = reference_matrix(polar), M = mat3_mul_transpose(P, A_start);
    mat3 N = mat3_mul_transpose(own, then);
    mat3 per_momentum = reference_step_per_momentum(&M);
    reference_put(r->from->per_momentum, r->lane, &per_momentum);
    vec3 momentum = vec3_add(c->angular, mat3_axial(&N));
    vec3 step = mat3_mul_vec(&per_momentum, vec3_sub(momentum, mat3_axial(&M)));
    if (!(per_momentum.m[0][0] > 0.0f) || !reference_is_shorter(step, ROTATION_LONGEST_STEP))
        return polar;
    reference_rotation R = reference_step(vec3_scale(step, ROTATION_STEP_PART));
    R.q = quat_mul(R.q, polar.q);
    R.length2 = polar.length2 * R.length2;
    return c->is_thin && reference_gains_spin(R, polar, c) ? polar : R;
}

static inline vec3 reference_correction(const reference_group *r, const reference_change *c,
                                        const mat3 *R, int k)
{
    vec3 goal = mat3_mul_vec(R, reference_offset(r, k));
    return vec3_sub(vec3_add(vec3_sub(goal, reference_arm(r, k)), c->centre),
                    r->b->move[reference_member(r, k)].way);
}

// Elastic groups: see world/elastic_groups.c.
typedef struct reference_goals {
    mat3 R; // instead of the rotation
    vec3 normal;
    float pliable;
} reference_goals;

static inline reference_goals reference_elastic_goals(const reference_group *r,
                                                      const reference_change *c, const mat3 *R)
{
    const elastic_row *e = &r->b->elastic[r->batch];
    int lane = r->lane;
    mat3 V = reference_take(e->axes, lane), A = mat3_add(c->start_places, c->moment);
    mat3 frame = mat3_mul(*R, V), F = mat3_mul(A, V), goal;
    float square = 0.0f;
    F = mat3_mul(mat3_transpose(frame), F);
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
            F.m[a][b] *= e->inverse[b][lane];
    for (int a = 0; a < 3; ++a) {
        bool is_kept = e->inverse[a][lane] > 0.0f;
        for (int b = 0; b < 3; ++b) {
            float strain = a != b ? F.m[a][b] + F.m[b][a] : is_kept ? F.m[a][a] - 1.0f : 0.0f;
            goal.m[a][b] = F.m[a][b] - e->relax[a][b][lane] * strain;
            square += strain * strain;
        }
        goal.m[a][a] = is_kept ? goal.m[a][a] : 1.0f;
    }
    vec3 normal = {e->normal[0][lane], e->normal[1][lane], e->normal[2][lane]};
    goal = mat3_mul_transpose(mat3_mul(frame, goal), V);
    return (reference_goals){square > 1e-6f * 1e-6f ? goal : *R, mat3_mul_vec(R, normal),
                             e->pliable[lane]};
}

static inline void reference_move_elastic(const reference_group *r, const reference_change *c,
                                          const mat3 *R)
{
    reference_goals goals = reference_elastic_goals(r, c, R);
    vec3 mean = {0, 0, 0};
    bool is_above = false;
    for (int pass = 0; pass < 2; ++pass)
        for (int k = 0; k < r->g->slot_count && (pass == 0 || is_above); ++k) {
            particle_move *m = &r->b->move[reference_member(r, k)];
            vec3 d = reference_correction(r, c, &goals.R, k);
            d = vec3_add_scaled(d, goals.normal, -(goals.pliable * vec3_dot(goals.normal, d)));
            if (pass == 0) {
                mean = vec3_add_scaled(mean, d, reference_weight(r, k));
                is_above = is_above || vec3_dot(d, d) > r->from->limit2[r->lane];
            } else if (m->inverse_mass > 0.0f) {
                const share_row *row = &r->b->shares[group_slot(r->g, k) / LANES];
                float part = r->b->alpha[r->index] * row->share[r->lane];
                m->way = vec3_sub(m->way, vec3_scale(vec3_sub(mean, d), part));
            }
        }
}

static inline void reference_move(const reference_group *r, const reference_change *c,
                                  const mat3 *R)
{
    vec3 mean = {0, 0, 0};
    bool is_above = false;
    for (int k = 0; k < r->g->slot_count; ++k) {
        vec3 d = reference_correction(r, c, R, k);
        mean = vec3_add_scaled(mean, d, reference_weight(r, k));
        is_above = is_above || vec3_dot(d, d) > r->from->limit2[r->lane];
    }
    if (!is_above)
        return;
    for (int k = 0; k < r->g->slot_count; ++k) {
        particle_move *m = &r->b->move[reference_member(r, k)];
        vec3 d = vec3_sub(mean, reference_correction(r, c, R, k));
        if (m->inverse_mass > 0.0f)
            m->way = vec3_sub(m->way, vec3_scale(d, r->b->alpha[r->index]));
    }
}

static inline void reference_solve_group(const reference_group *r, int *rescues)
{
    const group_span *b = r->b;
    int32_t centre = reference_member(r, 0);
    vec3 way = b->move[centre].way;
    if (!is_finite(way.x + way.y + way.z))
        return;
    reference_change c = reference_find_change(r);
    reference_rotation R;
    if (!reference_fit_by_momentum(&c, &R))
        R = reference_fit_by_shape(r, &c, rescues);
    mat3 matrix = reference_matrix(R);
    if (b->elastic)
        reference_move_elastic(r, &c, &matrix);
    else
        reference_move(r, &c, &matrix);
    quat goal = turn_from_bind(quat_normalize(R.q), b->rest_turn, centre);
    float noise = b->rest->rotation_noise[r->index];
    quat now = b->turn[centre],
         d = {goal.x - now.x, goal.y - now.y, goal.z - now.z, goal.w - now.w};
    if (b->move[centre].inverse_mass > 0.0f && 4.0f * quat_dot(d, d) > noise * noise)
        b->turn[centre] = goal;
}

static int reference_solve_groups(const group_span *b, int first, int end)
{
    int rescues = 0;
    for (int t = first; t < end; ++t)
        for (int lane = 0; lane < b->batches[t].count; ++lane) {
            reference_group r = reference_group_of(b, t, lane);
            bool is_acting = (b->loose[r.index] > 0.0f) == r.g->stands_in;
            if (is_acting)
                reference_solve_group(&r, &rescues);
        }
    return rescues;
}

// ---------------------------------------------------------------------------------------------
// Explicit groups. Sums over members are eight sums, one for every eighth member, which are then added in order.

typedef struct reference_sums {
    vec3 vector[LANES];
    mat3 moment[LANES];
} reference_sums;

static inline vec3 reference_total(const vec3 *sums)
{
    vec3 total = sums[0];
    for (int i = 1; i < LANES; ++i)
        total = vec3_add(total, sums[i]);
    return total;
}

static inline mat3 reference_total_moment(const mat3 *sums)
{
    mat3 total = sums[0];
    for (int i = 1; i < LANES; ++i)
        total = mat3_add(total, sums[i]);
    return total;
}

static void reference_prepare_explicit(const group_span *b, int index)
{
    const group *g = &b->groups[index];
    vec3 reference = b->start[span_member(b, g, 0)];
    reference_sums sums = {0};
    float limit = 0.0f;
    for (int k = 0; k < g->slot_count; ++k) {
        int32_t slot = group_slot(g, k);
        vec3 start = b->start[slot_particle(b->slot_offsets, slot)], o = rest_offset(b->rest, slot);
        vec3 d = vec3_scale(vec3_sub(start, reference), *rest_weight(b->rest, slot));
        sums.vector[k % LANES] = vec3_add(sums.vector[k % LANES], d);
        mat3_add_outer(&sums.moment[k % LANES], d, o);
        limit = maximum(limit, PLACE_ROUNDING * (reference_size(start) + reference_size(o)));
    }
    vec3 centre = reference_total(sums.vector);
    for (int k = 0; k < g->slot_count; ++k) {
        int32_t slot = group_slot(g, k), member = slot_particle(b->slot_offsets, slot);
        vec3 arm = vec3_sub(vec3_sub(b->start[member], reference), centre);
        arm_row *row = &b->arms[slot / LANES];
        row->x[slot % LANES] = arm.x;
        row->y[slot % LANES] = arm.y;
        row->z[slot % LANES] = arm.z;
    }
    for (int k = 0; k < g->oriented_count; ++k) {
        int32_t member = span_member(b, g, k);
        mat3 R = quat_to_mat3(turn_from_rest(b->turn_start[member], b->rest_turn, member));
        mat3 own = mat3_mul_sym3(&R, rest_spread(b->rest, g, k));
        sums.moment[k % LANES] = mat3_add(sums.moment[k % LANES], own);
    }
    b->start_moment[index] = reference_total_moment(sums.moment);
    b->start_limit2[index] = limit * limit;
}

static inline vec3 reference_explicit_arm(const group_span *b, int32_t slot)
{
    const arm_row *row = &b->arms[slot / LANES];
    return (vec3){row->x[slot % LANES], row->y[slot % LANES], row->z[slot % LANES]};
}

// Σ w m and A as they are now.
static inline vec3 reference_explicit_change(const group_span *b, int index, mat3 *A)
{
    const group *g = &b->groups[index];
    reference_sums sums = {0};
    for (int k = 0; k < g->slot_count; ++k) {
        int32_t slot = group_slot(g, k);
        vec3 m = vec3_scale(b->move[slot_particle(b->slot_offsets, slot)].way,
                            *rest_weight(b->rest, slot));
        sums.vector[k % LANES] = vec3_add(sums.vector[k % LANES], m);
        mat3_add_outer(&sums.moment[k % LANES], m, rest_offset(b->rest, slot));
    }
    for (int k = 0; k < g->oriented_count; ++k) {
        int32_t i = span_member(b, g, k);
        mat3 then = quat_to_mat3(turn_from_rest(b->turn_start[i], b->rest_turn, i));
        mat3 now = quat_to_mat3(turn_from_rest(b->turn[i], b->rest_turn, i));
        mat3 turned = mat3_add(now, mat3_scale(then, -1.0f));
        mat3 own = mat3_mul_sym3(&turned, rest_spread(b->rest, g, k));
        sums.moment[k % LANES] = mat3_add(sums.moment[k % LANES], own);
    }
    *A = mat3_add(b->start_moment[index], reference_total_moment(sums.moment));
    return reference_total(sums.vector);
}

static inline vec3 reference_explicit_correction(const group_span *b, int32_t slot, const mat3 *R,
                                                 vec3 shift)
{
    vec3 goal = mat3_mul_vec(R, rest_offset(b->rest, slot));
    return vec3_add(vec3_sub(goal, reference_explicit_arm(b, slot)),
                    vec3_sub(shift, b->move[slot_particle(b->slot_offsets, slot)].way));
}

static inline vec3 reference_carried(const group_span *b, const group *g, const mat3 *R, vec3 shift)
{
    vec3 sums[LANES] = {{0, 0, 0}};
    for (int k = 0; k < g->slot_count; ++k) {
        int32_t slot = group_slot(g, k);
        vec3 d = reference_explicit_correction(b, slot, R, shift);
        vec3 moment = vec3_cross(d, reference_explicit_arm(b, slot));
        sums[k % LANES] = vec3_add_scaled(sums[k % LANES], moment, *rest_weight(b->rest, slot));
    }
    for (int k = 0; k < g->oriented_count; ++k) {
        int32_t i = span_member(b, g, k);
        mat3 then = quat_to_mat3(turn_from_rest(b->turn_start[i], b->rest_turn, i));
        mat3 now = quat_to_mat3(turn_from_rest(b->turn[i], b->rest_turn, i));
        mat3 excess = mat3_add(now, mat3_scale(*R, -1.0f));
        mat3 N = mat3_mul_transpose(mat3_mul_sym3(&excess, rest_spread(b->rest, g, k)), then);
        sums[k % LANES] = vec3_add(sums[k % LANES], mat3_axial(&N));
    }
    return reference_total(sums);
}

static inline void reference_move_explicit(const group_span *b, int index, const mat3 *R,
                                           vec3 shift)
{
    const group *g = &b->groups[index];
    vec3 sums[LANES] = {{0, 0, 0}};
    float most = 0.0f;
    for (int k = 0; k < g->slot_count; ++k) {
        int32_t slot = group_slot(g, k);
        vec3 d = reference_explicit_correction(b, slot, R, shift);
        sums[k % LANES] = vec3_add_scaled(sums[k % LANES], d, *rest_weight(b->rest, slot));
        most = maximum(most, vec3_dot(d, d));
    }
    if (!(most > b->start_limit2[index]))
        return;
    vec3 mean = reference_total(sums);
    for (int k = 0; k < g->slot_count; ++k) {
        int32_t slot = group_slot(g, k);
        particle_move *m = &b->move[slot_particle(b->slot_offsets, slot)];
        vec3 d = vec3_sub(reference_explicit_correction(b, slot, R, shift), mean);
        if (m->inverse_mass > 0.0f)
            m->way = vec3_add_scaled(m->way, d, b->alpha[index]);
    }
}

static int reference_solve_explicit(const group_span *b, int index)
{
    const group *g = &b->groups[index];
    if (!b->rest->is_movable[index])
        return 0;
    int32_t first = span_member(b, g, 0);
    int rescues = 0;
    mat3 A;
    vec3 shift = reference_explicit_change(b, index, &A), delta;
    quat predicted = turn_from_rest(b->turn[first], b->rest_turn, first);
    quat R = pli_rotation_extract(&A, predicted, &rescues);
    mat3 rotation = quat_to_mat3(R);
    for (int i = 0; i < 2; ++i) {
        vec3 carried = reference_carried(b, g, &rotation, shift);
        if (!pli_rotation_momentum_step(&rotation, &b->start_moment[index], carried, &delta))
            break;
        R = quat_turn(R, delta);
        rotation = quat_to_mat3(R);
    }
    mat3 M = mat3_mul_transpose(rotation, b->start_moment[index]);
    float s = b->alpha[index], trace = mat3_trace(&M), noise = ROTATION_ROUNDING * trace;
    reference_move_explicit(b, index, &rotation, shift);
    for (int k = 0; k < g->turned_count; ++k) {
        int32_t i = span_member(b, g, k);
        quat goal = turn_from_bind(R, b->rest_turn, i);
        quat r = quat_mul(goal, quat_conjugate(b->turn[i]));
        vec3 v = {r.x, r.y, r.z}, momentum = vec3_sub(vec3_scale(v, trace), mat3_mul_vec(&M, v));
        if (b->move[i].inverse_mass > 0.0f && !(vec3_dot(momentum, momentum) < noise * noise))
            b->turn[i] = s == 1.0f ? goal : quat_slerp(b->turn[i], goal, s);
    }
    return rescues;
}

// ---------------------------------------------------------------------------------------------
// Edges

static inline void reference_solve_distance(const edge_span *b, int index)
{
    const edge *e = &b->edges[index];
    const rest_edge *at_rest = &b->rest[index];
    particle_move *i = &b->move[e->a], *j = &b->move[e->b];
    float wi = i->inverse_mass, wj = j->inverse_mass,
          alpha = b->limits_only ? 0.0f : b->stretch_alpha[index];
    if (wi + wj == 0.0f)
        return;
    vec3 from = b->start[e->a], start = vec3_sub(b->start[e->b], from);
    vec3 d = vec3_add(start, vec3_sub(j->way, i->way));
    float length = vec3_length(d), stretch = length - at_rest->length;
    float size = absolute(from.x) + absolute(from.y) + absolute(from.z);
    if (absolute(stretch) <= PLACE_ROUNDING * (size + at_rest->length))
        return;
    vec3 n = quat_rotate(turn_from_rest(b->turn[e->a], b->rest_turn, e->a), at_rest->direction);
    float mu = alpha * stretch, goal = length - alpha * stretch;
    if (e->longest > 0.0f)
        goal = minimum(goal, e->longest * at_rest->length);
    if (b->limits_only && !(goal < length))
        return;
    if (length > COLLAPSED_LENGTH * at_rest->length)
        mu = pli_length_correction(start, d, length, goal, PRESENT_PART, &n);
    float scale = mu / (wi + wj);
    i->way = vec3_add_scaled(i->way, n, scale * wi);
    j->way = vec3_add_scaled(j->way, n, -scale * wj);
}

static void reference_solve_distances(const edge_span *b, int first, int end)
{
    for (int t = first; t < end; ++t) {
        const batch *edges = &b->batches[t];
        for (int k = edges->first; k < edges->first + edges->count; ++k)
            if ((b->stretch_alpha[k] > 0.0f && !b->limits_only) || b->edges[k].longest > 0.0f)
                reference_solve_distance(b, k);
    }
}

// Takes over a rotation from rest. Where rest is turned the way there and back rounds: less than that is no
// torsion, and would become a spin.
static inline void reference_put_turn(const edge_span *b, quat from_rest, int32_t particle)
{
    quat now = turn_from_bind(from_rest, b->rest_turn, particle);
    if (!b->rest_turn || 4.0f * reference_turned(now, b->turn[particle]) > 1e-12f)
        b->turn[particle] = now;
}

static inline void reference_solve_edge_torsion(const edge_span *b, int k)
{
    const edge *e = &b->edges[k];
    const rest_edge *at_rest = &b->rest[k];
    float wi = b->move[e->a].inverse_mass > 0.0f ? at_rest->inverse_inertia[0] : 0.0f;
    float wj = b->move[e->b].inverse_mass > 0.0f ? at_rest->inverse_inertia[1] : 0.0f;
    if (!(b->torsion_alpha[k] > 0.0f) || wi + wj == 0.0f)
        return;
    quat di = turn_from_rest(b->turn[e->a], b->rest_turn, e->a);
    quat dj = turn_from_rest(b->turn[e->b], b->rest_turn, e->b);
    if (e->twist_only)
        torsion_twist_only(&di, &dj, wi, wj, at_rest->direction, b->torsion_alpha[k]);
    else
        torsion_full(&di, &dj, wi, wj, b->torsion_alpha[k]);
    reference_put_turn(b, di, e->a);
    reference_put_turn(b, dj, e->b);
}

static void reference_solve_torsion(const edge_span *b, int first, int end)
{
    for (int t = first; t < end; ++t) {
        const batch *edges = &b->batches[t];
        for (int k = edges->first; k < edges->first + edges->count; ++k)
            reference_solve_edge_torsion(b, k);
    }
}

// ---------------------------------------------------------------------------------------------
// Particles

static inline bool reference_is_free(const particle_span *p, int i)
{
    return p->move[i].inverse_mass > 0.0f;
}

static bool reference_accelerate(const particle_span *p, int first, int end)
{
    bool is_limited = false;
    for (int i = first; i < end; ++i) {
        if (!reference_is_free(p, i))
            continue;
        vec3 force = p->force ? p->force[i] : (vec3){0, 0, 0};
        vec3 a = vec3_add_scaled(p->acceleration, force, p->move[i].inverse_mass);
        vec3 v = vec3_add_scaled(vec3_scale(p->v[i], p->keep_linear), a, p->h);
        is_limited = is_limited || vec3_dot(v, v) > LARGEST_SPEED * LARGEST_SPEED;
        p->v[i] = limited_speed(v);
        vec3 spin = vec3_scale(p->spin[i], p->keep_angular);
        float angle = vec3_length(spin) * p->h;
        p->spin[i] = angle > LARGEST_TURN ? vec3_scale(spin, LARGEST_TURN / angle) : spin;
    }
    return is_limited;
}

// Every eighth is summed on its own, then the eight sums.
static pliant_vec3 reference_sum_velocities(const particle_span *p, int first, int end)
{
    vec3 sums[LANES] = {{0, 0, 0}}, total = {0, 0, 0};
    for (int i = first; i < end; ++i)
        sums[(i - first) % LANES] = vec3_add(sums[(i - first) % LANES], p->v[i]);
    for (int k = 0; k < LANES; ++k)
        total = vec3_add(total, sums[k]);
    return total;
}

static inline quat reference_predicted_turn(quat turn, vec3 spin, float h)
{
    bool is_still = spin.x == 0.0f && spin.y == 0.0f && spin.z == 0.0f;
    return is_still ? turn : quat_turn(turn, vec3_scale(spin, h));
}

static inline vec3 reference_precession(sym3 S, vec3 v)
{
    float angle2 = vec3_dot(v, v);
    float sine = 1.0f - angle2 * (1.0f / 6.0f - angle2 * (1.0f / 120.0f));
    float cosine = 0.5f - angle2 * (1.0f / 24.0f - angle2 * (1.0f / 720.0f));
    vec3 u = vec3_scale(v, cosine), w = vec3_scale(v, sine);
    float along = 1.0f - cosine * angle2;
    mat3 E = {{{along + u.x * v.x, u.x * v.y - w.z, u.x * v.z + w.y},
               {u.y * v.x + w.z, along + u.y * v.y, u.y * v.z - w.x},
               {u.z * v.x - w.y, u.z * v.y + w.x, along + u.z * v.z}}};
    mat3 M = mat3_mul_sym3(&E, S), per_momentum = reference_step_per_momentum(&M);
    vec3 torque = vec3_scale(vec3_cross(u, sym3_mul_vec(S, v)), 2.0f);
    vec3 step = mat3_mul_vec(&per_momentum, torque);
    vec3 beyond = vec3_cross(mat3_transpose_mul_vec(&M, step), step);
    beyond = vec3_add_scaled(beyond, mat3_axial(&M), -vec3_dot(step, step));
    beyond = mat3_mul_vec(&per_momentum, beyond);
    bool precesses = angle2 < LARGEST_PRECESSING_TURN * LARGEST_PRECESSING_TURN;
    return precesses ? vec3_add_scaled(step, beyond, -0.5f) : (vec3){0, 0, 0};
}

static inline quat reference_precess(const particle_span *p, int i, quat next)
{
    vec3 v = vec3_scale(p->spin[i], p->h);
    if ((v.x == 0.0f && v.y == 0.0f && v.z == 0.0f) || (p->turns_freely && p->turns_freely[i]))
        return next;
    vec3 own = quat_rotate(quat_conjugate(p->turn[i]), v);
    vec3 step = reference_precession(p->moments[i], own);
    if (!(vec3_dot(step, step) > LEAST_PRECESSION * LEAST_PRECESSION))
        return next;
    step = quat_rotate(p->turn[i], step);
    return quat_normalize(quat_mul(reference_step(step).q, next));
}

static void reference_predict(const particle_span *p, int first, int end)
{
    for (int i = first; i < end; ++i) {
        if (!reference_is_free(p, i))
            continue;
        p->move[i].way = vec3_sub(vec3_scale(p->v[i], p->h), p->drift);
        quat next = reference_predicted_turn(p->turn[i], p->spin[i], p->h);
        p->turn[i] = p->moments ? reference_precess(p, i, next) : next;
    }
}

static void reference_update(const particle_span *p, int first, int end)
{
    for (int i = first; i < end; ++i) {
        vec3 way = p->move[i].way;
        advance_position(&p->x[i], &p->x_low[i], vec3_add(way, p->drift));
        p->v_predicted[i] = p->v[i];
        if (!reference_is_free(p, i))
            continue;
        vec3 free_move = vec3_sub(vec3_scale(p->v[i], p->h), p->drift);
        p->v[i] = vec3_add_scaled(p->v[i], vec3_sub(way, free_move), p->inverse_h);
        quat end_turn = p->turn[i];
        quat untouched = reference_predicted_turn(p->turn_start[i], p->spin[i], p->h);
        bool touched = end_turn.x != untouched.x || end_turn.y != untouched.y ||
                       end_turn.z != untouched.z || end_turn.w != untouched.w;
        if (touched && !(p->turns_freely && p->turns_freely[i]))
            p->spin[i] = vec3_scale(quat_difference(end_turn, p->turn_start[i]), p->inverse_h);
    }
}

static particle_gifts reference_weigh(const particle_span *p, int first, int end)
{
    float given[LANES] = {0}, lifted[LANES] = {0}, motion[LANES] = {0};
    for (int i = first; i < end; ++i) {
        int lane = (i - first) % LANES;
        vec3 v = p->v[i], u = p->v_predicted[i], a = p->acceleration;
        if (!reference_is_free(p, i))
            continue;
        if (p->v_start)
            u = vec3_add_scaled(p->v_start[i], vec3_sub(u, p->v_start[i]), p->part);
        if (p->force)
            a = vec3_add_scaled(a, p->force[i], p->move[i].inverse_mass);
        float mass = 1.0f / p->move[i].inverse_mass;
        vec3 twice_mean = vec3_add_scaled(vec3_add(v, u), a, -p->time);
        vec3 went = vec3_add(p->move[i].way, p->drift);
        given[lane] += mass * (0.5f * vec3_dot(vec3_sub(v, u), twice_mean));
        lifted[lane] += mass * vec3_dot(p->gravity, vec3_sub(vec3_scale(v, p->time), went));
        motion[lane] += mass * 0.5f * vec3_dot(v, v);
    }
    particle_gifts total = {0};
    for (int lane = 0; lane < LANES; ++lane) {
        total.given += (double)given[lane];
        total.lifted += (double)lifted[lane];
        total.motion += (double)motion[lane];
    }
    return total;
}

// ---------------------------------------------------------------------------------------------
// Damping

static inline vec3 reference_sum(const vec3 sums[LANES])
{
    vec3 total = {0, 0, 0};
    for (int k = 0; k < LANES; ++k)
        total = vec3_add(total, sums[k]);
    return total;
}

typedef struct reference_spin_sums {
    vec3 momentum[LANES], first_row[LANES], others[LANES];
} reference_spin_sums;

static void reference_add_spin(reference_spin_sums *sums, int i, sym3 s, vec3 momentum, float share)
{
    float trace = s.xx + s.yy + s.zz;
    vec3 first_row = {trace - s.xx, -s.xy, -s.xz}, others = {trace - s.yy, -s.yz, trace - s.zz};
    int k = i % LANES;
    sums->momentum[k] = vec3_add_scaled(sums->momentum[k], momentum, share);
    sums->first_row[k] = vec3_add_scaled(sums->first_row[k], first_row, share);
    sums->others[k] = vec3_add_scaled(sums->others[k], others, share);
}

static vec3 reference_spin_of(vec3 momentum, vec3 a, vec3 b)
{
    float trace = a.x + b.x + b.z;
    if (trace < 1e-12f)
        return (vec3){0, 0, 0};
    float s = 1.0f / trace, least = 1e-6f;
    sym3 I = {a.x * s + least, a.y * s, a.z * s, b.x * s + least, b.y * s, b.z * s + least};
    return sym3_mul_vec(sym3_inverse(I), vec3_scale(momentum, s));
}

static void reference_find_motion(const motion_span *m, rigid_motion *out)
{
    vec3 centre[LANES] = {{0, 0, 0}}, velocity[LANES] = {{0, 0, 0}};
    reference_spin_sums ways, soft;
    memset(&ways, 0, sizeof ways);
    memset(&soft, 0, sizeof soft);
    for (int i = 0; i < m->count; ++i) {
        float share = m->particles[i].mass * m->inverse_mass;
        centre[i % LANES] = vec3_add_scaled(centre[i % LANES], m->start[i], share);
        velocity[i % LANES] = vec3_add_scaled(velocity[i % LANES], m->v[i], share);
    }
    out->centre = reference_sum(centre);
    out->velocity = reference_sum(velocity);
    for (int i = 0; i < m->count; ++i) {
        float share = m->particles[i].mass * m->inverse_mass;
        vec3 r = vec3_sub(m->start[i], out->centre);
        sym3 way = {r.x * r.x, r.x * r.y, r.x * r.z, r.y * r.y, r.y * r.z, r.z * r.z};
        vec3 moment = vec3_cross(r, vec3_sub(m->v[i], out->velocity));
        reference_add_spin(&ways, i, way, moment, share);
        sym3 s = sym3_rotate(m->moments[i], m->turn[i]);
        float trace = s.xx + s.yy + s.zz;
        vec3 own = vec3_sub(vec3_scale(m->spin[i], trace), sym3_mul_vec(s, m->spin[i]));
        reference_add_spin(m->is_rigid[i] ? &ways : &soft, i, s, own, share);
    }
    vec3 momentum = reference_sum(ways.momentum);
    vec3 a = reference_sum(ways.first_row), b = reference_sum(ways.others);
    out->spin = reference_spin_of(momentum, a, b);
    out->turning = reference_spin_of(vec3_add(momentum, reference_sum(soft.momentum)),
                                     vec3_add(a, reference_sum(soft.first_row)),
                                     vec3_add(b, reference_sum(soft.others)));
}

static void reference_damp(const motion_span *m, const rigid_motion *motion, float part)
{
    for (int i = 0; i < m->count; ++i) {
        if (m->pinned[i])
            continue;
        vec3 r = vec3_sub(m->start[i], motion->centre);
        vec3 rigid = vec3_add(motion->velocity, vec3_cross(motion->spin, r));
        m->v[i] = vec3_add_scaled(m->v[i], vec3_sub(rigid, m->v[i]), part);
        m->spin[i] = vec3_add_scaled(m->spin[i], vec3_sub(motion->turning, m->spin[i]), part);
    }
}

// The kernels that have no other form are those of the portable build.
static inline kernels reference_kernels(void)
{
    kernels k = *pli_kernels_plain;
    k.name = "reference";
    k.prepare_groups = reference_prepare_groups;
    k.solve_groups = reference_solve_groups;
    k.prepare_explicit = reference_prepare_explicit;
    k.solve_explicit = reference_solve_explicit;
    k.solve_distances = reference_solve_distances;
    k.solve_chain = reference_solve_chain;
    k.solve_torsion = reference_solve_torsion;
    k.accelerate_particles = reference_accelerate;
    k.sum_velocities = reference_sum_velocities;
    k.predict_particles = reference_predict;
    k.update_particles = reference_update;
    k.weigh_particles = reference_weigh;
    k.find_motion = reference_find_motion;
    k.damp_deformation = reference_damp;
    reference_use_contacts(&k);
    return k;
}

#endif
