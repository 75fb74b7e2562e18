// Welding by position, the triangles around points, and pieces.

#include "mesh/topology.h"
#include "meshes.h"

static topology *topology_of(const pliant_mesh *mesh)
{
    topology *t = pli_topology_create(mesh);
    assert_non_null(t);
    return t;
}

// Every triangle around a point has it as a corner, rising, none twice, and none is missing.
static void check_around(const topology *t)
{
    int32_t listed = 0, corners = 0;
    for (int32_t p = 0; p < t->point_count; ++p) {
        for (int32_t i = t->first_around[p]; i < t->first_around[p + 1]; ++i, ++listed) {
            const int32_t *c = t->triangles + 3 * t->around[i];
            assert_true(c[0] == p || c[1] == p || c[2] == p);
            assert_true(i == t->first_around[p] || t->around[i - 1] < t->around[i]);
        }
    }
    for (int32_t i = 0; i < t->triangle_count; ++i) {
        const int32_t *c = t->triangles + 3 * i;
        corners += 1 + (c[1] != c[0]) + (c[2] != c[0] && c[2] != c[1]);
    }
    assert_int_equal(t->first_around[0], 0);
    assert_int_equal(listed, corners);
}

static void check_points(const topology *t, const pliant_mesh *mesh)
{
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        assert_true(is_same_place(t->points[t->point_of_vertex[v]], mesh->positions[v]));
    for (int32_t i = 0; i < 3 * mesh->triangle_count; ++i)
        assert_int_equal(t->triangles[i], t->point_of_vertex[mesh->triangles[i]]);
}

// Euler: points - edges + triangles is 2 for a box, 0 for a torus.
static void check_closed(pliant_mesh *mesh, int euler)
{
    topology *t = topology_of(mesh);
    assert_int_equal(t->point_count - t->triangle_count / 2, euler);
    assert_int_equal(open_edges(t->triangles, t->triangle_count), 0);
    assert_int_equal(t->piece_count, 1);
    check_points(t, mesh);
    check_around(t);
    pli_topology_destroy(t);
    pliant_mesh_destroy(mesh);
}

static void soup_welds_to_what_it_was(void **unused)
{
    (void)unused;
    check_closed(box_mesh((vec3){1, 2, 3}, 2, 3, 4), 2);
    check_closed(soup(box_mesh((vec3){1, 2, 3}, 2, 3, 4)), 2);
    check_closed(soup(sphere_mesh(0.7f, 5)), 2);
    check_closed(shuffled(soup(torus_mesh(1.0f, 0.3f, 24, 12)), 3), 0);
    check_closed(tube_mesh(0.1f, 1.0f, 12, 30), 2);
    check_closed(hand_mesh(), 2);
}

static void negative_zero_is_zero(void **unused)
{
    (void)unused;
    pliant_mesh *mesh = mesh_of(6, 2);
    const vec3 positions[6] = {{0.0f, -0.0f, 0.0f}, {1, 0, 0},  {0, 1, 0},
                               {-0.0f, 0.0f, 0.0f}, {-1, 0, 0}, {0, -1, -0.0f}};
    memcpy(mesh->positions, positions, sizeof positions);
    for (int i = 0; i < 6; ++i)
        mesh->triangles[i] = i;
    topology *t = topology_of(mesh);
    assert_int_equal(t->point_count, 5);
    assert_int_equal(t->point_of_vertex[3], t->point_of_vertex[0]);
    assert_int_equal(t->piece_count, 1);
    pli_topology_destroy(t);
    pliant_mesh_destroy(mesh);
}

static void the_smallest_step_keeps_apart(void **unused)
{
    (void)unused;
    pliant_mesh *mesh = joined(
        box_mesh((vec3){1, 1, 1}, 1, 1, 1),
        moved(box_mesh((vec3){1, 1, 1}, 1, 1, 1), quat_identity(), (vec3){1.0000001f, 0, 0}));
    topology *t = topology_of(mesh);
    assert_int_equal(t->piece_count, 2);
    assert_int_equal(t->point_count, 16);
    pli_topology_destroy(t);
    pliant_mesh_destroy(mesh);
}

static void boxes_that_share_a_corner_are_one_piece(void **unused)
{
    (void)unused;
    pliant_mesh *mesh =
        joined(box_mesh((vec3){1, 1, 1}, 2, 2, 2),
               moved(box_mesh((vec3){1, 1, 1}, 2, 2, 2), quat_identity(), (vec3){1, 1, 1}));
    topology *t = topology_of(mesh);
    assert_int_equal(t->piece_count, 1);
    assert_int_equal(t->point_count, 2 * 26 - 1);
    check_around(t);
    pli_topology_destroy(t);
    pliant_mesh_destroy(mesh);
}

// Pieces with triangles are numbered by their first point; lonely points come behind them.
static void pieces_in_order_and_lonely_points_last(void **unused)
{
    (void)unused;
    pliant_mesh *mesh = mesh_of(9, 2);
    for (int i = 0; i < 9; ++i)
        mesh->positions[i] = (vec3){(float)i, (float)(i * i), 0.0f};
    // Vertices 0 and 4 are in no triangle; the pieces are {1, 3, 8} and {2, 5, 6}, 7 is lonely as well.
    const int32_t triangles[6] = {6, 5, 2, 3, 8, 1};
    memcpy(mesh->triangles, triangles, sizeof triangles);
    topology *t = topology_of(mesh);
    const int32_t pieces[9] = {2, 0, 1, 0, 3, 1, 1, 4, 0};
    assert_int_equal(t->piece_count, 5);
    for (int i = 0; i < 9; ++i)
        assert_int_equal(t->piece_of_point[t->point_of_vertex[i]], pieces[i]);
    pli_topology_destroy(t);
    pliant_mesh_destroy(mesh);
}

static void triangles_without_area_are_kept_and_listed_once(void **unused)
{
    (void)unused;
    pliant_mesh *mesh = mesh_of(4, 3);
    const vec3 positions[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}};
    const int32_t triangles[9] = {0, 1, 2, 1, 3, 0, 2, 2, 2};
    memcpy(mesh->positions, positions, sizeof positions);
    memcpy(mesh->triangles, triangles, sizeof triangles);
    topology *t = topology_of(mesh);
    assert_int_equal(t->point_count, 3);
    assert_int_equal(t->triangle_count, 3);
    assert_int_equal(t->piece_count, 1);
    check_around(t);
    assert_int_equal(t->first_around[2] - t->first_around[1], 2);
    pli_topology_destroy(t);
    pliant_mesh_destroy(mesh);
}

static void a_mesh_may_be_empty(void **unused)
{
    (void)unused;
    pliant_mesh *mesh = pliant_mesh_create(0, 0, 0);
    topology *t = topology_of(mesh);
    assert_int_equal(t->point_count, 0);
    assert_int_equal(t->piece_count, 0);
    pli_topology_destroy(t);
    pliant_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(soup_welds_to_what_it_was),
        cmocka_unit_test(negative_zero_is_zero),
        cmocka_unit_test(the_smallest_step_keeps_apart),
        cmocka_unit_test(boxes_that_share_a_corner_are_one_piece),
        cmocka_unit_test(pieces_in_order_and_lonely_points_last),
        cmocka_unit_test(triangles_without_area_are_kept_and_listed_once),
        cmocka_unit_test(a_mesh_may_be_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
