// FBX, DAE, STL and PLY through assimp; skipped where Pliant was built without it.

#include "glb_parts.h"

#include "import/assimp.h"

#include <unistd.h>

static char directory[] = "/tmp/pliant-test-assimp-XXXXXX";

static const char *in_directory(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
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

static void write_file(const char *name, const void *bytes, size_t size)
{
    assert_int_equal(pliant_file_write(in_directory(name), bytes, size, NULL), PLIANT_OK);
}

static void require_assimp(void)
{
    pliant_error error = {0};
    void *data = NULL;
    size_t size;
    assert_int_not_equal(pli_assimp_to_glb(in_directory("none.stl"), NULL, &data, &size, &error),
                         PLIANT_OK);
    if (strstr(error.message, "built without assimp")) {
        assert_string_equal(error.message,
                            "this build reads GLB, glTF and OBJ only (built without assimp)");
        print_message("built without assimp\n");
        skip();
    }
}

typedef struct imported {
    void *data;
    glb_parts glb;
    pliant_remarks remarks;
} imported;

static imported import_text(const char *name, const char *text)
{
    imported i = {0};
    size_t size = 0;
    pliant_error error = {0};
    write_file(name, text, strlen(text));
    pliant_result result =
        pli_assimp_to_glb(in_directory(name), &i.remarks, &i.data, &size, &error);
    remove(in_directory(name));
    if (result)
        fail_msg("%s: %s", error.place, error.message);
    i.glb = glb_parts_open(i.data, size);
    return i;
}

static void close_imported(imported *i)
{
    glb_parts_close(&i->glb);
    free(i->data);
}

// The corner with the largest value of x + 10 y + 100 z.
static pliant_vec3 extreme(const glb_part *part)
{
    pliant_vec3 best = part->positions[0];
    for (int i = 1; i < part->vertex_count; ++i) {
        pliant_vec3 p = part->positions[i];
        if (p.x + 10.0f * p.y + 100.0f * p.z > best.x + 10.0f * best.y + 100.0f * best.z)
            best = p;
    }
    return best;
}

// Along z, of all triangles together.
static float doubled_area(const glb_part *part)
{
    float sum = 0.0f;
    for (int i = 0; i < part->triangle_count; ++i) {
        const int32_t *t = part->triangles[i];
        const pliant_vec3 *p = part->positions;
        sum += vec3_cross(vec3_sub(p[t[1]], p[t[0]]), vec3_sub(p[t[2]], p[t[0]])).z;
    }
    return sum;
}

static void reads_stl(void **unused)
{
    (void)unused;
    require_assimp();
    imported i = import_text("a.STL", "solid thing\n"
                                      "facet normal 0 0 1\nouter loop\n"
                                      "vertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
                                      "endloop\nendfacet\n"
                                      "facet normal 0 0 1\nouter loop\n"
                                      "vertex 1 0 0\nvertex 1 1 0\nvertex 0 1 0\n"
                                      "endloop\nendfacet\nendsolid thing\n");
    assert_int_equal(i.glb.count, 1);
    const glb_part *part = &i.glb.parts[0];
    assert_string_equal(part->node, "thing");
    assert_string_equal(part->material, "");
    assert_int_equal(part->vertex_count, 4);
    assert_int_equal(part->triangle_count, 2);
    assert_near(part->normals[0].z, 1.0, 0);
    assert_near(doubled_area(part), 2.0, 1e-6);
    assert_int_equal(i.remarks.count, 0);
    close_imported(&i);
}

static void reads_ply(void **unused)
{
    (void)unused;
    require_assimp();
    imported i = import_text("a.ply", "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\n"
                                      "property float y\nproperty float z\nelement face 1\n"
                                      "property list uchar int vertex_indices\nend_header\n"
                                      "0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n");
    assert_int_equal(i.glb.count, 1);
    const glb_part *part = &i.glb.parts[0];
    assert_int_equal(part->vertex_count, 4);
    assert_int_equal(part->triangle_count, 2);
    assert_null(part->normals);
    assert_near(doubled_area(part), 2.0, 1e-6);
    close_imported(&i);
}

#define DAE(asset, effects, nodes)                                                                 \
    "<?xml version=\"1.0\"?>"                                                                      \
    "<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">"           \
    "<asset>" asset "</asset>"                                                                     \
    "<library_images><image id=\"i\"><init_from>wood.png</init_from></image></library_images>"     \
    "<library_effects><effect id=\"e\"><profile_COMMON>" effects                                   \
    "</profile_COMMON></effect></library_effects>"                                                 \
    "<library_materials><material id=\"m\" name=\"Wood\"><instance_effect url=\"#e\"/>"            \
    "</material></library_materials>"                                                              \
    "<library_geometries><geometry id=\"g\" name=\"g\"><mesh>"                                     \
    "<source id=\"p\"><float_array id=\"pa\" count=\"9\">0 0 0 100 0 0 0 100 0</float_array>"      \
    "<technique_common><accessor source=\"#pa\" count=\"3\" stride=\"3\">"                         \
    "<param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/>"                         \
    "<param name=\"Z\" type=\"float\"/></accessor></technique_common></source>"                    \
    "<source id=\"n\"><float_array id=\"na\" count=\"3\">0 0 1</float_array>"                      \
    "<technique_common><accessor source=\"#na\" count=\"1\" stride=\"3\">"                         \
    "<param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/>"                         \
    "<param name=\"Z\" type=\"float\"/></accessor></technique_common></source>"                    \
    "<source id=\"t\"><float_array id=\"ta\" count=\"6\">0 0 1 0 0 1</float_array>"                \
    "<technique_common><accessor source=\"#ta\" count=\"3\" stride=\"2\">"                         \
    "<param name=\"S\" type=\"float\"/><param name=\"T\" type=\"float\"/>"                         \
    "</accessor></technique_common></source>"                                                      \
    "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>"                   \
    "<triangles count=\"1\" material=\"M\"><input semantic=\"VERTEX\" source=\"#v\" "              \
    "offset=\"0\"/>"                                                                               \
    "<input semantic=\"NORMAL\" source=\"#n\" offset=\"1\"/>"                                      \
    "<input semantic=\"TEXCOORD\" source=\"#t\" offset=\"2\"/>"                                    \
    "<p>0 0 0 1 0 1 2 0 2</p></triangles></mesh></geometry></library_geometries>"                  \
    "<library_visual_scenes><visual_scene id=\"s\">" nodes                                         \
    "</visual_scene></library_visual_scenes>"                                                      \
    "<scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>"

#define DAE_PLAIN                                                                                  \
    "<technique sid=\"c\"><lambert><diffuse><color>0.1 0.2 0.3 1</color></diffuse></lambert>"      \
    "</technique>"
#define DAE_TEXTURED                                                                               \
    "<newparam sid=\"f\"><surface type=\"2D\"><init_from>i</init_from></surface></newparam>"       \
    "<newparam sid=\"h\"><sampler2D><source>f</source></sampler2D></newparam>"                     \
    "<technique sid=\"c\"><lambert><diffuse><texture texture=\"h\" texcoord=\"u\"/></diffuse>"     \
    "</lambert></technique>"
#define DAE_INSTANCE                                                                               \
    "<instance_geometry url=\"#g\"><bind_material><technique_common>"                              \
    "<instance_material symbol=\"M\" target=\"#m\"/></technique_common></bind_material>"           \
    "</instance_geometry>"

static void dae_units_axes_and_transforms_are_applied(void **unused)
{
    (void)unused;
    require_assimp();
    // Twice the same triangle in centimetres with z up: moved up by 2 m, and mirrored in x.
    imported i = import_text(
        "a.dae",
        DAE("<unit name=\"centimeter\" meter=\"0.01\"/><up_axis>Z_UP</up_axis>", DAE_PLAIN,
            "<node id=\"x\" name=\"Group\"><translate>0 0 200</translate>"
            "<node id=\"y\" name=\"One\">" DAE_INSTANCE "</node>"
            "<node id=\"z\" name=\"Two\"><scale>-1 1 1</scale>" DAE_INSTANCE "</node></node>"));
    assert_int_equal(i.glb.count, 2);
    const glb_part *one = &i.glb.parts[0], *two = &i.glb.parts[1];
    assert_string_equal(one->node, "One");
    assert_string_equal(two->node, "Two");
    assert_string_equal(one->material, "Wood");
    pliant_vec3 far = extreme(one);
    assert_near(far.x, 1.0, 1e-6);
    assert_near(far.y, 2.0, 1e-6);
    assert_near(far.z, 0.0, 1e-6);
    for (int part = 0; part < 2; ++part) {
        // Seen from above both sides are up.
        const glb_part *p = &i.glb.parts[part];
        const int32_t *t = p->triangles[0];
        vec3 normal = vec3_cross(vec3_sub(p->positions[t[1]], p->positions[t[0]]),
                                 vec3_sub(p->positions[t[2]], p->positions[t[0]]));
        assert_near(normal.y, 1.0, 1e-5);
        assert_near(p->normals[0].y, 1.0, 1e-5);
    }
    json_value colour = pli_json_get(
        i.glb.json, pli_json_get(i.glb.json, one->material_value, "pbrMetallicRoughness"),
        "baseColorFactor");
    assert_near(pli_json_number(i.glb.json, pli_json_item(i.glb.json, colour, 2), NAN), 0.3, 1e-6);
    close_imported(&i);
}

static const unsigned char png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 1, 2, 3};

