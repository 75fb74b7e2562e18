// Reading glTF: documents made by hand, one for each thing a document can have.

#include "gltf_document.h"

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const float square[5][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {-1, 0.5f, 0}};

#define ONE_NODE "\"nodes\":[{\"mesh\":0}]"

static void expect_position(const pliant_mesh *mesh, int vertex, double x, double y, double z)
{
    assert_near(mesh->positions[vertex].x, x, 1e-6);
    assert_near(mesh->positions[vertex].y, y, 1e-6);
    assert_near(mesh->positions[vertex].z, z, 1e-6);
}

static void expect_triangles(const pliant_mesh *mesh, int count, const int32_t *corners)
{
    assert_int_equal(mesh->triangle_count, count);
    for (int i = 0; i < 3 * count; ++i)
        assert_int_equal(mesh->triangles[i], corners[i]);
}

// ---------------------------------------------------------------------------------------------
// Primitives

static void gives_the_triangles_of_each_mode(void **unused)
{
    (void)unused;
    static const struct {
        int mode, count;
        int32_t corners[9];
    } cases[] = {
        {0, 0, {0}},
        {1, 0, {0}},
        {2, 0, {0}},
        {3, 0, {0}},
        {4, 1, {0, 1, 2}}, // the two corners that are left make none
        {5, 3, {0, 1, 2, 1, 3, 2, 2, 3, 4}},
        {6, 3, {1, 2, 0, 2, 3, 0, 3, 4, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        document d = {0};
        add_positions(&d, 5, square);
        char rest[256];
        snprintf(rest, sizeof rest,
                 ONE_NODE ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},"
                          "\"mode\":%d}]}]",
                 cases[i].mode);
        pliant_mesh *mesh = read_right(&d, rest);
        assert_int_equal(mesh->vertex_count, 5);
        assert_int_equal(mesh->part_count, 1);
        expect_triangles(mesh, cases[i].count, cases[i].corners);
        expect_position(mesh, 4, -1, 0.5, 0);
        pliant_mesh_destroy(mesh);
    }
}

static void takes_indices_of_each_type(void **unused)
{
    (void)unused;
    static const uint8_t bytes[] = {4, 3, 2, 1, 1, 0};
    static const uint16_t shorts[] = {4, 3, 2, 1, 1, 0};
    static const uint32_t ints[] = {4, 3, 2, 1, 1, 0};
    static const struct {
        int type;
        const void *data;
        size_t size;
    } cases[] = {
        {5121, bytes, sizeof bytes}, {5123, shorts, sizeof shorts}, {5125, ints, sizeof ints}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        document d = {0};
        add_positions(&d, 5, square);
        int view = add_view(&d, cases[i].data, cases[i].size, "");
        add_accessor(&d, view, cases[i].type, "SCALAR", 6, "");
        // A triangle with a corner twice is kept: it belongs to the file.
        pliant_mesh *mesh = read_right(
            &d, ONE_NODE
            ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}]");
        expect_triangles(mesh, 2, (int32_t[]){4, 3, 2, 1, 1, 0});
        pliant_mesh_destroy(mesh);
    }
}

static void alternates_in_indexed_strips(void **unused)
{
    (void)unused;
    document d = {0};
    add_positions(&d, 5, square);
    add_indices(&d, 4, (uint16_t[]){0, 1, 3, 2});
    pliant_mesh *mesh = read_right(&d, ONE_NODE ",\"meshes\":[{\"primitives\":[{\"attributes\":{"
                                                "\"POSITION\":0},\"indices\":1,\"mode\":5}]}]");
    expect_triangles(mesh, 2, (int32_t[]){0, 1, 3, 1, 2, 3});
    pliant_mesh_destroy(mesh);
}

static void refuses_indices_of_nothing(void **unused)
{
    (void)unused;
    static const uint16_t cases[][3] = {{0, 1, 5}, {0, 1, 65535}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        document d = {0};
        add_positions(&d, 5, square);
        add_indices(&d, 3, cases[i]);
        expect_error(&d,
                     ONE_NODE ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},"
                              "\"indices\":1}]}]",
                     "meshes[0].primitives[0].indices");
    }
}

static void gives_no_part_without_positions(void **unused)
{
    (void)unused;
    document d = {0};
    add_positions(&d, 3, square);
    pliant_mesh *mesh =
        read_right(&d, ONE_NODE ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"_OTHER\":0}},"
                                "{\"attributes\":{\"POSITION\":0}}]}]");
    assert_int_equal(mesh->part_count, 1);
    assert_int_equal(mesh->document->parts[0].primitive, 1);
    pliant_mesh_destroy(mesh);
}

static void refuses_positions_that_are_not_finite(void **unused)
{
    (void)unused;
    float positions[3][3] = {{0, 0, 0}, {1, INFINITY, 0}, {0, 0, 1}};
    static const char rest[] = "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],";
    document d = {0};
    add_floats(&d, "VEC3", 3, 3, positions[0]);
    char text[256];
    snprintf(text, sizeof text, "%s%s", rest, ONE_NODE);
    expect_error(&d, text, "meshes[0].primitives[0].attributes.POSITION");
    // Or that a transform makes so.
    d = (document){0};
    add_positions(&d, 3, square);
    snprintf(text, sizeof text, "%s\"nodes\":[{\"mesh\":0,\"scale\":[1e39,1,1]}]", rest);
    expect_error(&d, text, "meshes[0].primitives[0].attributes.POSITION");
}

