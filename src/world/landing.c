// Restitution of bodies.
//
// A soft body bounces by itself: it is pressed together while it lands, and its constraints give back what they do not
// lose. If its particles bounced off one by one, as a free particle does, they would run into those behind them, and
// all of that would be lost: the more restitution, the lower the body would rise. So it lands as without
// restitution, and when it is pressed together no further, restitution sees to the speed at which it leaves (Poisson's
// hypothesis: compression first, restitution after it): all of it is raised to e times the speed at which it came, if
// that is more than it has, and never beyond the energy with which it came. The same holds for two bodies that hit each
// other.
//
// A body of several rigid groups, or a rigid one that is held somewhere, lands in the same way (of one that is free see impact.c):
// a few iterations press it together, too, and in the substeps after it springs back.
// It is not to: of the speed that it gains from the collider, what is beyond e times that at which it came is taken away
// again at once. Separating speed, no more than was given: that takes energy only.

#include "contacts.h"
#include "inertia.h"
#include "pairs.h"
#include "substep.h"

// Of its speed: a body that is pressed together no further, but comes on faster than this, has not landed yet.
static const float COMING = 0.02f;
// Of its speed: what it gains less in a substep is no pressure, but rounding.
static const float PRESSED = 1e-3f;
// s; what takes longer is no landing.
static const float LANDING_TIME = 0.5f;
// So many pairs of bodies for each body, at the most, are followed while they land on each other.
enum { LANDINGS_PER_BODY = 4 };

bool pli_reserve_landings(pliant_world *world, int bodies)
{
    landing_list *list = &world->landings;
    return pli_memory_grow(&world->allocator, (void **)&list->at, sizeof *list->at, list->count,
                           &list->room, LANDINGS_PER_BODY * bodies);
}

// How a body moves as a whole.
typedef struct whole_motion {
    double v[3];   // m/s, of its centre of mass
    double energy; // J, of all its particles
} whole_motion;

static whole_motion motion_of(const pliant_world *world, const body *b)
{
    whole_motion m = {0};
    for (int k = 0; k < b->model->source.particle_count; ++k) {
        double mass = b->model->source.particles[k].mass, part = mass / b->model->mass;
        int i = b->particle_first + k;
        vec3 v = world->v[i], spin = world->spin[i];
        vec3 momentum = own_momentum(b->model->moments[k], world->turn[i], spin);
        double x = v.x, y = v.y, z = v.z;
        m.v[0] += part * x;
        m.v[1] += part * y;
        m.v[2] += part * z;
        m.energy += 0.5 * mass * (x * x + y * y + z * z + (double)vec3_dot(spin, momentum));
    }
    return m;
}

static double speed_along(const whole_motion *m, vec3 n)
{
    return m->v[0] * (double)n.x + m->v[1] * (double)n.y + m->v[2] * (double)n.z;
}

// How a body would go on if it hit nothing: when velocities are predicted.
void pli_note_coming(const pliant_world *world, body *b)
{
    whole_motion m = motion_of(world, b);
    b->coming = (vec3){(float)m.v[0], (float)m.v[1], (float)m.v[2]};
    b->coming_energy = (float)m.energy;
}

// Whether any of its contacts may be the beginning of a landing.
bool pli_hits_hard(const pliant_world *world, const body *b)
{
    const contact *contacts = contacts_of(world, b);
    for (int k = 0; k < b->contact_count; ++k)
        if (contacts[k].lands)
            return true;
    return false;
}

// Whether anything in the world bounces.
bool pli_has_bounces(const pliant_world *world)
{
    for (int k = 0; k < world->active_count; ++k)
        if (world->bodies[world->active[k]].restitution > 0.0f)
            return true;
    for (int i = 0; i < world->collider_slot_count; ++i)
        if (world->colliders[i].is_alive && world->colliders[i].restitution > 0.0f)
            return true;
    return false;
}

// How what lands answers a push that changes the speed of its centre of mass along the normal by d: its energy grows by
// m ((speed + turning) d + (1 + softness) d²/2).
typedef struct push_answer {
    double mass;
    double turning;  // m/s, by which its rotation moves the place of the push along the normal
    double softness; // by how much the place gets faster than the centre, because it is turned
} push_answer;

// What the speed along the normal is to change by, when it is `speed` now and all particles have `energy`; 0 until the landing
// ends. The place of the push is to part as fast as the restitution says. With what a push adds there is no more energy than
// came.
static float push_of(const substep *s, landing *l, double speed, double energy, push_answer a)
{
    float now = (float)speed, gained = now - l->last;
    bool is_pressed = gained > PRESSED * l->approach * s->part;
    bool is_coming = now < -COMING * l->approach;
    l->left -= s->time;
    if (is_pressed || is_coming) {
        float excess = l->is_rigid ? maximum(0.0f, minimum(gained, now - l->speed)) : 0.0f;
        l->last = now - excess;
        l->approach = l->left > 0.0f ? l->approach : 0.0f;
        return -excess;
    }
    float there = (float)(speed + a.turning), ease = (float)(1.0 + a.softness);
    float square = there * there + ease * (float)(2.0 * ((double)l->energy - energy) / a.mass);
    float most = (square_root(maximum(0.0f, square)) - there) / ease;
    l->approach = 0.0f;
    return maximum(0.0f, minimum((l->speed - now) / ease, most));
}

