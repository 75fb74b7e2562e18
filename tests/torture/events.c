// What happens to a random world between two steps.

#include "arena.h"

#include <string.h>

// Whatever moves something by hand says how much speed can come of it.

static void event_impulse(arena *a, arena_body *b)
{
    dice *d = &a->dice;
    const pliant_particle_def *particles = pliant_model_particles(b->model);
    vec3 v = dice_in_ball(d, 10.0f);
    if (dice_chance(d, 0.5f)) {
        float mass = (float)pliant_body_motion(a->world, b->id).mass;
        pliant_body_apply_impulse(a->world, b->id, vec3_scale(v, mass));
        say(a, "impulse of %.3g m/s to body %u", vec3_length(v), b->id.index);
    } else {
        int i = any_particle(a, b);
        pliant_body_apply_particle_impulse(a->world, b->id, i, vec3_scale(v, particles[i].mass));
        say(a, "impulse of %.3g m/s to particle %d of body %u", vec3_length(v), i, b->id.index);
    }
    a->given_speed += (double)vec3_length(v);
}

static void event_force(arena *a, arena_body *b)
{
    dice *d = &a->dice;
    const pliant_particle_def *particles = pliant_model_particles(b->model);
    if (a->has_push || vec3_length(a->base) > 0.0f)
        return;
    vec3 acceleration = dice_in_ball(d, 50.0f);
    float mass = (float)pliant_body_motion(a->world, b->id).mass;
    a->has_push = true;
    a->pushed_body = b->id;
    a->pushed_particle = dice_chance(d, 0.5f) ? any_particle(a, b) : -1;
    if (a->pushed_particle >= 0) {
        a->push = vec3_scale(acceleration, particles[a->pushed_particle].mass);
        pliant_body_apply_particle_force(a->world, b->id, a->pushed_particle, a->push);
    } else {
        a->push = vec3_scale(acceleration, mass);
        pliant_body_apply_force(a->world, b->id, a->push);
    }
    a->push_acceleration = vec3_length(acceleration);
    say(a, "force of %.3g m/s2 on particle %d of body %u", vec3_length(acceleration),
        a->pushed_particle, b->id.index);
}

static double fastest_of(const arena *a, const arena_body *b)
{
    double fastest = 0;
    for (int i = 0; i < pliant_model_particle_count(b->model); ++i) {
        vec3 v = pliant_body_particle_velocity(a->world, b->id, i);
        fastest = fmax(fastest, (double)vec3_length(v));
    }
    return fastest;
}

static void event_velocity(arena *a, arena_body *b)
{
    vec3 v = dice_in_ball(&a->dice, 10.0f), w = dice_in_ball(&a->dice, 10.0f);
    pliant_body_set_velocity(a->world, b->id, v, w);
    a->given_speed += fastest_of(a, b); // particles that nothing holds together may be far away
    say(a, "body %u moves at %.3g m/s, %.3g rad/s", b->id.index, vec3_length(v), vec3_length(w));
}

static void event_gravity(arena *a, arena_body *b)
{
    (void)b;
    if (a->kind == ARENA_FREE)
        return;
    vec3 g = vec3_normalize_or(dice_vec3(&a->dice, 1.0f), (vec3){0, -1, 0});
    if (dice_chance(&a->dice, 0.5f))
        g = (vec3){0, -1, 0};
    a->def.gravity = vec3_scale(g, dice_log(&a->dice, 0.1f, a->kind == ARENA_HONEST ? 98 : 981));
    pliant_world_set_gravity(a->world, a->def.gravity);
    say(a, "gravity %.3g %.3g %.3g", a->def.gravity.x, a->def.gravity.y, a->def.gravity.z);
}

static void event_sleep(arena *a, arena_body *b)
{
    if (a->kind == ARENA_FREE)
        return;
    pliant_body_sleep(a->world, b->id);
    say(a, "body %u sleeps", b->id.index);
}

