// Moving and setting particles, taking groups and links away, growing selections.

#include "drafts.h"

// ---------------------------------------------------------------------------------------------
// Growing

#define assert_grown(grow, from, count_of, rounds, whole, ...)                                     \
    do {                                                                                           \
        pliant_selection grown = {count_of, malloc(sizeof(int32_t) * 16)};                         \
        memcpy(grown.indices, from, sizeof(int32_t) * (count_of));                                 \
        assert_done(grow(&grown, rounds, whole));                                                  \
        assert_selected(&grown, __VA_ARGS__);                                                      \
        pliant_selection_release(&grown);                                                          \
    } while (0)

// A strip of triangles along x: vertex i at (i / 2, i % 2, 0), cut at vertices 4 and 5, which are there twice as 8
// and 9 for the part behind; and a triangle elsewhere.
static pliant_mesh *strip(void)
{
    enum { VERTICES = 13, TRIANGLES = 7 };
    static const int32_t corners[3 * TRIANGLES] = {0, 2, 1, 1, 2, 3, 2, 4,  3,  3, 4,
                                                   5, 8, 6, 9, 9, 6, 7, 10, 11, 12};
    pliant_mesh *mesh = pliant_mesh_create(VERTICES, TRIANGLES, 0);
    assert_non_null(mesh);
    for (int i = 0; i < VERTICES; ++i) {
        int at = i == 8 || i == 9 ? i - 4 : i;
        mesh->positions[i] = (vec3){(float)(at / 2), (float)(at % 2), i >= 10 ? 9.0f : 0.0f};
    }
    memcpy(mesh->triangles, corners, sizeof corners);
    return mesh;
}

