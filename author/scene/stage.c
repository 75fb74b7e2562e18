// Running a scene: a world with its bodies, planes, colliders and attachments, and the forces, motors and
// drivers that act on them.
// Drivers feed the simulation, so that they are computed as it is: with no libm but our own.

#include <pliant/author.h>

#include "core/error.h"
#include "math/quat.h"

#include <stdio.h>
#include <stdlib.h>

static pliant_result fail_inside(pliant_error *error, const char *kind, int index,
                                 const pliant_error *inner)
{
    char place[sizeof inner->place];
    const char *separator = inner->place[0] ? ": " : "";
    snprintf(place, sizeof place, "%s[%d]%s%.60s", kind, index, separator, inner->place);
    return pli_error_set(error, inner->code, place, "%s", inner->message);
}

static pliant_result add_bodies(pliant_stage *stage, pliant_error *error)
{
    const pliant_scene *scene = stage->scene;
    for (int i = 0; i < scene->body_count; ++i) {
        pliant_error inner = {0};
        int model = scene->bodies[i].model;
        if (model < 0 || model >= scene->model_count) {
            pli_error_set(&inner, PLIANT_ERROR_ARGUMENT, "model", "%d of %d", model,
                          scene->model_count);
            return fail_inside(error, "bodies", i, &inner);
        }
        pliant_body_def def = scene->bodies[i].def;
        def.model = scene->models[model];
        stage->bodies[i] = pliant_world_add_body(stage->world, &def, &inner);
        if (inner.code != PLIANT_OK)
            return fail_inside(error, "bodies", i, &inner);
    }
    return PLIANT_OK;
}

static pliant_result add_planes(pliant_stage *stage, pliant_error *error)
{
    const pliant_scene *scene = stage->scene;
    for (int i = 0; i < scene->plane_count; ++i) {
        pliant_error inner = {0};
        pliant_world_add_plane(stage->world, &scene->planes[i], &inner);
        if (inner.code != PLIANT_OK)
            return fail_inside(error, "planes", i, &inner);
    }
    return PLIANT_OK;
}

static bool names_particle(const pliant_stage *stage, int body, int particle)
{
    const pliant_scene *scene = stage->scene;
    if (body < 0 || body >= scene->body_count)
        return false;
    const pliant_model *model = scene->models[scene->bodies[body].model];
    return particle >= 0 && particle < pliant_model_particle_count(model);
}

static pliant_result add_colliders(pliant_stage *stage, pliant_error *error)
{
    const pliant_scene *scene = stage->scene;
    for (int i = 0; i < scene->collider_count; ++i) {
        pliant_error inner = {0};
        int shape = scene->colliders[i].shape;
        if (shape < 0 || shape >= scene->shape_count) {
            pli_error_set(&inner, PLIANT_ERROR_ARGUMENT, "shape", "%d of %d", shape,
                          scene->shape_count);
            return fail_inside(error, "colliders", i, &inner);
        }
        pliant_collider_def def = scene->colliders[i].def;
        def.shape = scene->shapes[shape];
        stage->colliders[i] = pliant_world_add_collider(stage->world, &def, &inner);
        if (inner.code != PLIANT_OK)
            return fail_inside(error, "colliders", i, &inner);
    }
    return PLIANT_OK;
}

static bool names_collider(const pliant_stage *stage, int collider)
{
    return collider >= 0 && collider < stage->scene->collider_count;
}

static bool names_ends(const pliant_stage *stage, const pliant_scene_attachment *attachment)
{
    return names_particle(stage, attachment->body, attachment->particle) &&
           (attachment->other_body == -1 ||
            names_particle(stage, attachment->other_body, attachment->other_particle)) &&
           (attachment->collider == -1 || names_collider(stage, attachment->collider));
}

static pliant_result add_attachments(pliant_stage *stage, pliant_error *error)
{
    const pliant_scene *scene = stage->scene;
    for (int i = 0; i < scene->attachment_count; ++i) {
        const pliant_scene_attachment *attachment = &scene->attachments[i];
        pliant_error inner = {.code = PLIANT_ERROR_ARGUMENT,
                              .message = "no such body, particle or collider"};
        if (!names_ends(stage, attachment))
            return fail_inside(error, "attachments", i, &inner);
        inner = (pliant_error){0};
        pliant_attachment_def def = {
            .body = stage->bodies[attachment->body],
            .particle = attachment->particle,
            .other_particle = attachment->other_particle,
            .length = attachment->length,
            .is_slack = attachment->is_slack,
            .stiffness = attachment->stiffness,
            .strength = attachment->strength,
        };
        if (attachment->other_body >= 0)
            def.other_body = stage->bodies[attachment->other_body];
        else
            def.anchor = attachment->anchor;
        if (attachment->collider >= 0)
            def.collider = stage->colliders[attachment->collider];
        stage->attachments[i] = pliant_world_add_attachment(stage->world, &def, &inner);
        if (inner.code != PLIANT_OK)
            return fail_inside(error, "attachments", i, &inner);
    }
    return PLIANT_OK;
}

