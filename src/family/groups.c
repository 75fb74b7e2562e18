// What both families of groups share. Shape matching with oriented particles (paper 2011, §3, §5.1, §5.3), corrected:
//
//   A = Σ_i w_i (x_i - x_ref) o_iᵀ + Σ_oriented R_i (w_i Ā_i / m_i)        moment matrix
//   R = the rotation near that closest to A which keeps angular momentum    (math/rotation.h)
//   x_i ← x_i + s (c + R o_i - x_i),   turn ← R
//
// Implicit groups count only their centre's own moment. With the neighbours' moments as in the paper
// a chain resists twist by an amount that depends on the iteration count; without them twist is
// exactly free and torsion is what the edges say. The centre takes R as a whole, explicit members
// move towards it by the same part s as their positions, which keeps angular momentum.
//
// R_i is the rotation from rest, turn · p⁻¹ with the rotation p that dents gave the rest orientation, and
// the goal is R p.
//
// Groups are solved in src/fast, implicit ones side by side (groups.inl, fit.inl), of explicit ones the members
// (explicit.inl), from what the moves m of the substep have changed. With s the places at its start about their
// centre of mass, A_t the moment matrix then, S = w Ā/m of those that are oriented:
//
//   A = A_t + Σ w m oᵀ + Σ (R_p - R_t) S
//   carried = Σ w s × m + Σ axial((R_p - R_t) S R_tᵀ) - axial(R A_tᵀ)
//
// which is rotation.h's axial(N) - axial(M), because s × s = 0. Newton's method for carried = 0 may start at any R. An
// implicit group's starts at its centre's predicted rotation R_p, where the own moments cancel:
//
//   carried = Σ w s × m - axial(R_p B_tᵀ),    B_t = Σ w s oᵀ
//
// One step is nearly always enough (ROTATION_ENOUGH_STEP), and A is not needed at all. The step is H⁻¹ carried with
// H = tr(M) 1 - M, M = R_p A_tᵀ. H⁻¹ is found once in a substep, when groups are prepared, and serves all iterations:
// where R_p has turned a little further since, that changes the small error of the step, not where carried is 0. But H
// without its antisymmetric part, which is as large as the rotation of the substep, would not serve: a block that spins
// at 3.6 rad/s loses half of that in ten seconds. Where one step is not enough it starts at the rotation closest to A,
// and the H⁻¹ found there serves from then on: with that of a prediction which is far off, as of particles that spin
// within a body at rest, energy would grow.
// Slightly short, the step makes every case dissipative instead of almost every one. Explicit groups start there too
// and get two whole steps, which keep the spin of rigid ones exactly; there the rounding of the fit itself would add
// up, and what is carried is taken from the corrections d:
//
//   carried = -Σ w s × d + Σ axial((R_p - R) S R_tᵀ)
//
// The correction of a member is (R o - s) + (Σ w m - m), of an implicit group with places from its first member instead
// of s and the centre of mass added; the mean of all is taken off, so that their momentum is zero to the rounding of the
// corrections, not of the places.
// Where no correction is above the rounding of the places there is none: divided by h they would become
// velocities that wander. So a shape at rest stays exactly where it is. Explicit groups leave a rotation r alone whose
// momentum H r is within the rounding of the moment matrix.
//
// The fit that keeps momentum may turn the centre of a thin group faster than both its own prediction and the
// rotation without twist do: it is there to keep what spin there is, which it does within these. About the axis of
// a chain nothing but the centre's own tiny moment resists: there all angular momentum that bending carries would
// go into its spin, and with it energy without bound. Then it is the rotation without twist (gains_spin): the step but
// for what it has about that axis, or the rotation closest to A. So it is where the step is longer than
// ROTATION_LONGEST_STEP.

#include "groups.h"

#include "math/rotation.h"
#include "world/places.h"
#include "world/plastic.h"
#include "world/substep.h"

// About half a kilobyte is read for each: of so many it stays in a cache of half a megabyte.
enum { NEAR_GROUPS = 1000 };

