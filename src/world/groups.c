// Shape matching with oriented particles (paper 2011, §3, §5.1, §5.3), corrected:
//
//   A = Σ_i w_i (x_i - x_ref) o_iᵀ + Σ_oriented R_i (w_i Ā_i / m_i)        moment matrix
//   R = the rotation closest to A, then turned to keep angular momentum     (math/rotation.h)
//   x_i ← x_i + s (c + R o_i - x_i),   turn ← R
//
// Implicit groups count only their centre's own moment. With the neighbours' moments as in the paper
// a chain resists twist by an amount that depends on the iteration count; without them twist is
// exactly free and torsion is what the edges say. The centre takes R as a whole, explicit members
// move towards it by the same part s as their positions, which keeps angular momentum.
//
// R_i is the rotation from rest, turn · p⁻¹ with the rotation p that dents gave the rest orientation, and
// the goal is R p.

#include "math/rotation.h"
#include "world.h"

// One body's arrays, so that member indices are the model's.
typedef struct span {
    const pliant_model *model;
    const rest *rest;
    const quat *rest_turn; // p, NULL when it is 1 for all
    const vec3 *start;
    vec3 *move;
    const quat *turn_start;
    quat *turn;
    const float *inverse_mass;
    const float *alpha;
    const float *loose;
    mat3 *start_moment;
    vec3 *start_centre;
} span;

static span body_span(const pliant_world *world, const body *b)
{
    int p = b->particle_first, g = b->group_first;
    return (span){b->model,         pliant_body_rest(b),     pliant_body_rest_turns(world, b),
                  world->start + p, world->move + p,         world->turn_start + p,
                  world->turn + p,  world->inverse_mass + p, world->group_alpha + g,
                  world->loose + g, world->start_moment + g, world->start_centre + g};
}

static quat from_rest(const span *b, quat turn, int32_t member)
{
    return turn_from_rest(turn, b->rest_turn, member);
}

// Σ over the oriented members of R_i (w_i Ā_i / m_i)
static mat3 own_moments(const span *b, const group *g, const quat *turn)
{
    const int32_t *members = b->model->slot_particles + g->first_slot;
    const sym3 *spreads = b->rest->spreads + g->first_slot;
    mat3 sum = {0};
    for (int k = 0; k < g->oriented_count; ++k) {
        mat3 R = quat_to_mat3(from_rest(b, turn[members[k]], members[k]));
        sum = mat3_add(sum, mat3_mul_sym3(&R, spreads[k]));
    }
    return sum;
}

// Where a member is now relative to where the first member started.
static vec3 relative_position(const span *b, int32_t member, vec3 reference)
{
    return vec3_add(vec3_sub(b->start[member], reference), b->move[member]);
}

// The moment matrix now or at the start of the substep. It is the same about every reference point,
// because Σ w o = 0. About a member's place only small differences occur: it is right at any distance
// from the origin. *centre gets the centre of mass relative to the same point.
static mat3 moment(const span *b, const group *g, bool at_start, vec3 *centre)
{
    const int32_t *members = b->model->slot_particles + g->first_slot;
    const rest_slot *slots = b->rest->slots + g->first_slot;
    vec3 reference = b->start[members[0]], sum = {0, 0, 0};
    mat3 A = own_moments(b, g, at_start ? b->turn_start : b->turn);
    for (int k = 0; k < g->slot_count; ++k) {
        vec3 place = at_start ? vec3_sub(b->start[members[k]], reference)
                              : relative_position(b, members[k], reference);
        vec3 d = vec3_scale(place, slots[k].weight);
        sum = vec3_add(sum, d);
        mat3_add_outer(&A, d, slots[k].offset);
    }
    *centre = sum;
    return A;
}