static void dae_textures_are_taken_in(void **unused)
{
    (void)unused;
    require_assimp();
    static const char text[] =
        DAE("<up_axis>Y_UP</up_axis>", DAE_TEXTURED, "<node name=\"One\">" DAE_INSTANCE "</node>");
    imported i = import_text("a.dae", text);
    assert_int_equal(i.remarks.count, 1);
    assert_string_equal(i.remarks.first[0].place, "wood.png");
    assert_int_equal(glb_list_size(&i.glb, "images"), 0);
    close_imported(&i);

    write_file("wood.png", png, sizeof png);
    i = import_text("a.dae", text);
    remove(in_directory("wood.png"));
    assert_int_equal(i.remarks.count, 0);
    assert_int_equal(glb_list_size(&i.glb, "images"), 1);
    size_t size;
    json_value image = glb_list_item(&i.glb, "images", 0);
    const void *bytes = glb_view_bytes(&i.glb, glb_int(&i.glb, image, "bufferView", -1), &size);
    assert_int_equal(size, sizeof png);
    assert_memory_equal(bytes, png, size);
    // glTF counts from the top.
    const glb_part *part = &i.glb.parts[0];
    for (int v = 0; v < 3; ++v) {
        assert_near(part->coordinates[v][0], part->positions[v].x / 100.0, 1e-6);
        assert_near(part->coordinates[v][1], 1.0 - part->positions[v].y / 100.0, 1e-6);
    }
    close_imported(&i);
}

