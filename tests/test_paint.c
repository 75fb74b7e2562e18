// The soft brush, and the outward axis of surface particles.

#include "drafts.h"

static pliant_draft *row_of(const pliant_mesh *mesh, int count)
{
    pliant_draft *draft = draft_of(mesh);
    for (int i = 0; i < count; ++i)
        place_at(draft, (float)i, 0, 0);
    for (int i = 1; i < count; ++i)
        join(draft, i - 1, i);
    return draft;
}

static pliant_paint_def paint_of(pliant_paint_target target, float value)
{
    pliant_paint_def def = pliant_default_paint_def();
    def.target = target;
    def.value = value;
    return def;
}

static void without_a_radius_all_selected_get_the_value(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = row_of(mesh, 3);
    pliant_paint_def def = paint_of(PLIANT_PAINT_STIFFNESS, 0.1f);
    assert_done(pliant_draft_paint(draft, &def, &error));
    int32_t two = 2;
    pliant_selection last = {1, &two};
    def.particles = &last;
    def.value = 1.0f;
    assert_done(pliant_draft_paint(draft, &def, &error));
    assert_true(pliant_draft_particle(draft, 0)->stiffness == 0.1f);
    assert_true(pliant_draft_particle(draft, 1)->stiffness == 0.1f);
    assert_true(pliant_draft_particle(draft, 2)->stiffness == 1.0f);
    def = paint_of(PLIANT_PAINT_MASS, 20.0f);
    assert_done(pliant_draft_paint(draft, &def, &error));
    assert_near(pliant_draft_particle(draft, 1)->mass, 20, 0);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// Full within half the radius, a smooth step to nothing at it.
static void the_brush_falls_off_smoothly(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = row_of(mesh, 10);
    pliant_paint_def def = paint_of(PLIANT_PAINT_MASS, 5.0f);
    def.centre = (vec3){0, 0, 0};
    def.radius = 8.0f;
    assert_done(pliant_draft_paint(draft, &def, &error));
    for (int i = 0; i < 10; ++i) {
        double t = fmin(fmax((8.0 - i) / 4.0, 0.0), 1.0);
        assert_near(pliant_draft_particle(draft, i)->mass, 1.0 + 4.0 * t * t * (3.0 - 2.0 * t),
                    1e-6);
    }
    assert_true(pliant_draft_particle(draft, 8)->mass == 1.0f);

    def = paint_of(PLIANT_PAINT_MASS, 9.0f);
    def.centre = (vec3){9, 0, 0};
    def.radius = 1.0f;
    def.falloff = 0.0f;
    assert_done(pliant_draft_paint(draft, &def, &error));
    assert_true(pliant_draft_particle(draft, 8)->mass == 9.0f); // on the rim
    assert_true(pliant_draft_particle(draft, 9)->mass == 9.0f);
    def.radius = 2.0f;
    def.falloff = 1.0f;
    def.value = 1.0f;
    assert_done(pliant_draft_paint(draft, &def, &error));
    assert_near(pliant_draft_particle(draft, 8)->mass, 5, 1e-6);
    assert_true(pliant_draft_particle(draft, 9)->mass == 1.0f);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// An edge is painted where both its ends are, as strongly as the weaker one.
static void edges_are_painted_between_painted_particles(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = row_of(mesh, 4);
    int32_t indices[] = {0, 1};
    pliant_selection pair = {2, indices};
    pliant_paint_def def = paint_of(PLIANT_PAINT_TORSION, 0.0f);
    def.particles = &pair;
    assert_done(pliant_draft_paint(draft, &def, &error));
    assert_near(pliant_draft_edge(draft, 0)->torsion_stiffness, 0, 0);
    assert_near(pliant_draft_edge(draft, 1)->torsion_stiffness, 0.75, 0);
    assert_near(pliant_draft_edge(draft, 0)->stretch_stiffness, 0.25, 0);

    def = paint_of(PLIANT_PAINT_STRETCH, 1.0f);
    def.centre = (vec3){0, 0, 0};
    def.radius = 4.0f;
    def.falloff = 1.0f; // weights at 2 and 3: 0.5 and 0.15625
    assert_done(pliant_draft_paint(draft, &def, &error));
    assert_near(pliant_draft_edge(draft, 1)->stretch_stiffness, 0.25 + 0.75 * 0.5, 1e-6);
    assert_near(pliant_draft_edge(draft, 2)->stretch_stiffness, 0.25 + 0.75 * 0.15625, 1e-6);
    assert_near(pliant_draft_edge(draft, 2)->torsion_stiffness, 0.75, 0);
    assert_near(pliant_draft_particle(draft, 1)->stiffness, 0.5, 0);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// The brush at half its strength goes half the way, again and again.
static void strength_weakens_the_brush(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = row_of(mesh, 4);
    pliant_paint_def def = paint_of(PLIANT_PAINT_MASS, 5.0f);
    def.strength = 0.5f;
    assert_done(pliant_draft_paint(draft, &def, &error));
    assert_near(pliant_draft_particle(draft, 3)->mass, 3, 1e-6);
    assert_done(pliant_draft_paint(draft, &def, &error));
    assert_near(pliant_draft_particle(draft, 3)->mass, 4, 1e-6);
    def.radius = 4.0f;
    def.falloff = 1.0f; // the weight at 2 is 0.5
    assert_done(pliant_draft_paint(draft, &def, &error));
    assert_near(pliant_draft_particle(draft, 0)->mass, 4.5, 1e-6);
    assert_near(pliant_draft_particle(draft, 2)->mass, 4.25, 1e-6);
    def = paint_of(PLIANT_PAINT_STRETCH, 1.0f);
    def.strength = 0.5f;
    assert_done(pliant_draft_paint(draft, &def, &error));
    assert_near(pliant_draft_edge(draft, 0)->stretch_stiffness, 0.625, 1e-6);
    def.strength = 0.0f;
    assert_done(pliant_draft_paint(draft, &def, &error));
    assert_near(pliant_draft_edge(draft, 0)->stretch_stiffness, 0.625, 1e-6);
    def.strength = 1.25f;
    assert_refused(pliant_draft_paint(draft, &def, &error), "strength",
                   "expected a number in [0, 1]");
    def.strength = NAN;
    assert_refused(pliant_draft_paint(draft, &def, &error), "strength",
                   "expected a number in [0, 1]");
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

static void flags_turn_at_a_half(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = row_of(mesh, 4);
    pliant_paint_def def = paint_of(PLIANT_PAINT_ANIMATED, 1.0f);
    def.radius = 4.0f;
    def.falloff = 1.0f;
    assert_done(pliant_draft_paint(draft, &def, &error));
    assert_int_equal(pliant_draft_particle(draft, 0)->flags, PLIANT_PARTICLE_PINNED);
    assert_int_equal(pliant_draft_particle(draft, 2)->flags, PLIANT_PARTICLE_PINNED);
    assert_int_equal(pliant_draft_particle(draft, 3)->flags, 0);
    def = paint_of(PLIANT_PAINT_ANIMATED, 0.49f);
    assert_done(pliant_draft_paint(draft, &def, &error));
    assert_int_equal(pliant_draft_particle(draft, 0)->flags, 0);
    def.value = 0.5f;
    assert_done(pliant_draft_paint(draft, &def, &error));
    assert_int_equal(pliant_draft_particle(draft, 3)->flags, PLIANT_PARTICLE_PINNED);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

static void arguments_out_of_range_are_refused(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = row_of(mesh, 3);
    pliant_paint_def def = paint_of((pliant_paint_target)17, 1.0f);
    assert_refused(pliant_draft_paint(draft, &def, &error), "target", "there is no target 17");
    def = paint_of(PLIANT_PAINT_STIFFNESS, 1.01f);
    assert_refused(pliant_draft_paint(draft, &def, &error), "value", "expected a number in [0, 1]");
    def = paint_of(PLIANT_PAINT_SURFACE, NAN);
    assert_refused(pliant_draft_paint(draft, &def, &error), "value", "expected a number in [0, 1]");
    def = paint_of(PLIANT_PAINT_MASS, 0.0f);
    assert_refused(pliant_draft_paint(draft, &def, &error), "value",
                   "expected a number in [1e-09, 1e+09]");
    def = paint_of(PLIANT_PAINT_MASS, 2.0f);
    def.radius = -1.0f;
    assert_refused(pliant_draft_paint(draft, &def, &error), "radius",
                   "expected a number of at least 0");
    def.radius = INFINITY;
    assert_refused(pliant_draft_paint(draft, &def, &error), "radius",
                   "expected a number of at least 0");
    def.radius = 1.0f;
    def.centre.z = NAN;
    assert_refused(pliant_draft_paint(draft, &def, &error), "centre",
                   "expected three numbers in [-1e+06, 1e+06]");
    def.centre.z = 0.0f;
    def.falloff = NAN;
    assert_refused(pliant_draft_paint(draft, &def, &error), "falloff",
                   "expected a number in [0, 1]");
    def.falloff = 0.5f;
    int32_t three = 3;
    pliant_selection beyond = {1, &three};
    def.particles = &beyond;
    assert_refused(pliant_draft_paint(draft, &def, &error), "particles", "3 of 3");
    assert_true(pliant_draft_paint(draft, &def, NULL) == PLIANT_ERROR_ARGUMENT);
    for (int i = 0; i < 3; ++i)
        assert_near(pliant_draft_particle(draft, i)->mass, 1, 0);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// ---------------------------------------------------------------------------------------------
// Surface particles

// xᵀ S⁻¹ x of the ellipsoid: the same for all x when two are the same ellipsoid.
static double level(const pliant_particle_def *p, vec3 x)
{
    vec3 local = quat_rotate(quat_conjugate(quat_normalize(p->orientation)), x);
    double a = local.x / p->radii.x, b = local.y / p->radii.y, c = local.z / p->radii.z;
    return a * a + b * b + c * c;
}

static void paint_surface(pliant_draft *draft)
{
    pliant_paint_def def = paint_of(PLIANT_PAINT_SURFACE, 1.0f);
    assert_done(pliant_draft_paint(draft, &def, &error));
}

static vec3 outward_axis(const pliant_particle_def *p)
{
    return quat_rotate(quat_normalize(p->orientation), (vec3){1, 0, 0});
}

// On each of the box's faces, whichever of its axes points out and to whichever side, x becomes the outward
// one and the ellipsoid stays what it was.
static void x_becomes_the_outward_axis(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = draft_of(mesh);
    uint32_t seed = 3;
    enum { COUNT = 200 };
    pliant_particle_def before[COUNT];
    vec3 normals[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        int face = i % 6;
        float side = face % 2 ? 0.5f : -0.5f;
        vec3 x = {face / 2 == 0 ? side : 0.0f, face / 2 == 1 ? side : 0.0f,
                  face / 2 == 2 ? side : 0.0f};
        pliant_particle_def *p = pliant_draft_particle(draft, place_at(draft, x.x, x.y, x.z));
        p->radii = (vec3){0.1f, 0.2f, 0.3f};
        p->orientation = random_quat(&seed);
        before[i] = *p;
        normals[i] = vec3_scale(x, 2.0f);
    }
    paint_surface(draft);
    for (int i = 0; i < COUNT; ++i) {
        const pliant_particle_def *p = pliant_draft_particle(draft, i);
        assert_int_equal(p->flags, PLIANT_PARTICLE_SURFACE);
        vec3 x = outward_axis(p);
        // No other axis is closer to the normal.
        float best = 0.0f;
        for (int k = 0; k < 3; ++k) {
            vec3 axis = {k == 0, k == 1, k == 2};
            best =
                fmaxf(best, fabsf(vec3_dot(quat_rotate(before[i].orientation, axis), normals[i])));
        }
        assert_near(vec3_dot(x, normals[i]), best, 1e-5);
        for (int k = 0; k < 5; ++k) {
            vec3 probe = random_vec3(&seed, 0.3f);
            assert_near(level(p, probe), level(&before[i], probe), 1e-3);
        }
    }
    // Once more changes nothing.
    pliant_particle_def once[COUNT];
    memcpy(once, draft->particles, sizeof once);
    paint_surface(draft);
    for (int i = 0; i < COUNT; ++i) {
        assert_memory_equal(&once[i].radii, &draft->particles[i].radii, sizeof(vec3));
        assert_near(angle_between_quats(once[i].orientation, draft->particles[i].orientation), 0,
                    1e-5);
    }
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// A sphere can point straight out; so can a spheroid within the plane of its equal axes.
static void equal_axes_turn_to_the_normal(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = draft_of(mesh);
    place_at(draft, 0, 0.5f, 0);
    place_at(draft, 0, 0.5f, 0);
    pliant_particle_def *p = pliant_draft_particle(draft, 0);
    p->radii = (vec3){0.2f, 0.2f, 0.2f};
    p->orientation = quat_normalize((quat){0.3f, -0.5f, 0.4f, 0.8f});
    p = pliant_draft_particle(draft, 1);
    p->radii = (vec3){0.2f, 0.1f, 0.2f};
    p->orientation = quat_exp((vec3){1.2f, 0.0f, 0.0f}); // y, the short one, is 69° off
    vec3 shorter = quat_rotate(p->orientation, (vec3){0, 1, 0});
    pliant_particle_def before = *p;
    paint_surface(draft);
    assert_near(outward_axis(pliant_draft_particle(draft, 0)).y, 1.0, 1e-6);
    p = pliant_draft_particle(draft, 1);
    assert_near(vec3_dot(outward_axis(p), shorter), 0, 1e-5);
    assert_near(outward_axis(p).y, sqrt(1.0 - (double)(shorter.y * shorter.y)), 1e-5);
    uint32_t seed = 5;
    for (int k = 0; k < 20; ++k) {
        vec3 probe = random_vec3(&seed, 0.3f);
        assert_near(level(p, probe), level(&before, probe), 1e-3);
    }
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// Small triangles all around outvote a large one that only touches the neighbourhood.
static void what_lies_near_counts_for_the_normal(void **state)
{
    (void)state;
    enum { SIDE = 10 };
    pliant_mesh *mesh = pliant_mesh_create((SIDE + 1) * (SIDE + 1) + 3, 2 * SIDE * SIDE + 1, 0);
    assert_non_null(mesh);
    for (int i = 0; i < (SIDE + 1) * (SIDE + 1); ++i)
        mesh->positions[i] = (vec3){0.02f * (float)(i % (SIDE + 1)) - 0.1f, 0.0f,
                                    0.02f * (float)(i / (SIDE + 1)) - 0.1f};
    for (int i = 0; i < SIDE * SIDE; ++i) {
        int a = i / SIDE * (SIDE + 1) + i % SIDE, b = a + SIDE + 1;
        const int corners[6] = {a, b, a + 1, a + 1, b, b + 1};
        for (int k = 0; k < 6; ++k)
            mesh->triangles[6 * i + k] = corners[k];
    }
    // A wall of 50 m² at x = 0.095.
    int first = (SIDE + 1) * (SIDE + 1);
    mesh->positions[first] = (vec3){0.095f, 0.0f, -5.0f};
    mesh->positions[first + 1] = (vec3){0.095f, 0.0f, 5.0f};
    mesh->positions[first + 2] = (vec3){0.095f, 10.0f, 0.0f};
    for (int k = 0; k < 3; ++k)
        mesh->triangles[3 * 2 * SIDE * SIDE + k] = first + k;
    pliant_draft *draft = draft_of(mesh);
    place_at(draft, 0, 0, 0);
    vec3 radii = {0.1f, 0.05f, 0.075f};
    pliant_draft_particle(draft, 0)->radii = radii;
    paint_surface(draft);
    assert_near(outward_axis(pliant_draft_particle(draft, 0)).y, 1.0, 1e-6);
    assert_near(pliant_draft_particle(draft, 0)->radii.x, 0.05, 1e-9);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// Where two sides cancel, the triangle the particle lies on decides; where there is none, nothing turns.
static void doubled_and_missing_surfaces_do_no_harm(void **state)
{
    (void)state;
    pliant_mesh *mesh = pliant_mesh_create(3, 2, 0);
    assert_non_null(mesh);
    mesh->positions[0] = (vec3){0, 0, 0};
    mesh->positions[1] = (vec3){0, 0, 1};
    mesh->positions[2] = (vec3){1, 0, 0};
    static const int32_t corners[6] = {0, 2, 1, 0, 1, 2};
    memcpy(mesh->triangles, corners, sizeof corners);
    pliant_draft *draft = draft_of(mesh);
    place_at(draft, 0.2f, 0, 0.2f);
    place_at(draft, 0.2f, 0, 0.2f);
    draft->anchors[1].triangle = 1;
    paint_surface(draft);
    assert_near(outward_axis(pliant_draft_particle(draft, 0)).y, -1, 1e-6);
    assert_near(outward_axis(pliant_draft_particle(draft, 1)).y, 1, 1e-6);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);

    mesh = pliant_mesh_create(0, 0, 0);
    assert_non_null(mesh);
    draft = draft_of(mesh);
    place_at(draft, 0, 0, 0);
    pliant_particle_def before = *pliant_draft_particle(draft, 0);
    paint_surface(draft);
    assert_int_equal(pliant_draft_particle(draft, 0)->flags, PLIANT_PARTICLE_SURFACE);
    assert_memory_equal(&pliant_draft_particle(draft, 0)->orientation, &before.orientation,
                        sizeof(quat));
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// A heir of a surface particle has axes of its own.
static void inherited_surface_particles_turn_too(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = draft_of(mesh);
    place_at(draft, 0, 0.5f, 0);
    paint_surface(draft);
    bind_all(draft, 0);
    pliant_model *earlier = model_of(draft);
    pliant_draft_particle(draft, 0)->orientation = (quat){0, 0, 0, 1};
    pliant_draft_particle(draft, 0)->radii = (vec3){0.1f, 0.05f, 0.1f};
    pliant_draft_particle(draft, 0)->flags = 0;
    assert_done(pliant_draft_inherit(draft, earlier, 0.1f, &error));
    assert_int_equal(pliant_draft_particle(draft, 0)->flags, PLIANT_PARTICLE_SURFACE);
    assert_near(outward_axis(pliant_draft_particle(draft, 0)).y, 1, 1e-6);
    assert_near(pliant_draft_particle(draft, 0)->radii.x, 0.05, 1e-9);
    pliant_model_destroy(earlier);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_radius_all_selected_get_the_value),
        cmocka_unit_test(the_brush_falls_off_smoothly),
        cmocka_unit_test(edges_are_painted_between_painted_particles),
        cmocka_unit_test(strength_weakens_the_brush),
        cmocka_unit_test(flags_turn_at_a_half),
        cmocka_unit_test(arguments_out_of_range_are_refused),
        cmocka_unit_test(x_becomes_the_outward_axis),
        cmocka_unit_test(equal_axes_turn_to_the_normal),
        cmocka_unit_test(what_lies_near_counts_for_the_normal),
        cmocka_unit_test(doubled_and_missing_surfaces_do_no_harm),
        cmocka_unit_test(inherited_surface_particles_turn_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