// Angular momentum (per mass and substep) that the correction to the goals of R would take away,
// about the start of the substep:
//     Σ w (x_t - c_t) × (x_p - c - R o) + Σ axial((R_p - R) (w Ā/m) R_tᵀ)
// The corrections stand in it as differences, so that it is as precise as they are.
static vec3 carried_momentum(const span *b, const group *g, vec3 centre, vec3 start_centre, quat R)
{
    const int32_t *members = b->model->slot_particles + g->first_slot;
    const rest_slot *slots = b->rest->slots + g->first_slot;
    const sym3 *spreads = b->rest->spreads + g->first_slot;
    vec3 reference = b->start[members[0]], sum = {0, 0, 0};
    mat3 rotation = quat_to_mat3(R);
    for (int k = 0; k < g->slot_count; ++k) {
        vec3 start = vec3_sub(vec3_sub(b->start[members[k]], reference), start_centre);
        vec3 goal = vec3_add(centre, mat3_mul_vec(&rotation, slots[k].offset));
        vec3 excess = vec3_sub(relative_position(b, members[k], reference), goal);
        sum = vec3_add_scaled(sum, vec3_cross(start, excess), slots[k].weight);
    }
    for (int k = 0; k < g->oriented_count; ++k) {
        mat3 turned = quat_to_mat3(from_rest(b, b->turn[members[k]], members[k]));
        mat3 excess = mat3_add(turned, mat3_scale(rotation, -1.0f));
        quat then = from_rest(b, b->turn_start[members[k]], members[k]);
        mat3 N = mat3_mul_transpose(mat3_mul_sym3(&excess, spreads[k]), quat_to_mat3(then));
        sum = vec3_add(sum, mat3_axial(&N));
    }
    return sum;
}

// The rotation that fits A best, started from the first member's.
static quat best_rotation(const span *b, const group *g, const mat3 *A, int *rescues)
{
    int32_t first = b->model->slot_particles[g->first_slot];
    return pliant_rotation_extract(A, from_rest(b, b->turn[first], first), rescues);
}

// How far a rotation has gone from where the substep began: sin² of half the angle.
static float turned(quat to, quat from)
{
    quat r = quat_mul(to, quat_conjugate(from));
    return r.x * r.x + r.y * r.y + r.z * r.z;
}

// Groups of chains have more of it: see rest.c. It is 7e-7 for a cube, 8e-7 for a flat square.
static const float THIN_GROUP_NOISE = 1.3e-6f;

// Whether the fit that keeps momentum turns the centre of a thin implicit group faster than both its own
// prediction and the polar rotation do. It is there to keep what spin there is, which it does within these.
// About the axis of a chain nothing but the centre's own tiny moment resists: there all angular momentum
// that bending carries would go into its spin, and with it energy without bound.
static bool gains_spin(const span *b, int index, quat R, quat polar)
{
    const group *g = &b->model->groups[index];
    if (b->rest->groups[index].rotation_noise < THIN_GROUP_NOISE)
        return false;
    int32_t centre = b->model->slot_particles[g->first_slot];
    quat start = from_rest(b, b->turn_start[centre], centre);
    quat predicted = from_rest(b, b->turn[centre], centre);
    float most = maximum(turned(predicted, start), turned(polar, start));
    return turned(R, start) > 1.002f * most + 1e-12f;
}

// Two Newton steps keep the spin of rigid groups exactly. Soft groups get one, slightly short, which
// makes every case dissipative instead of almost every one.
static quat fit_rotation(const span *b, int index, bool is_implicit, const mat3 *A, vec3 centre,
                         int *rescues)
{
    const group *g = &b->model->groups[index];
    const quat polar = best_rotation(b, g, A, rescues);
    quat R = polar;
    int steps = is_implicit ? 1 : 2;
    for (int i = 0; i < steps; ++i) {
        vec3 carried = carried_momentum(b, g, centre, b->start_centre[index], R);
        vec3 delta;
        if (!pliant_rotation_momentum_step(R, &b->start_moment[index], carried, &delta))
            break;
        R = quat_turn(R, vec3_scale(delta, is_implicit ? 0.99f : 1.0f));
    }
    return is_implicit && gains_spin(b, index, R, polar) ? polar : R;
}

// The fitted shape: where a group's members should be.
typedef struct goal_frame {
    vec3 reference; // where the first member started
    vec3 centre;    // relative to it
    vec3 shift;     // what rounding has added to the mean of the corrections
    mat3 rotation;
} goal_frame;

static vec3 correction(const span *b, const goal_frame *f, int32_t member, vec3 offset)
{
    vec3 goal = vec3_add(f->centre, mat3_mul_vec(&f->rotation, offset));
    return vec3_sub(vec3_sub(goal, relative_position(b, member, f->reference)), f->shift);
}

