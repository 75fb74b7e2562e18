// Spraying under a brush: only there, as fine as asked for, and nothing where there is no surface.

#include "drafts.h"

static pliant_spray_def brush(vec3 centre, float radius, float spacing)
{
    pliant_spray_def def = pliant_default_spray_def();
    def.centre = centre;
    def.radius = radius;
    def.spacing = spacing;
    return def;
}

static float between(vec3 a, vec3 b)
{
    return vec3_length(vec3_sub(a, b));
}

static int spray(pliant_draft *draft, const pliant_spray_def *def)
{
    int before = pliant_draft_particle_count(draft);
    assert_done(pliant_draft_spray(draft, def, &error));
    for (int i = before; i < pliant_draft_particle_count(draft); ++i) {
        assert_true(between(draft->particles[i].position, def->centre) <= def->radius * 1.000001f);
        assert_true(draft->anchors[i].triangle >= 0);
        assert_near(between(draft->particles[i].position, draft->anchors[i].position), 0, 0);
    }
    return pliant_draft_particle_count(draft) - before;
}

static bool lies_on_a_box(vec3 x)
{
    float side = maximum(absolute(x.y), absolute(x.z));
    float along = minimum(absolute(x.x), absolute(absolute(x.x) - 3.0f));
    return absolute(maximum(side, along) - 0.5f) < 1e-6f;
}

// A triangle of the box is a metre wide.
static void a_brush_is_finer_than_triangles(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = draft_of(mesh);
    pliant_spray_def def = brush((vec3){0.1f, 0.55f, 0.2f}, 0.2f, 0.06f);
    assert_true(spray(draft, &def) > 10);
    for (int i = 0; i < pliant_draft_particle_count(draft); ++i) {
        vec3 x = draft->particles[i].position;
        assert_true(lies_on_a_box(x));
        for (int k = 0; k < i; ++k)
            assert_true(between(x, draft->particles[k].position) > 0.0599f);
    }
    // Nothing is left to do in the same place, whatever the seed; beside it, there is.
    def.seed = 7;
    assert_int_equal(spray(draft, &def), 0);
    def.centre.x = 0.3f;
    assert_true(spray(draft, &def) > 3);
    for (int i = 0; i < pliant_draft_particle_count(draft); ++i)
        for (int k = 0; k < i; ++k)
            assert_true(between(draft->particles[i].position, draft->particles[k].position) >
                        0.0599f);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// Smaller than the cells in which tools see the object: one particle, straight below.
static void the_smallest_brush_places_one(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = draft_of(mesh);
    assert_done(pliant_draft_set_scale(draft, 0.6f, 0.1f, &error));
    pliant_spray_def def = brush((vec3){0.123f, 0.501f, -0.2f}, 0.004f, 0.01f);
    assert_int_equal(spray(draft, &def), 1);
    assert_near(draft->particles[0].position.x, 0.123, 1e-6);
    assert_near(draft->particles[0].position.y, 0.5, 1e-6);
    assert_int_equal(spray(draft, &def), 0);
    // By a count it is no smaller than what tools can see.
    def = brush((vec3){-0.3f, 0.5f, 0.3f}, 0.004f, 0);
    assert_int_equal(spray(draft, &def), 1);
    assert_true(draft->particles[1].radii.x >= 0.1f);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

static void a_brush_away_from_the_surface_adds_nothing(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = draft_of(mesh);
    pliant_spray_def def = brush((vec3){0, 2, 0}, 1.4f, 0.1f);
    assert_int_equal(spray(draft, &def), 0);
    def = brush((vec3){0, 0, 0}, 0.4f, 0); // within the body
    assert_int_equal(spray(draft, &def), 0);
    // On what is not selected.
    int32_t box[BOX_VERTICES];
    for (int i = 0; i < BOX_VERTICES; ++i)
        box[i] = BOX_VERTICES + i;
    pliant_selection left = {BOX_VERTICES, box};
    def = brush((vec3){0, 0.5f, 0}, 0.4f, 0.1f);
    def.vertices = &left;
    assert_int_equal(spray(draft, &def), 0);
    assert_near(pliant_draft_spacing(draft), 0, 0);
    def.centre.x = 3.0f;
    assert_true(spray(draft, &def) > 5);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// The count is that of the brush, not of the object.
static void the_count_is_for_the_area_under_the_brush(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    for (int has_scale = 0; has_scale < 2; ++has_scale) {
        pliant_draft *draft = draft_of(mesh);
        if (has_scale)
            assert_done(pliant_draft_set_scale(draft, 0.06f, 0.01f, &error));
        pliant_spray_def def = brush((vec3){3, 0.5f, 0}, 0.4f, 0);
        def.count = 40;
        int found = spray(draft, &def);
        assert_true(found > 30 && found < 50);
        pliant_draft_destroy(draft);
    }
    pliant_mesh_destroy(mesh);
}

// What is beyond the brush does not matter to it.
static void a_brush_around_all_is_no_brush(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *plain = draft_of(mesh), *brushed = draft_of(mesh);
    pliant_spray_def def = brush((vec3){0, 0, 0}, 0, 0.2f);
    assert_done(pliant_draft_spray(plain, &def, &error));
    def.radius = 50.0f;
    assert_done(pliant_draft_spray(brushed, &def, &error));
    int count = pliant_draft_particle_count(plain);
    assert_true(count > 100);
    assert_int_equal(pliant_draft_particle_count(brushed), count);
    assert_memory_equal(plain->particles, brushed->particles,
                        (size_t)count * sizeof *plain->particles);
    pliant_draft_destroy(brushed);
    pliant_draft_destroy(plain);
    pliant_mesh_destroy(mesh);
}

static void brushes_out_of_range_are_refused(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = draft_of(mesh);
    pliant_spray_def def = brush((vec3){0, 0, 0}, -1, 0.2f);
    assert_refused(pliant_draft_spray(draft, &def, &error), "radius",
                   "expected a number of at least 0");
    def.radius = NAN;
    assert_refused(pliant_draft_spray(draft, &def, &error), "radius",
                   "expected a number of at least 0");
    def = brush((vec3){0, NAN, 0}, 1, 0.2f);
    assert_refused(pliant_draft_spray(draft, &def, &error), "centre",
                   "expected three numbers in [-1e+06, 1e+06]");
    def.radius = 0; // without a brush its centre means nothing
    assert_done(pliant_draft_spray(draft, &def, &error));
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_brush_is_finer_than_triangles),
        cmocka_unit_test(the_smallest_brush_places_one),
        cmocka_unit_test(a_brush_away_from_the_surface_adds_nothing),
        cmocka_unit_test(the_count_is_for_the_area_under_the_brush),
        cmocka_unit_test(a_brush_around_all_is_no_brush),
        cmocka_unit_test(brushes_out_of_range_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
