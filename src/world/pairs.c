// Contact between particles, of two bodies or of one (paper 2011, §6; the contact distance is exact).
//
// Two particles that answer as points are pushed along the line of their centres, which keeps both
// momenta. Two that answer as rigid ellipsoids are pushed along the contact normal, with lever arms.
// Friction is the impulse of collide/friction.h at the contact, within Coulomb's cone. A pair that moves
// further in a substep than a particle is thick is stopped at its time of impact, or it would pass.

#include "collide/time_of_impact.h"
#include "model/surface.h"
#include "world.h"

// Particles closer than this part of their radius are watched: the solver may bring them together.
static const float WATCH_MARGIN = 0.1f;
enum { ORDER_PASSES = 8 };
// An impact is found when the gap is below this part of the thinnest radius, or after so many steps.
static const float IMPACT_GAP = 0.01f;
enum { IMPACT_STEPS = 32 };

// ---------------------------------------------------------------------------------------------
// Memory

bool pliant_reserve_pairs(pliant_world *world, int particles)
{
    const pliant_allocator *allocator = &world->allocator;
    if (world->pairs && particles <= world->pair_room)
        return true;
    int room = world->pair_room < 8 ? 8 : world->pair_room;
    while (room < particles)
        room = room > INT32_MAX / 2 ? INT32_MAX : room * 2;
    size_t count = (size_t)room;
    vec3 *centres = pliant_memory_new(allocator, count, sizeof *centres);
    float *radii = pliant_memory_new(allocator, count, sizeof *radii);
    particle_pair *found = pliant_memory_new(allocator, count * PAIRS_PER_PARTICLE, sizeof *found);
    pair_contact *pairs = pliant_memory_new(allocator, count * PAIRS_PER_PARTICLE, sizeof *pairs);
    if (!centres || !radii || !found || !pairs ||
        !pliant_broad_reserve(&world->broad, room, allocator)) {
        pliant_memory_free(allocator, centres);
        pliant_memory_free(allocator, radii);
        pliant_memory_free(allocator, found);
        pliant_memory_free(allocator, pairs);
        return false;
    }
    pliant_memory_free(allocator, world->pair_centres);
    pliant_memory_free(allocator, world->pair_radii);
    pliant_memory_free(allocator, world->found_pairs);
    pliant_memory_free(allocator, world->pairs);
    world->pair_centres = centres;
    world->pair_radii = radii;
    world->found_pairs = found;
    world->pairs = pairs;
    world->pair_room = room;
    world->pair_count = 0;
    return true;
}

void pliant_free_pairs(pliant_world *world)
{
    pliant_memory_free(&world->allocator, world->pair_centres);
    pliant_memory_free(&world->allocator, world->pair_radii);
    pliant_memory_free(&world->allocator, world->found_pairs);
    pliant_memory_free(&world->allocator, world->pairs);
    pliant_broad_free(&world->broad, &world->allocator);
}

// ---------------------------------------------------------------------------------------------
// Finding

static party party_of(const pliant_world *world, int i, quat turn)
{
    const body *b = owner_of(world, i);
    return pliant_model_party(b->model, i - b->particle_first, turn);
}

// The touch of two particles whose centres are `between` apart.
static bool find_touch(const pliant_world *world, int a, int b, quat turn_a, quat turn_b,
                       vec3 between, float margin, ellipsoid_pair *out)
{
    party first = party_of(world, a, turn_a), second = party_of(world, b, turn_b);
    return pliant_parties_touch(&first, &second, between, margin, out);
}

static float largest_radius(const pliant_world *world, int i)
{
    const body *b = owner_of(world, i);
    return pliant_largest_radius(b, i - b->particle_first);
}

static float smallest_radius(const pliant_world *world, int i)
{
    const body *b = owner_of(world, i);
    return pliant_smallest_radius(b, i - b->particle_first);
}

// The predicted way of a particle in this substep.
static vec3 way_of(const pliant_world *world, int i)
{
    return vec3_add(world->move[i], owner_of(world, i)->drift);
}

// Whether two particles move so far against each other that one could be on the other side of the
// other at the end of the substep.
static bool is_fast(const pliant_world *world, int a, int b)
{
    vec3 way = vec3_sub(way_of(world, b), way_of(world, a));
    float thin = 0.5f * (smallest_radius(world, a) + smallest_radius(world, b));
    return vec3_dot(way, way) > thin * thin;
}

