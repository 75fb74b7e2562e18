// Plasticity: explicit groups that hits dent (paper 2011, §5.4), and shapes that creep.
//
// A group that is hit hard lets go, and implicit groups around its members stand in for it. After a while
// it holds again, in the shape that it has then:
//
//     o_i ← Rᵀ(x_i - c),   x̄_i ← c̄ + o_i,   p_i ← R⁻¹ turn_i            R, c from the group's fit
//
// which moves nothing: every member is at its goal then. The paper's s⁻¹ ∘ d_i ∘ r_i is this, because
// d_i ∘ r_i is where the particle is.
//
// Rest positions x̄ and turns p belong to particles, so that groups that share particles agree on them. The
// offsets of an explicit group are its own: a bearing that a dent has moved in the chassis is where it was
// in the axle. Groups that stand in take the rest positions when they begin to, which are then those of the
// group that lets go.

#include "plastic.h"
#include "elastic_groups.h"
#include "places.h"
#include "substep.h"

// How long a group is loose: five frames at 60 Hz, as in the paper.
static const float LOOSE_TIME = 5.0f / 60.0f;

// c̄, in double precision: it must not wander from dent to dent.
static vec3 rest_centre(const pliant_world *world, const body *b, const group *g)
{
    double total = 0, x = 0, y = 0, z = 0;
    for (int k = 0; k < g->slot_count; ++k) {
        vec3 place = world->rest_x[b->particle_first + group_member(b->model, g, k)];
        double weight = *rest_weight(&b->own_rest, group_slot(g, k));
        total += weight;
        x += weight * (double)place.x;
        y += weight * (double)place.y;
        z += weight * (double)place.z;
    }
    return (vec3){(float)(x / total), (float)(y / total), (float)(z / total)};
}

// Rest positions of the members from the offsets that the group holds.
static void place_members(pliant_world *world, const body *b, const group *g)
{
    vec3 centre = rest_centre(world, b, g);
    for (int k = 0; k < g->slot_count; ++k)
        world->rest_x[b->particle_first + group_member(b->model, g, k)] =
            vec3_add(centre, rest_offset(&b->own_rest, group_slot(g, k)));
}

// ---------------------------------------------------------------------------------------------
// Letting go

static void let_go(pliant_world *world, body *b, int index)
{
    const pliant_model *model = b->model;
    const group *g = &model->groups[index];
    float *loose = world->loose + b->group_first;
    rest_pose pose = pli_body_rest_pose(world, b);
    loose[index] = LOOSE_TIME;
    // What bent it stays bent: groups that stand in are stiffer or softer, and could take for their own what it held.
    b->account.store = 0.0;
    // Creep and the dents of other groups that share a joint have not touched these.
    place_members(world, b, g);
    for (int k = 0; k < g->slot_count; ++k) {
        int stand_in = model->stand_in_of[group_member(model, g, k)] - 1;
        if (stand_in < 0)
            continue;
        if (loose[stand_in] == 0.0f) {
            pli_rest_place_group(&b->own_rest, model, stand_in, world->pinned + b->particle_first,
                                 &pose);
            pli_elastic_follow(world, b, stand_in);
        }
        loose[stand_in] = LOOSE_TIME;
    }
}

// Lets a group go when one of its members was hit hard enough, and tells.
static void let_go_if_hit(pliant_world *world, body *b, int index)
{
    const group *g = &b->model->groups[index];
    int32_t hardest = group_member(b->model, g, 0);
    for (int k = 1; k < g->slot_count; ++k) {
        int32_t p = group_member(b->model, g, k);
        if (world->hit_speed[b->particle_first + p] > world->hit_speed[b->particle_first + hardest])
            hardest = p;
    }
    float speed = world->hit_speed[b->particle_first + hardest];
    if (!(speed > g->dent_speed))
        return;
    let_go(world, b, index);
    int slot = world->owner[b->particle_first];
    pliant_event event = {.kind = PLIANT_EVENT_DENT,
                          .body = {(uint32_t)slot, b->generation},
                          .particle = hardest,
                          .other_particle = -1,
                          .point = world->x[b->particle_first + hardest],
                          .speed = speed};
    pli_note_event(world, &event);
}

static bool can_be_dented(const body *b)
{
    return b->model->has_dents && !is_still(b);
}

static bool holds_until_hit(const pliant_world *world, const body *b, int index)
{
    return b->model->groups[index].dent_speed > 0.0f &&
           world->loose[b->group_first + index] == 0.0f;
}

