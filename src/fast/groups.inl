// Implicit shape matching groups, eight at once: see world/groups.c for what is solved.

// Rows whose numbers are kept from one pass over the members to the next; those of larger groups are read again.
enum { KEPT_ROWS = 24 };

// A batch of groups on its way through the solver.
typedef struct batch_work {
    const group_span *b;
    const slot_row *rows;
    const arm_row *arms;
    const int32_t *members; // row after row
    int row_count;
    wide_vec3 shift; // Σ w m
    wide_mat3 R;
    wide_vec3 way[KEPT_ROWS];
    wide inverse_mass[KEPT_ROWS];
    wide_vec3 correction[KEPT_ROWS];
} batch_work;

WIDE_INLINE wide_vec3 offsets_of(const slot_row *row)
{
    return (wide_vec3){wide_load(row->x), wide_load(row->y), wide_load(row->z)};
}

WIDE_INLINE wide_vec3 arms_of(const arm_row *row)
{
    return (wide_vec3){wide_load(row->x), wide_load(row->y), wide_load(row->z)};
}

WIDE_INLINE void store_arms(arm_row *row, wide_vec3 arm)
{
    wide_store(row->x, arm.x);
    wide_store(row->y, arm.y);
    wide_store(row->z, arm.z);
}

WIDE_INLINE wide_sym3 spreads_of(const spread_row *row)
{
    return (wide_sym3){wide_load(row->xx), wide_load(row->xy), wide_load(row->xz),
                       wide_load(row->yy), wide_load(row->yz), wide_load(row->zz)};
}

WIDE_INLINE wide_quat turns_from_rest(const group_span *b, const quat *turns,
                                      const int32_t *members)
{
    wide_quat turn = wide_quat_gather(turns, members);
    if (!b->rest_turn)
        return turn;
    return wide_quat_mul(turn, wide_quat_conjugate(wide_quat_gather(b->rest_turn, members)));
}

// ---------------------------------------------------------------------------------------------
// The start of a substep

WIDE_INLINE wide sum_of_sizes(wide_vec3 a, wide_vec3 b)
{
    return wide_absolute(a.x) + wide_absolute(a.y) + wide_absolute(a.z) + wide_absolute(b.x) +
           wide_absolute(b.y) + wide_absolute(b.z);
}

static void prepare_batch(const group_span *b, int index)
{
    const group_rows *at = &b->model->group_rows[index];
    const int32_t *members = b->model->slot_particles + at->first * LANES;
    const slot_row *rows = b->rest->rows + at->first;
    arm_row *arms = b->arms + at->first;
    batch_start *out = &b->batch_starts[index];
    wide_vec3 reference = wide_vec3_gather(b->start, members, sizeof(vec3), NULL);
    wide_vec3 centre = {wide_all(0.0f), wide_all(0.0f), wide_all(0.0f)};
    wide_mat3 A = {0};
    wide limit = wide_all(0.0f);
    for (int k = 0; k < at->count; ++k) {
        wide_vec3 start = wide_vec3_gather(b->start, members + k * LANES, sizeof(vec3), NULL);
        wide_vec3 offset = offsets_of(&rows[k]), arm = wide_vec3_sub(start, reference);
        wide_vec3 d = wide_vec3_scale(arm, wide_load(rows[k].weight));
        centre = wide_vec3_add(centre, d);
        wide_mat3_add_outer(&A, d, offset);
        limit = wide_maximum(limit, wide_all(PLACE_ROUNDING) * sum_of_sizes(start, offset));
        store_arms(&arms[k], arm);
    }
    for (int k = 0; k < at->count; ++k) {
        wide_vec3 arm = wide_vec3_sub(arms_of(&arms[k]), centre);
        store_arms(&arms[k], arm);
    }
    wide_quat turn = turns_from_rest(b, b->turn_start, members);
    wide_mat3 R = wide_quat_to_mat3(turn);
    wide_mat3 own = wide_mat3_mul_sym3(&R, spreads_of(&b->rest->spreads[index]));
    WIDE_UNROLL
    for (int i = 0; i < 3; ++i)
        WIDE_UNROLL
    for (int j = 0; j < 3; ++j)
        wide_store(out->moment[i][j], A.m[i][j] + own.m[i][j]);
    wide_store(out->turn[0], turn.x);
    wide_store(out->turn[1], turn.y);
    wide_store(out->turn[2], turn.z);
    wide_store(out->turn[3], turn.w);
    wide_store(out->limit2, limit * limit);
}

static void prepare_groups(const group_span *b, int first, int end)
{
    for (int i = first; i < end; ++i)
        prepare_batch(b, i);
}

// ---------------------------------------------------------------------------------------------
// An iteration