static void reads_fbx(void **unused)
{
    (void)unused;
    require_assimp();
    imported i = import_text(
        "a.fbx",
        "; FBX 7.3.0 project file\n"
        "FBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n\tFBXVersion: 7300\n}\n"
        "GlobalSettings:  {\n\tVersion: 1000\n\tProperties70:  {\n"
        "\t\tP: \"UpAxis\", \"int\", \"Integer\", \"\",1\n"
        "\t\tP: \"UnitScaleFactor\", \"double\", \"Number\", \"\",1\n\t}\n}\n"
        "Objects:  {\n"
        "\tGeometry: 10, \"Geometry::g\", \"Mesh\" {\n"
        "\t\tVertices: *12 {\n\t\t\ta: 0,0,0,100,0,0,100,100,0,0,100,0\n\t\t}\n"
        "\t\tPolygonVertexIndex: *4 {\n\t\t\ta: 0,1,2,-4\n\t\t}\n\t\tGeometryVersion: 124\n"
        "\t\tLayerElementMaterial: 0 {\n\t\t\tVersion: 101\n\t\t\tName: \"\"\n"
        "\t\t\tMappingInformationType: \"AllSame\"\n"
        "\t\t\tReferenceInformationType: \"IndexToDirect\"\n"
        "\t\t\tMaterials: *1 {\n\t\t\t\ta: 0\n\t\t\t}\n\t\t}\n"
        "\t\tLayer: 0 {\n\t\t\tVersion: 100\n\t\t\tLayerElement:  {\n"
        "\t\t\t\tType: \"LayerElementMaterial\"\n\t\t\t\tTypedIndex: 0\n\t\t\t}\n\t\t}\n\t}\n"
        "\tModel: 20, \"Model::Thing\", \"Mesh\" {\n\t\tVersion: 232\n\t\tProperties70:  {\n"
        "\t\t\tP: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",0,0,300\n\t\t}\n\t}\n"
        "\tMaterial: 30, \"Material::Skin\", \"\" {\n\t\tVersion: 102\n"
        "\t\tShadingModel: \"lambert\"\n\t\tProperties70:  {\n"
        "\t\t\tP: \"DiffuseColor\", \"Color\", \"\", \"A\",0.5,0.25,0.125\n\t\t}\n\t}\n}\n"
        "Connections:  {\n\tC: \"OO\",20,0\n\tC: \"OO\",10,20\n\tC: \"OO\",30,20\n}\n");
    assert_int_equal(i.glb.count, 1);
    const glb_part *part = &i.glb.parts[0];
    assert_string_equal(part->node, "Thing");
    assert_string_equal(part->material, "Skin");
    assert_int_equal(part->triangle_count, 2);
    pliant_vec3 far = extreme(part);
    assert_near(far.x, 1.0, 1e-6);
    assert_near(far.y, 1.0, 1e-6);
    assert_near(far.z, 3.0, 1e-6);
    close_imported(&i);
}

