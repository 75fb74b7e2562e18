// How a random world is made.

#include "arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const arena_kind_names[ARENA_KINDS] = {"free", "honest", "lively", "settling"};

void say(const arena *a, const char *format, ...)
{
    if (!a->is_verbose)
        return;
    va_list arguments;
    va_start(arguments, format);
    printf("%4d: ", a->step);
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
}

void fail_arena(arena *a, const char *format, ...)
{
    if (a->has_failed)
        return;
    a->has_failed = true;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(a->failure, sizeof a->failure, format, arguments);
    va_end(arguments);
}

void break_arena(arena *a, const char *format, ...)
{
    if (a->has_failed)
        return;
    a->has_failed = a->is_broken = true;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(a->failure, sizeof a->failure, format, arguments);
    va_end(arguments);
}

static void stop(const arena *a, const char *what, const pliant_error *error)
{
    fprintf(stderr, "torture: seed %llu: %s: %s: %s\n", (unsigned long long)a->seed, what,
            error->place, error->message);
    exit(2);
}

arena_body *any_body(arena *a)
{
    return a->body_count > 0 ? &a->bodies[dice_int(&a->dice, 0, a->body_count - 1)] : NULL;
}

int any_particle(arena *a, const arena_body *b)
{
    return dice_int(&a->dice, 0, pliant_model_particle_count(b->model) - 1);
}

// ---------------------------------------------------------------------------------------------
// Bodies

// One that is there already, or a new one.
static bool choose_model(arena *a, arena_body *b)
{
    dice *d = &a->dice;
    if (a->body_count > 0 && (dice_chance(d, 0.3f) || a->model_count == MOST_MODELS)) {
        *b = a->bodies[dice_int(d, 0, a->body_count - 1)];
        return true;
    }
    if (a->model_count == MOST_MODELS)
        return false;
    b->family = (model_family)dice_int(d, 0, MODEL_FAMILIES - 1);
    float heaviness = dice_log(d, 1.0f, a->heaviest);
    a->models[a->model_count] = make_model(d, b->family, heaviness);
    b->model = a->models[a->model_count++];
    b->reach = model_reach(b->model);
    return true;
}

static pliant_body_def random_body_def(arena *a)
{
    dice *d = &a->dice;
    pliant_body_def def = pliant_default_body_def();
    def.orientation = dice_chance(d, 0.5f) ? dice_quat(d) : quat_identity();
    if (dice_chance(d, 0.5f)) {
        def.linear_velocity = dice_in_ball(d, 5.0f);
        def.angular_velocity = dice_in_ball(d, 6.0f);
    }
    if (dice_chance(d, 0.4f)) {
        def.linear_damping = 0.9f * dice_fraction(d);
        def.angular_damping = 0.9f * dice_fraction(d);
    }
    if (dice_chance(d, 0.3f))
        def.shape_damping = 0.99f * dice_fraction(d);
    if (dice_chance(d, 0.1f))
        def.gravity_scale = dice_between(d, 0.0f, 1.0f);
    def.friction = dice_fraction(d);
    def.restitution = dice_chance(d, 0.5f) ? 0.0f : dice_fraction(d);
    def.self_collision = dice_chance(d, 0.3f);
    def.gyroscopic = dice_chance(d, 0.2f);
    if (dice_chance(d, 0.1f)) {
        def.layers = 1u << dice_int(d, 0, 1);
        def.mask = dice_chance(d, 0.5f) ? 0xffffffffu : 1u;
    }
    if (a->kind == ARENA_FREE)
        def.linear_damping = def.angular_damping = 0.0f;
    return def;
}

static bool place_body(arena *a, arena_body b, vec3 position)
{
    pliant_body_def def = random_body_def(a);
    def.model = b.model;
    def.position = position;
    pliant_error error = {0};
    b.id = pliant_world_add_body(a->world, &def, &error);
    b.gravity_scale = def.gravity_scale;
    if (b.id.generation == 0)
        stop(a, "body", &error);
    a->bodies[a->body_count++] = b;
    a->given_speed += (double)(vec3_length(def.linear_velocity) +
                               2.0f * b.reach * vec3_length(def.angular_velocity));
    say(a,
        "body %u: %s of %d particles, %.3g kg, at %.3g %.3g %.3g, friction %.3g, restitution "
        "%.3g%s%s",
        b.id.index, model_family_names[b.family], pliant_model_particle_count(b.model),
        pliant_body_motion(a->world, b.id).mass, position.x, position.y, position.z, def.friction,
        def.restitution, def.self_collision ? ", touches itself" : "",
        def.gyroscopic ? ", gyroscopic" : "");
    return true;
}

