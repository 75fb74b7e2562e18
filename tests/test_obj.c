// OBJ and MTL: every statement, every fault with its line, and the meshes of the asset collection.

#include "glb_parts.h"

#include "import/mtl.h"
#include "import/obj.h"
#include "io/lines.h"

#include <sys/stat.h>
#include <unistd.h>

static char directory[] = "/tmp/pliant-test-obj-XXXXXX";

static const char *in_directory(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static void write_file(const char *name, const void *bytes, size_t size)
{
    assert_int_equal(pliant_file_write(in_directory(name), bytes, size, NULL), PLIANT_OK);
}

static int set_up(void **unused)
{
    (void)unused;
    return mkdtemp(directory) ? 0 : -1;
}

static int tear_down(void **unused)
{
    (void)unused;
    return rmdir(directory);
}

// A converted file; close it.
typedef struct converted {
    void *data;
    glb_parts glb;
    pliant_remarks remarks;
} converted;

static converted convert_bytes(const char *text, size_t size)
{
    converted c = {0};
    pliant_error error = {0};
    // A copy of the exact size, so that reading behind it is found.
    char *copy = malloc(size + (size == 0));
    assert_non_null(copy);
    memcpy(copy, text, size);
    size_t glb_size = 0;
    if (pli_obj_to_glb(copy, size, directory, &c.remarks, &c.data, &glb_size, &error))
        fail_msg("%s: %s", error.place, error.message);
    free(copy);
    c.glb = glb_parts_open(c.data, glb_size);
    return c;
}

static converted convert(const char *text)
{
    return convert_bytes(text, strlen(text));
}

static void close_converted(converted *c)
{
    glb_parts_close(&c->glb);
    free(c->data);
}

static void assert_vec3(pliant_vec3 v, float x, float y, float z)
{
    assert_near(v.x, x, 1e-6);
    assert_near(v.y, y, 1e-6);
    assert_near(v.z, z, 1e-6);
}

static void assert_triangle(const glb_part *part, int index, int a, int b, int c)
{
    assert_true(index < part->triangle_count);
    assert_int_equal(part->triangles[index][0], a);
    assert_int_equal(part->triangles[index][1], b);
    assert_int_equal(part->triangles[index][2], c);
}

static void assert_remark(const converted *c, int index, const char *place, const char *message)
{
    assert_true(index < c->remarks.count);
    assert_string_equal(c->remarks.first[index].place, place);
    assert_string_equal(c->remarks.first[index].message, message);
}

// ---------------------------------------------------------------------------------------------
// Geometry

#define SQUARE "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

static void a_triangle(void **unused)
{
    (void)unused;
    converted c = convert("v 1 2 3\nv -4.5 5e-1 .5\nv +7 8. 9E2\nf 1 2 3\n");
    assert_int_equal(c.glb.count, 1);
    const glb_part *part = &c.glb.parts[0];
    assert_int_equal(part->vertex_count, 3);
    assert_vec3(part->positions[0], 1, 2, 3);
    assert_vec3(part->positions[1], -4.5f, 0.5f, 0.5f);
    assert_vec3(part->positions[2], 7, 8, 900);
    assert_int_equal(part->triangle_count, 1);
    assert_triangle(part, 0, 0, 1, 2);
    assert_null(part->normals);
    assert_null(part->coordinates);
    assert_string_equal(part->node, "");
    assert_string_equal(part->material, "");
    assert_int_equal(c.remarks.count, 0);
    close_converted(&c);
}

static void vertices_keep_the_order_of_the_file(void **unused)
{
    (void)unused;
    // The fourth is not used; the faces meet the others in another order.
    converted c = convert("v 0 0 0\nv 1 0 0\nv 2 0 0\nv 3 0 0\nv 4 0 0\nf 5 3 2\nf 1 2 5\n");
    const glb_part *part = &c.glb.parts[0];
    const float expected[] = {0, 1, 2, 4};
    assert_int_equal(part->vertex_count, 4);
    for (int i = 0; i < 4; ++i)
        assert_vec3(part->positions[i], expected[i], 0, 0);
    assert_triangle(part, 0, 3, 2, 1);
    assert_triangle(part, 1, 0, 1, 3);
    close_converted(&c);
}

static void polygons_become_fans(void **unused)
{
    (void)unused;
    converted c = convert(SQUARE "v -1 0.5 0\nf 1 2 3 4 5\n");
    const glb_part *part = &c.glb.parts[0];
    assert_int_equal(part->triangle_count, 3);
    assert_triangle(part, 0, 0, 1, 2);
    assert_triangle(part, 1, 0, 2, 3);
    assert_triangle(part, 2, 0, 3, 4);
    close_converted(&c);
}

static void concave_polygons_are_cut_inside(void **unused)
{
    (void)unused;
    converted c = convert("v 0 0 0\nv 2 2 0\nv 0 1 0\nv -2 2 0\nf 2 3 4 1\n");
    const glb_part *part = &c.glb.parts[0];
    assert_int_equal(part->triangle_count, 2);
    for (int i = 0; i < 2; ++i) {
        vec3 a = part->positions[part->triangles[i][0]], b = part->positions[part->triangles[i][1]],
             d = part->positions[part->triangles[i][2]];
        assert_near(vec3_cross(vec3_sub(b, a), vec3_sub(d, a)).z, 2.0, 1e-6);
    }
    close_converted(&c);
}

static void all_forms_of_corners(void **unused)
{
    (void)unused;
    static const char *const faces[] = {"f 1/1 2/2 3/3",       "f 1//1 2//2 3//3",
                                        "f 1/1/1 2/2/2 3/3/3", "f -3/-3/-3 -2/-2/-2 -1/-1/-1",
                                        "f 1/1/ 2/2/ 3/3/",    "f 1/ 2// 3"};
    static const bool has_coordinates[] = {true, false, true, true, true, false};
    static const bool has_normals[] = {false, true, true, true, false, false};
    for (int i = 0; i < 6; ++i) {
        char text[400];
        snprintf(text, sizeof text,
                 "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0.25\nvt 0.5 0.75\nvt 1 1 9\n"
                 "vn 0 0 2\nvn 3 0 0\nvn 0 -4 0\n%s\n",
                 faces[i]);
        converted c = convert(text);
        const glb_part *part = &c.glb.parts[0];
        assert_int_equal(part->vertex_count, 3);
        assert_triangle(part, 0, 0, 1, 2);
        assert_int_equal(part->coordinates != NULL, has_coordinates[i]);
        assert_int_equal(part->normals != NULL, has_normals[i]);
        if (has_coordinates[i]) {
            // glTF counts v from the top.
            assert_near(part->coordinates[0][0], 0.25, 0);
            assert_near(part->coordinates[0][1], 1.0, 0);
            assert_near(part->coordinates[1][0], 0.5, 0);
            assert_near(part->coordinates[1][1], 0.25, 0);
        }
        if (has_normals[i]) {
            assert_vec3(part->normals[0], 0, 0, 1);
            assert_vec3(part->normals[1], 1, 0, 0);
            assert_vec3(part->normals[2], 0, -1, 0);
        }
        close_converted(&c);
    }
}

static void negative_indices_count_back_from_their_line(void **unused)
{
    (void)unused;
    converted c = convert(SQUARE "f -4 -3 -2\nv 5 5 5\nf -1 -2 -3\n");
    const glb_part *part = &c.glb.parts[0];
    assert_triangle(part, 0, 0, 1, 2);
    assert_triangle(part, 1, 4, 3, 2);
    close_converted(&c);
}

static void faces_may_come_before_their_vertices(void **unused)
{
    (void)unused;
    converted c = convert("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n");
    assert_int_equal(c.glb.parts[0].triangle_count, 1);
    close_converted(&c);
}

static void vertices_are_split_where_they_must(void **unused)
{
    (void)unused;
    // Vertex 1 and 3 with two texture coordinates each, 2 and 4 with one.
    converted c = convert(SQUARE "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvt 0.5 0.5\n"
                                 "f 1/1 2/2 3/3\nf 1/5 3/5 4/4\nf 1/1 2/2 4/4\n");
    const glb_part *part = &c.glb.parts[0];
    assert_int_equal(part->vertex_count, 6);
    assert_vec3(part->positions[0], 0, 0, 0);
    assert_vec3(part->positions[1], 0, 0, 0);
    assert_near(part->coordinates[0][0], 0.0, 0);
    assert_near(part->coordinates[1][0], 0.5, 0);
    assert_triangle(part, 0, 0, 2, 3);
    assert_triangle(part, 1, 1, 4, 5);
    assert_triangle(part, 2, 0, 2, 5);
    close_converted(&c);
}

static void normals_are_all_or_nothing_in_a_part(void **unused)
{
    (void)unused;
    converted c = convert(SQUARE "vn 0 0 1\nf 1//1 2//1 3//1\nf 1//1 3//1 4\n");
    assert_int_equal(c.glb.count, 2);
    assert_non_null(c.glb.parts[0].normals);
    assert_null(c.glb.parts[1].normals);
    assert_int_equal(glb_list_size(&c.glb, "nodes"), 1);
    close_converted(&c);
}

static void normals_without_direction_are_made(void **unused)
{
    (void)unused;
    converted c = convert(SQUARE "vn 0 0 0\nvn 1e30 0 0\nvn 1e-30 0 0\n"
                                 "f 1//1 2//2 3//3\n");
    const glb_part *part = &c.glb.parts[0];
    assert_vec3(part->normals[0], 0, 0, 1);
    assert_vec3(part->normals[1], 1, 0, 0);
    assert_vec3(part->normals[2], 1, 0, 0);
    close_converted(&c);
}

static void large_meshes_have_wide_indices(void **unused)
{
    (void)unused;
    enum { COUNT = 70000 };
    char *text = malloc(COUNT * 48), *at = text;
    assert_non_null(text);
    for (int i = 0; i < COUNT; ++i)
        at += sprintf(at, "v %d 0 0\n", i);
    for (int i = 1; i < COUNT; i += 2)
        at += sprintf(at, "f %d %d %d\n", i, i + 1, COUNT);
    converted c = convert(text);
    const glb_part *part = &c.glb.parts[0];
    assert_int_equal(part->vertex_count, COUNT);
    assert_triangle(part, part->triangle_count - 1, COUNT - 2, COUNT - 1, COUNT - 1);
    close_converted(&c);
    free(text);
}

// ---------------------------------------------------------------------------------------------
// Text

static void any_layout_of_lines(void **unused)
{
    (void)unused;
    static const char *const texts[] = {
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3",               // no break at the end
        "v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3\r\n",     // Windows
        "v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3\r",             // old Macintosh
        "\xef\xbb\xbfv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", // byte order mark
        "# v 9 9 9\n\n \t\n\tv\t0   0\t0  \nv 1 0 0 # x\nv 0 1 0\n  f 1  2\t3 #4\n#", // blanks, comments
        "v 0 0 \\\n0\nv 1 0 0\nv \\\r\n 0 1 0\nf 1 2\\\n 3\n",        // continued lines
        "# a path\\\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3 # one\\\n\n", // a comment does not continue
        "v 0 0 0 1\nv 1 0 0 0.1 0.2 0.3\nv 0 1 0 1 1 1 1\nf 1 2 3\n", // weights and colours
        ("hello world\nv 0 0 0\nvp 1\nv 1 0 0\ncurv 0 1 1 2\ns off\ns 1\nl 1 2\np 1\n"
         "v 0 1 0\nend\nf 1 2 3\n"), // what is not read
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        converted c = convert(texts[i]);
        assert_int_equal(c.glb.count, 1);
        const glb_part *part = &c.glb.parts[0];
        assert_int_equal(part->vertex_count, 3);
        assert_int_equal(part->triangle_count, 1);
        assert_vec3(part->positions[1], 1, 0, 0);
        assert_vec3(part->positions[2], 0, 1, 0);
        assert_int_equal(c.remarks.count, 0);
        close_converted(&c);
    }
}

static void a_very_long_line(void **unused)
{
    (void)unused;
    enum { CORNERS = 5000 };
    char *text = malloc(CORNERS * 48), *at = text;
    assert_non_null(text);
    for (int i = 0; i < CORNERS; ++i) {
        double angle = 2.0 * 3.14159265358979 * i / CORNERS;
        at += sprintf(at, "v %.9f %.9f 0\n", 1000.0 * cos(angle), 1000.0 * sin(angle));
    }
    at += sprintf(at, "f");
    for (int i = 1; i <= CORNERS; ++i)
        at += sprintf(at, " %d", i);
    converted c = convert(text);
    assert_int_equal(c.glb.parts[0].triangle_count, CORNERS - 2);
    assert_int_equal(c.remarks.count, 0);
    close_converted(&c);

    // The same with a notch is more than we cut well.
    memcpy(text, "v 0 0 0 ", 8);
    c = convert(text);
    assert_int_equal(c.glb.parts[0].triangle_count, CORNERS - 2);
    assert_remark(&c, 0, "line 5001",
                  "the face is not convex and has 5000 corners: its triangles may overlap");
    close_converted(&c);
    free(text);
}

static void a_file_without_faces(void **unused)
{
    (void)unused;
    converted c = convert("o Points\n" SQUARE "usemtl m\np 1 2 3 4\nl 1 2\n");
    assert_int_equal(c.glb.count, 0);
    assert_int_equal(glb_list_size(&c.glb, "scenes"), 1);
    assert_int_equal(glb_list_size(&c.glb, "materials"), 0);
    close_converted(&c);
}

static void small_faces_are_left_out(void **unused)
{
    (void)unused;
    converted c = convert(SQUARE "f 1 2\nf 1 2 3\nf\n");
    assert_int_equal(c.glb.parts[0].triangle_count, 1);
    assert_int_equal(c.remarks.count, 2);
    assert_remark(&c, 0, "line 5", "a face of 2 corners is left out");
    assert_remark(&c, 1, "line 7", "a face of 0 corners is left out");
    close_converted(&c);
}

// ---------------------------------------------------------------------------------------------
// Objects, groups, materials

static void objects_and_groups_are_nodes(void **unused)
{
    (void)unused;
    converted c = convert(SQUARE "f 1 2 3\n"
                                 "o Left arm\nf 1 2 3\ng hand\nf 1 3 4\n"
                                 "o Right\nf 1 2 4\ng default\nf 2 3 4\n"
                                 "o Left arm\nf 4 3 2\n"
                                 "o Empty\n");
    static const char *const names[] = {"", "Left arm", "hand", "Right", "Right"};
    static const int triangles[] = {1, 2, 1, 1, 1};
    assert_int_equal(glb_list_size(&c.glb, "nodes"), 5);
    assert_int_equal(c.glb.count, 5);
    for (int i = 0; i < 5; ++i) {
        assert_string_equal(c.glb.parts[i].node, names[i]);
        assert_int_equal(c.glb.parts[i].triangle_count, triangles[i]);
    }
    assert_triangle(&c.glb.parts[1], 1, 3, 2, 1);
    close_converted(&c);
}

static void materials_are_primitives(void **unused)
{
    (void)unused;
    converted c = convert(SQUARE "o A\nusemtl red\nf 1 2 3\nusemtl blue # 2\nf 1 3 4\n"
                                 "o B\nf 1 2 4\nusemtl red\nf 2 3 4\nusemtl unused\n"
                                 "o A\nf 4 3 2\nusemtl red\nf 4 2 1\n");
    static const char *const nodes[] = {"A", "A", "A", "B", "B"};
    static const char *const materials[] = {"red", "blue # 2", "unused", "blue # 2", "red"};
    static const int triangles[] = {2, 1, 1, 1, 1};
    assert_int_equal(c.glb.count, 5);
    for (int i = 0; i < 5; ++i) {
        assert_string_equal(c.glb.parts[i].node, nodes[i]);
        assert_string_equal(c.glb.parts[i].material, materials[i]);
        assert_int_equal(c.glb.parts[i].triangle_count, triangles[i]);
    }
    assert_int_equal(glb_list_size(&c.glb, "nodes"), 2);
    assert_int_equal(glb_list_size(&c.glb, "materials"), 3);
    assert_int_equal(c.remarks.count, 0);
    close_converted(&c);
}

static void names_become_utf8(void **unused)
{
    (void)unused;
    converted c = convert(SQUARE "o K\xc3\xb6rper \xf0\x9f\x90\xa8\nf 1 2 3\n"
                                 "o K\xf6rper\nf 1 2 3\no \xed\xa0\x80\nf 1 2 3\n"
                                 "o a\"\\b\tc\nf 1 2 3\n");
    assert_int_equal(c.glb.count, 4);
    assert_string_equal(c.glb.parts[0].node, "K\xc3\xb6rper \xf0\x9f\x90\xa8");
    assert_string_equal(c.glb.parts[1].node, "K\xc3\xb6rper");
    assert_string_equal(c.glb.parts[2].node, "\xc3\xad\xc2\xa0\xc2\x80");
    assert_string_equal(c.glb.parts[3].node, "a\"\\b\tc");
    close_converted(&c);
}

static const unsigned char png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 1, 2, 3};
static const unsigned char jpeg[] = {0xff, 0xd8, 0xff, 0xe0, 4, 5};

