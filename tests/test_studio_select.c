// Who is selected by each rule, and what a ray meets.

#include "studio_drive.h"

#define SELECT(what, mode, rules)                                                                  \
    "{\"select\":{\"what\":\"" what "\",\"mode\":\"" mode "\",\"rules\":[" rules "]}}"

static const unsigned char *mask(studio *s, bool particles)
{
    size_t count;
    return studio_view(
        s, particles ? STUDIO_VIEW_SELECTED_PARTICLES : STUDIO_VIEW_SELECTED_VERTICES, &count);
}

static int selected(studio *s, bool particles)
{
    return answer_int(s, particles ? "document.selectedParticles" : "document.selectedVertices");
}

static void sets_are_sets(void **state)
{
    (void)state;
    studio *s = studio_with_model();
    int vertices = state_int(s, "document.vertices"),
        particles = state_int(s, "document.particles");
    ask(s, SELECT("vertices", "set", "{\"all\":{}}"));
    assert_int_equal(selected(s, false), vertices);
    assert_int_equal(selected(s, true), 0);
    ask(s, SELECT("vertices", "set", "{\"invert\":{}}"));
    assert_int_equal(selected(s, false), 0);
    ask(s, SELECT("particles", "set", "{\"index\":3},{\"index\":5}"));
    assert_int_equal(selected(s, true), 2);
    assert_true(mask(s, true)[3] && mask(s, true)[5]);
    ask(s, SELECT("particles", "add", "{\"index\":7}"));
    assert_int_equal(selected(s, true), 3);
    ask(s, SELECT("particles", "remove", "{\"index\":5},{\"index\":9}"));
    assert_int_equal(selected(s, true), 2);
    ask(s, SELECT("particles", "set", "{\"invert\":{}}"));
    assert_int_equal(selected(s, true), particles - 2);
    ask(s, SELECT("particles", "set", "{\"index\":0},{\"invert\":{}}"));
    assert_int_equal(selected(s, true), particles - 1);
    ask(s, SELECT("particles", "set", "{\"none\":{}}"));
    assert_int_equal(selected(s, true), 0);
    assert_true(answer_has(s, "\"selected\":null"));
    studio_destroy(s);
}

static void places_select_what_is_there(void **state)
{
    (void)state;
    studio *s = studio_with_model();
    ask(s, SELECT("vertices", "set", "{\"sphere\":{\"centre\":[0,0.8,0],\"radius\":0.3}}"));
    size_t count;
    const float *x = studio_view(s, STUDIO_VIEW_POSITIONS, &count);
    const unsigned char *is_selected = mask(s, false);
    for (size_t i = 0; i < count / 3; ++i) {
        vec3 d = {x[3 * i], x[3 * i + 1] - 0.8f, x[3 * i + 2]};
        assert_int_equal(is_selected[i], vec3_length(d) <= 0.3f);
    }
    // A slab between two planes; seen from far above only its upper side.
    ask(s, SELECT("vertices", "set", "{\"planes\":{\"planes\":[[1,0,0,-0.2],[-1,0,0,-0.2]]}}"));
    int all = selected(s, false);
    is_selected = mask(s, false);
    for (size_t i = 0; i < count / 3; ++i)
        assert_int_equal(is_selected[i], x[3 * i] >= -0.2f && x[3 * i] <= 0.2f);
    ask(s, SELECT("vertices", "set",
                  "{\"planes\":{\"planes\":[[1,0,0,-0.2],[-1,0,0,-0.2]],\"eye\":[0,30,0]}}"));
    int above = selected(s, false);
    assert_in_range(above, all / 10, 9 * all / 10);
    const float *normals = studio_view(s, STUDIO_VIEW_NORMALS, &count);
    is_selected = mask(s, false);
    int facing = 0;
    for (size_t i = 0; i < count / 3; ++i)
        facing += is_selected[i] && normals[3 * i + 1] > -0.2f;
    assert_true(facing > 98 * above / 100);
    // Parts are what the state says.
    ask(s, SELECT("vertices", "set", "{\"part\":1}"));
    assert_int_equal(selected(s, false), answer_int(s, "document.parts.1.vertices"));
    int first = answer_int(s, "document.parts.1.firstVertex");
    assert_true(mask(s, false)[first] && !mask(s, false)[first - 1]);
    ask(s, SELECT("particles", "set", "{\"part\":0}"));
    assert_true(selected(s, true) > 200);
    studio_destroy(s);
}

static void growing_follows_what_hangs_together(void **state)
{
    (void)state;
    studio *s = studio_with_model();
    ask(s, SELECT("vertices", "set", "{\"index\":0}"));
    ask(s, SELECT("vertices", "set", "{\"grow\":2}"));
    int grown = selected(s, false);
    assert_true(grown > 6);
    ask(s, SELECT("vertices", "set", "{\"grow\":-2}"));
    assert_in_range(selected(s, false), 1, grown - 1);
    // The skin is one piece, and all of a part.
    ask(s, SELECT("vertices", "set", "{\"connected\":{}}"));
    assert_int_equal(selected(s, false), answer_int(s, "document.parts.0.vertices"));
    ask(s, SELECT("particles", "set", "{\"index\":0},{\"connected\":{}}"));
    assert_true(selected(s, true) > 200);
    studio_destroy(s);
}