static void event_wake(arena *a, arena_body *b)
{
    pliant_body_wake(a->world, b->id);
    say(a, "body %u wakes", b->id.index);
}

static void event_pin(arena *a, arena_body *b)
{
    int i = any_particle(a, b);
    bool pinned = !pliant_body_is_pinned(a->world, b->id, i);
    if (a->kind == ARENA_FREE)
        return;
    pliant_body_set_pinned(a->world, b->id, i, pinned, NULL);
    say(a, "particle %d of body %u is %s", i, b->id.index, pinned ? "pinned" : "free");
}

static void event_detach(arena *a, arena_body *b)
{
    (void)b;
    if (a->attachment_count == 0)
        return;
    int k = dice_int(&a->dice, 0, a->attachment_count - 1);
    pliant_world_remove_attachment(a->world, a->attachments[k]);
    say(a, "attachment %u is removed", a->attachments[k].index);
    a->attachments[k] = a->attachments[--a->attachment_count];
}

static void event_attach(arena *a, arena_body *b)
{
    (void)b;
    add_arena_attachment(a, a->kind <= ARENA_HONEST);
}

static void event_remove_body(arena *a, arena_body *b)
{
    if (a->body_count < 2 || a->has_push)
        return;
    say(a, "body %u is removed", b->id.index);
    pliant_world_remove_body(a->world, b->id);
    *b = a->bodies[--a->body_count];
}

static void event_longer_substeps(arena *a, arena_body *b)
{
    (void)b;
    if (a->def.substep_length > 1.0f / 60.0f)
        return;
    a->def.substep_length =
        minimum(1.0f / 60.0f, a->def.substep_length * dice_between(&a->dice, 1, 3));
    pliant_world_set_substep_length(a->world, a->def.substep_length);
    say(a, "substeps of %.3g s", a->def.substep_length);
}

// ---------------------------------------------------------------------------------------------
// Of worlds in which anything may happen

static void event_quality(arena *a, arena_body *b)
{
    (void)b;
    dice *d = &a->dice;
    int substeps = dice_int(d, 1, 20), iterations = dice_int(d, 1, 8);
    switch (dice_int(d, 0, 2)) {
    case 0:
        pliant_world_set_quality(a->world, substeps, iterations);
        a->def.substep_length = pliant_substep_length((float)substeps);
        break;
    case 1:
        a->def.substep_length = dice_log(d, 1e-3f, 0.03f);
        pliant_world_set_substep_length(a->world, a->def.substep_length);
        break;
    default:
        pliant_world_set_iterations(a->world, iterations);
    }
    a->given_speed += 3.0; // what was unsolved
    say(a, "substeps of %.3g s, %d iterations", a->def.substep_length, iterations);
}

static bool is_attached(const arena *a, const arena_body *b)
{
    (void)b;
    return a->attachment_count > 0;
}

static void event_teleport(arena *a, arena_body *b)
{
    vec3 from = pliant_body_particle_pose(a->world, b->id, 0).position, at = dice_vec3(&a->dice, 1);
    at.y = absolute(at.y) + 0.2f;
    at = vec3_add(a->base, at);
    pliant_body_reset(a->world, b->id, (pliant_pose){at, dice_quat(&a->dice)});
    if (is_attached(a, b))
        a->given_speed +=
            (double)((vec3_length(vec3_sub(at, from)) + b->reach) / a->def.substep_length);
    say(a, "body %u is put to %.3g %.3g %.3g", b->id.index, at.x, at.y, at.z);
}

typedef enum posture { SCATTERED, MIRRORED, COLLAPSED, FLAT, ONE_ASTRAY, POSTURES } posture;
static const char *const posture_names[POSTURES] = {"scattered", "mirrored", "collapsed", "flat",
                                                    "one astray"};

