// Chains, two particles to a row: see family/chains.c. Both halves of a chain have one lane each.

// Of the trace of a chain's inertia: a straight one has none about its line.
static const double LEAST_PART = 1e-9;

// A member of the rows in which the parents of a row are, lane by lane.
WIDE_INLINE const double *chain_number(const chain_work *work, int32_t at, size_t member)
{
    return (const double *)((const char *)(work + at / TWIN) + member) + at % TWIN;
}

WIDE_INLINE twin of_parents(const chain_work *work, const chain_row *row, size_t member)
{
    const double *first = chain_number(work, row->parent[0], member);
    return row->is_straight ? twin_load(first)
                            : (twin){*first, *chain_number(work, row->parent[1], member)};
}

WIDE_INLINE twin_vec3 vec3_of_parents(const chain_work *work, const chain_row *row, size_t member)
{
    return (twin_vec3){of_parents(work, row, member),
                       of_parents(work, row, member + TWIN * sizeof(double)),
                       of_parents(work, row, member + 2 * TWIN * sizeof(double))};
}

WIDE_INLINE void add_to_parents(chain_work *work, const chain_row *row, size_t member, twin sum)
{
    double *first = (double *)chain_number(work, row->parent[0], member);
    if (row->is_straight) {
        twin_store(first, twin_load(first) + sum);
        return;
    }
    *first += sum[0];
    if (row->count == TWIN)
        *(double *)chain_number(work, row->parent[1], member) += sum[1];
}

WIDE_INLINE void add_vec3_to_parents(chain_work *work, const chain_row *row, size_t member,
                                     twin_vec3 sum)
{
    add_to_parents(work, row, member, sum.x);
    add_to_parents(work, row, member + TWIN * sizeof(double), sum.y);
    add_to_parents(work, row, member + 2 * TWIN * sizeof(double), sum.z);
}

WIDE_INLINE void add_sym3_to_parents(chain_work *work, const chain_row *row, size_t member,
                                     twin_sym3 sum)
{
    add_to_parents(work, row, member, sum.xx);
    add_to_parents(work, row, member + TWIN * sizeof(double), sum.xy);
    add_to_parents(work, row, member + 2 * TWIN * sizeof(double), sum.xz);
    add_to_parents(work, row, member + 3 * TWIN * sizeof(double), sum.yy);
    add_to_parents(work, row, member + 4 * TWIN * sizeof(double), sum.yz);
    add_to_parents(work, row, member + 5 * TWIN * sizeof(double), sum.zz);
}

// A dent may bring both ends of an edge to one point.
WIDE_INLINE twin chain_lengths(const chain_span *c, const chain_row *row)
{
    return twin_of(maximum(c->rest[row->edge[0]].length, SHORTEST_LINK),
                   maximum(c->rest[row->edge[1]].length, SHORTEST_LINK));
}

WIDE_INLINE twin_vec3 twin_of_vec3(vec3 a, vec3 b)
{
    return (twin_vec3){twin_of(a.x, b.x), twin_of(a.y, b.y), twin_of(a.z, b.z)};
}

// Both floats of each place count: of a short link under tension the first ones do not tell how much longer it is.
static void place_row(const chain_span *c, int k)
{
    const chain_row *row = &c->rows[k];
    chain_work *now = &c->work[k];
    int32_t i = row->particle[0], j = row->particle[1];
    twin_vec3 x = twin_of_vec3(c->x[i], c->x[j]), low = twin_of_vec3(c->x_low[i], c->x_low[j]);
    x = twin_vec3_sub(x, twin_of_vec3(c->origin, c->origin));
    twin_vec3_store(now->place, twin_vec3_add(x, low));
    twin_store(now->answer, twin_of(c->move[i].inverse_mass, c->move[j].inverse_mass));
    twin_store(now->left, twin_all(0.0));
}

