// Refinement: short edges, the same surface, no cracks, and no more triangles than needed.

#include "mesh/refined.h"
#include "meshes.h"

typedef struct refinement_case {
    pliant_mesh *mesh;
    topology *topology;
    refined_mesh *refined;
} refinement_case;

static refinement_case refine(pliant_mesh *mesh, float longest)
{
    refinement_case c = {.mesh = mesh, .topology = pli_topology_create(mesh)};
    assert_non_null(c.topology);
    c.refined = pli_refine(c.topology, longest);
    assert_non_null(c.refined);
    return c;
}

static void release(refinement_case *c)
{
    pli_refined_destroy(c->refined);
    pli_topology_destroy(c->topology);
    pliant_mesh_destroy(c->mesh);
}

static vec3 refined_normal(const refined_mesh *m, int32_t triangle)
{
    const int32_t *c = m->triangles + 3 * triangle;
    return triangle_normal(m->points[c[0]], m->points[c[1]], m->points[c[2]]);
}

static void check_edges(const refined_mesh *m, float longest)
{
    for (int32_t i = 0; i < 3 * m->triangle_count; ++i) {
        int32_t next = i % 3 == 2 ? i - 2 : i + 1;
        assert_true(straight_between(m->points[m->triangles[i]], m->points[m->triangles[next]]) <=
                    longest * 1.000001f);
    }
}

// Each original triangle is covered by its own ones: same plane, same side, same area.
static void check_covers(const refinement_case *c)
{
    const refined_mesh *m = c->refined;
    for (int32_t t = 0; t < c->topology->triangle_count; ++t) {
        vec3 a = corner_of(c->mesh, t, 0);
        vec3 whole = triangle_normal(a, corner_of(c->mesh, t, 1), corner_of(c->mesh, t, 2));
        double area = 0.0, exact = vec3_length(whole), size = sqrt(exact);
        assert_true(m->first_of[t + 1] > m->first_of[t]);
        for (int32_t i = m->first_of[t]; i < m->first_of[t + 1]; ++i) {
            assert_int_equal(m->origins[i], t);
            area += (double)vec3_dot(refined_normal(m, i), whole) / exact;
            for (int k = 0; k < 3; ++k) {
                vec3 d = vec3_sub(m->points[m->triangles[3 * i + k]], a);
                assert_near((double)vec3_dot(d, whole) / exact, 0.0, 1e-5 * size);
            }
            assert_true(vec3_dot(refined_normal(m, i), whole) > 0.0f);
        }
        assert_near(area, exact, 1e-4 * exact);
    }
    assert_int_equal(m->first_of[c->topology->triangle_count], m->triangle_count);
}

static void check_measures(const refinement_case *c)
{
    const refined_mesh *m = c->refined;
    double area = 0.0;
    for (int32_t p = 0; p < m->point_count; ++p) {
        area += (double)m->areas[p];
        assert_near(vec3_length(m->normals[p]), 1.0, 1e-5);
    }
    assert_near(area, mesh_area(c->mesh), 1e-4 * mesh_area(c->mesh));
}

// Of each point exactly the originals whose refined triangles have it as a corner, rising.
static void check_sources(const refined_mesh *m)
{
    for (int32_t i = 0; i < 3 * m->triangle_count; ++i)
        assert_true(refined_lies_on(m, m->triangles[i], m->origins[i / 3]));
    for (int32_t p = 0; p < m->point_count; ++p)
        for (int32_t i = m->first_source[p]; i < m->first_source[p + 1]; ++i) {
            bool found = false;
            int32_t origin = m->sources[i];
            assert_true(i == m->first_source[p] || m->sources[i - 1] < origin);
            for (int32_t k = 3 * m->first_of[origin]; k < 3 * m->first_of[origin + 1]; ++k)
                found |= m->triangles[k] == p;
            assert_true(found);
        }
}

static void check_refinement(pliant_mesh *mesh, float longest, bool is_closed)
{
    refinement_case c = refine(mesh, longest);
    check_edges(c.refined, longest);
    check_covers(&c);
    check_measures(&c);
    check_sources(c.refined);
    for (int32_t p = 0; p < c.topology->point_count; ++p)
        assert_true(is_same_place(c.refined->points[p], c.topology->points[p]));
    if (is_closed)
        assert_int_equal(open_edges(c.refined->triangles, c.refined->triangle_count), 0);
    // No point is there twice, so that what looks closed is.
    assert_true(!is_closed || c.refined->point_count - c.refined->triangle_count / 2 ==
                                  c.topology->point_count - c.topology->triangle_count / 2);
    release(&c);
}

