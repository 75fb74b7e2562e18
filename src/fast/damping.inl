// The motion of a body as a whole, and particles drawn towards it, WIDE at once: see world/damping.c.

#include "world/damping.h"

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

// r² 1 - r rᵀ and the particles' own inertia, per mass.
WIDE_INLINE wide_sym3 inertia_of(wide_sym3 shape, wide_quat turn, wide_vec3 r)
{
    const wide fifth = wide_all(0.2f);
    wide_sym3 s = wide_sym3_rotate(shape, turn);
    s = (wide_sym3){s.xx * fifth + r.x * r.x, s.xy * fifth + r.x * r.y, s.xz * fifth + r.x * r.z,
                    s.yy * fifth + r.y * r.y, s.yz * fifth + r.y * r.z, s.zz * fifth + r.z * r.z};
    wide trace = s.xx + s.yy + s.zz;
    return (wide_sym3){trace - s.xx, -s.xy, -s.xz, trace - s.yy, -s.yz, trace - s.zz};
}

// Angular momentum per mass of particles that spin.
WIDE_INLINE wide_vec3 own_momenta(wide_sym3 shape, wide_quat turn, wide_vec3 spin)
{
    wide trace = shape.xx + shape.yy + shape.zz;
    wide_sym3 inertia = {trace - shape.xx, -shape.xy, -shape.xz,
                         trace - shape.yy, -shape.yz, trace - shape.zz};
    wide_vec3 local = wide_quat_rotate(wide_quat_conjugate(turn), spin);
    return wide_vec3_scale(wide_quat_rotate(turn, wide_sym3_mul_vec(inertia, local)),
                           wide_all(0.2f));
}

// Inertia and angular momentum about the centre of mass.
typedef struct spin_sums {
    wide_vec3 momentum[SUM_PARTS], first_row[SUM_PARTS], others[SUM_PARTS]; // xx xy xz, yy yz zz
} spin_sums;

WIDE_INLINE void add_spin(spin_sums *sums, int part, const motion_span *m, int first, vec3 centre,
                          vec3 velocity)
{
    int count = m->count - first < WIDE ? m->count - first : WIDE;
    int32_t index[WIDE];
    wide_indices(count, index);
    motion_lanes at = load_motion(m, first);
    wide_sym3 shape = gather_shapes(m->shapes + first, index);
    wide_quat turn = wide_quat_load(m->turn + first, count);
    wide_vec3 r = wide_vec3_sub(at.start, wide_vec3_all(centre));
    wide_sym3 I = inertia_of(shape, turn, r);
    wide_vec3 moment = wide_vec3_cross(r, wide_vec3_sub(at.v, wide_vec3_all(velocity)));
    moment = wide_vec3_add(moment, own_momenta(shape, turn, at.spin));
    sums->momentum[part] = wide_vec3_add_scaled(sums->momentum[part], moment, at.share);
    sums->first_row[part] =
        wide_vec3_add_scaled(sums->first_row[part], (wide_vec3){I.xx, I.xy, I.xz}, at.share);
    sums->others[part] =
        wide_vec3_add_scaled(sums->others[part], (wide_vec3){I.yy, I.yz, I.zz}, at.share);
}

static void find_motion(const motion_span *m, rigid_motion *out)
{
    wide_vec3 centre[SUM_PARTS], velocity[SUM_PARTS];
    spin_sums sums;
    memset(centre, 0, sizeof centre);
    memset(velocity, 0, sizeof velocity);
    memset(&sums, 0, sizeof sums);
    for (int first = 0, part = 0; first < m->count; first += WIDE, part = (part + 1) % SUM_PARTS) {
        motion_lanes at = load_motion(m, first);
        centre[part] = wide_vec3_add_scaled(centre[part], at.start, at.share);
        velocity[part] = wide_vec3_add_scaled(velocity[part], at.v, at.share);
    }
    out->centre = sum_parts(centre);
    out->velocity = sum_parts(velocity);
    for (int first = 0, part = 0; first < m->count; first += WIDE, part = (part + 1) % SUM_PARTS)
        add_spin(&sums, part, m, first, out->centre, out->velocity);
    vec3 first_row = sum_parts(sums.first_row), others = sum_parts(sums.others);
    sym3 I = {first_row.x, first_row.y, first_row.z, others.x, others.y, others.z};
    out->spin = sym3_mul_vec(sym3_inverse(I), sum_parts(sums.momentum));
}

static void damp_deformation(const motion_span *m, const rigid_motion *motion, float part)
{
    wide_vec3 velocity = wide_vec3_all(motion->velocity), whole = wide_vec3_all(motion->spin);
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
        wide_vec3 turned = wide_vec3_add_scaled(spin, wide_vec3_sub(whole, spin), wide_all(part));
        wide_vec3_store(m->v + first, wide_vec3_select(is_free, slower, v), count);
        wide_vec3_store(m->spin + first, wide_vec3_select(is_free, turned, spin), count);
    }
}
