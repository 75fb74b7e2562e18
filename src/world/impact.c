// Impact of a rigid body on colliders.
//
// A body that is one rigid group has six degrees of freedom, but contacts push its particles one by one, and a few iterations
// hand on but a part of the momentum: it would stop within several substeps, pressed together as if it were soft, and spring
// back where it was pressed. So a substep in which it hits is solved once more, for the body as a whole. With c its centre of
// mass, v and ω its motion, r from c to a contact, u the speed there against the surface and n the normal, impulses J change
//
//     v ← v + ΣJ/m,      ω ← ω + I⁻¹ Σ r × J,      u = v + ω × r - surface
//
// from the motion that it has without its contacts (what other bodies and fields did to it stays), such that each place which
// reaches the surface parts from it at e times the speed at which it came (Newton's law of restitution),
//
//     n·u ≥ e |n·u before|,      n·J ≥ 0,      one of them an equality,      |J across n| ≤ μ n·J against the slip
//
// by sequential impulses (projected Gauss-Seidel). Friction can make such impulses add energy (Kane's paradox): their work
// Σ J·(u before + u)/2 is quadratic in their size, and none of it is left when all of them are made smaller.
//
// The body goes on from where the substep started, by a part of its motion before and of that after, so that what hits is at
// the surface in the end: it has not come deeper, so that nothing springs back.

#include "impact.h"

#include "contacts.h"
#include "inertia.h"
#include "places.h"
#include "substep.h"

// Sweeps over the contacts.
enum { IMPACT_PASSES = 24 };

typedef struct rigid_motion {
    vec3 v, spin;
} rigid_motion;

// A body as the substep starts, from its origin.
typedef struct rigid_body {
    vec3 centre;
    sym3 inertia;
    float inverse_mass;
    mat3 inverse_inertia;
} rigid_body;

static const contact_side SOLID = {0};

static bool is_one_rigid(const pliant_world *world, const body *b)
{
    int whole = b->model->whole_group;
    return whole >= 0 && pli_may_fly(b) && world->loose[b->group_first + whole] == 0.0f;
}

static rigid_body rigid_body_of(const pliant_world *world, const body *b)
{
    const pliant_model *model = b->model;
    rigid_body out = {.inverse_mass = (float)(1.0 / model->mass)};
    for (int k = 0; k < model->source.particle_count; ++k)
        out.centre = vec3_add_scaled(out.centre, world->start[b->particle_first + k],
                                     model->source.particles[k].mass * out.inverse_mass);
    for (int k = 0; k < model->source.particle_count; ++k) {
        int i = b->particle_first + k;
        vec3 arm = vec3_sub(world->start[i], out.centre);
        add_inertia(&out.inertia, model->source.particles[k].mass, arm, model->moments[k],
                    world->turn_start[i]);
    }
    out.inverse_inertia = sym3_to_mat3(sym3_inverse(out.inertia));
    return out;
}

static void push(rigid_motion *m, const contact_side *side, vec3 impulse)
{
    m->v = vec3_add_scaled(m->v, impulse, side->inverse_mass);
    vec3 moment = vec3_cross(side->arm, impulse);
    m->spin = vec3_add(m->spin, mat3_mul_vec(&side->inverse_inertia, moment));
}

static rigid_motion motion_of(const pliant_world *world, const body *b, const rigid_body *r,
                              const vec3 *velocities, const vec3 *spins)
{
    const pliant_model *model = b->model;
    rigid_motion m = {0};
    vec3 momentum = {0, 0, 0};
    for (int k = 0; k < model->source.particle_count; ++k) {
        int i = b->particle_first + k;
        float mass = model->source.particles[k].mass;
        vec3 arm = vec3_sub(world->start[i], r->centre), v = velocities[i];
        vec3 own = own_momentum(model->moments[k], world->turn_start[i], spins[i]);
        m.v = vec3_add_scaled(m.v, v, mass * r->inverse_mass);
        momentum = vec3_add_scaled(momentum, vec3_add(vec3_cross(arm, v), own), mass);
    }
    m.spin = mat3_mul_vec(&r->inverse_inertia, momentum);
    return m;
}

// The body as a contact sees it that pushes a particle at `arm` from its centre.
static contact_side side_at(const pliant_world *world, const rigid_body *r, const contact *c,
                            vec3 arm)
{
    vec3 place = vec3_add(vec3_sub(world->start[c->particle], r->centre), arm);
    return (contact_side){r->inverse_mass, r->inverse_inertia, place};
}

