// Progress of tools: it rises from 0 to 1, and a tool that is cancelled leaves nothing behind.

#include "saved_drafts.h"

// ---------------------------------------------------------------------------------------------
// Somebody who listens

typedef struct listener {
    int calls;
    int stop_at; // the call that returns false, 1 for the first; 0: none
    float first, last;
    bool has_fallen;
    int rises;
} listener;

static bool listen(float part, void *user_data)
{
    listener *l = user_data;
    if (l->calls++ == 0)
        l->first = part;
    else {
        l->has_fallen = l->has_fallen || part < l->last;
        l->rises += part > l->last;
    }
    l->last = part;
    return l->calls != l->stop_at;
}

static void set_listener(pliant_draft *draft, listener *l)
{
    pliant_progress progress = {listen, l};
    pliant_draft_set_progress(draft, l ? &progress : NULL);
}

// ---------------------------------------------------------------------------------------------
// Tools

static pliant_result use_spray(pliant_draft *draft)
{
    pliant_spray_def def = pliant_default_spray_def();
    def.count = 150;
    return pliant_draft_spray(draft, &def, &error);
}

static pliant_result use_fill(pliant_draft *draft)
{
    pliant_fill_def def = pliant_default_fill_def();
    def.spacing = 0.1f;
    return pliant_draft_fill(draft, &def, &error);
}

static pliant_result use_slice(pliant_draft *draft)
{
    pliant_slice_def def = pliant_default_slice_def();
    def.spacing = 0.1f;
    return pliant_draft_slice(draft, &def, &error);
}

static pliant_result use_fit(pliant_draft *draft)
{
    pliant_fit_def def = pliant_default_fit_def();
    def.drift = 2;
    def.merge = 0.1f;
    return pliant_draft_fit(draft, &def, &error);
}

static pliant_result use_connect(pliant_draft *draft)
{
    pliant_connect_def def = pliant_default_connect_def();
    def.distance = 0.5f;
    return pliant_draft_connect(draft, &def, &error);
}

static pliant_result use_connect_nearest(pliant_draft *draft)
{
    pliant_connect_def def = pliant_default_connect_def();
    def.distance = 0.5f;
    def.nearest_only = true;
    return pliant_draft_connect(draft, &def, &error);
}

static pliant_result use_bind(pliant_draft *draft)
{
    pliant_bind_def def = pliant_default_bind_def();
    return pliant_draft_bind(draft, &def, &error);
}

static pliant_result use_mass(pliant_draft *draft)
{
    pliant_mass_def def = pliant_default_mass_def();
    return pliant_draft_mass(draft, &def, &error);
}

static pliant_result use_weigh(pliant_draft *draft)
{
    return pliant_draft_weigh(draft, &error);
}

static pliant_result use_mirror(pliant_draft *draft)
{
    pliant_mirror_def def = pliant_default_mirror_def();
    def.offset = 0.4f;
    def.replaces = true;
    return pliant_draft_mirror(draft, &def, &error);
}

static pliant_result use_auto(pliant_draft *draft)
{
    pliant_auto_def def = pliant_default_auto_def();
    return pliant_draft_auto(draft, &def, &error);
}

static pliant_result use_auto_count(pliant_draft *draft)
{
    pliant_auto_def def = pliant_default_auto_def();
    def.count = 120;
    return pliant_draft_auto(draft, &def, &error);
}

static pliant_result use_auto_slice(pliant_draft *draft)
{
    pliant_auto_def def = pliant_default_auto_def();
    def.method = PLIANT_AUTO_SLICE;
    return pliant_draft_auto(draft, &def, &error);
}

static pliant_result use_recipe(pliant_draft *draft)
{
    static const char text[] =
        "{\"tools\": [{\"spray\": {\"spacing\": 0.12}}, {\"place\": {\"position\": [0, 0, 0]}},"
        " {\"fit\": {\"radius\": 0.2}}, {\"connect\": {\"distance\": 0.3}}, {\"bind\": {}}]}";
    return pliant_draft_run_recipe(draft, text, sizeof text - 1, &error);
}

