// Hinges: motors and limits.
//
// A hinge lets two groups turn against each other about the line through two particles they share. To turn
// it by θ is to move both sides as free rigid bodies that stay joined at the axis: a couple T and an
// impulse P at the axis act on side 1, their opposites on side 0, such that
//
//     Δω_1 - Δω_0 = θ a,        v_1 + Δω_1 × r_1 = v_0 + Δω_0 × r_0 at the axis
//     Δω_k = ± I_k⁻¹ (T + r_k × P),   Δv_k = ± P / m_k,   r_k from the centre of mass k to the axis
//
// Linear and angular momentum stay as they are, and no other constraint of the two groups is disturbed.
// The same answer, found once in a substep where it starts, serves the motors (velocities), the limits
// (positions: with arms of the start the angular momentum of the whole substep stays) and what takes the
// limits' push out of the velocities again.

#include "families.h"

#include "core/hash.h"
#include "model/derivation.h"
#include "world/calls.h"
#include "world/inertia.h"
#include "world/sleep.h"
#include "world/substep.h"

// What was beyond a limit before the substep comes back no faster than this, rad/s.
static const float UNWIND_SPEED = 1.0f;
// Angles are known no better than this, rad.
static const float ANGLE_NOISE = 1e-6f;
// Limits are at most this, so that beyond one is not yet beyond the other, rad.
static const float LARGEST_LIMIT = PLIANT_PI - 0.02f;

// ---------------------------------------------------------------------------------------------
// Of a model: which particles each side moves, and where one reads its angle

// The solver's group that was made of a group as given.
static const group *group_made_of(const pliant_model *model, int32_t given)
{
    return &model->groups[model->implicit_count + given];
}

static bool is_in_group(const pliant_model *model, const group *g, int32_t p)
{
    for (int k = 0; k < g->slot_count; ++k)
        if (group_member(model, g, k) == p)
            return true;
    return false;
}

// A particle in both groups goes with the one that turns it, or with side 0 when neither does. So each
// particle is counted once, and the momentum of what a side moves is all there is.
static void list_members(pliant_model *model, hinge_side *side, const group *own,
                         const group *other, int32_t other_given, bool is_first)
{
    side->first = model->hinge_member_count;
    for (int k = 0; k < own->slot_count; ++k) {
        int32_t p = group_member(model, own, k);
        bool is_turned = k < own->turned_count;
        if (!is_turned &&
            (model->group_of[p] == other_given + 1 || (!is_first && is_in_group(model, other, p))))
            continue;
        model->hinge_members[model->hinge_member_count++] = p;
        side->turned_count += is_turned;
    }
    side->count = model->hinge_member_count - side->first;
}

static vec3 across(vec3 v, vec3 axis)
{
    return vec3_add_scaled(v, axis, -vec3_dot(v, axis));
}

// Any unit vector across the axis.
static vec3 some_direction_across(vec3 axis)
{
    float x = absolute(axis.x), y = absolute(axis.y), z = absolute(axis.z);
    vec3 thin = x <= y && x <= z ? (vec3){1, 0, 0} : y <= z ? (vec3){0, 1, 0} : (vec3){0, 0, 1};
    return vec3_normalize_or(across(thin, axis), thin);
}

// A group that turns a particle carries its rotation there. One of nothing but joints that others turn
// shows it only by where its members are: the one farthest from the axis tells best.
static void choose_pointer(const pliant_model *model, hinge_side *side, const group *own,
                           const pliant_hinge_def *def, vec3 axis)
{
    const pliant_particle_def *particles = model->source.particles;
    side->points_by_turn = own->turned_count > 0;
    side->pointer = group_member(model, own, 0);
    side->direction = some_direction_across(axis);
    if (side->points_by_turn)
        return;
    float farthest = 0.0f;
    for (int k = 0; k < own->slot_count; ++k) {
        vec3 arm = across(vec3_sub(particles[group_member(model, own, k)].position,
                                   particles[def->particle_a].position),
                          axis);
        if (vec3_length(arm) > farthest) {
            farthest = vec3_length(arm);
            side->pointer = group_member(model, own, k);
            side->direction = arm;
        }
    }
}