static void keeps_the_surface_whole(void **unused)
{
    (void)unused;
    check_refinement(box_mesh((vec3){1, 1, 1}, 1, 1, 1), 0.07f, true);
    check_refinement(box_mesh((vec3){1, 0.3f, 0.01f}, 3, 1, 1), 0.05f, true);
    check_refinement(soup(sphere_mesh(1.0f, 3)), 0.1f, true);
    check_refinement(shuffled(torus_mesh(1.0f, 0.4f, 7, 5), 5), 0.15f, true);
    check_refinement(tube_mesh(0.02f, 2.0f, 5, 10), 0.11f, true);
    check_refinement(hand_mesh(), 0.03f, true);
    check_refinement(open_sheet_mesh(1.0f, 0.5f, 2, 1), 0.06f, false);
}

static void coarse_enough_stays_as_it_is(void **unused)
{
    (void)unused;
    refinement_case c = refine(sphere_mesh(1.0f, 4), 3.0f);
    assert_int_equal(c.refined->point_count, c.topology->point_count);
    assert_int_equal(c.refined->triangle_count, c.topology->triangle_count);
    assert_memory_equal(c.refined->triangles, c.topology->triangles,
                        3 * (size_t)c.topology->triangle_count * sizeof(int32_t));
    release(&c);
}

static int32_t needle_count(float length, float apex, float height)
{
    pliant_mesh *mesh = mesh_of(3, 1);
    const vec3 positions[3] = {{0, 0, 0}, {length, 0, 0}, {apex * length, height, 0}};
    memcpy(mesh->positions, positions, sizeof positions);
    memcpy(mesh->triangles, (int32_t[3]){0, 1, 2}, 3 * sizeof(int32_t));
    refinement_case c = refine(mesh, 0.01f);
    check_edges(c.refined, 0.01f);
    if (height > 0.0f)
        check_covers(&c);
    int32_t count = c.refined->triangle_count;
    release(&c);
    return count;
}

// A needle n cells long takes of the order of n triangles, not n²; with halves of edges up to 4 n.
static void needles_become_rows(void **unused)
{
    (void)unused;
    static const float apexes[] = {0.0f, 0.01f, 0.3f, 0.5f, 0.99f};
    static const float heights[] = {0.0f, 0.0005f, 0.006f, 0.0099f};
    for (int i = 0; i < 5; ++i)
        for (int k = 0; k < 4; ++k) {
            int32_t some = needle_count(1.0f, apexes[i], heights[k]);
            int32_t more = needle_count(16.0f, apexes[i], heights[k]);
            assert_in_range(some, 100, 1000);
            assert_in_range(more, 1600, 20 * some);
        }
}

// Of a triangle that is refined everywhere there are about area / cell² times a small number.
static void counts_follow_the_area(void **unused)
{
    (void)unused;
    refinement_case c = refine(box_mesh((vec3){1, 1, 1}, 1, 1, 1), 0.02f);
    assert_in_range(c.refined->triangle_count, 6 * 2 * 50 * 50, 6 * 2 * 50 * 50 * 8);
    release(&c);
}

// An edge so short for its place that no float lies in between cannot be halved for ever.
static void far_from_the_origin_it_ends(void **unused)
{
    (void)unused;
    refinement_case c = refine(
        moved(box_mesh((vec3){1, 1, 1}, 1, 1, 1), quat_identity(), (vec3){1e6f, -1e6f, 1e6f}),
        0.001f);
    assert_true(c.refined->triangle_count > 12);
    release(&c);
}

// Triangles that are lines or points end, too.
static void lines_are_refined(void **unused)
{
    (void)unused;
    pliant_mesh *mesh = mesh_of(2, 3);
    mesh->positions[1] = (vec3){1, 0, 0};
    const int32_t triangles[9] = {0, 1, 1, 1, 0, 1, 0, 0, 0};
    memcpy(mesh->triangles, triangles, sizeof triangles);
    refinement_case c = refine(mesh, 0.1f);
    check_edges(c.refined, 0.1f);
    assert_int_equal(c.refined->point_count, 17);
    assert_int_equal(c.refined->first_of[3] - c.refined->first_of[2], 1);
    release(&c);
}

static void lonely_points_have_no_source(void **unused)
{
    (void)unused;
    pliant_mesh *mesh = joined(open_sheet_mesh(1.0f, 1.0f, 1, 1), mesh_of(1, 0));
    mesh->positions[4] = (vec3){0, 0, 5};
    refinement_case c = refine(mesh, 0.5f);
    assert_int_equal(c.refined->first_source[4], c.refined->first_source[5]);
    assert_true(c.refined->areas[4] == 0.0f && c.refined->normals[4].z == 0.0f);
    assert_int_equal(c.refined->pieces[4], 1);
    assert_near(c.refined->normals[0].z, 1.0, 1e-6);
    release(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_the_surface_whole),
        cmocka_unit_test(coarse_enough_stays_as_it_is),
        cmocka_unit_test(needles_become_rows),
        cmocka_unit_test(counts_follow_the_area),
        cmocka_unit_test(far_from_the_origin_it_ends),
        cmocka_unit_test(lines_are_refined),
        cmocka_unit_test(lonely_points_have_no_source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