// Before an elimination; a pinned particle's mass is not used.
static void weigh_row(const chain_span *c, int k)
{
    chain_work *now = &c->work[k];
    twin answer = twin_load(now->answer), one = twin_all(1.0);
    twin mass = one / twin_select(answer > twin_all(0.0), answer, one);
    twin_sym3_store(now->mass, twin_sym3_diagonal(mass));
}

// As the iteration finds it.
static void begin_row(const chain_span *c, int k)
{
    const chain_row *row = &c->rows[k];
    chain_work *now = &c->work[k];
    const particle_move *i = &c->move[row->particle[0]], *j = &c->move[row->particle[1]];
    twin_vec3_store(now->way, twin_of_vec3(i->way, j->way));
    twin_vec3_store(now->push, (twin_vec3){0});
}

WIDE_INLINE twin_vec3 rest_direction(const chain_span *c, const chain_row *row, int lane)
{
    const edge *e = &c->edges[row->edge[lane]];
    vec3 n = quat_rotate(turn_from_rest(c->turn[e->a], c->rest_turn, e->a),
                         c->rest[row->edge[lane]].direction);
    if (e->b != row->particle[lane])
        n = vec3_negate(n);
    return twin_of_vec3(n, n);
}

// Lanes in which the line of the start does not lead to the length at rest: the present one does.
static twin turn_lines(const chain_span *c, const chain_row *row, twin_mask meets, twin_vec3 d,
                       twin square, twin goal, twin excess, twin mu, twin_vec3 *n)
{
    twin distance = twin_square_root(square);
    twin_vec3 present = twin_vec3_scale(d, twin_all(1.0) / distance);
    for (int lane = 0; lane < TWIN; ++lane)
        if (!(distance[lane] > (double)COLLAPSED_LENGTH * goal[lane])) {
            twin_vec3 one = rest_direction(c, row, lane);
            present.x[lane] = one.x[lane];
            present.y[lane] = one.y[lane];
            present.z[lane] = one.z[lane];
        }
    *n = twin_vec3_select(meets, *n, present);
    return twin_select(meets, mu, excess / (distance + goal));
}

// What a sweep over a chain's rows finds.
enum { CHAIN_HOLDS, CHAIN_IS_OFF, CHAIN_TURNED };

// Whether any edge of a row has another length than it should have, by more than rounding.
WIDE_INLINE int row_is_off(const chain_work *now, twin goal, twin excess)
{
    twin size = twin_absolute(twin_load(now->place[0])) + twin_absolute(twin_load(now->place[1])) +
                twin_absolute(twin_load(now->place[2]));
    return twin_any(twin_absolute(excess) > twin_all((double)PLACE_ROUNDING) * (size + goal));
}

WIDE_INLINE twin_mask on_line(twin along, twin square, twin root)
{
    const twin zero = twin_all(0.0);
    return (along * along > twin_all((double)(START_COSINE * START_COSINE)) * square) &
           (along > zero) & (root >= zero);
}