// Groups that take part: see is_acting in world/groups.c.
WIDE_INLINE wide_mask acting_lanes(const group_span *b, const batch *t, bool only_rigid)
{
    wide_mask lanes = wide_lanes(t->count);
    if (only_rigid)
        lanes &= wide_load(b->alpha + t->first) == wide_all(1.0f);
    if (b->model->has_dents)
        for (int k = 0; k < t->count; ++k)
            if ((b->loose[t->first + k] > 0.0f) != b->model->groups[t->first + k].stands_in)
                lanes[k] = 0;
    return lanes;
}

// What the moves have done so far: Σ w m, A - A_t and the angular momentum that they carry.
WIDE_INLINE void find_change(batch_work *w, wide_mat3 *moment, wide_vec3 *angular)
{
    const wide zero = wide_all(0.0f);
    wide_vec3 shift = {zero, zero, zero}, sum = {zero, zero, zero};
    wide_mat3 A = {0};
    for (int k = 0; k < w->row_count; ++k) {
        wide inverse_mass;
        wide_vec3 way = wide_vec3_gather(w->b->move, w->members + k * LANES, sizeof(particle_move),
                                         &inverse_mass);
        if (k < KEPT_ROWS) {
            w->way[k] = way;
            w->inverse_mass[k] = inverse_mass;
        }
        wide_vec3 m = wide_vec3_scale(way, wide_load(w->rows[k].weight));
        shift = wide_vec3_add(shift, m);
        wide_mat3_add_outer(&A, m, offsets_of(&w->rows[k]));
        sum = wide_vec3_add(sum, wide_vec3_cross(arms_of(&w->arms[k]), m));
    }
    w->shift = shift;
    *moment = A;
    *angular = sum;
}

// sin² of half the angle between two rotations
WIDE_INLINE wide turned_by(wide_quat to, wide_quat from)
{
    wide_quat r = wide_quat_mul(to, wide_quat_conjugate(from));
    return r.x * r.x + r.y * r.y + r.z * r.z;
}

// See gains_spin in world/groups.c.
WIDE_INLINE wide_mask gains_spin(wide noise, wide_quat R, wide_quat polar, wide_quat predicted,
                                 wide_quat start)
{
    wide most = wide_maximum(turned_by(predicted, start), turned_by(polar, start));
    return (noise >= wide_all(THIN_GROUP_NOISE)) &
           (turned_by(R, start) > wide_all(1.002f) * most + wide_all(1e-12f));
}

WIDE_INLINE wide_mat3 load_moment(const batch_start *from)
{
    wide_mat3 A;
    WIDE_UNROLL
    for (int i = 0; i < 3; ++i)
        WIDE_UNROLL
    for (int j = 0; j < 3; ++j)
        A.m[i][j] = wide_load(from->moment[i][j]);
    return A;
}

WIDE_INLINE wide_quat load_turn(const batch_start *from)
{
    return (wide_quat){wide_load(from->turn[0]), wide_load(from->turn[1]), wide_load(from->turn[2]),
                       wide_load(from->turn[3])};
}

// The rotation that fits, turned to keep angular momentum. `predicted` is the centres' turn.
WIDE_INLINE wide_quat fit_rotation(batch_work *w, int index, wide_quat predicted, wide noise,
                                   wide_mask acting, int *rescues)
{
    const batch_start *from = &w->b->batch_starts[index];
    wide_mat3 moment;
    wide_vec3 angular;
    find_change(w, &moment, &angular);
    wide_quat start = load_turn(from);
    wide_mat3 then = wide_quat_to_mat3(start), now = wide_quat_to_mat3(predicted), own;
    WIDE_UNROLL
    for (int i = 0; i < 3; ++i)
        WIDE_UNROLL
    for (int j = 0; j < 3; ++j)
        now.m[i][j] -= then.m[i][j];
    own = wide_mat3_mul_sym3(&now, spreads_of(&w->b->rest->spreads[index]));
    wide_mat3 N = wide_mat3_mul_transpose(&own, &then);
    angular = wide_vec3_add(angular, wide_mat3_axial(&N));
    wide_mat3 A_start = load_moment(from), A;
    WIDE_UNROLL
    for (int i = 0; i < 3; ++i)
        WIDE_UNROLL
    for (int j = 0; j < 3; ++j) {
        moment.m[i][j] += own.m[i][j];
        A.m[i][j] = A_start.m[i][j] + moment.m[i][j];
    }
    wide_quat polar = rotation_extract(&A, predicted, acting, rescues);
    wide_mat3 P = wide_quat_to_mat3(polar);
    wide_vec3 delta;
    wide_mask gains = momentum_step(&P, &A_start, angular, &delta);
    wide_quat step = half_step(wide_vec3_scale(delta, wide_all(0.99f)));
    wide_quat R = wide_quat_normalize(wide_quat_mul(step, polar));
    R = wide_quat_select(gains, R, polar);
    if (wide_any(noise >= wide_all(THIN_GROUP_NOISE)))
        R = wide_quat_select(gains_spin(noise, R, polar, predicted, start), polar, R);
    return R;
}