static void event_posture(arena *a, arena_body *b)
{
    dice *d = &a->dice;
    int n = pliant_model_particle_count(b->model), chosen = any_particle(a, b);
    pliant_pose poses[MOST_PARTICLES];
    posture how = (posture)dice_int(d, 0, POSTURES - 1);
    bool turns = dice_chance(d, 0.5f);
    pliant_body_poses(a->world, b->id, poses);
    vec3 middle = poses[chosen].position;
    float farthest = 0.0f;
    for (int i = 0; i < n; ++i) {
        pliant_pose p = poses[i];
        if (how == SCATTERED || (how == ONE_ASTRAY && i == chosen))
            p.position = vec3_add(middle, dice_in_ball(d, 1.0f));
        else if (how == MIRRORED)
            p.position.x = 2.0f * middle.x - p.position.x;
        else if (how == COLLAPSED)
            p.position = vec3_add(middle, dice_in_ball(d, 0.01f));
        else if (how == FLAT)
            p.position.y = middle.y;
        if (turns && how != ONE_ASTRAY)
            p.orientation = dice_quat(d);
        farthest = maximum(farthest, vec3_length(vec3_sub(p.position, poses[i].position)));
        pliant_body_set_particle_pose(a->world, b->id, i, p);
    }
    a->given_speed += (double)((farthest + b->reach) / a->def.substep_length);
    say(a, "body %u is %s%s, %.3g m at most", b->id.index, posture_names[how],
        turns ? " and turned" : "", farthest);
}

static void event_spawn(arena *a, arena_body *b)
{
    dice *d = &a->dice;
    vec3 at = pliant_body_particle_pose(a->world, b->id, any_particle(a, b)).position;
    add_arena_body(a, vec3_add(at, dice_in_ball(d, dice_chance(d, 0.5f) ? 0.1f : 1.0f)));
}

static void event_add_collider(arena *a, arena_body *b)
{
    dice *d = &a->dice;
    pliant_shape_kind kind =
        (pliant_shape_kind)dice_int(d, PLIANT_SHAPE_SPHERE, PLIANT_SHAPE_HEIGHTFIELD);
    vec3 at = dice_vec3(d, 1.0f);
    at.y = absolute(at.y);
    (void)b;
    add_arena_collider(a, kind, (pliant_pose){vec3_add(a->base, at), dice_quat(d)},
                       dice_chance(d, 0.3f));
}

static void event_collider(arena *a, arena_body *b)
{
    dice *d = &a->dice;
    (void)b;
    if (a->collider_count == 0)
        return;
    arena_collider *c = &a->colliders[dice_int(d, 0, a->collider_count - 1)];
    if (c->is_ground)
        return;
    pliant_pose pose = pliant_collider_pose(a->world, c->id);
    vec3 v = dice_in_ball(d, 5.0f), w = dice_in_ball(d, 5.0f);
    switch (dice_int(d, 0, 3)) {
    case 0:
        say(a, "collider %u is removed", c->id.index);
        pliant_world_remove_collider(a->world, c->id);
        *c = a->colliders[--a->collider_count];
        return;
    case 1:
        if (a->attachment_count > 0)
            a->given_speed += (double)(2.0f / a->def.substep_length);
        pose.position = vec3_add(pose.position, dice_in_ball(d, 1.0f));
        pose.orientation = dice_quat(d);
        pliant_collider_set_pose(a->world, c->id, pose);
        say(a, "collider %u is elsewhere", c->id.index);
        return;
    case 2:
        pliant_collider_set_velocity(a->world, c->id, v, w);
        break;
    default:
        pose.position = vec3_add_scaled(pose.position, v, a->dt);
        pose.orientation = quat_turn(pose.orientation, vec3_scale(w, minimum(a->dt, 0.5f)));
        if (a->dt < 1e-3f)
            return;
        pliant_collider_move_to(a->world, c->id, pose);
    }
    c->speed = vec3_length(v) + 4.0f * vec3_length(w);
    a->given_speed += 2.0 * (double)c->speed;
    say(a, "collider %u moves at %.3g m/s, %.3g rad/s", c->id.index, vec3_length(v),
        vec3_length(w));
}

