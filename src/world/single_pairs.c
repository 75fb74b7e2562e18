// Contact between two particles that is not solved in a batch (see pairs.c): a rigid answer, a surface or a
// bounce. Soft pairs that are fast are stopped in their batches.
//
// For the time of a substep a plane is between the two: across the contact normal m of their predicted places or, of a
// pair that moves further than a particle is thick, of where it first touches on its way. They are apart by
//
//     gap + m·(way of b's contact point - way of a's)
//
// where the gap is that before the substep, and may come no nearer than that leaves, or no deeper than they were. This
// is linear, m is its gradient, and where they stood before the substep is allowed: a push along m, shared by how the
// parties answer, takes energy and never gives any, in whatever order pairs are pushed. Particles that answer as points
// have no contact points but their centres; two that answer as rigid ellipsoids have lever arms, which meet in one
// place as of the start, so that angular momentum is kept. Friction is the impulse of collide/friction.h at the
// contact, within Coulomb's cone.
//
// Overlap from before the substep is pushed out when all velocities are known, in position only.

#include "contacts.h"
#include "pairs.h"
#include "places.h"
#include "substep.h"

#include "form/time_of_impact.h"

// An impact is found when the gap is below this part of the thinnest radius.
static const float IMPACT_GAP = 0.01f;
// Of the widths: pairs that overlap by more than this are only pushed out where nothing presses them together.
static const float HELD_OVERLAP = 0.03f;

// ---------------------------------------------------------------------------------------------
// How a pair stands

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

static bool is_rigid(const pliant_world *world, const pair_contact *c)
{
    return answers_rigidly(world, c->a) && answers_rigidly(world, c->b);
}

// How far a particle's contact point has come by its turn in this substep.
static vec3 turned_way(const pliant_world *world, int i, vec3 arm)
{
    return vec3_cross(quat_difference(world->turn[i], world->turn_start[i]), arm);
}

// By how much the contact points have come further in b than in a.
static vec3 points_way(const pliant_world *world, const pair_contact *c)
{
    vec3 way = vec3_sub(world->move[c->b].way, world->move[c->a].way);
    vec3 turned = vec3_sub(turned_way(world, c->b, c->arm_b), turned_way(world, c->a, c->arm));
    return vec3_add(vec3_add(way, drift_between(world, c->a, c->b)), turned);
}

// How far a pair has opened along its normal in this substep.
static float opened(const pliant_world *world, const pair_contact *c)
{
    if (is_rigid(world, c))
        return vec3_dot(c->normal, points_way(world, c));
    vec3 way = vec3_sub(world->move[c->b].way, world->move[c->a].way);
    return vec3_dot(c->normal, vec3_add(way, drift_between(world, c->a, c->b)));
}

// How much nearer to each other, or deeper in each other, than they may a pair is.
static float depth_of(const pliant_world *world, const pair_contact *c)
{
    return -opened(world, c) - c->gap - (c->is_held ? start_depth_of(c) : c->slack);
}

typedef struct pair_sides {
    contact_side a, b;
} pair_sides;

static contact_side side_of(const pliant_world *world, int i, vec3 arm)
{
    mat3 R = quat_to_mat3(world->turn[i]);
    return pli_contact_side(world, owner_of(world, i), i, &R, arm);
}

static pair_sides point_sides(const pliant_world *world, const pair_contact *c)
{
    return (pair_sides){{.inverse_mass = world->move[c->a].inverse_mass},
                        {.inverse_mass = world->move[c->b].inverse_mass}};
}

// As they answer a push along the normal.
static pair_sides normal_sides(const pliant_world *world, const pair_contact *c, vec3 arm_a,
                               vec3 arm_b)
{
    if (is_rigid(world, c))
        return (pair_sides){side_of(world, c->a, arm_a), side_of(world, c->b, arm_b)};
    return point_sides(world, c);
}

static float mobility_of(const pair_sides *sides, vec3 n)
{
    return contact_mobility(&sides->a, n) + contact_mobility(&sides->b, n);
}

static void push_sides(pliant_world *world, const pair_contact *c, const pair_sides *sides,
                       float impulse)
{
    pli_apply_impulse(world, c->a, &sides->a, vec3_scale(c->normal, -impulse));
    pli_apply_impulse(world, c->b, &sides->b, vec3_scale(c->normal, impulse));
}

