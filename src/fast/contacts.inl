// Contacts of particles with colliders, eight to a batch: see world/contacts.c. A batch's lanes are taken WIDE at
// a time, as far as there are contacts: each function sees a batch from one of its lanes on.

WIDE_INLINE wide_vec3 load_vectors(const float from[3][LANES])
{
    return (wide_vec3){wide_load(from[0]), wide_load(from[1]), wide_load(from[2])};
}

WIDE_INLINE void store_vectors(float to[3][LANES], wide_vec3 v)
{
    wide_store(to[0], v.x);
    wide_store(to[1], v.y);
    wide_store(to[2], v.z);
}

WIDE_INLINE wide_vec3 gather_starts(const contact_span *b, const int32_t *index)
{
    return wide_vec3_gather_shared(b->start, index);
}

WIDE_INLINE wide_vec3 contact_ways(const contact_span *b, const int32_t *index)
{
    return wide_vec3_gather(b->move, index, sizeof *b->move, NULL);
}

// Appends the particles of the given lanes that are not pinned to a list. Returns its new length.
WIDE_INLINE int append_lanes(const contact_span *b, int first, wide_mask lanes, int32_t *list,
                             int count)
{
    unsigned bits = wide_bits(lanes);
    for (int lane = 0; bits >> lane; ++lane)
        if ((bits >> lane & 1) && !b->pinned[first + lane])
            list[count++] = first + lane;
    return count;
}

// ---------------------------------------------------------------------------------------------
// Finding

// The part of a body's arrays from a particle on that the search for near ones reads.
WIDE_INLINE contact_span span_from(const contact_span *b, int first)
{
    contact_span part = *b;
    part.start += first;
    part.move += first;
    part.shapes += first;
    part.sizes += first;
    return part;
}

WIDE_INLINE wide_mask near_plane(const contact_span *b, const plane_span *p, const int32_t *index)
{
    wide_vec3 place = wide_vec3_add(gather_starts(b, index), contact_ways(b, index));
    wide height = wide_vec3_dot(wide_vec3_all(p->normal), place) - wide_all(p->offset);
    wide_mask is_near = height < wide_all(b->plane_reach);
    if (!wide_any(is_near))
        return is_near;
    wide_sym3 shape = gather_matrices(b->shapes, index);
    return height < wide_all(PLANE_REACH) * wide_square_root(shape.xx + shape.yy + shape.zz);
}

static int find_near_plane(const contact_span *b, const plane_span *p, int32_t *near)
{
    int count = 0, particles = b->particle_count, first = 0;
    for (; first + WIDE <= particles; first += WIDE) {
        contact_span part = span_from(b, first);
        wide_mask is_near = near_plane(&part, p, WIDE_FIRST);
        count = append_lanes(b, first, is_near, near, count);
    }
    if (first == particles)
        return count;
    int32_t index[WIDE];
    wide_indices(particles - first, index);
    contact_span part = span_from(b, first);
    wide_mask is_near = near_plane(&part, p, index) & wide_lanes(particles - first);
    return append_lanes(b, first, is_near, near, count);
}

// How far the plane moves where it is below the given places.
WIDE_INLINE wide_vec3 way_of_plane(const contact_span *b, const plane_span *p, wide_vec3 place,
                                   wide height)
{
    const quat q = p->turn, s = p->start_turn;
    const wide_quat turn = {wide_all(q.x), wide_all(q.y), wide_all(q.z), wide_all(q.w)};
    const wide_quat start_turn = {wide_all(s.x), wide_all(s.y), wide_all(s.z), wide_all(s.w)};
    wide_vec3 foot = wide_vec3_add_scaled(wide_vec3_add(place, wide_vec3_all(b->drift)),
                                          wide_vec3_all(p->normal), -height);
    wide_vec3 local = wide_quat_rotate(wide_quat_conjugate(turn),
                                       wide_vec3_add(wide_vec3_all(p->from_solid), foot));
    wide_vec3 turned =
        wide_vec3_sub(wide_quat_rotate(turn, local), wide_quat_rotate(start_turn, local));
    return wide_vec3_add(wide_vec3_all(p->way), turned);
}

