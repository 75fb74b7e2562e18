// Undo, redo and travel bring back the very bytes; strokes are one entry; a kept history comes back elsewhere.

#include "studio_drive.h"

// Twelve different things to do, each of which changes something.
static const char *const deeds[] = {
    SPRAY,
    CONNECT,
    FIT,
    MASS,
    BIND,
    "{\"select\":{\"what\":\"particles\",\"mode\":\"set\",\"rules\":[{\"sphere\":{\"centre\":[0,0."
    "5,0],"
    "\"radius\":0.4}}]}}",
    "{\"run\":{\"label\":\"Paint\",\"tools\":[{\"paint\":{\"target\":\"stiffness\",\"value\":0.9,"
    "\"particles\":\"selected\"}}]}}",
    "{\"run\":{\"label\":\"Group\",\"tools\":[{\"group\":{\"particles\":\"selected\",\"stiffness\":"
    "1}}]}}",
    "{\"select\":{\"what\":\"vertices\",\"mode\":\"set\",\"rules\":[{\"part\":0}]}}",
    "{\"run\":{\"label\":\"Disconnect\",\"tools\":[{\"disconnect\":{\"particles\":\"selected\"}}]}"
    "}",
    "{\"run\":{\"label\":\"Remove\",\"tools\":[{\"remove\":{\"particles\":\"selected\"}}]}}",
    "{\"run\":{\"label\":\"Place\",\"tools\":[{\"place\":{\"position\":[0,2,0]}}]}}",
};

enum { DEEDS = sizeof deeds / sizeof deeds[0] };

// The numbers of the blocks that make the present content.
static void present_blocks(studio *s, int ids[STUDIO_CONTENT_COUNT])
{
    ask(s, "{\"history\":{}}");
    int position = answer_int(s, "position");
    for (int k = 0; k < STUDIO_CONTENT_COUNT; ++k) {
        char path[48];
        snprintf(path, sizeof path, "entries.%d.blocks.%d", position - 1, k);
        ids[k] = answer_int(s, path);
    }
}

// The present document, saved anew, has the bytes of the history's present entry.
static void assert_is_at_entry(studio *s)
{
    studio_content content;
    pliant_error error = {0};
    assert_true(studio_document_save(s, s->document, &content, &error));
    int ids[STUDIO_CONTENT_COUNT];
    present_blocks(s, ids);
    for (int k = 0; k < STUDIO_CONTENT_COUNT; ++k)
        assert_int_equal(content.blocks[k]->id, ids[k]);
    studio_content_drop(s, &content);
}

static void undo_and_redo_bring_everything_back(void **state)
{
    (void)state;
    studio *s = studio_with_octopus();
    for (int i = 0; i < DEEDS; ++i) {
        ask(s, deeds[i]);
        assert_int_equal(answer_int(s, "history.position"), i + 2);
    }
    ask(s, "{\"state\":{}}");
    char *last = copy_answer(s);
    for (int i = 0; i < DEEDS; ++i) {
        ask(s, "{\"undo\":{}}");
        assert_is_at_entry(s);
    }
    assert_int_equal(state_int(s, "document.particles"), 0);
    for (int i = 0; i < DEEDS; ++i) {
        ask(s, "{\"redo\":{}}");
        assert_is_at_entry(s);
    }
    ask(s, "{\"state\":{}}");
    assert_string_equal(answer_text(s), last);
    refuse(s, "{\"redo\":{}}", "");
    ask(s, "{\"travel\":{\"position\":3}}");
    assert_is_at_entry(s);
    ask(s, "{\"travel\":{\"position\":0}}");
    assert_true(answer_has(s, "\"mode\":\"empty\""));
    refuse(s, "{\"undo\":{}}", "");
    ask(s, "{\"travel\":{\"position\":13}}");
    int revision = answer_int(s, "document.revision");
    assert_is_at_entry(s);
    free(last);
    // Something new takes the place of what was undone.
    ask(s, "{\"undo\":{}}");
    assert_int_equal(answer_int(s, "document.revision"), revision);
    ask(s, deeds[DEEDS - 1]);
    refuse(s, "{\"redo\":{}}", "");
    studio_destroy(s);
}

