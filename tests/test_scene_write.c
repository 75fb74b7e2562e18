// Scenes as JSON: what is read back from a written scene is the scene that was written, to the last bit of a run; and
// what the format cannot say is told.

#include "scene_show.h"

#include <float.h>
#include <unistd.h>

enum { STEPS = FULL_LENGTH ? 60 : 6, ARMY_STEPS = 2, MOST_MODELS = 16 };

// A folder for a scene's files, and their names.
typedef struct saved {
    char folder[64];
    char files[MOST_MODELS][24];
    char *text;
    size_t size;
} saved;

static void put_file(const char *folder, const char *name, const void *data, size_t size)
{
    char path[128];
    pliant_error error = {0};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (pliant_file_write(path, data, size, &error))
        fail_msg("%s: %s", error.place, error.message);
}

static void save_model(const saved *s, const char *name, const pliant_model *model,
                       const pliant_mesh *mesh)
{
    void *data;
    size_t size = pliant_model_blob_size(model);
    pliant_error error = {0};
    if (!mesh) {
        data = malloc(size);
        pliant_model_save(model, data);
    } else if (pliant_model_write_glb(model, mesh, &data, &size, &error)) {
        fail_msg("%s: %s", error.place, error.message);
    }
    put_file(s->folder, name, data, size);
    free(data);
}

static char *write_text(const pliant_scene *scene, size_t *size)
{
    static const char *const names[MOST_MODELS] = {
        "0.pliant",  "1.pliant",  "2.pliant",  "3.pliant", "4.pliant",  "5.pliant",
        "6.pliant",  "7.pliant",  "8.pliant",  "9.pliant", "10.pliant", "11.pliant",
        "12.pliant", "13.pliant", "14.pliant", "15.pliant"};
    assert_true(scene->model_count <= MOST_MODELS);
    char *text = NULL;
    pliant_error error = {0};
    if (pliant_scene_write(scene, names, &text, size, &error))
        fail_msg("%s: %s: %s", scene->name, error.place, error.message);
    assert_int_equal(strlen(text), *size);
    return text;
}

static saved save(const pliant_scene *scene)
{
    saved s = {.folder = "/tmp/pliant-scene-XXXXXX"};
    assert_non_null(mkdtemp(s.folder));
    s.text = write_text(scene, &s.size);
    for (int i = 0; i < scene->model_count; ++i) {
        snprintf(s.files[i], sizeof s.files[i], "%d.pliant", i);
        save_model(&s, s.files[i], scene->models[i], scene->meshes[i]);
    }
    put_file(s.folder, "scene.json", s.text, s.size);
    return s;
}

static pliant_scene *load(const saved *s)
{
    char path[96];
    snprintf(path, sizeof path, "%s/scene.json", s->folder);
    pliant_error error = {0};
    pliant_scene *scene = pliant_scene_read_file(path, &error);
    if (!scene)
        fail_msg("%s: %s\n%s", error.place, error.message, s->text);
    return scene;
}

static void release(saved *s, int model_count)
{
    char path[128];
    for (int i = 0; i < model_count; ++i) {
        snprintf(path, sizeof path, "%s/%s", s->folder, s->files[i]);
        assert_int_equal(unlink(path), 0);
    }
    snprintf(path, sizeof path, "%s/scene.json", s->folder);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(s->folder), 0);
    free(s->text);
}

static uint64_t run_hash(const pliant_scene *scene, int steps)
{
    pliant_stage stage;
    pliant_error error = {0};
    if (pliant_stage_open(&stage, scene, NULL, &error))
        fail_msg("%s: %s: %s", scene->name, error.place, error.message);
    for (int i = 0; i < steps; ++i)
        pliant_stage_step(&stage, 1.0f / 60.0f);
    uint64_t hash = pliant_world_hash(stage.world);
    pliant_stage_close(&stage);
    return hash;
}

// ---------------------------------------------------------------------------------------------
// Equality

#define SAME(a, b) assert_memory_equal(&(a), &(b), sizeof(a))