// ---------------------------------------------------------------------------------------------
// Accessors

static void reads_interleaved_vertices(void **unused)
{
    (void)unused;
    static const float vertices[3][5] = {
        {1, 2, 3, 0.25f, 0.5f}, {4, 5, 6, 0.75f, 1}, {7, 8, 9, 0, 0.125f}};
    document d = {0};
    int view = add_view(&d, vertices, sizeof vertices, ",\"byteStride\":20");
    add_accessor(&d, view, 5126, "VEC3", 3, ",\"min\":[1,2,3],\"max\":[7,8,9]");
    add_accessor(&d, view, 5126, "VEC2", 3, ",\"byteOffset\":12");
    pliant_mesh *mesh =
        read_right(&d, ONE_NODE ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,"
                                "\"TEXCOORD_0\":1}}]}]");
    expect_position(mesh, 2, 7, 8, 9);
    assert_near(mesh->coordinates[1][0], 0.75, 0);
    assert_near(mesh->coordinates[2][1], 0.125, 0);
    pliant_mesh_destroy(mesh);
}

static void normalises_integers(void **unused)
{
    (void)unused;
    static const struct {
        int type;
        unsigned char bytes[12];
        double expected[3][2];
    } cases[] = {
        {5121,
         {0, 255, 0, 0, 51, 102, 0, 0, 1, 2, 0, 0},
         {{0, 1}, {0.2, 0.4}, {1 / 255.0, 2 / 255.0}}},
        {5123,
         {0, 0, 255, 255, 51, 51, 102, 102, 1, 0, 2, 0},
         {{0, 1}, {0.2, 0.4}, {1 / 65535.0, 2 / 65535.0}}},
        {5120,
         {128, 129, 0, 0, 127, 0, 0, 0, 1, 255, 0, 0},
         {{-1, -1}, {1, 0}, {1 / 127.0, -1 / 127.0}}},
        {5122,
         {0, 128, 1, 128, 255, 127, 0, 0, 1, 0, 255, 255},
         {{-1, -1}, {1, 0}, {1 / 32767.0, -1 / 32767.0}}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        document d = {0};
        add_positions(&d, 3, square);
        int view = add_view(&d, cases[i].bytes, 12, ",\"byteStride\":4");
        add_accessor(&d, view, cases[i].type, "VEC2", 3, ",\"normalized\":true");
        pliant_mesh *mesh = read_right(
            &d,
            "\"extensionsUsed\":[\"KHR_mesh_quantization\"]," ONE_NODE
            ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"TEXCOORD_0\":1}}]}]");
        for (int k = 0; k < 6; ++k)
            assert_near(mesh->coordinates[k / 2][k % 2], cases[i].expected[k / 2][k % 2], 1e-7);
        pliant_mesh_destroy(mesh);
    }
}

static void reads_quantized_positions(void **unused)
{
    (void)unused;
    static const int16_t positions[3][4] = {
        {0, 0, 0, 0}, {1000, 0, -1000, 0}, {-32768, 7, 32767, 0}};
    document d = {0};
    int view = add_view(&d, positions, sizeof positions, ",\"byteStride\":8");
    add_accessor(&d, view, 5122, "VEC3", 3, ",\"min\":[-32768,0,-1000],\"max\":[1000,7,32767]");
    pliant_mesh *mesh =
        read_right(&d, "\"extensionsUsed\":[\"KHR_mesh_quantization\"],"
                       "\"extensionsRequired\":[\"KHR_mesh_quantization\"],"
                       "\"nodes\":[{\"mesh\":0,\"scale\":[0.5,0.5,0.5]}],"
                       "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]");
    expect_position(mesh, 1, 500, 0, -500);
    expect_position(mesh, 2, -16384, 3.5, 16383.5);
    pliant_mesh_destroy(mesh);
}

static void applies_sparse_values(void **unused)
{
    (void)unused;
    static const uint16_t indices[] = {1, 3};
    static const float values[2][3] = {{10, 11, 12}, {-5, -6, -7}};
    for (int has_base = 0; has_base < 2; ++has_base) {
        document d = {0};
        int base = has_base ? add_view(&d, square, sizeof square, "") : -1;
        int index_view = add_view(&d, indices, sizeof indices, "");
        int value_view = add_view(&d, values, sizeof values, "");
        char more[256];
        snprintf(more, sizeof more,
                 ",\"min\":[-5,-6,-7],\"max\":[10,11,12],\"sparse\":{\"count\":2,"
                 "\"indices\":{\"bufferView\":%d,\"componentType\":5123},"
                 "\"values\":{\"bufferView\":%d}}",
                 index_view, value_view);
        add_accessor(&d, base, 5126, "VEC3", 5, more);
        pliant_mesh *mesh = read_right(
            &d, ONE_NODE ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]");
        expect_position(mesh, 1, 10, 11, 12);
        expect_position(mesh, 3, -5, -6, -7);
        expect_position(mesh, 2, has_base, has_base, 0);
        pliant_mesh_destroy(mesh);
    }
}

static void refuses_sparse_indices_out_of_range(void **unused)
{
    (void)unused;
    static const uint16_t indices[] = {1, 5};
    document d = {0};
    add_view(&d, square, sizeof square, "");
    add_view(&d, indices, sizeof indices, "");
    add_accessor(&d, 0, 5126, "VEC3", 5,
                 ",\"sparse\":{\"count\":2,\"indices\":{\"bufferView\":1,\"componentType\":5123},"
                 "\"values\":{\"bufferView\":0}}");
    expect_error(&d, ONE_NODE ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]",
                 "accessors[0].sparse.indices");
}

