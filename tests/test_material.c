// Friction, bounce, damping and self-collision of a model: from a recipe through the model to the body of a scene.

#include "meshes.h"
#include "test.h"

#include <pliant/author.h>

static void run(pliant_draft *draft, const char *recipe)
{
    pliant_error error = {0};
    if (pliant_draft_run_recipe(draft, recipe, strlen(recipe), &error) != PLIANT_OK)
        fail_msg("%s: %s", error.place, error.message);
}

static void assert_material(pliant_material m, float friction, float restitution, float linear,
                            float angular, float shape, bool self_collision)
{
    assert_true(m.friction == friction && m.restitution == restitution);
    assert_true(m.linear_damping == linear && m.angular_damping == angular);
    assert_true(m.shape_damping == shape && m.self_collision == self_collision);
}

static void what_a_recipe_does_not_say_stays(void **state)
{
    (void)state;
    pliant_mesh *mesh = sphere_mesh(0.5f, 6);
    pliant_draft *draft = draft_of(mesh);
    assert_material(pliant_draft_material(draft), 0.5f, 0.0f, 0.02f, 0.02f, 0.0f, false);
    run(draft, "{\"tools\": [{\"body\": {\"friction\": 0.9}}, {\"body\": {\"restitution\": 0.25}},"
               "{\"body\": {\"linear_damping\": 0.5, \"shape_damping\": 0.75}},"
               "{\"body\": {\"angular_damping\": 0.125, \"self_collision\": true}}]}");
    assert_material(pliant_draft_material(draft), 0.9f, 0.25f, 0.5f, 0.125f, 0.75f, true);
    run(draft, "{\"tools\": [{\"body\": {\"self_collision\": false}}, {\"body\": {}}]}");
    assert_material(pliant_draft_material(draft), 0.9f, 0.25f, 0.5f, 0.125f, 0.75f, false);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

static void mistakes_are_told_and_change_nothing(void **state)
{
    (void)state;
    static const char *const recipes[][2] = {
        {"{\"tools\": [{\"body\": {\"friction\": -1}}]}", "tools[0].body.friction"},
        {"{\"tools\": [{\"body\": {\"restitution\": 2}}]}", "tools[0].body.restitution"},
        {"{\"tools\": [{\"body\": {\"friction\": 1}}, {\"body\": {\"shape_damping\": 1}}]}",
         "tools[1].body.shape_damping"},
        {"{\"tools\": [{\"body\": {\"self_collision\": 1}}]}", "tools[0].body.self_collision"},
        {"{\"tools\": [{\"body\": {\"colour\": 1}}]}", "tools[0].body.colour"},
    };
    pliant_mesh *mesh = sphere_mesh(0.5f, 6);
    pliant_draft *draft = draft_of(mesh);
    for (size_t i = 0; i < sizeof recipes / sizeof recipes[0]; ++i) {
        pliant_error error = {0};
        const char *text = recipes[i][0];
        assert_int_not_equal(pliant_draft_run_recipe(draft, text, strlen(text), &error), PLIANT_OK);
        assert_string_equal(error.place, recipes[i][1]);
        assert_material(pliant_draft_material(draft), 0.5f, 0.0f, 0.02f, 0.02f, 0.0f, false);
    }
    pliant_material bad = pliant_default_material();
    bad.friction = NAN;
    assert_int_equal(pliant_draft_set_material(draft, &bad, NULL), PLIANT_ERROR_ARGUMENT);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// A model of a sphere with a material that is nothing like the default.
static pliant_model *rubber(pliant_mesh *mesh)
{
    pliant_draft *draft = draft_of(mesh);
    run(draft, "{\"tools\": [{\"auto\": {\"count\": 60}}, {\"body\": {\"friction\": 2,"
               "\"restitution\": 0.5, \"linear_damping\": 0.25, \"angular_damping\": 0.125,"
               "\"shape_damping\": 0.75, \"self_collision\": true}}]}");
    pliant_error error = {0};
    pliant_model *model = pliant_draft_build(draft, &error);
    if (!model)
        fail_msg("%s: %s", error.place, error.message);
    pliant_draft_destroy(draft);
    return model;
}

static void assert_rubber(const pliant_body_def *def)
{
    assert_true(def->friction == 2.0f && def->restitution == 0.5f && def->self_collision);
    assert_true(def->linear_damping == 0.25f && def->angular_damping == 0.125f);
    assert_true(def->shape_damping == 0.75f);
}

static void a_model_keeps_it_and_gives_it_to_bodies(void **state)
{
    (void)state;
    pliant_mesh *mesh = sphere_mesh(0.5f, 6);
    pliant_model *built = rubber(mesh);
    size_t size = pliant_model_blob_size(built);
    void *blob = malloc(size);
    pliant_model_save(built, blob);
    pliant_model *model = pliant_model_load(blob, size, NULL, NULL);
    assert_non_null(model);
    assert_material(pliant_model_material(model), 2.0f, 0.5f, 0.25f, 0.125f, 0.75f, true);

    pliant_draft *again = pliant_draft_create_from_model(mesh, model, NULL);
    assert_material(pliant_draft_material(again), 2.0f, 0.5f, 0.25f, 0.125f, 0.75f, true);
    pliant_draft *heir = draft_of(mesh);
    run(heir, "{\"tools\": [{\"auto\": {\"count\": 60}}]}");
    assert_int_equal(pliant_draft_inherit(heir, model, 0.1f, NULL), PLIANT_OK);
    assert_material(pliant_draft_material(heir), 2.0f, 0.5f, 0.25f, 0.125f, 0.75f, true);

    pliant_scene *scene = pliant_scene_create_drop("ball", model, NULL, NULL);
    assert_rubber(&scene->bodies[0].def);
    pliant_scene_destroy(scene);
    pliant_draft_destroy(heir);
    pliant_draft_destroy(again);
    pliant_model_destroy(built);
    pliant_mesh_destroy(mesh);
    free(blob);
}

// A scene in JSON whose body says this beside its model.
static pliant_body_def body_saying(const char *folder, const char *more)
{
    char text[256];
    snprintf(text, sizeof text,
             "{\"pliant\": 1, \"models\": {\"ball\": {\"file\": \"ball.pliant\"}},"
             "\"bodies\": [{\"model\": \"ball\"%s}]}",
             more);
    pliant_error error = {0};
    pliant_scene *scene = pliant_scene_read(text, strlen(text), folder, &error);
    if (!scene)
        fail_msg("%s: %s", error.place, error.message);
    pliant_body_def def = scene->bodies[0].def;
    // Written and read again it is the same.
    char *written;
    size_t size;
    assert_int_equal(
        pliant_scene_write(scene, (const char *const[]){"ball.pliant"}, &written, &size, &error),
        PLIANT_OK);
    pliant_scene *again = pliant_scene_read(written, size, folder, &error);
    assert_non_null(again);
    const pliant_body_def *copy = &again->bodies[0].def;
    assert_true(copy->friction == def.friction && copy->restitution == def.restitution);
    assert_true(copy->self_collision == def.self_collision);
    free(written);
    pliant_scene_destroy(again);
    pliant_scene_destroy(scene);
    return def;
}

static void a_scene_may_say_otherwise(void **state)
{
    (void)state;
    char folder[] = "/tmp/pliant-material-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/ball.pliant", folder);
    pliant_mesh *mesh = sphere_mesh(0.5f, 6);
    pliant_model *model = rubber(mesh);
    assert_int_equal(pliant_model_save_file(model, path, NULL), PLIANT_OK);
    pliant_body_def def = body_saying(folder, "");
    assert_rubber(&def);
    def = body_saying(folder, ", \"friction\": 0.5, \"self_collision\": false");
    assert_true(def.friction == 0.5f && !def.self_collision && def.restitution == 0.5f);
    pliant_model_destroy(model);
    pliant_mesh_destroy(mesh);
    remove(path);
    remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_recipe_does_not_say_stays),
        cmocka_unit_test(mistakes_are_told_and_change_nothing),
        cmocka_unit_test(a_model_keeps_it_and_gives_it_to_bodies),
        cmocka_unit_test(a_scene_may_say_otherwise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