// Opens a pair by so much.
static void push_apart(pliant_world *world, pair_contact *c, float depth)
{
    pair_sides sides = normal_sides(world, c, c->arm, c->arm_b);
    float mobility = mobility_of(&sides, c->normal);
    if (!(depth > 0.0f) || !(mobility > 0.0f))
        return;
    c->normal_impulse += depth / mobility;
    push_sides(world, c, &sides, depth / mobility);
}

// m, that the centres would have to move across the normal to be beside each other: the plane is wider than they are.
static float overlap_across(const pliant_world *world, const pair_contact *c)
{
    vec3 between = moved_between(world, c);
    vec3 beside = vec3_add_scaled(between, c->normal, -vec3_dot(c->normal, between));
    return largest_radius(world, c->a) + largest_radius(world, c->b) - vec3_length(beside);
}

// ---------------------------------------------------------------------------------------------
// The plane

// From a particle's centre to the furthest point of its contact form along n.
static vec3 contact_arm(const party *p, vec3 n)
{
    const mat3 own_axes = mat3_identity();
    vec3 arm;
    form_support(&p->form, &own_axes, vec3_negate(n), &arm);
    return vec3_add(p->offset, arm);
}

// Where two first touch on their straight way, from where their bounding spheres do on.
static bool find_impact(const party *first, const party *second, float near, vec3 start, vec3 way,
                        impact *hit)
{
    vec3 offset = vec3_sub(second->offset, first->offset);
    float reach = first->reach + second->reach, s = 0.0f;
    if (time_of_impact(start, way, reach, hit))
        s = hit->time;
    else if (vec3_dot(start, start) > reach * reach * 1.0001f)
        return false;
    hit->time = s;
    return pli_form_sweep(&second->form, &first->form, vec3_add(start, offset), way, near,
                          &hit->time, &hit->normal) &&
           pli_parties_room(first, second, vec3_add_scaled(start, way, hit->time)) > 0.0f;
}

// Makes both arms point to one place, for particles whose centres are `between` apart: then an impulse
// there and its opposite have no moment.
static void join_arms(vec3 *arm_a, vec3 *arm_b, vec3 between)
{
    vec3 apart = vec3_sub(vec3_sub(*arm_a, *arm_b), between);
    *arm_a = vec3_add_scaled(*arm_a, apart, -0.5f);
    *arm_b = vec3_add_scaled(*arm_b, apart, 0.5f);
}

// Puts the plane across a normal. The arms of rigid ones meet where the centres are `between` apart: as of the start, for
// Σ m x × v changes in a substep by Σ x_start × Δ(m v), whatever the way, so that angular momentum is kept exactly. Only
// pairs that start far from each other meet where they hit.
static void place_plane(const pliant_world *world, pair_contact *c, const party *first,
                        const party *second, vec3 m, vec3 between)
{
    c->normal = m;
    c->arm = contact_arm(first, m);
    c->arm_b = contact_arm(second, vec3_negate(m));
    float width = vec3_dot(m, vec3_sub(c->arm, c->arm_b));
    float gap = vec3_dot(m, moved_between(world, c)) - width;
    if (is_rigid(world, c))
        join_arms(&c->arm, &c->arm_b, between);
    c->gap = gap - opened(world, c);
    c->hits = gap < 0.0f;
}

// Of the two as they are predicted. Constraints may have pulled a slow pair through each other before: it is put back to
// where it belongs.
static vec3 predicted_normal(const party *first, const party *second, vec3 start, vec3 end,
                             bool is_fast)
{
    form_pair then, now = {.normal = {0, 1, 0}};
    pli_parties_touch(first, second, end, 1e30f, &now);
    vec3 ahead = pli_facing_line(first, second, start);
    if (is_fast || vec3_dot(ahead, now.line) >= 0.0f ||
        !pli_forms_meet(&first->form, &second->form, ahead, 1e30f, &then))
        return now.normal;
    return then.normal;
}

// ---------------------------------------------------------------------------------------------
// How a pair stands before it is solved

static float restitution_of(const pliant_world *world, const pair_contact *c)
{
    return maximum(owner_of(world, c->a)->restitution, owner_of(world, c->b)->restitution);
}

