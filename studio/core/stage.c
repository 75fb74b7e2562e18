// A scene on stage: it plays, with wind and grip, and remembers its last seconds.

#include "core.h"

#include "bake/bake.h"

#include "scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// What the recording keeps.
#define RECORD_SECONDS 10.0
#define RECORD_RATE    30.0
#define RECORD_BYTES   ((size_t)64 << 20)

// ---------------------------------------------------------------------------------------------
// Recording

static int most_frames(const studio_play *play)
{
    size_t poses = (size_t)play->particle_count + (size_t)play->scene->collider_count;
    size_t frames = RECORD_BYTES / ((poses + 1) * sizeof(pliant_pose));
    size_t wanted = (size_t)(RECORD_SECONDS * RECORD_RATE) + 1;
    return frames < 1 ? 1 : (int)(frames < wanted ? frames : wanted);
}

// A recording that fails, for bad numbers or for want of memory, begins anew.
static void record(studio_play *play)
{
    double time = pliant_world_time(play->stage.world);
    if (time < play->next_record)
        return;
    if (!play->recording)
        play->recording = pliant_bake_create(&play->stage, NULL, NULL);
    double first = time - (double)(most_frames(play) - 1) / RECORD_RATE;
    if (play->recording && first > 0.0)
        pliant_bake_forget(play->recording, (float)first);
    if (play->recording && pliant_bake_add_frame(play->recording, (float)time, NULL) != PLIANT_OK) {
        pliant_bake_destroy(play->recording);
        play->recording = NULL;
    }
    // Times are sums of steps: half a millisecond early is in time.
    play->next_record = time + 1.0 / RECORD_RATE - 5e-4;
}

static void begin_recording(studio_play *play)
{
    pliant_bake_destroy(play->recording);
    play->recording = NULL;
    play->next_record = 0.0;
    record(play);
}

// ---------------------------------------------------------------------------------------------
// Opening and closing

void studio_play_destroy(studio_play *play)
{
    if (!play)
        return;
    pliant_bake_destroy(play->recording);
    pliant_bake_destroy(play->bake);
    if (play->stage.world)
        pliant_stage_close(&play->stage);
    pliant_scene_destroy(play->scene);
    free(play->ranges);
    free(play->positions);
    free(play->normals);
    free(play->looks);
    free(play);
}

static bool lacks_normals(const pliant_model *model)
{
    const pliant_vertex_def *vertices = pliant_model_vertices(model);
    for (int i = 0; i < pliant_model_vertex_count(model); ++i) {
        if (vec3_dot(vertices[i].normal, vertices[i].normal) == 0.0f)
            return true;
    }
    return false;
}

// Of all bodies together; more than that no view could hold.
enum { MOST_ELEMENTS = 1 << 28 };

static bool count_body(studio_play *play, int index)
{
    const pliant_model *model = play->scene->models[play->scene->bodies[index].model];
    play->ranges[index] = (studio_range){play->particle_count, play->vertex_count, play->edge_count,
                                         lacks_normals(model)};
    const int64_t sums[] = {
        (int64_t)play->particle_count + pliant_model_particle_count(model),
        (int64_t)play->edge_count + pliant_model_edge_count(model),
        (int64_t)play->vertex_count + pliant_model_vertex_count(model),
        (int64_t)play->group_count + pliant_model_group_count(model) +
            pliant_model_implicit_group_count(model),
    };
    for (int i = 0; i < COUNT_OF(sums); ++i) {
        if (sums[i] > MOST_ELEMENTS)
            return false;
    }
    play->particle_count = (int)sums[0];
    play->edge_count = (int)sums[1];
    play->vertex_count = (int)sums[2];
    play->group_count = (int)sums[3];
    return true;
}

static bool count_elements(studio_play *play, pliant_error *error)
{
    const pliant_scene *scene = play->scene;
    play->ranges = calloc((size_t)scene->body_count + 1, sizeof *play->ranges);
    for (int i = 0; play->ranges && i < scene->body_count; ++i) {
        if (!count_body(play, i)) {
            pli_error_set(error, PLIANT_ERROR_ARGUMENT, "bodies",
                          "together they have more than %d particles, edges or vertices",
                          (int)MOST_ELEMENTS);
            return false;
        }
    }
    play->positions = calloc((size_t)play->vertex_count + 1, sizeof *play->positions);
    play->normals = calloc((size_t)play->vertex_count + 1, sizeof *play->normals);
    if (play->ranges && play->positions && play->normals)
        return true;
    pli_error_memory(error);
    return false;
}