static json_value path_value(const glb_parts *glb, json_value value, const char *const *keys)
{
    for (; *keys; ++keys)
        value = pli_json_get(glb->json, value, *keys);
    return value;
}

#define PATH(...)                                                                                  \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

static void assert_floats(const glb_parts *glb, json_value array, const float *expected, int count)
{
    assert_int_equal(pli_json_size(glb->json, array), count);
    for (int i = 0; i < count; ++i)
        assert_near(pli_json_number(glb->json, pli_json_item(glb->json, array, i), NAN),
                    expected[i], 1e-6);
}

// The bytes of the image that a material uses under a key.
static void assert_image(const glb_parts *glb, json_value texture_use, const void *bytes,
                         size_t size, const char *type)
{
    int texture = glb_int(glb, texture_use, "index", -1);
    int source = glb_int(glb, glb_list_item(glb, "textures", texture), "source", -1);
    json_value image = glb_list_item(glb, "images", source);
    char text[128];
    glb_string(glb, image, "mimeType", text);
    assert_string_equal(text, type);
    size_t found;
    const void *view = glb_view_bytes(glb, glb_int(glb, image, "bufferView", -1), &found);
    assert_int_equal(found, size);
    assert_memory_equal(view, bytes, size);
}

static void reads_materials_and_textures(void **unused)
{
    (void)unused;
    static const char mtl[] =
        "# made by hand\n"
        "Kd 9 9 9\n" // before any material
        "newmtl red wood\n"
        "  Ka 1 1 1\n  Kd 0.5 0.25 0.125\n  Ks 0 0 0\n  Ke 0.1 0.2 0.3\n  Ns 225\n  d 0.5\n  Tr 1\n"
        "map_Kd -blendu on -bm 0.5 textures\\wood grain.png\n"
        "map_Ke glow.jpg\nillum 2\n"
        "newmtl metal\nKd 0.7\nNs 10\nPr 0.3\nNs 900\nPm 1\nTr 0.25\nnorm textures\\wood "
        "grain.png\n"
        "newmtl cut\nKd 0 0 0\nmap_kd glow.jpg\nmap_d glow.jpg\n"
        "newmtl unused\nmap_Kd nowhere.png\n";
    assert_int_equal(mkdir(in_directory("textures"), 0700), 0);
    write_file("textures/wood grain.png", png, sizeof png);
    write_file("glow.jpg", jpeg, sizeof jpeg);
    write_file("my materials.mtl", mtl, sizeof mtl - 1);
    converted c = convert("mtllib my materials.mtl\n" SQUARE "vt 0 0\n"
                          "usemtl red wood\nf 1/1 2/1 3/1\nusemtl metal\nf 1 2 3\n"
                          "usemtl cut\nf 1/1 2/1 3/1\n");
    remove(in_directory("textures/wood grain.png"));
    rmdir(in_directory("textures"));
    remove(in_directory("glow.jpg"));
    remove(in_directory("my materials.mtl"));

    if (c.remarks.count > 0)
        fail_msg("%s: %s", c.remarks.first[0].place, c.remarks.first[0].message);
    const glb_parts *glb = &c.glb;
    assert_int_equal(glb->count, 3);
    assert_int_equal(glb_list_size(glb, "images"), 2);
    json_value red = glb->parts[0].material_value, metal = glb->parts[1].material_value,
               cut = glb->parts[2].material_value;
    json_value pbr = path_value(glb, red, PATH("pbrMetallicRoughness"));
    assert_string_equal(glb->parts[0].material, "red wood");
    assert_floats(glb, path_value(glb, pbr, PATH("baseColorFactor")),
                  (float[]){0.5f, 0.25f, 0.125f, 0.5f}, 4);
    assert_floats(glb, path_value(glb, red, PATH("emissiveFactor")), (float[]){0.1f, 0.2f, 0.3f},
                  3);
    assert_true(pli_json_string_is(glb->json, path_value(glb, red, PATH("alphaMode")), "BLEND"));
    assert_near(pli_json_number(glb->json, path_value(glb, pbr, PATH("roughnessFactor")), NAN), 0.5,
                1e-6);
    assert_near(pli_json_number(glb->json, path_value(glb, pbr, PATH("metallicFactor")), NAN), 0.0,
                0);
    assert_image(glb, path_value(glb, pbr, PATH("baseColorTexture")), png, sizeof png, "image/png");
    assert_image(glb, path_value(glb, red, PATH("emissiveTexture")), jpeg, sizeof jpeg,
                 "image/jpeg");

    pbr = path_value(glb, metal, PATH("pbrMetallicRoughness"));
    assert_floats(glb, path_value(glb, pbr, PATH("baseColorFactor")),
                  (float[]){0.7f, 0.7f, 0.7f, 0.75f}, 4);
    assert_near(pli_json_number(glb->json, path_value(glb, pbr, PATH("roughnessFactor")), NAN), 0.3,
                1e-6);
    assert_near(pli_json_number(glb->json, path_value(glb, pbr, PATH("metallicFactor")), NAN), 1.0,
                0);
    assert_image(glb, path_value(glb, metal, PATH("normalTexture")), png, sizeof png, "image/png");
    // A part with a texture gets coordinates, even if it has none.
    assert_non_null(glb->parts[1].coordinates);
    assert_near(glb->parts[1].coordinates[2][1], 0.0, 0);

    pbr = path_value(glb, cut, PATH("pbrMetallicRoughness"));
    assert_floats(glb, path_value(glb, pbr, PATH("baseColorFactor")), (float[]){1, 1, 1, 1}, 4);
    assert_true(pli_json_string_is(glb->json, path_value(glb, cut, PATH("alphaMode")), "BLEND"));
    close_converted(&c);
}