// What a rebound gives back was taken by constraints while they were pressed together: it is in store, and they may
// not give it a second time.
static void push_body(pliant_world *world, body *b, const whole_motion *m, vec3 n, float push)
{
    double speed = speed_along(m, n), d = push;
    double gained = b->model->mass * d * (speed + 0.5 * d);
    vec3 dv = vec3_scale(n, push);
    for (int i = b->particle_first; i < b->particle_first + b->model->source.particle_count; ++i)
        world->v[i] = vec3_add(world->v[i], dv);
    b->ledger.given += gained;
    b->ledger.motion += gained;
}

// ---------------------------------------------------------------------------------------------
// On colliders

// The speed at which a body is to leave a collider that it comes to at `approach`.
static float leaving_speed(const substep *s, const body *b, const contact *c, float approach)
{
    const pliant_world *world = s->world;
    float restitution = pli_combined_restitution(b, &world->colliders[c->collider]);
    float pull = -b->gravity_scale * vec3_dot(c->normal, world->def.gravity);
    float gap = maximum(-c->start_depth, 0.0f), before = approach - pull * s->h;
    if (restitution == 0.0f)
        return 0.0f;
    return pli_rebound_speed(restitution, before, pull, gap, s->time);
}

// J, that no body has: a collider that moves may hand on any energy.
static const float ANY_ENERGY = 1e30f;

static float coming_energy(const pliant_world *world, const body *b, const contact *c)
{
    return pli_collider_moves(&world->colliders[c->collider]) ? ANY_ENERGY : b->coming_energy;
}

// The hardest of this substep's hits, by the speed at which the body as a whole comes to the collider.
static void note_landing(const substep *s, body *b)
{
    const pliant_world *world = s->world;
    const contact *contacts = contacts_of(world, b);
    vec3 v = b->coming;
    for (int k = 0; k < b->contact_count; ++k) {
        const contact *c = &contacts[k];
        if (!c->lands || !(c->normal_impulse > 0.0f))
            continue;
        float surface = vec3_dot(c->normal, c->surface_way) / s->h;
        float approach = surface - vec3_dot(c->normal, v);
        if (!(approach > world->def.restitution_threshold) || !(approach > b->landing.approach))
            continue;
        b->landing = (landing){.normal = c->normal,
                               .approach = approach,
                               .speed = leaving_speed(s, b, c, approach),
                               .energy = coming_energy(world, b, c),
                               .last = -approach,
                               .left = LANDING_TIME,
                               .is_rigid = b->model->is_rigid[c->particle - b->particle_first]};
    }
}

void pli_land(const substep *s, body *b)
{
    if (b->pinned_count > 0)
        return;
    if (b->contact_count > 0)
        note_landing(s, b);
    landing *l = &b->landing;
    if (l->approach == 0.0f)
        return;
    whole_motion m = motion_of(s->world, b);
    float push =
        push_of(s, l, speed_along(&m, l->normal), m.energy, (push_answer){.mass = b->model->mass});
    if (push != 0.0f)
        push_body(s->world, b, &m, l->normal, push);
}

// ---------------------------------------------------------------------------------------------
// On each other

void pli_forget_landings(pliant_world *world, int slot)
{
    landing_list *list = &world->landings;
    int kept = 0;
    for (int k = 0; k < list->count; ++k) {
        list->at[kept] = list->at[k];
        kept += list->at[k].first != slot && list->at[k].second != slot;
    }
    list->count = kept;
}

void pli_change_landings(pliant_world *world, int slot, float energy)
{
    landing_list *list = &world->landings;
    if (!is_finite(energy))
        return;
    world->bodies[slot].landing.energy += energy;
    for (int k = 0; k < list->count; ++k)
        if (list->at[k].first == slot || list->at[k].second == slot)
            list->at[k].landing.energy += energy;
}

static pair_landing *find_landing(landing_list *list, int32_t first, int32_t second)
{
    for (int k = 0; k < list->count; ++k)
        if (list->at[k].first == first && list->at[k].second == second)
            return &list->at[k];
    return NULL;
}

static void note_pair_landing(const substep *s, const pair_contact *c)
{
    pliant_world *world = s->world;
    landing_list *list = &world->landings;
    int32_t first = world->owner[c->a], second = world->owner[c->b];
    const body *a = &world->bodies[first], *b = &world->bodies[second];
    double yield = pli_whole_answer(a) + pli_whole_answer(b);
    vec3 v = vec3_sub(a->coming, b->coming);
    float approach = vec3_dot(c->normal, v);
    float speed = maximum(a->restitution, b->restitution) * approach;
    if (first == second || yield == 0.0 || !(approach > world->def.restitution_threshold))
        return;
    pair_landing *entry = find_landing(list, first, second);
    if (!entry && list->count < list->room) {
        entry = &list->at[list->count++];
        *entry = (pair_landing){.first = first, .second = second};
    }
    if (entry && approach > entry->landing.approach)
        entry->landing = (landing){.normal = c->normal,
                                   .approach = approach,
                                   .speed = speed,
                                   .energy = a->coming_energy + b->coming_energy,
                                   .last = -approach,
                                   .left = LANDING_TIME};
}