static void reads_zeros_without_a_view(void **unused)
{
    (void)unused;
    document d = {0};
    add_accessor(&d, -1, 5126, "VEC3", 7, ",\"min\":[0,0,0],\"max\":[0,0,0]");
    pliant_mesh *mesh = read_right(
        &d, ONE_NODE ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]");
    assert_int_equal(mesh->vertex_count, 7);
    for (int i = 0; i < 7; ++i)
        expect_position(mesh, i, 0, 0, 0);
    pliant_mesh_destroy(mesh);
}

// Columns of matrices begin at multiples of four bytes.
static void skips_the_padding_of_matrices(void **unused)
{
    (void)unused;
    static const unsigned char two[] = {1, 2, 0, 0, 253, 252, 0, 0, 5, 6, 0, 0, 249, 248};
    static const uint16_t three[] = {3, 2, 1, 0, 6, 5, 4, 0, 9, 8, 7};
    document d = {0};
    add_accessor(&d, add_view(&d, two, sizeof two, ""), 5120, "MAT2", 2, "");
    add_accessor(&d, add_view(&d, three, sizeof three, ""), 5123, "MAT3", 1, "");
    size_t size;
    unsigned char *glb = write_document(&d, "\"scenes\":[{}]", &size);
    pliant_error error = {0};
    pliant_gltf *gltf = pli_gltf_open(glb, size, NULL, NULL, &error);
    if (!gltf)
        fail_msg("%s: %s", error.place, error.message);
    double values[9];
    pli_gltf_read_doubles(gltf, 0, values);
    for (int i = 0; i < 8; ++i)
        assert_near(values[i], ((int[]){1, 2, -3, -4, 5, 6, -7, -8})[i], 0);
    signed char raw[8];
    pli_gltf_read_raw(gltf, 0, raw);
    for (int i = 0; i < 8; ++i)
        assert_int_equal(raw[i], ((int[]){1, 2, -3, -4, 5, 6, -7, -8})[i]);
    pli_gltf_read_doubles(gltf, 1, values);
    for (int i = 0; i < 9; ++i)
        assert_near(values[i], ((int[]){3, 2, 1, 6, 5, 4, 9, 8, 7})[i], 0);
    pli_gltf_close(gltf);
    free(glb);
}

// ---------------------------------------------------------------------------------------------
// Nodes

static const float upright[3][3] = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}};

static void places_nodes_in_the_scene(void **unused)
{
    (void)unused;
    document d = {0};
    add_positions(&d, 3, square);
    // A quarter turn about z, then twice as large, then moved, by the parent; moved before by the child.
    pliant_mesh *mesh =
        read_right(&d, "\"nodes\":[{\"children\":[1],\"translation\":[10,20,30],\"scale\":[2,2,2],"
                       "\"rotation\":[0,0,0.70710678,0.70710678]},"
                       "{\"mesh\":0,\"translation\":[0,0,5]},"
                       "{\"mesh\":0,\"matrix\":[0,1,0,0,-1,0,0,0,0,0,1,0,1,2,3,1]}],"
                       "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]");
    expect_position(mesh, 0, 10, 20, 40);
    expect_position(mesh, 1, 10, 22, 40);
    expect_position(mesh, 2, 8, 22, 40);
    expect_position(mesh, 3 + 1, 1, 3, 3);
    pliant_mesh_destroy(mesh);
}

static void turns_mirrored_triangles(void **unused)
{
    (void)unused;
    document d = {0};
    add_positions(&d, 3, square);
    add_floats(&d, "VEC3", 3, 3, upright[0]);
    pliant_mesh *mesh = read_right(
        &d, "\"nodes\":[{\"mesh\":0,\"scale\":[-1,1,1]},{\"mesh\":0,\"scale\":[-1,1,-1]},"
            "{\"mesh\":0,\"scale\":[1,1,-1]}],"
            "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":1}}]}]");
    expect_triangles(mesh, 3, (int32_t[]){0, 2, 1, 3, 4, 5, 6, 8, 7});
    assert_true(mesh->document->parts[0].is_mirrored);
    assert_false(mesh->document->parts[1].is_mirrored);
    static const float along[] = {1, -1, -1};
    for (int i = 0; i < 9; ++i) {
        // The normal of the file is on the side the corners go around counter-clockwise.
        assert_near(mesh->normals[i].z, along[i / 3], 1e-6);
        const int32_t *t = mesh->triangles + i / 3 * 3;
        vec3 a = mesh->positions[t[0]], b = mesh->positions[t[1]], c = mesh->positions[t[2]];
        vec3 face = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
        assert_true(vec3_dot(face, mesh->normals[i]) > 0.0f);
    }
    pliant_mesh_destroy(mesh);
}