// How a pair that hits shall part. As at colliders, free ellipsoids bounce with their contact points; points as their
// bodies do.
static void note_bounce(const substep *s, pair_contact *c)
{
    const pliant_world *world = s->world;
    float restitution = restitution_of(world, c);
    vec3 v_a = world->v[c->a], v_b = world->v[c->b];
    if (is_rigid(world, c)) {
        v_a = vec3_add(v_a, vec3_cross(world->spin[c->a], c->arm));
        v_b = vec3_add(v_b, vec3_cross(world->spin[c->b], c->arm_b));
    }
    float approach = -vec3_dot(c->normal, vec3_sub(v_b, v_a));
    if (!(approach > world->def.restitution_threshold))
        return;
    if (is_rigid(world, c))
        c->rebound = approach * restitution;
    else
        c->lands = restitution > 0.0f;
}

// What comes to a surface particle from beside is deep in its sphere at once: it is pushed out by no more than what would
// bring it beside the face again, or it would come and go.
static void note_overlap(const substep *s, pair_contact *c, float room)
{
    const pliant_world *world = s->world;
    float most = minimum(world->def.depenetration_speed * s->h, maximum(0.0f, room));
    float width = smallest_radius(world, c->a) + smallest_radius(world, c->b);
    c->slack = maximum(0.0f, start_depth_of(c) - most);
    c->is_deep = start_depth_of(c) > DEEP_OVERLAP * width;
    c->is_held = start_depth_of(c) > HELD_OVERLAP * width;
}

pair_contact pli_begin_pair(const substep *s, int a, int b)
{
    pliant_world *world = s->world;
    vec3 start = start_between(world, a, b);
    vec3 way = vec3_sub(way_of(world, b), way_of(world, a)), end = vec3_add(start, way);
    pair_contact c = {
        .a = a, .b = b, .has_begun = true, .between = vec3_add(start, drift_between(world, a, b))};
    party first, second;
    find_parties(world, a, b, world->turn[a], world->turn[b], &first, &second);
    bool fast = is_fast(world, a, b), is_stopped = false;
    float thin = minimum(smallest_radius(world, a), smallest_radius(world, b));
    impact hit;
    // One that comes from the inner side of a surface is let out.
    if (fast && vec3_dot(pli_facing_line(&first, &second, start), start) > 0.0f)
        is_stopped = find_impact(&first, &second, IMPACT_GAP * thin, start, way, &hit);
    float room = pli_parties_room(&first, &second, end);
    c.is_apart = !is_stopped && !(room > 0.0f);
    if (c.is_apart)
        return c;
    vec3 m = is_stopped ? hit.normal : predicted_normal(&first, &second, start, end, fast);
    vec3 met = is_stopped ? vec3_add_scaled(start, way, hit.time) : start;
    place_plane(world, &c, &first, &second, m, met);
    // What has passed the other without a touch has nothing to do with it.
    c.is_apart = fast && !is_stopped && !c.hits;
    if (c.is_apart)
        return c;
    c.approach = -vec3_dot(m, vec3_sub(world->v[b], world->v[a]));
    note_overlap(s, &c, room);
    if (c.hits)
        note_bounce(s, &c);
    if (is_stopped)
        push_apart(world, &c, depth_of(world, &c));
    return c;
}

// ---------------------------------------------------------------------------------------------
// Solving

static void apply_friction(pliant_world *world, pair_contact *c)
{
    float coefficient =
        square_root(owner_of(world, c->a)->friction * owner_of(world, c->b)->friction);
    if (coefficient == 0.0f)
        return;
    contact_side side_a = side_of(world, c->a, c->arm), side_b = side_of(world, c->b, c->arm_b);
    vec3 slip = vec3_negate(points_way(world, c));
    vec3 J = friction_impulse(slip, c->normal, &side_a, &side_b, 1.0f);
    J = pli_limit_friction(&c->friction_impulse, J, coefficient * c->normal_impulse);
    pli_apply_impulse(world, c->a, &side_a, J);
    pli_apply_impulse(world, c->b, &side_b, vec3_negate(J));
}

void pli_solve_pair(pliant_world *world, pair_contact *c)
{
    float depth = depth_of(world, c);
    if (overlap_across(world, c) < 0.0f || (!(depth > 0.0f) && !(c->normal_impulse > 0.0f)))
        return;
    push_apart(world, c, depth);
    if (c->normal_impulse > 0.0f)
        apply_friction(world, c);
}

// Constraints of a body may pull its particle through another one within a substep: a heavy ball in a light net. What
// began on the inner side of a surface is let out.
bool pli_order_pair(pliant_world *world, pair_contact *c)
{
    vec3 n = c->normal;
    if (vec3_dot(n, moved_between(world, c)) >= 0.0f ||
        vec3_dot(n, start_between(world, c->a, c->b)) <= 0.0f || overlap_across(world, c) < 0.0f)
        return false;
    float depth = depth_of(world, c);
    push_apart(world, c, depth);
    return depth > 0.0f;
}