// Whether a dent has brought two particles of a body to rest in each other: then shape matching would pull
// them together again.
static bool is_dented_together(const pliant_world *world, const body *b, int i, int j)
{
    if (!b->model->has_dents)
        return false;
    party first = party_of(world, i, world->rest_turn[i]);
    party second = party_of(world, j, world->rest_turn[j]);
    return pliant_overlap_at_rest(&first, &second, vec3_sub(world->rest_x[j], world->rest_x[i]));
}

// Layers of two particles.
static bool particles_meet(const body *a, int32_t i, const body *b, int32_t j)
{
    const pliant_particle_def *p = &a->model->source.particles[i - a->particle_first];
    const pliant_particle_def *q = &b->model->source.particles[j - b->particle_first];
    return (p->layers & q->mask) && (q->layers & p->mask);
}

// How far from its centre others meet a particle.
static float contact_radius(const pliant_world *world, int i)
{
    const body *b = owner_of(world, i);
    return b->model->has_surface ? pliant_model_reach(b->model, i - b->particle_first)
                                 : pliant_largest_radius(b, i - b->particle_first);
}

static bool bodies_meet(const body *a, const body *b)
{
    return a == b ? a->self_collision : (a->layers & b->mask) && (b->layers & a->mask);
}

static bool may_touch(int32_t i, int32_t j, void *context)
{
    const pliant_world *world = context;
    const body *a = owner_of(world, i), *b = owner_of(world, j);
    if (!bodies_meet(a, b) || (is_still(a) && is_still(b)) || !particles_meet(a, i, b, j) ||
        world->inverse_mass[i] + world->inverse_mass[j] == 0.0f)
        return false;
    // The broad phase sees whole ways. Particles that go the same way need to be near at its end.
    if (!is_fast(world, i, j)) {
        float reach = (contact_radius(world, i) + contact_radius(world, j)) * (1.0f + WATCH_MARGIN);
        vec3 apart =
            vec3_add(start_between(world, i, j), vec3_sub(way_of(world, j), way_of(world, i)));
        if (vec3_dot(apart, apart) > reach * reach)
            return false;
    }
    // Held within each other's reach: contact would fight the attachment.
    if (world->attachment_slot_count > 0) {
        float held = pliant_attached_length(world, i, j);
        if (held >= 0.0f && held < largest_radius(world, i) + largest_radius(world, j))
            return false;
    }
    return a != b ||
           (!pliant_model_excludes(a->model, i - a->particle_first, j - a->particle_first) &&
            !is_dented_together(world, a, i, j));
}

// A sphere around each particle's whole way in this substep.
static void bound_ways(const pliant_world *world)
{
    for (int k = 0; k < world->active_count; ++k) {
        const body *b = &world->bodies[world->active[k]];
        for (int p = 0; p < b->model->source.particle_count; ++p) {
            int i = b->particle_first + p;
            vec3 way = way_of(world, i);
            float radius = contact_radius(world, i) * (1.0f + WATCH_MARGIN);
            vec3 start = vec3_add(b->origin, world->start[i]);
            world->pair_centres[i] = vec3_add_scaled(start, way, 0.5f);
            world->pair_radii[i] = b->is_frozen ? -1.0f : radius + 0.5f * vec3_length(way);
        }
    }
}

// Nothing can touch where all stand still, or where one body is alone and does not touch itself.
static bool has_collisions(const pliant_world *world)
{
    bool self = false, awake = false;
    for (int k = 0; k < world->active_count; ++k) {
        const body *b = &world->bodies[world->active[k]];
        self = self || b->self_collision;
        awake = awake || !is_still(b);
    }
    return awake && (self || world->active_count > 1);
}

static vec3 drift_between(const pliant_world *world, int a, int b)
{
    return vec3_sub(owner_of(world, b)->drift, owner_of(world, a)->drift);
}

static vec3 moved_between(const pliant_world *world, const pair_contact *c)
{
    return vec3_add(c->between, vec3_sub(world->move[c->b], world->move[c->a]));
}

static void note_hit(pliant_world *world, const pair_contact *c)
{
    world->hit_speed[c->a] = maximum(world->hit_speed[c->a], c->approach);
    world->hit_speed[c->b] = maximum(world->hit_speed[c->b], c->approach);
}

