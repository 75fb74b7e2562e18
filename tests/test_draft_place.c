// Spray and fill: spacing, coverage, clearance, and what they refuse.

#include "draft/draft.h"
#include "meshes.h"

static pliant_draft *sprayed(const pliant_mesh *mesh, float spacing, uint32_t seed)
{
    pliant_error error = {0};
    pliant_draft *draft = draft_of(mesh);
    pliant_spray_def def = pliant_default_spray_def();
    def.spacing = spacing;
    def.seed = seed;
    assert_ok(pliant_draft_spray(draft, &def, &error));
    return draft;
}

// ---------------------------------------------------------------------------------------------
// Spray

// Of particles of one part of the object; different fingers do not count.
static float nearest_pair(pliant_draft *draft, bool is_hand)
{
    float nearest = INFINITY;
    for (int i = 0; i < pliant_draft_particle_count(draft); ++i)
        for (int k = 0; k < i; ++k) {
            vec3 a = particle_position(draft, i), b = particle_position(draft, k);
            if (!is_hand || finger_at(a) == finger_at(b))
                nearest = minimum(nearest, straight_between(a, b));
        }
    return nearest;
}

static vec3 random_point(const pliant_mesh *mesh, int32_t triangle, uint32_t *random)
{
    float u = random_between(random, 0.0f, 1.0f), v = random_between(random, 0.0f, 1.0f);
    if (u + v > 1.0f) {
        u = 1.0f - u;
        v = 1.0f - v;
    }
    vec3 a = corner_of(mesh, triangle, 0);
    return vec3_add_scaled(vec3_add_scaled(a, vec3_sub(corner_of(mesh, triangle, 1), a), u),
                           vec3_sub(corner_of(mesh, triangle, 2), a), v);
}

// How far some point of the surface is from every particle of its part.
static float widest_hole(pliant_draft *draft, const pliant_mesh *mesh, bool is_hand)
{
    uint32_t random = 21;
    float widest = 0.0f;
    for (int sample = 0; sample < 3000; ++sample) {
        int32_t triangle = (int32_t)(random_bits(&random) % (uint32_t)mesh->triangle_count);
        vec3 x = random_point(mesh, triangle, &random);
        float nearest = INFINITY;
        for (int i = 0; i < pliant_draft_particle_count(draft); ++i) {
            vec3 p = particle_position(draft, i);
            if (!is_hand || finger_at(p) == finger_at(x) || x.y < 0.1f || p.y < 0.1f)
                nearest = minimum(nearest, straight_between(p, x));
        }
        widest = maximum(widest, nearest);
    }
    return widest;
}