static pliant_result check_forces(const pliant_stage *stage, pliant_error *error)
{
    const pliant_scene *scene = stage->scene;
    for (int i = 0; i < scene->force_count; ++i) {
        const pliant_scene_force *force = &scene->forces[i];
        pliant_error inner = {.code = PLIANT_ERROR_ARGUMENT, .message = "no such body or particle"};
        if (!names_particle(stage, force->body, force->particle == -1 ? 0 : force->particle))
            return fail_inside(error, "forces", i, &inner);
    }
    return PLIANT_OK;
}

static pliant_result check_motors(const pliant_stage *stage, pliant_error *error)
{
    const pliant_scene *scene = stage->scene;
    for (int i = 0; i < scene->motor_count; ++i) {
        const pliant_scene_motor *motor = &scene->motors[i];
        pliant_error inner = {.code = PLIANT_ERROR_ARGUMENT, .message = "no such body or hinge"};
        bool found = names_particle(stage, motor->body, 0);
        if (found) {
            const pliant_model *model = scene->models[scene->bodies[motor->body].model];
            found = motor->hinge >= 0 && motor->hinge < pliant_model_hinge_count(model);
        }
        if (!found)
            return fail_inside(error, "motors", i, &inner);
    }
    return PLIANT_OK;
}

// How many poses a driver moves.
static int driven_count(const pliant_scene_driver *driver)
{
    return driver->particle_count > 0 ? driver->particle_count : 1;
}

static bool remember_driver(const pliant_stage *stage, const pliant_scene_driver *driver,
                            pliant_pose *poses)
{
    if (driver->particle_count == 0) {
        if (!names_collider(stage, driver->collider))
            return false;
        *poses = pliant_collider_pose(stage->world, stage->colliders[driver->collider]);
        return true;
    }
    for (int k = 0; k < driver->particle_count; ++k) {
        int particle = driver->particles[k];
        if (!names_particle(stage, driver->body, particle))
            return false;
        poses[k] = pliant_body_particle_pose(stage->world, stage->bodies[driver->body], particle);
    }
    return true;
}

static pliant_result remember_driven(pliant_stage *stage, pliant_error *error)
{
    const pliant_scene *scene = stage->scene;
    size_t count = 0;
    for (int i = 0; i < scene->driver_count; ++i)
        count += (size_t)driven_count(&scene->drivers[i]);
    stage->driven = malloc(count * sizeof *stage->driven + 1);
    if (!stage->driven)
        return pli_error_memory(error);
    pliant_pose *poses = stage->driven;
    for (int i = 0; i < scene->driver_count; ++i) {
        pliant_error inner = {.code = PLIANT_ERROR_ARGUMENT,
                              .message = "no such body, particle or collider"};
        if (!remember_driver(stage, &scene->drivers[i], poses))
            return fail_inside(error, "drivers", i, &inner);
        poses += driven_count(&scene->drivers[i]);
    }
    return PLIANT_OK;
}

static pliant_result fill(pliant_stage *stage, pliant_error *error)
{
    pliant_result result = add_bodies(stage, error);
    if (result == PLIANT_OK)
        result = add_planes(stage, error);
    if (result == PLIANT_OK)
        result = add_colliders(stage, error);
    if (result == PLIANT_OK)
        result = add_attachments(stage, error);
    if (result == PLIANT_OK)
        result = check_forces(stage, error);
    if (result == PLIANT_OK)
        result = check_motors(stage, error);
    if (result == PLIANT_OK)
        result = remember_driven(stage, error);
    return result;
}

pliant_result pliant_stage_open(pliant_stage *stage, const pliant_scene *scene,
                                const pliant_world_def *world_def, pliant_error *error)
{
    *stage = (pliant_stage){.scene = scene};
    stage->bodies = calloc((size_t)scene->body_count + 1, sizeof *stage->bodies);
    stage->colliders = calloc((size_t)scene->collider_count + 1, sizeof *stage->colliders);
    stage->attachments = calloc((size_t)scene->attachment_count + 1, sizeof *stage->attachments);
    stage->motors_on = calloc((size_t)scene->motor_count + 1, sizeof *stage->motors_on);
    if (!stage->bodies || !stage->colliders || !stage->attachments || !stage->motors_on) {
        pliant_stage_close(stage);
        return pli_error_memory(error);
    }
    pliant_error inner = {0};
    stage->world = pliant_world_create(world_def ? world_def : &scene->world, &inner);
    if (!stage->world) {
        pliant_stage_close(stage);
        return pli_error_set(error, inner.code, inner.place, "%s", inner.message);
    }
    pliant_result result = fill(stage, error);
    if (result != PLIANT_OK)
        pliant_stage_close(stage);
    return result;
}

void pliant_stage_close(pliant_stage *stage)
{
    if (stage->world)
        pliant_world_destroy(stage->world);
    free(stage->bodies);
    free(stage->colliders);
    free(stage->attachments);
    free(stage->driven);
    free(stage->motors_on);
    *stage = (pliant_stage){0};
}