// Half the width of ellipsoids along n.
WIDE_INLINE wide support_heights(wide_sym3 shape, const wide_mat3 *R, wide_vec3 n)
{
    wide_vec3 u = wide_mat3_transpose_mul_vec(R, n);
    return wide_square_root(wide_vec3_dot(u, wide_sym3_mul_vec(shape, u)));
}

// Makes contacts of up to WIDE particles near a plane. Gaps go to arrays of as many.
WIDE_INLINE void touch_plane_lanes(const contact_span *b, const plane_span *p, const int32_t *near,
                                   int count, contact *out)
{
    int32_t index[WIDE], place_in_out[WIDE];
    for (int lane = 0; lane < WIDE; ++lane) {
        place_in_out[lane] = lane < count ? lane : 0;
        index[lane] = near[place_in_out[lane]];
    }
    const wide zero = wide_all(0.0f);
    wide_vec3 n = wide_vec3_all(p->normal), start_n = wide_vec3_all(p->start_normal);
    wide_mat3 R = wide_quat_to_mat3(wide_quat_gather(b->turn_start, index));
    wide support = support_heights(gather_matrices(b->shapes, index), &R, n);
    wide_vec3 start = gather_starts(b, index);
    wide_vec3 place = wide_vec3_add(start, contact_ways(b, index));
    wide height = wide_vec3_dot(n, place) - wide_all(p->offset);
    wide_vec3 way = {zero, zero, zero};
    if (p->moves)
        way = way_of_plane(b, p, place, height);
    wide start_gap = wide_vec3_dot(start_n, start) - wide_all(p->start_offset) - support;
    wide slack = wide_maximum(zero, -start_gap - wide_all(b->push_out));
    wide_vec3 v = wide_vec3_gather_shared(b->v, index);
    wide approach = -wide_vec3_dot(n, wide_vec3_add_scaled(v, way, wide_all(-1.0f / b->h)));
    unsigned overlaps = wide_bits(height < support);

    const wide none[4] = {zero, zero, zero, zero};
    const wide plane[4] = {n.x, n.y, n.z, wide_all(p->offset)};
    const wide surface[4] = {way.x, way.y, way.z, slack};
    const wide hit[4] = {-start_gap, approach, zero, zero};
    wide_scatter_quads(&out->normal, place_in_out, sizeof *out, plane);
    wide_scatter_quads(&out->surface_way, place_in_out, sizeof *out, surface);
    wide_scatter_quads(&out->start_depth, place_in_out, sizeof *out, hit);
    wide_scatter_quads(&out->normal_impulse, place_in_out, sizeof *out, none);
    for (int lane = 0; lane < WIDE && lane < count; ++lane) {
        out[lane].particle = b->particle_first + index[lane];
        out[lane].collider = p->collider;
        out[lane].friction = p->friction;
        out[lane].overlaps = overlaps >> lane & 1;
        out[lane].lands = false;
    }
}

static void touch_plane(const contact_span *b, const plane_span *p, const int32_t *near, int count,
                        contact *out)
{
    for (int lane = 0; lane < count; lane += WIDE)
        touch_plane_lanes(b, p, near + lane, count - lane, out + lane);
}

