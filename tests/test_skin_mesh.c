// Meshes for files: missing normals are filled in, and models without a skin become closed ellipsoids
// that face outward.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mesh/ellipsoids.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static pliant_model *build_particles(int count)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    for (int i = 0; i < count; ++i) {
        pliant_particle_def def = pliant_default_particle_def();
        def.position = (pliant_vec3){(float)i, 1.0f, -2.0f};
        def.orientation = (pliant_quat){0.0f, 0.6f, 0.0f, 0.8f};
        def.radii = (pliant_vec3){0.3f, 0.2f, 0.1f};
        pliant_builder_add_particle(builder, &def);
    }
    pliant_model *model = pliant_builder_build(builder, NULL);
    pliant_builder_destroy(builder);
    assert_non_null(model);
    return model;
}

static double tetrahedron_volume(pliant_vec3 a, pliant_vec3 b, pliant_vec3 c)
{
    return ((double)a.x * ((double)b.y * c.z - (double)b.z * c.y) +
            (double)a.y * ((double)b.z * c.x - (double)b.x * c.z) +
            (double)a.z * ((double)b.x * c.y - (double)b.y * c.x)) /
           6.0;
}

static double volume(const skin_mesh *mesh)
{
    double sum = 0.0;
    for (int i = 0; i < mesh->triangle_count; ++i) {
        const int32_t *t = mesh->triangles + 3 * i;
        sum += tetrahedron_volume(mesh->vertices[t[0]].position, mesh->vertices[t[1]].position,
                                  mesh->vertices[t[2]].position);
    }
    return sum;
}

// A closed surface that faces outward has the volume of what it encloses: 4/3 π abc.
static void ellipsoids_enclose_their_volume(void **unused)
{
    (void)unused;
    static const struct {
        int particles;
        double tolerance;
    } cases[] = {{1, 0.02}, {100, 0.1}, {1100, 0.35}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        pliant_model *model = build_particles(cases[i].particles);
        skin_mesh mesh;
        assert_true(pli_ellipsoids_from_model(&mesh, model));
        double exact = cases[i].particles * 4.0 / 3.0 * 3.14159265 * 0.3 * 0.2 * 0.1;
        double found = volume(&mesh);
        assert_true(found < exact && found > exact * (1.0 - cases[i].tolerance));
        pli_skin_mesh_release(&mesh);
        pliant_model_destroy(model);
    }
}

static void ellipsoids_lie_on_the_surface(void **unused)
{
    (void)unused;
    pliant_model *model = build_particles(2);
    skin_mesh mesh;
    assert_true(pli_skin_mesh_from_model(&mesh, model)); // no skin of its own
    for (int i = 0; i < mesh.vertex_count; ++i) {
        const pliant_vertex_def *v = &mesh.vertices[i];
        assert_true(v->weights[0] == 1.0f && v->weights[1] == 0.0f);
        // Back into the particle's axes: the rotation about y has cosine 0.28 and sine 0.96.
        double x = (double)v->position.x - v->particles[0], z = (double)v->position.z + 2.0;
        double p[3] = {0.28 * x - 0.96 * z, (double)v->position.y - 1.0, 0.96 * x + 0.28 * z};
        double level = p[0] * p[0] / 0.09 + p[1] * p[1] / 0.04 + p[2] * p[2] / 0.01;
        assert_true(fabs(level - 1.0) < 1e-5);
        double g[3] = {p[0] / 0.09, p[1] / 0.04, p[2] / 0.01};
        double length = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
        double nx = 0.28 * v->normal.x - 0.96 * v->normal.z;
        double nz = 0.96 * v->normal.x + 0.28 * v->normal.z;
        assert_true(fabs(nx - g[0] / length) < 1e-5 &&
                    fabs((double)v->normal.y - g[1] / length) < 1e-5 &&
                    fabs(nz - g[2] / length) < 1e-5);
    }
    pli_skin_mesh_release(&mesh);
    pliant_model_destroy(model);
}

static void fills_missing_normals_only(void **unused)
{
    (void)unused;
    skin_mesh mesh;
    assert_true(pli_skin_mesh_allocate(&mesh, 5, 2));
    // A large triangle facing +z and a small one facing +y share vertex 0; vertex 4 has none.
    mesh.vertices[1].position = (pliant_vec3){2, 0, 0};
    mesh.vertices[2].position = (pliant_vec3){0, 2, 0};
    mesh.vertices[3].position = (pliant_vec3){0, 0, 1};
    mesh.vertices[2].normal = (pliant_vec3){1, 0, 0};
    const int32_t triangles[6] = {0, 1, 2, 0, 3, 1};
    memcpy(mesh.triangles, triangles, sizeof triangles);
    pli_skin_mesh_fill_normals(&mesh);
    // Areas 2 and 1: the mean of vertex 0 is (0, 1, 2) / √5.
    assert_true(fabs((double)mesh.vertices[0].normal.y - 1.0 / sqrt(5.0)) < 1e-6);
    assert_true(fabs((double)mesh.vertices[0].normal.z - 2.0 / sqrt(5.0)) < 1e-6);
    assert_true(mesh.vertices[2].normal.x == 1.0f);
    assert_true(mesh.vertices[3].normal.y == 1.0f);
    assert_true(mesh.vertices[4].normal.y == 1.0f);
    pli_skin_mesh_release(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ellipsoids_enclose_their_volume),
        cmocka_unit_test(ellipsoids_lie_on_the_surface),
        cmocka_unit_test(fills_missing_normals_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