static void apply_stiffness(studio_play *play)
{
    for (int i = 0; i < play->scene->body_count; ++i)
        pliant_body_set_stiffness_scale(play->stage.world, play->stage.bodies[i],
                                        play->settings.stiffness);
}

// A new stage of the scene, with the settings as they are now.
static bool open_stage(const studio_play *play, pliant_stage *stage, pliant_error *error)
{
    pliant_world_def world = play->scene->world;
    world.gravity = play->settings.gravity;
    world.substep_length = play->settings.substep_length;
    world.iterations = play->settings.iterations;
    return pliant_stage_open(stage, play->scene, &world, error) == PLIANT_OK;
}

studio_play *studio_play_create(pliant_scene *scene, studio_source source, pliant_error *error)
{
    if (!scene)
        return NULL;
    studio_play *play = calloc(1, sizeof *play);
    if (!play) {
        pliant_scene_destroy(scene);
        pli_error_memory(error);
        return NULL;
    }
    *play = (studio_play){
        .source = source,
        .scene = scene,
        .settings = {.gravity = scene->world.gravity,
                     .stiffness = 1.0f,
                     .substep_length = scene->world.substep_length,
                     .iterations = scene->world.iterations},
    };
    if (!count_elements(play, error) || !open_stage(play, &play->stage, error)) {
        studio_play_destroy(play);
        return NULL;
    }
    return play;
}

void studio_stage_set(studio *s, studio_play *play)
{
    studio_stage_close(s);
    play->revision = ++s->last_revision;
    begin_recording(play);
    s->play = play;
    studio_skin(s);
}

void studio_stage_close(studio *s)
{
    studio_play_destroy(s->play);
    s->play = NULL;
}

bool studio_scene(studio *s, field_reader *reader, json_value arguments)
{
    struct {
        char name[48];
    } ask = {{0}};
    static const field fields[] = {
        {"name", FIELD_STRING, 0, 0, sizeof ask.name, false, false, true}};
    if (!pli_field_read_object(reader, arguments, fields, COUNT_OF(fields), &ask))
        return false;
    const scene_entry *entry = scene_entry_find(ask.name);
    if (!entry)
        return pli_field_fail(reader, "there is no scene '%s'", ask.name);
    pliant_error error = {0};
    studio_play *play = studio_play_create(entry->create(&error), STUDIO_SOURCE_BUILT_IN, &error);
    if (!play)
        return studio_fail_with(reader, &error);
    studio_stage_set(s, play);
    return true;
}