// Hands on to its parents how a row and all behind it resist and push.
static int eliminate_row(const chain_span *c, const chain_tree *of, int k)
{
    const chain_row *row = &c->rows[k];
    chain_work *now = &c->work[k];
    const twin zero = twin_all(0.0), one = twin_all(1.0);
    twin_vec3 from = vec3_of_parents(c->work, row, offsetof(chain_work, place));
    twin_vec3 start = twin_vec3_sub(twin_vec3_load(now->place), from);
    twin_vec3 gone = twin_vec3_sub(twin_vec3_load(now->way),
                                   vec3_of_parents(c->work, row, offsetof(chain_work, way)));
    twin_vec3 d = twin_vec3_add(start, gone);
    twin answer = twin_load(now->answer), goal = chain_lengths(c, row);
    twin both = answer + of_parents(c->work, row, offsetof(chain_work, answer));
    twin inverse_goal = one / goal;
    double stiffness = (double)(of->stiffness * c->h * c->h);

    twin pull = twin_of(c->pulls[k].of[0], c->pulls[k].of[1]) * twin_all((double)(c->h * c->h));
    twin across = pull * inverse_goal, swing = twin_all(2.0) * across * both;
    twin present = twin_maximum((swing - one) / (swing + one), twin_all((double)PRESENT_PART));
    across *= present;

    twin_vec3 along_n = twin_vec3_add_scaled(start, gone, present);
    twin_vec3 n = twin_vec3_scale(along_n, one / twin_square_root(twin_vec3_dot(along_n, along_n)));
    twin along = twin_vec3_dot(d, n), square = twin_vec3_dot(d, d), excess = square - goal * goal;
    twin root = along * along - excess;
    twin_mask meets = on_line(along, square, root);
    twin mu = excess / (along + twin_square_root(root));
    if (twin_any(~meets))
        mu = turn_lines(c, row, meets, d, square, goal, excess, mu, &n);
    mu -= twin_load(now->left); // the rest belongs to the tension of this substep

    twin_sym3 mass = twin_sym3_load(now->mass);
    twin_sym3 inverse = twin_sym3_inverse(twin_sym3_add(mass, twin_sym3_diagonal(across)));
    twin_vec3 turned = twin_sym3_mul(inverse, n);
    twin_vec3 reply = twin_sym3_mul(inverse, twin_sym3_mul(mass, n));
    twin_sym3 handed = twin_sym3_product(inverse, mass);
    twin_mask is_pinned = answer == zero;
    if (twin_any(is_pinned)) {
        inverse = twin_sym3_select(is_pinned, (twin_sym3){0}, inverse);
        turned = twin_vec3_select(is_pinned, (twin_vec3){0}, turned);
        reply = twin_vec3_select(is_pinned, n, reply);
        handed = twin_sym3_select(is_pinned, twin_sym3_diagonal(one), handed);
    }
    twin_vec3 push = twin_vec3_load(now->push), base = twin_sym3_mul(inverse, push);
    twin stiff = one / (goal / twin_all(stiffness) + twin_vec3_dot(turned, n));
    twin own = stiff * (mu + twin_vec3_dot(n, base));
    handed = twin_sym3_add_outer(twin_sym3_scale(handed, across), reply, stiff);
    add_sym3_to_parents(c->work, row, offsetof(chain_work, mass), handed);
    add_vec3_to_parents(c->work, row, offsetof(chain_work, push),
                        twin_vec3_add_scaled(twin_vec3_scale(base, across), reply, own));

    twin_vec3_store(now->start, start);
    twin_store(now->goal, goal);
    twin_store(now->per_length, twin_all((double)of->stiffness) * inverse_goal);
    twin_vec3_store(now->line, n);
    twin_store(now->across, across);
    twin_sym3_store(now->inverse, inverse);
    twin_vec3_store(now->turned, turned);
    twin_store(now->stiff, stiff);
    twin_vec3_store(now->reply, twin_vec3_scale(reply, stiff));
    twin_store(now->excess, mu + twin_load(now->left));
    twin_vec3_store(now->base, base);
    twin_store(now->pull, own);
    return row_is_off(now, goal, mu) ? CHAIN_IS_OFF : CHAIN_HOLDS;
}

// The same in later iterations, for what has moved since. Lines and masses stay as they were, as far as they can.
static int refine_row(const chain_span *c, int k)
{
    const chain_row *row = &c->rows[k];
    chain_work *now = &c->work[k];
    twin_vec3 gone = twin_vec3_sub(twin_vec3_load(now->way),
                                   vec3_of_parents(c->work, row, offsetof(chain_work, way)));
    twin_vec3 d = twin_vec3_add(twin_vec3_load(now->start), gone), n = twin_vec3_load(now->line);
    twin goal = twin_load(now->goal), along = twin_vec3_dot(d, n);
    twin square = twin_vec3_dot(d, d), excess = square - goal * goal;
    twin root = along * along - excess;
    if (twin_any(~on_line(along, square, root)))
        return CHAIN_TURNED;
    twin mu = excess / (along + twin_square_root(root)) - twin_load(now->left);
    twin_vec3 push = twin_vec3_load(now->push);
    twin_vec3 base = twin_sym3_mul(twin_sym3_load(now->inverse), push);
    twin own = mu + twin_vec3_dot(n, base);
    add_vec3_to_parents(c->work, row, offsetof(chain_work, push),
                        twin_vec3_add_scaled(twin_vec3_scale(base, twin_load(now->across)),
                                             twin_vec3_load(now->reply), own));
    twin_store(now->excess, mu + twin_load(now->left));
    twin_vec3_store(now->base, base);
    twin_store(now->pull, twin_load(now->stiff) * own);
    return row_is_off(now, goal, mu) ? CHAIN_IS_OFF : CHAIN_HOLDS;
}

