// What constraints and contacts may turn.
//
// The forces between a body's own particles add up to no moment: constraints turn no body as a whole. What two bodies do to each
// other happens at one place: what one is turned by, the other is turned back by. A solver that goes from particle to particle
// misses both by a little. Soft groups turn their centre all the way and their members by a part of it, friction acts at surfaces
// and moves centres, and many fits have not converged when the last iteration ends. So angular momentum is kept account of, as
// energy is (ledger.c). In a substep, with u and v the velocities of a particle as predicted and in the end, x its place at the
// start, d its way and S the momentum of its own spin,
//
//     pushed = Σ m (v - u)
//     turned = Σ m x × (v - u) + m d × v + ΔS         what was added to Σ m x × v + S
//
// are what has been done to a body. Its pairs with others tell at which places: a pair pushes one body at r by J, and the other one
// there by -J. What has been done to a body in excess of Σ r × J is taken back by turning all of it about its centre of mass c at
// the start, which leaves linear momentum as it is:
//
//     v ← v + φ × (x - c),   spin ← spin + φ,   φ = I⁻¹ (Σ r × J - turned)
//
// and places and rotations by what this moves in a substep.
//
// Pairs know J but roughly: they push in several directions, and when they settle a part is taken back. What of `pushed` they do
// not account for acts in the middle of their places; of two bodies these are the same, so that nothing is lost.
//
// This holds for islands that fly. What a collider, a pin or an attachment holds gets unknown moments from it, and in a heap a
// body that is turned in every substep would never sleep. Rigid bodies keep their angular momentum in flight without it.

#include "turning.h"

#include "inertia.h"
#include "islands.h"
#include "pairs.h"
#include "places.h"
#include "substep.h"
#include "tasks.h"

#include "solve/motion.h"

// Of the trace of a body's inertia: points in a row have none about their line.
static const float LEAST_INERTIA = 1e-5f;
enum { LOOSE_POWER = 4 };
// Of Σ m |x| |v|: velocities are ways divided by times.
static const float TURN_ROUNDING = 3e-8f;

static void add_scaled(double sum[3], double m, vec3 a)
{
    sum[0] += m * (double)a.x;
    sum[1] += m * (double)a.y;
    sum[2] += m * (double)a.z;
}

static void add_cross(double sum[3], double m, const double a[3], const double b[3])
{
    sum[0] += m * (a[1] * b[2] - a[2] * b[1]);
    sum[1] += m * (a[2] * b[0] - a[0] * b[2]);
    sum[2] += m * (a[0] * b[1] - a[1] * b[0]);
}

// ---------------------------------------------------------------------------------------------
// What has been done to a body

// One particle of rigid answer gets the moments of its pairs itself.
bool pli_may_fly(const body *b)
{
    return b->pinned_count == 0 && !b->is_attached && b->model->source.particle_count > 1;
}

void pli_begin_turning(body *b)
{
    b->turning = (turn_account){.is_free = b->touching_count == 0 && pli_may_fly(b)};
}

static vec3 predicted_part(const substep *s, vec3 before, vec3 predicted)
{
    return is_partial(s) ? vec3_add_scaled(before, vec3_sub(predicted, before), s->part)
                         : predicted;
}

// m²/s, of a particle's own spin. Velocities are chords: they belong to the rotation half way.
static vec3 momentum_of_spin(const substep *s, const body *b, int k, quat end, vec3 spin)
{
    bool is_halfway = !b->model->turns_freely[k];
    quat turn = is_halfway ? quat_turn(end, vec3_scale(spin, -0.5f * s->h)) : end;
    return own_momentum(b->model->moments[k], turn, spin);
}

// m²/s. What turns freely by itself is not turned by constraints, but by contacts alone.
static vec3 spin_added(const substep *s, const body *b, int k)
{
    const pliant_world *world = s->world;
    int i = b->particle_first + k;
    vec3 predicted = predicted_part(s, world->spin_start[i], world->spin_predicted[i]);
    if (b->model->is_round)
        return sym3_mul_vec(sym3_inertia(b->model->moments[k]),
                            vec3_sub(world->spin[i], predicted));
    quat start = b->model->turns_freely[k] ? world->turn[i] : world->turn_start[i];
    return vec3_sub(momentum_of_spin(s, b, k, world->turn[i], world->spin[i]),
                    momentum_of_spin(s, b, k, start, predicted));
}

static void weigh(const substep *s, body *b)
{
    const pliant_world *world = s->world;
    turn_account t = b->turning;
    for (int k = 0; k < b->model->source.particle_count; ++k) {
        int i = b->particle_first + k;
        double mass = b->model->source.particles[k].mass, share = mass / b->model->mass;
        vec3 u = predicted_part(s, world->v_start[i], world->v_predicted[i]), v = world->v[i];
        vec3 x = world->start[i], way = vec3_add(world->move[i].way, b->drift);
        const double start[3] = {x.x, x.y, x.z}, moved[3] = {way.x, way.y, way.z};
        const double added[3] = {(double)v.x - (double)u.x, (double)v.y - (double)u.y,
                                 (double)v.z - (double)u.z};
        const double speed[3] = {v.x, v.y, v.z};
        add_scaled(t.centre, share, x);
        for (int c = 0; c < 3; ++c)
            t.pushed[c] += mass * added[c];
        add_cross(t.turned, mass, start, added);
        add_cross(t.turned, mass, moved, speed);
        t.size += mass * (double)(vec3_length(x) * vec3_length(v));
        add_scaled(t.turned, mass, spin_added(s, b, k));
    }
    b->turning = t;
}

