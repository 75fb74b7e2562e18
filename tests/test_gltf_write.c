// Meshes written: all of the file they were read from, in one GLB, and the same bytes when that is read and written
// again; or what a program filled in.

#include "glb.h"

#include <unistd.h>

static const float triangle[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};

// ---------------------------------------------------------------------------------------------
// Documents

static void assert_written(const char *json, const char *directory, const char *expected)
{
    pliant_mesh *mesh = read_mesh(json, strlen(json), directory);
    glb_file first = write_mesh(mesh);
    char *text = glb_json(first);
    assert_string_equal(text, expected);
    free(text);
    pliant_mesh *again = read_mesh(first.data, first.size, "/nowhere");
    assert_int_equal(again->vertex_count, mesh->vertex_count);
    assert_memory_equal(again->positions, mesh->positions,
                        (size_t)mesh->vertex_count * sizeof mesh->positions[0]);
    assert_memory_equal(again->triangles, mesh->triangles,
                        (size_t)mesh->triangle_count * 3 * sizeof mesh->triangles[0]);
    glb_file second = write_mesh(again);
    assert_same_file(first, second);
    pliant_mesh_destroy(mesh);
    pliant_mesh_destroy(again);
    free(first.data);
    free(second.data);
}

// The first buffer has a length that is no multiple of four.
static void buffers_become_one(void **unused)
{
    (void)unused;
    unsigned char first[37] = {0};
    memcpy(first, triangle, sizeof triangle);
    const unsigned char second[8] = {9, 9, 0, 0, 1, 0, 2, 0};
    char uris[2][512], json[2048];
    glb_data_uri("application/octet-stream", first, sizeof first, uris[0]);
    glb_data_uri("application/gltf-buffer", second, sizeof second, uris[1]);
    snprintf(json, sizeof json,
             "{\"asset\": {\"version\": \"2.0\", \"generator\": \"hand \\u00e9\"},"
             " \"extras\": {\"n\": [1.50, -0, 1E2]},"
             " \"buffers\": [{\"byteLength\": 37, \"name\": \"x\", \"uri\": \"%s\"},"
             "              {\"uri\": \"%s\", \"byteLength\": 8}],"
             " \"bufferViews\": [{\"buffer\": 0, \"byteLength\": 36, \"extras\": {\"buffer\": 1}},"
             "   {\"byteLength\": 6, \"byteOffset\": 2, \"buffer\": 1,"
             "    \"extensions\": {\"X\": {\"buffer\": 1, \"y\": 2}, \"Y\": {\"buffer\": 7}}}],"
             " \"accessors\": [{\"bufferView\": 0, \"componentType\": 5126, \"count\": 3,"
             "   \"type\": \"VEC3\", \"min\": [0, 0, 0], \"max\": [1, 1, 0]},"
             "   {\"bufferView\": 1, \"componentType\": 5123, \"count\": 3, \"type\": \"SCALAR\"}],"
             " \"meshes\": [{\"primitives\": [{\"attributes\": {\"POSITION\": 0},"
             "   \"indices\": 1}]}], \"nodes\": [{\"mesh\": 0}]}",
             uris[0], uris[1]);
    assert_written(
        json, NULL,
        "{\"asset\":{\"version\":\"2.0\",\"generator\":\"hand \\u00e9\"},"
        "\"extras\":{\"n\":[1.50,-0,1E2]},\"buffers\":[{\"byteLength\":48}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36,\"extras\":{\"buffer\":1}},"
        "{\"byteLength\":6,\"byteOffset\":42,\"buffer\":0,"
        "\"extensions\":{\"X\":{\"buffer\":0,\"byteOffset\":40,\"y\":2},\"Y\":{\"buffer\":7}}}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,"
        "\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[1,1,0]},"
        "{\"bufferView\":1,\"componentType\":5123,\"count\":3,\"type\":\"SCALAR\"}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},"
        "\"indices\":1}]}],\"nodes\":[{\"mesh\":0}]}");
}

static const char png[] = "\x89PNG\r\n\x1a\n some picture";
static const char jpeg[] = "\xff\xd8\xff some other picture";