static void keeps_normals_upright_on_scaled_surfaces(void **unused)
{
    (void)unused;
    // A slope of one half, made steeper by a scale: the normal must stay at right angles to it.
    static const float slope[3][3] = {{0, 0, 0}, {2, 1, 0}, {0, 0, 1}};
    float normals[3][3];
    for (int i = 0; i < 3; ++i) {
        normals[i][0] = -1.0f / sqrtf(5.0f);
        normals[i][1] = 2.0f / sqrtf(5.0f);
        normals[i][2] = 0.0f;
    }
    document d = {0};
    add_positions(&d, 3, slope);
    add_floats(&d, "VEC3", 3, 3, normals[0]);
    pliant_mesh *mesh = read_right(
        &d, "\"nodes\":[{\"mesh\":0,\"scale\":[1,7,3]}],"
            "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":1}}]}]");
    vec3 along = vec3_sub(mesh->positions[1], mesh->positions[0]);
    assert_near(vec3_dot(along, mesh->normals[1]), 0, 1e-5);
    assert_near(vec3_dot(mesh->normals[1], mesh->normals[1]), 1, 1e-6);
    pliant_mesh_destroy(mesh);
}

static void names_parts_in_depth_first_order(void **unused)
{
    (void)unused;
    document d = {0};
    add_positions(&d, 3, square);
    pliant_mesh *mesh = read_right(
        &d, "\"scene\":1,\"scenes\":[{\"nodes\":[4]},{\"nodes\":[3,0]}],"
            "\"nodes\":[{\"name\":\"last\",\"mesh\":1},{\"name\":\"b\",\"mesh\":0},"
            "{\"mesh\":0,\"children\":[1]},{\"name\":\"a\",\"children\":[2,5],\"mesh\":0},"
            "{\"name\":\"elsewhere\",\"mesh\":0},{\"name\":\"c\",\"mesh\":0}],"
            "\"materials\":[{\"name\":\"red\"},{}],"
            "\"meshes\":[{\"name\":\"m\",\"primitives\":[{\"attributes\":{\"POSITION\":0},"
            "\"material\":0}]},{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"material\":1},"
            "{\"attributes\":{\"POSITION\":0}}]}]");
    static const char *const names[] = {"a", "m", "b", "c", "last", "last"};
    assert_int_equal(mesh->part_count, 6);
    for (int i = 0; i < 6; ++i) {
        assert_string_equal(mesh->parts[i].name, names[i]);
        assert_string_equal(mesh->parts[i].material, i < 4 ? "red" : "");
        assert_int_equal(mesh->parts[i].first_vertex, 3 * i);
        assert_int_equal(mesh->parts[i].first_triangle, i);
    }
    assert_int_equal(mesh->document->parts[5].primitive, 1);
    assert_int_equal(mesh->document->parts[2].node, 1);
    pliant_mesh_destroy(mesh);
}

static void shows_the_first_scene_or_everything(void **unused)
{
    (void)unused;
    static const char *const scenes[] = {"\"scenes\":[{\"nodes\":[1]},{\"nodes\":[0]}],", ""};
    for (int i = 0; i < 2; ++i) {
        document d = {0};
        add_positions(&d, 3, square);
        char rest[512];
        snprintf(rest, sizeof rest,
                 "%s\"nodes\":[{\"mesh\":0,\"name\":\"x\"},{\"mesh\":0,\"name\":\"y\"}],"
                 "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]",
                 scenes[i]);
        pliant_mesh *mesh = read_right(&d, rest);
        assert_int_equal(mesh->part_count, 1 + i);
        assert_string_equal(mesh->parts[0].name, i ? "x" : "y");
        pliant_mesh_destroy(mesh);
    }
}

static void cuts_long_names_between_characters(void **unused)
{
    (void)unused;
    document d = {0};
    add_positions(&d, 3, square);
    char rest[512], name[96];
    memset(name, 'n', 62);
    strcpy(name + 62, "\xc3\xa4\xc3\xa4"); // byte 63 would be the first half of a letter
    snprintf(rest, sizeof rest,
             "\"nodes\":[{\"mesh\":0,\"name\":\"%s\"},{\"mesh\":0,\"name\":\"x%.61s\xc3\xa4\"}],"
             "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]",
             name, name);
    pliant_mesh *mesh = read_right(&d, rest);
    assert_int_equal(strlen(mesh->parts[0].name), 62);
    assert_int_equal(strlen(mesh->parts[1].name), 62);
    pliant_mesh_destroy(mesh);
}