static void assert_same_body(const pliant_scene_body *a, const pliant_scene_body *b)
{
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->model, b->model);
    SAME(a->def.position, b->def.position);
    SAME(a->def.orientation, b->def.orientation);
    SAME(a->def.linear_velocity, b->def.linear_velocity);
    SAME(a->def.angular_velocity, b->def.angular_velocity);
    SAME(a->def.linear_damping, b->def.linear_damping);
    SAME(a->def.angular_damping, b->def.angular_damping);
    SAME(a->def.shape_damping, b->def.shape_damping);
    SAME(a->def.gravity_scale, b->def.gravity_scale);
    SAME(a->def.friction, b->def.friction);
    SAME(a->def.restitution, b->def.restitution);
    SAME(a->def.layers, b->def.layers);
    SAME(a->def.mask, b->def.mask);
    assert_int_equal(a->def.self_collision, b->def.self_collision);
    assert_int_equal(a->def.gyroscopic, b->def.gyroscopic);
    SAME(a->colour, b->colour);
}

static void assert_same_shape(const pliant_shape *one, const pliant_shape *two)
{
    pliant_shape_def a = pliant_shape_definition(one), b = pliant_shape_definition(two);
    assert_int_equal(a.kind, b.kind);
    SAME(a.radius, b.radius);
    SAME(a.half_length, b.half_length);
    SAME(a.half_size, b.half_size);
    assert_int_equal(a.point_count, b.point_count);
    assert_int_equal(a.triangle_count, b.triangle_count);
    assert_true(a.columns == b.columns && a.rows == b.rows);
    SAME(a.spacing, b.spacing);
    if (a.point_count > 0)
        assert_memory_equal(a.points, b.points, (size_t)a.point_count * sizeof *a.points);
    if (a.triangle_count > 0)
        assert_memory_equal(a.triangles, b.triangles, (size_t)a.triangle_count * 12);
    if (a.kind == PLIANT_SHAPE_HEIGHTFIELD)
        assert_memory_equal(a.heights, b.heights, (size_t)(a.columns * a.rows) * 4);
}

static void assert_same_collider(const pliant_scene_collider *a, const pliant_scene_collider *b)
{
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->shape, b->shape);
    SAME(a->def.position, b->def.position);
    SAME(a->def.orientation, b->def.orientation);
    SAME(a->def.linear_velocity, b->def.linear_velocity);
    SAME(a->def.angular_velocity, b->def.angular_velocity);
    SAME(a->def.friction, b->def.friction);
    SAME(a->def.restitution, b->def.restitution);
    SAME(a->def.layers, b->def.layers);
    SAME(a->def.mask, b->def.mask);
    SAME(a->colour, b->colour);
}

static void assert_same_attachment(const pliant_scene_attachment *a,
                                   const pliant_scene_attachment *b)
{
    assert_true(a->body == b->body && a->particle == b->particle);
    assert_true(a->other_body == b->other_body && a->collider == b->collider);
    if (a->other_body < 0)
        SAME(a->anchor, b->anchor);
    else
        assert_int_equal(a->other_particle, b->other_particle);
    assert_true(a->length == b->length || (a->length < 0.0f && b->length < 0.0f));
    assert_int_equal(a->is_slack, b->is_slack);
    SAME(a->stiffness, b->stiffness);
    SAME(a->strength, b->strength);
}

static void assert_same_driver(const pliant_scene_driver *a, const pliant_scene_driver *b)
{
    assert_int_equal(a->particle_count, b->particle_count);
    if (a->particle_count > 0) {
        assert_int_equal(a->body, b->body);
        assert_memory_equal(a->particles, b->particles, (size_t)a->particle_count * 4);
    } else {
        assert_int_equal(a->collider, b->collider);
    }
    SAME(a->pivot, b->pivot);
    assert_int_equal(a->key_count, b->key_count);
    assert_memory_equal(a->keys, b->keys, (size_t)a->key_count * sizeof *a->keys);
}

static void assert_same_settings(const pliant_scene *a, const pliant_scene *b)
{
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->title, b->title);
    SAME(a->seconds, b->seconds);
    SAME(a->world.gravity, b->world.gravity);
    assert_true(a->world.substep_length == b->world.substep_length);
    assert_int_equal(a->world.iterations, b->world.iterations);
    SAME(a->world.restitution_threshold, b->world.restitution_threshold);
    SAME(a->world.impact_speed, b->world.impact_speed);
    SAME(a->world.sleep_speed, b->world.sleep_speed);
    SAME(a->world.sleep_time, b->world.sleep_time);
    SAME(a->camera, b->camera);
}