group_span pli_group_span(const pliant_world *world, const body *b)
{
    int p = b->particle_first, g = b->group_first, e = b->explicit_first - b->model->implicit_count;
    return (group_span){.groups = b->model->groups,
                        .batches = b->model->group_batches.batches,
                        .group_rows = b->model->group_rows,
                        .slot_offsets = b->model->slot_offsets,
                        .has_dents = b->model->has_dents,
                        .rest = pli_body_rest(b),
                        .rest_turn = pli_body_rest_turns(world, b),
                        .start = world->start + p,
                        .move = world->move + p,
                        .turn_start = world->turn_start + p,
                        .turn = world->turn + p,
                        .alpha = world->group_alpha + g,
                        .loose = world->loose + g,
                        .elastic =
                            b->model->elastic ? world->elastic_rows + b->elastic_first : NULL,
                        .shares = b->model->shares,
                        .batch_starts = world->batch_starts + b->batch_first,
                        .arms = world->arms + b->row_first,
                        .start_moment = world->start_moment + e,
                        .start_limit2 = world->start_limit2 + e,
                        .has_pins = b->pinned_count > 0,
                        .is_far = world->group_count > NEAR_GROUPS};
}

block_extent pli_block_extent(const pliant_model *model, int block)
{
    const int32_t *start = model->group_batches.block_start + block;
    block_extent e = {.first_batch = start[0], .batch_count = start[1] - start[0]};
    if (e.batch_count > 0) {
        const group_rows *first = &model->group_rows[start[0]],
                         *last = &model->group_rows[start[1] - 1];
        e.first_row = first->first;
        e.row_count = last->first + last->count - first->first;
    }
    return e;
}

// Σ over the oriented members of R_i (w_i Ā_i / m_i)
static mat3 own_moments(const group_span *b, const group *g)
{
    mat3 sum = {0};
    for (int k = 0; k < g->oriented_count; ++k) {
        int32_t member = span_member(b, g, k);
        mat3 R = quat_to_mat3(turn_from_rest(b->turn[member], b->rest_turn, member));
        sum = mat3_add(sum, mat3_mul_sym3(&R, rest_spread(b->rest, g, k)));
    }
    return sum;
}

// Where a member is now relative to where the first member started.
static vec3 relative_position(const group_span *b, int32_t member, vec3 reference)
{
    return vec3_add(vec3_sub(b->start[member], reference), b->move[member].way);
}

static vec3 reference_of(const group_span *b, const group *g)
{
    return b->start[span_member(b, g, 0)];
}

// The moment matrix as it is now. It is the same about every reference point, because Σ w o = 0. About a member's
// place only small differences occur: it is right at any distance from the origin. *centre gets the centre of
// mass relative to the same point.
static mat3 moment(const group_span *b, const group *g, vec3 *centre)
{
    vec3 reference = reference_of(b, g), sum = {0, 0, 0};
    mat3 A = own_moments(b, g);
    for (int k = 0; k < g->slot_count; ++k) {
        int32_t slot = group_slot(g, k);
        vec3 place = relative_position(b, span_member(b, g, k), reference);
        vec3 d = vec3_scale(place, *rest_weight(b->rest, slot));
        sum = vec3_add(sum, d);
        mat3_add_outer(&A, d, rest_offset(b->rest, slot));
    }
    *centre = sum;
    return A;
}

void pli_groups_scale(pliant_world *world, const body *b, int first, int end, float h,
                      int iterations)
{
    for (int i = first; i < end; ++i)
        world->group_alpha[b->group_first + i] =
            scaled_alpha(b->model->groups[i].rate, b, h, iterations);
}

bool pli_groups_are_soft(const pliant_model *model, int first, int end)
{
    for (int i = first; i < end; ++i)
        if (model->groups[i].rate > 0.0f)
            return true;
    return false;
}

group_fit pli_fit_group(const pliant_world *world, const body *b, int index)
{
    group_span span = pli_group_span(world, b);
    const group *g = &b->model->groups[index];
    group_fit fit = {.reference = reference_of(&span, g)};
    int rescues = 0;
    mat3 A = moment(&span, g, &fit.centre);
    int32_t first = span_member(&span, g, 0);
    quat predicted = turn_from_rest(span.turn[first], span.rest_turn, first);
    fit.rotation = pli_rotation_extract(&A, predicted, &rescues);
    return fit;
}

vec3 pli_place_in_fit(const pliant_world *world, const body *b, const group_fit *fit,
                      int32_t member)
{
    group_span span = pli_group_span(world, b);
    vec3 arm = vec3_sub(relative_position(&span, member, fit->reference), fit->centre);
    return quat_rotate(quat_conjugate(fit->rotation), arm);
}
