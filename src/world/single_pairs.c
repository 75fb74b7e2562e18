// Contact between two particles that is not solved in a batch (see pairs.c): a rigid answer, a surface or a
// bounce. Soft pairs that are fast are stopped in their batches.
//
// Two particles that answer as points are pushed along the line of their centres, which keeps both
// momenta. Two that answer as rigid ellipsoids are pushed along the contact normal, with lever arms.
// Friction is the impulse of collide/friction.h at the contact, within Coulomb's cone. A pair that moves
// further in a substep than a particle is thick is stopped at its time of impact, or it would pass.

#include "pairs.h"

#include "collide/time_of_impact.h"

// An impact is found when the gap is below this part of the thinnest radius, or after so many steps.
static const float IMPACT_GAP = 0.01f;
enum { IMPACT_STEPS = 32 };

// ---------------------------------------------------------------------------------------------
// How a pair stands before it is solved

static vec3 drift_between(const pliant_world *world, int a, int b)
{
    return vec3_sub(owner_of(world, b)->drift, owner_of(world, a)->drift);
}

static vec3 moved_between(const pliant_world *world, const pair_contact *c)
{
    return vec3_add(c->between, vec3_sub(world->move[c->b].way, world->move[c->a].way));
}

static bool answers_rigidly(const pliant_world *world, int i)
{
    const body *b = owner_of(world, i);
    return b->model->answers_rigidly[i - b->particle_first];
}

// How a pair that comes together along n with these arms shall part. As at colliders, free ellipsoids bounce
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
        c->lands = restitution > 0.0f;
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
    float wa = world->move[c->a].inverse_mass, wb = world->move[c->b].inverse_mass;
    impact_correct(&hit, wa, wb, &world->move[c->a].way, &world->move[c->b].way);
    c->normal_impulse += hit.correction / (wa + wb);
    c->normal = c->ahead = hit.normal;
    c->hits = true;
    c->arm = contact_arm(world, c->a, hit.normal);
    c->arm_b = contact_arm(world, c->b, vec3_negate(hit.normal));
    note_bounce(s, c, hit.normal, c->arm, c->arm_b);
}

// Overlap that is there before the substep, and how much of it may stay. What comes to a surface particle from beside is
// deep in its sphere at once: that was there before, too.
static void note_overlap(const substep *s, pair_contact *c, vec3 start)
{
    const pliant_world *world = s->world;
    ellipsoid_pair then;
    party first = party_of(world, c->a, world->turn_start[c->a]);
    party second = party_of(world, c->b, world->turn_start[c->b]);
    if (pliant_parties_overlap(&first, &second, start, 0.0f, &then))
        c->start_depth = maximum(0.0f, -then.gap);
    c->slack = maximum(0.0f, c->start_depth - s->world->def.depenetration_speed * s->h);
    float width = smallest_radius(world, c->a) + smallest_radius(world, c->b);
    c->is_deep = c->start_depth > DEEP_OVERLAP * width;
}

// What is there before the substep, and whether it hits hard.
pair_contact pliant_begin_pair(const substep *s, int a, int b)
{
    pliant_world *world = s->world;
    vec3 start = start_between(world, a, b);
    pair_contact c = {
        .a = a, .b = b, .has_begun = true, .between = vec3_add(start, drift_between(world, a, b))};
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
    bool touches = find_touch(world, a, b, world->turn[a], world->turn[b], moved_between(world, &c),
                              0.0f, &now);
    if (touches || first.reach > first.radius || second.reach > second.radius)
        note_overlap(s, &c, start);
    if (!touches)
        return c; // not yet
    c.hits = true;
    bool is_rigid = answers_rigidly(world, a) && answers_rigidly(world, b);
    if (now.gap < 0.0f)
        note_bounce(s, &c, is_rigid ? now.normal : now.line, now.arm1, now.arm2);
    return c;
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
// a pair is put back in the order in which it was. False when the order is right, and of one that began on the inner
// side of a surface: it is let out.
bool pliant_order_pair(pliant_world *world, pair_contact *c)
{
    vec3 n = c->ahead, between = moved_between(world, c);
    float along = vec3_dot(n, between);
    if (along >= 0.0f || vec3_dot(n, start_between(world, c->a, c->b)) <= 0.0f)
        return false;
    vec3 beside = vec3_add_scaled(between, n, -along);
    float rho = largest_radius(world, c->a) + largest_radius(world, c->b);
    if (vec3_dot(beside, beside) > rho * rho)
        return false;
    party first = party_of(world, c->a, world->turn[c->a]);
    party second = party_of(world, c->b, world->turn[c->b]);
    float width = width_along(&first, n) + width_along(&second, n);
    const contact_side side_a = {.inverse_mass = world->move[c->a].inverse_mass};
    const contact_side side_b = {.inverse_mass = world->move[c->b].inverse_mass};
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

void pliant_solve_pair(pliant_world *world, pair_contact *c)
{
    const body *a = owner_of(world, c->a), *b = owner_of(world, c->b);
    ellipsoid_pair touch;
    if (pliant_order_pair(world, c))
        return;
    if (!find_touch(world, c->a, c->b, world->turn[c->a], world->turn[c->b],
                    moved_between(world, c), 0.0f, &touch))
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

float pliant_pair_depth(const pliant_world *world, const pair_contact *c)
{
    party first = party_of(world, c->a, world->turn[c->a]);
    party second = party_of(world, c->b, world->turn[c->b]);
    vec3 line = pliant_facing_line(&first, &second, moved_between(world, c));
    return width_along(&first, c->normal) + width_along(&second, c->normal) -
           vec3_dot(c->normal, line);
}

// Lets the pair rebound, or takes away the speed along the normal that pushing out an old overlap would
// leave behind.
void pliant_settle_pair(const substep *s, const pair_contact *c)
{
    pliant_world *world = s->world;
    contact_side side_a = {.inverse_mass = world->move[c->a].inverse_mass};
    contact_side side_b = {.inverse_mass = world->move[c->b].inverse_mass};
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
