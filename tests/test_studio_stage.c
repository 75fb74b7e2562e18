// Scenes on stage: hashes, grip, wind, settings, recordings.

#include "studio_drive.h"

#include "scenes.h"

static void stage_scene(studio *s, const char *name)
{
    char text[96];
    snprintf(text, sizeof text, "{\"scene\":{\"name\":\"%s\"}}", name);
    ask(s, text);
    assert_true(answer_has(s, "\"mode\":\"play\""));
}

static void scenes_run_as_everywhere(void **state)
{
    (void)state;
    studio *s = studio_create();
    for (int i = 0; i < scene_entry_count(); ++i) {
        if (strcmp(scene_entry_at(i)->name, "army") == 0)
            continue; // too slow for what it would add
        stage_scene(s, scene_entry_at(i)->name);
        int steps = FULL_LENGTH ? 20 : 2;
        studio_advance(s, 1.0f / 60.0f, steps);
        pliant_error error = {0};
        pliant_scene *scene = scene_entry_at(i)->create(&error);
        pliant_stage stage;
        assert_int_equal(pliant_stage_open(&stage, scene, NULL, &error), PLIANT_OK);
        for (int k = 0; k < steps; ++k)
            pliant_stage_step(&stage, 1.0f / 60.0f);
        char expected[24], hash[17];
        snprintf(expected, sizeof expected, "%016llx",
                 (unsigned long long)pliant_world_hash(stage.world));
        pliant_stage_close(&stage);
        pliant_scene_destroy(scene);
        stage_hash(s, hash);
        assert_string_equal(hash, expected);
    }
    studio_destroy(s);
}

// ---------------------------------------------------------------------------------------------
// Views

static size_t view_size(studio *s, studio_view_kind kind)
{
    size_t count;
    studio_view(s, kind, &count);
    return count;
}

static void views_fit_the_state(void **state)
{
    (void)state;
    studio *s = studio_create();
    stage_scene(s, "cart");
    studio_advance(s, 1.0f / 60.0f, 60);
    studio_skin(s);
    ask(s, "{\"state\":{}}");
    size_t particles = (size_t)answer_int(s, "stage.particles");
    size_t edges = (size_t)answer_int(s, "stage.edges");
    size_t vertices = (size_t)answer_int(s, "stage.vertices");
    assert_int_equal(view_size(s, STUDIO_VIEW_POSES), 7 * particles);
    assert_int_equal(view_size(s, STUDIO_VIEW_PARTICLES), STUDIO_PARTICLE_STRIDE * particles);
    assert_int_equal(view_size(s, STUDIO_VIEW_EDGES), 2 * edges);
    assert_int_equal(view_size(s, STUDIO_VIEW_EDGE_VALUES), 2 * edges);
    assert_int_equal(view_size(s, STUDIO_VIEW_POSITIONS), 3 * vertices);
    assert_int_equal(view_size(s, STUDIO_VIEW_NORMALS), 3 * vertices);
    assert_int_equal(view_size(s, STUDIO_VIEW_COLLIDERS),
                     7 * (size_t)answer_int(s, "stage.colliders"));
    assert_int_equal(view_size(s, STUDIO_VIEW_CONTACTS) % 7, 0);
    assert_int_equal(view_size(s, STUDIO_VIEW_SELECTED_VERTICES), 0);

    size_t count;
    const float *normals = studio_view(s, STUDIO_VIEW_NORMALS, &count);
    for (size_t i = 0; i < count; i += 3)
        assert_near(normals[i] * normals[i] + normals[i + 1] * normals[i + 1] +
                        normals[i + 2] * normals[i + 2],
                    1.0, 1e-4);
    const int32_t *ends = studio_view(s, STUDIO_VIEW_EDGES, &count);
    for (size_t i = 0; i < count; ++i)
        assert_in_range(ends[i], 0, particles - 1);
    const void *looks = studio_view(s, STUDIO_VIEW_LOOKS, &count);
    pliant_glb_info info;
    assert_int_equal(pliant_glb_inspect(looks, count, &info, NULL), PLIANT_OK);
    assert_int_equal(info.skins, answer_int(s, "stage.bodies"));
    studio_frame frame = studio_frame_now(s);
    assert_near(frame.time, 1.0, 1e-5);
    assert_near(frame.steps, 60.0, 0.0);
    studio_destroy(s);
}

