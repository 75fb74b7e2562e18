// Inertia and angular momentum of particles, for sums over a body or a part of it.

#ifndef PLIANT_WORLD_INERTIA_H
#define PLIANT_WORLD_INERTIA_H

#include "math/quat.h"

// Adds m (r² 1 - r rᵀ) and the particle's own inertia to I: `spread` is its second moment per mass as it stands.
static inline void add_spread(sym3 *I, float m, vec3 r, sym3 spread)
{
    sym3 own =
        sym3_inertia((sym3){spread.xx + r.x * r.x, spread.xy + r.x * r.y, spread.xz + r.x * r.z,
                            spread.yy + r.y * r.y, spread.yz + r.y * r.z, spread.zz + r.z * r.z});
    I->xx += m * own.xx;
    I->xy += m * own.xy;
    I->xz += m * own.xz;
    I->yy += m * own.yy;
    I->yz += m * own.yz;
    I->zz += m * own.zz;
}

static inline void add_inertia(sym3 *I, float m, vec3 r, sym3 moment, quat turn)
{
    add_spread(I, m, r, sym3_rotate(moment, turn));
}

// Angular momentum per mass of a particle that spins.
static inline vec3 own_momentum(sym3 moment, quat turn, vec3 spin)
{
    vec3 local = quat_rotate(quat_conjugate(turn), spin);
    return quat_rotate(turn, sym3_mul_vec(sym3_inertia(moment), local));
}

#endif
