// Writes the vertices of a file's mesh as its rig moves them, for comparison with other programs.
//
//     rig_dump FILE COUNT
//
// Standard output, all little-endian 32 bit: the numbers of clips and of vertices; the vertices (x, y, z) at rest; then for
// each clip its length in seconds, and the vertices at COUNT times spread evenly over it, its end among them. The number of
// clips is -1 for a file without a rig.

#include <stdio.h>
#include <stdlib.h>

#include <pliant/author.h>

static void write_all(const void *data, size_t size)
{
    if (fwrite(data, 1, size, stdout) != size) {
        perror("rig_dump");
        exit(1);
    }
}

static void *allocate(int32_t count, size_t size)
{
    void *memory = calloc((size_t)count + 1, size);
    if (!memory) {
        fputs("rig_dump: out of memory\n", stderr);
        exit(1);
    }
    return memory;
}

// What a pose and its vertices are kept in.
typedef struct moment {
    pliant_rig_pose pose;
    pliant_affine *globals, *joints;
    pliant_vec3 *positions;
} moment;

static void write_moment(const pliant_rig *rig, moment *m)
{
    pliant_rig_globals(rig, &m->pose, m->globals);
    pliant_rig_joints(rig, m->globals, m->joints);
    pliant_rig_skin_vertices(rig, &m->pose, m->globals, m->joints, m->positions, NULL);
    size_t count = (size_t)pliant_rig_definition(rig).vertex_count;
    write_all(m->positions, count * sizeof *m->positions);
}

static void write_clip(const pliant_rig *rig, int clip, int count, moment *m)
{
    float seconds = pliant_rig_clip_seconds(rig, clip);
    write_all(&seconds, sizeof seconds);
    for (int i = 0; i < count; ++i) {
        pliant_rig_sample(rig, clip, (double)seconds * i / (count - 1), &m->pose);
        write_moment(rig, m);
    }
}

static void write_rig(const pliant_rig *rig, int count)
{
    pliant_rig_def def = pliant_rig_definition(rig);
    moment m = {.pose = {allocate(def.node_count, sizeof *m.pose.locals),
                         allocate(def.weight_count, sizeof *m.pose.weights)},
                .globals = allocate(def.node_count, sizeof *m.globals),
                .joints = allocate(def.joint_count, sizeof *m.joints),
                .positions = allocate(def.vertex_count, sizeof *m.positions)};
    const int32_t counts[2] = {def.clip_count, def.vertex_count};
    write_all(counts, sizeof counts);
    pliant_rig_rest(rig, &m.pose);
    write_moment(rig, &m);
    for (int clip = 0; clip < def.clip_count; ++clip)
        write_clip(rig, clip, count, &m);
    free(m.pose.locals);
    free(m.pose.weights);
    free(m.globals);
    free(m.joints);
    free(m.positions);
}

int main(int argument_count, char **arguments)
{
    int count = argument_count == 3 ? atoi(arguments[2]) : 0;
    if (count < 2) {
        fputs("usage: rig_dump FILE COUNT, which is at least 2\n", stderr);
        return 2;
    }
    pliant_error error;
    pliant_mesh *mesh = pliant_mesh_read_file(arguments[1], NULL, &error);
    if (!mesh) {
        fprintf(stderr, "rig_dump: %s: %s\n", error.place, error.message);
        return 1;
    }
    const int32_t none[2] = {-1, 0};
    if (mesh->rig)
        write_rig(mesh->rig, count);
    else
        write_all(none, sizeof none);
    pliant_mesh_destroy(mesh);
    return fflush(stdout) == 0 ? 0 : 1;
}
