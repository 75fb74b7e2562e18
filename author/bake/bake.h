// What a bake has recorded, shared by the recorder (bake.c) and the writer (bake_write.c).

#ifndef PLIANT_AUTHOR_BAKE_BAKE_H
#define PLIANT_AUTHOR_BAKE_BAKE_H

#include <pliant/author.h>

struct pliant_bake {
    const pliant_stage *stage;
    pliant_bake_options options;
    int *first_particles; // per body: where its particles begin in a frame, and one entry more
    int particle_count;   // of all bodies
    int pose_count;       // of a frame: all particles, then all colliders
    int first_frame;      // those before it in the arrays are forgotten
    int frame_count, frame_capacity;
    float *times; // s, one a frame
    // Frame by frame, pose_count poses each. Orientations are unit length and each in the same
    // hemisphere as the one before, so that interpolating between them goes the short way.
    pliant_pose *poses;
};

static inline float *bake_time(const pliant_bake *bake, int frame)
{
    return &bake->times[bake->first_frame + frame];
}

static inline pliant_pose *bake_pose(const pliant_bake *bake, int frame, int index)
{
    size_t slot = (size_t)(bake->first_frame + frame);
    return &bake->poses[slot * (size_t)bake->pose_count + (size_t)index];
}

#endif
