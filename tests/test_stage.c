// Running a scene: forces and motors act when they should, drivers move particles and colliders as their
// keys say, attachments hold.

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

static void drivers_move_colliders(void **unused)
{
    (void)unused;
    pliant_scene *scene =
        read_text("{\"pliant\": 1, " ONE_PARTICLE ", \"colliders\": ["
                  "{\"name\": \"still\", \"sphere\": {}, \"position\": [9, 9, 9]},"
                  "{\"name\": \"paddle\", \"box\": {}, \"position\": [7, 0, 0]}],"
                  "\"drivers\": [{\"collider\": \"paddle\", \"pivot\": [5, 0, 0], \"keys\": ["
                  "{\"time\": 0.5}, {\"time\": 1.5, \"translation\": [0, 0, 2],"
                  " \"rotation\": [0, 0, 3.14159265]}]}]}");
    pliant_stage stage;
    assert_int_equal(pliant_stage_open(&stage, scene, NULL, NULL), PLIANT_OK);
    for (int i = 1; i <= 16; ++i) {
        pliant_stage_step(&stage, 0.125f);
        double s = fmin(fmax(i * 0.125 - 0.5, 0.0), 1.0), angle = s * 3.14159265358979;
        pliant_pose pose = pliant_collider_pose(stage.world, stage.colliders[1]);
        assert_true(fabs((double)pose.position.x - 5.0 - 2.0 * cos(angle)) < 1e-5);
        assert_true(fabs((double)pose.position.y - 2.0 * sin(angle)) < 1e-5);
        assert_true(fabs((double)pose.position.z - 2.0 * s) < 1e-5);
        assert_true(fabs(fabs((double)pose.orientation.z) - sin(angle / 2)) < 1e-5);
        pliant_pose other = pliant_collider_pose(stage.world, stage.colliders[0]);
        assert_true(other.position.x == 9.0f && other.orientation.w == 1.0f);
    }
    pliant_stage_close(&stage);
    pliant_scene_destroy(scene);
}

static void colliders_keep_their_velocity(void **unused)
{
    (void)unused;
    pliant_scene *scene =
        read_text("{\"pliant\": 1, " ONE_PARTICLE
                  ", \"colliders\": [{\"capsule\": {}, \"position\": [5, 0, 0],"
                  "\"linear_velocity\": [0, 0, 2], \"angular_velocity\": [0, 1, 0]}]}");
    pliant_stage stage;
    assert_int_equal(pliant_stage_open(&stage, scene, NULL, NULL), PLIANT_OK);
    for (int i = 0; i < 8; ++i)
        pliant_stage_step(&stage, 0.125f);
    pliant_pose pose = pliant_collider_pose(stage.world, stage.colliders[0]);
    assert_true(fabs((double)pose.position.z - 2.0) < 1e-4 &&
                fabsf(pose.position.x - 5.0f) < 1e-5f);
    assert_true(fabs((double)pose.orientation.y - sin(0.5)) < 1e-3);
    pliant_stage_close(&stage);
    pliant_scene_destroy(scene);
}

// A particle on a string of 1 m from a point falls until the string is taut.
static void attachments_hold(void **unused)
{
    (void)unused;
    pliant_scene *scene = read_text(
        "{\"pliant\": 1, \"models\": {\"m\": {\"particles\": [{\"position\": [0, 0, 0]}]}},"
        "\"bodies\": [{\"model\": \"m\"}, {\"model\": \"m\", \"position\": [5, 0, 0]}],"
        "\"colliders\": [{\"sphere\": {\"radius\": 0.1}, \"position\": [5, 3, 0]}],"
        "\"attachments\": [{\"body\": 0, \"particle\": 0, \"anchor\": [0, 0.5, 0], \"length\": 1,"
        " \"slack\": true}, {\"body\": 1, \"particle\": 0, \"collider\": 0, \"anchor\": [0, 0, "
        "0]}]}");
    pliant_stage stage;
    assert_int_equal(pliant_stage_open(&stage, scene, NULL, NULL), PLIANT_OK);
    for (int i = 0; i < 120; ++i)
        pliant_stage_step(&stage, 1.0f / 60.0f);
    assert_true(pliant_attachment_is_valid(stage.world, stage.attachments[1]));
    float y = pliant_body_particle_pose(stage.world, stage.bodies[0], 0).position.y;
    assert_true(fabsf(y + 0.5f) < 0.02f);
    y = pliant_body_particle_pose(stage.world, stage.bodies[1], 0).position.y;
    assert_true(fabsf(y) < 0.02f);
    pliant_stage_close(&stage);
    pliant_scene_destroy(scene);
}