static contact_side side_of(const pliant_world *world, const body *b, const rigid_body *r,
                            const contact *c)
{
    mat3 R = quat_to_mat3(world->turn_start[c->particle]);
    vec3 arm;
    pli_model_support(b->model, c->particle - b->particle_first, &R, c->normal, &arm);
    return side_at(world, r, c, arm);
}

// m/s, against the surface.
static vec3 speed_at(const substep *s, const rigid_motion *m, const contact *c,
                     const contact_side *side)
{
    vec3 v = vec3_add(m->v, vec3_cross(m->spin, side->arm));
    return vec3_add_scaled(v, c->surface_way, -1.0f / s->h);
}

static vec3 impulse_of(const contact *c)
{
    return vec3_add_scaled(c->friction_impulse, c->normal, c->normal_impulse);
}

// The work of a surface that moves counts, or no longer.
static void note_drive(const substep *s, body *b, const contact *c, float sign)
{
    if (pli_collider_moves(&s->world->colliders[c->collider]))
        pli_note_drive(s, b, vec3_scale(impulse_of(c), sign), c->surface_way, 0.0f);
}

// Takes back what contacts did to a body, whose particles they pushed at their centres, or at their surfaces.
static void forget_contacts(const substep *s, body *b, const rigid_body *r, rigid_motion *m)
{
    const pliant_world *world = s->world;
    contact *contacts = contacts_of(world, b);
    for (int k = 0; k < b->contact_count; ++k) {
        contact *c = &contacts[k];
        bool is_point = !b->model->answers_rigidly[c->particle - b->particle_first];
        const vec3 none = {0, 0, 0};
        contact_side side = is_point ? side_at(world, r, c, none) : side_of(world, b, r, c);
        push(m, &side, vec3_scale(impulse_of(c), -s->part / s->h));
        note_drive(s, b, c, -1.0f);
        c->normal_impulse = 0.0f;
        c->friction_impulse = none;
    }
}

// m/s, the least speed along the normal with which the place of a contact may part in the end, when it was predicted to come
// at `approach`.
static float least_speed(const substep *s, const body *b, const contact *c, float approach)
{
    const pliant_world *world = s->world;
    float pull = -b->gravity_scale * vec3_dot(c->normal, world->def.gravity);
    float gap = maximum(-c->start_depth, 0.0f), before = approach - pull * s->h;
    if (!((before + pull * s->time) * s->time > gap))
        return -gap / s->time;
    float restitution = pli_combined_restitution(b, &world->colliders[c->collider]);
    if (restitution == 0.0f || before < world->def.restitution_threshold)
        return 0.0f;
    return pli_rebound_speed(restitution, before, pull, gap, s->time);
}

static void solve_impact(const substep *s, const body *b, const rigid_body *r, contact *c,
                         const rigid_motion *coming, rigid_motion *m)
{
    contact_side side = side_of(s->world, b, r, c);
    vec3 n = c->normal;
    float least = least_speed(s, b, c, -vec3_dot(n, speed_at(s, coming, c, &side)));
    float missing = least - vec3_dot(n, speed_at(s, m, c, &side));
    float total = maximum(0.0f, c->normal_impulse + missing / contact_mobility(&side, n));
    push(m, &side, vec3_scale(n, total - c->normal_impulse));
    c->normal_impulse = total;
    vec3 J = friction_impulse(speed_at(s, m, c, &side), n, &side, &SOLID, 1.0f);
    push(m, &side, pli_limit_friction(&c->friction_impulse, J, c->friction * total));
}

// J, beyond ω·Iω/2: velocities of what turns will be chords.
static float chord_energy(const substep *s, const rigid_body *r, const rigid_motion *m)
{
    float half_turn = 0.5f * s->h * vec3_length(m->spin);
    return 0.5f * vec3_dot(m->spin, sym3_mul_vec(r->inertia, m->spin)) * half_turn * half_turn;
}