// The vertices of each primitive are as many as the state says, in the order of the file's primitives.
static void primitives_are_those_of_the_looks(void **state)
{
    (void)state;
    studio *s = studio_with_octopus();
    assert_int_equal(answer_int(s, "document.primitives"), 3);
    int vertices = 0;
    for (int i = 0; i < 3; ++i) {
        char path[64];
        snprintf(path, sizeof path, "document.primitives.%d.firstVertex", i);
        assert_int_equal(answer_int(s, path), vertices);
        snprintf(path, sizeof path, "document.primitives.%d.vertices", i);
        vertices += answer_int(s, path);
    }
    assert_int_equal(answer_int(s, "document.vertices"), vertices);
    size_t size;
    const void *looks = studio_view(s, STUDIO_VIEW_LOOKS, &size);
    pliant_glb_info info;
    assert_int_equal(pliant_glb_inspect(looks, size, &info, NULL), PLIANT_OK);
    assert_int_equal(info.skins, 1);
    assert_int_equal(info.primitives, 3);
    assert_int_equal((int)info.vertices, vertices);
    studio_destroy(s);
}

// ---------------------------------------------------------------------------------------------
// Grip

static vec3 particle_place(studio *s, int body, int particle)
{
    return pliant_body_particle_pose(s->play->stage.world, s->play->stage.bodies[body], particle)
        .position;
}

static void grab(studio *s, vec3 origin, vec3 direction)
{
    char text[200];
    snprintf(text, sizeof text, "{\"grab\":{\"origin\":[%g,%g,%g],\"direction\":[%g,%g,%g]}}",
             (double)origin.x, (double)origin.y, (double)origin.z, (double)direction.x,
             (double)direction.y, (double)direction.z);
    ask(s, text);
}

static void drag(studio *s, vec3 point)
{
    char text[128];
    snprintf(text, sizeof text, "{\"drag\":{\"point\":[%g,%g,%g]}}", (double)point.x,
             (double)point.y, (double)point.z);
    ask(s, text);
}

// The longest edge of a body, compared with its length at rest.
static float largest_stretch(studio *s, int body)
{
    const pliant_model *model =
        pliant_body_model(s->play->stage.world, s->play->stage.bodies[body]);
    const pliant_particle_def *rest = pliant_model_particles(model);
    float largest = 0.0f;
    for (int i = 0; i < pliant_model_edge_count(model); ++i) {
        pliant_edge_def edge = pliant_model_edges(model)[i];
        float now =
            vec3_length(vec3_sub(particle_place(s, body, edge.a), particle_place(s, body, edge.b)));
        float then = vec3_length(vec3_sub(rest[edge.a].position, rest[edge.b].position));
        largest = maximum(largest, now / then);
    }
    return largest;
}

static void what_is_grabbed_follows_and_flies(void **state)
{
    (void)state;
    studio *s = studio_with_model();
    ask(s, "{\"simulate\":{}}");
    studio_advance(s, 1.0f / 60.0f, 60);
    ask(s, "{\"state\":{}}");
    // Straight at the first particle from above, past all colliders.
    vec3 x = particle_place(s, 0, 0);
    grab(s, (vec3){x.x, x.y + 5.0f, x.z}, (vec3){0.0f, -3.0f, 0.0f});
    int particle = answer_int(s, "held.particle");
    assert_int_equal(answer_int(s, "held.body"), 0);
    vec3 point = {(float)answer_number(s, "held.point.0"), (float)answer_number(s, "held.point.1"),
                  (float)answer_number(s, "held.point.2")};
    // Held and not moved it stays about where it is.
    vec3 held = particle_place(s, 0, particle);
    studio_advance(s, 1.0f / 60.0f, 30);
    assert_below(vec3_length(vec3_sub(particle_place(s, 0, particle), held)), 0.05);
    // A quick pull of two metres upwards: it follows without being torn apart, and flies on when let go.
    float stretch = 0.0f;
    for (int i = 1; i <= 30; ++i) {
        drag(s, (vec3){point.x, point.y + 2.0f * (float)i / 30.0f, point.z});
        studio_advance(s, 1.0f / 60.0f, 1);
        stretch = maximum(stretch, largest_stretch(s, 0));
    }
    assert_true(particle_place(s, 0, particle).y > held.y + 1.0f);
    ask(s, "{\"release\":{}}");
    double speed =
        pliant_body_motion(s->play->stage.world, s->play->stage.bodies[0]).linear_momentum[1] /
        pliant_body_motion(s->play->stage.world, s->play->stage.bodies[0]).mass;
    assert_true(speed > 1.0);
    assert_below(stretch, 1.5);
    studio_advance(s, 1.0f / 60.0f, 240);
    assert_near(studio_frame_now(s).frozen, 0.0, 0.0);
    studio_destroy(s);
}