// ---------------------------------------------------------------------------------------------
// Where bodies push each other

static bool is_free(const pliant_world *world, int64_t slot)
{
    const body *b = &world->bodies[slot];
    return b->turning.is_free && !is_still(b);
}

// Whether something that flies has touched another body in this step.
static bool has_met_in_flight(const pliant_world *world)
{
    for (int k = 0; k < world->touches.now_count; ++k) {
        const touching *t = &world->touches.now[k];
        if (!touches_collider(t) &&
            (is_free(world, (int64_t)(t->key >> 32)) || is_free(world, (int64_t)(uint32_t)t->key)))
            return true;
    }
    return false;
}

static void join_pushing(pliant_world *world)
{
    pli_begin_islands(world);
    for (int k = 0; k < pair_numbers(world); ++k) {
        pair_push c;
        if (find_push(world, k, &c) && world->owner[c.a] != world->owner[c.b])
            pli_join_islands(world, world->owner[c.a], world->owner[c.b]);
    }
}

// An island is free where all of it is.
static void find_flying_islands(pliant_world *world)
{
    join_pushing(world);
    for (int k = 0; k < world->active_count; ++k) {
        int32_t slot = world->active[k];
        bool *root_is_free = &world->bodies[pli_island_of(world, slot)].turning.is_free;
        *root_is_free = *root_is_free && is_free(world, slot);
    }
    for (int k = 0; k < world->active_count; ++k) {
        int32_t slot = world->active[k];
        world->bodies[slot].turning.is_free =
            world->bodies[pli_island_of(world, slot)].turning.is_free;
    }
}

static vec3 friction_of(const pliant_world *world, int number)
{
    int lanes = world->pair_work.batch_count * PAIR_LANES;
    if (number >= lanes)
        return world->pair_work.singles[number - lanes].friction_impulse;
    const pair_batch *eight = &world->pair_work.batches[number / PAIR_LANES];
    return lane_of(&eight->friction_impulse, number % PAIR_LANES);
}

// From a's centre to where a pair acts, as of the start. Points push each other along the line of their centres, and so there.
static vec3 place_on_line(const pliant_world *world, int number, const pair_push *c, vec3 between)
{
    int lanes = world->pair_work.batch_count * PAIR_LANES;
    float size_a = largest_radius(world, c->a), size_b = largest_radius(world, c->b);
    if (number >= lanes && owner_of(world, c->a)->model->answers_rigidly[0] &&
        owner_of(world, c->b)->model->answers_rigidly[0])
        return world->pair_work.singles[number - lanes].arm;
    return vec3_scale(between, size_a / (size_a + size_b));
}

void pli_note_impulse(body *b, vec3 place, vec3 impulse)
{
    turn_account *t = &b->turning;
    const double r[3] = {place.x, place.y, place.z}, J[3] = {impulse.x, impulse.y, impulse.z};
    double size = (double)vec3_length(impulse);
    add_scaled(t->impulse, 1.0, impulse);
    add_cross(t->moment, 1.0, r, J);
    add_scaled(t->place, size, place);
    t->weight += size;
}

static void note_push(const substep *s, int number, const pair_push *c)
{
    pliant_world *world = s->world;
    body *a = &world->bodies[world->owner[c->a]], *b = &world->bodies[world->owner[c->b]];
    if (a == b || !a->turning.is_free)
        return;
    vec3 apart = vec3_sub(a->origin, b->origin);
    vec3 between = vec3_sub(vec3_sub(world->start[c->b], world->start[c->a]), apart);
    vec3 place = vec3_add(world->start[c->a], place_on_line(world, number, c, between));
    vec3 impulse = vec3_add_scaled(friction_of(world, number), c->normal, -c->normal_impulse);
    impulse = vec3_scale(impulse, s->part / s->h);
    pli_note_impulse(a, place, impulse);
    pli_note_impulse(b, vec3_add(place, apart), vec3_negate(impulse));
}

static void note_pushes(const substep *s)
{
    const pliant_world *world = s->world;
    for (int k = 0; k < pair_numbers(world); ++k) {
        pair_push c;
        if (find_push(world, k, &c))
            note_push(s, k, &c);
    }
}

// ---------------------------------------------------------------------------------------------
// Turning back

// kg m²/s, by which a body is to be turned.
static vec3 missing_turn(const body *b)
{
    const turn_account *t = &b->turning;
    double missing[3], place[3], untold[3];
    for (int c = 0; c < 3; ++c) {
        place[c] = t->weight > 0.0 ? t->place[c] / t->weight : t->centre[c];
        untold[c] = t->pushed[c] - t->impulse[c];
        missing[c] = t->moment[c] - t->turned[c];
    }
    add_cross(missing, 1.0, place, untold);
    return (vec3){(float)missing[0], (float)missing[1], (float)missing[2]};
}