static void several_material_files(void **unused)
{
    (void)unused;
    write_file("a.mtl", "newmtl a\nKd 1 0 0\n", 18);
    write_file("b.mtl", "newmtl b\nKd 0 1 0\nnewmtl a\nKd 0 0 1\n", 36);
    converted c = convert("mtllib a.mtl \t b.mtl\n" SQUARE "usemtl a\nf 1 2 3\nusemtl b\nf 1 2 3\n"
                          "usemtl c\nf 1 2 3\n");
    remove(in_directory("a.mtl"));
    remove(in_directory("b.mtl"));
    const glb_parts *glb = &c.glb;
    assert_floats(glb,
                  path_value(glb, glb->parts[0].material_value,
                             PATH("pbrMetallicRoughness", "baseColorFactor")),
                  (float[]){0, 0, 1, 1}, 4);
    assert_floats(glb,
                  path_value(glb, glb->parts[1].material_value,
                             PATH("pbrMetallicRoughness", "baseColorFactor")),
                  (float[]){0, 1, 0, 1}, 4);
    assert_int_equal(c.remarks.count, 1);
    assert_remark(&c, 0, "", "there is no material 'c' in the material files");
    close_converted(&c);
}

static void a_material_file_is_read_once(void **unused)
{
    (void)unused;
    write_file("a.mtl", "newmtl a\nKd x\n", 14);
    converted c = convert("mtllib a.mtl\nmtllib a.mtl\n" SQUARE "usemtl a\nf 1 2 3\n"
                          "mtllib a.mtl a.mtl\n");
    remove(in_directory("a.mtl"));
    assert_int_equal(c.remarks.count, 1);
    assert_remark(&c, 0, "a.mtl, line 2", "this is no colour of three numbers");
    close_converted(&c);
}

