// Meshes in another shape: positions change, looks stay, and what is written of them is plain.

#include "reshape.h"

// Two parts, one of them without normals.
static pliant_mesh *make_mesh(void)
{
    static const pliant_vec3 corners[5] = {
        {-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}, {0, 2, 0}};
    static const int32_t triangles[18] = {0, 4, 1, 1, 4, 2, 2, 4, 3, 3, 4, 0, 5, 6, 7, 5, 7, 8};
    pliant_mesh *mesh = pliant_mesh_create(9, 6, 2);
    assert_non_null(mesh);
    for (int i = 0; i < 9; ++i) {
        mesh->positions[i] = corners[i % 5];
        mesh->coordinates[i][0] = (float)i / 8.0f;
        if (i >= 5)
            mesh->normals[i].y = -1.0f;
    }
    memcpy(mesh->triangles, triangles, sizeof triangles);
    mesh->parts[0] = (pliant_mesh_part){"sides", "sand", 0, 5, 0, 4, {0}, false};
    mesh->parts[1] = (pliant_mesh_part){"bottom", "stone", 5, 4, 4, 2, {0}, false};
    return mesh;
}

static pliant_mesh *read_glb(glb_file file)
{
    pliant_error error = {0};
    pliant_mesh *mesh = pliant_mesh_read(file.data, file.size, NULL, NULL, &error);
    if (!mesh)
        fail_msg("%s: %s", error.place, error.message);
    return mesh;
}

static void meshes_of_programs_and_of_files_are_reshaped(void **unused)
{
    (void)unused;
    pliant_mesh *mesh = make_mesh();
    check_reshape(mesh, "made by a program");
    glb_file file;
    assert_int_equal(pliant_mesh_write(mesh, &file.data, &file.size, NULL), PLIANT_OK);
    pliant_mesh *again = read_glb(file);
    assert_non_null(again->document);
    check_reshape(again, "read from a file");
    pliant_mesh *twice = reshape(again, "read from a file");
    check_reshape(twice, "reshaped before");
    pliant_mesh_destroy(twice);
    pliant_mesh_destroy(again);
    pliant_mesh_destroy(mesh);
    free(file.data);
}

// A triangle that a mirrored, moved node shows, with colours, a tangent and a skin that nobody needs; three points
// beside it, without a material.
static const char document[] =
    "{\"asset\": {\"version\": \"2.0\", \"copyright\": \"nobody\"}, \"scene\": 0,"
    " \"scenes\": [{\"nodes\": [0, 1]}],"
    " \"nodes\": [{\"name\": \"sail\", \"mesh\": 0, \"scale\": [-2, 1, 1],"
    "              \"translation\": [1, 2, 3]}, {\"mesh\": 1}],"
    " \"meshes\": [{\"name\": \"cloth\", \"primitives\": [{\"attributes\": {\"POSITION\": 0,"
    "     \"NORMAL\": 1, \"TANGENT\": 2, \"COLOR_0\": 3, \"_HEAT\": 4}, \"material\": 0}]},"
    "   {\"name\": \"stars\", \"primitives\": [{\"attributes\": {\"POSITION\": 0}, \"mode\": 0}]}],"
    " \"materials\": [{\"name\": \"linen\", \"doubleSided\": true}],"
    " \"animations\": [{\"channels\": [{\"sampler\": 0, \"target\": {\"node\": 0,"
    "     \"path\": \"translation\"}}], \"samplers\": [{\"input\": 4, \"output\": 0}]}],"
    " \"accessors\": [{\"bufferView\": 0, \"componentType\": 5126, \"count\": 3, \"type\": "
    "\"VEC3\","
    "     \"min\": [0, 0, 0], \"max\": [1, 1, 0]},"
    "   {\"bufferView\": 1, \"componentType\": 5126, \"count\": 3, \"type\": \"VEC3\"},"
    "   {\"bufferView\": 2, \"componentType\": 5126, \"count\": 3, \"type\": \"VEC4\"},"
    "   {\"bufferView\": 2, \"componentType\": 5126, \"count\": 3, \"type\": \"VEC4\"},"
    "   {\"bufferView\": 3, \"componentType\": 5126, \"count\": 3, \"type\": \"SCALAR\","
    "     \"min\": [0], \"max\": [2]}],"
    " \"bufferViews\": [{\"buffer\": 0, \"byteLength\": 36},"
    "   {\"buffer\": 0, \"byteOffset\": 36, \"byteLength\": 36},"
    "   {\"buffer\": 0, \"byteOffset\": 72, \"byteLength\": 48},"
    "   {\"buffer\": 0, \"byteOffset\": 120, \"byteLength\": 12}],"
    " \"buffers\": [{\"byteLength\": 132}]}";