static void assert_same_scene(const pliant_scene *a, const pliant_scene *b)
{
    assert_same_settings(a, b);
    assert_int_equal(a->model_count, b->model_count);
    for (int i = 0; i < a->model_count; ++i)
        assert_int_equal(a->meshes[i] != NULL, b->meshes[i] != NULL);
    assert_int_equal(a->body_count, b->body_count);
    for (int i = 0; i < a->body_count; ++i)
        assert_same_body(&a->bodies[i], &b->bodies[i]);
    assert_int_equal(a->plane_count, b->plane_count);
    for (int i = 0; i < a->plane_count; ++i)
        SAME(a->planes[i], b->planes[i]);
    assert_int_equal(a->shape_count, b->shape_count);
    for (int i = 0; i < a->shape_count; ++i)
        assert_same_shape(a->shapes[i], b->shapes[i]);
    assert_int_equal(a->collider_count, b->collider_count);
    for (int i = 0; i < a->collider_count; ++i)
        assert_same_collider(&a->colliders[i], &b->colliders[i]);
    assert_int_equal(a->attachment_count, b->attachment_count);
    for (int i = 0; i < a->attachment_count; ++i)
        assert_same_attachment(&a->attachments[i], &b->attachments[i]);
    assert_int_equal(a->force_count, b->force_count);
    for (int i = 0; i < a->force_count; ++i)
        SAME(a->forces[i], b->forces[i]);
    assert_int_equal(a->motor_count, b->motor_count);
    for (int i = 0; i < a->motor_count; ++i)
        SAME(a->motors[i], b->motors[i]);
    assert_int_equal(a->driver_count, b->driver_count);
    for (int i = 0; i < a->driver_count; ++i)
        assert_same_driver(&a->drivers[i], &b->drivers[i]);
}

// ---------------------------------------------------------------------------------------------
// Built-in scenes

static void built_in_scenes_run_on_from_their_files(void **unused)
{
    (void)unused;
    for (int i = 0; i < scene_entry_count(); ++i) {
        const scene_entry *entry = scene_entry_at(i);
        int steps = strcmp(entry->name, "army") == 0 ? ARMY_STEPS : STEPS;
        pliant_scene *scene = show_scene(entry->name);
        saved s = save(scene);
        pliant_scene *again = load(&s);
        if (run_hash(again, steps) != run_hash(scene, steps))
            fail_msg("%s runs differently from its file", entry->name);
        size_t size;
        char *text = write_text(again, &size);
        assert_int_equal(size, s.size);
        assert_memory_equal(text, s.text, size); // nothing is lost the second time
        free(text);
        release(&s, scene->model_count);
        pliant_scene_destroy(again);
        pliant_scene_destroy(scene);
    }
}

// ---------------------------------------------------------------------------------------------
// Everything a scene can hold

static pliant_model *hinged_model(void)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    static const pliant_vec3 places[4] = {
        {0, 0, 0}, {0, 0.8f, 0}, {0.5f, 0.4f, 0}, {-0.5f, 0.4f, 0}};
    static const int32_t members[2][3] = {{0, 1, 3}, {0, 1, 2}};
    for (int i = 0; i < 4; ++i) {
        pliant_particle_def particle = pliant_default_particle_def();
        particle.position = places[i];
        particle.flags = i == 3 ? PLIANT_PARTICLE_PINNED : 0;
        pliant_builder_add_particle(builder, &particle);
    }
    for (int g = 0; g < 2; ++g) {
        pliant_group_def group = {.members = members[g], .member_count = 3, .stiffness = 1.0f};
        pliant_builder_add_group(builder, &group);
    }
    pliant_hinge_def hinge = {.group_b = 1, .particle_b = 1};
    pliant_builder_add_hinge(builder, &hinge);
    pliant_error error = {0};
    pliant_model *model = pliant_builder_build(builder, &error);
    if (!model)
        fail_msg("%s: %s", error.place, error.message);
    pliant_builder_destroy(builder);
    return model;
}

