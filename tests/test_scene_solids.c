// Solids in scene files, and what holds and turns bodies: shapes, colliders, attachments, hinges, motors and
// driven colliders arrive where they belong, and every mistake is told with its place.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pliant/author.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char example[] =
    "{\"pliant\": 1,"
    " \"world\": {\"impact_speed\": 2, \"sleep_speed\": 0.125, \"sleep_time\": 0.25},"
    " \"models\": {\"door\": {\"particles\": ["
    "     {\"position\": [0, 0, 0], \"surface\": true, \"layers\": 2, \"mask\": 6,"
    "      \"yield_strain\": 0.5, \"creep_rate\": 4},"
    "     {\"position\": [0, 1, 0]}, {\"position\": [1, 0, 0]}, {\"position\": [-1, 0, 0]}],"
    "   \"groups\": [{\"members\": [0, 1, 2], \"dent_speed\": 3, \"yield_strain\": 0.25,"
    "                \"creep_rate\": 8}, {\"members\": [0, 1, 3]}],"
    "   \"hinges\": [{\"group_a\": 0, \"group_b\": 1, \"particle_a\": 0, \"particle_b\": 1,"
    "                \"lower\": -0.5, \"upper\": 1.5},"
    "               {\"group_a\": 1, \"group_b\": 0, \"particle_a\": 1, \"particle_b\": 0}]}},"
    " \"bodies\": [{\"name\": \"a\", \"model\": \"door\"},"
    "              {\"name\": \"b\", \"model\": \"door\", \"position\": [0, 5, 0]}],"
    " \"shapes\": {"
    "   \"ball\": {\"sphere\": {\"radius\": 0.25}},"
    "   \"roller\": {\"capsule\": {\"radius\": 0.5, \"half_length\": 2}},"
    "   \"crate\": {\"box\": {\"half_size\": [1, 2, 3]}},"
    "   \"rock\": {\"hull\": {\"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}},"
    "   \"wedge\": {\"hull\": {\"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],"
    "      \"triangles\": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]}},"
    "   \"ramp\": {\"mesh\": {\"points\": [[0, 0, 0], [0, 0, 4], [4, 1, 0], [4, 1, 4]],"
    "      \"triangles\": [[0, 1, 2], [2, 1, 3]]}},"
    "   \"hills\": {\"heightfield\": {\"columns\": 3, \"rows\": 2, \"spacing\": 0.5,"
    "      \"heights\": [0, 1, 2, 3, 4, 5]}},"
    "   \"floor\": {\"plane\": {}}},"
    " \"colliders\": ["
    "   {\"name\": \"c\", \"shape\": \"ramp\", \"position\": [1, 2, 3], \"orientation\": [0, 1, 0, "
    "0],"
    "    \"linear_velocity\": [4, 5, 6], \"angular_velocity\": [7, 8, 9], \"friction\": 1.5,"
    "    \"restitution\": 0.5, \"layers\": 3, \"mask\": 5, \"colour\": [0, 0.5, 1]},"
    "   {\"shape\": \"ball\"},"
    "   {\"name\": \"own\", \"box\": {\"half_size\": [3, 2, 1]}}],"
    " \"attachments\": ["
    "   {\"body\": \"a\", \"particle\": 1, \"other_body\": \"b\", \"other_particle\": 2, "
    "\"length\": 3,"
    "    \"slack\": true, \"stiffness\": 0.5, \"strength\": 100},"
    "   {\"body\": 1, \"particle\": 0, \"collider\": \"own\", \"anchor\": [1, 2, 3]},"
    "   {\"body\": \"b\", \"particle\": 3, \"anchor\": [4, 5, 6]}],"
    " \"motors\": [{\"body\": \"b\", \"hinge\": 1, \"speed\": -2, \"torque\": 5, \"begin\": 1,"
    "              \"end\": 2}, {\"body\": \"a\", \"hinge\": 0, \"speed\": 1, \"torque\": 0}],"
    " \"drivers\": [{\"collider\": \"own\", \"pivot\": [0, 1, 0],"
    "   \"keys\": [{\"time\": 0}, {\"time\": 1, \"translation\": [1, 2, 3]}]}]}";

