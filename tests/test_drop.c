// A model without a scene: dropped on the ground, near it, or in its place where it is pinned; seen as a whole, and in the
// same way whatever its size.

#include "bodies.h"
#include "meshes.h"

static pliant_model *make_model(float size, bool has_skin)
{
    lattice l = lattice_of(3, 2, 2);
    l.spacing = 0.2f * size;
    l.radius = 0.1f * size;
    l.has_skin = has_skin;
    return lattice_model(&l);
}

static pliant_scene *drop(pliant_model *model, pliant_mesh *mesh)
{
    pliant_error error = {0};
    pliant_scene *scene = pliant_scene_create_drop("thing", model, mesh, &error);
    if (!scene)
        fail_msg("%s: %s", error.place, error.message);
    return scene;
}

// Where the lowest point of what is seen is at the start, m.
static float lowest(const pliant_scene *scene)
{
    const pliant_model *model = scene->models[0];
    float y = INFINITY;
    for (int i = 0; i < pliant_model_vertex_count(model); ++i)
        y = minimum(y, pliant_model_vertices(model)[i].position.y);
    for (int i = 0; pliant_model_vertex_count(model) == 0 && i < pliant_model_particle_count(model);
         ++i) {
        const pliant_particle_def *particle = &pliant_model_particles(model)[i];
        y = minimum(y, particle->position.y - particle->radii.y);
    }
    return y + scene->bodies[0].def.position.y;
}

// Whether the camera sees a point, in a picture as wide as it is high.
static bool sees(const pliant_scene_camera *camera, vec3 x)
{
    vec3 forward = vec3_sub(camera->target, camera->eye), way = vec3_sub(x, camera->eye);
    float along = vec3_dot(forward, way) / vec3_length(forward);
    float across = sqrtf(vec3_dot(way, way) - along * along);
    return along > 0.0f && across < along * tanf(0.5f * camera->vertical_fov);
}

static void falls_a_little_and_stays_in_sight(void **unused)
{
    (void)unused;
    for (int k = 0; k < 6; ++k) {
        float size = (float[]){0.01f, 1.0f, 100.0f}[k / 2];
        pliant_scene *scene = drop(make_model(size, k % 2), NULL);
        assert_string_equal(scene->name, "thing");
        assert_string_equal(scene->bodies[0].name, "thing");
        assert_string_equal(scene->title, "thing dropped on the ground");
        assert_true(lowest(scene) > 0.0f && lowest(scene) < 0.1f * size);
        pliant_stage stage;
        assert_int_equal(pliant_stage_open(&stage, scene, NULL, NULL), PLIANT_OK);
        for (int i = 0; i < 120; ++i)
            pliant_stage_step(&stage, 1.0f / 60.0f);
        for (int i = 0; i < pliant_model_particle_count(scene->models[0]); ++i) {
            vec3 x = pliant_body_particle_pose(stage.world, stage.bodies[0], i).position;
            assert_true(sees(&scene->camera, x));
            assert_true(x.y > -0.1f * size);
        }
        pliant_stage_close(&stage);
        pliant_scene_destroy(scene);
    }
}

static void scales_with_the_model(void **unused)
{
    (void)unused;
    pliant_scene *small = drop(make_model(1.0f, true), NULL);
    pliant_scene *large = drop(make_model(8.0f, true), NULL);
    assert_near(large->bodies[0].def.position.y, 8.0f * small->bodies[0].def.position.y, 1e-5f);
    assert_near(large->camera.eye.x, 8.0f * small->camera.eye.x, 1e-5f);
    assert_near(large->camera.eye.y, 8.0f * small->camera.eye.y, 1e-5f);
    assert_near(large->camera.eye.z, 8.0f * small->camera.eye.z, 1e-5f);
    assert_near(large->camera.target.y, 8.0f * small->camera.target.y, 1e-5f);
    pliant_scene_destroy(small);
    pliant_scene_destroy(large);
}

// A name that is too long is cut; a mesh of another model is told and taken over all the same.
static void takes_over_what_it_is_given(void **unused)
{
    (void)unused;
    char name[100];
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = 0;
    pliant_scene *scene = pliant_scene_create_drop(name, make_model(1.0f, true), NULL, NULL);
    assert_non_null(scene);
    assert_int_equal(strlen(scene->name), sizeof scene->name - 1);
    assert_string_equal(scene->bodies[0].name, scene->name);
    pliant_scene_destroy(scene);

    pliant_error error = {0};
    assert_null(pliant_scene_create_drop("thing", make_model(1.0f, true), mesh_of(3, 1), &error));
    assert_int_equal(error.code, PLIANT_ERROR_ARGUMENT);
    assert_true(error.message[0]);
}

// At the place it was made at, with ground under it: what is rooted touches it, below what hangs there is room.
static void what_is_pinned_stays_in_its_place(void **unused)
{
    (void)unused;
    static const char *const titles[] = {"thing dropped on the ground", "thing hanging",
                                         "thing rooted in the ground"};
    for (int live = PLIANT_LIVE_DROP; live <= PLIANT_LIVE_ROOTED; ++live) {
        pliant_error error = {0};
        pliant_mesh *mesh =
            moved(open_sheet_mesh(1.0f, 2.0f, 10, 20), quat_identity(), (vec3){3, 5, 0});
        pliant_draft *draft = draft_of(mesh);
        pliant_auto_def def = pliant_default_auto_def();
        assert_ok(pliant_draft_auto(draft, &def, &error));
        assert_ok(pliant_draft_set_live(draft, (pliant_live)live, &error));
        pliant_model *model = pliant_draft_build(draft, &error);
        assert_int_equal(pliant_model_live(model), live);
        pliant_scene *scene = drop(model, NULL);
        assert_string_equal(scene->title, titles[live]);
        float ground = scene->planes[0].offset, room = lowest(scene) - ground;
        if (live == PLIANT_LIVE_DROP)
            assert_true(ground == 0.0f && room > 0.0f);
        else
            assert_true(scene->bodies[0].def.position.y == 0.0f);
        if (live == PLIANT_LIVE_HANG)
            assert_true(room > 0.4f && room < 2.0f);
        if (live == PLIANT_LIVE_ROOTED)
            assert_near(room, 0.0f, 1e-5f);
        for (int v = 0; v < mesh->vertex_count; ++v)
            assert_true(
                sees(&scene->camera, vec3_add(mesh->positions[v], scene->bodies[0].def.position)));
        assert_true(sees(&scene->camera, (vec3){3, ground, 0}));
        pliant_scene_destroy(scene);
        pliant_draft_destroy(draft);
        pliant_mesh_destroy(mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(falls_a_little_and_stays_in_sight),
        cmocka_unit_test(scales_with_the_model),
        cmocka_unit_test(takes_over_what_it_is_given),
        cmocka_unit_test(what_is_pinned_stays_in_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
