// What tools were asked to carry moves; all other vertices stay where they are.

#include "drafts.h"
#include "studio_drive.h"

#define SELECT_PART(part)                                                                          \
    "{\"select\":{\"what\":\"vertices\",\"mode\":\"set\",\"rules\":[{\"part\":" #part "}]}}"
#define USE(tools) "{\"run\":{\"label\":\"Use\",\"tools\":[" tools "]}}"
#define SLICE                                                                                      \
    USE("{\"slice\":{\"vertices\":\"selected\",\"spacing\":0.09,\"particle\":{\"mass\":0.1}}}")

enum { FIRST = BOX_VERTICES, END = 2 * BOX_VERTICES }; // of the part in the middle

// Boxes at places that no arithmetic gets back without rounding, all but the last above the ground.
static studio *studio_with_boxes(void)
{
    pliant_mesh *mesh = three_boxes();
    for (int i = 0; i < mesh->vertex_count; ++i) {
        vec3 *x = &mesh->positions[i];
        float height = i < END ? 1.93f : 1.43f;
        *x = (vec3){0.137f * x->x + 0.71f, 0.37f * x->y + height, 0.219f * x->z - 0.57f};
    }
    void *data;
    size_t size;
    assert_int_equal(pliant_mesh_write(mesh, &data, &size, NULL), PLIANT_OK);
    studio *s = studio_create();
    assert_non_null(s);
    put_file(s, "boxes.glb", data, size);
    free(data);
    pliant_mesh_destroy(mesh);
    ask(s, "{\"open\":{\"file\":\"boxes.glb\"}}");
    return s;
}

// Plays for a second; the vertices from `first` to `end` have fallen, all others are where they were.
static void check_motion(studio *s, int first, int end)
{
    const vec3 *rest = s->document->mesh->positions;
    for (int i = 0; i < 12; ++i) {
        studio_advance(s, 1.0f / 60.0f, 5);
        studio_skin(s);
        for (int v = 0; v < s->document->mesh->vertex_count; ++v) {
            if (v < first || v >= end)
                assert_memory_equal(&s->play->positions[v], &rest[v], sizeof *rest);
        }
    }
    for (int v = first; v < end; ++v)
        assert_true(s->play->positions[v].y < rest[v].y - 0.01f);
}

static void only_what_was_selected_moves(void **state)
{
    (void)state;
    studio *s = studio_with_boxes();
    ask(s, SELECT_PART(1));
    ask(s, SLICE);
    assert_int_equal(answer_int(s, "document.unbound"), 3 * BOX_VERTICES);
    ask(s, "{\"simulate\":{}}");
    assert_true(answer_has(s, "8 vertices were bound to particles first"));
    assert_true(answer_has(s, "16 vertices stay where they are: nothing was made for them"));
    check_motion(s, FIRST, END);
    ask(s, "{\"leave\":{}}");
    assert_int_equal(answer_int(s, "document.unbound"), 2 * BOX_VERTICES);

    // Another part that is made afterwards moves, too, and the history knows what was asked for when.
    ask(s, SELECT_PART(0));
    ask(s, SLICE);
    ask(s, "{\"simulate\":{}}");
    check_motion(s, 0, END);
    for (int i = 0; i < 3; ++i)
        ask(s, "{\"undo\":{}}");
    ask(s, "{\"simulate\":{}}");
    check_motion(s, FIRST, END);
    studio_destroy(s);
}

static void a_brush_asks_for_the_piece_below_it(void **state)
{
    (void)state;
    studio *s = studio_with_boxes();
    ask(s, USE("{\"spray\":{\"spacing\":0.1,\"centre\":[1.121,2.115,-0.57],\"radius\":0.12}},"
               "{\"connect\":{\"distance\":0.25}},{\"mass\":{}}"));
    ask(s, "{\"simulate\":{}}");
    assert_true(answer_has(s, "16 vertices stay where they are"));
    check_motion(s, FIRST, END);
    studio_destroy(s);
}

static void everything_follows_where_nothing_was_chosen(void **state)
{
    (void)state;
    studio *s = studio_with_boxes();
    ask(s, USE("{\"spray\":{\"spacing\":0.1}},{\"mass\":{}}"));
    ask(s, "{\"simulate\":{}}");
    assert_int_equal(answer_int(s, "document.unbound"), 0);
    assert_false(answer_has(s, "stay where they are"));
    // Auto, then a part alone: what Auto was asked for went with its particles.
    ask(s, "{\"leave\":{}}");
    ask(s, USE("{\"remove\":{}},{\"auto\":{}}"));
    ask(s, SELECT_PART(1));
    ask(s, USE("{\"remove\":{}},{\"slice\":{\"vertices\":\"selected\",\"spacing\":0.09}}"));
    ask(s, "{\"simulate\":{}}");
    check_motion(s, FIRST, END);
    studio_destroy(s);
}

// The model's file, opened again, is the same, also after all of it was staged once more.
static void a_file_keeps_what_stays(void **state)
{
    (void)state;
    studio *s = studio_with_boxes();
    ask(s, SELECT_PART(1));
    ask(s, SLICE);
    ask(s, "{\"simulate\":{}}");
    char first[17], second[17];
    studio_advance(s, 1.0f / 60.0f, 60);
    stage_hash(s, first);
    int particles = state_int(s, "document.particles");
    ask(s, "{\"export\":{\"kind\":\"model\"}}");
    size_t size;
    const void *file = studio_view(s, STUDIO_VIEW_FILE, &size);
    put_file(s, "again.glb", file, size);
    ask(s, "{\"open\":{\"file\":\"again.glb\"}}");
    assert_int_equal(answer_int(s, "document.particles"), particles);
    assert_int_equal(answer_int(s, "document.unbound"), 2 * BOX_VERTICES);
    ask(s, "{\"simulate\":{}}");
    check_motion(s, FIRST, END);
    stage_hash(s, second);
    assert_string_equal(first, second);
    studio_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_was_selected_moves),
        cmocka_unit_test(a_brush_asks_for_the_piece_below_it),
        cmocka_unit_test(everything_follows_where_nothing_was_chosen),
        cmocka_unit_test(a_file_keeps_what_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