static bool derive(derivation *d)
{
    pliant_model *model = d->model;
    const elements *e = &model->source;
    size_t most = 0;
    for (int i = 0; i < e->hinge_count; ++i)
        most += (size_t)e->groups[e->hinges[i].group_a].member_count +
                (size_t)e->groups[e->hinges[i].group_b].member_count;
    if (most > INT32_MAX)
        return false;
    model->hinges =
        pli_memory_new(&model->allocator, (size_t)e->hinge_count, sizeof *model->hinges);
    model->hinge_members = pli_memory_new(&model->allocator, most, sizeof *model->hinge_members);
    if (!model->hinges || !model->hinge_members)
        return false;
    for (int i = 0; i < e->hinge_count; ++i) {
        const pliant_hinge_def *def = &e->hinges[i];
        const int32_t given[2] = {def->group_a, def->group_b};
        const group *groups[2] = {group_made_of(model, def->group_a),
                                  group_made_of(model, def->group_b)};
        vec3 axis = vec3_sub(e->particles[def->particle_b].position,
                             e->particles[def->particle_a].position);
        axis = vec3_scale(axis, 1.0f / vec3_length(axis));
        hinge *h = &model->hinges[i];
        h->axis[0] = def->particle_a;
        h->axis[1] = def->particle_b;
        for (int k = 0; k < 2; ++k) {
            list_members(model, &h->sides[k], groups[k], groups[1 - k], given[1 - k], k == 0);
            choose_pointer(model, &h->sides[k], groups[k], def, axis);
        }
        h->rest_angle = hinge_angle_between(h->sides[0].direction, h->sides[1].direction, axis);
    }
    return true;
}

static void release(pliant_model *model)
{
    pli_memory_free(&model->allocator, model->hinges);
    pli_memory_free(&model->allocator, model->hinge_members);
}

static bool is_in(const pliant_model *model)
{
    return model->source.hinge_count > 0;
}

// ---------------------------------------------------------------------------------------------
// Reading

// From particle i to j, as they are now: in the solver, or where its positions are not in use.
static vec3 between(const pliant_world *world, int i, int j, bool in_solver)
{
    if (in_solver)
        return vec3_add(vec3_sub(world->start[j], world->start[i]),
                        vec3_sub(world->move[j].way, world->move[i].way));
    return vec3_add(vec3_sub(world->x[j], world->x[i]), vec3_sub(world->x_low[j], world->x_low[i]));
}

static vec3 axis_of(const pliant_world *world, const body *b, const hinge *h, bool in_solver)
{
    vec3 d =
        between(world, b->particle_first + h->axis[0], b->particle_first + h->axis[1], in_solver);
    return vec3_normalize_or(d, (vec3){0, 1, 0});
}

// Where a side points.
static vec3 pointer_of(const pliant_world *world, const body *b, const hinge *h, int side,
                       bool in_solver)
{
    const hinge_side *k = &h->sides[side];
    int i = b->particle_first + k->pointer;
    if (k->points_by_turn)
        return quat_rotate(world->turn[i], k->direction);
    return between(world, b->particle_first + h->axis[0], i, in_solver);
}

// To (-π, π], from at most one turn beyond.
static float wrap_angle(float angle)
{
    if (angle > PLIANT_PI)
        return angle - 2.0f * PLIANT_PI;
    return angle <= -PLIANT_PI ? angle + 2.0f * PLIANT_PI : angle;
}

static float angle_of(const pliant_world *world, const body *b, const hinge *h, bool in_solver)
{
    vec3 u = pointer_of(world, b, h, 0, in_solver), v = pointer_of(world, b, h, 1, in_solver);
    return wrap_angle(hinge_angle_between(u, v, axis_of(world, b, h, in_solver)) - h->rest_angle);
}

// The members of a side as one rigid thing; masses are parts of `total`.
typedef struct side_motion {
    float mass;
    vec3 centre; // from the body's first particle
    vec3 velocity;
    sym3 inertia;
    vec3 spin;
    bool is_fixed; // pinned off the axis
} side_motion;