static void missing_files_are_remarks(void **unused)
{
    (void)unused;
    converted c = convert(SQUARE "mtllib none.mtl\nusemtl a\nf 1 2 3\n");
    assert_int_equal(c.remarks.count, 1);
    assert_remark(&c, 0, "line 5",
                  "the material file 'none.mtl' is left out: No such file or directory");
    close_converted(&c);

    static const char mtl[] = "newmtl a\nmap_Kd none.png\nmap_Ke none.png\nmap_d other.png\n"
                              "newmtl b\nmap_Kd picture.tga\n";
    write_file("a.mtl", mtl, sizeof mtl - 1);
    write_file("picture.tga", "TGA!", 4);
    c = convert(SQUARE "mtllib a.mtl\nusemtl a\nf 1 2 3\nusemtl b\nf 1 2 3\n");
    remove(in_directory("a.mtl"));
    remove(in_directory("picture.tga"));
    assert_int_equal(c.remarks.count, 3);
    assert_remark(&c, 0, "none.png", "the texture is left out: No such file or directory");
    assert_remark(&c, 1, "", "opacity in a texture of its own is left out: 'other.png'");
    assert_remark(&c, 2, "picture.tga", "the texture is left out: it is neither PNG nor JPEG");
    assert_int_equal(glb_list_size(&c.glb, "images"), 0);
    assert_int_equal(c.glb.count, 2);
    close_converted(&c);
}