// m, world: between two bodies that are next to each other.
static vec3 place_between(const body *a, const body *b)
{
    vec3 low = vec3_highest(a->bounds.low, b->bounds.low);
    vec3 high = vec3_lowest(a->bounds.high, b->bounds.high);
    return vec3_scale(vec3_add(low, high), 0.5f);
}

// How a flying body answers a push at a place along n, by an impulse of 1: its centre gets faster by `centre`, and the place by
// `turning` as it is and by `softness` more, because it is turned (turning.c).
typedef struct whole_answer {
    double centre, turning, softness;
} whole_answer;

static whole_answer answer_of(const pliant_world *world, const body *b, vec3 place, vec3 n)
{
    const pliant_particle_def *particles = b->model->source.particles;
    whole_answer out = {.centre = pli_whole_answer(b)};
    vec3 centre = {0, 0, 0}, momentum = {0, 0, 0};
    sym3 inertia = {0};
    if (!b->turning.is_free)
        return out;
    for (int k = 0; k < b->model->source.particle_count; ++k) {
        vec3 arm = vec3_sub(world->x[b->particle_first + k], place);
        centre = vec3_add_scaled(centre, arm, particles[k].mass / (float)b->model->mass);
    }
    for (int k = 0; k < b->model->source.particle_count; ++k) {
        int i = b->particle_first + k;
        vec3 arm = vec3_sub(vec3_sub(world->x[i], place), centre);
        vec3 own = own_momentum(b->model->moments[k], world->turn[i], world->spin[i]);
        vec3 moment = vec3_add(vec3_cross(arm, world->v[i]), own);
        add_inertia(&inertia, particles[k].mass, arm, b->model->moments[k], world->turn[i]);
        momentum = vec3_add_scaled(momentum, moment, particles[k].mass);
    }
    vec3 moment = vec3_cross(n, centre), turn = sym3_mul_vec(sym3_inverse(inertia), moment);
    out.turning = (double)vec3_dot(turn, momentum);
    out.softness = (double)vec3_dot(turn, moment);
    return out;
}

// J, by an impulse.
static double turned_by(const whole_answer *a, double impulse)
{
    return impulse * (a->turning + 0.5 * impulse * a->softness);
}

// What one of the two has stored, and is given back to the other, changes hands.
static void hand_on(body *from, body *to, double gain)
{
    double missing = gain - (to->account.store - to->ledger.given);
    double has = from->account.store - from->ledger.given;
    double handed = missing < has ? missing : has;
    if (handed > 0.0) {
        from->account.store -= handed;
        to->account.store += handed;
    }
}

// True when the landing has ended.
static bool land_pair(const substep *s, pair_landing *entry)
{
    pliant_world *world = s->world;
    body *a = &world->bodies[entry->first], *b = &world->bodies[entry->second];
    landing *l = &entry->landing;
    if (pli_whole_answer(a) + pli_whole_answer(b) == 0.0)
        return true;
    whole_motion one = motion_of(world, a), two = motion_of(world, b);
    double speed = speed_along(&two, l->normal) - speed_along(&one, l->normal);
    vec3 place = place_between(a, b);
    whole_answer of_a = answer_of(world, a, place, vec3_negate(l->normal));
    whole_answer of_b = answer_of(world, b, place, l->normal);
    double mass = 1.0 / (of_a.centre + of_b.centre);
    push_answer both = {.mass = mass,
                        .turning = of_a.turning + of_b.turning,
                        .softness = mass * (of_a.softness + of_b.softness)};
    float push = push_of(s, l, speed, one.energy + two.energy, both);
    if (push > 0.0f) {
        double impulse = (double)push * mass;
        push_body(world, a, &one, l->normal, (float)(-impulse * of_a.centre));
        push_body(world, b, &two, l->normal, (float)(impulse * of_b.centre));
        hand_on(a, b, turned_by(&of_b, impulse));
        hand_on(b, a, turned_by(&of_a, impulse));
        vec3 J = vec3_scale(l->normal, (float)impulse);
        pli_note_impulse(a, vec3_sub(place, a->origin), vec3_negate(J));
        pli_note_impulse(b, vec3_sub(place, b->origin), J);
    }
    return l->approach == 0.0f;
}

void pli_land_pairs(const substep *s)
{
    pliant_world *world = s->world;
    const pair_work *work = &world->pair_work;
    landing_list *list = &world->landings;
    for (int k = 0; k < work->single_count; ++k)
        if (work->singles[k].lands && work->singles[k].normal_impulse > 0.0f)
            note_pair_landing(s, &work->singles[k]);
    int kept = 0;
    for (int k = 0; k < list->count; ++k) {
        pair_landing entry = list->at[k];
        bool has_ended = land_pair(s, &entry);
        list->at[kept] = entry;
        kept += !has_ended;
    }
    list->count = kept;
}