static bool answers_rigidly(const pliant_world *world, int i)
{
    const body *b = owner_of(world, i);
    return b->model->answers_rigidly[i - b->particle_first];
}

// How a pair that comes together along n with these arms shall part. As at colliders, rigid ellipsoids bounce
// with their contact points, by velocities; points by positions.
static void note_bounce(const substep *s, pair_contact *c, vec3 n, vec3 arm_a, vec3 arm_b)
{
    const pliant_world *world = s->world;
    bool is_rigid = answers_rigidly(world, c->a) && answers_rigidly(world, c->b);
    float restitution =
        maximum(owner_of(world, c->a)->restitution, owner_of(world, c->b)->restitution);
    vec3 v_a = world->v[c->a], v_b = world->v[c->b];
    if (is_rigid) {
        v_a = vec3_add(v_a, vec3_cross(world->spin[c->a], arm_a));
        v_b = vec3_add(v_b, vec3_cross(world->spin[c->b], arm_b));
    }
    float approach = -vec3_dot(n, vec3_sub(v_b, v_a));
    if (!(approach > world->def.restitution_threshold))
        return;
    if (is_rigid)
        c->rebound = approach * restitution;
    else
        c->bounce = approach * restitution * s->h;
}

static float width_along(const party *p, vec3 n)
{
    return square_root(vec3_dot(n, sym3_mul_vec(p->shape, n)));
}

// When two ellipsoids first touch on their straight way, by conservative advancement from where their
// bounding spheres do. Along the contact normal n they are apart by gap (n·line), for the planes that
// support them meet at touching distance; nothing can happen before they have come nearer by that. The
// impact keeps their order along n: n·between is at least the sum of their widths at the end, or what it is
// at the start when they overlap then.
static bool find_impact(const pliant_world *world, const pair_contact *c, vec3 start, vec3 way,
                        impact *hit)
{
    party first = party_of(world, c->a, world->turn[c->a]);
    party second = party_of(world, c->b, world->turn[c->b]);
    vec3 offset = vec3_sub(second.offset, first.offset);
    float reach = first.reach + second.reach, s = 0.0f;
    if (time_of_impact(start, way, reach, hit))
        s = hit->time;
    else if (vec3_dot(start, start) > reach * reach * 1.0001f)
        return false;
    float near = IMPACT_GAP * minimum(smallest_radius(world, c->a), smallest_radius(world, c->b));
    for (int i = 0; i < IMPACT_STEPS; ++i) {
        ellipsoid_pair touch;
        vec3 between = vec3_add(vec3_add_scaled(start, way, s), offset);
        if (!pliant_ellipsoid_pair(first.shape, second.shape, between, 1e30f, &touch))
            return false;
        vec3 n = hit->normal = touch.normal;
        float apart = touch.gap * vec3_dot(n, touch.line), speed = -vec3_dot(n, way);
        if (!(speed > 0.0f))
            return false;
        if (apart <= near)
            break;
        s += apart / speed;
        if (s > 1.0f)
            return false;
    }
    hit->time = s;
    float least = width_along(&first, hit->normal) + width_along(&second, hit->normal) -
                  vec3_dot(hit->normal, offset);
    if (s == 0.0f)
        least = minimum(least, vec3_dot(hit->normal, start));
    hit->correction = maximum(0.0f, least - vec3_dot(hit->normal, vec3_add(start, way)));
    return true;
}

// From a particle's centre to the furthest point of its contact shape along n.
static vec3 contact_arm(const pliant_world *world, int i, vec3 n)
{
    party p = party_of(world, i, world->turn[i]);
    return vec3_add_scaled(p.offset, sym3_mul_vec(p.shape, n), 1.0f / width_along(&p, n));
}

// Stops a fast pair where it first touches.
static void stop_impact(const substep *s, pair_contact *c, vec3 start)
{
    pliant_world *world = s->world;
    vec3 way = vec3_sub(way_of(world, c->b), way_of(world, c->a));
    impact hit;
    if (!find_impact(world, c, start, way, &hit))
        return;
    if (!(hit.correction > 0.0f))
        return;
    float wa = world->inverse_mass[c->a], wb = world->inverse_mass[c->b];
    impact_correct(&hit, wa, wb, &world->move[c->a], &world->move[c->b]);
    c->normal_impulse += hit.correction / (wa + wb);
    c->normal = c->ahead = hit.normal;
    note_hit(world, c);
    c->arm = contact_arm(world, c->a, hit.normal);
    c->arm_b = contact_arm(world, c->b, vec3_negate(hit.normal));
    note_bounce(s, c, hit.normal, c->arm, c->arm_b);
}