static void add_shape(pliant_scene *scene, const pliant_shape_def *def)
{
    pliant_error error = {0};
    if (pliant_scene_add_shape(scene, pliant_shape_create(def, NULL, &error)) < 0)
        fail_msg("%s: %s", error.place, error.message);
}

static void add_shapes(pliant_scene *scene, uint32_t *random)
{
    pliant_vec3 points[24];
    for (int i = 0; i < 24; ++i)
        points[i] = random_vec3(random, 1.0f);
    static const int32_t triangles[6] = {0, 1, 2, 2, 1, 3};
    float heights[12];
    for (int i = 0; i < 12; ++i)
        heights[i] = random_between(random, -0.1f, 0.1f);
    for (int kind = PLIANT_SHAPE_PLANE; kind <= PLIANT_SHAPE_HEIGHTFIELD; ++kind) {
        pliant_shape_def def = pliant_default_shape_def((pliant_shape_kind)kind);
        add_shape(scene,
                  kind < PLIANT_SHAPE_HULL
                      ? &def
                      : &(pliant_shape_def){.kind = (pliant_shape_kind)kind,
                                            .points = points,
                                            .point_count = 24,
                                            .triangles = triangles,
                                            .triangle_count = kind == PLIANT_SHAPE_MESH ? 2 : 0,
                                            .heights = heights,
                                            .columns = 4,
                                            .rows = 3,
                                            .spacing = 0.7f});
        def.radius = random_between(random, 0.1f, 1.0f);
        def.half_length = random_between(random, 0.1f, 1.0f);
        def.half_size = (pliant_vec3){0.1f, 0.2f, random_between(random, 0.1f, 1.0f)};
        if (kind < PLIANT_SHAPE_HULL)
            add_shape(scene, &def);
    }
}

static void add_colliders(pliant_scene *scene, uint32_t *random)
{
    for (int i = 0; i < scene->shape_count; ++i) {
        pliant_scene_collider collider = pliant_default_scene_collider();
        snprintf(collider.name, sizeof collider.name, "solid \"%d\"\\\n\xc3\xa9", i);
        collider.shape = i;
        collider.def.position = (pliant_vec3){40.0f + 5.0f * (float)i, -0.0f, 3.3e-41f};
        if (i % 2) {
            collider.def.orientation = random_quat(random);
            collider.def.linear_velocity = random_vec3(random, 1.0f);
            collider.def.angular_velocity = random_vec3(random, 1.0f);
            collider.def.friction = 0.123f;
            collider.def.restitution = 0.7f;
            collider.def.layers = 0xf0000001u;
            collider.def.mask = 0x80000000u;
            collider.colour[2] = 0.1f;
        }
        pliant_scene_add_collider(scene, &collider);
    }
}

static void add_bodies(pliant_scene *scene, uint32_t *random)
{
    for (int i = 0; i < 3; ++i) {
        pliant_scene_body body = pliant_default_scene_body();
        snprintf(body.name, sizeof body.name, "b%d", i);
        body.model = i % 2;
        body.def.position = random_vec3(random, 3.0f);
        if (i > 0) {
            body.def.orientation = random_quat(random);
            body.def.linear_velocity = random_vec3(random, 1.0f);
            body.def.angular_velocity = (pliant_vec3){-0.0f, 1e-30f, 1.0f / 3.0f};
            body.def.linear_damping = 0.1f;
            body.def.angular_damping = 0.2f;
            body.def.shape_damping = 0.3f;
            body.def.gravity_scale = -0.7f;
            body.def.friction = 0.9f;
            body.def.restitution = 0.1f;
            body.def.layers = 1u << 31;
            body.def.mask = 0xfffffffeu;
            body.def.self_collision = body.def.gyroscopic = true;
            body.colour[0] = 1.0f / 3.0f;
        }
        pliant_scene_add_body(scene, &body);
    }
}