bool add_arena_body(arena *a, vec3 position)
{
    arena_body b;
    return a->body_count < MOST_BODIES && choose_model(a, &b) && place_body(a, b, position);
}

// Beside or on top of each other, and apart: their spheres do not overlap.
static void add_bodies_apart(arena *a, int count)
{
    dice *d = &a->dice;
    bool is_tower = dice_chance(d, 0.5f);
    float low = a->kind == ARENA_FREE ? 0.0f : 1.4f, at = 0.0f;
    for (int k = 0; k < count; ++k) {
        arena_body b;
        if (!choose_model(a, &b))
            return;
        float gap = k == 0 ? 0.0f : dice_between(d, 0.01f, 0.3f);
        vec3 position = {0.0f, low + b.reach, 0.0f};
        if (is_tower)
            position.y += at + gap;
        else
            position.x += at + gap + b.reach;
        place_body(a, b, vec3_add(a->base, position));
        at += gap + 2.0f * b.reach;
    }
}

static void add_bodies_anyhow(arena *a, int count)
{
    dice *d = &a->dice;
    float size = dice_log(d, 0.03f, 1.5f);
    for (int k = 0; k < count; ++k) {
        vec3 position = dice_vec3(d, size);
        position.y = absolute(position.y) + 0.5f;
        add_arena_body(a, vec3_add(a->base, position));
    }
}

// ---------------------------------------------------------------------------------------------
// Colliders

void add_arena_collider(arena *a, pliant_shape_kind kind, pliant_pose pose, bool is_moving)
{
    dice *d = &a->dice;
    if (a->collider_count == MOST_COLLIDERS || a->shape_count == MOST_SHAPES)
        return;
    pliant_shape *shape = a->shapes[a->shape_count++] = make_shape(d, kind);
    pliant_collider_def def = pliant_default_collider_def();
    def.shape = shape;
    def.position = pose.position;
    def.orientation = pose.orientation;
    def.friction = a->kind == ARENA_SETTLING ? dice_between(d, 0.3f, 1.0f) : dice_fraction(d);
    if (a->kind != ARENA_SETTLING && dice_chance(d, 0.3f))
        def.restitution = dice_fraction(d);
    if (is_moving) {
        def.linear_velocity = dice_in_ball(d, 3.0f);
        def.angular_velocity = dice_in_ball(d, 3.0f);
        a->given_speed += 2.0 * (double)(vec3_length(def.linear_velocity) +
                                         3.0f * vec3_length(def.angular_velocity));
    }
    pliant_error error = {0};
    pliant_collider_id id = pliant_world_add_collider(a->world, &def, &error);
    if (id.generation == 0)
        stop(a, "collider", &error);
    float speed = vec3_length(def.linear_velocity) + 3.0f * vec3_length(def.angular_velocity);
    a->colliders[a->collider_count++] = (arena_collider){id, kind, false, speed};
    say(a, "collider %u: %s%s at %.3g %.3g %.3g", id.index, shape_kind_names[kind],
        is_moving ? ", moving," : "", pose.position.x, pose.position.y, pose.position.z);
}

static void add_ground(arena *a)
{
    pliant_plane_def plane = pliant_default_plane_def();
    plane.offset = a->base.y;
    if (a->kind != ARENA_SETTLING && dice_chance(&a->dice, 0.5f)) {
        plane.friction = dice_fraction(&a->dice);
        plane.restitution = dice_fraction(&a->dice);
    }
    pliant_collider_id id = pliant_world_add_plane(a->world, &plane, NULL);
    a->colliders[a->collider_count++] = (arena_collider){id, PLIANT_SHAPE_PLANE, true, 0.0f};
    say(a, "ground: friction %.3g, restitution %.3g", plane.friction, plane.restitution);
}

