// Files become documents and scenes, or a message; bodies and shapes of now become documents.

#include "studio_drive.h"

static void open_as(studio *s, const char *name)
{
    char text[128];
    snprintf(text, sizeof text, "{\"open\":{\"file\":\"%s\"}}", name);
    ask(s, text);
}

static void take_file(studio *s, unsigned char **data, size_t *size)
{
    const void *file = studio_view(s, STUDIO_VIEW_FILE, size);
    *data = malloc(*size + 1);
    memcpy(*data, file, *size);
}

// ---------------------------------------------------------------------------------------------

static void damaged_files_leave_the_work(void **state)
{
    (void)state;
    studio *s = studio_with_model();
    ask(s, "{\"export\":{\"kind\":\"model\"}}");
    unsigned char *file;
    size_t size;
    take_file(s, &file, &size);
    ask(s, "{\"state\":{}}");
    char *before = copy_answer(s);

    refuse(s, "{\"open\":{\"file\":\"nothing.glb\"}}", "open");
    put_file(s, "empty.glb", "", 0);
    refuse(s, "{\"open\":{\"file\":\"empty.glb\"}}", "empty.glb");
    put_text(s, "points.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n");
    refuse(s, "{\"open\":{\"file\":\"points.obj\"}}", "points");
    put_text(s, "letter.glb", "Dear Sir or Madam");
    assert_false(ask_text(s, "{\"open\":{\"file\":\"letter.glb\"}}"));
    put_text(s, "model.pliant", "PLIANT and then something else");
    assert_false(ask_text(s, "{\"open\":{\"file\":\"model.pliant\"}}"));
    put_text(s, "scene.json", "{\"pliant\":1,\"bodies\":[{\"model\":\"gone\"}]}");
    assert_false(ask_text(s, "{\"open\":{\"file\":\"scene.json\"}}"));
    put_text(
        s, "scene.json",
        "{\"pliant\":1,\"models\":{\"a\":{\"file\":\"gone.glb\"}},\"bodies\":[{\"model\":\"a\"}]}");
    assert_false(ask_text(s, "{\"open\":{\"file\":\"scene.json\"}}"));
    assert_true(answer_has(s, "gone.glb"));
    for (int cut = 1; cut < 12; ++cut) {
        put_file(s, "cut.glb", file, size * (size_t)cut / 12);
        assert_false(ask_text(s, "{\"open\":{\"file\":\"cut.glb\"}}"));
        assert_true(answer_has(s, "\"message\":\""));
    }
    ask(s, "{\"state\":{}}");
    assert_string_equal(answer_text(s), before);
    assert_int_equal(s->files.count, 0);
    free(before);
    free(file);
    studio_destroy(s);
}

static void exported_models_open_again(void **state)
{
    (void)state;
    studio *s = studio_with_model();
    int particles = state_int(s, "document.particles"), edges = state_int(s, "document.edges");
    ask(s, "{\"export\":{\"kind\":\"model\"}}");
    unsigned char *first, *second;
    size_t first_size, second_size;
    take_file(s, &first, &first_size);
    put_file(s, "again.glb", first, first_size);
    open_as(s, "again.glb");
    assert_int_equal(answer_int(s, "document.particles"), particles);
    assert_int_equal(answer_int(s, "document.edges"), edges);
    assert_int_equal(answer_int(s, "document.unbound"), 0);
    assert_true(answer_has(s, "\"name\":\"again\""));
    ask(s, "{\"export\":{\"kind\":\"model\"}}");
    take_file(s, &second, &second_size);
    assert_int_equal(first_size, second_size);
    assert_memory_equal(first, second, first_size);
    free(second);

    ask(s, "{\"export\":{\"kind\":\"blob\"}}");
    assert_true(answer_has(s, "\"name\":\"again.pliant\""));
    take_file(s, &second, &second_size);
    put_file(s, "folder/blob.pliant", second, second_size);
    open_as(s, "folder/blob.pliant");
    assert_true(answer_has(s, "\"name\":\"blob\""));
    assert_int_equal(answer_int(s, "document.particles"), particles);
    assert_int_equal(answer_int(s, "document.unbound"), 0);
    ask(s, "{\"simulate\":{}}");
    free(second);

    ask(s, "{\"export\":{\"kind\":\"mesh\"}}");
    take_file(s, &second, &second_size);
    put_file(s, "mesh.glb", second, second_size);
    open_as(s, "mesh.glb");
    assert_int_equal(answer_int(s, "document.particles"), 0);
    free(first);
    free(second);
    studio_destroy(s);
}

static void files_find_what_they_refer_to(void **state)
{
    (void)state;
    studio *s = studio_create();
    const char *text = "mtllib cloth.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n";
    put_text(s, "toy/flat.obj", text);
    put_text(s, "cloth.mtl", "newmtl red\nKd 1 0 0\n");
    open_as(s, "toy/flat.obj");
    assert_true(answer_has(s, "\"material\":\"red\""));
    assert_int_equal(answer_int(s, "notes"), 0);
    // Without it the mesh is there all the same, and a note says why it looks plain.
    put_text(s, "toy/flat.obj", text);
    open_as(s, "toy/flat.obj");
    assert_true(answer_int(s, "notes") > 0);
    studio_destroy(s);
}

