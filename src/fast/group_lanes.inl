// Implicit shape matching groups, eight to a batch: see family/groups.c for what is solved. A batch's lanes are
// taken WIDE at a time. Here: what the solver reads of them (groups.inl), and the start of a substep.

// Rows whose numbers are kept from one pass over the members to the next; those of larger groups are read again.
enum { KEPT_ROWS = 32 };

typedef struct kept_row {
    wide_vec3 way;
    wide inverse_mass;
    wide_vec3 correction;
} kept_row;

// Lanes of a batch on their way through the solver.
typedef struct group_lanes {
    const group_span *b;
    const slot_row *rows;
    const arm_row *arms;
    const int32_t *members; // offsets, row after row
    batch_start *from;
    const spread_row *spread;
    const elastic_row *elastic; // these two of elastic groups only
    const share_row *shares;
    wide_vec3 normal; // of sheets: that of elastic_row, turned, …
    wide pliable;     // … and what of corrections along it is left out
    int row_count, kept_count;
    wide_mask acting, thin;
    wide_mask settled; // lanes whose rotation one step has found
    wide noise, alpha;
    wide_quat predicted, turn; // of the centres
    wide_vec3 centre;          // of mass now, from where the first member was
    wide_vec3 angular;         // Σ w s × m
    wide_vec3 carried;         // by corrections to the predicted rotation
    wide_vec3 step, calm_step; // rotation vectors
    wide_mat3 R;
    kept_row *kept;
} group_lanes;

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

WIDE_INLINE wide_vec3 load_vector(const float from[3][LANES])
{
    return (wide_vec3){wide_load(from[0]), wide_load(from[1]), wide_load(from[2])};
}

WIDE_INLINE wide_mat3 load_matrix(const float from[3][3][LANES])
{
    wide_mat3 A;
    WIDE_UNROLL
    for (int i = 0; i < 3; ++i)
        WIDE_UNROLL
    for (int j = 0; j < 3; ++j)
        A.m[i][j] = wide_load(from[i][j]);
    return A;
}

WIDE_INLINE void store_matrix(float to[3][3][LANES], const wide_mat3 *A)
{
    WIDE_UNROLL
    for (int i = 0; i < 3; ++i)
        WIDE_UNROLL
    for (int j = 0; j < 3; ++j)
        wide_store(to[i][j], A->m[i][j]);
}

