// Explicit shape matching groups, eight members to a row. Sums over members are eight sums, one for each lane of
// the rows, which are then added in order. Slots beyond the last member repeat it, without weight.

typedef struct explicit_group {
    const group_span *b;
    const group *g;
    const slot_row *rows;
    const arm_row *arms;
    const int32_t *members; // offsets
    int row_count, oriented_rows;
} explicit_group;

WIDE_INLINE explicit_group explicit_of(const group_span *b, int index)
{
    const group *g = &b->groups[index];
    return (explicit_group){.b = b,
                            .g = g,
                            .rows = b->rest->rows + g->first_slot / LANES,
                            .arms = b->arms + g->first_slot / LANES,
                            .members = b->slot_offsets + g->first_slot,
                            .row_count = (g->slot_count + LANES - 1) / LANES,
                            .oriented_rows = (g->oriented_count + LANES - 1) / LANES};
}

typedef struct vector_sums {
    float x[LANES], y[LANES], z[LANES];
} vector_sums;

typedef struct matrix_sums {
    float m[3][3][LANES];
} matrix_sums;

WIDE_INLINE void put_vectors(vector_sums *to, int lane, wide_vec3 v)
{
    wide_store(to->x + lane, v.x);
    wide_store(to->y + lane, v.y);
    wide_store(to->z + lane, v.z);
}

WIDE_INLINE void put_matrices(matrix_sums *to, int lane, const wide_mat3 *a)
{
    WIDE_UNROLL
    for (int i = 0; i < 3; ++i)
        WIDE_UNROLL
    for (int j = 0; j < 3; ++j)
        wide_store(to->m[i][j] + lane, a->m[i][j]);
}

WIDE_INLINE float sum_lanes(const float each[LANES])
{
    float sum = each[0];
    for (int i = 1; i < LANES; ++i)
        sum += each[i];
    return sum;
}

WIDE_INLINE vec3 sum_vectors(const vector_sums *a)
{
    return (vec3){sum_lanes(a->x), sum_lanes(a->y), sum_lanes(a->z)};
}

WIDE_INLINE mat3 sum_matrices(const matrix_sums *a)
{
    mat3 sum;
    WIDE_UNROLL
    for (int i = 0; i < 3; ++i)
        WIDE_UNROLL
    for (int j = 0; j < 3; ++j)
        sum.m[i][j] = sum_lanes(a->m[i][j]);
    return sum;
}

WIDE_INLINE wide_sym3 member_spreads(const explicit_group *e, int row, int lane)
{
    const spread_row *spreads = e->b->rest->spreads + e->g->first_spread / LANES;
    return spreads_of(FROM_LANE(const spread_row, spreads + row, lane));
}

WIDE_INLINE const slot_row *member_row(const explicit_group *e, int row, int lane)
{
    return FROM_LANE(const slot_row, e->rows + row, lane);
}

WIDE_INLINE const arm_row *member_arms(const explicit_group *e, int row, int lane)
{
    return FROM_LANE(const arm_row, e->arms + row, lane);
}

// Arms from the first member, and what is summed over them.
static void prepare_members(const explicit_group *e, arm_row *arms, vector_sums *centre,
                            matrix_sums *moment, float limit[LANES])
{
    const group_span *b = e->b;
    const wide zero = wide_all(0.0f);
    wide_vec3 reference = wide_vec3_all(b->start[e->members[0] / SLOT_STRIDE]);
    for (int lane = 0; lane < LANES; lane += WIDE) {
        wide_vec3 sum = {zero, zero, zero};
        wide_mat3 A = {0};
        wide most = zero;
        for (int k = 0; k < e->row_count; ++k) {
            const int32_t *members = e->members + k * LANES + lane;
            wide_vec3 start = gather_places(b->start, members);
            wide_vec3 offset = offsets_of(member_row(e, k, lane));
            wide_vec3 arm = wide_vec3_sub(start, reference);
            wide_vec3 d = wide_vec3_scale(arm, wide_load(member_row(e, k, lane)->weight));
            sum = wide_vec3_add(sum, d);
            wide_mat3_add_outer(&A, d, offset);
            most = wide_maximum(most, wide_all(PLACE_ROUNDING) *
                                          (sum_of_sizes(start) + sum_of_sizes(offset)));
            store_arms(FROM_LANE(arm_row, arms + k, lane), arm);
        }
        for (int k = 0; k < e->oriented_rows; ++k) {
            const int32_t *members = e->members + k * LANES + lane;
            wide_mat3 R = wide_quat_to_mat3(turns_from_rest(b, b->turn_start, members));
            wide_mat3 own = wide_mat3_mul_sym3(&R, member_spreads(e, k, lane));
            A = wide_mat3_add(&A, &own);
        }
        put_vectors(centre, lane, sum);
        put_matrices(moment, lane, &A);
        wide_store(limit + lane, most);
    }
}