static vec3 place_of(const pliant_world *world, const body *b, int i)
{
    return vec3_add(vec3_sub(world->x[i], world->x[b->particle_first]), world->x_low[i]);
}

static bool is_on_axis(const hinge *h, int32_t particle)
{
    return particle == h->axis[0] || particle == h->axis[1];
}

// Points on one line have no inertia about it: a thousandth of their largest keeps the inverse finite.
static sym3 safe_inertia(sym3 I)
{
    float trace = sym3_trace(I), least = 1e-3f * trace;
    mat3 full = sym3_to_mat3(I);
    if (mat3_determinant(&full) > 1e-4f * least * trace * trace)
        return I;
    return (sym3){I.xx + least, I.xy, I.xz, I.yy + least, I.yz, I.zz + least};
}

static bool is_held_at_axis(const pliant_world *world, const body *b, const hinge *h)
{
    return world->pinned[b->particle_first + h->axis[0]] ||
           world->pinned[b->particle_first + h->axis[1]];
}

// Particles of an axis that is held somewhere count as points: a pinned one does not turn with its side, and the fits of
// two groups do not carry the spin of one that they share. What it would take of a turn, pressed against a limit, makes
// the hinge creep around its pin for ever.
static side_motion motion_of(const pliant_world *world, const body *b, const hinge *h, int side,
                             float total)
{
    const hinge_side *k = &h->sides[side];
    const int32_t *members = b->model->hinge_members + k->first;
    const pliant_particle_def *particles = b->model->source.particles;
    bool is_held = is_held_at_axis(world, b, h);
    side_motion out = {0};
    vec3 L = {0, 0, 0};
    for (int n = 0; n < k->count; ++n) {
        int i = b->particle_first + members[n];
        float share = particles[members[n]].mass / total;
        out.mass += share;
        out.centre = vec3_add_scaled(out.centre, place_of(world, b, i), share);
        out.velocity = vec3_add_scaled(out.velocity, world->v[i], share);
        out.is_fixed = out.is_fixed || (world->pinned[i] && !is_on_axis(h, members[n]));
    }
    out.centre = vec3_scale(out.centre, 1.0f / out.mass);
    out.velocity = vec3_scale(out.velocity, 1.0f / out.mass);
    for (int n = 0; n < k->count; ++n) {
        int i = b->particle_first + members[n];
        float share = particles[members[n]].mass / total;
        bool is_turned = n < k->turned_count && !(is_held && is_on_axis(h, members[n]));
        sym3 own = is_turned ? b->model->moments[members[n]] : (sym3){0};
        vec3 r = vec3_sub(place_of(world, b, i), out.centre);
        add_inertia(&out.inertia, share, r, own, world->turn[i]);
        vec3 moment = vec3_cross(r, vec3_sub(world->v[i], out.velocity));
        moment = vec3_add(moment, own_momentum(own, world->turn[i], world->spin[i]));
        L = vec3_add_scaled(L, moment, share);
    }
    out.inertia = safe_inertia(out.inertia);
    out.spin = sym3_mul_vec(sym3_inverse(out.inertia), L);
    return out;
}

// kg of both sides, 0 when one has no particles of its own.
static float mass_of_sides(const body *b, const hinge *h)
{
    float sum = 0.0f;
    for (int side = 0; side < 2; ++side) {
        const hinge_side *k = &h->sides[side];
        if (k->count == 0)
            return 0.0f;
        for (int n = 0; n < k->count; ++n)
            sum += b->model->source.particles[b->model->hinge_members[k->first + n]].mass;
    }
    return sum;
}

// rad/s of side 1 against side 0, from the motion of all their particles.
static float hinge_speed(const pliant_world *world, const body *b, const hinge *h)
{
    float total = mass_of_sides(b, h);
    if (total == 0.0f)
        return 0.0f;
    const side_motion sides[2] = {motion_of(world, b, h, 0, total),
                                  motion_of(world, b, h, 1, total)};
    return vec3_dot(axis_of(world, b, h, false), vec3_sub(sides[1].spin, sides[0].spin));
}