static const struct tool_case {
    const char *name;
    pliant_result (*use)(pliant_draft *);
    bool is_from_nothing; // else into a draft with particles, edges and a skin
    int least_rises;
} tools[] = {
    {"spray", use_spray, false, 10},
    {"fill", use_fill, false, 5},
    {"slice", use_slice, false, 5},
    {"fit", use_fit, false, 20},
    {"connect", use_connect, false, 20},
    {"connect the nearest", use_connect_nearest, false, 5},
    {"bind", use_bind, false, 20},
    {"mass", use_mass, false, 20},
    {"weigh", use_weigh, false, 20},
    {"mirror", use_mirror, false, 1},
    {"auto", use_auto, true, 50},
    {"auto with a count", use_auto_count, true, 50},
    {"auto by slices", use_auto_slice, true, 10},
    {"a recipe", use_recipe, false, 50},
};

enum { TOOLS = sizeof tools / sizeof tools[0] };

// Fingers, a palm, and a ball through it.
static pliant_mesh *test_mesh(void)
{
    return joined(hand_mesh(),
                  moved(sphere_mesh(0.3f, 12), quat_identity(), (vec3){0, 0.2f, 0.1f}));
}

static saved_draft state_before(const pliant_mesh *mesh, const struct tool_case *tool)
{
    static const char text[] =
        "{\"tools\": [{\"spray\": {\"spacing\": 0.2}}, {\"connect\": {\"distance\": 0.3}},"
        " {\"bind\": {}}, {\"place\": {\"position\": [0.3, 0.1, 0]}}, {\"move\":"
        " {\"translation\": [0, 0.02, 0]}}]}";
    pliant_draft *draft = draft_of(mesh);
    if (!tool->is_from_nothing)
        assert_done(pliant_draft_run_recipe(draft, text, sizeof text - 1, &error));
    // Masses are to be found, as after a tool of a recipe that goes on.
    for (int i = 0; i < pliant_draft_particle_count(draft); i += 2)
        pliant_draft_particle(draft, i)->mass = 0.0f;
    saved_draft saved = save(draft);
    pliant_draft_destroy(draft);
    return saved;
}

// A draft in that state, which has to make its matter yet.
static pliant_draft *draft_in(const pliant_mesh *mesh, const saved_draft *state)
{
    pliant_draft *draft = draft_of(mesh);
    assert_done(restore(draft, state));
    return draft;
}

// What the tool makes of it when nobody listens.
static saved_draft state_after(const pliant_mesh *mesh, const struct tool_case *tool,
                               const saved_draft *before)
{
    pliant_draft *draft = draft_in(mesh, before);
    assert_done(tool->use(draft));
    saved_draft after = save(draft);
    pliant_draft_destroy(draft);
    return after;
}

// ---------------------------------------------------------------------------------------------

static void parts_rise_from_0_to_1(void **unused)
{
    (void)unused;
    pliant_mesh *mesh = test_mesh();
    for (int i = 0; i < TOOLS; ++i) {
        saved_draft before = state_before(mesh, &tools[i]);
        saved_draft after = state_after(mesh, &tools[i], &before);
        pliant_draft *draft = draft_in(mesh, &before);
        listener l = {0};
        set_listener(draft, &l);
        assert_done(tools[i].use(draft));
        assert_holds(draft, &after);
        if (l.first != 0.0f || l.last != 1.0f || l.has_fallen || l.rises < tools[i].least_rises)
            fail_msg("%s: from %g to %g in %d rises, has fallen: %d", tools[i].name,
                     (double)l.first, (double)l.last, l.rises, l.has_fallen);
        pliant_draft_destroy(draft);
        release(&before);
        release(&after);
    }
    pliant_mesh_destroy(mesh);
}

static int count_calls(const pliant_mesh *mesh, const struct tool_case *tool,
                       const saved_draft *before)
{
    pliant_draft *draft = draft_in(mesh, before);
    listener l = {0};
    set_listener(draft, &l);
    assert_done(tool->use(draft));
    pliant_draft_destroy(draft);
    return l.calls;
}