static pliant_scene *read_example(void)
{
    pliant_error error = {0};
    pliant_scene *scene = pliant_scene_read(example, sizeof example - 1, NULL, &error);
    if (!scene)
        fail_msg("%s: %s", error.place, error.message);
    return scene;
}

static void assert_vec3(pliant_vec3 v, float x, float y, float z)
{
    assert_true(v.x == x && v.y == y && v.z == z);
}

static void reads_settings_and_models(void **unused)
{
    (void)unused;
    pliant_scene *scene = read_example();
    assert_true(scene->world.impact_speed == 2.0f && scene->world.sleep_speed == 0.125f &&
                scene->world.sleep_time == 0.25f);
    const pliant_particle_def *particles = pliant_model_particles(scene->models[0]);
    assert_int_equal(particles[0].flags, PLIANT_PARTICLE_SURFACE);
    assert_int_equal(particles[0].layers, 2);
    assert_int_equal(particles[0].mask, 6);
    assert_true(particles[0].yield_strain == 0.5f && particles[0].creep_rate == 4.0f);
    assert_int_equal(particles[1].flags, 0);
    assert_int_equal(particles[1].layers, UINT32_MAX);
    assert_int_equal(particles[1].mask, UINT32_MAX);
    assert_true(particles[1].yield_strain == 0.0f && particles[1].creep_rate == 0.0f);
    pliant_group_def group = pliant_model_group(scene->models[0], 0);
    assert_true(group.stiffness == 1.0f && group.dent_speed == 3.0f);
    assert_true(group.yield_strain == 0.25f && group.creep_rate == 8.0f);
    assert_int_equal(pliant_model_hinge_count(scene->models[0]), 2);
    const pliant_hinge_def *hinges = pliant_model_hinges(scene->models[0]);
    assert_true(hinges[0].has_limits && hinges[0].lower == -0.5f && hinges[0].upper == 1.5f);
    assert_int_equal(hinges[0].group_b, 1);
    assert_int_equal(hinges[0].particle_b, 1);
    assert_false(hinges[1].has_limits);
    pliant_scene_destroy(scene);
}

static void reads_shapes(void **unused)
{
    (void)unused;
    pliant_scene *scene = read_example();
    assert_int_equal(scene->shape_count, 9); // with the collider's own one
    static const pliant_shape_kind kinds[] = {
        PLIANT_SHAPE_SPHERE,      PLIANT_SHAPE_CAPSULE, PLIANT_SHAPE_BOX,
        PLIANT_SHAPE_HULL,        PLIANT_SHAPE_HULL,    PLIANT_SHAPE_MESH,
        PLIANT_SHAPE_HEIGHTFIELD, PLIANT_SHAPE_PLANE,   PLIANT_SHAPE_BOX};
    pliant_shape_def defs[9];
    for (int i = 0; i < 9; ++i) {
        defs[i] = pliant_shape_definition(scene->shapes[i]);
        assert_int_equal(defs[i].kind, kinds[i]);
    }
    assert_true(defs[0].radius == 0.25f);
    assert_true(defs[1].radius == 0.5f && defs[1].half_length == 2.0f);
    assert_vec3(defs[2].half_size, 1, 2, 3);
    assert_int_equal(defs[3].point_count, 4);
    assert_int_equal(defs[4].triangle_count, 4);
    assert_int_equal(defs[5].point_count, 4);
    assert_int_equal(defs[5].triangle_count, 2);
    assert_int_equal(defs[6].columns, 3);
    assert_int_equal(defs[6].rows, 2);
    assert_true(defs[6].spacing == 0.5f && defs[6].heights[4] == 4.0f);
    assert_vec3(defs[8].half_size, 3, 2, 1);
    pliant_scene_destroy(scene);
}

