// Masses: of the inside, of sheets, bounded below, and scaled.

#include "draft/draft.h"
#include "meshes.h"

static pliant_draft *sprayed(const pliant_mesh *mesh, float spacing)
{
    pliant_error error = {0};
    pliant_draft *draft = draft_of(mesh);
    pliant_spray_def def = pliant_default_spray_def();
    def.spacing = spacing;
    assert_ok(pliant_draft_spray(draft, &def, &error));
    return draft;
}

static void fill(pliant_draft *draft, float spacing)
{
    pliant_error error = {0};
    pliant_fill_def def = pliant_default_fill_def();
    def.spacing = spacing;
    assert_ok(pliant_draft_fill(draft, &def, &error));
}

static void finish(pliant_draft *draft, pliant_mesh *mesh)
{
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

static double total_mass(pliant_draft *draft)
{
    double sum = 0.0;
    for (int i = 0; i < pliant_draft_particle_count(draft); ++i)
        sum += (double)pliant_draft_particle(draft, i)->mass;
    return sum;
}

static void check_least(pliant_draft *draft)
{
    double mean = total_mass(draft) / pliant_draft_particle_count(draft);
    for (int i = 0; i < pliant_draft_particle_count(draft); ++i)
        assert_true((double)pliant_draft_particle(draft, i)->mass >= 0.25 * mean * 0.99999);
}

static void check_mass(pliant_mesh *mesh, float spacing, double volume, double part)
{
    pliant_error error = {0};
    pliant_draft *draft = sprayed(mesh, spacing);
    fill(draft, spacing);
    pliant_mass_def def = pliant_default_mass_def();
    def.density = 250.0f;
    assert_ok(pliant_draft_mass(draft, &def, &error));
    assert_near(total_mass(draft), 250.0 * volume, part * 250.0 * volume);
    check_least(draft);
    finish(draft, mesh);
}

static void solids_have_their_volume(void **unused)
{
    (void)unused;
    check_mass(box_mesh((vec3){1, 0.8f, 0.6f}, 4, 4, 4), 0.1f, 0.48, 0.07);
    check_mass(sphere_mesh(0.5f, 16), 0.1f, 4.0 / 3.0 * 3.14159265 * 0.125, 0.05);
    check_mass(soup(inside_out(sphere_mesh(0.5f, 16))), 0.1f, 4.0 / 3.0 * 3.14159265 * 0.125, 0.05);
    check_mass(torus_mesh(0.5f, 0.2f, 48, 24), 0.1f, 2.0 * 9.8696044 * 0.5 * 0.04, 0.07);
    check_mass(hand_mesh(), 0.05f,
               (double)(FINGERS * FINGER_WIDTH * FINGER_WIDTH * FINGER_LENGTH +
                        (FINGERS * FINGER_WIDTH + 3 * FINGER_GAP) * FINGER_WIDTH * PALM),
               0.1);
}

// Of sheets thinner and thicker than a cell, and of limbs.
static void thin_things_have_their_thickness(void **unused)
{
    (void)unused;
    const float thicknesses[] = {0.001f, 0.01f, 0.03f, 0.06f, 0.1f};
    for (int i = 0; i < 5; ++i)
        check_mass(box_mesh((vec3){1, 1, thicknesses[i]}, 10, 10, 1), 0.1f, (double)thicknesses[i],
                   0.1);
    check_mass(tube_mesh(0.03f, 1.0f, 24, 100), 0.1f, 3.14159265 * 0.0009, 0.15);
    check_mass(tube_mesh(0.06f, 1.0f, 24, 100), 0.1f, 3.14159265 * 0.0036, 0.15);
}

// What is open counts as thick as it is said to be.
static void open_sheets_are_as_thick_as_asked(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    pliant_mesh *mesh = open_sheet_mesh(2.0f, 1.0f, 10, 5);
    pliant_draft *draft = sprayed(mesh, 0.1f);
    pliant_mass_def def = pliant_default_mass_def();
    def.thickness = 0.004f;
    assert_ok(pliant_draft_mass(draft, &def, &error));
    assert_near(total_mass(draft), 1000.0 * 2.0 * 0.004, 0.02 * 8.0);
    def.thickness = 0.0f; // a tenth of the spacing
    assert_ok(pliant_draft_mass(draft, &def, &error));
    assert_near(total_mass(draft), 1000.0 * 2.0 * 0.01, 0.02 * 20.0);
    check_least(draft);
    finish(draft, mesh);
}

// A heavy body with thin limbs: no mass ratio beyond what the solver takes, and the sum is kept.
static void none_is_below_a_quarter_of_the_mean(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    pliant_mesh *mesh =
        joined(box_mesh((vec3){0.6f, 0.6f, 0.6f}, 6, 6, 6),
               moved(tube_mesh(0.005f, 6.0f, 6, 300), quat_identity(), (vec3){0, 0, 3.2f}));
    pliant_draft *draft = sprayed(mesh, 0.1f);
    fill(draft, 0.1f);
    pliant_mass_def def = pliant_default_mass_def();
    assert_ok(pliant_draft_mass(draft, &def, &error));
    check_least(draft);
    assert_near(total_mass(draft), 216.0, 0.1 * 216.0);
    finish(draft, mesh);
}

static void the_total_is_exact(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    pliant_mesh *mesh = hand_mesh();
    pliant_draft *draft = sprayed(mesh, 0.06f);
    pliant_mass_def def = pliant_default_mass_def();
    def.total = 0.45f;
    assert_ok(pliant_draft_mass(draft, &def, &error));
    assert_near(total_mass(draft), 0.45, 1e-6);
    check_least(draft);
    float first = pliant_draft_particle(draft, 0)->mass;
    def.density = 7.0f; // does not matter then
    assert_ok(pliant_draft_mass(draft, &def, &error));
    assert_near(pliant_draft_particle(draft, 0)->mass, first, 1e-6 * (double)first);
    finish(draft, mesh);
}

static void mass_minds_its_selection(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    pliant_mesh *mesh = open_sheet_mesh(1.0f, 1.0f, 5, 5);
    pliant_draft *draft = sprayed(mesh, 0.2f);
    int32_t indices[] = {0, 2};
    pliant_selection selection = {2, indices};
    pliant_mass_def def = pliant_default_mass_def();
    def.particles = &selection;
    def.total = 0.3f;
    assert_ok(pliant_draft_mass(draft, &def, &error));
    float sum = pliant_draft_particle(draft, 0)->mass + pliant_draft_particle(draft, 2)->mass;
    assert_near(sum, 0.3, 1e-6);
    assert_true(pliant_draft_particle(draft, 1)->mass == 0.0f);
    finish(draft, mesh);
}

static void run(pliant_draft *draft, const char *recipe)
{
    pliant_error error = {0};
    assert_ok(pliant_draft_run_recipe(draft, recipe, strlen(recipe), &error));
}

// A recipe's particles on a mesh weigh as much as the density says.
static void check_recipe(pliant_mesh *mesh, const char *recipe, double mass, double part)
{
    pliant_draft *draft = draft_of(mesh);
    run(draft, recipe);
    assert_true(pliant_draft_particle_count(draft) > 1);
    assert_near(total_mass(draft), mass, part * mass);
    check_least(draft);
    finish(draft, mesh);
}

// Whatever tool made the particles.
static void particles_weigh_what_they_stand_for(void **unused)
{
    (void)unused;
    const vec3 banner = {1, 2, 0.02f}, box = {1, 0.8f, 0.6f};
    check_recipe(box_mesh(banner, 10, 20, 1), "{\"tools\": [{\"spray\": {\"spacing\": 0.1}}]}",
                 300.0 * 0.04, 0.1);
    check_recipe(box_mesh(banner, 10, 20, 1), "{\"tools\": [{\"slice\": {\"spacing\": 0.1}}]}",
                 300.0 * 0.04, 0.1);
    check_recipe(open_sheet_mesh(2, 1, 20, 10), "{\"tools\": [{\"spray\": {\"spacing\": 0.1}}]}",
                 300.0 * 2.0 * 0.01, 0.05);
    check_recipe(open_sheet_mesh(2, 1, 20, 10), "{\"tools\": [{\"slice\": {\"spacing\": 0.1}}]}",
                 300.0 * 2.0 * 0.01, 0.05);
    check_recipe(box_mesh(box, 4, 4, 4), "{\"tools\": [{\"fill\": {\"spacing\": 0.2}}]}",
                 300.0 * 0.48, 0.1);
    check_recipe(box_mesh(box, 4, 4, 4),
                 "{\"tools\": [{\"place\": {\"position\": [0.2, 0, 0], \"radius\": 0.2}},"
                 " {\"place\": {\"position\": [-0.2, 0, 0], \"radius\": 0.2}}]}",
                 300.0 * 0.48, 0.25);
    check_recipe(box_mesh(box, 4, 4, 4),
                 "{\"tools\": [{\"auto\": {\"spacing\": 0.2, \"density\": 700}},"
                 " {\"place\": {\"position\": [0, 0, 0], \"radius\": 0.1}}]}",
                 700.0 * 0.48, 0.1);
}

// The same in C, when the model is built.
static void a_build_weighs(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    pliant_mesh *mesh = box_mesh((vec3){1, 0.8f, 0.6f}, 4, 4, 4);
    pliant_draft *draft = sprayed(mesh, 0.1f);
    pliant_particle_def particle = pliant_default_particle_def();
    particle.mass = 0.0f;
    assert_true(pliant_draft_place(draft, &particle, &error) >= 0);
    pliant_bind_def bind = pliant_default_bind_def();
    assert_ok(pliant_draft_bind(draft, &bind, &error));
    pliant_model *model = pliant_draft_build(draft, &error);
    assert_non_null(model);
    double sum = 0.0;
    for (int i = 0; i < pliant_model_particle_count(model); ++i)
        sum += (double)pliant_model_particles(model)[i].mass;
    assert_near(sum, 300.0 * 0.48, 0.07 * 144.0);
    pliant_model_destroy(model);
    finish(draft, mesh);
}

// The object weighs the same with more particles and with fewer, and where they are moved.
static void masses_follow_particles(void **unused)
{
    (void)unused;
    pliant_mesh *mesh = open_sheet_mesh(2.0f, 1.0f, 20, 10);
    pliant_draft *draft = draft_of(mesh);
    run(draft, "{\"tools\": [{\"spray\": {\"spacing\": 0.2}}, {\"mass\": {\"density\": 500}}]}");
    double mass = total_mass(draft);
    assert_near(mass, 500.0 * 2.0 * 0.02, 0.02 * 20.0);
    run(draft, "{\"tools\": [{\"spray\": {\"spacing\": 0.15}}]}");
    assert_near(total_mass(draft), mass, 1e-3 * mass);
    run(draft, "{\"selections\": {\"some\": {\"indices\": [0, 1, 2, 3, 4, 5, 6]}},"
               " \"tools\": [{\"remove\": {\"particles\": \"some\"}}]}");
    assert_near(total_mass(draft), mass, 1e-3 * mass);
    float before = pliant_draft_particle(draft, 0)->mass;
    run(draft, "{\"selections\": {\"one\": {\"indices\": [0]}},"
               " \"tools\": [{\"move\": {\"particles\": \"one\", \"translation\": [0.1, 0, 0]}}]}");
    assert_true(pliant_draft_particle(draft, 0)->mass != before);
    assert_near(total_mass(draft), mass, 1e-3 * mass);
    finish(draft, mesh);
}

// What was set, painted or summed up stays when particles come and go.
static void given_masses_stay(void **unused)
{
    (void)unused;
    static const char *const givers[] = {
        "{\"tools\": [{\"spray\": {\"spacing\": 0.2, \"particle\": {\"mass\": 0.5}}}]}",
        "{\"tools\": [{\"spray\": {\"spacing\": 0.2}}, {\"set\": {\"mass\": 0.5}}]}",
        ("{\"tools\": [{\"spray\": {\"spacing\": 0.2}},"
         " {\"paint\": {\"target\": \"mass\", \"value\": 0.5, \"strength\": 0.3}}]}"),
        "{\"tools\": [{\"spray\": {\"spacing\": 0.2}}, {\"mass\": {\"total\": 7}}]}",
    };
    for (int i = 0; i < 4; ++i) {
        pliant_mesh *mesh = open_sheet_mesh(2.0f, 1.0f, 20, 10);
        pliant_draft *draft = draft_of(mesh);
        run(draft, givers[i]);
        int count = pliant_draft_particle_count(draft);
        float masses[1000];
        assert_true(count > 10 && count < 1000);
        for (int k = 0; k < count; ++k)
            masses[k] = pliant_draft_particle(draft, k)->mass;
        run(draft, "{\"tools\": [{\"spray\": {\"spacing\": 0.1}}]}");
        assert_true(pliant_draft_particle_count(draft) > count);
        for (int k = 0; k < count; ++k)
            assert_true(pliant_draft_particle(draft, k)->mass == masses[k]);
        // And 0 gives it back to the density.
        pliant_error error = {0};
        pliant_draft_particle(draft, 0)->mass = 0.0f;
        assert_ok(pliant_draft_weigh(draft, &error));
        float found = pliant_draft_particle(draft, 0)->mass;
        assert_true(found > 0.0f && found != masses[0]);
        finish(draft, mesh);
    }
}

// A point has neither area nor inside.
static void ellipsoids_weigh_where_there_is_nothing(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    pliant_mesh *mesh = mesh_of(0, 0);
    pliant_draft *draft = draft_of(mesh);
    pliant_particle_def particle = pliant_default_particle_def();
    particle.mass = 0.0f;
    particle.radii = (vec3){0.1f, 0.2f, 0.3f};
    assert_int_equal(pliant_draft_place(draft, &particle, &error), 0);
    assert_ok(pliant_draft_weigh(draft, &error));
    assert_near(pliant_draft_particle(draft, 0)->mass, 300.0 * 4.18879 * 0.006, 1e-3);
    finish(draft, mesh);
}

// Without a surface there is nothing to weigh.
static void an_empty_mesh_changes_no_mass(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    pliant_mesh *mesh = mesh_of(0, 0);
    pliant_draft *draft = draft_of(mesh);
    pliant_particle_def particle = pliant_default_particle_def();
    particle.mass = 3.0f;
    assert_int_equal(pliant_draft_place(draft, &particle, &error), 0);
    pliant_mass_def def = pliant_default_mass_def();
    def.total = 1.0f;
    assert_ok(pliant_draft_mass(draft, &def, &error));
    assert_true(pliant_draft_particle(draft, 0)->mass == 3.0f);
    finish(draft, mesh);
}

static void mass_refuses(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    pliant_mesh *mesh = open_sheet_mesh(1.0f, 1.0f, 5, 5);
    pliant_draft *draft = sprayed(mesh, 0.2f);
    static const struct {
        pliant_mass_def def;
        const char *place;
    } cases[] = {
        {{.density = 0.0f}, "density"},
        {{.density = NAN}, "density"},
        {{.density = INFINITY}, "density"},
        {{.density = 1.0f, .thickness = -1.0f}, "thickness"},
        {{.density = 1.0f, .total = NAN}, "total"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        assert_int_equal(pliant_draft_mass(draft, &cases[i].def, &error), PLIANT_ERROR_ARGUMENT);
        assert_string_equal(error.place, cases[i].place);
        assert_true(pliant_draft_particle(draft, 0)->mass == 0.0f);
    }
    finish(draft, mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_have_their_volume),
        cmocka_unit_test(thin_things_have_their_thickness),
        cmocka_unit_test(open_sheets_are_as_thick_as_asked),
        cmocka_unit_test(none_is_below_a_quarter_of_the_mean),
        cmocka_unit_test(the_total_is_exact),
        cmocka_unit_test(mass_minds_its_selection),
        cmocka_unit_test(particles_weigh_what_they_stand_for),
        cmocka_unit_test(a_build_weighs),
        cmocka_unit_test(masses_follow_particles),
        cmocka_unit_test(given_masses_stay),
        cmocka_unit_test(ellipsoids_weigh_where_there_is_nothing),
        cmocka_unit_test(an_empty_mesh_changes_no_mass),
        cmocka_unit_test(mass_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