// What is to be left of all impulses, so that they add no energy.
static float part_without_gain(const substep *s, const body *b, const rigid_body *r,
                               const rigid_motion *before, const rigid_motion *after)
{
    const contact *contacts = contacts_of(s->world, b);
    float work = chord_energy(s, r, after) - chord_energy(s, r, before), size = 0.0f;
    for (int k = 0; k < b->contact_count; ++k) {
        contact_side side = side_of(s->world, b, r, &contacts[k]);
        vec3 J = impulse_of(&contacts[k]), u = speed_at(s, before, &contacts[k], &side);
        vec3 change = vec3_sub(speed_at(s, after, &contacts[k], &side), u);
        work += vec3_dot(J, vec3_add_scaled(u, change, 0.5f));
        size += 0.5f * vec3_dot(J, change);
    }
    return work > 0.0f ? maximum(0.0f, 1.0f - work / size) : 1.0f;
}

static rigid_motion blend(const rigid_motion *from, const rigid_motion *to, float part)
{
    return (rigid_motion){vec3_add_scaled(from->v, vec3_sub(to->v, from->v), part),
                          vec3_add_scaled(from->spin, vec3_sub(to->spin, from->spin), part)};
}

// By how much of the motion after the impact the body goes, so that nothing comes deeper.
static float part_after(const substep *s, const body *b, const rigid_body *r,
                        const rigid_motion *before, const rigid_motion *after)
{
    const contact *contacts = contacts_of(s->world, b);
    float part = 0.0f;
    for (int k = 0; k < b->contact_count; ++k) {
        const contact *c = &contacts[k];
        contact_side side = side_of(s->world, b, r, c);
        float u = vec3_dot(c->normal, speed_at(s, before, c, &side));
        float more = vec3_dot(c->normal, speed_at(s, after, c, &side)) - u;
        float missing = -maximum(-c->start_depth, 0.0f) / s->time - u;
        if (missing > 0.0f && more > 0.0f)
            part = maximum(part, minimum(1.0f, missing / more));
    }
    return part;
}

// In the units of contacts (kg m).
static void tell_contacts(const substep *s, body *b, float part)
{
    contact *contacts = contacts_of(s->world, b);
    float scale = part * s->h / s->part;
    for (int k = 0; k < b->contact_count; ++k) {
        contacts[k].normal_impulse *= scale;
        contacts[k].friction_impulse = vec3_scale(contacts[k].friction_impulse, scale);
        note_drive(s, b, &contacts[k], 1.0f);
    }
}

// From where the substep started the body goes by the motion `mean`; from there on it has the motion `after`.
static void move_body(const substep *s, const body *b, const rigid_body *r,
                      const rigid_motion *mean, const rigid_motion *after)
{
    pliant_world *world = s->world;
    quat rotation = quat_turn(quat_identity(), vec3_scale(mean->spin, s->time));
    vec3 centre = vec3_add_scaled(r->centre, mean->v, s->time);
    for (int i = b->particle_first; i < b->particle_first + b->model->source.particle_count; ++i) {
        vec3 arm = quat_rotate(rotation, vec3_sub(world->start[i], r->centre));
        vec3 now = vec3_add(current_position(world, i), b->drift);
        go_further(world, i, vec3_sub(vec3_add(centre, arm), now));
        world->turn[i] = quat_normalize(quat_mul(rotation, world->turn_start[i]));
        world->v[i] = vec3_add(after->v, vec3_cross(after->spin, arm));
        world->spin[i] = after->spin;
    }
}

bool pli_hit_as_one(const substep *s, body *b)
{
    const pliant_world *world = s->world;
    if (!pli_hits_hard(world, b) || !is_one_rigid(world, b))
        return false;
    rigid_body r = rigid_body_of(world, b);
    rigid_motion coming = motion_of(world, b, &r, world->v_predicted, world->spin_predicted);
    rigid_motion before = motion_of(world, b, &r, world->v, world->spin);
    forget_contacts(s, b, &r, &before);
    rigid_motion after = before;
    contact *contacts = contacts_of(world, b);
    for (int pass = 0; pass < IMPACT_PASSES; ++pass)
        for (int k = 0; k < b->contact_count; ++k)
            solve_impact(s, b, &r, &contacts[k], &coming, &after);
    float part = part_without_gain(s, b, &r, &before, &after);
    after = blend(&before, &after, part);
    tell_contacts(s, b, part);
    rigid_motion mean = blend(&before, &after, part_after(s, b, &r, &before, &after));
    move_body(s, b, &r, &mean, &after);
    return true;
}