// Finds the shift of the frame with which the corrections' momentum is zero to the rounding of the corrections
// themselves, not of the positions. Returns whether any correction is above the positions' rounding:
// if none is they carry no information, and divided by h they would become velocities that wander. So
// a shape at rest stays exactly where it is.
static bool refine_frame(const span *b, const group *g, goal_frame *f)
{
    const int32_t *members = b->model->slot_particles + g->first_slot;
    const rest_slot *slots = b->rest->slots + g->first_slot;
    bool is_deformed = false;
    vec3 mean = {0, 0, 0};
    for (int k = 0; k < g->slot_count; ++k) {
        vec3 start = b->start[members[k]], offset = slots[k].offset;
        vec3 d = correction(b, f, members[k], offset);
        float limit = 2.5e-7f * (absolute(start.x) + absolute(start.y) + absolute(start.z) +
                                 absolute(offset.x) + absolute(offset.y) + absolute(offset.z));
        is_deformed = is_deformed || vec3_dot(d, d) > limit * limit;
        mean = vec3_add_scaled(mean, d, slots[k].weight);
    }
    f->shift = mean;
    return is_deformed;
}

// Rotations that differ by less than rounding are left alone for the same reason; thin groups know
// their twist less well than their bend (model/rest.c).
static bool is_rotation_noise(quat from, quat to, float limit)
{
    quat r = quat_mul(to, quat_conjugate(from));
    return 4.0f * (r.x * r.x + r.y * r.y + r.z * r.z) <= limit * limit;
}

static void move_members(const span *b, const group *g, const goal_frame *f, float s)
{
    const int32_t *members = b->model->slot_particles + g->first_slot;
    const rest_slot *slots = b->rest->slots + g->first_slot;
    for (int k = 0; k < g->slot_count; ++k) {
        int32_t i = members[k];
        if (b->inverse_mass[i] > 0.0f)
            b->move[i] = vec3_add_scaled(b->move[i], correction(b, f, i, slots[k].offset), s);
    }
}

static void solve_group(const span *b, int index, bool is_implicit, int *rescues)
{
    const group *g = &b->model->groups[index];
    const int32_t *members = b->model->slot_particles + g->first_slot;
    if (!b->rest->groups[index].is_movable)
        return;
    goal_frame frame = {.reference = b->start[members[0]]};
    mat3 A = moment(b, g, false, &frame.centre);
    quat R = fit_rotation(b, index, is_implicit, &A, frame.centre, rescues);
    frame.rotation = quat_to_mat3(R);
    float s = b->alpha[index];
    if (refine_frame(b, g, &frame))
        move_members(b, g, &frame, s);
    float noise = b->rest->groups[index].rotation_noise;
    for (int k = 0; k < g->turned_count; ++k) {
        int32_t i = members[k];
        quat goal = turn_from_bind(R, b->rest_turn, i);
        if (b->inverse_mass[i] == 0.0f || is_rotation_noise(b->turn[i], goal, noise))
            continue;
        b->turn[i] = is_implicit || s == 1.0f ? goal : quat_slerp(b->turn[i], goal, s);
    }
}

static bool is_acting(const span *b, int index)
{
    return (b->loose[index] > 0.0f) == b->model->groups[index].stands_in;
}

void pliant_prepare_groups(const substep *s, const body *b)
{
    span view = body_span(s->world, b);
    for (int i = 0; i < b->model->group_count; ++i)
        if (is_acting(&view, i))
            view.start_moment[i] = moment(&view, &b->model->groups[i], true, &view.start_centre[i]);
}

// Colour by colour: groups are stored in that order, and those of one colour share no particle.
void pliant_solve_groups(const substep *s, body *b, bool only_rigid)
{
    span view = body_span(s->world, b);
    for (int i = 0; i < b->model->group_count; ++i)
        if (is_acting(&view, i) && (!only_rigid || view.alpha[i] == 1.0f))
            solve_group(&view, i, i < b->model->implicit_count, &b->rescue_count);
}

group_fit pliant_fit_group(const pliant_world *world, const body *b, int index)
{
    span view = body_span(world, b);
    const group *g = &b->model->groups[index];
    group_fit fit = {.reference = view.start[b->model->slot_particles[g->first_slot]]};
    int rescues = 0;
    mat3 A = moment(&view, g, false, &fit.centre);
    fit.rotation = best_rotation(&view, g, &A, &rescues);
    return fit;
}

vec3 pliant_place_in_fit(const pliant_world *world, const body *b, const group_fit *fit,
                         int32_t member)
{
    span view = body_span(world, b);
    vec3 arm = vec3_sub(relative_position(&view, member, fit->reference), fit->centre);
    return quat_rotate(quat_conjugate(fit->rotation), arm);
}
