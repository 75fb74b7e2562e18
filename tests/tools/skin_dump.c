// Writes a built-in scene's skinned vertices at chosen steps, as the truth that viewers of its bake
// are measured against.
//
//     skin_dump SCENE DT STEP...        STEP rises; 0 is the start
//
// Standard output, all little-endian 32 bit: the number of bodies, then each body's vertex and
// particle counts, then for each STEP and body the vertices (x, y, z) and the particle poses
// (x, y, z, quaternion x, y, z, w).

#include <stdio.h>
#include <stdlib.h>

#include <scenes.h>

static void write_all(const void *data, size_t size)
{
    if (fwrite(data, 1, size, stdout) != size) {
        perror("skin_dump");
        exit(1);
    }
}

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (!memory) {
        fputs("skin_dump: out of memory\n", stderr);
        exit(1);
    }
    return memory;
}

static void write_header(const pliant_stage *stage)
{
    int32_t body_count = stage->scene->body_count;
    write_all(&body_count, sizeof(body_count));
    for (int body = 0; body < body_count; ++body) {
        const pliant_model *model = pliant_body_model(stage->world, stage->bodies[body]);
        int32_t counts[2] = {pliant_model_vertex_count(model), pliant_model_particle_count(model)};
        write_all(counts, sizeof(counts));
    }
}

static void write_moment(const pliant_stage *stage)
{
    for (int body = 0; body < stage->scene->body_count; ++body) {
        const pliant_model *model = pliant_body_model(stage->world, stage->bodies[body]);
        size_t vertex_count = (size_t)pliant_model_vertex_count(model);
        size_t particle_count = (size_t)pliant_model_particle_count(model);
        pliant_vec3 *vertices = allocate(vertex_count, sizeof(*vertices));
        pliant_pose *poses = allocate(particle_count, sizeof(*poses));
        if (vertex_count > 0)
            pliant_body_skin(stage->world, stage->bodies[body], PLIANT_SKIN_LINEAR, vertices, NULL);
        pliant_body_poses(stage->world, stage->bodies[body], poses);
        write_all(vertices, vertex_count * sizeof(*vertices));
        write_all(poses, particle_count * sizeof(*poses));
        free(vertices);
        free(poses);
    }
}

int main(int argument_count, char **arguments)
{
    if (argument_count < 4) {
        fputs("usage: skin_dump SCENE DT STEP...\n", stderr);
        return 2;
    }
    const scene_entry *entry = scene_entry_find(arguments[1]);
    float dt = strtof(arguments[2], NULL);
    if (!entry || !(dt > 0.0f)) {
        fprintf(stderr, "skin_dump: no scene '%s', or the time step is not positive\n",
                arguments[1]);
        return 2;
    }

    pliant_error error;
    pliant_scene *scene = entry->create(&error);
    pliant_stage stage;
    if (!scene || pliant_stage_open(&stage, scene, NULL, &error) != PLIANT_OK) {
        fprintf(stderr, "skin_dump: %s: %s\n", error.place, error.message);
        return 1;
    }
    write_header(&stage);
    long step = 0;
    for (int i = 3; i < argument_count; ++i) {
        for (long wanted = strtol(arguments[i], NULL, 10); step < wanted; ++step)
            pliant_stage_step(&stage, dt);
        write_moment(&stage);
    }
    pliant_stage_close(&stage);
    pliant_scene_destroy(scene);
    return fflush(stdout) == 0 ? 0 : 1;
}
