// An iteration over implicit groups.

// Of sheets a part of what is along the normal is left out.
WIDE_INLINE wide_vec3 without_bending(const group_lanes *w, wide_vec3 d)
{
    return wide_vec3_add_scaled(d, w->normal, -(w->pliable * wide_vec3_dot(w->normal, d)));
}

// To R o + centre from arm + way.
WIDE_INLINE wide_vec3 correction_of(const row_place *at, const wide_mat3 *R, wide_vec3 centre,
                                    wide_vec3 way)
{
    wide_vec3 goal = wide_mat3_mul_vec(R, offsets_of(at->rest));
    return wide_vec3_sub(wide_vec3_add(wide_vec3_sub(goal, arms_of(at->arms)), centre), way);
}

// Corrections that are above rounding are noted where there is a `limit2`, the square of that.
WIDE_INLINE void add_correction(const row_place *at, wide_vec3 d, wide_vec3 *mean,
                                const wide *limit2, wide_mask *is_above)
{
    *mean = wide_vec3_add_scaled(*mean, d, wide_load(at->rest->weight));
    if (limit2)
        *is_above |= wide_vec3_dot(d, d) > *limit2;
}

// Groups that move, by how much of their corrections but for the mean of these.
typedef struct moving_groups {
    wide_mask lanes;
    wide alpha;
    wide_vec3 mean;
} moving_groups;

// The corrections of the members after the first. Slots beyond a group's own have its centre's.
WIDE_INLINE void correct_members(const group_lanes *w, wide_vec3 *mean, const wide *limit2,
                                 wide_mask *is_above, bool elastic)
{
    const particle_move *move = w->b->move;
    const wide_mat3 R = w->R;
    const wide_vec3 centre = w->centre;
    wide_vec3 sum = *mean;
    kept_row *kept;
    row_place at = second_row(w, &kept);
    for (int left = w->kept_count - 1; left > 0; --left, ++kept, next_row(&at)) {
        wide_vec3 d = correction_of(&at, &R, centre, kept->way);
        if (elastic)
            d = without_bending(w, d);
        kept->correction = d;
        add_correction(&at, d, &sum, limit2, is_above);
    }
    for (int left = w->row_count - w->kept_count; left > 0; --left, next_row(&at)) {
        wide_vec3 d = correction_of(&at, &R, centre, gather_ways(move, at.members, NULL));
        if (elastic)
            d = without_bending(w, d);
        add_correction(&at, d, &sum, limit2, is_above);
    }
    *mean = sum;
}

// Corrections and their mean. A group moves when one of them is above rounding: that of the centre nearly always is.
WIDE_INLINE moving_groups find_corrections(const group_lanes *w, bool elastic)
{
    const wide zero = wide_all(0.0f);
    row_place at = first_row(w);
    wide_vec3 goal = wide_mat3_mul_vec(&w->R, offsets_of(at.rest));
    wide_vec3 d = wide_vec3_sub(wide_vec3_add(goal, w->centre), w->kept[0].way);
    if (elastic)
        d = without_bending(w, d);
    moving_groups m = {.alpha = w->alpha, .mean = {zero, zero, zero}};
    wide limit2 = wide_load(w->from->limit2);
    w->kept[0].correction = d;
    add_correction(&at, d, &m.mean, &limit2, &m.lanes);
    if (wide_any(w->acting & ~m.lanes))
        correct_members(w, &m.mean, &limit2, &m.lanes, elastic);
    else
        correct_members(w, &m.mean, NULL, NULL, elastic);
    m.lanes &= w->acting;
    return m;
}

// Towards way + d. To take nothing away leaves also a negative zero as it is, whatever happens in other lanes.
WIDE_INLINE wide moved_by(wide way, wide d, wide mean, wide alpha, wide_mask moving)
{
    return way - (wide)((wide_mask)(alpha * (mean - d)) & moving);
}

// By how much of its correction a member goes: elastic groups have shares.
WIDE_INLINE wide part_of_row(const group_lanes *w, const row_place *at, wide alpha, bool elastic)
{
    return elastic ? alpha * wide_load(w->shares[at->rest - w->rows].share) : alpha;
}

WIDE_INLINE void move_row(particle_move *move, const row_place *at, wide_vec3 way,
                          wide inverse_mass, wide_vec3 d, const moving_groups *m, wide alpha,
                          bool all_move)
{
    wide_mask moving = all_move ? ~(wide_mask){0} : m->lanes & (inverse_mass > wide_all(0.0f));
    const wide parts[4] = {moved_by(way.x, d.x, m->mean.x, alpha, moving),
                           moved_by(way.y, d.y, m->mean.y, alpha, moving),
                           moved_by(way.z, d.z, m->mean.z, alpha, moving), inverse_mass};
    wide_scatter_quads(move, at->members, 1, parts);
}