// The folder is the first of two: everything outside of it is there, but not for us.
static void nothing_outside_of_the_folder_is_read(void **unused)
{
    (void)unused;
    static const char *const names[] = {"../%s/a.mtl",   "x/../../%s/a.mtl", "..\\%s\\a.mtl",
                                        "/tmp/%s/a.mtl", "C:\\%s\\a.mtl",    "\\tmp\\%s\\a.mtl"};
    write_file("a.mtl", "newmtl a\n", 9);
    assert_int_equal(mkdir(in_directory("x"), 0700), 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        char name[128], text[512];
        snprintf(name, sizeof name, names[i], strrchr(directory, '/') + 1);
        snprintf(text, sizeof text, SQUARE "mtllib %s\nusemtl a\nf 1 2 3\n", name);
        converted c = convert(text);
        assert_int_equal(c.remarks.count, 1);
        assert_non_null(strstr(c.remarks.first[0].message, "lies outside of the folder"));
        close_converted(&c);
    }
    // Names that only look like it.
    write_file("x/..a..mtl", "newmtl a\n", 9);
    converted c = convert(SQUARE "mtllib x/..a..mtl\nmtllib ./a.mtl\nusemtl a\nf 1 2 3\n");
    assert_int_equal(c.remarks.count, 0);
    close_converted(&c);
    remove(in_directory("x/..a..mtl"));
    rmdir(in_directory("x"));
    remove(in_directory("a.mtl"));
}