// Below 1.2 m, where bodies that stand apart begin.
static void add_colliders(arena *a)
{
    dice *d = &a->dice;
    if (a->kind == ARENA_FREE)
        return;
    add_ground(a);
    for (int k = dice_int(d, 0, 3); k > 0; --k) {
        pliant_shape_kind kind =
            (pliant_shape_kind)dice_int(d, PLIANT_SHAPE_SPHERE, PLIANT_SHAPE_HEIGHTFIELD);
        bool is_flat = kind == PLIANT_SHAPE_MESH || kind == PLIANT_SHAPE_HEIGHTFIELD;
        vec3 at = dice_vec3(d, 1.0f);
        at.y = is_flat ? 0.3f : dice_between(d, -0.3f, 0.05f);
        if (kind == PLIANT_SHAPE_HEIGHTFIELD)
            at.x -= 1.5f, at.z -= 1.5f;
        quat turn = is_flat ? quat_identity() : dice_quat(d);
        bool is_moving = a->kind >= ARENA_LIVELY && dice_chance(d, 0.2f);
        add_arena_collider(a, kind, (pliant_pose){vec3_add(a->base, at), turn}, is_moving);
    }
}

// ---------------------------------------------------------------------------------------------
// Attachments

void add_arena_attachment(arena *a, bool is_honest)
{
    dice *d = &a->dice;
    const arena_body *b = any_body(a), *other = any_body(a);
    if (!b || a->attachment_count == MOST_ATTACHMENTS)
        return;
    pliant_attachment_def def = pliant_default_attachment_def();
    def.body = b->id;
    def.particle = any_particle(a, b);
    vec3 at = pliant_body_particle_pose(a->world, b->id, def.particle).position, to;
    if (a->kind == ARENA_FREE || dice_chance(d, 0.5f)) {
        if (other == b)
            return;
        def.other_body = other->id;
        def.other_particle = any_particle(a, other);
        to = pliant_body_particle_pose(a->world, other->id, def.other_particle).position;
    } else {
        to = def.anchor = vec3_add(at, dice_in_ball(d, 0.5f));
        if (a->collider_count > 0 && dice_chance(d, 0.5f)) {
            def.collider = a->colliders[dice_int(d, 0, a->collider_count - 1)].id;
            pliant_pose pose = pliant_collider_pose(a->world, def.collider);
            vec3 arm = vec3_sub(def.anchor, pose.position);
            def.anchor = quat_rotate(quat_conjugate(pose.orientation), arm);
        }
    }
    def.is_slack = dice_chance(d, 0.3f);
    def.stiffness = dice_chance(d, 0.6f) ? 1.0f : dice_fraction(d);
    if (dice_chance(d, 0.2f))
        def.strength = dice_log(d, 1.0f, 1e5f);
    if (!is_honest && dice_chance(d, 0.5f)) {
        def.length = dice_between(d, 0.0f, 1.0f);
        a->given_speed += 20.0;   // put right at 10 m/s, from both ends
        if (def.stiffness < 1.0f) // a spring that is stretched
            a->given_speed += (double)(absolute(vec3_length(vec3_sub(to, at)) - def.length) /
                                       a->def.substep_length);
    }
    pliant_error error = {0};
    pliant_attachment_id id = pliant_world_add_attachment(a->world, &def, &error);
    if (id.generation == 0)
        stop(a, "attachment", &error);
    a->attachments[a->attachment_count++] = id;
    say(a,
        "attachment %u: particle %d of body %u to %s, length %.3g%s, stiffness %.3g, strength %.3g",
        id.index, def.particle, b->id.index,
        def.other_body.generation ? "a body"
        : def.collider.generation ? "a collider"
                                  : "a point",
        def.length, def.is_slack ? ", slack" : "", def.stiffness, def.strength);
}

// ---------------------------------------------------------------------------------------------

static void choose_rhythm(arena *a)
{
    dice *d = &a->dice;
    a->rhythm = (rhythm)dice_int(d, 0, RHYTHMS - 1);
    for (int k = 0; k < 2; ++k)
        a->lengths[k] = dice_log(d, 1.0f / 1000.0f, 1.0f / 15.0f);
    a->scale = 1.0f;
    say(a, "rhythm %d of %.3g and %.3g s", a->rhythm, a->lengths[0], a->lengths[1]);
}