static void reads_colliders(void **unused)
{
    (void)unused;
    pliant_scene *scene = read_example();
    assert_int_equal(scene->collider_count, 3);
    const pliant_scene_collider *c = &scene->colliders[0];
    assert_string_equal(c->name, "c");
    assert_int_equal(c->shape, 5);
    assert_ptr_equal(c->def.shape, scene->shapes[5]);
    assert_vec3(c->def.position, 1, 2, 3);
    assert_true(c->def.orientation.y == 1.0f && c->def.orientation.w == 0.0f);
    assert_vec3(c->def.linear_velocity, 4, 5, 6);
    assert_vec3(c->def.angular_velocity, 7, 8, 9);
    assert_true(c->def.friction == 1.5f && c->def.restitution == 0.5f);
    assert_int_equal(c->def.layers, 3);
    assert_int_equal(c->def.mask, 5);
    assert_true(c->colour[0] == 0.0f && c->colour[1] == 0.5f && c->colour[2] == 1.0f);
    assert_string_equal(scene->colliders[1].name, "collider 1");
    assert_int_equal(scene->colliders[1].shape, 0);
    assert_int_equal(scene->colliders[1].def.mask, pliant_default_collider_def().mask);
    assert_int_equal(scene->colliders[2].shape, 8);
    pliant_scene_destroy(scene);
}

static void reads_what_acts(void **unused)
{
    (void)unused;
    pliant_scene *scene = read_example();
    assert_int_equal(scene->attachment_count, 3);
    const pliant_scene_attachment *a = scene->attachments;
    assert_true(a[0].body == 0 && a[0].particle == 1);
    assert_true(a[0].other_body == 1 && a[0].other_particle == 2 && a[0].collider == -1);
    assert_true(a[0].length == 3.0f && a[0].is_slack);
    assert_true(a[0].stiffness == 0.5f && a[0].strength == 100.0f);
    assert_true(a[1].body == 1 && a[1].other_body == -1 && a[1].collider == 2);
    assert_vec3(a[1].anchor, 1, 2, 3);
    assert_true(a[1].length < 0.0f && !a[1].is_slack);
    assert_true(a[1].stiffness == 1.0f && a[1].strength == 0.0f);
    assert_true(a[2].other_body == -1 && a[2].collider == -1);
    assert_vec3(a[2].anchor, 4, 5, 6);

    assert_int_equal(scene->motor_count, 2);
    const pliant_scene_motor *m = scene->motors;
    assert_true(m[0].body == 1 && m[0].hinge == 1 && m[0].speed == -2.0f && m[0].torque == 5.0f);
    assert_true(m[0].begin == 1.0f && m[0].end == 2.0f);
    assert_true(m[1].begin == 0.0f && m[1].end > 1e30f);

    assert_int_equal(scene->driver_count, 1);
    assert_int_equal(scene->drivers[0].collider, 2);
    assert_int_equal(scene->drivers[0].particle_count, 0);
    assert_vec3(scene->drivers[0].pivot, 0, 1, 0);
    assert_vec3(scene->drivers[0].keys[1].translation, 1, 2, 3);
    pliant_scene_destroy(scene);
}

// Replaces the first `from` in the example by `to`; the caller frees the text.
static char *edit(const char *from, const char *to)
{
    const char *at = strstr(example, from);
    if (!at)
        fail_msg("'%s' is not in the example", from);
    size_t size = sizeof example + strlen(to);
    char *text = malloc(size);
    snprintf(text, size, "%.*s%s%s", (int)(at - example), example, to, at + strlen(from));
    return text;
}

#define KIND_NAMES                                                                                 \
    "\"plane\", \"sphere\", \"capsule\", \"box\", \"hull\", \"mesh\", \"heightfield\""

