// Ellipsoids from the surface around particles, and drifting to the middle of thin parts.

#include "draft/draft.h"
#include "meshes.h"

static int place(pliant_draft *draft, vec3 x, float radius)
{
    pliant_error error = {0};
    pliant_particle_def particle = pliant_default_particle_def();
    particle.position = x;
    particle.radii = (vec3){radius, radius, radius};
    int index = pliant_draft_place(draft, &particle, &error);
    assert_true(index >= 0);
    return index;
}

static void set_scale(pliant_draft *draft, float spacing)
{
    pliant_error error = {0};
    assert_ok(pliant_draft_set_scale(draft, spacing, 0.0f, &error));
}

static vec3 axis_of(const pliant_particle_def *particle, int k)
{
    return quat_rotate(particle->orientation, (vec3){k == 0, k == 1, k == 2});
}

static void finish(pliant_draft *draft, pliant_mesh *mesh)
{
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// ---------------------------------------------------------------------------------------------
// Shape

// In a plane: the aspect limits the thin axis, the others reach as far as was looked.
static void discs_in_a_plane(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    pliant_mesh *mesh = moved(open_sheet_mesh(6.0f, 6.0f, 60, 60),
                              quat_normalize((quat){0.2f, -0.4f, 0.1f, 0.7f}), (vec3){3, 2, 1});
    pliant_draft *draft = draft_of(mesh);
    set_scale(draft, 0.3f);
    int particle = place(draft, (vec3){3, 2, 1}, 1.0f);
    pliant_fit_def def = pliant_default_fit_def();
    assert_ok(pliant_draft_fit(draft, &def, &error));
    const pliant_particle_def *fitted = pliant_draft_particle(draft, particle);
    assert_near(fitted->radii.x, 0.5, 1e-6);
    assert_near(fitted->radii.y, 0.99, 0.015);
    assert_near(fitted->radii.z, 0.99, 0.015);
    vec3 normal = quat_rotate(quat_normalize((quat){0.2f, -0.4f, 0.1f, 0.7f}), (vec3){0, 0, 1});
    assert_near(fabsf(vec3_dot(axis_of(fitted, 0), normal)), 1.0, 1e-5);
    assert_near(straight_between(fitted->position, (vec3){3, 2, 1}), 0.0, 0.0);
    finish(draft, mesh);
}

// About the centroid the thin axis stays across the plane; about the particle it would lie in it.
static void thin_axis_across_a_plane_beside(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    const float offsets[] = {0.1f, 0.4f, 0.5f, 0.6f, 0.8f};
    pliant_mesh *mesh = open_sheet_mesh(6.0f, 6.0f, 50, 50);
    for (int i = 0; i < 5; ++i) {
        pliant_draft *draft = draft_of(mesh);
        set_scale(draft, 0.25f);
        int particle = place(draft, (vec3){0.02f, 0.03f, offsets[i]}, 1.0f);
        pliant_fit_def def = pliant_default_fit_def();
        assert_ok(pliant_draft_fit(draft, &def, &error));
        const pliant_particle_def *fitted = pliant_draft_particle(draft, particle);
        assert_true(fabsf(axis_of(fitted, 0).z) > cosf(PI / 180.0f));
        assert_near(fitted->radii.x, offsets[i] > 0.5f ? offsets[i] : 0.5f, 1e-4);
        pliant_draft_destroy(draft);
    }
    pliant_mesh_destroy(mesh);
}

// From its middle an ellipsoid has the extents it has.
static void extents_of_an_ellipsoid(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    quat turn = quat_normalize((quat){0.5f, 0.1f, -0.3f, 0.6f});
    pliant_mesh *mesh =
        moved(ellipsoid_mesh((vec3){0.3f, 0.5f, 0.8f}, 24), turn, (vec3){10, 20, -30});
    pliant_draft *draft = draft_of(mesh);
    set_scale(draft, 0.2f);
    int particle = place(draft, (vec3){10, 20, -30}, 0.85f);
    pliant_fit_def def = pliant_default_fit_def();
    def.aspect = 4.0f;
    assert_ok(pliant_draft_fit(draft, &def, &error));
    const pliant_particle_def *fitted = pliant_draft_particle(draft, particle);
    assert_near(fitted->radii.x, 0.3, 0.005);
    assert_near(fitted->radii.y, 0.5, 0.005);
    assert_near(fitted->radii.z, 0.8, 0.005);
    for (int k = 0; k < 3; ++k) {
        vec3 exact = quat_rotate(turn, (vec3){k == 0, k == 1, k == 2});
        assert_near(fabsf(vec3_dot(axis_of(fitted, k), exact)), 1.0, 1e-3);
    }
    // A smaller radius and aspect bound them.
    def.radius = 0.6f;
    def.aspect = 1.5f;
    assert_ok(pliant_draft_fit(draft, &def, &error));
    assert_near(fitted->radii.x, 0.4, 1e-6);
    assert_true(fitted->radii.z <= 0.6f);
    finish(draft, mesh);
}

// Another finger that comes close does not count: of one finger alone the thin axes are across it.
static void fingers_are_fitted_apart(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    pliant_mesh *mesh = hand_mesh();
    pliant_draft *draft = draft_of(mesh);
    set_scale(draft, 0.06f);
    for (int i = 0; i < FINGERS; ++i)
        place(draft,
              (vec3){(FINGER_WIDTH + FINGER_GAP) * (float)i + 0.5f * FINGER_WIDTH, 0.3f, 0.05f},
              0.13f);
    pliant_fit_def def = pliant_default_fit_def();
    def.aspect = 10.0f;
    assert_ok(pliant_draft_fit(draft, &def, &error));
    for (int i = 0; i < FINGERS; ++i) {
        const pliant_particle_def *fitted = pliant_draft_particle(draft, i);
        assert_true(fabsf(axis_of(fitted, 2).y) > 0.99f);
        assert_below(fitted->radii.x, 0.075f);
        assert_below(fitted->radii.y, 0.075f);
        assert_true(fitted->radii.z > 0.1f);
    }
    finish(draft, mesh);
}

// Where there is no surface around, a ball.
static void nothing_around_gives_a_ball(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    pliant_mesh *mesh = box_mesh((vec3){4, 4, 4}, 8, 8, 8);
    pliant_draft *draft = draft_of(mesh);
    set_scale(draft, 0.5f);
    int particle = place(draft, (vec3){0, 0, 0}, 0.3f);
    pliant_fit_def def = pliant_default_fit_def();
    def.drift = 5;
    assert_ok(pliant_draft_fit(draft, &def, &error));
    const pliant_particle_def *fitted = pliant_draft_particle(draft, particle);
    assert_true(fitted->radii.x == 0.3f && fitted->radii.y == 0.3f && fitted->radii.z == 0.3f);
    assert_true(fitted->orientation.w == 1.0f);
    assert_near(vec3_length(fitted->position), 0.0, 0.0);
    finish(draft, mesh);
}

static void fit_minds_the_selection(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    pliant_mesh *mesh = open_sheet_mesh(4.0f, 4.0f, 20, 20);
    pliant_draft *draft = draft_of(mesh);
    set_scale(draft, 0.3f);
    for (int i = 0; i < 4; ++i)
        place(draft, (vec3){0.1f * (float)i, 0, 0.1f}, 0.5f);
    int32_t indices[] = {1, 3};
    pliant_selection selection = {2, indices};
    pliant_fit_def def = pliant_default_fit_def();
    def.particles = &selection;
    def.drift = 1;
    def.merge = 0.05f;
    assert_ok(pliant_draft_fit(draft, &def, &error));
    assert_int_equal(pliant_draft_particle_count(draft), 4);
    for (int i = 0; i < 4; ++i) {
        assert_near(pliant_draft_particle(draft, i)->radii.x, i % 2 ? 0.25 : 0.5, 1e-6);
        assert_near(particle_position(draft, i).z, i % 2 ? 0.0 : 0.1, 1e-6);
    }
    selection.count = 0;
    assert_ok(pliant_draft_fit(draft, &def, &error));
    finish(draft, mesh);
}

// ---------------------------------------------------------------------------------------------
// Drift

static void spray(pliant_draft *draft, float spacing)
{
    pliant_error error = {0};
    pliant_spray_def def = pliant_default_spray_def();
    def.spacing = spacing;
    assert_ok(pliant_draft_spray(draft, &def, &error));
}

static float nearest_pair(pliant_draft *draft)
{
    float nearest = INFINITY;
    for (int i = 0; i < pliant_draft_particle_count(draft); ++i)
        for (int k = 0; k < i; ++k)
            nearest = minimum(nearest, straight_between(particle_position(draft, i),
                                                        particle_position(draft, k)));
    return nearest;
}

static void drift(pliant_draft *draft, float radius, float merge)
{
    pliant_error error = {0};
    pliant_fit_def def = pliant_default_fit_def();
    def.radius = radius;
    def.drift = 4;
    def.merge = merge;
    assert_ok(pliant_draft_fit(draft, &def, &error));
}

static void drift_gathers_on_the_axis(void **unused)
{
    (void)unused;
    const float spacing = 0.06f, reach = 0.1f, radius = 0.04f;
    for (int round_ends = 0; round_ends < 2; ++round_ends) {
        pliant_mesh *mesh =
            round_ends ? capsule_mesh(radius, 1.0f, 16, 100) : tube_mesh(radius, 1.0f, 16, 100);
        pliant_draft *draft = draft_of(mesh);
        spray(draft, spacing);
        int before = pliant_draft_particle_count(draft);
        drift(draft, reach, 0.0f);
        assert_int_equal(pliant_draft_particle_count(draft), before);
        float low = 0.0f, high = 0.0f, end = round_ends ? 0.5f + radius : 0.5f;
        for (int i = 0; i < before; ++i) {
            vec3 x = particle_position(draft, i);
            float off = square_root(x.x * x.x + x.y * x.y);
            low = minimum(low, x.z);
            high = maximum(high, x.z);
            if (absolute(x.z) < end - reach)
                assert_below(off, 0.05f * radius);
            assert_below(off, 0.5f * radius);
            assert_below(absolute(x.z), end + 1e-4f);
        }
        float drawn_in = (round_ends ? 0.78f : 0.6f) * reach;
        assert_true(high > end - drawn_in && low < -end + drawn_in);
        drift(draft, reach, 0.05f);
        assert_true(pliant_draft_particle_count(draft) < before);
        assert_true(nearest_pair(draft) >= 0.05f);
        finish(draft, mesh);
    }
}

// One layer in the middle of a sheet, which is as wide as before.
static void drift_makes_one_layer_of_a_sheet(void **unused)
{
    (void)unused;
    const float spacing = 0.1f;
    pliant_mesh *mesh = box_mesh((vec3){1, 1, 0.05f}, 10, 10, 1);
    pliant_draft *draft = draft_of(mesh);
    spray(draft, spacing);
    drift(draft, spacing, 0.5f * spacing);
    vec3 low = {0, 0, 0}, high = {0, 0, 0};
    for (int i = 0; i < pliant_draft_particle_count(draft); ++i) {
        vec3 x = particle_position(draft, i);
        if (absolute(x.x) < 0.4f && absolute(x.y) < 0.4f)
            assert_below(absolute(x.z), 0.003f);
        low = (vec3){minimum(low.x, x.x), minimum(low.y, x.y), 0};
        high = (vec3){maximum(high.x, x.x), maximum(high.y, x.y), 0};
    }
    assert_true(low.x < -0.4f && low.y < -0.4f && high.x > 0.4f && high.y > 0.4f);
    assert_true(nearest_pair(draft) >= 0.5f * spacing);
    finish(draft, mesh);
}

// What is thick stays where it is but for a little.
static void drift_leaves_a_ball_its_size(void **unused)
{
    (void)unused;
    pliant_mesh *mesh = sphere_mesh(1.0f, 16);
    pliant_draft *draft = draft_of(mesh);
    spray(draft, 0.2f);
    drift(draft, 0.2f, 0.0f);
    for (int i = 0; i < pliant_draft_particle_count(draft); ++i)
        assert_true(vec3_length(particle_position(draft, i)) > 0.9f);
    finish(draft, mesh);
}

// Particles of two touching fingers come closer than `merge` and stay two.
static void merge_leaves_fingers_their_own(void **unused)
{
    (void)unused;
    pliant_mesh *mesh = hand_mesh();
    pliant_draft *draft = draft_of(mesh);
    const float merge = 0.11f;
    spray(draft, 0.06f);
    drift(draft, 0.1f, merge);
    int counts[FINGERS] = {0}, total = pliant_draft_particle_count(draft);
    bool close_pair = false;
    for (int i = 0; i < total; ++i) {
        vec3 a = particle_position(draft, i);
        if (finger_at(a) >= 0)
            ++counts[finger_at(a)];
        for (int k = 0; k < i; ++k) {
            vec3 b = particle_position(draft, k);
            bool near = straight_between(a, b) < merge;
            assert_true(!near || finger_at(a) != finger_at(b));
            close_pair |= near;
        }
    }
    assert_true(close_pair);
    for (int i = 0; i < FINGERS; ++i)
        assert_in_range(counts[i], 2, 5);
    finish(draft, mesh);
}

static void fit_refuses(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    pliant_mesh *mesh = box_mesh((vec3){1, 1, 1}, 2, 2, 2);
    pliant_draft *draft = draft_of(mesh);
    place(draft, (vec3){0, 0, 0}, 0.1f);
    static const struct {
        pliant_fit_def def;
        const char *place;
    } cases[] = {
        {{.radius = -1.0f, .aspect = 2.0f}, "radius"},
        {{.radius = NAN, .aspect = 2.0f}, "radius"},
        {{.aspect = 0.5f}, "aspect"},
        {{.aspect = NAN}, "aspect"},
        {{.aspect = INFINITY}, "aspect"},
        {{.aspect = 2.0f, .drift = -1}, "drift"},
        {{.aspect = 2.0f, .drift = 101}, "drift"},
        {{.aspect = 2.0f, .merge = -0.1f}, "merge"},
        {{.aspect = 2.0f, .radius = 1e-7f}, "spacing"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        assert_int_equal(pliant_draft_fit(draft, &cases[i].def, &error), PLIANT_ERROR_ARGUMENT);
        assert_string_equal(error.place, cases[i].place);
        assert_true(draft->spacing == 0.0f);
    }
    finish(draft, mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(discs_in_a_plane),
        cmocka_unit_test(thin_axis_across_a_plane_beside),
        cmocka_unit_test(extents_of_an_ellipsoid),
        cmocka_unit_test(fingers_are_fitted_apart),
        cmocka_unit_test(nothing_around_gives_a_ball),
        cmocka_unit_test(fit_minds_the_selection),
        cmocka_unit_test(drift_gathers_on_the_axis),
        cmocka_unit_test(drift_makes_one_layer_of_a_sheet),
        cmocka_unit_test(drift_leaves_a_ball_its_size),
        cmocka_unit_test(merge_leaves_fingers_their_own),
        cmocka_unit_test(fit_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