bool studio_leave(studio *s, field_reader *reader, json_value arguments)
{
    if (!studio_read_nothing(reader, arguments))
        return false;
    studio_stage_close(s);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Playing

void studio_stage_step(studio_play *play, float dt)
{
    studio_grip_pull(play, dt);
    studio_wind_blow(play, dt);
    pliant_stage_step(&play->stage, dt);
    record(play);
}

void studio_advance(studio *s, float dt, int steps)
{
    // A bake under way has the scene for itself: its frames are as far apart as they were asked for.
    if (!s->play || s->play->bake || !(dt > 0.0f))
        return;
    for (int i = 0; i < steps; ++i)
        studio_stage_step(s->play, dt);
}

float studio_stage_recorded(const studio_play *play)
{
    const pliant_bake *recording = play->recording;
    if (!recording || recording->frame_count == 0)
        return 0.0f;
    return *bake_time(recording, recording->frame_count - 1) - *bake_time(recording, 0);
}

void studio_skin(studio *s)
{
    studio_play *play = s->play;
    if (!play)
        return;
    for (int i = 0; i < play->scene->body_count; ++i) {
        const studio_range *range = &play->ranges[i];
        vec3 *positions = play->positions + range->first_vertex;
        vec3 *normals = play->normals + range->first_vertex;
        pliant_body_skin(play->stage.world, play->stage.bodies[i], PLIANT_SKIN_LINEAR, positions,
                         normals);
        const pliant_model *model = play->scene->models[play->scene->bodies[i].model];
        if (range->lacks_normals)
            studio_fill_normals(&pliant_model_vertices(model)->normal, sizeof(pliant_vertex_def),
                                positions, pliant_model_vertex_count(model),
                                pliant_model_triangles(model), pliant_model_triangle_count(model),
                                normals);
    }
}

studio_frame studio_frame_now(const studio *s)
{
    if (!s->play)
        return (studio_frame){0};
    pliant_report report = pliant_world_report(s->play->stage.world);
    return (studio_frame){
        .time = report.time,
        .steps = (double)report.steps,
        .contacts = report.contacts + report.pairs,
        .sleeping = report.sleeping_bodies,
        .frozen = report.frozen_bodies,
        .saturated = report.saturated_groups,
        .substeps = report.saturated_groups > 0
                        ? (double)(int)(1.0f / (60.0f * report.unsaturated_length)) + 1.0
                        : 0.0,
    };
}

// ---------------------------------------------------------------------------------------------
// Commands

static bool need_stage(const studio *s, field_reader *reader)
{
    return s->play || studio_refuse(reader, "no scene is playing");
}

// The scene is staged anew: whatever broke or was removed is there again.
bool studio_reset(studio *s, field_reader *reader, json_value arguments)
{
    if (!studio_read_nothing(reader, arguments) || !need_stage(s, reader))
        return false;
    studio_play *play = s->play;
    pliant_stage stage;
    pliant_error error = {0};
    if (!open_stage(play, &stage, &error))
        return studio_fail_with(reader, &error);
    pliant_bake_destroy(play->bake);
    play->bake = NULL;
    play->grip = (studio_grip){0};
    pliant_stage_close(&play->stage);
    play->stage = stage;
    apply_stiffness(play);
    begin_recording(play);
    studio_skin(s);
    return true;
}

typedef struct wind_ask {
    vec3 velocity;
    float gusts;
} wind_ask;

static const field wind_fields[] = {
    {"velocity", FIELD_VEC3, offsetof(wind_ask, velocity), -200, 200, false, false, true},
    {"gusts", FIELD_FLOAT, offsetof(wind_ask, gusts), FIELD_UNIT, true},
};

typedef struct settings_ask {
    studio_settings settings;
    json_value wind;
} settings_ask;

#define SETTING(member) offsetof(settings_ask, settings.member)

static const field settings_fields[] = {
    {"gravity", FIELD_VEC3, SETTING(gravity), -1e3, 1e3, false, false, false},
    {"stiffness", FIELD_FLOAT, SETTING(stiffness), 0, 1000, false, false, false},
    {"wind", FIELD_VALUE, offsetof(settings_ask, wind), FIELD_ANY, false},
    {"substeps", FIELD_SUBSTEPS, SETTING(substep_length), 1, 1000, false, false, false},
    {"iterations", FIELD_INT, SETTING(iterations), 1, 1000, false, false, false},
};

bool studio_set(studio *s, field_reader *reader, json_value arguments)
{
    if (!need_stage(s, reader))
        return false;
    settings_ask ask = {.settings = s->play->settings, .wind = JSON_NONE};
    if (!pli_field_read_object(reader, arguments, settings_fields, COUNT_OF(settings_fields), &ask))
        return false;
    if (ask.wind != JSON_NONE) {
        wind_ask wind;
        pli_field_enter_key(reader, "wind");
        if (!pli_field_read_object(reader, ask.wind, wind_fields, COUNT_OF(wind_fields), &wind))
            return false;
        ask.settings.wind = wind.velocity;
        ask.settings.gusts = wind.gusts;
    }
    studio_play *play = s->play;
    bool stiffness_changes = ask.settings.stiffness != play->settings.stiffness;
    play->settings = ask.settings;
    pliant_world_set_gravity(play->stage.world, play->settings.gravity);
    pliant_world_set_substep_length(play->stage.world, play->settings.substep_length);
    pliant_world_set_iterations(play->stage.world, play->settings.iterations);
    if (stiffness_changes)
        apply_stiffness(play);
    return true;
}

bool studio_hash(studio *s, field_reader *reader, json_value arguments)
{
    if (!studio_read_nothing(reader, arguments) || !need_stage(s, reader))
        return false;
    pliant_world *world = s->play->stage.world;
    char hash[24];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)pliant_world_hash(world));
    pli_json_begin_object(&s->answer, NULL);
    pli_json_write_int(&s->answer, "steps", (int64_t)pliant_world_report(world).steps);
    pli_json_write_float(&s->answer, "time", (float)pliant_world_time(world));
    pli_json_write_string(&s->answer, "hash", hash);
    pli_json_end_object(&s->answer);
    return true;
}