static void scenes_are_staged_from_files(void **state)
{
    (void)state;
    studio *s = studio_with_model();
    ask(s, "{\"export\":{\"kind\":\"model\"}}");
    unsigned char *file;
    size_t size;
    take_file(s, &file, &size);
    int position = state_int(s, "history.position");
    put_file(s, "o.glb", file, size);
    put_text(s, "two.json",
             "{\"pliant\":1,\"models\":{\"o\":{\"file\":\"o.glb\"}},\"bodies\":[{\"model\":\"o\"},"
             "{\"model\":\"o\",\"position\":[0,2,0]}]}");
    open_as(s, "two.json");
    assert_true(answer_has(s, "\"source\":\"file\""));
    assert_true(answer_has(s, "\"name\":\"two\""));
    assert_int_equal(answer_int(s, "stage.bodies"), 2);
    assert_int_equal(answer_int(s, "history.position"), position);
    ask(s, "{\"leave\":{}}");
    assert_true(answer_has(s, "\"mode\":\"author\""));
    free(file);
    studio_destroy(s);
}

static void exports_never_take_the_name_of_a_mesh(void **state)
{
    (void)state;
    studio *s = studio_with_model();
    unsigned char *model, *mesh;
    size_t model_size, mesh_size;
    ask(s, "{\"export\":{\"kind\":\"model\"}}");
    assert_true(answer_has(s, "\"name\":\"octopus-model.glb\""));
    take_file(s, &model, &model_size);
    ask(s, "{\"export\":{\"kind\":\"mesh\"}}");
    assert_true(answer_has(s, "\"name\":\"octopus-mesh.glb\""));
    take_file(s, &mesh, &mesh_size);
    put_file(s, "octopus-model.glb", model, model_size);
    open_as(s, "octopus-model.glb");
    ask(s, "{\"export\":{\"kind\":\"model\"}}"); // endings do not pile up
    assert_true(answer_has(s, "\"name\":\"octopus-model.glb\""));
    put_file(s, "octopus-model.glb", mesh, mesh_size); // a mesh that somebody has named so
    open_as(s, "octopus-model.glb");
    ask(s, "{\"run\":{\"label\":\"\",\"tools\":[{\"auto\":{}}]}}");
    ask(s, "{\"export\":{\"kind\":\"model\"}}");
    assert_true(answer_has(s, "\"name\":\"octopus-model-model.glb\""));
    free(model);
    free(mesh);
    studio_destroy(s);
}

static void scenes_are_written(void **state)
{
    (void)state;
    studio *s = studio_with_model();
    ask(s, "{\"simulate\":{}}");
    ask(s, "{\"export\":{\"kind\":\"scene\"}}");
    assert_true(answer_has(s, "\"models\":[\"octopus-model.glb\"]"));
    unsigned char *scene, *model;
    size_t scene_size, model_size;
    take_file(s, &scene, &scene_size);
    ask(s, "{\"export\":{\"kind\":\"model\",\"model\":0}}");
    assert_true(answer_has(s, "\"name\":\"octopus-model.glb\""));
    take_file(s, &model, &model_size);
    size_t again;
    ask(s, "{\"export\":{\"kind\":\"scene\",\"model\":0}}");
    assert_memory_equal(studio_view(s, STUDIO_VIEW_FILE, &again), model, model_size);
    assert_int_equal(again, model_size);
    refuse(s, "{\"export\":{\"kind\":\"scene\",\"model\":1}}", "export");
    studio_advance(s, 1.0f / 60.0f, 30);
    char here[17], there[17];
    stage_hash(s, here);

    studio *other = studio_create();
    put_file(other, "scene.json", scene, scene_size);
    put_file(other, "octopus-model.glb", model, model_size);
    open_as(other, "scene.json");
    studio_advance(other, 1.0f / 60.0f, 30);
    stage_hash(other, there);
    assert_string_equal(here, there);
    free(scene);
    free(model);
    studio_destroy(other);
    studio_destroy(s);
}

// More vertices than there are numbers for.
static void scenes_may_be_too_large(void **state)
{
    (void)state;
    enum { BODIES = 17000 };
    static const char begin[] = "{\"pliant\":1,\"models\":{\"m\":{\"ball\":{\"rings\":256}}},"
                                "\"bodies\":[{\"model\":\"m\"}";
    static const char more[] = ",{\"model\":\"m\"}", end[] = "]}";
    char *text = malloc(sizeof begin + sizeof end + BODIES * sizeof more);
    assert_non_null(text);
    char *at = text + sprintf(text, "%s", begin);
    for (int i = 1; i < BODIES; ++i)
        at += sprintf(at, "%s", more);
    at += sprintf(at, "%s", end);
    studio *s = studio_create();
    ask(s, "{\"scene\":{\"name\":\"rope\"}}");
    put_file(s, "many.json", text, (size_t)(at - text));
    refuse(s, "{\"open\":{\"file\":\"many.json\"}}", "bodies");
    ask(s, "{\"state\":{}}");
    assert_true(answer_has(s, "\"name\":\"rope\""));
    free(text);
    studio_destroy(s);
}