static void images_come_along(void **unused)
{
    (void)unused;
    char directory[] = "/tmp/pliant-test-write-XXXXXX", path[64];
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/a picture", directory);
    assert_int_equal(pliant_file_write(path, png, sizeof png, NULL), PLIANT_OK);
    char uri[512], json[2048];
    snprintf(json, sizeof json,
             "{\"images\": [{\"uri\": \"a%%20picture\", \"name\": \"p\"}, {\"uri\": \"gone.png\"},"
             " {\"mimeType\": \"image/jpeg\", \"uri\": \"%s\"}, {\"uri\": \"%s\"}],"
             " \"asset\": {\"version\": \"2.0\"}}",
             glb_data_uri("image/png", jpeg, sizeof jpeg, uri),
             "data:application/octet-stream;base64,MDEyMzQ1NjdXRUJQ");
    assert_written(
        json, directory,
        "{\"images\":[{\"bufferView\":0,\"mimeType\":\"image/png\",\"name\":\"p\"},"
        "{\"uri\":\"gone.png\"},{\"mimeType\":\"image/jpeg\",\"bufferView\":1},"
        "{\"bufferView\":2,\"mimeType\":\"image/webp\"}],\"asset\":{\"version\":\"2.0\"},"
        "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":22},"
        "{\"buffer\":0,\"byteOffset\":24,\"byteLength\":23},"
        "{\"buffer\":0,\"byteOffset\":48,\"byteLength\":12}],\"buffers\":[{\"byteLength\":60}]}");

    pliant_mesh *mesh = read_mesh(json, strlen(json), directory);
    glb_file file = write_mesh(mesh);
    size_t size;
    const unsigned char *binary = glb_binary(file, &size);
    assert_int_equal(size, 60);
    assert_memory_equal(binary, png, sizeof png);
    assert_memory_equal(binary + 24, jpeg, sizeof jpeg);
    assert_memory_equal(binary + 48, "01234567WEBP", 12);
    free(file.data);
    pliant_mesh_destroy(mesh);
    remove(path);
    rmdir(directory);
}

// The members of the one buffer of a GLB stay, and what has no bytes comes behind it.
static void buffers_without_bytes_stay(void **unused)
{
    (void)unused;
    static const char json[] =
        "{\"asset\":{\"version\":\"2.0\"},\"bufferViews\":[{\"buffer\":1,\"byteLength\":5},"
        "{\"buffer\":0,\"byteOffset\":4,\"byteLength\":4}],"
        "\"buffers\":[{\"byteLength\":8,\"name\":\"x\"},{\"byteLength\":5,\"extras\":{}}]}";
    glb_file source = glb_make(json, "12345678", 8);
    pliant_mesh *mesh = read_mesh(source.data, source.size, NULL);
    glb_file file = write_mesh(mesh);
    assert_same_file(file, source);
    free(source.data);
    free(file.data);
    pliant_mesh_destroy(mesh);
    assert_written(
        "{\"asset\": {\"version\": \"2.0\"}, \"buffers\": [{\"byteLength\": 5}]}", NULL,
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":4},{\"byteLength\":5}]}");
}

static void a_document_may_be_empty(void **unused)
{
    (void)unused;
    assert_written("{\"asset\": {\"version\": \"2.0\"}}", NULL,
                   "{\"asset\":{\"version\":\"2.0\"}}");
    assert_written("{\"asset\": {\"version\": \"2.0\"}, \"extensionsUsed\": [\"X\"],"
                   " \"extensions\": {\"X\": {\"bufferView\": 3}}}",
                   NULL,
                   "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"X\"],"
                   "\"extensions\":{\"X\":{\"bufferView\":3}}}");
}

// ---------------------------------------------------------------------------------------------
// Meshes made by programs

enum { PARTS = 6, VERTICES = 18, TRIANGLES = 6 };

// Parts of equal names beside and apart from each other, one without triangles, one without anything.
static pliant_mesh *make_mesh(void)
{
    static const struct {
        const char *name, *material;
        int vertices, triangles;
    } parts[PARTS] = {
        {"wheel", "rubber", 4, 2}, {"wheel", "steel", 3, 1}, {"", "", 4, 2},
        {"wheel", "rubber", 3, 1}, {"dots", "steel", 4, 0},  {"none", "rubber", 0, 0}};
    pliant_mesh *mesh = pliant_mesh_create(VERTICES, TRIANGLES, PARTS);
    assert_non_null(mesh);
    uint32_t random = 7;
    int vertex = 0, corner = 0;
    for (int i = 0; i < PARTS; ++i) {
        pliant_mesh_part *part = &mesh->parts[i];
        strcpy(part->name, parts[i].name);
        strcpy(part->material, parts[i].material);
        part->first_vertex = vertex;
        part->first_triangle = corner / 3;
        part->vertex_count = parts[i].vertices;
        part->triangle_count = parts[i].triangles;
        for (int k = 0; k < part->vertex_count; ++k, ++vertex) {
            mesh->positions[vertex] = random_vec3(&random, 1e3f);
            if (i == 1)
                mesh->normals[vertex] = (pliant_vec3){0.6f, 0, 0.8f};
            mesh->coordinates[vertex][1] = i == 2 ? (float)k : 0.0f;
        }
        for (int k = 0; k < 3 * part->triangle_count; ++k, ++corner)
            mesh->triangles[corner] = part->first_vertex + k * 3 % part->vertex_count;
    }
    return mesh;
}