// ---------------------------------------------------------------------------------------------
// The answer of both sides

static mat3 cross_matrix(vec3 r)
{
    return (mat3){{{0, -r.z, r.y}, {r.z, 0, -r.x}, {-r.y, r.x, 0}}};
}

// I + m (r² - r rᵀ): about a point r away from the centre.
static sym3 inertia_about(const side_motion *side, vec3 r)
{
    sym3 I = side->inertia;
    float m = side->mass, d = m * vec3_dot(r, r);
    return (sym3){I.xx + d - m * r.x * r.x, I.xy - m * r.x * r.y, I.xz - m * r.x * r.z,
                  I.yy + d - m * r.y * r.y, I.yz - m * r.y * r.z, I.zz + d - m * r.z * r.z};
}

// One pin: the axis swings about it as on a ball joint, and angular momentum about it stays. With inertias J_k about the
// pin, (J_0⁻¹ + J_1⁻¹) T = a and Δω_k = ± J_k⁻¹ T.
static void respond_about_pin(const side_motion sides[2], const vec3 arms[2], vec3 axis,
                              hinge_response *out)
{
    sym3 W = {0}, inverse[2];
    for (int k = 0; k < 2; ++k) {
        sym3 J = inverse[k] =
            sides[k].is_fixed ? (sym3){0} : sym3_inverse(inertia_about(&sides[k], arms[k]));
        W = (sym3){W.xx + J.xx, W.xy + J.xy, W.xz + J.xz, W.yy + J.yy, W.yz + J.yz, W.zz + J.zz};
    }
    vec3 T = sym3_mul_vec(sym3_inverse(W), axis);
    for (int k = 0; k < 2; ++k) {
        out->turn[k] = vec3_scale(sym3_mul_vec(inverse[k], T), k ? 1.0f : -1.0f);
        out->shift[k] = vec3_cross(arms[k], out->turn[k]);
    }
    out->inertia = vec3_dot(axis, T);
}

// A pinned axis: each side turns about it for itself, and what holds the pins bears the rest.
static void respond_about_pins(const side_motion sides[2], const vec3 arms[2], vec3 axis,
                               hinge_response *out)
{
    float w[2];
    for (int k = 0; k < 2; ++k) {
        vec3 lever = vec3_cross(arms[k], axis);
        float inertia = vec3_dot(axis, sym3_mul_vec(sides[k].inertia, axis)) +
                        sides[k].mass * vec3_dot(lever, lever);
        w[k] = sides[k].is_fixed ? 0.0f : 1.0f / inertia;
    }
    out->inertia = 1.0f / (w[0] + w[1]);
    out->turn[0] = vec3_scale(axis, -w[0] * out->inertia);
    out->turn[1] = vec3_scale(axis, w[1] * out->inertia);
    for (int k = 0; k < 2; ++k)
        out->shift[k] = vec3_cross(arms[k], out->turn[k]);
}