WIDE_INLINE void move_kept(const group_lanes *w, const moving_groups *m, bool all_move,
                           bool elastic)
{
    particle_move *move = w->b->move;
    row_place at = first_row(w);
    const kept_row *end = w->kept + w->kept_count;
    for (const kept_row *kept = w->kept; kept < end; ++kept, next_row(&at))
        move_row(move, &at, kept->way, kept->inverse_mass, kept->correction, m,
                 part_of_row(w, &at, m->alpha, elastic), all_move);
}

// Rows that are read again go first: what they do to a centre in slots beyond a group's own is written over.
WIDE_INLINE void move_members(const group_lanes *w, const moving_groups *m, bool elastic)
{
    particle_move *move = w->b->move;
    if (w->row_count > w->kept_count) {
        row_place at = first_row(w);
        for (int k = 0; k < w->kept_count; ++k)
            next_row(&at);
        for (int left = w->row_count - w->kept_count; left > 0; --left, next_row(&at)) {
            wide inverse_mass;
            wide_vec3 way = gather_ways(move, at.members, &inverse_mass);
            wide_vec3 d = correction_of(&at, &w->R, w->centre, way);
            if (elastic)
                d = without_bending(w, d);
            move_row(move, &at, way, inverse_mass, d, m, part_of_row(w, &at, m->alpha, elastic),
                     false);
        }
    }
    if (w->b->has_pins || wide_any(~m->lanes))
        move_kept(w, m, false, elastic);
    else
        move_kept(w, m, true, elastic);
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
    turns &= w->acting & (w->kept[0].inverse_mass > wide_all(0.0f));
    R = wide_quat_select(turns, R, turn);
    const wide parts[4] = {R.x, R.y, R.z, R.w};
    wide_scatter_quads(b->turn, w->members, 1, parts);
}

// A strain below this is rounding.
static const float STRAIN_ROUNDING = 1e-6f;

// The moment matrix of the places as they are now.
WIDE_INLINE wide_mat3 moment_of_places(const group_lanes *w)
{
    wide_mat3 A = {0}, B = load_matrix(w->from->places);
    row_place at = first_row(w);
    const kept_row *kept = w->kept;
    for (int left = w->kept_count; left > 0; --left, ++kept, next_row(&at))
        wide_mat3_add_outer(&A, wide_vec3_scale(kept->way, wide_load(at.rest->weight)),
                            offsets_of(at.rest));
    for (int left = w->row_count - w->kept_count; left > 0; --left, next_row(&at)) {
        wide_vec3 way = gather_ways(w->b->move, at.members, NULL);
        wide_mat3_add_outer(&A, wide_vec3_scale(way, wide_load(at.rest->weight)),
                            offsets_of(at.rest));
    }
    return wide_mat3_add(&B, &A);
}

// Elastic groups: goals are (D + R (1 - P) - R Y) o instead of R o, see world/elastic_groups.c. In the frame of the axes, with
// P the projection onto those that are not thin.
WIDE_INLINE void deform_goals(group_lanes *w)
{
    const elastic_row *e = w->elastic;
    const wide zero = wide_all(0.0f), one = wide_all(1.0f);
    wide_mat3 V = load_matrix(e->axes), A = moment_of_places(w);
    wide_mat3 R = wide_mat3_mul(&w->R, &V), F = wide_mat3_mul(&A, &V), goal;
    wide square = zero;
    F = wide_mat3_transpose_mul(&R, &F);
    WIDE_UNROLL
    for (int a = 0; a < 3; ++a)
        WIDE_UNROLL
    for (int b = 0; b < 3; ++b)
        F.m[a][b] *= wide_load(e->inverse[b]);
    WIDE_UNROLL
    for (int a = 0; a < 3; ++a) {
        wide_mask is_kept = wide_load(e->inverse[a]) > zero;
        WIDE_UNROLL
        for (int b = 0; b < 3; ++b) {
            wide strain =
                a == b ? wide_select(is_kept, F.m[a][a] - one, zero) : F.m[a][b] + F.m[b][a];
            goal.m[a][b] = F.m[a][b] - wide_load(e->relax[a][b]) * strain;
            square += strain * strain;
        }
        goal.m[a][a] = wide_select(is_kept, goal.m[a][a], one);
    }
    goal = wide_mat3_mul(&R, &goal);
    goal = wide_mat3_mul_transpose(&goal, &V);
    w->normal = wide_mat3_mul_vec(&w->R, load_vector(e->normal));
    w->pliable = wide_load(e->pliable);
    w->R = wide_mat3_select(square > wide_all(STRAIN_ROUNDING * STRAIN_ROUNDING), goal, w->R);
}

