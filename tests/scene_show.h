// A built-in scene on its stage, and what tests measure on it.

#ifndef PLIANT_TESTS_SCENE_SHOW_H
#define PLIANT_TESTS_SCENE_SHOW_H

#include "scenes.h"
#include "test.h"

typedef struct show {
    pliant_scene *scene;
    pliant_stage stage;
} show;

static inline pliant_scene *show_scene(const char *name)
{
    pliant_error error = {0};
    pliant_scene *scene = scene_entry_find(name)->create(&error);
    if (!scene)
        fail_msg("%s: %s %s", name, error.place, error.message);
    return scene;
}

// The scene may have been changed; it goes with the show.
static inline show show_start(pliant_scene *scene)
{
    pliant_error error = {0};
    show s = {.scene = scene};
    if (pliant_stage_open(&s.stage, scene, NULL, &error))
        fail_msg("%s: %s %s", scene->name, error.place, error.message);
    return s;
}

static inline show show_open(const char *name)
{
    return show_start(show_scene(name));
}

static inline void show_close(show *s)
{
    pliant_stage_close(&s->stage);
    pliant_scene_destroy(s->scene);
}

static inline void show_run(show *s, int steps)
{
    for (int i = 0; i < steps; ++i)
        pliant_stage_step(&s->stage, 1.0f / 60.0f);
}

static inline const pliant_model *show_model(const show *s, int body)
{
    return s->scene->models[s->scene->bodies[body].model];
}

static inline vec3 show_place(const show *s, int body, int particle)
{
    return pliant_body_particle_pose(s->stage.world, s->stage.bodies[body], particle).position;
}

// m/s, of all particles.
static inline float show_fastest(const show *s)
{
    float fastest = 0.0f;
    for (int b = 0; b < s->scene->body_count; ++b) {
        int count = pliant_model_particle_count(show_model(s, b));
        for (int i = 0; i < count; ++i) {
            vec3 v = pliant_body_particle_velocity(s->stage.world, s->stage.bodies[b], i);
            fastest = maximum(fastest, vec3_length(v));
        }
    }
    return fastest;
}

// The longest of a body's edges, relative to its length at rest.
static inline double show_stretch(const show *s, int body)
{
    const pliant_model *model = show_model(s, body);
    const pliant_particle_def *rest = pliant_model_particles(model);
    double most = 0;
    for (int i = 0; i < pliant_model_edge_count(model); ++i) {
        pliant_edge_def edge = pliant_model_edges(model)[i];
        vec3 now = vec3_sub(show_place(s, body, edge.a), show_place(s, body, edge.b));
        vec3 then = vec3_sub(rest[edge.a].position, rest[edge.b].position);
        most = fmax(most, vec3_length(now) / vec3_length(then));
    }
    return most;
}

#endif