static void assert_error(const char *name, pliant_result code, const char *message)
{
    void *data = NULL;
    size_t size;
    pliant_error error = {0};
    assert_int_equal(pli_assimp_to_glb(in_directory(name), NULL, &data, &size, &error), code);
    assert_string_equal(error.place, in_directory(name));
    if (message)
        assert_string_equal(error.message, message);
    assert_true(error.message[0] != 0);
    assert_null(data);
}

static void bad_files_are_errors(void **unused)
{
    (void)unused;
    require_assimp();
    assert_error("none.dae", PLIANT_ERROR_FILE, "No such file or directory");
    assert_error("a.xyz", PLIANT_ERROR_FORMAT,
                 "this is neither FBX, DAE, STL nor PLY by its ending");
    assert_error("stl", PLIANT_ERROR_FORMAT, "this is neither FBX, DAE, STL nor PLY by its ending");
    static const char *const names[] = {"a.fbx", "a.dae", "a.stl", "a.ply"};
    for (int i = 0; i < 4; ++i) {
        write_file(names[i], "", 0);
        assert_error(names[i], PLIANT_ERROR_FORMAT, "the file is empty");
        write_file(names[i], "rubbish, that is what this is", 29);
        assert_error(names[i], PLIANT_ERROR_FORMAT, NULL);
        remove(in_directory(names[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_stl),
        cmocka_unit_test(reads_ply),
        cmocka_unit_test(dae_units_axes_and_transforms_are_applied),
        cmocka_unit_test(dae_textures_are_taken_in),
        cmocka_unit_test(reads_fbx),
        cmocka_unit_test(bad_files_are_errors),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