static void check_spray(pliant_mesh *mesh, float spacing, bool is_hand)
{
    pliant_draft *draft = sprayed(mesh, spacing, 1);
    assert_true(pliant_draft_particle_count(draft) > 3);
    assert_true(nearest_pair(draft, is_hand) >= spacing * 0.99999f);
    assert_below(widest_hole(draft, mesh, is_hand), 1.2f * spacing);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

static void spray_keeps_its_spacing_and_leaves_no_holes(void **unused)
{
    (void)unused;
    check_spray(box_mesh((vec3){1, 0.8f, 0.6f}, 4, 4, 4), 0.15f, false);
    check_spray(box_mesh((vec3){1, 0.8f, 0.6f}, 1, 1, 1), 0.15f, false);
    check_spray(sphere_mesh(0.5f, 14), 0.12f, false);
    check_spray(soup(sphere_mesh(0.5f, 14)), 0.12f, false);
    check_spray(shuffled(sphere_mesh(0.5f, 14), 77), 0.12f, false);
    check_spray(inside_out(sphere_mesh(0.5f, 14)), 0.12f, false);
    check_spray(torus_mesh(0.5f, 0.2f, 32, 16), 0.12f, false);
    check_spray(tube_mesh(0.05f, 1.0f, 12, 60), 0.12f, false);
    check_spray(box_mesh((vec3){1, 1, 0.01f}, 12, 12, 1), 0.1f, false);
    check_spray(box_mesh((vec3){1, 1, 0.06f}, 12, 12, 1), 0.1f, false);
    check_spray(open_sheet_mesh(1.0f, 1.0f, 3, 3), 0.1f, false);
    check_spray(hand_mesh(), 0.06f, true);
}

// Both sides of the gap between fingers get particles of their own, which come close.
static void spray_sees_fingers_apart(void **unused)
{
    (void)unused;
    pliant_mesh *mesh = hand_mesh();
    pliant_draft *draft = sprayed(mesh, 0.06f, 1);
    assert_true(nearest_pair(draft, false) < 0.03f);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

static void spray_meets_its_count(void **unused)
{
    (void)unused;
    for (int i = 0; i < 15; ++i) {
        static const int counts[] = {30, 200, 700};
        pliant_mesh *mesh = i % 5 == 0   ? box_mesh((vec3){1, 2, 3}, 2, 2, 2)
                            : i % 5 == 1 ? sphere_mesh(0.5f, 10)
                            : i % 5 == 2 ? tube_mesh(0.1f, 2.0f, 16, 40)
                            : i % 5 == 3 ? open_sheet_mesh(1.0f, 2.0f, 4, 4)
                                         : hand_mesh();
        pliant_error error = {0};
        pliant_draft *draft = draft_of(mesh);
        pliant_spray_def def = pliant_default_spray_def();
        def.count = counts[i / 5];
        assert_ok(pliant_draft_spray(draft, &def, &error));
        assert_near(pliant_draft_particle_count(draft), def.count, 0.1 * def.count);
        pliant_draft_destroy(draft);
        pliant_mesh_destroy(mesh);
    }
}

static bool is_same_spray(pliant_draft *a, pliant_draft *b)
{
    int count = pliant_draft_particle_count(a);
    return count == pliant_draft_particle_count(b) &&
           memcmp(pliant_draft_particle(a, 0), pliant_draft_particle(b, 0),
                  (size_t)count * sizeof(pliant_particle_def)) == 0;
}

static void spray_depends_on_the_seed_alone(void **unused)
{
    (void)unused;
    pliant_mesh *mesh = sphere_mesh(0.5f, 10);
    pliant_draft *first = sprayed(mesh, 0.1f, 1), *again = sprayed(mesh, 0.1f, 1);
    pliant_draft *other = sprayed(mesh, 0.1f, 2), *zero = sprayed(mesh, 0.1f, 0);
    assert_true(is_same_spray(first, again));
    assert_false(is_same_spray(first, other));
    assert_false(is_same_spray(first, zero));
    pliant_draft_destroy(first);
    pliant_draft_destroy(again);
    pliant_draft_destroy(other);
    pliant_draft_destroy(zero);
    pliant_mesh_destroy(mesh);
}

static pliant_selection upper_half(const pliant_mesh *mesh)
{
    pliant_error error = {0};
    pliant_selection selection;
    pliant_region region = {
        .kind = PLIANT_REGION_BOX, .minimum = {-10, -10, -0.001f}, .maximum = {10, 10, 10}};
    assert_ok(pliant_mesh_select(mesh, &region, &selection, &error));
    assert_true(selection.count > 0 && selection.count < mesh->vertex_count);
    return selection;
}

// New ones keep their distance from old ones, and fill exactly what the old ones left.
static void spray_minds_selections_and_what_is_there(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    pliant_mesh *mesh = sphere_mesh(0.5f, 16);
    pliant_draft *draft = draft_of(mesh);
    pliant_selection selection = upper_half(mesh);
    pliant_spray_def def = pliant_default_spray_def();
    def.spacing = 0.1f;
    def.vertices = &selection;
    assert_ok(pliant_draft_spray(draft, &def, &error));
    int upper = pliant_draft_particle_count(draft);
    for (int i = 0; i < upper; ++i)
        assert_true(particle_position(draft, i).z > -0.01f);
    assert_ok(pliant_draft_spray(draft, &def, &error));
    assert_int_equal(pliant_draft_particle_count(draft), upper);
    def.vertices = NULL;
    def.seed = 5;
    assert_ok(pliant_draft_spray(draft, &def, &error));
    assert_true(pliant_draft_particle_count(draft) > upper + upper / 2);
    assert_true(nearest_pair(draft, false) >= 0.0999999f);
    assert_below(widest_hole(draft, mesh, false), 0.12f);
    pliant_selection_release(&selection);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

static void particles_follow_the_template(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    pliant_mesh *mesh = box_mesh((vec3){1, 1, 1}, 2, 2, 2);
    pliant_draft *draft = draft_of(mesh);
    pliant_spray_def def = pliant_default_spray_def();
    def.spacing = 0.3f;
    def.particle.stiffness = 0.25f;
    def.particle.layers = 4;
    assert_ok(pliant_draft_spray(draft, &def, &error));
    assert_near(pliant_draft_particle(draft, 0)->radii.y, 0.18, 1e-6);
    assert_true(pliant_draft_particle(draft, 0)->stiffness == 0.25f);
    pliant_fill_def fill = pliant_default_fill_def();
    fill.spacing = 0.3f;
    fill.particle = def.particle;
    fill.particle.radii = (vec3){0.1f, 0.2f, 0.3f};
    assert_ok(pliant_draft_fill(draft, &fill, &error));
    const pliant_particle_def *last =
        pliant_draft_particle(draft, pliant_draft_particle_count(draft) - 1);
    assert_true(last->radii.z == 0.3f && last->layers == 4);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// ---------------------------------------------------------------------------------------------
// Fill

static pliant_draft *filled(const pliant_mesh *mesh, float spacing, float clearance)
{
    pliant_error error = {0};
    pliant_draft *draft = draft_of(mesh);
    pliant_fill_def def = pliant_default_fill_def();
    def.spacing = spacing;
    def.clearance = clearance;
    assert_ok(pliant_draft_fill(draft, &def, &error));
    return draft;
}

static float depth_in_ball(vec3 x)
{
    return 0.5f - vec3_length(x);
}

static float depth_in_box(vec3 x)
{
    vec3 d = {0.5f - absolute(x.x), 0.4f - absolute(x.y), 0.3f - absolute(x.z)};
    return minimum(d.x, minimum(d.y, d.z));
}

static float depth_in_torus(vec3 x)
{
    float out = square_root(x.x * x.x + x.y * x.y) - 0.5f;
    return 0.25f - square_root(out * out + x.z * x.z);
}

// None outside or too near to the surface, and where they would fit they are: a lattice of that spacing has one
// in each cell.
static void check_fill(pliant_mesh *mesh, float (*depth)(vec3), float clearance,
                       double volume_within)
{
    const float spacing = 0.1f;
    pliant_draft *draft = filled(mesh, spacing, 0.0f);
    int count = pliant_draft_particle_count(draft);
    for (int i = 0; i < count; ++i)
        assert_true(depth(particle_position(draft, i)) > clearance - 0.001f);
    assert_true(nearest_pair(draft, false) > 0.9999f * spacing);
    double expected = volume_within / (double)(spacing * spacing * spacing);
    assert_near(count, expected, 0.35 * expected);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

static void fill_keeps_inside(void **unused)
{
    (void)unused;
    const double ball = 4.0 / 3.0 * 3.14159265 * pow(0.43, 3.0), box = 0.86 * 0.66 * 0.46;
    check_fill(sphere_mesh(0.5f, 16), depth_in_ball, 0.07f, ball);
    check_fill(inside_out(soup(sphere_mesh(0.5f, 16))), depth_in_ball, 0.07f, ball);
    check_fill(box_mesh((vec3){1, 0.8f, 0.6f}, 10, 8, 6), depth_in_box, 0.07f, box);
    check_fill(box_mesh((vec3){1, 0.8f, 0.6f}, 1, 1, 1), depth_in_box, 0.07f, box);
    check_fill(torus_mesh(0.5f, 0.25f, 48, 24), depth_in_torus, 0.07f,
               2.0 * 9.8696044 * 0.5 * 0.18 * 0.18);
    check_fill(with_hole(box_mesh((vec3){1, 0.8f, 0.6f}, 20, 16, 12), (vec3){0.5f, 0, 0}, 0.12f),
               depth_in_box, 0.0f, box); // under the hole it is the rim that is kept clear of
}

// However small the clearance is, what is placed is inside.
static void fill_does_not_stick_out(void **unused)
{
    (void)unused;
    const quat turn = quat_normalize((quat){0.2f, 0.3f, -0.1f, 0.8f});
    pliant_mesh *mesh = moved(box_mesh((vec3){1, 0.8f, 0.6f}, 5, 4, 3), turn, (vec3){0, 0, 0});
    pliant_draft *draft = filled(mesh, 0.1f, 0.001f);
    assert_true(pliant_draft_particle_count(draft) > 350);
    for (int i = 0; i < pliant_draft_particle_count(draft); ++i)
        assert_true(depth_in_box(quat_rotate(quat_conjugate(turn), particle_position(draft, i))) >
                    0.0009f);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

static void fill_leaves_thin_things_alone(void **unused)
{
    (void)unused;
    pliant_mesh *meshes[] = {box_mesh((vec3){1, 1, 0.02f}, 10, 10, 1),
                             box_mesh((vec3){1, 1, 0.1f}, 10, 10, 1), hand_mesh(),
                             open_sheet_mesh(1.0f, 1.0f, 5, 5), tube_mesh(0.05f, 1.0f, 12, 40)};
    for (size_t i = 0; i < sizeof meshes / sizeof meshes[0]; ++i) {
        pliant_draft *draft = filled(meshes[i], 0.1f, 0.0f);
        assert_int_equal(pliant_draft_particle_count(draft), 0);
        pliant_draft_destroy(draft);
        pliant_mesh_destroy(meshes[i]);
    }
}

// Only the pieces that are meant, and not where others are already.
static void fill_minds_selections_and_what_is_there(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    pliant_mesh *mesh = joined(
        moved(box_mesh((vec3){0.6f, 0.6f, 0.6f}, 2, 2, 2), quat_identity(), (vec3){0, 0, -1}),
        moved(box_mesh((vec3){0.6f, 0.6f, 0.6f}, 2, 2, 2), quat_identity(), (vec3){0, 0, 1}));
    pliant_draft *draft = draft_of(mesh);
    pliant_selection selection = upper_half(mesh);
    pliant_fill_def def = pliant_default_fill_def();
    def.spacing = 0.1f;
    def.vertices = &selection;
    assert_ok(pliant_draft_fill(draft, &def, &error));
    int count = pliant_draft_particle_count(draft);
    assert_in_range(count, 40, 150);
    for (int i = 0; i < count; ++i)
        assert_true(particle_position(draft, i).z > 0.7f);
    assert_ok(pliant_draft_fill(draft, &def, &error));
    assert_int_equal(pliant_draft_particle_count(draft), count);
    pliant_selection_release(&selection);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// Surface particles are kept clear of as well.
static void fill_after_spray_keeps_clear_of_it(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    pliant_mesh *mesh = sphere_mesh(0.5f, 12);
    pliant_draft *draft = sprayed(mesh, 0.1f, 3);
    int surface = pliant_draft_particle_count(draft);
    pliant_fill_def def = pliant_default_fill_def();
    def.spacing = 0.1f;
    def.clearance = 0.08f;
    assert_ok(pliant_draft_fill(draft, &def, &error));
    assert_true(pliant_draft_particle_count(draft) > surface + 100);
    assert_true(nearest_pair(draft, false) > 0.0799f);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// ---------------------------------------------------------------------------------------------
// Errors

static void check_spray_error(const pliant_mesh *mesh, const pliant_spray_def *def,
                              const char *place)
{
    pliant_error error = {0};
    pliant_draft *draft = draft_of(mesh);
    assert_int_equal(pliant_draft_spray(draft, def, &error), PLIANT_ERROR_ARGUMENT);
    assert_string_equal(error.place, place);
    assert_true(error.message[0] != '\0');
    assert_int_equal(pliant_draft_particle_count(draft), 0);
    assert_int_equal(pliant_draft_spray(draft, def, NULL), PLIANT_ERROR_ARGUMENT);
    // The draft is as it was: what can be done still can.
    pliant_spray_def good = pliant_default_spray_def();
    good.spacing = 0.2f;
    assert_ok(pliant_draft_spray(draft, &good, &error));
    assert_true(draft->spacing == 0.2f);
    pliant_draft_destroy(draft);
}

static void spray_refuses(void **unused)
{
    (void)unused;
    pliant_mesh *mesh = box_mesh((vec3){1, 1, 1}, 2, 2, 2);
    const float bad[] = {NAN, -0.1f, INFINITY, 1e-6f};
    pliant_spray_def def = pliant_default_spray_def();
    for (int i = 0; i < 4; ++i) {
        def.spacing = bad[i];
        check_spray_error(mesh, &def, "spacing");
    }
    def = pliant_default_spray_def();
    def.count = 0;
    check_spray_error(mesh, &def, "count");
    def.count = 1000001;
    check_spray_error(mesh, &def, "count");
    int32_t none[1] = {-1};
    pliant_selection selection = {0, none};
    def = pliant_default_spray_def();
    def.vertices = &selection;
    check_spray_error(mesh, &def, "vertices");
    selection.count = 1;
    check_spray_error(mesh, &def, "vertices");
    none[0] = mesh->vertex_count;
    check_spray_error(mesh, &def, "vertices");
    pliant_mesh_destroy(mesh);
}

static void fill_refuses(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    pliant_mesh *mesh = box_mesh((vec3){1, 1, 1}, 2, 2, 2);
    pliant_draft *draft = draft_of(mesh);
    const float bad[] = {NAN, -0.1f, INFINITY, 0.0f, 1e-6f};
    pliant_fill_def def = pliant_default_fill_def();
    for (int i = 0; i < 5; ++i) {
        def.spacing = bad[i];
        assert_int_equal(pliant_draft_fill(draft, &def, &error), PLIANT_ERROR_ARGUMENT);
        assert_string_equal(error.place, "spacing");
    }
    def.spacing = 0.1f;
    def.clearance = -1.0f;
    assert_int_equal(pliant_draft_fill(draft, &def, &error), PLIANT_ERROR_ARGUMENT);
    assert_string_equal(error.place, "clearance");
    assert_int_equal(pliant_draft_particle_count(draft), 0);
    def.clearance = 0.0f;
    assert_ok(pliant_draft_fill(draft, &def, &error));
    assert_true(pliant_draft_particle_count(draft) > 0);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spray_keeps_its_spacing_and_leaves_no_holes),
        cmocka_unit_test(spray_sees_fingers_apart),
        cmocka_unit_test(spray_meets_its_count),
        cmocka_unit_test(spray_depends_on_the_seed_alone),
        cmocka_unit_test(spray_minds_selections_and_what_is_there),
        cmocka_unit_test(particles_follow_the_template),
        cmocka_unit_test(fill_keeps_inside),
        cmocka_unit_test(fill_does_not_stick_out),
        cmocka_unit_test(fill_leaves_thin_things_alone),
        cmocka_unit_test(fill_minds_selections_and_what_is_there),
        cmocka_unit_test(fill_after_spray_keeps_clear_of_it),
        cmocka_unit_test(spray_refuses),
        cmocka_unit_test(fill_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
