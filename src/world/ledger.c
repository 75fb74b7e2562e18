// What constraints may give.
//
// Constraints are solved one after another, a few times over. That is not the gradient of any energy. Where they
// disagree, or overlap is pushed out, more can come out than was put in; and what gets a little in every substep trembles,
// creeps or flies for ever. No single constraint is to blame, so it is their sum that is kept account of. In a substep of
// time t, with a the acceleration of gravity and forces, u the predicted velocity of a particle, v the one it has in the end
// and d the way it went,
//
//     given  = Σ m (v - u)·(v + u - a t)/2      is what constraints add to ½ m v² - m a·(x - t v/2), and
//     lifted = Σ m g·(t v - d)                  what pushes that leave no speed behind add to it.
//
// The first is an energy that free fall keeps exactly in steps. What hangs or lies at rest adds nothing to it, nor does what turns
// evenly: so neither gravity nor the force that holds a wheel together is taken for a gift.
//
// What constraints take is stored, and they may give it back: a spring does. They never give more. Bodies that touch or
// are attached hand energy to each other, so an island shares its stores. What it is given beyond them is taken from its
// velocities: from all of them where something holds it, else from what they are besides the island's motion as a whole, so that
// linear and angular momentum stay. Where that is not enough they have turned the island: the rest is taken from its spin.
// What friction and impacts take is stored, too, though it is lost: the account is a bound, not a balance. To forget it with
// time would take from springs that are held for long: only what feeds a motion that does not fade is doubted.
//
// Work that a caller does by a collider or an anchor goes through constraints without any speed, where it is slow: it is
// counted by impulse and way. What a caller puts into constraints by other means (a pose, more stiffness, a spring that is
// stretched, pins that move) nobody knows: for UNKNOWN_TIME they are believed, and so are motors.
//
// Lifts are no energy of motion, but become one when what was lifted sinks. They are noted as gifts, by which sleep.c tells what
// trembles, and paid where an island has no motion but what such gifts explain.

#include "inertia.h"
#include "islands.h"
#include "sleep.h"
#include "substep.h"
#include "tasks.h"

#include "solve/motion.h"
#include "solve/particles.h"

// s in which what a caller has put into constraints comes out of them.
static const float UNKNOWN_TIME = 1.0f;
// Of the energy of its motion, and J/kg: what a body is given less in a substep is rounding.
static const double GIFT_ROUNDING = 1e-6;
static const double LEAST_GIFT = 1e-8;
// Of the energy of its motion: what a body that turns has less besides is rounding.
static const double MOTION_ROUNDING = 1e-5;
// Of the energy of its motion, in a substep: an island that turns faster by less has got it by rounding.
static const double SPIN_ROUNDING = 1e-4;
// Of the trace of a body's inertia.
static const float LEAST_INERTIA = 1e-5f;
// Of the speed that something driven may give.
static const float DRIVE_MARGIN = 1.1f;
// s after which a body's account is looked through, m/s below which nothing moves, and what is left of a motion that fades
// in that time. Of what swings, in whatever time, the least in store is rising or next to nothing.
static const float LOOK_TIME = 2.0f, SLOWEST = 1e-3f, FADES = 0.9f;
// s in which it is forgotten what was given from nowhere.
static const float GIFT_TIME = 1.0f;

// ---------------------------------------------------------------------------------------------
// What a body is given

typedef struct ledger_job {
    const substep *s;
    const body *b;
    particle_span span;
    particle_gifts *gifts; // of each range
} ledger_job;

// Whether a particle's own spin holds energy that the rest may get, and the other way round: of one that turns freely, and of a
// wheel. Spins of soft groups follow a fit that may turn as fast as it likes; those of other members are small.
static bool counts_spin(const body *b, int k)
{
    return b->model->answers_rigidly[k] && b->model->is_rigid[k];
}

bool pli_reserve_gifts(pliant_world *world, const pliant_model *model)
{
    return pli_memory_grow(&world->allocator, (void **)&world->gifts, sizeof *world->gifts, 0,
                           &world->gift_room, particle_ranges(model));
}

