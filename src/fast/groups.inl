// Implicit shape matching groups, eight to a batch: see world/groups.c for what is solved. A batch's lanes are
// taken WIDE at a time, from `lane` on.

// Rows whose numbers are kept from one pass over the members to the next; those of larger groups are read again.
enum { KEPT_ROWS = 32 };

// Lanes of a batch on their way through the solver.
typedef struct group_lanes {
    const group_span *b;
    const slot_row *rows;
    const arm_row *arms;
    const int32_t *members; // offsets, row after row
    const batch_start *from;
    int row_count, index, lane;
    wide_mask acting, good; // good: in which the last step can be taken
    wide noise;
    wide length2;                     // |polar|²
    wide_quat predicted, polar, turn; // of the centres
    wide_vec3 shift;                  // Σ w m
    wide_vec3 angular;                // momentum that the moves carry
    wide_vec3 step;                   // rotation vector
    wide_mat3 A, S, R;                // S: what the next step is found from
    struct kept_rows *kept;
} group_lanes;

typedef struct kept_rows {
    wide_vec3 way[KEPT_ROWS];
    wide inverse_mass[KEPT_ROWS];
    wide_vec3 correction[KEPT_ROWS];
} kept_rows;

WIDE_INLINE wide_vec3 offsets_of(const slot_row *row, int lane)
{
    return (wide_vec3){wide_load(row->x + lane), wide_load(row->y + lane),
                       wide_load(row->z + lane)};
}

WIDE_INLINE wide_vec3 arms_of(const arm_row *row, int lane)
{
    return (wide_vec3){wide_load(row->x + lane), wide_load(row->y + lane),
                       wide_load(row->z + lane)};
}

WIDE_INLINE void store_arms(arm_row *row, int lane, wide_vec3 arm)
{
    wide_store(row->x + lane, arm.x);
    wide_store(row->y + lane, arm.y);
    wide_store(row->z + lane, arm.z);
}

WIDE_INLINE wide_sym3 spreads_of(const spread_row *row, int lane)
{
    return (wide_sym3){wide_load(row->xx + lane), wide_load(row->xy + lane),
                       wide_load(row->xz + lane), wide_load(row->yy + lane),
                       wide_load(row->yz + lane), wide_load(row->zz + lane)};
}

_Static_assert(sizeof(particle_move) == SLOT_STRIDE && sizeof(quat) == SLOT_STRIDE,
               "slots name both by offsets");

WIDE_INLINE wide_vec3 gather_ways(const particle_move *move, const int32_t *offsets,
                                  wide *inverse_mass)
{
    return wide_vec3_gather(move, offsets, 1, inverse_mass);
}

WIDE_INLINE wide_quat gather_turns(const quat *turn, const int32_t *offsets)
{
    wide parts[4];
    wide_gather_quads(turn, offsets, 1, parts);
    return (wide_quat){parts[0], parts[1], parts[2], parts[3]};
}

WIDE_INLINE wide_vec3 gather_places(const vec3 *start, const int32_t *offsets)
{
    int32_t index[WIDE];
    for (int i = 0; i < WIDE; ++i)
        index[i] = (int32_t)((uint32_t)offsets[i] / SLOT_STRIDE);
    return wide_vec3_gather(start, index, sizeof *start, NULL);
}

WIDE_INLINE wide_quat turns_from_rest(const group_span *b, const quat *turns,
                                      const int32_t *members)
{
    wide_quat turn = gather_turns(turns, members);
    if (!b->rest_turn)
        return turn;
    return wide_quat_mul(turn, wide_quat_conjugate(gather_turns(b->rest_turn, members)));
}

// ---------------------------------------------------------------------------------------------
// The start of a substep

WIDE_INLINE wide sum_of_sizes(wide_vec3 a, wide_vec3 b)
{
    return wide_absolute(a.x) + wide_absolute(a.y) + wide_absolute(a.z) + wide_absolute(b.x) +
           wide_absolute(b.y) + wide_absolute(b.z);
}

WIDE_INLINE wide norm_of(const wide_mat3 *a)
{
    wide sum = wide_all(0.0f);
    WIDE_UNROLL
    for (int i = 0; i < 3; ++i)
        sum += wide_vec3_dot(wide_mat3_row(a, i), wide_mat3_row(a, i));
    return wide_square_root(sum);
}