static void refuses_nodes_that_are_no_tree(void **unused)
{
    (void)unused;
    document d = {0};
    expect_error(&d, "\"nodes\":[{\"children\":[1]},{\"children\":[2]},{\"children\":[0]}]",
                 "nodes[0]");
    expect_error(&d, "\"nodes\":[{\"children\":[0]}]", "nodes[0]");
    expect_error(&d, "\"nodes\":[{},{\"children\":[3]},{\"children\":[3]},{}]",
                 "nodes[2].children[0]");
    expect_error(&d, "\"nodes\":[{\"children\":[1,1]},{}]", "nodes[0].children[1]");
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// A hundred thousand nodes, each in the one before: neither the stack nor patience may run out.
static void reads_deep_trees(void **unused)
{
    (void)unused;
    enum { COUNT = 100000 };
    size_t capacity = COUNT * 64 + 256;
    char *rest = malloc(capacity);
    size_t length = (size_t)snprintf(
        rest, capacity,
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\"nodes\":[");
    for (int i = 0; i < COUNT - 1; ++i)
        length += (size_t)snprintf(rest + length, capacity - length,
                                   "{\"children\":[%d],\"translation\":[0,0,1]},", i + 1);
    snprintf(rest + length, capacity - length, "{\"mesh\":0}]");
    document d = {0};
    add_positions(&d, 3, square);
    double begin = seconds_now();
    pliant_mesh *mesh = read_right(&d, rest);
    assert_below(seconds_now() - begin, 10.0);
    expect_position(mesh, 0, 0, 0, COUNT - 1);
    pliant_mesh_destroy(mesh);
    free(rest);
}

// ---------------------------------------------------------------------------------------------
// Skins and morph targets

// Joint 0 stays, joint 1 was bound at (1, 0, 0) and is now a quarter turn about z further on, at (1, 0, 0) still.
#define SKELETON                                                                                   \
    "\"nodes\":[{\"mesh\":0,\"skin\":0,\"translation\":[100,100,100]},{\"children\":[2]},"         \
    "{\"translation\":[1,0,0],\"rotation\":[0,0,0.70710678,0.70710678]}],"

static const float binds[2][16] = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
                                   {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1}};

static void poses_skins_at_rest(void **unused)
{
    (void)unused;
    static const float positions[4][3] = {{0, 0, 0}, {2, 0, 0}, {2, 0, 0}, {3, 0, 0}};
    static const float normals[4][3] = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}};
    static const unsigned char joints[4][4] = {{0}, {1}, {0, 1}, {1}};
    // All on joint 0; all on joint 1; half and half, of a sum that is not one; none at all.
    static const float weights[4][4] = {{1}, {1}, {2, 2}, {0}};
    document d = {0};
    add_positions(&d, 4, positions);
    add_floats(&d, "VEC3", 3, 4, normals[0]);
    add_accessor(&d, add_view(&d, joints, sizeof joints, ""), 5121, "VEC4", 4, "");
    add_floats(&d, "VEC4", 4, 4, weights[0]);
    add_floats(&d, "MAT4", 16, 2, binds[0]);
    pliant_remarks remarks;
    pliant_mesh *mesh = read_document(
        &d,
        SKELETON "\"skins\":[{\"joints\":[1,2],\"inverseBindMatrices\":4}],"
                 "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":1,"
                 "\"JOINTS_0\":2,\"WEIGHTS_0\":3},\"mode\":0}]}]",
        &remarks, NULL);
    assert_non_null(mesh);
    assert_int_equal(remarks.count, 1);
    assert_string_equal(remarks.first[0].place, "meshes[0].primitives[0].attributes.WEIGHTS_0");
    expect_position(mesh, 0, 0, 0, 0);
    expect_position(mesh, 1, 1, 1, 0);
    expect_position(mesh, 2, 1.5, 0.5, 0);
    expect_position(mesh, 3, 1, 2, 0); // follows its first joint
    assert_near(mesh->normals[1].y, 1, 1e-6);
    assert_true(mesh->document->parts[0].is_skinned);
    pliant_mesh_destroy(mesh);
}

static void adds_up_sets_of_joints(void **unused)
{
    (void)unused;
    static const float positions[1][3] = {{2, 0, 0}};
    static const uint16_t joints[2][4] = {{0, 0, 0, 0}, {1, 0, 0, 0}};
    static const float weights[2][4] = {{0.25f, 0, 0, 0}, {0.75f, 0, 0, 0}};
    document d = {0};
    add_positions(&d, 1, positions);
    for (int i = 0; i < 2; ++i) {
        add_accessor(&d, add_view(&d, joints[i], sizeof joints[i], ""), 5123, "VEC4", 1, "");
        add_floats(&d, "VEC4", 4, 1, weights[i]);
    }
    add_floats(&d, "MAT4", 16, 2, binds[0]);
    pliant_mesh *mesh = read_right(
        &d, SKELETON "\"skins\":[{\"joints\":[1,2],\"inverseBindMatrices\":5}],"
                     "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,"
                     "\"WEIGHTS_0\":2,\"JOINTS_1\":3,\"WEIGHTS_1\":4},\"mode\":0}]}]");
    expect_position(mesh, 0, 0.25 * 2 + 0.75 * 1, 0.75, 0);
    pliant_mesh_destroy(mesh);
}