void pli_keep_spins(const substep *s, const body *b)
{
    const pliant_world *world = s->world;
    if (b->model->rigid_answer_count > 0 || pli_may_fly(b))
        memcpy(world->spin_predicted + b->particle_first, world->spin + b->particle_first,
               (size_t)b->model->source.particle_count * sizeof *world->spin);
}

// As much of a prediction as happens in a partial substep.
static vec3 predicted_part(const substep *s, vec3 before, vec3 predicted)
{
    return is_partial(s) ? vec3_add_scaled(before, vec3_sub(predicted, before), s->part)
                         : predicted;
}

// J/kg, of a particle's own spin.
static float spin_energy(const body *b, int k, quat turn, vec3 spin)
{
    return 0.5f * vec3_dot(spin, own_momentum(b->model->moments[k], turn, spin));
}

// J/kg. One that turns freely without the gyroscopic term keeps its spin, not its energy: that is no gift of anybody.
static float spin_gift(const substep *s, const body *b, int k)
{
    const pliant_world *world = s->world;
    int i = b->particle_first + k;
    bool keeps_spin = b->model->turns_freely[k] && !b->gyroscopic;
    quat start = keeps_spin ? world->turn[i] : world->turn_start[i];
    vec3 predicted = predicted_part(s, world->spin_start[i], world->spin_predicted[i]);
    return spin_energy(b, k, world->turn[i], world->spin[i]) - spin_energy(b, k, start, predicted);
}

static void weigh_range(void *context, int first, int end)
{
    const ledger_job *job = context;
    const substep *s = job->s;
    const body *b = job->b;
    particle_gifts sum = s->world->kernels->weigh_particles(&job->span, first, end);
    for (int k = first; b->model->rigid_answer_count > 0 && k < end; ++k)
        if (counts_spin(b, k) && !s->world->pinned[b->particle_first + k])
            sum.given += (double)(b->model->source.particles[k].mass * spin_gift(s, b, k));
    job->gifts[is_large(b) ? first / RANGE_PARTICLES : 0] = sum;
}

void pli_weigh(const substep *s, body *b)
{
    particle_gifts alone = {0};
    int ranges = is_large(b) ? particle_ranges(b->model) : 1;
    ledger_job job = {s, b, pli_particle_span(s, b), is_large(b) ? s->world->gifts : &alone};
    pli_run_particles(s->world, b, weigh_range, &job);
    for (int k = 0; k < ranges; ++k) {
        b->ledger.given += job.gifts[k].given;
        b->ledger.lifted += job.gifts[k].lifted;
        b->ledger.motion += job.gifts[k].motion;
    }
}

void pli_note_lift(const pliant_world *world, body *b, float mass, vec3 way)
{
    float lifted = -b->gravity_scale * vec3_dot(world->def.gravity, way);
    b->ledger.lifted += (double)(mass * lifted);
}

void pli_note_drive(const substep *s, body *b, vec3 impulse, vec3 way, float restitution)
{
    b->ledger.driven += (double)(s->part * vec3_dot(impulse, way) / (s->h * s->h));
    b->ledger.drive = maximum(b->ledger.drive, vec3_length(way) / s->h);
    b->ledger.bounce = maximum(b->ledger.bounce, restitution);
}

void pli_doubt_ledger(body *b)
{
    b->account.unknown_left = UNKNOWN_TIME;
}

// ---------------------------------------------------------------------------------------------
// What an island may keep