WIDE_INLINE void prepare_lanes(const group_span *b, int index, int lane)
{
    const group_rows *at = &b->model->group_rows[index];
    const int32_t *members = b->model->slot_offsets + at->first * LANES + lane;
    const slot_row *rows = b->rest->rows + at->first;
    arm_row *arms = b->arms + at->first;
    batch_start *out = &b->batch_starts[index];
    wide_vec3 reference = gather_places(b->start, members);
    wide_vec3 centre = {wide_all(0.0f), wide_all(0.0f), wide_all(0.0f)};
    wide_mat3 A = {0};
    wide limit = wide_all(0.0f);
    for (int k = 0; k < at->count; ++k) {
        wide_vec3 start = gather_places(b->start, members + k * LANES);
        wide_vec3 offset = offsets_of(&rows[k], lane), arm = wide_vec3_sub(start, reference);
        wide_vec3 d = wide_vec3_scale(arm, wide_load(rows[k].weight + lane));
        centre = wide_vec3_add(centre, d);
        wide_mat3_add_outer(&A, d, offset);
        limit = wide_maximum(limit, wide_all(PLACE_ROUNDING) * sum_of_sizes(start, offset));
        store_arms(&arms[k], lane, arm);
    }
    for (int k = 0; k < at->count; ++k) {
        wide_vec3 arm = wide_vec3_sub(arms_of(&arms[k], lane), centre);
        store_arms(&arms[k], lane, arm);
    }
    wide_quat turn = turns_from_rest(b, b->turn_start, members);
    wide_mat3 R = wide_quat_to_mat3(turn);
    wide_mat3 own = wide_mat3_mul_sym3(&R, spreads_of(&b->rest->spreads[index], lane));
    WIDE_UNROLL
    for (int i = 0; i < 3; ++i)
        WIDE_UNROLL
    for (int j = 0; j < 3; ++j) {
        A.m[i][j] += own.m[i][j];
        wide_store(out->moment[i][j] + lane, A.m[i][j]);
    }
    wide_store(out->scale + lane, wide_all(1.0f) / norm_of(&A));
    wide_store(out->turn[0] + lane, turn.x);
    wide_store(out->turn[1] + lane, turn.y);
    wide_store(out->turn[2] + lane, turn.z);
    wide_store(out->turn[3] + lane, turn.w);
    wide_store(out->limit2 + lane, limit * limit);
}

static void prepare_groups(const group_span *b, int first, int end)
{
    for (int i = first; i < end; ++i)
        for (int lane = 0; lane < LANES; lane += WIDE)
            prepare_lanes(b, i, lane);
}

// ---------------------------------------------------------------------------------------------
// An iteration

// Groups that take part: see is_acting in world/groups.c.
WIDE_INLINE wide_mask acting_lanes(const group_span *b, int first, int count, bool only_rigid)
{
    wide_mask lanes = wide_lanes(count);
    if (only_rigid)
        lanes &= wide_load(b->alpha + first) == wide_all(1.0f);
    if (b->model->has_dents)
        for (int k = 0; k < WIDE && k < count; ++k)
            if ((b->loose[first + k] > 0.0f) != b->model->groups[first + k].stands_in)
                lanes[k] = 0;
    return lanes;
}

// What the moves have done so far: Σ w m, A - A_t and the angular momentum that they carry.
WIDE_INLINE void find_change(group_lanes *w)
{
    const wide zero = wide_all(0.0f);
    wide_vec3 shift = {zero, zero, zero}, sum = {zero, zero, zero};
    wide_mat3 A = {0};
    for (int k = 0; k < w->row_count; ++k) {
        wide inverse_mass;
        wide_vec3 way = gather_ways(w->b->move, w->members + k * LANES, &inverse_mass);
        if (k < KEPT_ROWS) {
            w->kept->way[k] = way;
            w->kept->inverse_mass[k] = inverse_mass;
        }
        wide_vec3 m = wide_vec3_scale(way, wide_load(w->rows[k].weight + w->lane));
        shift = wide_vec3_add(shift, m);
        wide_mat3_add_outer(&A, m, offsets_of(&w->rows[k], w->lane));
        sum = wide_vec3_add(sum, wide_vec3_cross(arms_of(&w->arms[k], w->lane), m));
    }
    w->shift = shift;
    w->A = A;
    w->angular = sum;
}

// sin² of half the angle between two rotations
WIDE_INLINE wide turned_by(wide_quat to, wide_quat from)
{
    wide_quat r = wide_quat_mul(to, wide_quat_conjugate(from));
    return r.x * r.x + r.y * r.y + r.z * r.z;
}