static void faults_of_materials_are_remarks(void **unused)
{
    (void)unused;
    static const char mtl[] = "newmtl a\nKd red\nKd 1 2\nKe spectral x.rfl\nd\nNs none\nPr 1e99\n"
                              "map_Kd\nmap_Kd -s 2 2 2 -o 1\nmap_Kd -clamp\n";
    mtl_library library = {0};
    pliant_remarks remarks = {0};
    assert_true(pli_mtl_read(&library, mtl, sizeof mtl - 1, slice_of("file.mtl"), &remarks));
    static const int lines[] = {2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 10};
    static const char *const messages[] = {"this is no colour of three numbers",
                                           "this is no colour of three numbers",
                                           "this is no colour of three numbers",
                                           "a number is missing",
                                           "a number is missing",
                                           "a number is missing",
                                           "the texture's file is missing",
                                           "the texture's place and scale are left out",
                                           "the texture's place and scale are left out",
                                           "the texture's file is missing",
                                           "the texture's file is missing"};
    assert_int_equal(remarks.count, 11);
    for (int i = 0; i < 11; ++i) {
        char place[64];
        snprintf(place, sizeof place, "file.mtl, line %d", lines[i]);
        assert_string_equal(remarks.first[i].place, place);
        assert_string_equal(remarks.first[i].message, messages[i]);
    }
    const mtl_material *material = &library.materials.items[0];
    assert_near(material->colour[0], 0.8, 1e-6);
    assert_near(material->opacity, 1.0, 0);
    pli_mtl_release(&library);
}