static void grabbing_nothing_holds_nothing(void **state)
{
    (void)state;
    studio *s = studio_create();
    stage_scene(s, "jelly");
    grab(s, (vec3){0.0f, 50.0f, 0.0f}, (vec3){0.0f, 1.0f, 0.0f});
    assert_true(answer_has(s, "\"held\":null"));
    drag(s, (vec3){0.0f, 1.0f, 0.0f});
    ask(s, "{\"release\":{}}");
    char untouched[17], hash[17];
    studio_advance(s, 1.0f / 60.0f, 20);
    stage_hash(s, untouched);
    // Beside all ellipsoids, but within a few radii of one.
    ask(s, "{\"reset\":{}}");
    const pliant_model *model = pliant_body_model(s->play->stage.world, s->play->stage.bodies[0]);
    float radius = pliant_model_particles(model)[0].radii.x;
    vec3 low, high;
    pliant_body_bounds(s->play->stage.world, s->play->stage.bodies[0], &low, &high);
    grab(s, (vec3){0.5f * (low.x + high.x), high.y + 0.2f * radius, high.z + 3.0f},
         (vec3){0.0f, 0.0f, -1.0f});
    assert_false(answer_has(s, "\"held\":null"));
    // A reset lets go.
    ask(s, "{\"reset\":{}}");
    drag(s, (vec3){0.0f, 9.0f, 0.0f});
    studio_advance(s, 1.0f / 60.0f, 20);
    stage_hash(s, hash);
    assert_string_equal(hash, untouched);
    studio_destroy(s);
}

// ---------------------------------------------------------------------------------------------
// Settings and wind

static double mean_velocity(studio *s, int axis)
{
    pliant_motion motion = pliant_body_motion(s->play->stage.world, s->play->stage.bodies[0]);
    return motion.linear_momentum[axis] / motion.mass;
}

static void wind_carries_along_but_no_faster(void **state)
{
    (void)state;
    studio *s = studio_create();
    stage_scene(s, "spinner");
    ask(s, "{\"settings\":{\"gravity\":[0,0,0],\"wind\":{\"velocity\":[4,0,0],\"gusts\":0}}}");
    double last = mean_velocity(s, 0);
    for (int i = 0; i < 600; ++i) {
        studio_advance(s, 1.0f / 60.0f, 1);
        double now = mean_velocity(s, 0);
        assert_true(now >= last - 1e-5 && now <= 4.0 + 1e-3);
        last = now;
    }
    assert_true(last > 0.5);
    studio_destroy(s);
}

static void gusts_are_the_same_each_time(void **state)
{
    (void)state;
    studio *s = studio_create();
    stage_scene(s, "curtain");
    char calm[17], first[17], again[17];
    studio_advance(s, 1.0f / 60.0f, 30);
    stage_hash(s, calm);
    ask(s, "{\"reset\":{}}");
    ask(s, "{\"settings\":{\"wind\":{\"velocity\":[0,0,6],\"gusts\":0.7}}}");
    studio_advance(s, 1.0f / 60.0f, 30);
    stage_hash(s, first);
    assert_string_not_equal(first, calm);
    ask(s, "{\"reset\":{}}");
    assert_near(answer_number(s, "stage.settings.wind.gusts"), 0.7, 1e-6);
    studio_advance(s, 1.0f / 60.0f, 30);
    stage_hash(s, again);
    assert_string_equal(again, first);
    ask(s, "{\"reset\":{}}");
    ask(s, "{\"settings\":{\"wind\":{\"velocity\":[0,0,0],\"gusts\":0.7}}}");
    studio_advance(s, 1.0f / 60.0f, 30);
    stage_hash(s, again);
    assert_string_equal(again, calm);
    studio_destroy(s);
}

static void settings_are_kept_and_checked(void **state)
{
    (void)state;
    studio *s = studio_create();
    refuse(s, "{\"settings\":{\"stiffness\":2}}", "");
    stage_scene(s, "jelly");
    ask(s, "{\"settings\":{\"stiffness\":0.5,\"substeps\":8}}");
    ask(s, "{\"settings\":{\"iterations\":3}}");
    assert_near(answer_number(s, "stage.settings.stiffness"), 0.5, 0.0);
    assert_int_equal(answer_int(s, "stage.settings.substeps"), 8);
    refuse(s, "{\"settings\":{\"stiffness\":0.25,\"substeps\":0}}", "settings.substeps");
    refuse(s, "{\"settings\":{\"stiffness\":0.25,\"wind\":{\"velocity\":[1,0,0],\"gusts\":2}}}",
           "settings.wind.gusts");
    ask(s, "{\"reset\":{}}");
    assert_near(answer_number(s, "stage.settings.stiffness"), 0.5, 0.0);
    assert_int_equal(answer_int(s, "stage.settings.iterations"), 3);
    char soft[17], as_authored[17], plain[17];
    studio_advance(s, 1.0f / 60.0f, 60);
    stage_hash(s, soft);
    stage_scene(s, "jelly");
    studio_advance(s, 1.0f / 60.0f, 60);
    stage_hash(s, plain);
    ask(s, "{\"reset\":{}}");
    ask(s, "{\"settings\":{\"stiffness\":3}}");
    ask(s, "{\"settings\":{\"stiffness\":1}}");
    studio_advance(s, 1.0f / 60.0f, 60);
    stage_hash(s, as_authored);
    assert_string_equal(as_authored, plain);
    assert_string_not_equal(soft, plain);
    studio_destroy(s);
}