static void prepare_explicit(const group_span *b, int index)
{
    explicit_group e = explicit_of(b, index);
    arm_row *arms = b->arms + e.g->first_slot / LANES;
    vector_sums centre;
    matrix_sums moment;
    float limit[LANES], largest = 0.0f;
    prepare_members(&e, arms, &centre, &moment, limit);
    wide_vec3 middle = wide_vec3_all(sum_vectors(&centre));
    for (int k = 0; k < e.row_count; ++k)
        for (int lane = 0; lane < LANES; lane += WIDE) {
            arm_row *arm = FROM_LANE(arm_row, arms + k, lane);
            store_arms(arm, wide_vec3_sub(arms_of(arm), middle));
        }
    for (int i = 0; i < LANES; ++i)
        largest = maximum(largest, limit[i]);
    b->start_moment[index] = sum_matrices(&moment);
    b->start_limit2[index] = largest * largest;
}

// Σ w m and A as they are now.
static vec3 find_explicit_change(const explicit_group *e, const mat3 *start_moment, mat3 *A)
{
    const group_span *b = e->b;
    const wide zero = wide_all(0.0f);
    vector_sums shifts;
    matrix_sums moments;
    for (int lane = 0; lane < LANES; lane += WIDE) {
        wide_vec3 shift = {zero, zero, zero};
        wide_mat3 moment = {0};
        for (int k = 0; k < e->row_count; ++k) {
            const int32_t *members = e->members + k * LANES + lane;
            wide_vec3 way = gather_ways(b->move, members, NULL);
            wide_vec3 m = wide_vec3_scale(way, wide_load(member_row(e, k, lane)->weight));
            shift = wide_vec3_add(shift, m);
            wide_mat3_add_outer(&moment, m, offsets_of(member_row(e, k, lane)));
        }
        for (int k = 0; k < e->oriented_rows; ++k) {
            const int32_t *members = e->members + k * LANES + lane;
            wide_mat3 then = wide_quat_to_mat3(turns_from_rest(b, b->turn_start, members));
            wide_mat3 now = wide_quat_to_mat3(turns_from_rest(b, b->turn, members));
            wide_mat3 turned = wide_mat3_sub(&now, &then);
            wide_mat3 own = wide_mat3_mul_sym3(&turned, member_spreads(e, k, lane));
            moment = wide_mat3_add(&moment, &own);
        }
        put_vectors(&shifts, lane, shift);
        put_matrices(&moments, lane, &moment);
    }
    *A = mat3_add(*start_moment, sum_matrices(&moments));
    return sum_vectors(&shifts);
}

WIDE_INLINE wide_vec3 explicit_correction(const explicit_group *e, const wide_mat3 *R,
                                          wide_vec3 shift, int row, int lane, wide_vec3 *way,
                                          wide *inverse_mass)
{
    const int32_t *members = e->members + row * LANES + lane;
    *way = gather_ways(e->b->move, members, inverse_mass);
    wide_vec3 goal = wide_mat3_mul_vec(R, offsets_of(member_row(e, row, lane)));
    return wide_vec3_add(wide_vec3_sub(goal, arms_of(member_arms(e, row, lane))),
                         wide_vec3_sub(shift, *way));
}

// Angular momentum (per mass and substep) that the correction to the goals of R takes away.
static vec3 carried_momentum(const explicit_group *e, const wide_mat3 *R, vec3 change)
{
    const group_span *b = e->b;
    const wide zero = wide_all(0.0f);
    wide_vec3 shift = wide_vec3_all(change), way;
    wide inverse_mass;
    vector_sums sums;
    for (int lane = 0; lane < LANES; lane += WIDE) {
        wide_vec3 sum = {zero, zero, zero};
        for (int k = 0; k < e->row_count; ++k) {
            wide_vec3 d = explicit_correction(e, R, shift, k, lane, &way, &inverse_mass);
            wide_vec3 moment = wide_vec3_cross(d, arms_of(member_arms(e, k, lane)));
            sum = wide_vec3_add_scaled(sum, moment, wide_load(member_row(e, k, lane)->weight));
        }
        for (int k = 0; k < e->oriented_rows; ++k) {
            const int32_t *members = e->members + k * LANES + lane;
            wide_mat3 then = wide_quat_to_mat3(turns_from_rest(b, b->turn_start, members));
            wide_mat3 now = wide_quat_to_mat3(turns_from_rest(b, b->turn, members));
            wide_mat3 excess = wide_mat3_sub(&now, R);
            wide_mat3 own = wide_mat3_mul_sym3(&excess, member_spreads(e, k, lane));
            wide_mat3 N = wide_mat3_mul_transpose(&own, &then);
            sum = wide_vec3_add(sum, wide_mat3_axial(&N));
        }
        put_vectors(&sums, lane, sum);
    }
    return sum_vectors(&sums);
}

