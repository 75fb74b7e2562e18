// The rotations of implicit groups: family/groups.c says which.

WIDE_INLINE wide_mask is_shorter(wide_vec3 step, float length)
{
    return wide_vec3_dot(step, step) < wide_all(length * length);
}

// Of the centres, as the substep began.
WIDE_INLINE wide_quat start_turns(const group_lanes *w)
{
    return turns_from_rest(w->b, w->b->turn_start, w->members);
}

// sin² of half the angle between two rotations, times the square of the first one's length
WIDE_INLINE wide turned_by(wide_quat to, wide_quat from)
{
    wide_quat r = wide_quat_mul(to, wide_quat_conjugate(from));
    return r.x * r.x + r.y * r.y + r.z * r.z;
}

WIDE_INLINE wide_mask gains_spin(wide turned, wide otherwise, wide predicted)
{
    return turned > wide_all(1.002f) * wide_maximum(predicted, otherwise) + wide_all(1e-12f);
}

// ---------------------------------------------------------------------------------------------
// One step from the predicted rotation

WIDE_INLINE void compare_with_start(group_lanes *w)
{
    wide_mat3 B = load_matrix(w->from->places), R = wide_quat_to_mat3(w->predicted);
    wide_mat3 places = wide_mat3_mul_transpose(&R, &B);
    w->carried = wide_vec3_sub(w->angular, wide_mat3_axial(&places));
}

WIDE_INLINE void find_momentum_step(group_lanes *w)
{
    wide_mat3 per_momentum = load_matrix(w->from->per_momentum);
    wide_vec3 step = wide_mat3_mul_vec(&per_momentum, w->carried), calm_step = step;
    if (wide_any(w->thin)) {
        calm_step = wide_vec3_select(w->thin, without_twist(&per_momentum, step), step);
        step = wide_vec3_select(is_shorter(step, ROTATION_LONGEST_STEP), step, calm_step);
    }
    w->settled = is_definite(&per_momentum) & is_shorter(calm_step, ROTATION_ENOUGH_STEP);
    w->step = wide_vec3_scale(step, wide_all(ROTATION_STEP_PART));
    w->calm_step = wide_vec3_scale(calm_step, wide_all(ROTATION_STEP_PART));
}

WIDE_INLINE void take_momentum_step(group_lanes *w)
{
    wide_quat R = wide_quat_mul(half_step(w->step), w->predicted);
    wide length2 = step_length2(wide_vec3_dot(w->step, w->step));
    if (wide_any(w->thin)) {
        wide_quat calm = wide_quat_mul(half_step(w->calm_step), w->predicted);
        wide calm_length2 = step_length2(wide_vec3_dot(w->calm_step, w->calm_step));
        wide_quat start = start_turns(w);
        wide_mask spins = w->thin & gains_spin(turned_by(R, start) / length2,
                                               turned_by(calm, start) / calm_length2,
                                               turned_by(w->predicted, start));
        R = wide_quat_select(spins, calm, R);
        length2 = wide_select(spins, calm_length2, length2);
    }
    w->R = wide_quat_to_scaled_mat3(R, wide_all(2.0f) / length2);
    w->turn = wide_quat_normalize(R);
}

// ---------------------------------------------------------------------------------------------
// Where that is not enough

WIDE_INLINE wide norm_of(const wide_mat3 *a)
{
    wide sum = wide_all(0.0f);
    WIDE_UNROLL
    for (int i = 0; i < 3; ++i)
        sum += wide_vec3_dot(wide_mat3_row(a, i), wide_mat3_row(a, i));
    return wide_square_root(sum);
}

// A, as it is now
WIDE_INLINE wide_mat3 present_moment(const group_lanes *w, const wide_mat3 *start,
                                     const wide_mat3 *own)
{
    wide_mat3 A = {0};
    row_place at = first_row(w);
    for (int left = w->row_count; left > 0; --left, next_row(&at)) {
        wide_vec3 way = gather_ways(w->b->move, at.members, NULL);
        wide_mat3_add_outer(&A, wide_vec3_scale(way, wide_load(at.rest->weight)),
                            offsets_of(at.rest));
    }
    A = wide_mat3_add(&A, own);
    return wide_mat3_add(start, &A);
}

// Of lanes that one step has not settled: the rotation that fits best, and from there a step towards keeping
// momentum. It may be far from the predicted one: iterations after this one go by what a step costs here.
static __attribute__((noinline)) int fit_by_shape(group_lanes *w)
{
    wide_mask lanes = w->acting & ~w->settled;
    wide_quat start = start_turns(w), polar = w->predicted;
    wide_mat3 now = wide_quat_to_mat3(w->predicted), then = wide_quat_to_mat3(start);
    wide_mat3 own = wide_mat3_sub(&now, &then), A_start = load_matrix(w->from->places);
    wide_mat3 own_start = wide_mat3_mul_sym3(&then, spreads_of(w->spread));
    own = wide_mat3_mul_sym3(&own, spreads_of(w->spread));
    A_start = wide_mat3_add(&A_start, &own_start);
    wide_mat3 A = present_moment(w, &A_start, &own);
    wide length2 = wide_all(1.0f), scale = wide_all(1.0f) / norm_of(&A_start);
    int rescues = rotation_extract(&A, scale, lanes, &polar, &length2);

    wide_mat3 P = wide_quat_to_scaled_mat3(polar, wide_all(2.0f) / length2);
    wide_mat3 M = wide_mat3_mul_transpose(&P, &A_start), N = wide_mat3_mul_transpose(&own, &then);
    wide_vec3 angular = wide_vec3_add(w->angular, wide_mat3_axial(&N));
    wide_mat3 per_momentum = step_per_momentum(&M), noted = load_matrix(w->from->per_momentum);
    noted = wide_mat3_select(lanes, per_momentum, noted);
    store_matrix(w->from->per_momentum, &noted);
    wide_vec3 step = wide_mat3_mul_vec(&per_momentum, wide_vec3_sub(angular, wide_mat3_axial(&M)));
    wide_mask good = is_definite(&per_momentum) & is_shorter(step, ROTATION_LONGEST_STEP);
    step = wide_vec3_scale(step, wide_all(ROTATION_STEP_PART));
    wide step2 = step_length2(wide_vec3_dot(step, step));
    wide_quat R = wide_quat_mul(half_step(step), polar);
    wide_mask spins = gains_spin(turned_by(R, start) / (length2 * step2),
                                 turned_by(polar, start) / length2, turned_by(w->predicted, start));
    good &= ~(w->thin & spins);
    R = wide_quat_select(good, R, polar);
    length2 = wide_select(good, length2 * step2, length2);
    wide_mat3 matrix = wide_quat_to_scaled_mat3(R, wide_all(2.0f) / length2);
    w->R = wide_mat3_select(lanes, matrix, w->R);
    w->turn = wide_quat_select(lanes, wide_quat_normalize(R), w->turn);
    return rescues;
}

WIDE_INLINE int fit_the_rest(group_lanes *w)
{
    if (!wide_any(w->acting & ~w->settled))
        return 0;
    group_lanes copy = *w; // what is handed on has to be in memory, what stays may be in registers
    int rescues = fit_by_shape(&copy);
    w->R = copy.R;
    w->turn = copy.turn;
    return rescues;
}