// With W = I_0⁻¹ + I_1⁻¹, G = Σ I_k⁻¹ [r_k]×, D = Σ 1/m_k - [r_k]× I_k⁻¹ [r_k]× the conditions are
//     W T + G P = a,  Gᵀ T + D P = 0     ⇒     (D - Gᵀ W⁻¹ G) P = -Gᵀ W⁻¹ a,  T = W⁻¹ (a - G P)
static void respond_freely(const side_motion sides[2], const vec3 arms[2], vec3 axis,
                           hinge_response *out)
{
    mat3 G = {0}, D = {0};
    sym3 W = {0}, inverse[2];
    float inverse_mass[2];
    for (int k = 0; k < 2; ++k) {
        bool is_fixed = sides[k].is_fixed;
        sym3 I = inverse[k] = is_fixed ? (sym3){0} : sym3_inverse(sides[k].inertia);
        inverse_mass[k] = is_fixed ? 0.0f : 1.0f / sides[k].mass;
        mat3 R = cross_matrix(arms[k]), IR = mat3_mul(sym3_to_mat3(I), R);
        W = (sym3){W.xx + I.xx, W.xy + I.xy, W.xz + I.xz, W.yy + I.yy, W.yz + I.yz, W.zz + I.zz};
        G = mat3_add(G, IR);
        D = mat3_add(D, mat3_scale(mat3_identity(), inverse_mass[k]));
        D = mat3_add(D, mat3_transpose_mul(R, IR)); // -[r]× = [r]×ᵀ
    }
    sym3 W_inverse = sym3_inverse(W);
    mat3 schur = mat3_mul(sym3_to_mat3(W_inverse), G);
    schur = mat3_add(D, mat3_scale(mat3_transpose_mul(G, schur), -1.0f));
    vec3 rhs = vec3_negate(mat3_transpose_mul_vec(&G, sym3_mul_vec(W_inverse, axis)));
    vec3 P = mat3_solve(&schur, rhs, mat3_determinant(&schur));
    vec3 T = sym3_mul_vec(W_inverse, vec3_sub(axis, mat3_mul_vec(&G, P)));
    for (int k = 0; k < 2; ++k) {
        float sign = k ? 1.0f : -1.0f;
        vec3 moment = vec3_add(T, vec3_cross(arms[k], P));
        out->turn[k] = vec3_scale(sym3_mul_vec(inverse[k], moment), sign);
        out->shift[k] = vec3_scale(P, sign * inverse_mass[k]);
    }
    out->inertia = vec3_dot(axis, T);
}

// All zero when nothing can turn.
static hinge_response respond(const pliant_world *world, const body *b, const hinge *h,
                              const side_motion sides[2], vec3 axis, float total)
{
    hinge_response out = {.centre = {sides[0].centre, sides[1].centre}};
    if (sides[0].is_fixed && sides[1].is_fixed)
        return out;
    int i = b->particle_first + h->axis[0], j = b->particle_first + h->axis[1];
    vec3 middle = vec3_scale(vec3_add(place_of(world, b, i), place_of(world, b, j)), 0.5f);
    if (world->pinned[i] != world->pinned[j])
        middle = place_of(world, b, world->pinned[i] ? i : j);
    const vec3 arms[2] = {vec3_sub(middle, sides[0].centre), vec3_sub(middle, sides[1].centre)};
    if (world->pinned[i] && world->pinned[j])
        respond_about_pins(sides, arms, axis, &out);
    else if (world->pinned[i] || world->pinned[j])
        respond_about_pin(sides, arms, axis, &out);
    else
        respond_freely(sides, arms, axis, &out);
    out.inertia *= total;
    return out;
}