// Overlap that is there before the substep, and how much of it may stay.
static void note_overlap(const substep *s, pair_contact *c, vec3 start)
{
    const pliant_world *world = s->world;
    ellipsoid_pair then;
    if (find_touch(world, c->a, c->b, world->turn_start[c->a], world->turn_start[c->b], start, 0.0f,
                   &then))
        c->start_depth = maximum(0.0f, -then.gap);
    c->slack = maximum(0.0f, c->start_depth - PUSH_OUT_SPEED * s->h);
}

// What is there before the substep, and whether it hits hard.
static pair_contact begin_pair(const substep *s, int a, int b)
{
    pliant_world *world = s->world;
    vec3 start = start_between(world, a, b);
    pair_contact c = {.a = a, .b = b, .between = vec3_add(start, drift_between(world, a, b))};
    party first = party_of(world, a, world->turn_start[a]);
    party second = party_of(world, b, world->turn_start[b]);
    vec3 line = pliant_facing_line(&first, &second, start);
    c.ahead = vec3_normalize_or(line, (vec3){0, 1, 0});
    c.approach = -vec3_dot(c.ahead, vec3_sub(world->v[b], world->v[a]));
    if (is_fast(world, a, b)) {
        note_overlap(s, &c, start);
        // One that comes from the inner side of a surface is let out.
        if (vec3_dot(line, start) > 0.0f)
            stop_impact(s, &c, start);
        return c;
    }
    ellipsoid_pair now;
    if (!find_touch(world, a, b, world->turn[a], world->turn[b], moved_between(world, &c), 0.0f,
                    &now))
        return c; // not touching yet
    note_overlap(s, &c, start);
    note_hit(world, &c);
    bool is_rigid = answers_rigidly(world, a) && answers_rigidly(world, b);
    if (now.gap < 0.0f)
        note_bounce(s, &c, is_rigid ? now.normal : now.line, now.arm1, now.arm2);
    return c;
}

void pliant_find_pairs(const substep *s)
{
    pliant_world *world = s->world;
    world->pair_count = world->touching_pairs = 0;
    if (!has_collisions(world))
        return;
    bound_ways(world);
    int room = world->pair_room * PAIRS_PER_PARTICLE;
    int found =
        pliant_broad_find(&world->broad, world->pair_centres, world->pair_radii,
                          world->particle_count, may_touch, world, world->found_pairs, room);
    world->pair_count = found < room ? found : room;
    world->dropped_pairs += found - world->pair_count;
}

static bool overlaps_now(const pliant_world *world, int a, int b)
{
    vec3 between =
        vec3_add(start_between(world, a, b), vec3_sub(way_of(world, b), way_of(world, a)));
    ellipsoid_pair now;
    return is_fast(world, a, b) ||
           (find_touch(world, a, b, world->turn[a], world->turn[b], between, 0.0f, &now) &&
            now.gap < 0.0f);
}

bool pliant_wake_touched(const substep *s)
{
    pliant_world *world = s->world;
    bool woke = false;
    for (int k = 0; k < world->pair_count; ++k) {
        int a = world->found_pairs[k].a, b = world->found_pairs[k].b;
        body *first = &world->bodies[world->owner[a]], *second = &world->bodies[world->owner[b]];
        if (first->is_asleep == second->is_asleep || !overlaps_now(world, a, b))
            continue;
        pliant_wake_body(world, first->is_asleep ? first : second);
        woke = true;
    }
    return woke;
}

bool pliant_wake_pushed(const substep *s)
{
    pliant_world *world = s->world;
    bool woke = false;
    for (int k = 0; k < world->pair_count; ++k) {
        const pair_contact *c = &world->pairs[k];
        body *first = &world->bodies[world->owner[c->a]];
        body *second = &world->bodies[world->owner[c->b]];
        if (!(c->normal_impulse > 0.0f) || first->is_asleep == second->is_asleep)
            continue;
        pliant_wake_body(world, first->is_asleep ? first : second);
        woke = true;
    }
    return woke;
}