static void add_actions(pliant_scene *scene)
{
    pliant_scene_attachment attachment = pliant_default_scene_attachment();
    attachment.anchor = (pliant_vec3){0.1f, 0.2f, 0.3f};
    pliant_scene_add_attachment(scene, &attachment);
    attachment.collider = 2;
    attachment.length = 0.1f;
    attachment.is_slack = true;
    attachment.stiffness = 0.3f;
    attachment.strength = 77.7f;
    pliant_scene_add_attachment(scene, &attachment);
    attachment.collider = -1;
    attachment.other_body = 2;
    attachment.other_particle = 0;
    attachment.body = attachment.particle = 1;
    pliant_scene_add_attachment(scene, &attachment);

    pliant_scene_force force = {.body = 1, .particle = -1, .force = {0.1f, 0, 0}, .end = FLT_MAX};
    pliant_scene_add_force(scene, &force);
    force = (pliant_scene_force){1, 2, {0, 1.0f / 3.0f, 0}, 0.1f, 0.2f};
    pliant_scene_add_force(scene, &force);
    pliant_scene_motor motor = {
        .body = 1, .speed = 0.1f, .torque = 0.3f, .begin = 0.2f, .end = 0.7f};
    pliant_scene_add_motor(scene, &motor);

    int32_t pinned[1] = {3};
    pliant_scene_key keys[3] = {{-0.25f, {0, 0, 0}, {0, 0, 0}},
                                {0.3f, {0.1f, 0, 0}, {0, 0, 0}},
                                {0.4f, {0.1f, 0, -0.0f}, {0, 7.1f, 0}}};
    pliant_scene_driver driver = {.body = 1,
                                  .particle_count = 1,
                                  .particles = pinned,
                                  .collider = -1,
                                  .pivot = {0.1f, 0.2f, 0.3f},
                                  .key_count = 3,
                                  .keys = keys};
    pliant_scene_add_driver(scene, &driver);
    driver = (pliant_scene_driver){.collider = 3, .key_count = 2, .keys = keys + 1};
    pliant_scene_add_driver(scene, &driver);
}

static pliant_scene *full_scene(uint32_t seed)
{
    pliant_scene *scene = pliant_scene_create();
    assert_non_null(scene);
    strcpy(scene->name, "full");
    strcpy(scene->title, "all of it, with a \\ and a \"");
    scene->seconds = 1.1f;
    scene->world.gravity = random_vec3(&seed, 9.0f);
    scene->world.substep_length = 0.00456f;
    scene->world.iterations = 4;
    scene->world.restitution_threshold = 0.3f;
    scene->world.impact_speed = 0.7f;
    scene->world.sleep_speed = 0.01f;
    scene->world.sleep_time = 0.9f;
    scene->camera = (pliant_scene_camera){{0.1f, 0.2f, 0.3f}, {1, 2, 3}, 1.1f};
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_ball_def ball = pliant_default_ball_def();
    pliant_builder_add_ball(builder, &ball);
    assert_int_equal(pliant_scene_add_model(scene, pliant_builder_build(builder, NULL)), 0);
    pliant_builder_destroy(builder);
    assert_int_equal(pliant_scene_add_model(scene, hinged_model()), 1);
    add_bodies(scene, &seed);
    pliant_plane_def plane = {{1, 2, random_between(&seed, 0, 1)}, -90.1f, 0.3f, 0.1f};
    pliant_scene_add_plane(scene, &plane);
    add_shapes(scene, &seed);
    add_colliders(scene, &seed);
    add_actions(scene);
    return scene;
}

static void everything_comes_back(void **unused)
{
    (void)unused;
    for (uint32_t seed = 1; seed <= 20; ++seed) {
        pliant_scene *scene = full_scene(seed);
        saved s = save(scene);
        pliant_scene *again = load(&s);
        assert_same_scene(again, scene);
        assert_int_equal(run_hash(again, 30), run_hash(scene, 30));
        release(&s, scene->model_count);
        pliant_scene_destroy(again);
        pliant_scene_destroy(scene);
    }
}