static void move_in_chain(const chain_span *c, const chain_row *row, twin_vec3 way)
{
    for (int lane = 0; lane < row->count; ++lane) {
        particle_move *move = &c->move[row->particle[lane]];
        vec3 gone = {(float)way.x[lane], (float)way.y[lane], (float)way.z[lane]};
        if (move->inverse_mass > 0.0f)
            move->way = vec3_add(move->way, gone);
    }
}

static void go_with_parents(const chain_span *c, int k)
{
    const chain_row *row = &c->rows[k];
    chain_work *now = &c->work[k];
    twin_vec3 parent = vec3_of_parents(c->work, row, offsetof(chain_work, base));
    twin pull = twin_load(now->pull) - twin_vec3_dot(twin_vec3_load(now->reply), parent);
    twin_vec3 carried = twin_sym3_mul(twin_sym3_load(now->inverse), parent);
    twin_vec3 way =
        twin_vec3_add_scaled(twin_vec3_load(now->base), twin_vec3_load(now->turned), -pull);
    way = twin_vec3_add_scaled(way, carried, twin_load(now->across));
    twin shorter = twin_vec3_dot(twin_vec3_load(now->line), twin_vec3_sub(way, parent));
    twin left = twin_load(now->excess) + shorter;
    twin_store(now->left, left);
    twin held = twin_maximum(left * twin_load(now->per_length), twin_all(0.0));
    c->pulls[k] = (chain_pull){{(float)held[0], (float)held[1]}};
    twin_vec3_store(now->base, way);
    move_in_chain(c, row, way);
}

// From the leaves to the middle, which goes where all push it.
static int eliminate_chain(const chain_span *c, const chain_tree *of)
{
    int first = of->first, found = CHAIN_HOLDS;
    for (int k = first; k < first + of->count; ++k)
        weigh_row(c, k);
    for (int k = first + of->count - 1; k > first; --k)
        found |= eliminate_row(c, of, k);
    chain_work *now = &c->work[first];
    twin_sym3 inverse = {0};
    if (now->answer[0] > 0.0)
        inverse = twin_sym3_inverse(twin_sym3_load(now->mass));
    twin_sym3_store(now->inverse, inverse);
    return found;
}

static int refine_chain(const chain_span *c, const chain_tree *of)
{
    int found = CHAIN_HOLDS;
    for (int k = of->first + of->count - 1; k > of->first && found != CHAIN_TURNED; --k) {
        int of_row = refine_row(c, k);
        found = of_row == CHAIN_TURNED ? of_row : found | of_row;
    }
    return found;
}

static void begin_chain(const chain_span *c, const chain_tree *of)
{
    for (int k = of->first; k < of->first + of->count; ++k)
        begin_row(c, k);
}

// Both lanes of a sum.
WIDE_INLINE twin twin_sum(twin a)
{
    return twin_all(a[0] + a[1]);
}

WIDE_INLINE twin_vec3 twin_vec3_sum(twin_vec3 a)
{
    return (twin_vec3){twin_sum(a.x), twin_sum(a.y), twin_sum(a.z)};
}

WIDE_INLINE twin_sym3 twin_sym3_sum(twin_sym3 a)
{
    return (twin_sym3){twin_sum(a.xx), twin_sum(a.xy), twin_sum(a.xz),
                       twin_sum(a.yy), twin_sum(a.yz), twin_sum(a.zz)};
}