static double above_zero(double energy)
{
    return energy > 0.0 ? energy : 0.0;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

// What constraints took while they were believed is of what nobody counted when they gave it. What swings holds about as much
// as its motion.
static void count_down(const substep *s, body *b)
{
    account *a = &b->account;
    bool was_believed = a->unknown_left > 0.0f;
    a->unknown_left = maximum(0.0f, a->unknown_left - s->time);
    if (was_believed && a->unknown_left == 0.0f && a->store > b->ledger.motion)
        a->store = b->ledger.motion;
}

// A spring that moves something for seconds on end, though damping works against it, would be soon spent. So where motion does not
// fade and has been paid from the store, what was in store all the time is no spring's, but was lost in some earlier impact.
static void look_through(const substep *s, body *b)
{
    account *a = &b->account;
    float motion = (float)b->ledger.motion, slowest = SLOWEST * SLOWEST * (float)b->model->mass;
    a->least = a->store < a->least ? a->store : a->least;
    a->peak = maximum(a->peak, motion);
    a->since += s->time;
    if (a->since < LOOK_TIME)
        return;
    bool lasts = a->peak > 0.5f * slowest && a->peak > FADES * a->peak_before;
    bool is_paid = a->least < a->least_before;
    a->least_before = a->least;
    if (lasts && is_paid) {
        a->store -= a->least;
        a->least_before = 0.0;
    }
    a->least = a->store;
    a->peak_before = a->peak;
    a->peak = a->since = 0.0f;
}

// What is remembered of this substep, and of those before.
static void forget(const substep *s, body *b)
{
    ledger *l = &b->ledger;
    double kept = (double)trig_exp(-s->time / GIFT_TIME);
    b->account.gifts = b->account.gifts * kept + above_zero(l->lifted);
    b->account.net = b->account.net * kept + l->given;
    count_down(s, b);
    look_through(s, b);
    *l = (ledger){0};
}

// What pushes have let down, though no speed came of it, may pay for a gift.
static double gift(double given, double lifted)
{
    return given > 0.0 && lifted < 0.0 ? above_zero(given + lifted) : given;
}

// Without what a caller did by what it moves: that is in store when constraints have taken it.
static double given_to(const body *b)
{
    return b->ledger.given - b->ledger.driven;
}

static double gift_of(const body *b)
{
    return gift(given_to(b), b->ledger.lifted);
}

static double rounding_of(double mass, double motion)
{
    return LEAST_GIFT * mass + GIFT_ROUNDING * motion;
}

// Lifts are paid by motion, where there is none but what was given: what is pushed out of the ground as it moves keeps its speed,
// what trembles because it sinks and is lifted does not.
static double lift_due(double lifted, double gifts, double motion)
{
    return gifts > motion ? above_zero(lifted) : 0.0;
}

// Whether every body can pay for its gifts itself: then nobody need ask who touches whom.
static bool all_can_pay(const pliant_world *world)
{
    for (int k = 0; k < world->active_count; ++k) {
        const body *b = &world->bodies[world->active[k]];
        double rounding = rounding_of(b->model->mass, b->ledger.motion);
        double due = lift_due(b->ledger.lifted, b->account.gifts, b->ledger.motion);
        if (!is_still(b) && (gift_of(b) > b->account.store + rounding || due > rounding))
            return false;
    }
    return true;
}

static void pay_alone(body *b)
{
    b->account.store = above_zero(b->account.store - gift_of(b));
}

// m/s, of pinned particles that a caller moves.
static float fastest_pin(const pliant_world *world, const body *b)
{
    float fastest = 0.0f;
    for (int k = 0; k < b->model->source.particle_count && b->pinned_count > 0; ++k)
        if (world->pinned[b->particle_first + k])
            fastest = maximum(fastest, vec3_length(world->v[b->particle_first + k]));
    return fastest;
}

static void add_to_island(pliant_world *world, int32_t slot)
{
    const body *b = &world->bodies[slot];
    island_ledger *island = &world->bodies[pli_island_of(world, slot)].island_ledger;
    if (is_still(b)) {
        island->is_held = true;
        return;
    }
    double own = b->account.store - given_to(b);
    island->stores += b->account.store;
    island->given += given_to(b);
    island->lifted += b->ledger.lifted;
    island->gifts += b->account.gifts;
    island->savings += above_zero(own);
    island->mass += b->model->mass;
    island->motion += b->ledger.motion;
    island->is_held =
        island->is_held || b->touching_count > 0 || b->pinned_count > 0 || b->ledger.is_anchored;
    island->drive = maximum(island->drive, maximum(b->ledger.drive, fastest_pin(world, b)));
    island->bounce = maximum(island->bounce, b->ledger.bounce);
    island->is_believed =
        island->is_believed || b->account.unknown_left > 0.0f || pli_has_motors(world, b);
}

static void sum_islands(pliant_world *world)
{
    pli_find_islands(world);
    for (int k = 0; k < world->active_count; ++k)
        world->bodies[world->active[k]].island_ledger = (island_ledger){0};
    for (int k = 0; k < world->active_count; ++k)
        add_to_island(world, world->active[k]);
}

// J left in store when an island has paid; below 0 it owes that.
static double left_of(const island_ledger *island)
{
    return island->stores - gift(island->given, island->lifted);
}

static double owed_by(const island_ledger *island)
{
    return above_zero(-left_of(island)) + lift_due(island->lifted, island->gifts, island->motion);
}

// What a caller moves may hand on any energy until all of an island is twice as fast, and faster by what bounces off it.
static bool is_driven(const island_ledger *island)
{
    double before = above_zero(island->motion - island->given);
    float speed = square_root((float)(2.0 * before / island->mass));
    float most = DRIVE_MARGIN * (2.0f * island->drive + island->bounce * speed);
    return island->drive > 0.0f &&
           island->motion < 0.5 * island->mass * (double)most * (double)most;
}

static bool owes(const island_ledger *island)
{
    return !island->is_believed && !is_driven(island) &&
           owed_by(island) > rounding_of(island->mass, island->motion);
}

// Half way through the substep, about the body's origin. Velocities are chords: those of a body that only turns are its spin
// across the arms there.
static vec3 middle_of(const pliant_world *world, const body *b, int i)
{
    return vec3_add_scaled(world->start[i], vec3_add(world->move[i].way, b->drift), 0.5f);
}

static vec3 place_in_island(const pliant_world *world, const body *b, const body *root, int i)
{
    return vec3_add(middle_of(world, b, i), vec3_sub(b->origin, root->origin));
}

// m²/s, that constraints have added to the angular momentum of what is at `arm` half way through the substep.
static vec3 turned(const substep *s, const body *b, int i, vec3 arm)
{
    const pliant_world *world = s->world;
    vec3 half = vec3_scale(vec3_add(world->move[i].way, b->drift), 0.5f);
    vec3 predicted = predicted_part(s, world->v_start[i], world->v_predicted[i]);
    return vec3_sub(vec3_cross(vec3_add(arm, half), world->v[i]),
                    vec3_cross(vec3_sub(arm, half), predicted));
}

// How an island moves as a whole, then. Only places count, not the particles' own spins: so the energy of places that is left
// when they follow it is never more than it was.
static void add_centre(const substep *s, const body *b, body *root)
{
    const pliant_world *world = s->world;
    island_ledger *island = &root->island_ledger;
    for (int k = 0; k < b->model->source.particle_count; ++k) {
        int i = b->particle_first + k;
        float share = (float)((double)b->model->source.particles[k].mass / island->mass);
        island->centre = vec3_add_scaled(island->centre, place_in_island(world, b, root, i), share);
        island->velocity = vec3_add_scaled(island->velocity, world->v[i], share);
    }
}

static void add_moment(const substep *s, const body *b, body *root)
{
    const pliant_world *world = s->world;
    island_ledger *island = &root->island_ledger;
    for (int k = 0; k < b->model->source.particle_count; ++k) {
        int i = b->particle_first + k;
        float share = (float)((double)b->model->source.particles[k].mass / island->mass);
        vec3 arm = vec3_sub(place_in_island(world, b, root, i), island->centre);
        vec3 moment = vec3_cross(arm, vec3_sub(world->v[i], island->velocity));
        island->momentum = vec3_add_scaled(island->momentum, moment, share);
        island->turned = vec3_add_scaled(island->turned, turned(s, b, i, arm), share);
        add_inertia(&island->inertia, share, arm, (sym3){0}, quat_identity());
    }
}

// Each of its bodies finds the same.
static void find_spin(const substep *s, const body *b, body *root)
{
    (void)s, (void)b;
    // Points in a row have no inertia about their line.
    island_ledger *island = &root->island_ledger;
    sym3 inertia = island->inertia;
    float least = LEAST_INERTIA * (inertia.xx + inertia.yy + inertia.zz);
    inertia.xx += least;
    inertia.yy += least;
    inertia.zz += least;
    if (least > 0.0f)
        island->spin = sym3_mul_vec(sym3_inverse(inertia), island->momentum);
}

// What velocities are drawn to when a body pays: its island's motion as a whole, which keeps linear and angular momentum; or
// rest, where something holds it.
static rigid_motion goal_of(const body *b, const body *root)
{
    const island_ledger *island = &root->island_ledger;
    if (island->is_held)
        return (rigid_motion){0};
    return (rigid_motion){.centre = vec3_sub(island->centre, vec3_sub(b->origin, root->origin)),
                          .velocity = island->velocity,
                          .spin = island->spin};
}

static vec3 goal_velocity(const pliant_world *world, const body *b, const rigid_motion *goal, int i)
{
    vec3 arm = vec3_sub(middle_of(world, b, i), goal->centre);
    return vec3_add(goal->velocity, vec3_cross(goal->spin, arm));
}

vec3 pli_half_fall(const substep *s, const body *b, int k)
{
    const pliant_world *world = s->world;
    float per_mass = (float)(1.0 / b->model->mass);
    vec3 a = vec3_scale(world->def.gravity, b->gravity_scale);
    a = vec3_add_scaled(a, b->force, per_mass);
    if (b->has_forces)
        a = vec3_add_scaled(a, world->force[b->particle_first + k],
                            world->move[b->particle_first + k].inverse_mass);
    return vec3_scale(a, 0.5f * s->time);
}

// J, of all a body's motion besides.
static void add_energy_besides(const substep *s, const body *b, body *root)
{
    const pliant_world *world = s->world;
    rigid_motion goal = goal_of(b, root);
    double energy = 0.0, fall = 0.0;
    for (int k = 0; k < b->model->source.particle_count; ++k) {
        int i = b->particle_first + k;
        vec3 v = vec3_sub(world->v[i], goal_velocity(world, b, &goal, i));
        double mass = b->model->source.particles[k].mass;
        if (world->pinned[i])
            continue;
        energy += 0.5 * mass * (double)vec3_dot(v, v);
        fall += mass * (double)vec3_dot(v, pli_half_fall(s, b, k));
        if (counts_spin(b, k))
            energy += mass * (double)spin_energy(b, k, world->turn[i],
                                                 vec3_sub(world->spin[i], goal.spin));
    }
    root->island_ledger.energy += energy;
    root->island_ledger.fall += fall;
}

static void slow_turn(pliant_world *world, const body *b, const rigid_motion *goal, float lost)
{
    for (int i = b->particle_first; i < b->particle_first + b->model->source.particle_count; ++i) {
        vec3 arm = vec3_sub(middle_of(world, b, i), goal->centre);
        world->v[i] = vec3_add_scaled(world->v[i], vec3_cross(goal->spin, arm), -lost);
        if (counts_spin(b, i - b->particle_first))
            world->spin[i] = vec3_add_scaled(world->spin[i], goal->spin, -lost);
    }
}

static void slow_down(pliant_world *world, const body *b, const rigid_motion *goal, float lost,
                      bool is_held)
{
    for (int i = b->particle_first; i < b->particle_first + b->model->source.particle_count; ++i) {
        vec3 v = vec3_sub(world->v[i], goal_velocity(world, b, goal, i));
        vec3 spin = vec3_sub(world->spin[i], goal->spin);
        if (world->pinned[i])
            continue;
        world->v[i] = vec3_add_scaled(world->v[i], v, -lost);
        if (is_held || counts_spin(b, i - b->particle_first))
            world->spin[i] = vec3_add_scaled(world->spin[i], spin, -lost);
    }
}

// Of a speed v, so that of its energy E v² + F v the part owed is lost: the lesser root λ of E λ² - (2 E + F) λ + owed, without
// the difference of what is almost equal. What rises slower than gravity has made it in half a substep gains by being stopped: it
// pays as if it were faster.
static float part_of_speed(double owed, double energy, double fall)
{
    double slope = 2.0 * energy + (fall > -energy ? fall : -energy);
    float x = minimum((float)(4.0 * energy * owed / (slope * slope)), 1.0f);
    double lost = (double)x * slope / (2.0 * energy) / (double)(1.0f + square_root(1.0f - x));
    return minimum((float)lost, 1.0f);
}

// J, of an island's motion as if it were rigid, about its centre.
static double turning_energy(const island_ledger *island)
{
    return 0.5 * island->mass * (double)vec3_dot(island->spin, island->momentum);
}

// J, of that, which is there because constraints turned the island.
static double turned_energy(const island_ledger *island)
{
    return above_zero(island->mass * (double)vec3_dot(island->spin, island->turned));
}

// All slow down by the same part.
static void pay_back(pliant_world *world, body *b, const body *root)
{
    const island_ledger *island = &root->island_ledger;
    double owed = owed_by(island), energy = island->energy;
    double unpaid = least(owed - energy - island->fall, turned_energy(island));
    rigid_motion goal = goal_of(b, root);
    if (energy > MOTION_ROUNDING * island->motion)
        slow_down(world, b, &goal, part_of_speed(owed, energy, island->fall), island->is_held);
    if (!island->is_held && unpaid > SPIN_ROUNDING * island->motion)
        slow_turn(world, b, &goal, part_of_speed(unpaid, turning_energy(island), 0.0));
    b->account.gifts += owed * (b->model->mass / island->mass);
}

// What is left in store stays with those who saved it.
static void pay_together(pliant_world *world, body *b, const body *root)
{
    const island_ledger *island = &root->island_ledger;
    double left = left_of(island);
    double own = above_zero(b->account.store - given_to(b));
    b->account.store = left > 0.0 && island->savings > 0.0 ? own * (left / island->savings) : 0.0;
    if (owes(island))
        pay_back(world, b, root);
}

static body *root_of(pliant_world *world, int32_t slot)
{
    return &world->bodies[pli_island_of(world, slot)];
}

typedef void island_work(const substep *s, const body *b, body *root);

// For all bodies of islands that owe something, held or free ones.
static void for_debtors(const substep *s, bool is_held, island_work *work)
{
    pliant_world *world = s->world;
    for (int k = 0; k < world->active_count; ++k) {
        const body *b = &world->bodies[world->active[k]];
        body *root = root_of(world, world->active[k]);
        if (!is_still(b) && owes(&root->island_ledger) && root->island_ledger.is_held == is_held)
            work(s, b, root);
    }
}

// What islands that owe something can pay with.
static void find_means(const substep *s)
{
    for_debtors(s, false, add_centre);
    for_debtors(s, false, add_moment);
    for_debtors(s, false, find_spin);
    for_debtors(s, false, add_energy_besides);
    for_debtors(s, true, add_energy_besides);
}

void pli_balance_ledgers(const substep *s)
{
    pliant_world *world = s->world;
    bool is_settled = all_can_pay(world);
    if (!is_settled) {
        sum_islands(world);
        find_means(s);
    }
    for (int k = 0; k < world->active_count; ++k) {
        body *b = &world->bodies[world->active[k]];
        if (is_still(b))
            continue;
        if (is_settled)
            pay_alone(b);
        else
            pay_together(world, b, root_of(world, world->active[k]));
        forget(s, b);
    }
}