// Two free plates on a hinge, far from anything: a motor turns them against each other.
static void motors_act_between_their_times(void **unused)
{
    (void)unused;
    pliant_scene *scene = read_text(
        "{\"pliant\": 1, \"world\": {\"gravity\": [0, 0, 0], \"sleep_speed\": 0}, \"models\": "
        "{\"m\": {"
        "\"particles\": [{\"position\": [0, 0, -0.5]}, {\"position\": [0, 0, 0.5]},"
        " {\"position\": [1, 0, 0]}, {\"position\": [-1, 0, 0]}],"
        "\"groups\": [{\"members\": [0, 1, 2]}, {\"members\": [0, 1, 3]}],"
        "\"hinges\": [{\"group_a\": 0, \"group_b\": 1, \"particle_a\": 0, \"particle_b\": 1}]}},"
        "\"bodies\": [{\"model\": \"m\", \"linear_damping\": 0, \"angular_damping\": 0}],"
        "\"motors\": [{\"body\": 0, \"hinge\": 0, \"speed\": 0.5, \"torque\": 100, \"end\": 0.5},"
        " {\"body\": 0, \"hinge\": 0, \"speed\": -0.5, \"torque\": 100, \"begin\": 0.5, \"end\": "
        "1}]}");
    pliant_stage stage;
    assert_int_equal(pliant_stage_open(&stage, scene, NULL, NULL), PLIANT_OK);
    for (int i = 0; i < 28; ++i)
        pliant_stage_step(&stage, 1.0f / 60.0f);
    float first = pliant_body_hinge_speed(stage.world, stage.bodies[0], 0);
    assert_true(stage.motors_on[0] && !stage.motors_on[1]);
    for (int i = 0; i < 28; ++i)
        pliant_stage_step(&stage, 1.0f / 60.0f);
    float second = pliant_body_hinge_speed(stage.world, stage.bodies[0], 0);
    assert_true(!stage.motors_on[0] && stage.motors_on[1]);
    for (int i = 0; i < 28; ++i)
        pliant_stage_step(&stage, 1.0f / 60.0f);
    assert_true(!stage.motors_on[0] && !stage.motors_on[1]);
    assert_true(fabsf(first - 0.5f) < 0.05f);
    assert_true(fabsf(second + 0.5f) < 0.05f);
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

// Opens the scene with what was just added to it, which must fail at `place`.
static void assert_refused(const pliant_scene *scene, const char *place)
{
    pliant_stage stage;
    pliant_error error = {0};
    assert_int_equal(pliant_stage_open(&stage, scene, NULL, &error), PLIANT_ERROR_ARGUMENT);
    assert_string_equal(error.place, place);
    assert_null(stage.world);
}

static void refuses_solids_that_are_not_there(void **unused)
{
    (void)unused;
    pliant_scene *scene =
        read_text("{\"pliant\": 1, " ONE_PARTICLE ", \"colliders\": [{\"box\": {}}]}");
    pliant_scene_attachment attachment = pliant_default_scene_attachment();
    attachment.particle = 1;
    pliant_scene_add_attachment(scene, &attachment);
    assert_refused(scene, "attachments[0]");
    scene->attachments[0].particle = 0;
    scene->attachments[0].other_body = 2;
    assert_refused(scene, "attachments[0]");
    scene->attachments[0].other_body = -1;
    scene->attachments[0].collider = 1;
    assert_refused(scene, "attachments[0]");
    scene->attachment_count = 0;

    pliant_scene_motor motor = {0};
    pliant_scene_add_motor(scene, &motor);
    assert_refused(scene, "motors[0]");
    scene->motor_count = 0;

    pliant_scene_key key = {0};
    pliant_scene_driver driver = {.collider = 1, .key_count = 1, .keys = &key};
    pliant_scene_add_driver(scene, &driver);
    assert_refused(scene, "drivers[0]");
    scene->drivers[0].collider = -1;
    assert_refused(scene, "drivers[0]");
    scene->drivers[0].collider = 0;

    scene->colliders[0].def.friction = -1.0f;
    assert_refused(scene, "colliders[0]: friction");
    scene->colliders[0].def.friction = 0.5f;
    scene->colliders[0].shape = 1;
    assert_refused(scene, "colliders[0]: shape");
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
        cmocka_unit_test(drivers_move_colliders),
        cmocka_unit_test(colliders_keep_their_velocity),
        cmocka_unit_test(attachments_hold),
        cmocka_unit_test(motors_act_between_their_times),
        cmocka_unit_test(world_settings_can_be_replaced),
        cmocka_unit_test(refuses_what_is_not_there),
        cmocka_unit_test(refuses_solids_that_are_not_there),
        cmocka_unit_test(equal_runs_have_equal_hashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
