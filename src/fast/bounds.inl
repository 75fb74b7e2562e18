// What surrounds particles on their way through a substep, WIDE at once: see world/find_pairs.c and
// pli_bound_body.

WIDE_INLINE wide_vec3 bounds_ways(const particle_move *move, const int32_t *index, vec3 drift,
                                  wide *inverse_mass)
{
    wide_vec3 way = wide_vec3_gather(move, index, sizeof *move, inverse_mass);
    return wide_vec3_add(way, wide_vec3_all(drift));
}

WIDE_INLINE wide farthest_of(wide_vec3 a)
{
    return wide_maximum(wide_maximum(wide_absolute(a.x), wide_absolute(a.y)), wide_absolute(a.z));
}

// The sphere around a way from `start`, as seen from the body's origin. `length` is that of the way as seen by others:
// in axes that go along with all of them it has the same middle. It is larger than all roundings, also of those who look
// more closely (keep_meeting): what these find does not depend on it.
WIDE_INLINE void sphere_around(const way_span *s, wide_vec3 start, wide_vec3 way, wide length,
                               wide reach, wide sphere[4])
{
    wide_vec3 from = wide_vec3_add(wide_vec3_all(s->origin), start);
    wide_vec3 c = wide_vec3_add_scaled(from, way, wide_all(0.5f));
    wide farthest = farthest_of(c) + farthest_of(start);
    sphere[0] = c.x;
    sphere[1] = c.y;
    sphere[2] = c.z;
    sphere[3] = (reach + wide_all(0.5f) * length) * wide_all(1.0f + COVER_ROUNDING) +
                farthest * wide_all(WAY_ROUNDING);
}

// Whether spheres that overlap are sure to overlap, too, as the greater ones around them do: how far a sphere is
// from the surface of its greater one has to be more than the rounding of both tests.
WIDE_INLINE wide_mask is_covered(const wide sphere[4], const wide greater[4])
{
    wide_vec3 off = {sphere[0] - greater[0], sphere[1] - greater[1], sphere[2] - greater[2]};
    wide room = greater[3] * wide_all(1.0f - COVER_ROUNDING) - sphere[3];
    return (sphere[3] < wide_all(0.0f)) | ((room >= wide_all(0.0f)) & wide_is_finite(room) &
                                           (wide_vec3_dot(off, off) <= room * room));
}

// Bits, as they have to be to go through memory with numbers.
WIDE_INLINE wide bounds_flags(const way_span *s, int first, const int32_t *index, wide inverse_mass)
{
    wide_mask flags = wide_all_bits((int32_t)s->flags);
    flags |= (inverse_mass == wide_all(0.0f)) & wide_all_bits(END_IS_PINNED);
    if (s->first_attachment)
        for (int lane = 0; lane < WIDE; ++lane)
            flags[lane] |= s->first_attachment[first + index[lane]] ? END_IS_ATTACHED : 0;
    return (wide)flags;
}

_Static_assert(sizeof(pair_end) == 64 && offsetof(pair_end, way) == 16 &&
                   offsetof(pair_end, origin) == 32 && offsetof(pair_end, excluded) == 48 &&
                   offsetof(pair_end, flags) == 56,
               "ends are written as four quadruples");
_Static_assert(sizeof(pair_traits) == 16 && offsetof(pair_traits, excluded) == 8,
               "traits are read as one");

// Returns a bit for each lane that is not within its greater sphere.
WIDE_INLINE unsigned bound_lanes(const way_span *s, int first, const int32_t *index)
{
    wide inverse_mass, traits[4], sphere[4];
    wide_vec3 start = wide_vec3_gather(s->start + first, index, sizeof *s->start, NULL);
    wide_vec3 way = bounds_ways(s->move + first, index, s->drift, &inverse_mass);
    wide_vec3 place = wide_vec3_add(start, way), origin = wide_vec3_all(s->origin);
    wide_gather_quads(s->traits + first, index, sizeof *s->traits, traits);
    wide reach = traits[0] * wide_all(1.0f + WATCH_MARGIN);
    wide own = wide_vec3_length(wide_vec3_sub(way, wide_vec3_all(s->together)));
    sphere_around(s, start, way, own, reach, sphere);
    if (s->is_left_out)
        sphere[3] = wide_all(-1.0f);
    if (s->ends) {
        const wide ends[4][4] = {
            {place.x, place.y, place.z, reach},
            {way.x, way.y, way.z, traits[1]},
            {origin.x, origin.y, origin.z, (wide)wide_all_bits(s->body)},
            {traits[2], traits[3], bounds_flags(s, first, index, inverse_mass), wide_all(0.0f)}};
        WIDE_UNROLL
        for (int k = 0; k < 4; ++k)
            wide_scatter_quads((char *)(s->ends + first) + 16 * k, index, sizeof *s->ends, ends[k]);
        wide_scatter_quads(s->spheres + first, index, sizeof *s->spheres, sphere);
    }
    if (!s->greater)
        return 0;
    wide greater[4];
    wide_gather_quads(s->greater + first, index, sizeof *s->greater, greater);
    return wide_bits(~is_covered(sphere, greater));
}