static void links_lead_both_ways(void **state)
{
    (void)state;
    studio *s = studio_with_model();
    ask(s, SELECT("particles", "set", "{\"index\":10}"));
    ask(s, SELECT("vertices", "set", "{\"followers\":{}}"));
    int followers = selected(s, false);
    assert_true(followers > 0);
    ask(s, "{\"weights\":{}}");
    assert_int_equal(answer_int(s, "vertices"), followers);
    size_t count;
    const float *weights = studio_view(s, STUDIO_VIEW_WEIGHTS, &count);
    const unsigned char *follows = mask(s, false);
    for (size_t i = 0; i < count; ++i)
        assert_int_equal(weights[i] > 0.0f, follows[i]);
    ask(s, SELECT("particles", "set", "{\"leaders\":{}}"));
    assert_true(selected(s, true) > 1);
    assert_int_equal(mask(s, true)[10], 1);
    ask(s, SELECT("vertices", "set", "{\"unbound\":{}}"));
    assert_int_equal(selected(s, false), 0);
    ask(s, SELECT("vertices", "set", "{\"part\":2}"));
    ask(s, "{\"run\":{\"label\":\"Unbind\",\"tools\":[{\"unbind\":{\"vertices\":\"selected\"}}]}}");
    int unbound = answer_int(s, "document.unbound");
    assert_true(unbound > 0);
    ask(s, SELECT("vertices", "set", "{\"unbound\":{}}"));
    assert_int_equal(selected(s, false), unbound);
    studio_view(s, STUDIO_VIEW_UNBOUND_VERTICES, &count);
    assert_int_equal((int)count, answer_int(s, "document.vertices"));
    // Simulating binds them, as an entry of its own.
    int position = answer_int(s, "history.position");
    ask(s, "{\"simulate\":{}}");
    assert_int_equal(answer_int(s, "history.position"), position + 1);
    assert_int_equal(answer_int(s, "document.unbound"), 0);
    assert_int_equal(answer_int(s, "notes"), 1);
    ask(s, "{\"undo\":{}}");
    assert_int_equal(answer_int(s, "document.unbound"), unbound);
    assert_true(answer_has(s, "\"mode\":\"author\""));
    studio_destroy(s);
}

static void groups_and_values_are_told(void **state)
{
    (void)state;
    studio *s = studio_with_model();
    ask(s, SELECT("particles", "set", "{\"index\":1},{\"index\":2},{\"index\":4}"));
    ask(s, "{\"run\":{\"label\":\"Group\",\"tools\":[{\"group\":{\"particles\":\"selected\"}}]}}");
    assert_int_equal(answer_int(s, "document.groups"), 1);
    ask(s, SELECT("particles", "set", "{\"none\":{}}"));
    ask(s, SELECT("particles", "set", "{\"group\":0}"));
    assert_int_equal(selected(s, true), 3);
    size_t count;
    const float *particles = studio_view(s, STUDIO_VIEW_PARTICLES, &count);
    for (size_t i = 0; i < 6; ++i)
        assert_near(particles[STUDIO_PARTICLE_STRIDE * i + 13],
                    i == 1 || i == 2 || i == 4 ? 0.0 : -1.0, 0.0);
    ask(s, SELECT("particles", "set", "{\"index\":1},{\"index\":2}"));
    ask(s,
        "{\"run\":{\"label\":\"Paint\",\"tools\":[{\"paint\":{\"target\":\"stiffness\",\"value\":"
        "0.25,\"particles\":\"selected\"}}]}}");
    assert_near(answer_number(s, "document.selected.stiffness"), 0.25, 0.0);
    ask(s, SELECT("particles", "add", "{\"index\":4}"));
    assert_true(answer_has(s, "\"differ\":["));
    assert_true(strstr(strstr(answer_text(s), "\"differ\":["), "stiffness") != NULL);
    // Numbers of removed particles mean others now.
    ask(s,
        "{\"run\":{\"label\":\"Remove\",\"tools\":[{\"remove\":{\"particles\":\"selected\"}}]}}");
    assert_int_equal(selected(s, true), 0);
    studio_destroy(s);
}