static void event_anchor(arena *a, arena_body *b)
{
    (void)b;
    if (a->attachment_count == 0)
        return;
    pliant_attachment_id id = a->attachments[dice_int(&a->dice, 0, a->attachment_count - 1)];
    vec3 anchor = vec3_add(a->base, dice_vec3(&a->dice, 1.0f));
    pliant_attachment_set_anchor(a->world, id, anchor);
    a->given_speed += 50.0;
    say(a, "attachment %u is dragged", id.index);
}

static void event_target(arena *a, arena_body *b)
{
    dice *d = &a->dice;
    if (a->dt < 1e-3f)
        return;
    int i = any_particle(a, b);
    float dt = minimum(a->dt, 0.5f);
    pliant_body_set_pinned(a->world, b->id, i, true, NULL);
    pliant_pose pose = pliant_body_particle_pose(a->world, b->id, i);
    vec3 v = dice_in_ball(d, 5.0f), w = dice_in_ball(d, 5.0f);
    pose.position = vec3_add_scaled(pose.position, v, dt);
    pose.orientation = quat_turn(pose.orientation, vec3_scale(w, dt));
    pliant_body_set_target(a->world, b->id, i, pose);
    a->given_speed += 2.0 * (double)(vec3_length(v) + b->reach * vec3_length(w));
    say(a, "particle %d of body %u is driven at %.3g m/s", i, b->id.index, vec3_length(v));
}

static void event_motor(arena *a, arena_body *b)
{
    if (pliant_model_hinge_count(b->model) == 0)
        return;
    float speed = dice_between(&a->dice, -20.0f, 20.0f), torque = dice_log(&a->dice, 0.01f, 1e4f);
    pliant_body_set_motor(a->world, b->id, 0, speed, torque);
    a->given_speed += 2.0 * (double)(absolute(speed) * b->reach);
    say(a, "body %u's motor: %.3g rad/s, %.3g N m", b->id.index, speed, torque);
}

// m, from its first particle to the farthest: what nothing holds together may be far apart.
static float extent_of(const arena *a, const arena_body *b)
{
    vec3 from = pliant_body_particle_pose(a->world, b->id, 0).position;
    float farthest = 0.0f;
    for (int i = 1; i < pliant_model_particle_count(b->model); ++i) {
        vec3 to = pliant_body_particle_pose(a->world, b->id, i).position;
        farthest = maximum(farthest, vec3_length(vec3_sub(to, from)));
    }
    return farthest;
}

static void event_stiffness(arena *a, arena_body *b)
{
    float scale = dice_chance(&a->dice, 0.2f) ? 0.0f : dice_log(&a->dice, 0.01f, 1000.0f);
    pliant_body_set_stiffness_scale(a->world, b->id, scale);
    a->given_speed += (double)((b->reach + extent_of(a, b)) / a->def.substep_length);
    say(a, "stiffness of body %u times %.3g", b->id.index, scale);
}

static void event_surface(arena *a, arena_body *b)
{
    dice *d = &a->dice;
    float linear = 0.99f * dice_fraction(d), angular = 0.99f * dice_fraction(d);
    pliant_body_set_friction(a->world, b->id, dice_fraction(d));
    pliant_body_set_restitution(a->world, b->id, dice_fraction(d));
    pliant_body_set_damping(a->world, b->id, linear, angular, 0.99f * dice_fraction(d));
    say(a, "friction, restitution and damping of body %u", b->id.index);
}

typedef void event(arena *a, arena_body *b);