static void tells_mistakes_with_their_place(void **unused)
{
    (void)unused;
    static const char holders[] =
        "expected either \"other_body\" and \"other_particle\", or \"anchor\" with or without "
        "\"collider\"";
    static const char driven[] = "expected either \"body\" and \"particles\", or \"collider\"";
    static const struct {
        const char *from, *to, *place, *message;
    } cases[] = {
        {"\"sleep_time\": 0.25", "\"sleep_time\": -1", "world.sleep_time",
         "expected a number in [0, 1e+06], found -1"},
        {"\"surface\": true", "\"surface\": 1", "models.door.particles[0].surface",
         "expected true or false, found a number"},
        {"\"layers\": 2", "\"layers\": -2", "models.door.particles[0].layers",
         "expected a whole number from 0 to 4294967295, found -2"},
        {"\"creep_rate\": 4", "\"creep_rate\": -4", "models.door.particles[0].creep_rate",
         "expected a number in [0, 1e+06], found -4"},
        {"\"dent_speed\": 3", "\"dent_speed\": \"3\"", "models.door.groups[0].dent_speed",
         "expected a number in [0, 1e+06], found a string"},
        {"\"group_b\": 1, ", "", "models.door.hinges[0]", "\"group_b\" is missing"},
        {"\"particle_b\": 1", "\"particle_b\": 4", "models.door.hinges[0].particle_b",
         "expected a whole number from 0 to 3, found 4"},
        {"\"lower\": -0.5", "\"lower\": 0.5", "models.door.hinges[0].lower",
         "expected a number in [-3.14159, 0], found 0.5"},
        {"\"group_b\": 1", "\"group_b\": 2", "models.door: hinge 0", "group 2 of 2"},
        {"\"models\": {", "\"models\": {\"r\": {\"rope\": {}, \"hinges\": []},", "models.r",
         "\"edges\", \"groups\" and \"hinges\" go with \"particles\" only"},

        {"\"radius\": 0.25", "\"radius\": 0", "shapes.ball.sphere.radius",
         "expected a number in (0, 100000], found 0"},
        {"\"radius\": 0.25", "\"size\": 0.25", "shapes.ball.sphere.size", "unknown key"},
        {"\"half_length\": 2", "\"half_length\": -2", "shapes.roller.capsule.half_length",
         "expected a number in [0, 100000], found -2"},
        {"[1, 2, 3]}},", "[1, 2, -3]}},", "shapes.crate.box.half_size[2]",
         "expected a number in (0, 100000], found -3"},
        {"{\"sphere\": {\"radius\": 0.25}}", "{\"sphere\": {}, \"box\": {}}", "shapes.ball",
         "expected one of " KIND_NAMES ", found 2"},
        {"{\"sphere\": {\"radius\": 0.25}}", "{}", "shapes.ball",
         "expected one of " KIND_NAMES ", found 0"},
        {"{\"sphere\": {\"radius\": 0.25}}", "{\"cone\": {}}", "shapes.ball.cone", "unknown key"},
        {"\"roller\"", "\"ball\"", "shapes.ball", "the key is there twice"},
        {"[0, 0, 1]]}}", "[0, 0]]}}", "shapes.rock.hull.points[3]", "expected 3 numbers, found 2"},
        {"[0, 0, 1]]}}", "7]}}", "shapes.rock.hull.points[3]",
         "expected an array of 3 numbers, found a number"},
        {"\"triangles\": [[0, 1, 2], [2, 1, 3]]", "\"triangles\": [[0, 1, 2], [2, 1, 4]]",
         "shapes.ramp.mesh.triangles[1][2]", "expected a whole number from 0 to 3, found 4"},
        {"\"triangles\": [[0, 1, 2], [2, 1, 3]]", "\"triangles\": 3", "shapes.ramp.mesh.triangles",
         "expected an array, found a number"},
        {"\"columns\": 3", "\"columns\": 1", "shapes.hills.heightfield.columns",
         "expected a whole number from 2 to 1000000, found 1"},
        {"[0, 1, 2, 3, 4, 5]", "[0, 1, 2, 3, 4]", "shapes.hills.heightfield.heights",
         "expected columns times rows, 6 heights, found 5"},
        {"[0, 1, 2, 3, 4, 5]", "[0, 1, 2, 3, 4, null]", "shapes.hills.heightfield.heights[5]",
         "expected a number in [-1e+06, 1e+06], found null"},

        {"\"shape\": \"ramp\"", "\"shape\": \"slide\"", "colliders[0].shape",
         "there is no shape \"slide\""},
        {"\"shape\": \"ramp\"", "\"shape\": 5", "colliders[0].shape",
         "expected a shape's name, found a number"},
        {"{\"shape\": \"ball\"}", "{}", "colliders[1]",
         "expected one of \"shape\", " KIND_NAMES ", found 0"},
        {"{\"shape\": \"ball\"}", "{\"shape\": \"ball\", \"sphere\": {}}", "colliders[1]",
         "expected one of \"shape\", " KIND_NAMES ", found 2"},
        {"{\"shape\": \"ball\"}", "{\"sphere\": {\"radius\": -1}}", "colliders[1].sphere.radius",
         "expected a number in (0, 100000], found -1"},
        {"{\"shape\": \"ball\"}", "{\"shape\": \"ball\", \"mass\": 1}", "colliders[1].mass",
         "unknown key"},
        {"\"name\": \"own\"", "\"name\": \"c\"", "colliders[2].name",
         "there is a collider \"c\" already"},
        {"\"friction\": 1.5", "\"friction\": -1", "colliders[0].friction",
         "expected a number in [0, 1000], found -1"},

        {"\"other_body\": \"b\"", "\"other_body\": \"c\"", "attachments[0].other_body",
         "there is no body \"c\""},
        {"\"other_particle\": 2", "\"other_particle\": 4", "attachments[0].other_particle",
         "expected a whole number from 0 to 3, found 4"},
        {"\"other_particle\": 2, ", "", "attachments[0]", holders},
        {", \"anchor\": [1, 2, 3]", "", "attachments[1]", holders},
        {"\"slack\": true", "\"anchor\": [0, 0, 0]", "attachments[0]", holders},
        {"\"slack\": true", "\"collider\": \"c\"", "attachments[0]", holders},
        {"\"collider\": \"own\", \"anchor\"", "\"collider\": \"a\", \"anchor\"",
         "attachments[1].collider", "there is no collider \"a\""},
        {"\"collider\": \"own\", \"anchor\"", "\"collider\": 3, \"anchor\"",
         "attachments[1].collider", "expected a whole number from 0 to 2, found 3"},
        {"\"anchor\": [4, 5, 6]", "\"anchor\": [4, 5]", "attachments[2].anchor",
         "expected 3 numbers, found 2"},
        {"\"length\": 3", "\"length\": -3", "attachments[0].length",
         "expected a number in [0, 1e+06], found -3"},

        {"\"hinge\": 1", "\"hinge\": 2", "motors[0].hinge",
         "expected a whole number from 0 to 1, found 2"},
        {"\"torque\": 5", "\"torque\": -5", "motors[0].torque",
         "expected a number of at least 0, found -5"},
        {"\"end\": 2", "\"end\": 0.5", "motors[0].end",
         "expected a time of at least \"begin\", 1, found 0.5"},
        {", \"torque\": 0", "", "motors[1]", "\"torque\" is missing"},

        {"\"drivers\": [{\"collider\": \"own\",", "\"drivers\": [{", "drivers[0]", driven},
        {"\"drivers\": [{", "\"drivers\": [{\"body\": \"a\", ", "drivers[0]", driven},
        {"\"drivers\": [{\"collider\": \"own\",", "\"drivers\": [{\"body\": \"a\", ", "drivers[0]",
         driven},
        {"\"drivers\": [{\"collider\": \"own\"", "\"drivers\": [{\"collider\": true",
         "drivers[0].collider", "expected a collider's name or index, found a bool"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char *text = edit(cases[i].from, cases[i].to);
        pliant_error error = {0};
        pliant_scene *scene = pliant_scene_read(text, strlen(text), NULL, &error);
        if (scene || strcmp(error.place, cases[i].place) != 0 ||
            strcmp(error.message, cases[i].message) != 0)
            fail_msg("%s: %s: %s: %s", cases[i].to, scene ? "taken" : "refused", error.place,
                     error.message);
        assert_true(error.code != PLIANT_OK);
        free(text);
    }
}

// What the runtime finds in a shape is told with the scene's place in front.
static void tells_mistakes_inside_shapes(void **unused)
{
    (void)unused;
    char *text = edit("[[0, 1, 2], [2, 1, 3]]", "[[0, 1, 2], [2, 1, 1]]");
    pliant_error error = {0};
    assert_null(pliant_scene_read(text, strlen(text), NULL, &error));
    assert_string_equal(error.place, "shapes.ramp: triangle 1");
    free(text);
    text =
        edit("{\"shape\": \"ball\"}", "{\"mesh\": {\"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0]],"
                                      " \"triangles\": [[0, 1, 0]]}}");
    assert_null(pliant_scene_read(text, strlen(text), NULL, &error));
    assert_string_equal(error.place, "colliders[1]: triangle 0");
    free(text);
}

static void tells_that_there_is_nothing_to_name(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *place, *message;
    } cases[] = {
        {"\"motors\": [{\"body\": 0, \"hinge\": 0, \"speed\": 1, \"torque\": 1}]",
         "motors[0].hinge", "the body's model has no hinges"},
        {"\"drivers\": [{\"collider\": 0, \"keys\": [{\"time\": 0}]}]", "drivers[0].collider",
         "there is no collider"},
        {"\"colliders\": [{\"shape\": \"x\"}]", "colliders[0].shape", "there is no shape \"x\""},
        {"\"shapes\": []", "shapes", "expected an object of shapes by name, found an array"},
        {"\"colliders\": {}", "colliders", "expected an array, found an object"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char text[400];
        snprintf(text, sizeof text,
                 "{\"pliant\": 1, \"models\": {\"m\": {\"ball\": {}}},"
                 " \"bodies\": [{\"model\": \"m\"}], %s}",
                 cases[i].text);
        pliant_error error = {0};
        assert_null(pliant_scene_read(text, strlen(text), NULL, &error));
        assert_string_equal(error.place, cases[i].place);
        assert_string_equal(error.message, cases[i].message);
    }
}

static void survives_random_edits(void **unused)
{
    (void)unused;
    uint32_t state = 7;
    char text[sizeof example];
    for (int i = 0; i < 3000; ++i) {
        memcpy(text, example, sizeof text);
        size_t size = sizeof text - 1;
        for (int k = 0; k < 3; ++k) {
            state = state * 1664525u + 1013904223u;
            text[(state >> 8) % size] = "0123456789-.eE\"[]{},: aeprt\\\n"[state % 29];
        }
        pliant_error error = {0};
        pliant_scene *scene = pliant_scene_read(text, size, NULL, &error);
        assert_true((scene != NULL) != (error.code != PLIANT_OK));
        pliant_scene_destroy(scene);
    }
}

static void scene_takes_over_shapes(void **unused)
{
    (void)unused;
    pliant_scene *scene = pliant_scene_create();
    assert_int_equal(pliant_scene_add_shape(scene, NULL), -1);
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_SPHERE);
    for (int i = 0; i < 5; ++i)
        assert_int_equal(pliant_scene_add_shape(scene, pliant_shape_create(&def, NULL, NULL)), i);
    pliant_scene_collider collider = pliant_default_scene_collider();
    pliant_scene_attachment attachment = pliant_default_scene_attachment();
    pliant_scene_motor motor = {.speed = 1.0f};
    for (int i = 0; i < 5; ++i) {
        collider.shape = attachment.particle = motor.hinge = i;
        assert_int_equal(pliant_scene_add_collider(scene, &collider), i);
        assert_int_equal(pliant_scene_add_attachment(scene, &attachment), i);
        assert_int_equal(pliant_scene_add_motor(scene, &motor), i);
    }
    for (int i = 0; i < 5; ++i) {
        assert_int_equal(scene->colliders[i].shape, i);
        assert_int_equal(scene->attachments[i].particle, i);
        assert_int_equal(scene->motors[i].hinge, i);
    }
    pliant_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_settings_and_models),
        cmocka_unit_test(reads_shapes),
        cmocka_unit_test(reads_colliders),
        cmocka_unit_test(reads_what_acts),
        cmocka_unit_test(tells_mistakes_with_their_place),
        cmocka_unit_test(tells_mistakes_inside_shapes),
        cmocka_unit_test(tells_that_there_is_nothing_to_name),
        cmocka_unit_test(survives_random_edits),
        cmocka_unit_test(scene_takes_over_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