// See gains_spin in world/groups.c.
WIDE_INLINE wide_mask gains_spin(wide_quat R, wide_quat polar, wide_quat predicted, wide_quat start)
{
    wide most = wide_maximum(turned_by(predicted, start), turned_by(polar, start));
    return turned_by(R, start) > wide_all(1.002f) * most + wide_all(1e-12f);
}

WIDE_INLINE wide_mat3 load_moment(const batch_start *from, int lane)
{
    wide_mat3 A;
    WIDE_UNROLL
    for (int i = 0; i < 3; ++i)
        WIDE_UNROLL
    for (int j = 0; j < 3; ++j)
        A.m[i][j] = wide_load(from->moment[i][j] + lane);
    return A;
}

WIDE_INLINE wide_quat load_turn(const batch_start *from, int lane)
{
    return (wide_quat){wide_load(from->turn[0] + lane), wide_load(from->turn[1] + lane),
                       wide_load(from->turn[2] + lane), wide_load(from->turn[3] + lane)};
}

// The centres' own part in the change, and A as it is now.
WIDE_INLINE void add_own_moment(group_lanes *w)
{
    wide_mat3 then = wide_quat_to_mat3(load_turn(w->from, w->lane));
    wide_mat3 now = wide_quat_to_mat3(w->predicted), own = wide_mat3_sub(&now, &then);
    own = wide_mat3_mul_sym3(&own, spreads_of(&w->b->rest->spreads[w->index], w->lane));
    wide_mat3 N = wide_mat3_mul_transpose(&own, &then);
    w->angular = wide_vec3_add(w->angular, wide_mat3_axial(&N));
    wide_mat3 A_start = load_moment(w->from, w->lane), A = wide_mat3_add(&w->A, &own);
    w->A = wide_mat3_add(&A_start, &A);
    w->R = now;
}

WIDE_INLINE void compare_with_prediction(group_lanes *w)
{
    wide_mat3 a = wide_mat3_scale(w->A, wide_load(w->from->scale + w->lane));
    w->S = wide_mat3_transpose_mul(&w->R, &a);
}

WIDE_INLINE void find_polar_step(group_lanes *w)
{
    w->good = w->acting & newton_step(&w->S, &w->step);
}

// The rotation closest to A. One step is mostly enough.
WIDE_INLINE int take_polar_step(group_lanes *w)
{
    wide w2 = wide_vec3_dot(w->step, w->step);
    wide_quat q = wide_quat_mul(w->predicted, half_step(w->step));
    w->length2 = wide_select(w->good, step_length2(w2), wide_all(1.0f));
    w->polar = wide_quat_select(w->good, q, w->predicted);
    wide_mask active = w->good & ~is_last_step(w2), failed = w->acting & ~w->good;
    int rescues = 0;
    if (wide_any(active | failed)) {
        // Copies, so that the ones that matter need not be in memory.
        wide_mat3 A = w->A;
        wide_quat previous = w->predicted, polar = w->polar;
        wide length2 = w->length2;
        rescues = rotation_go_on(&A, wide_load(w->from->scale + w->lane), &previous, active, failed,
                                 &polar, &length2);
        w->polar = polar;
        w->length2 = length2;
    }
    w->R = wide_quat_to_scaled_mat3(w->polar, wide_all(2.0f) / w->length2);
    return rescues;
}

WIDE_INLINE void compare_with_start(group_lanes *w)
{
    wide_mat3 A_start = load_moment(w->from, w->lane);
    w->S = wide_mat3_mul_transpose(&w->R, &A_start);
}

WIDE_INLINE void find_momentum_step(group_lanes *w)
{
    wide_vec3 delta;
    w->good = momentum_step(&w->S, w->angular, &delta);
    w->step = wide_vec3_scale(delta, wide_all(0.99f));
}

