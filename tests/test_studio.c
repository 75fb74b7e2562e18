// From a mesh to a model that plays and is exported, as the page does it.

#include "studio_drive.h"

static void assert_hash_of_file(const void *data, size_t size, int steps, const char *expected)
{
    pliant_mesh *mesh;
    pliant_error error = {0};
    pliant_model *model = pliant_model_read(data, size, NULL, &mesh, &error);
    assert_non_null(model);
    pliant_scene *scene = pliant_scene_create_drop("exported", model, mesh, &error);
    assert_non_null(scene);
    pliant_stage stage;
    assert_int_equal(pliant_stage_open(&stage, scene, NULL, &error), PLIANT_OK);
    for (int i = 0; i < steps; ++i)
        pliant_stage_step(&stage, 1.0f / 60.0f);
    char hash[24];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)pliant_world_hash(stage.world));
    assert_string_equal(hash, expected);
    pliant_stage_close(&stage);
    pliant_scene_destroy(scene);
}

static void from_mesh_to_exported_model(void **state)
{
    (void)state;
    studio *s = studio_with_model();
    ask(s, "{\"state\":{}}");
    assert_true(answer_has(s, "\"mode\":\"author\""));
    int particles = answer_int(s, "document.particles");
    assert_in_range(particles, 240, 360);
    assert_true(answer_int(s, "document.edges") > particles);
    assert_int_equal(answer_int(s, "document.unbound"), 0);
    assert_int_equal(answer_int(s, "history.position"), 6);

    ask(s, "{\"simulate\":{}}");
    assert_true(answer_has(s, "\"mode\":\"play\""));
    assert_true(answer_has(s, "\"source\":\"document\""));
    studio_advance(s, 1.0f / 60.0f, 120);
    char hash[17];
    stage_hash(s, hash);
    assert_int_equal(answer_int(s, "steps"), 120);

    ask(s, "{\"export\":{\"kind\":\"model\"}}");
    assert_true(answer_has(s, "\"name\":\"octopus-model.glb\""));
    size_t size;
    const void *file = studio_view(s, STUDIO_VIEW_FILE, &size);
    assert_int_equal((int)size, answer_int(s, "size"));
    assert_hash_of_file(file, size, 120, hash);

    ask(s, "{\"reset\":{}}");
    studio_advance(s, 1.0f / 60.0f, 120);
    char again[17];
    stage_hash(s, again);
    assert_string_equal(again, hash);
    ask(s, "{\"leave\":{}}");
    assert_true(answer_has(s, "\"mode\":\"author\""));
    studio_destroy(s);
}

// The state follows from the pins, so that undo brings it back; asking for the proposal changes nothing.
static void tells_how_it_lives(void **state)
{
    (void)state;
    studio *s = studio_with_model();
    ask(s, "{\"state\":{}}");
    assert_true(answer_has(s, "\"live\":\"drop\""));
    char *before = copy_answer(s);
    ask(s, "{\"propose\":{}}");
    assert_string_equal(answer_text(s), "{\"live\":\"drop\"}");
    ask(s, "{\"state\":{}}");
    assert_string_equal(answer_text(s), before);

    ask(s, "{\"run\":{\"label\":\"Rooted\",\"tools\":[{\"live\":{\"as\":\"rooted\"}}]}}");
    assert_true(answer_has(s, "\"live\":\"rooted\""));
    ask(s, "{\"simulate\":{}}");
    assert_true(answer_has(s, "octopus rooted in the ground"));
    ask(s, "{\"undo\":{}}");
    assert_true(answer_has(s, "\"live\":\"drop\""));
    ask(s, "{\"redo\":{}}");
    assert_true(answer_has(s, "\"live\":\"rooted\""));
    free(before);
    studio_destroy(s);
}

// ---------------------------------------------------------------------------------------------
// Malformed commands

static const char *const commands[] = {
    "state",      "open",   "scene",   "edit",    "leave",    "run",       "select",   "undo",
    "redo",       "travel", "pick",    "weights", "simulate", "reset",     "settings", "keep",
    "grab",       "drag",   "release", "hash",    "bakeLast", "bakeBegin", "bakeGoOn", "bakeEnd",
    "bakeCancel", "export", "history", "restore", "propose",
};