// Those of any world come first: all that they add to its energy and momentum is known.
static event *const events[] = {event_impulse,      event_force,           event_velocity,
                                event_gravity,      event_sleep,           event_wake,
                                event_pin,          event_attach,          event_detach,
                                event_remove_body,  event_longer_substeps, event_quality,
                                event_teleport,     event_posture,         event_spawn,
                                event_add_collider, event_collider,        event_anchor,
                                event_target,       event_motor,           event_stiffness,
                                event_surface,      event_teleport,        event_posture,
                                event_spawn,        event_collider};
enum { EVENTS = sizeof events / sizeof *events, HONEST_EVENTS = 11 };

void disturb_arena(arena *a)
{
    bool is_honest = a->kind <= ARENA_HONEST;
    for (int k = dice_chance(&a->dice, 0.25f) ? dice_int(&a->dice, 1, 3) : 0; k > 0; --k) {
        arena_body *b = any_body(a);
        event *happens = events[dice_int(&a->dice, 0, is_honest ? HONEST_EVENTS - 1 : EVENTS - 1)];
        arena_energies before = energies_of(a);
        if (b)
            happens(a, b);
        account_for_change(a, before);
    }
}

// ---------------------------------------------------------------------------------------------

// m, about the middle of the ground: what is farther away, or faster, is brought back.
static const float ARENA_SIZE = 4.0f;
static const float RETURN_SPEED = 10.0f;
// m/s: what is slower is at rest.
static const double CALM_SPEED = 0.01;
// m: what sinks by this gets a speed of 14 cm/s from it.
static const double SINKING = 0.001;

static bool is_lost(const arena *a, const arena_body *b)
{
    for (int i = 0; i < pliant_model_particle_count(b->model); ++i) {
        vec3 at = vec3_sub(pliant_body_particle_pose(a->world, b->id, i).position, a->base);
        vec3 v = pliant_body_particle_velocity(a->world, b->id, i);
        if (vec3_length(at) > ARENA_SIZE || at.y < -0.5f || vec3_length(v) > RETURN_SPEED)
            return true;
    }
    return false;
}

// What rolls, rocks or has nothing that holds it together needs more than the default to stop it, and where anything is pinned or
// attached all bodies do, for they may hang on it and swing: at 10 m/s, losing the part 0.9 of a speed in a second, they have
// 1e-4 m/s left after ten.
static bool moves_for_long(const arena_body *b)
{
    bool result = model_family_rolls(b->family);
    for (int i = 0; i < pliant_model_particle_count(b->model); ++i) {
        const pliant_particle_def *p = &pliant_model_particles(b->model)[i];
        result =
            result || (p->young_modulus > 0.0f ? p->young_modulus < 1e5f : p->stiffness < 0.05f);
    }
    return result;
}

// All pins but the first are taken out; returns whether there was one.
static bool keep_one_pin(arena *a)
{
    bool has_pin = false;
    for (int k = 0; k < a->body_count; ++k)
        for (int i = 0; i < pliant_model_particle_count(a->bodies[k].model); ++i) {
            if (!pliant_body_is_pinned(a->world, a->bodies[k].id, i))
                continue;
            if (has_pin)
                pliant_body_set_pinned(a->world, a->bodies[k].id, i, false, NULL);
            has_pin = true;
        }
    return has_pin;
}

static bool has_balls(const arena *a)
{
    bool result = false;
    for (int k = 0; k < a->body_count; ++k)
        result = result || pliant_model_particle_count(a->bodies[k].model) == 1;
    return result;
}

// What contradicts itself has no rest: attachments and pins at the wrong places, bodies that are pressed between two pins
// or hang on both sides of a mesh, which has no inside to be pushed out of. Nor has a ball on a slope.
static void drop_contradictions(arena *a)
{
    while (a->attachment_count > 0)
        pliant_world_remove_attachment(a->world, a->attachments[--a->attachment_count]);
    int kept = 0;
    for (int k = 0; k < a->collider_count; ++k)
        if (a->colliders[k].kind == PLIANT_SHAPE_MESH ||
            (a->colliders[k].kind == PLIANT_SHAPE_HEIGHTFIELD && has_balls(a)))
            pliant_world_remove_collider(a->world, a->colliders[k].id);
        else
            a->colliders[kept++] = a->colliders[k];
    a->collider_count = kept;
}

