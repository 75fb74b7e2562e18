// Running a scene: forces act when they should, drivers move particles as their keys say.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pliant/author.h>

#include <math.h>
#include <string.h>

static pliant_scene *read_text(const char *text)
{
    pliant_error error = {0};
    pliant_scene *scene = pliant_scene_read(text, strlen(text), NULL, &error);
    if (!scene)
        fail_msg("%s: %s", error.place, error.message);
    return scene;
}

#define ONE_PARTICLE                                                                               \
    "\"world\": {\"gravity\": [0, 0, 0]},"                                                         \
    "\"models\": {\"m\": {\"particles\": [{\"position\": [0, 0, 0], \"mass\": 2}]}},"              \
    "\"bodies\": [{\"name\": \"b\", \"model\": \"m\", \"linear_damping\": 0}]"

static void forces_act_between_their_times(void **unused)
{
    (void)unused;
    pliant_scene *scene =
        read_text("{\"pliant\": 1, " ONE_PARTICLE ", \"forces\": ["
                  "{\"body\": \"b\", \"force\": [4, 0, 0], \"begin\": 0.25, \"end\": 0.75},"
                  "{\"body\": \"b\", \"particle\": 0, \"force\": [0, 2, 0], \"begin\": 0.5}]}");
    pliant_stage stage;
    assert_int_equal(pliant_stage_open(&stage, scene, NULL, NULL), PLIANT_OK);
    // Steps of an eighth of a second, which is exact: v = F t / m.
    const float expected_x[] = {0, 0, 0.25f, 0.5f, 0.75f, 1, 1, 1};
    const float expected_y[] = {0, 0, 0, 0, 0.125f, 0.25f, 0.375f, 0.5f};
    for (int i = 0; i < 8; ++i) {
        pliant_stage_step(&stage, 0.125f);
        pliant_vec3 v = pliant_body_particle_velocity(stage.world, stage.bodies[0], 0);
        assert_true(fabsf(v.x - expected_x[i]) < 1e-4f);
        assert_true(fabsf(v.y - expected_y[i]) < 1e-4f);
    }
    pliant_stage_close(&stage);
    pliant_scene_destroy(scene);
}

static void drivers_follow_their_keys(void **unused)
{
    (void)unused;
    pliant_scene *scene = read_text(
        "{\"pliant\": 1, \"models\": {\"m\": {\"particles\": ["
        "{\"position\": [1, 0, 0], \"pinned\": true}, {\"position\": [2, 0, 0], \"pinned\": "
        "true}]}},"
        "\"bodies\": [{\"model\": \"m\", \"position\": [0, 1, 0]}],"
        "\"drivers\": [{\"body\": 0, \"particles\": [1], \"pivot\": [0, 1, 0], \"keys\": ["
        "{\"time\": 0.5}, {\"time\": 1.5, \"translation\": [0, 0, 2],"
        " \"rotation\": [0, 0, 3.14159265]}]}]}");
    pliant_stage stage;
    assert_int_equal(pliant_stage_open(&stage, scene, NULL, NULL), PLIANT_OK);
    for (int i = 1; i <= 16; ++i) {
        pliant_stage_step(&stage, 0.125f);
        double s = fmin(fmax(i * 0.125 - 0.5, 0.0), 1.0), angle = s * 3.14159265358979;
        pliant_pose pose = pliant_body_particle_pose(stage.world, stage.bodies[0], 1);
        assert_true(fabs((double)pose.position.x - 2.0 * cos(angle)) < 1e-5);
        assert_true(fabs((double)pose.position.y - 1.0 - 2.0 * sin(angle)) < 1e-5);
        assert_true(fabs((double)pose.position.z - 2.0 * s) < 1e-5);
        assert_true(fabs(fabs((double)pose.orientation.z) - sin(angle / 2)) < 1e-5);
        // The other pinned particle has no driver and stays.
        pliant_pose other = pliant_body_particle_pose(stage.world, stage.bodies[0], 0);
        assert_true(other.position.x == 1.0f && other.position.y == 1.0f);
    }
    pliant_stage_close(&stage);
    pliant_scene_destroy(scene);
}