static void assert_nothing_malformed_works(studio *s)
{
    ask(s, "{\"state\":{}}");
    char *before = copy_answer(s);
    static const char *const arguments[] = {"[]", "null", "5", "\"x\"", "true", "{\"huh\":1}"};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; ++i) {
        for (size_t k = 0; k < sizeof arguments / sizeof arguments[0]; ++k) {
            char text[96];
            snprintf(text, sizeof text, "{\"%s\":%s}", commands[i], arguments[k]);
            assert_false(ask_text(s, text));
            assert_true(answer_has(s, "{\"code\":\"PLIANT_ERROR_"));
            assert_false(answer_has(s, "\"message\":\"\""));
        }
    }
    static const char *const texts[] = {
        "",
        "{",
        "[]",
        "{}",
        "5",
        "{\"state\":{},\"undo\":{}}",
        "{\"State\":{}}",
        "{\"\":{}}",
        "{\"state\":{}} more",
        "{\"open\":{\"file\":7}}",
        "{\"scene\":{\"name\":\"nowhere\"}}",
        "{\"scene\":{\"name\":\"a name that is so long that it cannot be the name of a scene\"}}",
        "{\"travel\":{\"position\":-1}}",
        "{\"travel\":{\"position\":1000}}",
        "{\"travel\":{\"position\":0.5}}",
        "{\"run\":{\"label\":\"x\"}}",
        "{\"run\":{\"label\":\"x\",\"tools\":{}}}",
        "{\"run\":{\"label\":\"x\",\"tools\":[{}]}}",
        "{\"run\":{\"label\":\"x\",\"tools\":[{\"huh\":{}}]}}",
        "{\"run\":{\"label\":\"x\",\"tools\":[{\"spray\":{\"spacing\":-1}}]}}",
        "{\"run\":{\"label\":\"\",\"tools\":[{\"spray\":{\"count\":9}},{\"bind\":{\"links\":9}}]}}",
        "{\"run\":{\"label\":\"x\",\"stroke\":-1,\"tools\":[]}}",
        "{\"grab\":{\"origin\":[0,0,0],\"direction\":[0,0,0]}}",
        "{\"drag\":{\"point\":[0,0]}}",
        "{\"bakeLast\":{\"seconds\":0,\"fps\":60}}",
        "{\"bakeLast\":{\"seconds\":1,\"fps\":0}}",
        "{\"bakeBegin\":{\"seconds\":3600,\"fps\":240}}",
        "{\"bakeGoOn\":{\"frames\":0}}",
        "{\"export\":{\"kind\":\"picture\"}}",
        "{\"export\":{\"kind\":\"model\",\"model\":-1}}",
        "{\"settings\":{\"gravity\":[0,0]}}",
        "{\"edit\":{\"body\":-1}}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        if (ask_text(s, texts[i]))
            print_error("%s works\n", texts[i]);
        assert_true(answer_has(s, "{\"code\":\"PLIANT_ERROR_"));
    }
    ask(s, "{\"state\":{}}");
    assert_string_equal(answer_text(s), before);
    free(before);
}

static void malformed_commands_change_nothing(void **state)
{
    (void)state;
    studio *s = studio_create();
    assert_nothing_malformed_works(s);
    ask(s, "{\"scene\":{\"name\":\"jelly\"}}");
    studio_advance(s, 1.0f / 60.0f, 3);
    assert_nothing_malformed_works(s);
    put_octopus(s, "octopus.glb");
    ask(s, "{\"open\":{\"file\":\"octopus.glb\"}}");
    ask(s, SPRAY);
    assert_nothing_malformed_works(s);
    ask(s, "{\"simulate\":{}}");
    studio_advance(s, 1.0f / 60.0f, 3);
    assert_nothing_malformed_works(s);
    studio_destroy(s);
}