static void apply_forces(const pliant_stage *stage)
{
    double time = pliant_world_time(stage->world);
    for (int i = 0; i < stage->scene->force_count; ++i) {
        const pliant_scene_force *force = &stage->scene->forces[i];
        pliant_body_id body = stage->bodies[force->body];
        if (time < force->begin || time >= force->end || !pliant_body_is_valid(stage->world, body))
            continue;
        if (force->particle < 0)
            pliant_body_apply_force(stage->world, body, force->force);
        else
            pliant_body_apply_particle_force(stage->world, body, force->particle, force->force);
    }
}

static void set_motor(const pliant_stage *stage, int index, bool on)
{
    const pliant_scene_motor *motor = &stage->scene->motors[index];
    pliant_body_id body = stage->bodies[motor->body];
    if (pliant_body_is_valid(stage->world, body))
        pliant_body_set_motor(stage->world, body, motor->hinge, on ? motor->speed : 0.0f,
                              on ? motor->torque : 0.0f);
}

// A world keeps its motors running, and one that is set wakes its body: they are set when one begins or
// ends only. Then all that drive are set again, because another one of the same hinge may have ended.
static void run_motors(const pliant_stage *stage)
{
    double time = pliant_world_time(stage->world);
    bool changed = false;
    for (int i = 0; i < stage->scene->motor_count; ++i) {
        const pliant_scene_motor *motor = &stage->scene->motors[i];
        bool on = time >= motor->begin && time < motor->end;
        changed |= on != stage->motors_on[i];
        if (stage->motors_on[i] && !on)
            set_motor(stage, i, false);
        stage->motors_on[i] = on;
    }
    for (int i = 0; changed && i < stage->scene->motor_count; ++i) {
        if (stage->motors_on[i])
            set_motor(stage, i, true);
    }
}

// The driver's translation and rotation vector at a time, resting outside its keys.
static pliant_scene_key driver_at(const pliant_scene_driver *driver, double time)
{
    const pliant_scene_key *keys = driver->keys;
    int next = 0;
    while (next < driver->key_count && keys[next].time <= time)
        ++next;
    if (next == 0)
        return keys[0];
    if (next == driver->key_count)
        return keys[next - 1];
    const pliant_scene_key *a = &keys[next - 1], *b = &keys[next];
    float s = (float)((time - a->time) / ((double)b->time - a->time));
    return (pliant_scene_key){
        .time = (float)time,
        .translation = vec3_add_scaled(a->translation, vec3_sub(b->translation, a->translation), s),
        .rotation = vec3_add_scaled(a->rotation, vec3_sub(b->rotation, a->rotation), s),
    };
}

// x = pivot + R (x0 - pivot) + T, q = R q0
static pliant_pose move(pliant_pose start, vec3 pivot, quat R, vec3 T)
{
    vec3 arm = vec3_sub(start.position, pivot);
    return (pliant_pose){
        .position = vec3_add(vec3_add(pivot, quat_rotate(R, arm)), T),
        .orientation = quat_normalize(quat_mul(R, start.orientation)),
    };
}

static void drive_collider(const pliant_stage *stage, const pliant_scene_driver *driver,
                           const pliant_pose *start, pliant_scene_key now)
{
    pliant_collider_id collider = stage->colliders[driver->collider];
    if (pliant_collider_is_valid(stage->world, collider))
        pliant_collider_move_to(
            stage->world, collider,
            move(*start, driver->pivot, quat_exp(now.rotation), now.translation));
}

static void drive_particles(const pliant_stage *stage, const pliant_scene_driver *driver,
                            const pliant_pose *starts, pliant_scene_key now)
{
    pliant_body_id body = stage->bodies[driver->body];
    if (!pliant_body_is_valid(stage->world, body))
        return;
    quat R = quat_exp(now.rotation);
    for (int k = 0; k < driver->particle_count; ++k)
        pliant_body_set_target(stage->world, body, driver->particles[k],
                               move(starts[k], driver->pivot, R, now.translation));
}

static bool same_place(pliant_scene_key a, pliant_scene_key b)
{
    vec3 t = vec3_sub(a.translation, b.translation), r = vec3_sub(a.rotation, b.rotation);
    return vec3_dot(t, t) == 0.0f && vec3_dot(r, r) == 0.0f;
}

// What rests is left alone once it is there, or nothing that touches it could fall asleep.
static void drive(const pliant_stage *stage, float dt)
{
    double begin = pliant_world_time(stage->world), end = begin + (double)dt;
    const pliant_pose *start = stage->driven;
    for (int i = 0; i < stage->scene->driver_count; ++i) {
        const pliant_scene_driver *driver = &stage->scene->drivers[i];
        if (driver->key_count > 0) {
            pliant_scene_key now = driver_at(driver, end);
            bool rests = begin > 0.0 && same_place(driver_at(driver, begin), now);
            if (!rests && driver->particle_count == 0)
                drive_collider(stage, driver, start, now);
            else if (!rests)
                drive_particles(stage, driver, start, now);
        }
        start += driven_count(driver);
    }
}

void pliant_stage_step(pliant_stage *stage, float dt)
{
    apply_forces(stage);
    run_motors(stage);
    drive(stage, dt);
    pliant_world_step(stage->world, dt);
}
