// Scenes from JSON: what is written arrives where it belongs, and every mistake is told with its
// place.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pliant/author.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char example[] =
    "{\"pliant\": 1, \"name\": \"n\", \"title\": \"t\", \"seconds\": 2.5,"
    " \"world\": {\"gravity\": [1, 2, 3], \"substeps\": 7, \"iterations\": 3,"
    "   \"restitution_threshold\": 0.25},"
    " \"camera\": {\"eye\": [1, 2, 3], \"target\": [4, 5, 6], \"vertical_fov_degrees\": 90},"
    " \"models\": {"
    "   \"one\": {\"particles\": [{\"position\": [0, 1, 0], \"radius\": 0.25, \"mass\": 3}]},"
    "   \"three\": {\"particles\": ["
    "       {\"position\": [0, 0, 0], \"pinned\": true},"
    "       {\"position\": [1, 0, 0], \"radii\": [0.1, 0.2, 0.3], \"stiffness\": 0.75},"
    "       {\"position\": [2, 0, 0], \"orientation\": [0, 0, 1, 1], \"oriented\": false}],"
    "     \"edges\": [{\"a\": 0, \"b\": 1, \"stretch_stiffness\": 0.5},"
    "                {\"a\": 1, \"b\": 2, \"torsion_stiffness\": 1}],"
    "     \"pinned\": [2]},"
    "   \"rigid\": {\"particles\": [{\"position\": [0, 0, 0]}, {\"position\": [0.3, 0, 0]}],"
    "     \"groups\": [{\"members\": [0, 1], \"stiffness\": 0.9}]}},"
    " \"bodies\": ["
    "   {\"name\": \"a\", \"model\": \"three\", \"position\": [1, 2, 3],"
    "    \"orientation\": [0, 1, 0, 1], \"linear_velocity\": [4, 5, 6],"
    "    \"angular_velocity\": [7, 8, 9], \"linear_damping\": 0.1, \"angular_damping\": 0.2, "
    "\"shape_damping\": 0.3,"
    "    \"gravity_scale\": -1, \"friction\": 1.5, \"restitution\": 0.5, \"gyroscopic\": true,"
    "    \"colour\": [0, 0.5, 1]},"
    "   {\"model\": \"one\"}],"
    " \"planes\": [{\"normal\": [0, 2, 0], \"offset\": -1, \"friction\": 0.1,"
    "              \"restitution\": 0.2}],"
    " \"forces\": [{\"body\": \"a\", \"particle\": 1, \"force\": [0, 1, 0], \"begin\": 1,"
    "              \"end\": 2}, {\"body\": 1, \"force\": [1, 0, 0]}],"
    " \"drivers\": [{\"body\": \"a\", \"particles\": [0, 2], \"pivot\": [1, 0, 0],"
    "   \"keys\": [{\"time\": 0}, {\"time\": 1, \"translation\": [1, 2, 3],"
    "             \"rotation\": [0, 7, 0]}]}]}";

static pliant_scene *read_text(const char *text)
{
    pliant_error error = {0};
    pliant_scene *scene = pliant_scene_read(text, strlen(text), NULL, &error);
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
    pliant_scene *scene = read_text(example);
    assert_string_equal(scene->name, "n");
    assert_string_equal(scene->title, "t");
    assert_true(scene->seconds == 2.5f);
    assert_vec3(scene->world.gravity, 1, 2, 3);
    assert_true(scene->world.substep_length == pliant_substep_length(7));
    assert_int_equal(scene->world.iterations, 3);
    assert_true(scene->world.restitution_threshold == 0.25f);
    assert_vec3(scene->camera.eye, 1, 2, 3);
    assert_vec3(scene->camera.target, 4, 5, 6);
    assert_true(fabsf(scene->camera.vertical_fov - 1.5707963f) < 1e-6f);

    assert_int_equal(scene->model_count, 3);
    const pliant_particle_def *one = pliant_model_particles(scene->models[0]);
    assert_vec3(one->radii, 0.25f, 0.25f, 0.25f);
    assert_true(one->mass == 3.0f);
    const pliant_particle_def *three = pliant_model_particles(scene->models[1]);
    assert_int_equal(pliant_model_particle_count(scene->models[1]), 3);
    assert_int_equal(three[0].flags, PLIANT_PARTICLE_PINNED);
    assert_vec3(three[1].radii, 0.1f, 0.2f, 0.3f);
    assert_true(three[1].stiffness == 0.75f);
    assert_int_equal(three[2].flags, PLIANT_PARTICLE_PINNED | PLIANT_PARTICLE_UNORIENTED);
    assert_int_equal(pliant_model_edge_count(scene->models[1]), 2);
    assert_true(pliant_model_edges(scene->models[1])[0].stretch_stiffness == 0.5f);
    assert_true(pliant_model_edges(scene->models[1])[1].torsion_stiffness == 1.0f);
    assert_int_equal(pliant_model_group_count(scene->models[2]), 1);
    assert_true(pliant_model_group(scene->models[2], 0).stiffness == 0.9f);
    pliant_scene_destroy(scene);
}