WIDE_INLINE wide_vec3 load_centre(const batch_start *from)
{
    return load_vector(from->centre);
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

_Static_assert(4 * sizeof(vec3) == 3 * SLOT_STRIDE,
               "three quarters of an offset are one of a place");

WIDE_INLINE wide_vec3 gather_places(const vec3 *start, const int32_t *offsets)
{
    int32_t places[WIDE];
    for (int i = 0; i < WIDE; ++i)
        places[i] = offsets[i] - (offsets[i] >> 2);
    return wide_vec3_gather(start, places, 1, NULL);
}

WIDE_INLINE wide_quat turns_from_rest(const group_span *b, const quat *turns,
                                      const int32_t *members)
{
    wide_quat turn = gather_turns(turns, members);
    if (!b->rest_turn)
        return turn;
    return wide_quat_mul(turn, wide_quat_conjugate(gather_turns(b->rest_turn, members)));
}

// A row of the members of some groups, and how one gets to the next: by steps of pointers, from which a load in WASM
// needs no sum of its own.
typedef struct row_place {
    const slot_row *rest;
    const arm_row *arms;
    const int32_t *members;
} row_place;

WIDE_INLINE row_place first_row(const group_lanes *w)
{
    return (row_place){w->rows, w->arms, w->members};
}

WIDE_INLINE void next_row(row_place *at)
{
    at->rest += 1;
    at->arms += 1;
    at->members += LANES;
}

// Where loops over the other members begin. For all that is read there WASM would add the first row's address and a
// distance again.
WIDE_INLINE row_place second_row(const group_lanes *w, kept_row **kept)
{
    row_place at = first_row(w);
    *kept = w->kept + 1;
    next_row(&at);
    UNTRACED(at.rest);
    UNTRACED(at.arms);
    UNTRACED(at.members);
    UNTRACED(*kept);
    return at;
}

_Static_assert(2 * WIDE >= LANES, "of rows it is known how many each half of a batch needs");

// So many rows are read of the lanes from one on.
WIDE_INLINE int rows_for(const group_rows *at, int lane)
{
    return (int)WIDE < (int)LANES ? at->in_half[lane / WIDE] : at->count;
}

WIDE_INLINE arm_row *arms_at(const group_span *b, const group_rows *at)
{
    return b->arms + (at->first + b->row_shift);
}

WIDE_INLINE batch_start *start_at(const group_span *b, int index)
{
    return b->batch_starts + (index + b->batch_shift);
}

// ---------------------------------------------------------------------------------------------
// The start of a substep

WIDE_INLINE void fetch(const void *from, size_t size)
{
    for (size_t i = 0; i < size; i += 64)
        __builtin_prefetch((const char *)from + i);
}

WIDE_INLINE void fetch_arms(const group_span *b, const group_rows *at)
{
    fetch(arms_at(b, at) + 1, (size_t)(at->count - 1) * sizeof(arm_row));
}

WIDE_INLINE wide sum_of_sizes(wide_vec3 a)
{
    return wide_absolute(a.x) + wide_absolute(a.y) + wide_absolute(a.z);
}

WIDE_INLINE void prepare_lanes(const group_span *b, int index, int lane)
{
    int first = b->batches[index].first + lane;
    const group_rows *at = &b->group_rows[index];
    const int32_t *members = b->slot_offsets + at->first * LANES + lane;
    const slot_row *rows = FROM_LANE(const slot_row, b->rest->rows + at->first, lane);
    const spread_row *spread = FROM_LANE(const spread_row, &b->rest->spreads[index], lane);
    arm_row *arms = FROM_LANE(arm_row, arms_at(b, at), lane);
    batch_start *out = FROM_LANE(batch_start, start_at(b, index), lane);
    const vec3 *start = b->start;
    wide_mat3 then = wide_quat_to_mat3(turns_from_rest(b, b->turn_start, members));
    wide_mat3 now = wide_quat_to_mat3(turns_from_rest(b, b->turn, members));
    wide_mat3 own = wide_mat3_mul_sym3(&then, spreads_of(spread));
    wide_vec3 reference = gather_places(start, members);
    wide_vec3 centre = {wide_all(0.0f), wide_all(0.0f), wide_all(0.0f)};
    wide_mat3 A = {0};
    // The first member has no arm: it is where arms begin. Its row of them is neither written nor read.
    for (int left = rows_for(at, lane) - 1; left > 0; --left) {
        rows += 1;
        arms += 1;
        members += LANES;
        wide_vec3 arm = wide_vec3_sub(gather_places(start, members), reference);
        wide_vec3 d = wide_vec3_scale(arm, wide_load(rows->weight));
        store_arms(arms, arm);
        centre = wide_vec3_add(centre, d);
        wide_mat3_add_outer(&A, d, offsets_of(rows));
    }
    store_matrix(out->places, &A);
    A = wide_mat3_add(&A, &own);
    wide_mat3 M = wide_mat3_mul_transpose(&now, &A);
    wide_mat3 per_momentum = step_per_momentum(&M);
    store_matrix(out->per_momentum, &per_momentum);
    wide_store(out->centre[0], centre.x);
    wide_store(out->centre[1], centre.y);
    wide_store(out->centre[2], centre.z);
    wide limit =
        wide_all(PLACE_ROUNDING) * (sum_of_sizes(reference) + wide_load(b->rest->reach + first));
    wide_store(out->limit2, limit * limit);
}

// What is written is asked for ahead of time, too.
static void prepare_groups(const group_span *b, int first, int end)
{
    for (int i = first; i < end; ++i) {
        if (b->is_far && i + 1 < end) {
            const group_rows *at = &b->group_rows[i + 1];
            fetch_arms(b, at);
            fetch(start_at(b, i + 1), sizeof(batch_start));
        }
        for (int lane = 0; lane < LANES; lane += WIDE)
            prepare_lanes(b, i, lane);
    }
}

// ---------------------------------------------------------------------------------------------
// An iteration

// Groups that take part: those that stand in while their own group is loose, all others while it is not.
WIDE_INLINE wide_mask acting_lanes(const group_span *b, int first, int count)
{
    wide_mask lanes = wide_lanes(count);
    if (b->has_dents)
        for (int k = 0; k < WIDE && k < count; ++k)
            if ((b->loose[first + k] > 0.0f) != b->groups[first + k].stands_in)
                lanes[k] = 0;
    return lanes;
}

WIDE_INLINE void add_change(const row_place *at, wide_vec3 way, wide_vec3 *shift,
                            wide_vec3 *angular)
{
    wide_vec3 m = wide_vec3_scale(way, wide_load(at->rest->weight));
    *shift = wide_vec3_add(*shift, m);
    *angular = wide_vec3_add(*angular, wide_vec3_cross(arms_of(at->arms), m));
}

WIDE_INLINE wide_vec3 keep_ways(kept_row *kept, const particle_move *move, const row_place *at)
{
    kept->way = gather_ways(move, at->members, &kept->inverse_mass);
    return kept->way;
}

// What the moves have done so far. A group that has lost its first member moves nothing: there the slots beyond a
// group's own, which are more or fewer with eight lanes and with four, would add NaN.
WIDE_INLINE void find_change(group_lanes *w)
{
    const wide zero = wide_all(0.0f);
    const particle_move *move = w->b->move;
    wide_vec3 shift = {zero, zero, zero}, angular = {zero, zero, zero};
    row_place at = first_row(w);
    kept_row *kept = w->kept;
    wide_vec3 way = keep_ways(kept, move, &at);
    w->acting &= wide_is_finite(way.x + way.y + way.z);
    shift = wide_vec3_add_scaled(shift, way, wide_load(at.rest->weight));
    at = second_row(w, &kept);
    for (int left = w->kept_count - 1; left > 0; --left, ++kept, next_row(&at))
        add_change(&at, keep_ways(kept, move, &at), &shift, &angular);
    for (int left = w->row_count - w->kept_count; left > 0; --left, next_row(&at))
        add_change(&at, gather_ways(move, at.members, NULL), &shift, &angular);
    wide_vec3 centre = load_centre(w->from);
    w->centre = wide_vec3_add(centre, shift);
    w->angular = wide_vec3_sub(angular, wide_vec3_cross(centre, shift));
}
