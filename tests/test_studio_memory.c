// Memory that runs out, at any place of any command: a message, and everything is as it was.

#include "studio_drive.h"

#include "limited_memory.h"

// The state and the history, as text.
static char *all_of(studio *s)
{
    ask(s, "{\"state\":{}}");
    char *state = copy_answer(s);
    ask(s, "{\"history\":{}}");
    const char *history = answer_text(s);
    char *both = malloc(strlen(state) + strlen(history) + 1);
    strcpy(both, state);
    strcat(both, history);
    free(state);
    return both;
}

// With more and more memory until it works. `prepare` may put files or blocks before each try.
static void try_until_it_works(studio *s, const char *text, void (*prepare)(studio *))
{
    char *before = all_of(s);
    size_t budget = 0;
    int failures = 0;
    for (bool works = false; !works; budget += budget / 3 + 200) {
        if (prepare)
            prepare(s);
        limited_memory_begin(budget);
        works = ask_text(s, text);
        limited_memory_end();
        if (works)
            break;
        assert_true(answer_has(s, "\"message\":\""));
        if (!answer_has(s, "PLIANT_ERROR_MEMORY"))
            print_error("%.60s: %s\n", text, answer_text(s));
        assert_true(answer_has(s, "PLIANT_ERROR_MEMORY"));
        char *after = all_of(s);
        assert_string_equal(after, before);
        free(after);
        ++failures;
    }
    assert_true(failures > 0);
    free(before);
}

static void put_again(studio *s)
{
    put_octopus(s, "octopus.glb");
}

static studio *kept;

static void put_blocks(studio *s)
{
    for (int id = 1; id < 100; ++id) {
        size_t size;
        const void *block = studio_block(kept, id, &size);
        if (block)
            memcpy(studio_block_room(s, id, size), block, size);
    }
}

static void commands_survive_without_memory(void **state)
{
    (void)state;
    studio *s = studio_create();
    try_until_it_works(s, "{\"open\":{\"file\":\"octopus.glb\"}}", put_again);
    try_until_it_works(s, SPRAY, NULL);
    try_until_it_works(s, CONNECT, NULL);
    try_until_it_works(s, MASS, NULL);
    try_until_it_works(
        s,
        "{\"select\":{\"what\":\"particles\",\"mode\":\"set\",\"rules\":[{\"index\":3},"
        "{\"grow\":2}]}}",
        NULL);
    try_until_it_works(s, "{\"pick\":{\"origin\":[0,5,0],\"direction\":[0,-1,0]}}", NULL);
    try_until_it_works(s, "{\"weights\":{}}", NULL);
    try_until_it_works(s, "{\"undo\":{}}", NULL);
    try_until_it_works(s, "{\"travel\":{\"position\":0}}", NULL);
    try_until_it_works(s, "{\"travel\":{\"position\":4}}", NULL);
    try_until_it_works(s, "{\"scale\":{\"by\":2}}", NULL);
    try_until_it_works(s, "{\"simulate\":{}}", NULL);
    try_until_it_works(s, "{\"reset\":{}}", NULL);
    studio_advance(s, 1.0f / 60.0f, 10);
    try_until_it_works(s, "{\"keep\":{}}", NULL);
    try_until_it_works(s, "{\"simulate\":{}}", NULL);
    studio_advance(s, 1.0f / 60.0f, 10);
    try_until_it_works(s, "{\"bakeBegin\":{\"seconds\":1,\"fps\":30}}", NULL);
    ask(s, "{\"bakeCancel\":{}}");
    try_until_it_works(s, "{\"export\":{\"kind\":\"model\"}}", NULL);
    try_until_it_works(s, "{\"export\":{\"kind\":\"blob\"}}", NULL);
    try_until_it_works(s, "{\"bakeLast\":{\"seconds\":1,\"fps\":24}}", NULL);
    try_until_it_works(s, "{\"scene\":{\"name\":\"jelly\"}}", NULL);
    try_until_it_works(s, "{\"edit\":{\"body\":0}}", NULL);
    studio_destroy(s);
}

static void histories_survive_without_memory(void **state)
{
    (void)state;
    kept = studio_with_octopus();
    ask(kept, SPRAY);
    ask(kept, "{\"history\":{}}");
    const char *content = answer_text(kept);
    char *text = malloc(strlen(content) + 32);
    sprintf(text, "{\"restore\":%s}", content);
    studio *s = studio_create();
    try_until_it_works(s, text, put_blocks);
    assert_true(state_int(s, "document.particles") > 200);
    free(text);
    studio_destroy(s);
    studio_destroy(kept);
}

static void views_survive_without_memory(void **state)
{
    (void)state;
    studio *s = studio_with_octopus();
    ask(s, SPRAY);
    size_t count;
    for (int i = 0; i < STUDIO_VIEW_COUNT; ++i) {
        for (size_t budget = 0; budget < 200000; budget += budget / 2 + 1000) {
            limited_memory_begin(budget);
            const void *view = studio_view(s, (studio_view_kind)i, &count);
            limited_memory_end();
            assert_true(view != NULL || count == 0);
        }
    }
    limited_memory_begin(100);
    assert_null(studio_file_room(s, "a", 1000));
    assert_null(studio_block_room(s, 1, 1000));
    limited_memory_end();
    studio_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_survive_without_memory),
        cmocka_unit_test(histories_survive_without_memory),
        cmocka_unit_test(views_survive_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
