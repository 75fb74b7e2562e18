// The motion of a body as a whole, and particles drawn towards it, WIDE at once: see world/damping.c.

#include "solve/motion.h"

// m², per mass: of particles that are a micrometre apart
static const float LEAST_INERTIA = 1e-12f;

// Lanes without a particle are at rest at the origin.
typedef struct motion_lanes {
    wide share; // of the body's mass
    wide_vec3 start, v, spin;
} motion_lanes;

WIDE_INLINE wide_vec3 load_in_lanes(const vec3 *from, int count)
{
    const wide zero = wide_all(0.0f);
    return wide_vec3_select(wide_lanes(count), wide_vec3_load(from, count),
                            (wide_vec3){zero, zero, zero});
}

WIDE_INLINE motion_lanes load_motion(const motion_span *m, int first)
{
    int count = m->count - first < WIDE ? m->count - first : WIDE;
    int32_t index[WIDE];
    wide_indices(count, index);
    wide mass = wide_gather(&m->particles[first].mass, index, sizeof *m->particles / sizeof(float));
    return (motion_lanes){
        wide_select(wide_lanes(count), mass * wide_all(m->inverse_mass), wide_all(0.0f)),
        load_in_lanes(m->start + first, count), load_in_lanes(m->v + first, count),
        load_in_lanes(m->spin + first, count)};
}

// Angular momentum and inertia about the centre of mass.
typedef struct spin_sums {
    wide_vec3 momentum[SUM_PARTS], first_row[SUM_PARTS], others[SUM_PARTS]; // xx xy xz, yy yz zz
} spin_sums;

// tr(s) 1 - s, of a second moment s per mass, and the angular momentum per mass.
WIDE_INLINE void add_spin(spin_sums *sums, int part, wide_sym3 s, wide_vec3 momentum, wide share)
{
    wide trace = s.xx + s.yy + s.zz;
    wide_vec3 first_row = {trace - s.xx, -s.xy, -s.xz},
              others = {trace - s.yy, -s.yz, trace - s.zz};
    sums->momentum[part] = wide_vec3_add_scaled(sums->momentum[part], momentum, share);
    sums->first_row[part] = wide_vec3_add_scaled(sums->first_row[part], first_row, share);
    sums->others[part] = wide_vec3_add_scaled(sums->others[part], others, share);
}

WIDE_INLINE void add_way(spin_sums *sums, int part, const motion_lanes *at, vec3 centre,
                         vec3 velocity)
{
    wide_vec3 r = wide_vec3_sub(at->start, wide_vec3_all(centre));
    wide_sym3 s = {r.x * r.x, r.x * r.y, r.x * r.z, r.y * r.y, r.y * r.z, r.z * r.z};
    wide_vec3 momentum = wide_vec3_cross(r, wide_vec3_sub(at->v, wide_vec3_all(velocity)));
    add_spin(sums, part, s, momentum, at->share);
}

// Particles that spin about their own centres: those of rigid ones count among the others.
WIDE_INLINE void add_own(spin_sums *others, spin_sums *soft, int part, const motion_span *m,
                         int first, const motion_lanes *at)
{
    int count = m->count - first < WIDE ? m->count - first : WIDE;
    int32_t index[WIDE];
    wide_indices(count, index);
    wide_mask is_rigid = wide_lanes(count);
    for (int lane = 0; lane < count; ++lane)
        if (!m->is_rigid[first + lane])
            is_rigid[lane] = 0;
    const wide none = wide_all(0.0f);
    wide_sym3 s = wide_sym3_rotate(gather_matrices(m->moments + first, index),
                                   wide_quat_load(m->turn + first, count));
    wide trace = s.xx + s.yy + s.zz;
    wide_vec3 momentum =
        wide_vec3_sub(wide_vec3_scale(at->spin, trace), wide_sym3_mul_vec(s, at->spin));
    add_spin(others, part, s, momentum, wide_select(is_rigid, at->share, none));
    add_spin(soft, part, s, momentum, wide_select(is_rigid, none, at->share));
}

// Chains have no inertia about their line: a millionth of the whole stands for it. Particles that are
// all at one place have none at all.
static vec3 spin_of(sym3 I, vec3 momentum)
{
    float trace = I.xx + I.yy + I.zz;
    if (trace < LEAST_INERTIA)
        return (vec3){0, 0, 0};
    I = sym3_scale(I, 1.0f / trace);
    I.xx += 1e-6f;
    I.yy += 1e-6f;
    I.zz += 1e-6f;
    return sym3_mul_vec(sym3_inverse(I), vec3_scale(momentum, 1.0f / trace));
}

static void find_motion(const motion_span *m, rigid_motion *out)
{
    wide_vec3 centre[SUM_PARTS], velocity[SUM_PARTS];
    spin_sums ways, soft;
    memset(centre, 0, sizeof centre);
    memset(velocity, 0, sizeof velocity);
    memset(&ways, 0, sizeof ways);
    memset(&soft, 0, sizeof soft);
    for (int first = 0, part = 0; first < m->count; first += WIDE, part = (part + 1) % SUM_PARTS) {
        motion_lanes at = load_motion(m, first);
        centre[part] = wide_vec3_add_scaled(centre[part], at.start, at.share);
        velocity[part] = wide_vec3_add_scaled(velocity[part], at.v, at.share);
    }
    out->centre = sum_parts(centre);
    out->velocity = sum_parts(velocity);
    for (int first = 0, part = 0; first < m->count; first += WIDE, part = (part + 1) % SUM_PARTS) {
        motion_lanes at = load_motion(m, first);
        add_way(&ways, part, &at, out->centre, out->velocity);
        add_own(&ways, &soft, part, m, first, &at);
    }
    vec3 momentum = sum_parts(ways.momentum);
    vec3 a = sum_parts(ways.first_row), b = sum_parts(ways.others);
    out->spin = spin_of((sym3){a.x, a.y, a.z, b.x, b.y, b.z}, momentum);
    momentum = vec3_add(momentum, sum_parts(soft.momentum));
    a = vec3_add(a, sum_parts(soft.first_row));
    b = vec3_add(b, sum_parts(soft.others));
    out->turning = spin_of((sym3){a.x, a.y, a.z, b.x, b.y, b.z}, momentum);
}

static void damp_deformation(const motion_span *m, const rigid_motion *motion, float part)
{
    wide_vec3 velocity = wide_vec3_all(motion->velocity), whole = wide_vec3_all(motion->spin);
    wide_vec3 turning = wide_vec3_all(motion->turning);
    for (int first = 0; first < m->count; first += WIDE) {
        int count = m->count - first < WIDE ? m->count - first : WIDE;
        wide_mask is_free = wide_lanes(count);
        for (int lane = 0; lane < count; ++lane)
            if (m->pinned[first + lane])
                is_free[lane] = 0;
        wide_vec3 r =
            wide_vec3_sub(wide_vec3_load(m->start + first, count), wide_vec3_all(motion->centre));
        wide_vec3 rigid = wide_vec3_add(velocity, wide_vec3_cross(whole, r));
        wide_vec3 v = wide_vec3_load(m->v + first, count);
        wide_vec3 spin = wide_vec3_load(m->spin + first, count);
        wide_vec3 slower = wide_vec3_add_scaled(v, wide_vec3_sub(rigid, v), wide_all(part));
        wide_vec3 turned = wide_vec3_add_scaled(spin, wide_vec3_sub(turning, spin), wide_all(part));
        wide_vec3_store(m->v + first, wide_vec3_select(is_free, slower, v), count);
        wide_vec3_store(m->spin + first, wide_vec3_select(is_free, turned, spin), count);
    }
}