WIDE_INLINE wide_vec3 correction_of(const batch_work *w, int row, wide_vec3 way)
{
    wide_vec3 goal = wide_mat3_mul_vec(&w->R, offsets_of(&w->rows[row]));
    return wide_vec3_add(wide_vec3_sub(goal, arms_of(&w->arms[row])), wide_vec3_sub(w->shift, way));
}

WIDE_INLINE wide_vec3 way_of_row(const batch_work *w, int row, wide *inverse_mass)
{
    if (row < KEPT_ROWS) {
        *inverse_mass = w->inverse_mass[row];
        return w->way[row];
    }
    return wide_vec3_gather(w->b->move, w->members + row * LANES, sizeof(particle_move),
                            inverse_mass);
}

// The mean of the corrections, and the square of the largest.
WIDE_INLINE wide_vec3 find_corrections(batch_work *w, wide *largest)
{
    const wide zero = wide_all(0.0f);
    wide_vec3 mean = {zero, zero, zero};
    wide most = zero;
    for (int k = 0; k < w->row_count; ++k) {
        wide inverse_mass;
        wide_vec3 d = correction_of(w, k, way_of_row(w, k, &inverse_mass));
        if (k < KEPT_ROWS)
            w->correction[k] = d;
        wide weight = wide_load(w->rows[k].weight);
        mean = wide_vec3_add_scaled(mean, d, weight);
        most = wide_maximum(most, wide_select(weight > zero, wide_vec3_dot(d, d), zero));
    }
    *largest = most;
    return mean;
}

// From the last row to the first, so that what slots beyond a group's own write to its centre is overwritten.
WIDE_INLINE void move_members(batch_work *w, wide_vec3 mean, wide alpha, wide_mask moving)
{
    for (int k = w->row_count - 1; k >= 0; --k) {
        wide inverse_mass;
        wide_vec3 way = way_of_row(w, k, &inverse_mass);
        wide_vec3 d = k < KEPT_ROWS ? w->correction[k] : correction_of(w, k, way);
        wide_vec3 moved = wide_vec3_add_scaled(way, wide_vec3_sub(d, mean), alpha);
        moved = wide_vec3_select(moving & (inverse_mass > wide_all(0.0f)), moved, way);
        const wide parts[4] = {moved.x, moved.y, moved.z, inverse_mass};
        wide_scatter_quads(w->b->move, w->members + k * LANES, sizeof(particle_move), parts);
    }
}

WIDE_INLINE void turn_centres(const batch_work *w, wide_quat R, wide noise, wide_mask acting)
{
    const group_span *b = w->b;
    wide_quat turn = wide_quat_gather(b->turn, w->members);
    if (b->rest_turn)
        R = wide_quat_normalize(wide_quat_mul(R, wide_quat_gather(b->rest_turn, w->members)));
    wide_mask turns = wide_all(4.0f) * turned_by(R, turn) > noise * noise;
    turns &= acting & (w->inverse_mass[0] > wide_all(0.0f));
    wide_quat_scatter(b->turn, w->members, wide_quat_select(turns, R, turn));
}

static int solve_batch(const group_span *b, int index, bool only_rigid)
{
    const batch *t = &b->model->group_batches.batches[index];
    const group_rows *at = &b->model->group_rows[index];
    wide_mask acting = acting_lanes(b, t, only_rigid);
    if (!wide_any(acting))
        return 0;
    batch_work w;
    w.b = b;
    w.rows = b->rest->rows + at->first;
    w.arms = b->arms + at->first;
    w.members = b->model->slot_particles + at->first * LANES;
    w.row_count = at->count;
    int rescues = 0;
    wide noise = wide_load(b->rest->rotation_noise + t->first);
    wide_quat predicted = turns_from_rest(b, b->turn, w.members);
    wide_quat R = fit_rotation(&w, index, predicted, noise, acting, &rescues);
    w.R = wide_quat_to_mat3(R);
    wide largest;
    wide_vec3 mean = find_corrections(&w, &largest);
    wide_mask moving = acting & (largest > wide_load(b->batch_starts[index].limit2));
    if (wide_any(moving))
        move_members(&w, mean, wide_load(b->alpha + t->first), moving);
    turn_centres(&w, R, noise, acting);
    return rescues;
}

// Returns how many fits needed the certain way.
static int solve_groups(const group_span *b, int first, int end, bool only_rigid)
{
    int rescues = 0;
    for (int i = first; i < end; ++i)
        rescues += solve_batch(b, i, only_rigid);
    return rescues;
}