void pliant_begin_pairs(const substep *s)
{
    pliant_world *world = s->world;
    for (int k = 0; k < world->pair_count; ++k)
        world->pairs[k] = begin_pair(s, world->found_pairs[k].a, world->found_pairs[k].b);
}

// ---------------------------------------------------------------------------------------------
// Solving

static void apply_friction(pliant_world *world, pair_contact *c, const ellipsoid_pair *touch,
                           const contact_side *side_a, const contact_side *side_b)
{
    const body *a = owner_of(world, c->a), *b = owner_of(world, c->b);
    float coefficient = square_root(a->friction * b->friction);
    if (coefficient == 0.0f)
        return;
    vec3 slip = vec3_sub(pliant_contact_way(world, a, c->a, touch->arm1),
                         pliant_contact_way(world, b, c->b, touch->arm2));
    vec3 J = friction_impulse(slip, c->normal, side_a, side_b, 1.0f);
    J = pliant_limit_friction(&c->friction_impulse, J, coefficient * c->normal_impulse);
    pliant_apply_impulse(world, c->a, side_a, J);
    pliant_apply_impulse(world, c->b, side_b, vec3_negate(J));
}

// Makes both arms point to one place, for particles whose centres are `between` apart: then an impulse
// there and its opposite have no moment.
static void join_arms(vec3 *arm_a, vec3 *arm_b, vec3 between)
{
    vec3 apart = vec3_sub(vec3_sub(*arm_a, *arm_b), between);
    *arm_a = vec3_add_scaled(*arm_a, apart, -0.5f);
    *arm_b = vec3_add_scaled(*arm_b, apart, 0.5f);
}

// Constraints of a body may pull its particle through another one within a substep: a heavy ball in a light
// net. The line of the centres then points backwards, and pushing along it would finish the passage. Such
// a pair is put back in the order in which it was. False when the order is right.
static bool keep_order(pliant_world *world, pair_contact *c)
{
    vec3 n = c->ahead, between = moved_between(world, c);
    float along = vec3_dot(n, between);
    if (along >= 0.0f)
        return false;
    vec3 beside = vec3_add_scaled(between, n, -along);
    float rho = largest_radius(world, c->a) + largest_radius(world, c->b);
    if (vec3_dot(beside, beside) > rho * rho)
        return false;
    party first = party_of(world, c->a, world->turn[c->a]);
    party second = party_of(world, c->b, world->turn[c->b]);
    float width = width_along(&first, n) + width_along(&second, n);
    const contact_side side_a = {.inverse_mass = world->inverse_mass[c->a]};
    const contact_side side_b = {.inverse_mass = world->inverse_mass[c->b]};
    float impulse =
        maximum(0.0f, width - along - c->slack) / (side_a.inverse_mass + side_b.inverse_mass);
    pliant_apply_impulse(world, c->a, &side_a, vec3_scale(n, -impulse));
    pliant_apply_impulse(world, c->b, &side_b, vec3_scale(n, impulse));
    c->normal_impulse += impulse;
    c->normal = n;
    c->arm = contact_arm(world, c->a, n);
    c->arm_b = contact_arm(world, c->b, vec3_negate(n));
    return true;
}