// kg of the particles of a row, each once.
WIDE_INLINE twin row_masses(const chain_span *c, int k)
{
    twin mass = twin_all(1.0) / twin_load(c->work[k].answer);
    if (c->rows[k].count < TWIN)
        mass[1] = 0.0;
    return mass;
}

static bool is_free(const chain_span *c, const chain_tree *of)
{
    for (int k = of->first; k < of->first + of->count; ++k)
        if (twin_any(twin_load(c->work[k].answer) == twin_all(0.0)))
            return false;
    return true;
}

// The chain's pulls lie along lines between the start's and the present one, and turn all of it: that is taken back. The
// ways that it has gone are turned as a whole about its centre of mass by φ = I⁻¹ Σ m x × Δ, as it stood when the
// substep began.
static void take_turning_back(const chain_span *c, const chain_tree *of)
{
    twin total = twin_all(0.0);
    twin_vec3 centre = {0}, moment = {0};
    twin_sym3 products = {0};
    for (int k = of->first; k < of->first + of->count; ++k) {
        twin mass = row_masses(c, k);
        total += mass;
        centre = twin_vec3_add_scaled(centre, twin_vec3_load(c->work[k].place), mass);
    }
    centre = twin_vec3_scale(twin_vec3_sum(centre), twin_all(1.0) / twin_sum(total));
    for (int k = of->first; k < of->first + of->count; ++k) {
        twin mass = row_masses(c, k);
        twin_vec3 arm = twin_vec3_sub(twin_vec3_load(c->work[k].place), centre);
        twin_vec3 turning = twin_vec3_cross(arm, twin_vec3_load(c->work[k].base));
        moment = twin_vec3_add_scaled(moment, turning, mass);
        products = twin_sym3_add_outer(products, arm, mass);
    }
    products = twin_sym3_sum(products);
    twin trace = products.xx + products.yy + products.zz;
    twin_sym3 inertia = twin_sym3_add(twin_sym3_scale(products, twin_all(-1.0)),
                                      twin_sym3_diagonal(trace * twin_all(1.0 + LEAST_PART)));
    if (!(trace[0] > 0.0))
        return;
    twin_vec3 back = twin_sym3_mul(twin_sym3_inverse(inertia), twin_vec3_sum(moment));
    for (int k = of->first; k < of->first + of->count; ++k) {
        twin_vec3 arm = twin_vec3_sub(twin_vec3_load(c->work[k].place), centre);
        move_in_chain(c, &c->rows[k], twin_vec3_cross(arm, back));
    }
}

// What is neither stretched nor compressed, as in free fall, stays as it is.
static void let_hang(const chain_span *c, const chain_tree *of)
{
    for (int k = of->first; k < of->first + of->count; ++k)
        c->pulls[k] = (chain_pull){{0.0f, 0.0f}};
}

static void solve_chain(const chain_span *c, int index, bool is_first)
{
    const chain_tree *of = &c->chains[index];
    int first = of->first, end = first + of->count;
    for (int k = first; is_first && k < end; ++k)
        place_row(c, k);
    begin_chain(c, of);
    int found = is_first ? eliminate_chain(c, of) : refine_chain(c, of);
    if (found == CHAIN_TURNED) {
        begin_chain(c, of);
        found = eliminate_chain(c, of);
    }
    if (found == CHAIN_HOLDS) {
        if (is_first)
            let_hang(c, of);
        return;
    }
    chain_work *middle = &c->work[first];
    twin_vec3 way = twin_sym3_mul(twin_sym3_load(middle->inverse), twin_vec3_load(middle->push));
    twin_vec3_store(middle->base, way);
    move_in_chain(c, &c->rows[first], way);
    for (int k = first + 1; k < end; ++k)
        go_with_parents(c, k);
    if (is_free(c, of))
        take_turning_back(c, of);
}