static const float bytes[33] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0,
                                1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 2};

static void only_looks_are_left_of_a_file(void **unused)
{
    (void)unused;
    glb_file file = glb_make(document, bytes, sizeof bytes);
    pliant_mesh *mesh = read_glb(file);
    assert_int_equal(mesh->part_count, 2);
    check_reshape(mesh, "sail");
    pliant_mesh *shaped = reshape(mesh, "sail");
    glb_file written;
    assert_int_equal(pliant_mesh_write(shaped, &written.data, &written.size, NULL), PLIANT_OK);
    char *text = glb_json(written);
    static const char *const kept[] = {"\"nobody\"", "\"linen\"", "\"doubleSided\"", "COLOR_0",
                                       "_HEAT",      "\"cloth\"", "\"stars\"",       "\"sail\""};
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; ++i) {
        if (!strstr(text, kept[i]))
            fail_msg("%s is not in %s", kept[i], text);
    }
    static const char *const gone[] = {"TANGENT", "animations", "scale", "translation"};
    for (size_t i = 0; i < sizeof gone / sizeof gone[0]; ++i)
        assert_null(strstr(text, gone[i]));
    free(text);
    free(written.data);
    free(file.data);
    pliant_mesh_destroy(shaped);
    pliant_mesh_destroy(mesh);
}

// A model is made of it and comes back with it.
static void a_model_fits_the_new_shape(void **unused)
{
    (void)unused;
    glb_file file = glb_make(document, bytes, sizeof bytes);
    pliant_mesh *mesh = read_glb(file), *shaped = reshape(mesh, "sail");
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_particle_def particle = pliant_default_particle_def();
    pliant_builder_add_particle(builder, &particle);
    for (int i = 0; i < shaped->vertex_count; ++i) {
        pliant_vertex_def vertex = {.position = shaped->positions[i], .weights = {1.0f}};
        pliant_builder_add_vertex(builder, &vertex);
    }
    for (int i = 0; i < shaped->triangle_count; ++i) {
        const int32_t *t = shaped->triangles + 3 * i;
        pliant_builder_add_triangle(builder, t[0], t[1], t[2]);
    }
    pliant_model *model = pliant_builder_build(builder, NULL);
    assert_non_null(model);
    pliant_builder_destroy(builder);
    pliant_error error = {0};
    glb_file written;
    assert_int_equal(pliant_model_write_glb(model, mesh, &written.data, &written.size, &error),
                     PLIANT_ERROR_ARGUMENT); // it is not where it was
    if (pliant_model_write_glb(model, shaped, &written.data, &written.size, &error))
        fail_msg("%s: %s", error.place, error.message);
    pliant_mesh *again;
    pliant_model *loaded = pliant_model_read(written.data, written.size, NULL, &again, &error);
    if (!loaded)
        fail_msg("%s: %s", error.place, error.message);
    assert_same_parts(again, shaped, "sail");
    pliant_model_destroy(loaded);
    pliant_model_destroy(model);
    pliant_mesh_destroy(again);
    pliant_mesh_destroy(shaped);
    pliant_mesh_destroy(mesh);
    free(written.data);
    free(file.data);
}

static void bad_numbers_are_told(void **unused)
{
    (void)unused;
    glb_file file = glb_make(document, bytes, sizeof bytes);
    pliant_mesh *meshes[2] = {read_glb(file), make_mesh()};
    for (int k = 0; k < 4; ++k) {
        const pliant_mesh *mesh = meshes[k / 2];
        size_t size = (size_t)mesh->vertex_count * sizeof(vec3);
        vec3 *positions = malloc(size), *normals = malloc(size);
        memcpy(positions, mesh->positions, size);
        memcpy(normals, mesh->normals, size);
        (k % 2 ? normals : positions)[2].y = k % 2 ? INFINITY : NAN;
        pliant_error error = {0};
        assert_null(pliant_mesh_create_reshaped(mesh, positions, normals, &error));
        assert_int_equal(error.code, PLIANT_ERROR_ARGUMENT);
        assert_string_equal(error.place, "vertex 2");
        assert_null(pliant_mesh_create_reshaped(mesh, positions, normals, NULL));
        free(positions);
        free(normals);
    }
    pliant_mesh_destroy(meshes[0]);
    pliant_mesh_destroy(meshes[1]);
    free(file.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_of_programs_and_of_files_are_reshaped),
        cmocka_unit_test(only_looks_are_left_of_a_file),
        cmocka_unit_test(a_model_fits_the_new_shape),
        cmocka_unit_test(bad_numbers_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