static vec3 arm_of(const pliant_world *world, const body *b, int i)
{
    const double *centre = b->turning.centre;
    vec3 x = world->start[i];
    return (vec3){(float)((double)x.x - centre[0]), (float)((double)x.y - centre[1]),
                  (float)((double)x.z - centre[2])};
}

// kg m², of all of a body, and of what about its places hardly counts: the spins of soft particles, which follow their neighbours.
typedef struct body_inertia {
    sym3 all, loose;
} body_inertia;

static void add_scaled_sym3(sym3 *sum, float s, sym3 a)
{
    sum->xx += s * a.xx;
    sum->xy += s * a.xy;
    sum->xz += s * a.xz;
    sum->yy += s * a.yy;
    sum->yz += s * a.yz;
    sum->zz += s * a.zz;
}

static body_inertia inertia_of(const pliant_world *world, const body *b)
{
    const pliant_model *model = b->model;
    body_inertia out = {0};
    for (int k = 0; k < model->source.particle_count; ++k) {
        int i = b->particle_first + k;
        float mass = model->source.particles[k].mass;
        sym3 spread = model->moments[k];
        if (!model->is_round)
            spread = sym3_rotate(spread, world->turn_start[i]);
        add_spread(&out.all, mass, arm_of(world, b, i), spread);
        if (!model->is_rigid[k])
            add_scaled_sym3(&out.loose, mass, sym3_inertia(spread));
    }
    float least = LEAST_INERTIA * sym3_trace(out.all);
    const sym3 one = {.xx = 1.0f, .yy = 1.0f, .zz = 1.0f};
    add_scaled_sym3(&out.all, least, one);
    add_scaled_sym3(&out.loose, least, one);
    return out;
}

// rad/s, φ. About the line of a rope most of the inertia is that of spins, and it takes no work to turn them: they would get all
// of it. So with S the part of the inertia that is loose, only the part 1 - S⁴ of what is missing is made up for.
static vec3 turn_for(const body_inertia *inertia, vec3 missing)
{
    sym3 inverse = sym3_inverse(inertia->all);
    vec3 left = missing;
    for (int k = 0; k < LOOSE_POWER; ++k)
        left = sym3_mul_vec(inertia->loose, sym3_mul_vec(inverse, left));
    return sym3_mul_vec(inverse, vec3_sub(missing, left));
}

// Places follow, too: what a force has moved less than its speed says would get energy from it for no work. What a rotation adds
// to the energy of motion is a gift like any other, and so is what spins gain. What they lose is not: soft groups turn them for
// nothing, and it would be in store.
static void turn_body(const substep *s, body *b, vec3 turn)
{
    pliant_world *world = s->world;
    quat rotation = quat_turn(quat_identity(), vec3_scale(turn, s->time));
    double added = 0.0, spun = 0.0;
    for (int k = 0; k < b->model->source.particle_count; ++k) {
        int i = b->particle_first + k;
        vec3 dv = vec3_cross(turn, arm_of(world, b, i)), v = world->v[i];
        double mass = b->model->source.particles[k].mass;
        vec3 mean = vec3_sub(vec3_add_scaled(v, dv, 0.5f), pli_half_fall(s, b, k));
        vec3 spin = vec3_add_scaled(world->spin[i], turn, 0.5f);
        vec3 momentum = own_momentum(b->model->moments[k], world->turn[i], turn);
        added += mass * (double)vec3_dot(mean, dv);
        spun += mass * (double)vec3_dot(spin, momentum);
        world->v[i] = vec3_add(v, dv);
        world->spin[i] = vec3_add(world->spin[i], turn);
        go_further(world, i, vec3_scale(dv, s->time));
        world->turn[i] = quat_normalize(quat_mul(rotation, world->turn[i]));
    }
    b->ledger.given += added + (spun > 0.0 ? spun : 0.0);
    b->ledger.motion += added;
}

static bool may_have_been_turned(const body *b)
{
    return b->turning.is_free && (b->model->is_soft || b->turning.weight > 0.0);
}

static void turn_back(int index, void *context)
{
    const substep *s = context;
    body *b = &s->world->bodies[s->world->active[index]];
    if (is_still(b) || !may_have_been_turned(b))
        return;
    weigh(s, b);
    vec3 missing = missing_turn(b);
    if (vec3_length(missing) <= TURN_ROUNDING * (float)b->turning.size)
        return;
    body_inertia inertia = inertia_of(s->world, b);
    vec3 turn = turn_for(&inertia, missing);
    if (vec3_is_finite(turn))
        turn_body(s, b, turn);
}

void pli_keep_turning(substep *s)
{
    pliant_world *world = s->world;
    if (has_met_in_flight(world)) {
        find_flying_islands(world);
        note_pushes(s);
    }
    pli_run_tasks(world, world->active_count, turn_back, s);
}
