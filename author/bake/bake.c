// Recording a run: the poses of all particles and colliders at the times the caller chooses. Writing them as a GLB
// is in bake_write.c.

#include "bake.h"

#include "core/error.h"
#include "math/quat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

pliant_bake_options pliant_default_bake_options(void)
{
    return (pliant_bake_options){.planes = true};
}

static bool count_poses(pliant_bake *bake)
{
    const pliant_scene *scene = bake->stage->scene;
    bake->first_particles = malloc(((size_t)scene->body_count + 1) * sizeof(int));
    if (!bake->first_particles)
        return false;
    int count = 0;
    for (int i = 0; i < scene->body_count; ++i) {
        bake->first_particles[i] = count;
        count += pliant_model_particle_count(scene->models[scene->bodies[i].model]);
    }
    bake->first_particles[scene->body_count] = count;
    bake->particle_count = count;
    bake->pose_count = count + scene->collider_count;
    return true;
}

pliant_bake *pliant_bake_create(const pliant_stage *stage, const pliant_bake_options *options,
                                pliant_error *error)
{
    pliant_bake *bake = calloc(1, sizeof *bake);
    if (!bake) {
        pli_error_memory(error);
        return NULL;
    }
    bake->stage = stage;
    bake->options = options ? *options : pliant_default_bake_options();
    if (!count_poses(bake)) {
        pliant_bake_destroy(bake);
        pli_error_memory(error);
        return NULL;
    }
    return bake;
}

void pliant_bake_destroy(pliant_bake *bake)
{
    if (!bake)
        return;
    free(bake->first_particles);
    free(bake->times);
    free(bake->poses);
    free(bake);
}

// Forgotten frames give their room back once they are as many as the others: so a frame is moved once at most for each
// one that is added, however long a recording goes on.
static void move_to_front(pliant_bake *bake)
{
    memmove(bake->times, bake_time(bake, 0), (size_t)bake->frame_count * sizeof *bake->times);
    memmove(bake->poses, bake_pose(bake, 0, 0),
            (size_t)bake->frame_count * (size_t)bake->pose_count * sizeof *bake->poses);
    bake->first_frame = 0;
}

static bool reserve_frame(pliant_bake *bake)
{
    if (bake->first_frame > 0 && bake->first_frame >= bake->frame_count)
        move_to_front(bake);
    if (bake->first_frame + bake->frame_count < bake->frame_capacity)
        return true;
    int capacity = bake->frame_capacity * 2 + 64;
    float *times = realloc(bake->times, (size_t)capacity * sizeof *times);
    if (!times)
        return false;
    bake->times = times;
    size_t frame_size = (size_t)bake->pose_count * sizeof(pliant_pose);
    pliant_pose *poses = realloc(bake->poses, (size_t)capacity * frame_size + 1);
    if (!poses)
        return false;
    bake->poses = poses;
    bake->frame_capacity = capacity;
    return true;
}

// Makes the orientation fit for a file: unit length, and in the hemisphere of the one before. False when
// the pose is not finite.
static bool tidy_pose(const pliant_bake *bake, int index)
{
    pliant_pose *pose = bake_pose(bake, bake->frame_count, index);
    float length2 = quat_dot(pose->orientation, pose->orientation);
    if (!vec3_is_finite(pose->position) || !quat_is_finite(pose->orientation) || !(length2 > 0.0f))
        return false;
    pose->orientation = quat_normalize(pose->orientation);
    if (bake->frame_count > 0) {
        quat before = bake_pose(bake, bake->frame_count - 1, index)->orientation;
        if (quat_dot(before, pose->orientation) < 0.0f)
            pose->orientation = quat_scale(pose->orientation, -1.0f);
    }
    return true;
}

static pliant_result record_body(pliant_bake *bake, int body, pliant_error *error)
{
    const pliant_stage *stage = bake->stage;
    const char *name = stage->scene->bodies[body].name;
    if (!pliant_body_is_valid(stage->world, stage->bodies[body]))
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, name, "the body has left the world");
    int first = bake->first_particles[body];
    int count = bake->first_particles[body + 1] - first;
    pliant_body_poses(stage->world, stage->bodies[body], bake_pose(bake, bake->frame_count, first));
    for (int i = 0; i < count; ++i) {
        if (!tidy_pose(bake, first + i))
            return pli_error_set(error, PLIANT_ERROR_ARGUMENT, name,
                                 "the pose of particle %d is not finite", i);
    }
    return PLIANT_OK;
}

static pliant_result record_collider(pliant_bake *bake, int index, pliant_error *error)
{
    const pliant_stage *stage = bake->stage;
    const char *name = stage->scene->colliders[index].name;
    if (!pliant_collider_is_valid(stage->world, stage->colliders[index]))
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, name, "the collider has left the world");
    int pose = bake->particle_count + index;
    *bake_pose(bake, bake->frame_count, pose) =
        pliant_collider_pose(stage->world, stage->colliders[index]);
    if (!tidy_pose(bake, pose))
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, name, "its pose is not finite");
    return PLIANT_OK;
}

pliant_result pliant_bake_add_frame(pliant_bake *bake, float time, pliant_error *error)
{
    float last = bake->frame_count > 0 ? *bake_time(bake, bake->frame_count - 1) : -1.0f;
    if (!isfinite(time) || time < 0.0f || time <= last)
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "time",
                             "expected a time of at least 0 and later than the frame before");
    if (!reserve_frame(bake))
        return pli_error_memory(error);
    for (int i = 0; i < bake->stage->scene->body_count; ++i) {
        pliant_result result = record_body(bake, i, error);
        if (result != PLIANT_OK)
            return result;
    }
    for (int i = 0; i < bake->stage->scene->collider_count; ++i) {
        pliant_result result = record_collider(bake, i, error);
        if (result != PLIANT_OK)
            return result;
    }
    *bake_time(bake, bake->frame_count++) = time;
    return PLIANT_OK;
}

void pliant_bake_forget(pliant_bake *bake, float time)
{
    while (bake->frame_count > 0 && *bake_time(bake, 0) < time) {
        ++bake->first_frame;
        --bake->frame_count;
    }
}

int pliant_bake_frame_count(const pliant_bake *bake)
{
    return bake->frame_count;
}