// Cancelled at that call, then done.
static void check_cancelled(const pliant_mesh *mesh, const struct tool_case *tool, int call,
                            const saved_draft *before, const saved_draft *after)
{
    pliant_draft *draft = draft_in(mesh, before);
    listener l = {.stop_at = call};
    set_listener(draft, &l);
    error = (pliant_error){0};
    if (tool->use(draft) != PLIANT_ERROR_CANCELLED)
        fail_msg("%s goes on after call %d", tool->name, call);
    assert_int_equal(error.code, PLIANT_ERROR_CANCELLED);
    assert_string_equal(error.place, "");
    assert_string_equal(error.message, "it was cancelled");
    assert_int_equal(l.calls, call);
    assert_holds(draft, before);
    set_listener(draft, NULL);
    assert_done(tool->use(draft));
    assert_holds(draft, after);
    pliant_draft_destroy(draft);
}

static void what_is_cancelled_leaves_no_trace(void **unused)
{
    (void)unused;
    enum { POINTS = FULL_LENGTH ? 12 : 6 };
    pliant_mesh *mesh = test_mesh();
    for (int i = 0; i < TOOLS; ++i) {
        saved_draft before = state_before(mesh, &tools[i]);
        saved_draft after = state_after(mesh, &tools[i], &before);
        int calls = count_calls(mesh, &tools[i], &before);
        // All calls but the last, of which there may be fewer.
        for (int point = 0, last = 0; point < POINTS; ++point) {
            int call = 1 + point * (calls - 2) / (POINTS - 1);
            if (call > last)
                check_cancelled(mesh, &tools[i], call, &before, &after);
            last = call;
        }
        release(&before);
        release(&after);
    }
    pliant_mesh_destroy(mesh);
}

static void what_is_done_cannot_be_cancelled(void **unused)
{
    (void)unused;
    pliant_mesh *mesh = test_mesh();
    for (int i = 0; i < TOOLS; ++i) {
        saved_draft before = state_before(mesh, &tools[i]);
        saved_draft after = state_after(mesh, &tools[i], &before);
        pliant_draft *draft = draft_in(mesh, &before);
        listener l = {.stop_at = count_calls(mesh, &tools[i], &before)};
        set_listener(draft, &l);
        assert_done(tools[i].use(draft));
        assert_near(l.last, 1, 0);
        assert_holds(draft, &after);
        pliant_draft_destroy(draft);
        release(&before);
        release(&after);
    }
    pliant_mesh_destroy(mesh);
}

static void making_a_draft_is_told_and_cancelled(void **unused)
{
    (void)unused;
    pliant_mesh *mesh = test_mesh();
    listener l = {0};
    pliant_progress progress = {listen, &l};
    pliant_draft *draft = pliant_draft_create_with(mesh, &progress, &error);
    assert_non_null(draft);
    assert_near(l.first, 0, 0);
    assert_near(l.last, 1, 0);
    assert_false(l.has_fallen);
    int calls = l.calls;
    assert_done(use_spray(draft)); // and goes on listening
    assert_true(l.calls > calls);
    pliant_draft_destroy(draft);
    for (int call = 1; call < calls; ++call) {
        l = (listener){.stop_at = call};
        error = (pliant_error){0};
        assert_null(pliant_draft_create_with(mesh, &progress, &error));
        assert_int_equal(error.code, PLIANT_ERROR_CANCELLED);
        assert_string_equal(error.message, "it was cancelled");
        assert_int_equal(l.calls, call);
    }
    pliant_mesh_destroy(mesh);
}

// A tool that is refused has nothing to tell of, or ends before all of it is done.
static void what_fails_does_not_come_to_its_end(void **unused)
{
    (void)unused;
    pliant_mesh *mesh = test_mesh();
    pliant_draft *draft = draft_of(mesh);
    listener l = {0};
    set_listener(draft, &l);
    static const char text[] = "{\"tools\": [{\"spray\": {\"spacing\": 0.2}}, {\"fit\": {}},"
                               " {\"auto\": {}}]}";
    assert_int_not_equal(pliant_draft_run_recipe(draft, text, sizeof text - 1, &error), PLIANT_OK);
    assert_string_equal(error.place, "tools[2].auto: draft");
    assert_below(l.last, 1);
    assert_true(l.calls > 1);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_rise_from_0_to_1),
        cmocka_unit_test(what_is_cancelled_leaves_no_trace),
        cmocka_unit_test(what_is_done_cannot_be_cancelled),
        cmocka_unit_test(making_a_draft_is_told_and_cancelled),
        cmocka_unit_test(what_fails_does_not_come_to_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