static void what_changes_nothing_is_no_entry(void **state)
{
    (void)state;
    studio *s = studio_with_octopus();
    ask(s, SPRAY);
    ask(s, "{\"select\":{\"what\":\"particles\",\"mode\":\"add\",\"rules\":[]}}");
    assert_int_equal(answer_int(s, "history.position"), 2);
    ask(s, "{\"run\":{\"label\":\"Nothing\",\"tools\":[]}}");
    assert_int_equal(answer_int(s, "history.position"), 2);
    studio_destroy(s);
}

static void strokes_are_one_entry(void **state)
{
    (void)state;
    studio *s = studio_with_octopus();
    ask(s, SPRAY);
    for (int i = 0; i < 5; ++i) {
        char text[256];
        snprintf(text, sizeof text,
                 "{\"run\":{\"label\":\"Paint %d\",\"stroke\":4,\"tools\":[{\"paint\":{\"target\":"
                 "\"stiffness\",\"value\":%g}}]}}",
                 i, 0.1 + 0.1 * i);
        ask(s, text);
    }
    assert_int_equal(answer_int(s, "history.labels"), 3);
    assert_true(answer_has(s, "Paint 0"));
    assert_false(answer_has(s, "Paint 4"));
    assert_is_at_entry(s);
    // What was selected for it belongs to it, and does not name it.
    ask(s, "{\"select\":{\"what\":\"particles\",\"mode\":\"set\",\"rules\":[{\"index\":3}],"
           "\"stroke\":9}}");
    ask(s, "{\"run\":{\"label\":\"Cut\",\"stroke\":9,\"tools\":[{\"remove\":{\"particles\":"
           "\"selected\"}}]}}");
    ask(s, "{\"select\":{\"what\":\"particles\",\"mode\":\"set\",\"rules\":[{\"index\":4}],"
           "\"stroke\":9}}");
    assert_int_equal(answer_int(s, "history.labels"), 4);
    assert_true(answer_has(s, "\"Cut\"]"));
    ask(s, "{\"undo\":{}}");
    // Another stroke, and no stroke at all, are entries of their own.
    ask(s, "{\"run\":{\"label\":\"P\",\"stroke\":5,\"tools\":[{\"paint\":{\"target\":\"stiffness\","
           "\"value\":0.9}}]}}");
    ask(s, "{\"run\":{\"label\":\"P\",\"tools\":[{\"paint\":{\"target\":\"stiffness\",\"value\":0."
           "8}}]}}");
    ask(s, "{\"run\":{\"label\":\"P\",\"tools\":[{\"paint\":{\"target\":\"stiffness\",\"value\":0."
           "7}}]}}");
    assert_int_equal(answer_int(s, "history.labels"), 6);
    ask(s, "{\"travel\":{\"position\":2}}");
    studio_destroy(s);
}