static void turns_triangles_of_mirrored_skins(void **unused)
{
    (void)unused;
    static const unsigned char joints[3][4] = {{0}, {0}, {0}};
    static const float weights[3][4] = {{1}, {1}, {1}};
    document d = {0};
    add_positions(&d, 3, square);
    add_accessor(&d, add_view(&d, joints, sizeof joints, ""), 5121, "VEC4", 3, "");
    add_floats(&d, "VEC4", 4, 3, weights[0]);
    pliant_mesh *mesh = read_right(
        &d, "\"nodes\":[{\"mesh\":0,\"skin\":0},{\"scale\":[-1,1,1]}],\"skins\":[{\"joints\":[1]}],"
            "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,"
            "\"WEIGHTS_0\":2}}]}]");
    expect_position(mesh, 1, -1, 0, 0);
    expect_triangles(mesh, 1, (int32_t[]){0, 2, 1});
    assert_true(mesh->document->parts[0].is_mirrored);
    pliant_mesh_destroy(mesh);
}

static void refuses_joints_the_skin_does_not_have(void **unused)
{
    (void)unused;
    static const unsigned char joints[3][4] = {{0}, {0, 2}, {0}};
    static const float weights[3][4] = {{1}, {0.5f, 0.5f}, {1}};
    document d = {0};
    add_positions(&d, 3, square);
    add_accessor(&d, add_view(&d, joints, sizeof joints, ""), 5121, "VEC4", 3, "");
    add_floats(&d, "VEC4", 4, 3, weights[0]);
    expect_error(&d,
                 SKELETON "\"skins\":[{\"joints\":[1,2]}],\"meshes\":[{\"primitives\":[{"
                          "\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":2}}]}]",
                 "nodes[0].skin");
}

static void applies_morph_weights(void **unused)
{
    (void)unused;
    static const float up[3][3] = {{0, 0, 1}, {0, 0, 2}, {0, 0, 3}};
    static const float right[3][3] = {{10, 0, 0}, {10, 0, 0}, {10, 0, 0}};
    static const float tilt[3][3] = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}};
    document d = {0};
    add_positions(&d, 3, square);
    add_floats(&d, "VEC3", 3, 3, upright[0]);
    add_positions(&d, 3, up);
    add_positions(&d, 3, right);
    add_floats(&d, "VEC3", 3, 3, tilt[0]);
    pliant_mesh *mesh = read_right(
        &d, "\"nodes\":[{\"mesh\":0},{\"mesh\":0,\"weights\":[0,1]}],"
            "\"meshes\":[{\"weights\":[0.5,0],\"primitives\":[{\"attributes\":{\"POSITION\":0,"
            "\"NORMAL\":1},\"targets\":[{\"POSITION\":2},{\"POSITION\":3,\"NORMAL\":4}]}]}]");
    expect_position(mesh, 2, 1, 1, 1.5);
    assert_near(mesh->normals[2].z, 1, 0);
    expect_position(mesh, 3 + 2, 11, 1, 0);
    assert_near(mesh->normals[3].x, sqrt(0.5), 1e-6);
    assert_near(mesh->normals[3].z, sqrt(0.5), 1e-6);
    pliant_mesh_destroy(mesh);
}

// ---------------------------------------------------------------------------------------------
// Files

// The three corners of `square` in base64.
#define TRIANGLE_BASE64 "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAACAPwAAgD8AAAAA"

static const char triangle_json[] =
    "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":36,\"uri\":\"%s\"}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"accessors\":[{\"bufferView\":0,"
    "\"componentType\":5126,\"type\":\"VEC3\",\"count\":3,\"min\":[0,0,0],\"max\":[1,1,0]}],"
    "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]}";

static pliant_mesh *read_with_uri(const char *uri, const char *folder, pliant_error *error)
{
    char text[1024];
    int length = snprintf(text, sizeof text, triangle_json, uri);
    assert_true(length < (int)sizeof text);
    return pliant_mesh_read(text, (size_t)length, folder, NULL, error);
}

static void reads_data_uris(void **unused)
{
    (void)unused;
    static const char *const right[] = {
        "data:application/octet-stream;base64," TRIANGLE_BASE64,
        "data:application/gltf-buffer;base64," TRIANGLE_BASE64,
        "data:;base64," TRIANGLE_BASE64,
        "data:application/octet-stream;name=x;base64," TRIANGLE_BASE64,
        "data:application/octet-stream;base64," TRIANGLE_BASE64 "AA==",
        "data:application/octet-stream;base64,%41"
        "AAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAACAPwAAgD8AAAAA",
        "data:application/octet-stream,%00%00%00%00%00%00%00%00%00%00%00%00%00%00%80?"
        "%00%00%00%00%00%00%00%00%00%00%80?%00%00%80?%00%00%00%00",
    };
    for (size_t i = 0; i < sizeof right / sizeof right[0]; ++i) {
        pliant_error error = {0};
        pliant_mesh *mesh = read_with_uri(right[i], NULL, &error);
        if (!mesh)
            fail_msg("%s: %s: %s", right[i], error.place, error.message);
        expect_position(mesh, 2, 1, 1, 0);
        pliant_mesh_destroy(mesh);
    }
    static const char *const wrong[] = {
        "data:application/octet-stream;;base64," TRIANGLE_BASE64,
        "data:application/octet-stream;base64" TRIANGLE_BASE64,
        "data:application/octet-stream;base64,!" TRIANGLE_BASE64,
        "data:application/octet-stream;base64," TRIANGLE_BASE64 "A",
        "data:application/octet-stream;base64," TRIANGLE_BASE64 "A===",
        "data:application/octet-stream;base64," TRIANGLE_BASE64 "%4",
        "data:",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        pliant_error error = {0};
        assert_null(read_with_uri(wrong[i], NULL, &error));
        assert_string_equal(error.place, "buffers[0].uri");
    }
    pliant_error error = {0};
    assert_null(read_with_uri("data:;base64,AAAA", NULL, &error));
    assert_string_equal(error.place, "buffers[0].byteLength");
}

