// The meshes that show colliders: closed where the shape is, facing outwards, with normals that fit.

#include "test.h"

#include "mesh/solid_mesh.h"

static skin_mesh mesh_of(const pliant_shape_def *def)
{
    pliant_error error = {0};
    pliant_shape *shape = pliant_shape_create(def, NULL, &error);
    if (!shape)
        fail_msg("%s: %s", error.place, error.message);
    skin_mesh mesh;
    assert_true(pli_solid_mesh_from_shape(&mesh, shape));
    pliant_shape_destroy(shape);
    return mesh;
}

// ⅙ Σ a · (b × c): the volume of what is closed and faces outwards.
static double volume(const skin_mesh *mesh)
{
    double sum = 0;
    for (int t = 0; t < mesh->triangle_count; ++t) {
        const int32_t *i = mesh->triangles + 3 * t;
        vec3 a = mesh->vertices[i[0]].position, b = mesh->vertices[i[1]].position;
        vec3 c = mesh->vertices[i[2]].position;
        sum += (double)vec3_dot(a, vec3_cross(b, c)) / 6.0;
    }
    return sum;
}

// Unit normals within `angle` of every triangle they belong to, which has an area.
static void assert_normals(const skin_mesh *mesh, double angle)
{
    for (int i = 0; i < mesh->vertex_count; ++i)
        assert_near(vec3_length(mesh->vertices[i].normal), 1.0, 1e-5);
    for (int t = 0; t < mesh->triangle_count; ++t) {
        const int32_t *i = mesh->triangles + 3 * t;
        for (int k = 0; k < 3; ++k)
            assert_true(i[k] >= 0 && i[k] < mesh->vertex_count);
        vec3 a = mesh->vertices[i[0]].position, b = mesh->vertices[i[1]].position;
        vec3 c = mesh->vertices[i[2]].position;
        vec3 n = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
        assert_true(vec3_length(n) > 0.0f);
        for (int k = 0; k < 3; ++k)
            assert_true(vec3_dot(n, mesh->vertices[i[k]].normal) >
                        vec3_length(n) * (float)cos(angle));
    }
}

static void test_round_shapes_are_closed(void **state)
{
    (void)state;
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_SPHERE);
    def.radius = 2.0f;
    skin_mesh mesh = mesh_of(&def);
    double exact = 4.0 / 3.0 * 3.14159265 * 8.0;
    assert_near(volume(&mesh), exact, 0.02 * exact);
    assert_normals(&mesh, 0.15);
    for (int i = 0; i < mesh.vertex_count; ++i)
        assert_near(vec3_length(mesh.vertices[i].position), 2.0, 1e-5);
    pli_skin_mesh_release(&mesh);

    def = pliant_default_shape_def(PLIANT_SHAPE_CAPSULE);
    def.radius = 0.5f;
    def.half_length = 3.0f;
    mesh = mesh_of(&def);
    exact = 4.0 / 3.0 * 3.14159265 * 0.125 + 3.14159265 * 0.25 * 6.0;
    assert_near(volume(&mesh), exact, 0.02 * exact);
    assert_normals(&mesh, 0.15);
    pli_skin_mesh_release(&mesh);
}

static void test_facets_are_flat(void **state)
{
    (void)state;
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_BOX);
    def.half_size = (vec3){1, 2, 3};
    skin_mesh mesh = mesh_of(&def);
    assert_int_equal(mesh.triangle_count, 12);
    assert_near(volume(&mesh), 48.0, 1e-4);
    assert_normals(&mesh, 0.001);
    pli_skin_mesh_release(&mesh);

    static const vec3 points[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0},      {0, -1, 0},
                                  {0, 0, 1}, {0, 0, -1}, {0, 0.1f, 0.1f}};
    def = pliant_default_shape_def(PLIANT_SHAPE_HULL);
    def.points = points;
    def.point_count = 7;
    mesh = mesh_of(&def);
    assert_int_equal(mesh.triangle_count, 8);
    assert_near(volume(&mesh), 4.0 / 3.0, 1e-4);
    assert_normals(&mesh, 0.001);
    pli_skin_mesh_release(&mesh);
}

// A ring of 24 sides is round to the eye, the edge of a bent sheet is not.
static void test_meshes_are_smooth_but_for_their_edges(void **state)
{
    (void)state;
    enum { SIDES = 24 };
    vec3 points[2 * SIDES];
    int32_t triangles[6 * SIDES];
    for (int i = 0; i < SIDES; ++i) {
        float s, c;
        trig_sin_cos(6.2831853f * (float)i / SIDES, &s, &c);
        points[2 * i] = (vec3){c, 0, s};
        points[2 * i + 1] = (vec3){c, 1, s};
        int a = 2 * i, b = 2 * ((i + 1) % SIDES);
        const int32_t quad[6] = {a, a + 1, b, b, a + 1, b + 1};
        memcpy(triangles + 6 * i, quad, sizeof quad);
    }
    pliant_shape_def def = {.kind = PLIANT_SHAPE_MESH,
                            .points = points,
                            .point_count = 2 * SIDES,
                            .triangles = triangles,
                            .triangle_count = 2 * SIDES};
    skin_mesh mesh = mesh_of(&def);
    for (int i = 0; i < mesh.vertex_count; ++i) {
        vec3 x = mesh.vertices[i].position, n = mesh.vertices[i].normal;
        assert_true(n.x * x.x + n.z * x.z > 0.99f);
    }
    pli_skin_mesh_release(&mesh);

    static const vec3 bent[] = {{0, 0, 0}, {1, 0, 0}, {0, 0, -1}, {0, 1, 0}};
    static const int32_t sides[] = {0, 1, 2, 0, 2, 3};
    def = (pliant_shape_def){.kind = PLIANT_SHAPE_MESH,
                             .points = bent,
                             .point_count = 4,
                             .triangles = sides,
                             .triangle_count = 2};
    mesh = mesh_of(&def);
    assert_normals(&mesh, 0.001);
    pli_skin_mesh_release(&mesh);
}

static void test_heightfields_lie_under_their_heights(void **state)
{
    (void)state;
    static const float heights[] = {0, 1, 0, 2, 3, 4};
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_HEIGHTFIELD);
    def.columns = 3;
    def.rows = 2;
    def.spacing = 0.5f;
    def.heights = heights;
    skin_mesh mesh = mesh_of(&def);
    assert_int_equal(mesh.vertex_count, 6);
    assert_int_equal(mesh.triangle_count, 4);
    vec3 x = mesh.vertices[4].position;
    assert_true(x.x == 0.5f && x.y == 3.0f && x.z == 0.5f);
    for (int i = 0; i < 6; ++i)
        assert_true(mesh.vertices[i].normal.y > 0.0f);
    assert_normals(&mesh, 1.57);
    pli_skin_mesh_release(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_shapes_are_closed),
        cmocka_unit_test(test_facets_are_flat),
        cmocka_unit_test(test_meshes_are_smooth_but_for_their_edges),
        cmocka_unit_test(test_heightfields_lie_under_their_heights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