static void choose_world(arena *a)
{
    dice *d = &a->dice;
    a->kind = (arena_kind)(dice_int(d, 0, 9) * ARENA_KINDS / 10);
    if (dice_chance(d, 0.4f))
        a->def.substep_length = dice_log(d, 1.0f / 1000.0f, 1.0f / 60.0f);
    if (a->kind != ARENA_SETTLING && dice_chance(d, 0.1f))
        a->def.substep_length = dice_log(d, 1e-4f, a->kind == ARENA_LIVELY ? 0.1f : 1.0f / 60.0f);
    if (dice_chance(d, 0.4f))
        a->def.iterations = (int)dice_log(d, 1.0f, 16.0f);
    if (a->kind == ARENA_FREE) {
        a->def.gravity = (vec3){0, 0, 0};
        a->def.sleep_speed = 0.0f; // what falls asleep loses its momentum
    }
    if (dice_chance(d, 0.1f))
        a->base = dice_in_ball(d, 1e4f);
    a->heaviest = dice_chance(d, 0.15f) ? 1e6f : 1.0f;
}

void open_arena(arena *a, uint64_t seed, const pliant_world_def *def, bool is_verbose)
{
    *a = (arena){.seed = seed, .dice = {seed}, .is_verbose = is_verbose, .def = *def};
    dice *d = &a->dice;
    choose_world(a);
    pliant_error error = {0};
    a->world = pliant_world_create(&a->def, &error);
    if (!a->world)
        stop(a, "world", &error);
    say(a, "%s world at %.4g %.4g %.4g, substeps of %.3g s, %d iterations",
        arena_kind_names[a->kind], a->base.x, a->base.y, a->base.z, a->def.substep_length,
        a->def.iterations);
    choose_rhythm(a);
    add_colliders(a);
    int count = dice_int(d, 1, dice_chance(d, 0.3f) ? 6 : 3);
    if (a->kind <= ARENA_HONEST || dice_chance(d, 0.5f))
        add_bodies_apart(a, count);
    else
        add_bodies_anyhow(a, count);
    for (int k = dice_chance(d, 0.4f) ? dice_int(d, 1, 3) : 0; k > 0; --k)
        add_arena_attachment(a, a->kind <= ARENA_HONEST);
    if (a->kind != ARENA_FREE && dice_chance(d, 0.3f)) {
        const arena_body *b = any_body(a);
        int particle = any_particle(a, b);
        pliant_body_set_pinned(a->world, b->id, particle, true, NULL);
        say(a, "particle %d of body %u is pinned", particle, b->id.index);
    }
    a->step_count = a->kind == ARENA_SETTLING ? dice_int(d, 5, 40) : dice_int(d, 20, 160);
    account_for_change(a, (arena_energies){0});
}

void close_arena(arena *a)
{
    pliant_world_destroy(a->world);
    for (int k = 0; k < a->model_count; ++k)
        pliant_model_destroy(a->models[k]);
    for (int k = 0; k < a->shape_count; ++k)
        pliant_shape_destroy(a->shapes[k]);
}

// ---------------------------------------------------------------------------------------------

static float rhythm_dt(arena *a)
{
    dice *d = &a->dice;
    switch (a->rhythm) {
    case RHYTHM_EVEN:
        return a->lengths[0];
    case RHYTHM_ALTERNATING:
        return a->lengths[a->step & 1];
    case RHYTHM_JITTER:
        return a->lengths[0] * dice_between(d, 0.9f, 1.1f);
    case RHYTHM_HITCHES:
        return a->step % 20 == 19 ? 0.3f : 1.0f / 144.0f;
    case RHYTHM_RANDOM:
        return dice_log(d, 0.002f, 0.1f);
    case RHYTHM_WILD:
        return dice_chance(d, 0.05f) ? 0.0f : dice_log(d, 1e-5f, 1.0f);
    case RHYTHM_SCALED:
        if (dice_chance(d, 0.05f))
            a->scale = dice_log(d, 0.01f, 2.0f);
        return a->scale / 60.0f;
    default:
        return 1.0f / 60.0f;
    }
}

// At most a hundred substeps: more of them take long.
float next_dt(arena *a)
{
    return minimum(rhythm_dt(a), 100.0f * a->def.substep_length);
}