static void solve_pair(pliant_world *world, pair_contact *c)
{
    const body *a = owner_of(world, c->a), *b = owner_of(world, c->b);
    ellipsoid_pair touch;
    if (keep_order(world, c))
        return;
    float margin = c->bounce > 0.0f ? 1e30f : 0.0f; // a bounce acts also when they have parted
    if (!find_touch(world, c->a, c->b, world->turn[c->a], world->turn[c->b],
                    moved_between(world, c), margin, &touch))
        return;
    bool is_rigid = answers_rigidly(world, c->a) && answers_rigidly(world, c->b);
    // As they stood at the start of the substep: Σ m x × v changes in it by Σ x_start × Δ(m v), whatever
    // the way, so that angular momentum is kept exactly.
    if (is_rigid)
        join_arms(&touch.arm1, &touch.arm2, vec3_sub(c->between, drift_between(world, c->a, c->b)));
    mat3 R_a = quat_to_mat3(world->turn[c->a]), R_b = quat_to_mat3(world->turn[c->b]);
    contact_side side_a = pliant_contact_side(world, a, c->a, &R_a, touch.arm1);
    contact_side side_b = pliant_contact_side(world, b, c->b, &R_b, touch.arm2);
    // Along the line the push is the overlap; along the contact normal it is shorter, to where the
    // supporting planes of both meet.
    vec3 n = is_rigid ? touch.normal : touch.line;
    float depth = (-touch.gap - c->slack) * vec3_dot(n, touch.line);
    if (c->bounce > 0.0f) {
        vec3 parted =
            vec3_add(vec3_sub(world->move[c->b], world->move[c->a]), vec3_sub(b->drift, a->drift));
        depth = maximum(depth, c->bounce - vec3_dot(n, parted));
    }
    if (depth > 0.0f) {
        float mobility = is_rigid ? contact_mobility(&side_a, n) + contact_mobility(&side_b, n)
                                  : side_a.inverse_mass + side_b.inverse_mass;
        float impulse = depth / mobility;
        const contact_side point_a = {.inverse_mass = side_a.inverse_mass};
        const contact_side point_b = {.inverse_mass = side_b.inverse_mass};
        pliant_apply_impulse(world, c->a, is_rigid ? &side_a : &point_a, vec3_scale(n, -impulse));
        pliant_apply_impulse(world, c->b, is_rigid ? &side_b : &point_b, vec3_scale(n, impulse));
        c->normal_impulse += impulse;
        c->normal = n;
        c->arm = touch.arm1;
        c->arm_b = touch.arm2;
    }
    if (c->normal_impulse > 0.0f)
        apply_friction(world, c, &touch, &side_a, &side_b);
}

void pliant_solve_pairs(const substep *s)
{
    for (int k = 0; k < s->world->pair_count; ++k)
        solve_pair(s->world, &s->world->pairs[k]);
}

// Pushes of one pair may turn the order of another: these few passes, mostly without anything to do, leave
// none behind.
void pliant_order_pairs(const substep *s)
{
    bool has_changed = true;
    for (int pass = 0; pass < ORDER_PASSES && has_changed; ++pass) {
        has_changed = false;
        for (int k = 0; k < s->world->pair_count; ++k)
            has_changed = keep_order(s->world, &s->world->pairs[k]) || has_changed;
    }
}

// Lets the pair rebound, or takes away the speed along the normal that pushing out an old overlap would
// leave behind.
static void settle_pair(const substep *s, const pair_contact *c)
{
    pliant_world *world = s->world;
    contact_side side_a = {.inverse_mass = world->inverse_mass[c->a]};
    contact_side side_b = {.inverse_mass = world->inverse_mass[c->b]};
    if (answers_rigidly(world, c->a) && answers_rigidly(world, c->b)) {
        vec3 arm_a = c->arm, arm_b = c->arm_b;
        join_arms(&arm_a, &arm_b, moved_between(world, c));
        mat3 R_a = quat_to_mat3(world->turn[c->a]), R_b = quat_to_mat3(world->turn[c->b]);
        side_a = pliant_contact_side(world, owner_of(world, c->a), c->a, &R_a, arm_a);
        side_b = pliant_contact_side(world, owner_of(world, c->b), c->b, &R_b, arm_b);
    }
    vec3 v_a = vec3_add(world->v[c->a], vec3_cross(world->spin[c->a], side_a.arm));
    vec3 v_b = vec3_add(world->v[c->b], vec3_cross(world->spin[c->b], side_b.arm));
    float mobility = contact_mobility(&side_a, c->normal) + contact_mobility(&side_b, c->normal);
    float pushed = minimum(c->normal_impulse * mobility, c->start_depth);
    float speed = vec3_dot(c->normal, vec3_sub(v_b, v_a));
    float excess = minimum(pushed / s->h, maximum(speed, 0.0f)) / mobility;
    if (c->rebound > 0.0f)
        excess = minimum(speed - c->rebound, 0.0f) / mobility;
    pliant_change_velocity(world, c->a, &side_a, vec3_scale(c->normal, excess));
    pliant_change_velocity(world, c->b, &side_b, vec3_scale(c->normal, -excess));
}

void pliant_settle_pairs(const substep *s)
{
    pliant_world *world = s->world;
    for (int k = 0; k < world->pair_count; ++k) {
        const pair_contact *c = &world->pairs[k];
        if (!(c->normal_impulse > 0.0f))
            continue;
        world->touching_pairs += 1;
        note_hit(world, c);
        if (c->start_depth > 0.0f || c->rebound > 0.0f)
            settle_pair(s, c);
    }
}