// The rotation that fits, turned to keep angular momentum.
WIDE_INLINE void take_momentum_step(group_lanes *w)
{
    wide longer = w->length2 * step_length2(wide_vec3_dot(w->step, w->step));
    wide length2 = wide_select(w->good, longer, w->length2);
    wide_quat R = wide_quat_mul(half_step(w->step), w->polar);
    R = wide_quat_select(w->good, R, w->polar);
    wide_mat3 P = w->R;
    w->R = wide_quat_to_scaled_mat3(R, wide_all(2.0f) / length2);
    w->turn = wide_quat_normalize(R);
    wide_mask thin = w->noise >= wide_all(THIN_GROUP_NOISE);
    if (wide_any(thin)) {
        wide_quat polar = wide_quat_normalize(w->polar), start = load_turn(w->from, w->lane);
        thin &= gains_spin(w->turn, polar, w->predicted, start);
        w->turn = wide_quat_select(thin, polar, w->turn);
        w->R = wide_mat3_select(thin, P, w->R);
    }
}

WIDE_INLINE wide_vec3 correction_of(const group_lanes *w, int row, wide_vec3 way)
{
    wide_vec3 goal = wide_mat3_mul_vec(&w->R, offsets_of(&w->rows[row], w->lane));
    return wide_vec3_add(wide_vec3_sub(goal, arms_of(&w->arms[row], w->lane)),
                         wide_vec3_sub(w->shift, way));
}

WIDE_INLINE wide_vec3 way_of_row(const group_lanes *w, int row, wide *inverse_mass)
{
    if (row < KEPT_ROWS) {
        *inverse_mass = w->kept->inverse_mass[row];
        return w->kept->way[row];
    }
    return gather_ways(w->b->move, w->members + row * LANES, inverse_mass);
}

// The mean of the corrections, and the square of the largest.
WIDE_INLINE wide_vec3 find_corrections(group_lanes *w, wide *largest)
{
    const wide zero = wide_all(0.0f);
    wide_vec3 mean = {zero, zero, zero};
    wide most = zero;
    for (int k = 0; k < w->row_count; ++k) {
        wide inverse_mass;
        wide_vec3 d = correction_of(w, k, way_of_row(w, k, &inverse_mass));
        if (k < KEPT_ROWS)
            w->kept->correction[k] = d;
        wide weight = wide_load(w->rows[k].weight + w->lane);
        mean = wide_vec3_add_scaled(mean, d, weight);
        most = wide_maximum(most, wide_select(weight > zero, wide_vec3_dot(d, d), zero));
    }
    *largest = most;
    return mean;
}

// From the last row to the first, so that what slots beyond a group's own write to its centre is overwritten.
WIDE_INLINE void move_members(group_lanes *w, wide_vec3 mean, wide alpha, wide_mask moving)
{
    for (int k = w->row_count - 1; k >= 0; --k) {
        wide inverse_mass;
        wide_vec3 way = way_of_row(w, k, &inverse_mass);
        wide_vec3 d = k < KEPT_ROWS ? w->kept->correction[k] : correction_of(w, k, way);
        wide_vec3 moved = wide_vec3_add_scaled(way, wide_vec3_sub(d, mean), alpha);
        moved = wide_vec3_select(moving & (inverse_mass > wide_all(0.0f)), moved, way);
        const wide parts[4] = {moved.x, moved.y, moved.z, inverse_mass};
        wide_scatter_quads(w->b->move, w->members + k * LANES, 1, parts);
    }
}

// Rotations that differ by less than rounding are left alone, as places are: of unit quaternions that are near each
// other the difference is half the angle between them.
WIDE_INLINE void turn_centres(const group_lanes *w)
{
    const group_span *b = w->b;
    wide_quat turn = w->predicted, R = w->turn;
    if (b->rest_turn) {
        turn = gather_turns(b->turn, w->members);
        R = wide_quat_normalize(wide_quat_mul(R, gather_turns(b->rest_turn, w->members)));
    }
    wide_quat d = {R.x - turn.x, R.y - turn.y, R.z - turn.z, R.w - turn.w};
    wide_mask turns = wide_all(4.0f) * wide_quat_dot(d, d) > w->noise * w->noise;
    turns &= w->acting & (w->kept->inverse_mass[0] > wide_all(0.0f));
    R = wide_quat_select(turns, R, turn);
    const wide parts[4] = {R.x, R.y, R.z, R.w};
    wide_scatter_quads(b->turn, w->members, 1, parts);
}

WIDE_INLINE void move_to_goals(group_lanes *w)
{
    const group_span *b = w->b;
    int first = b->model->group_batches.batches[w->index].first + w->lane;
    wide largest;
    wide_vec3 mean = find_corrections(w, &largest);
    wide_mask moving = w->acting & (largest > wide_load(w->from->limit2 + w->lane));
    if (wide_any(moving))
        move_members(w, mean, wide_load(b->alpha + first), moving);
    turn_centres(w);
}

