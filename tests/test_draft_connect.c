// Edges: all pairs that are near along the object, or only neighbours.

#include "draft/draft.h"
#include "meshes.h"

static void spray(pliant_draft *draft, float spacing)
{
    pliant_error error = {0};
    pliant_spray_def def = pliant_default_spray_def();
    def.spacing = spacing;
    assert_ok(pliant_draft_spray(draft, &def, &error));
}

static void fill(pliant_draft *draft, float spacing)
{
    pliant_error error = {0};
    pliant_fill_def def = pliant_default_fill_def();
    def.spacing = spacing;
    assert_ok(pliant_draft_fill(draft, &def, &error));
}

static void connect(pliant_draft *draft, float distance, bool nearest_only)
{
    pliant_error error = {0};
    pliant_connect_def def = pliant_default_connect_def();
    def.distance = distance;
    def.nearest_only = nearest_only;
    assert_ok(pliant_draft_connect(draft, &def, &error));
}

static void finish(pliant_draft *draft, pliant_mesh *mesh)
{
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

static int find_edge(pliant_draft *draft, int a, int b)
{
    for (int i = 0; i < pliant_draft_edge_count(draft); ++i) {
        const pliant_edge_def *edge = pliant_draft_edge(draft, i);
        if ((edge->a == a && edge->b == b) || (edge->a == b && edge->b == a))
            return i;
    }
    return -1;
}

static void check_edges(pliant_draft *draft)
{
    for (int i = 0; i < pliant_draft_edge_count(draft); ++i) {
        const pliant_edge_def *edge = pliant_draft_edge(draft, i);
        assert_true(edge->a >= 0 && edge->a < edge->b);
        assert_true(edge->b < pliant_draft_particle_count(draft));
        assert_int_equal(find_edge(draft, edge->a, edge->b), i);
    }
}

// Where nothing is in the way, along the object and straight are the same.
static void check_all_pairs(pliant_mesh *mesh, float spacing, float distance)
{
    pliant_draft *draft = draft_of(mesh);
    spray(draft, spacing);
    fill(draft, spacing);
    connect(draft, distance, false);
    int near = 0, count = pliant_draft_particle_count(draft);
    for (int a = 0; a < count; ++a)
        for (int b = a + 1; b < count; ++b)
            if (straight_between(particle_position(draft, a), particle_position(draft, b)) <
                distance) {
                assert_true(find_edge(draft, a, b) >= 0);
                ++near;
            }
    assert_int_equal(pliant_draft_edge_count(draft), near);
    assert_true(near > 2 * count);
    finish(draft, mesh);
}

static void joins_all_pairs_of_convex_things(void **unused)
{
    (void)unused;
    check_all_pairs(box_mesh((vec3){1, 0.8f, 0.6f}, 3, 3, 3), 0.2f, 0.35f);
    check_all_pairs(box_mesh((vec3){1, 0.8f, 0.6f}, 1, 1, 1), 0.2f, 0.3f);
    check_all_pairs(soup(sphere_mesh(0.5f, 10)), 0.18f, 0.4f);
    check_all_pairs(box_mesh((vec3){1, 1, 0.02f}, 5, 5, 1), 0.1f, 0.2f);
    check_all_pairs(tube_mesh(0.06f, 1.0f, 12, 60), 0.1f, 0.22f);
    check_all_pairs(open_sheet_mesh(1.0f, 1.0f, 5, 5), 0.1f, 0.2f);
}

// Between two fingers only near their roots, where the way around the gap is short.
static void leaves_fingers_apart(void **unused)
{
    (void)unused;
    for (int nearest_only = 0; nearest_only < 2; ++nearest_only) {
        pliant_mesh *mesh = hand_mesh();
        pliant_draft *draft = draft_of(mesh);
        spray(draft, 0.05f);
        connect(draft, 0.1f, nearest_only);
        int along_fingers = 0;
        for (int i = 0; i < pliant_draft_edge_count(draft); ++i) {
            const pliant_edge_def *edge = pliant_draft_edge(draft, i);
            vec3 a = particle_position(draft, edge->a), b = particle_position(draft, edge->b);
            if (finger_at(a) < 0 || finger_at(b) < 0)
                continue;
            along_fingers += finger_at(a) == finger_at(b);
            if (finger_at(a) != finger_at(b))
                assert_below(a.y + b.y, 0.16f);
        }
        assert_true(along_fingers > 100);
        check_edges(draft);
        finish(draft, mesh);
    }
}

static void count_degrees(pliant_draft *draft, int *degrees)
{
    memset(degrees, 0, (size_t)pliant_draft_particle_count(draft) * sizeof *degrees);
    for (int i = 0; i < pliant_draft_edge_count(draft); ++i) {
        ++degrees[pliant_draft_edge(draft, i)->a];
        ++degrees[pliant_draft_edge(draft, i)->b];
    }
}

// Surface particles of a thin tube gathered on its axis: each but the ends has one neighbour on either side.
static void check_chain(float radius, uint32_t seed)
{
    pliant_error error = {0};
    pliant_mesh *mesh = moved(tube_mesh(radius, 2.0f, 12, 100),
                              quat_normalize((quat){0.1f, 0.2f, 0.3f, 0.9f}), (vec3){1, 2, 3});
    pliant_draft *draft = draft_of(mesh);
    pliant_spray_def def = pliant_default_spray_def();
    def.spacing = 0.15f;
    def.seed = seed;
    assert_ok(pliant_draft_spray(draft, &def, &error));
    pliant_fit_def fit = pliant_default_fit_def();
    fit.radius = 0.15f;
    fit.drift = 3;
    fit.merge = 0.075f;
    assert_ok(pliant_draft_fit(draft, &fit, &error));
    connect(draft, 0.45f, true);
    int count = pliant_draft_particle_count(draft), ends = 0, degrees[256];
    assert_in_range(count, 9, 20);
    assert_int_equal(pliant_draft_edge_count(draft), count - 1);
    count_degrees(draft, degrees);
    for (int i = 0; i < count; ++i) {
        assert_in_range(degrees[i], 1, 2);
        ends += degrees[i] == 1;
    }
    assert_int_equal(ends, 2);
    finish(draft, mesh);
}

static void tubes_become_chains(void **unused)
{
    (void)unused;
    for (uint32_t seed = 0; seed < 8; ++seed) {
        check_chain(0.02f, seed);
        check_chain(0.04f, seed);
    }
}

static int count_reached(pliant_draft *draft, unsigned char *reached)
{
    int count = 1;
    memset(reached, 0, (size_t)pliant_draft_particle_count(draft));
    reached[0] = 1;
    for (int before = 0; before != count;) {
        before = count;
        for (int i = 0; i < pliant_draft_edge_count(draft); ++i) {
            const pliant_edge_def *edge = pliant_draft_edge(draft, i);
            if (reached[edge->a] == reached[edge->b])
                continue;
            reached[edge->a] = reached[edge->b] = 1;
            ++count;
        }
    }
    return count;
}

// Neighbours on a surface: about six each, fewer at borders.
static void check_net(pliant_mesh *mesh, float spacing)
{
    unsigned char reached[2000];
    pliant_draft *draft = draft_of(mesh);
    spray(draft, spacing);
    connect(draft, 3.0f * spacing, true);
    int count = pliant_draft_particle_count(draft);
    double mean = 2.0 * pliant_draft_edge_count(draft) / count;
    assert_true(mean > 4.5 && mean < 6.5);
    assert_int_equal(count_reached(draft, reached), count);
    check_edges(draft);
    finish(draft, mesh);
}

static void surfaces_become_nets(void **unused)
{
    (void)unused;
    check_net(open_sheet_mesh(2.0f, 1.0f, 8, 4), 0.08f);
    check_net(box_mesh((vec3){2, 1, 0.01f}, 8, 4, 1), 0.08f);
    check_net(shuffled(soup(box_mesh((vec3){2, 1, 0.03f}, 8, 4, 1)), 4), 0.08f);
}

static void minds_brush_and_selection(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    pliant_mesh *mesh = sphere_mesh(0.5f, 10);
    pliant_draft *draft = draft_of(mesh);
    spray(draft, 0.12f);
    pliant_connect_def def = pliant_default_connect_def();
    def.distance = 0.25f;
    def.centre = (vec3){0.5f, 0, 0};
    def.radius = 0.3f;
    assert_ok(pliant_draft_connect(draft, &def, &error));
    int brushed = pliant_draft_edge_count(draft);
    assert_true(brushed > 10);
    for (int i = 0; i < brushed; ++i) {
        const pliant_edge_def *edge = pliant_draft_edge(draft, i);
        assert_true(straight_between(particle_position(draft, edge->a), def.centre) <= 0.3f);
        assert_true(straight_between(particle_position(draft, edge->b), def.centre) <= 0.3f);
    }
    pliant_region region = {
        .kind = PLIANT_REGION_BOX, .minimum = {-1, -1, 0}, .maximum = {0, 1, 1}};
    pliant_selection selection;
    assert_ok(pliant_draft_select(draft, &region, &selection, &error));
    def.radius = 0.0f;
    def.particles = &selection;
    assert_ok(pliant_draft_connect(draft, &def, &error));
    assert_true(pliant_draft_edge_count(draft) > brushed + 10);
    for (int i = brushed; i < pliant_draft_edge_count(draft); ++i) {
        vec3 a = particle_position(draft, pliant_draft_edge(draft, i)->a);
        vec3 b = particle_position(draft, pliant_draft_edge(draft, i)->b);
        assert_true(a.x <= 0.0f && a.z >= 0.0f && b.x <= 0.0f && b.z >= 0.0f);
    }
    pliant_selection_release(&selection);
    finish(draft, mesh);
}

static void edges_that_exist_keep_their_values(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    pliant_mesh *mesh = box_mesh((vec3){1, 1, 1}, 2, 2, 2);
    pliant_draft *draft = draft_of(mesh);
    spray(draft, 0.3f);
    pliant_connect_def def = pliant_default_connect_def();
    def.distance = 0.4f;
    def.stretch_stiffness = 0.25f;
    def.torsion_stiffness = 0.75f;
    assert_ok(pliant_draft_connect(draft, &def, &error));
    int first = pliant_draft_edge_count(draft);
    def.distance = 0.6f;
    def.stretch_stiffness = 1.0f;
    def.torsion_stiffness = 0.0f;
    assert_ok(pliant_draft_connect(draft, &def, &error));
    assert_true(pliant_draft_edge_count(draft) > first);
    for (int i = 0; i < pliant_draft_edge_count(draft); ++i) {
        const pliant_edge_def *edge = pliant_draft_edge(draft, i);
        assert_true(edge->stretch_stiffness == (i < first ? 0.25f : 1.0f));
        assert_true(edge->torsion_stiffness == (i < first ? 0.75f : 0.0f));
    }
    check_edges(draft);
    int all = pliant_draft_edge_count(draft);
    assert_ok(pliant_draft_connect(draft, &def, &error));
    assert_int_equal(pliant_draft_edge_count(draft), all);
    finish(draft, mesh);
}

// Particles put anywhere by hand: what is far apart is not joined because it shares a cell's surroundings.
static void nearest_only_minds_the_distance(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    pliant_mesh *mesh = box_mesh((vec3){1, 1, 1}, 4, 4, 4);
    pliant_draft *draft = draft_of(mesh);
    assert_ok(pliant_draft_set_scale(draft, 0.3f, 0.0f, &error));
    const vec3 positions[] = {{0, 0, 0}, {0, 0, 0.01f}, {5, 0, 0}, {6, 0, 0}};
    for (int i = 0; i < 4; ++i) {
        pliant_particle_def particle = pliant_default_particle_def();
        particle.position = positions[i];
        assert_int_equal(pliant_draft_place(draft, &particle, &error), i);
    }
    connect(draft, 0.5f, true);
    assert_int_equal(pliant_draft_edge_count(draft), 1);
    assert_int_equal(find_edge(draft, 0, 1), 0);
    finish(draft, mesh);
}

static void connect_refuses(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    pliant_mesh *mesh = box_mesh((vec3){1, 1, 1}, 2, 2, 2);
    pliant_draft *draft = draft_of(mesh);
    pliant_connect_def def = pliant_default_connect_def();
    const float bad[] = {0.0f, -1.0f, NAN, INFINITY, 1e-6f};
    for (int i = 0; i < 5; ++i) {
        def.distance = bad[i];
        assert_int_equal(pliant_draft_connect(draft, &def, &error), PLIANT_ERROR_ARGUMENT);
        assert_string_equal(error.place, i < 4 ? "distance" : "spacing");
        assert_true(draft->spacing == 0.0f);
    }
    def.distance = 0.5f;
    def.stretch_stiffness = 1.5f;
    assert_int_equal(pliant_draft_connect(draft, &def, &error), PLIANT_ERROR_ARGUMENT);
    assert_string_equal(error.place, "stretch_stiffness");
    def.stretch_stiffness = 0.0f;
    int32_t none = 0;
    pliant_selection selection = {1, &none};
    def.particles = &selection;
    assert_int_equal(pliant_draft_connect(draft, &def, &error), PLIANT_ERROR_ARGUMENT);
    assert_string_equal(error.place, "particles");
    assert_true(draft->spacing == 0.0f);
    def.particles = NULL;
    assert_ok(pliant_draft_connect(draft, &def, &error));
    assert_int_equal(pliant_draft_edge_count(draft), 0);
    finish(draft, mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joins_all_pairs_of_convex_things),
        cmocka_unit_test(leaves_fingers_apart),
        cmocka_unit_test(tubes_become_chains),
        cmocka_unit_test(surfaces_become_nets),
        cmocka_unit_test(minds_brush_and_selection),
        cmocka_unit_test(edges_that_exist_keep_their_values),
        cmocka_unit_test(nearest_only_minds_the_distance),
        cmocka_unit_test(connect_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
