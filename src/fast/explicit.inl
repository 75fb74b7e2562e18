// Explicit shape matching groups, eight members at once. Sums over members are eight sums, which are then added in
// order. Slots beyond the last member repeat it, without weight.

typedef struct explicit_group {
    const group_span *b;
    const group *g;
    const slot_row *rows;
    const arm_row *arms;
    const int32_t *members;
    int row_count, oriented_rows;
} explicit_group;

WIDE_INLINE explicit_group explicit_of(const group_span *b, int index)
{
    const group *g = &b->model->groups[index];
    return (explicit_group){.b = b,
                            .g = g,
                            .rows = b->rest->rows + g->first_slot / LANES,
                            .arms = b->arms + g->first_slot / LANES,
                            .members = b->model->slot_particles + g->first_slot,
                            .row_count = (g->slot_count + LANES - 1) / LANES,
                            .oriented_rows = (g->oriented_count + LANES - 1) / LANES};
}

WIDE_INLINE float sum_lanes(wide a)
{
    float sum = a[0];
    for (int i = 1; i < WIDE; ++i)
        sum += a[i];
    return sum;
}

WIDE_INLINE vec3 sum_vectors(wide_vec3 a)
{
    return (vec3){sum_lanes(a.x), sum_lanes(a.y), sum_lanes(a.z)};
}

WIDE_INLINE mat3 sum_matrices(const wide_mat3 *a)
{
    mat3 sum;
    WIDE_UNROLL
    for (int i = 0; i < 3; ++i)
        WIDE_UNROLL
    for (int j = 0; j < 3; ++j)
        sum.m[i][j] = sum_lanes(a->m[i][j]);
    return sum;
}

WIDE_INLINE wide_sym3 member_spreads(const explicit_group *e, int row)
{
    return spreads_of(&e->b->rest->spreads[e->g->first_spread / LANES + row]);
}

WIDE_INLINE void add_matrix(wide_mat3 *to, const wide_mat3 *from)
{
    WIDE_UNROLL
    for (int i = 0; i < 3; ++i)
        WIDE_UNROLL
    for (int j = 0; j < 3; ++j)
        to->m[i][j] += from->m[i][j];
}

WIDE_INLINE wide_mat3 subtract_matrix(const wide_mat3 *a, const wide_mat3 *b)
{
    wide_mat3 r;
    WIDE_UNROLL
    for (int i = 0; i < 3; ++i)
        WIDE_UNROLL
    for (int j = 0; j < 3; ++j)
        r.m[i][j] = a->m[i][j] - b->m[i][j];
    return r;
}

static void prepare_explicit(const group_span *b, int index)
{
    const wide zero = wide_all(0.0f);
    explicit_group e = explicit_of(b, index);
    arm_row *arms = b->arms + e.g->first_slot / LANES;
    vec3 reference = b->start[e.members[0]];
    wide_vec3 centre = {zero, zero, zero};
    wide_mat3 A = {0};
    wide limit = zero;
    for (int k = 0; k < e.row_count; ++k) {
        wide_vec3 start = wide_vec3_gather(b->start, e.members + k * LANES, sizeof(vec3), NULL);
        wide_vec3 offset = offsets_of(&e.rows[k]);
        wide_vec3 arm = wide_vec3_sub(start, wide_vec3_all(reference));
        wide_vec3 d = wide_vec3_scale(arm, wide_load(e.rows[k].weight));
        centre = wide_vec3_add(centre, d);
        wide_mat3_add_outer(&A, d, offset);
        limit = wide_maximum(limit, wide_all(PLACE_ROUNDING) * sum_of_sizes(start, offset));
        store_arms(&arms[k], arm);
    }
    wide_vec3 middle = wide_vec3_all(sum_vectors(centre));
    for (int k = 0; k < e.row_count; ++k)
        store_arms(&arms[k], wide_vec3_sub(arms_of(&arms[k]), middle));
    for (int k = 0; k < e.oriented_rows; ++k) {
        wide_mat3 R = wide_quat_to_mat3(turns_from_rest(b, b->turn_start, e.members + k * LANES));
        wide_mat3 own = wide_mat3_mul_sym3(&R, member_spreads(&e, k));
        add_matrix(&A, &own);
    }
    float largest = 0.0f;
    for (int i = 0; i < WIDE; ++i)
        largest = maximum(largest, limit[i]);
    b->start_moment[index] = sum_matrices(&A);
    b->start_limit2[index] = largest * largest;
}

// Σ w m and A as they are now.
WIDE_INLINE vec3 find_explicit_change(const explicit_group *e, const mat3 *start_moment, mat3 *A)
{
    const group_span *b = e->b;
    const wide zero = wide_all(0.0f);
    wide_vec3 shift = {zero, zero, zero};
    wide_mat3 moment = {0};
    for (int k = 0; k < e->row_count; ++k) {
        wide_vec3 way =
            wide_vec3_gather(b->move, e->members + k * LANES, sizeof(particle_move), NULL);
        wide_vec3 m = wide_vec3_scale(way, wide_load(e->rows[k].weight));
        shift = wide_vec3_add(shift, m);
        wide_mat3_add_outer(&moment, m, offsets_of(&e->rows[k]));
    }
    for (int k = 0; k < e->oriented_rows; ++k) {
        const int32_t *members = e->members + k * LANES;
        wide_mat3 then = wide_quat_to_mat3(turns_from_rest(b, b->turn_start, members));
        wide_mat3 now = wide_quat_to_mat3(turns_from_rest(b, b->turn, members));
        wide_mat3 turned = subtract_matrix(&now, &then);
        wide_mat3 own = wide_mat3_mul_sym3(&turned, member_spreads(e, k));
        add_matrix(&moment, &own);
    }
    *A = mat3_add(*start_moment, sum_matrices(&moment));
    return sum_vectors(shift);
}