static void remarks_are_counted_beyond_their_room(void **unused)
{
    (void)unused;
    char text[4096] = SQUARE, *at = text + strlen(text);
    for (int i = 0; i < 100; ++i)
        at += sprintf(at, "f 1 2\n");
    converted c = convert(text);
    assert_int_equal(c.remarks.count, 100);
    assert_remark(&c, PLIANT_MOST_REMARKS - 1, "line 36", "a face of 2 corners is left out");
    close_converted(&c);
    // Nobody needs to listen.
    void *data = NULL;
    size_t size;
    assert_int_equal(pli_obj_to_glb(text, strlen(text), directory, NULL, &data, &size, NULL),
                     PLIANT_OK);
    free(data);
}

// ---------------------------------------------------------------------------------------------
// Errors

static void assert_error(const char *text, size_t size, const char *place, const char *message)
{
    void *data = NULL;
    size_t glb_size = 0;
    pliant_error error = {0};
    char *copy = malloc(size + (size == 0));
    assert_non_null(copy);
    memcpy(copy, text, size);
    assert_int_equal(pli_obj_to_glb(copy, size, directory, NULL, &data, &glb_size, &error),
                     PLIANT_ERROR_FORMAT);
    free(copy);
    assert_int_equal(error.code, PLIANT_ERROR_FORMAT);
    assert_string_equal(error.place, place);
    assert_string_equal(error.message, message);
    assert_null(data);
}

static void faults_name_their_line(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *place, *message;
    } cases[] = {
        {"v 1 2\n", "line 1", "1 of 3 numbers are missing"},
        {"v 1\n", "line 1", "2 of 3 numbers are missing"},
        {"v 1 2 #3\n", "line 1", "1 of 3 numbers are missing"},
        {"v 1 2 x\n", "line 1", "'x' is not a number"},
        {"v 1 2 nan\n", "line 1", "'nan' is not a number"},
        {"v 1 2 inf\n", "line 1", "'inf' is not a number"},
        {"v 1 2 1e39\n", "line 1", "'1e39' is not a number"},
        {"v 1 2 1e\n", "line 1", "'1e' is not a number"},
        {"v 1 2 .\n", "line 1", "'.' is not a number"},
        {"v 1 2 -\n", "line 1", "'-' is not a number"},
        {"v 1 2 0x10\n", "line 1", "'0x10' is not a number"},
        {"v 1 2 3,5\n", "line 1", "'3,5' is not a number"},
        {"v 1 2 3.1+e2\n", "line 1", "'3.1+e2' is not a number"},
        {"v 1 2 1..2\n", "line 1", "'1..2' is not a number"},
        {"v 0 0 0\nvt\n", "line 2", "1 of 1 numbers are missing"},
        {"v 0 0 0\nvt 1 y\n", "line 2", "'y' is not a number"},
        {"v 0 0 0\nvn 0 1\n", "line 2", "1 of 3 numbers are missing"},
        {"v 0 0 0\n\n# x\r\nvn 0 1 z\n", "line 4", "'z' is not a number"},
        {"v 0 0 0\nv 0 \\\n 0 \\\n a\nv x", "line 2", "'a' is not a number"},
        {"v 0 0 \\\n0\nv 0 0 a\n", "line 3", "'a' is not a number"},
        {SQUARE "f 1 2 5\n", "line 5", "index 5, but there are 4 vertices"},
        {SQUARE "f 0 1 2\n", "line 5", "index 0, but indices begin at 1"},
        {SQUARE "f 1 2 -0\n", "line 5", "index 0, but indices begin at 1"},
        {SQUARE "f 1 2 -5\n", "line 5", "index -5, but there are 4 vertices before this line"},
        {SQUARE "f 1/1 2 3\n", "line 5", "index 1, but there are 0 texture coordinates"},
        {SQUARE "f 1/-1 2 3\n", "line 5",
         "index -1, but there are 0 texture coordinates before this line"},
        {SQUARE "f 1//1 2 3\n", "line 5", "index 1, but there are 0 normals"},
        {SQUARE "vn 0 0 1\nf 1//1 2//1 3//2\n", "line 6", "index 2, but there are 1 normals"},
        {SQUARE "f 1 2 99999999999\n", "line 5", "index 2147483638, but there are 4 vertices"},
        {SQUARE "f 1 2 x\n", "line 5", "'x' is not a corner of a face"},
        {SQUARE "f 1 2 3x\n", "line 5", "'3x' is not a corner of a face"},
        {SQUARE "f 1 2 3.0\n", "line 5", "'3.0' is not a corner of a face"},
        {SQUARE "f 1 2 /1\n", "line 5", "'/1' is not a corner of a face"},
        {SQUARE "vt 0 0\nvn 0 0 1\nf 1/1/1/1 2 3\n", "line 7",
         "'1/1/1/1' is not a corner of a face"},
        {SQUARE "f 1 2 3-\n", "line 5", "'3-' is not a corner of a face"},
        {SQUARE "f 1 2 -\n", "line 5", "'-' is not a corner of a face"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        assert_error(cases[i].text, strlen(cases[i].text), cases[i].place, cases[i].message);
}

static void what_is_no_obj_is_told(void **unused)
{
    (void)unused;
    static const char message[] = "this is no OBJ file: it is not text with a line 'v x y z'";
    static const char binary[] = "v 0 0 0\nv 1 0 0\n\0v";
    assert_error("", 0, "", message);
    assert_error("glTF", 4, "", message);
    assert_error("v", 1, "", message);
    assert_error("v a b c\n", 8, "", message);
    assert_error("# v 1 2 3\n", 10, "", message);
    assert_error("\xef\xbb\xbf", 3, "", message);
    assert_error(binary, sizeof binary - 1, "", message);
    assert_true(pli_obj_detect("\nv 1", 4));
}

// ---------------------------------------------------------------------------------------------
// Assets

static const char *assets_folder(void)
{
    const char *folder = getenv("PLIANT_ASSETS");
    return folder ? folder : PLIANT_SOURCE_DIRECTORY "/../shared/assets";
}

static bool read_asset(const char *name, void **text, size_t *size)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", assets_folder(), name);
    return pliant_file_read(path, text, size, NULL) == PLIANT_OK;
}