static int bound_ways(const way_span *s, int first, int end, int32_t *strays, int room)
{
    int count = 0;
    for (; first < end; first += WIDE) {
        int left = end - first;
        unsigned bits;
        if (left >= WIDE) {
            bits = bound_lanes(s, first, WIDE_FIRST);
        } else {
            int32_t index[WIDE];
            wide_indices(left, index);
            bits = bound_lanes(s, first, index) & ((1u << left) - 1);
        }
        for (; bits; bits &= bits - 1, ++count)
            if (count < room)
                strays[count] = first + __builtin_ctz(bits);
    }
    return count;
}

// Around what a particle may go in `ahead` substeps, if it goes on as in this one but for a margin.
WIDE_INLINE bool foresee_lanes(const way_span *s, float ahead, int first, const int32_t *index)
{
    wide inverse_mass, traits[4], greater[4], sphere[4];
    wide_vec3 start = wide_vec3_gather(s->start + first, index, sizeof *s->start, NULL);
    wide_vec3 way = bounds_ways(s->move + first, index, s->drift, &inverse_mass);
    wide_gather_quads(s->traits + first, index, sizeof *s->traits, traits);
    wide reach = traits[0] * wide_all(1.0f + WATCH_MARGIN + FORESIGHT_MARGIN);
    way = wide_vec3_scale(way, wide_all(ahead));
    sphere_around(s, start, way, wide_vec3_length(way), reach, greater);
    if (s->is_left_out)
        greater[3] = wide_all(-1.0f);
    wide_scatter_quads(s->greater + first, index, sizeof *s->greater, greater);
    wide_gather_quads(s->spheres + first, index, sizeof *s->spheres, sphere);
    return !wide_any(~is_covered(sphere, greater));
}

static bool foresee_ways(const way_span *s, float ahead, int first, int end)
{
    bool are_covered = true;
    for (; first < end; first += WIDE) {
        int32_t index[WIDE];
        wide_indices(end - first, index);
        are_covered &= foresee_lanes(s, ahead, first, index);
    }
    return are_covered;
}

// ---------------------------------------------------------------------------------------------

static box bound_particles(const way_span *s, float reach, int count)
{
    const wide most = wide_all(1e30f), around = wide_all(reach);
    // Lowest x, y and z, and the same of their negatives.
    wide lowest[6] = {most, most, most, most, most, most};
    wide_vec3 origin = wide_vec3_all(s->origin), drift = wide_vec3_all(s->drift);
    for (int first = 0; first < count; first += WIDE) {
        int32_t index[WIDE];
        wide_indices(count - first, index);
        wide_vec3 start = wide_vec3_gather_shared(s->start + first, index);
        wide_vec3 way = wide_vec3_gather(s->move + first, index, sizeof *s->move, NULL);
        wide_vec3 to = wide_vec3_add(origin, wide_vec3_add(drift, wide_vec3_add(start, way)));
        wide_vec3 from = wide_vec3_add(origin, start);
        const wide low[6] = {
            wide_minimum(from.x, to.x) - around,    wide_minimum(from.y, to.y) - around,
            wide_minimum(from.z, to.z) - around,    -(wide_maximum(from.x, to.x) + around),
            -(wide_maximum(from.y, to.y) + around), -(wide_maximum(from.z, to.z) + around)};
        WIDE_UNROLL
        for (int k = 0; k < 6; ++k)
            lowest[k] = wide_minimum(low[k], lowest[k]); // leaves out what is not a number
    }
    return (box){
        {wide_lowest_lane(lowest[0]), wide_lowest_lane(lowest[1]), wide_lowest_lane(lowest[2])},
        {-wide_lowest_lane(lowest[3]), -wide_lowest_lane(lowest[4]), -wide_lowest_lane(lowest[5])}};
}

static bool are_within(const float *numbers, int count, float limit)
{
    wide_mask is_bad = {0};
    int i = 0;
    for (; i + WIDE <= count; i += WIDE)
        is_bad |= ~(wide_absolute(wide_load(numbers + i)) <= wide_all(limit));
    bool are = !wide_any(is_bad);
    for (; i < count; ++i)
        are &= absolute(numbers[i]) <= limit;
    return are;
}