static void world_settings_can_be_replaced(void **unused)
{
    (void)unused;
    pliant_scene *scene = read_text("{\"pliant\": 1, " ONE_PARTICLE "}");
    pliant_world_def def = scene->world;
    def.gravity = (pliant_vec3){0, 3, 0};
    pliant_stage stage;
    assert_int_equal(pliant_stage_open(&stage, scene, &def, NULL), PLIANT_OK);
    assert_true(pliant_world_gravity(stage.world).y == 3.0f);
    pliant_stage_close(&stage);
    pliant_scene_destroy(scene);
}

static void refuses_what_is_not_there(void **unused)
{
    (void)unused;
    pliant_scene *scene = read_text("{\"pliant\": 1, " ONE_PARTICLE "}");
    pliant_stage stage;
    pliant_error error = {0};
    pliant_scene_force force = {.body = 0, .particle = 1};
    pliant_scene_add_force(scene, &force);
    assert_int_equal(pliant_stage_open(&stage, scene, NULL, &error), PLIANT_ERROR_ARGUMENT);
    assert_string_equal(error.place, "forces[0]");
    assert_null(stage.world);
    scene->force_count = 0;

    int32_t particle = 5;
    pliant_scene_key key = {0};
    pliant_scene_driver driver = {
        .particle_count = 1, .particles = &particle, .key_count = 1, .keys = &key};
    pliant_scene_add_driver(scene, &driver);
    assert_int_equal(pliant_stage_open(&stage, scene, NULL, &error), PLIANT_ERROR_ARGUMENT);
    assert_string_equal(error.place, "drivers[0]");

    scene->bodies[0].model = 1;
    assert_int_equal(pliant_stage_open(&stage, scene, NULL, &error), PLIANT_ERROR_ARGUMENT);
    assert_string_equal(error.place, "bodies[0]: model");
    scene->bodies[0].model = 0;
    scene->bodies[0].def.friction = -1.0f;
    assert_true(pliant_stage_open(&stage, scene, NULL, &error) != PLIANT_OK);
    assert_int_equal(strncmp(error.place, "bodies[0]", 9), 0);
    pliant_scene_destroy(scene);
}

static void equal_runs_have_equal_hashes(void **unused)
{
    (void)unused;
    pliant_scene *scene = read_text(
        "{\"pliant\": 1, \"models\": {\"m\": {\"rope\": {}, \"pinned\": [0]}},"
        "\"bodies\": [{\"model\": \"m\", \"position\": [0, 2, 0]}],"
        "\"planes\": [{\"normal\": [0, 1, 0]}], \"drivers\": [{\"body\": 0, \"particles\": [0],"
        "\"keys\": [{\"time\": 0}, {\"time\": 1, \"rotation\": [0, 9, 0]}]}]}");
    uint64_t hashes[2];
    for (int run = 0; run < 2; ++run) {
        pliant_stage stage;
        assert_int_equal(pliant_stage_open(&stage, scene, NULL, NULL), PLIANT_OK);
        uint64_t start = pliant_world_hash(stage.world);
        for (int i = 0; i < 30; ++i)
            pliant_stage_step(&stage, 1.0f / 60.0f);
        hashes[run] = pliant_world_hash(stage.world);
        assert_true(hashes[run] != start);
        pliant_stage_close(&stage);
    }
    assert_true(hashes[0] == hashes[1]);
    pliant_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_act_between_their_times),
        cmocka_unit_test(drivers_follow_their_keys),
        cmocka_unit_test(world_settings_can_be_replaced),
        cmocka_unit_test(refuses_what_is_not_there),
        cmocka_unit_test(equal_runs_have_equal_hashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