WIDE_INLINE wide_mat3 all_of_matrix(const mat3 *R)
{
    wide_mat3 all;
    WIDE_UNROLL
    for (int i = 0; i < 3; ++i)
        WIDE_UNROLL
    for (int j = 0; j < 3; ++j)
        all.m[i][j] = wide_all(R->m[i][j]);
    return all;
}

static void move_explicit(const explicit_group *e, int index, const wide_mat3 *R, vec3 change)
{
    const wide zero = wide_all(0.0f), alpha = wide_all(e->b->alpha[index]);
    wide_vec3 shift = wide_vec3_all(change), way;
    wide inverse_mass, most = zero;
    vector_sums sums;
    for (int lane = 0; lane < LANES; lane += WIDE) {
        wide_vec3 sum = {zero, zero, zero};
        for (int k = 0; k < e->row_count; ++k) {
            wide_vec3 d = explicit_correction(e, R, shift, k, lane, &way, &inverse_mass);
            wide weight = wide_load(member_row(e, k, lane)->weight);
            sum = wide_vec3_add_scaled(sum, d, weight);
            most = wide_maximum(most, wide_select(weight > zero, wide_vec3_dot(d, d), zero));
        }
        put_vectors(&sums, lane, sum);
    }
    if (!wide_any(most > wide_all(e->b->start_limit2[index])))
        return;
    wide_vec3 mean = wide_vec3_all(sum_vectors(&sums));
    for (int slot = 0; slot < e->g->slot_count; slot += WIDE) {
        int row = slot / LANES, lane = slot % LANES;
        wide_vec3 d = explicit_correction(e, R, shift, row, lane, &way, &inverse_mass);
        wide_vec3 moved = wide_vec3_add_scaled(way, wide_vec3_sub(d, mean), alpha);
        moved = wide_vec3_select(inverse_mass > zero, moved, way);
        const wide parts[4] = {moved.x, moved.y, moved.z, inverse_mass};
        wide_scatter_quads(e->b->move, e->members + row * LANES + lane, 1, parts);
    }
}

// Rotations that differ by less than rounding are left alone, as places are: by an angular momentum H r that the rounding
// of a moment matrix may have. About the axis of a thin group that is a large angle, about others it is not.
static void turn_explicit(const explicit_group *e, int index, quat R, const mat3 *M)
{
    const group_span *b = e->b;
    float s = b->alpha[index], trace = mat3_trace(M), noise = ROTATION_ROUNDING * trace;
    for (int k = 0; k < e->g->turned_count; ++k) {
        int32_t i = e->members[k] / SLOT_STRIDE;
        quat goal = turn_from_bind(R, b->rest_turn, i);
        quat r = quat_mul(goal, quat_conjugate(b->turn[i]));
        vec3 v = {r.x, r.y, r.z}, momentum = vec3_sub(vec3_scale(v, trace), mat3_mul_vec(M, v));
        if (b->move[i].inverse_mass == 0.0f || vec3_dot(momentum, momentum) < noise * noise)
            continue;
        b->turn[i] = s == 1.0f ? goal : quat_slerp(b->turn[i], goal, s);
    }
}

static int solve_explicit(const group_span *b, int index)
{
    if (!b->rest->is_movable[index])
        return 0;
    explicit_group e = explicit_of(b, index);
    int32_t first = e.members[0] / SLOT_STRIDE;
    int rescues = 0;
    mat3 A;
    vec3 shift = find_explicit_change(&e, &b->start_moment[index], &A), delta;
    quat predicted = turn_from_rest(b->turn[first], b->rest_turn, first);
    quat R = pli_rotation_extract(&A, predicted, &rescues);
    mat3 one = quat_to_mat3(R);
    wide_mat3 all = all_of_matrix(&one);
    for (int i = 0; i < 2; ++i) {
        vec3 carried = carried_momentum(&e, &all, shift);
        if (!pli_rotation_momentum_step(&one, &b->start_moment[index], carried, &delta))
            break;
        R = quat_turn(R, delta);
        one = quat_to_mat3(R);
        all = all_of_matrix(&one);
    }
    move_explicit(&e, index, &all, shift);
    mat3 M = mat3_mul_transpose(one, b->start_moment[index]);
    turn_explicit(&e, index, R, &M);
    return rescues;
}