// ---------------------------------------------------------------------------------------------
// Recordings

static pliant_glb_info last_file(studio *s)
{
    size_t size;
    const void *file = studio_view(s, STUDIO_VIEW_FILE, &size);
    assert_non_null(file);
    assert_int_equal((int)size, answer_int(s, "size"));
    pliant_glb_info info;
    assert_int_equal(pliant_glb_inspect(file, size, &info, NULL), PLIANT_OK);
    return info;
}

static void last_seconds_are_baked(void **state)
{
    (void)state;
    studio *s = studio_create();
    refuse(s, "{\"bakeLast\":{\"seconds\":1,\"fps\":60}}", "");
    stage_scene(s, "chain");
    studio_advance(s, 1.0f / 60.0f, 180);
    ask(s, "{\"state\":{}}");
    assert_near(answer_number(s, "stage.recorded"), 3.0, 0.05);
    ask(s, "{\"bakeLast\":{\"seconds\":2,\"fps\":60}}");
    assert_true(answer_has(s, "\"name\":\"chain-bake.glb\""));
    assert_near(last_file(s).seconds, 2.0, 0.04);
    ask(s, "{\"bakeLast\":{\"seconds\":100,\"fps\":60}}");
    assert_near(last_file(s).seconds, 3.0, 0.04);
    studio_advance(s, 1.0f / 60.0f, 900);
    ask(s, "{\"state\":{}}");
    assert_near(answer_number(s, "stage.recorded"), 10.0, 0.05);
    ask(s, "{\"bakeLast\":{\"seconds\":100,\"fps\":60}}");
    assert_near(last_file(s).seconds, 10.0, 0.05);
    ask(s, "{\"reset\":{}}");
    assert_near(answer_number(s, "stage.recorded"), 0.0, 0.0);
    studio_destroy(s);
}

static void coming_seconds_are_baked(void **state)
{
    (void)state;
    studio *s = studio_create();
    stage_scene(s, "chain");
    refuse(s, "{\"bakeGoOn\":{\"frames\":1}}", "");
    refuse(s, "{\"bakeEnd\":{}}", "");
    refuse(s, "{\"bakeBegin\":{\"seconds\":1,\"fps\":0}}", "bakeBegin.fps");
    ask(s, "{\"bakeBegin\":{\"seconds\":0.5,\"fps\":30}}");
    assert_int_equal(answer_int(s, "total"), 16);
    studio_advance(s, 1.0f / 60.0f, 10); // has to wait
    do
        ask(s, "{\"bakeGoOn\":{\"frames\":4}}");
    while (answer_int(s, "frames") < answer_int(s, "total"));
    ask(s, "{\"bakeEnd\":{}}");
    assert_near(last_file(s).seconds, 0.5, 1e-4);
    char baked[17], played[17];
    stage_hash(s, baked);
    ask(s, "{\"reset\":{}}");
    studio_advance(s, 1.0f / 60.0f, 30);
    stage_hash(s, played);
    assert_string_equal(baked, played);
    ask(s, "{\"bakeBegin\":{\"seconds\":9,\"fps\":60}}");
    ask(s, "{\"bakeGoOn\":{\"frames\":5}}");
    ask(s, "{\"bakeCancel\":{}}");
    refuse(s, "{\"bakeEnd\":{}}", "");
    studio_advance(s, 1.0f / 60.0f, 1);
    assert_near(studio_frame_now(s).steps, 36.0, 0.0);
    studio_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_run_as_everywhere),
        cmocka_unit_test(views_fit_the_state),
        cmocka_unit_test(primitives_are_those_of_the_looks),
        cmocka_unit_test(what_is_grabbed_follows_and_flies),
        cmocka_unit_test(grabbing_nothing_holds_nothing),
        cmocka_unit_test(wind_carries_along_but_no_faster),
        cmocka_unit_test(gusts_are_the_same_each_time),
        cmocka_unit_test(settings_are_kept_and_checked),
        cmocka_unit_test(last_seconds_are_baked),
        cmocka_unit_test(coming_seconds_are_baked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
