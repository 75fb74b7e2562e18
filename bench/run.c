#include "run.h"

#include <stdio.h>
#include <stdlib.h>

#include <scenes.h>

static pliant_world_def adjusted(pliant_world_def def, const bench_case *wanted)
{
    def.sleep_speed = 0.0f; // sleepers cost nothing
    def.instructions = wanted->instructions;
    def.parallel_for = wanted->parallel_for;
    def.parallel_user_data = wanted->parallel_user_data;
    def.clock = wanted->clock;
    def.clock_user_data = wanted->clock_user_data;
    if (wanted->substeps)
        def.substep_length = pliant_substep_length((float)wanted->substeps);
    if (wanted->iterations)
        def.iterations = wanted->iterations;
    return def;
}

static void note_settings(bench_run *run, const pliant_world_def *def)
{
    run->substeps = (int)(1.0f / (60.0f * def->substep_length) + 0.5f);
    run->iterations = def->iterations;
}

// ---------------------------------------------------------------------------------------------
// Scenes

static bool open_scene(bench_run *run, const bench_case *wanted, pliant_error *error)
{
    enum { WARM_STEPS = 60 };
    const scene_entry *entry = scene_entry_find(wanted->name);
    if (!entry) {
        *error = (pliant_error){.code = PLIANT_ERROR_ARGUMENT,
                                .message = "there is no such scene or workload"};
        snprintf(error->place, sizeof(error->place), "%s", wanted->name);
        return false;
    }
    run->scene = entry->create(error);
    if (!run->scene)
        return false;
    pliant_world_def def = adjusted(run->scene->world, wanted);
    if (pliant_stage_open(&run->stage, run->scene, &def, error) != PLIANT_OK)
        return false;
    run->world = run->stage.world;
    run->warm_steps = WARM_STEPS;
    note_settings(run, &def);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Workloads

void bench_build(pliant_builder *builder, const bench_body *body)
{
    pliant_particle_def particle = pliant_default_particle_def();
    particle.radii = (pliant_vec3){BENCH_RADIUS, BENCH_RADIUS, 0.5f * BENCH_RADIUS};
    particle.mass = BENCH_MASS;
    for (int i = 0; i < body->particle_count; ++i) {
        const float *x = body->positions[i];
        particle.position = (pliant_vec3){x[0], x[1], x[2]};
        particle.flags = body->pinned[i] ? PLIANT_PARTICLE_PINNED : 0;
        pliant_builder_add_particle(builder, &particle);
    }
    pliant_edge_def edge = pliant_default_edge_def();
    for (int i = 0; i < body->edge_count; ++i) {
        edge.a = body->edges[i][0], edge.b = body->edges[i][1];
        pliant_builder_add_edge(builder, &edge);
    }
}

static void build_cloth(pliant_builder *builder, const bench_body *body, float stretch_limit)
{
    pliant_sheet_def sheet = pliant_default_sheet_def();
    sheet.columns = sheet.rows = BENCH_CLOTH_SIDE;
    if (stretch_limit > 0.0f)
        sheet.stretch_limit = stretch_limit;
    pliant_builder_add_sheet(builder, &sheet);
    for (int i = 0; i < body->particle_count; ++i)
        if (body->pinned[i])
            pliant_builder_particle(builder, i)->flags =
                PLIANT_PARTICLE_PINNED | PLIANT_PARTICLE_UNORIENTED;
}

static bool add_model(bench_run *run, int index, const bench_case *wanted, pliant_error *error)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    if (!builder)
        return false;
    const bench_body *body = &run->workload->bodies[index];
    if (run->workload->is_cloth)
        build_cloth(builder, body, wanted->stretch_limit);
    else
        bench_build(builder, body);
    run->models[index] = pliant_builder_build(builder, error);
    pliant_builder_destroy(builder);
    return run->models[index] != NULL;
}

static const float FREE_SPIN = 3.0f; // rad/s