static void vertices_grow_over_triangles_and_seams(void **state)
{
    (void)state;
    pliant_mesh *mesh = strip();
#define GROW(selection, rounds, whole) pliant_mesh_grow(mesh, selection, rounds, whole, &error)
    static const int32_t first[] = {0}, seam[] = {9}, body[] = {2, 3, 4, 5, 6, 7, 8, 9};
    static const int32_t torn[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    assert_grown(GROW, first, 1, 0, false, 0);
    assert_grown(GROW, first, 1, 1, false, 0, 1, 2);
    assert_grown(GROW, first, 1, 2, false, 0, 1, 2, 3, 4, 8);
    assert_grown(GROW, seam, 1, 1, false, 3, 4, 5, 6, 7, 8, 9);
    assert_grown(GROW, first, 1, 2000000000, false, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    assert_grown(GROW, seam, 1, 0, true, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    // What is taken away touches something that is not selected.
    assert_grown(GROW, body, 8, -1, false, 4, 5, 6, 7, 8, 9);
    // A place is selected when all of its vertices are.
    assert_grown(GROW, torn, 9, -1, false, 0, 1, 2);
    pliant_selection all = {8, malloc(sizeof body)};
    memcpy(all.indices, body, sizeof body);
    assert_done(GROW(&all, -5, false));
    assert_int_equal(all.count, 0);
    assert_done(GROW(&all, 3, true));
    assert_int_equal(all.count, 0);
    pliant_selection_release(&all);

    pliant_selection beyond = {1, malloc(sizeof(int32_t))};
    beyond.indices[0] = 13;
    assert_refused(GROW(&beyond, 1, false), "vertices", "13 of 13");
    beyond.indices[0] = 12;
    mesh->triangles[4] = 13;
    assert_refused(GROW(&beyond, 1, false), "triangle 1", "vertex 13 of 13");
    assert_int_equal(beyond.indices[0], 12);
    pliant_selection_release(&beyond);
    pliant_mesh_destroy(mesh);
#undef GROW
}

static void particles_grow_along_edges(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = draft_of(mesh);
    for (int i = 0; i < 7; ++i)
        place_at(draft, (float)i, 0, 0);
    // A chain 3 - 1 - 0 - 2 - 4, and the pair 5 - 6.
    join(draft, 3, 1);
    join(draft, 1, 0);
    join(draft, 0, 2);
    join(draft, 2, 4);
    join(draft, 6, 5);
#define GROW(selection, rounds, whole) pliant_draft_grow(draft, selection, rounds, whole, &error)
    static const int32_t end[] = {4}, two[] = {6, 3}, most[] = {4, 2, 0, 6, 5};
    assert_grown(GROW, end, 1, 0, false, 4);
    assert_grown(GROW, end, 1, 1, false, 2, 4);
    assert_grown(GROW, end, 1, 3, false, 0, 1, 2, 4);
    assert_grown(GROW, end, 1, 2000000000, false, 0, 1, 2, 3, 4);
    assert_grown(GROW, two, 2, 1, false, 1, 3, 5, 6);
    assert_grown(GROW, two, 2, -9, true, 0, 1, 2, 3, 4, 5, 6);
    assert_grown(GROW, most, 5, -1, false, 2, 4, 5, 6);
    assert_grown(GROW, most, 5, -2000000000, false, 5, 6);
    pliant_selection beyond = {1, malloc(sizeof(int32_t))};
    beyond.indices[0] = 7;
    assert_refused(GROW(&beyond, 1, false), "particles", "7 of 7");
    assert_int_equal(beyond.count, 1);
    pliant_selection_release(&beyond);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
#undef GROW
}

// ---------------------------------------------------------------------------------------------

static void ungrouping_takes_whole_groups_with_their_hinges(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = draft_of(mesh);
    for (int i = 0; i < 6; ++i)
        place_at(draft, (float)i, 0, 0);
    static int32_t members[4][3] = {{0}, {1, 2, 3}, {2, 3, 4}, {2, 3, 5}};
    for (int i = 0; i < 4; ++i) {
        pliant_selection group = {i == 0 ? 1 : 3, members[i]};
        pliant_group_def def = {.stiffness = 0.25f * (float)(i + 1)};
        assert_done(pliant_draft_group(draft, &group, &def, &error));
    }
    draft->hinges = calloc(2, sizeof *draft->hinges);
    assert_non_null(draft->hinges);
    draft->hinges[0] =
        (pliant_hinge_def){.group_a = 1, .group_b = 2, .particle_a = 2, .particle_b = 3};
    draft->hinges[1] =
        (pliant_hinge_def){.group_a = 3, .group_b = 2, .particle_a = 2, .particle_b = 3};
    draft->hinge_count = 2;
    int32_t chosen[] = {0, 1};
    pliant_selection first = {2, chosen};
    assert_done(pliant_draft_ungroup(draft, &first, &error));
    assert_int_equal(pliant_draft_group_count(draft), 2);
    assert_near(pliant_draft_group_at(draft, 0).stiffness, 0.75, 0);
    assert_int_equal(pliant_draft_group_at(draft, 1).member_count, 3);
    assert_int_equal(pliant_draft_group_at(draft, 1).members[2], 5);
    assert_int_equal(draft->hinge_count, 1);
    assert_int_equal(draft->hinges[0].group_a, 1);
    assert_int_equal(draft->hinges[0].group_b, 0);
    assert_int_equal(draft->hinges[0].particle_b, 3);
    assert_done(pliant_draft_ungroup(draft, &first, &error)); // now in no group
    assert_int_equal(pliant_draft_group_count(draft), 2);
    chosen[1] = 6;
    assert_refused(pliant_draft_ungroup(draft, &first, &error), "particles", "6 of 6");
    assert_done(pliant_draft_ungroup(draft, NULL, &error));
    assert_int_equal(pliant_draft_group_count(draft), 0);
    assert_int_equal(draft->hinge_count, 0);
    assert_int_equal(pliant_draft_particle_count(draft), 6);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

static void unbinding_takes_links_away(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = draft_of(mesh);
    place_at(draft, 0, 0, 0);
    place_at(draft, 1, 0, 0);
    bind_all(draft, 1);
    int32_t chosen[] = {3, 23};
    pliant_selection two = {2, chosen};
    assert_done(pliant_draft_unbind(draft, &two, &error));
    for (int v = 0; v < mesh->vertex_count; ++v) {
        bool is_bound = v != 3 && v != 23;
        assert_near(pliant_draft_link_weights(draft, v)[0], is_bound, 0);
        assert_int_equal(pliant_draft_link_particles(draft, v)[0], is_bound);
    }
    chosen[0] = 24;
    assert_refused(pliant_draft_unbind(draft, &two, &error), "vertices", "24 of 24");
    assert_done(pliant_draft_unbind(draft, NULL, &error));
    assert_near(pliant_draft_link_weights(draft, 0)[0], 0, 0);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// ---------------------------------------------------------------------------------------------

static void moved_particles_take_their_places_along(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = draft_of(mesh);
    place_at(draft, 0, 0.5f, 0);
    place_at(draft, 0, 0.25f, 0);
    place_at(draft, 0, 0.5f, 0);
    bind_all(draft, 0);
    // On the top of the body, one of them drifted from it.
    draft->anchors[0] = (draft_anchor){{0, 0.5f, 0}, 6};
    draft->anchors[2] = (draft_anchor){{0.25f, 0.5f, 0}, 6};
    int32_t chosen[] = {0, 1};
    pliant_selection two = {2, chosen};
    assert_done(pliant_draft_move(draft, &two, (vec3){0.25f, 0.125f, 0}, &error));
    assert_near(draft->particles[0].position.x, 0.25, 0);
    assert_near(draft->particles[0].position.y, 0.625, 0);
    assert_near(draft->anchors[0].position.x, 0.25, 1e-6);
    assert_near(draft->anchors[0].position.y, 0.5, 1e-6);
    assert_true(draft->anchors[0].triangle == 6 || draft->anchors[0].triangle == 7);
    assert_near(draft->anchors[1].position.y, 0.375, 0);
    assert_int_equal(draft->anchors[1].triangle, -1);
    assert_near(draft->particles[2].position.x, 0, 0);
    assert_near(draft->anchors[2].position.x, 0.25, 0);
    assert_int_equal(pliant_draft_link_particles(draft, 4)[0], 0);
    // To another box: it belongs there now.
    assert_done(pliant_draft_move(draft, &two, (vec3){2.75f, 0, 0}, &error));
    assert_true(draft->anchors[0].triangle >= BOX_TRIANGLES &&
                draft->anchors[0].triangle < 2 * BOX_TRIANGLES);
    // And back to where it was.
    assert_done(pliant_draft_move(draft, NULL, (vec3){-3, -0.125f, 0}, &error));
    assert_near(draft->particles[0].position.x, 0, 0);
    assert_near(draft->anchors[0].position.x, 0, 1e-6);
    assert_near(draft->anchors[0].position.y, 0.375, 0.126);

    pliant_particle_def before[3];
    memcpy(before, draft->particles, sizeof before);
    assert_refused(pliant_draft_move(draft, NULL, (vec3){0, NAN, 0}, &error), "translation",
                   "expected three numbers in [-1e+06, 1e+06]");
    assert_refused(pliant_draft_move(draft, NULL, (vec3){-1e6f, 0, 0}, &error), "translation",
                   "particle 2 would not be within ±1e+06 m");
    chosen[0] = 3;
    assert_refused(pliant_draft_move(draft, &two, (vec3){0, 0, 0}, &error), "particles", "3 of 3");
    assert_memory_equal(before, draft->particles, sizeof before);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

static void chosen_fields_are_set(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    const pliant_particle_def values = {{9, 9, 9}, {0, 1, 0, 0},
                                        {1, 2, 3}, 4,
                                        0.25f,     PLIANT_PARTICLE_PINNED | PLIANT_PARTICLE_SURFACE,
                                        5,         6,
                                        0.5f,      7,
                                        2e5f,      900};
    // Each field changes what it names and nothing else.
    for (int bit = 0; bit < 7; ++bit) {
        pliant_draft *draft = draft_of(mesh);
        place_at(draft, 1, 2, 3);
        place_at(draft, 1, 2, 4);
        pliant_draft_particle(draft, 0)->flags = PLIANT_PARTICLE_UNORIENTED;
        pliant_particle_def expected = *pliant_draft_particle(draft, 0);
        pliant_particle_def other = *pliant_draft_particle(draft, 1);
        int32_t zero = 0;
        pliant_selection first = {1, &zero};
        assert_done(pliant_draft_set(draft, &first, &values, 1u << bit, &error));
        switch (1 << bit) {
        case PLIANT_SET_ORIENTATION:
            expected.orientation = values.orientation;
            break;
        case PLIANT_SET_RADII:
            expected.radii = values.radii;
            break;
        case PLIANT_SET_MASS:
            expected.mass = 4;
            break;
        case PLIANT_SET_STIFFNESS:
            expected.stiffness = 0.25f;
            break;
        case PLIANT_SET_FLAGS:
            expected.flags = values.flags;
            break;
        case PLIANT_SET_LAYERS:
            expected.layers = 5;
            expected.mask = 6;
            break;
        case PLIANT_SET_YIELD:
            expected.yield_strain = 0.5f;
            expected.creep_rate = 7;
            break;
        default:
            fail();
        }
        assert_memory_equal(pliant_draft_particle(draft, 0), &expected, sizeof expected);
        assert_memory_equal(pliant_draft_particle(draft, 1), &other, sizeof other);
        pliant_draft_destroy(draft);
    }
    pliant_mesh_destroy(mesh);
}

static void values_out_of_range_are_not_set(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = draft_of(mesh);
    place_at(draft, 1, 2, 3);
    pliant_particle_def before = *pliant_draft_particle(draft, 0), values = before;
    values.stiffness = 2.0f;
    values.mass = NAN;
    values.flags = 8;
    assert_refused(pliant_draft_set(draft, NULL, &values, PLIANT_SET_STIFFNESS, &error),
                   "stiffness", "expected a number in [0, 1]");
    assert_refused(pliant_draft_set(draft, NULL, &values, PLIANT_SET_MASS, &error), "mass",
                   "expected a number in [1e-09, 1e+09]");
    assert_refused(pliant_draft_set(draft, NULL, &values, PLIANT_SET_FLAGS, &error), "flags",
                   "there are no flags 0x8");
    assert_refused(pliant_draft_set(draft, NULL, &values, 0x480, &error), "fields",
                   "there are no fields 0x480");
    assert_memory_equal(pliant_draft_particle(draft, 0), &before, sizeof before);
    // What is not named may be anything.
    values.radii = (vec3){0.5f, 0.5f, 0.5f};
    assert_done(pliant_draft_set(draft, NULL, &values, PLIANT_SET_RADII, &error));
    assert_near(pliant_draft_particle(draft, 0)->radii.y, 0.5, 0);
    assert_near(pliant_draft_particle(draft, 0)->mass, 1, 0);
    int32_t one = 1;
    pliant_selection beyond = {1, &one};
    assert_refused(pliant_draft_set(draft, &beyond, &values, PLIANT_SET_RADII, &error), "particles",
                   "1 of 1");
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertices_grow_over_triangles_and_seams),
        cmocka_unit_test(particles_grow_along_edges),
        cmocka_unit_test(ungrouping_takes_whole_groups_with_their_hinges),
        cmocka_unit_test(unbinding_takes_links_away),
        cmocka_unit_test(moved_particles_take_their_places_along),
        cmocka_unit_test(chosen_fields_are_set),
        cmocka_unit_test(values_out_of_range_are_not_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