static void write_file(const char *folder, const char *name, const void *data, size_t size)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(pliant_file_write(path, data, size, NULL), PLIANT_OK);
}

// A folder with a file, and a folder in it with two: each under a name that has to be found.
typedef struct folders {
    char outer[64], inner[96];
} folders;

static folders make_folders(void)
{
    folders f = {.outer = "/tmp/pliant-gltf-XXXXXX"};
    assert_non_null(mkdtemp(f.outer));
    snprintf(f.inner, sizeof f.inner, "%s/in", f.outer);
    assert_int_equal(mkdir(f.inner, 0700), 0);
    write_file(f.outer, "outside.bin", square, 36);
    write_file(f.inner, "plain.bin", square, 36);
    write_file(f.inner, "a b%.bin", square, 36);
    return f;
}

static void remove_folders(const folders *f)
{
    static const char *const names[] = {"in/plain.bin", "in/a b%.bin", "in/file.gltf",
                                        "outside.bin"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        char path[256];
        snprintf(path, sizeof path, "%s/%s", f->outer, names[i]);
        remove(path);
    }
    rmdir(f->inner);
    rmdir(f->outer);
}

static void finds_files_in_the_folder_alone(void **unused)
{
    (void)unused;
    folders f = make_folders();
    static const char *const right[] = {"plain.bin", "./plain.bin", "pl%61in.bin", "a%20b%25.bin",
                                        "a b%25.bin"};
    for (size_t i = 0; i < sizeof right / sizeof right[0]; ++i) {
        pliant_error error = {0};
        pliant_mesh *mesh = read_with_uri(right[i], f.inner, &error);
        if (!mesh)
            fail_msg("%s: %s: %s", right[i], error.place, error.message);
        expect_position(mesh, 1, 1, 0, 0);
        pliant_mesh_destroy(mesh);
    }
    char absolute[160], scheme[160];
    snprintf(absolute, sizeof absolute, "%s/plain.bin", f.inner);
    snprintf(scheme, sizeof scheme, "file://%s/plain.bin", f.inner);
    const char *const wrong[] = {"../outside.bin",
                                 "./../outside.bin",
                                 "%2e%2e/outside.bin",
                                 "..%2foutside.bin",
                                 "..\\\\outside.bin",
                                 absolute,
                                 scheme,
                                 "http://localhost/plain.bin",
                                 "plain.bin%00",
                                 "",
                                 ".",
                                 "..",
                                 "missing.bin",
                                 "a b%.bin"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        pliant_error error = {0};
        if (read_with_uri(wrong[i], f.inner, &error))
            fail_msg("'%s' was read", wrong[i]);
        assert_string_equal(error.place, "buffers[0].uri");
    }
    remove_folders(&f);
}

static void reads_files_beside_the_file(void **unused)
{
    (void)unused;
    folders f = make_folders();
    char text[1024], path[128];
    int length = snprintf(text, sizeof text, triangle_json, "plain.bin");
    write_file(f.inner, "file.gltf", text, (size_t)length);
    snprintf(path, sizeof path, "%s/file.gltf", f.inner);
    pliant_remarks remarks;
    pliant_mesh *mesh = pliant_mesh_read_file(path, &remarks, NULL);
    assert_non_null(mesh);
    assert_int_equal(remarks.count, 0);
    assert_int_equal(mesh->triangle_count, 1);
    pliant_mesh_destroy(mesh);
    remove_folders(&f);
}

// A buffer may have no data, for an extension to fill; geometry cannot be made of it.
static void refuses_geometry_without_data(void **unused)
{
    (void)unused;
    char text[1024], *uri;
    snprintf(text, sizeof text, triangle_json, "x");
    uri = strstr(text, ",\"uri\":\"x\"");
    memset(uri, ' ', strlen(",\"uri\":\"x\""));
    pliant_error error = {0};
    assert_null(pliant_mesh_read(text, strlen(text), NULL, NULL, &error));
    assert_string_equal(error.place, "meshes[0].primitives[0]");
    // Where nothing is made of it, it does no harm.
    char *node = strstr(text, "\"mesh\":0");
    memset(node, ' ', strlen("\"mesh\":0"));
    pliant_mesh *mesh = pliant_mesh_read(text, strlen(text), NULL, NULL, &error);
    assert_non_null(mesh);
    pliant_mesh_destroy(mesh);
}

static void remarks_on_images_it_cannot_find(void **unused)
{
    (void)unused;
    static const char text[] =
        "{\"asset\":{\"version\":\"2.0\"},\"images\":[{\"uri\":\"../x.png\"},"
        "{\"uri\":\"data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==\"}]}";
    pliant_remarks remarks;
    pliant_mesh *mesh = pliant_mesh_read(text, strlen(text), NULL, &remarks, NULL);
    assert_non_null(mesh);
    assert_int_equal(remarks.count, 2);
    assert_string_equal(remarks.first[0].place, "images[0].uri");
    assert_string_equal(remarks.first[1].place, "images[1]");
    pliant_mesh_destroy(mesh);
}

