// Damping of the deformation alone: particles are drawn towards the motion of the body as a whole,
// its linear and angular velocity, which stays as it is (position based dynamics, Müller et al. 2006,
// §3.5, here with the particles' own spin).

#include "inertia.h"
#include "world.h"

// The body as one rigid thing, about its origin of this substep.
typedef struct rigid_motion {
    vec3 centre, velocity, spin;
} rigid_motion;

static rigid_motion find_motion(const pliant_world *world, const body *b)
{
    const elements *e = &b->model->source;
    float inverse_mass = (float)(1.0 / b->model->mass);
    rigid_motion out = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    for (int k = 0; k < e->particle_count; ++k) {
        float share = e->particles[k].mass * inverse_mass;
        int i = b->particle_first + k;
        out.centre = vec3_add_scaled(out.centre, world->start[i], share);
        out.velocity = vec3_add_scaled(out.velocity, world->v[i], share);
    }
    sym3 I = {0};
    vec3 L = {0, 0, 0};
    for (int k = 0; k < e->particle_count; ++k) {
        float share = e->particles[k].mass * inverse_mass;
        int i = b->particle_first + k;
        vec3 r = vec3_sub(world->start[i], out.centre);
        add_inertia(&I, share, r, b->model->shapes[k], world->turn[i]);
        vec3 own = own_momentum(b->model->shapes[k], world->turn[i], world->spin[i]);
        vec3 moment = vec3_cross(r, vec3_sub(world->v[i], out.velocity));
        L = vec3_add_scaled(L, vec3_add(moment, own), share);
    }
    out.spin = sym3_mul_vec(sym3_inverse(I), L);
    return out;
}

void pliant_damp_deformation(const substep *s, const body *b)
{
    if (b->shape_rate == 0.0f)
        return;
    pliant_world *world = s->world;
    rigid_motion motion = find_motion(world, b);
    float part = trig_one_minus_exp(b->shape_rate * s->h);
    for (int k = 0; k < b->model->source.particle_count; ++k) {
        int i = b->particle_first + k;
        if (world->pinned[i])
            continue;
        vec3 r = vec3_sub(world->start[i], motion.centre);
        vec3 rigid = vec3_add(motion.velocity, vec3_cross(motion.spin, r));
        world->v[i] = vec3_add_scaled(world->v[i], vec3_sub(rigid, world->v[i]), part);
        world->spin[i] =
            vec3_add_scaled(world->spin[i], vec3_sub(motion.spin, world->spin[i]), part);
    }
}
