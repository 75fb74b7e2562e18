// Evaluating a rig.

#include "show_rig.h"

#include <stdlib.h>

enum { MOST_CLIPS = 8, MOST_VERTICES = 1 << 16 };

typedef struct show {
    pliant_rig_pose pose, other;
    pliant_affine *globals, *joints;
    pliant_vec3 *positions, *normals;
} show;

static void show_moment(const pliant_rig *rig, show *s)
{
    pliant_rig_globals(rig, &s->pose, s->globals);
    pliant_rig_joints(rig, s->globals, s->joints);
    if (pliant_rig_definition(rig).vertex_count <= MOST_VERTICES)
        pliant_rig_skin_vertices(rig, &s->pose, s->globals, s->joints, s->positions, s->normals);
}

static void show_clip(const pliant_rig *rig, int clip, show *s)
{
    double length = (double)pliant_rig_clip_seconds(rig, clip);
    for (int i = -1; i <= 3; ++i) {
        double seconds = 0.6 * i * length;
        double time = pliant_rig_clip_time(rig, clip, seconds, PLIANT_RIG_LOOP);
        if (!(time >= 0.0 && time <= length))
            __builtin_trap();
        pliant_root root = {i, 7};
        pliant_rig_sample(rig, clip, time, &s->other);
        pliant_rig_root_motion(rig, clip, root, -seconds, seconds, PLIANT_RIG_LOOP);
        pliant_rig_remove_root(rig, clip, root, time, &s->other);
        pliant_rig_blend(rig, &s->pose, &s->other, 0.4f, &s->pose);
        pliant_rig_add(rig, &s->other, &s->pose, &s->other, 0.5f, &s->pose);
        show_moment(rig, s);
    }
}

void show_rig(const pliant_rig *rig)
{
    if (!rig)
        return;
    pliant_rig_def def = pliant_rig_definition(rig);
    size_t nodes = (size_t)def.node_count + 1, weights = (size_t)def.weight_count + 1;
    size_t vertices = (size_t)def.vertex_count + 1;
    show s = {.pose = {calloc(nodes, sizeof *s.pose.locals), calloc(weights, sizeof(float))},
              .other = {calloc(nodes, sizeof *s.pose.locals), calloc(weights, sizeof(float))},
              .globals = calloc(nodes, sizeof *s.globals),
              .joints = calloc((size_t)def.joint_count + 1, sizeof *s.joints),
              .positions = calloc(vertices, sizeof *s.positions),
              .normals = calloc(vertices, sizeof *s.normals)};
    if (s.pose.locals && s.pose.weights && s.other.locals && s.other.weights && s.globals &&
        s.joints && s.positions && s.normals) {
        pliant_rig_rest(rig, &s.pose);
        show_moment(rig, &s);
        for (int clip = 0; clip < def.clip_count && clip < MOST_CLIPS; ++clip)
            show_clip(rig, clip, &s);
    }
    free(s.pose.locals);
    free(s.pose.weights);
    free(s.other.locals);
    free(s.other.weights);
    free(s.globals);
    free(s.joints);
    free(s.positions);
    free(s.normals);
}