WIDE_INLINE void move_to_goals(group_lanes *w, bool elastic)
{
    if (elastic)
        deform_goals(w);
    moving_groups m = find_corrections(w, elastic);
    if (wide_any(m.lanes))
        move_members(w, &m, elastic);
    turn_centres(w);
}

// False when no group of these lanes takes part.
WIDE_INLINE bool take_up(group_lanes *w, const group_span *b, int index, int lane, bool elastic)
{
    const batch *t = &b->batches[index];
    const group_rows *at = &b->group_rows[index];
    int first = t->first + lane;
    w->acting = acting_lanes(b, first, t->count - lane);
    if (!wide_any(w->acting))
        return false;
    w->b = b;
    w->rows = FROM_LANE(const slot_row, b->rest->rows + at->first, lane);
    w->arms = FROM_LANE(const arm_row, arms_at(b, at), lane);
    w->members = b->slot_offsets + at->first * LANES + lane;
    w->from = FROM_LANE(batch_start, start_at(b, index), lane);
    w->spread = FROM_LANE(const spread_row, &b->rest->spreads[index], lane);
    w->row_count = rows_for(at, lane);
    w->kept_count = w->row_count < KEPT_ROWS ? w->row_count : KEPT_ROWS;
    w->noise = wide_load(b->rest->rotation_noise + first);
    w->thin = w->acting & (w->noise >= wide_all(THIN_GROUP_NOISE));
    w->alpha = wide_load(b->alpha + first);
    w->predicted = turns_from_rest(b, b->turn, w->members);
    if (elastic) {
        w->elastic = FROM_LANE(const elastic_row, &b->elastic[index], lane);
        w->shares = FROM_LANE(const share_row, b->shares + at->first, lane);
    }
    return true;
}

#define FOR_EACH_LANES for (int i = 0; i < count; ++i)

WIDE_INLINE int solve_at_once(group_lanes *w, int count, bool elastic)
{
    int rescues = 0;
    FOR_EACH_LANES find_change(&w[i]);
    FOR_EACH_LANES compare_with_start(&w[i]);
    FOR_EACH_LANES find_momentum_step(&w[i]);
    FOR_EACH_LANES take_momentum_step(&w[i]);
    FOR_EACH_LANES rescues += fit_the_rest(&w[i]);
    FOR_EACH_LANES move_to_goals(&w[i], elastic);
    return rescues;
}

#undef FOR_EACH_LANES

// A rotation is a long chain of results that wait for each other. A few fits at a time, stage by stage, keep a
// processor busy that looks two or three hundred instructions ahead. In WASM what a stage leaves to the next costs
// more than that gains, and what is asked for ahead of time is not heard.
#if !defined(__wasm__)

enum { AT_ONCE = 2, BATCHES_AHEAD = 2 };

// Processors follow a stream by themselves, but not from one page of memory to the next, and there are many streams.
static void fetch_batch(const group_span *b, int index)
{
    const group_rows *at = &b->group_rows[index];
    size_t rows = (size_t)at->count;
    fetch(b->rest->rows + at->first, rows * sizeof(slot_row));
    fetch_arms(b, at);
    fetch(b->slot_offsets + at->first * LANES, rows * LANES * sizeof(int32_t));
    fetch(start_at(b, index), sizeof(batch_start));
}

WIDE_INLINE int solve_batches(const group_span *b, int first, int end, bool elastic)
{
    group_lanes work[AT_ONCE];
    kept_row kept[AT_ONCE][KEPT_ROWS];
    int rescues = 0, count = 0;
    for (int i = 0; i < AT_ONCE; ++i)
        work[i].kept = kept[i];
    for (int i = first; i < end; ++i) {
        const batch *t = &b->batches[i];
        if (b->is_far && i + BATCHES_AHEAD < end)
            fetch_batch(b, i + BATCHES_AHEAD);
        for (int lane = 0; lane < t->count; lane += WIDE) {
            count += take_up(&work[count], b, i, lane, elastic);
            bool is_last = (t->together == 1 || i + 1 == end) && lane + WIDE >= t->count;
            if (count == AT_ONCE || is_last) {
                rescues += solve_at_once(work, count, elastic);
                count = 0;
            }
        }
    }
    return rescues;
}

#else

WIDE_INLINE int solve_batches(const group_span *b, int first, int end, bool elastic)
{
    int rescues = 0;
    kept_row kept[KEPT_ROWS];
    for (int i = first; i < end; ++i) {
        for (int lane = 0; lane < b->batches[i].count; lane += WIDE) {
            group_lanes w;
            w.kept = kept;
            if (take_up(&w, b, i, lane, elastic))
                rescues += solve_at_once(&w, 1, elastic);
        }
    }
    return rescues;
}

#endif

// Returns how many fits needed the certain way.
static int solve_groups(const group_span *b, int first, int end)
{
    return b->elastic ? solve_batches(b, first, end, true) : solve_batches(b, first, end, false);
}