static void rules_are_checked(void **state)
{
    (void)state;
    studio *s = studio_with_octopus();
    ask(s, SPRAY);
    ask(s, "{\"state\":{}}");
    char *before = copy_answer(s);
    refuse(s, SELECT("vertices", "set", "{\"index\":1000000}"), "select.rules[0].index");
    refuse(s, SELECT("vertices", "set", "{\"all\":{}},{\"index\":1.5}"), "select.rules[1].index");
    refuse(s, SELECT("vertices", "set", "{\"sphere\":{\"centre\":[0,0],\"radius\":1}}"),
           "select.rules[0].sphere.centre");
    refuse(s, SELECT("vertices", "set", "{\"group\":0}"), "select.rules[0].group");
    refuse(s, SELECT("particles", "set", "{\"group\":0}"), "select.rules[0].group");
    refuse(s, SELECT("particles", "set", "{\"unbound\":{}}"), "select.rules[0].unbound");
    refuse(s, SELECT("vertices", "set", "{\"leaders\":{}}"), "select.rules[0].leaders");
    refuse(s, SELECT("vertices", "set", "{\"huh\":{}}"), "select.rules[0].huh");
    refuse(s, SELECT("vertices", "set", "{}"), "select.rules[0]");
    refuse(s, SELECT("vertices", "set", "{\"planes\":{\"planes\":[[1,0,0]]}}"),
           "select.rules[0].planes.planes[0]");
    refuse(s, SELECT("vertices", "set", "{\"planes\":{\"planes\":[[1,0,0,\"x\"]]}}"),
           "select.rules[0].planes.planes[0]");
    refuse(s, SELECT("vertices", "never", "{\"all\":{}}"), "select.mode");
    refuse(s, SELECT("edges", "set", "{\"all\":{}}"), "select.what");
    refuse(s, "{\"select\":{\"what\":\"vertices\",\"mode\":\"set\"}}", "select");
    ask(s, "{\"state\":{}}");
    assert_string_equal(answer_text(s), before);
    free(before);
    studio_destroy(s);
}

// ---------------------------------------------------------------------------------------------
// Rays

static void rays_meet_what_is_first(void **state)
{
    (void)state;
    studio *s = studio_create();
    // Two squares above each other, the lower one larger.
    put_text(s, "steps.obj",
             "v -1 1 -1\nv 1 1 -1\nv 1 1 1\nv -1 1 1\nv -3 0 -3\nv 3 0 -3\nv 3 0 3\nv -3 0 3\n"
             "g upper\nf 4 3 2 1\ng lower\nf 8 7 6 5\n");
    ask(s, "{\"open\":{\"file\":\"steps.obj\"}}");
    ask(s, "{\"pick\":{\"origin\":[0.9,5,0.9],\"direction\":[0,-2,0]}}");
    assert_near(answer_number(s, "surface.point.1"), 1.0, 1e-6);
    assert_near(answer_number(s, "surface.normal.1"), 1.0, 1e-6);
    assert_int_equal(answer_int(s, "surface.part"), 0);
    ask(s, "{\"pick\":{\"origin\":[2.9,5,2.9],\"direction\":[0,-2,0]}}");
    assert_near(answer_number(s, "surface.point.1"), 0.0, 1e-6);
    assert_int_equal(answer_int(s, "surface.part"), 1);
    // From below the lower one comes first, and its normal is the side that is seen.
    ask(s, "{\"pick\":{\"origin\":[0.5,-5,0.5],\"direction\":[0,1,0]}}");
    assert_near(answer_number(s, "surface.normal.1"), -1.0, 1e-6);
    assert_int_equal(answer_int(s, "surface.part"), 1);
    ask(s, "{\"pick\":{\"origin\":[9,5,9],\"direction\":[0,-1,0]}}");
    assert_true(answer_has(s, "\"surface\":null"));
    assert_true(answer_has(s, "\"particle\":null"));
    ask(s,
        "{\"run\":{\"label\":\"Place\",\"tools\":[{\"place\":{\"position\":[0,3,0],\"radii\":[0.5,"
        "0.25,0.5]}},{\"place\":{\"position\":[0,2,0],\"radii\":[0.1,0.1,0.1]}}]}}");
    ask(s, "{\"pick\":{\"origin\":[0,5,0],\"direction\":[0,-1,0]}}");
    assert_int_equal(answer_int(s, "particle.index"), 0);
    assert_near(answer_number(s, "particle.distance"), 1.75, 1e-5);
    ask(s, "{\"pick\":{\"origin\":[0,-5,0],\"direction\":[0,1,0]}}");
    assert_int_equal(answer_int(s, "particle.index"), 1);
    refuse(s, "{\"pick\":{\"origin\":[0,0,0],\"direction\":[0,0,0]}}", "pick.direction");
    refuse(s, "{\"pick\":{\"origin\":[0,0,0]}}", "pick");
    studio_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_are_sets),
        cmocka_unit_test(places_select_what_is_there),
        cmocka_unit_test(growing_follows_what_hangs_together),
        cmocka_unit_test(links_lead_both_ways),
        cmocka_unit_test(groups_and_values_are_told),
        cmocka_unit_test(rules_are_checked),
        cmocka_unit_test(rays_meet_what_is_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