static void programs_meshes_are_read_back(void **unused)
{
    (void)unused;
    pliant_mesh *mesh = make_mesh();
    glb_file file = write_mesh(mesh);
    pliant_mesh *again = read_mesh(file.data, file.size, NULL);
    assert_int_equal(again->vertex_count, VERTICES);
    assert_int_equal(again->triangle_count, TRIANGLES);
    assert_int_equal(again->part_count, PARTS - 1); // nothing is no part
    assert_memory_equal(again->positions, mesh->positions, VERTICES * sizeof mesh->positions[0]);
    assert_memory_equal(again->normals, mesh->normals, VERTICES * sizeof mesh->normals[0]);
    assert_memory_equal(again->coordinates, mesh->coordinates,
                        VERTICES * sizeof mesh->coordinates[0]);
    assert_memory_equal(again->triangles, mesh->triangles,
                        3 * TRIANGLES * sizeof mesh->triangles[0]);
    assert_memory_equal(again->parts, mesh->parts, (PARTS - 1) * sizeof mesh->parts[0]);
    pliant_glb_info info;
    assert_int_equal(pliant_glb_inspect(file.data, file.size, &info, NULL), PLIANT_OK);
    assert_int_equal(info.nodes, 4);
    assert_int_equal(info.primitives, 5);
    assert_int_equal(info.materials, 3);
    glb_file second = write_mesh(again);
    assert_same_file(file, second);
    free(file.data);
    free(second.data);
    pliant_mesh_destroy(mesh);
    pliant_mesh_destroy(again);
}

static void an_empty_mesh_is_a_file(void **unused)
{
    (void)unused;
    pliant_mesh *mesh = pliant_mesh_create(0, 0, 0);
    glb_file file = write_mesh(mesh);
    pliant_mesh *again = read_mesh(file.data, file.size, NULL);
    assert_int_equal(again->vertex_count, 0);
    free(file.data);
    pliant_mesh_destroy(mesh);
    pliant_mesh_destroy(again);
}

static void assert_refused(pliant_mesh *mesh, const char *place)
{
    void *data;
    size_t size;
    pliant_error error = {0};
    assert_int_equal(pliant_mesh_write(mesh, &data, &size, &error), PLIANT_ERROR_ARGUMENT);
    assert_string_equal(error.place, place);
    pliant_mesh_destroy(mesh);
}

static void programs_mistakes_are_told(void **unused)
{
    (void)unused;
    pliant_mesh *mesh = make_mesh();
    mesh->positions[3].y = NAN;
    assert_refused(mesh, "vertex 3");
    mesh = make_mesh();
    mesh->triangles[7] = 1; // of another part
    assert_refused(mesh, "triangle 2");
    mesh = make_mesh();
    mesh->triangles[0] = -1;
    assert_refused(mesh, "triangle 0");
    mesh = make_mesh();
    mesh->parts[2].first_vertex = 8;
    assert_refused(mesh, "part 2");
    mesh = make_mesh();
    mesh->parts[4].vertex_count = 1000;
    assert_refused(mesh, "part 4");
    mesh = make_mesh();
    mesh->part_count = 4;
    assert_refused(mesh, "parts");
    mesh = make_mesh();
    memset(mesh->parts[1].name, 'x', sizeof mesh->parts[1].name);
    assert_refused(mesh, "part 1");
    mesh = make_mesh();
    strcpy(mesh->parts[3].material, "caf\xe9");
    assert_refused(mesh, "part 3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buffers_become_one),
        cmocka_unit_test(images_come_along),
        cmocka_unit_test(buffers_without_bytes_stay),
        cmocka_unit_test(a_document_may_be_empty),
        cmocka_unit_test(programs_meshes_are_read_back),
        cmocka_unit_test(an_empty_mesh_is_a_file),
        cmocka_unit_test(programs_mistakes_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