void pli_push_out_pair(pliant_world *world, pair_contact *c)
{
    pair_sides points = point_sides(world, c);
    float depth = start_depth_of(c) - c->slack - opened(world, c);
    float mobility = mobility_of(&points, c->normal);
    if (!c->is_held || c->normal_impulse > 0.0f || !(depth > 0.0f) || !(mobility > 0.0f) ||
        overlap_across(world, c) < 0.0f)
        return;
    c->pushed_out = depth / mobility;
    c->normal_impulse += c->pushed_out;
    push_sides(world, c, &points, c->pushed_out);
}

// ---------------------------------------------------------------------------------------------
// When all is solved

// m/s, at which the contact points come apart.
static float parting_speed(const pliant_world *world, const pair_contact *c,
                           const pair_sides *sides)
{
    vec3 v_a = vec3_add(world->v[c->a], vec3_cross(world->spin[c->a], sides->a.arm));
    vec3 v_b = vec3_add(world->v[c->b], vec3_cross(world->spin[c->b], sides->b.arm));
    return vec3_dot(c->normal, vec3_sub(v_b, v_a));
}

static void change_velocities(pliant_world *world, const pair_contact *c, const pair_sides *sides,
                              float impulse)
{
    pli_change_velocity(world, c->a, &sides->a, vec3_scale(c->normal, -impulse));
    pli_change_velocity(world, c->b, &sides->b, vec3_scale(c->normal, impulse));
}

// Lets a pair part with the speed of its restitution, by no more than the part `most` of the impulse that stopped it
// (Poisson): of many that meet at once one is stopped by others, too.
static void rebound(const substep *s, const pair_contact *c, float most)
{
    pliant_world *world = s->world;
    vec3 arm_a = c->arm, arm_b = c->arm_b;
    join_arms(&arm_a, &arm_b, moved_between(world, c));
    pair_sides sides = normal_sides(world, c, arm_a, arm_b);
    float needed = (c->rebound - parting_speed(world, c, &sides)) / mobility_of(&sides, c->normal);
    float impulse = minimum(needed, most * c->normal_impulse / s->h);
    if (impulse > 0.0f)
        change_velocities(world, c, &sides, impulse);
}

// Takes back the speed that pushing out an old overlap would leave behind.
static void take_back(const substep *s, const pair_contact *c)
{
    pliant_world *world = s->world;
    vec3 arm_a = c->arm, arm_b = c->arm_b;
    join_arms(&arm_a, &arm_b, moved_between(world, c));
    pair_sides sides = normal_sides(world, c, arm_a, arm_b);
    float mobility = mobility_of(&sides, c->normal), speed = parting_speed(world, c, &sides);
    float impulse = c->is_held ? c->pushed_out : c->normal_impulse;
    float pushed = minimum(impulse * mobility, start_depth_of(c) - c->slack);
    float excess = minimum(pushed / s->h, maximum(speed, 0.0f));
    change_velocities(world, c, &sides, -excess / mobility);
}

void pli_settle_pair(const substep *s, const pair_contact *c)
{
    if (c->rebound > 0.0f && !is_partial(s))
        rebound(s, c, restitution_of(s->world, c));
    else if (c->rebound == 0.0f && c->gap < 0.0f)
        take_back(s, c);
}

// Of the impulse that stops a pair its part has been taken. What rebounds does so now, when all of it has stopped.
void pli_stop_pair(const substep *s, const pair_contact *c)
{
    pliant_world *world = s->world;
    pair_sides sides = normal_sides(world, c, c->arm, c->arm_b);
    float depth = -opened(world, c) - maximum(c->gap, 0.0f);
    float mobility = mobility_of(&sides, c->normal);
    if (c->rebound > 0.0f)
        rebound(s, c, 1.0f - s->part + restitution_of(world, c));
    if (!(depth > 0.0f) || !(mobility > 0.0f))
        return;
    float stopped = minimum(depth / s->time, maximum(0.0f, -parting_speed(world, c, &sides)));
    vec3 push = vec3_scale(c->normal, depth / mobility);
    go_further(world, c->a, vec3_scale(push, -sides.a.inverse_mass));
    go_further(world, c->b, vec3_scale(push, sides.b.inverse_mass));
    change_velocities(world, c, &sides, stopped / mobility);
}