static void check_asset(const vectors *facts, json_value key)
{
    char name[256];
    pli_json_string(facts->json, key, name, sizeof name);
    if (strlen(name) < 4 || strcmp(name + strlen(name) - 4, ".obj") != 0)
        return;
    void *text;
    size_t size;
    if (!read_asset(name, &text, &size))
        fail_msg("%s is missing", name);
    converted c = convert_bytes(text, size);
    free(text);
    json_value asset = pli_json_member(facts->json, key);
    int triangles = 0, vertices = 0;
    for (int i = 0; i < c.glb.count; ++i) {
        triangles += c.glb.parts[i].triangle_count;
        vertices += c.glb.parts[i].vertex_count;
    }
    assert_int_equal(c.remarks.count, 0);
    assert_int_equal(triangles, (int)read_number(facts, asset, "triangles"));
    int lines = (int)read_number(facts, asset, "vertices");
    bool is_plain =
        read_number(facts, asset, "texcoords") + read_number(facts, asset, "normals") == 0;
    if (is_plain)
        assert_int_equal(vertices, lines);
    else
        assert_true(vertices >= lines);
    close_converted(&c);
}

static void the_asset_collection_is_read(void **unused)
{
    (void)unused;
    vectors facts = {0};
    void *text;
    size_t size;
    if (!read_asset("facts.json", &text, &size)) {
        print_message("no assets in %s: set PLIANT_ASSETS\n", assets_folder());
        skip();
    }
    facts.text = text;
    facts.json = pli_json_parse(text, size, NULL);
    assert_non_null(facts.json);
    json_value assets = pli_json_get(facts.json, pli_json_root(facts.json), "assets");
    for (json_value key = pli_json_first(facts.json, assets); key != JSON_NONE;
         key = pli_json_next(facts.json, key))
        check_asset(&facts, key);
    vectors_close(&facts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_triangle),
        cmocka_unit_test(vertices_keep_the_order_of_the_file),
        cmocka_unit_test(polygons_become_fans),
        cmocka_unit_test(concave_polygons_are_cut_inside),
        cmocka_unit_test(all_forms_of_corners),
        cmocka_unit_test(negative_indices_count_back_from_their_line),
        cmocka_unit_test(faces_may_come_before_their_vertices),
        cmocka_unit_test(vertices_are_split_where_they_must),
        cmocka_unit_test(normals_are_all_or_nothing_in_a_part),
        cmocka_unit_test(normals_without_direction_are_made),
        cmocka_unit_test(large_meshes_have_wide_indices),
        cmocka_unit_test(any_layout_of_lines),
        cmocka_unit_test(a_very_long_line),
        cmocka_unit_test(a_file_without_faces),
        cmocka_unit_test(small_faces_are_left_out),
        cmocka_unit_test(objects_and_groups_are_nodes),
        cmocka_unit_test(materials_are_primitives),
        cmocka_unit_test(names_become_utf8),
        cmocka_unit_test(reads_materials_and_textures),
        cmocka_unit_test(several_material_files),
        cmocka_unit_test(a_material_file_is_read_once),
        cmocka_unit_test(missing_files_are_remarks),
        cmocka_unit_test(nothing_outside_of_the_folder_is_read),
        cmocka_unit_test(faults_of_materials_are_remarks),
        cmocka_unit_test(remarks_are_counted_beyond_their_room),
        cmocka_unit_test(faults_name_their_line),
        cmocka_unit_test(what_is_no_obj_is_told),
        cmocka_unit_test(the_asset_collection_is_read),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