// Every angle of view comes back, though it is written in degrees; and round ones are written round.
static void angles_of_view_come_back(void **unused)
{
    (void)unused;
    pliant_scene *scene = pliant_scene_create();
    uint32_t random = 7;
    for (int i = 0; i < 2000; ++i) {
        scene->camera.vertical_fov = random_between(&random, 0.0175f, 2.967f);
        size_t size;
        char *text = write_text(scene, &size);
        pliant_scene *again = pliant_scene_read(text, size, NULL, NULL);
        assert_non_null(again);
        SAME(again->camera.vertical_fov, scene->camera.vertical_fov);
        pliant_scene_destroy(again);
        free(text);
    }
    scene->camera.vertical_fov = 0.785398163f;
    size_t size;
    char *text = write_text(scene, &size);
    assert_non_null(strstr(text, "\"vertical_fov_degrees\": 45\n"));
    free(text);
    pliant_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------
// What needs care

// Names tell things apart in a file: those that do not are changed, nothing else is.
static void names_become_fit(void **unused)
{
    (void)unused;
    pliant_scene *scene = pliant_scene_create();
    assert_int_equal(pliant_scene_add_model(scene, hinged_model()), 0);
    static const char *const names[] = {"a", "a", "", "a #2", "\xff", "body 2"};
    for (int i = 0; i < 8; ++i) {
        pliant_scene_body body = pliant_default_scene_body();
        if (i < 6)
            strcpy(body.name, names[i]);
        else
            memset(body.name, 'x', sizeof body.name - 1);
        pliant_scene_add_body(scene, &body);
    }
    saved s = save(scene);
    pliant_scene *again = load(&s);
    assert_int_equal(again->body_count, 8);
    static const char *const expected[] = {"a",       "a #2",     "body 2",
                                           "a #2 #4", "\xc3\xbf", "body 2 #6"};
    for (int i = 0; i < 6; ++i)
        assert_string_equal(again->bodies[i].name, expected[i]);
    assert_string_equal(again->bodies[6].name, scene->bodies[6].name);
    assert_int_equal(strlen(again->bodies[7].name), sizeof again->bodies[7].name - 1);
    assert_string_equal(again->bodies[7].name + sizeof again->bodies[7].name - 4, " #8");
    assert_int_equal(run_hash(again, 5), run_hash(scene, 5));
    release(&s, 1);
    pliant_scene_destroy(again);
    pliant_scene_destroy(scene);
}

// What means the same in a run may be written in another way.
static void odd_times_run_alike(void **unused)
{
    (void)unused;
    pliant_scene *scene = full_scene(3);
    scene->forces[0].begin = -5.0f;
    scene->forces[0].end = INFINITY;
    scene->forces[1].begin = 0.3f;
    scene->forces[1].end = 0.1f;
    scene->motors[0].begin = -INFINITY;
    scene->attachments[2].anchor = (pliant_vec3){9, 9, 9}; // it is held by a body
    scene->drivers[1].key_count = 0;
    saved s = save(scene);
    pliant_scene *again = load(&s);
    assert_int_equal(again->driver_count, 1);
    assert_int_equal(run_hash(again, 60), run_hash(scene, 60));
    release(&s, scene->model_count);
    pliant_scene_destroy(again);
    pliant_scene_destroy(scene);
}

static void an_empty_scene_comes_back(void **unused)
{
    (void)unused;
    pliant_scene *scene = pliant_scene_create();
    size_t size;
    char *text = write_text(scene, &size);
    pliant_error error = {0};
    pliant_scene *again = pliant_scene_read(text, size, NULL, &error);
    if (!again)
        fail_msg("%s: %s", error.place, error.message);
    assert_same_scene(again, scene);
    pliant_scene_destroy(again);
    pliant_scene_destroy(scene);
    free(text);
}

typedef void spoil(pliant_scene *scene);

static void spoil_gravity(pliant_scene *scene)
{
    scene->world.gravity.y = NAN;
}
static void spoil_position(pliant_scene *scene)
{
    scene->bodies[1].def.position.x = INFINITY;
}
static void spoil_model(pliant_scene *scene)
{
    scene->bodies[1].model = 2;
}
static void spoil_shape(pliant_scene *scene)
{
    scene->colliders[2].shape = -1;
}
static void spoil_friction(pliant_scene *scene)
{
    scene->planes[0].friction = -1.0f;
}
static void spoil_colour(pliant_scene *scene)
{
    scene->bodies[2].colour[1] = 1.5f;
}
static void spoil_force_body(pliant_scene *scene)
{
    scene->forces[1].body = 3;
}
static void spoil_particle(pliant_scene *scene)
{
    scene->attachments[0].particle = 1;
}
static void spoil_hinge(pliant_scene *scene)
{
    scene->motors[0].hinge = 1;
}
static void spoil_keys(pliant_scene *scene)
{
    scene->drivers[0].keys[1].time = -1.0f;
}
static void spoil_free_particle(pliant_scene *scene)
{
    scene->drivers[0].particles[0] = 0;
}
static void spoil_camera(pliant_scene *scene)
{
    scene->camera.vertical_fov = 0.0f;
}
static void spoil_seconds(pliant_scene *scene)
{
    scene->seconds = -1.0f;
}

// One line that says what and where; and there is no text.
static void what_cannot_be_said_is_told(void **unused)
{
    (void)unused;
    static const struct {
        spoil *spoil;
        const char *place, *message;
    } cases[] = {
        {spoil_gravity, "world.gravity[1]", "found null"},
        {spoil_position, "bodies[1].position[0]", "found null"},
        {spoil_model, "bodies[1].model", "there is no model \"number 2\""},
        {spoil_shape, "colliders[2].shape", "there is no shape"},
        {spoil_friction, "planes[0].friction", "found -1"},
        {spoil_colour, "bodies[2].colour[1]", "found 1.5"},
        {spoil_force_body, "forces[1].body", "there is no body \"number 3\""},
        {spoil_particle, "attachments[0].particle", "found 1"},
        {spoil_hinge, "motors[0].hinge", "found 1"},
        {spoil_keys, "drivers[0].keys[1].time", "above the key before"},
        {spoil_free_particle, "drivers[0].particles[0]", "0 is free"},
        {spoil_camera, "camera.vertical_fov_degrees", "found 0"},
        {spoil_seconds, "seconds", "found -1"},
    };
    static const char *const files[2] = {"a.pliant", "b.pliant"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        pliant_scene *scene = full_scene(5);
        cases[i].spoil(scene);
        pliant_error error = {0};
        char *text = NULL;
        size_t size;
        assert_int_equal(pliant_scene_write(scene, files, &text, &size, &error),
                         PLIANT_ERROR_ARGUMENT);
        assert_int_equal(error.code, PLIANT_ERROR_ARGUMENT);
        assert_string_equal(error.place, cases[i].place);
        if (!strstr(error.message, cases[i].message))
            fail_msg("%s: %s", error.place, error.message);
        assert_null(text);
        assert_int_equal(pliant_scene_write(scene, files, &text, &size, NULL),
                         PLIANT_ERROR_ARGUMENT);
        pliant_scene_destroy(scene);
    }
}

static void model_files_need_names(void **unused)
{
    (void)unused;
    static const char *const names[] = {NULL, "", "caf\xe9.glb"};
    pliant_scene *scene = full_scene(1);
    for (int i = 0; i < 3; ++i) {
        const char *files[2] = {"a.pliant", names[i]};
        pliant_error error = {0};
        char *text = NULL;
        size_t size;
        assert_int_equal(pliant_scene_write(scene, files, &text, &size, &error),
                         PLIANT_ERROR_ARGUMENT);
        assert_string_equal(error.place, "model file 1");
        assert_null(text);
    }
    // One file may serve twice, and its name may be anything else.
    const char *files[2] = {"sub folder/caf\xc3\xa9 \"x\".tar.glb", "/caf\xc3\xa9 \"x\".glb"};
    char *text;
    size_t size;
    assert_int_equal(pliant_scene_write(scene, files, &text, &size, NULL), PLIANT_OK);
    assert_non_null(strstr(text, "\"caf\xc3\xa9 \\\"x\\\"\": {\"file\": \"sub folder/"));
    assert_non_null(strstr(text, "\"caf\xc3\xa9 \\\"x\\\" #2\": {\"file\": \"/caf"));
    free(text);
    pliant_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_in_scenes_run_on_from_their_files),
        cmocka_unit_test(everything_comes_back),
        cmocka_unit_test(angles_of_view_come_back),
        cmocka_unit_test(names_become_fit),
        cmocka_unit_test(odd_times_run_alike),
        cmocka_unit_test(an_empty_scene_comes_back),
        cmocka_unit_test(what_cannot_be_said_is_told),
        cmocka_unit_test(model_files_need_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