static bool add_body(bench_run *run, int index, const bench_case *wanted, pliant_error *error)
{
    const bench_body *body = &run->workload->bodies[index];
    pliant_body_def def = pliant_default_body_def();
    if (!body->is_copy && !add_model(run, index, wanted, error))
        return false;
    def.model = run->models[body->is_copy ? 0 : index];
    if (body->is_copy) {
        def.position = body->copied_to.position;
        def.orientation = body->copied_to.orientation;
    }
    def.friction = BENCH_FRICTION;
    def.self_collision = wanted->touches;
    if (!wanted->touches && !run->workload->is_cloth) {
        // What only falls keeps its shape, and its groups would have nothing to move: it turns about its length.
        def.layers = 0;
        def.angular_velocity.z = FREE_SPIN;
    }
    return pliant_world_add_body(run->world, &def, error).generation != 0;
}

static bool add_plane(bench_run *run, pliant_vec3 normal, float offset, pliant_error *error)
{
    pliant_plane_def plane = pliant_default_plane_def();
    plane.normal = normal;
    plane.offset = offset;
    plane.friction = BENCH_FRICTION;
    return pliant_world_add_plane(run->world, &plane, error).generation != 0;
}

static bool add_walls(bench_run *run, pliant_error *error)
{
    static const pliant_vec3 normals[4] = {{1, 0, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}};
    for (int i = 0; i < 4; ++i)
        if (!add_plane(run, normals[i], -BENCH_WALL, error))
            return false;
    return true;
}

static bool open_workload(bench_run *run, const bench_case *wanted, pliant_error *error)
{
    const bench_workload *workload = run->workload;
    pliant_world_def def = adjusted(pliant_default_world_def(), wanted);
    run->world = pliant_world_create(&def, error);
    run->models = calloc((size_t)workload->body_count, sizeof(pliant_model *));
    if (!run->world || !run->models)
        return false;
    for (int i = 0; i < workload->body_count; ++i)
        if (!add_body(run, i, wanted, error))
            return false;
    if (wanted->touches && workload->has_floor &&
        !add_plane(run, (pliant_vec3){0.0f, 1.0f, 0.0f}, 0.0f, error))
        return false;
    if (wanted->touches && workload->has_walls && !add_walls(run, error))
        return false;
    run->warm_steps = workload->warm_steps;
    note_settings(run, &def);
    return true;
}

// ---------------------------------------------------------------------------------------------

bool bench_open(bench_run *run, const bench_case *wanted, pliant_error *error)
{
    *run = (bench_run){0};
    *error = (pliant_error){.code = PLIANT_ERROR_MEMORY, .message = "out of memory"};
    run->workload = bench_workload_create(wanted->name);
    bool is_open =
        run->workload ? open_workload(run, wanted, error) : open_scene(run, wanted, error);
    if (!is_open)
        bench_close(run);
    return is_open;
}

// In a function of its own, by whose name a profiler knows what to count.
__attribute__((noinline)) void bench_step(bench_run *run)
{
    if (run->workload) {
        float gravity[3];
        bench_workload_gravity(run->workload, run->steps, gravity);
        pliant_world_set_gravity(run->world, (pliant_vec3){gravity[0], gravity[1], gravity[2]});
        pliant_world_step(run->world, BENCH_DT);
    } else {
        pliant_stage_step(&run->stage, BENCH_DT);
    }
    run->steps += 1;
}

static void close_workload(bench_run *run)
{
    if (run->world)
        pliant_world_destroy(run->world);
    for (int i = 0; run->models && i < run->workload->body_count; ++i)
        if (run->models[i])
            pliant_model_destroy(run->models[i]);
    free(run->models);
    bench_workload_destroy(run->workload);
}

void bench_close(bench_run *run)
{
    if (run->workload)
        close_workload(run);
    else if (run->world)
        pliant_stage_close(&run->stage);
    if (run->scene)
        pliant_scene_destroy(run->scene);
    *run = (bench_run){0};
}

double bench_mean_height(const bench_run *run)
{
    double sum = 0.0;
    int count = pliant_world_body_count(run->world);
    for (int i = 0; i < count; ++i)
        sum += pliant_body_motion(run->world, pliant_world_body_at(run->world, i)).centre[1];
    return sum / count;
}