// Before the hit is solved: a group that lets go only after it has shared the hit among its members would
// have nothing left to deform it.
void pli_loosen_groups(const substep *s)
{
    pliant_world *world = s->world;
    for (int a = 0; a < world->active_count; ++a) {
        body *b = &world->bodies[world->active[a]];
        if (!can_be_dented(b))
            continue;
        for (int i = b->model->implicit_count; i < b->model->group_count; ++i)
            if (holds_until_hit(world, b, i))
                let_go_if_hit(world, b, i);
    }
}

// ---------------------------------------------------------------------------------------------
// Absorbing

static bool holds_absorbed(const pliant_world *world, const body *b, const group *g)
{
    for (int k = 0; k < g->slot_count; ++k)
        if (world->absorbed[b->particle_first + group_member(b->model, g, k)])
            return true;
    return false;
}

// Implicit groups that always act, and edges, get the rest positions of what was absorbed. Edges from one
// explicit group to another keep their length, as the other group keeps its shape.
static void replace_around(pliant_world *world, body *b)
{
    const pliant_model *model = b->model;
    const uint8_t *absorbed = world->absorbed + b->particle_first;
    rest_pose pose = pli_body_rest_pose(world, b);
    for (int i = 0; i < model->implicit_count; ++i) {
        if (model->groups[i].stands_in || !holds_absorbed(world, b, &model->groups[i]))
            continue;
        pli_rest_place_group(&b->own_rest, model, i, world->pinned + b->particle_first, &pose);
        pli_elastic_follow(world, b, i);
    }
    for (int i = 0; i < model->source.edge_count; ++i) {
        int32_t from = model->edges[i].a, to = model->edges[i].b;
        bool is_known =
            (absorbed[from] || !model->group_of[from]) && (absorbed[to] || !model->group_of[to]);
        if (is_known && (absorbed[from] || absorbed[to]))
            pli_rest_place_edge(&b->own_rest, model, i, &pose);
    }
}

static void absorb(pliant_world *world, body *b, int index)
{
    const pliant_model *model = b->model;
    const group *g = &model->groups[index];
    rest_pose pose = pli_body_rest_pose(world, b);
    group_fit fit = pli_fit_group(world, b, index);
    for (int k = 0; k < g->slot_count; ++k)
        if (!vec3_is_finite(pli_place_in_fit(world, b, &fit, group_member(model, g, k))))
            return; // the body is about to be frozen
    quat back = quat_conjugate(fit.rotation);
    for (int k = 0; k < g->slot_count; ++k) {
        int32_t p = group_member(model, g, k);
        int i = b->particle_first + p;
        set_rest_offset(&b->own_rest, group_slot(g, k), pli_place_in_fit(world, b, &fit, p));
        if (k < g->turned_count)
            world->rest_turn[i] = quat_normalize(quat_mul(back, world->turn[i]));
        world->absorbed[i] = 1;
    }
    pli_rest_centre_group(&b->own_rest, model, index, world->pinned + b->particle_first, &pose);
    place_members(world, b, g);
    replace_around(world, b);
    for (int k = 0; k < g->slot_count; ++k)
        world->absorbed[b->particle_first + group_member(model, g, k)] = 0;
}

// Time that is left after a substep. Less than half a substep is none: sums of h are rounded.
static float time_left(float time, float h)
{
    return time > 1.5f * h ? time - h : 0.0f;
}