WIDE_INLINE wide_vec3 explicit_correction(const explicit_group *e, const wide_mat3 *R,
                                          wide_vec3 shift, int row, wide_vec3 *way,
                                          wide *inverse_mass)
{
    *way =
        wide_vec3_gather(e->b->move, e->members + row * LANES, sizeof(particle_move), inverse_mass);
    wide_vec3 goal = wide_mat3_mul_vec(R, offsets_of(&e->rows[row]));
    return wide_vec3_add(wide_vec3_sub(goal, arms_of(&e->arms[row])), wide_vec3_sub(shift, *way));
}

// Angular momentum (per mass and substep) that the correction to the goals of R takes away.
static vec3 carried_momentum(const explicit_group *e, const wide_mat3 *R, vec3 change)
{
    const group_span *b = e->b;
    const wide zero = wide_all(0.0f);
    wide_vec3 shift = wide_vec3_all(change), sum = {zero, zero, zero}, way;
    wide inverse_mass;
    for (int k = 0; k < e->row_count; ++k) {
        wide_vec3 d = explicit_correction(e, R, shift, k, &way, &inverse_mass);
        wide_vec3 moment = wide_vec3_cross(d, arms_of(&e->arms[k]));
        sum = wide_vec3_add_scaled(sum, moment, wide_load(e->rows[k].weight));
    }
    for (int k = 0; k < e->oriented_rows; ++k) {
        const int32_t *members = e->members + k * LANES;
        wide_mat3 then = wide_quat_to_mat3(turns_from_rest(b, b->turn_start, members));
        wide_mat3 now = wide_quat_to_mat3(turns_from_rest(b, b->turn, members));
        wide_mat3 excess = subtract_matrix(&now, R);
        wide_mat3 own = wide_mat3_mul_sym3(&excess, member_spreads(e, k));
        wide_mat3 N = wide_mat3_mul_transpose(&own, &then);
        sum = wide_vec3_add(sum, wide_mat3_axial(&N));
    }
    return sum_vectors(sum);
}

WIDE_INLINE wide_mat3 all_of_matrix(quat q)
{
    mat3 R = quat_to_mat3(q);
    wide_mat3 all;
    WIDE_UNROLL
    for (int i = 0; i < 3; ++i)
        WIDE_UNROLL
    for (int j = 0; j < 3; ++j)
        all.m[i][j] = wide_all(R.m[i][j]);
    return all;
}

static void move_explicit(const explicit_group *e, int index, const wide_mat3 *R, vec3 change)
{
    const wide zero = wide_all(0.0f), alpha = wide_all(e->b->alpha[index]);
    wide_vec3 shift = wide_vec3_all(change), way, sum = {zero, zero, zero};
    wide inverse_mass, most = zero;
    for (int k = 0; k < e->row_count; ++k) {
        wide_vec3 d = explicit_correction(e, R, shift, k, &way, &inverse_mass);
        wide weight = wide_load(e->rows[k].weight);
        sum = wide_vec3_add_scaled(sum, d, weight);
        most = wide_maximum(most, wide_select(weight > zero, wide_vec3_dot(d, d), zero));
    }
    if (!wide_any(most > wide_all(e->b->start_limit2[index])))
        return;
    wide_vec3 mean = wide_vec3_all(sum_vectors(sum));
    for (int k = 0; k < e->row_count; ++k) {
        wide_vec3 d = explicit_correction(e, R, shift, k, &way, &inverse_mass);
        wide_vec3 moved = wide_vec3_add_scaled(way, wide_vec3_sub(d, mean), alpha);
        moved = wide_vec3_select(inverse_mass > zero, moved, way);
        const wide parts[4] = {moved.x, moved.y, moved.z, inverse_mass};
        wide_scatter_quads(e->b->move, e->members + k * LANES, sizeof(particle_move), parts);
    }
}

// Rotations that differ by less than rounding are left alone, as places are.
static void turn_explicit(const explicit_group *e, int index, quat R)
{
    const group_span *b = e->b;
    float s = b->alpha[index], noise = b->rest->rotation_noise[index];
    for (int k = 0; k < e->g->turned_count; ++k) {
        int32_t i = e->members[k];
        quat goal = turn_from_bind(R, b->rest_turn, i);
        quat r = quat_mul(goal, quat_conjugate(b->turn[i]));
        if (b->move[i].inverse_mass == 0.0f ||
            4.0f * (r.x * r.x + r.y * r.y + r.z * r.z) <= noise * noise)
            continue;
        b->turn[i] = s == 1.0f ? goal : quat_slerp(b->turn[i], goal, s);
    }
}

static int solve_explicit(const group_span *b, int index)
{
    if (!b->rest->is_movable[index])
        return 0;
    explicit_group e = explicit_of(b, index);
    int32_t first = e.members[0];
    int rescues = 0;
    mat3 A;
    vec3 shift = find_explicit_change(&e, &b->start_moment[index], &A), delta;
    quat predicted = turn_from_rest(b->turn[first], b->rest_turn, first);
    quat R = pliant_rotation_extract(&A, predicted, &rescues);
    wide_mat3 all = all_of_matrix(R);
    for (int i = 0; i < 2; ++i) {
        vec3 carried = carried_momentum(&e, &all, shift);
        if (!pliant_rotation_momentum_step(R, &b->start_moment[index], carried, &delta))
            break;
        R = quat_turn(R, delta);
        all = all_of_matrix(R);
    }
    move_explicit(&e, index, &all, shift);
    turn_explicit(&e, index, R);
    return rescues;
}