// Whether ways, spheres around them included, come into a box.
WIDE_INLINE wide_mask near_box(const contact_span *b, const box *solid, const int32_t *index)
{
    wide_vec3 origin = wide_vec3_all(b->origin), drift = wide_vec3_all(b->drift);
    wide_vec3 low = wide_vec3_all(solid->low), high = wide_vec3_all(solid->high);
    wide_vec3 start = gather_starts(b, index);
    wide_vec3 way = contact_ways(b, index);
    wide largest = wide_gather(&b->sizes->largest, index, sizeof *b->sizes / sizeof(float));
    wide reach = largest * wide_all(1.0f + CONTACT_MARGIN);
    wide_vec3 end = wide_vec3_add(origin, wide_vec3_add(drift, wide_vec3_add(start, way)));
    start = wide_vec3_add(origin, start);
    return (low.x <= wide_maximum(start.x, end.x) + reach) &
           (wide_minimum(start.x, end.x) - reach <= high.x) &
           (low.y <= wide_maximum(start.y, end.y) + reach) &
           (wide_minimum(start.y, end.y) - reach <= high.y) &
           (low.z <= wide_maximum(start.z, end.z) + reach) &
           (wide_minimum(start.z, end.z) - reach <= high.z);
}

static int find_near_box(const contact_span *b, const box *solid, int32_t *near)
{
    int count = 0, particles = b->particle_count, first = 0;
    for (; first < particles; first += WIDE) {
        int32_t index[WIDE];
        wide_indices(particles - first, index);
        contact_span part = span_from(b, first);
        wide_mask is_near = near_box(&part, solid, index) & wide_lanes(particles - first);
        count = append_lanes(b, first, is_near, near, count);
    }
    return count;
}

// ---------------------------------------------------------------------------------------------
// Solving

WIDE_INLINE wide_vec3 part_across(wide_vec3 v, wide_vec3 n)
{
    return wide_vec3_add_scaled(v, n, -wide_vec3_dot(n, v));
}

// From the contacts that a batch names, what stays the same in the substep.
WIDE_INLINE void begin_contact_lanes(const contact_span *b, contact_batch *t)
{
    const contact *c = b->contacts;
    const int32_t *number = t->contact;
    int32_t *particle = t->particle;
    for (int i = 0; i < WIDE; ++i)
        particle[i] = c[number[i]].particle - b->particle_first;
    wide offset, slack, inverse_mass, plane[4], impulse[4];
    wide_vec3 n = wide_vec3_gather(&c->normal, number, sizeof *c, &offset);
    wide_vec3 surface = wide_vec3_gather(&c->surface_way, number, sizeof *c, &slack);
    wide_gather_quads(&c->normal_impulse, number, sizeof *c, impulse);
    wide_gather_quads(&c->particle, number, sizeof *c, plane);
    wide_vec3 start = gather_starts(b, particle);
    wide_vec3_gather(b->move, particle, sizeof *b->move, &inverse_mass);
    wide_sym3 shape = gather_matrices(b->shapes, particle);
    wide_mat3 R = wide_quat_to_mat3(wide_quat_gather(b->turn_start, particle));

    wide_mat3 turned = wide_quat_to_mat3(wide_quat_gather(b->turn, particle));
    wide_mat3 turn = wide_mat3_sub(&turned, &R);
    wide_vec3 u = wide_mat3_transpose_mul_vec(&R, n), spread = wide_sym3_mul_vec(shape, u);
    wide height = wide_square_root(wide_vec3_dot(u, spread));
    wide_vec3 against = wide_vec3_sub(wide_vec3_all(b->drift), surface);
    wide_vec3 rolled = part_across(wide_mat3_mul_vec(&turn, spread), n);
    rolled = wide_vec3_scale(rolled, wide_all(1.0f) / height);
    wide_vec3 slid = part_across(wide_vec3_add(contact_ways(b, particle), against), n);
    wide length = wide_vec3_length(rolled);
    wide most = wide_vec3_length(slid) + wide_all(SPIN_DRIVE) * length;
    rolled = wide_vec3_select(length > most, wide_vec3_scale(rolled, most / length), rolled);
    against = wide_vec3_sub(against, rolled);
    store_vectors(t->normal, n);
    store_vectors(t->against, against);
    wide_store(t->reach, offset - wide_vec3_dot(n, start) - slack + height);
    wide_store(t->friction, plane[2]);
    wide_store(t->inverse_mass, inverse_mass);
    wide_store(t->pushed, impulse[0] * inverse_mass);
    store_vectors(t->dragged,
                  wide_vec3_scale((wide_vec3){impulse[1], impulse[2], impulse[3]}, inverse_mass));
}