// False when no group of these lanes takes part.
WIDE_INLINE bool take_up(group_lanes *w, const group_span *b, int index, int lane, bool only_rigid)
{
    const batch *t = &b->model->group_batches.batches[index];
    const group_rows *at = &b->model->group_rows[index];
    int first = t->first + lane;
    w->acting = acting_lanes(b, first, t->count - lane, only_rigid);
    if (!wide_any(w->acting))
        return false;
    w->b = b;
    w->rows = b->rest->rows + at->first;
    w->arms = b->arms + at->first;
    w->members = b->model->slot_offsets + at->first * LANES + lane;
    w->from = &b->batch_starts[index];
    w->row_count = at->count;
    w->index = index;
    w->lane = lane;
    w->noise = wide_load(b->rest->rotation_noise + first);
    w->predicted = turns_from_rest(b, b->turn, w->members);
    return true;
}

#define FOR_EACH_LANES for (int i = 0; i < count; ++i)

WIDE_INLINE int solve_at_once(group_lanes *w, int count)
{
    int rescues = 0;
    FOR_EACH_LANES find_change(&w[i]);
    FOR_EACH_LANES add_own_moment(&w[i]);
    FOR_EACH_LANES compare_with_prediction(&w[i]);
    FOR_EACH_LANES find_polar_step(&w[i]);
    FOR_EACH_LANES rescues += take_polar_step(&w[i]);
    FOR_EACH_LANES compare_with_start(&w[i]);
    FOR_EACH_LANES find_momentum_step(&w[i]);
    FOR_EACH_LANES take_momentum_step(&w[i]);
    FOR_EACH_LANES move_to_goals(&w[i]);
    return rescues;
}

#undef FOR_EACH_LANES

// A rotation is a long chain of results that wait for each other. A few fits at a time, stage by stage, keep a
// processor busy that looks two or three hundred instructions ahead. In WASM what a stage leaves to the next costs
// more than that gains, and what is asked for ahead of time is not heard.
#if !defined(__wasm__)

enum { AT_ONCE = 4, BATCHES_AHEAD = 1 };

WIDE_INLINE void fetch(const void *from, size_t size)
{
    for (size_t i = 0; i < size; i += 64)
        __builtin_prefetch((const char *)from + i);
}

// Processors follow a stream by themselves, but not from one page of memory to the next, and there are many streams.
static void fetch_batch(const group_span *b, int index)
{
    const group_rows *at = &b->model->group_rows[index];
    size_t rows = (size_t)at->count;
    fetch(b->rest->rows + at->first, rows * sizeof(slot_row));
    fetch(b->arms + at->first, rows * sizeof(arm_row));
    fetch(b->model->slot_offsets + at->first * LANES, rows * LANES * sizeof(int32_t));
    fetch(&b->batch_starts[index], sizeof(batch_start));
    fetch(&b->rest->spreads[index], sizeof(spread_row));
}

// Returns how many fits needed the certain way.
static int solve_groups(const group_span *b, int first, int end, bool only_rigid)
{
    group_lanes work[AT_ONCE];
    kept_rows kept[AT_ONCE];
    int rescues = 0, count = 0;
    for (int i = 0; i < AT_ONCE; ++i)
        work[i].kept = &kept[i];
    for (int i = first; i < end; ++i) {
        const batch *t = &b->model->group_batches.batches[i];
        if (b->is_far && i + BATCHES_AHEAD < end)
            fetch_batch(b, i + BATCHES_AHEAD);
        for (int lane = 0; lane < t->count; lane += WIDE) {
            count += take_up(&work[count], b, i, lane, only_rigid);
            bool is_last = (t->together == 1 || i + 1 == end) && lane + WIDE >= t->count;
            if (count == AT_ONCE || is_last) {
                rescues += solve_at_once(work, count);
                count = 0;
            }
        }
    }
    return rescues;
}

#else

static int solve_groups(const group_span *b, int first, int end, bool only_rigid)
{
    int rescues = 0;
    kept_rows kept;
    for (int i = first; i < end; ++i) {
        for (int lane = 0; lane < b->model->group_batches.batches[i].count; lane += WIDE) {
            group_lanes w;
            w.kept = &kept;
            if (take_up(&w, b, i, lane, only_rigid))
                rescues += solve_at_once(&w, 1);
        }
    }
    return rescues;
}

#endif
