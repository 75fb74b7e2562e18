// How large a mesh is, and the same in another size; of files tests/node/author.test.mjs tells.

#include "test.h"

#include <pliant/mesh.h>

static pliant_mesh *triangle_of(float size)
{
    pliant_mesh *mesh = pliant_mesh_create(3, 1, 1);
    mesh->positions[1] = (pliant_vec3){-0.5f * size, 0, 0};
    mesh->positions[2] = (pliant_vec3){0.5f * size, 0.1f * size, 0};
    mesh->triangles[1] = 1;
    mesh->triangles[2] = 2;
    mesh->normals[0] = mesh->normals[1] = mesh->normals[2] = (pliant_vec3){0, 0, -1};
    mesh->coordinates[2][1] = 0.25f;
    mesh->parts[0] = (pliant_mesh_part){.name = "sail", .vertex_count = 3, .triangle_count = 1};
    return mesh;
}

static void test_size(void **state)
{
    (void)state;
    pliant_mesh *mesh = triangle_of(4.0f);
    pliant_vec3 low, high;
    pliant_mesh_bounds(mesh, &low, &high);
    assert_true(low.x == -2.0f && low.y == 0.0f && high.x == 2.0f && high.y == 0.4f);
    assert_true(pliant_mesh_size(mesh) == 4.0f);
    pliant_mesh_destroy(mesh);
    pliant_mesh *none = pliant_mesh_create(0, 0, 0);
    assert_true(pliant_mesh_size(none) == 0.0f);
    assert_true(pliant_mesh_guess_scale(none) == 1.0f);
    pliant_mesh_destroy(none);
}

static void test_guess(void **state)
{
    (void)state;
    static const float cases[][2] = {{0.05f, 1},      {1.7f, 1},        {20.0f, 1},
                                     {155.0f, 0.01f}, {1800.0f, 0.01f}, {3000.0f, 0.001f},
                                     {0.017f, 100},   {1e-4f, 1000}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        pliant_mesh *mesh = triangle_of(cases[i][0]);
        assert_true(pliant_mesh_guess_scale(mesh) == cases[i][1]);
        pliant_mesh_destroy(mesh);
    }
}

static void test_scaled(void **state)
{
    (void)state;
    pliant_mesh *mesh = triangle_of(4.0f);
    pliant_error error = {0};
    pliant_mesh *small = pliant_mesh_create_scaled(mesh, 0.5f, &error);
    assert_non_null(small);
    assert_true(pliant_mesh_size(small) == 2.0f);
    assert_true(small->normals[1].z == -1.0f && small->coordinates[2][1] == 0.25f);
    assert_int_equal(small->triangles[2], 2);
    assert_string_equal(small->parts[0].name, "sail");
    pliant_mesh_destroy(small);
    static const float bad[] = {0.0f, -1.0f, 1e7f, NAN};
    for (int i = 0; i < 4; ++i) {
        assert_null(pliant_mesh_create_scaled(mesh, bad[i], &error));
        assert_int_equal(error.code, PLIANT_ERROR_ARGUMENT);
        assert_string_equal(error.place, "scale");
    }
    pliant_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_size),
        cmocka_unit_test(test_guess),
        cmocka_unit_test(test_scaled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