static void begin_contacts(const contact_span *b, int first, int end)
{
    for (int i = first; i < end; ++i)
        for (int lane = 0; lane < b->batches[i].count; lane += WIDE)
            begin_contact_lanes(b, FROM_LANE(contact_batch, &b->batches[i], lane));
}

// Takes back the slip within Coulomb's cone. Returns the way that this adds.
WIDE_INLINE wide_vec3 drag(contact_batch *t, wide_vec3 slip, wide_vec3 n, wide pushed)
{
    wide_vec3 across = wide_vec3_add_scaled(slip, n, -wide_vec3_dot(n, slip));
    wide_mask slips = wide_vec3_dot(across, across) >= wide_all(SHORTEST_SLIP * SHORTEST_SLIP);
    wide_vec3 before = load_vectors(t->dragged);
    wide_vec3 total = wide_vec3_select(slips, wide_vec3_sub(before, across), before);
    wide length2 = wide_vec3_dot(total, total), most = wide_load(t->friction) * pushed;
    wide_mask is_outside = length2 > most * most;
    if (wide_any(is_outside)) {
        wide_vec3 limited = wide_vec3_scale(total, most / wide_square_root(length2));
        total = wide_vec3_select(is_outside, limited, total);
    }
    store_vectors(t->dragged, wide_vec3_select(pushed > wide_all(0.0f), total, before));
    return wide_vec3_sub(total, before);
}

WIDE_INLINE void solve_contact_lanes(const contact_span *b, contact_batch *t)
{
    const wide zero = wide_all(0.0f);
    wide inverse_mass, pushed = wide_load(t->pushed);
    wide_vec3 n = load_vectors(t->normal);
    wide_vec3 way = wide_vec3_gather(b->move, t->particle, sizeof *b->move, &inverse_mass);
    wide push = wide_maximum(wide_load(t->reach) - wide_vec3_dot(n, way), zero);
    pushed += push;
    wide_mask pushes = pushed > zero;
    if (!wide_any(pushes))
        return;
    wide_store(t->pushed, pushed);
    wide_vec3 moved = wide_vec3_add_scaled(way, n, push);
    wide_vec3 slip = wide_vec3_add(moved, load_vectors(t->against));
    moved = wide_vec3_select(pushes, wide_vec3_add(moved, drag(t, slip, n, pushed)), way);
    const wide parts[4] = {moved.x, moved.y, moved.z, inverse_mass};
    wide_scatter_quads(b->move, t->particle, sizeof *b->move, parts);
}

static void solve_contacts(const contact_span *b, int first, int end)
{
    for (int i = first; i < end; ++i)
        for (int lane = 0; lane < b->batches[i].count; lane += WIDE)
            solve_contact_lanes(b, FROM_LANE(contact_batch, &b->batches[i], lane));
}

WIDE_INLINE void end_contact_lanes(const contact_span *b, const contact_batch *t)
{
    wide inverse_mass = wide_load(t->inverse_mass);
    wide_vec3 dragged = load_vectors(t->dragged);
    const wide impulse[4] = {wide_load(t->pushed) / inverse_mass, dragged.x / inverse_mass,
                             dragged.y / inverse_mass, dragged.z / inverse_mass};
    wide_scatter_quads(&b->contacts->normal_impulse, t->contact, sizeof *b->contacts, impulse);
}

// Writes the impulses to the contacts.
static void end_contacts(const contact_span *b, int first, int end)
{
    for (int i = first; i < end; ++i)
        for (int lane = 0; lane < b->batches[i].count; lane += WIDE)
            end_contact_lanes(b, FROM_LANE(contact_batch, &b->batches[i], lane));
}