static void opening_is_undone_too(void **state)
{
    (void)state;
    studio *s = studio_with_model();
    put_text(s, "flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    ask(s, "{\"open\":{\"file\":\"flat.obj\"}}");
    assert_int_equal(answer_int(s, "document.vertices"), 3);
    assert_int_equal(answer_int(s, "document.particles"), 0);
    ask(s, "{\"undo\":{}}");
    assert_int_equal(answer_int(s, "document.unbound"), 0);
    assert_true(answer_int(s, "document.particles") > 200);
    assert_is_at_entry(s);
    ask(s, "{\"redo\":{}}");
    assert_int_equal(answer_int(s, "document.vertices"), 3);
    studio_destroy(s);
}

static void oldest_steps_are_forgotten(void **state)
{
    (void)state;
    studio *s = studio_with_octopus();
    ask(s, "{\"run\":{\"label\":\"Place\",\"tools\":[{\"place\":{\"position\":[0,0,0]}}]}}");
    for (int i = 0; i < 1003; ++i) {
        char text[160];
        snprintf(text, sizeof text,
                 "{\"run\":{\"label\":\"%d\",\"tools\":[{\"paint\":{\"target\":\"mass\",\"value\":%"
                 "d}}]}}",
                 i, i + 2);
        ask(s, text);
    }
    assert_int_equal(answer_int(s, "history.labels"), 1000);
    assert_int_equal(answer_int(s, "history.position"), 1000);
    assert_is_at_entry(s);
    // The first entry still opens the document, now with what the forgotten ones did.
    ask(s, "{\"travel\":{\"position\":1}}");
    assert_int_equal(answer_int(s, "document.particles"), 1);
    assert_is_at_entry(s);
    ask(s, "{\"undo\":{}}");
    assert_true(answer_has(s, "\"mode\":\"empty\""));
    studio_destroy(s);
}

// ---------------------------------------------------------------------------------------------
// Keeping

// Hands the history of one studio to another as the page does: its text and its blocks.
static char *hand_over(studio *from, studio *to)
{
    ask(from, "{\"history\":{}}");
    const char *content = answer_text(from);
    char *text = malloc(strlen(content) + 32);
    sprintf(text, "{\"restore\":%s}", content);
    for (int id = 1; id < 1000; ++id) {
        size_t size;
        const void *block = studio_block(from, id, &size);
        if (block)
            memcpy(studio_block_room(to, id, size), block, size);
    }
    return text;
}

static void assert_same_work(studio *a, studio *b)
{
    ask(a, "{\"history\":{}}");
    ask(b, "{\"history\":{}}");
    assert_string_equal(answer_text(a), answer_text(b));
    ask(a, "{\"export\":{\"kind\":\"model\"}}");
    ask(b, "{\"export\":{\"kind\":\"model\"}}");
    size_t size_a, size_b;
    const void *file_a = studio_view(a, STUDIO_VIEW_FILE, &size_a);
    const void *file_b = studio_view(b, STUDIO_VIEW_FILE, &size_b);
    assert_int_equal(size_a, size_b);
    assert_memory_equal(file_a, file_b, size_a);
}

static void kept_history_comes_back(void **state)
{
    (void)state;
    studio *s = studio_with_octopus();
    for (int i = 0; i < 8; ++i)
        ask(s, deeds[i]);
    ask(s, "{\"undo\":{}}");
    studio *other = studio_create();
    char *text = hand_over(s, other);
    ask(other, text);
    free(text);
    assert_is_at_entry(other);
    assert_same_work(s, other);
    ask(s, "{\"redo\":{}}");
    ask(other, "{\"redo\":{}}");
    assert_same_work(s, other);
    studio_destroy(s);
    studio_destroy(other);
}

static void bad_histories_change_nothing(void **state)
{
    (void)state;
    studio *s = studio_with_octopus();
    ask(s, SPRAY);
    ask(s, "{\"state\":{}}");
    char *before = copy_answer(s);
    refuse(s, "{\"restore\":{\"position\":0}}", "restore");
    refuse(s, "{\"restore\":{\"position\":1,\"entries\":[]}}", "restore");
    refuse(
        s,
        "{\"restore\":{\"position\":1,\"entries\":[{\"label\":\"x\",\"blocks\":[1,2,3,4,5,6]}]}}",
        "restore.entries[0].blocks[0]");
    for (int damage = 0; damage < 3; ++damage) {
        studio *other = studio_with_model();
        char *text = hand_over(other, s);
        // Of every block a byte, or all but the beginning, or the beginning.
        for (int i = 0; i < s->put_count; ++i) {
            studio_block_item *put = &s->put[i];
            if (damage == 0)
                put->data[put->size / 2] ^= 0xff;
            else if (damage == 1)
                put->size /= 2;
            else
                memset(put->data, 0xff, put->size < 64 ? put->size : 64);
        }
        assert_false(ask_text(s, text));
        assert_true(answer_has(s, "\"message\":\""));
        free(text);
        studio_destroy(other);
        ask(s, "{\"state\":{}}");
        assert_string_equal(answer_text(s), before);
    }
    // Five blocks are too few, seven too many.
    memcpy(studio_block_room(s, 1, 4), "abcd", 4);
    refuse(s,
           "{\"restore\":{\"position\":1,\"entries\":[{\"label\":\"x\",\"blocks\":[1,1,1,1,1]}]}}",
           "restore.entries[0].blocks");
    memcpy(studio_block_room(s, 1, 4), "abcd", 4);
    refuse(
        s,
        "{\"restore\":{\"position\":1,\"entries\":[{\"label\":\"x\",\"blocks\":[1,1,1,1,1,1,1]}]}}",
        "restore.entries[0].blocks[6]");
    ask(s, "{\"state\":{}}");
    assert_string_equal(answer_text(s), before);
    free(before);
    studio_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(undo_and_redo_bring_everything_back),
        cmocka_unit_test(what_changes_nothing_is_no_entry),
        cmocka_unit_test(strokes_are_one_entry),
        cmocka_unit_test(opening_is_undone_too),
        cmocka_unit_test(oldest_steps_are_forgotten),
        cmocka_unit_test(kept_history_comes_back),
        cmocka_unit_test(bad_histories_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