// ---------------------------------------------------------------------------------------------
// Limits and extensions

static void names_extensions_it_cannot_read(void **unused)
{
    (void)unused;
    static const char *const refused[] = {"KHR_draco_mesh_compression", "EXT_meshopt_compression",
                                          "EXT_mesh_gpu_instancing", "X_y"};
    static const char *const taken[] = {"KHR_texture_transform", "KHR_materials_unlit",
                                        "KHR_lights_punctual",   "EXT_texture_webp",
                                        "KHR_texture_basisu",    "KHR_mesh_quantization"};
    document d = {0};
    char rest[256];
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; ++i) {
        snprintf(rest, sizeof rest, "\"extensionsUsed\":[\"%s\"],\"extensionsRequired\":[\"%s\"]",
                 refused[i], refused[i]);
        pliant_error error = {0};
        assert_null(read_document(&d, rest, NULL, &error));
        assert_string_equal(error.place, "extensionsRequired[0]");
        assert_non_null(strstr(error.message, refused[i]));
    }
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; ++i) {
        snprintf(rest, sizeof rest, "\"extensionsUsed\":[\"%s\"],\"extensionsRequired\":[\"%s\"]",
                 taken[i], taken[i]);
        pliant_mesh_destroy(read_right(&d, rest));
    }
}

static void refuses_scenes_far_larger_than_the_file(void **unused)
{
    (void)unused;
    document d = {0};
    add_accessor(&d, -1, 5126, "VEC3", 2000000000, ",\"min\":[0,0,0],\"max\":[0,0,0]");
    expect_error(&d, ONE_NODE ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]",
                 "accessors[0].count");
    // Many instances of what alone would do.
    d = (document){0};
    add_accessor(&d, -1, 5126, "VEC3", 1000000, ",\"min\":[0,0,0],\"max\":[0,0,0]");
    char rest[1024] =
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"mode\":0}]}],"
        "\"nodes\":[{\"mesh\":0}";
    for (int i = 0; i < 40; ++i)
        append_text(rest, sizeof rest, ",{\"mesh\":0}");
    append_text(rest, sizeof rest, "]");
    expect_error(&d, rest, "nodes[2]");
}

static void refuses_json_that_is_no_gltf(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *place;
    } cases[] = {
        {"{", "1:2"},
        {"{}", "asset"},
        {"{\"asset\":{}}", "asset.version"},
        {"{\"asset\":{\"version\":\"3.0\"}}", "asset.version"},
        {"{\"asset\":{\"version\":\"2.0\",\"minVersion\":\"3.0\"}}", "asset.minVersion"},
        {"\xef\xbb\xbf{\"asset\":{\"version\":\"2.0\"}}", "1:1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        pliant_error error = {0};
        assert_null(pliant_mesh_read(cases[i].text, strlen(cases[i].text), NULL, NULL, &error));
        assert_string_equal(error.place, cases[i].place);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_the_triangles_of_each_mode),
        cmocka_unit_test(takes_indices_of_each_type),
        cmocka_unit_test(alternates_in_indexed_strips),
        cmocka_unit_test(refuses_indices_of_nothing),
        cmocka_unit_test(gives_no_part_without_positions),
        cmocka_unit_test(refuses_positions_that_are_not_finite),
        cmocka_unit_test(reads_interleaved_vertices),
        cmocka_unit_test(normalises_integers),
        cmocka_unit_test(reads_quantized_positions),
        cmocka_unit_test(applies_sparse_values),
        cmocka_unit_test(refuses_sparse_indices_out_of_range),
        cmocka_unit_test(reads_zeros_without_a_view),
        cmocka_unit_test(skips_the_padding_of_matrices),
        cmocka_unit_test(places_nodes_in_the_scene),
        cmocka_unit_test(turns_mirrored_triangles),
        cmocka_unit_test(keeps_normals_upright_on_scaled_surfaces),
        cmocka_unit_test(names_parts_in_depth_first_order),
        cmocka_unit_test(shows_the_first_scene_or_everything),
        cmocka_unit_test(cuts_long_names_between_characters),
        cmocka_unit_test(refuses_nodes_that_are_no_tree),
        cmocka_unit_test(reads_deep_trees),
        cmocka_unit_test(poses_skins_at_rest),
        cmocka_unit_test(adds_up_sets_of_joints),
        cmocka_unit_test(turns_triangles_of_mirrored_skins),
        cmocka_unit_test(refuses_joints_the_skin_does_not_have),
        cmocka_unit_test(applies_morph_weights),
        cmocka_unit_test(reads_data_uris),
        cmocka_unit_test(finds_files_in_the_folder_alone),
        cmocka_unit_test(reads_files_beside_the_file),
        cmocka_unit_test(refuses_geometry_without_data),
        cmocka_unit_test(remarks_on_images_it_cannot_find),
        cmocka_unit_test(names_extensions_it_cannot_read),
        cmocka_unit_test(refuses_scenes_far_larger_than_the_file),
        cmocka_unit_test(refuses_json_that_is_no_gltf),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