// Turns the hinge by `angle` rad (positions) or changes its speed by so many rad/s (velocities).
static void turn_hinge(pliant_world *world, const body *b, const hinge *h, const hinge_response *by,
                       float angle, bool velocities)
{
    for (int side = 0; side < 2; ++side) {
        const hinge_side *k = &h->sides[side];
        const int32_t *members = b->model->hinge_members + k->first;
        vec3 turn = vec3_scale(by->turn[side], angle), shift = vec3_scale(by->shift[side], angle);
        for (int n = 0; n < k->count; ++n) {
            int i = b->particle_first + members[n];
            if (world->pinned[i])
                continue;
            vec3 arm = vec3_sub(world->start[i], by->centre[side]);
            vec3 way = vec3_add(shift, vec3_cross(turn, arm));
            if (velocities)
                world->v[i] = vec3_add(world->v[i], way);
            else
                world->move[i].way = vec3_add(world->move[i].way, way);
            if (n >= k->turned_count)
                continue;
            if (velocities)
                world->spin[i] = vec3_add(world->spin[i], turn);
            else
                world->turn[i] = quat_turn(world->turn[i], turn);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Stages

// What the motion of a hinge is measured against: the side that cannot move, or the pins of the axis.
static side_motion frame_of(const pliant_world *world, const body *b, const hinge *h,
                            const side_motion sides[2])
{
    int i = b->particle_first + h->axis[0], j = b->particle_first + h->axis[1];
    if (sides[0].is_fixed || sides[1].is_fixed)
        return sides[0].is_fixed ? sides[0] : sides[1];
    side_motion pins = {0};
    if (world->pinned[i] || world->pinned[j])
        pins.velocity = world->v[world->pinned[i] ? i : j];
    return pins;
}

// The speed that is left when the hinge has held its sides together: the part of all velocities that lies
// along its answer ξ,
//     ω = Σ (m v·ξ + spin · I turn) / Σ (m ξ·ξ + turn · I turn)
// The spins alone would not know of gravity, which is yet to turn a side about its axis in this substep.
static float speed_to_come(const pliant_world *world, const body *b, const hinge *h,
                           const side_motion sides[2], const hinge_response *by)
{
    side_motion frame = frame_of(world, b, h, sides);
    float sum = 0.0f;
    for (int side = 0; side < 2; ++side) {
        const hinge_side *k = &h->sides[side];
        const int32_t *members = b->model->hinge_members + k->first;
        for (int n = 0; n < k->count; ++n) {
            int i = b->particle_first + members[n];
            if (world->pinned[i])
                continue;
            vec3 arm = vec3_sub(world->start[i], by->centre[side]);
            vec3 way = vec3_add(by->shift[side], vec3_cross(by->turn[side], arm));
            vec3 carried = vec3_cross(frame.spin, vec3_sub(world->start[i], frame.centre));
            vec3 v = vec3_sub(vec3_sub(world->v[i], frame.velocity), carried);
            float moment = vec3_dot(v, way);
            if (n < k->turned_count)
                moment += vec3_dot(own_momentum(b->model->moments[members[n]], world->turn[i],
                                                vec3_sub(world->spin[i], frame.spin)),
                                   by->turn[side]);
            sum += b->model->source.particles[members[n]].mass * moment;
        }
    }
    return sum / by->inertia;
}

// J = clamp((target - ω) I, ± torque h)
static void turn_by_motor(const substep *s, const body *b, const hinge *h, int index, float speed)
{
    pliant_world *world = s->world;
    const hinge_response *by = &world->hinge_now[index].response;
    float fastest = LARGEST_TURN / s->h, most = world->motor_torque[index] * s->h / by->inertia;
    float target = maximum(-fastest, minimum(world->motor_speed[index], fastest));
    float change = maximum(-most, minimum(target - speed, most));
    turn_hinge(world, b, h, by, change, true);
}

typedef struct limits {
    float lower, upper;
} limits;

static limits limits_of(const pliant_hinge_def *def)
{
    return (limits){maximum(def->lower, -LARGEST_LIMIT), minimum(def->upper, LARGEST_LIMIT)};
}

// How far an angle is beyond a limit. Outside of both it has passed the nearer one, and is counted on from
// there: *angle may become one beyond ±π.
static float find_excess(limits most, float *angle)
{
    const float turn = 2.0f * PLIANT_PI;
    if (*angle > most.upper && most.lower - (*angle - turn) < *angle - most.upper)
        *angle -= turn;
    else if (*angle < most.lower && *angle + turn - most.upper < most.lower - *angle)
        *angle += turn;
    if (*angle > most.upper)
        return *angle - most.upper;
    return *angle < most.lower ? *angle - most.lower : 0.0f;
}

static void drive(const substep *s, body *b)
{
    pliant_world *world = s->world;
    for (int k = 0; k < b->model->source.hinge_count; ++k) {
        const hinge *h = &b->model->hinges[k];
        const pliant_hinge_def *def = &b->model->source.hinges[k];
        int index = b->hinge_first + k;
        hinge_work *now = &world->hinge_now[index];
        float total = mass_of_sides(b, h);
        *now = (hinge_work){0};
        if (total == 0.0f || (!def->has_limits && world->motor_torque[index] == 0.0f))
            continue;
        const side_motion sides[2] = {motion_of(world, b, h, 0, total),
                                      motion_of(world, b, h, 1, total)};
        vec3 axis = axis_of(world, b, h, false);
        now->response = respond(world, b, h, sides, axis, total);
        if (!(now->response.inertia > 0.0f))
            continue;
        if (def->has_limits) {
            now->start_angle = angle_of(world, b, h, false);
            now->start_excess = find_excess(limits_of(def), &now->start_angle);
        }
        if (world->motor_torque[index] > 0.0f)
            turn_by_motor(s, b, h, index, speed_to_come(world, b, h, sides, &now->response));
    }
}

// Beyond a limit both sides turn back to it, but for what may stay of an old excess.
static int solve(const substep *s, const body *b)
{
    pliant_world *world = s->world;
    for (int k = 0; k < b->model->source.hinge_count; ++k) {
        const hinge *h = &b->model->hinges[k];
        const pliant_hinge_def *def = &b->model->source.hinges[k];
        hinge_work *now = &world->hinge_now[b->hinge_first + k];
        if (!def->has_limits || !(now->response.inertia > 0.0f))
            continue;
        float way = wrap_angle(wrap_angle(angle_of(world, b, h, true) - now->start_angle));
        float angle = now->start_angle + way, step = UNWIND_SPEED * s->h;
        limits most = limits_of(def);
        float upper = most.upper + maximum(0.0f, now->start_excess - step);
        float lower = most.lower + minimum(0.0f, now->start_excess + step);
        float excess = angle > upper ? angle - upper : angle < lower ? angle - lower : 0.0f;
        if (absolute(excess) <= ANGLE_NOISE)
            continue;
        turn_hinge(world, b, h, &now->response, -excess, false);
        now->turned -= excess;
    }
    return 0;
}

// Coming back from an old excess leaves no speed behind (as for contacts).
static void settle(const substep *s, body *b)
{
    pliant_world *world = s->world;
    for (int k = 0; k < b->model->source.hinge_count; ++k) {
        const hinge *h = &b->model->hinges[k];
        const hinge_work *now = &world->hinge_now[b->hinge_first + k];
        if (!(now->turned * now->start_excess < 0.0f))
            continue;
        float back = now->turned > 0.0f ? 1.0f : -1.0f; // direction of the push
        float pushed = minimum(absolute(now->turned), absolute(now->start_excess));
        float speed = back * hinge_speed(world, b, h);
        float excess = minimum(pushed / s->h, maximum(speed, 0.0f));
        turn_hinge(world, b, h, &now->response, -back * excess, true);
    }
}

static uint64_t hash(uint64_t state, const pliant_world *world, const body *b)
{
    for (int i = b->hinge_first; i < b->hinge_first + b->model->source.hinge_count; ++i)
        state = hash_float(hash_float(state, world->motor_speed[i]), world->motor_torque[i]);
    return state;
}

const family pli_family_hinges = {.name = "hinges",
                                  .derive = derive,
                                  .release = release,
                                  .is_in = is_in,
                                  .drive = drive,
                                  .solve = solve,
                                  .settle = settle,
                                  .hash = hash};

// ---------------------------------------------------------------------------------------------
// What callers use

void pliant_body_set_motor(pliant_world *world, pliant_body_id id, int index, float speed,
                           float torque)
{
    body *b = checked_hinge(world, id, index, __func__);
    if (!b || !is_finite(speed) || !is_finite(torque))
        return;
    world->motor_speed[b->hinge_first + index] = speed;
    world->motor_torque[b->hinge_first + index] = maximum(torque, 0.0f);
    pli_wake_body(world, b);
}

float pliant_body_hinge_angle(const pliant_world *world, pliant_body_id id, int index)
{
    const body *b = checked_hinge(world, id, index, __func__);
    return b ? angle_of(world, b, &b->model->hinges[index], false) : 0.0f;
}

float pliant_body_hinge_speed(const pliant_world *world, pliant_body_id id, int index)
{
    const body *b = checked_hinge(world, id, index, __func__);
    return b ? hinge_speed(world, b, &b->model->hinges[index]) : 0.0f;
}