// Valid commands with a few characters wrong: whatever they mean then, there is an answer that can be read.
static void garbled_commands_are_answered(void **state)
{
    (void)state;
    static const char *const valid[] = {
        "{\"select\":{\"what\":\"particles\",\"mode\":\"add\",\"rules\":[{\"planes\":{\"planes\":[["
        "1,0,0,-2]],"
        "\"eye\":[0,5,0]}},{\"grow\":-1},{\"index\":12}],\"stroke\":3}}",
        "{\"select\":{\"what\":\"vertices\",\"mode\":\"set\",\"rules\":[{\"sphere\":{\"centre\":[0,"
        "1,0],"
        "\"radius\":0.5}},{\"invert\":{}},{\"part\":1},{\"connected\":{}}]}}",
        "{\"pick\":{\"origin\":[0,5e0,0],\"direction\":[0.5,-1,0]}}",
        "{\"grab\":{\"origin\":[0,5,0],\"direction\":[0,-1,0]}}",
        "{\"settings\":{\"gravity\":[0,-9.8,0],\"stiffness\":2,\"wind\":{\"velocity\":[1,2,3],"
        "\"gusts\":0.5}}}",
        "{\"drag\":{\"point\":[1,2,3]}}",
        "{\"travel\":{\"position\":2}}",
        "{\"export\":{\"kind\":\"mesh\",\"model\":0}}",
        "{\"restore\":{\"position\":1,\"entries\":[{\"label\":\"x\",\"blocks\":[1,2,3,4,5,6]}]}}",
        "{\"run\":{\"label\":\"Paint\",\"tools\":[{\"paint\":{\"target\":\"mass\",\"value\":2,"
        "\"strength\":"
        "0.5,\"particles\":\"selected\"}}]}}",
    };
    static const char characters[] = "{}[]\",:-.0123456789eE \\tnaxyz\xff";
    studio *s = studio_with_octopus();
    ask(s, SPRAY);
    uint32_t random = 1;
    for (int i = 0; i < 4000; ++i) {
        char text[256];
        snprintf(text, sizeof text, "%s",
                 valid[random_bits(&random) % (sizeof valid / sizeof *valid)]);
        size_t length = strlen(text);
        for (uint32_t k = 1 + random_bits(&random) % 3; k > 0; --k) {
            size_t at = random_bits(&random) % length;
            if (random_bits(&random) % 2)
                text[at] = characters[random_bits(&random) % (sizeof characters - 1)];
            else
                memmove(text + at, text + at + 1, length-- - at);
        }
        bool works = studio_command(s, text, length);
        pliant_error error = {0};
        size_t size;
        const char *answer = studio_answer(s, &size);
        json_document *json = pli_json_parse(answer, size, &error);
        assert_non_null(json);
        if (!works)
            assert_true(pli_json_get(json, pli_json_root(json), "message") != JSON_NONE);
        pli_json_destroy(json);
    }
    studio_destroy(s);
}

static void what_cannot_be_done_now_is_said(void **state)
{
    (void)state;
    studio *s = studio_create();
    refuse(s, SPRAY, "");
    refuse(s, "{\"simulate\":{}}", "");
    refuse(s, "{\"weights\":{}}", "");
    refuse(s, "{\"propose\":{}}", "");
    refuse(s, "{\"export\":{\"kind\":\"mesh\"}}", "");
    refuse(s, "{\"export\":{\"kind\":\"scene\"}}", "");
    refuse(s, "{\"reset\":{}}", "");
    refuse(s, "{\"hash\":{}}", "");
    size_t count;
    for (int i = 0; i < STUDIO_VIEW_COUNT; ++i)
        assert_null(studio_view(s, (studio_view_kind)i, &count));
    studio_advance(s, 1.0f / 60.0f, 3);
    studio_skin(s);
    assert_near(studio_frame_now(s).steps, 0.0, 0.0);
    put_octopus(s, "octopus.glb");
    ask(s, "{\"open\":{\"file\":\"octopus.glb\"}}");
    refuse(s, "{\"simulate\":{}}", "octopus"); // without particles
    refuse(s, "{\"export\":{\"kind\":\"model\"}}", "octopus");
    ask(s, SPRAY);
    assert_false(ask_text(s, "{\"export\":{\"kind\":\"model\"}}")); // not bound
    ask(s, "{\"export\":{\"kind\":\"mesh\"}}");
    studio_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(from_mesh_to_exported_model),
        cmocka_unit_test(tells_how_it_lives),
        cmocka_unit_test(malformed_commands_change_nothing),
        cmocka_unit_test(garbled_commands_are_answered),
        cmocka_unit_test(what_cannot_be_done_now_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