// ---------------------------------------------------------------------------------------------

static void bodies_become_documents(void **state)
{
    (void)state;
    studio *s = studio_create();
    refuse(s, "{\"edit\":{\"body\":0}}", "");
    static const char *const names[] = {"octopus", "cart", "truck", "robe", "rope", "ropes"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        char text[96];
        snprintf(text, sizeof text, "{\"scene\":{\"name\":\"%s\"}}", names[i]);
        ask(s, text);
        int particles = answer_int(s, "stage.bodies.0.particles");
        int edges = answer_int(s, "stage.bodies.0.edges");
        refuse(s, "{\"edit\":{\"body\":100000}}", "edit.body");
        ask(s, "{\"edit\":{\"body\":0}}");
        assert_true(answer_has(s, "\"mode\":\"author\""));
        assert_int_equal(answer_int(s, "document.particles"), particles);
        assert_int_equal(answer_int(s, "document.edges"), edges);
        assert_int_equal(answer_int(s, "document.unbound"), 0);
        ask(s, "{\"simulate\":{}}");
        studio_advance(s, 1.0f / 60.0f, 2);
        assert_near(studio_frame_now(s).frozen, 0.0, 0.0);
    }
    studio_destroy(s);
}

static vec3 *copy_positions(studio *s, size_t *vertices)
{
    size_t count;
    const void *x = studio_view(s, STUDIO_VIEW_POSITIONS, &count);
    vec3 *copy = malloc(count * sizeof(float) + 1);
    memcpy(copy, x, count * sizeof(float));
    *vertices = count / 3;
    return copy;
}

// Distances between vertices do not change when the body as a whole is moved back.
static void dents_are_kept(void **state)
{
    (void)state;
    studio *s = studio_with_model();
    refuse(s, "{\"keep\":{}}", "");
    ask(s, "{\"run\":{\"label\":\"Clay\",\"tools\":[{\"set\":{\"yield_strain\":0.02,\"creep_rate\":"
           "20}}]}}");
    ask(s, "{\"simulate\":{}}");
    assert_true(answer_has(s, "\"isPlastic\":true"));
    studio_advance(s, 1.0f / 60.0f, 120);
    studio_skin(s);
    size_t vertices;
    vec3 *now = copy_positions(s, &vertices);
    ask(s, "{\"keep\":{}}");
    assert_true(answer_has(s, "\"mode\":\"author\""));
    assert_int_equal(answer_int(s, "document.vertices"), (int)vertices);
    assert_int_equal(answer_int(s, "document.unbound"), 0);
    assert_int_equal(answer_int(s, "document.parts"), 3);
    vec3 *kept = copy_positions(s, &vertices);
    uint32_t random = 1;
    float moved = 0.0f;
    for (int i = 0; i < 2000; ++i) {
        size_t a = random_bits(&random) % vertices, b = random_bits(&random) % vertices;
        assert_near(vec3_length(vec3_sub(kept[a], kept[b])), vec3_length(vec3_sub(now[a], now[b])),
                    1e-4);
    }
    ask(s, "{\"undo\":{}}");
    vec3 *authored = copy_positions(s, &vertices);
    vec3 drift = {0};
    for (size_t i = 0; i < vertices; ++i) {
        vec3 d = vec3_sub(kept[i], authored[i]);
        moved = maximum(moved, vec3_length(d));
        drift = vec3_add_scaled(drift, d, 1.0f / (float)vertices);
    }
    assert_true(moved > 0.02f);                            // it is dented
    assert_below(vec3_length(drift), 0.5 * (double)moved); // and where it was
    ask(s, "{\"redo\":{}}");
    free(authored);
    authored = copy_positions(s, &vertices);
    assert_memory_equal(authored, kept, vertices * sizeof *kept);
    // The new shape is one to rest in, and to export.
    ask(s, "{\"simulate\":{}}");
    studio_advance(s, 1.0f / 60.0f, 1);
    ask(s, "{\"export\":{\"kind\":\"model\"}}");
    free(now);
    free(kept);
    free(authored);
    studio_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_files_leave_the_work),
        cmocka_unit_test(exported_models_open_again),
        cmocka_unit_test(files_find_what_they_refer_to),
        cmocka_unit_test(scenes_are_staged_from_files),
        cmocka_unit_test(exports_never_take_the_name_of_a_mesh),
        cmocka_unit_test(scenes_are_written),
        cmocka_unit_test(scenes_may_be_too_large),
        cmocka_unit_test(bodies_become_documents),
        cmocka_unit_test(dents_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