void calm_arena(arena *a)
{
    dice *d = &a->dice;
    bool has_pin = keep_one_pin(a), is_attached = !has_pin && a->attachment_count > 0;
    drop_contradictions(a);
    a->def.gravity = pliant_default_world_def().gravity;
    pliant_world_set_gravity(a->world, a->def.gravity);
    for (int k = 0; k < a->collider_count; ++k) {
        pliant_collider_set_velocity(a->world, a->colliders[k].id, (vec3){0}, (vec3){0});
        a->colliders[k].speed = 0.0f;
    }
    for (int k = 0; k < a->body_count; ++k) {
        arena_body *b = &a->bodies[k];
        float damping = has_pin || is_attached || moves_for_long(b) ? 0.9f : 0.02f;
        pliant_body_set_damping(a->world, b->id, damping, damping, 0.7f);
        pliant_body_set_stiffness_scale(a->world, b->id, 1.0f);
        a->given_speed += (double)(extent_of(a, b) / a->def.substep_length);
        pliant_body_set_friction(a->world, b->id, 0.5f);
        pliant_body_set_restitution(a->world, b->id, dice_between(d, 0.0f, 0.5f));
        pliant_body_set_gravity_scale(a->world, b->id, 1.0f);
        if (pliant_model_hinge_count(b->model) > 0)
            pliant_body_set_motor(a->world, b->id, 0, 0.0f, 0.0f);
        if (is_lost(a, b)) {
            vec3 at = dice_vec3(d, 1.0f);
            at.y = absolute(at.y) + 0.2f;
            pliant_body_reset(a->world, b->id, (pliant_pose){vec3_add(a->base, at), dice_quat(d)});
            say(a, "body %u is brought back", b->id.index);
        }
        pliant_body_wake(a->world, b->id);
    }
    if (is_attached) // as things stand now
        add_arena_attachment(a, true);
    if (a->rhythm == RHYTHM_SCALED)
        a->rhythm = RHYTHM_60;
    for (int k = 0; k < 2; ++k)
        a->lengths[k] = maximum(a->lengths[k], 1.0f / 200.0f);
    // s: or ten seconds take too long.
    float length = maximum(a->def.substep_length, 1.0f / 400.0f);
    if (length > a->def.substep_length)
        pliant_world_set_substep_length(a->world, a->def.substep_length = length);
    say(a, "calm from here on");
}

void note_heights(arena *a)
{
    for (int k = 0; k < a->body_count; ++k)
        a->bodies[k].height = pliant_body_motion(a->world, a->bodies[k].id).centre[1];
}

bool has_sunk(const arena *a)
{
    bool has = false;
    for (int k = 0; k < a->body_count; ++k) {
        double height = pliant_body_motion(a->world, a->bodies[k].id).centre[1];
        has = has || height < a->bodies[k].height - SINKING;
    }
    return has;
}

void check_calm(arena *a, double seconds)
{
    double fastest = 0;
    int body = 0, particle = 0;
    for (int k = 0; k < a->body_count; ++k)
        for (int i = 0; i < pliant_model_particle_count(a->bodies[k].model); ++i) {
            vec3 v = pliant_body_particle_velocity(a->world, a->bodies[k].id, i);
            if ((double)vec3_length(v) > fastest) {
                fastest = (double)vec3_length(v);
                body = k;
                particle = i;
            }
        }
    if (fastest > CALM_SPEED)
        fail_arena(a, "particle %d of body %u (%s) is still %.3g m/s fast after %g s", particle,
                   a->bodies[body].id.index, model_family_names[a->bodies[body].family], fastest,
                   seconds);
}