static void reads_bodies_and_what_acts_on_them(void **unused)
{
    (void)unused;
    pliant_scene *scene = read_text(example);
    assert_int_equal(scene->body_count, 2);
    const pliant_scene_body *body = &scene->bodies[0];
    assert_string_equal(body->name, "a");
    assert_int_equal(body->model, 1);
    assert_vec3(body->def.position, 1, 2, 3);
    assert_true(body->def.orientation.y == body->def.orientation.w);
    assert_vec3(body->def.linear_velocity, 4, 5, 6);
    assert_vec3(body->def.angular_velocity, 7, 8, 9);
    assert_true(body->def.linear_damping == 0.1f && body->def.angular_damping == 0.2f);
    assert_true(body->def.shape_damping == 0.3f);
    assert_true(body->def.gravity_scale == -1.0f && body->def.friction == 1.5f);
    assert_true(body->def.restitution == 0.5f && body->def.gyroscopic);
    assert_true(body->colour[0] == 0.0f && body->colour[1] == 0.5f && body->colour[2] == 1.0f);
    assert_string_equal(scene->bodies[1].name, "body 1");

    assert_int_equal(scene->plane_count, 1);
    assert_true(scene->planes[0].offset == -1.0f && scene->planes[0].friction == 0.1f);
    assert_int_equal(scene->force_count, 2);
    assert_int_equal(scene->forces[0].particle, 1);
    assert_true(scene->forces[0].begin == 1.0f && scene->forces[0].end == 2.0f);
    assert_int_equal(scene->forces[1].body, 1);
    assert_int_equal(scene->forces[1].particle, -1);
    assert_true(scene->forces[1].end > 1e30f);
    assert_int_equal(scene->driver_count, 1);
    assert_int_equal(scene->drivers[0].particle_count, 2);
    assert_int_equal(scene->drivers[0].particles[1], 2);
    assert_int_equal(scene->drivers[0].key_count, 2);
    assert_vec3(scene->drivers[0].keys[1].translation, 1, 2, 3);
    assert_vec3(scene->drivers[0].keys[1].rotation, 0, 7, 0);
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

static void tells_mistakes_with_their_place(void **unused)
{
    (void)unused;
    static const struct {
        const char *from, *to, *place, *message;
    } cases[] = {
        {"\"seconds\"", "\"secs\"", "secs", "unknown key"},
        {"\"substeps\"", "\"substep\"", "world.substep", "unknown key"},
        {"\"friction\": 1.5", "\"fiction\": 1.5", "bodies[0].fiction", "unknown key"},
        {"\"name\": \"n\"", "\"title\": \"n\"", "title", "the key is there twice"},
        {"\"rigid\"", "\"one\"", "models.one", "the key is there twice"},
        {"\"pliant\": 1, ", "", "", "\"pliant\" is missing"},
        {"\"pliant\": 1", "\"pliant\": 2", "pliant",
         "the scene is of version 2, this program understands up to 1"},
        {"\"seconds\": 2.5", "\"seconds\": -1", "seconds",
         "expected a number in [0, 86400], found -1"},
        {"\"seconds\": 2.5", "\"seconds\": \"2\"", "seconds",
         "expected a number in [0, 86400], found a string"},
        {"\"substeps\": 7", "\"substeps\": 0", "world.substeps",
         "expected a number in [1, 1000], found 0"},
        {"[1, 2, 3], \"substeps\"", "[1, 2], \"substeps\"", "world.gravity",
         "expected 3 numbers, found 2"},
        {"[1, 2, 3], \"substeps\"", "[1, true, 3], \"substeps\"", "world.gravity[1]",
         "expected a number in [-1e+06, 1e+06], found a bool"},
        {"[1, 2, 3], \"substeps\"", "[1, 1e39, 3], \"substeps\"", "world.gravity[1]",
         "expected a number in [-1e+06, 1e+06], found 1e+39"},
        {"\"position\": [1, 2, 3]", "\"position\": \"here\"", "bodies[0].position",
         "expected an array of 3 numbers, found a string"},
        {"[0, 1, 0, 1]", "[0, 0, 0, 0]", "bodies[0].orientation",
         "expected a rotation [x, y, z, w] with a length from 1e-6 to 1e6"},
        {"\"linear_damping\": 0.1", "\"linear_damping\": 1", "bodies[0].linear_damping",
         "expected a number in [0, 1), found 1"},
        {"\"gyroscopic\": true", "\"gyroscopic\": 1", "bodies[0].gyroscopic",
         "expected true or false, found a number"},
        {"[0, 0.5, 1]", "[0, 0.5, 1.5]", "bodies[0].colour[2]",
         "expected a number in [0, 1], found 1.5"},
        {"\"model\": \"one\"", "\"model\": \"two\"", "bodies[1].model",
         "there is no model \"two\""},
        {"\"model\": \"one\"", "\"model\": 0", "bodies[1].model",
         "expected a model's name, found a number"},
        {"\"model\": \"one\"", "\"name\": \"x\"", "bodies[1]", "\"model\" is missing"},
        {"{\"model\": \"one\"}", "{\"model\": \"one\", \"name\": \"a\"}", "bodies[1].name",
         "there is a body \"a\" already"},
        {"\"mass\": 3", "\"mass\": 0", "models.one.particles[0].mass",
         "expected a number in [1e-09, 1e+09], found 0"},
        {"\"models\": {", "\"models\": {\"r\": {\"rope\": {\"density\": 1e-60}},",
         "models.r.rope.density", "expected a number above 0, found 1e-60"},
        {"\"linear_damping\": 0.1", "\"linear_damping\": 0.99999999999", "bodies[0].linear_damping",
         "expected a number in [0, 1), found 1"},
        {"\"radius\": 0.25", "\"radius\": 0.25, \"radii\": [1, 1, 1]", "models.one.particles[0]",
         "expected either \"radius\" or \"radii\", found both"},
        {"\"b\": 1, ", "\"b\": 3, ", "models.three.edges[0].b",
         "expected a whole number from 0 to 2, found 3"},
        {"\"members\": [0, 1]", "\"members\": [0, -1]", "models.rigid.groups[0].members[1]",
         "expected a whole number from 0 to 1, found -1"},
        {"\"pinned\": [2]", "\"pinned\": [3]", "models.three.pinned[0]",
         "expected a whole number from 0 to 2, found 3"},
        {"\"pinned\": [2]", "\"rope\": {}", "models.three",
         "expected one of \"file\", \"rope\", \"sheet\", \"block\", \"ball\", \"particles\", found "
         "2"},
        {"[0, 2, 0]", "[0, 0, 0]", "planes[0].normal",
         "expected a direction with a length from 1e-6 to 1e6"},
        {"\"body\": \"a\", \"particle\"", "\"body\": \"b\", \"particle\"", "forces[0].body",
         "there is no body \"b\""},
        {"\"particle\": 1", "\"particle\": 3", "forces[0].particle",
         "expected a whole number from 0 to 2, found 3"},
        {"\"body\": 1", "\"body\": 2", "forces[1].body",
         "expected a whole number from 0 to 1, found 2"},
        {"\"end\": 2", "\"end\": 0.5", "forces[0].end",
         "expected a time of at least \"begin\", 1, found 0.5"},
        {"\"particles\": [0, 2]", "\"particles\": [0, 3]", "drivers[0].particles[1]",
         "expected a whole number from 0 to 2, found 3"},
        {"\"particles\": [0, 2]", "\"particles\": [0, 1]", "drivers[0].particles[1]",
         "expected a pinned particle, 1 is free"},
        {"\"particles\": [0, 2]", "\"particles\": []", "drivers[0].particles",
         "expected at least one particle"},
        {"\"time\": 1", "\"time\": 0", "drivers[0].keys[1].time",
         "expected a time above the key before, 0, found 0"},
        {"\"models\": {", "\"models\": {\"r\": {\"rope\": {\"particles\": 1}},",
         "models.r.rope.particles", "expected a whole number from 2 to 100000, found 1"},
        {"\"models\": {", "\"models\": {\"r\": {\"block\": {\"counts\": [256, 256, 256]}},",
         "models.r.block", "expected at most 1000000 particles, found 16777216"},
        {"\"models\": {", "\"models\": {\"r\": {\"rope\": {}, \"edges\": []},", "models.r",
         "\"edges\", \"groups\" and \"hinges\" go with \"particles\" only"},
        {"\"models\": {", "\"models\": {\"f\": {\"file\": \"none.pliant\"},", "models.f.file",
         "none.pliant: No such file or directory"},
        {"2.5", "NaN", "1:53", "expected a value (NaN and Infinity are not JSON)"},
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

// What the builder finds is told with the model's place in front.
static void tells_mistakes_inside_models(void **unused)
{
    (void)unused;
    char *text = edit("\"b\": 1, ", "\"b\": 0, ");
    pliant_error error = {0};
    assert_null(pliant_scene_read(text, strlen(text), NULL, &error));
    assert_int_equal(error.code, PLIANT_ERROR_MODEL);
    assert_string_equal(error.place, "models.three: edge 0");
    free(text);
}

// Editors look for "$schema"; it may be of any length and must be text.
static void accepts_the_name_of_a_schema(void **unused)
{
    (void)unused;
    char name[400] = "";
    memset(name, 'x', sizeof name - 1);
    char text[600];
    static const char rest[] = "\"pliant\": 1, \"models\": {\"b\": {\"ball\": {}}},"
                               " \"bodies\": [{\"model\": \"b\"}]}";
    snprintf(text, sizeof text, "{\"$schema\": \"%s\", %s", name, rest);
    pliant_scene_destroy(read_text(text));
    snprintf(text, sizeof text, "{\"$schema\": 1, %s", rest);
    pliant_error error = {0};
    assert_null(pliant_scene_read(text, strlen(text), NULL, &error));
    assert_string_equal(error.place, "$schema");
    assert_string_equal(error.message, "expected a string, found a number");
}

static void error_may_be_null(void **unused)
{
    (void)unused;
    assert_null(pliant_scene_read("{}", 2, NULL, NULL));
    assert_null(pliant_scene_read("{", 1, NULL, NULL));
    assert_null(pliant_scene_read_file("/nowhere/at/all.json", NULL));
}

static void finds_model_files_beside_the_scene(void **unused)
{
    (void)unused;
    char directory[] = "/tmp/pliant-test-scene-XXXXXX";
    assert_non_null(mkdtemp(directory));
    char model_path[64], scene_path[64];
    snprintf(model_path, sizeof model_path, "%s/m.pliant", directory);
    snprintf(scene_path, sizeof scene_path, "%s/s.json", directory);
    pliant_scene *source = read_text(example);
    assert_int_equal(pliant_model_save_file(source->models[1], model_path, NULL), PLIANT_OK);
    pliant_scene_destroy(source);
    static const char text[] = "{\"pliant\": 1, \"models\": {\"m\": {\"file\": \"m.pliant\"}},"
                               " \"bodies\": [{\"model\": \"m\"}]}";
    assert_int_equal(pliant_file_write(scene_path, text, sizeof text - 1, NULL), PLIANT_OK);
    pliant_error error = {0};
    pliant_scene *scene = pliant_scene_read_file(scene_path, &error);
    if (!scene)
        fail_msg("%s: %s", error.place, error.message);
    assert_int_equal(pliant_model_particle_count(scene->models[0]), 3);
    pliant_scene_destroy(scene);

    // A damaged model is told as such, at the scene's place.
    void *blob;
    size_t size;
    assert_int_equal(pliant_file_read(model_path, &blob, &size, NULL), PLIANT_OK);
    ((unsigned char *)blob)[size / 2] ^= 1;
    assert_int_equal(pliant_file_write(model_path, blob, size, NULL), PLIANT_OK);
    free(blob);
    assert_null(pliant_scene_read_file(scene_path, &error));
    assert_int_equal(error.code, PLIANT_ERROR_FORMAT);
    assert_int_equal(strncmp(error.place, "models.m.file", 13), 0);
    remove(model_path);
    remove(scene_path);
    rmdir(directory);
}

static void survives_random_edits(void **unused)
{
    (void)unused;
    uint32_t state = 1;
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

static void scene_takes_over_models(void **unused)
{
    (void)unused;
    pliant_scene *scene = pliant_scene_create();
    assert_int_equal(pliant_scene_add_model(scene, NULL), -1);
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_particle_def particle = pliant_default_particle_def();
    pliant_builder_add_particle(builder, &particle);
    for (int i = 0; i < 9; ++i)
        assert_int_equal(pliant_scene_add_model(scene, pliant_builder_build(builder, NULL)), i);
    pliant_builder_destroy(builder);
    pliant_scene_body body = pliant_default_scene_body();
    for (int i = 0; i < 9; ++i) {
        body.model = i;
        assert_int_equal(pliant_scene_add_body(scene, &body), i);
    }
    for (int i = 0; i < 9; ++i)
        assert_int_equal(scene->bodies[i].model, i);
    pliant_scene_destroy(scene);
    pliant_scene_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_settings_and_models),
        cmocka_unit_test(reads_bodies_and_what_acts_on_them),
        cmocka_unit_test(tells_mistakes_with_their_place),
        cmocka_unit_test(tells_mistakes_inside_models),
        cmocka_unit_test(accepts_the_name_of_a_schema),
        cmocka_unit_test(error_may_be_null),
        cmocka_unit_test(finds_model_files_beside_the_scene),
        cmocka_unit_test(survives_random_edits),
        cmocka_unit_test(scene_takes_over_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