// Hits that only the solver found make groups let go here, for the next substep on.
void pli_absorb_dents(const substep *s)
{
    pliant_world *world = s->world;
    for (int a = 0; a < world->active_count; ++a) {
        body *b = &world->bodies[world->active[a]];
        if (!can_be_dented(b))
            continue;
        float *loose = world->loose + b->group_first;
        for (int i = 0; i < b->model->implicit_count; ++i)
            loose[i] = time_left(loose[i], s->time);
        for (int i = b->model->implicit_count; i < b->model->group_count; ++i) {
            if (holds_until_hit(world, b, i)) {
                let_go_if_hit(world, b, i);
            } else if (loose[i] > 0.0f) {
                loose[i] = time_left(loose[i], s->time);
                if (loose[i] == 0.0f)
                    absorb(world, b, i);
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Creep

// Beyond its yield strain a rest shape follows what it is deformed to, and by this part:
//     (1 - exp(-rate dt)) (1 - yield / strain)
// so that strain - yield falls as exp(-rate t), whatever the step.
static float creep_part(float strain, float yield_strain, float rate, float dt)
{
    if (!(strain > yield_strain) || !is_finite(strain))
        return 0.0f;
    return trig_one_minus_exp(rate * dt) * (1.0f - yield_strain / strain);
}

// strain² = Σ m |Rᵀ(x - c) - o|² / Σ m |o|². By mass, not by weight in the fit: a clamped end would hide what
// is bent beside it.
static float group_strain(const pliant_world *world, const body *b, const group *g,
                          const group_fit *fit)
{
    float deformed = 0.0f, size = 0.0f;
    for (int k = 0; k < g->slot_count; ++k) {
        int32_t p = group_member(b->model, g, k);
        float mass = b->model->source.particles[p].mass;
        vec3 offset = rest_offset(&b->own_rest, group_slot(g, k));
        vec3 d = vec3_sub(pli_place_in_fit(world, b, fit, p), offset);
        deformed += mass * vec3_dot(d, d);
        size += mass * vec3_dot(offset, offset);
    }
    return size > 0.0f ? square_root(deformed / size) : 0.0f;
}

static void creep_group(pliant_world *world, const body *b, int index, float dt)
{
    const group *g = &b->model->groups[index];
    rest own = b->own_rest;
    group_fit fit = pli_fit_group(world, b, index);
    float strain = group_strain(world, b, g, &fit);
    float part = creep_part(strain, g->yield_strain, g->creep_rate, dt);
    if (part == 0.0f)
        return;
    for (int k = 0; k < g->slot_count; ++k) {
        vec3 offset = rest_offset(&own, group_slot(g, k));
        vec3 place = pli_place_in_fit(world, b, &fit, group_member(b->model, g, k));
        set_rest_offset(&own, group_slot(g, k),
                        vec3_add_scaled(offset, vec3_sub(place, offset), part));
    }
    rest_pose pose = pli_body_rest_pose(world, b);
    pli_rest_centre_group(&own, b->model, index, world->pinned + b->particle_first, &pose);
    pli_elastic_follow(world, b, index);
}

static void creep_edge(const pliant_world *world, const body *b, int index, float dt)
{
    const edge *e = &b->model->edges[index];
    float *length = &b->own_rest.edges[index].length;
    vec3 between = vec3_sub(current_position(world, b->particle_first + e->b),
                            current_position(world, b->particle_first + e->a));
    float stretch = vec3_length(between) - *length;
    float part = creep_part(absolute(stretch) / *length, e->yield_strain, e->creep_rate, dt);
    *length += part * stretch;
}

// m², of a particle about the edge: its moment of inertia per mass, of a chain's about the edge itself.
static float gyration2(const body *b, const rest_edge *at, int32_t particle, int end)
{
    return 1.0f / (b->model->source.particles[particle].mass * at->inverse_inertia[end]);
}

// Of a rotation, the part about a unit axis, times some number.
static quat part_about(quat q, vec3 axis)
{
    vec3 along = vec3_scale(axis, q.x * axis.x + q.y * axis.y + q.z * axis.z);
    return (quat){along.x, along.y, along.z, q.w};
}

// strain = k |φ| / length, with φ by which b is turned against a beyond the twist at rest and k the ends' radius of gyration:
// as that of a group, this is how far mass is from where it was, against how far it is from the middle.
static void creep_twist(const pliant_world *world, const body *b, int index, float dt)
{
    const edge *e = &b->model->edges[index];
    const rest_edge *at = &b->own_rest.edges[index];
    quat *twist = &b->own_rest.twists[index];
    const quat *turn = world->turn + b->particle_first, *dents = pli_body_rest_turns(world, b);
    quat first = quat_mul(turn_from_rest(turn[e->a], dents, e->a), *twist);
    quat between = quat_mul(quat_conjugate(first), turn_from_rest(turn[e->b], dents, e->b));
    vec3 phi = quat_log(e->twist_only ? part_about(between, at->direction) : between);
    float k = square_root(0.5f * (gyration2(b, at, e->a, 0) + gyration2(b, at, e->b, 1)));
    float strain = k * vec3_length(phi) / at->length;
    float part = creep_part(strain, e->yield_strain, e->creep_rate, dt);
    if (part > 0.0f)
        *twist = quat_normalize(quat_mul(*twist, quat_exp(vec3_scale(phi, part))));
}

void pli_creep(const substep *s, const body *b)
{
    pliant_world *world = s->world;
    if (!b->model->has_creep)
        return;
    float dt = s->time * (float)s->count;
    for (int i = 0; i < b->model->group_count; ++i)
        if (b->model->groups[i].creep_rate > 0.0f && world->loose[b->group_first + i] == 0.0f)
            creep_group(world, b, i, dt);
    for (int i = 0; i < b->model->source.edge_count; ++i) {
        const edge *e = &b->model->edges[i];
        if (e->stretch_rate != 0.0f && e->creep_rate > 0.0f)
            creep_edge(world, b, i, dt);
        if (can_twist_creep(e))
            creep_twist(world, b, i, dt);
    }
}
